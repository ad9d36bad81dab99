//! The rulebook's sample turn, action by action.

use parlor::game::Seed;
use parlor::games::phase::Event;

use super::desk::{Desk, ONE, Play, THREE, TWO, faces, warriors};

/// Ashley is to attack; Adam sits to her left, Melissa to his.
fn table() -> Play {
    Desk::printed(3)
        .play(
            ONE,
            "Chained Horror / Trivet, The Flying Death / Squeezle, Gladiator / Radiant Duelist, Scout / Blood Priest",
        )
        .barracks(ONE, "Ted / Chained Horror, Squeezle / Necromancer, Fire Spirit / Scout, Necromancer / No-Ne Chim 3")
        .hand(
            ONE,
            "Fire Spirit / Golden Magistrate, The Undying / Dawn Squire, Trivet / Masked Assassin, \
             Anonymous / Drum Major, The Flying Death / Sun Page",
        )
        .deck(ONE, "Sun Page / The Flying Death, Brass Bull / Scout")
        .influence(ONE, 8, 11)
        .play(TWO, "Berserker / Nighthawk, Sister Alexis / Spark Imp, Pennaggolan / Path Runner")
        .barracks(TWO, "Vixen Scout, Grave Robber")
        .hand(TWO, "The Cognet / Path Runner")
        .deck(TWO, "Path Runner, Path Runner / The Cognet")
        .hand(THREE, "Caelistra / Crypt Moth")
        .deck(THREE, "Caelistra / Whisper, Caelistra / Gargoyle")
        .nexus(8, 12)
        .go()
}

/// Chance picks Adam to defend the Nexus.
fn attacked_with_adam_defending() -> Play {
    for seed in 0..20 {
        let mut play = table();
        play.seed = Seed::from_text(&format!("sample {seed}"));
        // Adam wants to be asked before attacks, Melissa in all skirmishes.
        play.say(TWO, "stop maneuver");
        play.say(THREE, "stop skirmish-other");
        play.say(ONE, "maneuver");
        if play.view().attack.unwrap().defender == TWO {
            return play;
        }
    }
    panic!("Adam is never picked");
}

#[test]
fn the_sample_turn_goes_as_the_rulebook_tells() {
    let mut play = attacked_with_adam_defending();

    // "Ashley doesn't see a need to play any actions, so she passes. Adam plays his The Cognet."
    play.say(ONE, "pass");
    assert_eq!(play.asked(), Some(TWO));
    play.say(TWO, "order the cognet on berserker pay 1");
    assert_eq!(play.influence(TWO), [1, 0], "Phaseling");
    assert_eq!(play.view().nexus, [7, 12]);
    assert!(play.find("Nighthawk").is_some());

    // "No one has any more actions": Adam's hand is empty, Melissa did not want to be asked.
    assert_eq!(play.asked(), Some(ONE));
    play.say(ONE, "pass");
    play.say(ONE, "attack nexus with 1 2 3 4");
    assert_eq!(play.asked(), Some(TWO));
    play.say(TWO, "defend the flying death with nighthawk");
    play.say(TWO, "defend gladiator with sister alexis");
    let refusal = play.refused(TWO, "defend gladiator with pennaggolan");
    assert!(refusal.contains("both evil"), "{refusal}");
    play.say(TWO, "defend scout with pennaggolan");

    // The Scout skirmish.
    assert_eq!(play.asked(), Some(ONE));
    play.say(ONE, "skirmish scout");
    play.say(ONE, "order fire spirit on scout");
    assert_eq!(play.stats("Scout").0, 3);
    assert_eq!(play.asked(), Some(THREE), "Adam has no hand and no skill here");
    play.say(THREE, "pass");
    play.say(ONE, "pass");
    assert!(play.find("Scout").is_none() && play.find("Pennaggolan").is_none());
    let ashley = play.player(ONE);
    assert_eq!(faces(&ashley.barracks).len(), 5, "Relentless enlists");
    assert!(ashley.barracks[4].locked);
    assert_eq!(ashley.barracks[4].face.name, "Brass Bull");

    // The Gladiator skirmish.
    play.say(ONE, "skirmish gladiator");
    play.say(ONE, "order the undying on sister alexis");
    assert_eq!(play.warrior("Sister Alexis").damage, 1);
    play.say(THREE, "pass");
    play.say(ONE, "order trivet on sister alexis");
    assert!(
        play.find("Sister Alexis").is_none(),
        "destroyed before she strikes"
    );
    play.say(THREE, "pass");
    play.say(ONE, "skill gladiator pay 1 2 3");
    assert_eq!(play.stats("Gladiator").0, 4);
    play.say(THREE, "pass");
    play.say(ONE, "pass");
    assert_eq!(play.influence(ONE), [8, 15]);
    assert_eq!(play.view().nexus, [7, 8]);
    assert!(play.find("Radiant Duelist").is_some(), "Gladiator phased home");

    // The Flying Death's skirmish.
    play.say(ONE, "skirmish 2");
    play.say(ONE, "skill 2 pay 4");
    play.say(THREE, "pass");
    play.say(ONE, "order anonymous on 2");
    assert_eq!(play.stats("The Flying Death"), (6, 6));
    play.say(THREE, "order caelistra on 2");
    assert_eq!(play.stats("Squeezle"), (4, 3));
    play.say(ONE, "pass");
    assert!(play.find("Squeezle").is_none(), "destroyed by Nighthawk");
    assert_eq!(play.warrior("Nighthawk").damage, 4);

    // Chained Horror's, the last one, needs no picking.
    play.say(ONE, "order the flying death on chained horror");
    // Nobody has a card left to answer with, Ashley neither: the skirmish runs through.
    let buffs: Vec<i16> = play
        .told
        .iter()
        .filter_map(|event| match event {
            Event::Buffed { attack, .. } => Some(*attack),
            _ => None,
        })
        .collect();
    assert_eq!(buffs, [2, 2], "not opposed, and Elite");
    assert_eq!(play.influence(ONE), [8, 22]);
    assert_eq!(play.view().nexus, [7, 1]);
    assert!(play.find("Chained Horror").is_none() && play.find("Trivet").is_some());

    // Training.
    let barracks = play.player(ONE).barracks;
    assert_eq!(
        faces(&barracks),
        [
            "Chained Horror",
            "Necromancer",
            "Scout",
            "No-Ne Chim 3",
            "Brass Bull"
        ]
    );
    play.say(ONE, "train no-ne chim 3 pay 1 2 3");
    assert_eq!(play.view().nexus, [5, 1], "Trained gains 2 good");
    assert_eq!(play.influence(ONE), [10, 22]);
    assert_eq!(
        faces(&play.player(ONE).barracks),
        ["Ted", "Squeezle", "Fire Spirit", "Brass Bull"]
    );
    play.say(ONE, "train ted pay 2 3");
    assert_eq!(
        faces(&play.player(ONE).barracks),
        ["Necromancer", "Scout", "Brass Bull"]
    );
    play.say(ONE, "train necromancer pay 2");
    assert_eq!(faces(&play.player(ONE).barracks), ["Fire Spirit", "Brass Bull"]);
    play.say(ONE, "train fire spirit");
    let ashley = play.player(ONE);
    assert_eq!(faces(&ashley.barracks), ["Brass Bull"]);
    assert!(ashley.barracks[0].locked, "it stayed out of all payments");
    assert_eq!(
        warriors(&ashley),
        [
            "Trivet",
            "Radiant Duelist",
            "No-Ne Chim 3",
            "Ted",
            "Necromancer",
            "Fire Spirit"
        ]
    );

    // "Nobody else wants to take an action so Ashley's turn ends." Nor could anybody, so nobody is asked.
    let view = play.view();
    assert_eq!(view.active, Some(TWO));
    assert_eq!(view.nexus, [5, 1]);
    assert_eq!(view.players[0].influence, [10, 22]);
    assert!(play.warrior("Nighthawk").damage == 0, "damage ends with the turn");
}
