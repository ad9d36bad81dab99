//! What must hold after every step of every game.

use std::collections::BTreeSet;

use parlor::game::explore::random_seat;
use parlor::game::{Game, GameRng, OptionValues, Seed, Silent, Viewer};
use parlor::games::phase::Phase;
use parlor::games::phase::view::View;

use crate::support::case::for_all;

fn whole(view: &View, left: &str) {
    let seats = view.players.len() as u16;
    for alignment in 0..2 {
        let held: u16 = view
            .players
            .iter()
            .map(|player| player.influence[alignment])
            .sum();
        let all = held + view.nexus[alignment] + view.spent[alignment];
        assert_eq!(all, 10 * seats, "influence is conserved: {left}");
    }
    let mut missing = 0;
    for player in view.players.iter().filter(|player| !player.left) {
        let cards = usize::from(player.deck)
            + player.hand.len()
            + player.barracks.len()
            + player.warriors.len()
            + player.discard.len();
        missing += 25 - cards;
    }
    assert!(
        missing <= 1,
        "only an order that is being carried out is in no zone: {left}"
    );
    let numbers: Vec<u8> = view
        .players
        .iter()
        .flat_map(|player| &player.warriors)
        .map(|warrior| warrior.number)
        .collect();
    let unique: BTreeSet<u8> = numbers.iter().copied().collect();
    assert!(
        unique.len() == numbers.len() && !unique.contains(&0),
        "{numbers:?}"
    );
    for warrior in view.players.iter().flat_map(|player| &player.warriors) {
        assert!(warrior.damage >= 0);
    }
}

/// Plays a random game and looks at every position; now and then it is saved and loaded, which checks that every card
/// is in the one zone that it says. Returns the faces that gave orders, were trained, or used a skill.
fn play(seats: u8, seed: u64) -> BTreeSet<String> {
    let options = OptionValues::defaults(Phase::META.options);
    let mut game = Phase::new(
        &options,
        seats,
        &mut Seed::from_text(&format!("whole {seed}")).at(0),
    );
    let mut rng = GameRng::quick(seed);
    let mut buffer = Vec::new();
    let mut used = BTreeSet::new();
    let mut steps = 0;
    while let Some(seat) = random_seat(game.awaiting(), &mut rng) {
        let action = game
            .pick(seat, &mut rng, &mut buffer)
            .expect("whoever is awaited can act");
        let before = game.view(Viewer::Omniscient);
        let mut told = parlor::game::Told::new();
        game.play(seat, &action, &mut rng, &mut told);
        for event in &told.events {
            use parlor::games::phase::Event;
            match event {
                Event::Acts { face, .. } => used.insert(face.name.clone()),
                Event::Trained { warrior, .. } => used.insert(warrior.face.name.clone()),
                _ => false,
            };
        }
        whole(
            &game.view(Viewer::Omniscient),
            &format!("{action:?} after {:?}", before.ask),
        );
        steps += 1;
        if steps % 16 == 0 {
            let save = serde_json::to_string(&game).unwrap();
            let loaded: Phase = serde_json::from_str(&save).unwrap_or_else(|error| panic!("{error}: {save}"));
            assert_eq!(serde_json::to_string(&loaded).unwrap(), save);
        }
        // Somebody leaves now and then.
        if seats > 2 && rng.below(400) == 0 {
            game.withdraw(seat, &mut rng, &mut Silent);
            whole(&game.view(Viewer::Omniscient), "a leaving");
        }
    }
    assert!(game.outcome().is_some());
    used
}

#[test]
fn random_games_keep_all_cards_and_influence() {
    let cases: Vec<(u8, u64)> = (2..=5)
        .flat_map(|seats| (0..30).map(move |seed| (seats, seed)))
        .collect();
    let used: std::sync::Mutex<BTreeSet<String>> = std::sync::Mutex::default();
    for_all(&cases, |&(seats, seed)| {
        let names = play(seats, seed);
        used.lock().unwrap().extend(names);
        Ok(())
    });
    // Every face of the ready decks has given an order, been trained or been triggered.
    let set = parlor::games::phase::card::card_set();
    let used = used.into_inner().unwrap();
    for deck in set.decks() {
        for card in deck.deck.cards().iter().map(|&id| set.card(id)) {
            for face in [card.good, card.evil].map(|id| set.face(id)) {
                assert!(
                    used.contains(&face.name),
                    "{} of {} never did anything",
                    face.name,
                    deck.name
                );
            }
        }
    }
}

/// Every card of the set, in decks of 25 in a row, in games of its own.
#[test]
fn every_card_is_played() {
    use parlor::games::phase::deal::Brought;
    let set = parlor::games::phase::card::card_set();
    let chunks: Vec<Vec<_>> = set
        .cards()
        .chunks(25)
        .map(|chunk| chunk.iter().map(|card| card.id).collect())
        .collect();
    let used: std::sync::Mutex<BTreeSet<String>> = std::sync::Mutex::default();
    let cases: Vec<(usize, u64)> = (0..chunks.len())
        .flat_map(|first| (0..8).map(move |seed| (first, seed)))
        .collect();
    for_all(&cases, |&(first, seed)| {
        let decks = [first, (first + 5) % chunks.len()].map(|chunk| Brought {
            name: None,
            cards: chunks[chunk].clone(),
        });
        let mut rng = GameRng::quick(seed);
        let mut game = Phase::with(set, decks.to_vec(), false, &mut rng);
        let mut buffer = Vec::new();
        while let Some(seat) = random_seat(game.awaiting(), &mut rng) {
            let action = game.pick(seat, &mut rng, &mut buffer).ok_or("nothing to do")?;
            let mut told = parlor::game::Told::new();
            game.play(seat, &action, &mut rng, &mut told);
            for event in &told.events {
                if let parlor::games::phase::Event::Acts { face, .. } = event {
                    used.lock().unwrap().insert(face.name.clone());
                }
            }
            whole(&game.view(Viewer::Omniscient), "an own deck");
        }
        Ok(())
    });
    let used = used.into_inner().unwrap();
    let idle: Vec<&str> = set
        .faces()
        .iter()
        .map(|face| face.name.as_str())
        .filter(|name| !used.contains(*name))
        .collect();
    assert!(idle.is_empty(), "never gave an order or used a skill: {idle:?}");
}

#[test]
fn the_names_in_the_options_are_those_of_the_ready_decks() {
    let spec = Phase::META
        .options
        .iter()
        .find(|spec| spec.name == "deck1")
        .unwrap();
    let decks = parlor::games::phase::card::card_set().decks();
    let names: Vec<String> = decks.iter().map(|deck| deck.name.clone()).collect();
    assert_eq!(spec.examples(), names);
    for name in names {
        assert!(OptionValues::choose(Phase::META.options, [("deck2", name.as_str())]).is_ok());
    }
    assert!(OptionValues::choose(Phase::META.options, [("deck2", "no such deck")]).is_err());
}

/// A code in an option would show a deck's list to all.
#[test]
fn no_option_takes_the_list_of_an_own_deck() {
    use parlor::games::phase::card::DeckCode;
    let set = parlor::games::phase::card::card_set();
    let code = DeckCode(set.decks()[3].deck.clone()).to_string();
    assert!(OptionValues::choose(Phase::META.options, [("deck1", code.as_str())]).is_err());
}
