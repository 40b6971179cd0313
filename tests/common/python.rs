//! What the reader of tables in Python must print for a solution.

use std::process::Output;

use super::stored;
use tablegen::label::Value;
use tablegen::rules::Position;
use tablegen::solve::Solution;

/// Panics unless the output of the script has every counted position of `solution` with its labels, in order.
pub(crate) fn assert_prints(output: &Output, solution: &Solution) {
    let name = solution.rules().name();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let contents = solution.contents();
    let mut counted = stored(solution.rules(), contents);
    counted.retain(|&position| contents.is_counted(position).expect("in memory"));
    counted.sort_unstable();
    let line = |position: Position| {
        let Value { outcome, numbers, .. } = solution.value(position).expect("a label");
        let numbers = numbers.values();
        let numbers: String = numbers.map(|number| format!(",{number}")).collect();
        format!("{},{},{outcome}{numbers}\n", position.mode.0, position.board.low_word())
    };
    let found = String::from_utf8_lossy(&output.stdout);
    let expected: String = counted.into_iter().map(line).collect();
    if found != expected {
        let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        panic!("{name}: {} lines, {} expected; {differs:?}", found.lines().count(), expected.lines().count());
    }
}
