//! The positions of a number, and the numbers of a class of positions.

use super::{Last, Portable, Regions};
use crate::rules::{Board, Mode, Position};

impl Regions {
    /// True if some number stands for several positions.
    #[must_use]
    pub fn has_classes(&self) -> bool {
        self.folds.is_some() || self.swap.iter().any(Option::is_some)
    }

    /// The mode whose positions are stored as positions of `mode`, with the colours exchanged.
    #[must_use]
    pub fn partner(&self, mode: u16) -> Option<u16> {
        self.swap.iter().position(|&stored| stored == Some(mode)).map(|partner| partner as u16)
    }

    /// The number of boards in the regions of each of `modes` modes, as far as they have numbers.
    #[must_use]
    pub fn boards_by_mode(&self, modes: usize) -> Vec<u64> {
        let mut boards = vec![0u64; modes];
        let choices = super::Choices::default();
        for region in self.list.regions.iter().filter(|region| region.shape.size > 0) {
            let [first, second, single] = region.shape.counts;
            let (pairs, singles) = (self.planes.pairs(), self.planes.singles());
            let parts = [choices.of(pairs, first), choices.of(pairs - first, second), choices.of(singles, single)];
            let count = parts.iter().fold(1u64, |all, &part| all.saturating_mul(part));
            for mode in [Some(region.mode), self.partner(region.mode)].into_iter().flatten() {
                let sum = &mut boards[usize::from(mode)];
                *sum = sum.saturating_add(count);
            }
        }
        boards
    }

    /// All positions with `number`, each once; none if no position has it.
    #[must_use]
    pub fn images(&self, number: u64) -> Vec<Position> {
        let Some(region) = self.region_of(number) else { return Vec::new() };
        let content = self.content(Portable, &region.shape, (number - region.base) as u32, &mut Last::new());
        let contents = match &self.folds {
            None => vec![content],
            Some(folds) => folds.choices_of(content.first).map(|element| content.mapped(folds, element)).collect(),
        };
        let is_turned = self.orders.is_turned(region.mode);
        let position =
            |mode: u16, content| Position::new(Mode(mode), Board::from_word(self.planes.join(Portable, content)));
        let mut images: Vec<Position> =
            contents.iter().map(|content| position(region.mode, content.turned(is_turned))).collect();
        if let Some(partner) = self.partner(region.mode) {
            images.extend(contents.iter().map(|content| position(partner, content.turned(!is_turned))));
        }
        images
    }

    /// The other numbers of the class of positions with `number`. They differ from it if some symmetries leave the first squares
    /// unchanged, but not the others. All numbers of a class have the same labels.
    #[must_use]
    pub fn twins(&self, number: u64) -> Vec<u64> {
        let (Some(folds), Some(region)) = (&self.folds, self.region_of(number)) else { return Vec::new() };
        let content = self.content(Portable, &region.shape, (number - region.base) as u32, &mut Last::new());
        let fixing = folds.elements_to_least(content.first).map(|element| content.mapped(folds, element));
        let ranks = fixing.map(|twin| region.base + u64::from(self.rank(Portable, &region.shape, twin)));
        let mut twins: Vec<u64> = ranks.filter(|&twin| twin != number).collect();
        twins.sort_unstable();
        twins.dedup();
        twins
    }
}
