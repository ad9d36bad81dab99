//! Whole sentences, names, and refusals that help.

use parlor::game::sentence::{Behind, begin_sentence};
use parlor::game::{Game, GameRng, OptionValues, Seed};
use parlor::games::phase::Phase;

use super::desk::{Desk, ONE, Play, TWO, faces, warriors};

fn table() -> Play {
    Desk::printed(2)
        .play(ONE, "Gladiator / Radiant Duelist, Scout / Blood Priest, Gladiator / Sky Herald")
        .barracks(ONE, "No-Ne Chim 3 / Necromancer, Ted / Chained Horror, Squeezle / Necromancer, Trivet / Chained Horror")
        .hand(ONE, "Rust Colossus / Iron Nun, Anonymous / Drum Major")
        .play(TWO, "Sister Alexis / Spark Imp")
        .deck(ONE, "Ted / Sun Eater")
        .go()
}

#[test]
fn a_training_is_one_sentence_by_name_or_place() {
    let mut play = table();
    play.say(ONE, "no attack");
    play.say(ONE, "TRAIN No-Ne Chim 3, pay 2 3 4");
    assert_eq!(warriors(&play.player(ONE)).last(), Some(&"No-Ne Chim 3"));
    assert_eq!(
        faces(&play.player(ONE).barracks),
        ["Chained Horror", "Necromancer", "Chained Horror"]
    );
}

#[test]
fn an_order_with_target_and_payment_is_one_sentence() {
    let mut play = table();
    play.say(ONE, "done").say(ONE, "order rust colossus on 2 pay 3");
    assert_eq!(play.warrior("Scout").bonus, [1, 3]);
    assert_eq!(faces(&play.player(ONE).barracks)[2], "Necromancer");
    assert_eq!(faces(&play.player(ONE).discard), ["Rust Colossus"]);
}

#[test]
fn hand_cards_go_by_letters_and_still_by_places() {
    let mut play = table();
    play.say(ONE, "done");
    assert!(play.legal(ONE).contains(&"order a".to_owned()));
    for typed in [
        "order a on 2 pay 3",
        "order 1 on 2 pay 3",
        "ORDER A on scout pay squeezle",
    ] {
        let mut play = play.clone();
        play.say(ONE, typed);
        assert_eq!(faces(&play.player(ONE).discard), ["Rust Colossus"], "{typed}");
    }
    assert!(play.refused(ONE, "order f").contains("Your hand has 2 cards"));
}

#[test]
fn what_is_wrong_is_said_with_the_way_out() {
    let mut play = table();
    play.say(ONE, "done");
    for (sentence, answer) in [
        ("order rust colossus on gladiator pay 1", "which number"),
        ("order 2 on 4", "can't be chosen"),
        ("order 9", "Your hand has 2 cards"),
        ("train 2 pay 2", "paid already, or is what is trained"),
        ("trian 2", "Did you mean `train`"),
        ("train gladator", "Call a card by its number or its name"),
        ("skill 2", "no action skill"),
        ("skill 4", "isn't yours"),
        ("order", "Which hand card"),
        ("defend 1 with 2", "You can't do that now"),
        ("frobnicate", "I can't read"),
        ("pass whenever", "`pass turn`"),
        ("stop everywhere", "skirmish-mine"),
    ] {
        let refusal = play.refused(ONE, sentence);
        assert!(refusal.contains(answer), "`{sentence}`: {refusal}");
    }
}

#[test]
fn an_attack_is_one_clause_once_the_maneuvers_are_over() {
    let mut play = table();
    play.say(ONE, "maneuver");
    let refusal = play.refused(ONE, "attack");
    assert!(refusal.contains("pass"), "{refusal}");
    play.say(ONE, "pass; nexus with 1 3");
    let attack = play.view().attack.unwrap();
    assert_eq!(attack.skirmishes.len(), 2, "the list ends itself");
    assert_eq!(play.asked(), Some(TWO));
}

#[test]
fn names_that_fit_several_cards_are_asked_about() {
    let mut play = table();
    play.say(ONE, "attack").say(ONE, "target nexus");
    let refusal = play.refused(ONE, "with gladiator");
    assert!(refusal.contains("1, 3"), "{refusal}");
    play.say(ONE, "with scout");
    play.say(ONE, "with 1; done");
}

#[test]
fn only_what_can_be_read_is_kept_for_later() {
    let options = OptionValues::defaults(Phase::META.options);
    let game = Phase::new(&options, 2, &mut GameRng::quick(1));
    let (seed, step) = (Seed::from_text("plan"), 1);
    let kept = |plan: &str| {
        let sentence = format!("enlist 1{plan}");
        begin_sentence(&game, ONE, &sentence, &seed, step, Behind::Keep).map(|sentence| sentence.rest)
    };
    for good in [
        "; attack nexus with 1 2",
        "; attack; target player 2; with 3 5",
        "; done",
        "; end turn",
        "; pass turn whatever",
        "; skip closing; stop skirmish-mine; stand off",
        "; train 2 pay 1 4; done",
        " then attack",
        "; order iron nun on 2 pay 3",
        "; skill 14 b",
        "; defend 5 with 9",
        "; on hand 2 of player 2",
        "; on hand b of player 2",
        "; order b on 14 pay 3",
        "; maneuver; standing",
        "; pass until attacked",
        "; give 9 4",
        "; 5",
    ] {
        assert!(matches!(kept(good), Ok(Some(_))), "{good}: {:?}", kept(good));
    }
    for bad in [
        " zzz",
        " 2",
        "; zzz",
        "; done; zzz",
        "; done zzz",
        "; train",
        "; train zzz",
        "; train 2 pay zzz",
        "; pass zzz",
        "; stop zzz",
        "; target zzz",
        "; attack nexus with zzz",
        "; give zzz",
        "; !?",
    ] {
        assert!(kept(bad).is_err(), "{bad}: {:?}", kept(bad));
    }
    let error = kept("; zzz").unwrap_err().to_string();
    assert!(
        error.starts_with("After `enlist a`: I can't read `zzz` as a move. Try"),
        "{error}"
    );
}
