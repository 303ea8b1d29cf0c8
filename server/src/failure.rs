//! Every answer of the API that is not a success: a status, a stable code, and a sentence for a person.

use crate::store::StoreError;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use proem_core::api::ApiError;
use proem_core::skill::Revision;
use proem_core::template::problem::Problem;

/// An answer that is not a success.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    // Boxed: it is the rare side of every handler's result.
    error: Box<ApiError>,
}

impl Failure {
    fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Failure {
        let error = ApiError { code: code.to_owned(), message: message.into(), ..ApiError::default() };
        Failure { status, error: Box::new(error) }
    }

    /// 401: no token, or not this start's.
    pub fn unauthorized(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
    }

    /// 403: asked through a foreign name or by a foreign page.
    pub fn forbidden(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// 404.
    pub fn not_found(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// 405.
    pub fn method_not_allowed(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
    }

    /// 400: the request itself is wrong.
    pub fn bad_request(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// 413.
    pub fn too_large(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// 422: understood, and not acceptable.
    pub fn refused(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", message)
    }

    /// 409: it is at odds with something stored.
    pub fn conflict(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::CONFLICT, "conflict", message)
    }

    /// 409: it was made on a state that has changed since.
    pub fn stale(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::CONFLICT, "stale", message)
    }

    /// 500: a turn failed. The sentence says how, since whoever runs the home has to mend it.
    pub fn turn(code: &str, message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, code, message)
    }

    /// 503: no turn can be run or stored now. What happened goes to the log.
    pub fn unavailable(what: impl std::fmt::Display) -> Failure {
        tracing::error!("{what}");
        let message = "No turn can be run now; what happened is in the server's log, on the terminal where it was started.";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
    }

    /// 503: something that is stored cannot be read now. What happened goes to the log.
    pub fn unreadable(message: impl Into<String>, what: impl std::fmt::Display) -> Failure {
        tracing::error!("{what}");
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "unreadable", message)
    }

    /// 500. What happened goes to the log; the client learns where to look.
    pub fn internal(what: impl std::fmt::Display) -> Failure {
        tracing::error!("{what}");
        let message = "The server could not do this; what happened is in its log, on the terminal where it was started.";
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// With the reasons of a refused save.
    pub fn with_problems(mut self, problems: Vec<Problem>) -> Failure {
        self.error.problems = problems;
        self
    }

    /// With what is stored now.
    pub fn with_head(mut self, head: Revision) -> Failure {
        self.error.head = Some(Box::new(head));
        self
    }

    /// With how far an upload has come.
    pub fn with_received(mut self, received: u64) -> Failure {
        self.error.received = Some(received);
        self
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(self.error)).into_response()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::internal(error)
    }
}
