//! Playing over days: for whom the game stops, and what passes in advance do.

use parlor::game::{Game, Seat, Viewer};
use parlor::games::phase::card::CardSet;
use parlor::games::phase::{Event, Phase};

use super::desk::{Desk, ONE, Play, THREE, TWO, cards};

fn set() -> &'static CardSet {
    cards(
        "good Plain, 1, 2/3\ngood Tall, 3, 1/5\nevil Wolf, 2, 3/2\n  order: choose any warrior; buff it +0/+1\n\
         evil Bear, 3, 4/4\n  order: gain 1 evil",
    )
}

/// Three players with orders in hand; the first attacks with two warriors.
fn table() -> Play {
    Desk::of(set(), 3)
        .play(ONE, "Plain / Wolf, Tall / Bear")
        .hand(ONE, "Bear / Plain, Bear / Tall")
        .play(TWO, "Wolf / Plain")
        .hand(TWO, "Bear / Plain, Bear / Tall")
        .hand(THREE, "Bear / Plain, Wolf / Tall")
        .influence(TWO, 5, 5)
        .go()
}

fn others(play: &Play) -> Vec<Seat> {
    play.game
        .awaiting()
        .seats()
        .iter()
        .filter(|&seat| seat != ONE)
        .collect()
}

#[test]
fn others_are_asked_only_in_skirmishes_that_concern_them_unless_they_wish_otherwise() {
    let mut play = table();
    play.say(ONE, "attack").say(ONE, "pass");
    assert_eq!(play.asked(), Some(ONE), "nobody wanted to maneuver");
    play.say(ONE, "attack player 2 with 1 2")
        .say(TWO, "done")
        .say(ONE, "skirmish 1")
        .say(ONE, "pass");
    assert_eq!(play.asked(), Some(TWO), "their influence is attacked");
    play.say(TWO, "pass");
    assert_eq!(
        play.asked(),
        Some(ONE),
        "the third player has nothing to do with it"
    );
    play.say(ONE, "pass").say(TWO, "pass");
    play.say(ONE, "done");
    assert_eq!(
        play.view().active,
        Some(TWO),
        "and nobody wanted to be asked at the end"
    );
    let mut play = table();
    play.say(THREE, "stop maneuver")
        .say(TWO, "stop closing")
        .say(ONE, "attack")
        .say(ONE, "pass");
    assert_eq!(play.asked(), Some(THREE));
    play.say(THREE, "skip maneuver; pass");
    play.say(ONE, "target nexus; with 1; with 2");
    while play.asked() != Some(ONE) || !play.legal(ONE).contains(&"done".to_owned()) {
        let seat = play.asked().unwrap();
        let legal = play.legal(seat);
        let idle = if legal.contains(&"pass".to_owned()) {
            "pass"
        } else {
            legal.last().unwrap()
        }
        .to_owned();
        play.say(seat, &idle);
    }
    play.say(ONE, "done");
    assert_eq!(play.asked(), Some(TWO), "closing");
}

#[test]
fn a_player_with_an_empty_hand_and_no_skill_in_scope_passes_at_once() {
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Plain / Wolf")
        .play(TWO, "Wolf / Plain")
        .go();
    play.say(TWO, "stop maneuver");
    play.say(ONE, "attack");
    assert_eq!(play.legal(ONE), ["target nexus", "target player 2"]);
}

#[test]
fn every_pass_looks_the_same() {
    let mut asked = table();
    asked.say(TWO, "stop maneuver").say(THREE, "stop maneuver");
    let mut told = Vec::new();
    asked.say(ONE, "attack").say(ONE, "pass");
    told.extend(asked.told.clone());
    asked.say(TWO, "pass");
    told.extend(asked.told.clone());
    asked.say(THREE, "pass");
    told.extend(asked.told.clone());
    let mut standing = table();
    // Chance goes by the step, and asides are steps.
    standing.step = 3;
    standing.say(ONE, "attack").say(ONE, "pass");
    assert_eq!(told, standing.told);
    let public = |play: &Play| play.game.view(Viewer::Public);
    assert_eq!(public(&asked), public(&standing));
}

#[test]
fn asides_are_private_and_change_nothing_that_others_see() {
    let mut play = table();
    let before: Vec<_> = [Viewer::Public, Viewer::Seat(ONE), Viewer::Seat(TWO)]
        .into_iter()
        .map(|viewer| play.game.view(viewer))
        .collect();
    let awaited = play.game.awaiting();
    for aside in [
        "stop closing",
        "skip skirmish-mine",
        "pass turn",
        "pass skirmish whatever",
        "stand off",
        "pass",
    ] {
        play.say(THREE, aside);
        for (viewer, before) in [Viewer::Public, Viewer::Seat(ONE), Viewer::Seat(TWO)]
            .into_iter()
            .zip(&before)
        {
            assert_eq!(&play.game.view(viewer), before, "{aside}");
            let heard = play
                .told
                .iter()
                .filter_map(|event| Phase::witness(event, viewer))
                .count();
            assert_eq!(heard, 0, "{viewer} hears of `{aside}`");
        }
        assert!(matches!(play.told[..], [Event::Habit { seat: THREE, .. }]));
        assert_eq!(play.game.awaiting(), awaited);
    }
    let own = play.game.view(Viewer::Seat(THREE)).own.unwrap().habits;
    assert!(own.closing && !own.skirmish_mine && own.standing.is_some());
}

#[test]
fn passes_in_advance_are_void_after_anothers_action_unless_given_whatever() {
    for (aside, passes) in [("pass turn", false), ("pass turn whatever", true)] {
        let mut play = table();
        play.say(TWO, aside);
        play.say(ONE, "attack")
            .say(ONE, "pass")
            .say(ONE, "attack player 2 with 1 2");
        if !passes {
            // Their influence is attacked: an ordinary standing pass has lapsed.
            play.say(TWO, "pass skirmish");
        }
        play.say(TWO, "done").say(ONE, "skirmish 1");
        play.say(ONE, "order 1");
        assert_eq!(others(&play).contains(&TWO), !passes, "{aside}");
    }
}

#[test]
fn pass_skirmish_holds_for_one_skirmish_only() {
    let mut play = table();
    play.say(ONE, "attack")
        .say(ONE, "pass")
        .say(ONE, "attack player 2 with 1 2");
    play.say(TWO, "done").say(ONE, "skirmish 1").say(ONE, "pass");
    assert_eq!(play.asked(), Some(TWO));
    play.say(TWO, "pass skirmish");
    assert_eq!(play.asked(), Some(ONE), "the second skirmish");
    play.say(ONE, "pass");
    assert_eq!(play.asked(), Some(TWO));
}

#[test]
fn whoever_is_chosen_by_anothers_action_is_asked_after_all() {
    let mut play = Desk::of(set(), 3)
        .play(ONE, "Plain / Wolf")
        .hand(ONE, "Wolf / Plain")
        .play(THREE, "Wolf / Tall")
        .hand(THREE, "Bear / Plain")
        .hand(TWO, "Bear / Tall")
        .go();
    play.say(ONE, "attack").say(ONE, "order 1 on 2");
    assert_eq!(play.asked(), Some(THREE), "a warrior of theirs was chosen");
}

#[test]
fn stopping_never_depends_on_hidden_cards() {
    // The same table but for what the second player's hand card can do.
    for hand in ["Bear / Plain", "Wolf / Plain"] {
        let mut play = Desk::of(set(), 2).play(ONE, "Plain / Wolf").hand(TWO, hand).go();
        play.say(ONE, "attack").say(ONE, "attack nexus with 1");
        assert_eq!(play.asked(), Some(TWO), "{hand}");
    }
}
