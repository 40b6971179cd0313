//! Attacks on tables: bits that change under valid checksums, and headers that contradict themselves.

use super::forge;
use tablegen::table::Table;
use tablegen::verify::{self, Finding, Options};

/// Every bit of `bytes`.
pub(crate) fn bits(bytes: impl Iterator<Item = usize>) -> impl Iterator<Item = (usize, u32)> {
    bytes.flat_map(|byte| (0..8).map(move |bit| (byte, bit)))
}

/// Changes each bit alone, under valid checksums. Panics unless the check of the labels finds it. Calls `found` with the
/// bit, the changed table and the finding.
pub(crate) fn alter(
    whole: &[u8],
    bits: impl Iterator<Item = (usize, u32)>,
    mut found: impl FnMut((usize, u32), &[u8], Finding),
) {
    let check = |bytes: &[u8]| {
        let table = Table::from_bytes(bytes.to_vec()).expect("opening reads only the header");
        verify::labels(&table, &Options::default())
    };
    check(whole).expect("labels of a solver are right");
    for (byte, bit) in bits {
        let mut bytes = whole.to_vec();
        bytes[byte] ^= 1 << bit;
        forge::seal_all(&mut bytes);
        match check(&bytes) {
            Ok(_) => panic!("byte {byte}, bit {bit} was altered, and nothing was found"),
            Err(finding) => found((byte, bit), &bytes, finding),
        }
    }
}

/// Panics unless opening refuses the table after `change` to its header, with an error that contains `why`.
pub(crate) fn refused(whole: &[u8], change: impl FnOnce(&mut [u8]), why: &str) {
    let mut bytes = whole.to_vec();
    change(&mut bytes);
    forge::seal_header(&mut bytes);
    let error = Table::from_bytes(bytes).expect_err(why).to_string();
    assert!(error.contains(why), "{error}");
}
