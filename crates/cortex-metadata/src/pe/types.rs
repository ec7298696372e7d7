//! Rows of `TypeDef` and `GenericParam` as types and type parameters.

use cortex_model::{Accessibility, TypeKind};

use super::{
    PeFile,
    attributes::Known,
    heads::raw_name,
    signature::SignatureReader,
    tables::{Table, Token},
};
use crate::model::{
    ExternalType, ExternalTypeParam, Primitive, SigType, TypeAttributes, TypeRow, Variance,
};

const ABSTRACT: u32 = 0x80;
const SEALED: u32 = 0x100;
const INTERFACE: u32 = 0x20;

/// Enclosing types are followed this far for the nullable context.
const MAX_NESTING: usize = 64;

impl PeFile {
    /// A type. Rows that do not exist give an empty one.
    pub(crate) fn type_def(&self, row: u32) -> ExternalType {
        let metadata = &self.metadata;
        let token = Token::new(Table::TypeDef, row);
        let flags = self.type_flags(row);
        let (name, arity) = self.def_name(row);
        let base = metadata.token(Table::TypeDef, row, 3);
        let base = base.filter(|base| base.row != 0);
        let kind = self.kind(row);
        let mut outermost = row;
        for _ in 0..MAX_NESTING {
            match self.outer_row(outermost) {
                Some(outer) => outermost = outer,
                None => break,
            }
        }
        let is_both = flags & (ABSTRACT | SEALED) == ABSTRACT | SEALED;
        let is_static = is_both && kind == TypeKind::Class;
        let mut found = ExternalType {
            namespace: metadata.text(Table::TypeDef, outermost, 2).into(),
            name: name.into(),
            arity,
            outer: self.outer_row(row).map(TypeRow),
            kind,
            accessibility: self.accessibility(row),
            is_abstract: flags & ABSTRACT != 0 && !is_static,
            is_sealed: flags & SEALED != 0 && !is_static,
            is_static,
            is_ref_like: false,
            is_readonly: false,
            type_params: self.type_params(token, row),
            base: base.map(|base| self.type_of(base, self.extras(token)).0),
            interfaces: metadata
                .equal_rows(Table::InterfaceImpl, 0, row)
                .filter_map(|implementation| {
                    let interface = metadata.token(Table::InterfaceImpl, implementation, 1)?;
                    let extras = self.extras(Token::new(Table::InterfaceImpl, implementation));
                    Some(self.type_of(interface, extras).0)
                })
                .collect(),
            enum_underlying: (kind == TypeKind::Enum)
                .then(|| self.enum_underlying(row))
                .flatten(),
            attributes: TypeAttributes::default(),
        };
        self.read_type_attributes(token, &mut found);
        found
    }

    fn read_type_attributes(&self, token: Token, found: &mut ExternalType) {
        let attributes = &mut found.attributes;
        for (attribute, blob) in self.attributes(token) {
            match attribute {
                Known::AttributeUsage => attributes.attribute_usage = blob.attribute_usage(),
                Known::Obsolete => attributes.is_obsolete = blob.is_real_obsolete(),
                Known::CollectionBuilder => {
                    attributes.collection_builder = blob.type_name_and_text();
                }
                Known::InterpolatedStringHandler => {
                    attributes.is_interpolated_string_handler = true
                }
                Known::DefaultMember => attributes.default_member = blob.text().map(Into::into),
                Known::AsyncMethodBuilder => attributes.async_method_builder = blob.type_name(),
                Known::Extension => attributes.has_extensions = true,
                Known::InlineArray => attributes.inline_array = blob.int(),
                Known::IsByRefLike => found.is_ref_like = true,
                Known::IsReadOnly => found.is_readonly = true,
                _ => {}
            }
        }
    }

    pub(crate) fn kind(&self, row: u32) -> TypeKind {
        let metadata = &self.metadata;
        if self.type_flags(row) & INTERFACE != 0 {
            return TypeKind::Interface;
        }
        let Some(base) = metadata.token(Table::TypeDef, row, 3) else {
            return TypeKind::Class;
        };
        match raw_name(metadata, base) {
            ("System", "Enum") => TypeKind::Enum,
            ("System", "ValueType") if !self.is_system_enum(row) => TypeKind::Struct,
            ("System", "MulticastDelegate") => TypeKind::Delegate,
            _ if self.has_clone(row) => TypeKind::Record,
            _ => TypeKind::Class,
        }
    }

    fn is_system_enum(&self, row: u32) -> bool {
        raw_name(&self.metadata, Token::new(Table::TypeDef, row)) == ("System", "Enum")
    }

    fn has_clone(&self, row: u32) -> bool {
        self.metadata
            .list(Table::TypeDef, row, 5, Table::MethodDef)
            .any(|method| self.metadata.text(Table::MethodDef, method, 3) == "<Clone>$")
    }

    pub(crate) fn accessibility(&self, row: u32) -> Accessibility {
        match self.type_flags(row) & 7 {
            1 | 2 => Accessibility::Public,
            4 => Accessibility::Protected,
            0 | 5 => Accessibility::Internal,
            6 => Accessibility::PrivateProtected,
            7 => Accessibility::ProtectedInternal,
            _ => Accessibility::Private,
        }
    }

    fn enum_underlying(&self, row: u32) -> Option<Primitive> {
        let metadata = &self.metadata;
        let mut fields = metadata.list(Table::TypeDef, row, 4, Table::Field);
        let value = fields.find(|&field| metadata.cell(Table::Field, field, 0) & 0x10 == 0)?;
        let mut reader = SignatureReader::new(self, metadata.blob(Table::Field, value, 2));
        reader.field_header()?;
        match reader.passed(Default::default())?.ty {
            SigType::Primitive(primitive) => Some(primitive),
            _ => None,
        }
    }

    /// The type parameters of a type or method, in metadata order. The row is that of the type around them.
    pub(crate) fn type_params(&self, owner: Token, type_row: u32) -> Vec<ExternalTypeParam> {
        self.metadata
            .rows_of(Table::GenericParam, 2, owner)
            .map(|row| self.type_param(row, owner, type_row))
            .collect()
    }

    fn type_param(&self, row: u32, owner: Token, type_row: u32) -> ExternalTypeParam {
        let metadata = &self.metadata;
        let flags = metadata.cell(Table::GenericParam, row, 1);
        let is_value = flags & 0x08 != 0;
        let is_reference = flags & 0x04 != 0;
        let mut is_unmanaged = false;
        let mut nullable = None;
        for (attribute, blob) in self.attributes(Token::new(Table::GenericParam, row)) {
            match attribute {
                Known::IsUnmanaged => is_unmanaged = true,
                Known::Nullable => nullable = blob.byte_or_first(),
                _ => {}
            }
        }
        let mut constraints = Vec::new();
        for constraint in metadata.equal_rows(Table::GenericParamConstraint, 0, row) {
            let Some(token) = metadata.token(Table::GenericParamConstraint, constraint, 1) else {
                continue;
            };
            let extras = self.extras(Token::new(Table::GenericParamConstraint, constraint));
            let (ty, modifiers) = self.type_of(token, extras);
            is_unmanaged |= modifiers.is_unmanaged;
            let is_value_type = matches!(&ty, SigType::Named(named)
                if &*named.namespace == "System" && matches!(&*named.path, [(name, 0)] if &**name == "ValueType"));
            if !(is_value && is_value_type) {
                constraints.push(ty);
            }
        }
        let is_notnull = !is_value
            && !is_reference
            && nullable.or_else(|| self.nullable_context(owner, type_row)) == Some(1);
        ExternalTypeParam {
            name: metadata.text(Table::GenericParam, row, 3).into(),
            variance: match flags & 3 {
                1 => Variance::Covariant,
                2 => Variance::Contravariant,
                _ => Variance::None,
            },
            constraints,
            is_reference,
            is_value,
            is_unmanaged: is_unmanaged && is_value,
            is_notnull,
            has_new: flags & 0x10 != 0 && !is_value,
            allows_ref_struct: flags & 0x20 != 0,
        }
    }

    /// What `NullableContextAttribute` says for a method or type: its own, the enclosing types', the module's.
    fn nullable_context(&self, owner: Token, type_row: u32) -> Option<u8> {
        let context_of = |token| {
            self.attributes(token)
                .find(|(attribute, _)| *attribute == Known::NullableContext)
                .and_then(|(_, blob)| blob.byte_or_first())
        };
        let mut found = context_of(owner);
        let mut at = Some(type_row);
        for _ in 0..MAX_NESTING {
            let (None, Some(row)) = (found, at) else {
                break;
            };
            found = context_of(Token::new(Table::TypeDef, row));
            at = self.outer_row(row);
        }
        found.or_else(|| context_of(Token::new(Table::Module, 1)))
    }
}
