//! Members of `System.String`, static and on a text.

use super::{MAX_TEXT, Value};

/// Calls `[System.String]::member(arguments)`.
pub(super) fn call_static(member: &str, arguments: &[String]) -> Option<Value> {
    let text = |text: String| Some(Value::Text(text));
    match (member, arguments) {
        ("isnullorempty", [value]) => Some(Value::truth(value.is_empty())),
        ("isnullorwhitespace", [value]) => Some(Value::truth(value.trim().is_empty())),
        ("copy" | "new", [value]) => text(value.clone()),
        ("empty", []) => text(String::new()),
        ("concat", parts) => text(parts.concat()),
        ("join", [separator, parts @ ..]) => text(parts.join(separator)),
        ("equals", [left, right]) => Some(Value::truth(left == right)),
        ("equals", [left, right, how]) => Some(Value::truth(equal(left, right, Some(how)))),
        ("compare", [left, right, how @ ..]) => text(compare(left, right, how.first())),
        ("compareordinal", [left, right]) => text(compare(left, right, None)),
        ("format", [format, values @ ..]) => {
            let mut out = format.clone();
            for (index, value) in values.iter().enumerate() {
                out = out.replace(&format!("{{{index}}}"), value);
                if out.len() > MAX_TEXT {
                    return None;
                }
            }
            text(out)
        }
        _ => None,
    }
}

/// Calls `.name(arguments)` on a text.
pub(super) fn call(text: &str, name: &str, arguments: &[String]) -> Option<Value> {
    let give = |text: String| Some(Value::Text(text));
    let how = arguments.get(1);
    match (name, arguments) {
        ("tostring" | "normalize", _) => give(text.to_owned()),
        ("length", []) => give(text.chars().count().to_string()),
        ("tolower" | "tolowerinvariant", _) => give(text.to_lowercase()),
        ("toupper" | "toupperinvariant", _) => give(text.to_uppercase()),
        ("trim", []) => give(text.trim().to_owned()),
        ("trimstart", []) => give(text.trim_start().to_owned()),
        ("trimend", []) => give(text.trim_end().to_owned()),
        ("trim", [set, ..]) => give(text.trim_matches(one_of(set)).to_owned()),
        ("trimstart", [set, ..]) => give(text.trim_start_matches(one_of(set)).to_owned()),
        ("trimend", [set, ..]) => give(text.trim_end_matches(one_of(set)).to_owned()),
        ("contains", [part, ..]) => {
            let found = if ignores_case(how) {
                text.to_lowercase().contains(&part.to_lowercase())
            } else {
                text.contains(part.as_str())
            };
            Some(Value::truth(found))
        }
        ("startswith", [part, ..]) => Some(Value::truth(
            text.get(..part.len())
                .is_some_and(|start| equal(start, part, how)),
        )),
        ("endswith", [part, ..]) => Some(Value::truth(
            text.len()
                .checked_sub(part.len())
                .and_then(|at| text.get(at..))
                .is_some_and(|end| equal(end, part, how)),
        )),
        ("equals", [other, ..]) => Some(Value::truth(equal(text, other, how))),
        ("compareto", [other]) => give(compare(text, other, None)),
        ("replace", [from, to, ..]) => {
            if from.is_empty() {
                return None;
            }
            let growth = to.len().saturating_sub(from.len()) * text.matches(from.as_str()).count();
            (text.len() + growth <= MAX_TEXT).then(|| Value::Text(text.replace(from.as_str(), to)))
        }
        ("split", separators) => {
            let separators: Vec<char> = separators.iter().flat_map(|s| s.chars()).collect();
            let parts = if separators.is_empty() {
                text.split_whitespace().map(str::to_owned).collect()
            } else {
                text.split(separators.as_slice())
                    .map(str::to_owned)
                    .collect()
            };
            Some(Value::List(parts))
        }
        ("indexof", [part, ..]) => give(position(text, text.find(part.as_str()))),
        ("lastindexof", [part, ..]) => give(position(text, text.rfind(part.as_str()))),
        ("indexofany", [set, ..]) => give(position(text, text.find(one_of(set)))),
        ("[]" | "get_chars", [at]) => text
            .chars()
            .nth(index(at)?)
            .map(|c| Value::Text(c.to_string())),
        _ => edited(text, name, arguments).map(Value::Text),
    }
}

/// The functions that cut, insert and pad at positions.
fn edited(text: &str, name: &str, arguments: &[String]) -> Option<String> {
    match (name, arguments) {
        ("substring", [start]) => {
            let start: usize = start.trim().parse().ok()?;
            (start <= text.chars().count()).then(|| text.chars().skip(start).collect())
        }
        ("substring", [start, length]) => {
            let (start, length) = (index(start)?, index(length)?);
            (start.checked_add(length)? <= text.chars().count())
                .then(|| text.chars().skip(start).take(length).collect())
        }
        ("remove", [start]) => {
            let start = index(start)?;
            (start <= text.chars().count()).then(|| text.chars().take(start).collect())
        }
        ("remove", [start, length]) => {
            let (start, length) = (index(start)?, index(length)?);
            let rest = text
                .chars()
                .enumerate()
                .filter(|(at, _)| *at < start || *at >= start.saturating_add(length))
                .map(|(_, c)| c);
            Some(rest.collect())
        }
        ("insert", [at, part]) => {
            let at = text
                .char_indices()
                .nth(index(at)?)
                .map_or(text.len(), |(at, _)| at);
            Some(format!("{}{part}{}", &text[..at], &text[at..]))
        }
        ("padleft" | "padright", [width, rest @ ..]) => {
            let fill = rest
                .first()
                .and_then(|fill| fill.chars().next())
                .unwrap_or(' ');
            let missing = index(width)?.saturating_sub(text.chars().count());
            if missing > MAX_TEXT {
                return None;
            }
            let fill: String = std::iter::repeat_n(fill, missing).collect();
            Some(match name {
                "padleft" => fill + text,
                _ => text.to_owned() + &fill,
            })
        }
        _ => None,
    }
}

fn index(text: &str) -> Option<usize> {
    text.trim().parse().ok()
}

fn one_of(set: &str) -> impl Fn(char) -> bool {
    move |c| set.contains(c)
}

/// A position in characters, or -1.
fn position(text: &str, at: Option<usize>) -> String {
    at.map_or_else(
        || "-1".to_owned(),
        |at| text[..at].chars().count().to_string(),
    )
}

/// Whether a `StringComparison` argument asks to ignore case.
fn ignores_case(how: Option<&String>) -> bool {
    how.is_some_and(|how| {
        how.to_ascii_lowercase().ends_with("ignorecase") || how.eq_ignore_ascii_case("true")
    })
}

fn equal(left: &str, right: &str, how: Option<&String>) -> bool {
    left == right || ignores_case(how) && left.to_lowercase() == right.to_lowercase()
}

fn compare(left: &str, right: &str, how: Option<&String>) -> String {
    let order = if ignores_case(how) {
        left.to_lowercase().cmp(&right.to_lowercase())
    } else {
        left.cmp(right)
    };
    (order as i8).to_string()
}
