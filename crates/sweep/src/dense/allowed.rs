//! Operations, with tables that tell which of them a tile (or a block) allows.

/// The lowest bits of a tile's number, for which allowed operations are tabulated. The *far* bits above change every 64 tiles.
const NEAR: u32 = 6;

/// An operation with conditions on the cells that make a tile's number.
pub(super) trait Conditional {
    /// `true` if tile `tile` meets its conditions on the cells of `care`.
    fn is_allowed(&self, tile: u64, care: u64) -> bool;
}

/// Operations of one mode, with tables that tell which a tile allows.
pub(super) struct Ops<O> {
    all: Vec<O>,
    /// Words of a set of operations.
    words: usize,
    /// For each value of the near bits, the operations that they allow: `words` words each.
    near: Vec<u64>,
}

/// The operations of some lists that the far bits of a tile allow, list by list.
#[derive(Clone, Default)]
pub(super) struct Far {
    bits: Option<u64>,
    sets: Vec<Vec<u64>>,
}

impl<O: Conditional> Ops<O> {
    /// The operations `all`.
    pub(super) fn new(all: Vec<O>) -> Self {
        let mut ops = Self { words: all.len().div_ceil(64), near: Vec::new(), all };
        ops.near = (0..1 << NEAR).flat_map(|tile| ops.set(|op| op.is_allowed(tile, (1 << NEAR) - 1))).collect();
        ops
    }

    /// The set of the operations that `keep` accepts.
    pub(super) fn set(&self, keep: impl Fn(&O) -> bool) -> Vec<u64> {
        let mut set = Vec::new();
        self.set_in(&mut set, keep);
        set
    }

    fn set_in(&self, set: &mut Vec<u64>, keep: impl Fn(&O) -> bool) {
        set.clear();
        set.resize(self.words, 0);
        for (n, op) in self.all.iter().enumerate() {
            set[n / 64] |= u64::from(keep(op)) << (n % 64);
        }
    }

    /// `true` if there are no operations.
    pub(super) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The operations that `tile` allows. `far` is the set that its far bits allow.
    #[inline(always)]
    pub(super) fn allowed<'a>(&'a self, tile: u64, far: &'a [u64]) -> Allowed<'a, O> {
        Allowed { words: far.iter().zip(self.near(tile)), chunks: self.all.chunks(64), chunk: &[], set: 0 }
    }

    /// The set of operations that the near bits of `tile` allow.
    #[inline(always)]
    pub(super) fn near(&self, tile: u64) -> &[u64] {
        let start = (tile & ((1 << NEAR) - 1)) as usize * self.words;
        &self.near[start..start + self.words]
    }
}

impl Far {
    /// Updates the sets for the operations of `lists` in `tile`, if its far bits are new.
    #[inline(always)]
    pub(super) fn renew<'o, O: Conditional + 'o>(&mut self, lists: impl Iterator<Item = &'o Ops<O>>, tile: u64) {
        if self.bits != Some(tile >> NEAR) {
            self.bits = Some(tile >> NEAR);
            self.fill(lists, tile);
        }
    }

    #[inline(never)]
    fn fill<'o, O: Conditional + 'o>(&mut self, lists: impl Iterator<Item = &'o Ops<O>>, tile: u64) {
        for (number, ops) in lists.enumerate() {
            if number == self.sets.len() {
                self.sets.push(Vec::new());
            }
            ops.set_in(&mut self.sets[number], |op| op.is_allowed(tile, u64::MAX << NEAR));
        }
    }

    /// The set of list number `list`.
    #[inline(always)]
    pub(super) fn of(&self, list: usize) -> &[u64] {
        &self.sets[list]
    }
}

/// The operations that a tile allows, in order. It has no closures, which would not be compiled for the vector unit.
pub(super) struct Allowed<'a, O> {
    /// For each chunk of 64 operations, the sets that the far and the near bits allow.
    words: std::iter::Zip<std::slice::Iter<'a, u64>, std::slice::Iter<'a, u64>>,
    chunks: std::slice::Chunks<'a, O>,
    /// The current chunk, and the set of its operations still to come.
    chunk: &'a [O],
    set: u64,
}

impl<'a, O> Iterator for Allowed<'a, O> {
    type Item = &'a O;

    #[inline(always)]
    fn next(&mut self) -> Option<&'a O> {
        while self.set == 0 {
            let (far, near) = self.words.next()?;
            self.chunk = self.chunks.next()?;
            self.set = far & near;
        }
        let first = self.set.trailing_zeros() as usize;
        self.set &= self.set - 1;
        self.chunk.get(first)
    }
}
