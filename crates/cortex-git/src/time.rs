//! Times as people write them for git: `2.weeks`, `3 months ago`, `yesterday`, `2026-01-31T12:00:00Z`; and as
//! answers have them.
//!
//! Must not know: which clock there is.

use std::time::{Duration, UNIX_EPOCH};

use gix::date::Zoned;

/// Reads a time, in seconds since 1970; `None` for what is no time.
///
/// Dates have the forms that git reads, and those that it writes; one without a time starts at midnight, one without a
/// zone is of UTC. Times before `now` are numbers with units, one or several: months and years are those of the
/// calendar, as for git. Other than git, a word that means nothing is no time, rather than now.
pub fn parse_time(text: &str, now: i64) -> Option<i64> {
    let text = text.trim();
    if let Some(before) = before_now(text) {
        let now = UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(now).ok()?))?;
        let now = Zoned::try_from(now).ok()?.in_tz("UTC").ok()?;
        return Some(gix::date::parse(&before, Some(now)).ok()?.seconds);
    }
    // Without a now nothing that is read is relative to it.
    let absolute = gix::date::parse(text, None).ok();
    absolute
        .map(|time| time.seconds)
        .or_else(|| date(&text.to_lowercase()))
}

/// A time in seconds since 1970 as ISO 8601 writes it: `2026-01-02T03:04:05Z`. Times beyond the calendar, which commits
/// may claim, are written as git's raw ones: `@1099511627776000`.
pub fn iso_time(seconds: i64) -> String {
    let distance = Duration::from_secs(seconds.unsigned_abs());
    let time = match seconds < 0 {
        true => UNIX_EPOCH.checked_sub(distance),
        false => UNIX_EPOCH.checked_add(distance),
    };
    let zoned = time.and_then(|time| Zoned::try_from(time).ok());
    zoned.map_or_else(
        || format!("@{seconds}"),
        |zoned| zoned.timestamp().to_string(),
    )
}

/// `2.weeks`, `2 weeks ago`, `2w`, `1.year.2.months`, in the words of git; `None` for anything else.
fn before_now(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    if matches!(text.as_str(), "now" | "today" | "yesterday") {
        return Some(text);
    }
    let words = text.split([' ', '.', ',', '_']);
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // To git it makes any word a unit.
    words.pop_if(|word| *word == "ago");
    let mut out = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let n_digits = word.find(|c: char| !c.is_ascii_digit());
        let (number, unit) = match n_digits {
            Some(0) if NUMBERS.contains(&word) => (word, words.next()?),
            Some(0) => return None,
            Some(at) => word.split_at(at),
            None => (word, words.next()?),
        };
        let unit = UNITS.iter().find(|names| names.contains(&unit))?[0];
        out.push(format!("{number} {unit}"));
    }
    (!out.is_empty()).then(|| out.join(" "))
}

/// Numbers that git knows by their names.
const NUMBERS: [&str; 11] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "last",
];

/// The names of units, git's first.
const UNITS: [&[&str]; 7] = [
    &["seconds", "second", "sec", "s"],
    &["minutes", "minute", "min"],
    &["hours", "hour", "h"],
    &["days", "day", "d"],
    &["weeks", "week", "w"],
    &["months", "month", "m"],
    &["years", "year", "y"],
];

/// `2026-01-31T12:30:00Z`, `2026-01-31 12:30`: of UTC.
fn date(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['t', ' '])?;
    let (hour, rest) = time.trim_end_matches('z').split_once(':')?;
    let (minute, second) = rest.split_once(':').unwrap_or((rest, "00"));
    let whole = format!("{date} {hour}:{minute}:{second} +0000");
    Some(gix::date::parse(&whole, None).ok()?.seconds)
}

#[cfg(test)]
mod tests {
    use super::{iso_time, parse_time};

    /// 2026-01-02T03:04:05Z
    const NOW: i64 = 1_767_323_045;

    const DAY: i64 = 86_400;

    #[test]
    fn times_before_now() {
        for (text, expected) in [
            ("now", 0),
            ("yesterday", DAY),
            ("Yesterday", DAY),
            ("2.weeks", 14 * DAY),
            ("2 weeks ago", 14 * DAY),
            ("2.weeks.ago", 14 * DAY),
            ("two weeks ago", 14 * DAY),
            ("1 day", DAY),
            ("36h", 36 * 3_600),
            // Of the calendar: from the 2nd of October on.
            ("3 months ago", 92 * DAY),
            ("3m", 92 * DAY),
            ("1y", 365 * DAY),
            ("1.year.2.months ago", (365 + 61) * DAY),
            ("1 day 2 hours ago", DAY + 2 * 3_600),
        ] {
            assert_eq!(parse_time(text, NOW), Some(NOW - expected), "{text}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (text, expected) in [
            ("1970-01-01", 0),
            ("2000-02-29T00:00:00Z", 951_782_400),
            ("2000-03-01", 951_868_800),
            ("2026-01-02 03:04:05", NOW),
            ("2026-01-02T03:04Z", NOW - 5),
            ("2026-01-02T04:04:05+01:00", NOW),
            ("2026-01-02 04:04:05 +0100", NOW),
            ("Fri, 2 Jan 2026 03:04:05 +0000", NOW),
            ("@1767323045", NOW),
        ] {
            assert_eq!(parse_time(text, NOW), Some(expected), "{text}");
        }
    }

    #[test]
    fn iso_dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (NOW, "2026-01-02T03:04:05Z"),
            (i64::MAX, "@9223372036854775807"),
            (i64::MIN, "@-9223372036854775808"),
        ] {
            assert_eq!(iso_time(seconds), expected);
        }
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in [
            "",
            "soon",
            "2",
            "ago",
            "weeks",
            "2.fortnights",
            "2.fortnights.ago",
            "soon 2 days",
            "2026-13-01",
            "2026-01",
            "9999999999999999999y",
        ] {
            assert_eq!(parse_time(text, NOW), None, "{text}");
        }
    }
}
