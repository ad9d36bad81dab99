//! Pictures: golden files compared with some tolerance, sizes, and the texts beside them.
//!
//! To make the golden pictures anew after a change that was meant:
//! `PARLOR_BLESS=1 cargo test --test rules pictures`, then look at every one before it is committed. Where a
//! picture differs, the actual one, the expected one and their difference are written to
//! `target/picture-diffs`. `PARLOR_GAME=phwar` before either command looks at one game alone.

use std::fs;
use std::path::PathBuf;

use crate::support::case::{Case, cases, for_all, games, settings};
use crate::support::golden;
use crate::support::law::Spot;
use crate::support::story::{Company, Story, perform};
use parlor::catalog::{Entry, Frame, Illustrated, Table, find};
use parlor::draw::rules::{Figure, OVERVIEW, PLAYERS};
use parlor::draw::{ALT_LIMIT, TEXT_COLUMNS, Theme};
use parlor::game::{GameRng, Seat, Viewer};

const COMMAND: &str = "PARLOR_BLESS=1 cargo test --test rules pictures";

/// The largest picture that may be posted: a table of five with all their cards is the largest.
const MOST_BYTES: usize = 80 << 10;
/// How many pixels in ten thousand may differ by more than this in a channel.
const TOLERATED: usize = 20;
const TELLING: u8 = 24;

/// A picture of a known position.
struct Plate {
    path: String,
    table: Box<dyn Table>,
    viewer: Viewer,
    side: Seat,
    theme: Theme,
    names: Vec<String>,
}

impl Plate {
    fn frame(&self) -> Frame<'_> {
        Frame {
            side: self.side,
            theme: self.theme,
            ..Frame::new(self.viewer, &self.names)
        }
    }

    fn draw(&self) -> Vec<u8> {
        self.table.picture(&self.frame()).unwrap()
    }
}

/// Opening, middle and end of a game with the most seats and options: all themes, several sides.
fn plates(entry: &'static Entry) -> Vec<Plate> {
    let mut all = settings(entry);
    let most = *entry.meta.seats.end();
    all.retain(|case| case.seats == most);
    let mut case = all
        .into_iter()
        .max_by_key(|case| case.options.changed().len())
        .unwrap();
    case.seed_text = "pictures".to_owned();
    let story = Story::play(&case, Company::Stays).unwrap_or_else(|broken| panic!("{broken}"));
    let last = story.deeds.len();
    let mut plates = Vec::new();
    let mut table = case.open();
    let moments = [
        ("opening", 0, Theme::Light, Seat::new(0)),
        ("middle", last / 2, Theme::Dark, Seat::new(most - 1)),
        ("end", last, Theme::Safe, Seat::new(1)),
    ];
    for step in 0..=last {
        for (name, _, theme, side) in moments.iter().filter(|moment| moment.1 == step) {
            plates.push(Plate {
                path: format!("pictures/{}-{name}.png", entry.meta.id),
                table: table.copy(),
                viewer: Viewer::Seat(*side),
                side: *side,
                theme: *theme,
                names: case.names.clone(),
            });
        }
        let Some(deed) = story.deeds.get(step) else { break };
        let spot = Spot {
            case: &case,
            table: table.as_ref(),
            step: step as u64,
        };
        let mut next = table.copy();
        perform(&spot, next.as_mut(), deed).unwrap_or_else(|broken| panic!("{broken}"));
        table = next;
    }
    plates
}

#[test]
fn pictures_look_as_they_did_when_they_were_looked_at() {
    let plates: Vec<Plate> = games().into_iter().flat_map(plates).collect();
    for_all(&plates, |plate| check(&plate.path, &plate.draw()));
}

fn check(path: &str, actual: &[u8]) -> Result<(), String> {
    let file = golden::data(path);
    if golden::blessing() {
        // A picture that looks the same keeps its bytes, so that history stays small.
        let same = fs::read(&file).is_ok_and(|known| difference(&known, actual).is_none());
        if !same {
            golden::write(&file, actual);
        }
        return Ok(());
    }
    let expected =
        fs::read(&file).map_err(|error| format!("{}: {error}; make it with `{COMMAND}`", file.display()))?;
    let Some(difference) = difference(&expected, actual) else {
        return Ok(());
    };
    let folder = diffs();
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".png");
    golden::write(&folder.join(format!("{name}-expected.png")), &expected);
    golden::write(&folder.join(format!("{name}-actual.png")), actual);
    golden::write(
        &folder.join(format!("{name}-difference.png")),
        &difference.picture,
    );
    Err(format!(
        "{path}: {}; see {}/{name}-difference.png and its neighbours. If that is as it should be: `{COMMAND}`",
        difference.what,
        folder.display()
    ))
}

fn diffs() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target"),
        PathBuf::from,
    );
    target.join("picture-diffs")
}

/// Pixels of a PNG file, three bytes each.
struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Pixels {
    fn decode(file: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb, "a palette expands to RGB");
        rgb.truncate(info.buffer_size());
        Self {
            width: info.width as usize,
            height: info.height as usize,
            rgb,
        }
    }

    fn encode(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&self.rgb).unwrap();
        writer.finish().unwrap();
        file
    }
}

/// How two pictures differ, told and drawn.
struct Difference {
    what: String,
    picture: Vec<u8>,
}

/// The difference of two pictures, if anybody could see it.
fn difference(expected: &[u8], actual: &[u8]) -> Option<Difference> {
    let (expected, actual) = (Pixels::decode(expected), Pixels::decode(actual));
    if (expected.width, expected.height) != (actual.width, actual.height) {
        return Some(Difference {
            what: format!(
                "{}x{} instead of {}x{}",
                actual.width, actual.height, expected.width, expected.height
            ),
            picture: actual.encode(),
        });
    }
    let mut off = 0;
    let mut marked = Vec::with_capacity(expected.rgb.len());
    for (a, b) in expected.rgb.chunks(3).zip(actual.rgb.chunks(3)) {
        let telling = a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > TELLING);
        off += usize::from(telling);
        let faint = 255 - (255 - b.iter().map(|&part| u16::from(part)).sum::<u16>() / 3) as u8 / 4;
        marked.extend(if telling { [220, 0, 60] } else { [faint; 3] });
    }
    let pixels = expected.width * expected.height;
    (off * 10_000 > pixels * TOLERATED).then(|| Difference {
        what: format!("{off} of {pixels} pixels differ"),
        picture: Pixels {
            rgb: marked,
            ..expected
        }
        .encode(),
    })
}

/// The comparison itself: a smudge passes, a piece that is gone does not.
#[test]
fn a_difference_that_can_be_seen_is_found() {
    let plain = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut rgb = vec![200; 100 * 100 * 3];
        change(&mut rgb);
        Pixels {
            width: 100,
            height: 100,
            rgb,
        }
        .encode()
    };
    let original = plain(&|_| {});
    assert!(difference(&original, &original).is_none());
    let tinted = plain(&|rgb| rgb.iter_mut().for_each(|part| *part += 20));
    assert!(
        difference(&original, &tinted).is_none(),
        "a shade that nobody sees"
    );
    let speck = plain(&|rgb| rgb[..3 * 20].fill(0));
    assert!(
        difference(&original, &speck).is_none(),
        "twenty pixels of ten thousand"
    );
    let hole = plain(&|rgb| rgb[..3 * 21].fill(0));
    let found = difference(&original, &hole).unwrap();
    assert_eq!(found.what, "21 of 10000 pixels differ");
    let drawn = Pixels::decode(&found.picture);
    assert_eq!(drawn.rgb[..3], [220, 0, 60]);
    let small = Pixels {
        width: 10,
        height: 10,
        rgb: vec![200; 300],
    };
    assert_eq!(
        difference(&original, &small.encode()).unwrap().what,
        "10x10 instead of 100x100"
    );
}

#[test]
fn the_same_position_gives_the_same_bytes() {
    let plates: Vec<Plate> = games().into_iter().flat_map(plates).collect();
    let first: Vec<Vec<u8>> = plates.iter().map(Plate::draw).collect();
    // Again, in another order, after everything else was drawn.
    for (plate, first) in plates.iter().zip(&first).rev() {
        assert!(
            plate.draw() == *first,
            "{}: the second drawing differs",
            plate.path
        );
    }
}

/// Names that nobody has, to see what becomes of them.
fn awkward_names() -> Vec<String> {
    vec![
        "Maximiliane-Désirée von und zu Übergröße-Hinterwäldler III.".repeat(3),
        "👩‍👩‍👧‍👦🏳️‍🌈🎲".repeat(12),
        "ﷺ\u{202e}drowkcab\u{200b}\u{301}".repeat(10),
        "名前がとても長いプレイヤー".repeat(8),
        "`*_~|<@123>**\n\r\t\\".repeat(9),
    ]
}

/// Positions along a few games of every setting, as every viewer.
fn along(check: impl Fn(&dyn Table, &Frame<'_>) -> Result<(), String> + Sync, visits: usize) {
    let all: Vec<Case<'_>> = games().into_iter().flat_map(|entry| cases(entry, 8)).collect();
    for_all(&all, |case| {
        let story = Story::play(case, Company::Leaves).map_err(|broken| broken.to_string())?;
        let mut failure = Ok(());
        let walked = story.visit(case, visits, |spot| {
            for viewer in case.viewers() {
                for names in [case.names.clone(), awkward_names()] {
                    let frame = Frame {
                        names: &names,
                        ..case.frame(viewer, Theme::ALL[spot.step as usize % Theme::ALL.len()])
                    };
                    let checked = check(spot.table, &frame);
                    if let (Ok(()), Err(what)) = (&failure, checked) {
                        failure = Err(format!("{case}, after step {}, {viewer}: {what}", spot.step));
                    }
                }
            }
            Ok(())
        });
        walked.map_err(|broken| broken.to_string())?;
        failure
    });
}

#[test]
fn every_picture_is_small_enough_to_post() {
    along(
        |table, frame| {
            let mut files = vec![table.picture(frame).map_err(|error| error.to_string())?];
            files.extend(table.hand_picture(frame).map_err(|error| error.to_string())?);
            for file in files {
                let pixels = Pixels::decode(&file);
                if file.len() > MOST_BYTES {
                    return Err(format!("a picture of {} bytes", file.len()));
                }
                if pixels.width > 1200 || pixels.height > 1600 {
                    return Err(format!(
                        "{}x{} is no picture for a phone",
                        pixels.width, pixels.height
                    ));
                }
            }
            Ok(())
        },
        5,
    );
}

#[test]
fn alt_texts_and_text_boards_fit_whatever_the_names_are() {
    along(
        |table, frame| {
            let hand = table.hand(frame);
            let (hand_text, hand_alt) = hand.map(|hand| (hand.text, hand.alt)).unwrap_or_default();
            for alt in [table.alt(frame), hand_alt] {
                let length = alt.chars().count();
                if length > ALT_LIMIT {
                    return Err(format!("an alt text of {length} characters: {alt}"));
                }
            }
            for line in table.text(frame).lines().chain(hand_text.lines()) {
                let length = line.chars().count();
                if length > TEXT_COLUMNS {
                    return Err(format!("a text board of {length} columns: `{line}`"));
                }
            }
            if table.alt(frame).trim().is_empty() || table.text(frame).trim().is_empty() {
                return Err("there is nothing to read".to_owned());
            }
            Ok(())
        },
        10,
    );
}

/// The rules that players read keep to the sizes that chat takes.
#[test]
fn rules_help_fits_into_messages() {
    for entry in games() {
        for section in &entry.rules().sections {
            let most = if section.title == OVERVIEW { 1200 } else { 1800 };
            let length = section.body.chars().count();
            assert!(
                (1..=most).contains(&length),
                "{}, {}: {length} characters",
                entry.meta.id,
                section.title
            );
        }
    }
}

/// What the rules show can be played, and is drawn like any board, with words for those who can't see it.
#[test]
fn every_picture_of_the_rules_shows_a_position() {
    let names = PLAYERS.map(str::to_owned);
    for entry in games() {
        let figures: Vec<Figure> = (entry.rules().sections.iter())
            .filter_map(|section| section.figure)
            .collect();
        assert!(
            figures.len() >= 3,
            "{}: {} pictures",
            entry.meta.id,
            figures.len()
        );
        for Figure { name, caption } in figures {
            let what = format!("{}, {name}", entry.meta.id);
            assert!(!caption.is_empty(), "{what}");
            for theme in Theme::ALL {
                let png = match entry.illustration(name).unwrap_or_else(|| panic!("{what}")) {
                    Illustrated::Showpiece(piece) => {
                        assert!(!entry.showpiece_alt(&piece).is_empty(), "{what}");
                        entry.showpiece(&piece, theme).expect("a picture").unwrap()
                    }
                    Illustrated::Table(table) => {
                        let frame = Frame {
                            picking: None,
                            viewer: Viewer::Public,
                            side: Seat::new(0),
                            theme,
                            names: &names,
                        };
                        let alt = table.alt(&frame);
                        assert!((1..=ALT_LIMIT).contains(&alt.chars().count()), "{what}: {alt}");
                        table.picture(&frame).unwrap()
                    }
                };
                assert!(
                    (1..=MOST_BYTES).contains(&png.len()),
                    "{what}: {} bytes",
                    png.len()
                );
            }
        }
    }
}

/// Which words the rules explain: those that players meet in messages.
#[test]
fn every_word_that_players_meet_is_explained() {
    for (game, words) in [
        (
            "phwar",
            "electron positrons neutron particle charge slide capture sight out centre",
        ),
        (
            "fabric",
            "anchor relays prism energy overload explosion zone target facing points",
        ),
        (
            "glyphgrid",
            "core shards sun moon vector lance arc pulse anchor mark inversion shield swap glyph",
        ),
        (
            "breaker",
            "annihilate automate accelerate attenuate agitate aggravate authenticate socket core circuit path supply \
             command power block hand draw add move blind",
        ),
        (
            "phase",
            "ally swift elite phaseling relentless trained order resource warrior nexus influence skirmish enlist train \
             lock phase barracks closing maneuver behind opposed discard cost damage",
        ),
    ] {
        let rules = find(game).unwrap().rules();
        for word in words.split_whitespace() {
            assert!(rules.term(word).is_some(), "{game}: {word}");
        }
    }
}

/// A section that helps is one that there is.
#[test]
fn the_section_that_helps_with_a_turn_exists() {
    for case in games().into_iter().flat_map(|entry| cases(entry, 2)) {
        let mut table = case.open();
        let mut rng = GameRng::quick(3);
        for step in 1..150 {
            let Some(seat) = table.awaiting().seats().iter().next() else {
                break;
            };
            if let Some(title) = table.helpful_rules(Viewer::Seat(seat)) {
                let rules = table.meta().id;
                let rules = find(rules).unwrap().rules();
                assert!(
                    rules.sections.iter().any(|section| section.title == title),
                    "{title}"
                );
            }
            let legal = table.legal(seat);
            let action = &legal[rng.below(legal.len())];
            table.play(seat, action, &case.seed(), step).unwrap();
        }
    }
}
