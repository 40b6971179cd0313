//! The page teaches: values on request, what a move did in words, the exercise, the position editor, keys, links and pages that embed it.

use serde_json::json;

use super::page::{HASH, POSITION, Page, VERDICT, place};

/// What the page says about the last move.
const REMARK: &str = "document.getElementById('remark').textContent";

/// Begins to set up a position. What this needs is loaded first, and until then a click is a move.
fn set_up(page: &mut Page) {
    page.browser.click("#setpieces");
    page.browser.wait("document.getElementById('begin')?.checkVisibility()");
}

#[test]
fn values_are_shown_on_request_and_the_choice_is_remembered() {
    let Some(mut page) = Page::new() else { return };
    page.browser.eval("localStorage.clear()");
    page.open("#game=tictactoe");
    page.browser
        .wait(&format!("{VERDICT}.trim() === 'X to move.' && !document.querySelector('#board .value, #moves .chip')"));
    page.browser.click("#values");
    page.waits_for("X to move: a draw in 9 moves");
    page.open("#game=domineering");
    page.waits_for("Left to move: a ");
    page.is_quiet();
}

#[test]
fn a_sentence_says_what_each_move_did() {
    let Some(mut page) = Page::new() else { return };
    let says = |page: &mut Page, text: &str| page.browser.wait(&format!("{REMARK} === {}", json!(text)));
    page.open("#game=tictactoe");
    for (square, said) in [
        ("a1", "a1 keeps the draw."),
        ("b1", "b1 gives the draw away: now a win for X in 5 more moves."),
        ("a2", "a2 keeps the win: a win for X in 4 more moves."),
        ("c3", "No move helps. c3: still a win for X in 1 more move."),
        ("b2", "b2 gives the win away"),
    ] {
        page.click(square);
        if square == "b2" {
            // Two rows of X are open, so that this move wins later than it must, if at all.
            page.browser.wait(&format!("{REMARK}.startsWith('b2 ')"));
        } else {
            says(&mut page, said);
        }
    }
    // A move that costs points need not change the winner.
    page.open("#game=dots-and-boxes&moves=a2,b5,d1,d5,e2,b3");
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 6");
    page.click("a4");
    says(&mut page, "a4 costs X 2 boxes: still a win for X.");
    page.open("#game=dots-and-boxes&rows=1&cols=1");
    page.click("b1");
    page.browser.wait(&format!("{REMARK}.startsWith('No move helps. b1:')"));
    page.is_quiet();
}

#[test]
fn the_sentence_tells_no_value_while_values_are_hidden() {
    let Some(mut page) = Page::new() else { return };
    page.browser.eval("localStorage.clear()");
    page.open("#game=tictactoe&moves=a1,b1");
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 2");
    page.browser.wait(&format!("{VERDICT}.trim() === 'X to move.' && {REMARK} === ''"));
    // Boxes and captures are no values.
    for (hash, square, said) in [
        ("#game=dots-and-boxes&moves=b1,a2,c2,b3", "b5", ""),
        ("#game=dots-and-boxes&rows=1&cols=1&moves=b1,a2,c2", "b3", "b3 gains 1 box."),
        ("#game=dots-and-boxes&moves=b1,a2,c2", "b3", "b3 gains 1 box: O to move again."),
        ("#game=reversi&rows=3&cols=4", "a1", "a1 turns 1 piece."),
    ] {
        page.open(hash);
        page.click(square);
        page.browser
            .wait(&format!("document.querySelector('.plies .ply.now')?.textContent.endsWith({})", json!(square)));
        page.browser.wait(&format!("{REMARK} === {}", json!(said)));
    }
    page.is_quiet();
}

#[test]
fn the_exercise_asks_for_the_only_move_and_counts() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe");
    let text = "document.getElementById('exercise').textContent";
    page.browser.click("#train");
    for (round, count) in [(0, "1 of 1 found"), (1, "1 of 2 found")] {
        page.browser.wait("document.querySelector('#exercise .task')");
        let position = page.browser.text("new URLSearchParams(location.hash.slice(1)).get('position') ?? ''");
        let answer = page.served.json(&format!("/api/v1/probe?game=tictactoe&position={position}"));
        let moves = answer["moves"].as_array().unwrap();
        let keeps = |n: usize| moves[n]["outcome"] == answer["outcome"];
        assert!(keeps(0) && !keeps(1), "{answer}");
        // The right move first, then a wrong one.
        page.click(moves[round]["move"].as_str().unwrap());
        page.browser.wait(&format!("{text}.includes({})", json!(count)));
        page.browser.wait(&format!("{text}.includes({})", json!(["Right:", "is not the move"][round])));
        if round == 1 {
            // A wrong move is not made, and a shown move does not count.
            let shown = "document.querySelectorAll('.plies .ply').length";
            assert_eq!(page.browser.eval(shown), json!(0));
            page.browser.click("#best");
            page.browser.wait(&format!(
                "{shown} === 1 && {text}.includes('does not count') && {text}.includes('1 of 2 found')"
            ));
        }
        page.browser.click("#next");
        page.browser.wait(&format!("!{text}.includes('Right:') && !{text}.includes('The move is')"));
    }
    page.is_quiet();
    // Where no value is known, the exercise soon offers sizes whose values are.
    page.open("#game=nine-mens-morris");
    page.browser.click("#train");
    page.browser.wait("document.querySelectorAll('#smaller button').length === 2");
    page.browser.click("#smaller button");
    // In the time of the exercise, a slow machine may find none.
    page.browser
        .wait(&format!("/Find it|Try again/.test({text}) && {HASH}.startsWith('#game=nine-mens-morris&men=3')"));
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
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 1");
    // The first page has no board.
    page.browser.eval("document.getElementById('home').click()");
    page.browser.press("?");
    assert_eq!(page.browser.eval("document.getElementById('keys').open"), json!(false));
    page.is_quiet();
}

#[test]
fn links_have_the_moves_and_one_box_reads_everything() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe&moves=a1,b2");
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 2");
    let paste = |page: &mut Page, text: &str| {
        page.browser.click("#share");
        page.browser.wait("document.getElementById('sharing').open");
        page.browser.eval(&format!("document.getElementById('pasted').value = {}", json!(text)));
        page.browser.eval(
            "[...document.querySelectorAll('#sharing button')].find((button) => button.textContent === 'Open').click()",
        );
    };
    page.browser.click("#share");
    page.browser.wait("document.getElementById('sharing').open");
    let link = page.browser.text("document.querySelector('#sharing input').value");
    assert!(link.ends_with("#game=tictactoe&moves=a1,b2") || link.ends_with("moves=a1%2Cb2"), "{link}");
    let examples = page.browser.eval("document.querySelectorAll('#sharing code').length").as_u64().unwrap();
    assert!(examples > 0);
    page.browser.eval("document.getElementById('sharing').close()");
    // A position of the game that is shown, a game as text, and a link.
    paste(&mut page, "X.O/.X./..O");
    page.browser.wait(&format!("{HASH}.includes('position=X.O/.X./..O')"));
    paste(&mut page, "tictactoe: b2, a1");
    page.browser.wait("document.querySelectorAll('.plies .ply').length === 2");
    paste(&mut page, &link);
    page.browser.wait(&format!("{HASH}.endsWith('moves=a1,b2') && {POSITION} === 'X../.O./...'"));
    page.is_quiet();
}

#[test]
fn what_is_pasted_keeps_its_moves_and_a_mistake_keeps_the_text() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe");
    let opens = |page: &mut Page, text: &str| {
        page.browser.eval("document.getElementById('sharing').open || document.getElementById('share').click()");
        page.browser.wait("document.getElementById('sharing').open");
        page.browser.eval(&format!("document.getElementById('pasted').value = {}", json!(text)));
        page.browser.click("#sharing .buttons:last-child button");
    };
    // Mistakes: the box stays open, with the text and a sentence.
    for (text, reason) in [
        ("hello", "\u{201c}hello\u{201d} is no link, and neither a position nor moves of Tic-Tac-Toe."),
        ("chess: e4", "Chess is not here: "),
        ("parcheesi: e4", "There is no game called \u{201c}parcheesi\u{201d}."),
        ("shiritori: tower, tower", "Move 2 is not possible there: tower"),
    ] {
        opens(&mut page, text);
        page.browser
            .wait(&format!("document.querySelector('#sharing .notice p')?.textContent.startsWith({})", json!(reason)));
        let kept = "document.getElementById('sharing').open && document.getElementById('pasted').value";
        assert_eq!(page.browser.text(kept), text);
    }
    // The browser logs refusals of the server.
    page.browser.console();
    for (text, hash) in [
        ("b2 a1 c3", "#game=tictactoe&moves=b2,a1,c3"),
        ("tic-tac-toe: b2", "#game=tictactoe&moves=b2"),
        ("Noughts and Crosses: b2, a1", "#game=tictactoe&moves=b2,a1"),
        ("connect-four rows=6 cols=7: 4453", "#game=connect-four&rows=6&cols=7&moves=d6,d5,e6,c6"),
        ("reversi: b1a1", "#game=reversi&moves=b1,a1"),
        ("shiritori: tower, rat", "#game=shiritori&moves=tower,rat"),
    ] {
        opens(&mut page, text);
        page.browser.wait(&format!("{HASH}.replace(/&words=[^&]*/, '') === {}", json!(hash)));
        let moves = hash.rsplit_once("&moves=").unwrap().1.split(',').count();
        assert_eq!(page.browser.eval("document.querySelectorAll('.plies .ply').length"), json!(moves), "{text}");
        assert_eq!(
            page.browser.eval("document.getElementById('back').disabled || document.getElementById('sharing').open"),
            json!(false)
        );
    }
    page.is_quiet();
}

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
    for game in
        ["nine-mens-morris&men=3&position=.../X../.../..O..X/.../.../... o-1-2", "dominoes&n=5", "kayles&pins=20"]
    {
        page.open(&format!("#game={game}"));
        page.browser.wait("document.querySelector('#moves .chip')");
        page.browser.window(SHEET.0, SHEET.1, true);
        page.browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
        let height = page.browser.eval("document.documentElement.scrollHeight").as_u64().unwrap();
        assert!(height <= u64::from(SHEET.1) && page.browser.eval(is_wider) == json!(false), "{game}: {height} pixels");
        // A list that is too long ends with a whole line.
        let line = "{ const list = document.getElementById('moves'); list.clientHeight % parseFloat(getComputedStyle(list).lineHeight) }";
        assert_eq!(page.browser.eval(line), json!(0), "{game}");
        page.browser.call("Emulation.setEmulatedMedia", json!({"media": ""}));
    }
    page.browser.open(&format!("http://{}/", page.served.address));
    page.browser.wait("document.querySelectorAll('.card').length > 20");
    page.browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    assert_eq!(page.browser.eval("document.querySelector('.card').checkVisibility()"), json!(true));
    page.is_quiet();
}

#[test]
fn names_and_values_of_a_small_drawing_are_legible() {
    let Some(mut page) = Page::new() else { return };
    let text = |of: &str| format!("document.querySelector('#board {of}').getBoundingClientRect().height");
    for (game, of) in [
        ("hackenbush", ".linename"),
        ("hackenbush", ".value"),
        ("kayles&pins=20", ".value"),
        ("kayles&pins=20", ".ruler"),
    ] {
        page.browser.window(420, 900, false);
        page.open(&format!("#game={game}"));
        page.browser.wait("document.querySelector('#moves .chip')");
        let small = page.browser.eval(&text(of)).as_f64().unwrap();
        assert!(small >= 9.5, "{game} {of}: {small} pixels");
    }
    // Moves with the same result in points stand together, however long they take.
    page.open("#game=kalah&position=2,2,0:1/0,1,4:2 second");
    page.browser.wait("document.querySelector('#moves .chip')");
    let counts = "['.group', '.move'].map((what) => document.querySelectorAll(`#moves ${what}`).length)";
    assert_eq!(page.browser.eval(counts), json!([1, 2]));
    page.is_quiet();
}

#[test]
fn pits_have_names_and_numbers_and_are_played_by_a_click() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=kalah");
    let pits = "[...document.querySelectorAll('#board .pit')].map((pit) => pit.textContent).join(' ')";
    page.waits_for("First to move");
    assert_eq!(page.browser.text(pits), "a2 b2 c2 first0 d2 e2 f2 second0");
    // One value a pit.
    page.browser.wait("document.querySelectorAll('#board .value').length === 3");
    page.browser.click("#board .pit:nth-of-type(2)");
    page.browser.wait(&format!("{pits} === 'a2 b0 c3 first1 d2 e2 f2 second0'"));
    page.is_quiet();
}

#[test]
fn boards_look_as_people_know_them() {
    let Some(mut page) = Page::new() else { return };
    let count = |page: &mut Page, selector: &str| {
        page.browser.eval(&format!("document.querySelectorAll('#board {selector}').length"))
    };
    page.open("#game=hackenbush");
    page.browser.click("#values");
    page.browser.wait("document.querySelectorAll('#board .linename').length === 12");
    assert_eq!(count(&mut page, ".ground"), json!(1));
    page.browser.click("#values");
    page.open("#game=toppling-dominoes");
    assert_eq!(count(&mut page, "rect.upright"), json!(8), "rect.upright");
    page.open("#game=capture-go");
    assert_eq!(count(&mut page, ".join"), json!(12), ".join");
    // A row stays in one line on a phone.
    page.browser.window(420, 900, false);
    page.open("#game=kayles");
    let rows = "new Set([...document.querySelectorAll('#board .place')].map((place) => Math.round(place.getBoundingClientRect().y))).size";
    assert_eq!(page.browser.eval(rows), json!(1));
    // Its squares are wide enough for a finger, and the row scrolls if that is more than the window has.
    page.browser.window(360, 900, false);
    page.open("#game=kayles");
    let narrow = "Math.min(...[...document.querySelectorAll('#board .place')].map((place) => place.getBoundingClientRect().width))";
    assert!(page.browser.eval(narrow).as_f64().unwrap() >= 40.0, "{}", page.browser.eval(narrow));
    assert_eq!(
        (page.browser.eval(rows), page.browser.eval("document.documentElement.scrollWidth <= 360")),
        (json!(1), json!(true))
    );
    page.click("l1");
    page.browser.wait("document.querySelector('#board .picked')");
    page.browser.window(1000, 900, false);
    // The value of an amazon lies below the amazon.
    page.open("#game=amazons");
    page.waits_for("White to move");
    let lies_below = format!(
        "(() => {{ const piece = document.querySelector('{} .man').getBoundingClientRect(); const plate = document.querySelector('#board .badge .plate')?.getBoundingClientRect(); return plate && plate.top >= piece.bottom - 1; }})()",
        place("b3")
    );
    page.browser.wait(&lies_below);
    page.is_quiet();
}
