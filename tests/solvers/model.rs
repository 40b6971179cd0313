//! Independent models of games: characters on a board and value iteration. Game and model agree on the outcome and plies
//! of every reachable position.

use std::collections::HashMap;

use tablegen::game::Game;
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Node, Outcome, Position};
use tablegen::solve::{Method, Options, Solution, solve};

/// The rows of the board, and the name of the mode.
pub(crate) type State = (Vec<Vec<char>>, String);

/// An offset in rows and columns, or a square.
pub(crate) type Step = (i32, i32);

pub(crate) const SIDES: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
pub(crate) const CORNERS: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

pub(crate) struct Model<'a> {
    /// The outcome of a player who cannot move.
    pub(crate) terminal: Outcome,
    /// The outcome for the player to move, if the game has ended.
    pub(crate) over: &'a dyn Fn(&State) -> Option<Outcome>,
    pub(crate) moves: &'a dyn Fn(&State) -> Vec<State>,
    /// The same player moves in both modes.
    pub(crate) again: fn(&str, &str) -> bool,
}

pub(crate) fn in_turn(_: &str, _: &str) -> bool {
    false
}

pub(crate) fn never(_: &State) -> Option<Outcome> {
    None
}

pub(crate) fn at(board: &[Vec<char>], (row, col): Step) -> Option<char> {
    board.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?).copied()
}

pub(crate) fn of(board: &[Vec<char>], stone: char) -> Vec<Step> {
    let all = (0..board.len()).flat_map(|row| (0..board[row].len()).map(move |col| (row as i32, col as i32)));
    all.filter(|&square| at(board, square) == Some(stone)).collect()
}

pub(crate) fn with(board: &[Vec<char>], changes: &[(Step, char)]) -> Vec<Vec<char>> {
    let mut board = board.to_vec();
    changes.iter().for_each(|&((row, col), stone)| board[row as usize][col as usize] = stone);
    board
}

pub(crate) const fn on((row, col): Step, (rows, cols): Step, times: i32) -> Step {
    (row + times * rows, col + times * cols)
}

pub(crate) fn solved(game: &dyn Game) -> Solution {
    let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    let roots = game.roots();
    // The solvers of reachable positions do not count pieces.
    let counts = game.rules().counts_pieces();
    let method = if counts { Method::Regions } else { Method::of_reachable(game.rules()) };
    solve(game.rules(), &Options { labels, roots: &roots, ..Options::of(method) }).unwrap()
}

pub(crate) fn start(game: &dyn Game) -> Position {
    let Node::At(start) = game.rules().start_node() else { panic!("no opening") };
    start
}

/// The characters of `node`.
pub(crate) fn state(game: &dyn Game, node: Node) -> State {
    let text = game.write(node);
    let (board, mode) = text.split_once(' ').unwrap_or((&text, ""));
    (board.split('/').map(|row| row.chars().collect()).collect(), mode.into())
}

/// Returns whether `board` has `length` marks in a line.
pub(crate) fn has_line(board: &[Vec<char>], mark: char, length: i32) -> bool {
    let ways = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let is_line = |from: Step, way: Step| (0..length).all(|far| at(board, on(from, way, far)) == Some(mark));
    of(board, mark).into_iter().any(|from| ways.iter().any(|&way| is_line(from, way)))
}

impl Model<'_> {
    /// Compares the library's game called `name` with this model on every position reachable from its start.
    pub(crate) fn agrees(&self, name: &str, set: &str) {
        self.agrees_on(&crate::common::library::game(name, set));
    }

    /// [`agrees`](Self::agrees), for any game.
    pub(crate) fn agrees_on(&self, game: &dyn Game) {
        let name = game.rules().name();
        let solution = solved(game);
        let values = self.values(game);
        // A solution by regions has every board, whether play reaches it or not.
        let is_every_board = game.rules().counts_pieces();
        assert!(is_every_board || solution.count() == values.len() as u64, "{name}: {}", solution.count());
        for ((board, mode), value) in values {
            let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
            let text = format!("{} {mode}", rows.join("/"));
            let text = text.trim_end();
            let place = game.read(text).unwrap_or_else(|e| panic!("{name}: {e}")).node;
            let Node::At(position) = place else { panic!("{name} has no opening") };
            let found = solution.value(position).unwrap_or_else(|| panic!("{name}: play reaches {text}"));
            let expected = value.map_or((Outcome::Draw, None), |(outcome, plies)| (outcome, Some(plies)));
            assert_eq!((found.outcome, found.remoteness()), expected, "{name} {text}");
            assert_eq!((found.repetition, game.write(place)), (value.is_none(), text.to_owned()));
        }
    }

    /// The outcome and the plies of each position that play reaches; `None` for a draw by repetition.
    pub(crate) fn values(&self, game: &dyn Game) -> HashMap<State, Option<(Outcome, u32)>> {
        let mut roots = vec![state(game, game.rules().start_node())];
        roots.extend(game.roots().into_iter().map(|root| state(game, root.into())));
        self.iterated(roots)
    }

    fn iterated(&self, roots: Vec<State>) -> HashMap<State, Option<(Outcome, u32)>> {
        let (mut numbers, mut all, mut replies) = (HashMap::new(), Vec::new(), Vec::<Vec<usize>>::new());
        let mut number = |all: &mut Vec<State>, state: State| {
            *numbers.entry(state.clone()).or_insert_with(|| {
                all.push(state);
                all.len() - 1
            })
        };
        roots.into_iter().for_each(|root| _ = number(&mut all, root));
        while let Some(state) = all.get(replies.len()).cloned() {
            let moves = if (self.over)(&state).is_some() { Vec::new() } else { (self.moves)(&state) };
            let moves = moves.into_iter().map(|reply| number(&mut all, reply)).collect();
            replies.push(moves);
        }
        let mut before = vec![Vec::new(); all.len()];
        for (at, replies) in replies.iter().enumerate() {
            replies.iter().for_each(|&reply| before[reply].push(at));
        }
        let mut values: Vec<Option<(Outcome, u32)>> = vec![None; all.len()];
        for draws in [false, true] {
            // A position is evaluated again when the value of one of its replies becomes known.
            let mut open: Vec<usize> = (0..all.len()).collect();
            while !open.is_empty() {
                let value = |at: usize| {
                    if replies[at].is_empty() {
                        return Some(((self.over)(&all[at]).unwrap_or(self.terminal), 0));
                    }
                    let after = replies[at].iter().map(|&reply| {
                        let turned = |it: Outcome| if (self.again)(&all[at].1, &all[reply].1) { it } else { it.flip() };
                        values[reply].map(|(outcome, plies)| (turned(outcome), plies + 1))
                    });
                    let known: Vec<(Outcome, u32)> = after.flatten().collect();
                    let wins = known.iter().filter(|value| value.0 == Outcome::Win).min();
                    wins.or(if known.len() == replies[at].len() { known.iter().max() } else { None }).copied()
                };
                let undecided = open.into_iter().filter(|&at| values[at].is_none());
                let found =
                    undecided.filter_map(|at| Some((at, value(at).filter(|it| draws || it.0 != Outcome::Draw)?)));
                let found: Vec<_> = found.collect();
                open = found.iter().flat_map(|(at, _)| &before[*at]).copied().collect();
                open.sort_unstable();
                open.dedup();
                found.into_iter().for_each(|(at, value)| values[at] = Some(value));
            }
        }
        all.into_iter().zip(values).collect()
    }
}
