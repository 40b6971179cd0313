//! Regions that one task or one process has made.

use std::collections::TryReserveError;

use rayon::prelude::*;

use super::item::Item;
use super::level_items::LevelItems;
use super::regions::{Level, Region};

/// Regions that were made by one task, numbered from the first of its items.
pub(super) struct Part<T: Item> {
    pub(super) items: Vec<T>,
    pub(super) regions: Vec<Region<T::Key>>,
}

impl<T: Item> Part<T> {
    /// Nothing.
    pub(super) const fn new() -> Self {
        Self { items: Vec::new(), regions: Vec::new() }
    }

    /// The number of positions.
    pub(super) fn count(&self) -> u64 {
        self.items.iter().map(|item| item.count()).sum()
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<T>() + self.regions.capacity() * size_of::<Region<T::Key>>()) as u64
    }
}

/// Regions on the way into a level.
pub(super) struct Piece<T: Item> {
    /// Their items begin at zero.
    pub(super) regions: Vec<Region<T::Key>>,
    /// The number of positions.
    pub(super) positions: u64,
    pub(super) items: Items<T>,
}

/// Writes items into as much room.
type Write<T> = Box<dyn FnOnce(&mut [T]) + Send>;

/// Where the items of a piece are.
pub(super) enum Items<T> {
    Here(Vec<T>),
    /// With what writes so many into as much room.
    Told {
        count: usize,
        write: Write<T>,
    },
    /// All of a level: what several processes have written.
    Common(LevelItems<T>),
}

impl<T: Copy> Items<T> {
    fn count(&self) -> usize {
        match self {
            Self::Here(items) => items.len(),
            Self::Told { count, .. } => *count,
            Self::Common(items) => items.len(),
        }
    }

    /// Writes them into as much room.
    pub(super) fn write(self, room: &mut [T]) {
        match self {
            Self::Here(items) => room.copy_from_slice(&items),
            Self::Told { write, .. } => write(room),
            Self::Common(items) => room.copy_from_slice(&items),
        }
    }
}

impl<T: Item> From<Part<T>> for Piece<T> {
    fn from(part: Part<T>) -> Self {
        let positions = part.count();
        Self { regions: part.regions, positions, items: Items::Here(part.items) }
    }
}

impl<T: Item> Piece<T> {
    /// The level whose regions `pieces` are, one after the other. All cores of the current rayon pool write them: most of the time
    /// the system clears what is written to. One piece alone is not copied.
    pub(super) fn join(mut pieces: Vec<Self>, filled: u32, low_bits: u32) -> Result<Level<T>, TryReserveError> {
        if let [Self { items: Items::Here(items), regions, .. }] = &mut pieces[..] {
            let (mut items, regions) = (std::mem::take(items), std::mem::take(regions));
            items.shrink_to_fit();
            return Ok(Level { filled, low_bits, items: items.into(), regions });
        }
        if let [Self { items: Items::Common(items), regions, .. }] = &mut pieces[..] {
            let (items, regions) = (std::mem::take(items), std::mem::take(regions));
            return Ok(Level { filled, low_bits, items, regions });
        }
        let mut regions = Vec::new();
        let mut count = 0;
        regions.try_reserve_exact(pieces.iter().map(|piece| piece.regions.len()).sum())?;
        for piece in &pieces {
            regions.extend(piece.regions.iter().map(|region| region.behind(count)));
            count += piece.items.count();
        }
        let mut items = T::room(count)?;
        let mut rest = &mut items[..];
        let rooms: Vec<_> = pieces
            .into_iter()
            .map(|piece| {
                let (room, after) = std::mem::take(&mut rest).split_at_mut(piece.items.count());
                rest = after;
                (piece.items, room)
            })
            .collect();
        rooms.into_par_iter().for_each(|(items, room)| items.write(room));
        Ok(Level { filled, low_bits, items: items.into(), regions })
    }
}
