//! The answer of `api`, uncut.

use cortex_wire::{ApiAnswer, ApiDifference, AssemblyDifferences, Mode, Severity, Undecided, What};

use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_semantics::Place;
use std::collections::BTreeMap;

/// A difference of our own mode, in a type that is named later.
pub(crate) fn difference(
    rule: &'static str,
    what: What,
    symbol: String,
    severity: Severity,
    reason: String,
    place: &Place,
) -> ApiDifference {
    ApiDifference {
        rule: rule.to_owned(),
        what,
        member: (!symbol.starts_with("T:")).then(|| place.name.clone()),
        symbol,
        ty: String::new(),
        severity,
        mode: Mode::Own,
        reason,
        path: place.path.clone(),
        line: place.line,
        allowed: false,
    }
}

fn find<'a>(answer: &'a mut ApiAnswer, assembly: &str) -> Option<&'a mut AssemblyDifferences> {
    let found = answer
        .assemblies
        .binary_search_by(|candidate| candidate.assembly.as_str().cmp(assembly));
    found.ok().map(|at| &mut answer.assemblies[at])
}

/// Adds a difference of an assembly that both sides have.
pub(crate) fn add(answer: &mut ApiAnswer, assembly: &str, difference: ApiDifference) {
    if let Some(found) = find(answer, assembly) {
        found.differences.push(difference);
    }
}

/// Adds what could not be decided in an assembly that both sides have.
pub(crate) fn add_undecided(answer: &mut ApiAnswer, assembly: &str, undecided: Undecided) {
    if let Some(found) = find(answer, assembly) {
        found.undecided.push(undecided);
    }
}

/// Says of types that one assembly lost and another one has now that they moved. `new`: the newer side, whose new
/// assemblies are not compared.
pub(crate) fn tell_moves(answer: &mut ApiAnswer, new: &Snapshot) -> Result<(), QueryError> {
    let mut assemblies: BTreeMap<String, [Vec<String>; 2]> = BTreeMap::new();
    for assembly in &answer.assemblies {
        for it in assembly.differences.iter().filter(|it| it.rule == "CP0001") {
            let sides = assemblies.entry(it.symbol.clone()).or_default();
            match it.what {
                What::Removed => sides[0].push(assembly.assembly.clone()),
                What::Added => sides[1].push(assembly.assembly.clone()),
                What::Changed => {}
            }
        }
    }
    for (symbol, [_, to]) in assemblies.iter_mut().filter(|(_, [_, to])| to.is_empty()) {
        *to = declaring_assemblies(new, symbol)?;
    }
    for assembly in &mut answer.assemblies {
        let differences = assembly.differences.iter_mut();
        for it in differences.filter(|it| it.rule == "CP0001") {
            let Some([from, to]) = assemblies.get(&it.symbol) else {
                continue;
            };
            match (it.what, from.as_slice(), to.as_slice()) {
                (What::Removed, _, [to]) => it.reason = format!("moved to assembly `{to}`"),
                (What::Added, [from], _) => it.reason = format!("moved from assembly `{from}`"),
                _ => {}
            }
        }
    }
    Ok(())
}

/// The assemblies that declare a type for others.
fn declaring_assemblies(snapshot: &Snapshot, symbol: &str) -> Result<Vec<String>, QueryError> {
    let path = symbol.strip_prefix("T:").unwrap_or(symbol);
    let name = path.rsplit('.').next().unwrap_or(path);
    let name = name.split('`').next().unwrap_or(name);
    let mut out = Vec::new();
    for found in snapshot.types_named(name)? {
        if found.fqn.replace('+', ".") != path {
            continue;
        }
        let node = snapshot.type_node(found.key)?;
        out.extend(
            node.filter(|node| node.effective.is_visible())
                .map(|node| node.assembly),
        );
    }
    out.sort();
    out.dedup();
    Ok(out)
}

/// Worst first, then by rule and symbol; each once.
pub(crate) fn sort(answer: &mut ApiAnswer) {
    for assembly in &mut answer.assemblies {
        assembly.differences.sort_by(|a, b| {
            (a.severity, &a.rule, &a.symbol, a.what, &a.reason)
                .cmp(&(b.severity, &b.rule, &b.symbol, b.what, &b.reason))
        });
        assembly.differences.dedup();
        assembly.undecided.sort();
        assembly.undecided.dedup();
    }
}
