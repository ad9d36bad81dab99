//! Whole sentences, names, and refusals that help.

use super::desk::{Desk, ONE, Play, TWO, faces, warriors};

fn table() -> Play {
    Desk::printed(2)
        .play(ONE, "Gladiator / Radiant Duelist, Scout / Blood Priest, Gladiator / Sky Herald")
        .barracks(ONE, "No-Ne Chim 3 / Necromancer, Ted / Chained Horror, Squeezle / Necromancer, Trivet / Chained Horror")
        .hand(ONE, "Iron Nun / Hollow Monk, Anonymous / Whip Hand")
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
    play.say(ONE, "done").say(ONE, "order iron nun on 2 pay 3");
    assert_eq!(play.warrior("Scout").bonus, [2, 2]);
    assert_eq!(faces(&play.player(ONE).barracks)[2], "Necromancer");
    assert_eq!(faces(&play.player(ONE).discard), ["Iron Nun"]);
}

#[test]
fn what_is_wrong_is_said_with_the_way_out() {
    let mut play = table();
    play.say(ONE, "done");
    for (sentence, answer) in [
        ("order iron nun on gladiator pay 1", "which number"),
        ("order 2 on 4", "can't be chosen"),
        ("order 9", "Your hand has 2 cards"),
        ("train 2 pay 2", "paid already, or is what is trained"),
        ("trian 2", "Did you mean `train`"),
        ("train gladator", "Call a card by its number or its name"),
        ("skill 2", "no action skill"),
        ("skill 4", "isn't yours"),
        ("order", "Which hand card"),
        ("defend 1 with 2", "isn't possible here"),
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
    play.say(ONE, "attack");
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
    play.say(ONE, "attack").say(ONE, "pass; target nexus");
    let refusal = play.refused(ONE, "with gladiator");
    assert!(refusal.contains("1, 3"), "{refusal}");
    play.say(ONE, "with scout");
    play.say(ONE, "with 1; done");
}
