//! Retrograde analysis of the boards of a mill game, by numbers of men, and recursion while men are placed.

use std::collections::HashMap;
use std::fmt;

use super::numbering::Numbering;
use super::rules::{Board, Line, Men, MillRules};

/// The value of a board for the player to move, with the plies to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Win(u16),
    Loss(u16),
    Repetition,
}

impl Value {
    /// 0 for a repetition, else one more than the plies. The player to move makes the last ply of a win.
    fn code(self) -> u16 {
        match self {
            Self::Repetition => 0,
            Self::Win(plies) | Self::Loss(plies) => plies + 1,
        }
    }

    fn of_code(code: u16) -> Self {
        match code {
            0 => Self::Repetition,
            _ if code.is_multiple_of(2) => Self::Win(code - 1),
            _ => Self::Loss(code - 1),
        }
    }

    /// The value of a position with moves to positions with the values `next`: the winner hurries and the loser delays.
    pub(crate) fn of_moves(next: impl IntoIterator<Item = Self>) -> Self {
        // A player without a move has lost.
        let mut best = None;
        for value in next {
            let mine = match value {
                Self::Loss(plies) => Self::Win(plies + 1),
                Self::Win(plies) => Self::Loss(plies + 1),
                Self::Repetition => Self::Repetition,
            };
            best = Some(best.map_or(mine, |best: Self| if mine.rank() > best.rank() { mine } else { best }));
        }
        best.unwrap_or(Self::Loss(0))
    }

    /// Better values have larger ranks.
    fn rank(self) -> i32 {
        match self {
            Self::Win(plies) => i32::from(u16::MAX) - i32::from(plies),
            Self::Repetition => 0,
            Self::Loss(plies) => i32::from(plies) - i32::from(u16::MAX),
        }
    }
}

/// How many boards have which outcome, and the most plies of a win.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) longest_win: u16,
}

impl Tally {
    pub(crate) fn add(&mut self, value: Value) {
        match value {
            Value::Win(plies) => {
                self.wins += 1;
                self.longest_win = self.longest_win.max(plies);
            }
            Value::Repetition => self.draws += 1,
            Value::Loss(_) => self.losses += 1,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let boards = self.wins + self.draws + self.losses;
        let Self { wins, draws, losses, longest_win } = self;
        write!(f, "{boards} boards: {wins} wins, {draws} draws, {losses} losses, longest win {longest_win} plies")
    }
}

/// A mill game whose boards are solved up to some numbers of men.
pub(crate) struct Solved {
    pub(crate) rules: MillRules,
    pub(crate) numbering: Numbering,
    /// The codes of all boards with these men, in the order of their numbers.
    codes: HashMap<Men, Vec<u16>>,
}

impl Solved {
    /// Solves all boards after placing with three men or more of each player, and the men in `most` or fewer.
    pub(crate) fn new(rules: MillRules, most: Men) -> Self {
        let (few, many) = (most.0.min(most.1), most.0.max(most.1));
        let numbering = Numbering::new(rules.drawing.points(), many);
        let mut solved = Self { rules, numbering, codes: HashMap::new() };
        // A move that takes leads to boards with one man less.
        for men in 6..=few + many {
            for x in 3..=few {
                if (x..=many).contains(&(men - x)) {
                    solved.solve((x, men - x));
                }
            }
        }
        solved
    }

    /// The numbers of men whose boards are solved, in order.
    pub(crate) fn men(&self) -> Vec<Men> {
        let mut all: Vec<Men> = self.codes.keys().copied().collect();
        all.sort_unstable_by_key(|&(x, o)| (x + o, x));
        all
    }

    /// The value of a board after placing.
    pub(crate) fn value(&self, board: &Board) -> Value {
        let men = (board.men(b'X'), board.men(b'O'));
        if men.0 < 3 {
            return Value::Loss(0);
        }
        Value::of_code(self.codes[&men][self.numbering.rank(board, men)])
    }

    /// Every board with these men, with its value.
    pub(crate) fn values(&self, men: Men) -> impl Iterator<Item = (Board, Value)> + '_ {
        let codes = self.codes[&men].iter().enumerate();
        codes.map(move |(rank, &code)| (self.numbering.board(rank, men), Value::of_code(code)))
    }

    pub(crate) fn tally(&self, men: Men) -> Tally {
        let mut tally = Tally::default();
        self.codes[&men].iter().for_each(|&code| tally.add(Value::of_code(code)));
        tally
    }

    /// Compares the value of every board with these men with the values of its moves. Then the values are right: plies count
    /// down to an end in wins and losses, and in draws each player can keep to draws.
    pub(crate) fn assert_follows_from_moves(&self, men: Men) {
        let mut next = Vec::new();
        for (board, value) in self.values(men) {
            let expected = if self.rules.is_won(&board) {
                Value::Loss(0)
            } else {
                self.rules.moves(&board, |after, _| next.push(self.value(after)));
                Value::of_moves(next.drain(..))
            };
            assert_eq!(value, expected, "{}", String::from_utf8_lossy(board.points()));
        }
    }

    /// Solves the boards with these men and with the men of the players exchanged, which moves without taking join.
    fn solve(&mut self, men: Men) {
        let mut sides = vec![men, (men.1, men.0)];
        sides.dedup();
        let other = |side: usize| sides.len() - 1 - side;
        for &side in &sides {
            self.codes.insert(side, vec![0; self.numbering.count(side)]);
        }
        // The boards that may be decided after each number of plies, as two times the number of the board plus the side.
        let mut queue: Vec<Vec<u32>> = Vec::new();
        let push = |queue: &mut Vec<Vec<u32>>, plies: u16, side: usize, rank: usize| {
            let plies = usize::from(plies);
            queue.resize_with(queue.len().max(plies + 1), Vec::new);
            queue[plies].push(u32::try_from(2 * rank + side).expect("fewer than 2^31 boards"));
        };
        // For each board, how many moves do not lead to a board that is known to be won for the other player.
        let mut open: Vec<Vec<u8>> = Vec::new();
        let (mut next, mut before) = (Vec::new(), Vec::new());
        for (side, &men) in sides.iter().enumerate() {
            let moves_left = (0..self.numbering.count(men)).map(|rank| {
                let board = self.numbering.board(rank, men);
                if self.rules.is_won(&board) {
                    push(&mut queue, 0, side, rank);
                    return 0;
                }
                let mut left = 0;
                self.rules.moves(&board, |after, takes| {
                    let value = if takes { self.value(after) } else { Value::Repetition };
                    left += u8::from(!matches!(value, Value::Win(_)));
                    next.push(value);
                });
                match Value::of_moves(next.drain(..)) {
                    Value::Win(plies) | Value::Loss(plies) => push(&mut queue, plies, side, rank),
                    Value::Repetition => {}
                }
                left
            });
            open.push(moves_left.collect());
        }

        let mut plies = 0;
        while usize::from(plies) < queue.len() {
            for entry in std::mem::take(&mut queue[usize::from(plies)]) {
                let (rank, side) = ((entry / 2) as usize, (entry % 2) as usize);
                if self.codes[&sides[side]][rank] != 0 {
                    continue;
                }
                let is_win = plies % 2 == 1;
                let value = if is_win { Value::Win(plies) } else { Value::Loss(plies) };
                self.codes.get_mut(&sides[side]).expect("a side")[rank] = value.code();
                self.rules.moves_back(&self.numbering.board(rank, sides[side]), |board| before.push(*board));
                for board in before.drain(..) {
                    let side = other(side);
                    let rank = self.numbering.rank(&board, sides[side]);
                    if self.codes[&sides[side]][rank] != 0 {
                        continue;
                    }
                    if !is_win {
                        push(&mut queue, plies + 1, side, rank);
                        continue;
                    }
                    open[side][rank] -= 1;
                    if open[side][rank] == 0 {
                        self.rules.moves(&board, |after, _| next.push(self.value(after)));
                        let Value::Loss(plies) = Value::of_moves(next.drain(..)) else {
                            panic!("a move does not lose")
                        };
                        push(&mut queue, plies, side, rank);
                    }
                }
            }
            plies += 1;
        }
    }
}

/// A position while men are placed: the board, and the men in hand of the player to move and of the other player.
pub(crate) type Placing = (Board, Men);

/// Values of positions while men are placed, from a solved game.
pub(crate) struct Placings<'a> {
    solved: &'a Solved,
    known: HashMap<Placing, Value>,
}

impl<'a> Placings<'a> {
    pub(crate) fn new(solved: &'a Solved) -> Self {
        Self { solved, known: HashMap::new() }
    }

    /// The value of a position in which the player to move has a man in hand, or in which all men are placed.
    pub(crate) fn value(&mut self, (board, hands): Placing) -> Value {
        let rules = &self.solved.rules;
        if rules.is_won(&board) || board.men(b'X') + hands.0 < 3 {
            return Value::Loss(0);
        }
        if hands == (0, 0) {
            return self.solved.value(&board);
        }
        if let Some(&known) = self.known.get(&(board, hands)) {
            return known;
        }
        let mut next = Vec::new();
        rules.placements(&board, |after, _| next.push((*after, (hands.1, hands.0 - 1))));
        let value = Value::of_moves(next.into_iter().map(|placing| self.value(placing)).collect::<Vec<_>>());
        self.known.insert((board, hands), value);
        value
    }
}

/// All positions that play reaches from the empty board, with `men` men of each player in hand: the board and the hands as the
/// player to move sees them, and whether this is the first player.
pub(crate) fn reachable(rules: &MillRules, men: usize) -> Vec<(Placing, bool)> {
    let start = ((Board::empty(rules.drawing.points()), (men, men)), true);
    let (mut found, mut seen) = (vec![start], std::collections::HashSet::from([start]));
    let mut next = 0;
    while let Some(&((board, hands), is_first)) = found.get(next) {
        next += 1;
        if rules.is_won(&board) || rules.line == Line::Takes && board.men(b'X') + hands.0 < 3 {
            continue;
        }
        let mut reach = |board: &Board, hands: Men| {
            let position = ((*board, hands), !is_first);
            if seen.insert(position) {
                found.push(position);
            }
        };
        if hands.0 > 0 {
            rules.placements(&board, |after, _| reach(after, (hands.1, hands.0 - 1)));
        } else {
            rules.moves(&board, |after, _| reach(after, (hands.1, hands.0)));
        }
    }
    found
}
