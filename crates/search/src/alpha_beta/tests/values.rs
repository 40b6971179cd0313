//! Plies and scores equal those of the plain search on random rules, with small tables and with limits.

use tablegen_labels::{Label, Remoteness, Score};

use super::random::{lines, motley, placing, some};
use super::{helped, positions};
use crate::rules::{Outcome, Position, Rules, RulesSpec, Step, Terminal};
use crate::{AlphaBeta, LabelSearch, LimitReached, Search, Wanted};
use fastrand::Rng;
use tablegen_labels::Value;

const ENDS: [fn(&mut Rng, u32) -> Terminal; 3] = [
    |_, _| Outcome::Draw.into(),
    |rng, _| Terminal::Points(rng.i16(-3..=3)),
    |rng, cells| Terminal::Most { own: some(rng, cells, 4), other: some(rng, cells, 4) },
];

/// Rules in which moves gain points, the same player may move again, and every end counts.
fn counting_points(rng: &mut Rng) -> RulesSpec {
    let mut spec = if rng.bool() { motley(rng) } else { placing(rng) };
    let cells = spec.cells;
    let by_modes = !spec.players.is_empty();
    for m in &mut spec.moves {
        m.gain = if rng.bool() { rng.i16(-2..=3) } else { 0 };
        m.again = !by_modes && rng.u8(..4) == 0;
    }
    for end in &mut spec.ends {
        end.outcome = ENDS[rng.usize(..3)](rng, cells);
    }
    spec.count_ends.retain(|end| end.outcome == Outcome::Draw);
    spec.terminal = Outcome::Draw;
    spec.terminals = spec.modes.iter().map(|_| ENDS[rng.usize(..3)](rng, cells)).collect();
    spec
}

/// The same rules, in which some moves let the same player move again.
fn again(rng: &mut Rng, mut spec: RulesSpec) -> RulesSpec {
    if spec.players.is_empty() && rng.u8(..3) == 0 {
        spec.moves.iter_mut().for_each(|m| m.again = rng.u8(..4) == 0);
    }
    spec
}

/// Asks for a value, now and then with a limit. A search that was stopped goes on when it is asked again.
fn ask(search: &mut AlphaBeta, position: Position, wanted: Wanted, rng: &mut Rng, is_interrupted: bool) -> Value {
    for _ in 0..20 {
        search.set_limit(if is_interrupted { rng.u64(1..50) } else { u64::MAX });
        let found = search.value_with(position.into(), wanted, None, &mut |_| true);
        if let Ok(value) = found {
            return value;
        }
        assert!(is_interrupted);
    }
    search.set_limit(u64::MAX);
    search.value_with(position.into(), wanted, None, &mut |_| true).expect("no limit")
}

/// Panics unless the best move of `position` exists and is worth its `value`, where `of_move` is what a move is worth.
fn assert_best<T: PartialEq + std::fmt::Debug>(
    rules: &Rules,
    best: Option<Position>,
    position: Position,
    value: &T,
    mut of_move: impl FnMut(&Step) -> T,
) {
    let steps = rules.choices(position.into());
    assert_eq!(best.is_none(), steps.is_empty(), "{position:?} of {rules:?}");
    if let Some(best) = best {
        assert!(steps.iter().any(|step| step.to == best && of_move(step) == *value), "{position:?} {best:?} {rules:?}");
    }
}

fn label<L: Label>(search: &mut LabelSearch<L>, outcomes: &mut Search, position: Position) -> Result<L, LimitReached> {
    outcomes.set_limit(u64::MAX);
    search.label(position, outcomes)
}

#[test]
fn plies_equal_those_of_the_plain_search() {
    let mut rng = Rng::with_seed(11);
    let (mut compared, mut drawn) = (0, 0);
    for number in 0..600 {
        let spec = [motley, lines, placing][number % 3](&mut rng);
        let rules = again(&mut rng, spec).build().expect("sound rules");
        let bytes = [1 << 12, 1 << 20][rng.usize(..2)];
        // The plain search answers nothing if positions may repeat.
        let Some(mut search) =
            AlphaBeta::only_general(&rules, bytes).filter(|it| rules.potential().is_some() && it.offers(Wanted::Plies))
        else {
            continue;
        };
        search = helped(search, &mut rng);
        let mut outcomes = Search::new(&rules);
        let mut plain = LabelSearch::<Remoteness>::new(&rules, u64::MAX);
        let is_interrupted = rng.u8(..4) == 0;
        for position in positions(&rules, &mut rng).into_iter().take(400) {
            let expected = label(&mut plain, &mut outcomes, position).unwrap();
            let found = ask(&mut search, position, Wanted::Plies, &mut rng, is_interrupted);
            assert_eq!(found.outcome, expected.outcome, "{position:?} of {rules:?}");
            let plies = Some(u32::from(expected.plies));
            // A limit may leave a draw without its length.
            let is_drawn = is_interrupted && expected.outcome == Outcome::Draw && found.remoteness().is_none();
            assert!(is_drawn || found.remoteness() == plies, "{position:?} {found:?} {expected:?} of {rules:?}");
            compared += usize::from(!is_drawn);
            drawn += usize::from(is_drawn);
            if is_interrupted {
                continue;
            }
            let mut of_move = |step: &Step| {
                let after = label(&mut plain, &mut outcomes, step.to).unwrap();
                let outcome = if step.again { after.outcome } else { after.outcome.flip() };
                (outcome, (!is_drawn).then_some(after.plies + 1))
            };
            let value = (expected.outcome, (!is_drawn).then_some(expected.plies));
            assert_best(&rules, search.best_with(None, &mut |_| true), position, &value, &mut of_move);
        }
    }
    assert!(compared > 50_000 && drawn < 1_000, "{compared} {drawn}");
}

#[test]
fn scores_equal_those_of_the_plain_search() {
    let mut rng = Rng::with_seed(12);
    let (mut compared, mut with_gains) = (0, 0);
    for _ in 0..500 {
        let rules = counting_points(&mut rng).build().expect("sound rules");
        let bytes = [1 << 13, 1 << 20][rng.usize(..2)];
        let Some(mut search) = AlphaBeta::only_general(&rules, bytes).filter(|it| it.offers(Wanted::Score)) else {
            continue;
        };
        search = helped(search, &mut rng);
        let mut outcomes = Search::new(&rules);
        let mut plain = LabelSearch::<Score>::new(&rules, u64::MAX);
        let is_interrupted = rng.u8(..4) == 0;
        for position in positions(&rules, &mut rng).into_iter().take(400) {
            let expected = label(&mut plain, &mut outcomes, position).unwrap().0.into();
            let wanted = [Wanted::Score, Wanted::Outcome][rng.usize(..2)];
            let found = ask(&mut search, position, wanted, &mut rng, is_interrupted);
            assert_eq!(found.outcome, Outcome::of_points(expected), "{position:?} of {rules:?}");
            assert_eq!(found.score(), (wanted == Wanted::Score).then_some(expected), "{position:?} of {rules:?}");
            compared += 1;
            with_gains += usize::from(rules.has_gains());
            if is_interrupted {
                continue;
            }
            let best = search.best_with(None, &mut |_| true);
            let mut of_move = |step: &Step| {
                let after = label(&mut plain, &mut outcomes, step.to).unwrap().0;
                let score = i32::from(step.gain) + i32::from(if step.again { after } else { -after });
                (Outcome::of_points(score), if wanted == Wanted::Score { score } else { 0 })
            };
            let value = (found.outcome, found.score().unwrap_or(0));
            assert_best(&rules, best, position, &value, &mut of_move);
            if rules.has_gains() {
                let lead = rng.i32(-4..=4);
                let outcome = search.outcome_with_lead(position.into(), lead, &mut |_| true);
                assert_eq!(outcome, Ok(Outcome::of_points(lead + expected)), "{position:?} of {rules:?}");
            }
        }
    }
    assert!(compared > 50_000 && with_gains > 20_000, "{compared} {with_gains}");
}

/// Every position of tic-tac-toe and of a row of pins, searched up to symmetry from the first position on.
#[test]
fn symmetric_positions_have_equal_values() {
    use crate::rules::samples::{Grid, three_in_a_line};
    let pins = (0..7).flat_map(|at| [1, 3].map(|fills| crate::rules::Board::from_word(fills << at)));
    let pins = pins.filter(|&fills| crate::rules::Board::full(7).contains(fills));
    let pins = pins.map(|fills| crate::rules::Move { gain: fills.count() as i16, ..crate::rules::Move::fill(fills) });
    let pins = RulesSpec { moves: pins.collect(), terminal: Outcome::Draw, ..RulesSpec::new("pins", 7) };
    let mut rng = Rng::with_seed(13);
    for (spec, wanted) in [
        (three_in_a_line(Grid { rows: 3, cols: 3 }), Wanted::Plies),
        (three_in_a_line(Grid { rows: 2, cols: 4 }), Wanted::Outcome),
        (pins, Wanted::Score),
    ] {
        let rules = spec.build().unwrap();
        let search = || AlphaBeta::only_general(&rules, 1 << 16).unwrap();
        let (mut turned, mut plain) = (search().with_symmetries(), search());
        for position in positions(&rules, &mut rng).into_iter().take(3_000) {
            let values = [&mut turned, &mut plain].map(|search| {
                let value = search.value_with(position.into(), wanted, None, &mut |_| true).unwrap();
                (value, search.best_with(None, &mut |_| true).is_some())
            });
            assert_eq!(values[0], values[1], "{position:?} of {rules:?}");
        }
        assert_eq!([&turned, &plain].map(AlphaBeta::knows_symmetries), [true, false]);
    }
}
