//! Bytes packed by deflate, whole values at a time.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use super::port::Fault;

/// How much room is added at a time for what is packed or unpacked.
const PAGE: usize = 4096;

/// A way of packing: what was packed in one way is unpacked in the same.
#[derive(Clone, Copy, Debug)]
pub enum Packing {
    /// As zlib does, with a checksum at the end.
    Checked,
    /// Bare, with words that need not be written because both sides know them.
    Knowing(&'static [u8]),
}

impl Packing {
    const fn has_header(self) -> bool {
        match self {
            Self::Checked => true,
            Self::Knowing(_) => false,
        }
    }

    /// Appends what `bytes` pack to.
    pub fn pack(self, bytes: &[u8], packed: &mut Vec<u8>) -> Result<(), Fault> {
        let broken = |error: flate2::CompressError| Fault::new("packing a value", error);
        let mut packer = Compress::new(Compression::default(), self.has_header());
        if let Self::Knowing(words) = self {
            packer.set_dictionary(words).map_err(broken)?;
        }
        loop {
            packed.reserve(PAGE);
            let rest = bytes.get(packer.total_in() as usize..).unwrap_or_default();
            let status = packer.compress_vec(rest, packed, FlushCompress::Finish);
            if status.map_err(broken)? == Status::StreamEnd {
                // It lies in memory until it is written.
                packed.shrink_to_fit();
                return Ok(());
            }
        }
    }

    pub fn unpack(self, packed: &[u8]) -> Result<Vec<u8>, Fault> {
        let broken = |error: flate2::DecompressError| Fault::new("unpacking a value", error);
        let mut unpacker = Decompress::new(self.has_header());
        if let Self::Knowing(words) = self {
            unpacker.set_dictionary(words).map_err(broken)?;
        }
        let mut bytes = Vec::new();
        loop {
            bytes.reserve(PAGE);
            let (taken, given) = (unpacker.total_in(), unpacker.total_out());
            let rest = packed.get(taken as usize..).unwrap_or_default();
            let status = unpacker.decompress_vec(rest, &mut bytes, FlushDecompress::None);
            if status.map_err(broken)? == Status::StreamEnd {
                return Ok(bytes);
            }
            // There was room, and nothing came: the rest is missing.
            if (unpacker.total_in(), unpacker.total_out()) == (taken, given) {
                return Err(Fault::new("unpacking a value", "its end is missing"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: [Packing; 2] = [Packing::Checked, Packing::Knowing(b"what is often said")];

    /// Bytes that don't pack well.
    fn noise(length: usize) -> Vec<u8> {
        let mut word = 1_u32;
        let bytes = (0..length).map(|_| {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (word >> 24) as u8
        });
        bytes.collect()
    }

    #[test]
    fn values_of_any_length_come_back_as_they_were() {
        for way in WAYS {
            for length in [0, 1, 100, PAGE - 10, PAGE, PAGE + 1, 100_000] {
                for bytes in [noise(length), vec![7; length]] {
                    let mut packed = vec![1];
                    way.pack(&bytes, &mut packed).unwrap();
                    assert_eq!(packed[0], 1, "what was there stays");
                    assert!(way.unpack(&packed[1..]).unwrap() == bytes, "{length} bytes");
                }
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        for way in WAYS {
            let mut packed = Vec::new();
            way.pack(&noise(300), &mut packed).unwrap();
            for length in 0..packed.len() {
                assert!(way.unpack(&packed[..length]).is_err(), "{length} bytes");
            }
        }
    }
}
