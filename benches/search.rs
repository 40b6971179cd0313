//! Positions answered without a table: time and positions expanded, as lines of CSV.
//!
//! `cargo bench --bench search` runs every case. Name cases to run only some: `cargo bench --bench search -- domineering`.
//! With `-- plain`, the plain search answers the same positions; that takes minutes. Each position comes after random moves. The
//! game is not over there, and no move wins at once. A case is run with a new transposition table for each position, and
//! with one table for all positions.

use std::time::{Duration, Instant};

use tablegen::engine;
use tablegen::game::Parameters;
use tablegen::rules::{Mode, Outcome, Position, Rules};
use tablegen::search::{AlphaBeta, Search};

struct Case {
    name: &'static str,
    /// The name of a game in the library.
    game: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    plies: usize,
    positions: usize,
    /// Ask for the outcome with either side to move.
    both_sides: bool,
}

const CASES: &[Case] = &[
    Case {
        name: "connect-four-6x7",
        game: "connect-four",
        parameters: &[("rows", "6"), ("cols", "7")],
        plies: 14,
        positions: 1000,
        both_sides: false,
    },
    Case {
        name: "connect-four-5x6",
        game: "connect-four",
        parameters: &[("rows", "5"), ("cols", "6")],
        plies: 8,
        positions: 1000,
        both_sides: false,
    },
    Case {
        name: "domineering-6x6",
        game: "domineering",
        parameters: &[("rows", "6"), ("cols", "6")],
        plies: 4,
        positions: 100,
        both_sides: true,
    },
    Case {
        name: "domineering-6x6-start",
        game: "domineering",
        parameters: &[("rows", "6"), ("cols", "6")],
        plies: 0,
        positions: 1,
        both_sides: true,
    },
];

/// The bytes of a transposition table.
const BYTES: usize = 1 << 27;

/// The positions of a case: the same in every run.
fn positions(rules: &Rules, case: &Case) -> Vec<Vec<Position>> {
    let mut rng = fastrand::Rng::with_seed(1);
    let starts = rules.start_positions();
    let wins = |position: Position| {
        let ended = |step: tablegen::rules::Step| {
            let outcome = rules.ended(step.to)?;
            Some(if step.again { outcome } else { outcome.flip() })
        };
        rules.choices(position.into()).into_iter().any(|step| ended(step) == Some(Outcome::Win))
    };
    let mut found = Vec::new();
    while found.len() < case.positions {
        let mut position = starts[rng.usize(..starts.len())];
        let mut is_over = false;
        for _ in 0..case.plies {
            let moves: Vec<_> = rules.moves_from(position).collect();
            is_over |= moves.is_empty();
            if let Some(m) = moves.get(rng.usize(..moves.len().max(1))) {
                position = m.play(position);
            }
        }
        if is_over || rules.is_over(position) || wins(position) {
            continue;
        }
        found.push(if case.both_sides {
            [0, 1].map(|mode| Position::new(Mode(mode), position.board)).to_vec()
        } else {
            vec![position]
        });
    }
    found
}

/// A search, which returns the positions expanded so far.
enum Any {
    AlphaBeta(AlphaBeta),
    Plain(Box<Search>),
}

impl Any {
    fn new(rules: &Rules, is_plain: bool) -> Self {
        if is_plain {
            return Self::Plain(Box::new(Search::new(rules)));
        }
        Self::AlphaBeta(AlphaBeta::new(rules, BYTES).expect("no position repeats"))
    }

    fn outcome(&mut self, position: Position) -> Outcome {
        let found = match self {
            Self::AlphaBeta(search) => search.outcome(position.into()),
            Self::Plain(search) => search.outcome(position.into()),
        };
        found.expect("no limit")
    }

    const fn expanded(&self) -> u64 {
        match self {
            Self::AlphaBeta(search) => search.expanded(),
            Self::Plain(search) => search.expanded(),
        }
    }
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_plain = named.iter().any(|name| name == "plain");
    let cases: Vec<&String> = named.iter().filter(|name| *name != "plain").collect();
    println!("case,search,table,questions,wins,draws,losses,expanded,seconds,median_ms,longest_ms");
    for case in
        CASES.iter().filter(|case| cases.is_empty() || cases.iter().any(|name| case.name.contains(name.as_str())))
    {
        let parameters = case.parameters.iter().fold(Parameters::new(), |all, &(key, value)| all.with(key, value));
        let Ok(game) = engine::game(case.game, &parameters) else {
            eprintln!("{}: too many cells", case.name);
            continue;
        };
        let rules = game.rules();
        let asked = positions(rules, case);
        for is_kept in [false, true] {
            let mut search = Any::new(rules, is_plain);
            let (mut times, mut expanded, mut outcomes) = (Vec::new(), 0, [0; 3]);
            for positions in &asked {
                if !is_kept {
                    search = Any::new(rules, is_plain);
                }
                let (start, before) = (Instant::now(), search.expanded());
                for &position in positions {
                    outcomes[2 - search.outcome(position) as usize] += 1;
                }
                times.push(start.elapsed());
                expanded += search.expanded() - before;
            }
            times.sort_unstable();
            let (name, kept) = (if is_plain { "plain" } else { "alpha-beta" }, if is_kept { "one" } else { "new" });
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            println!(
                "{},{name},{kept},{},{},{},{},{expanded},{:.3},{:.3},{:.3}",
                case.name,
                asked.len(),
                outcomes[0],
                outcomes[1],
                outcomes[2],
                times.iter().sum::<Duration>().as_secs_f64(),
                ms(times[times.len() / 2]),
                ms(times[times.len() - 1]),
            );
        }
    }
}
