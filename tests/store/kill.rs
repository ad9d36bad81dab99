//! The bot is killed a hundred times while two guests play. Nothing that was answered is lost, every delivery
//! arrives once, and the match goes on to its end.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::web::guest::{Guest, actions_in, read_all};
use crate::web::http::ask;
use crate::web::wait_for;
use serde_json::{Value, json};

/// How often the bot is killed.
const KILLS: u32 = 100;

/// The longest that a bot lives, in milliseconds.
const LONGEST_LIFE: u64 = 120;

/// Numbers that look random and are the same in every run. When things happen differs from run to run anyway.
struct Dice(AtomicU64);

impl Dice {
    fn roll(&self, sides: u64) -> u64 {
        let seed = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) % sides
    }
}

/// Starts the real program, and waits until it is open.
pub fn start(folder: &Path, address: SocketAddr) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .current_dir(folder)
        .env("PARLOR_STORE_PATH", folder.join("data"))
        .env("PARLOR_LOCAL_LISTEN", address.to_string())
        .env("PARLOR_LOCAL_ENABLED", "true")
        // A quick machine plays more than the room keeps by default, and what is pruned can't be compared.
        .env("PARLOR_STORE_KEEP_MESSAGES", "1000000")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains("open"), "the bot did not start: {line:?}");
    child
}

/// Asks until there is an answer, as a client would that wants to be sure.
fn insist(what: &str, mut ask: impl FnMut() -> std::io::Result<crate::web::http::Answer>) -> Value {
    let answer = wait_for(what, || ask().ok());
    assert_eq!(answer.status, 200, "{what}: {}", answer.text());
    answer.json()
}

/// A guest who doesn't give up.
struct Stubborn {
    guest: Guest,
    events: AtomicU32,
}

impl Stubborn {
    fn get(&self, path: &str) -> Value {
        let bearer = self.guest.bearer();
        insist(path, || {
            ask(
                self.guest.address,
                "GET",
                path,
                &[("Authorization", bearer.as_str())],
                b"",
            )
        })
    }

    /// Says something under one event id until it is answered; the words of the answer.
    fn say(&self, text: &str) -> String {
        let event = self.events.fetch_add(1, Ordering::Relaxed);
        let body = json!({ "room": "parlor", "text": text, "event": format!("event {event}") });
        let said = insist(text, || self.guest.try_post("/api/say", &body));
        said["reply"]["plain"].as_str().unwrap_or_default().to_owned()
    }

    fn matches(&self) -> Vec<Value> {
        self.get("/api/matches")["matches"].as_array().unwrap().clone()
    }

    /// One of the moves that the bot suggests.
    fn some_move(&self, code: &str, dice: &Dice) -> String {
        let found = self.get(&format!("/api/suggest?room=parlor&line=move%20%23{code}%20"));
        let found = found["suggestions"].as_array().unwrap();
        assert!(!found.is_empty(), "whoever has the turn can move");
        let index = dice.roll(found.len() as u64) as usize;
        let line = found[index]["line"].as_str().unwrap();
        let (_, action) = line.split_once(&format!("#{code} ")).unwrap();
        action.trim_end().to_owned()
    }
}

/// A reader who follows the messages with a cursor, and remembers each as it was first seen.
fn follow(reader: &Stubborn, done: &AtomicBool) -> BTreeMap<u64, Value> {
    let mut seen = BTreeMap::new();
    let mut cursor = 0;
    loop {
        let last_round = done.load(Ordering::SeqCst);
        let page = reader.get(&format!("/api/messages?after={cursor}&limit=20"));
        for message in page["messages"].as_array().unwrap() {
            let number = message["cursor"].as_u64().unwrap();
            assert!(number > cursor, "a message came twice, or too late: {message}");
            cursor = number;
            seen.insert(number, message.clone());
        }
        cursor = cursor.max(page["cursor"].as_u64().unwrap());
        if last_round && page["more"] == false {
            return seen;
        }
    }
}

/// Two guests play one match to its end; its code, and the moves that were answered.
fn play(players: [&Stubborn; 2], dice: &Dice) -> (String, Vec<String>) {
    let [host, other] = players;
    host.say("open phwar none");
    let code = host.matches()[0]["code"].as_str().unwrap().to_owned();
    other.say(&format!("join {code}"));
    let mut moves = Vec::new();
    loop {
        let mut alive = false;
        for player in players {
            let Some(found) = player.matches().into_iter().find(|m| m["code"] == code.as_str()) else {
                continue;
            };
            alive = true;
            if found["your_turn"] == true {
                let action = player.some_move(&code, dice);
                let answer = player.say(&format!("move #{code} {action}"));
                assert!(
                    answer.starts_with("Played") || answer.contains("done already"),
                    "{action}: {answer}"
                );
                moves.push(action);
            }
        }
        if !alive {
            return (code, moves);
        }
    }
}

#[test]
fn a_hundred_kills_lose_nothing_and_show_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let dice = Dice(AtomicU64::new(7));
    let (done, kills) = (AtomicBool::new(false), AtomicU32::new(0));
    let mut bot = start(folder.path(), address);
    let guests = ["Ann", "Bea", "Cy"].map(|name| Stubborn {
        guest: Guest::come(address, name),
        events: AtomicU32::new(0),
    });
    let [ann, bea, cy] = &guests;

    let (matches, seen) = std::thread::scope(|scope| {
        let readers = [ann, bea, cy].map(|reader| scope.spawn(|| follow(reader, &done)));
        let playing = scope.spawn(|| {
            let mut matches = Vec::new();
            while kills.load(Ordering::SeqCst) < KILLS {
                matches.push(play([ann, bea], &dice));
            }
            matches
        });
        // The killer: whatever the bot is doing, at any moment it is gone.
        let begin = Instant::now();
        while kills.load(Ordering::SeqCst) < KILLS && !playing.is_finished() {
            std::thread::sleep(Duration::from_micros(dice.roll(LONGEST_LIFE * 1000)));
            bot.kill().unwrap();
            bot.wait().unwrap();
            bot = start(folder.path(), address);
            kills.fetch_add(1, Ordering::SeqCst);
        }
        eprintln!("{KILLS} kills in {:?}", begin.elapsed());
        let matches = playing.join();
        // The last end may still be on its way.
        if let Ok(Some((code, _))) = matches.as_ref().map(|matches| matches.last()) {
            let again = format!("rematch #{code}");
            wait_for("the end to be told", || {
                let all = read_all(|after| ann.get(&format!("/api/messages?after={after}")));
                let told = |message: &Value| {
                    let buttons = message["buttons"].as_array();
                    buttons.is_some_and(|buttons| buttons.iter().any(|one| one["command"] == again.as_str()))
                };
                all.iter().any(told).then_some(())
            });
        }
        done.store(true, Ordering::SeqCst);
        let seen = readers.map(|reader| reader.join().unwrap());
        (matches.unwrap(), seen)
    });
    assert_eq!(kills.load(Ordering::SeqCst), KILLS);

    // Every reader saw, at the first look and in spite of all, exactly what is there in the end.
    for (reader, seen) in guests.iter().zip(seen) {
        let all = read_all(|after| reader.get(&format!("/api/messages?after={after}")));
        assert_eq!(
            all,
            seen.into_values().collect::<Vec<Value>>(),
            "{}",
            reader.guest.name
        );
    }
    let messages = read_all(|after| cy.get(&format!("/api/messages?after={after}")));
    for (code, moves) in &matches {
        check_match(ann, code, moves, &messages, folder.path());
    }
    eprintln!(
        "{} matches, {} moves",
        matches.len(),
        matches.iter().map(|(_, moves)| moves.len()).sum::<usize>()
    );
    bot.kill().unwrap();
    bot.wait().unwrap();
}

/// A bot that thinks for long is killed while it does, again and again; in the end its reply comes, and comes once.
#[test]
fn a_bot_that_was_killed_while_it_thought_replies_once() {
    let folder = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut bot = start(folder.path(), address);
    let ann = Stubborn {
        guest: Guest::come(address, "Ann"),
        events: AtomicU32::new(0),
    };
    let boards = || {
        let mut all = read_all(|after| ann.get(&format!("/api/messages?after={after}")));
        all.retain(|message| message["picture"].is_object());
        all
    };
    ann.say("challenge bot phwar order level=5");
    let code = ann.matches()[0]["code"].as_str().unwrap().to_owned();
    wait_for("the first board", || (boards().len() == 1).then_some(()));
    let action = ann.some_move(&code, &Dice(AtomicU64::new(3)));
    let said = ann.say(&format!("move #{code} {action}"));
    assert!(said.contains("Parlor (level 5) is thinking"), "{said}");
    for _ in 0..3 {
        bot.kill().unwrap();
        bot.wait().unwrap();
        bot = start(folder.path(), address);
        assert_eq!(ann.matches()[0]["your_turn"], false);
    }
    // The move was drawn at once, and the reply takes its place.
    let told = wait_for("the reply", || {
        let told = boards();
        let words = told.get(1)?["plain"].as_str()?;
        (!words.contains("is thinking")).then_some(told)
    });
    assert_eq!(ann.matches()[0]["your_turn"], true);
    assert_eq!(told.len(), 2, "{told:#?}");
    let words = told[1]["plain"].as_str().unwrap();
    assert!(
        words.starts_with("Ann ") && words.contains("Parlor (level 5) "),
        "{words}"
    );
    bot.kill().unwrap();
    bot.wait().unwrap();
}

/// A bot is killed while it reviews a match, again and again. Nobody asks a second time: it goes on by itself, and the room is
/// told once that it is done.
#[test]
fn a_review_goes_on_by_itself_after_the_bot_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut bot = start(folder.path(), address);
    let [ann, bea] = ["Ann", "Bea"].map(|name| Stubborn {
        guest: Guest::come(address, name),
        events: AtomicU32::new(0),
    });
    let dice = Dice(AtomicU64::new(11));
    ann.say("open phwar none order");
    let code = ann.matches()[0]["code"].as_str().unwrap().to_owned();
    bea.say(&format!("join {code}"));
    for number in 0..16 {
        let player = [&ann, &bea][number % 2];
        let action = player.some_move(&code, &dice);
        let said = player.say(&format!("move #{code} {action}"));
        assert!(said.starts_with("Played"), "{action}: {said}");
    }
    ann.say(&format!("resign #{code} sure"));
    let asked = ann.say(&format!("review #{code}"));
    assert!(asked.contains("moves looked at"), "{asked}");
    for _ in 0..3 {
        bot.kill().unwrap();
        bot.wait().unwrap();
        bot = start(folder.path(), address);
    }
    let told = || {
        let mut all = read_all(|after| bea.get(&format!("/api/messages?after={after}")));
        all.retain(|message| message["plain"].as_str().unwrap().contains("My review of"));
        all
    };
    // It may take as long as its budget, however long that is.
    while told().is_empty() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let review = bea.say(&format!("review #{code}"));
    assert!(
        review.contains("reviewed at level 4") && review.contains("moves as good as mine"),
        "{review}"
    );
    // The next start has nothing left to tell.
    bot.kill().unwrap();
    bot.wait().unwrap();
    bot = start(folder.path(), address);
    assert_eq!(bea.say(&format!("review #{code}")), review);
    assert_eq!(told().len(), 1);
    bot.kill().unwrap();
    bot.wait().unwrap();
}

/// The record has the moves that were answered and no other, and the room was told of each once, in order.
fn check_match(player: &Stubborn, code: &str, moves: &[String], messages: &[Value], folder: &Path) {
    let said = insist("the record", || {
        let body = json!({ "room": "parlor", "text": format!("record #{code}") });
        player.guest.try_post("/api/say", &body)
    });
    let content = said["reply"]["file"]["content"].as_str().unwrap();
    let record: Value = serde_json::from_str(content).unwrap();
    let played = actions_in(&record);
    assert_eq!(played, moves, "{code}");
    assert!(record["outcome"].is_object(), "{code} has come to its end");
    let file = folder.join(format!("{code}.json"));
    std::fs::write(&file, content).unwrap();
    let verified = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .arg("verify")
        .arg(&file)
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");

    let commands = |message: &Value| -> Vec<String> {
        let buttons = message["buttons"].as_array().unwrap().iter();
        buttons
            .map(|button| button["command"].as_str().unwrap().to_owned())
            .collect()
    };
    // A board offers a move for the version that it shows: one board for each version, none missing.
    let offer = format!("moves #{code}@");
    let versions: Vec<u64> = messages
        .iter()
        .flat_map(&commands)
        .filter_map(|command| command.strip_prefix(&offer)?.parse().ok())
        .collect();
    let first = versions[0];
    let expected: Vec<u64> = (first..first + moves.len() as u64).collect();
    assert_eq!(versions, expected, "{code}: the boards in the room");
    let ended = messages
        .iter()
        .filter(|message| commands(message).contains(&format!("rematch #{code}")));
    assert_eq!(ended.count(), 1, "{code} ends once");
    let boards: BTreeSet<&str> = messages
        .iter()
        .filter(|message| message.to_string().contains(&offer))
        .map(|message| message["plain"].as_str().unwrap())
        .collect();
    assert!(boards.len() > 1);
}
