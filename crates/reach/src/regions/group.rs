//! A group of regions that lead to each other, as it is laid out in memory while it is solved.

use std::collections::BTreeSet;

use super::layout::Rows;
use super::steps::{Step, Steps, Tested};
use crate::SolveError;
use crate::index::{Content, Folds, Gather, Lead, Regions};
use crate::rules::Outcome;

/// Rooms begin at multiples of this number, so that no two share a word of bits.
const ALIGNED: u64 = 64;
/// The least number of numbers in a chunk of rows, which is the work of one task.
const CHUNK: u32 = 1 << 15;

/// Bytes of the memory for solving a group with this number of positions, without the regions that it leads to: the cells and the outcomes;
/// and beside them five sets of arrivals and an event of every position, or the labels of its largest region, which are kept.
pub(super) fn bytes(numbers: u64, largest: u64) -> u64 {
    numbers * 9 / 4 + (numbers * 5 / 8 + numbers * 4).max(largest * 9 / 4)
}

/// A region of the group.
pub(super) struct Room {
    /// Its place in the list of regions.
    pub(super) region: usize,
    pub(super) mode: u16,
    /// The number of its first position, and of its first arrival, within the group.
    pub(super) base: u32,
    pub(super) arrival_base: u32,
    pub(super) rows: Rows,
    /// The number of its first chunk of arrivals, and the binary logarithm of the rows in a chunk.
    first_chunk: usize,
    shift: u32,
    /// The moves that may be legal, and those of them that stay in the group if they take nothing, as bits in words.
    pub(super) asked: Vec<u64>,
    pub(super) inside: Vec<u64>,
    /// The moves that may lead here from the group, as bits in words, for each list of undone moves.
    pub(super) asked_back: [Vec<u64>; 2],
    /// For each kind, the room that moves of it come from, and where they lead.
    pub(super) from: Vec<Option<u32>>,
    pub(super) to: Vec<Target>,
}

/// Where moves of a kind lead from a room.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// To a room of the group.
    Inside,
    /// To a region of an earlier group.
    Outside(u32),
    /// To a number of pieces that ends the game.
    Ended(Outcome),
    /// There are no such moves.
    Nowhere,
}

/// Rows of a room that one task works on.
#[derive(Clone, Copy)]
pub(super) struct Chunk {
    pub(super) room: usize,
    /// The choices of the first plane's squares, from the first up to but not including the second.
    pub(super) choices: (u32, u32),
}

/// A group of regions.
pub(super) struct Group {
    pub(super) rooms: Vec<Room>,
    /// The chunks of arrivals.
    pub(super) chunks: Vec<Chunk>,
    /// The upper bounds of all numbers of positions, and of arrivals.
    pub(super) numbers: u32,
    pub(super) arrivals: u32,
    /// True if no two chunks of arrivals lead back to the same position. Then a task needs no atomic changes.
    pub(super) is_exclusive: bool,
}

impl Group {
    /// The regions in `list`, by their places in the list of regions. Regions where the game has ended have no room.
    pub(super) fn new(index: &Regions, steps: &Steps, list: &[u32]) -> Result<Self, SolveError> {
        let (mut rooms, mut chunks): (Vec<Room>, Vec<Chunk>) = (Vec::new(), Vec::new());
        let (mut numbers, mut arrivals) = (0u64, 0u64);
        let open = list.iter().map(|&region| region as usize).filter(|&at| index.regions()[at].ended.is_none());
        for at in open {
            let rows = Rows::new(index, at)?;
            let shift = (CHUNK / rows.arrival.row).max(1).ilog2();
            let choices = rows.choices();
            let first_chunk = chunks.len();
            chunks.extend(
                (0..choices)
                    .step_by(1 << shift)
                    .map(|from| Chunk { room: rooms.len(), choices: (from, choices.min(from + (1 << shift))) }),
            );
            rooms.push(Room {
                region: at,
                mode: index.regions()[at].mode,
                base: numbers as u32,
                arrival_base: arrivals as u32,
                rows,
                first_chunk,
                shift,
                asked: Vec::new(),
                inside: Vec::new(),
                asked_back: [Vec::new(), Vec::new()],
                from: Vec::new(),
                to: Vec::new(),
            });
            let next = |base: u64, size: u32| (base + u64::from(size)).next_multiple_of(ALIGNED);
            (numbers, arrivals) = (next(numbers, rows.shape.size), next(arrivals, rows.arrival.size));
        }
        let (Ok(numbers), Ok(arrivals)) = (u32::try_from(numbers), u32::try_from(arrivals)) else {
            return Err(SolveError::TooManyNumbers);
        };
        let mut group = Self { rooms, chunks, numbers, arrivals, is_exclusive: false };
        group.connect(index, steps);
        Ok(group)
    }

    /// Finds which moves stay in the group.
    fn connect(&mut self, index: &Regions, steps: &Steps) {
        let kinds = index.kinds().list.len();
        let room_of = |region: u32| self.rooms.iter().position(|room| room.region == region as usize);
        let mut from = vec![vec![None; kinds]; self.rooms.len()];
        let mut targets = vec![Vec::new(); self.rooms.len()];
        for (number, room) in self.rooms.iter().enumerate() {
            for (kind, lead) in index.list().leads(room.region).iter().enumerate() {
                if let Some(to) = lead.and_then(|lead| room_of(lead.region)) {
                    from[to][kind] = Some(number as u32);
                    targets[number].push(to);
                }
            }
        }
        targets.iter_mut().for_each(|targets| targets.dedup());
        let is_single = targets.iter().all(|targets| targets.iter().all(|to| *to == targets[0]));
        self.is_exclusive = index.orders().keeps_rows() && is_single;
        for (number, from) in from.into_iter().enumerate() {
            let region = self.rooms[number].region;
            let Some(of_mode) = &steps.modes[usize::from(self.rooms[number].mode)] else { continue };
            let target = |lead: &Option<Lead>| match lead {
                None => Target::Nowhere,
                Some(lead) => match index.regions()[lead.region as usize].ended {
                    Some(outcome) => Target::Ended(outcome),
                    None if self.rooms.iter().any(|it| it.region == lead.region as usize) => Target::Inside,
                    None => Target::Outside(lead.region),
                },
            };
            let to: Vec<Target> = index.list().leads(region).iter().map(target).collect();
            let bits = |moves: &Tested, is: &dyn Fn(&Step) -> bool| {
                let mut words = vec![0u64; moves.tests.words()];
                let found = moves.steps.iter().enumerate().filter(|(_, step)| is(step));
                found.for_each(|(at, _)| words[at / 64] |= 1 << (at % 64));
                words
            };
            let plain = |step: &Step| step.kinds.plain..=step.kinds.plain + step.open.count_ones();
            let may = |step: &Step| {
                let taking = step.kinds.taking.into_iter().filter(|&kind| kind != u32::MAX);
                plain(step).chain(taking).any(|kind| !matches!(to[kind as usize], Target::Nowhere))
            };
            let stays = |step: &Step| step.open == 0 && matches!(to[step.kinds.plain as usize], Target::Inside);
            let back = |step: &Step| plain(step).any(|kind| from[kind as usize].is_some());
            let (asked, inside) = (bits(&of_mode.moves, &may), bits(&of_mode.moves, &stays));
            let asked_back = [0, 1].map(|again| bits(&of_mode.back[again], &back));
            let room = &mut self.rooms[number];
            (room.asked, room.inside, room.asked_back) = (asked, inside, asked_back);
            (room.from, room.to) = (from, to);
        }
    }

    /// The regions of earlier groups to which moves lead, by their places in the list.
    pub(super) fn outside(&self) -> BTreeSet<usize> {
        let to = self.rooms.iter().flat_map(|room| &room.to);
        to.filter_map(|to| if let Target::Outside(region) = to { Some(*region as usize) } else { None }).collect()
    }

    /// The room of the position with `number`.
    #[inline(always)]
    pub(super) fn room_of(&self, number: u32) -> &Room {
        if let [only] = &self.rooms[..] {
            return only;
        }
        &self.rooms[self.rooms.partition_point(|room| room.base <= number) - 1]
    }

    /// Calls `each` with the number and the chunk of each arrival that is the same position as that with `content` in `room`, up to symmetry.
    #[inline(always)]
    pub(super) fn arrivals<G: Gather>(
        &self,
        index: &Regions,
        unit: G,
        room: &Room,
        content: Content,
        mut each: impl FnMut(u32, usize),
    ) {
        let content = content.turned(room.rows.is_exchanged);
        match index.folds() {
            None => self.arrival(index, unit, room, index.subsets().number(content.first.into()), content, &mut each),
            Some(folds) => {
                // Most choices have one symmetry that maps them to their representative.
                let place = folds.place(content.first);
                if !place.is_fixed {
                    let image = image(folds, place.element, content);
                    self.arrival(index, unit, room, place.choice, image, &mut each);
                    return;
                }
                for element in folds.elements_to_least(content.first) {
                    self.arrival(index, unit, room, place.choice, image(folds, element, content), &mut each);
                }
            }
        }
    }

    #[inline(always)]
    fn arrival<G: Gather>(
        &self,
        index: &Regions,
        unit: G,
        room: &Room,
        choice: u32,
        content: Content,
        each: &mut impl FnMut(u32, usize),
    ) {
        let rest = index.rest(unit, &room.rows.arrival, content);
        each(
            room.arrival_base + choice * room.rows.arrival.row + rest,
            room.first_chunk + (choice >> room.shift) as usize,
        );
    }
}

#[inline(always)]
fn image(folds: &Folds, element: u8, content: Content) -> Content {
    let Content { first, second, single } = content;
    Content { first: folds.image(element, first), second: folds.image(element, second), single }
}
