//! A game in which imagined worlds are the real one, so that whoever thinks in them peeks: to show that peeking is found
//! out.

use parlor::game::insight::{Chances, Plan};
use parlor::game::{
    Awaiting, Chronicle, Game, GameRng, Insight, Meta, NotationError, OptionValues, Outcome, Seat, Viewer,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Peeking<G: Insight>(pub G);

impl<G: Insight> Game for Peeking<G> {
    const META: &'static Meta = G::META;
    type Action = G::Action;
    type Event = G::Event;
    type View = G::View;

    fn new(options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        Self(G::new(options, seats, rng))
    }

    fn seats(&self) -> u8 {
        self.0.seats()
    }

    fn awaiting(&self) -> Awaiting {
        self.0.awaiting()
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<G::Action>) {
        self.0.legal_into(seat, out);
    }

    fn play<C: Chronicle<G::Event>>(
        &mut self,
        seat: Seat,
        action: &G::Action,
        rng: &mut GameRng,
        told: &mut C,
    ) {
        self.0.play(seat, action, rng, told);
    }

    fn withdraw<C: Chronicle<G::Event>>(&mut self, seat: Seat, rng: &mut GameRng, told: &mut C) {
        self.0.withdraw(seat, rng, told);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn view(&self, viewer: Viewer) -> G::View {
        self.0.view(viewer)
    }

    fn notate(&self, seat: Seat, action: &G::Action) -> String {
        self.0.notate(seat, action)
    }

    fn parse<'t>(&self, seat: Seat, text: &'t str) -> Result<(G::Action, &'t str), NotationError> {
        self.0.parse(seat, text)
    }

    // What the seat can't see is not dealt anew: `determinize` stays a copy.
}

impl<G: Insight> Insight for Peeking<G> {
    fn plans(&self) -> &'static [Plan; 5] {
        self.0.plans()
    }

    fn is_certain(&self) -> bool {
        self.0.is_certain()
    }

    fn chances(&self) -> Option<Chances> {
        self.0.chances()
    }

    fn is_settled(&self) -> bool {
        self.0.is_settled()
    }

    fn hunch(&self, seat: Seat, rng: &mut GameRng, buffer: &mut Vec<G::Action>) -> Option<G::Action> {
        self.0.hunch(seat, rng, buffer)
    }

    fn rate(&self, seat: Seat, actions: &[G::Action], rng: &mut GameRng, out: &mut Vec<f32>) {
        self.0.rate(seat, actions, rng, out);
    }
}
