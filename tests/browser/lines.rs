//! Lines that break: what a page does when it can't be reached, is sent away, or has missed something; and how it looks to
//! those whose browsers run no scripts.

use crate::chromium::Browser;
use crate::page::{BOARD, LIT, begun, cell, challenged, open};
use crate::tab::Tab;
use crate::web::guest::Guest;
use crate::web::house::House;
use crate::web::visitor::{link_in, personal_link};

/// A stream that begins only when the test says so.
const LATE_STREAM: &str = "const Real = window.EventSource; const released = new Promise((done) => { window.release = done; }); \
    window.EventSource = class { \
        static CLOSED = 2; \
        heard = []; \
        constructor(url) { released.then(() => { if (this.closed) return; this.real = new Real(url); for (const [name, act] of this.heard) this.real.addEventListener(name, act); }); } \
        addEventListener(name, act) { this.heard.push([name, act]); this.real?.addEventListener(name, act); } \
        get readyState() { return this.real?.readyState ?? 0; } \
        close() { this.closed = true; this.real?.close(); } \
    };";

fn has_moved(tab: &Tab<'_>, place: &str) {
    tab.wait(
        "the move",
        &format!("document.querySelector('#story')?.textContent.includes('{place}')"),
    );
}

/// Whatever is waited for is waited for less long.
pub const IMPATIENT: &str =
    "const after = AbortSignal.timeout; AbortSignal.timeout = (time) => after.call(AbortSignal, time / 8);";

/// An answer that never comes: a promise that ends only when nobody waits for it any more.
pub const NEVER: &str = "window.never = (options) => new Promise((_, gone) => options?.signal?.addEventListener('abort', () => gone(options.signal.reason)));";

/// What happens between the page and its stream is told by the stream's first word.
#[test]
fn what_happened_while_a_page_was_on_its_way_is_shown() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    browser.run_first(LATE_STREAM);
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&bea, &code));
    tab.check(
        "nothing has happened",
        "!document.querySelector('#story').textContent.includes('F5')",
    );
    ann.say(&format!("move #{code} F3-F5"));
    tab.run("window.release()");
    has_moved(&tab, "F5");
    tab.wait("Bea's turn", &format!("{LIT}.length > 0"));
    tab.check_console();
}

/// Whoever asks too often, or comes while something is broken, keeps the board and is shown the match as soon as that works.
#[test]
fn a_page_that_is_sent_away_keeps_its_board_and_tries_again() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&bea, &code));
    for (status, (guest, action, place)) in [429, 500, 502].into_iter().zip([
        (&ann, "F3-F5", "F5"),
        (&bea, "F9-F8", "F8"),
        (&ann, "F5-F6", "F6"),
    ]) {
        let board = tab.run(&format!("return {BOARD}"));
        tab.run(&format!(
            "window.fetched = window.fetch; window.asked = 0; window.fetch = (path, options) => {{ \
             if (options?.method || !String(path).startsWith('/m/') || String(path).includes('/pictures/')) return window.fetched(path, options); \
             window.asked += 1; \
             return Promise.resolve(new Response('<main id=\"match\" data-shut=\"true\"><div class=\"shut-card\">Slow down</div></main>', {{ status: {status} }})); }}"
        ));
        guest.say(&format!("move #{code} {action}"));
        tab.wait(
            "a word about it",
            "document.querySelector('#notice').textContent.includes('I keep trying')",
        );
        tab.check("the board is still there", &format!("{BOARD} === {board}"));
        tab.check("and no other page", "!document.querySelector('.shut-card')");
        tab.wait("another try", "window.asked > 1");
        // By itself, when it can.
        tab.run("window.fetch = window.fetched");
        has_moved(&tab, place);
        tab.wait("no more words", "!document.querySelector('#notice').textContent");
    }
}

/// An answer that never comes is given up, and asked for again.
#[test]
fn a_page_waits_for_no_answer_for_ever() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    browser.run_first(IMPATIENT);
    browser.run_first(NEVER);
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    let tab = open(&browser, &personal_link(&bea, &code));
    // The first answers are swallowed, as by a line that is dead.
    tab.run(
        "const real = window.fetch; window.swallowed = 0; window.fetch = (path, options) => { \
         if (options?.method || window.swallowed > 1) return real(path, options); \
         window.swallowed += 1; \
         return window.never(options); }",
    );
    ann.say(&format!("move #{code} F3-F5"));
    has_moved(&tab, "F5");
    tab.check("some were swallowed", "window.swallowed > 1");
}

/// Without scripts a match is looked at and stepped through.
#[test]
fn a_page_is_read_without_scripts() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenged(&ann, &bea, "phwar");
    for (guest, action) in [(&ann, "F3-F5"), (&bea, "F9-F8"), (&ann, "F5-F6")] {
        guest.say(&format!("move #{code} {action}"));
    }
    ann.say(&format!("watch #{code}"));
    bea.say(&format!("accept #{code}"));
    let link = link_in(&ann.hear(&format!("watch #{code}")));
    browser.forbid_scripts();
    let tab = Tab::open(&browser, &link);
    let seen = |what: &str, path: &str, words: &str| {
        tab.wait(
            what,
            &format!(
                "location.pathname.endsWith('{path}') && document.querySelector('#told').textContent.includes('{words}') \
                 && document.querySelector('#board img')?.complete && document.querySelector('#board img').naturalWidth > 0 \
                 && document.querySelector('#board img').alt"
            ),
        );
        tab.run("return document.querySelector('#board img').currentSrc")
    };
    let base = link.rsplit('/').next().unwrap();
    let now = seen("the match as it is", base, "F6");
    tab.check(
        "no script has run",
        "!document.querySelector('.spots') && document.querySelector('#panel').hidden",
    );
    tab.click("document.querySelector('#back')");
    let second = seen("a turn back", "/2", "Turn 2");
    tab.click("document.querySelector('#first')");
    let opening = seen("the opening", "/0", "The opening");
    tab.click("document.querySelector('#forward')");
    seen("a turn on", "/1", "Turn 1");
    tab.click("[...document.querySelectorAll('#story .turn')].at(-1)");
    seen("a turn of the story", "/3", "Turn 3");
    tab.click("document.querySelector('#last')");
    assert_eq!(seen("the match as it is", base, "F6"), now);
    assert!(now != second && second != opening);
    tab.check(
        "it fits the screen",
        "document.documentElement.scrollWidth <= innerWidth",
    );
    tab.check(
        "nothing offers what needs a script",
        "![...document.querySelectorAll('button, form')].some((one) => one.offsetParent && one.id !== 'theme')",
    );
    // A personal link needs one, and says so.
    let own = Tab::open(&browser, "about:blank");
    browser.forbid_scripts();
    own.go(&personal_link(&ann, &code));
    own.wait(
        "a word about it",
        "document.body.innerText.includes('needs JavaScript')",
    );
    own.check(
        "nothing opens by itself",
        "!document.body.innerText.includes('Opening')",
    );
}

/// What a page offers once the match is over: to see it again, and what the bot says of it.
#[test]
fn a_match_that_is_over_can_be_seen_again_on_its_page() {
    let house = House::with_pages(&[]);
    let browser = Browser::start();
    let ann = Guest::come(house.address, "Ann");
    let code = begun(&ann, "challenge bot phwar level=1 order");
    let tab = open(&browser, &personal_link(&ann, &code));
    tab.wait("something lit", &format!("{LIT}.includes('F3')"));
    tab.click(&cell("F3"));
    tab.wait("where it can go", &format!("{LIT}.includes('F5')"));
    tab.click(&cell("F5"));
    has_moved(&tab, "F5");
    // A note is typed, and kept.
    tab.type_text("#note input", "the left side\u{e007}");
    tab.wait(
        "that it is kept",
        "document.querySelector('#reply').textContent.includes('Noted')",
    );
    tab.wait(
        "nothing to be left of it",
        "!document.querySelector('#note input').value",
    );
    tab.click_button("Resign");
    tab.click("[...document.querySelectorAll('#reply button')].find((one) => one.textContent === 'Resign')");
    tab.wait(
        "the end",
        "document.querySelector('#match').dataset.running === 'false'",
    );
    tab.check(
        "the link has ended to play",
        "![...document.querySelectorAll('#buttons > button')].length",
    );
    tab.click_button("Replay");
    tab.wait(
        "a film",
        "document.querySelector('#reply img.loaded')?.src.endsWith('.gif')",
    );
    tab.check(
        "only what can be pressed here is offered",
        &format!("[...document.querySelectorAll('#reply [data-command], #buttons [data-command]')].every((one) => one.dataset.command.includes('#{code}') && !/^(rematch|practice)/.test(one.dataset.command))"),
    );
    tab.click_button("My notes");
    tab.wait(
        "the note",
        "document.querySelector('#reply').textContent.includes('the left side')",
    );
    tab.check_console();
}
