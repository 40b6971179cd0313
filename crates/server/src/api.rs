//! The routes of the API and their handlers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use serde_json::json;

use super::answers::{self, AnswerKind};
use super::app::{App, Listed};
use super::batch;
use super::catalogue::Meaning;
use super::failure::Failure;
use super::guard::{self, Guard};
use super::gzip;
use super::keys::KEYS;
use super::page;
use super::query::Query;
use super::reply::{self, Tag};
use super::uwapi;
use super::work::look_up;
use tablegen_engine as engine;
use tablegen_games::ABSENT;

/// Every route of the API, as described in `openapi.json`.
fn routes() -> [(&'static str, MethodRouter<Arc<App>>); 15] {
    let named = |kind| get(move |state: _, query: _, headers: _| answers::named(kind, state, query, headers));
    let sent = |kind| post(move |state: _, query: _, body: _| answers::sent(kind, state, query, body));
    [
        ("/api/v1/games", get(games)),
        ("/api/v1/tables", get(tables)),
        ("/api/v1/probe", named(AnswerKind::Probe).merge(post(batch::answer))),
        ("/api/v1/line", named(AnswerKind::Line).merge(sent(AnswerKind::Line))),
        ("/api/v1/reply", named(AnswerKind::Reply).merge(sent(AnswerKind::Reply))),
        ("/api/v1/scene", named(AnswerKind::Scene).merge(sent(AnswerKind::Scene))),
        ("/api/v1/preview", named(AnswerKind::Preview)),
        ("/api/v1/estimate", named(AnswerKind::Estimate)),
        ("/api/v1/stats", named(AnswerKind::Stats).merge(sent(AnswerKind::Stats))),
        ("/api/v1/check", post(answers::check)),
        ("/api/v1/solve", sent(AnswerKind::Probe)),
        ("/api/v1/table", post(answers::table)),
        ("/api/v1/rules", get(rules)),
        ("/api/v1/keys", get(|query: _, headers: _| fixed(&KEYS, query, headers))),
        ("/api/v1/openapi.json", get(|query: _, headers: _| fixed(OPENAPI, query, headers))),
    ]
}

/// The service: every route, behind the check of who asks.
pub(super) fn router(app: Arc<App>, guard: Guard) -> Router {
    let api = routes().into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods));
    let api =
        ["/uwapi", "/uwapi/", "/uwapi/{*rest}"].into_iter().fold(api, |api, path| api.route(path, get(uwapi::answer)));
    let api = api.method_not_allowed_fallback(not_allowed).fallback(page::file).with_state(app);
    let guard = from_fn_with_state(Arc::new(guard), guard::check);
    api.layer(from_fn(gzip::compress)).layer(guard)
}

/// The description of the API for programs.
const OPENAPI: &str = include_str!("openapi.json");

/// A reply that is the same for each request.
async fn fixed(body: &'static str, query: Query, headers: HeaderMap) -> Result<Response, Failure> {
    query.nothing_left()?;
    Ok(reply::json(&headers, body))
}

async fn games(State(app): State<Arc<App>>, query: Query, headers: HeaderMap) -> Result<Response, Failure> {
    query.nothing_left()?;
    // The list is made once, even if the client that asked for it leaves.
    let make = |app: Arc<App>| {
        let made = app.games.get_or_init(|| {
            let absent: Vec<_> = ABSENT.iter().map(engine::json::absent).collect();
            let body = reply::printed(&json!({"games": app.catalogue.games(), "absent": absent}));
            Listed { tag: Tag::of(&body), compressed: gzip::compressed(&body, gzip::HARD).into(), body: body.into() }
        });
        Ok(made.clone())
    };
    let Listed { tag, body, compressed } = match app.games.get() {
        Some(made) => made.clone(),
        None => look_up(move || make(app)).await?,
    };
    if !gzip::is_accepted(&headers) {
        return Ok(reply::tagged(&tag, &headers, body));
    }
    let mut reply = reply::tagged(&tag, &headers, compressed);
    let is_whole = reply.status() == StatusCode::OK;
    gzip::mark(reply.headers_mut(), is_whole);
    Ok(reply)
}

/// The text of a game's rules file.
async fn rules(State(app): State<Arc<App>>, mut query: Query, headers: HeaderMap) -> Result<Response, Failure> {
    let name = query.need("game")?;
    query.nothing_left()?;
    let Meaning::RulesFile(text) = app.catalogue.meaning(&name)? else {
        return Err(Failure::unknown("only games from rules files have a rules file; /api/v1/games lists them"));
    };
    let body = reply::printed(&json!({"game": name, "rules": text}));
    Ok(reply::json(&headers, body))
}

async fn tables(State(app): State<Arc<App>>, query: Query, headers: HeaderMap) -> Result<Response, Failure> {
    query.nothing_left()?;
    let body = look_up(move || Ok(reply::printed(&json!({"tables": app.catalogue.tables(&app.engine)})))).await?;
    Ok(reply::json(&headers, body))
}

async fn not_allowed(request: Request) -> Failure {
    let (path, method) = (request.uri().path(), request.method());
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, format!("{path} does not support the method {method}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described_and_no_other() {
        let document: serde_json::Value = serde_json::from_str(OPENAPI).unwrap();
        let described: Vec<&str> = document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(described, routes().map(|(path, _)| path));
    }
}
