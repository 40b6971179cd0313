//! A player for the other side: perfect where the answer is known, and otherwise the best guess in the time there is.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::line::best_move;
use super::{Answered, EngineError, SearchLimit, Source, Stop};
use tablegen_games::{Answer, AnswerMove};
use tablegen_rules::{Node, Outcome, Position};
use tablegen_search::{Guess, Strength};

/// How well a player plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Skill {
    /// The best move if it is known, and the best guess if it is not.
    #[default]
    Perfect,
    /// A guess from a few thousand lines of play.
    Strong,
    /// A guess from a few lines of play, which often errs.
    Beginner,
}

impl Skill {
    /// All of them, each with its name.
    pub const NAMED: [(&str, Self); 3] =
        [("perfect", Self::Perfect), ("strong", Self::Strong), ("beginner", Self::Beginner)];

    /// `perfect`, `strong` or `beginner`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Strong => "strong",
            Self::Beginner => "beginner",
        }
    }

    /// The most lines of play to try.
    const fn tries(self) -> u64 {
        match self {
            Self::Perfect => 1 << 20,
            Self::Strong => 1 << 12,
            Self::Beginner => 24,
        }
    }
}

/// A player who makes moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opponent {
    /// How well it plays.
    pub skill: Skill,
    /// Equal seeds lead to equal guesses at equal positions, unless the time ends first.
    pub seed: u64,
    /// The longest time of a guess.
    pub time: Duration,
}

impl Default for Opponent {
    fn default() -> Self {
        Self { skill: Skill::Perfect, seed: 0, time: Self::TIME }
    }
}

impl Opponent {
    /// The longest time of a guess by default.
    pub const TIME: Duration = Duration::from_millis(200);
}

/// A guess at a move.
struct Try {
    skill: Skill,
    seed: u64,
    /// The time at which it ends.
    until: Option<Instant>,
}

/// A move for the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The move.
    pub chosen: AnswerMove,
    /// True if it is known to be a best move.
    pub proved: bool,
}

impl Source {
    /// The move of `opponent` at `answered`; `None` if the game is over. Guesses for move `number` of a game differ from those for another
    /// number.
    ///
    /// # Errors
    /// If a table is damaged where it is read, or `watch` stops the work.
    pub fn reply(
        &self,
        answered: &Answered,
        opponent: Opponent,
        number: usize,
        watch: Stop<'_>,
    ) -> Result<Option<Reply>, EngineError> {
        let answer = &answered.answer;
        let until = Instant::now().checked_add(opponent.time);
        if opponent.skill == Skill::Perfect {
            let best = match answer.is_loss_without_order() {
                true => self.longest(answer, opponent.time / 2, watch)?,
                false => best_move(answer),
            };
            if let Some(chosen) = best {
                return Ok(Some(Reply { chosen, proved: true }));
            }
        }
        let Some(first) = answer.moves.first() else { return Ok(None) };
        let seed = opponent.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number as u64);
        let guessed = match answer.node {
            Some(node) if answer.moves.iter().all(|m| m.to.is_some()) => {
                self.guess(node, answer.lead, Try { skill: opponent.skill, seed, until }, watch)?
            }
            _ => None,
        };
        let guessed = answer.moves.iter().find(|m| guessed.is_some() && m.to == guessed);
        let is_lost = answer.outcome() == Some(Outcome::Loss);
        // A move that is known to lose is not made while another one may not.
        let is_sure_loss = |m: &AnswerMove| m.outcome() == Some(Outcome::Loss) && !is_lost;
        let chosen = match guessed {
            Some(guessed) if opponent.skill == Skill::Perfect && is_sure_loss(guessed) => first,
            Some(guessed) => guessed,
            None if opponent.skill == Skill::Beginner => &answer.moves[(seed % answer.moves.len() as u64) as usize],
            None => first,
        };
        let proved = answer.best().any(|best| best == chosen) && !answer.is_loss_without_order();
        Ok(Some(Reply { chosen: chosen.clone(), proved }))
    }

    /// The move that delays the loss of the player to move at `answer` longest, if a search finds it in `time`.
    fn longest(&self, answer: &Answer, time: Duration, watch: Stop<'_>) -> Result<Option<AnswerMove>, EngineError> {
        // The plies of a reduced game are not those of the game.
        let has_plies = answer.lead == 0 && self.game().off_table().is_none();
        let Some(node) = answer.node.filter(|_| has_plies) else { return Ok(None) };
        let found = self.longest_loss(node, SearchLimit::Time(time), watch)?;
        let of = |(to, value)| {
            let chosen = answer.moves.iter().find(|m| m.to == Some(to))?;
            Some(AnswerMove { value: Some(value), ..chosen.clone() })
        };
        Ok(found.and_then(of))
    }

    /// The position after the guessed move at `node`.
    fn guess(
        &self,
        node: Node,
        lead: i32,
        Try { skill, seed, until }: Try,
        watch: Stop<'_>,
    ) -> Result<Option<Position>, EngineError> {
        let mut continues =
            |_| watch() == ControlFlow::Continue(()) && until.is_none_or(|until| Instant::now() < until);
        let strength = Strength { tries: skill.tries(), seed };
        let mut guess = Guess::new(self.game().rules());
        // Only the perfect player knows what tables say.
        if skill == Skill::Perfect && self.looks_up() {
            self.looking(|known| guess.best(node, lead, strength, Some(known), &mut continues))
        } else {
            Ok(guess.best(node, lead, strength, None, &mut continues))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, TableDirs, game};
    use tablegen_games::Parameters;

    fn go_on() -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn source(name: &str, size: &[(&str, u32)]) -> Source {
        let parameters = size.iter().fold(Parameters::new(), |all, (name, value)| all.with(*name, *value));
        Engine::new(TableDirs::none()).source(game(name, &parameters).unwrap(), SearchLimit::Positions(100)).unwrap()
    }

    /// The text of the move of a player at `text`.
    fn reply(source: &Source, text: &str, skill: Skill, seed: u64) -> (String, bool) {
        let answered = source.answer_within(&source.read(text).unwrap(), SearchLimit::AtOnce).unwrap();
        let opponent = Opponent { skill, seed, time: Duration::from_secs(60) };
        let reply = source.reply(&answered, opponent, 0, &go_on).unwrap().unwrap();
        (reply.chosen.text, reply.proved)
    }

    #[test]
    fn there_is_a_move_where_no_search_finds_one() {
        let large = source("connect-four", &[("rows", 6), ("cols", 7)]);
        let start = "......./......./......./......./......./....... x";
        let quick = Opponent { time: Duration::from_millis(20), ..Opponent::default() };
        let answered = large.answer_within(&large.read(start).unwrap(), SearchLimit::AtOnce).unwrap();
        let made = large.reply(&answered, quick, 0, &go_on).unwrap().unwrap();
        assert!(!made.proved && answered.answer.moves.contains(&made.chosen));
        // X threatens to win at once in d5.
        let threat = "......./......./...X.../...X.O./...X.O./...O... o";
        assert_eq!(reply(&large, threat, Skill::Strong, 1).0, "d2");
    }

    /// Searched outcomes leave open which move of a lost position is the best. The reply is as good as that of a table.
    #[test]
    fn a_loss_is_delayed_although_its_plies_are_not_known() {
        let game = || game("connect-four", &Parameters::new().with("rows", 4).with("cols", 5)).unwrap();
        let engine = Engine::new(TableDirs::none());
        let table = engine.solve_in_memory(game(), &crate::SolveOptions::default(), None).unwrap();
        let search = Source::searching(game().into(), SearchLimit::Positions(1 << 20).into());
        let patient = Opponent { time: Duration::from_secs(600), ..Opponent::default() };
        let (mut seen, mut delayed) = (0, 0);
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..60 {
            let mut node = search.game().rules().start_node();
            while let Some(choice) = rng.choice(table.table().unwrap().probe(node).unwrap().moves) {
                node = choice.to.into();
                let answered = search.answer(&search.asked_at(Some(node), 0, "")).unwrap();
                if !answered.answer.is_loss_without_order() {
                    continue;
                }
                let reply = search.reply(&answered, patient, 0, &go_on).unwrap().unwrap();
                let probe = table.table().unwrap().probe(node).unwrap();
                let of = |m: &AnswerMove| probe.moves.iter().find(|it| Some(it.to) == m.to).unwrap().value;
                assert!(reply.proved && of(&reply.chosen) == probe.value, "{}", answered.answer.position);
                seen += 1;
                delayed += u32::from(of(&answered.answer.moves[0]) != probe.value);
                // Without time, the reply is a guess.
                let hasty = Opponent { time: Duration::ZERO, ..Opponent::default() };
                let guess = search.reply(&answered, hasty, 0, &go_on).unwrap().unwrap();
                assert!(
                    answered.answer.moves.contains(&guess.chosen)
                        && (!guess.proved || of(&guess.chosen) == probe.value)
                );
            }
        }
        assert!(seen > 10 && delayed > 3, "{seen} {delayed}");
    }

    #[test]
    fn a_beginner_errs_and_the_perfect_player_does_not() {
        let small = source("tactics", &[]);
        assert_eq!(reply(&small, "XX../XX../..../....", Skill::Perfect, 5), ("c3".into(), true));
        let text = "XXXX/XXXX/XX../....";
        let all: Vec<_> = (0..40).map(|seed| reply(&small, text, Skill::Beginner, seed)).collect();
        assert!(all.iter().any(|(_, proved)| *proved) && all.iter().any(|(_, proved)| !proved));
        let again: Vec<_> = (0..40).map(|seed| reply(&small, text, Skill::Beginner, seed)).collect();
        assert_eq!(all, again);
    }
}
