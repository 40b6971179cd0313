//! Prints the best move in a position of a game given by name:
//! `cargo run --example best_move -- tactics "XX../XX../..../...."`.

use std::error::Error;

use tablegen::engine::{Engine, TableDirs, game};
use tablegen::game::Parameters;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (name, position) = arguments.next().zip(arguments.next()).ok_or("expected GAME POSITION [KEY=VALUE ...]")?;
    let parameters = arguments.fold(Parameters::new(), |parameters, argument| {
        let (name, value) = argument.split_once('=').unwrap_or((&argument, "true"));
        parameters.with(name, value)
    });

    // Uses a table from the folder or the library; if there is none and the game is small, it is solved now.
    let engine = Engine::new(TableDirs::only(vec!["tables".into()]));
    let source = engine.source(game(&name, &parameters)?, 1_000_000)?;
    let found = source.answer(&source.read(&position)?)?;

    let best = found.answer.moves.first().map_or("none: the game is over", |best| &best.text);
    println!("{}: {}, best move {best}", found.answer.position, found.outcome_name());
    Ok(())
}
