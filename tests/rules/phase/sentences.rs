//! Whole sentences, names, and refusals that help.

use parlor::draw::Show;
use parlor::game::guide::Leads;
use parlor::game::sentence::{Behind, begin_sentence};
use parlor::game::touch::{Touch, Touched, touch_among};
use parlor::game::{Game, GameRng, OptionValues, Seat, Seed, Viewer, Way};
use parlor::games::phase::event::At;
use parlor::games::phase::{Event, Phase};

use super::desk::{Desk, ONE, Play, TWO, cards, faces, warriors};

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
        ("order rust colossus on gladiator pay 1", "Which number"),
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

fn attacked() -> Play {
    let mut play = Desk::printed(2)
        .play(
            ONE,
            "Gladiator / Radiant Duelist, Scout / Blood Priest, Squeezle / Necromancer",
        )
        .play(
            TWO,
            "Sister Alexis / Spark Imp, Spark Imp / Sister Alexis, Berserker / Nighthawk",
        )
        .hand(TWO, "Anonymous / Drum Major")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1 2 3");
    play
}

/// The call to defend names a warrior for each attacker: the strongest against the strongest of the other side.
#[test]
fn the_call_to_defend_says_a_whole_defence() {
    let mut play = attacked();
    let called = |play: &Play| {
        let names = |seat: Seat| format!("Player {seat}");
        play.tell(Viewer::Public, Phase::ask).plain(names)
    };
    // 1 Gladiator is evil, 2 Scout and 3 Squeezle are good. 4 Sister Alexis is good, the evil 6 Berserker is stronger than
    // the evil 5 Spark Imp.
    let whole = "defend 1 with 4; defend 3 with 6; defend 2 with 5; pass";
    assert!(called(&play).contains(whole), "{}", called(&play));
    let mut said = play.clone();
    said.say(TWO, whole);
    assert!(!called(&said).contains("who defends"), "{}", called(&said));
    // What is decided is not named again, and nobody is sent twice.
    play.say(TWO, "defend 3 with 5");
    assert!(
        called(&play).contains("defend 1 with 4; defend 2 with 6; pass"),
        "{}",
        called(&play)
    );
    // The standing order does the same.
    let mut guard = attacked();
    guard.say(TWO, "always defend");
    let mut said = Vec::new();
    while let Some(action) = guard.game.foresaid(TWO) {
        let notation = guard.game.notate(TWO, &action);
        guard.say(TWO, &notation);
        said.push(notation);
    }
    assert_eq!(said.join("; "), whole);
}

/// All sentences of the ways that begin with these words.
fn led_to(play: &Play, seat: Seat, picked: &[&str]) -> Vec<String> {
    let ways = play.game.ways(seat).into_iter();
    let fits = |way: &Way| {
        way.words.len() == picked.len()
            && way
                .words
                .iter()
                .zip(picked)
                .all(|(word, text)| word.text == *text)
    };
    ways.filter(fits).map(|way| way.sentence).collect()
}

/// Whoever names one attacker after the other has the fights in that order, at few attackers, too.
#[test]
fn the_order_of_the_fights_is_picked_with_the_attackers() {
    let mut play = Desk::printed(2)
        .play(ONE, "Gladiator / Radiant Duelist, Scout / Blood Priest")
        .go();
    assert_eq!(led_to(&play, ONE, &["nexus", "1+2"]), ["attack nexus with 1 2"]);
    assert_eq!(led_to(&play, ONE, &["nexus", "some"]), ["attack nexus"]);
    play.say(ONE, "attack nexus");
    assert_eq!(led_to(&play, ONE, &["with-2"]), ["with 2"]);
    play.say(ONE, "with 2");
    assert_eq!(led_to(&play, ONE, &["1"]), ["1"]);
    play.say(ONE, "1");
    let fights = play.told.iter().find_map(|event| match event {
        Event::Declared { attackers, .. } => {
            let names = attackers.iter().map(|attacker| attacker.face.name.as_str());
            Some(names.collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(fights, Some(vec!["Scout", "Gladiator"]));
}

/// Six warriors, numbered from 1, who may all attack.
fn six() -> Play {
    let set = cards(
        "good Plain, 1, 2/3\ngood Tall, 3, 1/5\ngood Free, 0, 1/1\nevil Wolf, 2, 3/2\nevil Bear, 3, 4/4",
    );
    Desk::of(set, 2)
        .play(
            ONE,
            "Plain / Wolf, Tall / Wolf, Free / Wolf, Plain / Bear, Tall / Bear, Free / Bear",
        )
        .go()
}

fn touched(play: &Play, spots: &[&str]) -> Touched {
    let known: Vec<String> = play.tell(Viewer::Seat(ONE), |scene| {
        Phase::spots(scene).into_iter().map(|spot| spot.word).collect()
    });
    let touches: Vec<Touch> = spots.iter().map(|&spot| Touch::Spot(spot.to_owned())).collect();
    let ways = |touched: &[&str]| play.game.ways_touched(ONE, touched);
    touch_among(ways, &touches, &|word| known.iter().any(|known| known == word))
}

/// What can be played now by one press beside the picture, or is played at once.
fn played(touched: &Touched) -> Vec<String> {
    let whole = touched.choices.iter().filter_map(|choice| match &choice.leads {
        Leads::To { sentence } => Some(sentence.clone()),
        Leads::On { .. } => None,
    });
    whole.chain(touched.sentence.clone()).collect()
}

/// Who attacks, by number, in the order of the fights.
fn attackers(play: &Play) -> Vec<u8> {
    let declared = play.told.iter().find_map(|event| match event {
        Event::Declared { attackers, .. } => Some(attackers),
        _ => None,
    });
    let numbers = declared.expect("an attack is declared").iter();
    let numbers = numbers.filter_map(|attacker| match attacker.at {
        At::Warrior(number) => Some(number),
        _ => None,
    });
    numbers.collect()
}

/// However many warriors there are, those who attack are touched one after the other, in the order of their fights.
#[test]
fn any_of_six_warriors_attack_by_touch() {
    let play = six();
    let numbers = ["1", "2", "3", "4", "5", "6"];
    for set in 1_u32..1 << 6 {
        let set: Vec<&str> = (0..6)
            .filter(|place| set >> place & 1 == 1)
            .map(|place| numbers[place])
            .collect();
        let wanted = format!("attack nexus with {}", set.join(" "));
        // First whom, or first with whom.
        for spots in [[&["nexus"], &set[..]].concat(), [&set[..], &["nexus"]].concat()] {
            let meant = touched(&play, &spots);
            assert_eq!(meant.touches.len(), spots.len(), "{spots:?}: {meant:?}");
            assert!(played(&meant).contains(&wanted), "{spots:?}: {meant:?}");
            let mut open: Vec<&str> = meant.spots.iter().map(|spot| spot.word.as_str()).collect();
            open.sort_unstable();
            let left: Vec<&str> = numbers.iter().copied().filter(|one| !set.contains(one)).collect();
            assert_eq!(open, left, "who else can attack after {spots:?}");
        }
        assert!(play.clone().try_say(ONE, &wanted).is_ok(), "{wanted}");
    }
    // When nobody is left, it is played at once.
    let all = touched(&play, &["nexus", "6", "5", "4", "3", "2", "1"]);
    assert_eq!(all.sentence.as_deref(), Some("attack nexus with 6 5 4 3 2 1"));
    // The order of the touches is that of the fights.
    let meant = touched(&play, &["4", "1", "nexus", "6"]);
    let wanted = "attack nexus with 4 1 6";
    assert!(played(&meant).contains(&wanted.to_owned()), "{meant:?}");
    let mut attack = play.clone();
    attack.say(ONE, wanted);
    assert_eq!(attackers(&attack), [4, 1, 6]);
}

/// Also after the target was named alone.
#[test]
fn attackers_are_touched_after_the_target_was_named() {
    let mut play = six();
    play.say(ONE, "attack nexus");
    let meant = touched(&play, &["5", "2", "3"]);
    assert!(played(&meant).contains(&"5 2 3".to_owned()), "{meant:?}");
    play.say(ONE, "5 2 3");
    assert_eq!(attackers(&play), [5, 2, 3]);
}

/// With a defence one can ask for one's own fights only.
#[test]
fn the_panel_for_the_defence_offers_all_its_endings() {
    let play = attacked();
    let endings = |picked: &str| -> Vec<String> {
        let ways = play.game.ways(TWO).into_iter();
        let of_it = ways.filter(|way| way.words[0].text == picked && way.words.len() == 2);
        of_it.map(|way| way.words[1].text.clone()).collect()
    };
    assert_eq!(
        endings("4-1"),
        ["pass", "pass-unopposed", "done", "pass-whatever", "more"]
    );
    assert_eq!(endings("nobody"), ["pass", "done", "pass-whatever"]);
}
