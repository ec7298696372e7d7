//! The state of binding one body: what is in scope, where findings go.
//!
//! Owns: locals, speculation, recording. Must not know: what any construct means; those are in
//! `expressions`, `statements` and `overload`.

use std::rc::Rc;

use cortex_model::EdgeKind;
use cortex_syntax::{Bodies, BodyId, BodyKind, BodyNode, DeclId};
use rustc_hash::FxHashMap;

use crate::{
    compilation::Compilation,
    expr::Expr,
    local_names::{LocalKind, LocalName, LocalRole, LocalSymbol, Recording},
    name::Name,
    names::{Access, Scope},
    output::{Certainty, Findings, How, Misfit, Receiver, Ref, Target, Typed, Unbound, Use, Why},
    statements::lambda::BoundLambda,
    symbol::{MemberFlags, MemberId, RefKind, TypeId},
    ty::Ty,
};

/// A lambda that was bound: environment, node, parameter types, wanted type.
pub(crate) type LambdaKey = (u32, BodyId, Box<[Ty]>, Ty);

/// Binds the bodies of one declaration after another. `'c`: the compilation; `'f`: the file's facts.
pub(crate) struct Binder<'c, 'f> {
    pub(crate) c: &'c Compilation<'c>,
    pub(crate) bodies: &'f Bodies,
    /// By [`cortex_syntax::NameId`].
    pub(crate) names: &'f [Name],
    /// Where type names are looked up.
    pub(crate) scope: Scope,
    /// The declaration whose body is bound.
    pub(crate) decl: Option<DeclId>,
    /// Its member, if it is one.
    pub(crate) member: Option<MemberId>,
    /// Whether there is no `this`.
    pub(crate) instance: Instance,
    /// What may get its first value.
    pub(crate) initializes: Initializes,
    /// Whether code may change nothing of `this`: in readonly members of structs.
    pub(crate) is_this_fixed: bool,
    /// Calls of delegates that give values, as they were bound; empty unless it is recorded.
    pub(crate) given_values: Vec<BodyId>,
    /// Where the brackets of elements are that inline arrays hold themselves, as they were bound; empty unless it is
    /// recorded.
    pub(crate) held_elements: Vec<u32>,
    /// Locals and parameters in scope, innermost last.
    pub(crate) locals: Vec<Local>,
    /// What `return` and the end of the body mean, innermost last.
    pub(crate) returns: Vec<Returns>,
    /// The type that `field` has inside an accessor.
    pub(crate) backing_field: Option<Ty>,
    /// Where findings go: those of the declaration, or of a lambda that is being tried.
    pub(crate) out: Findings,
    /// Every type that was come across, also where what came of it was dropped: what a rejected candidate
    /// or a lambda that did not fit consulted has decided as well. With repetition.
    pub(crate) touched: Vec<Ty>,
    /// Every simple name that was looked up among members and types, with repetition.
    pub(crate) asked: Vec<Name>,
    /// Lambdas as far as they were bound: by the environment around them (`env`), node, parameter types
    /// and the type that returned values convert to ([`Ty::NONE`] while that is inferred).
    pub(crate) lambdas: FxHashMap<LambdaKey, Rc<BoundLambda>>,
    /// A number for the types that the parameters of the lambdas around have here: a lambda inside of
    /// them means something else under others.
    pub(crate) env: u32,
    /// The next number for `env`.
    pub(crate) next_env: u32,
    /// How deep expressions and statements are nested here.
    pub(crate) depth: u32,
    /// How many candidates the calls of the file were compared with so far.
    pub(crate) n_candidates: u64,
    /// The types around as they are inside of themselves, innermost first.
    pub(crate) enclosing: Vec<Ty>,
    /// What stands before the `?` of the conditional accesses around, innermost last.
    pub(crate) conditional: Vec<crate::expr::Expr>,
    /// What statements, lambdas and queries remember; starts empty.
    pub(crate) statements: crate::statements::State,
    /// Whether operators are in a checked context here.
    pub(crate) overflow: Overflow,
    /// Where calls make the `params` collections that are being filled.
    pub(crate) collections_around: Vec<u32>,
    /// Whether the names of local symbols are recorded.
    pub(crate) recording: Recording,
}

/// §12.8.20: what operators and conversions do where a result is too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overflow {
    /// They wrap around: the default.
    Unchecked,
    /// They throw; types may declare operators for that.
    Checked,
}

/// Whether `this` may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instance {
    /// An instance member.
    This,
    /// A static member, or a place where only static members are reached.
    Static,
}

/// What code may give a value that nothing changes later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Initializes {
    /// Nothing.
    Nothing,
    /// Static fields and properties: a static constructor.
    Statics,
    /// Those of `this`: a constructor, `init`.
    Object,
}

/// A local variable, constant, parameter, range variable or local function.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Its name.
    pub name: Name,
    /// Its type; [`Ty::NONE`] while a `var` waits for its value.
    pub ty: Ty,
    /// Its member, for a local function.
    pub function: Option<MemberId>,
    /// How it refers to what it names.
    pub ref_kind: RefKind,
    /// Its value, for an integral constant.
    pub constant: Option<crate::expr::Constant>,
    /// Whether it is a constant.
    pub is_constant: bool,
    /// Whether code may give it no other value.
    pub is_readonly: bool,
    /// Which symbol it is to who renames it.
    pub symbol: LocalSymbol,
}

/// What `return` means where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Returns {
    /// The type that returned values convert to; `None` while a lambda's is being inferred.
    pub ty: Option<Ty>,
    /// What a lambda whose type is being inferred returns.
    pub found: Vec<crate::statements::lambda::Returned>,
    /// Whether there is a `return;` or the end can be reached without a value, as far as is seen.
    pub returns_nothing: bool,
}

/// Expressions and statements nested deeper are unknown: no real program comes near it, and it bounds
/// every recursion over a body.
pub(crate) const MAX_DEPTH: u32 = 300;

/// How many candidates the calls in one file may be compared with: far more than files have that compile in
/// reasonable time. What is left is not bound, and reported so.
pub(crate) const MAX_CANDIDATES: u64 = 4_000_000;

impl<'c, 'f> Binder<'c, 'f> {
    /// A binder for what stands in a scope: nothing is declared, nothing returned, no instance.
    pub(crate) fn new(
        c: &'c Compilation<'c>,
        bodies: &'f Bodies,
        names: &'f [Name],
        scope: Scope,
    ) -> Self {
        let around = std::iter::successors(scope.container, |&def| c.def(def).outer);
        let enclosing = around.map(|def| c.instance_type(def)).collect();
        Self {
            c,
            bodies,
            names,
            scope,
            decl: None,
            member: None,
            instance: Instance::Static,
            initializes: Initializes::Nothing,
            is_this_fixed: false,
            given_values: Vec::new(),
            held_elements: Vec::new(),
            collections_around: Vec::new(),
            locals: Vec::new(),
            returns: Vec::new(),
            backing_field: None,
            out: Findings::default(),
            touched: Vec::new(),
            asked: Vec::new(),
            lambdas: FxHashMap::default(),
            env: 0,
            next_env: 1,
            depth: 0,
            n_candidates: 0,
            enclosing,
            conditional: Vec::new(),
            statements: crate::statements::State::default(),
            overflow: Overflow::Unchecked,
            recording: Recording::Off,
        }
    }

    pub(crate) fn node(&self, id: BodyId) -> BodyNode {
        self.bodies.node(id)
    }

    pub(crate) fn body_kind(&self, id: BodyId) -> BodyKind {
        self.bodies.kind(id)
    }

    /// The children of a node, by value: the binder stays free.
    pub(crate) fn children(&self, id: BodyId) -> cortex_syntax::BodyChildren<'f> {
        self.bodies.children(id)
    }

    /// The first child of a node.
    pub(crate) fn first(&self, id: BodyId) -> Option<BodyId> {
        self.children(id).next()
    }

    /// The name that a node's `value` says.
    pub(crate) fn name_of(&self, id: BodyId) -> Name {
        self.names[self.node(id).value as usize]
    }

    /// The name of nodes whose `value` is a name + 1, or 0.
    pub(crate) fn optional_name_of(&self, id: BodyId) -> Option<Name> {
        let value = self.node(id).value;
        value.checked_sub(1).map(|name| self.names[name as usize])
    }

    /// From where members are accessed here; `through` as in [`Access`].
    pub(crate) fn access(&self, through: Option<Ty>) -> Access {
        Access {
            container: self.scope.container,
            project: self.scope.project,
            through,
        }
    }

    /// The type of `this`.
    pub(crate) fn this_type(&self) -> Ty {
        self.scope
            .container
            .map_or(Ty::ERROR, |def| self.c.instance_type(def))
    }

    // ---- scopes ----

    /// Runs with a block of its own: locals that are declared in it end with it.
    pub(crate) fn in_block<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.locals.len();
        let result = run(self);
        self.locals.truncate(before);
        result
    }

    /// Declares a local; its number.
    pub(crate) fn declare(&mut self, name: Name, ty: Ty, symbol: LocalSymbol) -> u32 {
        self.declare_local(Local {
            name,
            ty,
            function: None,
            ref_kind: RefKind::None,
            constant: None,
            is_constant: false,
            is_readonly: false,
            symbol,
        })
    }

    /// Declares the variable or parameter that a node names; its number.
    pub(crate) fn declare_at(&mut self, node: BodyId, ty: Ty) -> u32 {
        let symbol = self.declared_by(node);
        self.declare(self.name_of(node), ty, symbol)
    }

    /// The symbol that a node declares with its name, recorded as a declaration.
    pub(crate) fn declared_by(&mut self, node: BodyId) -> LocalSymbol {
        let BodyNode { kind, offset, .. } = self.node(node);
        let symbol = LocalSymbol::Declared(offset);
        let kind = match kind {
            BodyKind::LambdaParameter => LocalKind::Parameter,
            BodyKind::LocalFunction => LocalKind::LocalFunction,
            _ => LocalKind::Local,
        };
        self.record_local(offset, symbol, LocalRole::Declaration(kind));
        symbol
    }

    pub(crate) fn declare_local(&mut self, local: Local) -> u32 {
        self.touch(local.ty);
        self.locals.push(local);
        self.locals.len() as u32 - 1
    }

    /// Notes how a parameter is passed.
    pub(crate) fn pass_local_as(&mut self, local: u32, ref_kind: RefKind) {
        if let Some(local) = self.locals.get_mut(local as usize) {
            local.ref_kind = ref_kind;
            local.is_readonly = ref_kind.is_readonly();
        }
    }

    /// Lets no code give another value to the locals from a number on.
    pub(crate) fn keep_values_from(&mut self, first: usize) {
        for local in self.locals.iter_mut().skip(first) {
            local.is_readonly = true;
        }
    }

    /// The innermost local of a name.
    pub(crate) fn local(&self, name: Name) -> Option<u32> {
        let found = self.locals.iter().rposition(|local| local.name == name)?;
        Some(found as u32)
    }

    /// Runs one level deeper; `None` where that is too deep.
    pub(crate) fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH || self.is_exhausted() {
            return None;
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        Some(result)
    }

    /// Counts the candidates of one name. Looking them up compares each with all others.
    pub(crate) fn count_candidates(&mut self, n: usize) {
        self.n_candidates += n as u64 + (n * n / 64) as u64;
    }

    /// Whether the file has had its share of candidates.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.n_candidates > MAX_CANDIDATES
    }

    // ---- findings ----

    /// Runs without recording: findings are given back instead. For lambdas that are tried and whatever
    /// else may be bound more than once.
    pub(crate) fn speculate<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, Findings) {
        let before = std::mem::take(&mut self.out);
        let result = run(self);
        (result, std::mem::replace(&mut self.out, before))
    }

    /// Records what speculation found.
    pub(crate) fn accept(&mut self, findings: &Findings) {
        self.out.refs.extend_from_slice(&findings.refs);
        self.out.uses.extend_from_slice(&findings.uses);
        self.out.unbound.extend_from_slice(&findings.unbound);
        self.out.receivers.extend_from_slice(&findings.receivers);
        self.out.locals.extend_from_slice(&findings.locals);
        self.out.typed.extend_from_slice(&findings.typed);
        let caller_texts = &findings.caller_texts;
        self.out.caller_texts.extend_from_slice(caller_texts);
        self.out.misfits.extend_from_slice(&findings.misfits);
        let groups = &findings.outside_groups;
        self.out.outside_groups.extend_from_slice(groups);
    }

    /// Records that a name means a type.
    pub(crate) fn record_type(&mut self, offset: u32, def: TypeId, kind: EdgeKind) {
        self.record(offset, Target::Type(def), kind, Certainty::Exact);
    }

    /// Records that a name means a member.
    pub(crate) fn record_member(&mut self, offset: u32, member: MemberId, kind: EdgeKind) {
        self.record(offset, Target::Member(member), kind, Certainty::Exact);
    }

    pub(crate) fn record(
        &mut self,
        offset: u32,
        target: Target,
        kind: EdgeKind,
        certainty: Certainty,
    ) {
        if let Target::Member(member) = target
            && self.c.member(member).is(MemberFlags::LOCAL)
        {
            return;
        }
        self.out.refs.push(Ref {
            offset,
            target,
            kind,
            certainty,
        });
    }

    /// Records what a member is accessed on.
    pub(crate) fn record_receiver(&mut self, offset: u32, receiver: Receiver) {
        self.out.receivers.push((offset, receiver));
    }

    /// Records that a type as it is written has type arguments which its definition does not take, where that is wanted.
    pub(crate) fn record_constructed(&mut self, offset: u32, ty: Ty) {
        if self.recording == Recording::On && !self.c.has_fitting_arguments(ty) {
            self.out.misfits.push((offset, Misfit::TypeArguments));
        }
    }

    /// Records a name of a local symbol, where that is wanted.
    pub(crate) fn record_local(&mut self, offset: u32, symbol: LocalSymbol, role: LocalRole) {
        if self.recording == Recording::On {
            self.out.locals.push(LocalName {
                offset,
                symbol,
                role,
            });
        }
    }

    /// Records what an expression is, or becomes where it stands, where that is wanted.
    pub(crate) fn record_typed(&mut self, expr: &Expr, is_converted: bool) {
        if self.recording == Recording::On {
            let offset = self.start_of(expr.node);
            self.out.typed.push(Typed {
                node: expr.node,
                offset,
                is_converted,
                ty: expr.ty,
                constant: expr.constant,
            });
        }
    }

    /// Records that a member is used without being named.
    pub(crate) fn record_use(&mut self, offset: u32, target: MemberId, how: How) {
        self.out.uses.push(Use {
            offset,
            target,
            how,
        });
    }

    /// Records that a name could not be bound.
    pub(crate) fn record_unbound(&mut self, offset: u32, why: Why) {
        self.out.unbound.push(Unbound { offset, why });
    }
}
