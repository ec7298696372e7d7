//! The places that a fixture marks: `$0`, and carets under a name with a label after them.

/// A marked place with its label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The first byte above the first caret.
    pub offset: usize,
    /// The number of carets, in bytes of the line above.
    pub len: usize,
    /// The text after the carets, trimmed.
    pub label: String,
}

/// Removes the first `$0` from a text and returns its offset.
pub(crate) fn take_cursor(text: &mut String) -> Option<usize> {
    let at = text.find("$0")?;
    text.replace_range(at..at + 2, "");
    Some(at)
}

/// The marks of a text, in order. Several lines of carets may follow one line of code.
pub(crate) fn marks(text: &str) -> Vec<Mark> {
    let mut out = Vec::new();
    let mut code_start = 0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let rest = line
            .trim_start()
            .strip_prefix("//")
            .map(str::trim_start)
            .filter(|rest| rest.starts_with('^'));
        match rest {
            Some(rest) => {
                let len = rest.bytes().take_while(|&byte| byte == b'^').count();
                let column = line.len() - rest.len();
                out.push(Mark {
                    offset: code_start + column,
                    len,
                    label: rest[len..].trim().to_owned(),
                });
            }
            None => code_start = start,
        }
        start += line.len();
    }
    out
}
