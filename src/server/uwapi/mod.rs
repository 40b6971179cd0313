//! The interface of GamesmanUni, the web client of Berkeley's GamesCrafters: the *Universal Web API*, under `/uwapi/`.
//!
//! A variant of a game is `default`, its parameters (`rows=3,cols=3`), or the name of one of its tables. A game that
//! requires a word list or a graph has `example` instead of `default`. The server offers the games whose boards the
//! client can draw: on a grid, a graph or a row.
//!
//! Under `/uwapi/drawn/`, the answers name pictures of boards and pieces, which the client must have from
//! `/uwapi/pictures.tar`. Elsewhere every piece is a cross or a circle.

mod autogui;
pub(super) mod pictures;
mod position;

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};

use super::app::{App, SEARCHED, Subject};
use super::catalogue::{DrawnGame, OwnVariant};
use super::failure::Failure;
use super::query::Query;
use super::reply::{self, Lasting, Tag};
use super::sources::Opened;
use super::work::{Watch, look_up};
use crate::engine::View;
use autogui::{Drawing, is_drawn};
use pictures::{Archive, Images, Variant};
use tablegen_core::rules::{Node, Outcome};
use tablegen_games::{Game, Parameters};

/// The prefix of each game's name in the client. The client has its own drawings for some games, which it finds by
/// name.
const PREFIX: &str = "tablegen-";
/// The variant of a game with default parameters.
const DEFAULT: &str = "default";
/// The variant of a game with its sample parameters.
const EXAMPLE: &str = "example";
/// The way in which the client draws games: with images.
const GUI: &str = "v2";

/// The part of an address that asks for the boards and pieces of the page.
const DRAWN: &str = "drawn";

/// The look of the boards in an answer.
#[derive(Clone, Copy)]
enum Style {
    /// Crosses and circles of the client.
    Client,
    /// Boards and pieces of the page, if the archive has them.
    Page,
}

/// Answers every request under `/uwapi/`. Any web page may read the answers.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let answered = route(&app, uri.path(), query.as_deref(), &headers).await;
    let mut response = answered.unwrap_or_else(Failure::into_response);
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

async fn route(app: &Arc<App>, path: &str, query: Option<&str>, headers: &HeaderMap) -> Result<Response, Failure> {
    let decoded = |part: &str| {
        form_urlencoded::parse(part.as_bytes()).next().map_or(String::new(), |(text, _)| text.into_owned())
    };
    // A part of a path is decoded like a value of a query, except that plus signs are kept.
    let parts: Vec<String> = path
        .strip_prefix("/uwapi")
        .unwrap_or_default()
        .split('/')
        .filter(|part| !part.is_empty())
        .map(|part| decoded(&part.replace('+', "%2B").replace('=', "%3D").replace('&', "%26")))
        .collect();
    let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let style = if parts.first() == Some(&DRAWN) {
        parts.remove(0);
        Style::Page
    } else {
        Style::Client
    };
    // A game can also be named without the prefix.
    if let Some(game) = parts.first_mut() {
        *game = game.strip_prefix(PREFIX).unwrap_or(game);
    }
    let mut query = Query::read(query)?;
    let asked = query.take("p");
    // Instructions have one language, so the requested language is ignored. Older clients call it `lang`.
    let _ = (query.take("lang"), query.take("locale"));
    query.nothing_left()?;
    match parts[..] {
        [] => listed(app, None, headers).await,
        ["pictures.tar"] => pictures(app, headers).await,
        [game] => listed(app, Some(game.to_owned()), headers).await,
        [game, variant] => {
            let opened = open(app, game, variant).await?;
            of_variant(app, opened, StyledBoard::of(style, game, variant), headers).await
        }
        [game, variant, "positions"] => {
            let opened = open(app, game, variant).await?;
            of_position(app, opened, StyledBoard::of(style, game, variant), asked.unwrap_or_default(), headers).await
        }
        [game, variant, "instructions"] => {
            let opened = open(app, game, variant).await?;
            instructions(app, opened, game.to_owned(), headers).await
        }
        _ => Err(Failure::unknown("there is nothing at this address; /uwapi/ lists the games")),
    }
}

fn sent(headers: &HeaderMap, value: &Json) -> Response {
    let body = reply::printed(value);
    let tag = Tag::of(&[&body], Lasting::Revalidate);
    tag.not_modified(headers).unwrap_or_else(|| reply::json(&tag, body))
}

/// The list of games, or the list of variants of one game.
async fn listed(app: &Arc<App>, name: Option<String>, headers: &HeaderMap) -> Result<Response, Failure> {
    let app = Arc::clone(app);
    let value = look_up(move || {
        let games = app.catalogue.drawn(&app.engine, is_drawn);
        let Some(name) = name else {
            let game =
                |game: &DrawnGame| json!({"id": id(&game.name), "name": game.name, "type": "twoPlayer", "gui": GUI});
            return Ok(games.iter().map(game).collect::<Json>());
        };
        let game = games.into_iter().find(|game| game.name == name).ok_or_else(|| unknown(&name))?;
        let variant = |id: &str| json!({"id": id, "name": id, "gui": GUI});
        let variants: Json = game.variants().map(variant).collect();
        Ok(json!({
            "id": id(&game.name), "name": game.name, "variants": variants, "allowCustomVariantCreation": false, "supportsWinBy": false,
        }))
    });
    Ok(sent(headers, &value.await?))
}

impl DrawnGame {
    /// The names of its variants in the client.
    fn variants(&self) -> impl Iterator<Item = &str> {
        let own = self.own.map(|own| match own {
            OwnVariant::Default => DEFAULT,
            OwnVariant::Example => EXAMPLE,
        });
        own.into_iter().chain(self.sizes.iter().copied()).chain(self.tables.iter().map(String::as_str))
    }
}

/// The name of a game in the client.
fn id(game: &str) -> String {
    format!("{PREFIX}{game}")
}

fn unknown(game: &str) -> Failure {
    Failure::unknown(format!("there is no game called {game:?} here; /uwapi/ lists the games"))
}

/// The game or table that a variant means.
fn subject(app: &App, game: &str, variant: &str) -> Result<Subject, Failure> {
    let named = |name: &str, options| Subject::Named { name: name.into(), options };
    let pairs = |parameters: &Parameters| parameters.iter().map(|(name, value)| (name.into(), value.into())).collect();
    Ok(match variant {
        DEFAULT => named(game, Vec::new()),
        EXAMPLE => named(game, pairs(&app.catalogue.samples(game))),
        _ if variant.contains('=') => {
            let expected = || Failure::bad(format!("expected parameters such as rows=3,cols=3, found {variant:?}"));
            named(game, pairs(&Parameters::listed(variant).ok_or_else(expected)?))
        }
        table => named(table, Vec::new()),
    })
}

/// The source for a variant of a game.
async fn open(app: &Arc<App>, game: &str, variant: &str) -> Result<Arc<Opened>, Failure> {
    let opened = app.source(subject(app, game, variant)?).await?;
    match is_drawn(opened.source.game().scene().layout) {
        true => Ok(opened),
        false => Err(unknown(game)),
    }
}

/// The pictures of all listed variants, made at the first use.
fn archive(app: &App) -> Result<&Archive, Failure> {
    if let Some(made) = app.pictures.get() {
        return Ok(made);
    }
    let mut variants = Vec::new();
    for listed in app.catalogue.drawn(&app.engine, is_drawn) {
        for name in listed.variants() {
            // A table may have been removed since it was listed.
            let Ok(game) = subject(app, &listed.name, name).and_then(|subject| app.game(subject)) else { continue };
            let states = View::of_node(game.as_ref(), game.rules().start_node()).states;
            variants.push(Variant { game: listed.name.clone(), name: name.into(), scene: game.scene(), states });
        }
    }
    let made = Archive::of(variants, id).map_err(|_| Failure::internal())?;
    Ok(app.pictures.get_or_init(|| made))
}

async fn pictures(app: &Arc<App>, headers: &HeaderMap) -> Result<Response, Failure> {
    let app = Arc::clone(app);
    let (tag, content) = look_up(move || archive(&app).map(|made| (made.tag.clone(), made.content.clone()))).await?;
    Ok(tag.not_modified(headers).unwrap_or_else(|| reply::file(&tag, "application/x-tar", content)))
}

/// The board of a variant in a style.
struct StyledBoard {
    style: Style,
    game: String,
    variant: String,
}

impl StyledBoard {
    fn of(style: Style, game: &str, variant: &str) -> Self {
        Self { style, game: game.into(), variant: variant.into() }
    }

    /// The layout of the positions of `game`, which is the game of the variant.
    fn drawing(&self, app: &App, game: &dyn Game) -> Result<Drawing, Failure> {
        let scene = game.scene();
        let drawn = match self.style {
            Style::Page => archive(app)?.images(&pictures::board_name(&self.game, &self.variant), &scene),
            Style::Client => None,
        };
        let images = drawn.unwrap_or_else(|| Arc::new(Images::of_client(&scene)));
        Ok(Drawing::of(game, scene, images))
    }
}

async fn of_variant(
    app: &Arc<App>,
    opened: Arc<Opened>,
    board: StyledBoard,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let app = Arc::clone(app);
    let value = look_up(move || {
        let source = opened.source.game();
        let start = source.rules().start_node();
        let (view, drawing) = (View::of_node(source, start), board.drawing(&app, source)?);
        let turn = position::turn_at(source, Some(start), 1);
        Ok(json!({
            "id": board.variant,
            "name": format!("{} {}", board.game, board.variant),
            "gui": GUI,
            "startPosition": position::write(turn, &view.position),
            "autoguiStartPosition": drawing.position(turn, &view.states, view.vertex),
            "imageAutoGUIData": drawing.theme(),
        }))
    });
    Ok(sent(headers, &value.await?))
}

async fn of_position(
    app: &Arc<App>,
    opened: Arc<Opened>,
    board: StyledBoard,
    asked: String,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    if let Some(known) = opened.tag.not_modified(headers) {
        return Ok(known);
    }
    let (tag, of_board) = (opened.tag.clone(), Arc::clone(app));
    let answer_within = move |limit, watch: Watch<'_>| -> Result<Option<Json>, Failure> {
        let drawing = board.drawing(&of_board, opened.source.game())?;
        Ok(position::position(&opened.source, &drawing, &asked, limit, watch)?)
    };
    let answer_within = Arc::new(answer_within);
    let first = Arc::clone(&answer_within);
    let value = match look_up(move || first(0, &|| ControlFlow::Continue(()))).await? {
        Some(value) => value,
        None => app.solve_slots.long(move |watch: Watch<'_>| answer_within(SEARCHED, watch)).await?.unwrap_or_default(),
    };
    Ok(reply::json(&tag, reply::printed(&value)))
}

async fn instructions(
    app: &Arc<App>,
    opened: Arc<Opened>,
    name: String,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let app = Arc::clone(app);
    let value = look_up(move || {
        let game = opened.source.game();
        let start = game.rules().start_node();
        let about = app.catalogue.about(&name).map(|about| format!("{about}\n\n")).unwrap_or_default();
        let board = match start {
            Node::At(_) => format!("The board before the first move:\n\n```\n{}\n```\n", game.draw(start)),
            Node::Opening => String::new(),
        };
        let end = match game.rules().terminal() {
            _ if !game.rules().spec().terminals.is_empty() => {
                "What happens when a player cannot move depends on the mode."
            }
            Outcome::Loss => "The player who cannot move loses.",
            Outcome::Win => "The player who cannot move wins.",
            Outcome::Draw => "The game is a draw when the player to move has no move.",
        };
        Ok(json!({"instructions": format!("# {}\n\n{about}{end}\n\n{board}", game.rules().name())}))
    });
    Ok(sent(headers, &value.await?))
}
