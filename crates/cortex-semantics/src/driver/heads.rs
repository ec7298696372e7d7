//! The types that the head of a declaration names: bases, constraints, signatures.
//!
//! Must not know: bodies and attributes.

use cortex_model::{DeclKind, EdgeKind, TypeKind};
use cortex_syntax::{Constraint, Decl, DeclId, TypeSyntax, Using, UsingKind};

use super::File;
use crate::{
    compilation::Compilation,
    local_names::{LocalName, LocalRole, LocalSymbol, Recording},
    name::Name,
    names::{Meaning, Position, Scope, TypeRefSink},
    output::{Certainty, Findings, Misfit, Ref, Target, Unbound, Why},
    symbol::TypeId,
    ty::Ty,
};

impl File<'_, '_> {
    /// The targets of using directives that name types.
    pub(super) fn bind_usings(&self, findings: &mut Findings) {
        for using in &self.facts.usings {
            if !matches!(using.kind, UsingKind::Static | UsingKind::Alias(_)) {
                if self.recording == Recording::On {
                    self.record_namespaces(using, findings);
                }
                continue;
            }
            let scope = self.scope(using.scope, Position::Header);
            self.bind_types(
                &scope,
                [&using.target],
                Kind::Is(EdgeKind::Static),
                findings,
            );
        }
    }

    /// The namespaces that a using directive names. It imports no types, so that nothing else is recorded.
    fn record_namespaces(&self, using: &Using, findings: &mut Findings) {
        let mut found = Findings::default();
        let scope = self.scope(using.scope, Position::Header);
        let mut sink = Sink {
            c: self.c,
            findings: &mut found,
            kind: Kind::Is(EdgeKind::Static),
            recording: self.recording,
        };
        self.c
            .bind_type(&scope, self.facts, &using.target, &mut sink);
        findings.locals.extend(found.locals);
    }

    pub(super) fn bind_head(&self, id: DeclId, findings: &mut Findings) {
        let decl = &self.facts.decls[id as usize];
        if !names_types(decl) || self.shares_type(id, decl) && decl.bases.is_empty() {
            return;
        }
        let position = match decl.kind.type_kind() {
            Some(_) => Position::Header,
            None => Position::Body,
        };
        let scope = self.scope(Some(id), position);
        let bases = match decl.kind.type_kind() {
            Some(_) => Kind::Base,
            None => Kind::Is(EdgeKind::Implements),
        };
        self.bind_types(&scope, &decl.bases, bases, findings);
        if let (Some(ty), Some(kind)) = (&decl.ty, type_edge(decl.kind)) {
            self.bind_types(&scope, [ty], Kind::Is(kind), findings);
        }
        let params = decl.params.iter().flatten();
        let types = params.filter_map(|param| param.ty.as_ref());
        self.bind_types(&scope, types, Kind::Is(EdgeKind::Parameter), findings);
        for param in &decl.type_params {
            let types = param.constraints.iter().filter_map(|it| match it {
                Constraint::Type(ty) => Some(ty),
                Constraint::Keyword(_) => None,
            });
            self.bind_types(&scope, types, Kind::Is(EdgeKind::Constraint), findings);
        }
    }

    fn bind_types<'t>(
        &self,
        scope: &Scope,
        types: impl IntoIterator<Item = &'t TypeSyntax>,
        kind: Kind,
        findings: &mut Findings,
    ) {
        let mut sink = Sink {
            c: self.c,
            findings,
            kind,
            recording: self.recording,
        };
        for ty in types {
            self.c.bind_type(scope, self.facts, ty, &mut sink);
        }
    }

    /// Whether it is a later declarator of a field, whose type is the first one's.
    fn shares_type(&self, id: DeclId, decl: &Decl) -> bool {
        let is_field = matches!(
            decl.kind,
            DeclKind::Field | DeclKind::Constant | DeclKind::Event
        );
        let Some(previous) = id.checked_sub(1) else {
            return false;
        };
        let previous = &self.facts.decls[previous as usize];
        is_field
            && previous.kind == decl.kind
            && previous.parent == decl.parent
            && previous.ty == decl.ty
            && decl.ty.as_ref().is_some_and(has_reference)
    }
}

/// Whether the head of a declaration can name a type.
fn names_types(decl: &Decl) -> bool {
    decl.ty.is_some()
        || !decl.bases.is_empty()
        || !decl.type_params.is_empty()
        || decl
            .params
            .as_ref()
            .is_some_and(|params| !params.is_empty())
}

/// Whether a type says a name: types without are equal wherever they stand.
fn has_reference(ty: &TypeSyntax) -> bool {
    match ty {
        TypeSyntax::Named(_) => true,
        TypeSyntax::Array(inner, _)
        | TypeSyntax::Nullable(inner)
        | TypeSyntax::Pointer(inner)
        | TypeSyntax::Ref(inner)
        | TypeSyntax::RefReadonly(inner) => has_reference(inner),
        TypeSyntax::Tuple(elements) => elements.iter().any(|(ty, _)| has_reference(ty)),
        TypeSyntax::FunctionPointer(_, types) => types.iter().any(has_reference),
        TypeSyntax::Predefined(_) | TypeSyntax::Unknown => false,
    }
}

/// What the type of a declaration is to it.
fn type_edge(kind: DeclKind) -> Option<EdgeKind> {
    Some(match kind {
        DeclKind::Field | DeclKind::Constant => EdgeKind::Field,
        DeclKind::Property | DeclKind::Indexer => EdgeKind::Property,
        DeclKind::Event => EdgeKind::Event,
        DeclKind::Enum => EdgeKind::Field,
        DeclKind::EnumMember => return None,
        _ => EdgeKind::Return,
    })
}

#[derive(Clone, Copy)]
enum Kind {
    Is(EdgeKind),
    /// A base list: interfaces are implemented, classes inherited.
    Base,
}

/// Writes what types name to findings.
struct Sink<'s, 'w> {
    c: &'s Compilation<'w>,
    findings: &'s mut Findings,
    kind: Kind,
    recording: Recording,
}

impl TypeRefSink for Sink<'_, '_> {
    fn found(&mut self, offset: u32, def: TypeId) {
        let kind = match self.kind {
            Kind::Is(kind) => kind,
            Kind::Base if self.c.def(def).kind == TypeKind::Interface => EdgeKind::Implements,
            Kind::Base => EdgeKind::Inherits,
        };
        self.findings.refs.push(Ref {
            offset,
            target: Target::Type(def),
            kind,
            certainty: Certainty::Exact,
        });
    }

    fn constructed(&mut self, offset: u32, ty: Ty) {
        if self.recording == Recording::On && !self.c.has_fitting_arguments(ty) {
            let misfit = (offset, Misfit::TypeArguments);
            self.findings.misfits.push(misfit);
        }
    }

    fn unbound(&mut self, offset: u32, why: Why) {
        self.findings.unbound.push(Unbound { offset, why });
    }

    fn resolved(&mut self, at: &Scope, offset: u32, name: Name, found: &Meaning, is_simple: bool) {
        if self.recording == Recording::On
            && let Some(symbol) = self.c.local_meaning(at, name, found, is_simple)
        {
            self.record_local(offset, symbol);
        }
    }

    fn alias_before_colons(&mut self, at: &Scope, offset: u32, name: Name) {
        if self.recording == Recording::On
            && let Some(symbol) = self.c.alias_before_colons(at, name)
        {
            self.record_local(offset, symbol);
        }
    }
}

impl Sink<'_, '_> {
    fn record_local(&mut self, offset: u32, symbol: LocalSymbol) {
        self.findings.locals.push(LocalName {
            offset,
            symbol,
            role: LocalRole::Use,
        });
    }
}
