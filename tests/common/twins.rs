//! Compares each kernel with the reference implementation.

use tablegen::label::LabelSet;
use tablegen::plane::Layout;
use tablegen::rules::{Descriptor, Rules};
use tablegen::solve::{self, Kernel, Options, Solution, Solver, solve};
use tablegen::table::Table;
use tablegen::verify;

use super::{every, outcome, positions, python, script, table, table_bytes};

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

/// Saves and opens `solution`, verifies its table at three levels, adds its labels to a table of `outcomes` with `options`, and
/// reads it in Python. Returns the table.
pub(crate) fn assert_verified_and_read(solution: &Solution, outcomes: &Solution, options: &Options<'_>) -> Table {
    let (rules, labels, bytes) = (solution.rules(), options.labels, table_bytes(solution));
    let opened = table(solution);
    assert_eq!((opened.counts(), opened.labels()), (solution.counts(), labels));
    assert_eq!(opened.every_by_mode(), solution.every_by_mode());
    for layer in [verify::bytes, verify::labels] {
        layer(&opened, &verify::Options::default()).unwrap_or_else(|finding| panic!("{}: {finding}", rules.name()));
    }
    let report = verify::oracle(&opened, &verify::Options::default()).expect("labels of a solver are right");
    assert_eq!(report.right, solution.count() * labels.iter().count() as u64);
    let checked = table(solution).checked().expect("sound lists");
    for position in positions(rules) {
        assert_eq!(checked.find(position).expect("a position of the rules"), solution.outcome(position));
    }
    let extended = table(outcomes).extended(options).expect("small rules");
    assert!(extended.to_bytes(&Descriptor::default()).expect("sound bytes") == bytes, "{}", rules.name());
    python::assert_prints(&script::labels_of(&bytes), solution);
    opened
}
