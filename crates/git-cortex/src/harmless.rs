//! Text on its way to the outside, without characters that a terminal obeys.
//!
//! Renderers know what they show and escape it by its kind; this is the last gate, for all of it.

use std::{borrow::Cow, fmt::Write};

/// `text` with each character that commands a terminal written as `\u{…}`.
pub(crate) fn in_text(text: &str) -> Cow<'_, str> {
    replaced(text, |c, out| {
        let _ = write!(out, "\\u{{{:x}}}", c as u32);
    })
}

/// The same for JSON, which has its own notation for them, so that its meaning stays.
pub(crate) fn in_json(text: &str) -> Cow<'_, str> {
    replaced(text, |c, out| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn replaced(text: &str, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let Some(first) = text.find(is_command) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 64);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_command(c) {
            write(c, &mut out)
        } else {
            out.push(c)
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal acts on a character, writes what follows in another direction, or shows nothing for it, so that
/// two names look alike.
fn is_command(c: char) -> bool {
    !matches!(c, '\n' | '\t') && cortex_context::text::is_hidden(c)
}

#[cfg(test)]
mod tests {
    use super::{in_json, in_text};

    #[test]
    fn what_a_terminal_obeys_is_shown_by_its_number() {
        assert_eq!(
            in_text("a\tb\n\u{1b}[2J\u{9b}\u{202e}é\r"),
            "a\tb\n\\u{1b}[2J\\u{9b}\\u{202e}é\\u{d}"
        );
    }

    #[test]
    fn json_means_the_same_afterwards() {
        let value = serde_json::json!({ "\u{202e}": ["\u{1b}\u{85}\u{2066}é\u{200b}\u{e0041}"] });
        let text = value.to_string();
        let shown = in_json(&text);
        assert!(shown.is_ascii() || shown.contains('é'));
        assert!(!shown.contains(['\u{202e}', '\u{85}', '\u{2066}']));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).expect("it is JSON"),
            value
        );
    }
}
