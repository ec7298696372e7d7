//! `git cortex daemon`.

use std::{
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use cortex_daemon::{Client, Place, ServeOptions, serve, serve_stdio};
use cortex_service::{CancelToken, NoWatcher, RequestContext};
use cortex_wire::{ErrorCode, WireError};
use serde_json::json;

use crate::{
    arguments::{
        Global,
        serve::{Daemon, DaemonStart, DaemonWhat},
    },
    commands::print_text,
    failure::{Failure, with_context},
    session::{place, workspace},
};

/// Without a request for so long, it ends.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// A daemon that was started answers within this time.
const START: Duration = Duration::from_secs(10);

pub(crate) fn run(global: &Global, options: &Daemon) -> Result<ExitCode, Failure> {
    match &options.what {
        DaemonWhat::Start(start) if start.foreground => {
            serve(serve_options(global, start.idle)?, &daemon_place(global)?)?;
            Ok(ExitCode::SUCCESS)
        }
        DaemonWhat::Start(start) => start_apart(global, start),
        DaemonWhat::Stop => stop(global),
        DaemonWhat::Status => status(global),
        DaemonWhat::Stdio => {
            serve_stdio(serve_options(global, None)?)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn serve_options(global: &Global, idle: Option<Duration>) -> Result<ServeOptions, Failure> {
    let (start, workspace) = place(global)?;
    let folder = start.canonicalize();
    Ok(ServeOptions {
        folder: with_context(folder, || format!("find `{}`", start.display()))?,
        workspace,
        idle: idle.unwrap_or(IDLE),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Where the daemon of the repository is found.
fn daemon_place(global: &Global) -> Result<Place, Failure> {
    let workspace = workspace(global)?;
    let folder = workspace.index_folder(&RequestContext::new(&global.directory, &NoWatcher))?;
    let folder = folder.canonicalize().unwrap_or(folder);
    Ok(Place::of(&folder))
}

fn start_apart(global: &Global, options: &DaemonStart) -> Result<ExitCode, Failure> {
    let place = daemon_place(global)?;
    if let Some(client) = Client::connect(&place) {
        print_text(&format!(
            "a daemon runs already: process {}\n",
            client.welcome().pid
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    spawn(&global.directory, options.idle)?;
    let end = Instant::now() + START;
    while Instant::now() < end {
        if let Some(client) = Client::connect(&place) {
            let (pid, address) = (client.welcome().pid, place.shown());
            print_text(&format!("started a daemon: process {pid}, at {address}\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let message = "failed to start a daemon: it did not answer; `git cortex daemon start --foreground` shows why";
    Err(WireError::new(ErrorCode::Timeout, message).into())
}

/// How glibc manages the memory of a process that lives long (`man 3 mallopt`): what one thread frees the others take,
/// and large blocks go back to the system. Halves what a daemon has after some thousand requests.
const LEAN_MEMORY: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "2"),
    ("MALLOC_MMAP_THRESHOLD_", "131072"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
];

/// `CREATE_NEW_PROCESS_GROUP` and `CREATE_NO_WINDOW`: it hears of no Ctrl+C, and its workers open no window either.
#[cfg(windows)]
const APART: u32 = 0x0800_0200;

/// Starts a daemon that outlives this process and its terminal.
pub(crate) fn spawn(folder: &Path, idle: Option<Duration>) -> Result<(), Failure> {
    let program = std::env::current_exe();
    let program = with_context(program, || "find this program's own file".to_owned())?;
    let mut command = Command::new(program);
    command
        .arg("-C")
        .arg(folder)
        .args(["--quiet", "daemon", "start", "--foreground"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(idle) = idle {
        command.args(["--idle", &idle.as_secs().to_string()]);
    }
    command.envs(LEAN_MEMORY);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, APART);
    with_context(command.spawn(), || "start a daemon".to_owned())?;
    Ok(())
}

/// What to say where no daemon runs.
fn absent() -> Result<ExitCode, Failure> {
    print_text("no daemon runs for this repository\n")?;
    Ok(ExitCode::FAILURE)
}

fn stop(global: &Global) -> Result<ExitCode, Failure> {
    let place = daemon_place(global)?;
    let Some(mut client) = Client::connect(&place) else {
        return absent();
    };
    let pid = client.welcome().pid;
    // It may be gone before it replies.
    let _ = client.request("Shutdown", &json!({}), &CancelToken::default());
    let end = Instant::now() + START;
    while place.address.exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    print_text(&format!("ended process {pid}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn status(global: &Global) -> Result<ExitCode, Failure> {
    let place = daemon_place(global)?;
    let Some(client) = Client::connect(&place) else {
        return absent();
    };
    let it = client.welcome();
    let mut text = format!(
        "process {} of version {} runs for {} s and has answered {} requests\nat {}\n",
        it.pid,
        it.version,
        it.uptime_seconds,
        it.requests,
        place.shown()
    );
    for folder in &it.folders {
        text.push_str(&format!("warm: {}\n", folder.display()));
    }
    print_text(&text)?;
    Ok(ExitCode::SUCCESS)
}
