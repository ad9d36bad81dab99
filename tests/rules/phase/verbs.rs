//! Every verb that cards are written with, and what the rules file says about choosing.

use parlor::draw::Show;
use parlor::game::{Game, Viewer};
use parlor::games::phase::{Event, Phase};

use super::desk::{Desk, ONE, Play, TWO, cards, faces, flat, warriors};

/// A player with one order in hand, and warriors and resources on both sides.
fn with_order(order: &str) -> Play {
    let set = cards(&format!(
        "good Plain, 1, 2/3\ngood Tall, 3, 1/5\nevil Wolf, 2, 3/2\nevil Chief, 0, 1/1\n  order: {order}\n"
    ));
    let mut play = Desk::of(set, 2)
        .play(ONE, "Plain / Wolf")
        .play(TWO, "Wolf / Plain, Tall / Wolf")
        .barracks(ONE, "Wolf / Tall, Tall / Wolf")
        .barracks(TWO, "Plain / Chief")
        .hand(ONE, "Chief / Plain, Wolf / Tall")
        .hand(TWO, "Plain / Wolf, Tall / Wolf, Tall / Chief")
        .deck(ONE, "Plain / Wolf, Wolf / Plain, Tall / Chief")
        .deck(TWO, "Plain / Wolf, Wolf / Plain")
        .discard(ONE, "Tall / Wolf")
        .influence(ONE, 4, 0)
        .influence(TWO, 3, 6)
        .go();
    play.say(ONE, "done");
    play
}

#[test]
fn buff_lasts_until_the_turn_ends_and_may_kill() {
    let mut play = with_order("choose any warrior; buff it +1/-3");
    play.say(ONE, "order 1 on 3");
    assert_eq!(play.stats("Tall"), (2, 2));
    assert_eq!(play.warrior("Tall").bonus, [1, -3]);
    let mut play = with_order("choose any warrior; buff it -1/-3");
    play.say(ONE, "order 1 on 1");
    assert_eq!(
        warriors(&play.player(ONE)),
        Vec::<&str>::new(),
        "its defense fell to 0"
    );
    let mut play = with_order("buff each my warrior +2/+1");
    play.say(ONE, "order 1");
    assert_eq!(play.stats("Plain"), (4, 4));
    play.say(ONE, "done").pass_round();
    assert_eq!(play.stats("Plain"), (2, 3), "the turn is over");
}

#[test]
fn damage_kills_at_defense_and_heal_takes_it_away() {
    let mut play = with_order("choose enemy warrior; damage it 2; heal it 1");
    play.say(ONE, "order 1 on 3");
    assert_eq!(play.warrior("Tall").damage, 1);
    let mut play = with_order("choose enemy warrior; damage it 2");
    play.say(ONE, "order 1 on 2");
    assert_eq!(warriors(&play.player(TWO)), ["Tall"]);
    assert_eq!(
        faces(&play.player(TWO).discard),
        ["Wolf"],
        "with the face that was up"
    );
}

#[test]
fn phase_turns_over_and_removes_damage_but_no_bonus() {
    let mut play = with_order("choose enemy warrior; damage it 1; buff it +1/+1; phase it");
    play.say(ONE, "order 1 on 3");
    assert_eq!(play.stats("Wolf"), (3, 2), "the other Wolf");
    let warrior = &play.player(TWO).warriors[1];
    assert_eq!(
        (warrior.face.name.as_str(), warrior.damage, warrior.bonus),
        ("Wolf", 0, [1, 1])
    );
}

#[test]
fn a_locked_card_does_not_phase_and_is_not_chosen_by_its_owner() {
    let mut play = with_order("choose any warrior; lock it; phase it");
    play.say(ONE, "order 1 on 2");
    let wolf = play.warrior("Wolf");
    assert!(wolf.locked, "locked first, so it did not phase");
    let set = cards(
        "good Plain, 1, 2/3\ngood Tall, 3, 1/5\nevil Wolf, 2, 3/2\nevil Chief, 0, 1/1\n  order: choose any warrior; unlock it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Plain / Wolf!, Tall / Wolf")
        .play(TWO, "Wolf / Tall!")
        .hand(ONE, "Chief / Plain, Wolf / Tall")
        .go();
    play.say(ONE, "done").say(ONE, "order 1");
    assert_eq!(play.legal(ONE), ["on 2", "on 3"], "not the own locked one");
    let refusal = play.refused(ONE, "on 1");
    assert!(refusal.contains("locked"), "{refusal}");
    play.say(ONE, "on 3");
    assert!(!play.warrior("Wolf").locked);
}

#[test]
fn destroy_grant_and_conditions() {
    let mut play = with_order("choose enemy warrior; destroy it; if it destroyed { gain 1 good }");
    play.say(ONE, "order 1 on 3");
    assert_eq!(warriors(&play.player(TWO)), ["Wolf"]);
    assert_eq!(play.influence(ONE), [5, 0]);
    let mut play = with_order("choose any warrior; grant it ally; grant it swift");
    play.say(ONE, "order 1 on 1");
    assert_eq!(play.warrior("Plain").granted.len(), 2);
    let mut play = with_order("if behind { gain 2 evil } else { lose 1 good }; if my turn { draw 1 }");
    play.say(ONE, "order 1");
    assert_eq!(play.influence(ONE), [4, 2], "an opponent has 6 of one kind");
    assert_eq!(play.player(ONE).hand.len(), 2);
}

#[test]
fn gain_is_limited_by_the_nexus_and_loss_by_what_there_is() {
    let mut play = with_order("gain 50 good; lose 9 evil by each opponent");
    play.say(ONE, "order 1");
    assert_eq!(play.influence(ONE), [24, 0]);
    assert_eq!(play.influence(TWO), [3, 0]);
    assert_eq!(play.view().spent, [0, 6]);
    assert!(play.view().last_round);
}

#[test]
fn draw_and_enlist_take_the_top_card_each_its_own_way_up() {
    let mut play = with_order("draw 1; enlist 1 locked");
    play.say(ONE, "order 1");
    let player = play.player(ONE);
    // The top card lay with Tall up: that side turns to the opponents.
    assert_eq!(faces(&player.hand), ["Tall", "Tall"]);
    assert_eq!(player.hand[1].behind.unwrap().name, "Chief");
    let enlisted = player.barracks.last().unwrap();
    assert_eq!((enlisted.face.name.as_str(), enlisted.locked), ("Wolf", true));
    assert_eq!(player.top.unwrap().face.name, "Plain");
}

#[test]
fn a_deck_is_remade_in_the_middle_of_an_effect_without_the_order_itself() {
    let mut play = with_order("draw 6");
    play.say(ONE, "order 1");
    let player = play.player(ONE);
    assert_eq!(player.hand.len(), 5, "three of the deck, one of the discard pile");
    assert_eq!(
        faces(&player.discard),
        ["Chief"],
        "the order came to the pile only then"
    );
    assert!(
        play.told
            .iter()
            .any(|event| matches!(event, Event::Remade { .. }))
    );
}

#[test]
fn whoever_discards_chooses_and_whoever_has_too_few_discards_all() {
    let mut play = with_order("choose opponent; discard 2 by them");
    play.say(ONE, "order 1 on player 2");
    assert_eq!(play.asked(), Some(TWO));
    play.say(TWO, "discard 2").say(TWO, "discard 1");
    assert_eq!(
        faces(&play.player(TWO).discard),
        ["Tall", "Plain"],
        "active side up"
    );
    assert_eq!(play.player(TWO).hand.len(), 1);
    assert_eq!(play.asked(), Some(ONE));
    let mut play = with_order("choose opponent; discard 5 by them");
    play.say(ONE, "order 1 on player 2");
    assert_eq!(play.player(TWO).hand.len(), 0, "nothing to choose");
    assert_eq!(play.asked(), Some(ONE));
}

#[test]
fn cards_move_and_keep_their_active_side() {
    let mut play = with_order("choose enemy warrior; move it to hand");
    play.say(ONE, "order 1 on 2");
    let card = play.player(TWO).hand.last().unwrap().clone();
    assert_eq!(
        (card.face.name.as_str(), card.behind.unwrap().name.as_str()),
        ("Plain", "Wolf")
    );
    let mut play = with_order("choose my discard; move it to locked barracks");
    play.say(ONE, "order 1 on discard 1");
    let card = play.player(ONE).barracks.last().unwrap().clone();
    assert_eq!((card.face.name.as_str(), card.locked), ("Tall", true));
    let mut play = with_order("choose my discard; move it to deck");
    play.say(ONE, "order 1 on discard 1");
    assert_eq!(play.player(ONE).top.unwrap().face.name, "Tall");
    let mut play = with_order("choose my warrior; move it to barracks");
    play.say(ONE, "order 1 on 1");
    assert_eq!(faces(&play.player(ONE).barracks).last(), Some(&"Plain"));
    let mut play = with_order("choose my resource; move it to play");
    play.say(ONE, "order 1 on resource 2");
    assert_eq!(warriors(&play.player(ONE)), ["Plain", "Tall"]);
}

#[test]
fn only_the_one_who_peeks_sees() {
    let mut play = with_order("choose enemy hand-card; peek it; peek each enemy deck-top");
    play.say(ONE, "order 1 on hand 2 of player 2");
    let seen = play.game.view(Viewer::Seat(ONE));
    assert_eq!(seen.players[1].hand[1].behind.unwrap().name, "Tall");
    assert_eq!(
        seen.players[1].top.as_ref().unwrap().behind.unwrap().name,
        "Plain"
    );
    for viewer in [Viewer::Public, Viewer::Seat(TWO)] {
        let view = play.game.view(viewer);
        assert_eq!(view.players[1].top.as_ref().unwrap().behind, None, "{viewer}");
        let told: Vec<Event> = play
            .told
            .iter()
            .filter_map(|event| Phase::witness(event, viewer))
            .collect();
        assert!(
            told.iter()
                .all(|event| !matches!(event, Event::Peeked { other: Some(_), .. })),
            "{viewer}"
        );
    }
    assert_eq!(play.game.view(Viewer::Public).players[1].hand[1].behind, None);
}

#[test]
fn whoever_peeks_is_told_and_finds_it_in_their_hand() {
    let mut play = with_order("choose enemy hand-card; peek it; peek each enemy deck-top");
    play.say(ONE, "order 1 on hand 2 of player 2");
    let share = |viewer: Viewer| -> Vec<Event> {
        let told = play.told.iter();
        told.filter_map(|event| Phase::witness(event, viewer)).collect()
    };
    let learnt = Phase::learnt(&share(Viewer::Seat(ONE))).plain(|seat| seat.to_string());
    assert!(
        learnt.contains("Behind hand card b (") && learnt.contains("you see Tall ("),
        "{learnt}"
    );
    let hand = |viewer: Viewer| {
        play.tell(viewer, Phase::hand)
            .map(|hand| flat(&hand.text))
            .unwrap_or_default()
    };
    let kept = hand(Viewer::Seat(ONE));
    assert!(
        kept.contains("You have seen behind cards of Bea: hand b ("),
        "{kept}"
    );
    assert!(kept.contains("): Tall; top of the deck ("), "{kept}");
    for viewer in [Viewer::Public, Viewer::Seat(TWO)] {
        assert!(Phase::learnt(&share(viewer)).is_empty(), "{viewer}");
        assert!(!hand(viewer).contains("You have seen"), "{viewer}");
    }
}

#[test]
fn amounts_are_read_off_the_table() {
    let mut play = with_order("choose enemy warrior; buff it +(count my resource)/+(cost it)");
    play.say(ONE, "order 1 on 3");
    assert_eq!(play.stats("Tall"), (1 + 2, 5 + 3));
    let mut play = with_order("choose my warrior; buff it +(cost-difference it)/+0");
    assert_eq!(
        play.game.view(Viewer::Seat(TWO)).players[0].warriors[0].behind,
        None
    );
    play.say(ONE, "order 1 on 1");
    assert_eq!(play.stats("Plain"), (2 + 1, 3));
    let behind = play.game.view(Viewer::Seat(TWO)).players[0].warriors[0].behind;
    assert_eq!(behind.unwrap().name, "Wolf", "what is counted is shown");
    let mut play = with_order(
        "choose my warrior; buff it +(hand of each opponent)/+((evil-influence of each opponent) max 4)",
    );
    play.say(ONE, "order 1 on 1");
    assert_eq!(play.stats("Plain"), (2 + 3, 3 + 4));
}

#[test]
fn up_to_may_stop_early_and_a_required_choice_takes_what_there_is() {
    let mut play = with_order("choose up to 2 enemy warriors; lock them");
    play.say(ONE, "order 1");
    assert_eq!(play.legal(ONE), ["on 2", "on 3", "done"]);
    play.say(ONE, "on 3; done");
    assert!(play.warrior("Tall").locked && !play.warrior("Wolf").locked);
    let mut play = with_order("choose 3 enemy warriors; lock them");
    play.say(ONE, "order 1 on 2 3");
    assert!(play.warrior("Tall").locked && play.warrior("Wolf").locked);
}

#[test]
fn an_order_without_a_legal_choice_is_listed_last_and_paid_and_discarded() {
    let set = cards(
        "good Plain, 1, 2/3\ngood Tall, 3, 1/5\nevil Wolf, 2, 3/2\nevil Chief, 0, 1/1\n  \
         order phase 1: choose my attacking warrior; buff it +2/+0",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Plain / Wolf")
        .barracks(ONE, "Wolf / Tall")
        .hand(ONE, "Chief / Plain, Wolf / Tall")
        .go();
    play.say(ONE, "done");
    let legal = play.legal(ONE);
    assert_eq!(legal, ["order b", "done", "order a"]);
    let guide = parlor::game::guide::guide(&play.game, ONE, &["order"]);
    assert!(guide.choices[1].help.contains("no effect"), "{guide:?}");
    play.say(ONE, "order 1");
    assert_eq!(faces(&play.player(ONE).barracks), ["Tall"], "paying flips");
    assert_eq!(faces(&play.player(ONE).discard), ["Chief"]);
}

#[test]
fn in_a_skirmish_nothing_outside_it_is_chosen() {
    let set = cards(
        "good Plain, 1, 2/3\ngood Tall, 3, 1/5\nevil Wolf, 2, 3/2\nevil Chief, 0, 1/1\n  order: choose any warrior; buff it +1/+0\n\
         evil Smith, 0, 1/1\n  order: choose my resource; lock it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Plain / Wolf, Tall / Wolf")
        .play(TWO, "Wolf / Tall, Wolf / Plain")
        .barracks(ONE, "Plain / Chief")
        .hand(ONE, "Chief / Plain, Smith / Plain")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    play.say(TWO, "defend 1 with 3; done");
    let legal = play.legal(ONE);
    assert_eq!(legal, ["pass", "order a", "order b"]);
    assert!(
        play.refused(ONE, "order 1 on 2")
            .contains("isn't in this skirmish")
    );
    play.say(ONE, "order 1");
    assert_eq!(play.legal(ONE), ["on 1", "on 3"]);
}
