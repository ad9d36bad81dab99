//! The opening, and worlds that a seat can't tell apart.

use parlor::game::{GameRng, OptionValues, Seat, SeatSet};

use super::{Phase, Toy, flaw};

pub(super) fn deal<const FLAW: u8>(options: &OptionValues, seats: u8, rng: &mut GameRng) -> Toy<FLAW> {
    let mut pool: Vec<u8> = match options.choice("deck") {
        "double" => (1..=3 * seats).flat_map(|card| [card, card]).collect(),
        _ => (1..=5 * seats).collect(),
    };
    rng.shuffle(&mut pool);
    let count = options.whole("hand") as usize;
    let hands = (0..seats)
        .map(|_| sorted(pool.split_off(pool.len() - count)))
        .collect();
    let places = usize::from(seats);
    Toy {
        bonus: options.switch("bonus"),
        hands,
        bids: vec![None; places],
        points: vec![0; places],
        knows: vec![Vec::new(); places],
        pool: sorted(pool),
        trick: Vec::new(),
        phase: Phase::Bidding,
        inside: SeatSet::all(seats),
        luck: if FLAW == flaw::SEED_SHOWN { rng.word() } else { 0 },
    }
}

/// Deals anew all that `seat` has not seen. Everybody keeps as many cards, and whoever has bid has.
pub(super) fn imagine<const FLAW: u8>(toy: &Toy<FLAW>, seat: Seat, rng: &mut GameRng) -> Toy<FLAW> {
    let mut world = toy.clone();
    let others: Vec<Seat> = Seat::all(toy.seat_count())
        .filter(|&other| other != seat)
        .collect();
    let mut unseen = std::mem::take(&mut world.pool);
    let known = |owner: Seat| -> Vec<u8> {
        let entries = toy.knows[seat.index()].iter();
        entries
            .filter(|(of, _)| *of == owner)
            .map(|(_, card)| *card)
            .collect()
    };
    for &other in &others {
        let mut hidden = std::mem::take(&mut world.hands[other.index()]);
        for card in known(other) {
            hidden.remove(
                hidden
                    .iter()
                    .position(|&held| held == card)
                    .expect("what was seen is there"),
            );
        }
        unseen.append(&mut hidden);
    }
    rng.shuffle(&mut unseen);
    for &other in &others {
        let mut hand = known(other);
        let missing = toy.hands[other.index()].len() - hand.len();
        hand.extend(unseen.split_off(unseen.len() - missing));
        world.hands[other.index()] = sorted(hand);
        if toy.bids[other.index()].is_some() {
            world.bids[other.index()] = rng.choose(&world.hands[other.index()]).copied();
        }
    }
    // What the others have seen, they have seen in this world as well.
    for &other in &others {
        for entry in &mut world.knows[other.index()] {
            if entry.0 != seat {
                let hand = &world.hands[entry.0.index()];
                entry.1 = *rng
                    .choose(hand)
                    .expect("a hand that was looked at still has cards");
            }
        }
        world.knows[other.index()].sort_unstable();
        world.knows[other.index()].dedup();
    }
    if FLAW == flaw::FALSE_MEMORY
        && let (Some(own), Some(other)) = (world.hands[seat.index()].first_mut(), unseen.first_mut())
    {
        std::mem::swap(own, other);
    }
    world.pool = sorted(unseen);
    world
}

fn sorted(mut cards: Vec<u8>) -> Vec<u8> {
    cards.sort_unstable();
    cards
}
