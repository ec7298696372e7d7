//! Where the workspace is, and what cargo knows about it.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// What `cargo metadata` says of the packages of the workspace.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// The packages of the workspace, in cargo's order.
    pub packages: Vec<Package>,
    /// Where cargo puts what it builds.
    pub target_directory: PathBuf,
}

/// One package of the workspace.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// The package's name.
    pub name: String,
    /// Its `Cargo.toml`.
    pub manifest_path: PathBuf,
    /// Its direct dependencies of all kinds and for all targets.
    pub dependencies: Vec<Dependency>,
    /// What it is built into.
    pub targets: Vec<Target>,
}

/// A dependency as a manifest names it.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// The name of the package that is depended on.
    pub name: String,
    /// `None` for an ordinary dependency, else `dev` or `build`.
    pub kind: Option<String>,
}

/// A library, program, test or bench of a package.
#[derive(Debug, Deserialize)]
pub struct Target {
    /// The target's name.
    pub name: String,
    /// `lib`, `bin`, `test`, `bench`, `example` or `custom-build`.
    pub kind: Vec<String>,
}

impl Package {
    /// Whether the package names another one among its dependencies of the kind.
    #[must_use]
    pub fn depends_on(&self, name: &str, kind: Option<&str>) -> bool {
        let matches = |it: &Dependency| it.name == name && it.kind.as_deref() == kind;
        self.dependencies.iter().any(matches)
    }
}

/// The folder of the workspace, in which this program was built.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the xtask package is a folder of the workspace")
}

/// A `cargo` command in the workspace, with the cargo that started this program.
#[must_use]
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Whether a cargo subcommand is installed.
pub(crate) fn has_cargo_command(name: &str) -> bool {
    cargo([name, "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Asks cargo for the packages of the workspace; reads no registry.
///
/// # Errors
/// When cargo cannot be started or does not understand the workspace.
pub fn metadata() -> Result<Metadata> {
    let output = cargo(["metadata", "--no-deps", "--format-version", "1"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(output.status.success(), "cargo metadata failed");
    serde_json::from_slice(&output.stdout).context("cannot read what cargo metadata says")
}

/// Builds the release binary of `git cortex` and answers where it is.
pub(crate) fn build_release_binary() -> Result<PathBuf> {
    build_release(&["--package", "git-cortex"], "git-cortex")
}

/// Builds what `selection` (arguments of `cargo build`) names, optimized, and answers where the program
/// `name` is.
pub(crate) fn build_release(selection: &[&str], name: &str) -> Result<PathBuf> {
    let mut command = cargo(["build", "--release"]);
    command
        .args(selection)
        .arg("--message-format=json-render-diagnostics");
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(output.status.success(), "the release build failed");
    // Cargo writes one JSON message a line, one of them for each artifact.
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo built no program called {name}"))
}
