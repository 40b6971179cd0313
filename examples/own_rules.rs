//! Defines rules in code, solves them, saves a table, opens it again and probes it: `cargo run --example own_rules`.

use std::error::Error;

use tablegen::engine::OpenTable;
use tablegen::game::grid_descriptor;
use tablegen::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    // Kayles with seven pins in a row: knock down one pin, or two adjacent pins. A player who cannot move loses.
    let one = (0..7).map(|pin| Move::fill(Board::bit(pin)));
    let two = (0..6).map(|pin| Move::fill(Board::bit(pin) | Board::bit(pin + 1)));
    let rules = RulesSpec { moves: one.chain(two).collect(), ..RulesSpec::new("kayles-7", 7) }.build()?;

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("kayles-7.tb");
    solve(&rules, &Options::default())?.save(&grid_descriptor(1, 7), &path)?;

    let OpenTable { table, game } = OpenTable::new(Table::open(&path)?);
    let probe = table.probe(game.read("XX.....")?.node)?;
    println!("{} losses among {} positions", table.counts().loss, table.counts().total());
    println!("XX..... is a {}: best is {}", probe.value.outcome, game.write_move(probe.node, probe.moves[0].to));
    Ok(())
}
