//! What the documented limits refuse.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cards::{self, CARDS};
use super::model::EPHEMERAL;
use super::refusal::Refusal;
use super::rest::File;

/// The way a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Sent to a channel.
    Channel,
    /// The answer to an interaction, or a later message with its token.
    Interaction,
    /// A change of a message that is there.
    Edit,
}

pub type Checked = Result<(), Refusal>;

const SUPPRESS_EMBEDS: u64 = 1 << 2;
pub const SUPPRESS_NOTIFICATIONS: u64 = 1 << 12;
/// Ten mebibytes a file.
const LARGEST_FILE: usize = 10 * 1024 * 1024;

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub fn refuse<T>(field: &str, why: &str) -> Result<T, Refusal> {
    Err(Refusal::form(field, why))
}

/// A text of so many characters, if it is there.
pub fn length(field: &str, value: &Value, least: usize, most: usize) -> Checked {
    match value {
        Value::Null => Ok(()),
        Value::String(text) if (least..=most).contains(&text.chars().count()) => Ok(()),
        Value::String(_) => refuse(field, &format!("Must be between {least} and {most} in length.")),
        _ => refuse(field, "Could not be read as a text."),
    }
}

/// The same for one that has to be there.
pub fn needed(field: &str, value: &Value, least: usize, most: usize) -> Checked {
    if value.is_null() {
        return refuse(field, "This field is required");
    }
    length(field, value, least, most)
}

fn at_most(field: &str, value: &Value, most: usize) -> Checked {
    if list(value).len() > most {
        return refuse(field, &format!("Must be {most} or fewer in length."));
    }
    Ok(())
}

/// A message that is sent or edited. `kept` are the names of files that it has already and keeps, `before` its flags.
pub fn message(body: &Value, files: &[File], kept: &[String], before: u64, way: Way) -> Checked {
    length("content", &body["content"], 0, 2000)?;
    embeds(&body["embeds"])?;
    attachments(&body["attachments"], files, way)?;
    let names: Vec<&str> = files
        .iter()
        .map(|file| file.name.as_str())
        .chain(kept.iter().map(String::as_str))
        .collect();
    let said = body["flags"].as_u64();
    if before & CARDS != 0 && said.is_some_and(|flags| flags & CARDS == 0) {
        return refuse("flags", "IS_COMPONENTS_V2 can't be removed");
    }
    if (before | said.unwrap_or_default()) & CARDS != 0 {
        cards::message(body, &names)?;
        mentions(body, way)?;
        nonce(body)?;
        return flags(said.unwrap_or_default(), way);
    }
    for embed in list(&body["embeds"]) {
        for url in [&embed["image"]["url"], &embed["thumbnail"]["url"]] {
            if let Some(name) = url.as_str().and_then(|url| url.strip_prefix("attachment://"))
                && !names.contains(&name)
            {
                return refuse("embeds", &format!("{name} is not attached"));
            }
        }
    }
    components(&body["components"])?;
    mentions(body, way)?;
    nonce(body)?;
    flags(body["flags"].as_u64().unwrap_or_default(), way)?;
    if body["tts"] == true {
        return refuse("tts", "nobody asked to be read to");
    }
    let says_something = ["content", "embeds", "components"]
        .iter()
        .any(|key| match &body[*key] {
            Value::String(text) => !text.trim().is_empty(),
            Value::Array(some) => !some.is_empty(),
            _ => false,
        });
    if way != Way::Edit && !says_something && files.is_empty() {
        return Err(Refusal::EMPTY_MESSAGE.into());
    }
    Ok(())
}

fn embeds(embeds: &Value) -> Checked {
    at_most("embeds", embeds, 10)?;
    let mut total = 0;
    let mut count = |value: &Value| total += value.as_str().map_or(0, |text| text.chars().count());
    for embed in list(embeds) {
        length("embeds.title", &embed["title"], 1, 256)?;
        length("embeds.description", &embed["description"], 1, 4096)?;
        length("embeds.footer.text", &embed["footer"]["text"], 1, 2048)?;
        length("embeds.author.name", &embed["author"]["name"], 1, 256)?;
        at_most("embeds.fields", &embed["fields"], 25)?;
        for part in ["title", "description"] {
            count(&embed[part]);
        }
        count(&embed["footer"]["text"]);
        count(&embed["author"]["name"]);
        for field in list(&embed["fields"]) {
            needed("embeds.fields.name", &field["name"], 1, 256)?;
            needed("embeds.fields.value", &field["value"], 1, 1024)?;
            count(&field["name"]);
            count(&field["value"]);
        }
    }
    if total > 6000 {
        return refuse("embeds", "Embed size exceeds maximum size of 6000");
    }
    Ok(())
}

fn attachments(described: &Value, files: &[File], way: Way) -> Checked {
    at_most("attachments", described, 10)?;
    if files.len() > 10 {
        return refuse("files", "Must be 10 or fewer in length.");
    }
    let mut ids = BTreeSet::new();
    for attachment in list(described) {
        length("attachments.description", &attachment["description"], 0, 1024)?;
        length("attachments.filename", &attachment["filename"], 1, 1024)?;
        let id = match &attachment["id"] {
            Value::Number(number) => number.to_string(),
            Value::String(id) => id.clone(),
            _ => return refuse("attachments.id", "This field is required"),
        };
        let is_file = files.iter().any(|file| file.number == id);
        if !is_file && way != Way::Edit {
            return refuse("attachments.id", "no such file was sent");
        }
        if !ids.insert(id) {
            return refuse("attachments.id", "Must be unique.");
        }
    }
    for file in files {
        if file.bytes.is_empty() || file.bytes.len() > LARGEST_FILE {
            return refuse("files", "Request entity too large, or empty");
        }
        if !described.is_null() && !ids.contains(&file.number) {
            return refuse("files", "sent, but not among the attachments");
        }
    }
    Ok(())
}

fn components(rows: &Value) -> Checked {
    at_most("components", rows, 5)?;
    let mut ids = BTreeSet::new();
    for row in list(rows) {
        if row["type"] != 1 {
            return refuse("components.type", "only rows of components are known here");
        }
        self::row(row, &mut ids)?;
    }
    Ok(())
}

/// A row of buttons, or with a select; `ids` are those of the rows before it.
pub fn row(row: &Value, ids: &mut BTreeSet<String>) -> Checked {
    let widgets = list(&row["components"]);
    if !(1..=5).contains(&widgets.len()) {
        return refuse("components.components", "Must be between 1 and 5 in length.");
    }
    for widget in widgets {
        let kind = widget["type"].as_u64().unwrap_or_default();
        match kind {
            2 => button(widget)?,
            3 => select(widget, widgets)?,
            _ => return refuse("components.type", "no component that is known here"),
        }
        if let Some(id) = widget["custom_id"].as_str()
            && !ids.insert(id.to_owned())
        {
            return refuse("components.custom_id", "Component custom id cannot be duplicated");
        }
    }
    Ok(())
}

fn button(button: &Value) -> Checked {
    length("components.label", &button["label"], 1, 80)?;
    if button["label"].is_null() && button["emoji"].is_null() {
        return refuse("components.label", "A button needs a label or an emoji");
    }
    match button["style"].as_u64() {
        Some(1..=4) if button["url"].is_null() => {
            needed("components.custom_id", &button["custom_id"], 1, 100)
        }
        Some(5) if button["custom_id"].is_null() => needed("components.url", &button["url"], 1, 512),
        _ => refuse("components.style", "no such style, or a url that does not fit it"),
    }
}

fn select(select: &Value, row: &[Value]) -> Checked {
    if row.len() != 1 {
        return refuse("components.components", "A select stands alone in its row");
    }
    needed("components.custom_id", &select["custom_id"], 1, 100)?;
    length("components.placeholder", &select["placeholder"], 0, 150)?;
    let options = list(&select["options"]);
    if !(1..=25).contains(&options.len()) {
        return refuse("components.options", "Must be between 1 and 25 in length.");
    }
    let mut values = BTreeSet::new();
    for option in options {
        needed("components.options.label", &option["label"], 1, 100)?;
        needed("components.options.value", &option["value"], 1, 100)?;
        length("components.options.description", &option["description"], 1, 100)?;
        if !values.insert(option["value"].to_string()) {
            return refuse(
                "components.options.value",
                "The specified option value is already used",
            );
        }
    }
    let count = options.len() as u64;
    let least = select["min_values"].as_u64().unwrap_or(1);
    let most = select["max_values"].as_u64().unwrap_or(1);
    if least > most || most > count || most == 0 {
        return refuse("components.max_values", "does not fit the options");
    }
    Ok(())
}

/// Stricter than Discord: who is pinged is always said.
fn mentions(body: &Value, way: Way) -> Checked {
    let allowed = &body["allowed_mentions"];
    if allowed.is_null() {
        let speaks = body["content"]
            .as_str()
            .is_some_and(|content| !content.is_empty())
            || body["flags"].as_u64().unwrap_or_default() & CARDS != 0;
        return match way {
            Way::Edit if !speaks => Ok(()),
            Way::Edit | Way::Channel | Way::Interaction => {
                refuse("allowed_mentions", "left out: whoever is named would be pinged")
            }
        };
    }
    for kind in list(&allowed["parse"]) {
        if !matches!(kind.as_str(), Some("users" | "roles" | "everyone")) {
            return refuse("allowed_mentions.parse", "no such kind of mention");
        }
        if !list(&allowed[kind.as_str().unwrap_or_default()]).is_empty() {
            return refuse("allowed_mentions.parse", "mutually exclusive with a list of ids");
        }
    }
    at_most("allowed_mentions.users", &allowed["users"], 100)?;
    at_most("allowed_mentions.roles", &allowed["roles"], 100)
}

fn nonce(body: &Value) -> Checked {
    match &body["nonce"] {
        Value::Null if body["enforce_nonce"] == true => refuse("nonce", "enforced, but not there"),
        Value::Null => Ok(()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Ok(()),
        nonce => length("nonce", nonce, 1, 25),
    }
}

fn flags(flags: u64, way: Way) -> Checked {
    let known = match way {
        Way::Channel => SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | CARDS,
        Way::Interaction => SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | EPHEMERAL | CARDS,
        Way::Edit => SUPPRESS_EMBEDS | CARDS,
    };
    if flags & !known != 0 {
        return refuse("flags", "flags that can't be set here");
    }
    Ok(())
}

/// What is offered while somebody types.
pub fn choices(choices: &Value) -> Checked {
    let Some(all) = choices.as_array() else {
        return refuse("choices", "This field is required");
    };
    if all.len() > 25 {
        return refuse("choices", "Must be 25 or fewer in length.");
    }
    for choice in all {
        choice_of_option(choice)?;
    }
    Ok(())
}

fn choice_of_option(choice: &Value) -> Checked {
    needed("choices.name", &choice["name"], 1, 100)?;
    match &choice["value"] {
        Value::Number(_) => Ok(()),
        value => needed("choices.value", value, 1, 100),
    }
}

/// A form that pops up.
pub fn modal(data: &Value) -> Checked {
    needed("title", &data["title"], 1, 45)?;
    needed("custom_id", &data["custom_id"], 1, 100)?;
    let rows = list(&data["components"]);
    if !(1..=5).contains(&rows.len()) {
        return refuse("components", "Must be between 1 and 5 in length.");
    }
    for row in rows {
        let [input] = list(&row["components"]) else {
            return refuse("components", "One input a row");
        };
        if input["type"] != 4 {
            return refuse("components.type", "only inputs are known here");
        }
        needed("components.custom_id", &input["custom_id"], 1, 100)?;
        needed("components.label", &input["label"], 1, 45)?;
        length("components.placeholder", &input["placeholder"], 0, 100)?;
        length("components.value", &input["value"], 0, 4000)?;
    }
    Ok(())
}

/// All commands of the application at once.
pub fn commands(all: &[Value]) -> Checked {
    let mut names = BTreeSet::new();
    let slash = all
        .iter()
        .filter(|command| command["type"].as_u64().unwrap_or(1) == 1);
    if slash.count() > 100 {
        return refuse("commands", "Maximum number of application commands reached (100)");
    }
    for command in all {
        let kind = command["type"].as_u64().unwrap_or(1);
        if !names.insert((kind, command["name"].to_string())) {
            return refuse("name", "Application command names must be unique");
        }
        match kind {
            1 => slash_command(command)?,
            2 | 3 => needed("name", &command["name"], 1, 32)?,
            _ => return refuse("type", "no command that is known here"),
        }
        for (key, known) in [("contexts", 0..=2), ("integration_types", 0..=1)] {
            for value in list(&command[key]) {
                if !value.as_u64().is_some_and(|value| known.contains(&value)) {
                    return refuse(key, "no such value");
                }
            }
        }
    }
    Ok(())
}

fn slash_command(command: &Value) -> Checked {
    name("name", &command["name"])?;
    needed("description", &command["description"], 1, 100)?;
    options(&command["options"], 0)?;
    if size(command) > 8000 {
        return refuse("options", "Command exceeds maximum size (8000)");
    }
    Ok(())
}

fn name(field: &str, value: &Value) -> Checked {
    needed(field, value, 1, 32)?;
    let name = value.as_str().unwrap_or_default();
    let fits = |letter: char| matches!(letter, '-' | '_' | '\'') || letter.is_alphanumeric();
    if !name.chars().all(fits) || name.to_lowercase() != name {
        return refuse(field, "Command name is invalid");
    }
    Ok(())
}

const TEXT: u64 = 3;

fn options(options: &Value, depth: usize) -> Checked {
    at_most("options", options, 25)?;
    let (mut names, mut optional_seen, mut nested) = (BTreeSet::new(), false, 0);
    for option in list(options) {
        name("options.name", &option["name"])?;
        needed("options.description", &option["description"], 1, 100)?;
        if !names.insert(option["name"].to_string()) {
            return refuse("options.name", "Option names must be unique");
        }
        let required = option["required"] == true;
        if required && optional_seen {
            return refuse(
                "options",
                "Required options must be placed before non-required options",
            );
        }
        let kind = option["type"].as_u64().unwrap_or_default();
        match kind {
            1 | 2 if depth < 2 => {
                nested += 1;
                self::options(&option["options"], depth + 1)?;
                continue;
            }
            3..=11 => optional_seen |= !required,
            _ => return refuse("options.type", "no such type here"),
        }
        at_most("options.choices", &option["choices"], 25)?;
        let mut values = BTreeSet::new();
        for choice in list(&option["choices"]) {
            choice_of_option(choice)?;
            if !values.insert(choice["name"].to_string()) {
                return refuse("options.choices", "Choice names must be unique");
            }
        }
        if option["autocomplete"] == true && !list(&option["choices"]).is_empty() {
            return refuse("options.autocomplete", "not together with choices");
        }
        let takes_numbers = matches!(kind, 4 | 10);
        let has_range = !option["min_value"].is_null() || !option["max_value"].is_null();
        let has_length = !option["min_length"].is_null() || !option["max_length"].is_null();
        let offers = option["autocomplete"] == true || !list(&option["choices"]).is_empty();
        if (has_range && !takes_numbers) || (has_length && kind != TEXT) {
            return refuse("options", "a range that its type does not have");
        }
        if offers && !takes_numbers && kind != TEXT {
            return refuse("options.choices", "only texts and numbers have choices");
        }
    }
    if nested > 0 && nested != list(options).len() {
        return refuse(
            "options",
            "Sub-command and non-sub-command option types are mutually exclusive",
        );
    }
    Ok(())
}

/// The letters of a command that count against its greatest size.
fn size(command: &Value) -> usize {
    let letters = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
    let own = letters(&command["name"]) + letters(&command["description"]);
    let choices = list(&command["choices"]).iter();
    let choices = choices.map(|choice| letters(&choice["name"]) + letters(&choice["value"]));
    own + choices.sum::<usize>() + list(&command["options"]).iter().map(size).sum::<usize>()
}
