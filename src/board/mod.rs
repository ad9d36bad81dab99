//! Geometry that games share: where cells are, what they are called, which way is north.

pub mod hex;
pub mod square;

/// What the name of a cell says: its column, with A as 0, in any case, and its number.
fn letter_and_number(name: &str) -> Option<(i8, i8)> {
    let (letter, digits) = name.split_at_checked(1)?;
    let letter = letter.bytes().next().filter(u8::is_ascii_alphabetic)?;
    // A sign is no part of a name, and two digits are enough for every board.
    let is_number = matches!(digits.len(), 1..=2) && digits.bytes().all(|digit| digit.is_ascii_digit());
    let column = letter.to_ascii_uppercase() - b'A';
    is_number.then(|| Some((i8::try_from(column).ok()?, digits.parse().ok()?)))?
}
