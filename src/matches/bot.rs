//! The bot as a player.
//!
//! A bot is a player like others: it has a [`PlayerId`], sits in a seat, and its moves come through the service. Its id
//! tells all that is to be known of it, so nothing about it is kept anywhere: how strong it is, and its number at its
//! table. No platform of that name exists, so nobody can be it, mention it by its id, or write to it.

use super::people::{Person, PlayerId, PlayerSettings};
use super::state::Play;
use crate::ai::Level;
use crate::game::{MAX_SEATS, Seat, SeatSet};

/// The platform in the ids of bots.
const PLATFORM: &str = "bot";

/// How strong a bot is if nobody says: a newcomer should have a chance.
pub const USUAL_LEVEL: Level = Level::ALL[1];

/// A bot at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bot {
    pub level: Level,
    /// Which of the bots at its table, from 1.
    number: u8,
}

impl Bot {
    /// The bot that a player is; nobody, if the player is a person.
    pub fn of(player: &PlayerId) -> Option<Self> {
        let (PLATFORM, name) = player.parts() else {
            return None;
        };
        let (level, number) = name.split_once('.')?;
        Some(Self {
            level: Level::new(level.parse().ok()?)?,
            number: number.parse().ok()?,
        })
    }

    /// A bot for a table at which these players sit already.
    pub fn beside<'p>(level: Level, seated: impl IntoIterator<Item = &'p PlayerId>) -> Self {
        let taken: Vec<u8> = seated
            .into_iter()
            .filter_map(Self::of)
            .map(|bot| bot.number)
            .collect();
        // A number that is free is found below the number of seats, since no more than that are taken.
        let number = (1..=MAX_SEATS).find(|number| !taken.contains(number));
        Self {
            level,
            number: number.unwrap_or(MAX_SEATS),
        }
    }

    /// The same bot at another level.
    #[must_use]
    pub const fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }

    pub fn player(self) -> PlayerId {
        PlayerId::new(PLATFORM, &format!("{}.{}", self.level, self.number))
    }

    /// What it is called: "Parlor (level 3)"; at a table with several, "Parlor II (level 3)".
    pub fn name(self) -> String {
        let number = match self.number {
            2 => " II",
            3 => " III",
            4 => " IV",
            5 => " V",
            _ => "",
        };
        format!("Parlor{number} (level {})", self.level)
    }

    /// Nobody to be called or reminded.
    pub fn person(self) -> Person {
        Person {
            name: self.name(),
            settings: PlayerSettings {
                ping: false,
                reminders: false,
                ..PlayerSettings::default()
            },
        }
    }

    /// Every bot that may sit anywhere.
    pub fn all() -> impl Iterator<Item = Self> {
        let numbered = |level| (1..=MAX_SEATS).map(move |number| Self { level, number });
        Level::ALL.into_iter().flat_map(numbered)
    }
}

/// Whom an adapter names when the bot itself is mentioned. How strong it is to be is said elsewhere.
pub fn oneself() -> PlayerId {
    PlayerId::new(PLATFORM, "")
}

/// Whether an adapter meant the bot itself.
pub fn is_oneself(player: &PlayerId) -> bool {
    *player == oneself()
}

pub fn is_bot(player: &PlayerId) -> bool {
    Bot::of(player).is_some()
}

impl Play {
    /// The bot in a seat, if one sits there.
    pub fn bot_in(&self, seat: Seat) -> Option<Bot> {
        self.players.get(seat.index()).and_then(Bot::of)
    }

    /// The seats of bots that still play.
    pub fn bots(&self) -> SeatSet {
        self.staying()
            .iter()
            .filter(|seat| self.bot_in(*seat).is_some())
            .collect()
    }

    /// The seats of people who still play.
    pub fn people(&self) -> SeatSet {
        self.staying()
            .iter()
            .filter(|seat| self.bot_in(*seat).is_none())
            .collect()
    }

    /// Whether more than one person still plays.
    pub fn has_several_people(&self) -> bool {
        let mut people = self.people().iter().map(|seat| &self.players[seat.index()]);
        let first = people.next();
        people.any(|other| Some(other) != first)
    }

    /// Whether nobody ever sat at the table but this player and bots.
    pub fn is_private(&self, player: &PlayerId) -> bool {
        self.players.iter().all(|other| other == player || is_bot(other))
    }

    /// The bots whose move it is. Nobody's, while the match is paused.
    pub fn awaited_bots(&self) -> SeatSet {
        let runs = |seat: &Seat| {
            let clock = self.clocks.get(seat.index());
            clock.is_some_and(|clock| clock.running.is_some())
        };
        self.bots().iter().filter(runs).collect()
    }

    /// The same as players.
    pub fn thinkers(&self) -> impl Iterator<Item = &PlayerId> {
        let awaited = self.awaited_bots();
        let seated = Seat::all(self.players.len() as u8).zip(&self.players);
        seated
            .filter(move |(seat, _)| awaited.contains(*seat))
            .map(|(_, bot)| bot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_told_from_its_id() {
        for bot in Bot::all() {
            assert_eq!(Bot::of(&bot.player()), Some(bot));
        }
        for person in [
            "local:3.1",
            "bot:",
            "bot:3",
            "bot:9.1",
            "bot:x.y",
            "discord:bot:3.1",
        ] {
            let (platform, name) = person.split_once(':').unwrap();
            assert_eq!(Bot::of(&PlayerId::new(platform, name)), None, "{person}");
        }
    }

    #[test]
    fn bots_at_one_table_have_names_of_their_own() {
        let mut seated = vec![PlayerId::new("local", "ann")];
        for name in ["Parlor (level 2)", "Parlor II (level 2)", "Parlor III (level 2)"] {
            let bot = Bot::beside(USUAL_LEVEL, &seated);
            assert_eq!(bot.name(), name);
            seated.push(bot.player());
        }
        // Whoever comes later takes the name that is free.
        seated.remove(1);
        assert_eq!(Bot::beside(Level::ALL[4], &seated).name(), "Parlor (level 5)");
    }
}
