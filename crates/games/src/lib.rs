//! The games: the rules and the notation of each, and a list of all built-in families.
//!
//! The module of a game derives [`Rules`] from the parameters, and reads and writes positions and moves in the usual
//! notation. The rest of the crate sees only [`Game`] and [`Family`] and knows no particular game. To add a game, write
//! its module and add its family to [`FAMILIES`].

#[macro_use]
mod words;

mod answer;
mod called;
mod class;
mod dominoes;
mod error;
mod family;
mod featured;
mod find;
mod geography;
mod grid;
mod kalah;
mod kind;
mod lead;
mod library;
mod line;
mod mnk;
mod nearest;
mod notations;
mod number;
mod on_grid;
mod other_size;
mod parameters;
mod part;
mod plain;
mod reading;
mod rules_file;
mod scene;
mod shiritori;
mod side;
mod tactics;
mod template;
mod title;
mod trail;
mod unknown;

use tablegen_labels as label;
use tablegen_rules as rules;
use tablegen_rules::characters::is_unprintable;
use tablegen_search as search;
use template::Template;

use crate::label::{Label, LabelKind, LabelSet, Undefined};
use crate::rules::{Board, Descriptor, Mode, Node, Outcome, Position, Rules};

pub use answer::{Answer, AnswerMove, AnswerSource, Ask, OffTable, best_of};
pub use called::called;
pub use class::OutcomeClass;
pub use dominoes::Dominoes;
pub use error::{GameError, NotationError};
pub use family::{Family, ParameterKind, ParameterSpec, ReadParameters, family};
pub use featured::featured;
pub use find::absent_found;
pub use geography::{Edge, Graph};
pub use grid::Grid;
pub use kalah::Kalah;
pub use kind::Kind;
pub use library::{LIBRARY, LibraryGame, bundled, library};
pub use mnk::Mnk;
pub use nearest::{did_you_mean, nearest};
pub use notations::{
    FoundMove, NamedMove, Notation, Prefix, UnwrittenError, find_move, move_written, notations_of, write_as, written,
};
pub use number::{or_numbered, read_position, read_position_file};
pub use on_grid::{OnGrid, grid_descriptor};
pub use other_size::{Make, size_of_text};
pub use parameters::{Parameters, Play};
pub use part::{GamePart, PART, PartGame, PartName, part_called, part_in};
pub use plain::Plain;
pub use reading::{Drawing, OutcomeNames, Reading};
pub use rules_file::{
    EndExample, FileGame, FileHead, FilePlace, FilePoints, FileReport, GameBuilder, MoveExample, Parameter,
    RulesFileError, Setting, Statement, is_of_rules_file,
};
pub use scene::{Area, Border, Colour, Layout, Looks, Piece, Scene, ScenePlace, Surface, Vertex, colour_of_side};
pub use shiritori::Shiritori;
pub use tactics::Tactics;
pub use trail::Trail;
pub use unknown::{ABSENT, AbsentGame, about_unknown, game_meant};

/// Every built-in family, in the order in which users see them.
pub static FAMILIES: &[Family] =
    &[tactics::FAMILY, dominoes::FAMILY, shiritori::FAMILY, mnk::TICTACTOE, mnk::FAMILY, kalah::FAMILY, trail::FAMILY];

/// A game with settled parameters: its rules and its notation.
pub trait Game: Send + Sync {
    /// The rules.
    fn rules(&self) -> &Rules;

    /// The data in a table from which [`of_table`] makes this game again.
    fn descriptor(&self) -> Descriptor;

    /// Reads a position in the game's notation, perhaps with a [lead](Reading::lead).
    ///
    /// # Errors
    /// If `text` is not a position of this game. The error gives the expected and the found value.
    fn read(&self, text: &str) -> Result<Reading, NotationError>;

    /// Reads a position from a file in the game's own format. By default the contents are a text for
    /// [`read`](Self::read), possibly with white space around it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        self.read(content.trim())
    }

    /// The notations of other programs and of people that the game names, in the order in which they are tried.
    fn notations(&self) -> &[Notation] {
        &[]
    }

    /// What the names of modes say, in words, if they say more than the side to move. `found` is the text in place of a name; empty if there
    /// is none.
    fn modes_in_words(&self, found: &str) -> Option<String> {
        let _ = found;
        None
    }

    /// Returns whether [`read`](Self::read) itself reads board numbers, because some of them look like other texts of
    /// the game.
    fn reads_numbers(&self) -> bool {
        false
    }

    /// The position with this board. `mode` is the mode that `text` gives before the number. If it is `None`, the
    /// position has the only mode, or the mode that the board implies.
    ///
    /// # Errors
    /// If the mode is missing, or the board is unreachable and the game refuses it in its own notation, too.
    fn of_number(&self, text: &str, mode: Option<Mode>, board: Board) -> Result<Position, NotationError> {
        match mode {
            Some(mode) => Ok(Position::new(mode, board)),
            None if self.rules().modes().len() == 1 => Ok(Position::of(board)),
            None => Err(number::no_mode(self.rules(), text)),
        }
    }

    /// The canonical text of `node`. Reading the text gives `node` again, and equal nodes have equal texts.
    fn write(&self, node: Node) -> String;

    /// Appends the text that [`write`](Self::write) returns to `out`, to write many texts fast.
    fn write_to(&self, node: Node, out: &mut Vec<u8>) {
        out.extend_from_slice(self.write(node).as_bytes());
    }

    /// The text of `node` where the player to move leads by `lead` points. Reading the text gives `node` and `lead` again.
    fn write_with_lead(&self, node: Node, lead: i32) -> String {
        lead::written(self.rules(), node, self.write(node), lead)
    }

    /// What one calls the points of this game: `boxes`, `discs`, or `points`.
    fn unit(&self) -> &str {
        "points"
    }

    /// Where the pieces lie that count as points, if not all of them lie where players expect points: `in houses and store`.
    fn counted(&self) -> Option<&str> {
        None
    }

    /// Returns whether the players play for the fewest points. The rules then count points with the opposite sign, so that scores are
    /// always for the most.
    fn counts_fewest(&self) -> bool {
        false
    }

    /// The names of the players, the one who begins first, in a game in which positions do not say who is to move.
    fn named_players(&self) -> Option<&[String; 2]> {
        None
    }

    /// The names of the two sides, if the game names them.
    fn sides(&self) -> Option<[String; 2]> {
        self.scene().sides
    }

    /// The title of the game with the size of its board, for headings: `Hex, 3×3`. By default it is made from the family and
    /// its parameters.
    fn title(&self) -> String {
        let Descriptor { family: name, parameters } = self.descriptor();
        let Ok(family) = family(&name) else { return self.rules().name().into() };
        let default = |name: &str| family.parameters.iter().find(|spec| spec.name == name)?.default;
        let settings = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str(), default(name)));
        title::with_settings(family.title, settings)
    }

    /// The positions that a table of this game holds; `None` if the solver decides by size.
    fn coverage(&self) -> Option<Coverage> {
        None
    }

    /// The roots of a sparse table, if they differ from the start positions of the rules; otherwise empty.
    fn roots(&self) -> Vec<Position> {
        Vec::new()
    }

    /// The text of the rules file that defines the game, if one does.
    fn rules_file(&self) -> Option<&str> {
        None
    }

    /// The parts of the game that have names.
    fn parts(&self) -> &[GamePart] {
        &[]
    }

    /// What this game is a part of, if it is a part of a game.
    fn part(&self) -> Option<PartName<'_>> {
        None
    }

    /// The part of the game that answers texts itself, if the game has more positions than its rules.
    fn off_table(&self) -> Option<&dyn OffTable> {
        None
    }

    /// The text of the move from `from` to `to`.
    fn write_move(&self, from: Node, to: Position) -> String;

    /// Other texts that people may write for the move that [`write_move`](Self::write_move) calls `text`. If such a
    /// text is also the text of another move, it means that other move.
    fn other_names(&self, text: &str) -> Vec<String> {
        let _ = text;
        Vec::new()
    }

    /// A drawing of `node`, in one line or several, without a line end after the last.
    fn draw(&self, node: Node) -> String;

    /// The signs of the two colours in drawings, if the game has two colours.
    fn colours(&self) -> Option<[char; 2]> {
        None
    }

    /// The sets of cells that a player may click to choose `m`.
    fn pointed_at(&self, m: &crate::rules::Move) -> Vec<Board> {
        vec![m.own()]
    }

    /// A drawing of the move from `from` to `to`, with the same number of lines as [`draw`](Self::draw). `None` if a
    /// drawing would say no more than the move's text.
    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        let _ = (from, to);
        None
    }

    /// The layout of the board's places for drawing. By default the cells are drawn in a row.
    fn scene(&self) -> Scene {
        Scene::of_cells(self.rules())
    }

    /// The outcome class of the start, in a game of two sides in which either side may begin. `None` in any other game,
    /// if `look_up` does not know both outcomes, and if one of them is a draw.
    fn outcome_class(&self, look_up: &mut dyn FnMut(Position) -> Option<Outcome>) -> Option<OutcomeClass> {
        let Node::At(start) = self.rules().start_node() else { return None };
        let [first, second] = self.either_side(start)?;
        OutcomeClass::of(look_up(first)?, look_up(second)?)
    }

    /// The board of `position` with each side to move, the first side first, in a game of two sides in which either
    /// side may begin. `None` in any other game.
    fn either_side(&self, position: Position) -> Option<[Position; 2]> {
        let _ = position;
        None
    }

    /// Returns whether the game is partisan: two sides take turns, and each has moves of its own.
    fn is_partisan(&self) -> bool {
        false
    }

    /// Returns whether the rules describe a smaller game, which shares the outcomes but no other label.
    fn is_reduced(&self) -> bool {
        false
    }

    /// The reason why `label` is undefined in this game; `None` if it is defined.
    fn undefined(&self, label: LabelKind) -> Option<Undefined> {
        if label == Outcome::KIND {
            None
        } else if self.is_reduced() {
            Some(Undefined::Reduced)
        } else if label.about().impartial && self.is_partisan() {
            Some(Undefined::Partisan)
        } else {
            label.undefined_by(self.rules())
        }
    }

    /// The labels that are defined in this game.
    fn labels(&self) -> LabelSet {
        LabelSet::ALL.iter().filter(|&label| self.undefined(label).is_none()).collect()
    }

    /// The labels that a table gets if nobody names labels: all but misère nimbers, which few users need. A game that counts points has
    /// scores.
    fn usual_labels(&self) -> LabelSet {
        let labels = self.labels();
        if labels.contains(LabelKind::Score) { labels.usual().with(LabelKind::Score) } else { labels.usual() }
    }

    /// The names of the player to move at `node` and of the opponent, if the position determines them.
    fn players(&self, node: Node) -> Option<[String; 2]> {
        let _ = node;
        None
    }

    /// The pieces that each side still has in hand at `node`, the first side first. `None` in a game without a hand.
    fn in_hand(&self, node: Node) -> Option<[u32; 2]> {
        let _ = node;
        None
    }

    /// Remarks on `node` beyond its outcome, one per line. `outcome` is for the player to move.
    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        let _ = (node, outcome);
        Vec::new()
    }
}

/// The positions of the rules that a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coverage {
    /// Every board in every mode.
    Every,
    /// The reachable positions.
    Reachable,
}

/// The game of a table. If the descriptor still gives exactly the table's rules, this is the described game. Otherwise
/// (for custom rules, or the rules of a later version) it is [`Plain`], which writes bare boards and modes.
#[must_use]
pub fn of_table(rules: &Rules, descriptor: &Descriptor) -> Box<dyn Game> {
    if let Some(game) = FileGame::of_descriptor(descriptor).filter(|game| game.rules() == rules) {
        return Box::new(game);
    }
    if let Some(part) = PartGame::of_descriptor(rules, descriptor) {
        return Box::new(part);
    }
    if let Some(game) = OnGrid::of_descriptor(rules, descriptor) {
        return Box::new(game);
    }
    // No family writes more parameters than it has. A forged list may be very long, so it is rejected before it is
    // copied.
    let fits = |family: &&Family| family.parameters.len() >= descriptor.parameters.len();
    let made = family(&descriptor.family).ok().filter(fits).map(|family| {
        let parameters = Parameters::from(descriptor.parameters.clone());
        family.make(&parameters)
    });
    match made {
        Some(Ok(game)) if game.rules() == rules => game,
        _ => Box::new(Plain::new(rules.clone(), descriptor.clone())),
    }
}

/// The position at `node`; before an opening, the first mode with an empty board.
fn position_of(node: Node) -> Position {
    match node {
        Node::Opening => Position::default(),
        Node::At(position) => position,
    }
}

/// The winner of a position with `outcome`: the player to move, or the other one.
fn winner<T>(outcome: Outcome, [mover, other]: [T; 2]) -> Option<T> {
    match outcome {
        Outcome::Win => Some(mover),
        Outcome::Loss => Some(other),
        Outcome::Draw => None,
    }
}

/// The text with its two parts swapped: `b-a` for `a-b`.
fn turned(text: &str) -> Option<String> {
    let (first, last) = text.split_once('-').filter(|(_, last)| !last.contains('-'))?;
    Some(format!("{last}-{first}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_list_of_parameters_is_kept_but_not_used() {
        let family = &FAMILIES[0];
        let game = family.make(&Parameters::new()).unwrap();
        let parameters = (0..200_000).map(|number| (number.to_string(), String::new())).collect();
        let forged = Descriptor { family: family.name.into(), parameters };
        let found = of_table(game.rules(), &forged);
        assert_eq!((found.rules(), found.descriptor()), (game.rules(), forged));
    }
}
