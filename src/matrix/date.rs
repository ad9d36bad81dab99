//! Moments for people: Matrix has no way to show each reader their own time.

use crate::matches::time::{Span, Time};

const DAYS: [&str; 7] = [
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Such as `Friday 27 Nov, 15:00 UTC (9 days)`, as it is said at this time.
pub fn spoken(time: Time, now: Time) -> String {
    let (moment, left) = (in_utc(time), time.since(now));
    if left < Span::minutes(1) {
        return moment;
    }
    // Nobody counts minutes a week ahead.
    let rough = if left >= Span::days(2) {
        Span::days(left.divided(Span::days(1).0).0)
    } else {
        left
    };
    format!("{moment} ({rough})")
}

/// Such as `Wednesday 18 Nov, 14:30 UTC`.
fn in_utc(time: Time) -> String {
    let minutes = time.unix_seconds() / 60;
    let days = minutes / (24 * 60);
    let (hour, minute) = (minutes / 60 % 24, minutes % 60);
    let (_, month, day) = civil(days);
    let weekday = DAYS.get(days as usize % 7).unwrap_or(&"");
    let month = MONTHS.get(month).unwrap_or(&"");
    format!("{weekday} {day} {month}, {hour:02}:{minute:02} UTC")
}

/// Year, month (from 0) and day of the day with this number since the start of 1970. Years are counted from March, so
/// that the day which some years lack is the last of its year.
fn civil(days: u64) -> (u64, usize, u64) {
    const DAYS_BEFORE_1970: u64 = 719_468;
    const DAYS_IN_400_YEARS: u64 = 146_097;
    let days = days + DAYS_BEFORE_1970;
    let era = days / DAYS_IN_400_YEARS;
    let day_of_era = days % DAYS_IN_400_YEARS;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12;
    let year = era * 400 + year_of_era + u64::from(month < 2);
    (year, month as usize, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_in_a_calendar() {
        for (seconds, expected) in [
            (0, "Thursday 1 Jan, 00:00 UTC"),
            (951_782_399, "Monday 28 Feb, 23:59 UTC"),
            (951_825_600, "Tuesday 29 Feb, 12:00 UTC"),
            (1_795_012_200, "Wednesday 18 Nov, 14:30 UTC"),
            (4_107_542_400, "Monday 1 Mar, 00:00 UTC"),
        ] {
            assert_eq!(in_utc(Time(seconds * 1000)), expected);
        }
    }

    #[test]
    fn a_moment_says_how_far_away_it_is() {
        let now = Time(1_795_012_200_000);
        let after = |span: Span| spoken(now + span, now);
        assert_eq!(
            after(Span::days(9) + Span::minutes(30)),
            "Friday 27 Nov, 15:00 UTC (9 days)"
        );
        assert_eq!(after(Span::hours(5)), "Wednesday 18 Nov, 19:30 UTC (5 hours)");
        assert_eq!(spoken(now, now + Span::hours(1)), "Wednesday 18 Nov, 14:30 UTC");
    }
}
