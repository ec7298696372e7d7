//! Routes whose requests or responses have another form.

use std::collections::BTreeMap;

use cortex_wire::{BoundModel, DiffContext, ModelRole, RouteContract};

use super::first;
use crate::{markdown::impact::listed, text::line};

/// Rows, each with the number of routes in it that no earlier row has: one for each changed model.
pub(super) fn rows(answer: &DiffContext) -> Vec<(String, usize)> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for contract in &answer.contracts {
        // Of what changed itself more is to be said than of what has it within.
        let is_own = |model: &&BoundModel| model.id == model.changed;
        let has_own = contract.models.iter().any(|it| is_own(&it));
        let models = contract.models.iter();
        let mut is_new = true;
        for model in models.filter(|it| !has_own || is_own(it)) {
            let at = *known.entry(&model.changed).or_insert_with(|| {
                groups.push(Group::of(&model.changed));
                groups.len() - 1
            });
            is_new &= !groups[at].add(contract, model.role, is_new);
        }
    }
    let rows = groups.iter().map(|group| (group.row(), group.n_new));
    rows.collect()
}

/// The routes whose requests or responses have a changed model.
struct Group<'a> {
    changed: &'a str,
    contracts: Vec<&'a RouteContract>,
    taken: Vec<String>,
    returned: Vec<String>,
    /// Those that no group before has.
    n_new: usize,
}

impl<'a> Group<'a> {
    fn of(changed: &'a str) -> Self {
        Self {
            changed,
            contracts: Vec::new(),
            taken: Vec::new(),
            returned: Vec::new(),
            n_new: 0,
        }
    }

    /// Adds a route; whether it was counted.
    fn add(&mut self, contract: &'a RouteContract, role: ModelRole, is_new: bool) -> bool {
        let routes = match role {
            ModelRole::Takes => &mut self.taken,
            ModelRole::Returns => &mut self.returned,
        };
        let route = route(contract);
        if !routes.contains(&route) {
            routes.push(route);
        }
        let is_known = self.contracts.iter().any(|it| std::ptr::eq(*it, contract));
        if !is_known {
            self.contracts.push(contract);
        }
        let is_counted = is_new && !is_known;
        self.n_new += usize::from(is_counted);
        is_counted
    }

    fn row(&self) -> String {
        if let [contract] = self.contracts[..] {
            return row(contract);
        }
        let roles = [("returned by", &self.returned), ("taken by", &self.taken)];
        let roles = roles.iter().filter(|(_, routes)| !routes.is_empty());
        let roles: Vec<String> = roles
            .map(|(word, routes)| format!("{word} {}", first(routes)))
            .collect();
        let changed = line(crate::look::short(self.changed));
        format!("contracts changed by {changed}: {}", roles.join("; "))
    }
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

fn route(contract: &RouteContract) -> String {
    format!("{} {}", line(&contract.verb), line(&contract.template))
}
