//! Checks that a solver can solve some rules, and that they have some labels.

use crate::label::{LabelKind, LabelSet};
use crate::reachable::Codes;
use crate::rules::{Position, Rules};
use crate::{Method, SolveError};

/// Checks that `method` can solve `rules`. A sweep needs players who fill cells in turn, the sparse solver needs
/// positions that cannot repeat, and the cyclic solver positions that may. Whether positions have an index by regions is found when they
/// get one.
///
/// # Errors
/// [`SolveError::SweepObstacle`], [`SolveError::Repetition`], [`SolveError::Lines`], [`SolveError::TooWide`], [`SolveError::TooLarge`] or
/// [`SolveError::CountsAndGains`] if it cannot.
pub fn check_method(rules: &Rules, method: Method) -> Result<(), SolveError> {
    if method.is_of_reachable() {
        check_codes(rules)?;
        return match Method::of_reachable(rules) == method {
            // The cyclic solver undoes moves, and would have to know for each whether another one was legal.
            true if method == Method::Cyclic && rules.has_otherwise() => {
                Err(SolveError::Otherwise { name: rules.name().into() })
            }
            true => Ok(()),
            false => Err(SolveError::Repetition { name: rules.name().into(), method }),
        };
    }
    if method == Method::Regions {
        return check_counts(rules);
    }
    // The index of a board is one machine word.
    if method == Method::Dense && rules.cells() > u64::BITS {
        return Err(SolveError::TooLarge { cells: rules.cells(), modes: rules.modes().len() as u32 });
    }
    match rules.sweep_obstacle() {
        Some(reason) => {
            let instead = Method::of_reachable(rules);
            Err(SolveError::SweepObstacle { name: rules.name().into(), method, reason, instead })
        }
        None => Ok(()),
    }
}

/// Rejects rules whose positions have no codes, and those whose moves are not listed.
pub fn check_codes(rules: &Rules) -> Result<(), SolveError> {
    if rules.has_lines() {
        return Err(SolveError::Lines { name: rules.name().into() });
    }
    check_counts(rules)?;
    if rules.counts_pieces() {
        return Err(SolveError::Counts { name: rules.name().into() });
    }
    let (found, most) = (Codes::of(rules).bits(), Codes::MOST_BITS);
    if found <= most { Ok(()) } else { Err(SolveError::TooWide { name: rules.name().into(), found, most }) }
}

/// Rejects rules that count pieces and whose outcomes follow from scores: the solver that counts pieces computes no scores.
fn check_counts(rules: &Rules) -> Result<(), SolveError> {
    match rules.counts_pieces() && rules.has_gains() {
        true => Err(SolveError::CountsAndGains { name: rules.name().into() }),
        false => Ok(()),
    }
}

/// Checks that each of `labels` is defined for `rules`, and that scores are among them where outcomes follow from scores alone.
///
/// # Errors
/// If one is not.
pub fn check_labels(rules: &Rules, labels: LabelSet) -> Result<(), SolveError> {
    let undefined = |kind: LabelKind| kind.undefined_by(rules);
    let needed = labels.needed_by(rules);
    let Some((label, reason)) = needed.iter().find_map(|kind| Some((kind, undefined(kind)?))) else {
        return if needed == labels { Ok(()) } else { Err(SolveError::NeedsScore { name: rules.name().into() }) };
    };
    let defined = labels.iter().filter(|&kind| undefined(kind).is_none()).collect();
    Err(SolveError::Undefined { name: rules.name().into(), label, reason, defined })
}

/// Checks that each of `roots` is a position of `rules`.
///
/// # Errors
/// [`SolveError::Root`], for the first that is not.
pub fn check_roots(rules: &Rules, roots: &[Position]) -> Result<(), SolveError> {
    let wrong = roots.iter().find(|&&root| !rules.has(root));
    wrong.map_or(Ok(()), |&position| Err(SolveError::Root { name: rules.name().into(), position }))
}

/// Checks that planes of `needed` bytes are at most as large as `allowed`.
///
/// # Errors
/// [`SolveError::DenseMemory`] if they are not.
pub fn check_planes(needed: u64, allowed: Option<u64>) -> Result<(), SolveError> {
    match allowed {
        Some(allowed) if needed > allowed => Err(SolveError::DenseMemory { needed, allowed }),
        _ => Ok(()),
    }
}
