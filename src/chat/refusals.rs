//! What players are told when something can't be done: what is wrong, and what to do instead.

use super::collect::left_out;
use super::command::{About, Command, LONGEST_LINE, Leave, Missing, ReadError, ReplayWish};
use super::grammar::{self, BOT, CommandSpec};
use super::learn::offer;
use super::message::{Button, Inline, LONGEST_COMMAND, Message, Text};
use super::settings::no_such_value;
use crate::ai::Level;
use crate::catalog::{Entry, games};
use crate::game::Meta;
use crate::game::notation::excerpt;
use crate::matches::code::Code;
use crate::matches::notes::{LONGEST_NOTE, MOST_NOTES, NoteRefusal};
use crate::matches::people::PlayerId;
use crate::matches::refusal::Refusal;
use crate::matches::state::ProposalKind;
use crate::{say, text};

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
            let buttons = spec.filter(|spec| spec.stands_alone());
            let buttons = buttons.map(|spec| Button::primary(format!("Yes, {}", spec.name), spec.name));
            Message::text(say!(
                "I don't know `{word}`. Did you mean {near}?",
                word = word.as_str(),
                near = Inline::Say((*near).to_owned())
            ))
            .with_buttons(buttons.into_iter().collect())
        }
        ReadError::Unknown { word, near: None } => Message::text(say!(
            "I don't know `{word}`. Say `/help` for what I understand.",
            word = word.as_str()
        ))
        .with_buttons(vec![help_button()]),
        ReadError::Argument { command, problem } => Message::text(say!(
            "{problem} For example: {example}",
            problem = say(problem),
            example = Inline::Say(command.example_in(game))
        )),
        ReadError::TooLong => too_long(LONGEST_LINE),
        ReadError::Game(error) => refused(&Refusal::UnknownGame(error.clone())),
        ReadError::Level { said, .. } => no_such_level(said),
        ReadError::Setting(value) => Message::text(no_such_value(*value)),
        ReadError::Deck(gap) => Message::text(left_out(gap)),
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
        say!("How strong should the bot be?")
    } else {
        say!("There's no level `{said}`. There are five:", said = excerpt(said))
    };
    for level in Level::ALL {
        text.line(say!(
            "`level={level}`: {strength}",
            level = level.to_string(),
            strength = level.describe()
        ));
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
            let text = say!(
                "Who do you want to play? Name a friend, like {example}, or play me.",
                example = Inline::Say(format!("{} @friend {}", command.name, excerpt(line)))
            );
            (text, vec![bot])
        }
        Missing::Both => {
            let text = say!(
                "Who do you want to play, and which game? For example: {example}. Or pick a game to play me.",
                example = Inline::Say(command.example())
            );
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
    let permissions = permissions
        .iter()
        .map(|permission| Inline::Bold((*permission).to_owned()));
    say!(
        "I can't show boards here: I need {permissions}. People who manage this server can allow it in the channel's settings.",
        permissions = listed(permissions)
    )
}

/// A bot was challenged.
pub fn no_bots(bot: &PlayerId) -> Message {
    Message::text(say!(
        "{bot} is a bot that doesn't play here. Challenge a friend, or me: `/challenge bot GAME`.",
        bot
    ))
}

/// Private messages don't reach this player.
pub fn closed_door() -> Text {
    say(
        "I can't send you private messages, so I can't send you your hand. `/hand` shows it any time, only to you.",
    )
}

/// The same, for a player who holds no hand.
pub fn closed_to_news() -> Text {
    say(
        "I can't send you private messages, so I can't call you there. `/matches` shows where it's your turn.",
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

fn about(code: &Code) -> About {
    Some(code.clone().into())
}

/// What can be done in a match.
fn possible(code: &Code) -> Command {
    Command::Moves {
        about: about(code),
        picked: String::new(),
    }
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
        Refusal::Note(NoteRefusal::TooLong) => say!(
            "A note has at most {most} letters. Say it in several.",
            most = LONGEST_NOTE.to_string()
        ),
        Refusal::Note(NoteRefusal::TooMany) => say!(
            "You have {most} notes on this match, as many as I keep.",
            most = MOST_NOTES.to_string()
        ),
        Refusal::NamedTwice(player) => {
            say!("You named {player} twice. Name everybody once.", player)
        }
        Refusal::RoomClosed { open } if open.is_empty() => say!("You can't open matches in this room."),
        Refusal::RoomClosed { open } => say!(
            "You can't open matches in this room. You can in {rooms}.",
            rooms = listed(open.iter().take(MOST_NAMED))
        ),
        Refusal::TooManyMatches { most } => {
            buttons.push(Button::primary("My matches", "matches"));
            Text::from(format!(
                "You have {most} matches, as many as I keep for one player. Finish one first, or `/cancel` one of your tables."
            ))
        }
        Refusal::NoSuchMatch(code) => say!(
            "There's no table {code}. Check the code, or look at `/matches`.",
            code = tag(code)
        ),
        Refusal::NoMatchHere => {
            buttons.push(Button::primary("The games", "games"));
            say(
                "You have no match for that. Start one with `/challenge bot GAME`, `/challenge @friend GAME` or `/open GAME`.",
            )
        }
        Refusal::WhichMatch(codes) => {
            buttons.push(Button::primary("My matches", "matches"));
            say!(
                "Which match? Pick one, or add its code: {codes}.",
                codes = listed(codes.iter().take(MOST_NAMED).map(tag))
            )
        }
        Refusal::NotYourMatch(code) => say!("You don't play in {code}.", code = tag(code)),
        Refusal::YouLeft(code) => say!(
            "You left match {code}. The others play on, and you can still look at the `/board`.",
            code = tag(code)
        ),
        Refusal::NotOpen(code) => {
            buttons.push(Button::plain("The board", Command::Board(about(code))));
            say!(
                "Match {code} has begun, so it's too late to join or cancel it.",
                code = tag(code)
            )
        }
        Refusal::NotBegun(code) => say!("Table {code} is still waiting for players.", code = tag(code)),
        Refusal::Over(code) => {
            let rematch = Command::Rematch {
                about: about(code),
                level: None,
            };
            buttons.push(Button::primary("Rematch", rematch));
            say!("Match {code} is over.", code = tag(code))
        }
        Refusal::StillRuns(code) => say!(
            "Match {code} is still on. You can ask for a rematch when it's over.",
            code = tag(code)
        ),
        Refusal::CalledOff(code) => say!("Table {code} was called off.", code = tag(code)),
        Refusal::NotInvited(code) => say!("You aren't invited to table {code}.", code = tag(code)),
        Refusal::AlreadyIn(code) => say!(
            "You're in {code} already. It begins when everybody is there.",
            code = tag(code)
        ),
        Refusal::AlreadyHere(code) => {
            say!("I already show match {code} in this room.", code = tag(code))
        }
        Refusal::Full(code) => say!("Table {code} is full.", code = tag(code)),
        Refusal::NotYourTable(code) => {
            say!(
                "Only the player who opened table {code} can cancel it.",
                code = tag(code)
            )
        }
        Refusal::Stale { code } => {
            buttons.push(Button::primary("The board now", Command::Board(about(code))));
            say("The match has moved on since then. Here is the board as it is now.")
        }
        Refusal::AlreadyHandled => say("That's done already."),
        Refusal::NotYourTurn { code, awaited } => {
            buttons.push(Button::plain("The board", Command::Board(about(code))));
            say!(
                "It isn't your turn. Waiting for {awaited}.",
                awaited = people(awaited)
            )
        }
        Refusal::Move { code, error, .. } => {
            buttons.push(Button::plain("What can I do?", possible(code)));
            say(error.to_string())
        }
        Refusal::CantPreview => say("That would show you something new, so I can't preview it."),
        Refusal::Paused(code) => {
            buttons.push(Button::primary("Resume", Command::Resume(about(code))));
            say("The match is paused. Any of its players can `/resume` it.")
        }
        Refusal::NotPaused(_) => say("The match isn't paused."),
        Refusal::AlreadyProposed(wish) => say(match wish {
            ProposalKind::Draw => "You offered a draw already. Waiting for the others to answer.",
            ProposalKind::Takeback { .. } => {
                "You asked for an undo already. Waiting for the others to answer."
            }
            ProposalKind::Pause => "You asked for a pause already. Waiting for the others to answer.",
            ProposalKind::Extend { .. } => {
                "You asked for more time already. Waiting for the others to answer."
            }
            ProposalKind::Watch => "You asked for a link to watch already. Waiting for the others to answer.",
            ProposalKind::StandIn { .. } => {
                "You asked for a stand-in already. Waiting for the others to answer."
            }
        }),
        Refusal::NothingProposed(code) => {
            buttons.push(Button::plain("The board", Command::Board(about(code))));
            say!("There's nothing to answer in {code}.", code = tag(code))
        }
        Refusal::NothingToTakeBack => say("You have no move to undo."),
        Refusal::CantUnsee => {
            say("A player has seen something new since your last move, so you can't undo it.")
        }
        Refusal::TooLateToAbort => {
            say("It's too late to break the match off. You can offer a `/draw`, or `/resign`.")
        }
        Refusal::NoClock => say("This match has no clock, so you have all the time you want."),
        Refusal::NothingToClaim { from: Some(from) } => {
            say!(
                "You can claim the match if nobody has moved by {from}.",
                from = *from
            )
        }
        Refusal::NothingToClaim { from: None } => say(
            "There's nothing to claim. That works only without a clock, while you wait for another player.",
        ),
        Refusal::NoHintsAmongPeople(code) => {
            buttons.push(Button::plain("What can I do?", possible(code)));
            say("I give hints only against the bot and in practice. Between people that wouldn't be fair.")
        }
        Refusal::NoPracticeYet(code) => say!(
            "Match {code} is still on, and has secrets or chance in it. You can practise from it when it's over.",
            code = tag(code)
        ),
        Refusal::NoPracticeThere { code, last } => {
            let practice = Command::PracticeFrom {
                about: about(code),
                turn: Some(*last),
                level: None,
            };
            buttons.push(Button::plain(format!("From turn {last}"), practice));
            say!(
                "In {code} you can go on from turns 0 to {last}.",
                code = tag(code),
                last = last.to_string()
            )
        }
        Refusal::NoReviewYet(code) => {
            let replay = Command::Replay {
                about: about(code),
                wish: ReplayWish::default(),
            };
            buttons.push(Button::plain("Replay", replay));
            say!(
                "Match {code} is still on. I review it when it's over.",
                code = tag(code)
            )
        }
        Refusal::NobodyToStandInFor(_) => {
            say("There's no empty seat for the bot. If you have to go yourself, say `/resign`.")
        }
        Refusal::NobodyElsePlays(code) => {
            let resign = Command::Resign {
                about: about(code),
                how: Leave::Sure,
            };
            buttons.push(Button::danger("Resign", resign));
            say("Only bots would be left, and they don't play without people.")
        }
        Refusal::RematchStands(code) => {
            buttons.push(Button::plain("Show it", Command::Board(about(code))));
            say!("There's a rematch already: {code}.", code = tag(code))
        }
    };
    Message::text(text).with_buttons(buttons)
}

/// A hint for somebody who may have meant a move: why it can't be made now.
pub fn not_yet(code: &Code, awaited: &[PlayerId], paused: bool) -> Text {
    let code = tag(code);
    if paused {
        return say!(
            "If that is a move in {code}: the match is paused; `/resume` lets it go on.",
            code
        );
    }
    say!(
        "If that is a move in {code}: it isn't your turn. Waiting for {awaited}.",
        code,
        awaited = people(awaited)
    )
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

/// "Ann, Bea and Cy", everybody once; "nobody" if there is none.
pub fn people(players: &[PlayerId]) -> Text {
    let mut named: Vec<&PlayerId> = Vec::new();
    for player in players {
        if !named.contains(&player) {
            named.push(player);
        }
    }
    if named.is_empty() {
        return Text::from("nobody");
    }
    listed(named)
}

/// "#lobby, #den and #attic".
pub(super) fn listed<I: Into<Inline>>(items: impl IntoIterator<Item = I>) -> Text {
    let items: Vec<I> = items.into_iter().collect();
    let count = items.len();
    let mut text = Text::new();
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(text::separator(index, count));
        }
        text.push(item);
    }
    text
}
