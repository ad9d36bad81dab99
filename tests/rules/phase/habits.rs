//! Playing over days: for whom the game stops, and what passes in advance do.

use parlor::game::sentence::{Behind, begin_sentence};
use parlor::game::{Game, Seat, Viewer};
use parlor::games::phase::card::CardSet;
use parlor::games::phase::flow::TurnStage;
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
    play.say(ONE, "attack");
    assert_eq!(play.asked(), Some(ONE), "nobody wanted to maneuver");
    play.say(ONE, "attack player 2 with 1 2")
        .say(TWO, "done")
        .say(ONE, "pass skirmish");
    assert_eq!(play.asked(), Some(TWO), "their influence is attacked");
    play.say(TWO, "pass skirmish");
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
        .say(ONE, "attack");
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
    asked.say(ONE, "attack");
    told.extend(asked.told.clone());
    asked.say(TWO, "pass");
    told.extend(asked.told.clone());
    asked.say(THREE, "pass");
    told.extend(asked.told.clone());
    let mut standing = table();
    // Chance goes by the step, and asides are steps.
    standing.step = 3;
    standing.say(ONE, "attack");
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
        play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
        if !passes {
            // Their influence is attacked: an ordinary standing pass has lapsed.
            play.say(TWO, "pass skirmish");
        }
        play.say(TWO, "done");
        play.say(ONE, "order 1");
        assert_eq!(others(&play).contains(&TWO), !passes, "{aside}");
    }
}

#[test]
fn pass_skirmish_holds_for_one_skirmish_only() {
    let mut play = table();
    play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
    play.say(TWO, "done").say(ONE, "pass skirmish");
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
    let mut early = play.clone();
    early.say(ONE, "maneuver").say(ONE, "order 1 on 2");
    assert_eq!(early.asked(), Some(ONE), "before the attack only with a stop");
    let mut early = play.clone();
    early.say(THREE, "pass until attacked").say(ONE, "maneuver");
    early.say(ONE, "order 1 on 2");
    let standing = early.game.view(Viewer::Seat(THREE)).own.unwrap().habits.standing;
    assert_eq!(standing, None, "a warrior of theirs was chosen");
    play.say(ONE, "attack").say(ONE, "attack player 3 with 1");
    play.say(THREE, "defend 1 with 2; pass");
    play.say(ONE, "order 1 on 2");
    assert_eq!(play.asked(), Some(THREE), "in a fight they are asked");
}

#[test]
fn stopping_never_depends_on_hidden_cards() {
    // The same table but for what the second player's hand card can do.
    for hand in ["Bear / Plain", "Wolf / Plain"] {
        let mut play = Desk::of(set(), 2).play(ONE, "Plain / Wolf").hand(TWO, hand).go();
        let mut away = play.clone();
        away.say(ONE, "attack").say(ONE, "attack nexus with 1");
        assert_eq!(
            away.view().active,
            Some(TWO),
            "{hand}: nobody opposes the attacker"
        );
        play.say(TWO, "stop skirmish-other");
        play.say(ONE, "attack").say(ONE, "attack nexus with 1");
        assert_eq!(
            (play.asked(), play.view().active),
            (Some(TWO), Some(ONE)),
            "{hand}: unless they want to be asked"
        );
    }
}

#[test]
fn fights_come_in_the_order_of_the_attack_unless_its_player_picks_another() {
    let mut play = table();
    play.say(ONE, "attack")
        .say(ONE, "attack player 2 with 2 1")
        .say(TWO, "done");
    let current = |play: &Play| {
        let skirmishes = play.view().attack.unwrap().skirmishes;
        skirmishes
            .iter()
            .find(|skirmish| skirmish.current)
            .unwrap()
            .attacker
    };
    assert_eq!(current(&play), 2, "named first");
    assert!(play.legal(ONE).contains(&"skirmish 1".to_owned()));
    play.say(ONE, "skirmish 1");
    assert_eq!(current(&play), 1);
    assert!(
        !play.legal(ONE).contains(&"skirmish 2".to_owned()),
        "it was picked, and stays"
    );
    play.say(ONE, "pass").say(TWO, "pass");
    assert_eq!(play.view().stage, TurnStage::Training, "the other ran through");
    let mut play = table();
    play.say(ONE, "attack")
        .say(ONE, "attack player 2 with 2 1")
        .say(TWO, "done");
    play.say(ONE, "order 1").say(TWO, "pass").say(ONE, "pass");
    assert_eq!(
        play.asked(),
        Some(ONE),
        "after an action a pass is for one skirmish"
    );
    assert_eq!(current(&play), 1);
}

#[test]
fn a_pass_with_the_defence_is_for_all_fights_until_somebody_acts() {
    let mut play = table();
    play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
    let legal = play.legal(TWO);
    assert_eq!(
        legal,
        [
            "pass",
            "pass whatever",
            "defend 1 with 3",
            "defend 2 with 3",
            "done"
        ]
    );
    let mut away = play.clone();
    away.say(TWO, "defend 1 with 3; pass whatever")
        .say(ONE, "order 1");
    assert_eq!(away.asked(), Some(ONE), "whatever anybody does");
    play.say(TWO, "defend 1 with 3; pass");
    let mut quiet = play.clone();
    quiet.say(ONE, "pass");
    assert_eq!(quiet.view().stage, TurnStage::Training, "nobody else was asked");
    play.say(ONE, "order 1");
    assert_eq!(play.asked(), Some(TWO), "somebody has acted");
}

#[test]
fn nobody_sees_whether_a_defender_has_passed_in_advance() {
    let defences = ["pass", "pass unopposed", "done"].map(|ending| format!("defend 1 with 3; {ending}"));
    let said = defences.map(|defence| {
        let mut play = table();
        play.say(ONE, "attack")
            .say(ONE, "attack player 2 with 1 2")
            .say(TWO, &defence);
        let told = play.told.clone();
        let seen =
            [Viewer::Public, Viewer::Seat(ONE), Viewer::Seat(THREE)].map(|viewer| play.game.view(viewer));
        // To try it out tells nothing either.
        let refusal = play.refused(ONE, "pass; train 9");
        (told, seen, refusal)
    });
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0], said[2]);
}

/// Of two attackers the first is opposed, by a player who guards the Nexus or who is attacked themselves.
#[test]
fn whoever_defends_can_ask_for_their_own_fights_only() {
    for target in ["nexus", "player 2"] {
        let asked_in = |ending: &str| {
            let mut play = Desk::of(set(), 2)
                .play(ONE, "Plain / Wolf, Tall / Bear")
                .hand(ONE, "Bear / Plain, Bear / Tall")
                .play(TWO, "Wolf / Plain")
                .hand(TWO, "Bear / Plain, Bear / Tall")
                .influence(TWO, 5, 5)
                .go();
            play.say(ONE, "attack")
                .say(ONE, &format!("attack {target} with 1 2"))
                .say(TWO, &format!("defend 1 with 3; {ending}"));
            let mut asked = Vec::new();
            while play.view().stage == TurnStage::Skirmish {
                let seat = play.asked().unwrap();
                if seat == TWO {
                    let fights = play.view().attack.unwrap().skirmishes;
                    asked.push(fights.iter().find(|fight| fight.current).unwrap().attacker);
                }
                play.say(seat, "pass skirmish");
            }
            asked
        };
        assert_eq!(asked_in("pass"), [0; 0], "{target}");
        assert_eq!(asked_in("pass unopposed"), [1], "{target}");
        assert_eq!(asked_in("done"), [1, 2], "{target}");
        // It is over with the attack.
        let mut play = table();
        play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
        play.say(TWO, "defend 1 with 3; pass unopposed").say(ONE, "pass");
        play.say(TWO, "pass");
        let habits = play.game.view(Viewer::Seat(TWO)).own.unwrap().habits;
        assert!(!habits.opposed_only);
    }
}

/// Where it would make no difference it is the shorter word that is meant.
#[test]
fn pass_unopposed_is_offered_where_some_fights_are_ones_own_and_some_are_not() {
    let mut play = table();
    play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
    let offered = |play: &Play| play.legal(TWO).contains(&"pass unopposed".to_owned());
    assert!(!offered(&play), "nobody is sent yet");
    let mut nobody = play.clone();
    nobody.say(TWO, "pass unopposed").say(ONE, "pass");
    assert_eq!(nobody.view().stage, TurnStage::Training, "a plain pass");
    play.say(TWO, "defend 1 with 3");
    assert!(offered(&play));
    let mut all = table();
    all.say(ONE, "attack").say(ONE, "attack player 2 with 1");
    all.say(TWO, "defend 1 with 3");
    assert!(!offered(&all), "every fight is theirs");
    all.say(TWO, "pass unopposed").say(ONE, "pass");
    assert_eq!(all.asked(), Some(TWO), "as if they had said `done`");
    // Somebody who acts in a fight of others wakes nobody.
    play.say(TWO, "pass unopposed").say(ONE, "skirmish 2");
    play.say(ONE, "order a").say(ONE, "pass skirmish");
    assert_eq!(play.asked(), Some(ONE));
    let fights = play.view().attack.unwrap().skirmishes;
    assert_eq!(fights.len(), 1, "the unopposed fight is over: {fights:?}");
}

/// Begins a sentence as a match does: what can't be played in one go is kept, and goes on as soon as it can.
fn begun(play: &mut Play, sentence: &str) -> Option<String> {
    let mut rest = Some(sentence.to_owned());
    while let Some(text) = rest.take_if(|_| play.asked() == Some(ONE)) {
        let begun = begin_sentence(&play.game, ONE, &text, &play.seed, play.step, Behind::Keep).unwrap();
        play.step += begun.actions.len() as u64;
        play.game = begun.game;
        rest = begun.rest;
    }
    rest
}

#[test]
fn a_whole_turn_can_be_said_at_once_with_two_attackers() {
    let mut play = table();
    let rest = begun(&mut play, "attack player 2 with 1 2; pass; done");
    assert_eq!(rest.as_deref(), Some("pass; done"));
    play.say(TWO, "defend 1 with 3; pass");
    assert_eq!(begun(&mut play, "pass; done"), None);
    assert_eq!(play.view().active, Some(TWO));
    // What comes after the fights says that there is nothing to do in them.
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Plain / Wolf, Tall / Bear")
        .hand(ONE, "Bear / Plain")
        .barracks(ONE, "Plain / Bear, Tall / Wolf")
        .go();
    play.say(ONE, "attack nexus with 1 2; train 1 pay 2");
    assert_eq!(play.player(ONE).warriors.len(), 3);
    assert_eq!(play.influence(ONE), [3, 0]);
}

#[test]
fn a_standing_pass_until_attacked_holds_over_turns_and_is_listed_and_taken_back() {
    let mut play = table();
    play.say(TWO, "pass until I am attacked").say(TWO, "standing");
    let [Event::Habit { text, .. }] = &play.told[..] else {
        panic!("{:?}", play.told);
    };
    assert!(text.contains("until your influence is attacked"), "{text}");
    assert!(text.contains("`stand off`"), "{text}");
    // The second player's fights at the Nexus go by; its defence is asked for all the same.
    play.say(ONE, "attack").say(ONE, "attack nexus with 1 2");
    while play.asked() != Some(ONE) {
        let seat = play.asked().unwrap();
        play.say(seat, "done");
    }
    play.say(ONE, "order 1").say(ONE, "pass");
    assert_ne!(play.asked(), Some(TWO));
    let standing = |play: &Play| play.game.view(Viewer::Seat(TWO)).own.unwrap().habits.standing;
    assert!(standing(&play).is_some());
    play.say(TWO, "stand off");
    assert!(standing(&play).is_none());
    let mut play = table();
    play.say(TWO, "pass until attacked");
    play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
    assert!(standing(&play).is_none(), "their influence is attacked");
}

#[test]
fn a_standing_order_defends_the_nexus_with_the_strongest_of_the_other_side() {
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Plain / Wolf, Bear / Tall")
        .play(TWO, "Wolf / Plain, Bear / Plain, Tall / Wolf")
        .hand(TWO, "Bear / Tall")
        .go();
    play.say(TWO, "always defend the Nexus with my strongest of the other side");
    assert_eq!(play.game.foresaid(TWO), None, "nobody attacks yet");
    play.say(ONE, "attack").say(ONE, "attack nexus with 1 2");
    let mut said = Vec::new();
    while let Some(action) = play.game.foresaid(TWO) {
        let notation = play.game.notate(TWO, &action);
        play.say(TWO, &notation);
        said.push(notation);
    }
    // 2 Bear is the stronger attacker and evil: the only good warrior meets it. Of the evil ones 4 Bear is the stronger.
    assert_eq!(said, ["defend 2 with 5", "defend 1 with 4", "pass"]);
    let mut play = table();
    play.say(TWO, "always defend").say(TWO, "always off");
    play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
    assert_eq!(play.game.foresaid(TWO), None);
}

/// They could play orders in the fights, and are asked about them only if they want to be.
#[test]
fn whoever_guards_the_nexus_with_nobody_to_send_is_asked_only_if_they_wish() {
    for wishes in [false, true] {
        let mut play = Desk::of(set(), 2)
            .play(ONE, "Plain / Wolf")
            .hand(ONE, "Bear / Tall")
            .hand(TWO, "Bear / Plain")
            .go();
        if wishes {
            play.say(TWO, "stop skirmish-other");
        }
        play.say(ONE, "attack")
            .say(ONE, "attack nexus with 1")
            .say(ONE, "pass");
        assert_eq!(play.asked() == Some(TWO), wishes, "{}", play.situation());
        if wishes {
            assert_eq!(play.view().stage, TurnStage::Skirmish);
            assert!(
                play.legal(TWO).contains(&"order a".to_owned()),
                "{:?}",
                play.legal(TWO)
            );
        }
    }
}
