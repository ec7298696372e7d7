//! Changed symbols that no code names.

use std::collections::BTreeSet;

use cortex_wire::{DiffContext, MemberChangeKind, SymbolImpact, UseSide};

use super::{
    NAMES_PER_LINE,
    words::{is_operator, outside, symbol_name, through},
};
use crate::{
    markdown::{names::Names, twins::unique},
    text::line,
};

/// So many formats that were not searched are named.
const MAX_FORMATS: usize = 4;

/// Product code that nothing here names, what was there before first: what calls it is elsewhere, or a framework.
pub(super) fn unnamed(answer: &DiffContext, names: &Names) -> String {
    let tests = answer.test_types();
    let members = answer.types.iter().flat_map(|ty| &ty.members);
    let written: BTreeSet<&str> = members.filter_map(|it| it.doc_id.as_deref()).collect();
    // Bases outside of the repository call what overrides their members.
    let overriding: BTreeSet<&str> = (answer.types.iter())
        .flat_map(|ty| &ty.members)
        .filter(|member| {
            let is_there = member.change != MemberChangeKind::Removed;
            is_there && member.is_override()
        })
        .filter_map(|member| member.doc_id.as_deref())
        .collect();
    let symbols = unique(&answer.impact.symbols, |symbol| &symbol.id);
    let unnamed = symbols.into_iter().filter(|symbol| {
        let is_made = matches!(symbol.member.as_deref(), Some("#ctor" | "#cctor"));
        symbol.n_uses == 0
            && symbol.side == UseSide::New
            && (symbol.member.is_none() || written.contains(symbol.id.as_str()))
            && !is_made
            && !overriding.contains(symbol.id.as_str())
            && !tests.contains(symbol.ty.as_str())
    });
    let removed: Vec<&SymbolImpact> = (answer.impact.symbols.iter())
        .filter(|symbol| {
            symbol.side == UseSide::Old
                && symbol.n_uses == 0
                && symbol.called_through.is_none()
                && (symbol.member.is_none() || written.contains(symbol.id.as_str()))
                && !tests.contains(symbol.ty.as_str())
        })
        .collect();
    let removed = unique(removed, |symbol| &symbol.id);
    let (called, unnamed): (Vec<_>, Vec<_>) =
        unnamed.partition(|symbol| symbol.called_through.is_some());
    // Conversions of values of unknown types are not known either.
    let is_unnamed = |symbol: &&SymbolImpact| answer.damage.is_empty() || !is_operator(symbol);
    let unnamed = unnamed.into_iter().filter(is_unnamed);
    let (new, known): (Vec<_>, Vec<_>) =
        unnamed.partition(|symbol| symbol.change == MemberChangeKind::Added);
    let list = |symbols: &[&SymbolImpact]| {
        let shown = symbols.iter().take(NAMES_PER_LINE);
        let mut out: Vec<String> = shown
            .map(|symbol| match symbol.n_mentions {
                0 => symbol_name(symbol, names),
                _ => format!("{} ({})", symbol_name(symbol, names), outside(symbol)),
            })
            .collect();
        if symbols.len() > NAMES_PER_LINE {
            out.push(format!("… {} more", symbols.len() - NAMES_PER_LINE));
        }
        out.join(", ")
    };
    let mut parts = Vec::new();
    if !known.is_empty() {
        parts.push(list(&known));
    }
    if !new.is_empty() {
        parts.push(format!("new: {}", list(&new)));
    }
    if !removed.is_empty() {
        parts.push(format!("removed: {}", list(&removed)));
    }
    if !called.is_empty() {
        let shown = called.iter().take(NAMES_PER_LINE);
        let mut all: Vec<String> = shown
            .filter_map(|symbol| {
                let through = through(symbol)?;
                Some(format!("{} through {through}", symbol_name(symbol, names)))
            })
            .collect();
        if called.len() > NAMES_PER_LINE {
            all.push(format!("… {} more", called.len() - NAMES_PER_LINE));
        }
        parts.push(format!("called from outside: {}", all.join(", ")));
    }
    if !parts.is_empty() && !answer.impact.not_searched.is_empty() {
        let formats = answer.impact.not_searched.iter().take(MAX_FORMATS);
        let formats: Vec<String> = formats
            .map(|it| match it.extension.as_str() {
                "" => format!("{} without an extension", it.n_files),
                extension => format!("{} .{}", it.n_files, line(extension)),
            })
            .collect();
        parts.push(format!("files not searched: {}", formats.join(", ")));
    }
    parts.join("; ")
}
