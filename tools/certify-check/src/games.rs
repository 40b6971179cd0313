//! Four games, stated from their rules, so that nobody needs to read the rules in a certificate of them.

use super::rules::{Move, Outcome, Position, Rules, Worth};

/// The most cells of a board.
const MOST: u32 = 128;

/// The game with this name, all of it; `None` for other games.
pub(crate) fn named(name: &str) -> Option<(Rules, Vec<Position>)> {
    let numbers: Vec<u32> =
        name.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
    // Larger games have no tables, and a name alone must not take time or memory.
    let fits =
        |sizes: [u32; 3], most: u32| sizes.iter().all(|size| (1..=MOST).contains(size)) && sizes[0] * sizes[1] <= most;
    let play = |of: String| match name.strip_prefix(&of) {
        Some("-normal") => Some(false),
        Some("-misere") => Some(true),
        _ => None,
    };
    match numbers[..] {
        [] if name == "tictactoe" => Some((in_a_line(3, 3, 3, false, false), Vec::new())),
        [pips] if fits([pips, pips.saturating_add(1), 1], 2 * MOST) => {
            play(format!("dominoes-{pips}")).map(|misere| dominoes(pips, misere))
        }
        [rows, cols, size] if fits([rows, cols, size], MOST) => {
            let of_tactics = play(format!("tactics-{rows}x{cols}-run{size}"));
            let of_line = play(format!("mnk-{rows}x{cols}-k{size}")).map(|misere| (misere, false));
            let of_lines = of_line.or((name == format!("connect-four-{rows}x{cols}-{size}")).then_some((false, true)));
            let of_lines = of_lines.filter(|_| fits([rows, cols, size], MOST / 2));
            let rules = of_tactics.map(|misere| tactics(rows, cols, size, misere));
            let rules = rules.or_else(|| of_lines.map(|(misere, fall)| in_a_line(rows, cols, size, misere, fall)));
            rules.map(|rules| (rules, Vec::new()))
        }
        _ => None,
    }
}

/// Tactics: fill 1 to `run` empty squares in a row or a column, side by side. Who fills the last square wins, or loses in misère
/// play. The first square is the highest bit.
fn tactics(rows: u32, cols: u32, run: u32, misere: bool) -> Rules {
    let mut rules = Rules::new(rows * cols, 1);
    rules.stuck = vec![Worth::Outcome(if misere { Outcome::Win } else { Outcome::Loss })];
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for (down, right) in [(0, 1), (1, 0)] {
            let mut line = 0;
            for step in 0..run {
                let (row, col) = (row + down * step, col + right * step);
                if row >= rows || col >= cols {
                    break;
                }
                line |= 1 << (rows * cols - 1 - row * cols - col);
                // A single square is one move, not two.
                if step > 0 || right == 1 {
                    rules.moves[0].push(Move { empty: line, fills: line, ..Move::default() });
                }
            }
        }
    }
    rules
}

/// Dominoes: lay a tile of the set 0-0, 0-1, ... in a line that grows at one end. The mode is the number of pips at that end. Who
/// has no fitting tile loses, or wins in misère play. The first player begins with any tile. Tile 0-0 is the highest bit.
fn dominoes(pips: u32, misere: bool) -> (Rules, Vec<Position>) {
    let tiles: Vec<(u32, u32)> = (0..pips).flat_map(|low| (low..pips).map(move |high| (low, high))).collect();
    let mut rules = Rules::new(tiles.len() as u32, pips as usize);
    rules.stuck = vec![Worth::Outcome(if misere { Outcome::Win } else { Outcome::Loss }); pips as usize];
    let mut choices = Vec::new();
    for (number, &(low, high)) in tiles.iter().enumerate() {
        let tile = 1 << (tiles.len() - 1 - number);
        let mut turn = |from: u32, to: u32| {
            rules.moves[from as usize].push(Move { next: to as u16, empty: tile, fills: tile, ..Move::default() });
            choices.push((to as u16, tile));
        };
        turn(low, high);
        if low != high {
            turn(high, low);
        }
    }
    (rules, choices)
}

/// m,n,k: mark a free square; `line` marks in a row, a column or a diagonal win, or lose in misère play. If pieces `fall`, as in
/// Connect Four, the square below must be filled. A full board is a draw. The first player's first square is the highest bit.
fn in_a_line(rows: u32, cols: u32, line: u32, misere: bool, fall: bool) -> Rules {
    let squares = rows * cols;
    let mut rules = Rules::new(2 * squares, 2);
    rules.stuck = vec![Worth::Outcome(Outcome::Draw); 2];
    let cell = |player: u32, row: u32, col: u32| 1_u128 << ((2 - player) * squares - 1 - row * cols - col);
    for player in 0..2 {
        let (mode, other) = (player as usize, 1 - player);
        for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            let (empty, fills) = (cell(0, row, col) | cell(1, row, col), cell(player, row, col));
            let below = |owner| if fall && row + 1 < rows { cell(owner, row + 1, col) } else { 0 };
            for full in if below(0) == 0 { vec![0] } else { vec![below(0), below(1)] } {
                rules.moves[mode].push(Move { next: other as u16, empty, full, fills, ..Move::default() });
            }
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let end = (row + down * (line - 1), i64::from(col) + right * i64::from(line - 1));
                if end.0 < rows && (0..i64::from(cols)).contains(&end.1) {
                    let at =
                        |step: u32| cell(other, row + down * step, (i64::from(col) + right * i64::from(step)) as u32);
                    let outcome = if misere { Outcome::Win } else { Outcome::Loss };
                    rules.ends[mode]
                        .push(([(0..line).fold(0, |all, step| all | at(step)), 0], Worth::Outcome(outcome)));
                }
            }
        }
    }
    rules
}
