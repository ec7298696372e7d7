//! Members that the compiler makes of records (C# specification, §15.16; proposals for records and
//! record structs).

use cortex_model::{Accessibility, DeclKind, TypeKind};

use super::{
    Part,
    members::{Loader, Made},
};
use crate::{
    name::known,
    special::Special,
    symbol::{CallerInfo, MemberFlags, MemberId, Param, RefKind, TypeFlags},
    ty::Ty,
};

/// Properties made from the parameters of a record, where neither it nor a base type has them.
pub(super) fn add_positional(loader: &mut Loader<'_, '_>, at: Part, params: &[Param]) {
    let c = loader.c;
    let is_struct = loader.def.kind == TypeKind::RecordStruct;
    let is_readonly = !is_struct || c.header(loader.def.id).flags.has(TypeFlags::READONLY);
    for param in params {
        let is_declared = loader.members.iter().any(|member| {
            let kind = member.kind;
            member.name == param.name
                && !member.is(MemberFlags::EXPLICIT)
                && kind != DeclKind::Constructor
        });
        if is_declared {
            continue;
        }
        let inherited = inherited(loader, *param);
        let is_abstract = |id| c.member(id).is(MemberFlags::ABSTRACT);
        if inherited.is_some_and(|id| !is_abstract(id)) {
            continue;
        }
        let flags = MemberFlags::POSITIONAL
            .with(MemberFlags::GETTER)
            .with(MemberFlags::SETTER)
            .with_if(MemberFlags::READONLY, is_readonly)
            .with_if(MemberFlags::INIT, is_readonly)
            .with_if(MemberFlags::OVERRIDE, inherited.is_some());
        loader.add(Made {
            name: param.name,
            kind: DeclKind::Property,
            accessibility: Accessibility::Public,
            flags,
            params: &[],
            ty: param.ty,
            at,
        });
    }
    if !params.is_empty() {
        let types: Vec<Ty> = params.iter().map(|param| param.ty).collect();
        let outs: Vec<Param> = params
            .iter()
            .map(|param| Param {
                ref_kind: RefKind::Out,
                is_params: false,
                is_optional: false,
                caller: CallerInfo::None,
                ..*param
            })
            .collect();
        if !loader.declares(known::DECONSTRUCT, DeclKind::Method, &types) {
            let ty = c.special(Special::Void);
            add_method(
                loader,
                at,
                known::DECONSTRUCT,
                MemberFlags::SYNTHESIZED,
                &outs,
                ty,
            );
        }
    }
}

/// The property or field of a base type that stands for a parameter: of its name and type.
fn inherited(loader: &Loader<'_, '_>, param: Param) -> Option<MemberId> {
    let c = loader.c;
    // Deep chains of records are loaded one inside the other.
    if loader.def.kind != TypeKind::Record || c.caches.loading_members.borrow().len() > 64 {
        return None;
    }
    let base = c.header(loader.def.id).base?;
    for base in c.self_and_bases(base) {
        let def = c.def_of(base)?;
        for &id in c.members(def).named(param.name) {
            let member = c.member(id);
            let of = crate::symbol::Sym {
                member: id,
                container: base,
            };
            if member.accessibility == Accessibility::Private {
                continue;
            }
            let is_value = match member.kind {
                DeclKind::Property => member.is(MemberFlags::GETTER),
                DeclKind::Field => true,
                _ => false,
            };
            let is_same = c.without_names(c.type_of(of)) == c.without_names(param.ty);
            return (is_value && is_same && !member.is_static()).then_some(id);
        }
    }
    None
}

fn add_method(
    loader: &mut Loader<'_, '_>,
    at: Part,
    name: crate::name::Name,
    flags: MemberFlags,
    params: &[Param],
    ty: Ty,
) {
    loader.add(Made {
        name,
        kind: DeclKind::Method,
        accessibility: Accessibility::Public,
        flags,
        params,
        ty,
        at,
    });
}

/// What the members that the compiler makes for a record have in common.
struct Record {
    at: Part,
    this: Ty,
    /// The base record.
    base: Option<Ty>,
    is_final: bool,
    /// The flags of what the first record of a chain starts and those below override.
    first: MemberFlags,
}

impl Record {
    /// Of members that only derived records use.
    fn accessibility(&self) -> Accessibility {
        if self.base.is_none() && self.is_final {
            Accessibility::Private
        } else {
            Accessibility::Protected
        }
    }
}

const OVERRIDING: MemberFlags = MemberFlags::SYNTHESIZED.with(MemberFlags::OVERRIDE);

/// Equality, printing and copying.
pub(super) fn add(loader: &mut Loader<'_, '_>, at: Part, flags: TypeFlags) {
    let c = loader.c;
    let is_struct = loader.def.kind == TypeKind::RecordStruct;
    let is_final = is_struct || flags.has(TypeFlags::SEALED);
    let base = c.header(loader.def.id).base.filter(|_| !is_struct);
    let base = base.filter(|&base| !c.is_special(base, Special::Object) && !base.is_error());
    let record = Record {
        at,
        this: c.instance_type(loader.def.id),
        base,
        is_final,
        first: if base.is_some() {
            OVERRIDING
        } else {
            MemberFlags::SYNTHESIZED.with_if(MemberFlags::VIRTUAL, !is_final)
        },
    };
    if !is_struct {
        add_copying(loader, &record);
    }
    add_printing(loader, &record);
    add_equality(loader, &record);
}

fn param(loader: &Loader<'_, '_>, name: &str, ty: Ty) -> Param {
    Param {
        name: loader.c.name(name),
        ty,
        ref_kind: RefKind::None,
        is_params: false,
        is_optional: false,
        caller: CallerInfo::None,
    }
}

/// `EqualityContract`, the copy constructor and the method that calls it: record classes alone have them.
fn add_copying(loader: &mut Loader<'_, '_>, record: &Record) {
    let c = loader.c;
    let at = record.at;
    let contract = c.name("EqualityContract");
    if !loader.declares(contract, DeclKind::Property, &[]) {
        loader.add(Made {
            name: contract,
            kind: DeclKind::Property,
            accessibility: record.accessibility(),
            flags: (record.first)
                .with(MemberFlags::GETTER)
                .with(MemberFlags::READONLY),
            params: &[],
            ty: c.special(Special::Type),
            at,
        });
    }
    if !loader.declares(known::CTOR, DeclKind::Constructor, &[record.this]) {
        let original = param(loader, "original", record.this);
        loader.add(Made {
            name: known::CTOR,
            kind: DeclKind::Constructor,
            accessibility: if record.is_final {
                Accessibility::Private
            } else {
                Accessibility::Protected
            },
            flags: MemberFlags::SYNTHESIZED,
            params: &[original],
            ty: c.special(Special::Void),
            at,
        });
    }
    let clone = c.name("<Clone>$");
    add_method(loader, at, clone, record.first, &[], record.this);
}

/// `ToString` and `PrintMembers`.
fn add_printing(loader: &mut Loader<'_, '_>, record: &Record) {
    let c = loader.c;
    let at = record.at;
    if !loader.declares(known::TO_STRING, DeclKind::Method, &[]) {
        let text = c.special(Special::String);
        add_method(loader, at, known::TO_STRING, OVERRIDING, &[], text);
    }
    let builder = c.external_types_named(c.name("System.Text"), c.name("StringBuilder"));
    let builder = builder.first().map_or(Ty::ERROR, |&def| c.named(def, &[]));
    let print = c.name("PrintMembers");
    if !loader.declares(print, DeclKind::Method, &[builder]) {
        let param = param(loader, "builder", builder);
        loader.add(Made {
            name: print,
            kind: DeclKind::Method,
            accessibility: record.accessibility(),
            flags: record.first,
            params: &[param],
            ty: c.special(Special::Boolean),
            at,
        });
    }
}

/// The operators, `GetHashCode` and the methods `Equals`.
fn add_equality(loader: &mut Loader<'_, '_>, record: &Record) {
    let c = loader.c;
    let (at, this) = (record.at, record.this);
    let boolean = c.special(Special::Boolean);
    let operands = [param(loader, "left", this), param(loader, "right", this)];
    for name in [known::OP_EQUALITY, known::OP_INEQUALITY] {
        if !loader.declares(name, DeclKind::Operator, &[this, this]) {
            loader.add(Made {
                name,
                kind: DeclKind::Operator,
                accessibility: Accessibility::Public,
                flags: MemberFlags::SYNTHESIZED.with(MemberFlags::STATIC),
                params: &operands,
                ty: boolean,
                at,
            });
        }
    }
    if !loader.declares(known::GET_HASH_CODE, DeclKind::Method, &[]) {
        let ty = c.special(Special::Int32);
        add_method(loader, at, known::GET_HASH_CODE, OVERRIDING, &[], ty);
    }
    let object = param(loader, "obj", c.special(Special::Object));
    add_method(loader, at, known::EQUALS, OVERRIDING, &[object], boolean);
    if let Some(base) = record.base {
        let flags = OVERRIDING.with(MemberFlags::SEALED);
        let other = param(loader, "other", base);
        add_method(loader, at, known::EQUALS, flags, &[other], boolean);
    }
    if !loader.declares(known::EQUALS, DeclKind::Method, &[this]) {
        let flags = MemberFlags::SYNTHESIZED.with_if(MemberFlags::VIRTUAL, !record.is_final);
        let other = param(loader, "other", this);
        add_method(loader, at, known::EQUALS, flags, &[other], boolean);
    }
}
