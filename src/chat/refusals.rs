//! What players are told when something can't be done: what is wrong, and what to do instead.

use super::command::{LONGEST_LINE, Missing, ReadError};
use super::grammar::{self, BOT, CommandSpec};
use super::learn::offer;
use super::message::{Button, Inline, LONGEST_COMMAND, Message, Text};
use crate::ai::Level;
use crate::catalog::{Entry, games};
use crate::game::notation::excerpt;
use crate::matches::code::Code;
use crate::matches::people::PlayerId;
use crate::matches::refusal::Refusal;
use crate::matches::state::ProposalKind;
use crate::text;

/// The most codes that one sentence names.
const MOST_NAMED: usize = 20;

/// The one line that is shown when something broke on our side.
pub const BROKEN: &str = "Something went wrong here, and nothing was changed. Please try again in a moment.";

/// A text that could not be read as a command.
pub fn unread(error: &ReadError) -> Message {
    match error {
        ReadError::Empty => {
            Message::text("Say `/help` for what I understand.").with_buttons(vec![help_button()])
        }
        ReadError::Unknown {
            word,
            near: Some(near),
        } => {
            let spec = grammar::find(near);
            let buttons = spec.filter(|spec| spec.arguments.iter().all(|argument| !argument.required));
            let buttons = buttons.map(|spec| Button::primary(format!("Yes, {}", spec.name), spec.name));
            Message::text(text![
                "I don't know ",
                Inline::Code(word.clone()),
                ". Did you mean ",
                Inline::Say((*near).to_owned()),
                "?"
            ])
            .with_buttons(buttons.into_iter().collect())
        }
        ReadError::Unknown { word, near: None } => Message::text(text![
            "I don't know ",
            Inline::Code(word.clone()),
            ". Say ",
            Inline::Say("help".to_owned()),
            " for what I understand.",
        ])
        .with_buttons(vec![help_button()]),
        ReadError::Argument { command, problem } => {
            let mut text = text![Inline::Say(command.name.to_owned()), ": "];
            text.0.extend(Text::markdown(problem).0);
            text.push(". For example: ");
            text.push(Inline::Say(command.example()));
            Message::text(text)
        }
        ReadError::TooLong => too_long(LONGEST_LINE),
        ReadError::Game(error) => refused(&Refusal::UnknownGame(error.clone())),
        ReadError::Level { said, .. } => no_such_level(said),
        ReadError::Incomplete {
            command,
            missing,
            line,
        } => incomplete(command, *missing, line),
    }
}

/// The levels there are, for somebody who named another.
fn no_such_level(said: &str) -> Message {
    let mut text = if said.is_empty() {
        text!["How strong shall the bot be?"]
    } else {
        text![
            "There is no level ",
            Inline::Code(excerpt(said)),
            "; there are five."
        ]
    };
    for level in Level::ALL {
        text.line(text![
            Inline::Code(format!("level={level}")),
            ": ",
            level.describe()
        ]);
    }
    Message::text(text)
}

/// Asks for what was not said, with a button for every answer that there is.
fn incomplete(command: &CommandSpec, missing: Missing, line: &str) -> Message {
    let said = format!("{} {line}", command.name);
    let games = |head: &str| {
        let game = |entry: &Entry| Button::plain(entry.meta.name, format!("{head} {}", entry.meta.id));
        games().map(game).collect::<Vec<Button>>()
    };
    let (text, buttons) = match missing {
        Missing::Game => (Text::from("Which game?"), games(said.trim_end())),
        Missing::Players => {
            let bot = Button::primary("Play the bot", format!("{} {BOT} {line}", command.name));
            let text = text![
                "Whom do you challenge? Name somebody, like ",
                Inline::Say(format!("{} @friend {}", command.name, excerpt(line))),
                ", or play me."
            ];
            (text, vec![bot])
        }
        Missing::Both => {
            let text = text![
                "Whom do you challenge, and to which game? For example: ",
                Inline::Say(command.example()),
                ". To play me, pick a game."
            ];
            (text, games(&format!("{} {BOT}", command.name)))
        }
    };
    // What is too long for a button is too long for all of them.
    let fits = buttons
        .iter()
        .all(|button| button.command.len() <= LONGEST_COMMAND);
    offer(Message::text(text), if fits { buttons } else { Vec::new() })
}

/// The bot is not allowed to do here what a match needs.
pub fn lacking(permissions: &[&str]) -> Text {
    let mut text = text!["I can't show boards here, because I lack "];
    for (index, permission) in permissions.iter().enumerate() {
        if index > 0 {
            text.push(if index + 1 == permissions.len() {
                " and "
            } else {
                ", "
            });
        }
        text.push(Inline::Bold((*permission).to_owned()));
    }
    text.push(". Whoever runs this place can allow it in the settings of the channel.");
    text
}

/// A bot was challenged.
pub fn no_bots(bot: &PlayerId) -> Message {
    let mut text = text![bot];
    text.0.extend(
        Text::markdown(
            " is a bot that does not play here. Challenge a friend, or me: `/challenge bot GAME`.",
        )
        .0,
    );
    Message::text(text)
}

/// Private messages don't reach this player.
pub fn closed_door() -> Text {
    Text::markdown(
        "By the way: you don't take private messages from me, so your hands don't come to you by themselves. `/hand` shows yours whenever you like, to you alone.",
    )
}

/// Somebody who does not run a community wants to change what holds in it.
pub const NOT_YOUR_COMMUNITY: &str = "Only those who manage this server can change what holds in it.";

/// What holds in a community is decided in one of its rooms.
pub const NO_COMMUNITY: &str = "That is for a whole server: say it in one of its channels.";

/// More was typed than can be read at once.
fn too_long(most: usize) -> Message {
    Message::text(format!(
        "That is too long for me: I read {most} letters at once. Say it in smaller steps."
    ))
}

fn help_button() -> Button {
    Button::primary("Help", "help")
}

/// A refusal in words.
pub fn refused(refusal: &Refusal) -> Message {
    let mut buttons = Vec::new();
    let text = match refusal {
        Refusal::UnknownGame(error) => {
            buttons.push(Button::primary("The games", "games"));
            Text::markdown(&sentence(&error.to_string()))
        }
        Refusal::Option(error) => Text::markdown(&sentence(&error.to_string())),
        Refusal::Seats(error) => Text::markdown(&sentence(&error.to_string())),
        Refusal::List(refusal) => {
            buttons.push(Button::plain("Decks", "deck list"));
            super::collect::refused(refusal)
        }
        Refusal::NamedTwice(player) => text!["You named ", player, " twice. Name everybody once."],
        Refusal::RoomClosed { open } => {
            let mut text = text!["Matches are not opened in this room"];
            for (index, room) in open.iter().take(MOST_NAMED).enumerate() {
                text.push(if index == 0 { "; go to " } else { " or " });
                text.push(room);
            }
            text.push(".");
            text
        }
        Refusal::TooManyMatches { most } => {
            buttons.push(Button::primary("My matches", "matches"));
            Text::from(format!(
                "You have {most} matches already, and that is the most I keep for one player. Finish one first, or `/cancel` a table of yours."
            ))
        }
        Refusal::NoSuchMatch(code) => text![
            "There is no table ",
            Inline::Code(code.to_string()),
            ". Look at the code again; your own matches are under ",
            Inline::Say("matches".into()),
            "."
        ],
        Refusal::NoMatchHere => {
            buttons.push(Button::primary("The games", "games"));
            Text::markdown(
                "You have no match for that here. Start one with `/challenge bot GAME`, `/challenge @friend GAME`, or `/open GAME`.",
            )
        }
        Refusal::WhichMatch(codes) => {
            buttons.push(Button::primary("My matches", "matches"));
            let mut text = Text::markdown(
                "That could be about several of your matches. Add the code of the one you mean:",
            );
            for code in codes.iter().take(MOST_NAMED) {
                text.push(" ");
                text.push(Inline::Code(format!("#{code}")));
            }
            text
        }
        Refusal::NotYourMatch(code) => text!["You don't play at table ", Inline::Code(code.to_string()), "."],
        Refusal::YouLeft(code) => text![
            "You have left match ",
            Inline::Code(code.to_string()),
            ". The others play on; you can still watch the ",
            Inline::Say("board".into()),
            "."
        ],
        Refusal::NotOpen(code) => {
            buttons.push(Button::plain("The board", format!("board #{code}")));
            text![
                "Match ",
                Inline::Code(code.to_string()),
                " has begun, so nobody can sit down or take the offer back any more."
            ]
        }
        Refusal::NotBegun(code) => text![
            "Table ",
            Inline::Code(code.to_string()),
            " still waits for players."
        ],
        Refusal::Over(code) => {
            buttons.push(Button::primary("Rematch", format!("rematch #{code}")));
            text!["Match ", Inline::Code(code.to_string()), " is over."]
        }
        Refusal::StillRuns(code) => text![
            "Match ",
            Inline::Code(code.to_string()),
            " still runs. You can ask for a rematch when it is over."
        ],
        Refusal::CalledOff(code) => text![
            "Table ",
            Inline::Code(code.to_string()),
            " was called off, so there is nothing to do at it any more."
        ],
        Refusal::NotInvited(code) => text![
            "You have not been invited to table ",
            Inline::Code(code.to_string()),
            "."
        ],
        Refusal::AlreadyIn(code) => text![
            "You sit at table ",
            Inline::Code(code.to_string()),
            " already. The others are still missing."
        ],
        Refusal::AlreadyHere(code) => text![
            "Match ",
            Inline::Code(code.to_string()),
            " is shown in this room already."
        ],
        Refusal::Full(code) => text!["Table ", Inline::Code(code.to_string()), " has no seat left."],
        Refusal::NotYourTable(code) => text![
            "Only whoever opened table ",
            Inline::Code(code.to_string()),
            " can cancel it."
        ],
        Refusal::Stale { code } => {
            buttons.push(Button::primary("The board now", format!("board #{code}")));
            Text::markdown("That was for an earlier moment of the match. Look at the board as it is now.")
        }
        Refusal::AlreadyHandled => Text::markdown("That has been done already."),
        Refusal::NotYourTurn { code, awaited } => {
            buttons.push(Button::plain("The board", format!("board #{code}")));
            let mut text = Text::markdown("It isn't your turn: ");
            people(&mut text, awaited, "nobody");
            text.push(if awaited.len() > 1 {
                " have to move first."
            } else {
                " has to move first."
            });
            text
        }
        Refusal::Move { code, error, .. } => {
            buttons.push(Button::plain("What can I do?", format!("moves #{code}")));
            Text::markdown(&error.to_string())
        }
        Refusal::CantPreview => {
            Text::markdown("That would bring something new to light, so I can't show it before it is played.")
        }
        Refusal::Paused(code) => {
            buttons.push(Button::primary("Resume", format!("resume #{code}")));
            Text::markdown("The match is paused. Anybody in it can let it go on with `/resume`.")
        }
        Refusal::NotPaused(_) => Text::markdown("The match is not paused."),
        Refusal::AlreadyProposed(wish) => text![
            "You have asked for ",
            wish_name(*wish),
            " already. The others have to answer."
        ],
        Refusal::NothingProposed(code) => {
            buttons.push(Button::plain("The board", format!("board #{code}")));
            text![
                "Match ",
                Inline::Code(code.to_string()),
                " has begun. Nobody has proposed anything in it that still stands."
            ]
        }
        Refusal::NothingToTakeBack => Text::markdown("You have made no move that could be taken back."),
        Refusal::CantUnsee => Text::markdown(
            "Something has come to light since your last move that can't be unseen, so it stands.",
        ),
        Refusal::TooLateToAbort => {
            Text::markdown("The match is under way. You can offer a `/draw`, or `/resign`.")
        }
        Refusal::NoClock => Text::markdown("This match has no clock, so there is no time to extend."),
        Refusal::NothingToClaim { from: Some(from) } => {
            text![
                "You can claim the match if nobody has moved by then: ",
                *from,
                "."
            ]
        }
        Refusal::NothingToClaim { from: None } => Text::markdown(
            "There is nothing to claim: either the match has a clock, or it isn't somebody else's turn.",
        ),
        Refusal::NoHintsAmongPeople(code) => {
            buttons.push(Button::plain("What can I do?", format!("moves #{code}")));
            Text::markdown(
                "I give hints against the bot and in practice, but not in a match between people. That would not be fair.",
            )
        }
        Refusal::NobodyToStandInFor(_) => Text::markdown(
            "There is no empty seat for the bot: nobody has left, or somebody has moved since. If you have to go yourself, say `/resign`.",
        ),
        Refusal::NobodyElsePlays(code) => {
            buttons.push(Button::danger("Resign", format!("resign #{code} sure")));
            Text::markdown("Only bots would be left, and they don't play without you.")
        }
        Refusal::RematchStands(code) => {
            buttons.push(Button::plain("Show it", format!("board #{code}")));
            text![
                "There is a rematch already: table ",
                Inline::Code(code.to_string()),
                "."
            ]
        }
    };
    Message::text(text).with_buttons(buttons)
}

/// A hint for somebody who may have meant a move: why it can't be made now.
pub fn not_yet(code: &Code, awaited: &[PlayerId], paused: bool) -> Text {
    let mut text = text!["If that is a move in ", Inline::Code(format!("#{code}")), ": "];
    if paused {
        text.0
            .extend(Text::markdown("the match is paused; `/resume` lets it go on.").0);
        return text;
    }
    text.push("it isn't your turn; ");
    people(&mut text, awaited, "nobody");
    text.push(if awaited.len() > 1 {
        " have to move first."
    } else {
        " has to move first."
    });
    text
}

/// An error's words as a sentence.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let capital: String = letters
        .next()
        .map(|first| first.to_uppercase().collect())
        .unwrap_or_default();
    let end = if words.ends_with(['?', '.', '!']) { "" } else { "." };
    format!("{capital}{}{end}", letters.as_str())
}

/// "Ann, Bea and Cy".
pub fn people(text: &mut Text, players: &[PlayerId], nobody: &str) {
    if players.is_empty() {
        text.push(nobody);
    }
    for (index, player) in players.iter().enumerate() {
        if index > 0 {
            text.push(if index + 1 == players.len() { " and " } else { ", " });
        }
        text.push(player);
    }
}

/// What a wish is called in a sentence.
pub fn wish_name(wish: ProposalKind) -> String {
    match wish {
        ProposalKind::Draw => "a draw".to_owned(),
        ProposalKind::Takeback { .. } => "a takeback".to_owned(),
        ProposalKind::Pause => "a pause".to_owned(),
        ProposalKind::Extend { by } => format!("{by} more for everybody"),
        ProposalKind::StandIn { level, .. } => format!("a stand-in, the bot at level {level},"),
    }
}
