//! From any options to the canonical form.
//!
//! Two steps lead there (Conway, On Numbers and Games, chapter 10). A Left option that another Left option is at least
//! is *dominated* and removed. A Left option with a Right option at most the game is *reversible*: it is replaced by
//! the Left options of that Right option. The same holds for Right. What is left is unique.

use super::comparer::{Comparer, DRAFT, Draft, Games};
use crate::error::Error;
use crate::store::{Hints, Store, Value};

/// The player whose options a step treats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Player {
    Left,
    Right,
}

impl Store {
    /// The value of a game with any options of this store.
    ///
    /// # Errors
    /// [`Error::Steps`], or an error of the store's limits.
    pub fn simplified(&mut self, comparer: &mut Comparer, lefts: &[Value], rights: &[Value]) -> Result<Value, Error> {
        let (mut lefts, mut rights) = (lefts.to_vec(), rights.to_vec());
        comparer.simplify(self, &mut lefts, &mut rights)?;
        self.add(&lefts, &rights)
    }
}

impl Comparer {
    /// Keeps the values that no other value of the list is at least, sorted, each once.
    ///
    /// # Errors
    /// [`Error::Steps`] if it takes more steps than allowed.
    pub fn maximal(&mut self, store: &Store, values: &mut Vec<Value>) -> Result<(), Error> {
        self.undominated(store, values, Player::Left)
    }

    /// Turns options into the options of the canonical form, sorted. The lists hold values of the store in any order.
    ///
    /// # Errors
    /// [`Error::Steps`] if it takes more steps than allowed. The lists are then in an undefined state.
    pub fn simplify(&mut self, store: &Store, lefts: &mut Vec<Value>, rights: &mut Vec<Value>) -> Result<(), Error> {
        self.spend((lefts.len() + rights.len()) as u64)?;
        self.undominated(store, lefts, Player::Left)?;
        self.undominated(store, rights, Player::Right)?;
        // Comparisons with the game itself use its options at this point; later replacements keep its value.
        let hints = Hints::of(store.all(lefts), store.all(rights), None);
        let draft = Draft { lefts: &lefts.clone(), rights: &rights.clone(), hints };
        let view = Games { store, draft: Some(draft) };
        self.forget_draft();
        if self.bypass(&view, lefts, Player::Left)? {
            self.undominated(store, lefts, Player::Left)?;
        }
        if self.bypass(&view, rights, Player::Right)? {
            self.undominated(store, rights, Player::Right)?;
        }
        Ok(())
    }

    /// Sorts the options, and removes duplicates and dominated options.
    fn undominated(&mut self, store: &Store, options: &mut Vec<Value>, side: Player) -> Result<(), Error> {
        options.sort_unstable();
        options.dedup();
        // From the end, because later values tend to be larger games, which have more to remove.
        let mut i = options.len();
        while i > 0 {
            i -= 1;
            let option = options[i];
            for j in 0..options.len() {
                let other = options[j];
                let (worse, better) = if side == Player::Left { (option, other) } else { (other, option) };
                if i != j && self.at_most(store, worse, better)? {
                    options.remove(i);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Replaces reversible options of the draft until none is left. Returns whether there was one.
    fn bypass(&mut self, view: &Games<'_>, options: &mut Vec<Value>, side: Player) -> Result<bool, Error> {
        let (mut i, mut any) = (0, false);
        'options: while let Some(&option) = options.get(i) {
            let answers = if side == Player::Left { view.store.rights(option) } else { view.store.lefts(option) };
            for &answer in answers {
                let (low, high) = if side == Player::Left { (answer, DRAFT) } else { (DRAFT, answer) };
                if self.compare_in(view, low, high)? {
                    self.spend(1)?;
                    any = true;
                    options.swap_remove(i);
                    let through = view.store.options(answer);
                    let new = if side == Player::Left { through.0 } else { through.1 };
                    let fresh: Vec<Value> = new.iter().copied().filter(|option| !options.contains(option)).collect();
                    options.extend(fresh);
                    continue 'options;
                }
            }
            i += 1;
        }
        Ok(any)
    }
}
