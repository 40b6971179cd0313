//! Shiritori: known results of the three lists, and the net compared with plain search of the whole game.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::common::lists::{EASY, HARD, MEDIUM};
use crate::common::{held, reachable, sparse_of as solved};
use proptest::prelude::*;
use tablegen::game::{self, Answer, AnswerSource, Ask, Game, OffTable, Play, Shiritori};
use tablegen::rules::{Board, Node, Outcome, Position};
use tablegen::search::Search;
use tablegen::solve::{Method, Options, Solution, solve};
use tablegen::table::{SaveTable, Table};
use tablegen::verify;

/// The hard list and its table, built once per process, written and read again.
pub(crate) fn hard() -> (&'static Shiritori, &'static Table) {
    static SOLVED: OnceLock<(Shiritori, Table)> = OnceLock::new();
    let (game, table) = SOLVED.get_or_init(|| {
        let game = Shiritori::new(HARD, Play::Normal).expect("a list");
        let table = Table::from_bytes(solved(&game).to_bytes(&game.descriptor())).expect("a table");
        (game, table)
    });
    (game, table)
}

fn letter_outcomes(game: &Shiritori, outcome_of: impl Fn(Position) -> Option<Outcome>, outcome: Outcome) -> String {
    let roots = game.roots().into_iter().filter(|&root| outcome_of(root) == Some(outcome));
    roots.map(|root| game.rules().modes()[usize::from(root.mode.0)].clone()).collect()
}

fn answer(game: &Shiritori, solution: &Solution, text: Option<&str>) -> Answer {
    answer_within(game, solution, text, 1_000_000)
}

fn answer_within(game: &Shiritori, solution: &Solution, text: Option<&str>, limit: u64) -> Answer {
    let mut look_up = |position| solution.outcome(position);
    game.answer(text, &mut Ask { look_up: &mut look_up, limit }).unwrap()
}

/// The whole game by its definition, without cancelling any words. Words are named by their numbers.
struct Plain {
    words: Vec<(char, char)>,
    terminal: Outcome,
    memory: HashMap<(u32, char), Outcome>,
}

impl Plain {
    fn new(words: &[String], play: Play) -> Self {
        let ends = |word: &String| word.chars().next().zip(word.chars().next_back()).unwrap();
        Self { words: words.iter().map(ends).collect(), terminal: play.terminal(), memory: HashMap::new() }
    }

    fn outcome(&mut self, said: u32, letter: char) -> Outcome {
        if let Some(&outcome) = self.memory.get(&(said, letter)) {
            return outcome;
        }
        let free: Vec<usize> =
            (0..self.words.len()).filter(|&word| said >> word & 1 == 0 && self.words[word].0 == letter).collect();
        let replies = free.into_iter().map(|word| self.outcome(said | 1 << word, self.words[word].1).flip());
        let outcome = replies.max().unwrap_or(self.terminal);
        self.memory.insert((said, letter), outcome);
        outcome
    }
}

/// Different words over few letters, so that many of them cancel.
fn random_words(seed: u64, most: usize, letters: u32) -> Vec<String> {
    let mut draw = fastrand::Rng::with_seed(seed);
    let letter = |draw: &mut fastrand::Rng| char::from(b'a' + draw.u32(..letters) as u8);
    let count = draw.usize(1..=most);
    (0..count).map(|n| format!("{}{n}{}", letter(&mut draw), letter(&mut draw))).collect()
}

#[test]
fn the_medium_list() {
    let game = Shiritori::new(MEDIUM, Play::Normal).unwrap();
    assert_eq!(game.net_edges(), 8);
    let solution = solved(&game);
    assert_eq!(solution.count(), 80);
    assert_eq!(letter_outcomes(&game, |root| solution.outcome(root), Outcome::Win), "dgt");
    assert_eq!(letter_outcomes(&game, |root| solution.outcome(root), Outcome::Loss), "ckmn");
    assert_eq!(answer(&game, &solution, Some("{} d")).outcome(), Some(Outcome::Win));
}

#[test]
fn the_easy_list() {
    let game = Shiritori::new(EASY, Play::Normal).unwrap();
    assert_eq!(solved(&game).count(), 44_141);
    // Two pairs of words have the same first and last letters, so the rules allow them only in a fixed order. Without
    // that condition, there are more positions.
    let apart: Vec<_> = game.rules().moves().iter().filter(|m| !m.full.is_empty()).collect();
    assert_eq!(apart.len(), 2);
    let mut spec = game.rules().clone().into_spec();
    spec.moves.iter_mut().for_each(|m| m.full = Board::EMPTY);
    let rules = spec.build().unwrap();
    let options = Options { roots: &game.roots(), ..Options::of(Method::Sparse) };
    assert_eq!(solve(&rules, &options).unwrap().count(), 57_027);
}

#[test]
fn the_easy_list_from_its_start_word() {
    let marked = EASY.replacen("psouvqk", "psouvqk  <- start word", 1);
    let game = Shiritori::new(&marked, Play::Normal).unwrap();
    let solution = solved(&game);
    let start = answer(&game, &solution, None);
    assert_eq!((start.position.as_str(), start.source), ("{psouvqk} k", AnswerSource::Table));
    assert_eq!(start.moves.len(), 4);
    assert_eq!(start.outcome(), start.moves[0].outcome());
    let refusal = |text| game.read(text).unwrap_err().to_string();
    assert!(refusal("khbpmr").contains("the start word psouvqk first"));
    assert!(refusal("{} k").contains("the start word psouvqk among"));
}

#[test]
fn the_hard_list() {
    let (game, table) = hard();
    assert_eq!((HARD.lines().count(), game.net_edges()), (187, 55));
    let sparse = reachable(table.contents());
    assert_eq!(sparse.count(), 15_996_405);
    let look_up = |position| table.find(position).expect("a sound table");
    assert_eq!(letter_outcomes(game, look_up, Outcome::Win), "bekoqrsuxy");
    assert_eq!(letter_outcomes(game, look_up, Outcome::Loss), "fntvz");
    assert!(table.file_bytes() < 110_000_000);
    // A letter without net words; words of the list, cancelled or not.
    let answer = |text| {
        let mut look_up = look_up;
        game.answer(text, &mut Ask { look_up: &mut look_up, limit: 1_000_000 }).unwrap()
    };
    assert_eq!(answer(Some("{} w")).outcome(), Some(Outcome::Loss));
    let two = answer(Some("zjfurojiwt tpenjyluge"));
    assert!(two.outcome().is_some() && !two.moves.is_empty());
    let opening = answer(None);
    assert_eq!((opening.outcome(), opening.moves.len(), opening.node), (Some(Outcome::Win), 187, Some(Node::Opening)));
}

/// Panics unless the game's answers, by table and by search, equal plain search of the whole game. Compares every move
/// for every set of said words and every letter.
fn answers_equal_the_whole_game(words: &[String], play: Play) -> Result<(), TestCaseError> {
    let game = Shiritori::new(&words.join("\n"), play).unwrap();
    let solution = solved(&game);
    let mut plain = Plain::new(words, play);
    let mut nothing = |_| None;
    let letters: Vec<char> = game.rules().modes().iter().flat_map(|name| name.chars()).collect();
    for said in 0..1u32 << words.len() {
        let set: Vec<&str> = (0..words.len()).filter(|&w| said >> w & 1 == 1).map(|w| words[w].as_str()).collect();
        for &letter in &letters {
            let text = format!("{{{}}} {letter}", set.join(","));
            let answer = answer(&game, &solution, Some(&text));
            prop_assert_eq!(answer.outcome(), Some(plain.outcome(said, letter)), "{:?}: {}", words, &text);
            prop_assert_eq!(&answer.position, &text);
            let alone = game.answer(Some(&text), &mut Ask { look_up: &mut nothing, limit: 1_000_000 });
            prop_assert_eq!(alone.unwrap().outcome(), answer.outcome(), "without a table: {:?}: {}", words, &text);
            for m in &answer.moves {
                let word = words.iter().position(|word| *word == m.text).unwrap();
                let after = plain.outcome(said | 1 << word, plain.words[word].1).flip();
                prop_assert_eq!(m.outcome(), Some(after), "{:?}: {} {}", words, &text, &m.text);
            }
            let free = (0..words.len()).filter(|&w| said >> w & 1 == 0 && plain.words[w].0 == letter).count();
            prop_assert_eq!((answer.moves.len(), answer.over), (free, free == 0));
        }
    }
    let openings = (0..words.len()).map(|word| plain.outcome(1 << word, plain.words[word].1).flip());
    prop_assert_eq!(answer(&game, &solution, None).outcome(), openings.max());
    // The opening of the rules has the same outcome.
    prop_assert_eq!(Search::new(game.rules()).outcome(Node::Opening).ok(), answer(&game, &solution, None).outcome());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_net_keeps_every_outcome(seed: u64, letters in 1u32..6) {
        answers_equal_the_whole_game(&random_words(seed, 10, letters), Play::Normal)?;
    }

    #[test]
    fn misere_play_keeps_every_word(seed: u64, letters in 1u32..5) {
        let words = random_words(seed, 7, letters);
        let game = Shiritori::new(&words.join("\n"), Play::Misere).unwrap();
        prop_assert_eq!(game.net_edges(), words.len());
        answers_equal_the_whole_game(&words, Play::Misere)?;
    }

    #[test]
    fn positions_of_larger_lists(seed: u64, letters in 3u32..7) {
        let words = random_words(seed, 18, letters);
        let game = Shiritori::new(&words.join("\n"), Play::Normal).unwrap();
        let solution = solved(&game);
        let mut plain = Plain::new(&words, Play::Normal);
        let mut draw = fastrand::Rng::with_seed(seed);
        for _ in 0..60 {
            let said = draw.u32(..) & draw.u32(..) & ((1 << words.len()) - 1);
            let set: Vec<&str> = (0..words.len()).filter(|&w| said >> w & 1 == 1).map(|w| words[w].as_str()).collect();
            let letter = game.rules().modes()[draw.usize(..game.rules().modes().len())].clone();
            let text = format!("{{{}}} {letter}", set.join(","));
            let expected = plain.outcome(said, letter.chars().next().unwrap());
            prop_assert_eq!(answer(&game, &solution, Some(&text)).outcome(), Some(expected), "{:?}: {}", &words, &text);
        }
    }

    #[test]
    fn every_start_of_lists_of_fourteen_words(seed: u64, letters in 2u32..6) {
        let words = random_words(seed, 14, letters);
        for play in [Play::Normal, Play::Misere] {
            let game = Shiritori::new(&words.join("\n"), play).unwrap();
            let solution = solved(&game);
            let mut plain = Plain::new(&words, play);
            for letter in game.rules().modes() {
                let found = answer(&game, &solution, Some(&format!("{{}} {letter}"))).outcome();
                let expected = plain.outcome(0, letter.chars().next().unwrap());
                prop_assert_eq!(found, Some(expected), "{:?} from {}", &words, letter);
            }
        }
    }

    #[test]
    fn what_is_written_is_read(seed: u64) {
        let game = Shiritori::new(&random_words(seed, 12, 4).join("\n"), Play::Normal).unwrap();
        for (position, _) in held(&solved(&game)).take(300) {
            let text = game.write(Node::At(position));
            prop_assert_eq!(game.read(&text).unwrap().node, Node::At(position), "{}", text);
        }
        prop_assert_eq!(game.read(&game.write(game.rules().start_node())).unwrap().node, game.rules().start_node());
    }
}

/// In misère play a pair does not cancel. The player who must continue from 0 loses with the pair and wins without it.
#[test]
fn misere_play_has_no_pairs() {
    let outcome = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
        Plain::new(&words, Play::Misere).outcome(0, '0')
    };
    assert_eq!(outcome(&["1x1"]), Outcome::Win);
    assert_eq!(outcome(&["0x1", "1x0", "1x1"]), Outcome::Loss);
    let game = Shiritori::new("0x1\n1x0\n1x1", Play::Misere).unwrap();
    assert_eq!(game.net_edges(), 3);
    assert_eq!(answer(&game, &solved(&game), Some("{} 0")).outcome(), Some(Outcome::Loss));
}

#[test]
fn a_table_answers_without_its_list() {
    let game = Shiritori::new(MEDIUM, Play::Normal).unwrap();
    let solution = solved(&game);
    let table = Table::from_bytes(solution.to_bytes(&game.descriptor())).unwrap();
    verify::bytes(&table, &verify::Options::default()).unwrap();
    verify::labels(&table, &verify::Options::default()).unwrap();
    let again = game::of_table(table.rules(), table.descriptor());
    let mut look_up = |position: Position| table.find(position).unwrap();
    let off_table = again.off_table().unwrap();
    let from_table = off_table.answer(Some("cjunqesksk"), &mut Ask { look_up: &mut look_up, limit: 1000 }).unwrap();
    assert_eq!(from_table, answer(&game, &solution, Some("cjunqesksk")));
    assert_eq!(from_table.position, "{cjunqesksk} k");
}

#[test]
fn a_list_that_cancels_altogether_is_lost_for_the_player_who_opens() {
    let game = Shiritori::new("ab\nba\ncc\nccc", Play::Normal).unwrap();
    assert_eq!(game.net_edges(), 0);
    let solution = solved(&game);
    let opening = answer(&game, &solution, None);
    assert_eq!((opening.outcome(), opening.moves.len()), (Some(Outcome::Loss), 4));
    assert_eq!(answer(&game, &solution, Some("ab")).outcome(), Some(Outcome::Win));
}

/// The name of the rules depends on the words and the play alone.
#[test]
fn a_name_depends_on_the_content_alone() {
    let name = |text: &str, play| Shiritori::new(text, play).unwrap().rules().name().to_owned();
    let one = name("ab\nbc", Play::Normal);
    assert_eq!(one, name("# the same\nbc\nAB", Play::Normal));
    let others = [name("ab\nbd", Play::Normal), name("ab\nbc", Play::Misere), name("ab <- start\nbc", Play::Normal)];
    assert!(others.iter().all(|other| *other != one));
}

/// The player who must continue from `letter` wins on a ring of three letters, where `left` words lead from each letter
/// to the next.
fn ring_wins(left: [u32; 3], letter: usize) -> bool {
    // Each letter has only one kind of word, so play goes around the ring until a letter has no word left.
    let (mut left, mut at, mut turns) = (left, letter, 0);
    while left[at] > 0 {
        left[at] -= 1;
        at = (at + 1) % 3;
        turns += 1;
    }
    turns % 2 == 1
}

#[test]
fn more_words_than_a_board_has_cells_are_searched_word_by_word() {
    // A ring of three letters with 22, 22 and 20 words that do not cancel, and pairs between a and b that do.
    let ring = |from: char, to: char, count: u32| (0..count).map(move |n| format!("{from}{n}{to}"));
    let pairs = (0..3).flat_map(|n| [format!("ap{n}b"), format!("bp{n}a")]);
    let words: Vec<String> =
        ring('a', 'b', 22).chain(ring('b', 'c', 22)).chain(ring('c', 'a', 20)).chain(pairs).collect();
    let game = Shiritori::new(&words.join("\n"), Play::Normal).unwrap();
    assert_eq!(game.net_edges(), 64);
    let solution = solved(&game);
    for said in 1..=3 {
        let said: Vec<String> = (0..said).map(|n| format!("bp{n}a")).collect();
        for (number, letter) in ["a", "b", "c"].into_iter().enumerate() {
            let text = format!("{{{}}} {letter}", said.join(","));
            let found = answer(&game, &solution, Some(&text));
            // The remaining pairs still cancel.
            let expected = ring_wins([22 + said.len() as u32, 22, 20], number);
            assert_eq!(found.outcome() == Some(Outcome::Win), expected, "{text}");
            assert!(found.outcome().is_some() && found.source == AnswerSource::Search, "{text}");
            let nothing = answer_within(&game, &solution, Some(&text), 0);
            assert!(nothing.outcome().is_none_or(|outcome| Some(outcome) == found.outcome()), "{text}");
        }
    }
}
