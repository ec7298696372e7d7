//! New text whose declarations the language forbids whatever their names mean ([`declaration_rules`]).

use cortex_model::{ByteRange, DeclKind, Modifier};
use cortex_semantics::TypeFlags;
use cortex_syntax::{BodyKind, Decl, DeclId, FileFacts};

use super::{EditedText, Written, not_allowed};
use crate::{
    declaration_rules::{self, Owner},
    proof::Proof,
    ways::Conditions,
};

/// Adds what is forbidden of the declarations whose heads or bodies an edit writes. O(declarations × texts that are
/// written); nothing for names that take the place of names.
pub(super) fn add(text: &EditedText<'_, '_>, found: &mut Proof) {
    if text.written.is_empty() {
        return;
    }
    add_tokens(text, found);
    for (id, decl) in text.facts.decls.iter().enumerate() {
        if !text.written.touches(decl.range) {
            continue;
        }
        if let Some(reason) = text.forbidden(id as DeclId, decl) {
            let name = text.facts.name(decl.name);
            let warning = not_allowed(text.file, decl.line, (name, &reason));
            found.warn_at(decl.name_range.start, warning);
        }
    }
}

/// Adds what tokens that an edit writes tell alone.
fn add_tokens(text: &EditedText<'_, '_>, found: &mut Proof) {
    let mut forbidden = declaration_rules::forbidden_modifiers(text.source);
    forbidden.extend(clauses(text.facts, text.source, &text.written));
    let project = text.compilation.project(text.key.project);
    if !project.allows_unsafe {
        forbidden.extend(declaration_rules::unsafe_words(text.source));
    }
    let forbidden = forbidden.into_iter();
    for (range, reason) in forbidden.filter(|(range, _)| text.written.touches(*range)) {
        let words = text.source.get(range.as_usize()).unwrap_or_default();
        let line = text.lines().position(range.start).line;
        let warning = not_allowed(text.file, line, (words, reason));
        found.warn_at(range.start, warning);
    }
}

/// Where declarations and local functions constrain type parameters that they do not have.
fn clauses(facts: &FileFacts, source: &str, written: &Written) -> Vec<(ByteRange, &'static str)> {
    let mut found = Vec::new();
    let mut add = |own: &[&str], range: ByteRange| {
        let text = source.get(range.as_usize()).unwrap_or_default();
        let all = declaration_rules::forbidden_clauses(own, text).into_iter();
        found.extend(all.map(|(it, reason)| {
            let [start, end] = [it.start, it.end].map(|at| at + range.start);
            (ByteRange { start, end }, reason)
        }));
    };
    for decl in facts.decls.iter().filter(|it| written.touches(it.range)) {
        let own: Vec<&str> = (decl.type_params.iter())
            .map(|it| facts.name(it.name))
            .collect();
        let behind_name = ByteRange {
            start: decl.name_range.end,
            ..decl.range
        };
        add(&own, behind_name);
        // The names of functions in it.
        let bodies = &facts.bodies;
        let functions = bodies.nodes().iter().zip(0..).filter(|(node, _)| {
            node.kind == BodyKind::LocalFunction && decl.body_range.contains(node.offset)
        });
        for (node, id) in functions {
            let params = bodies.children(id);
            let params = params.filter(|&it| bodies.kind(it) == BodyKind::TypeParameter);
            let own: Vec<&str> = params.map(|it| facts.name(bodies.node(it).value)).collect();
            let behind_name = ByteRange {
                start: node.offset,
                end: decl.body_range.end,
            };
            add(&own, behind_name);
        }
    }
    found
}

impl EditedText<'_, '_> {
    /// Why a declaration that an edit writes may not be like this. Which ways there are depends on constants: they are
    /// looked up where code seems to go a way that it may not.
    fn forbidden(&self, id: DeclId, decl: &Decl) -> Option<String> {
        let of_head = self.forbidden_head(id, decl);
        if let Some(reason) = of_head.filter(|_| self.written.touches(head(decl))) {
            return Some(reason.to_owned());
        }
        let none = Conditions::new();
        let ends = |conditions| declaration_rules::ends_without_value(self.tree(), conditions, id);
        if ends(&none) && ends(self.conditions()) {
            return Some("not all ways through its body return a value".to_owned());
        }
        if self.skips_primary_constructor((id, decl)) {
            let reason = "it calls no constructor of its type: that has parameters of its own";
            return Some(reason.to_owned());
        }
        self.without_value(&none, (id, decl))?;
        let name = self.without_value(self.conditions(), (id, decl))?;
        Some(format!("`{name}` may have no value"))
    }

    /// Why the head of a declaration may not be like this.
    fn forbidden_head(&self, id: DeclId, decl: &Decl) -> Option<&'static str> {
        let around = decl.parent.map(|it| &self.facts.decls[it as usize]);
        if is_type(decl) {
            return declaration_rules::forbidden_of_type(self.facts, decl, around);
        }
        if decl.kind == DeclKind::Extension {
            let outer = around?.parent.map(|it| &self.facts.decls[it as usize]);
            return declaration_rules::forbidden_of_extension(around?, outer.is_some_and(is_type));
        }
        let owner = self.owner(id, around?);
        owner.and_then(|owner| declaration_rules::forbidden_of_member(self.facts, decl, owner))
    }

    /// Whether a constructor calls none of its type although that has a parameter list, which copies of records alone need
    /// not (C# specification, §15.11.2).
    fn skips_primary_constructor(&self, (id, decl): (DeclId, &Decl)) -> bool {
        let c = self.compilation;
        if decl.kind != DeclKind::Constructor {
            return false;
        }
        let Some(member) = c.member_of_decl(self.unit, id).map(|it| c.member(it)) else {
            return false;
        };
        let is_record = c.header(member.owner).flags.has(TypeFlags::RECORD);
        let own = c.instance_type(member.owner);
        let is_copy = matches!(&*member.signature.params, [other] if is_record && other.ty == own);
        c.primary_constructor(member.owner).is_some()
            && !is_copy
            && !declaration_rules::calls_this(self.tree(), id)
    }

    /// The type around a member, whose part is `part`.
    fn owner(&self, id: DeclId, part: &Decl) -> Option<Owner> {
        let c = self.compilation;
        let member = c.member_of_decl(self.unit, id)?;
        let flags = c.header(c.member(member).owner).flags;
        Some(Owner {
            kind: part.kind.type_kind()?,
            is_static: flags.has(TypeFlags::STATIC),
            is_abstract: flags.has(TypeFlags::ABSTRACT),
            is_sealed: flags.has(TypeFlags::SEALED),
            is_readonly: flags.has(TypeFlags::READONLY),
            is_partial: part.modifiers.contains(Modifier::Partial),
        })
    }
}

/// What stands before the body of a declaration.
pub(super) fn head(decl: &Decl) -> ByteRange {
    ByteRange {
        end: decl.body_range.start.max(decl.name_range.end),
        ..decl.range
    }
}

fn is_type(decl: &Decl) -> bool {
    decl.kind.type_kind().is_some()
}
