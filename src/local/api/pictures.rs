//! Pictures of messages and answers.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

use super::asker::PageReader;
use crate::chat::message::Picture;
use crate::connections::Visit;
use crate::local::Local;
use crate::local::guests::Guest;
use crate::local::problem::RoomProblem;
use crate::matches::people::{PlayerId, ThemeName};
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::web::assets::is_known;
use crate::web::pictures::Pictures;
use crate::web::places::WorkFor;
use crate::web::problem::Problem;
use crate::web::rates::Activity;
use crate::web::request::UrlQuery;

#[derive(Deserialize)]
pub struct PictureQuery {
    theme: Option<String>,
}

/// What a list of a picture's spots is called, where the picture is called by its format.
const SPOTS: &str = "json";

pub async fn picture(
    State(local): State<Arc<Local>>,
    PageReader(guest): PageReader,
    visit: Visit,
    Path(name): Path<String>,
    UrlQuery(look): UrlQuery<PictureQuery>,
    headers: HeaderMap,
) -> Result<Response, RoomProblem> {
    let reader = guest.as_ref().map(|guest| &guest.id);
    local
        .rates
        .take(Activity::Look, reader.map(PlayerId::as_str), visit.address)?;
    let (id, extension) = name.rsplit_once('.').ok_or(Problem::NoSuchPicture)?;
    let mut picture = local
        .picture_of(id, guest.as_ref())?
        .ok_or(Problem::NoSuchPicture)?;
    if extension == SPOTS {
        return local.spots_of(picture).await;
    }
    if extension != picture.format_in_browsers().extension() {
        return Err(Problem::NoSuchPicture.into());
    }
    let media_type = picture.format_in_browsers().media_type();
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
    let pictures = &local.pictures;
    let file = pictures
        .draw(&local.parlor, WorkFor::Player, &tag, picture)
        .await?;
    Ok((about, [(CONTENT_TYPE, media_type)], file).into_response())
}

impl Local {
    /// What can be touched in a picture. Whoever may see the one may know the other.
    async fn spots_of(&self, picture: Picture) -> Result<Response, RoomProblem> {
        let parlor = Arc::clone(&self.parlor);
        let spots = tokio::task::spawn_blocking(move || parlor.spots(&picture))
            .await
            .map_err(|error| Fault::new("finding spots", error))?;
        match spots {
            Ok(spots) => Ok((
                [(CACHE_CONTROL, "private, no-cache")],
                Json(json!({ "spots": spots })),
            )
                .into_response()),
            Err(Failure::Refused(_)) => Err(Problem::NoSuchPicture.into()),
            Err(Failure::Broken(fault)) => Err(fault.into()),
        }
    }

    /// The picture of a message or an answer that this reader may see.
    fn picture_of(&self, id: &str, guest: Option<&Guest>) -> Result<Option<Picture>, RoomProblem> {
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
