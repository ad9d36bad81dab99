//! A table that waits for players.

use super::super::message::{Button, Message, Text};
use super::super::refusals::people;
use super::Say;
use super::turns::RULES;
use crate::matches::bot::is_bot;
use crate::matches::delivery::GatheringNews;
use crate::matches::people::PlayerId;
use crate::matches::state::{CalledOff, SeatState, free, invited};
use crate::{say, text};

impl Say<'_> {
    pub(super) fn gathering(&self, news: &GatheringNews, host: &PlayerId, places: &[SeatState]) -> Message {
        let title = self.title();
        let (invited, free) = (invited(places), free(places));
        let mut text = match news {
            GatheringNews::Opened if invited.is_empty() => {
                say!("{host} opens {title} for anybody to join.", host, title)
            }
            GatheringNews::Opened => say!(
                "{host} challenges {guests} to {title}.",
                host,
                guests = people(&invited),
                title
            ),
            GatheringNews::Rematch(_) => say!(
                "{host} offers {guests} a rematch with seats swapped: {title}.",
                host,
                guests = people(&invited),
                title
            ),
            GatheringNews::Joined(player) => say!("{player} joins {title}.", player, title),
            GatheringNews::Filled(bots) => match &bots[..] {
                [bot] => say!("{bot} joins {title}.", bot, title),
                bots => say!("{bots} join {title}.", bots = people(bots), title),
            },
            GatheringNews::Declined(player) => say!("{player} leaves {title}.", player, title),
        };
        let bots: Vec<PlayerId> = places
            .iter()
            .filter_map(|place| match place {
                SeatState::Taken(player) if is_bot(player) => Some(player.clone()),
                SeatState::Taken(_) | SeatState::Invited(_) | SeatState::Free => None,
            })
            .collect();
        if !matches!(news, GatheringNews::Filled(_)) {
            match &bots[..] {
                [] => {}
                [bot] => text.line(say!("{bot} plays too.", bot)),
                bots => text.line(say!("{bots} play too.", bots = people(bots))),
            }
        }
        let mut buttons = Vec::new();
        if !invited.is_empty() {
            buttons.push(Button::primary("Accept", self.then("accept")));
            buttons.push(Button::plain("Decline", self.then("decline")));
        }
        if free > 0 {
            let code = self.code().to_string();
            text.line(match free {
                1 => say!("One seat is free. Say `/join #{code}` in any room.", code),
                _ => say!(
                    "{free} seats are free. Say `/join #{code}` in any room.",
                    free = free.to_string(),
                    code
                ),
            });
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
            CalledOff::Declined(player) => say!("{player} declines {title}.", player, title),
            CalledOff::Cancelled(player) => say!("{player} cancels {title}.", player, title),
            CalledOff::Expired => say!("Nobody joined {title} in time, so it's off.", title),
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
        text.line(if options.is_empty() {
            text![clock]
        } else {
            say!("Options: {options}. {clock}", options = options.join(", "), clock)
        });
    }
}
