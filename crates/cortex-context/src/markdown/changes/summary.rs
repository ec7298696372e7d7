//! Changed types that are not listed: how many, by project and namespace.

use std::collections::BTreeMap;

use cortex_model::ChangeClass;

use crate::{
    markdown::{
        changes::in_words,
        names::{Names, namespace_of},
        plan::{Tail, counted, grouped},
        twins::Twins,
    },
    text::line,
};

/// How many namespaces a project's line names.
const N_NAMESPACES: usize = 4;

/// Sums up the types that were not taken.
pub(super) struct Summary<'a> {
    types: Vec<Twins<'a>>,
    // Invariant: the item of the n-th type; types behind the last one have no item.
    items: Vec<usize>,
    names: &'a Names,
}

impl<'a> Summary<'a> {
    pub(super) fn new(types: Vec<Twins<'a>>, items: Vec<usize>, names: &'a Names) -> Self {
        Self {
            types,
            items,
            names,
        }
    }
}

impl Tail for Summary<'_> {
    fn lines(&self, is_taken: &dyn Fn(usize) -> bool) -> Vec<String> {
        let mut projects: BTreeMap<&str, Project<'_>> = BTreeMap::new();
        let mut n_left = 0;
        for (i, twins) in self.types.iter().enumerate() {
            let change = twins.change;
            if self.items.get(i).is_some_and(|&item| is_taken(item)) {
                continue;
            }
            n_left += 1;
            let project = projects.entry(change.project.as_str()).or_default();
            *project.classes.entry(change.class).or_default() += 1;
            *project
                .namespaces
                .entry(namespace_of(&change.ty.name))
                .or_default() += 1;
            project.n += 1;
        }
        if n_left == 0 {
            return Vec::new();
        }
        let mut lines = vec![format!("… {}", counted(n_left, "more type", "more types"))];
        let mut projects: Vec<_> = projects.into_iter().collect();
        projects.sort_by_key(|(_, project)| std::cmp::Reverse(project.n));
        lines.extend(
            projects
                .into_iter()
                .map(|(path, project)| self.project_line(path, project)),
        );
        lines
    }
}

#[derive(Default)]
struct Project<'a> {
    n: usize,
    classes: BTreeMap<ChangeClass, usize>,
    namespaces: BTreeMap<&'a str, usize>,
}

impl Summary<'_> {
    fn project_line(&self, path: &str, project: Project<'_>) -> String {
        let classes: Vec<String> = project
            .classes
            .iter()
            .map(|(class, n)| format!("{} {}", grouped(*n), in_words(*class)))
            .collect();
        let mut namespaces: Vec<_> = project.namespaces.into_iter().collect();
        namespaces.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        let mut named: Vec<String> = namespaces
            .iter()
            .take(N_NAMESPACES)
            .map(|&(name, n)| match &*self.names.of(name) {
                "" => format!("global {}", grouped(n)),
                name => format!("{name} {}", grouped(n)),
            })
            .collect();
        if namespaces.len() > N_NAMESPACES {
            let n = namespaces.len() - N_NAMESPACES;
            named.push(counted(n, "more namespace", "more namespaces"));
        }
        format!(
            "  {} {}: {} | {}",
            line(path),
            grouped(project.n),
            classes.join(", "),
            named.join(", ")
        )
    }
}
