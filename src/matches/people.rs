//! Players and rooms, whichever platform they are on.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::time::{Span, Time};
use crate::draw::Theme;
use crate::text::visible;

/// A player: the platform's name, a colon, and what the platform calls them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayerId(String);

/// A room in which matches are played, named like a player.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoomId(String);

/// Rooms that the same people run, such as a Discord server; named like a player.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommunityId(String);

macro_rules! platform_id {
    ($name:ident) => {
        impl $name {
            pub fn new(platform: &str, id: &str) -> Self {
                // The store separates keys with a zero byte.
                Self(format!("{platform}:{}", id.replace('\0', "")))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The platform and what it calls this.
            pub fn parts(&self) -> (&str, &str) {
                self.0.split_once(':').unwrap_or(("", &self.0))
            }

            pub fn platform(&self) -> &str {
                self.parts().0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

platform_id!(PlayerId);
platform_id!(RoomId);
platform_id!(CommunityId);

/// What is kept of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The name as the platform last told it. Anybody's text: escape it.
    pub name: String,
    #[serde(default)]
    pub settings: PlayerSettings,
}

impl Person {
    pub fn called(name: &str) -> Self {
        let seen: String = visible(name).take(80).collect();
        Self {
            name: seen.trim().to_owned(),
            settings: PlayerSettings::default(),
        }
    }
}

/// The names of those at one table, so that no two people share one: whoever comes later to a name has a number behind
/// it. Somebody who plays several sides is called the same on all of them.
pub fn told_apart(named: &[(&PlayerId, String)]) -> Vec<String> {
    let called = |(player, name): &(&PlayerId, String)| {
        let earlier = named.iter().take_while(|(other, _)| other != player);
        let namesakes = earlier.filter(|(_, other)| other.to_lowercase() == name.to_lowercase());
        let namesakes: BTreeSet<&PlayerId> = namesakes.map(|(other, _)| *other).collect();
        match namesakes.len() {
            0 => name.clone(),
            before => format!("{name} ({})", before + 1),
        }
    };
    named.iter().map(called).collect()
}

/// What a player has chosen for themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerSettings {
    pub theme: ThemeName,
    /// Whether light was chosen. It is what nobody has to choose, so settings from before this was kept don't tell.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub light: bool,
    /// Whether boards that only this player sees are drawn from their own side.
    pub own_side: bool,
    /// Whether anything may ring.
    pub ping: bool,
    /// When to be sent one's hand.
    pub hands: HandMessages,
    pub reminders: bool,
    pub quiet: Option<QuietHours>,
    /// Whether a move is shown first and played when confirmed.
    pub confirm: bool,
}

impl Default for PlayerSettings {
    fn default() -> Self {
        Self {
            theme: ThemeName::default(),
            light: false,
            own_side: true,
            ping: true,
            hands: HandMessages::Quiet,
            reminders: true,
            quiet: None,
            confirm: false,
        }
    }
}

impl PlayerSettings {
    /// The theme that the player has chosen; none, if they have left it to others.
    pub fn chosen_theme(&self) -> Option<ThemeName> {
        (self.light || self.theme != ThemeName::default()).then_some(self.theme)
    }

    pub fn choose_theme(&mut self, theme: ThemeName) {
        self.theme = theme;
        self.light = theme == ThemeName::default();
    }
}

/// When a player is sent their hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandMessages {
    /// Only when they ask.
    Asked,
    /// In one message a match, which makes a sound only where it matters.
    #[default]
    Quiet,
    /// At every change, with a sound.
    Always,
}

/// A theme, kept by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThemeName(pub Theme);

impl Default for ThemeName {
    fn default() -> Self {
        Self(Theme::Light)
    }
}

impl Serialize for ThemeName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for ThemeName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        // A theme that no longer exists is no reason to lose a player's other settings.
        Ok(Self(name.parse().unwrap_or(Theme::Light)))
    }
}

/// Hours of the day in which no reminder is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// The hour at which they begin, 0 to 23.
    pub from: u8,
    /// The hour at which they end, 0 to 23.
    pub to: u8,
    /// How far the player's clock is ahead of UTC, in minutes.
    pub utc_offset: i16,
}

impl QuietHours {
    /// When a reminder that is due now may be sent: now, or when the quiet hours end.
    pub fn after(self, now: Time) -> Time {
        const DAY: i64 = 24 * 60;
        let local = (now.0 / 60_000) as i64 + i64::from(self.utc_offset);
        let minute = local.rem_euclid(DAY);
        let (from, to) = (i64::from(self.from) * 60, i64::from(self.to) * 60);
        let quiet = if from <= to {
            (from..to).contains(&minute)
        } else {
            minute >= from || minute < to
        };
        if !quiet {
            return now;
        }
        let wait = (to - minute).rem_euclid(DAY);
        // To the start of that minute.
        Time(now.0 - now.0 % 60_000) + Span::minutes(wait.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NIGHT: QuietHours = QuietHours {
        from: 22,
        to: 7,
        utc_offset: 120,
    };

    fn at(hours: u64, minutes: u64) -> Time {
        Time::default() + Span::days(20_000) + Span::hours(hours) + Span::minutes(minutes)
    }

    #[test]
    fn a_reminder_waits_for_the_morning() {
        // 21:30 UTC is 23:30 for this player; 7:00 for them is 5:00 UTC.
        assert_eq!(NIGHT.after(at(21, 30)), at(29, 0));
        assert_eq!(NIGHT.after(at(2, 15)), at(5, 0));
        assert_eq!(NIGHT.after(at(5, 0)), at(5, 0));
        assert_eq!(NIGHT.after(at(19, 59)), at(19, 59));
        assert_eq!(NIGHT.after(at(20, 0)), at(29, 0));
    }

    #[test]
    fn hours_within_one_day_work_too() {
        let noon = QuietHours {
            from: 12,
            to: 14,
            utc_offset: 0,
        };
        assert_eq!(noon.after(at(13, 0)), at(14, 0));
        assert_eq!(noon.after(at(11, 59)), at(11, 59));
        assert_eq!(noon.after(at(14, 0)), at(14, 0));
    }

    #[test]
    fn two_people_of_one_name_are_told_apart_at_one_table() {
        let [bea, other, ann] =
            ["@bea:x.org", "@bea:y.org", "@ann:x.org"].map(|id| PlayerId::new("matrix", id));
        let names = |named: &[(&PlayerId, &str)]| {
            let named: Vec<_> = named.iter().map(|(id, name)| (*id, (*name).to_owned())).collect();
            told_apart(&named)
        };
        assert_eq!(
            names(&[(&bea, "Bea"), (&ann, "Ann"), (&other, "bea"), (&bea, "Bea")]),
            ["Bea", "Ann", "bea (2)", "Bea"]
        );
        assert_eq!(names(&[(&bea, "Bea"), (&bea, "Bea")]), ["Bea", "Bea"]);
    }

    #[test]
    fn ids_know_their_platform() {
        let player = PlayerId::new("matrix", "@ann:example.org");
        assert_eq!(player.parts(), ("matrix", "@ann:example.org"));
    }
}
