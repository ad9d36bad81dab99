//! `settings`: what can be chosen, for oneself or for a whole room, and how each value is written.

use std::fmt;

use crate::draw::Theme;
use crate::matches::community::{BoardSide, TurnMessages};
use crate::matches::people::{HandMessages, QuietHours};
use crate::text::names;

/// What a player can choose, for themselves or for a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Theme,
    Side,
    Ping,
    Hands,
    Reminders,
    Quiet,
    Confirm,
    /// For a room, as those below are.
    Thread,
    Turn,
    Watch,
}

names! {
    Setting {
        Theme = "theme", Side = "side", Ping = "ping", Hands = "hands", Reminders = "reminders", Quiet = "quiet",
        Confirm = "confirm", Thread = "thread", Turn = "turn", Watch = "watch",
    }
}

impl Setting {
    /// Whether it is chosen for rooms only.
    pub const fn is_of_rooms(self) -> bool {
        matches!(self, Self::Thread | Self::Turn | Self::Watch)
    }
}

/// What somebody wants of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsWish {
    /// To see their own.
    All,
    /// To see one, and what it can be.
    One(Setting),
    /// To choose for themselves.
    Own(OwnSetting),
    /// To choose for the room where they say it.
    Room(RoomSetting),
}

/// A setting of one's own, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSetting {
    Theme(Theme),
    /// Whether boards are drawn from one's own side; otherwise from the first player's.
    OwnSide(bool),
    Ping(bool),
    Hands(HandMessages),
    Reminders(bool),
    Quiet(Option<QuietHours>),
    Confirm(bool),
}

/// A setting of a whole room, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomSetting {
    Theme(Theme),
    Side(BoardSide),
    /// Whether every match gets a thread of its own.
    Threads(bool),
    Turn(TurnMessages),
    /// Whether anybody may watch, without the players being asked.
    Watch(bool),
}

/// What was said is no value of this setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchValue {
    pub setting: Setting,
    /// Whether it was said for a whole room.
    pub for_room: bool,
}

/// What is chosen for the whole room, and not for oneself.
const HERE: &str = "here";

/// The sides from which boards may be drawn that several people read.
pub const SHARED_SIDES: &[&str] = &["first", "mover"];

impl SettingsWish {
    /// What stands behind `settings`: the name of a setting, and its value.
    pub fn read(setting: Option<Setting>, value: &str) -> Result<Self, NoSuchValue> {
        let Some(setting) = setting else {
            return Ok(Self::All);
        };
        let value = value.trim().to_lowercase();
        if value.is_empty() {
            return Ok(Self::One(setting));
        }
        let for_room = value.strip_suffix(HERE).map(str::trim);
        let for_room = for_room.or_else(|| setting.is_of_rooms().then_some(value.as_str()));
        let wish = match for_room {
            Some(value) => RoomSetting::read(setting, value).map(Self::Room),
            None => OwnSetting::read(setting, &value).map(Self::Own),
        };
        wish.ok_or(NoSuchValue {
            setting,
            for_room: for_room.is_some(),
        })
    }
}

impl OwnSetting {
    fn read(setting: Setting, value: &str) -> Option<Self> {
        Some(match setting {
            Setting::Theme => Self::Theme(value.parse().ok()?),
            Setting::Side => Self::OwnSide(match value {
                "own" | "mine" => true,
                "first" => false,
                _ => return None,
            }),
            Setting::Ping => Self::Ping(switch(value)?),
            Setting::Hands => Self::Hands(match value {
                "asked" | "off" => HandMessages::Asked,
                "quiet" => HandMessages::Quiet,
                "always" | "on" => HandMessages::Always,
                _ => return None,
            }),
            Setting::Reminders => Self::Reminders(switch(value)?),
            Setting::Confirm => Self::Confirm(switch(value)?),
            Setting::Quiet => Self::Quiet(quiet(value)?),
            // Nobody has these for themselves.
            Setting::Thread | Setting::Turn | Setting::Watch => return None,
        })
    }

    pub const fn setting(self) -> Setting {
        match self {
            Self::Theme(_) => Setting::Theme,
            Self::OwnSide(_) => Setting::Side,
            Self::Ping(_) => Setting::Ping,
            Self::Hands(_) => Setting::Hands,
            Self::Reminders(_) => Setting::Reminders,
            Self::Quiet(_) => Setting::Quiet,
            Self::Confirm(_) => Setting::Confirm,
        }
    }
}

impl RoomSetting {
    fn read(setting: Setting, value: &str) -> Option<Self> {
        Some(match setting {
            Setting::Theme => Self::Theme(value.parse().ok()?),
            Setting::Side => Self::Side(board_side(value)?),
            Setting::Thread => Self::Threads(switch(value)?),
            Setting::Turn => Self::Turn(match value {
                "one" | "1" => TurnMessages::One,
                "two" | "2" => TurnMessages::Two,
                _ => return None,
            }),
            Setting::Watch => Self::Watch(switch(value)?),
            Setting::Ping | Setting::Hands | Setting::Reminders | Setting::Quiet | Setting::Confirm => {
                return None;
            }
        })
    }

    pub const fn setting(self) -> Setting {
        match self {
            Self::Theme(_) => Setting::Theme,
            Self::Side(_) => Setting::Side,
            Self::Threads(_) => Setting::Thread,
            Self::Turn(_) => Setting::Turn,
            Self::Watch(_) => Setting::Watch,
        }
    }
}

/// The side of this name.
pub fn board_side(name: &str) -> Option<BoardSide> {
    match name {
        "first" => Some(BoardSide::First),
        "mover" => Some(BoardSide::Mover),
        _ => None,
    }
}

fn switch(value: &str) -> Option<bool> {
    match value {
        "on" | "yes" => Some(true),
        "off" | "no" => Some(false),
        _ => None,
    }
}

/// `off`, or `22-7`, or `22-7 +2` for a clock two hours ahead of UTC.
fn quiet(value: &str) -> Option<Option<QuietHours>> {
    if switch(value) == Some(false) {
        return Some(None);
    }
    let (hours, offset) = value.split_once(char::is_whitespace).unwrap_or((value, "+0"));
    let (from, to) = hours.split_once('-')?;
    let hour = |text: &str| text.trim().parse::<u8>().ok().filter(|hour| *hour < 24);
    let (from, to) = (hour(from)?, hour(to)?);
    let offset = offset.trim().trim_start_matches("utc").trim();
    let (sign, offset) = match offset.strip_prefix('-') {
        Some(offset) => (-1, offset),
        None => (1, offset.trim_start_matches('+')),
    };
    let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "0"));
    let hours: i16 = hours.parse().ok().filter(|hours| (0..=14).contains(hours))?;
    let minutes: i16 = minutes.parse().ok().filter(|minutes| (0..60).contains(minutes))?;
    (from != to).then_some(Some(QuietHours {
        from,
        to,
        utc_offset: sign * (hours * 60 + minutes),
    }))
}

const fn switched(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// As they are typed: the setting, and its value.
impl fmt::Display for OwnSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self {
            Self::Theme(theme) => theme.name(),
            Self::OwnSide(own) => {
                if *own {
                    "own"
                } else {
                    "first"
                }
            }
            Self::Hands(HandMessages::Asked) => "asked",
            Self::Hands(HandMessages::Quiet) => "quiet",
            Self::Hands(HandMessages::Always) => "always",
            Self::Ping(on) | Self::Reminders(on) | Self::Confirm(on) => switched(*on),
            Self::Quiet(None) => switched(false),
            Self::Quiet(Some(hours)) => {
                write!(f, "{} {}-{}", self.setting(), hours.from, hours.to)?;
                return match (hours.utc_offset / 60, hours.utc_offset.abs() % 60) {
                    (0, 0) => Ok(()),
                    (whole, 0) => write!(f, " {whole:+}"),
                    (whole, minutes) => {
                        let sign = if hours.utc_offset < 0 { '-' } else { '+' };
                        write!(f, " {sign}{}:{minutes:02}", whole.abs())
                    }
                };
            }
        };
        write!(f, "{} {value}", self.setting())
    }
}

impl fmt::Display for RoomSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self {
            Self::Theme(theme) => theme.name(),
            Self::Side(BoardSide::First) => "first",
            Self::Side(BoardSide::Mover) => "mover",
            Self::Threads(on) | Self::Watch(on) => switched(*on),
            Self::Turn(TurnMessages::One) => "one",
            Self::Turn(TurnMessages::Two) => "two",
        };
        write!(f, "{} {value}", self.setting())?;
        if self.setting().is_of_rooms() {
            return Ok(());
        }
        write!(f, " {HERE}")
    }
}

impl fmt::Display for SettingsWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::One(setting) => write!(f, "{setting}"),
            Self::Own(setting) => write!(f, "{setting}"),
            Self::Room(setting) => write!(f, "{setting}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_are_read_with_their_offset() {
        let hours = |from, to, utc_offset| Some(Some(QuietHours { from, to, utc_offset }));
        assert_eq!(quiet("22-7 +2"), hours(22, 7, 120));
        assert_eq!(quiet("22-7"), hours(22, 7, 0));
        assert_eq!(quiet("0-6 utc-3:30"), hours(0, 6, -210));
        assert_eq!(quiet("0-6 -0:30"), hours(0, 6, -30));
        assert_eq!(quiet("off"), Some(None));
        for bad in ["7", "25-3", "22-7 x", "22-7 +99", "8-8", ""] {
            assert_eq!(quiet(bad), None, "{bad}");
        }
    }

    fn wish(line: &str) -> Result<SettingsWish, NoSuchValue> {
        let (setting, value) = line.split_once(' ').unwrap_or((line, ""));
        SettingsWish::read(Setting::named(setting), value)
    }

    #[test]
    fn a_value_is_chosen_for_oneself_or_for_a_room() {
        let own = |setting| Ok(SettingsWish::Own(setting));
        let room = |setting| Ok(SettingsWish::Room(setting));
        assert_eq!(wish(""), Ok(SettingsWish::All));
        assert_eq!(wish("turn"), Ok(SettingsWish::One(Setting::Turn)));
        assert_eq!(wish("theme DARK"), own(OwnSetting::Theme(Theme::Dark)));
        assert_eq!(wish("theme dark here"), room(RoomSetting::Theme(Theme::Dark)));
        assert_eq!(wish("side mine"), own(OwnSetting::OwnSide(true)));
        assert_eq!(wish("side mover here"), room(RoomSetting::Side(BoardSide::Mover)));
        assert_eq!(wish("turn 2"), room(RoomSetting::Turn(TurnMessages::Two)));
        assert_eq!(wish("watch yes here"), room(RoomSetting::Watch(true)));
        assert_eq!(wish("hands on"), own(OwnSetting::Hands(HandMessages::Always)));
        for (line, setting, for_room) in [
            ("theme purple", Setting::Theme, false),
            ("theme purple here", Setting::Theme, true),
            ("theme here", Setting::Theme, true),
            ("side mover", Setting::Side, false),
            ("ping on here", Setting::Ping, true),
            ("thread maybe", Setting::Thread, true),
        ] {
            assert_eq!(wish(line), Err(NoSuchValue { setting, for_room }), "{line}");
        }
    }

    #[test]
    fn what_is_wanted_reads_as_it_is_written() {
        let all = Setting::ALL.into_iter().flat_map(|setting| {
            let values = [
                "light",
                "dark",
                "safe",
                "own",
                "first",
                "on",
                "off",
                "asked",
                "quiet",
                "always",
                "one",
                "two",
                "22-7",
                "22-7 +2",
                "0-6 -3:30",
                "0-6 -0:30",
                "0-6 +14",
                "light here",
                "mover here",
                "first here",
            ];
            values.map(|value| format!("{setting} {value}"))
        });
        let mut read = 0;
        for line in all {
            if let Ok(chosen) = wish(&line) {
                read += 1;
                assert_eq!(wish(&chosen.to_string()), Ok(chosen), "{line}");
            }
        }
        // theme 3 + 1, side 2 + 2, ping, reminders, confirm, thread and watch 2 each, hands 5, quiet 6, turn 2.
        assert_eq!(read, 31);
    }
}
