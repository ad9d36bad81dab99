//! Commands that only look at matches: boards, hands, moves, lists, records.

use super::command::{Command, Leave, RecordForm};
use super::message::{Button, File, Inline, Message, PictureKind, Text};
use super::notices::{PictureWish, RULES, absence, ending_in_words, game_name, in_words};
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::pictures::Audience;
use super::play::this_version;
use super::refusals::people;
use super::rules::BUTTON_ROW;
use super::wanted::{Wanted, awaits};
use crate::catalog::Frame;
use crate::game::{Seat, Viewer};
use crate::matches::change::{begun, seat_of};
use crate::matches::loaded::Loaded;
use crate::matches::people::PlayerId;
use crate::matches::refusal::Failure;
use crate::matches::service::{MatchRef, Moment};
use crate::matches::state::{MOST_MATCHES, Play, SeatState, Stage};
use crate::{say, text};

impl Parlor {
    pub(super) fn my_matches(&self, request: &Request) -> Result<Reply, Failure> {
        let mut text = Text::new();
        let mut menu = Vec::new();
        let codes = self.service.repository().alive_of(&request.who)?;
        let moment = self.service.moment();
        let mut away = None;
        let more = codes.len().saturating_sub(MOST_MATCHES);
        for code in codes.into_iter().take(MOST_MATCHES) {
            let the_match = match self.service.find(&code) {
                Ok(found) => found,
                Err(Failure::Refused(_)) => continue,
                Err(broken @ Failure::Broken(_)) => return Err(broken),
            };
            text.line(summary(&the_match, &request.who, &moment)?);
            let waited = the_match
                .running()
                .and_then(|play| play.waited_through(&moment.hours));
            away = [away, waited]
                .into_iter()
                .flatten()
                .max_by_key(|returned| returned.away);
            menu.push(Button::plain(
                format!("{} #{code}", game_name(&the_match.game)),
                Command::Board(Some(code.into())),
            ));
        }
        if more > 0 {
            text.line(format!("And {more} more."));
        }
        if let Some(sentence) = away.and_then(absence) {
            text.line(sentence);
        }
        if text.is_empty() {
            text = Text::markdown(
                "You have no matches. Start one with `/challenge bot GAME`, `/challenge @friend GAME` or `/open GAME`.",
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
    pub(super) fn board(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let the_match = self.any_match(request, about)?;
        let Some(play) = the_match.play() else {
            return Ok(Reply::open(Message::text(
                self.summary(&the_match, &request.who)?,
            )));
        };
        let own = play.seats_of(&request.who).iter().next();
        let wish = PictureWish {
            entries: play.entries,
            viewer: own,
            what: PictureKind::Board,
        };
        let picture = self.describe(&the_match, wish, Audience::Player(&request.who))?;
        let about = || Some(MatchRef::from(the_match.code.clone()));
        let mut buttons = vec![Button::plain("As text", Command::Text(about()))];
        if awaits(&the_match, &request.who) {
            let moves = Command::Moves {
                about: Some(this_version(&the_match)),
                picked: String::new(),
            };
            buttons.insert(0, Button::primary("Move", moves));
        }
        if own.is_some() && is_secret(&the_match) {
            buttons.push(Button::plain("My hand", Command::Hand(about())));
        }
        if own.is_some() && matches!(the_match.stage, Stage::Running(_)) {
            buttons.push(Button::plain("Offer a draw", Command::Draw(about())));
            buttons.push(Button::danger(
                "Resign",
                Command::Resign {
                    about: about(),
                    how: Leave::Ask,
                },
            ));
        }
        // One row has room for so many.
        if buttons.len() < BUTTON_ROW {
            buttons.push(rules_button(&the_match));
        }
        let message = Message::text(self.summary(&the_match, &request.who)?)
            .with_picture(Some(picture))
            .with_buttons(buttons);
        Ok(Reply {
            secret: own.is_some() && is_secret(&the_match),
            ..Reply::open(message)
        })
    }

    pub(super) fn text(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let the_match = self.any_match(request, about)?;
        let play = begun(&the_match)?;
        let own = play.seats_of(&request.who).iter().next();
        let settings = self.service.person(&request.who)?.settings;
        let table = the_match.table()?;
        let names = self.plain_names(play)?;
        let frame = Frame {
            side: own.filter(|_| settings.own_side).unwrap_or(Seat::new(0)),
            theme: settings.theme.0,
            ..Frame::new(own.map_or(Viewer::Public, Viewer::Seat), &names)
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

    pub(super) fn hand(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        // Whoever holds nothing is told so of the match that they play.
        let target = self.target_or(request, about, [Wanted::Holding, Wanted::ToPlay])?;
        let the_match = target.found;
        let play = begun(&the_match)?;
        let table = the_match.table()?;
        let seat = seat_of(&the_match, play, &request.who, table.awaiting().seats())?;
        let names = self.plain_names(play)?;
        let frame = Frame {
            theme: self.service.person(&request.who)?.settings.theme.0,
            ..Frame::new(Viewer::Seat(seat), &names)
        };
        let Some(hand) = table.hand(&frame) else {
            return Ok(Reply::open(Message::text(
                "Nobody has a hand in this game: the board shows everything.",
            )));
        };
        let wish = PictureWish {
            entries: play.entries,
            viewer: Some(seat),
            what: PictureKind::Hand,
        };
        let picture = self.describe(&the_match, wish, Audience::Player(&request.who))?;
        let text = text![
            Inline::Bold(format!(
                "{} #{}: your hand",
                game_name(&the_match.game),
                the_match.code
            )),
            Inline::Block(hand.text)
        ];
        let message = Message::text(text)
            .with_picture(Some(picture))
            .with_buttons(vec![rules_button(&the_match)]);
        Ok(Reply::secret(message))
    }

    pub(super) fn record(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        form: RecordForm,
    ) -> Result<Reply, Failure> {
        let target = self.target_or(request, about, [Wanted::Finished, Wanted::Alive])?;
        let the_match = target.found;
        let export = self.service.export(&the_match, &request.who)?;
        let (content, ending) = match (form, export.notation) {
            (RecordForm::Text, Some(notation)) => (notation, "txt"),
            (RecordForm::Text, None) | (RecordForm::Json, _) => (export.json, "json"),
        };
        let name = format!("{}-{}.{ending}", the_match.game, the_match.code);
        let text = if export.whole {
            say!(
                "The record of `#{code}`. Check it with `parlor verify {name}`.",
                code = the_match.code.to_string(),
                name = name.as_str()
            )
        } else {
            say!(
                "Match `#{code}` is still on, so this is what you may know of it.",
                code = the_match.code.to_string()
            )
        };
        let message = Message {
            text,
            file: Some(File { name, content }),
            ..Message::default()
        };
        Ok(Reply {
            secret: export.noted || (!export.whole && is_secret(&the_match)),
            ..Reply::open(message)
        })
    }

    /// One line about a match, and why its players have more time than they thought.
    fn summary(&self, the_match: &Loaded, player: &PlayerId) -> Result<Text, Failure> {
        let moment = self.service.moment();
        let mut text = summary(the_match, player, &moment)?;
        let waited = the_match
            .running()
            .and_then(|play| play.waited_through(&moment.hours));
        if let Some(sentence) = waited.and_then(absence) {
            text.sentence(sentence);
        }
        Ok(text)
    }

    /// The match that is named, or a running one, or the one that ended last.
    pub(super) fn any_match(&self, request: &Request, about: Option<&MatchRef>) -> Result<Loaded, Failure> {
        let target = self.target_or(request, about, [Wanted::Alive, Wanted::Finished])?;
        Ok(target.found)
    }

    /// The same names for a block of fixed width, which a name must not end.
    fn plain_names(&self, play: &Play) -> Result<Vec<String>, Failure> {
        let names = self.names(play)?;
        Ok(names.into_iter().map(|name| name.replace('`', "'")).collect())
    }
}

/// The way to the rules of a match, where they help now.
fn rules_button(the_match: &Loaded) -> Button {
    let rules = Command::Rules {
        about: Some(the_match.code.clone().into()),
        game: None,
        words: String::new(),
    };
    Button::plain(RULES, rules)
}

/// One line about a match, for one of its players.
fn summary(the_match: &Loaded, player: &PlayerId, moment: &Moment) -> Result<Text, Failure> {
    let title = Inline::Bold(format!("{} #{}", game_name(&the_match.game), the_match.code));
    Ok(match &the_match.stage {
        Stage::Open(gathering) => {
            let there: Vec<PlayerId> = gathering
                .places
                .iter()
                .filter_map(|place| match place {
                    SeatState::Taken(player) => Some(player.clone()),
                    SeatState::Invited(_) | SeatState::Free => None,
                })
                .collect();
            let missing = gathering.places.len() - there.len();
            let there = people(&there);
            match missing {
                1 => say!("{title}: {there}, waiting for one more.", title, there),
                several => say!(
                    "{title}: {there}, waiting for {several} more.",
                    title,
                    there,
                    several = several.to_string()
                ),
            }
        }
        Stage::Running(play) => {
            let mut text = company(title, play, player);
            text.sentence(if play.paused.is_some() {
                say!("Paused.")
            } else {
                let table = the_match.table()?;
                let awaited: Vec<Seat> = table.awaiting().seats().iter().collect();
                let deadline = play.deadline(&moment.hours, moment.now);
                let question = table.ask(Viewer::Public);
                in_words(&question, &awaited, deadline, &play.players)
            });
            text
        }
        Stage::Over(play, ending) => {
            let mut text = company(title, play, player);
            text.sentence(ending_in_words(&play.players, ending));
            text
        }
        Stage::CalledOff(_) => say!("{title} was called off.", title),
    })
}

/// "Phwar #K7QF with Bea and Cy."; for somebody who plays alone just the title.
fn company(title: Inline, play: &Play, player: &PlayerId) -> Text {
    let mut others: Vec<PlayerId> = play.players.clone();
    others.retain(|other| other != player);
    if others.is_empty() {
        return text![title];
    }
    say!("{title} with {others}.", title, others = people(&others))
}
