//! Lists the scopes that a user can choose from, in the order of the IDE's scope choosers.

use std::collections::BTreeSet;

use crate::{
    data::{AtomKind, Catalog, CatalogItem, ModuleFlavor, PatternReport},
    named::{NamedScope, PREDEFINED},
    pattern::PatternSet,
    provider::{Family, Provider},
    standard::{PredefinedScope, StandardScope},
    target::Target,
    universe::{Property, Unavailable, Universe},
};

/// Lists standard scopes, provider scopes, named scopes, and modules with their flavors. Directories and files always
/// come from the caller.
pub fn catalog(universe: &dyn Universe) -> Catalog {
    let mut items = Vec::new();
    let mut diagnostics = Vec::new();
    standard(universe, &mut items);
    providers(universe, &mut items);
    named(universe, &mut items, &mut diagnostics);
    modules(universe, &mut items);
    diagnostics.extend_from_slice(universe.named_problems());
    diagnostics.extend(universe.take_warnings());
    Catalog { items, diagnostics }
}

fn item(target: &Target, display_name: String) -> CatalogItem {
    let atom = target.to_atom("");
    CatalogItem {
        scope_ref_id: atom.scope_ref_id.unwrap_or_default(),
        display_name,
        kind: atom.kind,
        scope_shape: target.shape(),
        serialization_id: None,
        requires_user_input: false,
        unstable: false,
        unavailable: None,
    }
}

fn standard(universe: &dyn Universe, items: &mut Vec<CatalogItem>) {
    let context = universe.context();
    for scope in StandardScope::ALL {
        let is_missing = match scope {
            StandardScope::OpenFiles => context.open_files.is_none(),
            StandardScope::CurrentFile => context.current_file.is_none(),
            StandardScope::Selection => context.selection.is_none(),
            _ => false,
        };
        items.push(CatalogItem {
            serialization_id: Some(scope.id().to_owned()),
            requires_user_input: is_missing,
            unstable: scope.is_unstable(),
            unavailable: match scope {
                StandardScope::RecentlyViewed => {
                    let found = universe.files_with(Property::RecentlyViewed);
                    found.err().map(|Unavailable(why)| why)
                }
                _ => None,
            },
            ..item(&Target::Standard(scope), scope.id().to_owned())
        });
    }
}

/// Lists each family, followed by its scopes with known arguments; a family that takes an argument appears with a
/// placeholder.
fn providers(universe: &dyn Universe, items: &mut Vec<CatalogItem>) {
    let known = universe.providers();
    for family in Family::ALL {
        match Provider::new(family, "") {
            Some(provider) => items.push(CatalogItem {
                unstable: family.is_unstable(),
                ..item(&Target::Provider(provider), family.id().to_owned())
            }),
            None => items.push(CatalogItem {
                scope_ref_id: format!("provider:{}", family.id()),
                display_name: family.usage(),
                kind: AtomKind::ProviderScope,
                scope_shape: family.shape(),
                serialization_id: None,
                requires_user_input: true,
                unstable: false,
                unavailable: None,
            }),
        }
        for provider in known.iter().filter(|it| it.family() == family) {
            if !provider.argument().is_empty() {
                let id = provider.id();
                items.push(item(&Target::Provider(provider.clone()), id));
            }
        }
    }
}

fn named(universe: &dyn Universe, items: &mut Vec<CatalogItem>, diagnostics: &mut Vec<String>) {
    let target = |holder: &str, name: &str| Target::Named {
        name: name.to_owned(),
        holder: Some(holder.to_owned()),
    };
    for scope in PredefinedScope::ALL {
        let name = scope.name();
        items.push(CatalogItem {
            unstable: scope == PredefinedScope::ChangedFiles,
            ..item(&target(PREDEFINED, name), name.to_owned())
        });
    }
    let mut seen = BTreeSet::new();
    for NamedScope {
        holder,
        name,
        pattern,
    } in universe.named_scopes()
    {
        if !seen.insert((holder, name)) {
            diagnostics.push(format!(
                "`{holder}` has several scopes named `{name}`; using the first"
            ));
            continue;
        }
        if let Err(error) = PatternSet::parse(pattern) {
            diagnostics.push(format!(
                "named scope `{name}` of `{holder}`: `{pattern}`: {error}"
            ));
        }
        items.push(item(&target(holder, name), name.clone()));
    }
}

fn modules(universe: &dyn Universe, items: &mut Vec<CatalogItem>) {
    let names: BTreeSet<&str> = universe
        .modules()
        .iter()
        .map(|module| module.name.as_str())
        .collect();
    for name in names {
        for flavor in ModuleFlavor::ALL {
            let display_name = match flavor {
                ModuleFlavor::Module => name.to_owned(),
                ModuleFlavor::ModuleWithDependencies => format!("{name} with dependencies"),
                ModuleFlavor::ModuleWithLibraries => format!("{name} with libraries"),
                ModuleFlavor::ModuleWithDependenciesAndLibraries => {
                    format!("{name} with dependencies and libraries")
                }
            };
            let name = name.to_owned();
            items.push(item(&Target::Module { name, flavor }, display_name));
        }
    }
}

/// Validates a pattern: reports its normal form, or the error with its position.
pub fn validate_pattern(text: &str) -> PatternReport {
    match PatternSet::parse(text) {
        Ok(pattern) => PatternReport {
            valid: true,
            normalized: Some(pattern.to_string()),
            scope_ref_id: Target::Pattern(text.to_owned()).reference(),
            error: None,
            position: None,
        },
        Err(error) => PatternReport {
            valid: false,
            normalized: None,
            scope_ref_id: None,
            error: Some(error.to_string()),
            position: Some(error.position),
        },
    }
}
