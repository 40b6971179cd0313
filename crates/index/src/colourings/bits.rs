//! Gathers the bits at the places of a mask, and scatters bits to them, like the instructions `pext` and `pdep`.

/// Gathers the bits of `value` at the places of `mask` into the lowest bits.
#[inline]
pub const fn gathered(value: u64, mask: u64) -> u64 {
    let (mut rest, mut number, mut all) = (mask, 0, 0);
    while rest != 0 {
        all |= (value >> rest.trailing_zeros() & 1) << number;
        rest &= rest - 1;
        number += 1;
    }
    all
}

/// Scatters the lowest bits of `value` to the places of `mask`.
#[inline]
pub const fn scattered(value: u64, mask: u64) -> u64 {
    let (mut rest, mut value, mut all) = (mask, value, 0);
    while rest != 0 {
        all |= (value & 1) << rest.trailing_zeros();
        rest &= rest - 1;
        value >>= 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_undoes_the_other() {
        let mut draw = fastrand::Rng::with_seed(7);
        for _ in 0..1000 {
            let (value, mask) = (draw.u64(..), draw.u64(..));
            assert_eq!(scattered(gathered(value, mask), mask), value & mask);
            let low = if mask == u64::MAX { u64::MAX } else { (1 << mask.count_ones()) - 1 };
            assert_eq!(gathered(scattered(value, mask), mask), value & low);
        }
        assert_eq!(gathered(0b0100_0010, 0b0110_0110), 0b1001);
        assert_eq!([gathered(u64::MAX, u64::MAX), scattered(u64::MAX, u64::MAX)], [u64::MAX; 2]);
    }
}
