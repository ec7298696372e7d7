//! Whole processes, measured: wall time, CPU time and memory of a command, and what several runs say.
//!
//! Must not know what a command does.

use std::{
    fs::File,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use wait4::Wait4;

use crate::process::kill_with_descendants;

/// No command may take longer.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// What one run of a command took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample {
    /// Seconds from start to end.
    pub(super) wall: f64,
    /// Seconds of user and system time, of the process and of all children that it waited for.
    pub(super) cpu: f64,
    /// Bytes of memory of the largest single process.
    pub(super) peak: u64,
}

/// Runs a command to its end. What it prints goes to files in `scratch`, not to `/dev/null`: some tools
/// do less work when nobody reads it.
///
/// # Errors
/// When it cannot be started, does not succeed, or takes more than half an hour.
pub(super) fn measure(command: &mut Command, scratch: &Path) -> Result<Sample> {
    let program = command.get_program().display().to_string();
    let complaints = scratch.join("stderr");
    command
        .stdin(Stdio::null())
        .stdout(File::create(scratch.join("stdout"))?)
        .stderr(File::create(&complaints)?);
    let start = Instant::now();
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let used = loop {
        if let Some(used) = child.try_wait4()? {
            break used;
        }
        let elapsed = start.elapsed();
        if elapsed > LIMIT {
            kill_with_descendants(&mut child);
            bail!("{program} was still running after {} s", LIMIT.as_secs());
        }
        // The error stays below one in a hundred.
        thread::sleep((elapsed / 100).clamp(Duration::from_micros(100), Duration::from_millis(20)));
    };
    let wall = start.elapsed().as_secs_f64();
    ensure!(
        used.status.success(),
        "{program}: {}\n{}",
        used.status,
        std::fs::read_to_string(complaints).unwrap_or_default()
    );
    Ok(Sample {
        wall,
        cpu: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        peak: used.rusage.maxrss,
    })
}

/// The middle of several values and how far they spread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

/// `None` of no values. Of an even number, the median is the lower of the two in the middle.
pub(super) fn spread(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    Some(Spread {
        median: *values.get(values.len().checked_sub(1)? / 2)?,
        min: *values.first()?,
        max: *values.last()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_value_in_order() {
        let found = spread([5.0, 1.0, 9.0]);
        let expected = Spread {
            median: 5.0,
            min: 1.0,
            max: 9.0,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(spread([4.0, 2.0]).map(|it| it.median), Some(2.0));
        assert_eq!(spread([]), None);
    }

    #[cfg(unix)]
    #[test]
    fn children_count_and_failures_are_told() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut command = Command::new("sh");
        // The loop runs in a child of the shell.
        command.args([
            "-c",
            "(i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done); true",
        ]);
        let sample = measure(&mut command, folder.path()).expect("sh succeeds");
        assert!(sample.cpu > 0.005 && sample.peak > 0, "{sample:?}");

        let mut command = Command::new("sh");
        command.args(["-c", "echo no such thing >&2; exit 3"]);
        let error = measure(&mut command, folder.path()).expect_err("it fails");
        assert!(error.to_string().contains("no such thing"), "{error}");
    }
}
