//! Texts that nobody should have to read, thrown at a game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use parlor::game::Seat;

use super::law::{Kept, Law, Spot};
use super::texts::text;

/// Law 12 with law 6: throws `count` texts at every seat.
pub fn noisy(spot: &Spot<'_>, count: usize) -> Kept {
    let mut rng = spot.case.players(&format!("noise {}", spot.step));
    let save = spot.save(spot.table)?;
    let legal: Vec<String> = Seat::all(spot.table.seats())
        .flat_map(|seat| spot.table.legal(seat))
        .collect();
    for _ in 0..count {
        let text = text(&mut rng, &legal);
        let seat = Seat::new(rng.below(usize::from(spot.table.seats())) as u8);
        throw(spot, seat, &text, &save)?;
    }
    // Seats that this table does not have.
    for number in spot.table.seats()..5 {
        throw(
            spot,
            Seat::new(number),
            legal.first().map_or("", String::as_str),
            &save,
        )?;
    }
    Ok(())
}

fn throw(spot: &Spot<'_>, seat: Seat, text: &str, save: &str) -> Kept {
    let shown: String = text.chars().take(80).collect();
    let started = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut copy = spot.table.copy();
        let played = copy.play(seat, text, &spot.seed(), spot.next_step());
        let said = played
            .as_ref()
            .map_or_else(ToString::to_string, |_| String::new());
        spot.table.complete(seat, text, 25);
        spot.table.guide(seat, &[text]);
        let words: Vec<&str> = text.split_whitespace().take(8).collect();
        spot.table.guide(seat, &words);
        (played, said, copy.save())
    }));
    let Ok((played, said, after)) = result else {
        return Err(spot.broken(Law::NoPanic, format!("{shown:?} of {seat:?} made a parser panic")));
    };
    spot.ensure(Law::NoPanic, started.elapsed() < Duration::from_secs(5), || {
        format!(
            "{} bytes kept the parser busy for {:?}",
            text.len(),
            started.elapsed()
        )
    })?;
    match played {
        Ok(played) => {
            let legal = spot.table.legal(seat);
            let fits = played.aside.is_some() || legal.contains(&played.actions[0]);
            spot.ensure(Law::Refusals, fits, || {
                format!("{shown:?} of {seat:?} was played as {:?}", played.actions)
            })
        }
        Err(_) => {
            spot.ensure(Law::Refusals, after.as_deref().ok() == Some(save), || {
                format!("{shown:?} of {seat:?} was refused and changed the game")
            })?;
            spot.ensure(Law::Refusals, said.chars().count() <= 1500, || {
                format!("{shown:?} is refused with {} characters", said.chars().count())
            })
        }
    }
}
