//! The choice of the word that holds the keys or the codes of a game. The narrowest word that fits is the fastest, and keys take most
//! of the memory.

/// Evaluates `$body` with `$word` bound to the narrowest word that holds a key of `$rules`.
macro_rules! with_key_word {
    ($rules:expr, $word:ident => $body:expr) => {
        if $crate::reachable::Codes::of($rules).bits() <= u32::BITS {
            type $word = u32;
            $body
        } else {
            $crate::sparse::word::with_code_word!($rules, $word => $body)
        }
    };
}

/// As [`with_key_word`], with a word of 64 bits or more.
macro_rules! with_code_word {
    ($rules:expr, $word:ident => $body:expr) => {
        if $crate::reachable::Codes::of($rules).bits() <= u64::BITS {
            type $word = u64;
            $body
        } else {
            $crate::sparse::word::with_wide_word!($rules, $word => $body)
        }
    };
}

/// As [`with_key_word`], with a word of 128 bits.
macro_rules! with_wide_word {
    ($rules:expr, $word:ident => $body:expr) => {
        if $rules.cells() <= u64::BITS {
            type $word = u128;
            $body
        } else {
            type $word = $crate::reachable::WideKey;
            $body
        }
    };
}

pub(crate) use {with_code_word, with_key_word, with_wide_word};
