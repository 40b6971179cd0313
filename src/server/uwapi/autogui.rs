//! Boards and moves in the format of the client: a character for each center, and a button, a line or a text for each
//! move.

use std::collections::{HashMap, HashSet};

use serde_json::{Value as Json, json};

use crate::engine::{View, ViewMove};
use tablegen_games::{Game, Layout, Scene};

/// Images that every version of the client has, for the first and the second colour.
const IMAGES: [(char, &str); 2] = [('x', "ttt/x.svg"), ('o', "ttt/o.svg")];
/// The sound of every move. The theme defines no sounds.
const SOUND: &str = "x";

/// The layout of one game's positions for the client.
pub(super) struct Drawing {
    scene: Scene,
    /// Centers for moves that a line between two places would not show. They follow the centers of the places.
    middles: HashMap<Vec<usize>, usize>,
    centers: Vec<[f64; 2]>,
}

/// Returns whether the client can draw a board with this layout: a grid, a graph or a row.
pub(super) const fn is_drawn(layout: Layout) -> bool {
    match layout {
        Layout::Squares | Layout::Hexagons | Layout::Row | Layout::Vertices | Layout::Edges => true,
        Layout::Tiles | Layout::Words => false,
    }
}

impl Drawing {
    pub(super) fn of(game: &dyn Game) -> Self {
        let scene = game.scene();
        let mut centers: Vec<[f64; 2]> = scene.places.iter().map(|place| place.at).collect();
        let mut middles = HashMap::new();
        for m in game.rules().moves() {
            let places = scene.places_of(m.fills & m.empty);
            if places.len() > 1 && !is_straight(&scene, &places) && !middles.contains_key(&places) {
                let sum = |axis: usize| places.iter().map(|&place| scene.places[place].at[axis]).sum::<f64>();
                centers.push([0, 1].map(|axis| (sum(axis) / places.len() as f64 * 1000.0).round() / 1000.0));
                middles.insert(places, centers.len() - 1);
            }
        }
        Self { scene, middles, centers }
    }

    /// The data that the client needs to draw every position.
    pub(super) fn theme(&self) -> Json {
        let images = IMAGES.iter().take(self.scene.signs.len());
        let entities: serde_json::Map<String, Json> =
            images.map(|(sign, image)| (sign.to_string(), json!({"image": image, "scale": 0.8}))).collect();
        json!({
            "defaultTheme": "regular",
            "themes": {
                "regular": {
                    "space": self.scene.size,
                    "centers": self.centers,
                    "entities": entities,
                    // The same images under the name that newer versions of the client use.
                    "charImages": entities,
                    "circleButtonRadius": 0.2,
                    "lineWidth": 0.08,
                    "arrowWidth": 0.08,
                    "textButtonFontSize": 0.3,
                    "sounds": {},
                    "animationType": "",
                },
            },
        })
    }

    /// The drawing of a position with player `turn`, 1 or 2, to move.
    pub(super) fn position(&self, turn: u8, states: &[u8]) -> String {
        let sign = |place: usize| match states.get(place) {
            Some(1) => IMAGES[0].0,
            Some(2 | 3) => IMAGES[1].0,
            _ => '-',
        };
        format!("{turn}_{}", (0..self.centers.len()).map(sign).collect::<String>())
    }

    /// The drawings of the moves in `view`, each different from all others.
    pub(super) fn moves(&self, view: &View) -> Vec<String> {
        let mut seen = HashSet::new();
        let drawn = view.moves.iter().map(|m| {
            let drawn = self.drawn(m);
            if seen.insert(drawn.clone()) {
                return drawn;
            }
            let at = m.handles.first().and_then(|places| places.first()).copied().unwrap_or(0);
            format!("T_{}_{at}_{SOUND}", m.text.replace('_', "-"))
        });
        drawn.collect()
    }

    fn drawn(&self, m: &ViewMove) -> String {
        let places = m.handles.first().map_or(&[][..], Vec::as_slice);
        match places {
            [] => format!("T_{}_0_{SOUND}", m.text.replace('_', "-")),
            [place] => format!("A_-_{place}_{SOUND}"),
            [first, .., last] => match self.middles.get(places) {
                Some(middle) => format!("A_-_{middle}_{SOUND}"),
                None => format!("L_{first}_{last}_{SOUND}"),
            },
        }
    }
}

/// Returns whether all of `places` lie on the line from the first to the last.
fn is_straight(scene: &Scene, places: &[usize]) -> bool {
    let at = |place: usize| scene.places[place].at;
    let ([x, y], [to_x, to_y]) = (at(places[0]), at(places[places.len() - 1]));
    places.iter().all(|&place| {
        let [px, py] = at(place);
        ((px - x) * (to_y - y) - (py - y) * (to_x - x)).abs() < 1e-2
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Asked;
    use tablegen_games::{LIBRARY, Parameters, Play, Tactics};

    #[test]
    fn runs_are_lines_and_squares_are_buttons() {
        let game = Tactics::new(1, 3, 3, Play::Misere).unwrap();
        let drawing = Drawing::of(&game);
        let view = View::of(&game, &Asked::typed(&game, Some("X..")).unwrap()).unwrap();
        assert_eq!(drawing.position(1, &view.states), "1_x--");
        assert_eq!(drawing.moves(&view), ["A_-_1_x", "L_1_2_x", "A_-_2_x"]);
    }

    #[test]
    fn every_move_of_the_library_is_drawn_differently() {
        for bundled in LIBRARY {
            let game = bundled.read(&Parameters::new()).unwrap();
            let (drawing, view) = (Drawing::of(&game), View::of_node(&game, game.rules().start_node()));
            let mut moves = drawing.moves(&view);
            let count = moves.len();
            moves.sort();
            moves.dedup();
            assert_eq!((moves.len(), is_drawn(drawing.scene.layout)), (count, true), "{}", bundled.name);
        }
    }
}
