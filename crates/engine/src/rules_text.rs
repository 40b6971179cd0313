//! Rules as text: everything that the solvers know about a game.

use std::fmt::Write as _;

use tablegen_rules::{Board, Count, Mode, Player, Position, Rules, Start, Terminal};

/// The rules as lines of text: name, cells, modes, terminal patterns, and every move. Boards are numbers.
#[must_use]
pub fn rules_in_words(rules: &Rules) -> String {
    let board = |board: Board| format!("{board:#x}");
    let mode = |mode: Mode| rules.modes().get(usize::from(mode.0)).map_or("?", String::as_str);
    let at = |position: &Position| format!("{}:{}", mode(position.mode), board(position.board));
    let start = match rules.start() {
        Start::At(position) => at(position),
        Start::Opening(choices) => {
            format!("the first player chooses {}", choices.iter().map(at).collect::<Vec<_>>().join(" "))
        }
    };
    let mut text = format!(
        "name {}\ncells {}\nmodes {}\nstart {start}\nno move {}\n",
        rules.name(),
        rules.cells(),
        rules.modes().join(" "),
        rules.terminal(),
    );
    let worth = |terminal: Terminal| match terminal {
        Terminal::Always(outcome) => outcome.to_string(),
        Terminal::Most { own, other } => format!("most {} {}", board(own), board(other)),
        Terminal::Points(points) => format!("points {points}"),
    };
    // Writing to a String cannot fail.
    for (number, name) in rules.modes().iter().enumerate() {
        let mode = Mode(number as u16);
        match rules.terminal_in(mode) {
            Terminal::Always(outcome) if outcome == rules.terminal() => {}
            terminal => _ = writeln!(text, "no move in {name} {}", worth(terminal)),
        }
        if let Some(player) = rules.player(mode) {
            let _ = writeln!(text, "player in {name} {}", if player == Player::First { "first" } else { "second" });
        }
    }
    for end in rules.ends() {
        let empty = if end.empty.is_empty() { String::new() } else { format!(" empty {}", board(end.empty)) };
        let _ = writeln!(text, "end {} {} {}{empty}", mode(end.mode), board(end.pattern), worth(end.outcome));
    }
    let count = |it: &Count| format!("{} to {} of {}", it.least, it.most, board(it.cells));
    for end in &rules.spec().count_ends {
        let _ = writeln!(text, "end {} {} {}", mode(end.mode), count(&end.count), end.outcome);
    }
    for (number, it) in rules.spec().counts.iter().enumerate() {
        let _ = writeln!(text, "count {number} {}", count(it));
    }
    for (number, take) in rules.spec().takes.iter().enumerate() {
        let list = |of: &[Board]| of.iter().map(|&cells| board(cells)).collect::<Vec<_>>().join(" ");
        let (lines, guards) = (list(&take.lines), list(&take.guards));
        let _ = writeln!(text, "take {number} lines {lines} from {} guards {guards}", board(take.cells));
    }
    for (number, list) in rules.spec().lines.iter().enumerate() {
        for line in list {
            let [empty, full, fills, clears] = [line.empty, line.full, line.fills, line.clears].map(board);
            let _ = writeln!(text, "line {number} empty {empty} full {full} fills {fills} clears {clears}");
        }
    }
    for m in rules.moves() {
        let [empty, full, fills] = [m.empty, m.full, m.fills].map(board);
        let clears = if m.clears.is_empty() { String::new() } else { format!("clears {} ", board(m.clears)) };
        let (from, next) = (mode(m.mode), mode(m.next));
        let otherwise = if m.otherwise { " otherwise" } else { "" };
        let again = if m.again { " again" } else { "" };
        let gain = if m.gain == 0 { String::new() } else { format!(" gains {}", m.gain) };
        let named = [("lines", m.lines), ("count", m.when), ("take", m.takes)];
        let named = named.into_iter().filter_map(|(what, number)| Some(format!(" {what} {}", number?)));
        let named: String = named.collect();
        let _ = writeln!(
            text,
            "move {from} empty {empty} full {full} fills {fills} {clears}next {next}{otherwise}{again}{gain}{named}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_rules::{End, Move, Outcome, RulesSpec};

    #[test]
    fn all_parts_of_rules_are_written() {
        let spec = RulesSpec {
            modes: vec!["x".into(), "o".into()],
            moves: vec![Move { full: Board::from_word(2), next: Mode(1), ..Move::fill(Board::from_word(1)) }],
            ends: vec![End {
                mode: Mode(1),
                pattern: Board::from_word(3),
                outcome: Outcome::Loss.into(),
                empty: Board::EMPTY,
            }],
            terminal: Outcome::Draw,
            start: Start::Opening(vec![
                Position::new(Mode(0), Board::from_word(2)),
                Position::new(Mode(1), Board::from_word(0)),
            ]),
            ..RulesSpec::new("two", 2)
        };
        let expected = "name two\ncells 2\nmodes x o\nstart the first player chooses x:0x2 o:0x0\nno move draw\n\
                        end o 0x3 loss\nmove x empty 0x1 full 0x2 fills 0x1 next o\n";
        assert_eq!(rules_in_words(&spec.build().unwrap()), expected);
    }
}
