//! The front of the house: a request comes in, an answer goes out.

use std::sync::Arc;

use super::command::{self, Command, FieldValue, People, ReadError};
use super::grammar::Verb;
use super::message::Message;
use super::notices;
pub use super::pictures::Drawn;
use super::refusals;
use super::wanted::{Wanted, awaits};
use crate::catalog::Reading;
use crate::game::NotationError;
use crate::game::sentence::SentenceError;
use crate::matches::code::Code;
use crate::matches::delivery::{Delivery, GatheringNews, To};
use crate::matches::gather;
use crate::matches::loaded::Loaded;
use crate::matches::moves;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{Caller, MatchRef, Service, TargetMatch};
use crate::matches::state::{Match, Play, Stage};

/// Somebody says or presses something.
#[derive(Clone, Debug)]
pub struct Request {
    pub who: PlayerId,
    /// What the platform calls them now.
    pub name: String,
    /// Where it was said; nowhere if only the bot can hear it.
    pub room: Option<RoomId>,
    /// The match that it is about, as the platform knows it: the one in whose thread it was said, or whose board it
    /// answers. A match that the words name goes before it.
    pub about: Option<MatchRef>,
    /// The language in which the asker reads, as the platform tells it.
    pub locale: Option<String>,
    /// The platform's own name for the event: the same event is carried out once.
    pub event: Option<String>,
    pub input: Input,
}

/// What was said, read once.
#[derive(Clone, Debug)]
pub struct Input {
    /// The line as it was typed; a form has none.
    line: Option<String>,
    read: Result<Command, ReadError>,
}

impl Input {
    /// Something typed, or pressed: a button stands for a typed command.
    pub fn line(line: &str, people: &dyn People) -> Self {
        Self {
            read: command::read(line, people),
            line: Some(line.to_owned()),
        }
    }

    /// Something filled in, field by field.
    pub fn form<'a>(
        name: &str,
        fields: impl IntoIterator<Item = (&'a str, FieldValue)>,
        people: &dyn People,
    ) -> Self {
        Self {
            read: command::from_fields(name, fields, people),
            line: None,
        }
    }

    /// The command, if it was read as one.
    pub fn command(&self) -> Option<&Command> {
        self.read.as_ref().ok()
    }

    /// What kept it from being read as a command.
    pub fn error(&self) -> Option<&ReadError> {
        self.read.as_ref().err()
    }

    pub fn verb(&self) -> Option<Verb> {
        self.command().map(Command::verb)
    }

    /// The line without the mark that some platforms want before a command.
    pub fn bare_line(&self) -> &str {
        let line = self.line.as_deref().unwrap_or_default();
        line.trim().trim_start_matches(['/', '!'])
    }

    /// Whether the line begins with such a mark.
    pub fn is_marked(&self) -> bool {
        let line = self.line.as_deref().unwrap_or_default();
        line.trim_start().starts_with(['/', '!'])
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
    /// A table that waits for players, if that is what it tells of.
    pub waiting_table: Option<Code>,
}

impl Reply {
    pub const fn open(message: Message) -> Self {
        Self {
            message,
            secret: false,
            told: false,
            thinking: None,
            waiting_table: None,
        }
    }

    pub const fn secret(message: Message) -> Self {
        Self {
            message,
            secret: true,
            told: false,
            thinking: None,
            waiting_table: None,
        }
    }
}

/// The bot, without any platform.
pub struct Parlor {
    pub service: Arc<Service>,
}

impl std::fmt::Debug for Parlor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Parlor")
    }
}

impl Parlor {
    pub const fn new(service: Arc<Service>) -> Self {
        Self { service }
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
                secret: matches!(refusal, Refusal::Move { hidden: true, .. }),
                ..Reply::open(refusals::refused(&refusal))
            },
            Err(Failure::Broken(fault)) => {
                tracing::error!(%fault, who = %request.who, verb = ?request.input.verb(), "chat: command failed");
                Reply::open(Message::text(refusals::BROKEN))
            }
        }
    }

    async fn try_handle(&self, request: &Request) -> Result<Reply, Failure> {
        let input = &request.input;
        if input.error() == Some(&ReadError::TooLong) {
            return Ok(Reply::open(refusals::unread(&ReadError::TooLong)));
        }
        self.service.meet(&request.who, &request.name).await?;
        match &input.read {
            Ok(command) => match self.carry_out(request, command).await {
                // A game's own words may begin like a command, and go on like no code of ours.
                Err(Failure::Refused(Refusal::NoSuchMatch(code))) => match self.meant_as_move(request) {
                    Some(target) => self.play(request, target, input.bare_line()).await,
                    None => Err(Refusal::NoSuchMatch(code).into()),
                },
                answer => answer,
            },
            Err(error @ ReadError::Unknown { .. }) if input.line.is_some() => {
                self.bare_move(request, error).await
            }
            Err(error) => match self.meant_as_move(request) {
                Some(target) => self.play(request, target, input.bare_line()).await,
                None => Ok(Reply::open(refusals::unread(error))),
            },
        }
    }

    /// A line that is no command may be a move.
    async fn bare_move(&self, request: &Request, error: &ReadError) -> Result<Reply, Failure> {
        let unread = || Ok(Reply::open(refusals::unread(error)));
        let near_command = matches!(error, ReadError::Unknown { near: Some(_), .. });
        let line = request.input.bare_line();
        let own_turn = self.target(request, None, Wanted::MyTurn);
        // Out of turn a private wish may still be meant: a pass in advance.
        let target = match own_turn {
            Err(error) => self.aside_target(request, line).ok_or(error),
            target => target,
        };
        let target = match target {
            Ok(target) => target,
            Err(_) if near_command => return unread(),
            Err(which @ Failure::Refused(Refusal::WhichMatch(_))) => return Err(which),
            Err(_) => return Ok(Reply::open(self.out_of_turn(request, error))),
        };
        match self.play(request, target, line).await {
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

    /// The match in which a line is a move, though it begins like a command: some games have words of ours in their
    /// notation, and `draw 3` offers no draw. A command that fits is never taken for a move.
    fn meant_as_move(&self, request: &Request) -> Option<TargetMatch> {
        let input = &request.input;
        let unfit = matches!(input.read, Ok(_) | Err(ReadError::Argument { .. }));
        if input.line.is_none() || !unfit {
            return None;
        }
        let target = self.target(request, None, Wanted::MyTurn).ok()?;
        let reading = moves::reads(&target.found, &request.who, input.bare_line());
        (reading != Reading::Nothing).then_some(target)
    }

    /// The only match of this player for which a line is a private wish.
    fn aside_target(&self, request: &Request, line: &str) -> Option<TargetMatch> {
        let target = self.target(request, None, Wanted::Running).ok()?;
        let reading = moves::reads(&target.found, &request.who, line);
        (reading == Reading::Aside).then_some(target)
    }

    /// What is no command and can't be a move now, with a hint if it may have been meant as one.
    fn out_of_turn(&self, request: &Request, error: &ReadError) -> Message {
        let mut message = refusals::unread(error);
        if let Ok(target) = self.target(request, None, Wanted::Running)
            && let Stage::Running(play) = &target.found.stage
        {
            message.text.line(refusals::not_yet(
                &target.found.code,
                &play.awaited_players(),
                play.paused.is_some(),
            ));
        }
        message
    }

    async fn carry_out(&self, request: &Request, command: &Command) -> Result<Reply, Failure> {
        match command {
            Command::Games => Ok(self.games()),
            Command::Rules { game, section } => self.rules(request, game, section.as_deref()),
            Command::Help { topic } => Ok(self.help(topic.as_deref())),
            Command::Card { words } => self.browse(request, words),
            Command::Deck { deed, words } => self.lists(request, *deed, words).await,
            Command::Matches => self.my_matches(request),
            Command::Settings { setting, value } => self.settings(request, *setting, value).await,
            Command::Challenge(challenge) => self.challenge(request, challenge).await,
            Command::Open(table) => self.open_table(request, table).await,
            Command::Practice(practice) => self.practice(request, practice).await,
            Command::Fill { table, level } => self.fill(request, table.as_ref(), *level).await,
            Command::Join(table) => self.join(request, table.as_ref()).await,
            Command::Accept(about) => self.accept(request, about.as_ref()).await,
            Command::Decline(about) => self.decline(request, about.as_ref()).await,
            Command::Cancel(table) => self.cancel(request, table.as_ref()).await,
            Command::Rematch(about) => self.rematch(request, about.as_ref()).await,
            Command::Move { about, sentence } => self.make_move(request, about.as_ref(), sentence).await,
            Command::Preview { about, sentence } => self.preview(request, about.as_ref(), sentence),
            Command::Moves { about, picked } => self.moves(request, about.as_ref(), picked),
            Command::Hint(about) => self.hint(request, about.as_ref()).await,
            Command::Board(about) => self.board(request, about.as_ref()),
            Command::Hand(about) => self.hand(request, about.as_ref()),
            Command::Text(about) => self.text(request, about.as_ref()),
            Command::Record(about) => self.record(request, about.as_ref()),
            Command::Undo(about) => self.undo(request, about.as_ref()).await,
            Command::Draw(about) => self.offer_draw(request, about.as_ref()).await,
            Command::Resign { about, how } => self.resign(request, about.as_ref(), *how).await,
            Command::Replace { about, level } => self.replace(request, about.as_ref(), *level).await,
            Command::Abort(about) => self.abort(request, about.as_ref()).await,
            Command::Pause(about) => self.pause(request, about.as_ref()).await,
            Command::Resume(about) => self.resume(request, about.as_ref()).await,
            Command::Extend { about, hours } => self.extend(request, about.as_ref(), *hours).await,
            Command::Claim(about) => self.claim(request, about.as_ref()).await,
        }
    }

    /// The answer to something that has changed a match, of which all its rooms are told.
    pub(super) fn confirmed(&self, request: &Request, after: &Match, message: Message) -> Reply {
        let thinks = |play: &Play| !play.awaited_bots().is_empty();
        Reply {
            told: request
                .room
                .as_ref()
                .is_some_and(|room| after.rooms.contains(room)),
            thinking: after.running().is_some_and(thinks).then(|| after.code.clone()),
            waiting_table: matches!(after.stage, Stage::Open(_)).then(|| after.code.clone()),
            ..Reply::open(message)
        }
    }

    /// Whether a bot is to move in a match.
    pub fn is_thinking(&self, code: &Code) -> bool {
        let found = self.service.find(code);
        found.is_ok_and(|found| {
            found
                .running()
                .is_some_and(|play| !play.awaited_bots().is_empty())
        })
    }

    pub(super) fn caller(&self, request: &Request) -> Caller {
        Caller {
            player: request.who.clone(),
            event: request.event.clone(),
        }
    }

    /// The match that a request means: the one that it names, or the one that the platform says it is about, or the only
    /// one that fits. It is read here, once.
    pub(super) fn target(
        &self,
        request: &Request,
        named: Option<&MatchRef>,
        wanted: Wanted,
    ) -> Result<TargetMatch, Failure> {
        match named.or(request.about.as_ref()) {
            Some(reference) => self.service.target(reference),
            None => self.only_match(&request.who, request.room.as_ref(), wanted),
        }
    }

    /// The same; and where nothing fits, one that fits something else.
    pub(super) fn target_or(
        &self,
        request: &Request,
        named: Option<&MatchRef>,
        [wanted, otherwise]: [Wanted; 2],
    ) -> Result<TargetMatch, Failure> {
        match self.target(request, named, wanted) {
            Err(Failure::Refused(Refusal::NoMatchHere)) => self.target(request, named, otherwise),
            target => target,
        }
    }

    /// The only match of somebody that fits.
    pub(super) fn only_match(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        wanted: Wanted,
    ) -> Result<TargetMatch, Failure> {
        let repository = self.service.repository();
        let codes = match wanted {
            Wanted::Finished => repository.finished_of(who, LATEST)?,
            Wanted::Asked
            | Wanted::Own
            | Wanted::Hosted
            | Wanted::Seated
            | Wanted::Running
            | Wanted::ToPlay
            | Wanted::Holding
            | Wanted::MyTurn
            | Wanted::Alive => repository.alive_of(who)?,
        };
        let mut fitting: Vec<Loaded> = Vec::new();
        for code in codes {
            match self.service.find(&code) {
                Ok(found) if wanted.fits(&found, who) => fitting.push(found),
                Ok(_) | Err(Failure::Refused(_)) => {}
                Err(broken @ Failure::Broken(_)) => return Err(broken),
            }
        }
        if let Some(room) = room
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
            && fitting.iter().any(|the_match| awaits(the_match, who))
        {
            fitting.retain(|the_match| awaits(the_match, who));
        }
        match (fitting.pop(), &fitting[..]) {
            (None, _) => Err(Refusal::NoMatchHere.into()),
            (Some(one), []) => Ok(one.into()),
            (Some(last), others) => {
                let several = others.iter().chain([&last]);
                Err(Refusal::WhichMatch(several.map(|the_match| the_match.code.clone()).collect()).into())
            }
        }
    }

    /// A delivery as a message, with its pictures described but not yet drawn.
    pub fn render(&self, delivery: &Delivery) -> Message {
        // What goes to one player is drawn as that player likes it.
        let reader = match &delivery.to {
            To::Player(player) => Some(player),
            To::Room(_) => None,
        };
        let describe = |wish| self.describe(&self.service.find(&delivery.code)?, wish, reader);
        notices::message(delivery, &|wish| match describe(wish) {
            Ok(picture) => Some(picture),
            Err(failure) => {
                tracing::error!(?failure, code = %delivery.code, "chat: could not prepare a picture");
                None
            }
        })
    }

    /// An answer that everybody where it was asked for will read: if it is about a table that waits for players, they
    /// are invited to it.
    pub fn open_answer(&self, reply: Reply) -> Message {
        let code = reply.waiting_table.as_ref();
        let invitation = code.and_then(|code| self.invitation(code).ok().flatten());
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
