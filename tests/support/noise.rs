//! Texts that nobody should have to read, and that no parser may fall over.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use parlor::game::{GameRng, Seat};

use super::law::{Kept, Law, Spot};

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

/// Numbers at which arithmetic goes wrong.
const EXTREMES: [&str; 12] = [
    "0",
    "-0",
    "-1",
    "255",
    "256",
    "65536",
    "4294967296",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "00000000000000000000000001",
    "1e309",
    "٣",
];

/// Letters that are more than one byte, change length with case, or can't be seen.
const STRANGE: [char; 22] = [
    'é',
    'ß',
    'İ',
    'ı',
    'ſ',
    'K',
    'Ω',
    'ﬀ',
    '—',
    '–',
    '→',
    '×',
    '−',
    '１',
    'Ａ',
    '\u{0}',
    '\u{200b}',
    '\u{202e}',
    '\u{feff}',
    '\u{301}',
    '😀',
    '\u{10ffff}',
];

/// One text: a legal one spoilt, or noise of some kind.
pub fn text(rng: &mut GameRng, legal: &[String]) -> String {
    match rng.below(8) {
        0 => (0..rng.below(30)).map(|_| any_char(rng)).collect(),
        1 => (0..rng.below(20))
            .map(|_| char::from(rng.below(128) as u8))
            .collect(),
        2 => {
            let word = rng.choose(legal).map_or("x", String::as_str).to_owned();
            let glue = ["; ", " ", "\n", ""][rng.below(4)];
            vec![word; 1 + rng.below(60)].join(glue)
        }
        3 if rng.below(12) == 0 => {
            let piece = [" ", "-", "a1", "F2", "(", "é", ";", "9", "x", "pass "][rng.below(10)];
            piece.repeat(20_000)
        }
        4 => {
            let letter = any_char(rng);
            let number = EXTREMES[rng.below(EXTREMES.len())];
            let before = rng.choose(legal).cloned().unwrap_or_default();
            let word: String = before.chars().take(rng.below(4)).collect();
            [
                format!("{letter}{number}"),
                format!("{word}{number}"),
                format!("{word} {number} {letter}"),
            ][rng.below(3)]
            .clone()
        }
        _ => spoilt(rng, legal),
    }
}

fn spoilt(rng: &mut GameRng, legal: &[String]) -> String {
    let mut letters: Vec<char> = rng
        .choose(legal)
        .map_or("a1-b2", String::as_str)
        .chars()
        .collect();
    for _ in 0..=rng.below(3) {
        let place = rng.below(letters.len() + 1);
        match rng.below(6) {
            0 if place < letters.len() => {
                letters.remove(place);
            }
            1 if place < letters.len() => letters[place] = any_char(rng),
            2 if place + 1 < letters.len() => letters.swap(place, place + 1),
            3 => letters.truncate(place),
            4 if place < letters.len() => {
                letters[place] = if letters[place].is_uppercase() {
                    letters[place].to_ascii_lowercase()
                } else {
                    letters[place].to_ascii_uppercase()
                };
            }
            _ => letters.insert(place, any_char(rng)),
        }
    }
    letters.into_iter().collect()
}

fn any_char(rng: &mut GameRng) -> char {
    match rng.below(4) {
        0 => STRANGE[rng.below(STRANGE.len())],
        1 => char::from_u32(rng.below(0x11_0000) as u32).unwrap_or('\u{fffd}'),
        _ => char::from(32 + rng.below(95) as u8),
    }
}
