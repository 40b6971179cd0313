//! `probe`: from the shipped table, from built tables, by solving on the spot; single positions and batches.

use serde_json::{Value, json};

use super::Home;

#[test]
fn a_batch_prints_errors_in_place() {
    let home = Home::new();
    let mut input = b"0xffff\nnonsense\n\n0x1ffff\n\xff\xfe\n".to_vec();
    input.extend(vec![b'1'; 100_000]);
    input.extend(b"\r\n0x0");
    let ran = home.feed(&["probe", "tactics", "--batch", "--json"], &input);
    let error = ran.failed(2);
    assert!(error.contains("5 of 7 lines"), "{error}");
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed: Vec<bool> = lines.iter().map(|line| line["error"].is_string() && line["input"].is_string()).collect();
    assert_eq!(failed, [false, true, true, true, true, true, false]);
    assert_eq!((&lines[1]["input"], &lines[6]["outcome"]), (&json!("nonsense"), &json!("loss")));
    assert!(lines[5]["input"].as_str().unwrap().len() <= 200);

    let ran = home.feed(&["probe", "tactics", "--batch", "--brief"], &input);
    ran.failed(2);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[6]), (7, "win", "loss"));
    assert!(lines[1..6].iter().all(|line| line.starts_with("error: ")), "{lines:?}");
}

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
