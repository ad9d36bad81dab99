//! What a request brings: where it comes from, what follows the `?`, and the body.

use std::time::Duration;

use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;
use crate::connections::Visit;

/// The largest body that is read.
const LARGEST_BODY: usize = 64 * 1024;

/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(15);

impl<S: Send + Sync> FromRequestParts<S> for Visit {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get().cloned().ok_or(Problem::Broken)
    }
}

/// The language that a browser asks for first.
pub fn locale(headers: &HeaderMap) -> Option<String> {
    let wanted = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
    let first = wanted.split([',', ';']).next()?.trim();
    (!first.is_empty() && first != "*").then(|| first.to_owned())
}

/// A body of JSON.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Problem::NotJson);
        }
        let body = axum::body::to_bytes(request.into_body(), LARGEST_BODY);
        let body = tokio::time::timeout(BODY_TIME, body).await;
        let body = body
            .map_err(|_| Problem::TooSlow)?
            .map_err(|_| Problem::TooLarge)?;
        serde_json::from_slice(&body).map(Self).map_err(Problem::BadJson)
    }
}

/// What follows the `?`.
#[derive(Debug)]
pub struct UrlQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(error) => Err(Problem::BadQuery(error.body_text())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_tells_its_language() {
        let told = |wanted: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, wanted.parse().unwrap());
            locale(&headers)
        };
        assert_eq!(told("de-CH, de;q=0.9, en;q=0.8").as_deref(), Some("de-CH"));
        assert_eq!(told("fr;q=0.5").as_deref(), Some("fr"));
        assert_eq!(told("*"), None);
        assert_eq!(told(" , en"), None);
        assert_eq!(locale(&HeaderMap::new()), None);
    }

    /// Time runs by itself where nothing else happens.
    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_arrives_is_not_waited_for() {
        let never = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
        let request = Request::builder()
            .header(CONTENT_TYPE, "application/json")
            .body(axum::body::Body::from_stream(never))
            .unwrap();
        let read = Body::<serde_json::Value>::from_request(request, &());
        let read = tokio::time::timeout(BODY_TIME * 2, read).await;
        assert!(matches!(read, Ok(Err(Problem::TooSlow))));
    }
}
