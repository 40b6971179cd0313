//! Sets of codes that are still growing: the positions of levels not yet expanded.

/// A word that holds codes.
pub(super) trait Word: Copy + Ord + Default + Send + Sync {
    /// Bits of the word.
    const BITS: u32;
    fn of(code: u128) -> Self;
    fn code(self) -> u128;
    /// The word without its top `shift` bits, down to `bits` bits.
    fn top(self, unused: u32, bits: u32) -> usize;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            #[inline]
            fn of(code: u128) -> Self {
                code as Self
            }
            #[inline]
            fn code(self) -> u128 {
                self as u128
            }
            #[inline]
            fn top(self, unused: u32, bits: u32) -> usize {
                self.unbounded_shl(unused).unbounded_shr(Self::BITS - bits) as usize
            }
        }
    )*};
}
word!(u32, u64, u128);

/// Open addressing
pub(super) struct HashSet<W> {
    slots: Vec<W>,
    slot_bits: u32,
    count: usize,
    has_zero: bool,
    unused: u32,
}

impl<W: Word> HashSet<W> {
    pub(super) fn new(unused: u32) -> Self {
        Self { slots: Vec::new(), slot_bits: 0, count: 0, has_zero: false, unused }
    }
    pub(super) fn len(&self) -> usize {
        self.count + usize::from(self.has_zero)
    }
    pub(super) fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<W>()) as u64
    }
    pub(super) fn extend(&mut self, codes: &[W]) {
        for &code in codes {
            if code == W::default() {
                self.has_zero = true;
                continue;
            }
            if (self.count + 1) * 4 > self.slots.len() * 3 {
                self.grow();
            }
            let mask = self.slots.len() - 1;
            let mut slot = code.top(self.unused, self.slot_bits);
            loop {
                let found = self.slots[slot];
                if found == code {
                    break;
                }
                if found == W::default() {
                    self.slots[slot] = code;
                    self.count += 1;
                    break;
                }
                slot = (slot + 1) & mask;
            }
        }
    }
    fn grow(&mut self) {
        self.slot_bits = (self.slot_bits + 1).max(4);
        let old = std::mem::replace(&mut self.slots, vec![W::default(); 1 << self.slot_bits]);
        let mask = self.slots.len() - 1;
        for code in old {
            if code != W::default() {
                let mut slot = code.top(self.unused, self.slot_bits);
                while self.slots[slot] != W::default() {
                    slot = (slot + 1) & mask;
                }
                self.slots[slot] = code;
            }
        }
    }
    pub(super) fn into_sorted(self) -> Vec<W> {
        let mut all = self.slots;
        all.retain(|&code| code != W::default());
        if self.has_zero {
            all.push(W::default());
        }
        all.sort_unstable();
        all.shrink_to_fit();
        all
    }
}

pub(super) struct SortedSet<W> {
    sorted: Vec<W>,
    tail: Vec<W>,
}

impl<W: Word> SortedSet<W> {
    pub(super) fn new(_: u32) -> Self {
        Self { sorted: Vec::new(), tail: Vec::new() }
    }
    pub(super) fn len(&self) -> usize {
        self.sorted.len() + self.tail.len()
    }
    pub(super) fn bytes(&self) -> u64 {
        ((self.sorted.capacity() + self.tail.capacity()) * size_of::<W>()) as u64
    }
    pub(super) fn extend(&mut self, codes: &[W]) {
        self.tail.extend_from_slice(codes);
        if self.tail.len() > (self.sorted.len() / 2).max(4096) {
            self.merge();
        }
    }
    fn merge(&mut self) {
        self.tail.sort_unstable();
        self.tail.dedup();
        if self.sorted.is_empty() {
            self.sorted = std::mem::take(&mut self.tail);
            return;
        }
        let mut out = Vec::with_capacity(self.sorted.len() + self.tail.len());
        let (a, b) = (&self.sorted, &self.tail);
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let (x, y) = (a[i], b[j]);
            out.push(x.min(y));
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        out.extend_from_slice(&a[i..]);
        out.extend_from_slice(&b[j..]);
        self.tail = Vec::new();
        self.sorted = out;
    }
    pub(super) fn into_sorted(mut self) -> Vec<W> {
        self.merge();
        self.sorted
    }
}

#[cfg(not(feature_sorted))]
pub(super) type Set<W> = HashSet<W>;
#[cfg(feature_sorted)]
pub(super) type Set<W> = SortedSet<W>;
