//! The keys of the page.

use serde_json::json;

use super::page::{POSITION, Page, place};

#[test]
fn keys_list_themselves_and_the_board_turns() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=hex");
    page.browser.eval("document.getElementById('skip').click()");
    page.browser.press("?");
    page.browser.wait("document.getElementById('keys').open && document.querySelectorAll('.keys dt').length > 10");
    page.browser.eval("document.getElementById('keys').close()");
    let at = |page: &mut Page| {
        page.browser.text(&format!("document.querySelector('{}').getAttribute('transform')", place("a1")))
    };
    let before = at(&mut page);
    page.browser.click("#turn");
    assert_ne!(before, at(&mut page));
    page.click("a1");
    page.browser.wait(&format!("{POSITION}.startsWith('R../')"));
    page.is_quiet();
}

#[test]
fn keys_act_wherever_the_focus_is_except_in_text_fields() {
    let Some(mut page) = Page::new() else { return };
    page.browser.window(1400, 900, false);
    page.open("#game=hex");
    page.waits_for("Red to move");
    page.browser.press("h");
    page.browser.wait("document.querySelector('#board .hinted')");
    page.browser.click("#hint");
    page.browser.wait("!document.querySelector('#board .hinted')");
    page.browser.press("h");
    page.browser.wait("document.querySelector('#board .hinted')");
    // A board that is drawn anew keeps the focus.
    page.browser.eval("document.getElementById('skip').click()");
    page.browser.press("f");
    page.browser.wait("document.getElementById('turn').getAttribute('aria-pressed') === 'true' && document.activeElement.closest('#board .place')");
    // A text field keeps its letters.
    page.browser
        .eval("document.querySelector('.other').open = true; document.getElementById('parameter-rows').focus()");
    page.browser.press("b");
    page.browser.press("?");
    assert_eq!(
        page.browser
            .eval("document.querySelectorAll('.plies .ply').length + Number(document.getElementById('keys').open)"),
        json!(0)
    );
    page.browser.eval("document.activeElement.blur()");
    page.browser.press("b");
    page.has_plies(1);
    // The first page has no board.
    page.browser.eval("document.getElementById('home').click()");
    page.browser.press("?");
    assert_eq!(page.browser.eval("document.getElementById('keys').open"), json!(false));
    page.is_quiet();
}

#[test]
fn letters_can_be_switched_off_and_stay_off() {
    let Some(mut page) = Page::new() else { return };
    let turn = |page: &mut Page| {
        page.browser.click("#keylist");
        page.browser.wait("document.getElementById('keys').open && document.getElementById('letters')");
        page.browser.click("#letters");
        page.browser.click("#keys form button");
        page.browser.wait("!document.getElementById('keys').open");
    };
    let state = |page: &mut Page| {
        page.browser.press("v");
        page.browser.eval("[document.getElementById('values').checked, document.getElementById('best').title]")
    };
    page.open("#game=tictactoe");
    page.waits_for("X to move: a draw");
    assert_eq!(state(&mut page), json!([false, "Play a best move (b)"]));
    turn(&mut page);
    assert_eq!(state(&mut page), json!([false, "Play a best move"]));
    // A browser remembers the choice, also in a frame, whose list of keys can be opened too. The keys of the board still act.
    page.open("#embed=tictactoe");
    assert_eq!(state(&mut page), json!([false, "Play a best move"]));
    page.browser.eval("document.querySelector('#board .place').focus()");
    page.browser.press("Enter");
    page.browser.wait(&format!("{POSITION} === 'X../.../...'"));
    turn(&mut page);
    assert_eq!(state(&mut page), json!([true, "Play a best move (b)"]));
    page.is_quiet();
}
