//! Words for changed symbols: their names, what happened to them, and who may use them unseen.

use std::collections::BTreeMap;

use cortex_wire::{LineUse, MemberChangeKind, SymbolImpact, UseSide, ViaRelation};

use super::NAMES_PER_LINE;
use crate::{
    markdown::{
        names::Names,
        plan::{counted, grouped},
    },
    text::line,
};

/// `M:A.B` of `M:A.B(System.Int32)`.
pub(in crate::markdown) fn without_parameters(id: &str) -> &str {
    &id[..crate::look::name_in(id).1]
}

pub(super) fn symbol_name(symbol: &SymbolImpact, names: &Names) -> String {
    let ty = names.listed(&symbol.ty);
    match symbol.member.as_deref() {
        None => ty.into_owned(),
        Some("#ctor") => format!("new {ty}"),
        Some(member) => format!("{ty}.{}", line(member)),
    }
}

/// Siblings of a member by type and member; with their namespaces where that would not tell them apart, or from the member.
/// `siblings`, `own`: documentation ids.
pub(super) fn sibling_names(siblings: &[String], own: &str, names: &Names) -> Vec<String> {
    let mut n_named: BTreeMap<&str, usize> = BTreeMap::from([(crate::look::short(own), 1)]);
    for id in siblings {
        *n_named.entry(crate::look::short(id)).or_default() += 1;
    }
    let name = |id: &String| {
        let short = crate::look::short(id);
        let path = without_parameters(id);
        match n_named[short] {
            1 => line(short).into_owned(),
            _ => names
                .of(path.split_once(':').map_or(path, |(_, path)| path))
                .into_owned(),
        }
    };
    siblings.iter().map(name).collect()
}

/// The siblings of a symbol, each with the routines of a database that it names; of more than share a line, two.
pub(super) fn siblings(symbol: &SymbolImpact, names: &Names) -> String {
    let all = sibling_names(&symbol.siblings, &symbol.id, names);
    if all.len() > NAMES_PER_LINE {
        return format!("{}, {} and {} more", all[0], all[1], all.len() - 2);
    }
    let with_routines = all.iter().zip(&symbol.siblings).map(|(name, id)| {
        let routines = symbol.sibling_routines.iter().filter(|it| it.member == *id);
        let routines = routines.map(|it| {
            let path = line(it.path.as_str());
            format!("{}, {path}:{}", line(&it.name), it.line)
        });
        match routines.collect::<Vec<_>>().as_slice() {
            [] => name.clone(),
            routines => format!("{name} (runs {})", routines.join("; ")),
        }
    });
    with_routines.collect::<Vec<_>>().join(", ")
}

/// The simple names of the parameters' types in a documentation id: `(Order, int)` of `M:Shop.Send(Shop.Order,System.Int32)`.
fn parameters(id: &str) -> String {
    let Some((_, list)) = id.split_once('(') else {
        return "()".to_owned();
    };
    let mut out = String::from("(");
    let mut word = String::new();
    for c in list.chars() {
        match c {
            '.' => word.clear(),
            ',' | '{' | '}' | '[' | ')' => {
                out.push_str(&word);
                word.clear();
                out.push_str(match c {
                    ',' => ", ",
                    '{' => "<",
                    '}' => ">",
                    '[' => "[",
                    _ => ")",
                });
                if c == ')' {
                    break;
                }
            }
            _ => word.push(c),
        }
    }
    line(&out).into_owned()
}

/// What happened to a symbol.
pub(super) fn in_words(change: MemberChangeKind) -> &'static str {
    match change {
        MemberChangeKind::Removed => "removed",
        MemberChangeKind::Added => "new",
        MemberChangeKind::Signature => "signature",
        MemberChangeKind::Shape => "shape",
        MemberChangeKind::Body => "body",
        MemberChangeKind::Docs => "docs",
        MemberChangeKind::Registered => "registered otherwise",
    }
}

pub(super) fn symbol_line(
    (symbol, what): (&SymbolImpact, &str),
    names: &Names,
    (n_lines, n_in_tests): (usize, usize),
    is_overloaded: bool,
) -> String {
    let mut name = symbol_name(symbol, names);
    if is_overloaded {
        name.push_str(&parameters(&symbol.id));
    }
    let below = match symbol.implemented_by.len() {
        0 => String::new(),
        n => format!(", {}", counted(n, "implementation", "implementations")),
    };
    let when = match symbol.side {
        UseSide::Old => " before",
        UseSide::New => "",
    };
    let unnamed = if is_named_nowhere(symbol) {
        "named nowhere, "
    } else {
        ""
    };
    let lines = counted(n_lines, "line", "lines");
    let of_tests = match n_in_tests {
        0 => String::new(),
        n if n == n_lines => ", all in tests".to_owned(),
        n => format!(", {} in tests", grouped(n)),
    };
    let mentions = match symbol.n_mentions {
        0 => String::new(),
        _ => format!(", {}", outside(symbol)),
    };
    let through = match through(symbol).filter(|_| n_lines == n_in_tests) {
        Some(through) => format!(", called from outside through {through}"),
        None => String::new(),
    };
    format!("{name} ({what}): {unnamed}{lines}{of_tests}{when}{below}{through}{mentions}")
}

/// Whether what uses a member of the repository finds it without its name: by reflection, or by a request.
fn is_named_nowhere(symbol: &SymbolImpact) -> bool {
    let is_by_name = |used: &LineUse| {
        let via = used.via.as_ref().map(|via| via.relation);
        !matches!(via, Some(ViaRelation::Reflection | ViaRelation::Route))
    };
    let has_reader = symbol.uses.iter().any(|used| {
        let via = used.via.as_ref();
        via.is_some_and(|via| via.relation == ViaRelation::Reflection)
    });
    let is_all = symbol.rest.is_empty() && symbol.n_uses == symbol.uses.len();
    symbol.member.is_some() && has_reader && is_all && !symbol.uses.iter().any(is_by_name)
}

/// Whether a member is an operator or a conversion, which are used without their names.
pub(in crate::markdown) fn is_operator(symbol: &SymbolImpact) -> bool {
    let name = symbol.member.as_deref().unwrap_or_default();
    name.starts_with("op_")
}

/// What code from outside of the repository calls a member through, with its type.
pub(in crate::markdown) fn through(symbol: &SymbolImpact) -> Option<String> {
    let id = without_parameters(symbol.called_through.as_deref()?);
    let mut parts = id.get(2..)?.rsplit('.');
    let (member, ty) = (parts.next()?, parts.next()?);
    Some(format!("{}.{}", line(ty), line(member)))
}

/// How often a name stands outside of C#, and where.
pub(super) fn outside(symbol: &SymbolImpact) -> String {
    let n = counted(symbol.n_mentions, "mention", "mentions");
    let places = symbol.mentions.iter();
    let places = places.map(|it| format!("{}:{}", line(it.path.as_str()), it.line));
    let places: Vec<String> = places.collect();
    match places.is_empty() {
        true => format!("{n} outside of C#"),
        false => format!("{n} outside of C#: {}", places.join(", ")),
    }
}
