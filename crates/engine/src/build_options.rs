//! The options of a build.

use std::path::PathBuf;

use super::UseSymmetry;
use super::compress::Compress;
use tablegen_labels::LabelSet;
use tablegen_solve::Method;

/// The options of a build, other than the game.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The file to write; `None` for the file named after the game in the first folder of tables.
    pub output: Option<PathBuf>,
    /// The solver; `None` for the one that suits the game and its size.
    pub method: Option<Method>,
    /// The use of the game's symmetries.
    pub symmetry: UseSymmetry,
    /// The labels to store, besides the outcome, which is always stored. Unless `force` is set, the build adds the
    /// labels of an older table that it replaces, and of an embedded table that the new table hides.
    pub labels: LabelSet,
    /// Store the value of each board as well, as a combinatorial game. Unless `force` is set, a build keeps the values of an older table.
    pub values: bool,
    /// The compression of the labels.
    pub compress: Compress,
    /// Maximum memory to use; `None` for three quarters of the available memory. Boards and colourings that do not fit
    /// are solved slice by slice.
    pub memory: Option<u64>,
    /// The folder for checkpoints; `None` for the folder of the table.
    pub scratch: Option<PathBuf>,
    /// Discard the checkpoints of an earlier build and start over.
    pub restart: bool,
    /// Replace any existing file, whatever it is, and keep none of its labels.
    pub force: bool,
}
