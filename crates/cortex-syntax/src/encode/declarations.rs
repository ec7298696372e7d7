//! Everything but references and bodies: the names, then what files seldom have, then the declarations.
//!
//! ```text
//! names        := count  { length }  texts
//! file         := encoding-guessed  errors  inactive  symbols  usings  assembly-attributes
//! declarations := count  columns
//! crefs        := count  { reference  type-parameters  types }
//! ```
//! Numbers are LEB128. A declaration's ranges are written as distances from where the declaration before it ends,
//! from its name to its body and so on, so that most are one byte; a name that was not used before is 0.

use cortex_model::{
    Accessibility, AccessorKind, ByteRange, DeclKind, Modifier, Modifiers, put_varint,
};

use super::{Input, put_signed};
use crate::facts::{
    Accessor, AttributeTarget, AttributeUse, Constraint, CrefSignature, Decl, FileFacts, Inactive,
    NameId, NameSegment, Param, TypeParam, TypeSyntax, Using, UsingKind, Variance,
};

/// How deep types are nested at most: deeper than any that is extracted.
const MAX_DEPTH: u32 = 200;

// What a declaration has.
const HAS_TYPE_PARAMS: u32 = 1;
const HAS_TYPE: u32 = 1 << 1;
const HAS_PARAMS: u32 = 1 << 2;
const HAS_BASES: u32 = 1 << 3;
const HAS_ATTRIBUTES: u32 = 1 << 4;
const HAS_ACCESSORS: u32 = 1 << 5;
const HAS_BODY: u32 = 1 << 6;
const HAS_DOC: u32 = 1 << 7;
const HAS_VALUE: u32 = 1 << 8;
const HAS_IMPL_HASH: u32 = 1 << 9;
const HAS_DOC_HASH: u32 = 1 << 10;
const HAS_TEXT_HASH: u32 = 1 << 11;
const HAS_NO_NAME: u32 = 1 << 12;

const NOWHERE: ByteRange = ByteRange { start: 0, end: 0 };

pub(super) fn write(facts: &FileFacts) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 * facts.decls.len() + 16 * facts.names.len());
    write_names(&mut out, &facts.names);
    let mut writer = Writer::new(out);
    writer.file(facts);
    writer.decls(&facts.decls, &facts.names);
    writer.list(&facts.cref_signatures, Writer::cref_signature);
    writer.out
}

/// Reads what [`write`] wrote; `None` for anything else.
pub(super) fn read(bytes: &[u8]) -> Option<FileFacts> {
    let mut input = Input(bytes);
    let names = take_names(&mut input)?;
    let mut reader = Reader::new(input, &names);
    let mut facts = reader.file()?;
    facts.decls = reader.decls()?;
    facts.cref_signatures = reader.list(Reader::cref_signature)?;
    if !reader.input.0.is_empty() {
        return None;
    }
    facts.names = names;
    Some(facts)
}

/// The names alone.
pub(super) fn read_names(bytes: &[u8]) -> Option<Vec<Box<str>>> {
    take_names(&mut Input(bytes))
}

fn write_names(out: &mut Vec<u8>, names: &[Box<str>]) {
    put_varint(out, names.len() as u32);
    for name in names {
        put_varint(out, name.len() as u32);
    }
    for name in names {
        out.extend_from_slice(name.as_bytes());
    }
}

fn take_names(input: &mut Input<'_>) -> Option<Vec<Box<str>>> {
    let count = input.count()?;
    let lengths: Vec<u32> = (0..count).map(|_| input.number()).collect::<Option<_>>()?;
    let names = lengths.into_iter().map(|length| {
        let text = std::str::from_utf8(input.bytes(length as usize)?).ok()?;
        Some(text.into())
    });
    names.collect()
}

struct Writer {
    out: Vec<u8>,
    // The least number that no name had so far, and the reference that is expected next.
    next_name: u32,
    next_reference: u32,
}

impl Writer {
    fn new(out: Vec<u8>) -> Self {
        Self {
            out,
            next_name: 0,
            next_reference: 0,
        }
    }

    fn number(&mut self, number: u32) {
        put_varint(&mut self.out, number);
    }

    fn signed(&mut self, to: u32, from: u32) {
        put_signed(&mut self.out, i64::from(to) - i64::from(from));
    }

    /// A name that is new is written as how many it leaves out, any other by how long ago it was new.
    fn name(&mut self, name: NameId) {
        match name.checked_sub(self.next_name) {
            Some(left_out) => {
                put_varint(&mut self.out, left_out << 1);
                self.next_name = name + 1;
            }
            None => put_varint(&mut self.out, name << 1 | 1),
        }
    }

    fn optional_name(&mut self, name: Option<NameId>) {
        self.out.push(u8::from(name.is_some()));
        if let Some(name) = name {
            self.name(name);
        }
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn range(&mut self, range: ByteRange) {
        self.number(range.start);
        self.signed(range.end, range.start);
    }

    fn hash(&mut self, hash: u64) {
        self.out.extend_from_slice(&hash.to_le_bytes());
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u32);
        items.iter().for_each(|item| each(self, item));
    }

    fn file(&mut self, facts: &FileFacts) {
        self.out.push(u8::from(facts.encoding_guessed));
        self.list(&facts.errors, |to, &range| to.range(range));
        self.list(&facts.inactive, |to, inactive| {
            to.range(inactive.range);
            to.text(&inactive.condition);
        });
        self.list(&facts.symbols_tested, |to, symbol| to.text(symbol));
        self.list(&facts.usings, Self::using);
        self.list(&facts.assembly_attributes, Self::attribute);
    }

    fn using(&mut self, using: &Using) {
        let (kind, name) = match using.kind {
            UsingKind::Namespace => (0, None),
            UsingKind::Static => (1, None),
            UsingKind::Alias(name) => (2, Some(name)),
            UsingKind::ExternAlias(name) => (3, Some(name)),
        };
        self.out.push(kind | u8::from(using.global) << 2);
        if let Some(name) = name {
            self.name(name);
        }
        self.number(using.scope.map_or(0, |scope| scope + 1));
        self.ty(&using.target);
        self.range(using.range);
    }

    fn attribute(&mut self, attribute: &AttributeUse) {
        self.number(attribute.target.into());
        self.ty(&attribute.name);
        self.optional_name(attribute.arguments);
    }

    fn cref_signature(&mut self, signature: &CrefSignature) {
        self.reference(signature.reference);
        self.list(&signature.type_params, |to, (reference, names)| {
            to.reference(*reference);
            to.list(names, |to, &name| to.name(name));
        });
        self.list(&signature.params, Self::ty);
    }

    fn ty(&mut self, ty: &TypeSyntax) {
        match ty {
            TypeSyntax::Unknown => self.out.push(0),
            TypeSyntax::Named(segments) => {
                // Nearly all names have one segment without arguments.
                match segments.as_slice() {
                    [segment] if segment.arguments.is_empty() => {
                        self.out.push(1);
                        self.reference(segment.reference);
                    }
                    segments => {
                        self.out.push(2);
                        self.list(segments, |to, segment| {
                            to.reference(segment.reference);
                            to.list(&segment.arguments, Self::ty);
                        });
                    }
                }
            }
            TypeSyntax::Predefined(name) => {
                self.out.push(3);
                self.name(*name);
            }
            TypeSyntax::Array(element, rank) => {
                self.out.extend_from_slice(&[4, *rank]);
                self.ty(element);
            }
            TypeSyntax::Nullable(inner) => self.wrapped(5, inner),
            TypeSyntax::Pointer(inner) => self.wrapped(6, inner),
            TypeSyntax::Tuple(elements) => {
                self.out.push(7);
                self.list(elements, |to, (ty, name)| {
                    to.ty(ty);
                    to.optional_name(*name);
                });
            }
            TypeSyntax::Ref(inner) => self.wrapped(8, inner),
            TypeSyntax::RefReadonly(inner) => self.wrapped(9, inner),
            TypeSyntax::FunctionPointer(name, types) => {
                self.out.push(10);
                self.name(*name);
                self.list(types, Self::ty);
            }
        }
    }

    fn wrapped(&mut self, tag: u8, inner: &TypeSyntax) {
        self.out.push(tag);
        self.ty(inner);
    }

    /// References of types are mostly those that come next.
    fn reference(&mut self, reference: u32) {
        self.signed(reference, self.next_reference);
        self.next_reference = reference.wrapping_add(1);
    }

    fn decls(&mut self, decls: &[Decl], names: &[Box<str>]) {
        self.number(decls.len() as u32);
        for (id, decl) in decls.iter().enumerate() {
            // From the declaration before: most stand beside or in it.
            let parent = decl.parent.map_or(0, |parent| parent + 1);
            self.number(id as u32 - parent);
        }
        decls.iter().for_each(|decl| self.out.push(decl.kind as u8));
        decls.iter().for_each(|decl| self.number(has(decl)));
        for decl in decls {
            let accessibility = decl.accessibility.map_or(0, |it| it as u8 + 1);
            self.out.push(accessibility);
        }
        (decls.iter()).for_each(|decl| self.number(decl.modifiers.bits()));
        decls.iter().for_each(|decl| self.name(decl.name));
        self.places(decls, names);
        decls.iter().for_each(|decl| self.parts(decl));
        for decl in decls {
            let hashes = [decl.doc_hash, decl.impl_hash, decl.text_hash];
            hashes
                .into_iter()
                .filter(|hash| *hash != 0)
                .for_each(|hash| self.hash(hash));
        }
    }

    /// Where declarations stand.
    fn places(&mut self, decls: &[Decl], names: &[Box<str>]) {
        let mut expected = Expected::default();
        for (id, decl) in decls.iter().enumerate() {
            let mut at = expected.start(id, decl.parent, decls);
            if decl.doc_range != NOWHERE {
                self.signed(decl.doc_range.start, at);
                self.signed(decl.doc_range.end, decl.doc_range.start);
                at = decl.doc_range.end;
            }
            self.signed(decl.range.start, at);
            if decl.name_range != NOWHERE {
                self.signed(decl.name_range.start, decl.range.start);
                let end = name_end(decl, names);
                self.signed(decl.name_range.end, end);
            }
            let mut end = decl.name_range.end;
            if decl.body_range != NOWHERE {
                self.signed(decl.body_range.start, end);
                self.signed(decl.body_range.end, decl.body_range.start);
                end = decl.body_range.end;
            }
            self.signed(decl.range.end, end);
            self.signed(decl.line, expected.line);
            expected.line = decl.line;
        }
    }

    /// What only some declarations have.
    fn parts(&mut self, decl: &Decl) {
        if !decl.type_params.is_empty() {
            self.list(&decl.type_params, Self::type_param);
        }
        if let Some(ty) = &decl.ty {
            self.ty(ty);
        }
        if let Some(params) = &decl.params {
            self.list(params, Self::param);
        }
        if !decl.bases.is_empty() {
            self.list(&decl.bases, Self::ty);
        }
        if !decl.attributes.is_empty() {
            self.list(&decl.attributes, Self::attribute);
        }
        if !decl.accessors.is_empty() {
            self.list(&decl.accessors, |to, accessor| {
                let has_body = u8::from(accessor.has_body) << 4;
                to.out.push(accessor.kind as u8 | has_body);
                let accessibility = accessor.accessibility.map_or(0, |it| it as u8 + 1);
                to.out.push(accessibility);
                to.number(accessor.modifiers.bits());
            });
        }
        if let Some(value) = decl.value {
            self.name(value);
        }
    }

    fn type_param(&mut self, param: &TypeParam) {
        self.name(param.name);
        self.out.push(param.variance as u8);
        self.list(&param.constraints, |to, constraint| match constraint {
            Constraint::Type(ty) => {
                to.out.push(0);
                to.ty(ty);
            }
            Constraint::Keyword(name) => {
                to.out.push(1);
                to.name(*name);
            }
        });
    }

    fn param(&mut self, param: &Param) {
        let has = u32::from(param.ty.is_some()) | u32::from(param.default.is_some()) << 1;
        self.number(has | param.modifiers.bits() << 2);
        self.name(param.name);
        if let Some(ty) = &param.ty {
            self.ty(ty);
        }
        if let Some(default) = param.default {
            self.name(default);
        }
    }
}

/// Bits of what a declaration has.
fn has(decl: &Decl) -> u32 {
    let parts = [
        (HAS_TYPE_PARAMS, !decl.type_params.is_empty()),
        (HAS_TYPE, decl.ty.is_some()),
        (HAS_PARAMS, decl.params.is_some()),
        (HAS_BASES, !decl.bases.is_empty()),
        (HAS_ATTRIBUTES, !decl.attributes.is_empty()),
        (HAS_ACCESSORS, !decl.accessors.is_empty()),
        (HAS_BODY, decl.body_range != NOWHERE),
        (HAS_DOC, decl.doc_range != NOWHERE),
        (HAS_VALUE, decl.value.is_some()),
        (HAS_IMPL_HASH, decl.impl_hash != 0),
        (HAS_DOC_HASH, decl.doc_hash != 0),
        (HAS_TEXT_HASH, decl.text_hash != 0),
        (HAS_NO_NAME, decl.name_range == NOWHERE),
    ];
    let present = parts.into_iter().filter(|(_, is_there)| *is_there);
    present.fold(0, |bits, (bit, _)| bits | bit)
}

/// Where a name ends that is written as it reads.
fn name_end(decl: &Decl, names: &[Box<str>]) -> u32 {
    let length = names[decl.name as usize].len() as u32;
    decl.name_range.start.saturating_add(length)
}

/// Where the next declaration may be expected.
#[derive(Default)]
struct Expected {
    line: u32,
    // By declaration: the last one in it so far.
    last_child: Vec<Option<u32>>,
    last_outside: Option<u32>,
}

impl Expected {
    /// Behind the declaration before it in its parent, or where its parent's body begins. `decls`: those before it
    /// are read.
    fn start(&mut self, id: usize, parent: Option<u32>, decls: &[Decl]) -> u32 {
        self.last_child.resize(id + 1, None);
        let last = match parent {
            Some(parent) => &mut self.last_child[parent as usize],
            None => &mut self.last_outside,
        };
        match (last.replace(id as u32), parent) {
            (Some(before), _) => decls[before as usize].range.end,
            (None, Some(parent)) => {
                let parent = &decls[parent as usize];
                parent.body_range.start.max(parent.name_range.end)
            }
            (None, None) => 0,
        }
    }
}

struct Reader<'a> {
    input: Input<'a>,
    names: &'a [Box<str>],
    next_name: u32,
    next_reference: u32,
}

impl<'a> Reader<'a> {
    fn new(input: Input<'a>, names: &'a [Box<str>]) -> Self {
        Self {
            input,
            names,
            next_name: 0,
            next_reference: 0,
        }
    }

    fn number(&mut self) -> Option<u32> {
        self.input.number()
    }

    fn byte(&mut self) -> Option<u8> {
        self.input.byte()
    }

    fn signed(&mut self, from: u32) -> Option<u32> {
        u32::try_from(i64::from(from) + self.input.signed()?).ok()
    }

    fn name(&mut self) -> Option<NameId> {
        let number = self.number()?;
        let name = match number & 1 {
            0 => {
                let name = self.next_name.checked_add(number >> 1)?;
                self.next_name = name.checked_add(1)?;
                name
            }
            _ => number >> 1,
        };
        ((name as usize) < self.names.len()).then_some(name)
    }

    fn optional_name(&mut self) -> Option<Option<NameId>> {
        match self.byte()? {
            0 => Some(None),
            1 => self.name().map(Some),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        let text = std::str::from_utf8(self.input.bytes(length)?).ok()?;
        Some(text.to_owned())
    }

    fn range(&mut self) -> Option<ByteRange> {
        let start = self.number()?;
        let end = self.signed(start)?;
        Some(ByteRange { start, end })
    }

    fn hash(&mut self) -> Option<u64> {
        let bytes = self.input.bytes(8)?.try_into().ok()?;
        Some(u64::from_le_bytes(bytes))
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.input.count()?;
        (0..count).map(|_| each(self)).collect()
    }

    fn file(&mut self) -> Option<FileFacts> {
        Some(FileFacts {
            encoding_guessed: self.flag()?,
            errors: self.list(Self::range)?,
            inactive: self.list(|from| {
                Some(Inactive {
                    range: from.range()?,
                    condition: from.text()?,
                })
            })?,
            symbols_tested: self.list(Self::text)?,
            usings: self.list(Self::using)?,
            assembly_attributes: self.list(Self::attribute)?,
            ..FileFacts::default()
        })
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn using(&mut self) -> Option<Using> {
        let tag = self.byte()?;
        let kind = match tag & 3 {
            0 => UsingKind::Namespace,
            1 => UsingKind::Static,
            2 => UsingKind::Alias(self.name()?),
            _ => UsingKind::ExternAlias(self.name()?),
        };
        Some(Using {
            kind,
            global: tag & 4 != 0,
            scope: self.number()?.checked_sub(1),
            target: self.ty(MAX_DEPTH)?,
            range: self.range()?,
        })
    }

    fn attribute(&mut self) -> Option<AttributeUse> {
        Some(AttributeUse {
            target: AttributeTarget::from(self.number()?),
            name: self.ty(MAX_DEPTH)?,
            arguments: self.optional_name()?,
        })
    }

    fn cref_signature(&mut self) -> Option<CrefSignature> {
        Some(CrefSignature {
            reference: self.reference()?,
            type_params: self.list(|from| Some((from.reference()?, from.list(Self::name)?)))?,
            params: self.list(|from| from.ty(MAX_DEPTH))?,
        })
    }

    fn ty(&mut self, depth: u32) -> Option<TypeSyntax> {
        let depth = depth.checked_sub(1)?;
        let boxed = |from: &mut Self| from.ty(depth).map(Box::new);
        Some(match self.byte()? {
            0 => TypeSyntax::Unknown,
            1 => TypeSyntax::Named(vec![NameSegment {
                reference: self.reference()?,
                arguments: Vec::new(),
            }]),
            2 => TypeSyntax::Named(self.list(|from| {
                Some(NameSegment {
                    reference: from.reference()?,
                    arguments: from.list(|from| from.ty(depth))?,
                })
            })?),
            3 => TypeSyntax::Predefined(self.name()?),
            4 => {
                let rank = self.byte()?;
                TypeSyntax::Array(boxed(self)?, rank)
            }
            5 => TypeSyntax::Nullable(boxed(self)?),
            6 => TypeSyntax::Pointer(boxed(self)?),
            7 => {
                TypeSyntax::Tuple(self.list(|from| Some((from.ty(depth)?, from.optional_name()?)))?)
            }
            8 => TypeSyntax::Ref(boxed(self)?),
            9 => TypeSyntax::RefReadonly(boxed(self)?),
            10 => TypeSyntax::FunctionPointer(self.name()?, self.list(|from| from.ty(depth))?),
            _ => return None,
        })
    }

    fn reference(&mut self) -> Option<u32> {
        let reference = self.signed(self.next_reference)?;
        self.next_reference = reference.wrapping_add(1);
        Some(reference)
    }

    fn decls(&mut self) -> Option<Vec<Decl>> {
        let count = self.input.count()?;
        let mut decls = Vec::with_capacity(count);
        for id in 0..count as u32 {
            let parent = id.checked_sub(self.number()?)?;
            decls.push(empty(parent.checked_sub(1)));
        }
        for decl in &mut decls {
            decl.kind = *DeclKind::ALL.get(usize::from(self.byte()?))?;
        }
        let has: Vec<u32> = (0..count).map(|_| self.number()).collect::<Option<_>>()?;
        for decl in &mut decls {
            decl.accessibility = self.accessibility()?;
        }
        for decl in &mut decls {
            decl.modifiers = self.number().map(modifiers)?;
        }
        for decl in &mut decls {
            decl.name = self.name()?;
        }
        self.places(&mut decls, &has)?;
        for (decl, &has) in decls.iter_mut().zip(&has) {
            self.parts(decl, has)?;
        }
        for (decl, &has) in decls.iter_mut().zip(&has) {
            let hashes = [
                (HAS_DOC_HASH, &mut decl.doc_hash),
                (HAS_IMPL_HASH, &mut decl.impl_hash),
                (HAS_TEXT_HASH, &mut decl.text_hash),
            ];
            for (bit, hash) in hashes {
                if has & bit != 0 {
                    *hash = self.hash()?;
                }
            }
        }
        Some(decls)
    }

    fn accessibility(&mut self) -> Option<Option<Accessibility>> {
        match self.byte()?.checked_sub(1) {
            None => Some(None),
            Some(number) => Accessibility::ALL
                .get(usize::from(number))
                .copied()
                .map(Some),
        }
    }

    fn places(&mut self, decls: &mut [Decl], has: &[u32]) -> Option<()> {
        let mut expected = Expected::default();
        for id in 0..decls.len() {
            let has = has[id];
            let mut at = expected.start(id, decls[id].parent, decls);
            let decl = &mut decls[id];
            if has & HAS_DOC != 0 {
                decl.doc_range.start = self.signed(at)?;
                decl.doc_range.end = self.signed(decl.doc_range.start)?;
                at = decl.doc_range.end;
            }
            decl.range.start = self.signed(at)?;
            if has & HAS_NO_NAME == 0 {
                decl.name_range.start = self.signed(decl.range.start)?;
                decl.name_range.end = self.signed(name_end(decl, self.names))?;
            }
            let mut end = decl.name_range.end;
            if has & HAS_BODY != 0 {
                decl.body_range.start = self.signed(end)?;
                decl.body_range.end = self.signed(decl.body_range.start)?;
                end = decl.body_range.end;
            }
            decl.range.end = self.signed(end)?;
            decl.line = self.signed(expected.line)?;
            expected.line = decl.line;
        }
        Some(())
    }

    fn parts(&mut self, decl: &mut Decl, has: u32) -> Option<()> {
        if has & HAS_TYPE_PARAMS != 0 {
            decl.type_params = self.list(Self::type_param)?;
        }
        if has & HAS_TYPE != 0 {
            decl.ty = Some(self.ty(MAX_DEPTH)?);
        }
        if has & HAS_PARAMS != 0 {
            decl.params = Some(self.list(Self::param)?);
        }
        if has & HAS_BASES != 0 {
            decl.bases = self.list(|from| from.ty(MAX_DEPTH))?;
        }
        if has & HAS_ATTRIBUTES != 0 {
            decl.attributes = self.list(Self::attribute)?;
        }
        if has & HAS_ACCESSORS != 0 {
            decl.accessors = self.list(|from| {
                let tag = from.byte()?;
                Some(Accessor {
                    kind: *AccessorKind::ALL.get(usize::from(tag & 0xf))?,
                    accessibility: from.accessibility()?,
                    modifiers: from.number().map(modifiers)?,
                    has_body: tag & 0x10 != 0,
                })
            })?;
        }
        if has & HAS_VALUE != 0 {
            decl.value = Some(self.name()?);
        }
        Some(())
    }

    fn type_param(&mut self) -> Option<TypeParam> {
        Some(TypeParam {
            name: self.name()?,
            variance: match self.byte()? {
                0 => Variance::None,
                1 => Variance::In,
                2 => Variance::Out,
                _ => return None,
            },
            constraints: self.list(|from| match from.byte()? {
                0 => from.ty(MAX_DEPTH).map(Constraint::Type),
                1 => from.name().map(Constraint::Keyword),
                _ => None,
            })?,
        })
    }

    fn param(&mut self) -> Option<Param> {
        let has = self.number()?;
        Some(Param {
            modifiers: modifiers(has >> 2),
            name: self.name()?,
            ty: match has & 1 {
                0 => None,
                _ => Some(self.ty(MAX_DEPTH)?),
            },
            default: match has & 2 {
                0 => None,
                _ => Some(self.name()?),
            },
        })
    }
}

/// The set of these bits.
fn modifiers(bits: u32) -> Modifiers {
    let all = Modifier::ALL.iter().copied();
    all.filter(|&it| bits & 1 << it as u8 != 0).collect()
}

/// A declaration of which only the parent is known.
fn empty(parent: Option<u32>) -> Decl {
    Decl {
        parent,
        kind: DeclKind::ALL[0],
        name: 0,
        accessibility: None,
        modifiers: Modifiers::EMPTY,
        type_params: Vec::new(),
        ty: None,
        params: None,
        bases: Vec::new(),
        attributes: Vec::new(),
        accessors: Vec::new(),
        value: None,
        range: NOWHERE,
        name_range: NOWHERE,
        line: 0,
        body_range: NOWHERE,
        doc_range: NOWHERE,
        doc_hash: 0,
        impl_hash: 0,
        text_hash: 0,
    }
}

#[cfg(test)]
mod tests {
    use cortex_model::{ByteRange, DeclKind};

    use super::{Decl, FileFacts, TypeSyntax, empty, read, write};

    fn range(start: u32, end: u32) -> ByteRange {
        ByteRange { start, end }
    }

    fn facts(decls: Vec<Decl>) -> FileFacts {
        FileFacts {
            names: vec!["A".into(), "Bcd".into(), "é".into()],
            decls,
            ..FileFacts::default()
        }
    }

    #[test]
    fn ranges_come_back_in_whatever_order_they_are() {
        let outer = Decl {
            name: 2,
            range: range(90, 40),
            name_range: range(7, 9),
            body_range: range(3, 3),
            line: 9,
            ..empty(None)
        };
        let inner = Decl {
            kind: DeclKind::Method,
            range: range(5, 5),
            doc_range: range(1000, 2),
            line: 1,
            ..empty(Some(0))
        };
        let facts = facts(vec![outer.clone(), inner.clone(), inner, outer]);
        assert_eq!(read(&write(&facts)), Some(facts));
    }

    #[test]
    fn what_declarations_in_a_row_say_takes_a_few_bytes_each() {
        let decl = |at: u32| Decl {
            kind: DeclKind::Method,
            name: 1,
            range: range(100 * at, 100 * at + 90),
            name_range: range(100 * at + 20, 100 * at + 23),
            body_range: range(100 * at + 30, 100 * at + 89),
            line: 4 * at,
            ..empty(None)
        };
        let one = write(&facts((1..2).map(decl).collect())).len();
        let many = write(&facts((1..1001).map(decl).collect())).len();
        assert!(many - one < 999 * 15, "{} bytes", many - one);
    }

    #[test]
    fn types_nested_too_deep_are_refused() {
        let nested = (0..1_000).fold(TypeSyntax::Unknown, |inner, _| {
            TypeSyntax::Nullable(Box::new(inner))
        });
        let decl = Decl {
            ty: Some(nested),
            ..empty(None)
        };
        assert_eq!(read(&write(&facts(vec![decl]))), None);
    }
}
