//! How often somebody may ask: a bucket of tokens for each of those we know and for each address, and for each kind of
//! request.
//!
//! The figures stop who asks without end. Those of the local room leave room for scripts that play fast and for many guests
//! on one machine; those of pages that anybody can reach leave room for people.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::problem::Problem;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Saying, pressing, asking for suggestions.
    Say,
    /// Taking a new name.
    Enter,
    /// Reading pages of messages and what there is, opening event streams.
    Read,
    /// Looking at pictures.
    Look,
    /// What takes as long as playing a match again, if it is not kept: telling its story, showing an earlier turn.
    Retell,
}

/// How fast a bucket fills, and how much it holds.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    a_second: f64,
    at_once: f64,
}

const fn rate(a_second: f64, at_once: f64) -> Rate {
    Rate { a_second, at_once }
}

/// How often one of those we know may ask, and how often one address.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    one: fn(Activity) -> Rate,
    address: fn(Activity) -> Rate,
}

impl Figures {
    /// For this machine alone. Whole rooms full of guests may share an address. New names are the exception: they are kept
    /// for long.
    pub const LOCAL: Self = Self {
        one: |activity| match activity {
            Activity::Say => rate(500.0, 2000.0),
            Activity::Enter => rate(1.0, 500.0),
            Activity::Read => rate(400.0, 2000.0),
            Activity::Look | Activity::Retell => rate(200.0, 1000.0),
        },
        address: |activity| match activity {
            Activity::Say => rate(5000.0, 10_000.0),
            Activity::Enter => rate(1.0, 500.0),
            Activity::Read => rate(4000.0, 10_000.0),
            Activity::Look | Activity::Retell => rate(1000.0, 4000.0),
        },
    };

    /// For whoever comes. Keys can't be guessed, but nobody need try for long.
    pub const PUBLIC: Self = Self {
        one: |activity| match activity {
            Activity::Say => rate(20.0, 120.0),
            Activity::Enter => rate(1.0, 20.0),
            Activity::Read => rate(30.0, 240.0),
            Activity::Look => rate(30.0, 240.0),
            Activity::Retell => rate(20.0, 300.0),
        },
        address: |activity| match activity {
            Activity::Say => rate(60.0, 360.0),
            Activity::Enter => rate(1.0, 30.0),
            Activity::Read => rate(100.0, 800.0),
            Activity::Look => rate(100.0, 800.0),
            Activity::Retell => rate(10.0, 150.0),
        },
    };
}

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Who {
    Known(String),
    Address(IpAddr),
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Bucket {
    fn filled(self, rate: Rate, now: Instant) -> Self {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * rate.a_second;
        Self {
            tokens: (self.tokens + gained).min(rate.at_once),
            at: now,
        }
    }
}

/// Past so many buckets those that are full again are forgotten.
const MOST_BUCKETS: usize = 10_000;

/// All buckets.
#[derive(Debug)]
pub struct Rates {
    figures: Figures,
    buckets: Mutex<HashMap<(Activity, Who), Bucket>>,
}

impl Rates {
    pub fn new(figures: Figures) -> Self {
        Self {
            figures,
            buckets: Mutex::default(),
        }
    }

    /// Takes a token of whoever asks, if we know them, and one of the address, or says how long to wait.
    pub fn take(&self, kind: Activity, known: Option<&str>, address: IpAddr) -> Result<(), Problem> {
        let known = known.map(|known| Who::Known(known.to_owned()));
        self.take_of(kind, known.into_iter().chain([Who::Address(address)]))
    }

    /// The same of one whose address has been counted before it was known who they are.
    pub fn take_known(&self, kind: Activity, known: &str) -> Result<(), Problem> {
        self.take_of(kind, [Who::Known(known.to_owned())])
    }

    fn take_of(&self, kind: Activity, who: impl IntoIterator<Item = Who>) -> Result<(), Problem> {
        let wait = self.take_at(kind, who, Instant::now());
        wait.map_or(Ok(()), |wait| Err(Problem::TooFast(wait)))
    }

    /// How long to wait, if there is no token.
    fn take_at(
        &self,
        kind: Activity,
        takers: impl IntoIterator<Item = Who>,
        now: Instant,
    ) -> Option<Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST_BUCKETS {
            buckets.retain(|(kind, who), bucket| {
                let rate = self.rate(*kind, who);
                bucket.filled(rate, now).tokens < rate.at_once
            });
        }
        let mut filled = Vec::new();
        for who in takers {
            let rate = self.rate(kind, &who);
            let key = (kind, who);
            let full = Bucket {
                tokens: rate.at_once,
                at: now,
            };
            let bucket = buckets.get(&key).map_or(full, |bucket| bucket.filled(rate, now));
            if bucket.tokens < 1.0 {
                return Some(Duration::from_secs_f64((1.0 - bucket.tokens) / rate.a_second));
            }
            filled.push((key, bucket));
        }
        for (key, bucket) in filled {
            let tokens = bucket.tokens - 1.0;
            buckets.insert(key, Bucket { tokens, ..bucket });
        }
        None
    }

    fn rate(&self, kind: Activity, who: &Who) -> Rate {
        match who {
            Who::Known(_) => (self.figures.one)(kind),
            Who::Address(_) => (self.figures.address)(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn who(known: Option<&str>, address: IpAddr) -> Vec<Who> {
        let known = known.map(|known| Who::Known(known.to_owned()));
        known.into_iter().chain([Who::Address(address)]).collect()
    }

    /// How many of so many requests are let through at one moment.
    fn let_through(rates: &Rates, kind: Activity, known: Option<&str>, now: Instant) -> usize {
        let passed = |_: &usize| rates.take_at(kind, who(known, HERE), now).is_none();
        (0..20_000).filter(passed).count()
    }

    #[test]
    fn a_guest_who_asks_without_end_waits_and_others_do_not() {
        let (rates, now) = (Rates::new(Figures::LOCAL), Instant::now());
        let (ann, bea) = ("Ann", "Bea");
        assert_eq!(let_through(&rates, Activity::Say, Some(ann), now), 2000);
        assert!(rates.take_at(Activity::Say, who(Some(bea), HERE), now).is_none());
        let wait = rates.take_at(Activity::Say, who(Some(ann), HERE), now).unwrap();
        assert!(
            rates
                .take_at(Activity::Say, who(Some(ann), HERE), now + wait)
                .is_none()
        );
        let later = now + Duration::from_secs(1);
        assert_eq!(let_through(&rates, Activity::Say, Some(ann), later), 500 - 1);
    }

    #[test]
    fn an_address_shares_what_its_guests_take() {
        let (rates, now) = (Rates::new(Figures::LOCAL), Instant::now());
        for number in 0..5 {
            let one = number.to_string();
            assert_eq!(let_through(&rates, Activity::Say, Some(&one), now), 2000);
        }
        assert!(
            rates
                .take_at(Activity::Say, who(Some("Ann"), HERE), now)
                .is_some()
        );
        let elsewhere = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
        assert!(
            rates
                .take_at(Activity::Say, who(Some("Ann"), elsewhere), now)
                .is_none()
        );
    }

    /// Who steps through a match is not stopped, and who asks for its turns without end soon is.
    #[test]
    fn a_match_is_played_again_for_an_address_only_so_often() {
        let (rates, now) = (Rates::new(Figures::PUBLIC), Instant::now());
        assert_eq!(let_through(&rates, Activity::Retell, None, now), 150);
        let later = now + Duration::from_secs(2);
        assert_eq!(let_through(&rates, Activity::Retell, None, later), 20);
        // Looking at what is kept goes on.
        assert_eq!(let_through(&rates, Activity::Look, None, later), 800);
    }

    #[test]
    fn fifty_moves_a_second_are_never_too_fast() {
        let (rates, start) = (Rates::new(Figures::LOCAL), Instant::now());
        let ann = "Ann";
        for number in 0..50 * 600 {
            let now = start + Duration::from_millis(20) * number;
            assert!(rates.take_at(Activity::Say, who(Some(ann), HERE), now).is_none());
        }
    }

    #[test]
    fn buckets_that_are_full_again_are_forgotten() {
        let (rates, now) = (Rates::new(Figures::LOCAL), Instant::now());
        for number in 0..=MOST_BUCKETS {
            rates.take_at(Activity::Say, who(Some(&number.to_string()), HERE), now);
        }
        rates.take_at(
            Activity::Say,
            who(Some("Ann"), HERE),
            now + Duration::from_secs(60),
        );
        assert!(rates.buckets.lock().unwrap().len() < 10);
    }
}
