//! How long a full picture takes, drawn and encoded, against the naive way in the same run.
//!
//! The scene is a demo with the load of a Phwar board. `PICTURE_OUT=dir` writes what was drawn.

use std::hint::black_box;
use std::io::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ab_glyph::FontRef;
use criterion::Criterion;
use flate2::write::ZlibEncoder;
use image::{Rgba, RgbaImage, imageops};
use imageproc::drawing;
use imageproc::point::Point as Pixel;
use imageproc::rect::Rect as Area;
use parlor::draw::canvas::Rect;
use parlor::draw::font::fit;
use parlor::draw::shape::{Cap, hexagon, regular};
use parlor::draw::{Align, Canvas, Ink, Style, Theme};

const SIDE: u32 = 960;
/// From the centre of a cell to its corners.
const RADIUS: f32 = 46.0;
/// At most this part of the naive way's time, and at most this size.
const FLOOR: f64 = 20.0;
const LARGEST: usize = 60 << 10;

fn main() {
    let start = Instant::now();
    black_box(ours(Theme::Light));
    let cold = start.elapsed();
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    criterion.bench_function("picture/ours", |bench| bench.iter(|| ours(Theme::Light)));
    criterion.bench_function("picture/naive", |bench| bench.iter(|| naive(Theme::Light)));
    criterion.final_summary();

    let (quick, slow) = (time(200, || ours(Theme::Light)), time(7, || naive(Theme::Light)));
    let ratio = slow.as_secs_f64() / quick.as_secs_f64();
    println!("ours {quick:?}, naive {slow:?}: 1/{ratio:.0} of the time");
    println!("  the first one, with nothing cached: {cold:?}");
    println!("  of which drawing {:?}", time(200, || draw(Theme::Light)));
    compare_packers(&draw(Theme::Light));
    for theme in Theme::ALL {
        let (ours, naive) = (ours(theme), naive(theme));
        println!("  {theme}: {} bytes, naive {} bytes", ours.len(), naive.len());
        assert!(ours.len() <= LARGEST, "the picture is too large");
        if let Ok(dir) = std::env::var("PICTURE_OUT") {
            let specimen = specimen(theme).to_png().unwrap();
            for (name, file) in [("ours", ours), ("naive", naive), ("specimen", specimen)] {
                let path = format!("{dir}/draw-{name}-{theme}.png");
                std::fs::write(&path, file).unwrap_or_else(|error| println!("{path}: {error}"));
            }
        }
    }
    assert!(ratio >= FLOOR, "the picture takes too long");
}

/// What other ways of encoding the same pixels take, to show why there is one of our own.
fn compare_packers(canvas: &Canvas) {
    let encode = |compression, filter| {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(vec![0; 768]);
        encoder.set_compression(compression);
        encoder.set_filter(filter);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(canvas.pixels()).unwrap();
        writer.finish().unwrap();
        file.len()
    };
    let mut data = Vec::new();
    for row in canvas.pixels().chunks(SIDE as usize) {
        data.push(0);
        data.extend_from_slice(row);
    }
    let pack = |level| {
        let mut packer = ZlibEncoder::new(Vec::new(), flate2::Compression::new(level));
        // In one piece: handing over row by row would slow it down.
        packer.write_all(&data).unwrap();
        packer.finish().unwrap().len()
    };
    let show = |name: &str, way: &dyn Fn() -> usize| {
        println!("  encoding, {name}: {:?}, {} bytes", time(20, way), way());
    };
    show("ours", &|| canvas.to_png().unwrap().len());
    show("png fast, up", &|| {
        encode(png::Compression::Fast, png::Filter::Up)
    });
    show("png balanced, no filter", &|| {
        encode(png::Compression::Balanced, png::Filter::NoFilter)
    });
    for level in [1, 2, 3, 6] {
        show(&format!("flate2 level {level}, no filter"), &|| pack(level));
    }
}

/// The median time of a call, after one to warm up.
fn time<T>(rounds: usize, call: impl Fn() -> T) -> Duration {
    black_box(call());
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            black_box(call());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[rounds / 2]
}

/// A cell of the demo board, its column and row from the centre, and its place.
fn cells() -> impl Iterator<Item = (i32, i32, f32, f32)> {
    let all = (-5..=5_i32).flat_map(|q| (-5..=5_i32).map(move |r| (q, r)));
    all.filter(|(q, r)| (q + r).abs() <= 5).map(|(q, r)| {
        let x = 480.0 + 1.5 * RADIUS * q as f32;
        let y = 484.0 + 3.0_f32.sqrt() * RADIUS * (r as f32 + q as f32 / 2.0);
        (q, r, x, y)
    })
}

fn label(q: i32, r: i32) -> String {
    format!("{}{}", char::from(b'A' + (q + 5) as u8), r + q.div_euclid(2) + 6)
}

fn tone(q: i32, r: i32) -> Ink {
    [Ink::CellA, Ink::CellB, Ink::CellC][(q - r).rem_euclid(3) as usize]
}

/// Seat and charge of the piece on a cell.
fn piece(q: i32, r: i32) -> Option<(usize, i32)> {
    const OPENING: [(i32, i32, i32); 9] = [
        (0, -5, 0),
        (-2, -3, -1),
        (0, -4, -1),
        (0, -3, -1),
        (2, -5, -1),
        (-1, -4, 1),
        (-1, -3, 1),
        (1, -5, 1),
        (1, -4, 1),
    ];
    OPENING.into_iter().find_map(|(pq, pr, charge)| match (q, r) {
        at if at == (pq, pr) => Some((0, charge)),
        at if at == (-pq, -pr) => Some((1, charge)),
        _ => None,
    })
}

const NAMES: [(f32, &str); 2] = [(28.0, "Ada Lovelace"), (932.0, "Юрий Кнорозов")];

fn ours(theme: Theme) -> Vec<u8> {
    draw(theme).to_png().unwrap_or_default()
}

fn draw(theme: Theme) -> Canvas {
    static BOARDS: [OnceLock<Canvas>; 3] = [const { OnceLock::new() }; 3];
    let mut canvas = BOARDS[theme as usize].get_or_init(|| board(theme)).clone();
    for (seat, &(y, name)) in NAMES.iter().enumerate() {
        let plate = Rect::new(16.0, y - 20.0, 260.0, 40.0);
        canvas.round_rect(plate, 10.0, Ink::tint(seat));
        canvas.circle(38.0, y, 9.0, Ink::rim(seat));
        canvas.circle(38.0, y, 7.0, Ink::seat(seat));
        canvas.text(58.0, y, name, Style::bold(20.0), Ink::Text);
    }
    for (q, r, x, y) in cells() {
        let Some((seat, charge)) = piece(q, r) else {
            continue;
        };
        let y = y - 9.0;
        canvas.soft_circle(x, y + 3.0, 26.0, 3, Ink::Shadow.fade(0.35));
        canvas.circle(x, y, 27.0, Ink::rim(seat));
        canvas.circle(x, y, 24.0, Ink::seat(seat));
        let sign = theme.legible_on(Ink::seat(seat));
        if charge == 0 {
            canvas.ring(x, y, 9.0, 5.0, sign);
        } else {
            canvas.round_rect(Rect::new(x - 13.0, y - 2.5, 26.0, 5.0), 2.5, sign);
        }
        if charge > 0 {
            canvas.round_rect(Rect::new(x - 2.5, y - 13.0, 5.0, 26.0), 2.5, sign);
        }
    }
    canvas
}

fn board(theme: Theme) -> Canvas {
    let mut canvas = Canvas::new(SIDE, SIDE, theme);
    for (q, r, x, y) in cells() {
        let cell = hexagon(x, y, RADIUS);
        canvas.polygon(&cell, tone(q, r));
        canvas.outline(&cell, 2.0, Ink::Line);
        let style = Style::regular(18.0).align(Align::Centre);
        canvas.text(x, y + 28.0, &label(q, r), style, Ink::Faint);
    }
    canvas
}

/// One of everything, to be looked at.
fn specimen(theme: Theme) -> Canvas {
    let mut canvas = Canvas::new(SIDE, 720, theme);
    for (i, ink) in Ink::ALL.into_iter().enumerate() {
        let (x, y) = (16.0 + (i % 11) as f32 * 85.0, 16.0 + (i / 11) as f32 * 52.0);
        let swatch = Rect::new(x, y, 78.0, 44.0);
        canvas.round_rect(swatch, 8.0, ink);
        canvas.frame(swatch, 8.0, 1.0, Ink::Line);
        let style = Style::regular(12.0).align(Align::Centre);
        canvas.text(
            x + 39.0,
            y + 22.0,
            &format!("{ink:?}"),
            style,
            theme.legible_on(ink),
        );
    }
    for seat in 0..5 {
        let (x, y) = (70.0 + 110.0 * seat as f32, 240.0);
        let plate = Rect::new(x - 46.0, y - 46.0, 92.0, 92.0);
        canvas.soft_rect(
            Rect {
                y: plate.y + 3.0,
                ..plate
            },
            14.0,
            4,
            Ink::Shadow.fade(0.25),
        );
        canvas.round_rect(plate, 14.0, Ink::tint(seat));
        canvas.frame(plate, 14.0, 2.0, Ink::seat(seat));
        canvas.soft_circle(x, y + 3.0, 30.0, 3, Ink::Shadow.fade(0.35));
        canvas.circle(x, y, 31.0, Ink::rim(seat));
        canvas.circle(x, y, 28.0, Ink::seat(seat));
        let style = Style::bold(28.0).align(Align::Centre);
        let sign = theme.legible_on(Ink::seat(seat));
        canvas.text(x, y, &(seat + 1).to_string(), style, sign);
    }
    for i in 0..12 {
        let (sin, cos) = (i as f32 / 12.0 * std::f32::consts::TAU).sin_cos();
        let at = |r: f32| (680.0 + r * sin, 250.0 - r * cos);
        canvas.line(at(20.0), at(60.0), 0.5 + i as f32 / 3.0, Ink::Text);
    }
    canvas.arrow((770.0, 290.0), (840.0, 200.0), 8.0, Ink::LastMove);
    canvas.polyline(
        &[(860.0, 290.0), (880.0, 200.0), (900.0, 290.0), (930.0, 210.0)],
        6.0,
        Cap::Round,
        Ink::Good,
    );
    let hex = hexagon(70.0, 370.0, 50.0);
    canvas.polygon(&hex, Ink::Glow);
    canvas.outline(&hex, 5.0, Ink::LastMove);
    canvas.pie((180.0, 370.0), 40.0, (0.0, 0.35), Ink::EnergyHigh);
    canvas.arc((180.0, 370.0), 44.0, 4.0, (0.35, 1.0), Ink::EnergyMid);
    canvas.ring(280.0, 370.0, 40.0, 6.0, Ink::Danger);
    canvas.polygon(&regular(370.0, 370.0, 40.0, 3, 0.0), Ink::seat(3));
    canvas.polygon(&regular(460.0, 370.0, 40.0, 5, 0.0), Ink::seat(4));
    let card = Rect::new(540.0, 320.0, 400.0, 380.0);
    canvas.soft_rect(
        Rect {
            y: card.y + 4.0,
            ..card
        },
        18.0,
        6,
        Ink::Shadow.fade(0.3),
    );
    canvas.round_rect(card, 18.0, Ink::Panel);
    canvas.frame(card, 18.0, 1.5, Ink::Line);
    canvas.text(564.0, 352.0, "Phase Shift", Style::bold(28.0), Ink::Text);
    let words = "Exchange two neighbouring cells of your colour. Then draw a card for each of your \
                 energies that it touches; at most three.\nWas zählt: Ποιότητα, Качество, AVATAR, 木 ♥.";
    let end = canvas.paragraph(564.0, 380.0, 350.0, words, Style::regular(22.0), Ink::Text);
    canvas.paragraph(564.0, end + 8.0, 350.0, words, Style::regular(15.0), Ink::Faint);
    for (i, size) in [11.0, 13.0, 16.0, 20.0, 26.0, 34.0].into_iter().enumerate() {
        let y = 450.0 + i as f32 * 30.0 + size * 1.2;
        let name = fit(
            "Maximiliane Wolkenstein-Trostburg der Ältere",
            480.0,
            Style::bold(size),
        );
        canvas.text(24.0, y, &name, Style::bold(size), Ink::Text);
    }
    canvas
}

/// What one writes first: all at twice the size in RGBA, scaled down, encoded with the defaults.
fn naive(theme: Theme) -> Vec<u8> {
    let colour = |ink| {
        let [r, g, b] = theme.rgb(ink).0;
        Rgba([r, g, b, 255])
    };
    let twice = |v: f32| (2.0 * v).round() as i32;
    let font = FontRef::try_from_slice(include_bytes!("../assets/fonts/Inter-Regular.otf")).unwrap();
    let mut sheet = RgbaImage::from_pixel(2 * SIDE, 2 * SIDE, colour(Ink::Paper));
    for (q, r, x, y) in cells() {
        let hex = |radius| -> Vec<Pixel<i32>> {
            hexagon(x, y, radius)
                .iter()
                .map(|p| Pixel::new(twice(p.0), twice(p.1)))
                .collect()
        };
        drawing::draw_polygon_mut(&mut sheet, &hex(RADIUS + 1.0), colour(Ink::Line));
        drawing::draw_polygon_mut(&mut sheet, &hex(RADIUS - 1.0), colour(tone(q, r)));
        let (x, y) = (twice(x) - 16, twice(y) + 42);
        drawing::draw_text_mut(&mut sheet, colour(Ink::Faint), x, y, 34.0, &font, &label(q, r));
    }
    for (seat, &(y, name)) in NAMES.iter().enumerate() {
        let plate = Area::at(32, twice(y) - 40).of_size(520, 80);
        drawing::draw_filled_rect_mut(&mut sheet, plate, colour(Ink::tint(seat)));
        drawing::draw_filled_circle_mut(&mut sheet, (76, twice(y)), 18, colour(Ink::rim(seat)));
        drawing::draw_filled_circle_mut(&mut sheet, (76, twice(y)), 14, colour(Ink::seat(seat)));
        drawing::draw_text_mut(
            &mut sheet,
            colour(Ink::Text),
            116,
            twice(y) - 24,
            48.0,
            &font,
            name,
        );
    }
    for (q, r, x, y) in cells() {
        let Some((seat, charge)) = piece(q, r) else {
            continue;
        };
        let (x, y) = (twice(x), twice(y));
        drawing::draw_filled_circle_mut(&mut sheet, (x, y), 58, colour(Ink::rim(seat)));
        drawing::draw_filled_circle_mut(&mut sheet, (x, y), 52, colour(Ink::seat(seat)));
        let sign = colour(theme.legible_on(Ink::seat(seat)));
        if charge == 0 {
            drawing::draw_filled_circle_mut(&mut sheet, (x, y), 23, sign);
            drawing::draw_filled_circle_mut(&mut sheet, (x, y), 13, colour(Ink::seat(seat)));
        } else {
            drawing::draw_filled_rect_mut(&mut sheet, Area::at(x - 26, y - 5).of_size(52, 10), sign);
        }
        if charge > 0 {
            drawing::draw_filled_rect_mut(&mut sheet, Area::at(x - 5, y - 26).of_size(10, 52), sign);
        }
    }
    let small = imageops::resize(&sheet, SIDE, SIDE, imageops::FilterType::Triangle);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&small).unwrap();
    writer.finish().unwrap();
    file
}
