//! A repository and a home that nothing of the machine can change, and the command run in them.
//!
//! Must not know: what any command answers.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;
use xtask::demo;

/// The binary under test: the one built with the tests, or the one that `CORTEX_PROGRAM` names.
pub(crate) fn program() -> PathBuf {
    let built = env!("CARGO_BIN_EXE_git-cortex");
    std::env::var_os("CORTEX_PROGRAM").map_or_else(|| built.into(), PathBuf::from)
}

/// How often a test does something: so often as the environment says under this name, or a few times.
pub(crate) fn times(name: &str, few: u64) -> u64 {
    std::env::var(name).map_or(few, |times| times.parse().expect("a number"))
}

/// A folder with a home and one repository.
pub(crate) struct World {
    folder: TempDir,
    repository: PathBuf,
}

impl World {
    /// The demonstration repository: ten commits of a small solution.
    pub(crate) fn demo() -> Self {
        let world = Self::new();
        demo::build(&demo::history(), &world.repository).expect("the demonstration can be built");
        world
    }

    /// A repository without commits.
    pub(crate) fn empty() -> Self {
        Self::initialized(&[])
    }

    /// A repository without commits, made with further arguments of `git init`.
    pub(crate) fn initialized(arguments: &[&str]) -> Self {
        let world = Self::new();
        fs::create_dir(&world.repository).expect("the folder is new");
        world.git(&[&["init", "--quiet", "--initial-branch=main"], arguments].concat());
        world
    }

    /// A repository whose only commit holds these files.
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let world = Self::empty();
        world.commit_files(files, "Add files");
        world
    }

    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let repository = folder.path().join("repository");
        fs::create_dir(folder.path().join("home")).expect("the folder is new");
        Self { folder, repository }
    }

    /// The work tree.
    pub(crate) fn path(&self) -> &Path {
        &self.repository
    }

    /// A place beside the repository.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.repository.join(path);
        fs::create_dir_all(file.parent().expect("it lies below the repository"))
            .expect("folders can be made");
        fs::write(file, text).expect("files can be written");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.repository.join(path)).expect("the file is there")
    }

    /// Replaces text that must be there.
    pub(crate) fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has no `{old}`");
        self.write(path, text.replacen(old, new, 1));
    }

    /// Runs git in the repository, gives what it prints.
    #[track_caller]
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.repository, arguments)
    }

    /// Runs git in a folder, gives what it prints.
    #[track_caller]
    pub(crate) fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let mut command = demo::hermetic_git(folder);
        for who in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{who}_NAME"), "A U Thor")
                .env(format!("GIT_{who}_EMAIL"), "author@example.com")
                .env(format!("GIT_{who}_DATE"), "2026-01-02T03:04:05Z");
        }
        let output = command
            .env("HOME", self.beside("home"))
            .args([
                "-c",
                "protocol.file.allow=always",
                "-c",
                "core.fileMode=true",
            ])
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("git is installed");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {complaint}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn commit_files(&self, files: &[(&str, &str)], message: &str) {
        for (path, text) in files {
            self.write(path, text);
        }
        self.commit(message);
    }

    /// Commits all that is in the work tree.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Makes commits, as `git fast-import` reads them.
    pub(crate) fn import(&self, stream: &str) {
        let mut git = demo::hermetic_git(&self.repository)
            .args(["fast-import", "--quiet"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("git can be started");
        let mut input = git.stdin.take().expect("it is piped");
        std::io::Write::write_all(&mut input, stream.as_bytes()).expect("git reads it");
        drop(input);
        assert!(git.wait().expect("git ends").success());
        self.git(&["reset", "--quiet", "--hard"]);
    }

    /// The command, to be run in the repository.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_in(&self.repository, arguments)
    }

    /// The command, to be run in a folder, with nothing of this process's environment.
    pub(crate) fn command_in(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .current_dir(folder)
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.beside("home"))
            // Answers must not depend on the .NET of the machine.
            .env("DOTNET_ROOT", self.beside("dotnet"))
            .env("NUGET_PACKAGES", self.beside("packages"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.folder.path())
            .stdin(Stdio::null());
        // Windows starts no process without these.
        for name in ["SystemRoot", "TEMP", "TMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
    }

    /// Runs the command in the repository.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.run_in(&self.repository, arguments)
    }

    /// Runs the command in a folder.
    pub(crate) fn run_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.command_in(folder, arguments)
            .output()
            .expect("the command can be started")
    }

    /// Runs the command, which must succeed, and gives its standard output.
    #[track_caller]
    pub(crate) fn answer(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", shown(&output));
        String::from_utf8(output.stdout).expect("answers are UTF-8")
    }

    /// Runs the command, which must succeed, and gives its answer as JSON.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let (command, rest) = arguments.split_first().expect("a command is named");
        let arguments = [&[*command, "--format", "json"], rest].concat();
        crate::wire::answer_of(self.answer(&arguments).as_bytes())
    }

    /// The processes of the program that were started from this world and still run, where the
    /// system tells. Not those of git: a commit leaves one behind it that looks for maintenance.
    pub(crate) fn processes(&self) -> Vec<String> {
        let home = format!("HOME={}\0", self.beside("home").display());
        let program = fs::canonicalize(program()).expect("it was built");
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter_map(|entry| {
                if fs::read_link(entry.path().join("exe")).ok()? != program {
                    return None;
                }
                let environment = fs::read(entry.path().join("environ")).ok()?;
                let is_ours = environment
                    .windows(home.len())
                    .any(|part| part == home.as_bytes());
                is_ours.then(|| fs::read_to_string(entry.path().join("comm")).unwrap_or_default())
            })
            .collect()
    }

    /// What a run shows and how it ends, for a snapshot.
    pub(crate) fn show(&self, arguments: &[&str]) -> String {
        self.show_in(&self.repository, arguments)
    }

    /// What a run in a folder shows and how it ends, for a snapshot.
    pub(crate) fn show_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let place = self.folder.path();
        let text = shown(&self.run_in(folder, arguments));
        let canonical = fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        text.replace(&*canonical.to_string_lossy(), "[PLACE]")
            .replace(&*place.to_string_lossy(), "[PLACE]")
    }
}

/// Standard output, standard error and the exit code of a run.
pub(crate) fn shown(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    if !errors.is_empty() {
        let _ = write!(text, "──── stderr\n{errors}");
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => {
            let _ = writeln!(text, "──── exit code {code}");
        }
        None => {
            let _ = writeln!(text, "──── ended: {}", output.status);
        }
    }
    text
}

/// Compares with the stored snapshot of this name; times, sizes and the version are left out.
#[track_caller]
pub(crate) fn check(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"\d+\.\d\d s\b", "[TIME]");
    settings.add_filter(r"\d+\.\d MB\b", "[SIZE]");
    settings.add_filter(r"\d+ pages\b", "[N] pages");
    settings.add_filter(r#""root": "\w+""#, r#""root": "[HASH]""#);
    settings.add_filter(
        r#""(bytes|pages|factBytes|pageBytes|unusedBytes)": \d+"#,
        r#""$1": [N]"#,
    );
    settings.bind(|| insta::assert_snapshot!(name, text));
}
