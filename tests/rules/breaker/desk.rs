//! A desk for worked examples: positions by hand, actions by notation.

use parlor::game::{Awaiting, Game, GameRng, OptionValues, Outcome, Seat, Seed, Silent, Told, Viewer};
use parlor::games::breaker::setup::{Placed, Setup};
use parlor::games::breaker::stock::Stock;
use parlor::games::breaker::view::View;
use parlor::games::breaker::{Action, Breaker, Event, Kind, Pick, Tie, Variant};

pub const ONE: Seat = Seat::new(0);
pub const TWO: Seat = Seat::new(1);

/// The opening of a variant, to be changed.
pub fn opening(variant: Variant) -> Setup {
    Setup::opening(variant, Tie::Draw, &mut Seed::from_text("desk").at(0))
}

pub fn plain() -> Setup {
    opening(Variant::Plain)
}

pub fn kind(name: &str) -> Kind {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap()
}

pub fn stock(names: &str) -> Stock {
    names.split_whitespace().map(kind).collect()
}

/// Changes to a position, one after the other.
pub trait Arrange: Sized {
    /// Moves blocks from the supply to a hand; they can be played at once.
    fn give(self, seat: Seat, names: &str) -> Self;
    /// A hand of exactly this; what was there is gone.
    fn hold(self, seat: Seat, names: &str) -> Self;
    /// Puts blocks on the table, from the supply: `kind socket` each.
    fn table(self, seat: Seat, blocks: &str) -> Self;
    /// No power block is left to draw.
    fn drained(self, seat: Seat) -> Self;
    fn game(self) -> Desk;
}

fn draw_from_supply(setup: &mut Setup, seat: Seat, kind: Kind) {
    let heap = if kind.is_command() {
        &mut setup.commands
    } else {
        &mut setup.supply[seat.index()]
    };
    if heap.has(kind) {
        heap.take(kind);
    } else {
        setup.hands[seat.index()].held.take(kind);
    }
}

impl Arrange for Setup {
    fn give(mut self, seat: Seat, names: &str) -> Self {
        for name in names.split_whitespace() {
            draw_from_supply(&mut self, seat, kind(name));
            self.hands[seat.index()].held.add(kind(name));
        }
        self
    }

    fn hold(mut self, seat: Seat, names: &str) -> Self {
        self.hands[seat.index()].held = Stock::EMPTY;
        self.give(seat, names)
    }

    fn table(mut self, seat: Seat, blocks: &str) -> Self {
        for block in blocks.split(',') {
            let (name, into) = block.trim().split_once(' ').unwrap();
            draw_from_supply(&mut self, seat, kind(name));
            self.blocks.push(Placed {
                number: self.next_number,
                kind: kind(name),
                seat,
                into: into.to_owned(),
            });
            self.next_number += 1;
        }
        self
    }

    fn drained(mut self, seat: Seat) -> Self {
        self.supply[seat.index()] = Stock::EMPTY;
        self
    }

    fn game(self) -> Desk {
        Desk {
            game: Breaker::try_from(self).unwrap(),
            seed: Seed::from_text("desk"),
            step: 0,
            told: Told::new(),
        }
    }
}

/// A game under way.
#[derive(Clone)]
pub struct Desk {
    pub game: Breaker,
    pub seed: Seed,
    pub step: u64,
    /// What the last action told.
    pub told: Told<Event>,
}

impl Desk {
    pub fn mover(&self) -> Seat {
        match self.game.awaiting() {
            Awaiting::Turn(seat) => seat,
            other => panic!("nobody is to move: {other:?}"),
        }
    }

    /// Plays actions, separated by semicolons, each by whoever is to move.
    pub fn play(mut self, actions: &str) -> Self {
        for text in actions.split(';').map(str::trim).filter(|text| !text.is_empty()) {
            let seat = self.mover();
            let (action, rest) = self
                .game
                .parse(seat, text)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(rest, "", "{text}");
            self.step += 1;
            self.told = Told::new();
            let mut rng = self.seed.at(self.step);
            self.game.play(seat, &action, &mut rng, &mut self.told);
        }
        self
    }

    /// The legal actions of the player to move.
    pub fn legal(&self) -> Vec<String> {
        let seat = self.mover();
        let actions = self.game.legal_actions(seat);
        actions
            .iter()
            .map(|action| self.game.notate(seat, action))
            .collect()
    }

    /// The legal actions that begin like this.
    pub fn starting(&self, start: &str) -> Vec<String> {
        self.legal()
            .into_iter()
            .filter(|action| action.starts_with(start))
            .collect()
    }

    pub fn can(&self, action: &str) -> bool {
        self.legal().iter().any(|legal| legal == action)
    }

    /// What a player is told who types this.
    pub fn refusal(&self, text: &str) -> String {
        match self.game.parse(self.mover(), text) {
            Ok((action, _)) => panic!("{text} was read as {action:?}"),
            Err(error) => error.to_string(),
        }
    }

    /// The canonical notation of what was typed.
    pub fn read(&self, text: &str) -> String {
        let seat = self.mover();
        let (action, _) = self
            .game
            .parse(seat, text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        self.game.notate(seat, &action)
    }

    pub fn view(&self) -> View {
        self.game.view(Viewer::Omniscient)
    }

    /// Where a block lies.
    pub fn cell(&self, number: u16) -> (i8, i8) {
        let view = self.view();
        let cell = view.block(number).unwrap().cell;
        (cell.x, cell.y)
    }

    pub fn held(&self, seat: Seat) -> Stock {
        self.view().hands[seat.index()].held
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    pub fn ranks(&self) -> Vec<u8> {
        self.outcome().unwrap().ranks
    }
}

/// A random game; `watch` sees every position before its action.
pub fn random_game(variant: &str, seed: u64, mut watch: impl FnMut(&Breaker, Seat)) -> Breaker {
    let options = OptionValues::choose(Breaker::META.options, [("variant", variant)]).unwrap();
    let chance = Seed::from_text(&format!("{variant} {seed}"));
    let mut game = Breaker::new(&options, 2, &mut chance.at(0));
    let mut dice = GameRng::quick(seed);
    let mut step = 0;
    while let Awaiting::Turn(seat) = game.awaiting() {
        watch(&game, seat);
        step += 1;
        let mut legal = game.legal_actions(seat);
        // Every other game goes on for longer, since nobody adds an AUTHENTICATE without need.
        let closes = |action: &Action| {
            matches!(
                action,
                Action::Add {
                    pick: Pick::Known(Kind::Authenticate),
                    ..
                }
            )
        };
        if seed % 2 == 1 && !legal.iter().all(closes) {
            legal.retain(|action| !closes(action));
        }
        // Uniform play mostly moves; picking the verb first sees more of the game.
        let verbs: Vec<_> = {
            let mut verbs: Vec<_> = legal.iter().map(std::mem::discriminant).collect();
            verbs.dedup();
            verbs
        };
        let verb = verbs[dice.below(verbs.len())];
        let some: Vec<_> = legal
            .iter()
            .filter(|action| std::mem::discriminant(*action) == verb)
            .collect();
        let action = *some[dice.below(some.len())];
        let action = if matches!(action, Action::Pass) && dice.below(10) > 0 {
            legal[dice.below(legal.len())]
        } else {
            action
        };
        game.play(seat, &action, &mut chance.at(step), &mut Silent);
        assert!(step < u64::from(Breaker::META.bound), "the game does not end");
    }
    game
}
