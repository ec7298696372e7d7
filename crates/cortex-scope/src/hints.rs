//! Hints for a name that no scope has: it may be an incomplete provider scope, or a pattern.
//!
//! Must not know: which scopes exist.

use crate::{
    pattern::{LeafKind, PatternSet},
    provider::{Family, Provider, UnknownProvider},
};

/// Explains how to write what the name appears to be; `None` where it looks like a plain name.
pub(crate) fn for_unknown_name(name: &str) -> Option<String> {
    match Provider::parse(name) {
        Err(UnknownProvider::Argument(family)) => return Some(wrong_argument(name, family)),
        Err(UnknownProvider::Family) if is_git_scope(name) => {
            let known: Vec<String> = (Family::ALL.iter())
                .filter(|family| is_git_scope(family.id()))
                .map(|family| format!("`{}`", family.usage()))
                .collect();
            return Some(format!(
                "unknown git scope `{name}`; available: {}",
                known.join(", ")
            ));
        }
        _ => {}
    }
    let is_pattern = match PatternSet::parse(name) {
        Ok(PatternSet::Leaf(leaf)) => leaf.kind() != LeafKind::Any || leaf.module().is_some(),
        Ok(_) => name.starts_with('$'),
        Err(_) => name.starts_with("file:") || name.starts_with("file["),
    };
    is_pattern
        .then(|| format!("no scope is named `{name}`; a pattern is written `pattern({name})`"))
}

/// Explains which argument a provider scope is missing, or that it takes none.
pub(crate) fn wrong_argument(text: &str, family: Family) -> String {
    let usage = family.usage();
    match family.argument() {
        Some(argument) => format!("`{text}` is missing {argument}; write `{usage}`"),
        None => format!("`{text}` takes no argument; write `{usage}`"),
    }
}

fn is_git_scope(text: &str) -> bool {
    text.starts_with("git:")
}
