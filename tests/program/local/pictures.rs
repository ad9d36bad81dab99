//! Pictures over HTTP.

use crate::web::guest::{Guest, get, sit_down};
use crate::web::house::House;
use crate::web::http::ask;

#[test]
fn boards_are_drawn_for_everybody_in_the_theme_they_ask_for() {
    let house = House::open();
    let (ann, bea) = (
        Guest::come(house.address, "Ann"),
        Guest::come(house.address, "Bea"),
    );
    sit_down(&ann, &bea, "phwar");
    let board = ann.wait("a board", |message| message["picture"].is_object());
    assert_eq!(board["picture"]["private"], false);
    assert!(board["picture"]["alt"].as_str().unwrap().len() > 40);
    let url = board["picture"]["url"].as_str().unwrap();
    let light = get(house.address, url);
    assert_eq!(
        (light.status, light.header("content-type")),
        (200, Some("image/png"))
    );
    assert!(light.body.starts_with(b"\x89PNG"));
    let dark = get(house.address, &format!("{url}?theme=dark"));
    assert_ne!(light.body, dark.body);
    assert_eq!(get(house.address, &format!("{url}?theme=mauve")).status, 400);
    let tag = light.header("etag").unwrap();
    let again = ask(house.address, "GET", url, &[("If-None-Match", tag)], b"").unwrap();
    assert_eq!(again.status, 304);
    assert_ne!(dark.header("etag"), Some(tag));
}

#[test]
fn there_are_no_pictures_to_be_guessed() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    ann.say("\"no picture here\"");
    for name in [
        "1.png",
        "2.png",
        "999999999.png",
        "18446744073709551615.png",
        "-1.png",
        "1",
        "x.png",
        "r00.png",
        ".png",
        "..%2f1.png",
    ] {
        let answer = ann.get(&format!("/api/pictures/{name}"));
        assert_eq!(answer.status, 404, "{name}");
    }
}
