//! Random rules with gains, moves again and points at ends.

use std::collections::HashMap;

use super::solved;
use tablegen_labels::{LabelKind, Width};
use tablegen_rules::{Board, End, Mode, Move, Outcome, Player, Position, RulesSpec, Start, Terminal};

/// A move, an end and a terminal in plain numbers: the rules of a random game.
struct Plain<'a> {
    spec: &'a RulesSpec,
    known: HashMap<(u16, u64), i32>,
}

impl Plain<'_> {
    fn points(terminal: Terminal, board: u64) -> i32 {
        match terminal {
            Terminal::Always(outcome) => {
                assert_eq!(outcome, Outcome::Draw);
                0
            }
            Terminal::Most { own, other } => {
                (board & own.low_word()).count_ones() as i32 - (board & other.low_word()).count_ones() as i32
            }
            Terminal::Points(points) => points.into(),
        }
    }

    /// The most of what each move gains and what comes after it.
    fn score(&mut self, mode: u16, board: u64) -> i32 {
        if let Some(&score) = self.known.get(&(mode, board)) {
            return score;
        }
        let spec = self.spec;
        let matches = |end: &&End| {
            end.mode.0 == mode && end.pattern.low_word() & !board == 0 && end.empty.low_word() & board == 0
        };
        let score = if let Some(end) = spec.ends.iter().find(matches) {
            Self::points(end.outcome, board)
        } else {
            let mut most = None;
            for m in spec.moves.iter().filter(|m| m.mode.0 == mode) {
                if m.empty.low_word() & board != 0 || m.full.low_word() & !board != 0 {
                    continue;
                }
                let after = self.score(m.next.0, board & !m.clears.low_word() | m.fills.low_word());
                let player = |mode: Mode| spec.players.get(usize::from(mode.0));
                let again = m.again || !spec.players.is_empty() && player(m.mode) == player(m.next);
                most = most.max(Some(i32::from(m.gain) + if again { after } else { -after }));
            }
            let terminal = spec.terminals.get(usize::from(mode)).copied().unwrap_or(spec.terminal.into());
            most.unwrap_or_else(|| Self::points(terminal, board))
        };
        self.known.insert((mode, board), score);
        score
    }
}

/// Random rules whose points are multiples of `times`.
fn random(rng: &mut fastrand::Rng, times: i16) -> RulesSpec {
    let cells = rng.u32(2..=6);
    let full = (1u64 << cells) - 1;
    let modes = rng.u16(1..=3);
    let board = Board::from_word;
    let terminal = |rng: &mut fastrand::Rng| match rng.u8(0..3) {
        0 => Outcome::Draw.into(),
        1 => Terminal::Points(times * rng.i16(-9..=9)),
        _ => Terminal::Most { own: board(rng.u64(0..=full)), other: board(rng.u64(0..=full)) },
    };
    let players: Vec<Player> = match rng.bool() {
        true => (0..modes).map(|_| if rng.bool() { Player::First } else { Player::Second }).collect(),
        false => Vec::new(),
    };
    let mut moves = Vec::new();
    for _ in 0..rng.usize(2..24) {
        // Each move fills a cell for good, so that no position repeats.
        let new = 1 << rng.u32(0..cells);
        let needed = rng.u64(0..=full) & rng.u64(0..=full) & !new;
        let fills = new | rng.u64(0..=full) & rng.u64(0..=full) & !needed;
        let again = players.is_empty() && rng.bool();
        let gain = if rng.bool() { times * rng.i16(-4..=4) } else { 0 };
        let (mode, next) = (Mode(rng.u16(0..modes)), Mode(rng.u16(0..modes)));
        moves.push(Move {
            mode,
            next,
            empty: board(new),
            full: board(needed),
            gain,
            again,
            ..Move::fill(board(fills))
        });
    }
    let end = |rng: &mut fastrand::Rng| {
        let pattern = rng.u64(1..=full);
        let empty = board(rng.u64(0..=full) & rng.u64(0..=full) & !pattern);
        End { mode: Mode(rng.u16(0..modes)), pattern: board(pattern), outcome: terminal(rng), empty }
    };
    RulesSpec {
        modes: (0..modes).map(|mode| mode.to_string()).collect(),
        ends: (0..rng.usize(0..3)).map(|_| end(rng)).collect(),
        terminals: if rng.bool() { (0..modes).map(|_| terminal(rng)).collect() } else { Vec::new() },
        terminal: Outcome::Draw,
        players,
        moves,
        start: Start::At(Position::new(
            Mode(rng.u16(0..modes)),
            board(rng.u64(0..=full) & rng.u64(0..=full) & rng.u64(0..=full)),
        )),
        ..RulesSpec::new("random", cells)
    }
}

/// Solves random rules, whose points are multiples of a number that `times` draws, and compares scores and outcomes with the plain
/// recursion. Returns the number of games with scores of each width.
fn compare(seed: u64, all: u32, times: impl Fn(&mut fastrand::Rng) -> i16) -> [u32; 2] {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut games, mut positions, mut signs) = ([0; 2], 0, [0; 3]);
    while games.iter().sum::<u32>() < all {
        let times = times(&mut rng);
        let spec = random(&mut rng, times);
        let rules = spec.clone().build().unwrap_or_else(|error| panic!("{error}: {spec:?}"));
        if LabelKind::Score.undefined_by(&rules).is_some() {
            continue;
        }
        games[usize::from(LabelKind::Score.width(&rules) == Width::Sixteen)] += 1;
        let (solution, mut plain) = (solved(&rules), Plain { spec: &spec, known: HashMap::new() });
        for mode in 0..rules.modes().len() as u16 {
            for board in 0..1u64 << rules.cells() {
                let position = Position::new(Mode(mode), Board::from_word(board));
                let Some(value) = solution.value(position) else { continue };
                let expected = plain.score(mode, board);
                assert_eq!(value.score(), Some(expected), "{position:?} of {spec:?}");
                assert_eq!(solution.outcome(position), Some(Outcome::of_points(expected)), "{position:?} of {spec:?}");
                assert!(
                    u64::from(expected.unsigned_abs()) <= rules.most_points().unwrap().0,
                    "{position:?} of {spec:?}"
                );
                positions += 1;
                signs[(expected.signum() + 1) as usize] += 1;
            }
        }
    }
    assert!(positions > 5 * all && signs.iter().all(|&count| 10 * count > positions), "{positions} {signs:?}");
    games
}

#[test]
fn ten_thousand_random_games() {
    assert_eq!(compare(67, 10_000, |_| 1), [10_000, 0]);
}

/// Scores of two bytes: gains of up to 452 points, and ends of up to 1,017.
#[test]
fn random_games_of_many_points() {
    let [_, wide] = compare(68, 3_000, |rng| rng.i16(10..=113));
    assert!(wide > 2_500, "{wide}");
}
