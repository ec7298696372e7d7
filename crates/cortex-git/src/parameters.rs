//! Configuration that `git -c` hands on in `GIT_CONFIG_PARAMETERS`.
//!
//! Owns: how git quotes it. Must not know: what a key means.

/// Only keys of this section are taken over.
const SECTION: &str = "cortex.";

/// The `key=value` pairs of the caller's command line.
pub(crate) fn of_caller() -> Vec<String> {
    let parameters = std::env::var("GIT_CONFIG_PARAMETERS").unwrap_or_default();
    parse(&parameters)
}

/// `'key'='value'`, or `'key=value'` as older versions of git write it, with blanks between pairs. What is quoted in
/// another way ends the list, as git would refuse it.
fn parse(parameters: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = parameters.trim_start();
    while let Some((mut pair, after)) = unquote(rest) {
        rest = after;
        if let Some(value) = after.strip_prefix('=') {
            let (value, after) = unquote(value).unwrap_or((String::new(), value));
            pair = format!("{pair}={value}");
            rest = after;
        }
        let is_ours = pair
            .get(..SECTION.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(SECTION));
        if is_ours && pair.contains('=') && !pair.contains(['\n', '\0']) {
            out.push(pair);
        }
        rest = rest.trim_start();
    }
    out
}

/// A text between single quotes, where `'\\''` and `'\\!'` stand for `'` and `!`, and what follows it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('\'')?;
    loop {
        let (inside, after) = rest.split_once('\'')?;
        out.push_str(inside);
        let escaped = after.strip_prefix('\\').and_then(|after| {
            let c = after.chars().next().filter(|c| matches!(c, '\'' | '!'))?;
            Some((c, after[1..].strip_prefix('\'')?))
        });
        match escaped {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => return Some((out, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn pairs_are_read_as_git_writes_them() {
        for (text, expected) in [
            ("'cortex.maxSize'='1g'", &["cortex.maxSize=1g"][..]),
            ("'cortex.maxsize=1g'", &["cortex.maxsize=1g"]),
            (
                "'user.name'='a' 'Cortex.tfm'='it'\\''s' 'cortex.dir'='a b='",
                &["Cortex.tfm=it's", "cortex.dir=a b="],
            ),
            ("'cortex.dir'=", &["cortex.dir="]),
            ("'cortex.dir", &[]),
            ("cortex.dir=x", &[]),
            ("'cortex.dir'='a\nb'", &[]),
            ("", &[]),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
