//! Names are given once, whatever they look like, and kept however many there are.

use std::sync::Arc;

use parlor::matches::port::{Batch, Space, Store};
use parlor::store::MemoryStore;
use parlor::text::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::runtime::Runtime;

use crate::web::guest::{Guest, get, post, sit_down};
use crate::web::house::House;
use crate::web::http::{Answer, ask};
use crate::web::wait_for;

/// Guests as a store keeps them.
struct Kept(Batch);

impl Kept {
    /// A guest whose token is made of their name. Stores of old don't tell when somebody was last here.
    fn guest(&mut self, name: &str, seen: Option<u64>) {
        let token = hex(&Sha256::digest(token(name).as_bytes()));
        let mut row = json!({ "name": name, "token": token, "since": 1 });
        if let Some(seen) = seen {
            row["seen"] = seen.into();
        }
        let key = format!("local\0guest\0{}", name.to_lowercase());
        self.0.put(Space::Adapters, key, row.to_string());
    }

    fn into_store(self) -> Arc<dyn Store> {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        Runtime::new().unwrap().block_on(store.commit(self.0)).unwrap();
        store
    }
}

fn token(name: &str) -> String {
    hex(name.as_bytes())
}

fn me(house: &House, name: &str) -> Answer {
    let bearer = format!("Bearer {}", token(name));
    let headers = [("Authorization", bearer.as_str())];
    ask(house.address, "GET", "/api/me", &headers, b"").unwrap()
}

fn take(house: &House, name: &str) -> (u16, Value) {
    let answer = post(house.address, "/api/guests", &json!({ "name": name }));
    (answer.status, answer.json())
}

#[test]
fn every_guest_is_known_after_a_start_and_a_full_house_takes_nobody_in() {
    let mut kept = Kept(Batch::new());
    for number in 0..100_050 {
        kept.guest(&format!("guest{number}"), None);
    }
    kept.guest("zzz", None);
    let house = House::over(kept.into_store());
    for name in ["guest0", "guest100049", "zzz"] {
        assert_eq!(me(&house, name).json()["name"], name);
        assert_eq!(take(&house, name).0, 409, "{name} is theirs");
    }
    let (status, answer) = take(&house, "Stranger");
    assert_eq!(status, 503);
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .starts_with("There's no space for another guest")
    );
}

#[test]
fn only_guests_who_left_nothing_behind_are_forgotten() {
    let store = Kept(Batch::new()).into_store();
    let house = House::over(Arc::clone(&store));
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    sit_down(&ann, &bea, parlor::catalog::games().next().unwrap().meta.id);
    drop(house);
    // Nobody was here for decades, but for a guest of whom an old store doesn't say.
    let mut kept = Kept(Batch::new());
    kept.guest("Ann", Some(2));
    kept.guest("Cy", Some(2));
    kept.guest("Dee", None);
    Runtime::new().unwrap().block_on(store.commit(kept.0)).unwrap();
    let house = House::over(store);
    // Whoever asks as Cy would bring Cy back.
    wait_for("Cy to be forgotten", || {
        let guests = get(house.address, "/healthz").json()["guests"].as_u64();
        (guests == Some(3)).then_some(())
    });
    assert_eq!(me(&house, "Cy").status, 401);
    assert_eq!(take(&house, "Cy").0, 200, "the name is free");
    assert_eq!(take(&house, "Ann").0, 409, "Ann has a match");
    assert_eq!(take(&house, "Dee").0, 409, "Dee's time away begins now");
}

#[test]
fn whoever_comes_again_is_not_away() {
    let store = {
        let mut kept = Kept(Batch::new());
        kept.guest("Ann", None);
        kept.into_store()
    };
    let house = House::over(Arc::clone(&store));
    assert_eq!(me(&house, "Ann").status, 200);
    drop(house);
    let row = store.get(Space::Adapters, b"local\0guest\0ann").unwrap().unwrap();
    let row: Value = serde_json::from_slice(&row).unwrap();
    assert!(row["seen"].as_u64().unwrap() > 1_600_000_000_000, "{row}");
}

#[test]
fn a_name_is_nobody_elses_and_not_the_bots() {
    let house = House::open();
    Guest::come(house.address, "Liam");
    for alike in ["Iiam", "LIAM", "Liаm", "Ｌｉａｍ", "1iam"] {
        let (status, answer) = take(&house, alike);
        assert_eq!(status, 409, "{alike}");
        assert!(answer["error"].as_str().unwrap().contains("another name"));
    }
    for reserved in ["bot", "Bot3", "bоt", "Parlor", "parl0r", "me"] {
        let (status, answer) = take(&house, reserved);
        assert_eq!(status, 422, "{reserved}");
        assert!(answer["error"].as_str().unwrap().contains("another name"));
    }
    assert_eq!(take(&house, "Zoe\u{308}").1["name"], "Zoë");
    assert_eq!(take(&house, "Zoë").0, 409, "written otherwise it is the same");
}

#[test]
fn guests_of_old_who_look_alike_or_are_called_bot_keep_their_names() {
    let names = ["Ann", "Аnn", "bot", "Zoe\u{308}", "Zoë"];
    let mut kept = Kept(Batch::new());
    for name in names {
        kept.guest(name, None);
    }
    let house = House::over(kept.into_store());
    for name in names {
        assert_eq!(me(&house, name).json()["name"], name);
        let back = post(
            house.address,
            "/api/guests",
            &json!({ "name": name, "token": token(name) }),
        );
        assert_eq!(back.json()["name"], name);
    }
}
