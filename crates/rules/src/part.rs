//! Rules that are a part of others: some of their modes, which play does not leave.
//!
//! A table of the modes in which men move answers for the whole game of mills as well. Modes are matched by name.

use std::collections::HashMap;

use super::{Board, CountEnd, End, Line, Mode, Move, Position, Rules, RulesError, RulesSpec, Start, Take, Terminal};

/// How the positions of a game lie in a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// For each mode of the game, the mode of the part.
    modes: Vec<Option<Mode>>,
    /// For each mode of the part, the mode of the game.
    whole: Vec<Mode>,
}

impl Rules {
    /// The rules called `name` with some `modes` of these rules, in that order. Play begins with the choice of one of `starts`, positions of
    /// these rules. Symmetries are left out.
    ///
    /// # Errors
    /// If play leaves `modes`, or the rules are not sound: without modes or `starts`, for instance.
    pub fn part(&self, name: String, modes: &[Mode], starts: &[Position]) -> Result<Self, RulesError> {
        let spec = self.spec();
        let number = |mode: Mode| modes.iter().position(|&known| known == mode).map(|number| Mode(number as u16));
        let (mut counts, mut takes, mut lines) = (Used::default(), Used::default(), Used::default());
        let mut moves = Vec::new();
        for (index, m) in self.moves().iter().enumerate() {
            let Some(mode) = number(m.mode) else { continue };
            let Some(next) = number(m.next) else { return Err(RulesError::LeavesPart { index, next: m.next }) };
            moves.push(Move {
                mode,
                next,
                lines: m.lines.map(|at| lines.number(at)),
                when: m.when.map(|at| counts.number(at)),
                takes: m.takes.map(|at| takes.number(at)),
                ..*m
            });
        }
        let in_part = |position: &Position| Some(Position::new(number(position.mode)?, position.board));
        let terminals: Vec<Terminal> = modes.iter().map(|&mode| self.terminal_in(mode)).collect();
        let ends = self.ends().iter().filter_map(|end| Some(End { mode: number(end.mode)?, ..*end }));
        let count_ends = spec.count_ends.iter().filter_map(|end| Some(CountEnd { mode: number(end.mode)?, ..*end }));
        RulesSpec {
            modes: modes.iter().map(|mode| self.modes()[usize::from(mode.0)].clone()).collect(),
            moves,
            lines: lines.of(&spec.lines),
            counts: counts.of(&spec.counts),
            takes: takes.of(&spec.takes),
            count_ends: count_ends.collect(),
            ends: ends.collect(),
            terminal: spec.terminal,
            terminals: if spec.terminals.is_empty() { Vec::new() } else { terminals },
            players: modes.iter().filter_map(|&mode| self.player(mode)).collect(),
            start: Start::Opening(starts.iter().filter_map(in_part).collect()),
            ..RulesSpec::new(name, self.cells())
        }
        .build()
    }
}

/// The items of a list that a part uses, in the order of their first use.
#[derive(Default)]
struct Used {
    items: Vec<u16>,
    numbers: HashMap<u16, u16>,
}

impl Used {
    /// The number of item `at` in the part.
    fn number(&mut self, at: u16) -> u16 {
        *self.numbers.entry(at).or_insert_with(|| {
            self.items.push(at);
            (self.items.len() - 1) as u16
        })
    }

    /// The used items of `list`.
    fn of<T: Clone>(&self, list: &[T]) -> Vec<T> {
        self.items.iter().map(|&at| list[usize::from(at)].clone()).collect()
    }
}

/// A move, and what it names by numbers.
type Whole = (Move, Vec<Line>, Option<super::Count>, Option<Take>);

impl Part {
    /// Returns how positions of `rules` lie in `part`; `None` if `part` has other cells, a mode that `rules` lack, or other play in one of
    /// its modes. Starts and the order of moves may differ.
    #[must_use]
    pub fn of(rules: &Rules, part: &Rules) -> Option<Self> {
        let by_name = |name: &String| rules.modes().iter().position(|mode| mode == name).map(|at| Mode(at as u16));
        let whole: Vec<Mode> = part.modes().iter().map(by_name).collect::<Option<_>>()?;
        let mut modes = vec![None; rules.modes().len()];
        for (number, mode) in (0..).map(Mode).zip(&whole) {
            modes[usize::from(mode.0)] = Some(number);
        }
        let same = |number: u16| {
            let (mode, of) = (Mode(number), whole[usize::from(number)]);
            let ends = |rules: &Rules, mode| -> Vec<End> {
                rules.ends_of(mode).iter().map(|end| End { mode: Mode(0), ..*end }).collect()
            };
            let counted = |rules: &Rules, mode| -> Vec<CountEnd> {
                let ends = rules.spec().count_ends.iter().filter(|end| end.mode == mode);
                ends.map(|end| CountEnd { mode: Mode(0), ..*end }).collect()
            };
            let moved = |next: Mode| Some(whole[usize::from(next.0)]);
            sorted(part, mode, moved) == sorted(rules, of, Some)
                && ends(part, mode) == ends(rules, of)
                && counted(part, mode) == counted(rules, of)
                && part.terminal_in(mode) == rules.terminal_in(of)
                && part.player(mode) == rules.player(of)
        };
        let fits = rules.cells() == part.cells() && (0..part.modes().len() as u16).all(same);
        fits.then_some(Self { modes, whole })
    }

    /// The position of the whole game that is `position` in the part.
    #[must_use]
    #[inline]
    pub fn whole(&self, position: Position) -> Position {
        Position::new(self.whole[usize::from(position.mode.0)], position.board)
    }

    /// The mode of the part that is `mode` in the whole game; `None` if the part lacks it.
    #[must_use]
    #[inline]
    pub fn mode(&self, mode: Mode) -> Option<Mode> {
        self.modes[usize::from(mode.0)]
    }

    /// The same position in the part; `None` if the part lacks its mode.
    #[must_use]
    #[inline]
    pub fn position(&self, position: Position) -> Option<Position> {
        self.mode(position.mode).map(|mode| Position::new(mode, position.board))
    }
}

/// The moves of `mode` with what they name, in order of their values, where `to` finds the next mode.
fn sorted(rules: &Rules, mode: Mode, to: impl Fn(Mode) -> Option<Mode>) -> Option<Vec<Whole>> {
    let spec = rules.spec();
    let whole = |m: &Move| {
        let (when, take) = (m.when.map(|at| spec.counts[usize::from(at)]), spec.take_of(m));
        let take = take.map(|take| take.moved(|cells: Board| cells));
        let plain = Move { mode: Mode(0), next: to(m.next)?, lines: None, when: None, takes: None, ..*m };
        Some((plain, spec.lines_of(m).to_vec(), when, take))
    };
    let mut moves: Vec<Whole> = rules.moves_of(mode).iter().map(whole).collect::<Option<_>>()?;
    moves.sort_unstable();
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Count, Outcome, Player, RulesSpec};

    /// Pieces are put in mode `hand`, and then step in mode `board`. With `all`, the rules have both modes.
    fn rules(all: bool, change: impl Fn(&mut RulesSpec)) -> Rules {
        let mode = Mode(u16::from(all));
        let step = Move {
            mode,
            next: mode,
            full: Board::bit(0),
            clears: Board::bit(0),
            when: Some(0),
            takes: Some(0),
            ..Move::fill(Board::bit(1))
        };
        let put = Move { next: Mode(1), ..Move::fill(Board::bit(0)) };
        let take = Take { lines: vec![Board::bit(1)], cells: Board::bit(2), guards: Vec::new() };
        let mut spec = RulesSpec {
            modes: if all { vec!["hand".into(), "board".into()] } else { vec!["board".into()] },
            moves: if all { vec![step, put] } else { vec![step] },
            counts: vec![Count { cells: Board::full(3), least: 1, most: 2 }],
            takes: vec![take],
            ends: vec![End { mode, pattern: Board::full(3), outcome: Outcome::Loss.into(), empty: Board::EMPTY }],
            ..RulesSpec::new("game", 3)
        };
        change(&mut spec);
        spec.build().unwrap()
    }

    #[test]
    fn positions_of_shared_modes_are_the_same() {
        let part = Part::of(&rules(true, |_| ()), &rules(false, |_| ())).unwrap();
        let at = |mode| Position::new(Mode(mode), Board::bit(1));
        assert_eq!([0, 1].map(|mode| part.position(at(mode))), [None, Some(at(0))]);
        assert_eq!(part.whole(at(0)), at(1));
    }

    #[test]
    fn a_part_has_some_modes_and_what_they_name() {
        let whole = rules(true, |it| {
            // The item that the part does not use comes first.
            it.counts.insert(0, Count { cells: Board::full(2), least: 0, most: 0 });
            (it.moves[0].when, it.moves[1].when) = (Some(1), Some(0));
            it.players = vec![Player::First, Player::Second];
        });
        let start = Position::new(Mode(1), Board::bit(0));
        let part = whole.part("game.board".into(), &[Mode(1)], &[start]).unwrap();
        assert_eq!(part.start(), &Start::Opening(vec![Position::of(Board::bit(0))]));
        assert_eq!((part.spec().counts.len(), part.moves().len(), part.modes().len()), (1, 1, 1));
        assert!(Part::of(&whole, &part).is_some());
        let left = whole.part("game.hand".into(), &[Mode(0)], &[Position::default()]);
        assert_eq!(left.unwrap_err(), RulesError::LeavesPart { index: 1, next: Mode(1) });
        assert!(whole.part("game.none".into(), &[Mode(1)], &[]).is_err());
    }

    #[test]
    fn other_play_is_no_part() {
        let changes: [fn(&mut RulesSpec); 9] = [
            |it| it.cells = 4,
            |it| it.modes[0] = "other".into(),
            |it| it.moves[0].when = None,
            |it| it.counts[0].most = 3,
            |it| it.takes[0].guards.push(Board::bit(2)),
            |it| it.moves.clear(),
            |it| it.ends[0].outcome = Outcome::Draw.into(),
            |it| it.terminal = Outcome::Win,
            |it| it.moves.push(Move::fill(Board::bit(2))),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert_eq!(Part::of(&rules(true, |_| ()), &rules(false, change)), None, "{number}");
        }
        // A game that leaves its part cannot be one.
        assert_eq!(Part::of(&rules(false, |_| ()), &rules(true, |_| ())), None);
    }
}
