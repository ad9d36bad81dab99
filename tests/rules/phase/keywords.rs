//! The glossary's named skills, and action skills.

use super::desk::{Desk, ONE, THREE, TWO, cards, faces};

#[test]
fn swift_strikes_first_and_who_is_dead_does_not_strike_back() {
    let set = cards("good Quick, 1, 3/1\n  swift\ngood Plain, 1, 1/1\nevil Slow, 1, 3/3\nevil Other, 1, 1/1");
    let mut play = Desk::of(set, 2)
        .play(ONE, "Slow / Plain")
        .play(TWO, "Quick / Other")
        .go();
    play.say(ONE, "attack")
        .pass_round()
        .say(ONE, "attack nexus with 1");
    play.say(TWO, "defend 1 with 2").pass_round();
    assert!(play.find("Slow").is_none() && play.find("Plain").is_none());
    assert_eq!(play.warrior("Quick").damage, 0);
    assert_eq!(play.influence(ONE), [0, 0]);
}

#[test]
fn an_attacker_whose_defenders_swift_kills_damages_nobody() {
    let set = cards("good Wall, 1, 1/2\ngood Plain, 1, 1/1\nevil Quick, 1, 3/3\n  swift\nevil Other, 1, 1/1");
    let mut play = Desk::of(set, 2)
        .play(ONE, "Quick / Plain")
        .play(TWO, "Wall / Other")
        .go();
    play.say(ONE, "attack")
        .pass_round()
        .say(ONE, "attack nexus with 1");
    play.say(TWO, "defend 1 with 2").pass_round();
    assert!(play.find("Wall").is_none());
    assert_eq!(play.influence(ONE), [0, 0], "it was opposed");
}

#[test]
fn swift_counts_as_it_is_at_the_start_of_resolution() {
    let set = cards(
        "good Wall, 1, 3/2\ngood Plain, 1, 1/1\nevil Slow, 1, 3/3\nevil Herald, 1, 1/1\n  \
         order: choose my warrior; grant it swift",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Slow / Plain")
        .hand(ONE, "Herald / Plain")
        .play(TWO, "Wall / Herald")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    play.say(TWO, "defend 1 with 2").say(ONE, "order 1 on 1");
    play.pass_round();
    assert!(play.find("Wall").is_none());
    assert!(
        play.find("Plain").is_some(),
        "Slow struck first, lived, and phased home"
    );
}

#[test]
fn allies_defend_the_nexus_although_their_player_was_not_picked() {
    let set =
        cards("good Friend, 1, 1/4\n  ally\ngood Plain, 1, 2/2\nevil Raider, 1, 2/2\nevil Other, 1, 1/1");
    for seed in 0..12 {
        let mut play = Desk::of(set, 3)
            .play(ONE, "Raider / Plain")
            .play(TWO, "Friend / Other, Plain / Other")
            .play(THREE, "Friend / Raider, Plain / Raider")
            .go();
        play.seed = parlor::game::Seed::from_text(&format!("ally {seed}"));
        play.say(ONE, "attack")
            .pass_round()
            .say(ONE, "attack nexus with 1");
        let picked = play.view().attack.unwrap().defender;
        assert_eq!(play.asked(), Some(picked), "the Nexus defender comes first");
        assert_eq!(play.legal(picked).len(), 3, "both warriors, or nobody");
        play.say(picked, "done");
        let other = if picked == TWO { THREE } else { TWO };
        assert_eq!(play.asked(), Some(other));
        let ally = if other == TWO { 2 } else { 4 };
        assert_eq!(
            play.legal(other),
            [format!("defend 1 with {ally}"), "done".to_owned()]
        );
        let plain = format!("defend 1 with {}", ally + 1);
        let refusal = play.refused(other, &plain);
        assert!(refusal.contains("Ally"), "{refusal}");
    }
}

#[test]
fn allies_stay_at_home_where_a_player_is_attacked() {
    let set =
        cards("good Friend, 1, 1/4\n  ally\ngood Plain, 1, 2/2\nevil Raider, 1, 2/2\nevil Other, 1, 1/1");
    let mut play = Desk::of(set, 3)
        .play(ONE, "Raider / Plain")
        .play(THREE, "Friend / Raider")
        .influence(TWO, 3, 3)
        .go();
    play.say(ONE, "attack")
        .pass_round()
        .say(ONE, "attack player 2 with 1");
    play.pass_round();
    assert_eq!(
        play.influence(TWO),
        [3, 1],
        "nobody could defend, and evil was lost"
    );
    assert_eq!(play.view().spent, [0, 2]);
}

#[test]
fn elite_is_triggered_once_by_each_order_that_chooses_the_warrior_whoever_gives_it() {
    let set = cards(
        "good Champion, 1, 1/5\n  elite: buff this +2/+0\ngood Plain, 1, 1/1\nevil Jab, 1, 1/1\n  \
         order: choose any warrior; damage it 1\nevil Storm, 1, 1/1\n  order: damage each any warrior 1",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Champion / Jab")
        .hand(ONE, "Jab / Plain, Storm / Plain, Storm / Champion")
        .barracks(TWO, "Plain / Jab")
        .go();
    play.say(ONE, "done").say(ONE, "order jab on champion");
    assert_eq!(play.stats("Champion"), (3, 5));
    play.say(ONE, "order 1");
    assert_eq!(play.stats("Champion"), (3, 5), "`each` chooses nobody");
    assert_eq!(play.warrior("Champion").damage, 2);
}

#[test]
fn a_skill_does_not_trigger_elite() {
    let set = cards(
        "good Champion, 1, 1/5\n  elite: buff this +2/+0\ngood Coach, 1, 1/1\n  \
         action: choose my other warrior; buff it +0/+1\nevil Other, 1, 1/1\nevil More, 1, 1/1",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Champion / Other, Coach / Other")
        .hand(ONE, "Champion / More")
        .go();
    play.say(ONE, "done").say(ONE, "skill coach on champion");
    assert_eq!(play.stats("Champion"), (1, 6));
}

#[test]
fn elite_counts_on_whichever_face_is_up_after_the_order() {
    let set = cards(
        "good Dull, 1, 1/5\ngood Plain, 1, 1/1\nevil Bright, 1, 2/2\n  elite: gain 1 evil\n\
         evil Turner, 1, 1/1\n  order: choose my warrior; phase it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Dull / Bright")
        .hand(ONE, "Turner / Plain")
        .go();
    play.say(ONE, "done").say(ONE, "order turner on dull");
    assert_eq!(play.influence(ONE), [0, 1]);
}

#[test]
fn phaseling_is_triggered_by_the_face_that_turns_away_in_play_only() {
    let set = cards(
        "good Shy, 0, 1/2\n  phaseling: gain 1 good\ngood Plain, 1, 1/1\nevil Wolf, 1, 2/2\n\
         evil Turner, 1, 1/1\n  order phase 1: choose my warrior; phase it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Shy / Wolf")
        .barracks(ONE, "Shy / Turner")
        .hand(ONE, "Turner / Plain")
        .go();
    play.say(ONE, "done").say(ONE, "order turner on shy");
    assert_eq!(
        play.influence(ONE),
        [1, 0],
        "the resource that paid is not in play"
    );
    assert_eq!(faces(&play.player(ONE).barracks), ["Turner"]);
}

#[test]
fn an_attacker_that_phases_home_triggers_its_phaseling() {
    let set = cards(
        "good Shy, 0, 1/2\n  phaseling: gain 1 good\ngood Plain, 1, 1/1\nevil Wolf, 1, 2/2\nevil Cub, 1, 1/1",
    );
    let mut play = Desk::of(set, 2).play(ONE, "Shy / Wolf").go();
    play.say(ONE, "attack")
        .pass_round()
        .say(ONE, "attack nexus with 1");
    assert_eq!(
        play.influence(ONE),
        [2, 0],
        "one for the attack, one for the phasing"
    );
    assert!(play.find("Wolf").is_some());
}

/// Nobody opposes it, and no skirmish is left when it turns: "each" reaches everywhere all the same.
#[test]
fn a_phaseling_that_hurts_finds_its_enemies_when_an_unopposed_attacker_goes_home() {
    let set = cards(
        "good Shy, 0, 1/2\n  phaseling: damage each enemy warrior 1\ngood Plain, 1, 1/1\nevil Wolf, 1, 2/2\nevil Cub, 1, 1/1",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Shy / Wolf, Plain / Cub")
        .play(TWO, "Wolf / Plain, Plain / Wolf")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    play.say(TWO, "done").pass_round();
    assert_eq!(play.influence(ONE), [1, 0], "it was not opposed");
    let army = play.player(TWO).warriors;
    let left: Vec<&str> = army.iter().map(|warrior| warrior.face.name.as_str()).collect();
    // Plain, 1/1, is destroyed by it. What Wolf took is gone with the turn.
    assert_eq!(left, ["Wolf"]);
    assert_eq!(play.player(ONE).warriors.len(), 2, "its own are spared");
}

#[test]
fn relentless_is_triggered_by_leaving_play_in_any_way() {
    let set = cards(
        "good Stubborn, 0, 1/1\n  relentless: gain 1 good\ngood Plain, 1, 1/1\nevil Killer, 1, 1/1\n  \
         order: choose any warrior; destroy it\nevil Fetcher, 1, 1/1\n  order: choose any warrior; move it to hand",
    );
    for order in ["killer", "fetcher"] {
        let mut play = Desk::of(set, 2)
            .play(TWO, "Stubborn / Killer")
            .hand(ONE, "Killer / Plain, Fetcher / Plain")
            .go();
        play.say(ONE, &format!("order {order} on 1"));
        assert_eq!(play.influence(TWO), [1, 0], "{order}");
        assert!(play.find("Stubborn").is_none());
    }
}

#[test]
fn trained_is_triggered_by_entering_play_in_any_way() {
    let set = cards(
        "good Eager, 0, 1/1\n  trained: gain 2 good\ngood Plain, 1, 1/1\nevil Raiser, 1, 1/1\n  \
         order: choose my discard; move it to play\nevil Other, 1, 1/1",
    );
    let mut play = Desk::of(set, 2)
        .barracks(ONE, "Eager / Other")
        .discard(ONE, "Eager / Raiser")
        .hand(ONE, "Raiser / Plain")
        .go();
    play.say(ONE, "train eager");
    assert_eq!(play.influence(ONE), [2, 0]);
    play.say(ONE, "order raiser on discard 1");
    assert_eq!(play.influence(ONE), [4, 0]);
    let numbers: Vec<u8> = play
        .player(ONE)
        .warriors
        .iter()
        .map(|warrior| warrior.number)
        .collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn an_action_skill_works_once_a_turn_even_if_the_card_flips_there_and_back() {
    let set = cards(
        "good Pumper, 0, 1/3\n  action: buff this +1/+0\ngood Plain, 1, 1/1\nevil Wolf, 1, 2/2\n\
         evil Turner, 1, 1/1\n  order: choose my warrior; phase it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Pumper / Wolf")
        .hand(ONE, "Turner / Plain, Turner / Pumper, Plain / Wolf")
        .go();
    play.say(ONE, "done").say(ONE, "skill 1");
    assert_eq!(play.stats("Pumper"), (2, 3));
    play.say(ONE, "order 1 on 1").say(ONE, "order 1 on 1");
    assert_eq!(play.stats("Pumper"), (2, 3), "bonuses stay through phasing");
    let refusal = play.refused(ONE, "skill 1");
    assert!(
        refusal.contains("isn't your turn") || refusal.contains("used that skill"),
        "{refusal}"
    );
}

#[test]
fn costs_lock_first_and_one_resource_pays_for_one_part() {
    let set = cards(
        "good Coach, 0, 1/3\n  action lock 1 phase 1: buff this +3/+0\ngood Plain, 1, 1/1\nevil Wolf, 1, 2/2\nevil Cub, 1, 1/1",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Coach / Wolf")
        .barracks(ONE, "Plain / Wolf, Plain / Cub, Coach / Cub")
        .go();
    play.say(ONE, "done").say(ONE, "skill 1 pay 2");
    let refusal = play.refused(ONE, "pay 2");
    assert!(refusal.contains("locked"), "{refusal}");
    play.say(ONE, "pay 1");
    let barracks = play.player(ONE).barracks;
    assert_eq!(faces(&barracks), ["Wolf", "Plain", "Coach"]);
    assert!(barracks[1].locked && !barracks[0].locked);
    assert_eq!(play.stats("Coach"), (4, 3));
}
