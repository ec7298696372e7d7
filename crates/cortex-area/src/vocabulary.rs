//! Words that say which language or framework a question is about.
//!
//! Owns: the form of the data file and of what a configuration adds. Must not know: areas.

use std::collections::BTreeMap;

/// The words that come with the program.
const BUILT_IN: &str = include_str!("../data/vocabulary.toml");

/// Words by language, in lower case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vocabulary {
    by_language: BTreeMap<String, Vec<String>>,
}

/// The words of a configuration file (`[vocabulary]` with `language = ["word", …]`), by language and in the order of
/// the languages, and what is wrong with others, which costs no other.
pub fn read_vocabulary(text: &str) -> (Vec<(String, Vec<String>)>, Vec<String>) {
    let (mut out, mut problems) = (Vec::new(), Vec::new());
    let mut file: toml::Table = match text.parse() {
        Ok(file) => file,
        Err(error) => {
            let error: toml::de::Error = error;
            return (out, vec![error.message().to_owned()]);
        }
    };
    let languages = match file.remove("vocabulary") {
        None => toml::Table::new(),
        Some(toml::Value::Table(languages)) => languages,
        Some(_) => {
            problems.push("`vocabulary` must be a table, `[vocabulary]`".to_owned());
            toml::Table::new()
        }
    };
    for (language, words) in languages {
        match words.try_into::<Vec<String>>() {
            Ok(words) => out.push((language, words)),
            Err(_) => problems.push(format!(
                "the vocabulary of `{language}` must be a list of words, `[\"word\", …]`"
            )),
        }
    }
    (out, problems)
}

impl Vocabulary {
    /// The words that come with the program, and those of a configuration file (`[vocabulary]` with
    /// `language = ["word", …]`); what is wrong with that adds nothing.
    pub fn new(configuration: Option<&str>) -> Self {
        let mut out = Self::default();
        for text in [Some(BUILT_IN), configuration].into_iter().flatten() {
            let (languages, _) = read_vocabulary(text);
            for (language, words) in languages {
                let known = out.by_language.entry(language).or_default();
                known.extend(words.iter().map(|word| word.to_lowercase()));
            }
        }
        for words in out.by_language.values_mut() {
            words.sort();
            words.dedup();
        }
        out
    }

    /// Whether a word, in lower case, is said of a language.
    pub fn has(&self, language: &str, word: &str) -> bool {
        let words = self.by_language.get(language);
        words.is_some_and(|words| words.binary_search_by(|it| it.as_str().cmp(word)).is_ok())
    }

    /// How many languages a word is said of.
    pub(crate) fn n_languages(&self, word: &str) -> usize {
        let languages = self.by_language.keys();
        languages
            .filter(|language| self.has(language, word))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::Vocabulary;
    use crate::language::language_of;

    #[test]
    fn the_words_are_of_languages_that_are_known() {
        let vocabulary = Vocabulary::new(None);
        assert!(!vocabulary.by_language.is_empty());
        for language in vocabulary.by_language.keys() {
            assert!(language_of(language).is_some(), "{language}");
        }
        assert!(vocabulary.has("go", "goroutine") && vocabulary.has("csharp", "dbcontext"));
    }

    #[test]
    fn a_configuration_adds_words() {
        let vocabulary = Vocabulary::new(Some("[vocabulary]\ngo = [\"Ledger\"]\n"));
        assert!(vocabulary.has("go", "ledger") && vocabulary.has("go", "goroutine"));
        assert_eq!(Vocabulary::new(Some("not toml [")), Vocabulary::new(None));
    }
}
