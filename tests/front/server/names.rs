//! The words of games on the page: sizes, moves, and what stands on a square.

use serde_json::json;

use super::page::{HASH, Page, place};

#[test]
fn sizes_are_named_as_people_say_them() {
    let Some(mut page) = Page::new() else { return };
    page.browser.window(1400, 900, false);
    for (game, names, title) in [
        ("nim", "heaps 3, 4, 5 | heaps 1, 2, 3 | heaps 1, 3, 5, 7", "Nim, heaps 1, 2, 3"),
        ("kayles", "12 pins | 9 pins | 20 pins", "Kayles, 9 pins"),
        (
            "cube",
            "2\u{d7}3\u{d7}2 | 3\u{d7}3\u{d7}2 | 2\u{d7}2\u{d7}2, line 2 | 3\u{d7}3\u{d7}3 | 4\u{d7}4\u{d7}4, line 4",
            "Tic-Tac-Toe in Space, 3\u{d7}3\u{d7}2",
        ),
        ("achi", "normal play | mis\u{e8}re play", "Achi, mis\u{e8}re play"),
        ("northcott", "5 columns | 4 columns | 6 columns", "Northcott, 4 columns"),
        ("toppling-dominoes", "8 dominoes | 12 dominoes", "Toppling Dominoes, 12 dominoes"),
    ] {
        page.open(&format!("#game={game}"));
        let all = "[...document.querySelectorAll('.sizes button')].map((button) => button.textContent).join(' | ')";
        assert_eq!(page.browser.text(all), names, "{game}");
        page.browser.click(".sizes button:nth-child(2)");
        page.browser.wait(&format!(
            "document.getElementById('title').textContent.endsWith({})",
            json!(title.rsplit_once(", ").unwrap().1)
        ));
        page.browser.wait(&format!(
            "document.getElementById('title').textContent.startsWith({})",
            json!(title.split(',').next().unwrap())
        ));
    }
    page.is_quiet();
}

#[test]
fn what_is_taken_away_is_there_at_first() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=nim&a=1&b=2&c=3");
    let spoken = |page: &mut Page, name: &str| {
        page.browser.text(&format!("document.querySelector('{}').getAttribute('aria-label')", place(name)))
    };
    assert!(spoken(&mut page, "a1").starts_with("a1, there"), "{}", spoken(&mut page, "a1"));
    page.click("a1");
    page.browser.wait(&format!("document.querySelector('{}').getAttribute('aria-label') === 'a1, gone'", place("a1")));
    page.browser.wait("document.getElementById('stats').textContent.includes('Outcome by pieces taken')");
    page.is_quiet();
}

#[test]
fn moves_have_their_names_in_the_notation_of_the_game() {
    let Some(mut page) = Page::new() else { return };
    let moves = "[...document.querySelectorAll('#moves .move')].map((button) => button.textContent).sort().join()";
    for (game, names, square, spoken, hash) in [
        ("connect-four", "1 (a4),2 (b4),3 (c4),4 (d4)", "d1", "X played 4 (d4). ", "moves=d4"),
        ("kalah", "1 (a),2 (b),3 (c)", "b", "First played 2 (b). ", "moves=b"),
        ("reversi&rows=3&cols=4", "a1,c3,d2", "a1", "Black played a1. ", "moves=a1"),
    ] {
        page.open(&format!("#game={game}"));
        page.is_valued();
        assert_eq!(page.browser.text(moves), names, "{game}");
        page.click(square);
        page.browser.wait(&format!("document.getElementById('spoken').textContent.startsWith({})", json!(spoken)));
        // A link has the names that every game has.
        page.browser.wait(&format!("{HASH}.endsWith({})", json!(hash)));
    }
    // It may have the others.
    page.open("#game=connect-four&moves=4,4");
    page.browser.wait(
        "[...document.querySelectorAll('.plies .ply')].map((ply) => ply.textContent).join() === '14 (d4),24 (d3)'",
    );
    page.is_quiet();
}
