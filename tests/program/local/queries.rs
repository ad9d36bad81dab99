//! What follows the `?`: strange texts are answered, never with a fault.

use crate::texts::{shaken, text};
use crate::web::guest::{Guest, sit_down};
use crate::web::house::House;
use parlor::game::GameRng;

/// A text as a query carries it.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn a_line_may_end_with_any_kind_of_space() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    for space in [" ", "\u{a0}", "\u{2003}", "\u{3000}", "\t", "\n"] {
        let line = encoded(&format!("card{space}"));
        let answer = ann.get(&format!("/api/suggest?line={line}"));
        assert_eq!(answer.status, 200, "{space:?}");
    }
    Guest::come(house.address, "Zoë");
    let offered = ann.get(&format!("/api/suggest?line={}", encoded("challenge\u{3000}@zo")));
    let first = &offered.json()["suggestions"][0];
    assert_eq!(first["line"], "challenge\u{3000}@Zoë ", "what was typed stays");
}

#[test]
fn no_query_brings_a_fault_to_light() {
    let house = House::open();
    let (ann, bea) = (
        Guest::come(house.address, "Ann"),
        Guest::come(house.address, "Bea"),
    );
    let game = parlor::catalog::games().next().unwrap().meta.id;
    sit_down(&ann, &bea, game);
    let samples = [
        "card\u{a0}wolf",
        "challenge @bea phwar seats=3 clock=relaxed",
        "move F2-F5; F9-F7",
        "@Zoë\u{2003}",
        "deck add mine F1 F2 F3",
        "18446744073709551615",
        "only",
        "parlor",
    ]
    .map(str::to_owned);
    let places = [
        "/api/suggest?line=",
        "/api/suggest?room=parlor&line=",
        "/api/suggest?room=",
        "/api/messages?limit=",
        "/api/messages?after=",
        "/api/messages?before=",
        "/api/messages?private=",
        "/api/messages?room=",
        "/api/pictures/1.png?theme=",
        "/api/pictures/",
    ];
    for number in 0..600 {
        let mut rng = GameRng::quick(number);
        let strange = if rng.below(3) == 0 {
            text(&mut rng, &samples)
        } else {
            shaken(&mut rng, &samples)
        };
        let strange: String = strange.chars().take(300).collect();
        let place = if rng.below(2) == 0 {
            places[0]
        } else {
            places[rng.below(places.len())]
        };
        let answer = ann.get(&format!("{place}{}", encoded(&strange)));
        assert!(answer.status < 500, "{place}{strange:?}: {}", answer.text());
    }
}
