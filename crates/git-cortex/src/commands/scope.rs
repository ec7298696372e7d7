//! `git cortex scope`.

mod invalid;
mod render;

use std::{io::Read, process::ExitCode};

use anyhow::Context;
use cortex_git::Repository;
use cortex_index::{Index, IndexedSide};
use cortex_look::{QueryError, Scopes, lines_of};
use cortex_model::RepoPath;
use cortex_scope::{
    CallerContext, Counted, FailureMode, REPOSITORY, ScopeDescriptor, ScopeRequest, describe,
    infix, validate_pattern, written_url,
};
use serde_json::Value;

use crate::{
    arguments::{
        Global, ReportFormat,
        scope::{Choice, Lines, Missing, Scope, ScopeCommand},
    },
    commands::{print_exact, print_json, print_text},
    failure::Failure,
    progress::Bar,
    session::{self, Depth},
};

pub(crate) use invalid::Invalid;

/// How many files an answer in JSON has unless it says otherwise.
const PAGE: usize = 1_000;

pub(crate) fn run(global: &Global, options: &Scope) -> Result<ExitCode, Failure> {
    let format = options.format;
    match &options.command {
        ScopeCommand::List { at } => {
            let catalog = with_side(global, at.as_deref(), Depth::Graph, |index, side, bar| {
                let context = CallerContext::default();
                Scopes::open(index, side, context, bar)?.catalog()
            })?;
            match format {
                ReportFormat::Json => print_json(&render::catalog_json(&catalog)),
                ReportFormat::Text => {
                    print_text(&render::catalog_text(&catalog))?;
                    for message in &catalog.diagnostics {
                        warn(global, message);
                    }
                    Ok(ExitCode::SUCCESS)
                }
            }
        }
        ScopeCommand::Validate { pattern } => {
            let report = validate_pattern(pattern);
            if !report.valid {
                return Err(Invalid::pattern(pattern, report).into());
            }
            match format {
                ReportFormat::Json => print_json(&render::value(&report)),
                ReportFormat::Text => {
                    let normal = report.normalized.unwrap_or_default();
                    print_text(&format!("{normal}\n"))?;
                    Ok(ExitCode::SUCCESS)
                }
            }
        }
        ScopeCommand::Describe { scope } => {
            let (text, request) = read(global, scope)?;
            let descriptor = describe(&request).map_err(|faults| Invalid::scope(&text, faults))?;
            warn_all(global, format, &descriptor);
            match format {
                ReportFormat::Json => print_json(&render::value(&descriptor)),
                ReportFormat::Text => {
                    print_text(&render::descriptor_text(&descriptor))?;
                    Ok(ExitCode::SUCCESS)
                }
            }
        }
        ScopeCommand::Resolve(choice) => {
            let (text, request) = asked(global, choice)?;
            let depth = depth(choice, &request);
            let resolved = with_side(global, choice.at.as_deref(), depth, |index, side, bar| {
                let context = context(choice, index, side)?;
                let asked = (&request, Counted::All);
                Scopes::open_for(asked, index, side, context, bar)?.resolve(&request)
            })?;
            let resolved = resolved.map_err(|faults| Invalid::scope(&text, faults))?;
            warn_all(global, format, &resolved.descriptor);
            match format {
                ReportFormat::Json => print_json(&render::resolved_json(&resolved)),
                ReportFormat::Text => {
                    print_text(&render::resolved_text(&resolved))?;
                    Ok(ExitCode::SUCCESS)
                }
            }
        }
        ScopeCommand::Files {
            choice,
            contains,
            offset,
            limit,
            null,
        } => {
            let (text, request) = asked(global, choice)?;
            let limit = limit.unwrap_or(match format {
                ReportFormat::Json => PAGE,
                ReportFormat::Text => usize::MAX,
            });
            let depth = depth(choice, &request);
            let found = with_side(global, choice.at.as_deref(), depth, |index, side, bar| {
                let context = context(choice, index, side)?;
                let asked = (&request, Counted::All);
                let scopes = Scopes::open_for(asked, index, side, context, bar)?;
                let resolved = match scopes.resolve(&request)? {
                    Ok(resolved) => resolved,
                    Err(faults) => return Ok(Err(faults)),
                };
                let files = match contains {
                    None => scopes.files_of(&resolved.scope, *offset, limit)?,
                    Some(path) => {
                        let url = url_of(index, path)?;
                        scopes.part_of(&resolved.scope, &url)?.into_iter().collect()
                    }
                };
                Ok(Ok((resolved, files)))
            })?;
            let (resolved, files) = found.map_err(|faults| Invalid::scope(&text, faults))?;
            warn_all(global, format, &resolved.descriptor);
            let is_absent = contains.is_some() && files.is_empty();
            match format {
                ReportFormat::Json if contains.is_some() => {
                    print_json(&render::contains_json(&resolved, &files))?;
                }
                ReportFormat::Json => {
                    print_json(&render::files_json(&resolved, &files, *offset))?;
                }
                ReportFormat::Text if *null => print_exact(&render::files_null(&files))?,
                ReportFormat::Text => print_text(&render::files_text(&files))?,
            }
            Ok(match is_absent {
                true => ExitCode::FAILURE,
                false => ExitCode::SUCCESS,
            })
        }
    }
}

/// Opens the repository and asks something of one side of it.
fn with_side<T>(
    global: &Global,
    at: Option<&str>,
    depth: Depth,
    ask: impl Fn(&Index, &IndexedSide, &Bar) -> Result<T, QueryError>,
) -> Result<T, Failure> {
    let (answer, index) = session::with_side(global, at, depth, ask)?;
    session::settle(&index, global);
    Ok(answer)
}

/// What a question about the files of a scope is about.
fn depth(choice: &Choice, request: &ScopeRequest) -> Depth {
    match choice.selection.is_empty() {
        true => Depth::of(Some(request), Counted::All),
        false => Depth::Graph,
    }
}

/// The scope that the arguments choose, with how it was written.
fn asked(global: &Global, choice: &Choice) -> Result<(String, ScopeRequest), Failure> {
    let (text, mut request) = read(global, &choice.scope)?;
    if let Some(missing) = choice.missing {
        let mode = match missing {
            Missing::Fail => FailureMode::Fail,
            Missing::Empty => FailureMode::EmptyScope,
            Missing::Skip => FailureMode::Skip,
        };
        request.strict = mode == FailureMode::Fail;
        request.non_strict_default_failure_mode = mode;
    }
    Ok((text, request))
}

/// Reads an expression, or a program or descriptor in JSON; `-` stands for standard input. Paths of an expression that
/// start with `./` or `../` are from the current folder; those of a program travel.
pub(crate) fn read(global: &Global, text: &str) -> Result<(String, ScopeRequest), Failure> {
    let mut text = text.to_owned();
    if text == "-" {
        text.clear();
        let read = std::io::stdin().read_to_string(&mut text);
        read.context("read a scope from standard input")?;
    }
    let text = text.trim().to_owned();
    let request = if text.starts_with('{') {
        program(&text).map_err(|error| Invalid::program(&error))?
    } else {
        // Only where it may matter: a scope can be described outside of a repository.
        let folder = match text.contains("./") || text.contains("(.") || text.contains("..") {
            true => session::repository(global).map_or(String::new(), |repo| folder_in(&repo)),
            false => String::new(),
        };
        infix::compile_in(&text, &folder).map_err(|error| Invalid::expression(&text, &error))?
    };
    Ok((text, request))
}

/// Reads a program, or a descriptor of one.
fn program(text: &str) -> Result<ScopeRequest, String> {
    let read = |error: serde_json::Error| error.to_string();
    let value: Value = serde_json::from_str(text).map_err(read)?;
    match value.get("version") {
        None => serde_json::from_str(text).map_err(read),
        Some(version) if *version == ScopeDescriptor::VERSION => {
            let descriptor: Result<ScopeDescriptor, _> = serde_json::from_str(text);
            descriptor.map(ScopeRequest::from).map_err(read)
        }
        Some(version) => Err(format!(
            "version {version} of the form is not known, but {}",
            ScopeDescriptor::VERSION
        )),
    }
}

/// The same where a scope is given: its text, for errors, and what it asks for.
pub(crate) fn read_some(
    global: &Global,
    text: Option<&str>,
) -> Result<(String, Option<ScopeRequest>), Failure> {
    match text {
        None => Ok((String::new(), None)),
        Some(text) => {
            let (text, request) = read(global, text)?;
            Ok((text, Some(request)))
        }
    }
}

/// An error of a question that is limited to a scope: what is wrong with the scope is told by its text.
pub(crate) fn told(failure: Failure, text: &str) -> Failure {
    match failure.cause::<QueryError>() {
        Some(QueryError::Scope(faults)) => Invalid::scope(text, faults.clone()).into(),
        _ => failure,
    }
}

/// What an editor would tell, from the arguments.
fn context(
    choice: &Choice,
    index: &Index,
    side: &IndexedSide,
) -> Result<CallerContext, QueryError> {
    let mut selection = Vec::new();
    for Lines { path, first, last } in &choice.selection {
        let url = url_of(index, path)?;
        let path_in = RepoPath::from(url.strip_prefix(REPOSITORY).unwrap_or(path));
        // Of a file that is not there nothing is selected; that it is not there is told with its URL.
        let range = lines_of(index, side, &path_in, *first..=*last)?;
        selection.push((url, range.unwrap_or_default()));
    }
    let urls = |paths: &[String]| -> Result<Vec<String>, QueryError> {
        paths.iter().map(|path| url_of(index, path)).collect()
    };
    let open = urls(&choice.open)?;
    let current = choice.current.iter().map(|path| url_of(index, path));
    Ok(CallerContext {
        open_files: (!open.is_empty()).then_some(open),
        current_file: current.into_iter().next().transpose()?,
        selection: (!selection.is_empty()).then_some(selection),
        ..CallerContext::default()
    })
}

/// The URL of a path as it is written on the command line.
fn url_of(index: &Index, path: &str) -> Result<String, QueryError> {
    written_url(path, &folder_in(&index.repo))
        .ok_or_else(|| QueryError::NoSuchFile(format!("`{path}` leads out of the repository")))
}

/// The current folder, as a path in the repository; its root where the current folder is elsewhere.
fn folder_in(repo: &Repository) -> String {
    let folder = repo.prefix().and_then(|folder| folder.to_str());
    folder.unwrap_or_default().replace('\\', "/")
}

/// Warnings are part of an answer in JSON.
fn warn_all(global: &Global, format: ReportFormat, descriptor: &ScopeDescriptor) {
    if format == ReportFormat::Text {
        for diagnostic in &descriptor.diagnostics {
            warn(global, &diagnostic.to_string());
        }
    }
}

pub(crate) fn warn(global: &Global, message: &str) {
    if !global.quiet {
        anstream::eprintln!("warning: {}", crate::harmless::in_text(message));
    }
}
