//! A reader in Python, written from the page about the format, gives the answers of the program.

use super::*;
use crate::common::library::named;
use crate::common::python::assert_prints;
use crate::common::script::{labels_of, read_table};

/// Writes `table` and runs the script, which prints every position.
fn read_by_python(table: &[u8]) -> (tempfile::TempDir, PathBuf, Output) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    std::fs::write(&path, table).expect("a new file");
    let output = read_table(&[&path]);
    (folder, path, output)
}

/// The script prints every position of a dense table.
fn assert_python_reads(descriptor: &Descriptor, solution: &Solution) {
    assert_prints(&read_by_python(&solution.to_bytes(descriptor)).2, solution);
}

/// The script reads a sparse table, and computes the reachable positions and their outcomes itself.
fn assert_python_solves(descriptor: &Descriptor, solution: &Solution) {
    assert_prints(&labels_of(&solution.to_bytes(descriptor)), solution);
}

#[test]
fn python_reads_every_position_of_the_quiz_s_board() {
    let game = quiz();
    assert_python_reads(&game.descriptor(), &dense(game.rules()));
}

/// The script verifies each label in compressed tables of every kind. Without a zstd decompressor the test is skipped,
/// unless `TABLEGEN_NEEDS_ZSTD` is set.
#[test]
fn python_reads_packed_tables() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    let with = |rules: &Rules, method: Method, labels| {
        let solver = if method == Method::Dense { Solver::dense(true) } else { method.into() };
        solve(rules, &Options { labels, ..Options::of(solver) }).expect("small rules")
    };
    let solutions = [
        with(&games::motley(), Method::Dense, REMOTENESS),
        with(&games::dominoes(3), Method::Dense, IMPARTIAL),
        with(&games::dominoes(3), Method::Sparse, IMPARTIAL),
        with(&games::squares(), Method::Coloured, REMOTENESS),
    ];
    for solution in &solutions {
        let packing = Compression { block: 1 << 10, ..Compression::default() };
        let packed = solution.to_packed_bytes(&Descriptor::default(), Some(packing));
        let print = |table: &[u8], labels: bool| {
            if labels {
                return labels_of(table);
            }
            std::fs::write(&path, table).expect("a new file");
            read_table(&[&path])
        };
        let [plain, read] = [&table_bytes(solution), &packed].map(|table| print(table, false));
        let said = String::from_utf8_lossy(&read.stderr).into_owned();
        if said.contains("no zstd") && std::env::var_os("TABLEGEN_NEEDS_ZSTD").is_none() {
            eprintln!("skipped: {said}");
            return;
        }
        assert!(read.status.success(), "{}: {said}", solution.rules().name());
        assert!(plain.stdout == read.stdout && !plain.stdout.is_empty(), "{}", solution.rules().name());
        let checked = print(&packed, true);
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        // Change a byte of the first block, of the index, and of the list of pages.
        let last = packed.len() - 1;
        for at in [4096, last - 40, last] {
            let mut table = packed.clone();
            table[at] ^= 4;
            assert!(!print(&table, false).status.success(), "byte {at}");
        }
    }
}

/// The rules in a file suffice to play: the script recomputes every label from its successors.
#[test]
fn python_plays_by_the_rules_in_the_file() {
    for rules in [games::motley(), games::dominoes(4), games::chomp(2, 5), games::drawn_kayles(9)] {
        let mut table = table_bytes(&dense(&rules));
        let output = labels_of(&table);
        assert!(output.status.success(), "{}: {}", rules.name(), String::from_utf8_lossy(&output.stderr));
        let start = forge::outcomes(&table).start;
        table[start] ^= 1;
        forge::seal_all(&mut table);
        assert!(!labels_of(&table).status.success(), "{}: a label was altered", rules.name());
    }
}

/// Modes, draws, padding, an opening, non-ASCII texts, more than one block of labels, a layout in arbitrary order.
#[test]
fn python_reads_every_position_of_other_games() {
    let parameters = vec![("words".into(), "größer\nklein\n".repeat(500)), (String::new(), String::new())];
    let descriptor = Descriptor { family: "motley ß".into(), parameters };
    let motley = games::motley();
    assert_python_reads(&descriptor, &dense(&motley));
    assert_python_reads(&Descriptor::default(), &dense(&games::dominoes(4)));
    for layout in [[4, 3, 2, 1, 0], [2, 0, 1, 4, 3]] {
        let layout = Layout::new(layout.to_vec()).expect("a permutation");
        let solution = solve::scalar(&motley, Some(&layout), LabelSet::OUTCOME).expect("the rules are small");
        assert_python_reads(&descriptor, &solution);
    }
    // Planes of 64 bytes each, in two blocks of labels, after several pages of header.
    let modes = (0..1100).map(|mode| format!("{mode}")).collect();
    let many_modes = RulesSpec { modes, ..games::node_kayles(3, Outcome::Loss).into_spec() };
    let many_modes = dense(&many_modes.build().expect("sound rules"));
    let bytes = table_bytes(&many_modes);
    assert!(forge::outcomes(&bytes).len() > forge::BLOCK && forge::get(&bytes, "header.bytes") > 4096);
    assert_python_reads(&Descriptor::default(), &many_modes);
}

/// Draws, an opening, roots of the game's own, levels of one position and of many, more than one block of keys.
#[test]
fn python_reads_every_reachable_position() {
    for rules in [
        games::motley(),
        games::dominoes(4),
        games::drawn_kayles(9),
        RulesSpec::new("no-moves", 1).build().expect("sound rules"),
    ] {
        assert_python_solves(&Descriptor::default(), &sparse(&rules));
    }
    let easy = Shiritori::new(include_str!("../../data/shiritori/easy.txt"), Play::Normal).expect("a list");
    let solution = sparse_of(&easy);
    assert!(reachable(solution.contents()).key_bytes() > 2 * 65_536);
    assert_python_solves(&easy.descriptor(), &solution);
}

/// Codes of more than 64 bits: 64 cells in 3 modes, filled from the left.
#[test]
fn python_reads_wide_boards() {
    let step = |cell: u32, mode: u16| Move {
        mode: Mode(mode),
        next: Mode((mode + 1 + cell as u16 % 2) % 3),
        full: Board::full(cell),
        ..Move::fill(Board::bit(cell))
    };
    let rules = RulesSpec {
        modes: ["a", "b", "c"].map(String::from).to_vec(),
        moves: (0..64).flat_map(|cell| (0..3).map(move |mode| step(cell, mode))).collect(),
        ..RulesSpec::new("wide", 64)
    }
    .build()
    .expect("sound rules");
    assert_python_solves(&Descriptor::default(), &sparse(&rules));
}

#[test]
fn python_finds_faults_of_a_sparse_table() {
    let whole = table_bytes(&sparse(&games::dominoes(3)));
    let run = |table: &[u8], option: Option<&str>| {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let path = folder.path().join("table.tb");
        std::fs::write(&path, table).expect("a new file");
        read_table(&option.map(Path::new).into_iter().chain([&*path]).collect::<Vec<_>>()).status.success()
    };
    assert!(run(&whole, None) && run(&whole, Some("--labels")));
    let sections = forge::sections(&whole);
    for byte in [4097, sections[0].end, sections[0].end + 40, sections[1].start, sections[1].end] {
        let mut table = whole.clone();
        table[byte] ^= 1;
        assert!(!run(&table, None), "byte {byte}");
    }
    // Change a bit of the keys or the outcomes under valid checksums. Each of these bits belongs to a position.
    for (section, byte) in [(0, 0), (0, 8), (1, 0), (1, 2)] {
        let mut table = whole.clone();
        table[sections[section].start + byte] ^= 1;
        forge::seal_all(&mut table);
        assert!(!run(&table, Some("--labels")), "section {section}, byte {byte}");
    }
}

/// The script verifies everything that the page says can be verified, and refuses what the library refuses.
#[test]
fn python_finds_damage() {
    let whole = example();
    let places = [0, 8, 16, 30, 60, 100, 4095, 4096, 12_287, 12_288, 12_319];
    for place in places {
        let mut table = whole.clone();
        table[place] ^= 0x10;
        let (_folder, path, output) = read_by_python(&table);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "byte {place}");
        assert!(error.starts_with(&format!("error: {}", path.display())) && error.lines().count() == 1, "{error}");
    }
    for length in [0, 8, 87, 4096, whole.len() - 1] {
        let (_folder, _, output) = read_by_python(&whole[..length]);
        assert!(!output.status.success() && output.stdout.is_empty(), "{length} bytes");
    }
}

/// The script answers boards given as arguments.
#[test]
fn python_answers_boards() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    std::fs::write(&path, example()).expect("a new file");
    let asked = ["0x33ff", "0:0b1111_1111_1111_1110", "0"].map(Path::new);
    let output = read_table(&[&[&*path], &asked[..]].concat());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0,13311,loss\n0,65534,loss\n0,0,loss\n");
    assert!(!read_table(&[&path, Path::new("0x10000")]).status.success());
}

/// Remoteness and nimbers with draws, modes, an opening and padded planes: the script reads them and recomputes each
/// from its definition.
#[test]
fn python_reads_every_label() {
    let tactics = Tactics::new(3, 3, 3, Play::Normal).expect("an ordinary board");
    for (rules, labels) in [
        (tactics.rules().clone(), IMPARTIAL),
        (games::chomp(2, 3), LabelSet::OUTCOME.with(LabelKind::Nimber)),
        (games::dominoes(3), IMPARTIAL),
        (games::motley(), REMOTENESS),
        (games::drawn_kayles(7), REMOTENESS),
    ] {
        assert_python_reads(&Descriptor::default(), &with_labels(&rules, labels, Method::Dense));
        let solution = with_labels(&rules, labels, Method::Sparse);
        assert_python_reads(&Descriptor::default(), &solution);
    }
}

/// A wrong byte of either label, a wrong count of a code, and a count of a code that encodes no label.
#[test]
fn python_finds_a_wrong_byte() {
    let is_right = |table: &mut Vec<u8>| {
        forge::seal_all(table);
        labels_of(table).status.success()
    };
    for (method, label) in [(Method::Dense, 2), (Method::Sparse, 3)] {
        let whole = table_bytes(&with_labels(&games::dominoes(3), IMPARTIAL, method));
        assert!(is_right(&mut whole.clone()));
        let section = forge::labels(&whole, label).expect("a label of the table");
        let mut table = whole.clone();
        table[section.start + section.len() / 2] ^= 2;
        assert!(!is_right(&mut table), "a byte of label {label}");
        // Move a count from one loss or win to another, so that the sums stay right.
        let (from, to) = if label == 2 { (0, 2) } else { (1, 2) };
        let mut table = whole.clone();
        for (code, by) in [(from, -1i64), (to, 1)] {
            let at = forge::count_of(&whole, label, code);
            let count = i64::from_le_bytes(table[at.clone()].try_into().expect("eight bytes")) + by;
            table[at].copy_from_slice(&count.to_le_bytes());
        }
        assert!(Table::from_bytes(table.clone()).is_err() || !is_right(&mut table), "counts of label {label}");
        let mut table = whole.clone();
        table[forge::count_of(&whole, label, 170).start] = 1;
        assert!(!is_right(&mut table), "a count of what is no label {label}");
    }
}

/// A row of four squares. Who fills the one to the right of an empty square loses a point. Who fills another one gains two, and moves again.
/// The first and the last square together end the game with a point for the player to move.
fn gaining() -> RulesSpec {
    let moves = (0..4).flat_map(|cell| {
        let [own, right] = [cell, (cell + 1) % 4].map(Board::bit);
        let away = Move { empty: own | right, gain: -1, ..Move::fill(own) };
        [away, Move { full: right, gain: 2, again: true, ..Move::fill(own) }]
    });
    let end = End { mode: Mode(0), pattern: Board::from_word(9), outcome: Terminal::Points(1), empty: Board::EMPTY };
    RulesSpec { moves: moves.collect(), ends: vec![end], terminal: Outcome::Draw, ..RulesSpec::new("gaining", 4) }
}

/// Two players fill three squares, each in a colour of their own. Ends are worth an outcome, points, or what is counted.
fn counted() -> RulesSpec {
    let [first, second] = [Board::from_word(0o7), Board::from_word(0o70)];
    let fill = |mode: u16, square: u32| {
        let both = [square, square + 3].map(Board::bit);
        let (mode, next, full) = (Mode(mode), Mode(1 - mode), both[usize::from(mode)]);
        Move { mode, next, empty: both[0] | both[1], ..Move::fill(full) }
    };
    let most = [(first, second), (second, first)].map(|(own, other)| Terminal::Most { own, other });
    let end = |mode, pattern, outcome| End {
        mode: Mode(mode),
        pattern: Board::from_word(pattern),
        outcome,
        empty: Board::EMPTY,
    };
    RulesSpec {
        modes: ["a", "b"].map(String::from).to_vec(),
        moves: [0, 1].into_iter().flat_map(|mode| (0..3).map(move |square| fill(mode, square))).collect(),
        ends: vec![end(0, 0o30, most[0]), end(1, 0o21, Terminal::Points(-3)), end(1, 0o12, Outcome::Draw.into())],
        terminals: vec![Terminal::Points(2), most[1]],
        players: vec![Player::First, Player::Second],
        ..RulesSpec::new("counted", 6)
    }
}

/// The script recomputes scores from gains, moves again and the points of ends, in tables of every kind.
#[test]
fn python_checks_scores() {
    let rules = |spec: RulesSpec| spec.build().expect("sound rules");
    let again = |spec: RulesSpec| {
        let moves = spec.moves.iter().map(|m| Move { gain: 0, ..*m }).collect();
        rules(RulesSpec { moves, ends: Vec::new(), terminal: Outcome::Loss, ..spec })
    };
    let boxes = named("dots-and-boxes", "rows=1 cols=2").rules().clone();
    let lines = named("score-lines", "rows=2 cols=2 line=2").rules().clone();
    let discs = named("reversi", "rows=3 cols=4").rules().clone();
    for (rules, labels, methods) in [
        (&rules(gaining()), SCORE, &[Method::Dense, Method::Sparse][..]),
        (&boxes, SCORE, &[Method::Dense, Method::Sparse]),
        (&lines, SCORE, &[Method::Coloured, Method::Sparse]),
        (&discs, SCORE, &[Method::Sparse]),
        (&rules(counted()), SCORE.union(REMOTENESS), &[Method::Sparse]),
        (&again(gaining()), REMOTENESS, &[Method::Sparse]),
    ] {
        for &method in methods {
            let solution = with_labels(rules, labels, method);
            assert_python_solves(&Descriptor::default(), &solution);
            if !labels.contains(LabelKind::Score) {
                continue;
            }
            let mut table = table_bytes(&solution);
            let scores = forge::labels(&table, LabelKind::Score.number()).expect("a label of the table");
            let byte = scores.into_iter().find(|&at| table[at] > 2).expect("a score");
            table[byte] ^= 1;
            forge::seal_all(&mut table);
            assert!(!labels_of(&table).status.success(), "{} {method:?}: a score was altered", rules.name());
        }
    }
}
