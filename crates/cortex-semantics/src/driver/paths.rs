//! The names with dots between them in the tokens of a constant.
//!
//! Must not know: what they mean.

/// Names with dots between them.
#[derive(Debug)]
pub(super) struct Path {
    /// Without `@`.
    pub(super) names: Vec<String>,
    /// How many type arguments the last but one has.
    pub(super) arity: u16,
}

impl Path {
    /// The paths among tokens of a constant. In `nameof` nothing is computed.
    pub(super) fn all(words: &[&str]) -> Vec<Self> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < words.len() {
            if words[at] == "nameof" && words.get(at + 1) == Some(&"(") {
                at += words[at..].iter().take_while(|it| **it != ")").count();
            }
            let Some(word) = words.get(at).filter(|it| is_name(it)) else {
                at += 1;
                continue;
            };
            let mut path = Self {
                names: vec![(*word).trim_start_matches('@').to_owned()],
                arity: 0,
            };
            at += 1;
            loop {
                let (arity, dot) = match arguments(&words[at..]) {
                    Some((arity, n_tokens)) => (arity, at + n_tokens),
                    None => (0, at),
                };
                let is_dot = matches!(words.get(dot), Some(&("." | "::")));
                let Some(word) = words.get(dot + 1).filter(|it| is_dot && is_name(it)) else {
                    break;
                };
                path.names.push((*word).trim_start_matches('@').to_owned());
                path.arity = arity;
                at = dot + 2;
            }
            found.push(path);
        }
        found
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|it: char| it.is_alphabetic() || it == '_' || it == '@')
}

/// How many type arguments tokens begin with, and how many tokens these are.
fn arguments(words: &[&str]) -> Option<(u16, usize)> {
    if words.first() != Some(&"<") {
        return None;
    }
    let (mut depth, mut arity) = (0, 1);
    for (at, word) in words.iter().enumerate() {
        match *word {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            "," if depth == 1 => arity += 1,
            "," | "." | "::" | "[" | "]" | "?" => {}
            word if is_name(word) => {}
            _ => return None,
        }
        if depth <= 0 {
            return Some((arity, at + 1));
        }
    }
    None
}
