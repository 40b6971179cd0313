//! Rules files can express what programs can: the rules have equal bytes, including their name.

use std::fmt::Write;

use crate::common::games;
use crate::rules_file::read;
use tablegen::game::{Dominoes, Game, Mnk, Play, Shiritori, Tactics};
use tablegen::rules::{Board, Mode, Outcome, Position, Rules, Start};
use tablegen::table::rules_hash;

const TACTICS: &str = r#"
name = "tactics-{rows}x{cols}-run{run}-{play}"
parameters = { rows = 4, cols = 4, run = { default = 4, most = "max(rows, cols)" }, play = "misere" }
board = { rows = "rows", cols = "cols" }
move = [{ line = [1, "run"] }]
"#;

#[test]
fn tactics_in_shapes() {
    for (rows, cols, run) in [(4, 4, 4), (1, 1, 1), (1, 9, 3), (5, 2, 2), (3, 4, 4), (5, 5, 5), (5, 8, 8), (6, 6, 6)] {
        for play in [Play::Misere, Play::Normal] {
            let set = format!("rows={rows} cols={cols} run={run} play={}", play.name());
            let game = Tactics::new(rows, cols, run, play).unwrap();
            let written = read(TACTICS, &set).unwrap();
            assert_eq!(written.rules(), game.rules(), "{set}");
            assert_eq!(rules_hash(written.rules()), rules_hash(game.rules()));
            // The notation is the same too: texts of positions and names of moves.
            let start = Position::default();
            for m in game.rules().moves().iter().map(|m| m.play(start)) {
                assert_eq!(written.write(m.into()), game.write(m.into()));
                assert_eq!(written.write_move(start.into(), m), game.write_move(start.into(), m));
                assert_eq!(written.draw_move(start.into(), m), game.draw_move(start.into(), m));
            }
        }
    }
}

/// Any rules, as a rules file with raw moves.
fn raw(rules: &Rules) -> String {
    let mode = |mode: Mode| format!("{:?}", rules.modes()[usize::from(mode.0)]);
    let board =
        |board: Board| board.bits().map(|bit| (rules.cells() - 1 - bit).to_string()).collect::<Vec<_>>().join(",");
    let play = match rules.terminal() {
        Outcome::Loss => "normal",
        Outcome::Win => "misere",
        Outcome::Draw => "draw",
    };
    let alike = rules.modes() == ["-"];
    let mut text = format!("name = {:?}\nplay = {play:?}\n", rules.name());
    if !alike {
        writeln!(text, "modes = {:?}", rules.modes()).unwrap();
    }
    let named = |key: &str, m: Mode| if alike { String::new() } else { format!("{key} = {}\n", mode(m)) };
    let start = |p: &Position| format!("{}board = [{}]\n", named("mode", p.mode), board(p.board));
    match rules.start() {
        Start::At(position) => writeln!(text, "[start]\n{}", start(position)).unwrap(),
        Start::Opening(choices) => choices.iter().for_each(|p| writeln!(text, "[[start]]\n{}", start(p)).unwrap()),
    }
    writeln!(text, "[board]\nrow = {}", rules.cells()).unwrap();
    for m in rules.moves() {
        let (empty, full, fills) = (board(m.empty), board(m.full), board(m.fills));
        let modes = named("mode", m.mode) + &named("next", m.next);
        writeln!(text, "[[move]]\n{modes}empty = [{empty}]\nfull = [{full}]\nfills = [{fills}]").unwrap();
    }
    for end in rules.ends() {
        let mode = named("mode", end.mode);
        writeln!(text, "[[end]]\n{mode}full = [{}]\noutcome = \"{}\"", board(end.pattern), end.outcome.on(end.pattern))
            .unwrap();
    }
    text
}

#[test]
fn any_rules_in_raw_moves() {
    let graph = "a b\nb c\nc a\nb b\n";
    let trail = tablegen::game::family("trail").unwrap();
    let trail = |set: &[(&str, &str)]| {
        let set =
            set.iter().fold(tablegen::game::Parameters::new().with("graph", graph), |set, (k, v)| set.with(*k, v));
        trail.make(&set).unwrap().rules().clone()
    };
    let all = [
        Tactics::new(4, 4, 4, Play::Misere).unwrap().rules().clone(),
        Dominoes::new(5, Play::Normal).unwrap().rules().clone(),
        Dominoes::new(4, Play::Misere).unwrap().rules().clone(),
        trail(&[]),
        trail(&[("start", "b"), ("play", "misere"), ("directed", "true")]),
        Shiritori::new(include_str!("../../data/shiritori/medium.txt"), Play::Normal).unwrap().rules().clone(),
        Shiritori::new(include_str!("../../data/shiritori/easy.txt"), Play::Normal).unwrap().rules().clone(),
        Mnk::tictactoe().unwrap().rules().clone(),
        Mnk::new(3, 4, 3, Play::Misere).unwrap().rules().clone(),
        Mnk::new(5, 4, 4, Play::Normal).unwrap().rules().clone(),
        games::tictactoe(),
        games::chomp(3, 4),
        games::node_kayles(6, Outcome::Win),
        games::drawn_kayles(9),
        games::domineering(3, 4),
        games::motley(),
    ];
    for rules in all {
        let written = read(&raw(&rules), "").unwrap_or_else(|e| panic!("{}: {e}", rules.name()));
        assert_eq!(written.rules(), &rules);
        assert_eq!(rules_hash(written.rules()), rules_hash(&rules));
    }
}

/// Tic-tac-toe in shapes has the moves of the handwritten rules, and its lines in another order.
#[test]
fn tic_tac_toe_in_shapes() {
    let text = r#"
        name = "tictactoe-by-hand"
        play = "draw"
        sides = ["x", "o"]
        board = { rows = 3, cols = 3, colours = "XO" }
        move = [{ shape = "X" }]
        end = [{ line = 3, along = ["rows", "columns", "diagonals"], completer = "wins" }]
        start = { side = "x" }
    "#;
    let written = read(text, "").unwrap();
    let mut sorted = written.rules().ends().to_vec();
    let mut by_hand = games::tictactoe().ends().to_vec();
    sorted.sort();
    // The handwritten rules count planes from the other end, with X in the low cells. The order of lines does not
    // matter.
    let planes = |board: Board| Board::from_word((board.low_word() & 0x1ff) << 9 | board.low_word() >> 9);
    by_hand.iter_mut().for_each(|end| end.pattern = planes(end.pattern));
    by_hand.sort();
    assert_eq!(sorted, by_hand);
    let solution = crate::common::sparse_of(&written);
    let counts = solution.counts();
    // Known figures of the game: the number of positions, and outcomes for the player to move.
    assert_eq!((counts.win, counts.draw, counts.loss), (2_836, 1_068, 1_574));
    assert_eq!(solution.outcome(Position::default()), Some(Outcome::Draw));
    let place = written.read("X.O/.X./..O").unwrap().node;
    assert_eq!(written.write(place), "X.O/.X./..O x");
}

#[test]
fn lines_of_marks_in_shapes() {
    for (rows, cols, k) in [(3, 3, 3), (3, 4, 3), (3, 4, 4), (5, 4, 4), (1, 4, 2)] {
        for play in [Play::Normal, Play::Misere] {
            let game = Mnk::new(rows, cols, k, play).unwrap();
            let completer = if play == Play::Normal { "wins" } else { "loses" };
            let text = format!(
                r#"
                name = "{}"
                play = "draw"
                sides = ["x", "o"]
                board = {{ rows = {rows}, cols = {cols}, colours = "XO" }}
                move = [{{ shape = "X" }}]
                start = {{ side = "x" }}
                [[end]]
                side = "o"
                line = {k}
                along = ["rows", "columns", "diagonals"]
                completer = "{completer}"
                [[end]]
                side = "x"
                line = {k}
                along = ["rows", "columns", "diagonals"]
                completer = "{completer}"
                "#,
                game.rules().name()
            );
            let written = read(&text, "").unwrap();
            assert_eq!(written.rules(), game.rules());
            assert_eq!(rules_hash(written.rules()), rules_hash(game.rules()));
        }
    }
}

/// The same game described in another way gives the same rules.
#[test]
fn chomp_and_node_kayles_by_hand() {
    for (rows, cols) in [(3, 4), (4, 4)] {
        let (by_hand, written) =
            (games::chomp(rows, cols), crate::rules_file::game("chomp", &format!("rows={rows} cols={cols}")));
        // In the handwritten rules, the first square is the lowest bit.
        let turned = |board: Board| board.bits().map(|bit| Board::at(bit, by_hand.cells())).collect::<Board>();
        let bites: Vec<_> = by_hand.moves().iter().map(|m| (turned(m.empty), turned(m.fills))).collect();
        assert_eq!(written.rules().moves().iter().map(|m| (m.empty, m.fills)).collect::<Vec<_>>(), bites);
    }
}
