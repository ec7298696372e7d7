//! Questions that would find everything, refused before anything is searched.
//!
//! Must not know: how a question is searched for.

use serde::Serialize;

use crate::terms::Terms;

/// Why a question is not asked, and one that could be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    /// What is wrong with it.
    pub reason: String,
    /// How to make it narrower.
    pub suggestion: String,
}

/// Words that have no letter in common: an expression that matches each of them matches any word.
const WORDS: [&str; 5] = ["junk", "vow", "fetch", "grimly", "bad"];

/// Lines that have nothing in common but that they are lines: what matches all of them says nothing.
const UNALIKE: [&str; 5] = ["x", "7", "{", "return total;", "# Überschrift"];

/// Whether a question is too broad. `matches` tells whether it matches a line, where it is an expression.
pub fn refuse(question: &str, matches: Option<&dyn Fn(&str) -> bool>) -> Option<Refusal> {
    let question = question.trim();
    let refusal = |reason: &str, suggestion: &str| {
        Some(Refusal {
            reason: reason.to_owned(),
            suggestion: suggestion.to_owned(),
        })
    };
    if question.is_empty() {
        return refusal(
            "it is empty",
            "name a type, a function or a word that the code has",
        );
    }
    if let Some(matches) = matches {
        let is_everything = matches("")
            || UNALIKE.iter().all(|line| matches(line))
            || WORDS.iter().all(|word| matches(word));
        return match is_everything {
            true => refusal(
                "it matches every line",
                "put a literal into it that only the wanted lines have",
            ),
            false => None,
        };
    }
    if question.chars().filter(|c| c.is_alphanumeric()).count() < 2 {
        return refusal(
            "it has less than two letters, and nearly every line has them",
            "name a whole word or an identifier",
        );
    }
    if Terms::of(question)
        .words
        .iter()
        .all(|word| word.chars().count() < 2)
    {
        return refusal(
            "none of its words says what is looked for",
            "add a word that stands in the code, such as a type, a setting or a message",
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::refuse;

    #[test]
    fn what_would_find_everything_is_refused() {
        for question in [
            "",
            " ",
            "e",
            "*",
            "all files",
            "find everything",
            "the code",
            "a b",
        ] {
            assert!(refuse(question, None).is_some(), "{question}");
        }
        for question in ["OrderService", "all orders", "id", "TODO", "IDs"] {
            assert!(refuse(question, None).is_none(), "{question}");
        }
    }

    #[test]
    fn expressions_are_refused_by_what_they_match() {
        let is_refused = |expression: &str| {
            let regex = Regex::new(expression).expect("the expression compiles");
            refuse(expression, Some(&|line| regex.is_match(line))).is_some()
        };
        for expression in [
            ".*",
            "",
            r"\p{L}+",
            r"\w",
            "x|^$",
            "[^,]",
            "(?i)[a-z]",
            "[aeiou]",
        ] {
            assert!(is_refused(expression), "{expression}");
        }
        for expression in ["async.*void", "TODO|FIXME", "[qxz]", r"\d{3}", "^using "] {
            assert!(!is_refused(expression), "{expression}");
        }
    }
}
