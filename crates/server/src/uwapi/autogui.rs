//! Boards and moves in the format of the client: a character for each center, and a button, a line or a text for each
//! move.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::pictures::{Images, NOTHING};
use tablegen_engine::{View, ViewMove};
use tablegen_games::{Game, Layout, Scene};

/// The sound of every move. The theme defines no sounds.
const SOUND: &str = "x";

/// The layout of one game's positions for the client.
pub(super) struct Drawing {
    scene: Scene,
    images: Arc<Images>,
    /// Centers for moves that a line between two places would not show. They follow the centers of the places.
    middles: HashMap<Vec<usize>, usize>,
    /// The centers of places and moves, and of vertices if play walks from one to the next.
    centers: Vec<[f64; 2]>,
    /// The number of vertices among the centers; they are the last ones.
    vertices: usize,
}

/// Returns whether the client can draw a board with this layout: a grid, a graph or a row.
pub(crate) const fn is_drawn(layout: Layout) -> bool {
    match layout {
        Layout::Squares | Layout::Hexagons | Layout::Row | Layout::Vertices | Layout::Edges => true,
        Layout::Tiles | Layout::Words => false,
    }
}

impl Drawing {
    /// The layout of the positions of `game`, which has this `scene`.
    pub(super) fn of(game: &dyn Game, scene: Scene, images: Arc<Images>) -> Self {
        let mut centers: Vec<[f64; 2]> = scene.places.iter().map(|place| place.at).collect();
        let mut middles = HashMap::new();
        for m in game.rules().moves() {
            // Some moves are named by the cells that they empty alone.
            let (filled, named) = (m.fills & m.empty, game.pointed_at(m).into_iter().next().unwrap_or_default());
            let places = scene.places_of(if filled.is_disjoint(named) { named } else { filled });
            if places.len() > 1 && !is_straight(&scene, &places) && !middles.contains_key(&places) {
                let sum = |axis: usize| places.iter().map(|&place| scene.places[place].at[axis]).sum::<f64>();
                centers.push([0, 1].map(|axis| sum(axis) / places.len() as f64));
                middles.insert(places, centers.len() - 1);
            }
        }
        let vertices = if walks(game, &scene) { scene.vertices.len() } else { 0 };
        centers.extend(scene.vertices.iter().take(vertices).map(|vertex| vertex.at));
        let [before, _] = images.margins;
        centers.iter_mut().flatten().for_each(|part| *part = thousandth(*part + before));
        Self { scene, images, middles, centers, vertices }
    }

    /// The data that the client needs to draw every position.
    pub(super) fn theme(&self) -> Json {
        let margins: f64 = self.images.margins.iter().sum();
        let mut theme = serde_json::Map::new();
        theme.insert("space".into(), json!(self.scene.size.map(|length| thousandth(length + margins))));
        theme.insert("centers".into(), json!(self.centers));
        self.images.add_to(&mut theme);
        let sizes =
            [("circleButtonRadius", 0.2), ("lineWidth", 0.08), ("arrowWidth", 0.08), ("textButtonFontSize", 0.3)];
        theme.extend(sizes.map(|(name, size)| (name.to_owned(), json!(size))));
        theme.insert("sounds".into(), json!({}));
        theme.insert("animationType".into(), json!(""));
        json!({"defaultTheme": "regular", "themes": {"regular": theme}})
    }

    /// The drawing of a position with player `turn`, 1 or 2, to move. `vertex` is the current vertex, if there is one.
    pub(super) fn position(&self, turn: u8, states: &[u8], vertex: Option<usize>) -> String {
        let places =
            (0..self.scene.places.len()).map(|place| self.images.sign(place, states.get(place).copied().unwrap_or(0)));
        let middles = self.middles.iter().map(|_| NOTHING);
        let here = |number| if vertex == Some(number) { self.images.here() } else { NOTHING };
        format!("{turn}_{}", places.chain(middles).chain((0..self.vertices).map(here)).collect::<String>())
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

/// Returns whether play walks from vertex to vertex.
fn walks(game: &dyn Game, scene: &Scene) -> bool {
    if scene.layout != Layout::Edges {
        return false;
    }
    let start = View::of_node(game, game.rules().start_node());
    start.vertex.is_some() || start.moves.iter().any(|m| m.vertex.is_some())
}

/// Rounds to a thousandth, as scenes do.
fn thousandth(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
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
    use tablegen_engine::Asked;
    use tablegen_games::{LIBRARY, Parameters, Play, Tactics};

    fn of_client(game: &dyn Game) -> Drawing {
        let scene = game.scene();
        let images = Arc::new(Images::of_client(&scene));
        Drawing::of(game, scene, images)
    }

    #[test]
    fn runs_are_lines_and_squares_are_buttons() {
        let game = Tactics::new(1, 3, 3, Play::Misere).unwrap();
        let drawing = of_client(&game);
        let view = View::of(&game, &Asked::typed(&game, Some("X..")).unwrap()).unwrap();
        assert_eq!(drawing.position(1, &view.states, None), "1_x--");
        assert_eq!(drawing.moves(&view), ["A_-_1_x", "L_1_2_x", "A_-_2_x"]);
    }

    #[test]
    fn every_move_of_the_library_is_drawn_differently() {
        for bundled in LIBRARY {
            let game = bundled.read(&Parameters::new()).unwrap();
            let (drawing, view) = (of_client(&game), View::of_node(&game, game.rules().start_node()));
            let mut moves = drawing.moves(&view);
            let count = moves.len();
            moves.sort();
            moves.dedup();
            assert_eq!((moves.len(), is_drawn(drawing.scene.layout)), (count, true), "{}", bundled.name);
        }
    }
}
