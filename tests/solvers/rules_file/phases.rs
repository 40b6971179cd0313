//! Games whose moves depend on more than the board: closed boxes, pushed cubes, shot arrows, pieces in hand.
//! Independent models check them, as in [`super::moving`].

use crate::model::{CORNERS, Model, SIDES, State, Step, at, never, of, on, with};
use crate::rules_file::{game, read};
use tablegen::game::Game;
use tablegen::label::LabelSet;
use tablegen::rules::{Mode, Outcome};
use tablegen::solve::{Options, Solver, count_reachable, solve};
use tablegen::symmetry::Group;

/// The mode names of a player begin with that player's letter.
fn by_first_letter(from: &str, to: &str) -> bool {
    from[..1] == to[..1]
}

fn dots_and_boxes(sizes: &[(i32, i32)]) {
    let is_closed =
        |board: &[Vec<char>], middle: Step| SIDES.iter().all(|&side| at(board, on(middle, side, 1)) == Some('X'));
    let lead = |mode: &str| mode[1..].parse::<i32>().unwrap();
    let over = |(board, mode): &State| {
        let ahead = if mode.starts_with('x') { lead(mode) } else { -lead(mode) };
        of(board, '.').is_empty().then_some([Outcome::Loss, Outcome::Draw, Outcome::Win][(ahead.signum() + 1) as usize])
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let draw = |line: Step| {
            let drawn = with(board, &[(line, 'X')]);
            let middles = if line.0 % 2 == 0 { [(1, 0), (-1, 0)] } else { [(0, 1), (0, -1)] };
            let boxes = middles.iter().filter(|&&side| is_closed(&drawn, on(line, side, 1))).count() as i32;
            let next = match (mode.starts_with('x'), boxes) {
                (true, 0) => format!("o{}", lead(mode)),
                (true, _) => format!("x{}", lead(mode) + boxes),
                (false, 0) => format!("x{}", lead(mode)),
                (false, _) => format!("o{}", lead(mode) - boxes),
            };
            (drawn, next)
        };
        of(board, '.').into_iter().map(draw).collect()
    };
    let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: by_first_letter };
    for (rows, cols) in sizes {
        model.agrees("dots-and-boxes", &format!("rows={rows} cols={cols}"));
    }
}

#[test]
fn small_dots_and_boxes() {
    dots_and_boxes(&[(1, 1), (1, 2), (3, 1), (2, 2), (1, 4)]);
}

#[test]
#[ignore = "takes some seconds"]
fn dots_and_boxes_of_six() {
    dots_and_boxes(&[(2, 3), (1, 5)]);
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

/// The points of two or three squares, by their places on the drawing; neighbours along the lines; and mills.
struct Morris {
    points: Vec<Step>,
    steps: Vec<(Step, Step)>,
    mills: Vec<[Step; 3]>,
}

impl Morris {
    fn new(rings: i32) -> Self {
        let mut morris = Self { points: Vec::new(), steps: Vec::new(), mills: Vec::new() };
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
        for side in SIDES {
            for ring in 1..rings {
                let [near, far] = [out(ring, side), out(ring + 1, side)];
                morris.steps.extend([(near, far), (far, near)]);
            }
            // Three middles in a line are a mill, too.
            morris.mills.extend((rings == 3).then(|| [1, 2, 3].map(|ring| out(ring, side))));
        }
        morris
    }

    fn in_mill(&self, board: &[Vec<char>], stone: char, point: Step) -> bool {
        let is_full = |mill: &&[Step; 3]| mill.iter().all(|&square| at(board, square) == Some(stone));
        self.mills.iter().filter(is_full).any(|mill| mill.contains(&point))
    }
}

/// The parts of a mode name: pieces placed before this turn ends (`None` once all are placed), whether the player must
/// take a piece, and the pieces that each player has lost.
struct Phase {
    is_x: bool,
    put: Option<usize>,
    takes: bool,
    lost: [usize; 2],
}

impl Phase {
    fn of(mode: &str) -> Self {
        let parts: Vec<&str> = mode.split('-').collect();
        let put = parts[0].trim_matches(['x', 'o', 't']).parse().ok();
        let lost = [parts[1], parts[2]].map(|number| number.parse().unwrap());
        Self { is_x: mode.starts_with('x'), put, takes: parts[0].ends_with('t'), lost }
    }

    fn name(&self) -> String {
        let put = self.put.map_or(String::new(), |put| put.to_string());
        let takes = if self.takes { "t" } else { "" };
        format!("{}{put}{takes}-{}-{}", if self.is_x { "x" } else { "o" }, self.lost[0], self.lost[1])
    }

    /// The name of the other player's turn.
    fn next(&self, men: usize, lost: [usize; 2]) -> String {
        let put = match self.put {
            Some(put) if self.is_x => Some(put),
            Some(put) if put < men => Some(put + 1),
            _ => None,
        };
        Self { is_x: !self.is_x, put, takes: false, lost }.name()
    }
}

fn six_mens_morris(rings: i32, men: usize) {
    let morris = Morris::new(rings);
    let over = |(_, mode): &State| {
        let phase = Phase::of(mode);
        let left = |is_x: bool| men - phase.lost[usize::from(!is_x)];
        if phase.put.is_some() || phase.takes {
            None
        } else if left(phase.is_x) < 3 {
            Some(Outcome::Loss)
        } else {
            (left(!phase.is_x) < 3).then_some(Outcome::Win)
        }
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let phase = Phase::of(mode);
        let (own, other) = if phase.is_x { ('X', 'O') } else { ('O', 'X') };
        let of_other = || of(board, other).into_iter();
        if phase.takes {
            let free = |point: &Step| !morris.in_mill(board, other, *point);
            let any = of_other().any(|point| free(&point));
            let mut lost = phase.lost;
            lost[usize::from(phase.is_x)] += 1;
            let taken = of_other().filter(|point| !any || free(point));
            return taken.map(|point| (with(board, &[(point, '.')]), phase.next(men, lost))).collect();
        }
        let free = |point: Step| at(board, point) == Some('.');
        let after: Vec<(Vec<Vec<char>>, Step)> = if phase.put.is_some() {
            morris.points.iter().filter(|&&to| free(to)).map(|&to| (with(board, &[(to, own)]), to)).collect()
        } else {
            let steps = morris.steps.iter().filter(|&&(from, to)| at(board, from) == Some(own) && free(to));
            steps.map(|&(from, to)| (with(board, &[(from, '.'), (to, own)]), to)).collect()
        };
        let phase = &phase;
        let turn = |(board, to): (Vec<Vec<char>>, Step)| {
            let takes = morris.in_mill(&board, own, to);
            let mode = if takes { Phase { takes, ..*phase }.name() } else { phase.next(men, phase.lost) };
            (board, mode)
        };
        after.into_iter().map(turn).collect()
    };
    let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: by_first_letter };
    model.agrees("six-mens-morris", &format!("rings={rings} men={men}"));
}

/// `refused_rules.txt` has files with moves of both kinds from one mode to another.
#[test]
fn again_holds_for_its_own_moves() {
    for (again, turns_over) in [(false, true), (true, false)] {
        let text = format!(
            "name = 'g'\nmodes = ['a', 'b']\nboard = {{ row = 2 }}\n\
             move = [{{ shape = 'X', mode = 'a', next = 'b', again = {again} }}]\n"
        );
        assert_eq!(read(&text, "").unwrap().rules().turns_over(Mode(0), Mode(1)), turns_over);
    }
}

#[test]
#[ignore = "takes some seconds"]
fn three_men_of_six() {
    six_mens_morris(2, 3);
}

#[test]
#[ignore = "takes a minute"]
fn four_men_of_six() {
    six_mens_morris(2, 4);
}

#[test]
#[ignore = "takes minutes, and gigabytes of memory"]
fn three_men_of_nine() {
    six_mens_morris(3, 3);
}

/// The outcomes of the whole game, some of whose wins are too long for remoteness.
#[test]
#[ignore = "takes a minute"]
fn how_large_six_mens_morris_is() {
    for (men, expected) in [("5", 19_648_289), ("6", 48_298_689)] {
        let game = game("six-mens-morris", &format!("men={men}"));
        let group = Group::of_rules(game.rules(), &game.rules().start_positions()).unwrap();
        let options = Options::of(Solver::Cyclic { symmetry: &group });
        assert_eq!(count_reachable(game.rules(), &options).unwrap().positions, expected, "{men}");
        let solution = solve(game.rules(), &options).unwrap();
        assert_eq!((solution.counts().total(), solution.contents().labels()), (expected, LabelSet::OUTCOME), "{men}");
    }
}
