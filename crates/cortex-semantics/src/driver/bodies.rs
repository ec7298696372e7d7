//! What declarations do: their attributes, initial values, default values, constructor initializers,
//! accessors and bodies, each with what is in scope there.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{Accessor, AccessorKind, BodyId, BodyKind, DeclId};

use super::File;
use crate::{
    binder::{Binder, Initializes, Instance, Local, Returns},
    expr::Arg,
    expressions::ConstantFor,
    local_names::{LocalSymbol, Recording},
    name::known,
    names::Position,
    output::Findings,
    special::Special,
    symbol::{Member, MemberFlags, Param, RefKind, Signature, TypeFlags},
    ty::Ty,
};

/// `flags` of [`BodyKind::BaseArguments`] for `: this(…)`.
const TO_THIS: u8 = 1;

impl File<'_, '_> {
    /// Everything that the tree of a declaration says.
    pub(super) fn bind_root(
        &self,
        decl: Option<DeclId>,
        root: Option<BodyId>,
        findings: &mut Findings,
    ) {
        let Some(root) = root else { return };
        let scope = self.scope(decl, Position::Body);
        let mut binder = Binder::new(self.c, &self.facts.bodies, self.names, scope);
        binder.n_candidates = self.n_candidates.get();
        binder.recording = self.recording;
        let member = decl.and_then(|decl| self.member(decl));
        let in_variant = decl.and_then(|decl| self.with_own_parameters(decl, member?));
        let member = in_variant.as_ref().or(member);
        binder.decl = decl;
        binder.member = member.map(|member| member.id);
        binder.out = std::mem::take(findings);
        let mut of_initializer: Vec<Local> = Vec::new();
        for part in binder.children(root) {
            // Variables that the arguments of a constructor initializer declare are in scope in the body as well (§15.11.1).
            if binder.body_kind(part) == BodyKind::Body {
                binder.locals.append(&mut of_initializer);
            }
            self.bind_part(&mut binder, decl, member, part);
            if binder.body_kind(part) == BodyKind::BaseArguments {
                let is_declared = |it: &Local| matches!(it.symbol, LocalSymbol::Declared(_));
                of_initializer.extend(binder.locals.iter().filter(|it| is_declared(it)).cloned());
            }
            binder.locals.clear();
            binder.returns.clear();
            binder.backing_field = None;
        }
        self.n_candidates.set(binder.n_candidates);
        if binder.is_exhausted() {
            self.report_rest(decl, &mut binder.out);
        }
        *findings = binder.out;
        findings.touched.append(&mut binder.touched);
        findings.asked.append(&mut binder.asked);
    }

    /// A member whose parameters this declaration names otherwise than the one that speaks for it.
    fn with_own_parameters(&self, decl: DeclId, member: &Member) -> Option<Member> {
        let known = self.c.caches.params_of_part.borrow();
        let params = known.get(&(self.unit, decl))?.clone();
        Some(Member {
            signature: Signature {
                params,
                ..member.signature.clone()
            },
            ..member.clone()
        })
    }

    fn bind_part(
        &self,
        binder: &mut Binder<'_, '_>,
        decl: Option<DeclId>,
        member: Option<&Member>,
        part: BodyId,
    ) {
        binder.instance = Instance::Static;
        binder.initializes = initializes(member);
        binder.is_this_fixed = false;
        match binder.body_kind(part) {
            BodyKind::Attribute => bind_attribute(binder, member, part),
            BodyKind::ParameterDefault => bind_default(binder, member, part),
            BodyKind::BaseArguments => bind_base_arguments(binder, member, part),
            BodyKind::Initializer => self.bind_initial_value(binder, decl, member, part),
            BodyKind::Accessor => self.bind_accessor(binder, decl, member, part),
            BodyKind::Body => self.bind_whole_body(binder, decl, member, part),
            _ => {}
        }
    }

    /// The initial value of a field, property, event or enum member: parameters of the type's primary
    /// constructor are nearer than its members.
    fn bind_initial_value(
        &self,
        binder: &mut Binder<'_, '_>,
        decl: Option<DeclId>,
        member: Option<&Member>,
        part: BodyId,
    ) {
        let Some(value) = binder.first(part) else {
            return;
        };
        if let Some(container) = decl.and_then(|decl| self.container(decl)) {
            let members = self.c.members(container).named(known::CTOR).iter();
            let mut members = members.map(|&id| self.c.member(id));
            let primary = members.find(|member| member.is(MemberFlags::PRIMARY));
            declare_params(binder, primary);
        }
        // A static initial value may be passed other fields to fill.
        if member.is_some_and(Member::is_static) {
            binder.initializes = Initializes::Statics;
        }
        match member {
            Some(member) if member.kind != DeclKind::EnumMember => {
                binder.bind_to(value, member.signature.ty);
                if member.kind == DeclKind::Constant {
                    binder.check_constant(value, ConstantFor::Value);
                }
            }
            _ => {
                let n_misfits = binder.out.misfits.len();
                binder.bind_value(value);
                // Here values of an enum are numbers (§19.4).
                binder.out.misfits.truncate(n_misfits);
                binder.check_constant(value, ConstantFor::Value);
            }
        }
    }

    /// The type of `field` in a property's accessors (§15.7.4 as of C# 14); before, it is a name like others.
    fn backing_field(&self, member: Option<&Member>) -> Option<Ty> {
        let property = member.filter(|member| member.kind == DeclKind::Property)?;
        let project = self.c.project(self.c.unit(self.unit).key.project);
        let is_keyword = (project.csharp_version()).is_none_or(|version| version >= (14, 0));
        let has_one = is_keyword && !property.is(MemberFlags::EXTENSION_BLOCK);
        has_one.then_some(property.signature.ty)
    }

    fn bind_accessor(
        &self,
        binder: &mut Binder<'_, '_>,
        decl: Option<DeclId>,
        member: Option<&Member>,
        part: BodyId,
    ) {
        let index = binder.node(part).value as usize;
        let accessors = decl.map(|decl| &self.facts.decls[decl as usize].accessors);
        let accessor = accessors.and_then(|accessors| accessors.get(index));
        let kind = accessor.map_or(AccessorKind::Get, |accessor| accessor.kind);
        let ty = member.map_or(Ty::ERROR, |member| member.signature.ty);
        begin_body(binder, member);
        let result = if kind == AccessorKind::Get {
            self.c.returned_type(member)
        } else {
            binder.declare(known::VALUE, ty, LocalSymbol::Implicit);
            self.c.special(Special::Void)
        };
        binder.backing_field = self.backing_field(member);
        if kind == AccessorKind::Init {
            binder.initializes = Initializes::Object;
        }
        binder.is_this_fixed = self.fixes_this(decl, member, accessor);
        bind_returning(binder, result, binder.first(part));
    }

    fn bind_whole_body(
        &self,
        binder: &mut Binder<'_, '_>,
        decl: Option<DeclId>,
        member: Option<&Member>,
        part: BodyId,
    ) {
        begin_body(binder, member);
        let is_top_level =
            decl.is_some_and(|decl| self.facts.decls[decl as usize].kind == DeclKind::TopLevel);
        let result = if is_top_level {
            let args = self.c.array(self.c.special(Special::String), 1);
            binder.declare(self.c.name("args"), args, LocalSymbol::Implicit);
            self.c.special(Special::Int32)
        } else {
            binder.backing_field = self.backing_field(member);
            binder.is_this_fixed = self.fixes_this(decl, member, None);
            self.c.returned_type(member)
        };
        bind_returning(binder, result, Some(part));
    }

    /// Whether a member of a struct, or an accessor of it, is `readonly`, be it because the struct is.
    fn fixes_this(
        &self,
        decl: Option<DeclId>,
        member: Option<&Member>,
        accessor: Option<&Accessor>,
    ) -> bool {
        // Nothing else asks.
        let (Recording::On, Some(decl), Some(member)) = (self.recording, decl, member) else {
            return false;
        };
        let owner = self.c.def(member.owner).kind;
        let is_of_struct = matches!(owner, TypeKind::Struct | TypeKind::RecordStruct);
        let makes = member.kind == DeclKind::Constructor
            || accessor.is_some_and(|it| it.kind == AccessorKind::Init);
        let is_fixed = || {
            let decl = &self.facts.decls[decl as usize];
            let is_readonly = self.c.header(member.owner).flags.has(TypeFlags::READONLY);
            let own = [Some(decl.modifiers), accessor.map(|it| it.modifiers)];
            let mut own = own.into_iter().flatten();
            is_readonly || own.any(|it| it.contains(Modifier::Readonly))
        };
        is_of_struct && !member.is_static() && !makes && is_fixed()
    }
}

fn bind_returning(binder: &mut Binder<'_, '_>, result: Ty, body: Option<BodyId>) {
    let Some(body) = body else { return };
    binder.returns.push(Returns {
        ty: Some(result),
        found: Vec::new(),
        returns_nothing: false,
    });
    binder.bind_body(body);
    binder.returns.pop();
}

/// What the body of a member may give its first value.
fn initializes(member: Option<&Member>) -> Initializes {
    match member.map(|it| it.kind) {
        Some(DeclKind::Constructor) => Initializes::Object,
        Some(DeclKind::StaticConstructor) => Initializes::Statics,
        _ => Initializes::Nothing,
    }
}

/// Parameters and `this` as a body sees them.
fn begin_body(binder: &mut Binder<'_, '_>, member: Option<&Member>) {
    let Some(member) = member else { return };
    let has_this = !member.is_static() && !member.is(MemberFlags::EXTENSION_BLOCK);
    binder.instance = if has_this {
        Instance::This
    } else {
        Instance::Static
    };
    declare_params(binder, Some(member));
}

/// The receiver of an extension block, then the parameters.
fn declare_params(binder: &mut Binder<'_, '_>, member: Option<&Member>) {
    let Some(member) = member else { return };
    let signature = &member.signature;
    if let Some(receiver) = &signature.receiver {
        declare_param(binder, receiver, LocalSymbol::Receiver(member.id));
    }
    for (index, param) in signature.params.iter().enumerate() {
        let symbol = LocalSymbol::Parameter(member.id, index as u16);
        declare_param(binder, param, symbol);
    }
}

fn declare_param(binder: &mut Binder<'_, '_>, param: &Param, symbol: LocalSymbol) {
    if param.name == known::EMPTY {
        return;
    }
    binder.declare_local(Local {
        name: param.name,
        ty: param.ty,
        function: None,
        ref_kind: param.ref_kind,
        constant: None,
        is_constant: false,
        is_readonly: param.ref_kind.is_readonly(),
        symbol,
    });
}

fn bind_default(binder: &mut Binder<'_, '_>, member: Option<&Member>, part: BodyId) {
    let Some(value) = binder.first(part) else {
        return;
    };
    let index = binder.node(part).value as usize;
    let params = member.map(|member| &member.signature.params);
    match params.and_then(|params| params.get(index)) {
        Some(param) => binder.bind_to(value, param.ty),
        None => binder.bind_value(value),
    };
    binder.check_constant(value, ConstantFor::Default);
}

/// `: this(…)`, `: base(…)`, `: Base(…)`: a constructor without `this`.
fn bind_base_arguments(binder: &mut Binder<'_, '_>, member: Option<&Member>, part: BodyId) {
    let Some(arguments) = binder.first(part) else {
        return;
    };
    declare_params(binder, member);
    let node = binder.node(part);
    let this = binder.this_type();
    let ty = if node.flags == TO_THIS {
        this
    } else {
        binder.c.base_type(this).unwrap_or(Ty::ERROR)
    };
    let args = binder.bind_arguments(arguments);
    binder.call_constructor(ty, args, node.offset);
}

/// `[Name(arguments, Property = value)]` (§22.2).
pub(crate) fn bind_attribute(binder: &mut Binder<'_, '_>, member: Option<&Member>, part: BodyId) {
    let mut children = binder.children(part);
    let Some(name) = children.next() else { return };
    if names_parameters(binder, part) {
        declare_params(binder, member);
    }
    let ty = binder.bind_attribute_class(name);
    let mut args = Vec::new();
    let mut assigned = Vec::new();
    let arguments = children.next().map(|list| binder.children(list));
    for argument in arguments.into_iter().flatten() {
        let is_assignment = binder.body_kind(argument) == BodyKind::MemberInit;
        let mut parts = binder.children(argument);
        match (is_assignment, parts.next(), parts.next()) {
            (true, Some(target), Some(value)) => assigned.push((target, value)),
            (false, Some(value), _) => {
                args.push(Arg {
                    name: binder.argument_name(argument),
                    ref_kind: RefKind::None,
                    expr: binder.bind(value),
                });
                binder.check_constant(value, ConstantFor::Attribute);
            }
            _ => {}
        }
    }
    binder.call_constructor(ty, args, binder.start_of(name));
    for (target, value) in assigned {
        let ty = binder.initialized_member(ty, target);
        binder.bind_to(value, ty);
        binder.check_constant(value, ConstantFor::Attribute);
    }
}

/// Whether an attribute has a `nameof`, the only place there where parameters are in scope (§12.8.23).
fn names_parameters(binder: &Binder<'_, '_>, part: BodyId) -> bool {
    let end = binder.node(part).after;
    (part..end).any(|node| {
        binder.body_kind(node) == BodyKind::Name && binder.name_of(node) == known::NAMEOF
    })
}
