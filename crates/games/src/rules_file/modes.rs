//! The modes that moves, ends and starts name.

use super::RulesFileError;
use super::error::Read;
use super::names;
use super::placement::Placement;
use super::reader::RulesReader;
use super::source::{Item, Keys};
use super::swap::Swap;
use super::turns::{self, ModeStep, Turns, all_names};
use crate::rules::{Mode, Player};

/// The keys that say in which modes a move can be made, and where it leads.
pub(super) const KEYS: [&str; 4] = ["side", "mode", "next", "again"];

impl RulesReader<'_> {
    pub(super) fn mode(&self, item: Item<'_>) -> Read<Mode> {
        if let Turns::Hand(hand) = &self.turns {
            let side = self.side(item)?;
            // A side that does not begin has no mode with full hands.
            return hand.full_mode(side).ok_or_else(|| self.no_mode(item, None));
        }
        if let Turns::Swap(_) = self.turns {
            // The only mode that a start can have.
            return self.side(item).map(|_| Swap::OPENS);
        }
        item.as_text().and_then(|name| self.called(name)).ok_or_else(|| self.no_mode(item, None))
    }

    /// The number of the side that `item` names, in a file with pieces in hand or a swap.
    pub(super) fn side(&self, item: Item<'_>) -> Read<u16> {
        let [first, second] = &self.sides;
        Ok(item.word(&[first, second])? as u16)
    }

    pub(super) fn called(&self, name: &str) -> Option<Mode> {
        self.modes.iter().position(|mode| mode == name).map(|number| Mode(number as u16))
    }

    /// The error that no mode has the name `name`, or the name in `item`.
    pub(super) fn no_mode(&self, item: Item<'_>, name: Option<&str>) -> RulesFileError {
        let expected = format!("one of {}", super::source::shown(&self.modes.join(", ")));
        match name {
            None => item.wrong(expected),
            Some(name) => item.found(expected, format!("{:?}", super::source::shown(name))),
        }
    }

    /// The modes of a name or a list of names. A letter becomes each square of the board.
    pub(super) fn listed_modes(&self, item: Item<'_>) -> Read<Vec<Mode>> {
        let items = if item.is_list() { item.list("")? } else { vec![item] };
        let mut modes = Vec::new();
        for item in items {
            let text = item.text("the name of a mode")?;
            for name in all_names(item, text, &self.values, Some(self.squares))? {
                modes.push(self.called(&name).ok_or_else(|| self.no_mode(item, Some(&name)))?);
            }
        }
        Ok(modes)
    }

    /// The names of modes in a name or a list of names. Ranges are expanded, letters stay.
    pub(super) fn listed_names(&self, item: Item<'_>) -> Read<Vec<String>> {
        let items = if item.is_list() { item.list("")? } else { vec![item] };
        let mut all = Vec::new();
        for item in items {
            let text = item.text("the name of a mode")?;
            let listed = turns::listed(item, text, &self.values)?;
            if let Some(name) = listed.iter().find(|name| !names::has_square(name) && self.called(name).is_none()) {
                return Err(self.no_mode(item, Some(name)));
            }
            all.extend(listed);
        }
        Ok(all)
    }

    /// The mode of the side that the key `side` names, if the table has it.
    pub(super) fn take_side(&self, keys: &mut Keys<'_>) -> Read<Option<Mode>> {
        self.refuse_others(keys)?;
        keys.take("side").map(|item| self.mode(item)).transpose()
    }

    /// Refuses `side` without `sides`, and `mode` and `next` without `modes`.
    pub(super) fn refuse_others(&self, keys: &mut Keys<'_>) -> Read<()> {
        let lists = [("side", "sides"), ("mode", "modes"), ("next", "modes")];
        for (key, list) in lists {
            let has_list = match &self.turns {
                Turns::Impartial => false,
                Turns::Sides | Turns::Hand(_) | Turns::Swap(_) => list == "sides",
                Turns::Modes => list == "modes",
            };
            if let Some(item) = (!has_list).then(|| keys.take(key)).flatten() {
                return Err(item.found(format!("`{list}` of the file"), "none"));
            }
        }
        Ok(())
    }

    /// The modes in which a move can be made, each with the mode it leads to; and whether the same player moves again. `from_hand`
    /// says whether its piece comes from the hand.
    pub(super) fn take_ways(&self, keys: &mut Keys<'_>, from_hand: bool) -> Read<(Vec<ModeStep>, bool)> {
        let again = keys.take("again");
        let is_again = again.map_or(Ok(false), |item| item.flag())?;
        if let Some(item) = again.filter(|_| !self.owners.is_empty()) {
            let expected = "a file without `hand` and `swap`, and with `modes` as a list if it has any,";
            return Err(item.found(expected, item.described()));
        }
        if let Turns::Hand(hand) = &self.turns {
            self.refuse_others(keys)?;
            let side = keys.take("side").map(|item| self.side(item)).transpose()?;
            let way = |(mode, _)| Some(ModeStep::Between(mode, hand.next(mode, from_hand)?));
            return Ok((hand.of_side(side).filter_map(way).collect(), is_again));
        }
        if let Turns::Swap(swap) = self.turns {
            self.refuse_others(keys)?;
            let side = keys.take("side").map(|item| self.side(item)).transpose()?;
            let ways = swap.ways(side).into_iter().map(|(mode, next)| ModeStep::Between(mode, next));
            return Ok((ways.collect(), is_again));
        }
        if let Turns::Modes = self.turns {
            self.refuse_others(keys)?;
            let modes = self.listed_names(keys.need("mode", "one of the modes")?)?;
            let next = keys.need("next", "the mode it leads to")?;
            let mut nexts = self.listed_names(next)?;
            if !next.is_list() && nexts.len() == 1 {
                nexts = vec![nexts[0].clone(); modes.len()];
            }
            if modes.len() != nexts.len() {
                return Err(
                    next.found(format!("{} modes, as many as in `mode`,", modes.len()), nexts.len().to_string())
                );
            }
            let way = |(from, to): (String, String)| match (self.called(&from), self.called(&to)) {
                (Some(from), Some(to)) => ModeStep::Between(from, to),
                _ => ModeStep::Named(from, to),
            };
            return Ok((modes.into_iter().zip(nexts).map(way).collect(), is_again));
        }
        let from = self.take_side(keys)?;
        let next = |side: Mode| if is_again { side } else { Mode(1 - side.0) };
        let pairs = match (&self.turns, from) {
            (Turns::Sides, Some(side)) => vec![(side, next(side))],
            (Turns::Sides, None) => [0, 1].map(|side| (Mode(side), next(Mode(side)))).to_vec(),
            _ => vec![(Mode(0), Mode(0))],
        };
        Ok((pairs.into_iter().map(|(from, to)| ModeStep::Between(from, to)).collect(), is_again))
    }

    /// The mode that `name` denotes for `placement`.
    pub(super) fn placed(&self, name: &str, placement: &Placement, item: Item<'_>) -> Read<Mode> {
        let placed = names::placed(name, self.squares, placement).ok_or_else(|| {
            item.found(format!("a move with a square for each letter of the mode {name}"), "a move without")
        })?;
        self.called(&placed).ok_or_else(|| self.no_mode(item, Some(&placed)))
    }

    /// The colour of the player who moves in `mode`.
    pub(super) fn colour(&self, mode: Mode) -> u32 {
        u32::from(self.owners.get(usize::from(mode.0)).copied().unwrap_or(mode.0 & 1))
    }

    /// The player of each mode, if players do not simply take turns: a move without `again` passes the turn. Empty if
    /// the players take turns.
    ///
    /// # Errors
    /// A description of a mode in which both players would move.
    pub(super) fn players(&self) -> Result<Vec<Player>, String> {
        let player = |side: u16| if side == 0 { Player::First } else { Player::Second };
        if let Turns::Swap(_) = self.turns {
            // A swap hands a side over to the other player, so modes belong to no player. Each move passes the turn.
            return Ok(Vec::new());
        }
        if !self.owners.is_empty() {
            return Ok(self.owners.iter().map(|&side| player(side)).collect());
        }
        if matches!(self.turns, Turns::Impartial) || !self.steps.iter().any(|&(.., is_again)| is_again) {
            return Ok(Vec::new());
        }
        if let Turns::Sides = self.turns {
            return Ok([0, 1].map(player).to_vec());
        }
        let mut sides: Vec<Option<u16>> = vec![None; self.modes.len()];
        for first in 0..sides.len() {
            sides[first].get_or_insert(0);
            // Each round but the last settles at least one more mode.
            loop {
                let before = sides.clone();
                for &(from, next, is_again) in &self.steps {
                    let (from, next) = (usize::from(from.0), usize::from(next.0));
                    let turns = u16::from(!is_again);
                    match (sides[from], sides[next]) {
                        (Some(side), None) => sides[next] = Some(side ^ turns),
                        (None, Some(side)) => sides[from] = Some(side ^ turns),
                        (Some(side), Some(after)) if side ^ turns != after => {
                            return Err(format!("a mode that belongs to both, {}", self.modes[next]));
                        }
                        _ => {}
                    }
                }
                if sides == before {
                    break;
                }
            }
        }
        Ok(sides.into_iter().map(|side| player(side.unwrap_or(0))).collect())
    }
}
