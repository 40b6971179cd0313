//! The interface of GamesmanUni, the web client of Berkeley's GamesCrafters: the *Universal Web API*, under `/uwapi/`.
//!
//! A variant of a game is `default`, its parameters (`rows=3,cols=3`), or the name of one of its tables. A game that
//! requires a word list or a graph has `example` instead of `default`. The server offers the games whose boards the
//! client can draw: on a grid, a graph or a row.
//!
//! Any page may read the answers. A page of a site that the server does not admit gets no answer for which a game must be
//! solved or searched.
//!
//! Under `/uwapi/drawn/`, the answers name pictures of boards and pieces, which the client must have from
//! `/uwapi/pictures.tar`. Elsewhere every piece is a cross or a circle.

mod autogui;
pub(super) mod pictures;
mod position;

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};

use super::app::{App, SEARCHED, Subject};
use super::catalogue::{DrawnGame, OwnVariant};
use super::failure::Failure;
use super::guard::{Sender, refused};
use super::query::Query;
use super::reply;
use super::sources::Opened;
use super::work::{Asker, Author, Watch, look_up};
use autogui::Drawing;
pub(super) use autogui::is_drawn;
use pictures::{Archive, Images, Variant};
use tablegen_engine::{SearchLimit, View};
use tablegen_games::{Game, Parameters};
use tablegen_rules::{Node, Outcome};

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

/// A request, and the server that answers it.
struct Asked<'a> {
    app: &'a Arc<App>,
    asker: Asker,
    sender: Sender,
    headers: &'a HeaderMap,
}

/// Answers every request under `/uwapi/`. Any web page may read the answers.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Extension(sender): Extension<Sender>,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let asked = Asked { app: &app, asker: app.work.begin(), sender, headers: &headers };
    let answered = asked.route(uri.path(), query.as_deref()).await;
    let mut response = answered.unwrap_or_else(Failure::into_response);
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

impl Asked<'_> {
    async fn route(&self, path: &str, query: Option<&str>) -> Result<Response, Failure> {
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
        let position = query.take("p");
        // Instructions have one language, so the requested language is ignored. Older clients call it `lang`.
        let _ = (query.take("lang"), query.take("locale"));
        query.nothing_left()?;
        match parts[..] {
            [] => self.listed(None).await,
            ["pictures.tar"] => self.pictures().await,
            [game] => self.listed(Some(game)).await,
            [game, variant] => self.variant(StyledBoard::of(style, game, variant)).await,
            [game, variant, "positions"] => {
                self.position(StyledBoard::of(style, game, variant), position.unwrap_or_default()).await
            }
            [game, variant, "instructions"] => self.instructions(game, variant).await,
            _ => Err(Failure::unknown("there is nothing at this address; /uwapi/ lists the games")),
        }
    }

    fn sent(&self, value: &Json) -> Response {
        reply::json(self.headers, reply::printed(value))
    }

    /// The list of games, or the list of variants of one game.
    async fn listed(&self, name: Option<&str>) -> Result<Response, Failure> {
        let games = self.app.drawn(&self.asker).await?;
        let Some(name) = name else {
            let game =
                |game: &DrawnGame| json!({"id": id(&game.name), "name": game.name, "type": "twoPlayer", "gui": GUI});
            return Ok(self.sent(&games.iter().map(game).collect::<Json>()));
        };
        let game = games.iter().find(|game| game.name == name).ok_or_else(|| unknown(name))?;
        let variant = |id: &str| json!({"id": id, "name": id, "gui": GUI});
        let variants: Json = game.variants().map(variant).collect();
        Ok(self.sent(&json!({
            "id": id(&game.name), "name": game.name, "variants": variants, "allowCustomVariantCreation": false, "supportsWinBy": false,
        })))
    }

    async fn pictures(&self) -> Result<Response, Failure> {
        let app = Arc::clone(self.app);
        let made = look_up(move || archive(&app).map(|made| (made.tag.clone(), made.content.clone())));
        let (tag, content) = made.await?;
        Ok(tag.not_modified(self.headers).unwrap_or_else(|| reply::file(&tag, "application/x-tar", content)))
    }

    /// What `describe` says about the game of a variant, which is not solved for it.
    async fn of_game(
        &self,
        game: &str,
        variant: &str,
        describe: impl FnOnce(&App, &dyn Game) -> Result<Json, Failure> + Send + 'static,
    ) -> Result<Response, Failure> {
        let (app, name) = (Arc::clone(self.app), game.to_owned());
        let subject = subject(&app, game, variant)?;
        let read = move |_: Watch<'_>| {
            let game = app.game(subject)?;
            check_drawn(game.as_ref(), &name)?;
            describe(&app, game.as_ref())
        };
        let value = self.app.work.read(Author::Server, &self.asker.bounds(), read).await?;
        Ok(self.sent(&value))
    }

    async fn variant(&self, board: StyledBoard) -> Result<Response, Failure> {
        let (game, variant) = (board.game.clone(), board.variant.clone());
        let describe = move |app: &App, game: &dyn Game| {
            let start = game.rules().start_node();
            let (view, drawing) = (View::of_node(game, start), board.drawing(app, game)?);
            let turn = position::turn_at(game, Some(start), 1);
            Ok(json!({
                "id": board.variant,
                "name": format!("{} {}", board.game, board.variant),
                "gui": GUI,
                "startPosition": position::write(turn, &view.position),
                "autoguiStartPosition": drawing.position(turn, &view.states, view.vertex),
                "imageAutoGUIData": drawing.theme(),
            }))
        };
        self.of_game(&game, &variant, describe).await
    }

    async fn instructions(&self, name: &str, variant: &str) -> Result<Response, Failure> {
        let game = name.to_owned();
        let describe = move |app: &App, of_game: &dyn Game| Ok(instructions(app, &game, of_game));
        self.of_game(name, variant, describe).await
    }

    /// The source for a variant of a game. For a page that is not admitted, nothing is solved.
    async fn open(&self, game: &str, variant: &str) -> Result<Arc<Opened>, Failure> {
        let subject = subject(self.app, game, variant)?;
        let opened = match self.sender {
            Sender::Own | Sender::Guest(_) => self.app.source(subject, &self.asker).await?,
            Sender::Foreign => {
                let known = self.app.known_source(subject, &self.asker).await?;
                known.ok_or_else(|| refused(self.headers))?
            }
        };
        check_drawn(opened.source.game(), game)?;
        Ok(opened)
    }

    async fn position(&self, board: StyledBoard, asked: String) -> Result<Response, Failure> {
        let opened = self.open(&board.game, &board.variant).await?;
        let of_board = Arc::clone(self.app);
        let answer_within = move |limit, watch: Watch<'_>| -> Result<Option<Json>, Failure> {
            let drawing = board.drawing(&of_board, opened.source.game())?;
            Ok(position::position(&opened.source, &drawing, &asked, limit, watch)?)
        };
        let answer_within = Arc::new(answer_within);
        let (first, bounds, work) = (Arc::clone(&answer_within), self.asker.bounds(), &self.app.work);
        let value = match work
            .read(Author::Server, &bounds, move |watch: Watch<'_>| first(SearchLimit::AtOnce, watch))
            .await?
        {
            Some(value) => value,
            None if self.sender == Sender::Foreign => return Err(refused(self.headers)),
            None => {
                let search = move |watch: Watch<'_>| answer_within(SEARCHED.into(), watch);
                work.solve(&bounds, search).await?.unwrap_or_default()
            }
        };
        Ok(self.sent(&value))
    }
}

/// What a player must know about `game`, which is called `name`.
fn instructions(app: &App, name: &str, game: &dyn Game) -> Json {
    let start = game.rules().start_node();
    let about = app.catalogue.about(name).map(|about| format!("{about}\n\n")).unwrap_or_default();
    let board = match start {
        Node::At(_) => format!("The board before the first move:\n\n```\n{}\n```\n", game.draw(start)),
        Node::Opening => String::new(),
    };
    let end = match game.rules().terminal() {
        _ if !game.rules().spec().terminals.is_empty() => "What happens when a player cannot move depends on the mode.",
        Outcome::Loss => "The player who cannot move loses.",
        Outcome::Win => "The player who cannot move wins.",
        Outcome::Draw => "The game is a draw when the player to move has no move.",
    };
    json!({"instructions": format!("# {}\n\n{about}{end}\n\n{board}", game.rules().name())})
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

/// Checks that the client can draw the board of `game`, which is called `name`.
fn check_drawn(game: &dyn Game, name: &str) -> Result<(), Failure> {
    if is_drawn(game.scene().layout) { Ok(()) } else { Err(unknown(name)) }
}

/// The pictures of all listed variants, made at the first use.
fn archive(app: &App) -> Result<&Archive, Failure> {
    let make = || {
        let mut variants = Vec::new();
        for listed in app.catalogue.drawn(&app.engine, is_drawn) {
            for name in listed.variants() {
                // A table may have been removed since it was listed.
                let Ok(game) = subject(app, &listed.name, name).and_then(|subject| app.game(subject)) else { continue };
                let states = View::of_node(game.as_ref(), game.rules().start_node()).states;
                variants.push(Variant { game: listed.name.clone(), name: name.into(), scene: game.scene(), states });
            }
        }
        Archive::of(variants, id).ok()
    };
    // Requests that come meanwhile wait for it.
    app.pictures.get_or_init(make).as_ref().ok_or_else(Failure::internal)
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
