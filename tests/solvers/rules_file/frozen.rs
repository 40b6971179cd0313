//! Games with pieces in hand beside the same games as files that list their modes (`tests/data/frozen`): every reachable position has
//! the same successors and ends, up to the names of modes.

use std::collections::{HashMap, HashSet};
use std::fs;

use crate::rules_file::{game, read};
use tablegen::game::{FileGame, Game};
use tablegen::rules::{Mode, Outcome, Position};

fn frozen(name: &str, set: &str) -> FileGame {
    let path = format!("{}/tests/data/frozen/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    read(&fs::read_to_string(&path).unwrap(), set).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The name with pieces in hand of a mode that counts pieces: `x2`, in which x puts the second of `men`, is `x-2-2` if they are three.
fn renamed(mode: &str, men: usize) -> String {
    let (side, number) = mode.split_at(1);
    match (side, number.parse::<usize>()) {
        (_, Err(_)) => side.into(),
        ("x", Ok(number)) => format!("x-{0}-{0}", men - number + 1),
        (_, Ok(number)) => format!("o-{}-{}", men - number, men - number + 1),
    }
}

/// The mode of `now` for each mode of `before`.
fn modes(before: &FileGame, now: &FileGame, renamed: impl Fn(&str) -> String) -> Vec<Mode> {
    let called = |name: &String| now.rules().modes().iter().position(|mode| *mode == renamed(name));
    let number = |name| Mode(called(name).unwrap_or_else(|| panic!("{name} is {}", renamed(name))) as u16);
    before.rules().modes().iter().map(number).collect()
}

#[test]
fn games_without_takes_have_the_same_successors() {
    for (name, set, men) in [
        ("three-mens-morris", "", 3),
        ("three-mens-morris", "play=misere", 3),
        ("achi", "", 4),
        ("achi", "play=draw", 4),
        ("picaria", "", 3),
        ("nine-holes", "", 3),
        ("teeko", "", 3),
        ("teeko", "rows=3 cols=3 men=4", 4),
    ] {
        let (before, now) = (frozen(name, set), game(name, set));
        let modes = modes(&before, &now, |mode| renamed(mode, men));
        let moved = |at: Position| Position::new(modes[usize::from(at.mode.0)], at.board);
        let mut open = before.rules().start_positions();
        assert_eq!(open.iter().copied().map(moved).collect::<Vec<_>>(), now.rules().start_positions(), "{name}");
        let mut seen: HashSet<Position> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            let sorted = |mut all: Vec<Position>| {
                all.sort_unstable();
                all.dedup();
                all
            };
            let after: Vec<Position> = before.rules().moves_from(at).map(|m| m.play(at)).collect();
            let then = now.rules().moves_from(moved(at)).map(|m| m.play(moved(at))).collect();
            let text = || format!("{name} {}", before.write(at.into()));
            assert_eq!(sorted(after.iter().copied().map(moved).collect()), sorted(then), "{}", text());
            assert_eq!(before.rules().ended(at), now.rules().ended(moved(at)), "{}", text());
            assert_eq!(before.rules().terminal_in(at.mode), now.rules().terminal_in(moved(at).mode), "{}", text());
            open.extend(after.into_iter().filter(|next| seen.insert(*next)));
        }
        assert!(seen.len() > 1000, "{name}: {}", seen.len());
    }
}

/// The outcomes of all positions that moves reach from `starts`, by value iteration; `None` where neither player can force an end.
fn outcomes(
    starts: Vec<Position>,
    ended: impl Fn(Position) -> Option<Outcome>,
    after: impl Fn(Position) -> Vec<Position>,
) -> HashMap<Position, Option<Outcome>> {
    let mut all: HashMap<Position, (Option<Outcome>, usize)> = HashMap::new();
    let mut before: HashMap<Position, Vec<Position>> = HashMap::new();
    let (mut open, mut decided) = (starts, Vec::new());
    while let Some(at) = open.pop() {
        if all.contains_key(&at) {
            continue;
        }
        let end = ended(at);
        let mut next = if end.is_some() { Vec::new() } else { after(at) };
        next.sort_unstable();
        next.dedup();
        // A player without a move loses.
        let outcome = end.or(next.is_empty().then_some(Outcome::Loss));
        decided.extend(outcome.map(|_| at));
        all.insert(at, (outcome, next.len()));
        for to in next {
            before.entry(to).or_default().push(at);
            open.push(to);
        }
    }
    while let Some(at) = decided.pop() {
        let outcome = all[&at].0;
        for from in before.get(&at).into_iter().flatten() {
            let (known, left) = all.get_mut(from).unwrap();
            *left -= 1;
            *known = match (*known, outcome) {
                (None, Some(Outcome::Loss)) => Some(Outcome::Win),
                (None, Some(Outcome::Win)) if *left == 0 => Some(Outcome::Loss),
                _ => continue,
            };
            decided.push(*from);
        }
    }
    all.into_iter().map(|(at, (outcome, _))| (at, outcome)).collect()
}

/// Before, a mill made the same player move again, in a mode of its own, to take a man. Now it takes in the same ply. The outcomes of all
/// other positions are the same. Before, a player with two men went on to put men.
#[test]
fn six_mens_morris_has_the_outcomes_that_it_had() {
    let (before, now) = (frozen("six-mens-morris", ""), game("six-mens-morris", ""));
    let is_taking = |at: &Position| before.rules().modes()[usize::from(at.mode.0)].contains('t');
    let modes = modes(&before, &now, |mode| {
        let (phase, _) = mode.split_once('-').unwrap();
        renamed(phase.trim_end_matches('t'), 3)
    });
    let moved = |at: Position| Position::new(modes[usize::from(at.mode.0)], at.board);
    let turns = |at: Position| -> Vec<Position> {
        let all = before.rules().moves_from(at).map(|m| m.play(at));
        let whole = |to: Position| if is_taking(&to) { before.rules().replies(to.into()) } else { vec![to] };
        all.flat_map(whole).collect()
    };
    let end = |at: Position| {
        before.rules().ended(at).or_else(|| {
            let is_stuck = before.rules().moves_from(at).next().is_none();
            is_stuck.then(|| {
                if before.rules().terminal_in(at.mode) == Outcome::Win.into() { Outcome::Win } else { Outcome::Loss }
            })
        })
    };
    let old = outcomes(before.rules().start_positions(), end, turns);
    let new = outcomes(
        now.rules().start_positions(),
        |at| now.rules().ended(at),
        |at| now.rules().moves_from(at).map(|m| m.play(at)).collect(),
    );
    let mut compared = 0;
    for (at, outcome) in old {
        let text = || before.write(at.into());
        match new.get(&moved(at)) {
            Some(found) => assert_eq!(*found, outcome, "{}", text()),
            // Play ended before.
            None => continue,
        }
        compared += 1;
    }
    assert_eq!(compared, new.len());
}
