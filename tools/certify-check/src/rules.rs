//! Rules as masks of a board, and the head of a certificate.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::Hash;

use super::nibbles::{Images, Tests};
use super::text::Lines;
use super::{Claim, Proof};

/// A mode, and a board with one bit for each cell.
pub(crate) type Position = (u16, u128);

/// The outcome for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Outcome {
    Win,
    Draw,
    Loss,
}

/// States the rules of a game, and the first player's choices if it begins with one.
pub(crate) type Named = fn(&str) -> Option<(Rules, Vec<Position>)>;

/// What an end is worth to the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Worth {
    Outcome(Outcome),
    /// Points decide.
    Points(i16),
    /// The points are the number of the mover's full cells, less that of the other player's.
    Most(u128, u128),
}

impl Worth {
    /// The points on a board. A draw is worth none; none are known of a win and a loss.
    fn points(self, board: u128) -> Option<i64> {
        match self {
            Self::Outcome(Outcome::Draw) => Some(0),
            Self::Outcome(_) => None,
            Self::Points(points) => Some(points.into()),
            Self::Most(own, other) => {
                Some(i64::from((board & own).count_ones()) - i64::from((board & other).count_ones()))
            }
        }
    }

    fn outcome(self, board: u128) -> Outcome {
        match (self, self.points(board).unwrap_or(0).cmp(&0)) {
            (Self::Outcome(outcome), _) => outcome,
            (_, Ordering::Less) => Outcome::Loss,
            (_, Ordering::Equal) => Outcome::Draw,
            (_, Ordering::Greater) => Outcome::Win,
        }
    }
}

/// A move. It empties only cells that must be full, and fills none of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Move {
    pub(crate) next: u16,
    pub(crate) empty: u128,
    pub(crate) full: u128,
    pub(crate) fills: u128,
    pub(crate) clears: u128,
    /// Legal only if no move without this flag is.
    pub(crate) otherwise: bool,
    /// The board before the move must fit.
    pub(crate) when: Option<Number>,
    /// The number of what it takes.
    pub(crate) takes: Option<usize>,
    /// The points that it gains for the player who makes it.
    pub(crate) gains: i16,
}

/// A number of full cells, from `least` to `most`, among `cells`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Number {
    cells: u128,
    least: u32,
    most: u32,
}

/// What a move takes: if one of `lines` is full after it, one of the full cells in `cells`. Cells in full guards are spared if
/// there are others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Take {
    cells: u128,
    /// Sorted, each once.
    lines: Vec<u128>,
    guards: Vec<u128>,
}

impl Number {
    fn fits(&self, board: u128) -> bool {
        (self.least..=self.most).contains(&(board & self.cells).count_ones())
    }
}

impl Take {
    fn new(cells: u128, mut lines: Vec<u128>, mut guards: Vec<u128>) -> Self {
        for list in [&mut lines, &mut guards] {
            list.sort_unstable();
            list.dedup();
        }
        Self { cells, lines, guards }
    }

    /// The cells of which one is taken from the board after the move.
    fn from(&self, board: u128) -> u128 {
        let all = board & self.cells;
        let guarded = self.guards.iter().filter(|&guard| !board & guard == 0).fold(0, |all, guard| all | guard);
        match self.lines.iter().any(|line| !board & line == 0) {
            true if all & !guarded != 0 => all & !guarded,
            true => all,
            false => 0,
        }
    }
}

#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) cells: u32,
    /// The moves of each mode.
    pub(crate) moves: Vec<Vec<Move>>,
    /// What moves take; they name the first of equal ones.
    takes: Vec<Take>,
    /// The numbers of full cells that end the game in each mode, before any pattern.
    counted: Vec<Vec<(Number, Outcome)>>,
    /// The patterns that end the game in each mode: cells that must be full, and empty. The first that matches decides.
    pub(crate) ends: Vec<Vec<([u128; 2], Worth)>>,
    /// What a position without a move is worth, in each mode.
    pub(crate) stuck: Vec<Worth>,
    /// The player to move in each mode; empty if the players take turns.
    pub(crate) players: Vec<u8>,
    /// Images of modes, and of bits.
    symmetries: Vec<[Vec<usize>; 2]>,
    /// Weights of modes, and of bits.
    weights: Option<[Vec<i32>; 2]>,
    /// The masks of the moves and of the ends of each mode, and the symmetries, as tables: made last, from the fields above.
    legal: Vec<Tests>,
    ended: Vec<Tests>,
    images: Images,
}

impl Rules {
    /// Rules with `cells` cells and `modes` modes, without moves.
    pub(crate) fn new(cells: u32, modes: usize) -> Self {
        let (moves, ends, counted) = (vec![Vec::new(); modes], vec![Vec::new(); modes], vec![Vec::new(); modes]);
        Self { cells, moves, ends, counted, ..Self::default() }
    }

    pub(crate) fn has(&self, (mode, board): Position) -> bool {
        usize::from(mode) < self.moves.len() && (self.cells == 128 || board >> self.cells == 0)
    }

    /// Play is the same under `other`. The order of the ends is not compared, because all ends of the named games have one outcome in a
    /// mode.
    fn is_same(&self, other: &Self) -> bool {
        let all = |it: &Self| (it.cells, it.stuck.clone(), it.players.clone(), sets(&it.moves), sets(&it.ends));
        let counted = |it: &Self| (it.takes.clone(), it.counted.clone());
        all(self) == all(other) && counted(self) == counted(other)
    }

    /// Makes the tables, once all moves, ends and symmetries are known.
    fn tabulate(&mut self) {
        let cells = self.cells;
        let legal = |moves: &Vec<Move>| moves.iter().map(|m| [m.empty, m.full]).collect::<Vec<_>>();
        let ended = |ends: &Vec<([u128; 2], Worth)>| ends.iter().map(|&([on, off], _)| [off, on]).collect::<Vec<_>>();
        self.legal = self.moves.iter().map(|moves| Tests::new(cells, &legal(moves))).collect();
        self.ended = self.ends.iter().map(|ends| Tests::new(cells, &ended(ends))).collect();
        let symmetries = &self.symmetries;
        self.images = Images::new(cells, symmetries.len(), |number, board| image(&symmetries[number], (0, board)).1);
    }

    /// The moves of which the masks and the condition allow each.
    fn legal(&self, (mode, board): Position) -> impl Iterator<Item = &Move> {
        let mode = usize::from(mode);
        let moves = self.legal[mode].passed(board).map(move |number| &self.moves[mode][number]);
        moves.filter(move |m| m.when.is_none_or(|number| number.fits(board)))
    }

    /// The positions after each move, and the points that the move gains.
    pub(crate) fn moves(&self, at: Position) -> Vec<(Position, i64)> {
        let legal: Vec<&Move> = self.legal(at).collect();
        let only = legal.iter().all(|m| m.otherwise);
        let after = |m: &Move| {
            let after = at.1 & !m.clears | m.fills;
            let taken = m.takes.map_or(0, |number| self.takes[number].from(after));
            let each = (0..128).filter(move |bit| taken >> bit & 1 == 1).map(move |bit| after & !(1 << bit));
            each.chain((taken == 0).then_some(after)).map(|board| ((m.next, board), m.gains.into())).collect::<Vec<_>>()
        };
        legal.into_iter().filter(|m| only || !m.otherwise).flat_map(after).collect()
    }

    /// What the end is worth, if the game is over.
    fn end(&self, at: Position) -> Option<Worth> {
        let mode = usize::from(at.0);
        let counted = self.counted[mode].iter().find(|(number, _)| number.fits(at.1)).map(|end| Worth::Outcome(end.1));
        let end = || self.ended[mode].passed(at.1).next().map(|number| self.ends[mode][number].1);
        let stuck = || self.legal(at).next().is_none().then(|| self.stuck[mode]);
        counted.or_else(|| end().or_else(stuck))
    }

    /// The outcome, if the game is over.
    pub(crate) fn over(&self, at: Position) -> Option<Outcome> {
        self.end(at).map(|worth| worth.outcome(at.1))
    }

    /// The points of the player to move, if the game is over.
    pub(crate) fn points(&self, at: Position) -> Option<i64> {
        self.end(at).map(|worth| worth.points(at.1).unwrap_or(0))
    }

    /// Whether points decide at every end.
    fn are_counted(&self) -> bool {
        let ends = self.ends.iter().flatten().map(|end| end.1).chain(self.stuck.iter().copied());
        let counted = self.counted.iter().flatten().map(|end| Worth::Outcome(end.1));
        ends.chain(counted).all(|worth| worth.points(0).is_some())
    }

    /// The number of the first take like this one.
    fn number(&self, take: &Take) -> Option<usize> {
        self.takes.iter().position(|it| it == take)
    }

    /// The least image under the symmetries and the identity.
    pub(crate) fn least(&self, at: Position) -> Position {
        let images = self.symmetries.iter().zip(self.images.of(at.1));
        images.map(|([modes, _], board)| (modes[usize::from(at.0)] as u16, board)).fold(at, Position::min)
    }

    /// Whether every move raises the sum of the weights, whatever the board is.
    pub(crate) fn are_raised(&self) -> bool {
        let Some([modes, bits]) = &self.weights else { return false };
        let of = |cells: u128| (0..bits.len()).filter(move |bit| cells >> bit & 1 == 1).map(|bit| i64::from(bits[bit]));
        let rises = |mode: usize, m: &Move| {
            // Cells that the move fills and that may be full already.
            let open = m.fills & !m.empty & !m.full;
            let least = of(open).map(|weight| weight.min(0)).sum::<i64>() - of(m.clears).sum::<i64>();
            let of_modes = i64::from(modes[usize::from(m.next)]) - i64::from(modes[mode]);
            // A piece that the move takes was full, and the move does not change its cell otherwise.
            let taken = m.takes.and_then(|number| of(self.takes[number].cells).max()).unwrap_or(0).max(0);
            of(m.fills & m.empty).sum::<i64>() + least + of_modes - taken >= 1
        };
        (0..self.moves.len()).all(|mode| self.moves[mode].iter().all(|m| rises(mode, m)))
    }

    /// Checks that each symmetry maps moves to moves, ends to ends, and each player to the same player.
    fn check_symmetries(&self) -> Result<(), String> {
        let moves = sets(&self.moves);
        for symmetry in &self.symmetries {
            let [modes, bits] = symmetry;
            let permutes = |list: &[usize], count| {
                list.len() == count && list.iter().copied().collect::<HashSet<_>>() == (0..count).collect()
            };
            let board = |board| image(symmetry, (0, board)).1;
            let counted = |number: Number| Number { cells: board(number.cells), ..number };
            let boards = |list: &[u128]| list.iter().copied().map(board).collect();
            // The number of the image of each take; none if it has no image.
            let image = |take: &Take| Take::new(board(take.cells), boards(&take.lines), boards(&take.guards));
            let taken: Vec<usize> =
                self.takes.iter().map(|take| self.number(&image(take)).unwrap_or(usize::MAX)).collect();
            let moved = |m: &Move| {
                let (next, empty, full) = (modes[usize::from(m.next)] as u16, board(m.empty), board(m.full));
                let (when, takes) = (m.when.map(counted), m.takes.map(|number| taken[number]));
                Move { next, empty, full, fills: board(m.fills), clears: board(m.clears), when, takes, ..*m }
            };
            let keeps = |mode: usize| {
                let to = modes[mode];
                let by_count: Vec<_> = self.counted[mode].iter().map(|&(it, of)| (counted(it), of)).collect();
                let alike_by_count = by_count.windows(2).all(|pair| pair[0].1 == pair[1].1);
                let set = |list: &[(Number, Outcome)]| list.iter().copied().collect::<HashSet<_>>();
                let of_worth = |worth: Worth| match worth {
                    Worth::Most(own, other) => Worth::Most(board(own), board(other)),
                    other => other,
                };
                let is_same = of_worth(self.stuck[mode]) == self.stuck[to];
                let ends: Vec<_> = self.ends[mode].iter().map(|&(it, of)| (it.map(board), of_worth(of))).collect();
                let lists = moves[mode].iter().map(moved).collect::<HashSet<Move>>() == moves[to]
                    && runs(&ends) == runs(&self.ends[to]);
                let by_count =
                    by_count == self.counted[to] || alike_by_count && set(&by_count) == set(&self.counted[to]);
                is_same && lists && by_count && self.players.get(mode) == self.players.get(to)
            };
            let permutes = permutes(modes, self.moves.len()) && permutes(bits, self.cells as usize);
            if !permutes || !(0..modes.len()).all(keeps) {
                return Err("a symmetry of the certificate does not keep the rules".into());
            }
        }
        Ok(())
    }
}

/// The items of each mode, without their order.
fn sets<T: Copy + Eq + Hash>(lists: &[Vec<T>]) -> Vec<HashSet<T>> {
    lists.iter().map(|list| list.iter().copied().collect()).collect()
}

/// The ends in runs of equal worth. The order within a run does not matter.
fn runs(ends: &[([u128; 2], Worth)]) -> Vec<(Worth, HashSet<[u128; 2]>)> {
    let alike = ends.chunk_by(|a, b| a.1 == b.1);
    alike.map(|run| (run[0].1, run.iter().map(|end| end.0).collect())).collect()
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

/// A condition, if it is one that some boards fit.
fn number(cells: u128, least: &str, most: &str) -> Option<Number> {
    let number = Number { cells, least: least.parse().ok()?, most: most.parse().ok()? };
    (number.least <= number.most && number.most <= cells.count_ones()).then_some(number)
}

/// Numbers with commas.
fn list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}

impl Proof {
    /// Reads a line after the first four and before the outcome. `None` if it has another form, is repeated where it may not be, or
    /// names a mode or a cell that does not exist.
    fn add(&mut self, line: &str) -> Option<()> {
        let Self { rules, root, choices, counts, .. } = self;
        let (modes, bits) = (rules.moves.len(), rules.cells);
        let mode = |word: &str| word.parse().ok().filter(|&mode: &u16| usize::from(mode) < modes);
        let cells = |word: &str| u128::from_str_radix(word, 16).ok().filter(|cells| bits == 128 || cells >> bits == 0);
        // What an end is worth, and the number of words that say so.
        let worth = |words: &[&str]| match *words {
            ["most", own, other, ..] => Some((Worth::Most(cells(own)?, cells(other)?), 3)),
            ["points", number, ..] => Some((Worth::Points(number.parse().ok()?), 2)),
            [outcome, ..] => Some((Worth::Outcome(word(outcome)?), 1)),
            [] => None,
        };
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["stuck", at, ref rest @ ..] if usize::from(mode(at)?) == rules.stuck.len() => match worth(rest)? {
                (stuck, words) if words == rest.len() => rules.stuck.push(stuck),
                _ => return None,
            },
            ["player", at, player @ ("1" | "2")] if usize::from(mode(at)?) == rules.players.len() => {
                rules.players.push(if player == "1" { 1 } else { 2 });
            }
            ["take", of, lines, guards] => {
                let list = |words: &str| words.split(',').map(cells).collect::<Option<Vec<u128>>>();
                let guards = if guards == "-" { Vec::new() } else { list(guards)? };
                rules.takes.push(Take::new(cells(of)?, list(lines)?, guards));
            }
            ["move", at, next, empty, full, fills, clears, ref rest @ ..] => {
                let (next, empty, full) = (mode(next)?, cells(empty)?, cells(full)?);
                let (fills, clears) = (cells(fills)?, cells(clears)?);
                let (otherwise, rest) = rest.strip_prefix(&["otherwise"]).map_or((false, rest), |rest| (true, rest));
                let (when, rest) = match rest {
                    ["when", of, least, most, rest @ ..] => (Some(number(cells(of)?, least, most)?), rest),
                    rest => (None, rest),
                };
                let (takes, rest) = match rest {
                    ["takes", take, rest @ ..] => {
                        (Some(rules.number(rules.takes.get(take.parse::<usize>().ok()?)?)?), rest)
                    }
                    rest => (None, rest),
                };
                let gains = match rest {
                    [] => 0,
                    ["gains", points] if *counts => points.parse().ok()?,
                    _ => return None,
                };
                // Weights rely on this: a cell that is emptied was full, and stays empty.
                let changed = takes.is_some_and(|take| rules.takes[take].cells & (fills | clears | full) != 0);
                if clears & (fills | !full) != 0 || changed {
                    return None;
                }
                let m = Move { next, empty, full, fills, clears, otherwise, when, takes, gains };
                rules.moves[usize::from(mode(at)?)].push(m);
            }
            ["pieces", at, of, least, most, is] => {
                rules.counted[usize::from(mode(at)?)].push((number(cells(of)?, least, most)?, word(is)?));
            }
            ["end", at, on, ref rest @ ..] => {
                let (worth, words) = worth(rest)?;
                let off = match rest[words..] {
                    [] => 0,
                    [off] => cells(off)?,
                    _ => return None,
                };
                rules.ends[usize::from(mode(at)?)].push(([cells(on)?, off], worth));
            }
            ["symmetry", modes, bits] => rules.symmetries.push([list(modes)?, list(bits)?]),
            ["weights", modes, bits] if rules.weights.is_none() => rules.weights = Some([list(modes)?, list(bits)?]),
            ["root", at, board] if root.is_none() => *root = Some((mode(at)?, cells(board)?)),
            ["choice", at, board] => choices.push((mode(at)?, cells(board)?)),
            _ => return None,
        }
        Some(())
    }
}

/// Reads a certificate up to its claim. `named` states the rules of some games, and the first player's choices, by their names.
pub(crate) fn read(lines: &mut Lines, named: Named) -> Result<(Proof, Claim), String> {
    let mut first = |key: &str| {
        let line = lines.next()?;
        let rest = line.strip_prefix(key).map(str::to_owned);
        rest.ok_or_else(|| format!("line {}: expected \"{key}...\", found {line:?}", lines.number))
    };
    let [version, name] = [first("certificate ")?, first("game ")?];
    let (cells, modes) = (first("cells ")?.parse().unwrap_or(0), first("modes ")?.parse().unwrap_or(0));
    let is_plain = name.bytes().all(|c| c.is_ascii_alphanumeric() || b"._+-".contains(&c));
    let counts = version == "2";
    if !counts && version != "1" || !is_plain || !(1..=128).contains(&cells) || !(1..=1 << 12).contains(&modes) {
        return Err("expected version 1 or 2, a name without blanks, 1 to 128 cells and 1 to 4096 modes".into());
    }
    let (rules, choices) = (Rules::new(cells, modes), Vec::new());
    let mut proof = Proof { rules, source: name, root: None, choices, mover: 1, counts };
    let claim = loop {
        let line = lines.next()?;
        let claim = match counts {
            true => line.strip_prefix("score ").and_then(bounds),
            false => line.strip_prefix("outcome ").and_then(word).map(Claim::Outcome),
        };
        if let Some(claim) = claim {
            break claim;
        }
        proof.add(&line).ok_or_else(|| format!("line {}: cannot read {line:?}", lines.number))?;
    };
    let Proof { rules, source, root, choices, .. } = &proof;
    let fits = |[modes, bits]: &[Vec<i32>; 2]| modes.len() == rules.moves.len() && bits.len() == rules.cells as usize;
    let sizes = rules.stuck.len() == modes && [0, modes].contains(&rules.players.len());
    if !sizes || root.is_some() != choices.is_empty() || !rules.weights.as_ref().is_none_or(fits) {
        return Err("the rules are not complete, or have both a root and choices".into());
    }
    if counts && !rules.are_counted() {
        return Err("expected points at every end, found a win or a loss".into());
    }
    let set = |list: &[Position]| list.iter().copied().collect::<HashSet<_>>();
    let is_own = named(source).map(|own| own.0.is_same(rules) && (root.is_some() || set(&own.1) == set(choices)));
    if is_own == Some(false) {
        return Err(format!("the rules are not those of {source}, as this program states them"));
    }
    rules.check_symmetries()?;
    // After a choice, the other player is to move.
    let player = |(mode, _): Position| rules.players.get(usize::from(mode)).copied();
    let mover = root.map_or_else(|| Some(3 - player(choices[0])?), player).unwrap_or(1);
    if root.is_none() && choices.iter().any(|&choice| player(choice) == Some(mover)) {
        return Err("the player who chooses must not move next".into());
    }
    let whose = if is_own.is_some() { "this program" } else { "the certificate" };
    let source = format!("{source}, as {whose} states them");
    proof.rules.tabulate();
    Ok((Proof { source, mover, ..proof }, claim))
}

/// The bounds of a score; `-` stands for none.
fn bounds(text: &str) -> Option<Claim> {
    let (least, most) = text.split_once(' ')?;
    let bound = |word: &str| if word == "-" { Some(None) } else { word.parse().ok().map(Some) };
    let (least, most): (Option<i32>, Option<i32>) = (bound(least)?, bound(most)?);
    least.or(most).map(|_| Claim::Score(least.map(i64::from), most.map(i64::from)))
}

fn word(text: &str) -> Option<Outcome> {
    let all = [("win", Outcome::Win), ("draw", Outcome::Draw), ("loss", Outcome::Loss)];
    all.into_iter().find(|(name, _)| *name == text).map(|(_, outcome)| outcome)
}
