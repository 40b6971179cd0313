//! The page teaches: values on request, what a move did in words, and the exercise.

use serde_json::json;

use super::page::{HASH, Page, VERDICT};

/// What the page says about the last move.
const REMARK: &str = "document.getElementById('remark').textContent";

#[test]
fn values_are_shown_on_request_and_the_choice_is_remembered() {
    let Some(mut page) = Page::new() else { return };
    page.browser.eval("localStorage.clear()");
    page.open("#game=tictactoe");
    page.browser
        .wait(&format!("{VERDICT}.trim() === 'X to move.' && !document.querySelector('#board .value, #moves .chip')"));
    page.browser.click("#values");
    page.waits_for("X to move: a draw in 9 moves");
    page.open("#game=domineering");
    page.waits_for("Left to move: a ");
    page.is_quiet();
}

#[test]
fn a_sentence_says_what_each_move_did() {
    let Some(mut page) = Page::new() else { return };
    let says = |page: &mut Page, text: &str| page.browser.wait(&format!("{REMARK} === {}", json!(text)));
    page.open("#game=tictactoe");
    for (square, said) in [
        ("a1", "a1 keeps the draw."),
        ("b1", "b1 gives the draw away: now a win for X in 5 more moves."),
        ("a2", "a2 keeps the win: a win for X in 4 more moves."),
        ("c3", "No move helps. c3: still a win for X in 1 more move."),
        ("b2", "b2 gives the win away"),
    ] {
        page.click(square);
        if square == "b2" {
            // Two rows of X are open, so that this move wins later than it must, if at all.
            page.browser.wait(&format!("{REMARK}.startsWith('b2 ')"));
        } else {
            says(&mut page, said);
        }
    }
    // A move that costs points need not change the winner.
    page.open("#game=dots-and-boxes&moves=a2,b5,d1,d5,e2,b3");
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 6");
    page.click("a4");
    says(&mut page, "a4 costs X 2 boxes: still a win for X.");
    page.open("#game=dots-and-boxes&rows=1&cols=1");
    page.click("b1");
    page.browser.wait(&format!("{REMARK}.startsWith('No move helps. b1:')"));
    page.is_quiet();
}

#[test]
fn the_sentence_tells_no_value_while_values_are_hidden() {
    let Some(mut page) = Page::new() else { return };
    page.browser.eval("localStorage.clear()");
    page.open("#game=tictactoe&moves=a1,b1");
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 2");
    page.browser.wait(&format!("{VERDICT}.trim() === 'X to move.' && {REMARK} === ''"));
    // Boxes and captures are no values.
    for (hash, square, said) in [
        ("#game=dots-and-boxes&moves=b1,a2,c2,b3", "b5", ""),
        ("#game=dots-and-boxes&rows=1&cols=1&moves=b1,a2,c2", "b3", "b3 gains 1 box."),
        ("#game=dots-and-boxes&moves=b1,a2,c2", "b3", "b3 gains 1 box."),
        ("#game=reversi&rows=3&cols=4", "a1", "a1 turns 1 piece."),
    ] {
        page.open(hash);
        page.click(square);
        page.browser
            .wait(&format!("document.querySelector('.plies .ply.now')?.textContent.endsWith({})", json!(square)));
        page.browser.wait(&format!("{REMARK} === {}", json!(said)));
    }
    // Another move of the same player needs no points.
    for (hash, square, said) in [
        ("#game=dots-and-boxes&moves=b1,a2,c2", "b3", "O to move again."),
        ("#game=kalah", "b", "First to move again."),
    ] {
        page.open(hash);
        page.click(square);
        page.browser.wait(&format!("{VERDICT}.trim() === {}", json!(said)));
    }
    page.is_quiet();
}

#[test]
fn the_exercise_asks_for_the_only_move_and_counts() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe");
    let text = "document.getElementById('exercise').textContent";
    page.browser.click("#train");
    for (round, count) in [(0, "1 of 1 found"), (1, "1 of 2 found")] {
        page.browser.wait("document.querySelector('#exercise .task')");
        let position = page.browser.text("new URLSearchParams(location.hash.slice(1)).get('position') ?? ''");
        let answer = page.served.json(&format!("/api/v1/probe?game=tictactoe&position={position}"));
        let moves = answer["moves"].as_array().unwrap();
        let keeps = |n: usize| moves[n]["outcome"] == answer["outcome"];
        assert!(keeps(0) && !keeps(1), "{answer}");
        // The right move first, then a wrong one.
        page.click(moves[round]["move"].as_str().unwrap());
        page.browser.wait(&format!("{text}.includes({})", json!(count)));
        page.browser.wait(&format!("{text}.includes({})", json!(["Right:", "is not the move"][round])));
        if round == 1 {
            // A wrong move is not made, and the task stays. A shown move does not count.
            page.browser.wait(&format!("{text}.includes('Exactly one move')"));
            let shown = "document.querySelectorAll('.plies .ply').length";
            assert_eq!(page.browser.eval(shown), json!(0));
            page.browser.click("#best");
            page.browser.wait(&format!(
                "{shown} === 1 && {text}.includes('does not count') && {text}.includes('1 of 2 found')"
            ));
        }
        page.browser.click("#next");
        page.browser.wait(&format!("!{text}.includes('Right:') && !{text}.includes('The move is')"));
    }
    // Values are hidden during the exercise alone. The game is not over at the next position, so it has moves.
    page.browser.wait("document.querySelector('#exercise .task')");
    assert_eq!(page.browser.eval("document.getElementById('values').checked"), json!(false));
    page.browser.click("#exercise .quiet");
    page.browser.wait("document.getElementById('values').checked && document.querySelector('#moves .chip')");
    page.is_quiet();
    // Where no value is known, the exercise soon offers sizes whose values are.
    page.open("#game=nine-mens-morris");
    page.browser.click("#train");
    page.browser.wait("document.querySelectorAll('#smaller button').length === 2");
    page.browser.click("#smaller button");
    // In the time of the exercise, a slow machine may find none.
    page.browser
        .wait(&format!("/Find it|Try again/.test({text}) && {HASH}.startsWith('#game=nine-mens-morris&men=3')"));
    // At a size without a table, a search may know values, and one of them may be an only move. Otherwise the usual size is the
    // first of those that are offered.
    page.open("#game=connect-four&rows=6&cols=7");
    page.browser.click("#train");
    page.browser.wait(&format!(
        "/Find it|Try again/.test({text}) || document.querySelector('#smaller button')?.textContent === '4\u{d7}4'"
    ));
}

/// What the exercise says; empty if it is not shown.
pub(super) const EXERCISE: &str = "document.getElementById('exercise').textContent";

/// Begins the exercise.
fn train(page: &mut Page) {
    page.browser.click("#train");
    page.browser.wait("document.querySelector('#exercise .task')");
}

#[test]
fn a_hint_says_if_every_move_loses_or_no_value_is_known() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe&position=XX./O../... o");
    page.browser.wait("!document.getElementById('hint').disabled");
    page.browser.click("#hint");
    page.browser.wait("document.getElementById('pointed').textContent === 'Hint: c1. Every move loses here.'");
    page.open("#game=nine-mens-morris");
    page.browser.wait("document.getElementById('unhinted')?.textContent === 'Hint and Best move need values, which are not known here.'");
    assert_eq!(page.browser.eval("document.getElementById('hint').disabled"), json!(true));
    page.is_quiet();
}

#[test]
fn the_exercise_ends_where_another_position_is_opened() {
    let Some(mut page) = Page::new() else { return };
    let ways = [
        (
            "another game",
            "{ const game = document.getElementById('game'); game.value = 'nim'; game.dispatchEvent(new Event('change')); }",
            "#game=nim",
        ),
        ("a new game", "document.getElementById('new').click()", "#game=tictactoe"),
        ("the back button", "history.back()", "#game=tictactoe"),
        ("an address", "location.hash = '#game=hackenbush'", "#game=hackenbush"),
    ];
    for (way, act, hash) in ways {
        page.open("#game=tictactoe");
        train(&mut page);
        assert!(page.browser.text(HASH).ends_with("&exercise=1"), "{way}");
        page.browser.eval(act);
        page.browser.wait(&format!("{EXERCISE} === '' && {HASH} === {}", json!(hash)));
        // The values are shown again.
        page.browser.wait("document.getElementById('values').checked && document.querySelector('#moves .chip')");
    }
    // Best play to the end shows the move.
    train(&mut page);
    page.browser.click("#line");
    page.browser.wait(&format!("{EXERCISE}.includes('It does not count as found')"));
}

#[test]
fn an_address_keeps_the_exercise_and_its_count() {
    let Some(mut page) = Page::new() else { return };
    // Only c1 wins, and the game is over then.
    let hash = "#game=tictactoe&position=XX./OO./...&exercise=1";
    page.open(hash);
    let task = "Exactly one move wins, in 1 move. Find it.";
    page.browser.wait(&format!("{EXERCISE}.includes({}) && {HASH} === {}", json!(task), json!(hash)));
    assert_eq!(page.browser.eval("document.getElementById('values').checked"), json!(false));
    page.click("c3");
    page.browser.wait(&format!("{EXERCISE}.includes('c3 is not the move') && {EXERCISE}.includes({})", json!(task)));
    // The first try counts, also after a reload.
    page.browser.eval("window.isBefore = true");
    page.browser.call("Page.reload", json!({}));
    page.browser.wait(&format!("!window.isBefore && document.readyState === 'complete' && {EXERCISE}.includes({}) && {EXERCISE}.includes('0 of 1 found')", json!(task)));
    page.click("c1");
    page.browser.wait(&format!("/Right: c1 is the only move.0 of 1 found/.test({EXERCISE})"));
    page.waits_for("The game is over");
    // The address leads to the task, without the move, so a reload has a task again.
    assert_eq!(page.browser.text(HASH), hash);
    page.browser.eval("window.isBefore = true");
    page.browser.call("Page.reload", json!({}));
    page.browser.wait(&format!("!window.isBefore && document.readyState === 'complete' && {EXERCISE}.includes({}) && {EXERCISE}.includes('0 of 1 found')", json!(task)));
    page.browser.click("#exercise .quiet");
    page.browser.wait(&format!("{EXERCISE} === '' && !{HASH}.includes('exercise')"));
    // Another game has a count of its own.
    page.open("#game=nim");
    train(&mut page);
    assert!(!page.browser.text(EXERCISE).contains("found at the first try"));
    page.is_quiet();
}

#[test]
fn an_exercise_without_a_task_says_why_and_levels_count_moves() {
    let Some(mut page) = Page::new() else { return };
    for (position, why) in [
        (".../.../...", "9 moves hold the draw here, so there is no task."),
        ("XX./O../...", "Every move loses here, so there is no task."),
        ("XXX/OO./...", "The game is over here, so there is no task."),
    ] {
        page.open(&format!("#game=tictactoe&position={position}&exercise=1"));
        page.browser.wait(&format!("{EXERCISE}.includes({})", json!(why)));
    }
    // An address without a position begins with one. Where plies are not known, the end is near all the same.
    page.open("#game=dots-and-boxes&exercise=1");
    page.browser.wait(&format!("{EXERCISE}.includes('Find it') && {HASH}.includes('&position=')"));
    let lines = page.browser.eval("document.querySelectorAll('#moves .move').length").as_u64().unwrap();
    assert!((2..6).contains(&lines), "{lines} lines are free");
    // With the values, a task does not count as found.
    page.open("#game=tictactoe&position=XX./OO./...&exercise=1");
    page.browser.wait(&format!("{EXERCISE}.includes('Find it')"));
    page.browser.click("#values");
    page.browser.wait(&format!("{EXERCISE}.includes('With the values, this move does not count as found.')"));
    page.click("c1");
    page.browser.wait(&format!("{EXERCISE}.includes('Right: c1 is the only move.0 of 1 found')"));
    page.is_quiet();
}

#[test]
fn the_exercise_leaves_the_board_in_view_of_a_projector() {
    let Some(mut page) = Page::new() else { return };
    page.browser.window(1280, 800, false);
    for game in ["connect-four&rows=4&cols=5", "tictactoe", "reversi"] {
        page.open(&format!("#game={game}"));
        train(&mut page);
        let bottom = "document.getElementById('legend').getBoundingClientRect().bottom + scrollY";
        let bottom = page.browser.eval(bottom).as_f64().unwrap();
        assert!(bottom <= 800.0, "{game}: {bottom}");
    }
}

#[test]
fn a_position_that_play_cannot_reach_is_called_so() {
    let Some(mut page) = Page::new() else { return };
    let said = json!("Play cannot reach this position from the start: the values are for the board as it is shown.");
    // A piece in the air, and a line with which the game would have ended.
    for position in ["..../.X../..../.... o", "XXXX/..../..../.... x"] {
        page.open(&format!("#game=connect-four&position={position}"));
        page.browser.wait(&format!("{REMARK} === {said}"));
    }
    page.open("#game=connect-four&position=..../..../..../.X.. o");
    page.browser.wait("document.querySelector('#moves .chip')");
    assert_eq!(page.browser.text(REMARK), "");
    // Values that are hidden do not hide it, and the position editor leads there.
    page.browser.click("#values");
    page.open("#game=connect-four&rows=4&cols=5");
    page.browser.click("#setpieces");
    page.browser.wait("document.getElementById('begin')?.checkVisibility()");
    page.click("c2");
    page.browser.click("#begin");
    page.browser.wait(&format!("{REMARK} === {said}"));
    page.is_quiet();
}
