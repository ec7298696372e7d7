//! Which types can go out of the types around them, and into which types.

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, Modifier, TypeKind};
use cortex_semantics::{Compilation, MemberFlags, TypeId};

use super::{NestType, has, outer_types};
use crate::{
    EditError,
    accessible::accessibility,
    located::{Declaration, Located},
    move_member::TypeName,
    rename::declared,
    usings::is_conditional,
};

/// What the checks find.
pub(super) struct Checked {
    pub(super) old: TypeName,
    pub(super) new: TypeName,
    pub(super) accessibility: Accessibility,
}

/// Refuses what cannot move so.
///
/// # Errors
/// [`EditError::Refused`], [`EditError::NoChange`]; those of the index.
pub(super) fn check(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &NestType<'_>,
    (located, target): (&Located, Option<&Located>),
) -> Result<Checked, EditError> {
    let [declaration] = located.declarations.as_slice() else {
        return Err(request.refused("it is declared in several places", "join its parts first"));
    };
    check_declaration(request, declaration)?;
    if let Some(target) = target {
        check_target(request, &target.declarations)?;
        check_projects(views, request, (declaration, &target.declarations))?;
    }
    let mut checked = None;
    for (_, symbols) in views {
        let found = symbols.read(|c| {
            let check = || -> Result<Checked, EditError> {
                let ty = declared::type_id(c, located.symbols[0].key())?;
                match target {
                    None => check_out(c, request, declaration, ty),
                    Some(target) => {
                        let target = declared::type_id(c, target.symbols[0].key())?;
                        check_into(c, request, declaration, (ty, target))
                    }
                }
            };
            Ok(check())
        })??;
        checked.get_or_insert(found);
    }
    Ok(checked.expect("there is a view at least"))
}

fn check_declaration(request: &NestType<'_>, at: &Declaration) -> Result<(), EditError> {
    let refused = |reason: &str, help: &str| Err(request.refused(reason, help));
    if has(at, Modifier::Partial) {
        return refused("it is partial", "join its parts first");
    }
    if has(at, Modifier::New) {
        return refused("it hides an inherited type", "give it another name first");
    }
    // CS9054: a type that only its file sees stands in no other one.
    if at.decl().accessibility == Some(Accessibility::File) {
        return refused("only its own file sees it", "remove `file` first");
    }
    let text = &at.text[at.decl().range.as_usize()];
    let mut directives = text
        .lines()
        .map(str::trim_start)
        .filter(|it| it.starts_with('#'));
    let is_region = |it: &str| it.contains("region");
    if !directives.all(is_region) {
        return refused("it has preprocessor directives in it", "remove them first");
    }
    let n_ends = text.matches("#endregion").count();
    if text.matches("#region").count() != n_ends {
        return refused("a `#region` begins or ends in it", "remove it first");
    }
    if is_conditional(&at.text[..at.decl().range.start as usize]) {
        return refused("it stands in an `#if`", "move it out of there first");
    }
    Ok(())
}

fn check_target(request: &NestType<'_>, target: &[Declaration]) -> Result<(), EditError> {
    let kinds = |it: &Declaration| it.decl().kind.type_kind();
    let is_place = |it: &Declaration| {
        matches!(
            kinds(it),
            Some(TypeKind::Class | TypeKind::Struct | TypeKind::Record | TypeKind::RecordStruct)
        )
    };
    if !target.iter().all(is_place) {
        let help = "name a class, struct or record";
        return Err(request.refused("it can only go into a type with members", help));
    }
    if target
        .iter()
        .any(|it| is_conditional(&it.text[..it.decl().range.end as usize]))
    {
        return Err(request.refused("an `#if` stands in the other type", "name another type"));
    }
    Ok(())
}

/// Refuses a type that other projects compile than the one that it goes into.
fn check_projects(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &NestType<'_>,
    (declaration, target): (&Declaration, &[Declaration]),
) -> Result<(), EditError> {
    for (_, symbols) in views {
        let own = symbols.projects_of(&declaration.path)?;
        for part in target {
            let other = symbols.projects_of(&part.path)?;
            if own != other {
                let names = [&own, &other].map(|all| {
                    let names = all.iter().map(|&it| &symbols.projects()[it].project.path);
                    names
                        .map(|it| format!("`{it}`"))
                        .collect::<Vec<_>>()
                        .join(", ")
                });
                let reason = format!("{} compiles it, and {} the other type", names[0], names[1]);
                return Err(request.refused(reason, "move its file to that project first"));
            }
        }
    }
    Ok(())
}

fn check_out(
    c: &Compilation<'_>,
    request: &NestType<'_>,
    declaration: &Declaration,
    ty: TypeId,
) -> Result<Checked, EditError> {
    let outer = outer_types(c, ty);
    if outer.is_empty() {
        return Err(request.refused("it is in no other type", "give a namespace or a path"));
    }
    let display = |it: TypeId| c.display_type(c.instance_type(it));
    if let Some(&generic) = outer.iter().find(|&&it| c.def(it).arity > 0) {
        let reason = format!(
            "`{}` around it is generic: each of its types has one",
            display(generic)
        );
        return Err(request.refused(reason, "move a type of a class without type parameters"));
    }
    let own = c.def(ty).accessibility;
    if matches!(
        own,
        Accessibility::Protected | Accessibility::ProtectedInternal
    ) {
        let help = "make it `internal` or `public` first";
        return Err(request.refused(
            "it is protected, which a type of a namespace cannot be",
            help,
        ));
    }
    let def = c.def(ty);
    let all = [
        c.source_types_named(def.name),
        c.external_types_named(def.namespace, def.name),
    ];
    let is_there = all.iter().flat_map(|it| it.iter()).any(|&it| {
        let other = c.def(it);
        other.namespace == def.namespace && other.outer.is_none() && other.arity == def.arity
    });
    if is_there {
        let reason = format!("`{}` is another type of the namespace", declaration.name());
        return Err(request.refused(reason, "give one of them another name first"));
    }
    let old = TypeName::of(c, ty);
    let is_public = accessibility(c, ty) == Accessibility::Public;
    Ok(Checked {
        new: TypeName {
            namespace: old.namespace.clone(),
            path: declaration.name().to_owned(),
        },
        old,
        accessibility: match is_public {
            true => Accessibility::Public,
            false => Accessibility::Internal,
        },
    })
}

fn check_into(
    c: &Compilation<'_>,
    request: &NestType<'_>,
    declaration: &Declaration,
    (ty, target): (TypeId, TypeId),
) -> Result<Checked, EditError> {
    let refused = |reason: String, help: &str| Err(request.refused(reason, help));
    let display = |it: TypeId| c.display_type(c.instance_type(it));
    let def = c.def(ty);
    let around: Vec<TypeId> = std::iter::once(target)
        .chain(outer_types(c, target))
        .collect();
    if around.contains(&ty) {
        return refused(
            "the other type is inside of it".to_owned(),
            "name another type",
        );
    }
    if def.outer.is_some() {
        return refused(
            "it is in a type already".to_owned(),
            "move it out of that first",
        );
    }
    if let Some(&generic) = around.iter().find(|&&it| c.def(it).arity > 0) {
        let reason = format!(
            "`{}` is generic: each of its types would have one",
            display(generic)
        );
        return refused(reason, "name a type without type parameters");
    }
    let instance = c.instance_type(target);
    let bases = c.self_and_bases(instance).filter_map(|it| c.def_of(it));
    let interfaces = c.all_interfaces(instance);
    let interfaces = interfaces.iter().filter_map(|&it| c.def_of(it));
    if bases.chain(interfaces).any(|it| it == ty) {
        return refused(
            "the other type derives from it".to_owned(),
            "name another type",
        );
    }
    let has_extensions = c.members(ty).all.iter().any(|&it| {
        let member = c.member(it);
        member.is(MemberFlags::EXTENSION) || member.is(MemberFlags::EXTENSION_BLOCK)
    });
    if has_extensions
        || declaration
            .children()
            .any(|it| it.kind == DeclKind::Extension)
    {
        let help = "a type inside of another one cannot have any";
        return refused("it has extension methods".to_owned(), help);
    }
    let (own, limit) = (def.accessibility, accessibility(c, target));
    if limit < own {
        let reason = format!("`{}` is less accessible than it", display(target));
        return refused(reason, "name another type");
    }
    let is_named = c.text(c.def(target).name) == declaration.name()
        || !c.members(target).named(def.name).is_empty()
        || !c.nested_types(target, def.name).is_empty();
    if is_named {
        let reason = format!("`{}` has something of that name", display(target));
        return refused(reason, "give one of them another name first");
    }
    let outer = TypeName::of(c, target);
    Ok(Checked {
        old: TypeName::of(c, ty),
        new: TypeName {
            namespace: outer.namespace,
            path: format!("{}.{}", outer.path, declaration.name()),
        },
        accessibility: own,
    })
}
