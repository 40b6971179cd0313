//! Contents that are written position by position, and read and counted in every way.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::colourings::{Frame, Place, Squares, WORD};
use crate::label::Counts;
use crate::plane::Layout;
use crate::reachable::{Codes, Levels, append_keys};
use crate::rules::samples::{Grid, men, pairs, runs, three_in_a_line};
use crate::rules::{Board, Mode, Move, Potential, Rules, RulesSpec, Start, Symmetry};
use crate::symmetry::{Fold, Group};

/// Drawn labels: equal for positions of one symmetry class.
struct Drawn {
    rules: Rules,
    group: Group,
}

#[derive(Clone, Copy)]
struct Label {
    outcome: Outcome,
    is_reached: bool,
    byte: u8,
}

impl Drawn {
    fn of(&self, position: Position) -> Label {
        let Position { mode, board } = self.group.representative(position);
        let mut random = fastrand::Rng::with_seed(u64::from(mode.0) << 40 | board.number() as u64);
        let outcomes = [Outcome::Win, Outcome::Loss, Outcome::Draw];
        let outcome = outcomes[random.usize(..if self.rules.can_draw() { 3 } else { 2 })];
        Label { outcome, is_reached: random.bool(), byte: random.u8(2..9) }
    }

    fn every_position(&self) -> Vec<Position> {
        let modes = self.rules.modes().len() as u16;
        let boards = (0..1u64 << self.rules.cells()).map(Board::from_word);
        boards.flat_map(|board| (0..modes).map(move |mode| Position::new(Mode(mode), board))).collect()
    }
}

/// The sections of a domain, as bytes.
struct Written {
    domain: Domain,
    keys: Vec<u8>,
    outcomes: Vec<u8>,
    reached: Vec<u8>,
    bytes: Vec<u8>,
}

impl Written {
    fn new(domain: Domain, rules: &Rules) -> Self {
        let zeros = |bytes: Option<u64>| vec![0; bytes.unwrap() as usize];
        let bytes = |label: LabelKind| zeros(domain.label_bytes(rules, label.width(rules)));
        let (outcomes, bytes) = (bytes(LabelKind::Outcome), bytes(LabelKind::Remoteness));
        Self { outcomes, bytes, reached: zeros(domain.reachability_bytes(rules)), keys: Vec::new(), domain }
    }

    /// Writes a label: its byte at `index`, its reachability bit at `bit`, and the bits of a win and a loss.
    fn write(&mut self, label: Label, index: u64, bit: u64, win: u64, loss: Option<u64>) {
        self.bytes[index as usize] = label.byte;
        let set = |bytes: &mut [u8], bit: u64| bytes[(bit / 8) as usize] |= 1 << (bit % 8);
        if label.is_reached {
            set(&mut self.reached, bit);
        }
        match (label.outcome, loss) {
            (Outcome::Win, _) => set(&mut self.outcomes, win),
            (Outcome::Loss, Some(loss)) => set(&mut self.outcomes, loss),
            _ => {}
        }
    }

    fn contents(&self, rules: &Rules) -> Contents<'_> {
        self.with_outcomes(rules, &self.outcomes)
    }

    fn with_outcomes<'a>(&'a self, rules: &Rules, outcomes: &'a [u8]) -> Contents<'a> {
        let reached = self.domain.is_marked().then_some(Bytes::Plain(&self.reached));
        let others = ByteLabels::new(|_| None);
        let sections = Sections { keys: Bytes::Plain(&self.keys), outcomes: Bytes::Plain(outcomes), reached, others };
        let more = ByteLabels::new(|kind| (kind == LabelKind::Remoteness).then(|| LabelBytes::of_one(&self.bytes[..])));
        Contents::new(&self.domain, Shape::of(rules), sections).with(more)
    }
}

/// Reads the labels of all `positions`, and compares counts with plain ones.
fn check(drawn: &Drawn, written: &Written, positions: &[Position]) {
    let (rules, contents) = (&drawn.rules, written.contents(&drawn.rules));
    let is_counted = |position: &Position| !written.domain.is_marked() || drawn.of(*position).is_reached;
    for &position in positions {
        let label = drawn.of(position);
        assert_eq!(contents.outcome(position), Ok(Some(label.outcome)), "{position:?}");
        assert_eq!(contents.is_counted(position), Ok(is_counted(&position)), "{position:?}");
        let byte = contents.index(position).unwrap().unwrap();
        assert_eq!(written.bytes[byte], label.byte);
        let value = contents.value(position).unwrap().unwrap();
        assert_eq!((value.outcome, value.nimber()), (label.outcome, None));
    }
    check_touched(drawn, written, positions);
    assert_eq!(contents.labels(), [LabelKind::Outcome, LabelKind::Remoteness].into_iter().collect());
    assert_eq!(format!("{:?}", contents.bytes()), format!("{:?}", contents.labels()));
    let lengths: Vec<usize> = contents.sections().iter().map(|section| section.len()).collect();
    let keys = written.domain.key_bytes().map(|_| written.keys.len());
    let reached = written.domain.is_marked().then_some(written.reached.len());
    let expected = keys.into_iter().chain([written.outcomes.len()]).chain(reached).chain([written.bytes.len()]);
    assert_eq!(lengths, expected.collect::<Vec<_>>());
    let name = format!("{contents:?}");
    assert!(["slices", "squares", "positions", "shape"].iter().any(|part| name.contains(part)), "{name}");
    let (mut codes, mut filled) = (vec![0; 256], BTreeMap::<u32, Counts>::new());
    for &position in positions.iter().filter(|position| is_counted(position)) {
        let label = drawn.of(position);
        codes[usize::from(label.byte)] += 1;
        filled.entry(position.board.count()).or_default().add(label.outcome);
    }
    assert_eq!(contents.codes(LabelKind::Remoteness), Ok(codes));
    let bytes = AtomicU64::new(0);
    let found = contents.counts_by_fill_count(|counted| {
        bytes.fetch_add(counted, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let expected = filled.into_iter().map(|(filled, counts)| FilledCounts { filled, counts });
    assert_eq!(found, Ok(Some(expected.collect())), "{}", rules.name());
    assert_eq!(bytes.into_inner(), contents.outcome_bytes());
    assert_eq!(contents.counts_by_fill_count(|_| ControlFlow::Break(())), Ok(None));
}

/// A look-up of an outcome reads only the bytes that it is said to touch.
fn check_touched(drawn: &Drawn, written: &Written, positions: &[Position]) {
    let rules = &drawn.rules;
    for &position in positions.iter().step_by(13) {
        let contents = written.contents(rules);
        if contents.only_reachable().is_some() {
            return;
        }
        let touched: Vec<usize> = contents.touched(position).collect();
        let mut outcomes = vec![0; written.outcomes.len()];
        touched.into_iter().for_each(|at| outcomes[at] = written.outcomes[at]);
        let found = written.with_outcomes(rules, &outcomes).outcome(position);
        assert_eq!(found, Ok(Some(drawn.of(position).outcome)), "{position:?}");
    }
}

/// The stored positions are those of the ranks, each once.
fn check_ranks(contents: &Contents<'_>, stored: &[Position]) {
    assert_eq!(contents.count(), stored.len() as u64);
    let mut ranked: Vec<Position> = (0..contents.count()).map(|rank| contents.unrank(rank).unwrap()).collect();
    // A move leads to a higher level, and to a larger rank.
    assert!(ranked.is_sorted_by_key(|position| match contents {
        Contents::Sparse(sparse) => sparse.levels().potential().level(*position),
        _ => 0,
    }));
    ranked.sort_unstable();
    let mut stored = stored.to_vec();
    stored.sort_unstable();
    assert_eq!(ranked, stored);
}

fn drawn(spec: RulesSpec, up_to_symmetry: bool) -> Drawn {
    let rules = spec.build().unwrap();
    let group = if up_to_symmetry {
        Group::of_rules(&rules, &rules.start_positions()).unwrap()
    } else {
        Group::trivial().clone()
    };
    Drawn { rules, group }
}

#[test]
fn dense_contents_are_read_and_counted() {
    for (spec, is_marked) in [
        (runs(Grid { rows: 2, cols: 4 }, 3), true),
        (three_in_a_line(Grid { rows: 1, cols: 5 }), true),
        (three_in_a_line(Grid { rows: 1, cols: 3 }), false),
        (pairs(4), true),
    ] {
        let drawn = drawn(spec, false);
        let rules = &drawn.rules;
        let cells = rules.cells() as u8;
        let layout = Layout::new((0..cells).map(|cell| (cell + 2) % cells).collect()).unwrap();
        let starts = if is_marked { rules.start_positions() } else { Vec::new() };
        let mut written = Written::new(Domain::dense(layout.clone(), starts), rules);
        let all = drawn.every_position();
        let modes = rules.modes().len() as u64;
        let planes = if rules.can_draw() { 2 } else { 1 };
        let plane = |bytes: &[u8], planes: u64| bytes.len() as u64 / planes;
        for &position in &all {
            let (mode, index) = (u64::from(position.mode.0), layout.index(position.board));
            let bits = 8 * plane(&written.outcomes, modes * planes);
            let win = mode * planes * bits + index;
            let byte = mode * plane(&written.bytes, modes) + index;
            let bit = mode * 8 * plane(&written.reached, modes) + index;
            written.write(drawn.of(position), byte, bit, win, (planes == 2).then_some(win + bits));
        }
        check(&drawn, &written, &all);
        check_ranks(&written.contents(rules), &all);
        assert_eq!(written.domain.stored_positions(rules), all.len() as u64);
    }
}

/// Two players fill nine cells, and each has another cell of its own. A symmetry exchanges the players, and another one cells of both.
fn own_cells() -> Drawn {
    let fill = |mode: u16, cell| Move { mode: Mode(mode), next: Mode(1 - mode), ..Move::fill(Board::bit(cell)) };
    let moves =
        [0, 1].into_iter().flat_map(|mode| (0..9).chain([9 + u32::from(mode)]).map(move |cell| fill(mode, cell)));
    let start = Start::Opening([0, 1].map(|mode| Position::new(Mode(mode), Board::EMPTY)).to_vec());
    let modes = ["a", "b"].map(String::from).to_vec();
    let spec = RulesSpec { moves: moves.collect(), modes, start, terminal: Outcome::Draw, ..RulesSpec::new("own", 11) };
    let rules = spec.build().unwrap();
    let cells = |low: [u8; 9], own: [u8; 2]| low.into_iter().chain(own).collect();
    let players = Symmetry::new(cells([0, 1, 2, 3, 4, 5, 6, 7, 8], [10, 9]), vec![1, 0]).unwrap();
    let reverse = Symmetry::new(cells([8, 7, 6, 5, 4, 3, 2, 1, 0], [9, 10]), vec![0, 1]).unwrap();
    let group = Group::new(&rules, &rules.start_positions(), &[players, reverse]).unwrap();
    Drawn { rules, group }
}

#[test]
fn dense_contents_up_to_symmetry_are_read_and_counted() {
    let grid = || runs(Grid { rows: 3, cols: 4 }, 3);
    for (drawn, is_marked) in [
        (drawn(grid(), true), false),
        (drawn(RulesSpec { terminal: Outcome::Draw, ..grid() }, true), true),
        (own_cells(), true),
    ] {
        let rules = &drawn.rules;
        let mut orbits = drawn.group.orbits_of_cells(rules.cells());
        orbits.sort_by_key(|orbit| (orbit.len(), orbit[0]));
        orbits.dedup();
        let mut places = vec![0; rules.cells() as usize];
        (0..).zip(orbits.concat().iter().rev()).for_each(|(place, &cell)| places[cell] = place);
        let layout = Layout::new(places).unwrap();
        let fold =
            (1..=rules.cells()).filter_map(|upper| Fold::new(rules, layout.clone(), upper, drawn.group.clone())).last();
        let fold = fold.unwrap();
        let starts = if is_marked { rules.start_positions() } else { Vec::new() };
        let mut written = Written::new(Domain::folded(fold.clone(), starts), rules);
        let all = drawn.every_position();
        let modes = rules.modes().len() as u64;
        let planes = if rules.can_draw() { 2 } else { 1 };
        for &position in &all {
            let (mode, index) = fold.place(position);
            let mode = u64::from(mode.0);
            let bits = 8 * written.outcomes.len() as u64 / (modes * planes);
            let win = mode * planes * bits + index;
            let byte = mode * (written.bytes.len() as u64 / modes) + index;
            let bit = mode * (8 * written.reached.len() as u64 / modes) + index;
            written.write(drawn.of(position), byte, bit, win, (planes == 2).then_some(win + bits));
        }
        check(&drawn, &written, &all);
        let contents = written.contents(rules);
        check_ranks(&contents, &all);
        let Contents::Dense(folded) = contents else { unreachable!() };
        assert_eq!(folded.reach().map(|reach| reach.roots()), is_marked.then_some(&rules.start_positions()[..]));
        assert_eq!(written.domain.stored_positions(rules), fold.stored_positions());
        assert_eq!(*written.domain.group(), drawn.group);
    }
}

/// A row of `squares` squares, with a symmetry that reverses it and exchanges the players.
fn reversed_row(squares: u8) -> Drawn {
    let spec = three_in_a_line(Grid { rows: 1, cols: squares.into() });
    let starts = [0, 1].map(|mode| Position::new(Mode(mode), Board::EMPTY)).to_vec();
    let rules = RulesSpec { start: Start::Opening(starts), ..spec }.build().unwrap();
    let symmetry = Symmetry::new((0..2 * squares).rev().collect(), vec![1, 0]).unwrap();
    let group = Group::new(&rules, &rules.start_positions(), &[symmetry]).unwrap();
    Drawn { rules, group }
}

#[test]
fn two_colour_contents_are_read_and_counted() {
    let lines = || three_in_a_line(Grid { rows: 2, cols: 4 });
    let one_bit = || RulesSpec { terminal: Outcome::Loss, ..three_in_a_line(Grid { rows: 2, cols: 3 }) };
    for (drawn, up_to_symmetry) in [
        (drawn(lines(), false), false),
        (drawn(lines(), true), true),
        (drawn(one_bit(), false), false),
        (drawn(one_bit(), true), true),
        (reversed_row(6), true),
    ] {
        let rules = &drawn.rules;
        let mut frame = Frame::of(rules, &Squares::of(rules, &[]), &[]).unwrap();
        if up_to_symmetry {
            let order = frame.squares().orbits(&drawn.group).unwrap().concat();
            frame = Frame::new(rules, frame.squares().in_order(&order), &[]).unwrap();
            let folds = (1..=frame.size()).filter_map(|top| frame.folded(rules, top, &drawn.group));
            frame = folds.last().unwrap();
        }
        let mut written = Written::new(Domain::Coloured(frame.clone()), rules);
        let has_place = |position: &Position| frame.place(*position).is_some();
        let all: Vec<Position> = drawn.every_position().into_iter().filter(has_place).collect();
        let plane = frame.words() * WORD;
        for &position in &all {
            let bit = frame.bit(frame.place(position).unwrap());
            let (slot, at) = (bit / plane, bit % plane);
            let loss = rules.can_draw().then_some((2 * slot + 1) * plane + at);
            let win = if loss.is_some() { 2 * slot * plane + at } else { bit };
            written.write(drawn.of(position), bit, bit, win, loss);
        }
        check(&drawn, &written, &all);
        let contents = written.contents(rules);
        check_ranks(&contents, &all);
        assert_eq!(written.domain.stored_positions(rules) == contents.count(), !up_to_symmetry);
        let Contents::Coloured(coloured) = contents else { unreachable!() };
        let mut expected = vec![Tally::default(); rules.modes().len()];
        for &position in &all {
            let (label, tally) = (drawn.of(position), &mut expected[usize::from(position.mode.0)]);
            tally.every.add(label.outcome);
            if label.is_reached {
                tally.reached.add(label.outcome);
            }
        }
        let tallies = coloured.tallies(|_| ControlFlow::Continue(())).unwrap().unwrap();
        assert_eq!(tallies.by_mode(&frame, rules.modes().len()), expected);
        let reached = all.iter().filter(|&&position| drawn.of(position).is_reached);
        let mut reached: Vec<_> = reached.map(|&position| (position, drawn.of(position).outcome)).collect();
        let mut found: Vec<_> = coloured.positions().map(Result::unwrap).collect();
        reached.sort_unstable_by_key(|(position, _)| *position);
        found.sort_unstable_by_key(|(position, _)| *position);
        assert_eq!(found, reached);
    }
}

/// A position that is both a win and a loss is found among the colourings of several words.
#[test]
fn a_damaged_colouring_is_named() {
    let Drawn { rules, .. } = &drawn(three_in_a_line(Grid { rows: 2, cols: 4 }), false);
    let frame = Frame::of(rules, &Squares::of(rules, &[]), &[]).unwrap();
    let mut written = Written::new(Domain::Coloured(frame.clone()), rules);
    let place = |colouring| Place { set: 0xff, slot: 0, colouring };
    let losses = frame.words() * WORD;
    for (colouring, plane) in [(193, 0), (195, losses), (200, 0), (200, losses)] {
        let bit = frame.bit(place(colouring)) + plane;
        written.outcomes[(bit / 8) as usize] |= 1 << (bit % 8);
    }
    let Contents::Coloured(coloured) = written.contents(rules) else { unreachable!() };
    let position = frame.position(place(200)).unwrap();
    assert_eq!(coloured.tallies(|_| ControlFlow::Continue(())), Err(LabelFault::NoOutcome { position }));
}

/// The stored positions, sorted and with their labels, and the levels of `potential`.
fn written_by_level(drawn: &Drawn, potential: &Potential, stored: &mut [Position]) -> Written {
    let rules = &drawn.rules;
    let codes = Codes::of(rules);
    stored.sort_by_key(|&position| (potential.level(position), codes.code(position)));
    let levels: Vec<&[Position]> = stored.chunk_by(|a, b| potential.level(*a) == potential.level(*b)).collect();
    let size = |level: &&[Position]| LevelSize { filled: potential.level(level[0]), count: level.len() as u64 };
    let sizes: Vec<LevelSize> = levels.iter().map(size).collect();
    let levels_of = Levels::new(rules, potential, &sizes).unwrap();
    let (starts, group) = (rules.start_positions(), drawn.group.clone());
    let domain = Domain::Sparse { levels: levels_of.clone(), starts, group };
    let mut written = Written::new(domain, rules);
    let width = LabelKind::Outcome.width(rules);
    let mut rank = 0;
    for (number, level) in levels.iter().enumerate() {
        append_keys(&mut written.keys, &codes, &[level.to_vec()], |_, position| codes.code(position)).unwrap();
        let from = levels_of.column_range(number, width).unwrap().start;
        for (index, &position) in level.iter().enumerate() {
            let label = drawn.of(position);
            written.bytes[rank] = label.byte;
            let bit = index * width.bits() as usize;
            written.outcomes[from as usize + bit / 8] |= width.of_outcome(label.outcome) << (bit % 8);
            rank += 1;
        }
    }
    written
}

#[test]
fn sparse_contents_are_read_and_counted() {
    // Pieces raise the level, or lower it.
    for (spec, weight) in [
        (runs(Grid { rows: 3, cols: 4 }, 3), 1),
        (three_in_a_line(Grid { rows: 1, cols: 6 }), 1),
        (men(Grid { rows: 2, cols: 3 }, 2), -1),
        (pairs(4), 1),
    ] {
        for up_to_symmetry in [false, true] {
            let drawn = drawn(spec.clone(), up_to_symmetry);
            let rules = &drawn.rules;
            let weights = (vec![weight; rules.cells() as usize], vec![0; rules.modes().len()]);
            let potential = Potential::new(weights.0, weights.1).unwrap();
            let reached = |position: &Position| drawn.of(*position).is_reached;
            let all: Vec<Position> = drawn.every_position().into_iter().filter(reached).collect();
            let is_stored = |position: &Position| drawn.group.representative(*position) == *position;
            let mut stored: Vec<Position> = all.iter().copied().filter(is_stored).collect();
            let written = written_by_level(&drawn, &potential, &mut stored);
            assert_eq!(written.domain.key_bytes(), Some(written.keys.len() as u64));
            check(&drawn, &written, &all);
            let contents = written.contents(rules);
            check_ranks(&contents, &stored);
            let others = drawn.every_position().into_iter().filter(|position| !reached(position));
            for position in others {
                assert_eq!((contents.outcome(position), contents.value(position)), (Ok(None), Ok(None)));
                assert_eq!(contents.index(position), Ok(None));
            }
            let Contents::Sparse(sparse) = contents else { unreachable!() };
            let found: Vec<_> = sparse.positions().map(Result::unwrap).collect();
            assert!(found.iter().map(|(position, _)| position).eq(&stored));
            assert!(found.iter().all(|&(position, outcome)| drawn.of(position).outcome == outcome));
            assert_eq!(written.domain.has_representatives(), !drawn.group.is_trivial());
            // Up to symmetry, the counts of a class are shared by the modes of its positions.
            let mut by_mode = vec![Counts::default(); rules.modes().len()];
            all.iter().for_each(|&position| by_mode[usize::from(position.mode.0)].add(drawn.of(position).outcome));
            assert_eq!(sparse.weighted().unwrap().by_mode, by_mode);
        }
    }
}

/// A level with more positions than one task counts.
#[test]
fn large_levels_are_counted_whole() {
    let drawn = drawn(runs(Grid { rows: 4, cols: 4 }, 1), false);
    let mut level: Vec<Position> =
        drawn.every_position().into_iter().filter(|position| position.board.count() == 8).collect();
    assert_eq!(level.len(), 12_870);
    let written = written_by_level(&drawn, &Potential::filled(&drawn.rules), &mut level);
    let mut counts = Counts::default();
    level.iter().for_each(|&position| counts.add(drawn.of(position).outcome));
    let Contents::Sparse(sparse) = written.contents(&drawn.rules) else { unreachable!() };
    assert_eq!(sparse.weighted().unwrap().by_mode, [counts]);
}

/// The symmetry exchanges both modes, so they share the counts.
#[test]
fn modes_of_a_class_share_its_counts() {
    let counts = |win, draw, loss| Counts { win, draw, loss };
    let shares = spread(&reversed_row(3).group, &[counts(8, 6, 2), counts(2, 4, 0)]);
    assert_eq!(shares, [counts(5, 5, 1), counts(5, 5, 1)]);
}
