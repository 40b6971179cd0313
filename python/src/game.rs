//! Rules of a built-in game, of a rules file, or written in Python.

use std::sync::OnceLock;

use pyo3::prelude::*;
use tablegen::engine::{self, View, json};
use tablegen::game::{Game, GameError, Notation, OnGrid, Parameters, grid_descriptor, notations_of, of_table};
use tablegen::label::LabelKind;
use tablegen::rules::{
    Board, Count, CountEnd, Descriptor, End, Line, MAX_MOVES, MOST_POINTS, Mode, Move, Outcome, Player, Position,
    Rules as Sound, RulesSpec, Start, Take, Terminal,
};
use tablegen::table::rules_hash;

use crate::errors::{InputError, of_engine};
use crate::position::{asked, named, node};

/// A line as a tuple: empty, full, fills, clears.
type LineTuple = (u128, u128, u128, u128);
/// A move as a tuple: mode, empty, full, fills, clears, next, the flag `otherwise`, its lines, the numbers of its condition and its
/// take, its gain, and the flag `again`. A tuple has at most twelve items.
type MoveTuple = (u16, u128, u128, u128, u128, u16, bool, Vec<LineTuple>, Option<u16>, Option<u16>, i64, bool);
/// A condition as a tuple: cells, least, most.
type CountTuple = (u128, u8, u8);
/// A take as a tuple: lines, cells, guards.
type TakeTuple = (Vec<u128>, u128, Vec<u128>);
/// An end by a number of pieces as a tuple: mode, condition, outcome.
type CountEndTuple = (u16, CountTuple, String);
/// The conditions, the takes, and the ends by numbers of pieces.
type CountsTuple = (Vec<CountTuple>, Vec<TakeTuple>, Vec<CountEndTuple>);
/// An end as a tuple: mode, pattern, what it is worth, and the cells that must be empty.
type EndTuple = (u16, u128, Worth, u128);
/// What happens in each mode: what a position without a move is worth, and the players to move; each may be empty.
type ByMode = (Vec<Worth>, Vec<String>);
/// What an end is worth to the player to move: the name of an outcome, the cells of that player and of the other player that are counted,
/// or a number of points.
#[derive(FromPyObject, IntoPyObject)]
enum Worth {
    Always(String),
    Most(u128, u128),
    Points(i64),
}

/// The start of play as a tuple: a flag that the first player chooses, and the positions.
type StartTuple = (bool, Vec<(u16, u128)>);

fn line((empty, full, fills, clears): LineTuple) -> Line {
    let [empty, full, fills, clears] = [empty, full, fills, clears].map(Board::from_number);
    Line { empty, full, fills, clears }
}

fn count((cells, least, most): CountTuple) -> Count {
    Count { cells: Board::from_number(cells), least, most }
}

const fn count_tuple(count: &Count) -> CountTuple {
    (count.cells.number(), count.least, count.most)
}

fn take((lines, cells, guards): TakeTuple) -> Take {
    let list = |of: Vec<u128>| of.into_iter().map(Board::from_number).collect();
    Take { lines: list(lines), cells: Board::from_number(cells), guards: list(guards) }
}

/// The rules of a game, with the descriptor of its notation.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct Rules {
    rules: Sound,
    descriptor: Descriptor,
    /// The notation, made on first use: that of a rules file takes milliseconds.
    notation: OnceLock<Box<dyn Game>>,
}

impl Rules {
    pub(crate) fn of(game: &dyn Game) -> Self {
        Self::new(game.rules().clone(), game.descriptor())
    }

    const fn new(rules: Sound, descriptor: Descriptor) -> Self {
        Self { rules, descriptor, notation: OnceLock::new() }
    }

    /// The game with its notation.
    fn notation(&self) -> &dyn Game {
        &**self.notation.get_or_init(|| self.game())
    }

    /// Makes the game from its rules and descriptor.
    pub(crate) fn game(&self) -> Box<dyn Game> {
        of_table(&self.rules, &self.descriptor)
    }
}

#[pymethods]
impl Rules {
    /// The game called `name`, either built in or a rules file of the library.
    #[staticmethod]
    fn named(py: Python<'_>, name: &str, parameters: Vec<(String, String)>) -> PyResult<Self> {
        py.detach(|| engine::game(name, &Parameters::from(parameters)).map(|game| Self::of(&*game))).map_err(of_engine)
    }

    /// The game of a rules file with this text. Errors call the file `name`.
    #[staticmethod]
    fn file(py: Python<'_>, text: &str, name: Option<&str>, parameters: Vec<(String, String)>) -> PyResult<Self> {
        let read = py.detach(|| engine::rules_file(text, &Parameters::from(parameters)).map(|game| Self::of(&game)));
        read.map_err(|error| match name {
            Some(name) => InputError::new_err(format!("{name}: {error}")),
            None => of_engine(error),
        })
    }

    /// The part of the game that is called `name`.
    fn part(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        py.detach(|| engine::part_of(self.game(), name).map(|game| Self::of(&*game))).map_err(of_engine)
    }

    /// Rules given as data. Without a name they are named after their hash.
    #[staticmethod]
    #[pyo3(signature = (name, cells, modes, moves, ends, terminal, by_mode, start, grid, counts, descriptor=None))]
    #[expect(clippy::too_many_arguments, reason = "the fields of rules")]
    fn own(
        name: Option<String>,
        cells: u32,
        modes: Vec<String>,
        moves: Vec<MoveTuple>,
        ends: Vec<EndTuple>,
        terminal: &str,
        by_mode: ByMode,
        start: StartTuple,
        grid: Option<(u32, u32)>,
        counts: CountsTuple,
        descriptor: Option<(String, Vec<(String, String)>)>,
    ) -> PyResult<Self> {
        if moves.len() > MAX_MOVES {
            return Err(InputError::new_err(format!("expected at most {MAX_MOVES} moves, found {}", moves.len())));
        }
        let position = |(mode, board): (u16, u128)| Position::new(Mode(mode), Board::from_number(board));
        let ends = ends.into_iter().map(|(mode, pattern, worth, empty)| {
            let [pattern, empty] = [pattern, empty].map(Board::from_number);
            Ok(End { mode: Mode(mode), pattern, outcome: of_worth(&worth)?, empty })
        });
        let (chooses, starts) = start;
        let mut lines: Vec<Vec<Line>> = Vec::new();
        // Moves with the same lines share a list.
        let mut list_of = |list: Vec<LineTuple>| -> PyResult<Option<u16>> {
            let list: Vec<Line> = list.into_iter().map(line).collect();
            if list.is_empty() {
                return Ok(None);
            }
            let number = lines.iter().position(|known| *known == list).unwrap_or_else(|| {
                lines.push(list);
                lines.len() - 1
            });
            let too_many = |_| InputError::new_err("expected at most 65,536 different lists of lines");
            u16::try_from(number).map(Some).map_err(too_many)
        };
        let moves: PyResult<Vec<Move>> = moves
            .into_iter()
            .map(|(mode, empty, full, fills, clears, next, otherwise, lines, when, takes, gain, again)| {
                let [empty, full, fills, clears] = [empty, full, fills, clears].map(Board::from_number);
                let (mode, next) = (Mode(mode), Mode(next));
                let (lines, gain) = (list_of(lines)?, points(gain)?);
                Ok(Move { mode, empty, full, fills, clears, next, otherwise, lines, when, takes, gain, again })
            })
            .collect();
        let moves = moves?;
        let (conditions, takes, count_ends) = counts;
        let count_ends = count_ends.into_iter().map(|(mode, condition, name)| {
            Ok(CountEnd { mode: Mode(mode), count: count(condition), outcome: outcome(&name)? })
        });
        let spec = RulesSpec {
            modes,
            moves,
            lines,
            counts: conditions.into_iter().map(count).collect(),
            takes: takes.into_iter().map(take).collect(),
            count_ends: count_ends.collect::<PyResult<_>>()?,
            ends: ends.collect::<PyResult<_>>()?,
            terminal: outcome(terminal)?,
            terminals: by_mode.0.iter().map(of_worth).collect::<PyResult<_>>()?,
            players: by_mode.1.iter().map(|name| player(name)).collect::<PyResult<_>>()?,
            start: match (chooses, starts.as_slice()) {
                (false, &[at]) => Start::At(position(at)),
                _ => Start::Opening(starts.into_iter().map(position).collect()),
            },
            ..RulesSpec::new(name.as_deref().unwrap_or("rules"), cells)
        };
        let sound = |spec: RulesSpec| spec.build().map_err(|error| of_engine(GameError::from(error)));
        let mut rules = sound(spec)?;
        if name.is_none() {
            let name = format!("rules-{}", &rules_hash(&rules)[..12]);
            rules = sound(RulesSpec { name, ..rules.into_spec() })?;
        }
        let descriptor = match (grid, descriptor) {
            (Some((rows, cols)), _) => {
                OnGrid::new(rules.clone(), rows, cols).map_err(of_engine)?;
                grid_descriptor(rows, cols)
            }
            (None, Some((family, parameters))) => Descriptor { family, parameters },
            (None, None) => Descriptor::default(),
        };
        Ok(Self::new(rules, descriptor))
    }

    #[getter]
    fn name(&self) -> &str {
        self.rules.name()
    }

    #[getter]
    fn cells(&self) -> u32 {
        self.rules.cells()
    }

    #[getter]
    fn modes(&self) -> Vec<String> {
        self.rules.modes().to_vec()
    }

    #[getter]
    fn moves(&self) -> Vec<MoveTuple> {
        self.rules
            .moves()
            .iter()
            .map(|m| {
                let (empty, full) = (m.empty.number(), m.full.number());
                let lines = m.lines.map_or(&[][..], |list| &self.rules.spec().lines[usize::from(list)]);
                let lines = lines.iter().map(|line| {
                    let [empty, full, fills, clears] =
                        [line.empty, line.full, line.fills, line.clears].map(Board::number);
                    (empty, full, fills, clears)
                });
                let (fills, clears) = (m.fills.number(), m.clears.number());
                let (lines, gain) = (lines.collect(), m.gain.into());
                (m.mode.0, empty, full, fills, clears, m.next.0, m.otherwise, lines, m.when, m.takes, gain, m.again)
            })
            .collect()
    }

    #[getter]
    fn ends(&self) -> Vec<EndTuple> {
        let tuple = |end: &End| (end.mode.0, end.pattern.number(), worth_of(end.outcome), end.empty.number());
        self.rules.ends().iter().map(tuple).collect()
    }

    #[getter]
    fn counts(&self) -> CountsTuple {
        let spec = self.rules.spec();
        let list = |of: &[Board]| of.iter().map(|cells| cells.number()).collect();
        let take = |it: &Take| (list(&it.lines), it.cells.number(), list(&it.guards));
        let end = |it: &CountEnd| (it.mode.0, count_tuple(&it.count), it.outcome.name().into());
        (
            spec.counts.iter().map(count_tuple).collect(),
            spec.takes.iter().map(take).collect(),
            spec.count_ends.iter().map(end).collect(),
        )
    }

    #[getter]
    fn terminal(&self) -> &'static str {
        self.rules.terminal().name()
    }

    #[getter]
    fn by_mode(&self) -> ByMode {
        let spec = self.rules.spec();
        let outcomes = spec.terminals.iter().copied().map(worth_of);
        let players = spec.players.iter().map(|player| PLAYERS[usize::from(*player == Player::Second)].into());
        (outcomes.collect(), players.collect())
    }

    /// The weights of the cells, in reading order, and of the modes; `None` if positions may repeat.
    #[getter]
    fn potential(&self) -> Option<(Vec<i32>, Vec<i32>)> {
        let potential = self.rules.potential()?;
        Some((potential.cells().iter().rev().copied().collect(), potential.modes().to_vec()))
    }

    #[getter]
    fn start(&self) -> StartTuple {
        let pair = |position: &Position| (position.mode.0, position.board.number());
        match self.rules.start() {
            Start::At(position) => (false, vec![pair(position)]),
            Start::Opening(choices) => (true, choices.iter().map(pair).collect()),
        }
    }

    /// The family and the parameters.
    #[getter]
    fn descriptor(&self) -> (String, Vec<(String, String)>) {
        (self.descriptor.family.clone(), self.descriptor.parameters.clone())
    }

    /// The labels that are defined in the game.
    #[getter]
    fn labels(&self) -> Vec<&'static str> {
        self.notation().labels().iter().map(LabelKind::name).collect()
    }

    #[getter]
    fn hash(&self) -> String {
        rules_hash(&self.rules)
    }

    /// The names of the notations in which positions are read and written, beside the game's own one.
    #[getter]
    fn notations(&self) -> Vec<&'static str> {
        let game = self.notation();
        // A game that answers texts itself has more positions than its rules.
        if game.off_table().is_some() { Vec::new() } else { notations_of(game).map(Notation::name).collect() }
    }

    /// The text of a position: the canonical one, or that in a notation.
    fn text(&self, position: &Bound<'_, PyAny>, notation: Option<&str>) -> PyResult<String> {
        let game = self.notation();
        let asked = asked(game, position)?;
        if let Some(name) = notation {
            let wrong = || format!("notation: expected one of {}, found {name:?}", Notation::NAMES.join(", "));
            let notation = Notation::named(name).ok_or_else(|| InputError::new_err(wrong()))?;
            return asked.text_in(game, notation).map_err(|error| InputError::new_err(error.to_string()));
        }
        let view = View::of(game, &asked).map_err(of_engine)?;
        Ok(view.position)
    }

    /// The mode (if there are several) and the board of a position of the rules.
    fn position(&self, position: &Bound<'_, PyAny>) -> PyResult<(Option<String>, u128)> {
        let game = self.notation();
        let (mode, board) = named(&self.rules, node(game, position)?);
        Ok((mode.map(str::to_owned), board))
    }

    /// The mode and the board after each move from a position, in the game's order; empty if the game is over.
    fn replies(&self, position: &Bound<'_, PyAny>) -> PyResult<Vec<(Option<String>, u128)>> {
        let game = self.notation();
        let node = node(game, position)?;
        let pair = |to: Position| {
            let (mode, board) = named(&self.rules, to.into());
            (mode.map(str::to_owned), board)
        };
        Ok(self.rules.replies(node).into_iter().map(pair).collect())
    }

    /// A drawing of the board.
    fn draw(&self, position: &Bound<'_, PyAny>) -> PyResult<String> {
        let game = self.notation();
        Ok(match asked(game, position)? {
            engine::Asked::Node(reading) => {
                reading.drawn.map_or_else(|| game.draw(reading.node), |drawn| drawn.text(false).to_owned())
            }
            engine::Asked::Text(text) => text.unwrap_or_else(|| game.write(game.rules().start_node())),
        })
    }

    /// The layout of a position for drawing, as JSON.
    fn view(&self, position: &Bound<'_, PyAny>) -> PyResult<String> {
        let game = self.notation();
        let view = View::of(game, &asked(game, position)?).map_err(of_engine)?;
        Ok(json::view(game, &view).to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            (&self.rules, &self.descriptor) == (&other.rules, &other.descriptor)
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        BuildHasherDefault::<DefaultHasher>::default().hash_one((self.rules.name(), &self.descriptor))
    }
}

/// The outcome called `name`.
fn outcome(name: &str) -> PyResult<Outcome> {
    let found = Outcome::BEST_FIRST.into_iter().find(|outcome| outcome.name() == name);
    found.ok_or_else(|| InputError::new_err(format!("expected win, draw or loss, found {name:?}")))
}

fn of_worth(worth: &Worth) -> PyResult<Terminal> {
    Ok(match worth {
        Worth::Always(name) => Terminal::Always(outcome(name)?),
        &Worth::Most(own, other) => Terminal::Most { own: Board::from_number(own), other: Board::from_number(other) },
        &Worth::Points(number) => Terminal::Points(points(number)?),
    })
}

fn worth_of(terminal: Terminal) -> Worth {
    match terminal {
        Terminal::Always(outcome) => Worth::Always(outcome.name().into()),
        Terminal::Most { own, other } => Worth::Most(own.number(), other.number()),
        Terminal::Points(points) => Worth::Points(points.into()),
    }
}

/// A number of points of a move or of an end. The rules allow fewer.
fn points(number: i64) -> PyResult<i16> {
    let wrong =
        |_| InputError::new_err(format!("expected from -{MOST_POINTS} to {MOST_POINTS} points, found {number}"));
    number.try_into().map_err(wrong)
}

/// The names of the players.
const PLAYERS: [&str; 2] = ["first", "second"];

/// The player called `name`.
fn player(name: &str) -> PyResult<Player> {
    match PLAYERS.iter().position(|player| *player == name) {
        Some(0) => Ok(Player::First),
        Some(_) => Ok(Player::Second),
        None => Err(InputError::new_err(format!("expected first or second, found {name:?}"))),
    }
}

/// The labels called `names`.
pub(crate) fn labels(names: Vec<String>) -> PyResult<tablegen::label::LabelSet> {
    names.iter().map(|name| label(name)).collect()
}

/// The label called `name`.
pub(crate) fn label(name: &str) -> PyResult<LabelKind> {
    name.parse().map_err(|error: tablegen::label::UnknownLabel| InputError::new_err(error.to_string()))
}
