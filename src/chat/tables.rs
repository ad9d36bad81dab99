//! Commands that change something: open, join, move, agree, give up.

use super::command::{Arguments, Command};
use super::grammar::{BOT, Verb};
use super::message::{Button, Inline, Message, PictureKind, Text};
use super::notices::{PictureWish, game_name};
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::refusals::people;
use super::wanted::Wanted;
use crate::game::SeatSet;
use crate::matches::bot::USUAL_LEVEL;
use crate::matches::change::seat_of;
use crate::matches::clock::ClockKind;
use crate::matches::gather::Wishes;
use crate::matches::moves::{self, Trial};
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{MatchRef, Proposed};
use crate::matches::state::{Match, Play, ProposalKind, Seating, Stage};
use crate::matches::time::Span;
use crate::text;

/// The most hours that can be asked for at once.
const MOST_HOURS: u64 = 24 * 30;

impl Parlor {
    /// A challenge, an open table, a game alone.
    pub(super) async fn open(&self, request: &Request, command: &Command) -> Result<Reply, Failure> {
        let arguments = &command.arguments;
        let Some(room) = &request.room else {
            return Ok(Reply::open(Message::text(
                "Matches are opened in a room, where everybody can follow them. Say it there.",
            )));
        };
        let rules = self.service.rules_for_opening(room)?;
        let level = arguments.level.unwrap_or(USUAL_LEVEL);
        let mut challenged = match self.mentioned(request, &arguments.players, level) {
            Ok(players) => players,
            Err(message) => return Ok(Reply::open(message)),
        };
        let game = arguments.game.clone().unwrap_or_default();
        let mut clock = arguments.clock.unwrap_or(ClockKind::DEFAULT);
        if command.verb == Verb::Practice {
            let entry = crate::catalog::find(&game).map_err(Refusal::UnknownGame)?;
            let seats = arguments.seats.unwrap_or(*entry.meta.seats.start());
            entry.check_seats(seats).map_err(Refusal::Seats)?;
            challenged = vec![request.who.clone(); usize::from(seats) - 1];
            clock = ClockKind::None;
        }
        let wishes = Wishes {
            seats: arguments.seats,
            challenged,
            options: rules.options_for(&game, &arguments.options),
            game,
            clock,
            seating: match arguments.seating.as_deref() {
                Some("order") => Seating::AsChallenged,
                _ => Seating::Lot,
            },
            rematch: None,
        };
        let the_match = self.service.open(&self.caller(request), room, &wishes).await?;
        let buttons = match &the_match.stage {
            Stage::Open(_) => vec![Button::plain("Cancel", format!("cancel #{}", the_match.code))],
            Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => Vec::new(),
        };
        let text = match &the_match.stage {
            Stage::Open(_) => text![
                "Table ",
                code(&the_match),
                " is set. The match begins when everybody is there."
            ],
            Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => {
                let mut text = text!["Match ", code(&the_match), " has begun."];
                say_thinking(&mut text, &the_match);
                text
            }
        };
        let message = Message::text(text).with_buttons(buttons);
        Ok(self.confirmed(request, &the_match.code, message))
    }

    /// Answers to a table that waits for players, or to a proposal.
    pub(super) async fn gather(&self, request: &Request, command: &Command) -> Result<Reply, Failure> {
        let caller = self.caller(request);
        let arguments = &command.arguments;
        let (text, code) = match command.verb {
            Verb::Accept => {
                let target = match self.target(request, arguments, Wanted::Asked) {
                    Err(Failure::Refused(Refusal::NoMatchHere)) => {
                        self.target(request, arguments, Wanted::Own)?
                    }
                    target => target?,
                };
                match self.service.find(&target.code)?.stage {
                    Stage::Running(_) => {
                        self.service.agree(&caller, &target).await?;
                        // Nobody is told before all have agreed.
                        return Ok(Reply::open(Message::text("You agree.")));
                    }
                    Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => {
                        let room = self.room_to_join(request, &target)?;
                        let joined = self.service.join(&caller, &target, room).await?;
                        (seated(&joined), target.code)
                    }
                }
            }
            Verb::Decline => {
                let target = match self.target(request, arguments, Wanted::Asked) {
                    // With nothing to answer, one may still get up or take an offer back.
                    Err(Failure::Refused(Refusal::NoMatchHere)) => {
                        self.target(request, arguments, Wanted::Own)?
                    }
                    target => target?,
                };
                self.service.decline(&caller, &target).await?;
                (Text::from("You decline."), target.code)
            }
            Verb::Fill => {
                let target = self.target(request, arguments, Wanted::Seated)?;
                let level = arguments.level.unwrap_or(USUAL_LEVEL);
                let filled = self.service.fill(&caller, &target, level).await?;
                (seated(&filled), target.code)
            }
            Verb::Cancel => {
                let target = self.target(request, arguments, Wanted::Hosted)?;
                self.service.cancel(&caller, &target).await?;
                (Text::from("The table is cancelled."), target.code)
            }
            Verb::Rematch => {
                let target = self.target(request, arguments, Wanted::Finished)?;
                let room = self.room_to_join(request, &target)?;
                let offered = self.service.rematch(&caller, &target.code, room).await?;
                (seated(&offered), offered.code)
            }
            _ => {
                let target = self.target(request, arguments, Wanted::Asked)?;
                let room = self.room_to_join(request, &target)?;
                let was_running = matches!(self.service.find(&target.code)?.stage, Stage::Running(_));
                let joined = self.service.join(&caller, &target, room).await?;
                let text = if was_running {
                    text!["Match ", code(&joined), " is shown in this room too."]
                } else {
                    seated(&joined)
                };
                (text, target.code)
            }
        };
        Ok(self.confirmed(request, &code, Message::text(text)))
    }

    /// The room from which somebody sits down, and in which the match will be shown too: not where matches are
    /// unwelcome.
    fn room_to_join<'r>(
        &self,
        request: &'r Request,
        target: &MatchRef,
    ) -> Result<Option<&'r RoomId>, Failure> {
        let Some(room) = &request.room else {
            return Ok(None);
        };
        if !self.service.find(&target.code)?.rooms.contains(room) {
            self.service.rules_for_opening(room)?;
        }
        Ok(Some(room))
    }

    pub(super) async fn make_move(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let target = self.target(request, arguments, Wanted::ToPlay)?;
        // A private wish is answered in private, and there is nothing to look at before.
        if let Ok(Trial {
            aside: Some(noted), ..
        }) = moves::attempt(&self.service.find(&target.code)?, &request.who, &arguments.words)
        {
            let after = self
                .service
                .play(&self.caller(request), &target, &arguments.words)
                .await?;
            let players = after.play().map(|play| play.players.clone()).unwrap_or_default();
            return Ok(Reply::secret(Message::text(Text::prose(&noted, &players))));
        }
        // A move that names the version it was made for comes from a button and has been looked at.
        if target.version.is_none() && self.service.person(&request.who)?.settings.confirm {
            match self.preview(
                request,
                &Arguments {
                    target: Some((target.code.clone(), None)),
                    ..arguments.clone()
                },
            ) {
                Err(Failure::Refused(Refusal::CantPreview)) => {}
                shown => return shown,
            }
        }
        if let Some(room) = &request.room {
            self.service.settle_in(&target.code, &request.who, room).await?;
        }
        let after = self
            .service
            .play(&self.caller(request), &target, &arguments.words)
            .await?;
        let mut text = text!["Played at ", code(&after), "."];
        if let Stage::Running(play) = &after.stage
            && play
                .seats_of(&request.who)
                .iter()
                .any(|seat| play.clocks[seat.index()].running.is_some())
        {
            text.push(" It is still your turn.");
        }
        say_thinking(&mut text, &after);
        Ok(self.confirmed(request, &after.code, Message::text(text)))
    }

    /// Shows what a move would do, with a button that plays it.
    pub(super) fn preview(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let target = self.target(request, arguments, Wanted::ToPlay)?;
        let the_match = self.service.find(&target.code)?;
        if target.version.is_some_and(|version| version != the_match.version) {
            return Err(Refusal::Stale { code: target.code }.into());
        }
        let trial = moves::preview(&the_match, &request.who, &arguments.words)?;
        let sentence = trial.actions.join("; ");
        let entries = the_match.play().map_or(0, |play| play.entries);
        let wish = PictureWish {
            entries,
            viewer: Some(trial.seat),
            what: PictureKind::Preview(sentence.clone()),
        };
        let picture = self.describe(&target.code, wish, Some(&request.who))?;
        let players = the_match
            .play()
            .map(|play| play.players.clone())
            .unwrap_or_default();
        let mut text = text!["Not played yet: "];
        let narration = trial.table.narration(crate::game::Viewer::Seat(trial.seat));
        text.0.extend(Text::prose(&narration, &players).0);
        let command = format!("move #{}@{} {sentence}", target.code, the_match.version);
        let buttons = if command.len() <= super::message::LONGEST_COMMAND {
            vec![Button::primary("Play it", command)]
        } else {
            // Too long for a button, but not for somebody who types.
            text.line(text!["To play it, say ", Inline::Say(command)]);
            Vec::new()
        };
        let message = Message::text(text)
            .with_picture(Some(picture))
            .with_buttons(buttons);
        Ok(Reply {
            secret: is_secret(&the_match),
            ..Reply::open(message)
        })
    }

    /// Draws, takebacks, pauses, resignations.
    pub(super) async fn settle(&self, request: &Request, command: &Command) -> Result<Reply, Failure> {
        let caller = self.caller(request);
        let arguments = &command.arguments;
        let target = self.target(request, arguments, Wanted::Running)?;
        let asked = |after: &Match, fits: fn(ProposalKind) -> bool, what: &str| {
            let stands = |play: &Play| play.proposals.iter().any(|proposal| fits(proposal.what));
            match &after.stage {
                Stage::Running(play) if stands(play) => {
                    Text::from(format!("You {what}. The others have to agree."))
                }
                Stage::Running(_) | Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => {
                    Text::from("Agreed.")
                }
            }
        };
        let level = arguments.level.unwrap_or(USUAL_LEVEL);
        let text = match command.verb {
            Verb::Undo => asked(
                &self.service.propose(&caller, &target, Proposed::Takeback).await?,
                |wish| matches!(wish, ProposalKind::Takeback { .. }),
                "ask to take your last move back",
            ),
            Verb::Draw => {
                let after = self
                    .service
                    .propose(&caller, &target, Proposed::Other(ProposalKind::Draw))
                    .await?;
                match &after.stage {
                    // A bot answers at once, and may say no.
                    Stage::Running(play) if play.proposals.is_empty() => Text::from(if is_secret(&after) {
                        "You offer a draw. Where hands are hidden the bot plays to the end: a yes or a no would tell \
                             what it holds."
                    } else {
                        "You offer a draw. It is declined; the match goes on."
                    }),
                    _ => asked(&after, |wish| wish == ProposalKind::Draw, "offer a draw"),
                }
            }
            Verb::Replace => asked(
                &self
                    .service
                    .propose(&caller, &target, Proposed::Replacement(level))
                    .await?,
                |wish| matches!(wish, ProposalKind::StandIn { .. }),
                "ask for a stand-in",
            ),
            Verb::Resign if arguments.word.as_deref() == Some(BOT) => asked(
                &self
                    .service
                    .propose(&caller, &target, Proposed::StandIn(level))
                    .await?,
                |wish| matches!(wish, ProposalKind::StandIn { .. }),
                "ask the bot to play on for you",
            ),
            Verb::Pause => asked(
                &self
                    .service
                    .propose(&caller, &target, Proposed::Other(ProposalKind::Pause))
                    .await?,
                |wish| wish == ProposalKind::Pause,
                "ask for a pause",
            ),
            Verb::Extend => {
                let hours = arguments.hours.unwrap_or(24).clamp(1, MOST_HOURS);
                let wish = Proposed::Other(ProposalKind::Extend {
                    by: Span::hours(hours),
                });
                asked(
                    &self.service.propose(&caller, &target, wish).await?,
                    |wish| matches!(wish, ProposalKind::Extend { .. }),
                    "ask for more time",
                )
            }
            Verb::Resign if arguments.word.as_deref() != Some("sure") => {
                return self.ask_resign(request, &target);
            }
            Verb::Resign => {
                self.service.resign(&caller, &target).await?;
                Text::from("You resign.")
            }
            Verb::Abort => {
                self.service.abort(&caller, &target).await?;
                Text::from("The match is broken off.")
            }
            Verb::Claim => {
                self.service.claim(&caller, &target).await?;
                Text::from("You claim the match.")
            }
            _ => {
                self.service.resume(&caller, &target).await?;
                Text::from("The match goes on.")
            }
        };
        Ok(self.confirmed(request, &target.code, Message::text(text)))
    }

    fn ask_resign(&self, request: &Request, target: &MatchRef) -> Result<Reply, Failure> {
        let the_match = self.service.find(&target.code)?;
        let play = crate::matches::change::running(&the_match)?;
        seat_of(&the_match, play, &request.who, SeatSet::EMPTY)?;
        let game = game_name(&the_match.game);
        let mut buttons = vec![Button::danger("Resign", format!("resign #{} sure", target.code))];
        let mut text = text![
            "Do you really want to give up ",
            Inline::Bold(format!("{game} #{}", target.code)),
            "?"
        ];
        // Where others play on, they may prefer the bot to an empty seat.
        let others = play.people();
        if others
            .iter()
            .any(|seat| play.players[seat.index()] != request.who)
        {
            text.push(" If the others agree, I can play on for you.");
            buttons.push(Button::plain(
                "Let the bot play on",
                format!("resign #{} {BOT}", target.code),
            ));
        }
        let message = Message::text(text).with_buttons(buttons);
        Ok(Reply::open(message))
    }
}

/// Says so, if a bot has to reply before anything is shown.
fn say_thinking(text: &mut Text, the_match: &Match) {
    let Stage::Running(play) = &the_match.stage else {
        return;
    };
    let bots: Vec<PlayerId> = play.thinkers().cloned().collect();
    if bots.is_empty() {
        return;
    }
    text.push(" ");
    people(text, &bots, "nobody");
    text.push(if bots.len() > 1 {
        " are thinking …"
    } else {
        " is thinking …"
    });
}

fn code(the_match: &Match) -> Inline {
    Inline::Code(format!("#{}", the_match.code))
}

fn seated(the_match: &Match) -> Text {
    match &the_match.stage {
        Stage::Open(_) => text![
            "You sit at table ",
            code(the_match),
            ". The others are still missing."
        ],
        Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => {
            let mut text = text!["Match ", code(the_match), " begins."];
            say_thinking(&mut text, the_match);
            text
        }
    }
}
