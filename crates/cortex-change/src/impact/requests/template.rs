//! Templates of routes: which paths they match, and which of two that match one path is chosen, by the rules of
//! ASP.NET Core routing.
//!
//! Must not know: whose routes they are.

use crate::impact::strings::HOLE;

/// The segments of the template of a route.
pub(super) struct Template(Vec<Segment>);

enum Segment {
    /// A fixed text, in lower case.
    Literal(String),
    /// A value, alone or beside a text.
    Parameter {
        constraints: Vec<String>,
        is_optional: bool,
    },
    /// What is left of the path.
    CatchAll,
}

impl Template {
    /// `None` where no segment is a fixed text: everything would be a path of it.
    pub(super) fn new(template: &str) -> Option<Self> {
        let segments: Vec<Segment> = split(template).map(Segment::new).collect();
        let has_text = (segments.iter()).any(|segment| matches!(segment, Segment::Literal(_)));
        has_text.then_some(Self(segments))
    }

    /// Whether a text is a path of the route, from its first segment to its last. What is put together at run time is a
    /// value, never a fixed text.
    pub(super) fn matches(&self, path: &str) -> bool {
        let mut parts = split(path);
        for segment in &self.0 {
            match (segment, parts.next()) {
                (Segment::CatchAll, _) => return true,
                (
                    Segment::Parameter {
                        is_optional: true, ..
                    },
                    None,
                ) => {}
                (segment, Some(part)) if segment.matches(part) => {}
                _ => return false,
            }
        }
        parts.next().is_none()
    }

    /// Whether a path has a fixed text where this has a parameter: another route may have it as well.
    pub(super) fn takes_text(&self, path: &str) -> bool {
        let mut segments = self.0.iter().zip(split(path));
        segments
            .any(|(segment, part)| !matches!(segment, Segment::Literal(_)) && !part.contains(HOLE))
    }

    /// Whether this is chosen where both match: the first segment that differs in kind decides.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        let ranks = |template: &Self| template.0.iter().map(Segment::rank).collect::<Vec<_>>();
        ranks(self) < ranks(other)
    }
}

impl Segment {
    fn new(text: &str) -> Self {
        let Some(start) = text.find('{') else {
            return match text.contains('*') {
                true => Self::CatchAll,
                false => Self::Literal(text.to_lowercase()),
            };
        };
        let parameter = &text[start + 1..];
        if parameter.starts_with('*') {
            return Self::CatchAll;
        }
        let parameter = parameter.split_once('}').map_or(parameter, |(it, _)| it);
        let parameter = parameter.split('=').next().unwrap_or(parameter);
        let is_whole = text.starts_with('{') && text.matches('{').count() == 1;
        let constraints = parameter.trim_end_matches('?').split(':').skip(1);
        Self::Parameter {
            // Beside a text it is only a part of the segment that must satisfy them.
            constraints: constraints
                .filter(|_| is_whole)
                .map(str::to_lowercase)
                .collect(),
            is_optional: parameter.ends_with('?'),
        }
    }

    fn matches(&self, part: &str) -> bool {
        match self {
            Self::Literal(text) => part.to_lowercase() == *text,
            Self::Parameter { constraints, .. } => {
                part.contains(HOLE) || constraints.iter().all(|it| satisfies(part, it))
            }
            Self::CatchAll => true,
        }
    }

    /// A smaller one goes first.
    fn rank(&self) -> u8 {
        match self {
            Self::Literal(_) => 0,
            Self::Parameter { constraints, .. } if !constraints.is_empty() => 1,
            Self::Parameter { .. } => 2,
            Self::CatchAll => 3,
        }
    }
}

/// Whether a text satisfies a constraint in lower case; one that is not known, or that limits lengths and sizes, is
/// satisfied by all.
fn satisfies(text: &str, constraint: &str) -> bool {
    match constraint {
        "int" | "long" => text.parse::<i64>().is_ok(),
        "decimal" | "double" | "float" => text.parse::<f64>().is_ok(),
        "bool" => matches!(&*text.to_lowercase(), "true" | "false"),
        "guid" => {
            let digits = text.chars().filter(char::is_ascii_hexdigit).count();
            let is_other = |c: char| !c.is_ascii_hexdigit() && !matches!(c, '-' | '{' | '}');
            digits == 32 && !text.contains(is_other)
        }
        "alpha" => text.chars().all(|c| c.is_ascii_alphabetic()),
        _ => true,
    }
}

/// The segments of a path, without scheme and host, query and fragment.
fn split(path: &str) -> impl Iterator<Item = &str> {
    let path = match path.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => path,
    };
    path.trim_start_matches('~')
        .split('/')
        .filter(|segment| !segment.is_empty())
}

/// A path without query and fragment. In a template a question mark makes a parameter optional.
pub(super) fn without_query(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{Template, without_query};

    fn matches(template: &str, path: &str) -> bool {
        Template::new(template).is_some_and(|it| it.matches(without_query(path)))
    }

    #[test]
    fn a_path_fits_a_route_segment_by_segment() {
        for path in [
            "/orders/1/items",
            "orders/1/items",
            "https://h/Orders/\u{1}/items/?x=/y",
        ] {
            assert!(matches("/orders/{id}/items", path), "{path}");
        }
        for path in [
            "/orders/1",
            "/orders/1/items/2",
            "/\u{1}/1/items",
            "/order/1/items",
        ] {
            assert!(!matches("/orders/{id}/items", path), "{path}");
        }
        assert!(!matches("/{id}", "/1"));
    }

    #[test]
    fn what_stands_for_a_parameter_satisfies_its_constraints() {
        let id = "1c2d3e4f-0000-1111-2222-333344445555";
        for (template, path, is_path) in [
            ("/users/{id:guid}", "/users/revoke", false),
            ("/users/{id:guid}", "/users/\u{1}", true),
            ("/users/{id:guid}", &*format!("/users/{id}"), true),
            ("/users/{id:int:min(1)}", "/users/12", true),
            ("/users/{id:int:min(1)}", "/users/all", false),
            ("/users/{id?}", "/users", true),
            ("/files/{**path}", "/files/a/b", true),
            ("/files/v{n:int}", "/files/v1", true),
        ] {
            assert_eq!(matches(template, path), is_path, "{template} {path}");
        }
    }

    #[test]
    fn fixed_texts_come_before_constraints_and_these_before_other_parameters() {
        let order = [
            "/users/all",
            "/users/{id:guid}",
            "/users/{id}",
            "/users/{*path}",
        ];
        let order = order.map(|it| Template::new(it).expect("it has a text"));
        for (at, first) in order.iter().enumerate() {
            for (other, second) in order.iter().enumerate() {
                assert_eq!(first.precedes(second), at < other);
            }
        }
    }
}
