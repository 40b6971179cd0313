//! The position editor of the page, on every kind of board.

use serde_json::json;

use super::page::{HASH, Page};

/// Begins to set up a position. What this needs is loaded first, and until then a click is a move.
fn set_up(page: &mut Page) {
    page.browser.click("#setpieces");
    page.browser.wait("document.getElementById('begin')?.checkVisibility()");
}

#[test]
fn a_position_is_set_up_by_clicks() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=connect-four");
    page.browser.press("Tab");
    set_up(&mut page);
    for square in ["a4", "b4", "b4"] {
        page.click(square);
    }
    page.browser.click("#begin");
    page.browser.wait(&format!("{HASH}.includes('position=..../..../..../XO..')"));
    page.waits_for("X to move");
    // The server says what is wrong with a position that no play can have.
    page.open("#game=tictactoe");
    set_up(&mut page);
    page.click("a1");
    page.click("a1");
    page.browser.click("#begin");
    page.browser.wait("document.querySelector('#positioning .notice:not([hidden])')");
    page.open("#game=domineering");
    set_up(&mut page);
    page.click("a1");
    page.browser.eval("(() => { const side = document.querySelector('#positioning select'); side.value = 'right'; side.dispatchEvent(new Event('input')); })()");
    page.browser.click("#begin");
    page.waits_for("Right to move");
    // Pieces of Kayles are there at first, and what a click does is said in the words of each board.
    let says = "document.querySelector('#positioning p').textContent + document.querySelector('#positioning .buttons:last-child button:nth-child(2)').textContent";
    for (game, text) in [
        ("kayles", "Click a piece to take it away, or to put it back.Put everything back"),
        (
            "wild-tic-tac-toe",
            "Each click on a square changes what stands there: X, then O, then nothing.Clear the board",
        ),
        ("petersen-kayles", "Click a circle to fill it, or to free it.Clear the board"),
        (
            "reversi&rows=3&cols=4",
            "Each click on a square changes what stands there: Black, then White, then nothing.Clear the board",
        ),
    ] {
        page.open(&format!("#game={game}"));
        set_up(&mut page);
        assert_eq!(page.browser.text(says), text, "{game}");
    }
    // A click reaches a blocked square after both colours.
    page.open("#game=amazons");
    set_up(&mut page);
    page.click("a1");
    page.click("a1");
    page.click("a1");
    page.browser.click("#begin");
    page.browser.wait(&format!("{HASH}.includes('position=*B./.../.W.')"));
}

const WRITTEN: &str = "document.querySelector('#positioning code').textContent";

/// Chooses what the text says after the board, and begins.
fn goes_on(page: &mut Page, with: &str) {
    page.browser.eval(&format!(
        "(() => {{ const after = document.querySelector('#positioning select'); after.value = {with:?}; after.dispatchEvent(new Event('input')); }})()"
    ));
    page.browser.click("#begin");
}

#[test]
fn pits_tiles_walks_and_words_are_set_up_too() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=kalah");
    set_up(&mut page);
    assert_eq!(page.browser.text("getComputedStyle(document.getElementById('verdict')).display"), "none");
    page.click("a");
    // A position that lacks pieces is none.
    page.browser.wait("document.getElementById('begin').disabled");
    assert!(page.browser.text("document.getElementById('positioning').textContent").contains("2 in your hand"));
    page.click("first");
    page.click("d");
    assert_eq!(page.browser.text(WRITTEN), "0,2,2:1/3,2,2:0 first");
    goes_on(&mut page, "second");
    page.browser.wait(&format!("{HASH}.replaceAll('+', ' ').includes('position=0,2,2:1/3,2,2:0 second')"));
    page.waits_for("Second to move");

    page.open("#game=dominoes&n=4");
    set_up(&mut page);
    ["1-3", "0-1", "0-0", "0-0"].iter().for_each(|tile| page.click(tile));
    assert_eq!(page.browser.text(WRITTEN), "{0-1,1-3}");
    // The server says what is missing.
    page.browser.click("#begin");
    page.browser.wait("document.querySelector('#positioning .notice')?.textContent.includes('expected a tail')");
    goes_on(&mut page, "3");
    page.browser.wait(&format!("{HASH}.replaceAll('+', ' ').includes('position={{0-1,1-3}} 3')"));

    page.open("#game=trail");
    set_up(&mut page);
    page.click("c-d");
    goes_on(&mut page, "c");
    page.browser.wait("document.querySelector('.joint.here text')?.textContent === 'c'");

    page.open("#game=shiritori");
    set_up(&mut page);
    page.click("rat");
    goes_on(&mut page, "t");
    page.browser.wait("document.querySelectorAll('.word.filled').length === 1");
    page.browser.wait(&format!("{HASH}.replaceAll('+', ' ').includes('position={{rat}} t')"));

    // Where the board is no text of places, there is no editor.
    let form = "import('./written.js').then(({ formOf }) => formOf({ position: 'a:0x3', states: [1], places: [{ name: '0' }], joints: [], \
                signs: ['X'], areas: [] }))";
    assert_eq!(page.browser.eval(form), json!(null));
    assert!(page.browser.console().iter().all(|said| said.contains("status of 400")));
}

#[test]
fn pieces_in_hand_are_numbers() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=nine-mens-morris&men=3");
    set_up(&mut page);
    let labels = "[...document.querySelectorAll('#positioning label')].map((label) => label.firstChild.textContent.trim()).join()";
    assert_eq!(page.browser.text(labels), "To move,X in hand,O in hand");
    assert!(page.browser.text(WRITTEN).ends_with(" x-3-3"));
    let left = |page: &mut Page, number: u32| {
        page.browser.eval(&format!("document.querySelectorAll('#positioning input').forEach((left) => {{ left.value = {number}; left.dispatchEvent(new Event('input')); }})"));
    };
    left(&mut page, 2);
    assert!(page.browser.text(WRITTEN).ends_with(" x-2-2"));
    // A piece that goes to the board leaves the hand, and comes back from there.
    for (square, written) in [
        ("a7", "X../.../.../....../.../.../... x-1-2"),
        ("a7", "O../.../.../....../.../.../... x-2-1"),
        ("a7", ".../.../.../....../.../.../... x-2-2"),
    ] {
        page.click(square);
        assert!(page.browser.text(WRITTEN).ends_with(written), "{}", page.browser.text(WRITTEN));
    }
    // Nothing is written if no piece is left.
    left(&mut page, 0);
    for square in ["a7", "d7", "a4", "g1", "g1", "d1", "d1", "g4", "g4"] {
        page.click(square);
    }
    assert_eq!(page.browser.text(WRITTEN), "XX./.../.../X....O/.../.../.OO x");
    page.browser.click("#begin");
    page.waits_for("X to move");
    page.browser.wait("document.querySelectorAll('#moves .move').length > 2");
    page.is_quiet();
}

#[test]
fn modes_are_a_list_with_the_names_of_the_players() {
    let Some(mut page) = Page::new() else { return };
    let choices =
        "[...document.querySelectorAll('#positioning option')].map((option) => option.textContent).slice(0, 4).join()";
    for (game, names) in [
        ("squava", "X,O,X (opens),O (may swap)"),
        ("konane", "Black (opens),White (opens),Black,White"),
        ("slimetrail", "First (begin),First (a1),First (b1),First (c1)"),
    ] {
        page.open(&format!("#game={game}"));
        set_up(&mut page);
        assert_eq!(page.browser.text(choices), names, "{game}");
        // Both keys leave the editor.
        page.browser.press(if game == "konane" { "e" } else { "Escape" });
        page.browser.wait("document.getElementById('positioning').hidden");
    }
    page.open("#game=konane");
    set_up(&mut page);
    page.click("b1");
    goes_on(&mut page, "black");
    page.waits_for("Black to move");
    page.is_quiet();
}

#[test]
fn lines_that_are_set_up_are_drawn() {
    let Some(mut page) = Page::new() else { return };
    let width = |line: &str| {
        format!("getComputedStyle(document.querySelector('#board [aria-label^=\"{line},\"] .edge.cell')).strokeWidth")
    };
    for (game, line, [free, filled]) in [
        ("dots-and-boxes", "a2", ["6px", "13px"]),
        ("hackenbush", "a1", ["14px", "4px"]),
        ("sim", "a1", ["8px", "15px"]),
    ] {
        page.open(&format!("#game={game}"));
        set_up(&mut page);
        assert_eq!(page.browser.text(&width(line)), free, "{game}");
        page.click(line);
        page.browser.wait(&format!("{} === {filled:?}", width(line)));
    }
    page.is_quiet();
}

#[test]
fn points_before_the_position_are_a_lead() {
    let Some(mut page) = Page::new() else { return };
    let score = "document.getElementById('score').innerText.replace(/\\s+/g, ' ').trim()";
    // O has closed a box and moves again. The editor changes neither.
    page.open("#game=dots-and-boxes&rows=2&cols=3&moves=a2,b1,b3,c2");
    page.browser.wait(&format!("{score} === 'X 0 boxes O 1 box'"));
    set_up(&mut page);
    assert!(page.browser.text(WRITTEN).ends_with(" o-1"));
    page.browser.click("#begin");
    page.browser.wait(&format!("{score} === 'O 1 box X 0 boxes'"));
    page.waits_for("O to move");
    // A box that is closed by hand needs a lead, too.
    page.open("#game=score-lines");
    set_up(&mut page);
    let labels = "[...document.querySelectorAll('#positioning label')].map((label) => label.firstChild.textContent.trim()).join()";
    assert_eq!(page.browser.text(labels), "To move,Lead of the player to move in lines");
    page.click("a1");
    page.browser.eval("(() => { const lead = document.querySelector('#positioning input'); lead.value = 2; lead.dispatchEvent(new Event('input')); })()");
    goes_on(&mut page, "o");
    page.browser.wait(&format!("{score} === 'O 2 lines X 0 lines'"));
    page.is_quiet();
}
