//! Games of the kind in which a move is listed for each combination of lines.
//!
//! Each ray of a new piece is in one of a few cases, which exclude each other:
//!
//! ```text
//!     X B B M        the run turns over: here two pieces, or one, or three, ...
//!     X b            the first square has no piece of the other player
//!     X B B .        the run ends at a free square
//!     X B B          the run ends with the ray
//! ```
//!
//! A ray of `n` squares has `2n` cases, and some piece turns over in `n - 1` of them. The moves of a square must be all combinations of cases
//! in which some piece turns over, and demand no more than their cases. Moves that need a square with pieces of both colours are passed over:
//! the search does not answer such positions.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::cells::Cells;
use super::kind::{Placements, rays};
use crate::rules::{Board, Line, Move};

/// The masks of a move, by squares; the player's own and the other player's.
#[derive(Clone, Copy)]
struct Masks {
    turned: u64,
    full: [u64; 2],
    empty: [u64; 2],
}

/// What the moves of the player of `colour` do; `None` if they are not all combinations of cases.
pub(super) fn placements(moves: &[Move], colour: usize, cells: &Cells) -> Option<Placements> {
    let mut by_square: BTreeMap<u8, Vec<Masks>> = BTreeMap::new();
    let of = |board: Board| {
        let of = cells.by_colour(board);
        [of[colour], of[1 - colour]]
    };
    for m in moves {
        let ([fills, no_fills], [no_clears, turned]) = (of(m.fills), of(m.clears));
        let (full, empty) = (of(m.full), of(m.empty));
        let new = fills & !turned;
        let puts = new.count_ones() == 1 && fills == new | turned && turned != 0 && empty[0] & empty[1] & new != 0;
        if !puts || no_fills | no_clears != 0 {
            return None;
        }
        let of_square = by_square.entry(new.trailing_zeros() as u8).or_default();
        if full[0] & full[1] == 0 {
            of_square.push(Masks { turned, full, empty });
        }
    }
    by_square.into_iter().map(|(square, moves)| Some((square, of_square(square, &moves, colour, cells)?))).collect()
}

/// The rays of a square with these moves.
fn of_square(square: u8, moves: &[Masks], colour: usize, cells: &Cells) -> Option<Vec<Vec<u8>>> {
    // Where only one own piece is needed, only one ray turns over.
    let single = moves.iter().filter(|m| m.full[0].count_ones() == 1);
    let runs: BTreeSet<(u64, u64)> = single.map(|m| (m.turned, m.full[0])).collect();
    let board = |squares: u64, colour: usize| -> Board {
        Board::from_word(squares).bits().map(|square| Board::bit(cells.pairs[square as usize][colour])).collect()
    };
    let line = |&(run, end): &(u64, u64)| {
        let (fills, clears) = (board(run, colour), board(run, 1 - colour));
        Line { empty: Board::EMPTY, full: clears | board(end, colour), fills, clears }
    };
    let lines: Vec<Line> = runs.iter().map(line).collect();
    let rays = rays(&lines, square, colour, cells)?;
    let squares = rays.iter().flatten().fold(0u64, |all, &square| all | 1 << square);
    let are_apart = squares.count_ones() as usize == rays.iter().map(Vec::len).sum::<usize>();
    let count = |of: fn(u64) -> u64| rays.iter().try_fold(1u64, |all, ray| all.checked_mul(of(ray.len() as u64)));
    let expected = count(|length| 2 * length)? - count(|length| length + 1)?;
    let combinations: HashSet<u64> =
        moves.iter().map(|m| combination(square, &rays, m)).collect::<Option<HashSet<u64>>>()?;
    (are_apart && combinations.len() as u64 == expected).then_some(rays)
}

/// The number of the combination of cases that a move is for; `None` if it is not for one, or demands more than that.
fn combination(square: u8, rays: &[Vec<u8>], m: &Masks) -> Option<u64> {
    let bit = |square: u8| 1u64 << square;
    let (mut number, mut turned) = (0, 0);
    let (mut full, mut empty) = ([0; 2], [bit(square); 2]);
    for ray in rays {
        let run = ray.iter().take_while(|&&square| m.full[1] & bit(square) != 0).count();
        let squares = ray[..run].iter().fold(0, |all, &square| all | bit(square));
        full[1] |= squares;
        empty[0] |= squares;
        let is_mine = match ray.get(run).map(|&end| bit(end)) {
            None => false,
            Some(end) if run == 0 && m.empty[1] & end != 0 => {
                empty[1] |= end;
                false
            }
            Some(end) if run > 0 && m.full[0] & end != 0 => {
                full[0] |= end;
                empty[1] |= end;
                turned |= squares;
                true
            }
            Some(end) if run > 0 && m.empty[0] & m.empty[1] & end != 0 => {
                empty[0] |= end;
                empty[1] |= end;
                false
            }
            Some(_) => return None,
        };
        number = number * 2 * ray.len() as u64 + (2 * run as u64 - u64::from(run > 0)) + u64::from(is_mine);
    }
    let demands_no_more = m.empty[0] & !empty[0] == 0 && m.empty[1] & !empty[1] == 0;
    (full == m.full && turned == m.turned && demands_no_more).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::super::tests::{game, grid};
    use crate::rules::{Board, Move, RulesSpec};

    /// The game with a move for each combination of cases. `with_blocks` adds those in which a ray meets a square with pieces of both colours.
    fn listed(rows: i32, cols: i32, with_blocks: bool) -> RulesSpec {
        let spec = game(&grid(rows, cols), true, 7, true);
        let cell = |square: u8, colour: usize| Board::bit(2 * u32::from(square) + colour as u32);
        let of_ray = |m: &Move, ray: &[u8], colour: usize| {
            let mine = |square| cell(square, colour);
            let yours = |square| cell(square, 1 - colour);
            let mut cases = vec![Move { empty: m.empty | yours(ray[0]), ..*m }];
            for run in 1..=ray.len() {
                let all = |of: &dyn Fn(u8) -> Board| ray[..run].iter().map(|&it| of(it)).collect::<Board>();
                let ran = Move { full: m.full | all(&yours), ..*m };
                let Some(&end) = ray.get(run) else {
                    cases.push(Move { empty: ran.empty | all(&mine), ..ran });
                    continue;
                };
                let turned = Move { fills: m.fills | all(&mine), clears: m.clears | all(&yours), ..ran };
                cases.push(Move { full: turned.full | mine(end), empty: turned.empty | yours(end), ..turned });
                cases.push(Move { empty: ran.empty | all(&mine) | mine(end) | yours(end), ..ran });
                if with_blocks {
                    cases.push(Move { full: ran.full | mine(end) | yours(end), ..ran });
                }
            }
            cases
        };
        let rays = grid(rows, cols);
        let of_move = |m: &Move| {
            if m.lines.is_none() {
                return vec![*m];
            }
            let (square, colour) = (m.fills.lowest().unwrap() / 2, usize::from(m.mode.0 % 2));
            let mut all = vec![Move { lines: None, ..*m }];
            for ray in &rays[square as usize] {
                all = all.iter().flat_map(|m| of_ray(m, ray, colour)).collect();
            }
            all.retain(|m| !m.clears.is_empty());
            all
        };
        RulesSpec { moves: spec.moves.iter().flat_map(of_move).collect(), lines: Vec::new(), ..spec }
    }

    #[test]
    fn listed_moves_have_the_rays_of_lines() {
        for (rows, cols) in [(3, 3), (3, 4), (4, 4)] {
            let expected = Kind::of(&game(&grid(rows, cols), true, 7, true).build().unwrap()).unwrap();
            for with_blocks in [false, true] {
                let found = Kind::of(&listed(rows, cols, with_blocks).build().unwrap()).expect("a game of the kind");
                assert_eq!(format!("{found:?}"), format!("{expected:?}"));
            }
        }
    }

    #[test]
    fn moves_that_are_not_all_combinations_are_refused() {
        let refused = |change: &dyn Fn(&mut RulesSpec, usize)| {
            let count = listed(3, 4, false).moves.len();
            (0..count).step_by(7).all(|at| {
                let mut spec = listed(3, 4, false);
                let is_pass = spec.moves[at].is_pass();
                change(&mut spec, at);
                is_pass || Kind::of(&spec.build().unwrap()).is_none()
            })
        };
        assert!(refused(&|it, at| drop(it.moves.splice(at..=at, []))));
        assert!(refused(&|it, at| {
            let m = &mut it.moves[at];
            let rest = Board::full(it.cells) & !(m.empty | m.full | m.fills);
            m.empty |= Board::bit(rest.lowest().expect("a cell that does not matter"));
        }));
        assert!(refused(&|it, at| {
            let m = &mut it.moves[at];
            m.full &= m.clears;
        }));
    }
}
