//! A player's own settings; and, with `here` behind the value, how a room is shown its boards.

use super::command::Setting;
use super::community::{Decree, shared_side, shared_theme, watching};
use super::message::{Message, Text};
use super::parlor::{Parlor, Reply, Request};
use crate::draw::Theme;
use crate::matches::community::{BoardSide, CommunitySettings, Threads, TurnMessages};
use crate::matches::people::{HandMessages, PlayerSettings, QuietHours, ThemeName};
use crate::matches::refusal::Failure;
use crate::say;

impl Parlor {
    pub(super) async fn settings(
        &self,
        request: &Request,
        setting: Option<Setting>,
        value: &str,
    ) -> Result<Reply, Failure> {
        let settings = self.service.person(&request.who)?.settings;
        let Some(setting) = setting else {
            return Ok(Reply::open(Message::text(listing(&settings))));
        };
        let takes = format!("`{}` takes {}.", setting.name(), values(setting));
        if value.is_empty() {
            let told = format!("{takes} {}", current(setting, &settings));
            return Ok(Reply::open(Message::text(told)));
        }
        let value = value.to_lowercase();
        let for_room = value.strip_suffix(HERE).map(str::trim);
        let for_room = for_room.or_else(|| is_of_rooms(setting).then_some(value.as_str()));
        if let Some(value) = for_room {
            return self.room_settings(request, setting, value).await;
        }
        if change(&mut settings.clone(), setting, &value).is_none() {
            return Ok(Reply::open(Message::text(takes)));
        }
        let changed = self.service.set(&request.who, |settings| {
            // The value has just been tried.
            let _ = change(settings, setting, &value);
        });
        let settings = changed.await?;
        Ok(Reply::open(Message::text(current(setting, &settings))))
    }

    /// Chooses for a whole room. Where rooms belong to a community, those who run it choose.
    async fn room_settings(
        &self,
        request: &Request,
        setting: Setting,
        value: &str,
    ) -> Result<Reply, Failure> {
        let said = |text: &str| Ok(Reply::open(Message::text(text)));
        // What is asked for, what can be asked for, and how what holds then is told.
        let (decree, takes, told): (_, _, fn(&CommunitySettings) -> String) = match setting {
            Setting::Theme => (
                value.parse().ok().map(|theme| Decree::Theme(ThemeName(theme))),
                "For a room, `theme` takes `light`, `dark` or `safe`: try `/settings theme dark here`.",
                shared_theme,
            ),
            Setting::Side => (
                board_side(value).map(Decree::Side),
                "For a room, `side` takes `mover` or `first`: try `/settings side mover here`.",
                |rules| shared_side(rules).to_owned(),
            ),
            Setting::Thread => (
                switch(value).map(Decree::Threads),
                "`thread` takes `on` or `off`: try `/settings thread off`.",
                |rules| own_threads(rules).to_owned(),
            ),
            Setting::Turn => (
                turn_messages(value).map(Decree::Turn),
                "`turn` takes `one` or `two`: try `/settings turn two`.",
                |rules| messages_of_a_turn(rules).to_owned(),
            ),
            Setting::Watch => (
                switch(value).map(Decree::Watch),
                "`watch` takes `on` or `off`: try `/settings watch on`.",
                |rules| watching(rules).to_owned(),
            ),
            Setting::Ping | Setting::Hands | Setting::Reminders | Setting::Quiet | Setting::Confirm => {
                return said(
                    "Only `theme`, `side`, `thread`, `turn` and `watch` can be set for a whole room.",
                );
            }
        };
        let Some(room) = &request.room else {
            return said("Say that in the room whose boards you mean.");
        };
        if self.service.repository().room_community(room)?.is_some() {
            return said("The people who manage this server choose that, with `/parlor-settings`.");
        }
        let Some(decree) = decree else {
            return said(takes);
        };
        let rules = self.try_decree(&room.own_community(), vec![decree]).await?;
        said(&told(&rules))
    }
}

const fn own_threads(rules: &CommunitySettings) -> &'static str {
    match rules.threads {
        Threads::All => "Every match here gets a thread of its own.",
        Threads::None | Threads::ByGame => "Matches here are shown in the room itself, without threads.",
    }
}

const fn messages_of_a_turn(rules: &CommunitySettings) -> &'static str {
    match rules.turn {
        TurnMessages::One => "A turn is one message here: the board, with the call under it.",
        TurnMessages::Two => {
            "A turn is two messages here: the board, and the call as a text, for apps that show no words under pictures."
        }
    }
}

/// What is chosen for the whole room, and not for oneself.
const HERE: &str = "here";

/// The sides from which boards may be drawn that several people read.
pub const SHARED_SIDES: &[&str] = &["first", "mover"];

/// The side of this name.
pub fn board_side(name: &str) -> Option<BoardSide> {
    match name {
        "first" => Some(BoardSide::First),
        "mover" => Some(BoardSide::Mover),
        _ => None,
    }
}

fn turn_messages(name: &str) -> Option<TurnMessages> {
    match name {
        "one" | "1" => Some(TurnMessages::One),
        "two" | "2" => Some(TurnMessages::Two),
        _ => None,
    }
}

/// Whether something is chosen for rooms only.
const fn is_of_rooms(setting: Setting) -> bool {
    matches!(setting, Setting::Thread | Setting::Turn | Setting::Watch)
}

/// Sets one setting; nothing if the value makes no sense.
fn change(settings: &mut PlayerSettings, setting: Setting, value: &str) -> Option<()> {
    match setting {
        Setting::Theme => settings.choose_theme(ThemeName(value.parse().ok()?)),
        Setting::Side => {
            settings.own_side = match value {
                "own" | "mine" => true,
                "first" => false,
                _ => return None,
            }
        }
        Setting::Ping => settings.ping = switch(value)?,
        Setting::Hands => {
            settings.hands = match value {
                "asked" | "off" => HandMessages::Asked,
                "quiet" => HandMessages::Quiet,
                "always" | "on" => HandMessages::Always,
                _ => return None,
            }
        }
        Setting::Reminders => settings.reminders = switch(value)?,
        Setting::Confirm => settings.confirm = switch(value)?,
        Setting::Quiet => settings.quiet = quiet(value)?,
        // Nobody has these for themselves.
        Setting::Thread | Setting::Turn | Setting::Watch => return None,
    }
    Some(())
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

fn values(setting: Setting) -> String {
    match setting {
        Setting::Theme => {
            let themes = Theme::ALL.map(|theme| format!("`{}`", theme.name())).join(", ");
            format!("{themes}; add `here` to set it for everybody in this room")
        }
        Setting::Side => "`own` or `first`, for boards that only you see and matches that only you play; for everybody in this room, `mover here` or `first here`".to_owned(),
        Setting::Hands => "`asked` (only when you ask), `quiet` (one message a match, without a sound) or `always` (every change, with a sound)".to_owned(),
        Setting::Quiet => {
            "hours without reminders, such as `22-7 +2` (your clock is two hours ahead of UTC), or `off`"
                .to_owned()
        }
        Setting::Turn => "`one` (the board with the call under it) or `two` (the call as a text of its own), for everybody in this room".to_owned(),
        Setting::Thread | Setting::Watch => "`on` or `off`, for everybody in this room".to_owned(),
        Setting::Ping | Setting::Reminders | Setting::Confirm => "`on` or `off`".to_owned(),
    }
}

/// Values to choose from while somebody types.
pub(super) fn some_values(setting: Setting) -> Vec<String> {
    let some: &[&str] = match setting {
        Setting::Theme => return Theme::ALL.iter().map(|theme| theme.name().to_owned()).collect(),
        Setting::Side => &["own", "first", "mover here", "first here"],
        Setting::Hands => &["asked", "quiet", "always"],
        Setting::Quiet => &["off", "22-7", "22-7 +1", "22-7 +2", "23-8 -5"],
        Setting::Turn => &["one", "two"],
        Setting::Ping | Setting::Reminders | Setting::Confirm | Setting::Thread | Setting::Watch => {
            &["on", "off"]
        }
    };
    some.iter().map(|value| (*value).to_owned()).collect()
}

fn current(setting: Setting, settings: &PlayerSettings) -> String {
    let on = |value: bool| if value { "on" } else { "off" };
    match setting {
        Setting::Theme => format!(
            "Boards use the `{}` theme where only you see them or nobody else plays; boards that others play on too use \
             their room's theme.",
            settings.theme.0.name()
        ),
        Setting::Side if settings.own_side => {
            "You see boards from your own side in private and where nobody else plays; where others play too, I turn them as \
             their room has it."
                .to_owned()
        }
        Setting::Side => {
            "You see boards from the first player's side in private and where nobody else plays; where others play too, I \
             turn them as their room has it."
                .to_owned()
        }
        Setting::Ping if settings.ping => "Pings and sounds: `on`.".to_owned(),
        Setting::Ping => "Pings and sounds: `off`. Nothing rings for you.".to_owned(),
        Setting::Hands => match settings.hands {
            HandMessages::Asked => "I show you your hand only when you ask for it, with `/hand`.".to_owned(),
            HandMessages::Quiet => {
                "Your hand is one private message a match. It rings only when you need to look.".to_owned()
            }
            HandMessages::Always => "I send you your hand at every change, with a sound.".to_owned(),
        },
        Setting::Reminders => format!("Remind me before my time runs out: `{}`.", on(settings.reminders)),
        // What holds in a room is told where it is chosen.
        Setting::Thread | Setting::Turn | Setting::Watch => String::new(),
        Setting::Confirm => format!("Confirm moves before playing: `{}`.", on(settings.confirm)),
        Setting::Quiet => match settings.quiet {
            None => "No quiet hours: I may remind you at any time.".to_owned(),
            Some(quiet) => {
                let minutes = quiet.utc_offset.unsigned_abs();
                let sign = if quiet.utc_offset < 0 { '-' } else { '+' };
                format!(
                    "No reminders from {}:00 to {}:00 (UTC{sign}{}:{:02}).",
                    quiet.from,
                    quiet.to,
                    minutes / 60,
                    minutes % 60
                )
            }
        },
    }
}

fn listing(settings: &PlayerSettings) -> Text {
    let mut text = Text::markdown("**Your settings**");
    for setting in Setting::ALL.into_iter().filter(|setting| !is_of_rooms(*setting)) {
        text.line(say!(
            "`{name}`: {current}",
            name = setting.name(),
            current = Text::markdown(&current(setting, settings))
        ));
    }
    text.line("Change one with `/settings theme dark`. For a whole room: `/settings thread on`, `/settings turn two`, `/settings watch on`, or `here` behind a theme or side.");
    text
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
        assert_eq!(quiet("off"), Some(None));
        for bad in ["7", "25-3", "22-7 x", "22-7 +99", "8-8", ""] {
            assert_eq!(quiet(bad), None, "{bad}");
        }
    }
}
