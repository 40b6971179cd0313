//! Failures: a status and an object, `{"status": 404, "error": "..."}`.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::reply;
use tablegen_engine::{Advice, EngineError, ErrorKind};
use tablegen_games::{FilePlace, GameError, NotationError, RulesFileError};

/// The reason why a request has no answer.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    status: StatusCode,
    message: String,
    /// Mistakes in a rules file, each with its place.
    mistakes: Vec<(Option<FilePlace>, String)>,
    /// The name that the client probably meant.
    suggestion: Option<String>,
    /// True if the client should repeat the request a second later.
    again: bool,
}

impl Failure {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), mistakes: Vec::new(), suggestion: None, again: false }
    }

    /// A failure because the request itself is wrong.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// A failure because the named thing does not exist.
    pub(super) fn unknown(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The same failure with the name that the client probably meant.
    pub(super) fn suggesting(self, name: Option<&str>) -> Self {
        Self { suggestion: name.map(str::to_owned), ..self }
    }

    /// A failure because the server is busy. The client should try again after a second.
    pub(super) fn busy(message: impl Into<String>) -> Self {
        Self { again: true, ..Self::new(StatusCode::SERVICE_UNAVAILABLE, message) }
    }

    /// A failure because the time for solving a game is over.
    pub(super) fn out_of_time() -> Self {
        Self::busy(
            "the game could not be solved in the time that a request may take; build its table with 'tablegen build'",
        )
    }

    /// A failure because of a defect in the program.
    pub(super) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal error: this is a defect of the server; please report the request that caused it",
        )
    }

    fn of_rules_file(error: &RulesFileError) -> Self {
        let mistakes = error.mistakes();
        let is_of_query = |error: &RulesFileError| {
            matches!(
                error,
                RulesFileError::Value { .. } | RulesFileError::UnknownParameter { .. } | RulesFileError::Unfit { .. }
            )
        };
        if mistakes.iter().all(is_of_query) {
            return Self::bad(error.to_string());
        }
        let mistakes = mistakes.iter().map(|mistake| (mistake.place(), mistake.to_string())).collect();
        Self { mistakes, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()) }
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        match &error {
            GameError::Unknown { .. } => Self::unknown(format!("{error}; /api/v1/games and /api/v1/tables list all")),
            GameError::RulesFile(mistakes) => Self::of_rules_file(mistakes),
            GameError::Reserved { .. } | GameError::Rules(_) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
            }
            _ => Self::bad(format!("{error}; /api/v1/games lists the options of each game")),
        }
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match &error {
            EngineError::Game(game) => return game.clone().into(),
            EngineError::Notation(notation) => return notation.clone().into(),
            EngineError::Missing { name } => {
                return Self::unknown(format!(
                    "cannot find a table of {name}, and the game is too large to solve in the time and memory of a \
                     request; build it with 'tablegen build'"
                ));
            }
            _ if error.kind() == ErrorKind::Cancelled => return Self::out_of_time(),
            _ => {}
        }
        let next = match error.advice()[..] {
            [Advice::BuildAgain | Advice::BuildOver | Advice::MoveAway] => "; build it again",
            _ => "",
        };
        let status = match error.kind() {
            ErrorKind::Input => StatusCode::BAD_REQUEST,
            ErrorKind::Table | ErrorKind::Resources | ErrorKind::Cancelled => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, format!("{error}{next}"))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = json!({"status": self.status.as_u16(), "error": self.message});
        if !self.mistakes.is_empty() {
            let mistake = |(place, message): &(Option<FilePlace>, String)| {
                let (line, column) = place.map(|place| (place.line, place.column)).unzip();
                json!({"line": line, "column": column, "message": message})
            };
            body["mistakes"] = self.mistakes.iter().map(mistake).collect();
        }
        if let Some(suggestion) = self.suggestion {
            body["suggestion"] = suggestion.into();
        }
        let mut response = (self.status, reply::json_headers(), format!("{body}\n")).into_response();
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.again {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// The beginning of a text that a client sent.
pub(super) fn shortened(text: &str) -> &str {
    const MOST: usize = 80;
    text.char_indices().nth(MOST).map_or(text, |(end, _)| &text[..end])
}
