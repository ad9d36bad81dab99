//! How much work a turn is: whole matches by buttons alone, pressed by somebody who knows what they want.
//!
//! The person decides as the bot of level 2 would, all of it that is theirs to decide before somebody else is asked, and
//! takes the way of fewest presses to it. All presses count, from being called until the turn passes: "Move" too, and every
//! step back to it after somebody else was asked.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use parlor::ai::{Errand, Level};
use parlor::catalog::Table;
use parlor::chat::message::{Button, Message};
use parlor::chat::shorthand;
use parlor::game::guide::{Guide, Leads};
use parlor::game::{Seat, Seed, Viewer};
use parlor::matches::change::{seed_of, table_of};
use parlor::matches::code::Code;

use crate::room::{Room, player};

/// A match as the person sees it.
struct Sight {
    table: Box<dyn Table>,
    seat: Seat,
    seed: Seed,
    step: u64,
    /// Another whim, another match.
    whim: u64,
}

impl Sight {
    fn of(room: &Room, code: &Code, whim: u64) -> Self {
        let the_match = room.the_match(code);
        let play = the_match.play().expect("a match that has begun");
        Self {
            table: table_of(&the_match, play).unwrap(),
            seat: play.seats_of(&player("ann")).iter().next().unwrap(),
            seed: seed_of(play).unwrap(),
            step: u64::from(play.steps) + 1,
            whim,
        }
    }

    fn copy(&self) -> Self {
        Self {
            table: self.table.copy(),
            seat: self.seat,
            seed: self.seed.clone(),
            step: self.step,
            whim: self.whim,
        }
    }

    fn is_awaited(&self) -> bool {
        self.table.awaiting().includes(self.seat)
    }

    /// The turn that a press belongs to. In most games a turn is from one call to the next. In Phase others are asked
    /// within a turn, and it is counted as a whole; what the person answers in the bot's turns is not part of theirs.
    fn turn(&self, calls: u64) -> Option<u64> {
        let view = self.table.view(Viewer::Seat(self.seat));
        let number = |name: &str| view.get(name).and_then(serde_json::Value::as_u64);
        match (number("active"), number("round")) {
            (Some(active), Some(round)) => (active == u64::from(self.seat.number())).then_some(round),
            _ if self.table.meta().id == "phase" => None,
            _ => Some(calls),
        }
    }

    /// What the person wants to do until somebody else is asked.
    fn wish(&self) -> Vec<String> {
        let mut at = self.copy();
        let mut wish = Vec::new();
        while at.is_awaited() && wish.len() < 60 {
            let errand = Errand {
                level: Level::new(2).unwrap(),
                seed: 7 + at.step + 1000 * self.whim,
                stop: &AtomicBool::new(false),
            };
            let thought = at.table.think(at.seat, &errand).unwrap();
            at.table
                .play(at.seat, &thought.action, &at.seed, at.step)
                .unwrap();
            at.step += 1;
            wish.push(thought.action);
        }
        in_any_order(wish)
    }

    /// What comes of a sentence, as far as it is played before somebody else is asked.
    fn deeds(&self, sentence: &str) -> Vec<String> {
        let mut at = self.copy();
        let mut deeds = Vec::new();
        let mut rest = Some(sentence.to_owned());
        while let Some(sentence) = rest.filter(|_| at.is_awaited()) {
            let played = at.table.begin(at.seat, &sentence, &at.seed, at.step).unwrap();
            at.step += played.actions.len() as u64;
            deeds.extend(played.actions);
            rest = played.rest;
        }
        // A pass in advance is a wish of its own.
        deeds.retain(|deed| !deed.starts_with("stand "));
        in_any_order(deeds)
    }

    /// A sentence that was too long for its button.
    fn in_full(&self, said: &str) -> String {
        let full = shorthand::sentence(self.table.as_ref(), self.seat, said);
        full.unwrap_or_else(|| said.to_owned())
    }

    /// How much of a wish a sentence carries out; nothing if it does anything else.
    fn carries_out(&self, sentence: &str, wish: &[String]) -> usize {
        if wish.first().is_some_and(|first| first == sentence) {
            return 1;
        }
        // Only Phase spells several decisions as one.
        if self.table.meta().id != "phase" {
            return 0;
        }
        let deeds = self.deeds(sentence);
        if wish.starts_with(&deeds) { deeds.len() } else { 0 }
    }

    /// The best that a step of guided entry leads to: so much of the wish, by so many presses.
    fn best(&self, guide: &Guide, picked: &[&str], wish: &[String]) -> Option<(usize, usize)> {
        let leads = guide.choices.iter().filter_map(|choice| match &choice.leads {
            Leads::To { sentence } => Some((self.carries_out(sentence, wish), 1)),
            Leads::On { .. } => {
                let taken = guide.taken.iter().map(|word| word.text.as_str());
                let picked: Vec<&str> = picked
                    .iter()
                    .copied()
                    .chain(taken)
                    .chain([choice.text.as_str()])
                    .collect();
                let (done, presses) = self.best(&self.table.guide(self.seat, &picked), &picked, wish)?;
                Some((done, presses + 1))
            }
        });
        leads.filter(|(done, _)| *done > 0).max_by_key(gain)
    }

    /// What pressing this is good for.
    fn worth(&self, button: &Button, wish: &[String]) -> Option<(usize, usize)> {
        let (verb, rest) = button.command.split_once(' ')?;
        let words = rest.split_once(' ').map_or("", |(_, words)| words);
        // What is too long for a button goes by a short name.
        let full = match verb {
            "move" if shorthand::is_short(words) => {
                shorthand::sentence(self.table.as_ref(), self.seat, words)
            }
            "moves" if shorthand::is_short(words) => shorthand::picked(self.table.as_ref(), self.seat, words),
            _ => Some(words.to_owned()),
        };
        let words = full.as_deref()?;
        match verb {
            "move" => Some((self.carries_out(words, wish), 1)).filter(|(done, _)| *done > 0),
            "moves" => {
                let picked: Vec<&str> = words.split_whitespace().collect();
                let (done, presses) = self.best(&self.table.guide(self.seat, &picked), &picked, wish)?;
                Some((done, presses + 1))
            }
            _ => None,
        }
    }
}

/// What spares most presses, and of that the shortest.
fn gain((done, presses): &(usize, usize)) -> (isize, isize) {
    (*done as isize - *presses as isize, -(*presses as isize))
}

/// Attackers, defenders and payments are named in any order.
fn in_any_order(mut deeds: Vec<String>) -> Vec<String> {
    let verb = |deed: &String| deed.split(' ').next().unwrap_or_default().to_owned();
    for run in deeds.chunk_by_mut(|one, other| verb(one) == verb(other)) {
        if matches!(verb(&run[0]).as_str(), "with" | "pay" | "defend") {
            run.sort();
        }
    }
    deeds
}

/// The presses of a match, for each turn.
type Presses = BTreeMap<u64, usize>;

/// Plays until somebody else is to move.
async fn press_on(room: &Room, code: &Code, called: &Message, calls: u64, whim: u64, presses: &mut Presses) {
    let mut offered = called.clone();
    let mut wish = Vec::new();
    loop {
        let sight = Sight::of(room, code, whim);
        if let Some(turn) = sight.turn(calls) {
            *presses.entry(turn).or_default() += 1;
        }
        if wish.is_empty() {
            wish = sight.wish();
        }
        let version = room.the_match(code).version;
        let all = offered.menu.iter().chain(&offered.buttons);
        let worth = |button: &&Button| Some((sight.worth(button, &wish)?, button.command.clone()));
        // Of equals the first.
        let (_, line) = all
            .rev()
            .filter_map(|button| worth(&button))
            .max_by_key(|(worth, _)| gain(worth))
            .unwrap_or_else(|| panic!("nothing leads to {wish:?}: {offered:#?}"));
        let said = room.says("ann", &line).await;
        if room.the_match(code).version != version || !room.is_running(code) {
            let done = line
                .splitn(3, ' ')
                .nth(2)
                .map(|sentence| sight.deeds(&sight.in_full(sentence)).len());
            wish.drain(..done.unwrap_or(1).min(wish.len()));
            // What left no choice was played with it; the rest is thought of anew.
            if said.text.contains(" for you.") {
                wish.clear();
            }
            if !room.is_running(code) || !Sight::of(room, code, whim).is_awaited() {
                said.answers("Next time");
                return;
            }
        }
        offered = said.reply.message;
    }
}

/// The presses of each whole turn of a match.
async fn presses(game: &str, terms: &str, whim: u64) -> Vec<usize> {
    let room = Room::with_bots(None);
    let code = room
        .says("ann", &format!("challenge bot {game} level=2 {terms}"))
        .await
        .code();
    let (mut presses, mut calls) = (Presses::new(), 0);
    while room.is_running(&code) {
        room.bots_reply(&code).await;
        let heard = room.heard_at("parlour").await;
        if !room.is_running(&code) {
            break;
        }
        let called = heard.iter().rev().find(|heard| !heard.message.buttons.is_empty());
        let called = called.expect("a call").message.clone();
        calls += 1;
        press_on(&room, &code, &called, calls, whim, &mut presses).await;
    }
    presses.into_values().collect()
}

fn median(mut counts: Vec<usize>) -> usize {
    counts.sort_unstable();
    counts[counts.len() / 2]
}

#[tokio::test(start_paused = true)]
async fn a_whole_turn_is_few_presses() {
    let wished = [
        ("phwar", "", 2),
        ("fabric", "target=100", 3),
        ("glyphgrid", "", 3),
        ("breaker", "", 6),
        ("phase", "", 8),
    ];
    let mut table = Vec::new();
    for (game, terms, wished) in wished {
        // Matches of few turns say little alone.
        let mut counts = Vec::new();
        for whim in 0..4 {
            if counts.len() < 30 {
                counts.extend(presses(game, terms, whim).await);
            }
        }
        println!("{game}: {counts:?}");
        let median = median(counts);
        table.push(format!("{game}: median {median}, wished {wished}"));
        assert!(median <= wished, "{table:#?}");
    }
    println!("{table:#?}");
}
