use std::time::Instant;
use tablegen::game::*;
use tablegen::solve::sparse;
fn hwm() -> u64 {
    std::fs::read_to_string("/proc/self/status")
        .unwrap()
        .lines()
        .find(|l| l.starts_with("VmHWM"))
        .unwrap()
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        >> 10
}
fn main() {
    let file = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let game = Shiritori::new(&text, Play::Normal).unwrap();
    println!("{} cells {} modes {}", game.rules().name, game.rules().cells, game.rules().modes.len());
    let t = Instant::now();
    let flooded = std::sync::Mutex::new(0.0);
    let progress = |p: sparse::Progress| {
        if let sparse::Progress::Found { .. } = p {
            *flooded.lock().unwrap() = t.elapsed().as_secs_f64()
        }
    };
    let s = sparse(
        game.rules(),
        &sparse::Options { roots: &game.roots(), progress: Some(&progress), ..Default::default() },
    )
    .unwrap();
    println!("build {:?} flood {:.2}", t.elapsed(), flooded.lock().unwrap());
    let l = s.levels();
    println!(
        "positions {} key bytes {} outcome bytes {} per position {:.2} peak {} MiB {:?}",
        l.count(),
        l.key_bytes(),
        l.outcome_bytes(),
        (l.key_bytes() + l.outcome_bytes()) as f64 / l.count() as f64,
        hwm(),
        s.counts()
    );
    println!("largest level {:?}", l.sizes().map(|s| s.count).max());
    for r in game.roots() {
        print!("{} {:?}  ", game.rules().modes[r.mode.0 as usize], s.outcome(r).unwrap());
    }
    println!();
    // probes
    let mut rng = fastrand::Rng::with_seed(1);
    let every = (l.count() / 1_000_000).max(1);
    let mut some: Vec<_> = s.positions().enumerate().filter(|(i, _)| *i as u64 % every == 0).map(|x| x.1.0).collect();
    rng.shuffle(&mut some);
    let t = Instant::now();
    let wins = some.iter().filter(|p| s.outcome(**p) == Some(tablegen::rules::Outcome::Win)).count();
    println!("probe {:.0} ns ({wins} of {})", t.elapsed().as_nanos() as f64 / some.len() as f64, some.len());
    let t = Instant::now();
    let outside = some
        .iter()
        .filter(|p| {
            s.outcome(tablegen::rules::Position {
                board: tablegen::rules::Board(p.board.0.rotate_left(1) & ((1 << game.rules().cells) - 1)),
                ..**p
            })
            .is_none()
        })
        .count();
    println!("outside {:.0} ns ({outside})", t.elapsed().as_nanos() as f64 / some.len() as f64);
}
