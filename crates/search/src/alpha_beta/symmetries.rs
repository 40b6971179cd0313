//! The symmetries of rules, which a search looks for once it takes a while.

use std::sync::{Arc, OnceLock};

use crate::rules::Rules;
use tablegen_index::symmetry::Group;

/// The symmetries of rules. Finding them may take longer than to search an easy position.
pub(super) struct Symmetries {
    rules: Arc<Rules>,
    found: OnceLock<Group>,
}

impl Symmetries {
    pub(super) fn new(rules: &Arc<Rules>) -> Self {
        Self { rules: Arc::clone(rules), found: OnceLock::new() }
    }

    /// Finds the symmetries, unless that was done.
    pub(super) fn find(&self) {
        // If the rules name a wrong symmetry, none is used.
        self.found.get_or_init(|| Group::of_rules(&self.rules, &[]).unwrap_or_else(|_| Group::trivial().clone()));
    }

    pub(super) fn is_found(&self) -> bool {
        self.found.get().is_some()
    }

    /// The symmetries, if they were found and there are any.
    #[inline(always)]
    pub(super) fn group(&self) -> Option<&Group> {
        self.found.get().filter(|group| !group.is_trivial())
    }
}
