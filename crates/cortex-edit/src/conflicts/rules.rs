//! New text whose declarations the language forbids whatever their names mean ([`declaration_rules`]).

use std::cell::OnceCell;

use cortex_model::{ByteRange, DeclKind, LineTable, Modifier};
use cortex_semantics::{TypeFlags, UnitKey};
use cortex_syntax::{BodyKind, Decl, DeclId, FileFacts, Identifiers, text::decode};

use super::{EditedText, assigned::Variables, not_allowed};
use crate::{
    body_tree::BodyTree,
    declaration_rules::{self, Owner},
    plan::FilePlan,
    proof::Proof,
    text_edit::StartIs,
};

/// Adds what is forbidden of the declarations whose heads or bodies an edit writes. O(declarations × texts that are
/// written); nothing for names that take the place of names.
pub(super) fn add(
    text: &EditedText<'_, '_>,
    unit: &UnitKey,
    identifiers: impl Fn() -> Identifiers,
    found: &mut Proof,
) {
    let written = written(text.file);
    if written.is_empty() {
        return;
    }
    let is_written = |range: ByteRange| {
        let mut all = written.iter();
        all.any(|it| it.start < range.end && it.end >= range.start)
    };
    let source = decode(&text.file.new_bytes);
    add_tokens(text, source.as_str(), is_written, found);
    let mut tree = None;
    let (locals, expressions) = (OnceCell::new(), OnceCell::new());
    let c = text.compilation;
    let bound = || expressions.get_or_init(|| c.bind_expressions(unit, text.facts));
    // Which ways there are depends on constants; they are looked up where code seems to go a way that it may not.
    let by_constants = OnceCell::new();
    let by_constants = || {
        by_constants.get_or_init(|| {
            let tree = BodyTree::new(text.facts, source.as_str());
            tree.with_conditions(bound().conditions())
        })
    };
    for (id, decl) in text.facts.decls.iter().enumerate() {
        if !is_written(decl.range) {
            continue;
        }
        let id = id as DeclId;
        let head = ByteRange {
            end: decl.body_range.start.max(decl.name_range.end),
            ..decl.range
        };
        let of_head = || text.forbidden_head(id, decl).filter(|_| is_written(head));
        let reason = of_head().or_else(|| {
            let tree = tree.get_or_insert_with(|| BodyTree::new(text.facts, source.as_str()));
            let ends = |tree| declaration_rules::ends_without_value(text.facts, tree, id);
            if ends(tree) && ends(by_constants()) {
                return Some("not all ways through its body return a value");
            }
            let skips = text.skips_primary_constructor(tree, (id, decl));
            skips.then_some("it calls no constructor of its type: that has parameters of its own")
        });
        let reason = reason.map(str::to_owned).or_else(|| {
            let tree = tree.get_or_insert_with(|| BodyTree::new(text.facts, source.as_str()));
            let variables = Variables {
                compilation: c,
                locals: locals.get_or_init(|| c.local_bindings(unit, text.facts, &identifiers())),
                expressions: &bound,
            };
            variables.without_value(tree, (id, decl))?;
            let name = variables.without_value(by_constants(), (id, decl))?;
            Some(format!("`{name}` may have no value"))
        });
        if let Some(reason) = reason {
            let name = text.facts.name(decl.name);
            let warning = not_allowed(text.file, decl.line, (name, &reason));
            found.warn_at(decl.name_range.start, warning);
        }
    }
}

/// Adds what tokens that an edit writes tell alone.
fn add_tokens(
    text: &EditedText<'_, '_>,
    source: &str,
    is_written: impl Fn(ByteRange) -> bool + Copy,
    found: &mut Proof,
) {
    let mut forbidden = declaration_rules::forbidden_modifiers(source);
    forbidden.extend(clauses(text.facts, source, is_written));
    let lines = LineTable::new(source.as_bytes());
    for (range, reason) in forbidden
        .into_iter()
        .filter(|(range, _)| is_written(*range))
    {
        let words = source.get(range.as_usize()).unwrap_or_default();
        let line = lines.position(range.start).line;
        let warning = not_allowed(text.file, line, (words, reason));
        found.warn_at(range.start, warning);
    }
}

/// Where declarations and local functions constrain type parameters that they do not have.
fn clauses(
    facts: &FileFacts,
    source: &str,
    is_written: impl Fn(ByteRange) -> bool,
) -> Vec<(ByteRange, &'static str)> {
    let mut found = Vec::new();
    let mut add = |own: &[&str], range: ByteRange| {
        let text = source.get(range.as_usize()).unwrap_or_default();
        let all = declaration_rules::forbidden_clauses(own, text).into_iter();
        found.extend(all.map(|(it, reason)| {
            let [start, end] = [it.start, it.end].map(|at| at + range.start);
            (ByteRange { start, end }, reason)
        }));
    };
    for decl in facts.decls.iter().filter(|it| is_written(it.range)) {
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

/// Where the texts stand that an edit writes, or takes out.
pub(super) fn written(file: &FilePlan) -> Vec<ByteRange> {
    let new = file.edits.all().iter();
    let new = new.filter(|edit| edit.start == StartIs::New);
    new.filter_map(|edit| {
        let start = file.edits.new_start(edit)?;
        let end = start + edit.text.len() as u32;
        Some(ByteRange { start, end })
    })
    .collect()
}

impl EditedText<'_, '_> {
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
    fn skips_primary_constructor(&self, tree: &BodyTree<'_>, (id, decl): (DeclId, &Decl)) -> bool {
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
            && !declaration_rules::calls_this(tree, id)
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

fn is_type(decl: &Decl) -> bool {
    decl.kind.type_kind().is_some()
}
