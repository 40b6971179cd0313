#!/usr/bin/env bash
# Tool: jocly 0.9.13 (npm), the games fiarpopout (Connect Four with pop-out) and 3-men-morris.
# Behaviour: a move that completes a line of each player is a draw in Pop Out. In Three Men's Morris a line takes a man of the other player
#   and play goes on, and men do not move along diagonals.
# Expected: the player who moves wins in Pop Out; a line wins in Three Men's Morris, with moves along the lines of the drawn board.
# Output: two lines at once: winner 2 (a draw); a line in Three Men's Morris: not finished; from the centre: 4>7
# Who meets it: users who compare outcomes, or let a table play there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit jocly@0.9.13 > /dev/null
cat > run.cjs <<'JAVASCRIPT'
const assert = require("node:assert");
const Jocly = require("jocly");

async function play(name, texts) {
  const match = await Jocly.createMatch(name);
  let result;
  for (const text of texts.split(" ")) {
    const moves = await match.getPossibleMoves();
    const names = await Promise.all(moves.map((move) => match.getMoveString(move)));
    assert(names.includes(text), `${text} is not among ${names}`);
    result = await match.applyMove(moves[names.indexOf(text)]);
  }
  const moves = await match.getPossibleMoves();
  return [result, await Promise.all(moves.map((move) => match.getMoveString(move)))];
}

(async () => {
  const [both] = await play("fiarpopout", "+D +A +A +B +B +C +C +D +D +G -D");
  const [line] = await play("3-men-morris", "0 3 1 4 2x3");
  const [, moves] = await play("3-men-morris", "4 1 0 8 5 3");
  const centre = moves.filter((move) => move.startsWith("4>")).join(" ");
  console.log(`two lines at once: winner ${both.winner} (${both.winner === Jocly.DRAW ? "a draw" : "not a draw"}); ` +
    `a line in Three Men's Morris: ${line.finished ? "" : "not "}finished; from the centre: ${centre}`);
  assert.deepEqual([both.finished, both.winner, line.finished, centre], [true, Jocly.DRAW, false, "4>7"]);
})();
JAVASCRIPT
node run.cjs
