//! What is said, as data. Each adapter writes it the way its platform wants.
//!
//! A [`Text`] is made of pieces, and only pieces made here carry meaning: a player's name, or anything
//! else that somebody typed, is always [`Inline::Plain`] and is escaped by the adapter. So no name can
//! smuggle in a mention, a link or mark-up.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::grammar;
use crate::catalog::{Frame, Table};
use crate::draw::Prose;
use crate::draw::prose::ProseSpan;
use crate::game::collection::Showpiece;
use crate::game::{Seat, Viewer};
use crate::matches::code::Code;
use crate::matches::delivery::Sound;
use crate::matches::people::{PlayerId, RoomId, ThemeName};
use crate::matches::time::Time;
use crate::text::template::{self, Part};

/// Something to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub text: Text,
    pub picture: Option<Picture>,
    pub buttons: Vec<Button>,
    /// Things to choose one of; there may be many.
    pub menu: Vec<Button>,
    pub file: Option<File>,
    /// Who is to be notified. Naming somebody in the text notifies nobody.
    pub ping: Vec<PlayerId>,
    /// Whether it may make a sound where it comes to one person alone.
    #[serde(default, skip_serializing_if = "Sound::is_usual")]
    pub sound: Sound,
}

impl Message {
    /// Lets go of what was read for its picture. Whoever draws it later reads it again.
    pub fn forget_prepared(&mut self) {
        if let Some(picture) = &mut self.picture {
            picture.prepared = None;
        }
    }

    /// Whether it shows a move that is being picked: that is for its maker alone.
    pub fn is_picking(&self) -> bool {
        self.picture
            .as_ref()
            .is_some_and(|picture| picture.picking().is_some())
    }

    /// Without the picture of a move that is being picked: where others read along, a picture a step is noise.
    #[must_use]
    pub fn without_picking(mut self) -> Self {
        self.picture = self.picture.filter(|picture| picture.picking().is_none());
        self
    }

    pub fn text(text: impl Into<Text>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn with_picture(mut self, picture: Option<Picture>) -> Self {
        self.picture = picture;
        self
    }

    #[must_use]
    pub fn with_buttons(mut self, buttons: Vec<Button>) -> Self {
        self.buttons = buttons;
        self
    }
}

/// A text in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text(pub Vec<Inline>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inline {
    /// Letters that mean nothing but themselves.
    Plain(String),
    Bold(String),
    /// A move, a code, a value, in fixed width.
    Code(String),
    /// A command that can be said, without the mark that a platform may want before it.
    Say(String),
    /// Several lines in fixed width.
    Block(String),
    Person(PlayerId),
    Room(RoomId),
    /// The address of a page of ours, letter by letter.
    Link(String),
    /// A moment; platforms that can show how long until then.
    When(Time),
    /// A new line.
    Break,
}

impl Text {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, piece: impl Into<Inline>) {
        self.0.push(piece.into());
    }

    /// A new paragraph with this in it.
    pub fn line(&mut self, text: impl Into<Self>) {
        if !self.is_empty() {
            self.0.push(Inline::Break);
        }
        self.0.extend(text.into().0);
    }

    /// A whole sentence of ours, in a little markdown, with its places filled; [`say!`](crate::say) is how it is written.
    /// What fills a place in back quotes or bold becomes part of it.
    pub fn filled(sentence: &str, places: &[(&str, Self)]) -> Self {
        let filling = |name: &str| places.iter().find(|(own, _)| *own == name).map(|(_, text)| text);
        let within = |words: &str| -> String {
            let part = |part: Part<'_>| match part {
                Part::Words(words) => words.to_owned(),
                Part::Place(name) => {
                    filling(name).map_or_else(String::new, |text| text.plain(PlayerId::to_string))
                }
            };
            template::parts(words).into_iter().map(part).collect()
        };
        let mut text = Self::new();
        for piece in Self::markdown(sentence).0 {
            match piece {
                Inline::Plain(words) => {
                    for part in template::parts(&words) {
                        match part {
                            Part::Words(words) => text.push(words),
                            Part::Place(name) => text.0.extend(filling(name).cloned().unwrap_or_default().0),
                        }
                    }
                }
                Inline::Bold(words) => text.push(Inline::Bold(within(&words))),
                Inline::Code(words) => text.push(Inline::Code(within(&words))),
                Inline::Say(words) => text.push(Inline::Say(within(&words))),
                Inline::Block(_)
                | Inline::Person(_)
                | Inline::Room(_)
                | Inline::Link(_)
                | Inline::When(_)
                | Inline::Break => {
                    text.push(piece);
                }
            }
        }
        text
    }

    /// Goes on with another sentence, after a space.
    pub fn sentence(&mut self, text: impl Into<Self>) {
        let text = text.into();
        if !self.is_empty() && !text.is_empty() {
            self.push(" ");
        }
        self.0.extend(text.0);
    }

    /// A sentence about a match, with players in place of seats.
    pub fn prose(prose: &Prose, players: &[PlayerId]) -> Self {
        let piece = |span: &ProseSpan| match span {
            ProseSpan::Text(text) => Inline::Plain(text.clone()),
            ProseSpan::Code(code) => Inline::Code(code.clone()),
            ProseSpan::Seat(seat) => match players.get(seat.index()) {
                Some(player) => Inline::Person(player.clone()),
                None => Inline::Plain(format!("Player {seat}")),
            },
        };
        Self(prose.spans().iter().map(piece).collect())
    }

    /// Our own texts use a little markdown: `**bold**`, back quotes, lines. In back quotes, a slash tells a
    /// command from other things.
    pub fn markdown(markdown: &str) -> Self {
        let mut text = Self::new();
        for (number, line) in markdown.lines().enumerate() {
            if number > 0 {
                text.0.push(Inline::Break);
            }
            for (index, part) in line.split('`').enumerate() {
                if index % 2 == 1 {
                    text.push(match part.strip_prefix('/').filter(|part| is_command(part)) {
                        Some(command) => Inline::Say(command.to_owned()),
                        None => Inline::Code(part.to_owned()),
                    });
                    continue;
                }
                for (index, part) in part.split("**").enumerate() {
                    if !part.is_empty() {
                        let part = part.to_owned();
                        text.push(if index % 2 == 1 {
                            Inline::Bold(part)
                        } else {
                            Inline::Plain(part)
                        });
                    }
                }
            }
        }
        text
    }

    /// The text without any mark-up, with players called by name: for logs of the local room, and tests.
    pub fn plain(&self, name: impl Fn(&PlayerId) -> String) -> String {
        let piece = |piece: &Inline| match piece {
            Inline::Plain(text)
            | Inline::Bold(text)
            | Inline::Code(text)
            | Inline::Say(text)
            | Inline::Link(text) => text.clone(),
            Inline::Block(text) => format!("\n{text}\n"),
            Inline::Person(player) => name(player),
            Inline::Room(room) => format!("#{}", room.parts().1),
            Inline::When(time) => format!("@{}", time.unix_seconds()),
            Inline::Break => "\n".to_owned(),
        };
        self.0.iter().map(piece).collect()
    }
}

/// Whether this begins with the name of a command; what somebody typed may begin with a slash too.
fn is_command(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    grammar::find(word).is_some_and(|command| command.name == word)
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::markdown(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::markdown(&text)
    }
}

impl From<&str> for Inline {
    fn from(text: &str) -> Self {
        Self::Plain(text.to_owned())
    }
}

impl From<String> for Inline {
    fn from(text: String) -> Self {
        Self::Plain(text)
    }
}

impl From<&PlayerId> for Inline {
    fn from(player: &PlayerId) -> Self {
        Self::Person(player.clone())
    }
}

impl From<&RoomId> for Inline {
    fn from(room: &RoomId) -> Self {
        Self::Room(room.clone())
    }
}

impl From<Time> for Inline {
    fn from(time: Time) -> Self {
        Self::When(time)
    }
}

impl FromIterator<Inline> for Text {
    fn from_iter<I: IntoIterator<Item = Inline>>(pieces: I) -> Self {
        Self(pieces.into_iter().collect())
    }
}

/// What may fill a place of a sentence. A string means nothing but itself there: it is not read as markdown.
pub trait TextFilling {
    fn filling(self) -> Text;
}

impl<I: Into<Inline>> TextFilling for I {
    fn filling(self) -> Text {
        Text(vec![self.into()])
    }
}

impl TextFilling for Text {
    fn filling(self) -> Text {
        self
    }
}

/// A whole sentence with named places, in our markdown: `say!("{host} opens {table} for anybody to join.", host, table =
/// title)`. A place that nothing fills, or a name without a place, does not build.
///
/// ```
/// use parlor::chat::message::Inline;
/// use parlor::say;
///
/// let text = say!("{who} joins. Say `/join #{code}` too.", who = "Ann", code = "K7QF");
/// assert_eq!(text.plain(|player| player.to_string()), "Ann joins. Say join #K7QF too.");
/// assert_eq!(text.0[2], Inline::Say("join #K7QF".to_owned()));
/// ```
#[macro_export]
macro_rules! say {
    ($($sentence:tt)*) => {
        $crate::filled!($crate::chat::message::Text, $crate::chat::message::TextFilling, $($sentence)*)
    };
}

/// A text from plain strings, players, times and pieces, where they make no sentence: a heading, an entry of a list.
#[macro_export]
macro_rules! text {
    ($($piece:expr),* $(,)?) => {
        [$($crate::chat::message::Inline::from($piece)),*]
            .into_iter()
            .collect::<$crate::chat::message::Text>()
    };
}

/// A text that is handed over as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    pub name: String,
    pub content: String,
}

/// A picture that can be drawn at any time, and always comes out the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    pub of: Subject,
    /// The seat from whose side the board is drawn.
    pub side: Seat,
    pub theme: ThemeName,
    /// What somebody who can't see the picture is told instead.
    pub alt: String,
    /// The table that it shows, if it is at hand; otherwise it is read when the picture is drawn. It is never kept.
    #[serde(skip)]
    pub prepared: Option<Prepared>,
}

impl Picture {
    /// What its file is, once it is drawn.
    pub const fn format(&self) -> ImageFormat {
        if self.is_film() {
            ImageFormat::Gif
        } else {
            ImageFormat::Png
        }
    }

    /// What its file is for a browser, which shows films that are smaller.
    pub const fn format_in_browsers(&self) -> ImageFormat {
        if self.is_film() {
            ImageFormat::AnimatedPng
        } else {
            ImageFormat::Png
        }
    }

    /// Whether it is a film: those take long to draw, and wait apart from boards.
    pub const fn is_film(&self) -> bool {
        match &self.of {
            Subject::Match {
                what: PictureKind::Replay { .. },
                ..
            } => true,
            Subject::Match { .. }
            | Subject::Opening(_)
            | Subject::Showpiece { .. }
            | Subject::Rule { .. } => false,
        }
    }

    /// The words picked so far, if it shows an action that is being picked.
    pub fn picking(&self) -> Option<&[String]> {
        match &self.of {
            Subject::Match {
                what: PictureKind::Picking(words),
                ..
            } => Some(words),
            Subject::Match { .. }
            | Subject::Opening(_)
            | Subject::Showpiece { .. }
            | Subject::Rule { .. } => None,
        }
    }
}

/// A table with all that is needed to show it: a picture's words and the picture itself are made from one reading.
#[derive(Clone)]
pub struct Prepared(Arc<PreparedTable>);

struct PreparedTable {
    table: Box<dyn Table>,
    names: Vec<String>,
    viewer: Viewer,
}

impl Prepared {
    pub fn new(table: Box<dyn Table>, names: Vec<String>, viewer: Viewer) -> Self {
        Self(Arc::new(PreparedTable { table, names, viewer }))
    }

    pub fn table(&self) -> &dyn Table {
        self.0.table.as_ref()
    }

    /// The frame in which a picture shows it.
    pub fn frame<'a>(&'a self, picture: &'a Picture) -> Frame<'a> {
        Frame {
            viewer: self.0.viewer,
            side: picture.side,
            theme: picture.theme.0,
            names: &self.0.names,
            picking: picture.picking(),
        }
    }
}

/// Without the table: it holds secrets.
impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prepared")
    }
}

/// Pictures are told apart by what they are of.
impl PartialEq for Prepared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Prepared {}

/// What a picture is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The opening of a game.
    Opening(String),
    /// A position that shows a rule of a game.
    Rule { game: String, name: String },
    /// Something of a game's collection.
    #[serde(rename = "shelf")]
    Showpiece { game: String, piece: Showpiece },
    Match {
        code: Code,
        /// The log entry up to which the match is shown.
        entries: u32,
        /// Whose secrets may be seen in it; nobody's if none is named.
        viewer: Option<Seat>,
        what: PictureKind,
    },
}

/// What of a match a picture shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureKind {
    Board,
    Hand,
    /// The board as it would be after this.
    Preview(String),
    /// The board with what somebody has picked so far, word by word, and what can follow.
    Picking(Vec<String>),
    /// The board at the end of a turn, in a match that is shown again; 0 is the opening.
    Turn {
        number: u32,
        hands: ReplayedHands,
    },
    /// The board after so many steps, in a match that is over.
    Position {
        steps: u32,
        hands: ReplayedHands,
    },
    /// Who stood better in the course of a match that has been reviewed.
    Graph,
    /// Some turns, one after the other.
    Replay {
        first: u32,
        last: u32,
        hands: ReplayedHands,
    },
}

/// What of the players' hands is seen when a match is shown again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplayedHands {
    /// What the viewer saw.
    AsSeen,
    /// Everything: the match is over.
    Open,
}

/// The format of a picture's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFormat {
    Png,
    Gif,
    AnimatedPng,
}

impl ImageFormat {
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::AnimatedPng => "apng",
        }
    }

    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::AnimatedPng => "image/apng",
        }
    }
}

/// Something to press. It stands for a command, so it outlives restarts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    pub label: String,
    /// At most [`LONGEST_COMMAND`] bytes.
    pub command: String,
    pub style: ButtonStyle,
    /// What it does, in one line, where a platform has place for it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
}

/// The longest command that a button may carry on every platform.
pub const LONGEST_COMMAND: usize = 100;

/// How a button looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ButtonStyle {
    /// What most people will want.
    Primary,
    Plain,
    /// What can't be undone.
    Danger,
}

impl Button {
    pub fn new(label: impl Into<String>, command: impl Into<String>, style: ButtonStyle) -> Self {
        Self {
            label: label.into(),
            command: command.into(),
            style,
            help: String::new(),
        }
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    pub fn primary(label: impl Into<String>, command: impl Into<String>) -> Self {
        Self::new(label, command, ButtonStyle::Primary)
    }

    pub fn plain(label: impl Into<String>, command: impl Into<String>) -> Self {
        Self::new(label, command, ButtonStyle::Plain)
    }

    pub fn danger(label: impl Into<String>, command: impl Into<String>) -> Self {
        Self::new(label, command, ButtonStyle::Danger)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_filled_without_reading_what_fills_it() {
        let ann = PlayerId::new("local", "ann");
        let text = say!(
            "{player} calls it `{name}`, **{name}** and {name}.\n`/join #{code}`",
            player = &ann,
            name = "{code} `x` **y**",
            code = "K7QF"
        );
        let name = "{code} `x` **y**".to_owned();
        assert_eq!(
            text.0,
            [
                Inline::Person(ann),
                Inline::Plain(" calls it ".into()),
                Inline::Code(name.clone()),
                Inline::Plain(", ".into()),
                Inline::Bold(name.clone()),
                Inline::Plain(" and ".into()),
                Inline::Plain(name),
                Inline::Plain(".".into()),
                Inline::Break,
                Inline::Say("join #K7QF".into()),
            ]
        );
    }

    #[test]
    fn our_markdown_becomes_pieces() {
        let text = Text::markdown("A **bold** move: `F2-F5`.\n`/help`");
        assert_eq!(
            text.0,
            [
                Inline::Plain("A ".into()),
                Inline::Bold("bold".into()),
                Inline::Plain(" move: ".into()),
                Inline::Code("F2-F5".into()),
                Inline::Plain(".".into()),
                Inline::Break,
                Inline::Say("help".into()),
            ]
        );
    }
}
