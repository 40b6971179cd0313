use std::time::Instant;
use tablegen::prelude::*;
use tablegen::label::*;
use tablegen::solve::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (r, c, k): (u32, u32, u32) = (a[1].parse().unwrap(), a[2].parse().unwrap(), a[3].parse().unwrap());
    let play = if a[4] == "normal" { Play::Normal } else { Play::Misere };
    let game = Tactics::new(r, c, k, play).unwrap();
    let labels: LabelSet = a[5].parse().unwrap();
    let method = if a.len() > 6 { Method::Sparse } else { Method::Dense };
    for _ in 0..2 {
        let t = Instant::now();
        let s = solve(game.rules(), &Options { method, labels, ..Options::default() }).unwrap();
        let all = t.elapsed().as_secs_f64();
        let contents = s.contents();
        print!("sweep {:.4} all {:.4} ratio {:.2} start {:?}", s.solve_time().as_secs_f64(), all, (all - s.solve_time().as_secs_f64()) / s.solve_time().as_secs_f64(), s.value(Position::default()));
        for kind in [LabelKind::Remoteness, LabelKind::Nimber] {
            if let Some(bytes) = contents.bytes().of(kind) {
                let mut h = [0u64; 256];
                for &b in bytes { h[b as usize] += 1; }
                let wins = (0..=64).rev().find(|r| kind == LabelKind::Remoteness && h[254 - r] > 0);
                let most = (0..=255).rev().find(|&v| h[v] > 0);
                print!(" {kind} longest win {wins:?} most {most:?}");
            }
        }
        println!();
    }
}
