//! The laws of `parlor::game`, for every game of the catalog, every seat count and every option.
//!
//! Everything goes through `dyn Table`: a game that is added to the catalog is tested by that alone. That
//! the laws can fail is shown in `tests/lawbreakers.rs`, on games that break them on purpose.

mod support;

use std::sync::Mutex;

use parlor::catalog::{Entry, games};
use parlor::game::Information;
use support::case::{Case, cases, for_all};
use support::guided::guided;
use support::leaving::leaving;
use support::noise::noisy;
use support::orderly::orderly;
use support::secrecy::{Tally, secrecy};
use support::story::{Company, Story};
use support::toy::Toy;

static TOY: Entry = Entry::of::<Toy<0>>();

/// The catalog and the toy, in about so many cases each.
fn all(about: usize) -> Vec<Case<'static>> {
    let games = games().chain([&TOY]);
    games.flat_map(|entry| cases(entry, about)).collect()
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
    for entry in games().chain([&TOY]) {
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
    let toy: usize = tallies
        .iter()
        .filter(|(id, ..)| *id == TOY.meta.id)
        .map(|(.., tally)| tally.swapped)
        .sum();
    assert!(
        toy > 40,
        "the toy's simultaneous choices were hardly tested: {toy}"
    );
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
            let defaults =
                parlor::game::OptionValues::choose(meta.options, [(spec.name, spec.default_text().as_str())]);
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
