//! 200 tables with hidden hands begin at once, while two people play on elsewhere.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::driver::boards::{board_after, code_in, offers};
use crate::driver::{Place, Town, User};
use crate::standin::model::Message;
use crate::wanted::{Latency, at_most, print};

const TABLES: usize = 200;
/// Both players of a table get a hand.
const HANDS: usize = 2 * TABLES;
/// Discord lets a bot open ten private talks in ten seconds.
const TALKS: usize = 10;
const WINDOW: Duration = Duration::from_secs(10);
/// No board elsewhere is later than this.
const LATEST_BOARD: Duration = Duration::from_secs(1);
/// Whoever asks for their hand gets it at once, however many wait.
const OWN_HAND: Duration = Duration::from_secs(1);
/// Between two moves elsewhere.
const PACE: Duration = Duration::from_secs(2);

/// Two people who play on elsewhere.
struct Pair {
    players: [User; 2],
    place: Place,
    code: String,
    moves: usize,
}

impl Pair {
    fn begin(town: &Town) -> Self {
        let place = town.channel("elsewhere");
        let players = ["Ann", "Bob"].map(|name| town.user(name).at(&place));
        let code = challenge(&players, &place, "phwar", "");
        board_after(&place, 0, &code);
        Self {
            players,
            place,
            code,
            moves: 0,
        }
    }

    /// Somebody moves; how long the board took, unless the match is over.
    fn play(&mut self, town: &Town) -> Option<Duration> {
        let player = &self.players[self.moves % 2];
        let found = player.autocomplete("move", &json!({ "move": "", "match": self.code }), "move");
        // The match may be over, or somebody may be to move twice.
        let action = found
            .get(self.moves * 7 % found.len().max(1))?
            .1
            .as_str()?
            .to_owned();
        self.moves += 1;
        let asked = player.slash("move", &json!({ "move": action, "match": self.code }));
        let (at, channel) = (asked.interaction().at, self.place.id);
        let came = town.shared().wait("a board", |model| {
            let boards = model.messages.values().filter(|message| {
                message.channel == channel && message.at >= at && !message.attachments.is_empty()
            });
            boards.map(|message| message.at).min()
        });
        Some(came - at)
    }
}

fn challenge(players: &[User; 2], place: &Place, game: &str, options: &str) -> String {
    let [host, guest] = players;
    let mut wishes = json!({ "game": game, "seating": "order", "player": guest.id_text() });
    if !options.is_empty() {
        wishes["options"] = json!(options);
    }
    let code = code_in(&host.slash("challenge", &wishes).words());
    let invitation = place.wait_for("an invitation", |message| offers(message, "Accept"));
    guest.press(&invitation, "Accept");
    code
}

fn is_hand(message: &Message) -> bool {
    message.text().contains("your hand") && message.attachments.len() == 1
}

/// When the hands came that were sent by private message.
fn hands(town: &Town) -> Vec<Duration> {
    town.shared().with(|model| {
        let private = |message: &&Message| {
            let channel = model.channels.get(&message.channel);
            channel.is_some_and(|channel| channel.recipient.is_some()) && is_hand(message)
        };
        model
            .messages
            .values()
            .filter(private)
            .map(|message| message.at)
            .collect()
    })
}

pub fn run() {
    let town = crate::town();
    let mut pair = Pair::begin(&town);
    // Everybody is invited before anybody accepts.
    let mut tables = Vec::new();
    for number in 0..TABLES {
        let place = town.channel(&format!("den{number}"));
        let players = ["Dealer", "Punter"].map(|name| town.user(&format!("{name}{number}")).at(&place));
        let options = json!({
            "game": "breaker", "seating": "order", "player": players[1].id_text(), "options": "variant=blind",
        });
        let asked = players[0].slash("challenge", &options);
        tables.push((asked, players, place));
    }
    let mut invited = Vec::new();
    for (asked, players, place) in tables {
        let code = code_in(&asked.words());
        let invitation = place.wait_for("an invitation", |message| offers(message, "Accept"));
        invited.push((invitation, players, code));
    }
    let begun = town.shared().with(|model| model.clock.now());
    for (invitation, players, _) in &invited {
        players[1].press(invitation, "Accept");
    }
    let allowed = WINDOW * u32::try_from((HANDS - 1) / TALKS).expect("a small number");
    let deadline = Instant::now() + 2 * allowed;
    let (mut boards, mut own) = (Vec::new(), Vec::new());
    while hands(&town).len() < HANDS && Instant::now() < deadline {
        boards.extend(pair.play(&town));
        // The last in line asks for what the others wait for.
        if let Some((_, players, code)) = invited.get(TABLES - 1 - own.len() % TABLES) {
            let asked = players[0].slash("hand", &json!({ "match": code }));
            let at = asked.interaction().at;
            asked.answer();
            own.push(town.shared().with(|model| model.clock.now()) - at);
        }
        std::thread::sleep(PACE);
    }
    let came = hands(&town);
    let last = came
        .iter()
        .max()
        .copied()
        .unwrap_or_default()
        .saturating_sub(begun);
    let (refused, unheeded) = town
        .shared()
        .with(|model| (model.rates.refused, model.rates.unheeded));
    let latest = boards.iter().max().copied().unwrap_or_default();
    println!("{TABLES} tables with hidden hands begin at once");
    print("board elsewhere", &Latency::of(boards), LATEST_BOARD);
    println!(
        "latest board elsewhere: {:.2} s ({})",
        latest.as_secs_f64(),
        at_most(latest.as_secs_f64(), LATEST_BOARD.as_secs_f64())
    );
    print("own hand, asked for meanwhile", &Latency::of(own), OWN_HAND);
    // What the talks allow, and a second for each hand of the last window to be drawn and sent.
    let wanted = (allowed + WINDOW).as_secs();
    println!(
        "hands: {} of {HANDS}, the last after {} s ({})",
        came.len(),
        last.as_secs(),
        at_most(last.as_secs(), wanted)
    );
    println!(
        "requests: {refused} answered 429 ({}), {unheeded} after a global one ({})",
        at_most(refused, 0),
        at_most(unheeded, 0)
    );
}
