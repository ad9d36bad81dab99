//! What can be done at the table: who can attack, defend, act or be chosen, and what can be trained or paid with.

use super::PhaseScene;
use super::means::Means;
use crate::draw::Mark;
use crate::game::{Seat, Viewer};
use crate::games::phase::action::hand_letter;
use crate::games::phase::flow::Question;
use crate::games::phase::view::{CardView, PlayerView, View};
use crate::text;

/// Where warriors stand in what is said: the verb, the place behind it, and what that makes of the warrior.
const WARRIORS: [(&str, usize, &str); 6] = [
    ("with", 1, "can attack"),
    ("defend", 2, "can defend"),
    ("defend", 1, "can be opposed"),
    ("skirmish", 1, "can be next"),
    ("skill", 1, "can act"),
    ("on", 1, "can be chosen"),
];

/// What takes a resource of the player who is asked.
const RESOURCES: [(&str, &str); 2] = [("train", "can be trained"), ("pay", "can pay")];

/// What takes a card of that player's hand.
const HAND: [&str; 3] = ["order", "discard", "enlist"];

/// Whether what is asked depends on open things alone.
pub(super) const fn choices_are_open(view: &View) -> bool {
    match view.ask {
        Some(ask) => match ask.what {
            Question::Target
            | Question::Attackers
            | Question::Defenders
            | Question::Skirmish
            | Question::Pay
            | Question::Divide(_) => true,
            Question::Attack
            | Question::Action
            | Question::Training
            | Question::Choose
            | Question::Discard => false,
        },
        None => false,
    }
}

/// Who is asked.
fn asked(scene: &PhaseScene<'_>) -> Option<Seat> {
    match (scene.view.ask, scene.viewer) {
        (Some(ask), _) => Some(ask.seat),
        (None, Viewer::Seat(seat)) => Some(seat),
        (None, Viewer::Public | Viewer::Omniscient) => None,
    }
}

/// How a warrior is marked, and what it can do.
pub(super) fn of_warrior(scene: &PhaseScene<'_>, number: u8) -> Option<(Mark, &'static str)> {
    let number = number.to_string();
    WARRIORS
        .iter()
        .find_map(|&(verb, place, can)| Some((scene.marks.of_argument(verb, place, &number)?, can)))
}

/// How a resource is marked. What can be trained is open to all.
pub(super) fn of_resource(scene: &PhaseScene<'_>, player: &PlayerView, card: &CardView) -> Option<Mark> {
    let place = card.place.to_string();
    let chosen = format!("resource-{place}-of-player-{}", player.seat);
    let own = asked(scene) == Some(player.seat);
    let mut verbs = RESOURCES.iter().filter(|_| own);
    verbs
        .find_map(|(verb, _)| scene.marks.of_argument(verb, 1, &place))
        .or_else(|| scene.marks.of_argument("on", 1, &chosen))
        .or_else(|| {
            let trains = !scene.marks.picking() && Means::of(scene.view, player).trains(card);
            trains.then_some(Mark::Later)
        })
}

/// How a card in a hand is marked.
pub(super) fn of_hand_card(scene: &PhaseScene<'_>, seat: Seat, place: u8) -> Option<Mark> {
    let place = hand_letter(place).to_string();
    let chosen = format!("hand-{place}-of-player-{seat}");
    let mut verbs = HAND.iter().filter(|_| asked(scene) == Some(seat));
    verbs
        .find_map(|verb| scene.marks.of_argument(verb, 1, &place))
        .or_else(|| scene.marks.of_argument("on", 1, &chosen))
}

/// Whether all that can be picked now lies in the viewer's own hand.
pub(super) fn is_about_the_hand(scene: &PhaseScene<'_>) -> bool {
    let mut verbs = scene.marks.paths().filter_map(|path| path.first()).peekable();
    verbs.peek().is_some() && verbs.all(|verb| HAND.contains(&verb.as_str()))
}

/// The same in words: "12 and 14 can attack. "
pub(super) fn words(scene: &PhaseScene<'_>) -> String {
    if !scene.marks.picked().is_empty() {
        return scene.marks.sentence();
    }
    let listed = |verb: &str, place: usize| -> Vec<String> {
        let mut words: Vec<String> = (scene.marks.paths())
            .filter(|path| path.first().is_some_and(|first| first == verb))
            .filter_map(|path| path.get(place).cloned())
            .collect();
        words.sort_by_key(|word| (word.len(), word.clone()));
        words.dedup();
        words
    };
    let mut said = String::new();
    for (verb, place, can) in WARRIORS {
        let words = listed(verb, place);
        if !words.is_empty() {
            // A warrior is its number; anything else is told in words.
            let words = text::list(words).replace('-', " ");
            let who = words
                .strip_prefix("player")
                .map_or(words.clone(), |rest| format!("Player{rest}"));
            said.push_str(&format!("{who} {can}. "));
        }
    }
    for (verb, can) in RESOURCES {
        let words = listed(verb, 1);
        if !words.is_empty() {
            let which = if words.len() == 1 { "Resource" } else { "Resources" };
            said.push_str(&format!("{which} {} {can}. ", text::list(words)));
        }
    }
    said
}
