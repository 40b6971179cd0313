//! `probe`: from the shipped table, from built tables, by solving on the spot; single positions and batches.

use super::Home;

#[test]
fn a_batch_answers_each_line_at_once() {
    use std::io::{BufRead, BufReader, Write};
    let home = Home::new();
    let mut command = home.command(&["probe", "tactics", "--batch", "--brief"]);
    let mut child = command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let (mut ask, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    for (position, outcome) in [("0xffff", "win"), ("0x0", "loss"), ("0xfffe", "loss")] {
        writeln!(ask, "{position}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), outcome);
    }
    drop(ask);
    assert!(child.wait().unwrap().success());
}
