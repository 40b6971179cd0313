//! Answers of a source: looked up, or searched.

use std::ops::ControlFlow;
use std::time::Instant;

use crate::answer::assembly::{distinct, with_label, with_plies};
use crate::answer::reply::{BriefPosition, name_of};
use crate::answer::short::probe_near_end;
use crate::outcomes::Asking;
use crate::{
    Answered, Asked, BoardValue, Brief, EngineError, Origin, SearchLimit, SearchOptions, Source, Stop,
    look_up_or_search, looked_up, searched_by,
};
use tablegen_games::{Answer, AnswerSource, NotationError, OutcomeClass, Reading};
use tablegen_labels::{LabelKind, LabelSet, Value};
use tablegen_rules::{Node, Outcome, Position};
use tablegen_search::Wanted;
use tablegen_solvers::SolveError;
use tablegen_tables::table::{TableError, TableFault};

/// The most positions that a source searches before it finds out whether the game can be solved.
const FIRST: u64 = 1 << 16;

impl Source {
    /// The value of the position, and of each move there.
    ///
    /// # Errors
    /// If the table is damaged where it is read, or the game cannot answer such a text.
    pub fn answer(&self, asked: &Asked) -> Result<Answered, EngineError> {
        self.answer_within(asked, self.options())
    }

    /// Like [`answer`](Self::answer), with other options of a search. With the limit [`SearchLimit::AtOnce`], an answer that
    /// [is settled](Self::is_settled) is the one that a longer search would give.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn answer_within(&self, asked: &Asked, options: impl Into<SearchOptions>) -> Result<Answered, EngineError> {
        self.answer_watched(asked, options, &|| ControlFlow::Continue(()))
    }

    /// Like [`answer_within`](Self::answer_within), with a function that is called before a search, and from time to time during one, and may
    /// stop it.
    ///
    /// # Errors
    /// As [`answer`](Self::answer), and if the search is stopped.
    pub fn answer_watched(
        &self,
        asked: &Asked,
        options: impl Into<SearchOptions>,
        watch: Stop<'_>,
    ) -> Result<Answered, EngineError> {
        self.answer_as(asked, options.into(), watch)
    }

    fn answer_as(&self, asked: &Asked, options: SearchOptions, watch: Stop<'_>) -> Result<Answered, EngineError> {
        if self.deciding().is_none() {
            return self.answer_with(asked, options, watch);
        }
        let begun = Instant::now();
        let first = SearchOptions { limit: options.limit.at_most(FIRST), ..options };
        let answered = self.answer_with(asked, first, watch)?;
        if options.limit == SearchLimit::AtOnce {
            return Ok(answered);
        }
        let is_settled = self.is_settled_for(&answered, options.wanted);
        let is_enough = is_settled && (self.has_usual_labels(&answered) || !self.is_worth_solving(watch)?);
        if is_enough && !self.is_asked_often(watch)? {
            return Ok(answered);
        }
        self.decide_within(options.limit.after(begun.elapsed()), watch)?;
        if self.table().is_none() && (is_settled || first.limit == options.limit) {
            return Ok(answered);
        }
        let last = SearchOptions { limit: options.limit.after(begun.elapsed()), ..options };
        self.answer_with(asked, last, watch)
    }

    /// True if `answered` has every label that a table would have.
    fn has_usual_labels(&self, answered: &Answered) -> bool {
        let has = |value: Value| self.game().usual_labels().others().all(|kind| value.number(kind).is_some());
        answered.answer.value.is_some_and(has)
    }

    /// The answer from the table, or from a search.
    fn answer_with(&self, asked: &Asked, options: SearchOptions, watch: Stop<'_>) -> Result<Answered, EngineError> {
        match asked {
            Asked::Node(reading) => {
                let begun = Instant::now();
                let answer = self.answer_of_node(reading, options, watch)?;
                let left = SearchOptions { limit: options.limit.after(begun.elapsed()), ..options };
                let class = self.outcome_class(&answer, left, watch)?;
                let value = match (self.open_table(), reading.node) {
                    (Some(open), Node::At(position)) => BoardValue::of(open, position)?.map(Box::new),
                    _ => None,
                };
                let is_held = answer.source == AnswerSource::Table;
                let is_out_of_reach = match reading.node {
                    Node::At(position) => self.is_out_of_reach(position, is_held),
                    Node::Opening => false,
                };
                Ok(Answered { answer, reading: Some(reading.clone()), class, value, is_out_of_reach })
            }
            Asked::Text(text) => {
                if watch().is_break() {
                    return Err(SolveError::Cancelled.into());
                }
                let text = text.as_deref();
                let none = || NotationError::new(text.unwrap_or_default(), "a position of the rules", "none");
                let off_table = self.game().off_table().ok_or_else(none)?;
                let limit = options.limit.estimated_positions();
                let mut answer = self.asking(limit, |ask| off_table.answer(text, ask))??;
                self.add_labels(&mut answer)?;
                Ok(Answered { answer, reading: None, class: None, value: None, is_out_of_reach: false })
            }
        }
    }

    fn answer_of_node(
        &self,
        reading: &Reading,
        options: SearchOptions,
        watch: Stop<'_>,
    ) -> Result<Answer, EngineError> {
        let Reading { node, lead, .. } = *reading;
        let found = match self.probe(node) {
            Some(Ok(probe)) => Some(looked_up(self.game(), &probe, lead)),
            None | Some(Err(TableError { fault: TableFault::NotReached { .. }, .. })) => None,
            Some(Err(error)) => return Err(EngineError::Read(error)),
        };
        if let Some(found) = found {
            let Some(kind) = self.searched_label(options.wanted).filter(|_| !found.over) else { return Ok(found) };
            let searched = self.searching_within(options, watch, |it| searched_by(self.game(), node, lead, it))?;
            return Ok(with_label(found, kind, &searched));
        }
        // Also of a game that is solved in memory: what an answer tells does not depend on whether that was done.
        if self.origin() != Origin::Table
            && !self.has_parts()
            && let Some(probe) = probe_near_end(self.game(), node, options.limit)
        {
            return Ok(Answer { source: AnswerSource::Search, ..looked_up(self.game(), &probe, lead) });
        }
        let begun = Instant::now();
        let find =
            |options| self.searching_within(options, watch, |asking| searched_by(self.game(), node, lead, asking));
        let found = find(options)?;
        if options.wanted != Wanted::Plies || found.over || !self.has_scores() {
            return Ok(found);
        }
        let left = SearchOptions { limit: options.limit.after(begun.elapsed()), wanted: Wanted::Score };
        Ok(with_label(found, LabelKind::Score, &find(left)?))
    }

    /// True if answers have scores, whatever else is asked.
    fn has_scores(&self) -> bool {
        self.game().usual_labels().contains(LabelKind::Score)
    }

    /// The label that is `wanted` beside the outcome, if the table that was found lacks it and a search may find it.
    #[must_use]
    pub fn searched_label(&self, wanted: Wanted) -> Option<LabelKind> {
        let kind = wanted.label()?;
        self.lacks(LabelSet::OUTCOME.with(kind)).contains(kind).then_some(kind)
    }

    /// The move at `node` that delays a loss longest, and the value of it; `None` if a search does not find it within `limit`.
    pub(crate) fn longest_loss(
        &self,
        node: Node,
        limit: SearchLimit,
        watch: Stop<'_>,
    ) -> Result<Option<(Position, Value)>, EngineError> {
        let replies = distinct(self.game().rules().choices(node));
        let options = SearchOptions { limit, wanted: Wanted::Plies };
        let found = self.searching_within(options, watch, |asking| with_plies(node, &replies, asking))?;
        Ok(found.and_then(|(value, kept)| Some((kept?, value))))
    }

    /// The node of the game's rules that `asked` names, or whose outcome it shares if the game is reduced to a smaller one; `None` if
    /// the rules have none.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn node_of(&self, asked: &Asked) -> Result<Option<Node>, EngineError> {
        match asked {
            Asked::Node(reading) => Ok(Some(reading.node)),
            Asked::Text(_) => Ok(self.answer_within(asked, SearchLimit::AtOnce)?.answer.node),
        }
    }

    /// Adds the table's other labels of the position to an answer that has only outcomes, unless the table is of a
    /// smaller, equivalent game.
    fn add_labels(&self, answer: &mut Answer) -> Result<(), EngineError> {
        let table = self.table().filter(|table| table.labels() != LabelSet::OUTCOME && !self.game().is_reduced());
        let (Some(table), Some(node)) = (table, answer.node) else { return Ok(()) };
        let probe = match table.probe(node) {
            Ok(probe) => probe,
            Err(TableError { fault: TableFault::NotReached { .. }, .. }) => return Ok(()),
            Err(error) => return Err(EngineError::Read(error)),
        };
        answer.value = Some(probe.value);
        for m in &mut answer.moves {
            let found = probe.moves.iter().find(|choice| Some(choice.to) == m.to);
            m.value = found.map(|choice| choice.value).or(m.value);
        }
        answer.sort();
        Ok(())
    }

    /// The outcome of the position alone. It takes one lookup, while [`answer`](Self::answer) takes one for each move
    /// and writes each as text.
    ///
    /// # Errors
    /// As [`answer`](Self::answer), except that only the position itself is read from the table.
    pub fn brief(&self, asked: &Asked) -> Result<Brief, EngineError> {
        self.brief_watched(asked, &|| ControlFlow::Continue(()))
    }

    /// Like [`brief`](Self::brief), with a function that is called before a search, and from time to time during one, and may stop it.
    ///
    /// # Errors
    /// As [`brief`](Self::brief), and if the search is stopped.
    pub fn brief_watched(&self, asked: &Asked, watch: Stop<'_>) -> Result<Brief, EngineError> {
        if let Asked::Node(Reading { node: Node::At(position), lead: 0, outcome_names, .. }) = asked {
            let found = self.find(*position).map_err(EngineError::Read)?;
            let outcome = match found {
                None => self.outcome_alone(*position, watch)?,
                found => found,
            };
            if outcome.is_some() {
                let (outcome, position) = (name_of(outcome, *outcome_names), *position);
                let is_out_of_reach = self.is_out_of_reach(position, found.is_some());
                return Ok(Brief { outcome, position: BriefPosition::At(position), is_out_of_reach });
            }
        }
        let answered = self.answer_as(asked, self.options(), watch)?;
        let (outcome, is_out_of_reach) = (answered.outcome_name(), answered.is_out_of_reach);
        Ok(Brief { outcome, position: BriefPosition::Text(answered.answer.position), is_out_of_reach })
    }

    /// The outcome of `position` without its moves, found by a search; `None` if the search does not find it, or a table has to answer.
    fn outcome_alone(&self, position: Position, watch: Stop<'_>) -> Result<Option<Outcome>, EngineError> {
        let rules = self.game().rules();
        if self.table().is_some() || rules.ended(position).is_some() {
            return Ok(None);
        }
        let first = self.options().limit.at_most(if self.is_decided() { u64::MAX } else { FIRST });
        let options = SearchOptions { limit: first, ..self.options() };
        let find = |asking: &mut Asking<'_>| asking.outcome(position.into());
        self.searching_within(options, watch, find)
    }

    /// True if `answered` has every outcome, so that no search would find more of them.
    #[must_use]
    pub fn is_settled(&self, answered: &Answered) -> bool {
        self.is_settled_for(answered, Wanted::Outcome)
    }

    /// Like [`is_settled`](Self::is_settled), if the question asks for what is `wanted`.
    #[must_use]
    pub fn is_settled_for(&self, answered: &Answered, wanted: Wanted) -> bool {
        let Answered { answer, class, .. } = answered;
        let has_class = class.is_some()
            || match answer.node {
                Some(Node::At(position)) => self.game().either_side(position).is_none(),
                Some(Node::Opening) | None => true,
            };
        let is_held = answer.source == AnswerSource::Table && self.searched_label(wanted).is_none();
        let needed = if is_held { Wanted::Outcome } else { self.found_for(wanted) };
        let has = |value: Option<Value>| match (value, needed) {
            (None, _) => false,
            (Some(_), Wanted::Outcome) => true,
            (Some(value), Wanted::Plies) => {
                value.has_length() && (is_held || !self.has_scores() || value.score().is_some())
            }
            (Some(value), Wanted::Score) => value.score().is_some(),
        };
        has_class && has(answer.value) && answer.moves.iter().all(|m| has(m.value))
    }

    /// The outcome class of the board of `answer`. Positions that no table holds are searched, within the limit.
    fn outcome_class(
        &self,
        answer: &Answer,
        options: SearchOptions,
        watch: Stop<'_>,
    ) -> Result<Option<OutcomeClass>, EngineError> {
        let (Some(Node::At(position)), Some(known)) = (answer.node, answer.outcome()) else { return Ok(None) };
        let Some(sides) = self.game().either_side(position) else { return Ok(None) };
        let [first, second] = self.searching_within(options, watch, |asking| {
            sides.map(|side| if side == position { Some(known) } else { look_up_or_search(side, asking) })
        })?;
        Ok(first.zip(second).and_then(|(first, second)| OutcomeClass::of(first, second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, SolveOptions, TableDirs, game};
    use std::time::Duration;
    use tablegen_games::Parameters;

    fn go_on() -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn sized(name: &str, size: &[(&str, u32)]) -> Box<dyn tablegen_games::Game> {
        let parameters = size.iter().fold(Parameters::new(), |all, (name, value)| all.with(*name, *value));
        game(name, &parameters).unwrap()
    }

    /// Compares searched answers of a game with those of its table, on lines of play from the start.
    fn compare(name: &str, size: &[(&str, u32)], wanted: Wanted) {
        let engine = Engine::new(TableDirs::none());
        let table = engine.solve_in_memory(sized(name, size), &SolveOptions::default(), None).unwrap();
        let options = SearchOptions { limit: SearchLimit::Positions(1 << 20), wanted };
        let search = Source::searching(sized(name, size).into(), options);
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..6 {
            let mut node = table.game().rules().start_node();
            loop {
                let find = |asking: &mut Asking<'_>| searched_by(search.game(), node, 0, asking);
                let found = search.searching_within(options, &go_on, find).unwrap();
                let expected = table.table().unwrap().probe(node).unwrap();
                let number = |value: Value| match wanted {
                    Wanted::Outcome => None,
                    Wanted::Plies => value.remoteness().map(u32::cast_signed),
                    Wanted::Score => value.score(),
                };
                let at = || format!("{name} {}", table.game().write(node));
                let value = found.value.unwrap();
                let has_number = number(value).is_some();
                assert_eq!(value.outcome, expected.value.outcome, "{}", at());
                assert!(!has_number || number(value) == number(expected.value), "{}", at());
                // Draws may lack plies.
                assert!(has_number || wanted == Wanted::Outcome || value.outcome == Outcome::Draw, "{}", at());
                for m in &found.moves {
                    let of_move = expected.moves.iter().find(|choice| Some(choice.to) == m.to).unwrap();
                    let own = m.value.unwrap();
                    assert_eq!(own.outcome, of_move.value.outcome, "{} {}", at(), m.text);
                    assert!(number(own).is_none() || number(own) == number(of_move.value), "{} {}", at(), m.text);
                }
                let Some(choice) = rng.choice(expected.moves) else { break };
                node = choice.to.into();
            }
        }
    }

    #[test]
    fn searched_answers_equal_those_of_a_table() {
        compare("domineering", &[("rows", 4), ("cols", 4)], Wanted::Outcome);
        compare("domineering", &[("rows", 4), ("cols", 4)], Wanted::Plies);
        compare("connect-four", &[("rows", 4), ("cols", 3), ("line", 3)], Wanted::Plies);
        compare("tictactoe", &[], Wanted::Plies);
        compare("dots-and-boxes", &[("rows", 2), ("cols", 1)], Wanted::Score);
        compare("reversi", &[], Wanted::Score);
    }

    #[test]
    fn plies_come_with_the_score() {
        let options = SearchOptions { limit: SearchLimit::Positions(1 << 20), wanted: Wanted::Plies };
        let source = Source::searching(sized("reversi", &[]).into(), options);
        let table =
            Engine::new(TableDirs::none()).solve_in_memory(sized("reversi", &[]), &SolveOptions::default(), None);
        let asked = Asked::typed(source.game(), Some("b1 c1 d1")).unwrap();
        let (found, known) = (source.answer(&asked).unwrap(), table.unwrap().answer(&asked).unwrap());
        assert!(source.is_settled_for(&found, Wanted::Plies));
        let values = |answered: &Answered| {
            let of = |value: Option<Value>| value.map(|value| (value.outcome, value.score(), value.remoteness()));
            let moves = &answered.answer.moves;
            let mut moves: Vec<_> = moves.iter().map(|m| (m.text.clone(), of(m.value))).collect();
            moves.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            (of(answered.answer.value), moves)
        };
        assert_eq!(values(&found), values(&known));
    }

    #[test]
    fn a_source_decides_when_a_question_needs_it() {
        let engine = Engine::new(TableDirs::none());
        let source = engine.source(sized("clobber", &[("rows", 3), ("cols", 4)]), 1000).unwrap();
        let answer = |text: &str| source.answer(&source.read(text).unwrap()).unwrap();
        let near_end = answer("XO../..../..XO x");
        assert!(source.is_settled(&near_end) && near_end.answer.value.unwrap().has_length());
        assert_eq!((source.is_decided(), source.origin()), (false, Origin::Search));
        // With so few positions, the start needs the table.
        let start = source.answer(&Asked::typed(source.game(), None).unwrap()).unwrap();
        assert!(source.is_decided() && source.origin() == Origin::Solved && start.answer.value.unwrap().has_length());
    }

    /// Searches answer Kalah with its score, which is all that its table has. Its positions have thousands of moves, so they are not counted at
    /// first.
    #[test]
    fn many_questions_lead_to_a_solved_game() {
        let engine = Engine::new(TableDirs::none());
        let source = engine.source(sized("kalah", &[]), 1_000_000).unwrap();
        let start = Asked::typed(source.game(), None).unwrap();
        let first = source.answer(&start).unwrap();
        assert_eq!((source.is_decided(), source.origin()), (false, Origin::Search));
        let answered = (0..100).map(|_| source.answer(&start).unwrap()).find(|_| source.is_decided());
        let score = |answered: &Answered| answered.answer.value.unwrap().score();
        assert_eq!(score(&answered.expect("it is solved")), score(&first));
        assert_eq!(source.origin(), Origin::Solved);
    }

    #[test]
    fn a_limit_in_time_ends_a_search() {
        let engine = Engine::new(TableDirs::none());
        let limit = SearchLimit::Time(Duration::from_millis(50));
        for (name, cols) in [("connect-four", 6), ("reversi", 6), ("hex", 7)] {
            let source = engine.source(sized(name, &[("rows", 6), ("cols", cols)]), limit).unwrap();
            let begun = Instant::now();
            let answered = source.answer(&Asked::typed(source.game(), None).unwrap()).unwrap();
            assert!(answered.answer.value.is_none() && begun.elapsed() < Duration::from_secs(5), "{name}");
        }
    }
}
