//! Proofs that the processor has a vector unit: whoever holds one may use its instructions.

/// Proof that the processor has AVX2 and the instructions for single bits.
#[derive(Clone, Copy)]
pub(in crate::solve) struct HasAvx2(());

impl HasAvx2 {
    /// Asks the processor; the standard library remembers its answer.
    pub(in crate::solve) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

/// Proof that the processor has AVX-512F, AVX2 and the instructions for single bits.
#[derive(Clone, Copy)]
pub(in crate::solve) struct HasAvx512(());

impl HasAvx512 {
    /// Asks the processor; the standard library remembers its answer.
    pub(in crate::solve) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f") && HasAvx2::detect().is_some();
        has_all.then_some(Self(()))
    }
}
