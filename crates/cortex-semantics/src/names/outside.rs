//! The types from outside of the repository that the heads of declarations name, for their canonical text.
//!
//! Must not know: how signatures are written.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use cortex_bind::{Outside, OutsideDefinition, OutsideType, WrittenName, push_namespace};
use cortex_model::DeclKind;
use cortex_syntax::{DeclId, FileFacts, RefContext};
use rustc_hash::FxHashMap;

use super::{Meaning, Position, Scope};
use crate::{
    compilation::Compilation,
    name::{Name, known},
    symbol::{TypeId, TypeOrigin, UnitId},
    ty::{Ty, TyKind},
    types::display::MAX_DEPTH,
    world::UnitKey,
};

/// What one compilation says about names of types from outside.
pub struct OutsideNames<'c, 'w> {
    c: &'c Compilation<'w>,
    definitions: RefCell<FxHashMap<TypeId, OutsideType>>,
}

impl<'c, 'w> OutsideNames<'c, 'w> {
    /// Of a compilation; caches what it finds.
    pub fn new(c: &'c Compilation<'w>) -> Self {
        Self {
            c,
            definitions: RefCell::default(),
        }
    }

    /// The names in the heads of one file, whose facts these are.
    pub fn in_file<'o>(
        &'o self,
        key: &UnitKey,
        facts: Arc<FileFacts>,
    ) -> OutsideNamesOfFile<'o, 'c, 'w> {
        let unit = self.c.unit_id(key);
        self.c.unit(unit).keep_facts(self.c, &facts);
        OutsideNamesOfFile {
            names: self,
            unit,
            facts,
            scope: RefCell::default(),
        }
    }

    fn definition(&self, id: TypeId) -> Option<OutsideType> {
        if let Some(found) = self.definitions.borrow().get(&id) {
            return Some(found.clone());
        }
        let c = self.c;
        let def = c.def(id);
        if def.is_source() {
            return None;
        }
        let mut names = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let def = c.def(id);
            names.push((c.text(def.name).to_owned(), usize::from(def.arity)));
            next = def.outer;
        }
        names.reverse();
        let namespace = c.text(def.namespace).to_owned();
        let found = match keyword(&namespace, &names) {
            Some(keyword) => OutsideType::Complete(keyword.into()),
            None => OutsideType::Definition(Rc::new(OutsideDefinition { namespace, names })),
        };
        self.definitions.borrow_mut().insert(id, found.clone());
        Some(found)
    }

    /// A complete type as canonical signatures write it.
    fn write(&self, out: &mut String, ty: Ty, depth: u32) {
        let c = self.c;
        if depth > MAX_DEPTH {
            return out.push('?');
        }
        let depth = depth + 1;
        match c.kind(ty) {
            TyKind::Dynamic => out.push_str("dynamic"),
            TyKind::Error | TyKind::None | TyKind::Anonymous(_) => out.push('?'),
            TyKind::Named { def, args } => self.write_named(out, *def, args, depth),
            TyKind::Unbound(def) => self.write_named(out, *def, &[], depth),
            TyKind::Param(param) => out.push_str(c.text(c.type_param_name(*param))),
            TyKind::Array(element, rank) => {
                self.write(out, *element, depth);
                out.push('[');
                (1..*rank).for_each(|_| out.push(','));
                out.push(']');
            }
            TyKind::Pointer(element) => {
                self.write(out, *element, depth);
                out.push('*');
            }
            TyKind::FunctionPointer(types) => {
                out.push_str("delegate*");
                self.write_arguments(out, types, depth);
            }
            TyKind::Tuple { elements, names } => {
                out.push('(');
                for (at, (&element, name)) in elements.iter().zip(names).enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    self.write(out, element, depth);
                    if let Some(name) = name {
                        out.push(' ');
                        out.push_str(c.text(*name));
                    }
                }
                out.push(')');
            }
        }
    }

    fn write_named(&self, out: &mut String, id: TypeId, args: &[Ty], depth: u32) {
        let c = self.c;
        if let TypeOrigin::Source { key, .. } = &c.def(id).origin {
            let symbol = c.world.symbol(*key);
            let fqn = symbol.map_or_else(|| c.text(c.def(id).name).to_owned(), |it| it.fqn);
            let plain = fqn
                .rsplit_once('`')
                .filter(|(_, n)| !n.contains(['+', '.']));
            out.push_str(plain.map_or(&*fqn, |(name, _)| name));
            return self.write_arguments(out, args, depth);
        }
        match self.definition(id) {
            Some(OutsideType::Complete(text)) => out.push_str(&text),
            Some(OutsideType::Definition(found)) => {
                let OutsideDefinition { namespace, names } = &*found;
                if let ("System", [(name, 1)], &[underlying]) = (&**namespace, &**names, args)
                    && name == "Nullable"
                {
                    self.write(out, underlying, depth);
                    return out.push('?');
                }
                push_namespace(out, namespace);
                let mut rest = args;
                for (at, (name, arity)) in names.iter().enumerate() {
                    if at > 0 {
                        out.push('.');
                    }
                    out.push_str(name);
                    if let Some((arguments, others)) = rest.split_at_checked(*arity) {
                        self.write_arguments(out, arguments, depth);
                        rest = others;
                    }
                }
            }
            None => out.push('?'),
        }
    }

    fn write_arguments(&self, out: &mut String, args: &[Ty], depth: u32) {
        if args.is_empty() {
            return;
        }
        out.push('<');
        for (at, &arg) in args.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            self.write(out, arg, depth);
        }
        out.push('>');
    }
}

/// The keyword that stands for a type (C# specification, §8.3.5).
fn keyword(namespace: &str, names: &[(String, usize)]) -> Option<&'static str> {
    let ("System", [(name, 0)]) = (namespace, names) else {
        return None;
    };
    Some(match &**name {
        "Object" => "object",
        "String" => "string",
        "Boolean" => "bool",
        "Char" => "char",
        "SByte" => "sbyte",
        "Byte" => "byte",
        "Int16" => "short",
        "UInt16" => "ushort",
        "Int32" => "int",
        "UInt32" => "uint",
        "Int64" => "long",
        "UInt64" => "ulong",
        "Single" => "float",
        "Double" => "double",
        "Decimal" => "decimal",
        "Void" => "void",
        _ => return None,
    })
}

/// The names in the heads of one file.
pub struct OutsideNamesOfFile<'o, 'c, 'w> {
    names: &'o OutsideNames<'c, 'w>,
    unit: UnitId,
    facts: Arc<FileFacts>,
    /// Of the declaration that was read last.
    scope: RefCell<Option<(DeclId, Scope)>>,
}

impl OutsideNamesOfFile<'_, '_, '_> {
    /// What a name refers to; without its type arguments.
    fn lookup(&self, at: &Scope, name: &WrittenName<'_>) -> Option<Meaning> {
        let c = self.names.c;
        let mut left: Option<Meaning> = None;
        for (index, segment) in name.segments.iter().enumerate() {
            let reference = self.facts.refs.get(segment.reference as usize)?;
            let simple = c.name(self.facts.name(reference.name));
            let is_last = index + 1 == name.segments.len();
            let found = match &left {
                None if reference.context == RefContext::Alias => c.lookup_alias_name(at, simple),
                _ if is_last && name.is_attribute => {
                    c.lookup_attribute_in(at, left.as_ref(), simple, reference.arity)
                }
                Some(left) => c.lookup_qualified(at, left, simple, reference.arity),
                None => c.lookup_type_name(at, simple, reference.arity),
            };
            if matches!(found, Meaning::Unknown | Meaning::Ambiguous(_)) {
                return None;
            }
            left = Some(found);
        }
        left
    }

    fn is_contextual(&self, name: Name) -> bool {
        matches!(name, known::DYNAMIC | known::NINT | known::NUINT)
    }
}

impl Outside for OutsideNamesOfFile<'_, '_, '_> {
    fn type_named(&self, name: WrittenName<'_>) -> Option<OutsideType> {
        let c = self.names.c;
        let mut cached = self.scope.borrow_mut();
        if cached.as_ref().is_none_or(|(decl, _)| *decl != name.decl) {
            let kind: DeclKind = self.facts.decls[name.decl as usize].kind;
            let position = match kind.type_kind() {
                Some(_) => Position::Header,
                None => Position::Body,
            };
            let scope = c.scope_in(self.unit, &self.facts, Some(name.decl), position);
            *cached = Some((name.decl, scope));
        }
        let (_, scope) = cached.as_ref()?;
        if let [segment] = name.segments
            && let Some(reference) = self.facts.refs.get(segment.reference as usize)
            && self.is_contextual(c.name(self.facts.name(reference.name)))
        {
            return None;
        }
        match self.lookup(scope, &name)? {
            Meaning::Type { def, .. } => self.names.definition(def),
            Meaning::Alias(ty) if !ty.is_error() => {
                let mut out = String::new();
                self.names.write(&mut out, ty, 0);
                Some(OutsideType::Complete(out.into()))
            }
            _ => None,
        }
    }
}
