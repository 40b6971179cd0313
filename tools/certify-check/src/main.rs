//! Checks a certificate: a strategy that proves the outcome or the score of a position. It uses the standard library alone.
//!
//! `docs/reference/certificates.md` describes certificates and why they prove what they say. The rules are those of the
//! certificate. If it names one of four games, they must be those of `games.rs`. Members are read in parts that fit into memory.

mod games;
mod nibbles;
mod rules;
pub(crate) mod text;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use rules::{Outcome, Position, Rules};
use text::{Lines, Text};

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
    /// Moves may gain points, and the claim is a score.
    counts: bool,
}

/// Any member is worth this much, whatever a move gains.
const ANY: i64 = i64::MIN / 2;

/// What a certificate proves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Outcome(Outcome),
    /// The least and the most that the player to move still gets; one of them may be missing.
    Score(Option<i64>, Option<i64>),
}

/// What the hero of a strategy reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Win,
    Draw,
    /// At least so many points.
    Score(i64),
}

/// A strategy: its hero is player 1 or 2. Where the game is over, the hero must have won, not lost, or enough points.
struct Strategy<'p> {
    proof: &'p Proof,
    hero: u8,
    aim: Aim,
    has_ranks: bool,
}

/// Positions of which one must stand for a member that is worth at least the number with it.
///
/// A member of a strategy by score is worth its bound, and with ranks a member is worth more the lower its rank is.
type Duty = Vec<(Position, i64)>;

impl Strategy<'_> {
    /// The player to move at `at`, where `before` was to move one move earlier.
    fn player(&self, at: Position, before: u8) -> u8 {
        self.proof.rules.players.get(usize::from(at.0)).copied().unwrap_or(3 - before)
    }

    /// Checks that the game ends well for the hero, with at least `need` points if points count. The player `mover` is to move.
    fn check_end(&self, at: Position, mover: u8, need: i64, outcome: Outcome) -> Result<(), String> {
        let is_heros = self.hero == mover;
        let is_good = match self.aim {
            Aim::Score(_) => {
                let points = self.proof.rules.points(at).unwrap_or(i64::MIN / 2);
                (if is_heros { points } else { -points }) >= need
            }
            Aim::Win => outcome == if is_heros { Outcome::Win } else { Outcome::Loss },
            Aim::Draw => outcome != if is_heros { Outcome::Loss } else { Outcome::Win },
        };
        if !is_good {
            return Err(format!("the game ends at {} {:x} with a {outcome:?} for player {mover}", at.0, at.1));
        }
        Ok(())
    }

    /// What the hero must be able to do if play reaches `at`, where `mover` is to move and later members must be worth `need`.
    fn cover(&self, at: Position, mover: u8, need: i64, duties: &mut Vec<Duty>) -> Result<(), String> {
        match self.proof.rules.over(at) {
            Some(outcome) => return self.check_end(at, mover, need, outcome),
            None if mover == self.hero => self.choose(self.proof.rules.moves(at), mover, need, duties),
            None => duties.push(vec![(at, need)]),
        }
        Ok(())
    }

    /// One of `choices` of the player `mover`, the hero, must be good. The points that it gains need not be gained later.
    fn choose(&self, choices: Vec<(Position, i64)>, mover: u8, need: i64, duties: &mut Vec<Duty>) {
        let rules = &self.proof.rules;
        let after: Duty = choices.into_iter().map(|(to, gain)| (to, need - gain)).collect();
        let ends_well = |&(to, need): &(Position, i64)| {
            rules.over(to).is_some_and(|outcome| self.check_end(to, self.player(to, mover), need, outcome).is_ok())
        };
        if !after.iter().any(ends_well) {
            duties.push(after);
        }
    }

    /// The duties at the root.
    fn of_root(&self, duties: &mut Vec<Duty>) -> Result<(), String> {
        let (mover, choices) = (self.proof.mover, &self.proof.choices);
        let need = if let Aim::Score(least) = self.aim { least } else { ANY };
        match self.proof.root {
            Some(root) => self.cover(root, mover, need, duties),
            None if self.hero == mover => {
                self.choose(choices.iter().map(|&to| (to, 0)).collect(), mover, need, duties);
                Ok(())
            }
            None => choices.iter().try_for_each(|&to| self.cover(to, 3 - mover, need, duties)),
        }
    }

    /// The duties at a member.
    fn of_member(&self, (at, number): (Position, i64), duties: &mut Vec<Duty>) -> Result<(), String> {
        let (rules, mover) = (&self.proof.rules, self.player(at, self.hero));
        // Members of later parts are only read in order after this.
        if !rules.has(at) {
            return Err(format!("expected positions of the game, found {} {:x}", at.0, at.1));
        }
        let need = match self.aim {
            Aim::Score(_) => number,
            // The next ranks are lower.
            _ if self.has_ranks => 1 - number,
            _ => ANY,
        };
        if let Some(outcome) = rules.over(at) {
            return self.check_end(at, mover, need, outcome);
        }
        if mover == self.hero {
            self.choose(rules.moves(at), mover, need, duties);
            return Ok(());
        }
        // What the other player gains, the hero must get back.
        let mut moves = rules.moves(at).into_iter();
        moves.try_for_each(|(to, gain)| self.cover(to, self.player(to, mover), need + gain, duties))
    }

    /// What a member with this number is worth.
    fn worth(&self, number: i64) -> i64 {
        match self.aim {
            Aim::Score(_) => number,
            _ => -number,
        }
    }

    /// Whether each member has a number: its bound or its rank.
    fn has_numbers(&self) -> bool {
        self.has_ranks || matches!(self.aim, Aim::Score(_))
    }

    /// Checks a strategy of `count` members, which begin at `lines`. At most `part` of them are in memory at a time. Each
    /// part is compared with all duties, and one bit for each duty says whether it is met.
    fn check(&self, count: u64, part: u64, lines: &mut Lines) -> Result<(), String> {
        let must_end = self.aim != Aim::Draw && !self.has_ranks;
        if must_end && !self.proof.rules.are_raised() {
            return Err("play may repeat: expected weights that every move raises, or ranks".into());
        }
        let begin = lines.place()?;
        let (mut after, mut read, mut last, mut met) = (begin, 0, None, Vec::new());
        loop {
            lines.go(after)?;
            let mut members = HashMap::new();
            for _ in 0..part.min(count - read) {
                let (position, number) = lines.member(self.has_numbers())?;
                if last.is_some_and(|last| last >= position) || !self.proof.rules.has(position) {
                    return Err(format!("line {}: expected positions of the game, in order", lines.number));
                }
                if self.has_ranks && number < 0 {
                    return Err(format!("line {}: expected a rank from 0, found {number}", lines.number));
                }
                last = Some(position);
                members.insert(position, self.worth(number));
            }
            read += members.len() as u64;
            after = lines.place()?;
            let is_member = |&(to, need): &(Position, i64)| {
                members.get(&self.proof.rules.least(to)).is_some_and(|&worth| worth >= need)
            };
            lines.go(begin)?;
            let mut number = 0_usize;
            for at in 0..=count {
                let mut duties = Vec::new();
                match at {
                    0 => self.of_root(&mut duties)?,
                    _ => self.of_member(lines.member(self.has_numbers())?, &mut duties)?,
                }
                for choices in &duties {
                    if number / 64 == met.len() {
                        met.push(0_u64);
                    }
                    if met[number / 64] >> (number % 64) & 1 == 0 {
                        match choices.iter().any(is_member) {
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

/// Checks a certificate, and returns what it proves.
pub(crate) fn check(file: Box<dyn Text>, part: u64) -> Result<String, String> {
    let mut lines = Lines { file, number: 0 };
    let (proof, claim) = rules::read(&mut lines, games::named)?;
    let strategies = match claim {
        Claim::Outcome(Outcome::Win) => vec![("mover", Aim::Win)],
        Claim::Outcome(Outcome::Loss) => vec![("other", Aim::Win)],
        Claim::Outcome(Outcome::Draw) => vec![("mover", Aim::Draw), ("other", Aim::Draw)],
        Claim::Score(least, most) => {
            let of_other = most.map(|most| ("other", Aim::Score(-most)));
            least.map(|least| ("mover", Aim::Score(least))).into_iter().chain(of_other).collect()
        }
    };
    let mut total = 0;
    for (whose, aim) in strategies {
        let line = lines.next()?;
        let name = match aim {
            Aim::Win => "win",
            Aim::Draw => "draw",
            Aim::Score(_) => "score",
        };
        let wrong = || format!("line {}: expected \"strategy {whose} {name}\", found {line:?}", lines.number);
        let rest = line.strip_prefix(&format!("strategy {whose} {name} ")).ok_or_else(wrong)?;
        let (count, has_ranks) = match rest.strip_suffix(" ranks") {
            Some(count) if !proof.counts => (count, true),
            _ => (rest, false),
        };
        let count = count.parse().map_err(|_| wrong())?;
        let hero = if whose == "mover" { proof.mover } else { 3 - proof.mover };
        let strategy = Strategy { proof: &proof, hero, aim, has_ranks };
        strategy.check(count, part, &mut lines)?;
        total += count;
    }
    if lines.next()? != "end of certificate" || !lines.are_over() {
        return Err(format!("line {}: expected the end of the certificate, and nothing after it", lines.number));
    }
    let root = proof.root.map_or("the opening".to_owned(), |(mode, board)| format!("{mode} {board:x}"));
    let proved = match claim {
        Claim::Outcome(outcome) => format!("{outcome:?}"),
        Claim::Score(Some(least), Some(most)) if least == most => format!("score {least}"),
        Claim::Score(least, most) => {
            let word = |name: &str, bound: Option<i64>| bound.map(|bound| format!("{name} {bound}"));
            let words = [word("at least", least), word("at most", most)];
            format!("score {}", words.into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
    };
    Ok(format!("proved: {proved} at {root}, with {total} positions; rules: {}", proof.source))
}

const HELP: &str = "\
Check a certificate: a strategy that proves the outcome or the score of a position.

Usage: certify-check FILE [--part N]

Arguments:
  FILE  The certificate, which 'tablegen certify' writes; - reads standard input

Options:
  --part N    Hold N positions in memory at a time [default: 16777216]
  -h, --help  Print this help

The exit status is 0 if the certificate proves what it says, and 1 if it does not. It is 2 if the
arguments are wrong, or if FILE cannot be read or is no certificate.
";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(|word| word.to_str().unwrap_or("?")).collect();
    let is_file = |word: &str| word == "-" || !word.starts_with('-');
    let (at, part) = match words[..] {
        [.., "-h" | "--help"] => {
            // Nobody may read all of the help.
            let _ = io::stdout().write_all(HELP.as_bytes());
            return ExitCode::SUCCESS;
        }
        [file] if is_file(file) => (0, Some(1 << 24)),
        [file, "--part", part] if is_file(file) => (0, part.parse().ok()),
        ["--part", part, file] if is_file(file) => (2, part.parse().ok()),
        _ => (0, None),
    };
    let Some(part) = part.filter(|&part| part > 0) else {
        eprintln!("error: expected FILE, or FILE --part N with a number N from 1; see 'certify-check --help'");
        return ExitCode::from(2);
    };
    let file = match text::open(Path::new(&arguments[at])) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match check(file, part) {
        Ok(proved) => println!("{proved}"),
        Err(error) => {
            eprintln!("not proved: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
