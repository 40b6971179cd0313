//! The page as a place to play: the first page, games to the end on every kind of board, sharing, and the editor.

use serde_json::json;

use super::page::{HASH, POSITION, Page, VERDICT, place};

/// Games with boards of different kinds: the game, and its options in an address.
const BOARDS: [&str; 19] = [
    "tactics&rows=3&cols=3",
    "tictactoe",
    "connect-four",
    "hex",
    "domineering",
    "cram",
    "amazons",
    "breakthrough",
    "clobber",
    "three-mens-morris",
    "dots-and-boxes&rows=1&cols=3",
    "hackenbush",
    "sim",
    "nim",
    "petersen-kayles",
    "kalah&houses=2&seeds=3",
    "trail",
    "dominoes&n=5",
    "shiritori",
];

fn windows() -> impl Iterator<Item = (u32, bool)> {
    [(360, false), (1400, true), (820, false), (360, true), (1400, false), (820, true)].into_iter().cycle()
}

#[test]
fn a_game_is_played_to_its_end_on_every_kind_of_board() {
    let Some(mut page) = Page::new() else { return };
    for (game, (width, is_dark)) in BOARDS.into_iter().zip(windows()) {
        page.browser.window(width, 900, is_dark);
        page.open(&format!("#game={game}"));
        for ply in 0.. {
            page.browser.wait("document.querySelector('.chip.over') || document.querySelector('#moves .chip')");
            if page.browser.eval("document.querySelector('.chip.over') !== null") == json!(true) {
                assert!(ply > 1, "{game}: {ply} plies");
                break;
            }
            assert!(ply < 40, "{game}: no end after {ply} plies");
            let hash = page.browser.text("location.hash");
            // The first move of the list is a best move.
            page.browser.click("#moves .move");
            page.browser
                .wait(&format!("location.hash !== {} && !document.querySelector('#board[aria-busy]')", json!(hash)));
        }
        assert!(page.browser.text(VERDICT).contains("The game is over"), "{game}");
    }
    page.is_quiet();
}

#[test]
fn the_first_page_shows_finds_and_opens_games() {
    let Some(mut page) = Page::new() else { return };
    let address = format!("http://{}/", page.served.address);
    page.browser.window(1400, 900, false);
    page.browser.open(&address);
    let tile = |game: &str| format!("document.querySelector('.card[data-game=\"{game}\"]')");
    page.browser.wait(&format!("{}?.querySelector('.drawing')", tile("connect-four")));
    page.browser.wait(&format!("{}.textContent.includes('Connect Four, 4\u{d7}4')", tile("connect-four")));
    // The name of a side may be a plural.
    for (game, side) in [("hex", "Red"), ("hare-and-hounds", "Hounds")] {
        let winner = format!("{}.querySelector('.who').textContent === 'A win for {side}, moving first'", tile(game));
        page.browser.wait(&winner);
    }
    // The search leaves out the other games.
    page.browser.eval("document.getElementById('search').focus()");
    page.browser.call("Input.insertText", json!({"text": "kayles"}));
    let shown = "[...document.querySelectorAll('.games strong')].filter((title) => title.checkVisibility()).map((title) => title.textContent)";
    page.browser.wait(&format!("{shown}.length === 4 && {shown}.every((title) => title.includes('Kayles'))"));
    page.browser.eval("document.getElementById('search').value = ''");
    page.browser.eval("document.getElementById('search').dispatchEvent(new Event('input'))");
    page.browser.wait(&format!("{shown}.some((title) => title.startsWith('Amazons'))"));
    page.browser.eval("document.querySelector('.card[data-game=\"amazons\"]').closest('.fold').open = true");
    page.browser.click(".card[data-game=\"amazons\"]");
    page.waits_for("White to move: a win");
    // The board, the buttons and the legend fit without scrolling.
    let bottom =
        page.browser.eval("document.getElementById('legend').getBoundingClientRect().bottom").as_f64().unwrap();
    assert!(bottom <= 900.0, "{bottom}");
    page.browser.click("#home");
    page.browser.wait("document.getElementById('recent').textContent.includes('Amazons, 3\u{d7}3')");
    page.is_quiet();
}

#[test]
fn sizes_are_offered_and_large_ones_explained() {
    let Some(mut page) = Page::new() else { return };
    page.browser.window(1400, 900, false);
    page.open("#game=connect-four");
    page.browser.click(".sizes button:nth-child(2)");
    page.browser.wait("document.getElementById('title').textContent === 'Connect Four, 4\u{d7}5'");
    page.browser.eval("document.querySelector('.other').open = true");
    let set = |page: &mut Page, name: &str, value: &str| {
        let field = format!("document.getElementById('parameter-{name}')");
        page.browser.eval(&format!("{field}.value = '{value}'"));
        page.browser.eval(&format!("{field}.dispatchEvent(new Event('input'))"));
    };
    set(&mut page, "rows", "6");
    set(&mut page, "cols", "7");
    page.browser.wait("document.querySelector('.offer button')?.textContent === 'Play'");
    let offer = page.browser.text("document.querySelector('.offer').textContent");
    assert!(offer.starts_with("Connect Four, 6\u{d7}7: about ") && offer.contains("too large"), "{offer}");
    page.browser.click(".offer button");
    page.browser.wait("document.querySelectorAll('#board .place').length === 42");
    page.waits_for("the value is not known");
    set(&mut page, "cols", "77");
    page.browser.wait("document.querySelector('.offer .notice')");
    assert!(page.browser.text("document.querySelector('.offer').textContent").contains("The sizes above work"));
}

#[test]
fn games_are_shared_taken_back_and_compared() {
    let Some(mut page) = Page::new() else { return };
    page.browser.window(1400, 900, false);
    page.open("#game=domineering&rows=3&cols=3");
    for (squares, turn) in [(["b1", "b2"], "Right to move"), (["a3", "b3"], "Left to move")] {
        squares.iter().for_each(|square| page.click(square));
        page.waits_for(turn);
    }
    page.browser.click("#share");
    page.browser.wait("document.querySelectorAll('#sharing input').length > 1");
    let text = page.browser.text("document.querySelectorAll('#sharing input')[1].value");
    assert_eq!(text, "domineering rows=3 cols=3: b1-b2, a3-b3");
    page.browser.click("#sharing .buttons:last-child .quiet");
    // The browser's back button takes a move back. Another move keeps the line that was played.
    page.browser.eval("history.back()");
    page.waits_for("Right to move");
    assert_eq!(page.browser.eval("document.querySelectorAll('.plies .ply.ahead').length"), json!(1));
    for square in ["b3", "c3"] {
        page.click(square);
    }
    page.browser.wait("document.querySelector('.asides .ply')?.textContent === '2. a3-b3'");
    page.browser.click(".asides .ply");
    page.browser.wait("document.querySelector('.asides .ply')?.textContent === '2. b3-c3'");
    // A pasted game is the same game.
    page.open("#game=hex");
    page.browser.click("#share");
    page.browser.wait("document.getElementById('pasted')");
    page.browser.eval(&format!("document.getElementById('pasted').value = {}", json!(text)));
    page.browser.click("#sharing .buttons:last-child button");
    page.browser
        .wait(&format!("{POSITION} === '.X./.X./XX. left' && {HASH}.endsWith('rows=3&cols=3&moves=b1-b2,a3-b3')"));
    page.is_quiet();
}

#[test]
fn the_editor_begins_with_a_library_game_and_marks_mistakes() {
    let Some(mut page) = Page::new() else { return };
    page.browser.window(1400, 900, true);
    page.open_front();
    page.browser.click("#own");
    page.browser.wait("document.title.startsWith('My Game') && document.getElementById('rules')");
    page.browser.eval("document.getElementById('start').value = 'kings'");
    page.browser.eval("document.getElementById('start').dispatchEvent(new Event('change'))");
    page.browser.wait("document.title.startsWith('Kings') && document.querySelector('.drawnmoves pre')");
    page.is_quiet();
    // Ends are drawn as well, with their outcome in words.
    page.browser.eval("document.getElementById('start').value = 'notakto'");
    page.browser.eval("document.getElementById('start').dispatchEvent(new Event('change'))");
    page.browser.wait(
        "/patterns, the player to move wins/.test(document.querySelector('.drawnmoves + .drawnmoves')?.textContent)",
    );
    page.browser.eval("document.getElementById('start').value = 'kings'");
    page.browser.eval("document.getElementById('start').dispatchEvent(new Event('change'))");
    page.browser.wait("document.title.startsWith('Kings') && document.querySelector('.drawnmoves pre')");
    page.browser.eval(
        "(() => { const text = document.getElementById('rules'); text.value = text.value.replace('shape', 'shap');
          text.dispatchEvent(new Event('input')); })()",
    );
    page.browser.wait("document.querySelector('.linenumbers .wrong') && document.querySelector('.notes span')");
    let line = page.browser.text("document.querySelector('.linenumbers .wrong').textContent");
    assert!(page.browser.text("document.querySelector('.mistakes').textContent").contains(&format!("line {line}")));
}

#[test]
fn rules_of_ones_own_have_a_summary_and_words() {
    let Some(mut page) = Page::new() else { return };
    page.open_front();
    page.browser.click("#own");
    page.browser.wait("document.title.startsWith('My Game') && document.getElementById('rules')");
    page.browser.eval(
        "(() => { const text = document.getElementById('rules'); text.dispatchEvent(new Event('input'));
          text.value = 'summary = \"fill two\"\\nrules = \"A player fills two squares.\"\\n' + text.value; })()",
    );
    let said = ["summary", "ruletext", "paper-rules"].map(|id| format!("document.getElementById('{id}').textContent"));
    let said = format!("[{}].join('|')", said.join(","));
    let are_shown = format!(
        "{said} === 'Fill two|RulesA player fills two squares.|A player fills two squares.' && {HASH}.startsWith('#rules=')"
    );
    page.browser.wait(&are_shown);
    // So has a link.
    page.browser.eval("window.isBefore = true");
    page.browser.call("Page.reload", json!({}));
    page.browser.wait(&format!("!window.isBefore && document.readyState === 'complete' && {are_shown}"));
    page.is_quiet();
}

#[test]
fn the_editor_explains_the_key_at_the_cursor() {
    let Some(mut page) = Page::new() else { return };
    page.open_front();
    page.browser.click("#own");
    page.browser.wait("document.title.startsWith('My Game') && document.getElementById('rules')");
    // The cursor is at the sign |.
    for (text, shown) in [
        ("na|me = 'x'", "name: "),
        ("sides = ['a|', 'b']", "sides: "),
        ("board = { rows = 3, col|s = 3 }", "cols: a grid. For example: rows = 4"),
        ("move = [\n  { shape = 'X', turns = tru|e },\n]", "turns: also the shape turned"),
        ("[[move]]\nshape = \"\"\"\nX = [\n\"\"\"\nneighbours = { Y = |1 }", "neighbours: "),
        ("# [x\n[looks]\n|", "Keys of looks: "),
        ("[[move]]\nline = 3\n|", "Keys of move: shape, line"),
    ] {
        let (before, after) = text.split_once('|').unwrap();
        page.browser.eval(&format!(
            "(() => {{ const text = document.getElementById('rules'); text.value = {}; text.focus();
              text.setSelectionRange({at}, {at}); text.dispatchEvent(new Event('keyup')); }})()",
            json!(format!("{before}{after}")),
            at = before.len(),
        ));
        page.browser.wait(&format!("document.getElementById('rules-help').textContent.startsWith({})", json!(shown)));
    }
    page.is_quiet();
}

#[test]
fn a_piece_falls_slides_or_stays_still() {
    let Some(mut page) = Page::new() else { return };
    let motions = "document.getAnimations().filter((motion) => motion.effect.target.matches('.piece')).length";
    for (game, squares) in [("connect-four", &["b1"][..]), ("breakthrough", &["a4", "a3"])] {
        page.open(&format!("#game={game}"));
        page.browser.eval(&format!(
            "window.most = 0;
             setInterval(() => {{ window.most = Math.max(window.most, {motions}); }}, 5)"
        ));
        squares.iter().for_each(|square| page.click(square));
        page.browser.wait("window.most > 0");
    }
    let media = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    page.browser.call("Emulation.setEmulatedMedia", media);
    page.open("#game=connect-four");
    page.browser
        .eval(&format!("window.most = 0; setInterval(() => {{ window.most = Math.max(window.most, {motions}); }}, 5)"));
    page.click("b1");
    page.waits_for("O to move");
    page.browser
        .wait(&format!("document.querySelector('{}').getAttribute('aria-label').startsWith('b4, X')", place("b4")));
    assert_eq!(page.browser.eval("window.most"), json!(0));
    // A click at a piece means its column.
    page.click("b4");
    page.browser.wait(&format!("{POSITION} === '..../..../.O../.X.. x'"));
}
