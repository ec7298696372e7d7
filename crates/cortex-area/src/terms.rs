//! What a question is about: its words that mean something.
//!
//! Must not know: where they are looked for.

/// The terms of a question.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// As written, but for what says nothing; each once, in order.
    pub words: Vec<String>,
    /// Languages that it names, as [`crate::Language::id`]: they say where, not what.
    pub languages: Vec<String>,
    /// Whether the question is one identifier, or several joined by dots.
    pub is_identifier: bool,
}

/// Words of questions that say nothing of what is looked for.
const SAYS_NOTHING: &[&str] = &[
    "a",
    "about",
    "all",
    "an",
    "and",
    "any",
    "are",
    "at",
    "be",
    "by",
    "can",
    "code",
    "do",
    "does",
    "everything",
    "every",
    "file",
    "files",
    "for",
    "from",
    "has",
    "have",
    "how",
    "i",
    "in",
    "into",
    "is",
    "it",
    "its",
    "line",
    "lines",
    "me",
    "of",
    "on",
    "or",
    "our",
    "place",
    "places",
    "something",
    "that",
    "the",
    "their",
    "there",
    "these",
    "they",
    "this",
    "to",
    "usage",
    "usages",
    "use",
    "used",
    "uses",
    "using",
    "was",
    "we",
    "what",
    "when",
    "where",
    "which",
    "who",
    "why",
    "with",
];

/// Words that ask, where they come first.
const ASKS: &[&str] = &[
    "find", "get", "give", "list", "locate", "look", "search", "show",
];

/// Names of languages as people write them, where they mean nothing else.
const LANGUAGE_NAMES: &[(&str, &str)] = &[
    ("c#", "csharp"),
    ("csharp", "csharp"),
    ("dotnet", "csharp"),
    (".net", "csharp"),
    ("typescript", "typescript"),
    ("javascript", "typescript"),
    ("golang", "go"),
    ("rust", "rust"),
    ("python", "python"),
    ("ruby", "ruby"),
    ("java", "java"),
    ("kotlin", "java"),
    ("php", "php"),
    ("elixir", "elixir"),
    ("swift", "swift"),
    ("c++", "cpp"),
    ("f#", "fsharp"),
    ("powershell", "shell"),
];

/// Names of languages that are words, too.
const WORDS_THAT_ARE_NAMES: &[(&str, &str)] = &[("go", "go"), ("c", "cpp")];

/// Words after which a name stands.
const LEADS_A_NAME: &[&str] = &[
    "a", "an", "and", "by", "for", "from", "in", "of", "or", "our", "the", "with",
];

impl Terms {
    /// Reads a question.
    pub fn of(question: &str) -> Self {
        let question = question.trim();
        let mut words: Vec<String> = Vec::new();
        let mut languages: Vec<String> = Vec::new();
        let mut is_first = true;
        let all: Vec<(&str, String)> = question
            .split_whitespace()
            .map(|written| (written, bare(written)))
            .collect();
        for (at, (written, name)) in all.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| all[at].1.as_str());
            let after = all.get(at + 1).map(|it| it.1.as_str());
            let known = LANGUAGE_NAMES.iter().find(|(known, _)| known == name);
            let known = known.or_else(|| {
                let found = WORDS_THAT_ARE_NAMES.iter().find(|it| it.0 == name);
                found.filter(|_| is_used_as_name(before, after))
            });
            if let Some((_, id)) = known {
                if !languages.iter().any(|known| known == id) {
                    languages.push((*id).to_owned());
                }
                continue;
            }
            let parts = written.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            for word in parts.filter(|word| !word.is_empty()) {
                let lower = word.to_lowercase();
                let asks = std::mem::take(&mut is_first) && ASKS.contains(&lower.as_str());
                // A word with capitals or digits in it is a name, whatever it reads like.
                let is_name = word.chars().skip(1).any(|c| !c.is_lowercase());
                let says = is_name || !asks && !SAYS_NOTHING.contains(&lower.as_str());
                if says && !words.iter().any(|known| known == word) {
                    words.push(word.to_owned());
                }
            }
        }
        // A question of a language alone is about its name.
        if words.is_empty() {
            words = languages.clone();
        }
        // A letter says something only where there is nothing else.
        if words.iter().any(|word| word.chars().count() > 1) {
            words.retain(|word| word.chars().count() > 1);
        }
        let is_identifier = !question.is_empty()
            && question.split('.').all(|part| {
                let mut chars = part.chars();
                chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
                    && chars.all(|c| c == '_' || c.is_alphanumeric())
            });
        Self {
            words,
            languages,
            is_identifier,
        }
    }
}

/// A shorter stem is no word of its own.
const MIN_STEM: usize = 4;

/// A word in lower case without the `s` of a plural, where it may be one.
pub fn singular(word: &str) -> Option<String> {
    let stem = match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s')?.to_owned(),
    };
    (stem.len() >= MIN_STEM && !word.ends_with("ss")).then_some(stem)
}

/// A word without the marks around it, in lower case.
fn bare(written: &str) -> String {
    let bare = written.trim_matches(|c: char| {
        matches!(
            c,
            ',' | ';' | ':' | '?' | '!' | '"' | '\'' | '`' | '(' | ')'
        )
    });
    bare.strip_suffix('.').unwrap_or(bare).to_lowercase()
}

/// Whether a word stands where a name does: `in go`, `the go server`, `go tests of it`, but not `go to`.
fn is_used_as_name(before: Option<&str>, after: Option<&str>) -> bool {
    let is_led = before.is_some_and(|before| LEADS_A_NAME.contains(&before));
    match after {
        None => is_led,
        Some(after) => {
            (is_led || before.is_none()) && !SAYS_NOTHING.contains(&after) && after != "back"
        }
    }
}

/// The parts of a name, in lower case: `HTTPServer2_run` is `http`, `server`, `2`, `run`.
pub fn humps(name: &str) -> Vec<String> {
    match name.is_ascii() {
        true => ascii_humps(name),
        false => any_humps(name),
    }
}

/// The same of nearly all names, in a tenth of the time.
fn ascii_humps(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in bytes.iter().enumerate() {
        let starts = match (at.checked_sub(1).map(|at| bytes[at]), bytes.get(at + 1)) {
            (None, _) => true,
            (Some(before), after) => {
                !before.is_ascii_alphanumeric()
                    || c.is_ascii_uppercase() && !before.is_ascii_uppercase()
                    || c.is_ascii_digit() != before.is_ascii_digit()
                    || c.is_ascii_uppercase() && after.is_some_and(u8::is_ascii_lowercase)
            }
        };
        if starts || !c.is_ascii_alphanumeric() {
            if let Some(start) = start.take() {
                out.push(name[start..at].to_ascii_lowercase());
            }
            start = c.is_ascii_alphanumeric().then_some(at);
        }
    }
    if let Some(start) = start {
        out.push(name[start..].to_ascii_lowercase());
    }
    out
}

fn any_humps(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut out: Vec<String> = Vec::new();
    for (at, c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            continue;
        }
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1);
        let starts = before.is_none_or(|before| {
            !before.is_alphanumeric()
                || c.is_uppercase() && !before.is_uppercase()
                || c.is_numeric() != before.is_numeric()
                || c.is_uppercase()
                    && before.is_uppercase()
                    && after.is_some_and(|after| after.is_lowercase())
        });
        match out.last_mut() {
            Some(last) if !starts => last.extend(c.to_lowercase()),
            _ => out.push(c.to_lowercase().collect()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Terms, any_humps, ascii_humps, humps};

    proptest! {
        #[test]
        fn humps_are_the_same_either_way(name in "[A-Za-z0-9_.$]{0,12}") {
            prop_assert_eq!(ascii_humps(&name), any_humps(&name));
        }
    }

    #[test]
    fn a_question_is_about_the_words_that_say_something() {
        let words = |question: &str| Terms::of(question).words.join(" ");
        assert_eq!(
            words("find JWT authentication handler"),
            "JWT authentication handler"
        );
        assert_eq!(words("where is the OrderService used?"), "OrderService");
        assert_eq!(words("all files"), "");
        assert_eq!(words("IsIn is in"), "IsIn");
        assert_eq!(
            words("search where the page searches, with C#"),
            "page searches"
        );
        assert_eq!(Terms::of("auto invoke in C# or .NET").languages, ["csharp"]);
        assert_eq!(words("python"), "python");
        for (question, languages) in [
            ("go test of the hooks", "go"),
            ("where is the Go server started?", "go"),
            ("value readers in c", "cpp"),
            ("where does a request go", ""),
            ("go to definition", ""),
            ("how do I go on", ""),
        ] {
            assert_eq!(
                Terms::of(question).languages.join(" "),
                languages,
                "{question}"
            );
        }
        assert!(Terms::of("OrderService.Submit").is_identifier);
        assert!(!Terms::of("order service").is_identifier && !Terms::of("").is_identifier);
    }

    #[test]
    fn names_have_humps() {
        assert_eq!(humps("HTTPServer2_run"), ["http", "server", "2", "run"]);
        assert_eq!(humps("useState"), ["use", "state"]);
        assert_eq!(humps("ABC"), ["abc"]);
        assert_eq!(humps("_"), Vec::<String>::new());
    }
}
