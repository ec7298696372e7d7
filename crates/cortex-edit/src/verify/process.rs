//! A command with everything that it starts, in bounded time.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cortex_index::Progress;

use crate::{EditError, op::failed};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ended {
    /// Its status; none where a signal ended it.
    pub(super) status: Option<i32>,
    /// Whether it took too long.
    pub(super) timed_out: bool,
}

impl Ended {
    pub(super) fn is_success(self) -> bool {
        self.status == Some(0)
    }
}

/// Runs a command in a folder, its output in a file.
///
/// # Errors
/// Where the system cannot start it, or the caller is interrupted.
pub(super) fn run(
    command: &str,
    (folder, output): (&Path, &Path),
    timeout: Duration,
    progress: &dyn Progress,
) -> Result<Ended, EditError> {
    let file = fs::File::create(output).map_err(failed("write", output))?;
    let errors = file.try_clone().map_err(failed("write", output))?;
    let mut shell = shell(command);
    shell
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors);
    // What git told this process is about another repository.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            shell.env_remove(&name);
        }
    }
    // The copy is in no repository.
    if let Some(above) = folder.parent() {
        shell.env("GIT_CEILING_DIRECTORIES", above);
    }
    let mut child = shell.spawn().map_err(failed("run a command in", folder))?;
    let start = Instant::now();
    loop {
        let ended = child
            .try_wait()
            .map_err(failed("run a command in", folder))?;
        if let Some(status) = ended {
            return Ok(Ended {
                status: status.code(),
                timed_out: false,
            });
        }
        let is_late = start.elapsed() > timeout;
        if is_late || progress.interrupted() {
            end(&mut child);
        }
        if is_late {
            return Ok(Ended {
                status: None,
                timed_out: true,
            });
        }
        if progress.interrupted() {
            return Err(cortex_index::IndexError::Interrupted.into());
        }
        std::thread::sleep(INTERVAL);
    }
}

/// How often is looked whether it ended.
const INTERVAL: Duration = Duration::from_millis(20);

#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).process_group(0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").arg(command);
    shell
}

/// Ends a command with what it started.
fn end(child: &mut Child) {
    let id = child.id();
    let quiet = |command: &mut Command| {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null());
        let _ = command.stderr(Stdio::null()).status();
    };
    if cfg!(unix) {
        quiet(Command::new("kill").args(["-KILL", "--", &format!("-{id}")]));
    } else {
        quiet(Command::new("taskkill").args(["/T", "/F", "/PID", &id.to_string()]));
    }
    let _ = child.kill();
    let _ = child.wait();
}
