//! Private talks that can't be opened, and people who take no private messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parlor::matches::port::{Clock, Space, Store};
use parlor::matches::time::{Span, SystemClock, Time};
use parlor::store::MemoryStore;
use serde_json::json;

use super::{Dice, board_after, match_in, match_of, move_somehow};
use crate::driver::house::House;
use crate::driver::{Place, Town};
use crate::standin::model::Message;

/// How often requests were refused so.
fn refusals(town: &Town, code: i64) -> usize {
    let refusals = town.shared().with(|model| model.refusals.clone());
    refusals.iter().filter(|refusal| **refusal == code).count()
}

fn is_hand(message: &Message) -> bool {
    message.text().contains("your hand") && message.attachments.len() == 1
}

#[test]
fn talks_that_are_opened_too_fast_are_opened_later_and_nobody_is_taken_for_closed() {
    let mut town = Town::awake();
    town.expect_refusals(&[40003]);
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    town.shared().with(|model| model.too_many_talks = true);
    let code = match_of(
        &town,
        &[&ann, &bob],
        "breaker",
        json!({ "options": "variant=blind" }),
    );
    town.shared().wait("a talk to be refused", |model| {
        model.refusals.contains(&40003).then_some(())
    });
    // Both are shown their hands whenever they ask, and told nothing of private messages that they don't take.
    for player in [&ann, &bob] {
        let own = player.slash("hand", &json!({ "match": code })).answer();
        assert!(is_hand(&own), "{}", own.text());
        let seen = player.everything_seen();
        assert!(
            !seen
                .iter()
                .any(|message| message.everything().contains("private messages")),
            "{seen:#?}"
        );
    }
    town.shared().with(|model| model.too_many_talks = false);
    for player in [&ann, &bob] {
        player.dm().wait_for("a hand", is_hand);
    }
    // One of them asked, while the other waited in line.
    let asked = refusals(&town, 40003);
    assert!(asked <= 3, "asked {asked} times");
}

/// The system's clock, and as much more as the test lets go by.
#[derive(Default)]
struct FastClock(AtomicU64);

impl FastClock {
    fn forward(&self, span: Span) {
        self.0.fetch_add(span.0, Ordering::SeqCst);
    }

    fn more(&self) -> Span {
        Span(self.0.load(Ordering::SeqCst))
    }
}

impl Clock for FastClock {
    fn now(&self) -> Time {
        SystemClock.now() + self.more()
    }

    fn steady(&self) -> Span {
        SystemClock.steady() + self.more()
    }
}

#[test]
fn whoever_takes_no_private_messages_is_tried_again_once_a_day_and_sooner_when_they_are_there() {
    let town = Town::asleep();
    let store = Arc::new(MemoryStore::new());
    let clock = Arc::new(FastClock::default());
    let house = House::open(
        &town,
        Arc::<MemoryStore>::clone(&store),
        Arc::<FastClock>::clone(&clock),
    );
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    // In each of these matches Ann moves first. Once its channel is gone, Bob is to be called alone by her move.
    let meadows: Vec<(Place, String)> = (0..6)
        .map(|number| {
            let meadow = town.channel(&format!("meadow{number}"));
            let code = match_in(&meadow, &[&ann, &bob], "phwar", json!({ "clock": "none" }));
            board_after(&meadow, 0, &code);
            (meadow, code)
        })
        .collect();
    bob.close_dms();
    let mut dice = Dice::new(61);
    let mut tries = 0;
    let mut call = |number: usize, how: &str, more: usize| {
        let (meadow, code) = &meadows[number];
        meadow.delete();
        move_somehow(&ann.at(&ann.dm()), code, &mut dice);
        // What was left out is forgotten like what was brought.
        let waiting = || store.scan(Space::Outbox, &[0][..]..=&[0xff; 64][..], 1).unwrap();
        while !waiting().is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        tries += more;
        assert_eq!(refusals(&town, 50007), tries, "{how}");
    };
    call(0, "found out", 1);
    clock.forward(Span::hours(23));
    call(1, "within a day", 0);
    clock.forward(Span::hours(2));
    call(2, "a day later", 1);
    // Any command shows that they are there.
    assert!(bob.slash("games", &json!({})).words().contains("Phwar"));
    call(3, "as soon as they are there", 0);
    clock.forward(Span::hours(1));
    call(4, "an hour later", 1);
    bob.open_dms();
    // Talking to the bot in private, they are reached at once.
    bob.at(&bob.dm()).slash("games", &json!({})).answer();
    call(5, "open again", 0);
    let (_, code) = &meadows[5];
    bob.dm()
        .wait_for("the call", |message| message.everything().contains(code));
    drop(house);
}
