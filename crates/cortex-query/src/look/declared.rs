//! A member's declaration as it is written, on one line: without attributes, body and initial value.
//!
//! Must not know: symbols, the snapshot.

use cortex_bind::MemberNode;
use cortex_model::DeclKind;
use cortex_syntax::{Decl, FileFacts};

/// Longer values are cut.
const MAX_VALUE: usize = 60;

/// The declaration of a member. `text`: of the file that the facts are of.
pub(super) fn declared(text: &str, facts: &FileFacts, member: &MemberNode) -> Option<String> {
    let decl = facts.decls.get(member.decl as usize)?;
    if member.primary {
        return None;
    }
    let written = match member.kind {
        // Several may stand in one declaration.
        DeclKind::Field | DeclKind::Constant => {
            format!("{} {}{}", member.accessibility, member.head, member.name)
        }
        DeclKind::Event if decl.accessors.is_empty() => {
            format!(
                "{} {}event {}",
                member.accessibility,
                member.head.replace("event ", ""),
                member.name
            )
        }
        DeclKind::EnumMember => member.name.clone(),
        DeclKind::TopLevel => return Some("top-level statements".to_owned()),
        _ => head(text, decl)?,
    };
    let mut out = written;
    if matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember)
        && let Some(value) = decl.value
    {
        let value = facts.name(value);
        let end = value
            .char_indices()
            .nth(MAX_VALUE)
            .map_or(value.len(), |(at, _)| at);
        out.push_str(" = ");
        out.push_str(&value[..end]);
        if end < value.len() {
            out.push('…');
        }
    }
    if matches!(member.kind, DeclKind::Property | DeclKind::Indexer) {
        out.push_str(&accessors(decl));
    }
    Some(out)
}

/// What stands before the body.
fn head(text: &str, decl: &Decl) -> Option<String> {
    let end = match decl.body_range.end > decl.body_range.start {
        true => decl.body_range.start,
        false => decl.range.end,
    };
    let text = text.get(decl.range.start as usize..end.max(decl.range.start) as usize)?;
    let folded = folded(without_attributes(text));
    let head = folded.trim_end_matches([';', ' ', '{', '=', '>', ':']);
    // An operator may end like a body starts: `operator >`, `operator ==`.
    Some(match folded.contains('(') && !head.contains('(') {
        true => folded.trim_end_matches([';', ' ']).to_owned(),
        false => head.to_owned(),
    })
}

fn accessors(decl: &Decl) -> String {
    if decl.accessors.is_empty() {
        return " { get; }".to_owned();
    }
    let words = decl.accessors.iter().map(|it| match it.accessibility {
        Some(accessibility) => format!("{accessibility} {};", it.kind.name()),
        None => format!("{};", it.kind.name()),
    });
    format!(" {{ {} }}", words.collect::<Vec<_>>().join(" "))
}

/// What follows the attributes and comments at the start of a declaration.
fn without_attributes(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if rest.starts_with('[') {
            closing(rest)
        } else if rest.starts_with("//") || rest.starts_with('#') {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 1)
        } else {
            return rest;
        };
        match after {
            Some(at) => rest = rest[at + 1..].trim_start(),
            None => return rest,
        }
    }
}

/// Where the bracket at the start is closed, strings and characters passed over.
fn closing(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0u32, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            quote @ (b'"' | b'\'') => {
                let is_verbatim = at > 0 && bytes[at - 1] == b'@';
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' && !is_verbatim {
                        2
                    } else {
                        1
                    };
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// White space and comments folded to single spaces, none inside of parentheses at their ends.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") || rest.starts_with("/*") {
            let end = match rest.starts_with("//") {
                true => rest.find('\n'),
                false => rest.find("*/").map(|at| at + 2),
            };
            rest = &rest[end.unwrap_or(rest.len())..];
            out.push(' ');
            continue;
        }
        if c == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |at| at + 2);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        out.push(if c.is_whitespace() { ' ' } else { c });
        rest = &rest[c.len_utf8()..];
    }
    let words: Vec<&str> = out.split(' ').filter(|it| !it.is_empty()).collect();
    words
        .join(" ")
        .replace("( ", "(")
        .replace(" )", ")")
        .replace("< ", "<")
}

#[cfg(test)]
mod tests {
    use super::{folded, without_attributes};

    #[test]
    fn attributes_and_comments_before_a_declaration_are_passed_over() {
        for (text, rest) in [
            ("[A] public void M()", "public void M()"),
            ("[A(\"]\", ']')]\n  [B]\n// c\n/* d */ int M()", "int M()"),
            ("#if X\n[A]\n#endif\nint M()", "int M()"),
            ("[A", "[A"),
            ("int this[int a]", "int this[int a]"),
        ] {
            assert_eq!(without_attributes(text), rest, "{text}");
        }
    }

    #[test]
    fn a_declaration_is_one_line() {
        assert_eq!(
            folded("void M(\n    int a, // first\n    string b = \"x  y\"\n)"),
            "void M(int a, string b = \"x  y\")"
        );
    }
}
