//! A random game written down, to be gone through again and looked at closely here and there.

use std::collections::BTreeSet;

use parlor::catalog::Table;
use parlor::game::{Awaiting, GameRng, Outcome, Seat};

use super::case::Case;
use super::law::{Broken, Kept, Law, Spot};

/// What somebody did.
#[derive(Clone, Debug)]
pub enum Deed {
    Play(Seat, String),
    Leave(Seat),
}

/// A whole game.
pub struct Story {
    pub deeds: Vec<Deed>,
    /// The save of the last position.
    pub end: String,
}

/// Whether players leave in the middle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Company {
    Stays,
    Leaves,
}

impl Story {
    /// Plays a random game to its end. Holds the laws without which no game can be played: somebody
    /// is awaited and can act until the outcome (1), which comes within the bound (10).
    pub fn play(case: &Case<'_>, company: Company) -> Result<Self, Broken> {
        let mut players = case.players("story");
        let mut table = case.open();
        let mut deeds = Vec::new();
        // Where somebody leaves: early, or somewhere in a game of usual length, or not at all.
        let mut leave_at: BTreeSet<u64> = match company {
            Company::Stays => BTreeSet::new(),
            Company::Leaves => (1..case.seats)
                .map(|_| {
                    let within = [1, 10, 40][players.below(3)];
                    players.below(within) as u64
                })
                .collect(),
        };
        loop {
            let step = deeds.len() as u64;
            let spot = Spot {
                case,
                table: table.as_ref(),
                step,
            };
            if table.awaiting().is_over() {
                let end = spot.save(table.as_ref())?;
                return Ok(Self { deeds, end });
            }
            spot.ensure(Law::Bound, step < u64::from(case.entry.meta.bound), || {
                format!("no end after {} steps", case.entry.meta.bound)
            })?;
            let deed = if leave_at.remove(&step) {
                Deed::Leave(Seat::new(players.below(usize::from(case.seats)) as u8))
            } else {
                Self::random_play(&spot, &mut players)?
            };
            let mut next = table.copy();
            perform(&spot, next.as_mut(), &deed)?;
            table = next;
            deeds.push(deed);
        }
    }

    fn random_play(spot: &Spot<'_>, players: &mut GameRng) -> Result<Deed, Broken> {
        let seats: Vec<Seat> = spot.table.awaiting().seats().iter().collect();
        let seat = players
            .choose(&seats)
            .ok_or_else(|| spot.broken(Law::Awaited, "nobody is awaited before the outcome"))?;
        let legal = spot.table.legal(*seat);
        let action = players
            .choose(&legal)
            .ok_or_else(|| spot.broken(Law::Awaited, format!("{seat:?} is awaited and can do nothing")))?;
        Ok(Deed::Play(*seat, action.clone()))
    }

    /// Law 5, by the position to which the log was played again.
    pub fn replays_to(&self, case: &Case<'_>, last: &str) -> Kept {
        let opening = case.open();
        let spot = Spot {
            case,
            table: opening.as_ref(),
            step: 0,
        };
        spot.ensure(Law::Replays, last == self.end, || {
            format!("the log replays to {last}, not to {}", self.end)
        })
    }

    /// Goes through the game again and calls `look` on about `count` positions, the first and the
    /// last among them.
    pub fn visit(&self, case: &Case<'_>, count: usize, mut look: impl FnMut(&Spot<'_>) -> Kept) -> Kept {
        let mut rng = case.players("visit");
        let last = self.deeds.len() as u64;
        let stops: BTreeSet<u64> = [0, 1, last]
            .into_iter()
            .chain((0..count.saturating_sub(3)).map(|_| rng.below(self.deeds.len() + 1) as u64))
            .collect();
        self.retell(case, |spot, _| {
            if stops.contains(&spot.step) {
                look(spot)?;
            }
            Ok(())
        })
    }

    /// Goes through the game again and calls `look` on every position, with what is done there.
    pub fn retell(&self, case: &Case<'_>, mut look: impl FnMut(&Spot<'_>, Option<&Deed>) -> Kept) -> Kept {
        let mut table = case.open();
        for step in 0..=self.deeds.len() as u64 {
            let spot = Spot {
                case,
                table: table.as_ref(),
                step,
            };
            let deed = self.deeds.get(step as usize);
            look(&spot, deed)?;
            if let Some(deed) = deed {
                let mut next = table.copy();
                perform(&spot, next.as_mut(), deed)?;
                table = next;
            }
        }
        Ok(())
    }
}

/// Does a deed at a table that stands at the spot.
pub fn perform(spot: &Spot<'_>, table: &mut dyn Table, deed: &Deed) -> Kept {
    match deed {
        Deed::Leave(seat) => {
            table.withdraw(*seat, &spot.seed(), spot.next_step());
            Ok(())
        }
        Deed::Play(seat, action) => match table.play(*seat, action, &spot.seed(), spot.next_step()) {
            Ok(_) => Ok(()),
            Err(error) => Err(spot.broken(
                Law::LegalLists,
                format!("`{action}` of {seat:?} is listed and refused: {error}"),
            )),
        },
    }
}

/// Whether an outcome makes sense for a table.
pub fn sound_outcome(outcome: &Outcome, seats: u8) -> bool {
    outcome.ranks.len() == usize::from(seats)
        && outcome.ranks.iter().all(|rank| (1..=seats).contains(rank))
        && outcome.ranks.contains(&1)
        && !outcome.reason.trim().is_empty()
}

/// Whether the table waits for a choice that several make at once.
pub fn choosing_together(awaiting: Awaiting) -> bool {
    matches!(awaiting, Awaiting::Each(seats) if seats.len() > 1)
}
