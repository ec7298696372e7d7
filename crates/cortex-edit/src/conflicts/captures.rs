//! Variables that a function in a function may not use: any of those around a `static` one, and parameters by reference.
//!
//! Source: C# specification, §12.19.6, §13.6.4.

use cortex_semantics::{LocalKind, LocalRole, LocalSymbol, LocalUse, RefKind};
use cortex_syntax::{BodyId, BodyKind, body_flags};

use super::{EditedText, not_allowed};
use crate::proof::Proof;

/// Adds the variables that new functions in functions use and may not.
pub(super) fn add(text: &EditedText<'_, '_>, found: &mut Proof) {
    let tree = text.tree();
    let is_function = |id: &BodyId| {
        matches!(
            tree.kind(*id),
            BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction
        )
    };
    let is_written = |id: &BodyId| text.written.touches(tree.span(*id));
    let functions: Vec<BodyId> = tree
        .nodes()
        .filter(is_function)
        .filter(is_written)
        .collect();
    if functions.is_empty() {
        return;
    }
    for function in functions {
        let span = tree.span(function);
        let is_static = tree.node(function).flags & body_flags::STATIC != 0;
        let uses = text.locals().uses.iter();
        let uses = uses.filter(|it| it.role == LocalRole::Use && span.contains(it.range.start));
        for used in uses.filter(|it| text.written.touches(it.range) || text.written.makes(span)) {
            let reason = match text.captured(used, span.start..span.end) {
                Some(_) if is_static => "a `static` function cannot use a variable around it",
                Some(Captured::ByReference) => {
                    "a function in a function cannot use a parameter by reference"
                }
                _ => continue,
            };
            if text.is_named_alone(used) {
                continue;
            }
            let line = text.lines().position(used.range.start).line;
            let name = text.source.get(used.range.as_usize()).unwrap_or_default();
            found.warn_at(
                used.range.start,
                not_allowed(text.file, line, (name, reason)),
            );
        }
    }
}

/// A variable that is declared around a function which uses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Captured {
    ByReference,
    ByValue,
}

impl EditedText<'_, '_> {
    /// The variable around a function that a name in it means; none of constants and local functions.
    fn captured(&self, used: &LocalUse, function: std::ops::Range<u32>) -> Option<Captured> {
        let tree = self.tree();
        match used.symbol {
            LocalSymbol::Declared(at) if !function.contains(&at) => {
                let declared = self.locals().declarations_of(used.symbol).next()?;
                let is_variable = matches!(
                    declared.kind,
                    LocalKind::Local | LocalKind::Parameter | LocalKind::RangeVariable
                );
                let node = tree.declared_at(at);
                let is_constant = node.and_then(|it| tree.parent(it)).is_some_and(|it| {
                    tree.kind(it) == BodyKind::LocalDeclaration
                        && tree.node(it).flags & body_flags::CONST != 0
                });
                (is_variable && !is_constant).then_some(Captured::ByValue)
            }
            LocalSymbol::Parameter(member, at) => {
                let params = &self.compilation.member(member).signature.params;
                let kind = params.get(usize::from(at))?.ref_kind;
                Some(match kind {
                    RefKind::None => Captured::ByValue,
                    _ => Captured::ByReference,
                })
            }
            _ => None,
        }
    }

    /// Whether a name stands in `nameof`.
    fn is_named_alone(&self, used: &LocalUse) -> bool {
        let tree = self.tree();
        let mut around = tree
            .name_at(used.range.start)
            .into_iter()
            .flat_map(|it| tree.ancestors(it));
        around.any(|it| {
            let callee = tree.children(it).first().copied();
            tree.kind(it) == BodyKind::Invocation
                && callee.is_some_and(|it| tree.text_of(it) == "nameof")
        })
    }
}
