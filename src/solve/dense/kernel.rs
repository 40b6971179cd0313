//! Which vector unit sweeps: the best that the machine has, or the one that is asked for.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::OnceLock;

use super::bits::Portable;
#[cfg(target_arch = "x86_64")]
use super::bits::{Avx2, Avx512};
use super::sweep::{Sweep, TileKernel};
#[cfg(target_arch = "x86_64")]
use super::tokens::{HasAvx2, HasAvx512};
use super::vector::Vector;

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

/// Why a kernel cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// No kernel of that name.
    #[error("there is no kernel called {0:?}, portable, avx2 or avx512 is expected")]
    Unknown(String),
    /// The processor does not have it.
    #[error("the kernel {wanted} is not available on this machine: {} is expected", available.iter().map(Kernel::name).collect::<Vec<_>>().join(" or "))]
    Absent {
        /// The kernel asked for.
        wanted: Kernel,
        /// Those the machine has.
        available: Vec<Kernel>,
    },
}

impl Kernel {
    /// Every kernel, the slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The name by which it is asked for.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether this machine has its instructions.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.detect().is_some()
    }

    /// The kernels this machine has, the fastest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|kernel| kernel.is_available()).collect()
    }

    /// The fastest kernel this machine has; the machine is asked once.
    #[must_use]
    pub fn best() -> Self {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| Self::available().pop().unwrap_or(Self::Portable))
    }

    /// The kernel ready to run.
    pub(in crate::solve) fn ready(self) -> Result<Ready, KernelError> {
        self.detect().ok_or_else(|| KernelError::Absent { wanted: self, available: Self::available() })
    }

    fn detect(self) -> Option<Ready> {
        match self {
            Self::Portable => Some(Ready::Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => HasAvx2::detect().map(Ready::Avx2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => HasAvx512::detect().map(Ready::Avx512),
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
        kernel.ready().map(|_| kernel)
    }
}

/// A kernel, with the proof that the processor has its instructions.
#[derive(Clone, Copy)]
pub(in crate::solve) enum Ready {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(HasAvx512),
}

impl Ready {
    /// Labels `tiles`, last first.
    ///
    /// # Safety
    /// As [`TileKernel::run`].
    pub(super) unsafe fn run(self, sweep: &Sweep<'_>, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on; the tokens prove that the processor has the instructions.
        unsafe {
            match (self, sweep.plan.draws) {
                (Self::Portable, false) => run_portable::<false>(sweep, tiles),
                (Self::Portable, true) => run_portable::<true>(sweep, tiles),
                #[cfg(target_arch = "x86_64")]
                (Self::Avx2(token), false) => run_avx2::<false>(token, sweep, tiles),
                #[cfg(target_arch = "x86_64")]
                (Self::Avx2(token), true) => run_avx2::<true>(token, sweep, tiles),
                #[cfg(target_arch = "x86_64")]
                (Self::Avx512(token), false) => run_avx512::<false>(token, sweep, tiles),
                #[cfg(target_arch = "x86_64")]
                (Self::Avx512(token), true) => run_avx512::<true>(token, sweep, tiles),
            }
        }
    }
}

/// # Safety
/// As [`TileKernel::run`].
#[inline(always)]
unsafe fn run<V: Vector, const DRAWS: bool>(token: V::Token, sweep: &Sweep<'_>, tiles: Range<u64>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { TileKernel::<V, DRAWS> { sweep, token }.run(tiles) }
}

/// # Safety
/// As [`TileKernel::run`].
unsafe fn run_portable<const DRAWS: bool>(sweep: &Sweep<'_>, tiles: Range<u64>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { run::<Portable, DRAWS>((), sweep, tiles) }
}

/// # Safety
/// As [`TileKernel::run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_avx2<const DRAWS: bool>(token: HasAvx2, sweep: &Sweep<'_>, tiles: Range<u64>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { run::<Avx2, DRAWS>(token, sweep, tiles) }
}

/// # Safety
/// As [`TileKernel::run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_avx512<const DRAWS: bool>(token: HasAvx512, sweep: &Sweep<'_>, tiles: Range<u64>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { run::<Avx512, DRAWS>(token, sweep, tiles) }
}
