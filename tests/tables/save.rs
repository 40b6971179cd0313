//! Tables and the file system: files that are not tables, and atomic replacement of a table.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::common::{games, scalar, table_bytes};
use tablegen::atomic_file::{remove_abandoned, write_atomically};
use tablegen::domain::Domain;
use tablegen::label::LabelSet;
use tablegen::rules::{Descriptor, RulesSpec};
use tablegen::solve::{self, Options, Solution, solve};
use tablegen::table::{SaveTable, Table, TableError, TableFault, file_bytes};
use tablegen::verify;

fn motley() -> Solution {
    scalar(&games::motley())
}

fn save(solution: &Solution, path: impl AsRef<Path>) -> Result<(), TableError> {
    solution.save(&Descriptor::default(), path)
}

fn bytes(table: &Table) {
    verify::bytes(table, &verify::Options::default()).expect("a table that is whole");
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

/// A way to open a table, with its name.
type Opens = (&'static str, fn(&Path) -> Result<Table, TableError>);

/// Loading a file into memory and memory-mapping it give the same tables and the same errors.
const OPEN: Opens = ("open", |path| Table::open(path));
const MAP: Opens = ("map", |path| {
    // SAFETY: no test here writes to a file that is open, or truncates it.
    unsafe { Table::map(path) }
});

/// Opens `path` in both ways, which must fail with an error that names it. Returns the fault.
fn refused(path: &Path) -> TableFault {
    let [opened, mapped] = [OPEN, MAP].map(|(how, open)| {
        let error = open(path).expect_err("no table is there");
        assert_eq!(error.path.as_deref(), Some(path), "{how}");
        let text = error.to_string();
        assert!(text.starts_with(&path.display().to_string()) && !text.contains('\n'), "{how}: {text}");
        error
    });
    assert_eq!(opened.to_string(), mapped.to_string());
    opened.fault
}

#[test]
fn files_that_are_not_tables() {
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
fn errors_name_the_damaged_file() {
    let folder = folder();
    let path = folder.path().join("damaged.tb");
    let mut bytes = table_bytes(&motley());
    let last = bytes.len() - 1;
    bytes[4096] ^= 1;
    fs::write(&path, &bytes).expect("a new file");
    for (how, open) in [OPEN, MAP] {
        let table = open(&path).and_then(Table::checked).expect("the list of checksums is sound");
        let error = table.outcome(Default::default()).expect_err("a block that does not hold");
        assert_eq!(error.path.as_ref(), Some(&path), "{how}");
        assert!(matches!(error.fault, TableFault::BlockChecksum { start: 4096, .. }), "{how}: {error}");
    }
    bytes[last] ^= 1;
    fs::write(&path, &bytes).expect("the same file");
    for (how, open) in [OPEN, MAP] {
        let error = open(&path).and_then(Table::checked).expect_err("a list that does not hold");
        assert!(
            error.path.as_ref() == Some(&path) && matches!(error.fault, TableFault::ChecksumList),
            "{how}: {error}"
        );
    }
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
    fn devices_and_pipes_are_refused_without_waiting() {
        let folder = folder();
        let (path, (send, receive)) = (pipe(folder.path()), mpsc::channel());
        let opened = path.clone();
        // A reader that opened the pipe would wait for a writer forever, so it runs in a thread of its own.
        std::thread::spawn(move || send.send(refused(&opened)));
        let fault = receive.recv_timeout(Duration::from_secs(20)).expect("an answer, and soon");
        assert!(matches!(fault, TableFault::NotAFile(what) if what.contains("pipe")));
        for device in ["/dev/null", "/dev/zero"] {
            assert!(matches!(refused(Path::new(device)), TableFault::NotAFile(_)), "{device}");
        }
    }

    /// Renaming a table over a device would replace the device with a plain file: `-o /dev/null` by root would do
    /// lasting harm.
    #[test]
    fn special_files_are_not_replaced() {
        let folder = folder();
        let path = pipe(folder.path());
        let link = folder.path().join("link.tb");
        std::os::unix::fs::symlink(&path, &link).expect("a new link");
        for place in [&path, &link] {
            let error = save(&motley(), place).expect_err("a pipe is there");
            assert_eq!(error.path.as_ref(), Some(place));
            assert!(error.to_string().contains("pipe"), "{error}");
        }
        use std::os::unix::fs::FileTypeExt;
        assert!(fs::metadata(&link).expect("still there").file_type().is_fifo());
        assert_eq!(names(folder.path()), ["link.tb", "pipe.tb"]);
    }

    #[test]
    fn a_path_that_is_not_text() {
        let folder = folder();
        let path = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.tb"));
        assert!(matches!(refused(&path), TableFault::Io(_)));
        // Some file systems accept only UTF-8, and then the table cannot be saved under this name.
        if save(&motley(), &path).is_ok() {
            assert_eq!(Table::open(&path).expect("a table just saved").path(), Some(&*path));
        }
    }

    #[test]
    fn a_dangling_link_is_a_missing_file() {
        let folder = folder();
        let link = folder.path().join("link.tb");
        std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).expect("a new link");
        assert!(matches!(refused(&link), TableFault::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
    }

    /// A table has the permissions of any other new file of this user.
    #[test]
    fn a_table_has_the_permissions_of_a_new_file() {
        let folder = folder();
        let (table, other) = (folder.path().join("table.tb"), folder.path().join("other"));
        save(&motley(), &table).expect("a new table");
        fs::write(&other, b"").expect("a new file");
        let mode = |path| fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode(&table), mode(&other));
    }

    /// A process may be killed at any moment while it writes: the old table stays whole.
    #[test]
    fn the_old_table_stays_until_the_new_one_is_whole() {
        let folder = folder();
        let path = folder.path().join("table.tb");
        save(&motley(), &path).expect("a new table");
        let before = fs::read(&path).expect("a table");
        let other = scalar(&games::dominoes(3));
        let mut seen = None;
        let look = |temporary: &Path| {
            // The new file has a name of its own in the same folder, and the old table is unchanged.
            assert_eq!(temporary.parent(), Some(folder.path()));
            assert!(temporary != path && temporary.exists());
            assert!(fs::read(&path).expect("a table") == before);
            seen = Some(temporary.to_owned());
        };
        other.save_with(&Descriptor::default(), &path, look, None).expect("a new table");
        assert!(!seen.expect("the name is told").exists());
        assert!(fs::read(&path).expect("a table") == table_bytes(&other));
        assert_eq!(names(folder.path()), ["table.tb"]);
    }
}

#[test]
fn a_file_is_its_bytes() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    let solved = motley();
    save(&solved, &path).expect("a new table");
    assert!(fs::read(&path).expect("a table") == table_bytes(&solved));
    for (how, open) in [OPEN, MAP] {
        let table = open(&path).expect("a table just saved");
        assert_eq!((table.path(), table.rules()), (Some(&*path), solved.rules()), "{how}");
        assert_eq!(table.file_bytes(), fs::metadata(&path).expect("a table").len(), "{how}");
        assert_eq!(table.file_bytes(), solved.file_bytes(&Descriptor::default()), "{how}");
        assert_eq!(
            file_bytes(solved.rules(), &Descriptor::default(), solved.domain(), LabelSet::OUTCOME),
            Some(table.file_bytes()),
            "{how}"
        );
    }
    assert_eq!(names(folder.path()), ["table.tb"]);
}

#[test]
fn a_missing_folder_is_not_created() {
    let folder = folder();
    let path = folder.path().join("missing/table.tb");
    let error = save(&motley(), &path).expect_err("there is no such folder");
    assert!(matches!(&error.fault, TableFault::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
    assert_eq!(error.path.as_deref(), Some(&*path));
    assert!(!error.is_storage_full() && names(folder.path()).is_empty());
}

#[test]
fn a_folder_in_the_place_of_the_table_stays() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    fs::create_dir(&path).expect("a new folder");
    let error = save(&motley(), &path).expect_err("a folder is there");
    assert_eq!(error.path.as_deref(), Some(&*path));
    assert!(path.is_dir());
    assert_eq!(names(folder.path()), ["table.tb"]);
}

/// The old file may be longer or shorter than the table: nothing of it remains.
#[test]
fn a_table_replaces_an_existing_file() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    for there in [vec![7; 100_000], b"short".to_vec()] {
        fs::write(&path, there).expect("a file");
        save(&motley(), &path).expect("a table in its place");
        assert!(fs::read(&path).expect("a table") == table_bytes(&motley()));
    }
}

/// A table that is open keeps its content when another file is renamed over its own.
#[test]
fn an_open_table_outlives_its_replacement() {
    for (how, open) in [OPEN, MAP] {
        let folder = folder();
        let path = folder.path().join("table.tb");
        let solved = scalar(&games::chomp(3, 5));
        save(&solved, &path).expect("a new table");
        let table = open(&path).expect("a table just saved");
        save(&motley(), &path).expect("a table in its place");
        bytes(&table);
        assert_eq!((table.rules(), table.file_bytes()), (solved.rules(), table_bytes(&solved).len() as u64), "{how}");
        assert_eq!(open(&path).expect("the new one").rules().name(), "motley", "{how}");
        fs::remove_file(&path).expect("a file");
        bytes(&table);
    }
}

/// A table in memory keeps its content, whatever happens to its file.
#[test]
fn a_table_that_was_read_outlives_its_file() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    save(&motley(), &path).expect("a new table");
    let table = Table::open(&path).expect("a table just saved");
    fs::write(&path, b"short").expect("the same file");
    bytes(&table);
    assert_eq!(table.file_bytes(), table_bytes(&motley()).len() as u64);
}

/// Four builds write two games to one path, while a reader looks all the time: it always finds one of the tables whole.
#[test]
fn builds_to_one_place_at_once() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    let games = [motley(), scalar(&games::chomp(3, 5))];
    save(&games[0], &path).expect("a new table");
    std::thread::scope(|scope| {
        for solved in games.iter().cycle().take(4) {
            scope.spawn(|| (0..20).for_each(|_| save(solved, &path).expect("a table in its place")));
        }
        scope.spawn(|| {
            for round in 0..200 {
                let (_, open) = [OPEN, MAP][round % 2];
                let table = open(&path).expect("there is always one");
                bytes(&table);
                assert!(games.iter().any(|solved| solved.rules() == table.rules()));
            }
        });
    });
    let last = fs::read(&path).expect("a table");
    assert!(games.iter().any(|solved| table_bytes(solved) == last));
    assert_eq!(names(folder.path()), ["table.tb"]);
}

/// If a write fails, its file is removed, and the existing file is unchanged.
#[test]
fn a_write_that_fails_leaves_nothing() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    fs::write(&path, b"old").expect("a file");
    let failing = |file: &mut fs::File| {
        std::io::Write::write_all(file, b"half of it")?;
        Err(std::io::Error::other("no more"))
    };
    let error = write_atomically(&path, |_| {}, failing).expect_err("it fails");
    assert_eq!(error.to_string(), "no more");
    assert_eq!((names(folder.path()), fs::read(&path).expect("a file")), (vec!["table.tb".into()], b"old".to_vec()));
}

/// Temporary files of killed processes are removed, however new, if they are not locked. All other files stay.
#[test]
fn unlocked_temporary_files_are_removed() {
    let folder = folder();
    let now = SystemTime::now();
    let put = |name: &str, age: u64| {
        let file = fs::File::create(folder.path().join(name)).expect("a new file");
        file.set_modified(now - Duration::from_secs(age)).expect("a time");
        file
    };
    drop(put(".tablegen-aaaaaa.tb.tmp", 3));
    drop(put(".tablegen-bbbbbb.tb.tmp", 3600));
    drop(put(".tablegen-young0.tb.tmp", 0));
    for other in [".tablegen-notes", "tablegen-aaaaaa.tb.tmp", ".tablegen-aaaaaa.tb", "table.tb"] {
        drop(put(other, 3600));
    }
    fs::create_dir(folder.path().join(".tablegen-folder.tb.tmp")).expect("a new folder");
    let (shared, exclusive) = (put(".tablegen-locked.tb.tmp", 3600), put(".tablegen-owned0.tb.tmp", 3600));
    shared.lock_shared().expect("a lock");
    exclusive.lock().expect("a lock");
    remove_abandoned(folder.path());
    let stay = [
        ".tablegen-aaaaaa.tb",
        ".tablegen-folder.tb.tmp",
        ".tablegen-locked.tb.tmp",
        ".tablegen-notes",
        ".tablegen-owned0.tb.tmp",
        "table.tb",
        "tablegen-aaaaaa.tb.tmp",
    ];
    assert_eq!(names(folder.path()), stay);
    // Unlocked, they are removed too.
    drop((shared, exclusive));
    remove_abandoned(folder.path());
    assert_eq!(
        names(folder.path()),
        stay.into_iter().filter(|name| !name.contains("locked") && !name.contains("owned")).collect::<Vec<_>>()
    );
    // A missing folder is not an error.
    remove_abandoned(&folder.path().join("missing"));
}

/// Another process that cleans up does not remove a file that is being written.
#[test]
fn a_file_that_is_being_written_is_not_removed() {
    let folder = folder();
    let path = folder.path().join("table.tb");
    let look = |temporary: &Path| {
        let file = fs::File::options().write(true).open(temporary).expect("the temporary file");
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).expect("a time");
        remove_abandoned(folder.path());
        assert!(temporary.exists());
    };
    motley().save_with(&Descriptor::default(), &path, look, None).expect("a new table");
    assert_eq!(names(folder.path()), ["table.tb"]);
}

/// Boards whose tables fit on no disk: the size is reported or refused, without overflow.
#[test]
fn sizes_of_impossible_tables() {
    let none = Descriptor::default();
    let bytes = |cells, modes: usize, terminal| {
        let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
        let rules = RulesSpec { modes, terminal, ..RulesSpec::new("large", cells) }.build().expect("sound rules");
        file_bytes(&rules, &none, &Domain::every_board(&rules), LabelSet::OUTCOME)
    };
    use tablegen::rules::Outcome::{Draw, Loss};
    // A page of header, 2^(n-3) bytes of labels, and 32 bytes of checksum for each 2^16 bytes of labels.
    assert_eq!(bytes(36, 1, Loss), Some(4096 + (1 << 33) + (1 << 22)));
    assert_eq!(bytes(63, 1, Loss), Some(4096 + (1 << 60) + (1 << 49)));
    assert_eq!(bytes(64, 1, Loss), Some(4096 + (1 << 61) + (1 << 50)));
    assert_eq!((bytes(64, 1, Draw), bytes(64, 2, Loss), bytes(64, 4096, Draw)), (None, None, None));
    // The solvers refuse such boards too, before they allocate memory.
    for (cells, modes) in [(64, 1), (63, 2), (60, 1)] {
        let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
        let rules = RulesSpec { modes, ..RulesSpec::new("large", cells) }.build().expect("sound rules");
        assert!(solve(&rules, &Options::default()).is_err(), "{cells}");
        assert!(solve::scalar(&rules, None, LabelSet::OUTCOME).is_err(), "{cells}");
    }
}
