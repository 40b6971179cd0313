//! Games against the server in a real browser.

use super::page::{HASH, POSITION, Page, VERDICT};

/// Lets the server play the second player.
fn play_first(page: &mut Page) {
    page.browser.click("#opponent input[value=\"1\"] + span");
}

#[test]
fn the_server_moves_as_long_as_it_is_its_turn() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=dots-and-boxes&moves=b1,a2");
    page.has_plies(2);
    play_first(&mut page);
    // O closes a box, and moves again.
    page.click("c2");
    page.browser.wait("document.querySelectorAll('.plies .ply').length > 4");
    page.waits_for("X to move");
    let plies = page.browser.eval("document.querySelectorAll('.plies .ply').length");
    // All moves of O are one reply.
    page.browser.click("#back");
    page.browser.wait("document.querySelectorAll('.plies .ply.now .number').length === 1");
    page.browser.wait("document.querySelector('.plies .ply.now .number').textContent === '2'");
    assert_eq!(page.browser.eval("document.querySelectorAll('.plies .ply').length"), plies);
    page.is_quiet();
    // A whole game of Kalah, in which both players sow again.
    page.open("#game=kalah&houses=2&seeds=3");
    play_first(&mut page);
    for _ in 0..40 {
        page.browser.wait(&format!(
            "/First to move|over/.test({VERDICT}) && document.querySelector('#moves button:enabled, .chip.over')"
        ));
        if page.browser.text(VERDICT).contains("over") {
            break;
        }
        let plies = page.browser.eval("document.querySelectorAll('.plies .ply').length");
        page.browser.click("#moves .move:enabled");
        page.browser.wait(&format!("document.querySelectorAll('.plies .ply').length > {plies}"));
    }
    assert!(page.browser.text(VERDICT).contains("The game is over"));
    page.is_quiet();
}

#[test]
fn a_reload_keeps_the_game_and_the_other_side() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe&moves=a1");
    play_first(&mut page);
    page.browser.eval("(() => { const skill = document.getElementById('skill'); skill.value = 'strong'; skill.dispatchEvent(new Event('change')); })()");
    page.has_plies(2);
    page.browser.wait(&format!("{HASH}.endsWith('&opponent=second&skill=strong')"));
    let (hash, position) = (page.browser.text("location.hash"), page.browser.text(POSITION));
    page.open(&hash);
    page.has_plies(2);
    assert_eq!(
        (page.browser.text(HASH), page.browser.text(POSITION)),
        (page.browser.text(&format!("decodeURIComponent({hash:?})")), position)
    );
    let chosen = "document.querySelector('#opponent input:checked').value + document.getElementById('skill').value";
    assert_eq!(page.browser.text(chosen), "1strong");
    page.browser.eval("location.hash = '#game=connect-four&opponent=first'");
    page.has_plies(1);
    page.waits_for("O to move");
    page.is_quiet();
}

#[test]
fn the_server_moves_after_a_link_and_redo_after_a_step_back() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe&moves=a1,b2,c3&opponent=second");
    page.has_plies(4);
    page.browser.eval("location.hash = '#game=tictactoe&moves=a1,b2&opponent=first'");
    page.browser.wait(&format!("/moves=a1,b2,..&opponent=first$/.test({HASH})"));
    page.waits_for("O to move");
    for button in ["#back", "#back"] {
        page.browser.click(button);
        page.browser.wait(&format!("!{HASH}.includes('moves=a1,b2')"));
    }
    let still = "document.getElementById('remark').textContent.endsWith('The other side moves here: Redo goes on with its move.')";
    page.browser.wait(&format!("{VERDICT}.startsWith('X to move') || {still}"));
    page.browser.wait(still);
    page.browser.click("#forth");
    page.browser.wait(&format!("{HASH}.endsWith('&moves=a1&opponent=first') && !{still}"));
    // One step makes a move again, and the reply.
    page.browser.click("#forth");
    page.browser.wait(&format!("/moves=a1,b2,..&opponent=first$/.test({HASH})"));
    page.is_quiet();
}
