//! Resources: outlines, packs and the prompt window, by their addresses.

use cortex_service::ServiceError;
use cortex_wire::{ErrorCode, OutlineRequest, PackShowRequest, WindowRequest, WireError};
use rmcp::model::{Resource, ResourceTemplate};
use serde_json::Value;

use crate::tools::Question;

const WINDOW: &str = "cortex://window";
const OUTLINE: &str = "cortex://outline/";
const PACK: &str = "cortex://pack/";

/// What all resources are written in.
pub(crate) const MARKDOWN: &str = "text/markdown";

/// The addresses that have a blank to fill in.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{OUTLINE}{{symbol}}"), "outline")
            .with_description(
                "What a type, member, namespace, project or folder is, without its code",
            )
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new(format!("{PACK}{{name}}"), "pack")
            .with_description("A pack of outlines that the repository commits")
            .with_mime_type(MARKDOWN),
    ]
}

/// The resources of a repository with these packs.
pub(crate) fn list(packs: &[String]) -> Vec<Resource> {
    let window = Resource::new(WINDOW, "window")
        .with_description("Outlines of the types that matter now")
        .with_mime_type(MARKDOWN);
    let pack = |name: &String| {
        Resource::new(format!("{PACK}{}", escaped(name)), format!("pack {name}"))
            .with_mime_type(MARKDOWN)
    };
    std::iter::once(window)
        .chain(packs.iter().map(pack))
        .collect()
}

/// The names of the packs in an answer of `pack-list`.
pub(crate) fn packs(envelope: &Value) -> Vec<String> {
    let packs = envelope["answer"]["packs"].as_array();
    let names = (packs.into_iter().flatten()).filter_map(|pack| pack["name"].as_str());
    names.map(str::to_owned).collect()
}

/// The question that a resource answers.
///
/// # Errors
/// Where the address is none of ours.
pub(crate) fn question(uri: &str) -> Result<Question, ServiceError> {
    if uri == WINDOW {
        return Ok(Question::new("window", &WindowRequest::default()));
    }
    if let Some(symbol) = uri.strip_prefix(OUTLINE) {
        let request = OutlineRequest::new(unescaped(symbol));
        return Ok(Question::new("outline", &request));
    }
    if let Some(name) = uri.strip_prefix(PACK) {
        let request = PackShowRequest {
            name: unescaped(name),
            ..PackShowRequest::default()
        };
        return Ok(Question::new("pack-show", &request));
    }
    let message =
        format!("there is no resource `{uri}`: write {WINDOW}, {OUTLINE}SYMBOL or {PACK}NAME");
    Err(WireError::new(ErrorCode::InvalidRequest, message).into())
}

/// A name as a part of an address (RFC 3986).
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The name that a part of an address stands for; what is no escape stays.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = text.get(at + 1..at + 3);
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(|_| byte == b'%') {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{escaped, question, unescaped};

    #[test]
    fn any_name_is_an_address() {
        for name in ["a", "List<T>.Add(T, int)", "naïve/ö%41", "%", "%zz", ""] {
            assert_eq!(unescaped(&escaped(name)), name);
        }
        assert_eq!(unescaped("100%zz"), "100%zz");
    }

    #[test]
    fn an_address_is_a_question() {
        let outline = question("cortex://outline/List%3CT%3E").expect("it is an address");
        assert_eq!(outline.operation, "outline");
        assert_eq!(outline.request["symbol"], "List<T>");
        assert!(question("file:///etc/passwd").is_err());
    }
}
