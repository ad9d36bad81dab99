//! What happened in Phase, told in sentences.

use super::super::Prose;
use crate::game::Seat;
use crate::games::phase::Event;
use crate::games::phase::action::{Target, hand_letter};
use crate::games::phase::card::{Face, Place};
use crate::games::phase::event::{At, Influence, Means, Named};
use crate::{prose, text};

/// The longest tale, in letters: it stands in one chat message beside other things.
const LONGEST: usize = 1300;
/// What a player's name may take.
const NAME: usize = 32;

/// Everything in order; passes and payments in a row become one sentence. Where that is too long, passes are left
/// out first, then what was paid and chosen, then blows and bonuses, and of what remains the beginning.
pub(super) fn narrate(events: &[Event]) -> Prose {
    let told = sentences(events);
    for least in [Weight::Idle, Weight::Small, Weight::Fair, Weight::Great] {
        let kept = told.iter().filter(|(weight, _)| *weight >= least);
        let length: usize = kept.clone().map(|(_, prose)| length(prose) + 1).sum();
        if length <= LONGEST {
            return joined(kept.map(|(_, prose)| prose.clone()));
        }
    }
    let mut room = LONGEST;
    let mut last: Vec<Prose> = Vec::new();
    for (_, prose) in told.iter().rev().filter(|(weight, _)| *weight == Weight::Great) {
        let Some(left) = room.checked_sub(length(prose) + 1) else {
            break;
        };
        room = left;
        last.push(prose.clone());
    }
    last.push(prose!["A lot has happened."]);
    joined(last.into_iter().rev())
}

/// What somebody saw who looked behind cards.
pub(super) fn learnt(events: &[Event]) -> Prose {
    let seen = events.iter().filter_map(|event| match event {
        Event::Peeked {
            card,
            other: Some(other),
            ..
        } => Some(prose![
            format!("Behind {} you see ", called(card)),
            face(other),
            "."
        ]),
        _ => None,
    });
    joined(seen)
}

/// "Tall, good, cost 3, 1/5".
fn face(face: &Face) -> String {
    format!(
        "{} ({}, cost {}, {}/{})",
        face.name, face.alignment, face.cost, face.attack, face.defense
    )
}

/// How much a sentence would be missed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Idle,
    Small,
    Fair,
    Great,
}

const fn weight(event: &Event) -> Weight {
    match event {
        Event::Passed { .. } => Weight::Idle,
        Event::Paid { .. }
        | Event::Chose { .. }
        | Event::ChosePlayer { .. }
        | Event::Assigned { .. }
        | Event::Remade { .. } => Weight::Small,
        Event::Buffed { .. }
        | Event::Granted { .. }
        | Event::Healed { .. }
        | Event::Damaged { .. }
        | Event::Struck { .. }
        | Event::Skirmish { .. }
        | Event::Discarded { .. }
        | Event::Began { .. } => Weight::Fair,
        _ => Weight::Great,
    }
}

fn length(prose: &Prose) -> usize {
    prose.plain(|_| "x".repeat(NAME)).chars().count()
}

fn joined(sentences: impl Iterator<Item = Prose>) -> Prose {
    let mut tale = Prose::new();
    for sentence in sentences {
        tale.sentence(sentence);
    }
    tale
}

fn sentences(events: &[Event]) -> Vec<(Weight, Prose)> {
    let mut told = Vec::new();
    let mut rest = events;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let prose = match first {
            Event::Passed { seat } => {
                let mut seats = vec![*seat];
                while let Some((Event::Passed { seat }, after)) = rest.split_first() {
                    seats.push(*seat);
                    rest = after;
                }
                passes(&seats)
            }
            Event::Paid { seat, locked, face } => {
                let mut paid = vec![(*locked, face.name.as_str())];
                while let Some((Event::Paid { locked, face, .. }, after)) = rest.split_first() {
                    paid.push((*locked, face.name.as_str()));
                    rest = after;
                }
                pays(*seat, &paid)
            }
            // Those who were sent are told of where they are sent.
            Event::Assigned { seat, count } if *count > 0 && !sent_by(*seat, events) => {
                prose![*seat, " sends nobody else."]
            }
            event => sentence(event),
        };
        if !prose.is_empty() {
            told.push((weight(first), prose));
        }
    }
    told
}

/// Whether a player sends a defender in these events.
fn sent_by(seat: Seat, events: &[Event]) -> bool {
    let mut events = events.iter();
    events.any(|event| matches!(event, Event::Defends { defender, .. } if defender.owner == seat))
}

fn passes(seats: &[Seat]) -> Prose {
    let mut told: Vec<Seat> = Vec::new();
    for &seat in seats {
        if !told.contains(&seat) {
            told.push(seat);
        }
    }
    let mut prose = Prose::new();
    for (place, &seat) in told.iter().enumerate() {
        if place > 0 {
            prose.push(if place + 1 == told.len() { " and " } else { ", " });
        }
        prose.push(seat);
    }
    prose.push(if told.len() == 1 { " passes." } else { " pass." });
    prose
}

fn pays(seat: Seat, paid: &[(bool, &str)]) -> Prose {
    let list = |locks: bool| -> Vec<&str> {
        paid.iter()
            .filter(|(locked, _)| *locked == locks)
            .map(|(_, name)| *name)
            .collect()
    };
    let (locked, phased) = (list(true), list(false));
    let mut parts = Vec::new();
    if !locked.is_empty() {
        parts.push(prose![seat, format!(" locks {}.", text::list(locked))]);
    }
    match phased.as_slice() {
        [] => {}
        [face] => parts.push(prose![seat, format!(" turns a resource over: now {face}.")]),
        faces => parts.push(prose![
            seat,
            format!(
                " turns {} resources over: now {}.",
                faces.len(),
                text::list(faces)
            )
        ]),
    }
    joined(parts.into_iter())
}

/// "Gladiator (5)".
fn called(card: &Named) -> String {
    match card.at {
        At::Warrior(number) => format!("{} ({number})", card.face.name),
        At::Resource(place) => format!("{} (resource {place})", card.face.name),
        At::Hand(place) => format!("hand card {} ({} outward)", hand_letter(place), card.face.name),
        At::Discard | At::Deck => card.face.name.clone(),
    }
}

fn all(cards: &[Named]) -> String {
    let names: Vec<String> = cards.iter().map(called).collect();
    names.join(", ")
}

fn sentence(event: &Event) -> Prose {
    match event {
        Event::Brought { seat, deck: None } => prose![*seat, " has chosen a deck."],
        Event::Brought {
            seat,
            deck: Some(deck),
        } => prose![*seat, format!(" brings the deck {deck}.")],
        Event::Dealt => prose!["All decks are chosen, and the cards are dealt."],
        Event::Readied { seat } => prose![*seat, " has chosen a first resource."],
        Event::Opened { resources } => {
            let mut prose = prose!["The first resources:"];
            for (place, (seat, face)) in resources.iter().enumerate() {
                prose.push(if place == 0 { " " } else { ", " });
                prose.push(*seat);
                prose.push(format!(" {}", face.name));
            }
            prose.push(".");
            prose
        }
        Event::Cut { faces } => {
            let mut prose = prose!["They tie for the first turn and cut their decks:"];
            for (place, (seat, face)) in faces.iter().enumerate() {
                prose.push(if place == 0 { " " } else { ", " });
                prose.push(*seat);
                prose.push(format!(" {} (cost {})", face.name, face.cost));
            }
            prose.push(".");
            prose
        }
        Event::Starts { seat } => prose![*seat, " starts."],
        Event::Began { seat, round } => prose![*seat, format!(" begins their turn in round {round}.")],
        Event::Drew {
            seat,
            outward,
            inward,
        } => match inward {
            Some(inward) => prose![
                *seat,
                format!(" draws {} (the others see {}).", inward.name, outward.name)
            ],
            None => prose![
                *seat,
                format!(" draws a card; its outward face is {}.", outward.name)
            ],
        },
        Event::Enlisted { seat, face, locked } => {
            let locked = if *locked { ", locked" } else { "" };
            prose![*seat, format!(" enlists {}{locked}.", face.name)]
        }
        Event::Remade { seat } => prose![*seat, " shuffles the discard pile into a new deck."],
        Event::Attacks { seat, defender } => prose![*seat, " attacks; ", *defender, " may defend the Nexus."],
        Event::Redrawn { defender } => prose![*defender, " may defend the Nexus now."],
        Event::Faltered { seat } => prose![*seat, " has no unlocked warrior left, so the attack is off."],
        Event::Declared {
            seat,
            target,
            attackers,
        } => match target {
            Target::Nexus => prose![*seat, format!(" attacks the Nexus with {}.", all(attackers))],
            Target::Player(other) => prose![*seat, " attacks ", *other, format!(" with {}.", all(attackers))],
        },
        Event::Defends { attacker, defender } => {
            prose![
                defender.owner,
                format!(" sends {} against {}.", called(defender), called(attacker))
            ]
        }
        Event::Assigned { seat, count } => match count {
            0 => prose![*seat, " sends no defenders."],
            _ => Prose::new(),
        },
        Event::Skirmish { attacker, defenders } if defenders.is_empty() => {
            prose![format!("Skirmish: {}, unopposed.", called(attacker))]
        }
        Event::Skirmish { attacker, defenders } => {
            prose![format!(
                "Skirmish: {} against {}.",
                called(attacker),
                all(defenders)
            )]
        }
        Event::Passed { seat } => prose![*seat, " passes."],
        Event::Acts { seat, means, face } => match means {
            Means::Order => prose![*seat, format!(" plays {}'s order.", face.name)],
            Means::Skill(number) => prose![*seat, format!(" uses {}'s skill ({number}).", face.name)],
            Means::Trigger(keyword) => prose![format!("{}'s {keyword} skill triggers.", face.name)],
        },
        Event::Chose { seat, card } => prose![*seat, format!(" chooses {}.", called(card))],
        Event::ChosePlayer { seat, player } => prose![*seat, " chooses ", *player, "."],
        Event::Paid { seat, locked, face } => pays(*seat, &[(*locked, face.name.as_str())]),
        Event::Trained { seat, warrior } => prose![*seat, format!(" trains {}.", called(warrior))],
        Event::Phased { card, was } => prose![format!("{} phases into {}.", was.name, called(card))],
        Event::Locked { card } => prose![format!("{} is locked.", called(card))],
        Event::Unlocked { card } => prose![format!("{} is unlocked.", called(card))],
        Event::Buffed {
            card,
            attack,
            defense,
        } => {
            prose![format!("{} gets {attack:+}/{defense:+}.", called(card))]
        }
        Event::Granted { card, keyword } => prose![format!("{} gets {keyword}.", called(card))],
        Event::Damaged { card, damage } => prose![format!("{} takes {damage} damage.", called(card))],
        Event::Healed { card, damage } => prose![format!("{} heals {damage} damage.", called(card))],
        Event::Struck { by, card, damage } => {
            prose![format!(
                "{} deals {damage} damage to {}.",
                called(by),
                called(card)
            )]
        }
        Event::Destroyed { card } => prose![format!("{} is destroyed.", called(card))],
        Event::Discarded { seat, face } => prose![*seat, format!(" discards {}.", face.name)],
        Event::Moved { card, to, number } => {
            let place = match to {
                Place::Play => format!("into play as warrior {number}"),
                Place::Barracks => "to the barracks".to_owned(),
                Place::BarracksLocked => "to the barracks, locked".to_owned(),
                Place::Hand => "to the hand".to_owned(),
                Place::Discard => "to the discard pile".to_owned(),
                Place::DeckTop => "to the top of the deck".to_owned(),
            };
            prose![format!("{} goes {place}.", called(card))]
        }
        Event::Peeked { seat, card, other } => match other {
            Some(other) => prose![*seat, format!(" looks behind {}: {}.", called(card), other.name)],
            None => prose![*seat, format!(" looks behind {}.", called(card))],
        },
        Event::Gained(change) => match &change.by {
            Some(by) => prose![
                format!("{} takes {} for ", called(by), much(change)),
                change.seat,
                "."
            ],
            None => prose![change.seat, format!(" gains {}.", much(change))],
        },
        Event::Lost(change) => match &change.by {
            Some(by) => prose![change.seat, format!(" loses {} to {}.", much(change), called(by))],
            None => prose![change.seat, format!(" loses {}.", much(change))],
        },
        Event::Emptied { alignment } => {
            prose![format!(
                "The Nexus has no {alignment} influence left: this round is the last."
            )]
        }
        Event::Habit { text, .. } => Prose::quoting(text),
        Event::Lapsed { seat } => prose![*seat, " ran out of time; the game goes on without an answer."],
        Event::Left { seat } => prose![*seat, " leaves and takes all cards and influence along."],
    }
}

/// "2 evil influence".
fn much(change: &Influence) -> String {
    format!("{} {} influence", change.amount, change.alignment)
}
