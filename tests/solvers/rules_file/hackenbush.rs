//! Hackenbush pictures: lines that fall when the lines below them are cut.

use fastrand::Rng;

use crate::rules_file::read;
use tablegen::engine::ValueFacts;
use tablegen::game::Game;
use tablegen::rules::{Board, Mode, Position};

const POINTS: usize = 5;

/// A picture: the points of each line, and who may cut it: 0 Left, 1 Right, 2 both. Points 0 and 1 are on the ground.
struct Picture(Vec<([usize; 2], u32)>);

impl Picture {
    fn random(lines: usize, rng: &mut Rng) -> Self {
        let line = |_| {
            let from = rng.usize(0..POINTS);
            let to = (from + rng.usize(1..POINTS)) % POINTS;
            ([from, to], rng.u32(0..3))
        };
        Self((0..lines).map(line).collect())
    }

    fn rules_file(&self) -> String {
        let between: Vec<String> = self.0.iter().map(|([a, b], _)| format!("'{a} {b}'")).collect();
        let mut text = format!(
            "name = 'h'\nsides = ['left', 'right']\nboard = {{ row = {}, between = [{}] }}\n",
            self.0.len(),
            between.join(", ")
        );
        // In play no line hangs in the air.
        let standing = self.standing(&vec![true; self.0.len()]);
        let names = |lines: Vec<usize>| {
            lines.iter().map(|&line| format!("'{}1'", (b'a' + line as u8) as char)).collect::<Vec<_>>().join(", ")
        };
        let gone = names((0..self.0.len()).filter(|&line| !standing[line]).collect());
        text += &format!("start = {{ filled = {{ X = [{gone}] }} }}\n");
        let ground = ["0", "1"].into_iter().filter(|point| between.concat().contains(point)).collect::<Vec<_>>();
        for (owner, side) in [(0, "side = 'left'"), (1, "side = 'right'"), (2, "")] {
            let on = names((0..self.0.len()).filter(|&line| self.0[line].1 == owner).collect());
            if !on.is_empty() {
                text += &format!("[[move]]\nshape = 'X'\non = [{on}]\nrests_on = {ground:?}\n{side}\n");
            }
        }
        text
    }

    /// The lines among `there` that are joined to the ground.
    fn standing(&self, there: &[bool]) -> Vec<bool> {
        let most = self.0.iter().flat_map(|(ends, _)| *ends).fold(1, usize::max);
        let mut points = vec![false; most + 1];
        (points[0], points[1]) = (true, true);
        for _ in &self.0 {
            for (([a, b], _), &there) in self.0.iter().zip(there) {
                if there && (points[*a] || points[*b]) {
                    (points[*a], points[*b]) = (true, true);
                }
            }
        }
        self.0.iter().zip(there).map(|(([a, b], _), &there)| there && (points[*a] || points[*b])).collect()
    }

    /// The boards after the cuts of `side`, in order.
    fn cuts(&self, there: &[bool], side: u32) -> Vec<Board> {
        let mine = (0..self.0.len()).filter(|&line| there[line] && [side, 2].contains(&self.0[line].1));
        let mut after: Vec<Board> = mine
            .map(|line| {
                let mut left = there.to_vec();
                left[line] = false;
                board(&self.standing(&left))
            })
            .collect();
        after.sort_unstable();
        after
    }
}

/// The board on which exactly the lines of `there` are free.
fn board(there: &[bool]) -> Board {
    let cells = there.len() as u32;
    (0..cells).filter(|&line| !there[line as usize]).map(|line| Board::at(line, cells)).collect()
}

#[test]
fn lines_fall_exactly_if_nothing_holds_them() {
    let mut rng = Rng::with_seed(39);
    let mut fallen = 0;
    for round in 0..300 {
        let picture = Picture::random(1 + round % 8, &mut rng);
        let lines = picture.0.len();
        let text = picture.rules_file();
        let game = read(&text, "").unwrap_or_else(|error| panic!("{error} in\n{text}"));
        for there in (0..1_u32 << lines).map(|set| (0..lines).map(|line| set >> line & 1 == 1).collect::<Vec<_>>()) {
            if picture.standing(&there) != there {
                continue;
            }
            for side in 0..2 {
                let from = Position::new(Mode(side), board(&there));
                let mut after: Vec<Board> = game.rules().moves_from(from).map(|m| m.play(from).board).collect();
                after.sort_unstable();
                let expected = picture.cuts(&there, side.into());
                fallen += expected.iter().filter(|to| to.count() > from.board.count() + 1).count();
                assert_eq!(after, expected, "{from:?} of\n{text}");
            }
        }
    }
    assert!(fallen > 1000, "{fallen}");
}

/// Which lines fall would depend on the order of lines if some hang in the air. Play leads to no such position.
#[test]
fn no_line_hangs_in_the_air() {
    let file = |between: &str, more: &str| {
        format!(
            "name = 'g'\nboard = {{ row = 3, between = [{between}] }}\n\
             move = [{{ shape = 'X', on = ['a1'], rests_on = ['ground'] }}, {{ shape = 'X', on = ['b1', 'c1'], {more} }}]\n"
        )
    };
    let same = "rests_on = ['ground']";
    let game = read(&file("'ground a', 'a b', 'b c'", same), "").unwrap();
    for (board, line) in [("X..", "b1"), (".X.", "c1"), ("XX.", "c1")] {
        let error = game.read(board).unwrap_err().to_string();
        assert!(error.contains(&format!("join to the ground, found {line}, which hangs in the air")), "{error}");
    }
    assert!([".XX", "..X", "XXX"].into_iter().all(|board| game.read(board).is_ok()));
    let start = read(&file("'ground a', 'b c', 'c d'", same), "").unwrap_err();
    assert!(start.contains("expected a start in which other lines join each line to the ground, found b1"), "{start}");
    // Other moves would put lines into the air.
    for other in ["rests_on = ['a']", "rows = 1", "rests_on = ['ground'] }, { shape = 'L'"] {
        let error = read(&file("'ground a', 'a b', 'b c'", other), "").unwrap_err();
        assert!(error.contains("`rests_on` with the same points in each [[move]] that fills a line, as in line 3, and no [[move]] that empties a square"), "{error}");
    }
}

/// The values of strings: Berlekamp's rule. Of trees: the colon principle. Of green loops: the fusion principle (Winning Ways,
/// chapters 1, 2 and 7).
#[test]
fn pictures_have_their_published_values() {
    let cases: &[(&[&str], [&str; 3], &str)] = &[
        (&["0 2"], ["a1", "", ""], "1"),
        (&["0 2", "2 3"], ["a1", "b1", ""], "1/2"),
        (&["0 2", "2 3", "3 4"], ["a1", "b1 c1", ""], "1/4"),
        (&["0 2", "2 3", "3 4", "4 5"], ["a1 b1 d1", "c1", ""], "7/4"),
        (&["0 2", "2 3", "3 4"], ["", "", "a1 b1 c1"], "*3"),
        (&["0 2", "2 3", "2 4"], ["", "", "a1 b1 c1"], "*"),
        (&["0 2", "2 3", "3 0"], ["", "", "a1 b1 c1"], "*"),
        (&["0 2", "2 3", "3 4", "4 0"], ["", "", "a1 b1 c1 d1"], "0"),
        (&["0 2", "2 3"], ["b1", "", "a1"], "^*"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h.toml");
    for (between, owners, value) in cases {
        let mut picture = Picture(Vec::new());
        for (line, ends) in between.iter().enumerate() {
            let name = format!("{}1", (b'a' + line as u8) as char);
            let owner = owners.iter().position(|list| list.split(' ').any(|each| each == name)).unwrap();
            let ends: Vec<usize> = ends.split(' ').map(|point| point.parse().unwrap()).collect();
            picture.0.push(([ends[0], ends[1]], owner as u32));
        }
        std::fs::write(&path, picture.rules_file()).unwrap();
        let found = ValueFacts::of(&format!("{}:", path.display()), 1 << 10).unwrap();
        assert_eq!(found.name, *value, "{between:?} {owners:?}");
    }
}
