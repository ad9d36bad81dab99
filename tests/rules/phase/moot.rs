//! Sentences that say more than is asked: what the rules have answered themselves answers nothing else.

use parlor::draw::Show;
use parlor::game::sentence::{Behind, begin_sentence, still_to_say};
use parlor::game::{Seat, Viewer};
use parlor::games::phase::card::CardSet;
use parlor::games::phase::flow::Question;
use parlor::games::phase::{Event, Phase};

use super::desk::{Desk, ONE, Play, TWO, cards};

fn set() -> &'static CardSet {
    cards(
        "good Plain, 1, 2/3\ngood Tall, 3, 1/5\ngood Coach, 0, 1/3\n  action: buff this +1/+0\n\
         evil Wolf, 2, 3/2\nevil Bear, 3, 4/4\n  order: gain 1 evil",
    )
}

/// A sentence as a match begins it, and what of it is kept for later.
#[track_caller]
fn begun(play: &mut Play, seat: Seat, sentence: &str) -> Option<String> {
    let begun = begin_sentence(&play.game, seat, sentence, &play.seed, play.step, Behind::Keep);
    let begun = begun.unwrap_or_else(|error| panic!("`{sentence}`: {error}\n{}", play.situation()));
    play.step += begun.actions.len() as u64;
    play.game = begun.game;
    begun.rest
}

/// A plan as a match takes it up, with what is left of it.
#[track_caller]
fn goes_on(play: &mut Play, seat: Seat, plan: &str) -> Option<String> {
    let plan = still_to_say(&play.game, seat, plan)?;
    begun(play, seat, &plan)
}

fn question(play: &Play) -> Option<(Seat, Question)> {
    play.view().ask.map(|ask| (ask.seat, ask.what))
}

/// An evil attacker of the first player, who holds a card; a good wall of the second one, who holds none. Both survive their
/// fight: 3 damage against a defense of 5, 1 against 2.
fn defended() -> Play {
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Wolf / Plain")
        .hand(ONE, "Bear / Plain")
        .play(TWO, "Tall / Wolf")
        .barracks(TWO, "Plain / Bear, Plain / Wolf, Coach / Wolf")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    assert_eq!(question(&play), Some((TWO, Question::Defenders)));
    play
}

/// Whoever can't act in the fights is not asked there; what they say of them all the same doesn't wait for their own turn.
#[test]
fn a_defence_said_with_an_empty_hand_costs_nobody_their_next_attack() {
    for ending in [
        "pass",
        "pass unopposed",
        "pass fights",
        "pass skirmish",
        "pass turn",
        "pass whatever",
        "done",
        "no more defenders",
        "pass; pass",
        "pass; done",
        "skip",
    ] {
        let sentence = format!("defend 1 with 2; {ending}");
        let mut play = defended();
        assert_eq!(begun(&mut play, TWO, &sentence), None, "{ending} is kept");
        assert_eq!(question(&play), Some((ONE, Question::Action)), "{ending}");
        play.say(ONE, "pass").say(ONE, "done");
        assert_eq!(
            question(&play),
            Some((TWO, Question::Attack)),
            "{ending}: {}",
            play.situation()
        );
        assert!(play.find("Tall").is_some_and(|wall| wall.damage == 0));
    }
}

/// Nobody can act in the fight or train behind it, so that the next thing that is asked is whether the defender attacks.
#[test]
fn what_is_said_with_a_defence_answers_nothing_that_comes_in_the_same_breath() {
    for ending in ["pass", "pass unopposed", "pass turn", "done", "done; pass"] {
        let mut play = Desk::of(set(), 2)
            .play(ONE, "Wolf / Plain")
            .play(TWO, "Tall / Wolf")
            .go();
        play.say(ONE, "attack").say(ONE, "attack nexus with 1");
        let rest = begun(&mut play, TWO, &format!("defend 1 with 2; {ending}"));
        assert_eq!(
            (question(&play), rest),
            (Some((TWO, Question::Attack)), None),
            "{ending}"
        );
    }
}

/// Whoever could act is asked behind the defence, and so the same words are heard.
#[test]
fn with_a_card_in_hand_a_defence_ends_as_it_is_said() {
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Wolf / Plain")
        .hand(ONE, "Bear / Plain")
        .play(TWO, "Tall / Wolf")
        .hand(TWO, "Bear / Plain")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    let mut watching = play.clone();
    assert_eq!(begun(&mut watching, TWO, "defend 1 with 2; done"), None);
    watching.say(ONE, "pass");
    assert_eq!(question(&watching), Some((TWO, Question::Action)));
    assert_eq!(
        begun(&mut play, TWO, "defend 1 with 2; pass; pass"),
        Some("pass".to_owned())
    );
    play.say(ONE, "pass");
    assert_eq!(question(&play), Some((ONE, Question::Training)));
    // The fights are over, and so is what was said for them.
    assert_eq!(still_to_say(&play.game, TWO, "pass"), None);
    assert_eq!(
        still_to_say(&play.game, TWO, "pass; attack nexus with 2").as_deref(),
        Some("attack nexus with 2")
    );
}

fn attacker(hand: &str, play: &str) -> Play {
    Desk::of(set(), 2)
        .play(ONE, play)
        .hand(ONE, hand)
        .barracks(ONE, "Plain / Bear, Tall / Wolf")
        .barracks(TWO, "Plain / Bear, Plain / Wolf")
        .go()
}

/// The second player has nobody to send: the fights are over in the same breath, with a hand and without one.
#[test]
fn a_pass_for_the_fights_does_not_end_the_turn_of_an_attacker_with_an_empty_hand() {
    for hand in ["", "Bear / Plain"] {
        for pass in ["pass", "pass; pass", "pass fights", "pass turn"] {
            let mut play = attacker(hand, "Plain / Wolf, Bear / Tall");
            let rest = begun(
                &mut play,
                ONE,
                &format!("attack nexus with 1 2; {pass}; train 1 pay 2"),
            );
            assert_eq!(rest, None, "{pass} {hand}");
            assert_eq!(play.player(ONE).warriors.len(), 3, "{pass} {hand}");
            assert_eq!(play.influence(ONE), [2, 4], "both went home unopposed");
        }
    }
    // After the fights nothing is asked any more that a pass was meant for, and the turn goes on.
    let mut play = attacker("", "Plain / Wolf");
    assert_eq!(begun(&mut play, ONE, "attack nexus with 1; pass"), None);
    assert_eq!(question(&play), Some((ONE, Question::Training)));
    // `done` is meant for the turn.
    let mut play = attacker("", "Plain / Wolf");
    assert_eq!(begun(&mut play, ONE, "attack nexus with 1; pass; done"), None);
    assert_eq!(play.view().active, Some(TWO));
}

/// The last card goes into the maneuver: nobody is asked before the attack any more, nor in the fights.
#[test]
fn a_whole_turn_with_a_maneuver_goes_on_when_the_hand_is_empty() {
    let mut play = attacker("Bear / Plain", "Plain / Wolf");
    let rest = begun(
        &mut play,
        ONE,
        "maneuver; order a; pass; attack nexus with 1; pass; train 1 pay 2",
    );
    assert_eq!(rest, None);
    assert_eq!(
        (play.influence(ONE), play.player(ONE).warriors.len()),
        ([2, 1], 2)
    );
}

/// The other defends, so that the rest waits; the skill of a warrior that stays at home is of no use in the fights.
#[test]
fn a_plan_keeps_no_pass_for_fights_in_which_nobody_can_be_asked() {
    for (hand, army, kept) in [
        ("", "Wolf / Plain", "train 1 pay 2"),
        ("", "Wolf / Plain, Coach / Wolf", "train 1 pay 2"),
        ("Bear / Plain", "Wolf / Plain", "pass; train 1 pay 2"),
    ] {
        let mut play = Desk::of(set(), 2)
            .play(ONE, army)
            .hand(ONE, hand)
            .barracks(ONE, "Plain / Bear, Tall / Wolf")
            .play(TWO, "Tall / Wolf")
            .go();
        let plan = begun(&mut play, ONE, "attack nexus with 1; pass; train 1 pay 2");
        assert_eq!(plan.as_deref(), Some(kept), "{hand} {army}");
        let wall = play.warrior("Tall").number;
        play.say(TWO, &format!("defend 1 with {wall}"));
        let warriors = play.player(ONE).warriors.len();
        assert_eq!(goes_on(&mut play, ONE, "pass; train 1 pay 2"), None);
        assert_eq!(play.player(ONE).warriors.len(), warriors + 1, "{hand} {army}");
    }
}

/// Behind the training nothing is left to train, and the turn ends by itself: the word that ends it ends no other one.
#[test]
fn what_ends_a_turn_that_is_over_does_not_end_the_next_one() {
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Wolf / Plain")
        .barracks(ONE, "Plain / Bear, Tall / Wolf")
        .play(TWO, "Tall / Wolf")
        .go();
    // Of two resources one is trained for the other, which costs 2 then, and nothing is left to pay with.
    let plan = begun(
        &mut play,
        ONE,
        "attack nexus with 1; pass; train 1 pay 2; done; pass",
    );
    assert_eq!(plan.as_deref(), Some("train 1 pay 2; done; pass"));
    play.say(TWO, "defend 1 with 2");
    assert_eq!(goes_on(&mut play, ONE, &plan.unwrap()), None);
    assert_eq!(play.view().active, Some(TWO));
    assert_eq!(still_to_say(&play.game, ONE, "done"), None);
    play.say(TWO, "done");
    assert_eq!(question(&play), Some((ONE, Question::Attack)));
    assert_eq!(still_to_say(&play.game, ONE, "done; pass"), None);
    // Whoever has ended their turn themself means the next one.
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Wolf / Plain")
        .barracks(ONE, "Plain / Bear, Tall / Wolf")
        .play(TWO, "Tall / Wolf")
        .go();
    play.say(ONE, "done");
    assert_eq!(begun(&mut play, ONE, "done; done").as_deref(), Some("done"));
    play.say(TWO, "done");
    assert_eq!(question(&play), Some((ONE, Question::Attack)));
    assert_eq!(still_to_say(&play.game, ONE, "done").as_deref(), Some("done"));
}

/// What is said first is meant for what is asked, whatever has gone by.
#[test]
fn the_first_word_of_a_sentence_is_always_heard() {
    for (sentence, asked) in [
        ("pass", Question::Training),
        ("done", Question::Training),
        ("stop closing; pass", Question::Training),
        ("skip closing; done", Question::Training),
    ] {
        let mut play = defended();
        play.say(TWO, "defend 1 with 2").say(ONE, "pass").say(ONE, "done");
        assert_eq!(question(&play), Some((TWO, Question::Attack)));
        assert_eq!(begun(&mut play, TWO, sentence), None);
        assert_eq!(question(&play), Some((TWO, asked)), "{sentence}");
        // A training ends as one says it: Coach could still be trained, for nothing.
        assert_eq!(begun(&mut play, TWO, "train 1 pay 2; pass"), None);
        assert_eq!(play.view().active, Some(ONE));
    }
}

/// Nobody finds out by trying a sentence what another has said in private.
#[test]
fn a_sentence_that_is_tried_ends_where_private_wishes_begin_to_count() {
    let refusals = ["stand off", "pass turn"].map(|wish| {
        let mut play = Desk::of(set(), 2)
            .play(ONE, "Wolf / Plain")
            .hand(ONE, "Bear / Plain")
            .barracks(ONE, "Plain / Bear, Tall / Wolf")
            .play(TWO, "Tall / Wolf")
            .hand(TWO, "Bear / Plain")
            .go();
        play.say(ONE, "attack").say(ONE, "attack nexus with 1");
        play.say(TWO, "defend 1 with 2; done").say(TWO, wish);
        play.refused(ONE, "pass; pass")
    });
    assert_eq!(refusals[0], refusals[1]);
}

/// The call names no word that nobody asks for.
#[test]
fn the_call_to_defend_says_pass_only_where_it_is_heard() {
    let called = |play: &Play| {
        let names = |seat: Seat| format!("Player {seat}");
        play.tell(Viewer::Public, Phase::ask).plain(names)
    };
    let play = defended();
    assert!(called(&play).ends_with("`defend 1 with 2`."), "{}", called(&play));
    let mut said = play.clone();
    said.say(TWO, "defend 1 with 2");
    assert_eq!(question(&said), Some((ONE, Question::Action)), "it says it all");
    for (army, hand, barracks) in [
        // A card, a skill, and one more who could defend.
        ("Tall / Wolf", "Bear / Plain", ""),
        ("Coach / Wolf", "", ""),
        ("Tall / Wolf, Plain / Wolf", "", ""),
    ] {
        let mut play = Desk::of(set(), 2)
            .play(ONE, "Wolf / Plain")
            .hand(ONE, "Bear / Plain")
            .play(TWO, army)
            .hand(TWO, hand)
            .barracks(TWO, barracks)
            .go();
        play.say(ONE, "attack").say(ONE, "attack nexus with 1");
        assert!(called(&play).ends_with("; pass`."), "{army}: {}", called(&play));
        play.say(TWO, "defend 1 with 2");
        assert_eq!(question(&play), Some((TWO, Question::Defenders)), "{army}");
    }
}

/// In one's own turn and at the question who defends, a pass for longer is an answer, too.
#[test]
fn a_pass_for_longer_answers_what_is_asked() {
    for wish in ["pass turn", "pass turn whatever", "end turn"] {
        let mut play = attacker("Bear / Plain", "Plain / Wolf");
        play.say(ONE, "done");
        assert_eq!(question(&play), Some((ONE, Question::Training)));
        play.say(ONE, wish);
        assert_eq!(play.view().active, Some(TWO), "{wish} in the training");
        // Whoever passes their whole turn neither attacks nor trains.
        let mut play = attacker("Bear / Plain", "Plain / Wolf");
        assert_eq!(question(&play), Some((ONE, Question::Attack)));
        play.say(ONE, wish);
        assert_eq!(play.view().active, Some(TWO), "{wish} before the attack");
        // The same where there is nothing to train: nothing of it is left for later.
        let mut play = Desk::of(set(), 2)
            .play(ONE, "Plain / Wolf")
            .barracks(TWO, "Plain / Bear, Plain / Wolf")
            .go();
        assert_eq!(begun(&mut play, ONE, wish), None, "{wish}");
        assert_eq!(play.view().active, Some(TWO));
    }
    for wish in [
        "pass fights",
        "pass turn",
        "pass skirmish",
        "pass fights whatever",
    ] {
        let mut play = Desk::of(set(), 2)
            .play(ONE, "Wolf / Plain")
            .hand(ONE, "Bear / Plain")
            .play(TWO, "Tall / Wolf, Plain / Wolf")
            .hand(TWO, "Bear / Plain")
            .go();
        play.say(ONE, "attack").say(ONE, "attack nexus with 1");
        play.say(TWO, &format!("defend 1 with 2; {wish}"));
        assert_eq!(question(&play), Some((ONE, Question::Action)), "{wish}");
        play.say(ONE, "pass");
        assert_eq!(question(&play), Some((ONE, Question::Training)), "{wish}");
    }
}

#[track_caller]
fn answer(play: &Play, seat: Seat) -> String {
    match &play.told[..] {
        [Event::Habit { seat: whose, text }] if *whose == seat => text.clone(),
        told => panic!("{told:?}"),
    }
}

/// A wish for later leaves open what is asked, and says so.
#[test]
fn a_wish_that_answers_nothing_says_that_the_question_is_open() {
    let open = "is still yours to answer";
    let mut play = attacker("Bear / Plain", "Plain / Wolf");
    play.say(ONE, "pass fights");
    assert!(answer(&play, ONE).contains(open), "{}", answer(&play, ONE));
    assert_eq!(question(&play), Some((ONE, Question::Attack)));
    play.say(TWO, "pass turn");
    assert!(!answer(&play, TWO).contains(open), "nothing is asked of them");
    // It was for the fights.
    play.say(ONE, "attack nexus with 1");
    assert_eq!(question(&play), Some((ONE, Question::Training)));
    play.say(ONE, "pass until attacked");
    assert!(answer(&play, ONE).contains(open));
    assert_eq!(question(&play), Some((ONE, Question::Training)));
    let refusal = play.refused(ONE, "pass fights");
    assert!(refusal.contains("`done` ends your turn"), "{refusal}");
    let mut play = defended();
    play.say(TWO, "pass until attacked");
    assert!(answer(&play, TWO).contains(open));
    assert_eq!(question(&play), Some((TWO, Question::Defenders)));
}

/// `skip skirmish-mine` keeps what it says: it asks about one's own influence, and once somebody acts.
#[test]
fn whoever_skips_their_own_fights_is_told_where_they_are_asked_all_the_same() {
    let fought = |target: &str, action: &str| {
        let mut play = Desk::of(set(), 2)
            .play(ONE, "Wolf / Plain")
            .hand(ONE, "Bear / Plain")
            .play(TWO, "Tall / Wolf")
            .hand(TWO, "Bear / Plain")
            .influence(TWO, 5, 5)
            .go();
        play.say(TWO, "skip skirmish-mine");
        let said = answer(&play, TWO);
        assert!(
            said.contains("unless your influence is attacked or somebody acts"),
            "{said}"
        );
        play.say(TWO, "standing");
        let said = answer(&play, TWO);
        assert!(said.contains("about your own influence"), "{said}");
        play.say(ONE, "attack")
            .say(ONE, &format!("attack {target} with 1"));
        play.say(TWO, "defend 1 with 2; done").say(ONE, action);
        question(&play)
    };
    let asked = Some((TWO, Question::Action));
    assert_eq!(fought("player 2", "pass"), asked, "their influence");
    assert_eq!(fought("nexus", "order a"), asked, "somebody acts");
    assert_ne!(fought("nexus", "pass"), asked);
}
