//! A deflate for flat pictures.
//!
//! General packers look for repeats everywhere, with time or size to pay for it. A board of flat colours
//! repeats in three ways: along the row, from the row above, and from the same shape a few cells back.
//! This one tries exactly those, takes the longest, and writes one block with Huffman codes of its own.
//! On our boards it takes about the time of `flate2` at level 1 and makes a file a fifth smaller; level 2
//! would save a tenth more for four times the time. `cargo bench --bench picture` prints the figures.

use super::huffman::{Bits, Code};

/// The shortest and longest repeat that the format can tell.
const SHORTEST: usize = 3;
const LONGEST: usize = 258;
/// The farthest back that a repeat may lie.
const WINDOW: usize = 32_768;
const HASH_BITS: u32 = 13;

/// Packs `data`, whose rows are `stride` bytes long, as a zlib stream.
pub(super) fn zlib(data: &[u8], stride: usize) -> Vec<u8> {
    let tokens = find_repeats(data, stride);
    // Zlib's header: deflate with a window of 32 KiB, the fastest level, no dictionary.
    let mut out = Bits::after(&[0x78, 0x01]);
    write_block(&tokens, &mut out);
    let mut packed = out.finish();
    packed.extend(simd_adler32::adler32(&data).to_be_bytes());
    packed
}

/// A byte as it is, or a repeat of what came before. Both have the same form, so that sending them takes
/// no decision: the processor could not guess it.
#[derive(Clone, Copy)]
struct Token {
    /// The byte, or [`REPEAT`] and the length.
    what: u16,
    /// How far back the repeat begins; 0 for a byte.
    distance: u16,
}

const REPEAT: usize = 256;

impl Token {
    fn byte(byte: u8) -> Self {
        Self {
            what: u16::from(byte),
            distance: 0,
        }
    }

    fn repeat(length: usize, distance: usize) -> Self {
        Self {
            what: (REPEAT + length) as u16,
            distance: distance as u16,
        }
    }
}

fn find_repeats(data: &[u8], stride: usize) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(data.len() / 16);
    let Some(&first) = data.first() else {
        return tokens;
    };
    tokens.push(Token::byte(first));
    // Where four bytes with this hash began last.
    let mut seen = vec![0_u32; 1 << HASH_BITS];
    let mut at = 1;
    while let Some(word) = word(data, at) {
        let hash = (word as u32).wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS);
        let before = std::mem::replace(&mut seen[hash as usize], at as u32);
        let reachable = |distance: usize| {
            if distance <= at.min(WINDOW) { distance } else { 1 }
        };
        let distances = [1, reachable(stride), reachable(at - before as usize)];
        // Most places are settled by their first eight bytes, and then without a guess of the
        // processor's going wrong.
        let mut lengths = distances.map(|distance| alike(data, at - distance, word));
        if lengths.contains(&8) {
            for (length, distance) in lengths.iter_mut().zip(distances) {
                if *length == 8 {
                    *length += common(data, at + 8 - distance, at + 8);
                }
            }
        }
        let mut best = (lengths[0], 1);
        for (length, distance) in lengths.into_iter().zip(distances).skip(1) {
            // Repeats from afar cost more bits, so they must be longer to be worth it.
            best = if length > best.0 + 1 {
                (length, distance)
            } else {
                best
            };
        }
        let (length, distance) = best;
        if length > SHORTEST || (length == SHORTEST && distance == 1) {
            tokens.push(Token::repeat(length, distance));
            at += length;
        } else {
            tokens.push(Token::byte(word as u8));
            at += 1;
        }
    }
    tokens.extend(data[at..].iter().map(|&byte| Token::byte(byte)));
    tokens
}

/// The eight bytes from a place on, the first one lowest.
#[inline]
fn word(data: &[u8], at: usize) -> Option<u64> {
    data.get(at..)?
        .first_chunk()
        .map(|bytes| u64::from_le_bytes(*bytes))
}

/// How many of the eight bytes at a place are those of `wanted`.
#[inline]
fn alike(data: &[u8], at: usize, wanted: u64) -> usize {
    let differ = word(data, at).unwrap_or(!wanted) ^ wanted;
    (differ.trailing_zeros() / 8) as usize
}

/// How many bytes from `from` on equal those from `at` on, where eight are known to be alike already.
#[inline]
fn common(data: &[u8], from: usize, at: usize) -> usize {
    let new = &data[at..data.len().min(at + LONGEST - 8)];
    let old = &data[from..from + new.len()];
    let (new_words, new_rest) = new.as_chunks::<8>();
    let (old_words, old_rest) = old.as_chunks::<8>();
    for (i, (a, b)) in new_words.iter().zip(old_words).enumerate() {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return 8 * i + (differ.trailing_zeros() / 8) as usize;
        }
    }
    let rest = new_rest.iter().zip(old_rest).take_while(|(a, b)| a == b).count();
    8 * new_words.len() + rest
}

/// A symbol of the format and the bits that follow it.
#[derive(Clone, Copy)]
struct Symbol {
    code: usize,
    extra: u32,
    extra_bits: u32,
}

/// The symbol of a length, as in RFC 1951, 3.2.5.
fn length_symbol(length: usize) -> Symbol {
    if length == LONGEST {
        return Symbol {
            code: 285,
            extra: 0,
            extra_bits: 0,
        };
    }
    let steps = (length - SHORTEST) as u32;
    let extra_bits = steps.max(4).ilog2() - 2;
    let code = END as u32 + 1 + 4 * extra_bits + (steps >> extra_bits);
    Symbol {
        code: code as usize,
        extra: steps & ((1 << extra_bits) - 1),
        extra_bits,
    }
}

/// The symbol of a distance, as in RFC 1951, 3.2.5; that of a byte is [`NO_DISTANCE`].
#[inline]
fn distance_symbol(distance: u16) -> Symbol {
    let steps = u32::from(distance.saturating_sub(1));
    let extra_bits = steps.max(2).ilog2() - 1;
    let code = (2 * extra_bits + (steps >> extra_bits)) as usize;
    let code = if distance == 0 { NO_DISTANCE } else { code };
    Symbol {
        code,
        extra: steps & ((1 << extra_bits) - 1),
        extra_bits,
    }
}

/// Stands where a byte has no distance; nothing is sent for it.
const NO_DISTANCE: usize = 30;
const END: usize = 256;
/// The order in which the format tells the lengths of the codes for code lengths.
const LENGTH_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

fn write_block(tokens: &[Token], out: &mut Bits) {
    let mut whats = [0_u32; REPEAT + LONGEST + 1];
    let mut distance_counts = [0_u32; NO_DISTANCE + 1];
    for token in tokens {
        whats[usize::from(token.what)] += 1;
        distance_counts[distance_symbol(token.distance).code] += 1;
    }
    let mut literal_counts = [0_u32; 286];
    literal_counts[..REPEAT].copy_from_slice(&whats[..REPEAT]);
    for length in SHORTEST..=LONGEST {
        literal_counts[length_symbol(length).code] += whats[REPEAT + length];
    }
    literal_counts[END] = 1;
    // A code must have two symbols to be complete.
    literal_counts[0] += 1;
    distance_counts[0] += 1;
    distance_counts[1] += 1;
    let literals = Code::new(&literal_counts, 15);
    let distances = Code::new(&distance_counts[..NO_DISTANCE], 15);

    // The last block, with codes of its own.
    out.put(0b101, 3);
    out.put(286 - 257, 5);
    out.put(NO_DISTANCE as u64 - 1, 5);
    write_lengths(&[&literals.lengths[..], &distances.lengths].concat(), out);

    // What each token starts with, ready to send.
    let mut starts = [(0_u64, 0_u32); REPEAT + LONGEST + 1];
    for (byte, start) in starts[..REPEAT].iter_mut().enumerate() {
        *start = literals.word(byte);
    }
    for length in SHORTEST..=LONGEST {
        let symbol = length_symbol(length);
        let (bits, count) = literals.word(symbol.code);
        starts[REPEAT + length] = (bits | u64::from(symbol.extra) << count, count + symbol.extra_bits);
    }
    let mut words = [(0_u64, 0_u32); NO_DISTANCE + 1];
    for (code, word) in words[..NO_DISTANCE].iter_mut().enumerate() {
        *word = distances.word(code);
    }
    for token in tokens {
        let (bits, count) = starts[usize::from(token.what)];
        let symbol = distance_symbol(token.distance);
        let (word, length) = words[symbol.code];
        let behind = word | u64::from(symbol.extra) << length;
        out.put(bits | behind << count, count + length + symbol.extra_bits);
    }
    let (bits, count) = literals.word(END);
    out.put(bits, count);
}

/// Tells the lengths of both codes, packed by a third code of their own.
fn write_lengths(lengths: &[u8], out: &mut Bits) {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut rest = lengths;
    while let Some(&first) = rest.first() {
        let run = rest.iter().take_while(|&&length| length == first).count();
        let (symbol, used) = match (first, run) {
            (0, 11..) => {
                let used = run.min(138);
                (
                    Symbol {
                        code: 18,
                        extra: (used - 11) as u32,
                        extra_bits: 7,
                    },
                    used,
                )
            }
            (0, 3..) => (
                Symbol {
                    code: 17,
                    extra: (run - 3) as u32,
                    extra_bits: 3,
                },
                run,
            ),
            _ => (
                Symbol {
                    code: usize::from(first),
                    extra: 0,
                    extra_bits: 0,
                },
                1,
            ),
        };
        symbols.push(symbol);
        rest = &rest[used..];
    }
    let mut counts = [0_u32; 19];
    counts[0] = 1;
    counts[18] = 1;
    for symbol in &symbols {
        counts[symbol.code] += 1;
    }
    let code = Code::new(&counts, 7);
    out.put(19 - 4, 4);
    for symbol in LENGTH_ORDER {
        out.put(u64::from(code.lengths[symbol]), 3);
    }
    for symbol in symbols {
        let (bits, count) = code.word(symbol.code);
        out.put(bits | u64::from(symbol.extra) << count, count + symbol.extra_bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn unpack(packed: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        flate2::read::ZlibDecoder::new(packed)
            .read_to_end(&mut out)
            .unwrap();
        out
    }

    /// Numbers that look random, for data that must not be.
    fn noise(seed: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(seed | 1), |x| {
            let x = x ^ (x << 13);
            let x = x ^ (x >> 17);
            Some(x ^ (x << 5))
        })
    }

    #[test]
    fn what_is_packed_is_read_back_by_others() {
        let flat = vec![7; 100_000];
        let random: Vec<u8> = noise(5).take(70_000).map(|x| (x >> 9) as u8).collect();
        let rare: Vec<u8> = noise(9)
            .take(200_000)
            .map(|x| (x.leading_zeros() * 8) as u8)
            .collect();
        let striped: Vec<u8> = (0..50_000).map(|i| (i % 97 / 5) as u8).collect();
        for data in [
            &b""[..],
            b"a",
            b"aaa",
            b"abcabcabcabc",
            &flat,
            &random,
            &rare,
            &striped,
        ] {
            for stride in [1, 2, 97, 961, 40_000] {
                assert_eq!(unpack(&zlib(data, stride)), data);
            }
        }
    }

    #[test]
    fn every_length_and_distance_is_read_back() {
        for repeat in 3..=600 {
            let mut data: Vec<u8> = noise(repeat).take(300).map(|x| (x >> 7) as u8).collect();
            data.extend_from_within(..(repeat as usize).min(300));
            data.extend(vec![1; repeat as usize]);
            assert_eq!(unpack(&zlib(&data, 300)), data);
        }
        for distance in (4..WINDOW).step_by(1009).chain([WINDOW - 1, WINDOW]) {
            let mut data: Vec<u8> = noise(3).take(distance).map(|x| (x >> 7) as u8).collect();
            data.extend_from_within(..distance.min(100));
            assert_eq!(unpack(&zlib(&data, distance)), data);
        }
    }

    #[test]
    fn flat_pictures_become_small() {
        let data = vec![3; 961 * 960];
        assert!(zlib(&data, 961).len() < 1200);
    }
}
