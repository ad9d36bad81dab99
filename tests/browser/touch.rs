//! Playing by touching the board: with the mouse, with a finger on a phone, by dragging, and with keys alone.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::tab::Tab;
use crate::web::guest::Guest;
use crate::web::house::House;
use crate::web::visitor::Visitor;
use crate::web::wait_for;

/// A page with a board that is played by touch.
#[derive(Clone, Copy)]
pub struct Place {
    /// What the board, the hand and the panel stand in.
    root: &'static str,
    /// Where it stands what is asked, and what can be chosen beside the board.
    panel: &'static str,
    /// Whether the match is over.
    over: &'static str,
}

/// The table of the local room.
pub const TABLE: Place = Place {
    root: "#table",
    panel: "#table-first",
    over: "Boolean(document.querySelector(`#finished [data-match=\"${document.querySelector('#table-code').textContent.slice(1)}\"]`))",
};

/// The page of a match.
pub const PAGE: Place = Place {
    root: "#match",
    panel: "#panel",
    over: "document.querySelector('#match').dataset.running === 'false'",
};

impl Place {
    /// What the player sees: what is asked, what is lit, what can be chosen, and whether the match is over.
    fn seen(self) -> String {
        let Self { root, panel, over } = self;
        format!(
            "const panel = document.querySelector('{panel}'); \
             const shown = (one) => one.getClientRects().length > 0; \
             const spots = (kind) => [...document.querySelectorAll('{root} .spots .spot.' + kind)].filter(shown).map((one) => one.dataset.word); \
             return {{ now: panel.hidden || document.querySelector('{root} .loading') ? '' : panel.dataset.now, \
                 next: [...new Set(spots('next'))], picked: [...new Set(spots('picked'))], \
                 chips: [...panel.querySelectorAll('.chip')].map((one, at) => ({{ at, plays: Boolean(one.dataset.plays) }})), \
                 over: {over} }};"
        )
    }
}

/// By what the board is touched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Mouse,
    Finger,
    Keys,
}

/// Somebody who plays whatever is lit, by chance.
pub struct Player<'t, 'b> {
    place: Place,
    tab: &'t Tab<'b>,
    by: By,
    pub chance: u32,
    pub touches: usize,
    pub lenses: usize,
}

/// Two players, each on a page of their own, play to the end; `seats` tell whose turn it is.
pub fn play_together(players: &mut [Player<'_, '_>; 2], seats: &[Visitor; 2]) {
    let says = |at: usize, what: &str| seats[at].says("<main id=\"match\"", what) == "true";
    // A turn may go to the other between two looks.
    let awaited = || {
        let awaited = (0..2).find(|at| says(*at, "data-your-turn"));
        match awaited {
            None if says(0, "data-running") => None,
            awaited => Some(awaited),
        }
    };
    while let Some(at) = wait_for("somebody's turn, or the end", awaited) {
        players[at].go_on();
        // What was played is played before anybody looks whose turn it is.
        players[at].tab.wait(
            "the page to know what is next",
            "!document.querySelector('#panel').hidden || document.querySelector('#match').dataset.yourTurn === 'false'",
        );
    }
    for player in players {
        assert!(player.touches > 2, "both have played");
        player.tab.wait("the end", player.place.over);
        player.tab.check_console();
    }
}

impl<'t, 'b> Player<'t, 'b> {
    pub fn new(tab: &'t Tab<'b>, by: By) -> Self {
        Self::at(TABLE, tab, by)
    }

    pub fn at(place: Place, tab: &'t Tab<'b>, by: By) -> Self {
        Self {
            place,
            tab,
            by,
            chance: 7,
            touches: 0,
            lenses: 0,
        }
    }

    fn below(&mut self, count: usize) -> usize {
        self.chance = self.chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.chance >> 8) as usize % count
    }

    fn seen(&self) -> Value {
        self.tab.run(&self.place.seen())
    }

    /// Plays to the end, or until so many touches were made. Whether it is over.
    pub fn play(&mut self, most: usize) -> bool {
        while self.touches < most {
            if self.go_on() {
                return true;
            }
        }
        false
    }

    /// Touches something as soon as something can be touched. Whether it is over.
    pub fn go_on(&mut self) -> bool {
        let look = self.place.seen();
        self.tab.wait(
            "something to touch, or the end",
            &format!("(() => {{ const seen = (() => {{ {look} }})(); return seen.over || (seen.now && (seen.next.length || seen.chips.length)); }})()"),
        );
        let seen = self.seen();
        if seen["over"] == true {
            return true;
        }
        // What was offered may have gone meanwhile.
        if ["next", "chips"]
            .iter()
            .all(|offered| seen[*offered].as_array().is_none_or(Vec::is_empty))
        {
            return false;
        }
        self.step(&seen);
        let before = &seen["now"];
        self.tab.wait(
            "the touch to be understood",
            &format!("(() => {{ const seen = (() => {{ {look} }})(); return seen.over || seen.now !== {before}; }})()"),
        );
        false
    }

    fn step(&mut self, seen: &Value) {
        let next = seen["next"].as_array().unwrap();
        let chips = seen["chips"].as_array().unwrap();
        // Who has picked something goes on with it; who hasn't now and then chooses something that is no place.
        let chip = !chips.is_empty() && (next.is_empty() || self.below(6) == 0);
        self.touches += 1;
        if chip {
            let at = self.below(chips.len());
            let finder = format!("document.querySelectorAll('{} .chip')[{at}]", self.place.panel);
            // What the others do meanwhile may change what is offered.
            let now = &seen["now"];
            let look = self.place.seen();
            self.tab.wait(
                "the choice, or another position",
                &format!("({finder})?.getClientRects().length || (() => {{ {look} }})().now !== {now}"),
            );
            if !self.tab.is(&finder) {
                return;
            }
            match self.by {
                By::Mouse | By::Finger => self.tab.click(&finder),
                By::Keys => {
                    self.tab.run(&format!("({finder}).dataset.goal = ''"));
                    self.tab_to("document.activeElement?.dataset.goal === ''");
                    self.key("\u{e007}");
                }
            }
            return;
        }
        let word = next[self.below(next.len())].as_str().unwrap().to_owned();
        self.touch(&word);
    }

    /// Touches a thing in the board or in the hand.
    fn touch(&mut self, word: &str) {
        let spot = format!(
            "document.querySelector('{} .spots .spot[data-word=' + CSS.escape({}) + ']')",
            self.place.root,
            json!(word)
        );
        match self.by {
            By::Mouse => self.tab.click(&spot),
            By::Finger => {
                self.tap(&spot);
                let lens = spot.replace(".spots .spot", ".lens .spot");
                if self.tab.is(&lens) {
                    self.lenses += 1;
                    self.tab.check("in the lens it is as large as a thumb", &format!("Math.min(({lens}).getBoundingClientRect().width, ({lens}).getBoundingClientRect().height) >= 40"));
                    self.tap(&lens);
                }
            }
            By::Keys => {
                // A card may be on the table and in the hand: arrows walk over one picture.
                let on_board = format!(
                    "document.activeElement?.matches('.spots .spot') && document.activeElement.closest('.spots') === ({spot}).closest('.spots')"
                );
                let reached = format!("document.activeElement === ({spot})");
                if !self.tab.is(&on_board) {
                    self.tab_to(&on_board);
                }
                let mut passed = HashSet::new();
                for _ in 0..200 {
                    if self.tab.is(&reached) {
                        return self.key("\u{e007}");
                    }
                    let at = self
                        .tab
                        .run("return document.activeElement.dataset.at ?? ''")
                        .to_string();
                    if !passed.insert(at) {
                        // The straight way leads round in a circle: another one may lead out of it.
                        let ways = ["\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}"];
                        let way = ways[self.below(ways.len())];
                        self.key(way);
                        continue;
                    }
                    let way = self.tab.run(&format!(
                        "const [from, to] = [document.activeElement, {spot}].map((one) => one.getBoundingClientRect()); \
                         const [dx, dy] = [to.x - from.x, to.y - from.y]; \
                         return Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? '\\ue014' : '\\ue012') : (dy > 0 ? '\\ue015' : '\\ue013');"
                    ));
                    self.key(way.as_str().unwrap());
                }
                panic!("arrows don't lead to {word}");
            }
        }
    }

    /// Goes from one thing to the next by the Tab key.
    fn tab_to(&self, condition: &str) {
        for _ in 0..120 {
            if self.tab.is(condition) {
                return;
            }
            self.key("\u{e004}");
        }
        panic!("the Tab key doesn't lead to {condition}");
    }

    fn key(&self, key: &str) {
        let actions = json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        self.tab.ask(
            "POST",
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }),
        );
    }

    /// A finger comes down in the middle of a thing, and goes up again.
    fn tap(&self, finder: &str) {
        self.tab
            .run(&format!("({finder}).scrollIntoView({{ block: 'center' }})"));
        let (x, y) = middle(self.tab, finder);
        let actions = json!([
            { "type": "pointerMove", "duration": 0, "x": x, "y": y },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let finger = json!({ "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" }, "actions": actions });
        self.tab.ask("POST", "/actions", &json!({ "actions": [finger] }));
    }
}

/// The middle of something on the page.
fn middle(tab: &Tab<'_>, finder: &str) -> (i64, i64) {
    let at = tab.run(&format!("const at = ({finder}).getBoundingClientRect(); return [Math.round(at.x + at.width / 2), Math.round(at.y + at.height / 2)];"));
    (at[0].as_i64().unwrap(), at[1].as_i64().unwrap())
}

/// A match against the weakest bot, all of it by touch.
#[track_caller]
fn whole_match(line: &str, game: &str, by: By, most: usize) -> (bool, usize) {
    let house = House::open();
    let browser = Browser::start();
    if by == By::Finger {
        browser.become_phone();
    }
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say(line);
    ann.wait_table(game);
    if ann.has_button("No, thanks") {
        ann.click_button("No, thanks");
    }
    let mut player = Player::new(&ann, by);
    let over = player.play(most);
    assert!(over || player.touches == most);
    ann.check(
        "everything was played by touch",
        "document.querySelector('#line').value === ''",
    );
    ann.check_console();
    (over, player.lenses)
}

#[test]
fn phwar_is_played_to_the_end_with_the_mouse() {
    assert!(
        whole_match(
            "challenge bot phwar level=1 centre=on order",
            "Phwar",
            By::Mouse,
            2000
        )
        .0
    );
}

#[test]
fn fabric_is_played_to_the_end_with_the_mouse() {
    assert!(
        whole_match(
            "challenge bot fabric level=1 target=50 order",
            "Phase-Fabric",
            By::Mouse,
            2000
        )
        .0
    );
}

#[test]
fn glyphgrid_is_played_to_the_end_with_the_mouse() {
    assert!(
        whole_match(
            "challenge bot glyphgrid level=1 order",
            "GlyphGrid",
            By::Mouse,
            2000
        )
        .0
    );
}

#[test]
fn breaker_blocks_is_played_to_the_end_with_the_mouse() {
    assert!(
        whole_match(
            "challenge bot breaker level=1 order",
            "Breaker Blocks",
            By::Mouse,
            2000
        )
        .0
    );
}

/// A match of Phase has some hundred decisions; the first 120 touches of it have to do.
#[test]
fn phase_is_played_with_the_mouse() {
    whole_match("challenge bot phase level=1 order", "Phase", By::Mouse, 120);
}

#[test]
fn small_cells_are_touched_through_a_lens_on_a_phone() {
    let (_, lenses) = whole_match("challenge bot phwar level=1 order", "Phwar", By::Finger, 40);
    assert!(lenses > 0);
}

#[test]
fn glyphgrid_is_played_to_the_end_with_a_finger() {
    assert!(
        whole_match(
            "challenge bot glyphgrid level=1 order",
            "GlyphGrid",
            By::Finger,
            2000
        )
        .0
    );
}

/// Games of many decisions with a finger, for so many touches.
#[test]
fn games_of_many_decisions_are_played_with_a_finger() {
    whole_match(
        "challenge bot breaker level=1 order",
        "Breaker Blocks",
        By::Finger,
        40,
    );
    whole_match("challenge bot phase level=1 order", "Phase", By::Finger, 40);
}

#[test]
fn glyphgrid_is_played_to_the_end_with_keys_alone() {
    assert!(
        whole_match(
            "challenge bot glyphgrid level=1 order",
            "GlyphGrid",
            By::Keys,
            2000
        )
        .0
    );
}

const BOARD: &str = "document.querySelector('#table-board img.loaded')?.src";
const LIT: &str = "[...document.querySelectorAll('#table-board .spot.next')].map((one) => one.dataset.word)";

fn cell(word: &str) -> String {
    format!("document.querySelector('#table-board .spots .spot[data-word=\"{word}\"]')")
}

#[test]
fn a_piece_is_picked_put_back_and_dragged_to_its_place() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    ann.say("practice phwar");
    ann.wait_table("Phwar");
    ann.wait("something lit", &format!("{LIT}.includes('F3')"));
    // A click on the board no longer enlarges it; a button does.
    ann.click(&cell("F3"));
    ann.wait(
        "where it can go",
        &format!("{LIT}.includes('F5') && !{LIT}.includes('F3')"),
    );
    ann.check("nothing is enlarged", "!document.querySelector('#zoom').open");
    ann.check(
        "a screen reader hears it",
        &format!("{}.getAttribute('aria-label').endsWith('Picked.')", cell("F3")),
    );
    ann.check(
        "and what it is",
        &format!(
            "{}.getAttribute('aria-label').startsWith(\"F3, Ann's electron\")",
            cell("F3")
        ),
    );
    ann.click_button("Back");
    ann.wait(
        "nothing picked",
        "!document.querySelector('#table-board .spot.picked')",
    );
    // First where, then which piece.
    ann.click(&cell("F5"));
    ann.wait(
        "who can go there",
        &format!("{LIT}.includes('F3') && !{LIT}.includes('F5')"),
    );
    let before = ann.run(&format!("return {BOARD}"));
    ann.click(&cell("F3"));
    ann.wait(
        "the board after the move",
        &format!("{BOARD} && {BOARD} !== {before}"),
    );
    ann.wait(
        "the other side's pieces",
        &format!(
            "{LIT}.length > 0 && {}.getAttribute('aria-label').includes('electron')",
            cell("F5")
        ),
    );
    // The other side drags.
    let from = ann.run(&format!("return {LIT}[0]"));
    let from = from.as_str().unwrap();
    let start = middle(&ann, &cell(from));
    ann.click(&cell(from));
    ann.wait("picked", &format!("{}.matches('.picked')", cell(from)));
    let to = ann.run(&format!("return {LIT}[0]"));
    let goal = middle(&ann, &cell(to.as_str().unwrap()));
    ann.click(&cell(from));
    ann.wait("put back", "!document.querySelector('#table-board .spot.picked')");
    let before = ann.run(&format!("return {BOARD}"));
    let actions = json!([
        { "type": "pointerMove", "duration": 0, "x": start.0, "y": start.1 },
        { "type": "pointerDown", "button": 0 },
        { "type": "pointerMove", "duration": 60, "x": (start.0 + goal.0) / 2, "y": (start.1 + goal.1) / 2 },
        { "type": "pointerMove", "duration": 60, "x": goal.0, "y": goal.1 },
        { "type": "pointerUp", "button": 0 },
    ]);
    ann.ask("POST", "/actions", &json!({ "actions": [{ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions }] }));
    ann.wait(
        "the board after the drop",
        &format!("{BOARD} && {BOARD} !== {before}"),
    );
    ann.check("nothing is left of it", "!document.querySelector('.ghost')");
    ann.click("document.querySelector('#table-board .enlarge')");
    ann.wait("enlarged by its button", "document.querySelector('#zoom').open");
    ann.check_console();
}

#[test]
fn a_board_that_has_gone_on_is_shown_anew_and_nothing_is_played() {
    let house = House::open();
    let browser = Browser::start();
    let ann = Tab::enter(&browser, house.address, "Ann");
    let bea = Guest::come(house.address, "Bea");
    ann.say("challenge @Bea phwar none order");
    bea.say("accept");
    let code = ann.wait_table("Phwar");
    ann.wait("something lit", &format!("{LIT}.includes('F3')"));
    // The page hears nothing any more, and another tab of the same guest plays.
    ann.run("window.fetched = window.fetch; window.fetch = (path, options) => path.startsWith('/api/matches/') && !path.endsWith('/touch') ? new Promise(() => {}) : window.fetched(path, options)");
    ann.say(&format!("move #{code} F3-F5"));
    ann.wait(
        "the move in the room",
        "document.querySelectorAll('#messages [data-board]').length === 2",
    );
    ann.run("window.fetch = window.fetched");
    let before = ann.run(&format!("return {BOARD}"));
    ann.click(&cell("D2"));
    ann.wait(
        "a word about it",
        "document.querySelector('#notice').textContent.length > 0",
    );
    ann.wait("the board as it is", &format!("{BOARD} !== {before}"));
    ann.check(
        "nothing can be touched",
        "document.querySelector('#table-first').hidden",
    );
    assert_eq!(
        ann.run("return document.querySelectorAll('#messages [data-board]').length"),
        2
    );
    ann.check_console();
}
