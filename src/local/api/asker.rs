//! Who asks.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::local::Local;
use crate::local::guests::Guest;
use crate::local::problem::RoomProblem;

/// A guest who has shown their token.
pub struct Asker(pub Guest);

/// A guest who has shown their token, or somebody who has shown none. A wrong one is refused.
pub struct PageReader(pub Option<Guest>);

impl FromRequestParts<Arc<Local>> for PageReader {
    type Rejection = RoomProblem;

    async fn from_request_parts(parts: &mut Parts, local: &Arc<Local>) -> Result<Self, RoomProblem> {
        if !parts.headers.contains_key(AUTHORIZATION) {
            return Ok(Self(None));
        }
        let guest = bearer(&parts.headers).and_then(|token| local.guests.of_token(token));
        let guest = guest.ok_or(RoomProblem::WrongToken)?;
        let now = local.parlor.service.now();
        if local.guests.is_news(&guest, now) {
            local.guests.note(std::slice::from_ref(&guest), now).await?;
        }
        Ok(Self(Some(guest)))
    }
}

impl FromRequestParts<Arc<Local>> for Asker {
    type Rejection = RoomProblem;

    async fn from_request_parts(parts: &mut Parts, local: &Arc<Local>) -> Result<Self, RoomProblem> {
        let PageReader(guest) = PageReader::from_request_parts(parts, local).await?;
        guest.map(Self).ok_or(RoomProblem::NoToken)
    }
}

/// The token in the headers.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
