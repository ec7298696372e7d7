//! Directives that a file gets and loses because of another edit.

use std::collections::BTreeSet;

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};
use cortex_syntax::FileFacts;

use super::{
    Import, Run,
    add::{beside, first_one},
    is_conditional, needed,
    order::{Configs, Order},
    runs,
};
use crate::{
    EditError,
    text_edit::{StartIs, TextEdit},
};

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
    match edits.iter_mut().find(|edit| edit.range.start == at) {
        Some(edit) => edit.text.push_str(&insertion.text),
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
