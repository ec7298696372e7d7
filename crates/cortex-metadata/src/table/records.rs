//! Types and members as bytes: each record is written and read by one description of its fields.

use std::sync::Arc;

use cortex_model::{Accessibility, TypeKind, put_varint, take_varint};
use rustc_hash::FxHashMap;

use super::take_text;
use crate::model::{
    AttributeUsage, ConstantValue, ExternalExtension, ExternalMember, ExternalParam, ExternalType,
    ExternalTypeParam, MemberAttributes, MemberKind, NamedSig, Primitive, RefKind, SigType,
    TypeAttributes, TypeRow, Variance,
};

/// A signature of more parts than this is damaged.
const MAX_PARTS: u32 = 4096;

/// What can be in a block.
pub(super) trait Coded: Sized {
    fn put(&self, out: &mut Writer);
    /// `None` where the bytes are damaged.
    fn take(input: &mut Reader<'_>) -> Option<Self>;
}

/// A block in the making. Strings and signatures are written once and referred to by number.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    strings: FxHashMap<Arc<str>, u32>,
    string_bytes: Vec<u8>,
    signatures: FxHashMap<SigType, u32>,
    signature_bytes: Vec<u8>,
}

impl Writer {
    fn string(&mut self, text: &Arc<str>) -> u32 {
        if let Some(&known) = self.strings.get(text) {
            return known;
        }
        let number = self.strings.len() as u32;
        self.strings.insert(text.clone(), number);
        put_varint(&mut self.string_bytes, text.len() as u32);
        self.string_bytes.extend_from_slice(text.as_bytes());
        number
    }

    /// The number of a signature; the signatures inside of it have lower ones.
    fn signature(&mut self, ty: &SigType) -> u32 {
        if let Some(&known) = self.signatures.get(ty) {
            return known;
        }
        let mut code = Vec::new();
        let number = |code: &mut Vec<u8>, number: usize| put_varint(code, number as u32);
        match ty {
            SigType::Primitive(primitive) => code.extend([0, *primitive as u8]),
            SigType::Named(named) => {
                code.push(1);
                put_varint(&mut code, self.string(&named.namespace));
                put_varint(&mut code, self.string(&named.assembly));
                number(&mut code, named.path.len());
                for (name, arity) in named.path.iter() {
                    put_varint(&mut code, self.string(name));
                    put_varint(&mut code, u32::from(*arity));
                }
                self.list(&mut code, &named.args);
            }
            SigType::TypeParam(place) => {
                code.push(2);
                put_varint(&mut code, u32::from(*place));
            }
            SigType::MethodParam(place) => {
                code.push(3);
                put_varint(&mut code, u32::from(*place));
            }
            SigType::Array(element, rank) => {
                code.push(4);
                put_varint(&mut code, u32::from(*rank));
                put_varint(&mut code, self.signature(element));
            }
            SigType::Pointer(element) => {
                code.push(5);
                put_varint(&mut code, self.signature(element));
            }
            SigType::ByRef(element) => {
                code.push(6);
                put_varint(&mut code, self.signature(element));
            }
            SigType::FunctionPointer(types) => {
                code.push(7);
                self.list(&mut code, types);
            }
            SigType::Dynamic => code.push(8),
            SigType::Tuple(types, names) => {
                code.push(9);
                self.list(&mut code, types);
                for name in names {
                    let name = name.as_ref().map_or(0, |name| self.string(name) + 1);
                    put_varint(&mut code, name);
                }
            }
            SigType::Unknown => code.push(10),
        }
        let number = self.signatures.len() as u32;
        self.signatures.insert(ty.clone(), number);
        self.signature_bytes.extend_from_slice(&code);
        number
    }

    fn list(&mut self, code: &mut Vec<u8>, types: &[SigType]) {
        put_varint(code, types.len() as u32);
        for ty in types {
            put_varint(code, self.signature(ty));
        }
    }

    /// The block: strings, signatures, the table of types, the records.
    pub(super) fn finish(self, types: &[(u32, usize, usize)]) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.strings.len() as u32);
        out.extend_from_slice(&self.string_bytes);
        put_varint(&mut out, self.signatures.len() as u32);
        out.extend_from_slice(&self.signature_bytes);
        put_varint(&mut out, types.len() as u32);
        for &(row, type_length, members_length) in types {
            put_varint(&mut out, row);
            put_varint(&mut out, type_length as u32);
            put_varint(&mut out, members_length as u32);
        }
        out.extend_from_slice(&self.bytes);
        out
    }
}

/// An unpacked block.
#[derive(Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    strings: Vec<Arc<str>>,
    signatures: Vec<SigType>,
    /// Row, and where its type, its members and the next type start; sorted by row.
    types: Vec<(u32, [usize; 3])>,
}

impl Block {
    pub(super) fn new(bytes: Vec<u8>) -> Option<Self> {
        let mut block = Self::default();
        let mut input = &*bytes;
        for _ in 0..take_varint(&mut input)? {
            block.strings.push(take_text(&mut input)?.into());
        }
        block.take_signatures(&mut input)?;
        let count = take_varint(&mut input)?;
        let mut at = 0_usize;
        for _ in 0..count {
            let row = take_varint(&mut input)?;
            let members = at.checked_add(take_varint(&mut input)? as usize)?;
            let next = members.checked_add(take_varint(&mut input)? as usize)?;
            block.types.push((row, [at, members, next]));
            at = next;
        }
        let start = bytes.len() - input.len();
        for (_, places) in &mut block.types {
            for place in places {
                *place = place.checked_add(start)?;
            }
        }
        block.bytes = bytes;
        Some(block)
    }

    /// The bytes of a type and of its members.
    pub(super) fn find(&self, row: u32) -> Option<(&[u8], &[u8])> {
        let place = self.types.binary_search_by_key(&row, |ty| ty.0).ok()?;
        let [start, members, end] = self.types[place].1;
        let ty = self.bytes.get(start..members)?;
        Some((ty, self.bytes.get(members..end)?))
    }

    fn take_signatures(&mut self, input: &mut &[u8]) -> Option<()> {
        // How many types each is made of: without a bound, few bytes could name a huge type.
        let mut parts: Vec<u32> = Vec::new();
        for _ in 0..take_varint(input)? {
            let mut sum = 1_u32;
            let ty = self.take_signature(input, &mut |number| {
                sum = sum.saturating_add(*parts.get(number)?);
                (sum <= MAX_PARTS).then_some(())
            })?;
            self.signatures.push(ty);
            parts.push(sum);
        }
        Some(())
    }

    fn take_signature(
        &self,
        input: &mut &[u8],
        count: &mut dyn FnMut(usize) -> Option<()>,
    ) -> Option<SigType> {
        let (&tag, rest) = input.split_first()?;
        *input = rest;
        let mut inner = |input: &mut &[u8]| {
            let number = take_varint(input)? as usize;
            count(number)?;
            self.signatures.get(number).cloned()
        };
        let mut list = |input: &mut &[u8]| {
            let mut types = Vec::new();
            for _ in 0..take_varint(input)? {
                types.push(inner(input)?);
            }
            Some(types)
        };
        Some(match tag {
            0 => SigType::Primitive(*Primitive::ALL.get(take_varint(input)? as usize)?),
            1 => {
                let namespace = self.string(take_varint(input)?)?;
                let assembly = self.string(take_varint(input)?)?;
                let mut path = Vec::new();
                for _ in 0..take_varint(input)? {
                    let name = self.string(take_varint(input)?)?;
                    path.push((name, u16::try_from(take_varint(input)?).ok()?));
                }
                SigType::Named(Box::new(NamedSig {
                    namespace,
                    path: path.into(),
                    args: list(input)?,
                    assembly,
                }))
            }
            2 => SigType::TypeParam(u16::try_from(take_varint(input)?).ok()?),
            3 => SigType::MethodParam(u16::try_from(take_varint(input)?).ok()?),
            4 => {
                let rank = u8::try_from(take_varint(input)?).ok()?;
                SigType::Array(Box::new(inner(input)?), rank)
            }
            5 => SigType::Pointer(Box::new(inner(input)?)),
            6 => SigType::ByRef(Box::new(inner(input)?)),
            7 => SigType::FunctionPointer(list(input)?),
            8 => SigType::Dynamic,
            9 => {
                let types = list(input)?;
                let mut names = Vec::new();
                for _ in 0..types.len() {
                    names.push(match take_varint(input)? {
                        0 => None,
                        number => Some(self.string(number - 1)?),
                    });
                }
                SigType::Tuple(types, names)
            }
            10 => SigType::Unknown,
            _ => return None,
        })
    }

    fn string(&self, number: u32) -> Option<Arc<str>> {
        self.strings.get(number as usize).cloned()
    }
}

/// A place in a block.
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) block: &'a Block,
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u32> {
        take_varint(&mut self.bytes)
    }
}

macro_rules! record {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl Coded for $name {
            fn put(&self, out: &mut Writer) {
                // All fields by name, so that a new one cannot be forgotten.
                let Self { $($field),* } = self;
                $($field.put(out);)*
            }

            fn take(input: &mut Reader<'_>) -> Option<Self> {
                $(let $field = Coded::take(input)?;)*
                Some(Self { $($field),* })
            }
        }
    };
}

record!(ExternalType {
    namespace,
    name,
    arity,
    outer,
    kind,
    accessibility,
    is_abstract,
    is_sealed,
    is_static,
    is_ref_like,
    is_readonly,
    type_params,
    base,
    interfaces,
    enum_underlying,
    attributes,
});
record!(TypeAttributes {
    attribute_usage,
    is_obsolete,
    collection_builder,
    is_interpolated_string_handler,
    default_member,
    async_method_builder,
    has_extensions,
    inline_array,
});
record!(AttributeUsage {
    valid_on,
    allow_multiple,
    inherited,
});
record!(ExternalTypeParam {
    name,
    variance,
    constraints,
    is_reference,
    is_value,
    is_unmanaged,
    is_notnull,
    has_new,
    allows_ref_struct,
});
record!(ExternalMember {
    kind,
    name,
    accessibility,
    is_static,
    is_abstract,
    is_virtual,
    is_override,
    is_sealed,
    is_extension,
    is_readonly,
    is_required,
    getter,
    setter,
    is_init_only,
    ty,
    returns_by,
    params,
    type_params,
    explicit_implementations,
    attributes,
    constant,
});
record!(ExternalExtension {
    type_params,
    receiver,
    members,
});
record!(MemberAttributes {
    overload_resolution_priority,
    is_obsolete,
    conditional,
});
record!(ExternalParam {
    name,
    ty,
    ref_kind,
    is_params,
    is_optional,
    default,
    handler_arguments,
    is_caller_member,
    caller_argument,
});

macro_rules! one_of {
    ($name:ident in $all:expr) => {
        impl Coded for $name {
            fn put(&self, out: &mut Writer) {
                out.bytes.push(*self as u8);
            }

            fn take(input: &mut Reader<'_>) -> Option<Self> {
                $all.get(input.number()? as usize).copied()
            }
        }
    };
}

one_of!(Accessibility in Accessibility::ALL);
one_of!(TypeKind in TypeKind::ALL);
one_of!(MemberKind in MemberKind::ALL);
one_of!(Primitive in Primitive::ALL);
one_of!(Variance in [Variance::None, Variance::Covariant, Variance::Contravariant]);
one_of!(RefKind in [RefKind::None, RefKind::Ref, RefKind::Out, RefKind::In, RefKind::RefReadonly]);
one_of!(bool in [false, true]);

impl Coded for u32 {
    fn put(&self, out: &mut Writer) {
        put_varint(&mut out.bytes, *self);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        input.number()
    }
}

impl Coded for u16 {
    fn put(&self, out: &mut Writer) {
        u32::from(*self).put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        input.number()?.try_into().ok()
    }
}

impl Coded for i32 {
    fn put(&self, out: &mut Writer) {
        self.cast_unsigned().put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        input.number().map(u32::cast_signed)
    }
}

impl Coded for u64 {
    fn put(&self, out: &mut Writer) {
        (*self as u32).put(out);
        ((*self >> 32) as u32).put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        let low = input.number()?;
        Some(Self::from(input.number()?) << 32 | Self::from(low))
    }
}

impl Coded for TypeRow {
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        input.number().map(Self)
    }
}

impl Coded for Arc<str> {
    fn put(&self, out: &mut Writer) {
        out.string(self).put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        let number = input.number()?;
        input.block.string(number)
    }
}

impl Coded for SigType {
    fn put(&self, out: &mut Writer) {
        out.signature(self).put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        let number = input.number()? as usize;
        input.block.signatures.get(number).cloned()
    }
}

impl Coded for NamedSig {
    fn put(&self, out: &mut Writer) {
        SigType::Named(Box::new(self.clone())).put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        match SigType::take(input)? {
            SigType::Named(named) => Some(*named),
            _ => None,
        }
    }
}

impl Coded for ConstantValue {
    fn put(&self, out: &mut Writer) {
        match self {
            Self::Null => out.bytes.push(0),
            Self::Integer(value) => {
                out.bytes.push(1);
                // Small negative numbers stay small.
                ((value << 1) ^ (value >> 63)).cast_unsigned().put(out);
            }
            Self::Real(bits) => {
                out.bytes.push(2);
                bits.put(out);
            }
            Self::Text(text) => {
                out.bytes.push(3);
                text.put(out);
            }
        }
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        Some(match input.number()? {
            0 => Self::Null,
            1 => {
                let value = u64::take(input)?;
                Self::Integer((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
            }
            2 => Self::Real(u64::take(input)?),
            3 => Self::Text(Arc::take(input)?),
            _ => return None,
        })
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, out: &mut Writer) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        Some(match bool::take(input)? {
            true => Some(T::take(input)?),
            false => None,
        })
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn put(&self, out: &mut Writer) {
        (self.len() as u32).put(out);
        for value in self {
            value.put(out);
        }
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        let mut values = Self::new();
        for _ in 0..input.number()? {
            values.push(T::take(input)?);
        }
        Some(values)
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(input: &mut Reader<'_>) -> Option<Self> {
        Some((A::take(input)?, B::take(input)?))
    }
}
