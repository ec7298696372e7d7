//! Members that differ between the two sides of a type.

use cortex_look::follow::pairing::{Half, Pairing, Side, is_same};
use cortex_model::{DeclKind, member_short_id};
use cortex_wire::{CodeLine, MemberChange, MemberChangeKind};

/// Gives the text of a member from where it stands before and after.
pub(crate) type MemberCode<'c> = dyn Fn(
        Option<cortex_look::follow::place::Place>,
        Option<cortex_look::follow::place::Place>,
    ) -> Vec<CodeLine>
    + 'c;

/// The changed members of a type: removed, added, then changed; each by path and line.
pub(crate) fn member_changes<'a>(
    old: Option<&'a Side<'a>>,
    new: Option<&'a Side<'a>>,
    code: &MemberCode<'_>,
) -> Vec<MemberChange> {
    let before = Side::halves(old);
    let after = Side::halves(new);
    let nodes = |halves: &[Half<'a>]| halves.iter().map(|half| half.member).collect::<Vec<_>>();
    let bodies = |halves: &[Half<'a>]| {
        let all = halves.iter();
        all.map(|half| (half.member, half.detail.impl_hash))
            .collect::<Vec<_>>()
    };
    let mut pairing = Pairing::new(&nodes(&before), &nodes(&after));
    pairing.join_renamed(&bodies(&before), &bodies(&after));
    let mut out = Vec::new();
    for at in pairing.gone {
        let half = Some(before[at]);
        out.push(change(code, MemberChangeKind::Removed, half, None));
    }
    for at in pairing.came {
        let half = Some(after[at]);
        out.push(change(code, MemberChangeKind::Added, None, half));
    }
    for (old, new) in pairing.pairs {
        let (before, after) = (before[old], after[new]);
        let kind = if !is_same(before.member, after.member) {
            MemberChangeKind::Signature
        } else if before.member.shape != after.member.shape
            || before.detail.params != after.detail.params
        {
            MemberChangeKind::Shape
        } else if before.detail.impl_hash != after.detail.impl_hash {
            MemberChangeKind::Body
        } else if before.detail.doc_hash != after.detail.doc_hash {
            MemberChangeKind::Docs
        } else {
            continue;
        };
        out.push(change(code, kind, Some(before), Some(after)));
    }
    out.sort_by(|a, b| {
        (a.change, &a.path, a.line, &a.name).cmp(&(b.change, &b.path, b.line, &b.name))
    });
    out
}

/// What differs between two shapes: attributes that came and went, and the rest where it does.
fn shape_notes(before: &str, after: &str) -> Vec<String> {
    let ((mut gone, old), (mut came, new)) = (attributes(before), attributes(after));
    gone.retain(|attribute| {
        let same = came.iter().position(|other| other == attribute);
        same.map(|at| came.remove(at)).is_none()
    });
    let mut out = Vec::new();
    for (all, what) in [(gone, "removed"), (came, "added")] {
        out.extend(all.iter().map(|attribute| format!("`{attribute}` {what}")));
    }
    if old != new {
        out.push(format!("`{old}` → `{new}`"));
    }
    out
}

/// The attributes at the start of a shape, and what follows them.
fn attributes(shape: &str) -> (Vec<&str>, &str) {
    let (mut out, mut rest) = (Vec::new(), shape);
    while rest.starts_with('[') {
        let (mut depth, mut is_text, mut is_escaped) = (0usize, false, false);
        let end = rest.char_indices().find_map(|(at, c)| {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' if is_text => is_escaped = true,
                '"' => is_text = !is_text,
                '[' if !is_text => depth += 1,
                ']' if !is_text => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at + 1)
        });
        let Some(end) = end else { break };
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    (out, rest)
}

fn change(
    code: &MemberCode<'_>,
    kind: MemberChangeKind,
    old: Option<Half<'_>>,
    new: Option<Half<'_>>,
) -> MemberChange {
    let half = new.or(old).expect("a changed member has a side");
    let mut notes = Vec::new();
    if let (Some(before), Some(after)) = (old, new) {
        if before.member.name != after.member.name && after.member.kind != DeclKind::Constructor {
            notes.push(format!("renamed from `{}`", before.member.name));
        }
        if before.detail.params != after.detail.params {
            notes.push(format!(
                "parameters `{}` → `{}`",
                before.detail.params, after.detail.params
            ));
        }
        if before.member.shape != after.member.shape {
            notes.extend(shape_notes(&before.member.shape, &after.member.shape));
        }
        if kind < MemberChangeKind::Body && before.detail.impl_hash != after.detail.impl_hash {
            notes.push("body changed too".to_owned());
        }
    }
    let signature = |half: Half<'_>| half.node.member_signature(half.member);
    MemberChange {
        change: kind,
        kind: half.member.kind,
        name: half.member.name.clone(),
        id: member_short_id(&signature(half)),
        doc_id: None,
        accessibility: half.member.accessibility,
        old_signature: old.map(signature),
        new_signature: new.map(signature),
        notes,
        path: half.path(),
        line: half.detail.line,
        // The properties of a positional record have no text but their parameter, which the
        // constructor shows.
        code: if half.member.primary && half.member.kind == DeclKind::Property {
            Vec::new()
        } else {
            code(old.map(|half| half.place()), new.map(|half| half.place()))
        },
    }
}

#[cfg(test)]
mod tests {
    use super::shape_notes;

    #[test]
    fn attributes_that_stay_are_not_told() {
        let before = r#"[InlineData("a]", 1)][InlineData("b")][Theory]get;set;"#;
        let after = r#"[InlineData("a]", 2)][InlineData("b")][Theory]get;set;"#;
        let wanted = [
            r#"`[InlineData("a]", 1)]` removed"#,
            r#"`[InlineData("a]", 2)]` added"#,
        ];
        assert_eq!(shape_notes(before, after), wanted);
        assert_eq!(
            shape_notes("get;set;", "[A]get;"),
            ["`[A]` added", "`get;set;` → `get;`"]
        );
    }
}
