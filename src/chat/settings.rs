//! A player's own settings.

use super::command::Setting;
use super::message::{Inline, Message, Text};
use super::parlor::{Parlor, Reply, Request};
use crate::draw::Theme;
use crate::matches::people::{PlayerSettings, QuietHours, ThemeName};
use crate::matches::refusal::Failure;
use crate::text;

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
        let takes = format!("`{}` takes {}.", setting.word(), values(setting));
        if value.is_empty() {
            let told = format!("{takes} {}", current(setting, &settings));
            return Ok(Reply::open(Message::text(told)));
        }
        let value = value.to_lowercase();
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
}

/// Sets one setting; nothing if the value makes no sense.
fn change(settings: &mut PlayerSettings, setting: Setting, value: &str) -> Option<()> {
    match setting {
        Setting::Theme => settings.theme = ThemeName(value.parse().ok()?),
        Setting::Side => {
            settings.own_side = match value {
                "own" | "mine" => true,
                "first" => false,
                _ => return None,
            }
        }
        Setting::Ping => settings.ping = switch(value)?,
        Setting::Reminders => settings.reminders = switch(value)?,
        Setting::Confirm => settings.confirm = switch(value)?,
        Setting::Quiet => settings.quiet = quiet(value)?,
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
        Setting::Theme => Theme::ALL.map(|theme| format!("`{}`", theme.name())).join(", "),
        Setting::Side => "`own` (boards from your side) or `first` (from the first seat's)".to_owned(),
        Setting::Quiet => {
            "hours without reminders, such as `22-7 +2` (your clock is two hours ahead of UTC), or `off`"
                .to_owned()
        }
        Setting::Ping | Setting::Reminders | Setting::Confirm => "`on` or `off`".to_owned(),
    }
}

/// Values to choose from while somebody types.
pub(super) fn some_values(setting: Setting) -> Vec<String> {
    let some: &[&str] = match setting {
        Setting::Theme => return Theme::ALL.iter().map(|theme| theme.name().to_owned()).collect(),
        Setting::Side => &["own", "first"],
        Setting::Quiet => &["off", "22-7", "22-7 +1", "22-7 +2", "23-8 -5"],
        Setting::Ping | Setting::Reminders | Setting::Confirm => &["on", "off"],
    };
    some.iter().map(|value| (*value).to_owned()).collect()
}

fn current(setting: Setting, settings: &PlayerSettings) -> String {
    let on = |value: bool| if value { "on" } else { "off" };
    match setting {
        Setting::Theme => format!(
            "Your boards are drawn in the `{}` theme.",
            settings.theme.0.name()
        ),
        Setting::Side if settings.own_side => "Your boards are drawn from your own side.".to_owned(),
        Setting::Side => "Your boards are drawn from the first seat's side.".to_owned(),
        Setting::Ping => format!("Pings when it is your turn: `{}`.", on(settings.ping)),
        Setting::Reminders => format!(
            "Reminders before your time runs out: `{}`.",
            on(settings.reminders)
        ),
        Setting::Confirm => format!(
            "Moves are shown first and played when you confirm them: `{}`.",
            on(settings.confirm)
        ),
        Setting::Quiet => match settings.quiet {
            None => "No quiet hours: reminders come at any time.".to_owned(),
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
    for setting in Setting::ALL {
        let mut line = text![Inline::Code(setting.word().to_owned()), ": "];
        line.0.extend(Text::markdown(&current(*setting, settings)).0);
        text.line(line);
    }
    text.line("Change one with `/settings theme dark`.");
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
