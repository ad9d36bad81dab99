//! How often somebody may ask: a bucket of tokens for each guest and for each address, and for each kind of request.
//!
//! The figures leave room for scripts that play fast and for many guests on one machine. They stop who asks without end.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::problem::Problem;
use crate::matches::people::PlayerId;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Saying, pressing, asking for suggestions.
    Say,
    /// Taking a new name.
    Enter,
    /// Reading pages of messages, opening event streams.
    Read,
    /// Looking at pictures.
    Look,
}

/// How fast a bucket fills, and how much it holds.
#[derive(Clone, Copy, Debug)]
struct Rate {
    a_second: f64,
    at_once: f64,
}

impl Activity {
    const fn of_a_guest(self) -> Rate {
        let (a_second, at_once) = match self {
            Self::Say => (500.0, 2000.0),
            Self::Enter => (1.0, 500.0),
            Self::Read => (400.0, 2000.0),
            Self::Look => (200.0, 1000.0),
        };
        Rate { a_second, at_once }
    }

    /// Whole rooms full of guests may share an address. New names are the exception: they are kept for long.
    const fn of_an_address(self) -> Rate {
        let (a_second, at_once) = match self {
            Self::Say => (5000.0, 10_000.0),
            Self::Enter => (1.0, 500.0),
            Self::Read => (4000.0, 10_000.0),
            Self::Look => (1000.0, 4000.0),
        };
        Rate { a_second, at_once }
    }
}

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Who {
    Guest(PlayerId),
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
#[derive(Debug, Default)]
pub struct Rates {
    buckets: Mutex<HashMap<(Activity, Who), Bucket>>,
}

impl Rates {
    /// Takes a token of the guest and one of the address, or says how long to wait.
    pub fn take(&self, kind: Activity, guest: Option<&PlayerId>, address: IpAddr) -> Result<(), Problem> {
        let wait = self.take_at(kind, guest, address, Instant::now());
        wait.map_or(Ok(()), |wait| Err(Problem::TooFast(wait)))
    }

    /// How long to wait, if there is no token.
    fn take_at(
        &self,
        kind: Activity,
        guest: Option<&PlayerId>,
        address: IpAddr,
        now: Instant,
    ) -> Option<Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST_BUCKETS {
            buckets.retain(|(kind, who), bucket| {
                let rate = rate(*kind, who);
                bucket.filled(rate, now).tokens < rate.at_once
            });
        }
        let guest = guest.map(|guest| Who::Guest(guest.clone()));
        let takers: Vec<Who> = guest.into_iter().chain([Who::Address(address)]).collect();
        let mut filled = Vec::new();
        for who in takers {
            let rate = rate(kind, &who);
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
}

const fn rate(kind: Activity, who: &Who) -> Rate {
    match who {
        Who::Guest(_) => kind.of_a_guest(),
        Who::Address(_) => kind.of_an_address(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn guest(name: &str) -> PlayerId {
        PlayerId::new("local", name)
    }

    /// How many of so many requests are let through at one moment.
    fn let_through(rates: &Rates, kind: Activity, guest: Option<&PlayerId>, now: Instant) -> usize {
        let passed = |_: &usize| rates.take_at(kind, guest, HERE, now).is_none();
        (0..20_000).filter(passed).count()
    }

    #[test]
    fn a_guest_who_asks_without_end_waits_and_others_do_not() {
        let (rates, now) = (Rates::default(), Instant::now());
        let (ann, bea) = (guest("Ann"), guest("Bea"));
        assert_eq!(let_through(&rates, Activity::Say, Some(&ann), now), 2000);
        assert!(rates.take_at(Activity::Say, Some(&bea), HERE, now).is_none());
        let wait = rates.take_at(Activity::Say, Some(&ann), HERE, now).unwrap();
        assert!(
            rates
                .take_at(Activity::Say, Some(&ann), HERE, now + wait)
                .is_none()
        );
        let later = now + Duration::from_secs(1);
        assert_eq!(let_through(&rates, Activity::Say, Some(&ann), later), 500 - 1);
    }

    #[test]
    fn an_address_shares_what_its_guests_take() {
        let (rates, now) = (Rates::default(), Instant::now());
        for number in 0..5 {
            let one = guest(&number.to_string());
            assert_eq!(let_through(&rates, Activity::Say, Some(&one), now), 2000);
        }
        assert!(
            rates
                .take_at(Activity::Say, Some(&guest("Ann")), HERE, now)
                .is_some()
        );
        let elsewhere = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
        assert!(
            rates
                .take_at(Activity::Say, Some(&guest("Ann")), elsewhere, now)
                .is_none()
        );
    }

    #[test]
    fn fifty_moves_a_second_are_never_too_fast() {
        let (rates, start) = (Rates::default(), Instant::now());
        let ann = guest("Ann");
        for number in 0..50 * 600 {
            let now = start + Duration::from_millis(20) * number;
            assert!(rates.take_at(Activity::Say, Some(&ann), HERE, now).is_none());
        }
    }

    #[test]
    fn buckets_that_are_full_again_are_forgotten() {
        let (rates, now) = (Rates::default(), Instant::now());
        for number in 0..=MOST_BUCKETS {
            rates.take_at(Activity::Say, Some(&guest(&number.to_string())), HERE, now);
        }
        rates.take_at(
            Activity::Say,
            Some(&guest("Ann")),
            HERE,
            now + Duration::from_secs(60),
        );
        assert!(rates.buckets.lock().unwrap().len() < 10);
    }
}
