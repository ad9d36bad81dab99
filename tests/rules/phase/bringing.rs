//! Decks that players bring in secret.

use parlor::catalog;
use parlor::game::{Awaiting, Game, GameRng, OptionValues, Seat, Seed, Told, Viewer};
use parlor::games::phase::card::{CardId, Deck, DeckCode, Faction, card_set};
use parlor::games::phase::flow::TurnStage;
use parlor::games::phase::{Action, Event, Phase};

fn opened(settings: &[(&str, &str)], seats: u8) -> Phase {
    let settings = settings.iter().copied().chain([("own-decks", "on")]);
    let options = OptionValues::choose(Phase::META.options, settings).unwrap();
    Phase::new(&options, seats, &mut Seed::from_text("bringing").at(0))
}

/// The first cards of the Keepers, from a number on.
fn own_deck(from: u16) -> Deck {
    let cards = (from..from + 25).map(|number| CardId::new(Faction::Keeper, number).unwrap());
    Deck::new(cards).unwrap()
}

fn say(game: &mut Phase, seat: u8, text: &str, step: u64) -> Vec<Event> {
    let seat = Seat::new(seat);
    let (action, rest) = game.parse(seat, text).unwrap();
    assert_eq!(rest, "");
    assert!(game.is_legal(seat, &action), "{text}");
    let mut told = Told::new();
    game.play(
        seat,
        &action,
        &mut Seed::from_text("bringing").at(step),
        &mut told,
    );
    told.events
}

#[test]
fn nobody_is_asked_for_a_deck_unless_the_table_wants_it() {
    let options = OptionValues::defaults(Phase::META.options);
    let game = Phase::new(&options, 3, &mut Seed::from_text("plain").at(0));
    assert_eq!(game.view(Viewer::Public).stage, TurnStage::Setup);
}

#[test]
fn those_whose_deck_is_named_are_not_asked() {
    let game = opened(&[("deck2", "vigil")], 3);
    let Awaiting::Each(asked) = game.awaiting() else {
        panic!("{:?}", game.awaiting());
    };
    assert_eq!(asked.iter().map(Seat::number).collect::<Vec<_>>(), [1, 3]);
    assert!(game.legal_actions(Seat::new(1)).is_empty());
}

#[test]
fn an_own_deck_is_dealt_and_nobody_else_learns_its_list() {
    let deck = own_deck(1);
    let code = DeckCode(deck.clone()).to_string();
    let mut game = opened(&[], 2);
    let told = say(&mut game, 0, &format!("bring {}", code.to_lowercase()), 1);
    let seen = |viewer| {
        told.iter()
            .filter_map(|event| Phase::witness(event, viewer))
            .collect::<Vec<_>>()
    };
    let hidden = |events: &[Event]| !format!("{events:?}").contains(&code);
    assert!(hidden(&seen(Viewer::Public)) && hidden(&seen(Viewer::Seat(Seat::new(1)))));
    assert!(!hidden(&seen(Viewer::Seat(Seat::new(0)))));
    for viewer in [Viewer::Public, Viewer::Seat(Seat::new(1))] {
        let view = serde_json::to_string(&game.view(viewer)).unwrap();
        assert!(!view.contains(&code), "{view}");
    }
    let own = game.view(Viewer::Seat(Seat::new(0))).own.unwrap();
    assert_eq!(own.deck.as_deref(), Some(code.as_str()));
    say(&mut game, 1, "treasury", 2);
    let view = game.view(Viewer::Omniscient);
    assert_eq!(view.stage, TurnStage::Setup);
    // A ready deck that was chosen in secret stays secret, too.
    assert!(view.players.iter().all(|player| player.deck_name.is_none()));
    assert!(
        view.players
            .iter()
            .all(|player| player.hand.len() == 3 && player.deck == 22)
    );
    let names: Vec<String> = deck.cards().iter().map(|card| card_set().title(*card)).collect();
    for card in &view.players[0].hand {
        let behind = card.behind.unwrap();
        let faces = [card.face.name.as_str(), behind.name.as_str()];
        assert!(
            names
                .iter()
                .any(|title| faces.iter().all(|face| title.contains(face))),
            "{faces:?} is not of the deck"
        );
    }
}

/// Neither the order of the choices nor what the others have chosen shows in what a seat is shown.
#[test]
fn secret_choices_commute_and_look_alike() {
    let code = DeckCode(own_deck(40)).to_string();
    let (mut one, mut other) = (opened(&[], 2), opened(&[], 2));
    say(&mut one, 0, "bring wolfpack", 1);
    say(&mut other, 0, &format!("bring {code}"), 1);
    let rival = Viewer::Seat(Seat::new(1));
    assert_eq!(one.view(rival), other.view(rival));
    say(&mut one, 1, "bring arena", 2);
    let mut reversed = opened(&[], 2);
    say(&mut reversed, 1, "bring arena", 1);
    say(&mut reversed, 0, "bring wolfpack", 2);
    assert_eq!(one.view(Viewer::Omniscient), reversed.view(Viewer::Omniscient));
}

#[test]
fn a_seat_imagines_other_decks_and_keeps_its_own() {
    let mut game = opened(&[], 2);
    say(&mut game, 0, &format!("bring {}", DeckCode(own_deck(7))), 1);
    let seat = Seat::new(1);
    let worlds: Vec<Phase> = (0..40)
        .map(|n| game.determinize(seat, &mut GameRng::quick(n)))
        .collect();
    let secret = |world: &Phase| world.view(Viewer::Seat(Seat::new(0))).own.unwrap().deck;
    assert!(
        worlds
            .iter()
            .all(|world| world.view(Viewer::Seat(seat)) == game.view(Viewer::Seat(seat)))
    );
    assert!(
        worlds.iter().any(|world| secret(world) != secret(&worlds[0])),
        "always the same deck"
    );
    let own = game.determinize(Seat::new(0), &mut GameRng::quick(1));
    assert_eq!(secret(&own), secret(&game));
}

#[test]
fn what_is_no_deck_is_refused_in_words() {
    let game = opened(&[], 2);
    let seat = Seat::new(0);
    let refusal = |text: &str| game.parse(seat, text).unwrap_err().to_string();
    assert!(refusal("bring wolfpak").contains("Did you mean `wolfpack`?"));
    assert!(refusal("bring F0000-00000-00000-00001").contains("checksum"));
    assert!(refusal("bring").contains("Which deck do you bring?"));
    assert!(refusal("enlist 1").contains("bring"));
    let running = Phase::new(
        &OptionValues::defaults(Phase::META.options),
        2,
        &mut Seed::from_text("x").at(0),
    );
    assert!(running.parse(seat, "bring arena").is_err());
}

#[test]
fn whoever_is_silent_or_leaves_before_the_deal_holds_nobody_up() {
    let mut game = opened(&[], 3);
    let mut rng = GameRng::quick(3);
    game.lapse(Seat::new(0), &mut rng, &mut Told::new());
    assert_eq!(
        game.view(Viewer::Seat(Seat::new(0))).own.unwrap().deck.as_deref(),
        Some("lot")
    );
    game.withdraw(Seat::new(1), &mut rng, &mut Told::new());
    say(&mut game, 2, "bring lot", 4);
    let view = game.view(Viewer::Public);
    assert_eq!(view.stage, TurnStage::Setup);
    let hands: Vec<usize> = view.players.iter().map(|player| player.hand.len()).collect();
    assert_eq!(hands, [3, 0, 3]);
}

/// A match with secret decks is saved, taken up again and replayed like any other.
#[test]
fn a_table_with_secret_decks_is_saved_and_taken_up_again() {
    let mut game = opened(&[], 2);
    say(&mut game, 0, &format!("bring {}", DeckCode(own_deck(12))), 1);
    let saved = serde_json::to_string(&game).unwrap();
    let loaded: Phase = serde_json::from_str(&saved).unwrap();
    assert_eq!(serde_json::to_string(&loaded).unwrap(), saved);
    let broken = saved.replace("\"slots\":[", "\"slots\":[\"asked\",");
    assert!(serde_json::from_str::<Phase>(&broken).is_err());
    assert!(matches!(
        game.legal_actions(Seat::new(1))[..],
        [Action::Deck(_), ..]
    ));
    assert!(catalog::find("phase").is_ok());
}
