//! Certificates: the separate checker accepts or refuses every text, and ends.

use std::cell::RefCell;
use std::io::{Seek, Write};

use tempfile::NamedTempFile;

#[allow(dead_code, reason = "the checker is a program, of which one function is called")]
#[path = "../../tools/certify-check/src/main.rs"]
mod checker;

/// Bytes of a certificate that is checked a second time.
const SHORT: usize = 1 << 11;

pub fn run(data: &[u8]) {
    // The checker reads a file several times, so it gets one. A file for each thread spares the system.
    thread_local! {
        static FILE: RefCell<NamedTempFile> = RefCell::new(NamedTempFile::new().expect("a temporary file"));
    }
    FILE.with_borrow_mut(|file| {
        let text = file.as_file_mut();
        text.set_len(0).and_then(|()| text.rewind()).and_then(|()| text.write_all(data)).expect("a writable file");
        let path = file.path().to_str().expect("a path in UTF-8");
        let all = checker::check(path, 1 << 24);
        // The number of members in memory must make no difference. With few, the checker reads a long file many times.
        if data.len() <= SHORT {
            let few = checker::check(path, 3);
            assert_eq!(all.is_ok(), few.is_ok(), "{all:?} {few:?}");
        }
    });
}
