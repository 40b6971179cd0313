//! The value of a position and of each of its moves.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::app::{App, Subject};
use super::failure::Failure;
use super::query::Query;
use super::reply;
use super::sources::Opened;
use super::work::look_up;
use crate::engine::{Asked, json};

/// `/api/v1/probe`: what `probe --json` prints.
pub(super) async fn named(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let mut query = Query::read(query.as_deref())?;
    let (name, position) = (query.need("game")?, query.take("position"));
    let opened = app.source(Subject::Named { name, options: query.rest() }).await?;
    if let Some(known) = opened.tag.not_modified(&headers) {
        return Ok(known);
    }
    answer(opened, position).await
}

async fn answer(opened: Arc<Opened>, position: Option<String>) -> Result<Response, Failure> {
    let (tag, opened) = (opened.tag.clone(), opened);
    let body = look_up(move || {
        let source = &opened.source;
        let asked = Asked::typed(source.game(), position.as_deref())?;
        let answered = source.answer(&asked)?;
        Ok(reply::printed(&json::answered(source, &answered)))
    });
    Ok(reply::json(&tag, body.await?))
}
