//! Routes whose requests or responses have another form.

use std::collections::BTreeMap;

use cortex_wire::{BoundModel, DiffContext, FieldChange, ModelRole, RouteContract};

use super::first;
use crate::{markdown::impact::listed, text::line};

/// Rows, one for each changed model, each with the number of routes that name this one first: they add up to all. With rows of
/// the routes that these leave out.
pub(super) fn rows(answer: &DiffContext) -> (Vec<(String, usize)>, Vec<String>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for contract in &answer.contracts {
        // Of what changed itself more is to be said than of what has it within.
        let is_own = |model: &&BoundModel| model.id == model.changed;
        let has_own = contract.models.iter().any(|it| is_own(&it));
        let models = contract.models.iter();
        let models = models.filter(|it| !has_own || is_own(it));
        for (nth, model) in models.enumerate() {
            let at = *known.entry(&model.changed).or_insert_with(|| {
                groups.push(Group::of(&model.changed));
                groups.len() - 1
            });
            groups[at].add(contract, model.role);
            groups[at].n_first += usize::from(nth == 0);
        }
    }
    let fields = fields(answer);
    let rows = groups.iter().map(|group| {
        let fields = fields.get(group.changed).map_or("", String::as_str);
        (group.row() + fields, group.n_first)
    });
    let further = groups.iter().filter_map(Group::further);
    (rows.collect(), further.collect())
}

/// What differs of the fields of each model, by documentation id: ` (+new, -gone, other: string → int)`.
fn fields(answer: &DiffContext) -> BTreeMap<&str, String> {
    let of_model = answer.models.iter().map(|model| {
        let fields: Vec<String> = model.fields.iter().map(field).collect();
        (&*model.id, format!(" ({})", listed(&fields, ", ")))
    });
    of_model.collect()
}

fn field(field: &FieldChange) -> String {
    let name = line(&field.name);
    match (&field.was, &field.is) {
        (None, _) => format!("+{name}"),
        (Some(_), None) => format!("-{name}"),
        (Some(was), Some(is)) => format!("{name}: {} → {}", line(was), line(is)),
    }
}

/// The routes whose requests or responses have a changed model.
struct Group<'a> {
    changed: &'a str,
    contracts: Vec<&'a RouteContract>,
    taken: Vec<String>,
    returned: Vec<String>,
    /// How many of the routes name the model before others.
    n_first: usize,
}

impl<'a> Group<'a> {
    fn of(changed: &'a str) -> Self {
        Self {
            changed,
            contracts: Vec::new(),
            taken: Vec::new(),
            returned: Vec::new(),
            n_first: 0,
        }
    }

    fn add(&mut self, contract: &'a RouteContract, role: ModelRole) {
        let routes = match role {
            ModelRole::Takes => &mut self.taken,
            ModelRole::Returns => &mut self.returned,
        };
        let route = route(contract);
        if !routes.contains(&route) {
            routes.push(route);
        }
        // All models of a route come one after another.
        if (self.contracts.last()).is_none_or(|last| !std::ptr::eq(*last, contract)) {
            self.contracts.push(contract);
        }
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

    /// The row of the routes that the first one leaves out.
    fn further(&self) -> Option<String> {
        let roles = [("returned by", &self.returned), ("taken by", &self.taken)];
        let further = roles
            .iter()
            .filter_map(|(word, routes)| Some(format!("{word} {}", super::further(routes)?)));
        let further: Vec<String> = further.collect();
        let changed = line(crate::look::short(self.changed));
        (!further.is_empty()).then(|| format!("{changed} is also {}", further.join("; ")))
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

pub(super) fn route(contract: &RouteContract) -> String {
    format!("{} {}", line(&contract.verb), line(&contract.template))
}
