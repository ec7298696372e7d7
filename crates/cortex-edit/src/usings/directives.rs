//! Directives that a file gets and loses because of another edit.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};
use cortex_syntax::{FileFacts, text::decode};

use super::{
    Import, Run,
    add::{beside, first_one},
    any_facts, is_conditional, needed,
    order::{Configs, Order},
    runs,
};
use crate::{
    EditError,
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// The edits of files, with directives for the namespaces that each is to import. `refused`: what cannot be done, with a
/// way out that may be empty.
///
/// # Errors
/// What `refused` makes of directives behind `#if` and of edits that overlap; those of the index.
pub(crate) fn with_imports<E: IntoIterator<Item = TextEdit>>(
    views: &[(&Viewpoint<'_>, &Symbols)],
    imports: BTreeMap<RepoPath, BTreeSet<String>>,
    edits: BTreeMap<RepoPath, E>,
    refused: &dyn Fn(String, &str) -> EditError,
) -> Result<BTreeMap<RepoPath, TextEdits>, EditError> {
    let (view, symbols) = views[0];
    let mut all: BTreeMap<RepoPath, Vec<TextEdit>> = (edits.into_iter())
        .map(|(path, edits)| (path, edits.into_iter().collect()))
        .collect();
    for (path, namespaces) in imports {
        let Some(file) = view.snapshot().file(&path)? else {
            continue;
        };
        let Some(facts) = any_facts(symbols, &path, &file.projects)? else {
            continue;
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let mut directives = Directives::of(view, views, &path, source.as_str(), &facts)?;
        for namespace in &namespaces {
            directives.import(namespace);
        }
        let help = "write its using directives outside of `#if` first";
        let made = directives.edits();
        let made = made.map_err(|reason| refused(format!("{path}: {reason}"), help))?;
        all.entry(path).or_default().extend(made);
    }
    let mut out = BTreeMap::new();
    for (path, edits) in all {
        let reason = || refused(format!("two places of `{path}` that change overlap"), "");
        let edits = TextEdits::new(edits).ok_or_else(reason)?;
        if !edits.is_empty() {
            out.insert(path, edits);
        }
    }
    Ok(out)
}

/// The directives of a file, with those that come and go.
pub(crate) struct Directives<'t> {
    text: &'t str,
    facts: &'t FileFacts,
    runs: Vec<Run>,
    order: Order,
    /// What is imported into every file.
    everywhere: BTreeSet<String>,
    come: BTreeSet<String>,
    gone: BTreeSet<String>,
}

impl<'t> Directives<'t> {
    /// Those of a file.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn of(
        view: &Viewpoint<'_>,
        views: &[(&Viewpoint<'_>, &Symbols)],
        path: &RepoPath,
        text: &'t str,
        facts: &'t FileFacts,
    ) -> Result<Self, EditError> {
        let runs = runs(text, facts);
        Ok(Self {
            order: Order::of(Configs::default().of(view, path)?, &runs),
            everywhere: needed::everywhere(views, path)?,
            text,
            facts,
            runs,
            come: BTreeSet::new(),
            gone: BTreeSet::new(),
        })
    }

    /// The file is to import a namespace, unless it does.
    pub(crate) fn import(&mut self, namespace: &str) {
        let is_there = self.facts.usings.iter().any(|using| {
            let written = self.text.get(using.range.as_usize()).unwrap_or_default();
            let written = written.strip_prefix("global ").unwrap_or(written);
            let import = Import::Namespace(namespace.to_owned());
            Import::read(written) == import
                && !is_conditional(&self.text[..using.range.start as usize])
        });
        if !is_there && !namespace.is_empty() && !self.everywhere.contains(namespace) {
            self.come.insert(namespace.to_owned());
        }
    }

    /// The file goes where these namespaces are not imported into every file.
    pub(crate) fn leave(&mut self, lost: &BTreeSet<String>) {
        self.everywhere.retain(|it| !lost.contains(it));
    }

    /// The file is not to import a namespace any more.
    pub(crate) fn take_out(&mut self, namespace: &str) {
        self.gone.insert(namespace.to_owned());
    }

    /// What goes of directives that are not among those which get neighbors: global ones, and those with code on their
    /// line.
    fn others_gone(&self) -> Vec<ByteRange> {
        let text = self.text;
        let is_in_run = |range: ByteRange| {
            let mut directives = self.runs.iter().flat_map(|run| &run.directives);
            directives.any(|it| it.range == range)
        };
        let mut out = Vec::new();
        for using in &self.facts.usings {
            let (start, end) = (using.range.start as usize, using.range.end as usize);
            let written = text.get(start..end).unwrap_or_default();
            let written = written.strip_prefix("global ").unwrap_or(written);
            let is_gone = matches!(Import::read(written), Import::Namespace(name) if self.gone.contains(&name));
            if !is_gone || is_in_run(using.range) || is_conditional(&text[..start]) {
                continue;
            }
            let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
            let before = text[line_start..start].trim_start_matches('\u{feff}');
            let is_alone = before.trim().is_empty() && text[end..line_end].trim().is_empty();
            let blanks = text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
            let (start, end) = match is_alone {
                true => (start - before.len(), line_end),
                false => (start, end + blanks),
            };
            out.push(ByteRange {
                start: start as u32,
                end: end as u32,
            });
        }
        out
    }

    /// The edits that do both.
    ///
    /// # Errors
    /// Why there is no place for a directive.
    pub(crate) fn edits(self) -> Result<Vec<TextEdit>, String> {
        let line_end = match self.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        };
        let mut edits: Vec<TextEdit> = Vec::new();
        let directives = self.runs.iter().flat_map(|run| &run.directives);
        for directive in directives.filter(|it| !it.is_conditional) {
            if matches!(&directive.import, Import::Namespace(name) if self.gone.contains(name)) {
                edits.push(new_text(directive.line, String::new()));
            }
        }
        for range in self.others_gone() {
            edits.push(new_text(range, String::new()));
        }
        let mut come: Vec<Import> = self.come.into_iter().map(Import::Namespace).collect();
        come.sort_by(|a, b| self.order.compare(a, b));
        let mut first = Vec::new();
        for import in come {
            let Import::Namespace(name) = &import else {
                continue;
            };
            let directive = format!("using {name};");
            let with = (&*directive, &import);
            match beside(self.text, &self.runs, with, (self.order, line_end)) {
                Some(edit) => add(&mut edits, edit),
                None => first.push(directive),
            }
        }
        if !first.is_empty() {
            let first = first.join(line_end);
            add(
                &mut edits,
                first_one(self.text, self.facts, &first, line_end)?,
            );
        }
        Ok(edits)
    }
}

/// Adds an insertion; two at one place become one, and one at the start of what goes takes its place.
fn add(edits: &mut Vec<TextEdit>, insertion: TextEdit) {
    let at = insertion.range.start;
    let is_there = |edit: &&mut TextEdit| edit.range.start == at || edit.range.contains(at);
    match edits.iter_mut().find(is_there) {
        Some(edit) if edit.range.start == at => edit.text.push_str(&insertion.text),
        // Behind a directive that goes with the blanks before the code on its line.
        Some(edit) => edit.text = format!("{} ", insertion.text.trim()),
        None => edits.push(insertion),
    }
}

fn new_text(range: ByteRange, text: String) -> TextEdit {
    TextEdit {
        range,
        text,
        start: StartIs::New,
    }
}
