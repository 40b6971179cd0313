//! Adds labels to contents that lack them, and keeps the labels that are there.
//!
//! Dense contents need only the layout: such a label follows from the same label of the successors, and not from
//! outcomes. Sparse contents need the keys, so that positions are not searched for again.

use super::labelled::Added;
use super::{Options, SolveError, check_labels, coloured, dense, sparse};
use crate::contents::Contents;
use crate::label::LabelSet;
use crate::rules::Rules;

/// Solves those labels of `options` that `contents` of `rules` lack, on all cores of the current rayon pool. The
/// method, the roots and the layout come from the contents.
///
/// # Errors
/// If a label is not defined for the rules, memory is insufficient or its limit would be exceeded, the keys differ from
/// the reachable positions, or the progress function stops the work.
pub fn add(rules: &Rules, contents: &Contents<'_>, options: &Options<'_>) -> Result<Added, SolveError> {
    check_labels(rules, options.labels)?;
    let lacking = options.labels.minus(contents.labels());
    if lacking == LabelSet::OUTCOME {
        return Ok(Added::none());
    }
    match contents {
        Contents::Dense(dense) if dense.fold().is_some() => Err(SolveError::Folded { name: rules.name().into() }),
        Contents::Dense(dense) => dense::add(rules, dense.layout(), lacking, options),
        Contents::Coloured(contents) if contents.frame().fold().is_some() => {
            Err(SolveError::Folded { name: rules.name().into() })
        }
        Contents::Coloured(contents) => coloured::add(rules, contents.frame(), lacking, options),
        // Labels by regions are solved together.
        Contents::Regions(_) => Err(SolveError::Folded { name: rules.name().into() }),
        Contents::Sparse(contents) => sparse::add(rules, contents, lacking, options),
    }
}
