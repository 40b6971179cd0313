//! Games with pieces in hand beside the same games as files that list their modes (`tests/data/frozen`): every reachable position has
//! the same successors and ends, up to the names of modes.

use std::collections::HashSet;
use std::fs;

use crate::rules_file::{game, read};
use tablegen::game::{FileGame, Game};
use tablegen::rules::{Mode, Position};

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
