//! Which positions a table holds, and which sections it therefore has.

use super::TableFault;
use super::codec::{Decoder, Encoder, OLDEST_VERSION, VERSION, has_extras};
use super::section::{Content, Room};
use crate::colourings::{Frame, Square, Squares};
use crate::contents::{ColouredShape, Contents};
use crate::label::{LabelKind, LabelSet, Width};
use crate::plane::{Layout, Shape};
use crate::reachable::{LevelSize, Levels};
use crate::rules::{Position, Potential, Rules, Symmetry};
use crate::symmetry::{Fold, Group};

/// Which positions have labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Coverage {
    /// The label of every (mode, board).
    Dense {
        /// The assignment of boards to bits of the bit planes.
        layout: Layout,
        /// The positions that reachability was computed from, sorted and without duplicates; `None` without
        /// reachability bits.
        roots: Option<Vec<Position>>,
    },
    /// The positions that can be reached from the roots.
    Sparse {
        /// The number of positions on each level.
        levels: Levels,
        /// The positions that reachability was computed from, sorted and without duplicates.
        roots: Vec<Position>,
        /// The symmetries, if only representatives are stored.
        group: Option<Group>,
    },
    /// Every colouring of this frame; under symmetry, one slice of each symmetry class of slices.
    Coloured(Frame),
    /// Every (mode, board), but only one slice of each symmetry class of slices.
    Folded {
        /// The choice of stored slices.
        fold: Fold,
        /// The roots of reachability, as in `Dense`.
        roots: Option<Vec<Position>>,
    },
}

/// The bytes that represent the kinds of coverage in the file.
const DENSE: u8 = 0;
const SPARSE: u8 = 1;
const COLOURED: u8 = 2;
const ORBITS: u8 = 3;
const MARKED: u8 = 4;
const FOLDED: u8 = 5;
const COLOURED_FOLDED: u8 = 6;
/// Most generators of a symmetry group.
const MOST_GENERATORS: usize = 256;
/// The byte that says that a square has no second cell.
const ALONE: u8 = u8::MAX;

const SYMMETRIES: TableFault = TableFault::Malformed("its symmetries are not those of its rules");

/// A permutation of the modes of `rules`.
fn modes(d: &mut Decoder<'_>, rules: &Rules) -> Result<Vec<u16>, TableFault> {
    (0..rules.modes().len()).map(|_| d.u16()).collect()
}

fn encode_roots(e: &mut Encoder, roots: &[Position]) {
    e.u32(roots.len() as u32);
    roots.iter().for_each(|&root| e.position(root));
}

fn encode_generators(e: &mut Encoder, group: &Group) {
    e.u32(group.generators().len() as u32);
    for generator in group.generators() {
        e.bytes.extend(generator.cells());
        generator.modes().iter().for_each(|&mode| e.u16(mode));
    }
}

impl Coverage {
    /// The coverage of the contents of a solution.
    pub(super) fn of(contents: &Contents<'_>) -> Self {
        match contents {
            Contents::Dense(dense) => {
                let roots = dense.reach().map(|reach| reach.roots().to_vec());
                Self::Dense { layout: dense.layout().clone(), roots }
            }
            Contents::Sparse(sparse) => {
                let (levels, roots) = (sparse.levels().clone(), sparse.roots().to_vec());
                Self::Sparse { levels, roots, group: sparse.group().cloned() }
            }
            Contents::Coloured(coloured) => Self::Coloured(coloured.frame().clone()),
            Contents::Folded(folded) => {
                Self::Folded { fold: folded.fold().clone(), roots: folded.roots().map(<[Position]>::to_vec) }
            }
        }
    }

    /// The contents and sizes of the sections of a table with `labels`, in file order; `None` if a size does not fit a
    /// `u64`.
    pub(super) fn rooms(&self, rules: &Rules, labels: LabelSet) -> Option<Vec<Room>> {
        let keys = match self {
            Self::Sparse { levels, .. } => Some(Room { content: Content::Keys, bytes: levels.key_bytes() }),
            Self::Dense { .. } | Self::Coloured(_) | Self::Folded { .. } => None,
        };
        let of_label = |label: LabelKind| {
            let width = label.width(rules);
            Some(match self {
                Self::Dense { .. } => {
                    Room { content: Content::Planes(label, width), bytes: Shape::of_label(rules, label).bytes()? }
                }
                Self::Folded { fold, .. } => Room { content: Content::Planes(label, width), bytes: fold.bytes(width)? },
                Self::Sparse { levels, .. } => {
                    Room { content: Content::Column(label, width), bytes: levels.column_bytes(width) }
                }
                Self::Coloured(frame) => {
                    let shape = ColouredShape::new(frame, rules);
                    let bytes = match label {
                        LabelKind::Outcome => shape.outcome_bytes()?,
                        LabelKind::Remoteness | LabelKind::Nimber => shape.byte_bytes()?,
                    };
                    Room { content: Content::Colourings(label, width), bytes }
                }
            })
        };
        // The reachability bits follow the outcomes.
        let marks = match self {
            Self::Coloured(frame) => {
                Some(Room { content: Content::Reached, bytes: ColouredShape::new(frame, rules).reached_bytes()? })
            }
            Self::Dense { roots: Some(_), .. } => {
                let marks = Shape::new(rules.cells(), rules.modes().len() as u32, Width::One);
                Some(Room { content: Content::Reached, bytes: marks.bytes()? })
            }
            Self::Folded { fold, roots: Some(_) } => {
                Some(Room { content: Content::Reached, bytes: fold.bytes(Width::One)? })
            }
            Self::Dense { .. } | Self::Sparse { .. } | Self::Folded { .. } => None,
        };
        let others = labels.others().map(of_label);
        let rooms = keys.into_iter().map(Some).chain([of_label(LabelKind::Outcome)]);
        rooms.chain(marks.into_iter().map(Some)).chain(others).collect()
    }

    pub(super) fn encode(&self, e: &mut Encoder, rules: &Rules) {
        match self {
            Self::Dense { layout, roots } => {
                e.u8(if roots.is_some() { MARKED } else { DENSE });
                e.bytes.extend(layout.permutation());
                if let Some(roots) = roots {
                    encode_roots(e, roots);
                }
            }
            Self::Sparse { levels, roots, group } => {
                e.u8(if group.is_some() { ORBITS } else { SPARSE });
                encode_roots(e, roots);
                let is_weighted = has_extras(rules.spec());
                if is_weighted {
                    let potential = levels.potential();
                    potential.cells().iter().chain(potential.modes()).for_each(|&weight| e.u32(weight as u32));
                }
                e.u32(levels.sizes().len() as u32);
                for size in levels.sizes() {
                    if is_weighted {
                        e.u32(size.filled)
                    } else {
                        e.u8(size.filled as u8)
                    }
                    e.u64(size.count);
                }
                if let Some(group) = group {
                    encode_generators(e, group);
                    e.bytes.extend(group.order_of_cells());
                    group.order_of_modes().iter().for_each(|&mode| e.u16(mode));
                }
            }
            Self::Coloured(frame) => {
                e.u8(if frame.fold().is_some() { COLOURED_FOLDED } else { COLOURED });
                encode_roots(e, frame.roots());
                e.u32(frame.size());
                for square in frame.squares().list() {
                    e.u8(square.first);
                    e.u8(square.second.unwrap_or(ALONE));
                }
                if let Some(fold) = frame.fold() {
                    e.u8(fold.top_squares() as u8);
                    encode_generators(e, fold.group());
                }
            }
            Self::Folded { fold, roots } => {
                e.u8(FOLDED);
                e.bytes.extend(fold.layout().permutation());
                e.u8(fold.slice_cells() as u8);
                encode_roots(e, roots.as_deref().unwrap_or_default());
                encode_generators(e, fold.group());
            }
        }
    }

    /// The oldest format version that can describe this coverage.
    pub(super) fn version(&self) -> u32 {
        match self {
            Self::Folded { .. } => VERSION,
            Self::Coloured(frame) if frame.fold().is_some() => VERSION,
            Self::Dense { .. } | Self::Sparse { .. } | Self::Coloured(_) => OLDEST_VERSION,
        }
    }

    /// Decodes the assignment of boards to bits of the bit planes.
    fn layout(d: &mut Decoder<'_>, rules: &Rules) -> Result<Layout, TableFault> {
        let layout = Layout::new(d.take(rules.cells() as usize)?.to_vec());
        layout.map_err(|_| TableFault::Malformed("its layout is not a permutation of its cells"))
    }

    /// Decodes sorted positions of `rules` without duplicates, which must include the start positions of the rules.
    fn marked_roots(d: &mut Decoder<'_>, rules: &Rules) -> Result<Vec<Position>, TableFault> {
        let roots = Self::roots(d, rules)?;
        if !rules.start_positions().iter().all(|start| roots.binary_search(start).is_ok()) {
            return Err(TableFault::Malformed("the starts of its rules are not among its roots"));
        }
        Ok(roots)
    }

    /// Decodes sorted positions of `rules` without duplicates.
    fn roots(d: &mut Decoder<'_>, rules: &Rules) -> Result<Vec<Position>, TableFault> {
        let roots = d.list(Decoder::position)?;
        if roots.is_empty() || !roots.is_sorted_by(|a, b| a < b) || !roots.iter().all(|&root| rules.has(root)) {
            return Err(TableFault::Malformed("its roots are not positions of its rules in their order"));
        }
        Ok(roots)
    }

    /// Decodes symmetries of `rules` that preserve `roots`, and the order of cells and modes in which positions are
    /// compared.
    fn group(d: &mut Decoder<'_>, rules: &Rules, roots: &[Position]) -> Result<Group, TableFault> {
        let group = Self::generated(d, rules, roots)?;
        let order = (d.take(rules.cells() as usize)?, modes(d, rules)?);
        if (group.order_of_cells(), group.order_of_modes()) != (order.0, &order.1) {
            return Err(SYMMETRIES);
        }
        Ok(group)
    }

    /// Decodes symmetries of `rules` that preserve `roots`.
    fn generated(d: &mut Decoder<'_>, rules: &Rules, roots: &[Position]) -> Result<Group, TableFault> {
        let count = d.u32()? as usize;
        if count > MOST_GENERATORS {
            return Err(SYMMETRIES);
        }
        let generator = |d: &mut Decoder<'_>| Ok((d.take(rules.cells() as usize)?.to_vec(), modes(d, rules)?));
        let generators = (0..count).map(|_| generator(d)).collect::<Result<Vec<_>, TableFault>>()?;
        let generators = generators.into_iter().map(|(cells, modes)| Symmetry::new(cells, modes).ok());
        let generators = generators.collect::<Option<Vec<_>>>().ok_or(SYMMETRIES)?;
        let group = Group::new(rules, roots, &generators).map_err(|_| SYMMETRIES)?;
        if group.generators() == generators && !group.is_trivial() { Ok(group) } else { Err(SYMMETRIES) }
    }

    /// Decodes the potential that defines levels, which only version 3 has. Every move must raise it, or it must be
    /// constant.
    fn potential(d: &mut Decoder<'_>, rules: &Rules) -> Result<Potential, TableFault> {
        let mut weights = |count| (0..count).map(|_| Ok(d.u32()? as i32)).collect::<Result<Vec<i32>, TableFault>>();
        let (cells, modes) = (weights(rules.cells() as usize)?, weights(rules.modes().len())?);
        let potential = Potential::new(cells, modes);
        let potential = potential.filter(|potential| potential.is_flat() || potential.is_raised_by(rules));
        potential.ok_or(TableFault::Malformed("its levels are not such that every move leads to a higher one"))
    }

    pub(super) fn decode(d: &mut Decoder<'_>, rules: &Rules) -> Result<Self, TableFault> {
        let kind = d.u8()?;
        if rules.sweep_obstacle().is_some() && ![SPARSE, ORBITS].contains(&kind) {
            return Err(TableFault::Malformed("it labels every board of rules that are not solved so"));
        }
        match kind {
            DENSE | MARKED => {
                let layout = Self::layout(d, rules)?;
                let roots = if kind == MARKED { Some(Self::marked_roots(d, rules)?) } else { None };
                Ok(Self::Dense { layout, roots })
            }
            FOLDED => {
                let (layout, upper) = (Self::layout(d, rules)?, d.u8()?);
                let is_marked = d.rest().first_chunk().is_some_and(|count| *count != [0; 4]);
                let roots = if is_marked { Some(Self::marked_roots(d, rules)?) } else { d.u32().map(|_| None)? };
                let followed = roots.clone().unwrap_or_else(|| rules.start_positions());
                let group = Self::generated(d, rules, &followed)?;
                let fold = Fold::new(rules, layout, upper.into(), group).ok_or(SYMMETRIES)?;
                Ok(Self::Folded { fold, roots })
            }
            SPARSE | ORBITS => {
                let roots = Self::roots(d, rules)?;
                let is_weighted = has_extras(rules.spec());
                let potential = if is_weighted { Self::potential(d, rules)? } else { Potential::filled(rules) };
                let filled = |d: &mut Decoder<'_>| if is_weighted { d.u32() } else { d.u8().map(u32::from) };
                let sizes = d.list(|d| Ok(LevelSize { filled: filled(d)?, count: d.u64()? }))?;
                let malformed = TableFault::Malformed("its levels do not fit a board with this many cells");
                let levels = Levels::new(rules, &potential, &sizes).filter(|levels| levels.count() > 0);
                let levels = levels.ok_or(malformed)?;
                let group = if kind == ORBITS { Some(Self::group(d, rules, &roots)?) } else { None };
                if group.as_ref().is_some_and(|group| !group.generators().iter().all(|it| potential.is_kept_by(it))) {
                    return Err(TableFault::Malformed("its symmetries do not keep its levels"));
                }
                Ok(Self::Sparse { levels, roots, group })
            }
            COLOURED | COLOURED_FOLDED => {
                let roots = Self::roots(d, rules)?;
                let squares = d.list(|d| {
                    let (first, second) = (d.u8()?, d.u8()?);
                    Ok(Square { first, second: Some(second).filter(|&second| second != ALONE) })
                })?;
                let squares = Squares::new(squares, rules, &roots).ok();
                let frame = squares.and_then(|squares| Frame::new(rules, squares, &roots));
                let frame = frame.filter(|frame| frame.count().is_some() && frame.roots() == roots);
                let frame = frame.ok_or(TableFault::Malformed("its squares are not those of its rules"))?;
                if kind == COLOURED {
                    return Ok(Self::Coloured(frame));
                }
                let top = d.u8()?;
                let group = Self::generated(d, rules, &roots)?;
                frame.folded(rules, top.into(), &group).map(Self::Coloured).ok_or(SYMMETRIES)
            }
            _ => Err(TableFault::Malformed("its coverage is of a kind that this version does not know")),
        }
    }
}
