//! Routes whose templates name or constrain their parameters otherwise than before: the paths are the same.

use cortex_wire::{RouteChange, What};

/// Makes one change of a route that went and one that came where the paths differ in names and constraints of parameters
/// alone; of several the one with the same handler.
pub(super) fn join(routes: &mut Vec<RouteChange>) {
    let (mut gone, mut came): (Vec<RouteChange>, Vec<RouteChange>) =
        (std::mem::take(routes).into_iter()).partition(|route| route.what == What::Removed);
    for has_same_handler in [true, false] {
        gone.retain(|old| {
            let is_same = |new: &&mut RouteChange| {
                new.what == What::Added
                    && new.verb == old.verb
                    && new.template != old.template
                    && path(&new.template) == path(&old.template)
                    && (new.handler == old.handler || !has_same_handler)
            };
            let Some(new) = came.iter_mut().find(is_same) else {
                return true;
            };
            new.what = What::Changed;
            new.template_was = Some(old.template.clone());
            new.was = (new.handler != old.handler).then(|| old.handler.clone());
            false
        });
    }
    routes.extend(gone);
    routes.extend(came);
}

/// What decides about a template which paths it has, but for constraints: parameters without names. Case decides nothing.
fn path(template: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let end = end_of_parameter(after);
        let parameter = &after[..end];
        let stars = parameter.len() - parameter.trim_start_matches('*').len();
        out.push_str(&before.to_lowercase());
        out.push('{');
        out.push_str(&parameter[..stars.min(1)]);
        // One that may be left out is a part of other paths.
        if parameter.ends_with('?') || parameter.contains('=') {
            out.push('?');
        }
        out.push('}');
        rest = after[end..].strip_prefix('}').unwrap_or(&after[end..]);
    }
    out.push_str(&rest.to_lowercase());
    out.trim_end_matches('/').to_owned()
}

/// Where the brace that closes a parameter stands: a constraint may have braces, each written twice.
fn end_of_parameter(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_twice = bytes.get(at + 1) == Some(&bytes[at]);
        match bytes[at] {
            b'{' | b'}' if is_twice => at += 2,
            b'}' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn names_and_constraints_of_parameters_are_no_part_of_the_path() {
        let same = |a, b| path(a) == path(b);
        assert!(same("/a/{id}", "/A/{key:guid}"));
        assert!(same("/a/{id:regex(^\\d{{2}}$)}/b", "/a/{x}/b"));
        assert!(same("/a/{**rest}", "/a/{*path}"));
        assert!(!same("/a/{id}", "/a/{id?}"));
        assert!(!same("/a/{id}", "/a/{*id}"));
        assert!(!same("/a/{id}", "/b/{id}"));
        assert!(!same("/a/{id}/c", "/a/{id}"));
    }
}
