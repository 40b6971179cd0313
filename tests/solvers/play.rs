//! Games in progress: names of moves, replies, hints, undo.

use tablegen::engine::{Engine, LineEnd, Match, PlayError, Seat, Source, TableDirs, game};
use tablegen::game::{Game, Parameters};
use tablegen::rules::Outcome;

fn source(game: Box<dyn Game>) -> Source {
    Engine::new(TableDirs::none()).source(game, 1_000_000).expect("a small game")
}

fn named(name: &str, parameters: &[(&str, &str)]) -> Source {
    let parameters = parameters.iter().map(|&(key, value)| (key.into(), value.into())).collect::<Vec<_>>();
    source(game(name, &Parameters::from(parameters)).expect("a game"))
}

fn begin<'s>(source: &'s Source, from: &str, perfect: Option<Seat>) -> Match<'s> {
    Match::new(source, &source.read(from).expect("a position"), perfect).expect("a sound table")
}

/// The text of the move that `text` names, or the reason why it names none.
fn find(play: &Match<'_>, text: &str) -> Result<String, String> {
    play.find(text).map(|m| m.text.clone()).map_err(|error| error.to_string())
}

#[test]
fn moves_have_several_names() {
    let tactics = named("tactics", &[]);
    let play = begin(&tactics, "XX../XX../..../....", None);
    let run = Ok("c3-c4".to_owned());
    for text in ["c3-c4", "c4-c3", " C3-C4 ", "c4-C3", "XX../XX../..X./..X."] {
        assert_eq!(find(&play, text), run, "{text}");
    }
    assert_eq!(find(&play, "a1").unwrap_err(), "cannot play \"a1\": expected one of 40 moves");
    assert!(["c3-c4-c5", "c3-", "-", "", "c3 c4"].iter().all(|text| find(&play, text).is_err()));
    let last = begin(&tactics, "0xfffe", None);
    assert_eq!(find(&last, "x").unwrap_err(), "cannot play \"x\": expected the only move");

    // A tile is turned to fit. At the opening, both directions are moves.
    let dominoes = named("dominoes", &[("n", "4")]);
    let mut play = begin(&dominoes, "0-1", None);
    assert_eq!((find(&play, "3-1"), find(&play, "1-3")), (Ok("1-3".into()), Ok("1-3".into())));
    assert!(find(&play, "0-1").is_err());
    play = begin(&dominoes, "{}", None);
    assert_eq!((find(&play, "3-1"), find(&play, "1-3")), (Ok("3-1".into()), Ok("1-3".into())));

    // Several moves lead to the same position and have several names.
    let chess = named("dawsons-chess", &[]);
    let play = begin(&chess, "XXXXXXXXXX..", None);
    for text in ["k1/l1", "k1", "l1", "L1", "XXXXXXXXXXXX"] {
        assert_eq!(find(&play, text), Ok("k1/l1".into()), "{text}");
    }
    let cram = named("cram", &[]);
    let play = begin(&cram, "XX../..../..../....", None);
    assert_eq!((find(&play, "d1-c1"), find(&play, "d1-d2")), (Ok("c1-d1".into()), Ok("d1-d2".into())));
}

#[test]
fn edges_are_also_named_by_their_ends() {
    let graph = "a b\nb c bridge\nB c\n";
    let trail = named("trail", &[("graph", graph), ("start", "b")]);
    let play = begin(&trail, "", None);
    let bridge = Ok("bridge".to_owned());
    assert_eq!(
        [find(&play, "bridge"), find(&play, "b-c"), find(&play, "c-b")],
        [bridge.clone(), bridge.clone(), bridge]
    );
    assert_eq!((find(&play, "b-a"), find(&play, "a-b")), (Ok("a-b".into()), Ok("a-b".into())));
    // The names of these vertices differ in case.
    let play = begin(&trail, "bridge", None);
    assert_eq!((find(&play, "B-c"), find(&play, "c-B")), (Ok("B-c".into()), Ok("B-c".into())));
    let directed = named("trail", &[("graph", graph), ("start", "b"), ("directed", "true")]);
    let play = begin(&directed, "", None);
    assert!(find(&play, "b-c").is_ok() && find(&play, "c-b").is_err());
    let opening = named("trail", &[("graph", graph)]);
    let play = begin(&opening, "", None);
    assert_eq!((find(&play, "b-c"), find(&play, "c-b")), (Ok("bridge to c".into()), Ok("bridge to b".into())));
    // Parallel edges need numbers.
    let parallel = named("trail", &[("graph", "a b\na b\nb c\n"), ("start", "a")]);
    let play = begin(&parallel, "", None);
    assert_eq!(find(&play, "a-b").unwrap_err(), "cannot play \"a-b\": expected one move, found two: a-b#1 and a-b#2");
    assert!(matches!(play.find("b-a"), Err(PlayError::Ambiguous { .. })));
}

#[test]
fn words_are_compared_without_case_and_normalized() {
    let list = named("shiritori", &[("words", "caf\u{e9}\n\u{e9}tat\ntic\n")]);
    let play = begin(&list, "", None);
    assert_eq!(
        (find(&play, "cafe\u{301}"), find(&play, "CAF\u{c9}")),
        (Ok("caf\u{e9}".into()), Ok("caf\u{e9}".into()))
    );
}

#[test]
fn undo_goes_back_to_the_user_s_own_move() {
    let source = named("tictactoe", &[]);
    let mut play = begin(&source, ".../.../...", Some(Seat::First));
    assert_eq!((play.undo(), play.is_perfect(0), play.is_perfect(1)), (0, true, false));
    assert!(play.reply().expect("a sound table").is_some() && play.reply().expect("a sound table").is_none());
    assert_eq!(play.undo(), 0, "the opening of perfect play stays");
    let own = play.hint().expect("a move").text;
    play.play(&own).expect("a move");
    play.reply().expect("a sound table");
    assert_eq!((play.plies().len(), play.undo(), play.plies().len()), (3, 2, 1));
    play.play(&own).expect("a move");
    assert_eq!((play.undo(), play.undo(), play.plies().len()), (1, 0, 1));
    // An illegal move changes nothing.
    assert!(play.play("d9").is_err() && play.plies().len() == 1);

    let mut both = begin(&source, ".../.../...", None);
    for square in ["a1", "b2", "c3"] {
        assert_eq!(both.play(square).expect("a move").chosen.text, square);
        assert!(both.reply().expect("a sound table").is_none());
    }
    assert_eq!((both.undo(), both.undo(), both.undo(), both.undo()), (1, 1, 1, 0));
}

/// A missed move is one that would have kept a win or a draw. A longer win is not a miss.
#[test]
fn missed_moves() {
    let source = named("tactics", &[]);
    let mut play = begin(&source, "XX../XX../..../....", None);
    play.play("c1").expect("a move");
    assert_eq!(play.missed(0).map(|best| best.text), Some("c3".into()));
    // In a lost position no move is a miss, nor is a move that keeps the win.
    let mut play = begin(&source, "..../..../..../....", None);
    play.play("a1").expect("a move");
    let best = play.hint().expect("a move").text;
    play.play(&best).expect("a move");
    assert!(play.missed(0).is_none() && play.missed(1).is_none() && play.missed(2).is_none());
    let draws = named("tictactoe", &[]);
    let mut play = begin(&draws, ".../.X./...", None);
    play.play("b1").expect("a move");
    let kept = play.missed(0).expect("a draw was there");
    assert_eq!(kept.outcome(), Some(Outcome::Draw));
}

/// The best line from the current position has the names of this game, and its end is the end of the game that follows
/// it.
#[test]
fn the_line_of_a_game_in_progress() {
    let source = named("tactics", &[]);
    let mut play = begin(&source, "XX../XX../..../....", None);
    play.play("c3").expect("a move");
    let line = play.line().expect("a sound table");
    assert_eq!(line.players, ["second", "first"]);
    for ply in &line.plies {
        assert_eq!(play.players_after(play.plies().len())[0], line.players_after(play.plies().len() - 1)[0]);
        play.play(&ply.chosen.text).expect("a move");
    }
    assert_eq!((play.end(), play.winner()), (Some(LineEnd::Stuck), Some("first")));
    assert_eq!(play.winner(), line.winner());
    assert!(play.hint().is_none() && matches!(play.play("a1"), Err(PlayError::Over { .. })));
}
