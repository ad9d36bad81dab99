//! Commands that only look at matches: boards, hands, moves, lists, records.

use super::command::Arguments;
use super::message::{Button, File, Inline, LONGEST_COMMAND, Message, PictureKind, Text};
use super::notices::{PictureWish, game_name};
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::refusals::people;
use super::wanted::{Wanted, awaits};
use crate::catalog::Frame;
use crate::game::guide::{Guide, Leads};
use crate::game::notation::excerpt;
use crate::game::{Seat, Viewer};
use crate::matches::change::{begun, seat_of, table_of};
use crate::matches::clock::SeatClock;
use crate::matches::people::PlayerId;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::MatchRef;
use crate::matches::state::{MOST_MATCHES, Match, Play, SeatState, Stage};
use crate::text;

/// Nobody is called so.
pub(super) fn nobody_called(mention: &str) -> Message {
    Message::text(text![
        "I don't know anybody called ",
        Inline::Code(excerpt(mention)),
        ". Mention somebody who is here, like ",
        Inline::Code("@name".into()),
        ", or ",
        Inline::Say("open".into()),
        " a table for whoever comes."
    ])
}

impl Parlor {
    pub(super) fn my_matches(&self, request: &Request) -> Result<Reply, Failure> {
        let mut text = Text::new();
        let mut menu = Vec::new();
        let codes = self.service.repository().alive_of(&request.who)?;
        let more = codes.len().saturating_sub(MOST_MATCHES);
        for code in codes.into_iter().take(MOST_MATCHES) {
            let Some(the_match) = self.service.repository().find(&code)? else {
                continue;
            };
            text.line(summary(&the_match, &request.who));
            menu.push(Button::plain(
                format!("{} #{code}", game_name(&the_match.game)),
                format!("board #{code}"),
            ));
        }
        if more > 0 {
            text.line(format!("And {more} more."));
        }
        if text.is_empty() {
            text = Text::markdown(
                "You have no matches now. `/challenge bot GAME`, `/challenge @friend GAME`, or `/open GAME`.",
            );
            return Ok(Reply::open(
                Message::text(text).with_buttons(vec![Button::primary("The games", "games")]),
            ));
        }
        Ok(Reply::open(Message {
            text,
            menu,
            ..Message::default()
        }))
    }

    /// The board from the asker's side; the table as it waits, if it waits.
    pub(super) fn board(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let the_match = self.any_match(request, arguments)?;
        let Some(play) = the_match.play() else {
            return Ok(Reply::open(Message::text(summary(&the_match, &request.who))));
        };
        let own = play.seats_of(&request.who).iter().next();
        let wish = PictureWish {
            entries: play.entries,
            viewer: own,
            what: PictureKind::Board,
        };
        let picture = self.describe(&the_match.code, wish, Some(&request.who))?;
        let mut buttons = vec![Button::plain("As text", format!("text #{}", the_match.code))];
        if awaits(&the_match, &request.who) {
            buttons.insert(
                0,
                Button::primary("Move", format!("moves #{}@{}", the_match.code, the_match.version)),
            );
        }
        if own.is_some() && is_secret(&the_match) {
            buttons.push(Button::plain("My hand", format!("hand #{}", the_match.code)));
        }
        if own.is_some() && matches!(the_match.stage, Stage::Running(_)) {
            buttons.push(Button::plain("Offer a draw", format!("draw #{}", the_match.code)));
            buttons.push(Button::danger("Resign", format!("resign #{}", the_match.code)));
        }
        let message = Message::text(summary(&the_match, &request.who))
            .with_picture(Some(picture))
            .with_buttons(buttons);
        Ok(Reply {
            secret: own.is_some() && is_secret(&the_match),
            ..Reply::open(message)
        })
    }

    pub(super) fn text(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let the_match = self.any_match(request, arguments)?;
        let play = begun(&the_match)?;
        let own = play.seats_of(&request.who).iter().next();
        let settings = self.service.person(&request.who)?.settings;
        let table = table_of(&the_match, play)?;
        let names = self.names(play)?;
        let frame = Frame {
            viewer: own.map_or(Viewer::Public, Viewer::Seat),
            side: own.filter(|_| settings.own_side).unwrap_or(Seat::new(0)),
            theme: settings.theme.0,
            names: &names,
        };
        let mut text = text![Inline::Bold(format!(
            "{} #{}",
            game_name(&the_match.game),
            the_match.code
        ))];
        text.push(Inline::Block(table.text(&frame).trim_end().to_owned()));
        Ok(Reply {
            secret: own.is_some() && is_secret(&the_match),
            ..Reply::open(Message::text(text))
        })
    }

    pub(super) fn hand(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let target = match self.target(request, arguments, Wanted::Holding) {
            // Whoever holds nothing is told so of the match that they play.
            Err(Failure::Refused(Refusal::NoMatchHere)) => self.target(request, arguments, Wanted::ToPlay)?,
            target => target?,
        };
        let the_match = self.service.find(&target.code)?;
        let play = begun(&the_match)?;
        let awaited = table_of(&the_match, play)?.awaiting().seats();
        let seat = seat_of(&the_match, play, &request.who, awaited)?;
        let table = table_of(&the_match, play)?;
        let names = self.names(play)?;
        let theme = self.service.person(&request.who)?.settings.theme.0;
        let frame = Frame {
            viewer: Viewer::Seat(seat),
            side: seat,
            theme,
            names: &names,
        };
        let Some(hand) = table.hand(&frame) else {
            return Ok(Reply::open(Message::text(
                "In this game nobody has a hidden hand: the board shows everything.",
            )));
        };
        let wish = PictureWish {
            entries: play.entries,
            viewer: Some(seat),
            what: PictureKind::Hand,
        };
        let picture = self.describe(&target.code, wish, Some(&request.who))?;
        let text = text![
            Inline::Bold(format!(
                "{} #{}: your hand",
                game_name(&the_match.game),
                the_match.code
            )),
            Inline::Block(hand.text)
        ];
        Ok(Reply::secret(Message::text(text).with_picture(Some(picture))))
    }

    /// What can be done now, or what can follow what was typed.
    pub(super) fn moves(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let target = self.target(request, arguments, Wanted::ToPlay)?;
        let the_match = self.service.find(&target.code)?;
        let play = crate::matches::change::running(&the_match)?;
        let table = table_of(&the_match, play)?;
        let awaited = table.awaiting().seats();
        let seat = seat_of(&the_match, play, &request.who, awaited)?;
        if !awaited.contains(seat) {
            let awaited = awaited
                .iter()
                .map(|seat| play.players[seat.index()].clone())
                .collect();
            return Err(Refusal::NotYourTurn {
                code: target.code,
                awaited,
            }
            .into());
        }
        let picked: Vec<&str> = arguments.words.split_whitespace().collect();
        let guide = table.guide(seat, &picked);
        let confirm = self.service.person(&request.who)?.settings.confirm;
        let message = if guide.choices.is_empty() {
            let near = table.complete(seat, &arguments.words, 25);
            if near.is_empty() {
                Message::text(text![
                    "Nothing you can do begins with ",
                    Inline::Code(excerpt(&arguments.words)),
                    "."
                ])
                .with_buttons(vec![Button::primary(
                    "What can I do?",
                    format!("moves #{}", the_match.code),
                )])
            } else {
                let menu = near
                    .iter()
                    .filter_map(|action| move_button(&the_match, action, action, confirm))
                    .collect();
                Message {
                    text: Text::from("You can play:"),
                    menu,
                    ..Message::default()
                }
            }
        } else {
            guided(&the_match, &guide, &picked, confirm)
        };
        Ok(Reply {
            secret: is_secret(&the_match),
            ..Reply::open(message)
        })
    }

    pub(super) fn record(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let the_match = match self.target(request, arguments, Wanted::Finished) {
            Err(Failure::Refused(Refusal::NoMatchHere)) => self.any_match(request, arguments)?,
            target => self.service.find(&target?.code)?,
        };
        let export = self.service.export(&the_match, &request.who)?;
        let content = export.json;
        let name = format!("{}-{}.json", the_match.game, the_match.code);
        let text = if export.whole {
            text![
                "The record of ",
                Inline::Code(format!("#{}", the_match.code)),
                ". Check it with ",
                Inline::Code(format!("parlor verify {name}")),
                "."
            ]
        } else {
            text![
                "The match still runs, so this is what you may know of ",
                Inline::Code(format!("#{}", the_match.code)),
                "."
            ]
        };
        let message = Message {
            text,
            file: Some(File { name, content }),
            ..Message::default()
        };
        Ok(Reply {
            secret: !export.whole && is_secret(&the_match),
            ..Reply::open(message)
        })
    }

    /// The match that is named, or a running one, or the one that ended last.
    fn any_match(&self, request: &Request, arguments: &Arguments) -> Result<Match, Failure> {
        let MatchRef { code, .. } = match self.target(request, arguments, Wanted::Alive) {
            Err(Failure::Refused(Refusal::NoMatchHere)) => {
                self.target(request, arguments, Wanted::Finished)?
            }
            target => target?,
        };
        self.service.find(&code)
    }

    fn names(&self, play: &Play) -> Result<Vec<String>, Failure> {
        // Set in a block of fixed width, which a name must not end.
        let name = |player: &PlayerId| Ok(self.service.person(player)?.name.replace('`', "'"));
        play.players.iter().map(name).collect()
    }
}

/// What may be chosen next, as a menu.
fn guided(the_match: &Match, guide: &Guide, picked: &[&str], confirm: bool) -> Message {
    let mut text = Text::new();
    if !picked.is_empty() {
        text.push(Inline::Code(picked.join(" ")));
        text.push(" … ");
    }
    text.0.extend(Text::markdown(&guide.ask).0);
    let button = |choice: &crate::game::guide::Choice| match &choice.leads {
        Leads::To { action } => move_button(the_match, &choice.label, action, confirm),
        Leads::On { .. } => {
            let path: Vec<&str> = picked.iter().copied().chain([choice.text.as_str()]).collect();
            let command = format!(
                "moves #{}@{} {}",
                the_match.code,
                the_match.version,
                path.join(" ")
            );
            fits(&command).then(|| Button::plain(choice.label.clone(), command))
        }
    };
    let menu: Vec<Button> = guide.choices.iter().filter_map(button).collect();
    let mut buttons = Vec::new();
    if !picked.is_empty() {
        buttons.push(Button::plain("Start over", format!("moves #{}", the_match.code)));
    }
    Message {
        text,
        menu,
        buttons,
        ..Message::default()
    }
}

fn move_button(the_match: &Match, label: &str, action: &str, confirm: bool) -> Option<Button> {
    let verb = if confirm { "preview" } else { "move" };
    let command = format!("{verb} #{}@{} {action}", the_match.code, the_match.version);
    fits(&command).then(|| Button::primary(label, command))
}

fn fits(command: &str) -> bool {
    command.len() <= LONGEST_COMMAND
}

/// One line about a match, for one of its players.
fn summary(the_match: &Match, player: &PlayerId) -> Text {
    let mut text = text![
        Inline::Bold(format!("{} #{}", game_name(&the_match.game), the_match.code)),
        ": "
    ];
    match &the_match.stage {
        Stage::Open(gathering) => {
            let there: Vec<PlayerId> = gathering
                .places
                .iter()
                .filter_map(|place| match place {
                    SeatState::Taken(player) => Some(player.clone()),
                    SeatState::Invited(_) | SeatState::Free => None,
                })
                .collect();
            people(&mut text, &there, "nobody");
            text.push(format!(
                " at the table, {} missing",
                gathering.places.len() - there.len()
            ));
        }
        Stage::Running(play) => {
            people(&mut text, &play.players, "nobody");
            if play.paused.is_some() {
                text.push(". Paused");
            } else if awaits(the_match, player) {
                text.push(". Your turn");
            } else {
                let awaited: Vec<PlayerId> = (play.clocks.iter().zip(&play.players))
                    .filter(|(clock, _)| clock.running.is_some())
                    .map(|(_, player)| player.clone())
                    .collect();
                text.push(". Waiting for ");
                people(&mut text, &awaited, "nobody");
            }
            if let Some(deadline) = play.clocks.iter().filter_map(SeatClock::deadline).min() {
                text.push(", until ");
                text.push(deadline);
            }
        }
        Stage::Over(play, ending) => {
            people(&mut text, &play.players, "nobody");
            let reason = ending
                .outcome
                .as_ref()
                .map_or("broken off", |outcome| outcome.reason.as_str());
            text.push(format!(". Over: {reason}"));
        }
        Stage::CalledOff(_) => text.push("called off"),
    }
    text.push(".");
    text
}
