//! Code that tests share: an independent solver, games to solve, and a forger of tables.

pub(crate) mod forge;
pub(crate) mod games;
pub(crate) mod lists;
pub(crate) mod oracle;
pub(crate) mod random;
pub(crate) mod script;
pub(crate) mod squares;
pub(crate) mod symmetry;

use tablegen::contents::{Contents, Dense, Sparse};
use tablegen::game::Game;
use tablegen::label::LabelSet;
use tablegen::plane::Layout;
use tablegen::rules::{Board, Descriptor, Mode, Outcome, Position, Rules};
use tablegen::solve::{self, Kernel, Method, Options, Solution, solve};
use tablegen::table::{SaveTable, Table};

/// Solver options, one for each kernel that this machine can run.
pub(crate) fn kernels() -> Vec<Options<'static>> {
    let with = |kernel| Options { kernel: Some(kernel), ..Options::default() };
    Kernel::available().into_iter().map(with).collect()
}

/// Solves with the best kernel.
pub(crate) fn dense(rules: &Rules) -> Solution {
    solve(rules, &Options::default()).expect("the rules are small")
}

/// Solves with the reference implementation, in reading order.
pub(crate) fn scalar(rules: &Rules) -> Solution {
    solve::scalar(rules, None, LabelSet::OUTCOME).expect("the rules are small")
}

/// Solves the positions reachable from the starts of the rules.
pub(crate) fn sparse(rules: &Rules) -> Solution {
    solve(rules, &Options { method: Method::of_reachable(rules), ..Options::default() }).expect("the rules are small")
}

/// Solves every colouring with the best kernel.
pub(crate) fn coloured(rules: &Rules) -> Solution {
    solve(rules, &Options { method: Method::Coloured, ..Options::default() }).expect("small rules of two colours")
}

/// Solves the reachable positions of `game`, from its roots.
pub(crate) fn sparse_of(game: &dyn Game) -> Solution {
    let options = Options { method: Method::of_reachable(game.rules()), roots: &game.roots(), ..Options::default() };
    solve(game.rules(), &options).expect("the rules are small")
}

/// Every position of `rules`, ordered by mode, then by board number.
pub(crate) fn positions(rules: &Rules) -> impl Iterator<Item = Position> + use<> {
    let boards = 1u64 << rules.cells();
    (0..rules.modes().len() as u16)
        .flat_map(move |mode| (0..boards).map(move |b| Position::new(Mode(mode), Board::from_word(b))))
}

/// The contents of a dense table.
pub(crate) fn every(contents: Contents<'_>) -> Dense<'_> {
    let Contents::Dense(dense) = contents else { panic!("a label of every position") };
    dense
}

/// The contents of a sparse table.
pub(crate) fn reachable(contents: Contents<'_>) -> Sparse<'_> {
    let Contents::Sparse(sparse) = contents else { panic!("the positions that play can reach") };
    sparse
}

/// The layout of a dense solution.
pub(crate) fn layout(solution: &Solution) -> &Layout {
    every(solution.contents()).layout()
}

/// The outcome of `position`, in any layout.
pub(crate) fn outcome(solution: &Solution, position: Position) -> Outcome {
    solution.outcome(position).expect("a position that has a label")
}

/// The positions of a sparse solution, with their outcomes.
pub(crate) fn held(solution: &Solution) -> impl Iterator<Item = (Position, Outcome)> + '_ {
    reachable(solution.contents()).positions().map(|found| found.expect("a solver writes sound keys and labels"))
}

/// The bytes of a table of `solution`, with an empty descriptor.
pub(crate) fn table_bytes(solution: &Solution) -> Vec<u8> {
    solution.to_bytes(&Descriptor::default())
}

/// A table of `solution` with an empty descriptor, opened.
pub(crate) fn table(solution: &Solution) -> Table {
    Table::from_bytes(table_bytes(solution)).expect("a table just written")
}

/// Panics unless every kernel gives the bytes of the reference implementation, including padding. Returns the reference
/// solution. The layout does not depend on the kernel, so one reference suffices for all kernels.
pub(crate) fn assert_twins(rules: &Rules) -> Solution {
    assert_twins_in(rules, LabelSet::OUTCOME)
}

/// [`assert_twins`] for `labels`.
pub(crate) fn assert_twins_in(rules: &Rules, labels: LabelSet) -> Solution {
    let mut twin = None;
    for options in kernels() {
        let fast = solve(rules, &Options { labels, ..options }).expect("the rules are small");
        let twin =
            twin.get_or_insert_with(|| solve::scalar(rules, Some(layout(&fast)), labels).expect("the rules are small"));
        if fast != *twin {
            let first = positions(rules).find(|&p| outcome(&fast, p) != outcome(twin, p));
            panic!("{}: {} and its twin differ, first at {first:?} (None: in padding)", rules.name(), fast.program());
        }
    }
    twin.expect("every machine has a kernel")
}
