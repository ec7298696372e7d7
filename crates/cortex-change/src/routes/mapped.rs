//! Routes that calls of minimal APIs and the like map, by the lines of changed members.

use cortex_wire::{CodeLineKind, TypeChange};

use super::{Place, Routes, add};

/// Calls that map a template, with what they make of it.
const MAPS: [(&str, &str); 8] = [
    ("MapGet", "GET"),
    ("MapPost", "POST"),
    ("MapPut", "PUT"),
    ("MapDelete", "DELETE"),
    ("MapPatch", "PATCH"),
    ("MapMethods", "methods"),
    ("MapGroup", "group"),
    ("MapHub", "hub"),
];

/// Adds what the lines of changed members map, those that stay to both sides.
pub(super) fn of_changed_members(ty: &TypeChange, [old, new]: &mut [Routes; 2]) {
    let simple = ty.ty.name.rsplit(['.', '+']).next().unwrap_or(&ty.ty.name);
    for member in &ty.members {
        for line in &member.code {
            for (verb, receiver, template) in mapped(&line.text) {
                let route = (verb.to_owned(), template.to_owned());
                let place = Place {
                    member: (ty.ty.name.clone(), member.id.clone()),
                    identity: receiver.to_owned(),
                    handler: format!("{simple}.{}", member.name),
                    path: member.path.clone(),
                    line: member.line,
                };
                if line.kind != CodeLineKind::Added {
                    add(old, route.clone(), place.clone());
                }
                if line.kind != CodeLineKind::Removed {
                    add(new, route, place);
                }
            }
        }
    }
}

/// The routes that a line maps: the verb, what the call is made on, and the template.
fn mapped(text: &str) -> impl Iterator<Item = (&'static str, &str, &str)> {
    MAPS.into_iter().flat_map(move |(call, verb)| {
        text.match_indices(call).filter_map(move |(at, _)| {
            let template = argument(&text[at + call.len()..])?;
            let before = text[..at].trim_end_matches('.');
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '?');
            let receiver = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
            Some((verb, receiver, template))
        })
    })
}

/// The first argument of a call, after its name, where that is a string.
fn argument(text: &str) -> Option<&str> {
    let text = match text.strip_prefix('<') {
        Some(rest) => rest.split_once('>')?.1,
        None => text,
    };
    string(text.strip_prefix('(')?)
}

/// The text of the string that a text begins with.
pub(crate) fn string(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let text = text.strip_prefix('@').unwrap_or(text);
    text.strip_prefix('"')?.split_once('"').map(|(it, _)| it)
}

#[cfg(test)]
mod tests {
    use super::{argument, mapped};

    #[test]
    fn calls_map_their_first_argument() {
        assert_eq!(argument("(\"/a/{b}\", Handle)"), Some("/a/{b}"));
        assert_eq!(argument("<Hub>(\"/hub\")"), Some("/hub"));
        assert_eq!(argument("(path, Handle)"), None);
        assert_eq!(argument("s(\"x\")"), None);
    }

    #[test]
    fn a_mapped_route_has_what_the_call_is_made_on() {
        let found = |text: &'static str| mapped(text).collect::<Vec<_>>();
        assert_eq!(
            found("if (x) app.MapGet(\"/a\", F);"),
            [("GET", "app", "/a")]
        );
        assert_eq!(found("    .MapHub<H>(\"/hub\")"), [("hub", "", "/hub")]);
        assert_eq!(found("MapGet(path, F)"), []);
    }
}
