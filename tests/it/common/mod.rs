//! What the tests share: a solver of their own, games to try it on, and a forger of tables.

pub(crate) mod forge;
pub(crate) mod games;
pub(crate) mod lists;
pub(crate) mod oracle;
pub(crate) mod random;
pub(crate) mod squares;
pub(crate) mod symmetry;

use tablegen::contents::{Contents, Dense, Sparse};
use tablegen::game::Game;
use tablegen::label::LabelSet;
use tablegen::plane::Layout;
use tablegen::rules::{Board, Descriptor, Mode, Outcome, Position, Rules};
use tablegen::solve::{self, Kernel, Method, Options, Solution, solve};
use tablegen::table::{SaveTable, Table};

/// Every kernel that this machine can run, as options of the solver.
pub(crate) fn kernels() -> Vec<Options<'static>> {
    let with = |kernel| Options { kernel: Some(kernel), ..Options::default() };
    Kernel::available().into_iter().map(with).collect()
}

/// Solves with the best kernel.
pub(crate) fn dense(rules: &Rules) -> Solution {
    solve(rules, &Options::default()).expect("the rules are small")
}

/// Solves with the scalar twin, in reading order.
pub(crate) fn scalar(rules: &Rules) -> Solution {
    solve::scalar(rules, None, LabelSet::OUTCOME).expect("the rules are small")
}

/// Solves what play can reach from where the rules begin.
pub(crate) fn sparse(rules: &Rules) -> Solution {
    solve(rules, &Options { method: Method::of_reachable(rules), ..Options::default() }).expect("the rules are small")
}

/// Solves every colouring with the best kernel.
pub(crate) fn coloured(rules: &Rules) -> Solution {
    solve(rules, &Options { method: Method::Coloured, ..Options::default() }).expect("small rules of two colours")
}

/// Solves what play can reach in `game`, from the roots it asks for.
pub(crate) fn sparse_of(game: &dyn Game) -> Solution {
    let options = Options { method: Method::of_reachable(game.rules()), roots: &game.roots(), ..Options::default() };
    solve(game.rules(), &options).expect("the rules are small")
}

/// Every position of `rules`, mode by mode, by board number.
pub(crate) fn positions(rules: &Rules) -> impl Iterator<Item = Position> + use<> {
    let boards = 1u64 << rules.cells();
    (0..rules.modes().len() as u16)
        .flat_map(move |mode| (0..boards).map(move |b| Position::new(Mode(mode), Board::from_word(b))))
}

/// The labels of every position; the contents must be dense.
pub(crate) fn every(contents: Contents<'_>) -> Dense<'_> {
    let Contents::Dense(dense) = contents else { panic!("a label of every position") };
    dense
}

/// The positions that play can reach; the contents must be sparse.
pub(crate) fn reachable(contents: Contents<'_>) -> Sparse<'_> {
    let Contents::Sparse(sparse) = contents else { panic!("the positions that play can reach") };
    sparse
}

/// The layout of a dense solution.
pub(crate) fn layout(solution: &Solution) -> &Layout {
    every(solution.contents()).layout()
}

/// The outcome of `position`, whatever the layout of the solution.
pub(crate) fn outcome(solution: &Solution, position: Position) -> Outcome {
    solution.outcome(position).expect("a position that has a label")
}

/// The positions that a sparse solution holds, and their outcomes.
pub(crate) fn held(solution: &Solution) -> impl Iterator<Item = (Position, Outcome)> + '_ {
    reachable(solution.contents()).positions().map(|found| found.expect("a solver writes sound keys and labels"))
}

/// The bytes of a table of `solution`, with no descriptor.
pub(crate) fn table_bytes(solution: &Solution) -> Vec<u8> {
    solution.to_bytes(&Descriptor::default())
}

/// A table of `solution` with no descriptor, opened.
pub(crate) fn table(solution: &Solution) -> Table {
    Table::from_bytes(table_bytes(solution)).expect("what was just written")
}

/// Panics unless every kernel gives the same bytes as the scalar twin, padding included, and returns the twin. The layout
/// does not depend on the kernel, so one twin is enough for all of them.
pub(crate) fn assert_twins(rules: &Rules) -> Solution {
    assert_twins_in(rules, LabelSet::OUTCOME)
}

/// As [`assert_twins`], for `labels`.
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
