//! Crowds: whoever takes all there is leaves enough for others, and for the store.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::web::guest::{Guest, get, post, sit_down};
use crate::web::house::House;
use crate::web::http::{Answer, ask};
use crate::web::wait_for;

/// The program with few files.
struct Bot {
    process: Child,
    address: SocketAddr,
}

impl Bot {
    fn start(store: &std::path::Path, files: u32) -> Self {
        let mut process = Command::new("sh")
            .args(["-c", &format!("ulimit -n {files}; exec \"$0\"")])
            .arg(env!("CARGO_BIN_EXE_parlor"))
            .env("PARLOR_STORE_PATH", store)
            .env("PARLOR_LOCAL_LISTEN", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().parse().unwrap();
        Self { process, address }
    }

    /// Kills it; what it has complained about.
    fn kill(mut self) -> String {
        self.process.kill().unwrap();
        let mut complaints = String::new();
        let mut output = self.process.stderr.take().unwrap();
        output.read_to_string(&mut complaints).unwrap();
        complaints
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_thousand_idle_connections_keep_nobody_out_and_leave_the_store_its_files() {
    // This test needs many files itself.
    parlor::files::raise_limit();
    let home = tempfile::tempdir().unwrap();
    let bot = Bot::start(home.path(), 256);
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(bot.address, name));
    let requests = [
        // Listens for ever.
        format!("GET /api/events HTTP/1.1\r\nHost: {}\r\n\r\n", bot.address),
        // Says nothing.
        String::new(),
        // Never comes to an end.
        "GET /api/events HTTP/1.1\r\nHost: loc".to_owned(),
    ];
    let crowd: Vec<TcpStream> = (0..1050)
        .map(|number: usize| {
            let mut connection = TcpStream::connect(bot.address).unwrap();
            let request = requests[number % requests.len()].as_bytes();
            connection.write_all(request).unwrap();
            connection
        })
        .collect();
    let mut listening = ann.events("/api/events");
    listening.wait("hello");
    let code = sit_down(&ann, &bea, parlor::catalog::games().next().unwrap().meta.id);
    let cy = Guest::come(bot.address, "Cy");
    cy.say("\"is there room for me?\"");
    listening.wait("message");
    assert!(ann.hear("matches").contains(&code));
    assert_eq!(get(bot.address, "/healthz").json()["status"], "ok");
    drop(crowd);
    let complaints = bot.kill();
    assert_eq!(complaints, "");
    // What was answered is there.
    let bot = Bot::start(home.path(), 256);
    let cy = Guest {
        address: bot.address,
        ..cy
    };
    assert!(
        cy.everything()
            .iter()
            .any(|message| message["plain"] == "is there room for me?")
    );
    assert_eq!(bot.kill(), "");
}

#[test]
fn a_guest_has_some_streams_and_no_more() {
    let house = House::open();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let mut streams: Vec<_> = (0..16).map(|_| ann.events("/api/events")).collect();
    // Only the head: were it not refused, it would never end.
    let bearer = ann.bearer();
    let headers = [("Authorization", bearer.as_str())];
    let head = ask(house.address, "HEAD", "/api/events", &headers, b"").unwrap();
    assert_eq!(head.status, 429);
    let refused = ann.get("/api/events");
    assert!(refused.header("retry-after").is_some());
    assert!(
        refused.json()["error"]
            .as_str()
            .unwrap()
            .contains("too many places")
    );
    bea.events("/api/events").wait("hello");
    assert_eq!(ann.get("/api/messages").status, 200, "everything else goes on");
    streams.pop();
    wait_for("a stream to end", || {
        ann.say("\"somebody has to notice\"");
        let open = get(house.address, "/healthz").json()["streams"].as_u64();
        (open == Some(15)).then_some(())
    });
    ann.events("/api/events").wait("hello");
}

/// Whoever only looks around costs something, too.
#[test]
fn nobody_looks_around_without_end() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    // A guest has fewer looks than the address that they come from.
    let refused = (0..10_000)
        .map(|_| ann.get("/api/me"))
        .find(|answer| answer.status != 200);
    let refused = refused.expect("an end");
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").is_some());
}

#[test]
fn new_names_are_given_slowly_once_many_were_taken() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    let take = |number: usize| -> Answer {
        let name = json!({ "name": format!("guest{number}") });
        post(house.address, "/api/guests", &name)
    };
    let refused = (0..1000).map(take).find(|answer| answer.status != 200);
    let refused = refused.expect("an end");
    assert_eq!(refused.status, 429);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..10).contains(&wait));
    let sentence = refused.json()["error"].as_str().unwrap().to_owned();
    assert!(
        sentence.starts_with("That's too fast for me. Try again in "),
        "{sentence}"
    );
    // Those who have a name are not kept out.
    let back = json!({ "name": "Ann", "token": ann.token });
    assert_eq!(post(house.address, "/api/guests", &back).status, 200);
    assert!(!ann.hear("games").is_empty());
}

#[test]
fn a_page_has_a_hundred_messages_at_most() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    for number in 0..105 {
        ann.say(&format!("\"{number}"));
    }
    let page = ask(house.address, "GET", "/api/messages?limit=500", &[], b"").unwrap();
    assert_eq!(page.header("content-type"), Some("application/json"));
    let page = page.json();
    assert_eq!(page["messages"].as_array().unwrap().len(), 100);
    assert_eq!(page["more"], true);
}
