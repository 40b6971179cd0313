//! Which vector unit sweeps: picked once for the machine, or forced.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::sweep::{self, Run};

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

/// Why a kernel cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// No kernel of that name.
    #[error("there is no kernel called {0:?}, portable, avx2 or avx512 is expected")]
    Unknown(String),
    /// The processor does not have it.
    #[error("the kernel {wanted} is not to be had on this machine: {} is expected", available.iter().map(Kernel::name).collect::<Vec<_>>().join(" or "))]
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
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && has_bit_instructions(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && Self::Avx2.is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
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

    /// The kernel that the environment variable `TABLEGEN_KERNEL` asks for, where it is set and not empty.
    ///
    /// # Errors
    /// Where it names no kernel, or one that this machine has not.
    pub fn asked_for() -> Result<Option<Self>, KernelError> {
        match std::env::var_os("TABLEGEN_KERNEL") {
            Some(name) if !name.is_empty() => name.to_string_lossy().parse().map(Some),
            _ => Ok(None),
        }
    }

    /// Itself, where the machine has it.
    pub(super) fn checked(self) -> Result<Self, KernelError> {
        if self.is_available() {
            Ok(self)
        } else {
            Err(KernelError::Absent { wanted: self, available: Self::available() })
        }
    }

    /// The function that sweeps with it.
    pub(super) const fn run(self) -> Run {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => sweep::run_avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => sweep::run_avx512,
            _ => sweep::run_portable,
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_bit_instructions() -> bool {
    is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
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
        named.ok_or_else(|| KernelError::Unknown(name.into()))?.checked()
    }
}
