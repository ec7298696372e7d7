//! Strings that may be paths of requests.
//!
//! Must not know: which routes there are.

use crate::impact::strings::strings;

/// A string that may be a path.
#[derive(Clone)]
pub(super) struct PathText {
    /// Where its first quote is, in bytes.
    pub(super) offset: u32,
    /// What it says, with [`HOLE`](crate::impact::strings::HOLE) for each part that is put in.
    pub(super) text: String,
    /// The verb of the call whose first argument it is, where its name says it.
    pub(super) verb: Option<&'static str>,
}

/// The strings of a text that have a slash or are what a request is sent to, comments left out.
pub(super) fn path_texts(text: &[u8]) -> Vec<PathText> {
    let all = strings(text).into_iter();
    let paths = all.filter_map(|string| {
        let said = string.said;
        let call = call_before(&text[..string.start]);
        let method = method_before(&text[..string.start]);
        let is_sent = method.is_some() || call.is_some_and(is_request);
        let is_path = said.contains('/') || is_sent && !said.is_empty();
        let is_path = is_path && !said.contains(char::is_whitespace);
        (is_path && !call.is_some_and(is_template)).then(|| PathText {
            offset: string.quote as u32,
            text: said,
            verb: call.and_then(verb).or(method),
        })
    });
    paths.collect()
}

/// The name of the call or attribute whose first argument follows.
fn call_before(before: &[u8]) -> Option<&[u8]> {
    let before = before.trim_ascii_end().strip_suffix(b"(")?;
    let before = &before[..start_of_arguments(before)?];
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let start = before.iter().rposition(|byte| !is_word(byte));
    Some(&before[start.map_or(0, |at| at + 1)..])
}

/// Where the type arguments begin that a text ends with; its end where there are none.
fn start_of_arguments(text: &[u8]) -> Option<usize> {
    if !text.ends_with(b">") {
        return Some(text.len());
    }
    let mut depth = 0;
    for (at, byte) in text.iter().enumerate().rev() {
        match byte {
            b'>' => depth += 1,
            b'<' => depth -= 1,
            b';' => break,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The verb of a message whose second argument follows: `new HttpRequestMessage(HttpMethod.Post, `.
fn method_before(before: &[u8]) -> Option<&'static str> {
    let before = before.trim_ascii_end().strip_suffix(b",")?.trim_ascii_end();
    let at = memchr::memmem::rfind(before, b"HttpMethod.")?;
    let name = &before[at + b"HttpMethod.".len()..];
    let (_, verb) = VERBS.iter().find(|(known, _)| known.as_bytes() == name)?;
    Some(verb)
}

/// Whether a call sends a request to its first argument by its name: `PostAsJsonAsync`.
fn is_request(call: &[u8]) -> bool {
    call.ends_with(b"Async") && verb(call).is_some()
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
