//! Shiritori (Google DevQuiz 2010): say a word of a shared list that begins with the letter the last one ended with.
//!
//! No word is said twice; who cannot answer loses (or wins, in misère play). A list of words is a directed multigraph
//! of letters; what is tabled under normal play is its [`net`], which has the same outcomes and is much smaller: of the
//! hard list's 187 words 55 edges are left. Words the net struck out can be said all the same, and such positions are
//! answered exactly, by looking further until play stands in the table again ([`residual_search`]).

mod core;
mod net;
mod residual_search;
mod used_words;
mod words;

use super::answer::best_of;
use super::{
    Answer, AnswerMove, Ask, Coverage, Family, Game, GameError, Graph, NotationError, OffTable, ParameterKind,
    ParameterSpec, Parameters, Play, Reading, Source,
};
use crate::label::Value;
use crate::rules::{Board, Descriptor, Mode, Node, Outcome, Position, Rules, RulesError, RulesSpec, Start};
use net::{Counts, Ends, Net};
use used_words::UsedWords;
use words::WordList;

/// Shiritori on the command line.
pub(super) const FAMILY: Family = Family {
    name: "shiritori",
    summary: "say an unused word that begins with the last letter; who cannot answer loses (Google DevQuiz 2010)",
    notation: "the words said so far, in order, or {word,word,…} letter: the words said, and the letter to follow",
    example: "{} k",
    parameters: &[
        ParameterSpec {
            name: "words",
            value: "FILE",
            kind: ParameterKind::File,
            help: "the list, one word a line; <- behind the first word marks it as the start",
            default: None,
        },
        ParameterSpec {
            name: "play",
            value: "normal|misere",
            kind: ParameterKind::Text,
            help: "who cannot answer loses or wins",
            default: Some("normal"),
        },
    ],
    read_file_parameters: None,
    make: |parameters| Ok(Box::new(Shiritori::from_parameters(parameters)?)),
};

/// Shiritori with one list of words.
///
/// ```
/// use tablegen::game::{Ask, Game, OffTable, Play, Shiritori};
/// use tablegen::rules::Outcome;
/// use tablegen::solve::sparse;
///
/// let game = Shiritori::new("tower\nrat\ntar\nrug\ngnat\ntent\n", Play::Normal)?;
/// // rat and tar cancel: four edges are left.
/// assert_eq!(game.rules().cells(), 4);
/// let table = sparse(game.rules(), &sparse::Options { roots: &game.roots(), ..Default::default() })?;
/// let mut look_up = |position| table.outcome(position);
/// let answer = game.answer(Some("tar"), &mut Ask { look_up: &mut look_up, limit: 1000 })?;
/// assert_eq!((answer.outcome(), answer.moves.len()), (Some(Outcome::Win), 2));
/// // Both rat, which the net had struck out with tar, and rug win.
/// assert_eq!(answer.best().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Shiritori {
    list: WordList,
    play: Play,
    /// The words by their ends.
    all: Counts,
    /// The net of the words left at the start.
    net: Net,
    rules: Rules,
}

impl Shiritori {
    /// Shiritori with the words of `text`: one a line, `#` before a comment, `<-` behind the first word where the game
    /// starts with it.
    ///
    /// # Errors
    /// Where the list cannot be read, or what is to be tabled of it are more than 64 edges.
    pub fn new(text: &str, play: Play) -> Result<Self, GameError> {
        let list = WordList::read(text)?;
        let mut all = Counts::new();
        list.words.iter().for_each(|word| *all.entry((word.from, word.to)).or_default() += 1);
        let mut left = all.clone();
        if list.marked {
            net::take(&mut left, (list.words[0].from, list.words[0].to));
        }
        let left = net::net(&left, play);
        let edges = net::total(&left);
        let letters = list.letters.iter().map(char::to_string).collect();
        let net = Net::new(left, letters).ok_or_else(|| GameError::OutOfReach {
            what: match play {
                Play::Normal => format!("a list of {} words, {edges} of which do not cancel", list.words.len()),
                Play::Misere => format!("a list of {} words, none of which cancel in misère play", list.words.len()),
            },
            limit: "64 of them".into(),
        })?;
        let rules = rules(&list, &net.graph, play)?;
        Ok(Self { list, play, all, net, rules })
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, GameError> {
        let play = parameters.play(Play::Normal)?;
        let words = parameters.get("words").ok_or(GameError::Missing { family: FAMILY.name, parameter: "words" })?;
        Self::new(words, play)
    }

    /// The number of edges that do not cancel: what the table is made of.
    #[must_use]
    pub fn net_edges(&self) -> usize {
        self.net.graph.edges().len()
    }

    /// The words that are left once `said` were said, by their ends.
    fn left(&self, said: &UsedWords) -> Counts {
        let mut left = self.all.clone();
        for word in said.words().map(|number| &self.list.words[number]) {
            net::take(&mut left, (word.from, word.to));
        }
        left
    }

    /// The position of the rules with the outcome of `left` and `letter`, where the rules have one.
    fn position(&self, left: &Counts, letter: u16) -> Option<Position> {
        let board = self.net.board_of(&net::net(left, self.play))?;
        Some(Position::new(Mode(letter), board))
    }

    /// What `left` is worth to the player who must answer `letter`, and where that is from; `None` where the search
    /// reached its limit.
    fn value(&self, left: &Counts, letter: u16, ask: &mut Ask<'_>) -> (Option<Outcome>, Source) {
        if let Some(outcome) = self.position(left, letter).and_then(|position| (ask.look_up)(position)) {
            return (Some(outcome), Source::Table);
        }
        let net = net::net(left, self.play);
        (residual_search::search(&net, letter, &self.net, self.play, ask), Source::Search)
    }

    /// What each kind of word is worth to the player who says it, in the order of its ends; `of` is what the position
    /// is worth to the player to move, where that is known.
    fn kinds(&self, left: &Counts, of: Option<Outcome>, ask: &mut Ask<'_>, from: u16) -> Vec<Kind> {
        let kinds = left.range((from, 0)..=(from, u16::MAX)).map(|(&ends, _)| ends);
        kinds
            .map(|ends| {
                let mut after = left.clone();
                net::take(&mut after, ends);
                let to = self.position(&after, ends.1);
                // From a lost position every word loses: nothing needs to be searched.
                let outcome = match of {
                    Some(Outcome::Loss) => of,
                    _ => self.value(&after, ends.1, ask).0.map(Outcome::flip),
                };
                Kind { ends, to, outcome }
            })
            .collect()
    }

    fn answer_said(&self, said: &UsedWords, ask: &mut Ask<'_>) -> Answer {
        let left = self.left(said);
        let (mut outcome, mut source, letters) = match said.letter {
            Some(letter) => {
                let (outcome, source) = self.value(&left, letter, ask);
                (outcome, source, letter..=letter)
            }
            None => (None, Source::Table, 0..=(self.list.letters.len() - 1) as u16),
        };
        // What the search may expand is not shared out among the words: halving it for the position and dividing the rest
        // left more words unknown than letting each take what it needs (4 to 23 % more after 11 to 60 words at random).
        let mut kinds = Vec::new();
        for letter in letters {
            // Whoever opens the game may begin with the letter of a lost position, and is then in it.
            let of = if said.letter.is_some() { outcome } else { self.value(&left, letter, ask).0 };
            kinds.extend(self.kinds(&left, of, ask, letter));
        }
        if outcome.is_none() {
            outcome = best_of(kinds.iter().map(|kind| kind.outcome), self.rules.terminal());
            if said.letter.is_some() {
                source = Source::Search;
            }
        }
        let words = self
            .list
            .words
            .iter()
            .enumerate()
            .filter(|(number, word)| !said.has(*number) && said.letter.is_none_or(|letter| word.from == letter));
        let before: Vec<usize> = said.words().collect();
        let moves = words.map(|(number, word)| {
            let kind = kinds.binary_search_by_key(&(word.from, word.to), |kind| kind.ends).ok();
            let kind = kind.map(|kind| &kinds[kind]);
            AnswerMove {
                text: word.text.clone(),
                position: used_words::write_after(&before, number, &self.list),
                to: kind.and_then(|kind| kind.to),
                value: kind.and_then(|kind| kind.outcome).map(Value::from),
            }
        });
        let moves: Vec<AnswerMove> = moves.collect();
        let node = self.node(said, &left);
        let mut answer = Answer {
            position: said.write(&self.list),
            node,
            value: outcome.map(Value::from),
            over: moves.is_empty(),
            source,
            moves,
        };
        answer.sort();
        answer
    }

    /// The node of the rules that `said` names, if they have one.
    fn node(&self, said: &UsedWords, left: &Counts) -> Option<Node> {
        match said.letter {
            None => Some(Node::Opening),
            Some(letter) => self.position(left, letter).map(Node::At),
        }
    }

    /// The words that stand for `position`: of words with the same ends, the first of the list.
    fn representative(&self, position: Position) -> UsedWords {
        let mut said = UsedWords::start(&self.list);
        said.letter = Some(position.mode.0);
        for (&ends, &copies) in &self.net.counts {
            let used = (position.board & self.net.used(ends, copies)).count();
            let words = self.list.words.iter().enumerate();
            let alike = words.filter(|(_, word)| (word.from, word.to) == ends).map(|(number, _)| number);
            let unsaid: Vec<usize> = alike.filter(|&number| !said.has(number)).take(used as usize).collect();
            unsaid.into_iter().for_each(|number| said.insert(number));
        }
        said
    }
}

/// Words with the same ends: what saying one of them leads to.
struct Kind {
    ends: Ends,
    /// The position after it, where the rules have it.
    to: Option<Position>,
    /// What it is worth to who says it, where that is known.
    outcome: Option<Outcome>,
}

/// The rules of the net of a list.
fn rules(list: &WordList, net: &Graph, play: Play) -> Result<Rules, RulesError> {
    let mut sorted: Vec<&str> = list.words.iter().map(|word| word.text.as_str()).collect();
    sorted.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    let start = list.marked.then(|| list.words[0].text.as_str());
    for text in start.into_iter().chain([""]).chain(sorted) {
        hasher.update(text.as_bytes());
        hasher.update(b"\n");
    }
    let name = format!("shiritori-{}-{}", &hasher.finalize().to_hex()[..12], play.name());
    let first = list.marked.then_some(list.words[0].to);
    if net.edges().is_empty() {
        // Everything cancels: whoever is to move has lost, and no move fills the one cell there must be.
        let start = Position::new(Mode(first.unwrap_or(0)), Board::EMPTY);
        let modes = net.vertices().to_vec();
        let rules = RulesSpec { modes, terminal: play.terminal(), start: Start::At(start), ..RulesSpec::new(name, 1) };
        return rules.build();
    }
    net.rules(name, play, first.map(usize::from))
}

impl OffTable for Shiritori {
    fn check(&self, text: &str) -> Result<(), NotationError> {
        UsedWords::read(text, &self.list).map(drop)
    }

    fn answer(&self, text: Option<&str>, ask: &mut Ask<'_>) -> Result<Answer, NotationError> {
        let used = text.map_or_else(|| Ok(UsedWords::start(&self.list)), |text| UsedWords::read(text, &self.list));
        used.map(|used| self.answer_said(&used, ask))
    }
}

impl Game for Shiritori {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn descriptor(&self) -> Descriptor {
        let parameters = vec![("words".into(), self.list.to_text()), ("play".into(), self.play.name().into())];
        Descriptor { family: FAMILY.name.into(), parameters }
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(Coverage::Reachable)
    }

    /// Where no word is marked as the start: every letter that an edge begins with, nothing said.
    fn roots(&self) -> Vec<Position> {
        if self.list.marked {
            return Vec::new();
        }
        let letters = self.net.counts.keys().map(|ends| ends.0);
        let mut roots: Vec<Position> = letters.map(|letter| Position::new(Mode(letter), Board::EMPTY)).collect();
        roots.dedup();
        roots
    }

    fn off_table(&self) -> Option<&dyn OffTable> {
        Some(self)
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        let said = UsedWords::read(text, &self.list)?;
        let expected = "words that a table holds: none that the net struck out";
        let off = || NotationError::new(text, expected, "words that are answered by search alone");
        self.node(&said, &self.left(&said)).map(Reading::from).ok_or_else(off)
    }

    fn write(&self, node: Node) -> String {
        match node {
            Node::Opening => UsedWords::start(&self.list).write(&self.list),
            Node::At(position) => self.representative(position).write(&self.list),
        }
    }

    /// The word said: of those that serve, the first of the list.
    fn write_move(&self, from: Node, to: Position) -> String {
        let before = match from {
            Node::Opening => UsedWords::start(&self.list),
            Node::At(position) => self.representative(position),
        };
        let after = self.representative(to);
        let word = after.words().find(|&number| !before.has(number));
        word.map_or_else(String::new, |number| self.list.words[number].text.clone())
    }

    fn draw(&self, node: Node) -> String {
        self.write(node)
    }
}
