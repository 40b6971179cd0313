//! Checks a certificate: a strategy that proves the outcome of a position. It uses the standard library alone.
//!
//! `docs/reference/certificates.md` describes certificates and why they prove what they say. The rules are those of the
//! certificate. If it names one of four games, they must be those of `games.rs`. Members are read in parts that fit into memory.

mod games;
mod nibbles;
mod rules;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::process::ExitCode;

use rules::{Outcome, Position, Rules};

/// The rules and the root of the claim.
struct Proof {
    rules: Rules,
    /// The name of the rules, and who states them.
    source: String,
    root: Option<Position>,
    /// The first player's choices, if there is no root.
    choices: Vec<Position>,
    /// The player to move at the root, 1 or 2.
    mover: u8,
}

/// A strategy: its hero is player 1 or 2. Where the game is over, the hero must have won, or not lost.
struct Strategy<'p> {
    proof: &'p Proof,
    hero: u8,
    wins: bool,
    has_ranks: bool,
}

/// Positions of which one must stand for a member, of a rank below the bound.
type Duty = (u32, Vec<Position>);

impl Strategy<'_> {
    /// The player to move at `at`, where `before` was to move one move earlier.
    fn player(&self, at: Position, before: u8) -> u8 {
        self.proof.rules.players.get(usize::from(at.0)).copied().unwrap_or(3 - before)
    }

    /// Checks that the game ends well for the hero with this outcome for the player `mover`.
    fn check_end(&self, at: Position, mover: u8, outcome: Outcome) -> Result<(), String> {
        let bad = if self.hero == mover { Outcome::Loss } else { Outcome::Win };
        if outcome == bad || self.wins && outcome == Outcome::Draw {
            return Err(format!("the game ends at {} {:x} with a {outcome:?} for player {mover}", at.0, at.1));
        }
        Ok(())
    }

    /// What the hero must be able to do if play reaches `at`, where `mover` is to move. Later ranks are below `bound`.
    fn cover(&self, at: Position, mover: u8, bound: u32, duties: &mut Vec<Duty>) -> Result<(), String> {
        match self.proof.rules.over(at) {
            Some(outcome) => return self.check_end(at, mover, outcome),
            None if mover == self.hero => self.choose(self.proof.rules.moves(at), mover, bound, duties),
            None => duties.push((bound, vec![at])),
        }
        Ok(())
    }

    /// One of `choices` of the player `mover`, the hero, must be good.
    fn choose(&self, choices: Vec<Position>, mover: u8, bound: u32, duties: &mut Vec<Duty>) {
        let rules = &self.proof.rules;
        let ends_well = |&to: &Position| {
            rules.over(to).is_some_and(|outcome| self.check_end(to, self.player(to, mover), outcome).is_ok())
        };
        if !choices.iter().any(ends_well) {
            duties.push((bound, choices));
        }
    }

    /// The duties at the root.
    fn of_root(&self, duties: &mut Vec<Duty>) -> Result<(), String> {
        let (mover, choices) = (self.proof.mover, &self.proof.choices);
        match self.proof.root {
            Some(root) => self.cover(root, mover, u32::MAX, duties),
            None if self.hero == mover => {
                self.choose(choices.clone(), mover, u32::MAX, duties);
                Ok(())
            }
            None => choices.iter().try_for_each(|&to| self.cover(to, 3 - mover, u32::MAX, duties)),
        }
    }

    /// The duties at a member.
    fn of_member(&self, (at, rank): (Position, u32), duties: &mut Vec<Duty>) -> Result<(), String> {
        let (rules, mover) = (&self.proof.rules, self.player(at, self.hero));
        // Members of later parts are only read in order after this.
        if !rules.has(at) {
            return Err(format!("expected positions of the game, found {} {:x}", at.0, at.1));
        }
        if let Some(outcome) = rules.over(at) {
            return self.check_end(at, mover, outcome);
        }
        if mover == self.hero {
            self.choose(rules.moves(at), mover, rank, duties);
            return Ok(());
        }
        rules.moves(at).into_iter().try_for_each(|to| self.cover(to, self.player(to, mover), rank, duties))
    }

    /// Checks a strategy of `count` members, which begin at `lines`. At most `part` of them are in memory at a time. Each
    /// part is compared with all duties, and one bit for each duty says whether it is met.
    fn check(&self, count: u64, part: u64, lines: &mut Lines) -> Result<(), String> {
        if self.wins && !self.has_ranks && !self.proof.rules.are_raised() {
            return Err("play may repeat: expected weights that every move raises, or ranks".into());
        }
        let begin = lines.place()?;
        let (mut after, mut read, mut last, mut met) = (begin, 0, None, Vec::new());
        loop {
            lines.go(after)?;
            let mut members = HashMap::new();
            for _ in 0..part.min(count - read) {
                let (position, rank) = lines.member(self.has_ranks)?;
                if last.is_some_and(|last| last >= position) || !self.proof.rules.has(position) {
                    return Err(format!("line {}: expected positions of the game, in order", lines.number));
                }
                last = Some(position);
                members.insert(position, rank);
            }
            read += members.len() as u64;
            after = lines.place()?;
            let is_member = |(bound, to): (u32, Position)| {
                members.get(&self.proof.rules.least(to)).is_some_and(|&rank| !self.has_ranks || rank < bound)
            };
            lines.go(begin)?;
            let mut number = 0_usize;
            for at in 0..=count {
                let mut duties = Vec::new();
                match at {
                    0 => self.of_root(&mut duties)?,
                    _ => self.of_member(lines.member(self.has_ranks)?, &mut duties)?,
                }
                for (bound, choices) in &duties {
                    if number / 64 == met.len() {
                        met.push(0_u64);
                    }
                    if met[number / 64] >> (number % 64) & 1 == 0 {
                        match choices.iter().any(|&to| is_member((*bound, to))) {
                            true => met[number / 64] |= 1 << (number % 64),
                            false if read < count => {}
                            false => return Err(format!("before line {}: no member follows", lines.number + 1)),
                        }
                    }
                    number += 1;
                }
            }
            if read == count {
                return Ok(());
            }
        }
    }
}

/// The lines of a certificate.
struct Lines {
    file: BufReader<File>,
    number: u64,
}

impl Lines {
    fn next(&mut self) -> Result<String, String> {
        let mut line = String::new();
        self.number += 1;
        // Lines of rules with 4,096 modes are shorter.
        let read = (&mut self.file).take(1 << 16).read_line(&mut line).map_err(|e| e.to_string())?;
        if read == 0 || line.pop() != Some('\n') {
            return Err(format!("line {}: the certificate is cut short, or the line is too long", self.number));
        }
        Ok(line)
    }

    fn member(&mut self, has_ranks: bool) -> Result<(Position, u32), String> {
        let line = self.next()?;
        let words: Vec<&str> = line.split(' ').collect();
        let rank = if has_ranks { words.get(2).and_then(|rank| rank.parse().ok()) } else { Some(0) };
        let member = rules::position(&words).zip(rank).filter(|_| words.len() == 2 + usize::from(has_ranks));
        member.ok_or_else(|| format!("line {}: expected a position, found {line:?}", self.number))
    }

    /// The place of the next line.
    fn place(&mut self) -> Result<(u64, u64), String> {
        Ok((self.file.stream_position().map_err(|e| e.to_string())?, self.number))
    }

    fn go(&mut self, (byte, number): (u64, u64)) -> Result<(), String> {
        self.number = number;
        self.file.seek(SeekFrom::Start(byte)).map(|_| ()).map_err(|e| e.to_string())
    }
}

/// Checks the certificate at `path`, and returns what it proves.
pub(crate) fn check(path: &str, part: u64) -> Result<String, String> {
    let file = File::open(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    let mut lines = Lines { file: BufReader::new(file), number: 0 };
    let (proof, outcome) = rules::read(&mut lines, games::named)?;
    let strategies: &[&str] = match outcome {
        Outcome::Win => &["mover win"],
        Outcome::Loss => &["other win"],
        Outcome::Draw => &["mover draw", "other draw"],
    };
    let mut total = 0;
    for expected in strategies {
        let line = lines.next()?;
        let wrong = || format!("line {}: expected \"strategy {expected}\", found {line:?}", lines.number);
        let rest = line.strip_prefix(&format!("strategy {expected} ")).ok_or_else(wrong)?;
        let (count, has_ranks) = rest.strip_suffix(" ranks").map_or((rest, false), |count| (count, true));
        let count = count.parse().map_err(|_| wrong())?;
        let hero = if expected.starts_with("mover") { proof.mover } else { 3 - proof.mover };
        let strategy = Strategy { proof: &proof, hero, wins: expected.ends_with("win"), has_ranks };
        strategy.check(count, part, &mut lines)?;
        total += count;
    }
    if lines.next()? != "end of certificate" || !lines.file.fill_buf().is_ok_and(<[u8]>::is_empty) {
        return Err(format!("line {}: expected the end of the certificate, and nothing after it", lines.number));
    }
    let root = proof.root.map_or("the opening".to_owned(), |(mode, board)| format!("{mode} {board:x}"));
    Ok(format!("proved: {outcome:?} at {root}, with {total} positions; rules: {}", proof.source))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, part) = match &arguments[..] {
        [path] if !path.starts_with('-') => (path, Some(1 << 24)),
        [path, option, part] if option == "--part" => (path, part.parse().ok().filter(|&part| part > 0)),
        _ => (&String::new(), None),
    };
    let Some(part) = part else {
        eprintln!("usage: certify-check FILE [--part POSITIONS]\n\nwith so many positions in memory at a time");
        return ExitCode::from(2);
    };
    match check(path, part) {
        Ok(proved) => println!("{proved}"),
        Err(error) => {
            eprintln!("not proved: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
