//! What there is to play and to say: games and commands.

use super::grammar::{self, COMMANDS, CommandSpec, Verb};
use super::message::{Button, Inline, Message, Text};
use super::parlor::{Parlor, Reply, Request};
use super::rules::BUTTON_ROW;
use crate::catalog::games;
use crate::game::Meta;
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::{say, text};

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
            text.line(say!(
                "**{name}** ({seats}), `{id}`: {tagline}",
                name = meta.name,
                seats,
                id = meta.id,
                tagline = meta.tagline
            ));
            choices.push(Button::plain(
                format!("Rules of {}", meta.name),
                format!("rules {}", meta.id),
            ));
        }
        text.line("Play me: `/challenge bot GAME` (add `level=1` to `level=5`). Play friends: `/challenge @friend GAME`, or `/open GAME` for anybody to join. Try things out alone: `/practice GAME`.");
        Reply::open(offer(Message::text(text), choices))
    }

    pub(super) fn help(&self, request: &Request, topic: Option<&str>) -> Reply {
        let game = self.game_here(request);
        let word = topic.unwrap_or_default().trim().trim_start_matches(['/', '!']);
        if word.is_empty() {
            return Reply::open(overview(game));
        }
        match grammar::find(word) {
            Some(command) => Reply::open(Message::text(one_command(command, game))),
            None => {
                if let Some(reply) = self.term(request, word) {
                    return reply;
                }
                let near = nearest(word, COMMANDS.iter().map(|command| command.name));
                let word = excerpt(word);
                Reply::open(Message::text(match near {
                    Some(near) => say!(
                        "There's no command `{word}`. Did you mean `/help {near}`?",
                        word,
                        near
                    ),
                    None => say!("There's no command `{word}`. `/help` lists all.", word),
                }))
                .passing()
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
                Verb::What,
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
                Verb::Link,
                Verb::Watch,
                Verb::Note,
                Verb::CatchUp,
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
                Verb::Replay,
                Verb::Review,
                Verb::Record,
                Verb::Details,
                Verb::Matches,
                Verb::Settings,
            ],
        ),
        ("Collect", &[Verb::Card, Verb::Deck]),
    ];
    let mut text = Text::new();
    let shown = game.or_else(|| games().next().map(|entry| entry.meta));
    if let Some(meta) = shown {
        text.line(say!(
            "New here? `/challenge bot {id}` starts {game} against me, at one of five levels. Make a move with `/move \
             {example}`, or pick one with `/moves`. `/hint` helps you along, `/rules {id}` tells you how to play, and \
             `/challenge @friend {id}` invites a friend.",
            id = meta.id,
            game = meta.name,
            example = meta.example
        ));
    }
    text.line("**What you can say**");
    for (title, verbs) in groups {
        let mut line = text![Inline::Bold(title.to_owned()), ":"];
        for verb in verbs {
            line.push(" ");
            line.push(Inline::Say(grammar::spec(*verb).name.to_owned()));
        }
        text.line(line);
    }
    text.line("`/help challenge` tells you more about a command.");
    Message::text(text).with_buttons(vec![
        Button::primary("The games", "games"),
        Button::plain("My matches", "matches"),
    ])
}

pub(super) fn one_command(command: &CommandSpec, game: Option<&Meta>) -> Text {
    let mut text = say!(
        "{command}: {help}. For example {example}.",
        command = Inline::Say(command.name.to_owned()),
        help = command.help.trim_end_matches('.'),
        example = Inline::Say(command.example_in(game))
    );
    for argument in command.arguments {
        let (name, help) = (argument.name, argument.help);
        text.line(if argument.required {
            say!("**{name}**: {help}", name, help)
        } else {
            say!("**{name}**: {help} (optional)", name, help)
        });
    }
    if !command.aliases.is_empty() {
        text.line(say!("Also: {aliases}.", aliases = command.aliases.join(", ")));
    }
    text
}
