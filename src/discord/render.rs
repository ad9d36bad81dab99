//! Messages as Discord wants them, within its limits.

use std::collections::HashSet;

use serde_json::{Value, json};
use serenity::builder::{
    CreateActionRow, CreateButton, CreateSelectMenu, CreateSelectMenuKind, CreateSelectMenuOption,
};
use serenity::model::application;
use serenity::model::id::UserId;

use super::card::{self, Accent};
use super::component_id;
use super::ids::user_of;
use super::limiter::Urgency;
use super::rest::{OutgoingMessage, Upload};
use super::write::{self, Names, label, length};
use crate::chat::message::{Button, ButtonStyle, ImageFormat, Inline, Message};
use crate::chat::paging::{self, EARLIER, MORE};
use crate::chat::parlor::Drawn;

/// Discord's limits for texts.
const CONTENT: usize = 2000;
const DESCRIPTION: usize = 4096;
const TITLE: usize = 256;
pub const ALT: usize = 1024;

/// Discord's limits for buttons and menus.
const BUTTON_LABEL: usize = 80;
const OPTION_LABEL: usize = 100;
const OPTION_HELP: usize = 100;
const OPTIONS: usize = 25;
const BUTTONS_IN_ROW: usize = 5;
const ROWS: usize = 5;

/// A file's name says nothing about what is in it.
pub const fn picture_name(drawn: &Drawn) -> &'static str {
    match drawn.format {
        ImageFormat::Png => "board.png",
        ImageFormat::Gif => "replay.gif",
        ImageFormat::AnimatedPng => "replay.png",
    }
}
const OVERFLOW: &str = "text.txt";

/// What a message is written for.
pub struct DiscordWriter<'a> {
    pub names: Names<'a>,
    /// The game and the code, where the message itself does not begin with them.
    pub title: Option<String>,
    /// The line that brought this message, by which its menu can be turned to another page.
    pub line: Option<String>,
    pub page: usize,
    pub urgency: Urgency,
    pub form: Form,
}

/// How a message with a picture is put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Words and picture in a frame.
    #[default]
    Embed,
    /// Words, and the picture below them: for where the bot may show no frames.
    Plain,
    /// Words, picture and buttons in one card, with an edge in this colour.
    Card(Option<Accent>),
}

impl DiscordWriter<'_> {
    /// Writes a message, with its picture if it has one.
    pub fn outgoing(&self, message: &Message, drawn: Option<Drawn>) -> OutgoingMessage {
        let pinged: Vec<UserId> = message.ping.iter().filter_map(user_of).collect();
        if let Form::Card(accent) = self.form {
            return card::outgoing(self, message, drawn, &pinged, accent);
        }
        let mut upload = message.file.as_ref().map(|file| Upload {
            name: file.name.clone(),
            bytes: file.content.clone().into_bytes(),
        });
        let mut embeds = Vec::new();
        let mut attachments = Vec::new();
        let content;
        let short = write::text(&message.text, CONTENT, self.names);
        if self.form == Form::Plain {
            if let Some(drawn) = drawn {
                attachments.push(picture_entry(&drawn));
                upload = Some(picture(drawn));
            }
            content = short.text;
        } else if drawn.is_none() && short.whole && self.calls_all(&short.text, &pinged) {
            content = short.text;
        } else {
            let long = write::text(&message.text, DESCRIPTION, self.names);
            let mut embed = json!({ "description": long.text });
            // A call names the match already.
            if let Some(title) = self.own_title(message).filter(|_| pinged.is_empty()) {
                embed["title"] = json!(label(title, TITLE));
            }
            match drawn {
                Some(drawn) => {
                    embed["image"] = json!({ "url": format!("attachment://{}", picture_name(&drawn)) });
                    attachments.push(picture_entry(&drawn));
                    upload = Some(picture(drawn));
                }
                None if !long.whole && upload.is_none() => {
                    upload = Some(Upload {
                        name: OVERFLOW.to_owned(),
                        bytes: message.text.plain(self.names.player).into_bytes(),
                    });
                }
                None => {}
            }
            embeds.push(embed);
            content = self.call(&pinged);
        }
        if let (Some(upload), true) = (&upload, attachments.is_empty()) {
            attachments.push(json!({ "id": "0", "filename": upload.name }));
        }
        let body = json!({
            "content": content,
            "embeds": embeds,
            "components": self.rows(message),
            "attachments": attachments,
            // Nobody is called but these.
            "allowed_mentions": { "parse": [], "users": pinged },
        });
        OutgoingMessage {
            body,
            upload,
            urgency: self.urgency,
        }
    }

    /// The title, unless the message begins with its own.
    pub(super) fn own_title(&self, message: &Message) -> Option<&str> {
        let named = matches!(message.text.0.first(), Some(Inline::Bold(_)));
        self.title.as_deref().filter(|_| !named)
    }

    /// Whether everybody who is to be called is named in words that ring.
    pub(super) fn calls_all(&self, content: &str, pinged: &[UserId]) -> bool {
        pinged.iter().all(|user| content.contains(&format!("<@{user}>")))
    }

    /// A line that calls people and names what it is about: more than this a notification rarely shows.
    pub(super) fn call(&self, pinged: &[UserId]) -> String {
        if pinged.is_empty() {
            return String::new();
        }
        let people: Vec<String> = pinged.iter().map(|user| format!("<@{user}>")).collect();
        let people = people.join(" ");
        match &self.title {
            Some(title) => format!("{people} · **{title}**"),
            None => people,
        }
    }

    pub(super) fn rows(&self, message: &Message) -> Vec<CreateActionRow> {
        let mut rows = Vec::new();
        let mut taken = HashSet::new();
        self.menu_rows(&message.menu, &mut rows);
        let buttons: Vec<CreateButton> = message
            .buttons
            .iter()
            .filter(|button| fits(button) && taken.insert(button.command.clone()))
            .map(|button| pressable(&button.label, &button.command, button.style))
            .collect();
        for buttons in buttons.chunks(BUTTONS_IN_ROW) {
            if rows.len() < ROWS {
                rows.push(CreateActionRow::Buttons(buttons.to_vec()));
            }
        }
        rows
    }

    /// A menu, and the way to its other pages. If the way does not fit into a button, as many menus as there is
    /// place for.
    fn menu_rows(&self, menu: &[Button], rows: &mut Vec<CreateActionRow>) {
        let mut seen = HashSet::new();
        let menu: Vec<Button> = menu
            .iter()
            .filter(|entry| fits(entry) && seen.insert(entry.command.clone()))
            .cloned()
            .collect();
        if menu.is_empty() {
            return;
        }
        let page = paging::page(&menu, OPTIONS, self.page);
        let turn = |to: Option<usize>| {
            let to = to?;
            component_id::page(to, self.line.as_deref()?)
        };
        let (before, after) = (turn(page.before()), turn(page.after()));
        let ways = [(EARLIER, page.before(), before), (MORE, page.after(), after)];
        if ways.iter().any(|(_, to, id)| to.is_some() && id.is_none()) {
            for (number, entries) in menu.chunks(OPTIONS).take(ROWS - 1).enumerate() {
                rows.push(select(number, paging::CHOOSE, entries));
            }
            return;
        }
        rows.push(select(page.number, &page.prompt(), page.entries));
        let ways: Vec<CreateButton> = ways
            .into_iter()
            .filter_map(|(label, _, id)| Some(pressable(label, &id?, ButtonStyle::Plain)))
            .collect();
        if !ways.is_empty() {
            rows.push(CreateActionRow::Buttons(ways));
        }
    }
}

pub fn picture_entry(drawn: &Drawn) -> Value {
    json!({ "id": "0", "filename": picture_name(drawn), "description": label(&drawn.alt, ALT) })
}

pub fn picture(drawn: Drawn) -> Upload {
    Upload {
        name: picture_name(&drawn).to_owned(),
        bytes: drawn.file,
    }
}

fn fits(button: &Button) -> bool {
    let commanded = button.command.chars().count();
    (1..=component_id::LONGEST).contains(&commanded)
}

fn pressable(text: &str, id: &str, style: ButtonStyle) -> CreateButton {
    let style = match style {
        ButtonStyle::Primary => application::ButtonStyle::Primary,
        ButtonStyle::Plain => application::ButtonStyle::Secondary,
        ButtonStyle::Danger => application::ButtonStyle::Danger,
    };
    CreateButton::new(id)
        .label(shown(text, BUTTON_LABEL))
        .style(style)
}

fn select(number: usize, prompt: &str, entries: &[Button]) -> CreateActionRow {
    let option = |entry: &Button| {
        let option = CreateSelectMenuOption::new(shown(&entry.label, OPTION_LABEL), &entry.command);
        match entry.help.trim() {
            "" => option,
            help => option.description(shown(help, OPTION_HELP)),
        }
    };
    let options = entries.iter().map(option).collect();
    let menu = CreateSelectMenu::new(
        component_id::menu(number),
        CreateSelectMenuKind::String { options },
    );
    CreateActionRow::SelectMenu(menu.placeholder(prompt))
}

/// A label that is there: Discord refuses empty ones.
fn shown(text: &str, most: usize) -> String {
    let text = label(text.trim(), most);
    if length(&text) == 0 {
        "…".to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::chat::message::Text;
    use crate::discord::command_links::CommandLinks;
    use crate::matches::people::PlayerId;
    use crate::text;

    static NO_LINKS: CommandLinks = CommandLinks {
        ids: BTreeMap::new(),
        own: None,
    };

    fn nobody(player: &PlayerId) -> String {
        player.parts().1.to_owned()
    }

    fn writer() -> DiscordWriter<'static> {
        DiscordWriter {
            names: Names {
                player: &nobody,
                commands: &NO_LINKS,
            },
            title: Some("Phwar #K7QF".to_owned()),
            line: Some("moves #K7QF@3".to_owned()),
            page: 0,
            urgency: Urgency::Turn,
            form: Form::Embed,
        }
    }

    fn ids(value: &Value, ids: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                ids.extend(fields.get("custom_id").and_then(Value::as_str).map(str::to_owned));
                for field in fields.values() {
                    self::ids(field, ids);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self::ids(value, ids)),
            _ => {}
        }
    }

    fn drawn() -> Drawn {
        Drawn {
            file: vec![1, 2, 3],
            format: ImageFormat::Png,
            alt: "x".repeat(3000),
        }
    }

    #[test]
    fn a_board_is_an_embed_with_its_picture_and_calls_the_next_player_only() {
        let (ann, bea) = (PlayerId::new("discord", "1"), PlayerId::new("discord", "2"));
        let mut message = Message::text(text![&ann, " moves. ", &bea, " is to move."]);
        message.ping = vec![bea, PlayerId::new("matrix", "cy")];
        let outgoing = writer().outgoing(&message, Some(drawn()));
        let body = outgoing.body;
        assert_eq!(body["content"], "<@2> · **Phwar #K7QF**");
        assert_eq!(body["allowed_mentions"], json!({ "parse": [], "users": ["2"] }));
        assert_eq!(body["embeds"][0]["description"], "<@1> moves. <@2> is to move.");
        assert_eq!(body["embeds"][0].get("title"), None);
        assert_eq!(body["embeds"][0]["image"]["url"], "attachment://board.png");
        let alt = body["attachments"][0]["description"].as_str().unwrap();
        assert_eq!(length(alt), ALT);
    }

    #[test]
    fn a_turn_is_one_card_that_can_be_taken_apart() {
        let (ann, bea) = (PlayerId::new("discord", "1"), PlayerId::new("discord", "2"));
        let mut message = Message {
            buttons: vec![Button::plain("Move", "moves #K7QF@3")],
            ..Message::text(text![&ann, " moves. ", &bea, " is to move."])
        };
        message.ping = vec![bea];
        let mut writer = writer();
        writer.form = Form::Card(Some(Accent(0x00c5_413a)));
        let outgoing = writer.outgoing(&message, Some(drawn()));
        let body = outgoing.body;
        assert_eq!((body.get("content"), body.get("embeds")), (None, None));
        assert_eq!(body["flags"], 1 << 15);
        assert_eq!(body["allowed_mentions"]["users"], json!(["2"]));
        let card = &body["components"][0];
        assert_eq!(
            (&card["type"], &card["accent_color"]),
            (&json!(17), &json!(0x00c5_413a))
        );
        let kinds: Vec<u64> = (card["components"].as_array().unwrap().iter())
            .map(|part| part["type"].as_u64().unwrap())
            .collect();
        assert_eq!(kinds, [10, 10, 12, 1]);
        assert_eq!(card["components"][0]["content"], "**Phwar #K7QF**");
        assert_eq!(card["components"][1]["content"], "<@1> moves. <@2> is to move.");
        let item = &card["components"][2]["items"][0];
        assert_eq!(item["media"]["url"], "attachment://board.png");
        assert_eq!(length(item["description"].as_str().unwrap()), ALT);
        let left = card::without_rows(&body).unwrap();
        let kinds: Vec<&Value> = (left["components"].as_array().unwrap().iter())
            .map(|part| &part["type"])
            .collect();
        assert_eq!(kinds, [10, 10, 12]);
        // Whoever is called and not named in the words is named above them.
        message.ping = vec![PlayerId::new("discord", "3")];
        let body = writer.outgoing(&message, None).body;
        let heading = &body["components"][0]["components"][0]["content"];
        assert_eq!(heading, "<@3> · **Phwar #K7QF**");
    }

    #[test]
    fn a_card_holds_no_more_words_than_discord_takes() {
        let message = Message::text(Text(vec![Inline::Plain("word ".repeat(2000))]));
        let mut writer = writer();
        writer.form = Form::Card(None);
        let body = writer.outgoing(&message, Some(drawn())).body;
        let parts = body["components"][0]["components"].as_array().unwrap();
        let texts = parts.iter().filter_map(|part| part["content"].as_str());
        let alt = parts
            .iter()
            .filter_map(|part| part["items"][0]["description"].as_str());
        let whole: usize = texts.chain(alt).map(length).sum();
        assert!((3000..=4000).contains(&whole), "{whole}");
    }

    #[test]
    fn short_words_are_plain_content() {
        let outgoing = writer().outgoing(&Message::text("Played."), None);
        let body = outgoing.body;
        assert_eq!(body["content"], "Played.");
        assert_eq!(body["embeds"], json!([]));
        assert_eq!(body["attachments"], json!([]));
        assert_eq!(body["allowed_mentions"], json!({ "parse": [], "users": [] }));
    }

    #[test]
    fn long_words_go_into_an_embed_and_longer_ones_into_a_file() {
        let body = |words: usize| {
            let message = Message::text(Text(vec![Inline::Plain("word ".repeat(words))]));
            writer().outgoing(&message, None)
        };
        let embed = body(500);
        assert_eq!(
            length(embed.body["embeds"][0]["description"].as_str().unwrap()),
            2500
        );
        assert!(embed.upload.is_none());
        let file = body(2000);
        assert!(length(file.body["embeds"][0]["description"].as_str().unwrap()) <= DESCRIPTION);
        assert_eq!(file.upload.unwrap().bytes.len(), 10_000);
    }

    #[test]
    fn long_menus_are_paged() {
        let menu = (0..60).map(|n| Button::primary(format!("move {n}"), format!("move #K7QF@3 {n}")));
        let message = Message {
            menu: menu.collect(),
            buttons: vec![
                Button::plain("Start over", "moves #K7QF"),
                Button::plain("Again", "moves #K7QF"),
            ],
            ..Message::text("Which?")
        };
        let mut writer = writer();
        writer.page = 1;
        let body = writer.outgoing(&message, None).body;
        let rows = body["components"].as_array().unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0]["components"][0]["options"].as_array().unwrap().len(), 25);
        assert_eq!(rows[0]["components"][0]["options"][0]["label"], "move 25");
        assert_eq!(rows[1]["components"][0]["custom_id"], ">0 moves #K7QF@3");
        assert_eq!(rows[1]["components"][1]["custom_id"], ">2 moves #K7QF@3");
        let mut found = Vec::new();
        ids(&body["components"], &mut found);
        let unique: HashSet<&String> = found.iter().collect();
        assert_eq!(unique.len(), found.len(), "{found:?}");
    }

    #[test]
    fn without_a_way_to_turn_pages_there_are_more_menus() {
        let menu = (0..200).map(|n| Button::primary(String::new(), format!("move {n}")));
        let message = Message {
            menu: menu.collect(),
            buttons: vec![Button::plain("a", "a"), Button::plain("b", "b".repeat(101))],
            ..Message::text("Which?")
        };
        let mut writer = writer();
        writer.line = Some("x".repeat(99));
        let body = writer.outgoing(&message, None).body;
        let rows = body["components"].as_array().unwrap();
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[3]["components"][0]["options"][24]["label"], "…");
        assert_eq!(rows[4]["components"].as_array().unwrap().len(), 1);
    }
}
