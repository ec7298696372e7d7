//! A new type in a file of its own, made of parts of another one: the path and the text of the file, type parameters.
//!
//! Must not know: which members the type gets.

use std::collections::BTreeSet;

use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, RepoPath};
use cortex_syntax::{
    Decl, FileFacts,
    text::{decode, tokens},
};

use crate::{
    EditError,
    edit::{Sides, sides_of, with_symbols},
    layout::Layout,
    located::Declaration,
    plan::{FilePlan, Plan},
    text_edit::TextEdits,
    together::{sides_after, views_of},
    usings::{OrganizeUsings, has_conditional, plan_organize},
};

/// What a file in UTF-8 may begin with: a part of its text, for positions.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text of a file around the members of its only type.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// What is written before the members: license, directives, namespaces, the head of the type and its brace.
    pub(crate) opening: String,
    /// The indentation of members.
    pub(crate) inner: String,
    /// What is written behind them.
    pub(crate) closing: String,
    /// How lines end.
    pub(crate) line_end: &'static str,
}

/// What a new file takes from what stands before the directives of another one: a license, and what it says of nullable
/// types and warnings. Nothing where `#if` decides about it.
fn kept_of_header(header: &str) -> Vec<&str> {
    let directive = |line: &'_ str| -> Option<String> {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        Some(rest.chars().take_while(char::is_ascii_alphabetic).collect())
    };
    let mut kept: Vec<&str> = Vec::new();
    for line in header.lines() {
        match directive(line).as_deref() {
            None if line.trim().is_empty() && kept.last().is_none_or(|it| it.trim().is_empty()) => {
            }
            None | Some("nullable" | "pragma") => kept.push(line),
            Some("if" | "elif" | "else" | "endif") => return Vec::new(),
            Some(_) => {}
        }
    }
    while kept.last().is_some_and(|it| it.trim().is_empty()) {
        kept.pop();
    }
    kept
}

/// The text of a file around its only type.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    /// What is written before the type: license, directives, namespaces.
    pub(crate) before: String,
    /// The indentation of the type.
    pub(crate) indent: String,
    /// What is written behind it.
    pub(crate) after: String,
    /// How lines end.
    pub(crate) line_end: &'static str,
}

impl Around {
    /// Of a file for a type that stands like that of a declaration.
    pub(crate) fn new(at: &Declaration) -> Self {
        let text: &str = &at.text;
        let facts: &FileFacts = &at.facts;
        let layout = Layout::of(text, facts);
        let namespaces: Vec<&Decl> = (facts.decls.iter())
            .filter(|it| it.kind == DeclKind::Namespace && it.range.contains(at.decl().range.start))
            .collect();
        let first = (facts.usings.iter().map(|it| it.range.start))
            .chain(
                facts
                    .decls
                    .iter()
                    .map(|it| match it.doc_range.start < it.doc_range.end {
                        true => it.doc_range.start.min(it.range.start),
                        false => it.range.start,
                    }),
            )
            .min()
            .unwrap_or_default();
        let mut lines: Vec<String> = Vec::new();
        let header = text[..first as usize].trim_start_matches('\u{feff}').trim();
        let header = kept_of_header(header);
        if !header.is_empty() {
            lines.extend(header.into_iter().map(str::to_owned));
            lines.push(String::new());
        }
        let usings = |scope: Option<u32>| -> Vec<String> {
            let own = facts
                .usings
                .iter()
                .filter(|it| it.scope == scope && !it.global);
            own.map(|it| text[it.range.as_usize()].to_owned()).collect()
        };
        let outside = usings(None);
        if !outside.is_empty() {
            lines.extend(outside);
            lines.push(String::new());
        }
        let mut depth = 0;
        let mut indent = String::new();
        for namespace in &namespaces {
            let id = facts
                .decls
                .iter()
                .position(|it| std::ptr::eq(it, *namespace));
            let namespace_head = format!("{indent}namespace {}", facts.name(namespace.name));
            let written = &text[namespace.name_range.end as usize..];
            if written.trim_start().starts_with(';') {
                lines.push(format!("{namespace_head};"));
                lines.push(String::new());
            } else {
                open(&mut lines, namespace_head, &indent, &layout);
                indent = layout.deeper(&indent);
                depth += 1;
            }
            let inside = usings(id.map(|it| it as u32));
            if !inside.is_empty() {
                lines.extend(inside.into_iter().map(|it| format!("{indent}{it}")));
                lines.push(String::new());
            }
        }
        let ended = |lines: Vec<String>| {
            let lines = lines.iter().map(|it| format!("{it}{}", layout.line_end));
            lines.collect::<String>()
        };
        let before = ended(std::mem::take(&mut lines));
        for at in (0..depth).rev() {
            let mut own = String::new();
            (0..at).for_each(|_| own = layout.deeper(&own));
            lines.push(format!("{own}}}"));
        }
        Self {
            before,
            indent,
            after: ended(lines),
            line_end: layout.line_end,
        }
    }
}

impl Frame {
    /// Of a type that is declared as `head` says, like the type of a declaration. `head`: without accessibility.
    pub(crate) fn new(at: &Declaration, head: &str) -> Self {
        let Around {
            mut before,
            indent,
            after,
            line_end,
        } = Around::new(at);
        let layout = Layout::of(&at.text, &at.facts);
        let access = match at.decl().accessibility {
            Some(Accessibility::Public) => "public ",
            Some(Accessibility::Internal) => "internal ",
            _ => "",
        };
        let mut lines = Vec::new();
        open(
            &mut lines,
            format!("{indent}{access}{head}"),
            &indent,
            &layout,
        );
        for line in lines {
            before.push_str(&line);
            before.push_str(line_end);
        }
        Self {
            opening: before,
            inner: layout.deeper(&indent),
            closing: format!("{indent}}}{line_end}{after}"),
            line_end,
        }
    }
}

fn open(lines: &mut Vec<String>, head: String, indent: &str, layout: &Layout) {
    match layout.brace_on_own_line {
        true => lines.extend([head, format!("{indent}{{")]),
        false => lines.push(format!("{head} {{")),
    }
}

/// The type parameters of a type that some code names, and those that their constraints name.
pub(crate) fn type_parameters<'t>(
    at: &Declaration,
    texts: impl Iterator<Item = &'t str>,
) -> Vec<String> {
    let all: Vec<String> = (at.decl().type_params.iter())
        .map(|it| at.facts.name(it.name).to_owned())
        .collect();
    let mut named = BTreeSet::new();
    let add = |text: &str, named: &mut BTreeSet<String>| {
        let words = tokens(text.as_bytes()).into_iter();
        let words = words.map(|it| text[it.range.as_usize()].to_owned());
        named.extend(words.filter(|word| all.contains(word)));
    };
    texts.for_each(|text| add(text, &mut named));
    loop {
        let before = named.len();
        let parameters: Vec<String> = named.iter().cloned().collect();
        add(&constraints(at, &parameters), &mut named);
        if named.len() == before {
            break;
        }
    }
    all.into_iter().filter(|it| named.contains(it)).collect()
}

/// A new file, encoded as the file of a type is.
///
/// # Errors
/// Those of hashing.
pub(crate) fn made_like(
    view: &Viewpoint<'_>,
    like: &FilePlan,
    path: &RepoPath,
    text: &str,
) -> Result<FilePlan, EditError> {
    let mut bytes = match like.old_bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) {
        true => BYTE_ORDER_MARK.as_bytes().to_vec(),
        false => Vec::new(),
    };
    bytes.extend_from_slice(text.trim_start_matches(BYTE_ORDER_MARK).as_bytes());
    FilePlan::made(&view.index.repo, path.clone(), like.old.mode, bytes.into())
}

/// Why a project that compiles the file of a type would not compile a new file.
///
/// # Errors
/// Those of the index.
fn left_out(
    planned: &[(&Viewpoint<'_>, &Symbols)],
    of_type: &RepoPath,
    path: &RepoPath,
) -> Result<Option<String>, EditError> {
    for (_, symbols) in planned {
        let new = symbols.projects_of(path)?;
        let projects = symbols.projects_of(of_type)?;
        if let Some(&project) = projects.iter().find(|project| !new.contains(project)) {
            let project = &symbols.projects()[project].project.path;
            let reason = format!("`{project}` compiles the type, and would not compile `{path}`");
            return Ok(Some(reason));
        }
    }
    Ok(None)
}

/// Takes the using directives that it does not need out of the new file of a plan; returns the edits, none where it needs
/// all or nobody can tell. `of_type`: the file that the code comes from.
///
/// # Errors
/// [`EditError::Refused`] where a project that compiles that file would not compile the new one; those of the index.
pub(crate) fn organize_new_file(
    views: &Sides<'_, '_>,
    plan: &mut Plan,
    (of_type, path): (&RepoPath, &RepoPath),
    refused: &dyn Fn(String, &str) -> EditError,
    progress: &dyn Progress,
) -> Result<TextEdits, EditError> {
    let only = || views.iter().map(|(view, _)| *view);
    let sides = sides_after(only(), plan, progress)?;
    let with_file = views_of(only(), &sides);
    let planned = sides_of(&with_file)?;
    let planned = with_symbols(&planned);
    if let Some(reason) = left_out(&planned, of_type, path)? {
        let help = "let the project compile that path, or name another one";
        return Err(refused(reason, help));
    }
    let organize = OrganizeUsings {
        paths: &[path.as_str().to_owned()],
        keeps_unneeded: false,
        keeps_order: true,
    };
    let organized = match plan_organize(&planned, &organize, &BTreeSet::new()) {
        Ok(mut draft) => draft.plan.files.remove(path),
        Err(EditError::NoChange { .. } | EditError::Refused { .. }) => None,
        Err(error) => return Err(error),
    };
    let Some(organized) = organized else {
        return Ok(TextEdits::default());
    };
    let text = decode(&organized.new_bytes);
    let made = made_like(views[0].0, &plan.files[of_type], path, text.as_str())?;
    plan.files.insert(path.clone(), made);
    Ok(organized.edits)
}

/// Why code of a file cannot go to a new one as it is, and what would help; `None` where it can.
pub(crate) fn bound_to_file(at: &Declaration) -> Option<(&'static str, &'static str)> {
    if at.decl().accessibility == Some(Accessibility::File) {
        return Some(("only its own file sees it", "remove `file` first"));
    }
    if has_conditional(&at.text, &at.facts) {
        let help = "write them outside of `#if` first";
        return Some(("its file has using directives in an `#if`", help));
    }
    let n_nullable = |text: &str| {
        let lines = text.lines().map(str::trim_start);
        lines.filter(|it| it.starts_with("#nullable")).count()
    };
    if n_nullable(&at.text) != n_nullable(&Around::new(at).before) {
        let help = "write one `#nullable` at the start of the file";
        return Some(("its file changes `#nullable` on the way", help));
    }
    None
}

/// The path of the new file: the one that is asked for, or beside the type's.
pub(crate) fn new_file(at: &Declaration, name: &str, to: Option<&str>) -> RepoPath {
    let beside = |folder: &str| {
        let folder = folder.trim_end_matches('/');
        let slash = if folder.is_empty() { "" } else { "/" };
        RepoPath::from(format!("{folder}{slash}{name}.cs").as_str())
    };
    match to {
        Some(to) if to.ends_with('/') => beside(to.trim_start_matches("./")),
        Some(to) => RepoPath::from(to.trim_start_matches("./")),
        None => beside(at.path.folder()),
    }
}

/// The constraints of some type parameters, as they are written.
pub(crate) fn constraints(at: &Declaration, parameters: &[String]) -> String {
    let decl = at.decl();
    let end = match decl.body_range.start < decl.body_range.end {
        true => decl.body_range.start,
        false => decl.range.end,
    };
    let start = decl.name_range.end as usize;
    let head = &at.text[start..end as usize];
    let all = tokens(head.as_bytes());
    let word = |at: usize| &head[all[at].range.as_usize()];
    let mut out = String::new();
    let starts: Vec<usize> = (0..all.len()).filter(|&at| word(at) == "where").collect();
    for (number, &from) in starts.iter().enumerate() {
        let is_meant = from + 1 < all.len() && parameters.iter().any(|it| it == word(from + 1));
        let to = starts
            .get(number + 1)
            .map_or(head.len(), |&it| all[it].range.start as usize);
        if is_meant {
            let text = head[all[from].range.start as usize..to].trim_end();
            let text = text.trim_end_matches(['{', ';']).split_whitespace();
            out.push_str(&format!(" {}", text.collect::<Vec<_>>().join(" ")));
        }
    }
    out
}
