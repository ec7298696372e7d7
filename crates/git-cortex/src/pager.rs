//! The user's pager: which program, and when.
//!
//! A repository's configuration never names it: only the environment and the user's own configuration do.

use std::{
    io::{ErrorKind, IsTerminal, Write},
    process::{Command, Stdio},
    sync::OnceLock,
};

use cortex_git::Repository;

/// What git sets for `less` where the user says nothing: end on one screen, show colors, leave the text.
const LESS: &str = "FRX";

static PAGER: OnceLock<Option<String>> = OnceLock::new();

/// Chooses as git does: `GIT_PAGER`, `core.pager`, `PAGER`, `less`; none where the answer goes to no terminal, for
/// `cat`, and where it is not wanted.
pub(crate) fn choose(repo: &Repository, is_wanted: bool) {
    let chosen = (is_wanted && std::io::stdout().is_terminal()).then(|| {
        let set = |name: &str| std::env::var(name).ok();
        let configured = || repo.user_config_string("core.pager");
        program(set("GIT_PAGER"), configured, set("PAGER"))
    });
    // The first choice stays: a process answers once.
    let _ = PAGER.set(chosen.flatten());
}

/// `None` for no pager: an empty name, or `cat`.
fn program(
    git_pager: Option<String>,
    configured: impl FnOnce() -> Option<String>,
    pager: Option<String>,
) -> Option<String> {
    let named = git_pager.or_else(configured).or(pager);
    let program = named.unwrap_or_else(|| "less".to_owned());
    (!matches!(program.trim(), "" | "cat")).then_some(program)
}

/// Gives a text to the pager and waits until the user has left it; `false` where there is none, or it cannot be
/// started.
pub(crate) fn page(text: &str) -> bool {
    let Some(Some(program)) = PAGER.get() else {
        return false;
    };
    let mut command = if cfg!(windows) {
        let mut shell = Command::new("cmd");
        shell.args(["/C", program]);
        shell
    } else {
        let mut shell = Command::new("sh");
        shell.args(["-c", program]);
        shell
    };
    for (name, value) in [("LESS", LESS), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    let written = child
        .stdin
        .take()
        .map(|mut pipe| pipe.write_all(text.as_bytes()));
    let is_left = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    let is_read = match written {
        Some(Err(error)) => is_left(&error),
        _ => true,
    };
    // 127: the shell found no such program.
    child.wait().is_ok_and(|status| status.code() != Some(127)) && is_read
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn the_pager_is_gits_for_the_user() {
        let of = |git: Option<&str>, config: Option<&str>, pager: Option<&str>| {
            program(
                git.map(str::to_owned),
                || config.map(str::to_owned),
                pager.map(str::to_owned),
            )
        };
        assert_eq!(of(None, None, None).as_deref(), Some("less"));
        assert_eq!(of(Some("a"), Some("b"), Some("c")).as_deref(), Some("a"));
        assert_eq!(of(None, Some("b -x"), Some("c")).as_deref(), Some("b -x"));
        assert_eq!(of(None, None, Some("c")).as_deref(), Some("c"));
        assert_eq!(of(Some("cat"), Some("b"), None), None);
        assert_eq!(of(Some(""), Some("b"), None), None);
    }
}
