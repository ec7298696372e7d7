//! Routes whose requests or responses have another form.

use std::collections::BTreeMap;

use cortex_wire::{BoundModel, DiffContext, ModelRole, RouteContract};

use crate::{markdown::impact::listed, text::line};

/// Of more routes with the same changed model, one row has all.
const MAX_ROWS: usize = 4;

/// Rows, each with the number of routes in it.
pub(super) fn rows(answer: &DiffContext) -> Vec<(String, usize)> {
    // A model is what its routes have in common.
    let mut groups: Vec<(&str, Vec<&RouteContract>)> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for contract in &answer.contracts {
        // Of what changed itself more is to be said than of what has it within.
        let nearest = contract.models.iter().min_by_key(|it| it.id != it.changed);
        let changed = nearest.map_or("", |model| model.changed.as_str());
        let at = *known.entry(changed).or_insert_with(|| {
            groups.push((changed, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(contract);
    }
    let rows = groups.iter().flat_map(|(changed, contracts)| {
        if contracts.len() > MAX_ROWS {
            return vec![(folded(changed, contracts), contracts.len())];
        }
        contracts.iter().map(|it| (row(it), 1)).collect()
    });
    rows.collect()
}

/// One route with its action and models.
fn row(contract: &RouteContract) -> String {
    let models: Vec<String> = contract.models.iter().map(model).collect();
    format!(
        "contract changed: {} | {} {} {}:{}",
        route(contract),
        line(&contract.handler),
        listed(&models, ", "),
        line(contract.path.as_str()),
        contract.line
    )
}

fn model(model: &BoundModel) -> String {
    let role = match model.role {
        ModelRole::Takes => "takes",
        ModelRole::Returns => "returns",
    };
    let name = line(crate::look::short(&model.id));
    if model.id == model.changed {
        return format!("{role} {name}");
    }
    let changed = line(crate::look::short(&model.changed));
    format!("{role} {name} with {changed}")
}

/// Many routes with the same changed model.
fn folded(changed: &str, contracts: &[&RouteContract]) -> String {
    let routes: Vec<String> = contracts.iter().map(|it| route(it)).collect();
    format!(
        "{} contracts changed by {}: {}",
        contracts.len(),
        line(crate::look::short(changed)),
        listed(&routes, ", ")
    )
}

fn route(contract: &RouteContract) -> String {
    format!("{} {}", line(&contract.verb), line(&contract.template))
}
