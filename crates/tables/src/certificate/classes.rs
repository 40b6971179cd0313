//! The symmetries of a certificate, and the representatives of their classes.

use std::collections::{BTreeSet, HashSet};

use crate::rules::{Board, Cases, End, Mode, Move, Position, Rules, Symmetry, Terminal};
use crate::symmetry::Group;

/// The largest number of symmetries in a certificate.
const MOST: usize = 1 << 10;

/// The symmetries under which each player and the set of starts stay the same.
pub(super) struct Classes {
    /// All of them. Only the identity if they are too many to list.
    pub(super) symmetries: Vec<Symmetry>,
    /// Their group, if it finds representatives faster than the list.
    group: Option<Group>,
}

impl Classes {
    pub(super) fn of(rules: &Rules) -> Self {
        let none = || Self { symmetries: vec![Symmetry::identity(rules.cells(), rules.modes().len())], group: None };
        let roots = rules.start_positions();
        let Ok(group) = Group::of_rules(rules, &roots) else { return none() };
        let moves = cut_moves(rules);
        let keeps = |element: &&Symmetry| {
            if !moves.iter().all(|m| moves.contains(&element.of_move(m))) {
                return false;
            }
            let mut images = (0..).zip(element.modes());
            images.all(|(mode, &image)| {
                rules.player(Mode(mode)) == rules.player(Mode(image))
                    && keeps_order(rules, element, Mode(mode))
                    && keeps_runs(rules, element, Mode(mode))
            })
        };
        let elements = group.elements().filter(|elements| elements.len() <= MOST).unwrap_or_default();
        let symmetries: Vec<Symmetry> = elements.iter().filter(keeps).cloned().collect();
        if symmetries.is_empty() {
            return none();
        }
        let group =
            if symmetries.len() == elements.len() { Some(group) } else { generated(rules, &roots, &symmetries) };
        Self { symmetries, group }
    }

    /// The least image of a position: modes are compared first, and then the numbers of the boards.
    pub(super) fn representative(&self, position: Position) -> Position {
        if let [_] = self.symmetries[..] {
            return position;
        }
        // A group that is listed compares modes and boards in the same order.
        if let Some(group) = &self.group {
            return group.representative(position);
        }
        let images = self.symmetries.iter().map(|symmetry| symmetry.of(position));
        images.min_by_key(|&image| key(image)).unwrap_or(position)
    }
}

/// The sets of cells of all moves, if some of them are cases of one move ([`Cases`]); otherwise none. A certificate maps case to case.
fn cut_moves(rules: &Rules) -> HashSet<Move> {
    let moves: HashSet<Move> =
        rules.moves().iter().map(|m| Move { lines: None, when: None, takes: None, ..*m }).collect();
    let whole: HashSet<Move> = moves.iter().map(Cases::shared).collect();
    if whole.len() < moves.len() { moves } else { HashSet::new() }
}

/// Whether `symmetry` maps the ends by numbers of pieces of `mode` to those of its image in the same order, or has no need to because they
/// have equal outcomes.
fn keeps_order(rules: &Rules, symmetry: &Symmetry, mode: Mode) -> bool {
    let ends = |mode: Mode| rules.spec().count_ends.iter().filter(move |end| end.mode == mode);
    let moved = ends(mode).map(|end| (end.moved(|cells| symmetry.of_board(cells)).count, end.outcome));
    let is_alike = ends(mode).all(|end| Some(end.outcome) == ends(mode).next().map(|first| first.outcome));
    is_alike || moved.eq(ends(Mode(symmetry.modes()[usize::from(mode.0)])).map(|end| (end.count, end.outcome)))
}

/// Whether `symmetry` maps each run of terminal patterns with equal outcomes, in the order of `mode`, to the run in the same place of its
/// image. Then it does not matter which of them comes first.
fn keeps_runs(rules: &Rules, symmetry: &Symmetry, mode: Mode) -> bool {
    let image = Mode(symmetry.modes()[usize::from(mode.0)]);
    let moved: Vec<End> = rules.ends_of(mode).iter().map(|end| end.moved(|cells| symmetry.of_board(cells))).collect();
    let runs = |ends: &[End]| -> Vec<(Terminal, BTreeSet<(Board, Board)>)> {
        let alike = ends.chunk_by(|a, b| a.outcome == b.outcome);
        alike.map(|run| (run[0].outcome, run.iter().map(|end| (end.pattern, end.empty)).collect())).collect()
    };
    runs(&moved) == runs(rules.ends_of(image))
}

/// The group whose elements are `symmetries`; `None` if they are not listed.
fn generated(rules: &Rules, roots: &[Position], symmetries: &[Symmetry]) -> Option<Group> {
    let (mut generators, mut group) = (Vec::new(), Group::trivial().clone());
    for symmetry in symmetries.iter().filter(|symmetry| !symmetry.is_identity()) {
        // Each generator makes the group at least twice as large.
        if !group.elements().is_some_and(|known| known.contains(symmetry)) {
            generators.push(symmetry.clone());
            group = Group::new(rules, roots, &generators).ok()?;
            group.elements()?;
        }
    }
    (group.elements()?.len() == symmetries.len()).then_some(group)
}

/// Positions are compared by mode, and then by the number of the board.
pub(super) fn key(position: Position) -> (u16, u128) {
    (position.mode.0, position.board.number())
}
