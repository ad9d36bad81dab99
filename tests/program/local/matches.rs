//! What a guest is told of their matches.

use serde_json::Value;

use crate::web::guest::{Guest, get};
use crate::web::house::House;

/// The only match in a list.
#[track_caller]
fn only(guest: &Guest, list: &str) -> Value {
    let found = guest.get("/api/matches").json();
    let found = found[list].as_array().unwrap().clone();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

#[test]
fn a_match_is_shown_with_board_and_clocks_from_the_guests_side() {
    let house = House::open();
    let (ann, bea) = (
        Guest::come(house.address, "Ann"),
        Guest::come(house.address, "Bea"),
    );
    ann.say("challenge @Bea phwar live5 order");
    bea.say("accept");
    let listed = only(&ann, "matches");
    assert_eq!(listed["stage"], "running");
    let path = format!("/api/matches/{}", listed["code"].as_str().unwrap());
    let table = ann.get(&path).json();
    assert_eq!(table["match"]["version"], listed["version"]);
    assert_eq!(table["hand"], Value::Null, "nothing is hidden in this game");
    let picture = &table["board"]["picture"];
    assert_eq!(picture["match"], listed["code"]);
    assert_eq!(ann.get(picture["url"].as_str().unwrap()).status, 200);
    assert_eq!(
        bea.get(picture["url"].as_str().unwrap()).status,
        404,
        "it is Ann's"
    );
    let clocks = table["match"]["clocks"].as_array().unwrap();
    assert_eq!(
        (&clocks[0]["running"], &clocks[1]["running"]),
        (&true.into(), &false.into())
    );
    assert!(clocks[0]["left"].as_u64().unwrap() <= 300_000);
    assert_eq!(clocks[1]["left"], 300_000);
    // Whatever happens raises the version.
    ann.say("move F3-F5");
    assert!(only(&ann, "matches")["version"].as_u64() > listed["version"].as_u64());
    assert_eq!(get(house.address, &path).status, 401);
    assert_eq!(ann.get("/api/matches/ZZZZ").status, 404);
    assert_eq!(ann.get("/api/matches/%20").status, 404);
}

#[test]
fn a_hand_is_shown_to_its_owner_alone() {
    let house = House::open();
    let [ann, bea, eve] = ["Ann", "Bea", "Eve"].map(|name| Guest::come(house.address, name));
    ann.say("challenge @Bea phase order");
    bea.say("accept");
    let path = format!("/api/matches/{}", only(&ann, "matches")["code"].as_str().unwrap());
    let hand = |guest: &Guest| guest.get(&path).json()["hand"].clone();
    let (first, second) = (hand(&ann), hand(&bea));
    assert!(first["picture"]["url"].is_string(), "{first}");
    assert_ne!(first["plain"], second["plain"]);
    assert_eq!(hand(&eve), Value::Null);
    assert_eq!(eve.get(first["picture"]["url"].as_str().unwrap()).status, 404);
}

#[test]
fn finished_matches_tell_their_result_to_each_player() {
    let house = House::open();
    let (ann, bea) = (
        Guest::come(house.address, "Ann"),
        Guest::come(house.address, "Bea"),
    );
    ann.say("challenge @Bea phwar order");
    bea.say("accept");
    ann.say("resign sure");
    for (guest, result) in [(&ann, "lost"), (&bea, "won")] {
        let finished = only(guest, "finished");
        assert_eq!(finished["result"], result);
        assert_eq!(finished["stage"], "over");
        assert!(finished["ended"].is_u64());
        assert!(
            guest.get("/api/matches").json()["matches"]
                .as_array()
                .unwrap()
                .is_empty()
        );
    }
    ann.say("challenge @Bea phwar order");
    bea.say("accept");
    ann.say("abort");
    let latest = ann.get("/api/matches").json()["finished"][0]["result"].clone();
    assert_eq!(latest, "broken_off");
}

#[test]
fn games_are_offered_with_options_and_lengths() {
    let house = House::open();
    let offered = get(house.address, "/api/games").json();
    for game in offered["games"].as_array().unwrap() {
        assert!(game["moves"].as_u64().unwrap() > 0, "{game}");
        for option in game["options"].as_array().unwrap() {
            let values = option["values"].as_array().unwrap();
            let usual = |value: &&Value| value["value"] == option["default"];
            assert_eq!(values.iter().filter(usual).count(), 1, "{option}");
            assert!(
                values.iter().filter(|value| value["rulebook"] == true).count() <= 1,
                "{option}"
            );
            // Where one value tells the length, all do.
            let told = values.iter().filter(|value| value["moves"].is_u64()).count();
            assert!(told == 0 || told == values.len(), "{option}");
        }
    }
}
