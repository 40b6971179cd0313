//! Canonical forms of impartial games in misère play.

use rustc_hash::FxHashMap;

use super::Genus;

/// The number of a canonical form in its [`MisereForms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MisereForm(u32);

impl MisereForm {
    /// The game without options, in every [`MisereForms`].
    pub const END: Self = Self(0);
}

/// Canonical forms of impartial games in misère play, each once.
///
/// A game has the canonical form `K` if the options of `K` are among its options, and `K` is an option of each of its
/// other options. If `K` has no options, some option of the game must also be lost by the player to move. (Conway, On
/// Numbers and Games, chapter 12.)
#[derive(Clone, Debug)]
pub struct MisereForms {
    /// The options of each form, in order.
    options: Vec<Vec<MisereForm>>,
    /// Whether the player to move loses.
    is_lost: Vec<bool>,
    genera: Vec<Genus>,
    numbers: FxHashMap<Vec<MisereForm>, MisereForm>,
}

impl Default for MisereForms {
    fn default() -> Self {
        let numbers = FxHashMap::from_iter([(Vec::new(), MisereForm::END)]);
        Self { options: vec![Vec::new()], is_lost: vec![false], genera: vec![Genus::of(&[])], numbers }
    }
}

impl MisereForms {
    /// The canonical form of the game with `options`.
    pub fn of(&mut self, options: &[MisereForm]) -> MisereForm {
        let mut options = options.to_vec();
        options.sort_unstable();
        options.dedup();
        if let Some(&known) = self.numbers.get(&options) {
            return known;
        }
        let form = match self.simpler(&options) {
            Some(simpler) => simpler,
            None => {
                let genera: Vec<Genus> = options.iter().map(|&option| self.genus(option).clone()).collect();
                self.genera.push(Genus::of(&genera));
                self.is_lost.push(!options.iter().any(|&option| self.is_lost(option)));
                self.options.push(options.clone());
                MisereForm(self.options.len() as u32 - 1)
            }
        };
        self.numbers.insert(options, form);
        form
    }

    /// The form that a game with `options` has, if some of them can be left out.
    fn simpler(&self, options: &[MisereForm]) -> Option<MisereForm> {
        let of_options = options.iter().flat_map(|&option| self.options(option));
        let is_form = |form: &&MisereForm| {
            let kept = self.options(**form);
            let is_kept = |option: &MisereForm| kept.binary_search(option).is_ok();
            let reverses = |option: &MisereForm| self.options(*option).binary_search(form).is_ok();
            kept.iter().all(|option| options.binary_search(option).is_ok())
                && options.iter().all(|option| is_kept(option) || reverses(option))
                && (!kept.is_empty() || options.iter().any(|&option| self.is_lost(option)))
        };
        of_options.into_iter().find(is_form).copied()
    }

    /// The options of a form, in order.
    #[must_use]
    pub fn options(&self, form: MisereForm) -> &[MisereForm] {
        &self.options[form.0 as usize]
    }

    /// Returns whether the player to move loses.
    #[must_use]
    pub fn is_lost(&self, form: MisereForm) -> bool {
        self.is_lost[form.0 as usize]
    }

    /// The genus symbol.
    #[must_use]
    pub fn genus(&self, form: MisereForm) -> &Genus {
        &self.genera[form.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conway, On Numbers and Games, chapter 12: 1, 2, 3, 5 and 22 games are born by days 0 to 4.
    #[test]
    fn as_many_games_are_born_as_published() {
        let mut forms = MisereForms::default();
        for (day, born) in [(0, 1), (1, 2), (2, 3), (3, 5), (4, 22)] {
            assert_eq!(forms.options.len(), born, "day {day}");
            let older: Vec<MisereForm> = (0..born as u32).map(MisereForm).collect();
            for set in (0..1_u32 << born.min(5)).filter(|_| born < 22) {
                let options = older.iter().filter(|form| set >> form.0 & 1 == 1);
                forms.of(&options.copied().collect::<Vec<_>>());
            }
        }
    }
}
