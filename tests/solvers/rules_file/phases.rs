//! Games whose moves depend on more than the board: pushed cubes, shot arrows, pieces in hand.
//! Independent models check them, as in [`super::moving`].

use crate::model::{CORNERS, Model, SIDES, State, Step, at, in_turn, never, of, on, start, state, with};
use crate::rules_file::{game, read};
use tablegen::game::Game;
use tablegen::rules::{Outcome, Position};

/// The mode names of a player begin with that player's letter.
fn by_first_letter(from: &str, to: &str) -> bool {
    from[..1] == to[..1]
}

#[test]
fn quixo() {
    let has_line = |board: &[Vec<char>], stone: char| {
        let size = board.len();
        let is = |square: &dyn Fn(usize) -> char| (0..size).all(|at| square(at) == stone);
        (0..size).any(|n| is(&|at| board[n][at]) || is(&|at| board[at][n]))
            || is(&|at| board[at][at])
            || is(&|at| board[at][size - 1 - at])
    };
    let over = |(board, mode): &State| {
        let (own, other) = if mode == "x" { ('X', 'O') } else { ('O', 'X') };
        // The player who has just moved loses if the board has a line of the player to move.
        if has_line(board, own) { Some(Outcome::Win) } else { has_line(board, other).then_some(Outcome::Loss) }
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next, last) = if mode == "x" { ('X', "o", board.len() - 1) } else { ('O', "x", board.len() - 1) };
        let mut found = Vec::new();
        for row in 0..=last {
            for col in 0..=last {
                let is_border = [row, col].iter().any(|&at| at == 0 || at == last);
                if !is_border || ![own, '.'].contains(&board[row][col]) {
                    continue;
                }
                // The line as a list: the cube is removed and inserted again at one end.
                for is_row in [true, false] {
                    let (line, place) = if is_row {
                        (board[row].clone(), col)
                    } else {
                        (board.iter().map(|squares| squares[col]).collect(), row)
                    };
                    for end in [0, last].into_iter().filter(|&end| end != place) {
                        let mut line = line.clone();
                        line.remove(place);
                        line.insert(end, own);
                        let mut after = board.clone();
                        for (at, cube) in line.into_iter().enumerate() {
                            *(if is_row { &mut after[row][at] } else { &mut after[at][col] }) = cube;
                        }
                        found.push((after, next.to_owned()));
                    }
                }
            }
        }
        found
    };
    let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: by_first_letter };
    for size in 2..=3 {
        model.agrees("quixo", &format!("size={size}"));
    }
}

fn amazons(sizes: &[(i32, i32, i32)], play: &str) {
    let name = |(row, col): Step| format!("{}{}", char::from(b'a' + col as u8), row + 1);
    let flights = |board: &[Vec<char>], from: Step| {
        let mut found = Vec::new();
        for step in SIDES.into_iter().chain(CORNERS) {
            found.extend((1..).map(|far| on(from, step, far)).take_while(|&to| at(board, to) == Some('.')));
        }
        found
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, side, other) = if mode.starts_with('w') { ('W', "white", "black") } else { ('B', "black", "white") };
        let Some((_, archer)) = mode.split_once('-') else {
            let moved = |from: Step| flights(board, from).into_iter().map(move |to| (from, to));
            let all = of(board, own).into_iter().flat_map(moved);
            return all
                .map(|(from, to)| (with(board, &[(from, '.'), (to, own)]), format!("{side}-{}", name(to))))
                .collect();
        };
        let from = of(board, own).into_iter().find(|&from| name(from) == archer).unwrap();
        flights(board, from).into_iter().map(|to| (with(board, &[(to, '*')]), other.to_owned())).collect()
    };
    let terminal = if play == "normal" { Outcome::Loss } else { Outcome::Win };
    let model = Model { terminal, over: &never, moves: &moves, again: by_first_letter };
    for (rows, cols, amazons) in sizes {
        model.agrees("amazons", &format!("rows={rows} cols={cols} amazons={amazons} play={play}"));
    }
}

#[test]
fn small_amazons() {
    amazons(&[(2, 2, 1), (3, 2, 1), (2, 4, 1), (2, 3, 2), (3, 3, 2)], "normal");
    amazons(&[(2, 3, 1)], "misere");
}

#[test]
#[ignore = "takes some seconds"]
fn larger_amazons() {
    amazons(&[(3, 3, 1), (4, 2, 2)], "normal");
}

/// The points of two or three squares, by their rows and their places in these, as positions have them; neighbours along the lines;
/// and mills.
struct Morris {
    points: Vec<Step>,
    steps: Vec<(Step, Step)>,
    mills: Vec<[Step; 3]>,
    /// Three men may move anywhere if their player has none in hand.
    jumps: bool,
    /// A player with men in hand may move a man.
    moves_early: bool,
}

impl Morris {
    /// `has_diagonals` joins the corners of three rings by lines.
    fn new(rings: i32, has_diagonals: bool) -> Self {
        let (points, steps, mills) = (Vec::new(), Vec::new(), Vec::new());
        let mut morris = Self { points, steps, mills, jumps: false, moves_early: false };
        // Each ring has eight points around the middle.
        let around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
        let out = |ring: i32, (row, col): Step| (rings + ring * row, rings + ring * col);
        for ring in 1..=rings {
            let point = |n: usize| out(ring, around[n % 8]);
            for n in 0..8 {
                morris.points.push(point(n));
                morris.steps.extend([(point(n), point(n + 1)), (point(n + 1), point(n))]);
            }
            morris.mills.extend([0, 2, 4, 6].map(|corner| [point(corner), point(corner + 1), point(corner + 2)]));
        }
        let across = around.into_iter().enumerate().filter(|(at, _)| has_diagonals || at % 2 == 1);
        for (_, outward) in across {
            for ring in 1..rings {
                let [near, far] = [out(ring, outward), out(ring + 1, outward)];
                morris.steps.extend([(near, far), (far, near)]);
            }
            // Three points in a line across the rings are a mill, too.
            morris.mills.extend((rings == 3).then(|| [1, 2, 3].map(|ring| out(ring, outward))));
        }
        let drawn = morris.points.clone();
        // Every row has points. A position leaves out the places between them.
        let place =
            |(row, col): Step| (row, drawn.iter().filter(|other| other.0 == row && other.1 < col).count() as i32);
        Self {
            points: morris.points.into_iter().map(place).collect(),
            steps: morris.steps.into_iter().map(|(from, to)| (place(from), place(to))).collect(),
            mills: morris.mills.into_iter().map(|mill| mill.map(place)).collect(),
            ..morris
        }
    }

    /// The number of men, on the board and in hand.
    fn men((board, mode): &State) -> usize {
        let [x, o] = Self::hands(mode);
        of(board, 'X').len() + of(board, 'O').len() + x + o
    }

    fn in_mill(&self, board: &[Vec<char>], stone: char, point: Step) -> bool {
        let is_full = |mill: &&[Step; 3]| mill.iter().all(|&square| at(board, square) == Some(stone));
        self.mills.iter().filter(is_full).any(|mill| mill.contains(&point))
    }

    /// The men of each player in hand, x first.
    fn hands(mode: &str) -> [usize; 2] {
        let hands: Vec<usize> = mode.split('-').skip(1).map(|number| number.parse().unwrap()).collect();
        hands.try_into().unwrap_or([0, 0])
    }

    /// The positions after a turn: a man is put or moved, and takes a man if it closes a mill.
    fn turns(&self, (board, mode): &State) -> Vec<State> {
        let (own, other, next) = if mode.starts_with('x') { ('X', 'O', "o") } else { ('O', 'X', "x") };
        let hands = Self::hands(mode);
        let hand = hands[usize::from(own == 'O')];
        let free = |point: Step| at(board, point) == Some('.');
        let mine = of(board, own);
        // Boards with the point where a man arrived, and whether it came from the hand.
        let mut after: Vec<(Vec<Vec<char>>, Step, bool)> = Vec::new();
        if hand > 0 {
            let to = self.points.iter().filter(|&&to| free(to));
            after.extend(to.map(|&to| (with(board, &[(to, own)]), to, true)));
        }
        if hand == 0 || self.moves_early {
            let jumps = self.jumps && hand == 0 && mine.len() == 3;
            let ways = mine.iter().flat_map(|&from| self.points.iter().map(move |&to| (from, to)));
            let ways = ways.filter(|&(from, to)| free(to) && (jumps || self.steps.contains(&(from, to))));
            after.extend(ways.map(|(from, to)| (with(board, &[(from, '.'), (to, own)]), to, false)));
        }
        let taken = |(board, to, is_put): (Vec<Vec<char>>, Step, bool)| -> Vec<State> {
            let mut hands = hands;
            hands[usize::from(own == 'O')] -= usize::from(is_put);
            let mode = if hands == [0, 0] { next.to_owned() } else { format!("{next}-{}-{}", hands[0], hands[1]) };
            let others = of(&board, other);
            if !self.in_mill(&board, own, to) || others.is_empty() {
                return vec![(board, mode.clone())];
            }
            let any = others.iter().all(|&point| self.in_mill(&board, other, point));
            let taken = others.into_iter().filter(|&point| any || !self.in_mill(&board, other, point));
            taken.map(|point| (with(&board, &[(point, '.')]), mode.clone())).collect()
        };
        after.into_iter().flat_map(taken).collect()
    }

    /// A full board is a draw. A player with fewer than three men in all has lost.
    fn over((board, mode): &State) -> Option<Outcome> {
        if of(board, '.').is_empty() {
            return Some(Outcome::Draw);
        }
        let [x, o] = Self::hands(mode);
        let left = [of(board, 'X').len() + x, of(board, 'O').len() + o];
        let mover = usize::from(mode.starts_with('o'));
        if left[mover] < 3 { Some(Outcome::Loss) } else { (left[1 - mover] < 3).then_some(Outcome::Win) }
    }
}

fn mills(name: &str, set: &str, rings: i32, jumps: bool) {
    let morris = Morris { jumps, ..Morris::new(rings, false) };
    let moves = |state: &State| morris.turns(state);
    Model { terminal: Outcome::Loss, over: &Morris::over, moves: &moves, again: in_turn }.agrees(name, set);
}

/// Lines of random moves: the game has the moves of the model, and ends where it does.
#[test]
fn random_play_of_mills() {
    let mut rng = fastrand::Rng::with_seed(66);
    let plain = |rings, jumps| Morris { jumps, ..Morris::new(rings, false) };
    let lasker = || Morris { moves_early: true, ..plain(3, true) };
    let diagonal = || Morris { jumps: true, ..Morris::new(3, true) };
    let mut full = 0;
    for (name, set, morris) in [
        ("six-mens-morris", "men=6", plain(2, false)),
        ("six-mens-morris", "rings=3 men=5", plain(3, false)),
        ("nine-mens-morris", "", plain(3, true)),
        ("nine-mens-morris", "men=4", plain(3, true)),
        ("nine-mens-morris", "men=5 jumps=0", plain(3, false)),
        ("lasker-morris", "", lasker()),
        ("lasker-morris", "men=4", lasker()),
        ("morabaraba", "", diagonal()),
        ("morabaraba", "men=5", diagonal()),
    ] {
        let game = game(name, set);
        let mut takes = 0;
        for line in 0..60 {
            let mut at = start(&game);
            for _ in 0..150 {
                let now = state(&game, at.into());
                assert_eq!(game.rules().ended(at), Morris::over(&now), "{name} {set}: {now:?}");
                let after: Vec<Position> = game.rules().moves_from(at).map(|m| m.play(at)).collect();
                if let Some(outcome) = Morris::over(&now) {
                    full += usize::from(outcome == Outcome::Draw);
                    break;
                }
                let sorted = |mut all: Vec<State>| {
                    all.sort_unstable();
                    all.dedup();
                    all
                };
                let found = sorted(after.iter().map(|&to| state(&game, to.into())).collect());
                assert_eq!(found, sorted(morris.turns(&now)), "{name} {set}: {now:?}");
                let is_take = |to: &Position| Morris::men(&state(&game, (*to).into())) < Morris::men(&now);
                // In some lines no man is taken if another move is possible. Only these fill the board.
                let calm: Vec<Position> = after.iter().copied().filter(|to| line % 4 == 0 && !is_take(to)).collect();
                let Some(&next) = rng.choice(if calm.is_empty() { &after } else { &calm }) else { break };
                takes += usize::from(is_take(&next));
                at = next;
            }
        }
        assert!(takes > 10, "{name} {set}: {takes}");
    }
    assert!(full > 2, "{full} full boards");
}

/// `refused_rules.txt` has files with moves of both kinds from one mode to another.
#[test]
fn again_holds_for_its_own_moves() {
    for (again, turns_over) in [(false, true), (true, false)] {
        let text = format!(
            "name = 'g'\nmodes = ['a', 'b']\nboard = {{ row = 2 }}\n\
             move = [{{ shape = 'X', mode = 'a', next = 'b', again = {again} }}]\n"
        );
        let game = read(&text, "").unwrap();
        assert_eq!(game.rules().hands_over(&game.rules().moves()[0]), turns_over);
    }
}

#[test]
#[ignore = "takes some seconds"]
fn three_men_of_six() {
    mills("six-mens-morris", "", 2, false);
}

#[test]
#[ignore = "takes a minute"]
fn four_men_of_six() {
    mills("six-mens-morris", "men=4", 2, false);
}
