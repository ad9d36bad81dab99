//! What is looked at: the page, its pictures, and what can be touched in them.

use std::sync::Arc;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::Web;
use super::assets::is_known;
use super::html::Writer;
use super::packed::Packed;
use super::page::{self, Leaf, picture_name};
use super::places::{WorkFor, WorkPlace};
use super::problem::Problem;
use super::rates::Activity;
use super::request::UrlQuery;
use super::visitor::{PageRequest, Visitor};
use crate::chat::message::{Picture, Text};
use crate::chat::pages::{PagePicture, PageViewer, SeenPicture};
use crate::connections::Visit;
use crate::matches::people::{PlayerId, ThemeName};
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::text::hex;

/// What only one person may see is kept nowhere.
const OWN: &str = "private, no-store";

/// What everybody may see is asked for anew each time: the link may have ended.
pub const OPEN: &str = "no-cache";

/// What pages are, and lists of spots.
const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

#[derive(Deserialize)]
pub struct PageQuery {
    /// Only what is now, without the story.
    brief: Option<String>,
}

/// The match as it is.
pub async fn now(asked: Result<PageRequest, Problem>, UrlQuery(wanted): UrlQuery<PageQuery>) -> Response {
    let leaf = if wanted.brief.is_some() {
        Wish::Brief
    } else {
        Wish::Now
    };
    answer(asked, leaf).await
}

/// The match at the end of a turn.
pub async fn turn(asked: Result<PageRequest, Problem>, Path((_, turn)): Path<(String, String)>) -> Response {
    match page::turn_number(&turn) {
        Some(turn) => answer(asked, Wish::Turn(turn)).await,
        None => kind(&Problem::NothingHere),
    }
}

/// What of a match is wanted.
#[derive(Clone, Copy, Debug)]
enum Wish {
    Now,
    Brief,
    Turn(u32),
}

/// A page that says why there is none.
pub fn kind(problem: &Problem) -> Response {
    let title = match problem {
        Problem::NotYours => "This board isn't open to you",
        Problem::NothingHere => "There's nothing here",
        Problem::TooFast(_) => "Slow down a little",
        _ => "That didn't work",
    };
    let words = match problem {
        Problem::NothingHere => {
            Text::markdown("Boards are opened by a link: ask for yours in the chat, with `link`.")
        }
        other => Text::markdown(&other.to_string()),
    };
    let page = match problem {
        // Whether a key is at hand knows the script alone.
        Problem::NotYours => page::opening(title, &words),
        _ => page::kind(title, &words),
    };
    (problem.status(), problem.about(), Html(page)).into_response()
}

async fn answer(asked: Result<PageRequest, Problem>, wish: Wish) -> Response {
    let page = async {
        let asked = asked?;
        let visitor = asked.enter(Activity::Read)?;
        let place = if asked.web.is_kept(&visitor, wish) {
            None
        } else {
            Some(asked.web.retelling(&asked.visit, &visitor).await?)
        };
        let written = tokio::task::spawn_blocking(move || {
            let _place = place;
            let page = asked.web.write(&visitor, wish)?;
            Ok((cached(&visitor.eyes), Packed::new(page, &asked.headers)))
        });
        written
            .await
            .map_err(|error| Fault::new("writing the page of a match", error))?
    };
    match page.await {
        Ok((cached, page)) => ([(CACHE_CONTROL, cached)], page.answer(HTML)).into_response(),
        Err(problem) => kind(&problem),
    }
}

impl Web {
    /// Whether nothing has to be played again for a page.
    fn is_kept(&self, visitor: &Visitor, wish: Wish) -> bool {
        let told = || self.stories.is_kept(visitor);
        match wish {
            Wish::Brief => true,
            Wish::Now => told(),
            Wish::Turn(number) => told() && self.turns.find(visitor, number).is_some(),
        }
    }

    /// Waits until a match may be played again for a visitor, and counts that it is.
    async fn retelling(&self, visit: &Visit, visitor: &Visitor) -> Result<WorkPlace, Problem> {
        self.count_retelling(visit, visitor)?;
        self.retelling.take(WorkFor::from(&visitor.eyes)).await
    }

    fn count_retelling(&self, visit: &Visit, visitor: &Visitor) -> Result<(), Problem> {
        match &visitor.counted {
            Some(known) => self.rates.take_known(Activity::Retell, known),
            None => self.rates.take(Activity::Retell, None, visit.address),
        }
    }

    fn write(&self, visitor: &Visitor, wish: Wish) -> Result<String, Problem> {
        let Visitor { code, eyes, base, .. } = visitor;
        let shown = self.parlor.match_page(code, eyes).map_err(unseen)?;
        let story = match wish {
            Wish::Brief => None,
            Wish::Now | Wish::Turn(_) => Some(self.stories.tell(&self.parlor, code, shown.version, eyes)?),
        };
        let turn = match wish {
            Wish::Turn(number) => {
                let found = self.turn_picture(visitor, number)?.ok_or(Problem::NothingHere)?;
                Some((number, found.picture))
            }
            Wish::Now | Wish::Brief => None,
        };
        let origin = self.site.origin();
        let leaf = Leaf {
            page: &shown,
            base,
            own: eyes.player().is_some(),
            turn,
            story,
            writer: Writer {
                reader: eyes.player(),
                name: &|player| self.name(player),
                now: self.parlor.service.now(),
            },
            unfurls: (*eyes == PageViewer::Public).then_some(origin.as_str()),
        };
        Ok(leaf.document())
    }

    /// A name that can't be read is no reason to show nothing.
    pub fn name(&self, player: &PlayerId) -> String {
        self.parlor.service.person(player).map_or_else(
            |error| {
                tracing::error!(%player, %error, "web: could not read a player's name");
                player.parts().1.to_owned()
            },
            |person| person.name,
        )
    }
}

pub const fn cached(eyes: &PageViewer) -> &'static str {
    match eyes {
        PageViewer::Player(_) => OWN,
        PageViewer::Public => OPEN,
    }
}

/// A match that can't be shown is like one that isn't there.
pub fn unseen(failure: Failure) -> Problem {
    match failure {
        Failure::Refused(_) => Problem::NotYours,
        Failure::Broken(fault) => fault.into(),
    }
}

#[derive(Deserialize)]
pub struct ThemeQuery {
    theme: Option<String>,
}

/// A picture of the page, or what can be touched in it.
pub async fn picture(
    asked: PageRequest,
    Path((_, file)): Path<(String, String)>,
    UrlQuery(look): UrlQuery<ThemeQuery>,
) -> Result<Response, Problem> {
    let visitor = asked.enter(Activity::Look)?;
    let web = &asked.web;
    let (called, extension) = file.rsplit_once('.').ok_or(Problem::NoSuchPicture)?;
    let named = Named::read(called).ok_or(Problem::NoSuchPicture)?;
    let turn = named.turn();
    let place = match turn {
        Some(number) if web.turns.find(&visitor, number).is_none() => {
            Some(web.retelling(&asked.visit, &visitor).await?)
        }
        Some(_) | None => None,
    };
    let is_counted = place.is_some();
    let found = {
        let (web, visitor) = (Arc::clone(web), visitor.clone());
        let spots = (extension == "json").then(|| asked.headers.clone());
        tokio::task::spawn_blocking(move || {
            let _place = place;
            let found = web.find_picture(&visitor, &named)?;
            let spots = spots.map(|headers| {
                let spots = web.parlor.spots(&found.picture).map_err(unseen)?;
                Ok::<_, Problem>(Packed::new(json!({ "spots": spots }).to_string(), &headers))
            });
            Ok::<_, Problem>((found, spots.transpose()?))
        })
        .await
    };
    let found = found.map_err(|error| Fault::new("looking for a picture of a page", error))??;
    let (Found { mut picture, seen }, spots) = found;
    let cached = cached(&visitor.eyes);
    if let Some(spots) = spots {
        return Ok(([(CACHE_CONTROL, cached)], spots.answer(JSON)).into_response());
    }
    if extension != picture.format_in_browsers().extension() {
        return Err(Problem::NoSuchPicture);
    }
    if let Some(theme) = look.theme {
        let theme = theme.parse().map(ThemeName);
        picture.theme = theme.map_err(|error| Problem::BadQuery(format!("{error}")))?;
    }
    let tag = tag(&visitor, &seen, &picture);
    let about = [(ETAG, tag.as_str()), (CACHE_CONTROL, cached)];
    if is_known(&asked.headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let media_type = picture.format_in_browsers().media_type();
    let file = match web.pictures.kept(&tag) {
        Some(file) => file,
        None => {
            // Earlier turns in all colours are as many pictures as somebody likes to ask for.
            if turn.is_some() && !is_counted {
                web.count_retelling(&asked.visit, &visitor)?;
            }
            let who = WorkFor::from(&visitor.eyes);
            web.pictures.draw(&web.parlor, who, &tag, picture).await?
        }
    };
    Ok((about, [(CONTENT_TYPE, media_type)], file).into_response())
}

/// What names of pictures of answers begin with.
const REPLY: &str = "reply-";

/// What the name of a picture stands for.
#[derive(Clone, Debug)]
enum Named {
    /// The picture of an answer, by its id.
    Reply(String),
    Page(PagePicture),
}

impl Named {
    /// Reads a name. The moment that it is of stands behind a point: whatever it is, the match is shown as it is now.
    fn read(name: &str) -> Option<Self> {
        let what = name.split('.').next()?;
        match what.strip_prefix(REPLY) {
            Some(id) => Some(Self::Reply(id.to_owned())),
            None => page::picture_called(what).map(Self::Page),
        }
    }

    const fn turn(&self) -> Option<u32> {
        match self {
            Self::Page(PagePicture::Turn(number)) => Some(*number),
            Self::Page(PagePicture::Board | PagePicture::Hand) | Self::Reply(_) => None,
        }
    }
}

/// A picture with what tells it from others. It must not be told from the same picture by what its viewer may not know, so it
/// is no digest of the picture's description, which names an entry of the log.
struct Found {
    picture: Picture,
    seen: String,
}

/// What stands for a drawn picture, in quotes.
fn tag(visitor: &Visitor, seen: &str, picture: &Picture) -> String {
    let mut digest = Sha256::new();
    digest.update(env!("CARGO_PKG_VERSION"));
    digest.update([picture.side.number()]);
    let player = visitor.eyes.player().map_or("", PlayerId::as_str);
    for part in [visitor.code.as_str(), player, seen, picture.theme.0.name()] {
        digest.update([0]);
        digest.update(part);
    }
    format!("\"{}\"", hex(&digest.finalize()[..16]))
}

impl Web {
    /// The picture that a page calls so.
    fn find_picture(&self, visitor: &Visitor, named: &Named) -> Result<Found, Problem> {
        let what = match named {
            Named::Reply(id) => {
                let owner = visitor.counted.as_deref();
                let picture = owner.and_then(|owner| self.replies.find(id, owner));
                return Ok(Found {
                    picture: picture.ok_or(Problem::NoSuchPicture)?,
                    seen: format!("{REPLY}{id}"),
                });
            }
            Named::Page(what) => *what,
        };
        let found = match what {
            PagePicture::Turn(number) => self.turn_picture(visitor, number)?,
            PagePicture::Board | PagePicture::Hand => {
                let found = self.parlor.page_picture(&visitor.code, &visitor.eyes, what);
                found.map_err(unseen)?
            }
        };
        let SeenPicture {
            picture,
            version,
            state,
        } = found.ok_or(Problem::NoSuchPicture)?;
        let seen = picture_name(version, &state, what);
        Ok(Found { picture, seen })
    }

    /// The end of a turn, if the match has so many.
    fn turn_picture(&self, visitor: &Visitor, number: u32) -> Result<Option<SeenPicture>, Problem> {
        if let Some(shown) = self.turns.find(visitor, number) {
            return Ok(Some(shown));
        }
        let Visitor {
            code, eyes, version, ..
        } = visitor;
        let turns = self.stories.tell(&self.parlor, code, *version, eyes)?.len();
        if number as usize > turns {
            return Ok(None);
        }
        let found = self.parlor.page_picture(code, eyes, PagePicture::Turn(number));
        let found = found.map_err(unseen)?;
        if let Some(shown) = &found {
            self.turns.keep(visitor, number, shown);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::http::header::RETRY_AFTER;

    use super::*;

    /// A page that is sent away tries again by itself: not too soon.
    #[test]
    fn a_page_is_told_when_to_come_again() {
        let told = |problem: &Problem| {
            let page = kind(problem);
            let after = page.headers().get(RETRY_AFTER);
            let after = after.map(|value| value.to_str().unwrap().to_owned());
            (page.status(), after)
        };
        let too_fast = Problem::TooFast(Duration::from_millis(2500));
        assert_eq!(told(&too_fast), (StatusCode::TOO_MANY_REQUESTS, Some("3".into())));
        assert_eq!(told(&Problem::NotYours), (StatusCode::UNAUTHORIZED, None));
    }
}
