//! Strings that may be paths of requests.
//!
//! Must not know: which routes there are.

/// Stands for what an interpolated string puts in.
pub(super) const HOLE: char = '\u{1}';

/// A string that may be a path.
#[derive(Clone)]
pub(super) struct PathText {
    /// Where its first quote is, in bytes.
    pub(super) offset: u32,
    /// What it says, with [`HOLE`] for each part that is put in.
    pub(super) text: String,
    /// The verb of the call whose first argument it is, where its name says it.
    pub(super) verb: Option<&'static str>,
}

/// The strings of a text that have a slash, comments left out.
pub(super) fn path_texts(text: &[u8]) -> Vec<PathText> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'/' if text.get(at + 1) == Some(&b'/') => at = end_of_line(text, at),
            b'/' if text.get(at + 1) == Some(&b'*') => at = end_of_comment(text, at + 2),
            b'\'' => at = end_of_character(text, at),
            b'"' => {
                let start = start_of_prefix(text, at);
                let (said, end) = string(text, start, at);
                let call = call_before(&text[..start]);
                let is_path = said.contains('/') && !said.contains(char::is_whitespace);
                if is_path && !call.is_some_and(is_template) {
                    out.push(PathText {
                        offset: at as u32,
                        text: said,
                        verb: call.and_then(verb),
                    });
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    out
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

/// The name of the call or attribute whose first argument follows.
fn call_before(before: &[u8]) -> Option<&[u8]> {
    let before = before.trim_ascii_end().strip_suffix(b"(")?;
    let before = match before.strip_suffix(b">") {
        Some(generic) => &generic[..generic.iter().rposition(|&byte| byte == b'<')?],
        None => before,
    };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let start = before.iter().rposition(|byte| !is_word(byte));
    Some(&before[start.map_or(0, |at| at + 1)..])
}

/// The verbs in the names of calls, and how they are written in routes.
const VERBS: [(&str, &str); 5] = [
    ("Get", "GET"),
    ("Post", "POST"),
    ("Put", "PUT"),
    ("Delete", "DELETE"),
    ("Patch", "PATCH"),
];

/// The verb that the name of a call says.
fn verb(call: &[u8]) -> Option<&'static str> {
    let mut verbs = VERBS.iter();
    let (_, verb) = verbs.find(|(name, _)| call.starts_with(name.as_bytes()))?;
    Some(verb)
}

/// Whether what follows a name is the template of a route: `[HttpGet("…")]`, `[Route("…")]`, `MapPost("…", …)`.
fn is_template(call: &[u8]) -> bool {
    let verb_of_attribute = call.strip_prefix(b"Http").and_then(verb);
    verb_of_attribute.is_some() || call == b"Route" || call.starts_with(b"Map")
}

#[cfg(test)]
mod tests {
    use super::path_texts;

    #[test]
    fn strings_are_read_as_the_language_does() {
        let text = "// \"/no\"\nclient.GetAsync($\"/a/{x.y[\"k\"]}\"); c == '\"'; Post<T>(\n  @\"/b\"); /* \"/no\" */ var s = \"a/\\\"/b\"; T(\"no slash\"); [HttpGet(\"/no\")] [Route(\"/no\")] MapPut(\"/no\");";
        let found: Vec<(String, Option<&str>)> = path_texts(text.as_bytes())
            .into_iter()
            .map(|it| (it.text.replace('\u{1}', "…"), it.verb))
            .collect();
        let found: Vec<(&str, Option<&str>)> = found
            .iter()
            .map(|(text, verb)| (text.as_str(), *verb))
            .collect();
        assert_eq!(
            found,
            [("/a/…", Some("GET")), ("/b", Some("POST")), ("a//b", None)]
        );
    }
}
