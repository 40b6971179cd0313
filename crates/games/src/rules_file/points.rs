//! Points: `gains` of a `[[move]]`, `points` and `outcome = "most"` of an `[[end]]`, and the keys `aim`, `unit` and `players` of the file.
//!
//! The rules always play for the most points. Where the players of a file play for the fewest, all its points change their sign.

use super::FilePlace;
use super::RulesFileError;
use super::error::Read;
use super::expression::Values;
use super::reader::RulesReader;
use super::source::{Item, Keys, Mistakes};
use super::turns::Turns;
use crate::rules::{MOST_POINTS, Mode, Move, Outcome, Terminal};

/// The keys of the file about points.
pub(super) const KEYS: [&str; 3] = ["unit", "aim", "players"];

/// What points are called where the file gives no name.
pub(super) const UNIT: &str = "points";

/// The largest length of the name of points.
const MOST_UNIT: usize = 32;

/// The outcome that a key of an `[[end]]` gives.
#[derive(Clone, Copy)]
pub(super) enum Given {
    /// The same in each mode.
    Fixed(Terminal),
    /// The player with more pieces wins.
    Most,
}

const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

/// What the file says about points, and where.
#[derive(Default)]
pub(super) struct Points<'a> {
    /// The values of the [`KEYS`].
    keys: [Option<Item<'a>>; 3],
    /// Whether the players play for the fewest points.
    fewest: bool,
    /// Whether a move or an end has a number of points.
    are_counted: bool,
    /// The first `gains` of a move.
    gains: Option<FilePlace>,
    /// The first `[[end]]` where a player wins or loses whatever the points are.
    decided: Option<FilePlace>,
}

impl<'a> Points<'a> {
    /// Takes the [`KEYS`] out of the file.
    pub(super) fn take(file: &mut Keys<'a>, mistakes: &Mistakes<'_>) -> Self {
        let keys = KEYS.map(|key| file.take(key));
        let word = keys[1].and_then(|item| mistakes.keep(item.word(&["most", "fewest"])));
        Self { keys, fewest: word == Some(1), ..Self::default() }
    }

    /// The name of points.
    pub(super) fn unit(&self) -> Read<String> {
        let Some(item) = self.keys[0] else { return Ok(UNIT.into()) };
        let expected = format!("a name of 1 to {MOST_UNIT} characters for points, as in \"boxes\",");
        let text = item.text(&expected)?;
        let is_name = text.trim() == text && (1..=MOST_UNIT).contains(&text.chars().count());
        if is_name && !text.contains('\n') { Ok(text.into()) } else { Err(item.wrong(expected)) }
    }

    /// The names of the players of a game in which positions do not say who is to move.
    pub(super) fn players(&self, turns: Option<&Turns>) -> Read<Option<[String; 2]>> {
        let Some(item) = self.keys[2] else { return Ok(None) };
        if turns.is_some_and(|turns| !matches!(turns, Turns::Impartial)) {
            return Err(item.clash("`players` without `sides` and `modes`, which name the players", "both"));
        }
        let expected = "two different names in letters, as in [\"x\", \"o\"],";
        let list = item.list(expected)?;
        let [first, second] = list[..] else { return Err(item.wrong(expected)) };
        let names = [first.text(expected)?, second.text(expected)?];
        let is_name = |name: &&str| (1..=16).contains(&name.chars().count()) && name.chars().all(char::is_alphabetic);
        if !names.iter().all(is_name) || names[0] == names[1] {
            return Err(item.found(expected, format!("{:?} and {:?}", names[0], names[1])));
        }
        Ok(Some(names.map(str::to_owned)))
    }

    /// Returns whether the players play for the fewest points.
    pub(super) const fn for_fewest(&self) -> bool {
        self.fewest
    }

    /// Reads `number` as points of the player to move.
    fn read(&mut self, item: Item<'_>, values: &Values) -> Read<i16> {
        self.are_counted = true;
        let most = i64::from(MOST_POINTS);
        let number = item.signed(values, &(-most..=most))? as i16;
        Ok(if self.fewest { -number } else { number })
    }

    /// Refuses the keys about points in a file without points.
    fn check(&self) -> Read<()> {
        let Some(item) = self.keys.into_iter().flatten().find(|_| !self.are_counted) else { return Ok(()) };
        Err(item.clash("a file that counts points, with `gains`, `points` or `outcome = \"most\"`", "none of these"))
    }
}

impl RulesReader<'_> {
    /// The points of the moves of a table, for the player who makes them.
    pub(super) fn take_gains(&mut self, keys: &mut Keys<'_>) -> Read<i16> {
        let Some(item) = keys.take("gains") else { return Ok(0) };
        let gain = self.points.read(item, &self.values)?;
        if gain != 0 {
            self.points.gains.get_or_insert(item.place());
        }
        Ok(gain)
    }

    /// What the keys `outcome`, `points` and `completer` of an `[[end]]` give; `None` if the table has none of them. An end without a
    /// pattern, where a player is `stuck`, has no completer.
    pub(super) fn take_outcome(&mut self, keys: &mut Keys<'_>, stuck: bool) -> Read<Option<Given>> {
        let names: &[&str] = if stuck { &["outcome", "points"] } else { &["outcome", "points", "completer"] };
        let given: Vec<&&str> = names.iter().filter(|key| keys.has(key)).collect();
        let outcome = keys.take("outcome");
        let points = keys.take("points");
        let completer = if stuck { None } else { keys.take("completer") };
        let Some(item) = completer.or(points).or(outcome) else { return Ok(None) };
        if given.len() > 1 {
            let listed = given.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and ");
            return Err(item.clash("one of `outcome`, `points` and `completer`", &listed));
        }
        let fixed = |outcome: Outcome| Some(Given::Fixed(outcome.into()));
        if let Some(item) = completer {
            return Ok(fixed(OUTCOMES[item.word(&["wins", "draws", "loses"])?].flip()));
        }
        if let Some(item) = points {
            return Ok(Some(Given::Fixed(Terminal::Points(self.points.read(item, &self.values)?))));
        }
        if self.squares.colours() == 1 && item.as_text() == Some("most") {
            return Err(item.found("a [board] with `colours`", "none"));
        }
        let word = item.word(&["win", "draw", "loss", "most"])?;
        if let Some(&outcome) = OUTCOMES.get(word) {
            return Ok(fixed(outcome));
        }
        self.points.are_counted = true;
        Ok(Some(Given::Most))
    }

    /// The outcome in `mode`.
    pub(super) fn terminal_of(&self, given: Given, mode: Mode) -> Terminal {
        match given {
            Given::Fixed(terminal) => terminal,
            Given::Most => {
                let [own, other] = [self.colour(mode), 1 - self.colour(mode)].map(|it| self.squares.of_colour(it));
                let [own, other] = if self.points.fewest { [other, own] } else { [own, other] };
                Terminal::Most { own, other }
            }
        }
    }

    /// Notes that the `[[end]]` at `place` ends play with `terminal`.
    pub(super) fn note_end(&mut self, place: FilePlace, terminal: Terminal) {
        if matches!(terminal, Terminal::Always(outcome) if outcome != Outcome::Draw) {
            self.points.decided.get_or_insert(place);
        }
    }

    /// Refuses ends without points in a game whose moves gain some.
    pub(super) fn check_points(&self, moves: &[Move]) -> Read<()> {
        self.points.check()?;
        let Some(gains) = self.points.gains.filter(|_| moves.iter().any(|m| m.gain != 0)) else { return Ok(()) };
        if let Some(place) = self.points.decided {
            let expected = "`points`, `outcome = \"most\"` or a draw at each [[end]], since moves have `gains`";
            return Err(RulesFileError::wrong(place, expected, "an outcome whatever the points are"));
        }
        let modes = self.modes.len();
        if self.terminal != Outcome::Draw && (0..modes as u16).any(|mode| !self.terminals.contains_key(&Mode(mode))) {
            let expected =
                "`play = \"draw\"`, or an [[end]] with `stuck` and `points` or `outcome = \"most\"`, beside `gains`";
            let found = if self.terminal == Outcome::Loss { "normal play" } else { "misère play" };
            return Err(RulesFileError::wrong(gains, expected, found));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{LabelKind, Undefined};
    use crate::rules::{Board, Node, Position};
    use crate::{FileGame, Game, LIBRARY, Parameters, read_position};

    fn read(text: &str) -> FileGame {
        FileGame::read(text, &Parameters::new()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn library(name: &str) -> FileGame {
        LIBRARY.iter().find(|game| game.name == name).unwrap().read(&Parameters::new()).unwrap()
    }

    /// The gain of each move, and whether the same player moves again.
    fn gains(text: &str) -> Vec<(i16, bool)> {
        let game = read(&format!("name = 'g'\nplay = 'draw'\n{text}"));
        let rules = game.rules();
        rules.moves().iter().map(|m| (m.gain, !rules.hands_over(m))).collect()
    }

    #[test]
    fn each_form_of_move_gains() {
        let of = |moves: &str| gains(&format!("parameters = {{ n = 3 }}\nboard = {{ row = 2 }}\nmove = [{moves}]"));
        assert_eq!(of("{ shape = 'X', gains = 'n - 5', again = true }"), [(-2, true); 2]);
        assert_eq!(of("{ fills = ['a1'], gains = 1 }, { fills = ['a1'] }"), [(1, false), (0, false)]);
        assert_eq!(
            of("{ each = { c = '1..2' }, shape = 'X', cols = 'c', gains = '7 * c' }"),
            [(7, false), (14, false)]
        );
        // The same move for different gains is two moves.
        assert_eq!(of("{ shape = 'X', gains = 1 }, { shape = 'X', gains = 2 }").len(), 4);
        let sides = "board = { row = 2, colours = 'XO' }\nsides = ['x', 'o']";
        assert_eq!(gains(&format!("{sides}\nmove = [{{ shape = 'XT', gains = 2 }}]")), [(2, false); 2]);
        let of_each = "{ side = 'o', pass = true, gains = -1 }, { side = 'x', shape = 'X', again = true }";
        assert_eq!(gains(&format!("{sides}\nmove = [{of_each}]")), [(0, true), (0, true), (-1, false)]);
        let modes = "board = { row = 2 }\nmodes = ['a', 'b']";
        let again = "{ shape = 'X', mode = 'a', next = 'b', again = true, gains = 1 }";
        assert_eq!(gains(&format!("{modes}\nmove = [{again}]")), [(1, true); 2]);
    }

    /// One mode, in which a player may move again, says nothing about who is to move.
    #[test]
    fn a_game_without_sides_has_one_mode() {
        let moves = "[{ shape = 'X', cols = '1..2' }, { shape = 'X', cols = 3, again = true }]";
        let game = read(&format!("name = 'g'\nboard = {{ row = 3 }}\nmove = {moves}"));
        let rules = game.rules();
        assert_eq!((rules.modes().len(), rules.player(Mode(0)), rules.has_gains()), (1, None, false));
        assert_eq!(rules.moves().iter().map(|m| m.again).collect::<Vec<_>>(), [false, false, true]);
        assert_eq!((game.unit(), game.named_players()), ("points", None));
    }

    /// The points at each end on a row of two squares, in two colours, where they are not 0.
    fn endings(keys: &str) -> Vec<(String, i16)> {
        let head = "name = 'g'\nboard = { row = 2, colours = 'XO' }\nsides = ['x', 'o']\nmove = [{ shape = 'X' }]";
        let game = read(&format!("{head}\n{keys}"));
        let rules = game.rules();
        let all = (0..2).flat_map(|mode| (0..16).map(move |board| Position::new(Mode(mode), Board::from_word(board))));
        let ended = all.filter(|at| !game.squares.are_blocked(at.board) && rules.is_over(*at));
        let points = |at: Position| rules.ending(at).unwrap_or_else(|| rules.terminal_in(at.mode).at(at.board)).points;
        ended.map(|at| (game.write(Node::At(at)), points(at))).filter(|(_, points)| *points != 0).collect()
    }

    #[test]
    fn ends_are_worth_points() {
        let found = |all: &[(&str, i16)]| all.iter().map(|&(text, points)| (text.into(), points)).collect::<Vec<_>>();
        let line = "play = 'draw'\nend = [{ line = 2, points = -3 }]";
        assert_eq!(endings(line), found(&[("OO x", -3), ("XX o", -3)]));
        assert_eq!(endings(&format!("aim = 'fewest'\n{line}")), found(&[("OO x", 3), ("XX o", 3)]));
        let pattern = "play = 'draw'\nend = [{ line = 2, outcome = 'most' }]";
        assert_eq!(endings(pattern), found(&[("OO x", -2), ("XX o", -2)]));
        let stuck = "end = [{ stuck = true, outcome = 'most' }]";
        assert_eq!(endings(stuck), found(&[("OO x", -2), ("XX x", 2), ("OO o", 2), ("XX o", -2)]));
        let fewest = found(&[("OO x", 2), ("XX x", -2), ("OO o", -2), ("XX o", 2)]);
        assert_eq!(endings(&format!("aim = 'fewest'\n{stuck}")), fewest);
        let constant = endings("end = [{ stuck = true, points = '2 * 2' }]");
        assert_eq!((constant.len(), constant.iter().all(|(_, points)| *points == 4)), (8, true));
    }

    #[test]
    fn fewest_points_are_the_most_with_their_signs_changed() {
        let head =
            "name = 'g'\nplay = 'draw'\nboard = { row = 2 }\nunit = 'beans'\nmove = [{ shape = 'X', gains = 3 }]";
        let gain = |aim: &str| read(&format!("{head}\naim = '{aim}'")).rules().moves()[0].gain;
        assert_eq!((["most", "fewest"].map(gain), read(head).unit()), ([3, -3], "beans"));
    }

    #[test]
    fn a_position_may_have_a_lead() {
        // The text with the lead of the player to move, and that lead.
        let with_lead = |name: &str, text: &str| {
            let game = library(name);
            let reading = game.read(text).unwrap_or_else(|error| panic!("{error}"));
            let whole = game.write_with_lead(reading.node, reading.lead);
            // The written text does not name the player to move.
            let unnamed = crate::Reading { mover: None, ..reading.clone() };
            assert_eq!(game.read(&whole).as_ref(), Ok(&unnamed), "{whole}");
            // In a file, each row may have a line of its own.
            let file = text.replace('/', "\n").replacen(' ', "\n", 1);
            assert_eq!(game.read_file(&file), Ok(reading.clone()), "{file}");
            (whole, reading.lead)
        };
        let found = |whole: &str, lead: i32| (whole.to_owned(), lead);
        let board = "#X#.#/.#.#./#.#.#/.#.#./#.#.#";
        for (text, lead) in [("", 0), (" +3", 3), (" x-2", -2), (" x2", 2), (" o1", -1), (" o-1", 1), (" x0", 0)] {
            let whole = if lead == 0 { board.to_owned() } else { format!("{board} {lead:+}") };
            assert_eq!(with_lead("dots-and-boxes", &format!("{board}{text}")), (whole, lead), "{text}");
        }
        let discs = "..../.WB./.BW./....";
        let whole = format!("{discs} white-again+2");
        assert_eq!(with_lead("reversi", &whole), found(&whole, 2));
        assert_eq!(with_lead("reversi", &format!("{discs} black -1")), found(&format!("{discs} black-1"), -1));
    }

    #[test]
    fn numbers_may_have_leads_where_points_are_counted() {
        let read = |name: &str, text: &str| read_position(&library(name), text).map(|it| (it.node, it.lead));
        let at = |mode, board| Node::At(Position::new(Mode(mode), Board::from_word(board)));
        assert_eq!(read("dots-and-boxes", "0x800 -4"), Ok((at(0, 0x800), -4)));
        assert_eq!(read("reversi", "white:0x0 +4"), Ok((at(1, 0), 4)));
        assert_eq!(read("dots-and-boxes", "start +1"), Ok((at(0, 0), 1)));
        let refusal = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
        assert!(refusal("nim", "start +1").contains("+1"));
        assert!(refusal("dots-and-boxes", "start +99999").contains("a lead of at most 9999 points"));
        assert!(refusal("dots-and-boxes", "#X#.# x-2").contains("expected 5 rows"));
    }

    #[test]
    fn games_that_count_points_have_scores() {
        let mut scored = Vec::new();
        for file in LIBRARY {
            let game = library(file.name);
            let has_score = game.usual_labels().contains(LabelKind::Score);
            assert_eq!(has_score, game.rules().counts_points(), "{}", file.name);
            if has_score {
                scored.push((file.name, game.unit().to_owned(), game.rules().has_gains()));
            }
            if game.rules().has_gains() {
                assert_eq!(game.undefined(LabelKind::Remoteness), Some(Undefined::Gains), "{}", file.name);
                assert!(
                    [LabelKind::Nimber, LabelKind::MisereNimber].iter().all(|&kind| game.undefined(kind).is_some())
                );
            }
        }
        let expected = [
            ("dots-and-boxes", "boxes", true),
            ("reversi", "discs", false),
            ("score-lines", "lines", true),
            ("triangulation", "triangles", true),
        ];
        assert_eq!(scored, expected.map(|(name, unit, gains)| (name, unit.to_owned(), gains)));
    }
}
