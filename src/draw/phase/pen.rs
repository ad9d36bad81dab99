//! A pen that draws, or only moves over the paper to find out how much of it is needed, and where things come to lie.

use super::super::canvas::Rect;
use super::super::{Canvas, Spot, Style, font};

/// The width of every picture.
pub(super) const WIDTH: f32 = 960.0;
/// The highest picture that suits a phone.
pub(super) const HIGHEST: f32 = 1600.0;
/// Around everything.
pub(super) const MARGIN: f32 = 16.0;
/// The width inside of the margins.
pub(super) const INNER: f32 = WIDTH - 2.0 * MARGIN;
/// Within the frame of a part.
pub(super) const PAD: f32 = 12.0;
/// The smallest text: below this a phone shows specks.
pub(super) const SMALL: f32 = 20.0;

/// What stands before cards in a line.
pub(super) const CAPTION: Style = Style::bold(SMALL);

/// Layouts are written once and run twice: dry to measure, then with ink.
pub(super) struct Pen<'c> {
    canvas: Option<&'c mut Canvas>,
    /// Where spots are noted, if anybody wants to know.
    spots: Option<&'c mut Vec<Spot>>,
}

impl<'c> Pen<'c> {
    pub const fn dry() -> Self {
        Self {
            canvas: None,
            spots: None,
        }
    }

    /// Dry, but with a list of what can be touched.
    pub const fn noting(spots: &'c mut Vec<Spot>) -> Self {
        Self {
            canvas: None,
            spots: Some(spots),
        }
    }

    pub const fn on(canvas: &'c mut Canvas) -> Self {
        Self {
            canvas: Some(canvas),
            spots: None,
        }
    }

    /// Whether it only measures.
    pub const fn is_dry(&self) -> bool {
        self.canvas.is_none() && self.spots.is_none()
    }

    /// Notes that something can be touched, if anybody wants to know.
    pub fn spot(&mut self, spot: impl FnOnce() -> Spot) {
        if let Some(spots) = self.spots.as_deref_mut() {
            spots.push(spot());
        }
    }

    /// Draws, if there is ink.
    pub fn draw(&mut self, how: impl FnOnce(&mut Canvas)) {
        if let Some(canvas) = self.canvas.as_deref_mut() {
            how(canvas);
        }
    }

    /// What fills its frame only once it has been laid out is drawn here: `content` runs dry, the ground
    /// is drawn as high as it came out, then `content` runs with ink. Gives the height.
    pub fn framed(
        &mut self,
        ground: impl FnOnce(&mut Canvas, f32),
        content: impl Fn(&mut Pen<'_>) -> f32,
    ) -> f32 {
        if let Some(spots) = self.spots.as_deref_mut() {
            return content(&mut Pen::noting(spots));
        }
        let height = content(&mut Pen::dry());
        self.draw(|canvas| {
            ground(canvas, height);
            content(&mut Pen::on(canvas));
        });
        height
    }
}

/// Things set one after the other, in as many lines as they need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    left: f32,
    right: f32,
    x: f32,
    y: f32,
    line: f32,
    gap: f32,
}

impl Flow {
    /// From the upper left corner of an area down, in lines of a height.
    pub const fn new(area: Rect, line: f32, gap: f32) -> Self {
        Self {
            left: area.x,
            right: area.x + area.width,
            x: area.x,
            y: area.y,
            line,
            gap,
        }
    }

    /// The place of the next thing, which is so wide.
    pub fn next(&mut self, width: f32) -> (f32, f32) {
        if self.x > self.left && self.x + width > self.right {
            self.x = self.left;
            self.y += self.line + self.gap;
        }
        let at = (self.x, self.y);
        self.x += width + self.gap;
        at
    }

    /// What was set last takes so many lines more, and nothing stands beside it.
    pub fn deeper(&mut self, lines: u8) {
        if lines > 0 {
            self.y += f32::from(lines) * (self.line + self.gap);
            self.x = self.right;
        }
    }

    /// Where the last line ends.
    pub fn bottom(&self) -> f32 {
        self.y + self.line
    }
}

/// The largest of these sizes at which a text fits, and the text, cut if it fits at none.
pub(super) fn shrunk(text: &str, width: f32, style: Style, sizes: &[f32]) -> (String, Style) {
    let mut smallest = style;
    for &size in sizes {
        smallest = Style { size, ..style };
        if font::width(text, smallest) <= width {
            return (font::clean(text), smallest);
        }
    }
    (font::fit(text, width, smallest), smallest)
}
