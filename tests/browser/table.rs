//! The table: the match that a guest has opened, and how they are called to it.

use crate::chromium::Browser;
use crate::tab::Tab;
use crate::web::guest::{Guest, game_with_hands};
use crate::web::house::House;

/// The address of the picture on the table.
const BOARD: &str = "document.querySelector('#table-board img.loaded')?.src";

#[test]
fn the_board_stays_with_the_match_that_was_opened() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say("practice phwar");
    let first = ann.wait_table("Phwar");
    // Another match begins and speaks last.
    ann.say("practice glyphgrid");
    ann.wait_boards(2);
    ann.wait(
        "both matches at the side",
        "document.querySelectorAll('#matches [data-match]').length === 2",
    );
    assert_eq!(ann.wait_table("Phwar"), first);
    // It goes on with its own match.
    let before = ann.run(&format!("return {BOARD}"));
    ann.say(&format!("move #{first} F3-F5"));
    ann.wait(
        "the board after the move",
        &format!("{BOARD} && {BOARD} !== {before}"),
    );
    assert_eq!(ann.wait_table("Phwar"), first);
    // And comes back after a reload, until another one is opened.
    ann.reload();
    assert_eq!(ann.wait_table("Phwar"), first);
    ann.click("[...document.querySelectorAll('#matches [data-match]')].find((one) => !one.hasAttribute('aria-current'))");
    assert_ne!(ann.wait_table("GlyphGrid"), first);
    ann.click("document.querySelector('#close-table')");
    ann.wait("no table", "document.querySelector('#table').hidden");
    ann.check_console();
}

#[test]
fn the_clock_of_whoever_is_to_move_ticks() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    let bea = Guest::come(house.address, "Bea");
    ann.say("challenge @Bea phwar live5 order");
    bea.say("accept");
    ann.wait_table("Phwar");
    let clock = |seat: &str| format!("document.querySelector('.seat{seat} .clock').textContent");
    let waiting = ann.run(&format!("return {}", clock(":not(.to-move)")));
    assert_eq!(waiting, "5:00");
    ann.wait(
        "the first seconds",
        &format!("/^4:5\\d$/.test({})", clock(".to-move")),
    );
    let before = ann.run(&format!("return {}", clock(".to-move")));
    ann.wait("the next second", &format!("{} < {before}", clock(".to-move")));
    ann.check(
        "the other one stands",
        &format!("{} === '5:00'", clock(":not(.to-move)")),
    );
}

#[test]
fn whoever_wants_it_is_called_and_asked_only_once() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    // The system's notices, as the page sees them. Nobody looks at the page.
    let watch = "window.notices = []; window.questions = 0; document.hasFocus = () => false; \
        window.Notification = class { \
            static permission = 'default'; \
            static async requestPermission() { window.questions += 1; window.Notification.permission = 'granted'; } \
            constructor(title, { body }) { window.notices.push(body); } \
            close() {} \
        };";
    ann.run(watch);
    ann.check(
        "nothing is asked before it matters",
        "!document.querySelector('#bell-yes').offsetParent",
    );
    let bea = Guest::come(house.address, "Bea");
    ann.say("challenge @Bea fabric order");
    bea.say("accept");
    ann.wait_table("Phase-Fabric");
    ann.wait("the turn", "document.querySelector('#table.awaited')");
    ann.check(
        "the first move comes before questions",
        "!document.querySelector('#bell-yes').offsetParent",
    );
    ann.say("move A a1");
    ann.click_button("Yes, call me");
    ann.wait("the system's question", "window.questions === 1");
    bea.say("move A h8");
    let round = |own: &str, reply: &str| {
        ann.wait("the turn", "document.querySelector('#table.awaited')");
        ann.say(&format!("move {own}"));
        ann.wait("Bea's turn", "!document.querySelector('#table.awaited')");
        bea.say(&format!("move {reply}"));
        ann.wait("the turn again", "document.querySelector('#table.awaited')");
    };
    ann.wait("a notice", "window.notices.length === 1");
    ann.check(
        "it names the player, and a time that people can read",
        "/^Ann, your move: .* \\(9 days\\)\\.$/.test(window.notices[0])",
    );
    // Another visit of the same browser.
    ann.reload();
    ann.run(watch);
    ann.run("window.Notification.permission = 'granted'");
    ann.wait_table("Phase-Fabric");
    ann.check(
        "it isn't asked again",
        "!document.querySelector('#bell-yes').offsetParent",
    );
    ann.check(
        "it is remembered",
        "document.querySelector('#bell').ariaPressed === 'true'",
    );
    round("A c1", "A f8");
    ann.wait("a notice for a turn", "window.notices.length === 1");
    // Switched off, it is silent.
    ann.click("document.querySelector('#bell')");
    round("A e1", "A d8");
    ann.check(
        "no other notice",
        "window.notices.length === 1 && window.questions === 0",
    );
    ann.check_console();
}

#[test]
fn finished_matches_are_listed_with_their_result_and_can_be_looked_at() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.check("none at first", "document.querySelector('#finished-part').hidden");
    ann.say("challenge bot phwar level=1 order");
    let code = ann.wait_table("Phwar");
    ann.say("resign sure");
    ann.wait(
        "the result",
        "document.querySelector('#finished')?.textContent.includes('You lost')",
    );
    ann.check(
        "it goes on no more",
        "!document.querySelector('#matches [data-match]')",
    );
    ann.wait("a way to go on", "[...document.querySelectorAll('#table-buttons button')].some((one) => one.textContent === 'Rematch')");
    ann.click("document.querySelector('#close-table')");
    ann.click("document.querySelector('#finished [data-match]')");
    assert_eq!(ann.wait_table("Phwar"), code);
    // The next match takes its place.
    ann.click_button("Rematch");
    ann.wait(
        "the rematch",
        &format!("document.querySelector('#table-code').textContent !== '#{code}'"),
    );
    ann.check_console();
}

#[test]
fn choices_stay_in_their_place_and_fit_a_thumb() {
    let house = House::open();
    let browser = Browser::start();
    browser.resize(390, 844);
    browser.use_touch();
    let ann = Tab::enter(&browser, house.address, "Ann");
    let typing = "document.activeElement === document.querySelector('#line')";
    ann.check("there are fingers", "matchMedia('(pointer: coarse)').matches");
    ann.check("no keyboard at the door", &format!("!({typing})"));
    ann.say("practice phwar");
    ann.wait("a table", "document.querySelector('#table-board img.loaded')");
    // The board itself is touched; whoever likes lists asks for them.
    ann.wait(
        "the question",
        "document.querySelector('#table-first .ask')?.offsetParent",
    );
    let log = "document.querySelector('#log').scrollTop";
    let (place, scrolled) = (
        ann.run("return document.querySelector('#table-scroll').getBoundingClientRect().top"),
        ann.run(&format!("return {log}")),
    );
    ann.click_button("Move");
    ann.wait("the list", "document.querySelector('#picker .chip')");
    ann.check(
        "it takes the place of the first",
        "!document.querySelector('#table-first').offsetParent",
    );
    ann.check(
        "one question at a time",
        "document.querySelectorAll('.only-you').length === 1",
    );
    ann.check(
        "the board is where it was",
        &format!("document.querySelector('#table-scroll').getBoundingClientRect().top === {place}"),
    );
    ann.check("the room has not moved", &format!("{log} === {scrolled}"));
    ann.check(
        "everything is as large as a thumb, and in view",
        "[...document.querySelectorAll('#dock button')].filter((one) => one.offsetParent).every((one) => { \
            const { width, height, right } = one.getBoundingClientRect(); \
            return width >= 40 && height >= 40 && right <= 390; })",
    );
    ann.check("no keyboard after a press", &format!("!({typing})"));
    ann.check_console();
}

#[test]
fn old_refusals_and_dead_buttons_go() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say("mvoe");
    ann.wait(
        "a refusal",
        "document.body.textContent.includes('Did you mean move')",
    );
    ann.say("open phwar 2");
    ann.wait(
        "no refusal",
        "!document.body.textContent.includes('Did you mean move')",
    );
    ann.wait(
        "a way out",
        "[...document.querySelectorAll('button')].some((one) => one.textContent === 'Cancel')",
    );
    let bea = Guest::come(house.address, "Bea");
    ann.wait(
        "the match at the side",
        "document.querySelector('#matches [data-match]')",
    );
    let code = ann.run("return document.querySelector('#matches [data-match]').dataset.match");
    bea.say(&format!("join {}", code.as_str().unwrap()));
    ann.wait_table("Phwar");
    ann.wait(
        "no dead button",
        "![...document.querySelectorAll('[data-command]')].some((one) => /^(cancel|join|fill) /.test(one.dataset.command))",
    );
    ann.check_console();
}

#[test]
fn a_card_plays_with_the_options_that_were_chosen() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    let card =
        "[...document.querySelectorAll('.game')].find((one) => one.textContent.includes('Phase-Fabric'))";
    ann.check(
        "the rulebook's length",
        &format!("{card}.querySelector('.length').textContent === 'about 260 moves'"),
    );
    ann.check(
        "every value tells its length, and one is the rulebook's",
        &format!(
            "[...{card}.querySelectorAll('.values')][0].innerText.split('\\n').filter((line) => line.endsWith(' moves')).length === 4 \
             && [...{card}.querySelectorAll('.values')][0].innerText.match(/rulebook/g).length === 1"
        ),
    );
    ann.click(&format!("{card}.querySelector('input[value=\"50\"]')"));
    ann.wait(
        "the shorter length",
        &format!("{card}.querySelector('.length').textContent === 'about 35 moves'"),
    );
    ann.click(&format!(
        "[...{card}.querySelectorAll('button')].find((one) => one.textContent === 'Play the bot')"
    ));
    ann.wait_table("Phase-Fabric");
    ann.check(
        "the wish was heard",
        "document.querySelector('#messages').textContent.includes('target 50')",
    );
    ann.check_console();
}

/// At a desk nothing has to be made larger to be read: a picture of a hand, which is drawn 960 pixels wide or more, is shown
/// at more than half of that, within the page, and the board beside it is not cut off.
#[test]
fn a_hand_is_large_enough_to_be_read_on_a_desktop() {
    let house = House::open();
    let browser = Browser::start();
    browser.resize(1280, 800);
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say(&format!("challenge bot {} level=1 order", game_with_hands()));
    ann.wait("my hand", "document.querySelector('#table-hand img.loaded')");
    ann.wait("the board", "document.querySelector('#table-board img.loaded')");
    for picture in ["#table-hand", "#table-board"] {
        let image = format!("document.querySelector('{picture} img.loaded')");
        let width = ann.run(&format!("return {image}.getBoundingClientRect().width"));
        let drawn = ann.run(&format!("return {image}.naturalWidth"));
        let (width, drawn) = (width.as_f64().unwrap(), drawn.as_f64().unwrap());
        assert!(width > drawn * 0.5, "{picture}: {width} of {drawn} pixels");
    }
    ann.check(
        "the page needs no scrolling sideways",
        "document.documentElement.scrollWidth <= 1280",
    );
    ann.check(
        "nothing sticks out",
        "[...document.querySelectorAll('#table-hand img.loaded, #table-board img.loaded')].every((one) => { const box = one.getBoundingClientRect(); return box.left >= 0 && box.right <= 1281; })",
    );
    ann.check_console();
}
