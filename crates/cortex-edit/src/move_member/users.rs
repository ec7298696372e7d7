//! Code that uses a static member which moves: it names the other type.

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, LineTable};
use cortex_syntax::text::decode;

use super::{Changes, Moving, Naming};
use crate::{
    EditError,
    identifier::bare,
    member::insertion,
    move_type::{namespaces_at, qualifier_before},
    text_edit::{StartIs, TextEdit},
    usings::{any_facts, is_qualified},
};

/// So many places are named where something is refused.
const MAX_LISTED: usize = 5;

/// Adds the edits of code that uses the member; those inside of what moves are returned.
///
/// # Errors
/// [`EditError::Refused`] for a private member that other code uses, and for uses that do not name a type; those of the
/// index.
pub(super) fn add(
    views: &[(&Viewpoint<'_>, &Symbols)],
    moving: &Moving<'_>,
    changes: &mut Changes,
) -> Result<Vec<TextEdit>, EditError> {
    let (view, symbols) = views[0];
    let from = &moving.declaration().path;
    let mut inside = Vec::new();
    let mut hidden = Vec::new();
    for (path, ranges) in moving.member.uses(views)? {
        let Some(file) = view.snapshot().file(&path)? else {
            continue;
        };
        let Some(facts) = any_facts(symbols, &path, &file.projects)? else {
            continue;
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let text = source.as_str();
        let lines = LineTable::new(text.as_bytes());
        for range in ranges {
            let token = text.get(range.as_usize()).unwrap_or_default();
            if bare(token) != moving.declaration().name() {
                continue;
            }
            let is_moved = path == *from && moving.range().contains(range.start);
            let is_in_target = moving.is_in_target(&path, range.start) || is_moved;
            let line = lines.position(range.start).line;
            if !is_in_target && is_private(moving) {
                hidden.push(format!("{path}:{line}"));
            }
            let place = Place {
                text,
                range,
                is_in_target,
            };
            let edit = place.edit(moving).map_err(|reason| {
                let help = "name the type there first";
                moving.refused(format!("{path}:{line}: {reason}"), help)
            })?;
            let Some(edit) = edit else { continue };
            changes.requalified.insert((path.clone(), range.start));
            if is_moved {
                inside.push(edit);
                continue;
            }
            let namespace = &moving.target_name.namespace;
            let is_simple = edit.text.starts_with(&moving.target_name.path);
            let around = namespaces_at(&facts, range.start);
            if is_simple && !namespace.is_empty() && !around.contains(namespace) {
                let imports = changes.imports.entry(path.clone()).or_default();
                imports.insert(namespace.clone());
            }
            changes.edits.entry(path.clone()).or_default().push(edit);
        }
    }
    if !hidden.is_empty() {
        hidden.truncate(MAX_LISTED);
        let help = format!("make it `internal` first: {} use it", hidden.join(", "));
        return Err(moving.refused("it is private, and other code uses it", &help));
    }
    Ok(inside)
}

fn is_private(moving: &Moving<'_>) -> bool {
    let written = moving.declaration().decl().accessibility;
    written.is_none_or(|it| it == cortex_model::Accessibility::Private)
}

/// A use of the member.
struct Place<'p> {
    text: &'p str,
    range: ByteRange,
    /// Whether the simple name is enough there afterwards.
    is_in_target: bool,
}

impl Place<'_> {
    /// The edit that makes it name the other type.
    fn edit(&self, moving: &Moving<'_>) -> Result<Option<TextEdit>, String> {
        let start = self.range.start;
        let Some(range) = qualifier_before(self.text, start) else {
            if is_qualified(self.text, start) {
                return Err("the member is not used through a plain name".to_owned());
            }
            return Ok(match self.is_in_target {
                true => None,
                false => Some(insertion(start as usize, written(moving, ""))),
            });
        };
        let before = &self.text[range.as_usize()];
        if !before.starts_with(|it: char| it == '_' || it == '@' || it.is_alphabetic()) {
            return Err("the member is not used through a plain name".to_owned());
        }
        let text = match self.is_in_target {
            true => String::new(),
            false => written(moving, before),
        };
        Ok(Some(TextEdit {
            range,
            text,
            start: StartIs::New,
        }))
    }
}

/// The other type as code names it that wrote a qualifier before.
fn written(moving: &Moving<'_>, before: &str) -> String {
    let n_parts = before.trim_end().trim_end_matches('.').split('.').count();
    let n_path = moving.source_name.path.split('.').count();
    let is_full = before.starts_with("global::") || n_parts > n_path;
    let name = match moving.naming {
        Naming::Simple if !is_full => moving.target_name.path.clone(),
        _ if before.starts_with("global::") => {
            let full = moving.target_name.full();
            format!("global::{}", full.trim_start_matches("global::"))
        }
        _ => moving.target_name.full(),
    };
    format!("{name}.")
}
