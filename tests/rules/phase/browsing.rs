//! The cards as a collection: finding them, and lists of them.

use parlor::game::Collection;
use parlor::games::phase::card::{Library, card_set};

fn names(words: &str) -> Vec<String> {
    let found = Library
        .search(words)
        .unwrap_or_else(|reason| panic!("{words}: {reason}"));
    found.into_iter().map(|exhibit| exhibit.name).collect()
}

#[test]
fn a_face_is_found_by_its_name_alone() {
    // `Scout` is part of another name, too, and still means itself.
    let found = Library.search("sCOUT").expect("there is one");
    assert_eq!(found.len(), 1);
    let scout = &found[0];
    assert_eq!(scout.name, "Scout");
    assert_eq!(scout.details[0], "Sun Dominion good, training cost 1, 1/2.");
    assert!(
        scout
            .details
            .contains(&"Relentless: enlist a card, locked.".to_owned())
    );
    let behind = scout.details.last().expect("there are details");
    assert!(
        behind.starts_with("Behind it: ") && behind.contains("Fire Spirit (S"),
        "{behind}"
    );
    assert!(scout.items.len() >= 3);
}

#[test]
fn a_card_is_found_by_its_number_with_both_faces() {
    let card = card_set().cards()[0];
    let faces = [card.good, card.evil].map(|face| card_set().face(face).name.clone());
    assert_eq!(names("f1"), faces);
}

#[test]
fn faces_are_found_by_what_they_are() {
    let set = card_set();
    let expected: Vec<&str> = set
        .faces()
        .iter()
        .filter(|face| face.faction.name() == "Keeper" && face.cost == 2 && face.alignment.name() == "good")
        .map(|face| face.name.as_str())
        .collect();
    assert_eq!(expected.len(), 6);
    assert_eq!(names("Keeper cost 2 GOOD"), expected);
    let swift = names("sun dominion swift");
    assert!(!swift.is_empty());
    for name in swift {
        let face = set.face_named(&name).expect("it was found");
        assert!(face.faction.name() == "Sun Dominion" && face.keywords.iter().any(|k| k.name() == "Swift"));
    }
    let cheap = names("cost 0-1 action");
    assert!(cheap.contains(&"Gladiator".to_owned()) && !cheap.contains(&"The Cognet".to_owned()));
    assert!(names("discards").contains(&"Carrion Crow".to_owned()));
}

#[test]
fn what_is_not_found_is_answered_with_help() {
    let refuse = |words: &str| Library.search(words).expect_err(words);
    assert_eq!(refuse("gladiatr"), "No card matches. Did you mean **Gladiator**?");
    assert_eq!(refuse("xyzzy"), "No card matches.");
    assert!(refuse("cost nine").starts_with("Which cost?"));
    assert!(refuse("cost 3-1").starts_with("Which cost?"));
}

#[test]
fn lists_pass_through_code_and_text() {
    for ready in Library.ready() {
        assert_eq!(Library.check(&ready.items), [""; 0]);
        let code = Library.code(&ready.items).expect("it is a deck");
        assert_eq!(Library.read(&code), Ok(ready.items.clone()));
        assert_eq!(Library.read(&Library.write("x", &ready.items)), Ok(ready.items));
    }
}

#[test]
fn what_can_not_be_read_is_told_plainly() {
    assert_eq!(
        Library.read("F0000-00000-00000-00000"),
        Err("something is mistyped in this deck code: its checksum is wrong".to_owned())
    );
    assert_eq!(
        Library.check(&["F1".to_owned(), "K1".to_owned()]),
        [
            "F1 and K1 are of different factions: a deck is of one",
            "a deck has exactly 25 cards, and this one has 2"
        ]
    );
    assert_eq!(Library.code(&["F1".to_owned()]), None);
}
