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
        assert!(refuse(".*", Some(&|_| true)).is_some());
        let is_word = |line: &str| line.chars().any(char::is_alphabetic);
        assert!(refuse(r"\p{L}+", Some(&is_word)).is_some());
        assert!(refuse("[aeiou]", Some(&|line| line.contains(['a', 'e', 'u']))).is_none());
        assert!(refuse("x|^$", Some(&|line| line.is_empty())).is_some());
        assert!(refuse("async.*void", Some(&|_| false)).is_none());
    }
}
