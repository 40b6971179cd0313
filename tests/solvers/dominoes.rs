//! Dominoes, compared with known results: counts, the opening, and the two algorithms of the published article.
//!
//! `cargo test --test solvers dominoes -- --ignored` adds the double-six set: 1,879,048,192 positions.

use std::sync::OnceLock;

use crate::common::{self, dense};
use fastrand::Rng;
use proptest::prelude::*;
use tablegen::game::{Dominoes, Game, Parameters, Play, family};
use tablegen::label::probe;
use tablegen::rules::{Node, Outcome, Position, Start};
use tablegen::solve::Solution;

/// A solved set of tiles.
struct Solved {
    game: Dominoes,
    solution: Solution,
}

impl Solved {
    fn new(values: u32, play: Play) -> Self {
        let game = Dominoes::new(values, play).unwrap();
        let solution = dense(game.rules());
        Self { game, solution }
    }
}

/// The set with `values` values, up to six, solved once per process.
fn solve(values: u32, play: Play) -> &'static Solved {
    static SOLVED: [OnceLock<Solved>; 12] = [const { OnceLock::new() }; 12];
    let number = 2 * (values as usize - 1) + usize::from(play == Play::Misere);
    SOLVED[number].get_or_init(|| Solved::new(values, play))
}

impl Solved {
    fn outcome(&self, node: Node) -> Outcome {
        let look_up = |p: Position| Ok::<_, ()>(common::outcome(&self.solution, p).into());
        probe(self.game.rules(), node, look_up).unwrap().value.outcome
    }

    fn of(&self, text: &str) -> Outcome {
        self.outcome(self.game.read(text).unwrap().node)
    }

    fn losses(&self) -> u64 {
        self.solution.counts().loss
    }

    /// The texts of the winning first moves.
    fn winning_openings(&self) -> Vec<String> {
        let Start::Opening(choices) = &self.game.rules().start() else { panic!("dominoes begins with an opening") };
        let wins = |to: &&Position| self.outcome((**to).into()) == Outcome::Loss;
        choices.iter().filter(wins).map(|&to| self.game.write_move(Node::Opening, to)).collect()
    }

    fn check_opening(&self, values: u32) {
        assert_eq!(self.of(""), Outcome::Win, "the first player wins with {values} values");
        let doubles: Vec<String> = (0..values).map(|value| format!("{value}-{value}")).collect();
        assert_eq!(self.winning_openings(), doubles);
    }
}

#[test]
fn the_first_player_wins_and_only_by_a_double() {
    (1..=6).for_each(|values| solve(values, Play::Normal).check_opening(values));
}

#[test]
#[ignore = "1.9 billion positions, 235 MB: under two seconds with AVX-512, longer elsewhere"]
fn the_double_six_set() {
    let solved = Solved::new(7, Play::Normal);
    assert_eq!(solved.losses(), 491_473_997);
    solved.check_opening(7);
}

#[test]
fn the_example_the_sample_and_the_trap() {
    let five = solve(5, Play::Normal);
    assert_eq!(five.of("0-1 1-3"), Outcome::Win);
    let node = five.game.read("0-1 1-3").unwrap().node;
    assert_eq!(five.game.remarks(node, five.outcome(node))[0], "Player 1 wins");
    // The claim "an unused double at the tail wins" is false.
    assert_eq!(five.of("2-2 2-1 1-1 1-0 0-0 0-3"), Outcome::Loss);

    let three = solve(3, Play::Normal);
    let sample = three.game.read_file("3\n2\n0 0\n0 1\n").unwrap();
    assert_eq!(sample.outcome_names.of(three.outcome(sample.node)), "Win");
}

/// The article's algorithms, reimplemented from its description. Tiles are ordered pairs of numbers in a square array
/// of marks. The value is 1 if the player who opened wins and -1 otherwise. No rules, masks or planes are involved.
struct Article {
    n: usize,
    misere: bool,
    played: Vec<bool>,
}

impl Article {
    fn new(n: usize, misere: bool) -> Self {
        Self { n, misere, played: vec![false; n * n] }
    }

    fn set(&mut self, a: usize, b: usize, played: bool) {
        self.played[a * self.n + b] = played;
        self.played[b * self.n + a] = played;
    }

    /// The playable tiles, with the tail's side first. Without a tail, every tile in both directions.
    fn tiles(&self, tail: Option<usize>) -> Vec<(usize, usize)> {
        let firsts = tail.map_or(0..self.n, |tail| tail..tail + 1);
        let pairs = firsts.flat_map(|a| (0..self.n).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| !self.played[a * self.n + b]).collect()
    }

    /// The value when the player to move is stuck; `opener` tells whether that is the player who opened.
    fn stuck(&self, opener: bool) -> i32 {
        if opener == self.misere { 1 } else { -1 }
    }

    fn minimax(&mut self, opener: bool, tail: Option<usize>) -> i32 {
        let tiles = self.tiles(tail);
        if tiles.is_empty() {
            return self.stuck(opener);
        }
        let mut best = if opener { -2 } else { 2 };
        for (a, b) in tiles {
            self.set(a, b, true);
            let reply = self.minimax(!opener, Some(b));
            self.set(a, b, false);
            best = if opener { best.max(reply) } else { best.min(reply) };
        }
        best
    }

    fn alpha_beta(&mut self, opener: bool, tail: Option<usize>, mut alpha: i32, mut beta: i32) -> i32 {
        let tiles = self.tiles(tail);
        if tiles.is_empty() {
            return self.stuck(opener);
        }
        let mut best = if opener { alpha } else { beta };
        for (a, b) in tiles {
            self.set(a, b, true);
            let reply = self.alpha_beta(!opener, Some(b), alpha, beta);
            self.set(a, b, false);
            if opener {
                best = best.max(reply);
                alpha = best;
            } else {
                best = best.min(reply);
                beta = best;
            }
            let ideal = if opener { 1 } else { -1 };
            if best == ideal || alpha >= beta {
                break;
            }
        }
        best
    }

    /// The outcome after `line` for the player to move, on which both algorithms must agree.
    fn outcome(&mut self, line: &[(usize, usize)], with_minimax: bool) -> Outcome {
        let (opener, tail) = (line.len().is_multiple_of(2), line.last().map(|&(_, b)| b));
        let value = self.alpha_beta(opener, tail, -2, 2);
        if with_minimax {
            assert_eq!(self.minimax(opener, tail), value, "after {line:?}");
        }
        if (value == 1) == opener { Outcome::Win } else { Outcome::Loss }
    }
}

fn text(line: &[(usize, usize)]) -> String {
    line.iter().map(|(a, b)| format!("{a}-{b} ")).collect()
}

/// Checks every line that begins with `line`, and returns their number.
fn check_all(solved: &Solved, article: &mut Article, line: &mut Vec<(usize, usize)>) -> usize {
    assert_eq!(solved.of(&text(line)), article.outcome(line, true), "after {line:?}");
    let tiles = article.tiles(line.last().map(|&(_, b)| b));
    let mut checked = 1;
    for (a, b) in tiles {
        article.set(a, b, true);
        line.push((a, b));
        checked += check_all(solved, article, line);
        line.pop();
        article.set(a, b, false);
    }
    checked
}

#[test]
fn minimax_and_alpha_beta_agree_on_every_line() {
    // Check every line, not every set and tail, so that the parser of lines is checked as well.
    for (values, lines) in (1..).zip([2, 11, 148, 5_237]) {
        for play in [Play::Normal, Play::Misere] {
            let mut article = Article::new(values, play == Play::Misere);
            let checked = check_all(solve(values as u32, play), &mut article, &mut Vec::new());
            assert_eq!(checked, lines, "lines of play with {values} values");
        }
    }
}

/// A random line of at least `least` tiles.
fn random_line(rng: &mut Rng, n: usize, least: usize) -> Vec<(usize, usize)> {
    loop {
        let mut article = Article::new(n, false);
        let mut line: Vec<(usize, usize)> = Vec::new();
        let length = rng.usize(least..=n * (n + 1) / 2);
        while line.len() < length {
            let tiles = article.tiles(line.last().map(|&(_, b)| b));
            let Some(&(a, b)) = rng.choice(&tiles) else { break };
            article.set(a, b, true);
            line.push((a, b));
        }
        if line.len() >= least {
            return line;
        }
    }
}

proptest! {
    #[test]
    fn no_text_and_no_file_panics(form in 0..4, noise: String, tokens in "[0-9 {},\n-]{0,40}", pairs in "[0-4]( [0-4]){0,12}") {
        let text = match form {
            0 => noise,
            1 => tokens,
            2 => pairs.replace(' ', "-").replacen('-', " ", 3),
            _ => pairs,
        };
        let dominoes = family("dominoes").unwrap();
        let graph = Parameters::new().with("graph", "0 1\n1 2\n1 2\n2 2\n0 2 3-4\n");
        let games = [dominoes.make_for_file(&Parameters::new(), &text), family("trail").unwrap().make(&graph)];
        for game in games.into_iter().flatten() {
            for reading in [game.read(&text), game.read_file(&text)].into_iter().flatten() {
                let again = game.read(&game.write(reading.node)).unwrap();
                prop_assert_eq!(again.node, reading.node);
                prop_assert!(!game.draw(reading.node).is_empty());
                prop_assert!(game.remarks(reading.node, Outcome::Win).len() >= 2);
            }
        }
    }
}

#[test]
fn tiles_are_turned_to_fit() {
    let game = Dominoes::new(5, Play::Normal).unwrap();
    let mut rng = Rng::with_seed(5);
    for _ in 0..5_000 {
        // With two tiles or more, the second tile shows the direction of the first, however they are written.
        let line = random_line(&mut rng, 5, 2);
        let written: Vec<_> = line.iter().map(|&(a, b)| if rng.bool() { (a, b) } else { (b, a) }).collect();
        let [as_played, turned] = [&line, &written].map(|line| game.read(&text(line)).unwrap());
        assert_eq!((as_played.node, as_played.drawn), (turned.node, turned.drawn), "{written:?}");
        let Node::At(position) = turned.node else { panic!("a position") };
        assert_eq!(usize::from(position.mode.0), line[line.len() - 1].1);
        let file = format!("5\n{}\n{}", line.len(), text(&written).replace('-', " "));
        assert_eq!(game.read_file(&file).unwrap().node, turned.node);
    }
}

#[test]
fn minimax_and_alpha_beta_agree_on_random_lines() {
    // The lines are so long that minimax ends in reasonable time. Alpha-beta alone can start from shorter ones.
    for (values, minimax_from, alpha_beta_from) in [(5, 7, 4), (6, 13, 10)] {
        for play in [Play::Normal, Play::Misere] {
            let solved = solve(values as u32, play);
            let mut rng = Rng::with_seed(4);
            let mut outcomes = [0; 2];
            for round in 0..4_000 {
                let with_minimax = round % 2 == 0;
                let line = random_line(&mut rng, values, if with_minimax { minimax_from } else { alpha_beta_from });
                let mut article = Article::new(values, play == Play::Misere);
                line.iter().for_each(|&(a, b)| article.set(a, b, true));
                let outcome = article.outcome(&line, with_minimax);
                assert_eq!(solved.of(&text(&line)), outcome, "after {line:?}");
                outcomes[usize::from(outcome == Outcome::Win)] += 1;
            }
            assert!(outcomes.iter().all(|&count| count > 400), "both outcomes are met: {outcomes:?}");
        }
    }
}
