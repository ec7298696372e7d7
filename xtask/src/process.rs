//! Child processes with a time limit, and the summary of several of them.

use std::{
    process::{Child, Command, ExitCode, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

const POLL: Duration = Duration::from_millis(20);

/// Runs a command with the terminal of this process; past the limit, it and its descendants are killed.
pub(crate) fn run_bounded(command: &mut Command, limit: Duration) -> Result<ExitStatus> {
    let program = command.get_program().display().to_string();
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            kill_with_descendants(&mut child);
            bail!("{program} was still running after {} s", limit.as_secs());
        }
        thread::sleep(POLL);
    }
}

/// Names of steps with how they ended, in order; shown as a table at the end.
#[derive(Default)]
pub(crate) struct Steps {
    rows: Vec<(String, Ending, Duration)>,
}

enum Ending {
    Passed,
    Failed(String),
    Skipped(&'static str),
}

impl Steps {
    /// Runs one step. A step that fails does not stop those after it.
    pub(crate) fn run(&mut self, name: &str, command: &mut Command, limit: Duration) {
        eprintln!("── {name}");
        let start = Instant::now();
        let ending = match run_bounded(command, limit) {
            Ok(status) if status.success() => Ending::Passed,
            Ok(status) => Ending::Failed(status.to_string()),
            Err(error) => Ending::Failed(format!("{error:#}")),
        };
        self.rows.push((name.to_owned(), ending, start.elapsed()));
    }

    /// Notes a step that cannot be run here.
    pub(crate) fn skip(&mut self, name: &str, why: &'static str) {
        self.rows
            .push((name.to_owned(), Ending::Skipped(why), Duration::ZERO));
    }

    /// Prints one line for each step and answers with failure if one of them failed.
    pub(crate) fn summarize(&self) -> ExitCode {
        let mut code = ExitCode::SUCCESS;
        println!();
        for (name, ending, time) in &self.rows {
            let ending = match ending {
                Ending::Passed => "passed".to_owned(),
                Ending::Skipped(why) => format!("skipped: {why}"),
                Ending::Failed(why) => {
                    code = ExitCode::FAILURE;
                    format!("FAILED: {why}")
                }
            };
            println!("{name:<14} {:>7.1} s  {ending}", time.as_secs_f64());
        }
        code
    }
}

/// Cargo does not take its children with it when it is killed, so they are looked up first.
pub(crate) fn kill_with_descendants(child: &mut Child) {
    #[cfg(target_os = "linux")]
    for pid in descendants(child.id()) {
        if let Some(pid) = i32::try_from(pid)
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            // It may have ended meanwhile.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
    // Killing fails only for a child that has ended.
    let _ = child.kill();
    let _ = child.wait();
}

/// The processes below `root`, parents first, as `/proc` shows them now.
#[cfg(target_os = "linux")]
fn descendants(root: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let parents: Vec<(u32, u32)> = entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // "pid (name) state parent …", and the name may hold anything.
            let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
            Some((pid, parent.parse().ok()?))
        })
        .collect();
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let children = parents.iter().filter(|(_, it)| *it == parent);
        found.extend(children.map(|(pid, _)| *pid));
        next += 1;
    }
    found.split_off(1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_command_that_ends_in_time_gives_its_status() {
        let status = run_bounded(&mut shell("exit 3"), Duration::from_secs(20)).expect("sh starts");
        assert_eq!(status.code(), Some(3));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn past_the_limit_a_command_and_its_children_are_gone() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let pid_file = folder.path().join("pid");
        let script = format!("sleep 60 & echo $! > {}; wait", pid_file.display());
        let error = run_bounded(&mut shell(&script), Duration::from_millis(500))
            .expect_err("it sleeps longer");
        assert!(error.to_string().contains("still running"), "{error}");
        let pid = std::fs::read_to_string(pid_file).expect("the script wrote its child's pid");
        // A killed process is gone, or waits as a zombie for its new parent, some moments later.
        let stat = format!("/proc/{}/stat", pid.trim());
        let is_gone = || {
            let stat = std::fs::read_to_string(&stat);
            stat.map_or(true, |it| {
                it.rsplit_once(')')
                    .is_some_and(|(_, rest)| rest.starts_with(" Z"))
            })
        };
        let deadline = Instant::now() + Duration::from_secs(10);
        while !is_gone() {
            assert!(
                Instant::now() < deadline,
                "the child of the command is still running"
            );
            thread::sleep(POLL);
        }
    }
}
