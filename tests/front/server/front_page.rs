//! The first page in a real browser: the best known games, folds of the others, and search.

use super::page::Page;

/// Types `words` into the search.
fn search(page: &mut Page, words: &str) {
    page.browser.eval(&format!(
        "{{ const box = document.getElementById('search'); box.value = {words:?}; box.dispatchEvent(new Event('input')); }}"
    ));
}

/// The names of the games that are in view, or would be if the reader scrolled.
const SHOWN: &str = "[...document.querySelectorAll('.card')].filter((card) => card.checkVisibility()).map((card) => card.dataset.game).join(' ')";
/// The headings of folds that are in view.
const FOLDS: &str = "[...document.querySelectorAll('.fold h2')].filter((title) => title.checkVisibility()).map((title) => title.textContent).join(' ')";
const NONE: &str = "document.getElementById('none').hidden ? '' : document.getElementById('none').textContent";

#[test]
fn a_phone_shows_twelve_games_and_folds_the_others() {
    let Some(mut page) = Page::new() else { return };
    let height = 840;
    page.browser.window(420, height, false);
    page.open_front();
    let shown = page.browser.text(SHOWN);
    assert_eq!(shown.split(' ').count(), 12, "{shown}");
    assert!(shown.starts_with("connect-four tictactoe reversi"), "{shown}");
    // Pictures keep their height, so the page is as long before they arrive.
    let bottom = "Math.max(...[...document.querySelectorAll('#games .card')].map((card) => card.getBoundingClientRect().bottom)) + scrollY";
    let bottom = page.browser.eval(bottom).as_f64().unwrap();
    assert!(bottom <= f64::from(3 * height), "{bottom} pixels");
    assert_eq!(page.browser.eval("document.querySelectorAll('.fold').length"), 4);
    // A well-known size that is not solved is announced on its card.
    let card = page.browser.text("document.querySelector('[data-game=connect-four] .large').textContent");
    assert_eq!(card, "6\u{d7}7: values near the end");
    // So is a game that is not solved at its usual size.
    page.browser.eval("document.querySelector('[data-game=nine-mens-morris]').scrollIntoView()");
    page.browser
        .wait("document.querySelector('[data-game=nine-mens-morris] .who').textContent === 'Values near the end'");
    // A fold opens, and its games have pictures.
    page.browser.eval("{ const fold = document.querySelector('.fold'); fold.open = true; fold.scrollIntoView(); }");
    page.browser.wait("document.querySelector('.fold[open] .card .drawing')");
    page.is_quiet();
}

#[test]
fn the_first_view_is_small() {
    let Some(mut page) = Page::new() else { return };
    page.browser.open(&format!("http://{}/", page.served.address));
    page.browser.wait("document.querySelector('.card .drawing')");
    // Everything but the pictures of games, as it was sent.
    let sent = "(() => { const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
                 const others = all.filter(({ name }) => !name.includes('/preview?'));
                 return { names: others.map(({ name }) => name), bytes: others.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) }; })()";
    let sent = page.browser.eval(sent);
    let bytes = sent["bytes"].as_u64().unwrap();
    assert!((20_000..=50_000).contains(&bytes), "{sent}");
    // A game loads the rest.
    let is_board = |page: &mut Page| page.browser.requests().iter().any(|address| address.ends_with("/board.js"));
    assert!(!is_board(&mut page));
    page.browser.click(".card[data-game=tictactoe]");
    page.shown();
    assert!(is_board(&mut page));
    page.is_quiet();
}

#[test]
fn only_games_of_this_server_were_opened_last() {
    let Some(mut page) = Page::new() else { return };
    page.browser.eval("localStorage.setItem('tablegen-recent', JSON.stringify([{ title: 'Mine', hash: '#game=mine' }, { title: 'Nim', hash: '#game=nim' }]))");
    page.open_front();
    assert_eq!(page.browser.text("document.getElementById('recent').textContent"), "Opened last:Nim");
}

#[test]
fn enter_opens_the_best_match_of_the_search() {
    let Some(mut page) = Page::new() else { return };
    page.browser.open(&format!("http://{}/", page.served.address));
    page.browser.wait("document.querySelectorAll('.card').length > 20");
    page.browser.eval("document.getElementById('search').focus()");
    // Without a word, and without a match, nothing opens.
    for words in ["", "quux", "othello"] {
        search(&mut page, words);
        page.browser.press("Enter");
        assert_eq!(page.browser.text("location.hash").is_empty(), words != "othello", "{words}");
    }
    page.browser.wait("document.getElementById('title').textContent.startsWith('Reversi')");
    page.is_quiet();
}

#[test]
fn the_search_knows_other_names_and_says_why_a_game_is_missing() {
    let Some(mut page) = Page::new() else { return };
    page.open_front();
    for (words, found) in [
        ("Othello", "reversi"),
        ("mancala", "kalah"),
        ("four in a row", "connect-four"),
        ("m\u{fc}hle", "nine-mens-morris"),
        ("noughts & crosses", "tictactoe"),
        ("ox", "tictactoe"),
    ] {
        search(&mut page, words);
        assert_eq!((page.browser.text(SHOWN), page.browser.text(NONE)), (found.into(), String::new()), "{words}");
    }
    search(&mut page, "quarto");
    assert_eq!(page.browser.text(SHOWN), "");
    assert!(page.browser.text(NONE).starts_with("Quarto: not here, because "), "{}", page.browser.text(NONE));
    search(&mut page, "draughts");
    assert_eq!(page.browser.text(SHOWN), "konane");
    assert!(page.browser.text(NONE).starts_with("Checkers, draughts: not here"), "{}", page.browser.text(NONE));
    // A name that begins with the text comes before other words, in one list without headings.
    for (words, first) in [("go", "gomoku"), ("matches", "nim"), ("hex", "hex")] {
        search(&mut page, words);
        let shown = page.browser.text(SHOWN);
        assert!(shown.split(' ').next() == Some(first) && page.browser.text(FOLDS).is_empty(), "{words}: {shown}");
    }
    // Where no name fits, other words about the game do.
    for (words, game) in [("pins", "kayles"), ("misere", "tactics"), ("mis\u{e8}re", "dodgem"), ("stones", "dao")] {
        search(&mut page, words);
        let shown = page.browser.text(SHOWN);
        assert!(shown.split(' ').any(|name| name == game), "{words}: {shown}");
    }
    search(&mut page, "go");
    assert!(
        page.browser.text(NONE).starts_with("Go, baduk, weiqi: not here, because a move may"),
        "{}",
        page.browser.text(NONE)
    );
    let is_first = "document.getElementById('none').compareDocumentPosition(document.getElementById('games')) & Node.DOCUMENT_POSITION_FOLLOWING";
    assert_ne!(page.browser.eval(is_first), 0);
    search(&mut page, "quux");
    assert_eq!(page.browser.text(NONE), "No game matches.");
    search(&mut page, "");
    assert!(page.browser.text(SHOWN).split(' ').count() > 70);
    page.is_quiet();
}
