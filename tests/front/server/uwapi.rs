//! The interface of the GamesmanUni web client: its answers have every field that the client reads, in the form that it
//! draws.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use serde_json::Value;

use super::Served;

/// The centers that a drawn move names, after checking its form.
fn centers(drawn: &str) -> Vec<usize> {
    let parts: Vec<&str> = drawn.split('_').collect();
    match parts[..] {
        ["A", token, center, _] if token.len() == 1 => vec![center.parse().unwrap()],
        ["M" | "L", from, to, _] => vec![from.parse().unwrap(), to.parse().unwrap()],
        ["T", text, center, _] if !text.is_empty() => vec![center.parse().unwrap()],
        _ => panic!("{drawn}"),
    }
}

/// Checks a drawn position against the theme of its variant.
fn drawn(position: &Value, theme: &Value) {
    let text = position.as_str().unwrap();
    let (turn, board) = text.split_once('_').unwrap();
    let centers = theme["centers"].as_array().unwrap();
    assert!(matches!(turn, "1" | "2") && board.chars().count() == centers.len(), "{text}");
    for sign in board.chars().filter(|sign| *sign != '-') {
        assert!(theme["entities"][sign.to_string()]["image"].is_string(), "{sign}");
    }
}

/// Checks a position, and returns it.
fn position(served: &Served, variant: &str, theme: &Value, p: &str) -> Value {
    // The client does not escape positions.
    assert!(p.bytes().all(|byte| byte.is_ascii_graphic() && !b"#&+%:".contains(&byte)), "{p}");
    let all = served.json(&format!("{variant}positions/?p={p}"));
    assert_eq!(all["position"], p);
    drawn(&all["autoguiPosition"], theme);
    let moves = all["moves"].as_array().unwrap();
    let mut seen = HashSet::new();
    for m in moves {
        drawn(&m["autoguiPosition"], theme);
        assert!(m["move"].is_string() && m["position"].is_string());
        assert!(seen.insert(m["autoguiMove"].as_str().unwrap()), "{m}");
        let count = theme["centers"].as_array().unwrap().len();
        assert!(centers(m["autoguiMove"].as_str().unwrap()).iter().all(|&center| center < count), "{m}");
        let turn = |it: &Value| it["autoguiPosition"].as_str().unwrap()[..1].to_owned();
        // A value is for the player to move, who may be the same player as before.
        let of_mover = match m["positionValue"].as_str().unwrap() {
            value if turn(m) == turn(&all) => value,
            "win" => "lose",
            "lose" => "win",
            value => value,
        };
        assert_eq!(m["moveValue"], of_mover, "{m}");
        assert!(m["deltaRemoteness"].as_i64().is_some_and(|delta| delta >= 0));
    }
    // The best move has the value of the position, one ply less to the end, and a difference of 0.
    if let Some(best) = moves.first().filter(|best| best["moveValue"] != "unsolved") {
        assert_eq!((&best["moveValue"], &best["deltaRemoteness"]), (&all["positionValue"], &0.into()), "{all}");
        if all["remoteness"].as_i64() > Some(0) && all["positionValue"] != "tie" {
            assert_eq!(all["remoteness"].as_i64(), best["remoteness"].as_i64().map(|plies| plies + 1), "{all}");
        }
    }
    all
}

#[test]
fn the_client_can_play_every_game_to_its_end() {
    let served = Served::with(&["--time", "600"]);
    let games = served.json("/uwapi/");
    let mut ends = 0;
    // Mills of many men are too large to be played with best moves here.
    let large = ["lasker-morris", "morabaraba", "nine-mens-morris"];
    let is_large = |game: &&Value| large.contains(&game["name"].as_str().unwrap());
    for game in games.as_array().unwrap().iter().filter(|game| !is_large(game)) {
        assert_eq!((&game["type"], &game["gui"]), (&"twoPlayer".into(), &"v2".into()));
        let id = game["id"].as_str().unwrap();
        let about = served.json(&format!("/uwapi/{id}/"));
        assert_eq!((&about["id"], &about["supportsWinBy"]), (&game["id"], &false.into()));
        // The client has boards of its own for games with common names.
        assert_eq!(game["id"], format!("tablegen-{}", game["name"].as_str().unwrap()));
        let variants = about["variants"].as_array().unwrap();
        assert!(!variants.is_empty(), "{id}");
        // Other sizes are tested where they are listed.
        for variant in variants.iter().filter(|variant| !variant["id"].as_str().unwrap().contains('=')) {
            let at = format!("/uwapi/{id}/{}/", variant["id"].as_str().unwrap());
            let start = served.json(&at);
            assert_eq!((&start["id"], start["name"].is_string()), (&variant["id"], true));
            let data = &start["imageAutoGUIData"];
            let theme = &data["themes"][data["defaultTheme"].as_str().unwrap()];
            let space = theme["space"].as_array().unwrap();
            for center in theme["centers"].as_array().unwrap() {
                assert!(
                    (0..2).all(|axis| (0.0..=space[axis].as_f64().unwrap()).contains(&center[axis].as_f64().unwrap()))
                );
            }
            drawn(&start["autoguiStartPosition"], theme);
            assert!(theme.get("background").is_none(), "the client takes every background for the name of an image");
            assert!(
                served.json(&format!("{at}instructions/?locale=en-US"))["instructions"]
                    .as_str()
                    .unwrap()
                    .starts_with("# ")
            );
            let mut p = start["startPosition"].as_str().unwrap().to_owned();
            let mut turn = start["autoguiStartPosition"].as_str().unwrap()[..1].to_owned();
            // Games whose pieces move may never end.
            for _ in 0..60 {
                let now = position(&served, &at, theme, &p);
                assert_eq!(now["autoguiPosition"].as_str().unwrap()[..1], turn);
                // The last move makes the game differ from best play.
                let Some(m) = now["moves"].as_array().unwrap().last() else { break };
                p = m["position"].as_str().unwrap().to_owned();
                let next = m["autoguiPosition"].as_str().unwrap()[..1].to_owned();
                // Only in these games may a player move again.
                let again = ["amazons", "dots-and-boxes", "isolation", "kalah", "l-game", "nimstring", "triangulation"];
                assert!(next != turn || again.contains(&game["name"].as_str().unwrap()), "{id}: {m}");
                turn = next;
            }
            ends += 1;
        }
    }
    assert!(ends >= 18, "{ends}");
}

/// The pictures of boards and pieces that a server offers, by their paths in the client's folder of images.
pub(super) fn pictures(served: &Served) -> HashMap<String, String> {
    let archive = served.get("/uwapi/pictures.tar");
    assert_eq!((archive.status, archive.header("content-type")), (200, Some("application/x-tar")));
    let read = |entry: std::io::Result<tar::Entry<'_, &[u8]>>| {
        let mut entry = entry.unwrap();
        let (path, mut text) = (entry.path().unwrap().display().to_string(), String::new());
        entry.read_to_string(&mut text).unwrap();
        (path, text)
    };
    tar::Archive::new(archive.body.as_bytes()).entries().unwrap().map(read).collect()
}

#[test]
fn the_client_has_every_picture_that_a_drawn_board_names() {
    let served = Served::new();
    let pictures = pictures(&served);
    for game in served.json("/uwapi/drawn/").as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        assert!(pictures.contains_key(&format!("thumbnail/{id}-regular.svg")), "{id}");
        let variants = served.json(&format!("/uwapi/drawn/{id}/"))["variants"].clone();
        for variant in variants.as_array().unwrap() {
            let name = variant["id"].as_str().unwrap();
            assert!(pictures.contains_key(&format!("thumbnail/{id}-{name}.svg")), "{id} {name}");
            // Large boards are solved before their first answer.
            if name.contains('=') {
                continue;
            }
            let at = format!("/uwapi/drawn/{id}/{name}/");
            let start = served.json(&at);
            let data = &start["imageAutoGUIData"];
            let theme = &data["themes"][data["defaultTheme"].as_str().unwrap()];
            let entities = theme["entities"].as_object().unwrap();
            let images = entities.values().map(|entity| &entity["image"]);
            let layers = ["background", "foreground"].into_iter().filter_map(|layer| theme.get(layer));
            assert!(theme.get("background").is_some(), "{id}");
            for image in images.chain(layers) {
                assert!(pictures.contains_key(&format!("svg/{}", image.as_str().unwrap())), "{id}: {image}");
            }
            assert_eq!(theme["entities"], theme["charImages"]);
            let now = position(&served, &at, theme, start["startPosition"].as_str().unwrap());
            if let Some(m) = now["moves"].as_array().unwrap().first() {
                position(&served, &at, theme, m["position"].as_str().unwrap());
            }
        }
    }
    // This board is not listed, so the client has no picture of it.
    let start = served.json("/uwapi/drawn/tablegen-tactics/rows=1,cols=5/");
    assert!(start["imageAutoGUIData"]["themes"]["regular"].get("background").is_none());
    // Play has come to this vertex.
    let after = served.json("/uwapi/drawn/tablegen-trail/example/positions/?p=")["moves"][0].clone();
    let board = after["autoguiPosition"].as_str().unwrap().to_owned();
    let plain = served.json("/uwapi/tablegen-trail/example/positions/?p=")["moves"][0].clone();
    let filled = |text: &str| text[2..].chars().filter(|sign| *sign != '-').count();
    assert_eq!(filled(&board), filled(plain["autoguiPosition"].as_str().unwrap()) + 1);
}
