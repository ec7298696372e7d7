//! Binds a file: every declaration in it, what its head names and what its bodies do.
//!
//! Owns: which declaration a name belongs to, what is in scope where its parts begin. Must not know: what
//! any expression means.

pub(crate) mod bodies;
mod constructors;
mod cycles;
mod docs;
mod forbidden;
mod heads;
mod paths;
mod returned;
mod variance;

use std::cell::Cell;

use cortex_model::DeclKind;
use cortex_syntax::{BodyId, DeclId, FileFacts, Part, RefContext};

use crate::{
    compilation::Compilation,
    local_names::Recording,
    name::Name,
    names::{Position, Scope},
    output::{BoundUnit, Findings, Unbound, Why},
    symbol::{Member, TypeId, UnitId},
    unit::file_names,
    world::UnitKey,
};

impl Compilation<'_> {
    /// What every name of a file means, by declaration: a name belongs to the innermost declaration around
    /// it. `facts`: the file's, bodies included. O(names), but for what is loaded on the way.
    pub fn bind_unit(&self, key: &UnitKey, facts: &FileFacts) -> BoundUnit {
        self.bind_recording(key, facts, (Recording::Off, &Part::Whole))
    }

    /// [`Self::bind_unit`] of a part of a file, with the names of local symbols where they are wanted.
    pub(crate) fn bind_recording(
        &self,
        key: &UnitKey,
        facts: &FileFacts,
        (recording, part): (Recording, &Part),
    ) -> BoundUnit {
        let unit = self.unit_id(key);
        let names = file_names(self, facts);
        let file = File {
            c: self,
            facts,
            names: &names,
            unit,
            roots: roots_by_decl(facts),
            n_candidates: Cell::new(0),
            recording,
        };
        let mut decls = Vec::with_capacity(facts.decls.len() + 1);
        let mut push = |decl, mut findings: Findings| {
            tidy(&mut findings);
            if !is_empty(&findings) {
                decls.push((decl, findings));
            }
        };
        push(None, file.bind_outside());
        let mut docs = file.bind_docs(part).into_iter().peekable();
        let all = 0..facts.decls.len() as DeclId;
        for decl in all.filter(|&decl| part.has(decl)) {
            let mut findings = file.bind_decl(decl);
            while let Some((_, found)) = docs.next_if(|(at, _)| *at <= decl) {
                findings.refs.extend(found.refs);
                findings.locals.extend(found.locals);
            }
            push(Some(decl), findings);
        }
        // The next file asks for other names.
        self.unit(unit).drop_facts();
        BoundUnit { decls }
    }
}

/// A file that is being bound.
struct File<'c, 'f> {
    c: &'c Compilation<'c>,
    facts: &'f FileFacts,
    /// By [`cortex_syntax::NameId`].
    names: &'f [Name],
    unit: UnitId,
    /// The body tree of the file itself, then those of its declarations.
    roots: Vec<Option<BodyId>>,
    /// How many candidates the calls so far were compared with.
    n_candidates: Cell<u64>,
    recording: Recording,
}

impl<'c> File<'c, '_> {
    /// What stands outside of declarations: using directives, attributes of the assembly.
    fn bind_outside(&self) -> Findings {
        let mut findings = Findings::default();
        self.bind_usings(&mut findings);
        // Simple names may mean members that these import, and nothing here says so.
        let scope = self.scope(None, Position::Header);
        findings.touched = self.c.global_statics(&scope);
        self.bind_root(None, self.roots[0], &mut findings);
        findings
    }

    fn bind_decl(&self, decl: DeclId) -> Findings {
        let mut findings = Findings::default();
        self.bind_head(decl, &mut findings);
        if self.recording == Recording::On {
            self.check_head(decl, &mut findings);
            self.check_base_call(decl, &mut findings);
        }
        self.bind_base_call(decl, &mut findings);
        self.bind_root(Some(decl), self.roots[decl as usize + 1], &mut findings);
        findings
    }

    /// Reports every name of a body as unbound: [`tidy`] leaves out those that were bound.
    fn report_rest(&self, decl: Option<DeclId>, findings: &mut Findings) {
        let Some(decl) = decl else { return };
        let body = self.facts.decls[decl as usize].body_range;
        let start = self
            .facts
            .refs
            .partition_point(|it| it.context != RefContext::Doc && it.offset < body.start);
        let inside = self.facts.refs[start..].iter();
        let inside = inside.take_while(|it| it.context != RefContext::Doc && it.offset < body.end);
        findings.unbound.extend(inside.map(|name| Unbound {
            offset: name.offset,
            why: Why::NoOverload,
        }));
    }

    /// The member that a declaration makes; of a type, the constructor that its parameter list makes.
    fn member(&self, decl: DeclId) -> Option<&'c Member> {
        let id = match self.facts.decls[decl as usize].kind {
            DeclKind::Namespace => None,
            kind if kind.type_kind().is_some() => {
                let ty = self.c.type_of_decl(self.unit, decl)?;
                self.c.primary_constructor(ty)
            }
            _ => self.c.member_of_decl(self.unit, decl),
        };
        Some(self.c.member(id?))
    }

    /// The innermost type around a declaration, itself excluded.
    fn container(&self, decl: DeclId) -> Option<TypeId> {
        let mut at = self.facts.decls[decl as usize].parent;
        while let Some(parent) = at {
            if let Some(id) = self.c.type_of_decl(self.unit, parent) {
                return Some(id);
            }
            at = self.facts.decls[parent as usize].parent;
        }
        None
    }

    /// The scope of a part of a declaration, with the type parameters of its member.
    fn scope(&self, decl: Option<DeclId>, position: Position) -> Scope {
        let mut scope = self.c.scope_in(self.unit, self.facts, decl, position);
        if let Some(decl) = decl
            && scope.type_params.is_empty()
            && let Some(params) = self.type_params(decl)
        {
            let params = params.iter();
            scope.type_params = params
                .map(|&param| (self.c.type_param_name(param), param))
                .collect();
        }
        scope
    }

    /// The type parameters of a method, those of an extension block around it included, or of the block.
    fn type_params(&self, decl: DeclId) -> Option<&'c [crate::symbol::TypeParamId]> {
        let written = &self.facts.decls[decl as usize];
        if written.kind == DeclKind::Extension {
            if written.type_params.is_empty() {
                return None;
            }
            let mut inside = self.facts.decls.iter().enumerate().skip(decl as usize + 1);
            let (first, _) = inside.find(|(_, it)| it.parent == Some(decl))?;
            let signature = &self.member(first as DeclId)?.signature;
            return signature
                .type_params
                .get(..usize::from(signature.block_arity));
        }
        if written.kind.type_kind().is_some() {
            return None;
        }
        let signature = &self.member(decl)?.signature;
        (!signature.type_params.is_empty()).then_some(&*signature.type_params)
    }
}

/// The root of each declaration's tree, the file's own first.
fn roots_by_decl(facts: &FileFacts) -> Vec<Option<BodyId>> {
    let mut roots = vec![None; facts.decls.len() + 1];
    for root in facts.bodies.roots() {
        let index = facts.bodies.node(root).value as usize;
        if let Some(slot) = roots.get_mut(index) {
            *slot = Some(root);
        }
    }
    roots
}

/// Sorted by offset, each once. A name that was bound is not unbound as well.
fn tidy(findings: &mut Findings) {
    findings.refs.sort_by_key(|it| (it.offset, it.target));
    findings.refs.dedup_by_key(|it| (it.offset, it.target));
    findings
        .uses
        .sort_by_key(|it| (it.offset, it.target, it.how));
    findings.uses.dedup();
    findings.unbound.sort_by_key(|it| (it.offset, it.why));
    findings.unbound.dedup_by_key(|it| it.offset);
    let refs = &findings.refs;
    findings.unbound.retain(|it| {
        refs.binary_search_by_key(&it.offset, |found| found.offset)
            .is_err()
    });
    findings.receivers.sort_unstable();
    findings.receivers.dedup();
    findings.touched.sort_unstable();
    findings.touched.dedup();
    findings.asked.sort_unstable();
    findings.asked.dedup();
    findings.locals.sort_unstable();
    findings.locals.dedup();
    findings.typed.sort_unstable();
    findings.typed.dedup();
    findings.caller_texts.sort_unstable();
    findings.caller_texts.dedup();
    findings.misfits.sort_unstable();
    findings.misfits.dedup();
}

fn is_empty(findings: &Findings) -> bool {
    findings.refs.is_empty()
        && findings.uses.is_empty()
        && findings.unbound.is_empty()
        && findings.touched.is_empty()
        && findings.asked.is_empty()
        && findings.locals.is_empty()
        && findings.typed.is_empty()
        && findings.misfits.is_empty()
}
