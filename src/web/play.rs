//! Playing on a page: touching its pictures, and pressing what it offers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use serde::{Deserialize, Serialize};

use super::Web;
use super::html::Writer;
use super::places::WorkFor;
use super::problem::Problem;
use super::rates::Activity;
use super::request::{Body, locale};
use super::touching::{MOST_TOUCHES, Touchable, Touching};
use super::visitor::{PageRequest, Visitor};
use crate::chat::command::Nobody;
use crate::chat::message::{Button, File, Picture};
use crate::chat::parlor::{Input, Reply, Request};
use crate::chat::refusals::refused;
use crate::matches::people::PlayerId;
use crate::matches::port::{Entropy, Fault};
use crate::matches::refusal::Failure;
use crate::text::hex;

/// The longest command, and the longest event id of a page, in characters.
const LONGEST_COMMAND: usize = 1000;
const LONGEST_EVENT: usize = 100;

/// How many pictures of answers are remembered of one who asks, and of all together.
const MOST_OF_ONE: usize = 16;
const MOST_PICTURES: usize = 2048;

/// What a player means who has touched these things, and what can be touched next.
pub async fn touch(
    asked: PageRequest,
    Body(Touching { version, touches }): Body<Touching>,
) -> Result<Json<Touchable>, Problem> {
    let visitor = asked.enter(Activity::Say)?;
    let web = &asked.web;
    let player = visitor.eyes.player().cloned().ok_or(Problem::NotYours)?;
    if touches.len() > MOST_TOUCHES {
        return Err(Problem::TooManyTouches);
    }
    let (parlor, code) = (Arc::clone(&web.parlor), visitor.code);
    // Some games have much to spell out.
    let place = web.touching.take(WorkFor::Player).await?;
    let answered = tokio::task::spawn_blocking(move || {
        let _place = place;
        parlor.touch(&player, &code, version, &touches)
    })
    .await;
    match answered.map_err(|error| Fault::new("reading touches", error))? {
        Ok(answer) => Ok(Json(Touchable::Touched(answer))),
        Err(Failure::Broken(fault)) => Err(fault.into()),
        Err(Failure::Refused(refusal)) => {
            let said = refused(&refusal).text.plain(|player| web.name(player));
            Ok(Json(Touchable::Refused { refused: said }))
        }
    }
}

#[derive(Deserialize)]
pub struct PagePress {
    command: String,
    event: Option<String>,
}

/// What a page is answered.
#[derive(Serialize)]
pub struct PageReply {
    /// As HTML.
    text: String,
    buttons: Vec<Button>,
    menu: Vec<Button>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<ReplyPicture>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<File>,
    /// Whether it has done something.
    done: bool,
    /// Whether it may go as soon as something else is asked.
    passing: bool,
}

#[derive(Serialize)]
struct ReplyPicture {
    url: String,
    alt: String,
}

/// Carries out what a player presses on their page.
pub async fn press(
    asked: PageRequest,
    Body(PagePress { command, event }): Body<PagePress>,
) -> Result<Json<PageReply>, Problem> {
    let visitor = asked.enter(Activity::Say)?;
    let web = &asked.web;
    let (Some(player), Some(owner)) = (visitor.eyes.player(), &visitor.counted) else {
        return Err(Problem::NotYours);
    };
    for (text, longest) in [(Some(&command), LONGEST_COMMAND), (event.as_ref(), LONGEST_EVENT)] {
        if text.is_some_and(|text| text.chars().count() > longest) {
            return Err(Problem::TooLong(longest));
        }
    }
    let request = Request {
        who: player.clone(),
        // What the platform calls them is known there; here nobody says otherwise.
        name: web.parlor.service.person(player)?.name,
        room: None,
        about: Some(visitor.code.clone().into()),
        locale: locale(&asked.headers),
        event: event.map(|event| format!("page {} {event}", visitor.code)),
        gone: Vec::new(),
        input: Input::line(&command, &Nobody),
    };
    let (parlor, code) = (Arc::clone(&web.parlor), visitor.code.clone());
    // Whoever hangs up doesn't stop what they asked for halfway.
    let reply = tokio::spawn(async move { parlor.handle_on_page(&request, &code).await })
        .await
        .map_err(|error| Fault::new("answering a page", error))?;
    Ok(Json(web.answered(&visitor, owner, player, reply)?))
}

impl Web {
    fn answered(
        &self,
        visitor: &Visitor,
        owner: &str,
        reader: &PlayerId,
        reply: Reply,
    ) -> Result<PageReply, Problem> {
        // What is being picked is picked on the board that the page shows.
        let message = reply.message.without_picking();
        let picture = match message.picture {
            Some(picture) => {
                let alt = picture.alt.clone();
                let extension = picture.format_in_browsers().extension();
                let id = self.replies.keep(self.parlor.service.entropy(), owner, picture)?;
                let url = format!("{}/pictures/reply-{id}.{extension}", visitor.base);
                Some(ReplyPicture { url, alt })
            }
            None => None,
        };
        let writer = Writer {
            reader: Some(reader),
            name: &|player| self.name(player),
            now: self.parlor.service.now(),
        };
        Ok(PageReply {
            text: writer.paragraphs(&message.text),
            buttons: message.buttons,
            menu: message.menu,
            picture,
            file: message.file,
            done: reply.changed.is_some(),
            passing: reply.passing,
        })
    }
}

/// Pictures of answers, which only whoever asked may see. They are not kept on disk.
#[derive(Debug, Default)]
pub struct ReplyPictures {
    kept: Mutex<VecDeque<KeptPicture>>,
}

#[derive(Debug)]
struct KeptPicture {
    /// Not to be guessed.
    id: String,
    owner: String,
    picture: Picture,
}

impl ReplyPictures {
    fn keep(&self, entropy: &dyn Entropy, owner: &str, mut picture: Picture) -> Result<String, Fault> {
        let mut bytes = [0; 16];
        entropy.fill(&mut bytes)?;
        let id = hex(&bytes);
        // It is drawn if somebody looks, and then read anew.
        picture.prepared = None;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever asks for many lets go of their own.
        let mut own = kept.iter().enumerate().filter(|(_, kept)| kept.owner == owner);
        let oldest = own.next().map(|(index, _)| index);
        let is_full = own.count() + 1 >= MOST_OF_ONE;
        if let Some(index) = oldest.filter(|_| is_full) {
            kept.remove(index);
        } else if kept.len() >= MOST_PICTURES {
            kept.pop_front();
        }
        kept.push_back(KeptPicture {
            id: id.clone(),
            owner: owner.to_owned(),
            picture,
        });
        Ok(id)
    }

    pub fn find(&self, id: &str, owner: &str) -> Option<Picture> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|kept| kept.id == id && kept.owner == owner);
        found.map(|kept| kept.picture.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::message::Subject;
    use crate::game::Seat;
    use crate::matches::entropy::OsEntropy;
    use crate::matches::people::ThemeName;

    #[test]
    fn who_asks_for_many_pictures_lets_go_of_their_own() {
        let replies = ReplyPictures::default();
        let picture = Picture {
            of: Subject::Opening("phwar".to_owned()),
            side: Seat::new(0),
            theme: ThemeName::default(),
            alt: String::new(),
            prepared: None,
        };
        let keep = |owner: &str| replies.keep(&OsEntropy, owner, picture.clone()).unwrap();
        let ann: Vec<String> = (0..3).map(|_| keep("ann")).collect();
        let bea: Vec<String> = (0..MOST_PICTURES + 5).map(|_| keep("bea")).collect();
        assert!(ann.iter().all(|id| replies.find(id, "ann").is_some()));
        let left = bea.iter().map(|id| replies.find(id, "bea").is_some());
        let left: Vec<bool> = left.collect();
        let (gone, kept) = left.split_at(bea.len() - MOST_OF_ONE);
        assert!(
            gone.iter().all(|left| !left) && kept.iter().all(|left| *left),
            "the last ones"
        );
        assert!(replies.find(&bea[bea.len() - 1], "ann").is_none());
    }
}
