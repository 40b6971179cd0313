//! Shiritori: the time of a probe, the time to build a table compared with plain searches, and the time to answer
//! positions that the table lacks.
//!
//! `cargo bench --bench shiritori`. Every method must find the same winners. The hard list's table is built once, in a
//! few seconds. The search with a hash map takes half a gigabyte of memory.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use tablegen::game::{Answer, Ask, Game, OffTable, Play, Shiritori};
use tablegen::rules::{Move, Node, Outcome, Position, Rules};
use tablegen::search::Search;
use tablegen::solve::{self, Method, Options, Solution};
use tablegen::table::{SaveTable, Table};

const MEDIUM: &str = include_str!("../tests/data/shiritori/medium.txt");
const HARD: &str = include_str!("../tests/data/shiritori/hard.txt");

fn solve(game: &Shiritori) -> Solution {
    let options = Options { roots: &game.roots(), ..Options::of(Method::Sparse) };
    solve::solve(game.rules(), &options).expect("a list that can be solved")
}

/// The letters from which the player to move wins when no word has been said.
fn winners(game: &Shiritori, mut outcome: impl FnMut(Position) -> Outcome) -> String {
    let won = game.roots().into_iter().filter(|&root| outcome(root) == Outcome::Win);
    won.map(|root| game.rules().modes()[usize::from(root.mode.0)].as_str()).collect()
}

/// The published program's search: words by first letter; each word is removed while the search tries its replies.
struct Author {
    words: HashMap<char, Vec<String>>,
}

impl Author {
    fn new(list: &str) -> Self {
        let mut words: HashMap<char, Vec<String>> = HashMap::new();
        list.lines().for_each(|word| words.entry(first(word)).or_default().push(word.into()));
        Self { words }
    }

    /// The player who must continue from `letter` can win.
    fn wins(&mut self, letter: char) -> bool {
        let count = self.words.get(&letter).map_or(0, Vec::len);
        (0..count).any(|number| {
            let list = self.words.get_mut(&letter).expect("a list");
            let word = list.remove(number);
            let alive = !self.wins(word.chars().next_back().expect("a letter"));
            self.words.get_mut(&letter).expect("a list").insert(number, word);
            alive
        })
    }
}

fn first(word: &str) -> char {
    word.chars().next().expect("a word")
}

/// A memoized search: a hash map from (words said, letter) to its result.
struct Memo<'a> {
    rules: &'a Rules,
    memory: HashMap<(u64, u16), bool>,
    /// Stop at the first winning word.
    cuts: bool,
}

impl Memo<'_> {
    fn wins(&mut self, said: u64, letter: u16) -> bool {
        if let Some(&known) = self.memory.get(&(said, letter)) {
            return known;
        }
        let (rules, cuts) = (self.rules, self.cuts);
        let mut moves = rules.moves().iter().filter(|m| m.mode.0 == letter);
        let legal = |m: &&Move| said & m.empty.low_word() == 0 && said & m.full.low_word() == m.full.low_word();
        let mut replies = moves.by_ref().filter(legal).map(|m| !self.wins(said | m.fills.low_word(), m.next.0));
        let wins = if cuts { replies.any(|wins| wins) } else { replies.fold(false, |any, wins| any | wins) };
        self.memory.insert((said, letter), wins);
        wins
    }
}

fn medium(c: &mut Criterion) {
    let game = Shiritori::new(MEDIUM, Play::Normal).expect("a list");
    let expected = "dgt";
    let author = || {
        let mut author = Author::new(MEDIUM);
        game.rules().modes().iter().filter(|letter| author.wins(first(letter))).cloned().collect::<String>()
    };
    let tabled = || {
        let solution = solve(&Shiritori::new(MEDIUM, Play::Normal).expect("a list"));
        winners(&game, |root| solution.outcome(root).expect("a root"))
    };
    let searched = || {
        let mut search = Search::new(game.rules());
        winners(&game, |root| search.outcome(Node::At(root)).expect("no limit"))
    };
    assert_eq!([author(), tabled(), searched()], [expected; 3]);
    let mut group = c.benchmark_group("shiritori, medium list, who wins from each letter");
    group.bench_function("the author's recursion", |b| b.iter(author));
    group.bench_function("net and table", |b| b.iter(tabled));
    group.bench_function("net and search", |b| b.iter(searched));
    group.finish();
}

fn hard(c: &mut Criterion) {
    let game = Shiritori::new(HARD, Play::Normal).expect("a list");
    let expected = "bekoqrsuxy";
    let tabled = || {
        let solution = solve(&game);
        winners(&game, |root| solution.outcome(root).expect("a root"))
    };
    let remembered = |cuts| {
        let mut memo = Memo { rules: game.rules(), memory: HashMap::new(), cuts };
        let found = winners(&game, |root| if memo.wins(0, root.mode.0) { Outcome::Win } else { Outcome::Loss });
        (found, memo.memory.len())
    };
    let mut group = c.benchmark_group("shiritori, hard list, who wins from each letter");
    group.sample_size(10).warm_up_time(Duration::from_millis(1)).measurement_time(Duration::from_secs(1));
    assert_eq!([tabled(), remembered(true).0], [expected; 2]);
    group.bench_function("net and table, all 15,996,405 positions", |b| b.iter(tabled));
    group.bench_function("net and hash map, with cut-offs", |b| b.iter(|| remembered(true)));
    group.finish();
    println!("with cut-offs the hash map holds {} of 15,996,405 positions", remembered(true).1);
    // Timed once only: it takes as long as all the measurements above.
    let begun = Instant::now();
    assert_eq!(remembered(false), (expected.into(), 15_996_405));
    println!("net and hash map, all 15,996,405 positions: {:.2?}\n", begun.elapsed());
}

/// `count` positions of the table, drawn uniformly.
fn drawn(table: &Table, count: usize) -> Vec<Position> {
    let contents = table.contents();
    let mut draw = fastrand::Rng::with_seed(1);
    (0..count).map(|_| contents.unrank(draw.u64(..contents.count())).expect("a sound key")).collect()
}

fn probe(c: &mut Criterion) {
    let game = Shiritori::new(HARD, Play::Normal).expect("a list");
    let solution = solve(&game);
    let table = Table::from_bytes(solution.to_bytes(&game.descriptor())).expect("a table");
    let positions = drawn(&table, 1 << 16);
    for &position in &positions {
        assert_eq!(table.outcome(position).ok(), solution.outcome(position));
    }
    drop(solution);
    let mut next = positions.iter().cycle();
    let mut group = c.benchmark_group("shiritori, hard list, one position at random");
    group.bench_function("table", |b| {
        b.iter(|| table.outcome(black_box(*next.next().expect("a cycle"))).expect("a position"));
    });
    let table = table.checked().expect("sound lists");
    group.bench_function("table, checked", |b| {
        b.iter(|| table.outcome(black_box(*next.next().expect("a cycle"))).expect("a position"));
    });
    group.finish();
    answers(&game, &table);
}

/// Answers whole questions after random words, including words that the table does not hold. Prints how long the
/// answers take and how many stay unknown.
fn answers(game: &Shiritori, table: &Table) {
    const LIMIT: u64 = 1_000_000;
    let answer = |text: Option<&str>, limit| -> Answer {
        let mut look_up = |position| table.find(position).expect("a sound table");
        game.answer(text, &mut Ask { look_up: &mut look_up, limit }).expect("a position")
    };
    let mut draw = fastrand::Rng::with_seed(2);
    println!("whole answers of the hard list after words said at random, limit {LIMIT} positions");
    println!("{:>8} {:>6} {:>9} {:>9} {:>9} {:>9}  unknown", "words", "count", "median", "90 %", "99 %", "most");
    for words in [1..=5, 6..=10, 11..=20, 21..=30, 31..=40, 41..=60] {
        let (mut times, mut unknown, mut moves, mut unknown_moves) = (Vec::new(), 0, 0, 0);
        while times.len() < 200 {
            let mut text = "{}".to_owned();
            for _ in 0..draw.usize(words.clone()) {
                let said = answer(Some(&text), 0).moves;
                if said.is_empty() {
                    break;
                }
                text.clone_from(&said[draw.usize(..said.len())].position);
            }
            let begun = Instant::now();
            let found = answer(Some(&text), LIMIT);
            // Count only positions that the table does not hold.
            if found.node.is_some() {
                continue;
            }
            times.push(begun.elapsed());
            unknown += usize::from(found.outcome().is_none());
            moves += found.moves.len();
            unknown_moves += found.moves.iter().filter(|m| m.outcome().is_none()).count();
        }
        times.sort_unstable();
        let at = |share: usize| format!("{:.2?}", times[(times.len() * share / 100).min(times.len() - 1)]);
        println!(
            "{:>8} {:>6} {:>9} {:>9} {:>9} {:>9}  {unknown} positions, {unknown_moves} of {moves} words",
            format!("{}-{}", words.start(), words.end()),
            times.len(),
            at(50),
            at(90),
            at(99),
            at(100)
        );
    }
}

criterion_group!(benches, medium, probe, hard);
criterion_main!(benches);
