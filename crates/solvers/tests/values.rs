//! Values of boards, compared with canonical forms computed by the definitions.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use tablegen_cgt::reference::Tree;
use tablegen_cgt::{Calculator, Comparer, Store, Value};
use tablegen_index::values::Values;
use tablegen_rules::{Board, Mode, Move, Player, Position, Rules, RulesSpec, Sides, Start};
use tablegen_solvers::{Options, SolveError, SolvedValues, ValuedBoards, solve_values};

/// The values of a dictionary, each of which must be a new canonical form.
fn store(values: &Values<'_>) -> Store {
    let (mut store, mut comparer) = (Store::default(), Comparer::default());
    for number in 1..values.dictionary.len() {
        let entry = values.dictionary.entry(number).unwrap().unwrap();
        let [lefts, rights] = entry.options.map(|list| list.into_iter().map(Value::from_number).collect::<Vec<_>>());
        assert_eq!(store.push(&mut comparer, &lefts, &rights), Ok(Value::from_number(number)));
    }
    store
}

/// The boards after the finished turns from a position of rules with two modes, and those within the turns.
fn turns(rules: &Rules, from: Position, within: &mut BTreeSet<Board>) -> BTreeSet<Board> {
    let mut finished = BTreeSet::new();
    for step in rules.steps(from) {
        if !step.again {
            finished.insert(step.to.board);
        } else if within.insert(step.to.board) {
            finished.extend(turns(rules, step.to, within));
        }
    }
    finished
}

/// The game of a board in rules with two modes, by recursion.
fn tree(rules: &Rules, board: Board, known: &mut HashMap<Board, Tree>) -> Tree {
    if let Some(tree) = known.get(&board) {
        return tree.clone();
    }
    let options = [0, 1].map(|mode| {
        let mut within = BTreeSet::new();
        let next = turns(rules, Position::new(Mode(mode), board), &mut within);
        // A board within a turn has a value as if a turn began there.
        within.into_iter().for_each(|next| drop(tree(rules, next, known)));
        next.into_iter().map(|next| tree(rules, next, known)).collect::<Vec<_>>()
    });
    let [lefts, rights] = options;
    let tree = Tree { lefts, rights }.canonical();
    known.insert(board, tree.clone());
    tree
}

fn solved(rules: &Rules, boards: ValuedBoards) -> SolvedValues {
    let sides = Sides::of(rules, true).unwrap();
    solve_values(rules, sides, boards, &Options::default()).unwrap()
}

/// Panics unless each board has the value that recursion finds. Returns the number of boards.
fn check(rules: &Rules, solved: &SolvedValues) -> u64 {
    let (values, mut known) = (solved.values(), HashMap::new());
    let store = store(&values);
    let mut counts = vec![0; store.len()];
    let each = |rank, board| {
        let number = values.number_at(rank).unwrap();
        assert_eq!(values.number(board).unwrap(), Some(number));
        assert_eq!(Tree::of(&store, Value::from_number(number)), tree(rules, board, &mut known), "{board:?}");
        counts[number as usize] += 1;
    };
    values.index.boards(values.keys, 0, values.index.count(), each).unwrap();
    for (number, &count) in (0..).zip(&counts) {
        assert_eq!(values.dictionary.entry(number).unwrap().unwrap().boards, count);
    }
    counts.iter().sum()
}

/// A move of a mode that needs some cells empty and some full, and fills or clears some of them.
fn any_move(cells: u32, clears: bool, again: bool) -> impl Strategy<Value = Move> {
    let full = Board::full(cells).low_word();
    let masks = (0..=full, 0..=full, 0..=full, 0..=full);
    (0..2u16, 0..2u16, masks).prop_map(move |(mode, other, (empty, needed, fills, cleared))| {
        let needed = needed & !empty;
        let cleared = if clears { cleared & needed } else { 0 };
        let fills = fills & !cleared & !needed | (u64::from(empty & fills == 0) * empty);
        let of = Board::from_word;
        let (mode, next) = (Mode(mode), Mode(if again { other } else { 1 - mode }));
        Move { mode, next, empty: of(empty), full: of(needed), clears: of(cleared), ..Move::fill(of(fills)) }
    })
}

/// Rules of two modes. If `again` is set, a move may leave the player in the same mode.
fn any_rules(clears: bool, again: bool) -> impl Strategy<Value = Rules> {
    (2..=5u32).prop_flat_map(move |cells| {
        let start = 0..=Board::full(cells).low_word();
        (prop::collection::vec(any_move(cells, clears, again), 1..8), start).prop_filter_map(
            "sound rules",
            move |(moves, start)| {
                // If moves only fill cells, a pass makes boards repeat, and then they have no values.
                if !clears && moves.iter().any(Move::is_pass) {
                    return None;
                }
                let modes = vec!["left".into(), "right".into()];
                let start = Start::At(Position::of(Board::from_word(start)));
                let players = if again { vec![Player::First, Player::Second] } else { Vec::new() };
                RulesSpec { moves, modes, players, start, ..RulesSpec::new("any", cells) }.build().ok()
            },
        )
    })
}

proptest! {
    #[test]
    fn every_board_has_the_value_of_its_tree(rules in any_rules(false, false)) {
        prop_assert_eq!(check(&rules, &solved(&rules, ValuedBoards::Every)), 1 << rules.cells());
    }

    /// The boards are those that either player reaches from the start.
    #[test]
    fn reached_boards_have_the_values_of_their_trees(rules in prop_oneof![any_rules(true, false), any_rules(true, true)]) {
        prop_assume!(Sides::of(&rules, true).is_ok());
        let count = check(&rules, &solved(&rules, ValuedBoards::Reached));
        let mut reached = HashMap::new();
        tree(&rules, rules.start_positions()[0].board, &mut reached);
        prop_assert_eq!(count, reached.len() as u64);
    }
}

/// The game called `name` of the library, with these numbers of rows and columns.
fn board_game(name: &str, rows: u32, cols: u32) -> Box<dyn tablegen_games::Game> {
    let set = tablegen_games::Parameters::new().with("rows", rows).with("cols", cols);
    tablegen_games::bundled(name, &set).unwrap().unwrap()
}

/// The numbers of different values that a sketch by other means found.
#[test]
fn domineering_has_as_many_values_as_were_counted_before() {
    for (rows, cols, values) in [(4, 4, 717), (4, 5, 5_891)] {
        let game = board_game("domineering", rows, cols);
        assert_eq!(solved(game.rules(), ValuedBoards::Every).values().dictionary.len(), values);
    }
}

/// A turn of Amazons has two moves, and Konane begins with moves of its own; boards within a turn have no values.
#[test]
fn turns_of_several_moves_are_one_option() {
    let game = board_game("amazons", 2, 3);
    let solved = solved(game.rules(), ValuedBoards::Reached);
    let (values, mut calculator) = (solved.values(), Calculator::default());
    let store = store(&values);
    let sides = Sides::of(game.rules(), true).unwrap();
    let [white, black] = sides.both();
    let start = game.rules().start_positions()[0].board;
    let turns = |mode, board| {
        let moves = game.rules().successors(Position::new(mode, board));
        moves.flat_map(|within| game.rules().successors(within)).map(|next| next.board).collect::<Vec<_>>()
    };
    fn value(
        board: Board,
        turns: &impl Fn(Mode, Board) -> Vec<Board>,
        modes: [Mode; 2],
        calculator: &mut Calculator,
        known: &mut HashMap<Board, Value>,
    ) -> Value {
        if let Some(&known) = known.get(&board) {
            return known;
        }
        let [lefts, rights] = modes.map(|mode| {
            turns(mode, board).into_iter().map(|next| value(next, turns, modes, calculator, known)).collect::<Vec<_>>()
        });
        let found = calculator.simplified(&lefts, &rights).unwrap();
        known.insert(board, found);
        found
    }
    let mut known = HashMap::new();
    value(start, &turns, [white, black], &mut calculator, &mut known);
    assert_eq!(values.index.count(), known.len() as u64);
    for (&board, &expected) in &known {
        let number = values.number(board).unwrap().unwrap();
        let found = calculator.import(&store, Value::from_number(number)).unwrap();
        assert_eq!(found, expected, "{board:?}");
    }
}

/// The opening of Konane is no turn that either player can make, so its boards have no values.
#[test]
fn boards_of_an_opening_have_no_values() {
    let game = board_game("konane", 2, 4);
    let solved = solved(game.rules(), ValuedBoards::Reached);
    assert_eq!(solved.values().number(game.rules().start_positions()[0].board).unwrap(), None);
}

/// A game as numbered boards: for each board and each player, the boards after a turn.
struct Turns(Vec<[Vec<usize>; 2]>);

/// The boards of `solved`, their turns, and the values of the boards.
fn numbered(rules: &Rules, solved: &SolvedValues) -> (Turns, Vec<Value>) {
    let (values, sides) = (solved.values(), Sides::of(rules, true).unwrap());
    let (mut turns, mut numbers) = (Vec::new(), Vec::new());
    let each = |rank, board| {
        let mut both = [Vec::new(), Vec::new()];
        sides.turns(rules, board, |is_right, next| {
            both[usize::from(is_right)].push(values.index.rank(values.keys, next).unwrap().unwrap() as usize);
        });
        turns.push(both);
        numbers.push(Value::from_number(values.number_at(rank).unwrap()));
    };
    values.index.boards(values.keys, 0, values.index.count(), each).unwrap();
    (Turns(turns), numbers)
}

impl Turns {
    /// Whether `mover` (0 Left, 1 Right) wins `g - h` moving first, by search: in `-h` each player makes the other's turns.
    fn wins(&self, (g, h): (usize, usize), mover: usize, known: &mut HashMap<(usize, usize, usize), bool>) -> bool {
        if let Some(&known) = known.get(&(g, h, mover)) {
            return known;
        }
        let mut wins = false;
        for next in 0..self.0[g][mover].len() + self.0[h][1 - mover].len() {
            let here = self.0[g][mover].get(next);
            let after = match here {
                Some(&to) => (to, h),
                None => (g, self.0[h][1 - mover][next - self.0[g][mover].len()]),
            };
            if !self.wins(after, 1 - mover, known) {
                wins = true;
                break;
            }
        }
        known.insert((g, h, mover), wins);
        wins
    }
}

/// `G >= H` exactly if Right, moving first, loses the difference: 100,000 random pairs of boards of the seven partizan games.
#[test]
fn values_compare_as_a_search_of_the_difference_says() {
    let toads = tablegen_games::Parameters::new().with("toads", 2).with("gap", 3).with("frogs", 2);
    let toads = tablegen_games::bundled("toads-and-frogs", &toads).unwrap().unwrap();
    let games =
        [("domineering", 3, 3), ("col", 2, 3), ("snort", 2, 3), ("clobber", 2, 4), ("konane", 2, 5), ("amazons", 2, 3)];
    let games = games.map(|(name, rows, cols)| board_game(name, rows, cols));
    let games: Vec<_> = games.into_iter().chain([toads]).collect();
    let mut draw = fastrand::Rng::with_seed(39);
    for game in &games {
        let fills = game.rules().moves().iter().all(|m| m.clears.is_empty()) && game.rules().cells() <= 12;
        let boards = if fills { ValuedBoards::Every } else { ValuedBoards::Reached };
        let solved = solved(game.rules(), boards);
        let (turns, numbers) = numbered(game.rules(), &solved);
        let store = store(&solved.values());
        let (mut comparer, mut known, mut at_least) = (Comparer::default(), HashMap::new(), 0);
        for _ in 0..100_000usize.div_ceil(games.len()) {
            let pair = (draw.usize(..numbers.len()), draw.usize(..numbers.len()));
            let found = comparer.at_most(&store, numbers[pair.1], numbers[pair.0]).unwrap();
            assert_eq!(found, !turns.wins(pair, 1, &mut known), "{}: {pair:?}", game.rules().name());
            at_least += usize::from(found);
        }
        assert!(at_least > 1000, "{}: {at_least}", game.rules().name());
    }
}

/// The memory limit holds for the numbers of boards and for the dictionary.
#[test]
fn too_little_memory_is_an_error() {
    let game = board_game("domineering", 4, 4);
    let sides = Sides::of(game.rules(), true).unwrap();
    let with = |max_bytes| {
        let options = Options { max_bytes: Some(max_bytes), ..Options::default() };
        solve_values(game.rules(), sides, ValuedBoards::Every, &options).map(drop)
    };
    // The numbers of 65,536 boards take 262,144 bytes.
    let error = with(262_143).unwrap_err();
    assert!(matches!(error, SolveError::LabelMemory { needed: 262_144, allowed: 262_143 }), "{error}");
    // A refusal of values found so far says that all values may need more. The last one names what suffices.
    let (mut bytes, mut refusals) = (262_144, 0);
    while let Err(error) = with(bytes) {
        assert!(error.to_string().ends_with("all values may need more"), "{error}");
        let SolveError::ValueMemory { needed, allowed } = error else { panic!("{error}") };
        assert!(allowed == bytes && needed > bytes, "{needed}, {allowed}");
        (bytes, refusals) = (needed, refusals + 1);
    }
    assert!(refusals > 0);
    assert!(with(1 << 20).is_ok());
}

/// The number of threads makes no difference to any byte.
#[test]
fn threads_make_no_difference() {
    for (name, boards) in [("domineering", ValuedBoards::Every), ("clobber", ValuedBoards::Reached)] {
        let game = board_game(name, 3, 4);
        let of = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let solved = pool.install(|| solved(game.rules(), boards));
            let values = solved.values();
            let bytes = |bytes: tablegen_index::compressed::Bytes<'_>| bytes.all().unwrap().into_owned();
            [values.keys, values.numbers, values.dictionary.bytes()].map(bytes)
        };
        let alone = of(1);
        assert!([2, 5].into_iter().all(|threads| of(threads) == alone), "{name}");
    }
}
