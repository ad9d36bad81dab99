//! The laws, in more games of Phase than `tests/rules/laws.rs` has time for.

use parlor::catalog::{self, Entry};

use crate::support::case::{Case, cases, for_all};
use crate::support::guided::guided;
use crate::support::leaving::leaving;
use crate::support::noise::noisy;
use crate::support::orderly::orderly;
use crate::support::secrecy::secrecy;
use crate::support::story::{Company, Story};

fn entry() -> &'static Entry {
    catalog::find("phase").expect("it is in the catalog")
}

fn all() -> Vec<Case<'static>> {
    cases(entry(), 48)
}

#[test]
fn every_position_is_in_order() {
    for_all(&all(), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        orderly(case, &story, 10).map_err(|broken| broken.to_string())
    });
}

#[test]
fn nobody_is_shown_what_they_may_not_know() {
    for_all(&all(), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        let tally = secrecy(case, &story, 5, 0).map_err(|broken| broken.to_string())?;
        if tally.different == 0 || tally.played_on == 0 {
            return Err(format!("{case}: nothing was put to the test: {tally:?}"));
        }
        Ok(())
    });
}

#[test]
fn players_leave_at_any_time() {
    for_all(&all(), |case| {
        let story = Story::play(case, Company::Leaves).map_err(|broken| broken.to_string())?;
        leaving(case, &story).map_err(|broken| broken.to_string())
    });
}

#[test]
fn guided_entry_and_noise() {
    for_all(&all(), |case| {
        let story = Story::play(case, Company::Stays).map_err(|broken| broken.to_string())?;
        story
            .visit(case, 8, guided)
            .map_err(|broken| broken.to_string())?;
        story
            .visit(case, 4, |spot| noisy(spot, 40))
            .map_err(|broken| broken.to_string())
    });
}
