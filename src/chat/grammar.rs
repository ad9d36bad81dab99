//! The commands, as data.
//!
//! Everything that knows commands is made from this list: the reader of typed text, Discord's slash
//! commands, the help, the suggestions while typing. To add a command, add its line here, say in
//! [`command`](super::command) what it means, and in [`parlor`](super::parlor) who carries it out.

use super::command::{DeckDeed, Leave, OFF, RecordForm, Setting};
use crate::catalog::games;
use crate::game::Meta;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    Games,
    Rules,
    What,
    Challenge,
    Open,
    Practice,
    Fill,
    Join,
    Accept,
    Decline,
    Cancel,
    Move,
    Preview,
    Hint,
    Moves,
    Board,
    Hand,
    Text,
    Undo,
    Draw,
    Resign,
    Replace,
    Abort,
    Pause,
    Resume,
    Extend,
    Claim,
    Rematch,
    Matches,
    Record,
    Replay,
    CatchUp,
    Note,
    Review,
    Details,
    Link,
    Watch,
    Card,
    Deck,
    Settings,
    Help,
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandSpec {
    pub verb: Verb,
    /// Lower-case letters, at most 32.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// At most 100 characters.
    pub help: &'static str,
    /// How it is typed, in one example; `GAME` stands for any game, and `STEP` for one of its moves.
    example: &'static str,
    pub arguments: &'static [ArgumentSpec],
    /// The tables that are offered where it names one.
    pub tables: TablesFor,
    /// Whether it may be asked by way of a page of a match: it is about that one match, and begins nothing elsewhere.
    pub on_pages: bool,
}

/// Tables that fit a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablesFor {
    Joining,
    CallingOff,
    Filling,
    LookingBack,
    Playing,
    Finished,
}

impl CommandSpec {
    const fn on_pages(self) -> Self {
        Self {
            on_pages: true,
            ..self
        }
    }

    const fn offering(self, tables: TablesFor) -> Self {
        Self { tables, ..self }
    }

    /// How it is typed, in one example, with the first game of the catalog where it takes one.
    pub fn example(&self) -> String {
        self.example_in(None)
    }

    /// Whether it may be said without another word.
    pub fn stands_alone(&self) -> bool {
        // It takes a game, unless it takes a match.
        self.verb != Verb::Practice && self.arguments.iter().all(|argument| !argument.required)
    }

    /// The same for somebody who plays this game: a move that is shown is one of its own.
    pub fn example_in(&self, game: Option<&Meta>) -> String {
        let meta = game.or_else(|| games().next().map(|entry| entry.meta));
        let (id, step) = meta.map_or(("", ""), |meta| (meta.id, meta.example));
        self.example.replace("GAME", id).replace("STEP", step)
    }
}

/// An argument of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentSpec {
    pub name: &'static str,
    pub help: &'static str,
    pub kind: ArgumentKind,
    pub required: bool,
}

/// What may stand in an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// The id or name of a game.
    Game,
    /// One or more players.
    Players,
    /// How many play.
    Seats,
    /// How strong the bot is.
    Level,
    /// `name=value`, several.
    Options,
    Clock,
    /// Who sits where.
    Seating,
    /// The code of a table.
    Match,
    /// A move, or several: the rest of the line.
    Move,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The rest of the line.
    Words,
    Hours,
    /// The number of a turn.
    Turn,
}

const fn argument(name: &'static str, kind: ArgumentKind, help: &'static str) -> ArgumentSpec {
    ArgumentSpec {
        name,
        help,
        kind,
        required: false,
    }
}

const fn needed(name: &'static str, kind: ArgumentKind, help: &'static str) -> ArgumentSpec {
    ArgumentSpec {
        required: true,
        ..argument(name, kind, help)
    }
}

const MATCH: ArgumentSpec = argument(
    "match",
    ArgumentKind::Match,
    "The table's code, if you have several matches here",
);
const GAME: ArgumentSpec = needed("game", ArgumentKind::Game, "The game");
const OPTIONS: ArgumentSpec = argument(
    "options",
    ArgumentKind::Options,
    "Game options, such as centre=on",
);
const CLOCK: ArgumentSpec = argument(
    "clock",
    ArgumentKind::Clock,
    "relaxed, daily, none, or live with minutes: live 5m",
);
const SEATING: ArgumentSpec = argument(
    "seating",
    ArgumentKind::Seating,
    "lot for random seats, or order for the order you named, you first",
);

const LEVEL: ArgumentSpec = argument(
    "level",
    ArgumentKind::Level,
    "How strong the bot is, from 1 to 5; by default 2",
);

/// The word that stands for the bot among players.
pub const BOT: &str = "bot";

const fn command(
    verb: Verb,
    name: &'static str,
    aliases: &'static [&'static str],
    help: &'static str,
    example: &'static str,
    arguments: &'static [ArgumentSpec],
) -> CommandSpec {
    CommandSpec {
        verb,
        name,
        aliases,
        help,
        example,
        arguments,
        tables: TablesFor::Playing,
        on_pages: false,
    }
}

/// All commands, in the order of the help.
#[rustfmt::skip]
pub static COMMANDS: &[CommandSpec] = &[
    command(Verb::Games, "games", &[], "The games you can play here", "games", &[]),
    command(Verb::Rules, "rules", &["how"], "How to play a game, page by page", "rules GAME",
        &[argument("game", ArgumentKind::Game, "The game; by default the one you're playing"),
          argument("section", ArgumentKind::Words, "A section of the rules, or a word to look up")]).on_pages(),
    command(Verb::What, "what", &["whats", "what's", "explain", "define"], "What a word of a game means", "what core",
        &[argument("word", ArgumentKind::Words, "A piece, a glyph, a block, a skill, a card: any word of a game")]),
    command(Verb::Challenge, "challenge", &["play", "invite"], "Challenge a friend or the bot to a game", "challenge bot GAME level=2",
        &[needed("players", ArgumentKind::Players, "Who you challenge: one or more friends, or bot for me"), GAME, LEVEL, OPTIONS, CLOCK, SEATING]),
    command(Verb::Open, "open", &["table"], "Open a table that anybody can join", "open GAME seats=3",
        &[GAME, argument("seats", ArgumentKind::Seats, "How many play"), OPTIONS, CLOCK, SEATING]),
    command(Verb::Practice, "practice", &["solo"], "Try a game out alone, playing every side, from the start or from any turn of a match", "practice GAME",
        &[argument("game", ArgumentKind::Game, "The game, unless you name a match"), argument("seats", ArgumentKind::Seats, "How many sides"), OPTIONS,
          argument("match", ArgumentKind::Match, "Go on from a position of this match instead: #K7QF"),
          argument("turn", ArgumentKind::Turn, "From the position after this turn; by default the latest"),
          argument("level", ArgumentKind::Level, "Let the bot play the other sides, at a level from 1 to 5")]).offering(TablesFor::Finished),
    command(Verb::Fill, "fill", &["bots"], "Let the bot take every free seat of your table", "fill",
        &[MATCH, LEVEL]).offering(TablesFor::Filling),
    command(Verb::Join, "join", &["sit"], "Take a seat at a table by its code", "join #K7QF",
        &[needed("match", ArgumentKind::Match, "The table's code")]).offering(TablesFor::Joining),
    command(Verb::Accept, "accept", &["yes", "agree"], "Accept a challenge or a proposal", "accept", &[MATCH]).on_pages(),
    command(Verb::Decline, "decline", &["no", "refuse"], "Decline a challenge or a proposal", "decline", &[MATCH]).on_pages(),
    command(Verb::Cancel, "cancel", &[], "Cancel a challenge or an open table of yours", "cancel", &[MATCH]).offering(TablesFor::CallingOff),
    command(Verb::Move, "move", &["m", "go"], "Make a move", "move STEP",
        &[needed("move", ArgumentKind::Move, "What you play"), MATCH]).on_pages(),
    command(Verb::Preview, "preview", &["try", "what-if"], "See what a move would do, without playing it", "preview STEP",
        &[needed("move", ArgumentKind::Move, "What you might play"), MATCH]).on_pages(),
    command(Verb::Hint, "hint", &["advice"], "What you might play, in a match against the bot or alone", "hint", &[MATCH]).on_pages(),
    command(Verb::Moves, "moves", &["legal"], "What you can do now", "moves",
        &[argument("move", ArgumentKind::Move, "The beginning of a move"), MATCH]).on_pages(),
    command(Verb::Board, "board", &["show", "b"], "The board as it stands, from your side", "board", &[MATCH]).on_pages(),
    command(Verb::Hand, "hand", &["h"], "Your hand, for your eyes only", "hand", &[MATCH]).on_pages(),
    command(Verb::Text, "text", &["ascii"], "The board in plain text", "text", &[MATCH]).on_pages(),
    command(Verb::Undo, "undo", &["takeback", "oops"], "Ask to undo your last move", "undo", &[MATCH]).on_pages(),
    command(Verb::Draw, "draw", &[], "Offer a draw, or accept one", "draw", &[MATCH]).on_pages(),
    command(Verb::Resign, "resign", &["give-up"], "Give up a match", "resign",
        &[MATCH, argument("sure", ArgumentKind::Word(&Leave::WORDS), "sure to do it at once, or bot to let the bot play on")]).on_pages(),
    command(Verb::Replace, "replace", &["stand-in"], "Let the bot play on for a player who has left, if all agree", "replace",
        &[MATCH, LEVEL]).on_pages(),
    command(Verb::Abort, "abort", &[], "Break off a match: before the second move, or any time against the bot or alone", "abort", &[MATCH]).on_pages(),
    command(Verb::Pause, "pause", &["hold"], "Ask for the clocks to stop", "pause", &[MATCH]).on_pages(),
    command(Verb::Resume, "resume", &["unpause", "continue"], "Let the clocks run again", "resume", &[MATCH]).on_pages(),
    command(Verb::Extend, "extend", &["more-time"], "Ask for more time for everybody", "extend 24",
        &[argument("hours", ArgumentKind::Hours, "How many hours; by default 24"), MATCH]).on_pages(),
    command(Verb::Claim, "claim", &[], "Claim a match without a clock after 14 days of silence", "claim", &[MATCH]).on_pages(),
    command(Verb::Rematch, "rematch", &["again"], "Play the same again with seats swapped", "rematch", &[MATCH, LEVEL]).offering(TablesFor::Finished),
    command(Verb::Matches, "matches", &["my", "list"], "Your matches", "matches", &[]),
    command(Verb::Details, "details", &["info"], "How a match is set up: options, clocks, sealed shuffle", "details", &[MATCH]).offering(TablesFor::LookingBack).on_pages(),
    command(Verb::Link, "link", &["page"], "A link to your board, to play on a page; only you get it", "link",
        &[MATCH, argument("off", ArgumentKind::Word(&[OFF]), "off to end your links to the match")]),
    command(Verb::Watch, "watch", &["spectate"], "A link with which anybody can watch, if all players agree", "watch",
        &[MATCH, argument("off", ArgumentKind::Word(&[OFF]), "off to end it")]),
    command(Verb::Replay, "replay", &["film"], "See a match again, turn by turn", "replay last 5",
        &[argument("turns", ArgumentKind::Words, "12-20, last 5, step 12, text for the story in words; also side 2, a theme; by default all turns"), MATCH]).offering(TablesFor::LookingBack).on_pages(),
    command(Verb::CatchUp, "catchup", &["catch-up", "missed"], "What has happened since your last move, in words and as a film", "catchup", &[MATCH]).on_pages(),
    command(Verb::Review, "review", &["analyse", "analyze", "analysis"], "What the bot says of a match that is over: who stood better when, and what it would have played", "review",
        &[argument("part", ArgumentKind::Words, "1, 2 or 3 for a swing, or numbers for every move; by default all of it"), MATCH]).offering(TablesFor::Finished).on_pages(),
    command(Verb::Note, "note", &["notes"], "Write something down on the position: yours alone until the match is over", "note watch the left side",
        &[argument("text", ArgumentKind::Words, "What to write down; without it, you see your notes"), MATCH]).on_pages(),
    command(Verb::Record, "record", &["export"], "The record of a match as JSON, or in short notation", "record",
        &[MATCH, argument("form", ArgumentKind::Word(&RecordForm::NAMES), "json, or text for a short notation; by default json")]).offering(TablesFor::LookingBack).on_pages(),
    command(Verb::Card, "card", &["cards", "find"], "Look up a card, or find cards by what they are", "card keeper cost 2 swift",
        &[argument("words", ArgumentKind::Words, "A name; or faction, cost, good or evil, skill, words on the card")]),
    command(Verb::Deck, "deck", &["decks"], "Your decks and the ready ones: show, build, check, share", "deck copy wolfpack mine",
        &[argument("deed", ArgumentKind::Word(&DeckDeed::NAMES), "What to do; by default list"),
          argument("words", ArgumentKind::Words, "The deck's name, and what belongs to it")]),
    command(Verb::Settings, "settings", &["set", "config"], "Your own settings", "settings theme dark",
        &[argument("setting", ArgumentKind::Word(&Setting::NAMES), "Which setting"),
          argument("value", ArgumentKind::Words, "Its new value")]),
    command(Verb::Help, "help", &["commands", "?"], "What you can say", "help challenge",
        &[argument("command", ArgumentKind::Words, "A command")]),
];

/// The command of this name or alias, in any case.
pub fn find(name: &str) -> Option<&'static CommandSpec> {
    COMMANDS.iter().find(|command| {
        command.name.eq_ignore_ascii_case(name)
            || command
                .aliases
                .iter()
                .any(|alias| alias.eq_ignore_ascii_case(name))
    })
}

/// Whether a line begins with a command that names players. Nothing else of it is read.
pub fn names_players(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['/', '!']);
    let word = line.split_whitespace().next().unwrap_or_default();
    find(word).is_some_and(|command| {
        let mut arguments = command.arguments.iter();
        arguments.any(|argument| argument.kind == ArgumentKind::Players)
    })
}

/// The command for a verb.
pub fn spec(verb: Verb) -> &'static CommandSpec {
    // Every verb has its line; the tests look.
    COMMANDS
        .iter()
        .find(|command| command.verb == verb)
        .unwrap_or(&COMMANDS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_fit_every_platform() {
        let mut names = std::collections::BTreeSet::new();
        for command in COMMANDS {
            assert!(
                command.name.len() <= 32 && command.name.bytes().all(|b| b.is_ascii_lowercase()),
                "{}",
                command.name
            );
            assert!(command.help.chars().count() <= 100, "{}", command.name);
            assert!(command.example.starts_with(command.name));
            for name in command.aliases.iter().chain([&command.name]) {
                assert!(names.insert(name), "{name} stands for two commands");
            }
            let required = command
                .arguments
                .iter()
                .take_while(|argument| argument.required)
                .count();
            assert!(
                command.arguments[required..]
                    .iter()
                    .all(|argument| !argument.required),
                "{}",
                command.name
            );
            for argument in command.arguments {
                assert!(
                    argument.help.chars().count() <= 100 && argument.name.len() <= 32,
                    "{}",
                    argument.name
                );
            }
        }
        assert!(COMMANDS.len() <= 100);
    }
}
