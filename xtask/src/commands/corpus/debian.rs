//! Real C# from Debian source packages.
//!
//! Owns: an apt of its own, with its lists and cache in a scratch folder, so that neither root nor a
//! `deb-src` line of the machine is needed and nothing outside of that folder changes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};

use crate::{demo::hermetic_git, process::run_bounded};

/// Small to large; each is a tree of real C#.
const SOURCE_PACKAGES: &[&str] = &["log4net", "keepass2", "mono"];
const ARCHIVE: &str = "deb-src http://deb.debian.org/debian stable main\n";
const STEP_LIMIT: Duration = Duration::from_secs(10 * 60);

/// A git repository for each source package that can be had; they are kept for the next run.
pub(super) fn repositories(scratch: &Path) -> Result<Vec<PathBuf>> {
    let apt = scratch.join("apt");
    let mut found = Vec::new();
    let mut is_updated = false;
    for package in SOURCE_PACKAGES {
        let repository = scratch.join(package);
        // Written last, so that an interrupted import is made anew.
        if !repository.join(".git/imported").exists() {
            if !is_updated {
                update(&apt).context("cannot fetch the list of source packages")?;
                is_updated = true;
            }
            if let Err(error) = import(&apt, package, &repository) {
                eprintln!("{package} is left out: {error:#}");
                continue;
            }
        }
        found.push(repository);
    }
    ensure!(
        !found.is_empty(),
        "no source package can be had; name repositories on the command line"
    );
    Ok(found)
}

fn update(apt: &Path) -> Result<()> {
    for folder in ["state/lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(apt.join(folder))?;
    }
    fs::write(apt.join("sources.list"), ARCHIVE)?;
    run(apt_get(apt).arg("update"))
}

fn import(apt: &Path, package: &str, repository: &Path) -> Result<()> {
    if repository.exists() {
        fs::remove_dir_all(repository)?;
    }
    fs::create_dir_all(repository)?;
    let downloads = apt.join("downloads").join(package);
    fs::create_dir_all(&downloads)?;
    run(apt_get(apt)
        .args(["source", "--download-only", "--tar-only", package])
        .current_dir(&downloads))?;
    let is_upstream = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.contains(".orig.tar.") && !name.ends_with(".asc")
    };
    let archive = fs::read_dir(&downloads)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(is_upstream)
        .context("it has no upstream archive")?;
    run(Command::new("tar")
        .arg("-xf")
        .arg(&archive)
        .arg("-C")
        .arg(repository))?;
    run(hermetic_git(repository).args(["init", "--quiet"]))?;
    // Upstream's ignore files may name files that upstream ships.
    run(hermetic_git(repository).args(["add", "--all", "--force"]))?;
    run(hermetic_git(repository)
        .args(["-c", "user.name=corpus", "-c", "user.email=corpus@invalid"])
        .args(["commit", "--quiet", "--message=Import"]))?;
    fs::write(repository.join(".git/imported"), "")?;
    fs::remove_dir_all(downloads)?;
    Ok(())
}

/// An `apt-get` that reads and writes below `apt` only.
fn apt_get(apt: &Path) -> Command {
    let mut command = Command::new("apt-get");
    let apt = apt.display();
    for option in [
        format!("Dir::Etc::SourceList={apt}/sources.list"),
        "Dir::Etc::SourceParts=/dev/null".to_owned(),
        format!("Dir::State={apt}/state"),
        "Dir::State::status=/dev/null".to_owned(),
        format!("Dir::Cache={apt}/cache"),
        // As root, apt would drop to a user that cannot write here.
        "APT::Sandbox::User=root".to_owned(),
    ] {
        command.args(["-o", &option]);
    }
    command.arg("--quiet").stdout(Stdio::null());
    command
}

fn run(command: &mut Command) -> Result<()> {
    let status = run_bounded(command, STEP_LIMIT)?;
    ensure!(
        status.success(),
        "{} failed: {status}",
        command.get_program().display()
    );
    Ok(())
}
