//! Bodies that break a limit by one, beside those that just keep it.

use serde_json::{Value, json};

use super::{Client, with, words};

fn long(letters: usize) -> String {
    "é".repeat(letters)
}

fn button(id: &str) -> Value {
    json!({ "type": 2, "style": 1, "label": "Press", "custom_id": id })
}

fn row(widgets: &[Value]) -> Value {
    json!({ "type": 1, "components": widgets })
}

fn select(options: &[Value]) -> Value {
    json!({ "type": 3, "custom_id": "menu", "options": options, "min_values": 1, "max_values": 1 })
}

fn options(count: usize) -> Vec<Value> {
    (0..count)
        .map(|number| json!({ "label": "One", "value": format!("v{number}") }))
        .collect()
}

#[test]
fn messages_within_the_limits_pass_and_others_do_not() {
    let client = Client::new();
    let buttons = |count: usize| -> Vec<Value> { (0..count).map(|n| button(&format!("b{n}"))).collect() };
    let rows =
        |count: usize| -> Vec<Value> { (0..count).map(|n| row(&[button(&format!("r{n}"))])).collect() };
    let embed = |description: usize, title: usize| json!({ "embeds": [{ "description": long(description), "title": long(title) }] });
    let field =
        |name: &str, value: &str| json!({ "embeds": [{ "fields": [{ "name": name, "value": value }] }] });
    let labelled = |label: &str| {
        let mut button = button("x");
        button["label"] = json!(label);
        json!({ "components": [row(&[button])] })
    };
    // What passes, what does not, in pairs that differ by one.
    let pairs: Vec<(Value, Value)> = vec![
        (words(&long(2000)), words(&long(2001))),
        (with(embed(4096, 1)), with(embed(4097, 1))),
        (with(embed(1, 256)), with(embed(1, 257))),
        (
            with(json!({ "embeds": [{ "description": long(3000) }, { "description": long(3000) }] })),
            with(json!({ "embeds": [{ "description": long(3000) }, { "description": long(3001) }] })),
        ),
        (
            with(json!({ "embeds": vec![json!({ "title": "x" }); 10] })),
            with(json!({ "embeds": vec![json!({ "title": "x" }); 11] })),
        ),
        (with(field("n", "v")), with(field("n", ""))),
        (with(field(&long(256), "v")), with(field(&long(257), "v"))),
        (with(field("n", &long(1024))), with(field("n", &long(1025)))),
        (
            with(json!({ "embeds": [{ "image": { "url": "https://example.org/x.png" } }] })),
            with(json!({ "embeds": [{ "image": { "url": "attachment://x.png" } }] })),
        ),
        (
            with(json!({ "components": [row(&buttons(5))] })),
            with(json!({ "components": [row(&buttons(6))] })),
        ),
        (
            with(json!({ "components": rows(5) })),
            with(json!({ "components": rows(6) })),
        ),
        (
            with(json!({ "components": [row(&[button(&long(100))])] })),
            with(json!({ "components": [row(&[button(&long(101))])] })),
        ),
        (
            with(json!({ "components": [row(&[button("a"), button("b")])] })),
            with(json!({ "components": [row(&[button("a"), button("a")])] })),
        ),
        (
            with(json!({ "components": [row(&[button("a")])] })),
            with(json!({ "components": [row(&[button("")])] })),
        ),
        (
            with(json!({ "components": [row(&[button("a")]), row(&[button("b")])] })),
            with(json!({ "components": [row(&[button("a")]), row(&[button("a")])] })),
        ),
        (with(labelled(&long(80))), with(labelled(&long(81)))),
        (with(labelled("x")), with(labelled(""))),
        (
            with(json!({ "components": [row(&[select(&options(25))])] })),
            with(json!({ "components": [row(&[select(&options(26))])] })),
        ),
        (
            with(json!({ "components": [row(&[select(&options(1))])] })),
            with(json!({ "components": [row(&[select(&options(0))])] })),
        ),
        (
            with(json!({ "components": [row(&[select(&options(2))])] })),
            with(json!({ "components": [row(&[select(&[options(1), options(1)].concat())])] })),
        ),
        (
            with(json!({ "components": [row(&[select(&options(2))])] })),
            with(json!({ "components": [row(&[select(&options(2)), button("x")])] })),
        ),
        (
            with(json!({ "nonce": long(25) })),
            with(json!({ "nonce": long(26) })),
        ),
        (
            with(json!({ "nonce": "other", "enforce_nonce": true })),
            with(json!({ "enforce_nonce": true })),
        ),
        (words("Hello"), json!({ "content": "Hello" })),
        (
            with(json!({ "allowed_mentions": { "parse": [], "users": ["1"] } })),
            with(json!({ "allowed_mentions": { "parse": ["users"], "users": ["1"] } })),
        ),
        (with(json!({ "flags": 4 })), with(json!({ "flags": 64 }))),
        (words("x"), words(" ")),
    ];
    for (good, bad) in pairs {
        let (status, _, answer) = client.say(&good);
        assert_eq!(status, 200, "{answer}\n{good}");
        let (status, code, answer) = client.say(&bad);
        assert!(status == 400 && matches!(code, 50035 | 50006), "{answer}\n{bad}");
    }
}

#[test]
fn files_need_an_entry_and_alt_texts_have_a_limit() {
    let client = Client::new();
    let send = |alt: usize, id: u64, bytes: usize| {
        let body = with(json!({
            "attachments": [{ "id": id.to_string(), "filename": "board.png", "description": long(alt) }],
            "embeds": [{ "image": { "url": "attachment://board.png" } }],
        }));
        let part = reqwest::multipart::Part::bytes(vec![7; bytes]).file_name("board.png");
        let form = reqwest::multipart::Form::new()
            .text("payload_json", body.to_string())
            .part("files[0]", part);
        let path = format!("/channels/{}/messages", client.channel);
        client
            .send(client.request("POST", &path).multipart(form))
            .unwrap()
    };
    assert_eq!(send(1024, 0, 10).0, 200);
    assert_eq!(send(1025, 0, 10).1, 50035, "alt text");
    assert_eq!(send(10, 1, 10).1, 50035, "an entry without a file");
    assert_eq!(send(10, 0, 0).1, 50035, "an empty file");
    assert_eq!(send(10, 0, 10 * 1024 * 1024 + 1).1, 50035, "a file too large");
    let kept = client.standin.shared.with(|model| {
        let message = model.messages.values().next().unwrap();
        (
            message.attachments[0].name.clone(),
            message.attachments[0].bytes.len(),
        )
    });
    assert_eq!(kept, ("board.png".to_owned(), 10));
}

fn command(name: &str, options: &Value) -> Value {
    json!({ "type": 1, "name": name, "description": "What it does", "options": options })
}

fn option(name: &str, more: Value) -> Value {
    let mut option = json!({ "type": 3, "name": name, "description": "What it is" });
    for (key, value) in more.as_object().unwrap() {
        option[key] = value.clone();
    }
    option
}

#[test]
fn commands_within_the_limits_pass_and_others_do_not() {
    let client = Client::new();
    let application = client.standin.shared.with(|model| model.application);
    let put = |commands: &Value| {
        client.ask(
            "PUT",
            &format!("/applications/{application}/commands"),
            Some(commands),
        )
    };
    let one = |name: &str| json!([command(name, &json!([]))]);
    let described = |letters: usize| {
        let mut command = command("play", &json!([]));
        command["description"] = json!(long(letters));
        json!([command])
    };
    let taking = |options: Value| json!([command("play", &options)]);
    let many = |count: usize| -> Value {
        (0..count)
            .map(|n| command(&format!("c{n}"), &json!([])))
            .collect()
    };
    let many_options =
        |count: usize| -> Value { (0..count).map(|n| option(&format!("o{n}"), json!({}))).collect() };
    let choices = |count: usize| {
        let choices: Vec<Value> = (0..count)
            .map(|n| json!({ "name": format!("c{n}"), "value": "v" }))
            .collect();
        taking(json!([option("o", json!({ "choices": choices }))]))
    };
    let big = |letters: usize| {
        let options: Vec<Value> = (0..20)
            .map(|n| {
                let choices: Vec<Value> = (0..4)
                    .map(|c| json!({ "name": format!("{c}{}", "n".repeat(letters)), "value": "v" }))
                    .collect();
                option(&format!("o{n}"), json!({ "choices": choices }))
            })
            .collect();
        taking(json!(options))
    };
    let pairs: Vec<(Value, Value)> = vec![
        (one("play"), one("Play")),
        (one("play-it_2"), one("play it")),
        (one(&"p".repeat(32)), one(&"p".repeat(33))),
        (one("p"), one("")),
        (described(100), described(101)),
        (described(1), described(0)),
        (many(100), many(101)),
        (
            json!([command("a", &json!([])), command("b", &json!([]))]),
            json!([command("a", &json!([])), command("a", &json!([]))]),
        ),
        (taking(many_options(25)), taking(many_options(26))),
        (
            taking(json!([
                option("a", json!({ "required": true })),
                option("b", json!({}))
            ])),
            taking(json!([
                option("a", json!({})),
                option("b", json!({ "required": true }))
            ])),
        ),
        (
            taking(json!([option("a", json!({})), option("b", json!({}))])),
            taking(json!([option("a", json!({})), option("a", json!({}))])),
        ),
        (choices(25), choices(26)),
        (
            taking(json!([option("a", json!({ "autocomplete": true }))])),
            taking(json!([option(
                "a",
                json!({ "autocomplete": true, "choices": [{ "name": "n", "value": "v" }] })
            )])),
        ),
        (
            taking(json!([option("a", json!({ "type": 4, "min_value": 1 }))])),
            taking(json!([option("a", json!({ "min_value": 1 }))])),
        ),
        (big(90), big(99)),
    ];
    for (good, bad) in pairs {
        let (status, _, answer) = put(&good);
        assert_eq!(status, 200, "{answer}\n{good}");
        let before = client.standin.shared.with(|model| model.registrations);
        let (status, code, answer) = put(&bad);
        assert_eq!((status, code), (400, 50035), "{answer}\n{bad}");
        assert_eq!(client.standin.shared.with(|model| model.registrations), before);
    }
}

#[test]
fn bodies_that_do_not_fit_the_description_are_refused() {
    let client = Client::new();
    // Nothing but the description knows that a footer is not a number.
    let (status, ..) = client.say(&with(json!({ "embeds": [{ "title": "x", "footer": 5 }] })));
    assert_eq!(status, 400);
    assert!(client.standin.problems(&[50035])[0].contains("does not fit Discord's description"));
    // Numbers as ids of attachments are a gap in the description, and let through.
    let client = Client::new();
    let (_, code, answer) = client.say(&with(json!({ "attachments": [{ "id": 0 }] })));
    assert_eq!(code, 50035);
    assert!(
        answer["message"]
            .as_str()
            .unwrap()
            .contains("no such file was sent"),
        "{answer}"
    );
    assert!(client.standin.problems(&[50035]).is_empty());
}
