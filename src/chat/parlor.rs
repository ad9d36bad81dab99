//! The front of the house: a request comes in, an answer goes out.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::command::{self, Command, FieldValue, People, ReadError, take_reference};
use super::grammar::{self, Verb};
use super::links;
use super::message::Message;
use super::notices;
use super::pictures::Audience;
pub use super::pictures::Drawn;
use super::refusals;
use super::wanted::Wanted;
use crate::catalog::{self, Reading};
use crate::game::sentence::SentenceError;
use crate::game::{Meta, NotationError};
use crate::matches::change::hides;
use crate::matches::code::Code;
use crate::matches::delivery::{Delivery, GatheringNews, Sound, To};
use crate::matches::gather;
use crate::matches::moves;
use crate::matches::observer::{Answered, RequestResult};
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::port::Health;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{Caller, MatchRef, Moment, Service, TargetMatch};
use crate::matches::state::{Match, Play, Stage};
use crate::review::under_way::Reviews;

use tokio::sync::Semaphore;

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
    ///
    /// What is pressed names the version that was seen, so that an old button is refused. Words in a thread or in answer to a
    /// board name none, and mean the match as it is: a turn is written anew on the same message, so whoever answers that
    /// message may have seen any of its writings, and people answer a board further up just to say which match they mean.
    pub about: Option<MatchRef>,
    /// The language in which the asker reads, where the platform tells it: Discord and browsers do, Matrix does not.
    pub locale: Option<String>,
    /// The platform's own name for the event: the same event is carried out once.
    pub event: Option<String>,
    /// Players whom the platform knows to have gone away from where their matches are played.
    pub gone: Vec<PlayerId>,
    pub input: Input,
}

/// What was said, read once.
#[derive(Clone, Debug)]
pub struct Input {
    /// The line as it was typed; a form has none, nor has what was never a text.
    line: Option<String>,
    /// The same without the mark that some platforms want before a command, and without the code of the match that it
    /// names, if it is no command.
    bare: String,
    /// The match that a line names which is no command.
    named: Option<MatchRef>,
    read: Result<Command, ReadError>,
}

impl Input {
    /// Something typed, or pressed: a button stands for a typed command.
    pub fn line(line: &str, people: &dyn People) -> Self {
        let read = command::read(line, people);
        let unmarked = line.trim().trim_start_matches(['/', '!']);
        let (bare, named) = match read {
            Ok(_) => (unmarked.to_owned(), None),
            Err(_) => take_reference(unmarked),
        };
        Self {
            line: Some(line.to_owned()),
            bare,
            named,
            read,
        }
    }

    /// A command that nobody wrote: a page or a program asks for it.
    pub fn of(command: Command) -> Self {
        Self {
            line: None,
            bare: String::new(),
            named: None,
            read: Ok(command),
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
            bare: String::new(),
            named: None,
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

    /// The line without the mark that some platforms want before a command; if it is no command, also without the code
    /// of the match that it names.
    pub fn bare_line(&self) -> &str {
        &self.bare
    }

    /// The match that a line names which is no command.
    pub const fn named(&self) -> Option<&MatchRef> {
        self.named.as_ref()
    }

    /// Whether it came as a line, which others may read where it was said.
    pub const fn is_typed(&self) -> bool {
        self.line.is_some()
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
    /// Whether the asker has done something and is still on turn. Where messages can't be written anew, rooms hear of it
    /// when the turn is over.
    pub goes_on: bool,
    /// Whether it only says why nothing was done, or what could be: it may go as soon as the asker says something else.
    pub passing: bool,
    /// The match that it has changed.
    pub changed: Option<Code>,
    /// The match in which a bot thinks now, and of which the rooms are told when it has moved.
    pub thinking: Option<Code>,
    /// A table that waits for players, if that is what it tells of.
    pub waiting_table: Option<Code>,
    /// Whether it holds a key. It is said at once or not at all: it is kept nowhere.
    pub holds_key: bool,
}

impl Reply {
    pub const fn open(message: Message) -> Self {
        Self {
            message,
            secret: false,
            told: false,
            goes_on: false,
            passing: false,
            changed: None,
            thinking: None,
            waiting_table: None,
            holds_key: false,
        }
    }

    /// The same, as something that may go.
    #[must_use]
    pub(super) fn passing(self) -> Self {
        Self {
            passing: true,
            ..self
        }
    }

    /// How long it is worth showing.
    pub fn lifetime(&self) -> Lifetime {
        match &self.waiting_table {
            _ if self.passing => Lifetime::Passing,
            Some(code) => Lifetime::WhileWaiting(code.clone()),
            None => Lifetime::Lasting,
        }
    }

    pub fn secret(message: Message) -> Self {
        Self {
            secret: true,
            ..Self::open(message)
        }
    }
}

/// How long an answer is worth showing to its asker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lifetime {
    Lasting,
    /// Until something else is said.
    Passing,
    /// As long as a table waits for players.
    WhileWaiting(Code),
}

/// The bot, without any platform.
pub struct Parlor {
    pub service: Arc<Service>,
    /// Where the pages of matches are, if there are any: the beginning of their addresses.
    pub(super) pages: Option<String>,
    pub(super) reviews: Reviews,
    /// One film is drawn at a time: it takes a processor for as long as it lasts.
    pub(super) films: Arc<Semaphore>,
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
            pages: None,
            reviews: Reviews::new(),
            films: Arc::new(Semaphore::new(1)),
        }
    }

    /// With pages for matches, whose addresses begin with this.
    #[must_use]
    pub fn with_pages(mut self, origin: String) -> Self {
        self.pages = Some(origin);
        self
    }

    /// The same, with about so much time for each review.
    #[must_use]
    pub fn with_review_budget(self, budget: Duration) -> Self {
        Self {
            reviews: Reviews::within(budget),
            ..self
        }
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
        let begun = Instant::now();
        let (outcome, reply) = match self.try_handle(request).await {
            Ok(reply) => (RequestResult::Done, reply),
            Err(Failure::Refused(Refusal::WhichMatch(codes))) => (
                RequestResult::Refused,
                Reply::open(self.which_match(request, &codes)).passing(),
            ),
            Err(Failure::Refused(refusal)) => {
                let reply = Reply {
                    secret: matches!(refusal, Refusal::Move { hidden: true, .. }),
                    passing: true,
                    ..Reply::open(refusals::refused(&refusal))
                };
                (RequestResult::Refused, reply)
            }
            Err(Failure::Broken(fault)) => {
                tracing::error!(%fault, who = %request.who, verb = ?request.input.verb(), "chat: command failed");
                (RequestResult::Failed, Reply::open(Message::text(self.apology())))
            }
        };
        self.service.observer().answered(&Answered {
            platform: request.who.parts().0,
            verb: request
                .input
                .verb()
                .map_or("line", |verb| grammar::spec(verb).name),
            outcome,
            took: begun.elapsed(),
        });
        reply
    }

    /// What is said when something broke that is nobody's fault at the table.
    pub fn apology(&self) -> &'static str {
        match self.service.store().health() {
            Health::Good => refusals::BROKEN,
            Health::Failing { .. } => refusals::UNSAVED,
        }
    }

    async fn try_handle(&self, request: &Request) -> Result<Reply, Failure> {
        let input = &request.input;
        if input.error() == Some(&ReadError::TooLong) {
            return Ok(Reply::open(refusals::unread(&ReadError::TooLong, None)));
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
                None => Ok(self.unread(request, error, self.game_here(request))),
            },
        }
    }

    /// The game that somebody plays here, if it is clear which match is meant.
    pub(super) fn game_here(&self, request: &Request) -> Option<&'static Meta> {
        let target = self.target(request, None, Wanted::Running).ok()?;
        let entry = catalog::find(&target.found.game).ok()?;
        Some(entry.meta)
    }

    /// A line that is no command may be a move.
    async fn bare_move(&self, request: &Request, error: &ReadError) -> Result<Reply, Failure> {
        let unread = || Ok(self.unread(request, error, None));
        let near_command = matches!(error, ReadError::Unknown { near: Some(_), .. });
        let line = request.input.bare_line();
        let target = match self.bare_target(request, line) {
            Ok(Some(target)) => target,
            Err(which @ Failure::Refused(Refusal::WhichMatch(_))) => return Err(which),
            Err(broken @ Failure::Broken(_)) => return Err(broken),
            Ok(None) | Err(Failure::Refused(_)) if near_command => return unread(),
            Err(unknown @ Failure::Refused(Refusal::NoSuchMatch(_))) => return Err(unknown),
            Ok(None) | Err(Failure::Refused(_)) => return Ok(self.out_of_turn(request, error)),
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
            // What reads as no move may be the name of something in the game.
            Err(Failure::Refused(
                refusal @ Refusal::Move {
                    error:
                        SentenceError::Action {
                            error: NotationError::Unreadable { .. },
                            ..
                        },
                    ..
                },
            )) => match self.meant(request, error) {
                Some(reply) => Ok(reply),
                None => Err(refusal.into()),
            },
            answer => answer,
        }
    }

    /// The answer to a line that is no command and no move.
    fn unread(&self, request: &Request, error: &ReadError, game: Option<&Meta>) -> Reply {
        self.meant(request, error)
            .unwrap_or_else(|| Reply::open(refusals::unread(error, game)).passing())
    }

    /// The match in which a line is a move, though it begins like a command: some games have words of ours in their
    /// notation, and `draw 3` offers no draw. A command that fits is never taken for a move.
    fn meant_as_move(&self, request: &Request) -> Option<TargetMatch> {
        let input = &request.input;
        let unfit = matches!(input.read, Ok(_) | Err(ReadError::Argument { .. }));
        if input.line.is_none() || !unfit {
            return None;
        }
        let target = self.bare_target(request, input.bare_line()).ok()??;
        let reading = moves::reads(&target.found, &request.who, input.bare_line());
        (reading != Reading::Nothing).then_some(target)
    }

    /// What is no command and can't be a move now, with a hint if it may have been meant as one.
    fn out_of_turn(&self, request: &Request, error: &ReadError) -> Reply {
        if let Some(reply) = self.meant(request, error) {
            return reply;
        }
        let mut message = if request.input.is_marked() {
            refusals::unread(error, None)
        } else {
            refusals::not_caught()
        };
        if let Ok(target) = self.target(request, None, Wanted::Running)
            && let Stage::Running(play) = &target.found.stage
        {
            message.text.line(refusals::not_yet(
                &target.found.code,
                &play.awaited_players(),
                play.paused.is_some(),
            ));
        }
        Reply::open(message).passing()
    }

    async fn carry_out(&self, request: &Request, command: &Command) -> Result<Reply, Failure> {
        match command {
            Command::Games => Ok(self.games()),
            Command::Rules { about, game, words } => self.rules(request, about.as_ref(), *game, words),
            Command::What { words } => {
                let unknown = ReadError::Unknown {
                    word: "what".to_owned(),
                    near: None,
                };
                let answer = self.what(request, words);
                Ok(answer.unwrap_or_else(|| self.out_of_turn(request, &unknown)))
            }
            Command::Help { topic } => Ok(self.help(request, topic.as_deref())),
            Command::Card { game, words } => self.browse(request, *game, words),
            Command::Deck { game, order } => self.lists(request, *game, order).await,
            Command::Matches => self.my_matches(request),
            Command::Settings(wish) => self.settings(request, *wish).await,
            Command::Challenge(challenge) => self.challenge(request, challenge).await,
            Command::Open(table) => self.open_table(request, table).await,
            Command::Practice(practice) => self.practice(request, practice).await,
            Command::PracticeFrom { about, turn, level } => {
                self.practice_from(request, about.as_ref(), *turn, *level).await
            }
            Command::Fill { table, level } => self.fill(request, table.as_ref(), *level).await,
            Command::Join(table) => self.join(request, table.as_ref()).await,
            Command::Accept(about) => self.accept(request, about.as_ref()).await,
            Command::Decline(about) => self.decline(request, about.as_ref()).await,
            Command::Cancel(table) => self.cancel(request, table.as_ref()).await,
            Command::Rematch { about, level } => self.rematch(request, about.as_ref(), *level).await,
            Command::Move { about, sentence } => self.make_move(request, about.as_ref(), sentence).await,
            Command::Preview { about, sentence } => self.preview(request, about.as_ref(), sentence),
            Command::Moves { about, picked } => self.moves(request, about.as_ref(), picked).await,
            Command::Hint(about) => self.hint(request, about.as_ref()).await,
            Command::Board(about) => self.board(request, about.as_ref()),
            Command::Hand(about) => self.hand(request, about.as_ref()),
            Command::Text(about) => self.text(request, about.as_ref()),
            Command::Record { about, form } => self.record(request, about.as_ref(), *form),
            Command::Replay { about, wish } => self.replay(request, about.as_ref(), *wish).await,
            Command::CatchUp(about) => self.catch_up(request, about.as_ref()).await,
            Command::Review { about, part } => self.review(request, about.as_ref(), *part).await,
            Command::Note { about, text } => self.note(request, about.as_ref(), text).await,
            Command::Details(about) => self.details(request, about.as_ref()),
            Command::Link { about, linking } => self.link(request, about.as_ref(), *linking).await,
            Command::Watch { about, linking } => self.watch(request, about.as_ref(), *linking).await,
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
            changed: Some(after.code.clone()),
            thinking: after.running().is_some_and(thinks).then(|| after.code.clone()),
            waiting_table: matches!(after.stage, Stage::Open(_)).then(|| after.code.clone()),
            ..Reply::open(message)
        }
    }

    /// Whether an answer has nothing more to say once its asker says something else: it only told why nothing was done, or
    /// told of a table that waits no longer.
    pub fn is_past(&self, lifetime: &Lifetime) -> bool {
        match lifetime {
            Lifetime::Lasting => false,
            Lifetime::Passing => true,
            Lifetime::WhileWaiting(code) => {
                let found = self.service.find(code);
                found.is_ok_and(|found| !matches!(found.stage, Stage::Open(_)))
            }
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

    /// A delivery as a message, with its pictures described but not yet drawn.
    pub fn render(&self, delivery: &Delivery) -> Message {
        // What goes to one player is drawn as that player likes it.
        let audience = match &delivery.to {
            To::Player(player) => Audience::Player(player),
            To::Room(room) => Audience::Room(room),
        };
        // The match is read once, and only if something of it is shown.
        let read = OnceCell::new();
        let found = || {
            let find = || match self.service.find(&delivery.code) {
                Ok(found) => Some(found),
                Err(failure) => {
                    tracing::error!(?failure, code = %delivery.code, "chat: could not read the match of a delivery");
                    None
                }
            };
            read.get_or_init(find).as_ref()
        };
        let hides = delivery.notice.turn().is_some() && found().is_none_or(|found| is_secret(found));
        let describe = |wish| match self.describe(found()?, wish, audience) {
            Ok(picture) => Some(picture),
            Err(failure) => {
                tracing::error!(?failure, code = %delivery.code, "chat: could not prepare a picture");
                None
            }
        };
        let mut message = notices::message(delivery, hides, &describe);
        if let Some(found) = self.has_missed(delivery).then(found).flatten()
            && let Err(failure) = self.tell_missed(&mut message, delivery, found, audience)
        {
            tracing::error!(?failure, code = %delivery.code, "chat: could not tell what a player has missed");
        }
        if let Some(turn) = delivery.notice.turn() {
            let choices = found().map_or_else(
                || Ok(Vec::new()),
                |found| self.first_choices(delivery, turn, found),
            );
            let mut choices = choices.unwrap_or_else(|failure| {
                tracing::error!(?failure, code = %delivery.code, "chat: could not list the first choices of a turn");
                Vec::new()
            });
            match (&mut choices[..], message.buttons.first_mut()) {
                // The only move there is stands in place of the way to all of them.
                ([only], Some(first)) => *first = only.clone(),
                _ => message.menu = choices,
            }
        }
        if self.pages.is_some() {
            links::offer_page(&mut message, &delivery.code);
        }
        for player in &delivery.ping {
            if !message.ping.contains(player) {
                message.ping.push(player.clone());
            }
        }
        message.ping.retain(|player| self.may_ring(player));
        message.sound = delivery.sound;
        if let To::Player(reader) = &delivery.to
            && !self.may_ring(reader)
        {
            message.sound = Sound::Silent;
        }
        message
    }

    /// Whether somebody wants to be called at all.
    fn may_ring(&self, player: &PlayerId) -> bool {
        match self.service.person(player) {
            Ok(person) => person.settings.ping,
            Err(fault) => {
                tracing::error!(%fault, %player, "chat: could not read a player's settings");
                true
            }
        }
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
        let Moment { now, hours } = self.service.moment();
        let (Some(notice), Some(room)) = (
            gather::notice(&the_match, GatheringNews::Opened, &hours, now)?,
            the_match.rooms.first(),
        ) else {
            return Ok(None);
        };
        Ok(Some(self.render(&Delivery {
            key: String::new(),
            to: To::Room(room.clone()),
            at: now,
            code: the_match.code.clone(),
            version: the_match.version,
            game: the_match.game.clone(),
            notice,
            sheet: None,
            ping: Vec::new(),
            sound: Sound::Usual,
        })))
    }
}

/// Whether what a player is shown of this match may hold secrets.
pub(super) fn is_secret(the_match: &Match) -> bool {
    hides(the_match)
}
