//! The laws of `parlor::game`, for every game of the catalog, every seat count and every option.
//!
//! Everything goes through `dyn Table`: a game that is added to the catalog is tested by that alone. That
//! the laws can fail is shown in `tests/rules/lawbreakers.rs`, on games that break them on purpose.
//!
//! The laws of one game alone: `PARLOR_GAME=phwar cargo test --test rules laws::`. With other games than usual:
//! `PARLOR_SEED=100` before it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::support::call::called;
use crate::support::case::{Case, cases, for_all, games, wanted};
use crate::support::guided::guided;
use crate::support::law::{Kept, Law, Spot};
use crate::support::leaving::leaving;
use crate::support::noise::noisy;
use crate::support::orderly::orderly;
use crate::support::secrecy::{Tally, secrecy};
use crate::support::story::{Company, Story};
use crate::support::tampered::tampered;
use crate::support::touched::{kind_of_word, spots, touched};
use crate::support::toy::Toy;
use parlor::catalog::{self, Entry};
use parlor::draw::Theme;
use parlor::game::{Information, OptionValues, Seat, Seed};

static TOY: Entry = Entry::of::<Toy<0>>();

/// The catalog and the toy, in about so many cases each.
fn all(about: usize) -> Vec<Case<'static>> {
    let entries = with_toy().into_iter();
    entries.flat_map(|entry| cases(entry, about)).collect()
}

fn with_toy() -> Vec<&'static Entry> {
    wanted(catalog::games().chain([&TOY]))
}

#[test]
fn every_position_of_every_game_is_in_order() {
    for_all(&all(40), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        orderly(case, &story, 12).map_err(|broken| broken.to_string())
    });
}

#[test]
fn nobody_is_shown_what_they_may_not_know() {
    let tallies: Mutex<Vec<(&str, Information, Tally)>> = Mutex::default();
    for_all(&all(14), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        let meta = case.entry.meta;
        // Where nothing is hidden a world is its own copy, and a quick look suffices.
        let (visits, pictures) = match meta.information {
            Information::Perfect => (3, 0),
            Information::Hidden => (6, 1),
        };
        let tally = secrecy(case, &story, visits, pictures).map_err(|broken| broken.to_string())?;
        tallies.lock().unwrap().push((meta.id, meta.information, tally));
        Ok(())
    });
    let tallies = tallies.into_inner().unwrap();
    for entry in with_toy() {
        let mut sum = Tally::default();
        for (_, _, tally) in tallies.iter().filter(|(id, ..)| *id == entry.meta.id) {
            sum += *tally;
        }
        let hidden = entry.meta.information == Information::Hidden;
        assert_eq!(
            sum.different > 0,
            hidden,
            "{}: imagined worlds must differ where something is hidden, and only there: {sum:?}",
            entry.meta.id
        );
    }
    let mut toys = tallies.iter().filter(|(id, ..)| *id == TOY.meta.id).peekable();
    if toys.peek().is_some() {
        let swapped: usize = toys.map(|(.., tally)| tally.swapped).sum();
        assert!(
            swapped > 40,
            "the toy's simultaneous choices were hardly tested: {swapped}"
        );
    }
}

#[test]
fn players_may_leave_at_any_time() {
    for_all(&all(60), |case| {
        let story = Story::play(case, Company::Leaves).map_err(|broken| broken.to_string())?;
        leaving(case, &story).map_err(|broken| broken.to_string())
    });
}

#[test]
fn no_text_makes_a_parser_panic() {
    for_all(&all(12), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        story
            .visit(case, 6, |spot| noisy(spot, 60))
            .map_err(|broken| broken.to_string())
    });
}

#[test]
fn a_save_that_was_tampered_with_is_refused_or_can_be_played() {
    for_all(&all(4), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        // Where hands are hidden a save holds hundreds of fields, and every look at it takes long: there a few changes of
        // each save are tried, other ones in every case. The toy is small.
        let meta = case.entry.meta;
        let (visits, most) = match meta.information {
            Information::Hidden if meta.id != TOY.meta.id => (2, 25),
            Information::Hidden | Information::Perfect => (5, usize::MAX),
        };
        story
            .visit(case, visits, |spot| tampered(spot, 5, most))
            .map_err(|broken| broken.to_string())
    });
}

#[test]
fn the_example_of_a_game_can_be_played_in_its_opening() {
    for entry in games() {
        let (meta, seed) = (entry.meta, Seed::from_text("example"));
        let options = OptionValues::defaults(meta.options);
        for seats in meta.seats.clone() {
            let mut table = entry.open(&options, seats, &seed).unwrap();
            let seat = table.awaiting().seats().iter().next().unwrap();
            let played = table.play(seat, meta.example, &seed, 1);
            let played = played.unwrap_or_else(|error| panic!("{}: {error}", meta.id));
            assert_eq!(
                played.actions,
                [meta.example],
                "{}: it is canonical notation",
                meta.id
            );
        }
    }
}

#[test]
fn guided_entry_reaches_every_legal_action_and_nothing_else() {
    for_all(&all(16), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        story.visit(case, 8, guided).map_err(|broken| broken.to_string())
    });
}

#[test]
fn whoever_only_reads_knows_what_is_asked() {
    for_all(&all(8), |case| {
        let story = Story::play(case, Company::Leaves).map_err(|broken| broken.to_string())?;
        story.visit(case, 12, called).map_err(|broken| broken.to_string())
    });
}

#[test]
fn every_legal_action_can_be_entered_by_touch() {
    for_all(&all(16), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        story.visit(case, 8, touched).map_err(|broken| broken.to_string())
    });
}

#[test]
fn every_spot_lies_in_its_picture_and_has_a_word_of_the_notation() {
    /// The kinds of words that spots have, and those by which something can be played.
    type Words = (BTreeSet<String>, BTreeSet<String>);
    let words: Mutex<BTreeMap<&str, Words>> = Mutex::default();
    for_all(&all(14), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        let mut found = Words::default();
        let mut pictures = 0;
        story
            .visit(case, 12, |spot| {
                for seat in Seat::all(case.seats) {
                    let spots = spots(spot, seat);
                    found.0.extend(spots.iter().flat_map(|spot| parts(&spot.word)));
                    let ways = spot.table.ways(seat);
                    let played = ways.iter().flat_map(|way| &way.words);
                    found
                        .1
                        .extend(played.flat_map(|word| word.spots().flat_map(parts)));
                }
                pictures += 1;
                if pictures % 6 == 1 {
                    lie_within(spot)
                } else {
                    Ok(())
                }
            })
            .map_err(|broken| broken.to_string())?;
        let mut words = words.lock().unwrap();
        let known = words.entry(case.entry.meta.id).or_default();
        known.0.extend(found.0);
        known.1.extend(found.1);
        Ok(())
    });
    for (game, (spots, played)) in words.into_inner().unwrap() {
        let strange: Vec<&String> = spots.difference(&played).collect();
        assert!(strange.is_empty(), "{game}: nobody ever plays {strange:?}");
        assert!(
            game == TOY.meta.id || !spots.is_empty(),
            "{game}: nothing in its pictures can be touched; `Show::spots` tells what can"
        );
    }
}

/// The kinds of words in the word of a spot: a block in the supply is `draw 2L`, a card `hand-b-of-player-1`.
fn parts(word: &str) -> impl Iterator<Item = String> {
    word.split([' ', '-']).map(kind_of_word)
}

/// Every spot has words and lies in its picture.
fn lie_within(spot: &Spot<'_>) -> Kept {
    for viewer in spot.case.viewers() {
        let frame = spot.case.frame(viewer, Theme::Light);
        let board = spot.table.picture(&frame).expect("a picture can be drawn");
        let hand = spot.table.hand_picture(&frame).expect("a hand can be drawn");
        let shown = [
            (Some(board), spot.table.spots(&frame)),
            (hand, spot.table.hand_spots(&frame)),
        ];
        for (picture, spots) in shown {
            spot.ensure(Law::Touch, picture.is_some() || spots.is_empty(), || {
                "spots without a picture".to_owned()
            })?;
            let Some(picture) = picture else { continue };
            // The header of a PNG tells its size.
            let side = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap()) as f32;
            let (width, height) = (side(16), side(20));
            for one in spots {
                let inside = |&(x, y): &(f32, f32)| {
                    (-1.0..=width + 1.0).contains(&x) && (-1.0..=height + 1.0).contains(&y)
                };
                let good = one.corners.len() > 2
                    && one.corners.iter().all(inside)
                    && !one.word.is_empty()
                    && !one.says.is_empty();
                spot.ensure(Law::Touch, good, || format!("in {width} by {height}: {one:?}"))?;
            }
        }
    }
    Ok(())
}

#[test]
fn every_option_says_what_it_does_and_what_it_takes() {
    for entry in games() {
        let meta = entry.meta;
        assert!(*meta.seats.start() >= 1 && *meta.seats.end() <= 5, "{}", meta.id);
        assert!(meta.bound > 0 && meta.rules_version > 0, "{}", meta.id);
        for spec in meta.options {
            assert!(!spec.help.trim().is_empty(), "{} {}", meta.id, spec.name);
            assert!(!spec.help.contains('\n'), "{} {}: one line", meta.id, spec.name);
            let defaults = OptionValues::choose(meta.options, [(spec.name, spec.default_text().as_str())]);
            let changed = defaults.map(|values| values.changed());
            assert_eq!(
                changed,
                Ok(Vec::new()),
                "{} {}: the default is a value",
                meta.id,
                spec.name
            );
        }
    }
}
