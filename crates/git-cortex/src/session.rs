//! One run of the command: the workspace, and what the request brings from the command line.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use cortex_context::More;
use cortex_git::ConfigScope;
use cortex_index::Launcher;
use cortex_service::{
    Operation, RequestContext, ServiceError, TimingShown, Workspace, WorkspaceOptions, operation,
};
use cortex_wire::{Envelope, Note};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    arguments::Global,
    daemon,
    failure::{Failure, with_context},
    harmless::in_text,
    interrupt, more, pager,
    progress::Bar,
    words,
};

/// The repository that the arguments name. Nothing of it is read yet.
pub(crate) fn workspace(global: &Global) -> Result<Workspace, Failure> {
    let (start, options) = place(global)?;
    Ok(Workspace::new(start, options))
}

/// Where the repository is looked for, and what its workspace needs to know of this process.
pub(crate) fn place(global: &Global) -> Result<(PathBuf, WorkspaceOptions), Failure> {
    let program = std::env::current_exe();
    let program = with_context(program, || "find this program's own file".to_owned())?;
    let options = WorkspaceOptions {
        variables: Arc::new(|name| std::env::var_os(name)),
        config_scope: ConfigScope::UserAndRepository,
        launcher: Launcher::Processes {
            program,
            arguments: vec!["parse-worker".into()],
        },
        parallel: std::thread::available_parallelism().map_or(1, usize::from),
        freshness: None,
    };
    // What `git --git-dir` and hooks name goes before what is found from the folder.
    let start: PathBuf = match std::env::var_os("GIT_DIR") {
        Some(folder) => global.directory.join(folder),
        None => global.directory.clone(),
    };
    Ok((start, options))
}

/// One run of the command.
pub(crate) struct Session<'a> {
    /// What every command takes.
    pub(crate) global: &'a Global,
    workspace: Workspace,
    bar: Bar,
    started: Instant,
}

impl<'a> Session<'a> {
    /// The repository that the arguments name, which is opened by the first question.
    pub(crate) fn new(global: &'a Global) -> Result<Self, Failure> {
        Ok(Self {
            global,
            workspace: workspace(global)?,
            bar: Bar::new(global.quiet),
            started: Instant::now(),
        })
    }

    /// How long the run takes so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What the request brings.
    fn context(&self, operation_name: &str) -> RequestContext<'_> {
        let default = operation(operation_name).and_then(|it| it.default_seconds);
        let timeout = self.global.timeout;
        RequestContext {
            tfm: self.global.tfm.clone(),
            deadline: timeout.and_then(|timeout| self.started.checked_add(timeout)),
            answer_time: default.map(Duration::from_secs),
            cancel: interrupt::token().clone(),
            timing: match self.global.timing {
                true => TimingShown::Yes,
                false => TimingShown::No,
            },
            ..RequestContext::new(&self.global.directory, &self.bar)
        }
    }

    /// Asks something of the operation layer.
    pub(crate) fn ask_with<T>(
        &self,
        operation_name: &str,
        ask: impl FnOnce(&Workspace, &RequestContext<'_>) -> Result<T, ServiceError>,
    ) -> Result<T, Failure> {
        if let Ok(repo) = self.workspace.repo() {
            pager::choose(repo, !self.global.no_pager);
        }
        let result = ask(&self.workspace, &self.context(operation_name));
        self.bar.finish();
        Ok(result?)
    }

    /// Asks a request.
    pub(crate) fn ask<R: Serialize, A: DeserializeOwned>(
        &self,
        operation_name: &str,
        operation: Operation<R, A>,
        request: &R,
    ) -> Result<Envelope<A>, Failure> {
        let envelope = match self.ask_daemon(operation_name, request)? {
            Some(envelope) => envelope,
            None => return self.ask_here(operation_name, operation, request),
        };
        self.report_unread(&envelope);
        Ok(envelope)
    }

    /// Asks a request of this process, whose answer is not one that travels.
    pub(crate) fn ask_here<R, A>(
        &self,
        operation_name: &str,
        operation: Operation<R, A>,
        request: &R,
    ) -> Result<Envelope<A>, Failure> {
        let envelope = self.ask_with(operation_name, |workspace, context| {
            cortex_service::answer(workspace, context, operation, request)
        })?;
        self.report_unread(&envelope);
        Ok(envelope)
    }

    /// Asks the daemon of the repository; `None` where none runs, or its answer might be another one.
    fn ask_daemon<R: Serialize, A: DeserializeOwned>(
        &self,
        operation_name: &str,
        request: &R,
    ) -> Result<Option<Envelope<A>>, Failure> {
        let Ok(repo) = self.workspace.repo() else {
            return Ok(None);
        };
        pager::choose(repo, !self.global.no_pager);
        let Ok(request) = serde_json::to_value(request) else {
            return Ok(None);
        };
        let asked = daemon::Asked {
            workspace: &self.workspace,
            context: &self.context(operation_name),
            timeout: self.global.timeout,
        };
        match daemon::ask(&asked, operation_name, request) {
            None => Ok(None),
            Some(Err(error)) => Err(error),
            Some(Ok(envelope)) => Ok(serde_json::from_value(envelope).ok()),
        }
    }

    /// Prints what an answer was made without, in whatever form it is printed.
    pub(crate) fn report_unread<A>(&self, envelope: &Envelope<A>) {
        if self.global.quiet {
            return;
        }
        for note in &envelope.notes {
            if *note == Note::NoSources {
                anstream::eprintln!("note: no C# files in this repository");
            }
            if let Note::UnreadFiles { files } = note
                && let Some(words) = words::unread(files)
            {
                anstream::eprintln!("note: {}", in_text(&words));
            }
        }
    }

    /// Prints the warnings of an answer that is not printed as JSON.
    pub(crate) fn warn<A>(&self, envelope: &Envelope<A>) {
        if self.global.quiet {
            return;
        }
        for note in &envelope.notes {
            if let Note::Scope(problem) = note {
                anstream::eprintln!("warning: {}", in_text(&problem.to_string()));
            }
        }
    }

    /// Words what would show more of an answer.
    pub(crate) fn phrase(&self) -> impl Fn(&More<'_>) -> String {
        |request| more::more(request, &self.global.given)
    }

    /// Ends the run, once its answer is out.
    pub(crate) fn settle(&self) {
        self.workspace.settle(&self.context("settle"));
    }
}
