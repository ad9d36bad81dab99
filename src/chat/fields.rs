//! Suggestions for one field of a form, such as an option of a slash command, while somebody fills it in.

use super::command::{Setting, read_reference};
use super::grammar::{self, ArgumentKind, COMMANDS, TablesFor, Verb};
use super::notices::game_name;
use super::parlor::Parlor;
use super::settings;
use super::suggest::{MOST, clocks};
use super::wanted::{Wanted, awaits};
use crate::ai::Level;
use crate::catalog::{self, Entry};
use crate::draw::rules::Term;
use crate::game::options::{OptionKind, OptionSpec};
use crate::matches::code::Code;
use crate::matches::loaded::Loaded;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::port::Fault;
use crate::matches::service::MatchRef;
use crate::matches::state::{Match, SeatState, Stage};
use crate::text::list;

/// A field that somebody is filling in.
#[derive(Clone, Debug)]
pub struct FormField<'a> {
    /// The name of the command.
    pub command: &'a str,
    /// The name of its argument.
    pub name: &'a str,
    /// What stands in it so far.
    pub typed: &'a str,
    /// The other fields that are filled in, by name.
    pub others: Vec<(&'a str, &'a str)>,
    /// The match that it is about, as far as the platform knows.
    pub about: Option<MatchRef>,
}

impl<'a> FormField<'a> {
    fn other(&self, name: &str) -> Option<&'a str> {
        let found = self.others.iter().find(|(other, _)| *other == name);
        found.map(|(_, value)| *value)
    }

    /// The match that is named in another field, or that the platform knows of.
    fn about(&self) -> Option<MatchRef> {
        let named = self.other("match").and_then(read_reference);
        named.or_else(|| self.about.clone())
    }

    fn game(&self) -> Option<&'static Entry> {
        catalog::find(self.other("game")?).ok()
    }
}

/// Something that may stand in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChoice {
    pub value: String,
    /// What is shown in its place. Anybody's text may be in it.
    pub label: String,
}

impl FieldChoice {
    fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            label: label.into(),
        }
    }

    fn plain(value: impl Into<String>) -> Self {
        let value = value.into();
        Self {
            label: value.clone(),
            value,
        }
    }
}

impl Parlor {
    /// What may stand in a field; never more than can be shown, and nothing that the asker may not know.
    pub fn choices(&self, who: &PlayerId, room: Option<&RoomId>, field: &FormField<'_>) -> Vec<FieldChoice> {
        let Some(command) = grammar::find(field.command) else {
            return Vec::new();
        };
        let argument = command
            .arguments
            .iter()
            .find(|argument| argument.name == field.name);
        let Some(argument) = argument else {
            return Vec::new();
        };
        let mut choices = match argument.kind {
            ArgumentKind::Game => games(field.typed),
            ArgumentKind::Options => options(field),
            ArgumentKind::Clock => like(
                field.typed,
                clocks(field.game()).into_iter().map(|(clock, help)| {
                    let label = format!("{clock}: {help}");
                    FieldChoice::new(clock, label)
                }),
            ),
            ArgumentKind::Seating => like(field.typed, ["lot", "order"].map(FieldChoice::plain)),
            ArgumentKind::Word(words) => like(field.typed, words.iter().copied().map(FieldChoice::plain)),
            ArgumentKind::Match => self.tables(command.tables, who, room, field.typed),
            ArgumentKind::Move => self
                .moves_like(who, room, field.about(), field.typed)
                .into_iter()
                .map(|found| FieldChoice::new(found.said(), found.label))
                .collect(),
            ArgumentKind::Words => words(command.verb, field, self.game_of_field(who, room, field)),
            ArgumentKind::Level => like(
                field.typed,
                Level::ALL.map(|level| {
                    FieldChoice::new(level.to_string(), format!("{level}: {}", level.describe()))
                }),
            ),
            ArgumentKind::Players | ArgumentKind::Seats | ArgumentKind::Hours | ArgumentKind::Turn => {
                Vec::new()
            }
        };
        choices.truncate(MOST);
        choices
    }

    /// The game that another field names, or that of the only match that is meant.
    fn game_of_field(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        field: &FormField<'_>,
    ) -> Option<&'static Entry> {
        field.game().or_else(|| {
            let target = match field.about() {
                Some(about) => self.service.target(&about),
                None => self.only_match(who, room, Wanted::Alive),
            };
            catalog::find(&target.ok()?.found.game).ok()
        })
    }

    /// Tables that a command can be about.
    fn tables(
        &self,
        tables_for: TablesFor,
        who: &PlayerId,
        room: Option<&RoomId>,
        typed: &str,
    ) -> Vec<FieldChoice> {
        let found = || -> Result<Vec<Match>, Fault> {
            let repository = self.service.repository();
            let codes: Vec<Code> = match (tables_for, room) {
                (TablesFor::Joining, Some(room)) => repository.alive_in(room)?,
                (TablesFor::Finished, _) => repository.finished_of(who, MOST)?,
                // They tell of what has been played, whether or not it is over.
                (TablesFor::LookingBack, _) => {
                    let mut codes = repository.alive_of(who)?;
                    codes.extend(repository.finished_of(who, MOST)?);
                    codes
                }
                (TablesFor::Joining, None)
                | (TablesFor::CallingOff | TablesFor::Filling | TablesFor::Playing, _) => {
                    repository.alive_of(who)?
                }
            };
            let mut tables = Vec::new();
            for code in codes {
                tables.extend(repository.find(&code)?);
            }
            Ok(tables)
        };
        let wanted = |table: &Match| {
            let gathering = match &table.stage {
                Stage::Open(gathering) => Some(gathering),
                Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => None,
            };
            match tables_for {
                TablesFor::Joining => gathering.is_some_and(|gathering| {
                    gathering.places.contains(&SeatState::Free) && !table.seats(who)
                }),
                TablesFor::CallingOff => gathering.is_some() && table.host == *who,
                TablesFor::Filling => gathering.is_some() && table.seats(who),
                // Nothing has been played at a table that waits for players.
                TablesFor::LookingBack => matches!(table.stage, Stage::Running(_) | Stage::Over(..)),
                TablesFor::Playing | TablesFor::Finished => true,
            }
        };
        let mut tables = found().unwrap_or_default();
        tables.retain(wanted);
        // What waits for the asker comes first.
        tables.sort_by_key(|table| !awaits(table, who));
        let choice = |table: &Match| {
            let turn = if awaits(table, who) { ", your turn" } else { "" };
            let label = format!("#{} {}{turn}", table.code, self.title(table, who));
            FieldChoice::new(format!("#{}", table.code), label)
        };
        like(typed, tables.iter().map(choice))
    }

    /// A match by its game and those whom this player meets there: "Phwar with Sam".
    fn title(&self, table: &Match, who: &PlayerId) -> String {
        let others = table.people().into_iter().filter(|player| *player != who);
        let names: Vec<String> = others
            .filter_map(|player| self.service.person(player).ok())
            .map(|person| person.name)
            .collect();
        let game = game_name(&table.game);
        if names.is_empty() {
            game
        } else {
            format!("{game} with {}", list(names))
        }
    }

    /// The same for several; those that would be called the same have their codes with them.
    pub(super) fn titles(&self, tables: &[Loaded], who: &PlayerId) -> Vec<String> {
        let titles: Vec<String> = tables.iter().map(|table| self.title(table, who)).collect();
        let shared = |title: &String| titles.iter().filter(|other| *other == title).count() > 1;
        (tables.iter().zip(&titles))
            .map(|(table, title)| {
                if shared(title) {
                    format!("{title} #{}", table.code)
                } else {
                    title.clone()
                }
            })
            .collect()
    }
}

/// Those that hold what was typed; those that begin with it come first.
fn like(typed: &str, choices: impl IntoIterator<Item = FieldChoice>) -> Vec<FieldChoice> {
    let typed = typed.trim().to_lowercase();
    let mut choices: Vec<FieldChoice> = choices
        .into_iter()
        .filter(|choice| choice.label.to_lowercase().contains(&typed))
        .collect();
    choices.sort_by_key(|choice| {
        let label = choice.label.to_lowercase();
        !label
            .trim_start_matches('#')
            .starts_with(typed.trim_start_matches('#'))
    });
    choices
}

fn games(typed: &str) -> Vec<FieldChoice> {
    let game = |entry: &Entry| {
        FieldChoice::new(
            entry.meta.id,
            format!("{}: {}", entry.meta.name, entry.meta.tagline),
        )
    };
    like(typed, catalog::games().map(game))
}

/// `name=value`, after what stands there already.
fn options(field: &FormField<'_>) -> Vec<FieldChoice> {
    let Some(game) = field.game() else {
        return Vec::new();
    };
    let (before, last) = match field.typed.rsplit_once(char::is_whitespace) {
        Some((before, last)) => (before.trim(), last),
        None => ("", field.typed),
    };
    let chosen = |spec: &OptionSpec| {
        before
            .split_whitespace()
            .filter_map(|pair| pair.split_once(['=', ':']))
            .any(|(name, _)| name.eq_ignore_ascii_case(spec.name))
    };
    let mut choices = Vec::new();
    for spec in game.meta.options.iter().filter(|spec| !chosen(spec)) {
        for value in values(spec) {
            let pair = format!("{}={value}", spec.name);
            if pair.starts_with(&last.to_lowercase()) {
                let line = format!("{before} {pair}");
                choices.push(FieldChoice::new(
                    line.trim(),
                    format!("{}: {}", line.trim(), spec.help),
                ));
            }
        }
    }
    choices
}

/// Some values of an option, the usual one first.
fn values(spec: &OptionSpec) -> Vec<String> {
    let usual = spec.default_text();
    let others: Vec<String> = match spec.kind {
        OptionKind::Switch { .. } => vec!["on".to_owned(), "off".to_owned()],
        OptionKind::Choice { values, .. } => values.iter().map(|value| (*value).to_owned()).collect(),
        OptionKind::Whole { min, max, .. } => (min..=max).take(MOST).map(|value| value.to_string()).collect(),
        OptionKind::Text { examples, .. } => examples.iter().map(|value| (*value).to_owned()).collect(),
    };
    let others = others.into_iter().filter(|value| *value != usual);
    std::iter::once(usual.clone()).chain(others).collect()
}

fn words(verb: Verb, field: &FormField<'_>, game: Option<&'static Entry>) -> Vec<FieldChoice> {
    match verb {
        Verb::Rules => {
            let rules = game.map(Entry::rules);
            let sections = rules.iter().flat_map(|rules| &rules.sections);
            like(
                field.typed,
                sections.map(|section| FieldChoice::plain(section.title)),
            )
        }
        Verb::What => {
            let games = game
                .into_iter()
                .chain(catalog::games().filter(|entry| Some(*entry) != game));
            let terms = games.flat_map(|entry| {
                let terms = entry.rules().terms().into_iter();
                let name = |term: Term| Some((*term.names.first()?, entry.meta.name));
                terms.filter_map(name)
            });
            let mut seen = std::collections::BTreeSet::new();
            let terms = terms.filter(|(term, _)| seen.insert(term.to_lowercase()));
            like(
                field.typed,
                terms.map(|(term, game)| FieldChoice::new(term, format!("{term} ({game})"))),
            )
        }
        Verb::Settings => {
            let values = field
                .other("setting")
                .and_then(Setting::named)
                .map(settings::some_values);
            let values = values.unwrap_or_default();
            like(field.typed, values.into_iter().map(FieldChoice::plain))
        }
        Verb::Help => like(
            field.typed,
            COMMANDS
                .iter()
                .map(|command| FieldChoice::new(command.name, format!("{}: {}", command.name, command.help))),
        ),
        _ => Vec::new(),
    }
}
