//! How much time players have.
//!
//! A seat's clock runs while the seat is awaited, over restarts too: it is kept as a bank and the moment
//! since when it runs, never as a countdown. It counts the table time of its player's platform (see [`super::hours`]), so
//! what is nobody's fault is on nobody's clock.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::bot::is_bot;
use super::people::PlayerId;
use super::time::{Span, TableTime};

/// How a match is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// Sudden death: this much for the whole game.
    Live { bank: Span },
    /// A bank that grows with every move, up to a cap.
    Daily,
    /// Like daily, for people with lives.
    Relaxed,
    /// Nobody is timed; whoever is silent for long enough can be claimed against.
    None,
}

/// How long a player may be silent in a match without a clock before the others may claim it.
pub const CLAIM_AFTER: Span = Span::days(14);

/// The shortest and the longest live game, per player.
const LIVE: std::ops::RangeInclusive<u64> = 1..=180;

impl ClockKind {
    /// The clock of a match for which nobody chose one.
    pub const DEFAULT: Self = Self::Relaxed;

    /// What a player starts with.
    pub const fn bank(self) -> Option<Span> {
        match self {
            Self::Live { bank } => Some(bank),
            Self::Daily => Some(Span::hours(48)),
            Self::Relaxed => Some(Span::hours(240)),
            Self::None => None,
        }
    }

    /// What a player gets for a move.
    const fn added(self) -> Span {
        match self {
            Self::Live { .. } | Self::None => Span::ZERO,
            Self::Daily => Span::hours(24),
            Self::Relaxed => Span::hours(36),
        }
    }

    /// One sentence for challenges and openings: "10 days each, plus 36 hours a move (10 days at most)."
    pub fn help(self) -> String {
        match (self, self.bank()) {
            (Self::Live { bank }, _) => format!("{bank} each for the whole game."),
            (Self::Daily | Self::Relaxed, Some(bank)) => {
                let added = self.added().0 / Span::hours(1).0;
                format!("{bank} each, plus {added} hours a move ({bank} at most).")
            }
            (Self::None, _) | (_, None) => {
                "No clock. After 14 days of silence the other side can claim the match.".to_owned()
            }
        }
    }
}

impl fmt::Display for ClockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Live { bank } => write!(f, "live {}m", bank.0 / 60_000),
            Self::Daily => f.write_str("daily"),
            Self::Relaxed => f.write_str("relaxed"),
            Self::None => f.write_str("none"),
        }
    }
}

/// Not a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A clock is `relaxed`, `daily`, `none`, or `live` with minutes from 1 to 180, such as `live 5m`.")]
pub struct BadClock;

impl FromStr for ClockKind {
    type Err = BadClock;

    fn from_str(text: &str) -> Result<Self, BadClock> {
        let text = text.trim().to_lowercase();
        match text.as_str() {
            "relaxed" => return Ok(Self::Relaxed),
            "daily" => return Ok(Self::Daily),
            "none" | "off" => return Ok(Self::None),
            "live" => {
                return Ok(Self::Live {
                    bank: Span::minutes(5),
                });
            }
            _ => {}
        }
        let rest = text.strip_prefix("live").ok_or(BadClock)?;
        let rest = rest.trim_matches(|c: char| c.is_whitespace() || "-_:=".contains(c));
        let digits = rest
            .trim_end_matches("minutes")
            .trim_end_matches("min")
            .trim_end_matches('m');
        let minutes: u64 = digits.trim().parse().map_err(|_| BadClock)?;
        LIVE.contains(&minutes)
            .then_some(Self::Live {
                bank: Span::minutes(minutes),
            })
            .ok_or(BadClock)
    }
}

/// The clock of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatClock {
    /// What was left when it last stopped; nothing if nobody is timed.
    pub bank: Option<Span>,
    /// Since when it runs.
    pub running: Option<TableTime>,
    /// How many reminders of this stint have been sent or are no longer due.
    #[serde(default)]
    pub reminded: u8,
    /// No reminder before this: the player's quiet hours.
    #[serde(default)]
    pub quiet_until: Option<TableTime>,
    /// When its player last did something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acted: Option<TableTime>,
}

impl SeatClock {
    pub fn new(kind: ClockKind) -> Self {
        Self {
            bank: kind.bank(),
            running: None,
            reminded: 0,
            quiet_until: None,
            acted: None,
        }
    }

    /// The clock of a player. Bots are not timed: whether they are quick enough is our affair and not the players', and a
    /// match must not be lost because the program was not running.
    pub fn of(player: &PlayerId, kind: ClockKind) -> Self {
        Self::new(if is_bot(player) { ClockKind::None } else { kind })
    }

    pub fn start(&mut self, now: TableTime) {
        if self.running.is_none() {
            self.running = Some(now);
            self.reminded = 0;
            self.quiet_until = None;
        }
    }

    /// Stops without a move: a pause, or somebody else's action made this one needless.
    pub fn stop(&mut self, now: TableTime) {
        if let Some(since) = self.running.take() {
            self.bank = self.bank.map(|bank| bank.saturating_sub(now.since(since)));
        }
    }

    /// Gets more time. The stint is longer now, so its reminders fall due at other moments; those that
    /// would have been due by now are not sent after the fact.
    pub fn extend(&mut self, by: Span, now: TableTime) {
        self.bank = self.bank.map(|bank| bank + by);
        self.reminded = 0;
        self.take_reminders(now);
    }

    /// Lets time run out no sooner than this.
    pub fn last_until(&mut self, until: TableTime, now: TableTime) {
        if let Some(deadline) = self.deadline() {
            self.extend(until.since(deadline), now);
        }
    }

    /// Stops after a move, which brings more time.
    pub fn press(&mut self, now: TableTime, kind: ClockKind) {
        self.stop(now);
        if let (Some(bank), Some(cap)) = (self.bank, kind.bank()) {
            // Extra time granted by the others may lie above the cap; it is not taken away.
            self.bank = Some(bank.max((bank + kind.added()).min(cap)));
        }
    }

    /// When time runs out, while it runs.
    pub fn deadline(&self) -> Option<TableTime> {
        Some(self.running? + self.bank?)
    }

    /// The moments at which a reminder is due in this stint: half, a quarter, one hour before the end.
    /// Short stints have none: there the clock itself is the reminder.
    fn reminders(&self) -> Vec<TableTime> {
        let (Some(since), Some(bank)) = (self.running, self.bank) else {
            return Vec::new();
        };
        if bank < Span::hours(2) {
            return Vec::new();
        }
        let end = since + bank;
        let mut lefts = vec![bank.divided(2), bank.divided(4), Span::hours(1)];
        lefts.sort_unstable();
        lefts.dedup();
        lefts.reverse();
        lefts.into_iter().map(|left| end - left).collect()
    }

    /// When the next reminder of this stint is due.
    pub fn next_reminder(&self) -> Option<TableTime> {
        let due = self.reminders().get(usize::from(self.reminded)).copied()?;
        Some(due.max(self.quiet_until.unwrap_or(due)))
    }

    /// Lets no reminder out before `until`.
    pub fn put_off(&mut self, until: TableTime) {
        self.quiet_until = Some(until);
    }

    /// Marks every reminder that is due by `now` as dealt with. Whether there was one.
    pub fn take_reminders(&mut self, now: TableTime) -> bool {
        let due = self.reminders().iter().filter(|&&at| at <= now).count() as u8;
        let fresh = due > self.reminded;
        self.reminded = self.reminded.max(due);
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: TableTime = TableTime(1_000_000_000);

    #[test]
    fn clocks_are_written_as_people_write_them() {
        for (text, clock) in [
            (
                "live 5m",
                ClockKind::Live {
                    bank: Span::minutes(5),
                },
            ),
            (
                "LIVE",
                ClockKind::Live {
                    bank: Span::minutes(5),
                },
            ),
            (
                "live10",
                ClockKind::Live {
                    bank: Span::minutes(10),
                },
            ),
            (
                "live 3 min",
                ClockKind::Live {
                    bank: Span::minutes(3),
                },
            ),
            ("daily", ClockKind::Daily),
            ("relaxed", ClockKind::Relaxed),
            ("none", ClockKind::None),
        ] {
            assert_eq!(text.parse(), Ok(clock), "{text}");
            assert_eq!(clock.to_string().parse(), Ok(clock));
        }
        for bad in ["", "fast", "live 0m", "live 999", "live x"] {
            assert_eq!(bad.parse::<ClockKind>(), Err(BadClock), "{bad}");
        }
    }

    #[test]
    fn a_move_brings_time_up_to_the_cap() {
        let mut clock = SeatClock::new(ClockKind::Relaxed);
        clock.start(START);
        clock.press(START + Span::hours(100), ClockKind::Relaxed);
        assert_eq!(clock.bank, Some(Span::hours(176)));
        clock.start(START);
        clock.press(START + Span::hours(1), ClockKind::Relaxed);
        assert_eq!(clock.bank, Some(Span::hours(211)));
        clock.start(START);
        clock.press(START, ClockKind::Relaxed);
        assert_eq!(clock.bank, Some(Span::hours(240)));
    }

    #[test]
    fn sudden_death_only_loses_time() {
        let kind = ClockKind::Live {
            bank: Span::minutes(5),
        };
        let mut clock = SeatClock::new(kind);
        clock.start(START);
        assert_eq!(clock.deadline(), Some(START + Span::minutes(5)));
        clock.press(START + Span::minutes(2), kind);
        assert_eq!(clock.bank, Some(Span::minutes(3)));
        assert_eq!(clock.deadline(), None);
    }

    #[test]
    fn each_reminder_comes_once() {
        let mut clock = SeatClock::new(ClockKind::Daily);
        clock.start(START);
        assert_eq!(clock.next_reminder(), Some(START + Span::hours(24)));
        assert!(!clock.take_reminders(START + Span::hours(23)));
        assert!(clock.take_reminders(START + Span::hours(24)));
        assert!(!clock.take_reminders(START + Span::hours(25)));
        assert_eq!(clock.next_reminder(), Some(START + Span::hours(36)));
        // Two are due at once after a long sleep: one message is enough.
        assert!(clock.take_reminders(START + Span::hours(47)));
        assert_eq!(clock.next_reminder(), None);
    }

    #[test]
    fn short_games_are_not_reminded() {
        let mut clock = SeatClock::new(ClockKind::Live {
            bank: Span::minutes(5),
        });
        clock.start(START);
        assert_eq!(clock.next_reminder(), None);
    }
}
