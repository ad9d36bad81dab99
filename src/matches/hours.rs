//! Which time counts.
//!
//! Clocks at a table count *table time*: the time on the wall less all the time that is nobody's fault, which is when the
//! bot was not running, when it could save nothing, when the system's clock was set, or when a player's platform could not
//! be reached. Every platform counts for itself: while it is away, table time stands still for its players and goes on for the others.
//!
//! So an outage is credited to every clock at once by one number, without a look at any match: their clocks and the
//! rows that say when they need attention are kept in table time. Whatever people read is the time on the wall.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::clock::ClockKind;
use super::time::{Span, TableTime, Time};

/// An absence that is shorter than this is not worth a word, and nobody gets extra time for it.
pub const LONG_ABSENCE: Span = Span::minutes(5);

/// The system's clock may be corrected by this much without a word.
pub const JUMP: Span = Span::minutes(2);

/// A clock that was set may be set right again. Until so much table time has passed, the wall is not believed about how old
/// something is.
pub const DOUBT: Span = Span::days(1);

/// What players have at least when an absence ends that was long.
const LONGEST_RESPITE: Span = Span::hours(1);
const LIVE_RESPITE: Span = Span::minutes(2);

/// What is known of outages; kept in the store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hours {
    /// When the bot was surely running.
    beat: Option<Time>,
    /// By how many milliseconds the wall is ahead of table time. Negative if its clock was set back.
    skipped: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    returned: Option<Return>,
    /// Since when it is in doubt how old anything is: the wall was set, or may have been while the bot was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    doubted: Option<TableTime>,
    /// Those platforms that have been away.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    platforms: BTreeMap<String, PlatformHours>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct PlatformHours {
    /// For how long it has been away, up to its last return.
    away: Span,
    /// Since when it is away now, in the table time of platforms that are not.
    lost: Option<TableTime>,
    returned: Option<Return>,
}

/// The end of the last long absence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Return {
    /// In the table time of those who had to wait.
    at: TableTime,
    pub away: Span,
    pub why: Absence,
}

/// Why time does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// The bot was not running.
    Off,
    /// Nothing could be saved.
    Unsaved,
    /// The system's clock was set, or the machine slept.
    ClockSet,
    /// This platform could not be reached.
    Platform(String),
}

/// Both clocks of the machine, read at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    pub wall: Time,
    /// A clock that nobody sets.
    pub steady: Span,
}

impl ClockReading {
    /// By how many milliseconds the wall's clock has been set since `earlier`, if that is too much for a correction.
    pub fn jump_since(self, earlier: Self) -> Option<i64> {
        let passed = signed(self.steady.0).saturating_sub(signed(earlier.steady.0));
        let shown = signed(self.wall.0).saturating_sub(signed(earlier.wall.0));
        let jump = shown.saturating_sub(passed);
        (jump.unsigned_abs() > JUMP.0).then_some(jump)
    }
}

impl Hours {
    /// The bot starts: what was between its last beat and now does not count. How long that was.
    pub fn start(&mut self, now: Time) -> Span {
        let Some(beat) = self.beat else {
            return Span::ZERO;
        };
        // Which platforms can be reached is found out anew.
        let stopped = self.table(beat);
        for platform in self.platforms.values_mut() {
            platform.regain(stopped);
        }
        self.skip(signed(now.0).saturating_sub(signed(beat.0)), &Absence::Off, now);
        self.beat = Some(now);
        let away = now.since(beat);
        // Off for long, or set ahead: nobody knows. A doubt that stands is not drawn out, so that it ends also for a bot that
        // is seldom on.
        if away >= DOUBT && self.tells_ages(now) {
            self.doubt_ages(now);
        }
        away
    }

    /// From now on it is in doubt how old anything is by the wall.
    pub fn doubt_ages(&mut self, now: Time) {
        self.doubted = Some(self.table(now));
    }

    /// Whether the wall may be believed about how old something is.
    pub fn tells_ages(&self, now: Time) -> bool {
        self.doubted
            .is_none_or(|doubted| self.table(now).since(doubted) >= DOUBT)
    }

    /// The bot runs.
    pub fn beat(&mut self, now: Time) {
        self.beat = Some(now);
    }

    /// So many milliseconds on the wall, up to now, don't count.
    pub fn skip(&mut self, by: i64, why: &Absence, now: Time) {
        self.pass_over(by);
        self.note_return(Span(u64::try_from(by).unwrap_or_default()), why, now);
    }

    /// The same for a piece of an absence that goes on.
    pub fn pass_over(&mut self, by: i64) {
        self.skipped = self.skipped.saturating_add(by);
    }

    /// An absence ends now that had this length, and has been passed over. If it was long, there is a word to be said of it.
    pub fn note_return(&mut self, away: Span, why: &Absence, now: Time) {
        if away < LONG_ABSENCE {
            return;
        }
        let at = self.table(now);
        let returned = |at| Return {
            at,
            away,
            why: why.clone(),
        };
        for platform in self.platforms.values_mut() {
            platform.returned = Some(returned(platform.now(at)));
        }
        self.returned = Some(returned(at));
    }

    /// A platform can't be reached from now on.
    pub fn lose(&mut self, platform: &str, now: Time) {
        let now = self.table(now);
        let returned = self.returned.clone();
        let hours = self.platforms.entry(platform.to_owned());
        let hours = hours.or_insert_with(|| PlatformHours {
            returned,
            ..PlatformHours::default()
        });
        hours.lost.get_or_insert(now);
    }

    /// A platform can be reached again. For how long it could not, if it could not.
    pub fn regain(&mut self, platform: &str, now: Time) -> Option<Span> {
        let now = self.table(now);
        let hours = self.platforms.get_mut(platform)?;
        let away = hours.regain(now)?;
        if away >= LONG_ABSENCE {
            hours.returned = Some(Return {
                at: hours.now(now),
                away,
                why: Absence::Platform(platform.to_owned()),
            });
        }
        Some(away)
    }

    /// Whether a platform is away.
    pub fn is_lost(&self, platform: &str) -> bool {
        self.platforms
            .get(platform)
            .is_some_and(|hours| hours.lost.is_some())
    }

    /// The table time of platforms that have never been away.
    pub fn table(&self, now: Time) -> TableTime {
        TableTime(now.0.saturating_add_signed(self.skipped.saturating_neg()))
    }

    /// The table time of a platform.
    pub fn now_at(&self, platform: &str, now: Time) -> TableTime {
        let now = self.table(now);
        self.platforms.get(platform).map_or(now, |hours| hours.now(now))
    }

    /// When the wall will show a moment of a platform's table time, if nothing more happens.
    pub fn on_the_wall(&self, platform: &str, moment: TableTime, now: Time) -> Time {
        let here = self.now_at(platform, now);
        now + moment.since(here) - here.since(moment)
    }

    /// The end of the last long absence that somebody of this platform had to wait for, if they have waited since before.
    pub fn waited_through(&self, platform: &str, since: TableTime) -> Option<&Return> {
        let returned = match self.platforms.get(platform) {
            Some(hours) => hours.returned.as_ref(),
            None => self.returned.as_ref(),
        };
        returned.filter(|returned| since < returned.at)
    }
}

impl PlatformHours {
    fn now(&self, table: TableTime) -> TableTime {
        self.lost.map_or(table, |lost| lost.min(table)) - self.away
    }

    fn regain(&mut self, now: TableTime) -> Option<Span> {
        let away = now.since(self.lost.take()?);
        self.away = self.away + away;
        Some(away)
    }
}

impl Return {
    /// No time runs out before this, for those who had to wait: nobody is to lose in the minute in which we return.
    pub fn respite(&self, kind: ClockKind) -> TableTime {
        let respite = match kind {
            ClockKind::Live { bank } => bank.min(LIVE_RESPITE),
            ClockKind::Daily | ClockKind::Relaxed => LONGEST_RESPITE,
            ClockKind::None => Span::ZERO,
        };
        self.at + respite
    }

    /// Clocks that stop before this may get a respite.
    pub fn longest_respite(now: TableTime) -> TableTime {
        now + LONGEST_RESPITE
    }
}

fn signed(milliseconds: u64) -> i64 {
    i64::try_from(milliseconds).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Time = Time(1_000_000_000);

    fn running() -> Hours {
        let mut hours = Hours::default();
        hours.start(START);
        hours.beat(START);
        hours
    }

    #[test]
    fn time_without_the_bot_does_not_count() {
        let mut hours = running();
        let before = hours.table(START);
        let now = START + Span::hours(50);
        assert_eq!(hours.start(now), Span::hours(50));
        assert_eq!(hours.table(now), before);
        assert_eq!(hours.table(now + Span::hours(1)), before + Span::hours(1));
        // A second start takes nothing twice.
        assert_eq!(hours.start(now), Span::ZERO);
        assert_eq!(hours.table(now), before);
    }

    #[test]
    fn a_clock_that_was_set_back_while_the_bot_was_off_goes_on_from_there() {
        let mut hours = running();
        let earlier = START - Span::days(2);
        assert_eq!(hours.start(earlier), Span::ZERO);
        assert_eq!(hours.table(earlier), TableTime(START.0));
    }

    #[test]
    fn a_doubt_about_ages_outlives_restarts_and_ends() {
        let mut hours = running();
        assert!(hours.tells_ages(START));
        let mut now = START + Span::days(400);
        hours.skip(signed(Span::days(400).0), &Absence::ClockSet, now);
        hours.doubt_ages(now);
        for _ in 0..24 {
            assert!(!hours.tells_ages(now));
            hours = serde_json::from_str(&serde_json::to_string(&hours).unwrap()).unwrap();
            hours.beat(now);
            hours.start(now);
            now = now + Span::hours(1);
        }
        assert!(hours.tells_ages(now));
        // A clock that is set again is doubted anew.
        hours.doubt_ages(now);
        assert!(!hours.tells_ages(now + Span::hours(23)));
    }

    #[test]
    fn what_happened_to_the_clock_while_the_bot_was_off_is_in_doubt() {
        let mut hours = running();
        let mut now = START + Span::hours(20);
        hours.start(now);
        assert!(hours.tells_ages(now), "one night");
        // It is on for two hours a week.
        let mut believed = 0;
        for _ in 0..52 {
            hours.beat(now);
            now = now + Span::days(7);
            hours.start(now);
            now = now + Span::hours(2);
            believed += u32::from(hours.tells_ages(now));
        }
        assert_eq!(believed, 4, "after each day of its own time");
    }

    #[test]
    fn a_platform_that_is_away_stands_still_for_its_own_players_only() {
        let mut hours = running();
        hours.lose("far", START + Span::hours(1));
        let during = START + Span::hours(4);
        assert_eq!(hours.now_at("far", during), TableTime((START + Span::hours(1)).0));
        assert_eq!(hours.now_at("near", during), TableTime(during.0));
        assert_eq!(hours.regain("far", during), Some(Span::hours(3)));
        assert_eq!(hours.regain("far", during), None);
        let later = during + Span::hours(1);
        assert_eq!(hours.now_at("far", later), TableTime((START + Span::hours(2)).0));
        let moment = hours.now_at("far", later) + Span::minutes(7);
        assert_eq!(hours.on_the_wall("far", moment, later), later + Span::minutes(7));
    }

    #[test]
    fn an_outage_within_an_outage_counts_once() {
        let mut hours = running();
        hours.lose("far", START);
        hours.beat(START + Span::hours(1));
        // The bot is off for two hours, and finds the platform away for one more.
        let back = START + Span::hours(3);
        hours.start(back);
        hours.lose("far", back);
        hours.regain("far", back + Span::hours(1));
        let now = back + Span::hours(1);
        assert_eq!(hours.now_at("far", now), TableTime(START.0));
        assert_eq!(hours.now_at("near", now), TableTime((START + Span::hours(2)).0));
    }

    #[test]
    fn only_a_jump_of_minutes_is_a_jump() {
        let at = |wall: u64, steady: u64| ClockReading {
            wall: Time(START.0 + wall * 1000),
            steady: Span::seconds(steady),
        };
        assert_eq!(at(3600, 3600).jump_since(at(0, 0)), None);
        assert_eq!(at(100, 10).jump_since(at(0, 0)), None, "a correction");
        assert_eq!(at(7210, 10).jump_since(at(0, 0)), Some(7_200_000));
        assert_eq!(at(0, 10).jump_since(at(7200, 0)), Some(-7_210_000));
    }

    /// What is in stores stays readable.
    #[test]
    fn hours_are_kept_as_they_always_were() {
        let mut hours = running();
        hours.lose("far", START);
        hours.regain("far", START + Span::hours(1));
        let kept = r#"{"beat":1000000000,"skipped":0,"platforms":{"far":{"away":3600000,"lost":null,"returned":{"at":1000000000,"away":3600000,"why":{"platform":"far"}}}}}"#;
        assert_eq!(serde_json::to_string(&hours).unwrap(), kept);
        assert_eq!(serde_json::from_str::<Hours>(kept).unwrap(), hours);
    }
}
