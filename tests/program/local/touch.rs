//! Spots of pictures and touches over HTTP.

use serde_json::{Value, json};

use crate::web::guest::{Guest, get, sit_down};
use crate::web::house::House;

/// Stands for an answer that only says why not.
const REFUSED: u16 = 0;

/// Ann and Bea at a board, Ann to move; with the code of the match.
fn table(house: &House) -> (Guest, Guest, String) {
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    sit_down(&ann, &bea, "phwar");
    let board = ann.wait("a board", |message| message["picture"].is_object());
    let code = board["picture"]["match"].as_str().unwrap().to_owned();
    (ann, bea, code)
}

fn touch(guest: &Guest, code: &str, version: &Value, touches: &Value) -> (u16, Value) {
    let body = json!({ "version": version, "touches": touches });
    let answer = guest.post(&format!("/api/matches/{code}/touch"), &body);
    let told = answer.json();
    assert!(told["refused"].is_null() || told["spots"].is_null());
    // What is refused is answered all the same.
    let refused = told["refused"].is_string() && answer.status == 200;
    (if refused { REFUSED } else { answer.status }, told)
}

fn version(guest: &Guest, code: &str) -> Value {
    guest.get(&format!("/api/matches/{code}")).json()["match"]["version"].clone()
}

fn next(answer: &Value) -> Vec<&str> {
    let spots = answer["spots"].as_array().unwrap().iter();
    let next = spots.filter(|spot| spot["next"] == true);
    next.map(|spot| spot["word"].as_str().unwrap()).collect()
}

#[test]
fn a_picture_tells_what_can_be_touched_in_it() {
    let house = House::open();
    let (ann, _, code) = table(&house);
    let board = ann.get(&format!("/api/matches/{code}")).json()["board"]["picture"].clone();
    let spots = ann.get(board["spots"].as_str().unwrap()).json()["spots"].clone();
    let spots = spots.as_array().unwrap();
    assert_eq!(spots.len(), 91, "every cell");
    let f3 = spots.iter().find(|spot| spot["word"] == "F3").unwrap();
    let (says, holds) = (f3["says"].as_str().unwrap(), f3["holds"].as_str().unwrap());
    assert!(
        says.starts_with("F3, ") && says.ends_with("'s electron"),
        "{says}"
    );
    assert!(says.ends_with(holds), "{holds}");
    assert_eq!(f3["corners"].as_array().unwrap().len(), 6);
    // An answer is for whoever asked.
    assert_eq!(get(house.address, board["spots"].as_str().unwrap()).status, 404);
}

#[test]
fn touches_lead_to_a_command_that_plays() {
    let house = House::open();
    let (ann, bea, code) = table(&house);
    let (first, other) = if touch(&ann, &code, &version(&ann, &code), &json!([])).0 == 200 {
        (ann, bea)
    } else {
        (bea, ann)
    };
    let now = version(&first, &code);
    let (_, start) = touch(&first, &code, &now, &json!([]));
    assert!(next(&start).contains(&"F3") && !next(&start).contains(&"F5"));
    let (_, picked) = touch(&first, &code, &now, &json!([{ "spot": "F3" }]));
    assert!(next(&picked).contains(&"F5"));
    assert_eq!(picked["command"], Value::Null);
    let goal = picked["spots"]
        .as_array()
        .unwrap()
        .iter()
        .find(|spot| spot["word"] == "F5")
        .unwrap();
    let command = goal["command"].as_str().unwrap();
    assert_eq!(command, format!("move #{code}@{now} F3-F5"));
    // In whatever order, and whatever was touched before.
    for touches in [
        json!([{ "spot": "F3" }, { "spot": "F5" }]),
        json!([{ "spot": "F5" }, { "spot": "F3" }]),
        json!([{ "spot": "nowhere" }, { "word": "resign" }, { "spot": "F3" }, { "spot": "F5" }]),
    ] {
        assert_eq!(
            touch(&first, &code, &now, &touches).1["command"],
            command,
            "{touches}"
        );
    }
    assert_eq!(version(&first, &code), now, "touching changes nothing");
    // Others can't touch it, and nobody an earlier board.
    assert_eq!(touch(&other, &code, &now, &json!([])).0, REFUSED);
    let cy = Guest::come(house.address, "Cy");
    assert_eq!(touch(&cy, &code, &now, &json!([])).0, REFUSED);
    assert_eq!(touch(&first, "ZZZZ", &now, &json!([])).0, REFUSED);
    assert_eq!(touch(&first, &code, &json!(0), &json!([])).0, REFUSED);
    assert_eq!(touch(&first, &code, &now, &json!([{ "chair": "F3" }])).0, 400);
    let many: Vec<Value> = (0..65).map(|_| json!({ "spot": "F3" })).collect();
    let (status, told) = touch(&first, &code, &now, &json!(many));
    assert_eq!(status, 422);
    assert!(told["error"].as_str().unwrap().contains("64"), "{told}");
    first.say(command);
    assert_ne!(version(&first, &code), now);
    assert_eq!(
        touch(&first, &code, &now, &json!([])).0,
        REFUSED,
        "the board has gone on"
    );
    let after = version(&other, &code);
    assert_eq!(touch(&other, &code, &after, &json!([])).0, 200);
    // The same command again is for an earlier board.
    first.say(command);
    assert_eq!(version(&other, &code), after);
}

#[test]
fn whoever_confirms_moves_is_shown_them_first() {
    let house = House::open();
    let (ann, _, _) = table(&house);
    ann.say("settings confirm on");
    ann.say("practice fabric");
    let matches = ann.get("/api/matches").json()["matches"].clone();
    let own = matches
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["game"] == "fabric")
        .unwrap();
    let (code, now) = (own["code"].as_str().unwrap(), &own["version"]);
    let touches = json!([{ "spot": "e5" }, { "word": "A" }]);
    let (_, placed) = touch(&ann, code, now, &touches);
    assert_eq!(placed["command"], format!("preview #{code}@{now} A e5"));
}
