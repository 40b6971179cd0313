//! The domain of a table in bytes, and the sections that a table of a domain has.

use std::sync::Arc;

use super::codec::{Decoder, Encoder};
use super::section::{Content, Room};
use super::{Table, TableFault, regions_codec};
use crate::colourings::{Frame, Square, Squares};
use crate::domain::{Domain, Method};
use crate::label::{Label, LabelKind, LabelSet, Remoteness};
use crate::plane::Layout;
use crate::reachable::{LevelSize, Levels};
use crate::rules::{Outcome, Position, Potential, Rules, Symmetry};
use crate::symmetry::{Fold, Group};

/// Most generators of a symmetry group.
const MOST_GENERATORS: usize = 256;
/// The byte that says that a square has no second cell.
const ALONE: u8 = u8::MAX;

const SYMMETRIES: TableFault = TableFault::Malformed("its symmetries do not fit its rules");

/// The byte that represents a solver in the file.
const fn solver_number(method: Method) -> u8 {
    match method {
        Method::Dense => 0,
        Method::Coloured => 1,
        Method::Sparse => 2,
        Method::Cyclic => 3,
        Method::Regions => 4,
    }
}

impl Table {
    /// The positions that have labels: their index, their symmetries and the starts of play.
    #[must_use]
    pub const fn domain(&self) -> &Domain {
        &self.header.domain
    }

    /// The solver that computed its labels.
    #[must_use]
    pub fn solver(&self) -> Method {
        self.header.domain.method()
    }

    /// True if positions may repeat.
    #[must_use]
    pub fn may_repeat(&self) -> bool {
        self.solver().may_repeat()
    }
}

/// The domain of a table that is solved level by level, from `starts` and up to the symmetries of `group`.
pub(super) const fn of_levels(levels: Levels, starts: Vec<Position>, group: Group) -> Domain {
    Domain::Sparse { levels, starts, group }
}

/// The contents and sizes of the sections of a table of `domain` with `labels`, in file order; `None` if a size does not
/// fit a `u64`.
pub(super) fn rooms(domain: &Domain, rules: &Rules, labels: LabelSet) -> Option<Vec<Room>> {
    let of_label = |label: LabelKind| {
        let width = domain.width(rules, label);
        let content = match domain {
            Domain::Dense { .. } => Content::Planes(label, width),
            Domain::Coloured(_) => Content::Colourings(label, width),
            Domain::Sparse { .. } | Domain::Regions { .. } => Content::Column(label, width),
        };
        Some(Room { content, bytes: domain.label_bytes(rules, width)? })
    };
    let keys = domain.key_bytes().map(|bytes| Some(Room { content: Content::Keys, bytes }));
    // The reachability bits follow the outcomes.
    let reached = || Some(Room { content: Content::Reached, bytes: domain.reachability_bytes(rules)? });
    let reached = domain.is_marked().then(reached);
    let outcomes = of_label(Outcome::KIND);
    let others = labels.intersection(domain.method().possible_labels()).others().map(of_label);
    keys.into_iter().chain([outcomes]).chain(reached).chain(others).collect()
}

/// Encodes `domain`, a domain of `rules`.
pub(super) fn encode(domain: &Domain, rules: &Rules, e: &mut Encoder) {
    e.u8(solver_number(domain.method()));
    e.u32(domain.starts().len() as u32);
    domain.starts().iter().for_each(|&start| e.position(start, rules.cells()));
    match domain {
        Domain::Dense { layout, .. } => e.bytes.extend(layout.permutation()),
        Domain::Coloured(frame) => {
            e.u32(frame.size());
            for square in frame.squares().list() {
                e.u8(square.first);
                e.u8(square.second.unwrap_or(ALONE));
            }
        }
        Domain::Sparse { levels, .. } => {
            let potential = levels.potential();
            potential.cells().iter().chain(potential.modes()).for_each(|&weight| e.u32(weight as u32));
            e.u32(levels.sizes().len() as u32);
            for size in levels.sizes() {
                e.u32(size.filled);
                e.u64(size.count);
            }
        }
        Domain::Regions { longest, .. } => e.u16(*longest),
    }
    let generators = domain.group().generators();
    e.u32(generators.len() as u32);
    for generator in generators {
        e.bytes.extend(generator.cells());
        generator.modes().iter().for_each(|&mode| e.u16(mode));
    }
    match domain {
        Domain::Dense { fold, .. } => fold.iter().for_each(|fold| e.u8(fold.slice_cells() as u8)),
        Domain::Coloured(frame) => frame.fold().into_iter().for_each(|fold| e.u8(fold.top_squares() as u8)),
        // The trivial group has no orders.
        Domain::Sparse { group, .. } => {
            e.bytes.extend(group.order_of_cells());
            group.order_of_modes().iter().for_each(|&mode| e.u16(mode));
        }
        Domain::Regions { regions, .. } => regions_codec::encode(regions, rules, e),
    }
}

/// Decodes a domain of `rules`.
///
/// # Errors
/// If it is not one that a writer encodes.
pub(super) fn decode(d: &mut Decoder<'_>, rules: &Rules) -> Result<Domain, TableFault> {
    let number = d.u8()?;
    let method = Method::ALL.into_iter().find(|&method| solver_number(method) == number);
    let method = method.ok_or(TableFault::Malformed("this version does not know its solver"))?;
    if rules.sweep_obstacle().is_some() && matches!(method, Method::Dense | Method::Coloured) {
        return Err(TableFault::Malformed("its solver cannot solve its rules"));
    }
    let starts = decode_starts(d, rules, method)?;
    match method {
        Method::Dense => {
            let layout = Layout::new(d.take(rules.cells() as usize)?.to_vec());
            let layout = layout.map_err(|_| TableFault::Malformed("its layout is not a permutation of its cells"))?;
            let kept = if starts.is_empty() { rules.start_positions() } else { starts.clone() };
            let group = decode_group(d, rules, &kept)?;
            if group.is_trivial() {
                return Ok(Domain::dense(layout, starts));
            }
            let fold = Fold::new(rules, layout, d.u8()?.into(), group).ok_or(SYMMETRIES)?;
            Ok(Domain::folded(fold, starts))
        }
        Method::Coloured => {
            let frame = decode_frame(d, rules, &starts)?;
            let group = decode_group(d, rules, &starts)?;
            if group.is_trivial() {
                return Ok(Domain::Coloured(frame));
            }
            frame.folded(rules, d.u8()?.into(), &group).map(Domain::Coloured).ok_or(SYMMETRIES)
        }
        Method::Regions => {
            let longest = d.u16()?;
            if longest > Remoteness::MOST_IN_WORD {
                return Err(TableFault::Malformed("its longest game has more plies than a label"));
            }
            // Numbers need symmetries of the rules, which may map starts to other positions.
            let group = decode_group(d, rules, &[])?;
            let regions = Arc::new(regions_codec::decode(d, rules, &starts, &group)?);
            Ok(Domain::Regions { regions, starts, group, longest })
        }
        Method::Sparse | Method::Cyclic => {
            let levels = decode_levels(d, rules, method)?;
            let group = decode_group(d, rules, &starts)?;
            if !group.is_trivial() {
                let order = (d.take(rules.cells() as usize)?, decode_modes(d, rules)?);
                if (group.order_of_cells(), group.order_of_modes()) != (order.0, &order.1) {
                    return Err(SYMMETRIES);
                }
                if !group.generators().iter().all(|it| levels.potential().is_kept_by(it)) {
                    return Err(TableFault::Malformed("its symmetries do not preserve its levels"));
                }
            }
            Ok(Domain::Sparse { levels, starts, group })
        }
    }
}

/// Decodes sorted positions of `rules` without duplicates. Without any, a dense table has no reachability bits. With
/// such bits, the start positions of the rules are among them.
fn decode_starts(d: &mut Decoder<'_>, rules: &Rules, method: Method) -> Result<Vec<Position>, TableFault> {
    let starts = d.list(|d| d.position(rules.cells()))?;
    let is_right = starts.is_sorted_by(|a, b| a < b) && starts.iter().all(|&start| rules.has(start));
    if !is_right || starts.is_empty() && method != Method::Dense {
        return Err(TableFault::Malformed("its start positions are not positions of its rules in ascending order"));
    }
    let has = |start: &Position| starts.binary_search(start).is_ok();
    if matches!(method, Method::Dense | Method::Coloured)
        && !starts.is_empty()
        && !rules.start_positions().iter().all(has)
    {
        return Err(TableFault::Malformed("the start positions of its rules are missing from its start positions"));
    }
    Ok(starts)
}

/// Decodes the squares of a two-colour table without symmetry.
fn decode_frame(d: &mut Decoder<'_>, rules: &Rules, starts: &[Position]) -> Result<Frame, TableFault> {
    let squares = d.list(|d| {
        let (first, second) = (d.u8()?, d.u8()?);
        Ok(Square { first, second: Some(second).filter(|&second| second != ALONE) })
    })?;
    let squares = Squares::new(squares, rules, starts).ok();
    let frame = squares.and_then(|squares| Frame::new(rules, squares, starts));
    let frame = frame.filter(|frame| frame.count().is_some());
    frame.ok_or(TableFault::Malformed("its squares do not fit its rules"))
}

/// Decodes the potential that defines levels, and the levels. Every move must raise the potential of a sparse table.
/// The potential of a cyclic table is flat.
fn decode_levels(d: &mut Decoder<'_>, rules: &Rules, method: Method) -> Result<Levels, TableFault> {
    let mut weights = |count| (0..count).map(|_| Ok(d.u32()? as i32)).collect::<Result<Vec<i32>, TableFault>>();
    let (cells, modes) = (weights(rules.cells() as usize)?, weights(rules.modes().len())?);
    let is_right = |potential: &Potential| match method {
        Method::Cyclic => *potential == Potential::flat(rules),
        _ => !potential.is_flat() && potential.is_raised_by(rules),
    };
    let potential = Potential::new(cells, modes).filter(is_right);
    let weights = TableFault::Malformed("the weights of its levels do not fit its rules and its solver");
    let potential = potential.ok_or(weights)?;
    let sizes = d.list(|d| Ok(LevelSize { filled: d.u32()?, count: d.u64()? }))?;
    let levels = Levels::new(rules, &potential, &sizes).filter(|levels| levels.count() > 0);
    levels.ok_or(TableFault::Malformed("its levels do not fit a board with this many cells"))
}

/// Decodes symmetries of `rules` that preserve `starts`.
fn decode_group(d: &mut Decoder<'_>, rules: &Rules, starts: &[Position]) -> Result<Group, TableFault> {
    let count = d.u32()? as usize;
    if count == 0 {
        return Ok(Group::trivial().clone());
    }
    if count > MOST_GENERATORS {
        return Err(SYMMETRIES);
    }
    let generator = |d: &mut Decoder<'_>| Ok((d.take(rules.cells() as usize)?.to_vec(), decode_modes(d, rules)?));
    let generators = (0..count).map(|_| generator(d)).collect::<Result<Vec<_>, TableFault>>()?;
    let generators = generators.into_iter().map(|(cells, modes)| Symmetry::new(cells, modes).ok());
    let generators = generators.collect::<Option<Vec<_>>>().ok_or(SYMMETRIES)?;
    let group = Group::new(rules, starts, &generators).map_err(|_| SYMMETRIES)?;
    if group.generators() == generators { Ok(group) } else { Err(SYMMETRIES) }
}

/// Decodes a permutation of the modes of `rules`.
fn decode_modes(d: &mut Decoder<'_>, rules: &Rules) -> Result<Vec<u16>, TableFault> {
    (0..rules.modes().len()).map(|_| d.u16()).collect()
}
