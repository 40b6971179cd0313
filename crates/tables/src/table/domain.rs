//! Which positions a table holds, and which sections it therefore has.

use super::TableFault;
use super::codec::{Decoder, Encoder};
use super::section::{Content, Room};
use crate::colourings::{Frame, Square, SquareFold, Squares};
use crate::contents::{ColouredShape, Contents};
use crate::label::{LabelKind, LabelSet, Width};
use crate::plane::{Layout, Shape};
use crate::reachable::{LevelSize, Levels};
use crate::rules::{Position, Potential, Rules, Symmetry};
use crate::solve::Method;
use crate::symmetry::{Fold, Group};

/// Which positions have labels.
///
/// The starts of a domain are the positions that reachability was computed from, sorted and without duplicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Domain {
    /// Every (mode, board).
    Dense {
        /// The assignment of boards to bits of the bit planes.
        layout: Layout,
        /// The starts; empty without reachability bits.
        starts: Vec<Position>,
    },
    /// Every (mode, board), but only one slice of each symmetry class of slices.
    Folded {
        /// The choice of stored slices.
        fold: Fold,
        /// The starts; empty without reachability bits.
        starts: Vec<Position>,
    },
    /// Every colouring of this frame; under symmetry, one slice of each symmetry class of slices.
    Coloured(Frame),
    /// The positions that can be reached from the starts.
    Sparse {
        /// The number of positions on each level.
        levels: Levels,
        /// The starts, at least one.
        starts: Vec<Position>,
        /// The symmetries, if only representatives are stored.
        group: Option<Group>,
    },
}

/// Most generators of a symmetry group.
const MOST_GENERATORS: usize = 256;
/// The byte that says that a square has no second cell.
const ALONE: u8 = u8::MAX;

const SYMMETRIES: TableFault = TableFault::Malformed("its symmetries are not those of its rules");

/// The byte that represents a solver in the file.
const fn solver_number(method: Method) -> u8 {
    match method {
        Method::Dense => 0,
        Method::Coloured => 1,
        Method::Sparse => 2,
        Method::Cyclic => 3,
    }
}

impl Domain {
    /// The domain of the contents of a solution.
    pub(super) fn of(contents: &Contents<'_>) -> Self {
        match contents {
            Contents::Dense(dense) => {
                let starts = dense.reach().map(|reach| reach.roots().to_vec()).unwrap_or_default();
                Self::Dense { layout: dense.layout().clone(), starts }
            }
            Contents::Folded(folded) => {
                Self::Folded { fold: folded.fold().clone(), starts: folded.roots().unwrap_or_default().to_vec() }
            }
            Contents::Coloured(coloured) => Self::Coloured(coloured.frame().clone()),
            Contents::Sparse(sparse) => {
                let (levels, starts) = (sparse.levels().clone(), sparse.roots().to_vec());
                Self::Sparse { levels, starts, group: sparse.group().cloned() }
            }
        }
    }

    /// The solver that labels these positions.
    pub(super) fn solver(&self) -> Method {
        match self {
            Self::Dense { .. } | Self::Folded { .. } => Method::Dense,
            Self::Coloured(_) => Method::Coloured,
            Self::Sparse { levels, .. } if levels.potential().is_flat() => Method::Cyclic,
            Self::Sparse { .. } => Method::Sparse,
        }
    }

    /// The positions that reachability was computed from; empty in a dense table without reachability bits.
    pub(super) fn starts(&self) -> &[Position] {
        match self {
            Self::Dense { starts, .. } | Self::Folded { starts, .. } | Self::Sparse { starts, .. } => starts,
            Self::Coloured(frame) => frame.roots(),
        }
    }

    /// The symmetries, if only representatives are stored, of positions or of slices.
    pub(super) fn group(&self) -> Option<&Group> {
        match self {
            Self::Dense { .. } => None,
            Self::Folded { fold, .. } => Some(fold.group()),
            Self::Coloured(frame) => frame.fold().map(SquareFold::group),
            Self::Sparse { group, .. } => group.as_ref(),
        }
    }

    /// True if a section has reachability bits.
    pub(super) fn is_marked(&self) -> bool {
        !matches!(self, Self::Sparse { .. }) && !self.starts().is_empty()
    }

    /// True if the stored positions are representatives of symmetry classes of positions.
    pub(super) const fn has_representatives(&self) -> bool {
        matches!(self, Self::Sparse { group: Some(_), .. })
    }

    /// The contents and sizes of the sections of a table with `labels`, in file order; `None` if a size does not fit a
    /// `u64`.
    pub(super) fn rooms(&self, rules: &Rules, labels: LabelSet) -> Option<Vec<Room>> {
        let keys = match self {
            Self::Sparse { levels, .. } => Some(Room { content: Content::Keys, bytes: levels.key_bytes() }),
            Self::Dense { .. } | Self::Folded { .. } | Self::Coloured(_) => None,
        };
        let of_label = |label: LabelKind| {
            let width = label.width(rules);
            Some(match self {
                Self::Dense { .. } => {
                    Room { content: Content::Planes(label, width), bytes: Shape::of_label(rules, label).bytes()? }
                }
                Self::Folded { fold, .. } => Room { content: Content::Planes(label, width), bytes: fold.bytes(width)? },
                Self::Coloured(frame) => {
                    let shape = ColouredShape::new(frame, rules);
                    let bytes = match label {
                        LabelKind::Outcome => shape.outcome_bytes()?,
                        LabelKind::Remoteness | LabelKind::Nimber => shape.byte_bytes()?,
                    };
                    Room { content: Content::Colourings(label, width), bytes }
                }
                Self::Sparse { levels, .. } => {
                    Room { content: Content::Column(label, width), bytes: levels.column_bytes(width) }
                }
            })
        };
        // The reachability bits follow the outcomes.
        let marks = || {
            let bytes = match self {
                Self::Dense { .. } => Shape::new(rules.cells(), rules.modes().len() as u32, Width::One).bytes()?,
                Self::Folded { fold, .. } => fold.bytes(Width::One)?,
                Self::Coloured(frame) => ColouredShape::new(frame, rules).reached_bytes()?,
                Self::Sparse { .. } => return None,
            };
            Some(Room { content: Content::Reached, bytes })
        };
        let marks = self.is_marked().then(marks);
        let others = labels.others().map(of_label);
        let rooms = keys.into_iter().map(Some).chain([of_label(LabelKind::Outcome)]);
        rooms.chain(marks).chain(others).collect()
    }

    pub(super) fn encode(&self, e: &mut Encoder) {
        e.u8(solver_number(self.solver()));
        e.u32(self.starts().len() as u32);
        self.starts().iter().for_each(|&start| e.position(start));
        match self {
            Self::Dense { layout, .. } => e.bytes.extend(layout.permutation()),
            Self::Folded { fold, .. } => e.bytes.extend(fold.layout().permutation()),
            Self::Coloured(frame) => {
                e.u32(frame.size());
                for square in frame.squares().list() {
                    e.u8(square.first);
                    e.u8(square.second.unwrap_or(ALONE));
                }
            }
            Self::Sparse { levels, .. } => {
                let potential = levels.potential();
                potential.cells().iter().chain(potential.modes()).for_each(|&weight| e.u32(weight as u32));
                e.u32(levels.sizes().len() as u32);
                for size in levels.sizes() {
                    e.u32(size.filled);
                    e.u64(size.count);
                }
            }
        }
        let generators = self.group().map(Group::generators).unwrap_or_default();
        e.u32(generators.len() as u32);
        for generator in generators {
            e.bytes.extend(generator.cells());
            generator.modes().iter().for_each(|&mode| e.u16(mode));
        }
        match self {
            Self::Dense { .. } | Self::Sparse { group: None, .. } => {}
            Self::Folded { fold, .. } => e.u8(fold.slice_cells() as u8),
            Self::Coloured(frame) => frame.fold().into_iter().for_each(|fold| e.u8(fold.top_squares() as u8)),
            Self::Sparse { group: Some(group), .. } => {
                e.bytes.extend(group.order_of_cells());
                group.order_of_modes().iter().for_each(|&mode| e.u16(mode));
            }
        }
    }

    pub(super) fn decode(d: &mut Decoder<'_>, rules: &Rules) -> Result<Self, TableFault> {
        let number = d.u8()?;
        let method = Method::ALL.into_iter().find(|&method| solver_number(method) == number);
        let method = method.ok_or(TableFault::Malformed("its solver is none that this version knows"))?;
        if rules.sweep_obstacle().is_some() && !method.is_of_reachable() {
            return Err(TableFault::Malformed("it labels every board of rules that are not solved so"));
        }
        let starts = decode_starts(d, rules, method)?;
        match method {
            Method::Dense => {
                let layout = Layout::new(d.take(rules.cells() as usize)?.to_vec());
                let layout =
                    layout.map_err(|_| TableFault::Malformed("its layout is not a permutation of its cells"))?;
                let kept = if starts.is_empty() { rules.start_positions() } else { starts.clone() };
                let Some(group) = decode_group(d, rules, &kept)? else { return Ok(Self::Dense { layout, starts }) };
                let fold = Fold::new(rules, layout, d.u8()?.into(), group).ok_or(SYMMETRIES)?;
                Ok(Self::Folded { fold, starts })
            }
            Method::Coloured => {
                let frame = decode_frame(d, rules, &starts)?;
                let Some(group) = decode_group(d, rules, &starts)? else { return Ok(Self::Coloured(frame)) };
                frame.folded(rules, d.u8()?.into(), &group).map(Self::Coloured).ok_or(SYMMETRIES)
            }
            Method::Sparse | Method::Cyclic => {
                let levels = decode_levels(d, rules, method)?;
                let group = decode_group(d, rules, &starts)?;
                if let Some(group) = &group {
                    let order = (d.take(rules.cells() as usize)?, decode_modes(d, rules)?);
                    if (group.order_of_cells(), group.order_of_modes()) != (order.0, &order.1) {
                        return Err(SYMMETRIES);
                    }
                    if !group.generators().iter().all(|it| levels.potential().is_kept_by(it)) {
                        return Err(TableFault::Malformed("its symmetries do not keep its levels"));
                    }
                }
                Ok(Self::Sparse { levels, starts, group })
            }
        }
    }
}

/// Decodes sorted positions of `rules` without duplicates. Without any, a dense table has no reachability bits. With
/// such bits, the start positions of the rules are among them.
fn decode_starts(d: &mut Decoder<'_>, rules: &Rules, method: Method) -> Result<Vec<Position>, TableFault> {
    let starts = d.list(Decoder::position)?;
    let is_right = starts.is_sorted_by(|a, b| a < b) && starts.iter().all(|&start| rules.has(start));
    if !is_right || starts.is_empty() && method != Method::Dense {
        return Err(TableFault::Malformed("its starts are not positions of its rules in their order"));
    }
    let has = |start: &Position| starts.binary_search(start).is_ok();
    if !method.is_of_reachable() && !starts.is_empty() && !rules.start_positions().iter().all(has) {
        return Err(TableFault::Malformed("the starts of its rules are not among its starts"));
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
    frame.ok_or(TableFault::Malformed("its squares are not those of its rules"))
}

/// Decodes the potential that defines levels, and the levels. Every move must raise the potential of a sparse table.
/// That of a cyclic table is flat.
fn decode_levels(d: &mut Decoder<'_>, rules: &Rules, method: Method) -> Result<Levels, TableFault> {
    let mut weights = |count| (0..count).map(|_| Ok(d.u32()? as i32)).collect::<Result<Vec<i32>, TableFault>>();
    let (cells, modes) = (weights(rules.cells() as usize)?, weights(rules.modes().len())?);
    let is_right = |potential: &Potential| match method {
        Method::Cyclic => *potential == Potential::flat(rules),
        _ => !potential.is_flat() && potential.is_raised_by(rules),
    };
    let potential = Potential::new(cells, modes).filter(is_right);
    let weights = TableFault::Malformed("the weights of its levels are not those of its rules and its solver");
    let potential = potential.ok_or(weights)?;
    let sizes = d.list(|d| Ok(LevelSize { filled: d.u32()?, count: d.u64()? }))?;
    let levels = Levels::new(rules, &potential, &sizes).filter(|levels| levels.count() > 0);
    levels.ok_or(TableFault::Malformed("its levels do not fit a board with this many cells"))
}

/// Decodes symmetries of `rules` that preserve `starts`; `None` if there are none.
fn decode_group(d: &mut Decoder<'_>, rules: &Rules, starts: &[Position]) -> Result<Option<Group>, TableFault> {
    let count = d.u32()? as usize;
    if count == 0 {
        return Ok(None);
    }
    if count > MOST_GENERATORS {
        return Err(SYMMETRIES);
    }
    let generator = |d: &mut Decoder<'_>| Ok((d.take(rules.cells() as usize)?.to_vec(), decode_modes(d, rules)?));
    let generators = (0..count).map(|_| generator(d)).collect::<Result<Vec<_>, TableFault>>()?;
    let generators = generators.into_iter().map(|(cells, modes)| Symmetry::new(cells, modes).ok());
    let generators = generators.collect::<Option<Vec<_>>>().ok_or(SYMMETRIES)?;
    let group = Group::new(rules, starts, &generators).map_err(|_| SYMMETRIES)?;
    if group.generators() == generators && !group.is_trivial() { Ok(Some(group)) } else { Err(SYMMETRIES) }
}

/// Decodes a permutation of the modes of `rules`.
fn decode_modes(d: &mut Decoder<'_>, rules: &Rules) -> Result<Vec<u16>, TableFault> {
    (0..rules.modes().len()).map(|_| d.u16()).collect()
}
