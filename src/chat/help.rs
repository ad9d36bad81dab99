//! What there is to play and to say: games, rules, help.

use super::command::Arguments;
use super::grammar::{self, COMMANDS, CommandSpec, Verb};
use super::message::{Button, Inline, Message, Text};
use super::parlor::{Parlor, Reply, Request};
use super::pictures::opening_picture;
use crate::catalog::{self, games};
use crate::game::Meta;
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::game::options::OptionSpec;
use crate::matches::refusal::{Failure, Refusal};
use crate::text;

/// So many buttons fit into one row on every platform.
const BUTTON_ROW: usize = 5;

impl Parlor {
    pub(super) fn games(&self) -> Reply {
        let mut text = Text::markdown("**The games**");
        let mut choices = Vec::new();
        for entry in games() {
            let meta = entry.meta;
            let (least, most) = (meta.seats.start(), meta.seats.end());
            let seats = if least == most {
                format!("{least} players")
            } else {
                format!("{least} to {most} players")
            };
            text.line(text![
                Inline::Bold(meta.name.to_owned()),
                format!(" ({seats}), "),
                Inline::Code(meta.id.to_owned()),
                format!(": {}", meta.tagline)
            ]);
            choices.push(Button::plain(
                format!("Rules of {}", meta.name),
                format!("rules {}", meta.id),
            ));
        }
        text.line("Play against me: `/challenge bot GAME`, with `level=1` to `level=5` if you like. Against friends: `/challenge @friend GAME`, or `/open GAME` and let them come. `/practice GAME` is for trying things out alone.");
        Reply::open(offer(Message::text(text), choices))
    }

    pub(super) fn rules(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let entry =
            catalog::find(arguments.game.as_deref().unwrap_or_default()).map_err(Refusal::UnknownGame)?;
        let rules = entry.rules();
        if !arguments.words.is_empty() {
            let Some(section) = rules.section(&arguments.words) else {
                let titles: Vec<&str> = rules.sections.iter().map(|section| section.title).collect();
                let near = nearest(&arguments.words, titles.iter().copied());
                let help = near.map_or_else(
                    || format!("There is {}.", titles.join(", ")),
                    |near| format!("Did you mean **{near}**?"),
                );
                return Ok(Reply::open(Message::text(format!(
                    "The rules have no such section. {help}"
                ))));
            };
            let text = format!("**{}: {}**\n{}", entry.meta.name, section.title, section.body);
            return Ok(Reply::open(Message::text(text)));
        }
        let mut text = Text::markdown(rules.summary);
        // One line is enough for options that differ by their number.
        let alike = |one: &OptionSpec, other: &OptionSpec| one.stem() == other.stem();
        for specs in entry.meta.options.chunk_by(alike) {
            let (Some(first), Some(last)) = (specs.first(), specs.last()) else {
                continue;
            };
            let mut line = text![
                "Option ",
                Inline::Code(format!("{}={}", first.name, first.default_text()))
            ];
            if specs.len() > 1 {
                line.push(" to ");
                line.push(Inline::Code(last.name.to_owned()));
            }
            line.push(format!(" ({}): {}", first.values_text(), first.help));
            if specs.len() > 1 {
                line.push(" And so on.");
            }
            text.line(line);
        }
        let theme = self.service.person(&request.who)?.settings.theme;
        let sections = rules.sections.iter().map(|section| {
            Button::plain(
                section.title,
                format!("rules {} {}", entry.meta.id, section.title.to_lowercase()),
            )
        });
        let message = Message {
            text,
            picture: Some(opening_picture(entry.meta.id, theme)?),
            menu: sections.collect(),
            ..Message::default()
        };
        Ok(Reply::open(message))
    }

    pub(super) fn help(&self, arguments: &Arguments) -> Reply {
        let word = arguments.words.trim().trim_start_matches(['/', '!']);
        if word.is_empty() {
            return Reply::open(overview(None));
        }
        match grammar::find(word) {
            Some(command) => Reply::open(Message::text(one_command(command))),
            None => {
                let near = nearest(word, COMMANDS.iter().map(|command| command.name));
                let help = near.map_or_else(
                    || "`/help` lists all.".to_owned(),
                    |near| format!("Did you mean `/help {near}`?"),
                );
                Reply::open(Message::text(format!(
                    "There is no command `{}`. {help}",
                    excerpt(word)
                )))
            }
        }
    }
}

/// Adds choices of which there may be any number: a row of buttons while they fit, else a menu.
pub(super) fn offer(mut message: Message, choices: Vec<Button>) -> Message {
    if choices.len() <= BUTTON_ROW {
        message.buttons = choices;
    } else {
        message.menu = choices;
    }
    message
}

/// What can be said. The example of a move is that of a game: the one of the match, if there is one.
fn overview(game: Option<&Meta>) -> Message {
    let groups: [(&str, &[Verb]); 5] = [
        (
            "Start",
            &[
                Verb::Games,
                Verb::Rules,
                Verb::Challenge,
                Verb::Open,
                Verb::Practice,
                Verb::Join,
                Verb::Fill,
            ],
        ),
        (
            "Play",
            &[
                Verb::Move,
                Verb::Moves,
                Verb::Preview,
                Verb::Hint,
                Verb::Board,
                Verb::Text,
                Verb::Hand,
            ],
        ),
        (
            "Agree",
            &[
                Verb::Accept,
                Verb::Decline,
                Verb::Undo,
                Verb::Draw,
                Verb::Pause,
                Verb::Resume,
                Verb::Extend,
                Verb::Replace,
            ],
        ),
        (
            "Finish",
            &[
                Verb::Resign,
                Verb::Abort,
                Verb::Cancel,
                Verb::Claim,
                Verb::Rematch,
                Verb::Record,
                Verb::Matches,
                Verb::Settings,
            ],
        ),
        ("Collect", &[Verb::Card, Verb::Deck]),
    ];
    let mut text = Text::markdown("**What you can say**");
    for (title, verbs) in groups {
        let mut line = text![Inline::Bold(title.to_owned()), ":"];
        for verb in verbs {
            line.push(" ");
            line.push(Inline::Say(grammar::spec(*verb).name.to_owned()));
        }
        text.line(line);
    }
    text.line(
        "Nobody here? `/challenge bot GAME`: I play every game, at five levels, and `/hint` helps you along.",
    );
    if let Some(meta) = game.or_else(|| games().next().map(|entry| entry.meta)) {
        text.line(text![
            "Make a move with ",
            Inline::Say(format!("move {}", meta.example)),
            format!(" (that is one of {}), or pick it with ", meta.name),
            Inline::Say("moves".into()),
            ". ",
            Inline::Say("help challenge".into()),
            " tells more of a command."
        ]);
    }
    Message::text(text).with_buttons(vec![
        Button::primary("The games", "games"),
        Button::plain("My matches", "matches"),
    ])
}

fn one_command(command: &CommandSpec) -> Text {
    let mut text = text![
        Inline::Say(command.name.to_owned()),
        format!(": {}. For example ", command.help.trim_end_matches('.')),
        Inline::Say(command.example()),
        "."
    ];
    for argument in command.arguments {
        let needed = if argument.required { "" } else { " (if you like)" };
        text.line(text![
            Inline::Bold(argument.name.to_owned()),
            format!(": {}{needed}", argument.help)
        ]);
    }
    if !command.aliases.is_empty() {
        text.line(text![format!("Also: {}.", command.aliases.join(", "))]);
    }
    text
}
