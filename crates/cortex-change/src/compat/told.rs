//! The differences of an answer as `diff-context` tells them: one for each member, accessors with their property or
//! event.

use crate::compat::attributes::OTHER_ARGUMENTS;
use cortex_wire::{ApiAnswer, ApiChange, ApiDifference, LoneAssembly, Severity, What};

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::RepoPath;

/// Worst first, attributes behind types and members, then by type and member. `is_wanted`: whether the changes of a file are asked for.
pub(crate) fn api_changes(
    answer: &ApiAnswer,
    is_wanted: &dyn Fn(&RepoPath) -> bool,
) -> Vec<ApiChange> {
    let gone = answer.gone.iter().filter(|gone| is_wanted(&gone.project));
    let mut out: Vec<ApiChange> = gone.map(removed).collect();
    let mut groups: BTreeMap<_, Vec<&ApiDifference>> = BTreeMap::new();
    for assembly in &answer.assemblies {
        // Changed bodies are told with the members.
        let differences = assembly.differences.iter().filter(|it| it.rule != "CX2003");
        // A type that moved is told where it is missed.
        let is_arrival = |it: &ApiDifference| {
            it.what == What::Added && it.reason.starts_with("moved from assembly")
        };
        let differences = differences.filter(|it| !is_arrival(it));
        for it in differences.filter(|it| is_wanted(&it.path)) {
            let member = it.member.as_deref().map(without_accessor);
            let reason = it.reason.as_str();
            let group = (
                it.severity,
                &it.ty,
                member,
                it.rule.as_str(),
                it.what,
                reason,
                &assembly.assembly,
            );
            groups.entry(group).or_default().push(it);
        }
    }
    // One class of attributes with other arguments is one difference, however often it stands there; in strict mode
    // alone, too.
    let mut attributes: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups.values().filter(|group| group[0].rule == "CP0015") {
        *attributes.entry(&group[0].symbol).or_default() += 1;
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for ((severity, ty, member, rule, _, reason, _), group) in groups {
        let symbol = group[0].symbol.as_str();
        if rule == "CP0015" && !seen.insert(symbol) {
            continue;
        }
        let reason = match attributes.get(symbol) {
            None | Some(1) => reason.to_owned(),
            _ => format!("`[{}]` {OTHER_ARGUMENTS}", class_of(symbol)),
        };
        let shown = match group.as_slice() {
            [only] => only.member.as_deref(),
            _ => member,
        };
        out.push(ApiChange {
            moved_to: None,
            follows_moves: false,
            frameworks: Vec::new(),
            severity,
            rule: Some(rule.to_owned()),
            ty: ty.clone(),
            member: shown.map(str::to_owned),
            symbol: Some(group[0].symbol.clone()),
            reason,
        });
    }
    // A member is told once, by what is worst: what it became is said where it is missed.
    let told: BTreeSet<(String, String)> = (out.iter())
        .filter(|it| it.severity == Severity::Breaking)
        .flat_map(|it| {
            let became = it.reason.split('`').nth(1).map(str::to_owned);
            let names = it.member.iter().cloned().chain(became);
            names.map(|name| (it.ty.clone(), without_accessor(&name).to_owned()))
        })
        .collect();
    let changed: BTreeSet<(String, String)> = (out.iter())
        .filter(|it| it.rule.as_deref() == Some("CP0002") && it.severity == Severity::Breaking)
        .flat_map(|it| {
            let became = it.reason.split('`').nth(1).map(str::to_owned);
            let names = it.member.iter().cloned().chain(became);
            names.map(|name| (it.ty.clone(), without_accessor(&name).to_owned()))
        })
        .collect();
    out.retain(|it| {
        let Some(member) = &it.member else {
            return true;
        };
        let member = without_accessor(member).to_owned();
        let is_told = || told.contains(&(it.ty.clone(), member.clone()));
        // Who implements a member with another signature reads of it where its users do.
        let is_implied = it.rule.as_deref() == Some("CP0006")
            && changed.contains(&(it.ty.clone(), member.clone()));
        !is_implied && (it.severity != Severity::Compatible || !is_told())
    });
    out.sort_by(|a, b| {
        let rank = |it: &ApiChange| (it.severity, weight(it));
        (rank(a), &a.ty, &a.member, &a.rule, &a.reason).cmp(&(
            rank(b),
            &b.ty,
            &b.member,
            &b.rule,
            &b.reason,
        ))
    });
    out.dedup();
    out
}

/// The change of an assembly that is gone.
fn removed(gone: &LoneAssembly) -> ApiChange {
    ApiChange {
        moved_to: None,
        follows_moves: false,
        frameworks: Vec::new(),
        severity: Severity::Breaking,
        rule: Some("CP0004".to_owned()),
        ty: gone.assembly.clone(),
        member: None,
        symbol: None,
        reason: "assembly removed".to_owned(),
    }
}

/// The class of the attribute in the symbol of a difference, as C# writes it.
fn class_of(symbol: &str) -> &str {
    let class = symbol.rsplit(['.', ':']).next().unwrap_or(symbol);
    let class = class.trim_end_matches([']', ')']);
    class.strip_suffix("Attribute").unwrap_or(class)
}

/// What differs among changes of one severity, the most telling first: types and members, attributes, and what
/// only follows from the value of a constant that is listed itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Symbol,
    Attribute,
    Consequence,
}

fn weight(change: &ApiChange) -> Weight {
    let has_cause =
        || (change.reason.split_once(OTHER_ARGUMENTS)).is_some_and(|it| !it.1.is_empty());
    match change.rule.as_deref() {
        Some("CP0015") if has_cause() => Weight::Consequence,
        Some("CP0014" | "CP0015" | "CP0016") => Weight::Attribute,
        _ => Weight::Symbol,
    }
}

/// `Total` of `Total.get`.
fn without_accessor(member: &str) -> &str {
    let accessors = [".get", ".set", ".init", ".add", ".remove"];
    let mut found = accessors.iter().filter_map(|it| member.strip_suffix(it));
    found.next().unwrap_or(member)
}
