//! Deck codes: a whole deck in twenty letters and digits, to be passed on by hand.
//!
//! The first letter is the faction's. The next sixteen are the place of the deck in the list of all sets of 25 out of
//! 100 cards, in base 32; the last three are a checksum, so that a slip of the finger is noticed. Letters that look
//! like digits are read as those, and hyphens, spaces and case don't matter.

use std::fmt;
use std::str::FromStr;

use super::deck::{DECK_SIZE, Deck};
use super::face::Faction;
use super::pair::{CARDS_A_FACTION, CardId};

/// Crockford's digits: no I, L, O or U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Letters of the place in the list, and of the checksum.
const PLACE: usize = 16;
const CHECK: usize = 3;

/// A deck, printed and read as its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckCode(pub Deck);

impl fmt::Display for DeckCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faction = self.0.faction();
        let place = place(&self.0);
        let check = checksum(faction, place);
        let mut digits = String::with_capacity(1 + PLACE + CHECK);
        digits.push(faction.letter());
        write_digits(&mut digits, place, PLACE);
        write_digits(&mut digits, check, CHECK);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && index % 5 == 0 {
                f.write_str("-")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

impl FromStr for DeckCode {
    type Err = CodeFault;

    fn from_str(text: &str) -> Result<Self, CodeFault> {
        let mut letters = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        let first = letters.next().ok_or(CodeFault::Length(0))?;
        let faction = Faction::ALL
            .into_iter()
            .find(|faction| faction.letter().eq_ignore_ascii_case(&first))
            .ok_or(CodeFault::Faction(first))?;
        let digits: Vec<u128> = letters.map(digit).collect::<Result<_, _>>()?;
        if digits.len() != PLACE + CHECK {
            return Err(CodeFault::Length(digits.len() + 1));
        }
        let number = |digits: &[u128]| digits.iter().fold(0, |number, digit| number * 32 + digit);
        let (place, check) = digits.split_at(PLACE);
        let (place, check) = (number(place), number(check));
        if checksum(faction, place) != check {
            return Err(CodeFault::Check);
        }
        deck_at(faction, place).map(Self).ok_or(CodeFault::Check)
    }
}

/// A deck in eleven bytes, for where it is copied about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeckKey {
    faction: Faction,
    /// The place in the list of all decks of the faction, the greatest byte first.
    place: [u8; 10],
}

impl DeckKey {
    pub fn of(deck: &Deck) -> Self {
        // C(100, 25) has 78 bits, so ten bytes hold every place.
        let [.., a, b, c, d, e, f, g, h, i, j] = place(deck).to_be_bytes();
        Self {
            faction: deck.faction(),
            place: [a, b, c, d, e, f, g, h, i, j],
        }
    }

    /// The deck itself; nothing for a key that was not made of one.
    pub fn deck(&self) -> Option<Deck> {
        let place = self
            .place
            .iter()
            .fold(0, |place, byte| place << 8 | u128::from(*byte));
        deck_at(self.faction, place)
    }
}

/// Why a text is no deck code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeFault {
    #[error("a deck code has {all} letters and digits, and this one has {0}", all = 1 + PLACE + CHECK)]
    Length(usize),
    #[error("a deck code begins with F, K or S for the faction, not with `{0}`")]
    Faction(char),
    #[error("`{0}` is not used in deck codes")]
    Letter(char),
    #[error("something is mistyped in this deck code: its checksum is wrong")]
    Check,
}

fn write_digits(out: &mut String, mut number: u128, count: usize) {
    let mut digits = vec![b'0'; count];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number % 32) as usize];
        number /= 32;
    }
    out.extend(digits.into_iter().map(char::from));
}

fn digit(letter: char) -> Result<u128, CodeFault> {
    let plain = match letter.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    let place = DIGITS.iter().position(|digit| char::from(*digit) == plain);
    place.map(|place| place as u128).ok_or(CodeFault::Letter(letter))
}

/// How many ways there are to pick `k` of `n`.
fn choose(n: u128, k: u128) -> u128 {
    // Every step divides evenly, being a binomial itself; C(100, 25) has 78 bits.
    (0..k).fold(1, |ways, i| ways * n.saturating_sub(i) / (i + 1))
}

/// The deck's place in the list of all sets of 25 cards: the combinatorial number system.
fn place(deck: &Deck) -> u128 {
    let term = |(k, card): (u128, &CardId)| choose(u128::from(card.number() - 1), k);
    (1..).zip(deck.cards()).map(term).sum()
}

/// The deck at a place; nothing beyond the end of the list.
fn deck_at(faction: Faction, mut place: u128) -> Option<Deck> {
    let mut cards = Vec::with_capacity(DECK_SIZE);
    let mut below = CARDS_A_FACTION;
    for k in (1..=DECK_SIZE as u128).rev() {
        let number = (0..below)
            .rev()
            .find(|number| choose(u128::from(*number), k) <= place)?;
        place -= choose(u128::from(number), k);
        cards.push(CardId::new(faction, number + 1)?);
        below = number;
    }
    if place > 0 {
        return None;
    }
    Deck::new(cards).ok()
}

/// Fifteen bits over the faction and the place.
fn checksum(faction: Faction, place: u128) -> u128 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[faction.letter() as u8]);
    hasher.update(&place.to_be_bytes());
    u128::from(hasher.finalize() & 0x7FFF)
}
