//! The page in a real browser: headless Chromium, driven through chromedriver.
#![recursion_limit = "256"]
#![allow(
    dead_code,
    reason = "the stand-in for Discord can do more than is asked of it here"
)]

#[cfg(feature = "discord")]
#[path = "../discord/driver/mod.rs"]
mod driver;
#[cfg(feature = "discord")]
#[path = "../discord/standin/mod.rs"]
mod standin;
#[path = "../web/mod.rs"]
mod web;

mod chromium;
#[cfg(feature = "discord")]
mod discord;
mod lines;
mod needs;
mod page;
mod tab;
mod table;
mod touch;
mod whole;

use std::sync::Arc;

use chromium::Browser;
use parlor::game::{Game, GameRng, OptionValues, Seat, Seed, Silent};
use parlor::games::phwar::Phwar;
use parlor::matches::port::Store;
use parlor::store::MemoryStore;
use tab::Tab;
use web::guest::{Guest, game_with_hands};
use web::house::House;

/// A short game that the first seat wins, found by search: the first seat tries everything, the second only the
/// first few things that come to mind.
fn short_game() -> Vec<String> {
    fn search(game: &Phwar, left: usize, chance: &mut GameRng, line: &mut Vec<String>) -> bool {
        if let Some(outcome) = game.outcome() {
            return outcome.ranks[0] < outcome.ranks[1];
        }
        let Some(seat) = game.awaiting().seats().iter().next().filter(|_| left > 0) else {
            return false;
        };
        let tried = if seat == Seat::new(0) { usize::MAX } else { 2 };
        for action in game.legal_actions(seat).into_iter().take(tried) {
            let mut next = game.clone();
            next.play(seat, &action, chance, &mut Silent);
            if search(&next, left - 1, chance, line) {
                line.push(game.notate(seat, &action));
                return true;
            }
        }
        false
    }
    let options = OptionValues::choose(Phwar::META.options, [("centre", "on")]).unwrap();
    let mut chance = Seed::from_text("any").at(0);
    let start = Phwar::new(&options, 2, &mut chance);
    let mut line = Vec::new();
    let found = (1..=7).any(|length| search(&start, length, &mut chance, &mut line));
    assert!(found, "no short game was found");
    line.reverse();
    line
}

#[test]
fn two_guests_in_two_tabs_play_to_the_end() {
    let line = short_game();
    assert!(line.len() >= 5, "{line:?}");
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    let bea = Tab::enter(&browser, house.address, "Bea");

    // A challenge, typed with help: Tab takes the first suggestion.
    ann.type_text("#line", "chall");
    ann.wait("a suggestion", "document.querySelector('#suggestions li')");
    ann.type_text("#line", "\u{e004}");
    assert_eq!(ann.value("#line"), "challenge ");
    ann.type_text("#line", "@be");
    ann.wait(
        "Bea's name",
        "document.querySelector('#suggestions li')?.textContent === '@Bea'",
    );
    ann.type_text("#line", "\u{e015}\u{e007}");
    assert_eq!(ann.value("#line"), "challenge @Bea ");
    ann.type_text("#line", "phwar centre=on none order\u{e007}");
    bea.click_button("Accept");

    // The moves, by typing and by buttons in turn.
    for (number, action) in line.iter().enumerate() {
        let tab = if number % 2 == 0 { &ann } else { &bea };
        tab.wait_boards(number + 1);
        if number % 4 < 2 {
            tab.say(action);
        } else {
            tab.move_by_buttons(action);
        }
    }
    for tab in [&ann, &bea] {
        tab.wait(
            "the end",
            "document.querySelector('#messages').textContent.includes('Ann wins')",
        );
        tab.wait_boards(line.len() + 1);
        tab.check(
            "every picture is described",
            "[...document.querySelectorAll('#messages img')].every((image) => image.alt)",
        );
        tab.check(
            "no answer is left over",
            "!document.querySelector('.only-you .chip')",
        );
        tab.check_console();
    }
    // The record can be taken away.
    ann.click_button("Record");
    ann.wait("a file", "document.querySelector('a.file[download$=\".json\"]')");
}

#[test]
fn a_newcomer_plays_the_bot_to_the_end() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.click("document.querySelector('.level input[value=\"1\"]')");
    // The first button of the welcome is a match against the bot, and needs nothing more.
    ann.click("document.querySelector('.welcome .games .button')");
    ann.wait_boards(1);
    ann.check(
        "it is a match against the bot",
        "document.querySelector('#messages').textContent.includes('Parlor (level 1)')",
    );
    let mut boards = 1;
    ann.wait_told();
    while !ann.has_button("Rematch") {
        ann.click_button("Hint");
        ann.click_button("Play it");
        boards += 1;
        // The move and the reply are one board.
        ann.wait_boards(boards);
        ann.wait(
            "the turn, or the end",
            "[...document.querySelectorAll('[data-board]')].at(-1)?.querySelector('.buttons button')",
        );
        ann.wait_told();
        ann.wait(
            "nobody to say that the bot thinks",
            "!document.querySelector('#notice').textContent.includes('thinking')",
        );
    }
    assert!(boards > 3, "{boards} boards");
    ann.check_console();
    // And once more, by one press.
    ann.click_button("Rematch");
    ann.wait_boards(boards + 1);
}

#[test]
fn a_match_is_watched_again_and_stepped_through() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say("practice phwar");
    for (number, action) in ["F3-F5", "F9-F8", "F5-F6"].into_iter().enumerate() {
        ann.wait_boards(number + 1);
        ann.say(action);
    }
    ann.wait_boards(4);
    // The last film, or the last other picture, of an answer, wherever the page shows it.
    let picture = |film: bool| {
        format!(
            "[...document.querySelectorAll('.only-you img')].filter((one) => one.offsetParent && one.alt.startsWith('A film') === {film}).at(-1)"
        )
    };
    let tells = |part: &str| {
        format!(
            "[...document.querySelectorAll('.only-you')].some((one) => one.offsetParent && one.textContent.includes('{part}'))"
        )
    };
    ann.say("replay");
    ann.wait("a film", &picture(true));
    ann.wait(
        "its first screen",
        &format!("({})?.naturalWidth > 0", picture(true)),
    );
    ann.check(
        "it is described",
        &format!("({}).alt.startsWith('A film of turns 1 to 3.')", picture(true)),
    );
    ann.click_button("Turn by turn");
    ann.wait("the first turn", &tells("turn 1 of 3"));
    let mut seen = Vec::new();
    for (button, step) in [
        ("▶", "turn 2 of 3"),
        ("▶", "turn 3 of 3"),
        ("◀", "turn 2 of 3"),
        ("⏮", "the opening"),
        ("⏭", "turn 3 of 3"),
    ] {
        ann.click_button(button);
        ann.wait(step, &tells(step));
        ann.wait("its picture", &format!("({})?.naturalWidth > 0", picture(false)));
        ann.check(
            "one answer steps: no other is left",
            "[...document.querySelectorAll('.only-you')].filter((one) => one.offsetParent && /turn . of 3|the opening/.test(one.textContent)).length === 1",
        );
        seen.push(ann.run(&format!("return ({}).alt", picture(false))));
    }
    assert!(seen[0] == seen[2] && seen[1] == seen[4], "{seen:?}");
    assert!(
        seen[0] != seen[1] && seen[3] != seen[0] && seen[3] != seen[1],
        "{seen:?}"
    );
    ann.check_console();
}

#[test]
fn brief_answers_are_noted_and_so_is_that_the_bot_thinks() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say("challenge bot phwar order level=5");
    ann.wait_boards(1);
    let noted = |tab: &Tab<'_>, part: &str| {
        let said = format!(
            "!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent.includes('{part}')"
        );
        tab.wait(&format!("a note of `{part}`"), &said);
    };
    ann.say("undo");
    noted(&ann, "no move to undo");
    ann.click_button("Hint");
    ann.click_button("Play it");
    noted(&ann, "is thinking");
    ann.wait(
        "the match among those in which somebody thinks",
        "document.querySelector('#matches').textContent.includes('Thinking')",
    );
    // Whatever else is looked at meanwhile, the bot still thinks.
    ann.say("rules phwar");
    noted(&ann, "is thinking");
    ann.say("abort");
    noted(&ann, "broke the match off");
    ann.check_console();
}

#[test]
fn private_panes_stay_private() {
    let game = game_with_hands();
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    let bea = Tab::enter(&browser, house.address, "Bea");
    ann.say(&format!("open {game} 2"));
    bea.click_button("Join");
    for tab in [&ann, &bea] {
        tab.wait(
            "a hand with its picture",
            "document.querySelector('#private-messages .secret img.loaded')",
        );
        tab.say("hand");
        tab.wait("an answer", "document.querySelector('.only-you')");
    }
    let own = |tab: &Tab<'_>| {
        tab.run("return [...document.querySelectorAll('.secret, .only-you')].map((one) => one.dataset.id)")
    };
    let (ann_ids, bea_ids) = (own(&ann), own(&bea));
    for (tab, others) in [(&ann, &bea_ids), (&bea, &ann_ids)] {
        for id in others.as_array().unwrap() {
            tab.check(
                "nobody has another's messages",
                &format!(
                    "!document.querySelector('[data-id=\"{}\"]')",
                    id.as_str().unwrap()
                ),
            );
        }
    }
    // What was typed to the bot is in nobody's room.
    for tab in [&ann, &bea] {
        tab.check(
            "commands are not said aloud",
            "![...document.querySelectorAll('#messages .message:not(.only-you) .text')].some((one) => one.textContent.trim() === 'hand')",
        );
        tab.check_console();
    }
}

#[test]
fn a_restart_is_survived_without_doubles() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let house = House::over(Arc::clone(&store));
    let address = house.address;
    let browser = Browser::start();
    let ann = Tab::enter(&browser, address, "Ann");
    let mut bea = Guest::come(address, "Bea");
    bea.say("\"before");
    ann.wait_text("before");
    drop(house);
    ann.wait(
        "the loss to be shown",
        "document.querySelector('#state').textContent",
    );
    let _house = House::at(address, store);
    bea.address = address;
    bea.say("\"after");
    ann.wait_text("after");
    ann.say("still here, are you");
    ann.wait_text("still here, are you");
    let count = ann.run("return document.querySelectorAll('#messages .message[data-cursor]').length");
    assert_eq!(count, 3);
    ann.check(
        "it is open again",
        "document.querySelector('#state').textContent === ''",
    );
}

#[test]
fn what_is_typed_is_never_markup() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "<i>Ann</i>");
    let text = "<img src=x onerror=alert(1)> & <b>bold</b> **stars** `ticks`";
    ann.say(&format!("\"{text}"));
    ann.wait_text(text);
    ann.check(
        "no element was made",
        "!document.querySelector('#messages i, #messages .text b, #messages .text img, #messages .text code')",
    );
    ann.check_console();
}

#[test]
fn the_page_fits_a_phone_and_follows_the_theme() {
    let house = House::open();
    let browser = Browser::start();
    browser.resize(400, 800);
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.run("document.querySelector('#door').hidden = false");
    ann.check(
        "the door fits",
        "[...document.querySelectorAll('#door *')].every((one) => one.getBoundingClientRect().right <= 400)",
    );
    ann.run("document.querySelector('#door').hidden = true");
    let fits = "document.documentElement.scrollWidth <= 400 && [...document.querySelectorAll('#messages .message, .composer')].every((one) => one.getBoundingClientRect().right <= 401)";
    ann.check("the welcome fits", fits);
    ann.click_button("Play alone");
    ann.wait_boards(1);
    ann.wait("the table", "document.querySelector('#table-board img.loaded')");
    ann.check("the board fits", fits);
    ann.click_button("Move");
    ann.wait(
        "choices below the board",
        "document.querySelector('#dock .only-you .chip')",
    );
    ann.check("the choices fit", fits);
    // Light, then dark: the boards follow.
    ann.click("document.querySelector('#to-room')");
    let theme = |want: &str| {
        // As the system says, light, dark, safe: the next at every press.
        for _ in 0..4 {
            let title = ann.run("return document.querySelector('#theme').title");
            if title
                .as_str()
                .is_some_and(|title| title.starts_with(&format!("Theme: {want}")))
            {
                break;
            }
            ann.run("document.querySelector('#theme').click()");
        }
        ann.wait(
            want,
            &format!("document.querySelector('[data-board] img.loaded')?.src.endsWith('theme={want}')"),
        );
    };
    theme("dark");
    theme("light");
    theme("safe");
    // By command, too, and what is said goes before what was pressed. Light that was chosen is light on a dark system.
    for want in ["dark", "safe", "light"] {
        ann.say(&format!("settings theme {want}"));
        ann.wait(
            want,
            &format!("document.querySelector('[data-board] img.loaded')?.src.endsWith('theme={want}')"),
        );
    }
    ann.prefer("prefers-color-scheme", "dark");
    ann.run("localStorage.removeItem('parlor-theme'); location.reload()");
    ann.wait(
        "light",
        "document.querySelector('[data-board] img.loaded')?.src.endsWith('theme=light')",
    );
    ann.check(
        "the page too",
        "document.documentElement.dataset.theme === 'light'",
    );
    // The rooms slide in and out, by keyboard too.
    ann.run("document.querySelector('#open-side').click()");
    ann.wait(
        "the rooms",
        "document.querySelector('#side').getBoundingClientRect().left >= 0",
    );
    ann.type_text("body", "\u{e00c}");
    ann.wait(
        "the room",
        "document.querySelector('#side').getBoundingClientRect().right <= 0",
    );
    ann.check_console();
}

#[test]
fn on_a_phone_whoever_asks_in_the_room_is_answered_there() {
    let house = House::open();
    let browser = Browser::start();
    browser.resize(390, 844);
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say("practice phwar");
    ann.wait("the table", "document.querySelector('#table-board img.loaded')");
    ann.click("document.querySelector('#to-room')");
    let answered = |what: &str, words: &str| {
        let last = "[...document.querySelectorAll('#messages .only-you')].at(-1)";
        ann.wait(
            what,
            &format!("{last}?.textContent.includes({words:?}) && {last}.getClientRects().length > 0"),
        );
    };
    ann.say("F2-F2");
    answered("why the move can't be made", "What can I do?");
    // A name alone is answered in full, with its picture; a slip with the button that mends it.
    ann.say("squeezle");
    answered("the card", "Sun Dominion");
    ann.say("gmaes");
    answered("the slip", "Yes, games");
    ann.check_console();
}

#[test]
fn whoever_comes_later_finds_the_beginning_of_the_welcome() {
    let house = House::open();
    let browser = Browser::start();
    browser.resize(400, 800);
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say("challenge bot phwar order level=1");
    ann.wait_boards(1);
    let bea = Tab::enter(&browser, house.address, "Bea");
    // However long the boards before it take to load.
    bea.wait("the board", "document.querySelector('[data-board] img.loaded')");
    let top = |place: &str| format!("document.querySelector('{place}').getBoundingClientRect().top");
    bea.wait(
        "the beginning of the welcome",
        &format!("Math.abs({} - {}) < 80", top(".welcome h2"), top("#log")),
    );
}

/// What somebody types may begin a match as well as what they press.
#[test]
fn whoever_types_their_first_challenge_sees_the_board() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.wait("the welcome", "document.querySelector('.welcome')");
    ann.say("rules phwar");
    ann.wait(
        "the rules",
        "document.body.textContent.includes('Only you see this')",
    );
    ann.wait("the welcome, still", "document.querySelector('.welcome')");
    ann.say("challenge bot phwar order level=1");
    ann.wait_boards(1);
    ann.wait(
        "the end of the board, and no welcome before it",
        "!document.querySelector('.welcome') && document.querySelector('#jump').hidden \
         && [document.querySelector('#log')].every((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 60)",
    );
    ann.check_console();
}
