//! What happened in Phase, told in sentences.

use super::super::Prose;
use crate::game::Seat;
use crate::games::phase::Event;
use crate::games::phase::action::{Target, hand_letter};
use crate::games::phase::card::{Face, Place};
use crate::games::phase::event::{At, Influence, Means, Named};
use crate::text::separator;
use crate::{tell, text};

/// The longest narration, in letters: it stands in one chat message beside other things.
const LONGEST: usize = 1300;
/// What a player's name may take.
const NAME: usize = 32;

/// Everything in order, as far as it fits into one chat message.
pub(super) fn narrate(events: &[Event]) -> Prose {
    let (told, is_whole) = narrate_within(events, LONGEST);
    let mut narration = Prose::new();
    if !is_whole {
        narration.sentence(tell!("A lot has happened."));
    }
    narration.sentence(told);
    narration
}

/// Everything in order; passes and payments in a row become one sentence. Where that is longer than so many letters,
/// passes are left out first, then what was paid and chosen, then blows and bonuses, and of what remains the beginning.
/// Gives, too, whether the beginning is there.
pub(super) fn narrate_within(events: &[Event], longest: usize) -> (Prose, bool) {
    let told = sentences(events);
    for least in [Weight::Idle, Weight::Small, Weight::Fair, Weight::Great] {
        let kept = told.iter().filter(|(weight, _)| *weight >= least);
        let length: usize = kept.clone().map(|(_, prose)| length(prose) + 1).sum();
        if length <= longest {
            return (joined(kept.map(|(_, prose)| prose.clone())), true);
        }
    }
    let mut room = longest;
    let mut last: Vec<Prose> = Vec::new();
    for (_, prose) in told.iter().rev().filter(|(weight, _)| *weight == Weight::Great) {
        let Some(left) = room.checked_sub(length(prose) + 1) else {
            break;
        };
        room = left;
        last.push(prose.clone());
    }
    (joined(last.into_iter().rev()), false)
}

/// What somebody saw who looked behind cards.
pub(super) fn learnt(events: &[Event]) -> Prose {
    let seen = events.iter().filter_map(|event| match event {
        Event::Peeked {
            card,
            other: Some(other),
            ..
        } => Some(tell!(
            "Behind {card} you see {face}.",
            card = called(card),
            face = face(other)
        )),
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
    let mut narration = Prose::new();
    for sentence in sentences {
        narration.sentence(sentence);
    }
    narration
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
                tell!("{player} sends nobody else.", player = *seat)
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
    match told.as_slice() {
        [player] => tell!("{player} passes.", player = *player),
        _ => tell!(
            "{players} pass.",
            players = listed(told.into_iter().map(|seat| tell!("{seat}", seat)))
        ),
    }
}

/// "Ann, Bea and Cy", for pieces with seats in them.
fn listed(items: impl ExactSizeIterator<Item = Prose>) -> Prose {
    let count = items.len();
    let mut list = Prose::new();
    for (index, item) in items.enumerate() {
        list.push(separator(index, count));
        list.extend(item);
    }
    list
}

fn pays(player: Seat, paid: &[(bool, &str)]) -> Prose {
    let list = |locks: bool| -> Vec<&str> {
        paid.iter()
            .filter(|(locked, _)| *locked == locks)
            .map(|(_, name)| *name)
            .collect()
    };
    let (locked, phased) = (list(true), list(false));
    let mut told = Prose::new();
    if !locked.is_empty() {
        told.sentence(tell!(
            "{player} locks {cards}.",
            player,
            cards = text::list(locked)
        ));
    }
    match phased.as_slice() {
        [] => {}
        [face] => told.sentence(tell!(
            "{player} turns a resource over: now {face}.",
            player,
            face = *face
        )),
        faces => told.sentence(tell!(
            "{player} turns {count} resources over: now {faces}.",
            player,
            count = faces.len().to_string(),
            faces = text::list(faces)
        )),
    }
    told
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

/// "Gladiator (5), Ash Hound (6) and Crow (7)".
fn all(cards: &[Named]) -> String {
    text::list(cards.iter().map(called))
}

fn sentence(event: &Event) -> Prose {
    match event {
        Event::Brought { seat, deck: None } => tell!("{player} has chosen a deck.", player = *seat),
        Event::Brought {
            seat,
            deck: Some(deck),
        } => tell!(
            "{player} brings the deck {deck}.",
            player = *seat,
            deck = deck.as_str()
        ),
        Event::Dealt => tell!("All decks are chosen, and the cards are dealt."),
        Event::Readied { seat } => tell!("{player} has chosen a first resource.", player = *seat),
        Event::Opened { resources } => {
            let each = resources
                .iter()
                .map(|(seat, face)| tell!("{card} for {player}", card = face.name.as_str(), player = *seat));
            tell!("First resources: {resources}.", resources = listed(each))
        }
        Event::Cut { faces } => {
            let each = faces.iter().map(|(seat, face)| {
                tell!(
                    "{card} (cost {cost}) for {player}",
                    card = face.name.as_str(),
                    cost = face.cost.to_string(),
                    player = *seat
                )
            });
            tell!(
                "They tie for the first turn and cut their decks: {cards}.",
                cards = listed(each)
            )
        }
        Event::Starts { seat } => tell!("{player} starts.", player = *seat),
        Event::Began { seat, round } => tell!(
            "{player} begins their turn in round {round}.",
            player = *seat,
            round = round.to_string()
        ),
        Event::Drew {
            seat,
            outward,
            inward,
        } => {
            let outward = outward.name.as_str();
            match inward {
                Some(inward) => tell!(
                    "{player} draws {card} (the others see {outward}).",
                    player = *seat,
                    card = inward.name.as_str(),
                    outward
                ),
                None => tell!(
                    "{player} draws a card; its outward face is {outward}.",
                    player = *seat,
                    outward
                ),
            }
        }
        Event::Enlisted { seat, face, locked } => {
            let (player, card) = (*seat, face.name.as_str());
            if *locked {
                tell!("{player} enlists {card}, locked.", player, card)
            } else {
                tell!("{player} enlists {card}.", player, card)
            }
        }
        Event::Remade { seat } => tell!(
            "{player} shuffles the discard pile into a new deck.",
            player = *seat
        ),
        Event::Attacks { seat, defender } => tell!(
            "{player} attacks; {defender} may defend the Nexus.",
            player = *seat,
            defender = *defender
        ),
        Event::Redrawn { defender } => tell!("{player} may defend the Nexus now.", player = *defender),
        Event::Faltered { seat } => tell!(
            "{player} has no unlocked warrior left, so the attack is off.",
            player = *seat
        ),
        Event::Declared {
            seat,
            target,
            attackers,
        } => {
            let (player, warriors) = (*seat, all(attackers));
            match target {
                Target::Nexus => tell!("{player} attacks the Nexus with {warriors}.", player, warriors),
                Target::Player(other) => tell!(
                    "{player} attacks {other} with {warriors}.",
                    player,
                    other = *other,
                    warriors
                ),
            }
        }
        Event::Defends { attacker, defender } => tell!(
            "{player} sends {defender} against {attacker}.",
            player = defender.owner,
            defender = called(defender),
            attacker = called(attacker)
        ),
        Event::Assigned { seat, count } => match count {
            0 => tell!("{player} sends no defenders.", player = *seat),
            _ => Prose::new(),
        },
        Event::Skirmish { attacker, defenders } => {
            let attacker = called(attacker);
            if defenders.is_empty() {
                tell!("Skirmish: {attacker}, unopposed.", attacker)
            } else {
                tell!(
                    "Skirmish: {attacker} against {defenders}.",
                    attacker,
                    defenders = all(defenders)
                )
            }
        }
        Event::Passed { seat } => passes(&[*seat]),
        Event::Acts { seat, means, face } => acts(*seat, *means, face),
        Event::Chose { seat, card } => {
            tell!("{player} chooses {card}.", player = *seat, card = called(card))
        }
        Event::ChosePlayer { seat, player } => {
            tell!("{player} chooses {other}.", player = *seat, other = *player)
        }
        Event::Paid { seat, locked, face } => pays(*seat, &[(*locked, face.name.as_str())]),
        Event::Trained { seat, warrior } => {
            tell!(
                "{player} trains {warrior}.",
                player = *seat,
                warrior = called(warrior)
            )
        }
        Event::Phased { card, was } => {
            tell!(
                "{before} turns over: now {card}.",
                before = was.name.as_str(),
                card = called(card)
            )
        }
        Event::Locked { card } => tell!("{card} is locked.", card = called(card)),
        Event::Unlocked { card } => tell!("{card} is unlocked.", card = called(card)),
        Event::Buffed {
            card,
            attack,
            defense,
        } => tell!(
            "{card} gets {bonus}.",
            card = called(card),
            bonus = format!("{attack:+}/{defense:+}")
        ),
        Event::Granted { card, keyword } => {
            tell!(
                "{card} gets {skill}.",
                card = called(card),
                skill = keyword.to_string()
            )
        }
        Event::Damaged { card, damage } => {
            tell!(
                "{card} takes {damage} damage.",
                card = called(card),
                damage = damage.to_string()
            )
        }
        Event::Healed { card, damage } => {
            tell!(
                "{card} heals {damage} damage.",
                card = called(card),
                damage = damage.to_string()
            )
        }
        Event::Struck { by, card, damage } => tell!(
            "{by} deals {damage} damage to {card}.",
            by = called(by),
            damage = damage.to_string(),
            card = called(card)
        ),
        Event::Destroyed { card } => tell!("{card} is destroyed.", card = called(card)),
        Event::Discarded { seat, face } => {
            tell!(
                "{player} discards {card}.",
                player = *seat,
                card = face.name.as_str()
            )
        }
        Event::Moved { card, to, number } => moves(called(card), *to, *number),
        Event::Peeked { seat, card, other } => {
            let (player, card) = (*seat, called(card));
            match other {
                Some(other) => tell!(
                    "{player} looks behind {card}: {other}.",
                    player,
                    card,
                    other = other.name.as_str()
                ),
                None => tell!("{player} looks behind {card}.", player, card),
            }
        }
        Event::Gained(change) => {
            let (player, influence) = (change.seat, much(change));
            match &change.by {
                Some(by) => tell!(
                    "{card} takes {influence} for {player}.",
                    card = called(by),
                    influence,
                    player
                ),
                None => tell!("{player} gains {influence}.", player, influence),
            }
        }
        Event::Lost(change) => {
            let (player, influence) = (change.seat, much(change));
            match &change.by {
                Some(by) => tell!(
                    "{player} loses {influence} to {card}.",
                    player,
                    influence,
                    card = called(by)
                ),
                None => tell!("{player} loses {influence}.", player, influence),
            }
        }
        Event::Emptied { alignment } => tell!(
            "The Nexus has no {alignment} influence left: this round is the last.",
            alignment = alignment.to_string()
        ),
        Event::Habit { text, .. } => Prose::quoting(text),
        Event::Lapsed { seat } => tell!(
            "{player} ran out of time; the game goes on without an answer.",
            player = *seat
        ),
        Event::Left { seat } => tell!(
            "{player} leaves and takes all cards and influence along.",
            player = *seat
        ),
    }
}

fn acts(player: Seat, means: Means, face: &Face) -> Prose {
    let card = face.name.as_str();
    match means {
        Means::Order => tell!("{player} plays {card}'s order.", player, card),
        Means::Skill(number) => tell!(
            "{player} uses {card}'s skill ({number}).",
            player,
            card,
            number = number.to_string()
        ),
        Means::Trigger(keyword) => {
            tell!(
                "{card}'s {keyword} skill triggers.",
                card,
                keyword = keyword.to_string()
            )
        }
    }
}

fn moves(card: String, to: Place, number: u8) -> Prose {
    match to {
        Place::Play => tell!(
            "{card} goes into play as warrior {number}.",
            card,
            number = number.to_string()
        ),
        Place::Barracks => tell!("{card} goes to the barracks.", card),
        Place::BarracksLocked => tell!("{card} goes to the barracks, locked.", card),
        Place::Hand => tell!("{card} goes to the hand.", card),
        Place::Discard => tell!("{card} goes to the discard pile.", card),
        Place::DeckTop => tell!("{card} goes to the top of the deck.", card),
    }
}

/// "2 evil influence".
fn much(change: &Influence) -> String {
    format!("{} {} influence", change.amount, change.alignment)
}
