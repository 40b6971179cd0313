//! The choice of a vector unit: the best of the machine, or a named one.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use super::tokens::{HasAvx2, HasAvx512, HasAvx512Bytes};
use super::{Portable, Work};

/// A program that sweeps planes. All of them write the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kernel {
    /// Plain Rust over eight words; runs everywhere.
    Portable,
    /// Two registers of 256 bits.
    Avx2,
    /// One register of 512 bits.
    Avx512,
}

/// The reason why a kernel cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// There is no kernel of that name.
    #[error("there is no kernel called {0:?}: expected portable, avx2 or avx512")]
    Unknown(String),
    /// The processor does not support the kernel.
    #[error("the kernel {wanted} is not available on this machine: expected {}", available.iter().map(Kernel::name).collect::<Vec<_>>().join(" or "))]
    Absent {
        /// The requested kernel.
        wanted: Kernel,
        /// The kernels that the machine supports.
        available: Vec<Kernel>,
    },
}

impl Kernel {
    /// Every kernel, the slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// `true` if this machine has its instructions.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.detect().is_some()
    }

    /// The kernels that this machine supports, the fastest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|kernel| kernel.is_available()).collect()
    }

    /// The fastest kernel that this machine supports. The processor is queried once.
    #[must_use]
    pub fn best() -> Self {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| Self::available().pop().unwrap_or(Self::Portable))
    }

    /// Its vector unit.
    pub fn unit(self) -> Result<VectorUnit, KernelError> {
        self.detect().ok_or_else(|| KernelError::Absent { wanted: self, available: Self::available() })
    }

    fn detect(self) -> Option<VectorUnit> {
        match self {
            Self::Portable => Some(VectorUnit::Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => HasAvx2::detect().map(VectorUnit::Avx2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => HasAvx512::detect().map(VectorUnit::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => None,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(name: &str) -> Result<Self, KernelError> {
        let named = Self::ALL.into_iter().find(|kernel| kernel.name() == name);
        let kernel = named.ok_or_else(|| KernelError::Unknown(name.into()))?;
        kernel.unit().map(|_| kernel)
    }
}

/// The vector unit of a [`Kernel`], with the proof that the processor has it.
#[derive(Clone, Copy)]
pub enum VectorUnit {
    /// Plain Rust.
    Portable,
    #[cfg(target_arch = "x86_64")]
    /// AVX2.
    Avx2(HasAvx2),
    #[cfg(target_arch = "x86_64")]
    /// AVX-512.
    Avx512(HasAvx512),
}

impl VectorUnit {
    /// The fastest of this machine.
    pub fn best() -> Self {
        Kernel::best().detect().unwrap_or(Self::Portable)
    }

    /// Does `work` on bits.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => token.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => token.run(work),
        }
    }

    /// Does `work` on bytes. The first processors with AVX-512 do not permute bytes: AVX2 serves them.
    #[inline]
    pub fn run_on_bytes<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => token.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => match HasAvx512Bytes::detect() {
                Some(token) => token.run(work),
                None => token.avx2().run(work),
            },
        }
    }

    /// Does `work` on single words, for which AVX-512 has nothing more than AVX2.
    #[inline]
    pub fn run_on_words<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => token.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => token.avx2().run(work),
        }
    }
}
