//! The differences of an answer as `diff-context` tells them: one for each member, accessors with their property or
//! event.

use cortex_wire::{ApiAnswer, ApiChange, ApiDifference, Severity};

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::RepoPath;

/// Worst first, then by type and member. `is_wanted`: whether the changes of a file are asked for.
pub(crate) fn api_changes(
    answer: &ApiAnswer,
    is_wanted: &dyn Fn(&RepoPath) -> bool,
) -> Vec<ApiChange> {
    let mut out: Vec<ApiChange> = Vec::new();
    for gone in answer.gone.iter().filter(|gone| is_wanted(&gone.project)) {
        out.push(ApiChange {
            severity: Severity::Breaking,
            rule: Some("CP0004".to_owned()),
            ty: gone.assembly.clone(),
            member: None,
            symbol: None,
            reason: "assembly removed".to_owned(),
        });
    }
    let mut groups: BTreeMap<_, Vec<&ApiDifference>> = BTreeMap::new();
    for assembly in &answer.assemblies {
        // Changed bodies are told with the members.
        let differences = assembly.differences.iter().filter(|it| it.rule != "CX2003");
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
    for ((severity, ty, member, rule, _, reason, _), group) in groups {
        let shown = match group.as_slice() {
            [only] => only.member.as_deref(),
            _ => member,
        };
        out.push(ApiChange {
            severity,
            rule: Some(rule.to_owned()),
            ty: ty.clone(),
            member: shown.map(str::to_owned),
            symbol: Some(group[0].symbol.clone()),
            reason: reason.to_owned(),
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
    out.retain(|it| {
        let Some(member) = &it.member else {
            return true;
        };
        let member = without_accessor(member).to_owned();
        it.severity != Severity::Compatible || !told.contains(&(it.ty.clone(), member))
    });
    out.sort_by(|a, b| {
        (a.severity, &a.ty, &a.member, &a.rule, &a.reason)
            .cmp(&(b.severity, &b.ty, &b.member, &b.rule, &b.reason))
    });
    out.dedup();
    out
}

/// `Total` of `Total.get`.
fn without_accessor(member: &str) -> &str {
    let accessors = [".get", ".set", ".init", ".add", ".remove"];
    let mut found = accessors.iter().filter_map(|it| member.strip_suffix(it));
    found.next().unwrap_or(member)
}
