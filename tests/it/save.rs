//! Tables and the file system: what is no table file, and how a table comes to its place whole or not at all.

use std::fs;
use std::path::Path;

use crate::common::{games, scalar};
use tablegen::plane::Layout;
use tablegen::rules::{Descriptor, Rules, RulesSpec};
use tablegen::solve::Solution;
use tablegen::table::{Draft, Table, TableError, TableFault, verify_bytes};

/// Rules, solved: what a draft borrows from.
struct Solved {
    rules: Rules,
    solution: Solution,
    layout: Layout,
}

impl Solved {
    fn new(rules: Rules) -> Self {
        let solution = scalar(&rules);
        Self { layout: solution.layout().clone(), rules, solution }
    }

    fn draft<'a>(&'a self, descriptor: &'a Descriptor) -> Draft<'a> {
        Draft { rules: &self.rules, descriptor, layout: &self.layout, planes: self.solution.planes() }
    }

    fn bytes(&self) -> Vec<u8> {
        self.draft(&Descriptor::default()).to_bytes()
    }

    fn save(&self, path: impl AsRef<Path>) -> Result<(), TableError> {
        self.draft(&Descriptor::default()).save(path)
    }
}

fn motley() -> Solved {
    Solved::new(games::motley())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Opens `path`, which must fail with an error that names it.
fn refused(path: &Path) -> TableFault {
    let error = Table::open(path).expect_err("no table is there");
    assert_eq!(error.path.as_deref(), Some(path));
    let text = error.to_string();
    assert!(text.starts_with(&path.display().to_string()) && !text.contains('\n'), "{text}");
    error.fault
}

#[test]
fn what_is_no_table_file() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let missing = refused(&path("missing.tb"));
    assert!(matches!(missing, TableFault::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
    assert!(matches!(refused(folder.path()), TableFault::NotAFile(what) if what.contains("folder")));
    fs::write(path("empty.tb"), b"").expect("a new file");
    assert!(matches!(refused(&path("empty.tb")), TableFault::TooShort { found: 0 }));
    fs::write(path("text.tb"), "a table\n").expect("a new file");
    assert!(matches!(refused(&path("text.tb")), TableFault::Magic));
    assert!(matches!(refused(&path("text.tb/inside")), TableFault::Io(_)));
    assert!(matches!(refused(Path::new("")), TableFault::Io(_)));
}

#[test]
fn a_damaged_file_is_named_wherever_it_is_found_out() {
    let folder = folder();
    let path = folder.path().join("damaged.tb");
    let mut bytes = motley().bytes();
    let last = bytes.len() - 1;
    bytes[4096] ^= 1;
    fs::write(&path, &bytes).expect("a new file");
    let table = Table::open(&path).and_then(Table::checked).expect("the list of checksums is sound");
    let error = table.outcome(Default::default()).expect_err("a block that does not hold");
    assert!(error.path.as_ref() == Some(&path) && matches!(error.fault, TableFault::BlockChecksum { start: 4096, .. }));
    bytes[last] ^= 1;
    fs::write(&path, &bytes).expect("the same file");
    let error = Table::open(&path).and_then(Table::checked).expect_err("a list that does not hold");
    assert!(error.path.as_ref() == Some(&path) && matches!(error.fault, TableFault::ChecksumList));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn pipe(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("pipe.tb");
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo is part of every Unix");
        assert!(made.success());
        path
    }

    #[test]
    fn devices_and_pipes_are_refused_and_not_waited_for() {
        let folder = folder();
        let (path, (send, receive)) = (pipe(folder.path()), mpsc::channel());
        let opened = path.clone();
        // In a thread of its own: a reader that opened the pipe would wait for a writer for ever.
        std::thread::spawn(move || send.send(refused(&opened)));
        let fault = receive.recv_timeout(Duration::from_secs(20)).expect("an answer, and soon");
        assert!(matches!(fault, TableFault::NotAFile(what) if what.contains("pipe")));
        for device in ["/dev/null", "/dev/zero"] {
            assert!(matches!(refused(Path::new(device)), TableFault::NotAFile(_)), "{device}");
        }
    }

    /// Renaming over a device would leave a plain file where it was: `-o /dev/null` as root would be felt for long.
    #[test]
    fn what_is_no_plain_file_is_not_replaced() {
        let folder = folder();
        let path = pipe(folder.path());
        let link = folder.path().join("link.tb");
        std::os::unix::fs::symlink(&path, &link).expect("a new link");
        for place in [&path, &link] {
            let error = motley().save(place).expect_err("a pipe is there");
            assert_eq!(error.path.as_ref(), Some(place));
            assert!(error.to_string().contains("pipe"), "{error}");
        }
        use std::os::unix::fs::FileTypeExt;
        assert!(fs::metadata(&link).expect("still there").file_type().is_fifo());
        assert_eq!(names(folder.path()), ["link.tb", "pipe.tb"]);
    }

    #[test]
    fn a_path_that_is_no_text() {
        let folder = folder();
        let path = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.tb"));
        assert!(matches!(refused(&path), TableFault::Io(_)));
        // Some file systems take UTF-8 only; then there is no such file to open either.
        if motley().save(&path).is_ok() {
            assert_eq!(Table::open(&path).expect("what was just saved").path(), Some(&*path));
        }
    }

    #[test]
    fn a_dangling_link_is_a_missing_file() {
        let folder = folder();
        let link = folder.path().join("link.tb");
        std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).expect("a new link");
        assert!(matches!(refused(&link), TableFault::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
    }

    /// A table is for whom any other file of this user is for.
    #[test]
    fn permissions_are_those_of_any_new_file() {
        let folder = folder();
        let (table, other) = (folder.path().join("table.tb"), folder.path().join("other"));
        motley().save(&table).expect("a new table");
        fs::write(&other, b"").expect("a new file");
        let mode = |path| fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode(&table), mode(&other));
    }

    /// As the kernel kills a process, not as it asks it to end: what was there stays, and stays whole.
    #[test]
    fn what_is_there_stays_until_the_new_table_is_whole() {
        let folder = folder();
        let path = folder.path().join("table.tb");
        motley().save(&path).expect("a new table");
        let before = fs::read(&path).expect("a table");
        let other = Solved::new(games::dominoes(3));
        let mut seen = None;
        let look = |temporary: &Path| {
            // The new file has its own name, beside the old one, and the old one is still what it was.
            assert_eq!(temporary.parent(), Some(folder.path()));
            assert!(temporary != path && temporary.exists());
            assert!(fs::read(&path).expect("a table") == before);
            seen = Some(temporary.to_owned());
        };
        other.draft(&Descriptor::default()).save_with(&path, look).expect("a new table");
        assert!(!seen.expect("the name is told").exists());
        assert!(fs::read(&path).expect("a table") == other.bytes());
        assert_eq!(names(folder.path()), ["table.tb"]);
    }
}

#[test]
fn a_file_is_its_bytes() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    let solved = motley();
    solved.save(&path).expect("a new table");
    assert!(fs::read(&path).expect("a table") == solved.bytes());
    let table = Table::open(&path).expect("what was just saved");
    assert_eq!((table.path(), table.rules()), (Some(&*path), &solved.rules));
    assert_eq!(table.file_bytes(), fs::metadata(&path).expect("a table").len());
    let foretold = tablegen::table::file_bytes(&solved.rules, &Descriptor::default());
    assert_eq!(foretold, Some(table.file_bytes()));
    assert_eq!(names(folder.path()), ["table.tb"]);
}

#[test]
fn a_missing_folder_is_not_made() {
    let folder = folder();
    let path = folder.path().join("missing/table.tb");
    let error = motley().save(&path).expect_err("there is no such folder");
    assert!(matches!(&error.fault, TableFault::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
    assert_eq!(error.path.as_deref(), Some(&*path));
    assert!(!error.is_storage_full() && names(folder.path()).is_empty());
}

#[test]
fn a_folder_in_the_place_of_the_table_stays() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    fs::create_dir(&path).expect("a new folder");
    let error = motley().save(&path).expect_err("a folder is there");
    assert_eq!(error.path.as_deref(), Some(&*path));
    assert!(path.is_dir());
    assert_eq!(names(folder.path()), ["table.tb"]);
}

/// Longer and shorter than what was there: nothing of the old file is left.
#[test]
fn a_table_replaces_what_was_there() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    for there in [vec![7; 100_000], b"short".to_vec()] {
        fs::write(&path, there).expect("a file");
        motley().save(&path).expect("a table in its place");
        assert!(fs::read(&path).expect("a table") == motley().bytes());
    }
}

/// Who has a table open keeps the one he opened.
#[test]
fn an_open_table_outlives_its_replacement() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    let solved = Solved::new(games::chomp(3, 5));
    solved.save(&path).expect("a new table");
    let open = Table::open(&path).expect("what was just saved");
    motley().save(&path).expect("a table in its place");
    verify_bytes(&open, &|_| {}).expect("the mapping is of the old file");
    assert_eq!((open.rules(), open.file_bytes()), (&solved.rules, solved.bytes().len() as u64));
    assert_eq!(Table::open(&path).expect("the new one").rules().name(), "motley");
    fs::remove_file(&path).expect("a file");
    verify_bytes(&open, &|_| {}).expect("the mapping is of the old file still");
}

/// Four builds of two games to one place at once, and a reader all the while: each look finds one of them whole.
#[test]
fn builds_to_one_place_at_once() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    let games = [motley(), Solved::new(games::chomp(3, 5))];
    games[0].save(&path).expect("a new table");
    std::thread::scope(|scope| {
        for solved in games.iter().cycle().take(4) {
            scope.spawn(|| (0..20).for_each(|_| solved.save(&path).expect("a table in its place")));
        }
        scope.spawn(|| {
            for _ in 0..200 {
                let table = Table::open(&path).expect("there is always one");
                verify_bytes(&table, &|_| {}).expect("and it is whole");
                assert!(games.iter().any(|solved| solved.rules == *table.rules()));
            }
        });
    });
    let last = fs::read(&path).expect("a table");
    assert!(games.iter().any(|solved| solved.bytes() == last));
    assert_eq!(names(folder.path()), ["table.tb"]);
}

/// Boards whose tables no disk holds: their size is told or refused, and nothing overflows.
#[test]
fn sizes_of_tables_that_cannot_be() {
    let none = Descriptor::default();
    let bytes = |cells, modes: usize, terminal| {
        let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
        tablegen::table::file_bytes(
            &RulesSpec { modes, terminal, ..RulesSpec::new("large", cells) }.build().expect("sound rules"),
            &none,
        )
    };
    use tablegen::rules::Outcome::{Draw, Loss};
    // A page of header, 2^(n-3) bytes of labels, 32 bytes for each 2^16 of them.
    assert_eq!(bytes(36, 1, Loss), Some(4096 + (1 << 33) + (1 << 22)));
    assert_eq!(bytes(63, 1, Loss), Some(4096 + (1 << 60) + (1 << 49)));
    assert_eq!(bytes(64, 1, Loss), Some(4096 + (1 << 61) + (1 << 50)));
    assert_eq!((bytes(64, 1, Draw), bytes(64, 2, Loss), bytes(64, 4096, Draw)), (None, None, None));
    // The solver says so too, before it touches a page.
    for (cells, modes) in [(64, 1), (63, 2), (60, 1)] {
        let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
        let rules = RulesSpec { modes, ..RulesSpec::new("large", cells) }.build().expect("sound rules");
        assert!(tablegen::solve::dense(&rules, &Default::default()).is_err(), "{cells}");
        assert!(tablegen::solve::dense::scalar::solve(&rules).is_err(), "{cells}");
    }
}
