//! The board of Kalah as places for drawing.

use super::pits::Pits;
use crate::rules::Rules;
use crate::scene::{Area, Colour, Layout, Looks, Piece, Scene, ScenePlace, rounded};
use crate::side::{SIDES, Side};

/// The distance between two pits, in squares.
const GAP: f64 = 0.5;
/// The room in a pit above its seeds, for their number, and below, for its name.
const LINE: f64 = 1.1;
/// The room in a pit to the left and right of its seeds.
const MARGIN: f64 = 0.25;

/// The board as it lies on the table. A pit has a square for each seed that it may have.
pub(super) fn scene(pits: Pits, rules: &Rules) -> Scene {
    let total = pits.total();
    let width = (1..=total).find(|width| width * width >= total).unwrap_or(1);
    let height = total.div_ceil(width);
    let store_width = total.div_ceil(2 * height);
    let [block, store] = [width, store_width].map(|width| f64::from(width.max(2)) + 2.0 * MARGIN);
    let tall = f64::from(height) + 2.0 * LINE;
    let column = |house: u32| store + GAP + f64::from(house) * (block + GAP);
    let right = column(pits.houses);
    let size = [right + store, 2.0 * tall + GAP];
    let (mut places, mut areas) = (Vec::new(), Vec::new());
    // Seeds lie in rows of `width` from the middle of the pit's top line.
    let mut add = |pit: u32, name: String, [left, top]: [f64; 2], size: [f64; 2], width: u32| {
        let first = places.len();
        let before = left + (size[0] - f64::from(width)) / 2.0;
        let above = top + (size[1] - f64::from(total.div_ceil(width))) / 2.0;
        places.extend((0..total).map(|seed| {
            let at = [before + f64::from(seed % width) + 0.5, above + f64::from(seed / width) + 0.5].map(rounded);
            ScenePlace { name: format!("{name} {}", seed + 1), cells: vec![pits.cell(pit, seed)], at, ends: None }
        }));
        let at = [left + size[0] / 2.0, top + size[1] / 2.0].map(rounded);
        areas.push((pit, Area { places: (first..places.len()).collect(), at, size: size.map(rounded), name }));
    };
    let [(first, first_name), (second, second_name)] = SIDES.map(|side| (pits.store_of(side), side.name().to_owned()));
    add(second, second_name, [0.0, 0.0], [store, size[1]], store_width);
    for (at, house) in (0..).zip(pits.houses_of(Side::Second).rev()) {
        add(house, pits.name(house), [column(at), 0.0], [block, tall], width);
    }
    for (at, house) in (0..).zip(pits.houses_of(Side::First)) {
        add(house, pits.name(house), [column(at), tall + GAP], [block, tall], width);
    }
    add(first, first_name, [right, 0.0], [store, size[1]], store_width);
    // The text of a position counts the pits in this order.
    areas.sort_by_key(|(pit, _)| *pit);
    let areas = areas.into_iter().map(|(_, area)| area).collect();
    let looks = Looks { pieces: [Piece::Discs; 3], colours: [Colour::Brown; 2], ..Looks::of_signs(&['X']) };
    let sides = Some(SIDES.map(|side| side.name().into()));
    Scene { layout: Layout::Squares, size: size.map(rounded), places, areas, sides, looks, ..Scene::of_cells(rules) }
}

#[cfg(test)]
mod tests {
    use super::super::Kalah;
    use super::*;
    use crate::Game;
    use crate::rules::Board;

    #[test]
    fn each_cell_has_a_square_of_its_own() {
        for (houses, seeds) in [(3, 2), (2, 5), (1, 15), (5, 1), (1, 1)] {
            let game = Kalah::new(houses, seeds).unwrap();
            let (pits, scene) = (game.pits, game.scene());
            let cells: Board = scene.places.iter().map(|place| place.cells[0]).collect();
            assert_eq!((Some(scene.places.len() as u32), Some(cells.count())), (pits.cells(), pits.cells()));
            let mut in_pits: Vec<usize> = scene.areas.iter().flat_map(|pit| pit.places.iter().copied()).collect();
            in_pits.sort_unstable();
            assert_eq!(in_pits, (0..scene.places.len()).collect::<Vec<_>>());
            assert_eq!(scene.areas[houses as usize].name, "first", "the store lies where the text has it");
            for (number, place) in scene.places.iter().enumerate() {
                let fits = [0, 1].map(|axis| place.at[axis] >= 0.5 && place.at[axis] + 0.5 <= scene.size[axis]);
                assert_eq!(fits, [true; 2], "{}", place.name);
                let is_near =
                    |other: &ScenePlace| [0, 1].iter().all(|&axis| (place.at[axis] - other.at[axis]).abs() < 0.99);
                assert_eq!(scene.places[number + 1..].iter().find(|other| is_near(other)), None, "{}", place.name);
            }
        }
    }
}
