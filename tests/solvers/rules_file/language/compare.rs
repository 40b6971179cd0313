//! A game and the model side by side: starts, ends, moves and outcomes of every position that play reaches.

use std::collections::{BTreeSet, HashMap};

use super::board::Board;
use super::ends::Over;
use super::file::{Act, File, Layout, Start, Turns};
use super::moves::{Reply, State};
use tablegen::game::{FileGame, Game, Parameters};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Node, Outcome, Position};
use tablegen::solve::{Method, Options, SolveError, solve};

/// What one file contributed.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) positions: usize,
    /// Positions whose outcome a solver gave as well.
    pub(super) solved: usize,
}

/// The positions that play reaches in the model.
struct Reached {
    states: Vec<State>,
    /// The outcome and the points of a position where the game is over.
    over: Vec<Option<Over>>,
    /// The positions after each move.
    replies: Vec<Vec<Reply<usize>>>,
}

impl File {
    fn write(&self, (board, mode): &State) -> String {
        let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), self.turns.name(*mode)).trim_end().to_owned()
    }

    /// The positions before the first move, and whether they are the choices of an opening.
    fn begins(&self) -> (Vec<State>, bool) {
        let modes = |mode: Option<usize>| match (mode, &self.turns) {
            (_, Turns::Swap(_)) => vec![2],
            (Some(mode), _) => vec![mode],
            (None, Turns::Sides) => vec![0, 1],
            (None, _) => vec![0],
        };
        let with = |board: &Board, mode: Option<usize>| -> Vec<State> {
            modes(mode).into_iter().map(|mode| (board.clone(), mode)).collect()
        };
        match &self.starts[..] {
            [] => (with(&self.squares.free(), None), false),
            starts => (starts.iter().flat_map(|start| with(&start.board, start.mode)).collect(), starts.len() > 1),
        }
    }

    /// Plays from `roots`; `None` if there are more than `most` positions.
    fn reached(&self, roots: Vec<State>, most: usize) -> Option<Reached> {
        let mut numbers: HashMap<State, usize> = HashMap::new();
        let mut found = Reached { states: Vec::new(), over: Vec::new(), replies: Vec::new() };
        let mut number = |states: &mut Vec<State>, state: State| {
            *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            })
        };
        for root in roots {
            number(&mut found.states, root);
        }
        while let Some(state) = found.states.get(found.replies.len()).cloned() {
            let ended = self.ended(&state);
            let moves = if ended.is_some() { BTreeSet::new() } else { self.moves(&state) };
            found.over.push(ended.or_else(|| moves.is_empty().then(|| self.stuck(&state))));
            let after = moves.into_iter().map(|(state, turns, gain)| (number(&mut found.states, state), turns, gain));
            found.replies.push(after.collect());
            if found.states.len() > most {
                return None;
            }
        }
        Some(found)
    }
}

impl Reached {
    /// The outcome of each position for the player to move; a position that nobody can bring to an end is a draw.
    fn outcomes(&self) -> Vec<Outcome> {
        let mut known: Vec<Option<Outcome>> = self.over.iter().map(|over| over.map(|(outcome, _)| outcome)).collect();
        // First only wins and losses, then forced draws: what remains open repeats.
        loop {
            let mut has_changed = false;
            for at in (0..self.states.len()).rev() {
                if known[at].is_some() {
                    continue;
                }
                let turned = |&(to, turns, _): &Reply<usize>| known[to].map(|it| if turns { it.flip() } else { it });
                let replies: Vec<Option<Outcome>> = self.replies[at].iter().map(turned).collect();
                known[at] = if replies.contains(&Some(Outcome::Win)) {
                    Some(Outcome::Win)
                } else {
                    replies.iter().copied().collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max())
                };
                has_changed |= known[at].is_some();
            }
            if !has_changed {
                return known.into_iter().map(|it| it.unwrap_or(Outcome::Draw)).collect();
            }
        }
    }
}

impl Reached {
    /// The most points that the player to move still gets, in a game in which no position repeats.
    fn scores(&self) -> Vec<i32> {
        let mut known: Vec<Option<i32>> = self.over.iter().map(|over| over.map(|(_, points)| points)).collect();
        while known.contains(&None) {
            for at in (0..self.states.len()).rev().filter(|&at| self.over[at].is_none()) {
                let worth =
                    |&(to, turns, gain): &Reply<usize>| Some(gain + if turns { -known[to]? } else { known[to]? });
                let all: Option<Vec<i32>> = self.replies[at].iter().map(worth).collect();
                known[at] = all.and_then(|all| all.into_iter().max());
            }
        }
        known.into_iter().flatten().collect()
    }
}

/// Whether the reader takes the file: the game, or the error.
pub(super) fn read(file: &File) -> Result<FileGame, String> {
    FileGame::read(&file.text(), &Parameters::new()).map_err(|error| error.to_string())
}

/// Compares `game` with the model of `file` from its start and from `boards`. An error says where they differ.
pub(super) fn compare(file: &File, game: &FileGame, boards: &[State], most: usize) -> Result<Compared, String> {
    let rules = game.rules();
    let texts = |positions: &[Position]| -> BTreeSet<String> {
        positions.iter().map(|&position| game.write(Node::At(position))).collect()
    };
    let differ = |what: &str, at: &str, model: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
        Err(format!("{}\n{at}: {what}\n  model: {model:?}\n  game:  {found:?}", file.text()))
    };
    let (begins, is_opening) = file.begins();
    let expected: BTreeSet<String> = begins.iter().map(|state| file.write(state)).collect();
    let found = match game.rules().start_node() {
        Node::Opening => game.rules().replies(Node::Opening),
        Node::At(start) => Some(game.roots()).filter(|roots| !roots.is_empty()).unwrap_or_else(|| vec![start]),
    };
    if is_opening != (rules.start_node() == Node::Opening) || texts(&found) != expected {
        return differ("starts", "start", &expected, &texts(&found));
    }
    // A game may refuse positions that play cannot reach: blocked squares that nothing blocks, lines in the air, and heaps with
    // gaps.
    let takes = file.moves.iter().any(|table| matches!(table.act, Act::Take(..)));
    let may_refuse = |board: &Board| {
        let is_picture = matches!(file.squares.layout, Layout::Between(_));
        let has_gap = board.iter().any(|row| row.windows(2).any(|pair| pair == ['X', '.']));
        is_picture || takes && has_gap || board.iter().flatten().any(|&sign| sign == '*')
    };
    let boards: Vec<State> =
        boards.iter().filter(|state| !may_refuse(&state.0) || game.read(&file.write(state)).is_ok()).cloned().collect();
    let roots: Vec<State> = begins.iter().chain(&boards).cloned().collect();
    let all = file.reached(roots, most);
    let is_whole = all.is_some();
    // Without all positions, those of the roots are compared.
    let Some(reached) = all.or_else(|| file.reached(boards, most)) else {
        return Ok(Compared::default());
    };
    let mut positions = Vec::new();
    for (at, state) in reached.states.iter().enumerate() {
        let text = file.write(state);
        let position = match game.read(&text).map(|reading| reading.node) {
            Ok(Node::At(position)) => position,
            other => return differ("position", &text, &text, &other),
        };
        positions.push(position);
        if game.write(Node::At(position)) != text {
            return differ("text", &text, &text, &game.write(Node::At(position)));
        }
        let after = rules.choices(Node::At(position));
        let expected: BTreeSet<Reply<String>> = reached.replies[at]
            .iter()
            .map(|&(to, turns, gain)| (file.write(&reached.states[to]), turns, gain))
            .collect();
        let replies = after.iter().map(|step| (game.write(Node::At(step.to)), !step.again, step.gain.into()));
        let replies: BTreeSet<Reply<String>> = replies.collect();
        if replies != expected {
            return differ("positions after a move", &text, &expected, &replies);
        }
        let stuck = || after.is_empty().then(|| rules.terminal_in(position.mode).at(position.board));
        let over = rules.ending(position).or_else(stuck).map(|ending| (ending.outcome, ending.points.into()));
        if over != reached.over[at] {
            return differ("outcome without a move", &text, &reached.over[at], &over);
        }
    }
    // Without its turn, a position that play reaches from a start with a known side is refused, or means the same.
    if let (Turns::Sides | Turns::Swap(_), [Start { mode: Some(_), .. }]) = (&file.turns, &file.starts[..])
        && let Some(played) = file.reached(begins, most)
    {
        for state in &played.states {
            let text = file.write(state);
            let rows = text.split(' ').next().unwrap_or_default();
            if let Ok(reading) = game.read(rows)
                && game.write(reading.node) != text
            {
                return differ("position without its turn", rows, &text, &game.write(reading.node));
            }
        }
    }
    let mut compared = Compared { positions: positions.len(), solved: 0 };
    if !is_whole {
        return Ok(compared);
    }
    let has_score = LabelKind::Score.undefined_by(rules).is_none();
    if rules.has_gains() && !has_score {
        // Positions may repeat.
        return Ok(compared);
    }
    let scores = if has_score { reached.scores() } else { Vec::new() };
    let labels = if has_score { LabelSet::OUTCOME.with(LabelKind::Score) } else { LabelSet::OUTCOME };
    let options = Options { roots: &positions, labels, ..Options::of(Method::of_reachable(rules)) };
    match solve(rules, &options) {
        Ok(solution) => {
            for (at, &expected) in scores.iter().enumerate() {
                let found = solution.value(positions[at]).and_then(|value| value.score());
                if found != Some(expected) {
                    return differ("score", &file.write(&reached.states[at]), &expected, &found);
                }
            }
            let of_score = |&score: &i32| Outcome::of_points(score);
            // Without scores, nothing is gained.
            let outcomes = if has_score { scores.iter().map(of_score).collect() } else { reached.outcomes() };
            for (at, outcome) in outcomes.into_iter().enumerate() {
                if solution.outcome(positions[at]) != Some(outcome) {
                    let text = file.write(&reached.states[at]);
                    return differ("outcome", &text, &outcome, &solution.outcome(positions[at]));
                }
            }
            compared.solved = positions.len();
        }
        Err(SolveError::Lines { .. } | SolveError::TooLong { .. } | SolveError::TooWide { .. }) => {}
        Err(error) => return differ("solver", "all", &"an answer", &error),
    }
    Ok(compared)
}
