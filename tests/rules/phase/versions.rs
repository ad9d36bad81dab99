//! Matches that began under older rules go on under them: with the cards that were printed then.
//!
//! The records in `tests/data/records` were played by the program as it was when those rules were the newest.

use parlor::catalog;
use parlor::game::{Game, OptionValues, Seed, Viewer};
use parlor::games::phase::card::{Edition, Face};
use parlor::games::phase::{Phase, Rules};
use parlor::matches::record::{Record, RecordError};

fn old_records() -> Vec<Record> {
    [
        include_str!("../../data/records/phase-rules-2-two.json"),
        include_str!("../../data/records/phase-rules-2-four.json"),
    ]
    .into_iter()
    .map(|text| Record::from_json(text).expect("it is a record"))
    .collect()
}

/// Played by the program as it was when the third rules were the newest and nobody could pass in unopposed fights alone.
fn third_records() -> Vec<Record> {
    [
        include_str!("../../data/records/phase-rules-3-two.json"),
        include_str!("../../data/records/phase-rules-3-four.json"),
    ]
    .into_iter()
    .map(|text| Record::from_json(text).expect("it is a record"))
    .collect()
}

fn opened(rules: Rules) -> Phase {
    let options = OptionValues::defaults(Phase::META.options);
    Phase::new_under(rules.number(), &options, 2, &mut Seed::from_text("then").at(0))
}

/// Whether all that is seen of a game was printed in this edition, and something in no other.
fn is_played_with(game: &Phase, edition: Edition) -> bool {
    let view = game.view(Viewer::Omniscient);
    let hands = view.players.iter().flat_map(|player| &player.hand);
    let seen: Vec<&'static Face> = hands.map(|card| card.face.0).collect();
    let printed = |edition: Edition, face: &Face| edition.cards().faces().iter().any(|other| other == face);
    seen.iter().all(|face| printed(edition, face))
        && seen.iter().any(|face| {
            Edition::ALL
                .into_iter()
                .all(|other| other == edition || !printed(other, face))
        })
}

#[test]
fn the_newest_rules_are_those_of_new_matches() {
    assert_eq!(Phase::META.rules_version, Rules::NEWEST.number());
    assert!(is_played_with(&opened(Rules::Third), Edition::Second));
    let options = OptionValues::defaults(Phase::META.options);
    let game = Phase::new(&options, 2, &mut Seed::from_text("then").at(0));
    assert!(is_played_with(&game, Edition::Second));
}

#[test]
fn old_matches_are_replayed_to_the_end_they_had() {
    for record in old_records() {
        assert_eq!(record.rules_version, 2);
        let table = record.verify().expect("it ends as it did");
        assert!(table.outcome().is_some());
        // Under the newest rules it would be another game.
        let now = Record {
            rules_version: Phase::META.rules_version,
            ..record
        };
        assert!(now.verify().is_err());
    }
}

#[test]
fn matches_under_the_third_rules_are_replayed_to_the_end_they_had() {
    for record in third_records() {
        assert_eq!(record.rules_version, Rules::Third.number());
        let table = record.verify().expect("it ends as it did");
        assert!(table.outcome().is_some());
        // Under the second rules, with the cards of those days, it would be another game.
        let then = Record {
            rules_version: Rules::Second.number(),
            ..record
        };
        assert!(then.verify().is_err());
    }
}

#[test]
fn an_old_match_is_taken_up_again_with_its_cards() {
    for record in old_records() {
        let half = record.actions.len() / 2;
        let table = record.replay(Some(half)).expect("it can be replayed");
        let saved = table.save().expect("it can be saved");
        // Saves of that time don't say which rules they are of.
        let told = "\"rules\":2,";
        assert!(saved.contains(told), "{saved}");
        let then = saved.replacen(told, "", 1);
        let entry = catalog::find("phase").expect("it is in the catalog");
        let taken_up = entry.load(&then).expect("it can be taken up again");
        assert_eq!(taken_up.save().expect("it can be saved"), saved);
        assert_eq!(taken_up.view(Viewer::Omniscient), table.view(Viewer::Omniscient));
    }
    assert!(is_played_with(&opened(Rules::Second), Edition::First));
    let saved = serde_json::to_string(&opened(Rules::Second)).expect("it can be saved");
    let loaded: Phase = serde_json::from_str(&saved).expect("it can be loaded");
    assert!(is_played_with(&loaded, Edition::First));
    let unknown = saved.replacen("\"rules\":2", "\"rules\":1", 1);
    assert!(serde_json::from_str::<Phase>(&unknown).is_err());
}

#[test]
fn rules_that_nobody_knows_any_more_are_refused_in_words() {
    for (version, told) in [
        (1, "version 1 of Phase's rules"),
        (99, "version 99 of Phase's rules"),
    ] {
        let record = Record {
            rules_version: version,
            ..old_records().remove(0)
        };
        let error = record.replay(None).expect_err("nobody knows them");
        assert!(matches!(error, RecordError::Open(_)), "{error}");
        let words = error.to_string();
        assert!(
            words.contains(told) && words.contains("versions 2 to 3"),
            "{words}"
        );
    }
}
