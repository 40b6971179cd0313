#!/usr/bin/env bash
# Tool: boardgame.io 0.50.2 (npm), a framework for turn-based games.
# Behaviour: after a move that ends the game, further moves are refused, but `undo` takes the winning move back, and play goes on.
# Expected: the end of the game is final for `undo` as well.
# Output: after the win: {"winner":"0"}; after undo: undefined, cells 0,0,,1,1,,,,
# Who meets it: users who let an opponent with a perfect table play there: a loss can be taken back. Set `disableUndo`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit boardgame.io@0.50.2 > /dev/null
cat > run.cjs <<'JAVASCRIPT'
const assert = require("node:assert");
const { Client } = require("boardgame.io/client");

const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const game = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { mark: ({ G, playerID }, cell) => { G.cells[cell] = playerID; } },
  endIf: ({ G, ctx }) => {
    const won = lines.some((line) => line.every((cell) => G.cells[cell] === ctx.currentPlayer));
    return won ? { winner: ctx.currentPlayer } : undefined;
  },
};
const client = Client({ game, debug: false });
client.start();
for (const cell of [0, 3, 1, 4, 2]) client.moves.mark(cell);
const won = JSON.stringify(client.getState().ctx.gameover);
client.undo();
const { G, ctx } = client.getState();
console.log(`after the win: ${won}; after undo: ${ctx.gameover}, cells ${G.cells.join(",")}`);
assert.deepEqual([won, ctx.gameover, G.cells.join(",")], ['{"winner":"0"}', undefined, "0,0,,1,1,,,,"]);
JAVASCRIPT
node run.cjs
