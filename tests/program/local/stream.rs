//! The message stream: cursors, events, restarts.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor::matches::port::Store;
use parlor::store::MemoryStore;
use serde_json::{Value, json};

use crate::web::guest::{Guest, get, read_all, sit_down};
use crate::web::house::House;
use crate::web::http::Events;

fn plain(message: &Value) -> &str {
    message["plain"].as_str().unwrap()
}

#[test]
fn a_room_of_hundreds_of_messages_is_read_by_pages_from_both_ends() {
    const COUNT: usize = 400;
    let house = House::open();
    let guests: Vec<Guest> = (0..4)
        .map(|number| Guest::come(house.address, &format!("g{number}")))
        .collect();
    std::thread::scope(|scope| {
        for guest in &guests {
            scope.spawn(move || {
                for number in 0..COUNT / 4 {
                    guest.say(&format!("\"{} says {number}", guest.name));
                }
            });
        }
    });
    let all = read_all(|after| {
        get(
            house.address,
            &format!("/api/messages?room=parlor&after={after}&limit=37"),
        )
        .json()
    });
    assert_eq!(all.len(), COUNT);
    let cursors: Vec<u64> = all.iter().map(|m| m["cursor"].as_u64().unwrap()).collect();
    assert!(cursors.is_sorted_by(|a, b| a < b));
    // Everybody's own lines are in order.
    for guest in &guests {
        let own: Vec<&str> = all
            .iter()
            .filter(|m| m["from"]["name"] == guest.name.as_str())
            .map(plain)
            .collect();
        let expected: Vec<String> = (0..COUNT / 4)
            .map(|number| format!("{} says {number}", guest.name))
            .collect();
        assert_eq!(own, expected);
    }
    // From the end backwards, the same.
    let mut backwards: Vec<Value> = Vec::new();
    let mut before = String::new();
    loop {
        let page = get(
            house.address,
            &format!("/api/messages?room=parlor&limit=99{before}"),
        )
        .json();
        let messages = page["messages"].as_array().unwrap();
        before = format!("&before={}", messages[0]["cursor"]);
        backwards.splice(0..0, messages.iter().cloned());
        if page["more"] == false {
            break;
        }
    }
    assert_eq!(backwards, all);
}

#[test]
fn a_stream_goes_on_after_its_cursor() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    for word in ["one", "two", "three"] {
        ann.say(&format!("\"{word}"));
    }
    let mut all = Events::open(house.address, "/api/events?after=0", &[]).unwrap();
    assert_eq!(all.next().unwrap().name, "hello");
    let first = all.wait("message");
    assert_eq!((plain(&first.data), first.id), ("one", Some(1)));
    drop(all);
    // A browser tells where it was by a header, which counts more than the address it first asked for.
    let id = first.id.unwrap().to_string();
    let mut rest = Events::open(house.address, "/api/events?after=0", &[("Last-Event-ID", &id)]).unwrap();
    assert_eq!(plain(&rest.wait("message").data), "two");
    assert_eq!(plain(&rest.wait("message").data), "three");
    ann.say("\"four");
    assert_eq!(plain(&rest.wait("message").data), "four");
    // Without a cursor, from now on.
    let mut new = Events::open(house.address, "/api/events", &[]).unwrap();
    assert_eq!(new.wait("hello").data["cursor"], 4);
    ann.post("/api/rooms", &json!({ "name": "attic" }));
    assert_eq!(new.wait("room").data["name"], "attic");
    ann.say("\"five");
    assert_eq!(plain(&new.wait("message").data), "five");
}

#[test]
fn what_is_sent_twice_under_one_id_is_done_once() {
    let house = House::open();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let send = |guest: &Guest, text: &str, event: &str| {
        guest
            .post(
                "/api/say",
                &json!({ "room": "parlor", "text": text, "event": event }),
            )
            .json()
    };
    for _ in 0..3 {
        send(&ann, "practice phwar", "e1");
        send(&ann, "hello everybody out there", "e2");
    }
    assert_eq!(
        ann.get("/api/matches").json()["matches"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let said = |messages: Vec<Value>| messages.iter().filter(|m| plain(m).starts_with("hello")).count();
    assert_eq!(said(ann.everything()), 1);
    // An id counts for its guest only.
    send(&bea, "practice phwar", "e1");
    assert_eq!(
        bea.get("/api/matches").json()["matches"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // Even at the same moment.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| send(&ann, "\"all at once", "e3"));
        }
    });
    let messages = ann.everything();
    let count = messages.iter().filter(|m| plain(m) == "all at once").count();
    assert_eq!(count, 1);
}

#[test]
fn a_new_start_over_the_same_store_knows_everything() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let house = House::over(Arc::clone(&store));
    let [mut ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    ann.post("/api/rooms", &json!({ "name": "attic" }));
    let code = sit_down(&ann, &bea, "phwar");
    ann.say("\"see you later");
    let before = ann.everything();
    drop(house);
    let house = House::over(store);
    ann.address = house.address;
    assert_eq!(ann.everything(), before);
    let rooms = get(house.address, "/api/rooms").text();
    assert!(rooms.contains("attic"));
    // An old button works, and what comes next has a new number.
    let board = before.iter().rfind(|m| m["picture"].is_object()).unwrap();
    let press = json!({ "message": board["id"], "command": format!("board #{code}") });
    assert_eq!(ann.post("/api/press", &press).status, 200);
    ann.say("\"back again");
    let after = ann.everything();
    assert_eq!(after.len(), before.len() + 1);
    let numbers: BTreeSet<u64> = after.iter().map(|m| m["cursor"].as_u64().unwrap()).collect();
    assert_eq!(numbers.len(), after.len());
}

#[test]
fn closing_ends_streams_at_once() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    let mut stream = ann.events("/api/events");
    stream.wait("hello");
    let start = Instant::now();
    drop(house);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(stream.next().is_none());
}
