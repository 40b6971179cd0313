//! Answers about a game, which a request names or sends as the text of a rules file.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::app::{App, SEARCHED, Subject};
use super::body;
use super::failure::Failure;
use super::query::Query;
use super::reply;
use super::sources::Opened;
use super::work::{Asker, Author, Bounds, Watch};
use tablegen_engine::{Asked, EngineError, EstimateOptions, RulesFacts, Source, Stats, View, json, rules_file};
use tablegen_games::{Game, Parameters};
use tablegen_solvers::SolveError;

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
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let (name, position) = (query.need("game")?, position(kind, &mut query)?);
    let subject = Subject::Named { name, options: query.rest() };
    let body = answer(&app, kind, subject, position).await?;
    // The estimated time is measured again for each request.
    Ok(if kind == AnswerKind::Estimate { reply::fresh(body) } else { reply::json(&headers, body) })
}

/// Answers a request that sends a rules file.
pub(super) async fn sent(
    kind: AnswerKind,
    State(app): State<Arc<App>>,
    mut query: Query,
    body: Body,
) -> Result<Response, Failure> {
    let position = position(kind, &mut query)?;
    let text = body::rules_file(&app, body).await?;
    let subject = Subject::Sent { text, options: query.rest() };
    answer(&app, kind, subject, position).await.map(reply::fresh)
}

/// Answers `/api/v1/check` with the object that `check --json` prints.
pub(super) async fn check(State(app): State<Arc<App>>, query: Query, body: Body) -> Result<Response, Failure> {
    let text = body::rules_file(&app, body).await?;
    let asker = app.work.begin();
    let read = move |_: Watch<'_>| Ok(rules_file(&text, &Parameters::from(query.rest()))?);
    let game = app.work.read(Author::Client, &asker.bounds(), read).await?;
    let engine = app.engine.clone();
    let check = move |watch: Watch<'_>| {
        let choice = engine.choose(&game, None, Some(&|_| watch()))?;
        let facts = RulesFacts::of(Game::rules(&game));
        Ok(reply::printed(&json::rules_file(&facts, &game.report(), &choice).into()))
    };
    app.work.solve(&asker.bounds(), check).await.map(reply::fresh)
}

/// Answers `/api/v1/table` with the table of a sent rules file, as `build` writes it.
pub(super) async fn table(State(app): State<Arc<App>>, query: Query, body: Body) -> Result<Response, Failure> {
    let text = body::rules_file(&app, body).await?;
    let asker = app.work.begin();
    let opened = app.source(Subject::Sent { text, options: query.rest() }, &asker).await?;
    let copy = move |_: Watch<'_>| {
        let open = opened.source.open_table().ok_or_else(|| missing(&opened.source))?;
        let content = open.table.file_content().map_err(EngineError::Read)?;
        Ok(reply::download(content))
    };
    app.work.read(Author::Client, &asker.bounds(), copy).await
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

async fn answer(
    app: &Arc<App>,
    kind: AnswerKind,
    subject: Subject,
    position: Option<String>,
) -> Result<Bytes, Failure> {
    let asker = app.work.begin();
    let author = subject.author();
    match kind {
        AnswerKind::Scene => scene(app, &asker, subject, position).await,
        AnswerKind::Preview => app.preview(subject, &asker).await,
        AnswerKind::Estimate => estimate(app, &asker, subject).await,
        AnswerKind::Stats => {
            let opened = app.source(subject, &asker).await?;
            stats(app, &asker, &opened).await
        }
        AnswerKind::Probe | AnswerKind::Line => {
            let opened = app.source(subject, &asker).await?;
            value(app, &asker, author, kind, opened, position).await
        }
    }
}

/// The drawing of a position. It needs the game but no table, so nothing is solved.
async fn scene(app: &Arc<App>, asker: &Asker, subject: Subject, position: Option<String>) -> Result<Bytes, Failure> {
    let (of_app, author) = (Arc::clone(app), subject.author());
    let draw = move |_: Watch<'_>| {
        let game = of_app.game(subject)?;
        let asked = Asked::typed(game.as_ref(), position.as_deref())?;
        Ok(reply::printed(&json::view(game.as_ref(), &View::of(game.as_ref(), &asked)?)).into())
    };
    app.work.read(author, &asker.bounds(), draw).await
}

/// The size of a game, and the time and memory to solve it.
async fn estimate(app: &Arc<App>, asker: &Asker, subject: Subject) -> Result<Bytes, Failure> {
    let (engine, of_app) = (app.engine.clone(), Arc::clone(app));
    let game = app.work.read(subject.author(), &asker.bounds(), move |_: Watch<'_>| of_app.game(subject)).await?;
    let estimate = move |watch: Watch<'_>| {
        let options = EstimateOptions { labels: game.usual_labels(), ..EstimateOptions::default() };
        let estimate = engine.estimate(game.as_ref(), &options, Some(&|_| watch()))?;
        let mut body = json::estimate(&RulesFacts::of(game.rules()), &estimate);
        body.insert("title".into(), game.title().into());
        body.insert("solved_on_request".into(), estimate.is_solved_on_demand(game.as_ref()).into());
        Ok(reply::printed(&body.into()).into())
    };
    app.work.solve(&asker.bounds(), estimate).await
}

/// The value of a position, or the best line from it.
async fn value(
    app: &App,
    asker: &Asker,
    author: Author,
    kind: AnswerKind,
    opened: Arc<Opened>,
    position: Option<String>,
) -> Result<Bytes, Failure> {
    let (first, kept) = (Arc::clone(&opened), position.clone());
    // Look-ups alone are quick, and suffice for most requests.
    let look_up = move |watch: Watch<'_>| answer_within(kind, &first, kept.as_deref(), 0, watch);
    if let Some(body) = app.work.read(author, &asker.bounds(), look_up).await? {
        return Ok(body.into());
    }
    let search = move |watch: Watch<'_>| answer_within(kind, &opened, position.as_deref(), SEARCHED, watch);
    Ok(app.work.solve(&asker.bounds(), search).await?.unwrap_or_default().into())
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
async fn stats(app: &Arc<App>, asker: &Asker, opened: &Arc<Opened>) -> Result<Bytes, Failure> {
    let (app, counted) = (Arc::clone(app), Arc::clone(opened));
    let count = |bounds: Bounds| async move {
        let count = move |watch: Watch<'_>| {
            let source = &counted.source;
            let open = source.open_table().ok_or_else(|| missing(source))?;
            let stats = Stats::of(open, &|_| watch())?.ok_or(EngineError::from(SolveError::Cancelled))?;
            Ok(Bytes::from(reply::printed(&json::stats(&stats).into())))
        };
        app.work.solve(&bounds, count).await
    };
    opened.stats.get_or_make(asker, count).await
}
