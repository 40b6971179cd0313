//! Recognises the rules of games in which the first player to complete a pattern of own pieces wins.
//!
//! Two players put pieces of their own colour in turn, one on an empty square. A square may need another square to be occupied: its
//! *support*. Squares that support each other form chains, such as the columns of Connect Four. A full board has a fixed outcome.

use std::collections::BTreeSet;

use crate::placing::squares;
use crate::rules::{Board, End, Mode, Outcome, Rules};

/// Rules of this kind, by squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    /// The two cells of each square: those that the players of the first and of the second mode fill.
    pub(super) cells: Vec<[u32; 2]>,
    /// The squares of each chain, from the bottom up. A square without a support begins a chain.
    pub(super) chains: Vec<Vec<usize>>,
    /// The sets of squares that win for the player who fills one with own pieces.
    pub(super) patterns: Vec<Vec<usize>>,
    /// The outcome for a player to move on a full board.
    pub(super) full: Outcome,
}

impl Kind {
    /// The rules as this kind; `None` if they are of another kind.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let cells = squares(rules)?;
        let [first, second] = [0, 1].map(|mode| rules.terminal_in(Mode(mode)).fixed());
        let full = first.filter(|_| first == second)?;
        let chains = chains(rules, &cells)?;
        let [patterns, others] = [0, 1].map(|colour| patterns(rules, &cells, colour));
        let patterns: Vec<Vec<usize>> = patterns.filter(|found| !found.is_empty() && Some(found) == others.as_ref())?;
        Some(Self { cells, chains, patterns, full })
    }
}

/// The chains of squares; `None` if a square needs something else than one occupied square, or supports several.
fn chains(rules: &Rules, cells: &[[u32; 2]]) -> Option<Vec<Vec<usize>>> {
    let both = |square: usize| cells[square].map(Board::bit);
    let mut above = vec![None; cells.len()];
    let mut chains = Vec::new();
    for square in 0..cells.len() {
        let needs = |mode: u16| -> BTreeSet<Board> {
            let puts = rules.moves_of(Mode(mode)).iter().filter(|m| m.fills == both(square)[usize::from(mode)]);
            puts.map(|m| m.full).collect()
        };
        let [first, second] = [needs(0), needs(1)];
        if [&first, &second].iter().all(|needs| needs.contains(&Board::EMPTY)) {
            chains.push(vec![square]);
            continue;
        }
        let support = (0..cells.len()).find(|&support| first == BTreeSet::from(both(support)))?;
        if first != second || above[support].replace(square).is_some() {
            return None;
        }
    }
    for chain in &mut chains {
        while let Some(&next) = chain.last().and_then(|&top| above[top].as_ref()) {
            chain.push(next);
        }
    }
    // Squares in a ring of supports are in no chain.
    (chains.iter().map(Vec::len).sum::<usize>() == cells.len()).then_some(chains)
}

/// The sets of squares that win for the player whose pieces are the cells number `colour` of the squares; `None` if patterns end the game in
/// another way.
fn patterns(rules: &Rules, cells: &[[u32; 2]], colour: usize) -> Option<Vec<Vec<usize>>> {
    let of_end = |end: &End| {
        let filled = |square: &usize| end.pattern.contains(Board::bit(cells[*square][colour]));
        let squares: Vec<usize> = (0..cells.len()).filter(filled).collect();
        let is_whole = squares.len() == end.pattern.count() as usize && !squares.is_empty();
        (is_whole && end.empty.is_empty() && end.outcome.fixed() == Some(Outcome::Loss)).then_some(squares)
    };
    let found: Option<BTreeSet<Vec<usize>>> = rules.ends_of(Mode(1 - colour as u16)).iter().map(of_end).collect();
    Some(found?.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::grid;
    use super::*;
    use crate::rules::{Player, RulesSpec};

    fn kind(change: impl FnOnce(&mut RulesSpec)) -> Option<Kind> {
        let mut spec = grid(3, 4, 3, true);
        change(&mut spec);
        Kind::of(&spec.build().expect("sound rules"))
    }

    #[test]
    fn squares_chains_and_patterns_are_read_from_masks() {
        let kind = kind(|_| {}).expect("a game of lines");
        assert_eq!(kind.cells[5], [5, 17]);
        assert_eq!(kind.chains, [[8, 4, 0], [9, 5, 1], [10, 6, 2], [11, 7, 3]]);
        assert!(kind.patterns.len() == 3 * 2 + 4 + 2 * 2 && kind.patterns.contains(&vec![0, 5, 10]));
        let flat = Kind::of(&grid(3, 3, 3, false).build().unwrap()).unwrap();
        assert!(flat.chains.len() == 9 && flat.patterns.len() == 8 && flat.full == Outcome::Draw);
    }

    #[test]
    fn other_rules_are_refused() {
        let outcome = |outcome: Outcome| move |spec: &mut RulesSpec| spec.ends[0].outcome = outcome.into();
        assert!(kind(|spec| spec.players = vec![Player::First, Player::Second]).is_some());
        assert!(kind(|spec| spec.players = vec![Player::First; 2]).is_none());
        assert!(kind(|spec| spec.moves[0].again = true).is_none());
        assert!(kind(|spec| spec.moves[0].otherwise = true).is_none());
        assert!(kind(|spec| spec.moves[0].empty |= Board::bit(7)).is_none());
        assert!(kind(|spec| spec.moves[0].next = spec.moves[0].mode).is_none());
        // One player needs no support, a support of one colour only, or a square that supports two.
        assert!(kind(|spec| spec.moves[0].full = Board::EMPTY).is_none());
        assert!(kind(|spec| spec.moves.retain(|m| m.full != Board::bit(5))).is_none());
        let both = |spec: &mut RulesSpec| {
            let under = |full: Board| if full == Board::bit(5) || full == Board::bit(17) { full >> 1 } else { full };
            spec.moves.iter_mut().for_each(|m| m.full = under(m.full));
        };
        assert!(kind(both).is_none());
        assert!(kind(outcome(Outcome::Win)).is_none() && kind(outcome(Outcome::Draw)).is_none());
        assert!(kind(|spec| spec.ends[0].empty = Board::bit(11)).is_none());
        assert!(kind(|spec| spec.ends[0].mode = Mode(0)).is_none());
        assert!(kind(|spec| spec.ends.truncate(1)).is_none() && kind(|spec| spec.ends.clear()).is_none());
        assert!(kind(|spec| spec.terminals = vec![Outcome::Draw.into(), Outcome::Loss.into()]).is_none());
    }
}
