//! Players on Discord, who open their boards by the button under a turn and play on in Chromium.

use serde_json::json;

use crate::chromium::Browser;
use crate::driver::boards::{board_after, code_in, offers};
use crate::driver::{Town, User};
use crate::page::open;
use crate::touch::{By, PAGE, Player, play_together};
use crate::web::visitor::{Visitor, link_in};

#[test]
fn two_players_on_discord_play_by_touch_to_the_end() {
    let mut town = Town::asleep();
    town.start_with(&[("PARLOR_WEB_LISTEN", "127.0.0.1:0")]);
    let [ann, bob] = ["Ann", "Bob"].map(|name| town.user(name));
    let asked = json!({ "game": "glyphgrid", "seating": "order", "player": bob.id_text() });
    let code = code_in(&ann.slash("challenge", &asked).answer().text());
    let invitation = town.square.wait_after(0, "an invitation", |message| {
        offers(message, "Accept") && message.everything().contains(&code)
    });
    bob.press(&invitation, "Accept").words();
    let board = board_after(&town.square, 0, &code);
    let link = |user: &User| link_in(&user.press(&board, "Open board").answer().text());
    let seats = [&ann, &bob].map(|user| Visitor::open(&link(user)));
    let browser = Browser::start();
    browser.become_phone();
    let tabs = [&ann, &bob].map(|user| open(&browser, &link(user)));
    let mut players = tabs.each_ref().map(|tab| Player::at(PAGE, tab, By::Finger));
    players[1].chance = 5;
    play_together(&mut players, &seats);
    // Discord tells of the end like of any other.
    town.square
        .wait_after(board.id, "the end", |message| offers(message, "Rematch"));
    assert_eq!(seats[0].version(), seats[1].version());
    let moves = seats[0].says("<main id=\"match\"", "data-version");
    assert!(moves.parse::<u64>().unwrap() > 8, "{moves}");
}
