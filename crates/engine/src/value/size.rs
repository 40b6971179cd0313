//! The parameters with which a board of one row has the length of a position.

use tablegen_games::{Game, GameError, Parameters};

/// Makes a game with its parameters.
pub(super) type Make<'m> = &'m dyn Fn(&Parameters) -> Result<Box<dyn Game>, GameError>;

/// The parameters with which the board of the game has one row of `squares` squares. If several parameters make its length, the others
/// are as small as possible, since a position replaces the start. `None` if the game has no such board.
pub(super) fn of_row(make: Make<'_>, squares: usize) -> Option<Parameters> {
    let game = make(&Parameters::new()).ok()?;
    let usual = row(game.as_ref())?;
    let length = |set: &Parameters| row(make(set).ok()?.as_ref());
    let known = game.descriptor().parameters;
    // A parameter that makes the length changes it if it is one greater.
    let greater = |(name, value): &(String, String)| {
        let value: usize = value.parse().ok()?;
        let set = Parameters::new().with(name, value + 1);
        (length(&set)? == usual + 1).then(|| (name.clone(), value))
    };
    let sizes: Vec<(String, usize)> = known.iter().filter_map(greater).collect();
    let (last, _) = sizes.first()?;
    let least = sizes.iter().skip(1).fold(Parameters::new(), |set, (name, _)| set.with(name, 1));
    let rest = length(&least.clone().with(last, 1)).map(|found| squares.checked_sub(found - 1));
    let usual = || Some(squares + sizes[0].1).map(|most| most.checked_sub(usual));
    let tries = [
        rest.flatten().map(|value| least.with(last, value)),
        usual().flatten().map(|value| Parameters::new().with(last, value)),
    ];
    tries.into_iter().flatten().find(|set| length(set) == Some(squares))
}

/// The length of the board of `game`, if it is one row.
fn row(game: &dyn Game) -> Option<usize> {
    let start = *game.rules().start_positions().first()?;
    let text = game.write(start.into());
    let board = text.split(' ').next().unwrap_or_default();
    (!board.contains(['/', '{', ',', ':'])).then(|| board.chars().count())
}
