//! Solutions and their tables: labels, contents and bytes.

use super::positions;
use tablegen::contents::{Contents, Dense, Sparse};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Descriptor, Outcome, Position, Rules};
use tablegen::solve::{self, Method, Options, Solution, solve};
use tablegen::table::{SaveTable, Table};

/// Solves with the reference implementation, in reading order.
pub(crate) fn scalar(rules: &Rules) -> Solution {
    solve::scalar(rules, None, LabelSet::OUTCOME).expect("the rules are small")
}

/// Solves the positions reachable from the starts of the rules.
pub(crate) fn sparse(rules: &Rules) -> Solution {
    solve(rules, &Options::of(Method::of_reachable(rules))).expect("the rules are small")
}

/// The contents of a sparse table.
pub(crate) fn reachable(contents: Contents<'_>) -> Sparse<'_> {
    let Contents::Sparse(sparse) = contents else { panic!("the positions that play can reach") };
    sparse
}

/// The outcome of `position`, in any layout.
pub(crate) fn outcome(solution: &Solution, position: Position) -> Outcome {
    solution.outcome(position).expect("a position that has a label")
}

/// The positions of a sparse solution, with their outcomes.
pub(crate) fn held(solution: &Solution) -> impl Iterator<Item = (Position, Outcome)> + '_ {
    reachable(solution.contents()).positions().map(|found| found.expect("a solver writes sound keys and labels"))
}

/// The positions that a table with `contents` counts, in its order. Of a dense table, all positions, by mode and board number.
pub(crate) fn stored(rules: &Rules, contents: Contents<'_>) -> Vec<Position> {
    match contents {
        Contents::Dense(_) => positions(rules).collect(),
        Contents::Sparse(sparse) => sparse.positions().map(|found| found.expect("sound keys").0).collect(),
        Contents::Coloured(coloured) => coloured.positions().map(|found| found.expect("sound labels").0).collect(),
        Contents::Regions(regions) => {
            (0..regions.count()).flat_map(|number| regions.regions().images(number)).collect()
        }
    }
}

/// The bytes of a table of `solution`, with an empty descriptor.
pub(crate) fn table_bytes(solution: &Solution) -> Vec<u8> {
    solution.to_bytes(&Descriptor::default())
}

/// A table of `solution` with an empty descriptor, opened.
pub(crate) fn table(solution: &Solution) -> Table {
    Table::from_bytes(table_bytes(solution)).expect("a table just written")
}

/// Solves every colouring with the best kernel.
pub(crate) fn coloured(rules: &Rules) -> Solution {
    solve(rules, &Options::of(Method::Coloured)).expect("small rules of two colours")
}

/// The contents of a dense table.
pub(crate) fn every(contents: Contents<'_>) -> Dense<'_> {
    let Contents::Dense(dense) = contents else { panic!("a label of every position") };
    dense
}

/// The labels that games with these rules have.
pub(crate) fn labels(rules: &Rules) -> LabelSet {
    LabelKind::ALL.into_iter().filter(|kind| kind.undefined_by(rules).is_none()).collect()
}
