//! The text of a certificate.

use std::io::{self, Write};

use super::{Certificate, Claim};
use crate::rules::{Board, Count, Mode, Node, Player, Terminal};

/// The version of the text of an outcome, and of a score. A reader of the first knows no gains.
const VERSION: u32 = 1;
const VERSION_OF_SCORES: u32 = 2;

impl Certificate<'_> {
    /// Writes the text: rules, symmetries, root, and strategies, one position in each line.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = self.movers.rules();
        let version = match self.claim {
            Claim::Outcome(_) => VERSION,
            Claim::Score(_) => VERSION_OF_SCORES,
        };
        writeln!(
            out,
            "certificate {version}\ngame {}\ncells {}\nmodes {}",
            rules.name(),
            rules.cells(),
            rules.modes().len()
        )?;
        for mode in (0..rules.modes().len() as u16).map(Mode) {
            writeln!(out, "stuck {} {}", mode.0, worth(rules.terminal_in(mode)))?;
            if let Some(player) = rules.player(mode) {
                writeln!(out, "player {} {}", mode.0, if player == Player::First { 1 } else { 2 })?;
            }
        }
        for take in &rules.spec().takes {
            let guards = if take.guards.is_empty() { "-".into() } else { boards(&take.guards) };
            writeln!(out, "take {:x} {} {guards}", take.cells.number(), boards(&take.lines))?;
        }
        for m in rules.moves() {
            let (empty, full, fills, clears) = (m.empty.number(), m.full.number(), m.fills.number(), m.clears.number());
            let otherwise = if m.otherwise { " otherwise" } else { "" };
            write!(out, "move {} {} {empty:x} {full:x} {fills:x} {clears:x}{otherwise}", m.mode.0, m.next.0)?;
            if let Some(number) = m.when {
                write!(out, " when {}", condition(&rules.spec().counts[usize::from(number)]))?;
            }
            if let Some(number) = m.takes {
                write!(out, " takes {number}")?;
            }
            if m.gain != 0 {
                write!(out, " gains {}", m.gain)?;
            }
            writeln!(out)?;
        }
        for end in &rules.spec().count_ends {
            writeln!(out, "pieces {} {} {}", end.mode.0, condition(&end.count), end.outcome)?;
        }
        for end in rules.ends() {
            write!(out, "end {} {:x} {}", end.mode.0, end.pattern.number(), worth(end.outcome))?;
            match end.empty.number() {
                0 => writeln!(out)?,
                empty => writeln!(out, " {empty:x}")?,
            }
        }
        for symmetry in self.symmetries.iter().filter(|symmetry| !symmetry.is_identity()) {
            writeln!(out, "symmetry {} {}", listed(symmetry.modes()), listed(symmetry.cells()))?;
        }
        if let Some(potential) = rules.potential() {
            writeln!(out, "weights {} {}", listed(potential.modes()), listed(potential.cells()))?;
        }
        match self.root {
            Node::At(root) => writeln!(out, "root {} {:x}", root.mode.0, root.board.number())?,
            Node::Opening => {
                for choice in rules.start_positions() {
                    writeln!(out, "choice {} {:x}", choice.mode.0, choice.board.number())?;
                }
            }
        }
        match self.claim {
            Claim::Outcome(outcome) => writeln!(out, "outcome {outcome}")?,
            Claim::Score(bounds) => writeln!(out, "score {} {}", bound(bounds.least()), bound(bounds.most()))?,
        }
        let has_ranks = self.has_numbers && matches!(self.claim, Claim::Outcome(_));
        for strategy in &self.strategies {
            let ranks = if has_ranks { " ranks" } else { "" };
            writeln!(out, "strategy {} {} {}{ranks}", strategy.hero(), strategy.aim.name(), strategy.members.len())?;
            for &(position, number) in &strategy.members {
                write!(out, "{} {:x}", position.mode.0, position.board.number())?;
                if self.has_numbers {
                    write!(out, " {number}")?;
                }
                writeln!(out)?;
            }
        }
        writeln!(out, "end of certificate")
    }
}

/// What an end is worth: an outcome, the two sets of cells that are counted, or a number of points.
fn worth(terminal: Terminal) -> String {
    match terminal {
        Terminal::Always(outcome) => outcome.to_string(),
        Terminal::Most { own, other } => format!("most {:x} {:x}", own.number(), other.number()),
        Terminal::Points(points) => format!("points {points}"),
    }
}

/// A bound of a score, or `-` if there is none.
fn bound(points: Option<i32>) -> String {
    points.map_or_else(|| "-".into(), |points| points.to_string())
}

/// The cells that are counted, and the least and the greatest number of them that are filled.
fn condition(count: &Count) -> String {
    format!("{:x} {} {}", count.cells.number(), count.least, count.most)
}

/// Boards with commas.
fn boards(boards: &[Board]) -> String {
    boards.iter().map(|board| format!("{:x}", board.number())).collect::<Vec<_>>().join(",")
}

/// Numbers with commas.
fn listed<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}
