//! What players are told when something can't be done: what is wrong, and what to do instead.

use super::command::{LONGEST_LINE, Missing, ReadError};
use super::grammar::{self, BOT, CommandSpec};
use super::learn::offer;
use super::message::{Button, Inline, LONGEST_COMMAND, Message, Text};
use crate::ai::Level;
use crate::catalog::{Entry, games};
use crate::game::Meta;
use crate::game::notation::excerpt;
use crate::matches::code::Code;
use crate::matches::people::PlayerId;
use crate::matches::refusal::Refusal;
use crate::matches::state::ProposalKind;
use crate::text;

/// The most codes that one sentence names.
const MOST_NAMED: usize = 20;

/// The one line that is shown when something broke on our side.
pub const BROKEN: &str =
    "Something went wrong on my side, and nothing changed. Please try again in a moment.";

/// The store can't be written to.
pub const UNSAVED: &str = "I can't save anything right now, so nothing was played. The operator can see why; please try again in a few minutes.";

/// A text that could not be read as a command, from somebody who plays this game here, if any.
pub fn unread(error: &ReadError, game: Option<&Meta>) -> Message {
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
            text.0.extend(say(problem).0);
            text.push(". For example: ");
            text.push(Inline::Say(command.example_in(game)));
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
        text!["How strong should the bot be?"]
    } else {
        text![
            "There's no level ",
            Inline::Code(excerpt(said)),
            ". There are five:"
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
                "Who do you want to play? Name somebody, like ",
                Inline::Say(format!("{} @friend {}", command.name, excerpt(line))),
                ", or play me."
            ];
            (text, vec![bot])
        }
        Missing::Both => {
            let text = text![
                "Who do you want to play, and which game? For example: ",
                Inline::Say(command.example()),
                ". Or pick a game to play me."
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
    let mut text = text!["I can't show boards here: I need "];
    for (index, permission) in permissions.iter().enumerate() {
        if index > 0 {
            text.push(text::separator(index, permissions.len()));
        }
        text.push(Inline::Bold((*permission).to_owned()));
    }
    text.push(". Somebody who manages this server can allow it in the channel's settings.");
    text
}

/// A bot was challenged.
pub fn no_bots(bot: &PlayerId) -> Message {
    let mut text = text![bot];
    text.0
        .extend(say(" is a bot that doesn't play here. Challenge a friend, or me: `/challenge bot GAME`.").0);
    Message::text(text)
}

/// Private messages don't reach this player.
pub fn closed_door() -> Text {
    say(
        "I can't send you private messages, so I can't send you your hand. `/hand` shows it any time, only to you.",
    )
}

/// Somebody who does not run a community wants to change what holds in it.
pub const NOT_YOUR_COMMUNITY: &str = "Only people who manage this server can change its settings.";

/// What holds in a community is decided in one of its rooms.
pub const NO_COMMUNITY: &str = "That's for a whole server. Say it in one of its channels.";

/// More was typed than can be read at once.
fn too_long(most: usize) -> Message {
    Message::text(format!(
        "That's too long for me. I read {most} letters at once, so say it in smaller steps."
    ))
}

/// Words of ours with `code`, `/commands` and **names of things** in them.
fn say(words: impl AsRef<str>) -> Text {
    Text::markdown(words.as_ref())
}

/// Somebody says something to the bot that is no command, no move and no name of anything.
pub fn not_caught() -> Message {
    Message::text("I'm only good at games, I'm afraid. `/help` shows what I understand.")
        .with_buttons(vec![help_button()])
}

fn help_button() -> Button {
    Button::primary("Help", "help")
}

/// A code as it is shown everywhere.
fn tag(code: &Code) -> Inline {
    Inline::Code(format!("#{code}"))
}

/// A refusal in words.
pub fn refused(refusal: &Refusal) -> Message {
    let mut buttons = Vec::new();
    let text = match refusal {
        Refusal::UnknownGame(error) => {
            buttons.push(Button::primary("The games", "games"));
            say(sentence(&error.to_string()))
        }
        Refusal::Option(error) => say(sentence(&error.to_string())),
        Refusal::Seats(error) => say(sentence(&error.to_string())),
        Refusal::List(refusal) => {
            buttons.push(Button::plain("Decks", "deck list"));
            super::collect::refused(refusal)
        }
        Refusal::NamedTwice(player) => text!["You named ", player, " twice. Name everybody once."],
        Refusal::RoomClosed { open } => {
            let mut text = text!["You can't open matches in this room"];
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
                "You have {most} matches, and I keep no more for one player. Finish one first, or `/cancel` one of your tables."
            ))
        }
        Refusal::NoSuchMatch(code) => text![
            "There's no table ",
            tag(code),
            ". Check the code, or look at ",
            Inline::Say("matches".into()),
            "."
        ],
        Refusal::NoMatchHere => {
            buttons.push(Button::primary("The games", "games"));
            say(
                "You have no match for that. Start one with `/challenge bot GAME`, `/challenge @friend GAME` or `/open GAME`.",
            )
        }
        Refusal::WhichMatch(codes) => {
            buttons.push(Button::primary("My matches", "matches"));
            let mut text = say("Which match? Pick one, or add its code:");
            for code in codes.iter().take(MOST_NAMED) {
                text.push(" ");
                text.push(Inline::Code(format!("#{code}")));
            }
            text
        }
        Refusal::NotYourMatch(code) => text!["You don't play in ", tag(code), "."],
        Refusal::YouLeft(code) => text![
            "You left match ",
            tag(code),
            ". The others play on, and you can still look at the ",
            Inline::Say("board".into()),
            "."
        ],
        Refusal::NotOpen(code) => {
            buttons.push(Button::plain("The board", format!("board #{code}")));
            text![
                "Match ",
                tag(code),
                " has begun, so it's too late to join or to cancel it."
            ]
        }
        Refusal::NotBegun(code) => text!["Table ", tag(code), " is still waiting for players."],
        Refusal::Over(code) => {
            buttons.push(Button::primary("Rematch", format!("rematch #{code}")));
            text!["Match ", tag(code), " is over."]
        }
        Refusal::StillRuns(code) => text![
            "Match ",
            tag(code),
            " is still on. You can ask for a rematch when it's over."
        ],
        Refusal::CalledOff(code) => text!["Table ", tag(code), " was called off."],
        Refusal::NotInvited(code) => text!["You aren't invited to table ", tag(code), "."],
        Refusal::AlreadyIn(code) => text![
            "You're in ",
            tag(code),
            " already. It begins when everybody is there."
        ],
        Refusal::AlreadyHere(code) => text!["Match ", tag(code), " is already shown in this room."],
        Refusal::Full(code) => text!["Table ", tag(code), " is full."],
        Refusal::NotYourTable(code) => {
            text!["Only the player who opened table ", tag(code), " can cancel it."]
        }
        Refusal::Stale { code } => {
            buttons.push(Button::primary("The board now", format!("board #{code}")));
            say("The match has moved on since then. Here is the board as it is now.")
        }
        Refusal::AlreadyHandled => say("That's done already."),
        Refusal::NotYourTurn { code, awaited } => {
            buttons.push(Button::plain("The board", format!("board #{code}")));
            let mut text = say("It isn't your turn. Waiting for ");
            people(&mut text, awaited, "nobody");
            text.push(".");
            text
        }
        Refusal::Move { code, error, .. } => {
            buttons.push(Button::plain("What can I do?", format!("moves #{code}")));
            say(error.to_string())
        }
        Refusal::CantPreview => say("That would show you something new, so I can't preview it."),
        Refusal::Paused(code) => {
            buttons.push(Button::primary("Resume", format!("resume #{code}")));
            say("The match is paused. Any of its players can `/resume` it.")
        }
        Refusal::NotPaused(_) => say("The match isn't paused."),
        Refusal::AlreadyProposed(wish) => text![
            "You asked for ",
            wish_name(*wish),
            " already. Waiting for the others to answer."
        ],
        Refusal::NothingProposed(code) => {
            buttons.push(Button::plain("The board", format!("board #{code}")));
            text!["There's nothing to answer in ", tag(code), "."]
        }
        Refusal::NothingToTakeBack => say("You have no move to undo."),
        Refusal::CantUnsee => say("Somebody saw something new since your last move, so you can't undo it."),
        Refusal::TooLateToAbort => {
            say("It's too late to break the match off. You can offer a `/draw`, or `/resign`.")
        }
        Refusal::NoClock => say("This match has no clock, so you have all the time you want."),
        Refusal::NothingToClaim { from: Some(from) } => {
            text!["You can claim the match if nobody has moved by ", *from, "."]
        }
        Refusal::NothingToClaim { from: None } => say(
            "There's nothing to claim. That works only without a clock, while you wait for another player.",
        ),
        Refusal::NoHintsAmongPeople(code) => {
            buttons.push(Button::plain("What can I do?", format!("moves #{code}")));
            say("I give hints only against the bot and in practice. Between people that wouldn't be fair.")
        }
        Refusal::NobodyToStandInFor(_) => {
            say("There's no empty seat for the bot. If you have to go yourself, say `/resign`.")
        }
        Refusal::NobodyElsePlays(code) => {
            buttons.push(Button::danger("Resign", format!("resign #{code} sure")));
            say("Only bots would be left, and they don't play without people.")
        }
        Refusal::RematchStands(code) => {
            buttons.push(Button::plain("Show it", format!("board #{code}")));
            text!["There's a rematch already: ", tag(code), "."]
        }
    };
    Message::text(text).with_buttons(buttons)
}

/// A hint for somebody who may have meant a move: why it can't be made now.
pub fn not_yet(code: &Code, awaited: &[PlayerId], paused: bool) -> Text {
    let mut text = text!["If that is a move in ", Inline::Code(format!("#{code}")), ": "];
    if paused {
        text.0
            .extend(say("the match is paused; `/resume` lets it go on.").0);
        return text;
    }
    text.push("it isn't your turn. Waiting for ");
    people(&mut text, awaited, "nobody");
    text.push(".");
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

/// "Ann, Bea and Cy", everybody once.
pub fn people(text: &mut Text, players: &[PlayerId], nobody: &str) {
    if players.is_empty() {
        text.push(nobody);
    }
    let mut named: Vec<&PlayerId> = Vec::new();
    for player in players {
        if !named.contains(&player) {
            named.push(player);
        }
    }
    for (index, player) in named.iter().enumerate() {
        if index > 0 {
            text.push(text::separator(index, named.len()));
        }
        text.push(*player);
    }
}

/// What a wish is called in a sentence.
pub fn wish_name(wish: ProposalKind) -> String {
    match wish {
        ProposalKind::Draw => "a draw".to_owned(),
        ProposalKind::Takeback { .. } => "an undo".to_owned(),
        ProposalKind::Pause => "a pause".to_owned(),
        ProposalKind::Extend { by } => format!("{by} more for everybody"),
        ProposalKind::StandIn { level, .. } => format!("a stand-in (the bot at level {level})"),
    }
}
