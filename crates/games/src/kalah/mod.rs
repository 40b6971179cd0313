//! Kalah: a game of the mancala family, in which the players sow seeds around the board.
//!
//! A pit holds several seeds, and a cell is filled or not. A row of cells therefore counts the seeds of a pit.

mod notation;
mod picture;
mod pits;
mod rules;

use super::number::no_mode;
use super::{
    Coverage, Family, Game, GameError, Kind, Notation, NotationError, ParameterSpec, Parameters, Reading, Scene,
    position_of, winner,
};
use crate::rules::{Board, Descriptor, MAX_MOVES, Mode, Move, Node, Outcome, Position, Rules};
use crate::side::{SIDES, Side};
use pits::{MOST_CELLS, Pits};

/// The family of Kalah.
pub(super) const FAMILY: Family = Family {
    name: "kalah",
    title: "Kalah",
    rules_name: "kalah-{houses}x{seeds}",
    kind: Kind::Move,
    also: &["Mancala", "Kalaha"],
    summary: "sow the seeds of a house around the board; the player who collects more seeds in the store wins",
    rules: "Each player has a row of houses with seeds, and a store. A player takes all seeds of one of their houses and sows \
            them one by one counterclockwise: into their next houses, their store, the other player's houses and their own \
            first house. The other player's store gets none. If the last seed falls into the store, the player moves again. \
            If it falls into an empty house of the player and the opposite house has seeds, that seed and all seeds of the \
            opposite house go to the player's store. The game is over when the houses of one player are empty. The seeds in \
            the other player's houses then count for that player, and more seeds win.",
    notation: "the seeds in the houses in the order of sowing and in the store, first player/second player, 2,2,2:0/2,2,2:0 first",
    example: "2,0,3:1/2,2,2:0 first",
    parameters: &[
        ParameterSpec::number("houses", "3", "houses of each player"),
        ParameterSpec::number(
            "seeds",
            "2",
            "seeds in each house at the start, with 1 to 5 houses at most 15, 5, 2, 1 and 1",
        ),
    ],
    variants: &["houses=2,seeds=3", "houses=4,seeds=1", "houses=1,seeds=6"],
    large: &[],
    read_file_parameters: None,
    make: |parameters| Ok(Box::new(Kalah::from_parameters(parameters)?)),
};

/// Kalah, with any number of houses and seeds that fits on a board of 126 cells.
///
/// A player takes all seeds of one of their houses and sows them one by one counterclockwise: into their next houses, their
/// store, the other player's houses, and again their own first house, but never into the other player's store. If the last
/// seed falls into their store, they move again. If it falls into an empty house of theirs and the opposite house has
/// seeds, that seed and all seeds of the opposite house go to their store. The game is over when the houses of a player are
/// empty, even in the middle of a turn. The seeds in the houses of the other player then count for that player. The
/// player with more seeds wins.
///
/// ```text
///      f  e  d
///      2  2  2       2,0,3:1/2,2,2:0 first: the last seed of b fell into the store, so the first
///   0           1    player moves again. The last seed of a falls into c, the third of c into e.
///      2  0  3
///      a  b  c
/// ```
///
/// ```
/// # mod tablegen { pub use tablegen_labels as label; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
/// use tablegen::game::{Game, Kalah};
///
/// let game = Kalah::new(3, 2)?;
/// let start = game.rules().start_positions()[0];
/// let after: Vec<_> = game.rules().moves_from(start).map(|m| game.write(m.play(start).into())).collect();
/// assert_eq!(after, ["0,3,3:0/2,2,2:0 second", "2,0,3:1/2,2,2:0 first", "2,2,0:1/3,2,2:0 second"]);
/// # Ok::<(), tablegen::game::GameError>(())
/// ```
pub struct Kalah {
    pits: Pits,
    rules: Rules,
}

impl Kalah {
    /// The game with this many houses for each player and seeds in each house.
    ///
    /// # Errors
    /// If a number is zero, or the game is too large for a board of 126 cells.
    pub fn new(houses: u32, seeds: u32) -> Result<Self, GameError> {
        Self::from_parameters(&Parameters::new().with("houses", houses).with("seeds", seeds))
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, GameError> {
        let houses = parameters.number("houses", 3, 1..=u32::MAX)?;
        let seeds = parameters.number("seeds", 2, 1..=u32::MAX)?;
        let pits = Pits { houses, seeds };
        let too_large = |what: String, limit: String| GameError::TooLarge { what, limit };
        let Some(cells) = pits.cells() else {
            let fits = pits.largest_below();
            let (all, pits) = (2 * u128::from(houses) * u128::from(seeds), 2 * u128::from(houses) + 2);
            let what = format!("a board of {pits} pits that hold up to {all} seeds each has {} cells", pits * all);
            let houses = if fits.houses == 1 { "1 house".into() } else { format!("{} houses", fits.houses) };
            let seeds = if fits.seeds == 1 { "1 seed".into() } else { format!("{} seeds", fits.seeds) };
            let fit = if fits.houses == 1 { "fits" } else { "fit" };
            let fits = format!("{houses} with {seeds} each {fit}");
            return Err(too_large(what, format!("{MOST_CELLS} cells; {fits}")));
        };
        let spec = rules::rules(pits, cells, format!("kalah-{houses}x{seeds}"));
        if spec.moves.len() > MAX_MOVES {
            let what = format!("a board of {houses} houses with {seeds} seeds has more moves than rules may have");
            return Err(too_large(what, format!("{MAX_MOVES} moves")));
        }
        Ok(Self { pits, rules: spec.build()? })
    }

    /// The house that a move from `from` to `to` sows: the only house of the player to move that loses seeds.
    fn sown(&self, from: Position, to: Position) -> Option<u32> {
        let loses = |house: &u32| self.pits.seeds_in(to.board, *house) < self.pits.seeds_in(from.board, *house);
        self.pits.houses_of(Side::of_mode(from.mode)).find(loses)
    }

    /// The seeds of `side` at the end of the game, if it were over.
    fn seeds_of(&self, side: Side, board: Board) -> u32 {
        (board & self.pits.cells_of(side)).count()
    }
}

impl Game for Kalah {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn is_partisan(&self) -> bool {
        true
    }

    fn notations(&self) -> &[Notation] {
        &[Notation::Pits]
    }

    /// The number of the house, counted from 1 for each player.
    fn other_names(&self, text: &str) -> Vec<String> {
        let houses = SIDES.into_iter().flat_map(|side| (1..).zip(self.pits.houses_of(side)));
        let called = |(_, house): &(u32, u32)| self.pits.name(*house) == text;
        houses.filter(called).map(|(number, _)| number.to_string()).collect()
    }

    /// Most boards have no meaning: their rows have gaps, or seeds are missing.
    fn coverage(&self) -> Option<Coverage> {
        Some(Coverage::Reachable)
    }

    fn descriptor(&self) -> Descriptor {
        Parameters::new().with("houses", self.pits.houses).with("seeds", self.pits.seeds).describing(FAMILY.name)
    }

    fn title(&self) -> String {
        let Pits { houses, seeds } = self.pits;
        let many = if houses == 1 { "" } else { "s" };
        format!("{}, {houses} house{many} of {seeds}", FAMILY.title)
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        Ok(notation::read(self.pits, text).map_err(|fault| fault.about(text))?.into())
    }

    fn of_number(&self, text: &str, mode: Option<Mode>, board: Board) -> Result<Position, NotationError> {
        notation::check(self.pits, board).map_err(|fault| fault.about(text))?;
        Ok(Position::new(mode.ok_or_else(|| no_mode(&self.rules, text))?, board))
    }

    fn write(&self, node: Node) -> String {
        notation::write(self.pits, position_of(node))
    }

    /// The name of the house.
    fn write_move(&self, from: Node, to: Position) -> String {
        self.sown(position_of(from), to).map_or_else(|| self.write(to.into()), |house| self.pits.name(house))
    }

    fn draw(&self, node: Node) -> String {
        notation::draw(self.pits, position_of(node).board)
    }

    fn draw_move(&self, _: Node, to: Position) -> Option<String> {
        Some(self.draw(to.into()))
    }

    /// The seeds that leave the house.
    fn pointed_at(&self, m: &Move) -> Vec<Board> {
        vec![m.clears & self.pits.cells_of_houses(Side::of_mode(m.mode))]
    }

    fn scene(&self) -> Scene {
        picture::scene(self.pits, &self.rules)
    }

    fn unit(&self) -> &'static str {
        "seeds"
    }

    fn counted(&self) -> Option<&str> {
        Some("in houses and store")
    }

    fn players(&self, node: Node) -> Option<[String; 2]> {
        let mover = Side::of_mode(position_of(node).mode);
        Some([mover, mover.other()].map(|side| side.name().into()))
    }

    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        let position = position_of(node);
        let mover = Side::of_mode(position.mode);
        let winner = winner(outcome, [mover, mover.other()]);
        let is_over = self.rules.moves_from(position).next().is_none();
        let turn = if is_over {
            let [first, second] = SIDES.map(|side| self.seeds_of(side, position.board));
            format!("first has {first} seeds, second has {second}: the game is over")
        } else {
            format!("it is {}'s turn", mover.name())
        };
        winner.map(|side| format!("{} wins", side.name())).into_iter().chain([turn]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_position;
    use super::*;

    fn game(houses: u32, seeds: u32) -> Kalah {
        Kalah::new(houses, seeds).unwrap()
    }

    #[test]
    fn sizes_that_are_refused() {
        let refusal = |houses, seeds| Kalah::new(houses, seeds).err().expect("refused").to_string();
        let large = "a board of 8 pits that hold up to 18 seeds each has 144 cells: the limit is 126 cells; 3 houses with 2 seeds each fit";
        assert_eq!(refusal(3, 3), large);
        assert!(refusal(u32::MAX, u32::MAX).ends_with("the limit is 126 cells; 5 houses with 1 seed each fit"));
        assert!(refusal(1, 16).ends_with("; 1 house with 15 seeds each fits"));
        assert!(refusal(0, 1).contains("houses: expected a whole number of at least 1, found \"0\""));
        assert!(refusal(1, 0).contains("seeds: expected"));
    }

    #[test]
    fn the_help_has_the_largest_sizes() {
        let most = |houses| (1..20).rev().find(|&seeds| Kalah::new(houses, seeds).is_ok());
        assert_eq!([1, 2, 3, 4, 5, 6].map(most), [Some(15), Some(5), Some(2), Some(1), Some(1), None]);
        assert!(FAMILY.parameters[1].help.ends_with("with 1 to 5 houses at most 15, 5, 2, 1 and 1"));
    }

    #[test]
    fn every_size_that_fits_has_levels() {
        let sizes = (1..=5).flat_map(|houses| (1..=16).map(move |seeds| Pits { houses, seeds }));
        let sizes: Vec<Pits> = sizes.filter(|pits| pits.cells().is_some()).collect();
        assert_eq!(sizes.len(), 15 + 5 + 2 + 1 + 1);
        for Pits { houses, seeds } in sizes {
            let game = game(houses, seeds);
            assert_eq!(game.rules().name(), format!("kalah-{houses}x{seeds}"));
            let potential = game.rules().potential();
            assert!(potential.is_some_and(|found| found.most() < 2_000), "{houses} {seeds}");
        }
    }

    #[test]
    fn errors_and_board_numbers() {
        let game = game(1, 1);
        let read = |text: &str| read_position(&game, text).map(|reading| game.write(reading.node));
        let refusal = |text: &str| read(text).unwrap_err().to_string();
        assert!(
            refusal("1:0/1:1").starts_with("\"1:0/1:1\" is not a position: expected 2 seeds in all, found 3"),
            "the text after the last colon is not a board number"
        );
        // Two cells for each of the pits a, first, b, second.
        assert_eq!(read("first:0b10001000").unwrap(), "1:0/1:0 first");
        assert_eq!(read("second:0b00101000").unwrap(), "0:1/1:0 second");
        assert!(refusal("first:0b01001000").contains("a number that stands for no board"));
        assert!(refusal("first:0").contains("expected 2 seeds in all, found 0"));
        assert!(refusal("0b10001000").contains("a mode before the number, one of first:0b10001000"));
    }

    #[test]
    fn moves_drawings_and_remarks() {
        let game = game(3, 2);
        let at = |text: &str| game.read(text).unwrap().node;
        let moves = |text: &str| {
            let Node::At(from) = at(text) else { panic!("a position") };
            let of = |m: Move| {
                let seeds = game.pointed_at(&m).into_iter().map(Board::count).sum::<u32>();
                format!("{} {} {seeds}", game.write_move(from.into(), m.play(from)), game.write(m.play(from).into()))
            };
            game.rules().moves_from(from).map(of).collect::<Vec<_>>()
        };
        // The last seed of a falls into the empty house c, opposite d.
        assert_eq!(
            moves("2,0,0:3/2,3,2:0 first"),
            ["a 0,1,0:6/0,3,2:0 second 2"],
            "the seed and those of d go to the store"
        );
        // An empty house opposite an empty house captures nothing.
        assert_eq!(moves("2,0,0:5/0,3,2:0 first"), ["a 0,1,1:5/0,3,2:0 second 2"]);
        // Seven seeds go round and end where they began. One of them reached f, and both go to the store.
        assert_eq!(moves("7,0,0:0/0,0,5:0 first"), ["a 0,1,1:8/1,1,0:0 second 7"]);
        // One more seed ends in b, which has a seed already.
        assert_eq!(moves("8,0,0:0/0,0,4:0 first"), ["a 1,2,1:1/1,1,5:0 second 7"]);
        assert_eq!(moves("0,0,0:5/1,1,1:4 second"), ["d 0,0,0:5/0,2,1:4 first 1"; 0]);
        let remarks = |text, outcome| game.remarks(at(text), outcome);
        assert_eq!(remarks("2,2,2:0/2,2,2:0", Outcome::Win), ["first wins", "it is first's turn"]);
        assert_eq!(remarks("2,2,2:0/2,2,2:0 second", Outcome::Draw), ["it is second's turn"]);
        assert_eq!(
            remarks("0,0,0:5/1,1,1:4 second", Outcome::Win),
            ["second wins", "first has 5 seeds, second has 7: the game is over"]
        );
        assert_eq!(game.title(), "Kalah, 3 houses of 2");
        let [start, after] = ["2,2,2:0/2,2,2:0", "2,0,3:1/2,2,2:0"].map(at);
        let Node::At(to) = after else { panic!("a position") };
        assert_eq!(game.draw_move(start, to), Some(game.draw(after)));
        assert_eq!(game.players(after), Some(["first", "second"].map(String::from)));
    }
}
