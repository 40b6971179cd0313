//! Compares each kernel with the reference implementation.

use tablegen::label::LabelSet;
use tablegen::plane::Layout;
use tablegen::rules::Rules;
use tablegen::solve::{self, Kernel, Options, Solution, Solver, solve};

use super::{every, outcome, positions};

/// Options of a dense solver, one for each kernel that this machine can run.
pub(crate) fn kernels() -> Vec<Options<'static>> {
    let with = |kernel| Options::of(Solver::Dense { marks: false, kernel: Some(kernel), layout: None });
    Kernel::available().into_iter().map(with).collect()
}

/// The layout of a dense solution.
pub(crate) fn layout(solution: &Solution) -> &Layout {
    every(solution.contents()).layout()
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
