//! `add-using`: one directive more, where the file would have it.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};
use cortex_semantics::ProjectId;
use cortex_syntax::{DeclId, FileFacts, UsingKind, text::decode};
use cortex_wire::{EditKind, EditWarning, Subject, WarningReason};

use super::{
    Import, Run, any_facts, is_conditional, needed,
    order::{Configs, Order},
    runs,
};
use crate::{
    EditError,
    conflicts::Locals,
    draft::Draft,
    identifier::bare,
    located::locate,
    plan::Plan,
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// A file gets a using directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddUsing<'r> {
    /// The file by its path, or a symbol that it declares.
    pub at: &'r str,
    /// What stands between `using` and `;`: `N`, `static T` or `A = T`.
    pub import: &'r str,
    /// The file of the declaration that is meant, where there are several.
    pub file: Option<&'r str>,
}

impl AddUsing<'_> {
    fn title(&self) -> String {
        format!("add `using {};` to `{}`", self.import.trim(), self.at)
    }

    fn refused(&self, reason: impl Into<String>, help: Vec<String>) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help,
        }
    }

    /// The directive, where it is one.
    fn directive(&self) -> Result<(String, Import), EditError> {
        let text = self.import.trim().trim_end_matches(';').trim();
        let text = text.strip_prefix("using ").unwrap_or(text).trim();
        let is_wrong =
            |it: char| matches!(it, ';' | '{' | '}' | '"' | '\'' | '/' | '#') || it.is_control();
        if text.is_empty() || text.contains(is_wrong) {
            let help = "give a namespace, `static` and a type, or a name, `=` and a type";
            return Err(self.refused("that is nothing to import", vec![help.to_owned()]));
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let import = Import::read(&text);
        Ok((format!("using {text};"), import))
    }
}

/// Plans a directive.
///
/// # Errors
/// [`EditError::Refused`] for what is none, and where one is in force already; those of the index.
pub(crate) fn plan_add_using(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &AddUsing<'_>,
) -> Result<(Draft, Option<EditWarning>), EditError> {
    let (view, symbols) = views[0];
    let (directive, import) = request.directive()?;
    let (path, subject) = file_of(view, symbols, request)?;
    let not_compiled = || request.refused(format!("no project compiles `{path}`"), Vec::new());
    let file = view.snapshot().file(&path)?.ok_or_else(not_compiled)?;
    let facts = any_facts(symbols, &path, &file.projects)?.ok_or_else(not_compiled)?;
    let bytes = view.blobs().read_blob(file.blob)?;
    let source = decode(&bytes);
    let text = source.as_str();
    let runs = runs(text, &facts);
    let is_there = (facts.usings.iter())
        .filter(|using| !matches!(using.kind, UsingKind::ExternAlias(_)))
        .find(|using| {
            let written = text.get(using.range.as_usize()).unwrap_or_default();
            let written = written.strip_prefix("global ").unwrap_or(written);
            !is_conditional(&text[..using.range.start as usize]) && Import::read(written) == import
        });
    if is_there.is_some() {
        return Err(EditError::NoChange {
            doing: request.title(),
        });
    }
    if let Import::Namespace(name) = &import
        && needed::everywhere(views, &path)?.contains(name)
    {
        let reason = "every project that compiles it imports the namespace everywhere already";
        return Err(request.refused(reason, Vec::new()));
    }
    let order = Order::of(Configs::default().of(view, &path)?, &runs);
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let edit = match beside(text, &runs, (&directive, &import), (order, line_end)) {
        Some(edit) => edit,
        None => first_one(text, &facts, &directive, line_end)
            .map_err(|reason| request.refused(reason, Vec::new()))?,
    };
    let edits = TextEdits::new(vec![edit]).expect("there is one edit");
    let warning = match is_known(views, &path, &import)? {
        true => None,
        false => Some(unknown(text, &path, &edits, &directive)),
    };
    let edits = BTreeMap::from([(path, edits)]);
    let plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    let draft = Draft {
        kind: EditKind::AddUsing,
        title: request.title(),
        subject,
        n_family: 0,
        names: match &import {
            Import::Alias { name, .. } => BTreeSet::from([bare(name)]),
            _ => BTreeSet::new(),
        },
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    };
    Ok((draft, warning))
}

/// Whether some project that compiles a file sees the namespace that is imported. What is imported of types is bound.
fn is_known(
    views: &[(&Viewpoint<'_>, &Symbols)],
    path: &RepoPath,
    import: &Import,
) -> Result<bool, EditError> {
    let Import::Namespace(name) = import else {
        return Ok(true);
    };
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        let mut projects = file
            .projects
            .iter()
            .filter_map(|it| symbols.project_index(it));
        let is_seen = symbols.read(|compilation| {
            let name = compilation.name(name);
            Ok(projects.any(|it| compilation.has_namespace(name, ProjectId::new(it))))
        })?;
        if is_seen {
            return Ok(true);
        }
    }
    Ok(false)
}

fn unknown(text: &str, path: &RepoPath, edits: &TextEdits, directive: &str) -> EditWarning {
    let at = edits
        .all()
        .first()
        .map_or(0, |edit| edit.range.start as usize);
    let written = edits.all().first().map_or("", |edit| edit.text.as_str());
    let before = written.split(directive).next().unwrap_or_default();
    let n_lines = text[..at].matches('\n').count() + before.matches('\n').count();
    EditWarning {
        file: path.clone(),
        line: n_lines as u32 + 1,
        name: directive.to_owned(),
        reason: WarningReason::NotFound,
    }
}

/// The file that gets the directive.
fn file_of(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    request: &AddUsing<'_>,
) -> Result<(RepoPath, Option<Subject>), EditError> {
    let at = request.at.trim_start_matches("./");
    if !at.to_ascii_lowercase().ends_with(".cs") {
        let doing = || request.title();
        let located = locate(view, symbols, at, &doing)?;
        let path = located.one(request.file, &doing)?.path.clone();
        return Ok((path, Some(located.subject)));
    }
    let path = RepoPath::from(at);
    if view.snapshot().file(&path)?.is_some() {
        return Ok((path, None));
    }
    let files = view.snapshot().files()?;
    let is_end = |path: &RepoPath| {
        path.as_str()
            .strip_suffix(at)
            .is_some_and(|rest| rest.ends_with('/'))
    };
    let mut matching: Vec<RepoPath> = files
        .into_iter()
        .map(|file| file.path)
        .filter(is_end)
        .collect();
    match matching.len() {
        1 => Ok((matching.remove(0), None)),
        0 => Err(request.refused("there is no such C# file", Vec::new())),
        n => {
            let names: Vec<String> = matching
                .iter()
                .take(10)
                .map(|it| format!("`{it}`"))
                .collect();
            let help = format!("name one of {}", names.join(", "));
            Err(request.refused(format!("{n} files are called so"), vec![help]))
        }
    }
}

/// The edit that writes a directive among those that are there.
pub(super) fn beside(
    text: &str,
    runs: &[Run],
    (directive, import): (&str, &Import),
    (order, line_end): (Order, &str),
) -> Option<TextEdit> {
    // The first scope that has any: where the directives of a file are inside of its namespace, this one is as well.
    let scope: Option<DeclId> = runs.first()?.scope;
    let all: Vec<_> = (runs.iter())
        .filter(|run| run.scope == scope)
        .flat_map(|run| &run.directives)
        .filter(|it| !it.is_conditional)
        .collect();
    let is_sorted = all.is_sorted_by(|a, b| order.compare(&a.import, &b.import).is_le());
    let before = match is_sorted {
        true => (all.iter()).rfind(|it| order.compare(&it.import, import).is_le()),
        // Behind the last one of its kind.
        false => (all.iter())
            .rfind(|it| std::mem::discriminant(&it.import) == std::mem::discriminant(import))
            .or(all.last()),
    };
    let (neighbor, is_after) = match before {
        Some(neighbor) => (neighbor, true),
        None => (all.first()?, false),
    };
    let indent = &text[neighbor.line.start as usize..neighbor.range.start as usize];
    let at = match is_after {
        true => neighbor.line.end,
        false => neighbor.line.start,
    };
    let ends_line = text[..at as usize].ends_with('\n') || at == 0 || !is_after;
    let written = match ends_line {
        true => format!("{indent}{directive}{line_end}"),
        false => format!("{line_end}{indent}{directive}"),
    };
    Some(insertion(at, written))
}

/// The edit that writes the first directive of a file: behind what stands at its top, before its first declaration.
pub(super) fn first_one(
    text: &str,
    facts: &FileFacts,
    directive: &str,
    line_end: &str,
) -> Result<TextEdit, String> {
    let mut outside = facts.usings.iter().filter(|using| using.scope.is_none());
    if let Some(last) = outside.next_back() {
        // `global using` and `extern alias` come first.
        let end = last.range.end as usize;
        let is_conditional = is_conditional(&text[..end]);
        let line = text[end..].lines().next().unwrap_or_default().trim();
        if !is_conditional && !line.is_empty() && !line.starts_with("//") {
            // Code on the same line comes after all directives.
            return Ok(insertion(end as u32, format!(" {directive}")));
        }
        if !is_conditional {
            let at = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
            let missing = if text[..at].ends_with('\n') {
                ""
            } else {
                line_end
            };
            return Ok(insertion(
                at as u32,
                format!("{missing}{directive}{line_end}"),
            ));
        }
    }
    let Top { code, comment } = top(text);
    if is_conditional(&text[..code]) {
        return Err("its code begins inside of an `#if`".to_owned());
    }
    let rest = &text[code..];
    let is_of_file = rest.starts_with("namespace") || rest.starts_with('[');
    let is_header = comment == start_of(text) && is_of_file && comment < code;
    let (at, before) = match is_header {
        // What stands at the top of the file stays there.
        true => (line_start(text, code), line_end),
        false => (line_start(text, comment.min(code)), ""),
    };
    let is_blank_behind = text[at..].starts_with(['\n', '\r']);
    let behind = if is_blank_behind { "" } else { line_end };
    Ok(insertion(
        at as u32,
        format!("{before}{directive}{line_end}{behind}"),
    ))
}

/// Where the code of a file begins.
struct Top {
    /// Its first character.
    code: usize,
    /// The first comment or directive that stands right above it, with no empty line between; `code` where none does.
    comment: usize,
}

/// Passes over comments, directives and empty lines.
fn top(text: &str) -> Top {
    let mut at = start_of(text);
    let mut comment: Option<usize> = None;
    loop {
        let rest = &text[at..];
        let white = rest.len() - rest.trim_start().len();
        if rest[..white].matches('\n').count() > usize::from(!ends_in_line_end(&text[..at])) {
            comment = None;
        }
        at += white;
        let rest = &text[at..];
        let len = if rest.starts_with("//") || rest.starts_with('#') {
            rest.find('\n').map_or(rest.len(), |at| at + 1)
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else {
            return Top {
                code: at,
                comment: comment.unwrap_or(at),
            };
        };
        if rest.starts_with('#') {
            comment = None;
        } else {
            comment.get_or_insert(at);
        }
        at += len;
    }
}

fn ends_in_line_end(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

/// Where a text begins behind the mark of its encoding.
fn start_of(text: &str) -> usize {
    text.len() - text.trim_start_matches('\u{feff}').len()
}

fn line_start(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    start.max(start_of(text))
}

fn insertion(at: u32, text: String) -> TextEdit {
    TextEdit {
        range: ByteRange { start: at, end: at },
        text,
        start: StartIs::New,
    }
}
