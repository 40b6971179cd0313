//! Characters that names and texts must not have, because they would command a terminal or reorder the text around them.

/// Returns whether `c` is a control character, breaks a line, or changes the direction of text.
///
/// ```
/// # use tablegen_rules::characters::is_unprintable;
/// assert!(['\n', '\u{1b}', '\u{202e}', '\u{2066}'].into_iter().all(is_unprintable));
/// assert!(!['a', 'é', 'א', ' '].into_iter().any(is_unprintable));
/// ```
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
