//! The pages and their files: types, precompressed forms, caching, and the page that stands in when none were built.

use crate::assets::{Asset, Assets};
use crate::failure::Failure;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

/// The one page; the browser makes every view from it.
const SHELL: &str = "index.html";
/// Shown in its place when this program was built without pages.
const UNBUILT_PAGE: &str = include_str!("ui/unbuilt.html");
const UNBUILT_STYLE: &str = include_str!("ui/unbuilt.css");
/// Where [`UNBUILT_PAGE`] finds its style: the policy allows none inside a page.
const UNBUILT_STYLE_PATH: &str = "/unbuilt.css";

/// Types by ending.
const TYPES: [(&str, &str); 13] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("txt", "text/plain; charset=utf-8"),
    ("webmanifest", "application/manifest+json"),
];

/// Precompressed forms in the order they are preferred: the name in `Accept-Encoding` and the ending of the file.
const PACKED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Answers a request for anything that is not the API's.
pub fn serve(assets: &Assets, request: &Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let failure = Failure::method_not_allowed(format!("{} is a page; pages take GET and HEAD.", request.uri().path()));
        return ([(ALLOW, "GET,HEAD")], failure).into_response();
    }
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { SHELL } else { path };
    let headers = request.headers();
    let packed_form = PACKED.iter().any(|(_, ending)| path.ends_with(ending));
    let mut response = match file(assets, path, headers).filter(|_| !packed_form) {
        Some(response) => response,
        None if path == SHELL || is_page(path, headers) => file(assets, SHELL, headers).unwrap_or_else(unbuilt),
        None if request.uri().path() == UNBUILT_STYLE_PATH && assets.get(SHELL).is_none() => {
            ([(CONTENT_TYPE, type_of(path)), (CACHE_CONTROL, "no-cache")], UNBUILT_STYLE).into_response()
        }
        None => (StatusCode::NOT_FOUND, format!("There is no file /{path}.\n")).into_response(),
    };
    if request.method() == Method::HEAD {
        let length = response.body().size_hint().exact();
        *response.body_mut() = Body::empty();
        if let Some(length) = length {
            response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
    }
    response
}

/// A path that names no file, asked for by something that shows pages, is a view of the one page.
fn is_page(path: &str, headers: &HeaderMap) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    !last.contains('.') && all_of(headers, ACCEPT).contains("text/html")
}

fn file(assets: &Assets, path: &str, headers: &HeaderMap) -> Option<Response> {
    let accepted = all_of(headers, ACCEPT_ENCODING);
    let packed = PACKED.iter().filter(|(name, _)| accepts(&accepted, name));
    let packed = packed.filter_map(|(name, ending)| assets.get(&format!("{path}{ending}")).map(|asset| (asset, Some(*name))));
    let (Asset { bytes, tag }, encoding) = match packed.into_iter().next() {
        Some(found) => found,
        None => (assets.get(path)?, None),
    };
    let tag = format!("\"{tag}\"");
    let caching = if is_hashed(path) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = all_of(headers, IF_NONE_MATCH).split(',').any(|given| {
        let given = given.trim();
        given == "*" || given.strip_prefix("W/").unwrap_or(given) == tag
    });
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, type_of(path))], bytes.into_owned()).into_response()
    };
    let out = response.headers_mut();
    out.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    out.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        out.insert(ETAG, tag);
    }
    if let Some(encoding) = encoding.filter(|_| !known) {
        out.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

fn unbuilt() -> Response {
    ([(CONTENT_TYPE, type_of(SHELL)), (CACHE_CONTROL, "no-cache")], UNBUILT_PAGE).into_response()
}

fn type_of(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    TYPES.iter().find(|(known, _)| *known == ending).map_or("application/octet-stream", |(_, name)| name)
}

/// Whether a name carries its content's hash: a part of 12 to 16 hex digits (Trunk writes them without leading zeros). The bytes
/// under such a name never change.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split(['-', '.', '_'])
        .any(|part| (12..=16).contains(&part.len()) && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
}

/// Whether an `Accept-Encoding` takes an encoding: named, or by `*`, and not with a weight of zero.
fn accepts(header: &str, encoding: &str) -> bool {
    let weight_of = |wanted: &str| {
        header.split(',').find_map(|entry| {
            let mut fields = entry.split(';').map(str::trim);
            let named = fields.next()?.eq_ignore_ascii_case(wanted);
            let weight = fields.find_map(|field| field.strip_prefix("q=").or_else(|| field.strip_prefix("Q=")));
            named.then(|| weight.map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0)))
        })
    };
    weight_of(encoding).or_else(|| weight_of("*")).is_some_and(|weight: f32| weight > 0.0)
}

/// A header that may stand several times, as one list.
fn all_of(headers: &HeaderMap, name: HeaderName) -> String {
    headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::{accepts, is_hashed};

    #[test]
    fn weights_of_encodings() {
        for header in ["br", "gzip, br", "gzip;q=0.5, br;q=0.1", "*", "BR"] {
            assert!(accepts(header, "br"), "{header}");
        }
        for header in ["", "gzip", "br;q=0", "br; q=0.000, *", "*;q=0", "brotli"] {
            assert!(!accepts(header, "br"), "{header}");
        }
    }

    #[test]
    fn hashed_names() {
        for name in ["proem-web-1f2e3d4c5b6a7988_bg.wasm", "style-9f2e3d4c5b6a.css", "a/engine.0123456789abcdef.js"] {
            assert!(is_hashed(name), "{name}");
        }
        for name in ["index.html", "favicon.svg", "boot-short1.js", "0123456789abcdef/plain.js", "x-0123456789abcdef0.js"] {
            assert!(!is_hashed(name), "{name}");
        }
    }
}
