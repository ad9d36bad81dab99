//! Golden playthroughs: a short game of each kind, printed step by step as each viewer is shown it.
//!
//! To make them anew after a change that was meant: `PARLOR_BLESS=1 cargo test --test rules playthroughs`, then
//! read the difference before it is committed.

use std::fmt::Write;

use crate::support::case::{Case, games, names, settings};
use crate::support::golden;
use crate::support::law::Spot;
use crate::support::story::{Company, Deed, Story};
use parlor::catalog::Entry;
use parlor::draw::Theme;
use parlor::game::{Seat, Viewer};

const COMMAND: &str = "PARLOR_BLESS=1 cargo test --test rules playthroughs";

/// Text boards are printed at the opening, then every so many steps, and at the end.
const BOARD_EVERY: u64 = 12;
/// Most of a long game is left out: so many steps from the opening and so many before the end are shown.
const SHOWN: u64 = 24;
/// A view that is shorter than this is printed; of a longer one, its sum.
const SHORT: usize = 200;

/// One playthrough for the fewest seats with defaults, one for the most seats with other options.
fn playthroughs(entry: &'static Entry) -> Vec<(String, Case<'static>)> {
    let all = settings(entry);
    let (least, most) = (*entry.meta.seats.start(), *entry.meta.seats.end());
    let id = entry.meta.id;
    let changed = |case: &Case<'_>| case.options.changed().len();
    let plain = all.iter().find(|case| case.seats == least && changed(case) == 0);
    let rich = all
        .iter()
        .filter(|case| case.seats == most)
        .max_by_key(|case| changed(case));
    let case = |case: &Case<'static>, seed: &str| Case {
        entry: case.entry,
        options: case.options.clone(),
        seats: case.seats,
        seed_text: seed.to_owned(),
        names: names(case.seats),
    };
    plain
        .map(|plain| (format!("playthroughs/{id}-plain.txt"), case(plain, "plain")))
        .into_iter()
        .chain(rich.map(|rich| (format!("playthroughs/{id}-rich.txt"), case(rich, "rich"))))
        .collect()
}

#[test]
fn games_are_told_to_each_viewer_as_they_were() {
    let mut failures = Vec::new();
    for (path, case) in games().into_iter().flat_map(playthroughs) {
        failures.extend(golden::check_text(&path, &print(&case), COMMAND).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn print(case: &Case<'_>) -> String {
    let story = Story::play(case, Company::Stays).unwrap_or_else(|broken| panic!("{broken}"));
    let mut out = format!("{case}\nMade by `{COMMAND}`.\n\n");
    let last = story.deeds.len() as u64;
    let told = story.retell(case, |spot, deed| {
        let step = spot.step;
        if step == SHOWN && step + SHOWN < last {
            writeln!(out, "… {} steps …\n", last - 2 * SHOWN).unwrap();
        }
        if step < SHOWN || step + SHOWN >= last {
            print_position(&mut out, spot, step.is_multiple_of(BOARD_EVERY) || step == last);
            if let Some(Deed::Play(seat, action)) = deed {
                let legal = spot.table.legal(*seat).len();
                let name = name(case, *seat);
                writeln!(out, "== {}. {name} plays {action} (of {legal})", step + 1).unwrap();
            }
        }
        Ok(())
    });
    told.unwrap_or_else(|broken| panic!("{broken}"));
    out
}

fn name(case: &Case<'_>, seat: Seat) -> String {
    case.names[seat.index()].clone()
}

/// What each viewer is shown; what two viewers are shown alike is printed once.
fn print_position(out: &mut String, spot: &Spot<'_>, with_board: bool) {
    let table = spot.table;
    let awaited: Vec<String> = table
        .awaiting()
        .seats()
        .iter()
        .map(|seat| name(spot.case, seat))
        .collect();
    let kind = match table.awaiting() {
        parlor::game::Awaiting::Turn(_) => "turn of",
        parlor::game::Awaiting::Each(_) => "each of",
        parlor::game::Awaiting::Any(_) => "any of",
        parlor::game::Awaiting::Over => "over",
    };
    writeln!(out, "{kind} {}", awaited.join(", ")).unwrap();
    let mut shown: Vec<(Vec<String>, String)> = Vec::new();
    for viewer in spot.case.viewers() {
        let mut face = String::new();
        let told = table.narration(viewer).plain(|seat| name(spot.case, seat));
        if !told.is_empty() {
            writeln!(face, "  told: {told}").unwrap();
        }
        let view = table.view(viewer).to_string();
        if view.len() <= SHORT {
            writeln!(face, "  view: {view}").unwrap();
        } else {
            writeln!(face, "  view: {} bytes, sum {:08x}", view.len(), sum(&view)).unwrap();
        }
        if with_board {
            // All see the board from one side here, so that only secrets tell them apart.
            let mut frame = spot.case.frame(viewer, Theme::Light);
            frame.side = Seat::new(0);
            for line in table.text(&frame).trim_end().lines() {
                writeln!(face, "{}", format!("  | {line}").trim_end()).unwrap();
            }
            if let Some(hand) = table.hand(&frame) {
                for line in hand.text.trim_end().lines() {
                    writeln!(face, "  hand| {line}").unwrap();
                }
            }
            writeln!(face, "  alt: {}", table.alt(&frame)).unwrap();
        }
        let label = match viewer {
            Viewer::Seat(seat) => name(spot.case, seat),
            Viewer::Public | Viewer::Omniscient => viewer.to_string(),
        };
        match shown.iter_mut().find(|(_, known)| *known == face) {
            Some((labels, _)) => labels.push(label),
            None => shown.push((vec![label], face)),
        }
    }
    for (labels, face) in shown {
        let labels = if labels.len() > usize::from(spot.case.seats) {
            "everybody".to_owned()
        } else {
            labels.join(", ")
        };
        write!(out, " {labels}\n{face}").unwrap();
    }
    if let Some(outcome) = table.outcome() {
        writeln!(out, "ranks {:?}: {}", outcome.ranks, outcome.reason).unwrap();
    }
    out.push('\n');
}

/// FNV-1a, enough to notice a change.
fn sum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum: u32, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
