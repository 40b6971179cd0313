//! Which games are of the kind: two colours, one new piece a move, lines that turn over, and pieces counted at the end.
//!
//! Everything is read from the masks of the rules. A square is a pair of cells, one for each colour. A *ray* is a chain of squares that
//! begins beside the square of a new piece. The new piece turns over the run of the other player's pieces at the beginning of the ray, if an
//! own piece ends the run. The rules list one line for each length of the run:
//!
//! ```text
//! the lines of square a      a B M      a B B M      a B B B M
//! the ray                    a b c d e
//! ```

use std::collections::BTreeMap;

use super::cells::Cells;
use super::listed;
use crate::rules::{Board, Line, Mode, Move, Position, Rules, Terminal};

/// A game of the kind.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    cells: Cells,
    modes: Vec<Role>,
    /// For each square, the rays of a new piece there. `None` where no piece may be put.
    pub(super) rays: Vec<Option<Vec<Vec<u8>>>>,
    /// The squares whose pieces count at the end.
    pub(super) counted: u64,
    /// True if more pieces are better at the end, false if fewer are.
    pub(super) more_is_better: bool,
    /// True if a player without another move passes.
    pub(super) passes: bool,
}

/// What a mode says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Role {
    /// The colour of the player to move: 0 or 1.
    colour: usize,
    /// The mode after a piece was put.
    next: Mode,
    /// The mode after a pass, if the player may pass.
    passed: Option<Mode>,
}

/// A position of the kind: one bit for each square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Discs {
    /// The pieces of the player to move.
    pub(super) own: u64,
    pub(super) other: u64,
    /// True if a player without a move passes here; otherwise the game is over.
    pub(super) may_pass: bool,
}

/// The squares where a player may put a piece, with their rays.
pub(super) type Placements = BTreeMap<u8, Vec<Vec<u8>>>;

impl Kind {
    /// The game of `rules`; `None` if it is of another kind.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let spec = rules.spec();
        let is_plain = spec.ends.is_empty() && spec.count_ends.is_empty() && spec.takes.is_empty();
        let is_counted = spec.terminals.iter().any(|it| matches!(it, Terminal::Most { .. }));
        if !is_plain || !is_counted || !rules.cells().is_multiple_of(2) {
            return None;
        }
        let cells = Cells::of(rules)?;
        let mut modes = Vec::new();
        // The moves of the first mode of each colour, and what they do.
        let mut known: [Option<(Vec<Move>, Placements)>; 2] = [None, None];
        for mode in (0..rules.modes().len()).map(|mode| Mode(mode as u16)) {
            let (passing, placing): (Vec<Move>, Vec<Move>) = rules.moves_of(mode).iter().partition(|m| m.is_pass());
            let (_, colour) = cells.places[placing.first()?.fills.lowest()? as usize];
            let role = Role { colour, next: placing[0].next, passed: passing.first().map(|m| m.next) };
            let may_pass = |m: &Move| m.otherwise && (m.empty | m.full).is_empty() && m.lines.is_none();
            let is_plain = |m: &Move| m.when.is_none() && m.gain == 0 && rules.hands_over(m);
            let is_sound = passing.len() < 2
                && passing.iter().all(|m| may_pass(m) && is_plain(m))
                && placing.iter().all(|m| !m.otherwise && is_plain(m) && m.next == role.next);
            if !is_sound {
                return None;
            }
            match &known[colour] {
                Some((first, _)) if are_same(first, &placing) => {}
                Some((_, placements)) if *placements != placements_of(rules, &placing, colour, &cells)? => return None,
                Some(_) => {}
                None => {
                    let placements = placements_of(rules, &placing, colour, &cells)?;
                    known[colour] = Some((placing, placements));
                }
            }
            modes.push(role);
        }
        let [Some((_, placements)), Some((_, of_other))] = known else { return None };
        if placements != of_other {
            return None;
        }
        let passes = passes(&modes)?;
        let (counted, more_is_better) = counted(rules, &modes, &cells)?;
        let rays = (0..cells.pairs.len() as u8).map(|square| placements.get(&square).cloned()).collect();
        Some(Self { cells, modes, rays, counted, more_is_better, passes })
    }

    /// The number of squares.
    pub(super) const fn squares(&self) -> usize {
        self.cells.pairs.len()
    }

    /// The squares of a position; `None` if some square has a piece of both colours.
    pub(super) fn discs(&self, position: Position) -> Option<Discs> {
        let role = self.modes[usize::from(position.mode.0)];
        let of = self.cells.by_colour(position.board);
        let may_pass = role.passed.is_some();
        (of[0] & of[1] == 0).then_some(Discs { own: of[role.colour], other: of[1 - role.colour], may_pass })
    }

    /// The position after the player to move at `from` puts a piece on a square, after which the pieces are `own` (of the player who
    /// moved) and `other`.
    pub(super) fn after(&self, from: Position, own: u64, other: u64) -> Position {
        let role = self.modes[usize::from(from.mode.0)];
        let mut board = Board::EMPTY;
        for (square, pair) in self.cells.pairs.iter().enumerate() {
            for (colour, pieces) in [(role.colour, own), (1 - role.colour, other)] {
                if pieces >> square & 1 == 1 {
                    board |= Board::bit(pair[colour]);
                }
            }
        }
        Position::new(role.next, board)
    }

    /// The position after the player to move at `from` has passed.
    pub(super) fn passed(&self, from: Position) -> Option<Position> {
        Some(Position::new(self.modes[usize::from(from.mode.0)].passed?, from.board))
    }
}

/// Returns whether the moves do the same, whatever their modes are.
fn are_same(some: &[Move], others: &[Move]) -> bool {
    let masks = |m: &Move| (m.empty, m.full, m.fills, m.clears, m.lines);
    some.iter().map(masks).eq(others.iter().map(masks))
}

/// What the moves `placing` of a player do; `None` if they do not put pieces and turn over lines.
fn placements_of(rules: &Rules, placing: &[Move], colour: usize, cells: &Cells) -> Option<Placements> {
    if !rules.has_lines() {
        return listed::placements(placing, colour, cells);
    }
    let mut placements = Placements::new();
    for m in placing {
        let cell = m.fills.lowest()?;
        let (square, of) = cells.places[cell as usize];
        let pair = cells.pairs[usize::from(square)];
        let is_plain = m.fills.count() == 1 && m.full.is_empty() && m.clears.is_empty();
        let is_free = m.empty == Board::bit(pair[0]) | Board::bit(pair[1]);
        let rays = rays(&rules.spec().lines[usize::from(m.lines?)], square, colour, cells)?;
        if !is_plain || !is_free || of != colour || placements.insert(square, rays).is_some() {
            return None;
        }
    }
    Some(placements)
}

/// The rays that `lines` are the runs of; `None` if they are not runs of rays.
pub(super) fn rays(lines: &[Line], from: u8, colour: usize, cells: &Cells) -> Option<Vec<Vec<u8>>> {
    let mut lines: Vec<&Line> = lines.iter().collect();
    lines.sort_by_key(|line| line.fills.count());
    // Each ray with the set of its squares.
    let mut rays: Vec<(Vec<u8>, u64)> = Vec::new();
    let by_colour = |board| {
        let of = cells.by_colour(board);
        (of[colour], of[1 - colour])
    };
    for line in lines {
        let ((run, none), (end, turned)) = (by_colour(line.fills), by_colour(line.full));
        let all = run | end;
        let is_run = none == 0 && turned == run && by_colour(line.clears) == (0, run);
        let is_ray = end.count_ones() == 1 && run & end == 0 && all >> from & 1 == 0;
        // On boards without squares of both colours, it says nothing that these cells are empty.
        let (own, other) = by_colour(line.empty);
        if !is_run || !is_ray || own & !run != 0 || other & !end != 0 {
            return None;
        }
        let end = end.trailing_zeros() as u8;
        match rays.iter_mut().find(|(_, of)| *of == run) {
            Some((ray, of)) => {
                ray.push(end);
                *of = all;
            }
            None if run.count_ones() == 1 => rays.push((vec![run.trailing_zeros() as u8, end], all)),
            None => return None,
        }
    }
    let mut rays: Vec<Vec<u8>> = rays.into_iter().map(|(ray, _)| ray).collect();
    rays.sort_unstable();
    Some(rays)
}

/// Whether players without another move pass; `None` if the modes are not those of the kind.
fn passes(modes: &[Role]) -> Option<bool> {
    let of = |mode: Mode| modes[usize::from(mode.0)];
    let passes = modes.iter().any(|role| role.passed.is_some());
    let is_sound = |role: &Role| {
        let next = of(role.next);
        let after_pass = role.passed.map(of);
        next.colour != role.colour
            && next.passed.is_some() == passes
            && after_pass.is_none_or(|it| it.colour != role.colour && it.passed.is_none())
    };
    modes.iter().all(is_sound).then_some(passes)
}

/// The squares that count at the end, and whether more pieces are better; `None` if something else decides.
fn counted(rules: &Rules, modes: &[Role], cells: &Cells) -> Option<(u64, bool)> {
    let mut found = None;
    for (number, role) in modes.iter().enumerate().filter(|(_, role)| role.passed.is_none()) {
        let Terminal::Most { own, other } = rules.terminal_in(Mode(number as u16)) else { return None };
        let counts = |own: Board, other: Board| {
            let (own, other) = (cells.by_colour(own), cells.by_colour(other));
            let is_fair = own[role.colour] == other[1 - role.colour];
            (is_fair && own[1 - role.colour] | other[role.colour] == 0).then_some(own[role.colour])
        };
        let this = match (counts(own, other), counts(other, own)) {
            (Some(squares), _) => (squares, true),
            (None, Some(squares)) => (squares, false),
            (None, None) => return None,
        };
        if *found.get_or_insert(this) != this {
            return None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::{game, grid};
    use super::*;
    use crate::rules::{End, Outcome, RulesSpec, Take};

    fn of(change: impl FnOnce(&mut RulesSpec)) -> Option<Kind> {
        let mut spec = game(&grid(3, 4), true, 0xfff, true);
        change(&mut spec);
        Kind::of(&spec.build().expect("sound rules"))
    }

    #[test]
    fn other_games_are_refused() {
        let kind = of(|_| {}).expect("a game of the kind");
        assert!(kind.passes && kind.more_is_better && kind.counted == 0xfff && kind.squares() == 12);
        let end = End { mode: Mode(0), pattern: Board::full(24), outcome: Outcome::Win.into(), empty: Board::EMPTY };
        let take = Take { lines: vec![Board::bit(0)], cells: Board::bit(1), guards: Vec::new() };
        let black: fn(&RulesSpec) -> Board = |it| it.moves[0].fills;
        assert!(of(|it| it.ends.push(end)).is_none(), "a pattern ends the game");
        assert!(of(|it| it.takes.push(take)).is_none(), "pieces are taken");
        assert!(of(|it| it.terminals[2] = Outcome::Loss.into()).is_none(), "the last mover wins");
        assert!(of(|it| it.terminals[3] = it.terminals[2]).is_none(), "one player wins ties of colours");
        assert!(of(|it| it.moves[0].next = Mode(3)).is_none(), "a move leads to a mode after a pass");
        assert!(of(|it| it.moves.truncate(it.moves.len() - 1)).is_none(), "a player has fewer squares");
        assert!(of(|it| it.lines[0].truncate(1)).is_none(), "a player has fewer lines");
        assert!(of(|it| it.moves[0].full = Board::bit(23)).is_none(), "a move needs another piece");
        assert!(of(|it| it.moves[0].empty = black(it)).is_none(), "pieces of both players on one square");
        assert!(of(|it| it.cells += 1).is_none(), "a cell without a partner");
    }

    #[test]
    fn ends_that_count_are_read() {
        let spec =
            |passes, counted, more| Kind::of(&game(&grid(3, 4), passes, counted, more).build().unwrap()).unwrap();
        let found = |kind: Kind| (kind.passes, kind.counted, kind.more_is_better);
        assert_eq!(found(spec(false, 0b1011, false)), (false, 0b1011, false));
        assert_eq!(found(spec(true, 0b1011, true)), (true, 0b1011, true));
    }
}
