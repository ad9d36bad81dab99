//! Guided entry explains itself: whoever reads a list of choices reads what each of them does or means.

use parlor::catalog::Table;
use parlor::game::guide::Leads;
use parlor::game::{GameRng, Seat};

use crate::support::case::{Case, cases, for_all, games};

/// So many positions of a game are looked at, so many moves apart.
const POSITIONS: u64 = 12;
const APART: u64 = 9;

#[test]
fn every_choice_has_a_line_of_help() {
    let all: Vec<Case<'_>> = games().into_iter().flat_map(|entry| cases(entry, 2)).collect();
    for_all(&all, |case| {
        let mut table = case.open();
        let mut rng = GameRng::quick(7);
        for step in 1..=POSITIONS * APART {
            let Some(seat) = table.awaiting().seats().iter().next() else {
                break;
            };
            if step % APART == 1 {
                explained(table.as_ref(), seat, &[])
                    .map_err(|what| format!("{case}, step {step}: {what}"))?;
            }
            let legal = table.legal(seat);
            let action = &legal[rng.below(legal.len())];
            table.play(seat, action, &case.seed(), step).unwrap();
        }
        Ok(())
    });
}

/// All choices behind these words, and behind each of them.
fn explained(table: &dyn Table, seat: Seat, picked: &[&str]) -> Result<(), String> {
    let guide = table.guide(seat, picked);
    for choice in &guide.choices {
        if choice.help.trim().is_empty() {
            return Err(format!("after {picked:?} nothing explains {choice:?}"));
        }
        if matches!(choice.leads, Leads::On { .. }) {
            let taken = guide.taken.iter().map(|word| word.text.as_str());
            let further: Vec<&str> = (picked.iter().copied())
                .chain(taken)
                .chain([choice.text.as_str()])
                .collect();
            explained(table, seat, &further)?;
        }
    }
    Ok(())
}
