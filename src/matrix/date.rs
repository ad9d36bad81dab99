//! Moments for people: Matrix has no way to show each reader their own time.

use crate::matches::time::Time;

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Such as `Wed 18 Nov 2026, 14:30 UTC`.
pub fn in_utc(time: Time) -> String {
    let minutes = time.unix_seconds() / 60;
    let days = minutes / (24 * 60);
    let (hour, minute) = (minutes / 60 % 24, minutes % 60);
    let (year, month, day) = civil(days);
    let weekday = DAYS.get(days as usize % 7).unwrap_or(&"");
    let month = MONTHS.get(month).unwrap_or(&"");
    format!("{weekday} {day} {month} {year}, {hour:02}:{minute:02} UTC")
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
            (0, "Thu 1 Jan 1970, 00:00 UTC"),
            (951_782_399, "Mon 28 Feb 2000, 23:59 UTC"),
            (951_825_600, "Tue 29 Feb 2000, 12:00 UTC"),
            (1_795_012_200, "Wed 18 Nov 2026, 14:30 UTC"),
            (4_107_542_400, "Mon 1 Mar 2100, 00:00 UTC"),
        ] {
            assert_eq!(in_utc(Time(seconds * 1000)), expected);
        }
    }
}
