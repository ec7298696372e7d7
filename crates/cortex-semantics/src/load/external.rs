//! Types and members of assemblies from outside.
//!
//! Must not know: how metadata is read.

use cortex_metadata::{
    ConstantValue, ExternalMember, ExternalParam, ExternalType, ExternalTypeParam, MemberKind,
    Primitive, RefKind as ExternalRefKind, SigType, TypeRow, Variance as ExternalVariance,
};
use cortex_model::{Accessibility, DeclKind};

use super::table;
use crate::{
    compilation::Compilation,
    name::{Name, known},
    special::Special,
    symbol::{
        CallerInfo, Constraints, ExternalId, Member, MemberFlags, MemberId, MemberOrigin,
        MemberTable, Param, RefKind, Signature, TypeDef, TypeFlags, TypeHeader, TypeParamId,
        TypeParamOwner, Variance,
    },
    ty::{Ty, TyKind},
};

/// Signatures nested deeper are unknown.
const MAX_DEPTH: u32 = 64;

pub(crate) fn header(
    c: &Compilation<'_>,
    def: &TypeDef,
    assembly: ExternalId,
    row: TypeRow,
) -> TypeHeader {
    let ty = c.world.externals()[assembly.index()].type_def(row);
    for (&id, param) in def.type_params.iter().zip(&ty.type_params) {
        c.type_param(id).name.set(c.name(&param.name));
    }
    let reader = Reader::of_type(c, def);
    TypeHeader {
        base: ty.base.as_ref().map(|base| reader.ty(base)),
        interfaces: ty.interfaces.iter().map(|it| reader.ty(it)).collect(),
        underlying: ty
            .enum_underlying
            .map(|primitive| c.special(special(primitive))),
        flags: flags(&ty),
        collection_builder: ty.attributes.collection_builder.as_ref().and_then(
            |(builder, method)| {
                let builder = c.external_named_sig(builder)?;
                Some((c.named(builder, &[]), c.name(method)))
            },
        ),
        is_task_like: ty.attributes.async_method_builder.is_some(),
    }
}

fn flags(ty: &ExternalType) -> TypeFlags {
    TypeFlags::default()
        .with_if(TypeFlags::STATIC, ty.is_static)
        .with_if(TypeFlags::ABSTRACT, ty.is_abstract)
        .with_if(TypeFlags::SEALED, ty.is_sealed || ty.is_static)
        .with_if(TypeFlags::REF_LIKE, ty.is_ref_like)
        .with_if(TypeFlags::READONLY, ty.is_readonly)
        .with_if(
            TypeFlags::STRING_HANDLER,
            ty.attributes.is_interpolated_string_handler,
        )
        .with_if(TypeFlags::EXTENSIONS, ty.attributes.has_extensions)
}

pub(crate) fn type_constraints(
    c: &Compilation<'_>,
    def: &TypeDef,
    assembly: ExternalId,
    row: TypeRow,
) {
    let ty = c.world.externals()[assembly.index()].type_def(row);
    let reader = Reader::of_type(c, def);
    // Those of the types around it are theirs.
    let first = def.type_params.len() - usize::from(def.arity);
    let own = def.type_params.iter().zip(&ty.type_params).skip(first);
    for (&id, param) in own {
        reader.set_constraints(id, param);
    }
}

pub(crate) fn members(
    c: &Compilation<'_>,
    def: &TypeDef,
    assembly: ExternalId,
    row: TypeRow,
) -> MemberTable {
    let mut ids = Vec::new();
    for member in c.world.externals()[assembly.index()].members(row) {
        let is_explicit = is_explicit(&member);
        // No name reaches it, and no base type is asked for it.
        if member.accessibility == Accessibility::Private && !is_explicit {
            continue;
        }
        ids.push(self::member(c, def, &member));
    }
    table(c, ids)
}

fn is_explicit(member: &ExternalMember) -> bool {
    !member.explicit_implementations.is_empty()
        && member.name.contains('.')
        && !member.name.starts_with('.')
}

fn member(c: &Compilation<'_>, def: &TypeDef, member: &ExternalMember) -> MemberId {
    let id = c.reserve_member();
    let is_explicit = is_explicit(member);
    let type_params: Box<[TypeParamId]> = member
        .type_params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            c.new_type_param(TypeParamOwner::Method(id), index, c.name(&param.name))
        })
        .collect();
    let reader = Reader {
        c,
        types: &def.type_params,
        method: &type_params,
    };
    for (&id, param) in type_params.iter().zip(&member.type_params) {
        reader.set_constraints(id, param);
    }
    let mut params: Box<[Param]> = member.params.iter().map(|it| reader.param(it)).collect();
    for (at, param) in member.params.iter().enumerate() {
        let argument = param.caller_argument.as_ref();
        let mut named = member.params.iter();
        let source = argument.and_then(|name| named.position(|other| other.name == *name));
        if let Some(source) = source {
            params[at].caller = CallerInfo::Argument(source as u16);
        }
    }
    let widest = |accessor: Option<Accessibility>| {
        accessor.filter(|&accessor| accessor != member.accessibility)
    };
    let signature = Signature {
        params,
        ref_kind: ref_kind(member.returns_by),
        explicit: member
            .explicit_implementations
            .first()
            .filter(|_| is_explicit)
            .map(|(interface, _)| reader.ty(interface)),
        constant: match member.constant {
            Some(ConstantValue::Integer(value)) => Some(value),
            _ => None,
        },
        priority: member.attributes.overload_resolution_priority,
        setter: widest(member.setter),
        getter: widest(member.getter),
        type_params: type_params.clone(),
        ..Signature::of_type(reader.ty(&member.ty))
    };
    c.set_member(Member {
        id,
        name: name(c, member, is_explicit),
        kind: kind(member.kind),
        owner: def.id,
        accessibility: member.accessibility,
        flags: member_flags(def, member, is_explicit),
        origin: MemberOrigin::External,
        signature,
    })
}

fn name(c: &Compilation<'_>, member: &ExternalMember, is_explicit: bool) -> Name {
    match member.kind {
        MemberKind::Constructor => known::CTOR,
        MemberKind::StaticConstructor => known::CCTOR,
        MemberKind::Indexer => known::ITEM,
        MemberKind::Finalizer => known::FINALIZE,
        _ if is_explicit => {
            let simple = member.name.rsplit('.').next();
            c.name(simple.unwrap_or(&member.name))
        }
        _ => c.name(&member.name),
    }
}

fn member_flags(def: &TypeDef, member: &ExternalMember, is_explicit: bool) -> MemberFlags {
    let is_conversion = member.kind == MemberKind::Conversion;
    let is_constant = matches!(member.kind, MemberKind::Constant | MemberKind::EnumMember);
    let is_virtual = member.is_virtual && !member.is_override && !member.is_abstract;
    let is_property = matches!(member.kind, MemberKind::Property | MemberKind::Indexer);
    let is_readonly = member.is_readonly
        || is_property && (member.setter.is_none() || member.is_init_only)
        || is_constant;
    MemberFlags::default()
        .with_if(MemberFlags::STATIC, member.is_static || is_constant)
        .with_if(MemberFlags::ABSTRACT, member.is_abstract)
        .with_if(MemberFlags::VIRTUAL, is_virtual && !member.is_sealed)
        .with_if(MemberFlags::OVERRIDE, member.is_override)
        .with_if(MemberFlags::SEALED, member.is_sealed && member.is_override)
        .with_if(
            MemberFlags::EXTENSION,
            member.is_extension && def.outer.is_none(),
        )
        .with_if(MemberFlags::READONLY, is_readonly)
        .with_if(MemberFlags::REQUIRED, member.is_required)
        .with_if(MemberFlags::GETTER, is_property && member.getter.is_some())
        .with_if(MemberFlags::SETTER, is_property && member.setter.is_some())
        .with_if(MemberFlags::INIT, is_property && member.is_init_only)
        .with_if(MemberFlags::EXPLICIT, is_explicit)
        .with_if(MemberFlags::CONST, is_constant)
        .with_if(
            MemberFlags::IMPLICIT,
            is_conversion && &*member.name == "op_Implicit",
        )
        .with_if(
            MemberFlags::CONDITIONAL,
            !member.attributes.conditional.is_empty(),
        )
        .with_if(MemberFlags::CHECKED, member.name.starts_with("op_Checked"))
}

fn kind(kind: MemberKind) -> DeclKind {
    match kind {
        MemberKind::Method => DeclKind::Method,
        MemberKind::Constructor => DeclKind::Constructor,
        MemberKind::StaticConstructor => DeclKind::StaticConstructor,
        MemberKind::Field => DeclKind::Field,
        MemberKind::Constant => DeclKind::Constant,
        MemberKind::EnumMember => DeclKind::EnumMember,
        MemberKind::Property => DeclKind::Property,
        MemberKind::Indexer => DeclKind::Indexer,
        MemberKind::Event => DeclKind::Event,
        MemberKind::Operator => DeclKind::Operator,
        MemberKind::Conversion => DeclKind::Conversion,
        MemberKind::Finalizer => DeclKind::Finalizer,
    }
}

fn ref_kind(kind: ExternalRefKind) -> RefKind {
    match kind {
        ExternalRefKind::None => RefKind::None,
        ExternalRefKind::Ref => RefKind::Ref,
        ExternalRefKind::Out => RefKind::Out,
        ExternalRefKind::In => RefKind::In,
        ExternalRefKind::RefReadonly => RefKind::RefReadonly,
    }
}

fn special(primitive: Primitive) -> Special {
    match primitive {
        Primitive::Void => Special::Void,
        Primitive::Boolean => Special::Boolean,
        Primitive::Char => Special::Char,
        Primitive::SByte => Special::SByte,
        Primitive::Byte => Special::Byte,
        Primitive::Int16 => Special::Int16,
        Primitive::UInt16 => Special::UInt16,
        Primitive::Int32 => Special::Int32,
        Primitive::UInt32 => Special::UInt32,
        Primitive::Int64 => Special::Int64,
        Primitive::UInt64 => Special::UInt64,
        Primitive::Single => Special::Single,
        Primitive::Double => Special::Double,
        Primitive::String => Special::String,
        Primitive::Object => Special::Object,
        Primitive::IntPtr => Special::IntPtr,
        Primitive::UIntPtr => Special::UIntPtr,
        Primitive::TypedReference => Special::TypedReference,
    }
}

/// Reads signatures where some type parameters are in scope.
struct Reader<'c, 'w> {
    c: &'c Compilation<'w>,
    /// Those of the type, those of the types around it first.
    types: &'c [TypeParamId],
    method: &'c [TypeParamId],
}

impl<'c, 'w> Reader<'c, 'w> {
    fn of_type(c: &'c Compilation<'w>, def: &'c TypeDef) -> Self {
        Self {
            c,
            types: &def.type_params,
            method: &[],
        }
    }

    fn ty(&self, sig: &SigType) -> Ty {
        self.read(sig, 0)
    }

    fn read(&self, sig: &SigType, depth: u32) -> Ty {
        if depth > MAX_DEPTH {
            return Ty::ERROR;
        }
        let c = self.c;
        let all = |sigs: &[SigType]| -> Box<[Ty]> {
            sigs.iter().map(|sig| self.read(sig, depth + 1)).collect()
        };
        let param = |params: &[TypeParamId], index: u16| {
            let found = params.get(usize::from(index));
            found.map_or(Ty::ERROR, |&id| c.param_type(id))
        };
        match sig {
            SigType::Primitive(primitive) => c.special(special(*primitive)),
            SigType::Named(named) => {
                let Some(def) = c.external_named_sig(named) else {
                    return Ty::ERROR;
                };
                let n_params = c.def(def).type_params.len();
                if n_params == named.args.len() {
                    let args = all(&named.args);
                    c.intern(TyKind::Named { def, args })
                } else if named.args.is_empty() {
                    c.intern(TyKind::Unbound(def))
                } else {
                    Ty::ERROR
                }
            }
            SigType::TypeParam(index) => param(self.types, *index),
            SigType::MethodParam(index) => param(self.method, *index),
            SigType::Array(element, rank) => c.array(self.read(element, depth + 1), *rank),
            SigType::Pointer(element) => {
                let element = self.read(element, depth + 1);
                c.intern(TyKind::Pointer(element))
            }
            SigType::ByRef(element) => self.read(element, depth + 1),
            SigType::FunctionPointer(parts) => c.intern(TyKind::FunctionPointer(all(parts))),
            SigType::Dynamic => Ty::DYNAMIC,
            SigType::Tuple(elements, names) => {
                let names = names.iter().map(|name| name.as_ref().map(|it| c.name(it)));
                c.intern(TyKind::Tuple {
                    elements: all(elements),
                    names: names.collect(),
                })
            }
            SigType::Unknown => Ty::ERROR,
        }
    }

    fn param(&self, param: &ExternalParam) -> Param {
        Param {
            name: self.c.name(&param.name),
            ty: self.ty(&param.ty),
            ref_kind: ref_kind(param.ref_kind),
            is_params: param.is_params,
            is_optional: param.is_optional,
            caller: match param.is_caller_member {
                true => CallerInfo::MemberName,
                false => CallerInfo::None,
            },
        }
    }

    fn set_constraints(&self, id: TypeParamId, param: &ExternalTypeParam) {
        let constraints = Constraints {
            types: param.constraints.iter().map(|it| self.ty(it)).collect(),
            is_reference: param.is_reference,
            is_value: param.is_value || param.is_unmanaged,
            is_unmanaged: param.is_unmanaged,
            // Metadata keeps it as nullability, which is not read.
            is_not_null: false,
            has_new: param.has_new || param.is_value,
            allows_ref_like: param.allows_ref_struct,
            variance: match param.variance {
                ExternalVariance::None => Variance::None,
                ExternalVariance::Covariant => Variance::Out,
                ExternalVariance::Contravariant => Variance::In,
            },
        };
        // Set before where two questions for constraints met: the answers are equal.
        let _ = self.c.type_param(id).constraints.set(constraints);
    }
}
