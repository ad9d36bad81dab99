//! A table that waits for players.

use super::super::message::{Button, Inline, Message, Text};
use super::super::refusals::people;
use super::Say;
use super::turns::RULES;
use crate::matches::bot::is_bot;
use crate::matches::delivery::GatheringNews;
use crate::matches::people::PlayerId;
use crate::matches::state::{CalledOff, SeatState, free, invited};
use crate::text;

impl Say<'_> {
    pub(super) fn gathering(&self, news: &GatheringNews, host: &PlayerId, places: &[SeatState]) -> Message {
        let title = self.title();
        let (invited, free) = (invited(places), free(places));
        let mut text = match news {
            GatheringNews::Opened if invited.is_empty() => {
                text![host, " opens ", title, " for anybody to join."]
            }
            GatheringNews::Opened => {
                let mut text = text![host, " challenges "];
                people(&mut text, &invited, "nobody");
                text.push(" to ");
                text.push(title);
                text.push(".");
                text
            }
            GatheringNews::Rematch(_) => {
                let mut text = text![host, " offers "];
                people(&mut text, &invited, "nobody");
                text.push(" a rematch with seats swapped: ");
                text.push(title);
                text.push(".");
                text
            }
            GatheringNews::Joined(player) => text![player, " joins ", title, "."],
            GatheringNews::Filled(bots) => {
                let mut text = Text::new();
                people(&mut text, bots, "nobody");
                text.push(if bots.len() > 1 { " join " } else { " joins " });
                text.push(title);
                text.push(".");
                text
            }
            GatheringNews::Declined(player) => text![player, " leaves ", title, "."],
        };
        let bots: Vec<PlayerId> = places
            .iter()
            .filter_map(|place| match place {
                SeatState::Taken(player) if is_bot(player) => Some(player.clone()),
                SeatState::Taken(_) | SeatState::Invited(_) | SeatState::Free => None,
            })
            .collect();
        if !bots.is_empty() && !matches!(news, GatheringNews::Filled(_)) {
            let mut line = Text::new();
            people(&mut line, &bots, "nobody");
            line.push(if bots.len() > 1 {
                " play too."
            } else {
                " plays too."
            });
            text.line(line);
        }
        let mut buttons = Vec::new();
        if !invited.is_empty() {
            buttons.push(Button::primary("Accept", self.then("accept")));
            buttons.push(Button::plain("Decline", self.then("decline")));
        }
        if free > 0 {
            let seats = if free == 1 {
                "One seat is free".to_owned()
            } else {
                format!("{free} seats are free")
            };
            text.line(text![
                seats,
                ". Say ",
                Inline::Say(format!("join #{}", self.code())),
                " in any room."
            ]);
            buttons.push(Button::primary("Join", self.then("join")));
            buttons.push(Button::plain("Fill with bots", self.then("fill")));
        }
        buttons.push(self.rules_button());
        Message {
            text,
            buttons,
            ping: invited,
            ..Message::default()
        }
    }

    pub(super) fn called_off(&self, why: &CalledOff) -> Message {
        let title = self.title();
        Message::text(match why {
            CalledOff::Declined(player) => text![player, " declines ", title, "."],
            CalledOff::Cancelled(player) => text![player, " cancels ", title, "."],
            CalledOff::Expired => text!["Nobody joined ", title, " in time, so it is off."],
        })
    }

    pub(super) fn rules_button(&self) -> Button {
        Button::plain(RULES, format!("rules {}", self.delivery.game))
    }

    /// The options and the clock, as a line: "Options: centre on. 10 days each, …"
    pub(super) fn terms(&self, text: &mut Text, options: &[(String, String)], clock: &str) {
        let options: Vec<String> = options
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        text.line(Text(vec![Inline::Plain(if options.is_empty() {
            clock.to_owned()
        } else {
            format!("Options: {}. {clock}", options.join(", "))
        })]));
    }
}
