//! Pictures as PNG files, small and fast.
//!
//! The file holds one byte a pixel and a palette. Rows are not filtered: differences of colour numbers
//! mean nothing, and repeats from the row above are found by the packer as they are.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::canvas::Canvas;
use super::mix::Mixer;

/// A picture could not be encoded.
#[derive(Debug, thiserror::Error)]
#[error("the picture could not be encoded: {0}")]
pub struct PngError(#[from] png::EncodingError);

/// Packs a board in little more than a millisecond, to 50 KB. The next better ones take twice as long for each
/// twentieth that they save.
const QUICK: u32 = 2;

/// A picture that weighs more than this is packed again, three times as slowly and a seventh smaller: crowded
/// boards stay below the 60 KiB that suit a phone, and all others stay fast.
const HEAVY: usize = 57 << 10;
const THOROUGH: u32 = 6;

/// PNG's name for rows that are sent as they are.
const NO_FILTER: u8 = 0;

/// The canvas as a PNG file.
pub(super) fn encode(canvas: &Canvas) -> Result<Vec<u8>, PngError> {
    let mut file = Vec::with_capacity(96 << 10);
    let colours = Mixer::of(canvas.theme()).colours();
    let palette = colours.iter().flat_map(|colour| colour.0).collect();
    write(
        &mut file,
        [canvas.width(), canvas.height()],
        palette,
        &rows(canvas),
    )?;
    Ok(file)
}

fn write(
    file: &mut Vec<u8>,
    [width, height]: [u32; 2],
    palette: Vec<u8>,
    rows: &[u8],
) -> Result<(), PngError> {
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    let mut writer = encoder.write_header()?;
    let mut data = pack(rows, QUICK)?;
    if data.len() > HEAVY {
        data = pack(rows, THOROUGH)?;
    }
    writer.write_chunk(png::chunk::IDAT, &data)?;
    writer.finish()?;
    Ok(())
}

/// A picture of ours as numbers of colours.
pub(super) struct Indexed {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Red, green and blue of each colour.
    pub(super) palette: Vec<u8>,
    /// Row by row, one byte a pixel.
    pub(super) pixels: Vec<u8>,
}

impl Indexed {
    /// Reads a file; none if it is no picture of ours.
    pub(super) fn read(file: &[u8]) -> Option<Self> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().ok()?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let palette = reader.info().palette.as_ref()?.to_vec();
        if reader.info().bit_depth != png::BitDepth::Eight {
            return None;
        }
        let mut pixels = vec![0; reader.output_buffer_size()?];
        reader.next_frame(&mut pixels).ok()?;
        Some(Self {
            width,
            height,
            palette,
            pixels,
        })
    }

    pub(super) fn file(&self) -> Result<Vec<u8>, PngError> {
        let mut rows = Vec::with_capacity(self.pixels.len() + self.height);
        for row in self.pixels.chunks_exact(self.width) {
            rows.push(NO_FILTER);
            rows.extend_from_slice(row);
        }
        let mut file = Vec::with_capacity(96 << 10);
        let size = [self.width as u32, self.height as u32];
        write(&mut file, size, self.palette.clone(), &rows)?;
        Ok(file)
    }
}

fn pack(rows: &[u8], level: u32) -> Result<Vec<u8>, PngError> {
    let mut packer = ZlibEncoder::new(Vec::with_capacity(96 << 10), Compression::new(level));
    packer
        .write_all(rows)
        .and_then(|()| packer.finish())
        .map_err(|error| PngError(error.into()))
}

/// The pixels as PNG wants them: each row behind the name of its filter.
fn rows(canvas: &Canvas) -> Vec<u8> {
    let width = canvas.width() as usize;
    let mut rows = Vec::with_capacity(canvas.pixels().len() + canvas.height() as usize);
    for row in canvas.pixels().chunks_exact(width) {
        rows.push(NO_FILTER);
        rows.extend_from_slice(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::palette::{Ink, Theme};

    #[test]
    fn others_read_the_picture_that_was_drawn() {
        let mut canvas = Canvas::new(123, 77, Theme::Dark);
        canvas.circle(60.0, 40.0, 30.0, Ink::seat(2));
        let file = encode(&canvas).unwrap();
        let decoder = png::Decoder::new(std::io::Cursor::new(&file));
        let mut reader = decoder.read_info().unwrap();
        let palette = reader.info().palette.clone().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (123, 77));
        assert_eq!(pixels, canvas.pixels().as_raw()[..]);
        for (x, y, pixel) in canvas.pixels().enumerate_pixels() {
            let at = 3 * usize::from(pixel.0[0]);
            assert_eq!(canvas.colour_at(x, y).unwrap().0, palette[at..at + 3]);
        }
    }
}
