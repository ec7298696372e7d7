//! Declarations on one line, without attributes, bodies and initial values: of members as they are written, else as
//! they are bound.
//!
//! Must not know: symbols, the snapshot.

use cortex_bind::{MemberNode, TypeNode, TypeParamNode, TypeText};
use cortex_model::{DeclKind, simple_name};
use cortex_syntax::{Decl, FileFacts};

/// Longer values are cut.
const MAX_VALUE: usize = 60;

/// The declaration of a member. `text`: of the file that the facts are of.
pub(crate) fn declared(text: &str, facts: &FileFacts, member: &MemberNode) -> Option<String> {
    let decl = facts.decls.get(member.decl as usize)?;
    if member.primary {
        return None;
    }
    let written = match member.kind {
        DeclKind::Field | DeclKind::Constant => named(text, decl)?,
        DeclKind::Event if decl.accessors.is_empty() => named(text, decl)?,
        DeclKind::EnumMember => member.name.clone(),
        DeclKind::TopLevel => return Some("top-level statements".to_owned()),
        _ => head(text, decl)?,
    };
    let mut out = written;
    if matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember)
        && let Some(value) = decl.value
    {
        out.push_str(" = ");
        out.push_str(&short_value(facts.name(value)));
    }
    if matches!(member.kind, DeclKind::Property | DeclKind::Indexer) {
        out.push_str(&accessors(decl));
    }
    Some(out)
}

/// The start of a value.
pub(crate) fn short_value(value: &str) -> String {
    match value.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// What stands before the end of the name; `None` for a second name of one declaration.
fn named(text: &str, decl: &Decl) -> Option<String> {
    let text = text.get(decl.range.start as usize..decl.name_range.end as usize)?;
    let out = folded(without_attributes(text));
    (!out.starts_with(',')).then_some(out)
}

fn joined(types: &[TypeText]) -> String {
    let texts: Vec<String> = types.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// A type as bound: ``public class Ns.A<T> : Ns.B<T> where T : class``, its own name without the namespace.
pub fn declared_type(node: &TypeNode) -> String {
    let start = node
        .fqn
        .split(['+', '`'])
        .next()
        .unwrap_or(&node.fqn)
        .rfind('.')
        .map_or(0, |dot| dot + 1);
    let names: Vec<&str> = node.fqn[start..].split('+').map(simple_name).collect();
    let params = node.type_params();
    let (ty, call) = match node.call() {
        Some((ty, call)) => (format!("{ty} "), call.replace(',', ", ")),
        None => (String::new(), String::new()),
    };
    let name = names.join(".");
    let mut out = format!("{} {ty}{name}{}{call}", node.head(), angles(&params));
    if !node.base_list.is_empty() {
        out.push_str(" : ");
        out.push_str(&joined(&node.base_list));
    }
    for param in params.iter().filter(|param| !param.constraints.is_empty()) {
        let constraints = joined(&param.constraints);
        out.push_str(&format!(" where {} : {constraints}", param.name));
    }
    out
}

/// A member as bound: `public System.Int32 Count<T>(T)`.
pub fn declared_member(member: &MemberNode) -> String {
    if member.kind == DeclKind::EnumMember {
        return member.name.clone();
    }
    let tail = member.tail();
    let params = tail.split('#').next().unwrap_or(&tail).replace(',', ", ");
    let type_params: Vec<&TypeParamNode> = member.type_params.iter().collect();
    format!(
        "{} {}{}{}{params}",
        member.accessibility,
        member.head(),
        member.name,
        angles(&type_params),
    )
}

/// `<T, U>`; nothing where there is no type parameter.
fn angles(params: &[&TypeParamNode]) -> String {
    let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("<{}>", names.join(", ")),
    }
}

/// What stands before the body.
pub(crate) fn head(text: &str, decl: &Decl) -> Option<String> {
    let end = match decl.body_range.end > decl.body_range.start {
        true => decl.body_range.start,
        false => decl.range.end,
    };
    let text = text.get(decl.range.start as usize..end.max(decl.range.start) as usize)?;
    Some(without_opening(&folded(without_attributes(text))).to_owned())
}

/// What stands before the tokens that begin a body or an initial value, or end a declaration. A type argument list ends
/// with `>` as well, so that only `=>` is taken as a whole.
fn without_opening(folded: &str) -> &str {
    let mut head = folded.trim_end();
    for token in [";", "{", "=>", "=", ":"] {
        head = head.strip_suffix(token).unwrap_or(head).trim_end();
    }
    head
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

/// White space and comments folded to single spaces, none inside of brackets at their ends; strings stay.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_space = false;
    while let Some(c) = rest.chars().next() {
        let comment = match () {
            () if rest.starts_with("//") => Some(rest.find('\n')),
            () if rest.starts_with("/*") => Some(rest.find("*/").map(|at| at + 2)),
            () => None,
        };
        if let Some(end) = comment {
            is_space = true;
            rest = &rest[end.unwrap_or(rest.len())..];
            continue;
        }
        if c.is_whitespace() {
            is_space = true;
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let opens = out.is_empty() || out.ends_with(['(', '<', '[']);
        if is_space && !opens && !matches!(c, ')' | ']') {
            out.push(' ');
        }
        is_space = false;
        let end = match c {
            '"' => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    without_inner_attributes(&out)
}

/// Without the attributes of parameters and type parameters: what stands in brackets where a name could start.
fn without_inner_attributes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        let opens = out.trim_end().ends_with(['(', ',', '<']);
        match closing(&rest[at..]).filter(|_| opens) {
            Some(end) => rest = rest[at + end + 1..].trim_start(),
            None => {
                out.push('[');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{folded, without_attributes, without_opening};

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
    fn what_begins_a_body_is_no_part_of_a_declaration_and_type_arguments_are() {
        for (text, head) in [
            ("class A : List<int>\n", "class A : List<int>"),
            ("class A : B<C<int>> {", "class A : B<C<int>>"),
            (
                "void M<T>() where T : I<T> =>",
                "void M<T>() where T : I<T>",
            ),
            ("int P =>", "int P"),
            ("class A<T> ;", "class A<T>"),
            ("bool operator >(A a, A b);", "bool operator >(A a, A b)"),
            ("enum E :", "enum E"),
        ] {
            assert_eq!(without_opening(&folded(text)), head);
        }
    }

    #[test]
    fn a_declaration_is_one_line() {
        assert_eq!(
            folded("void M(\n    int a, // first\n    string b = \"x  y\"\n)"),
            "void M(int a, string b = \"x  y\")"
        );
        assert_eq!(
            folded("void M<[A(1)] T>([B][C(\"]\")] int[] a, [D] params int[,] b)"),
            "void M<T>(int[] a, params int[,] b)"
        );
    }
}
