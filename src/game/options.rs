//! What can be chosen before a game starts.
//!
//! A game lists its options as data, so that every platform can offer them: a slash command with
//! choices, a help page, `--set size=9`. Values are checked once, here; the rules read them by name.

use std::collections::BTreeMap;
use std::fmt;

use super::nearest::nearest;
use super::notation::excerpt;
use crate::text;

/// One option of a game.
#[derive(Debug)]
pub struct OptionSpec {
    pub name: &'static str,
    /// One line for the player who wonders what it does.
    pub help: &'static str,
    /// The value that the rulebook plays with, where it has one.
    pub rulebook: Option<&'static str>,
    pub kind: OptionKind,
}

/// Options are listed once, so their names tell them apart.
impl PartialEq for OptionSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.help == other.help
    }
}

impl Eq for OptionSpec {}

/// What values an option takes.
#[derive(Debug)]
pub enum OptionKind {
    /// `on` or `off`.
    Switch { default: bool },
    /// One of a few names.
    Choice {
        default: &'static str,
        values: &'static [&'static str],
    },
    /// A whole number within bounds, both included.
    Whole { default: u32, min: u32, max: u32 },
    /// A text that the game itself reads: a name, a code.
    Text {
        default: &'static str,
        /// What may be written, for help and refusals: "a deck's name, or a deck code".
        values: &'static str,
        /// Some of what may be written, for lists to pick from.
        examples: &'static [&'static str],
        /// The text as it is kept, if it is a value. It accepts what it returns.
        read: fn(&str) -> Option<String>,
    },
}

impl OptionSpec {
    /// The name without the number at its end, by which options that are alike are told apart.
    pub fn stem(&self) -> &'static str {
        self.name.trim_end_matches(|c: char| c.is_ascii_digit())
    }

    /// The value that holds where nobody chose one, as it is written.
    pub fn default_text(&self) -> String {
        match self.kind {
            OptionKind::Switch { default } => on_off(default).to_owned(),
            OptionKind::Choice { default, .. } => default.to_owned(),
            OptionKind::Whole { default, .. } => default.to_string(),
            OptionKind::Text { default, .. } => default.to_owned(),
        }
    }

    /// What may be written after the equals sign, for help and refusals: "on or off".
    pub fn values_text(&self) -> String {
        match self.kind {
            OptionKind::Switch { .. } => "on or off".to_owned(),
            OptionKind::Choice { values, .. } => values.join(", "),
            OptionKind::Whole { min, max, .. } => format!("{min} to {max}"),
            OptionKind::Text { values, .. } => values.to_owned(),
        }
    }

    /// Values to pick from: all of a choice, the ends of a range.
    pub fn examples(&self) -> Vec<String> {
        match self.kind {
            OptionKind::Switch { .. } => vec!["on".to_owned(), "off".to_owned()],
            OptionKind::Choice { values, .. } => values.iter().map(|&value| value.to_owned()).collect(),
            OptionKind::Whole { min, max, .. } => vec![min.to_string(), max.to_string()],
            OptionKind::Text { examples, .. } => examples.iter().map(|&value| value.to_owned()).collect(),
        }
    }

    fn read(&self, text: &str) -> Option<OptionValue> {
        match self.kind {
            OptionKind::Switch { .. } => match text.to_ascii_lowercase().as_str() {
                "on" | "yes" | "true" => Some(OptionValue::Switch(true)),
                "off" | "no" | "false" => Some(OptionValue::Switch(false)),
                _ => None,
            },
            OptionKind::Choice { values, .. } => values
                .iter()
                .find(|value| value.eq_ignore_ascii_case(text))
                .map(|value| OptionValue::Choice(value)),
            OptionKind::Whole { min, max, .. } => text
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .map(OptionValue::Whole),
            OptionKind::Text { read, .. } => read(text).map(OptionValue::Text),
        }
    }
}

const fn on_off(value: bool) -> &'static str {
    if value { "on" } else { "off" }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionValue {
    Switch(bool),
    Choice(&'static str),
    Whole(u32),
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(value) => f.write_str(on_off(*value)),
            Self::Choice(value) => f.write_str(value),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

/// A value for every option of one game, all of them checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValues(Vec<(&'static OptionSpec, OptionValue)>);

impl OptionValues {
    /// Every option at its default.
    pub fn defaults(specs: &'static [OptionSpec]) -> Self {
        let default = |spec: &'static OptionSpec| {
            let value = match spec.kind {
                OptionKind::Switch { default } => OptionValue::Switch(default),
                OptionKind::Choice { default, .. } => OptionValue::Choice(default),
                OptionKind::Whole { default, .. } => OptionValue::Whole(default),
                OptionKind::Text { default, .. } => OptionValue::Text(default.to_owned()),
            };
            (spec, value)
        };
        Self(specs.iter().map(default).collect())
    }

    /// The defaults, changed by what was asked for.
    pub fn choose<'a>(
        specs: &'static [OptionSpec],
        wishes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, OptionError> {
        let mut values = Self::defaults(specs);
        for (name, text) in wishes {
            values.set(name, text)?;
        }
        Ok(values)
    }

    fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        let Some((spec, value)) = self
            .0
            .iter_mut()
            .find(|(spec, _)| spec.name.eq_ignore_ascii_case(name))
        else {
            let names = self.0.iter().map(|(spec, _)| spec.name);
            return Err(OptionError::Unknown {
                name: excerpt(name),
                known: names.clone().collect(),
                near: nearest(name, names),
            });
        };
        *value = spec.read(text.trim()).ok_or_else(|| OptionError::Value {
            name: spec.name,
            value: excerpt(text),
            allowed: spec.values_text(),
        })?;
        Ok(())
    }

    /// Whether a switch is on. Asking for a switch that the game did not list is a mistake in that
    /// game; it reads as off.
    pub fn switch(&self, name: &str) -> bool {
        matches!(self.get(name), Some(OptionValue::Switch(true)))
    }

    /// The name chosen for a choice; empty if the game lists no such choice.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(OptionValue::Choice(value)) => value,
            _ => "",
        }
    }

    /// The number chosen; 0 if the game lists no such number.
    pub fn whole(&self, name: &str) -> u32 {
        match self.get(name) {
            Some(OptionValue::Whole(value)) => *value,
            _ => 0,
        }
    }

    /// The text chosen, as the option's own reader returned it; empty if the game lists no such text.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(OptionValue::Text(value)) => value,
            _ => "",
        }
    }

    fn get(&self, name: &str) -> Option<&OptionValue> {
        let found = self.0.iter().find(|(spec, _)| spec.name == name);
        debug_assert!(found.is_some(), "no option is called {name}");
        found.map(|(_, value)| value)
    }

    /// All options with the values as they are written; what records and saves keep.
    pub fn to_map(&self) -> BTreeMap<String, String> {
        let pair = |(spec, value): &(&OptionSpec, OptionValue)| (spec.name.to_owned(), value.to_string());
        self.0.iter().map(pair).collect()
    }

    /// Only what differs from the defaults, in the game's order: "centre on".
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        self.0
            .iter()
            .map(|(spec, value)| (*spec, value.to_string()))
            .filter(|(spec, text)| *text != spec.default_text())
            .map(|(spec, text)| (spec.name, text))
            .collect()
    }
}

/// Why an option was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("there's no option `{name}`{}", unknown_help(known, *near))]
    Unknown {
        name: String,
        known: Vec<&'static str>,
        near: Option<&'static str>,
    },
    #[error("`{name}` can't be `{value}`: it takes {allowed}")]
    Value {
        name: &'static str,
        value: String,
        allowed: String,
    },
}

fn unknown_help(known: &[&str], near: Option<&str>) -> String {
    match (near, known) {
        (Some(near), _) => format!("; did you mean `{near}`?"),
        (None, []) => "; this game has none".to_owned(),
        (None, [only]) => format!("; the only option is `{only}`"),
        (None, known) => format!("; the options are {}", text::list(known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SPECS: &[OptionSpec] = &[
        OptionSpec {
            name: "centre",
            help: "",
            rulebook: None,
            kind: OptionKind::Switch { default: false },
        },
        OptionSpec {
            name: "size",
            help: "",
            rulebook: None,
            kind: OptionKind::Whole {
                default: 8,
                min: 7,
                max: 10,
            },
        },
        OptionSpec {
            name: "target",
            help: "",
            rulebook: None,
            kind: OptionKind::Choice {
                default: "500",
                values: &["50", "500"],
            },
        },
    ];

    #[test]
    fn wishes_change_the_defaults_and_keep_the_rest() {
        let values = OptionValues::choose(SPECS, [("Centre", "ON"), ("size", "10")]).unwrap();
        assert!(values.switch("centre"));
        assert_eq!(values.whole("size"), 10);
        assert_eq!(values.choice("target"), "500");
        assert_eq!(
            values.changed(),
            [("centre", "on".to_owned()), ("size", "10".to_owned())]
        );
    }

    #[test]
    fn refusals_name_the_way_out() {
        let refuse = |name, value| {
            OptionValues::choose(SPECS, [(name, value)])
                .unwrap_err()
                .to_string()
        };
        assert_eq!(refuse("size", "11"), "`size` can't be `11`: it takes 7 to 10");
        assert_eq!(
            refuse("center", "on"),
            "there's no option `center`; did you mean `centre`?"
        );
        assert_eq!(
            refuse("colour", "on"),
            "there's no option `colour`; the options are centre, size and target"
        );
        assert_eq!(refuse("target", "60"), "`target` can't be `60`: it takes 50, 500");
    }

    #[test]
    fn a_map_reads_back_to_the_same_values() {
        let values = OptionValues::choose(SPECS, [("target", "50")]).unwrap();
        let map = values.to_map();
        let pairs = map.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        assert_eq!(OptionValues::choose(SPECS, pairs).unwrap(), values);
    }
}
