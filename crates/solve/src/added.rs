//! Adds labels to contents that lack them, and keeps the labels that are there.
//!
//! Dense contents need only the layout: a one-byte label follows from the same label of the successors, and not from
//! outcomes. Sparse contents need the keys, so that positions are not searched for again.

use std::time::Duration;

use super::dense::{self, BytePlanes};
use super::{Method, Options, SolveError, check_labels, coloured, sparse};
use crate::contents::{ByteLabels, Contents};
use crate::label::LabelKind;
use crate::rules::Rules;

/// The added labels.
pub struct Added {
    bytes: Bytes,
    program: &'static str,
    solve_time: Duration,
}

enum Bytes {
    Dense(BytePlanes),
    Sparse(Vec<(LabelKind, Vec<u8>)>),
    Coloured(coloured::Added),
}

/// Solves those labels of `options` that `contents` of `rules` lack, on all cores of the current rayon pool. The
/// method, the roots and the layout come from the contents.
///
/// # Errors
/// If a label is not defined for the rules, memory is insufficient or its limit would be exceeded, the keys differ from
/// the reachable positions, or the progress function stops the work.
pub fn add(rules: &Rules, contents: &Contents<'_>, options: &Options<'_>) -> Result<Added, SolveError> {
    check_labels(rules, options.labels)?;
    let held = contents.labels();
    let lacking: Vec<LabelKind> = options.labels.others().filter(|&kind| !held.contains(kind)).collect();
    if lacking.is_empty() {
        return Ok(Added { bytes: Bytes::Sparse(Vec::new()), program: "nothing", solve_time: Duration::ZERO });
    }
    match contents {
        Contents::Dense(dense) => {
            let planes = dense::add(rules, dense.layout(), &lacking, options)?;
            let (program, solve_time) = (planes.kernel(), planes.sweep_time());
            Ok(Added { bytes: Bytes::Dense(planes), program, solve_time })
        }
        Contents::Folded(_) => Err(SolveError::Folded { name: rules.name().into() }),
        Contents::Coloured(contents) if contents.frame().fold().is_some() => {
            Err(SolveError::Folded { name: rules.name().into() })
        }
        Contents::Coloured(contents) => {
            let added = coloured::add(rules, contents.frame(), &lacking, options)?;
            let solve_time = added.sweep_time();
            Ok(Added { bytes: Bytes::Coloured(added), program: Method::Coloured.name(), solve_time })
        }
        Contents::Sparse(sparse) => {
            let begun = std::time::Instant::now();
            let bytes = Bytes::Sparse(sparse::add(rules, sparse, &lacking, options)?);
            Ok(Added { bytes, program: Method::of_reachable(rules).name(), solve_time: begun.elapsed() })
        }
    }
}

impl Added {
    /// The labels.
    pub fn bytes(&self) -> ByteLabels<'_> {
        ByteLabels::new(|kind| match &self.bytes {
            Bytes::Dense(planes) => planes.of(kind),
            Bytes::Coloured(planes) => planes.of(kind),
            Bytes::Sparse(columns) => {
                columns.iter().find(|(found, _)| *found == kind).map(|(_, bytes)| bytes.as_slice())
            }
        })
    }

    /// The program that computed the labels: a kernel of the sweep, `two-colour`, `sparse` or `cyclic`.
    pub const fn program(&self) -> &'static str {
        self.program
    }

    /// The time spent on labelling.
    pub const fn solve_time(&self) -> Duration {
        self.solve_time
    }
}
