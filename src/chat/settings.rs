//! A player's own settings.

use super::command::Arguments;
use super::message::{Inline, Message, Text};
use super::parlor::{Parlor, Reply, Request};
use crate::draw::Theme;
use crate::matches::people::{PlayerSettings, QuietHours, ThemeName};
use crate::matches::refusal::Failure;
use crate::text;

impl Parlor {
    pub(super) async fn settings(&self, request: &Request, arguments: &Arguments) -> Result<Reply, Failure> {
        let settings = self.service.person(&request.who)?.settings;
        let Some(name) = arguments.word.as_deref() else {
            return Ok(Reply::open(Message::text(listing(&settings))));
        };
        if arguments.words.is_empty() {
            return Ok(Reply::open(Message::text(format!(
                "`{name}` takes {}. {}",
                values(name),
                current(name, &settings)
            ))));
        }
        let value = arguments.words.to_lowercase();
        if change(&mut settings.clone(), name, &value).is_none() {
            return Ok(Reply::open(Message::text(format!(
                "`{name}` takes {}.",
                values(name)
            ))));
        }
        let changed = self.service.set(&request.who, |settings| {
            // The value has just been tried.
            let _ = change(settings, name, &value);
        });
        let settings = changed.await?;
        Ok(Reply::open(Message::text(current(name, &settings))))
    }
}

/// Sets one setting; nothing if the value makes no sense.
fn change(settings: &mut PlayerSettings, name: &str, value: &str) -> Option<()> {
    match name {
        "theme" => settings.theme = ThemeName(value.parse().ok()?),
        "side" => {
            settings.own_side = match value {
                "own" | "mine" => true,
                "first" => false,
                _ => return None,
            }
        }
        "ping" => settings.ping = switch(value)?,
        "reminders" => settings.reminders = switch(value)?,
        "confirm" => settings.confirm = switch(value)?,
        "quiet" => settings.quiet = quiet(value)?,
        _ => return None,
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

fn values(name: &str) -> String {
    match name {
        "theme" => Theme::ALL.map(|theme| format!("`{}`", theme.name())).join(", "),
        "side" => "`own` (boards from your side) or `first` (from the first seat's)".to_owned(),
        "quiet" => {
            "hours without reminders, such as `22-7 +2` (your clock is two hours ahead of UTC), or `off`"
                .to_owned()
        }
        _ => "`on` or `off`".to_owned(),
    }
}

/// Values to choose from while somebody types.
pub(super) fn some_values(name: &str) -> Vec<String> {
    let some: &[&str] = match name {
        "theme" => return Theme::ALL.iter().map(|theme| theme.name().to_owned()).collect(),
        "side" => &["own", "first"],
        "quiet" => &["off", "22-7", "22-7 +1", "22-7 +2", "23-8 -5"],
        "ping" | "reminders" | "confirm" => &["on", "off"],
        _ => &[],
    };
    some.iter().map(|value| (*value).to_owned()).collect()
}

fn current(name: &str, settings: &PlayerSettings) -> String {
    let on = |value: bool| if value { "on" } else { "off" };
    match name {
        "theme" => format!(
            "Your boards are drawn in the `{}` theme.",
            settings.theme.0.name()
        ),
        "side" if settings.own_side => "Your boards are drawn from your own side.".to_owned(),
        "side" => "Your boards are drawn from the first seat's side.".to_owned(),
        "ping" => format!("Pings when it is your turn: `{}`.", on(settings.ping)),
        "reminders" => format!(
            "Reminders before your time runs out: `{}`.",
            on(settings.reminders)
        ),
        "confirm" => format!(
            "Moves are shown first and played when you confirm them: `{}`.",
            on(settings.confirm)
        ),
        _ => match settings.quiet {
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
    for name in super::grammar::SETTINGS {
        let mut line = text![Inline::Code((*name).to_owned()), ": "];
        line.0.extend(Text::markdown(&current(name, settings)).0);
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
