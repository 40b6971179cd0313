//! Shiritori played to the end. The player who wins by the table beats every opponent in these tests, on each list,
//! from each letter, whatever words are said.

use crate::common::lists::{EASY, MEDIUM};
use crate::common::{reachable, sparse_of};
use tablegen::game::{Answer, AnswerMove, AnswerSource, Ask, Game, OffTable, Play, Shiritori};
use tablegen::rules::{Node, Outcome, Position};
use tablegen::table::{SaveTable, Table};
use tablegen::verify::{self, Options, OracleReport, Scope};

/// A list and its table.
struct Solved<'a> {
    game: &'a Shiritori,
    table: &'a Table,
}

fn tabled(list: &str) -> (Shiritori, Table) {
    let game = Shiritori::new(list, Play::Normal).expect("a list");
    let table = Table::from_bytes(sparse_of(&game).to_bytes(&game.descriptor())).expect("a table");
    (game, table)
}

fn hard() -> Solved<'static> {
    let (game, table) = crate::shiritori::hard();
    Solved { game, table }
}

impl Solved<'_> {
    fn answer(&self, text: &str, limit: u64) -> Answer {
        let mut look_up = |position| self.table.find(position).expect("a sound table");
        self.game.answer(Some(text), &mut Ask { look_up: &mut look_up, limit }).expect("a position")
    }

    /// The letters with net words from which the player to move wins when no word has been said.
    fn won_starts(&self) -> Vec<String> {
        let won = |&root: &Position| self.table.outcome(root).expect("a root") == Outcome::Win;
        self.game.roots().into_iter().filter(won).map(|root| self.game.write(Node::At(root))).collect()
    }

    /// Plays from `text`, which the player to move wins. The winner follows the answers and keeps to positions of the
    /// table, as the pairing reply does. The loser chooses with `opponent` among all legal words. Returns the number of
    /// cancelled words that the loser said.
    fn play(&self, text: String, mut opponent: impl FnMut(&Self, &[AnswerMove]) -> usize) -> u32 {
        let (mut text, mut struck_out) = (text, 0);
        loop {
            // A winning word that stays in the table always exists, and finding it needs no search.
            let mine = self.answer(&text, 0);
            assert_eq!(mine.outcome(), Some(Outcome::Win), "{text}");
            let reply = mine.best().find(|m| self.holds(m));
            let reply = reply.expect("a winning word that stays in the table");
            let theirs = self.answer(&reply.position, 0);
            assert_eq!((theirs.outcome(), theirs.source), (Some(Outcome::Loss), AnswerSource::Table), "{text}");
            if theirs.over {
                return struck_out;
            }
            let said = &theirs.moves[opponent(self, &theirs.moves)];
            struck_out += u32::from(said.to.is_none());
            text.clone_from(&said.position);
        }
    }

    /// The table holds the position after `word`.
    fn holds(&self, word: &AnswerMove) -> bool {
        word.to.is_some_and(|to| self.table.find(to).expect("a sound table").is_some())
    }

    /// Plays `games` games from each won start against `opponent`. Returns the number of games, and the number of
    /// cancelled words that the opponent said.
    fn play_all(&self, games: u64, mut opponent: impl FnMut(&Self, &[AnswerMove]) -> usize) -> (u64, u64) {
        let (mut played, mut struck_out) = (0, 0);
        for start in self.won_starts() {
            for _ in 0..games {
                struck_out += u64::from(self.play(start.clone(), &mut opponent));
                played += 1;
            }
        }
        (played, struck_out)
    }

    /// The number of further words before the loser has lost, looking `plies` words ahead. The winner says the word
    /// that leaves the shortest game, among the first winning words that stay in the table.
    fn resistance(&self, text: &str, plies: u32) -> u32 {
        if plies == 0 {
            return 0;
        }
        let mine = self.answer(text, 0);
        let staying = mine.best().filter(|m| self.holds(m));
        let shortest = staying.take(3).map(|m| {
            let theirs = self.answer(&m.position, 0);
            let after = theirs.moves.iter().map(|m| 1 + self.resistance(&m.position, plies - 1));
            1 + after.max().unwrap_or(0)
        });
        shortest.min().unwrap_or(0)
    }
}

/// An opponent who says a random word.
fn random(seed: u64) -> impl FnMut(&Solved<'_>, &[AnswerMove]) -> usize {
    let mut draw = fastrand::Rng::with_seed(seed);
    move |_, moves| draw.usize(..moves.len())
}

/// An opponent who says a word with the greatest resistance, looking `plies` words ahead, at random among equals.
fn stubborn(seed: u64, plies: u32) -> impl FnMut(&Solved<'_>, &[AnswerMove]) -> usize {
    let mut draw = fastrand::Rng::with_seed(seed);
    move |solved, moves| {
        let lengths: Vec<u32> = moves.iter().map(|m| solved.resistance(&m.position, plies)).collect();
        let longest: Vec<usize> = (0..moves.len()).filter(|&n| Some(&lengths[n]) == lengths.iter().max()).collect();
        longest[draw.usize(..longest.len())]
    }
}

/// The opponent plays the move after which the winner has the fewest words.
fn starving(seed: u64) -> impl FnMut(&Solved<'_>, &[AnswerMove]) -> usize {
    let mut draw = fastrand::Rng::with_seed(seed);
    move |solved, moves| {
        let words = |n: usize| solved.answer(&moves[n].position, 0).moves.len();
        let left: Vec<usize> = (0..moves.len()).map(words).collect();
        let fewest: Vec<usize> = (0..moves.len()).filter(|&n| Some(&left[n]) == left.iter().min()).collect();
        fewest[draw.usize(..fewest.len())]
    }
}

#[test]
fn the_medium_list() {
    let (game, table) = &tabled(MEDIUM);
    let solved = Solved { game, table };
    assert_eq!(solved.won_starts(), ["{} d", "{} g", "{} t"]);
    let (played, struck_out) = solved.play_all(400, random(1));
    assert!(played == 1200 && struck_out > played / 2, "{struck_out} of {played}");
    // The look-ahead covers the whole length of the game.
    assert_eq!(solved.play_all(10, stubborn(2, 22)).0, 30);
}

#[test]
fn the_easy_list() {
    let (game, table) = &tabled(EASY);
    let solved = Solved { game, table };
    // All words are net words, so the opponent can only say words that the table follows.
    assert_eq!(EASY.lines().count(), solved.game.net_edges());
    assert_eq!(solved.play_all(100, random(3)), (1400, 0));
    assert!(solved.play_all(2, stubborn(4, 3)).0 >= 20);
}

#[test]
fn the_hard_list_against_a_random_opponent() {
    let (played, struck_out) = hard().play_all(20, random(5));
    assert!(played == 200 && struck_out > 10 * played, "{struck_out} of {played}");
}

#[test]
#[ignore = "a quarter of a minute"]
fn two_thousand_games_of_the_hard_list() {
    let (played, struck_out) = hard().play_all(200, random(5));
    assert!(played == 2000 && struck_out > 10 * played, "{struck_out} of {played}");
}

#[test]
fn the_hard_list_against_a_stubborn_opponent() {
    assert_eq!(hard().play_all(3, starving(6)).0, 30);
    assert_eq!(hard().play_all(1, stubborn(7, 1)).0, 10);
}

/// A cancelled word is answered by its partner without any search, because the table holds the position after both.
#[test]
fn the_pairing_reply_needs_no_search() {
    let solved = hard();
    let mut draw = fastrand::Rng::with_seed(8);
    let mut answered = 0;
    for start in solved.won_starts() {
        for _ in 0..20 {
            let mine = solved.answer(&start, 0);
            let reply = mine.best().find(|m| solved.game.read(&m.position).is_ok()).expect("a winning word");
            let theirs = solved.answer(&reply.position, 0);
            let off: Vec<_> = theirs.moves.iter().filter(|m| solved.game.read(&m.position).is_err()).collect();
            let Some(said) = (!off.is_empty()).then(|| off[draw.usize(..off.len())]) else { continue };
            let after = solved.answer(&said.position, 0);
            assert_eq!(after.outcome(), Some(Outcome::Win), "{}", said.position);
            assert!(after.node.is_none() && after.source == AnswerSource::Search && after.best().count() > 0);
            answered += 1;
        }
    }
    assert!(answered >= 50, "{answered}");
}

/// In every position of random games, a word's successor is the position that its text names, or `None`.
#[test]
fn a_word_leads_to_the_position_in_its_text() {
    let (medium, easy) = (tabled(MEDIUM), tabled(EASY));
    let lists = [(Solved { game: &medium.0, table: &medium.1 }, 100), (Solved { game: &easy.0, table: &easy.1 }, 20)];
    let mut draw = fastrand::Rng::with_seed(9);
    for (solved, games) in lists.into_iter().chain([(hard(), 20)]) {
        let mut beside = 0;
        for _ in 0..games {
            let mut text = "{}".to_owned();
            loop {
                let moves = solved.answer(&text, 0).moves;
                for m in &moves {
                    let named = solved.game.read(&m.position).ok().map(|reading| reading.node);
                    assert_eq!(named, m.to.map(Node::At), "{}", m.position);
                    beside += u32::from(named.is_none());
                }
                let Some(said) = (!moves.is_empty()).then(|| draw.usize(..moves.len())) else { break };
                text.clone_from(&moves[said].position);
            }
        }
        let all_are_net_words = solved.game.net_edges() == solved.answer("{}", 0).moves.len();
        assert!(beside > 100 || all_are_net_words, "{beside}");
    }
}

/// A search without the table checks positions drawn from the table.
#[test]
fn a_sample_of_the_hard_list_equals_a_search() {
    let scope = Scope::Sample { count: 1000, seed: 0 };
    let found = verify::oracle(hard().table, &Options { scope, ..Options::default() }).expect("right as far as known");
    assert_eq!(found, OracleReport { right: 1000, unknown: 0 });
}

/// The letters that the author of the published program found: in every reachable position, the player who must
/// continue from x, k or b wins if a net word with that letter is left. The same holds for q, r and s, and for no other
/// letter.
#[test]
fn the_author_s_letters() {
    let Solved { game, table } = hard();
    let letters = game.rules().modes();
    // For each letter: the numbers of lost and of won positions with a net word left.
    let mut counts = vec![[0u64; 2]; letters.len()];
    let first: Vec<_> = (0..letters.len())
        .map(|mode| game.rules().moves().iter().filter(|m| usize::from(m.mode.0) == mode).collect::<Vec<_>>())
        .collect();
    for found in reachable(table.contents()).positions() {
        let (position, outcome) = found.expect("sound");
        let mode = usize::from(position.mode.0);
        if first[mode].iter().any(|m| m.is_legal(position)) {
            counts[mode][usize::from(outcome == Outcome::Win)] += 1;
        } else {
            assert_eq!(outcome, Outcome::Loss);
        }
    }
    let always: String =
        (0..letters.len()).filter(|&m| counts[m][0] == 0 && counts[m][1] > 0).map(|m| &*letters[m]).collect();
    // The author's three letters, and three that the author did not notice.
    assert_eq!(always, "bkqrsx");
}
