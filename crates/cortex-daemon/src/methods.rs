//! Which method is which operation.

use cortex_service::{OperationSpec, operation};

/// What a method is.
pub(crate) enum Method {
    /// An operation.
    Operation(&'static OperationSpec),
    /// Who is there, and what both speak.
    Hello,
    /// The states of an edit as they come.
    StreamOp,
    /// The end.
    Shutdown,
}

/// The names that .NET clients call operations by; all are called by their own names as well.
const NAMES: [(&str, &str); 13] = [
    ("ResolveSymbol", "resolve"),
    ("GetOutline", "outline"),
    ("GetMemberOutline", "outline"),
    ("SearchSymbols", "search-symbols"),
    ("FindUsages", "usages"),
    ("DiffContext", "diff-context"),
    ("BuildPack", "pack-build"),
    ("ListPacks", "pack-list"),
    ("GetPromptWindow", "window"),
    ("Pin", "pin"),
    ("Unpin", "unpin"),
    ("Dismiss", "dismiss"),
    ("Status", "status"),
];

/// The method of a name.
pub(crate) fn method(name: &str) -> Option<Method> {
    match name {
        "Hello" => return Some(Method::Hello),
        "StreamOp" => return Some(Method::StreamOp),
        "Shutdown" => return Some(Method::Shutdown),
        _ => {}
    }
    let known = NAMES.iter().find(|(method, _)| *method == name);
    let name = known.map_or(name, |(_, operation)| operation);
    operation(name).map(Method::Operation)
}

#[cfg(test)]
mod tests {
    use super::{NAMES, method};

    #[test]
    fn every_name_is_an_operation() {
        for (name, _) in NAMES {
            assert!(method(name).is_some(), "{name}");
        }
        assert!(method("usages").is_some());
        assert!(method("rm").is_none());
    }
}
