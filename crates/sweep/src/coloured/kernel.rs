//! The kernel: labels and reachability bits of all colourings of one occupied set.
//!
//! Everything here is inlined into what is compiled for each vector unit ([`Work`](crate::simd::Work)). A closure is
//! not, so what handles blocks is written in loops.

use super::fetch::{AnyPlace, Far, Fetch, Many, Near, OwnBlocks, Piece, Place, Same, SetBlocks};
use super::literals::Literals;
use super::plan::{Condition, Pattern, Play};
use super::set_order::{PART, SetPart};
use super::sweep::{SlicePlanes, Sweep};
use crate::rules::Outcome;
use crate::simd::{Colourings, by_place};

/// Blocks of a set that are labelled together: few enough that their scratch memory stays in the first cache.
const CHUNK: usize = 32;

/// The most two-colour squares that a move may fill.
pub(super) const MAX_PIECES: usize = 8;

/// One thread's view of a sweep of parts of sets, with blocks of one size.
pub(super) struct SetKernel<'a, L: Colourings> {
    sweep: &'a Sweep<'a, u64>,
    token: L::Token,
    part: SetPart,
}

/// A chunk in progress, by block.
pub(super) struct Scratch<L> {
    /// Colourings with a complete terminal pattern.
    over: [L; CHUNK],
    /// The wins and losses among them.
    over_win: [L; CHUNK],
    over_loss: [L; CHUNK],
    /// Some move leaves the opponent with a loss.
    win: [L; CHUNK],
    /// Some move leaves the opponent without a win.
    keep: [L; CHUNK],
    /// There is a move.
    any: [L; CHUNK],
}

impl<L: Colourings> Scratch<L> {
    #[inline(always)]
    pub(super) fn new(token: L::Token) -> Self {
        let none = [L::none(token); CHUNK];
        Self { over: none, over_win: none, over_loss: none, win: none, keep: none, any: none }
    }

    #[inline(always)]
    fn clear(&mut self, token: L::Token, count: usize) {
        let none = L::none(token);
        for block in 0..count {
            self.win[block] = none;
            self.keep[block] = none;
            self.any[block] = none;
        }
    }

    #[inline(always)]
    fn clear_ends(&mut self, token: L::Token, count: usize) {
        let none = L::none(token);
        for block in 0..count {
            self.over[block] = none;
            self.over_win[block] = none;
            self.over_loss[block] = none;
        }
    }
}

/// How many colourings of a chunk have a complete terminal pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    None,
    Some,
    All,
}

/// A mode, and its slot among the planes of a set.
#[derive(Clone, Copy)]
pub(super) struct SlotMode {
    pub(super) slot: usize,
    pub(super) mode: usize,
}

/// What a sweep finds: wins, if the rules cannot draw; wins and losses; reachability bits; or where the game has ended.
pub(super) const WINS: u8 = 0;
pub(super) const WINS_AND_LOSSES: u8 = 1;
pub(super) const MARKS: u8 = 2;
pub(super) const ENDS: u8 = 3;

/// The set that is read.
#[derive(Clone, Copy)]
struct Read<'a> {
    /// The pieces by which the sets differ, the lowest first.
    pieces: &'a [Piece],
    /// The number of occupied two-colour squares without these pieces.
    coloured: u32,
    /// The blocks of wins and of losses; or of reachability bits, twice.
    from: [SetBlocks; 2],
}

/// Some blocks of a set.
#[derive(Clone, Copy)]
struct Chunk {
    /// The occupied squares.
    set: u64,
    /// The block after the last of the part.
    end: usize,
    /// The first block of the chunk.
    first: usize,
    /// The number of blocks of the chunk: a power of two.
    count: usize,
}

impl<'a, L: Colourings> SetKernel<'a, L> {
    /// A view of `part` of some sets of `sweep`.
    ///
    /// # Safety
    /// For each set that methods of this get:
    /// - Bytes: it is a set of the slice that is swept, in a mode that it can be in. It has whole blocks, and so have the
    ///   sets that it reads, unless blocks have one word.
    /// - Threads: no other thread touches the words of this part of the set. The sets that it reads are finished, and no
    ///   thread writes them.
    #[inline(always)]
    pub(super) const unsafe fn new(sweep: &'a Sweep<'a, u64>, token: L::Token, part: SetPart) -> Self {
        Self { sweep, token, part }
    }

    /// The blocks of the part of `set` in the first plane of `slot` of `planes`.
    #[inline(always)]
    fn own(&self, planes: &SlicePlanes<*mut u64>, set: u64, slot: usize) -> OwnBlocks {
        // SAFETY: `Sweep::of_slice` and `Sweep::beside` checked that the planes have all words of the slice; the set is of
        // the slice, and this part of it this thread's, as the caller of `new` promised.
        unsafe { OwnBlocks::new(self.sweep.own_at(planes, set, slot)) }
    }

    /// The blocks of a set that is read, whose first word is at `first`.
    #[inline(always)]
    fn read(&self, first: *const u64) -> SetBlocks {
        // SAFETY: `first` comes from `Sweep::finished`, so the planes have all words of the set. The pieces of the `Fetch`
        // are the pieces of a move between both sets. The set is finished, as the caller of `new` promised.
        unsafe { SetBlocks::new(first) }
    }

    /// The first chunk of the part of `set`.
    #[inline(always)]
    fn chunk(&self, set: u64) -> Chunk {
        const { assert!(L::LOG <= PART, "a part has whole blocks") };
        let blocks = 1usize << self.sweep.frame.coloured(set).saturating_sub(L::LOG) >> self.part.log;
        let first = blocks * self.part.number;
        Chunk { set, end: first + blocks, first, count: blocks.min(CHUNK) }
    }

    /// The colourings of a block that exist: all, unless the set has fewer colourings than a block.
    #[inline(always)]
    fn existing(&self, set: u64) -> L {
        let coloured = self.sweep.frame.coloured(set);
        // Sets with fewer than 64 colourings are swept in blocks of one word.
        let bits = if coloured >= 6 { u64::MAX } else { (1 << (1 << coloured)) - 1 };
        L::of(self.token, &[bits; 8])
    }

    /// Marks the colourings with a complete pattern of `ends`. If there are none, the marks in `scratch` belong to an
    /// earlier chunk and must not be used.
    #[inline(always)]
    fn ends(&self, chunk: Chunk, ends: &[Pattern], scratch: &mut Scratch<L>) -> Ended {
        let mut ended = Ended::None;
        let pairs = chunk.set & self.sweep.frame.pairs();
        for end in ends {
            if !end.when.allows(chunk.set, u64::MAX) {
                continue;
            }
            if ended == Ended::None {
                scratch.clear_ends(self.token, chunk.count);
                ended = Ended::Some;
            }
            let literals = Literals::new(&end.when, pairs, 0, 0);
            let inside: L = literals.inside(self.token);
            for block in literals.blocks::<L>(chunk.first, chunk.count) {
                let new = inside.without(scratch.over[block]);
                scratch.over[block] = scratch.over[block].or(new);
                match end.ending.outcome {
                    Outcome::Win => scratch.over_win[block] = scratch.over_win[block].or(new),
                    Outcome::Loss => scratch.over_loss[block] = scratch.over_loss[block].or(new),
                    Outcome::Draw => {}
                }
            }
            // No colour is left to decide: later patterns change nothing.
            if literals.places == 0 {
                return Ended::All;
            }
        }
        ended
    }

    /// Labels every colouring of the part of `set` in the mode of `place`, with the moves that the upper squares allow.
    #[inline(always)]
    pub(super) fn label<const WHAT: u8>(&self, set: u64, place: SlotMode, moves: &[&Play], scratch: &mut Scratch<L>) {
        let (sweep, SlotMode { slot, mode }) = (self.sweep, place);
        let lower = sweep.order.lower();
        let wins = self.own(&sweep.own(), set, slot);
        let existing = self.existing(set);
        let mut chunk = self.chunk(set);
        while chunk.first < chunk.end {
            scratch.clear(self.token, chunk.count);
            let ended = self.ends(chunk, &sweep.plan.ends[mode], scratch);
            // Where every game is over, no move counts.
            let moves = if ended == Ended::All { &[] } else { moves };
            for play in moves {
                if play.when.allows(set, lower) {
                    self.absorb_move::<WHAT>(chunk, play, scratch);
                }
            }
            self.write::<WHAT>(chunk, wins, existing, ended, scratch);
            chunk.first += chunk.count;
        }
    }

    /// Absorbs the labels of the successors by `play`.
    #[inline(always)]
    fn absorb_move<const WHAT: u8>(&self, chunk: Chunk, play: &Play, scratch: &mut Scratch<L>) {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        let after = chunk.set | play.takes;
        let (wins, to_losses) = sweep.finished(after, sweep.slot_after(after, usize::from(play.next.0)));
        let losses = if WHAT == WINS_AND_LOSSES { wins.wrapping_add(to_losses) } else { wins };
        let literals = Literals::new(&play.when, chunk.set & frame.pairs(), 0, 0);
        let mut pieces = [Piece { place: 0, second: false }; MAX_PIECES];
        let pieces = pieces_of(play, after & frame.pairs(), &mut pieces);
        let read = Read { pieces, coloured: frame.coloured(chunk.set), from: [self.read(wins), self.read(losses)] };
        self.gather::<WHAT>(chunk, literals, read, scratch);
    }

    /// Adds what `read` finds by the pieces of a move to `scratch`, for the colourings with the colours of `literals`.
    #[inline(always)]
    fn gather<const WHAT: u8>(&self, chunk: Chunk, literals: Literals, read: Read<'_>, scratch: &mut Scratch<L>) {
        let Read { pieces, coloured, .. } = read;
        match *pieces {
            [] => self.add::<WHAT, _>(chunk, literals, read, &Same, scratch),
            [Piece { place, second }] if place >= L::LOG => {
                self.add::<WHAT, _>(chunk, literals, read, &Far { place: place - L::LOG, second }, scratch);
            }
            [Piece { place, second }] => {
                let is_whole = coloured >= L::LOG;
                if L::AT_ANY_PLACE {
                    let near = Near { place: AnyPlace(place), second, is_whole };
                    self.add::<WHAT, _>(chunk, literals, read, &near, scratch);
                } else {
                    by_place!(place, P => {
                        let near = Near { place: Place::<P>, second, is_whole };
                        self.add::<WHAT, _>(chunk, literals, read, &near, scratch)
                    });
                }
            }
            _ => self.add::<WHAT, _>(chunk, literals, read, &Many { pieces, coloured }, scratch),
        }
    }

    /// As [`gather`](Self::gather), where `fetch` reads the blocks.
    #[inline(always)]
    fn add<const WHAT: u8, F: Fetch<L>>(
        &self,
        chunk: Chunk,
        literals: Literals,
        read: Read<'_>,
        fetch: &F,
        scratch: &mut Scratch<L>,
    ) {
        let legal: L = literals.inside(self.token);
        let [from, losses] = read.from;
        for block in literals.blocks::<L>(chunk.first, chunk.count) {
            let number = chunk.first + block;
            if WHAT == MARKS {
                let marks = fetch.predecessors(self.token, from, number);
                scratch.any[block] = scratch.any[block].or(legal.and(marks));
                continue;
            }
            let wins = fetch.successors(self.token, from, number);
            if WHAT == WINS_AND_LOSSES {
                let losses = fetch.successors(self.token, losses, number);
                scratch.win[block] = scratch.win[block].or(legal.and(losses));
                scratch.keep[block] = scratch.keep[block].or(legal.without(wins));
            } else {
                scratch.win[block] = scratch.win[block].or(legal.without(wins));
            }
            scratch.any[block] = scratch.any[block].or(legal);
        }
    }

    /// Writes the labels of a chunk.
    #[inline(always)]
    fn write<const WHAT: u8>(
        &self,
        chunk: Chunk,
        mut wins: OwnBlocks,
        existing: L,
        ended: Ended,
        scratch: &Scratch<L>,
    ) {
        let mut losses = wins.further(self.sweep.plane_words());
        for block in 0..chunk.count {
            let number = chunk.first + block;
            let (any, keep) = (scratch.any[block], scratch.keep[block]);
            let (mut win, mut loss) = (scratch.win[block], existing.without(keep));
            match self.sweep.plan.terminal {
                Outcome::Loss => {}
                Outcome::Draw => loss = loss.and(any),
                Outcome::Win => {
                    win = win.or(existing.without(any));
                    loss = loss.and(any);
                }
            }
            if ended != Ended::None {
                win = win.without(scratch.over[block]).or(scratch.over_win[block]);
                loss = loss.without(scratch.over[block]).or(scratch.over_loss[block]);
            }
            win.and(existing).store(wins.words::<L>(number));
            if WHAT == WINS_AND_LOSSES {
                loss.and(existing).store(losses.words::<L>(number));
            }
        }
    }

    /// Marks the colourings of the part of `set` in the mode of `place`: the reachable ones in `reached`, and the ongoing ones
    /// in the planes of the sweep. `moves` are the moves to this mode that the upper squares allow; `starts` are the
    /// colourings of this set that are roots.
    #[inline(always)]
    pub(super) fn mark(
        &self,
        reached: &SlicePlanes<*mut u64>,
        set: u64,
        place: SlotMode,
        moves: &[&Play],
        starts: &[u64],
        scratch: &mut Scratch<L>,
    ) {
        let (sweep, SlotMode { slot, mode }) = (self.sweep, place);
        let (mut reached, mut ongoing) = (self.own(reached, set, slot), self.own(&sweep.own(), set, slot));
        let existing = self.existing(set);
        let mut chunk = self.chunk(set);
        while chunk.first < chunk.end {
            scratch.clear(self.token, chunk.count);
            for play in moves {
                if play.takes & !set == 0 {
                    self.mark_move(chunk, play, scratch);
                }
            }
            let ended = self.ends(chunk, &sweep.plan.ends[mode], scratch);
            for block in 0..chunk.count {
                let number = chunk.first + block;
                let mut marks = scratch.any[block].and(existing);
                for &start in starts {
                    if (start >> L::LOG) as usize == number {
                        let mut start_words = [0; 8];
                        start_words[(start >> 6 & ((1 << (L::LOG - 6)) - 1)) as usize] = 1 << (start & 63);
                        marks = marks.or(L::of(self.token, &start_words));
                    }
                }
                marks.store(reached.words::<L>(number));
                if ongoing != reached {
                    let open = if ended == Ended::None { marks } else { marks.without(scratch.over[block]) };
                    open.store(ongoing.words::<L>(number));
                }
            }
            chunk.first += chunk.count;
        }
    }

    /// Clears the reachable colourings of the part of `set` in the mode of `place` in which the game has ended.
    #[inline(always)]
    pub(super) fn clear_ended(&self, set: u64, place: SlotMode, scratch: &mut Scratch<L>) {
        let SlotMode { slot, mode } = place;
        let mut ongoing = self.own(&self.sweep.own(), set, slot);
        let mut chunk = self.chunk(set);
        while chunk.first < chunk.end && self.ends(chunk, &self.sweep.plan.ends[mode], scratch) != Ended::None {
            for block in 0..chunk.count {
                let words = ongoing.words::<L>(chunk.first + block);
                L::load(self.token, words).without(scratch.over[block]).store(words);
            }
            chunk.first += chunk.count;
        }
    }

    /// Marks the colourings that `play` leads to. All squares that it fills are occupied in this set.
    #[inline(always)]
    fn mark_move(&self, chunk: Chunk, play: &Play, scratch: &mut Scratch<L>) {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        // Every choice of the squares that were occupied before.
        let mut held = play.maybe;
        loop {
            let before = chunk.set & !play.takes | held;
            if play.when.allows(before, u64::MAX)
                && let Some(slot) = sweep.slot(before.count_ones(), usize::from(play.mode.0))
                && frame.offsets().has(before)
            {
                let from = self.read(sweep.finished(before, slot).0);
                let literals = self.back(&play.when, before, chunk.set, play);
                let mut pieces = [Piece { place: 0, second: false }; MAX_PIECES];
                let pieces = pieces_of(play, chunk.set & frame.pairs(), &mut pieces);
                let read = Read { pieces, coloured: frame.coloured(before), from: [from; 2] };
                self.gather::<MARKS>(chunk, literals, read, scratch);
            }
            if held == 0 {
                break;
            }
            held = (held - 1) & play.maybe;
        }
    }

    /// The colours in `set` if `play` led there: the colours that its condition requires in the set `before`, and the
    /// colours of its pieces.
    #[inline(always)]
    fn back(&self, when: &Condition, before: u64, set: u64, play: &Play) -> Literals {
        let pairs = self.sweep.frame.pairs();
        let asked = Condition { care: when.care & before, ..*when };
        Literals::new(&asked, set & pairs, play.places, play.colours & play.places)
    }
}

/// The pieces of `play`, the lowest first. `pairs` are the occupied two-colour squares after the move.
#[inline(always)]
pub(super) fn pieces_of<'a>(play: &Play, pairs: u64, pieces: &'a mut [Piece; MAX_PIECES]) -> &'a [Piece] {
    let (mut rest, mut count) = (play.places, 0);
    while rest != 0 {
        let square = rest.trailing_zeros();
        let place = (pairs & ((1 << square) - 1)).count_ones();
        pieces[count] = Piece { place, second: play.colours >> square & 1 == 1 };
        rest &= rest - 1;
        count += 1;
    }
    &pieces[..count]
}
