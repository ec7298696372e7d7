//! What may be the name of something in C#, and how it is written.
//!
//! Source: C# specification, §6.4.3 (identifiers) and §6.4.4 (keywords).

/// A name as code writes it: with `@` where it would be a keyword otherwise.
///
/// # Errors
/// Says why it is no identifier.
pub(crate) fn written(name: &str) -> Result<String, String> {
    let bare = name.strip_prefix('@').unwrap_or(name);
    let mut chars = bare.chars();
    let is_start = |c: char| c == '_' || c.is_alphabetic();
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    match chars.next() {
        None => return Err("a name has a character at least".to_owned()),
        Some(first) if !is_start(first) => {
            return Err(format!(
                "a name starts with a letter or `_`, not with `{first}`"
            ));
        }
        Some(_) => {}
    }
    if let Some(wrong) = chars.find(|&c| !is_part(c)) {
        return Err(format!(
            "a name has letters, digits and `_` only, not `{}`",
            wrong.escape_default()
        ));
    }
    Ok(match is_keyword(bare) {
        true => format!("@{bare}"),
        false => bare.to_owned(),
    })
}

/// Whether a name means something else somewhere unless it is written with `@`.
pub(crate) fn is_keyword(name: &str) -> bool {
    RESERVED.contains(&name) || CONTEXTUAL.contains(&name)
}

/// Whether a word is a keyword that is neither a type nor a value: nothing can be called so, and nothing is decided there.
pub(crate) fn is_structural(word: &str) -> bool {
    RESERVED.contains(&word) && !TYPES_AND_VALUES.contains(&word)
}

/// Keywords that stand where a name may stand.
const TYPES_AND_VALUES: [&str; 21] = [
    "base", "bool", "byte", "char", "decimal", "double", "false", "float", "int", "long", "null",
    "object", "sbyte", "short", "string", "this", "true", "uint", "ulong", "ushort", "void",
];

/// Keywords everywhere.
const RESERVED: [&str; 77] = [
    "abstract",
    "as",
    "base",
    "bool",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "continue",
    "decimal",
    "default",
    "delegate",
    "do",
    "double",
    "else",
    "enum",
    "event",
    "explicit",
    "extern",
    "false",
    "finally",
    "fixed",
    "float",
    "for",
    "foreach",
    "goto",
    "if",
    "implicit",
    "in",
    "int",
    "interface",
    "internal",
    "is",
    "lock",
    "long",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "return",
    "sbyte",
    "sealed",
    "short",
    "sizeof",
    "stackalloc",
    "static",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// Keywords in places where a name may stand as well.
const CONTEXTUAL: [&str; 37] = [
    "allows",
    "and",
    "ascending",
    "async",
    "await",
    "by",
    "descending",
    "dynamic",
    "equals",
    "extension",
    "field",
    "file",
    "from",
    "global",
    "group",
    "into",
    "join",
    "let",
    "nameof",
    "nint",
    "not",
    "notnull",
    "nuint",
    "on",
    "or",
    "orderby",
    "partial",
    "record",
    "required",
    "scoped",
    "select",
    "unmanaged",
    "var",
    "when",
    "where",
    "with",
    "yield",
];

/// An identifier as the compiler knows it: without `@`, with escapes read.
pub(crate) fn bare(token: &str) -> String {
    let token = token.strip_prefix('@').unwrap_or(token);
    if !token.contains('\\') {
        return token.to_owned();
    }
    let mut out = String::with_capacity(token.len());
    let mut rest = token;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let n_digits = match rest.as_bytes().get(at + 1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let digits = rest.get(at + 2..at + 2 + n_digits).unwrap_or_default();
        match u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32)
        {
            Some(c) => {
                out.push(c);
                rest = &rest[at + 2 + n_digits..];
            }
            None => {
                out.push('\\');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{bare, written};

    #[test]
    fn keywords_are_escaped_and_other_names_are_not() {
        for (name, expected) in [
            ("Name", "Name"),
            ("@Name", "Name"),
            ("class", "@class"),
            ("@class", "@class"),
            ("record", "@record"),
            ("größe", "größe"),
            ("_1", "_1"),
        ] {
            assert_eq!(written(name).expect("a name"), expected);
        }
        for name in ["", "@", "1a", "a b", "a-b", "a.b", "a\u{202e}b"] {
            assert!(written(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn identifiers_are_compared_as_the_compiler_does() {
        for (token, expected) in [
            ("@class", "class"),
            ("\\u0061b", "ab"),
            ("a\\U00000062", "ab"),
            ("a", "a"),
            ("a\\", "a\\"),
        ] {
            assert_eq!(bare(token), expected);
        }
    }
}
