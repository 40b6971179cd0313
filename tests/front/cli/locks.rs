//! Several builds of one table at the same time: one builds it, and the others report that.

use std::fs;
use std::process::Child;

use serde_json::json;

use super::building::start;
#[cfg(unix)]
use super::building::{SLOW, SLOW_NAME, start_slow};
#[cfg(unix)]
use super::send;
use super::{Home, Ran, ran};

#[test]
fn two_builds_of_one_table_at_once() {
    let home = Home::new();
    fs::create_dir(home.path("tables")).unwrap();
    let mut first = None;
    for _ in 0..5 {
        let start = |_| start(&home, &["build", "tactics", "--cols", "5"]);
        let both: Vec<Child> = (0..3).map(start).collect();
        let ended = both.into_iter().map(|child| ran(child.wait_with_output().unwrap()));
        let (done, refused): (Vec<Ran>, Vec<Ran>) = ended.partition(|ran| ran.status == 0);
        assert!(!done.is_empty());
        for ran in refused {
            let line = ran.failed(4);
            assert!(line.contains("expected no other build of this table, found process "), "{line}");
        }
        assert_eq!(home.files("tables"), ["tactics-4x5-run4-misere.tb"]);
        let bytes = fs::read(home.path("tables/tactics-4x5-run4-misere.tb")).unwrap();
        assert!(first.get_or_insert_with(|| bytes.clone()) == &bytes, "every build writes the same bytes");
    }
    home.run(&["verify", "tactics", "--cols", "5"]);
}

/// Each build adds another label. Builds that are not refused keep the labels of earlier builds.
#[test]
fn labels_that_are_added_at_once_are_all_kept() {
    let home = Home::new();
    for _ in 0..3 {
        home.run(&["build", "kayles", "-o", "it.tb", "--force"]);
        let mut left = vec!["remoteness", "nimber"];
        while !left.is_empty() {
            let start = |label: &&str| start(&home, &["build", "kayles", "-o", "it.tb", "--labels", *label]);
            let builds: Vec<(&str, Child)> = left.iter().map(|label| (*label, start(label))).collect();
            left.clear();
            for (label, build) in builds {
                let ran = ran(build.wait_with_output().unwrap());
                if ran.status != 0 {
                    ran.failed(4);
                    left.push(label);
                }
            }
        }
        let info = home.json(&["info", "it.tb", "--json"]);
        assert_eq!(info["labels"], json!(["outcome", "remoteness", "nimber"]));
        assert_eq!(home.files(""), ["it.tb"]);
    }
}

/// A build whose lock file was removed must not replace a table that another build may have written since.
#[test]
#[cfg(unix)]
fn a_build_whose_lock_was_removed_reports_it() {
    use rustix::process::Signal;
    let home = Home::new();
    let mut first = start_slow(&home, "lost");
    let lock = home.path("lost").join(format!(".tablegen-{SLOW_NAME}.tb.lock"));
    // The process number is in the file once the file is locked.
    let is_locked = || fs::read_to_string(&lock).is_ok_and(|number| number.ends_with('\n'));
    while !is_locked() && first.try_wait().unwrap().is_none() {}
    send(&mut first, Signal::STOP);
    if fs::remove_file(&lock).is_err() {
        send(&mut first, Signal::CONT);
        first.wait().unwrap();
        return eprintln!("the build was complete before it was stopped");
    }
    home.run(&[&["--tables", "lost"][..], &SLOW, &["--labels", "remoteness"]].concat());
    send(&mut first, Signal::CONT);
    let line = ran(first.wait_with_output().unwrap()).failed(4);
    // The other build may have left its process number in a new lock file.
    let [before, after] = [" was removed during the build, and ", " may build the same table"];
    assert!(line.contains(before) && line.contains(after), "{line}");
    assert!(line.ends_with("no files were left behind"), "{line}");
    let info = home.json(&["info", &format!("lost/{SLOW_NAME}.tb"), "--json"]);
    assert_eq!(info["labels"], json!(["outcome", "remoteness"]));
    assert_eq!(home.files("lost"), [format!("{SLOW_NAME}.tb")]);
}
