//! The page shares a game as a link and as text, and reads what is pasted.

use serde_json::json;

use super::page::{HASH, POSITION, Page};

#[test]
fn links_have_the_moves_and_one_box_reads_everything() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe&moves=a1,b2");
    page.has_plies(2);
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
    // The server of this test listens on this computer only.
    assert!(page.browser.text("document.getElementById('local').textContent").contains("--listen"));
    let examples = page.browser.eval("document.querySelectorAll('#sharing code').length").as_u64().unwrap();
    assert!(examples > 0);
    page.browser.eval("document.getElementById('sharing').close()");
    // A position of the game that is shown, a game as text, and a link.
    paste(&mut page, "X.O/.X./..O");
    page.browser.wait(&format!("{HASH}.includes('position=X.O/.X./..O')"));
    // A board may have a line for each row.
    paste(&mut page, "X.O\n.X.\nO..\n");
    page.browser.wait(&format!("{HASH}.includes('position=X.O/.X./O..')"));
    paste(&mut page, "tictactoe: b2, a1");
    page.has_plies(2);
    // Numbers with commas may be moves or a position.
    for (text, position) in
        [("nim: 3,2,0", "...##/..XX#/XXXXX/#####"), ("kalah: 2,0,3:1/2,2,2:0 first", "2,0,3:1/2,2,2:0 first")]
    {
        paste(&mut page, text);
        page.browser.wait(&format!("{HASH}.replaceAll('+', ' ').endsWith({})", json!(format!("&position={position}"))));
    }
    paste(&mut page, &link);
    page.browser.wait(&format!("{HASH}.endsWith('moves=a1,b2') && {POSITION} === 'X../.O./...'"));
    page.is_quiet();
}

#[test]
fn every_game_is_read_back_from_its_text() {
    let Some(mut page) = Page::new() else { return };
    page.open_front();
    assert_eq!(page.browser.eval(&format!("({})()", include_str!("read_back.js"))), json!(""));
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
    // A list, such as the words of Shiritori, is a part of the text.
    for (hash, text) in [
        ("shiritori&words=rat%0Atar%0A&moves=rat", "shiritori words=rat,tar: rat"),
        ("trail&graph=a+b%0Ab+c%0A", "trail graph=a~b,b~c: "),
    ] {
        page.open(&format!("#game={hash}"));
        page.browser.click("#share");
        page.browser.wait("document.getElementById('sharing').open");
        let shared = "document.querySelector('#sharing [aria-label=\"As text\"]').value";
        assert_eq!(page.browser.text(shared), text);
        page.browser.eval("document.getElementById('sharing').close()");
        let places = "document.querySelectorAll('#board .place').length";
        page.open("#game=tictactoe");
        opens(&mut page, text);
        page.browser.wait(&format!("{places} === 2 && !document.getElementById('sharing').open"));
    }
    // Mistakes: the box stays open, with the text and a sentence.
    page.open("#game=tictactoe");
    for (text, reason) in [
        ("hello", "\u{201c}hello\u{201d} is no link, and neither a position nor moves of Tic-Tac-Toe."),
        ("a1 b1 a1", "\u{201c}a1 b1 a1\u{201d} is no link, and neither a position nor moves of Tic-Tac-Toe.Expected"),
        ("chess: e4", "Chess is not here: "),
        ("parcheesi: e4", "There is no game called \u{201c}parcheesi\u{201d}."),
        ("shiritori: tower, tower", "Move 2 is not possible there: tower"),
    ] {
        opens(&mut page, text);
        page.browser
            .wait(&format!("document.querySelector('#sharing .notice')?.textContent.startsWith({})", json!(reason)));
        let kept = "document.getElementById('sharing').open && document.getElementById('pasted').value";
        assert_eq!(page.browser.text(kept), text);
    }
    // The browser logs refusals of the server.
    page.browser.console();
    for (text, hash) in [
        ("b2 a1 c3", "#game=tictactoe&moves=b2,a1,c3"),
        ("1. b2 c1 2. c3", "#game=tictactoe&moves=b2,c1,c3"),
        // As the page shows the moves of a game that numbers its columns.
        ("connect-four rows=4 cols=5: 3 (c4), 4 (d4)", "#game=connect-four&rows=4&cols=5&moves=c4,d4"),
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
