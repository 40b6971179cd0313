//! Answers about a game, which a request names or sends as the text of a rules file.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::app::{App, SEARCHED, Subject};
use super::body;
use super::failure::Failure;
use super::query::Query;
use super::reply::{self, Lasting, Tag};
use super::sources::Opened;
use super::work::{Watch, look_up};
use crate::engine::{Asked, EngineError, Preview, RulesFacts, Source, Stats, UseSymmetry, View, json, rules_file};
use tablegen_core::rules::Outcome;
use tablegen_games::Parameters;
use tablegen_solve::SolveError;

/// The kind of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerKind {
    /// The object that `probe --json` prints.
    Probe,
    /// The object that `line --json` prints.
    Line,
    /// The drawing of the position.
    Scene,
    /// The drawing of a position in the middle of the game.
    Preview,
    /// The object that `estimate --json` prints.
    Estimate,
    /// The object that `stats --json` prints.
    Stats,
}

/// Answers a request that names a game or a table.
pub(super) async fn named(
    kind: AnswerKind,
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let mut query = Query::read(query.as_deref())?;
    let (name, position) = (query.need("game")?, position(kind, &mut query)?);
    let subject = Subject::Named { name, options: query.rest() };
    let unsolved = match kind {
        AnswerKind::Scene => Some(scene(app.clone(), subject.clone(), position.clone()).await?),
        AnswerKind::Preview => Some(preview(app.clone(), subject.clone()).await?),
        // The estimated time is measured again for each request.
        AnswerKind::Estimate => return estimate(app, subject).await.map(reply::fresh),
        AnswerKind::Probe | AnswerKind::Line | AnswerKind::Stats => None,
    };
    if let Some(body) = unsolved {
        let tag = Tag::of(&[&body], Lasting::Revalidate);
        return Ok(tag.not_modified(&headers).unwrap_or_else(|| reply::json(&tag, body)));
    }
    let opened = app.source(subject).await?;
    if let Some(known) = opened.tag.not_modified(&headers) {
        return Ok(known);
    }
    let body = answer(&app, kind, &opened, position).await?;
    Ok(reply::json(&opened.tag, body))
}

/// Answers a request that sends a rules file.
pub(super) async fn sent(
    kind: AnswerKind,
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    body: Body,
) -> Result<Response, Failure> {
    let mut query = Query::read(query.as_deref())?;
    let position = position(kind, &mut query)?;
    let text = body::rules_file(&app, body).await?;
    let subject = Subject::Sent { text, options: query.rest() };
    if kind == AnswerKind::Scene {
        return scene(app, subject, position).await.map(reply::fresh);
    }
    let opened = app.source(subject).await?;
    answer(&app, kind, &opened, position).await.map(reply::fresh)
}

/// Answers `/api/v1/check` with the object that `check --json` prints.
pub(super) async fn check(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    body: Body,
) -> Result<Response, Failure> {
    let query = Query::read(query.as_deref())?;
    let text = body::rules_file(&app, body).await?;
    let engine = app.engine.clone();
    let check = move |watch: Watch<'_>| {
        let game = rules_file(&text, &Parameters::from(query.rest()))?;
        let choice = engine.choose_watched(&game, None, Some(&|_| watch()))?;
        let facts = RulesFacts::of(tablegen_games::Game::rules(&game));
        Ok(reply::printed(&json::rules_file(&facts, &game.report(), &choice).into()))
    };
    app.solve_slots.long(check).await.map(reply::fresh)
}

/// Answers `/api/v1/table` with the table of a sent rules file, as `build` writes it.
pub(super) async fn table(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    body: Body,
) -> Result<Response, Failure> {
    let query = Query::read(query.as_deref())?;
    let text = body::rules_file(&app, body).await?;
    let opened = app.source(Subject::Sent { text, options: query.rest() }).await?;
    look_up(move || {
        let open = opened.source.open_table().ok_or_else(|| missing(&opened.source))?;
        let content = open.table.file_content().map_err(EngineError::Read)?;
        Ok(reply::download(content))
    })
    .await
}

/// Takes the position from the query, if this kind of answer has one.
fn position(kind: AnswerKind, query: &mut Query) -> Result<Option<String>, Failure> {
    match (kind, query.take("position")) {
        (AnswerKind::Stats | AnswerKind::Preview | AnswerKind::Estimate, Some(_)) => {
            Err(Failure::bad("expected no position: the answer is about the whole game"))
        }
        (_, position) => Ok(position),
    }
}

/// The drawing of a position. It needs the game but no table, so nothing is solved.
async fn scene(app: Arc<App>, subject: Subject, position: Option<String>) -> Result<Vec<u8>, Failure> {
    look_up(move || {
        let game = app.game(subject)?;
        let asked = Asked::typed(game.as_ref(), position.as_deref())?;
        Ok(reply::printed(&json::view(game.as_ref(), &View::of(game.as_ref(), &asked)?)))
    })
    .await
}

/// The most positions that a search for the outcome of a start expands. The page asks for the preview of every game.
const PREVIEWED: u64 = 20_000;

/// The drawing of a position in the middle of a game, and the outcome of its start if that is known at once.
async fn preview(app: Arc<App>, subject: Subject) -> Result<Vec<u8>, Failure> {
    look_up(move || {
        let game = app.game(subject)?;
        let drawn = Preview::of(game.as_ref());
        let mut body = json::preview(game.as_ref(), &drawn);
        let (outcome, class) = app.engine.start_outcome(game, PREVIEWED).unwrap_or_default();
        body["outcome"] = outcome.map(Outcome::name).into();
        if let Some(class) = class {
            body["outcome_class"] = class.name().into();
        }
        Ok(reply::printed(&body))
    })
    .await
}

/// The size of a game, and the time and memory to solve it.
async fn estimate(app: Arc<App>, subject: Subject) -> Result<Vec<u8>, Failure> {
    let engine = app.engine.clone();
    let game = app.game(subject)?;
    let estimate = move |watch: Watch<'_>| {
        let labels = game.usual_labels();
        let estimate = engine.estimate_watched(game.as_ref(), (None, UseSymmetry::Auto), labels, Some(&|_| watch()))?;
        let mut body = json::estimate(&RulesFacts::of(game.rules()), &estimate);
        body.insert("title".into(), game.title().into());
        body.insert("solved_on_request".into(), estimate.is_solved_on_demand(game.as_ref()).into());
        Ok(reply::printed(&body.into()))
    };
    app.solve_slots.long(estimate).await
}

async fn answer(app: &App, kind: AnswerKind, opened: &Arc<Opened>, position: Option<String>) -> Result<Bytes, Failure> {
    if kind == AnswerKind::Stats {
        return stats(app, opened).await;
    }
    let (first, kept) = (Arc::clone(opened), position.clone());
    // Look-ups alone are quick, and suffice for most requests.
    if let Some(body) =
        look_up(move || answer_within(kind, &first, kept.as_deref(), 0, &|| ControlFlow::Continue(()))).await?
    {
        return Ok(body.into());
    }
    let opened = Arc::clone(opened);
    let search = move |watch: Watch<'_>| answer_within(kind, &opened, position.as_deref(), SEARCHED, watch);
    Ok(app.solve_slots.long(search).await?.unwrap_or_default().into())
}

/// The error that the answer needs a table and the game has none.
fn missing(source: &Source) -> EngineError {
    EngineError::Missing { name: source.game().rules().name().into() }
}

/// The answer, with a search of at most `limit` positions. `None` if `limit` is 0 and a search may find more.
fn answer_within(
    kind: AnswerKind,
    opened: &Opened,
    position: Option<&str>,
    limit: u64,
    watch: Watch<'_>,
) -> Result<Option<Vec<u8>>, Failure> {
    let source = &opened.source;
    let asked = Asked::typed(source.game(), position)?;
    let body = match kind {
        AnswerKind::Probe => {
            let answered = source.answer_watched(&asked, limit, watch)?;
            if limit == 0 && !source.is_settled(&answered) {
                return Ok(None);
            }
            if source.lacks_table_for(&answered) {
                return Err(missing(source).into());
            }
            let mut text = json::answered_text(source, &answered);
            text.push('\n');
            return Ok(Some(text.into_bytes()));
        }
        AnswerKind::Line => {
            let line = source.line_within(&asked, limit, watch)?;
            if limit == 0 && !source.is_line_settled(&line) {
                return Ok(None);
            }
            if source.lacks_table_for(&line.start) {
                return Err(missing(source).into());
            }
            json::line(source, &line)
        }
        _ => unreachable!("they do not look a position up"),
    };
    Ok(Some(reply::printed(&body)))
}

/// The statistics of the table, which are counted only once.
async fn stats(app: &App, opened: &Arc<Opened>) -> Result<Bytes, Failure> {
    let count = || {
        let opened = Arc::clone(opened);
        app.solve_slots.long(move |watch: Watch<'_>| {
            let source = &opened.source;
            let open = source.open_table().ok_or_else(|| missing(source))?;
            let stats = Stats::of(open, &|_| watch())?.ok_or(EngineError::from(SolveError::Cancelled))?;
            Ok(Bytes::from(reply::printed(&json::stats(&stats).into())))
        })
    };
    opened.stats.get_or_try_init(count).await.cloned()
}
