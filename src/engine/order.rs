//! What rank 0 orders the others to do.

use std::fs;
use std::path::{Path, PathBuf};

use super::team::Team;
use crate::cluster::Mail;
use crate::label::LabelSet;
use crate::solve::{Method, PlaneKind};
use crate::table::{Decoder, Encoder, VERSION, sheet_numbers, sheet_of};

impl Team {
    /// Tells all other ranks what to do.
    pub(super) fn order(&self, order: &Order) {
        for rank in 1..self.cluster.size() {
            let mut letter = Mail::Order.letter();
            letter.extend(order.bytes());
            self.cluster.send(rank, letter);
        }
    }
}

/// What rank 0 wants the others to do.
pub(super) enum Order {
    /// To sweep a share of the regions of a table.
    Regions(RegionOrder),
    /// To find and label a share of the positions that play reaches, and whether one stands for its orbit.
    Positions {
        /// The labels.
        labels: LabelSet,
        folds: bool,
    },
}

/// A table whose regions are swept by all ranks.
pub(super) struct RegionOrder {
    pub(super) method: Method,
    /// Whether boards or colourings are folded up to symmetry.
    pub(super) folds: bool,
    pub(super) labels: LabelSet,
    /// Whether it will be packed in the end.
    pub(super) packs: bool,
    /// How many cells name a region.
    pub(super) cells: u32,
    pub(super) sharing: Sharing,
    /// What is finished already.
    pub(super) finished: Vec<(PlaneKind, u64)>,
}

impl Order {
    fn bytes(&self) -> Vec<u8> {
        let mut e = Encoder::new(VERSION);
        match self {
            Self::Positions { labels, folds } => {
                e.u8(1);
                e.u8(u8::from(*folds));
                e.u8(labels.bits());
            }
            Self::Regions(order) => {
                e.u8(0);
                e.u8(u8::from(order.method == Method::Coloured));
                e.u8(u8::from(order.folds));
                e.u8(order.labels.bits());
                e.u8(u8::from(order.packs));
                e.u32(order.cells);
                e.text(&order.sharing.folder.to_string_lossy());
                e.text(&order.sharing.token);
                e.u32(order.finished.len() as u32);
                for &(sheet, rank) in &order.finished {
                    e.bytes.extend(sheet_numbers(sheet));
                    e.u64(rank);
                }
            }
        }
        e.bytes
    }

    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let mut d = Decoder::new(bytes, VERSION);
        match d.u8().ok()? {
            1 => Some(Self::Positions { folds: d.u8().ok()? == 1, labels: LabelSet::of_bits(d.u8().ok()?) }),
            0 => {
                let method = if d.u8().ok()? == 1 { Method::Coloured } else { Method::Dense };
                let (folds, labels, packs) = (d.u8().ok()? == 1, LabelSet::of_bits(d.u8().ok()?), d.u8().ok()? == 1);
                let (cells, folder, token) = (d.u32().ok()?, d.text().ok()?, d.text().ok()?);
                let count = d.u32().ok()?;
                let key = |_| Some((sheet_of(d.array().ok()?)?, d.u64().ok()?));
                let finished = (0..count).map(key).collect::<Option<_>>()?;
                let sharing = Sharing { folder: PathBuf::from(folder), token };
                Some(Self::Regions(RegionOrder { method, folds, labels, packs, cells, sharing, finished }))
            }
            _ => None,
        }
    }
}

/// The folder in which a table grows, and what is in a file there for a moment, so that other ranks know whether they see it.
pub(super) struct Sharing {
    pub(super) folder: PathBuf,
    pub(super) token: String,
}

/// Whether the file at `path` holds `token`: whether this is the folder that rank 0 means.
pub(super) fn holds(path: &Path, token: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text == token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::LabelKind;

    #[test]
    fn what_is_ordered_comes_back() {
        let finished = vec![(PlaneKind::Reached, 7), (PlaneKind::Label(LabelKind::Nimber), 1 << 33)];
        let order = RegionOrder {
            method: Method::Coloured,
            folds: true,
            labels: LabelSet::OUTCOME.with(LabelKind::Nimber),
            packs: true,
            cells: 9,
            sharing: Sharing { folder: "/a b".into(), token: "t".into() },
            finished: finished.clone(),
        };
        let bytes = Order::Regions(order).bytes();
        let Some(Order::Regions(order)) = Order::of(&bytes) else { panic!("an order") };
        assert_eq!((order.method, order.folds, order.packs, order.cells), (Method::Coloured, true, true, 9));
        assert_eq!((order.labels, order.finished), (LabelSet::OUTCOME.with(LabelKind::Nimber), finished));
        assert!((0..bytes.len()).all(|length| Order::of(&bytes[..length]).is_none()));
        let bytes = Order::Positions { labels: LabelSet::OUTCOME, folds: true }.bytes();
        assert!(matches!(Order::of(&bytes), Some(Order::Positions { labels: LabelSet::OUTCOME, folds: true })));
    }
}
