//! Code that names a type which goes out of another one, or into one: it gets another qualifier.

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_syntax::{FileFacts, text::decode};

use super::{Changes, Nesting, new_text};
use crate::{
    EditError,
    identifier::bare,
    member::insertion,
    move_member::Naming,
    move_type::{namespaces_at, qualifier_before},
    text_edit::TextEdit,
    usings::{any_facts, is_qualified},
};

/// Adds the edits of code that names the type.
///
/// # Errors
/// [`EditError::Refused`] for names behind something else than plain names; those of the index.
pub(super) fn add(
    views: &[(&Viewpoint<'_>, &Symbols)],
    nesting: &Nesting<'_>,
    changes: &mut Changes,
) -> Result<(), EditError> {
    let (view, symbols) = views[0];
    for (path, ranges) in nesting.located.uses(views)? {
        let Some(file) = view.snapshot().file(&path)? else {
            continue;
        };
        let Some(facts) = any_facts(symbols, &path, &file.projects)? else {
            continue;
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let text = source.as_str();
        for range in ranges {
            let place = Place {
                nesting,
                path: &path,
                facts: &facts,
                text,
                range,
            };
            place.add(changes)?;
        }
    }
    Ok(())
}

/// A name of the type.
struct Place<'p> {
    nesting: &'p Nesting<'p>,
    path: &'p RepoPath,
    facts: &'p FileFacts,
    text: &'p str,
    range: ByteRange,
}

impl Place<'_> {
    fn add(&self, changes: &mut Changes) -> Result<(), EditError> {
        let start = self.range.start;
        let token = bare(self.text.get(self.range.as_usize()).unwrap_or_default());
        let name = self.nesting.declaration().name();
        if token != name && name.strip_suffix("Attribute") != Some(&token) {
            return Ok(());
        }
        let Some((edit, needs_import)) = self.edit()? else {
            return Ok(());
        };
        if let Some(edit) = edit {
            (changes.requalified).insert((self.path.clone(), start));
            match self.nesting.is_inside(self.path, start) {
                true => changes.inside.insert(edit),
                false => {
                    let edits = changes.edits.entry(self.path.clone()).or_default();
                    edits.insert(edit)
                }
            };
        }
        let namespace = &self.nesting.new.namespace;
        let around = namespaces_at(self.facts, start);
        let is_seen = namespace.is_empty() || around.contains(namespace);
        if needs_import && !is_seen && !self.nesting.is_inside(self.path, start) {
            let imports = changes.imports.entry(self.path.clone()).or_default();
            imports.insert(namespace.clone());
        }
        Ok(())
    }

    /// The edit of the name, if one is needed, and whether the namespace has to be seen there; `None` where all stays.
    fn edit(&self) -> Result<Option<(Option<TextEdit>, bool)>, EditError> {
        let start = self.range.start;
        let nesting = self.nesting;
        let before = qualifier_before(self.text, start);
        if before.is_none() && is_qualified(self.text, start) {
            return Err(self.refused());
        }
        // What its own code and that of the type around it find by the simple name.
        let is_found = nesting.is_inside(self.path, start)
            || nesting.is_in_target(self.path, start) && !self.is_in_directive();
        let Some(range) = before else {
            if is_found {
                return Ok(None);
            }
            return Ok(Some(match nesting.target {
                None if self.is_full() => {
                    let edit = insertion(start as usize, self.qualifier(""));
                    (Some(edit), false)
                }
                None => (None, true),
                Some(_) => {
                    let edit = insertion(start as usize, self.qualifier(""));
                    (Some(edit), !self.is_full())
                }
            }));
        };
        let written = &self.text[range.as_usize()];
        if !written.starts_with(|it: char| it == '_' || it == '@' || it.is_alphabetic()) {
            return Err(self.refused());
        }
        let qualifier = self.qualifier(written);
        let is_simple = !self.has_namespace(written) && !self.is_full();
        Ok(Some((Some(new_text(range, qualifier)), is_simple)))
    }

    fn refused(&self) -> EditError {
        let line = LineTable::new(self.text.as_bytes())
            .position(self.range.start)
            .line;
        let reason = format!("{}:{line}: it is not named by plain names there", self.path);
        self.nesting
            .refused(reason, "name it with its full name there first")
    }

    fn is_in_directive(&self) -> bool {
        let mut usings = self.facts.usings.iter();
        usings.any(|using| using.range.contains(self.range.start))
    }

    /// Whether the full name is written.
    fn is_full(&self) -> bool {
        self.nesting.naming == Naming::Full || self.is_in_directive()
    }

    /// The names before the type that are those of its namespace; `None` where they are others.
    fn namespace_of<'w>(&self, written: &'w str) -> Option<&'w str> {
        let names = written.trim_end().trim_end_matches('.');
        let old = &self.nesting.old;
        let outer = match old.path.rsplit_once('.') {
            Some((outer, _)) => outer,
            None => "",
        };
        let rest = match outer {
            "" => names,
            outer => names.strip_suffix(outer)?,
        };
        let rest = rest.trim_end_matches('.');
        let plain = rest.strip_prefix("global::").unwrap_or(rest);
        let is_end = old.namespace == plain
            || plain.is_empty()
            || (old.namespace.strip_suffix(plain)).is_some_and(|it| it.ends_with('.'));
        is_end.then_some(rest)
    }

    fn has_namespace(&self, written: &str) -> bool {
        self.namespace_of(written).is_some_and(|it| !it.is_empty())
    }

    /// What is written before the name of the type.
    fn qualifier(&self, written: &str) -> String {
        let new = &self.nesting.new;
        let outer = match new.path.rsplit_once('.') {
            Some((outer, _)) => format!("{outer}."),
            None => String::new(),
        };
        let namespace = match new.namespace.as_str() {
            "" => String::new(),
            namespace => format!("{namespace}."),
        };
        let is_global = written.starts_with("global::");
        if is_global {
            return format!("global::{namespace}{outer}");
        }
        if self.is_full() {
            return match namespace.is_empty() {
                true => format!("global::{outer}"),
                false => format!("{namespace}{outer}"),
            };
        }
        match (self.namespace_of(written), self.nesting.target) {
            (Some(kept), None) if !kept.is_empty() => format!("{kept}."),
            (Some(kept), Some(_)) if !kept.is_empty() => format!("{namespace}{outer}"),
            _ => outer,
        }
    }
}
