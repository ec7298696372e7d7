//! How the template of a route names and constrains its parameters otherwise than before.

/// What differs: `, was {id}; constraint guid added`.
pub(super) fn difference(old: &str, new: &str) -> String {
    let (before, after) = (parameters(old), parameters(new));
    let mut names = Vec::new();
    let mut constraints = Vec::new();
    let is_known = before.len() == after.len();
    for (old, new) in before.iter().zip(&after).filter(|_| is_known) {
        if old.name != new.name {
            names.push(format!("{{{}}}", old.name));
        }
        let alone = |one: &Parameter<'_>, other: &Parameter<'_>| -> Vec<String> {
            let own = one.constraints.iter();
            let own = own.filter(|it| !other.constraints.contains(it));
            own.map(|it| (*it).to_owned()).collect()
        };
        let added = alone(new, old).into_iter();
        constraints.extend(added.map(|it| format!("constraint {it} added")));
        let removed = alone(old, new).into_iter();
        constraints.extend(removed.map(|it| format!("constraint {it} removed")));
    }
    let mut out = match (names.is_empty(), constraints.is_empty()) {
        (true, true) => format!(", was {old}"),
        (true, false) => String::new(),
        (false, _) => format!(", was {}", names.join(", ")),
    };
    for (i, constraint) in constraints.iter().enumerate() {
        out.push_str(if i == 0 && names.is_empty() {
            ", "
        } else {
            "; "
        });
        out.push_str(constraint);
    }
    out
}

/// A parameter of a template.
struct Parameter<'t> {
    name: &'t str,
    constraints: Vec<&'t str>,
}

/// The parameters of a template, in their order.
fn parameters(template: &str) -> Vec<Parameter<'_>> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        let mut depth = 1;
        let end = after.find(|c| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0
        });
        let (parameter, behind) = after.split_at(end.unwrap_or(after.len()));
        let text = parameter.trim_start_matches('*').trim_end_matches('?');
        let mut parts = split(text).into_iter();
        out.push(Parameter {
            name: parts.next().unwrap_or_default(),
            constraints: parts.collect(),
        });
        rest = behind;
    }
    out
}

/// Splits at colons outside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        c == ':' && depth == 0
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn other_names_and_constraints_are_told() {
        let check = |old, new, expected: &str| assert_eq!(difference(old, new), expected);
        check(
            "/o/{id}",
            "/o/{organizationId:guid}",
            ", was {id}; constraint guid added",
        );
        check("/o/{id:int}", "/o/{id}", ", constraint int removed");
        check("/O/{id}", "/o/{id}", ", was /O/{id}");
        check(
            "/{a}/{b:range(1,2)}",
            "/{x}/{y:min(1):max(3)}",
            ", was {a}, {b}; constraint min(1) added; constraint max(3) added; constraint range(1,2) removed",
        );
    }
}
