//! The tables that come with the library. Some are embedded in it, and give answers without a build, a folder or a
//! file.
//!
//! They are byte for byte the files in `tables/`. `cargo test --test tables shipped::write -- --ignored` rewrites these
//! files and their manifest. The other tests in that file compare every byte with the result of a build.

use crate::label::LabelSet;

/// The labels in each shipped table.
pub const LABELS: LabelSet = LabelSet::BEST_PLAY;

/// A table that comes with the library.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Name of the file in `tables/`: the name of its rules plus `.tb`.
    pub file: &'static str,
    /// The family of its game.
    pub family: &'static str,
    /// The parameters that differ from the family's defaults.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The whole table, for [`Table::from_bytes`](crate::table::Table::from_bytes), if it is embedded.
    pub bytes: Option<&'static [u8]>,
}

/// Upper bound on the total size of all embedded tables, in bytes.
pub const MOST_EMBEDDED: usize = 1 << 20;

/// Every table that comes with the library. The large ones exist only as files: see [`MOST_EMBEDDED`].
pub static TABLES: &[Shipped] = &[
    Shipped {
        file: "tactics-4x4-run4-misere.tb",
        family: "tactics",
        parameters: &[],
        bytes: Some(include_bytes!("../../../tables/tactics-4x4-run4-misere.tb")),
    },
    Shipped {
        file: "dominoes-5-normal.tb",
        family: "dominoes",
        parameters: &[("n", "5")],
        bytes: Some(include_bytes!("../../../tables/dominoes-5-normal.tb")),
    },
    Shipped {
        file: "dominoes-7-normal.tb",
        family: "dominoes",
        parameters: &[],
        bytes: Some(include_bytes!("../../../tables/dominoes-7-normal.tb")),
    },
    Shipped { file: "dominoes-8-normal.tb", family: "dominoes", parameters: &[("n", "8")], bytes: None },
    Shipped {
        file: "tictactoe.tb",
        family: "tictactoe",
        parameters: &[],
        bytes: Some(include_bytes!("../../../tables/tictactoe.tb")),
    },
];

/// The embedded tables, each with its bytes.
pub fn embedded() -> impl Iterator<Item = (&'static Shipped, &'static [u8])> {
    TABLES.iter().filter_map(|shipped| Some((shipped, shipped.bytes?)))
}
