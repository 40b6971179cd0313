//! Forged counts of outcomes and of label codes.

use super::{assert_malformed, check, dominoes, every_label, motley, open};
use crate::common::forge;
use tablegen::solve::Method;
use tablegen::table::Table;
use tablegen::verify::Finding;

#[test]
fn forged_counts() {
    for whole in [motley(), dominoes()] {
        let (win, loss) = (forge::get(&whole, "figure.wins"), forge::get(&whole, "figure.losses"));
        let mut bytes = whole.clone();
        forge::set(&mut bytes, "figure.wins", win - 1);
        forge::set(&mut bytes, "figure.losses", loss + 1);
        forge::seal_all(&mut bytes);
        let table = Table::from_bytes(bytes).expect("counts that add up");
        match check(&table).expect_err("counts of other labels") {
            Finding::Counts { mode, expected, found } => {
                assert_eq!((mode.0, expected.win, expected.loss), (0, win - 1, loss + 1));
                assert_eq!((found.win, found.loss), (win, loss));
            }
            other => panic!("{other}"),
        }
        // Counts that do not add up; of the last, an unchecked sum would wrap around to the right number.
        let others = [win + 1, 0, u64::MAX, win.wrapping_sub(1 << 63)].map(|wins| (wins, loss));
        for (wins, losses) in others.into_iter().chain([(win + (1 << 63), loss + (1 << 63))]) {
            let mut bytes = whole.clone();
            forge::set(&mut bytes, "figure.wins", wins);
            forge::set(&mut bytes, "figure.losses", losses);
            forge::seal_all(&mut bytes);
            assert_malformed(bytes, "counts");
        }
    }
}

/// Counts of codes that encode no label, that contradict the outcomes or that overflow are refused when the table is
/// opened. Other wrong counts are found by the check of the labels.
#[test]
fn forged_counts_of_codes() {
    for whole in [Method::Dense, Method::Sparse].map(every_label) {
        for (label, zero, no_label) in [(2, 0, [65, 131, 189, 255]), (3, 0, [65, 100, 130, 255])] {
            let moved = |from: u8, to: u8, by: u64| {
                let mut bytes = whole.clone();
                for (code, by) in [(from, by.wrapping_neg()), (to, by)] {
                    let at = forge::count_of(&bytes, label, code);
                    let count = u64::from_le_bytes(bytes[at.clone()].try_into().expect("eight bytes"));
                    bytes[at].copy_from_slice(&count.wrapping_add(by).to_le_bytes());
                }
                forge::seal_all(&mut bytes);
                bytes
            };
            no_label.iter().for_each(|&code| assert_malformed(moved(zero, code, 1), "counts"));
            // Count a loss as a win, and then overflow a count.
            let win = if label == 2 { 253 } else { 1 };
            assert_malformed(moved(zero, win, 1), "counts");
            assert_malformed(moved(win, zero, 1 << 63), "counts");
            let other_win = if label == 2 { 251 } else { 2 };
            let table = open(moved(win, other_win, 1));
            match check(&table).expect_err("counts of other labels") {
                Finding::Codes { label: found } => assert_eq!(found as u8 + 1, label),
                other => panic!("{other}"),
            }
        }
    }
}

/// Too few counts for the modes, and counts in the section of keys, which has none.
#[test]
fn counts_that_are_too_few_or_too_many() {
    for (mut bytes, section) in [(motley(), 0), (dominoes(), 1), (dominoes(), 0)] {
        let header = forge::get(&bytes, "header.bytes") as usize;
        let at = forge::every(&bytes, "figures.count").swap_remove(section);
        let count = u32::from_le_bytes(bytes[at.clone()].try_into().expect("four bytes"));
        let forged = if count > 0 { count - 3 } else { 3 };
        bytes[at.clone()].copy_from_slice(&forged.to_le_bytes());
        if count > 0 {
            bytes.drain(at.end..at.end + 24);
            bytes.splice(header - 24..header - 24, [0; 24]);
        } else {
            bytes.splice(at.end..at.end, [0; 24]);
            bytes.drain(header..header + 24);
        }
        forge::seal_header(&mut bytes);
        assert_malformed(bytes, "counts");
    }
}
