//! Games against the server in a real browser.

use super::page::{Page, VERDICT};

/// Lets the server play the second player.
fn play_first(page: &mut Page) {
    page.browser.click("#opponent input[value=\"1\"] + span");
}

#[test]
fn the_server_moves_as_long_as_it_is_its_turn() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=dots-and-boxes&moves=b1,a2");
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 2");
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
        page.browser.wait(&format!("/First to move|over/.test({VERDICT}) && document.querySelector('#moves button:enabled, .chip.over')"));
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
