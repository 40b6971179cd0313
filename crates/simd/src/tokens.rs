//! Proofs that the processor has an instruction set, and the one function that is compiled for each of them.

use super::{Unit, Work};

/// Declares a token: its instruction set is what it asks the processor for, and what work is compiled for.
macro_rules! token {
    ($(#[$doc:meta])* $token:ident: $($feature:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $token(());

        impl $token {
            /// Asks the processor; the standard library remembers its answer.
            pub fn detect() -> Option<Self> {
                ($(is_x86_feature_detected!($feature))&&*).then_some(Self(()))
            }

            /// Does `work`, compiled for this instruction set.
            #[inline]
            pub fn run<W: Work>(self, work: W) -> W::Output
            where
                Self: Unit,
            {
                #[target_feature($(enable = $feature),*)]
                fn compiled<W: Work>(token: $token, work: W) -> W::Output {
                    work.run(token)
                }
                // SAFETY: `detect` alone makes a token, and only if the processor has each of the features.
                unsafe { compiled(self, work) }
            }
        }
    };
}

token! {
    /// Proof that the processor has AVX2 and the instructions for single bits.
    HasAvx2: "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

token! {
    /// Proof that the processor has AVX-512F, AVX2 and the instructions for single bits.
    HasAvx512: "avx512f" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

token! {
    /// Proof that the processor has AVX-512 with its instructions for bytes, such as permuting 64 bytes (VBMI) and
    /// counting their bits (BITALG). The first processors with AVX-512 lack these.
    HasAvx512Bytes:
    "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512bitalg" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

impl HasAvx2 {
    /// The token of plain Rust.
    #[inline(always)]
    pub const fn plain(self) {}

    /// This proof.
    #[inline(always)]
    pub const fn avx2(self) -> Self {
        self
    }
}

impl HasAvx512 {
    /// The proof of AVX2.
    #[inline(always)]
    pub const fn avx2(self) -> HasAvx2 {
        HasAvx2(())
    }

    /// This proof.
    #[inline(always)]
    pub const fn avx512(self) -> Self {
        self
    }
}

impl HasAvx512Bytes {
    /// The proof of AVX2.
    #[inline(always)]
    pub const fn avx2(self) -> HasAvx2 {
        HasAvx2(())
    }

    /// The proof of AVX-512F.
    #[inline(always)]
    pub const fn avx512(self) -> HasAvx512 {
        HasAvx512(())
    }
}
