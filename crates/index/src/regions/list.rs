//! The list of regions, the moves between them, and the order in which they are solved.

use std::collections::{BTreeSet, HashMap};

use super::kinds::{Kind, Kinds, NoKinds, fits};
use super::{Choices, Content, Folds, NoRegions, Orders, Planes, Portable, Shape, Subsets};
use crate::rules::{Outcome, Position, Rules};

/// Maximum number of regions.
pub(super) const MOST_REGIONS: usize = 1 << 14;
/// Maximum number of regions times kinds of moves.
const MOST_LEADS: usize = 1 << 22;
/// Maximum number of choices of squares that are listed up to symmetry, all sizes together.
const MOST_CHOICES: u64 = 1 << 24;

/// A mode that is stored, and the number of pieces of the first colour, of the second, and outside of squares.
type Name = (u16, [u32; 3]);

/// A region: positions with consecutive numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The mode.
    pub mode: u16,
    /// The number of pieces of the first colour, of the second, and outside of squares.
    pub counts: [u32; 3],
    /// The outcome for the player to move, if this number of pieces ends the game. Then the region has no numbers.
    pub ended: Option<Outcome>,
    /// The first number.
    pub base: u64,
    /// The index of its boards.
    pub shape: Shape,
    /// The number of its group.
    pub group: u32,
}

/// The region that a kind of moves leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lead {
    /// The region, by its place in the list.
    pub region: u32,
    /// True if the colours are exchanged there, because another mode is stored in place of the one after the move.
    pub is_swapped: bool,
}

/// The regions of an index.
#[derive(Debug)]
pub struct RegionList {
    pub(super) regions: Vec<Region>,
    pub(super) numbers: u64,
    known: HashMap<Name, u32>,
    kinds: usize,
    leads: Vec<Option<Lead>>,
    groups: Vec<Vec<u32>>,
}

impl RegionList {
    /// The region of `mode` with `counts`, as an index into the list.
    pub(super) fn find(&self, mode: u16, counts: [u32; 3]) -> Option<usize> {
        self.known.get(&(mode, counts)).map(|&region| region as usize)
    }

    /// Where the moves of each kind lead from `region`.
    #[must_use]
    pub fn leads(&self, region: usize) -> &[Option<Lead>] {
        &self.leads[region * self.kinds..][..self.kinds]
    }

    /// Returns whether a move of one of `kinds` stays in its group.
    pub(super) fn stay(&self, kinds: &BTreeSet<u32>) -> bool {
        (0..self.regions.len()).any(|from| {
            let leads = kinds.iter().filter_map(|&kind| self.leads(from)[kind as usize]);
            leads.into_iter().any(|lead| self.regions[lead.region as usize].group == self.regions[from].group)
        })
    }

    /// The groups of regions that lead to each other, each a sorted list, in an order in which moves lead to earlier groups or stay in the
    /// group. Regions where the game has ended belong to groups as well.
    #[must_use]
    pub fn groups(&self) -> &[Vec<u32>] {
        &self.groups
    }
}

/// What a list of regions is made from.
pub(super) struct Maker<'a> {
    pub(super) rules: &'a Rules,
    pub(super) planes: &'a Planes,
    pub(super) kinds: &'a Kinds,
    pub(super) swap: &'a [Option<u16>],
    pub(super) orders: &'a Orders,
    pub(super) folds: Option<&'a Folds>,
}

impl Maker<'_> {
    /// The regions that play may reach from the regions of `roots`, as far as they have modes of `part`.
    pub(super) fn list(&self, roots: &[Position], part: Option<&[bool]>) -> Result<RegionList, NoRegions> {
        let choices = Choices::default();
        let (mut names, mut known) = (Vec::new(), HashMap::new());
        for root in roots {
            let Content { first, second, single } = self.planes.split(Portable, root.board.low_word());
            let counts = Content { first, second, single }.counts();
            self.add(root.mode.0, counts, &mut names, &mut known);
        }
        // Regions that are found, and where the moves of each kind lead.
        let kinds = self.kinds.list.len();
        let mut leads: Vec<Option<Lead>> = Vec::new();
        let mut next = 0;
        while next < names.len() {
            let (mode, counts) = names[next];
            let ended = ended(self.rules, self.planes, mode, counts).is_some();
            for kind in &self.kinds.list {
                let to = if ended { None } else { after(self.rules, self.planes, mode, counts, kind) };
                leads.push(to.map(|(mode, counts)| self.add(mode, counts, &mut names, &mut known)));
            }
            next += 1;
            if names.len() > MOST_REGIONS || leads.len() > MOST_LEADS {
                return Err(NoRegions::TooMany);
            }
        }
        if let Some(part) = part {
            (names, leads) = only(&names, &leads, kinds, |mode| part[usize::from(mode)]);
        }
        let groups = groups(&leads, kinds, names.len());
        // Groups in their order, and within a group the regions by mode and counts.
        let mut order: Vec<(usize, usize)> = (0..names.len()).map(|region| (groups[region], region)).collect();
        order.sort_by_key(|&(group, region)| (group, names[region]));
        let mut at = vec![0u32; names.len()];
        order.iter().enumerate().for_each(|(to, &(_, region))| at[region] = to as u32);
        let mut list = RegionList {
            regions: Vec::with_capacity(names.len()),
            numbers: 0,
            known: HashMap::new(),
            kinds,
            leads: Vec::with_capacity(leads.len()),
            groups: vec![Vec::new(); groups.iter().max().map_or(0, |most| most + 1)],
        };
        let mut listed = 0u64;
        let mut sizes = vec![false; self.planes.pairs() as usize + 1];
        for &(group, region) in &order {
            let (mode, counts) = names[region];
            let ended = ended(self.rules, self.planes, mode, counts);
            let shape = self.shape(&choices, counts, self.orders.is_turned(mode)).ok_or(NoRegions::TooMany)?;
            let shape = if ended.is_some() { Shape { size: 0, ..shape } } else { shape };
            for size in [counts[0], counts[1]] {
                if self.folds.is_some() && !std::mem::replace(&mut sizes[size as usize], true) {
                    listed += choices.of(self.planes.pairs(), size);
                }
            }
            let number = list.regions.len() as u32;
            list.known.insert((mode, counts), number);
            list.groups[group].push(number);
            list.regions.push(Region { mode, counts, ended, base: list.numbers, shape, group: group as u32 });
            list.numbers = list.numbers.checked_add(shape.size.into()).ok_or(NoRegions::TooMany)?;
            let moved = |lead: &Lead| Lead { region: at[lead.region as usize], ..*lead };
            list.leads.extend(leads[region * kinds..][..kinds].iter().map(|lead| lead.as_ref().map(moved)));
        }
        if listed > MOST_CHOICES { Err(NoRegions::TooMany) } else { Ok(list) }
    }

    /// The region of `counts` in `mode`, or in the mode that is stored in its place.
    fn add(&self, mode: u16, counts: [u32; 3], names: &mut Vec<Name>, known: &mut HashMap<Name, u32>) -> Lead {
        let [first, second, single] = counts;
        let (mode, counts, is_swapped) = match self.swap[usize::from(mode)] {
            Some(stored) => (stored, [second, first, single], true),
            None => (mode, counts, false),
        };
        let region = *known.entry((mode, counts)).or_insert_with(|| {
            names.push((mode, counts));
            names.len() as u32 - 1
        });
        Lead { region, is_swapped }
    }

    fn shape(&self, choices: &Choices, counts: [u32; 3], is_turned: bool) -> Option<Shape> {
        let [a, b, single] = counts;
        let [first, second] = if is_turned { [b, a] } else { [a, b] };
        shape(self.planes, self.folds, choices, [first, second, single])
    }
}

/// The mode and the counts to which moves of `kind` lead from `counts` in `mode`.
pub(super) fn after(rules: &Rules, planes: &Planes, mode: u16, counts: [u32; 3], kind: &Kind) -> Option<Name> {
    let fits = |number: u16| fits(planes, &rules.spec().counts[usize::from(number)], counts);
    if kind.mode != mode || !kind.when.is_none_or(fits) {
        return None;
    }
    let mut after = [0; 3];
    for ((after, before), more) in after.iter_mut().zip(counts).zip(kind.more) {
        *after = before.checked_add_signed(more)?;
    }
    let is_possible = after[0] + after[1] <= planes.pairs() && after[2] <= planes.singles();
    is_possible.then_some((kind.next, after))
}

/// The outcome in `mode` if `counts` end the game.
pub(super) fn ended(rules: &Rules, planes: &Planes, mode: u16, counts: [u32; 3]) -> Option<Outcome> {
    let mut ends = rules.spec().count_ends.iter();
    ends.find(|end| end.mode.0 == mode && fits(planes, &end.count, counts)).map(|end| end.outcome)
}

/// The sizes of the index of boards with `counts` pieces; `None` if it has 2^32 numbers or more.
pub(super) fn shape(planes: &Planes, folds: Option<&Folds>, choices: &Choices, counts: [u32; 3]) -> Option<Shape> {
    let [first, second, single] = counts;
    let pairs = planes.pairs();
    let firsts = folds.map_or_else(|| choices.of(pairs, first), |folds| folds.choices(first));
    let seconds = choices.of(pairs - first, second);
    let singles = choices.of(planes.singles(), single);
    let row = seconds.checked_mul(singles)?;
    let size = firsts.checked_mul(row).filter(|&size| size < u64::from(u32::MAX))? as u32;
    let [row, single] = [row, singles].map(|factor| u32::try_from(factor).ok());
    Some(Shape { counts, row: row?, single: single?, size, top: Subsets::top(second) })
}

/// The regions with some modes, and the leads between them.
fn only(
    names: &[Name],
    leads: &[Option<Lead>],
    kinds: usize,
    has: impl Fn(u16) -> bool,
) -> (Vec<Name>, Vec<Option<Lead>>) {
    let kept: Vec<usize> = (0..names.len()).filter(|&region| has(names[region].0)).collect();
    let mut at = vec![None; names.len()];
    kept.iter().enumerate().for_each(|(to, &region)| at[region] = Some(to as u32));
    let moved = |lead: &Option<Lead>| lead.and_then(|lead| Some(Lead { region: at[lead.region as usize]?, ..lead }));
    let of = |&region: &usize| leads[region * kinds..][..kinds].iter().map(moved).collect::<Vec<_>>();
    (kept.iter().map(|&region| names[region]).collect(), kept.iter().flat_map(of).collect())
}

/// The group of each region: strongly connected components, numbered such that leads go to groups with lower numbers or stay (Tarjan,
/// 1972). Without recursion, because chains of regions may be long.
fn groups(leads: &[Option<Lead>], kinds: usize, regions: usize) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let (mut index, mut low) = (vec![NEW; regions], vec![0; regions]);
    let (mut group, mut groups, mut found) = (vec![NEW; regions], 0, 0);
    let mut stack = Vec::new();
    for root in 0..regions {
        if index[root] != NEW {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((region, kind)) = path.pop() {
            if kind == 0 {
                (index[region], low[region]) = (found, found);
                found += 1;
                stack.push(region);
            }
            let mut kind = kind;
            let mut is_left = false;
            while kind < kinds {
                let to = leads[region * kinds + kind].map(|lead| lead.region as usize);
                kind += 1;
                match to {
                    Some(to) if index[to] == NEW => {
                        path.extend([(region, kind), (to, 0)]);
                        is_left = true;
                        break;
                    }
                    Some(to) if group[to] == NEW => low[region] = low[region].min(low[to]).min(index[to]),
                    _ => {}
                }
            }
            if is_left {
                continue;
            }
            if low[region] == index[region] {
                while let Some(member) = stack.pop() {
                    group[member] = groups;
                    if member == region {
                        break;
                    }
                }
                groups += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[region]);
            }
        }
    }
    group
}

impl From<NoKinds> for NoRegions {
    fn from(reason: NoKinds) -> Self {
        match reason {
            NoKinds::Condition => Self::Condition,
            NoKinds::OpenTake => Self::OpenTake,
        }
    }
}
