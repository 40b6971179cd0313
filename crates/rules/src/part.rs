//! Rules that are a part of others: some of their modes, which play does not leave.
//!
//! A table of the modes in which men move answers for the whole game of mills as well. Modes are matched by name.

use super::{Board, CountEnd, End, Line, Mode, Move, Position, Rules, Take};

/// How the positions of a game lie in a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// For each mode of the game, the mode of the part.
    modes: Vec<Option<Mode>>,
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
        fits.then_some(Self { modes })
    }

    /// The same position in the part; `None` if the part lacks its mode.
    #[must_use]
    #[inline]
    pub fn position(&self, position: Position) -> Option<Position> {
        self.modes[usize::from(position.mode.0)].map(|mode| Position::new(mode, position.board))
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
    use crate::{Count, Outcome, RulesSpec};

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
            ends: vec![End { mode, pattern: Board::full(3), outcome: Outcome::Loss, empty: Board::EMPTY }],
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
            |it| it.ends[0].outcome = Outcome::Draw,
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
