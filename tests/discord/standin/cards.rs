//! Components of the second kind: what the documented limits refuse of them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::limits::{self, Checked, length, list, needed, refuse};

/// The message has these, and nothing else.
pub const CARDS: u64 = 1 << 15;

/// The kinds of components.
const ROW: u64 = 1;
const SECTION: u64 = 9;
const TEXT: u64 = 10;
const GALLERY: u64 = 12;
const SEPARATOR: u64 = 14;
const CONTAINER: u64 = 17;

const COMPONENTS: usize = 40;
const CHARACTERS: usize = 4000;

/// What has been counted so far.
#[derive(Default)]
struct Count {
    components: usize,
    characters: usize,
    ids: BTreeSet<String>,
    /// The files that are shown.
    shown: BTreeSet<String>,
}

/// Checks a message whose files, new and kept, have these names.
pub fn message(body: &Value, names: &[&str]) -> Checked {
    for field in ["content", "embeds", "poll", "sticker_ids"] {
        if !body[field].is_null() {
            return refuse(field, "can't be used with IS_COMPONENTS_V2");
        }
    }
    // An edit may leave them out.
    let Some(parts) = body.get("components") else {
        return Ok(());
    };
    if list(parts).is_empty() {
        return refuse("components", "would take words and picture away");
    }
    let mut count = Count::default();
    for part in list(parts) {
        component(part, &mut count, names)?;
    }
    if count.components > COMPONENTS {
        return refuse("components", "The total number of components must be 40 or fewer");
    }
    if count.characters > CHARACTERS {
        return refuse("components", "The total text must be 4000 or fewer in length");
    }
    if let Some(hidden) = names.iter().find(|name| !count.shown.contains(**name)) {
        return refuse("attachments", &format!("{hidden} is shown nowhere"));
    }
    Ok(())
}

fn component(part: &Value, count: &mut Count, names: &[&str]) -> Checked {
    count.components += 1;
    match part["type"].as_u64() {
        Some(ROW) => {
            let widgets = list(&part["components"]);
            count.components += widgets.len();
            limits::row(part, &mut count.ids)
        }
        Some(TEXT) => text(part, count),
        Some(GALLERY) => gallery(part, count, names),
        Some(SEPARATOR) => Ok(()),
        Some(CONTAINER) => {
            let accent = &part["accent_color"];
            if !accent.is_null() && accent.as_u64().is_none_or(|colour| colour > 0x00ff_ffff) {
                return refuse("components.accent_color", "no colour");
            }
            let parts = list(&part["components"]);
            if parts.is_empty() {
                return refuse("components.components", "This field is required");
            }
            for part in parts {
                if part["type"] == CONTAINER {
                    return refuse("components.type", "no container in another");
                }
                component(part, count, names)?;
            }
            Ok(())
        }
        Some(SECTION) => refuse("components.type", "nobody here uses sections"),
        _ => refuse("components.type", "no component that is known here"),
    }
}

fn text(part: &Value, count: &mut Count) -> Checked {
    needed("components.content", &part["content"], 1, CHARACTERS)?;
    let words = part["content"].as_str().unwrap_or_default();
    if words.trim().is_empty() {
        return refuse("components.content", "This field is required");
    }
    count.characters += words.chars().count();
    Ok(())
}

fn gallery(part: &Value, count: &mut Count, names: &[&str]) -> Checked {
    let items = list(&part["items"]);
    if !(1..=10).contains(&items.len()) {
        return refuse("components.items", "Must be between 1 and 10 in length.");
    }
    for item in items {
        length("components.items.description", &item["description"], 1, 1024)?;
        let alt = item["description"].as_str().unwrap_or_default();
        count.characters += alt.chars().count();
        let url = item["media"]["url"].as_str().unwrap_or_default();
        match url.strip_prefix("attachment://") {
            Some(name) if names.contains(&name) => count.shown.insert(name.to_owned()),
            _ => return refuse("components.items.media", "is not attached"),
        };
    }
    Ok(())
}
