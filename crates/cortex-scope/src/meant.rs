//! What may be meant by a name that no scope has: a provider's scope that lacks something, or a pattern.
//!
//! Must not know: which scopes there are.

use crate::{
    pattern::{LeafKind, PatternSet},
    provider::{Family, Provider, UnknownProvider},
};

/// How to write what a name seems to be; `None` where it looks like a name.
pub(crate) fn otherwise(name: &str) -> Option<String> {
    match Provider::parse(name) {
        Err(UnknownProvider::Argument(family)) => return Some(lacking(name, family)),
        Err(UnknownProvider::Family) if is_of_git(name) => {
            let known: Vec<String> = (Family::ALL.iter())
                .filter(|family| is_of_git(family.id()))
                .map(|family| format!("`{}`", family.usage()))
                .collect();
            return Some(format!(
                "git has no scope `{name}`; there are {}",
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
        .then(|| format!("no scope is called `{name}`; a pattern is written `pattern({name})`"))
}

/// What a family wants that a text does not say.
pub(crate) fn lacking(text: &str, family: Family) -> String {
    let usage = family.usage();
    match family.argument() {
        Some(argument) => format!("`{text}` lacks its {argument}; write `{usage}`"),
        None => format!("`{text}` says too much; write `{usage}`"),
    }
}

fn is_of_git(text: &str) -> bool {
    text.starts_with("git:")
}
