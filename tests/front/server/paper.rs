//! The page within other pages, and on paper.

use serde_json::json;

use super::page::{HASH, POSITION, Page};

#[test]
fn an_embedded_board_is_shown_alone_and_a_printed_one_without_buttons() {
    let Some(mut page) = Page::new() else { return };
    let is_shown = |page: &mut Page, selector: &str| {
        page.browser.eval(&format!("document.querySelector({}).getClientRects().length > 0", json!(selector)))
            == json!(true)
    };
    page.open("#embed=tictactoe");
    page.click("b2");
    page.browser.wait(&format!("{HASH}.startsWith('#embed=tictactoe&moves=b2') && {POSITION} === '.../.X./...'"));
    assert!(is_shown(&mut page, "#board") && is_shown(&mut page, "#moves"));
    for hidden in [".bar", "#setup", "#opponent", "#history", "#train"] {
        assert!(!is_shown(&mut page, hidden), "{hidden}");
    }
    let whole = page.browser.text("document.querySelector('#whole a').getAttribute('href')");
    assert_eq!(whole, "#game=tictactoe&moves=b2");
    page.open("#game=tictactoe");
    page.browser.click("#best");
    page.waits_for("O to move");
    page.browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    assert!(is_shown(&mut page, "#board") && is_shown(&mut page, "#moves") && is_shown(&mut page, "#verdict"));
    for hidden in [".bar", "#setup", ".controls", "#opponent", "#table"] {
        assert!(!is_shown(&mut page, hidden), "{hidden}");
    }
    assert!(page.browser.eval("document.documentElement.scrollHeight").as_u64().unwrap() < 1400);
    // A sheet for pupils: the rules, and lines for an answer instead of the values.
    assert!(is_shown(&mut page, "#paper-rules") && !is_shown(&mut page, "#answer") && is_shown(&mut page, ".chip"));
    page.browser.eval("document.getElementById('values').click()");
    assert!(is_shown(&mut page, "#paper-rules") && is_shown(&mut page, "#answer"));
    assert_eq!(page.browser.eval("document.querySelectorAll('.stage .chip, #moves .chip').length"), json!(0));
    let lines = "[...document.querySelectorAll('#answer span')].map((line) => getComputedStyle(line).borderBottomWidth + getComputedStyle(line).display).join()";
    assert_eq!(page.browser.text(lines), "1pxblock,1pxblock,1pxblock");
    // A sheet with a task, and without a heading for a game that has no moves yet.
    page.open("#game=tictactoe");
    page.browser.call("Emulation.setEmulatedMedia", json!({"media": ""}));
    page.browser.click("#train");
    page.browser.wait("document.querySelector('#exercise .task')");
    page.browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    assert!(
        is_shown(&mut page, "#exercise .task") && !is_shown(&mut page, "#next") && !is_shown(&mut page, "#history")
    );
    // The task is between the title and the board.
    let tops =
        "['title', 'exercise', 'board', 'answer'].map((id) => document.getElementById(id).getBoundingClientRect().top)";
    let tops: Vec<f64> = serde_json::from_value(page.browser.eval(tops)).unwrap();
    assert!(tops.is_sorted(), "{tops:?}");
    page.open("#game=nine-mens-morris&men=3");
    page.waits_for("X to move");
    assert!(page.browser.eval("document.documentElement.scrollHeight").as_u64().unwrap() < 1400);
    page.is_quiet();
}

/// A sheet of A4 without the margins of the style sheet, in pixels.
const SHEET: (u32, u32) = (688, 1017);

#[test]
fn a_printed_game_fits_on_one_sheet_and_the_first_page_is_printed_too() {
    let Some(mut page) = Page::new() else { return };
    let is_wider = "document.documentElement.scrollWidth > innerWidth";
    for (game, has_values) in [
        ("nine-mens-morris&men=3&position=.../X../.../..O..X/.../.../... o-1-2", true),
        ("dominoes&n=5", true),
        ("kayles&pins=20", true),
        // Long rules, pieces in hand, moves so far and lines for an answer.
        ("morabaraba&men=3&moves=d6,b4,c3", false),
    ] {
        page.open(&format!("#game={game}"));
        page.is_valued();
        if !has_values {
            page.browser.click("#values");
        }
        page.browser.window(SHEET.0, SHEET.1, true);
        page.browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
        let height = page.browser.eval("document.documentElement.scrollHeight").as_u64().unwrap();
        assert!(height <= u64::from(SHEET.1) && page.browser.eval(is_wider) == json!(false), "{game}: {height} pixels");
        // A list that is too long ends with a whole line.
        let line = "{ const list = document.getElementById('moves'); list.clientHeight % parseFloat(getComputedStyle(list).lineHeight) }";
        assert!(!has_values || page.browser.eval(line) == json!(0), "{game}");
        page.browser.call("Emulation.setEmulatedMedia", json!({"media": ""}));
    }
    page.open_front();
    page.browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    assert_eq!(page.browser.eval("document.querySelector('.card').checkVisibility()"), json!(true));
    page.is_quiet();
}
