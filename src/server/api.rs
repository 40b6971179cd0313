//! The routes of the API, and what answers them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use serde_json::json;

use super::app::App;
use super::failure::Failure;
use super::query::Query;
use super::reply::{self, Lasting, Tag};
use super::work::look_up;
use super::{page, probe};

/// Every route, by its method and its path, as `openapi.json` describes it.
pub(super) const ROUTES: [(Method, &str); 8] = [
    (Method::GET, "/api/v1/games"),
    (Method::GET, "/api/v1/tables"),
    (Method::GET, "/api/v1/probe"),
    (Method::GET, "/api/v1/line"),
    (Method::GET, "/api/v1/stats"),
    (Method::POST, "/api/v1/check"),
    (Method::POST, "/api/v1/solve"),
    (Method::GET, "/api/v1/openapi.json"),
];

pub(super) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/v1/games", get(games))
        .route("/api/v1/tables", get(tables))
        .route("/api/v1/probe", get(probe::named))
        .method_not_allowed_fallback(not_allowed)
        .fallback(page::file)
        .with_state(app)
}

async fn games(State(app): State<Arc<App>>, RawQuery(query): RawQuery, headers: HeaderMap) -> Result<Response, Failure> {
    Query::read(query.as_deref())?.nothing_left()?;
    let body = look_up(move || Ok(reply::printed(&json!({"games": app.catalogue.games()})))).await?;
    let tag = Tag::of(&[&body], Lasting::Asking);
    Ok(tag.not_modified(&headers).unwrap_or_else(|| reply::json(&tag, body)))
}

async fn tables(State(app): State<Arc<App>>, RawQuery(query): RawQuery, headers: HeaderMap) -> Result<Response, Failure> {
    Query::read(query.as_deref())?.nothing_left()?;
    let body = look_up(move || Ok(reply::printed(&json!({"tables": app.catalogue.tables(&app.engine)})))).await?;
    let tag = Tag::of(&[&body], Lasting::Asking);
    Ok(tag.not_modified(&headers).unwrap_or_else(|| reply::json(&tag, body)))
}

async fn not_allowed(method: Method, uri: Uri) -> Failure {
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, format!("another method than {method} is expected for {}", uri.path()))
}
