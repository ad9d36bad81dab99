//! Pictures, text boards, alt texts and narration.
//!
//! Everything here is made from what one viewer may know: a [`Scene`] holds that viewer's view and
//! that viewer's share of the events, and nothing else, so a picture can't show what the view does
//! not.

mod blend;
mod breaker;
pub mod call;
pub mod canvas;
pub mod caption;
mod fabric;
pub mod film;
mod film_file;
pub mod font;
mod glyphgrid;
pub mod graph;
pub mod grid;
pub mod marks;
pub mod mask;
pub mod mix;
pub mod palette;
mod phase;
mod phwar;
pub mod plate;
pub mod png;
pub mod prose;
pub mod rules;
pub mod shape;
pub mod spots;
pub mod wide;

pub use canvas::Canvas;
pub use caption::Caption;
pub use font::{Align, FontFace, Style};
pub use marks::{Mark, Marks};
pub use mask::Mask;
pub use palette::{Ink, Paint, Theme};
pub use prose::Prose;
pub use rules::{Illustration, RulesText};
pub use spots::Spot;

use crate::game::collection::Showpiece;
use crate::game::{Awaiting, Game, Information, Outcome, Seat, Viewer};
use crate::text;

/// The longest alt text that every platform takes.
pub const ALT_LIMIT: usize = 1000;

/// The widest line of a text board that a phone shows without breaking it.
pub const TEXT_COLUMNS: usize = 60;

/// A position as one viewer is shown it.
#[derive(Debug)]
pub struct Scene<'a, G: Game> {
    pub view: &'a G::View,
    /// What the viewer knows of the last turn, for highlights.
    pub recent: &'a [G::Event],
    pub awaiting: Awaiting,
    pub outcome: Option<&'a Outcome>,
    /// What can be done now, as far as the viewer may know it.
    pub marks: &'a Marks,
    /// The players' names, one a seat.
    pub names: &'a [String],
    pub viewer: Viewer,
    /// The seat from whose side the board is drawn.
    pub side: Seat,
    pub theme: Theme,
}

impl<G: Game> Scene<'_, G> {
    /// What to call the player in a seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("Somebody", String::as_str)
    }

    /// The same in at most so many letters, without those that can't be drawn.
    pub fn short_name(&self, seat: Seat, longest: usize) -> String {
        text::cut(&font::clean(self.name(seat)), longest)
    }

    /// A sentence with the players' names in it, each clean and at most so long.
    pub fn spoken(&self, prose: &Prose, longest: usize) -> String {
        prose.plain(|seat| self.short_name(seat, longest))
    }
}

/// How a game is shown. Made from views and events alone.
///
/// # Example
/// Nim, the game of [`Game`]'s example:
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/nim.example.rs"));
/// # fn main() {
/// use parlor::draw::{Canvas, Ink, Marks, Prose, Scene, Show, Style, Theme};
/// use parlor::prose;
///
/// impl Show for Nim {
///     const RULES: &'static str = "Take one, two or three stones. The last one wins.";
///
///     fn picture(scene: &Scene<'_, Self>) -> Canvas {
///         let mut canvas = Canvas::new(960, 200, scene.theme);
///         canvas.fill(Ink::Paper);
///         for stone in 0..scene.view.stones {
///             canvas.circle(40.0 + 44.0 * f32::from(stone), 80.0, 18.0, Ink::Text);
///         }
///         canvas.footer(40.0, &scene.call(30), Style::bold(28.0), Ink::Text);
///         canvas
///     }
///
///     fn text(scene: &Scene<'_, Self>) -> String {
///         format!("{} stones are left.\n{}", scene.view.stones, scene.call(30))
///     }
///
///     fn alt(scene: &Scene<'_, Self>) -> String {
///         Self::text(scene)
///     }
///
///     fn narrate(events: &[Event]) -> Prose {
///         let mut told = Prose::new();
///         for event in events {
///             told.sentence(match event {
///                 Event::Took(seat, stones) => prose![*seat, format!(" takes {stones}.")],
///                 Event::Left(seat) => prose![*seat, " leaves."],
///             });
///         }
///         told
///     }
/// }
///
/// let nim = Nim::new(&OptionValues::defaults(&[]), 2, &mut GameRng::quick(1));
/// let scene = Scene {
///     view: &nim.view(Viewer::Public),
///     recent: &[],
///     awaiting: nim.awaiting(),
///     outcome: None,
///     marks: &Marks::of(&nim, Seat::new(0), None),
///     names: &["Ann".to_owned(), "Bea".to_owned()],
///     viewer: Viewer::Public,
///     side: Seat::new(0),
///     theme: Theme::Light,
/// };
/// assert_eq!(Nim::picture(&scene).width(), 960);
/// assert_eq!(Nim::text(&scene), "21 stones are left.\nAnn, your move.");
/// # }
/// ```
pub trait Show: Game {
    /// The rules as players read them, usually `include_str!("../../assets/<game>/rules.md")`; see [`rules`].
    const RULES: &'static str;

    /// What a picture of the rules shows, by the name that the rules give it.
    fn illustration(name: &str) -> Option<Illustration<Self>> {
        let _ = name;
        None
    }

    /// The title of the section of the rules that helps with what is asked now; nothing where all of them do.
    fn helpful_rules(scene: &Scene<'_, Self>) -> Option<&'static str> {
        let _ = scene;
        None
    }

    /// What players are told when a match begins in which they hold what others must not see: one sentence.
    const WELCOME: &'static str = "";

    /// The board, readable on a phone at 400 pixels.
    fn picture(scene: &Scene<'_, Self>) -> Canvas;

    /// The board in monospace, at most [`TEXT_COLUMNS`] wide whatever the players are called; [`prose::lines`] breaks what is
    /// longer, and [`grid::BoardGrid::text`] writes a square board.
    fn text(scene: &Scene<'_, Self>) -> String;

    /// The position in words, for somebody who can't see the picture: all that is needed to play, in
    /// at most [`ALT_LIMIT`] characters.
    fn alt(scene: &Scene<'_, Self>) -> String;

    /// What is asked now, and of whom: one sentence in the game's own words that names everybody who is awaited, up to
    /// what is forced. "Ann, your move: you must capture on E5." Nothing once the game is over.
    ///
    /// It is said in messages and pings, and in picture, text board and alt text as well, by [`Scene::call`].
    fn ask(scene: &Scene<'_, Self>) -> Prose {
        call::your_move(scene.awaiting)
    }

    /// How the game ended, in one sentence that tells why: "Ann wins: Bea has no electrons left." Nothing before.
    fn result(scene: &Scene<'_, Self>) -> Prose {
        scene.outcome.map(call::result).unwrap_or_default()
    }

    /// Whether everybody may know what the player to move can do. If so, every picture marks it; otherwise it is marked
    /// for that player alone.
    fn choices_are_open(view: &Self::View) -> bool {
        let _ = view;
        Self::META.information == Information::Perfect
    }

    /// What somebody looks at while they pick an action word by word: the board, unless what they pick from lies
    /// somewhere else.
    fn picking_picture(scene: &Scene<'_, Self>) -> Canvas {
        Self::picture(scene)
    }

    /// What can be touched in the picture, told by the layout that draws it: every cell and piece, card and plate that
    /// the notation has a word for, whether it can be played now or not. None where only words are played.
    fn spots(scene: &Scene<'_, Self>) -> Vec<Spot> {
        let _ = scene;
        Vec::new()
    }

    /// The same of [`Show::picking_picture`].
    fn picking_spots(scene: &Scene<'_, Self>) -> Vec<Spot> {
        Self::spots(scene)
    }

    /// The same of [`Show::hand_picture`].
    fn hand_spots(scene: &Scene<'_, Self>) -> Vec<Spot> {
        let _ = scene;
        Vec::new()
    }

    /// What happened, in a sentence or two that somebody who missed the picture understands.
    fn narrate(events: &[Self::Event]) -> Prose;

    /// What one player alone has learnt by these events, of which they are that player's share. It is told to nobody
    /// else.
    fn learnt(events: &[Self::Event]) -> Prose {
        let _ = events;
        Prose::new()
    }

    /// What only the viewer's own seat may see, in words, if the game has such a thing.
    fn hand(scene: &Scene<'_, Self>) -> Option<HandText> {
        let _ = scene;
        None
    }

    /// The same as a picture.
    fn hand_picture(scene: &Scene<'_, Self>) -> Option<Canvas> {
        let _ = scene;
        None
    }

    /// Something of the game's collection as a picture, if the game has one.
    fn showpiece(piece: &Showpiece, theme: Theme) -> Option<Canvas> {
        let _ = (piece, theme);
        None
    }

    /// The same in words, in at most [`ALT_LIMIT`] characters.
    fn showpiece_alt(piece: &Showpiece) -> String {
        let _ = piece;
        String::new()
    }
}

/// A private hand, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandText {
    pub text: String,
    pub alt: String,
    /// Whether everybody sees it on the board, so that it is shown to whoever asks and never sent unasked.
    pub is_open: bool,
}
