//! The index and the configuration for people.

mod status;

use std::{fmt::Write, time::Duration};

use cortex_wire::{ConfigAnswer, ConfigSetting, GcAnswer, IndexAnswer, IndexWork, SnapshotReport};

pub use status::{ProjectsShown, status_text};

/// A count with its noun: "1 file", "2 files".
pub(crate) fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// What was indexed, in how much time.
pub fn index_text(answer: &IndexAnswer, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let mut out = String::new();
    if let Some(history) = &answer.history {
        let work = match history.work.snapshots {
            0 => "already indexed".to_owned(),
            made => format!(
                "{made} indexed in {seconds:.1} s, {:.0} per second ({} parsed, {} bound)",
                made as f64 / seconds.max(0.001),
                count(history.work.parsed as usize, "file"),
                history.work.bound
            ),
        };
        let commits = count(history.commits as usize, "commit");
        let _ = writeln!(out, "{}: {commits}; {work}", history.range);
    }
    for snapshot in &answer.snapshots {
        let alone = (answer.snapshots.len() == 1).then_some(seconds);
        let _ = writeln!(
            out,
            "{}: {}; {}",
            snapshot.name,
            work(snapshot.work.unwrap_or_default(), alone),
            size(snapshot)
        );
    }
    out
}

fn work(work: IndexWork, seconds: Option<f64>) -> String {
    if work.snapshots == 0 {
        return "already indexed".to_owned();
    }
    let time = seconds.map_or(String::new(), |seconds| format!(" in {seconds:.2} s"));
    format!(
        "indexed{time} ({} parsed, {} bound)",
        count(work.parsed as usize, "file"),
        work.bound
    )
}

fn size(snapshot: &SnapshotReport) -> String {
    format!(
        "{}, {}, {}, {}",
        count(snapshot.files.tracked as usize, "C# file"),
        count(snapshot.types as usize, "type"),
        count(snapshot.members as usize, "member"),
        count(snapshot.edges as usize, "dependency"),
    )
}

/// What a collection dropped.
pub fn gc_text(answer: &GcAnswer) -> String {
    let GcAnswer { before, after, .. } = answer;
    format!(
        "removed {} and {}; {} left, {:.1} MB → {:.1} MB\n",
        count(
            before.snapshots.saturating_sub(after.snapshots) as usize,
            "snapshot"
        ),
        count(
            before.facts.saturating_sub(after.facts) as usize,
            "source text"
        ),
        count(after.snapshots as usize, "snapshot"),
        before.bytes as f64 / 1e6,
        after.bytes as f64 / 1e6,
    )
}

/// The settings, each with what it replaces and what does not count.
pub fn config_text(answer: &ConfigAnswer) -> String {
    let mut out = String::new();
    for setting in &answer.settings {
        write_setting(&mut out, setting);
    }
    for note in &answer.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}

/// The value that counts, then what it replaces or what does not count, indented, the latest first.
fn write_setting(out: &mut String, setting: &ConfigSetting) {
    let text = match setting.value.as_str() {
        "" => "(not set)",
        text => text,
    };
    let _ = writeln!(out, "{} = {text}  # {}", setting.key, setting.place);
    let _ = writeln!(out, "    {}", setting.meaning);
    let counts = setting.values.iter().rposition(|it| it.problem.is_none());
    for (nth, other) in setting.values.iter().enumerate().rev() {
        if Some(nth) == counts || other.value.is_empty() {
            continue;
        }
        let (value, place) = (&other.value, &other.place);
        let _ = match &other.problem {
            Some(problem) => writeln!(out, "    ignores {value} ({place}): {problem}"),
            None => writeln!(out, "    overrides {value} ({place})"),
        };
    }
}
