//! The instructions of x86-64 as safe methods of the tokens that prove that the processor has them.

use std::arch::x86_64::{__m128i, __m256i, __m512i, __mmask8, __mmask16, __mmask64, _MM_HINT_T0, _MM_HINT_T1};
use std::arch::x86_64::{_mm_cvtsi64_si128, _mm_loadu_si128, _mm_prefetch};

use super::super::tokens::{HasAvx2, HasAvx512, HasAvx512Bytes};

/// Instructions that take and give registers and numbers, each under its own name. None may take a pointer.
macro_rules! instructions {
    ($token:ident: $($name:ident$(<$constant:ident: $number:ty>)?($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        impl $token {
            $(
                #[inline(always)]
                pub(super) fn $name$(<const $constant: $number>)?(self, $($argument: $kind),*) -> $result {
                    // SAFETY: the token proves that the processor has the instruction, which touches registers alone.
                    unsafe { std::arch::x86_64::$name$(::<$constant>)?($($argument),*) }
                }
            )*
        }
    };
}

instructions! {
    HasAvx2:
    _mm256_add_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_adds_epu8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_and_si256(a: __m256i, b: __m256i) -> __m256i;
    _mm256_andnot_si256(a: __m256i, b: __m256i) -> __m256i;
    _mm256_blendv_epi8(a: __m256i, b: __m256i, mask: __m256i) -> __m256i;
    _mm256_broadcastsi128_si256(a: __m128i) -> __m256i;
    _mm256_cmpeq_epi64(a: __m256i, b: __m256i) -> __m256i;
    _mm256_cmpeq_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_cmpgt_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_max_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_max_epu8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_min_epu8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_movemask_epi8(a: __m256i) -> i32;
    _mm256_or_si256(a: __m256i, b: __m256i) -> __m256i;
    _mm256_permute4x64_epi64<WORDS: i32>(a: __m256i) -> __m256i;
    _mm256_permutevar8x32_epi32(a: __m256i, from: __m256i) -> __m256i;
    _mm256_set1_epi8(byte: i8) -> __m256i;
    _mm256_set1_epi32(word: i32) -> __m256i;
    _mm256_set_m128i(upper: __m128i, lower: __m128i) -> __m256i;
    _mm256_setzero_si256() -> __m256i;
    _mm256_shuffle_epi8(a: __m256i, from: __m256i) -> __m256i;
    _mm256_sll_epi64(a: __m256i, bits: __m128i) -> __m256i;
    _mm256_srl_epi64(a: __m256i, bits: __m128i) -> __m256i;
    _mm256_srli_epi16<BITS: i32>(a: __m256i) -> __m256i;
    _mm256_sub_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_subs_epu8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_unpacklo_epi64(a: __m256i, b: __m256i) -> __m256i;
    _mm256_xor_si256(a: __m256i, b: __m256i) -> __m256i;
    _pdep_u64(word: u64, mask: u64) -> u64;
    _pext_u64(word: u64, mask: u64) -> u64;
}

instructions! {
    HasAvx512:
    _mm512_and_si512(a: __m512i, b: __m512i) -> __m512i;
    _mm512_andnot_si512(a: __m512i, b: __m512i) -> __m512i;
    _mm512_castsi512_si256(a: __m512i) -> __m256i;
    _mm512_cmpneq_epi64_mask(a: __m512i, b: __m512i) -> __mmask8;
    _mm512_cvtepu32_epi64(a: __m256i) -> __m512i;
    _mm512_extracti64x4_epi64<PART: i32>(a: __m512i) -> __m256i;
    _mm512_or_si512(a: __m512i, b: __m512i) -> __m512i;
    _mm512_permutex2var_epi32(a: __m512i, from: __m512i, b: __m512i) -> __m512i;
    _mm512_permutex2var_epi64(a: __m512i, from: __m512i, b: __m512i) -> __m512i;
    _mm512_permutexvar_epi64(from: __m512i, a: __m512i) -> __m512i;
    _mm512_set1_epi64(word: i64) -> __m512i;
    _mm512_setzero_si512() -> __m512i;
    _mm512_sll_epi64(a: __m512i, bits: __m128i) -> __m512i;
    _mm512_srl_epi64(a: __m512i, bits: __m128i) -> __m512i;
    _mm512_ternarylogic_epi64<TABLE: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i;
}

instructions! {
    HasAvx512Bytes:
    _mm512_add_epi8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_adds_epu8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_and_si512(a: __m512i, b: __m512i) -> __m512i;
    _mm512_andnot_si512(a: __m512i, b: __m512i) -> __m512i;
    _mm512_broadcast_i32x4(a: __m128i) -> __m512i;
    _mm512_cmpeq_epi8_mask(a: __m512i, b: __m512i) -> __mmask64;
    _mm512_cmpgt_epi8_mask(a: __m512i, b: __m512i) -> __mmask64;
    _mm512_cmpgt_epu8_mask(a: __m512i, b: __m512i) -> __mmask64;
    _mm512_cmpneq_epi8_mask(a: __m512i, b: __m512i) -> __mmask64;
    _mm512_mask_permutexvar_epi8(other: __m512i, mask: __mmask64, from: __m512i, a: __m512i) -> __m512i;
    _mm512_mask_shuffle_epi32<WORDS: i32>(other: __m512i, mask: __mmask16, a: __m512i) -> __m512i;
    _mm512_mask_shuffle_epi8(other: __m512i, mask: __mmask64, a: __m512i, from: __m512i) -> __m512i;
    _mm512_mask_shuffle_i64x2<WORDS: i32>(other: __m512i, mask: __mmask8, a: __m512i, b: __m512i) -> __m512i;
    _mm512_max_epi8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_max_epu8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_min_epu8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_movm_epi8(mask: __mmask64) -> __m512i;
    _mm512_or_si512(a: __m512i, b: __m512i) -> __m512i;
    _mm512_permutex2var_epi8(a: __m512i, from: __m512i, b: __m512i) -> __m512i;
    _mm512_popcnt_epi8(a: __m512i) -> __m512i;
    _mm512_set1_epi8(byte: i8) -> __m512i;
    _mm512_shuffle_epi8(a: __m512i, from: __m512i) -> __m512i;
    _mm512_srli_epi16<BITS: u32>(a: __m512i) -> __m512i;
    _mm512_sub_epi8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_subs_epu8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_xor_si512(a: __m512i, b: __m512i) -> __m512i;
    _mm512_ternarylogic_epi64<TABLE: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i;
}

/// A number without padding, any bits of which are a value: arrays of it are loaded and stored as registers.
pub(super) trait Number: Copy {}
impl Number for u8 {}
impl Number for u32 {}
impl Number for u64 {}

/// Loads and stores of registers, from and to part number `part` of an array; it counts modulo the number of parts.
macro_rules! memory {
    ($token:ident, $register:ty, $load:ident, $store:ident) => {
        impl $token {
            #[inline(always)]
            pub(super) fn load<T: Number, const N: usize>(self, from: &[T; N], part: usize) -> $register {
                let part = part % const { parts::<$register, [T; N]>() };
                // SAFETY: the token proves that the processor has the instruction, which needs no alignment. The part
                // lies in the array.
                unsafe { std::arch::x86_64::$load(from.as_ptr().cast::<$register>().add(part).cast()) }
            }

            #[inline(always)]
            pub(super) fn store<T: Number, const N: usize>(self, register: $register, to: &mut [T; N], part: usize) {
                let part = part % const { parts::<$register, [T; N]>() };
                // SAFETY: as for `load`; any bits are numbers.
                unsafe { std::arch::x86_64::$store(to.as_mut_ptr().cast::<$register>().add(part).cast(), register) }
            }
        }
    };
}

memory!(HasAvx2, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
memory!(HasAvx512, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);

/// How many registers an array fills: it must be a whole number.
const fn parts<Register, Array>() -> usize {
    assert!(size_of::<Array>() >= size_of::<Register>() && size_of::<Array>().is_multiple_of(size_of::<Register>()));
    size_of::<Array>() / size_of::<Register>()
}

/// Sixteen bytes of `from`, which has a whole number of them: part number `part`, modulo the number of parts.
#[inline(always)]
pub(super) fn sixteen<const N: usize>(from: &[u8; N], part: usize) -> __m128i {
    let part = part % const { parts::<__m128i, [u8; N]>() };
    // SAFETY: every x86-64 has the instruction, which needs no alignment. The part lies in the array.
    unsafe { _mm_loadu_si128(from.as_ptr().cast::<__m128i>().add(part)) }
}

/// A number of bits to shift by, in a register.
#[inline(always)]
pub(super) fn shift_by(bits: u32) -> __m128i {
    // SAFETY: every x86-64 has the instruction.
    unsafe { _mm_cvtsi64_si128(i64::from(bits)) }
}

/// Prefetches the memory at `at` into the core's first cache; it need not exist.
#[inline(always)]
pub(super) fn prefetch<T>(at: *const T) {
    // SAFETY: every x86-64 has the instruction, and it faults at no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
}

/// As [`prefetch`], into the second cache.
#[inline(always)]
pub(super) fn prefetch_far<T>(at: *const T) {
    // SAFETY: as for `prefetch`.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
}
