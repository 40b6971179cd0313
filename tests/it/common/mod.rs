//! What the tests share: a solver of their own, games to try it on, and a writer of tables that obeys no one.

pub(crate) mod forge;
pub(crate) mod games;
pub(crate) mod oracle;
pub(crate) mod random;

use tablegen::game::Game;
use tablegen::plane::{Layout, Planes};
use tablegen::rules::{Board, Descriptor, Mode, Outcome, Position, Rules};
use tablegen::solve::dense::Kernel;
use tablegen::solve::{self, Solution, sparse};
use tablegen::table::{Draft, ReachedDraft};

/// Every kernel that this machine can run, as options of the solver.
pub(crate) fn kernels() -> Vec<solve::Options<'static>> {
    let with = |kernel| solve::Options { kernel: Some(kernel), ..solve::Options::default() };
    Kernel::available().into_iter().map(with).collect()
}

/// Solves with the fast path as it comes.
pub(crate) fn dense(rules: &Rules) -> Solution {
    solve::dense(rules, &solve::Options::default()).expect("the rules are sound and small")
}

/// Solves with the scalar twin, in reading order.
pub(crate) fn scalar(rules: &Rules) -> Solution {
    solve::dense::scalar::solve(rules).expect("the rules are sound and small")
}

/// Every position of `rules`, mode by mode, by board number.
pub(crate) fn positions(rules: &Rules) -> impl Iterator<Item = Position> + use<> {
    let boards = 1u64 << rules.cells();
    (0..rules.modes().len() as u16).flat_map(move |mode| (0..boards).map(move |b| Position::new(Mode(mode), Board(b))))
}

/// The outcome of `position`, whatever the layout of the solution.
pub(crate) fn outcome(solution: &Solution, position: Position) -> Outcome {
    read(solution.planes(), solution.layout(), position)
}

/// The outcome of `position` in planes of any layout.
pub(crate) fn read(planes: Planes<'_>, layout: &Layout, position: Position) -> Outcome {
    planes.outcome(position.mode, layout.index(position.board)).expect("nothing is a win and a loss")
}

/// The bytes of a table of `solution`, with no descriptor.
pub(crate) fn table_bytes(rules: &Rules, solution: &Solution) -> Vec<u8> {
    let (descriptor, layout) = (&Descriptor::default(), solution.layout());
    Draft { rules, descriptor, layout, planes: solution.planes() }.to_bytes()
}

/// What play reaches from where the rules begin, solved.
pub(crate) fn reached(rules: &Rules) -> sparse::Solution {
    sparse(rules, &sparse::Options::default()).expect("the rules are sound and small")
}

/// What play reaches in `game`, from the roots it asks for, solved.
pub(crate) fn reached_in(game: &dyn Game) -> sparse::Solution {
    let options = sparse::Options { roots: &game.roots(), ..sparse::Options::default() };
    sparse(game.rules(), &options).expect("the rules are sound and small")
}

/// The bytes of a table of what is reached, as a build writes it.
pub(crate) fn reached_bytes(rules: &Rules, descriptor: &Descriptor, solution: &sparse::Solution) -> Vec<u8> {
    let (roots, levels) = (solution.roots(), solution.levels());
    let (keys, outcomes, counts) = (solution.keys(), solution.outcomes(), solution.counts_by_mode());
    ReachedDraft { rules, descriptor, roots, levels, keys, outcomes, counts }.to_bytes()
}

/// Panics where the fast path and the scalar twin differ in a single bit, padding included, in the layout of the fast
/// path: planes of the same layout must be the same bytes.
pub(crate) fn assert_twins(rules: &Rules, fast: &Solution) {
    let twin = solve::dense::scalar::solve_in(rules, fast.layout().clone()).expect("sound and small");
    if fast.planes().bytes() != twin.planes().bytes() {
        let differs = |p: &Position| outcome(fast, *p) != outcome(&twin, *p);
        let first = positions(rules).find(differs);
        panic!("{}: {} and its twin differ, first at {first:?} (None: in padding)", rules.name(), fast.kernel());
    }
}
