//! The pictures in `docs/img/` are boards of the page, with the value of each move. The pictures for GamesmanUni have the same
//! shapes and colours as the page.
//!
//! `TABLEGEN_WRITE_PICTURES=1 cargo test --test front server::pictures -- --include-ignored` writes them again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::Served;
use super::browser::Browser;
use super::page::show_values;
use super::uwapi::pictures;

/// If this variable is set, the tests write the pictures instead of comparing them.
const WRITE: &str = "TABLEGEN_WRITE_PICTURES";
/// A JavaScript expression: the board that the page shows, as the text of an SVG file.
const PICTURE: &str = include_str!("picture.js");

/// A JavaScript function: the shapes of an SVG file that the page does not show, by their places, outlines and colours.
const OTHER_SHAPES: &str = include_str!("other_shapes.js");

/// A picture in `docs/img/`.
struct Picture {
    file: String,
    /// The game, its options and the position, as in the page's address.
    hash: String,
}

impl Picture {
    /// The starting board of a game.
    fn of_game(name: &str) -> Self {
        // With its default options, this game is tic-tac-toe.
        let options = if name == "mnk" { "&rows=4&cols=4&k=4" } else { "" };
        Self { file: format!("games/{name}.svg"), hash: format!("#game={name}{options}") }
    }

    /// A position in the middle of a game.
    fn of_moves() -> Self {
        Self { file: "tactics-moves.svg".into(), hash: "#game=tactics&position=XX../XX../..../....".into() }
    }

    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/img").join(&self.file)
    }

    /// Whether `other` shows the same board as the file. Boxes of words are as wide as the fonts of the machine make
    /// them, so there only the words and their colours count.
    fn is_like(&self, other: &str) -> bool {
        let stored = fs::read_to_string(self.path()).unwrap_or_else(|error| panic!("{}: {error}", self.file));
        let has_words = self.hash == "#game=shiritori";
        let compared = |svg: &str| match svg.split_once("<style>") {
            Some((_, rest)) if has_words => rest.replace(|character: char| character.is_ascii_digit(), ""),
            _ => svg.to_owned(),
        };
        compared(&stored) == compared(other)
    }
}

/// A browser in which boards do not move, if there is one.
fn still_browser() -> Option<Browser> {
    let mut browser = Browser::start()?;
    // At this width the page has one column, so that long rows are not broken.
    browser.window(800, 900, false);
    // Without animations, the colours of a new board are final at once.
    let media = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    browser.call("Emulation.setEmulatedMedia", media);
    Some(browser)
}

/// Opens the page at `hash`, and waits for its board and the values of its moves.
fn open(browser: &mut Browser, served: &Served, hash: &str) {
    browser.open(&format!("http://{}/{hash}", served.address));
    let board = "document.querySelector('#board:not([aria-busy]) .place')";
    // The starts of the largest games have no values.
    let values = "(document.querySelector('#moves .chip') || document.querySelector('#verdict')?.innerText.includes('is not known'))";
    browser.wait(&format!("document.readyState === 'complete' && {board} && {values}"));
}

/// Compares the pictures with the boards of the page, or writes them.
fn check(served: &Served, pictures: &[Picture]) {
    let Some(mut browser) = still_browser() else { return };
    show_values(&mut browser, served);
    for picture in pictures {
        open(&mut browser, served, &picture.hash);
        let svg = browser.text(PICTURE);
        if std::env::var_os(WRITE).is_some() {
            fs::write(picture.path(), svg).unwrap();
        } else {
            assert!(picture.is_like(&svg), "{}: the page draws another board; write it with {WRITE}=1", picture.file);
        }
    }
}

#[test]
fn some_pictures_are_boards_of_the_page() {
    let games = ["clobber", "hex", "trail"].map(Picture::of_game);
    let pictures: Vec<Picture> = games.into_iter().chain([Picture::of_moves()]).collect();
    check(&Served::new(), &pictures);
}

#[test]
#[ignore = "opens every game"]
fn every_picture_is_a_board_of_the_page() {
    let served = Served::new();
    let games = served.json("/api/v1/games");
    let names = games["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap());
    let mut pictures: Vec<Picture> = names.map(Picture::of_game).collect();
    let expected: BTreeSet<PathBuf> = pictures.iter().map(Picture::path).collect();
    pictures.push(Picture::of_moves());
    check(&served, &pictures);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/img/games");
    let found: BTreeSet<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(found, expected);
}

/// Compares the thumbnails for GamesmanUni with the boards of the page.
fn check_thumbnails(served: &Served, names: &[String]) {
    let Some(mut browser) = still_browser() else { return };
    show_values(&mut browser, served);
    let files = pictures(served);
    for name in names {
        open(&mut browser, served, &format!("#game={name}"));
        browser.click("#values");
        browser.wait("!document.querySelector('#moves .chip')");
        let thumbnail = &files[&format!("thumbnail/tablegen-{name}-regular.svg")];
        let other = browser.text(&format!("({OTHER_SHAPES})({})", json!(thumbnail)));
        assert_eq!(other, "", "{name}");
        browser.click("#values");
    }
}

#[test]
fn some_thumbnails_for_gamesmanuni_are_boards_of_the_page() {
    let names = ["connect-four", "hex", "hackenbush", "hare-and-hounds", "amazons", "petersen-kayles"];
    check_thumbnails(&Served::new(), &names.map(str::to_owned));
}

#[test]
#[ignore = "opens every game"]
fn every_thumbnail_for_gamesmanuni_is_a_board_of_the_page() {
    let served = Served::new();
    let listed = served.json("/uwapi/");
    let with_default = |game: &&serde_json::Value| {
        let variants = served.json(&format!("/uwapi/{}/", game["id"].as_str().unwrap()));
        variants["variants"][0]["id"] == "default"
    };
    let games = listed.as_array().unwrap().iter().filter(with_default);
    let names: Vec<String> = games.map(|game| game["name"].as_str().unwrap().to_owned()).collect();
    assert!(names.len() >= 60, "{}", names.len());
    check_thumbnails(&served, &names);
}
