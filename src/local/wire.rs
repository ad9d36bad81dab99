//! Messages as the page and scripts read them.

use serde::Serialize;

use super::feed::{FeedEntry, FeedPlace};
use super::replies::RoomAnswer;
use crate::chat::message::{Button, File, Inline, Message, Picture, Subject};
use crate::matches::code::Code;
use crate::matches::delivery::Sound;
use crate::matches::people::PlayerId;
use crate::matches::service::Service;

/// A message as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Post {
    pub id: String,
    /// Its place in the stream. Answers have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<u64>,
    /// Whether it has been written anew since it was first said.
    pub revised: bool,
    /// Milliseconds since the start of 1970.
    pub at: u64,
    pub room: Option<String>,
    /// Whether only one guest sees it.
    pub private: bool,
    /// Who said it; the parlor itself if nobody.
    pub from: Option<NamedPlayer>,
    /// The words without any mark-up.
    pub plain: String,
    pub text: Vec<TextPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureLink>,
    pub buttons: Vec<Button>,
    pub menu: Vec<Button>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<File>,
    /// Ids of those whom it calls.
    pub ping: Vec<PlayerId>,
    /// Whether it may make a sound.
    pub sound: Sound,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<ReplyTo>,
}

/// What an answer answers.
#[derive(Clone, Debug, Serialize)]
pub struct ReplyTo {
    pub asked: String,
    /// The message whose button was pressed.
    pub under: Option<String>,
    /// Whether it tells what only the asker may know.
    pub secret: bool,
    /// Whether it may go as soon as the asker says something else.
    pub passing: bool,
}

/// A player.
#[derive(Clone, Debug, Serialize)]
pub struct NamedPlayer {
    pub id: PlayerId,
    pub name: String,
}

/// Where to get a picture.
#[derive(Clone, Debug, Serialize)]
pub struct PictureLink {
    pub url: String,
    /// Where to get what can be touched in it.
    pub spots: String,
    pub alt: String,
    /// Whether the token is needed to get it.
    pub private: bool,
    /// The match that it shows.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
}

/// A piece of a text.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TextPart {
    Plain { text: String },
    Bold { text: String },
    Code { text: String },
    Block { text: String },
    Person { id: PlayerId, name: String },
    Link { url: String },
    When { at: u64 },
    Break,
}

/// A kept message.
pub fn entry(service: &Service, entry: &FeedEntry) -> Post {
    let (room, private) = match &entry.place {
        FeedPlace::Room(room) => (Some(room.parts().1.to_owned()), false),
        FeedPlace::Guest(_) => (None, true),
    };
    let mut post = post(service, entry.number.to_string(), private, &entry.message);
    post.cursor = Some(entry.cursor);
    if let Some(revised) = entry.revised {
        post.revised = true;
        if let (Some(link), Some(picture)) = (&mut post.picture, &entry.message.picture) {
            let id = format!("{}.{revised}", entry.number);
            (link.url, link.spots) = picture_urls(&id, picture);
        }
    }
    post.at = entry.at.0;
    post.room = room;
    post.from = entry.author.as_ref().map(|author| named(service, author));
    post
}

/// An answer to one guest.
pub fn answer(service: &Service, answer: &RoomAnswer) -> Post {
    let mut post = post(service, answer.id.clone(), true, &answer.message);
    post.at = answer.at.0;
    post.room = answer.room.as_ref().map(|room| room.parts().1.to_owned());
    post.reply = Some(ReplyTo {
        asked: answer.asked.clone(),
        under: answer.under.clone(),
        secret: answer.secret,
        passing: answer.passing,
    });
    post
}

/// A player by name.
pub fn named(service: &Service, player: &PlayerId) -> NamedPlayer {
    NamedPlayer {
        id: player.clone(),
        name: name_of(service, player),
    }
}

fn post(service: &Service, id: String, private: bool, message: &Message) -> Post {
    let part = |piece: &Inline| match piece {
        Inline::Plain(text) => TextPart::Plain { text: text.clone() },
        Inline::Bold(text) => TextPart::Bold { text: text.clone() },
        Inline::Code(text) | Inline::Say(text) => TextPart::Code { text: text.clone() },
        Inline::Block(text) => TextPart::Block { text: text.clone() },
        Inline::Person(player) => TextPart::Person {
            id: player.clone(),
            name: name_of(service, player),
        },
        Inline::Room(room) => TextPart::Bold {
            text: format!("#{}", room.parts().1),
        },
        Inline::Link(url) => TextPart::Link { url: url.clone() },
        Inline::When(time) => TextPart::When { at: time.0 },
        Inline::Break => TextPart::Break,
    };
    Post {
        plain: message.text.plain(|player| name_of(service, player)),
        text: message.text.0.iter().map(part).collect(),
        picture: message
            .picture
            .as_ref()
            .map(|picture| picture_link(&id, private, picture)),
        buttons: message.buttons.clone(),
        menu: message.menu.clone(),
        file: message.file.clone(),
        ping: message.ping.clone(),
        sound: message.sound,
        id,
        private,
        cursor: None,
        revised: false,
        at: 0,
        room: None,
        from: None,
        reply: None,
    }
}

fn picture_link(id: &str, private: bool, picture: &Picture) -> PictureLink {
    let (url, spots) = picture_urls(id, picture);
    PictureLink {
        url,
        spots,
        alt: picture.alt.clone(),
        private,
        code: match &picture.of {
            Subject::Match { code, .. } => Some(code.clone()),
            Subject::Opening(_) | Subject::Rule { .. } | Subject::Showpiece { .. } => None,
        },
    }
}

/// Where a picture is, and what can be touched in it.
fn picture_urls(id: &str, picture: &Picture) -> (String, String) {
    let at = format!("/api/pictures/{id}");
    (
        format!("{at}.{}", picture.format_in_browsers().extension()),
        format!("{at}.json"),
    )
}

/// A name that can't be read is no reason to show nothing.
pub fn name_of(service: &Service, player: &PlayerId) -> String {
    service.person(player).map_or_else(
        |error| {
            tracing::error!(%player, %error, "local: could not read a player's name");
            player.parts().1.to_owned()
        },
        |person| person.name,
    )
}
