//! The bodies of requests: texts of limited length, received in limited time.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use hyper::body::Body as _;
use tokio::time::timeout;

use super::app::App;
use super::failure::Failure;
use tablegen_games::FileGame;

/// The largest part of an overlong text that is read, so that the sender can finish and read the answer.
const OVERLONG: usize = 8 * FileGame::MOST_BYTES;

/// The most positions that a request may ask about.
const MOST_LINES: usize = 1000;

/// Reads the text of a rules file from `body`.
pub(super) async fn rules_file(app: &App, body: Body) -> Result<String, Failure> {
    let bytes = read(app, body, "rules file").await?;
    if bytes.is_empty() {
        return Err(Failure::bad("expected the text of a rules file in the body, found nothing"));
    }
    let not_text = |error: std::string::FromUtf8Error| {
        let at = error.utf8_error().valid_up_to();
        Failure::bad(format!("expected a rules file in UTF-8, found an invalid byte at offset {at}"))
    };
    String::from_utf8(bytes).map_err(not_text)
}

/// Reads lines from `body`, without their ends and a byte order mark before them.
pub(super) async fn lines(app: &App, body: Body) -> Result<Vec<Vec<u8>>, Failure> {
    let bytes = read(app, body, "list of positions").await?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let all = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let lines: Vec<Vec<u8>> =
        all.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec()).collect();
    match lines.len() <= MOST_LINES {
        true => Ok(lines),
        false => Err(Failure::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("expected at most {MOST_LINES} lines, each with a position, found {}", lines.len()),
        )),
    }
}

/// Reads `what` from `body`.
async fn read(app: &App, body: Body, what: &str) -> Result<Vec<u8>, Failure> {
    let late = |_| {
        let message = format!("expected the whole {what} within {} s, found only a part", app.patience.as_secs());
        Failure::new(StatusCode::REQUEST_TIMEOUT, message)
    };
    timeout(app.patience, receive(body, what)).await.map_err(late)?
}

async fn receive(mut body: Body, what: &str) -> Result<Vec<u8>, Failure> {
    let mut text: Vec<u8> = Vec::new();
    let mut all = 0;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Failure::bad("the body is incomplete"))?;
        let data: Bytes = frame.into_data().unwrap_or_default();
        all += data.len();
        if all <= FileGame::MOST_BYTES {
            text.extend_from_slice(&data);
        } else if all > OVERLONG {
            break;
        }
    }
    if all > FileGame::MOST_BYTES {
        let message = format!("expected a {what} of at most {} bytes, found a longer one", FileGame::MOST_BYTES);
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    Ok(text)
}
