//! A desk for worked examples: positions by hand, actions by notation.

use parlor::draw::{Marks, Scene, Theme};
use parlor::game::sentence::{SentenceError, play_sentence};
use parlor::game::{Awaiting, Game, Outcome, Seat, Seed, Viewer};
use parlor::games::phase::card::load::{Source, draft};
use parlor::games::phase::card::{Alignment, CardId, CardSet, card_set};
use parlor::games::phase::position::{Laid, Position, Side};
use parlor::games::phase::view::{CardView, PlayerView, View, WarriorView};
use parlor::games::phase::{Event, Phase};

pub const ONE: Seat = Seat::new(0);
pub const TWO: Seat = Seat::new(1);
pub const THREE: Seat = Seat::new(2);

/// A small set of cards of one's own: faces as the card files write them. Every good face is paired with every evil one.
pub fn cards(faces: &str) -> &'static CardSet {
    let named = |alignment: &str| -> Vec<String> {
        let lines = faces.lines().filter_map(|line| line.strip_prefix(alignment));
        lines
            .filter_map(|line| Some(line.split_once(',')?.0.trim().to_owned()))
            .collect()
    };
    let mut text = format!("faction Fengarian\n\n{faces}\n\ncards\n");
    let mut number = 0;
    for good in named("good ") {
        for evil in named("evil ") {
            number += 1;
            text.push_str(&format!("  {number} {good} / {evil}\n"));
        }
    }
    let source = Source {
        name: "test",
        text: &text,
    };
    Box::leak(Box::new(
        draft(&source).unwrap_or_else(|faults| panic!("{faults:?}")),
    ))
}

/// The card with these two faces; the first one is the active side.
pub fn laid(set: &CardSet, name: &str) -> Laid {
    let (name, locked) = match name.strip_suffix('!') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let (up, behind) = name
        .split_once('/')
        .map_or((name, None), |(up, behind)| (up, Some(behind.trim())));
    let up = up.trim();
    let found = set.cards().iter().find_map(|card| {
        let [good, evil] = [set.face(card.good), set.face(card.evil)];
        let fits = |face: &str, other: &str| face == up && behind.is_none_or(|behind| other == behind);
        if fits(&good.name, &evil.name) {
            Some((card.id, Alignment::Good))
        } else if fits(&evil.name, &good.name) {
            Some((card.id, Alignment::Evil))
        } else {
            None
        }
    });
    let (card, up): (CardId, Alignment) = found.unwrap_or_else(|| panic!("no card has {name}"));
    Laid { card, up, locked }
}

/// A table that is being laid.
pub struct Desk {
    pub set: &'static CardSet,
    pub position: Position,
}

impl Desk {
    pub fn of(set: &'static CardSet, seats: usize) -> Self {
        Self {
            set,
            position: Position {
                sides: vec![Side::default(); seats],
                nexus: [20, 20],
                active: ONE,
                round: 3,
            },
        }
    }

    pub fn printed(seats: usize) -> Self {
        Self::of(card_set(), seats)
    }

    fn lay(&mut self, names: &str) -> Vec<Laid> {
        names
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(|name| laid(self.set, name))
            .collect()
    }

    /// Warriors, separated by commas; `!` locks one. A card is named by its active side, and `/ Other` tells which card.
    pub fn play(mut self, seat: Seat, names: &str) -> Self {
        self.position.sides[seat.index()].play = self.lay(names);
        self
    }

    pub fn barracks(mut self, seat: Seat, names: &str) -> Self {
        self.position.sides[seat.index()].barracks = self.lay(names);
        self
    }

    /// Hand cards by the side that gives the order.
    pub fn hand(mut self, seat: Seat, names: &str) -> Self {
        self.position.sides[seat.index()].hand = self.lay(names);
        self
    }

    /// The last one is on top.
    pub fn deck(mut self, seat: Seat, names: &str) -> Self {
        self.position.sides[seat.index()].deck = self.lay(names);
        self
    }

    pub fn discard(mut self, seat: Seat, names: &str) -> Self {
        self.position.sides[seat.index()].discard = self.lay(names);
        self
    }

    pub fn influence(mut self, seat: Seat, good: u16, evil: u16) -> Self {
        self.position.sides[seat.index()].influence = [good, evil];
        self
    }

    pub fn nexus(mut self, good: u16, evil: u16) -> Self {
        self.position.nexus = [good, evil];
        self
    }

    pub fn go(self) -> Play {
        Play {
            game: Phase::arranged(self.set, &self.position),
            seed: Seed::from_text("desk"),
            step: 1,
            told: Vec::new(),
        }
    }
}

/// A game that is being played.
#[derive(Clone)]
pub struct Play {
    pub game: Phase,
    pub seed: Seed,
    pub step: u64,
    /// What the last sentence told.
    pub told: Vec<Event>,
}

/// In one line: where lines break is another matter.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Play {
    /// What somebody is told of the table as it is.
    pub fn tell<T>(&self, viewer: Viewer, tell: impl Fn(&Scene<'_, Phase>) -> T) -> T {
        self.tell_after(&[], viewer, tell)
    }

    /// The same with what has just happened, as far as the viewer knows of it.
    pub fn tell_after<T>(
        &self,
        events: &[Event],
        viewer: Viewer,
        tell: impl Fn(&Scene<'_, Phase>) -> T,
    ) -> T {
        let view = self.game.view(viewer);
        let recent: Vec<Event> = events
            .iter()
            .filter_map(|event| Phase::witness(event, viewer))
            .collect();
        tell(&Scene {
            view: &view,
            recent: &recent,
            awaiting: self.game.awaiting(),
            outcome: None,
            marks: &Marks::default(),
            names: &["Ann".to_owned(), "Bea".to_owned()],
            viewer,
            side: ONE,
            theme: Theme::Light,
        })
    }

    pub fn try_say(&mut self, seat: Seat, sentence: &str) -> Result<(), SentenceError> {
        let played = play_sentence(&self.game, seat, sentence, &self.seed, self.step)?;
        self.game = played.game;
        self.step += played.actions.len() as u64;
        self.told = played.told.events;
        Ok(())
    }

    /// Plays a sentence, which must be good.
    #[track_caller]
    pub fn say(&mut self, seat: Seat, sentence: &str) -> &mut Self {
        if let Err(error) = self.try_say(seat, sentence) {
            panic!("`{sentence}` of {seat:?}: {error}\n{}", self.situation());
        }
        self
    }

    /// What a sentence is refused with.
    #[track_caller]
    pub fn refused(&mut self, seat: Seat, sentence: &str) -> String {
        match self.try_say(seat, sentence) {
            Ok(()) => panic!("`{sentence}` was played"),
            Err(error) => error.to_string(),
        }
    }

    pub fn situation(&self) -> String {
        let view = self.view();
        let asked = self.game.awaiting().seats().iter().next();
        let legal = asked.map(|seat| self.legal(seat)).unwrap_or_default();
        let warriors: Vec<String> = view
            .players
            .iter()
            .flat_map(|player| {
                player
                    .warriors
                    .iter()
                    .map(|warrior| format!("{}:{}", warrior.number, warrior.face.name))
            })
            .collect();
        format!("{:?} {:?} {warriors:?} {legal:?}", view.stage, view.ask)
    }

    pub fn legal(&self, seat: Seat) -> Vec<String> {
        self.game
            .legal_actions(seat)
            .iter()
            .map(|action| self.game.notate(seat, action))
            .collect()
    }

    pub fn view(&self) -> View {
        self.game.view(Viewer::Omniscient)
    }

    pub fn player(&self, seat: Seat) -> PlayerView {
        self.view().players[seat.index()].clone()
    }

    pub fn asked(&self) -> Option<Seat> {
        match self.game.awaiting() {
            Awaiting::Turn(seat) => Some(seat),
            _ => None,
        }
    }

    /// A warrior by name.
    #[track_caller]
    pub fn warrior(&self, name: &str) -> WarriorView {
        self.find(name)
            .unwrap_or_else(|| panic!("{name} is not in play: {}", self.situation()))
    }

    pub fn find(&self, name: &str) -> Option<WarriorView> {
        let view = self.view();
        let mut warriors = view.players.iter().flat_map(|player| player.warriors.clone());
        warriors.find(|warrior| warrior.face.name == name)
    }

    pub fn stats(&self, name: &str) -> (i16, i16) {
        let warrior = self.warrior(name);
        (warrior.attack, warrior.defense)
    }

    pub fn influence(&self, seat: Seat) -> [u16; 2] {
        self.player(seat).influence
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// Whoever is asked passes, or is done, until `seat` is asked something else than to act or pass.
    pub fn pass_round(&mut self) -> &mut Self {
        while let Some(seat) = self.asked() {
            if !self.legal(seat).contains(&"pass".to_owned()) {
                break;
            }
            self.say(seat, "pass");
        }
        self
    }
}

pub fn faces(cards: &[CardView]) -> Vec<&str> {
    cards.iter().map(|card| card.face.name.as_str()).collect()
}

pub fn warriors(player: &PlayerView) -> Vec<&str> {
    player
        .warriors
        .iter()
        .map(|warrior| warrior.face.name.as_str())
        .collect()
}
