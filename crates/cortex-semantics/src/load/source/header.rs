//! The head of a type, over all its declarations.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{Decl, DeclId, FileFacts, TypeParam};

use super::{Part, attributes, children, parts, signature};
use crate::{
    compilation::Compilation,
    names::{Ignore, Position},
    special::Special,
    symbol::{TypeDef, TypeFlags, TypeHeader, TypeParamId},
    ty::Ty,
};

pub(crate) fn header(c: &Compilation<'_>, def: &TypeDef) -> TypeHeader {
    let parts = parts(c, def);
    name_type_params(c, def, &parts);
    let mut header = TypeHeader::default();
    let mut interfaces = Vec::new();
    for part in &parts {
        let facts = c.unit(part.unit).facts(c);
        let decl = &facts.decls[part.decl as usize];
        header.flags = header.flags.with(flags(&facts, part.decl, decl));
        let says_more = !decl.bases.is_empty() || decl.ty.is_some() || !decl.attributes.is_empty();
        if !says_more || def.kind == TypeKind::Delegate {
            continue;
        }
        let scope = c.scope_of(part.unit, Some(part.decl), Position::Header);
        for (index, base) in decl.bases.iter().enumerate() {
            let ty = c.bind_type(&scope, &facts, base, &mut Ignore);
            match c.type_kind(ty) {
                Some(TypeKind::Interface) if !interfaces.contains(&ty) => interfaces.push(ty),
                Some(TypeKind::Class | TypeKind::Record) if is_class(def) => {
                    header.base = Some(ty);
                }
                // Where it cannot be bound, the first may be the base class.
                None if index == 0 && ty.is_error() && is_class(def) => {
                    header.base = header.base.or(Some(ty));
                }
                _ => {}
            }
        }
        if def.kind == TypeKind::Enum {
            let underlying = decl.ty.as_ref();
            header.underlying = underlying.map(|ty| c.bind_type(&scope, &facts, ty, &mut Ignore));
        }
        if let Some(arguments) =
            attributes::arguments(&facts, &decl.attributes, "CollectionBuilder")
        {
            header.collection_builder = attributes::collection_builder(c, &scope, arguments);
        }
        header.is_task_like |=
            attributes::find(&facts, &decl.attributes, "AsyncMethodBuilder").is_some();
    }
    if matches!(def.kind, TypeKind::Record | TypeKind::RecordStruct) {
        let equatable = c.special_of(Special::IEquatable, &[c.instance_type(def.id)]);
        if !equatable.is_error() && !interfaces.contains(&equatable) {
            interfaces.push(equatable);
        }
    }
    header.interfaces = interfaces.into();
    header.base = header.base.or_else(|| default_base(c, def));
    if def.kind == TypeKind::Enum {
        header.underlying = header.underlying.or(Some(c.special(Special::Int32)));
    }
    let always = match def.kind {
        TypeKind::Interface => TypeFlags::ABSTRACT,
        TypeKind::Class | TypeKind::Record => TypeFlags::default(),
        _ => TypeFlags::SEALED,
    };
    header.flags = header.flags.with(always);
    header
}

fn is_class(def: &TypeDef) -> bool {
    matches!(def.kind, TypeKind::Class | TypeKind::Record)
}

fn default_base(c: &Compilation<'_>, def: &TypeDef) -> Option<Ty> {
    let special = match def.kind {
        TypeKind::Class | TypeKind::Record => Special::Object,
        TypeKind::Struct | TypeKind::RecordStruct => Special::ValueType,
        TypeKind::Enum => Special::Enum,
        TypeKind::Delegate => Special::MulticastDelegate,
        TypeKind::Interface => return None,
    };
    let base = c.well_known(special).filter(|&base| base != def.id)?;
    Some(c.named(base, &[]))
}

fn flags(facts: &FileFacts, id: DeclId, decl: &Decl) -> TypeFlags {
    let has = |modifier| decl.modifiers.contains(modifier);
    let is_static = has(Modifier::Static);
    let attribute = |class| attributes::find(facts, &decl.attributes, class).is_some();
    TypeFlags::default()
        .with_if(TypeFlags::STATIC, is_static)
        .with_if(TypeFlags::ABSTRACT, has(Modifier::Abstract))
        .with_if(TypeFlags::SEALED, has(Modifier::Sealed) || is_static)
        .with_if(TypeFlags::REF_LIKE, has(Modifier::Ref))
        .with_if(TypeFlags::READONLY, has(Modifier::Readonly))
        .with_if(
            TypeFlags::RECORD,
            matches!(decl.kind, DeclKind::Record | DeclKind::RecordStruct),
        )
        .with_if(
            TypeFlags::STRING_HANDLER,
            attribute("InterpolatedStringHandler"),
        )
        .with_if(
            TypeFlags::EXTENSIONS,
            is_static && children(facts, id).any(|(_, child)| declares_extension(child)),
        )
}

/// Whether a declaration is an extension block or a method with `this`.
pub(crate) fn declares_extension(decl: &Decl) -> bool {
    let this = |params: &Vec<cortex_syntax::Param>| {
        let first = params.first();
        first.is_some_and(|it| it.modifiers.contains(Modifier::This))
    };
    decl.kind == DeclKind::Extension
        || decl.kind == DeclKind::Method && decl.params.as_ref().is_some_and(this)
}

/// First of all: binding a base list asks for these names.
fn name_type_params(c: &Compilation<'_>, def: &TypeDef, parts: &[Part]) {
    let Some(part) = parts.first().filter(|_| def.arity > 0) else {
        return;
    };
    let facts = c.unit(part.unit).facts(c);
    let params = &facts.decls[part.decl as usize].type_params;
    for (&id, param) in own_params(def).iter().zip(params) {
        c.type_param(id).name.set(c.name(facts.name(param.name)));
    }
}

fn own_params(def: &TypeDef) -> &[TypeParamId] {
    &def.type_params[def.type_params.len() - usize::from(def.arity)..]
}

pub(crate) fn type_constraints(c: &Compilation<'_>, def: &TypeDef) {
    if def.arity == 0 || c.caches.constraining.borrow().contains(&def.id) {
        return;
    }
    // A constraint that asks for the constraints beside it (`where T : I<T?>`) finds none yet.
    c.caches.constraining.borrow_mut().push(def.id);
    let mut found = vec![None; usize::from(def.arity)];
    for part in parts(c, def) {
        let facts = c.unit(part.unit).facts(c);
        let decl = &facts.decls[part.decl as usize];
        let is_first = found[0].is_none();
        let says_nothing = |it: &TypeParam| it.constraints.is_empty();
        if !is_first && decl.type_params.iter().all(says_nothing) {
            continue;
        }
        let scope = c.scope_of(part.unit, Some(part.decl), Position::Header);
        for (slot, param) in found.iter_mut().zip(&decl.type_params) {
            if slot.is_none() || !param.constraints.is_empty() {
                *slot = Some(signature::constraints(c, &scope, &facts, param));
            }
        }
    }
    for (&id, found) in own_params(def).iter().zip(found) {
        // Set before where two questions for constraints met: the answers are equal.
        let _ = c.type_param(id).constraints.set(found.unwrap_or_default());
    }
    c.caches.constraining.borrow_mut().pop();
}
