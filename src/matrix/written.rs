//! A message as Matrix writes it: a plain body and an HTML body that say the same.

use std::collections::BTreeSet;

use matrix_sdk::ruma::{OwnedUserId, UserId};

use super::address::MARK;
use super::html::escape;
use super::{PLATFORM, date};
use crate::chat::command::of_the_moment;
use crate::chat::message::{Button, Inline, Message, Text};
use crate::matches::people::PlayerId;
use crate::matches::port::Clock;
use crate::matches::time::SystemClock;
use crate::say;

/// A message in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatrixText {
    pub plain: String,
    pub html: String,
    /// Who is to be notified.
    pub mentions: BTreeSet<OwnedUserId>,
}

/// How commands are typed where a message is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandStyle {
    /// Among others: with a mark.
    Marked,
    /// Alone with the bot: as they are.
    Bare,
}

/// The most choices that are listed.
const MOST_CHOICES: usize = 60;
/// The most of them that get a line each.
const MOST_LINES: usize = 12;

/// Writes messages for one place.
pub struct MatrixWriter<'a> {
    /// What players are called.
    pub name: &'a dyn Fn(&PlayerId) -> String,
    pub typed: CommandStyle,
}

impl MatrixWriter<'_> {
    pub fn write(&self, message: &Message) -> MatrixText {
        let mut written = MatrixText::default();
        self.text(&message.text, &mut written);
        if let Some(picture) = &message.picture {
            in_words(&picture.alt, &mut written);
        }
        self.menu(&message.menu, &mut written);
        self.buttons(&message.buttons, &mut written);
        written.mentions = message.ping.iter().filter_map(user).collect();
        written
    }

    fn text(&self, text: &Text, written: &mut MatrixText) {
        for (index, piece) in text.0.iter().enumerate() {
            match piece {
                Inline::Plain(text) => written.say(text),
                Inline::Bold(text) => {
                    written.plain.push_str(text);
                    written
                        .html
                        .push_str(&format!("<strong>{}</strong>", escape(text)));
                }
                Inline::Code(code) => written.code(code),
                Inline::Say(command) => written.code(&self.command(command)),
                Inline::Block(block) => {
                    if !written.plain.is_empty() && !written.plain.ends_with('\n') {
                        written.plain.push('\n');
                    }
                    written.plain.push_str(&format!("```\n{block}\n```"));
                    // Line breaks are kept by the block itself.
                    let lines: Vec<String> = block.lines().map(escape).collect();
                    written
                        .html
                        .push_str(&format!("<pre><code>{}\n</code></pre>", lines.join("\n")));
                    if index + 1 < text.0.len() {
                        written.plain.push('\n');
                    }
                }
                Inline::Person(player) => self.person(player, written),
                Inline::Link(url) => {
                    written.plain.push_str(url);
                    let url = escape(url);
                    written.html.push_str(&format!("<a href=\"{url}\">{url}</a>"));
                }
                Inline::Room(room) => written.say(room.parts().1),
                Inline::When(time) => written.say(&date::spoken(*time, SystemClock.now())),
                Inline::Break => written.line(),
            }
        }
    }

    fn person(&self, player: &PlayerId, written: &mut MatrixText) {
        let name = (self.name)(player);
        written.plain.push_str(&name);
        match user(player) {
            Some(user) => written.html.push_str(&format!(
                "<a href=\"{}\">{}</a>",
                escape(&user.matrix_to_uri().to_string()),
                escape(&name)
            )),
            // Somebody on another platform has no page here.
            None => written
                .html
                .push_str(&format!("<strong>{}</strong>", escape(&name))),
        }
    }

    /// A command the way it has to be typed here.
    fn command(&self, command: &str) -> String {
        match self.typed {
            CommandStyle::Marked => format!("{MARK}{command}"),
            CommandStyle::Bare => command.to_owned(),
        }
    }

    /// What can be pressed elsewhere is typed here.
    fn buttons(&self, buttons: &[Button], written: &mut MatrixText) {
        for (index, button) in buttons.iter().enumerate() {
            if index == 0 {
                written.line();
            } else {
                written.say(" · ");
            }
            written.say(&format!("{}: ", button.label.trim_end_matches('?')));
            written.code(&self.command(&of_the_moment(&button.command)));
        }
    }

    /// What can be chosen elsewhere is typed here. A few choices get a line each, with what they mean; of many that begin
    /// alike, what they begin with is said once.
    fn menu(&self, menu: &[Button], written: &mut MatrixText) {
        let choices: Vec<(String, &str)> = menu
            .iter()
            .map(|button| (of_the_moment(&button.command), button.label.as_str()))
            .collect();
        let Some((first, _)) = choices.first() else {
            return;
        };
        let explained = choices
            .iter()
            .zip(menu)
            .any(|((command, label), button)| !meaning(command, label).is_empty() || !button.help.is_empty());
        if choices.len() == 1 || explained && choices.len() <= MOST_LINES {
            for ((command, label), Button { help, .. }) in choices.iter().zip(menu) {
                written.line();
                written.code(&self.command(command));
                match (meaning(command, label), help.as_str()) {
                    ("", "") => {}
                    (meaning, "") | ("", meaning) => written.say(&format!(": {meaning}")),
                    (meaning, help) => written.say(&format!(": {meaning} ({help})")),
                }
            }
            return;
        }
        let shared = first
            .char_indices()
            .filter(|(_, letter)| *letter == ' ')
            .map(|(at, _)| first.get(..=at).unwrap_or_default())
            .rfind(|start| choices.iter().all(|(command, _)| command.starts_with(start)))
            .unwrap_or_default();
        let mut choices_told = Text::new();
        for (index, (command, label)) in choices.iter().take(MOST_CHOICES).enumerate() {
            if index > 0 {
                choices_told.push(", ");
            }
            let rest = command.get(shared.len()..).unwrap_or_default();
            choices_told.push(Inline::Code(if shared.is_empty() {
                self.command(rest)
            } else {
                rest.to_owned()
            }));
            let meaning = meaning(command, label);
            if !meaning.is_empty() {
                choices_told.push(format!(" ({meaning})"));
            }
        }
        let (choices, more) = (choices_told, choices.len().saturating_sub(MOST_CHOICES));
        let start = Inline::Code(self.command(shared.trim_end()));
        written.line();
        let sentence = match (shared.is_empty(), more) {
            (true, 0) => say!("Say {choices}.", choices),
            (true, 1) => say!("Say {choices}, or one more.", choices),
            (true, _) => say!(
                "Say {choices}, or one of {more} more.",
                choices,
                more = more.to_string()
            ),
            (false, 0) => say!("Say {start} followed by {choices}.", start, choices),
            (false, 1) => say!("Say {start} followed by {choices}, or one more.", start, choices),
            (false, _) => say!(
                "Say {start} followed by {choices}, or one of {more} more.",
                start,
                choices,
                more = more.to_string()
            ),
        };
        self.text(&sentence, written);
    }
}

/// What a label says beyond what is typed.
fn meaning<'l>(command: &str, label: &'l str) -> &'l str {
    let ending = command.len().checked_sub(label.len());
    let ending = ending.and_then(|start| command.get(start..));
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case(label)) {
        return "";
    }
    let typed = command.rsplit(' ').next().unwrap_or_default();
    let (Some(head), Some(rest)) = (label.get(..typed.len()), label.get(typed.len()..)) else {
        return label;
    };
    // A place or a number is repeated; a word may be the beginning of a sentence.
    let is_name = typed.contains(|letter: char| letter.is_ascii_digit()) || rest.starts_with(':');
    let repeats = head.eq_ignore_ascii_case(typed) && !rest.starts_with(char::is_alphanumeric);
    if repeats && is_name {
        rest.trim_start_matches([':', ' '])
    } else {
        label
    }
}

impl MatrixText {
    /// What a picture shows, and nothing else.
    pub fn in_words(alt: &str) -> Self {
        let mut written = Self::default();
        in_words(alt, &mut written);
        written
    }

    fn say(&mut self, text: &str) {
        self.plain.push_str(text);
        self.html.push_str(&escape(text));
    }

    fn code(&mut self, code: &str) {
        self.plain.push_str(&format!("`{code}`"));
        self.html.push_str(&format!("<code>{}</code>", escape(code)));
    }

    fn line(&mut self) {
        if !self.plain.is_empty() {
            self.plain.push('\n');
        }
        // What is a block of its own has a new line after it anyway.
        if !self.html.is_empty() && !self.html.ends_with("</details>") && !self.html.ends_with("</pre>") {
            self.html.push_str("<br>");
        }
    }
}

/// What the picture shows, for those who can't see it: Matrix has no other place for it.
fn in_words(alt: &str, written: &mut MatrixText) {
    if alt.is_empty() {
        return;
    }
    // Broken for a fixed width, which this has not.
    let mut words = String::with_capacity(alt.len());
    for line in alt.lines() {
        if !words.is_empty() {
            words.push(if line.starts_with(' ') { ' ' } else { '\n' });
        }
        words.push_str(line.trim());
    }
    if !written.plain.is_empty() {
        written.plain.push('\n');
    }
    written.plain.push_str(&words);
    written.html.push_str(&format!(
        "<details><summary>In words</summary>{}</details>",
        escape(&words)
    ));
}

/// A player of this platform.
pub fn user(player: &PlayerId) -> Option<OwnedUserId> {
    let (platform, id) = player.parts();
    (platform == PLATFORM).then(|| UserId::parse(id).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn write(message: &Message, typed: CommandStyle) -> MatrixText {
        let name = |player: &PlayerId| match player.parts().1 {
            "@eve:x.org" => "<b>@room</b> &amp; `Eve`".to_owned(),
            other => other.to_owned(),
        };
        MatrixWriter { name: &name, typed }.write(message)
    }

    #[test]
    fn names_can_smuggle_nothing_in() {
        let eve = PlayerId::new("matrix", "@eve:x.org");
        let written = write(&Message::text(text![&eve, " moves"]), CommandStyle::Marked);
        assert_eq!(written.plain, "<b>@room</b> &amp; `Eve` moves");
        assert_eq!(
            written.html,
            "<a href=\"https://matrix.to/#/@eve:x.org\">&lt;b&gt;@room&lt;/b&gt; &amp;amp; `Eve`</a> moves"
        );
        assert!(written.mentions.is_empty());
    }

    #[test]
    fn only_who_is_pinged_is_mentioned() {
        let mut message = Message::text("x");
        message.ping = vec![
            PlayerId::new("matrix", "@bea:x.org"),
            PlayerId::new("discord", "7"),
        ];
        let mentions: Vec<String> = write(&message, CommandStyle::Marked)
            .mentions
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(mentions, ["@bea:x.org"]);
    }

    #[test]
    fn commands_are_shown_as_they_are_typed() {
        let message = Message::text("Say `/help`, or `F2-F5`, or `moves`.").with_buttons(vec![
            Button::primary("Move", "moves #K7QF@12"),
            Button::plain("Agree?", "accept #K7QF@12"),
        ]);
        assert_eq!(
            write(&message, CommandStyle::Marked).plain,
            "Say `!help`, or `F2-F5`, or `moves`.\nMove: `!moves #K7QF` · Agree: `!accept #K7QF@12`"
        );
        assert_eq!(
            write(&message, CommandStyle::Bare).html,
            "Say <code>help</code>, or <code>F2-F5</code>, or <code>moves</code>.<br>Move: <code>moves #K7QF</code> · Agree: <code>accept #K7QF@12</code>"
        );
    }

    #[test]
    fn a_few_choices_get_a_line_each() {
        let mut message = Message::text("Which?");
        message.menu = vec![
            Button::plain("F2 electron", "moves #K7QF@3 F2"),
            Button::plain("the centre", "moves #K7QF@3 F6"),
            Button::plain("W: circuit I", "moves #K7QF@3 W"),
            Button::plain("pass the whole turn", "move #K7QF@3 pass"),
            Button::plain("G7", "move #K7QF@3 G7"),
        ];
        assert_eq!(
            write(&message, CommandStyle::Marked).plain,
            "Which?\n`!moves #K7QF F2`: electron\n`!moves #K7QF F6`: the centre\n`!moves #K7QF W`: circuit I\n\
             `!move #K7QF pass`: pass the whole turn\n`!move #K7QF G7`"
        );
        message.menu.truncate(1);
        assert_eq!(
            write(&message, CommandStyle::Bare).html,
            "Which?<br><code>moves #K7QF F2</code>: electron"
        );
    }

    #[test]
    fn of_many_choices_is_said_once_what_all_begin_with() {
        let mut message = Message::text("Which?");
        let sections = ["moving", "line of sight"];
        let sections = sections.map(|section| Button::plain(section, format!("rules phwar {section}")));
        message.menu = sections.to_vec();
        assert_eq!(
            write(&message, CommandStyle::Marked).plain,
            "Which?\nSay `!rules phwar` followed by `moving`, `line of sight`."
        );
        let cell =
            |number: usize| Button::plain(format!("A{number} here"), format!("moves #K7QF@3 A{number}"));
        message.menu = (0..100).map(cell).collect();
        let written = write(&message, CommandStyle::Bare).plain;
        assert!(
            written.starts_with("Which?\nSay `moves #K7QF` followed by `A0` (here), `A1` (here), "),
            "{written}"
        );
        assert!(written.ends_with(", or one of 40 more."), "{written}");
        message.menu = vec![Button::plain("Help", "help"), Button::plain("games", "games")];
        assert_eq!(
            write(&message, CommandStyle::Bare).plain,
            "Which?\nSay `help`, `games`."
        );
    }

    #[test]
    fn boards_keep_their_lines() {
        let message = Message::text(text!["Board", Inline::Block("a <b\n c".into())]);
        let written = write(&message, CommandStyle::Marked);
        assert_eq!(written.plain, "Board\n```\na <b\n c\n```");
        assert_eq!(written.html, "Board<pre><code>a &lt;b\n c\n</code></pre>");
    }
}
