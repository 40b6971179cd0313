//! The truth about claims of certificates: value iteration over all boards, on the rules as their text states them.
//!
//! This shares no code with the checker, and only reads what the checker has accepted.

use std::collections::HashMap;

/// The outcomes for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Loss,
    Draw,
    Win,
}

impl Value {
    pub fn of(word: &str) -> Option<Self> {
        [("loss", Self::Loss), ("draw", Self::Draw), ("win", Self::Win)]
            .into_iter()
            .find(|it| it.0 == word)
            .map(|it| it.1)
    }

    pub fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// A mode, and a board.
pub type Place = (usize, u128);

/// A move: modes before and after it, `EMPTY`, `FULL`, `FILLS`, `CLEARS`, `otherwise`, what follows, and what it gains.
type Move = (usize, usize, [u128; 4], bool, Named, i64);

/// The condition of a move, and what it takes.
type Named = (Option<Number>, Option<Take>);

/// Cells, and the least and the greatest number of them that are full.
type Number = (u128, u32, u32);

/// The cells of pieces that are taken, the lines that must be full, and the lines that protect pieces.
type Take = (u128, Vec<u128>, Vec<u128>);

/// What an end is worth: the cells of the mover and of the other player that are counted, the value if they are equally many, and other
/// points.
type Worth = (Value, u128, u128, i64);

/// What an end is worth by these words, and how many of them say so.
fn worth(words: &[&str]) -> Option<(Worth, usize)> {
    let cells = |at: usize| u128::from_str_radix(words.get(at)?, 16).ok();
    match *words.first()? {
        "most" => Some(((Value::Draw, cells(1)?, cells(2)?, 0), 3)),
        "points" => {
            let points = words.get(1)?.parse::<i32>().ok()?;
            let value = if points > 0 { Value::Win } else { Value::Loss };
            Some(((if points == 0 { Value::Draw } else { value }, 0, 0, points.into()), 2))
        }
        outcome => Some(((Value::of(outcome)?, 0, 0, 0), 1)),
    }
}

/// The value of an end on a board.
fn at_end(&(equal, own, other, _): &Worth, board: u128) -> Value {
    let (own, other) = ((board & own).count_ones(), (board & other).count_ones());
    if own == other {
        equal
    } else if own > other {
        Value::Win
    } else {
        Value::Loss
    }
}

/// The points of the player to move at an end on a board.
fn points_at(&(_, own, other, points): &Worth, board: u128) -> i64 {
    i64::from((board & own).count_ones()) - i64::from((board & other).count_ones()) + points
}

fn fits(&(cells, least, most): &Number, board: u128) -> bool {
    (least..=most).contains(&(board & cells).count_ones())
}

/// The boards after a move that leads to `board` and then takes a piece.
fn taken(take: &Take, board: u128) -> Vec<u128> {
    let (cells, lines, guards) = take;
    let is_full = |line: &&u128| board & **line == **line;
    let pieces: Vec<u128> = (0..128).map(|bit| 1 << bit).filter(|bit| board & cells & bit != 0).collect();
    if !lines.iter().any(|line| is_full(&line)) || pieces.is_empty() {
        return vec![board];
    }
    let is_free = |piece: &&u128| !guards.iter().filter(is_full).any(|guard| guard & **piece != 0);
    let free: Vec<u128> = pieces.iter().filter(is_free).copied().collect();
    (if free.is_empty() { pieces } else { free }).into_iter().map(|piece| board ^ piece).collect()
}

/// The lines of a certificate up to its claim.
#[derive(Default)]
pub struct Claim {
    pub cells: u32,
    pub modes: usize,
    stuck: HashMap<usize, Worth>,
    players: HashMap<usize, u32>,
    moves: Vec<Move>,
    takes: Vec<Take>,
    ends: Vec<(usize, [u128; 2], Worth)>,
    counted: Vec<(usize, Number, Value)>,
    pub root: Option<Place>,
    pub choices: Vec<Place>,
    pub outcome: Option<Value>,
    /// The least and the most of the score.
    pub score: Option<[Option<i64>; 2]>,
}

impl Claim {
    /// Reads the lines up to the outcome; `None` if a word is missing or is no number.
    pub fn read(text: &str) -> Option<Self> {
        let mut claim = Self::default();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let key = words.next()?;
            let rest: Vec<&str> = words.collect();
            let mode = |at: usize| rest.get(at)?.parse::<usize>().ok();
            let board = |at: usize| u128::from_str_radix(rest.get(at)?, 16).ok();
            match key {
                "cells" => claim.cells = rest.first()?.parse().ok()?,
                "modes" => claim.modes = mode(0)?,
                "stuck" => _ = claim.stuck.insert(mode(0)?, worth(rest.get(1..)?)?.0),
                "player" => _ = claim.players.insert(mode(0)?, rest.get(1)?.parse().ok()?),
                "move" => {
                    let masks = [board(2)?, board(3)?, board(4)?, board(5)?];
                    let after = |key: &str| Some(rest.iter().position(|word| *word == key)? + 1);
                    let when = match after("when") {
                        Some(at) => Some((board(at)?, mode(at + 1)? as u32, mode(at + 2)? as u32)),
                        None => None,
                    };
                    let takes = match after("takes") {
                        Some(at) => Some(claim.takes.get(mode(at)?)?.clone()),
                        None => None,
                    };
                    let gain = match after("gains") {
                        Some(at) => rest.get(at)?.parse().ok()?,
                        None => 0,
                    };
                    claim.moves.push((mode(0)?, mode(1)?, masks, rest.contains(&"otherwise"), (when, takes), gain));
                }
                "take" => {
                    let list = |at: usize| -> Option<Vec<u128>> {
                        let words = rest.get(at)?.split(',').filter(|word| *word != "-");
                        words.map(|word| u128::from_str_radix(word, 16).ok()).collect()
                    };
                    claim.takes.push((board(0)?, list(1)?, list(2)?));
                }
                "pieces" => {
                    let number = (board(1)?, mode(2)? as u32, mode(3)? as u32);
                    claim.counted.push((mode(0)?, number, Value::of(rest.get(4)?)?));
                }
                "end" => {
                    let (worth, words) = worth(rest.get(2..)?)?;
                    let empty = if rest.len() > 2 + words { board(2 + words)? } else { 0 };
                    claim.ends.push((mode(0)?, [board(1)?, empty], worth));
                }
                "root" => claim.root = Some((mode(0)?, board(1)?)),
                "choice" => claim.choices.push((mode(0)?, board(1)?)),
                "outcome" => {
                    claim.outcome = Value::of(rest.first()?);
                    return Some(claim);
                }
                "score" => {
                    let bound = |word: &str| if word == "-" { Some(None) } else { word.parse().ok().map(Some) };
                    claim.score = Some([bound(rest.first()?)?, bound(rest.get(1)?)?]);
                    return Some(claim);
                }
                _ => {}
            }
        }
        None
    }

    /// The number of positions, reachable or not.
    pub fn positions(&self) -> u128 {
        (self.modes as u128).checked_shl(self.cells).unwrap_or(u128::MAX)
    }

    pub fn all(&self) -> impl Iterator<Item = Place> + use<> {
        let boards = 1u128 << self.cells;
        (0..self.modes).flat_map(move |mode| (0..boards).map(move |board| (mode, board)))
    }

    /// The player to move in each mode; `None` if the players take turns.
    pub fn player(&self, mode: usize) -> Option<u32> {
        self.players.get(&mode).copied()
    }

    /// The positions after each move, and whether the other player is to move there. Ends are not considered.
    pub fn next(&self, at: Place) -> Vec<(Place, bool)> {
        self.gaining(at).into_iter().map(|(to, turns, _)| (to, turns)).collect()
    }

    /// As [`next`](Self::next), with what each move gains.
    fn gaining(&self, (mode, board): Place) -> Vec<(Place, bool, i64)> {
        let counts = |m: &Move| m.4.0.as_ref().is_none_or(|number| fits(number, board));
        let is_legal = |m: &&Move| m.0 == mode && board & m.2[0] == 0 && !board & m.2[1] == 0 && counts(m);
        let first: Vec<&Move> = self.moves.iter().filter(is_legal).filter(|m| !m.3).collect();
        let legal = if first.is_empty() { self.moves.iter().filter(is_legal).collect() } else { first };
        let turns = |next| self.players.is_empty() || self.player(mode) != self.player(next);
        let after = |m: &Move| {
            let board = board & !m.2[3] | m.2[2];
            m.4.1.as_ref().map_or_else(|| vec![board], |take| taken(take, board))
        };
        legal.into_iter().flat_map(|m| after(m).into_iter().map(|board| ((m.1, board), turns(m.1), m.5))).collect()
    }

    /// What the end is worth, if the game is over.
    fn end(&self, at: Place) -> Option<Worth> {
        let counted = self.counted.iter().find(|(mode, number, _)| *mode == at.0 && fits(number, at.1));
        if let Some(end) = counted {
            return Some((end.2, 0, 0, 0));
        }
        let end =
            self.ends.iter().find(|(mode, [full, empty], _)| *mode == at.0 && full & !at.1 == 0 && empty & at.1 == 0);
        let stuck = || self.next(at).is_empty().then(|| self.stuck[&at.0]);
        end.map(|end| end.2).or_else(stuck)
    }

    /// The outcome, if the game is over.
    pub fn over(&self, at: Place) -> Option<Value> {
        self.end(at).map(|worth| at_end(&worth, at.1))
    }

    /// The score of each position. Positions must not repeat.
    pub fn scores(&self) -> HashMap<Place, i64> {
        let mut scores: HashMap<Place, i64> = HashMap::new();
        while scores.len() < self.all().count() {
            let before = scores.len();
            for at in self.all() {
                let of = |(to, turns, gain): (Place, bool, i64)| {
                    scores.get(&to).map(|score| gain + if turns { -score } else { *score })
                };
                let score = match self.end(at) {
                    Some(worth) => Some(points_at(&worth, at.1)),
                    None => {
                        let moves: Option<Vec<i64>> = self.gaining(at).into_iter().map(of).collect();
                        moves.and_then(|moves| moves.into_iter().max())
                    }
                };
                score.into_iter().for_each(|score| _ = scores.insert(at, score));
            }
            assert!(scores.len() > before, "positions repeat");
        }
        scores
    }

    /// The score at the root, or before the choice.
    pub fn true_score(&self, scores: &HashMap<Place, i64>) -> Option<i64> {
        match self.root {
            Some(root) => scores.get(&root).copied(),
            None => self.choices.iter().filter_map(|choice| scores.get(choice)).map(|score| -score).max(),
        }
    }

    /// The value of each position, with the plies to the end of wins and losses. Endless play is a draw.
    pub fn values(&self) -> HashMap<Place, (Value, u32)> {
        let mut values: HashMap<Place, (Value, u32)> = HashMap::new();
        for plies in 0.. {
            let mut found = Vec::new();
            for at in self.all().filter(|at| !values.contains_key(at)) {
                let over = self.over(at);
                if let Some(value) = over.filter(|_| plies == 0) {
                    found.push((at, (value, 0)));
                } else if over.is_none() {
                    let next = self.next(at);
                    let value = |&(to, turns): &(Place, bool)| {
                        values.get(&to).map(|&(value, _)| if turns { value.flip() } else { value })
                    };
                    if next.iter().any(|to| value(to) == Some(Value::Win)) {
                        found.push((at, (Value::Win, plies)));
                    } else if next.iter().all(|to| value(to) == Some(Value::Loss)) {
                        found.push((at, (Value::Loss, plies)));
                    }
                }
            }
            if plies > 0 && found.is_empty() {
                break;
            }
            values.extend(found);
        }
        self.all().for_each(|at| _ = values.entry(at).or_insert((Value::Draw, 0)));
        values
    }

    /// The outcome for the player to move at the root, or before the choice.
    pub fn truth(&self, values: &HashMap<Place, (Value, u32)>) -> Option<Value> {
        match self.root {
            Some(root) => Some(values.get(&root)?.0),
            None => self
                .choices
                .iter()
                .map(|choice| Some(values.get(choice)?.0.flip()))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max(),
        }
    }
}
