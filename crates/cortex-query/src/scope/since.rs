//! Times as people write them for git: `2.weeks`, `3 months ago`, `yesterday`, `2026-01-31T12:00:00Z`.

const DAY: i64 = 86_400;

/// Seconds since 1970; `None` for what is no time. Months have 30 days and years 365, as for git; a date without a
/// time starts at midnight of UTC.
pub(super) fn parse(text: &str, now: i64) -> Option<i64> {
    let text = text.trim().to_lowercase();
    match text.as_str() {
        "now" | "today" => return Some(now),
        "yesterday" => return Some(now - DAY),
        _ => {}
    }
    if let Some(seconds) = text.strip_prefix('@') {
        return seconds.parse().ok();
    }
    ago(&text, now).or_else(|| date(&text))
}

/// `2.weeks`, `2 weeks ago`, `2w`.
fn ago(text: &str, now: i64) -> Option<i64> {
    let text = text.trim_end_matches("ago").trim_end_matches([' ', '.']);
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let number: i64 = text[..digits].parse().ok()?;
    let unit = text[digits..].trim_matches([' ', '.']);
    let seconds = match unit {
        "s" | "sec" | "second" | "seconds" => 1,
        "min" | "minute" | "minutes" => 60,
        "h" | "hour" | "hours" => 3_600,
        "d" | "day" | "days" => DAY,
        "w" | "week" | "weeks" => 7 * DAY,
        "m" | "month" | "months" => 30 * DAY,
        "y" | "year" | "years" => 365 * DAY,
        _ => return None,
    };
    now.checked_sub(number.checked_mul(seconds)?)
}

/// `2026-01-31`, `2026-01-31T12:30:00Z`, `2026-01-31 12:30`.
fn date(text: &str) -> Option<i64> {
    let (date, time) = match text.split_once(['t', ' ']) {
        Some((date, time)) => (date, time.trim_end_matches('z')),
        None => (text, "00:00:00"),
    };
    let numbers = |text: &str, separator: char| -> Option<Vec<i64>> {
        let parts = text.split(separator);
        parts
            .map(|part| part.parse::<u16>().ok().map(i64::from))
            .collect()
    };
    let [year, month, day] = <[i64; 3]>::try_from(numbers(date, '-')?).ok()?;
    let time = numbers(time, ':')?;
    let (hour, minute, second) = match time.as_slice() {
        [hour, minute] => (*hour, *minute, 0),
        [hour, minute, second] => (*hour, *minute, *second),
        _ => return None,
    };
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_time = hour < 24 && minute < 60 && second <= 60;
    if !is_date || !is_time {
        return None;
    }
    // Years start in March, so that leap days end them; eras of 400 years are all alike.
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    Some(days * DAY + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// 2026-01-02T03:04:05Z
    const NOW: i64 = 1_767_323_045;

    #[test]
    fn times_before_now() {
        for (text, expected) in [
            ("now", 0),
            ("yesterday", 86_400),
            ("2.weeks", 14 * 86_400),
            ("2 weeks ago", 14 * 86_400),
            ("2.weeks.ago", 14 * 86_400),
            ("1 day", 86_400),
            ("36h", 36 * 3_600),
            ("3 months ago", 90 * 86_400),
            ("1y", 365 * 86_400),
        ] {
            assert_eq!(parse(text, NOW), Some(NOW - expected), "{text}");
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
            ("@1767323045", NOW),
        ] {
            assert_eq!(parse(text, NOW), Some(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in [
            "",
            "soon",
            "2",
            "weeks",
            "2.fortnights",
            "2026-13-01",
            "2026-01",
            "9999999999999999999y",
        ] {
            assert_eq!(parse(text, NOW), None, "{text}");
        }
    }
}
