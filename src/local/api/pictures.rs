//! Pictures of messages and answers.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::request::{Asked, Reader};
use crate::chat::message::Picture;
use crate::local::Local;
use crate::local::connections::Visit;
use crate::local::guests::Guest;
use crate::local::page::is_known;
use crate::local::pictures::Pictures;
use crate::local::problem::Problem;
use crate::local::rates::Kind;
use crate::matches::people::ThemeName;

#[derive(Deserialize)]
pub struct Look {
    theme: Option<String>,
}

pub async fn picture(
    State(local): State<Arc<Local>>,
    Reader(guest): Reader,
    visit: Visit,
    Path(name): Path<String>,
    Asked(look): Asked<Look>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let reader = guest.as_ref().map(|guest| &guest.id);
    local.rates.take(Kind::Look, reader, visit.address)?;
    let id = name.strip_suffix(".png").ok_or(Problem::NoSuchPicture)?;
    let mut picture = local
        .picture_of(id, guest.as_ref())?
        .ok_or(Problem::NoSuchPicture)?;
    if let Some(theme) = look.theme {
        let theme = theme.parse();
        picture.theme = theme
            .map(ThemeName)
            .map_err(|error| Problem::BadQuery(format!("{error}")))?;
    }
    let tag = Pictures::tag(&picture)?;
    let about = [(ETAG, tag.as_str()), (CACHE_CONTROL, "private, no-cache")];
    if is_known(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let png = local.pictures.draw(&local.parlor, &tag, picture).await?;
    Ok((about, [(CONTENT_TYPE, "image/png")], png).into_response())
}

impl Local {
    /// The picture of a message or an answer that this reader may see.
    fn picture_of(&self, id: &str, guest: Option<&Guest>) -> Result<Option<Picture>, Problem> {
        let reader = guest.map(|guest| &guest.id);
        // What stands behind a point tells a message that was written anew from what it was.
        let id = id.split_once('.').map_or(id, |(id, _)| id);
        let message = match id.parse() {
            Ok(number) => self.feed.find_for(number, reader)?.map(|entry| entry.message),
            Err(_) => reader
                .and_then(|reader| self.replies.find(id, reader))
                .map(|answer| answer.message),
        };
        Ok(message.and_then(|message| message.picture))
    }
}
