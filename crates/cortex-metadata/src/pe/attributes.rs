//! The custom attributes that mean something to a C# compiler (ECMA-335, §II.23.3).

use std::sync::{Arc, OnceLock};

use super::{
    PeFile,
    bytes::Cursor,
    heads::{raw_name, split_arity},
    signature::Extras,
    tables::{Table, Token},
};
use crate::model::{AttributeUsage, NamedSig};

/// What stands on one row of metadata is read this far.
const MAX_ATTRIBUTES: usize = 4096;

/// How the messages start that compilers write.
const COMPILER_MARKS: [&str; 2] = [
    "Types with embedded references are not supported in this version of your compiler",
    "Constructors of types with required members are not supported",
];

/// An attribute that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    AsyncMethodBuilder,
    AttributeUsage,
    CallerArgumentExpression,
    CallerMemberName,
    CollectionBuilder,
    Conditional,
    DecimalConstant,
    DefaultMember,
    Dynamic,
    Extension,
    ExtensionMarker,
    FixedBuffer,
    InlineArray,
    InternalsVisibleTo,
    InterpolatedStringHandler,
    InterpolatedStringHandlerArgument,
    IsByRefLike,
    IsReadOnly,
    IsUnmanaged,
    Nullable,
    NullableContext,
    Obsolete,
    OverloadResolutionPriority,
    ParamArray,
    ParamCollection,
    PreserveBaseOverrides,
    RequiredMember,
    RequiresLocation,
    TupleElementNames,
}

fn known(namespace: &str, name: &str) -> Option<Known> {
    let name = name.strip_suffix("Attribute")?;
    Some(match namespace {
        "System.Runtime.CompilerServices" => match name {
            "AsyncMethodBuilder" => Known::AsyncMethodBuilder,
            "CallerArgumentExpression" => Known::CallerArgumentExpression,
            "CallerMemberName" => Known::CallerMemberName,
            "CollectionBuilder" => Known::CollectionBuilder,
            "DecimalConstant" => Known::DecimalConstant,
            "Dynamic" => Known::Dynamic,
            "Extension" => Known::Extension,
            "ExtensionMarker" => Known::ExtensionMarker,
            "FixedBuffer" => Known::FixedBuffer,
            "InlineArray" => Known::InlineArray,
            "InternalsVisibleTo" => Known::InternalsVisibleTo,
            "InterpolatedStringHandler" => Known::InterpolatedStringHandler,
            "InterpolatedStringHandlerArgument" => Known::InterpolatedStringHandlerArgument,
            "IsByRefLike" => Known::IsByRefLike,
            "IsReadOnly" => Known::IsReadOnly,
            "IsUnmanaged" => Known::IsUnmanaged,
            "Nullable" => Known::Nullable,
            "NullableContext" => Known::NullableContext,
            "OverloadResolutionPriority" => Known::OverloadResolutionPriority,
            "ParamCollection" => Known::ParamCollection,
            "PreserveBaseOverrides" => Known::PreserveBaseOverrides,
            "RequiredMember" => Known::RequiredMember,
            "RequiresLocation" => Known::RequiresLocation,
            "TupleElementNames" => Known::TupleElementNames,
            _ => return None,
        },
        "System" => match name {
            "AttributeUsage" => Known::AttributeUsage,
            "Obsolete" => Known::Obsolete,
            "ParamArray" => Known::ParamArray,
            _ => return None,
        },
        "System.Reflection" if name == "DefaultMember" => Known::DefaultMember,
        "System.Diagnostics" if name == "Conditional" => Known::Conditional,
        _ => return None,
    })
}

/// The attributes that the constructors of other assemblies make, by `MemberRef` row.
pub(crate) type KnownCache = OnceLock<Box<[Option<Known>]>>;

impl PeFile {
    /// The known attributes of a row, with their blobs. No more than the first few thousand.
    pub(crate) fn attributes(&self, owner: Token) -> impl Iterator<Item = (Known, Blob<'_>)> {
        self.metadata
            .rows_of(Table::CustomAttribute, 0, owner)
            .take(MAX_ATTRIBUTES)
            .filter_map(|row| Some((self.known_attribute(row)?, self.attribute_blob(row))))
    }

    /// The value of a row of `CustomAttribute`.
    pub(crate) fn attribute_blob(&self, row: u32) -> Blob<'_> {
        Blob {
            file: self,
            row,
            bytes: self.metadata.blob(Table::CustomAttribute, row, 2),
        }
    }

    /// Which attribute a row of `CustomAttribute` is.
    pub(crate) fn known_attribute(&self, row: u32) -> Option<Known> {
        let constructor = self.metadata.token(Table::CustomAttribute, row, 1)?;
        if let Some(row) = constructor.of(Table::MemberRef) {
            let cache = self.known.get_or_init(|| {
                (1..=self.metadata.rows(Table::MemberRef))
                    .map(|row| {
                        let parent = self.metadata.token(Table::MemberRef, row, 0)?;
                        let (namespace, name) = raw_name(&self.metadata, parent);
                        known(namespace, name)
                    })
                    .collect()
            });
            return *cache.get(row as usize - 1)?;
        }
        let method = constructor.of(Table::MethodDef)?;
        let owner = self.metadata.list_owner(Table::TypeDef, 5, method);
        let (namespace, name) = raw_name(&self.metadata, Token::new(Table::TypeDef, owner));
        known(namespace, name)
    }

    /// What the attributes of a row add to its signature.
    pub(crate) fn extras(&self, owner: Token) -> Extras<'_> {
        let mut extras = Extras::default();
        for (attribute, blob) in self.attributes(owner) {
            blob.add_to(attribute, &mut extras);
        }
        extras
    }
}

/// The value of a custom attribute.
#[derive(Clone, Copy)]
pub(crate) struct Blob<'a> {
    file: &'a PeFile,
    row: u32,
    bytes: &'a [u8],
}

impl<'a> Blob<'a> {
    /// The fixed arguments. Empty but for the count of named ones where there are none.
    fn arguments(self) -> Option<Cursor<'a>> {
        let mut cursor = Cursor::new(self.bytes);
        (cursor.u16()? == 1).then_some(cursor)
    }

    pub(crate) fn add_to(self, attribute: Known, extras: &mut Extras<'a>) {
        match attribute {
            Known::Dynamic => extras.dynamic = self.flags().unwrap_or(&[1]),
            Known::TupleElementNames => extras.names = self.texts().unwrap_or_default(),
            _ => {}
        }
    }

    /// One array of booleans; `None` where the constructor took none.
    fn flags(self) -> Option<&'a [u8]> {
        let mut cursor = self.arguments()?;
        let count = cursor.u32()?;
        cursor.take(count as usize)
    }

    /// One array of strings.
    fn texts(self) -> Option<Vec<Option<Arc<str>>>> {
        let mut cursor = self.arguments()?;
        let count = cursor.u32()?;
        let mut texts = Vec::new();
        for _ in 0..count {
            texts.push(cursor.counted_text()?.map(Arc::from));
        }
        Some(texts)
    }

    /// A string, or an array of strings where the constructor takes one.
    pub(crate) fn text_or_texts(self) -> Vec<Arc<str>> {
        let constructor = self
            .file
            .metadata
            .token(Table::CustomAttribute, self.row, 1);
        let signature = constructor.map_or(&[][..], |token| {
            match (token.of(Table::MemberRef), token.of(Table::MethodDef)) {
                (Some(row), _) => self.file.metadata.blob(Table::MemberRef, row, 2),
                (_, Some(row)) => self.file.metadata.blob(Table::MethodDef, row, 4),
                _ => &[],
            }
        });
        match signature {
            // Convention, one parameter, void, and its type: a vector.
            [_, 1, 1, 0x1d, ..] => {
                let texts = self.texts().unwrap_or_default();
                texts.into_iter().flatten().collect()
            }
            _ => self.text().into_iter().map(Arc::from).collect(),
        }
    }

    /// A first argument that is a string.
    pub(crate) fn text(self) -> Option<&'a str> {
        self.arguments()?.counted_text()?
    }

    /// A first argument of four bytes.
    pub(crate) fn int(self) -> Option<i32> {
        self.arguments()?.u32().map(u32::cast_signed)
    }

    /// A first argument of one byte, or the first of an array of bytes, by the length of the value.
    pub(crate) fn byte_or_first(self) -> Option<u8> {
        let mut cursor = self.arguments()?;
        // Prolog, one byte, count of named arguments.
        if self.bytes.len() > 5 {
            cursor.u32()?;
        }
        cursor.u8()
    }

    /// A first argument that is a type.
    pub(crate) fn type_name(self) -> Option<NamedSig> {
        parse_type_name(self.text()?, &self.file.name)
    }

    /// A type and a string.
    pub(crate) fn type_name_and_text(self) -> Option<(NamedSig, Arc<str>)> {
        let mut cursor = self.arguments()?;
        let name = parse_type_name(cursor.counted_text()??, &self.file.name)?;
        Some((name, cursor.counted_text()??.into()))
    }

    pub(crate) fn attribute_usage(self) -> Option<AttributeUsage> {
        let mut cursor = self.arguments()?;
        let mut usage = AttributeUsage {
            valid_on: cursor.u32()?,
            allow_multiple: false,
            inherited: true,
        };
        let count = cursor.u16()?;
        for _ in 0..count {
            // A property of type boolean; there are no others.
            if cursor.u16()? != 0x0254 {
                break;
            }
            let name = cursor.counted_text()??;
            let value = cursor.u8()? != 0;
            match name {
                "AllowMultiple" => usage.allow_multiple = value,
                "Inherited" => usage.inherited = value,
                _ => {}
            }
        }
        Some(usage)
    }

    /// Whether an `Obsolete` was written by a person: compilers mark what older ones must not touch.
    pub(crate) fn is_real_obsolete(self) -> bool {
        let text = self.text().unwrap_or_default();
        !COMPILER_MARKS.iter().any(|mark| text.starts_with(mark))
    }
}

/// Parses the serialized name of an open type (ECMA-335, §II.23.3; reflection's syntax without arguments).
pub(crate) fn parse_type_name(text: &str, own_assembly: &Arc<str>) -> Option<NamedSig> {
    let (full, assembly) = match text.split_once(',') {
        Some((full, rest)) => {
            let assembly = rest.split(',').next().unwrap_or_default().trim();
            (full.trim(), Arc::from(assembly))
        }
        None => (text.trim(), own_assembly.clone()),
    };
    if full.contains('[') || full.contains('\\') {
        return None;
    }
    let mut names = full.split('+');
    let outermost = names.next()?;
    let (namespace, first) = outermost.rsplit_once('.').unwrap_or(("", outermost));
    let path: Vec<(Arc<str>, u16)> = std::iter::once(first)
        .chain(names)
        .map(|name| {
            let (simple, arity) = split_arity(name);
            (Arc::from(simple), arity)
        })
        .collect();
    let all_named = path.iter().all(|(name, _)| !name.is_empty());
    all_named.then(|| NamedSig {
        namespace: namespace.into(),
        path: path.into(),
        args: Vec::new(),
        assembly,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serialized_type_name_is_split_into_namespace_path_and_assembly() {
        let this_assembly = Arc::from("Own");
        let named = parse_type_name("A.B.Outer`2+Inner, Lib, Version=1.0.0.0", &this_assembly)
            .expect("a name");
        assert_eq!(&*named.namespace, "A.B");
        assert_eq!(
            named.path.to_vec(),
            [("Outer".into(), 2), ("Inner".into(), 0)]
        );
        assert_eq!(&*named.assembly, "Lib");
        let global = parse_type_name("T", &this_assembly).expect("a name");
        assert_eq!((&*global.namespace, &*global.assembly), ("", "Own"));
        assert_eq!(parse_type_name("A.B`1[[C]]", &this_assembly), None);
        assert_eq!(parse_type_name("A.", &this_assembly), None);
    }
}
