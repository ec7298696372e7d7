//! Words as a shell reads them, for commands that are suggested.

use std::borrow::Cow;

/// A word in quotes where a shell would read more into it.
pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    // Quotes around revisions such as `HEAD~1` and names in other scripts would only make them harder to read.
    let is_plain = |c: char| c.is_alphanumeric() || "_./~^@{}:=+,%-".contains(c);
    let starts_plain = !text.starts_with('~') && !text.is_empty();
    if starts_plain && text.chars().all(is_plain) {
        return text.into();
    }
    // Every shell, that of Windows included, reads nothing into the rest between double quotes.
    if !text.contains(['"', '$', '`', '\\', '!', '%', '\n']) {
        return format!("\"{text}\"").into();
    }
    // No argument of a process has a zero.
    shlex::try_quote(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more_into_them() {
        for (text, expected) in [
            ("OrderService", "OrderService"),
            ("Größe", "Größe"),
            ("HEAD~1..HEAD@{1}", "HEAD~1..HEAD@{1}"),
            ("~user", r#""~user""#),
            ("a b", r#""a b""#),
            ("", r#""""#),
            ("A|B", r#""A|B""#),
            ("!Tests", "'!Tests'"),
            ("it's", r#""it's""#),
            (r"Submit\(", r#""Submit\\(""#),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
