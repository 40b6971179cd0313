//! The search against plain recursions by the rules, and on published positions.

use super::*;
use crate::rules::{Board, Line, Mode, Move, Node, Player, RulesSpec, Start, Terminal};
use rustc_hash::FxHashMap;

/// A game of the kind: cells `2 * square + colour`. `rays` has the rays of each square.
pub(super) fn game(rays: &[Vec<Vec<u8>>], passes: bool, counted: u64, more_is_better: bool) -> RulesSpec {
    let squares = rays.len() as u32;
    let cell = |square: u8, colour: usize| Board::bit(2 * u32::from(square) + colour as u32);
    let set = |squares: &[u8], colour| squares.iter().map(|&square| cell(square, colour)).collect::<Board>();
    let (mut moves, mut lists) = (Vec::new(), Vec::new());
    let names = if passes { &["black", "white", "black-again", "white-again"][..] } else { &["black", "white"] };
    for mode in 0..names.len() {
        let colour = mode % 2;
        for (square, of) in rays.iter().enumerate().filter(|(_, of)| !of.is_empty()) {
            let square = square as u8;
            let of_ray = |ray: &Vec<u8>| {
                let ray = ray.clone();
                (1..ray.len()).map(move |end| Line {
                    empty: Board::EMPTY,
                    full: set(&ray[..end], 1 - colour) | cell(ray[end], colour),
                    fills: set(&ray[..end], colour),
                    clears: set(&ray[..end], 1 - colour),
                })
            };
            lists.push(of.iter().flat_map(of_ray).collect());
            moves.push(Move {
                mode: Mode(mode as u16),
                empty: cell(square, 0) | cell(square, 1),
                next: Mode(1 - colour as u16),
                lines: Some(lists.len() as u16 - 1),
                ..Move::fill(cell(square, colour))
            });
        }
        if passes && mode < 2 {
            let (mode, next) = (Mode(mode as u16), Mode(3 - mode as u16));
            moves.push(Move { mode, next, otherwise: true, ..Move::fill(Board::EMPTY) });
        }
    }
    let players = [Player::First, Player::Second];
    let terminal = |mode: usize| {
        let of = |colour| {
            let squares: Vec<u8> = (0..squares as u8).filter(|&square| counted >> square & 1 == 1).collect();
            set(&squares, colour)
        };
        let own = if more_is_better { mode % 2 } else { 1 - mode % 2 };
        Terminal::Most { own: of(own), other: of(1 - own) }
    };
    RulesSpec {
        moves,
        lines: lists,
        modes: names.iter().map(ToString::to_string).collect(),
        players: (0..names.len()).map(|mode| players[mode % 2]).collect(),
        terminals: (0..names.len()).map(terminal).collect(),
        start: Start::At(Position::default()),
        ..RulesSpec::new("discs", 2 * squares)
    }
}

/// The rays of a board of `rows` rows and `cols` columns.
pub(super) fn grid(rows: i32, cols: i32) -> Vec<Vec<Vec<u8>>> {
    let steps = (-1..=1).flat_map(|row| (-1..=1).map(move |col| (row, col))).filter(|&step| step != (0, 0));
    let ray = |square: i32, (row, col): (i32, i32)| -> Vec<u8> {
        let at = (1..).map(|count| (square / cols + row * count, square % cols + col * count));
        let on_board = at.take_while(|&(row, col)| (0..rows).contains(&row) && (0..cols).contains(&col));
        on_board.map(|(row, col)| (row * cols + col) as u8).collect()
    };
    let of = |square| steps.clone().map(|step| ray(square, step)).filter(|ray| ray.len() > 1).collect();
    (0..rows * cols).map(of).collect()
}

/// The points where the game is over.
fn points_at_end(rules: &Rules, position: Position) -> i32 {
    let terminal = rules.terminal_at(position).unwrap_or_else(|| rules.terminal_in(position.mode));
    terminal.points(position.board).expect("pieces are counted")
}

/// The score by the rules alone.
fn plain(rules: &Rules, position: Position, known: &mut FxHashMap<Position, i32>) -> i32 {
    if let Some(&score) = known.get(&position) {
        return score;
    }
    let replies = rules.replies(Node::At(position));
    let score = match replies.iter().map(|&reply| -plain(rules, reply, known)).max() {
        Some(score) => score,
        None => points_at_end(rules, position),
    };
    known.insert(position, score);
    score
}

/// The same, within a window and without memory.
fn plain_within(rules: &Rules, position: Position, mut low: i32, high: i32) -> i32 {
    let replies = rules.replies(Node::At(position));
    if replies.is_empty() {
        return points_at_end(rules, position);
    }
    for reply in replies {
        low = low.max(-plain_within(rules, reply, -high, -low));
        if low >= high {
            break;
        }
    }
    low
}

const FOREVER: Effort = Effort { expanded: u64::MAX, work: u64::MAX };

fn score(search: &mut Discs, position: Position) -> i32 {
    let value = search.value(position, Wanted::Score, None, &mut Effort::default(), FOREVER).expect("no limit");
    assert_eq!(value.outcome, Outcome::of_points(value.score().expect("a score")));
    value.score().expect("a score")
}

/// Compares the score, the outcome and the best moves with `expected` and with the scores of the positions after the moves.
fn check(rules: &Rules, search: &mut Discs, position: Position, known: &mut FxHashMap<Position, i32>) {
    let expected = plain(rules, position, known);
    for wanted in [Wanted::Outcome, Wanted::Score] {
        let value = search.value(position, wanted, None, &mut Effort::default(), FOREVER).expect("no limit");
        assert_eq!(value.outcome, Outcome::of_points(expected), "{position:?}");
        assert_eq!(value.score(), (wanted == Wanted::Score).then_some(expected), "{position:?}");
        let replies = rules.replies(Node::At(position));
        let Some(best) = search.best() else {
            assert!(replies.is_empty(), "{position:?}");
            continue;
        };
        assert!(replies.contains(&best), "{position:?}");
        let of_best = -plain(rules, best, known);
        let is_best = if wanted == Wanted::Score { of_best == expected } else { of_best.signum() == expected.signum() };
        assert!(is_best, "{position:?}");
    }
}

/// A board with pieces of random colours and `free` free squares.
pub(super) fn random_board(rng: &mut fastrand::Rng, squares: u32, free: u32) -> Board {
    let mut order: Vec<u32> = (0..squares).collect();
    rng.shuffle(&mut order);
    order.iter().skip(free as usize).map(|square| Board::bit(2 * square + rng.u32(..2))).collect()
}

/// Random rays, or those of a grid from which some squares are missing.
fn random_rays(rng: &mut fastrand::Rng) -> Vec<Vec<Vec<u8>>> {
    if rng.bool() {
        let squares = rng.u8(4..10);
        let ray = |rng: &mut fastrand::Rng, from: u8| {
            let mut ray: Vec<u8> = (0..squares).filter(|&square| square != from).collect();
            rng.shuffle(&mut ray);
            ray.truncate(rng.usize(2..5));
            if rng.bool() {
                ray.sort_unstable_by_key(|&square| square.abs_diff(from));
            }
            ray
        };
        return (0..squares).map(|from| (0..rng.usize(..7)).map(|_| ray(rng, from)).collect()).collect();
    }
    let (rows, cols) = (rng.i32(1..5), rng.i32(3..5));
    let rays = grid(rows, cols);
    let (holes, steps) = (rng.u64(..) & rng.u64(..) & rng.u64(..), rng.u8(1..));
    let to: Vec<u8> = (0..rays.len()).map(|it| (((1u64 << it) - 1) & !holes).count_ones() as u8).collect();
    let is_hole = |square: u8| holes >> square & 1 == 1;
    let kept = rays.into_iter().enumerate().filter(|&(square, _)| !is_hole(square as u8));
    kept.map(|(square, of)| {
        let cut = |ray: Vec<u8>| ray.into_iter().take_while(|&it| !is_hole(it)).collect::<Vec<u8>>();
        // Also boards on which only some directions turn over.
        let has = |ray: &Vec<u8>| ray.len() > 1 && steps >> (ray[0].wrapping_sub(square as u8) & 7) & 1 == 1;
        of.into_iter().map(cut).filter(has).map(|ray| ray.iter().map(|&it| to[usize::from(it)]).collect()).collect()
    })
    .collect()
}

/// Random games of the kind, with their numbers of squares.
pub(super) fn random_games(seed: u64, count: usize) -> impl Iterator<Item = (Rules, u32)> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let make = move || {
        let rays = random_rays(&mut rng);
        let squares = rays.len() as u32;
        if squares == 0 {
            return None;
        }
        let counted = if rng.bool() { (1 << squares) - 1 } else { rng.u64(..1 << squares) };
        let rules = game(&rays, rng.u8(..4) > 0, counted, rng.u8(..4) > 0).build().expect("sound rules");
        (Kind::of(&rules).is_some()).then_some((rules, squares))
    };
    std::iter::repeat_with(make).flatten().take(count)
}

#[test]
fn moves_are_those_of_the_rules() {
    let mut rng = fastrand::Rng::with_seed(3);
    let whole = (1..9).flat_map(|rows| (3..9).map(move |cols| (rows, cols)));
    let grids =
        whole.map(|(rows, cols)| (game(&grid(rows, cols), true, 1, true).build().unwrap(), (rows * cols) as u32));
    let (mut by_shifts, mut turned) = (0, 0);
    for (rules, squares) in grids.chain(random_games(4, 300)).chain([(long_row(), 20)]) {
        let kind = Kind::of(&rules).expect("a game of the kind");
        let lines = Lines::new(&kind);
        by_shifts += usize::from(lines.shifts().is_some());
        let plain = Lines::new(&kind).without_shifts();
        for _ in 0..40 {
            let free = rng.u32(1..=squares.min(12));
            let (board, mode) = (random_board(&mut rng, squares, free), rng.u16(..rules.modes().len() as u16));
            let position = Position::new(Mode(mode), board);
            let discs = kind.discs(position).expect("no square has both colours");
            let moves = lines.moves(discs.own, discs.other);
            assert_eq!(moves, plain.moves(discs.own, discs.other), "{rules:?}");
            let after = |square: u32| {
                let turned = lines.flips(square, discs.own, discs.other);
                kind.after(position, discs.own | turned | 1 << square, discs.other & !turned)
            };
            let mut found: Vec<Position> = Board::from_word(moves).bits().map(after).collect();
            turned += found.len();
            if found.is_empty() && discs.may_pass {
                found.extend(kind.passed(position));
            }
            let mut expected = rules.replies(Node::At(position));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{rules:?} {position:?}");
        }
    }
    assert!((60..300).contains(&by_shifts) && turned > 5_000, "{by_shifts} {turned}");
}

/// A row of twenty squares.
fn long_row() -> Rules {
    game(&grid(1, 20), true, 1, true).build().expect("sound rules")
}

#[test]
fn scores_of_all_boards_of_three_by_three() {
    let rules = game(&grid(3, 3), true, 511, true).build().unwrap();
    let (mut search, mut known) = (Discs::new(&rules, 1 << 16).unwrap(), FxHashMap::default());
    for number in 0..3u32.pow(9) {
        let piece = |square: u32| match number / 3u32.pow(square) % 3 {
            0 => Board::EMPTY,
            colour => Board::bit(2 * square + colour - 1),
        };
        let board = (0..9).map(piece).collect();
        for mode in [0, 3] {
            check(&rules, &mut search, Position::new(Mode(mode), board), &mut known);
        }
    }
}

#[test]
fn scores_of_random_games() {
    let mut rng = fastrand::Rng::with_seed(8);
    for (rules, squares) in random_games(7, 300) {
        let (mut search, mut known) = (Discs::new(&rules, 1 << 8).expect("a game of the kind"), FxHashMap::default());
        for _ in 0..20 {
            let free = rng.u32(..=squares.min(7));
            let (board, mode) = (random_board(&mut rng, squares, free), rng.u16(..rules.modes().len() as u16));
            check(&rules, &mut search, Position::new(Mode(mode), board), &mut known);
        }
    }
}

/// A position of `rules` with about `free` free squares after random play from four pieces in the middle.
fn random_play(rules: &Rules, rng: &mut fastrand::Rng, cols: u32, free: u32) -> Position {
    loop {
        let squares = rules.cells() / 2;
        let middle = (squares / cols / 2 - 1) * cols + cols / 2 - 1;
        let pieces = [(middle, 1), (middle + 1, 0), (middle + cols, 0), (middle + cols + 1, 1)];
        let mut at = Position::of(pieces.into_iter().map(|(square, colour)| Board::bit(2 * square + colour)).collect());
        while squares - at.board.count() > free {
            let Some(&next) = rng.choice(&rules.replies(Node::At(at))) else { break };
            at = next;
        }
        if squares - at.board.count() == free {
            return at;
        }
    }
}

#[test]
fn scores_of_endings() {
    let mut rng = fastrand::Rng::with_seed(9);
    for (size, most) in [(6, 9), (8, 8)] {
        let rules = game(&grid(size, size), true, u64::MAX >> (64 - size * size), true).build().unwrap();
        let mut searches = [Discs::new(&rules, 1 << 8).unwrap(), Discs::new(&rules, 1 << 20).unwrap()];
        // The same code, compiled for other instructions.
        searches[0].unit = VectorUnit::Portable;
        for number in 0..60 {
            let position = random_play(&rules, &mut rng, size as u32, number % most + 1);
            let expected = plain_within(&rules, position, -100, 100);
            assert_eq!([0, 1].map(|it| score(&mut searches[it], position)), [expected; 2], "{position:?}");
        }
    }
}

/// The position of a board of 64 signs and the side to move.
fn position(text: &str) -> Position {
    let piece = |(square, sign)| match sign {
        'X' => Board::bit(2 * square as u32),
        'O' => Board::bit(2 * square as u32 + 1),
        _ => Board::EMPTY,
    };
    Position::new(Mode(u16::from(&text[65..66] == "O")), text[..64].chars().enumerate().map(piece).collect())
}

/// Forum problems of the Fédération Française d'Othello, numbers 1, 5 and 20, with their scores.
const PUBLISHED: [(&str, i32); 3] = [
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18),
    ("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X", 32),
    ("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X", 6),
];

/// The published scores give the free squares at the end to the winner.
#[test]
fn published_scores() {
    let rules = game(&grid(8, 8), true, u64::MAX, true).build().unwrap();
    let mut search = Discs::new(&rules, 1 << 22).unwrap();
    for (text, expected) in PUBLISHED {
        let mut at = position(text);
        let margin = score(&mut search, at);
        while let Some(best) = {
            score(&mut search, at);
            search.best()
        } {
            at = best;
        }
        let free = 64 - at.board.count() as i32;
        assert_eq!(margin + margin.signum() * free, expected, "{text}");
    }
}

/// The start of 4x4, which the player who moves first loses by 11 pieces to 3.
#[test]
fn threads_limits_and_small_tables_keep_scores() {
    let rules = game(&grid(4, 4), true, 0xffff, true).build().unwrap();
    let start = random_play(&rules, &mut fastrand::Rng::with_seed(1), 4, 12);
    for (threads, bytes) in [(1, 128), (1, 1 << 20), (3, 128), (3, 1 << 20)] {
        let mut search = Discs::new(&rules, bytes).unwrap();
        search.set_threads(threads);
        assert_eq!(score(&mut search, start), -8, "{threads} {bytes}");
    }
    // Threads on a board where they have something to do.
    let at = position(PUBLISHED[0].0);
    let rules = game(&grid(8, 8), true, u64::MAX, true).build().unwrap();
    for threads in [2, 3] {
        let mut search = Discs::new(&rules, 1 << 16).unwrap();
        search.set_threads(threads);
        assert_eq!(score(&mut search, at), 18);
    }
}

#[test]
fn searches_stop_and_resume() {
    let rules = game(&grid(8, 8), true, u64::MAX, true).build().unwrap();
    let mut search = Discs::new(&rules, 1 << 22).unwrap();
    let (at, mut effort, mut looks) = (position(PUBLISHED[0].0), Effort::default(), 0);
    for limit in [0, 1, 100, 5000] {
        let end = effort.end(limit);
        assert_eq!(search.value(at, Wanted::Score, None, &mut effort, end), None);
        assert_eq!((effort.expanded, search.best()), (end.expanded, None));
    }
    let stop = &mut |_| {
        looks += 1;
        looks < 2
    };
    assert_eq!(search.value(at, Wanted::Score, Some(stop), &mut effort, FOREVER), None);
    assert_eq!(looks, 2);
    // The table keeps what stopped searches found.
    let more = (0..40).find_map(|_| {
        let end = effort.end(2000);
        search.value(at, Wanted::Score, None, &mut effort, end)
    });
    assert_eq!(more.and_then(|value| value.score()), Some(18));
    assert!(search.best().is_some());
    // A few free squares need no limit worth the name.
    let end = effort.end(20);
    assert!(search.value(position(PUBLISHED[2].0), Wanted::Score, None, &mut effort, end).is_some());
}

#[test]
fn boards_with_both_colours_on_a_square_are_left_to_others() {
    let rules = game(&grid(3, 3), true, 511, true).build().unwrap();
    let mut search = Discs::new(&rules, 1 << 10).unwrap();
    let both = Position::of(Board::from_word(0b11));
    assert!(!search.answers(both) && search.answers(Position::default()));
    assert_eq!(search.value(both, Wanted::Score, None, &mut Effort::default(), FOREVER), None);
    assert!([Wanted::Outcome, Wanted::Score].iter().all(|&it| search.offers(it)) && !search.offers(Wanted::Plies));
    assert!(Discs::new(&rules, 127).is_none());
}

/// Measures: the positions of the file that OBF names, at most MOST of them.
#[test]
#[ignore = "measures"]
fn published_file() {
    let rules = game(&grid(8, 8), true, u64::MAX, true).build().unwrap();
    let text = std::fs::read_to_string(std::env::var("OBF").unwrap()).unwrap();
    let number = |name, usual| std::env::var(name).map_or(usual, |it| it.parse().unwrap());
    for line in text.lines().filter(|line| line.len() > 60).take(number("MOST", 99)) {
        let expected: Option<i32> = line.split(&[':', ';']).nth(2).and_then(|it| it.trim().parse().ok());
        let mut search = Discs::new(&rules, 64 << 20).unwrap();
        search.set_threads(number("THREADS", 1));
        let (mut effort, start) = (Effort::default(), std::time::Instant::now());
        let value = search.value(position(line), Wanted::Score, None, &mut effort, FOREVER).unwrap();
        let free = line[..64].matches('-').count();
        println!("{free} {:?} {expected:?} {} {:.3?}", value.score(), effort.expanded, start.elapsed());
    }
}
