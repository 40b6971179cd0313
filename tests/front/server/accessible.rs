//! The page is used by keyboard and with a screen reader, on every kind of board.

use serde_json::{Value, json};

use super::page::{Page, VERDICT};

const SPOKEN: &str = "document.getElementById('spoken').textContent";
/// The place with the focus.
const FOCUSED: &str = "document.activeElement.closest('#board .place')";

/// Puts the focus on the board with the link that is first on the page.
fn skip(page: &mut Page) {
    page.browser.eval("document.getElementById('skip').click()");
}

/// The painted lines of place `number`, and of its pit.
fn lines(page: &mut Page, number: &str) -> String {
    page.browser.text(&format!(
        "[`.place[data-place='{number}']`, `.pit[data-place='{number}']`] \
            .flatMap((one) => [...document.querySelectorAll(`#board ${{one}}, #board ${{one}} :is(.cell, .touch, .under)`)]) \
            .map((line) => {{ const {{ stroke, strokeWidth, opacity, outlineStyle }} = getComputedStyle(line); \
                return [stroke, strokeWidth, opacity, outlineStyle].join(' '); }}).join(', ')"
    ))
}

/// Checks that the place with the focus is the only one that Tab reaches, that it has a name, and that it looks different without the
/// focus.
#[track_caller]
fn is_visible(page: &mut Page, game: &str) {
    let reached = "[...document.querySelectorAll('#board .place[tabindex=\"0\"]')].map((place) => place === document.activeElement && place.ariaLabel !== '').join()";
    assert_eq!(page.browser.text(reached), "true", "{game}");
    let number = page.browser.text(&format!("{FOCUSED}.dataset.place"));
    let with = lines(page, &number);
    page.browser.eval("document.activeElement.blur()");
    let without = lines(page, &number);
    page.browser.eval(&format!("document.querySelector(\"#board .place[data-place='{number}']\").focus()"));
    assert_ne!(with, without, "{game}: {}", page.browser.text("document.activeElement.ariaLabel"));
}

#[test]
fn every_kind_of_board_is_played_by_keys() {
    let Some(mut page) = Page::new() else { return };
    let still = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    page.browser.call("Emulation.setEmulatedMedia", still);
    for game in [
        "tictactoe",
        "kalah",
        "dots-and-boxes",
        "nine-mens-morris",
        "hex",
        "trail",
        "kayles",
        "connect-four",
        "dominoes&n=4",
        "shiritori",
    ] {
        page.browser.eval(&format!("location.hash = {}", json!(format!("#game={game}"))));
        let name = game.split('&').next().unwrap();
        page.browser.wait(&format!("document.getElementById('current').dataset.game === {}", json!(name)));
        page.shown();
        skip(&mut page);
        for key in ["End", "ArrowLeft", "ArrowUp", "Home", "ArrowRight", "ArrowDown", "Home"] {
            page.browser.press(key);
            is_visible(&mut page, game);
        }
        // A screen reader finds every place that keys reach, by its own name. Names change when values arrive.
        let named =
            "[...document.querySelectorAll('#board .place:not([aria-hidden])')].map((place) => place.ariaLabel)";
        let (tree, places) = loop {
            let before = page.browser.eval(named);
            let tree = page.browser.call("Accessibility.getFullAXTree", json!({}));
            if page.browser.eval(named) == before {
                break (tree, before);
            }
        };
        let nodes = tree["nodes"].as_array().unwrap();
        let name_of = |node: &Value| node["name"]["value"].as_str().unwrap_or_default().to_owned();
        for place in places.as_array().unwrap() {
            let same = nodes.iter().filter(|node| node["role"]["value"] == "button" && name_of(node) == *place);
            assert_eq!(same.count(), 1, "{game}: {place}");
        }
        // Some moves need two clicks, or an answer to the question which one is meant.
        page.browser.eval("document.querySelector('#board .place[aria-disabled=false]').focus()");
        page.browser.press("Enter");
        page.browser.wait(&format!("document.querySelector('#board .picked') || document.activeElement.closest('#choice') || {SPOKEN}.includes(' played ')"));
        if page.browser.eval(&format!("{SPOKEN}.includes(' played ')")) == json!(false) {
            page.browser.press("Enter");
        }
        page.browser.wait(&format!("{SPOKEN}.includes(' played ') && {VERDICT}.includes('to move')"));
        page.browser.wait(FOCUSED);
        page.browser.press("Home");
        is_visible(&mut page, game);
    }
    page.is_quiet();
}

#[test]
fn a_list_keeps_the_focus_when_a_move_changes_it() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe");
    page.waits_for("X to move: a draw in 9");
    page.browser.press("Tab");
    page.browser.eval("document.querySelector('#moves .move').focus()");
    page.browser.press("Enter");
    page.waits_for("O to move");
    page.browser.wait("document.activeElement.closest('#moves .move')");
    page.browser.eval("document.querySelector('.plylist > .ply').focus()");
    page.browser.press("Enter");
    page.waits_for("X to move: a draw in 9");
    page.browser.wait("document.activeElement.matches('.ply.now')");
    // A button that a position has no use for gives the focus to the board.
    page.browser.eval("document.getElementById('forth').focus()");
    page.browser.press("Enter");
    page.waits_for("O to move");
    page.browser.wait(FOCUSED);
    // So does the first page.
    page.browser.eval("document.getElementById('home').click()");
    page.browser.press("Tab");
    page.browser.eval("document.querySelector('[data-game=hex]').focus()");
    page.browser.press("Enter");
    page.waits_for("Red to move");
    page.browser.wait(FOCUSED);
    page.is_quiet();
}

#[test]
fn exercises_and_the_editor_are_used_by_keys_and_said() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe");
    page.waits_for("X to move: a draw in 9");
    page.browser.press("Tab");
    page.browser.press("x");
    page.browser.wait(&format!("{SPOKEN}.startsWith('Exactly one move ')"));
    page.browser.eval("document.getElementById('next').focus()");
    page.browser.press("Enter");
    page.browser.wait("document.activeElement.id === 'next' && document.querySelector('#exercise .task')");
    page.browser.press("h");
    page.browser.wait(&format!("{SPOKEN}.startsWith('Hint: ')"));
    let hint = page.browser.text(SPOKEN);
    page.click(hint.trim_start_matches("Hint: ").trim_end_matches('.'));
    page.browser.wait(&format!("{SPOKEN}.startsWith('Right. ')"));
    page.open("#game=tictactoe");
    page.waits_for("X to move: ");
    page.browser.press("e");
    page.browser.wait(&format!("{SPOKEN}.startsWith('Set up a position. ') && {FOCUSED}"));
    let place = "[document.activeElement.ariaLabel, document.activeElement.ariaDisabled]";
    page.browser.press("Home");
    assert_eq!(page.browser.eval(place), json!(["a1, free", "false"]));
    page.browser.press("Enter");
    page.browser.wait(&format!("{SPOKEN} === 'a1, X'"));
    assert_eq!(page.browser.eval(place), json!(["a1, X", "false"]));
    page.browser.eval("document.getElementById('begin').focus()");
    page.browser.press("Enter");
    page.waits_for("O to move");
    page.browser.wait(FOCUSED);
    page.is_quiet();
}
