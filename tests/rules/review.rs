//! Reviews: a blunder that somebody made on purpose is found, and a better move is named.

use std::sync::atomic::AtomicBool;

use parlor::ai::{Agent, Level};
use parlor::catalog::{self, Table};
use parlor::game::{OptionValues, Seat, Seed};
use parlor::matches::record::Record;
use parlor::review::judge::Judge;
use parlor::review::walk::{Led, Walk};
use parlor::review::{BUDGET, JUDGE, Review, Swing};

static NEVER: AtomicBool = AtomicBool::new(false);

fn agent(name: &str) -> Agent {
    name.parse().unwrap()
}

/// A game between careful bots in which one move is the worst that could be found, and where that was.
struct Planted {
    record: Record,
    step: u32,
    blunder: String,
    /// What the bot would have played there.
    good: String,
}

/// How far apart the best and the worst of some moves must be for the worst to be a blunder.
const BLUNDER: f32 = 0.3;

/// How much less a move may be worth than a good one, to be named instead of it.
const RIGHT: f32 = 0.1;

/// Plays on until a blunder can be made, and a little further.
fn planted(game: &str, options: &[(&str, &str)], chance: u64) -> Planted {
    let entry = catalog::find(game).unwrap();
    let options = OptionValues::choose(entry.meta.options, options.iter().copied()).unwrap();
    let seed = Seed::from_text(&format!("{game} {chance}"));
    let mut table = entry.open(&options, 2, &seed).unwrap();
    let mut record = Record::start(entry, &options, 2, &seed);
    let careful = agent("level3@400");
    let earliest = 6 + 2 * chance as u32 % 5;
    let mut blunder: Option<(u32, String, String)> = None;
    for number in 0..120u32 {
        let Some(seat) = table.awaiting().seats().iter().next() else {
            break;
        };
        if blunder.as_ref().is_some_and(|(step, ..)| number > step + 4) {
            break;
        }
        let best = table
            .act(seat, &careful, u64::from(number) + chance, &NEVER)
            .unwrap()
            .action;
        let worst = (blunder.is_none() && number >= earliest)
            .then(|| worst_of(table.as_ref(), seat, &best, &careful))
            .flatten();
        let action = match worst {
            Some(worst) => {
                blunder = Some((number, worst.clone(), best));
                worst
            }
            None => best,
        };
        table.play(seat, &action, &seed, u64::from(number) + 1).unwrap();
        record.act(seat, action);
    }
    let (step, blunder, good) = blunder.expect("somebody could blunder");
    Planted {
        record,
        step,
        blunder,
        good,
    }
}

/// The worst of some legal actions, if it is a blunder.
fn worst_of(table: &dyn Table, seat: Seat, best: &str, agent: &Agent) -> Option<String> {
    let legal = table.legal(seat);
    let stride = legal.len().div_ceil(12).max(1);
    let others = legal.iter().map(String::as_str).step_by(stride);
    let actions: Vec<&str> = std::iter::once(best)
        .chain(others.filter(|action| *action != best))
        .collect();
    let weighed = table.weigh(seat, &actions, agent, 9, &NEVER)?;
    let good = weighed[0];
    let weighed = weighed.into_iter().zip(&actions).skip(1);
    let (worth, worst) = weighed.min_by(|one, other| one.0.total_cmp(&other.0))?;
    (good > 0.3 && good - worth >= BLUNDER).then(|| (*worst).to_owned())
}

fn reviewed(record: &Record, judge: &Judge) -> Review {
    let mut walk = Walk::begin(record.clone(), judge, None).unwrap();
    while walk.look(judge, &NEVER).unwrap() == Led::On {}
    assert!(walk.review.is_done());
    walk.review
}

#[track_caller]
fn found(game: &str, options: &[(&str, &str)], chance: u64) {
    let planted = planted(game, options, chance);
    // The judge of the house, with the time that it has for a match of sixty steps.
    let review = reviewed(&planted.record, &Judge::within(JUDGE, BUDGET, 60));
    let swings = review.swings.as_ref().unwrap();
    let is_blunder = |swing: &&Swing| swing.decision.step == planted.step;
    let swing = swings.iter().find(is_blunder).unwrap_or_else(|| {
        panic!(
            "{game} {chance}: step {} is not among {:?}",
            planted.step,
            swings.iter().map(|swing| swing.decision.step).collect::<Vec<_>>()
        )
    });
    assert_eq!(swing.decision.played, planted.blunder);
    assert!(swing.decision.again, "what is named has been looked at twice");
    // Somebody else, who thinks longer, likes the other move better, too.
    let table = planted.record.replay(Some(planted.step as usize)).unwrap();
    let other = agent("level5@4000");
    let actions = [swing.decision.best.as_str(), &planted.good, &planted.blunder];
    let weighed = table.weigh(swing.decision.seat, &actions, &other, 77, &NEVER);
    let [best, good, played] = weighed.unwrap()[..] else {
        panic!("three were weighed");
    };
    assert!(
        best > played + BLUNDER / 2.0 && best > good - RIGHT,
        "{game} {chance}: {best} instead of {played}, where {good} was to be had"
    );
    // It says what is good about it, or what happens.
    assert!(swing.purpose.is_some() || !swing.narration.is_empty());
}

#[test]
fn blunders_in_phwar_are_found() {
    for chance in 0..3 {
        found("phwar", &[], chance);
    }
}

#[test]
fn blunders_in_fabric_are_found() {
    for chance in 0..2 {
        found("fabric", &[], chance);
    }
}

/// Here it is judged from what the player knew.
#[test]
fn blunders_in_breaker_are_found() {
    for chance in 0..2 {
        found("breaker", &[("variant", "blind")], chance);
    }
}

#[test]
fn blunders_in_glyphgrid_are_found() {
    for chance in 0..2 {
        found("glyphgrid", &[], chance);
    }
}

#[test]
fn a_blunder_in_phase_is_found() {
    found("phase", &[], 0);
}

#[test]
fn what_the_bot_would_have_played_is_no_loss() {
    let entry = catalog::find("phwar").unwrap();
    let options = OptionValues::defaults(entry.meta.options);
    let seed = Seed::from_text("calm");
    let mut table = entry.open(&options, 2, &seed).unwrap();
    let mut record = Record::start(entry, &options, 2, &seed);
    let judge = agent("level4@1500");
    for number in 0..6u32 {
        let seat = table.awaiting().seats().iter().next().unwrap();
        // The same chance as the walk gives each step.
        let action = table
            .act(seat, &judge, u64::from(number) + 1, &NEVER)
            .unwrap()
            .action;
        table.play(seat, &action, &seed, u64::from(number) + 1).unwrap();
        record.act(seat, action);
    }
    let review = reviewed(&record, &Judge::of(JUDGE, judge));
    assert_eq!(review.decisions.len(), 6);
    assert_eq!(review.swings.as_ref().unwrap().len(), 0);
    assert!(
        review
            .summaries()
            .iter()
            .all(|summary| summary.as_good == summary.decisions)
    );
}

/// Whatever an opponent holds that the player could not know, the verdict on the player's move is the same.
#[test]
fn hidden_cards_have_no_say() {
    let planted = planted("breaker", &[("variant", "blind")], 1);
    let judge = Judge::of(Level::new(3).unwrap(), agent("level3@200"));
    let mut looked_at = 0;
    for step in 0..planted.record.actions.len() {
        let table = planted.record.replay(Some(step)).unwrap();
        let seat = planted.record.actions[step].seat;
        if table.legal(seat).len() < 2 {
            continue;
        }
        let played = table.legal(seat).remove(0);
        let own = judge.verdict(table.as_ref(), seat, &played, 5, &NEVER).unwrap();
        let mut rng = parlor::game::GameRng::quick(step as u64);
        let other = table.imagine(seat, &mut rng);
        let told = judge.verdict(other.as_ref(), seat, &played, 5, &NEVER).unwrap();
        assert!(own == told, "step {step}");
        looked_at += 1;
    }
    assert!(looked_at > 3);
}
