//! Using directives: one is added, or those of files are put in order and the ones that nothing needs go.
//!
//! Owns: which directives are where, and what is written. Must not know: whether code means the same afterwards
//! ([`crate::proof`]).

mod add;
mod directives;
mod needed;
mod order;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};
use cortex_syntax::{DeclId, FileFacts, UsingKind};
use cortex_wire::{EditKind, LeftAloneReason};

pub use add::AddUsing;
pub(crate) use add::plan_add_using;
pub(crate) use directives::{Directives, with_imports};
pub(crate) use needed::{imported_everywhere, is_qualified};

use crate::{
    EditError,
    conflicts::Locals,
    draft::Draft,
    plan::{FilePlan, Plan},
    text_edit::TextEdits,
    usings::{needed::Needed, order::Order},
};

/// Using directives of files are put in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrganizeUsings<'r> {
    /// The files, or folders of them, by path.
    pub paths: &'r [String],
    /// Whether those that nothing needs stay.
    pub keeps_unneeded: bool,
    /// Whether their order stays.
    pub keeps_order: bool,
}

const DOING: &str = "organize usings";

fn refused(reason: impl Into<String>) -> EditError {
    EditError::Refused {
        doing: DOING.to_owned(),
        reason: reason.into(),
        help: Vec::new(),
    }
}

/// Plans to organize usings. `whole`: files whose directives all stay, because something would mean something else.
///
/// # Errors
/// [`EditError::Refused`] for paths of no C# file, [`EditError::NoChange`]; those of the index.
pub(crate) fn plan_organize(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &OrganizeUsings<'_>,
    whole: &BTreeSet<RepoPath>,
) -> Result<Draft, EditError> {
    let (view, symbols) = views[0];
    let paths = files_at(view, request.paths)?;
    let mut reader = view.blobs();
    let mut configs = order::Configs::default();
    let mut edits = BTreeMap::new();
    let mut left_alone = BTreeMap::new();
    for path in &paths {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        let Some(facts) = any_facts(symbols, path, &file.projects)? else {
            left_alone.insert(path.clone(), LeftAloneReason::NotCompiled);
            continue;
        };
        if facts.usings.is_empty() {
            continue;
        }
        if facts.is_degraded() {
            left_alone.insert(path.clone(), LeftAloneReason::Degraded);
            continue;
        }
        let bytes = reader.read_blob(file.blob)?;
        let source = cortex_syntax::text::decode(&bytes);
        let text = source.as_str();
        let runs = runs(text, &facts);
        if runs.is_empty() {
            continue;
        }
        let needed = match request.keeps_unneeded || whole.contains(path) {
            true => Needed::All(LeftAloneReason::ChangedMeaning),
            false => needed::of_file(views, path, text)?,
        };
        if let (Needed::All(reason), false) = (&needed, request.keeps_unneeded) {
            left_alone.insert(path.clone(), *reason);
        }
        let order = match request.keeps_order {
            true => None,
            false => Some(Order::of(configs.of(view, path)?, &runs)),
        };
        let mut of_file = Vec::new();
        let mut seen = BTreeSet::new();
        for run in &runs {
            of_file.extend(order::organized(text, run, &needed, order, &mut seen));
        }
        if !of_file.is_empty() {
            let of_file = TextEdits::new(of_file).expect("directives do not overlap");
            edits.insert(path.clone(), of_file);
        }
    }
    let plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    if plan.files.values().all(FilePlan::is_same) {
        return Err(nothing_to_do(&left_alone));
    }
    Ok(Draft {
        kind: EditKind::OrganizeUsings,
        title: match request.paths {
            [path] => format!("organize the usings of `{path}`"),
            paths => format!("organize the usings of {} paths", paths.len()),
        },
        subject: None,
        n_family: 0,
        names: BTreeSet::new(),
        locals: Locals::Kept,
        old_name: None,
        left_alone,
        plan,
    })
}

/// Nothing changes: because all is in order, or because of files that cannot be decided about.
fn nothing_to_do(left_alone: &BTreeMap<RepoPath, LeftAloneReason>) -> EditError {
    if left_alone.is_empty() {
        return EditError::NoChange {
            doing: DOING.to_owned(),
        };
    }
    let shown = left_alone.iter().take(MAX_SHOWN);
    let help =
        shown.map(|(path, reason)| format!("`{path}` keeps its directives: {}", reason.words()));
    EditError::Refused {
        doing: DOING.to_owned(),
        reason: match left_alone.len() {
            1 => "nothing else is to do, and one file is left alone".to_owned(),
            n => format!("nothing else is to do, and {n} files are left alone"),
        },
        help: help.collect(),
    }
}

/// So many files that are left alone are named where nothing changes.
const MAX_SHOWN: usize = 5;

/// The C# files of a side that are called so or are below folders that are.
pub(crate) fn files_at(
    view: &Viewpoint<'_>,
    paths: &[String],
) -> Result<BTreeSet<RepoPath>, EditError> {
    let mut found = BTreeSet::new();
    let mut all = None;
    for text in paths {
        let path = RepoPath::from(text.trim_start_matches("./").trim_end_matches('/'));
        if view.snapshot().file(&path)?.is_some() {
            found.insert(path);
            continue;
        }
        if all.is_none() {
            all = Some(view.snapshot().files()?);
        }
        let prefix = match path.as_str() {
            "" | "." => String::new(),
            folder => format!("{folder}/"),
        };
        let below = (all.iter().flatten()).filter(|file| file.path.as_str().starts_with(&prefix));
        let n_before = found.len();
        found.extend(below.map(|file| file.path.clone()));
        if found.len() == n_before {
            return Err(refused(format!(
                "`{text}` is no C# file, and no folder with one"
            )));
        }
    }
    Ok(found)
}

/// The facts of a file inside one of its projects.
pub(crate) fn any_facts(
    symbols: &Symbols,
    path: &RepoPath,
    projects: &[RepoPath],
) -> Result<Option<FileFacts>, EditError> {
    for project in projects.iter().filter_map(|it| symbols.project_index(it)) {
        if let Some(facts) = symbols.facts(path, project, cortex_syntax::Sections::All)? {
            return Ok(Some(facts));
        }
    }
    Ok(None)
}

/// A using directive that has lines to itself.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Directive {
    /// The directive.
    range: ByteRange,
    /// Its line with the line end.
    line: ByteRange,
    /// What it brings in.
    import: Import,
    /// Whether an `#if` decides about it.
    is_conditional: bool,
}

/// What a directive brings in, as written, without white space and `global::`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Import {
    /// The types of a namespace.
    Namespace(String),
    /// Members of a type.
    Static(String),
    /// Another name for a type or namespace.
    Alias {
        /// The name.
        name: String,
        /// What it means.
        target: String,
    },
}

impl Import {
    /// Reads a directive, or what stands between `using` and `;` in one.
    fn read(text: &str) -> Self {
        let text = text.trim().trim_end_matches(';').trim();
        let text = text.strip_prefix("using ").unwrap_or(text).trim();
        let plain = |text: &str| -> String {
            let text: String = text.chars().filter(|it| !it.is_whitespace()).collect();
            text.strip_prefix("global::")
                .map(str::to_owned)
                .unwrap_or(text)
        };
        if let Some((name, target)) = text.split_once('=') {
            return Self::Alias {
                name: plain(name),
                target: plain(target),
            };
        }
        match text.strip_prefix("static ") {
            Some(ty) => Self::Static(plain(ty)),
            None => Self::Namespace(plain(text)),
        }
    }
}

/// Directives on one line after another, of one namespace declaration or of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Run {
    scope: Option<DeclId>,
    directives: Vec<Directive>,
    /// Whether all code of the file that sees them is inside of one of these namespaces anyway.
    around: Vec<String>,
}

/// The runs of a file, by position. Directives that share a line, have a comment behind them, are `global` or name an
/// assembly are in none.
fn runs(text: &str, facts: &FileFacts) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for using in &facts.usings {
        if using.global || matches!(using.kind, UsingKind::ExternAlias(_)) {
            continue;
        }
        let Some(directive) = directive(text, using.range) else {
            continue;
        };
        match runs.last_mut() {
            Some(run)
                if run.scope == using.scope
                    && run
                        .directives
                        .last()
                        .is_some_and(|last| last.line.end == directive.line.start) =>
            {
                run.directives.push(directive);
            }
            _ => runs.push(Run {
                scope: using.scope,
                directives: vec![directive],
                around: namespaces_around(facts, using.scope),
            }),
        }
    }
    runs
}

/// The directive at a range, where it is alone on its line.
fn directive(text: &str, range: ByteRange) -> Option<Directive> {
    let (start, end) = (range.start as usize, range.end as usize);
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_start = match text[line_start..].strip_prefix('\u{feff}') {
        Some(_) => line_start + '\u{feff}'.len_utf8(),
        None => line_start,
    };
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let directive = &text[start..end];
    let is_alone =
        text[line_start..start].trim().is_empty() && text[end..line_end].trim().is_empty();
    let is_plain =
        !directive.contains("/*") && !directive.contains("//") && !directive.contains('\n');
    if !is_alone || !is_plain {
        return None;
    }
    Some(Directive {
        range,
        line: ByteRange {
            start: line_start as u32,
            end: line_end as u32,
        },
        import: Import::read(directive),
        is_conditional: is_conditional(before),
    })
}

/// Whether an `#if` that is not closed stands in a text of directives and comments.
pub(crate) fn is_conditional(before: &str) -> bool {
    let mut depth = 0_usize;
    for line in before.lines() {
        let Some(word) = line.trim_start().strip_prefix('#') else {
            continue;
        };
        match word.trim_start() {
            it if it.starts_with("if") => depth += 1,
            it if it.starts_with("endif") => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth > 0
}

/// Whether an `#if` decides about a directive of a file.
pub(crate) fn has_conditional(text: &str, facts: &FileFacts) -> bool {
    let mut usings = facts.usings.iter();
    usings.any(|it| is_conditional(&text[..it.range.start as usize]))
}

/// The namespaces that all declarations which see directives of a scope are inside of, the outermost first.
fn namespaces_around(facts: &FileFacts, scope: Option<DeclId>) -> Vec<String> {
    let name_of = |mut id: DeclId| {
        let mut parts = Vec::new();
        loop {
            let decl = &facts.decls[id as usize];
            parts.push(facts.name(decl.name).to_owned());
            match decl.parent {
                Some(parent) => id = parent,
                None => break,
            }
        }
        parts.reverse();
        parts.join(".")
    };
    let name = match scope {
        Some(scope) => name_of(scope),
        None => {
            let mut outside = (0..facts.decls.len() as DeclId)
                .filter(|&id| facts.decls[id as usize].parent.is_none());
            match (outside.next(), outside.next()) {
                (Some(only), None)
                    if facts.decls[only as usize].kind == cortex_model::DeclKind::Namespace
                        && facts.assembly_attributes.is_empty() =>
                {
                    name_of(only)
                }
                _ => return Vec::new(),
            }
        }
    };
    let mut out = Vec::new();
    for (at, _) in name.match_indices('.') {
        out.push(name[..at].to_owned());
    }
    out.push(name);
    out
}
