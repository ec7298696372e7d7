//! Types that an assembly has by forwarding (`[assembly: TypeForwardedTo]`): others find them in it although another
//! assembly declares them.

use crate::compat::candidates;
use cortex_look::QueryError;

use std::collections::BTreeMap;

use cortex_index::Symbols;
use cortex_model::TypeKey;
use cortex_semantics::{Compilation, TypeId, TypeOrigin, UnitKey, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The forwarded types of one side.
#[derive(Default)]
pub(crate) struct Forwards {
    /// By assembly: documentation ids of outermost types.
    by_assembly: BTreeMap<String, FxHashSet<String>>,
    /// By documentation id: the assemblies that forward it, and where it is declared in this repository.
    by_type: FxHashMap<String, (Vec<String>, TypeKey)>,
}

impl Forwards {
    /// Finds them; costs nothing where no file mentions the attribute.
    pub(crate) fn read(symbols: &Symbols) -> Result<Self, QueryError> {
        let mut out = Self::default();
        let files = symbols.snapshot().files_mentioning("TypeForwardedTo")?;
        if files.is_empty() {
            return Ok(out);
        }
        let assemblies = candidates::assemblies_by_project(symbols);
        let found = symbols.read(|c| {
            let mut found: Vec<(String, String, TypeKey)> = Vec::new();
            for file in &files {
                for project in &file.projects {
                    let projects = symbols.projects();
                    let at = projects.binary_search_by(|it| it.project.path.cmp(project));
                    let (Ok(at), Some(assembly)) = (at, assemblies.get(project)) else {
                        continue;
                    };
                    let unit = c.unit_id(&UnitKey {
                        path: file.path.clone(),
                        project: cortex_semantics::ProjectId::new(at),
                    });
                    for attribute in c.assembly_attributes(unit) {
                        let is_it = attribute.id
                            == "T:System.Runtime.CompilerServices.TypeForwardedToAttribute";
                        let Some(Value::Type(id)) = attribute.arguments.first().filter(|_| is_it)
                        else {
                            continue;
                        };
                        if let Some(key) = source_type(c, id) {
                            found.push(((*assembly).to_owned(), id.clone(), key));
                        }
                    }
                }
            }
            Ok(found)
        })?;
        for (assembly, id, key) in found {
            let of_type = out.by_type.entry(id.clone());
            let of_type = of_type.or_insert_with(|| (Vec::new(), key));
            of_type.0.push(assembly.clone());
            out.by_assembly.entry(assembly).or_default().insert(id);
        }
        Ok(out)
    }

    /// Whether an assembly forwards a type, or the type around it.
    pub(crate) fn has(&self, assembly: &str, c: &Compilation<'_>, id: TypeId) -> bool {
        let Some(types) = self.by_assembly.get(assembly) else {
            return false;
        };
        let outers = std::iter::successors(Some(id), |&id| c.def(id).outer);
        let outermost = outers.last().unwrap_or(id);
        types.contains(&c.type_doc_id(outermost))
    }

    /// The assemblies that forward a type, by the name that the graph has for it.
    pub(crate) fn assemblies_of(&self, name: &str) -> &[String] {
        if self.by_type.is_empty() {
            return &[];
        }
        let outermost = name.split('+').next().unwrap_or(name);
        let found = self.by_type.get(&format!("T:{outermost}"));
        found.map_or(&[], |(assemblies, _)| assemblies)
    }

    /// Types that one side forwards and the other does not, with the assembly.
    pub(crate) fn that_differ<'a>(&'a self, other: &'a Self) -> Vec<(&'a str, TypeKey)> {
        let mut out = Vec::new();
        for (one, two) in [(self, other), (other, self)] {
            for (assembly, types) in &one.by_assembly {
                let there = two.by_assembly.get(assembly);
                for id in types
                    .iter()
                    .filter(|id| there.is_none_or(|it| !it.contains(*id)))
                {
                    if let Some((_, key)) = one.by_type.get(id) {
                        out.push((assembly.as_str(), *key));
                    }
                }
            }
        }
        out
    }
}

/// The type of this repository that has a documentation id.
fn source_type(c: &Compilation<'_>, id: &str) -> Option<TypeKey> {
    let name = id.rsplit(['.', ':']).next()?.split('`').next()?;
    let named = c.source_types_named(c.name(name));
    let found = named.iter().find(|&&found| c.type_doc_id(found) == *id)?;
    match &c.def(*found).origin {
        TypeOrigin::Source { key, .. } => Some(*key),
        TypeOrigin::External { .. } => None,
    }
}
