//! Long lines of which a part differs, such as those of templates of mails.
//!
//! Must not know: where lines stand.

use std::borrow::Cow;

/// Shorter lines are shown as they are.
const MIN_CHARS: usize = 120;

/// So much of a line is shown around what differs.
const N_AROUND: usize = 24;

/// Each line, of long ones that take the place of one another the part that differs. `lines`: with their signs.
pub(super) fn differing<'t>(lines: &[(char, &'t str)]) -> Vec<Cow<'t, str>> {
    let mut out: Vec<Cow<'t, str>> = lines.iter().map(|it| Cow::Borrowed(it.1)).collect();
    let mut start = 0;
    while start < lines.len() {
        let run = |from: usize, sign: char| {
            let same = lines[from..].iter().take_while(|it| it.0 == sign);
            from + same.count()
        };
        let middle = run(start, '-');
        let end = run(middle, '+');
        // As many lines as are gone came: one stands for the other.
        if middle > start && end - middle == middle - start {
            for (old, new) in (start..middle).zip(middle..end) {
                if let Some(parts) = parts([lines[old].1, lines[new].1]) {
                    [out[old], out[new]] = parts.map(Cow::Owned);
                }
            }
        }
        start = end.max(start + 1);
    }
    out
}

/// What differs of two lines, with some of what stands around it; `None` where one is short or nothing is the same.
fn parts(sides: [&str; 2]) -> Option<[String; 2]> {
    let chars = sides.map(|text| text.chars().collect::<Vec<char>>());
    let [old, new] = &chars;
    let least = old.len().min(new.len());
    let n_before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let behind = old.iter().rev().zip(new.iter().rev());
    let n_behind = behind.take_while(|(a, b)| a == b).count();
    let n_behind = n_behind.min(least - n_before);
    if least < MIN_CHARS || n_before + n_behind < least / 2 {
        return None;
    }
    let start = n_before.saturating_sub(N_AROUND);
    Some(chars.map(|chars| {
        let end = (chars.len() - n_behind + N_AROUND).min(chars.len());
        let part: String = chars[start..end].iter().collect();
        let [before, after] = [start > 0, end < chars.len()].map(|it| if it { "…" } else { "" });
        format!("{before}{part}{after}")
    }))
}

#[cfg(test)]
mod tests {
    use super::differing;

    #[test]
    fn of_long_lines_the_part_that_differs_is_shown() {
        let line = |href: &str| {
            format!(
                "<a style=\"{}\" href=\"{href}\">Go</a>",
                "color: red; ".repeat(20)
            )
        };
        let (old, new) = (line("{{{Old}}}"), line("{{{NewAddress}}}"));
        let shown = differing(&[(' ', "<p>"), ('-', &old), ('+', &new), ('+', "short")]);
        assert_eq!(shown[1], old, "as many lines as are gone have to come");
        let shown = differing(&[(' ', "<p>"), ('-', &old), ('+', &new), (' ', "</p>")]);
        assert!(
            shown[1].starts_with('…') && shown[1].ends_with("{{{Old}}}\">Go</a>"),
            "{}",
            shown[1]
        );
        assert!(
            shown[2].ends_with("{{{NewAddress}}}\">Go</a>"),
            "{}",
            shown[2]
        );
        assert!(shown[2].chars().count() < 80, "{}", shown[2]);
        let other = "x".repeat(300);
        let shown = differing(&[('-', &old), ('+', &other)]);
        assert_eq!(shown, [old.as_str(), other.as_str()]);
    }
}
