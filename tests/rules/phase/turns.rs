//! Setup, turn, attack, damage, end and leaving, as the rules file fixes them.

use parlor::draw::Show;
use parlor::game::{Awaiting, Game, GameRng, OptionValues, Seat, Seed, Silent, Viewer};
use parlor::games::phase::action::Target;
use parlor::games::phase::card::CardSet;
use parlor::games::phase::deal::Brought;
use parlor::games::phase::flow::TurnStage;
use parlor::games::phase::{Event, Phase};

use super::desk::{Desk, ONE, Play, THREE, TWO, cards, faces, warriors};

fn plain() -> &'static CardSet {
    cards("good Plain, 1, 2/3\ngood Tall, 3, 1/5\ngood Free, 0, 1/1\nevil Wolf, 2, 3/2\nevil Bear, 3, 4/4")
}

fn fresh(seats: u8, head_start: bool, seed: &str) -> Play {
    let wish = if head_start { "on" } else { "off" };
    let options = OptionValues::choose(Phase::META.options, [("head-start", wish)]).unwrap();
    let seed = Seed::from_text(seed);
    Play {
        game: Phase::new(&options, seats, &mut seed.at(0)),
        seed,
        step: 1,
        told: Vec::new(),
    }
}

#[test]
fn the_opening_has_the_numbers_of_the_rules() {
    for seats in 2..=5 {
        let play = fresh(seats, false, "opening");
        let view = play.view();
        assert_eq!(view.nexus, [10 * u16::from(seats); 2]);
        assert!(matches!(play.game.awaiting(), Awaiting::Each(all) if all.len() == usize::from(seats)));
        for player in &view.players {
            assert_eq!(
                (player.hand.len(), player.deck, player.barracks.len()),
                (3, 22, 0)
            );
        }
        let names: std::collections::BTreeSet<_> =
            view.players.iter().map(|player| &player.deck_name).collect();
        assert_eq!(names.len(), usize::from(seats), "decks by lot are all different");
    }
}

#[test]
fn first_resources_are_hidden_until_all_have_chosen_and_the_lowest_cost_starts() {
    let mut cuts = 0;
    for seed in 0..40 {
        let mut play = fresh(3, false, &format!("start {seed}"));
        let before = play.game.view(Viewer::Seat(TWO));
        play.say(ONE, "enlist 2");
        let mut other = fresh(3, false, &format!("start {seed}"));
        other.say(ONE, "enlist 3");
        assert_eq!(
            play.game.view(Viewer::Seat(TWO)),
            other.game.view(Viewer::Seat(TWO))
        );
        assert_eq!(before.players[0].barracks.len(), 0);
        play.say(THREE, "1");
        play.say(TWO, "enlist 1");
        let cut = play.told.iter().any(|event| matches!(event, Event::Cut { .. }));
        cuts += usize::from(cut);
        let view = play.view();
        let first = view.first;
        let start = play.told.iter().find_map(|event| match event {
            Event::Starts { seat } => Some(*seat),
            _ => None,
        });
        assert_eq!(start, Some(first));
        // The tops before the first player drew are told by what was drawn: they are in the events of the others.
        for player in view.players.iter().filter(|player| player.seat != first) {
            assert_eq!((player.hand.len(), player.barracks.len()), (2, 1));
        }
        let starter = &view.players[first.index()];
        assert_eq!((starter.hand.len(), starter.barracks.len()), (3, 2));
    }
    assert!(cuts > 0, "no tie in forty games");
}

#[test]
fn the_lowest_training_cost_on_top_goes_first() {
    let set = cards("good Cheap, 0, 1/1\nevil Cheaper, 0, 1/1\ngood Dear, 5, 1/1\nevil Dearer, 5, 1/1");
    let deck = |pair: usize| Brought {
        name: None,
        cards: vec![set.cards()[pair].id; 25],
    };
    // The pairs are Cheap/Cheaper, Cheap/Dearer, Dear/Cheaper, Dear/Dearer.
    for seed in 0..5 {
        let decks = vec![deck(3), deck(0), deck(3)];
        let mut rng = GameRng::quick(seed);
        let mut game = Phase::with(set, decks, false, &mut rng);
        for seat in Seat::all(3) {
            let legal = game.legal_actions(seat);
            game.play(seat, &legal[0], &mut rng, &mut Silent);
        }
        assert_eq!(game.view(Viewer::Public).active, Some(TWO));
    }
}

#[test]
fn a_head_start_is_one_card_more_for_all_but_the_first() {
    let mut play = fresh(4, true, "head");
    for seat in Seat::all(4) {
        play.say(seat, "enlist 1");
    }
    let view = play.view();
    for player in view.players.iter().filter(|player| player.seat != view.first) {
        assert_eq!(player.hand.len(), 3);
    }
}

#[test]
fn a_turn_unlocks_draws_and_enlists() {
    let mut play = Desk::of(plain(), 2)
        .play(TWO, "Wolf / Plain!")
        .barracks(TWO, "Tall / Wolf!")
        .deck(TWO, "Plain / Bear, Wolf / Tall, Bear / Plain")
        .go();
    // The first player has neither warriors, cards nor resources: everything happens by itself.
    let view = play.view();
    assert_eq!(view.active, Some(TWO));
    let two = play.player(TWO);
    assert!(!two.warriors[0].locked && !two.barracks[0].locked);
    assert_eq!(faces(&two.hand), ["Bear"], "the upper face turns outward");
    assert_eq!(two.hand[0].behind.unwrap().name, "Plain");
    assert_eq!(faces(&two.barracks), ["Tall", "Wolf"]);
    assert_eq!(two.top.unwrap().face.name, "Plain");
    play.say(TWO, "done");
}

#[test]
fn training_phases_as_many_others_as_the_cost_says_and_never_itself() {
    let mut play = Desk::of(plain(), 2)
        .barracks(
            ONE,
            "Tall / Wolf, Plain / Bear, Plain / Wolf, Wolf / Free, Free / Bear!",
        )
        .go();
    assert_eq!(
        play.legal(ONE),
        ["train 1", "train 2", "train 3", "train 4", "done"]
    );
    assert!(play.refused(ONE, "train 5").contains("locked"));
    play.say(ONE, "train 2 pay 4");
    assert_eq!(
        faces(&play.player(ONE).barracks),
        ["Tall", "Plain", "Free", "Free"]
    );
    assert_eq!(warriors(&play.player(ONE)), ["Plain"]);
    assert!(play.refused(ONE, "train tall").contains("costs 3"));
    play.say(ONE, "train 3");
    assert_eq!(warriors(&play.player(ONE)), ["Plain", "Free"]);
}

#[test]
fn a_whole_training_is_one_sentence_or_nothing() {
    let desk = || {
        Desk::of(plain(), 2)
            .barracks(ONE, "Plain / Bear, Plain / Wolf, Wolf / Free")
            .go()
    };
    let mut play = desk();
    play.say(ONE, "train 1 pay 3; train free");
    let mut play2 = desk();
    assert!(play2.try_say(ONE, "train 1 pay 3; train bear").is_err());
    assert_eq!(
        faces(&play2.player(ONE).barracks),
        ["Plain", "Plain", "Wolf"],
        "nothing was played"
    );
}

#[test]
fn the_attackers_damage_is_divided_by_its_player() {
    let mut play = Desk::of(plain(), 2)
        .play(ONE, "Bear / Plain")
        .play(TWO, "Plain / Wolf, Tall / Wolf, Free / Wolf")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    play.say(TWO, "defend 1 with 2; defend 1 with 3; defend 1 with 4");
    assert_eq!(
        play.legal(ONE),
        ["give 2 0", "give 2 1", "give 2 2", "give 2 3", "give 2 4"]
    );
    play.say(ONE, "give 2 3; give 3 0");
    assert_eq!(
        warriors(&play.player(TWO)),
        ["Tall"],
        "three to Plain, the last one to Free"
    );
    assert_eq!(play.warrior("Tall").damage, 0);
    assert!(play.find("Bear").is_none(), "2 + 1 + 1 damage");
}

#[test]
fn a_defender_is_never_of_the_attackers_alignment_and_defends_once() {
    let mut play = Desk::of(plain(), 2)
        .play(ONE, "Wolf / Plain, Tall / Wolf")
        .play(TWO, "Plain / Wolf, Bear / Plain")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1 2");
    assert_eq!(play.legal(TWO), ["defend 1 with 3", "defend 2 with 4", "done"]);
    play.say(TWO, "defend 1 with 3");
    assert_eq!(play.legal(TWO), ["defend 2 with 4", "done"]);
    play.say(ONE, "stop order").say(TWO, "done");
    assert_eq!(play.legal(ONE), ["skirmish 1", "skirmish 2"]);
}

#[test]
fn an_attack_of_zero_takes_nothing_and_the_pool_is_the_limit() {
    let set = cards("good Meek, 1, 0/2\ngood Plain, 1, 2/2\nevil Wolf, 1, 3/2\nevil Bear, 1, 4/4");
    let mut play = Desk::of(set, 2)
        .play(ONE, "Meek / Wolf, Bear / Plain")
        .nexus(5, 3)
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1 2");
    assert_eq!(play.influence(ONE), [0, 3]);
    assert_eq!(warriors(&play.player(ONE)), ["Wolf", "Plain"], "both phased home");
}

#[test]
fn a_locked_attacker_fights_and_does_not_phase_home() {
    let set = cards(
        "good Plain, 1, 2/2\ngood Tall, 1, 1/5\nevil Wolf, 1, 3/2\nevil Jailer, 1, 1/1\n  order: choose enemy warrior; lock it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Wolf / Plain")
        .hand(TWO, "Jailer / Plain")
        .go();
    play.say(TWO, "stop skirmish-other");
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    assert_eq!(play.asked(), Some(TWO), "the Nexus defender wants to be asked");
    play.say(TWO, "order 1 on 1");
    assert_eq!(play.influence(ONE), [0, 3]);
    assert!(play.warrior("Wolf").locked);
}

#[test]
fn an_attacker_gone_ends_the_skirmish_and_defenders_stay() {
    let set = cards(
        "good Plain, 1, 2/2\ngood Tall, 1, 1/5\nevil Wolf, 1, 3/2\nevil Killer, 1, 1/1\n  order: choose enemy warrior; destroy it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Wolf / Plain, Wolf / Tall")
        .play(TWO, "Plain / Killer")
        .hand(TWO, "Killer / Plain")
        .go();
    play.say(ONE, "attack")
        .say(ONE, "attack nexus with 1")
        .say(TWO, "defend 1 with 3; done");
    play.say(TWO, "order 1 on 1");
    assert_eq!(play.view().attack, None);
    assert_eq!(play.warrior("Plain").damage, 0);
    assert_eq!(play.influence(ONE), [0, 0]);
}

#[test]
fn an_attack_falters_without_an_unlocked_warrior() {
    let set = cards(
        "good Plain, 1, 2/2\ngood Tall, 1, 1/5\nevil Wolf, 1, 3/2\nevil Jailer, 1, 1/1\n  order: choose enemy warrior; lock it",
    );
    let mut play = Desk::of(set, 2)
        .play(ONE, "Wolf / Plain")
        .barracks(ONE, "Plain / Wolf")
        .hand(TWO, "Jailer / Plain")
        .go();
    play.say(TWO, "stop maneuver").say(ONE, "attack");
    assert_eq!(play.asked(), Some(TWO));
    play.say(TWO, "order 1 on 1");
    assert!(
        play.told
            .iter()
            .any(|event| matches!(event, Event::Faltered { .. }))
    );
    assert_eq!(play.view().active, Some(TWO), "nothing to train either");
}

#[test]
fn the_round_is_played_to_its_end_once_a_pool_is_empty() {
    let mut play = Desk::of(plain(), 3)
        .play(ONE, "Bear / Plain")
        .barracks(TWO, "Free / Wolf")
        .barracks(THREE, "Free / Wolf")
        .nexus(20, 4)
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    assert!(play.view().last_round);
    assert_eq!(play.asked(), Some(TWO));
    play.say(TWO, "done");
    assert_eq!(play.asked(), Some(THREE));
    play.say(THREE, "done");
    let outcome = play.outcome().unwrap();
    assert_eq!(outcome.ranks, [1, 2, 2]);
}

#[test]
fn ties_go_by_the_sum_then_by_attack_and_are_shared_at_last() {
    let end = |influence: [(u16, u16); 3], play: [&str; 3]| {
        let mut desk = Desk::of(plain(), 3).nexus(0, 5);
        for (seat, (good, evil)) in Seat::all(3).zip(influence) {
            desk = desk.influence(seat, good, evil).play(seat, play[seat.index()]);
        }
        let mut table = desk.go();
        while let Some(seat) = table.asked() {
            table.say(seat, "done");
        }
        table.outcome().unwrap().ranks
    };
    assert_eq!(end([(5, 0), (5, 1), (4, 4)], ["", "", ""]), [2, 1, 3]);
    assert_eq!(
        end([(5, 1), (5, 1), (1, 5)], ["Plain", "Wolf", "Tall"]),
        [2, 1, 3]
    );
    assert_eq!(
        end([(5, 1), (5, 1), (1, 5)], ["Plain", "Plain", "Tall"]),
        [1, 1, 3]
    );
}

#[test]
fn after_25_rounds_the_game_is_scored_as_it_stands() {
    let mut desk = Desk::of(plain(), 2).influence(TWO, 1, 0);
    desk.position.round = 25;
    let play = desk.go();
    let outcome = play
        .outcome()
        .expect("nobody has anything to decide in the last round");
    assert_eq!(outcome.ranks, [2, 1]);
    assert!(outcome.reason.contains("25 rounds"));
}

fn leave(play: &mut Play, seat: Seat) {
    let mut told = parlor::game::Told::new();
    play.game.withdraw(seat, &mut play.seed.at(play.step), &mut told);
    play.step += 1;
    play.told = told.events;
}

#[test]
fn the_attacked_player_leaves_and_the_attackers_go_home() {
    let mut play = Desk::of(plain(), 3)
        .play(ONE, "Wolf / Plain, Bear / Tall")
        .barracks(ONE, "Free / Wolf")
        .play(TWO, "Plain / Wolf")
        .influence(TWO, 5, 5)
        .go();
    play.say(ONE, "attack").say(ONE, "attack player 2 with 1 2");
    assert_eq!(play.asked(), Some(TWO));
    leave(&mut play, TWO);
    assert_eq!(warriors(&play.player(ONE)), ["Plain", "Tall"]);
    assert_eq!(play.view().spent, [5, 5]);
    assert_eq!(play.asked(), Some(ONE));
    assert_eq!(play.view().stage, TurnStage::Training);
}

#[test]
fn the_nexus_defender_leaves_and_another_is_drawn_or_nobody_defends() {
    for seed in ["a", "b", "c"] {
        let mut play = Desk::of(plain(), 3)
            .play(ONE, "Wolf / Plain")
            .hand(ONE, "Free / Wolf")
            .play(TWO, "Plain / Wolf")
            .play(THREE, "Plain / Bear")
            .go();
        play.seed = Seed::from_text(seed);
        play.say(ONE, "attack").say(ONE, "attack nexus with 1");
        let picked = play.asked().unwrap();
        let mut early = play.clone();
        leave(&mut early, picked);
        let other = early.asked().unwrap();
        assert!(other != ONE && other != picked);
        let attack = early.view().attack.unwrap();
        assert_eq!((attack.defender, attack.target), (other, Some(Target::Nexus)));
        // Once they have declared, their attackers are unopposed.
        let number = if picked == TWO { 2 } else { 3 };
        play.say(picked, &format!("defend 1 with {number}"));
        assert_eq!(play.asked(), Some(ONE));
        leave(&mut play, picked);
        play.say(ONE, "pass");
        assert_eq!(play.influence(ONE), [0, 3]);
    }
}

#[test]
fn the_active_player_leaves_and_the_turn_ends() {
    let mut play = Desk::of(plain(), 3)
        .play(ONE, "Wolf / Plain")
        .play(TWO, "Plain / Wolf")
        .play(THREE, "Plain / Bear")
        .go();
    play.say(ONE, "attack").say(ONE, "attack nexus with 1");
    leave(&mut play, ONE);
    let view = play.view();
    assert_eq!((view.active, view.attack), (Some(TWO), None));
    leave(&mut play, TWO);
    assert_eq!(play.outcome().unwrap().ranks[2], 1, "one player left wins");
}

#[test]
fn the_third_lapse_of_a_clock_in_a_row_is_leaving() {
    let desk = || {
        Desk::of(plain(), 3)
            .play(ONE, "Wolf / Plain")
            .play(TWO, "Plain / Wolf")
            .barracks(TWO, "Free / Wolf")
            .play(THREE, "Plain / Bear")
            .go()
    };
    let lapse = |play: &mut Play, seat: Seat| {
        play.game.lapse(seat, &mut play.seed.at(play.step), &mut Silent);
        play.step += 1;
    };
    let mut play = desk();
    lapse(&mut play, ONE);
    assert_eq!(
        play.asked(),
        Some(TWO),
        "no attack, no training: the turn is over"
    );
    let next_turn = |play: &mut Play| {
        while play.asked() != Some(TWO) {
            let seat = play.asked().unwrap();
            play.say(seat, "done");
        }
    };
    lapse(&mut play, TWO);
    assert_eq!(play.view().active, Some(THREE));
    next_turn(&mut play);
    lapse(&mut play, TWO);
    next_turn(&mut play);
    let mut lively = play.clone();
    lapse(&mut play, TWO);
    assert!(play.player(TWO).left, "the third in a row");
    lively.say(TWO, "done");
    lapse(&mut lively, TWO);
    assert!(
        !lively.player(TWO).left,
        "an action in between starts the count anew"
    );
}

/// Two orders that fetch each other would go on for ever. The rules that players read say how long they do.
#[test]
fn nobody_takes_more_actions_in_a_turn_than_the_rules_say() {
    let set = cards("good Plain, 1, 1/1\nevil Loop, 0, 1/1\n  order: choose my discard; move it to hand");
    let mut play = Desk::of(set, 2)
        .hand(ONE, "Loop / Plain")
        .discard(ONE, "Loop / Plain")
        .deck(ONE, "Plain / Loop, Plain / Loop, Plain / Loop")
        .deck(TWO, "Plain / Loop, Plain / Loop, Plain / Loop")
        .go();
    let order = |play: &Play| {
        play.legal(ONE)
            .into_iter()
            .find(|action| action.starts_with("order"))
    };
    let mut taken = 0;
    while let Some(order) = order(&play) {
        play.say(ONE, &format!("{order} on discard 1"));
        taken += 1;
        assert!(taken <= 60, "there is no end to it");
    }
    assert_eq!(taken, 60);
    assert!(Phase::RULES.contains("Nobody takes more than 60 actions in one turn."));
}
