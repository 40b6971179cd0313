//! Tools of long work: threads, progress, and files that appear whole.
//!
//! - [`parallel`]: work that threads share.
//! - [`progress`]: progress reports, for a watcher that may also stop the work.
//! - [`atomic_file`]: files that appear whole or not at all.

pub mod atomic_file;
pub mod parallel;
pub mod progress;

use tablegen_labels as label;
