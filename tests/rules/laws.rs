//! The laws of `parlor::game`, for every game of the catalog, every seat count and every option.
//!
//! Everything goes through `dyn Table`: a game that is added to the catalog is tested by that alone. That
//! the laws can fail is shown in `tests/rules/lawbreakers.rs`, on games that break them on purpose.
//!
//! The laws of one game alone: `PARLOR_GAME=phwar cargo test --test rules laws::`.

use std::sync::Mutex;

use crate::support::case::{Case, cases, for_all, games, wanted};
use crate::support::guided::guided;
use crate::support::leaving::leaving;
use crate::support::noise::noisy;
use crate::support::orderly::orderly;
use crate::support::secrecy::{Tally, secrecy};
use crate::support::story::{Company, Story};
use crate::support::tampered::tampered;
use crate::support::toy::Toy;
use parlor::catalog::{self, Entry};
use parlor::game::{Information, OptionValues, Seed};

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
