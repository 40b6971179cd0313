//! Checks of tables by regions that no other table needs.

use super::Finding;
use super::labels::Counted;
use crate::contents::{Contents, RegionLabels, Tally};
use crate::label::Remoteness;
use crate::regions::Place;
use crate::rules::{Outcome, Position};

/// The number of `position`, which must have one.
pub(super) fn number(regions: RegionLabels<'_>, position: Position) -> Result<u64, Finding> {
    match regions.regions().find(position) {
        Some(Place::At(number)) => Ok(number),
        _ => Err(Finding::Missing { position }),
    }
}

/// Checks what must agree with `outcome`, the outcome of the stored `position`: the outcome that its remoteness tells, and all labels of
/// the other numbers of its symmetry class.
pub(super) fn check_agreement(regions: RegionLabels<'_>, position: Position, outcome: Outcome) -> Result<(), Finding> {
    let contents = Contents::Regions(regions);
    // Outcomes could follow from one another around a cycle and all be wrong. Outcomes of remoteness cannot.
    if let Some(label) = contents.label::<Remoteness>(position)?
        && Outcome::from(label) != outcome
    {
        return Err(Finding::Label { position, found: outcome, expected: label.into() });
    }
    let Some(Place::At(number)) = regions.regions().find(position) else { return Ok(()) };
    let value = |number: u64| contents.value_at(number as usize, regions.outcome_at(number)?, position);
    for twin in regions.regions().twins(number) {
        if value(twin)? != value(number)? {
            return Err(Finding::Class { position, other: regions.position(twin)? });
        }
    }
    Ok(())
}

/// Counts `tally`, that of the stored `position`.
pub(super) fn count(
    regions: RegionLabels<'_>,
    position: Position,
    tally: Tally,
    counted: &mut Counted,
) -> Result<(), Finding> {
    let index = regions.regions();
    let (number, partner) = (number(regions, position)?, index.partner(position.mode.0));
    let all = tally.times(index.weight(number) / if partner.is_some() { 2 } else { 1 });
    for mode in [Some(position.mode.0), partner].into_iter().flatten() {
        let sum = &mut counted.all[usize::from(mode)];
        *sum = *sum + all;
    }
    Ok(())
}

/// Checks that the unused bits of the last byte of outcomes are zero.
pub(super) fn check_padding(regions: RegionLabels<'_>) -> Result<(), Finding> {
    if regions.column().is_padded()? { Ok(()) } else { Err(Finding::Stray) }
}
