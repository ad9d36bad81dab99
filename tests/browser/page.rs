//! The page of a match: opened by a link from chat, and played by touch.

use std::sync::Arc;

use parlor::matches::port::Store;
use parlor::store::MemoryStore;
use serde_json::{Value, json};

use crate::driver::Browser;
use crate::tab::Tab;
use crate::touch::{By, PAGE, Player};
use crate::web::guest::Guest;
use crate::web::house::House;
use crate::web::visitor::{link_in, personal_link};

const BOARD: &str = "document.querySelector('#board img.loaded')?.src";

/// A guest at a match that they have begun by this line; its code.
fn begun(guest: &Guest, line: &str) -> String {
    let said = guest.hear(line);
    let code = said
        .split('#')
        .nth(1)
        .unwrap_or_else(|| panic!("no match: {said}"));
    code.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn challenged(host: &Guest, other: &Guest, game: &str) -> String {
    let code = begun(host, &format!("challenge @{} {game} order", other.name));
    other.say(&format!("accept #{code}"));
    code
}

/// Opens a link; the key is gone from the address bar.
fn open<'b>(browser: &'b Browser, link: &str) -> Tab<'b> {
    let tab = Tab::open(browser, link);
    tab.wait("the board", BOARD);
    tab.check(
        "the key is gone from the address bar",
        "!location.href.includes('#')",
    );
    tab.check("no script can read it", "document.cookie === ''");
    // Before the key was traded the page was not open: the browser notes that, and nothing else may go wrong.
    tab.ask("POST", "/se/log", &json!({ "type": "browser" }));
    tab
}

/// A match against the weakest bot, all of it by touch on its page.
#[track_caller]
fn whole_match(line: &str, by: By, most: usize) -> bool {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    if by == By::Finger {
        browser.resize(390, 844);
        browser.use_touch();
    }
    let ann = Guest::come(house.address, "Ann");
    let code = begun(&ann, line);
    let tab = open(&browser, &personal_link(&ann, &code));
    let mut player = Player::at(PAGE, &tab, by);
    let over = player.play(most);
    assert!(over || player.touches == most);
    tab.check(
        "it fits the screen",
        "document.documentElement.scrollWidth <= innerWidth",
    );
    tab.check_console();
    over
}

#[test]
fn a_match_is_played_to_the_end_on_its_page_with_a_finger() {
    assert!(whole_match(
        "challenge bot glyphgrid level=1 order",
        By::Finger,
        2000
    ));
}

#[test]
fn every_game_is_played_on_its_page_with_a_finger() {
    for game in ["phwar", "fabric", "breaker", "phase"] {
        whole_match(&format!("challenge bot {game} level=1 order"), By::Finger, 30);
    }
}

#[test]
fn a_match_is_played_to_the_end_on_its_page_with_the_mouse() {
    assert!(whole_match(
        "challenge bot fabric level=1 target=50 order",
        By::Mouse,
        2000
    ));
}

#[test]
fn a_page_is_played_with_keys_alone() {
    whole_match("challenge bot glyphgrid level=1 order", By::Keys, 20);
}

fn cell(word: &str) -> String {
    format!("document.querySelector('#board .spots .spot[data-word=\"{word}\"]')")
}

const LIT: &str = "[...document.querySelectorAll('#board .spot.next')].map((one) => one.dataset.word)";

#[test]
fn two_tabs_of_a_seat_and_a_watcher_follow_what_is_played() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    ann.say(&format!("watch #{code}"));
    bea.say(&format!("accept #{code}"));
    let one = open(&browser, &personal_link(&ann, &code));
    let two = open(&browser, &personal_link(&ann, &code));
    let watcher = open(&browser, &link_in(&ann.hear(&format!("watch #{code}"))));
    watcher.check(
        "nothing can be pressed",
        "!document.querySelector('[data-command]')",
    );
    watcher.check("nothing is lit", &format!("{LIT}.length === 0"));
    one.wait("something lit", &format!("{LIT}.includes('F3')"));
    let before = watcher.run(&format!("return {BOARD}"));
    one.click(&cell("F3"));
    one.wait("where it can go", &format!("{LIT}.includes('F5')"));
    one.click(&cell("F5"));
    one.wait("the others to move", "document.querySelector('#panel').hidden && document.querySelector('#story').textContent.includes('F5')");
    // The other tab is told as soon as it is looked at.
    two.wait("the other tab", "document.querySelector('#panel').hidden && document.querySelector('#story').textContent.includes('F5')");
    watcher.wait("the move", &format!("{BOARD} && {BOARD} !== {before}"));
    bea.say(&format!("move #{code} F9-F8"));
    watcher.wait(
        "the reply",
        "document.querySelector('#story').textContent.includes('F8')",
    );
    two.wait("the turn", &format!("{LIT}.length > 0"));
    // Stepping, by link and by key, and back to now.
    watcher.click("document.querySelector('#back')");
    watcher.wait(
        "the first turn",
        "location.pathname.endsWith('/1') && document.querySelector('#told').textContent.includes('Turn 1')",
    );
    let key = |key: &str| {
        let actions = json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        watcher.ask(
            "POST",
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }),
        );
    };
    key("\u{e012}");
    watcher.wait(
        "the opening",
        "document.querySelector('#told').textContent.includes('opening')",
    );
    key("\u{e010}");
    watcher.wait("now", "document.querySelector('#match').dataset.live === 'true'");
    // When the links end, so do the pages.
    ann.say(&format!("link #{code} off"));
    one.wait("the end of the link", "document.querySelector('.shut-card')");
    ann.say(&format!("watch #{code} off"));
    watcher.wait("the end of the link", "document.querySelector('.shut-card')");
}

#[test]
fn a_stale_page_plays_nothing() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&ann, &code));
    tab.wait("something lit", &format!("{LIT}.includes('F3')"));
    // The page reads nothing any more, and Ann plays in chat.
    tab.run("window.fetched = window.fetch; window.fetch = (path, options) => String(path).startsWith('/m/') && !options?.method ? new Promise(() => {}) : window.fetched(path, options)");
    ann.say(&format!("move #{code} F3-F5"));
    tab.run("window.fetch = window.fetched");
    tab.click(&cell("D2"));
    tab.wait(
        "a word about it",
        "document.querySelector('#notice').textContent.length > 0",
    );
    assert!(
        !ann.everything()
            .iter()
            .any(|message| message["plain"].as_str().unwrap().contains("from D2"))
    );
}

#[test]
fn a_page_goes_on_after_the_server_was_killed() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let house = House::with_pages_over(Arc::clone(&store), &[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&ann, &code));
    let at = house.pages.unwrap();
    drop(house);
    let house = House::with_pages_at(at, store);
    let ann = Guest {
        address: house.address,
        ..ann
    };
    ann.say(&format!("move #{code} F3-F5"));
    tab.wait(
        "the move",
        "document.querySelector('#story').textContent.includes('F5')",
    );
}

/// How long it takes until a touch is answered, told and not judged: machines differ.
#[test]
fn touches_are_answered_at_once() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let ann = Guest::come(house.address, "Ann");
    let code = begun(&ann, "practice phwar");
    let tab = open(&browser, &personal_link(&ann, &code));
    let mut figures: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    // Each time in the page itself: from a touch to what it lights, and from the last touch to the new board.
    let touch = "const spot = (word) => document.querySelector(`#board .spots .spot[data-word=\"${word}\"]`); \
        const until = (test) => new Promise((done) => { const look = () => (test() ? done(performance.now()) : requestAnimationFrame(look)); look(); }); \
        const lit = () => [...document.querySelectorAll('#board .spot.next:not(.picked)')].map((one) => one.dataset.word); \
        const picked = () => document.querySelectorAll('#board .spot.picked').length; \
        const press = (word) => spot(word).dispatchEvent(new MouseEvent('click', { bubbles: true })); \
        window.timed = (async () => { \
            await until(() => lit().length > 0 && picked() === 0); \
            const from = lit()[0]; const began = performance.now(); press(from); \
            const light = await until(() => picked() > 0) - began; \
const image = () => document.querySelector('#board img').src; const board = image(); \
            const panel = document.querySelector('#panel'); let last; \
            do { \
                const asked = panel.dataset.now; last = performance.now(); press(lit()[0]); \
                await until(() => image() !== board || (!panel.hidden && panel.dataset.now !== asked && lit().length > 0)); \
            } while (image() === board); \
            const shown = performance.now() - last; \
            window.figures = [light, shown]; \
        })();";
    for _ in 0..12 {
        tab.run(&format!("window.figures = null; {touch}"));
        tab.wait("the next board", "window.figures");
        let told = tab.run("return window.figures");
        for (list, figure) in figures.iter_mut().zip(told.as_array().unwrap()) {
            list.push(figure.as_f64().unwrap());
        }
    }
    for (name, mut list) in ["touch to lit", "touch to board"].into_iter().zip(figures) {
        list.sort_by(f64::total_cmp);
        println!(
            "{name}: median {:.0} ms, longest {:.0} ms",
            list[list.len() / 2],
            list[list.len() - 1]
        );
    }
    tab.check_console();
}

/// Pictures of pages, for whoever wants to look at them: `PARLOR_SCREENSHOTS` names a folder.
#[test]
fn pages_fit_phones_and_desks() {
    let house = House::with_pages(&[]);
    for (width, height) in [(390, 844), (1280, 800)] {
        let browser = Browser::start();
        browser.resize(width, height);
        for (number, game) in ["phwar", "fabric", "glyphgrid", "breaker variant=blind", "phase"]
            .into_iter()
            .enumerate()
        {
            let [ann, bea] =
                ["Ann", "Bea"].map(|name| Guest::come(house.address, &format!("{name}{width}x{number}")));
            let code = challenged(&ann, &bea, &format!("{game} live 30m"));
            let tab = open(&browser, &personal_link(&ann, &code));
            tab.wait("the story", "document.querySelector('#story')");
            tab.check(
                "it fits the screen",
                "document.documentElement.scrollWidth <= innerWidth",
            );
            tab.wait("something to touch", "!document.querySelector('#panel').hidden");
            let name = game.split(' ').next().unwrap();
            tab.picture(&format!("{name}-{width}.png"));
            let first: Value = tab.run(&format!("return {LIT}[0] ?? null"));
            if let Some(word) = first.as_str() {
                let asked = tab.run("return document.querySelector('#panel').dataset.now");
                tab.click(&cell(word));
                tab.wait(
                    "picked",
                    &format!("document.querySelector('.spot.picked, .lens') || document.querySelector('#panel').dataset.now !== {asked}"),
                );
                tab.picture(&format!("{name}-{width}-picked.png"));
            }
            tab.check_console();
        }
    }
}
