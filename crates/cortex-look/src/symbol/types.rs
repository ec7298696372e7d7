//! The stages of resolving a name, one after the other.

use crate::{
    QueryError,
    symbol::{
        Candidate,
        path::{NamePath, Owner, Segment, SymbolPath},
        resolved::{Stages, Symbol, SymbolPart},
    },
};
use cortex_derived::{
    doc_ids::{
        members::{self, Case},
        split::split,
    },
    names::{has_name, kept_names, last_part},
};

use std::collections::BTreeMap;

use cortex_bind::{MemberNode, TypeNode};
use cortex_index::Snapshot;
use cortex_model::{
    Accessibility, TypeKey, edit_distance, from_base32, member_short_id, simple_name,
};

/// More types than that are not looked through for members.
const MAX_TYPES: usize = 2_000;

/// Names from this length on may be two edits away.
const LONG_NAME: usize = 13;

/// The types, or the members of types, of an id.
pub(crate) fn by_id(
    snapshot: &Snapshot,
    ty: &Owner<String>,
    member: Option<&str>,
) -> Result<Vec<Symbol>, QueryError> {
    let digits = ty.it.len() - "T_".len();
    let Some(bits) = ty.it.get(2..10).and_then(from_base32) else {
        return Ok(Vec::new());
    };
    let mut out = Vec::new();
    for key in snapshot.types_starting(bits)? {
        if key.short_id(digits) != ty.it {
            continue;
        }
        let Some(node) = node_in(snapshot, key, ty.assembly.as_deref())? else {
            continue;
        };
        let part = match member {
            None => Some(SymbolPart::Whole),
            Some(id) => (node.members.iter())
                .position(|it| member_short_id(&node.full_member_signature(it)) == id)
                .map(SymbolPart::Member),
        };
        if let Some(part) = part {
            out.push(Symbol { key, node, part });
        }
    }
    Ok(sorted(out))
}

/// The members whose paths are exactly this text, as answers print them: with parameter types, and what tells
/// overloads apart that have the same.
pub(crate) fn by_path(snapshot: &Snapshot, text: &str) -> Result<Vec<Symbol>, QueryError> {
    let end = text.find('(').unwrap_or(text.len());
    let mut out = Vec::new();
    for (dot, _) in text[..end].match_indices('.') {
        let (ty, member) = (&text[..dot], &text[dot + 1..]);
        let simple = ty.rsplit(['.', '+']).next().unwrap_or(ty);
        let simple = simple.split('`').next().unwrap_or(simple);
        for symbol in snapshot.types_named(simple)? {
            if symbol.fqn != ty {
                continue;
            }
            let Some(node) = snapshot.type_node(symbol.key)? else {
                continue;
            };
            let has_path = |it: &MemberNode| {
                let tail = member.strip_prefix(it.name.as_str());
                tail.is_some_and(|tail| {
                    // What implements a member of an interface has a dot in its name, and need have no parameters.
                    let is_known = !tail.is_empty() || it.interface_len > 0;
                    is_known && (tail == it.path_tail() || tail == it.tail())
                })
            };
            let found = node.members.iter().enumerate();
            let found = found.filter(|(_, it)| has_path(it)).map(|(at, _)| at);
            let found: Vec<usize> = found.collect();
            let key = symbol.key;
            out.extend(part_of(found).map(|part| Symbol { key, node, part }));
        }
    }
    Ok(sorted(out))
}

/// What a name means in the first stage that finds something.
pub(crate) fn by_name(
    snapshot: &Snapshot,
    path: &SymbolPath,
    stages: Stages,
) -> Result<Vec<Symbol>, QueryError> {
    let (doc_kind, name) = match path {
        SymbolPath::Name(name) => (None, name),
        SymbolPath::DocId { kind, name } => (Some(*kind), name),
        SymbolPath::Id { .. } | SymbolPath::Place { .. } => return Ok(Vec::new()),
    };
    let question = Question {
        snapshot,
        name,
        doc_kind,
    };
    if name.is_pattern() {
        return match stages {
            Stages::Exact => Ok(Vec::new()),
            Stages::All => question.matching(),
        };
    }
    let exact = [
        (Extent::Whole, Case::Same),
        (Extent::Whole, Case::Ignored),
        (Extent::End, Case::Same),
        (Extent::End, Case::Ignored),
    ];
    let n_stages = if doc_kind.is_some() { 1 } else { exact.len() };
    for (extent, case) in exact.into_iter().take(n_stages) {
        let found = question.written(extent, case)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    match (stages, doc_kind) {
        (Stages::All, None) => question.nearly(),
        _ => Ok(Vec::new()),
    }
}

/// Types and members whose names are nearest to what was asked, nearest first, of types that pass.
pub(crate) fn suggestions(
    snapshot: &Snapshot,
    path: &SymbolPath,
    n_max: usize,
    passes: &dyn Fn(&TypeNode) -> bool,
) -> Result<Vec<Candidate>, QueryError> {
    let (SymbolPath::Name(name) | SymbolPath::DocId { name, .. }) = path else {
        return Ok(Vec::new());
    };
    let mut near: Vec<(usize, usize, Symbol)> = Vec::new();
    let question = Question {
        snapshot,
        name,
        doc_kind: None,
    };
    // The type is right, and its member is not: members of a similar name.
    if let Some((member, ty)) = name.segments.split_last().filter(|(_, ty)| !ty.is_empty()) {
        for symbol in question.types(ty, Extent::End, Case::Ignored)? {
            if !passes(&symbol.node) {
                continue;
            }
            for (at, it) in symbol.node.members.iter().enumerate() {
                let far = is_near(&member.name, &it.name);
                if let Some(far) = far {
                    let part = SymbolPart::Member(at);
                    near.push((
                        far,
                        0,
                        Symbol {
                            part,
                            ..symbol.clone()
                        },
                    ));
                }
            }
        }
    }
    let mut by_name: BTreeMap<usize, Vec<Listed>> = BTreeMap::new();
    for symbol in all_types(snapshot)? {
        if let Some(far) = is_near(&name.last().name, symbol.name()) {
            by_name.entry(far).or_default().push(symbol);
        }
    }
    for (far, mut symbols) in by_name {
        symbols.sort();
        let mut n_left = n_max;
        for symbol in symbols {
            if n_left == 0 {
                break;
            }
            if let Some(node) = snapshot.type_node(symbol.key)?.filter(|node| passes(node)) {
                let (key, part) = (symbol.key, SymbolPart::Whole);
                near.push((far, 1, Symbol { key, node, part }));
                n_left -= 1;
            }
        }
    }
    if name.segments.len() == 1 {
        for (far, key, at) in members_near(snapshot, &name.last().name, n_max)? {
            if let Some(node) = snapshot.type_node(key)?.filter(|node| passes(node)) {
                let part = SymbolPart::Member(at);
                near.push((far, 2, Symbol { key, node, part }));
            }
        }
    }
    near.sort_by(|a, b| (a.0, a.1, order(&a.2)).cmp(&(b.0, b.1, order(&b.2))));
    let nearest = near.into_iter().take(n_max);
    nearest
        .map(|(.., symbol)| symbol.candidate(snapshot))
        .collect()
}

/// The members of any type whose names are a few edits from what was asked, the nearest first, one of each name of a
/// type: how far, the type, which member. From the kept names where these are there; else reads every type.
fn members_near(
    snapshot: &Snapshot,
    asked: &str,
    n_max: usize,
) -> Result<Vec<(usize, TypeKey, usize)>, QueryError> {
    let limit = (asked.chars().count() / 4).clamp(1, 3);
    let mut near: Vec<(usize, TypeKey, usize)> = Vec::new();
    match kept_names(snapshot) {
        Some(table) => table.each_name(&mut |name, _, called| {
            let far = std::str::from_utf8(name).ok();
            let far = far.and_then(|name| edit_distance(asked, name, limit));
            if let Some(far) = far {
                let members = called.filter(|it| it.kind.is_some());
                near.extend(members.map(|it| (far, table.ty(it.ty).key, it.at as usize)));
            }
            true
        }),
        None => {
            for (key, node) in snapshot.types()? {
                for (at, member) in node.members.iter().enumerate() {
                    let far = (has_name(member))
                        .then(|| edit_distance(asked, last_part(&member.name), limit))
                        .flatten();
                    near.extend(far.map(|far| (far, key, at)));
                }
            }
        }
    }
    near.sort_unstable();
    near.dedup_by_key(|it| it.1);
    near.truncate(n_max);
    Ok(near)
}

/// A type of a snapshot, by canonical name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Listed {
    fqn: String,
    key: TypeKey,
}

impl Listed {
    /// Its simple name, without arity.
    fn name(&self) -> &str {
        simple_name(&self.fqn)
    }
}

/// Every type, from the kept names where these are there.
fn all_types(snapshot: &Snapshot) -> Result<Vec<Listed>, QueryError> {
    let mut out: Vec<Listed> = match kept_names(snapshot) {
        Some(table) => (0..table.n_types())
            .map(|number| table.ty(number))
            .map(|ty| Listed {
                fqn: ty.fqn.to_owned(),
                key: ty.key,
            })
            .collect(),
        None => (snapshot.all_symbols()?.into_iter())
            .map(|symbol| Listed {
                fqn: symbol.fqn,
                key: symbol.key,
            })
            .collect(),
    };
    out.sort();
    Ok(out)
}

/// How far a name is from what was asked, where that is near enough to be meant: edits, or one within the other.
fn is_near(asked: &str, name: &str) -> Option<usize> {
    let n_chars = asked.chars().count();
    let by_edits = edit_distance(asked, name, (n_chars / 3).clamp(1, 4));
    by_edits.or_else(|| {
        let (asked, name) = (asked.to_lowercase(), name.to_lowercase());
        (n_chars >= 4 && name.contains(&asked)).then(|| 5 + name.len() - asked.len())
    })
}

/// How much of a name must be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    End,
}

struct Question<'a> {
    snapshot: &'a Snapshot,
    name: &'a NamePath,
    /// The letter of a documentation id.
    doc_kind: Option<char>,
}

impl Question<'_> {
    /// Types first; members where no type has the name.
    fn written(&self, extent: Extent, case: Case) -> Result<Vec<Symbol>, QueryError> {
        if self.name.params.is_none() && self.doc_kind.is_none_or(|kind| kind == 'T') {
            let types = self.types(&self.name.segments, extent, case)?;
            if !types.is_empty() || self.doc_kind.is_some() {
                return Ok(types);
            }
        }
        let Some((member, ty)) = self.name.segments.split_last() else {
            return Ok(Vec::new());
        };
        if ty.is_empty() {
            return Ok(Vec::new());
        }
        let mut out = Vec::new();
        for symbol in self.types(ty, extent, case)? {
            let found = match self.doc_kind {
                Some(kind) => members::by_doc_id(
                    &symbol.node,
                    &self.snapshot.symbols(symbol.key)?,
                    kind,
                    &member.name,
                    self.name.params.as_deref(),
                ),
                None => members::named(
                    &symbol.node,
                    &member.name,
                    self.name.params.as_deref(),
                    case,
                ),
            };
            out.extend(part_of(found).map(|part| Symbol { part, ..symbol }));
        }
        Ok(sorted(out))
    }

    /// The types of a name.
    fn types(
        &self,
        segments: &[Segment],
        extent: Extent,
        case: Case,
    ) -> Result<Vec<Symbol>, QueryError> {
        let Some(last) = segments.last() else {
            return Ok(Vec::new());
        };
        let mut out = Vec::new();
        for symbol in self.snapshot.types_named(&last.name)? {
            let has_name = ends_with(&symbol.fqn, segments, extent, |a, b| case.is_same(a, b));
            if has_name && let Some(found) = self.symbol(symbol.key)? {
                out.push(found);
            }
        }
        Ok(sorted(without_generic_twins(out, last.arity)))
    }

    /// What fits a name with wildcards.
    fn matching(&self) -> Result<Vec<Symbol>, QueryError> {
        let mut out = Vec::new();
        let fits =
            |name: &str, pattern: &str| matches(&name.to_lowercase(), &pattern.to_lowercase());
        let all = all_types(self.snapshot)?;
        let last = &self.name.last().name;
        for symbol in all.iter().filter(|it| fits(it.name(), last)) {
            if ends_with(&symbol.fqn, &self.name.segments, Extent::End, fits) {
                out.extend(self.symbol(symbol.key)?);
            }
        }
        if let Some((member, ty)) =
            (self.name.segments.split_last()).filter(|(_, ty)| out.is_empty() && !ty.is_empty())
        {
            let types = (all.iter()).filter(|it| ends_with(&it.fqn, ty, Extent::End, fits));
            for symbol in types.take(MAX_TYPES) {
                let Some(symbol) = self.symbol(symbol.key)? else {
                    continue;
                };
                let found = (symbol.node.members.iter().enumerate())
                    .filter(|(_, it)| fits(&it.name, &member.name));
                let found: Vec<usize> = found.map(|(at, _)| at).collect();
                out.extend(part_of(found).map(|part| Symbol { part, ..symbol }));
            }
        }
        Ok(sorted(out))
    }

    /// What is one edit away, or two where the name is long.
    fn nearly(&self) -> Result<Vec<Symbol>, QueryError> {
        // Namespaces and outer types are as written: they are short, and others are often near.
        let near = |name: &str, asked: &str| {
            let limit = match asked.chars().count() {
                _ if asked != self.name.last().name => 0,
                LONG_NAME.. => 2,
                _ => 1,
            };
            edit_distance(asked, name, limit).is_some()
        };
        let mut out = Vec::new();
        let all = all_types(self.snapshot)?;
        if self.name.params.is_none() {
            // Most are told apart by their last part alone.
            let last = &self.name.last().name;
            for symbol in all.iter().filter(|it| near(it.name(), last)) {
                if ends_with(&symbol.fqn, &self.name.segments, Extent::End, near) {
                    out.extend(self.symbol(symbol.key)?);
                }
            }
            // Of two that are near the nearer one is meant.
            let far = |symbol: &Symbol| {
                edit_distance(last, simple_name(&symbol.node.fqn), 2).unwrap_or(usize::MAX)
            };
            let least = out.iter().map(far).min();
            out.retain(|symbol| Some(far(symbol)) == least);
        }
        if let Some((member, ty)) =
            (self.name.segments.split_last()).filter(|(_, ty)| out.is_empty() && !ty.is_empty())
        {
            for symbol in self.types(ty, Extent::End, Case::Ignored)? {
                let mut names: Vec<&str> = (symbol.node.members.iter())
                    .map(|it| it.name.as_str())
                    .filter(|name| near(name, &member.name))
                    .collect();
                names.dedup();
                let params = self.name.params.as_deref();
                let found = names.first().map_or(Vec::new(), |name| {
                    members::named(&symbol.node, name, params, Case::Same)
                });
                out.extend(part_of(found).map(|part| Symbol { part, ..symbol }));
            }
        }
        Ok(sorted(out))
    }

    /// A type in the assembly that is asked for.
    fn symbol(&self, key: TypeKey) -> Result<Option<Symbol>, QueryError> {
        let node = node_in(self.snapshot, key, self.name.assembly.as_deref())?;
        let part = SymbolPart::Whole;
        Ok(node.map(|node| Symbol { key, node, part }))
    }
}

fn node_in(
    snapshot: &Snapshot,
    key: TypeKey,
    assembly: Option<&str>,
) -> Result<Option<TypeNode>, QueryError> {
    let node = snapshot.type_node(key)?;
    Ok(node.filter(|node| assembly.is_none_or(|it| it.eq_ignore_ascii_case(&node.assembly))))
}

/// Whether a canonical name is, or ends with, these parts.
fn ends_with(
    fqn: &str,
    segments: &[Segment],
    extent: Extent,
    is_same: impl Fn(&str, &str) -> bool,
) -> bool {
    let own = split(fqn, &['.', '+']);
    if own.len() < segments.len() || (extent == Extent::Whole && own.len() > segments.len()) {
        return false;
    }
    (own.iter().rev().zip(segments.iter().rev())).all(|(own, asked)| {
        let own = Segment::parse(own);
        let has_arity = asked
            .arity
            .is_none_or(|arity| own.arity.unwrap_or(0) == arity);
        has_arity && is_same(&own.name, &asked.name)
    })
}

/// Of types that differ in their type parameters alone, the one without, unless type arguments are written.
fn without_generic_twins(symbols: Vec<Symbol>, arity: Option<u32>) -> Vec<Symbol> {
    if arity.is_some() {
        return symbols;
    }
    let plain: Vec<String> = (symbols.iter())
        .filter(|symbol| symbol.node.arity == 0)
        .map(|symbol| symbol.node.fqn.clone())
        .collect();
    let is_twin = |symbol: &Symbol| {
        let bare = symbol.node.fqn.rsplit_once('`').map(|(bare, _)| bare);
        symbol.node.arity > 0 && bare.is_some_and(|bare| plain.iter().any(|it| it == bare))
    };
    symbols
        .into_iter()
        .filter(|symbol| !is_twin(symbol))
        .collect()
}

pub(crate) fn part_of(members: Vec<usize>) -> Option<SymbolPart> {
    match members.as_slice() {
        [] => None,
        [one] => Some(SymbolPart::Member(*one)),
        _ => Some(SymbolPart::Group(members)),
    }
}

fn sorted(mut symbols: Vec<Symbol>) -> Vec<Symbol> {
    symbols.sort_by(|a, b| order(a).cmp(&order(b)));
    symbols.dedup_by(|a, b| a.key == b.key && a.part == b.part);
    symbols
}

/// Namespace depth, public before internal, shorter name, then ordinal.
pub(crate) fn order(
    symbol: &Symbol,
) -> (
    usize,
    std::cmp::Reverse<Accessibility>,
    usize,
    &str,
    TypeKey,
) {
    let node = &symbol.node;
    let depth = node.fqn.matches('.').count();
    let accessibility = std::cmp::Reverse(node.effective);
    (depth, accessibility, node.fqn.len(), &node.fqn, symbol.key)
}

/// Whether a text fits a pattern of `*` and `?`. O(text × pattern).
fn matches(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) =
        (text.chars().collect(), pattern.chars().collect());
    let (mut t, mut p) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                (t, p) = (t + 1, p + 1);
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (t, p) = (from + 1, at + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}
