//! Phase in words: status, text board, private hand.

use super::super::prose::lines;
use super::super::{ALT_LIMIT, TEXT_COLUMNS};
use super::{PhaseScene, call, marked, narration, traces};
use crate::game::{Seat, Viewer};
use crate::games::phase::action::{Target, hand_letter};
use crate::games::phase::card::{Alignment, Face, text};
use crate::games::phase::flow::{Kind, TurnStage};
use crate::games::phase::view::{CardView, Own, PlayerView, View, WarriorView};
use crate::text::{counted, list};

pub(super) fn name(scene: &PhaseScene<'_>, seat: Seat) -> String {
    scene.short_name(seat, 24)
}

/// "3 good, 5 evil".
pub(super) fn influence(pools: [u16; 2]) -> String {
    let part = |alignment: Alignment| format!("{} {alignment}", pools[alignment.index()]);
    Alignment::ALL.map(part).join(", ")
}

/// What is asked and what is going on, or how it ended.
pub(super) fn status(scene: &PhaseScene<'_>) -> String {
    let said = [call_or_result(scene), marked::words(scene), notes(scene)];
    let said = said
        .iter()
        .map(|said| said.trim_end())
        .filter(|said| !said.is_empty());
    said.collect::<Vec<_>>().join(" ")
}

/// What is asked, or how it ended.
pub(super) fn call_or_result(scene: &PhaseScene<'_>) -> String {
    let mut said = call::ask(scene);
    said.sentence(call::result(scene));
    scene.spoken(&said, 24)
}

/// What the last actions did, the last of it if it is long.
pub(super) fn last(scene: &PhaseScene<'_>, longest: usize) -> String {
    let (told, _) = narration::narrate_within(&traces::seen_by_all(scene), longest);
    scene.spoken(&told, 24)
}

/// What is going on.
pub(super) fn notes(scene: &PhaseScene<'_>) -> String {
    let view = scene.view;
    if scene.outcome.is_some() {
        return String::new();
    }
    let mut notes = Vec::new();
    if let (Some(active), Some(ask)) = (view.active, view.ask)
        && active != ask.seat
    {
        notes.push(format!("It is {}'s turn.", name(scene, active)));
    }
    if let Some(attack) = &view.attack {
        let defender = name(scene, attack.defender);
        notes.push(match attack.target {
            None => format!("{defender} may defend the Nexus."),
            Some(Target::Nexus) => format!("The Nexus is under attack, and {defender} defends it."),
            Some(Target::Player(seat)) => format!("{} is under attack.", name(scene, seat)),
        });
    }
    if let Some(doing) = &view.doing {
        let card = &doing.face.name;
        notes.push(match doing.kind {
            Kind::Order => format!("{card}'s order is under way."),
            Kind::Skill(_) | Kind::Trigger(_) => format!("{card}'s skill is under way."),
            Kind::Train => format!("{card} is in training."),
        });
    }
    if view.last_round {
        notes.push("This is the last round.".to_owned());
    }
    notes.join(" ")
}

/// "5 Gladiator 1/3 evil, 1 damage, locked. Swift. Behind it Radiant Duelist."
pub(super) fn warrior_in_full(warrior: &WarriorView) -> String {
    let mut told = vec![format!("{}.", warrior_now(warrior))];
    told.extend(warrior.face.skills.iter().map(text::skill));
    if let Some(back) = warrior.open_back() {
        told.push(format!("Behind it {}.", back.name));
    }
    told.join(" ")
}

/// "5 Gladiator 1/3 evil, 1 damage, Swift, behind it Radiant Duelist".
pub(super) fn warrior(warrior: &WarriorView) -> String {
    let mut told = vec![warrior_now(warrior)];
    told.extend(skills(warrior));
    told.extend(behind(warrior.open_back()));
    told.join(", ")
}

/// What its skills are called.
pub(super) fn skills(warrior: &WarriorView) -> Vec<String> {
    let skills = warrior.face.skills.iter();
    let called = skills.map(|skill| match skill.keyword() {
        Some(keyword) => keyword.to_string(),
        None => "action skill".to_owned(),
    });
    called.collect()
}

/// "behind it Radiant Duelist", where everybody knows it.
fn behind(back: Option<&Face>) -> Option<String> {
    back.map(|back| format!("behind it {}", back.name))
}

/// "5 Gladiator 1/3 evil, 1 damage, locked".
fn warrior_now(warrior: &WarriorView) -> String {
    let base = format!(
        "{} {} {}/{} {}",
        warrior.number, warrior.face.name, warrior.attack, warrior.defense, warrior.face.alignment
    );
    let told: Vec<String> = std::iter::once(base).chain(state(warrior)).collect();
    told.join(", ")
}

/// What has happened to it: "1 damage", "+2/+0 this turn", a skill that was lent to it, "locked".
pub(super) fn state(warrior: &WarriorView) -> Vec<String> {
    let mut told = Vec::new();
    if warrior.damage > 0 {
        told.push(format!("{} damage", warrior.damage));
    }
    if warrior.bonus != [0, 0] {
        told.push(format!("{:+}/{:+} this turn", warrior.bonus[0], warrior.bonus[1]));
    }
    told.extend(warrior.granted.iter().map(ToString::to_string));
    if warrior.locked {
        told.push("locked".to_owned());
    }
    told
}

/// "2 Scout (cost 1, good), locked".
pub(super) fn resource(card: &CardView) -> String {
    let locked = if card.locked { ", locked" } else { "" };
    let behind = behind(card.open_back()).map_or(String::new(), |behind| format!(", {behind}"));
    format!(
        "{} {} (cost {}, {}{locked}{behind})",
        card.place, card.face.name, card.face.cost, card.face.alignment
    )
}

pub(super) fn listed(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join("; ")
    }
}

/// "1 Scout, 2 Ted / Squeezle": where everybody knows what is behind a card, that follows.
pub(super) fn names<'a>(cards: impl IntoIterator<Item = &'a CardView>) -> String {
    called(cards, |card| card.place.to_string())
}

/// "a Scout, b Ted / Squeezle".
pub(super) fn held<'a>(cards: impl IntoIterator<Item = &'a CardView>) -> String {
    called(cards, |card| hand_letter(card.place).to_string())
}

fn called<'a>(cards: impl IntoIterator<Item = &'a CardView>, label: impl Fn(&CardView) -> String) -> String {
    let parts: Vec<String> = cards
        .into_iter()
        .map(|card| {
            let behind = card
                .open_back()
                .map_or(String::new(), |back| format!(" / {}", back.name));
            format!("{} {}{behind}", label(card), card.face.name)
        })
        .collect();
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join(", ")
    }
}

/// The skirmishes as pairs.
pub(super) fn skirmishes(view: &View) -> Vec<String> {
    let attack = view.attack.iter().flat_map(|attack| &attack.skirmishes);
    attack
        .map(|skirmish| {
            let against = if skirmish.defenders.is_empty() {
                "nobody".to_owned()
            } else {
                list(skirmish.defenders.iter().map(u8::to_string))
            };
            let now = if skirmish.current { " (now)" } else { "" };
            format!("{} against {against}{now}", skirmish.attacker)
        })
        .collect()
}

fn folded(text: &str) -> String {
    lines(text, TEXT_COLUMNS, "  ")
}

/// A text of several lines, each folded.
pub(super) fn folded_lines(text: &str) -> String {
    let folded: Vec<String> = text.lines().map(folded).collect();
    folded.join("\n")
}

/// The board in fixed width.
pub(super) fn text(scene: &PhaseScene<'_>) -> String {
    let view = scene.view;
    let mut out = vec![folded(&status(scene))];
    let last = last(scene, LAST_ON_BOARD);
    if !last.is_empty() {
        out.push(folded(&format!("Just now: {last}")));
    }
    let round = if view.round == 0 {
        "Before the first turn".to_owned()
    } else {
        format!("Round {}", view.round)
    };
    out.push(folded(&format!("{round}. Nexus: {}.", influence(view.nexus))));
    let pairs = skirmishes(view);
    if !pairs.is_empty() {
        out.push(folded(&format!("Skirmishes: {}.", pairs.join("; "))));
    }
    for player in &view.players {
        out.push(String::new());
        out.push(folded(&headline(scene, player)));
        if player.left {
            continue;
        }
        if player.warriors.is_empty() {
            out.push("Warriors: none".to_owned());
        } else {
            out.push("Warriors:".to_owned());
            let warriors = player.warriors.iter().map(warrior_in_full);
            out.extend(warriors.map(|warrior| folded(&warrior)));
        }
        out.push(folded(&format!(
            "Barracks: {}",
            listed(player.barracks.iter().map(resource))
        )));
        out.push(folded(&format!(
            "Hand, as the others see it: {}",
            held(&player.hand)
        )));
        let top = player.top.as_ref().map_or("empty".to_owned(), |top| {
            let behind = behind(top.open_back()).map_or(String::new(), |behind| format!(" ({behind})"));
            format!("{}{behind} on top", top.face.name)
        });
        out.push(folded(&format!(
            "Deck: {}, {top}. Discarded: {}",
            counted(player.deck, "card", "cards"),
            names(&player.discard)
        )));
    }
    out.join("\n")
}

fn headline(scene: &PhaseScene<'_>, player: &PlayerView) -> String {
    let turn = if scene.view.active == Some(player.seat) {
        " (turn)"
    } else {
        ""
    };
    let deck = player
        .deck_name
        .as_ref()
        .map(|name| format!(", deck {name}"))
        .unwrap_or_default();
    if player.left {
        return format!("{}. {} has left", player.seat, name(scene, player.seat));
    }
    format!(
        "{}. {}{turn}: {}{deck}",
        player.seat,
        name(scene, player.seat),
        influence(player.influence)
    )
}

/// What the last actions may take of a text board.
const LAST_ON_BOARD: usize = 500;

/// A text that every platform takes as an alt text.
pub(super) fn short(text: &str) -> String {
    if text.chars().count() <= ALT_LIMIT {
        return text.to_owned();
    }
    text.chars().take(ALT_LIMIT - 1).chain(['…']).collect()
}

/// Before the cards are dealt: the deck that the viewer brings.
pub(super) fn chosen_deck(own: &Own) -> String {
    match &own.deck {
        Some(deck) => format!("You bring the deck {deck}. Nobody else is told."),
        None => "No cards yet: they are dealt when all decks are chosen.".to_owned(),
    }
}

/// What the viewer, and not everybody, has seen behind the others' cards, a line a player.
pub(super) fn learnt(scene: &PhaseScene<'_>, seat: Seat) -> Vec<String> {
    let others = scene.view.players.iter().filter(|player| player.seat != seat);
    let seen = others.filter_map(|player| {
        let secrets = secrets_of(player);
        let owner = name(scene, player.seat);
        (!secrets.is_empty())
            .then(|| format!("You have seen behind cards of {owner}: {}", secrets.join("; ")))
    });
    seen.collect()
}

/// "hand b (Plain): Tall", for each card of a player whose other side the viewer has seen and not everybody.
fn secrets_of(player: &PlayerView) -> Vec<String> {
    let secret = |place: String, card: &CardView| {
        let behind = card.behind.filter(|_| card.is_secret)?;
        Some(format!("{place} ({}): {}", card.face.name, behind.name))
    };
    let numbered = |zone: &str, cards: &[CardView]| -> Vec<String> {
        let cards = cards.iter();
        cards
            .filter_map(|card| secret(format!("{zone} {}", card.place), card))
            .collect()
    };
    let held = player.hand.iter();
    let held = held.filter_map(|card| secret(format!("hand {}", hand_letter(card.place)), card));
    let warriors = player.warriors.iter().filter_map(|warrior| {
        let behind = warrior.behind.filter(|_| warrior.is_secret)?;
        let (number, face) = (warrior.number, &warrior.face.name);
        Some(format!("warrior {number} ({face}): {}", behind.name))
    });
    let mut seen: Vec<String> = held.collect();
    seen.extend(warriors);
    seen.extend(numbered("resource", &player.barracks));
    seen.extend(numbered("discard", &player.discard));
    let top = player.top.as_ref();
    seen.extend(top.and_then(|top| secret("top of the deck".to_owned(), top)));
    seen
}

/// What stands before a line that belongs to the one above.
const BELOW: &str = "   ";

/// What only the viewer sees: the order of each hand card, and what lies behind.
pub(super) fn hand(scene: &PhaseScene<'_>) -> Option<String> {
    let Viewer::Seat(seat) = scene.viewer else {
        return None;
    };
    let player = scene.view.player(seat).filter(|player| !player.left)?;
    let own = scene.view.own.as_ref()?;
    let mut out = Vec::new();
    for card in &player.hand {
        let Some(active) = card.behind else { continue };
        out.push(format!(
            "{}. {} (cost {}, {}/{} {}): {}",
            hand_letter(card.place),
            active.name,
            active.cost,
            active.attack,
            active.defense,
            active.alignment,
            text::ability(&active.order)
        ));
        out.push(format!("{BELOW}the others see: {}", card.face.name));
    }
    if scene.view.stage == TurnStage::Decks {
        out.push(chosen_deck(own));
    } else if out.is_empty() {
        out.push("Your hand is empty.".to_owned());
    }
    let both_faces = |card: &CardView| {
        Some(format!(
            "{} {} / {}",
            card.place, card.face.name, card.behind?.name
        ))
    };
    let behind = |card: &CardView| Some(format!("{} {}", card.place, card.behind?.name));
    let barracks: Vec<String> = player.barracks.iter().filter_map(behind).collect();
    if !barracks.is_empty() {
        out.push(format!("Behind your resources: {}", barracks.join(", ")));
    }
    let play = player.warriors.iter();
    let warriors: Vec<String> = play
        .filter_map(|warrior| Some(format!("{} {}", warrior.number, warrior.behind?.name)))
        .collect();
    if !warriors.is_empty() {
        out.push(format!("Behind your warriors: {}", warriors.join(", ")));
    }
    let discards: Vec<String> = player.discard.iter().filter_map(both_faces).collect();
    if !discards.is_empty() {
        out.push(format!("Discarded, and behind it: {}", discards.join(", ")));
    }
    out.extend(learnt(scene, seat));
    if let Some(place) = own.chosen {
        out.push(format!("Chosen for the barracks: card {}", hand_letter(place)));
    }
    // What is in fixed width has no other marks.
    out.push(own.habits.in_words().replace('`', ""));
    Some(out.join("\n"))
}
