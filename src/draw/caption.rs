//! The caption of a picture: the call in large letters, and under it what else there is to know.

use super::canvas::Rect;
use super::{Align, Canvas, Ink, Style, font};

/// The sizes in which a caption is tried, the call's and the notes'. A phone shows a picture at two fifths of its size,
/// and there the smallest can still be read.
const SIZES: [(f32, f32); 4] = [(36.0, 27.0), (32.0, 26.0), (29.0, 24.0), (27.0, 23.0)];

/// The words under or over a board, set in lines.
#[derive(Clone, Debug)]
pub struct Caption {
    lines: Vec<(String, Style)>,
}

impl Caption {
    /// As large as it can be within a width and a height. Should even the smallest be too long, the notes are cut.
    pub fn within(call: &str, notes: &str, width: f32, height: f32) -> Self {
        let tried = SIZES.map(|sizes| Self::set(call, notes, width, sizes));
        let mut last = None;
        for caption in tried {
            if caption.height() <= height {
                return caption;
            }
            last = Some(caption);
        }
        let mut caption = last.unwrap_or(Self { lines: Vec::new() });
        while caption.height() > height && caption.lines.len() > 1 {
            caption.lines.pop();
            if let Some((line, style)) = caption.lines.last_mut() {
                *line = font::fit(&format!("{line} …"), width, *style);
            }
        }
        caption
    }

    /// As high as it needs to be, in a picture that is `scale` times as wide as usual.
    pub fn flowing(call: &str, notes: &str, width: f32, scale: f32) -> Self {
        let (large, small) = SIZES[1];
        Self::set(call, notes, width, (large * scale, small * scale))
    }

    fn set(call: &str, notes: &str, width: f32, (large, small): (f32, f32)) -> Self {
        let mut lines = Vec::new();
        for (text, style) in [(call, Style::bold(large)), (notes, Style::regular(small))] {
            let text = text.trim();
            if !text.is_empty() {
                lines.extend(
                    font::wrap(text, width, style)
                        .into_iter()
                        .map(|line| (line, style)),
                );
            }
        }
        Self { lines }
    }

    pub fn height(&self) -> f32 {
        self.lines.iter().map(|(_, style)| style.line_height()).sum()
    }

    /// Draws it from the left, from the top of an area.
    pub fn draw(&self, canvas: &mut Canvas, area: Rect, ink: Ink) {
        self.put(canvas, (area.x, area.y), Align::Left, ink);
    }

    /// Draws it in the middle of an area.
    pub fn draw_centred(&self, canvas: &mut Canvas, area: Rect, ink: Ink) {
        let (x, y) = area.centre();
        self.put(canvas, (x, y - self.height() / 2.0), Align::Centre, ink);
    }

    fn put(&self, canvas: &mut Canvas, (x, top): (f32, f32), align: Align, ink: Ink) {
        let mut y = top;
        for (line, style) in &self.lines {
            let height = style.line_height();
            canvas.text(x, y + height / 2.0, line, style.align(align), ink);
            y += height;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: f32 = 900.0;

    #[test]
    fn a_caption_shrinks_before_it_is_cut() {
        let short = Caption::within("Ann, your move.", "", WIDTH, 100.0);
        assert_eq!(short.lines[0].1.size, SIZES[0].0);
        let notes = "One more AUTHENTICATE ends the game. ".repeat(3);
        let longer = Caption::within("Ann, your move.", &notes, WIDTH, 106.0);
        assert!(longer.lines[0].1.size < SIZES[0].0);
        assert!(!longer.lines.last().unwrap().0.ends_with('…'));
        let longest = Caption::within("Ann, your move.", &notes.repeat(5), WIDTH, 106.0);
        assert!(longest.lines.last().unwrap().0.ends_with('…'));
        assert!(longest.height() <= 106.0);
        assert_eq!(longest.lines[0].0, "Ann, your move.");
    }
}
