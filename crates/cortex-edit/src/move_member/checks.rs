//! Which members can go to which types.

use cortex_derived::doc_ids::DocIds;
use cortex_derived::target::Target;
use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, Modifier, TypeKind};
use cortex_semantics::{Compilation, MemberFlags, TypeId};

use super::{MoveMember, TypeName, with_outer};
use crate::{
    EditError,
    located::{Declaration, Located},
    member::{MemberAction, MemberEdit, Place},
    rename::{declared, global::member_of},
};

/// Refuses what cannot move; the names of the type that has the member and of the one that gets it.
///
/// # Errors
/// [`EditError::Refused`], [`EditError::NoChange`]; those of the index.
pub(super) fn check(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &MoveMember<'_>,
    (member, target): (&Located, &Located),
) -> Result<(TypeName, TypeName), EditError> {
    let (view, symbols) = views[0];
    let is_type = |it: &Declaration| it.decl().kind.type_kind().is_some();
    let refused = |reason: &str, help: &str| Err(request.refused(reason, help));
    if !is_type(&target.declarations[0]) {
        return refused(
            "it can only go into a type",
            "name a class, struct or record",
        );
    }
    let [declaration] = member.declarations.as_slice() else {
        return refused("it is declared in several places", "join its parts first");
    };
    check_declaration(request, declaration)?;
    let mut ids = DocIds::new(view.snapshot());
    let Target::Member(key, tag) = member.symbols[0] else {
        return refused(
            "it is no static member",
            "give a namespace or path for a type",
        );
    };
    let doc_id = ids.of(key, Some(tag))?;
    symbols.read(|compilation| {
        let check = || -> Result<_, EditError> {
            let source = declared::type_id(compilation, member.symbols[0].key())?;
            let target = declared::type_id(compilation, target.symbols[0].key())?;
            if source == target {
                return Err(EditError::NoChange {
                    doing: request.title(),
                });
            }
            let found = member_of(compilation, source, doc_id.as_deref());
            let accessibility = found.map(|it| compilation.member(it).accessibility);
            if matches!(
                accessibility,
                Some(
                    Accessibility::Protected
                        | Accessibility::PrivateProtected
                        | Accessibility::ProtectedInternal
                )
            ) {
                let help = "make it `internal` or `public` first";
                return Err(request.refused("it is protected", help));
            }
            for ty in [source, target] {
                check_type(compilation, request, ty)?;
            }
            Ok((
                TypeName::of(compilation, source),
                TypeName::of(compilation, target),
            ))
        };
        Ok(check())
    })?
}

fn check_declaration(request: &MoveMember<'_>, member: &Declaration) -> Result<(), EditError> {
    let decl = member.decl();
    let refused = |reason: &str, help: &str| Err(request.refused(reason, help));
    let has = |modifier| decl.modifiers.contains(modifier);
    let is_movable = matches!(
        decl.kind,
        DeclKind::Method | DeclKind::Property | DeclKind::Field | DeclKind::Constant
    );
    let is_static = has(Modifier::Static) || decl.kind == DeclKind::Constant;
    if !is_movable || !is_static {
        let help = "only static methods, properties, fields and constants can move";
        return refused("it is no static member", help);
    }
    if !decl.bases.is_empty() {
        return refused("it belongs to an interface", "move another member");
    }
    if has(Modifier::New) {
        return refused("it hides an inherited member", "give it another name first");
    }
    if has(Modifier::Partial) {
        return refused("it is partial", "join its parts first");
    }
    let first = decl.params.as_ref().and_then(|params| params.first());
    if first.is_some_and(|it| it.modifiers.contains(Modifier::This)) {
        let help = "move the whole type, which code imports by its namespace";
        return refused("it is an extension method", help);
    }
    let text = &member.text[decl.range.as_usize()];
    if text.lines().any(|line| line.trim_start().starts_with('#')) {
        return refused("it has preprocessor directives in it", "remove them first");
    }
    let edit = MemberEdit {
        symbol: request.symbol,
        file: None,
        action: MemberAction::Add { text: "" },
    };
    if let Some(other) = Place::new(member, &edit).shares_declaration() {
        let reason = format!("it is declared together with `{other}`");
        return Err(request.refused(reason, "declare it alone first"));
    }
    let has_value = decl.body_range.start < decl.body_range.end || decl.value.is_some();
    if decl.kind == DeclKind::Field && has(Modifier::Readonly) && !has_value {
        let help = "give it an initializer first";
        return refused("a static constructor gives it its value", help);
    }
    Ok(())
}

/// Refuses types that members cannot leave or enter so.
fn check_type(
    compilation: &Compilation<'_>,
    request: &MoveMember<'_>,
    ty: TypeId,
) -> Result<(), EditError> {
    let name = compilation.display_type(compilation.instance_type(ty));
    let def = compilation.def(ty);
    if !matches!(
        def.kind,
        TypeKind::Class | TypeKind::Struct | TypeKind::Record | TypeKind::RecordStruct
    ) {
        let reason = format!("`{name}` is no class, struct or record");
        return Err(request.refused(reason, "name another type"));
    }
    if !def.type_params.is_empty() {
        let reason = format!("`{name}` is generic: each of its types has a member of its own");
        return Err(request.refused(reason, "move it between types that are not"));
    }
    for ty in with_outer(compilation, ty) {
        let members = compilation.members(ty).all.iter();
        let mut members = members.map(|&it| compilation.member(it));
        let is_written = |it: &cortex_semantics::Member| {
            it.kind == DeclKind::StaticConstructor && !it.is(MemberFlags::SYNTHESIZED)
        };
        if members.any(is_written) {
            let reason = format!("`{name}` has a static constructor, which uses of members run");
            return Err(request.refused(reason, "make initializers of it first"));
        }
    }
    Ok(())
}
