//! How much is said: whole matches against the bot, played by buttons alone, and counted from outside.

use std::collections::BTreeSet;

use parlor::catalog::games;
use parlor::chat::message::Button;
use parlor::game::GameRng;
use parlor::matches::code::Code;
use parlor::matches::delivery::{Delivery, Sheet, Sound, To};
use parlor::matches::repository;
use parlor::matches::state::Logged;

use super::is_awaited;
use crate::room::{Heard, Room, commands, player};

/// What a match has cost those who read along.
#[derive(Debug, Default)]
struct Figures {
    /// Presses of the person.
    presses: usize,
    /// Messages in the room.
    public: usize,
    /// How often a message in the room was written anew.
    updates: usize,
    /// Messages to the person alone.
    private: usize,
    /// How many of them, and of their updates, made a sound.
    sounds: usize,
    /// How often the person was called.
    pings: usize,
    /// How often somebody else was to move than before.
    turn_changes: usize,
    /// How often that was the person.
    own_turns: usize,
}

/// Presses buttons, whichever there are, until something is played.
async fn press_a_move(room: &Room, code: &Code, from: String, rng: &mut GameRng) -> usize {
    let version = room.the_match(code).version;
    let mut line = from;
    for presses in 1..200 {
        let said = room.says("ann", &line).await;
        if room.the_match(code).version != version || !room.is_running(code) {
            return presses;
        }
        // What has one answer is a button.
        let message = &said.reply.message;
        let only = message
            .buttons
            .iter()
            .filter(|button| button.command.starts_with("move "));
        let offered: Vec<&Button> = message.menu.iter().chain(only).collect();
        assert!(
            offered.len() > 1,
            "`{line}` leads to a step without a choice: {}",
            said.text
        );
        line = offered[rng.below(offered.len())].command.clone();
    }
    panic!("no end of pressing: {line}");
}

fn move_button(heard: &[Heard]) -> Option<String> {
    let offers = heard.iter().rev().flat_map(|heard| commands(&heard.message));
    let plays = |command: &String| command.starts_with("moves ") || command.starts_with("move ");
    offers.into_iter().find(plays)
}

async fn figures(game: &str, seed: u64) -> Figures {
    let room = Room::with_bots(None);
    let code = room
        .says("ann", &format!("challenge bot {game} level=2"))
        .await
        .code();
    let mut rng = GameRng::quick(seed);
    let mut figures = Figures::default();
    let mut from = String::new();
    while room.is_running(&code) {
        room.bots_reply(&code).await;
        from = move_button(&room.heard_at("parlour").await).unwrap_or(from);
        if room.is_running(&code) {
            assert!(is_awaited(&room, &code, "ann"));
            figures.presses += press_a_move(&room, &code, from.clone(), &mut rng).await;
        }
    }
    let the_match = room.the_match(&code);
    let own = the_match.play().unwrap().seats_of(&player("ann"));
    let mut last = None;
    for entry in room.service().log_of(&the_match).unwrap() {
        if let Logged::Did { seat, .. } = entry.what {
            figures.turn_changes += usize::from(last != Some(seat));
            figures.own_turns += usize::from(last != Some(seat) && own.contains(seat));
            last = Some(seat);
        }
    }
    let mut sheets = BTreeSet::new();
    for (_, row) in room.store.posted() {
        let delivery: Delivery = repository::decode(&row).unwrap();
        figures.pings += room.parlor.render(&delivery).ping.len();
        let new = sheets.insert((delivery.to.clone(), sheet_name(&delivery)));
        match (&delivery.to, new) {
            (To::Room(_), true) => figures.public += 1,
            (To::Player(_), true) => figures.private += 1,
            (To::Room(_) | To::Player(_), false) => figures.updates += 1,
        }
        if let (To::Player(_), Sound::Usual) = (&delivery.to, delivery.sound) {
            figures.sounds += 1;
        }
    }
    figures
}

/// What a delivery is written on.
fn sheet_name(delivery: &Delivery) -> String {
    match delivery.sheet {
        Some(Sheet::Turn { number, .. }) => format!("turn {number}"),
        Some(Sheet::Hand { seat }) => format!("hand {seat}"),
        None => delivery.key.clone(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_one_message() {
    for entry in games() {
        let found = figures(entry.meta.id, 5).await;
        println!("{}: {found:?}", entry.meta.id);
        let allowed = found.turn_changes as f64 * 1.15;
        assert!(found.public as f64 <= allowed, "{}: {found:?}", entry.meta.id);
        // A move and the bot's reply to it share one; besides there are the opening and the end.
        let shared = (found.own_turns + 2) as f64 * 1.15;
        assert!(found.public as f64 <= shared, "{}: {found:?}", entry.meta.id);
        // One hand a match. Whoever plays is looking, and is called by nothing but the end, if it was the bot's doing.
        assert!(
            found.private <= 1 && found.sounds == 0,
            "{}: {found:?}",
            entry.meta.id
        );
        assert!(found.pings <= 2, "{}: {found:?}", entry.meta.id);
    }
}
