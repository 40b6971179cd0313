//! Sorts the labels into the order of a table, by code.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::Game;
use super::regions::Last;
use super::retro::UNDECIDED;
use super::sets::{Set, WORDS};
use crate::cyclic::retro::Labelled;
use crate::cyclic::shards::Cut;
use crate::label::{Counts, Label, Remoteness, Width, add_each};
use crate::reachable::append_keys;
use crate::rules::{Mode, Outcome};
use crate::simd::{Unit, Work};
use crate::sparse::lists::{ListBuilder, Lists};
use crate::sparse::sort::{SortBuffers, sort};

/// Bits of a label; they stand below the bits of the code.
const LABEL: u32 = u8::BITS;
/// Maximum number of code bits, so that a code and a label fit into a word.
pub(super) const MOST_BITS: u32 = u64::BITS - LABEL;
/// Number of blocks in a task, and of parts. The lists of a part are copied to shards before the next part begins.
const TASK: usize = 4;
const PARTS: usize = 8;

/// The codes and labels of the `count` numbers in `reached`, sorted, by shard. `labels` are XORed with [`UNDECIDED`].
pub(super) fn ordered(
    game: &Game<'_>,
    reached: &Set<'_>,
    labels: &[AtomicU8],
    count: u64,
) -> Result<(Vec<Vec<u64>>, Vec<Counts>), TryReserveError> {
    let cut = game.cut;
    let mut shards: Vec<Vec<u64>> = vec![Vec::new(); cut.shards()];
    // Codes are hashed, so few shards have more than this number.
    let mean = count as usize / cut.shards();
    let room = (mean + 4 * mean.isqrt()).min(count as usize);
    shards.iter_mut().try_for_each(|shard| shard.try_reserve_exact(room))?;
    let blocks: Vec<usize> = (0..reached.words.len().div_ceil(WORDS)).collect();
    let mut counts = vec![Counts::default(); game.rules.modes().len()];
    for part in blocks.chunks(blocks.len().div_ceil(PARTS).max(1)) {
        let dealt = |blocks: &[usize]| game.unit.run_on_words(Dealt { game, reached, labels, blocks });
        let dealt: Vec<(Lists<u64>, Vec<Counts>)> = part.par_chunks(TASK).map(dealt).collect::<Result<_, _>>()?;
        shards.par_iter_mut().enumerate().try_for_each(|(number, shard)| {
            let lists = || dealt.iter().map(|(lists, _)| lists.of(number));
            shard.try_reserve(lists().map(<[u64]>::len).sum())?;
            lists().for_each(|list| shard.extend_from_slice(list));
            Ok::<_, TryReserveError>(())
        })?;
        counts = dealt.into_iter().fold(counts, |counts, (_, of_modes)| add_each(counts, of_modes));
    }
    let sort = |room: &mut SortBuffers<u64>, shard: &mut Vec<u64>| sort(shard, cut.below + LABEL, room);
    shards.par_iter_mut().map_init(SortBuffers::default, sort).collect::<Result<(), _>>()?;
    if !game.group.is_trivial() {
        // Several numbers of one symmetry class have the same code and the same label.
        shards.par_iter_mut().for_each(Vec::dedup);
        counts = counts_of(game, &shards);
    }
    Ok((shards, counts))
}

/// The counts of outcomes by mode.
fn counts_of(game: &Game<'_>, shards: &[Vec<u64>]) -> Vec<Counts> {
    let none = || vec![Counts::default(); game.rules.modes().len()];
    let of_shard = |mut counts: Vec<Counts>, (shard, words): (usize, &Vec<u64>)| {
        for &word in words {
            let key: u64 = game.cut.key(shard, word >> LABEL);
            counts[(key >> game.rules.cells()) as usize].add(outcome(word as u8));
        }
        counts
    };
    shards.par_iter().enumerate().fold(none, of_shard).reduce(none, add_each)
}

/// The outcome in a label.
fn outcome(label: u8) -> Outcome {
    Remoteness::decode(label ^ UNDECIDED, Width::Eight).map_or(Outcome::Draw, |it| it.outcome)
}

/// The keys and labels of the shards, in the form of a table.
pub(super) fn written(
    game: &Game<'_>,
    shards: Vec<Vec<u64>>,
    counts: Vec<Counts>,
    has_plies: bool,
) -> Result<Labelled, TryReserveError> {
    let Cut { codes: all, below } = game.cut;
    let (mut keys, mut codes) = (Vec::new(), Vec::new());
    append_keys(&mut keys, &all, &shards, |shard, word: u64| (shard as u64) << below | word >> LABEL)?;
    codes.try_reserve_exact(shards.iter().map(Vec::len).sum())?;
    for shard in shards {
        codes.extend(shard.into_iter().map(|word| word as u8 ^ UNDECIDED));
    }
    Ok(Labelled { keys, codes, counts, has_plies })
}

/// Sorts the codes of some blocks by shard, together with their labels.
struct Dealt<'a> {
    game: &'a Game<'a>,
    reached: &'a Set<'a>,
    labels: &'a [AtomicU8],
    blocks: &'a [usize],
}

impl Work for Dealt<'_> {
    /// The codes by shard, and the counts of outcomes by mode.
    type Output = Result<(Lists<u64>, Vec<Counts>), TryReserveError>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> Self::Output {
        let Self { game, reached, labels, blocks } = self;
        let mut deal = ListBuilder::<u64>::new(game.cut.shards(), game.cut.below + LABEL)?;
        let mut counts = vec![Counts::default(); game.rules.modes().len()];
        for (number, words) in blocks.iter().flat_map(|&block| game.parts(block)) {
            let region = &game.regions.list[number];
            let mut of_label = [0u64; 1 << LABEL];
            let mut last = Last::new();
            for word in words {
                let mut set = reached.words[word].load(Relaxed);
                while set != 0 {
                    let number = (word as u32) << 6 | set.trailing_zeros();
                    set &= set - 1;
                    let label = labels[number as usize].load(Relaxed);
                    of_label[usize::from(label)] += 1;
                    let board = game.planes.join(unit, game.regions.content(unit, region, number, &mut last));
                    let (mode, board) = game.group.representative_of(Mode(region.mode), board);
                    let code = game.cut.codes.code_of_key(u64::from(mode.0) << game.rules.cells() | board);
                    deal.push(code << LABEL | u64::from(label));
                }
            }
            let of_mode = &mut counts[usize::from(region.mode)];
            for (label, count) in (0..=u8::MAX).zip(of_label).filter(|&(_, count)| count > 0) {
                *of_mode = *of_mode + Counts::of(outcome(label), count);
            }
        }
        Ok((deal.lists()?, counts))
    }
}
