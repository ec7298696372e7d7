//! `git cortex install-hooks`: what runs checks on this clone by itself.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
    process::ExitCode,
};

use cortex_git::{ConfigOwner, ConfigScope, Ownership, Repository};
use cortex_wire::{ErrorCode, Hint, WireError};

use crate::{
    arguments::{Global, hooks::InstallHooks},
    commands::print_text,
    failure::{Failure, with_context},
};

/// The hook. Where the command is not installed, it lets commits pass.
const PRE_COMMIT: &str = "#!/bin/sh
# Written by `git cortex install-hooks`; `git cortex install-hooks --uninstall` removes it.
if ! command -v git-cortex >/dev/null 2>&1; then
    echo 'note: git-cortex is not installed, so context is not checked' >&2
    exit 0
fi
exec git cortex check --cached
";

/// What a hook of one's own does instead.
const COMMAND: &str = "git cortex check --cached";

/// The lines around what is written into files that have other lines.
const BEGIN: &str =
    "# git cortex: begin (git cortex install-hooks --uninstall removes this block)\n";
const END: &str = "# git cortex: end\n";

/// The merge driver: it succeeds and leaves the version of the current branch.
const DRIVER: &str = "[merge \"cortex-context\"]
\tname = keep our version of generated context
\tdriver = \"echo note: kept our version of %P, run: git cortex check --fix >&2\"
";

/// The files that it merges.
const ATTRIBUTES: &str = ".context/types/*.outline.md merge=cortex-context
.context/packs/*.md merge=cortex-context
";

pub(crate) fn run(global: &Global, options: &InstallHooks) -> Result<ExitCode, Failure> {
    let start = match std::env::var_os("GIT_DIR") {
        Some(folder) => global.directory.join(folder),
        None => global.directory.clone(),
    };
    let repo = Repository::open_with(&start, ConfigScope::UserAndRepository)
        .map_err(cortex_service::ServiceError::from)?;
    if repo.ownership() != Ownership::Trusted {
        let message = "failed to install hooks: the repository belongs to another user";
        return Err(WireError::new(ErrorCode::AccessDenied, message).into());
    }
    let hook = hooks_folder(&repo)?.join("pre-commit");
    let config = repo.common_dir().join("config");
    let attributes = repo.common_dir().join("info").join("attributes");
    let mut done = Vec::new();
    if options.uninstall {
        if remove_hook(&hook)? {
            done.push(format!("removed {}", shown(&repo, &hook)));
        }
        for file in [&attributes, &config] {
            if set_block(file, None)? {
                done.push(format!(
                    "removed the merge driver from {}",
                    shown(&repo, file)
                ));
            }
        }
    } else {
        if write_hook(&hook)? {
            done.push(format!("wrote {}", shown(&repo, &hook)));
        }
        if options.merge_driver {
            // Attributes without a driver would be harmless; the driver comes first nevertheless.
            for (file, text) in [(&config, DRIVER), (&attributes, ATTRIBUTES)] {
                if set_block(file, Some(text))? {
                    done.push(format!("added the merge driver to {}", shown(&repo, file)));
                }
            }
        }
    }
    if done.is_empty() {
        done.push("nothing to do".to_owned());
    }
    print_text(&format!("{}\n", done.join("\n")))?;
    Ok(ExitCode::SUCCESS)
}

/// A file as seen from the work tree, else from nowhere.
fn shown(repo: &Repository, file: &Path) -> String {
    let root = repo.work_dir().unwrap_or_else(|| repo.common_dir());
    let file = file.strip_prefix(root).unwrap_or(file);
    file.display().to_string()
}

/// Where git looks for hooks. A folder that the user shares among repositories is not written to, nor one that the
/// repository's own configuration names outside of it.
fn hooks_folder(repo: &Repository) -> Result<PathBuf, Failure> {
    let values = repo.config_values("core", "hooksPath");
    let Some(value) = values.last() else {
        return Ok(repo.common_dir().join("hooks"));
    };
    let refuse = |reason: &str| -> Failure {
        let message = format!(
            "failed to install the pre-commit hook: core.hooksPath is `{}`, {reason}",
            value.text
        );
        let text = format!("add `{COMMAND}` to the pre-commit hook there");
        let error = WireError::new(ErrorCode::Conflict, message);
        error.with_hint(Hint::Text { text }).into()
    };
    if value.owner != ConfigOwner::Repository {
        return Err(refuse("which other repositories share"));
    }
    let root = repo.work_dir().unwrap_or_else(|| repo.git_dir());
    let folder = root.join(&value.text);
    let is_inside = |base: &Path| folder.starts_with(base);
    let has_parent = folder.components().any(|it| it == Component::ParentDir);
    if has_parent || !(is_inside(root) || is_inside(repo.common_dir())) {
        return Err(refuse("outside of the repository"));
    }
    let is_link = |folder: &Path| fs::symlink_metadata(folder).is_ok_and(|it| it.is_symlink());
    let mut inside = folder.ancestors().take_while(|folder| *folder != root);
    if inside.any(is_link) {
        return Err(refuse("behind a symbolic link"));
    }
    Ok(folder)
}

/// Writes the hook; `false` where it is there already.
fn write_hook(hook: &Path) -> Result<bool, Failure> {
    match read(hook)? {
        Some(text) if text == PRE_COMMIT => return Ok(false),
        Some(_) => {
            let message = format!(
                "failed to install the pre-commit hook: `{}` exists",
                hook.display()
            );
            let text = format!("add this line to it: {COMMAND}");
            let error = WireError::new(ErrorCode::Conflict, message);
            return Err(error.with_hint(Hint::Text { text }).into());
        }
        None => {}
    }
    let folder = hook.parent().unwrap_or(hook);
    let made = fs::create_dir_all(folder).and_then(|()| write_new(hook, PRE_COMMIT, true));
    with_context(made, || format!("write `{}`", hook.display()))?;
    Ok(true)
}

/// Removes the hook where it is the one that was written.
fn remove_hook(hook: &Path) -> Result<bool, Failure> {
    let Some(text) = read(hook)? else {
        return Ok(false);
    };
    if text != PRE_COMMIT {
        return Ok(false);
    }
    with_context(fs::remove_file(hook), || {
        format!("remove `{}`", hook.display())
    })?;
    Ok(true)
}

/// The text of a file; a link counts as a text of its own.
fn read(file: &Path) -> Result<Option<String>, Failure> {
    match fs::symlink_metadata(file) {
        Ok(found) if !found.is_file() => return Ok(Some(String::new())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    let bytes = with_context(fs::read(file), || format!("read `{}`", file.display()))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Sets or removes the block of this program in a file; `false` where nothing changes. Whoever else writes the file
/// in git's way waits.
fn set_block(file: &Path, block: Option<&str>) -> Result<bool, Failure> {
    let doing = || format!("write `{}`", file.display());
    let lock = PathBuf::from(format!("{}.lock", file.display()));
    let old = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        result => with_context(result, || format!("read `{}`", file.display()))?,
    };
    let mut new = match (old.find(BEGIN), old.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            format!("{}{}", &old[..begin], &old[end + END.len()..])
        }
        _ => old.clone(),
    };
    if let Some(block) = block {
        if !new.is_empty() && !new.ends_with('\n') {
            new.push('\n');
        }
        new.push_str(&format!("{BEGIN}{block}{END}"));
    }
    if new == old {
        return Ok(false);
    }
    if let Some(folder) = file.parent() {
        with_context(fs::create_dir_all(folder), doing)?;
    }
    with_context(write_new(&lock, &new, false), doing)?;
    let renamed = fs::rename(&lock, file);
    if renamed.is_err() {
        let _ = fs::remove_file(&lock);
    }
    with_context(renamed, doing)?;
    Ok(true)
}

/// Creates a file.
fn write_new(file: &Path, text: &str, is_program: bool) -> io::Result<()> {
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_program {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o755);
    }
    #[cfg(not(unix))]
    let _ = is_program;
    let mut file = options.open(file)?;
    io::Write::write_all(&mut file, text.as_bytes())
}
