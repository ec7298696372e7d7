//! Rows of `Field`, `MethodDef`, `Property` and `Event` as members, accessors folded into what they belong to.

use std::sync::Arc;

use cortex_model::{Accessibility, TypeKind};

use super::{
    PeFile,
    attributes::{Known, parse_type_name},
    params::MethodRow,
    signature::{Extras, Passed, SignatureReader},
    tables::{Table, Token},
};
use crate::model::{ExternalMember, MemberAttributes, MemberKind, Primitive, RefKind, SigType};

const STATIC: u32 = 0x10;
const FINAL: u32 = 0x20;
const VIRTUAL: u32 = 0x40;
const NEW_SLOT: u32 = 0x100;
const ABSTRACT: u32 = 0x400;
const SPECIAL_NAME: u32 = 0x800;

const INIT_ONLY: u32 = 0x20;
const LITERAL: u32 = 0x40;

const SETTER: u32 = 0x01;
const GETTER: u32 = 0x02;
const ADDER: u32 = 0x08;
const REMOVER: u32 = 0x10;

/// What belongs to which, where the tables are not sorted for it.
pub(crate) struct MemberMaps {
    /// By method row from 1: whether it is an accessor.
    is_accessor: Box<[bool]>,
    /// Rows of types and of `PropertyMap`, sorted.
    properties: Vec<(u32, u32)>,
    /// Rows of types and of `EventMap`, sorted.
    events: Vec<(u32, u32)>,
    /// Rows of types and of those nested in them that stand for extension blocks, sorted.
    pub(super) blocks: Vec<(u32, u32)>,
}

/// The members that methods of one type implement explicitly: method row, and the row of `MethodImpl`.
type Implementations = Vec<(u32, u32)>;

/// The type whose members are read.
pub(super) struct Owner {
    row: u32,
    kind: TypeKind,
    implementations: Implementations,
    default_member: Option<Arc<str>>,
}

pub(crate) fn accessibility(flags: u32) -> Accessibility {
    match flags & 7 {
        2 => Accessibility::PrivateProtected,
        3 => Accessibility::Internal,
        4 => Accessibility::Protected,
        5 => Accessibility::ProtectedInternal,
        6 => Accessibility::Public,
        _ => Accessibility::Private,
    }
}

impl PeFile {
    /// The members of a type: fields, methods, properties, events, each in metadata order.
    pub(crate) fn members(&self, row: u32) -> Vec<ExternalMember> {
        let owner = self.owner(row);
        let metadata = &self.metadata;
        let mut members = Vec::new();
        for field in metadata.list(Table::TypeDef, row, 4, Table::Field) {
            members.extend(self.field(field, &owner));
        }
        for method in self.methods_without_accessors(row) {
            members.extend(self.method(method, &owner));
        }
        for property in self.properties(row) {
            self.property(property, &owner, &mut members);
        }
        for map in rows_of_type(&self.maps().events, row) {
            for event in metadata.list(Table::EventMap, map, 1, Table::Event) {
                members.extend(self.event(event, &owner));
            }
        }
        members
    }

    pub(super) fn owner(&self, row: u32) -> Owner {
        let metadata = &self.metadata;
        let default_member = self
            .attributes(Token::new(Table::TypeDef, row))
            .find(|(attribute, _)| *attribute == Known::DefaultMember)
            .and_then(|(_, blob)| blob.text().map(Arc::from));
        let mut implementations: Implementations = metadata
            .equal_rows(Table::MethodImpl, 0, row)
            .filter_map(|implementation| {
                let body = metadata.token(Table::MethodImpl, implementation, 1)?;
                Some((body.of(Table::MethodDef)?, implementation))
            })
            .collect();
        implementations.sort_unstable();
        Owner {
            row,
            kind: self.kind(row),
            implementations,
            default_member,
        }
    }

    pub(super) fn methods_without_accessors(&self, row: u32) -> impl Iterator<Item = u32> {
        let is_accessor = &self.maps().is_accessor;
        self.metadata
            .list(Table::TypeDef, row, 5, Table::MethodDef)
            .filter(|&method| !is_accessor.get(method as usize).is_some_and(|&is| is))
    }

    pub(super) fn properties(&self, row: u32) -> impl Iterator<Item = u32> {
        rows_of_type(&self.maps().properties, row).flat_map(|map| {
            self.metadata
                .list(Table::PropertyMap, map, 1, Table::Property)
        })
    }

    pub(super) fn maps(&self) -> &MemberMaps {
        self.maps.get_or_init(|| {
            let metadata = &self.metadata;
            let methods = metadata.rows(Table::MethodDef) as usize;
            let mut is_accessor = vec![false; methods + 1].into_boxed_slice();
            for row in 1..=metadata.rows(Table::MethodSemantics) {
                let method = metadata.cell(Table::MethodSemantics, row, 1) as usize;
                let role = metadata.cell(Table::MethodSemantics, row, 0);
                if role & (GETTER | SETTER | ADDER | REMOVER) != 0
                    && let Some(is) = is_accessor.get_mut(method)
                {
                    *is = true;
                }
            }
            let map = |table| {
                let mut rows: Vec<_> = (1..=metadata.rows(table))
                    .map(|row| (metadata.cell(table, row, 0), row))
                    .collect();
                rows.sort_unstable();
                rows
            };
            let mut blocks: Vec<_> = (1..=metadata.rows(Table::NestedClass))
                .map(|row| {
                    let nested = metadata.cell(Table::NestedClass, row, 0);
                    (metadata.cell(Table::NestedClass, row, 1), nested)
                })
                .filter(|&(_, nested)| {
                    let name = metadata.text(Table::TypeDef, nested, 1);
                    name.starts_with("<G>$") || name.starts_with("<M>$")
                })
                .collect();
            blocks.sort_unstable();
            MemberMaps {
                blocks,
                is_accessor,
                properties: map(Table::PropertyMap),
                events: map(Table::EventMap),
            }
        })
    }

    fn field(&self, row: u32, owner: &Owner) -> Option<ExternalMember> {
        let metadata = &self.metadata;
        let flags = metadata.cell(Table::Field, row, 0);
        let accessibility = accessibility(flags);
        let name = metadata.text(Table::Field, row, 1);
        let is_enum = owner.kind == TypeKind::Enum;
        if !self.keeps(accessibility) || is_generated(name) || (is_enum && flags & STATIC == 0) {
            return None;
        }
        let token = Token::new(Table::Field, row);
        let mut member = empty_member(MemberKind::Field, name.into(), accessibility);
        let mut extras = Extras::default();
        let mut is_read_only_reference = false;
        let mut is_decimal = false;
        let mut buffer = None;
        for (attribute, blob) in self.attributes(token) {
            match attribute {
                Known::Obsolete => member.attributes.is_obsolete = blob.is_real_obsolete(),
                Known::RequiredMember => member.is_required = true,
                Known::IsReadOnly => is_read_only_reference = true,
                Known::DecimalConstant => is_decimal = true,
                Known::FixedBuffer => buffer = blob.text(),
                _ => blob.add_to(attribute, &mut extras),
            }
        }
        let mut reader = SignatureReader::new(self, metadata.blob(Table::Field, row, 2));
        reader.field_header()?;
        let passed = reader.passed(extras)?;
        if passed.is_by_ref {
            member.returns_by = match is_read_only_reference {
                true => RefKind::RefReadonly,
                false => RefKind::Ref,
            };
        }
        member.ty = match buffer {
            Some(element) => SigType::Pointer(Box::new(self.named_type(element))),
            None => passed.ty,
        };
        member.is_static = flags & STATIC != 0;
        let is_constant = flags & LITERAL != 0 || (is_decimal && flags & INIT_ONLY != 0);
        member.kind = match is_constant {
            true if is_enum => MemberKind::EnumMember,
            true => MemberKind::Constant,
            false => MemberKind::Field,
        };
        member.is_readonly = flags & INIT_ONLY != 0 && !is_constant;
        if is_constant {
            member.constant = self.constant(token);
        }
        Some(member)
    }

    pub(super) fn method(&self, row: u32, owner: &Owner) -> Option<ExternalMember> {
        let metadata = &self.metadata;
        let flags = metadata.cell(Table::MethodDef, row, 2);
        let name = metadata.text(Table::MethodDef, row, 3);
        let mut explicit_implementations = Vec::new();
        self.add_implementations(row, owner, Role::Method, &mut explicit_implementations);
        let accessibility = accessibility(flags);
        let is_reachable = self.keeps(accessibility) || !explicit_implementations.is_empty();
        if is_generated(name) || !is_reachable {
            return None;
        }
        let method = self.method_row(row);
        let mut member = empty_member(MemberKind::Method, name.into(), accessibility);
        member.explicit_implementations = explicit_implementations;
        self.read_slot(&method, &mut member);
        for (attribute, blob) in self.attributes(Token::new(Table::MethodDef, row)) {
            match attribute {
                Known::Obsolete => member.attributes.is_obsolete = blob.is_real_obsolete(),
                Known::Conditional => {
                    let symbols = blob.text().into_iter().map(Arc::from);
                    member.attributes.conditional.extend(symbols);
                }
                Known::OverloadResolutionPriority => {
                    member.attributes.overload_resolution_priority = blob.int().unwrap_or(0);
                }
                Known::Extension => member.is_extension = member.is_static,
                Known::IsReadOnly => member.is_readonly = true,
                _ => {}
            }
        }
        member.type_params = self.type_params(Token::new(Table::MethodDef, row), owner.row);
        let mut reader = SignatureReader::new(self, metadata.blob(Table::MethodDef, row, 4));
        let (_, count) = reader.header()?;
        let returned = method.params.first().copied().unwrap_or(0);
        let (extras, is_read_only) = self.return_extras(returned);
        let passed = reader.passed(extras)?;
        member.returns_by = return_kind(&passed, is_read_only);
        member.ty = passed.ty;
        member.params = self.params(&mut reader, count, &method)?;
        member.kind = method_kind(&member, flags, owner);
        Some(member)
    }

    /// What belongs to any member with a method behind it: its place among virtual slots.
    fn read_slot(&self, method: &MethodRow, member: &mut ExternalMember) {
        let flags = method.flags;
        member.is_static = flags & STATIC != 0;
        member.is_abstract = flags & ABSTRACT != 0;
        member.is_virtual = flags & VIRTUAL != 0;
        member.is_sealed = flags & FINAL != 0;
        member.is_override = member.is_virtual
            && !member.is_static
            && (flags & NEW_SLOT == 0
                || self
                    .attributes(Token::new(Table::MethodDef, method.row))
                    .any(|(attribute, _)| attribute == Known::PreserveBaseOverrides));
    }

    pub(super) fn property(&self, row: u32, owner: &Owner, members: &mut Vec<ExternalMember>) {
        let semantics =
            self.metadata
                .rows_of(Table::MethodSemantics, 2, Token::new(Table::Property, row));
        let (mut getter, mut setter) = (None, None);
        for semantic in semantics {
            let role = self.metadata.cell(Table::MethodSemantics, semantic, 0);
            let method = self.metadata.cell(Table::MethodSemantics, semantic, 1);
            match role {
                _ if role & GETTER != 0 => getter = Some(method),
                _ if role & SETTER != 0 => setter = Some(method),
                _ => {}
            }
        }
        match self.try_property(row, getter, setter, owner) {
            Some(member) if member.kind != MemberKind::Method => members.push(member),
            // A property with parameters that is no indexer: C# sees its accessors.
            Some(_) => {
                let accessors = getter.into_iter().chain(setter);
                members.extend(accessors.filter_map(|method| self.method(method, owner)));
            }
            None => {}
        }
    }

    fn try_property(
        &self,
        row: u32,
        getter: Option<u32>,
        setter: Option<u32>,
        owner: &Owner,
    ) -> Option<ExternalMember> {
        let metadata = &self.metadata;
        let name = metadata.text(Table::Property, row, 1);
        let mut member = self.folded(MemberKind::Property, name, [getter, setter], owner)?;
        let access = |method: Option<u32>| {
            method.map(|method| accessibility(metadata.cell(Table::MethodDef, method, 2)))
        };
        member.getter = access(getter);
        member.setter = access(setter);
        member.is_init_only = setter.is_some_and(|setter| self.is_init(setter));
        let mut extras = Extras::default();
        let mut is_read_only = false;
        for (attribute, blob) in self.attributes(Token::new(Table::Property, row)) {
            match attribute {
                Known::Obsolete => member.attributes.is_obsolete = blob.is_real_obsolete(),
                Known::OverloadResolutionPriority => {
                    member.attributes.overload_resolution_priority = blob.int().unwrap_or(0);
                }
                Known::RequiredMember => member.is_required = true,
                Known::IsReadOnly => is_read_only = true,
                _ => blob.add_to(attribute, &mut extras),
            }
        }
        let mut reader = SignatureReader::new(self, metadata.blob(Table::Property, row, 2));
        let (_, count) = reader.header()?;
        let passed = reader.passed(extras)?;
        member.returns_by = return_kind(&passed, is_read_only);
        member.ty = passed.ty;
        if count > 0 {
            let method = self.method_row(getter.or(setter)?);
            member.params = self.params(&mut reader, count, &method)?;
            // The name of an explicit implementation ends with the indexer's.
            let is_indexer = owner.default_member.as_deref() == Some(name) || name.contains('.');
            member.kind = match is_indexer {
                true => MemberKind::Indexer,
                false => MemberKind::Method,
            };
        }
        Some(member)
    }

    fn event(&self, row: u32, owner: &Owner) -> Option<ExternalMember> {
        let metadata = &self.metadata;
        let token = Token::new(Table::Event, row);
        let mut accessors = [None, None];
        for semantic in metadata.rows_of(Table::MethodSemantics, 2, token) {
            let method = metadata.cell(Table::MethodSemantics, semantic, 1);
            match metadata.cell(Table::MethodSemantics, semantic, 0) {
                ADDER => accessors[0] = Some(method),
                REMOVER => accessors[1] = Some(method),
                _ => {}
            }
        }
        let name = metadata.text(Table::Event, row, 1);
        let mut member = self.folded(MemberKind::Event, name, accessors, owner)?;
        let mut extras = Extras::default();
        for (attribute, blob) in self.attributes(token) {
            match attribute {
                Known::Obsolete => member.attributes.is_obsolete = blob.is_real_obsolete(),
                _ => blob.add_to(attribute, &mut extras),
            }
        }
        member.ty = self
            .type_of(metadata.token(Table::Event, row, 2)?, extras)
            .0;
        Some(member)
    }

    /// A property or event with what its accessors say; `None` where none of them is to be read.
    fn folded(
        &self,
        kind: MemberKind,
        name: &str,
        accessors: [Option<u32>; 2],
        owner: &Owner,
    ) -> Option<ExternalMember> {
        let flags = |method| self.metadata.cell(Table::MethodDef, method, 2);
        let mut explicit_implementations = Vec::new();
        for method in accessors.into_iter().flatten() {
            self.add_implementations(method, owner, Role::Accessor, &mut explicit_implementations);
        }
        explicit_implementations.dedup();
        // The first of the widest.
        let main = accessors
            .into_iter()
            .flatten()
            .rev()
            .max_by_key(|&method| accessibility(flags(method)))?;
        let accessibility = accessibility(flags(main));
        let is_reachable = self.keeps(accessibility) || !explicit_implementations.is_empty();
        if is_generated(name) || !is_reachable {
            return None;
        }
        let mut member = empty_member(kind, name.into(), accessibility);
        member.explicit_implementations = explicit_implementations;
        let method = MethodRow {
            row: main,
            flags: flags(main),
            params: Vec::new(),
        };
        self.read_slot(&method, &mut member);
        member.is_readonly = self
            .attributes(Token::new(Table::MethodDef, main))
            .any(|(attribute, _)| attribute == Known::IsReadOnly);
        Some(member)
    }

    fn is_init(&self, setter: u32) -> bool {
        let blob = self.metadata.blob(Table::MethodDef, setter, 4);
        let mut reader = SignatureReader::new(self, blob);
        let returned = reader
            .header()
            .and_then(|_| reader.passed(Extras::default()));
        returned.is_some_and(|returned| returned.modifiers.is_init)
    }

    fn add_implementations(
        &self,
        method: u32,
        owner: &Owner,
        role: Role,
        into: &mut Vec<(SigType, Arc<str>)>,
    ) {
        let metadata = &self.metadata;
        let first = owner
            .implementations
            .partition_point(|&(body, _)| body < method);
        let of_method = owner.implementations[first..]
            .iter()
            .take_while(|&&(body, _)| body == method);
        for &(_, row) in of_method {
            let Some(declared) = metadata.token(Table::MethodImpl, row, 2) else {
                continue;
            };
            let (ty, name) = match (declared.of(Table::MethodDef), declared.of(Table::MemberRef)) {
                (Some(method), _) => {
                    let owner = metadata.list_owner(Table::TypeDef, 5, method);
                    let ty = self.named(Token::new(Table::TypeDef, owner));
                    (ty, metadata.text(Table::MethodDef, method, 3))
                }
                (_, Some(member)) => {
                    let Some(parent) = metadata.token(Table::MemberRef, member, 0) else {
                        continue;
                    };
                    let ty = self.type_of(parent, Extras::default()).0;
                    (ty, metadata.text(Table::MemberRef, member, 1))
                }
                _ => continue,
            };
            let name = match role {
                Role::Method => name,
                Role::Accessor => name.split_once('_').map_or(name, |(_, property)| property),
            };
            into.push((ty, name.into()));
        }
    }

    /// A type that an attribute names.
    fn named_type(&self, name: &str) -> SigType {
        let Some(named) = parse_type_name(name, &self.name) else {
            return SigType::Unknown;
        };
        let primitive = match &*named.path {
            [(name, 0)] if &*named.namespace == "System" => Primitive::ALL
                .iter()
                .find(|primitive| primitive.name() == &**name),
            _ => None,
        };
        match primitive {
            Some(&primitive) => SigType::Primitive(primitive),
            None => SigType::Named(Box::new(named)),
        }
    }
}

/// What a method that implements something explicitly is.
#[derive(Clone, Copy)]
enum Role {
    Method,
    /// Of a property or event, whose name its own name ends with.
    Accessor,
}

/// What belongs to a type, in a sorted list.
pub(super) fn rows_of_type(map: &[(u32, u32)], row: u32) -> impl Iterator<Item = u32> {
    let first = map.partition_point(|&(owner, _)| owner < row);
    map[first..]
        .iter()
        .take_while(move |&&(owner, _)| owner == row)
        .map(|&(_, map)| map)
}

/// Names that compilers make start so; those of explicit implementations may only contain it.
fn is_generated(name: &str) -> bool {
    name.is_empty() || name.starts_with('<')
}

fn return_kind(passed: &Passed, is_read_only: bool) -> RefKind {
    match passed.is_by_ref {
        true if is_read_only || passed.modifiers.is_in => RefKind::RefReadonly,
        true => RefKind::Ref,
        false => RefKind::None,
    }
}

fn method_kind(member: &ExternalMember, flags: u32, owner: &Owner) -> MemberKind {
    let is_special = flags & SPECIAL_NAME != 0;
    match &*member.name {
        ".ctor" => MemberKind::Constructor,
        ".cctor" => MemberKind::StaticConstructor,
        "op_Implicit" | "op_Explicit" | "op_CheckedExplicit" if is_special => {
            MemberKind::Conversion
        }
        name if is_special && name.starts_with("op_") => MemberKind::Operator,
        "Finalize"
            if owner.kind == TypeKind::Class
                && member.is_virtual
                && member.accessibility == Accessibility::Protected
                && member.params.is_empty()
                && member.type_params.is_empty()
                && member.ty == SigType::Primitive(Primitive::Void) =>
        {
            MemberKind::Finalizer
        }
        _ => MemberKind::Method,
    }
}

fn empty_member(kind: MemberKind, name: Arc<str>, accessibility: Accessibility) -> ExternalMember {
    ExternalMember {
        kind,
        name,
        accessibility,
        is_static: false,
        is_abstract: false,
        is_virtual: false,
        is_override: false,
        is_sealed: false,
        is_extension: false,
        is_readonly: false,
        is_required: false,
        getter: None,
        setter: None,
        is_init_only: false,
        ty: SigType::Unknown,
        returns_by: RefKind::None,
        params: Vec::new(),
        type_params: Vec::new(),
        explicit_implementations: Vec::new(),
        attributes: MemberAttributes::default(),
        constant: None,
    }
}
