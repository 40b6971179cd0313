//! Boards look as people know them, and are legible on a phone.

use serde_json::json;

use super::page::{Page, place};

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
        page.is_valued();
        let small = page.browser.eval(&text(of)).as_f64().unwrap();
        assert!(small >= 9.5, "{game} {of}: {small} pixels");
    }
    // Moves with the same result in points stand together, however long they take.
    page.open("#game=kalah&position=2,2,0:1/0,1,4:2 second");
    page.is_valued();
    let counts = "['.group', '.move'].map((what) => document.querySelectorAll(`#moves ${what}`).length)";
    assert_eq!(page.browser.eval(counts), json!([1, 2]));
    page.is_quiet();
}

#[test]
fn values_cover_no_pins_on_a_phone() {
    let Some(mut page) = Page::new() else { return };
    // The least height of a pin and of a value, and the least distance between them.
    let measured = "(() => { const box = (element) => element.getBoundingClientRect(); \
        const both = [...document.querySelectorAll('#board .place')].map((place, n) => [place.querySelector('.man'), document.querySelectorAll('#board .badge')[n]]) \
            .filter(([, badge]) => badge.querySelector('.value')).map(([man, badge]) => [box(man), box(badge.querySelector('.plate')), box(badge.querySelector('.value'))]); \
        return [both.length, ...[both.map(([man]) => man.height), both.map(([, , value]) => value.height), both.map(([man, plate]) => plate.top - man.bottom)].map((all) => Math.min(...all))]; })()";
    for width in [420, 360] {
        page.browser.window(width, 900, false);
        // A value covers no name of its square.
        for game in ["welter", "toads-and-frogs", "turning-turtles"] {
            page.open(&format!("#game={game}"));
            page.is_valued();
            let between = "Math.min(...[...document.querySelectorAll('#board .plate')].map((plate) => { const { bottom, left, right } = plate.getBoundingClientRect(); \
                return Math.min(...[...document.querySelectorAll('#board .ruler')].map((name) => name.getBoundingClientRect()).filter((name) => name.left < right && name.right > left).map((name) => name.top + name.height / 6)) - bottom; }))";
            let between = page.browser.eval(between).as_f64().unwrap();
            assert!(between >= 0.0, "{game}, {width}: {between}");
        }
        for game in ["kayles", "kayles&pins=20", "toppling-dominoes", "nim", "nim&a=1&b=3&c=5&d=7"] {
            page.open(&format!("#game={game}"));
            page.browser.wait("document.querySelector('#board .value') && document.querySelector('#moves .chip')");
            let found = page.browser.eval(measured);
            let [count, pin, value, between] = [0, 1, 2, 3].map(|part: usize| found[part].as_f64().unwrap());
            assert!(count >= 8.0 && pin >= 14.0 && value >= 9.5 && between >= 0.0, "{game}, {width}: {found}");
        }
    }
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
    // There is ground below what stands on it, and no points are left of what fell.
    assert_eq!(count(&mut page, ".ground"), json!(4));
    page.browser.click("#values");
    page.open("#game=hackenbush&moves=c1,g1");
    page.has_plies(2);
    let points = "[...document.querySelectorAll('#board .joint')].filter((joint) => joint.checkVisibility({ visibilityProperty: true })).length";
    assert_eq!(page.browser.eval(points), json!(11));
    page.open("#game=toppling-dominoes");
    assert_eq!(count(&mut page, "rect.upright"), json!(8), "rect.upright");
    page.open("#game=capture-go");
    assert_eq!(count(&mut page, ".join"), json!(12), ".join");
    // So are the lines of the mills, and the lines between the points of a ring.
    page.open("#game=nine-mens-morris&men=3");
    assert_eq!((count(&mut page, ".join"), count(&mut page, ".point")), (json!(32), json!(24)));
    page.open("#game=triangulation");
    assert_eq!((count(&mut page, "path.edge.cell"), count(&mut page, ".joint")), (json!(15), json!(6)));
    // Squares of one colour alone are the dark ones.
    for (game, dark) in [("fox-and-hounds", 18), ("queens", 8), ("knights", 8)] {
        page.open(&format!("#game={game}"));
        assert_eq!(count(&mut page, ".dark"), json!(dark), "{game}");
    }
    // The snail is where the position says.
    page.open("#game=slimetrail&position=..../..../..XX/..X.+first-d3");
    page.browser.wait("document.querySelector('#board .lastdot')?.getAttribute('cx') === '350'");
    // What a move takes from the board with the vertex is crossed out.
    page.open("#game=petersen-kayles&moves=a");
    assert_eq!(count(&mut page, "path.block.beside"), json!(3), "path.block.beside");
    // A row of twelve needs no scrolling where a third column stands beside it.
    page.browser.window(1240, 900, false);
    page.open("#game=kayles");
    let fits = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.getElementById('board'))";
    assert_eq!(page.browser.eval(fits), json!(true));
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
    // The window cuts a square, and fades the edge beyond which the row goes on.
    let part = "(() => { const { right } = document.getElementById('board').getBoundingClientRect();
                const cut = [...document.querySelectorAll('#board .cell')].map((cell) => cell.getBoundingClientRect()).find((cell) => cell.right > right);
                return (right - cut.left) / cut.width; })()";
    let part = page.browser.eval(part).as_f64().unwrap();
    assert!((0.2..0.8).contains(&part), "{part}");
    let edges = "document.getElementById('board').className.match(/more-\\w+/g).join(' ')";
    assert_eq!(page.browser.text(edges), "more-after");
    page.click("l1");
    page.browser.wait("document.querySelector('#board .picked')");
    page.browser.wait(&format!("{edges} === 'more-before'"));
    // A row begins where a move begins: Welter's coins stand at its end.
    for game in ["subtraction", "welter"] {
        page.open(&format!("#game={game}"));
        page.browser.wait("document.getElementById('board').scrollLeft > 0");
    }
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
