//! Phase, by Bryan Reese, Jeremy Holcomb and Brent Keith (AEG, 2016): two-sided warriors fight over the Nexus.
//!
//! Rules: the rulebook, whose sections are named where they are carried out, and our own rules file, which fixes
//! what the rulebook leaves open. Cards are data ([`card`]); a position knows them by small numbers. [`queries`]
//! read the table and [`mutations`] write it; [`turn`] goes from question to question, and whatever is in the middle
//! of being done ([`flow`]) is part of the position, so that every decision is one small action.
//!
//! What is hidden: see [`piece::Piece::seen`], where it is kept who has seen which side of which card.

pub mod action;
pub mod bring;
pub mod card;
mod check;
pub mod deal;
mod decide;
pub mod event;
pub mod flow;
mod greedy;
mod imagine;
mod insight;
mod label;
mod layout;
mod moot;
mod mutations;
mod offer;
pub mod paths;
pub mod piece;
pub mod pile;
mod plan;
pub mod player;
pub mod position;
mod queries;
mod read;
mod refuse;
mod resolve;
mod round;
pub mod rules;
mod scribe;
mod sentence;
pub mod shown;
mod skirmish;
mod targets;
mod turn;
mod verbs;
pub mod view;
mod ways;
mod write;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::options::{OptionKind, OptionSpec};
use crate::game::{
    Awaiting, Chronicle, Collection, Game, GameRng, Information, Lapse, Meta, NotationError, OptionValues,
    Outcome, Seat, SeatSet, TurnLength, Viewer, Way, Word,
};

pub use action::Action;
use bring::Slot;
pub use event::Event;
use flow::{Ask, Attack, Doing, End, Fight, Round, Trigger, TurnStage};
use piece::Piece;
use pile::Inst;
use player::Player;
use read::Reader;
pub use rules::Rules;
use scribe::Scribe;
use shown::Cards;
use view::View;
use ways::Offered;

/// "After 25 rounds the game is scored as it stands."
const MOST_ROUNDS: u8 = 25;

/// The most orders and action skills that one player takes in one turn. No rule of the game: two orders that draw
/// cards could fetch each other for ever, and this is far more than anybody needs.
const MOST_ACTIONS: u8 = 60;

/// A position of Phase.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Phase {
    /// Those of the rules, but for tests that bring their own.
    #[serde(skip)]
    cards: Cards,
    #[serde(default)]
    rules: Rules,
    seats: u8,
    head_start: bool,
    /// The names of the players' decks; an own deck has none, and its list is not public.
    decks: Vec<Option<String>>,
    /// What each seat brings, as long as that is being decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    slots: Vec<Slot>,
    pieces: Vec<Piece>,
    players: [Player; 5],
    /// Good and evil influence in the Nexus, and out of the game.
    nexus: [u16; 2],
    spent: [u16; 2],
    left: SeatSet,
    /// Who started the first round.
    first: Seat,
    active: Seat,
    round: u8,
    /// Who has had a turn in this round.
    had_turn: SeatSet,
    stage: TurnStage,
    round_of_actions: Round,
    attack: Option<Attack>,
    fight: Option<Fight>,
    doing: Option<Doing>,
    /// In order of arrival.
    triggers: Vec<Trigger>,
    /// How many triggers this action has had.
    fired: u8,
    /// The order that is being carried out, until it is discarded.
    resolving: Option<Inst>,
    ask: Option<Ask>,
    last_number: u8,
    shuffles: u8,
    end: Option<End>,
}

impl Serialize for Phase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// What is loaded must make sense: nothing in a save may make the rules stumble.
impl<'de> Deserialize<'de> for Phase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut game = Self::deserialize(deserializer)?;
        game.cards = Cards(game.rules.cards());
        game.check().map_err(serde::de::Error::custom)?;
        Ok(game)
    }
}

/// The option of one seat's deck.
const fn deck_option(name: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec {
        name,
        help,
        rulebook: None,
        kind: OptionKind::Text {
            default: bring::LOT,
            values: "lot, or the name of a ready deck",
            examples: bring::READY,
            read: bring::read_option,
        },
    }
}

static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "head-start",
        help: "Everybody but the first player draws one card more, to make up for starting later.",
        rulebook: Some("off"),
        kind: OptionKind::Switch { default: true },
    },
    OptionSpec {
        name: "own-decks",
        help: "Before the cards are dealt, every player whose deck is left to lot is asked in private for the deck \
               they bring: one of their own, or a ready one. Nobody else sees which.",
        rulebook: None,
        kind: OptionKind::Switch { default: false },
    },
    deck_option("deck1", "The ready deck of the player in seat 1."),
    deck_option("deck2", "The ready deck of the player in seat 2."),
    deck_option("deck3", "The ready deck of the player in seat 3."),
    deck_option("deck4", "The ready deck of the player in seat 4."),
    deck_option("deck5", "The ready deck of the player in seat 5."),
];

impl Game for Phase {
    const META: &'static Meta = &Meta {
        id: "phase",
        name: "Phase",
        tagline: "Two-sided warriors, hidden hands: train both of your armies and take the Nexus.",
        designer: "Bryan Reese, Jeremy Holcomb and Brent Keith, AEG",
        example: "enlist a",
        seats: 2..=5,
        information: Information::Hidden,
        turn_length: TurnLength::Several,
        rules_version: Rules::NEWEST.number(),
        // 25 rounds of five turns; in each every player takes 60 actions at most, an action takes a dozen decisions
        // at most and is followed by five passes at most, and each of 25 cards is trained at most.
        bound: 125 * (5 * MOST_ACTIONS as u32 * 17 + 25 * 8 + 200),
        options: OPTIONS,
        rulebook_clock: None,
    };

    const COLLECTION: Option<&'static dyn Collection> = Some(&card::Library);

    type Action = Action;
    type Event = Event;
    type View = View;

    fn check_data() -> Result<(), String> {
        let read = |edition: card::Edition| match edition.read() {
            Ok(_) => Ok(()),
            Err(faults) => Err(card::load::LoadFault::list(&faults)),
        };
        card::Edition::ALL.into_iter().try_for_each(read)
    }

    fn usual_moves(_options: &OptionValues) -> Option<u32> {
        Some(190)
    }

    const OLDEST_RULES: u16 = Rules::OLDEST.number();

    fn new(options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        Self::deal(Rules::NEWEST, options, seats, rng)
    }

    fn new_under(rules_version: u16, options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        let rules = Rules::try_from(rules_version).unwrap_or(Rules::NEWEST);
        Self::deal(rules, options, seats, rng)
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn awaiting(&self) -> Awaiting {
        match (self.end, self.stage, self.ask) {
            (Some(_), ..) => Awaiting::Over,
            (None, TurnStage::Decks, _) => Awaiting::Each(self.undecided()),
            (None, TurnStage::Setup, _) => Awaiting::Each(self.unready()),
            (None, _, Some(ask)) => Awaiting::Turn(ask.seat),
            // The game never rests without a question; were it to, the active player is at a loss with the rest.
            (None, _, None) => Awaiting::Turn(self.active),
        }
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Action>) {
        let start = out.len();
        self.offer(seat, out);
        out[start..].sort_unstable();
    }

    fn is_legal(&self, seat: Seat, action: &Action) -> bool {
        match action {
            // No list could hold all the decks that can be built.
            Action::Deck(bring) => self.may_bring(seat, *bring),
            _ => self.legal_actions(seat).binary_search(action).is_ok(),
        }
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, action: &Action, rng: &mut GameRng, told: &mut C) {
        self.decide(seat, *action, &mut Scribe { rng, told });
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, rng: &mut GameRng, told: &mut C) {
        self.leave(seat, &mut Scribe { rng, told });
    }

    const KEEPS_QUEUES: bool = true;

    fn check_plan(&self, seat: Seat, clause: &str) -> Result<(), NotationError> {
        Reader::of(self, seat, clause).check_plan()
    }

    fn is_moot(&self, seat: Seat, clause: &str) -> bool {
        self.answers_itself(seat, clause)
    }

    fn lapse<C: Chronicle<Event>>(&mut self, seat: Seat, rng: &mut GameRng, told: &mut C) -> Lapse {
        if self.awaiting().includes(seat) {
            self.time_out(seat, &mut Scribe { rng, told });
        }
        if self.left.contains(seat) {
            Lapse::Left
        } else {
            Lapse::Answered
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.verdict()
    }

    fn view(&self, viewer: Viewer) -> View {
        self.look(viewer)
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Event> {
        event.seen_by(viewer)
    }

    fn notate(&self, _seat: Seat, action: &Action) -> String {
        self.write(*action)
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

    fn ways(&self, seat: Seat) -> Vec<Way> {
        self.picked_together(seat, Offered::Listed)
    }

    fn ways_touched(&self, seat: Seat, touched: &[&str]) -> Vec<Way> {
        self.picked_together(seat, Offered::Touched(touched))
    }

    fn joined(notations: &[String]) -> String {
        sentence::joined(notations)
    }

    fn purpose(&self, seat: Seat, action: &Action) -> Option<String> {
        self.good_for(seat, *action)
    }

    fn is_aside(&self, seat: Seat, action: &Action) -> bool {
        let plays = seat.index() < usize::from(self.seats) && !self.left.contains(seat);
        matches!(action, Action::Aside(_)) && self.end.is_none() && plays
    }

    fn stirs(&self, action: &Action) -> bool {
        // Whoever attacks reckons with defenders.
        !matches!(
            action,
            Action::Pass
                | Action::PassHere
                | Action::PassWhatever
                | Action::PassUnopposed
                | Action::Done
                | Action::Defend { .. }
                | Action::Aside(_)
        )
    }

    fn determinize(&self, seat: Seat, rng: &mut GameRng) -> Self {
        self.imagine(seat, rng)
    }

    fn foresaid(&self, seat: Seat) -> Option<Action> {
        self.guards(seat)
    }

    fn turns(&self) -> Option<u32> {
        let before = u32::from(self.round.saturating_sub(1)) * u32::from(self.seats);
        Some(before + self.had_turn.len() as u32)
    }
}
