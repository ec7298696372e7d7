//! `git cortex guide`: what an agent needs to know of the commands.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::ExitCode,
};

use cortex_wire::{ErrorCode, WireError};

use crate::{
    arguments::{
        Global,
        serve::{Guide, GuideFile},
    },
    commands::print_exact,
    failure::{Failure, with_context},
    session::workspace,
};

/// The guide.
pub(crate) const GUIDE: &str = include_str!("guide.md");

/// The lines around the guide in a file that says other things, too.
const BEGIN: &str =
    "<!-- git cortex guide: begin (git cortex guide --uninstall removes this block) -->\n";
const END: &str = "<!-- git cortex guide: end -->\n";

/// What a skill's file says first.
const SKILL: &str = "---\nname: git-cortex\ndescription: Answers questions about C# code of this repository: what a change \
does, who uses a symbol, outlines, source, tests to run, proven renames and edits. Use it for any work on .cs files.\n---\n\n";

pub(crate) fn run(global: &Global, options: &Guide) -> Result<ExitCode, Failure> {
    let (file, is_wanted) = match (options.install, options.uninstall) {
        (Some(file), _) => (file, true),
        (None, Some(file)) => (file, false),
        (None, None) => {
            print_exact(GUIDE)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let workspace = workspace(global)?;
    let repo = workspace.repo().map_err(Failure::from)?;
    let Some(root) = repo.work_dir() else {
        let message = "failed to find a work tree: this repository is bare";
        return Err(WireError::new(ErrorCode::Conflict, message).into());
    };
    let path = root.join(relative(file));
    refuse_links(root, &path)?;
    let old = read(&path)?;
    let new = match (file, is_wanted) {
        (GuideFile::Skill, true) => Some(format!("{SKILL}{GUIDE}")),
        (GuideFile::Skill, false) => None,
        (_, is_wanted) => with_block(old.as_deref().unwrap_or_default(), is_wanted),
    };
    let shown = relative(file);
    let report = match (&old, &new) {
        (old, new) if old == new => format!("{shown} is as it was\n"),
        (_, Some(text)) => {
            write(&path, text)?;
            format!("wrote {shown}\n")
        }
        (_, None) => {
            let removed = fs::remove_file(&path);
            with_context(removed, || format!("remove `{}`", path.display()))?;
            format!("removed {shown}\n")
        }
    };
    print_exact(&report)?;
    Ok(ExitCode::SUCCESS)
}

fn relative(file: GuideFile) -> &'static str {
    match file {
        GuideFile::Agents => "AGENTS.md",
        GuideFile::Claude => "CLAUDE.md",
        GuideFile::Skill => ".claude/skills/git-cortex/SKILL.md",
    }
}

/// The text of a file with the guide's block as it is now, or without it; `None` where nothing is left.
fn with_block(old: &str, is_wanted: bool) -> Option<String> {
    let block = format!("{BEGIN}{GUIDE}{END}");
    let place = old.find(BEGIN).and_then(|begin| {
        let end = old[begin..].find(END)?;
        Some((begin, begin + end + END.len()))
    });
    let new = match (place, is_wanted) {
        (Some((begin, end)), true) => format!("{}{block}{}", &old[..begin], &old[end..]),
        (Some((begin, end)), false) => {
            // With the empty line that was put before it.
            let before = old[..begin]
                .strip_suffix("\n\n")
                .map(|it| format!("{it}\n"));
            let before = before.unwrap_or_else(|| old[..begin].to_owned());
            format!("{before}{}", &old[end..])
        }
        (None, true) if old.is_empty() => block,
        (None, true) => {
            let gap = if old.ends_with('\n') { "\n" } else { "\n\n" };
            format!("{old}{gap}{block}")
        }
        (None, false) => old.to_owned(),
    };
    (!new.is_empty()).then_some(new)
}

/// Links in a repository must not choose what is written to.
fn refuse_links(root: &Path, path: &Path) -> Result<(), Failure> {
    let below: Vec<PathBuf> = (path.ancestors())
        .take_while(|it| *it != root)
        .map(Path::to_path_buf)
        .collect();
    for path in below {
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            let message = format!(
                "failed to write `{}`: it is a symbolic link",
                path.display()
            );
            return Err(WireError::new(ErrorCode::AccessDenied, message).into());
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => with_context(read, || format!("read `{}`", path.display())).map(Some),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        with_context(fs::create_dir_all(folder), || {
            format!("make the folder `{}`", folder.display())
        })?;
    }
    with_context(fs::write(path, text), || {
        format!("write `{}`", path.display())
    })
}

#[cfg(test)]
mod tests {
    use cortex_context::{O200kBase, Tokenizer};

    use super::{BEGIN, GUIDE, with_block};

    #[test]
    fn the_guide_is_short() {
        let n_tokens = O200kBase.count(GUIDE);
        assert!(n_tokens <= 600, "{n_tokens}");
    }

    #[test]
    fn a_block_comes_once_and_goes_without_a_trace() {
        for old in ["", "# Rules\n", "# Rules\nno end of line", "a\r\nb\r\n"] {
            let new = with_block(old, true).expect("it has the block");
            assert!(new.starts_with(old) && new.contains(GUIDE));
            assert_eq!(with_block(&new, true).as_ref(), Some(&new));
            let without = with_block(&new, false).unwrap_or_default();
            assert_eq!(without.trim_end(), old.trim_end());
            let more = format!("{new}\nmore\n");
            let kept = with_block(&more, false).expect("something is left");
            assert!(kept.ends_with("\nmore\n") && !kept.contains(BEGIN));
        }
    }
}
