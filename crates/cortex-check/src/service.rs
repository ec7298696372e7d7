//! A repository with a work tree, and the operations asked about it in this process.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use cortex_fixture::{Fixture, run_git};
use cortex_git::ConfigScope;
use cortex_index::Launcher;
use cortex_service::{
    NoWatcher, RequestContext, ServiceError, TimingShown, Workspace, WorkspaceOptions, operation,
};
use cortex_wire::Note;
use expect_test::Expect;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    form::check_form,
    render::{Format, render},
};

/// The budget of a rendering, unless a test chooses another.
const BUDGET: usize = 8000;

/// A repository with its work tree, and every operation about it. Independent of the machine's configuration,
/// environment and packages.
pub struct Service {
    /// Removed with the repository. Shared with those that read the same repository with another index.
    folder: Arc<TempDir>,
    repository: PathBuf,
    workspace: Workspace,
}

impl Service {
    /// A repository with one commit, from a text in the fixture language.
    #[track_caller]
    pub fn parse(fixture: &str) -> Self {
        let tree = Fixture::parse(fixture).tree();
        let files: Vec<(&str, &str)> = (tree.iter())
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        Self::with_files(&files)
    }

    /// A repository whose only commit holds these files.
    #[track_caller]
    pub fn with_files(files: &[(&str, &str)]) -> Self {
        let service = Self::empty();
        service.commit_files(files, "Add files");
        service
    }

    /// A repository without commits.
    #[track_caller]
    pub fn empty() -> Self {
        Self::created_by(|folder| {
            fs::create_dir(folder).expect("the folder is new");
            Fixture::git(folder, &["init", "--quiet", "--initial-branch=main"])
                .expect("git creates the repository");
        })
    }

    /// A repository that a function creates in a folder that does not exist.
    #[track_caller]
    pub fn created_by(create: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let repository = folder.path().join("repository");
        create(&repository);
        let store = folder.path().join("index");
        Self {
            workspace: workspace(&repository, store),
            folder: Arc::new(folder),
            repository,
        }
    }

    /// The same repository with an empty index, which nothing was kept in.
    pub fn with_new_index(&self) -> Self {
        let store = tempfile::tempdir_in(self.folder.path()).expect("a folder can be created");
        Self {
            workspace: workspace(&self.repository, store.keep()),
            folder: self.folder.clone(),
            repository: self.repository.clone(),
        }
    }

    /// The same repository and index, opened anew, as another process does.
    pub fn opened_again(self) -> Self {
        let store = self.folder.path().join("index");
        drop(self.workspace);
        Self {
            workspace: workspace(&self.repository, store),
            folder: self.folder,
            repository: self.repository,
        }
    }

    /// The work tree.
    pub fn path(&self) -> &Path {
        &self.repository
    }

    /// What the operations are asked of.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// A place outside the repository.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file of the work tree.
    #[track_caller]
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.repository.join(path);
        let folder = file.parent().expect("it lies below the repository");
        fs::create_dir_all(folder).expect("folders can be created");
        fs::write(file, text).expect("files can be written");
    }

    /// The text of a file of the work tree.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.repository.join(path)).expect("the file exists")
    }

    /// Replaces text that must exist.
    #[track_caller]
    pub fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has no `{old}`");
        self.write(path, text.replacen(old, new, 1));
    }

    /// Removes a file of the work tree.
    #[track_caller]
    pub fn remove(&self, path: &str) {
        fs::remove_file(self.repository.join(path)).expect("the file exists");
    }

    /// Writes files and commits them with everything else in the work tree.
    #[track_caller]
    pub fn commit_files(&self, files: &[(&str, &str)], message: &str) {
        for (path, text) in files {
            self.write(path, text);
        }
        self.commit(message);
    }

    /// Commits everything in the work tree.
    #[track_caller]
    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Runs git in the repository; returns what it prints.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        run_git(&self.repository, arguments)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
    }

    fn run(&self, folder: &Path, name: &str, request: Value) -> Result<Value, ServiceError> {
        let operation = operation(name).unwrap_or_else(|| panic!("no operation is named {name}"));
        let mut context = RequestContext::new(folder, &NoWatcher);
        // Equal runs store equal bytes.
        context.now = 1_800_000_000;
        let envelope = operation.answer(&self.workspace, &context, request)?;
        Ok(value(&envelope))
    }

    /// The envelope of an answer, in the form of its schema.
    #[track_caller]
    pub fn envelope(&self, name: &str, request: Value) -> Value {
        self.envelope_from("", name, request)
    }

    /// The same, with paths of the request relative to a folder of the work tree.
    #[track_caller]
    pub fn envelope_from(&self, folder: &str, name: &str, request: Value) -> Value {
        let folder = self.repository.join(folder);
        let envelope = self.run(&folder, name, request.clone());
        let envelope = envelope.unwrap_or_else(|error| panic!("{name} {request}: {error:?}"));
        check_form(&envelope);
        envelope
    }

    /// The envelope of an answer with what it cost.
    #[track_caller]
    pub fn timed_envelope(&self, name: &str, request: Value) -> Value {
        let operation = operation(name).unwrap_or_else(|| panic!("no operation is named {name}"));
        let mut context = RequestContext::new(&self.repository, &NoWatcher);
        context.timing = TimingShown::Yes;
        let envelope = operation.answer(&self.workspace, &context, request);
        let envelope = value(&envelope.unwrap_or_else(|error| panic!("{name}: {error:?}")));
        check_form(&envelope);
        envelope
    }

    /// An answer as JSON.
    #[track_caller]
    pub fn answer(&self, name: &str, request: Value) -> Value {
        self.envelope(name, request)["answer"].take()
    }

    /// An answer as JSON; nothing of a request that fails.
    pub fn try_answer(&self, name: &str, request: Value) -> Option<Value> {
        let found = self.run(&self.repository, name, request);
        found.ok().map(|mut envelope| envelope["answer"].take())
    }

    /// The error of a request that must fail: its code, message, hint and suggestions.
    #[track_caller]
    pub fn error(&self, name: &str, request: Value) -> Value {
        self.error_from("", name, request)
    }

    /// The same, with paths of the request relative to a folder of the work tree.
    #[track_caller]
    pub fn error_from(&self, folder: &str, name: &str, request: Value) -> Value {
        let folder = self.repository.join(folder);
        match self.run(&folder, name, request.clone()) {
            Ok(answer) => panic!("{name} {request} succeeds: {answer:#}"),
            Err(error) => {
                let mut value =
                    serde_json::to_value(error.envelope()).expect("errors are plain data");
                check_form(&value);
                value["error"].take()
            }
        }
    }

    /// An answer as lines for a terminal, rendered from its JSON.
    #[track_caller]
    pub fn text(&self, name: &str, request: Value) -> String {
        let envelope = self.envelope(name, request);
        render(&envelope, Format::Text, BUDGET).expect("the operation has this form")
    }

    /// An answer as Markdown, rendered from its JSON.
    #[track_caller]
    pub fn markdown(&self, name: &str, request: Value) -> String {
        let envelope = self.envelope(name, request);
        render(&envelope, Format::Markdown, BUDGET).expect("the operation has this form")
    }

    /// What people see of a request, for a snapshot: the rendered answer and its warnings, or the error.
    #[track_caller]
    pub fn show(&self, form: Format, name: &str, request: Value) -> String {
        match self.run(&self.repository, name, request) {
            Ok(envelope) => {
                check_form(&envelope);
                let text = render(&envelope, form, BUDGET);
                let mut text = text.expect("the operation has this form");
                for warning in warnings(&envelope) {
                    text += &format!("warning: {warning}\n");
                }
                text
            }
            Err(error) => {
                let value = serde_json::to_value(error.envelope()).expect("errors are plain data");
                check_form(&value);
                let error = &value["error"];
                let mut text = error_lines(error);
                for list in ["suggestions", "candidates"] {
                    for symbol in error[list].as_array().into_iter().flatten() {
                        text += &format!("{list}: {symbol}\n");
                    }
                }
                text
            }
        }
    }

    /// An answer in all its forms, each rendered from its JSON; the JSON itself comes last.
    #[track_caller]
    pub fn forms(&self, name: &str, request: Value) -> Vec<String> {
        let envelope = self.envelope(name, request);
        let forms = [Format::Text, Format::Markdown];
        let rendered = forms.map(|form| render(&envelope, form, BUDGET));
        let mut all: Vec<String> = rendered.into_iter().flatten().collect();
        all.push(format!("{envelope:#}"));
        all
    }

    /// Checks the lines of an answer.
    #[track_caller]
    pub fn check_text(&self, name: &str, request: Value, expected: Expect) {
        expected.assert_eq(&self.text(name, request));
    }

    /// Checks an answer as Markdown.
    #[track_caller]
    pub fn check_markdown(&self, name: &str, request: Value, expected: Expect) {
        expected.assert_eq(&self.markdown(name, request));
    }

    /// Checks the message of an error, with its code before it and its causes below.
    #[track_caller]
    pub fn check_error(&self, name: &str, request: Value, expected: Expect) {
        expected.assert_eq(&error_lines(&self.error(name, request)));
    }
}

/// An error as lines: code and message, causes, hint.
pub fn error_lines(error: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut out = format!("{}: {}\n", text(&error["code"]), text(&error["message"]));
    for cause in error["causes"].as_array().into_iter().flatten() {
        out += &format!("  {}\n", text(cause));
    }
    if !error["hint"].is_null() {
        out += &format!("hint: {}\n", error["hint"]);
    }
    out
}

/// The warnings about scopes in an envelope, as people read them.
#[track_caller]
pub fn warnings(envelope: &Value) -> Vec<String> {
    let notes = envelope.get("notes").cloned();
    let notes = notes.unwrap_or_else(|| Value::Array(Vec::new()));
    let notes: Vec<Note> = serde_json::from_value(notes).expect("notes read back");
    let problems = notes.iter().filter_map(|note| match note {
        Note::Scope(problem) => Some(problem.to_string()),
        _ => None,
    });
    problems.collect()
}

fn workspace(repository: &Path, store: PathBuf) -> Workspace {
    let variables = move |name: &str| -> Option<OsString> {
        match name {
            "GIT_CORTEX_DIR" => Some(store.clone().into()),
            // Nothing of the machine: no configuration, no .NET, no packages.
            "XDG_CONFIG_HOME" | "DOTNET_ROOT" | "NUGET_PACKAGES" => {
                Some(store.with_file_name("nothing").into())
            }
            _ => None,
        }
    };
    let options = WorkspaceOptions {
        variables: Arc::new(variables),
        config_scope: ConfigScope::RepositoryOnly,
        launcher: Launcher::InProcess,
        parallel: 1,
        freshness: None,
    };
    Workspace::new(repository, options)
}

/// A request with further fields; objects are merged.
pub fn with(request: &Value, more: Value) -> Value {
    let mut out = request.clone();
    match (&mut out, more) {
        (Value::Object(fields), Value::Object(more)) => {
            for (name, value) in more {
                let old = fields.remove(&name).unwrap_or(Value::Null);
                fields.insert(name, with(&old, value));
            }
        }
        (out, more) => *out = more,
    }
    out
}

fn value(envelope: &str) -> Value {
    serde_json::from_str(envelope).expect("an envelope is JSON")
}
