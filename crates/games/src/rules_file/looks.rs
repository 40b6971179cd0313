//! Reading `[looks]`: the surface of the board, the pieces and their colours.

use super::error::Read;
use super::source::{Item, Keys};
use super::squares::{Setup, Squares};
use crate::rules::Rules;
use crate::scene::{Border, Colour, Looks, Piece, Surface, colour_of_side};

const KEYS: [&str; 5] = ["board", "pieces", "colours", "borders", "paint"];

/// The looks that a file gives. The surface is `None` if it depends on the rules.
pub(super) struct FileLooks {
    looks: Looks,
    surface: Option<Surface>,
}

/// Reads `[looks]`. `sides` are the names of the two sides.
pub(super) fn read(item: Option<Item<'_>>, setup: Setup<'_>, sides: Option<&[String; 2]>) -> Read<FileLooks> {
    let squares = setup.squares;
    let mut looks = Looks::of_signs(&squares.marks);
    if let Some([Some(first), Some(second)]) = sides.map(|names| [0, 1].map(|side| colour_of_side(&names[side]))) {
        looks.colours = [first, second];
    }
    let Some(item) = item else { return Ok(FileLooks { looks, surface: None }) };
    let mut keys = item.keys("[looks]", &[&KEYS])?;
    let surface = match keys.take("board") {
        Some(item) => Some(surface(item, squares)?),
        None => None,
    };
    if let Some(item) = keys.take("pieces") {
        let listed = if item.is_list() { item.list("a list of pieces")? } else { vec![item] };
        let names: Vec<Piece> =
            listed.iter().map(|item| Ok(Piece::ALL[item.word(Piece::NAMES)?])).collect::<Read<_>>()?;
        looks.pieces = match names[..] {
            [all] => [all, all, looks.pieces[2]],
            [first, second] => [first, second, looks.pieces[2]],
            [first, second, both] => [first, second, both],
            _ => return Err(item.found("one to three pieces", names.len().to_string())),
        };
    }
    if let Some(item) = keys.take("colours") {
        let listed = item.list("a list of two colours")?;
        let [first, second] = listed[..] else {
            return Err(item.found("a list of two colours", listed.len().to_string()));
        };
        looks.colours = [Colour::ALL[first.word(Colour::NAMES)?], Colour::ALL[second.word(Colour::NAMES)?]];
    }
    if let Some(item) = keys.take("borders") {
        looks.borders = borders(item, sides)?;
    }
    if let Some(item) = keys.take("paint") {
        looks.paint = paint(item, setup)?;
    }
    Ok(FileLooks { looks, surface })
}

/// The surface that `item` names, if the board can have it.
fn surface(item: Item<'_>, squares: &Squares) -> Read<Surface> {
    let surface = Surface::ALL[item.word(Surface::NAMES)?];
    // Vertices may be drawn as points, but lines are lines.
    let is_drawn = match surface {
        Surface::Squares => true,
        Surface::Points => squares.between().is_none(),
        _ => squares.between().is_none() && !squares.is_graph(),
    };
    if !is_drawn {
        let expected = if squares.between().is_some() { "" } else { " or `\"points\"`" };
        return Err(item.found(format!("`board = \"squares\"`{expected} on a graph"), format!("{:?}", surface.name())));
    }
    if surface == Surface::Dots && !squares.are_between_dots() {
        let expected = "an odd number of rows and columns, and squares only between the dots,";
        return Err(item.found(expected, "another board"));
    }
    Ok(surface)
}

/// The edges of the board that belong to each side.
fn borders(item: Item<'_>, sides: Option<&[String; 2]>) -> Read<[Vec<Border>; 2]> {
    let Some(sides) = sides else { return Err(item.found("`borders` together with `sides`", "no `sides`")) };
    let mut borders = [Vec::new(), Vec::new()];
    let keys: Keys<'_> = item.any_keys("borders")?;
    for (name, item) in keys.rest() {
        let Some(side) = sides.iter().position(|side| side == name) else {
            return Err(item.clash(&format!("{} or {} in `borders`", sides[0], sides[1]), &format!("{name:?}")));
        };
        for item in item.list("a list of edges")? {
            borders[side].push(Border::ALL[item.word(Border::NAMES)?]);
        }
    }
    Ok(borders)
}

/// The colour of each square.
fn paint(item: Item<'_>, setup: Setup<'_>) -> Read<Vec<Option<Colour>>> {
    let mut paint = vec![None; setup.squares.all().len()];
    for (name, item) in item.any_keys("paint")?.rest() {
        let Some(colour) = Colour::named(name) else {
            let expected = format!("one of the colours {} in `paint`", Colour::NAMES.join(", "));
            return Err(item.clash(&expected, &format!("{name:?}")));
        };
        for square in setup.choose(item)? {
            if let Some(place) = setup.squares.place(square) {
                paint[place] = Some(colour);
            }
        }
    }
    Ok(paint)
}

impl FileLooks {
    /// The looks, of a game in which pieces fall down or not.
    pub(super) fn settle(self, falls_down: bool) -> Looks {
        let usual = if falls_down { Surface::Rack } else { Surface::Squares };
        Looks { surface: self.surface.unwrap_or(usual), ..self.looks }
    }
}

/// The lines of a board of points, as pairs of places. They join the square that a piece leaves and the square where it
/// arrives, in moves that change no other square; if pieces stay where they are put, they join neighbours.
pub(super) fn lines(rules: &Rules, squares: &Squares) -> Vec<[usize; 2]> {
    let place = |board| match squares.touched(board)[..] {
        [square] => squares.place(square),
        _ => None,
    };
    let mut lines: Vec<[usize; 2]> = rules
        .moves()
        .iter()
        .filter(|m| !m.clears.is_empty())
        .filter_map(|m| {
            let (from, to) = (place(m.clears)?, place(m.fills)?);
            (from != to).then(|| [from.min(to), from.max(to)])
        })
        .collect();
    if lines.is_empty() {
        // Where pieces stay, as in Go, lines join neighbours.
        let beside = |square: usize| squares.neighbours(square).into_iter().map(move |other| [square, other]);
        let joined = squares.all().iter().flat_map(|&square| beside(square)).filter(|[a, b]| a < b);
        lines = joined.filter_map(|[a, b]| Some([squares.place(a)?, squares.place(b)?])).collect();
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileGame, Layout, Parameters, bundled};

    fn scene(name: &str) -> crate::Scene {
        bundled(name, &Parameters::new()).unwrap().unwrap().scene()
    }

    #[test]
    fn looks_follow_from_the_rules_unless_the_file_gives_them() {
        let falling = scene("connect-four").looks;
        assert_eq!((falling.surface, falling.colours), (Surface::Rack, [Colour::Red, Colour::Yellow]));
        let sides = scene("domineering").looks;
        assert_eq!((sides.pieces[0], sides.colours), (Piece::Blocks, [Colour::Blue, Colour::Red]));
        assert_eq!(scene("konane").looks.colours, [Colour::Black, Colour::White]);
        assert_eq!(scene("hex").looks.borders, [vec![Border::Top, Border::Bottom], vec![Border::Left, Border::Right]]);
        let picture = scene("hackenbush");
        assert_eq!(picture.looks.paint[..2], [Some(Colour::Blue), Some(Colour::Red)]);
        let ground: Vec<&str> = picture.ground.iter().map(|&point| picture.vertices[point].name.as_str()).collect();
        assert_eq!(ground, ["west", "east", "root", "bed"]);
    }

    #[test]
    fn lines_join_the_points_between_which_pieces_move() {
        // The rows, the columns and the two diagonals of three by three points.
        assert_eq!(scene("achi").lines.len(), 6 + 6 + 4);
        // Stones of Go stay where they are put.
        assert_eq!(scene("capture-go").lines.len(), 6 + 6);
        // Two squares, one in the other, and four lines between them.
        assert_eq!(scene("six-mens-morris").lines.len(), 8 + 8 + 4);
        // Three squares, with two lines between each pair of middles.
        let nine = Parameters::new().with("rings", 3);
        assert_eq!(bundled("six-mens-morris", &nine).unwrap().unwrap().scene().lines.len(), 8 + 8 + 8 + 8);
    }

    #[test]
    fn boxes_lie_between_dots() {
        let scene = scene("dots-and-boxes");
        assert_eq!(
            (scene.layout, scene.places.len(), scene.vertices.len(), scene.size),
            (Layout::Edges, 12, 9, [3.0; 2])
        );
        assert_eq!((scene.areas.len(), scene.areas[3].at), (4, [2.0, 2.0]));
        assert_eq!((scene.places[2].name.as_str(), scene.places[2].ends), ("a2", Some([0, 3])));
    }

    #[test]
    fn mistakes_name_their_line() {
        let error = |board: &str, looks: &str| {
            let text = format!(
                "name = \"x\"\nsides = [\"a\", \"b\"]\nboard = {board}\nmove = [{{ shape = \"X\" }}]\nlooks = {looks}\n"
            );
            FileGame::read(&text, &Parameters::new()).unwrap_err().to_string()
        };
        let grid = "{ rows = 3, cols = 3 }";
        for (board, looks, expected) in [
            (grid, "{ board = \"dots\" }", "squares only between the dots"),
            (grid, "{ pieces = \"stones\" }", "\"discs\""),
            (grid, "{ colours = [\"red\"] }", "a list of two colours"),
            (grid, "{ borders = { c = [\"top\"] } }", "a or b in `borders`"),
            (grid, "{ paint = { pink = [\"a1\"] } }", "one of the colours plain, white"),
            (grid, "{ board = \"points\", colour = 1 }", "did you mean colours?"),
            ("{ edges = [\"u v\"] }", "{ board = \"rack\" }", "`board = \"squares\"` or `\"points\"` on a graph"),
            ("{ row = 1, between = [\"u v\"] }", "{ board = \"points\" }", "`board = \"squares\"` on a graph"),
        ] {
            let found = error(board, looks);
            assert!(found.contains("line 5") && found.contains(expected), "{looks}: {found}");
        }
    }
}
