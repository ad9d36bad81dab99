//! Texts that nobody should have to read, and that no parser may fall over.

use parlor::game::GameRng;

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

/// A text of which some words and signs are left out, doubled, replaced, or taken from another one.
pub fn shaken(rng: &mut GameRng, samples: &[String]) -> String {
    let mut own = tokens(rng.choose(samples).map_or("", String::as_str));
    let other = tokens(rng.choose(samples).map_or("", String::as_str));
    for _ in 0..=rng.below(4) {
        let place = rng.below(own.len() + 1);
        let from_other = rng.choose(&other).copied().unwrap_or("x");
        match rng.below(5) {
            0 if place < own.len() => {
                own.remove(place);
            }
            1 if place < own.len() => own[place] = EXTREMES[rng.below(EXTREMES.len())],
            2 if place < own.len() => own[place] = from_other,
            3 if place < own.len() => own.insert(place, own[place]),
            _ => own.insert(place, from_other),
        }
    }
    own.concat()
}

/// The words and signs of a text, in order.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let end = word.max(first.len_utf8());
        let (token, tail) = rest.split_at_checked(end).expect("letters are whole");
        tokens.push(token);
        rest = tail;
    }
    tokens
}
