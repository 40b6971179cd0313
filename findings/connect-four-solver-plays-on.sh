#!/usr/bin/env bash
# Tool: connect-four-solver 0.2.4 (Rust), a solver of Connect Four.
# Behaviour: in a game that is won, all columns that are not full are legal moves. After one more stone, `is_over` is false, and the
#   score is that of a win in one move for the player who has won.
# Expected: no legal move, and `play` returns false.
# Output: won: over, 7 legal moves; one stone later: not over, score 17
# Who meets it: users who walk all positions, and compare scores with a table. Leave out the positions for which `is_victory` holds, and
#   all that follow.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cargo init --quiet --bin --name plays-on
cargo add --quiet connect-four-solver@=0.2.4
cat >src/main.rs <<'RUST'
use connect_four_solver::{Column, ConnectFour, score};

fn main() {
    // The first player has four stones in column 1.
    let mut game = ConnectFour::from_move_list("1212121");
    let won = (game.is_over(), game.legal_moves().count());
    let plays = game.play(Column::from_index(2));
    let later = (game.is_over(), score(&game));
    let over = |over| if over { "over" } else { "not over" };
    println!("won: {}, {} legal moves; one stone later: {}, score {}", over(won.0), won.1, over(later.0), later.1);
    assert!(won == (true, 7) && plays && later == (false, 17), "the behaviour has changed");
}
RUST
cargo run --quiet
