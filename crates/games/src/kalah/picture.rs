//! The board of Kalah as places for drawing.

use super::pits::Pits;
use crate::rules::Rules;
use crate::scene::{Colour, Layout, Looks, Piece, Scene, ScenePlace};
use crate::side::{SIDES, Side};

/// The distance between two pits, in squares.
const GAP: f64 = 0.5;

/// The board as it lies on the table. A pit is a block of squares, one for each seed that it may have.
pub(super) fn scene(pits: Pits, rules: &Rules) -> Scene {
    let total = pits.total();
    let width = (1..=total).find(|width| width * width >= total).unwrap_or(1);
    let height = total.div_ceil(width);
    let store_width = total.div_ceil(2 * height);
    let [block, tall, store] = [width, height, store_width].map(f64::from);
    let column = |house: u32| store + GAP + f64::from(house) * (block + GAP);
    let right = column(pits.houses);
    let size = [right + store, 2.0 * tall + GAP];
    let mut places = Vec::new();
    let mut add = |pit: u32, name: &str, [left, top]: [f64; 2], width: u32| {
        places.extend((0..total).map(|seed| {
            let at = [left + f64::from(seed % width) + 0.5, top + f64::from(seed / width) + 0.5];
            ScenePlace { name: format!("{name} {}", seed + 1), cells: vec![pits.cell(pit, seed)], at, ends: None }
        }));
    };
    let stores = SIDES.map(|side| (pits.store_of(side), format!("{} store", side.name())));
    let [(first, first_name), (second, second_name)] = &stores;
    // The squares of a store leave the same room above and below.
    let above = (size[1] - f64::from(total.div_ceil(store_width))) / 2.0;
    add(*second, second_name, [0.0, above], store_width);
    for (at, house) in (0..).zip(pits.houses_of(Side::Second).rev()) {
        add(house, &pits.name(house), [column(at), 0.0], width);
    }
    for (at, house) in (0..).zip(pits.houses_of(Side::First)) {
        add(house, &pits.name(house), [column(at), tall + GAP], width);
    }
    add(*first, first_name, [right, above], store_width);
    let looks = Looks { pieces: [Piece::Discs; 3], colours: [Colour::Brown; 2], ..Looks::of_signs(&['X']) };
    let sides = Some(SIDES.map(|side| side.name().into()));
    Scene { layout: Layout::Squares, size, places, sides, looks, ..Scene::of_cells(rules) }
}

#[cfg(test)]
mod tests {
    use super::super::Kalah;
    use super::*;
    use crate::Game;
    use crate::rules::Board;

    #[test]
    fn each_cell_has_a_square_of_its_own() {
        for (houses, seeds) in [(3, 2), (2, 5), (1, 16), (5, 1), (1, 1)] {
            let game = Kalah::new(houses, seeds).unwrap();
            let (pits, scene) = (game.pits, game.scene());
            let cells: Board = scene.places.iter().map(|place| place.cells[0]).collect();
            assert_eq!((Some(scene.places.len() as u32), Some(cells.count())), (pits.cells(), pits.cells()));
            for (number, place) in scene.places.iter().enumerate() {
                let fits = [0, 1].map(|axis| place.at[axis] >= 0.5 && place.at[axis] + 0.5 <= scene.size[axis]);
                assert_eq!(fits, [true; 2], "{}", place.name);
                let is_near =
                    |other: &ScenePlace| [0, 1].iter().all(|&axis| (place.at[axis] - other.at[axis]).abs() < 1.0);
                assert_eq!(scene.places[number + 1..].iter().find(|other| is_near(other)), None, "{}", place.name);
            }
        }
    }
}
