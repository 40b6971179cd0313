//! What the page says while a move is made: the next click, the pieces in hand, and moves that are not on the board.

use serde_json::json;

use super::page::Page;

/// Waits until the line below the board is `text`.
#[track_caller]
fn says(page: &mut Page, text: &str) {
    page.browser.wait(&format!("document.getElementById('pointed').textContent === {}", json!(text)));
}

#[test]
fn the_line_below_the_board_says_what_to_click_next() {
    let Some(mut page) = Page::new() else { return };
    // A mill: nothing is taken before a piece is chosen, and another click at the same point takes the choice back.
    page.open("#game=nine-mens-morris&moves=a1,b2,a4,b4");
    page.has_plies(4);
    page.click("a7");
    says(&mut page, "Now click the piece to take: b4 or b2.");
    let count = |page: &mut Page, class: &str| {
        page.browser.eval(&format!("document.querySelectorAll('#board .place.{class}').length"))
    };
    assert_eq!((count(&mut page, "next"), count(&mut page, "picked")), (json!(2), json!(1)));
    page.click("a7");
    page.browser.wait("document.querySelectorAll('#board .place.picked').length === 0");
    assert_eq!(page.browser.eval("document.querySelectorAll('.plies .ply').length"), json!(4));
    page.click("a7");
    page.click("b2");
    page.browser.wait("document.querySelector('.plies .ply.now').textContent.endsWith('a7xb2')");
    page.open("#game=kayles");
    page.click("d1");
    says(&mut page, "Click d1 again for d1 alone, or c1 or e1 for both.");
    page.open("#game=domineering");
    page.click("b2");
    says(&mut page, "Now click b1 or b3.");
    page.open("#game=breakthrough");
    page.click("a4");
    says(&mut page, "Now click where it goes: a3 or b3.");
    // A click that means no move is answered, too.
    page.open("#game=tictactoe&position=X../.../...");
    page.click("a1");
    says(&mut page, "a1: no move here");
    // So is one at a pit of the other side.
    page.open("#game=kalah");
    page.click("d");
    says(&mut page, "d: no move begins here");
    page.is_quiet();
}

#[test]
fn pieces_in_hand_and_moves_off_the_board_are_shown() {
    let Some(mut page) = Page::new() else { return };
    let text = |id: &str| format!("document.getElementById('{id}').innerText.replace(/\\s+/g, ' ').trim()");
    page.open("#game=nine-mens-morris&men=3");
    page.browser.wait(&format!("{} === 'X 3 in hand O 3 in hand'", text("score")));
    page.click("a1");
    page.browser.wait(&format!("{} === 'X 2 in hand O 3 in hand'", text("score")));
    // The points of a board may lie elsewhere than in the store.
    page.open("#game=kalah&moves=c");
    page.browser
        .wait(&format!("{} === 'First 5 seeds in houses and store Second 7 seeds in houses and store'", text("score")));
    page.open("#game=squava&rows=3&cols=3");
    page.click("b2");
    page.browser.wait(&format!("{}.startsWith('swap')", text("beside")));
    page.browser.click("#beside .move");
    page.browser.wait("document.querySelector('.plies .ply.now').textContent.endsWith('swap')");
    page.browser.wait("document.getElementById('beside').hidden");
    page.is_quiet();
}
