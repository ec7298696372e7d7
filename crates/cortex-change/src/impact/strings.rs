//! The strings and comments of a C# text.
//!
//! Must not know: what they are looked for.

/// Stands for what an interpolated string puts in.
pub(crate) const HOLE: char = '\u{1}';

/// What a line of a comment says.
pub(crate) struct CommentText {
    /// Where the line begins, or the comment in it, in bytes.
    pub(crate) start: usize,
    /// Without the signs and the white space around it.
    pub(crate) said: String,
    /// Whether it documents a declaration: much of such comments is written by form.
    pub(crate) is_documentation: bool,
}

/// A string.
pub(crate) struct StringText {
    /// Where its first `$`, `@` or quote is, in bytes.
    pub(crate) start: usize,
    /// Where its first quote is.
    pub(crate) quote: usize,
    /// What it says without escapes, with [`HOLE`] for each part that is put in.
    pub(crate) said: String,
}

/// The strings of a text in their order, comments left out.
pub(crate) fn strings(text: &[u8]) -> Vec<StringText> {
    strings_and_comments(text).0
}

/// The strings of a text, and the lines of its comments that say anything; both in their order.
pub(crate) fn strings_and_comments(text: &[u8]) -> (Vec<StringText>, Vec<CommentText>) {
    let (mut strings, mut comments) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'/' if matches!(text.get(at + 1), Some(b'/' | b'*')) => {
                let end = match text[at + 1] {
                    b'/' => end_of_line(text, at),
                    _ => end_of_comment(text, at + 2),
                };
                add_lines(&mut comments, at, &text[at..end]);
                at = end;
            }
            b'\'' => at = end_of_character(text, at),
            b'"' => {
                let (start, quote) = (start_of_prefix(text, at), at);
                let said;
                (said, at) = string(text, start, quote);
                strings.push(StringText { start, quote, said });
            }
            _ => at += 1,
        }
    }
    (strings, comments)
}

/// Adds the lines of a comment that begins somewhere.
fn add_lines(out: &mut Vec<CommentText>, mut start: usize, comment: &[u8]) {
    let is_documentation = comment.starts_with(b"///") || comment.starts_with(b"/**");
    for line in comment.split(|&byte| byte == b'\n') {
        let said = String::from_utf8_lossy(line);
        let said = said.trim_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
        if !said.is_empty() {
            let said = said.to_owned();
            out.push(CommentText {
                start,
                said,
                is_documentation,
            });
        }
        start += line.len() + 1;
    }
}

fn end_of_line(text: &[u8], at: usize) -> usize {
    let end = text[at..].iter().position(|&byte| byte == b'\n');
    end.map_or(text.len(), |end| at + end)
}

fn end_of_comment(text: &[u8], at: usize) -> usize {
    let from = at.min(text.len());
    memchr::memmem::find(&text[from..], b"*/").map_or(text.len(), |end| from + end + 2)
}

/// Past a character: a quote may be one.
fn end_of_character(text: &[u8], at: usize) -> usize {
    match text.get(at + 1) {
        Some(b'\\') => at + 4,
        _ if text.get(at + 2) == Some(&b'\'') => at + 3,
        _ => at + 1,
    }
}

/// Where `$` and `@` before a quote begin.
fn start_of_prefix(text: &[u8], quote: usize) -> usize {
    let before = text[..quote].iter().rev();
    let n = before
        .take_while(|byte| matches!(byte, b'$' | b'@'))
        .count();
    quote - n
}

/// What a string says, and where it ends.
fn string(text: &[u8], start: usize, quote: usize) -> (String, usize) {
    let n_quotes = text[quote..]
        .iter()
        .take_while(|byte| **byte == b'"')
        .count();
    let (is_raw, is_verbatim) = (n_quotes >= 3, text[start..quote].contains(&b'@'));
    let is_interpolated = text[start..quote].contains(&b'$');
    let mut at = quote + if is_raw { n_quotes } else { 1 };
    let mut said = Vec::new();
    while at < text.len() {
        match text[at] {
            b'"' if is_raw => {
                let n = text[at..].iter().take_while(|byte| **byte == b'"').count();
                at += n;
                if n >= n_quotes {
                    break;
                }
            }
            b'"' if is_verbatim && text.get(at + 1) == Some(&b'"') => at += 2,
            b'"' => {
                at += 1;
                break;
            }
            b'\n' if !is_raw && !is_verbatim => break,
            b'\\' if !is_raw && !is_verbatim => at += 2,
            b'{' if is_interpolated && text.get(at + 1) != Some(&b'{') => {
                said.push(HOLE as u8);
                at = end_of_hole(text, at + 1);
            }
            b'{' | b'}' if is_interpolated => {
                said.push(text[at]);
                at += 2;
            }
            byte => {
                said.push(byte);
                at += 1;
            }
        }
    }
    (String::from_utf8_lossy(&said).into_owned(), at)
}

/// Past the brace that closes a hole.
fn end_of_hole(text: &[u8], mut at: usize) -> usize {
    let mut depth = 1;
    while at < text.len() {
        match text[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'\n' => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}
