//! Constructors and other members that the compiler makes of a type that is no record.

use cortex_model::{Accessibility, DeclKind, TypeKind};

use super::{
    Part,
    members::{Loader, Made},
    records, signature,
};
use crate::{
    name::known,
    names::Position,
    special::Special,
    symbol::{CallerInfo, MemberFlags, Param, RefKind, TypeFlags},
    ty::Ty,
};

/// Adds what no declaration says, after all declarations.
pub(super) fn add(loader: &mut Loader<'_, '_>, parts: &[Part]) {
    let Some(&at) = parts.first() else {
        return;
    };
    let flags = loader.c.header(loader.def.id).flags;
    let has_constructor = |loader: &Loader<'_, '_>| {
        let mut members = loader.members.iter();
        members.any(|member| member.kind == DeclKind::Constructor)
    };
    match loader.def.kind {
        TypeKind::Interface => {}
        TypeKind::Delegate => add_delegate(loader, at),
        TypeKind::Class if flags.has(TypeFlags::STATIC) => {}
        TypeKind::Class => {
            if !has_constructor(loader) {
                add_constructor(loader, at, MemberFlags::SYNTHESIZED, &[]);
            }
        }
        TypeKind::Enum | TypeKind::Struct => {
            if !loader.declares(known::CTOR, DeclKind::Constructor, &[]) {
                add_constructor(loader, at, MemberFlags::SYNTHESIZED, &[]);
            }
        }
        TypeKind::Record | TypeKind::RecordStruct => {
            let needs_default = if loader.def.kind == TypeKind::Record {
                !has_constructor_but_copy(loader)
            } else {
                !loader.declares(known::CTOR, DeclKind::Constructor, &[])
            };
            if needs_default {
                add_constructor(loader, at, MemberFlags::SYNTHESIZED, &[]);
            }
            records::add(loader, at, flags);
        }
    }
    if loader.has_static_initializer
        && !loader.declares(known::CCTOR, DeclKind::StaticConstructor, &[])
    {
        let ty = loader.c.special(Special::Void);
        loader.add(Made {
            name: known::CCTOR,
            kind: DeclKind::StaticConstructor,
            accessibility: Accessibility::Private,
            flags: MemberFlags::SYNTHESIZED.with(MemberFlags::STATIC),
            params: &[],
            ty,
            at,
        });
    }
}

/// A record that declares its copy constructor alone still gets a default one.
fn has_constructor_but_copy(loader: &Loader<'_, '_>) -> bool {
    let own = loader.c.instance_type(loader.def.id);
    let mut members = loader.members.iter();
    members.any(|member| {
        member.kind == DeclKind::Constructor
            && !matches!(&*member.signature.params, [param] if param.ty == own)
    })
}

/// The constructor made from a type's parameter list.
pub(super) fn add_primary(loader: &mut Loader<'_, '_>, at: Part, params: &[Param]) {
    add_constructor(loader, at, MemberFlags::PRIMARY, params);
}

/// §15.11.5: protected in an abstract class.
fn add_constructor(loader: &mut Loader<'_, '_>, at: Part, flags: MemberFlags, params: &[Param]) {
    let of_type = loader.c.header(loader.def.id).flags;
    let accessibility = if of_type.has(TypeFlags::ABSTRACT) {
        Accessibility::Protected
    } else {
        Accessibility::Public
    };
    let ty = loader.c.special(Special::Void);
    loader.add(Made {
        name: known::CTOR,
        kind: DeclKind::Constructor,
        accessibility,
        flags,
        params,
        ty,
        at,
    });
}

/// §7.1.3: top-level statements are the body of a method whose name no program can write.
pub(super) fn add_main(loader: &mut Loader<'_, '_>, at: Part) {
    let c = loader.c;
    let args = Param {
        name: c.name("args"),
        ty: c.array(c.special(Special::String), 1),
        ref_kind: RefKind::None,
        is_params: false,
        is_optional: false,
        caller: CallerInfo::None,
    };
    loader.add(Made {
        name: c.name("<Main>$"),
        kind: DeclKind::Method,
        accessibility: Accessibility::Private,
        flags: MemberFlags::STATIC,
        params: &[args],
        ty: c.special(Special::Void),
        at,
    });
    if let Some(main) = loader.members.last() {
        loader.remember(at.unit, at.decl, main);
    }
}

fn add_delegate(loader: &mut Loader<'_, '_>, at: Part) {
    let c = loader.c;
    let facts = c.unit(at.unit).facts(c);
    let decl = &facts.decls[at.decl as usize];
    let scope = c.scope_of(at.unit, Some(at.decl), Position::Header);
    let ty = decl.ty.as_ref();
    let (ty, ref_kind) = ty.map_or((Ty::ERROR, RefKind::None), |ty| {
        signature::ref_type(c, &scope, &facts, ty)
    });
    let params = loader.primary.take().map_or_else(Box::default, |it| it.1);
    let of = |name: &str, ty| Param {
        name: c.name(name),
        ty,
        ref_kind: RefKind::None,
        is_params: false,
        is_optional: false,
        caller: CallerInfo::None,
    };
    let system = |name: &str| {
        let found = c.external_types_named(known::SYSTEM, c.name(name));
        found.first().map_or(Ty::ERROR, |&def| c.named(def, &[]))
    };
    let virtual_method = MemberFlags::SYNTHESIZED.with(MemberFlags::VIRTUAL);
    let mut add = |name, kind, flags, params: &[Param], ty, at| {
        loader.add(Made {
            name,
            kind,
            accessibility: Accessibility::Public,
            flags,
            params,
            ty,
            at,
        });
    };
    let method = DeclKind::Method;
    add(known::INVOKE, method, virtual_method, &params, ty, at);
    let construction = [
        of("object", c.special(Special::Object)),
        of("method", c.special(Special::IntPtr)),
    ];
    add(
        known::CTOR,
        DeclKind::Constructor,
        MemberFlags::SYNTHESIZED,
        &construction,
        c.special(Special::Void),
        at,
    );
    let mut begin = params.to_vec();
    begin.push(of("callback", system("AsyncCallback")));
    begin.push(of("object", c.special(Special::Object)));
    let result = system("IAsyncResult");
    let by_reference = params.iter().copied();
    let mut end: Vec<Param> = by_reference
        .filter(|param| param.ref_kind != RefKind::None)
        .collect();
    end.push(of("result", result));
    let (begin_name, end_name) = (c.name("BeginInvoke"), c.name("EndInvoke"));
    add(begin_name, method, virtual_method, &begin, result, at);
    add(end_name, method, virtual_method, &end, ty, at);
    if let Some(invoke) = loader
        .members
        .iter_mut()
        .find(|it| it.name == known::INVOKE)
    {
        invoke.signature.ref_kind = ref_kind;
    }
}
