//! Games in progress: moves that give something away, and lines. The session `play` shows names of moves, replies, hints and undo.

use tablegen::engine::{Engine, LineEnd, Match, PlayError, Source, TableDirs, game};
use tablegen::game::Parameters;
use tablegen::rules::Outcome;

fn solved(name: &str) -> Source {
    let game = game(name, &Parameters::new()).expect("a game");
    Engine::new(TableDirs::none()).source(game, 1_000_000).expect("a small game")
}

fn begin<'s>(source: &'s Source, from: &str) -> Match<'s> {
    Match::new(source, &source.read(from).expect("a position"), None).expect("a sound table")
}

/// A missed move is one that would have kept a win or a draw. A longer win is not a miss.
#[test]
fn missed_moves() {
    let source = solved("tactics");
    let mut play = begin(&source, "XX../XX../..../....");
    play.play("c1").expect("a move");
    assert_eq!(play.missed(0).map(|best| best.text), Some("c3".into()));
    // In a lost position no move is a miss, nor is a move that keeps the win.
    let mut play = begin(&source, "..../..../..../....");
    play.play("a1").expect("a move");
    let best = play.hint().expect("a sound table").expect("a move").chosen.text;
    play.play(&best).expect("a move");
    assert!(play.missed(0).is_none() && play.missed(1).is_none() && play.missed(2).is_none());
    let draws = solved("tictactoe");
    let mut play = begin(&draws, ".../.X./...");
    play.play("b1").expect("a move");
    let kept = play.missed(0).expect("a draw was there");
    assert_eq!(kept.outcome(), Some(Outcome::Draw));
}

/// The best line from the current position has the names of this game, and its end is the end of the game that follows
/// it.
#[test]
fn the_line_of_a_game_in_progress() {
    let source = solved("tactics");
    let mut play = begin(&source, "XX../XX../..../....");
    play.play("c3").expect("a move");
    let line = play.line().expect("a sound table");
    assert_eq!(line.players, ["second", "first"]);
    for ply in &line.plies {
        assert_eq!(play.players_after(play.plies().len())[0], line.players_after(play.plies().len() - 1)[0]);
        play.play(&ply.chosen.text).expect("a move");
    }
    assert_eq!((play.end(), play.winner()), (Some(LineEnd::Stuck), Some("first")));
    assert_eq!(play.winner(), line.winner());
    assert!(play.hint().is_ok_and(|hint| hint.is_none()) && matches!(play.play("a1"), Err(PlayError::Over { .. })));
}
