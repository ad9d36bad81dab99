//! What one writes first: all at twice the size in RGBA, scaled down, encoded with the defaults.

use ab_glyph::FontRef;
use image::{Rgba, RgbaImage, imageops};
use imageproc::drawing;
use imageproc::point::Point;
use imageproc::rect::Rect;
use parlor::draw::shape::hexagon;
use parlor::draw::{Ink, Theme};
use parlor::games::phwar::cell::{BOARD, Cell};
use serde_json::Value;

/// The size of the real picture, and where its board lies.
const WIDTH: u32 = 960;
const HEIGHT: u32 = 1144;
const CORNER: f32 = 52.0;
const MIDDLE: (f32, f32) = (480.0, 614.0);

/// The picture of a position, given as its view.
pub fn picture(view: &Value, theme: Theme, names: &[String]) -> Vec<u8> {
    let colour = |ink| {
        let [r, g, b] = theme.rgb(ink).0;
        Rgba([r, g, b, 255])
    };
    let font = FontRef::try_from_slice(include_bytes!("../../assets/fonts/Inter-Regular.otf"))
        .expect("the font can be read");
    let mut sheet = RgbaImage::from_pixel(2 * WIDTH, 2 * HEIGHT, colour(Ink::Paper));
    for hex in BOARD.cells() {
        let cell = Cell::at(hex);
        let tone = [Ink::CellA, Ink::CellB, Ink::CellC][(hex.q - hex.r).rem_euclid(3) as usize];
        let (x, y) = middle(cell);
        drawing::draw_polygon_mut(&mut sheet, &corners(cell, CORNER), colour(Ink::Line));
        drawing::draw_polygon_mut(&mut sheet, &corners(cell, CORNER - 1.6), colour(tone));
        let (x, y) = (2 * x - 20, 2 * y - 20);
        drawing::draw_text_mut(
            &mut sheet,
            colour(Ink::Faint),
            x,
            y,
            44.0,
            &font,
            &cell.to_string(),
        );
    }
    for (seat, name) in names.iter().enumerate() {
        let left = 28 + seat as i32 * 946;
        let plate = Rect::at(left, 28).of_size(918, 164);
        drawing::draw_filled_rect_mut(&mut sheet, plate, colour(Ink::tint(seat)));
        drawing::draw_filled_circle_mut(&mut sheet, (left + 80, 110), 46, colour(Ink::rim(seat)));
        drawing::draw_filled_circle_mut(&mut sheet, (left + 80, 110), 38, colour(Ink::seat(seat)));
        drawing::draw_text_mut(&mut sheet, colour(Ink::Text), left + 148, 50, 56.0, &font, name);
        let army = &view["armies"][seat];
        for (kind, charge) in [("electrons", -1), ("positrons", 1), ("neutrons", 0)] {
            for cell in army[kind].as_array().into_iter().flatten() {
                let Some(cell) = cell.as_str().and_then(Cell::named) else {
                    continue;
                };
                let (x, y) = middle(cell);
                let (x, y) = (2 * x, 2 * y - 18);
                drawing::draw_filled_circle_mut(&mut sheet, (x, y), 58, colour(Ink::rim(seat)));
                drawing::draw_filled_circle_mut(&mut sheet, (x, y), 52, colour(Ink::seat(seat)));
                let sign = colour(theme.legible_on(Ink::seat(seat)));
                if charge == 0 {
                    drawing::draw_filled_circle_mut(&mut sheet, (x, y), 23, sign);
                    drawing::draw_filled_circle_mut(&mut sheet, (x, y), 13, colour(Ink::seat(seat)));
                } else {
                    drawing::draw_filled_rect_mut(&mut sheet, Rect::at(x - 26, y - 5).of_size(52, 10), sign);
                }
                if charge > 0 {
                    drawing::draw_filled_rect_mut(&mut sheet, Rect::at(x - 5, y - 26).of_size(10, 52), sign);
                }
            }
        }
    }
    let status = "Ada Lovelace to move.";
    drawing::draw_text_mut(&mut sheet, colour(Ink::Text), 700, 2220, 44.0, &font, status);
    let small = imageops::resize(&sheet, WIDTH, HEIGHT, imageops::FilterType::Triangle);
    encode(&small)
}

/// Where a cell lies in the picture.
fn middle(cell: Cell) -> (i32, i32) {
    let (x, y) = cell.hex().middle();
    let at = |middle: f32, steps: f32| (middle + CORNER * steps).round() as i32;
    // Turned by half, as seat 1 sees it.
    (at(MIDDLE.0, -x), at(MIDDLE.1, -y))
}

fn corners(cell: Cell, radius: f32) -> Vec<Point<i32>> {
    let (x, y) = middle(cell);
    let twice = |v: f32| (2.0 * v).round() as i32;
    hexagon(x as f32, y as f32, radius)
        .iter()
        .map(|corner| Point::new(twice(corner.0), twice(corner.1)))
        .collect()
}

fn encode(picture: &RgbaImage) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("the header fits");
    writer.write_image_data(picture).expect("the pixels fit");
    writer.finish().expect("the file ends");
    file
}
