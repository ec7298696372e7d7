//! Routes whose actions take or return another model than before.

use cortex_model::simple_name;
use cortex_wire::{DiffContext, FieldChange, ModelRole, RouteForm};

use super::first;
use crate::{markdown::impact::listed, text::line};

/// Rows, one for each two models that differ in the same fields, each with the number of routes.
pub(super) fn rows(answer: &DiffContext) -> Vec<(String, usize)> {
    let mut groups: Vec<Vec<&RouteForm>> = Vec::new();
    let models = |form: &RouteForm| (form.role, form.was.clone(), form.is.clone());
    for form in &answer.forms {
        match groups
            .iter_mut()
            .find(|group| models(group[0]) == models(form))
        {
            Some(group) => group.push(form),
            None => groups.push(vec![form]),
        }
    }
    let rows = groups.iter().map(|group| (row(group), group.len()));
    rows.collect()
}

fn row(group: &[&RouteForm]) -> String {
    let form = group[0];
    let routes: Vec<String> = (group.iter())
        .map(|it| format!("{} {}", line(&it.verb), line(&it.template)))
        .collect();
    let role = match form.role {
        ModelRole::Takes => "takes",
        ModelRole::Returns => "returns",
    };
    format!(
        "contract changed: {} | {} {role} {}, was {}: {} {}",
        first(&routes),
        line(&form.handler),
        line(simple_name(&form.is)),
        line(simple_name(&form.was)),
        fields(&form.fields),
        line(form.path.as_str())
    )
}

/// The fields that are gone, those that are new and those that are others, of each the first.
fn fields(fields: &[FieldChange]) -> String {
    let name = |it: &FieldChange| line(&it.name).into_owned();
    let gone = fields.iter().filter(|it| it.is.is_none()).map(name);
    let new = fields.iter().filter(|it| it.was.is_none());
    let new = new.map(|it| {
        let ty = it.is.as_deref().unwrap_or_default();
        format!("{}: {}", line(&it.name), line(ty))
    });
    let other = fields.iter().filter_map(|it| {
        let (was, is) = (it.was.as_deref()?, it.is.as_deref()?);
        Some(format!("{}: {} → {}", line(&it.name), line(was), line(is)))
    });
    let parts = [
        ("without ", gone.collect::<Vec<String>>()),
        ("with ", new.collect()),
        ("", other.collect()),
    ];
    let parts = parts.iter().filter(|(_, names)| !names.is_empty());
    let parts = parts.map(|(word, names)| format!("{word}{}", listed(names, ", ")));
    parts.collect::<Vec<String>>().join("; ")
}
