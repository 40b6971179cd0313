//! Attacks on the checker: certificates of small games, sound and forged. Whatever it proves must be true.
//!
//! `fuzz/src/truth.rs` computes the truth from the rules as the text of the certificate states them.

use fastrand::Rng;
use tablegen::certificate::Choice;

use super::{check, game, of_start};
use crate::fuzzed::certificate::is_proved;
use crate::fuzzed::certificate::truth::{Claim, Place, Value};

/// Names of other games that begin like games whose rules the checker states, and one of such a game.
const NAMES: [&str; 8] = [
    "tictactoe-misere",
    "connect-four-2x2-2-misere",
    "connect-four-2x2",
    "tactics-2x2-run2",
    "tactics-2x2-run2-misere-2",
    "dominoes-2",
    "mnk-2x2-k2-draw",
    "tactics-1x2-run2-normal",
];

/// A board as text, of some of `cells` cells.
fn some(rng: &mut Rng, cells: u32) -> u32 {
    rng.u32(..) & rng.u32(..) & ((1 << cells) - 1)
}

fn value(rng: &mut Rng) -> &'static str {
    ["win", "draw", "loss"][rng.usize(..3)]
}

/// Numbers with commas.
fn listed(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

/// The image of a board.
fn image(board: u32, cells: &[u32]) -> u32 {
    (0..).zip(cells).filter(|(from, _)| board >> from & 1 == 1).map(|(_, to)| 1 << to).sum()
}

/// A permutation of 0, 1, ... that is often the identity.
fn permutation(rng: &mut Rng, count: u32) -> Vec<u32> {
    let mut all: Vec<u32> = (0..count).collect();
    if rng.bool() {
        rng.shuffle(&mut all);
    }
    all
}

/// A move: the modes before and after it, its four masks and `otherwise`.
type Move = (u32, u32, [u32; 4], bool);

/// The lines of random rules, with a position to prove. Rules of a few moves are more often unsound, and random weights
/// more often seem to fit them.
fn rules(rng: &mut Rng, few: bool) -> Vec<String> {
    let (cells, modes) = if few { (rng.u32(1..=2), rng.u32(1..=2)) } else { (rng.u32(1..=4), rng.u32(1..=3)) };
    let name = if rng.bool() { "game" } else { NAMES[rng.usize(..NAMES.len())] };
    let mut lines =
        vec!["certificate 1".into(), format!("game {name}"), format!("cells {cells}"), format!("modes {modes}")];
    let (only_fills, has_symmetry, has_players) = (rng.u32(..3) == 0, rng.u32(..3) == 0, rng.bool());
    let (to, of) = if has_symmetry { (permutation(rng, cells), permutation(rng, modes)) } else { Default::default() };
    let mut player = 0;
    for mode in 0..modes {
        let (own, other) = (some(rng, cells), some(rng, cells));
        let stuck = match rng.u32(..5) {
            _ if has_symmetry => "loss".into(),
            0 => format!("most {own:x} {other:x}"),
            1 => format!("points {}", rng.i32(-1..=2)),
            _ => value(rng).to_owned(),
        };
        lines.push(format!("stuck {mode} {stuck}"));
        if has_players {
            // Symmetries keep the player of a mode.
            player = if has_symmetry && mode > 0 { player } else { rng.u32(1..=2) };
            lines.push(format!("player {mode} {player}"));
        }
    }
    let mut moves: Vec<Move> = Vec::new();
    for mode in 0..modes {
        for _ in 0..if few { 1 } else { rng.u32(1..=5) } {
            let mut masks = [0; 4];
            for cell in 0..cells {
                // Masks of EMPTY, FULL, FILLS and CLEARS that the cell belongs to. The last ones are refused.
                let kinds: &[u32] = &[0, 0, 0, 1, 2, 5, 5, 4, 6, 10, 10, 14, 12, 8];
                let range = match rng.u32(..30) {
                    _ if only_fills => 0..8,
                    _ if few => 5..kinds.len(),
                    0 => 0..kinds.len(),
                    _ => 0..11,
                };
                let kind = kinds[rng.usize(range)];
                masks.iter_mut().enumerate().for_each(|(mask, it)| *it |= (kind >> mask & 1) << cell);
            }
            moves.push((mode, rng.u32(..modes), masks, rng.u32(..6) == 0));
        }
    }
    let mut ends: Vec<(u32, [u32; 2], String)> = Vec::new();
    let outcome = value(rng);
    for _ in 0..rng.u32(..3) {
        let outcome = match rng.u32(..4) {
            _ if has_symmetry => outcome.into(),
            0 => format!("most {:x} {:x}", some(rng, cells), some(rng, cells)),
            1 => format!("points {}", rng.i32(-1..=2)),
            2 => value(rng).into(),
            _ => outcome.into(),
        };
        let full = some(rng, cells) | 1 << rng.u32(..cells);
        let empty = if rng.bool() { some(rng, cells) & !full } else { 0 };
        ends.push((rng.u32(..modes), [full, empty], outcome));
    }
    let mut symmetries = Vec::new();
    if has_symmetry {
        // The moves and ends become those of all powers of the symmetry.
        let (mut power, mut power_of_modes) = (to.clone(), of.clone());
        while power.iter().copied().ne(0..cells) || power_of_modes.iter().copied().ne(0..modes) {
            symmetries.push(format!("symmetry {} {}", listed(&power_of_modes), listed(&power)));
            power = power.iter().map(|&at| to[at as usize]).collect();
            power_of_modes = power_of_modes.iter().map(|&at| of[at as usize]).collect();
        }
        for at in 0.. {
            let Some(&(mode, next, masks, otherwise)) = moves.get(at) else { break };
            let moved = (of[mode as usize], of[next as usize], masks.map(|mask| image(mask, &to)), otherwise);
            if !moves.contains(&moved) {
                moves.push(moved);
            }
        }
        for at in 0.. {
            let Some((mode, pattern, outcome)) = ends.get(at) else { break };
            let moved = (of[*mode as usize], pattern.map(|cells| image(cells, &to)), outcome.clone());
            if !ends.contains(&moved) {
                ends.push(moved);
            }
        }
    }
    lines.extend(moves.iter().map(|(mode, next, [empty, full, fills, clears], otherwise)| {
        let otherwise = if *otherwise { " otherwise" } else { "" };
        format!("move {mode} {next} {empty:x} {full:x} {fills:x} {clears:x}{otherwise}")
    }));
    lines.extend(ends.iter().map(|(mode, [full, empty], outcome)| {
        let empty = if *empty > 0 { format!(" {empty:x}") } else { String::new() };
        format!("end {mode} {full:x} {outcome}{empty}")
    }));
    lines.extend(symmetries);
    if few || rng.u32(..4) == 0 {
        lines.push(weights(rng, cells, modes));
    } else if only_fills && rng.bool() {
        lines.push(format!("weights {} {}", listed(vec![0; modes as usize]), listed(vec![1; cells as usize])));
    }
    let board = |rng: &mut Rng| rng.u32(..1 << cells);
    match rng.u32(..5) {
        0 => lines.extend((0..rng.u32(1..4)).map(|_| format!("choice {} {:x}", rng.u32(..modes), board(rng)))),
        _ => lines.push(format!("root {} {:x}", rng.u32(..modes), board(rng))),
    }
    lines
}

fn weights(rng: &mut Rng, cells: u32, modes: u32) -> String {
    let mut some = |count| listed((0..count).map(|_| rng.i32(-2..=2)).collect::<Vec<_>>());
    format!("weights {} {}", some(modes), some(cells))
}

/// The rules with an outcome and strategies, and whether the checker must accept them. If they are forged, most positions are
/// members.
fn certificate(mut lines: Vec<String>, is_sound: bool, rng: &mut Rng) -> (Vec<String>, bool) {
    let claim = Claim::read(&(lines.join("\n") + "\noutcome win")).unwrap();
    let values = claim.values();
    let truth = claim.truth(&values).unwrap();
    let claimed = if is_sound && rng.bool() { truth } else { Value::of(value(rng)).unwrap() };
    lines.push(format!("outcome {}", format!("{claimed:?}").to_lowercase()));
    let strategies: &[(&str, &str)] = match claimed {
        Value::Win => &[("mover", "win")],
        Value::Loss => &[("other", "win")],
        Value::Draw => &[("mover", "draw"), ("other", "draw")],
    };
    let player = |at: Place| claim.player(at.0);
    let mover = claim.root.map_or_else(|| player(claim.choices[0]).map(|player| 3 - player), player).unwrap_or(1);
    for (hero, aim) in strategies {
        let hero_is = if *hero == "mover" { mover } else { 3 - mover };
        // If the players take turns, the other player is to move at a member.
        let is_good = |at: &Place| {
            let value = values[at].0;
            let value = if player(*at) == Some(hero_is) { value } else { value.flip() };
            value == Value::Win || *aim == "draw" && value == Value::Draw
        };
        let mut members: Vec<Place> = claim.all().filter(|&at| claim.over(at).is_none()).collect();
        members.retain(|at| if is_sound { is_good(at) } else { rng.u32(..16) > 0 });
        let has_weights = lines.iter().any(|line| line.starts_with("weights"));
        let has_ranks = if is_sound && !has_weights { *aim == "win" } else { rng.u32(..3) == 0 };
        let ranks = if has_ranks { " ranks" } else { "" };
        lines.push(format!("strategy {hero} {aim} {}{ranks}", members.len()));
        for at in members {
            let rank = if is_sound { values[&at].1 } else { rng.u32(..5) };
            let rank = if has_ranks { format!(" {rank}") } else { String::new() };
            lines.push(format!("{} {:x}{rank}", at.0, at.1));
        }
    }
    lines.push("end of certificate".into());
    let has = |key: &str| lines.iter().any(|line| line.starts_with(key));
    let players: Vec<_> = claim.choices.iter().map(|&choice| player(choice)).collect();
    let is_refused =
        has("weights") || has("game tactics-1x2-run2-normal") || players.windows(2).any(|pair| pair[0] != pair[1]);
    (lines, is_sound && claimed == truth && !is_refused)
}

/// Changes a line: it goes, comes twice, changes places with another, or a word of it changes.
pub(super) fn change(lines: &mut Vec<String>, rng: &mut Rng) {
    let (at, other) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
    let word = lines[other].split(' ').next_back().unwrap_or_default().to_owned();
    match rng.u32(..12) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines.insert(at, weights(rng, 1 + at as u32 % 4, 1 + other as u32 % 3)),
        4 => lines.insert(at, format!("player {} {}", rng.u32(..3), rng.u32(1..=2))),
        5 => lines[at] += &format!(" {word}"),
        6 => lines.insert(at, format!("end {} {:x} {}", rng.u32(..3), rng.u32(1..4), value(rng))),
        _ => {
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let changed = rng.usize(..words.len());
            words[changed] = match &*words[changed] {
                "win" | "draw" | "loss" => value(rng).into(),
                list if list.contains(',') => {
                    let mut list: Vec<&str> = list.split(',').collect();
                    let to = rng.usize(..list.len());
                    list.swap(0, to);
                    list.join(",")
                }
                _ if rng.bool() => format!("{:x}", rng.u32(..8)),
                _ => word,
            };
            lines[at] = words.join(" ");
        }
    }
}

/// Checks `count` certificates. Returns how many are proved, how many of them were changed, and how many are refused.
fn attack(rng: &mut Rng, count: u32) -> [u32; 3] {
    let real = [
        game("tactics", "rows=2 cols=2 run=2"),
        game("dominoes", "n=2"),
        game("mnk", "rows=2 cols=2 k=2"),
        game("connect-four", "rows=2 cols=2 line=2"),
        game("clobber", "rows=1 cols=4"),
        game("quixo", "size=2"),
    ];
    let texts = real.map(|game| String::from_utf8(of_start(game, &Choice::ALL).2).unwrap());
    let [mut proved, mut changed, mut refused] = [0; 3];
    for _ in 0..count {
        let (mut lines, mut is_sound) = if rng.u32(..4) > 0 {
            let few = rng.bool();
            let (rules, is_sound) = (rules(rng, few), rng.u32(..4) > if few { 2 } else { 0 });
            certificate(rules, is_sound, rng)
        } else {
            let text = &texts[rng.usize(..texts.len())];
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            if rng.bool() {
                lines[1] = format!("game {}", NAMES[rng.usize(..NAMES.len() - 1)]);
            }
            (lines, true)
        };
        let changes = rng.u32(..8) / 2;
        (0..changes).for_each(|_| change(&mut lines, rng));
        is_sound &= changes == 0;
        let text = lines.join("\n") + "\n";
        match is_proved(text.as_bytes()) {
            true => [proved, changed] = [proved + 1, changed + u32::from(changes > 0)],
            false if is_sound && !has_unsound_move(&lines) => {
                panic!("{:?} of\n{text}", check(text.as_bytes(), 1 << 24))
            }
            false => refused += 1,
        }
    }
    [proved, changed, refused]
}

/// Whether a move empties a cell that it fills or does not need full.
fn has_unsound_move(lines: &[String]) -> bool {
    lines.iter().filter_map(|line| line.strip_prefix("move ")).any(|line| {
        let masks: Vec<u32> =
            line.split(' ').skip(2).take(4).map(|mask| u32::from_str_radix(mask, 16).unwrap()).collect();
        masks[3] & (masks[2] | !masks[1]) != 0
    })
}

#[test]
fn nothing_false_is_proved_of_small_games() {
    let [proved, changed, refused] = attack(&mut Rng::with_seed(64), 4000);
    assert!(proved > 500 && changed > 80 && refused > 1000, "{proved} {changed} {refused}");
}

#[test]
#[ignore = "some minutes"]
fn nothing_false_is_proved_of_a_million_certificates() {
    println!("proved, of them changed, and refused: {:?}", attack(&mut Rng::with_seed(65), 1_000_000));
}
