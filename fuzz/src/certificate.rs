//! Certificates: the separate checker accepts or refuses every text, ends, and proves nothing false.

use std::cell::RefCell;
use std::io::{Seek, Write};

use tempfile::NamedTempFile;

#[allow(dead_code, reason = "the checker is a program, of which one function is called")]
#[path = "../../tools/certify-check/src/main.rs"]
pub mod checker;
#[path = "truth.rs"]
pub mod truth;

use truth::Claim;

/// Bytes of a certificate that is checked a second time.
const SHORT: usize = 1 << 11;
/// Positions of games whose truth is computed.
const SMALL: u128 = 1 << 9;

pub fn run(data: &[u8]) {
    let _ = is_proved(data);
}

/// Whether the checker accepts a certificate; of a small game it must be true.
pub fn is_proved(data: &[u8]) -> bool {
    let is_proved = check(data);
    if is_proved {
        let claim = std::str::from_utf8(data).ok().and_then(Claim::read).expect("a certificate is text");
        if claim.positions() > SMALL {
            return is_proved;
        }
        let text = String::from_utf8_lossy(data);
        if let Some([least, most]) = claim.score {
            let score = claim.true_score(&claim.scores()).expect("a root");
            let holds = least.is_none_or(|least| least <= score) && most.is_none_or(|most| score <= most);
            assert!(holds, "{score} of {text}");
        } else {
            assert_eq!(claim.truth(&claim.values()), claim.outcome, "{text}");
        }
    }
    is_proved
}

fn check(data: &[u8]) -> bool {
    // The checker reads a file several times, so it gets one. A file for each thread spares the system.
    thread_local! {
        static FILE: RefCell<NamedTempFile> = RefCell::new(NamedTempFile::new().expect("a temporary file"));
    }
    FILE.with_borrow_mut(|file| {
        let text = file.as_file_mut();
        text.set_len(0).and_then(|()| text.rewind()).and_then(|()| text.write_all(data)).expect("a writable file");
        let check = |part| checker::text::open(file.path()).and_then(|text| checker::check(text, part));
        let all = check(1 << 24);
        // The number of members in memory must make no difference. With few, the checker reads a long file many times.
        if data.len() <= SHORT {
            let few = check(3);
            assert_eq!(all.is_ok(), few.is_ok(), "{all:?} {few:?}");
        }
        all.is_ok()
    })
}
