//! The printed set as it stands in `assets/phase`.

use std::collections::BTreeSet;

use parlor::games::phase::card::text;
use parlor::games::phase::card::{
    Alignment, Card, CardSet, Cost, Edition, Face, Faction, Keyword, Skill, card_set,
};

use super::lint::look_over;

/// The printed set; everything wrong in the files is shown at once.
fn printed() -> &'static CardSet {
    let faults = look_over(Edition::NEWEST.sources());
    if !faults.is_empty() {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        panic!("{} faults in the card files:\n{}", lines.len(), lines.join("\n"));
    }
    card_set()
}

fn face(name: &str) -> &'static Face {
    let found = printed().faces().iter().find(|face| face.name == name);
    found.unwrap_or_else(|| panic!("no face is called {name}"))
}

fn has_card(good: &str, evil: &str) -> bool {
    let is = |card: &Card| card.good == face(good).id && card.evil == face(evil).id;
    printed().cards().iter().any(is)
}

#[test]
fn the_files_are_without_fault() {
    printed();
}

#[test]
fn every_faction_has_its_faces_cards_and_decks() {
    let set = printed();
    for faction in Faction::ALL {
        for alignment in Alignment::ALL {
            let faces = set
                .faces()
                .iter()
                .filter(|face| face.faction == faction && face.alignment == alignment);
            assert!(faces.count() >= 24, "{faction} {alignment}");
        }
        let cards: Vec<&Card> = set
            .cards()
            .iter()
            .filter(|card| card.faction == faction)
            .collect();
        assert_eq!(cards.len(), 100);
        let pairs: BTreeSet<_> = cards.iter().map(|card| (card.good, card.evil)).collect();
        assert_eq!(pairs.len(), 100, "all cards of {faction} are different");
        for card in cards {
            for alignment in Alignment::ALL {
                let face = set.face(card.face(alignment));
                assert_eq!(
                    (face.faction, face.alignment),
                    (faction, alignment),
                    "{}",
                    card.id
                );
            }
        }
        let decks = set.decks().iter().filter(|ready| ready.deck.faction() == faction);
        assert_eq!(decks.count(), 3);
    }
}

#[test]
fn every_face_stands_on_three_cards_at_least() {
    let set = printed();
    for face in set.faces() {
        let uses = set
            .cards()
            .iter()
            .filter(|card| card.face(face.alignment) == face.id)
            .count();
        assert!(uses >= 3, "{} is on {uses}", face.name);
    }
}

#[test]
fn every_faction_knows_every_skill() {
    for faction in Faction::ALL {
        let faces: Vec<&Face> = printed()
            .faces()
            .iter()
            .filter(|face| face.faction == faction)
            .collect();
        for keyword in Keyword::ALL {
            assert!(
                faces.iter().filter(|face| face.has(keyword)).count() >= 2,
                "{faction} {keyword}"
            );
        }
        let actions = |lock: bool| {
            let costs = |face: &&&Face| {
                face.skills.iter().any(|skill| match skill {
                    Skill::Action(action) => action
                        .costs
                        .iter()
                        .any(|cost| matches!(cost, Cost::Lock(_)) == lock),
                    _ => false,
                })
            };
            faces.iter().filter(costs).count()
        };
        assert!(actions(true) >= 2 && actions(false) >= 2, "{faction}");
    }
}

/// The rules file's list of what the rulebook's sample turn fixes.
#[test]
fn the_sample_turns_faces_carry_what_it_says() {
    let stats = |name: &str| (face(name).attack, face(name).defense);
    let skills = |name: &str| -> Vec<String> { face(name).skills.iter().map(text::skill).collect() };
    let order = |name: &str| text::ability(&face(name).order);

    assert_eq!(stats("Chained Horror"), (3, 4));
    assert_eq!(
        skills("Chained Horror"),
        ["Elite: this warrior gets +2/+0 until the turn ends."]
    );
    assert_eq!(stats("The Flying Death"), (4, 4));
    assert_eq!(
        skills("The Flying Death"),
        ["Phase 1: this warrior gets +1/+1 until the turn ends."]
    );
    assert_eq!(
        order("The Flying Death"),
        "Choose an attacking warrior. If it is opposed, it gets +4/+0; otherwise it gets +2/+0 until the turn ends."
    );
    assert_eq!(face("Gladiator").attack, 1);
    assert_eq!(
        skills("Gladiator"),
        ["Phase 3: this warrior gets +3/+0 until the turn ends."]
    );
    assert_eq!(face("Scout").attack, 1);
    assert!(face("Scout").defense <= 4);
    assert_eq!(skills("Scout"), ["Relentless: enlist a card, locked."]);
    assert_eq!(face("Fire Spirit").cost, 0);
    assert_eq!(
        order("Fire Spirit"),
        "One of your warriors gets +2/+1 until the turn ends."
    );
    assert_eq!(stats("Squeezle"), (2, 1));
    assert_eq!(face("Necromancer").cost, 1);
    assert_eq!(face("No-Ne Chim 3").cost, 3);
    assert_eq!(skills("No-Ne Chim 3"), ["Trained: gain 2 good influence."]);
    assert_eq!(face("Ted").cost, 2);
    assert_eq!(order("The Undying"), "Deal 1 damage to an enemy warrior.");
    assert_eq!(
        order("Trivet"),
        "An enemy warrior gets -1/-2 until the turn ends."
    );
    assert_eq!(
        order("Anonymous"),
        "One of your warriors gets +1/+1 until the turn ends."
    );
    assert!(has_card("Scout", "Fire Spirit"));
    assert!(has_card("Squeezle", "The Flying Death"));
    assert!(has_card("Squeezle", "Necromancer"));
    assert!(has_card("Ted", "Chained Horror"));

    assert_eq!(skills("Berserker"), ["Phaseling: gain 1 good influence."]);
    assert_eq!(stats("Nighthawk"), (3, 5));
    assert!(has_card("Nighthawk", "Berserker"));
    assert_eq!(face("Sister Alexis").defense, 3);
    assert!(face("Sister Alexis").has(Keyword::Swift));
    assert!(face("Sister Alexis").attack >= face("Gladiator").defense);
    assert_eq!(face("Pennaggolan").attack, 5);
    assert!((2..=3).contains(&face("Pennaggolan").defense));
    assert_eq!(order("The Cognet"), "Phase 1: phase one of your warriors.");
    assert_eq!(order("Caelistra"), "Phase an enemy warrior.");

    let good = [
        "Scout",
        "Squeezle",
        "No-Ne Chim 3",
        "Ted",
        "Nighthawk",
        "Sister Alexis",
    ];
    let evil = [
        "Chained Horror",
        "The Flying Death",
        "Gladiator",
        "Fire Spirit",
        "Necromancer",
        "Berserker",
        "Pennaggolan",
    ];
    assert!(good.iter().all(|name| face(name).alignment == Alignment::Good));
    assert!(evil.iter().all(|name| face(name).alignment == Alignment::Evil));
}

#[test]
fn what_is_printed_fits_a_card_and_reads_as_sentences() {
    for face in printed().faces() {
        let texts = face
            .skills
            .iter()
            .map(text::skill)
            .chain([text::ability(&face.order)]);
        let mut all = 0;
        for text in texts {
            assert!(text.ends_with('.'), "{}: {text}", face.name);
            assert!(
                !text.contains("  ") && !text.contains(" ."),
                "{}: {text}",
                face.name
            );
            assert!(
                text.starts_with(|c: char| c.is_uppercase()),
                "{}: {text}",
                face.name
            );
            assert!(text.chars().count() <= 130, "{}: {text}", face.name);
            all += text.chars().count();
        }
        assert!(all <= 230, "{} says {all} letters", face.name);
    }
}
