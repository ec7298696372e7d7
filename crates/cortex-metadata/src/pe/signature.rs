//! Signatures (ECMA-335, §II.23.2) to types, with what attributes add to them: `dynamic` and tuple names.
//!
//! Both attributes list what they say in pre-order of the signature's types, so that one walk suffices for each.

use std::sync::Arc;

use super::{
    PeFile,
    bytes::Cursor,
    heads::raw_name,
    tables::{TYPE_DEF_OR_REF, Table, Token},
};
use crate::model::{NamedSig, Primitive, SigType};

/// Types nested deeper than this read as unknown.
const MAX_DEPTH: u32 = 64;

/// Longer signatures than this are not read: all rows could share one.
const MAX_BYTES: usize = 1 << 14;

/// What attributes add to a signature.
#[derive(Default)]
pub(crate) struct Extras<'a> {
    /// The flags of `DynamicAttribute`.
    pub(crate) dynamic: &'a [u8],
    /// The names of `TupleElementNamesAttribute`.
    pub(crate) names: Vec<Option<Arc<str>>>,
}

/// What the custom modifiers around a type say.
#[derive(Clone, Copy, Default)]
pub(crate) struct Modifiers {
    /// `modreq(InAttribute)`.
    pub(crate) is_in: bool,
    /// `modreq(IsExternalInit)`.
    pub(crate) is_init: bool,
    /// `modreq(UnmanagedType)`.
    pub(crate) is_unmanaged: bool,
}

/// A parameter or return type.
pub(crate) struct Passed {
    pub(crate) ty: SigType,
    pub(crate) is_by_ref: bool,
    pub(crate) modifiers: Modifiers,
}

impl Passed {
    pub(crate) fn unknown() -> Self {
        Self {
            ty: SigType::Unknown,
            is_by_ref: false,
            modifiers: Modifiers::default(),
        }
    }
}

/// One walk over a signature blob.
pub(crate) struct SignatureReader<'a> {
    file: &'a PeFile,
    cursor: Cursor<'a>,
    /// What is left of the flags of the type that is being read.
    dynamic: &'a [u8],
    saw_tuple: bool,
}

impl<'a> SignatureReader<'a> {
    pub(crate) fn new(file: &'a PeFile, blob: &'a [u8]) -> Self {
        Self {
            file,
            cursor: Cursor::new(blob.get(..MAX_BYTES).unwrap_or(blob)),
            dynamic: &[],
            saw_tuple: false,
        }
    }

    /// The head of a method or property signature: calling convention and counts of type parameters and parameters.
    pub(crate) fn header(&mut self) -> Option<(u8, u32)> {
        let convention = self.cursor.u8()?;
        if convention & 0x10 != 0 {
            self.cursor.compressed()?;
        }
        Some((convention, self.cursor.compressed()?))
    }

    /// The first byte of a field signature.
    pub(crate) fn field_header(&mut self) -> Option<u8> {
        self.cursor.u8()
    }

    /// The next parameter, return, property or field type. After a failure nothing more can be read.
    pub(crate) fn passed(&mut self, extras: Extras<'a>) -> Option<Passed> {
        self.dynamic = extras.dynamic;
        self.saw_tuple = false;
        let mut modifiers = self.modifiers()?;
        if self.cursor.peek() == Some(0x41) {
            self.cursor.u8();
        }
        let is_by_ref = self.cursor.peek() == Some(0x10);
        if is_by_ref {
            self.cursor.u8();
            self.flag();
            let inner = self.modifiers()?;
            modifiers.is_in |= inner.is_in;
            modifiers.is_init |= inner.is_init;
        }
        let mut ty = self.ty(0)?;
        if self.saw_tuple {
            ty = with_tuples(ty, &mut extras.names.into_iter(), 0);
        }
        Some(Passed {
            ty,
            is_by_ref,
            modifiers,
        })
    }

    /// Takes the next flag of `DynamicAttribute`.
    fn flag(&mut self) -> bool {
        match self.dynamic.split_first() {
            Some((&flag, rest)) => {
                self.dynamic = rest;
                flag != 0
            }
            None => false,
        }
    }

    fn modifiers(&mut self) -> Option<Modifiers> {
        let mut modifiers = Modifiers::default();
        while let Some(kind @ (0x1f | 0x20)) = self.cursor.peek() {
            self.cursor.u8();
            self.flag();
            let token = TYPE_DEF_OR_REF.decode(self.cursor.compressed()?)?;
            if kind == 0x1f {
                match raw_name(&self.file.metadata, token).1 {
                    "InAttribute" => modifiers.is_in = true,
                    "IsExternalInit" => modifiers.is_init = true,
                    "UnmanagedType" => modifiers.is_unmanaged = true,
                    _ => {}
                }
            }
        }
        Some(modifiers)
    }

    fn ty(&mut self, depth: u32) -> Option<SigType> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.modifiers()?;
        let code = self.cursor.u8()?;
        let is_dynamic = self.flag();
        Some(match code {
            0x0f => SigType::Pointer(Box::new(self.ty(depth + 1)?)),
            0x10 => SigType::ByRef(Box::new(self.ty(depth + 1)?)),
            0x11 | 0x12 => self.named()?,
            0x13 => SigType::TypeParam(u16::try_from(self.cursor.compressed()?).ok()?),
            0x1e => SigType::MethodParam(u16::try_from(self.cursor.compressed()?).ok()?),
            0x14 => {
                let element = self.ty(depth + 1)?;
                let rank = self.cursor.compressed()?;
                for _ in 0..2 {
                    for _ in 0..self.cursor.compressed()? {
                        self.cursor.compressed()?;
                    }
                }
                SigType::Array(Box::new(element), u8::try_from(rank).ok()?)
            }
            0x15 => {
                self.cursor.u8()?;
                let head = self.named()?;
                let count = self.cursor.compressed()?;
                let mut args = Vec::new();
                for _ in 0..count {
                    args.push(self.ty(depth + 1)?);
                }
                let SigType::Named(mut named) = head else {
                    return None;
                };
                named.args = args;
                self.saw_tuple |= is_value_tuple(&named);
                SigType::Named(named)
            }
            0x1b => {
                let (_, count) = self.header()?;
                let mut types = Vec::new();
                for _ in 0..=count {
                    self.modifiers()?;
                    if self.cursor.peek() == Some(0x41) {
                        self.cursor.u8();
                    }
                    types.push(self.ty(depth + 1)?);
                }
                types.rotate_left(1);
                SigType::FunctionPointer(types)
            }
            0x1c if is_dynamic => SigType::Dynamic,
            0x1d => SigType::Array(Box::new(self.ty(depth + 1)?), 1),
            0x45 => return self.ty(depth + 1),
            _ => SigType::Primitive(primitive(code)?),
        })
    }

    fn named(&mut self) -> Option<SigType> {
        let token = TYPE_DEF_OR_REF.decode(self.cursor.compressed()?)?;
        // A specification inside of a signature could refer to itself.
        Some(self.file.named(token))
    }
}

impl PeFile {
    /// The type behind a `TypeDef` or `TypeRef` token, open where it is generic.
    pub(crate) fn named(&self, token: Token) -> SigType {
        match self.head(token) {
            Some(head) => match head.primitive {
                Some(primitive) => SigType::Primitive(primitive),
                None => SigType::Named(Box::new(head.open())),
            },
            None => SigType::Unknown,
        }
    }

    /// The type behind any token of a base type, interface or constraint, and whether it is `unmanaged`.
    pub(crate) fn type_of(&self, token: Token, extras: Extras<'_>) -> (SigType, Modifiers) {
        match token.of(Table::TypeSpec) {
            Some(row) => {
                let blob = self.metadata.blob(Table::TypeSpec, row, 0);
                let read = SignatureReader::new(self, blob).passed(extras);
                let passed = read.unwrap_or_else(Passed::unknown);
                (passed.ty, passed.modifiers)
            }
            None => (self.named(token), Modifiers::default()),
        }
    }
}

fn primitive(code: u8) -> Option<Primitive> {
    Some(match code {
        0x01 => Primitive::Void,
        0x02 => Primitive::Boolean,
        0x03 => Primitive::Char,
        0x04 => Primitive::SByte,
        0x05 => Primitive::Byte,
        0x06 => Primitive::Int16,
        0x07 => Primitive::UInt16,
        0x08 => Primitive::Int32,
        0x09 => Primitive::UInt32,
        0x0a => Primitive::Int64,
        0x0b => Primitive::UInt64,
        0x0c => Primitive::Single,
        0x0d => Primitive::Double,
        0x0e => Primitive::String,
        0x16 => Primitive::TypedReference,
        0x18 => Primitive::IntPtr,
        0x19 => Primitive::UIntPtr,
        0x1c => Primitive::Object,
        _ => return None,
    })
}

fn is_value_tuple(named: &NamedSig) -> bool {
    matches!(&*named.path, [(name, arity)]
        if &**name == "ValueTuple" && usize::from(*arity) == named.args.len() && (1..=8).contains(arity))
        && &*named.namespace == "System"
}

/// The number of elements, those of the rest counted; `None` where it is no tuple.
fn tuple_length(ty: &SigType) -> Option<usize> {
    let (mut length, mut at) = (0, ty);
    loop {
        let SigType::Named(named) = at else {
            return None;
        };
        if !is_value_tuple(named) {
            return None;
        }
        match named.args.get(7) {
            Some(rest) => {
                length += 7;
                at = rest;
            }
            None => return Some(length + named.args.len()),
        }
    }
}

/// Turns value tuples into tuples. A tuple's names come before those inside of its elements.
fn with_tuples(
    ty: SigType,
    names: &mut std::vec::IntoIter<Option<Arc<str>>>,
    depth: u32,
) -> SigType {
    if depth > MAX_DEPTH {
        return SigType::Unknown;
    }
    let length = tuple_length(&ty);
    let mut inner = |ty: SigType| with_tuples(ty, names, depth + 1);
    let boxed = |ty: Box<SigType>, inner: &mut dyn FnMut(SigType) -> SigType| Box::new(inner(*ty));
    match ty {
        SigType::Array(element, rank) => SigType::Array(boxed(element, &mut inner), rank),
        SigType::Pointer(element) => SigType::Pointer(boxed(element, &mut inner)),
        SigType::ByRef(element) => SigType::ByRef(boxed(element, &mut inner)),
        SigType::FunctionPointer(types) => {
            // The return type comes first in a signature.
            let mut types = types;
            types.rotate_right(1);
            let mut types: Vec<_> = types.into_iter().map(inner).collect();
            types.rotate_left(1);
            SigType::FunctionPointer(types)
        }
        SigType::Named(mut named) => {
            let element_names: Vec<_> = match length {
                Some(length) => (0..length).map(|_| names.next().flatten()).collect(),
                None => Vec::new(),
            };
            let args = std::mem::take(&mut named.args);
            let mut args: Vec<_> = args
                .into_iter()
                .map(|arg| with_tuples(arg, names, depth + 1))
                .collect();
            if element_names.len() < 2 {
                named.args = args;
                return SigType::Named(named);
            }
            if args.len() == 8 {
                match args.pop() {
                    Some(SigType::Tuple(rest, _)) => args.extend(rest),
                    Some(SigType::Named(rest)) => args.extend(rest.args),
                    _ => return SigType::Unknown,
                }
            }
            SigType::Tuple(args, element_names)
        }
        other => other,
    }
}
