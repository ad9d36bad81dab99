use parlor::game::{Awaiting, Chronicle, Game, GameRng, Information, Meta, NotationError, OptionValues, Outcome, Seat, TurnLength, Viewer};
use serde::{Deserialize, Serialize};

/// Take one, two or three of 21 stones. Whoever takes the last one wins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
struct Nim {
    stones: u8,
    to_move: Seat,
    winner: Option<Seat>,
}

/// What is read from a save: it is a position only if it passes all checks.
#[derive(Deserialize)]
struct Saved {
    stones: u8,
    to_move: Seat,
    winner: Option<Seat>,
}

impl TryFrom<Saved> for Nim {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let Saved { stones, to_move, winner } = saved;
        let is_player = |seat: Seat| seat.index() < 2;
        if !is_player(to_move) || !winner.is_none_or(is_player) || stones > 21 {
            return Err("two play, and there are 21 stones");
        }
        if stones == 0 && winner.is_none() {
            return Err("somebody took the last stone");
        }
        Ok(Self { stones, to_move, winner })
    }
}

/// A seat took so many stones, or left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Took(Seat, u8),
    Left(Seat),
}

impl Game for Nim {
    const META: &'static Meta = &Meta {
        id: "nim",
        name: "Nim",
        tagline: "Take the last stone.",
        designer: "nobody knows",
        example: "3",
        seats: 2..=2,
        information: Information::Perfect,
        turn_length: TurnLength::One,
        rules_version: 1,
        bound: 21,
        options: &[],
        rulebook_clock: None,
    };

    type Action = u8;
    type Event = Event;
    // Nothing is hidden: everybody sees the position itself.
    type View = Self;

    fn new(_: &OptionValues, _: u8, _: &mut GameRng) -> Self {
        Self { stones: 21, to_move: Seat::new(0), winner: None }
    }

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Awaiting {
        if self.winner.is_some() { Awaiting::Over } else { Awaiting::Turn(self.to_move) }
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<u8>) {
        if self.awaiting().includes(seat) {
            out.extend(1..=self.stones.min(3));
        }
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, taken: &u8, _: &mut GameRng, told: &mut C) {
        self.stones -= taken;
        self.to_move = seat.next(2);
        told.tell(|| Event::Took(seat, *taken));
        if self.stones == 0 {
            self.winner = Some(seat);
        }
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, _: &mut GameRng, told: &mut C) {
        if self.winner.is_none() {
            self.winner = Some(seat.next(2));
            told.tell(|| Event::Left(seat));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        Some(Outcome::win(self.winner?, 2, "the last stone"))
    }

    fn view(&self, _: Viewer) -> Self {
        self.clone()
    }

    fn notate(&self, _: Seat, taken: &u8) -> String {
        taken.to_string()
    }

    fn parse<'t>(&self, _: Seat, text: &'t str) -> Result<(u8, &'t str), NotationError> {
        let unreadable = |_| NotationError::unreadable(text, "Say how many stones you take, such as `3`.");
        let taken = text.trim().parse().map_err(unreadable)?;
        if (1..=self.stones.min(3)).contains(&taken) {
            Ok((taken, ""))
        } else {
            Err(NotationError::illegal("Take one, two or three of the stones that are left."))
        }
    }
}
