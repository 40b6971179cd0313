//! Positions as they are drawn: the state of each place of the board, and the places that each move changes.

use std::collections::{HashMap, HashSet};

use super::Asked;
use super::answer::assembly::{distinct, lead_after};
use super::points::{self, players_of};
use tablegen_games::{Answer, Game, NotationError, Scene};
use tablegen_rules::{Board, Mode, Node, Position, Step};

/// A position on the board of its game, with its moves but without their values.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The board.
    pub scene: Scene,
    /// The canonical text of the position.
    pub position: String,
    /// The points that the player to move already has more than the other player.
    pub lead: i32,
    /// The points of the player to move and of the other player that the board itself shows, such as discs: none if only moves gain points.
    /// `None` if nothing is counted here.
    pub shown_points: Option<[i32; 2]>,
    /// The state of each place, as in [`ScenePlace::state`](tablegen_games::ScenePlace::state).
    pub states: Vec<u8>,
    /// The current vertex, on a board that has vertices.
    pub vertex: Option<usize>,
    /// The player to move and the other player, if the position determines them, or if the rules name the player who begins.
    pub players: Option<[String; 2]>,
    /// The pieces that each side still has in hand, the first side first. `None` in a game without a hand.
    pub in_hand: Option<[u32; 2]>,
    /// The names of the moves from the start, if the text of the position is a line of moves; otherwise empty.
    pub line: Vec<String>,
    /// The places of the terminal pattern that ended the game, if one did.
    pub ending: Vec<usize>,
    /// The moves, in the game's own order.
    pub moves: Vec<ViewMove>,
}

/// A move on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct ViewMove {
    /// The text of the move.
    pub text: String,
    /// The canonical text of the position after the move.
    pub position: String,
    /// The places that it changes, each with its state after the move.
    pub changes: Vec<(usize, u8)>,
    /// The places that a player can point at to choose the move. These are the places that the move names, without
    /// others that it fills, such as the neighbours of a vertex. There are several sets if several moves of the rules
    /// lead to the same position. Two moves to different positions may share a set; then only their texts differ.
    pub handles: Vec<Vec<usize>>,
    /// The vertex after the move, on a board that has vertices.
    pub vertex: Option<usize>,
    /// The points that it gains for the player who makes it.
    pub gain: i16,
    /// True if the same player moves again.
    pub again: bool,
}

impl View {
    /// The position of `game` that `asked` names.
    ///
    /// # Errors
    /// If a text is not a position of the game.
    pub fn of(game: &dyn Game, asked: &Asked) -> Result<Self, NotationError> {
        match asked {
            Asked::Node(reading) => {
                let players = players_of(game, reading);
                Ok(Self { players, line: reading.line.clone(), ..Self::with_lead(game, reading.node, reading.lead) })
            }
            Asked::Text(text) => Self::of_text(game, text.as_deref()),
        }
    }

    /// The position of `answer`.
    ///
    /// # Errors
    /// If its text is not a position of the game.
    pub fn of_answer(game: &dyn Game, answer: &Answer) -> Result<Self, NotationError> {
        match (game.off_table(), answer.node) {
            (None, Some(node)) => Ok(Self::with_lead(game, node, answer.lead)),
            _ => Self::of_text(game, Some(&answer.position)),
        }
    }

    /// A position of the rules.
    #[must_use]
    pub fn of_node(game: &dyn Game, node: Node) -> Self {
        Self::with_lead(game, node, 0)
    }

    /// A position of the rules where the player to move leads by `lead` points.
    fn with_lead(game: &dyn Game, node: Node, lead: i32) -> Self {
        let (scene, rules) = (game.scene(), game.rules());
        let (board, vertex) = match node {
            Node::Opening => (Board::EMPTY, None),
            Node::At(at) => (at.board, vertex(game, &scene, at.mode)),
        };
        let replies = distinct(rules.choices(node)).into_iter();
        let handles = handles(game, &scene, node);
        let mut moves: Vec<ViewMove> = replies
            .map(|step| {
                let handles = handles.get(&step.to).cloned().unwrap_or_default();
                view_move(game, &scene, (node, lead), step, handles)
            })
            .collect();
        tell_apart(&mut moves);
        Self {
            position: game.write_with_lead(node, lead),
            lead,
            shown_points: points::on_board(game, node).or(rules.has_gains().then_some([0; 2])),
            states: scene.places.iter().map(|place| place.state(board)).collect(),
            vertex,
            players: players_of(game, &node.into()),
            in_hand: game.in_hand(node),
            line: Vec::new(),
            ending: ending(game, &scene, node),
            moves,
            scene,
        }
    }

    /// A position beyond the rules, which the game itself answers: its places are named by its moves.
    fn of_text(game: &dyn Game, text: Option<&str>) -> Result<Self, NotationError> {
        let start = || game.write(game.rules().start_node());
        let position = text.map_or_else(start, str::to_owned);
        let none = || NotationError::new(&position, "a position of the rules", "none");
        let off_table = game.off_table().ok_or_else(none)?;
        let filled = off_table.filled(&position)?;
        let scene = game.scene();
        let mut states = vec![0; scene.places.len()];
        filled.into_iter().filter(|&place| place < scene.places.len()).for_each(|place| states[place] = 1);
        let after = off_table.moves(&position)?.into_iter().filter_map(|(text, position)| {
            let place = scene.places.iter().position(|place| place.name == text)?;
            Some(ViewMove {
                text,
                position,
                changes: vec![(place, 1)],
                handles: vec![vec![place]],
                vertex: None,
                gain: 0,
                again: false,
            })
        });
        let moves = after.collect();
        Ok(Self {
            position,
            lead: 0,
            shown_points: None,
            states,
            vertex: None,
            players: None,
            in_hand: None,
            line: Vec::new(),
            ending: Vec::new(),
            moves,
            scene,
        })
    }
}

/// The current vertex in `mode`, if the modes of the rules are the vertices.
fn vertex(game: &dyn Game, scene: &Scene, mode: Mode) -> Option<usize> {
    let is_mode = game.rules().modes().iter().eq(scene.vertices.iter().map(|vertex| &vertex.name));
    is_mode.then_some(usize::from(mode.0))
}

/// For each reply, the sets of places that a player can point at to choose it.
fn handles(game: &dyn Game, scene: &Scene, from: Node) -> HashMap<Position, Vec<Vec<usize>>> {
    let rules = game.rules();
    let pointed: Vec<(Position, Vec<Board>)> = match from {
        Node::Opening => rules.replies(from).into_iter().map(|to| (to, vec![to.board])).collect(),
        Node::At(at) => rules.moves_from(at).map(|m| (m.play(at), game.pointed_at(&m))).collect(),
    };
    let mut handles: HashMap<Position, Vec<Vec<usize>>> = HashMap::new();
    for (to, cells) in pointed.into_iter().flat_map(|(to, sets)| sets.into_iter().map(move |cells| (to, cells))) {
        let (handles, handle) = (handles.entry(to).or_default(), scene.places_of(cells));
        // A pass is not on the board.
        if !handle.is_empty() && !handles.contains(&handle) {
            handles.push(handle);
        }
    }
    handles
}

/// The move `step` from a node where the player to move has a lead.
fn view_move(
    game: &dyn Game,
    scene: &Scene,
    (from, lead): (Node, i32),
    step: Step,
    handles: Vec<Vec<usize>>,
) -> ViewMove {
    let to = step.to;
    let before = match from {
        Node::Opening => Board::EMPTY,
        Node::At(at) => at.board,
    };
    let states = scene.places.iter().map(|place| (place.state(before), place.state(to.board)));
    let changes = states.enumerate().filter(|(_, (before, after))| before != after);
    ViewMove {
        text: game.write_move(from, to),
        position: game.write_with_lead(to.into(), lead_after(lead, step.gain, step.again)),
        changes: changes.map(|(place, (_, after))| (place, after)).collect(),
        handles,
        vertex: vertex(game, scene, to.mode),
        gain: step.gain,
        again: step.again,
    }
}

/// Makes handles that several moves share more specific. Each such move takes another of its handles that contains the
/// shared one, or else all the places that it changes. If these are no more than the handle, only the moves' texts
/// differ.
fn tell_apart(moves: &mut [ViewMove]) {
    let mut seen = HashSet::new();
    let shared: HashSet<Vec<usize>> =
        moves.iter().flat_map(|m| &m.handles).filter(|handle| !seen.insert(*handle)).cloned().collect();
    for m in moves.iter_mut().filter(|m| m.handles.iter().any(|handle| shared.contains(handle))) {
        let changes: Vec<usize> = m.changes.iter().map(|(place, _)| *place).collect();
        let is_more = |more: &[usize], handle: &[usize]| {
            more.len() > handle.len() && handle.iter().all(|place| more.contains(place))
        };
        let mut handles: Vec<Vec<usize>> = Vec::new();
        for handle in &m.handles {
            let has_more = m.handles.iter().any(|other| is_more(other, handle));
            let told = match shared.contains(handle) {
                true if has_more => continue,
                true if is_more(&changes, handle) => changes.clone(),
                _ => handle.clone(),
            };
            if !handles.contains(&told) {
                handles.push(told);
            }
        }
        m.handles = handles;
    }
}

/// The places of the terminal pattern that ended the game at `node`.
fn ending(game: &dyn Game, scene: &Scene, node: Node) -> Vec<usize> {
    let Node::At(at) = node else { return Vec::new() };
    let (rules, counted) = (game.rules(), &game.rules().spec().count_ends);
    // Numbers of pieces decide before patterns.
    if counted.iter().any(|end| end.mode == at.mode && end.count.fits(at.board)) {
        return Vec::new();
    }
    let found = rules.ends_of(at.mode).iter().find(|end| end.matches(at.board));
    found.map_or(Vec::new(), |end| scene.places_of(end.pattern))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use tablegen_games::{FAMILIES, LIBRARY, Layout, Parameters};

    fn view(name: &str, parameters: &Parameters, text: Option<&str>) -> View {
        let game = game(name, parameters).unwrap();
        View::of(game.as_ref(), &Asked::typed(game.as_ref(), text).unwrap()).unwrap()
    }

    fn names(view: &View, places: &[usize]) -> String {
        places.iter().map(|&place| view.scene.places[place].name.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn moved<'a>(view: &'a View, text: &str) -> &'a ViewMove {
        view.moves.iter().find(|m| m.text == text).unwrap_or_else(|| panic!("no move {text}"))
    }

    /// Plays the last listed move of each position, until the game ends, for every game.
    #[test]
    fn every_move_of_every_game_can_be_drawn() {
        let texts = Parameters::new().with("graph", "a b\nb c\nc a").with("words", "tea\nant\ntoe\neel");
        let of = |family: &tablegen_games::Family| {
            let mut parameters = Parameters::new();
            let takes = |name: &&(&str, &str)| family.parameters.iter().any(|known| known.name == name.0);
            texts.iter().filter(|given| takes(&given)).for_each(|(name, value)| parameters.set(name, value));
            family.make(&parameters).unwrap()
        };
        let games = FAMILIES.iter().map(of);
        let library = LIBRARY.iter().map(|game| game.read(&Parameters::new()).unwrap());
        for game in games.chain(library.map(|game| Box::new(game) as Box<dyn Game>)) {
            let name = game.rules().name();
            let mut asked = Asked::typed(game.as_ref(), None).unwrap();
            let mut plies = 0;
            loop {
                let view = View::of(game.as_ref(), &asked).unwrap();
                let [width, height] = view.scene.size;
                assert!(!view.scene.places.is_empty() && view.states.len() == view.scene.places.len(), "{name}");
                for place in &view.scene.places {
                    let [x, y] = place.at;
                    assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{name}: {}", place.name);
                }
                for m in &view.moves {
                    assert!(m.handles.iter().all(|handle| !handle.is_empty()), "{name}: {}", m.text);
                    if ["pass", "swap"].contains(&m.text.as_str()) {
                        assert!(m.handles.is_empty() && m.changes.is_empty(), "{name}");
                        continue;
                    }
                    // Where pieces fall, the other handles are the squares above.
                    let mut first = m.handles[0].iter();
                    // A pushed cube may arrive where an equal cube was.
                    if !name.starts_with("quixo") {
                        assert!(!m.changes.is_empty(), "{name}: {}", m.text);
                        let is_changed = |place| m.changes.iter().any(|(other, _)| other == place);
                        assert!(first.all(is_changed), "{name}: {}", m.text);
                    }
                    let is_new = |(place, _): &(usize, u8)| view.states[*place] == 0;
                    assert!(game.rules().clears() || m.changes.iter().all(is_new), "{name}: {}", m.text);
                }
                // If positions may repeat, play need not end.
                let Some(last) = view.moves.last().filter(|_| plies < 100) else { break };
                asked = Asked::typed(game.as_ref(), Some(&last.position)).unwrap();
                plies += 1;
            }
            assert!(plies > 0, "{name}");
        }
    }

    #[test]
    fn handles_are_the_places_that_a_move_names() {
        let bites = view("chomp", &Parameters::new(), None);
        let bite = moved(&bites, "c2");
        assert_eq!(names(&bites, &bite.handles.concat()), "c2");
        assert_eq!(bite.changes.len(), 4);
        let runs = view("tactics", &Parameters::new(), None);
        assert_eq!(names(&runs, &moved(&runs, "b2-b4").handles.concat()), "b2 b3 b4");
        let both = view("node-kayles", &Parameters::new().with("rows", 1).with("cols", 2), None);
        assert_eq!((both.moves.len(), &both.moves[0].handles), (1, &vec![vec![0], vec![1]]));
    }

    #[test]
    fn colours_players_and_the_line_that_ends_the_game() {
        let game = view("tictactoe", &Parameters::new(), Some("XX./OO./..."));
        let (m, players) = (moved(&game, "c1"), game.players.clone().unwrap());
        assert_eq!((m.changes.as_slice(), players[0].as_str()), (&[(2, 1)][..], "X"));
        let over = view("tictactoe", &Parameters::new(), Some(&m.position));
        assert_eq!((names(&over, &over.ending).as_str(), over.moves.len()), ("a1 b1 c1", 0));
    }

    #[test]
    fn a_walk_is_at_a_vertex_and_an_opening_at_none() {
        let graph = Parameters::new().with("graph", "a b\nb c");
        let start = view("trail", &graph, None);
        assert_eq!((start.vertex, start.scene.vertices.len()), (None, 3));
        let m = moved(&start, "a-b to b");
        assert_eq!((m.vertex, names(&start, &m.handles[0]).as_str()), (Some(1), "a-b"));
        assert_eq!(view("trail", &graph, Some(&m.position)).vertex, Some(1));
    }

    #[test]
    fn squares_may_be_lines_between_points() {
        let sim = view("sim", &Parameters::new(), None);
        assert_eq!((sim.scene.layout, sim.scene.vertices.len(), sim.vertex), (Layout::Edges, 6, None));
        assert_eq!(sim.scene.places[14].ends, Some([4, 5]));
        let text = "name = \"g\"\nboard = { row = 2, between = [\"a b\"] }\nmove = [{ shape = \"X\" }]";
        let error = tablegen_games::FileGame::read(text, &Parameters::new()).unwrap_err().to_string();
        assert!(error.contains("expected 2 pairs of points, one for each square, for `between`, found 1"), "{error}");
    }

    #[test]
    fn words_are_places_even_beyond_the_table() {
        let words = Parameters::new().with("words", "tower\nrat\ntar\nrug\ngnat\ntent\n");
        let said = view("shiritori", &words, Some("tar"));
        assert_eq!(said.states, [0, 0, 1, 0, 0, 0]);
        assert_eq!(said.moves.iter().map(|m| m.text.as_str()).collect::<Vec<_>>(), ["rat", "rug"]);
        assert_eq!(said.moves[1].position, "{tar,rug} g");
        assert_eq!(view("shiritori", &words, None).moves.len(), 6);
    }
}
