//! Moves and terminal patterns in one set, with all that does not depend on the line.

use super::super::fetch::Piece;
use super::super::kernel::{MAX_PIECES, pieces_of};
use super::super::literals::{Blocks, Literals};
use super::super::plan::{Pattern, Play};
use super::super::sweep::Sweep;
use crate::algebra::Algebra;
use crate::simd::{LANES, LINE, Lane, Line, Vector, insert_bit};
use crate::worth::Worth;

/// The lines of a set that are labelled together: few enough that their states stay in the first cache.
pub(super) const CHUNK: usize = 32;

/// Lines of a set: `count` of them from number `first` on. `count` is a power of two and divides `first`.
#[derive(Clone, Copy)]
pub(super) struct Chunk {
    pub(super) first: usize,
    pub(super) count: usize,
}

/// The colourings in which a move is legal, or a pattern complete.
#[derive(Clone, Copy)]
pub(super) struct Where {
    literals: Literals,
    /// The lanes of a line with the right colours at the places within a line.
    pub(super) lanes: u64,
}

impl Where {
    #[inline(always)]
    fn new(literals: Literals) -> Self {
        Self { lanes: literals.lanes(), literals }
    }

    /// `true` if these are all colourings.
    pub(super) const fn is_everywhere(&self) -> bool {
        self.literals.places == 0
    }

    /// The lines of `chunk` that have some of the colourings, counted from its first line.
    #[inline(always)]
    pub(super) fn lines(&self, chunk: Chunk) -> Blocks {
        self.literals.lines(chunk.first, chunk.count)
    }
}

/// A terminal pattern in one set.
#[derive(Clone, Copy)]
pub(super) struct EndHere<C> {
    pub(super) at: Where,
    pub(super) code: C,
}

impl<C: Lane> EndHere<C> {
    /// The pattern in `set`; `None` if it is not complete there in any colouring.
    #[inline(always)]
    pub(super) fn new<A: Algebra<Code = C>>(end: &Pattern, set: u64, pairs: u64) -> Option<Self> {
        if !end.when.allows(set, u64::MAX) {
            return None;
        }
        let at = Where::new(Literals::new(&end.when, set & pairs, 0, 0));
        Some(Self { at, code: C::of(A::ended(end.ending)) })
    }
}

/// How the successors of a line are read.
enum Read<V: Vector> {
    /// From one line: the place of a piece among the numbers of lines, if there is one.
    Line(Option<(u32, bool)>),
    /// From two lines.
    Halves(V::Halving),
    /// From one line: the set with the piece has no more.
    Half(V::Halving),
    /// One by one: more than one piece.
    Each(Pieces),
}

/// The pieces of a move.
struct Pieces {
    pieces: [Piece; MAX_PIECES],
    count: usize,
    /// The colourings of a line of the set before the move.
    lanes: usize,
}

impl Pieces {
    /// The colouring after the move, from colouring `z`.
    fn after(&self, z: usize) -> usize {
        self.pieces[..self.count].iter().fold(z, |z, piece| insert_bit(z, piece.place, piece.second))
    }
}

/// A move from one set.
pub(super) struct PlayHere<V: Vector> {
    pub(super) at: Where,
    pub(super) worth: Worth,
    /// The first line of the set that it leads to.
    from: *const Line<V::Lane>,
    read: Read<V>,
}

impl<V: Vector> PlayHere<V> {
    /// No colourings.
    const NONE: Line<V::Lane> = Line([V::Lane::ZERO; LANES]);

    /// `play` from `set`, whose upper squares allow it; `None` if it is not legal there in any colouring.
    #[inline(always)]
    pub(super) fn new(sweep: &Sweep<'_, Line<V::Lane>>, token: V::Token, play: &Play, set: u64) -> Option<Self> {
        if !play.when.allows(set, u64::MAX) {
            return None;
        }
        let (after, pairs) = (set | play.takes, sweep.frame.pairs());
        let (from, _) = sweep.finished(after, sweep.slot_after(after, usize::from(play.next.0)));
        let mut all = [Piece { place: 0, second: false }; MAX_PIECES];
        let count = pieces_of(play, after & pairs, &mut all).len();
        let read = match &all[..count] {
            [] => Read::Line(None),
            &[Piece { place, second }] if place >= LINE => Read::Line(Some((place - LINE, second))),
            &[Piece { place, second }] => {
                let halving = V::halving(token, place, second);
                if sweep.frame.coloured(set) >= LINE { Read::Halves(halving) } else { Read::Half(halving) }
            }
            _ => Read::Each(Pieces { pieces: all, count, lanes: LANES.min(1 << sweep.frame.coloured(set)) }),
        };
        let at = Where::new(Literals::new(&play.when, set & pairs, 0, 0));
        Some(Self { at, worth: play.worth, from, read })
    }

    /// The codes of the successors of line `number`. Lanes that are not colourings, because the set has fewer, have any codes.
    ///
    /// # Safety
    /// `number` is below the number of lines of the set of this move, or is 0. The set that it leads to is labelled, and no thread writes it.
    #[inline(always)]
    pub(super) unsafe fn successors(&self, token: V::Token, number: usize) -> V {
        // SAFETY: Bytes: `Sweep::of_slice` checked that the planes have all lines of the slice of the set that the move leads to. A piece at a
        // place among the numbers of lines, or within a line of a set that has a whole one, doubles the lines. Without a whole line, both
        // sets have one. Without pieces, both have equally many. Several pieces lead to a colouring of the larger set.
        // Alignment: planes are lines.
        // Threads: the caller promised that no thread writes the set.
        let at = |number: usize| unsafe { &*self.from.wrapping_add(number) };
        match &self.read {
            Read::Line(None) => V::load(token, at(number)),
            &Read::Line(Some((place, second))) => V::load(token, at(insert_bit(number, place, second))),
            &Read::Halves(halving) => V::halved(token, at(2 * number), at(2 * number + 1), halving),
            &Read::Half(halving) => V::halved(token, at(number), &Self::NONE, halving),
            Read::Each(pieces) => {
                let mut line = Self::NONE;
                for (lane, code) in line.0[..pieces.lanes].iter_mut().enumerate() {
                    let z = pieces.after(number * LANES + lane);
                    *code = at(z / LANES).0[z % LANES];
                }
                V::load(token, &line)
            }
        }
    }
}
