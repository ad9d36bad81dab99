//! Chance, by (seed, step).
//!
//! A match owns one [`Seed`]. What happens at step *n* draws from a generator made of that seed and
//! *n*, so a match replays to the same position from its seed and its actions. The bits come from
//! SHA-256 in counter mode and every mapping of bits to dice is written here: no upgrade of a
//! dependency can change an old match, and nobody who has seen some of the draws can foretell the
//! others.
//!
//! Search needs neither: [`GameRng::quick`] gives a small, fast generator for playouts.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::text::hex;

/// The secret from which all chance of one match follows.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A seed from what somebody typed: 64 hexadecimal digits are taken as they are (that is how a
    /// record shows its seed); any other text is hashed.
    pub fn from_text(text: &str) -> Self {
        Self::from_hex(text).unwrap_or_else(|| Self(Sha256::digest(text.as_bytes()).into()))
    }

    /// Reads the 64 hexadecimal digits that [`Seed::reveal`] writes.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let high = char::from(pair[0]).to_digit(16)?;
            let low = char::from(pair[1]).to_digit(16)?;
            *byte = (high * 16 + low) as u8;
        }
        Some(Self(bytes))
    }

    /// The seed in plain: for the record of a finished match, and for the store.
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// SHA-256 of the seed, shown when a match starts: it binds the bot to the seed and tells
    /// nothing of it.
    pub fn commitment(&self) -> String {
        hex(&Sha256::digest(self.0))
    }

    /// The generator for step `step` of a match; the setup is step 0, the first action step 1.
    pub fn at(&self, step: u64) -> GameRng {
        GameRng {
            drawn: 0,
            source: Source::Hashed(Hashed {
                seed: self.0,
                step,
                block: 0,
                buffer: [0; 32],
                used: 32,
            }),
        }
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// A source of chance that is handed to the rules; it is never part of a position.
#[derive(Clone)]
pub struct GameRng {
    drawn: u64,
    source: Source,
}

/// Says nothing of the seed.
impl fmt::Debug for GameRng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameRng")
            .field("drawn", &self.drawn)
            .finish_non_exhaustive()
    }
}

#[derive(Clone)]
enum Source {
    Hashed(Hashed),
    Quick(u64),
}

#[derive(Clone)]
struct Hashed {
    seed: [u8; 32],
    step: u64,
    block: u64,
    buffer: [u8; 32],
    used: usize,
}

impl GameRng {
    /// A fast generator (SplitMix64) for playouts. Never used for what players see.
    pub const fn quick(seed: u64) -> Self {
        Self {
            drawn: 0,
            source: Source::Quick(seed),
        }
    }

    /// How often chance was asked: an action that did has let it speak, and can't be taken back
    /// unseen. Asking for one of one counts, too: whoever draws the last card sees it.
    pub const fn drawn(&self) -> u64 {
        self.drawn
    }

    /// The next 64 bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.drawn += 1;
        match &mut self.source {
            Source::Quick(state) => {
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                mix(*state)
            }
            Source::Hashed(hashed) => hashed.word(),
        }
    }

    /// A number below `bound`, each equally likely; 0 where there is nothing to choose from.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        if bound <= 1 {
            self.drawn += 1;
            return 0;
        }
        // Lemire's multiplication with rejection of the few words that would favour low numbers.
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.word()) * u128::from(bound);
            if wide as u64 >= threshold {
                return (wide >> 64) as usize;
            }
        }
    }

    /// A number below `bound` for playouts: one multiplication, and a bias of at most
    /// `bound` in 2⁶⁴.
    #[inline]
    pub fn quick_below(&mut self, bound: usize) -> usize {
        ((u128::from(self.word()) * bound as u128) >> 64) as usize
    }

    /// One of the items, each equally likely.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Heads or tails.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// Puts the items into an order in which each arrangement is equally likely (Fisher–Yates,
    /// from the last place down).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

impl Hashed {
    fn word(&mut self) -> u64 {
        if self.used + 8 > self.buffer.len() {
            let mut hasher = Sha256::new();
            hasher.update(self.seed);
            hasher.update(self.step.to_le_bytes());
            hasher.update(self.block.to_le_bytes());
            self.buffer = hasher.finalize().into();
            self.block += 1;
            self.used = 0;
        }
        let mut word = [0; 8];
        word.copy_from_slice(&self.buffer[self.used..self.used + 8]);
        self.used += 8;
        u64::from_le_bytes(word)
    }
}

/// A good hash of one word: the output function of SplitMix64. Also used for position keys.
#[inline]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes were computed with `sha256sum` over 32 zero bytes, the step and the block number,
    /// both as eight little-endian bytes.
    #[test]
    fn the_stream_is_sha256_of_seed_step_and_block() {
        let mut rng = Seed::new([0; 32]).at(1);
        let mut input = [0u8; 48];
        input[32] = 1;
        let block: [u8; 32] = Sha256::digest(input).into();
        for word in block.chunks_exact(8) {
            assert_eq!(rng.word().to_le_bytes(), word);
        }
        input[40] = 1;
        let next: [u8; 32] = Sha256::digest(input).into();
        assert_eq!(rng.word().to_le_bytes(), next[..8]);
    }

    #[test]
    fn a_shuffle_is_fixed_for_ever() {
        let mut cards: Vec<u8> = (0..10).collect();
        Seed::from_text("parlor").at(3).shuffle(&mut cards);
        let mut again: Vec<u8> = (0..10).collect();
        Seed::from_text("parlor").at(3).shuffle(&mut again);
        assert_eq!(cards, again);
        let mut other: Vec<u8> = (0..10).collect();
        Seed::from_text("parlor").at(4).shuffle(&mut other);
        assert_ne!(cards, other);
        cards.sort_unstable();
        assert_eq!(cards, (0..10).collect::<Vec<u8>>());
    }

    #[test]
    fn every_face_of_a_die_comes_up_equally_often() {
        let mut rng = Seed::from_text("dice").at(0);
        let mut faces = [0u32; 6];
        for _ in 0..60_000 {
            faces[rng.below(6)] += 1;
        }
        assert!(
            faces.iter().all(|&count| (9_500..10_500).contains(&count)),
            "{faces:?}"
        );
    }

    #[test]
    fn a_seed_survives_its_own_text_and_hides_from_debug() {
        let seed = Seed::from_text("42");
        assert_eq!(Seed::from_text(&seed.reveal()), seed);
        assert!(!format!("{seed:?}").contains(&seed.reveal()[..8]));
        assert_ne!(seed.commitment(), seed.reveal());
        assert_eq!(Seed::from_hex("zz"), None);
    }
}
