//! Commands that begin a match: challenge, open, practice, fill, join, cancel, rematch.

use super::command::{Challenge, Command, OpenTable, Opponent, Practice, ReadError, Terms};
use super::grammar::{self, Verb};
use super::message::{Button, Inline, Message, Text};
use super::parlor::{Parlor, Reply, Request};
use super::play::say_thinking;
use super::refusals;
use super::suggest::rulebook_clock;
use super::wanted::Wanted;
use crate::ai::Level;
use crate::catalog::Entry;
use crate::game::notation::excerpt;
use crate::matches::bot::{Bot, USUAL_LEVEL};
use crate::matches::clock::ClockKind;
use crate::matches::gather::Wishes;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::practice::Copying;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::MatchRef;
use crate::matches::state::{Match, SeatState, Seating, Stage, free, invited};
use crate::say;

impl Parlor {
    pub(super) async fn challenge(&self, request: &Request, challenge: &Challenge) -> Result<Reply, Failure> {
        let Challenge {
            opponents,
            level,
            terms,
        } = challenge;
        let challenged = match players(&request.who, opponents, level.unwrap_or(USUAL_LEVEL)) {
            Ok(players) => players,
            Err(unknown) => return Ok(Reply::open(nobody_called(unknown)).passing()),
        };
        let wishes = Wishes {
            challenged,
            options: terms.options.clone(),
            clock: terms.clock.unwrap_or(ClockKind::DEFAULT),
            seating: terms.seating,
            ..Wishes::of(terms.game)
        };
        self.set_table(request, terms, wishes).await
    }

    pub(super) async fn open_table(&self, request: &Request, table: &OpenTable) -> Result<Reply, Failure> {
        let OpenTable { seats, terms } = table;
        let wishes = Wishes {
            seats: *seats,
            options: terms.options.clone(),
            clock: terms.clock.unwrap_or(ClockKind::DEFAULT),
            seating: terms.seating,
            ..Wishes::of(terms.game)
        };
        self.set_table(request, terms, wishes).await
    }

    pub(super) async fn practice(&self, request: &Request, practice: &Practice) -> Result<Reply, Failure> {
        let Practice {
            game,
            seats,
            level,
            options,
        } = practice;
        let sides = seats.unwrap_or(*game.meta.seats.start());
        game.check_seats(sides).map_err(Refusal::Seats)?;
        let mut challenged = Vec::new();
        for _ in 1..sides {
            challenged.push(match level {
                Some(level) => Bot::beside(*level, &challenged).player(),
                None => request.who.clone(),
            });
        }
        let wishes = Wishes {
            seats: *seats,
            challenged,
            options: options.clone(),
            clock: ClockKind::None,
            ..Wishes::of(game)
        };
        let terms = Terms {
            game,
            options: options.clone(),
            clock: Some(ClockKind::None),
            seating: Seating::Lot,
        };
        self.set_table(request, &terms, wishes).await
    }

    /// A practice match from a position of another match.
    pub(super) async fn practice_from(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        turn: Option<u32>,
        level: Option<Level>,
    ) -> Result<Reply, Failure> {
        let source = self.any_match(request, about)?;
        let Some(room) = &request.room else {
            return Ok(Reply::open(Message::text(
                "Open matches in a room, where everybody can follow them. Say it there.",
            )));
        };
        self.service.rules_for_opening(room)?;
        let wish = Copying { turn, level };
        let opened = self
            .service
            .practice_from(&self.caller(request), room, &source, wish)
            .await?;
        let mut text = match &opened.practice_of {
            Some(origin) => say!(
                "Match {code} goes on from turn {turn} of {source}. What you do there changes nothing in {source}.",
                code = code(&opened),
                turn = origin.turn.to_string(),
                source = code(&source)
            ),
            None => say!("Match {code} has begun.", code = code(&opened)),
        };
        say_thinking(&mut text, &opened);
        Ok(self.confirmed(request, &opened, Message::text(text)))
    }

    async fn set_table(
        &self,
        request: &Request,
        terms: &Terms,
        mut wishes: Wishes,
    ) -> Result<Reply, Failure> {
        let Some(room) = &request.room else {
            return Ok(Reply::open(Message::text(
                "Open matches in a room, where everybody can follow them. Say it there.",
            )));
        };
        let rules = self.service.rules_for_opening(room)?;
        wishes.options = rules.options_for(terms.game.meta.id, &wishes.options);
        let opened = self.service.open(&self.caller(request), room, &wishes).await?;
        let message = if matches!(opened.stage, Stage::Open(_)) {
            let cancel = Command::Cancel(Some(opened.code.clone().into()));
            let mut text = seated(&opened);
            offer_rulebook_clock(&mut text, terms);
            Message::text(text).with_buttons(vec![Button::plain("Cancel", cancel)])
        } else {
            let mut text = say!("Match {code} has begun.", code = code(&opened));
            say_thinking(&mut text, &opened);
            Message::text(text)
        };
        Ok(self.confirmed(request, &opened, message))
    }

    pub(super) async fn fill(
        &self,
        request: &Request,
        table: Option<&MatchRef>,
        level: Option<Level>,
    ) -> Result<Reply, Failure> {
        let target = self.target(request, table, Wanted::Seated)?;
        let level = level.unwrap_or(USUAL_LEVEL);
        let filled = self.service.fill(&self.caller(request), target, level).await?;
        Ok(self.confirmed(request, &filled, Message::text(seated(&filled))))
    }

    pub(super) async fn join(&self, request: &Request, table: Option<&MatchRef>) -> Result<Reply, Failure> {
        if table.is_none() && request.about.is_none() {
            let missing = ReadError::missing_code(grammar::spec(Verb::Join));
            return Ok(Reply::open(refusals::unread(&missing, None)));
        }
        let target = self.target(request, table, Wanted::Asked)?;
        let room = self.room_to_join(request, &target.found)?;
        let was_running = target.found.running().is_some();
        let joined = self.service.join(&self.caller(request), target, room).await?;
        let text = if was_running {
            say!("I'll show match {code} in this room too.", code = code(&joined))
        } else {
            seated(&joined)
        };
        Ok(self.confirmed(request, &joined, Message::text(text)))
    }

    pub(super) async fn cancel(&self, request: &Request, table: Option<&MatchRef>) -> Result<Reply, Failure> {
        let target = self.target(request, table, Wanted::Hosted)?;
        let cancelled = self.service.cancel(&self.caller(request), target).await?;
        Ok(self.confirmed(request, &cancelled, Message::text("You cancelled the table.")))
    }

    pub(super) async fn rematch(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        level: Option<Level>,
    ) -> Result<Reply, Failure> {
        let old = self.target(request, about, Wanted::Finished)?.found;
        let room = self.room_to_join(request, &old)?;
        let offered = self
            .service
            .rematch(&self.caller(request), old, room, level)
            .await?;
        Ok(self.confirmed(request, &offered, Message::text(seated(&offered))))
    }

    /// The room from which somebody sits down, and in which the match will be shown too: not where matches are
    /// unwelcome.
    pub(super) fn room_to_join<'r>(
        &self,
        request: &'r Request,
        the_match: &Match,
    ) -> Result<Option<&'r RoomId>, Failure> {
        let Some(room) = &request.room else {
            return Ok(None);
        };
        if !the_match.rooms.contains(room) {
            self.service.rules_for_opening(room)?;
        }
        Ok(Some(room))
    }
}

impl Wishes {
    /// A table of a game as it is opened where nothing else is said.
    fn of(game: &Entry) -> Self {
        Self {
            game: game.meta.id.to_owned(),
            seats: None,
            challenged: Vec::new(),
            options: Vec::new(),
            clock: ClockKind::DEFAULT,
            seating: Seating::Lot,
            rematch: None,
        }
    }
}

/// Names the clock that the game is made for, where nobody has chosen one.
fn offer_rulebook_clock(text: &mut Text, terms: &Terms) {
    let Some(clock) = rulebook_clock(terms.game).filter(|_| terms.clock.is_none()) else {
        return;
    };
    text.line(say!(
        "{game}'s rulebook plays with `{clock}`: {help} To play so, cancel and add it to your challenge.",
        game = terms.game.meta.name,
        clock = clock.to_string(),
        help = clock.help()
    ));
}

/// The players who are challenged; or the name that nobody here has.
fn players<'o>(who: &PlayerId, opponents: &'o [Opponent], level: Level) -> Result<Vec<PlayerId>, &'o str> {
    let mut players = Vec::new();
    for opponent in opponents {
        players.push(match opponent {
            Opponent::Oneself => who.clone(),
            Opponent::Bot(own) => Bot::beside(own.unwrap_or(level), &players).player(),
            Opponent::Player(player) => player.clone(),
            Opponent::Unknown(name) => return Err(name),
        });
    }
    Ok(players)
}

fn nobody_called(mention: &str) -> Message {
    Message::text(say!(
        "I don't know anybody called `{mention}`. Mention somebody who is here, like `@name`, or `/open` a table for \
         whoever comes.",
        mention = excerpt(mention)
    ))
}

pub(super) fn code(the_match: &Match) -> Inline {
    Inline::Code(format!("#{}", the_match.code))
}

/// What somebody is told who has sat down.
pub(super) fn seated(the_match: &Match) -> Text {
    if let Stage::Open(gathering) = &the_match.stage {
        return waiting(the_match, &gathering.places);
    }
    let mut text = say!("Match {code} begins.", code = code(the_match));
    say_thinking(&mut text, the_match);
    text
}

/// "You're in #K7QF. Waiting for Sam."
fn waiting(the_match: &Match, places: &[SeatState]) -> Text {
    let code = code(the_match);
    let (invited, free) = (invited(places), free(places));
    let guests = refusals::people(&invited);
    match (invited.is_empty(), free) {
        (_, 0) => say!("You're in {code}. Waiting for {guests}.", code, guests),
        (true, 1) => say!("You're in {code}. Waiting for one more player.", code),
        (true, _) => say!(
            "You're in {code}. Waiting for {free} more players.",
            code,
            free = free.to_string()
        ),
        (false, _) => say!(
            "You're in {code}. Waiting for {guests} and {free} more.",
            code,
            guests,
            free = free.to_string()
        ),
    }
}
