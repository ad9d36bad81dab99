//! Discord's own description of its API: what the bodies of requests must look like. `tests/data/discord/openapi.json` holds
//! as much of it as the bot's requests need; a request that isn't in it is refused, so a new one has to be added there.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::rest::Call;

const DOCUMENT: &str = include_str!("../../data/discord/openapi.json");

struct Description {
    document: Value,
    validators: Mutex<HashMap<String, Option<Arc<Validator>>>>,
}

static DESCRIPTION: LazyLock<Description> = LazyLock::new(|| Description {
    document: serde_json::from_str(DOCUMENT).expect("the API's description is JSON"),
    validators: Mutex::default(),
});

/// What of a request's body does not fit the description.
pub fn check(call: &Call) -> Result<(), String> {
    let Some(body) = &call.body else {
        return Ok(());
    };
    let Some(template) = DESCRIPTION.template(call) else {
        return Err(format!("{} {}: not in the description", call.method, call.route));
    };
    let Some(validator) = DESCRIPTION.validator(&template, &call.method.to_lowercase()) else {
        return Err(format!("{} {}: takes no body", call.method, call.route));
    };
    let body = without_gaps(body.clone());
    let problems: Vec<String> = validator
        .iter_errors(&body)
        .map(|error| format!("{}: {}", error.instance_path, shortened(&error.to_string())))
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!("{} {}: {}", call.method, call.route, problems.join("; ")))
}

fn shortened(text: &str) -> String {
    text.chars().take(600).collect()
}

/// The description wants ids of attachments as texts; Discord takes numbers as well.
fn without_gaps(mut body: Value) -> Value {
    let text_ids = |body: &mut Value| {
        for attachment in body["attachments"].as_array_mut().into_iter().flatten() {
            if let Some(id) = attachment["id"].as_u64() {
                attachment["id"] = json!(id.to_string());
            }
        }
    };
    if body.is_object() {
        if !body["attachments"].is_null() {
            text_ids(&mut body);
        }
        if !body["data"]["attachments"].is_null() {
            text_ids(&mut body["data"]);
        }
        // Reading with an index leaves nothing behind in an object, unless it is written to.
    }
    body
}

impl Description {
    /// The path with placeholders that a request's path fits, the one with the fewest if there are several.
    fn template(&self, call: &Call) -> Option<String> {
        let paths = self.document["paths"].as_object()?;
        let fits = |template: &&String| {
            let parts: Vec<&str> = template.split('/').skip(1).collect();
            let given = call.path();
            parts.len() == given.len()
                && parts
                    .iter()
                    .zip(&given)
                    .all(|(part, given)| part.starts_with('{') || part == given)
        };
        let placeholders = |template: &&String| template.matches('{').count();
        paths.keys().filter(fits).min_by_key(placeholders).cloned()
    }

    fn validator(&self, template: &str, method: &str) -> Option<Arc<Validator>> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{method} {template}");
        let made = validators.entry(key).or_insert_with(|| {
            let body = &self.document["paths"][template][method]["requestBody"];
            let schema = &body["content"]["application/json"]["schema"];
            if schema.is_null() {
                return None;
            }
            let mut whole = json!({ "components": self.document["components"] });
            whole["allOf"] = json!([schema]);
            Some(Arc::new(
                jsonschema::draft202012::new(&whole).expect("the description is sound"),
            ))
        });
        made.clone()
    }
}
