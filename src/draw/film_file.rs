//! The file of a film, frame by frame: an animated GIF, or an animated PNG.
//!
//! Everything shows GIFs. Browsers show animated PNGs, too, which pack better: the same frames weigh less in every game.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::mix::Mixer;
use super::palette::Theme;

/// A film could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    #[error("the film could not be written: {0}")]
    Gif(#[from] gif::EncodingError),
    #[error("the film could not be packed: {0}")]
    Png(#[from] io::Error),
}

/// What file a film becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmFormat {
    #[default]
    Gif,
    /// For browsers.
    AnimatedPng,
}

/// A part of a film that is new.
pub(super) struct FilmFrame<'a> {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Numbers of colours, row by row, and which of them stands for "as it was".
    pub(super) pixels: Cow<'a, [u8]>,
    pub(super) as_before: Option<u8>,
}

/// The last frame that was written. How long it stays is known for good when the next one comes.
#[derive(Clone, Copy, Debug)]
struct LastFrame<T> {
    /// Where in the file it begins.
    at: usize,
    hundredths: u16,
    frame: T,
}

pub(super) enum FilmFile {
    Gif(GifFile),
    Png(PngFile),
}

impl FilmFile {
    pub(super) fn new(
        [width, height]: [usize; 2],
        theme: Theme,
        format: FilmFormat,
    ) -> Result<Self, FilmError> {
        Ok(match format {
            FilmFormat::Gif => Self::Gif(GifFile::new(width, height, theme)?),
            FilmFormat::AnimatedPng => Self::Png(PngFile::new(width, height, theme)),
        })
    }

    /// The colour that stands for "as it was" in a frame that has these; none, if there is none left.
    pub(super) fn as_before(&self, used: &[bool; 256]) -> Option<u8> {
        match self {
            Self::Gif(_) => (0..=u8::MAX).rev().find(|colour| !used[usize::from(*colour)]),
            Self::Png(file) => Some(file.clear),
        }
    }

    /// The number under which a colour stands in the file.
    pub(super) fn colour(&self, colour: u8) -> u8 {
        match self {
            Self::Gif(_) => colour,
            Self::Png(file) if colour == file.clear => file.twin,
            Self::Png(_) => colour,
        }
    }

    pub(super) fn add(&mut self, frame: &FilmFrame<'_>, hundredths: u16) -> Result<(), FilmError> {
        match self {
            Self::Gif(file) => file.add(frame, hundredths),
            Self::Png(file) => file.add(frame, hundredths),
        }
    }

    /// The last frame stays longer.
    pub(super) fn stay_longer(&mut self, hundredths: u16) {
        match self {
            Self::Gif(file) => file.stay_longer(hundredths),
            Self::Png(file) => file.stay_longer(hundredths),
        }
    }

    /// How many bytes there are so far.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Gif(file) => file.encoder.get_ref().len(),
            Self::Png(file) => file.bytes.len(),
        }
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, FilmError> {
        match self {
            Self::Gif(file) => Ok(file.encoder.into_inner()?),
            Self::Png(file) => Ok(file.finish()),
        }
    }
}

pub(super) struct GifFile {
    encoder: Encoder<Vec<u8>>,
    last: Option<LastFrame<()>>,
}

impl GifFile {
    /// Where a frame says how long it stays, counted from its first byte: behind the marks of its head and its flags.
    const DELAY: Range<usize> = 4..6;

    fn new(width: usize, height: usize, theme: Theme) -> Result<Self, FilmError> {
        let mut encoder = Encoder::new(Vec::new(), short(width), short(height), &palette(theme))?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { encoder, last: None })
    }

    fn add(&mut self, frame: &FilmFrame<'_>, hundredths: u16) -> Result<(), FilmError> {
        let at = self.encoder.get_ref().len();
        self.encoder.write_frame(&Frame {
            delay: hundredths,
            left: short(frame.left),
            top: short(frame.top),
            width: short(frame.width),
            height: short(frame.height),
            transparent: frame.as_before,
            buffer: Cow::Borrowed(&frame.pixels),
            dispose: DisposalMethod::Keep,
            ..Frame::default()
        })?;
        self.last = Some(LastFrame {
            at,
            hundredths,
            frame: (),
        });
        Ok(())
    }

    fn stay_longer(&mut self, more: u16) {
        let Some(last) = &mut self.last else {
            return;
        };
        last.hundredths = last.hundredths.saturating_add(more);
        let written = last.at + Self::DELAY.start..last.at + Self::DELAY.end;
        if let Some(delay) = self.encoder.get_mut().get_mut(written) {
            delay.copy_from_slice(&last.hundredths.to_le_bytes());
        }
    }
}

pub(super) struct PngFile {
    bytes: Vec<u8>,
    /// Stands for "as it was" in every frame: there is one such number for the whole file.
    clear: u8,
    /// The colour that looks most like it, and is shown in its place.
    twin: u8,
    /// Where the file says how many frames it has.
    head: usize,
    frames: u32,
    /// The number of the next chunk that belongs to the film.
    sequence: u32,
    last: Option<LastFrame<FrameHead>>,
}

/// What is said of a frame before it comes.
#[derive(Clone, Copy, Debug)]
struct FrameHead {
    sequence: u32,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl FrameHead {
    fn write(&self, hundredths: u16) -> Vec<u8> {
        /// What is shown stays below the next frame, which is laid over it.
        const STAYS: u8 = 0;
        const LAID_OVER: u8 = 1;
        let mut data = Vec::with_capacity(26);
        for number in [
            self.sequence,
            long(self.width),
            long(self.height),
            long(self.left),
            long(self.top),
        ] {
            data.extend(number.to_be_bytes());
        }
        data.extend(hundredths.to_be_bytes());
        data.extend(100u16.to_be_bytes());
        data.extend([STAYS, LAID_OVER]);
        chunk(*b"fcTL", &data)
    }
}

impl PngFile {
    const SIGNATURE: &'static [u8] = b"\x89PNG\r\n\x1a\n";

    /// Nobody waits for a film as for a board: it is packed well.
    const LEVEL: u32 = 6;

    fn new(width: usize, height: usize, theme: Theme) -> Self {
        /// A byte a pixel, which is the number of a colour; packed and filtered in the only ways there are, and not interlaced.
        const FORM: [u8; 5] = [8, 3, 0, 0, 0];
        let (clear, twin) = twins(theme);
        let mut size = Vec::with_capacity(13);
        size.extend(long(width).to_be_bytes());
        size.extend(long(height).to_be_bytes());
        size.extend(FORM);
        let mut alpha = vec![u8::MAX; usize::from(clear)];
        alpha.push(0);
        let mut bytes = Self::SIGNATURE.to_vec();
        bytes.extend(chunk(*b"IHDR", &size));
        let head = bytes.len();
        bytes.extend(Self::head(0));
        bytes.extend(chunk(*b"PLTE", &palette(theme)));
        bytes.extend(chunk(*b"tRNS", &alpha));
        Self {
            bytes,
            clear,
            twin,
            head,
            frames: 0,
            sequence: 0,
            last: None,
        }
    }

    /// How many frames there are, which are shown over and over.
    fn head(frames: u32) -> Vec<u8> {
        const FOR_EVER: u32 = 0;
        let data = [frames.to_be_bytes(), FOR_EVER.to_be_bytes()].concat();
        chunk(*b"acTL", &data)
    }

    fn add(&mut self, frame: &FilmFrame<'_>, hundredths: u16) -> Result<(), FilmError> {
        let head = FrameHead {
            sequence: self.next(),
            left: frame.left,
            top: frame.top,
            width: frame.width,
            height: frame.height,
        };
        let at = self.bytes.len();
        self.bytes.extend(head.write(hundredths));
        let packed = packed(&frame.pixels, frame.width)?;
        if self.frames == 0 {
            // The first is what those see who show no films.
            self.bytes.extend(chunk(*b"IDAT", &packed));
        } else {
            let mut data = self.next().to_be_bytes().to_vec();
            data.extend(packed);
            self.bytes.extend(chunk(*b"fdAT", &data));
        }
        self.frames += 1;
        self.last = Some(LastFrame {
            at,
            hundredths,
            frame: head,
        });
        Ok(())
    }

    fn next(&mut self) -> u32 {
        let number = self.sequence;
        self.sequence += 1;
        number
    }

    fn stay_longer(&mut self, more: u16) {
        if let Some(last) = &mut self.last {
            last.hundredths = last.hundredths.saturating_add(more);
            overwrite(&mut self.bytes, last.at, &last.frame.write(last.hundredths));
        }
    }

    fn finish(mut self) -> Vec<u8> {
        overwrite(&mut self.bytes, self.head, &Self::head(self.frames));
        self.bytes.extend(chunk(*b"IEND", &[]));
        self.bytes
    }
}

/// Writes something in place of what was as long.
fn overwrite(bytes: &mut [u8], at: usize, fresh: &[u8]) {
    if let Some(place) = bytes.get_mut(at..at + fresh.len()) {
        place.copy_from_slice(fresh);
    }
}

/// A part of a PNG file: its length, its name, what it holds, and a sum to check it by.
fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(data.len() + 12);
    bytes.extend(long(data.len()).to_be_bytes());
    bytes.extend(name);
    bytes.extend(data);
    let sum = bytes.get(4..).map_or(0, crc32fast::hash);
    bytes.extend(sum.to_be_bytes());
    bytes
}

/// Pixels as PNG wants them: each row behind the name of its filter, which is none, and packed.
fn packed(pixels: &[u8], width: usize) -> io::Result<Vec<u8>> {
    let mut packer = ZlibEncoder::new(Vec::with_capacity(16 << 10), Compression::new(PngFile::LEVEL));
    for row in pixels.chunks_exact(width.max(1)) {
        packer.write_all(&[0])?;
        packer.write_all(row)?;
    }
    packer.finish()
}

/// The two colours of a palette that look most alike. The one that mixes have is given up, where one of them is an ink: inks come
/// first.
fn twins(theme: Theme) -> (u8, u8) {
    let colours = Mixer::of(theme).colours();
    let apart = |one: u8, other: u8| {
        let parts = colours[usize::from(one)]
            .0
            .iter()
            .zip(colours[usize::from(other)].0);
        parts
            .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
            .sum::<u32>()
    };
    let pairs = (1..=u8::MAX).flat_map(|clear| (0..clear).map(move |twin| (clear, twin)));
    pairs
        .min_by_key(|(clear, twin)| apart(*clear, *twin))
        .unwrap_or((u8::MAX, 0))
}

fn palette(theme: Theme) -> Vec<u8> {
    let colours = Mixer::of(theme).colours();
    colours.iter().flat_map(|colour| colour.0).collect()
}

/// A length as GIF has it. Pictures are far smaller than that.
fn short(length: usize) -> u16 {
    u16::try_from(length).unwrap_or(u16::MAX)
}

/// A length as PNG has it.
fn long(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
