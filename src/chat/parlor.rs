//! The front of the house: a request comes in, an answer goes out.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::command::{self, Arguments, Command, ReadError};
use super::grammar::Verb;
use super::message::{Button, Message};
use super::notices;
use super::opponent::{self, BotName};
pub use super::pictures::Drawn;
use super::refusals;
use super::wanted::{Wanted, awaits};
use crate::ai::Level;
use crate::game::NotationError;
use crate::game::sentence::SentenceError;
use crate::matches::bot::{Bot, is_oneself};
use crate::matches::code::Code;
use crate::matches::delivery::{Delivery, GatheringNews, To};
use crate::matches::gather;
use crate::matches::moves;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{Caller, MatchRef, Service};
use crate::matches::state::{Match, Stage};

/// Somebody says or presses something.
#[derive(Clone, Debug)]
pub struct Request {
    pub who: PlayerId,
    /// What the platform calls them now.
    pub name: String,
    /// Where it was said; nowhere if only the bot can hear it.
    pub room: Option<RoomId>,
    /// The platform's own name for the event: the same event is carried out once.
    pub event: Option<String>,
    pub input: Input,
}

/// What was said.
#[derive(Clone, Debug)]
pub enum Input {
    /// Typed, or pressed: a button stands for a typed command.
    Line(String),
    /// Filled in, field by field.
    Command(Result<Command, ReadError>),
}

/// The most letters that are read at once: more than anybody needs for one turn.
const LONGEST_LINE: usize = 1000;

impl Input {
    /// How many letters somebody typed.
    fn length(&self) -> usize {
        match self {
            Self::Line(line) => line.chars().count(),
            Self::Command(Ok(command)) => command.arguments.length(),
            Self::Command(Err(_)) => 0,
        }
    }
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub message: Message,
    /// Whether it tells what only the asker may know. Where a platform can't answer one person alone, an
    /// open answer may be said aloud and a secret one has to go by private message.
    pub secret: bool,
    /// Whether the room in which it was asked is told the same by a delivery: where every message counts, the answer may
    /// be left out.
    pub told: bool,
    /// The match in which a bot thinks now, and of which the rooms are told when it has moved.
    pub thinking: Option<Code>,
}

impl Reply {
    pub const fn open(message: Message) -> Self {
        Self {
            message,
            secret: false,
            told: false,
            thinking: None,
        }
    }

    pub const fn secret(message: Message) -> Self {
        Self {
            message,
            secret: true,
            told: false,
            thinking: None,
        }
    }
}

/// Who is meant by a mention; every adapter has its own.
pub trait Directory: Send + Sync + 'static {
    /// The player whom somebody in `room` means by `mention`.
    fn find(&self, mention: &str, room: Option<&RoomId>) -> Option<PlayerId>;
}

/// The bot, without any platform.
pub struct Parlor {
    pub service: Arc<Service>,
    directories: RwLock<HashMap<String, Arc<dyn Directory>>>,
}

impl std::fmt::Debug for Parlor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Parlor")
    }
}

impl Parlor {
    pub fn new(service: Arc<Service>) -> Self {
        Self {
            service,
            directories: RwLock::default(),
        }
    }

    /// Lets players of a platform be mentioned.
    pub fn add_directory(&self, platform: &str, directory: Arc<dyn Directory>) {
        let mut directories = self.directories.write().unwrap_or_else(PoisonError::into_inner);
        directories.insert(platform.to_owned(), directory);
    }

    /// Whether what a request asks for has been done already, and so is told, whether or not it was answered.
    pub fn was_done(&self, request: &Request) -> bool {
        let handled = |event: &String| self.service.repository().was_handled(&request.who, event);
        request
            .event
            .as_ref()
            .is_some_and(|event| handled(event).unwrap_or(false))
    }

    /// Answers a request. Whatever happens, there is an answer.
    pub async fn handle(&self, request: &Request) -> Reply {
        match self.try_handle(request).await {
            Ok(reply) => reply,
            Err(Failure::Refused(refusal)) => Reply {
                secret: self.tells_secrets(&refusal),
                ..Reply::open(refusals::refused(&refusal))
            },
            Err(Failure::Broken(fault)) => {
                tracing::error!(%fault, who = %request.who, "a command failed");
                Reply::open(Message::text(refusals::BROKEN))
            }
        }
    }

    /// Why a move can't be made may tell what its player could do, and so what they hold.
    fn tells_secrets(&self, refusal: &Refusal) -> bool {
        match refusal {
            Refusal::Move { code, .. } => self.service.find(code).is_ok_and(|found| is_secret(&found)),
            _ => false,
        }
    }

    async fn try_handle(&self, request: &Request) -> Result<Reply, Failure> {
        if request.input.length() > LONGEST_LINE {
            return Ok(Reply::open(refusals::too_long(LONGEST_LINE)));
        }
        self.service.meet(&request.who, &request.name).await?;
        let command = match &request.input {
            Input::Command(command) => command.clone(),
            Input::Line(line) => match command::read(line) {
                Err(error @ ReadError::Unknown { .. }) => return self.bare_move(request, line, &error).await,
                read => match self.meant_as_move(request, line, &read) {
                    Some(command) => Ok(command),
                    None => read,
                },
            },
        };
        match command {
            Ok(command) => self.carry_out(request, &command).await,
            Err(error) => Ok(Reply::open(refusals::unread(&error))),
        }
    }

    /// A line that is no command may be a move.
    async fn bare_move(&self, request: &Request, line: &str, error: &ReadError) -> Result<Reply, Failure> {
        let unread = || Ok(Reply::open(refusals::unread(error)));
        let near_command = matches!(error, ReadError::Unknown { near: Some(_), .. });
        let own_turn = self.target(request, &Arguments::default(), Wanted::MyTurn);
        // Out of turn a private wish may still be meant: a pass in advance.
        let target = match own_turn {
            Err(error) => self.aside_target(request, line).ok_or(error),
            target => target,
        };
        let code = match target {
            Ok(target) => target.code,
            Err(_) if near_command => return unread(),
            Err(which @ Failure::Refused(Refusal::WhichMatch(_))) => return Err(which),
            Err(_) => return Ok(Reply::open(self.out_of_turn(request, error))),
        };
        match self.carry_out(request, &move_of(code, unmarked(line))).await {
            Err(Failure::Refused(Refusal::Move {
                error:
                    SentenceError::Action {
                        error: NotationError::Unreadable { .. },
                        ref played,
                    },
                ..
            })) if played.is_empty() && near_command => unread(),
            answer => answer,
        }
    }

    /// The move that a line is, though it begins like a command: some games have words of ours in their notation, and
    /// `draw 3` offers no draw. A command that fits is never taken for a move.
    fn meant_as_move(
        &self,
        request: &Request,
        line: &str,
        read: &Result<Command, ReadError>,
    ) -> Option<Command> {
        let fits = match read {
            Ok(command) => match &command.arguments.target {
                Some((code, _)) => self.service.find(code).is_ok(),
                None => true,
            },
            Err(ReadError::Argument { .. }) => false,
            Err(_) => true,
        };
        if fits {
            return None;
        }
        let own_turn = self.target(request, &Arguments::default(), Wanted::MyTurn);
        let code = own_turn.ok()?.code;
        let line = unmarked(line);
        let is_move = self.reads_as_move(&request.who, Some(&code), line);
        is_move.then(|| move_of(code, line))
    }

    /// The only match of this player for which a line is a private wish.
    fn aside_target(&self, request: &Request, line: &str) -> Option<MatchRef> {
        let target = self
            .target(request, &Arguments::default(), Wanted::Running)
            .ok()?;
        let the_match = self.service.find(&target.code).ok()?;
        let line = unmarked(line);
        let trial = moves::attempt(&the_match, &request.who, line).ok()?;
        trial.aside.map(|_| target)
    }

    /// What is no command and can't be a move now, with a hint if it may have been meant as one.
    fn out_of_turn(&self, request: &Request, error: &ReadError) -> Message {
        let mut message = refusals::unread(error);
        let waiting = self
            .target(request, &Arguments::default(), Wanted::Running)
            .and_then(|target| self.service.find(&target.code));
        if let Ok(the_match) = waiting
            && let Stage::Running(play) = &the_match.stage
        {
            let awaited: Vec<PlayerId> = (play.clocks.iter().zip(&play.players))
                .filter(|(clock, _)| clock.running.is_some())
                .map(|(_, player)| player.clone())
                .collect();
            message.text.line(refusals::not_yet(
                &the_match.code,
                &awaited,
                play.paused.is_some(),
            ));
        }
        message
    }

    async fn carry_out(&self, request: &Request, command: &Command) -> Result<Reply, Failure> {
        let arguments = &command.arguments;
        match command.verb {
            Verb::Games => Ok(self.games()),
            Verb::Rules => self.rules(request, arguments),
            Verb::Help => Ok(self.help(arguments)),
            Verb::Card => self.browse(request, arguments),
            Verb::Deck => self.lists(request, arguments).await,
            Verb::Matches => self.my_matches(request),
            Verb::Settings => self.settings(request, arguments).await,
            Verb::Challenge | Verb::Open | Verb::Practice => self.open(request, command).await,
            Verb::Fill | Verb::Join | Verb::Accept | Verb::Decline | Verb::Cancel | Verb::Rematch => {
                self.gather(request, command).await
            }
            Verb::Move => self.make_move(request, arguments).await,
            Verb::Preview => self.preview(request, arguments),
            Verb::Hint => self.hint(request, arguments).await,
            Verb::Moves => self.moves(request, arguments),
            Verb::Board => self.board(request, arguments),
            Verb::Hand => self.hand(request, arguments),
            Verb::Text => self.text(request, arguments),
            Verb::Record => self.record(request, arguments),
            Verb::Undo
            | Verb::Draw
            | Verb::Resign
            | Verb::Replace
            | Verb::Abort
            | Verb::Pause
            | Verb::Resume
            | Verb::Extend
            | Verb::Claim => self.settle(request, command).await,
        }
    }

    /// The answer to something that has changed a match, of which all its rooms are told.
    pub(super) fn confirmed(&self, request: &Request, code: &Code, message: Message) -> Reply {
        let found = self.service.find(code).ok();
        let at_home = |room: &RoomId| found.as_ref().is_some_and(|found| found.rooms.contains(room));
        Reply {
            told: request.room.as_ref().is_some_and(at_home),
            thinking: self.is_thinking(code).then(|| code.clone()),
            ..Reply::open(message)
        }
    }

    /// Whether a bot is to move in a match.
    pub fn is_thinking(&self, code: &Code) -> bool {
        match self.service.find(code).map(|found| found.stage) {
            Ok(Stage::Running(play)) => !play.awaited_bots().is_empty(),
            Ok(Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_)) | Err(_) => false,
        }
    }

    pub(super) fn caller(&self, request: &Request) -> Caller {
        Caller {
            player: request.who.clone(),
            event: request.event.clone(),
        }
    }

    /// The players meant by mentions.
    pub(super) fn mentioned(
        &self,
        request: &Request,
        mentions: &[String],
        level: Level,
    ) -> Result<Vec<PlayerId>, Message> {
        let directories = self.directories.read().unwrap_or_else(PoisonError::into_inner);
        let directory = directories.get(request.who.platform());
        let mut players = Vec::new();
        for mention in mentions {
            if mention.eq_ignore_ascii_case("me") {
                players.push(request.who.clone());
                continue;
            }
            match opponent::named(mention) {
                Some(BotName::Plain) => {
                    players.push(Bot::beside(level, &players).player());
                    continue;
                }
                Some(BotName::At(level)) => {
                    players.push(Bot::beside(level, &players).player());
                    continue;
                }
                Some(BotName::Unknown(_)) | None => {}
            }
            match directory.and_then(|directory| directory.find(mention, request.room.as_ref())) {
                Some(player) if is_oneself(&player) => players.push(Bot::beside(level, &players).player()),
                Some(player) => players.push(player),
                None if opponent::may_mean_bot(mention) => {
                    players.push(Bot::beside(level, &players).player());
                }
                None => return Err(super::lookups::nobody_called(mention)),
            }
        }
        Ok(players)
    }

    /// The match that a request means: the one it names, or the only one that fits.
    pub(super) fn target(
        &self,
        request: &Request,
        arguments: &Arguments,
        wanted: Wanted,
    ) -> Result<MatchRef, Failure> {
        if let Some((code, version)) = &arguments.target {
            return Ok(MatchRef {
                code: code.clone(),
                version: *version,
            });
        }
        let codes = match wanted {
            Wanted::Finished => self.service.repository().finished_of(&request.who, LATEST)?,
            Wanted::Asked
            | Wanted::Own
            | Wanted::Hosted
            | Wanted::Seated
            | Wanted::Running
            | Wanted::ToPlay
            | Wanted::Holding
            | Wanted::MyTurn
            | Wanted::Alive => self.service.repository().alive_of(&request.who)?,
        };
        let mut fitting = Vec::new();
        for code in codes {
            if let Some(the_match) = self.service.repository().find(&code)?
                && wanted.fits(&the_match, &request.who)
            {
                fitting.push(the_match);
            }
        }
        if let Some(room) = &request.room
            && fitting.iter().any(|the_match| the_match.rooms.contains(room))
        {
            fitting.retain(|the_match| the_match.rooms.contains(room));
        }
        if wanted == Wanted::Finished {
            // Of finished matches the last one is meant; it comes first.
            fitting.truncate(1);
        }
        // Who moves or looks means the match that waits for them. Who gives something up has to say which.
        if matches!(wanted, Wanted::ToPlay | Wanted::Holding | Wanted::Alive)
            && fitting.iter().any(|the_match| awaits(the_match, &request.who))
        {
            fitting.retain(|the_match| awaits(the_match, &request.who));
        }
        match &fitting[..] {
            [] => Err(Refusal::NoMatchHere.into()),
            [one] => Ok(MatchRef {
                code: one.code.clone(),
                version: None,
            }),
            several => Err(Refusal::WhichMatch(
                several.iter().map(|the_match| the_match.code.clone()).collect(),
            )
            .into()),
        }
    }

    /// A delivery as a message, with its pictures described but not yet drawn.
    pub fn render(&self, delivery: &Delivery) -> Message {
        // What goes to one player is drawn as that player likes it.
        let reader = match &delivery.to {
            To::Player(player) => Some(player),
            To::Room(_) => None,
        };
        notices::message(
            delivery,
            &|wish| match self.describe(&delivery.code, wish, reader) {
                Ok(picture) => Some(picture),
                Err(failure) => {
                    tracing::error!(?failure, code = %delivery.code, "a picture can't be made");
                    None
                }
            },
        )
    }

    /// An answer that everybody where it was asked for will read: if it is about a table that waits for players, they
    /// are invited to it.
    pub fn open_answer(&self, reply: Reply) -> Message {
        let named = |button: &Button| command::read(&button.command).ok()?.arguments.target;
        let code = reply.message.buttons.iter().find_map(named).map(|(code, _)| code);
        let invitation = code.and_then(|code| self.invitation(&code).ok().flatten());
        invitation.unwrap_or(reply.message)
    }

    fn invitation(&self, code: &Code) -> Result<Option<Message>, Failure> {
        let the_match = self.service.find(code)?;
        let (Some(notice), Some(room)) = (
            gather::notice(&the_match, GatheringNews::Opened)?,
            the_match.rooms.first(),
        ) else {
            return Ok(None);
        };
        Ok(Some(self.render(&Delivery {
            key: String::new(),
            to: To::Room(room.clone()),
            at: self.service.now(),
            code: the_match.code.clone(),
            version: the_match.version,
            game: the_match.game.clone(),
            notice,
        })))
    }
}

/// How many finished matches are looked through for one of a room.
const LATEST: usize = 20;

/// Whether what a player is shown of this match may hold secrets.
pub(super) fn is_secret(the_match: &Match) -> bool {
    notices::hides_hands(&the_match.game)
}

/// A line without the mark that some platforms want before a command.
fn unmarked(line: &str) -> &str {
    line.trim().trim_start_matches(['/', '!'])
}

/// The command that plays this in a match.
fn move_of(code: Code, words: &str) -> Command {
    Command {
        verb: Verb::Move,
        arguments: Arguments {
            words: words.to_owned(),
            target: Some((code, None)),
            ..Arguments::default()
        },
    }
}
