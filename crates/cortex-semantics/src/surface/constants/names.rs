//! Constants and types by name.

use super::{Value, value_at};
use crate::{
    compilation::Compilation,
    names::{Access, Meaning, MemberLookup, Position, Scope},
    symbol::{MemberFlags, MemberId, MemberOrigin, Sym},
    ty::Ty,
};

/// A constant or enum member by its path, with its value.
pub(super) fn constant(
    c: &Compilation<'_>,
    scope: &Scope,
    path: &[String],
    depth: u32,
) -> Option<(MemberId, Value)> {
    let sym = member(c, scope, path, 0)?;
    Some((sym.member, value_at_depth(c, sym, depth)?))
}

/// The value of a constant.
pub(crate) fn value_of(c: &Compilation<'_>, sym: Sym) -> Option<Value> {
    value_at_depth(c, sym, 0)
}

fn value_at_depth(c: &Compilation<'_>, sym: Sym, depth: u32) -> Option<Value> {
    // Where each constant names the next one twice, depth alone bounds nothing.
    let key = (sym.member, depth);
    if let Some(known) = c.caches.constants.borrow().get(&key) {
        return known.clone();
    }
    let value = of_member(c, sym, depth);
    let mut constants = c.caches.constants.borrow_mut();
    if constants.len() >= MAX_KNOWN {
        constants.clear();
    }
    constants.insert(key, value.clone());
    value
}

/// The member that a path names: of a type around, or of the type before it, which has `arity` type parameters.
pub(crate) fn member(
    c: &Compilation<'_>,
    scope: &Scope,
    path: &[String],
    arity: u16,
) -> Option<Sym> {
    let (name, owner) = path.split_last()?;
    let name = c.name(name);
    let access = Access {
        container: scope.container,
        project: scope.project,
        through: None,
    };
    let find = |ty: Ty| match c.lookup_member(ty, name, None, access) {
        MemberLookup::Member(sym) => Some(sym),
        _ => None,
    };
    if owner.is_empty() {
        let mut around = scope.container;
        let mut found = None;
        while let (None, Some(ty)) = (&found, around) {
            found = find(c.instance_type(ty));
            around = c.def(ty).outer;
        }
        found
    } else {
        find(owner_type(c, scope, owner, arity)?)
    }
}

/// So many values are remembered, each of some kilobytes at most.
const MAX_KNOWN: usize = 4_096;

fn of_member(c: &Compilation<'_>, sym: Sym, depth: u32) -> Option<Value> {
    let member = c.member(sym.member);
    if !member.is(MemberFlags::CONST) {
        return None;
    }
    if let Some(value) = member.signature.constant {
        return Some(Value::Integer(value));
    }
    let MemberOrigin::Source(unit, decl) = member.origin else {
        return None;
    };
    let facts = c.unit(unit).facts(c);
    let text = facts.decls.get(decl as usize)?.value?;
    let scope = c.scope_of(unit, Some(decl), Position::Body);
    match value_at(c, &scope, facts.name(text), depth + 1) {
        Value::Source(_) => None,
        value => Some(value),
    }
}

/// The type that a path names; `arity`: how many type parameters it has.
fn named_type(c: &Compilation<'_>, scope: &Scope, path: &[String], arity: u16) -> Option<Meaning> {
    let path: Vec<&String> = path.iter().filter(|name| *name != "global").collect();
    let (last, outer) = path.split_last()?;
    let Some((first, inner)) = outer.split_first() else {
        return Some(c.lookup_type_name(scope, c.name(last), arity));
    };
    let mut meaning = c.lookup_type_name(scope, c.name(first), 0);
    for name in inner {
        meaning = c.lookup_qualified(scope, &meaning, c.name(name), 0);
    }
    Some(c.lookup_qualified(scope, &meaning, c.name(last), arity))
}

/// The type that a path names, with its own type parameters for arguments.
fn owner_type(c: &Compilation<'_>, scope: &Scope, path: &[String], arity: u16) -> Option<Ty> {
    match named_type(c, scope, path, arity)? {
        Meaning::Type { def, .. } => Some(c.instance_type(def)),
        Meaning::Alias(ty) => Some(ty),
        _ => None,
    }
}

/// What `typeof` gives.
pub(super) fn type_value(c: &Compilation<'_>, scope: &Scope, text: &str) -> Value {
    // `List<>`, `Dictionary<,>`; constructed types stay as they are written.
    let (name, arity) = match text.split_once('<') {
        Some((name, rest)) if rest.trim_end().trim_matches([',', ' ']) == ">" => {
            (name, rest.matches(',').count() as u16 + 1)
        }
        _ => (text, 0),
    };
    let known = match c.predefined(name) {
        Ty::ERROR => {
            let path = name.split(['.', ':']).map(|it| it.trim().to_owned());
            let path: Vec<String> = path.filter(|it| !it.is_empty()).collect();
            match named_type(c, scope, &path, arity) {
                Some(Meaning::Type { def, .. }) => Some(def),
                Some(Meaning::Alias(ty)) => c.def_of(ty),
                _ => None,
            }
        }
        ty => c.def_of(ty),
    };
    let id = known.map(|def| c.type_doc_id(def));
    id.map_or_else(|| Value::Source(format!("typeof({text})")), Value::Type)
}
