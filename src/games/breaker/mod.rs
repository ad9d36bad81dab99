//! Breaker Blocks, by Spriteborne: plug power into three circuits and sabotage your opponent's.
//!
//! Rules: seed rulebook "Breaker Blocks". Its sections are named where they are carried out. Two of
//! its variants hide commands; what each seat knows of them is kept in [`knowledge`].

pub mod action;
mod board;
pub mod cell;
pub mod event;
mod history;
mod insight;
pub mod kind;
pub mod knowledge;
mod label;
mod offer;
mod paths;
mod read;
mod refuse;
pub mod setup;
pub mod socket;
pub mod stock;
pub mod task;
mod turn;
pub mod view;

use serde::{Deserialize, Serialize};

use crate::game::options::{OptionKind, OptionSpec};
use crate::game::rng::mix;
use crate::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Meta, NotationError, OptionValues, Outcome, Seat,
    TurnLength, Viewer, Word,
};
use crate::text::names;

pub use action::{Action, Pick};
use board::Board;
pub use event::Event;
use history::{History, MOST_TURNS};
pub use kind::Kind;
use knowledge::Knowledge;
use setup::Setup;
use stock::Stock;
use task::Task;
use view::View;

/// A position of Breaker Blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Setup", into = "Setup")]
pub struct Breaker {
    board: Board,
    variant: Variant,
    tie: Tie,
    next_number: u16,
    hands: [Hand; 2],
    /// The power blocks that each player can still draw.
    supply: [Stock; 2],
    /// The commands that both can still draw.
    commands: Stock,
    /// The commands that were set aside unseen at the start.
    aside: Stock,
    to_move: Seat,
    /// Actions left of the turn.
    left: u8,
    /// Nothing has been decided this turn.
    untouched: bool,
    /// An AUTHENTICATE was added this turn.
    authenticated: bool,
    /// A block was drawn or added this turn.
    active: bool,
    task: Option<Task>,
    /// Whole turns passed in a row.
    passes: u8,
    /// Turns in a row in which nothing was drawn or added.
    idle: u8,
    /// Turns that are over.
    turns: u16,
    /// This turn is the last: the other player's was skipped.
    last: bool,
    history: History,
    /// What each seat knows of face-down commands; only the blind variants keep it.
    knowledge: [Knowledge; 2],
    end: Option<End>,
}

/// A player's hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// All of it.
    pub held: Stock,
    /// What of it was drawn this turn and can't be played yet.
    #[serde(default)]
    pub fresh: Stock,
}

impl Hand {
    /// What can be played.
    #[inline]
    pub const fn ready(self) -> Stock {
        self.held.minus(self.fresh)
    }
}

/// The rulebook's ways to play; they don't combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    Plain,
    /// "Blind Action".
    Blind,
    /// "Blind Action" without four unknown commands.
    BlindScarce,
    /// "Power Overwhelming".
    Overwhelming,
}

names! { Variant { Plain = "plain", Blind = "blind", BlindScarce = "blind-scarce", Overwhelming = "overwhelming" } }

impl Variant {
    #[inline]
    pub const fn is_blind(self) -> bool {
        matches!(self, Self::Blind | Self::BlindScarce)
    }

    /// How many of a command are made.
    pub const fn made(self, command: Kind) -> u8 {
        match (self, command) {
            (Self::Overwhelming, Kind::Authenticate) => 0,
            _ => command.made(),
        }
    }

    /// How many commands are set aside at the start.
    pub const fn aside(self) -> u8 {
        match self {
            Self::BlindScarce => 4,
            _ => 0,
        }
    }
}

/// What equal circuits mean after the second AUTHENTICATE. The rulebook leaves it to the players: "You can call a draw a draw or you
/// can consider it a loss for both players."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    Draw,
    CloserLoses,
    BothLose,
}

names! { Tie { CloserLoses = "closer-loses", Draw = "draw", BothLose = "both-lose" } }

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The second AUTHENTICATE came to the table.
    Authenticated {
        closer: Seat,
    },
    /// One player's turn was skipped and the other has had the last one.
    Exhausted,
    /// Both passed a whole turn in a row.
    BothPassed,
    /// A position came for the third time.
    Repetition,
    /// Too many turns without a block drawn or added.
    Idle,
    TooLong,
    /// A player started a turn in control of two circuits.
    Overwhelmed {
        winner: Seat,
    },
    /// A player left.
    Left {
        seat: Seat,
    },
}

impl Breaker {
    #[inline]
    const fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat.index() % 2]
    }

    /// What everybody sees of the position, hands included where they are open.
    fn position_key(&self) -> u64 {
        let powers = [
            self.supply[0].bits(),
            self.supply[1].bits(),
            self.hands[0].held.powers().bits(),
            self.hands[1].held.powers().bits(),
            u64::from(self.to_move.number()),
        ];
        salted(&powers, 1)
            .wrapping_add(self.board.key())
            .wrapping_add(self.hidden_key())
    }

    /// The share of the commands that are in no open place under the blind variants.
    fn hidden_key(&self) -> u64 {
        let commands = [
            self.hands[0].held.commands().bits(),
            self.hands[1].held.commands().bits(),
            self.commands.bits(),
        ];
        salted(&commands, 11)
    }

    /// The commands that are on the table or in the hand of `seat`, or have left the game.
    fn unseen_by(&self, seat: Seat) -> Stock {
        self.commands
            .plus(self.aside)
            .plus(self.hand(seat.next(2)).held.commands())
    }

    /// Each seat's rank by circuits controlled; equal ones share the first place.
    fn ranks(&self) -> [u8; 2] {
        let [first, second] = [0, 1].map(|index| self.board.controls(Seat::new(index)));
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => [1, 2],
            std::cmp::Ordering::Less => [2, 1],
            std::cmp::Ordering::Equal => [1, 1],
        }
    }
}

/// A hash of a few words, each with a salt of its own.
fn salted(words: &[u64], salt: u64) -> u64 {
    let hash = |(index, &word): (u64, &u64)| mix(word ^ mix(salt + index));
    (0..).zip(words).map(hash).fold(0, u64::wrapping_add)
}

static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "variant",
        help: "plain: all is open. blind: commands are drawn face down and hands are hidden. blind-scarce: four \
               unknown commands are missing, too. overwhelming: no AUTHENTICATE; who starts a turn with two \
               circuits wins.",
        rulebook: Some("plain"),
        kind: OptionKind::Choice {
            default: "plain",
            values: &Variant::NAMES,
        },
    },
    OptionSpec {
        name: "tie",
        help: "If the second AUTHENTICATE leaves the circuits equal: a loss for whoever added it, a draw, or a loss for both.",
        rulebook: None,
        kind: OptionKind::Choice {
            default: Tie::CloserLoses.name(),
            values: &Tie::NAMES,
        },
    },
];

impl Game for Breaker {
    const META: &'static Meta = &Meta {
        id: "breaker",
        name: "Breaker Blocks",
        tagline: "Plug power blocks into three circuits, and sabotage your opponent's with commands.",
        designer: "Jake Vander Ende, Spriteborne",
        example: "draw 3",
        seats: 2..=2,
        information: Information::Hidden,
        turn_length: TurnLength::Several,
        rules_version: 1,
        // Each of a turn's two actions takes five decisions at most: AUTOMATE plays ACCELERATE, which takes three.
        bound: MOST_TURNS as u32 * 10,
        options: OPTIONS,
        rulebook_clock: None,
    };

    type Action = Action;
    type Event = Event;
    type View = View;

    /// Only face-down commands are drawn at random.
    fn has_chance(options: &OptionValues) -> bool {
        Variant::named(options.choice("variant")).is_some_and(Variant::is_blind)
    }

    /// Everything else is open.
    fn hides(options: &OptionValues) -> bool {
        Self::has_chance(options)
    }

    fn usual_moves(_options: &OptionValues) -> Option<u32> {
        Some(40)
    }

    fn new(options: &OptionValues, _seats: u8, rng: &mut GameRng) -> Self {
        let variant = Variant::named(options.choice("variant")).unwrap_or(Variant::Plain);
        let tie = Tie::named(options.choice("tie")).unwrap_or(Tie::CloserLoses);
        let opening = Setup::opening(variant, tie, rng);
        // The opening is made here and the tests load every variant of it.
        Self::try_from(opening).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Awaiting {
        match self.end {
            None => Awaiting::Turn(self.to_move),
            Some(_) => Awaiting::Over,
        }
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.awaiting().includes(seat) {
            let start = out.len();
            self.decisions_into(seat, out);
            out[start..].sort_unstable();
        }
    }

    fn count_legal(&self, seat: Seat) -> usize {
        if self.awaiting().includes(seat) {
            self.count_decisions(seat)
        } else {
            0
        }
    }

    fn pick(&self, seat: Seat, rng: &mut GameRng, _buffer: &mut Vec<Action>) -> Option<Action> {
        let count = self.count_legal(seat);
        if count == 0 {
            return None;
        }
        self.nth_decision(seat, rng.quick_below(count))
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, action: &Action, rng: &mut GameRng, told: &mut C) {
        self.decide(seat, *action, rng, told);
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, _rng: &mut GameRng, told: &mut C) {
        if self.end.is_none() && seat.index() < 2 {
            told.tell(|| Event::Left { seat });
            self.end = Some(End::Left { seat });
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let end = self.end?;
        let ranks = self.ranks();
        let reason = match end {
            End::Left { seat } => return Some(Outcome::win(seat.next(2), 2, "the other player left")),
            End::Overwhelmed { winner } => {
                return Some(Outcome::win(winner, 2, "two circuits at the start of a turn"));
            }
            End::Authenticated { closer } if ranks == [1, 1] => match self.tie {
                Tie::CloserLoses => {
                    return Some(Outcome::win(
                        closer.next(2),
                        2,
                        "equal circuits, and whoever adds the second AUTHENTICATE then loses",
                    ));
                }
                Tie::BothLose => {
                    return Some(Outcome::new(vec![2, 2], "equal circuits, and both lose"));
                }
                Tie::Draw => "second AUTHENTICATE",
            },
            End::Authenticated { .. } => "second AUTHENTICATE",
            End::Exhausted => "a player had no power block left to draw or add",
            End::BothPassed => "both players passed",
            End::Repetition => "same position for the third time",
            End::Idle => "20 turns without a block drawn or added",
            End::TooLong => "300 turns",
        };
        Some(Outcome::new(ranks.to_vec(), reason))
    }

    fn view(&self, viewer: Viewer) -> View {
        self.look(viewer)
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Event> {
        Some(event.seen_by(viewer))
    }

    fn notate(&self, seat: Seat, action: &Action) -> String {
        self.write(seat, *action)
    }

    fn parse<'t>(&self, seat: Seat, text: &'t str) -> Result<(Action, &'t str), NotationError> {
        read::read(self, seat, text)
    }

    const SYNONYMS: &'static [(&'static str, &'static str)] = label::SYNONYMS;

    fn label(&self, seat: Seat, action: &Action) -> String {
        self.in_words(seat, *action)
    }

    fn paths(&self, seat: Seat, action: &Action) -> Vec<Vec<Word>> {
        self.words(seat, *action)
    }

    /// The commands that `seat` can't see are dealt anew, as far as what it has seen allows.
    fn determinize(&self, seat: Seat, rng: &mut GameRng) -> Self {
        const TRIES: usize = 64;
        if !self.variant.is_blind() {
            return self.clone();
        }
        let enemy = seat.next(2);
        for _ in 0..TRIES {
            let knowledge = &self.knowledge[seat.index() % 2];
            let Some(imagined) = knowledge.imagine(self.aside.len(), rng) else {
                continue;
            };
            let mut world = self.clone();
            let hand = &mut world.hands[enemy.index() % 2];
            // Of the face-down blocks as many are fresh as before; which ones, nobody else can tell.
            let mut fresh: Vec<Kind> = imagined.held.blocks().collect();
            rng.shuffle(&mut fresh);
            fresh.truncate(usize::from(hand.fresh.commands().len()));
            hand.fresh = hand.fresh.powers().plus(fresh.into_iter().collect());
            hand.held = hand.held.powers().plus(imagined.held);
            world.commands = imagined.supply;
            world.aside = imagined.aside;
            let unseen = world.unseen_by(enemy);
            world.knowledge[enemy.index() % 2].agree_with(unseen);
            world
                .history
                .shift(world.hidden_key().wrapping_sub(self.hidden_key()));
            if self.end.is_some() || world.count_decisions(world.to_move) > 0 {
                return world;
            }
        }
        self.clone()
    }
}
