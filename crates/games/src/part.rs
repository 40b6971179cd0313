//! A part of a game: the rules of some modes of it, in the notation of the whole game.

use crate::rules::{Board, Descriptor, Mode, Move, Node, Outcome, Part, Position, Rules};
use crate::{Coverage, FileGame, Game, GameError, Notation, NotationError, Reading, Scene};

/// The descriptor's last parameter in a table of a part. It names the part. No parameter of a rules file can have this name.
pub const PART: &str = "rules.part";

/// Modes of a game that have a name, and that play does not leave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePart {
    /// The name.
    pub name: String,
    /// The modes, in the order of their numbers.
    pub modes: Vec<Mode>,
}

/// What a part is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartName<'a> {
    /// The name of the part.
    pub name: &'a str,
    /// The name of the rules of the whole game.
    pub whole: &'a str,
}

/// A part of a game, as a game of its own. Its rules are called `GAME.PART`, and a table of it has every board of its modes.
pub struct PartGame {
    whole: Box<dyn Game>,
    name: String,
    rules: Rules,
    part: Part,
}

/// What a table with these `rules` and this `descriptor` is a part of, if it is a table of a part.
#[must_use]
pub fn part_in<'a>(rules: &'a Rules, descriptor: &'a Descriptor) -> Option<PartName<'a>> {
    let (_, name) = descriptor.parameters.last().filter(|(last, _)| last == PART)?;
    let whole = rules.name().strip_suffix(name.as_str())?.strip_suffix('.')?;
    Some(PartName { name, whole })
}

/// The part of `game` that is called `name`.
///
/// # Errors
/// If there is none. The error lists the parts.
pub fn part_called<'a>(game: &'a dyn Game, name: &str) -> Result<&'a GamePart, GameError> {
    game.parts().iter().find(|part| part.name == name).ok_or_else(|| GameError::UnknownPart {
        game: game.rules().name().into(),
        part: name.into(),
        known: game.parts().iter().map(|part| part.name.clone()).collect(),
    })
}

impl PartGame {
    /// The part of `whole` that is called `name`. Play begins with the choice of one of `starts`, positions of `whole` in modes of the part.
    ///
    /// # Errors
    /// If there is no such part, or no start in it.
    pub fn new(whole: Box<dyn Game>, name: &str, starts: &[Position]) -> Result<Self, GameError> {
        let part = part_called(whole.as_ref(), name)?;
        let rules = whole.rules().part(name_of(whole.rules(), name), &part.modes, starts)?;
        Ok(Self::of(whole, name, rules).unwrap_or_else(|_| unreachable!("the rules were made of the whole game")))
    }

    /// The part with these `rules`; gives `whole` back if they are not those of a part called `name`.
    fn of(whole: Box<dyn Game>, name: &str, rules: Rules) -> Result<Self, Box<dyn Game>> {
        let is_it = part_called(whole.as_ref(), name).is_ok_and(|part| {
            let names = part.modes.iter().map(|mode| &whole.rules().modes()[usize::from(mode.0)]);
            rules.name() == name_of(whole.rules(), name) && names.eq(rules.modes())
        });
        match Part::of(whole.rules(), &rules).filter(|_| is_it) {
            Some(part) => Ok(Self { whole, name: name.into(), rules, part }),
            None => Err(whole),
        }
    }

    /// The part that `descriptor` names, if it has these `rules`.
    pub(super) fn of_descriptor(rules: &Rules, descriptor: &Descriptor) -> Option<Self> {
        let ((last, name), parameters) = descriptor.parameters.split_last()?;
        if last != PART {
            return None;
        }
        let whole = Descriptor { family: descriptor.family.clone(), parameters: parameters.to_vec() };
        Self::of(Box::new(FileGame::of_descriptor(&whole)?), name, rules.clone()).ok()
    }

    /// The node of the whole game.
    fn out(&self, node: Node) -> Node {
        match node {
            Node::Opening => self.whole.rules().start_node(),
            Node::At(position) => Node::At(self.part.whole(position)),
        }
    }

    /// The position of the part, where `text` names a position of the whole game.
    fn inside(&self, text: &str, position: Position) -> Result<Position, NotationError> {
        self.part.position(position).ok_or_else(|| {
            let modes = crate::number::listed(self.rules.modes());
            let mode = self.whole.rules().mode_name(position.mode).unwrap_or_default();
            NotationError::new(text, format!("a position of the part {}, in one of the modes {modes}", self.name), mode)
        })
    }

    fn read_inside(&self, text: &str, reading: Reading) -> Result<Reading, NotationError> {
        let node = match reading.node {
            Node::Opening => self.rules.start_node(),
            Node::At(position) => self.inside(text, position)?.into(),
        };
        Ok(Reading { node, ..reading })
    }
}

/// The name of the rules of the part of `whole` that is called `name`.
fn name_of(whole: &Rules, name: &str) -> String {
    format!("{}.{name}", whole.name())
}

/// The text of the choice of a start.
const START: &str = "start";

impl Game for PartGame {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn descriptor(&self) -> Descriptor {
        let Descriptor { family, mut parameters } = self.whole.descriptor();
        parameters.push((PART.into(), self.name.clone()));
        Descriptor { family, parameters }
    }

    fn part(&self) -> Option<PartName<'_>> {
        Some(PartName { name: &self.name, whole: self.whole.rules().name() })
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        if text == START {
            return Ok(self.rules.start_node().into());
        }
        self.read_inside(text, self.whole.read(text)?)
    }

    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        if content.trim() == START {
            return Ok(self.rules.start_node().into());
        }
        self.read_inside(content.trim(), self.whole.read_file(content)?)
    }

    fn notations(&self) -> &[Notation] {
        self.whole.notations()
    }

    fn sides(&self) -> Option<[String; 2]> {
        self.whole.sides()
    }

    fn reads_numbers(&self) -> bool {
        self.whole.reads_numbers()
    }

    fn of_number(&self, text: &str, mode: Option<Mode>, board: Board) -> Result<Position, NotationError> {
        let mode = mode.map(|mode| self.part.whole(Position::new(mode, board)).mode);
        self.inside(text, self.whole.of_number(text, mode, board)?)
    }

    fn write(&self, node: Node) -> String {
        match node {
            Node::Opening => START.into(),
            Node::At(_) => self.whole.write(self.out(node)),
        }
    }

    fn write_to(&self, node: Node, out: &mut Vec<u8>) {
        match node {
            Node::Opening => out.extend_from_slice(START.as_bytes()),
            Node::At(_) => self.whole.write_to(self.out(node), out),
        }
    }

    fn title(&self) -> String {
        format!("{}, {}", self.whole.title(), self.name)
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(Coverage::Every)
    }

    fn rules_file(&self) -> Option<&str> {
        self.whole.rules_file()
    }

    fn unit(&self) -> &str {
        self.whole.unit()
    }

    fn counted(&self) -> Option<&str> {
        self.whole.counted()
    }

    fn counts_fewest(&self) -> bool {
        self.whole.counts_fewest()
    }

    fn write_move(&self, from: Node, to: Position) -> String {
        match from {
            Node::Opening => self.write(to.into()),
            Node::At(_) => self.whole.write_move(self.out(from), self.part.whole(to)),
        }
    }

    fn other_names(&self, text: &str) -> Vec<String> {
        self.whole.other_names(text)
    }

    fn draw(&self, node: Node) -> String {
        self.whole.draw(self.out(node))
    }

    fn colours(&self) -> Option<[char; 2]> {
        self.whole.colours()
    }

    fn pointed_at(&self, m: &Move) -> Vec<Board> {
        let out = |mode| self.part.whole(Position::new(mode, Board::EMPTY)).mode;
        self.whole.pointed_at(&Move { mode: out(m.mode), next: out(m.next), ..*m })
    }

    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        match from {
            Node::Opening => None,
            Node::At(_) => self.whole.draw_move(self.out(from), self.part.whole(to)),
        }
    }

    fn scene(&self) -> Scene {
        self.whole.scene()
    }

    fn is_partisan(&self) -> bool {
        self.whole.is_partisan()
    }

    fn is_reduced(&self) -> bool {
        self.whole.is_reduced()
    }

    fn players(&self, node: Node) -> Option<[String; 2]> {
        self.whole.players(self.out(node))
    }

    fn in_hand(&self, node: Node) -> Option<[u32; 2]> {
        match node {
            Node::Opening => None,
            Node::At(_) => self.whole.in_hand(self.out(node)),
        }
    }

    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        match node {
            Node::Opening => Vec::new(),
            Node::At(_) => self.whole.remarks(self.out(node), outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parameters, of_table, position_of, read_position};

    const FILE: &str = "name = 'g'\nsides = ['x', 'o']\nboard = { row = 4, colours = 'XO' }\nhand = { x = 1, o = 1 }\n\
        move = [{ shape = 'X', from = 'hand' }, { shape = 'LX', turns = true }]\n\
        parts = { moving = { in_hand = { mover = 0, other = 0 } } }\n";

    fn whole() -> Box<dyn Game> {
        Box::new(FileGame::read(FILE, &Parameters::new()).unwrap())
    }

    fn at(game: &dyn Game, text: &str) -> Position {
        position_of(read_position(game, text).unwrap().node)
    }

    #[test]
    fn a_part_has_the_notation_of_the_whole() {
        let start = at(whole().as_ref(), "X..O x");
        let part = PartGame::new(whole(), "moving", &[start]).unwrap();
        assert_eq!((part.rules().name(), part.rules().modes().join(" ")), ("g.moving", "x o".to_owned()));
        let from = at(&part, "X.O. x");
        let moves: Vec<(String, String)> =
            part.rules().successors(from).map(|to| (part.write(to.into()), part.write_move(from.into(), to))).collect();
        let of_whole = whole();
        let outer = at(of_whole.as_ref(), "X.O. x");
        let expected: Vec<(String, String)> = of_whole
            .rules()
            .successors(outer)
            .map(|to| (of_whole.write(to.into()), of_whole.write_move(outer.into(), to)))
            .collect();
        assert_eq!(moves, expected);
        assert_eq!(part.part(), Some(PartName { name: "moving", whole: "g" }));
        let refusal = read_position(&part, ".... x-1-1").unwrap_err().to_string();
        assert!(refusal.contains("a position of the part moving, in one of the modes x, o"), "{refusal}");
    }

    #[test]
    fn a_table_of_a_part_has_its_notation() {
        let start = at(whole().as_ref(), "X..O x");
        let part = PartGame::new(whole(), "moving", &[start]).unwrap();
        let descriptor = part.descriptor();
        assert_eq!(of_table(part.rules(), &descriptor).part(), part.part());
        assert_eq!(part_in(part.rules(), &descriptor), part.part());
        assert_eq!(part_in(whole().rules(), &whole().descriptor()), None);
        // Rules of another version of the file have no such notation.
        let other = part.rules().renumbered(|cells| cells);
        let other = crate::rules::RulesSpec { moves: Vec::new(), ..other.into_spec() }.build().unwrap();
        assert_eq!(of_table(&other, &descriptor).part(), None);
        assert_eq!(of_table(whole().rules(), &descriptor).part(), None);
    }

    #[test]
    fn an_unknown_part_is_answered_with_the_known_ones() {
        let error = PartGame::new(whole(), "opening", &[]).err().unwrap().to_string();
        assert!(error.contains("g has no part \"opening\"") && error.contains("moving"), "{error}");
    }
}
