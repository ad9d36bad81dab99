//! Laws 1 to 6, 10 and 11, and sentences: what holds at every position of every game.

use std::collections::HashSet;

use parlor::catalog::Table;
use parlor::draw::Theme;
use parlor::game::{Awaiting, Seat, Viewer};

use super::case::Case;
use super::law::{Kept, Law, Spot, position};
use super::story::{Deed, Story, sound_outcome};

/// Checks a game from opening to outcome, closely at about `visits` of its positions.
pub fn orderly(case: &Case<'_>, story: &Story, visits: usize) -> Kept {
    let mut last = String::new();
    story.visit(case, visits, |spot| {
        awaited(spot)?;
        legal_lists(spot)?;
        completions(spot)?;
        saves(spot)?;
        refusals(spot)?;
        sentences(spot)?;
        strays(spot)?;
        seed_unseen(spot)?;
        last = spot.save(spot.table)?;
        Ok(())
    })?;
    // `visit` has played the whole log again.
    story.replays_to(case, &last)
}

/// Law 1.
pub fn awaited(spot: &Spot<'_>) -> Kept {
    let table = spot.table;
    let awaiting = table.awaiting();
    let outcome = table.outcome();
    spot.ensure(Law::Awaited, awaiting.is_over() == outcome.is_some(), || {
        format!("{awaiting:?} is awaited and the outcome is {outcome:?}")
    })?;
    spot.ensure(
        Law::Awaited,
        awaiting.is_over() == awaiting.seats().is_empty(),
        || format!("{awaiting:?} names the wrong number of seats"),
    )?;
    for seat in awaiting.seats().iter() {
        spot.ensure(Law::Awaited, seat.number() <= table.seats(), || {
            format!("{seat:?} is awaited and does not exist")
        })?;
    }
    for seat in Seat::all(table.seats()) {
        let legal = table.legal(seat);
        spot.ensure(Law::Awaited, legal.is_empty() != awaiting.includes(seat), || {
            format!("{awaiting:?} is awaited and {seat:?} has {} actions", legal.len())
        })?;
    }
    if let Some(outcome) = outcome {
        spot.ensure(Law::Awaited, sound_outcome(&outcome, table.seats()), || {
            format!("the outcome makes no sense: {outcome:?}")
        })?;
    }
    Ok(())
}

/// Laws 2 and 3. A list out of order shows by actions in it that are refused, since legality is
/// looked up by bisection.
fn legal_lists(spot: &Spot<'_>) -> Kept {
    const TRIED: usize = 120;
    let table = spot.table;
    let mut rng = spot.case.players("legal");
    let mut counted = 0;
    let mut below: Option<u64> = Some(0);
    for seat in table.awaiting().seats().iter() {
        let legal = table.legal(seat);
        if counted == 0 || !matches!(table.awaiting(), Awaiting::Each(_)) {
            counted += legal.len() as u64;
        }
        let mut seen = HashSet::new();
        for action in &legal {
            spot.ensure(Law::Notation, seen.insert(action), || {
                format!("`{action}` of {seat:?} is listed twice")
            })?;
            let plain = !action.trim().is_empty() && action.trim() == action && !action.contains([';', '\n']);
            spot.ensure(Law::Notation, plain, || {
                format!("`{action}` is no notation that can stand in a sentence")
            })?;
        }
        let mut tried: Vec<&String> = legal.iter().collect();
        if tried.len() > TRIED {
            rng.shuffle(&mut tried);
            tried.truncate(TRIED);
            below = None;
        }
        for action in tried {
            let mut copy = table.copy();
            let played = copy
                .play(seat, action, &spot.seed(), spot.next_step())
                .map_err(|error| {
                    let what = format!("`{action}` of {seat:?} is listed and refused: {error}");
                    spot.broken(Law::LegalLists, what)
                })?;
            spot.ensure(Law::Notation, played.actions == [action.as_str()], || {
                format!("`{action}` of {seat:?} was read as {:?}", played.actions)
            })?;
            below = match below {
                Some(sum) if !played.revealed => Some(sum + copy.perft(1)),
                _ => None,
            };
        }
    }
    // The counting of legal actions is written apart from their listing in fast games.
    let perft = table.perft(1);
    spot.ensure(Law::LegalLists, perft == counted, || {
        format!("{counted} actions are listed and {perft} counted")
    })?;
    if let (Some(below), true) = (below, matches!(table.awaiting(), Awaiting::Turn(_))) {
        let perft = table.perft(2);
        spot.ensure(Law::LegalLists, perft == below, || {
            format!("two actions deep {below} are listed and {perft} counted")
        })?;
    }
    Ok(())
}

/// Autocomplete offers legal actions and nothing else, and finds what was typed in full.
fn completions(spot: &Spot<'_>) -> Kept {
    for seat in Seat::all(spot.table.seats()) {
        let legal = spot.table.legal(seat);
        let all = spot.table.complete(seat, "", usize::MAX);
        let mut actions: Vec<&String> = all.iter().map(|found| &found.action).collect();
        let mut listed: Vec<&String> = legal.iter().collect();
        actions.sort();
        listed.sort();
        spot.ensure(Law::Guide, actions == listed, || {
            format!("{seat:?} may do {legal:?} and is offered {all:?}")
        })?;
        let mut labels = HashSet::new();
        for found in &all {
            let label = found.label.as_str();
            let good = !label.trim().is_empty() && !label.contains(['\n', '`']) && labels.insert(label);
            spot.ensure(Law::Guide, good, || {
                format!("the label {label:?} of {seat:?} is empty, no line, or there twice")
            })?;
        }
        for action in legal.iter().take(8) {
            let offered = spot.table.complete(seat, &action.to_lowercase(), 25);
            let good = offered.len() <= 25 && offered.iter().all(|offer| legal.contains(&offer.action));
            spot.ensure(Law::Guide, good, || {
                format!("`{action}` is completed to {offered:?}")
            })?;
            let found = spot.table.complete(seat, action, 1);
            let itself = found.first().is_some_and(|found| found.action == *action);
            spot.ensure(Law::Guide, itself, || {
                format!("`{action}` in full finds {found:?} before itself")
            })?;
            let label = all.iter().find(|found| found.action == *action);
            let label = label.map_or("", |found| found.label.as_str());
            let found = spot.table.complete(seat, label, usize::MAX);
            spot.ensure(
                Law::Guide,
                found.iter().any(|found| found.action == *action),
                || format!("`{action}` is not found by its label {label:?}"),
            )?;
        }
    }
    Ok(())
}

/// Law 4: the same bytes, and the same game to everybody who looks at it.
pub fn saves(spot: &Spot<'_>) -> Kept {
    let save = spot.save(spot.table)?;
    let loaded = spot
        .case
        .entry
        .load(&save)
        .map_err(|error| spot.broken(Law::Saves, format!("{error} in {save}")))?;
    let again = spot.save(loaded.as_ref())?;
    spot.ensure(Law::Saves, save == again, || {
        format!("saved {save}, loaded and saved {again}")
    })?;
    let viewers = spot.case.viewers().chain([Viewer::Omniscient]);
    for viewer in viewers {
        let (before, after) = (
            face(spot, spot.table, viewer),
            face(spot, loaded.as_ref(), viewer),
        );
        spot.ensure(Law::Saves, before == after, || {
            format!("{viewer} sees {after:?} after loading and saw {before:?}")
        })?;
    }
    // What follows is the same, too.
    for seat in spot.table.awaiting().seats().iter() {
        let legal = spot.table.legal(seat);
        spot.ensure(Law::Saves, legal == loaded.legal(seat), || {
            format!(
                "{seat:?} may do {:?} after loading and {legal:?} before",
                loaded.legal(seat)
            )
        })?;
        let Some(action) = legal.last() else { continue };
        let (mut here, mut there) = (spot.table.copy(), loaded.copy());
        let _ = here.play(seat, action, &spot.seed(), spot.next_step());
        let _ = there.play(seat, action, &spot.seed(), spot.next_step());
        let (here, there) = (spot.save(here.as_ref())?, spot.save(there.as_ref())?);
        spot.ensure(Law::Saves, here == there, || {
            format!("`{action}` leads to {here} at the table and to {there} at the loaded one")
        })?;
    }
    Ok(())
}

/// Everything but pictures that a viewer sees.
fn face(spot: &Spot<'_>, table: &dyn Table, viewer: Viewer) -> (serde_json::Value, String, String, String) {
    let frame = spot.case.frame(viewer, Theme::Light);
    (
        table.view(viewer),
        format!("{:?}", table.narration(viewer)),
        table.text(&frame),
        table.alt(&frame),
    )
}

/// Law 6: whoever is not awaited, and what is not legal, changes nothing.
fn refusals(spot: &Spot<'_>) -> Kept {
    let table = spot.table;
    let save = spot.save(table)?;
    let all_legal: Vec<String> = Seat::all(table.seats())
        .flat_map(|seat| table.legal(seat))
        .take(12)
        .collect();
    let strange = [
        "",
        ";",
        " ; \n ;",
        "no such move",
        "pass pass",
        "resign",
        "A1",
        "1",
        "?",
    ];
    for seat in Seat::all(table.seats()) {
        let legal = table.legal(seat);
        let others = all_legal.iter().filter(|action| !legal.contains(action));
        for text in others.map(String::as_str).chain(strange) {
            let mut copy = table.copy();
            match copy.play(seat, text, &spot.seed(), spot.next_step()) {
                // A short text may be a forgiving form of something legal, or an aside.
                Ok(played) => spot.ensure(
                    Law::Refusals,
                    played.aside.is_some() || legal.contains(&played.actions[0]),
                    || format!("{seat:?} played `{text}`, which is read as {played:?} and not legal"),
                )?,
                Err(error) => {
                    let after = spot.save(copy.as_ref())?;
                    spot.ensure(Law::Refusals, after == save, || {
                        format!("`{text}` of {seat:?} was refused and changed {save} to {after}")
                    })?;
                    let message = error.to_string();
                    let helpful = !message.trim().is_empty() && message.chars().count() <= 1500;
                    spot.ensure(Law::Refusals, helpful, || {
                        format!("`{text}` of {seat:?} is refused with `{message}`")
                    })?;
                }
            }
        }
    }
    let unchanged = spot.save(table)?;
    spot.ensure(Law::Refusals, unchanged == save, || {
        format!("copies of a table changed it from {save} to {unchanged}")
    })
}

/// Two actions in a sentence do what they do one after the other; a sentence that fails does nothing.
fn sentences(spot: &Spot<'_>) -> Kept {
    let table = spot.table;
    let seed = spot.seed();
    let save = spot.save(table)?;
    for seat in table.awaiting().seats().iter() {
        let mut rng = spot.case.players(&format!("sentences {}", spot.step));
        let legal = table.legal(seat);
        let Some(first) = rng.choose(&legal) else { continue };
        let mut failing = table.copy();
        let refused = failing
            .play(seat, &format!("{first}; no such move"), &seed, spot.next_step())
            .is_err();
        let after = spot.save(failing.as_ref())?;
        spot.ensure(Law::Sentences, refused && after == save, || {
            format!("half of a sentence was played: `{first}`")
        })?;
        let mut apart = table.copy();
        let Ok(played) = apart.play(seat, first, &seed, spot.next_step()) else {
            continue;
        };
        let legal = apart.legal(seat);
        let Some(second) = rng.choose(&legal) else {
            continue;
        };
        let mut joined = table.copy();
        let both = joined.play(seat, &format!("{first};{second}"), &seed, spot.next_step());
        if played.taught {
            spot.ensure(Law::Sentences, both.is_err(), || {
                format!("`{first}` revealed something and the sentence went on")
            })?;
            continue;
        }
        let second_played = apart.play(seat, second, &seed, spot.next_step() + 1);
        spot.ensure(Law::Sentences, both.is_ok() && second_played.is_ok(), || {
            format!("`{first}` and `{second}` are playable apart, but not together: {both:?}")
        })?;
        let (apart, joined) = (spot.save(apart.as_ref())?, spot.save(joined.as_ref())?);
        spot.ensure(Law::Sentences, position(&apart) == position(&joined), || {
            format!("`{first}; {second}` leads to {joined}, its actions apart to {apart}")
        })?;
    }
    Ok(())
}

/// Words that mean nothing in any game, as somebody may type them behind a move.
const STRAYS: [&str; 6] = [" zzz", " zzz 1", "; zzz", "; zzz 2; zzz", " 1 zzz", "\u{a0}жжж"];

/// Whatever can't be read is refused at once, also where the rest of a sentence is kept for later.
fn strays(spot: &Spot<'_>) -> Kept {
    const TRIED: usize = 8;
    let table = spot.table;
    let save = spot.save(table)?;
    let mut rng = spot.case.players(&format!("strays {}", spot.step));
    for seat in table.awaiting().seats().iter() {
        let mut legal = table.legal(seat);
        rng.shuffle(&mut legal);
        for action in legal.iter().take(TRIED) {
            for stray in STRAYS {
                let text = format!("{action}{stray}");
                let mut copy = table.copy();
                let refused = copy.begin(seat, &text, &spot.seed(), spot.next_step()).is_err();
                let after = spot.save(copy.as_ref())?;
                spot.ensure(Law::Strays, refused && after == save, || {
                    format!("`{text}` of {seat:?} was played")
                })?;
            }
        }
    }
    Ok(())
}

/// Law 11: neither the seed nor what it gives next is in anything that is seen or saved.
fn seed_unseen(spot: &Spot<'_>) -> Kept {
    let seed = spot.seed();
    let hex = seed.reveal();
    let bytes: Vec<String> = hex
        .as_bytes()
        .chunks(2)
        .take(8)
        .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .map(|byte| byte.to_string())
        .collect();
    let mut secrets = vec![hex[..16].to_owned(), hex[48..].to_owned(), bytes.join(",")];
    for step in [0, spot.step, spot.next_step()] {
        let mut rng = seed.at(step);
        secrets.extend((0..64).map(|_| rng.word().to_string()));
    }
    let mut seen = vec![spot.save(spot.table)?];
    for viewer in spot.case.viewers().chain([Viewer::Omniscient]) {
        let (view, narration, text, alt) = face(spot, spot.table, viewer);
        seen.extend([view.to_string(), narration, text, alt]);
    }
    for text in seen {
        if let Some(secret) = secrets.iter().find(|secret| text.contains(secret.as_str())) {
            return Err(spot.broken(Law::SeedUnseen, format!("{secret} of the seed is in {text}")));
        }
    }
    Ok(())
}

/// The seats that have left in a log.
pub fn leavers(deeds: &[Deed]) -> Vec<Seat> {
    deeds
        .iter()
        .filter_map(|deed| match deed {
            Deed::Leave(seat) => Some(*seat),
            Deed::Play(..) => None,
        })
        .collect()
}
