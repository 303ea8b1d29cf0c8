//! What handlers take from a request, with our own words for what is wrong with it.

use crate::failure::Failure;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// Largest JSON body, in bytes.
pub const JSON_MAX: usize = 2 * 1024 * 1024;

/// The one `{…}` of a path, parsed.
pub struct Segment<T>(pub T);

impl<T: FromStr<Err = String>, S: Send + Sync> FromRequestParts<S> for Segment<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| Failure::bad_request(format!("The path {} is not UTF-8 once decoded.", parts.uri.path())))?;
        text.parse().map(Segment).map_err(Failure::bad_request)
    }
}

/// The query, as fields.
pub struct Fields<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Fields<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Query(fields) = Query::<T>::from_request_parts(parts, state).await.map_err(|rejection| {
            let reason = std::error::Error::source(&rejection).map_or_else(|| rejection.to_string(), ToString::to_string);
            Failure::bad_request(format!("The query of {} is not what it takes: {reason}.", parts.uri.path()))
        })?;
        Ok(Fields(fields))
    }
}

/// A JSON body.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let path = request.uri().path().to_owned();
        says_json(&request, &path)?;
        let bytes = body(request, state, &path).await?;
        serde_json::from_slice(&bytes).map(Json).map_err(|error| Failure::bad_request(not_taken(&path, &error)))
    }
}

/// A JSON body, or none: then the default. Values of other types than it takes are 422.
pub struct OptionalJson<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJson<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let path = request.uri().path().to_owned();
        let says = says_json(&request, &path);
        let bytes = body(request, state, &path).await?;
        if bytes.trim_ascii().is_empty() {
            return Ok(OptionalJson(T::default()));
        }
        says?;
        serde_json::from_slice(&bytes).map(OptionalJson).map_err(|error| match error.is_data() {
            true => Failure::refused(not_taken(&path, &error)),
            false => Failure::bad_request(not_taken(&path, &error)),
        })
    }
}

fn says_json(request: &Request, path: &str) -> Result<(), Failure> {
    let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    match essence.eq_ignore_ascii_case("application/json") {
        true => Ok(()),
        false => Err(Failure::bad_request(format!("{path} takes JSON: send it with `Content-Type: application/json`."))),
    }
}

async fn body<S: Send + Sync>(request: Request, state: &S, path: &str) -> Result<Bytes, Failure> {
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(reason) if reason.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE => {
            Failure::too_large(format!("The body for {path} is larger than {JSON_MAX} bytes."))
        }
        _ => Failure::bad_request(format!("The body for {path} ended before it was complete.")),
    })
}

fn not_taken(path: &str, error: &serde_json::Error) -> String {
    format!("The body for {path} is not what it takes: {error}.")
}
