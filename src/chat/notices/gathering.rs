//! A table that waits for players.

use super::super::message::{Button, Inline, Message, Text};
use super::super::refusals::people;
use super::Say;
use crate::matches::bot::is_bot;
use crate::matches::delivery::GatheringNews;
use crate::matches::people::PlayerId;
use crate::matches::state::{CalledOff, SeatState};
use crate::text;

impl Say<'_> {
    pub(super) fn gathering(&self, news: &GatheringNews, host: &PlayerId, places: &[SeatState]) -> Message {
        let title = self.title();
        let invited: Vec<PlayerId> = places
            .iter()
            .filter_map(|place| match place {
                SeatState::Invited(player) => Some(player.clone()),
                SeatState::Taken(_) | SeatState::Free => None,
            })
            .collect();
        let free = places.iter().filter(|place| **place == SeatState::Free).count();
        let mut text = match news {
            GatheringNews::Opened if invited.is_empty() => text![host, " opens a table of ", title, "."],
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
                text.push(" a rematch: ");
                text.push(title);
                text.push(", seats swapped.");
                text
            }
            GatheringNews::Joined(player) => text![player, " sits down at ", title, "."],
            GatheringNews::Filled(bots) => {
                let mut text = Text::new();
                people(&mut text, bots, "nobody");
                text.push(if bots.len() > 1 {
                    " sit down at "
                } else {
                    " sits down at "
                });
                text.push(title);
                text.push(".");
                text
            }
            GatheringNews::Declined(player) => text![player, " gets up from ", title, " again."],
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
                ": ",
                Inline::Say(format!("join {}", self.code())),
                ", from any room."
            ]);
            buttons.push(Button::primary("Join", self.then("join")));
            buttons.push(Button::plain("Fill with bots", self.then("fill")));
        }
        buttons.push(Button::plain(
            "How is it played?",
            format!("rules {}", self.delivery.game),
        ));
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
            CalledOff::Expired => text!["Nobody came in time: ", title, " is off."],
        })
    }

    /// The options and the clock, as a line.
    pub(super) fn terms(&self, text: &mut Text, options: &[(String, String)], clock: &str) {
        let mut terms: Vec<String> = options
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        terms.push(clock.to_owned());
        text.line(Text(vec![Inline::Plain(format!(
            "{}.",
            capital(&terms.join("; "))
        ))]));
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .map(|first| first.to_uppercase().collect())
        .unwrap_or_default();
    first + letters.as_str()
}
