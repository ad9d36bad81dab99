//! Huffman codes as deflate uses them, and bits in their order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A Huffman code.
pub(super) struct Code {
    pub lengths: Vec<u8>,
    /// The bits of each symbol, in the order in which they are sent.
    bits: Vec<u16>,
}

impl Code {
    pub fn new(counts: &[u32], limit: usize) -> Self {
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

    /// The bits of a symbol and how many they are.
    pub fn word(&self, symbol: usize) -> (u64, u32) {
        (u64::from(self.bits[symbol]), u32::from(self.lengths[symbol]))
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
pub(super) struct Bits {
    /// Longer than what is written, and grown by doubling.
    bytes: Vec<u8>,
    written: usize,
    /// Fewer than eight.
    pending: u64,
    count: u32,
}

impl Bits {
    /// Bits that will follow these bytes.
    pub fn after(bytes: &[u8]) -> Self {
        let mut room = vec![0; 64 << 10];
        room.splice(..0, bytes.iter().copied());
        Self {
            bytes: room,
            written: bytes.len(),
            pending: 0,
            count: 0,
        }
    }

    /// At most 56 bits at a time. All eight bytes are written each time, without asking how many are
    /// full: that is cheaper than a guess gone wrong.
    #[inline]
    pub fn put(&mut self, bits: u64, count: u32) {
        self.pending |= bits << self.count;
        self.count += count;
        if self.written + 8 > self.bytes.len() {
            self.bytes.resize(2 * self.bytes.len(), 0);
        }
        self.bytes[self.written..self.written + 8].copy_from_slice(&self.pending.to_le_bytes());
        self.written += (self.count / 8) as usize;
        self.pending >>= self.count & !7;
        self.count &= 7;
    }

    /// The bytes, with the last one filled up.
    pub fn finish(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes.truncate(self.written);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
