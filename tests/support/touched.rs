//! Playing by touch: whatever can be picked word by word can be entered by touching spots of the pictures and choices
//! beside them, and nothing else is offered.

use std::collections::BTreeSet;

use parlor::draw::{self, Theme};
use parlor::game::guide::{Choice, Leads};
use parlor::game::touch::{Touch, Touched};
use parlor::game::{Seat, Viewer, Way};

use super::law::{Kept, Law, Spot};

/// How many ways of one position are gone.
const TRIED: usize = 24;

/// Enters what a seat can play, touch by touch.
pub fn touched(spot: &Spot<'_>) -> Kept {
    for seat in Seat::all(spot.table.seats()) {
        let words: BTreeSet<String> = spots(spot, seat).into_iter().map(|spot| spot.word).collect();
        let ways = spot.table.ways(seat);
        let start = spot.table.touch(seat, &[]);
        let offers = !start.spots.is_empty() || !start.choices.is_empty();
        spot.ensure(Law::Touch, offers != ways.is_empty(), || {
            format!("{seat:?} has {} ways and is offered {start:?}", ways.len())
        })?;
        let mut rng = spot.case.players(&format!("touches {} {seat}", spot.step));
        for _ in 0..TRIED.min(ways.len()) {
            let Some(way) = rng.choose(&ways) else { break };
            enter(spot, seat, way, &words)?;
        }
        let stray = spot.table.touch(seat, &[Touch::Spot("no such spot".to_owned())]);
        spot.ensure(Law::Touch, stray == start, || {
            format!("a touch beside everything leads to {stray:?}")
        })?;
    }
    Ok(())
}

/// All that a seat can touch, in its board and in its hand.
pub fn spots(spot: &Spot<'_>, seat: Seat) -> Vec<draw::Spot> {
    let frame = spot.case.frame(Viewer::Seat(seat), Theme::Light);
    [spot.table.spots(&frame), spot.table.hand_spots(&frame)].concat()
}

/// Enters one way, as somebody would who means it.
fn enter(spot: &Spot<'_>, seat: Seat, way: &Way, words: &BTreeSet<String>) -> Kept {
    let mut touches: Vec<Touch> = Vec::new();
    loop {
        let now = spot.table.touch(seat, &touches);
        let fail = |what: &str| {
            let meant = &way.sentence;
            spot.broken(
                Law::Touch,
                format!("{seat:?} means `{meant}` and has touched {touches:?}: {what}: {now:?}"),
            )
        };
        if now.touches != touches {
            return Err(fail("a touch is forgotten"));
        }
        if let Some(open) = now.spots.iter().find(|open| !words.contains(&open.word)) {
            return Err(fail(&format!("{} is in no picture", open.word)));
        }
        if is_played(&now, way) {
            return Ok(());
        }
        if now.ask.trim().is_empty() || touches.len() > 40 {
            return Err(fail("nothing is asked, or too much"));
        }
        let Some(next) = next(&now, &touches, way) else {
            return Err(fail("there is no way on"));
        };
        touches.push(next);
    }
}

/// Whether the way is offered whole, by what is touched, by a choice, or by one more touch.
fn is_played(now: &Touched, way: &Way) -> bool {
    let is_it = |sentence: &String| *sentence == way.sentence;
    let leads = |choice: &Leads| matches!(choice, Leads::To { sentence } if is_it(sentence));
    now.sentence.as_ref().is_some_and(is_it)
        || now.choices.iter().any(|choice| leads(&choice.leads))
        || now
            .spots
            .iter()
            .filter_map(|open| open.sentence.as_ref())
            .any(is_it)
}

/// The next thing on the way that can be touched or chosen. Something may have to be touched twice.
fn next(now: &Touched, touches: &[Touch], way: &Way) -> Option<Touch> {
    let mut done = touches.to_vec();
    let mut is_done = |touch: &Touch| {
        let at = done.iter().position(|other| other == touch);
        at.map(|at| done.remove(at)).is_some()
    };
    for word in &way.words {
        for spot in word.spots() {
            let touch = Touch::Spot(spot.to_owned());
            if !is_done(&touch) && now.spots.iter().any(|open| open.word == spot) {
                return Some(touch);
            }
        }
        let touch = Touch::Word(word.text.clone());
        let offered = |choice: &Choice| matches!(choice.leads, Leads::On { .. }) && choice.text == word.text;
        if !is_done(&touch) && now.choices.iter().any(offered) {
            return Some(touch);
        }
    }
    None
}

/// Words with numbers alike: `F5` and `F12` are one kind of word, and so are letters that stand alone.
pub fn kind_of_word(word: &str) -> String {
    if word.len() == 1 && word.chars().all(char::is_alphabetic) {
        return "a letter".to_owned();
    }
    let mut kind = String::new();
    for letter in word.chars() {
        match letter {
            '0'..='9' if kind.ends_with('#') => {}
            '0'..='9' => kind.push('#'),
            letter => kind.push(letter),
        }
    }
    kind
}
