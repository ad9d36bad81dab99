//! Guided entry: every way of picking words ends in something that can be played, and every legal action is reached.

use std::collections::BTreeSet;

use parlor::game::guide::Leads;
use parlor::game::{Seat, Seed};

use super::law::{Kept, Law, Spot};

/// Walks all ways of picking an action word by word.
pub fn guided(spot: &Spot<'_>) -> Kept {
    for seat in Seat::all(spot.table.seats()) {
        let mut sentences = BTreeSet::new();
        walk(spot, seat, &[], &mut sentences)?;
        let mut reached = BTreeSet::new();
        for sentence in sentences {
            let mut table = spot.table.copy();
            match table.begin(seat, &sentence, &Seed::from_text("guided"), 1) {
                // What waits until the player is asked again can be read.
                Ok(played) => reached.extend(played.actions),
                Err(error) => {
                    spot.ensure(Law::Guide, false, || {
                        format!("the guide of {seat:?} leads to `{sentence}`: {error}")
                    })?;
                }
            }
        }
        let legal: BTreeSet<String> = spot.table.legal(seat).into_iter().collect();
        spot.ensure(Law::Guide, legal.is_subset(&reached), || {
            let missing: Vec<&String> = legal.difference(&reached).collect();
            format!("the guide of {seat:?} never reaches {missing:?}")
        })?;
        let nowhere = spot.table.guide(seat, &["no such word"]);
        spot.ensure(Law::Guide, nowhere.choices.is_empty(), || {
            format!("after a word that nothing begins with: {nowhere:?}")
        })?;
    }
    Ok(())
}

fn walk(spot: &Spot<'_>, seat: Seat, words: &[&str], reached: &mut BTreeSet<String>) -> Kept {
    let guide = spot.table.guide(seat, words);
    let loud: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    let loud: Vec<&str> = loud.iter().map(String::as_str).collect();
    spot.ensure(Law::Guide, spot.table.guide(seat, &loud) == guide, || {
        format!("after {words:?} the guide minds the case of words")
    })?;
    spot.ensure(
        Law::Guide,
        guide.choices.is_empty() || !guide.ask.trim().is_empty(),
        || format!("after {words:?} there are choices and no question"),
    )?;
    let mut texts = BTreeSet::new();
    let taken: Vec<&str> = guide.taken.iter().map(|word| word.text.as_str()).collect();
    spot.ensure(Law::Guide, taken.is_empty() || guide.choices.len() > 1, || {
        format!("after {words:?} and {taken:?} nothing is left to choose")
    })?;
    for choice in guide.choices {
        let fresh = texts.insert(choice.text.to_lowercase());
        let good = fresh && !choice.text.trim().is_empty() && !choice.label.trim().is_empty();
        spot.ensure(Law::Guide, good, || {
            format!("after {words:?} the choice {choice:?} is empty or there twice")
        })?;
        match choice.leads {
            Leads::To { sentence } => {
                reached.insert(sentence);
            }
            Leads::On { open } => {
                let mut beyond = BTreeSet::new();
                let further = [words, &taken, &[choice.text.as_str()]].concat();
                walk(spot, seat, &further, &mut beyond)?;
                spot.ensure(Law::Guide, open == beyond.len(), || {
                    format!(
                        "after {further:?} {open} actions are promised and {} found",
                        beyond.len()
                    )
                })?;
                reached.append(&mut beyond);
            }
        }
    }
    Ok(())
}
