//! A deflate for flat pictures.
//!
//! General packers look for repeats everywhere, with time or size to pay for it. A board of flat colours
//! repeats in three ways: along the row, from the row above, and from the same shape a few cells back.
//! This one tries exactly those, takes the longest, and writes one block with Huffman codes of its own.
//! On our boards that is smaller than what `flate2` makes at level 3, in a fraction of the time; the
//! figures are printed by `cargo bench --bench picture`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The shortest and longest repeat that the format can tell.
const SHORTEST: usize = 3;
const LONGEST: usize = 258;
/// The farthest back that a repeat may lie.
const WINDOW: usize = 32_768;
const HASH_BITS: u32 = 13;

/// Packs `data`, whose rows are `stride` bytes long, as a zlib stream.
pub(super) fn zlib(data: &[u8], stride: usize) -> Vec<u8> {
    let tokens = find_repeats(data, stride);
    let mut out = Bits {
        bytes: Vec::with_capacity(64 << 10),
        pending: 0,
        count: 0,
    };
    // Zlib's header: deflate with a window of 32 KiB, the fastest level, no dictionary.
    out.bytes.extend([0x78, 0x01]);
    write_block(&tokens, &mut out);
    out.finish();
    out.bytes.extend(simd_adler32::adler32(&data).to_be_bytes());
    out.bytes
}

/// A byte as it is, or a repeat of what came before.
#[derive(Clone, Copy)]
enum Token {
    Byte(u8),
    Repeat { length: u16, distance: u16 },
}

fn find_repeats(data: &[u8], stride: usize) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(data.len() / 16);
    // The last place, plus one, where four bytes with this hash began.
    let mut seen = vec![0_u32; 1 << HASH_BITS];
    let above = if stride <= WINDOW { stride } else { 1 };
    let mut at = 0;
    while at < data.len() {
        let mut best = (0, 0);
        if at >= 1 {
            best = (common(data, at - 1, at), 1);
        }
        if best.0 < LONGEST && at >= above {
            // Repeats from afar cost more bits, so they must be longer to be worth it.
            let length = common(data, at - above, at);
            if length > best.0 + 1 {
                best = (length, above);
            }
        }
        if best.0 < 64
            && let Some(four) = data[at..].first_chunk::<4>()
        {
            let hash = u32::from_le_bytes(*four).wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS);
            let place = &mut seen[hash as usize];
            let distance = (at + 1).saturating_sub(*place as usize);
            if *place > 0 && distance <= WINDOW && distance != above && distance > 1 {
                let length = common(data, at - distance, at);
                if length > best.0 + 1 {
                    best = (length, distance);
                }
            }
            *place = (at + 1) as u32;
        }
        let (length, distance) = best;
        if length >= SHORTEST && (length > SHORTEST || distance == 1) {
            tokens.push(Token::Repeat {
                length: length as u16,
                distance: (distance - 1) as u16,
            });
            at += length;
        } else {
            tokens.push(Token::Byte(data[at]));
            at += 1;
        }
    }
    tokens
}

/// How many bytes from `from` on equal those from `at` on.
#[inline]
fn common(data: &[u8], from: usize, at: usize) -> usize {
    let new = &data[at..data.len().min(at + LONGEST)];
    let old = &data[from..from + new.len()];
    let (new_words, new_rest) = new.as_chunks::<8>();
    let (old_words, old_rest) = old.as_chunks::<8>();
    for (i, (a, b)) in new_words.iter().zip(old_words).enumerate() {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return 8 * i + (differ.trailing_zeros() / 8) as usize;
        }
    }
    8 * new_words.len() + new_rest.iter().zip(old_rest).take_while(|(a, b)| a == b).count()
}

/// A symbol of the format and the bits that follow it.
#[derive(Clone, Copy)]
struct Symbol {
    code: usize,
    extra: u32,
    extra_bits: u32,
}

/// The symbol of a length, as in RFC 1951, 3.2.5.
fn length_symbol(length: u16) -> Symbol {
    if usize::from(length) == LONGEST {
        return Symbol {
            code: 285,
            extra: 0,
            extra_bits: 0,
        };
    }
    let steps = u32::from(length) - SHORTEST as u32;
    if steps < 8 {
        return Symbol {
            code: 257 + steps as usize,
            extra: 0,
            extra_bits: 0,
        };
    }
    let extra_bits = steps.ilog2() - 2;
    let code = 257 + 4 * extra_bits + (steps >> extra_bits);
    Symbol {
        code: code as usize,
        extra: steps & ((1 << extra_bits) - 1),
        extra_bits,
    }
}

/// The symbol of a distance, less one, as in RFC 1951, 3.2.5.
fn distance_symbol(distance: u16) -> Symbol {
    let steps = u32::from(distance);
    if steps < 4 {
        return Symbol {
            code: steps as usize,
            extra: 0,
            extra_bits: 0,
        };
    }
    let extra_bits = steps.ilog2() - 1;
    let code = 2 * extra_bits + (steps >> extra_bits);
    Symbol {
        code: code as usize,
        extra: steps & ((1 << extra_bits) - 1),
        extra_bits,
    }
}

const END: usize = 256;
/// The order in which the format tells the lengths of the codes for code lengths.
const LENGTH_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

fn write_block(tokens: &[Token], out: &mut Bits) {
    let mut literal_counts = [0_u32; 286];
    let mut distance_counts = [0_u32; 30];
    literal_counts[END] = 1;
    for token in tokens {
        match *token {
            Token::Byte(byte) => literal_counts[usize::from(byte)] += 1,
            Token::Repeat { length, distance } => {
                literal_counts[length_symbol(length).code] += 1;
                distance_counts[distance_symbol(distance).code] += 1;
            }
        }
    }
    // A code must have two symbols to be complete.
    distance_counts[0] += 1;
    distance_counts[1] += 1;
    literal_counts[0] += 1;
    let literals = Code::new(&literal_counts, 15);
    let distances = Code::new(&distance_counts, 15);

    // The last block, with codes of its own.
    out.put(0b101, 3);
    out.put(286 - 257, 5);
    out.put(30 - 1, 5);
    write_lengths(&[&literals.lengths[..], &distances.lengths].concat(), out);

    for token in tokens {
        match *token {
            Token::Byte(byte) => literals.write(usize::from(byte), out),
            Token::Repeat { length, distance } => {
                let symbol = length_symbol(length);
                literals.write(symbol.code, out);
                out.put(symbol.extra, symbol.extra_bits);
                let symbol = distance_symbol(distance);
                distances.write(symbol.code, out);
                out.put(symbol.extra, symbol.extra_bits);
            }
        }
    }
    literals.write(END, out);
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
        out.put(u32::from(code.lengths[symbol]), 3);
    }
    for symbol in symbols {
        code.write(symbol.code, out);
        out.put(symbol.extra, symbol.extra_bits);
    }
}

/// A Huffman code.
struct Code {
    lengths: Vec<u8>,
    /// The bits of each symbol, in the order in which they are sent.
    bits: Vec<u16>,
}

impl Code {
    fn new(counts: &[u32], limit: usize) -> Self {
        let lengths = code_lengths(counts, limit);
        // RFC 1951, 3.2.2: codes of one length are consecutive, shorter ones come first.
        let mut next = [0_u32; 17];
        for length in 1..=15 {
            let shorter = lengths.iter().filter(|&&l| usize::from(l) == length).count() as u32;
            next[length + 1] = (next[length] + shorter) << 1;
        }
        let bits = lengths
            .iter()
            .map(|&length| {
                let code = &mut next[usize::from(length)];
                let sent = (*code as u16).reverse_bits().checked_shr(16 - u32::from(length));
                *code += 1;
                sent.unwrap_or(0)
            })
            .collect();
        Self { lengths, bits }
    }

    #[inline]
    fn write(&self, symbol: usize, out: &mut Bits) {
        out.put(u32::from(self.bits[symbol]), u32::from(self.lengths[symbol]));
    }
}

/// The length of each symbol's code, 0 for those that do not occur.
fn code_lengths(counts: &[u32], limit: usize) -> Vec<u8> {
    // Huffman's way: join the two rarest until one tree is left. A joint's number is higher than those
    // of its branches.
    let mut heap: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    for (symbol, &count) in counts.iter().enumerate() {
        if count > 0 {
            heap.push(Reverse((count, symbol)));
        }
    }
    let mut parents = vec![usize::MAX; counts.len()];
    while let (Some(Reverse(a)), Some(Reverse(b))) = (heap.pop(), heap.pop()) {
        let joint = parents.len();
        parents.push(usize::MAX);
        parents[a.1] = joint;
        parents[b.1] = joint;
        if heap.is_empty() {
            break;
        }
        heap.push(Reverse((a.0 + b.0, joint)));
    }
    let mut depths = vec![0_usize; parents.len()];
    let mut of_length = vec![0_usize; limit + 1];
    for node in (0..parents.len()).rev() {
        if let Some(&above) = depths.get(parents[node]) {
            depths[node] = above + 1;
            if node < counts.len() {
                of_length[(above + 1).min(limit)] += 1;
            }
        }
    }
    // Codes cut to the limit take more room than there is: lengthen shorter ones until all fit.
    let room = 1 << limit;
    let mut taken: usize = (1..=limit)
        .map(|length| of_length[length] << (limit - length))
        .sum();
    while taken > room {
        let Some(length) = (1..limit).rev().find(|&length| of_length[length] > 0) else {
            break;
        };
        of_length[limit] -= 1;
        of_length[length] -= 1;
        of_length[length + 1] += 2;
        taken -= 1;
    }
    // The rarest symbols get the longest codes.
    let mut rarest: Vec<usize> = (0..counts.len()).filter(|&symbol| counts[symbol] > 0).collect();
    rarest.sort_by_key(|&symbol| (counts[symbol], symbol));
    let mut lengths = vec![0; counts.len()];
    let longest_first = (1..=limit)
        .rev()
        .flat_map(|length| vec![length as u8; of_length[length]]);
    for (symbol, length) in rarest.into_iter().zip(longest_first) {
        lengths[symbol] = length;
    }
    lengths
}

/// Bits on their way into bytes, lowest first.
struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    /// At most 32 bits at a time.
    #[inline]
    fn put(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.bytes.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    fn finish(&mut self) {
        let used = self.count.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..used]);
        (self.pending, self.count) = (0, 0);
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
    fn codes_obey_their_limit_and_fill_their_room() {
        // Fibonacci counts make the deepest tree.
        let mut counts = vec![1_u32, 1];
        while counts.len() < 40 {
            counts.push(counts[counts.len() - 1] + counts[counts.len() - 2]);
        }
        for limit in [7, 15] {
            let lengths = code_lengths(&counts, limit);
            assert!(
                lengths
                    .iter()
                    .all(|&length| (1..=limit).contains(&usize::from(length)))
            );
            let taken: usize = lengths
                .iter()
                .map(|&length| 1 << (limit - usize::from(length)))
                .sum();
            assert_eq!(taken, 1 << limit);
            assert!(lengths.is_sorted_by(|a, b| a >= b));
        }
    }

    #[test]
    fn flat_pictures_become_small() {
        let data = vec![3; 961 * 960];
        assert!(zlib(&data, 961).len() < 1200);
    }
}
