//! Tables inside the library: answers without a build, a folder or a file.
//!
//! They are the files of `tables/`, byte for byte. `cargo test --test shipped -- --ignored` writes them anew, with
//! their manifest; the other tests there compare every byte with what a build gives.

/// A table inside the library.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Name of the file: the name of its rules and `.tb`.
    pub file: &'static str,
    /// The family of its game.
    pub family: &'static str,
    /// The parameters that differ from the family's defaults.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The whole table, for [`Table::from_bytes`](crate::table::Table::from_bytes).
    pub bytes: &'static [u8],
}

/// Every table that is shipped.
pub static TABLES: &[Shipped] = &[Shipped {
    file: "tactics-4x4-run4-misere.tb",
    family: "tactics",
    parameters: &[],
    bytes: include_bytes!("../tables/tactics-4x4-run4-misere.tb"),
}];
