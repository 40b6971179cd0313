//! Potentials: weights of cells and modes whose sum every move raises. Then no position repeats, and positions fall into levels.
//!
//! If moves only fill cells, the number of filled cells is such a sum. If pieces only disappear (Clobber, Konane), it is the
//! number of empty cells. Pieces that only go forward (Toads and Frogs, Breakthrough) and phases that follow each other need
//! other weights: integers `w` of cells and `v` of modes such that for each move
//!
//! ```text
//! sum of w over the cells it fills - sum of w over the cells it empties + v of its next mode - v of its mode  >=  1
//! ```
//!
//! These are linear inequalities; [`simplex`] decides exactly whether they have a solution. If they have none, some combination of
//! moves, each made a certain number of times, changes nothing in total. Play might never make these moves together, but the
//! game is then solved as one whose positions repeat.

mod grouped;
mod opposite;
mod simplex;

use super::{Board, Mode, Move, Position, Rules, Symmetry};

/// Maximum number of levels of a potential. If each move takes a piece from one cell of a full board to the next, there
/// are 128 * 127 / 2 levels.
pub const MOST_LEVELS: u32 = 1 << 13;
/// Maximum number of cells per move that may be filled already. Each doubles the inequalities of the move, so beyond this
/// limit only equal weights are tried.
const MOST_OPEN: u32 = 6;
/// Factors of all inequalities together, up to which that is done: they take 64 MiB.
const MOST_FACTORS: usize = 1 << 22;
/// A number for each position, its *level*: a sum of weights.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Potential {
    cells: Vec<i32>,
    modes: Vec<i32>,
    /// The cells of each weight other than 0.
    parts: Vec<(i32, Board)>,
    /// The constant that makes the lowest level 0.
    offset: i32,
    most: u32,
    is_filled: bool,
}

impl Potential {
    /// The potential with these weights; `None` if it has more than [`MOST_LEVELS`] levels.
    #[must_use]
    pub fn new(cells: Vec<i32>, modes: Vec<i32>) -> Option<Self> {
        // A constant added to all modes makes no difference, but must not overflow.
        if modes.iter().any(|weight| weight.unsigned_abs() > MOST_LEVELS) {
            return None;
        }
        let sum = |of: fn(i64) -> i64| cells.iter().map(|&weight| of(weight.into())).sum::<i64>();
        let least = sum(|weight| weight.min(0)) + i64::from(*modes.iter().min()?);
        let most = sum(|weight| weight.max(0)) + i64::from(*modes.iter().max()?) - least;
        let most = u32::try_from(most).ok().filter(|&most| most < MOST_LEVELS)?;
        let mut parts: Vec<(i32, Board)> = Vec::new();
        for (bit, &weight) in (0..).zip(&cells).filter(|&(_, &weight)| weight != 0) {
            match parts.iter_mut().find(|(found, _)| *found == weight) {
                Some((_, part)) => *part |= Board::bit(bit),
                None => parts.push((weight, Board::bit(bit))),
            }
        }
        let is_filled = cells.iter().all(|&weight| weight == 1) && modes.iter().all(|&weight| weight == 0);
        Some(Self { cells, modes, parts, offset: i32::try_from(-least).ok()?, most, is_filled })
    }

    /// The same weight for each cell, and none for modes.
    fn even(rules: &Rules, weight: i32) -> Self {
        let (cells, modes) = (vec![weight; rules.cells() as usize], vec![0; rules.modes().len()]);
        Self::new(cells, modes).unwrap_or_else(|| unreachable!("a board has fewer cells than levels"))
    }

    /// The number of filled cells.
    #[must_use]
    pub fn filled(rules: &Rules) -> Self {
        Self::even(rules, 1)
    }

    /// All weights 0, so that all positions are one level. Cyclic games use it, because they have no potential.
    #[must_use]
    pub fn flat(rules: &Rules) -> Self {
        Self::even(rules, 0)
    }

    /// Returns whether the level of a position is its number of filled cells.
    #[must_use]
    pub const fn is_filled(&self) -> bool {
        self.is_filled
    }

    /// Returns whether all positions are one level.
    #[must_use]
    pub const fn is_flat(&self) -> bool {
        self.most == 0
    }

    /// The weight of the cell in each bit of a board.
    #[must_use]
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// The weight of each mode.
    #[must_use]
    pub fn modes(&self) -> &[i32] {
        &self.modes
    }

    /// The highest level that any board has.
    #[must_use]
    pub const fn most(&self) -> u32 {
        self.most
    }

    /// The level of `position`, a position of the rules.
    #[must_use]
    #[inline]
    pub fn level(&self, position: Position) -> u32 {
        if self.is_filled {
            return position.board.count();
        }
        let parts = self.parts.iter();
        let of_board: i32 = match position.board.to_word() {
            Some(word) => parts.map(|&(weight, part)| weight * (word & part.low_word()).count_ones() as i32).sum(),
            None => parts.map(|&(weight, part)| weight * (position.board & part).count() as i32).sum(),
        };
        (of_board + self.modes[usize::from(position.mode.0)] + self.offset) as u32
    }

    /// The smallest and the largest number of levels by which `m` raises a position.
    #[must_use]
    pub fn rises(&self, m: &Move) -> (i32, i32) {
        let sum = |cells: Board| cells.bits().map(|bit| self.cells[bit as usize]).sum::<i32>();
        let of_mode = |mode: Mode| self.modes[usize::from(mode.0)];
        let fixed = sum(m.fills & m.empty) - sum(m.clears) + of_mode(m.next) - of_mode(m.mode);
        let open = (m.fills & !m.empty & !m.full).bits().map(|bit| self.cells[bit as usize]);
        open.fold((fixed, fixed), |(least, most), weight| (least + weight.min(0), most + weight.max(0)))
    }

    /// Returns whether every move of `rules` raises a position, with whatever lines it turns over. If two lines of a move can take
    /// effect together and change the same cell, this is `false`, because their changes do not add up.
    #[must_use]
    pub fn is_raised_by(&self, rules: &Rules) -> bool {
        rules.moves().iter().all(|m| {
            if m.takes.is_some() {
                return rules.each_line(m).all(|m| self.rises(&m).0 >= 1);
            }
            let lines: Vec<Move> = rules.each_line(m).collect();
            let changes = |line: &Move| (line.fills & !m.fills, line.clears & !m.clears);
            let exclude = |a: &Move, b: &Move| !(a.full & b.empty).is_empty() || !(b.full & a.empty).is_empty();
            let mut least = self.rises(m).0;
            for (at, line) in lines.iter().enumerate() {
                let (fills, clears) = changes(line);
                let is_shared = |other: &&Move| {
                    let (more, fewer) = changes(other);
                    !(fills | clears).is_disjoint(more | fewer)
                };
                if lines[..at].iter().filter(is_shared).any(|other| !exclude(line, other)) {
                    return false;
                }
                // Each line that lowers a position may take effect, and those that raise it may not.
                least += self.rises(&Move { fills, clears, next: m.mode, ..*line }).0.min(0);
            }
            least >= 1
        })
    }

    /// Returns whether `symmetry` maps each cell and each mode to one of equal weight.
    #[must_use]
    pub fn is_kept_by(&self, symmetry: &Symmetry) -> bool {
        let cells = self.cells.iter().zip(symmetry.cells()).all(|(&weight, &to)| self.cells[usize::from(to)] == weight);
        cells && self.modes.iter().zip(symmetry.modes()).all(|(&weight, &to)| self.modes[usize::from(to)] == weight)
    }

    /// The potential whose weights are averages over orbits, multiplied by their common denominator. An average of potentials is
    /// a potential, and symmetries keep this one. `None` if it has too many levels.
    pub fn averaged(&self, cell_orbits: &[Vec<usize>], mode_orbits: &[Vec<usize>]) -> Option<Self> {
        let common = cell_orbits.iter().chain(mode_orbits).try_fold(1, |all, orbit| lcm(all, orbit.len() as i64))?;
        let average = |weights: &[i32], orbits: &[Vec<usize>]| -> Option<Vec<i64>> {
            let mut all = vec![0; weights.len()];
            for orbit in orbits {
                let sum: i64 = orbit.iter().map(|&at| i64::from(weights[at])).sum();
                orbit.iter().for_each(|&at| all[at] = sum * (common / orbit.len() as i64));
            }
            Some(all)
        };
        Self::reduced(&average(&self.cells, cell_orbits)?, &average(&self.modes, mode_orbits)?)
    }

    /// The potential with these weights divided by their greatest common divisor.
    fn reduced(cells: &[i64], modes: &[i64]) -> Option<Self> {
        let least = modes.iter().min().copied().unwrap_or(0);
        let modes: Vec<i64> = modes.iter().map(|&weight| weight - least).collect();
        let divisor = cells.iter().chain(&modes).fold(0, |all, &weight| gcd(all, weight)).max(1);
        let small =
            |list: &[i64]| list.iter().map(|&weight| i32::try_from(weight / divisor).ok()).collect::<Option<_>>();
        Self::new(small(cells)?, small(&modes)?)
    }

    /// A potential that every move of `rules` raises; `None` if there is none with integer weights of moderate size.
    pub(super) fn find(rules: &Rules) -> Option<Self> {
        let even = [1, -1].map(|weight| Self::even(rules, weight));
        if let Some(even) = even.into_iter().find(|even| even.is_raised_by(rules)) {
            return Some(even);
        }
        if opposite::moves_go_round(rules) {
            return None;
        }
        let found = Self::with_passes(rules);
        found.or_else(|| Self::of_named_together(rules)).or_else(|| Self::solved(rules))
    }

    fn solved(rules: &Rules) -> Option<Self> {
        let cells = rules.cells() as usize;
        let size = cells + rules.modes().len();
        let mut rows: Vec<Vec<(usize, i8)>> = Vec::new();
        let mut factors = 0;
        for m in rules.moves().iter().flat_map(|m| rules.each_line(m)) {
            let open = m.fills & !m.empty & !m.full;
            if open.count() > MOST_OPEN {
                return None;
            }
            // Some of the open cells are filled already: one inequality for each choice.
            for part in open.subsets() {
                let new = m.fills & m.empty | part;
                let mut row: Vec<(usize, i8)> = new.bits().map(|bit| (bit as usize, 1)).collect();
                row.extend(m.clears.bits().map(|bit| (bit as usize, -1)));
                if m.mode != m.next {
                    row.extend([(cells + usize::from(m.next.0), 1), (cells + usize::from(m.mode.0), -1)]);
                }
                row.sort_unstable();
                factors += row.len();
                if factors > MOST_FACTORS {
                    return None;
                }
                rows.push(row);
            }
        }
        rows.sort_unstable();
        rows.dedup();
        let weights = simplex::positive(&rows, size)?;
        let found = Self::reduced(&weights[..cells], &weights[cells..])?;
        found.is_raised_by(rules).then_some(found)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / gcd(a, b)).checked_mul(b)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::RulesSpec;

    pub(crate) fn rules(cells: u32, modes: usize, moves: Vec<Move>) -> Rules {
        let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
        RulesSpec { modes, moves, ..RulesSpec::new("test", cells) }.build().unwrap()
    }

    pub(crate) fn step(from: u32, to: u32) -> Move {
        Move { full: Board::bit(from), clears: Board::bit(from), ..Move::fill(Board::bit(to)) }
    }

    #[test]
    fn games_that_only_fill_and_games_that_only_take() {
        let put = rules(3, 1, vec![Move::fill(Board::from_word(1)), Move::fill(Board::from_word(6))]);
        assert!(Potential::find(&put).unwrap().is_filled());
        let take = Move { empty: Board::EMPTY, fills: Board::EMPTY, ..step(1, 0) };
        let found = Potential::find(&rules(3, 1, vec![take])).unwrap();
        assert_eq!([0b000, 0b010, 0b111].map(|board| found.level(Position::of(Board::from_word(board)))), [3, 2, 0]);
    }

    #[test]
    fn forward_moves_have_a_potential_and_cycles_have_none() {
        let forward = rules(4, 1, vec![step(0, 1), step(1, 2), step(2, 3), step(0, 2)]);
        let found = Potential::find(&forward).unwrap();
        assert_eq!(found.cells().windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>(), [1, 1, 1]);
        assert!(forward.moves().iter().all(|m| found.rises(m).0 >= 1));
        let longest = (1..128).map(|to| step(to - 1, to)).collect();
        assert!(Potential::find(&rules(128, 1, longest)).is_some());
        assert_eq!(Potential::find(&rules(3, 1, vec![step(0, 1), step(1, 2), step(2, 0)])), None);
        assert_eq!(Potential::find(&rules(2, 1, vec![step(0, 1), step(1, 0)])), None);
    }

    #[test]
    fn large_weights_are_refused() {
        let of = |cell, mode| Potential::new(vec![cell, 1], vec![0, mode]).is_some();
        assert!(of(1000, -1000) && of(-1000, 1));
        assert!(!of(9000, 0) && !of(0, 9000) && !of(i32::MIN, 0) && !of(0, i32::MIN) && !of(i32::MAX, i32::MAX));
        assert!(Potential::new(vec![0], vec![i32::MAX]).is_none() && Potential::new(vec![0], Vec::new()).is_none());
    }

    #[test]
    fn phases_follow_one_another() {
        // The piece steps back and forth, but each step enters a new phase. A step back to an earlier phase makes a cycle.
        let on = |m: Move, mode, next| Move { mode: Mode(mode), next: Mode(next), ..m };
        let phases = vec![on(step(0, 1), 0, 1), on(step(1, 0), 1, 2)];
        for search in [Potential::find, Potential::solved] {
            let found = search(&rules(2, 3, phases.clone())).unwrap();
            assert!(phases.iter().all(|m| found.rises(m).0 >= 1));
        }
        let back = [phases, vec![on(step(0, 1), 2, 1)]].concat();
        assert_eq!(Potential::find(&rules(2, 3, back)), None);
    }

    #[test]
    fn a_pass_raises_a_position_between_two_moves() {
        // Two players take turns, and a pass leads to a mode in which only a move is possible.
        let on = |m: Move, mode, next| Move { mode: Mode(mode), next: Mode(next), ..m };
        let put = Move::fill(Board::bit(0));
        let pass = Move::fill(Board::EMPTY);
        let moves = vec![on(put, 0, 1), on(put, 1, 0), on(put, 2, 1), on(put, 3, 0), on(pass, 0, 3), on(pass, 1, 2)];
        let found = Potential::find(&rules(3, 4, moves.clone())).unwrap();
        assert!(moves.iter().all(|m| found.rises(m).0 >= 1));
        // A pass back and forth may be repeated.
        let again = [moves, vec![on(pass, 2, 1)]].concat();
        assert_eq!(Potential::find(&rules(3, 4, [again, vec![on(pass, 3, 0)]].concat())), None);
    }

    #[test]
    fn cells_that_may_be_filled_already() {
        // The move fills two cells, of which the second may already be filled, and empties a third.
        let m = Move {
            empty: Board::from_word(1),
            full: Board::from_word(4),
            fills: Board::from_word(3),
            clears: Board::from_word(4),
            ..Move::fill(Board::from_word(1))
        };
        let found = Potential::find(&rules(3, 1, vec![m])).unwrap();
        let (least, most) = found.rises(&m);
        assert!(least >= 1 && most >= least);
        let level = |board| found.level(Position::of(Board::from_word(board)));
        assert!(level(0b011) > level(0b100) && level(0b011) > level(0b110));
    }

    #[test]
    fn searches_that_are_too_large_are_left_out() {
        let put = |new, open| Move { empty: Board::full(new), ..Move::fill(Board::full(new + open)) };
        let is_solved = |cells, moves| Potential::solved(&rules(cells, 1, moves)).is_some();
        assert_eq!([6, 7, 8].map(|open| is_solved(10, vec![put(1, open)])), [true, false, false]);
        // 61 new cells and every subset of 6 others: 64 * 61 + 6 * 32 = 4096 factors, 1024 times.
        assert_eq!(MOST_FACTORS, 1024 * 4096);
        assert_eq!([1024, 1025].map(|count| is_solved(67, vec![put(61, 6); count])), [true, false]);
    }

    /// Weights 1 and 5 on an orbit of two cells, 7 on a fixed cell, and 0, 1 and 4 on an orbit of three modes.
    #[test]
    fn averages_over_orbits_are_kept_by_symmetries() {
        let potential = Potential::new(vec![1, 5, 7], vec![0, 1, 4]).unwrap();
        let symmetry = |cells: [u8; 3], modes: [u16; 3]| Symmetry::new(cells.to_vec(), modes.to_vec()).unwrap();
        let (still, cells) = (symmetry([0, 1, 2], [0, 1, 2]), symmetry([1, 0, 2], [0, 1, 2]));
        let modes = symmetry([0, 1, 2], [1, 2, 0]);
        assert_eq!([&still, &cells, &modes].map(|it| potential.is_kept_by(it)), [true, false, false]);
        let even = potential.averaged(&[vec![0, 1], vec![2]], &[vec![0, 1, 2]]).unwrap();
        // The averages are 3, 7 and 5/3; the weights of modes count from 0.
        assert_eq!((even.cells(), even.modes()), (&[3, 3, 7][..], &[0, 0, 0][..]));
        assert!([&still, &cells, &modes].iter().all(|it| even.is_kept_by(it)));
        let partly = potential.averaged(&[vec![0], vec![1], vec![2]], &[vec![0, 1], vec![2]]).unwrap();
        // All weights twice; the modes have 1/2, 1/2 and 4.
        assert_eq!((partly.cells(), partly.modes()), (&[2, 10, 14][..], &[0, 0, 7][..]));
        assert_eq!((lcm(4, 6), lcm(5, 1), lcm(i64::MAX, 2)), (Some(12), Some(5), None));
    }

    #[test]
    fn levels_are_sums_of_weights() {
        let potential = Potential::new(vec![1, -5, 7, 7], vec![0, 3]).unwrap();
        for number in 0..32u64 {
            let position = Position::new(Mode((number / 16) as u16), Board::from_word(number % 16));
            let sum: i32 = position.board.bits().map(|bit| potential.cells()[bit as usize]).sum();
            assert_eq!(potential.level(position) as i32, sum + 3 * i32::from(position.mode.0) + 5);
        }
        assert_eq!((potential.most(), potential.is_flat(), potential.is_filled()), (23, false, false));
        // Boards of more than 64 cells.
        let mut weights = vec![2; 70];
        weights[69] = -3;
        let wide = Potential::new(weights, vec![0]).unwrap();
        let level = |board| wide.level(Position::of(board));
        assert_eq!([level(Board::EMPTY), level(Board::full(70)), level(Board::bit(69) | Board::bit(0))], [3, 138, 2]);
    }
}
