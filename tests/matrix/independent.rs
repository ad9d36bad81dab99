//! A client that shares no code with the bot reads the board and its hand in encrypted rooms, byte for byte, and plays.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use parlor::catalog::{self, Frame};
use parlor::draw::wide::widened;
use parlor::game::{OptionValues, Seat, Seed, Viewer};
use serde_json::{Value, json};

use crate::bot::{Bot, program};
use crate::party::{challenge, code_in};
use crate::person::Person;
use crate::script::SHORT;
use crate::synapse::{Synapse, python, script};
use crate::web::PATIENCE;
use crate::web::guest::game_with_hands;

/// Somebody with matrix-nio.
struct Nio {
    id: String,
    _folder: tempfile::TempDir,
    child: Child,
    input: ChildStdin,
    told: Receiver<Value>,
    /// What was told and not waited for yet.
    heard: VecDeque<Value>,
}

impl Nio {
    fn come(synapse: &Synapse, name: &str) -> Self {
        let account = synapse.register(name);
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(python())
            .arg(script("independent.py"))
            .args([&synapse.url(), &account.id, &account.password])
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, told) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = tell.send(serde_json::from_str(&line).unwrap_or_else(|_| json!({ "odd": line })));
            }
        });
        let mut nio = Self {
            id: account.id,
            _folder: folder,
            child,
            input,
            told,
            heard: VecDeque::new(),
        };
        nio.wait("nio to be ready", |told| told["ready"] == true);
        nio
    }

    fn say(&mut self, room: &str, text: &str) {
        writeln!(self.input, "{}", json!({ "room": room, "say": text })).unwrap();
    }

    fn answer(&mut self, room: &str, event: &str, text: &str) {
        let relation = json!({ "m.in_reply_to": { "event_id": event } });
        let content = json!({ "msgtype": "m.text", "body": text, "m.relates_to": relation });
        writeln!(self.input, "{}", json!({ "room": room, "send": content })).unwrap();
    }

    /// Waits for something and takes it; what came before it stays.
    fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            if let Some(index) = self.heard.iter().position(&fits) {
                return self.heard.remove(index).unwrap();
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.told.recv_timeout(left) {
                Ok(told) => {
                    assert!(told.get("unreadable").is_none(), "can't be decrypted: {told}");
                    self.heard.push_back(told);
                }
                Err(_) => panic!("nio waited in vain for {what}; heard {:#?}", self.heard),
            }
        }
    }
}

impl Drop for Nio {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn is_picture(told: &Value) -> bool {
    told["content"]["msgtype"] == "m.image"
}

fn picture(told: &Value) -> Vec<u8> {
    assert_eq!(told["encrypted"], true);
    std::fs::read(told["file"].as_str().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn another_client_reads_the_board_and_plays_to_the_end() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-nio");
    let ann = Person::come(synapse, "ann-nio").await;
    let mut bea = Nio::come(synapse, "bea-nio");
    let room = ann
        .make_room(&[bot.id(), &bea.id], json!({ "encrypted": true }))
        .await;
    let id = room.room_id().to_string();
    bea.wait("the room", |told| told["joined"] == true);
    ann.until_joined(&room, bot.id()).await;
    ann.until_joined(&room, &bea.id).await;

    let asked = format!("!challenge {} {} none order", bea.id, SHORT.game);
    ann.say(&room, &asked).await;
    let code = code_in(challenge(&ann, bot.id()).await.body());
    bea.wait("the challenge", |told| {
        told["content"]["body"]
            .as_str()
            .is_some_and(|body| body.contains("challenges"))
    });
    bea.say(&id, "!accept");
    let me = bea.id.clone();
    for (number, (seat, action)) in SHORT.moves.iter().enumerate() {
        let board = bea.wait("a board", is_picture);
        assert_eq!(
            picture(&board),
            SHORT.picture(number, ["ann-nio", "bea-nio"]),
            "after {number} moves"
        );
        if seat.index() == 0 {
            ann.say(&room, &format!("!move #{code} {action}")).await;
        } else {
            let shown = board["id"].as_str().unwrap();
            if number == 0 || SHORT.moves[number - 1].0 != *seat {
                assert_eq!(board["content"]["m.mentions"]["user_ids"], json!([me]), "{board}");
            }
            bea.answer(&id, shown, action);
        }
    }
    let end = bea.wait("the end", is_picture);
    assert_eq!(
        picture(&end),
        SHORT.picture(SHORT.moves.len(), ["ann-nio", "bea-nio"])
    );
    assert!(end["content"]["body"].as_str().unwrap().contains("wins"));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_client_reads_its_hand() {
    let synapse = Synapse::shared();
    let mut bot = Bot::start(synapse, "parlor-nio-hand");
    let ann = Person::come(synapse, "ann-nio-hand").await;
    let mut bea = Nio::come(synapse, "bea-nio-hand");
    let room = ann
        .make_room(&[bot.id(), &bea.id], json!({ "encrypted": true }))
        .await;
    bea.wait("the room", |told| told["joined"] == true);
    ann.until_joined(&room, bot.id()).await;
    ann.until_joined(&room, &bea.id).await;
    let asked = format!("!challenge {} {} none order", bea.id, game_with_hands());
    ann.say(&room, &asked).await;
    let code = code_in(challenge(&ann, bot.id()).await.body());
    bea.say(room.room_id().as_str(), "!accept");
    // The bot invites her, and she goes into every room.
    let hand = bea.wait("her hand", |told| {
        is_picture(told) && told["content"]["filename"].as_str().unwrap().contains("hand")
    });
    assert_ne!(hand["room"], room.room_id().as_str());

    // What she should have been shown is known once the match is written out, seed and all.
    bot.stop();
    let mut export = program(bot.data().parent().unwrap());
    let export = export
        .env("PARLOR_STORE_PATH", bot.data())
        .args(["export", &code])
        .output()
        .unwrap();
    let record: Value = serde_json::from_slice(&export.stdout).unwrap();
    let entry = catalog::find(record["game"].as_str().unwrap()).unwrap();
    let options = record["options"].as_object().unwrap().iter();
    let options = OptionValues::choose(
        entry.meta.options,
        options.map(|(name, value)| (name.as_str(), value.as_str().unwrap())),
    );
    let seed = Seed::from_hex(record["seed"].as_str().unwrap()).unwrap();
    let table = entry.open(&options.unwrap(), 2, &seed).unwrap();
    let names = ["ann-nio-hand".to_owned(), "bea-nio-hand".to_owned()];
    let frame = Frame::new(Viewer::Seat(Seat::new(1)), &names);
    let drawn = table.hand_picture(&frame).unwrap().unwrap();
    assert_eq!(picture(&hand), widened(drawn));
    let alt = table.hand(&frame).unwrap().alt;
    // Wherever its lines are broken.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let body = words(hand["content"]["body"].as_str().unwrap());
    assert!(body.contains(&words(&alt)), "{body}");
}
