//! Whole matches on the pages of matches, by touch alone: against the bot and between two people, with a finger on a phone,
//! with the mouse, with keys.

use crate::chromium::Browser;
use crate::page::{begun, challenged, open};
use crate::tab::Tab;
use crate::touch::{By, PAGE, Player, play_together};
use crate::web::guest::Guest;
use crate::web::house::House;
use crate::web::visitor::{Visitor, personal_link};

/// More touches than any match needs.
const ENOUGH: usize = 5000;

/// Counts what is shown of moves: how often something slides, turns or fades.
pub const COUNT_ANIMATIONS: &str = "window.shown = 0; new MutationObserver((changes) => { for (const change of changes) for (const node of change.addedNodes) \
     if (node.classList?.contains('passing')) window.shown += 1; }).observe(document.body, { subtree: true, childList: true })";

/// A match against the weakest bot on its page, whatever is lit chosen by this chance; whether it was played to its end.
#[track_caller]
fn against_the_bot(game: &str, by: By, chance: u32, most: usize) -> bool {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    if by == By::Finger {
        browser.become_phone();
    }
    let ann = Guest::come(house.address, "Ann");
    let code = begun(&ann, &format!("challenge bot {game} level=1 order"));
    let tab = open(&browser, &personal_link(&ann, &code));
    tab.run(COUNT_ANIMATIONS);
    let mut player = Player::at(PAGE, &tab, by);
    player.chance = chance;
    let over = player.play(most);
    assert!(over || player.touches == most);
    // Whoever plays by chance may lose soon.
    assert!(player.touches > 2, "that was no match");
    tab.check(
        "it fits the screen",
        "document.documentElement.scrollWidth <= innerWidth",
    );
    tab.check("what happened was shown", "window.shown > 0");
    tab.wait("and is over", "!document.querySelector('.passing, .ghost')");
    tab.check_console();
    println!(
        "{game}: {} touches, {} through the lens",
        player.touches, player.lenses
    );
    over
}

#[test]
fn phwar_is_played_to_the_end_on_a_phone() {
    assert!(against_the_bot("phwar centre=on", By::Finger, 7, ENOUGH));
}

#[test]
fn fabric_is_played_to_the_end_on_a_phone() {
    assert!(against_the_bot("fabric target=50", By::Finger, 7, ENOUGH));
}

#[test]
fn glyphgrid_is_played_to_the_end_on_a_phone() {
    assert!(against_the_bot("glyphgrid", By::Finger, 7, ENOUGH));
}

#[test]
fn breaker_blocks_is_played_to_the_end_on_a_phone() {
    assert!(against_the_bot("breaker", By::Finger, 7, ENOUGH));
}

#[test]
fn phase_is_played_to_the_end_on_a_phone() {
    assert!(against_the_bot("phase", By::Finger, 7, ENOUGH));
}

#[test]
fn a_match_is_played_to_the_end_with_the_mouse() {
    assert!(against_the_bot("fabric target=50", By::Mouse, 7, ENOUGH));
}

#[test]
fn glyphgrid_is_played_to_the_end_with_keys_alone() {
    assert!(against_the_bot("glyphgrid", By::Keys, 23, ENOUGH));
}

/// Games of many decisions with keys alone, for so many touches.
#[test]
fn every_game_is_played_with_keys_alone() {
    for game in ["phwar", "fabric", "breaker", "phase"] {
        against_the_bot(game, By::Keys, 7, 25);
    }
}

/// Two seats in two tabs of one browser, each with a link of its own, play each other to the end.
#[track_caller]
fn between_two(game: &str, by: By) {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    if by == By::Finger {
        browser.become_phone();
    }
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, game);
    let seats = [&ann, &bea].map(|guest| Visitor::open(&personal_link(guest, &code)));
    let tabs = [&ann, &bea].map(|guest| open(&browser, &personal_link(guest, &code)));
    let mut players = tabs.each_ref().map(|tab| Player::at(PAGE, tab, by));
    players[1].chance = 11;
    play_together(&mut players, &seats);
}

#[test]
fn two_people_play_phwar_to_the_end() {
    between_two("phwar centre=on", By::Mouse);
}

#[test]
fn two_people_play_fabric_to_the_end() {
    between_two("fabric target=50", By::Finger);
}

#[test]
fn two_people_play_glyphgrid_to_the_end() {
    between_two("glyphgrid", By::Finger);
}

#[test]
fn two_people_play_breaker_blocks_to_the_end() {
    between_two("breaker", By::Mouse);
}

#[test]
fn two_people_play_phase_to_the_end() {
    between_two("phase", By::Mouse);
}

/// Each tab keeps its own seat, also when it is loaded anew.
#[test]
fn two_seats_in_one_browser_are_two_pages() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tabs = [&ann, &bea].map(|guest| open(&browser, &personal_link(guest, &code)));
    for _ in 0..2 {
        for (tab, turn) in tabs.iter().zip(["true", "false"]) {
            tab.wait(
                "its own seat",
                &format!("document.querySelector('#match').dataset.yourTurn === '{turn}' && document.querySelector('#board img.loaded')"),
            );
            tab.check(
                "it is the first seat's turn",
                &format!(
                    "document.querySelector('.seat.to-move .seat-name').textContent === '{}'",
                    if turn == "true" { "You" } else { "Ann" }
                ),
            );
            tab.ask("POST", "/refresh", &serde_json::json!({}));
        }
    }
    // The link of one seat ends, and the other's goes on.
    ann.say(&format!("link #{code} off"));
    let shut = |tab: &Tab<'_>| tab.is("document.querySelector('.shut-card')");
    tabs[0].wait("the end of the link", "document.querySelector('.shut-card')");
    tabs[1].wait("its board", "document.querySelector('#board img.loaded')");
    assert!(!shut(&tabs[1]));
}
