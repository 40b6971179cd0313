//! Games that need one key each: slides that go as far as they can, jumps along a graph, repeated signs, lines of an exact length, and
//! a swap of sides. Independent models check them, as in [`super::moving`].

use fastrand::Rng;

use crate::model::{CORNERS, Model, SIDES, State, Step, at, has_line, in_turn, never, of, on, start, state, with};
use crate::rules_file::game;
use tablegen::game::Game;
use tablegen::rules::Outcome;

/// The letters of the player to move and of the other player, and the other player's mode.
fn letters(mode: &str, first: &'static str, second: &'static str, own: [char; 2]) -> (char, char, &'static str) {
    if mode == first { (own[0], own[1], second) } else { (own[1], own[0], first) }
}

fn dao_moves((board, mode): &State) -> Vec<State> {
    let (own, _, next) = letters(mode, "black", "white", ['B', 'W']);
    let slide = |from: Step, way: Step| {
        let far = (1..).take_while(|&far| at(board, on(from, way, far)) == Some('.')).last()?;
        Some((with(board, &[(from, '.'), (on(from, way, far), own)]), next.to_owned()))
    };
    let ways = || SIDES.into_iter().chain(CORNERS);
    of(board, own).into_iter().flat_map(|from| ways().filter_map(move |way| slide(from, way))).collect()
}

fn dao_over((board, mode): &State) -> Option<Outcome> {
    let (own, other, _) = letters(mode, "black", "white", ['B', 'W']);
    let last = board.len() as i32 - 1;
    let has = |stone: char, (row, col): Step| {
        let stones = of(board, stone);
        stones.len() == 4
            && (stones.iter().all(|it| it.0 == stones[0].0)
                || stones.iter().all(|it| it.1 == stones[0].1)
                || stones.iter().all(|it| [0, last].contains(&it.0) && [0, 3].contains(&it.1))
                || stones.iter().all(|it| (row..=row + 1).contains(&it.0) && (col..=col + 1).contains(&it.1)))
    };
    let squares = || (0..last).flat_map(|row| (0..3).map(move |col| (row, col)));
    if squares().any(|square| has(other, square)) {
        return Some(Outcome::Loss);
    }
    // A stone in a corner with three stones of the other side around it wins for its owner.
    let is_trapped = |stone: char, by: char| {
        let corners =
            [(0, 0), (0, 3), (last, 0), (last, 3)].into_iter().filter(|&corner| at(board, corner) == Some(stone));
        let around = |corner: Step| SIDES.into_iter().chain(CORNERS).map(move |way| at(board, on(corner, way, 1)));
        corners.into_iter().any(|corner| around(corner).filter(|&it| it == Some(by)).count() == 3)
    };
    if is_trapped(own, other) {
        return Some(Outcome::Win);
    }
    is_trapped(other, own).then_some(Outcome::Loss)
}

#[test]
fn dao() {
    let model = Model { terminal: Outcome::Loss, over: &dao_over, moves: &dao_moves, again: in_turn };
    model.agrees("dao", "rows=3");
}

/// The whole game has too many positions for a plain model. Along random play, moves and ends are those of the model.
#[test]
fn whole_game_of_dao() {
    let game = game("dao", "");
    let mut rng = Rng::with_seed(7);
    let mut ended = 0;
    for _ in 0..150 {
        let mut position = start(&game);
        for _ in 0..80 {
            let now = state(&game, position.into());
            let over = dao_over(&now);
            assert_eq!(game.rules().ended(position), over, "{now:?}");
            if over.is_some() {
                ended += 1;
                break;
            }
            let mut expected = dao_moves(&now);
            expected.sort();
            expected.dedup();
            let replies = game.rules().replies(position.into());
            let mut found: Vec<State> = replies.iter().map(|&reply| state(&game, reply.into())).collect();
            found.sort();
            assert_eq!(found, expected, "{now:?}");
            position = replies[rng.usize(..replies.len())];
        }
    }
    assert!(ended > 50, "{ended} games ended");
}

#[test]
fn tsoro_yematatu() {
    // The seven points, and the lines of three.
    const LINES: [[Step; 3]; 5] = [
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (1, 1), (2, 1)],
        [(0, 0), (1, 2), (2, 2)],
        [(1, 0), (1, 1), (1, 2)],
        [(2, 0), (2, 1), (2, 2)],
    ];
    let own = |mode: &str| if mode.starts_with('x') { ('X', 'O') } else { ('O', 'X') };
    let hands = |mode: &str| -> [i32; 2] {
        let mut numbers = mode.split('-').skip(1).map(|number| number.parse().unwrap());
        [numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)]
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let ((stone, _), hands) = (own(mode), hands(mode));
        let side = usize::from(stone == 'O');
        let next = |hands: [i32; 2]| {
            let other = if side == 0 { "o" } else { "x" };
            if hands == [0, 0] { other.into() } else { format!("{other}-{}-{}", hands[0], hands[1]) }
        };
        let free = of(board, '.');
        if hands[side] > 0 {
            let mut left = hands;
            left[side] -= 1;
            return free.into_iter().map(|to| (with(board, &[(to, stone)]), next(left))).collect();
        }
        let steps = LINES.iter().flat_map(|&[a, b, c]| [(a, b), (b, a), (b, c), (c, b)]);
        // A jump needs a stone to jump over.
        let jumps = LINES.iter().filter(|line| at(board, line[1]) != Some('.')).flat_map(|&[a, _, c]| [(a, c), (c, a)]);
        let may = |&(from, to): &(Step, Step)| at(board, from) == Some(stone) && at(board, to) == Some('.');
        let moved = |(from, to): (Step, Step)| (with(board, &[(from, '.'), (to, stone)]), next(hands));
        steps.chain(jumps).filter(may).map(moved).collect()
    };
    let over = |(board, mode): &State| {
        let (_, other) = own(mode);
        LINES.iter().any(|line| line.iter().all(|&point| at(board, point) == Some(other))).then_some(Outcome::Loss)
    };
    let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn };
    model.agrees("tsoro-yematatu", "");
}

/// The slope of Ski-Jumps: jumpers as `L` and `R`, slippers as `l` and `r`.
fn slope(board: &[Vec<char>]) -> Vec<Vec<char>> {
    let merged = |row: &Vec<char>| {
        let cols = row.len() / 2;
        let both = |col: usize| match (row[col], row[cols + 1 + col]) {
            (jumper, '.') => jumper,
            ('.', slipper) => slipper.to_ascii_lowercase(),
            both => panic!("two skiers on a square: {both:?}"),
        };
        (0..cols).map(both).collect()
    };
    board.iter().map(merged).collect()
}

fn halves(slope: &[Vec<char>]) -> Vec<Vec<char>> {
    let jumper = |&skier: &char| if skier.is_ascii_uppercase() { skier } else { '.' };
    let slipper = |&skier: &char| if skier.is_ascii_lowercase() { skier.to_ascii_uppercase() } else { '.' };
    slope.iter().map(|row| row.iter().map(jumper).chain(['#']).chain(row.iter().map(slipper)).collect()).collect()
}

#[test]
fn ski_jumps() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let slope = slope(board);
        let (own, other, way, next) =
            if mode == "left" { ('L', 'R', (0, 1), "right") } else { ('R', 'L', (0, -1), "left") };
        let mut after = Vec::new();
        for skier in [own, own.to_ascii_lowercase()] {
            for from in of(&slope, skier) {
                let left = with(&slope, &[(from, '.')]);
                for far in 1.. {
                    match at(&slope, on(from, way, far)) {
                        Some('.') => after.push(with(&left, &[(on(from, way, far), skier)])),
                        Some(_) => break,
                        None => {
                            after.push(left.clone());
                            break;
                        }
                    }
                }
                let [over, to] = [1, 2].map(|far| on(from, (1, 0), far));
                let victim = at(&slope, over).unwrap_or('.');
                if skier == own && victim.eq_ignore_ascii_case(&other) && at(&slope, to) == Some('.') {
                    after.push(with(&left, &[(over, other.to_ascii_lowercase()), (to, own)]));
                }
            }
        }
        after.into_iter().map(|slope| (halves(&slope), next.to_owned())).collect()
    };
    for (play, terminal) in [("normal", Outcome::Loss), ("misere", Outcome::Win)] {
        let model = Model { terminal, over: &never, moves: &moves, again: in_turn };
        for size in
            ["rows=3 cols=1", "rows=3 cols=2", "rows=3 cols=3", "rows=4 cols=2", "rows=5 cols=2", "rows=4 cols=3"]
        {
            model.agrees("ski-jumps", &format!("{size} play={play}"));
        }
    }
}

/// The lengths of the longest runs of `mark` through its squares, in the four directions.
fn runs(board: &[Vec<char>], mark: char) -> Vec<i32> {
    let ways = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let begins = |from: Step, way: Step| at(board, on(from, way, -1)) != Some(mark);
    let length =
        |from: Step, way: Step| (0..).take_while(|&far| at(board, on(from, way, far)) == Some(mark)).count() as i32;
    let all = of(board, mark).into_iter().flat_map(|from| ways.map(|way| (from, way)));
    all.filter(|&(from, way)| begins(from, way)).map(|(from, way)| length(from, way)).collect()
}

#[test]
fn gomoku() {
    for (size, line) in
        [("rows=2 cols=5", 3), ("rows=3 cols=3", 2), ("rows=1 cols=8", 3), ("rows=2 cols=4", 3), ("rows=2 cols=5", 4)]
    {
        let moves = |(board, mode): &State| -> Vec<State> {
            let (own, _, next) = letters(mode, "x", "o", ['X', 'O']);
            of(board, '.').into_iter().map(|to| (with(board, &[(to, own)]), next.to_owned())).collect()
        };
        let over = |(board, mode): &State| {
            let (_, other, _) = letters(mode, "x", "o", ['X', 'O']);
            runs(board, other).contains(&line).then_some(Outcome::Loss)
        };
        let model = Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn };
        model.agrees("gomoku", &format!("{size} line={line}"));
    }
}

#[test]
fn squava() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let is_x = mode.starts_with('x');
        let next = match mode.as_str() {
            "x-opens" => "o-may-swap",
            "o" | "o-may-swap" => "x",
            _ => "o",
        };
        let own = if is_x { 'X' } else { 'O' };
        let puts = of(board, '.').into_iter().map(|to| (with(board, &[(to, own)]), next.to_owned()));
        // The player who may swap becomes x, and the other player moves o.
        puts.chain((mode == "o-may-swap").then(|| (board.clone(), "o".to_owned()))).collect()
    };
    let over = |(board, mode): &State| {
        let other = if mode.starts_with('x') { 'O' } else { 'X' };
        let lost = has_line(board, other, 3).then_some(Outcome::Win);
        if has_line(board, other, 4) { Some(Outcome::Loss) } else { lost }
    };
    let model = Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn };
    for size in ["rows=1 cols=6", "rows=2 cols=4", "rows=3 cols=3", "rows=5 cols=2"] {
        model.agrees("squava", size);
    }
}
