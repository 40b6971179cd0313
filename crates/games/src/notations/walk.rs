//! Lines of play from the start: followed move by move, and found for a position.

use std::collections::{HashMap, HashSet, VecDeque};

use super::find::{FoundMove, NamedMove, Prefix, find_move};
use crate::error::Fault;
use crate::rules::{Node, Position, Step};
use crate::{Game, Reading};

/// The name of a move that changes no square.
pub(super) const PASS: &str = "pass";

/// The most positions that are looked at to find a line of play.
const MOST_SEEN: usize = 2_000;

/// A line of play from the start.
pub(super) struct Walk<'g> {
    game: &'g dyn Game,
    node: Node,
    lead: i32,
    /// The player to move: 0 for the one who began.
    mover: usize,
    /// The names of the moves so far.
    line: Vec<String>,
    /// The number of moves since the last one that was named.
    passes: usize,
    /// The moves from the node, each with its text.
    choices: Vec<(Step, String)>,
}

impl<'g> Walk<'g> {
    pub(super) fn begin(game: &'g dyn Game) -> Self {
        let node = game.rules().start_node();
        Self { game, node, lead: 0, mover: 0, line: Vec::new(), passes: 0, choices: choices(game, node) }
    }

    pub(super) const fn node(&self) -> Node {
        self.node
    }

    /// The number of moves so far.
    pub(super) const fn plies(&self) -> usize {
        self.line.len()
    }

    pub(super) fn choices(&self) -> &[(Step, String)] {
        &self.choices
    }

    /// Makes the move with this number.
    pub(super) fn choose(&mut self, number: usize) {
        self.passes = 0;
        self.make(number);
    }

    fn make(&mut self, number: usize) {
        let (Step { to, gain, again }, text) = self.choices.swap_remove(number);
        self.lead += i32::from(gain);
        if !again {
            (self.lead, self.mover) = (-self.lead, 1 - self.mover);
        }
        self.node = to.into();
        self.line.push(text);
        self.choices = choices(self.game, self.node);
    }

    /// Makes the only move, if it is a pass. A pass in each mode leads nowhere, so no more of them are made.
    pub(super) fn pass(&mut self) -> bool {
        let is_pass = matches!(&self.choices[..], [(_, text)] if text == PASS);
        let goes_on = is_pass && self.passes < self.game.rules().modes().len();
        if goes_on {
            self.passes += 1;
            self.make(0);
        }
        goes_on
    }

    /// The number of the move that `typed` names.
    pub(super) fn named(&self, typed: &str) -> Option<usize> {
        let moves: Vec<NamedMove<'_>> = self.choices.iter().map(|(_, text)| NamedMove { text, position: "" }).collect();
        match find_move(self.game, &moves, typed, Prefix::Whole) {
            FoundMove::One(number) => Some(number),
            FoundMove::Several(..) | FoundMove::None => None,
        }
    }

    /// The fault that the next move is not `found`.
    pub(super) fn fault(&self, found: &str) -> Fault {
        let expected = match self.choices.len() {
            0 => format!("no more than {} moves, which end the game", self.plies()),
            1 => format!("the only move {} as move {}", self.choices[0].1, self.plies() + 1),
            count => format!("one of {count} moves, such as {}, as move {}", self.choices[0].1, self.plies() + 1),
        };
        Fault::new(expected, format!("{found:?}"))
    }

    pub(super) fn reading(self) -> Reading {
        let mover = self.game.named_players().map(|_| self.mover);
        let lead = if self.game.rules().counts_points() { self.lead } else { 0 };
        Reading { lead, mover, line: self.line, ..self.node.into() }
    }
}

/// The moves from `node` with their texts. Moves to one position are one move.
fn choices(game: &dyn Game, node: Node) -> Vec<(Step, String)> {
    let mut seen = HashSet::new();
    let steps = game.rules().choices(node).into_iter().filter(|step| seen.insert(step.to));
    steps.map(|step| (step, game.write_move(node, step.to))).collect()
}

/// The positions of a line of play from the start to `node`, the start first. `None` if none is found with little work.
pub(super) fn line_to(game: &dyn Game, node: Node) -> Option<Vec<Position>> {
    let (Node::At(start), Node::At(target)) = (game.rules().start_node(), node) else { return None };
    // Where moves only fill cells, a line never leaves the cells of its last position, and the deepest position comes first.
    let fills = !game.rules().clears();
    let mut before: HashMap<Position, Position> = HashMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(at) = if fills { open.pop_back() } else { open.pop_front() } {
        if at == target {
            let mut line: Vec<Position> = std::iter::successors(Some(at), |at| before.get(at).copied()).collect();
            line.reverse();
            return Some(line);
        }
        for to in game.rules().replies(at.into()).into_iter().rev() {
            let leads_there = !fills || target.board.contains(to.board);
            if leads_there && to != start && !before.contains_key(&to) && before.len() < MOST_SEEN {
                before.insert(to, at);
                open.push_back(to);
            }
        }
    }
    None
}

/// The texts of the moves of a line of play from the start to `node`. `None` if none is found with little work, or the line is empty.
pub(super) fn moves_to(game: &dyn Game, node: Node) -> Option<Vec<String>> {
    let line = line_to(game, node)?;
    let moves: Vec<String> = line.windows(2).map(|pair| game.write_move(pair[0].into(), pair[1])).collect();
    if moves.is_empty() { None } else { Some(moves) }
}
