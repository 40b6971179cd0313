//! The page in a real browser: mouse, keyboard, layout and accessible names.

use serde_json::{Value, json};

use super::Served;
use super::browser::Browser;

pub(super) const VERDICT: &str = "document.getElementById('verdict').textContent";
pub(super) const HASH: &str = "decodeURIComponent(location.hash)";
/// The text of the position that is shown.
pub(super) const POSITION: &str = "document.getElementById('board').dataset.position";

/// The page of a server of its own.
pub(super) struct Page {
    pub(super) browser: Browser,
    pub(super) served: Served,
}

impl Page {
    pub(super) fn new() -> Option<Self> {
        let browser = Browser::start()?;
        let mut page = Self { browser, served: Served::new() };
        page.browser.window(1000, 900, false);
        show_values(&mut page.browser, &page.served);
        Some(page)
    }

    /// Opens the page at `hash`, and waits until it shows a board.
    #[track_caller]
    pub(super) fn open(&mut self, hash: &str) {
        let address = format!("http://{}/{hash}", self.served.address);
        self.browser.open(&address);
        self.shown();
    }

    /// Opens the first page, and waits until it shows its games.
    #[track_caller]
    pub(super) fn open_front(&mut self) {
        self.browser.open(&format!("http://{}/", self.served.address));
        self.browser.wait("document.querySelectorAll('.card').length > 20");
    }

    /// Waits until `count` moves are listed.
    #[track_caller]
    pub(super) fn has_plies(&mut self, count: usize) {
        self.browser.wait(&format!("document.querySelectorAll('.plies .ply').length === {count}"));
    }

    /// Waits until moves have their values.
    #[track_caller]
    pub(super) fn is_valued(&mut self) {
        self.browser.wait("document.querySelector('#moves .chip')");
    }

    #[track_caller]
    pub(super) fn shown(&mut self) {
        let board = "document.querySelector('#board:not([aria-busy]) .place')";
        self.browser.wait(&format!("document.readyState === 'complete' && {board} && {VERDICT} !== ''"));
    }

    #[track_caller]
    pub(super) fn waits_for(&mut self, verdict: &str) {
        self.browser.wait(&format!("{VERDICT}.includes({})", json!(verdict)));
    }

    /// Clicks the square with this name.
    #[track_caller]
    pub(super) fn click(&mut self, square: &str) {
        self.browser.click(&place(square));
    }

    /// Checks that the console is empty and that all requests went to this server.
    #[track_caller]
    pub(super) fn is_quiet(&mut self) {
        let said = self.browser.console();
        assert!(said.is_empty(), "expected an empty console, found {said:#?}");
        let own = format!("http://{}/", self.served.address);
        let asked = self.browser.requests();
        let foreign: Vec<&String> =
            asked.iter().filter(|url| !url.starts_with(&own) && *url != "about:blank").collect();
        assert!(!asked.is_empty() && foreign.is_empty(), "expected requests to {own} only, found {foreign:?}");
    }
}

/// Lets the page show values, which it hides until a person asks for them.
pub(super) fn show_values(browser: &mut Browser, served: &Served) {
    browser.open(&format!("http://{}/", served.address));
    browser.eval("localStorage.setItem('tablegen-values', 'shown')");
}

pub(super) fn place(name: &str) -> String {
    format!("#board .place[aria-label^=\"{name},\"]")
}

#[test]
fn every_game_is_shown_and_fits_every_window() {
    let Some(mut page) = Page::new() else { return };
    let games = page.served.json("/api/v1/games");
    let names: Vec<String> =
        games["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap().to_owned()).collect();
    assert!(names.len() > 20);
    let sizes = [(360, false), (1000, true), (2000, false)];
    for (number, (width, is_dark)) in sizes.into_iter().enumerate() {
        page.browser.window(width, 900, is_dark);
        for (turn, name) in names.iter().skip(number).step_by(sizes.len()).enumerate() {
            // The server solves neither the double-six set nor mills of many men for a request.
            let options = match &**name {
                "dominoes" => "&n=5",
                "lasker-morris" | "morabaraba" | "nine-mens-morris" => "&men=3",
                _ => "",
            };
            let hash = format!("#game={name}{options}");
            // For each size of the window, the page is loaded once and then follows links.
            if turn == 0 {
                page.open(&hash);
            } else {
                page.browser.eval(&format!("location.hash = {}", json!(hash)));
            }
            page.browser.wait(&format!("document.getElementById('current').dataset.game === {}", json!(name)));
            page.shown();
            page.is_valued();
            let wide = page.browser.eval("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(width), "{name}: {wide} of {width} pixels");
            assert_eq!(page.browser.eval("document.getElementById('setpieces').hidden"), json!(false), "{name}");
            let paper = page.browser.text("getComputedStyle(document.body).backgroundColor");
            assert_eq!(paper == "rgb(18, 21, 26)", is_dark, "{name}: {paper}");
        }
    }
    page.is_quiet();
}

#[test]
fn a_won_game_is_won_by_clicks_against_perfect_play() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tactics");
    page.waits_for("First to move: a loss in 15 moves");
    page.browser.click("#opponent input[value=\"0\"] + span");
    let mut plies = 0;
    loop {
        page.browser.wait(&format!(
            "/Second to move|over/.test({VERDICT}) && document.querySelector('#moves button:enabled, .chip.over')"
        ));
        let verdict = page.browser.text(VERDICT);
        if verdict.contains("over") {
            break;
        }
        assert!(verdict.contains("a win"), "{verdict}");
        let best = page.browser.text("document.querySelector('#moves .group.win button').textContent");
        match best.split_once('-') {
            Some((first, last)) => {
                page.click(first);
                page.click(last);
            }
            None => {
                page.click(&best);
                // If longer runs pass through the square, a second click fills it alone.
                if page.browser.eval("document.querySelector('#board .picked') !== null") == json!(true) {
                    page.click(&best);
                }
            }
        }
        page.browser.wait(&format!("!{VERDICT}.includes({})", json!(verdict)));
        plies += 2;
        assert!(plies < 20);
    }
    assert!(page.browser.text(VERDICT).contains("Second won"));
    assert_eq!(page.browser.text(POSITION), "XXXX/XXXX/XXXX/XXXX");
    // The address has the whole game, and the other side.
    let hash = page.browser.text(HASH);
    assert!(hash.starts_with("#game=tactics&moves=") && hash.ends_with("&opponent=first"), "{hash}");
    // Both players play perfectly, so the game takes the 15 moves that the page announced.
    assert_eq!(page.browser.eval("document.querySelectorAll('.plies .ply').length"), json!(15));
    page.is_quiet();
}

#[test]
fn a_link_that_cannot_be_opened_shows_a_board_the_reason_and_others() {
    let Some(mut page) = Page::new() else { return };
    let refusal = "document.getElementById('refusal')";
    let links = format!("[...{refusal}.querySelectorAll('a')].map((link) => decodeURIComponent(link.hash)).join(' ')");
    for (hash, reason, shown, offered) in [
        ("#game=dominering", "(did you mean domineering?)", "#game=domineering", ""),
        ("#game=connect-four&rows=9&cols=8", "", "#game=connect-four", "#game=connect-four&rows=4&cols=5"),
        (
            "#game=connect-four&rows=x",
            "Rows: expected a whole number",
            "#game=connect-four",
            "#game=connect-four&rows=4&cols=5",
        ),
        ("#game=tactics&rows=3&position=none", "is not a position", "#game=tactics&rows=3", ""),
    ] {
        page.open(hash);
        page.browser.wait(&format!("{refusal}.textContent.includes({})", json!(reason)));
        page.browser.wait(&format!("!{refusal}.hidden && {HASH} === {}", json!(shown)));
        let found = page.browser.text(&links);
        assert!(found.starts_with(offered) && found.is_empty() == offered.is_empty(), "{hash}: {found}");
    }
    // The links that the page offers work.
    page.open("#game=connect-four&rows=9&cols=8");
    page.browser.wait(&format!("{refusal}.querySelector('a')"));
    page.browser.eval(&format!("{refusal}.querySelector('a').click()"));
    page.browser.wait(&format!(
        "{refusal}.hidden && document.getElementById('title').textContent === 'Connect Four, 4\u{d7}5'"
    ));
    // Without a game to show, the first page has them all.
    for (hash, reason) in [
        ("#game=chess", "There is no game and no table called \"chess\": a side has pieces of six kinds"),
        ("#game=foo", "There is no game and no table called \"foo\"Choose one of these games."),
        ("#rules=damaged", "The rules in this link are damaged"),
    ] {
        page.browser.open(&format!("http://{}/{hash}", page.served.address));
        page.browser.wait(&format!(
            "document.getElementById('front')?.hidden === false && {refusal}.textContent.includes({})",
            json!(reason)
        ));
        page.browser.wait("document.querySelectorAll('.card').length > 20");
    }
}

#[test]
fn a_link_names_a_position_and_every_step_can_be_looked_at_again() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tactics&position=XX../XX../..../....");
    page.waits_for("a win in 10 moves");
    assert_eq!(
        page.browser.text(&format!("document.querySelector('{} ').getAttribute('aria-label')", place("c3"))),
        "c3, free, wins in 10 moves"
    );
    // Change the address as a link in the page or the browser's history does.
    page.browser.eval("location.hash = '#game=tictactoe&position=X.O/.X./..O'");
    page.waits_for("X to move: a draw in 5 moves");
    page.click("b1");
    page.waits_for("O to move: a win in 1 move");
    assert_eq!(page.browser.text(POSITION), "XXO/.X./..O");
    let hash = page.browser.text(HASH);
    assert!(hash.ends_with("position=X.O/.X./..O&moves=b1"), "{hash}");
    assert_eq!(page.browser.text("document.querySelector('.ply .mistake').textContent"), "?");
    page.browser.click("#back");
    page.waits_for("X to move: a draw");
    page.browser.click("#forth");
    page.waits_for("O to move: a win");
    page.browser.click("#back");
    page.waits_for("X to move: a draw");
    page.browser.click("#line");
    page.browser.wait("document.querySelectorAll('.ply.ahead').length === 5");
    page.browser.click(".plies li:nth-child(5) button");
    page.waits_for("The game is over: a draw");
    page.browser.click("#history .dot[data-ply=\"1\"] .touch");
    page.waits_for("O to move: a draw in 4 moves");
    page.browser.click("#best");
    page.waits_for("X to move: a draw in 3 moves");
    page.browser.click("#values");
    page.browser.wait(&format!("{VERDICT}.trim() === 'X to move.' && !document.querySelector('#board .value')"));
    page.browser.click("#hint");
    page.browser.wait("document.querySelector('#board .hinted')");
    page.is_quiet();
}

#[test]
fn a_pasted_rules_file_is_a_game_at_once() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=kayles");
    page.browser.click("#setup summary");
    page.browser.eval("document.getElementById('game').value = 'own rules'");
    page.browser.eval("document.getElementById('game').dispatchEvent(new Event('change'))");
    page.browser.wait("document.title.startsWith('My Game, 4\u{d7}4')");
    let rules = "name = \"pasted\"\nboard = { rows = 2, cols = 3 }\nmove = [{ shape = \"XX\", turns = true }]\n";
    let paste = |page: &mut Page, text: &str| {
        page.browser.eval("document.getElementById('rules').select()");
        page.browser.call("Input.insertText", json!({"text": text}));
    };
    page.browser.eval("document.getElementById('rules').focus()");
    paste(&mut page, rules);
    page.browser.wait("document.title.startsWith('Pasted') && document.querySelectorAll('#board .place').length === 6");
    page.waits_for("a win in 3 moves");
    page.is_quiet();
    paste(&mut page, &rules.replace("shape", "shap"));
    page.browser.wait("document.querySelector('.mistakes')");
    assert!(page.browser.text("document.querySelector('.mistakes').textContent").contains("line 3"));
    // The browser logs the refusal of the file on its console.
    assert!(page.browser.console().iter().all(|said| said.contains("422")));
    paste(&mut page, rules);
    page.browser.wait("document.querySelector('.report .good')");
    // Dragging places a domino on both squares.
    page.browser.drag(&place("b1"), &place("b2"));
    page.waits_for("Second to move: a loss in 2 moves");
    let link = page.browser.text("location.href");
    page.browser.open(&link);
    page.shown();
    page.browser.wait("document.title.startsWith('Pasted')");
    page.waits_for("to move: a loss in 2 moves");
    page.is_quiet();
}

#[test]
fn the_keyboard_suffices_and_controls_have_accessible_names() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe");
    let focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.id";
    page.browser.press("Tab");
    assert_eq!(page.browser.text(focused), "skip");
    page.browser.press("Enter");
    page.browser.wait(&format!("({focused}).startsWith('a1,')"));
    for key in ["ArrowRight", "ArrowDown", "Enter"] {
        page.browser.press(key);
    }
    page.waits_for("O to move: a draw in 8 moves");
    page.browser.wait("document.getElementById('spoken').textContent === 'X played b2. b2 keeps the draw. O to move: a draw in 8 moves; 4 of 8 moves draw.'");
    assert_eq!(page.browser.text(focused), "b2, X");
    // Keys that press the buttons while the board has the focus.
    page.browser.press("u");
    page.waits_for("X to move: a draw in 9 moves");
    page.browser.press("b");
    page.waits_for("O to move");
    // A domino needs two squares.
    page.open("#game=cram");
    page.browser.eval("document.getElementById('skip').click()");
    for key in ["Enter", "ArrowRight", "Enter"] {
        page.browser.press(key);
    }
    page.browser.wait(&format!("{POSITION}.startsWith('XX../')"));

    let tree = page.browser.call("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    let of = |role: &str| -> Vec<&Value> { nodes.iter().filter(|node| node["role"]["value"] == role).collect() };
    let name = |node: &Value| node["name"]["value"].as_str().unwrap_or_default().to_owned();
    for role in ["button", "combobox", "checkbox", "textbox", "heading", "link", "spinbutton"] {
        assert!(of(role).iter().all(|node| !name(node).trim().is_empty()), "a {role} without a name");
    }
    assert!(
        of("button").len() > 20 && nodes.iter().any(|node| name(node) == "Board" && node["role"]["value"] == "group")
    );
    assert!(nodes.iter().any(|node| name(node) == "a1, filled"));
    page.is_quiet();
}

#[test]
fn tiles_words_and_edges_are_played_by_mouse() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=dominoes&n=5");
    // A first tile may lie in two directions, so the page asks.
    page.click("0-1");
    page.browser.wait("document.querySelectorAll('#choice .move').length === 2");
    page.browser.click("#choice .move");
    page.browser.wait("document.querySelector('#chain .tile')");
    let fits =
        page.browser.text("document.querySelector('#board .place.free').getAttribute('aria-label').split(',')[0]");
    page.browser.drag(&place(&fits), "#chain");
    page.browser.wait("document.querySelectorAll('#chain .tile').length === 2");
    page.open("#game=shiritori");
    page.click("tower");
    page.browser
        .wait("[...document.querySelectorAll('#chain .said')].map((word) => word.textContent).join() === 'tower'");
    page.browser.drag(&place("rug"), "#chain");
    page.browser
        .wait("[...document.querySelectorAll('#chain .said')].map((word) => word.textContent).join() === 'tower,rug'");
    page.open("#game=trail&start=a");
    page.browser.click("#board [data-joint=\"1\"]");
    page.browser.wait(&format!("{POSITION} === '{{a-b}} b'"));
    page.browser.drag("#board [data-joint=\"1\"] circle", "#board [data-joint=\"2\"] circle");
    page.browser.wait(&format!("{POSITION} === '{{a-b,b-c}} c'"));
    page.is_quiet();
    // A game too large to be solved is searched. Where the search does not find the value, the other side still moves.
    page.open("#game=tactics&rows=5&cols=7");
    page.waits_for("the value is not known");
    assert_eq!(page.browser.eval("document.querySelectorAll('#board .place').length"), json!(35));
    page.browser.click("#opponent input[value=\"0\"] + span");
    page.waits_for("was a guess");
    page.is_quiet();
}

/// Where pieces fall, a click anywhere in a column drops one, also on a board that has no table.
#[test]
fn a_piece_falls_where_its_column_is_clicked() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=connect-four&rows=6&cols=7");
    page.waits_for("the value is not known");
    for (square, board) in [("d1", "......./......./......./......./......./...X..."), ("d2", "...O.../...X...")] {
        page.click(square);
        page.browser.wait(&format!("{POSITION}.includes({})", json!(board)));
    }
    page.open("#game=connect-four");
    page.click("b1");
    page.waits_for("O to move");
    let lowest = format!("document.querySelector('{}').getAttribute('aria-label')", place("b4"));
    assert!(page.browser.text(&lowest).starts_with("b4, X"), "{}", page.browser.text(&lowest));
}

/// The value of a board as a game is named and drawn, and follows the board.
#[test]
fn the_value_of_a_board_is_named_and_its_thermograph_drawn() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=domineering&rows=2&cols=3");
    page.waits_for("Left to move: a win");
    page.browser.click("#value summary");
    page.browser.wait("document.querySelector('#value[open] svg .wall.left')");
    let text = |page: &mut Page| page.browser.text("document.getElementById('value-body').textContent");
    let first = text(&mut page);
    for part in ["{2|-1/2}", "temperature 5/4", "After a move of Left2b1-b2", "(dominated)"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    page.browser.click("#best");
    page.waits_for("The game is over");
    // The value comes with an answer of its own.
    page.browser.wait("document.getElementById('value-body').textContent.startsWith('2mean 2, temperature -1')");
    page.browser.click("#values");
    page.browser.wait("document.getElementById('value').hidden");
    page.open("#game=tactics");
    page.waits_for("First");
    assert_eq!(page.browser.eval("document.getElementById('value').hidden"), json!(true));
    page.is_quiet();
}

/// Moves in several phases, by mouse and by keyboard.
#[test]
fn moves_in_phases_are_made_by_clicks_and_by_keys() {
    let Some(mut page) = Page::new() else { return };
    let position = |page: &mut Page, text: &str| page.browser.wait(&format!("{POSITION} === {}", json!(text)));
    // An amazon moves from b3 to c3 and shoots at a1; the same player makes both steps.
    page.open("#game=amazons");
    page.waits_for("White to move");
    page.click("b3");
    page.browser.wait("document.querySelectorAll('#board .picked').length === 1");
    page.click("c3");
    position(&mut page, ".B./.../..W white-c3");
    page.waits_for("White to move");
    page.click("a1");
    position(&mut page, "*B./.../..W black");
    page.waits_for("Black to move");
    let blocked = format!("document.querySelector('{}').getAttribute('aria-label')", place("a1"));
    assert_eq!(page.browser.text(&blocked), "a1, filled");
    page.browser.click("#back");
    page.waits_for("White to move");
    // A mill is closed, and the player chooses the piece that is taken in the same turn.
    page.open("#game=six-mens-morris&position=XX./O.O/..../.../... x-1-1");
    page.waits_for("X to move: a win");
    page.click("f6");
    page.click("c5");
    position(&mut page, "XXX/..O/..../.../... o-0-1");
    // Between a1 and c1 a cube may be pushed in two directions, so the page asks. Then the keyboard takes X's cube from
    // a1 and inserts it at c1.
    page.open("#game=quixo");
    page.click("a1");
    page.click("c1");
    page.browser.wait("document.querySelectorAll('#choice .move').length === 2");
    page.open("#game=quixo&position=X.O/.../O.X x");
    page.browser.eval("document.getElementById('skip').click()");
    for key in ["Enter", "ArrowRight", "ArrowRight", "Enter"] {
        page.browser.press(key);
    }
    position(&mut page, ".OX/.../O.X o");
    page.is_quiet();
}

/// The numbers on the board are scores, both players' points are counted, and boxes belong to the player who closed them.
#[test]
fn points_are_counted_as_the_game_goes_on() {
    let Some(mut page) = Page::new() else { return };
    let shown = |page: &mut Page, id: &str| {
        page.browser.text(&format!("document.getElementById('{id}').innerText.replace(/\\s+/g, ' ')"))
    };
    let boxes =
        "[...document.querySelectorAll('.area.owned')].map((area) => area.className.baseVal + area.textContent).join()";
    // One box is closed, and nobody knows who closed it.
    page.open("#game=dots-and-boxes&position=%23X%23X%23/X%23X%23X/%23X%23.%23/.%23.%23./%23.%23.%23 o1");
    page.waits_for("O to move: ");
    assert_eq!(
        (shown(&mut page, "score"), page.browser.text(boxes)),
        ("O 0 boxes X 1 box".into(), "area owned ".into())
    );
    // The best move has the score of the position.
    let chips = "['#verdict', '#moves'].map((id) => document.querySelector(`${id} .chip`).textContent).join()";
    let (score, best) = page.browser.text(chips).split_once(',').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(score == best && score.trim_start_matches(['+', '\u{2212}']).parse::<u8>().is_ok(), "{score} {best}");
    page.click("d3");
    page.browser.wait("document.querySelectorAll('.area.owned').length === 2");
    assert_eq!(page.browser.text(boxes), "area owned ,area owned side1O");
    assert_eq!(shown(&mut page, "score"), "O 1 box X 1 box");
    // The link says who is to move.
    page.browser.wait(&format!("{POSITION}.endsWith('#.#.# o0')"));
    // The player who closed a box moves again, and best play closes the other two.
    page.waits_for("O to move again: ");
    page.browser.click("#line");
    page.browser.wait("document.querySelectorAll('.ply.ahead').length === 5");
    // Boxes count nothing in Nimstring.
    page.open("#game=nimstring");
    page.browser.wait("document.getElementById('score').hidden");
    page.is_quiet();
}
