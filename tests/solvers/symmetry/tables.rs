//! Tables up to symmetry, compared with full tables.

use super::*;
use crate::common::script;
use tablegen::engine::OpenTable;

fn solved(game: &dyn Game, group: &Group, labels: LabelSet) -> Solution {
    let roots = game.roots();
    let labels = labels.intersection(game.labels()).needed_by(game.rules());
    let options = Options { roots: &roots, labels, ..Options::of(Solver::of_reachable(game.rules(), group)) };
    solve(game.rules(), &options).unwrap()
}

/// Compares the solution up to symmetry with the full solution, position by position, in memory and in a table.
fn check(game: &dyn Game, labels: LabelSet) -> Group {
    let roots = if game.roots().is_empty() { game.rules().start_positions() } else { game.roots() };
    let group = Group::of_rules(game.rules(), &roots).unwrap();
    let (all, orbits) = (solved(game, Group::trivial(), labels), solved(game, &group, labels));
    let name = game.rules().name();
    assert_eq!(orbits.counts_by_mode(), all.counts_by_mode(), "{name}");
    let bytes = orbits.to_bytes(&game.descriptor());
    let table = Table::from_bytes(bytes.clone()).unwrap();
    let Contents::Sparse(sparse) = all.contents() else { panic!("solved by reached positions") };
    let mut standing = HashSet::new();
    for found in sparse.positions() {
        let (position, _) = found.unwrap();
        let value = all.value(position);
        assert_eq!(orbits.value(position), value, "{name}: {position:?}");
        assert_eq!(Some(table.value(position).unwrap()), value);
        standing.insert(group.representative(position));
    }
    assert_eq!(orbits.count(), standing.len() as u64, "{name}");
    if all.count() * group.order() <= 1 << 22 {
        // Burnside's lemma: the number of symmetry classes is the average number of positions that an element fixes.
        let elements = elements(game.rules(), group.generators());
        let stays =
            |position: Position| elements.iter().filter(|element| element.of(position) == position).count() as u64;
        let fixed: u64 = sparse.positions().map(|found| stays(found.unwrap().0)).sum();
        assert_eq!(fixed, orbits.count() * elements.len() as u64, "{name}");
    }
    if group.is_trivial() {
        assert_eq!(bytes, all.to_bytes(&game.descriptor()));
        return group;
    }
    assert_eq!(*table.domain().group(), group);
    assert_eq!(table.orbits_by_mode().unwrap().iter().copied().sum::<Counts>().total(), orbits.count());
    // The table counts all positions, not only representatives.
    let whole_bytes = all.to_bytes(&game.descriptor());
    let whole = Table::from_bytes(whole_bytes.clone()).unwrap();
    for kind in labels.iter().filter(|&kind| kind != LabelKind::Outcome) {
        assert_eq!(table.codes(kind), whole.codes(kind), "{name}: {kind}");
    }
    let watch = |_| std::ops::ControlFlow::Continue(());
    let [of_orbits, of_all] = [&bytes, &whole_bytes]
        .map(|bytes| OpenTable::new(Table::from_bytes(bytes.clone()).unwrap()))
        .map(|open| Stats::of(&open, &watch).unwrap().unwrap());
    assert_eq!((of_orbits.by_filled, of_orbits.by_mode), (of_all.by_filled, of_all.by_mode), "{name}");
    assert_eq!(
        verify::labels(&table, &verify::Options::default()).unwrap(),
        orbits.count() * labels.iter().count() as u64
    );
    // The bytes do not depend on the number of threads.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one.install(|| solved(game, &group, labels)).to_bytes(&game.descriptor()), bytes, "{name}");
    // Labels added to a table equal labels solved at once.
    let plain = Table::from_bytes(solved(game, &group, LabelSet::OUTCOME).to_bytes(&game.descriptor())).unwrap();
    let options = Options { labels, ..Options::default() };
    assert_eq!(plain.extended(&options).unwrap().to_bytes(&game.descriptor()).unwrap(), bytes, "{name}");
    group
}

#[test]
fn tables_up_to_symmetry_equal_full_tables() {
    for values in 1..=5 {
        for play in [Play::Normal, Play::Misere] {
            let game = Dominoes::new(values, play).unwrap();
            check(&game, game.labels());
        }
    }
    for (rows, cols, k) in [(3, 3, 3), (3, 4, 3), (2, 4, 2), (3, 3, 2)] {
        for play in [Play::Normal, Play::Misere] {
            let game = Mnk::new(rows, cols, k, play).unwrap();
            check(&game, game.labels());
        }
    }
    for (rows, cols, run) in [(3, 3, 3), (3, 4, 2), (4, 4, 4), (1, 9, 3)] {
        let game = Tactics::new(rows, cols, run, Play::Normal).unwrap();
        check(&game, game.labels());
    }
}

/// On small boards, the ban of NoGo is a condition of the moves, which are cut into cases.
#[test]
fn nogo_has_the_symmetries_of_its_board() {
    for (rows, cols) in (2..=4).flat_map(|rows| (2..=4).map(move |cols| (rows, cols))) {
        let game = named("nogo", &format!("rows={rows} cols={cols}"));
        let of_rules = || Group::of_rules(game.rules(), &game.rules().start_positions()).unwrap();
        let group = if rows * cols <= 9 { check(game.as_ref(), game.labels()) } else { of_rules() };
        assert_eq!(group.order(), if rows == cols { 8 } else { 4 }, "{rows}x{cols}");
    }
}

#[test]
fn tictactoe_has_765_positions_up_to_symmetry() {
    let game = Mnk::new(3, 3, 3, Play::Normal).unwrap();
    let group = check(&game, game.labels());
    let orbits = solved(&game, &group, LabelSet::OUTCOME);
    assert_eq!((orbits.count(), orbits.counts().total(), group.name()), (765, 5478, "D4"));
}

#[test]
fn every_game_of_the_library_has_the_same_labels_up_to_symmetry() {
    let mut symmetric = 0;
    for game in library() {
        let game = named(game.name, "");
        let small = count_reachable(
            game.rules(),
            &Options { max_positions: Some(200_000), roots: &game.roots(), ..Options::default() },
        );
        if small.is_ok() {
            symmetric += u32::from(!check(game.as_ref(), game.labels()).is_trivial());
        }
    }
    assert!(symmetric > 10, "{symmetric}");
}

#[test]
fn random_symmetric_rules() {
    let mut draw = fastrand::Rng::with_seed(3);
    let mut symmetric = 0;
    for number in 0..200 {
        let game = symmetric_rules(&mut draw, number);
        let game = Plain::new(game, Descriptor::default());
        let labels = game.labels();
        symmetric += u32::from(!check(&game, labels).is_trivial());
    }
    assert!(symmetric > 150, "{symmetric}");
}

#[test]
fn a_table_has_the_symmetries_of_its_rules() {
    let game = Mnk::new(3, 3, 3, Play::Normal).unwrap();
    let group = check(&game, game.labels());
    let solution = solved(&game, &group, game.labels());
    let lists: Vec<u8> = group.generators().iter().flat_map(|it| it.cells().to_vec()).collect();
    let bytes = solution.to_bytes(&game.descriptor());
    let at = bytes.windows(18).position(|window| window == &lists[..18]).expect("the first generator");
    // A table with a generator that is not a symmetry is refused, even with a valid checksum.
    let mut forged = bytes.clone();
    forged.swap(at, at + 1);
    forge::seal_header(&mut forged);
    let error = Table::from_bytes(forged).unwrap_err().to_string();
    assert!(error.contains("its symmetries do not fit its rules"), "{error}");
}

#[test]
fn the_page_about_the_format_reads_tables_up_to_symmetry() {
    let folder = tempfile::tempdir().unwrap();
    let games: [Box<dyn Game>; 3] = [
        Box::new(Mnk::new(3, 3, 2, Play::Normal).unwrap()),
        Box::new(Dominoes::new(4, Play::Normal).unwrap()),
        Box::new(Tactics::new(3, 3, 3, Play::Misere).unwrap()),
    ];
    for game in games {
        let group = group(game.rules());
        let [orbits, all] = [&group, Group::trivial()].map(|group| {
            let path = folder.path().join(if group.is_trivial() { "all.tb" } else { "orbits.tb" });
            solved(game.as_ref(), group, game.labels()).save(&game.descriptor(), &path).unwrap();
            let run = script::labels_of(&std::fs::read(&path).unwrap());
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
            run.stdout
        });
        assert!(!all.is_empty() && orbits == all, "{}", game.rules().name());
    }
}

/// Random rules, completed with all their images under a random group of permutations of cells and modes.
fn symmetric_rules(draw: &mut fastrand::Rng, number: u32) -> Rules {
    let (cells, modes) = (draw.u32(3..=9), draw.usize(1..=3));
    let permutations = (0..draw.usize(1..=2)).map(|_| {
        let mut of_cells: Vec<u8> = (0..cells as u8).collect();
        let mut of_modes: Vec<u16> = (0..modes as u16).collect();
        // Each permutation exchanges only a few cells, so that the group stays small.
        for _ in 0..draw.usize(1..=2) {
            of_cells.swap(draw.usize(..cells as usize), draw.usize(..cells as usize));
        }
        of_modes.swap(draw.usize(..modes), draw.usize(..modes));
        Symmetry::new(of_cells, of_modes).unwrap()
    });
    let permutations: Vec<Symmetry> = permutations.collect();
    let some = |draw: &mut fastrand::Rng, most: usize| -> Board {
        (0..draw.usize(0..=most)).map(|_| Board::bit(draw.u32(..cells))).collect()
    };
    let any_mode = |draw: &mut fastrand::Rng| Mode(draw.u16(..modes as u16));
    let moves: Vec<Move> = (0..draw.usize(2..8))
        .map(|_| {
            let one = Board::bit(draw.u32(..cells));
            let empty = some(draw, 2) | one;
            let (full, more) = (some(draw, 1) & !empty, some(draw, 2));
            let fills = if draw.bool() { empty } else { one | more };
            Move { mode: any_mode(draw), empty, full, next: any_mode(draw), ..Move::fill(fills) }
        })
        .collect();
    let outcome = Outcome::BEST_FIRST[draw.usize(..3)];
    let ends: Vec<End> = (0..draw.usize(..4))
        .map(|_| End {
            mode: any_mode(draw),
            pattern: some(draw, 3) | Board::bit(draw.u32(..cells)),
            outcome: outcome.into(),
            empty: Board::EMPTY,
        })
        .collect();
    let starts: Vec<Position> = (0..draw.usize(1..3)).map(|_| Position::new(any_mode(draw), some(draw, 1))).collect();
    let named = RulesSpec {
        modes: (0..modes).map(|mode| format!("m{mode}")).collect(),
        terminal: Outcome::BEST_FIRST[draw.usize(..3)],
        ..RulesSpec::new(format!("symmetric-{number}"), cells)
    };
    let identity = [Symmetry::identity(cells, modes)];
    let shape = RulesSpec { start: Start::Opening(starts.clone()), ..named.clone() }.build().unwrap();
    let all = [&identity[..], &elements(&shape, &permutations)].concat();
    let of_move = |m: &Move, it: &Symmetry| {
        let [from, to] = [m.mode, m.next].map(|mode| it.of(Position::new(mode, Board::EMPTY)).mode);
        let [empty, full, fills] = [m.empty, m.full, m.fills].map(|cells| it.of_board(cells));
        Move { mode: from, empty, full, next: to, ..Move::fill(fills) }
    };
    let images = |it: &Symmetry| moves.iter().map(|m| of_move(m, it)).collect::<Vec<_>>();
    let mut all_moves: Vec<Move> = all.iter().flat_map(images).collect();
    all_moves.sort_unstable();
    all_moves.dedup();
    let of_end = |end: &End, it: &Symmetry| {
        let Position { mode, board } = it.of(Position::new(end.mode, end.pattern));
        End { mode, pattern: board, ..*end }
    };
    let mut all_ends: Vec<End> = all.iter().flat_map(|it| ends.iter().map(|end| of_end(end, it))).collect();
    all_ends.sort_unstable();
    all_ends.dedup();
    let mut all_starts: Vec<Position> = all.iter().flat_map(|it| starts.iter().map(|&start| it.of(start))).collect();
    all_starts.sort_unstable();
    all_starts.dedup();
    let symmetries = permutations;
    RulesSpec { moves: all_moves, ends: all_ends, start: Start::Opening(all_starts), symmetries, ..named }
        .build()
        .unwrap()
}

#[test]
#[ignore = "two million positions, one by one"]
fn dominoes_with_six_values() {
    for play in [Play::Normal, Play::Misere] {
        let game = Dominoes::new(6, play).unwrap();
        check(&game, game.labels());
    }
}

#[test]
#[ignore = "the planes of the double-six set, and 5,040 images of each of its orbits: 235 MB, a minute"]
fn the_double_six_set_equals_its_planes() {
    for play in [Play::Normal, Play::Misere] {
        let game = Dominoes::new(7, play).unwrap();
        let group = group(game.rules());
        let planes = solve(game.rules(), &Options::default()).unwrap();
        let orbits = solved(&game, &group, LabelSet::OUTCOME);
        let elements = elements(game.rules(), group.generators());
        let Contents::Sparse(sparse) = orbits.contents() else { panic!("solved by reached positions") };
        let positions: Vec<_> = sparse.positions().map(Result::unwrap).collect();
        positions.par_iter().for_each(|&(position, outcome)| {
            for element in &elements {
                assert_eq!(planes.outcome(element.of(position)), Some(outcome), "{position:?}");
            }
        });
        assert_eq!((orbits.count(), orbits.counts().total()), (52_909, 188_463_303));
    }
}

#[test]
#[ignore = "a million orbits of the double-seven set, verified, and 400 games: a minute"]
fn the_double_seven_set() {
    let mut draw = fastrand::Rng::with_seed(8);
    for play in [Play::Normal, Play::Misere] {
        let game = Dominoes::new(8, play).unwrap();
        let group = group(game.rules());
        let solution = solved(&game, &group, game.labels());
        let table = Table::from_bytes(solution.to_bytes(&game.descriptor())).unwrap();
        drop(solution);
        verify::labels(&table, &verify::Options::default()).unwrap();
        let start = table.probe(game.rules().start_node()).unwrap();
        let (win, loss, plies) = match play {
            Play::Normal => (24_376_040_584, 8_302_185_760, 15),
            Play::Misere => (23_945_346_040, 8_732_880_304, 32),
        };
        assert_eq!(table.counts(), Counts { win, loss, draw: 0 });
        assert_eq!((table.contents().count(), start.value.remoteness()), (1_058_101, Some(plies)));
        for choice in &start.moves {
            let text = game.write_move(start.node, choice.to);
            let is_double = text.split_once('-').is_some_and(|(a, b)| a == b);
            assert_eq!(choice.value.outcome == Outcome::Win, is_double, "{text}");
        }
        // The player who wins at the start wins in the stated number of plies, against random play and against the
        // longest defence.
        for number in 0..200 {
            let mut node = game.rules().start_node();
            let mut plies = 0;
            let said = start.value.remoteness().unwrap();
            let winner_moves = start.value.outcome == Outcome::Win;
            loop {
                let probe = table.probe(node).unwrap();
                if probe.over {
                    break;
                }
                let is_winner = (plies % 2 == 0) == winner_moves;
                // Moves are listed best first: the quickest win, or the longest loss.
                let chosen =
                    if is_winner || number % 2 == 0 { &probe.moves[0] } else { draw.choice(&probe.moves).unwrap() };
                assert!(!is_winner || probe.value.outcome == Outcome::Win);
                node = chosen.to.into();
                plies += 1;
            }
            let last = table.probe(node).unwrap().value.outcome;
            assert_eq!(last == Outcome::Win, (plies % 2 == 0) == winner_moves);
            assert!(plies <= said && (number % 2 == 1 || plies == said), "{plies} of {said}");
        }
    }
}
