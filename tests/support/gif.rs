//! Reads animated GIFs without the crate that writes them, as their specification (GIF89a) tells it.

/// A whole screen of an animation, in the colours that are seen.
pub struct Shown {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
    /// In hundredths of a second.
    pub delay: u16,
}

/// Every screen of an animation. Panics where a file is not as it should be.
pub fn screens(file: &[u8]) -> Vec<Shown> {
    assert_eq!(&file[..6], b"GIF89a");
    let mut at = Reader { file, place: 6 };
    let (width, height) = (at.number(), at.number());
    let flags = at.byte();
    at.skip(2);
    let global = (flags & 0x80 != 0).then(|| at.palette(flags));
    let mut pixels = vec![[0; 3]; width * height];
    let mut shown = Vec::new();
    let (mut delay, mut clear) = (0, None);
    loop {
        match at.byte() {
            // The end of the file.
            0x3b => break,
            0x21 => {
                if at.byte() == 0xf9 {
                    assert_eq!(at.byte(), 4);
                    let flags = at.byte();
                    assert!((flags >> 2) & 7 <= 1, "what was drawn stays");
                    delay = at.number() as u16;
                    let index = at.byte();
                    clear = (flags & 1 != 0).then_some(index);
                    assert_eq!(at.byte(), 0);
                } else {
                    at.blocks();
                }
            }
            0x2c => {
                let (left, top) = (at.number(), at.number());
                let (wide, high) = (at.number(), at.number());
                assert!(left + wide <= width && top + high <= height);
                let flags = at.byte();
                assert_eq!(flags & 0x40, 0, "rows come in order");
                let own = (flags & 0x80 != 0).then(|| at.palette(flags));
                let palette = own.as_ref().or(global.as_ref()).expect("colours");
                let least = at.byte();
                let indices = unpacked(&at.blocks(), least, wide * high);
                for (y, row) in indices.chunks(wide).enumerate() {
                    for (x, index) in row.iter().enumerate() {
                        if Some(*index) != clear {
                            pixels[(top + y) * width + left + x] = palette[usize::from(*index)];
                        }
                    }
                }
                shown.push(Shown {
                    width,
                    height,
                    pixels: pixels.clone(),
                    delay,
                });
            }
            other => panic!("no block begins with {other:#x}"),
        }
    }
    assert_eq!(at.place, file.len(), "nothing comes behind the end");
    shown
}

struct Reader<'a> {
    file: &'a [u8],
    place: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.place += 1;
        self.file[self.place - 1]
    }

    fn number(&mut self) -> usize {
        usize::from(self.byte()) | (usize::from(self.byte()) << 8)
    }

    fn skip(&mut self, bytes: usize) {
        self.place += bytes;
    }

    fn palette(&mut self, flags: u8) -> Vec<[u8; 3]> {
        let colours = 2 << (flags & 7);
        (0..colours)
            .map(|_| [self.byte(), self.byte(), self.byte()])
            .collect()
    }

    /// Blocks of at most 255 bytes, until an empty one.
    fn blocks(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let length = usize::from(self.byte());
            if length == 0 {
                return bytes;
            }
            bytes.extend_from_slice(&self.file[self.place..self.place + length]);
            self.place += length;
        }
    }
}

/// LZW with codes that grow, the lowest bits first.
fn unpacked(bytes: &[u8], least: u8, wanted: usize) -> Vec<u8> {
    let clear = 1usize << least;
    let end = clear + 1;
    let mut words: Vec<Vec<u8>> = Vec::new();
    let start = |words: &mut Vec<Vec<u8>>| {
        words.clear();
        words.extend((0..clear).map(|index| vec![index as u8]));
        words.extend([Vec::new(), Vec::new()]);
    };
    start(&mut words);
    let (mut width, mut bit) = (u32::from(least) + 1, 0usize);
    let mut last: Option<usize> = None;
    let mut out = Vec::new();
    loop {
        let mut code = 0usize;
        for place in 0..width as usize {
            let byte = bytes[(bit + place) / 8];
            code |= usize::from((byte >> ((bit + place) % 8)) & 1) << place;
        }
        bit += width as usize;
        if code == clear {
            start(&mut words);
            width = u32::from(least) + 1;
            last = None;
            continue;
        }
        if code == end {
            break;
        }
        let word = match (words.get(code), last) {
            (Some(word), _) => word.clone(),
            (None, Some(last)) => {
                assert_eq!(code, words.len(), "a code that can't be known yet");
                let mut word = words[last].clone();
                word.push(word[0]);
                word
            }
            (None, None) => panic!("the first code is known"),
        };
        if let Some(last) = last
            && words.len() < 4096
        {
            let mut grown = words[last].clone();
            grown.push(word[0]);
            words.push(grown);
        }
        if words.len() == 1 << width && width < 12 {
            width += 1;
        }
        out.extend_from_slice(&word);
        last = Some(code);
    }
    assert_eq!(out.len(), wanted, "as many pixels as there are places");
    out
}
