//! Sums of games: who wins, and with which moves.
//!
//! Left, moving first, wins a sum with a move to a value of at least 0, because then Right, moving next, loses. A move in
//! one summand changes the sum by the difference between the value after it and the value before it.

use std::collections::HashMap;

use super::boards::{Boards, Moves};
use super::terms::only_term;
use super::{ValueError, ValueFacts, evaluate};
use tablegen_cgt::{Calculator, Comparison, Value};

/// A sum of games, and the moves that win it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SumFacts {
    /// The value of the sum.
    pub value: ValueFacts,
    /// The moves of Left, if Left moves first, and those of Right.
    pub sides: [SideMoves; 2],
}

/// The moves of a player who moves first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideMoves {
    /// The number of all moves.
    pub count: usize,
    /// The moves that win, in the order of the summands. The player wins if there are any.
    pub winning: Vec<SumMove>,
}

/// A move in a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SumMove {
    /// The summand, as it was written.
    pub summand: String,
    /// The move, in the notation of the summand's game. In a game that is given by its value, the value after the move.
    pub played: String,
    /// The value of the whole sum after the move.
    pub leaves: String,
}

/// A summand: `-2*col:..`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Summand<'t> {
    /// The summand as it was written, without the sign before it.
    text: &'t str,
    is_negative: bool,
    /// How often the game is in the sum.
    times: u32,
    /// One such game.
    game: &'t str,
}

impl SumFacts {
    /// The sum `expression`: summands with blanks around `+` and `-` between them. A summand is a game, a term or a
    /// multiple of one, as [`ValueFacts::of`] reads them. In each game, at most `limit` positions are followed.
    ///
    /// # Errors
    /// If the expression cannot be read, a game has no values, or a limit is reached.
    pub fn of(expression: &str, limit: usize) -> Result<Self, ValueError> {
        let mut calculator = Calculator::default();
        let total = evaluate(expression, &mut calculator, limit)?;
        let mut sides = [SideMoves::default(), SideMoves::default()];
        for summand in summands(expression) {
            let value = evaluate(summand.game, &mut calculator, limit)?;
            let mut moves = moves(summand.game, value, &mut calculator, limit)?;
            if summand.is_negative {
                moves.reverse();
            }
            for ((moves, side), wins) in moves.into_iter().zip(&mut sides).zip([Comparison::Greater, Comparison::Less])
            {
                side.count += moves.len() * usize::from(summand.times > 0);
                // Many moves leave the same value.
                let mut known: HashMap<Value, Option<String>> = HashMap::new();
                for (played, after) in moves.into_iter().filter(|_| summand.times > 0) {
                    let leaves = match known.get(&after) {
                        Some(known) => known.clone(),
                        None => {
                            let ends = if summand.is_negative { [value, after] } else { [after, value] };
                            let leaves = left_if_won(total, ends, wins, &mut calculator)?;
                            known.insert(after, leaves.clone());
                            leaves
                        }
                    };
                    let moved = |leaves| SumMove { summand: summand.text.to_owned(), played, leaves };
                    side.winning.extend(leaves.map(moved));
                }
            }
        }
        Ok(Self { value: ValueFacts::new(&mut calculator, total)?, sides })
    }
}

/// `total + to - from`, if it is 0 or compares with 0 as `wins`.
fn left_if_won(
    total: Value,
    [to, from]: [Value; 2],
    wins: Comparison,
    calculator: &mut Calculator,
) -> Result<Option<String>, ValueError> {
    let lost = calculator.negative(from)?;
    let gain = calculator.sum(to, lost)?;
    let leaves = calculator.sum(total, gain)?;
    let zero = calculator.integer(0)?;
    let against = calculator.compare(leaves, zero)?;
    let is_won = against == Comparison::Equal || against == wins;
    Ok(is_won.then(|| calculator.name(leaves)).transpose()?)
}

/// The moves in `game`, whose value is `value`: of a term those of its game, else the options of the canonical form.
fn moves(game: &str, value: Value, calculator: &mut Calculator, limit: usize) -> Result<Moves<Value>, ValueError> {
    if let Some(term) = only_term(game) {
        return Boards::of(term.game()?.as_ref(), limit)?.moves(term.position, calculator);
    }
    let (lefts, rights) = calculator.store().options(value);
    let mut moves = Moves::<Value>::default();
    for (options, moves) in [lefts.to_vec(), rights.to_vec()].into_iter().zip(&mut moves) {
        for option in options {
            moves.push((format!("to {}", calculator.name(option)?), option));
        }
    }
    Ok(moves)
}

/// The summands of `expression`. Signs inside brackets separate nothing, nor do signs without blanks around them.
fn summands(expression: &str) -> Vec<Summand<'_>> {
    let (mut cuts, mut depth) = (vec![(0, false)], 0_u32);
    for (at, c) in expression.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            '+' | '-' if depth == 0 => {
                let (before, after) = (&expression[..at], &expression[at + 1..]);
                if before.ends_with(char::is_whitespace)
                    && after.starts_with(char::is_whitespace)
                    && !before.trim().is_empty()
                {
                    cuts.push((at + 1, c == '-'));
                }
            }
            _ => {}
        }
    }
    let ends: Vec<usize> = cuts.iter().skip(1).map(|(at, _)| at - 1).chain([expression.len()]).collect();
    cuts.iter()
        .zip(ends)
        .map(|(&(from, is_negative), end)| summand(expression[from..end].trim(), is_negative))
        .collect()
}

fn summand(text: &str, is_negative: bool) -> Summand<'_> {
    let (game, negated) = text.strip_prefix('-').map_or((text, false), |game| (game, true));
    let is_negative = is_negative != negated;
    // `2*` alone is the number 2 and a star.
    let is_game = |game: &&str| game.starts_with(|c: char| c.is_ascii_lowercase() || "{(+".contains(c));
    let multiple = game.split_once('*').filter(|(_, game)| is_game(game));
    match multiple.and_then(|(times, game)| Some((times.parse().ok()?, game))) {
        Some((times, game)) => Summand { text, is_negative, times, game },
        None => Summand { text, is_negative, times: 1, game },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summands_are_separated_by_signs_with_blanks() {
        let read = |text| summands(text).into_iter().map(|s| (s.is_negative, s.times, s.game)).collect::<Vec<_>>();
        let toads = "toads-and-frogs(toads=1,gap=2,frogs=1):";
        let text = format!("{toads} - 2*col:../.X + -{{1 - 2|+-1}} - -3");
        assert_eq!(read(&text), [(false, 1, toads), (true, 2, "col:../.X"), (true, 1, "{1 - 2|+-1}"), (false, 1, "3")]);
        assert_eq!(read("2* + 0*(3) + v*"), [(false, 1, "2*"), (false, 0, "(3)"), (false, 1, "v*")]);
        assert_eq!(read("+-1 - *"), [(false, 1, "+-1"), (true, 1, "*")]);
    }

    /// A sum of boards of one game is won as its parts, side by side on one board, are won.
    #[test]
    fn winning_moves_leave_what_the_next_player_loses() {
        let facts = SumFacts::of("nim(a=3,b=0,c=0): + *5 + nim(a=6,b=0,c=0):", 1 << 10).unwrap();
        assert_eq!(facts.value.name, "0");
        assert!(facts.sides.iter().all(|side| side.count == 14 && side.winning.is_empty()), "{facts:?}");

        let facts = SumFacts::of("domineering:... - domineering:... - 1", 1 << 10).unwrap();
        let counts = facts.sides.map(|side| (side.count, side.winning.len()));
        // Left has two moves in the negative row; Right has two in the other row and one in the number.
        assert_eq!((facts.value.name.as_str(), counts), ("-1", [(2, 0), (3, 3)]));
    }
}
