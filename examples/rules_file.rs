//! Solves the game of a rules file and prints the best move from its start:
//! `cargo run --example rules_file -- my.toml`.

use std::error::Error;

use tablegen::engine::{Asked, Engine, TableDirs};
use tablegen::game::{FileGame, Game, Parameters};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected the path of a rules file")?;
    let game = FileGame::read(&std::fs::read_to_string(path)?, &Parameters::new())?;
    println!("{}", game.draw(game.rules().start_node()));

    let source = Engine::new(TableDirs::none()).source(Box::new(game), 1_000_000)?;
    let found = source.answer(&Asked::typed(source.game(), None)?)?;
    let moves = found.answer.moves.len();
    match found.answer.best().next() {
        Some(best) => println!("{}: {} is best of {moves} moves", found.outcome_name(), best.text),
        None => println!("{}: no move is left", found.outcome_name()),
    }
    Ok(())
}
