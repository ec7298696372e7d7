//! The comparison as Markdown, and its place in a document.
//!
//! Must not know how anything was measured.

use anyhow::{Context, Result, ensure};

use super::measure::{Sample, Spread, spread};

/// Begins the part of a document that is written anew.
pub(super) const BEGIN: &str = "<!-- compare: begin -->\n";
/// Ends it.
pub(super) const END: &str = "<!-- compare: end -->\n";

/// One command of a piece of work, as it was measured.
pub(super) struct Row {
    /// What is run, for people.
    pub(super) label: String,
    /// One for each run, in order; empty if it failed.
    pub(super) samples: Vec<Sample>,
    /// Bytes of what it leaves on the disk, where that is the point.
    pub(super) left: Option<u64>,
}

/// Replaces what stands between the markers.
///
/// # Errors
/// When the document does not have both markers, once each and in order.
pub(super) fn replace_marked(document: &str, part: &str) -> Result<String> {
    let (before, rest) = document
        .split_once(BEGIN)
        .with_context(|| format!("`{}` is missing", BEGIN.trim()))?;
    let (old, after) = rest
        .split_once(END)
        .with_context(|| format!("`{}` is missing after it", END.trim()))?;
    ensure!(
        !old.contains(BEGIN) && !after.contains(BEGIN) && !after.contains(END),
        "a marker is there twice"
    );
    Ok(format!("{before}{BEGIN}\n{}\n\n{END}{after}", part.trim()))
}

/// The head of the table of one repository.
pub(super) fn head() -> String {
    "| work | command | runs | wall | CPU | peak MB | left on disk, MB | ratio of CPU | ratio of wall |\n\
     |---|---|---|---|---|---|---|---|---|\n"
        .to_owned()
}

/// The lines of one piece of work. The first row is what the others are compared with: a ratio is the first
/// row over this one, the median of the runs pair by pair.
pub(super) fn lines(work: &str, rows: &[Row]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let title = if number == 0 { work } else { "" };
        let label = row.label.replace('|', "\\|");
        let Some(peak) = spread(row.samples.iter().map(|it| it.peak as f64)) else {
            text.push_str(&format!("| {title} | `{label}` | failed | | | | | | |\n"));
            continue;
        };
        let ratio = |of: fn(&Sample) -> f64| match rows.first() {
            Some(first) if number > 0 => {
                let pairs = first.samples.iter().zip(&row.samples);
                spread(pairs.map(|(ours, theirs)| of(ours) / of(theirs).max(1e-6)))
                    .map_or_else(String::new, |it| factor(it.median))
            }
            _ => String::new(),
        };
        text.push_str(&format!(
            "| {title} | `{label}` | {} | {} | {} | {:.0} | {} | {} | {} |\n",
            row.samples.len(),
            seconds(spread(row.samples.iter().map(|it| it.wall))),
            seconds(spread(row.samples.iter().map(|it| it.cpu))),
            peak.median / 1e6,
            row.left
                .map_or_else(String::new, |bytes| format!("{:.2}", bytes as f64 / 1e6)),
            ratio(|it| it.cpu),
            ratio(|it| it.wall),
        ));
    }
    text
}

/// `12 ms (11–15)`, or in seconds.
fn seconds(spread: Option<Spread>) -> String {
    let Some(Spread { median, min, max }) = spread else {
        return String::new();
    };
    let is_short = max < 1.0;
    let shown = |value: f64| match is_short {
        true => format!("{:.0}", value * 1e3),
        false => format!("{value:.2}"),
    };
    let unit = if is_short { "ms" } else { "s" };
    if min == max {
        return format!("{} {unit}", shown(median));
    }
    format!("{} {unit} ({}–{})", shown(median), shown(min), shown(max))
}

fn factor(value: f64) -> String {
    if value < 0.005 {
        "<0.01".to_owned()
    } else if value < 10.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, walls: &[f64]) -> Row {
        let sample = |wall: &f64| Sample {
            wall: *wall,
            cpu: wall * 2.0,
            peak: 5_000_000,
        };
        Row {
            label: label.to_owned(),
            samples: walls.iter().map(sample).collect(),
            left: None,
        }
    }

    #[test]
    fn only_what_stands_between_the_markers_is_replaced() {
        let document = format!("a\n{BEGIN}old\n{END}z\n");
        let once = replace_marked(&document, "new\n").expect("both markers are there");
        assert_eq!(once, format!("a\n{BEGIN}\nnew\n\n{END}z\n"));
        let twice = replace_marked(&once, "new\n").expect("both markers are there");
        assert_eq!(once, twice);
    }

    #[test]
    fn a_document_without_its_markers_is_left_alone() {
        for document in [
            format!("{END}{BEGIN}"),
            BEGIN.to_owned(),
            format!("{BEGIN}{END}{BEGIN}{END}"),
        ] {
            assert!(replace_marked(&document, "new").is_err(), "{document}");
        }
    }

    #[test]
    fn a_ratio_is_the_median_pair_by_pair_and_a_failure_has_none() {
        let rows = [
            row("ours", &[0.010, 0.020, 0.030]),
            row("theirs | piped", &[0.020, 0.010, 0.030]),
            row("broken", &[]),
        ];
        assert_eq!(
            lines("lookup", &rows),
            "| lookup | `ours` | 3 | 20 ms (10–30) | 40 ms (20–60) | 5 |  |  |  |\n\
             |  | `theirs \\| piped` | 3 | 20 ms (10–30) | 40 ms (20–60) | 5 |  | 1.00 | 1.00 |\n\
             |  | `broken` | failed | | | | | | |\n"
        );
    }

    #[test]
    fn times_of_a_second_and_more_are_shown_in_seconds() {
        assert_eq!(seconds(spread([12.5])), "12.50 s");
        assert_eq!(seconds(spread([0.5, 1.5, 1.0])), "1.00 s (0.50–1.50)");
    }
}
