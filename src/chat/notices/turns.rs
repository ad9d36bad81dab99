//! A match under way: its start, every turn, and what else its players are told.

use super::super::message::{Button, Inline, Message, Picture, PictureKind, Text};
use super::super::refusals::people;
use super::call::{call, called, in_words, thinking};
use super::{PictureWish, Say, absence, person};
use crate::catalog;
use crate::draw::Prose;
use crate::game::notation::excerpt;
use crate::game::{OptionValues, Seat};
use crate::matches::bot::is_bot;
use crate::matches::delivery::{HomeNews, To, Turn};
use crate::matches::people::PlayerId;
use crate::matches::time::{Span, Time};
use crate::say;

/// So many digits of a seed's hash are shown in the footer; `details` has them all.
const SEAL: usize = 8;

/// The button that leads to the rules.
pub(in crate::chat) const RULES: &str = "Rules";

/// How a match begins.
pub(super) struct Start<'a> {
    pub(super) players: &'a [PlayerId],
    pub(super) options: &'a [(String, String)],
    pub(super) clock: &'a str,
    /// The hash of the seed.
    pub(super) commitment: &'a str,
    pub(super) narration: &'a Prose,
}

impl Say<'_> {
    pub(super) fn started(&self, start: &Start<'_>, turn: &Turn) -> Message {
        let players = start.players;
        let title = self.title();
        let mut text = match players {
            [only, others @ ..] if others.iter().all(|other| other == only) => {
                say!("{title} begins: {only} plays every side.", title, only)
            }
            [one, other] => say!("{title} begins: {one} against {other}.", title, one, other),
            _ => say!(
                "{title} begins: {players}, playing in this order.",
                title,
                players = people(players)
            ),
        };
        self.terms(&mut text, start.options, start.clock);
        if self.hides
            && let Ok(entry) = catalog::find(&self.delivery.game)
            && !entry.welcome.is_empty()
        {
            text.line(entry.welcome);
        }
        if !start.narration.is_empty() {
            text.line(Text::prose(start.narration, players));
        }
        let mut message = self.turn(text, players, turn);
        if self.has_chance(start.options) {
            message.text.line(self.seal(start.commitment));
        }
        // Before the first move the rules are read from their beginning.
        message.buttons.retain(|button| button.label != RULES);
        message.buttons.push(self.rules_button());
        message
    }

    /// The footer of a game with chance: enough of the seed's hash to know it again.
    fn seal(&self, commitment: &str) -> Text {
        let shown: String = commitment.chars().take(SEAL).collect();
        say!(
            "Sealed shuffle: `{shown}…` `/details #{code}`",
            shown,
            code = self.code().to_string()
        )
    }

    fn has_chance(&self, options: &[(String, String)]) -> bool {
        let Ok(entry) = catalog::find(&self.delivery.game) else {
            return false;
        };
        let chosen = options
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        OptionValues::choose(entry.meta.options, chosen).is_ok_and(|options| entry.has_chance(&options))
    }

    /// Whose turn it is, with board and buttons.
    pub(super) fn turn(&self, mut text: Text, players: &[PlayerId], turn: &Turn) -> Message {
        let called = called(&turn.awaited, players);
        if called.iter().all(is_bot) {
            return self.between(text, &called, turn);
        }
        text.line(call(turn, players));
        if let Some(sentence) = turn.away.as_ref().and_then(absence) {
            text.line(sentence);
        }
        Message {
            text,
            picture: self.board(turn),
            buttons: self.turn_buttons(players, turn),
            ping: turn.ping.clone(),
            ..Message::default()
        }
    }

    /// A board on which nobody has to move: the bot thinks, or the match has gone on.
    fn between(&self, mut text: Text, thinkers: &[PlayerId], turn: &Turn) -> Message {
        let mut buttons = Vec::new();
        if !thinkers.is_empty() {
            text.line(thinking(thinkers));
            buttons.push(Button::plain("As text", self.then("text")));
            buttons.push(self.rules_at_hand());
        }
        Message {
            text,
            picture: self.board(turn),
            buttons,
            ..Message::default()
        }
    }

    /// The board of a turn, as everybody may see it.
    fn board(&self, turn: &Turn) -> Option<Picture> {
        (self.picture)(PictureWish {
            entries: turn.entries,
            viewer: None,
            what: PictureKind::Board,
        })
    }

    /// What can be done about a turn: never more than fit into one row. Where one person plays, every board is drawn from
    /// their side, and the bot may be asked.
    fn turn_buttons(&self, players: &[PlayerId], turn: &Turn) -> Vec<Button> {
        let alone = people_among(players) == 1;
        let mut buttons = vec![Button::primary("Move", self.now("moves"))];
        if !alone {
            buttons.push(Button::plain("My side", self.then("board")));
        }
        buttons.push(Button::plain("As text", self.then("text")));
        if self.hides {
            buttons.push(Button::plain("My hand", self.then("hand")));
        }
        if alone {
            buttons.push(Button::plain("Hint", self.then("hint")));
        }
        // Where hands are hidden, each is told in private.
        if !turn.out_of_touch.is_empty() {
            buttons.push(Button::plain("Since my move", self.then("catchup")));
        }
        buttons.push(self.rules_at_hand());
        buttons
    }

    /// The way to the rules, where they help now.
    pub(super) fn rules_at_hand(&self) -> Button {
        Button::plain(RULES, self.then("rules"))
    }

    /// What a player has missed; story and film are added by whoever has read the match.
    pub(super) fn missed(&self) -> Message {
        Message::text(say!("{title}, since your last move:", title = self.title()))
    }

    pub(super) fn hand(&self, seat: Seat, players: &[PlayerId], entries: u32) -> Message {
        let title = self.title();
        let text = if seats_apart(players) {
            let others: Vec<PlayerId> = players
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != seat.index())
                .map(|(_, player)| player.clone())
                .collect();
            say!(
                "{title}: your hand against {others}.",
                title,
                others = people(&others)
            )
        } else {
            say!("{title}: side {seat}'s hand.", title, seat = seat.to_string())
        };
        let picture = (self.picture)(PictureWish {
            entries,
            viewer: Some(seat),
            what: PictureKind::Hand,
        });
        Message::text(text)
            .with_picture(picture)
            .with_buttons(vec![self.rules_at_hand()])
    }

    pub(super) fn stood_in(
        &self,
        players: &[PlayerId],
        seat: Seat,
        was: &PlayerId,
        turn: Option<&Turn>,
    ) -> Message {
        let text = say!(
            "{player} plays on for {was} in {title}.",
            player = person(players, seat),
            was,
            title = self.title()
        );
        match turn {
            Some(turn) => self.turn(text, players, turn),
            None => Message::text(text).with_buttons(vec![self.rules_at_hand()]),
        }
    }

    pub(super) fn resumed(&self, players: &[PlayerId], by: Seat, turn: &Turn) -> Message {
        let text = say!(
            "{player} resumes the match. The clocks are running again.",
            player = person(players, by)
        );
        self.turn(text, players, turn)
    }

    pub(super) fn brought(&self, players: &[PlayerId], by: Seat, turn: &Turn) -> Message {
        let text = say!(
            "{player} brings {title} to this room. I'll show every turn here too.",
            player = person(players, by),
            title = self.title()
        );
        self.turn(text, players, turn)
    }

    pub(super) fn plan_dropped(&self, plan: &str, why: Option<&str>) -> Message {
        let (title, plan) = (self.title(), excerpt(plan));
        let text = match why {
            Some(why) => say!(
                "{title}: I dropped your plan `{plan}`. {why}",
                title,
                plan,
                why = Text::markdown(why)
            ),
            None => say!(
                "{title}: I dropped your plan `{plan}`, because another player acted first.",
                title,
                plan
            ),
        };
        Message::text(text).with_buttons(vec![
            Button::primary("What can I do?", self.then("moves")),
            self.rules_at_hand(),
        ])
    }

    /// A room of a table that waits for players is lost.
    pub(super) fn room_lost(&self) -> Message {
        Message::text(say!(
            "I can no longer post in one of the rooms where {title} waits for players. The table still stands: say {join} in \
             another room to move it there.",
            title = self.title(),
            join = self.join_elsewhere()
        ))
    }

    /// A match is shown elsewhere: why, and whose turn it is.
    pub(super) fn home_changed(&self, players: &[PlayerId], news: &HomeNews, turn: &Turn) -> Message {
        let text = match (news, &self.delivery.to) {
            (HomeNews::Lost, _) => say!(
                "I can no longer post in one of the rooms where you play {title}, so I'll show you every turn here. If they \
                 let me in again, I'll go on there. Or say {join} in another room to move the match there.",
                title = self.title(),
                join = self.join_elsewhere()
            ),
            (HomeNews::Back, _) => say!("I'm back: {title} goes on here.", title = self.title()),
            (HomeNews::Moved, _) => say!("{title} has moved here with you.", title = self.title()),
            (HomeNews::Left(_), To::Player(_)) => say!(
                "You left the room where you play {title}, so I'll show you every turn here. To leave the match too, say \
                 `/resign #{code}`.",
                title = self.title(),
                code = self.code().to_string()
            ),
            (HomeNews::Left(player), To::Room(_)) => {
                let mut text = say!(
                    "{player} has left this room. {title} goes on: I'll show them every turn in private.",
                    player,
                    title = self.title()
                );
                text.line(call(turn, players));
                return Message {
                    ping: turn.ping.clone(),
                    buttons: vec![self.rules_at_hand()],
                    ..Message::text(text)
                };
            }
        };
        self.turn(text, players, turn)
    }

    fn join_elsewhere(&self) -> Inline {
        Inline::Say(format!("join #{}", self.code()))
    }

    /// What is asked, as in the call, and how much time is left for it.
    pub(super) fn reminder(
        &self,
        players: &[PlayerId],
        seat: Seat,
        question: &Prose,
        left: Span,
        deadline: Time,
    ) -> Message {
        let mut text = in_words(question, &[seat], None, players);
        text.sentence(say!(
            "You have {left} left for your move in {title}, until {deadline}.",
            left = left.to_string(),
            title = self.title(),
            deadline
        ));
        let mut message = Message::text(text);
        message.buttons = vec![
            Button::primary("The board", self.then("board")),
            Button::plain("Ask for more time", format!("{} 24", self.then("extend"))),
            self.rules_at_hand(),
        ];
        message.ping = players.get(seat.index()).cloned().into_iter().collect();
        message
    }
}

/// How many people play, bots left aside.
fn people_among(players: &[PlayerId]) -> usize {
    let mut people: Vec<&PlayerId> = players.iter().filter(|player| !is_bot(player)).collect();
    people.sort_unstable();
    people.dedup();
    people.len()
}

/// Whether more than one person plays.
fn seats_apart(players: &[PlayerId]) -> bool {
    players.iter().any(|player| Some(player) != players.first())
}
