//! The pictures that the client shows: crosses and circles, which every client has, or the boards and pieces of the page.
//!
//! The client shows only files that were compiled into it. The archive has the files for each variant in the list of games. Whoever
//! compiles the client unpacks it into the client's folder of images.

mod board;
mod piece;
mod svg;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

use axum::body::Bytes;
use serde_json::{Value as Json, json};

use super::super::reply::Tag;
use tablegen_games::{Layout, Scene};

/// Images that every version of the client has, for the first and the second colour.
const CROSS_AND_CIRCLE: [(char, &str); 2] = [('x', "ttt/x.svg"), ('o', "ttt/o.svg")];
/// The character of a center that shows nothing.
pub(super) const NOTHING: char = '-';
/// The folder of the files in the client's folder of SVG files.
const FOLDER: &str = "tablegen";

/// The images of one board.
pub(super) struct Images {
    /// The character of each place, in each state.
    signs: Vec<[char; 4]>,
    /// The character of the current vertex.
    here: char,
    /// The file of each character, and its width in units of the scene.
    entities: Vec<(char, String, f64)>,
    /// The files below and above the pieces, by the names that the client has for them.
    layers: Vec<(&'static str, String)>,
    /// The space before and after the board, in units of the scene.
    pub(super) margins: [f64; 2],
}

/// The files that images need, by their paths in the client's folder of SVG files.
type Files = BTreeMap<String, String>;

impl Images {
    /// A cross and a circle, on no board.
    pub(super) fn of_client(scene: &Scene) -> Self {
        let [(cross, _), (circle, _)] = CROSS_AND_CIRCLE;
        let known = CROSS_AND_CIRCLE.iter().take(scene.signs.len());
        Self {
            signs: vec![[NOTHING, cross, circle, circle]; scene.places.len()],
            here: NOTHING,
            entities: known.map(|&(sign, file)| (sign, file.to_owned(), 0.8)).collect(),
            layers: Vec::new(),
            margins: [0.0; 2],
        }
    }

    /// The board and the pieces of the page, with their files. `name` tells the board from all others.
    fn of_page(scene: &Scene, name: &str) -> (Self, Files) {
        let mut files = Files::new();
        let mut entities = Vec::new();
        let mut known: HashMap<String, char> = HashMap::new();
        let mut entity = |file: String, half: f64, shapes: &str| {
            *known.entry(file).or_insert_with_key(|file| {
                let sign = sign(entities.len());
                let path = format!("{FOLDER}/pieces/{file}.svg");
                files.insert(path.clone(), svg::file([-half, -half, 2.0 * half, 2.0 * half], shapes));
                entities.push((sign, path, 2.0 * half / svg::UNIT));
                sign
            })
        };
        let states = 1 << scene.signs.len();
        let mut place = |number: usize| {
            [0, 1, 2, 3].map(|state| match piece::piece(scene, number, state).filter(|_| state < states) {
                None => NOTHING,
                Some(shapes) => entity(piece::name(scene, number, state), piece::reach(scene, number), &shapes),
            })
        };
        let signs = (0..scene.places.len()).map(&mut place).collect();
        let here = match scene.layout {
            Layout::Edges => entity("here".into(), 50.0, &board::here()),
            _ => NOTHING,
        };
        let mut layers = vec![("background", board::board(scene, |_| false))];
        if scene.layout == Layout::Edges {
            // Edges end in the middle of vertices, whose names would be hidden.
            layers.push(("foreground", board::vertices(scene)));
        }
        let layer = |(layer, shapes): (&'static str, String)| {
            let path = format!("{FOLDER}/{name}-{layer}.svg");
            files.insert(path.clone(), svg::file(board::frame(scene), &shapes));
            (layer, path)
        };
        let layers = layers.into_iter().map(layer).collect();
        (Self { signs, here, entities, layers, margins: board::margins(scene) }, files)
    }

    /// The character of a place in a state.
    pub(super) fn sign(&self, place: usize, state: u8) -> char {
        self.signs[place][usize::from(state)]
    }

    /// The character of the current vertex.
    pub(super) const fn here(&self) -> char {
        self.here
    }

    /// Adds the images to a theme of the client.
    pub(super) fn add_to(&self, theme: &mut serde_json::Map<String, Json>) {
        let entity =
            |(sign, image, scale): &(char, String, f64)| (sign.to_string(), json!({"image": image, "scale": scale}));
        let entities: serde_json::Map<String, Json> = self.entities.iter().map(entity).collect();
        // The same images under the name that newer versions of the client use.
        theme.insert("charImages".into(), json!(entities));
        theme.insert("entities".into(), entities.into());
        theme.extend(self.layers.iter().map(|(layer, path)| ((*layer).to_owned(), json!(path))));
    }
}

/// The character of the image with this number. Letters and digits come first; a board of many edges needs more.
fn sign(number: usize) -> char {
    let letters =
        ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('\u{100}'..='\u{17f}').chain('\u{4e00}'..='\u{9fff}');
    letters.into_iter().nth(number).unwrap_or(NOTHING)
}

/// The board of a variant with the pieces in these states, as a thumbnail.
fn thumbnail(scene: &Scene, states: &[u8]) -> String {
    let piece = |number: usize| piece::piece(scene, number, states.get(number).copied().unwrap_or(0));
    let pieces: Vec<Option<String>> = (0..scene.places.len()).map(piece).collect();
    let mut shapes = board::board(scene, |number| pieces[number].is_some());
    for (place, piece) in scene.places.iter().zip(&pieces) {
        shapes.extend(piece.as_ref().map(|piece| svg::moved(place.at, piece)));
    }
    shapes += &board::vertices(scene);
    svg::file(board::frame(scene), &shapes)
}

/// A variant of a game in the client.
pub(super) struct Variant {
    pub(super) game: String,
    pub(super) name: String,
    pub(super) scene: Scene,
    /// The state of each place at the start.
    pub(super) states: Vec<u8>,
}

/// The name of the board of a variant.
pub(super) fn board_name(game: &str, variant: &str) -> String {
    format!("{game}/{variant}")
}

/// All pictures of a server: an archive for the client, and the boards whose pictures it has.
pub(in super::super) struct Archive {
    /// The scene and the images of each board, by its name.
    boards: HashMap<String, (Scene, Arc<Images>)>,
    pub(super) tag: Tag,
    pub(super) content: Bytes,
}

impl Archive {
    /// The pictures of `variants`. `id` is the name of a game in the client.
    pub(super) fn of(variants: Vec<Variant>, id: fn(&str) -> String) -> io::Result<Self> {
        let (mut boards, mut files) = (HashMap::new(), Files::new());
        for Variant { game, name, scene, states } in variants {
            let board = board_name(&game, &name);
            let (images, drawn) = Images::of_page(&scene, &board);
            files.extend(drawn.into_iter().map(|(path, file)| (format!("svg/{path}"), file)));
            let picture = thumbnail(&scene, &states);
            let path = |variant: &str| format!("thumbnail/{}-{variant}.svg", id(&game));
            // The client's name of the picture for a game as a whole.
            files.entry(path("regular")).or_insert_with(|| picture.clone());
            files.insert(path(&name), picture);
            boards.insert(board, (scene, Arc::new(images)));
        }
        let mut tar = tar::Builder::new(Vec::new());
        for (path, file) in &files {
            let mut header = tar::Header::new_gnu();
            header.set_size(file.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, path, file.as_bytes())?;
        }
        let content: Bytes = tar.into_inner()?.into();
        Ok(Self { boards, tag: Tag::of(&content), content })
    }

    /// The images of the board with this name, if the archive has this scene under it. A table may have been replaced since.
    pub(super) fn images(&self, board: &str, scene: &Scene) -> Option<Arc<Images>> {
        self.boards.get(board).filter(|(known, _)| known == scene).map(|(_, images)| Arc::clone(images))
    }
}
