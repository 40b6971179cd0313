//! Answers about a game, which a request names or sends as the text of a rules file.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::app::{App, SEARCHED, Subject};
use super::body;
use super::failure::{Failure, shortened};
use super::query::Query;
use super::reply;
use super::sources::Opened;
use super::work::{Asker, Author, Bounds, Watch};
use tablegen_engine::{
    Asked, EngineError, EstimateOptions, Opponent, RulesFacts, SearchLimit, SearchOptions, Skill, Source, Stats, View,
    Wanted, check_solver, check_wanted, json, rules_file,
};
use tablegen_games::{Game, Notation, Parameters};
use tablegen_labels::LabelSet;
use tablegen_solvers::{Method, SolveError};

/// The kind of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerKind {
    /// The object that `probe --json` prints.
    Probe,
    /// The object that `line --json` prints.
    Line,
    /// A move for the other side.
    Reply,
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
    let (name, asks) = (query.need("game")?, Asks::take(kind, &mut query)?);
    let subject = Subject::Named { name, options: query.rest() };
    let body = answer(&app, kind, subject, asks).await?;
    // The estimated time is measured again for each request, and a guess takes as long as it may.
    let is_fresh = matches!(kind, AnswerKind::Estimate | AnswerKind::Reply);
    Ok(if is_fresh { reply::fresh(body) } else { reply::json(&headers, body) })
}

/// Answers a request that sends a rules file.
pub(super) async fn sent(
    kind: AnswerKind,
    State(app): State<Arc<App>>,
    mut query: Query,
    body: Body,
) -> Result<Response, Failure> {
    let asks = Asks::take(kind, &mut query)?;
    let text = body::rules_file(&app, body).await?;
    let subject = Subject::Sent { text, options: query.rest() };
    answer(&app, kind, subject, asks).await.map(reply::fresh)
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
    let copy = move |watch: Watch<'_>| {
        opened.source.decide(Some(&|_| watch()))?;
        let open = opened.source.open_table().ok_or_else(|| missing(&opened.source))?;
        let content = open.table.file_content().map_err(EngineError::Read)?;
        Ok(reply::download(content))
    };
    app.work.solve(&asker.bounds(), copy).await
}

/// What a request asks about a position.
#[derive(Clone)]
pub(super) struct Asks {
    /// The text of the position; `None` is the start.
    pub(super) position: Option<String>,
    /// What a search finds beside the outcome.
    pub(super) wanted: Wanted,
    /// The limit of a search; `None` is that of the server.
    limit: Option<SearchLimit>,
    /// The notation in which the position is written as well.
    pub(super) notation: Option<Notation>,
    /// Who makes the move, if one is asked for.
    opponent: Opponent,
}

/// The time of a search for a reply, and that of a guess: together less than a second.
const REPLY_TIME: [Duration; 2] = [Duration::from_millis(400), Duration::from_millis(300)];

impl Asks {
    /// Takes the question from the query, if this kind of answer has one.
    pub(super) fn take(kind: AnswerKind, query: &mut Query) -> Result<Self, Failure> {
        let position = query.take("position");
        if position.is_some() && matches!(kind, AnswerKind::Stats | AnswerKind::Preview | AnswerKind::Estimate) {
            return Err(Failure::bad("expected no position: the answer is about the whole game"));
        }
        let is_reply = kind == AnswerKind::Reply;
        let opponent = if is_reply { opponent(query)? } else { Opponent::default() };
        let searches = matches!(kind, AnswerKind::Probe | AnswerKind::Line);
        let [labels, limit] = ["labels", "limit"].map(|name| if searches { query.take(name) } else { None });
        let wanted = labels.map_or(Ok(Wanted::Outcome), |text| {
            let wrong = |error| Failure::bad(format!("labels: {error}, found {:?}", shortened(&text)));
            text.parse::<Wanted>().map_err(wrong)
        })?;
        let limit = limit.map(|text| {
            let wrong = |error| Failure::bad(format!("limit: {error}, found {:?}", shortened(&text)));
            text.parse::<SearchLimit>().map_err(wrong)
        });
        let limit = limit.transpose()?;
        let notation = query.take("notation");
        if notation.is_some() && kind != AnswerKind::Probe {
            return Err(Failure::bad("expected no notation: notation is for /api/v1/probe alone"));
        }
        let named = |name: &str| {
            let expected =
                || format!("notation: expected one of {}, found {:?}", Notation::NAMES.join(", "), shortened(name));
            Notation::named(name).ok_or_else(|| Failure::bad(expected()))
        };
        let notation = notation.as_deref().map(named).transpose()?;
        Ok(Self { position, wanted, limit, notation, opponent })
    }

    /// The limit of a search that may take `time`.
    pub(super) fn limit_within(&self, time: Duration) -> SearchLimit {
        match self.limit {
            None => SEARCHED.into(),
            Some(SearchLimit::Time(asked)) => SearchLimit::Time(asked.min(time)),
            Some(SearchLimit::Positions(asked)) => SearchLimit::Positions(asked.min(SEARCHED)),
            Some(SearchLimit::AtOnce) => SearchLimit::AtOnce,
        }
    }
}

/// Takes the player who makes a move from the query.
fn opponent(query: &mut Query) -> Result<Opponent, Failure> {
    let skill = query.take("skill");
    let named = |name: &str| Skill::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, skill)| skill);
    let skill = skill.as_deref().map_or(Some(Skill::default()), named).ok_or_else(|| {
        Failure::bad(format!(
            "skill: expected perfect, strong or beginner, found {:?}",
            shortened(skill.as_deref().unwrap_or_default())
        ))
    })?;
    let seed = query.take("seed");
    let seed = seed.as_deref().map_or(Ok(0), str::parse).map_err(|_| {
        Failure::bad(format!("seed: expected a number, found {:?}", shortened(seed.as_deref().unwrap_or_default())))
    })?;
    Ok(Opponent { skill, seed, time: REPLY_TIME[1] })
}

async fn answer(app: &Arc<App>, kind: AnswerKind, subject: Subject, asks: Asks) -> Result<Bytes, Failure> {
    let asker = app.work.begin();
    let author = subject.author();
    match kind {
        AnswerKind::Scene => scene(app, &asker, subject, asks.position).await,
        AnswerKind::Preview => app.preview(subject, &asker).await,
        AnswerKind::Estimate => estimate(app, &asker, subject).await,
        AnswerKind::Stats => {
            let opened = app.source(subject, &asker).await?;
            stats(app, &asker, &opened).await
        }
        AnswerKind::Probe | AnswerKind::Line => {
            let opened = app.source(subject, &asker).await?;
            value(app, &asker, author, kind, opened, asks).await
        }
        AnswerKind::Reply => {
            let opened = app.source(subject, &asker).await?;
            reply_of(app, &asker, opened, asks).await
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
        let of = |labels| {
            let options = EstimateOptions { labels, ..EstimateOptions::default() };
            engine.estimate(game.as_ref(), &options, Some(&|_| watch()))
        };
        // Of labels that nobody asked for, only those that the solver computes.
        let estimate = match of(game.usual_labels()) {
            Err(EngineError::Solve(SolveError::RegionLabel { .. })) => of(LabelSet::BEST_PLAY)?,
            estimate => estimate?,
        };
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
    asks: Asks,
) -> Result<Bytes, Failure> {
    let (first, kept) = (Arc::clone(&opened), asks.clone());
    // Look-ups alone are quick, and suffice for most requests.
    let look_up = move |watch: Watch<'_>| answer_within(kind, &first, &kept, SearchLimit::AtOnce, watch);
    if let Some(body) = app.work.read(author, &asker.bounds(), look_up).await? {
        return Ok(body.into());
    }
    let limit = asks.limit_within(asker.time_to_search());
    let search = move |watch: Watch<'_>| answer_within(kind, &opened, &asks, limit, watch);
    Ok(app.work.solve(&asker.bounds(), search).await?.unwrap_or_default().into())
}

/// A move for the other side: the best one if it is found in time, otherwise a guess.
async fn reply_of(app: &App, asker: &Asker, opened: Arc<Opened>, asks: Asks) -> Result<Bytes, Failure> {
    let search = move |watch: Watch<'_>| {
        let (source, opponent) = (&opened.source, asks.opponent);
        let asked = Asked::typed(source.game(), asks.position.as_deref())?;
        let answered = source.answer_watched(&asked, SearchLimit::Time(REPLY_TIME[0]), watch)?;
        let reply = source.reply(&answered, opponent, 0, watch)?;
        Ok(reply::printed(&json::reply(source, &answered, opponent, reply.as_ref())).into())
    };
    app.work.solve(&asker.bounds(), search).await
}

/// The error that the answer needs a table and the game has none.
fn missing(source: &Source) -> EngineError {
    let game = source.game();
    // One solver alone counts pieces.
    let is_possible = if game.rules().counts_pieces() { check_solver(game, Method::Regions) } else { Ok(()) };
    is_possible.err().unwrap_or_else(|| EngineError::Missing { name: game.rules().name().into() })
}

/// The answer, with a search of at most `limit`. `None` if that is [`SearchLimit::AtOnce`], and a search may find more.
fn answer_within(
    kind: AnswerKind,
    opened: &Opened,
    asks: &Asks,
    limit: SearchLimit,
    watch: Watch<'_>,
) -> Result<Option<Vec<u8>>, Failure> {
    let source = &opened.source;
    let wanted = asks.wanted;
    check_wanted(source.game(), wanted)?;
    let asked = Asked::typed(source.game(), asks.position.as_deref())?;
    let (options, is_first) = (SearchOptions { limit, wanted }, limit == SearchLimit::AtOnce);
    let body = match kind {
        AnswerKind::Probe => {
            let answered = source.answer_watched(&asked, options, watch)?;
            if is_first && !source.is_settled_for(&answered, wanted) {
                return Ok(None);
            }
            let written = asks.notation.map(|notation| {
                let text = asked.optional_text_in(source.game(), notation);
                text.map(|text| (notation, text)).map_err(|error| Failure::bad(error.to_string()))
            });
            let mut text = json::answered_text_in(source, &answered, written.transpose()?);
            text.push('\n');
            return Ok(Some(text.into_bytes()));
        }
        AnswerKind::Line => {
            let line = source.line_within(&asked, options, watch)?;
            if is_first && !source.is_line_settled_for(&line, wanted) {
                return Ok(None);
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
            source.decide(Some(&|_| watch()))?;
            let open = source.open_table().ok_or_else(|| missing(source))?;
            let stats = Stats::of(open, &|_| watch())?.ok_or(EngineError::from(SolveError::Cancelled))?;
            Ok(Bytes::from(reply::printed(&json::stats(&stats).into())))
        };
        app.work.solve(&bounds, count).await
    };
    opened.stats.get_or_make(asker, count).await
}
