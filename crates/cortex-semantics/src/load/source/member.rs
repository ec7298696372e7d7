//! One declaration of a member.

use cortex_model::{Accessibility, DeclKind, Modifier, TypeKind};
use cortex_syntax::{
    AccessorKind, Constraint, Decl, DeclId, FileFacts, TypeParam as TypeParamSyntax, TypeSyntax,
};

use super::{attributes, signature};
use crate::{
    compilation::Compilation,
    name::{Name, known},
    names::{Ignore, Scope},
    operator_names::operator_name,
    special::Special,
    symbol::{
        Member, MemberFlags, MemberId, MemberOrigin, Param, RefKind, Signature, TypeDef,
        TypeParamId, TypeParamOwner, UnitId,
    },
    ty::{Ty, TyKind},
};

/// Where a member is declared.
pub(super) struct Site<'a> {
    pub(super) unit: UnitId,
    pub(super) facts: &'a FileFacts,
    pub(super) decl: DeclId,
    /// The extension block around it.
    pub(super) block: Option<&'a Decl>,
}

impl Site<'_> {
    fn decl(&self) -> &Decl {
        &self.facts.decls[self.decl as usize]
    }
}

/// Binds the signature of a member. `scope`: the body of its type; it is given back as it was.
pub(super) fn member(
    c: &Compilation<'_>,
    def: &TypeDef,
    site: &Site<'_>,
    scope: &mut Scope,
) -> Member {
    let (facts, decl) = (site.facts, site.decl());
    let id = c.reserve_member();
    let outside = scope.type_params.len();
    let type_params = type_params(c, id, site, scope);
    let explicit = decl.bases.first();
    let explicit = explicit.map(|ty| c.bind_type(scope, facts, ty, &mut Ignore));
    let params = decl.params.iter().flatten();
    let mut params: Box<[Param]> = params
        .map(|param| signature::param(c, scope, facts, param))
        .collect();
    attributes::add_caller_infos(facts, decl, &mut params);
    let (ty, ref_kind) = result(c, def, facts, decl, scope);
    let receiver = site.block;
    let receiver = receiver.and_then(|block| signature::receiver(c, scope, facts, block));
    scope.type_params.truncate(outside);
    let accessor = |kinds: &[AccessorKind]| {
        let found = decl.accessors.iter().find(|it| kinds.contains(&it.kind));
        found.and_then(|it| it.accessibility)
    };
    let priority = attributes::arguments(facts, &decl.attributes, "OverloadResolutionPriority");
    let block_arity = site.block.map_or(0, |block| block.type_params.len());
    Member {
        id,
        name: name(c, facts, decl, params.len()),
        kind: decl.kind,
        owner: def.id,
        accessibility: accessibility(def, decl),
        flags: flags(def, site),
        origin: MemberOrigin::Source(site.unit, site.decl),
        signature: Signature {
            type_params,
            block_arity: block_arity as u16,
            receiver,
            params,
            ref_kind,
            explicit,
            priority: priority
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0),
            setter: accessor(&[AccessorKind::Set, AccessorKind::Init]),
            getter: accessor(&[AccessorKind::Get]),
            ..Signature::of_type(ty)
        },
    }
}

/// Makes the type parameters of a member, those of an extension block around it first, and leaves
/// them in scope.
fn type_params(
    c: &Compilation<'_>,
    id: MemberId,
    site: &Site<'_>,
    scope: &mut Scope,
) -> Box<[TypeParamId]> {
    let (facts, decl) = (site.facts, site.decl());
    let of_block = site.block.map_or(&[][..], |block| &block.type_params);
    let all = || of_block.iter().chain(&decl.type_params);
    if all().next().is_none() {
        return Box::default();
    }
    let ids: Box<[TypeParamId]> = all()
        .enumerate()
        .map(|(index, param)| {
            let name = c.name(facts.name(param.name));
            let id = c.new_type_param(TypeParamOwner::Method(id), index, name);
            scope.type_params.push((name, id));
            id
        })
        .collect();
    let inherits = decl.modifiers.contains(Modifier::Override) || !decl.bases.is_empty();
    for (&id, param) in ids.iter().zip(all()) {
        let mut constraints = signature::constraints(c, scope, facts, param);
        if inherits && param.constraints.is_empty() {
            // The constraints of what it overrides are its own; `T?` without `class` or `default` says
            // that they have `struct` (C# specification, §15.6.5).
            if !is_nullable_somewhere(facts, decl, param) {
                continue;
            }
            constraints.is_value = true;
        }
        if !(inherits && is_default(facts, param)) {
            let _ = c.type_param(id).constraints.set(constraints);
        }
    }
    ids
}

fn is_default(facts: &FileFacts, param: &TypeParamSyntax) -> bool {
    let is_it =
        |it: &Constraint| matches!(it, Constraint::Keyword(word) if facts.name(*word) == "default");
    param.constraints.iter().all(is_it)
}

/// Whether a signature has `T?`.
fn is_nullable_somewhere(facts: &FileFacts, decl: &Decl, param: &TypeParamSyntax) -> bool {
    let of_params = decl.params.iter().flatten().filter_map(|it| it.ty.as_ref());
    of_params
        .chain(&decl.ty)
        .any(|ty| has_nullable(facts, ty, facts.name(param.name)))
}

/// The depth is bounded by that of type syntax.
fn has_nullable(facts: &FileFacts, ty: &TypeSyntax, name: &str) -> bool {
    match ty {
        TypeSyntax::Nullable(inner) => match &**inner {
            TypeSyntax::Named(segments) if segments.len() == 1 => {
                let reference = facts.refs.get(segments[0].reference as usize);
                reference.is_some_and(|it| facts.name(it.name) == name)
            }
            inner => has_nullable(facts, inner, name),
        },
        TypeSyntax::Named(segments) => {
            let arguments = segments.iter().flat_map(|it| &it.arguments);
            arguments
                .into_iter()
                .any(|it| has_nullable(facts, it, name))
        }
        TypeSyntax::Array(inner, _)
        | TypeSyntax::Pointer(inner)
        | TypeSyntax::Ref(inner)
        | TypeSyntax::RefReadonly(inner) => has_nullable(facts, inner, name),
        TypeSyntax::Tuple(elements) => elements.iter().any(|(it, _)| has_nullable(facts, it, name)),
        TypeSyntax::FunctionPointer(_, parts) => {
            parts.iter().any(|it| has_nullable(facts, it, name))
        }
        TypeSyntax::Predefined(_) | TypeSyntax::Unknown => false,
    }
}

fn result(
    c: &Compilation<'_>,
    def: &TypeDef,
    facts: &FileFacts,
    decl: &Decl,
    scope: &Scope,
) -> (Ty, RefKind) {
    match (decl.kind, &decl.ty) {
        (DeclKind::EnumMember, _) => (c.instance_type(def.id), RefKind::None),
        (DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer, _) => {
            (c.special(Special::Void), RefKind::None)
        }
        (_, Some(ty)) => {
            let (ty, ref_kind) = signature::ref_type(c, scope, facts, ty);
            if decl.modifiers.contains(Modifier::Fixed) {
                return (c.intern(TyKind::Pointer(ty)), ref_kind);
            }
            (ty, ref_kind)
        }
        (_, None) => (Ty::ERROR, RefKind::None),
    }
}

fn name(c: &Compilation<'_>, facts: &FileFacts, decl: &Decl, n_params: usize) -> Name {
    let has = |modifier| decl.modifiers.contains(modifier);
    match decl.kind {
        DeclKind::Constructor => known::CTOR,
        DeclKind::StaticConstructor => known::CCTOR,
        DeclKind::Finalizer => known::FINALIZE,
        DeclKind::Indexer => known::ITEM,
        DeclKind::Conversion if has(Modifier::Implicit) => known::OP_IMPLICIT,
        DeclKind::Conversion if has(Modifier::Checked) => known::OP_CHECKED_EXPLICIT,
        DeclKind::Conversion => known::OP_EXPLICIT,
        DeclKind::Operator => {
            let token = facts.name(decl.name);
            let checked;
            let token = if has(Modifier::Checked) {
                checked = format!("checked {token}");
                &checked
            } else {
                token
            };
            c.name(operator_name(token, n_params).unwrap_or(token))
        }
        _ => c.name(facts.name(decl.name)),
    }
}

fn accessibility(def: &TypeDef, decl: &Decl) -> Accessibility {
    let default = match decl.kind {
        _ if !decl.bases.is_empty() => Accessibility::Private,
        DeclKind::StaticConstructor => Accessibility::Private,
        DeclKind::Finalizer => Accessibility::Protected,
        DeclKind::EnumMember => Accessibility::Public,
        _ if def.kind == TypeKind::Interface => Accessibility::Public,
        _ => Accessibility::Private,
    };
    decl.accessibility.unwrap_or(default)
}

/// Whether a declaration does something: has a body, or is field-like.
pub(super) fn has_body(decl: &Decl) -> bool {
    if decl.accessors.is_empty() {
        decl.body_range.start < decl.body_range.end
    } else {
        decl.accessors.iter().any(|accessor| accessor.has_body)
    }
}

/// Whether a value is assigned where the member is declared.
pub(super) fn is_initialized(decl: &Decl) -> bool {
    match decl.kind {
        DeclKind::Property => decl.value.is_some(),
        DeclKind::Field => decl.body_range.start < decl.body_range.end,
        DeclKind::Event => decl.accessors.is_empty() && decl.body_range.start < decl.body_range.end,
        _ => false,
    }
}

fn flags(def: &TypeDef, site: &Site<'_>) -> MemberFlags {
    let decl = site.decl();
    let has = |modifier| decl.modifiers.contains(modifier);
    let is_property = matches!(decl.kind, DeclKind::Property | DeclKind::Indexer);
    let accessor = |kind| decl.accessors.iter().any(|it| it.kind == kind);
    let is_arrow = is_property && decl.accessors.is_empty();
    let (init, set) = (accessor(AccessorKind::Init), accessor(AccessorKind::Set));
    let is_constant = matches!(decl.kind, DeclKind::Constant | DeclKind::EnumMember);
    let is_static = has(Modifier::Static) || is_constant;
    let is_explicit = !decl.bases.is_empty();
    let of_interface = in_interface(def, decl, is_static);
    let is_extension = is_static && super::header::declares_extension(decl);
    let conditional = attributes::find(site.facts, &decl.attributes, "Conditional").is_some();
    let is_partial = has(Modifier::Partial) && !has_body(decl) && !has(Modifier::Extern);
    MemberFlags::default()
        .with_if(MemberFlags::STATIC, is_static)
        .with_if(
            MemberFlags::ABSTRACT,
            has(Modifier::Abstract) || of_interface == Some(MemberFlags::ABSTRACT),
        )
        .with_if(
            MemberFlags::VIRTUAL,
            has(Modifier::Virtual) || of_interface == Some(MemberFlags::VIRTUAL),
        )
        .with_if(MemberFlags::OVERRIDE, has(Modifier::Override))
        .with_if(MemberFlags::SEALED, has(Modifier::Sealed))
        .with_if(MemberFlags::NEW, has(Modifier::New))
        .with_if(MemberFlags::EXTENSION, is_extension)
        .with_if(MemberFlags::EXTENSION_BLOCK, site.block.is_some())
        .with_if(
            MemberFlags::READONLY,
            has(Modifier::Readonly) || is_constant || is_property && !set,
        )
        .with_if(MemberFlags::REQUIRED, has(Modifier::Required))
        .with_if(
            MemberFlags::GETTER,
            is_property && (is_arrow || accessor(AccessorKind::Get)),
        )
        .with_if(MemberFlags::SETTER, is_property && (set || init))
        .with_if(MemberFlags::INIT, is_property && init)
        .with_if(MemberFlags::EXPLICIT, is_explicit)
        .with_if(MemberFlags::CONST, is_constant)
        .with_if(
            MemberFlags::IMPLICIT,
            decl.kind == DeclKind::Conversion && has(Modifier::Implicit),
        )
        .with_if(MemberFlags::ASYNC, has(Modifier::Async))
        .with_if(MemberFlags::PARTIAL_DEFINITION, is_partial)
        .with_if(MemberFlags::EXTERN, has(Modifier::Extern))
        .with_if(MemberFlags::CONDITIONAL, conditional)
        .with_if(MemberFlags::CHECKED, has(Modifier::Checked))
}

/// What a member of an interface is where no modifier says it (§19.4.1).
fn in_interface(def: &TypeDef, decl: &Decl, is_static: bool) -> Option<MemberFlags> {
    let is_overridable = matches!(
        decl.kind,
        DeclKind::Method | DeclKind::Property | DeclKind::Indexer | DeclKind::Event
    );
    let is_private = decl.accessibility == Some(Accessibility::Private);
    if def.kind != TypeKind::Interface
        || !is_overridable
        || is_static
        || !decl.bases.is_empty()
        || decl.modifiers.contains(Modifier::Sealed)
    {
        return None;
    }
    if !has_body(decl) && !decl.modifiers.contains(Modifier::Extern) {
        Some(MemberFlags::ABSTRACT)
    } else {
        (!is_private).then_some(MemberFlags::VIRTUAL)
    }
}
