//! Values of games in which a player may move again, against a search of plays: of one board, and of two boards side by side.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::common::{forge, script::read_table};
use tablegen::engine::{self, BoardValue, BuildOptions, Engine, OpenTable, SumFacts, TableDirs, ValueFacts, no_values};
use tablegen::game::{FileGame, Game, OutcomeClass, Parameters, library};
use tablegen::rules::{Board, Mode, NoSides, Outcome, Position, Rules};
use tablegen::table::{Table, TableFault};
use tablegen::verify::{self, Options};

/// Plays of boards side by side. A player who must move again moves on the same board.
struct Plays<'a> {
    rules: &'a Rules,
    /// The modes in which Left and Right begin turns.
    begin: [Mode; 2],
    known: HashMap<Sum, bool>,
}

/// Boards, the board and the mode in which a player must move again, and that player: 0 for Left, 1 for Right.
type Sum = (Vec<Board>, Option<(usize, Mode)>, usize);

impl Plays<'_> {
    /// Whether the player to move wins: 0 for Left, 1 for Right. `again` names the board on which that player must move again.
    fn wins(&mut self, boards: &[Board], again: Option<(usize, Mode)>, side: usize) -> bool {
        let key = (boards.to_vec(), again, side);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let on = again.map_or_else(|| (0..boards.len()).map(|at| (at, self.begin[side])).collect(), |it| vec![it]);
        let mut found = false;
        for (at, mode) in on {
            for m in self.rules.moves_from(Position::new(mode, boards[at])) {
                let to = m.play(Position::new(mode, boards[at]));
                let mut after = boards.to_vec();
                after[at] = to.board;
                found = found
                    || if self.rules.player(mode).is_some_and(|player| self.rules.player(to.mode) == Some(player)) {
                        self.wins(&after, Some((at, to.mode)), side)
                    } else {
                        !self.wins(&after, None, 1 - side)
                    };
            }
        }
        self.known.insert(key, found);
        found
    }

    fn class(&mut self, boards: &[Board]) -> Option<OutcomeClass> {
        let [left, right] = [0, 1].map(|side| if self.wins(boards, None, side) { Outcome::Win } else { Outcome::Loss });
        OutcomeClass::of(left, right)
    }
}

fn build(game: Box<dyn Game>, path: &Path) -> OpenTable {
    let options = BuildOptions { output: Some(path.to_owned()), values: true, ..BuildOptions::default() };
    let engine = Engine::new(TableDirs::none());
    engine.plan(game, &options).unwrap().solve(None).unwrap().save(|_| {}, None).unwrap().open
}

/// The boards of a table that have values.
fn boards(table: &Table) -> Vec<Board> {
    let (values, mut boards) = (table.values().unwrap(), Vec::new());
    values.index.boards(values.keys, 0, values.index.count(), |_, board| boards.push(board)).unwrap();
    boards
}

/// Checks the values in a table of `game`, and those of single boards, with `term` before their texts. Returns the number of boards.
fn check(open: &OpenTable, term: &str, begin: [u16; 2]) -> usize {
    let begin = begin.map(Mode);
    let mut plays = Plays { rules: open.table.rules(), begin, known: HashMap::new() };
    let all = boards(&open.table);
    let text = |board: Board| {
        let text = open.game.write(Position::new(begin[0], board).into());
        text.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(verify::values(&open.table, &Options::default()).unwrap(), all.len() as u64, "{term}");
    for &board in &all {
        let found = BoardValue::of(open, Position::new(begin[0], board)).unwrap().unwrap();
        assert_eq!(Some(found.class), plays.class(&[board]), "{term}{}", text(board));
        for (mode, side) in begin.into_iter().zip(0..) {
            let outcome = if plays.wins(&[board], None, side) { Outcome::Win } else { Outcome::Loss };
            let held = open.table.contents().outcome(Position::new(mode, board)).unwrap();
            assert!(held.is_none_or(|held| held == outcome), "{term}{}: {mode:?}", text(board));
        }
    }
    for &board in all.iter().step_by(1 + all.len() / 20) {
        let facts = ValueFacts::of(&format!("{term}{}", text(board)), 1 << 16).unwrap();
        let found = BoardValue::of(open, Position::new(begin[0], board)).unwrap().unwrap();
        assert_eq!(Some(facts.name), found.name, "{term}{}", text(board));
    }
    for (&a, &b) in all.iter().zip(all.iter().rev()).step_by(1 + all.len() / 6) {
        let sum = format!("{term}{} + {term}{}", text(a), text(b));
        let facts = ValueFacts::of(&sum, 1 << 16).unwrap();
        assert_eq!(Some(facts.class), plays.class(&[a, b]), "{sum}");
    }
    all.len()
}

/// Numbers that look random.
struct Draws(u64);

impl Draws {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Rules in which a player may move again: with `again`, or by modes of the same side.
fn rules(draws: &mut Draws) -> String {
    let cols = 3 + draws.below(3);
    let with_modes = draws.below(2) == 1;
    let mut text = format!("name = \"again\"\nsides = [\"l\", \"r\"]\nboard = {{ row = {cols} }}\n");
    if with_modes {
        text += "modes = { l = \"l\", r = \"r\", l-on = \"l\", r-on = \"r\" }\nstart = { mode = \"l\" }\n";
    }
    let steps = ["l r", "r l", "l l-on", "r r-on", "l-on l", "r-on r", "l-on r", "r-on l", "l-on l-on", "l l", "r r"];
    for at in 0..3 + draws.below(4) {
        let shape = draws.of(&["X", "X", "X", "XX", "Xo", "LX", "XL", "LL"]);
        write!(text, "[[move]]\nshape = \"{shape}\"\n").unwrap();
        if draws.below(2) == 0 && shape.len() == 1 {
            writeln!(text, "cols = [{}, {}]", 1 + draws.below(cols), cols).unwrap();
        }
        if with_modes {
            // Each side hands over in some move.
            let (from, next) = steps[if at < 2 { at } else { draws.below(steps.len()) }].split_once(' ').unwrap();
            writeln!(text, "mode = \"{from}\"\nnext = \"{next}\"").unwrap();
        } else {
            writeln!(text, "again = {}", draws.of(&["true", "false"])).unwrap();
            if draws.below(2) == 0 {
                writeln!(text, "side = \"{}\"", draws.of(&["l", "r"])).unwrap();
            }
        }
    }
    text
}

#[test]
fn values_of_random_rules_agree_with_a_search_of_plays() {
    let folder = tempfile::tempdir().unwrap();
    let (path, table) = (folder.path().join("it.toml"), folder.path().join("it.tb"));
    let (mut checked, mut again, mut refused) = (0, 0, 0);
    for seed in 0..150 {
        let text = rules(&mut Draws(seed));
        let Ok(game) = FileGame::read(&text, &Parameters::new()) else { continue };
        let moves_again = game.rules().moves().iter().any(|m| !game.rules().hands_over(m));
        if let Some(reason) = no_values(&game) {
            // A piece that steps to and fro, or a mode without a way back.
            assert!(matches!(reason, NoSides::Repeats | NoSides::Modes), "{reason}:\n{text}");
            refused += 1;
            continue;
        }
        std::fs::write(&path, &text).unwrap();
        let open = build(Box::new(game), &table);
        let boards = check(&open, &format!("{}:", path.display()), [0, 1]);
        if moves_again {
            again += boards;
        }
        if checked % 8 == 0 {
            let output = read_table(&[Path::new("--values"), &table]);
            assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
        }
        std::fs::remove_file(&table).unwrap();
        checked += 1;
    }
    assert!(checked > 50 && again > 400 && refused < 80, "{checked} {again} {refused}");
}

#[test]
fn values_of_nimstring_agree_with_a_search_of_plays() {
    let folder = tempfile::tempdir().unwrap();
    for [rows, cols] in [[1, 1], [1, 2], [2, 2]] {
        let game = engine::game("nimstring", &Parameters::new().with("rows", rows).with("cols", cols)).unwrap();
        let open = build(game, &folder.path().join(format!("{rows}x{cols}.tb")));
        let lines = rows * (cols + 1) + cols * (rows + 1);
        assert_eq!(check(&open, &format!("nimstring(rows={rows},cols={cols}):"), [0, 1]), 1 << lines);
    }
    // Each line is one move.
    let sum = SumFacts::of("nimstring(rows=1,cols=1)", 1 << 10).unwrap();
    let moves = sum.sides.map(|side| (side.count, side.winning.len()));
    assert_eq!((sum.value.name.as_str(), moves), ("*", [(4, 4); 2]));
}

/// The other games of the library in which a player may move again are refused, with the reason.
#[test]
fn games_in_which_a_player_moves_again_have_right_values_or_none() {
    let mut found = Vec::new();
    for family in library() {
        let game = family.read(&Parameters::new()).unwrap();
        let rules = game.rules();
        if rules.moves().iter().any(|m| !rules.hands_over(m)) {
            found.push((family.name, no_values(&game)));
        }
    }
    let valued: Vec<&str> = found.iter().filter(|(_, reason)| reason.is_none()).map(|(name, _)| *name).collect();
    assert_eq!(valued, ["amazons", "isolation", "nimstring"]);
    assert!(found.contains(&("dots-and-boxes", Some(NoSides::Convention))), "{found:?}");
}

/// Tables of older versions have values of another kind, which end a turn although the player moves again.
#[test]
fn values_that_pass_the_turn_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.tb");
    let game = |name, rows: u32, cols: u32| {
        engine::game(name, &Parameters::new().with("rows", rows).with("cols", cols)).unwrap()
    };
    build(game("nimstring", 1, 2), &path);
    let mut bytes = std::fs::read(&path).unwrap();
    let kinds = forge::every(&bytes, "section.kind");
    let at = kinds.iter().find(|at| bytes[at.start] == 9).unwrap().start;
    bytes[at] = 7;
    forge::seal_header(&mut bytes);
    let fault = Table::from_bytes(bytes.clone()).unwrap_err().fault;
    assert!(matches!(fault, TableFault::TurnEnds) && fault.is_of_another_version(), "{fault}");
    std::fs::write(&path, &bytes).unwrap();
    let output = read_table(&[Path::new("--values"), &path]);
    assert!(
        !output.status.success() && String::from_utf8_lossy(&output.stderr).contains("although the player moves again")
    );
    // Where turns end by modes, the kind is the older one.
    let amazons = folder.path().join("amazons.tb");
    build(game("amazons", 2, 3), &amazons);
    let bytes = std::fs::read(&amazons).unwrap();
    assert!(forge::every(&bytes, "section.kind").iter().any(|at| bytes[at.start] == 7));
}
