//! The orders that rank 0 gives the other ranks.

use std::fs;
use std::path::{Path, PathBuf};

use super::team::Team;
use tablegen_index::compressed::Compression;
use tablegen_labels::LabelSet;
use tablegen_ranks::MessageKind;
use tablegen_solvers::PlaneKind;
use tablegen_tables::table::{Decoder, Encoder, plane_kind_numbers, plane_kind_of};

impl Team {
    /// Sends `order` to all other ranks.
    pub(crate) fn order(&self, order: &Order) {
        for rank in 1..self.cluster.size() {
            let mut message = MessageKind::Order.message();
            message.extend(order.encode());
            self.cluster.send(rank, message);
        }
    }
}

/// Work for the other ranks.
pub(crate) enum Order {
    /// Sweep a share of the slices of a table.
    Slices(SliceOrder),
    /// Find and label a share of the reachable positions; of their representatives only, if `folds` is set.
    Positions { labels: LabelSet, folds: bool },
}

/// The build of a table whose slices all ranks sweep together.
pub(crate) struct SliceOrder {
    /// True if colourings are swept, and not boards.
    pub(crate) colours: bool,
    /// True if only representatives of symmetry classes are labelled.
    pub(crate) folds: bool,
    pub(crate) labels: LabelSet,
    /// The compression of the finished table, if any.
    pub(crate) compression: Option<Compression>,
    /// The number of slice cells.
    pub(crate) cells: u32,
    pub(crate) sharing: Sharing,
    /// The slices that an earlier build finished.
    pub(crate) finished: Vec<(PlaneKind, u64)>,
}

impl Order {
    fn encode(&self) -> Vec<u8> {
        let mut e = Encoder::default();
        match self {
            Self::Positions { labels, folds } => {
                e.u8(1);
                e.u8(u8::from(*folds));
                e.u8(labels.bits());
            }
            Self::Slices(order) => {
                e.u8(0);
                e.u8(u8::from(order.colours));
                e.u8(u8::from(order.folds));
                e.u8(order.labels.bits());
                let Compression { block, level } = order.compression.unwrap_or(Compression { block: 0, level: 0 });
                e.u32(block);
                e.u32(level as u32);
                e.u32(order.cells);
                e.text(&order.sharing.folder.to_string_lossy());
                e.text(&order.sharing.token);
                e.u32(order.finished.len() as u32);
                for &(plane_kind, rank) in &order.finished {
                    e.bytes.extend(plane_kind_numbers(plane_kind));
                    e.u64(rank);
                }
            }
        }
        e.bytes
    }

    /// Decodes an order; `None` if it is invalid.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut d = Decoder::new(bytes);
        match d.u8().ok()? {
            1 => Some(Self::Positions { folds: d.u8().ok()? == 1, labels: LabelSet::of_bits(d.u8().ok()?) }),
            0 => {
                let (colours, folds) = (d.u8().ok()? == 1, d.u8().ok()? == 1);
                let labels = LabelSet::of_bits(d.u8().ok()?);
                let compression = Compression { block: d.u32().ok()?, level: d.u32().ok()? as i32 };
                let compression = Some(compression).filter(|compression| compression.block > 0);
                let (cells, folder, token) = (d.u32().ok()?, d.text().ok()?, d.text().ok()?);
                let count = d.u32().ok()?;
                let key = |_| Some((plane_kind_of(d.array().ok()?)?, d.u64().ok()?));
                let finished = (0..count).map(key).collect::<Option<_>>()?;
                let sharing = Sharing { folder: PathBuf::from(folder), token };
                Some(Self::Slices(SliceOrder { colours, folds, labels, compression, cells, sharing, finished }))
            }
            _ => None,
        }
    }
}

/// The folder of the unfinished table, and the random contents of a file there, by which other ranks check that they
/// see the same folder.
pub(crate) struct Sharing {
    pub(crate) folder: PathBuf,
    pub(crate) token: String,
}

/// True if the file at `path` contains `token`, so that its folder is the folder of rank 0.
pub(crate) fn holds(path: &Path, token: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text == token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_labels::LabelKind;

    #[test]
    fn orders_survive_encoding() {
        let finished = vec![(PlaneKind::Reached, 7), (PlaneKind::Label(LabelKind::Nimber), 1 << 33)];
        let compression = Compression { block: 1 << 20, level: -1 };
        let order = SliceOrder {
            colours: true,
            folds: true,
            labels: LabelSet::OUTCOME.with(LabelKind::Nimber),
            compression: Some(compression),
            cells: 9,
            sharing: Sharing { folder: "/a b".into(), token: "t".into() },
            finished: finished.clone(),
        };
        let bytes = Order::Slices(order).encode();
        let Some(Order::Slices(order)) = Order::decode(&bytes) else { panic!("an order") };
        assert_eq!((order.colours, order.folds, order.cells), (true, true, 9));
        assert_eq!(order.compression, Some(compression));
        assert_eq!((order.labels, order.finished), (LabelSet::OUTCOME.with(LabelKind::Nimber), finished));
        assert!((0..bytes.len()).all(|length| Order::decode(&bytes[..length]).is_none()));
        let bytes = Order::Positions { labels: LabelSet::OUTCOME, folds: true }.encode();
        assert!(matches!(Order::decode(&bytes), Some(Order::Positions { labels: LabelSet::OUTCOME, folds: true })));
    }
}
