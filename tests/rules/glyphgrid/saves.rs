//! Saved positions: kept exactly, and refused where they make no sense.

use parlor::game::explore::playout;
use parlor::game::{Awaiting, Game, GameRng, OptionValues, Silent};
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::glyphgrid::piece::Side;
use parlor::games::glyphgrid::setup::{Opening, Setup, SetupError};
use parlor::matches::record::Record;

use super::drawn::{play, setup, square};

fn opening() -> GlyphGrid {
    let options =
        OptionValues::choose(GlyphGrid::META.options, [("swap", "on"), ("opening", "classic")]).unwrap();
    GlyphGrid::new(&options, 2, &mut GameRng::quick(0))
}

#[test]
fn saving_loading_and_saving_again_gives_the_same_bytes_and_the_same_game() {
    for seed in 0..20 {
        let mut rng = GameRng::quick(seed);
        let mut game = opening();
        let mut buffer = Vec::new();
        while let Awaiting::Turn(seat) = game.awaiting() {
            let saved = serde_json::to_string(&game).unwrap();
            let mut loaded: GlyphGrid = serde_json::from_str(&saved).unwrap();
            assert_eq!(serde_json::to_string(&loaded).unwrap(), saved);
            let action = game.pick(seat, &mut rng.clone(), &mut buffer).unwrap();
            assert_eq!(loaded.pick(seat, &mut rng, &mut buffer), Some(action));
            game.play(seat, &action, &mut rng, &mut Silent);
            loaded.play(seat, &action, &mut rng, &mut Silent);
            assert_eq!(
                serde_json::to_string(&loaded).unwrap(),
                serde_json::to_string(&game).unwrap()
            );
        }
        let saved = serde_json::to_string(&game).unwrap();
        let loaded: GlyphGrid = serde_json::from_str(&saved).unwrap();
        assert_eq!(loaded.outcome(), game.outcome());
    }
}

/// A promise to matches that are stored: this text loads for ever, and is written as it was.
#[test]
fn the_saved_form_stays_as_it_is() {
    let mut game = opening();
    play(
        &mut game,
        &["lance c2-c4", "swap", "anchor a6", "vector d1-d2", "lance d7-d5"],
    );
    let saved = serde_json::to_string_pretty(&game).unwrap() + "\n";
    assert_eq!(saved, include_str!("../../data/glyphgrid.save.json"));
}

#[test]
fn nonsense_is_refused_with_its_reason() {
    let good = Setup::opening(Opening::Classic, false);
    let refused = |change: &dyn Fn(&mut Setup)| {
        let mut setup = good.clone();
        change(&mut setup);
        GlyphGrid::try_from(setup).expect_err("nonsense")
    };
    let d4 = square("d4");
    assert_eq!(
        refused(&|s| s.moon.shards[0] = square("a2")),
        SetupError::Crowded(square("a2"))
    );
    assert_eq!(
        refused(&|s| s.sun.shards.push(square("a2"))),
        SetupError::Crowded(square("a2"))
    );
    assert_eq!(
        refused(&|s| s.moon.marks.push(square("d1"))),
        SetupError::MarkedTwice(square("d1"))
    );
    assert_eq!(refused(&|s| s.moon.core = None), SetupError::NoCore(Side::Moon));
    assert_eq!(refused(&|s| s.pending = Some(d4)), SetupError::Pending(d4));
    assert_eq!(refused(&|s| s.moves = 200), SetupError::Bookkeeping);
    assert_eq!(refused(&|s| s.seen = vec![1]), SetupError::Bookkeeping);
    assert_eq!(refused(&|s| s.seen = vec![1; 300]), SetupError::Bookkeeping);
    assert_eq!(refused(&|s| s.swapped = true), SetupError::Bookkeeping);
    let ranks = |s: &mut Setup| {
        s.sun
            .shards
            .extend("abcd".chars().map(|file| square(&format!("{file}4"))));
    };
    assert_eq!(refused(&ranks), SetupError::TooMany(Side::Sun));
    let text = serde_json::to_string(&good).unwrap();
    assert!(serde_json::from_str::<GlyphGrid>(&text).is_ok());
    assert!(serde_json::from_str::<GlyphGrid>(&text.replace("d1", "d8")).is_err());
    assert!(serde_json::from_str::<GlyphGrid>(&text.replace("\"moves\"", "\"extra\":1,\"moves\"")).is_err());
}

#[test]
fn any_drawn_position_plays_to_its_end_within_the_bound() {
    let drawing = "._ ._ ._ c_ ._ ._ ._
                   ._ ._ s_ s_ s_ ._ ._
                   ._ ._ ._ ._ ._ ._ ._
                   ._ ._ ._ ._ ._ ._ ._
                   ._ ._ ._ ._ ._ ._ ._
                   ._ ._ S_ S_ S_ S_ S_
                   ._ S_ S_ C_ ._ ._ ._";
    for seed in 0..50 {
        let mut game = GlyphGrid::try_from(setup(drawing, Side::Moon)).unwrap();
        assert!(playout(&mut game, &mut GameRng::quick(seed)) <= GlyphGrid::META.bound);
        assert_eq!(game.awaiting(), Awaiting::Over);
    }
}

/// Records of the first version name no opening: there was one.
#[test]
fn a_match_of_the_first_rules_is_replayed_from_its_own_opening() {
    let record = |version: u16, options: &str| {
        let json = format!(
            r#"{{"format":1,"game":"glyphgrid","rules_version":{version},"options":{options},"seats":2,"players":[],
                "seed":"{}","actions":[{{"seat":1,"action":"vector a2-a3"}}],"outcome":null}}"#,
            "0".repeat(64)
        );
        Record::from_json(&json).unwrap().replay(None)
    };
    let classic = record(1, r#"{"swap":"off"}"#).unwrap();
    let named = record(2, r#"{"swap":"off","opening":"classic"}"#).unwrap();
    assert_eq!(classic.save().unwrap(), named.save().unwrap());
    // From today's opening there is nothing on a2.
    assert!(record(2, r#"{"swap":"off","opening":"usual"}"#).is_err());
    assert!(record(3, r#"{"swap":"off","opening":"classic"}"#).is_err());
}
