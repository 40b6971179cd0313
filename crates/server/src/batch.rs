//! Answers about many positions of one game: a line for each line of the body.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;

use super::answers::{AnswerKind, Asks};
use super::app::{App, Subject};
use super::body;
use super::failure::Failure;
use super::query::Query;
use super::reply;
use super::sources::Opened;
use super::work::Watch;
use tablegen_engine::json::{LineFault, answered_line, faulty_line};
use tablegen_engine::{ErrorKind, SearchLimit, SearchOptions, check_wanted};

/// Answers each line of the body with the object that `probe --batch --json` prints.
pub(super) async fn answer(State(app): State<Arc<App>>, mut query: Query, body: Body) -> Result<Response, Failure> {
    let (name, asks) = (query.need("game")?, Asks::take(AnswerKind::Probe, &mut query)?);
    if asks.position.is_some() {
        return Err(Failure::bad("expected no position in the query: each line of the body is a position"));
    }
    let subject = Subject::Named { name, options: query.rest() };
    let lines = Arc::new(body::lines(&app, body).await?);
    let (asker, author) = (app.work.begin(), subject.author());
    let opened = app.source(subject, &asker).await?;
    check_wanted(opened.source.game(), asks.wanted)?;
    // Look-ups alone are quick, and suffice for most lines. Short searches are among them, so they get half of the time.
    let (first, kept, all) = (Arc::clone(&opened), asks.clone(), Arc::clone(&lines));
    let half = Instant::now() + asker.time_to_search() / 2;
    let look_up = move |watch: Watch<'_>| {
        let settled = |line: &Vec<u8>| match watch() {
            ControlFlow::Continue(()) if Instant::now() >= half => Ok(None),
            ControlFlow::Continue(()) => settled(&first, &kept, line, watch),
            ControlFlow::Break(()) => Err(Failure::out_of_time()),
        };
        all.iter().map(settled).collect::<Result<Vec<Option<String>>, Failure>>()
    };
    let answers = app.work.read(author, &asker.bounds(), look_up).await?;
    if answers.iter().all(Option::is_some) {
        return Ok(written(answers.into_iter().flatten()));
    }
    let until = Instant::now() + asker.time_to_search();
    let search = move |watch: Watch<'_>| {
        let answers = lines.iter().zip(answers).map(|(line, answer)| match answer {
            Some(answer) => Ok(answer),
            None => searched(&opened, &asks, line, until, watch),
        });
        answers.collect::<Result<Vec<String>, Failure>>()
    };
    Ok(written(app.work.solve(&asker.bounds(), search).await?))
}

/// The reply with `answers`, a line for each.
fn written(answers: impl IntoIterator<Item = String>) -> Response {
    reply::lines(answers.into_iter().map(|answer| answer + "\n").collect::<String>())
}

/// The error of a line that is not answered in time.
const TOO_LATE: &str = "cannot search the position: the time of the request is over; send fewer lines";

/// The answer to `line`, searched until the time `until` at the latest.
fn searched(opened: &Opened, asks: &Asks, line: &[u8], until: Instant, watch: Watch<'_>) -> Result<String, Failure> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Ok(faulty_line(line, TOO_LATE));
    }
    let in_time = || if Instant::now() < until { watch() } else { ControlFlow::Break(()) };
    let options = SearchOptions { limit: asks.limit_within(left), wanted: asks.wanted };
    match answered_line(&opened.source, line, asks.notation, options, &in_time) {
        Ok(answer) => Ok(answer.text),
        Err(LineFault::Line(error)) => Ok(faulty_line(line, &error)),
        Err(LineFault::Source(error)) if error.kind() == ErrorKind::Cancelled => Ok(faulty_line(line, TOO_LATE)),
        Err(LineFault::Source(error)) => Err(error.into()),
    }
}

/// The answer to `line` without a search; `None` if a search may find more.
fn settled(opened: &Opened, asks: &Asks, line: &[u8], watch: Watch<'_>) -> Result<Option<String>, Failure> {
    let options = SearchOptions { limit: SearchLimit::AtOnce, wanted: asks.wanted };
    match answered_line(&opened.source, line, asks.notation, options, watch) {
        Ok(answer) => Ok(answer.is_settled.then_some(answer.text)),
        Err(LineFault::Line(error)) => Ok(Some(faulty_line(line, &error))),
        Err(LineFault::Source(error)) => Err(error.into()),
    }
}
