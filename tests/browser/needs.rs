//! What some players need: a page on which what happens is spoken, one that stands still, one that asks before it plays, one that
//! nobody encrypts; and hands from which things are dragged.

use serde_json::json;

use crate::chromium::Browser;
use crate::page::{BOARD, LIT, cell, challenged, open};
use crate::tab::Tab;
use crate::touch::middle;
use crate::web::guest::Guest;
use crate::web::house::House;
use crate::web::visitor::{Visitor, personal_link};
use crate::whole::COUNT_ANIMATIONS;

/// Whether the story tells of this place.
fn told(place: &str) -> String {
    format!("document.querySelector('#story').textContent.includes('{place}')")
}

/// A screen reader speaks what is put into a region that it knows, and mostly not what comes with a new one.
#[test]
fn what_the_other_side_plays_is_spoken() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&bea, &code));
    tab.wait("the page as it is", "document.querySelector('#story')");
    tab.run("window.regions = ['told', 'said'].map((id) => document.getElementById(id)); window.put = []; \
             for (const one of window.regions) new MutationObserver(() => window.put.push(one.id)).observe(one, { childList: true });");
    tab.check(
        "both are spoken",
        "window.regions.every((one) => one.ariaLive === 'polite')",
    );
    ann.say(&format!("move #{code} F3-F5"));
    tab.wait("the move", &told("F5"));
    tab.wait(
        "both to tell of it",
        "window.put.includes('told') && window.put.includes('said')",
    );
    tab.check(
        "the regions are still the same",
        "window.regions.every((one) => one === document.getElementById(one.id))",
    );
    tab.check(
        "one tells the move",
        "window.regions[0].textContent.includes('Ann') && window.regions[0].textContent.includes('F5')",
    );
    tab.check(
        "the other whose turn it is",
        "window.regions[1].textContent.includes('Bea')",
    );
    tab.check_console();
}

/// Whoever wants nothing to move is shown the next board and no way there.
#[test]
fn nothing_moves_for_whoever_wants_that() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&bea, &code));
    tab.run(COUNT_ANIMATIONS);
    let follow = |guest: &Guest, action: &str, place: &str| {
        let before = tab.run(&format!("return {BOARD}"));
        guest.say(&format!("move #{code} {action}"));
        tab.wait("the move", &told(place));
        tab.wait("the next board", &format!("{BOARD} && {BOARD} !== {before}"));
        tab.run("return window.shown")
    };
    tab.prefer("prefers-reduced-motion", "reduce");
    assert_eq!(follow(&ann, "F3-F5", "F5"), 0);
    tab.prefer("prefers-reduced-motion", "no-preference");
    assert_ne!(follow(&bea, "F9-F8", "F8"), 0, "others see it slide");
    tab.check_console();
}

/// Whoever confirms moves is shown them first, on their page too.
#[test]
fn a_move_is_played_when_it_is_confirmed() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    ann.say("settings confirm on");
    let code = challenged(&ann, &bea, "phwar");
    let page = Visitor::open(&personal_link(&ann, &code));
    let tab = open(&browser, &personal_link(&ann, &code));
    let version = page.version();
    let touch = |from: &str, to: &str| {
        tab.wait("something lit", &format!("{LIT}.includes('{from}')"));
        tab.click(&cell(from));
        tab.wait("where it can go", &format!("{LIT}.includes('{to}')"));
        tab.click(&cell(to));
        tab.wait(
            "how it would look",
            "document.querySelector('#reply img.loaded')?.naturalWidth > 0",
        );
        assert_eq!(page.version(), version, "nothing is played yet");
    };
    touch("F3", "F5");
    // Put away, it is not played, and another one is looked at.
    tab.click("document.querySelector('#reply .close')");
    tab.wait("nothing to look at", "document.querySelector('#reply').hidden");
    touch("D2", "D3");
    tab.click_button("Play it");
    tab.wait("the move", &told("D3"));
    assert_ne!(page.version(), version);
    tab.check("it and no other", &format!("!{}", told("F5")));
    tab.check_console();
}

/// Outside encrypted pages and this machine a browser has not all that it has inside them.
#[test]
fn a_page_that_nobody_encrypts_is_played_on() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    browser.run_first("delete Crypto.prototype.randomUUID");
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&ann, &code));
    tab.check("it has less", "crypto.randomUUID === undefined");
    tab.wait("something lit", &format!("{LIT}.includes('F3')"));
    tab.click(&cell("F3"));
    tab.wait("where it can go", &format!("{LIT}.includes('F5')"));
    tab.click(&cell("F5"));
    tab.wait("the move", &told("F5"));
    tab.check_console();
}

/// Something in the hand, by its place among what is lit there.
fn in_hand(at: usize) -> String {
    format!("document.querySelectorAll('#hand .spots .spot.next')[{at}]")
}

/// What is in a hand is dragged to where it goes on the board, by this kind of pointer.
#[track_caller]
fn dragged_from_the_hand(pointer: &str) {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    if pointer == "touch" {
        browser.use_touch();
        browser.resize(390, 1500);
    } else {
        browser.resize(1280, 2000);
    }
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "breaker variant=blind");
    let page = Visitor::open(&personal_link(&ann, &code));
    let tab = open(&browser, &personal_link(&ann, &code));
    tab.wait("something lit in the hand", &in_hand(0));
    // Something that is picked and then goes somewhere, in which there may be several places.
    let before = page.version();
    let count = tab.run("return document.querySelectorAll('#hand .spots .spot.next').length");
    let goal = (0..count.as_u64().unwrap() as usize).find_map(|at| {
        tab.click(&in_hand(at));
        tab.wait("picked", "document.querySelector('#hand .spot.picked')");
        let goal = tab.run(&format!("return {LIT}[0] ?? null"));
        tab.click_button("Back");
        tab.wait("put back", "!document.querySelector('.spot.picked')");
        Some((at, goal.as_str()?.to_owned()))
    });
    let (at, goal) = goal.expect("something goes from the hand to the board");
    let start = middle(&tab, &in_hand(at));
    let end = middle(&tab, &cell(&goal));
    assert!(start.1 > end.1, "the hand lies below the board");
    let actions = json!([
        { "type": "pointerMove", "duration": 0, "x": start.0, "y": start.1 },
        { "type": "pointerDown", "button": 0 },
        { "type": "pointerMove", "duration": 80, "x": start.0, "y": start.1 - 30 },
        { "type": "pointerMove", "duration": 80, "x": (start.0 + end.0) / 2, "y": (start.1 + end.1) / 2 },
        { "type": "pointerMove", "duration": 80, "x": end.0, "y": end.1 },
        { "type": "pointerUp", "button": 0 },
    ]);
    let hand = json!({ "type": "pointer", "id": "hand", "parameters": { "pointerType": pointer }, "actions": actions });
    tab.ask("POST", "/actions", &json!({ "actions": [hand] }));
    // It is played, or what is left to choose is asked.
    tab.wait(
        "both to be understood",
        &format!(
            "document.querySelector('#match').dataset.version !== '{before}' \
             || JSON.parse((document.querySelector('#panel').dataset.now || '- []').replace(/^\\S+ /, '')).length === 2"
        ),
    );
    tab.check("nothing is left of it", "!document.querySelector('.ghost')");
    tab.check("nothing has scrolled", "scrollY === 0");
    tab.check_console();
}

#[test]
fn a_block_is_dragged_from_the_hand_with_the_mouse() {
    dragged_from_the_hand("mouse");
}

#[test]
fn a_block_is_dragged_from_the_hand_with_a_finger() {
    dragged_from_the_hand("touch");
}

/// A link whose key is on its way is not refused, and one whose key got lost is tried again, also when the page is loaded anew.
#[test]
fn a_link_whose_key_gets_lost_is_tried_again() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    browser.run_first(
        "const real = window.fetch; window.tries = []; \
         window.fetch = (path, options) => { \
             if (!String(path).endsWith('/key') || localStorage.getItem('released')) return real(path, options); \
             window.tries.push(path); \
             if (window.tries.length === 2) return Promise.resolve(new Response('{}', { status: 429, headers: { 'Retry-After': '1' } })); \
             if (window.tries.length === 3) return Promise.resolve(new Response('<p>Log in to this network', { headers: { 'Content-Type': 'text/html' } })); \
             return Promise.reject(new TypeError('lost')); };",
    );
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let link = personal_link(&ann, &code);
    let tab = Tab::open(&browser, &link);
    let opens = "document.body.innerText.includes('Opening the board') && !document.body.innerText.includes('open to you')";
    tab.wait("several tries", "window.tries.length > 3");
    tab.check("nothing is refused", opens);
    tab.check(
        "it says that it tries",
        "document.body.innerText.includes('I keep trying')",
    );
    // Whoever grows impatient has the link still.
    tab.go(&link);
    tab.ask("POST", "/refresh", &json!({}));
    tab.wait("several tries", "window.tries.length > 1");
    tab.check("nothing is refused", opens);
    tab.run("localStorage.setItem('released', 'yes')");
    tab.wait("the board", BOARD);
    tab.check("the key is gone", "!location.href.includes('#')");
    tab.wait("something lit", &format!("{LIT}.includes('F3')"));
}

/// A key that opens nothing is refused once that is sure, without marks that only chat reads.
#[test]
fn a_link_that_is_not_good_is_refused_when_that_is_sure() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let link = personal_link(&ann, &code);
    let (page, _) = link.split_once('#').unwrap();
    let refused = "document.querySelector('#refusal')?.offsetParent && !document.querySelector('#opening').offsetParent";
    for wrong in [
        format!("{page}#k={}", "0".repeat(64)),
        page.to_owned(),
        format!("{page}#k=1"),
    ] {
        let tab = Tab::open(&browser, &wrong);
        tab.wait("the refusal", refused);
        tab.check(
            "in plain words",
            "document.body.innerText.includes('open to you') && !document.body.innerText.includes('`') && document.querySelector('#refusal code').textContent === 'link'",
        );
    }
    // Pasted into the same tab, a good one opens the board.
    let tab = Tab::open(&browser, page);
    tab.wait("the refusal", refused);
    tab.run(&format!("location.href = '{link}'"));
    tab.wait("the board", BOARD);
    tab.check("the key is gone", "!location.href.includes('#')");
}
