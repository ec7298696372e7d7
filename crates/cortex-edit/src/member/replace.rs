//! `replace-member`: a declaration becomes another one. Where both declare the same names, these keep their places, so
//! that what other code means is compared with them.

use std::collections::BTreeSet;

use cortex_model::{ByteRange, DeclKind};

use crate::{
    EditError,
    layout::{indent_at, white_of},
    located::with_docs,
    member::{
        Place,
        new_code::{Around, NewCode, Signature},
        new_text,
    },
    text_edit::{StartIs, TextEdit},
};

impl Place<'_> {
    /// Where declarations like this one stand.
    pub(super) fn around(&self) -> Around<'_> {
        match self.at.parent() {
            Some(parent) if parent.kind == DeclKind::Enum => Around::Enum,
            Some(parent) if parent.kind.type_kind().is_some() => {
                Around::Type(self.at.facts.name(parent.name))
            }
            Some(parent) if parent.kind != DeclKind::Namespace => Around::Type("C"),
            _ => Around::Namespace,
        }
    }

    /// The edits that replace a declaration, and the names of both.
    pub(super) fn replace(
        &self,
        new: &str,
    ) -> Result<(Vec<TextEdit>, BTreeSet<String>), EditError> {
        if let Some(other) = self.shares_declaration() {
            let reason = format!("it is declared together with `{other}`: declare it alone first");
            return Err(self.request.refused(reason, Vec::new()));
        }
        let around = self.around();
        let new = match around {
            Around::Enum => new.trim_end().trim_end_matches(','),
            _ => new,
        };
        let decl = self.at.decl();
        let indent = indent_at(self.text(), decl.range.start as usize);
        let laid = self.layout.laid(new, indent);
        let laid = laid.trim_start();
        let code = NewCode::read(laid, around, self.request)?;
        // Documentation stays unless the new text has its own.
        let range = match code.has_docs() {
            true => with_docs(decl),
            false => decl.range,
        };
        let old = self.old_declarations(range);
        let names =
            Self::names((old.iter().map(|(signature, _)| signature.name())).chain(code.names()));
        let new: Vec<_> = code.declarations().collect();
        Ok((around_names(range, laid, &old, &new), names))
    }

    /// What a range declares, with where the names are.
    fn old_declarations(&self, range: ByteRange) -> Vec<(Signature<'_>, ByteRange)> {
        let facts = &self.at.facts;
        let top = self.at.decl().parent;
        let inside = facts.decls.iter().enumerate().filter(|(id, decl)| {
            let is_below = *id as u32 >= self.at.id;
            is_below && decl.range.start >= range.start && decl.range.end <= range.end
        });
        inside
            .map(|(_, decl)| (Signature::of(facts, decl, top), decl.name_range))
            .collect()
    }

    /// The name of another variable of the same declaration: `int a, b;`.
    pub(crate) fn shares_declaration(&self) -> Option<&str> {
        let decl = self.at.decl();
        if !matches!(
            decl.kind,
            DeclKind::Field | DeclKind::Constant | DeclKind::Event
        ) {
            return None;
        }
        let facts = &self.at.facts;
        let neighbor = facts.decls.iter().find(|other| {
            let touches =
                other.range.end == decl.range.start || other.range.start == decl.range.end;
            let second = other.range.start.max(decl.range.start) as usize;
            let has_comma = self.text()[second..].trim_start().starts_with(',');
            touches && other.parent == decl.parent && other.kind == decl.kind && has_comma
        })?;
        Some(facts.name(neighbor.name))
    }
}

/// The edits that write a text around the names that both have, in the order of both.
fn around_names(
    range: ByteRange,
    new: &str,
    old_names: &[(Signature<'_>, ByteRange)],
    new_names: &[(Signature<'_>, std::ops::Range<usize>)],
) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let (mut old_at, mut new_at) = (range.start, 0);
    let mut from = 0;
    let mut push = |old: ByteRange, text: &str| {
        if old.start < old.end || !text.is_empty() {
            edits.push(new_text(old, text.to_owned()));
        }
    };
    let mut kept = Vec::new();
    for (signature, name) in old_names {
        let rest = &new_names[from..];
        // The same overload if there is one, or the only one of the name.
        let same = rest.iter().position(|(new, _)| new == signature);
        let alike = || {
            let is_only = |names: usize| names == 1;
            let n_old = (old_names.iter())
                .filter(|(old, _)| old.is_called_like(signature))
                .count();
            let n_new = (new_names.iter())
                .filter(|(new, _)| new.is_called_like(signature))
                .count();
            (is_only(n_old) && is_only(n_new))
                .then(|| (rest.iter()).position(|(new, _)| new.is_called_like(signature)))
                .flatten()
        };
        let Some(found) = same.or_else(alike) else {
            continue;
        };
        let new_name = rest[found].1.clone();
        from += found + 1;
        if name.start < old_at || new_name.start < new_at {
            continue;
        }
        push(
            ByteRange {
                start: old_at,
                end: name.start,
            },
            &new[new_at..new_name.start],
        );
        kept.push(TextEdit {
            range: *name,
            text: new[new_name.clone()].to_owned(),
            start: StartIs::Kept,
        });
        (old_at, new_at) = (name.end, new_name.end);
    }
    push(
        ByteRange {
            start: old_at,
            end: range.end,
        },
        &new[new_at..],
    );
    edits.extend(kept);
    edits
}

/// The white space before a text on its line, if there is nothing else.
pub(super) fn only_white_before(text: &str, offset: usize) -> bool {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    white_of(&text[start..offset]).len() == offset - start
}
