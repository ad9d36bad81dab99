//! A player's own settings; and, with `here` behind the value, how a room is shown its boards.

use super::command::settings::{NoSuchValue, OwnSetting, RoomSetting};
use super::command::{Setting, SettingsWish};
use super::community::{Decree, shared_side, shared_theme, watching};
use super::message::{Message, Text};
use super::parlor::{Parlor, Reply, Request};
use crate::draw::Theme;
use crate::matches::community::{CommunitySettings, Threads, TurnMessages};
use crate::matches::people::{HandMessages, PlayerSettings, ThemeName};
use crate::matches::refusal::Failure;
use crate::say;

impl Parlor {
    pub(super) async fn settings(&self, request: &Request, wish: SettingsWish) -> Result<Reply, Failure> {
        let settings = || Ok::<_, Failure>(self.service.person(&request.who)?.settings);
        let said = match wish {
            SettingsWish::All => listing(&settings()?),
            SettingsWish::One(setting) => {
                Text::from(format!("{} {}", takes(setting), current(setting, &settings()?)))
            }
            SettingsWish::Own(chosen) => {
                let change = |settings: &mut PlayerSettings| change(settings, chosen);
                let settings = self.service.set(&request.who, change).await?;
                Text::from(current(chosen.setting(), &settings))
            }
            SettingsWish::Room(chosen) => return self.set_for_room(request, chosen).await,
        };
        Ok(Reply::open(Message::text(said)))
    }

    /// Chooses for a whole room. Where rooms belong to a community, those who run it choose.
    async fn set_for_room(&self, request: &Request, chosen: RoomSetting) -> Result<Reply, Failure> {
        let refused = |why: &str| Ok(Reply::open(Message::text(why)).passing());
        let Some(room) = &request.room else {
            return refused("Say that in the room whose boards you mean.");
        };
        if self.service.repository().room_community(room)?.is_some() {
            return refused("The people who manage this server choose that, with `/parlor-settings`.");
        }
        let (decree, told): (_, fn(&CommunitySettings) -> String) = match chosen {
            RoomSetting::Theme(theme) => (Decree::Theme(ThemeName(theme)), shared_theme),
            RoomSetting::Side(side) => (Decree::Side(side), |rules| shared_side(rules).to_owned()),
            RoomSetting::Threads(on) => (Decree::Threads(on), |rules| own_threads(rules).to_owned()),
            RoomSetting::Turn(turn) => (Decree::Turn(turn), |rules| messages_of_a_turn(rules).to_owned()),
            RoomSetting::Watch(on) => (Decree::Watch(on), |rules| watching(rules).to_owned()),
        };
        let rules = self.try_decree(&room.own_community(), vec![decree]).await?;
        Ok(Reply::open(Message::text(told(&rules))))
    }
}

/// What a setting can be, for somebody who named something else.
pub(super) fn no_such_value(NoSuchValue { setting, for_room }: NoSuchValue) -> String {
    if !for_room {
        return takes(setting);
    }
    match setting {
        Setting::Theme => {
            "For a room, `theme` takes `light`, `dark` or `safe`: try `/settings theme dark here`."
        }
        Setting::Side => "For a room, `side` takes `mover` or `first`: try `/settings side mover here`.",
        Setting::Thread => "`thread` takes `on` or `off`: try `/settings thread off`.",
        Setting::Turn => "`turn` takes `one` or `two`: try `/settings turn two`.",
        Setting::Watch => "`watch` takes `on` or `off`: try `/settings watch on`.",
        Setting::Ping | Setting::Hands | Setting::Reminders | Setting::Quiet | Setting::Confirm => {
            "Only `theme`, `side`, `thread`, `turn` and `watch` can be set for a whole room."
        }
    }
    .to_owned()
}

fn takes(setting: Setting) -> String {
    format!("`{setting}` takes {}.", values(setting))
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

/// Sets one setting.
fn change(settings: &mut PlayerSettings, chosen: OwnSetting) {
    match chosen {
        OwnSetting::Theme(theme) => settings.choose_theme(ThemeName(theme)),
        OwnSetting::OwnSide(own) => settings.own_side = own,
        OwnSetting::Ping(on) => settings.ping = on,
        OwnSetting::Hands(hands) => settings.hands = hands,
        OwnSetting::Reminders(on) => settings.reminders = on,
        OwnSetting::Quiet(hours) => settings.quiet = hours,
        OwnSetting::Confirm(on) => settings.confirm = on,
    }
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
    for setting in Setting::ALL.into_iter().filter(|setting| !setting.is_of_rooms()) {
        text.line(say!(
            "`{name}`: {current}",
            name = setting.name(),
            current = Text::markdown(&current(setting, settings))
        ));
    }
    text.line("Change one with `/settings theme dark`. For a whole room: `/settings thread on`, `/settings turn two`, `/settings watch on`, or `here` behind a theme or side.");
    text
}
