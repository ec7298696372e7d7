//! Operations about the prompt window.

use cortex_fresh::{
    FreshError, Writes,
    window::{FILE, IGNORE, WindowChange, WindowOptions, change, file_writes},
};
use cortex_index::Index;
use cortex_look::{AccessLog, Filter, Viewpoint};
use cortex_wire::{
    ContextAddRequest, ContextClearRequest, DismissRequest, Envelope, ErrorCode, PinRequest,
    WindowAnswer, WindowRequest, WireError,
};

use crate::{
    RequestContext, ServiceError, Workspace,
    look::{at, ended, envelope, finish, report_indexed},
    workspace::{mending, side_at},
};

/// For so many minutes what is added counts.
const MINUTES: u32 = 30;

/// Larger files are not read.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// Pins types, files and folders for everyone who works on the repository.
///
/// # Errors
/// Those of the request, the repository, the index and the files.
pub fn pin(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &PinRequest,
) -> Result<Envelope<WindowAnswer>, ServiceError> {
    require_work_tree(workspace)?;
    let what = WindowChange::Pin(subjects(&request.subjects)?);
    ask(workspace, context, "pin", what, &WindowRequest::default())
}

/// Unpins them.
///
/// # Errors
/// Those of the request, the repository, the index and the files.
pub fn unpin(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &PinRequest,
) -> Result<Envelope<WindowAnswer>, ServiceError> {
    require_work_tree(workspace)?;
    let what = WindowChange::Unpin(subjects(&request.subjects)?);
    ask(workspace, context, "unpin", what, &WindowRequest::default())
}

/// Leaves types out of the window until a request is about them again.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn dismiss(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &DismissRequest,
) -> Result<Envelope<WindowAnswer>, ServiceError> {
    let what = WindowChange::Dismiss(subjects(&request.subjects)?);
    ask(
        workspace,
        context,
        "dismiss",
        what,
        &WindowRequest::default(),
    )
}

/// Puts types into the window for a while.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn context_add(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ContextAddRequest,
) -> Result<Envelope<WindowAnswer>, ServiceError> {
    let minutes = request.minutes.unwrap_or(MINUTES);
    let what = WindowChange::Add(subjects(&request.subjects)?, minutes);
    let shown = WindowRequest::default();
    ask(workspace, context, "context-add", what, &shown)
}

/// Removes what was put into the window.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn context_clear(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    _request: &ContextClearRequest,
) -> Result<Envelope<WindowAnswer>, ServiceError> {
    let shown = WindowRequest::default();
    ask(
        workspace,
        context,
        "context-clear",
        WindowChange::Clear,
        &shown,
    )
}

/// The window.
///
/// # Errors
/// Those of the request, the repository, the index and the files.
pub fn window(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &WindowRequest,
) -> Result<Envelope<WindowAnswer>, ServiceError> {
    if request.write {
        require_work_tree(workspace)?;
    }
    ask(workspace, context, "window", WindowChange::Nothing, request)
}

/// Writes the file of the window anew, where there is one.
///
/// # Errors
/// Those of the repository, the index and the files.
pub(crate) fn follow(
    workspace: &Workspace,
    context: &RequestContext<'_>,
) -> Result<(), ServiceError> {
    let root = workspace.repo()?.work_dir();
    if root.is_some_and(|root| root.join(FILE).is_file()) {
        let request = WindowRequest::default();
        ask(
            workspace,
            context,
            "window",
            WindowChange::Nothing,
            &request,
        )?;
    }
    Ok(())
}

/// Makes a change and answers with the window after it. Where its file is there, it is written anew.
fn ask(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    operation: &str,
    what: WindowChange<'_>,
    request: &WindowRequest,
) -> Result<Envelope<WindowAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let (_, side) = side_at(&index, None)?;
    let before = AccessLog::read(index.store.folder());
    let filter = Filter::everything();
    let result = mending(workspace, &index, FreshError::is_damage, || {
        let (side, outcome) = workspace.side(&index, side, context)?;
        let viewpoint = Viewpoint {
            index: &index,
            side: &side,
            filter: &filter,
            limits: context.limits(usize::MAX),
        };
        let options = WindowOptions {
            log: &before,
            now: index.now,
            budget: request.budget,
            tokenizer: request.tokenizer.as_deref(),
        };
        let changed = change(&index, &side, what, &viewpoint, &options)?;
        Ok::<_, FreshError>((changed, at(&side), outcome))
    });
    let notes = finish(&index, context);
    let ((writes, log, mut answer), place, outcome) =
        result.map_err(|error| ended(context, ServiceError::from(error)).beside(&notes))?;
    report_indexed(context, outcome);
    let all = with_file(&index, request.write, &answer, writes);
    all.apply(&index.repo)?;
    if log != before {
        let folder = index.store.folder();
        log.write(folder).map_err(|source| FreshError::Io {
            action: "write the access history in",
            path: folder.to_owned(),
            source,
        })?;
    }
    answer.written = all.files.into_iter().map(|(path, _)| path).collect();
    Ok(Envelope {
        at: Some(place),
        notes,
        ..envelope(operation, answer)
    })
}

/// Adds the file of the window where it is wanted, or there and another one.
fn with_file(index: &Index, is_wanted: bool, answer: &WindowAnswer, mut writes: Writes) -> Writes {
    let Some(root) = index.repo.work_dir() else {
        return writes;
    };
    let text_of = |path: &str| {
        let place = root.join(path);
        let found = std::fs::symlink_metadata(&place).ok()?;
        let is_read = found.is_file() && found.len() <= MAX_IGNORE_BYTES;
        is_read.then(|| std::fs::read_to_string(&place).ok())?
    };
    let known = text_of(FILE);
    if !is_wanted && known.is_none() {
        return writes;
    }
    let ignored = text_of(IGNORE);
    let mut file = file_writes(answer, ignored.as_deref());
    let is_new = |text: &[u8]| known.as_ref().is_none_or(|known| known.as_bytes() != text);
    file.files
        .retain(|(path, text)| path.as_str() != FILE || is_new(text));
    writes.files.append(&mut file.files);
    writes
}

fn subjects(subjects: &[String]) -> Result<&[String], ServiceError> {
    match subjects.is_empty() {
        false => Ok(subjects),
        true => {
            let message = "failed to change the prompt window: no symbol is given";
            Err(WireError::new(ErrorCode::InvalidRequest, message).into())
        }
    }
}

fn require_work_tree(workspace: &Workspace) -> Result<(), ServiceError> {
    match workspace.repo()?.work_dir() {
        Some(_) => Ok(()),
        None => Err(FreshError::NoWorkTree.into()),
    }
}
