//! Rules as masks of a board, and the head of a certificate.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::{Lines, Proof};

/// A mode, and a board with one bit for each cell.
pub(crate) type Position = (u16, u128);

/// The outcome for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Outcome {
    Win,
    Draw,
    Loss,
}

/// The outcome of a player without a move: who has more cells wins, of the mover's and of the other's; the first field if both have
/// equally many, as on rules without such cells.
type Stuck = (Outcome, u128, u128);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Move {
    pub(crate) next: u16,
    pub(crate) empty: u128,
    pub(crate) full: u128,
    pub(crate) fills: u128,
    pub(crate) clears: u128,
    /// Legal only if no move without this flag is.
    pub(crate) otherwise: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) cells: u32,
    /// The moves of each mode.
    pub(crate) moves: Vec<Vec<Move>>,
    /// The patterns that end the game in each mode; the first that matches decides.
    pub(crate) ends: Vec<Vec<(u128, Outcome)>>,
    /// The outcome of a player without a move, in each mode.
    pub(crate) stuck: Vec<Stuck>,
    /// The player to move in each mode; empty if the players take turns.
    pub(crate) players: Vec<u8>,
    /// Images of modes, and of bits.
    symmetries: Vec<[Vec<usize>; 2]>,
    /// Weights of modes, and of bits.
    weights: Option<[Vec<i32>; 2]>,
}

impl Rules {
    pub(crate) fn new(cells: u32, stuck: Vec<Outcome>) -> Self {
        let (modes, stuck) = (stuck.len(), stuck.into_iter().map(|it| (it, 0, 0)).collect());
        Self { cells, moves: vec![Vec::new(); modes], ends: vec![Vec::new(); modes], stuck, ..Self::default() }
    }

    pub(crate) fn has(&self, (mode, board): Position) -> bool {
        usize::from(mode) < self.stuck.len() && (self.cells == 128 || board >> self.cells == 0)
    }

    /// The positions after each move.
    pub(crate) fn moves(&self, (mode, board): Position) -> Vec<Position> {
        let legal = |m: &&Move| board & m.empty == 0 && board & m.full == m.full;
        let legal: Vec<&Move> = self.moves[usize::from(mode)].iter().filter(legal).collect();
        let only = legal.iter().all(|m| m.otherwise);
        legal.into_iter().filter(|m| only || !m.otherwise).map(|m| (m.next, board & !m.clears | m.fills)).collect()
    }

    /// The outcome, if the game is over.
    pub(crate) fn over(&self, at: Position) -> Option<Outcome> {
        let ends = &self.ends[usize::from(at.0)];
        let end = ends.iter().find(|(pattern, _)| at.1 & pattern == *pattern).map(|&(_, outcome)| outcome);
        end.or_else(|| self.moves(at).is_empty().then(|| self.stuck_at(at)))
    }

    fn stuck_at(&self, (mode, board): Position) -> Outcome {
        let (equal, own, other) = self.stuck[usize::from(mode)];
        match (board & own).count_ones().cmp(&(board & other).count_ones()) {
            Ordering::Less => Outcome::Loss,
            Ordering::Equal => equal,
            Ordering::Greater => Outcome::Win,
        }
    }

    /// The least image under the symmetries and the identity.
    pub(crate) fn least(&self, at: Position) -> Position {
        self.symmetries.iter().map(|symmetry| image(symmetry, at)).fold(at, Position::min)
    }

    /// Whether every move raises the sum of the weights.
    pub(crate) fn are_raised(&self) -> bool {
        let Some([modes, bits]) = &self.weights else { return false };
        let of = |cells: u128| (0..bits.len()).filter(move |bit| cells >> bit & 1 == 1).map(|bit| i64::from(bits[bit]));
        let of_mode = |mode: usize| i64::from(modes[mode]);
        let rises = |mode: usize, m: &Move| {
            // Cells that the move fills and that may be full already.
            let open = m.fills & !m.empty & !m.full;
            let least = of(open).map(|weight| weight.min(0)).sum::<i64>() - of(m.clears).sum::<i64>();
            of(m.fills & m.empty).sum::<i64>() + least + of_mode(m.next.into()) - of_mode(mode) >= 1
        };
        (0..self.moves.len()).all(|mode| self.moves[mode].iter().all(|m| m.clears & !m.full == 0 && rises(mode, m)))
    }

    /// Checks that each symmetry maps moves to moves, ends to ends, and each player to the same player.
    fn check_symmetries(&self) -> Result<(), String> {
        let moves: HashSet<(usize, Move)> =
            self.moves.iter().enumerate().flat_map(|(mode, list)| list.iter().map(move |&m| (mode, m))).collect();
        let ends: Vec<HashSet<&(u128, Outcome)>> = self.ends.iter().map(|ends| ends.iter().collect()).collect();
        for symmetry in &self.symmetries {
            let [modes, bits] = symmetry;
            let permutes = |list: &[usize], count: usize| {
                let mut sorted = list.to_vec();
                sorted.sort_unstable();
                sorted.into_iter().eq(0..count)
            };
            let board = |board| image(symmetry, (0, board)).1;
            let moved = |&(mode, m): &(usize, Move)| {
                let (next, empty, full) = (modes[usize::from(m.next)] as u16, board(m.empty), board(m.full));
                let m = Move { next, empty, full, fills: board(m.fills), clears: board(m.clears), ..m };
                moves.contains(&(modes[mode], m))
            };
            let keeps = |mode: usize| {
                let (ends, others) = (&ends[mode], &ends[modes[mode]]);
                // With equal outcomes, the order of the ends does not matter.
                let alike = self.ends[mode].windows(2).all(|pair| pair[0].1 == pair[1].1);
                let ended = |&&(pattern, outcome): &&(u128, Outcome)| others.contains(&(board(pattern), outcome));
                let of_mode = |mode: usize| (self.players.get(mode), self.ends[mode].len());
                let (equal, own, other) = self.stuck[mode];
                let is_same = (equal, board(own), board(other)) == self.stuck[modes[mode]];
                alike && ends.iter().all(ended) && of_mode(mode) == of_mode(modes[mode]) && is_same
            };
            let permutes = permutes(modes, self.stuck.len()) && permutes(bits, self.cells as usize);
            if !permutes || !moves.iter().all(moved) || !(0..modes.len()).all(keeps) {
                return Err("a symmetry of the certificate does not keep the rules".into());
            }
        }
        Ok(())
    }
}

/// The image of a position.
fn image([modes, bits]: &[Vec<usize>; 2], (mode, board): Position) -> Position {
    let (mut rest, mut to) = (board, 0);
    while rest != 0 {
        to |= 1 << bits[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    (modes[usize::from(mode)] as u16, to)
}

/// The position in the first two words.
pub(crate) fn position(words: &[&str]) -> Option<Position> {
    Some((words.first()?.parse().ok()?, u128::from_str_radix(words.get(1)?, 16).ok()?))
}

/// Numbers with commas.
fn list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}

/// What the lines of a certificate say up to its outcome.
#[derive(Default)]
struct Head {
    rules: Rules,
    name: String,
    root: Option<Position>,
    choices: Vec<Position>,
    outcome: Option<Outcome>,
}

impl Head {
    /// Reads a line; `None` if that is impossible.
    fn add(&mut self, key: &str, rest: &str) -> Option<()> {
        let (rules, words) = (&mut self.rules, rest.split(' ').collect::<Vec<&str>>());
        let (modes, bits) = (rules.stuck.len(), rules.cells);
        let mode = |at: usize| words.get(at)?.parse().ok().filter(|&mode: &u16| usize::from(mode) < modes);
        let is_board = |board: u128| bits == 128 || board >> bits == 0;
        let cells = |at: usize| u128::from_str_radix(words.get(at)?, 16).ok().filter(|&board| is_board(board));
        match key {
            "certificate" if rest == "1" => {}
            "game" => self.name = rest.to_owned(),
            // Later lines rely on both numbers, so neither may change.
            "cells" if bits == 0 => rules.cells = rest.parse().ok().filter(|cells| (1..=128).contains(cells))?,
            "modes" if bits > 0 && modes == 0 => {
                let modes = rest.parse().ok().filter(|modes| (1..=1 << 12).contains(modes))?;
                *rules = Rules::new(rules.cells, vec![Outcome::Loss; modes]);
            }
            "stuck" => {
                let most = || Some((Outcome::Draw, cells(2)?, cells(3)?)).filter(|_| words[1] == "most");
                rules.stuck[usize::from(mode(0)?)] = word(words.get(1)?).map_or_else(most, |it| Some((it, 0, 0)))?;
            }
            "player" if usize::from(mode(0)?) == rules.players.len() => {
                rules.players.push(words.get(1)?.parse().ok().filter(|player| [1, 2].contains(player))?);
            }
            "move" => {
                let otherwise = words.get(6).map_or(Some(false), |&word| (word == "otherwise").then_some(true))?;
                let (next, empty, full, fills, clears) = (mode(1)?, cells(2)?, cells(3)?, cells(4)?, cells(5)?);
                let m = Move { next, empty, full, fills, clears, otherwise };
                rules.moves[usize::from(mode(0)?)].push(m);
            }
            "end" => rules.ends[usize::from(mode(0)?)].push((cells(1)?, word(words.get(2)?)?)),
            "symmetry" => rules.symmetries.push([list(words.first()?)?, list(words.get(1)?)?]),
            "weights" => rules.weights = Some([list(words.first()?)?, list(words.get(1)?)?]),
            "root" => self.root = Some((mode(0)?, cells(1)?)),
            "choice" => self.choices.push((mode(0)?, cells(1)?)),
            "outcome" => self.outcome = Some(word(rest)?),
            _ => return None,
        }
        Some(())
    }
}

/// The rules of a game, and the first player's choices.
pub(crate) type Stated = (Rules, Vec<Position>);

/// Reads a certificate up to its outcome. `named` states the rules of some games by their names.
pub(crate) fn read(lines: &mut Lines, named: fn(&str) -> Option<Stated>) -> Result<(Proof, Outcome), String> {
    let mut head = Head::default();
    let outcome = loop {
        let line = lines.next()?;
        let (key, rest) = line.split_once(' ').unwrap_or((&line, ""));
        head.add(key, rest).ok_or_else(|| format!("line {}: cannot read {line:?}", lines.number))?;
        if let Some(outcome) = head.outcome {
            break outcome;
        }
    };
    let Head { mut rules, name, root, mut choices, .. } = head;
    let mut source = format!("{name}, as the certificate states them");
    if let Some((own, own_choices)) = named(&name) {
        (rules, choices) = (Rules { symmetries: rules.symmetries, weights: rules.weights, ..own }, own_choices);
        source = format!("{name}, as this program states them");
    }
    let fits = |[modes, bits]: &[Vec<i32>; 2]| modes.len() == rules.stuck.len() && bits.len() == rules.cells as usize;
    let sizes = rules.players.is_empty() || rules.players.len() == rules.stuck.len();
    let has_root = root.map_or(!choices.is_empty(), |root| rules.has(root));
    if !sizes || !has_root || !rules.weights.as_ref().is_none_or(fits) {
        return Err("the rules are not complete".into());
    }
    rules.check_symmetries()?;
    // After a choice, the other player is to move.
    let player = |(mode, _): Position| rules.players.get(usize::from(mode)).copied();
    let mover = root.map_or_else(|| Some(3 - player(choices[0])?), player).unwrap_or(1);
    if root.is_none() && choices.iter().any(|&choice| player(choice) == Some(mover)) {
        return Err("the player who chooses must not move next".into());
    }
    Ok((Proof { rules, source, root, choices, mover }, outcome))
}

fn word(text: &str) -> Option<Outcome> {
    let all = [("win", Outcome::Win), ("draw", Outcome::Draw), ("loss", Outcome::Loss)];
    all.into_iter().find(|(name, _)| *name == text).map(|(_, outcome)| outcome)
}
