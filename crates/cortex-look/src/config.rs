//! What is wrong with the configuration that a repository commits, as far as questions read it.
//!
//! Must not know: where the file is, what else is in it.

use crate::scope::named::of_config as config_scopes;

/// What in the text of `.context/config.toml` is no scope, no area or no word of a vocabulary where it stands: scopes
/// first, then areas, then words, each in its order. A text that is no TOML is told by each.
pub fn config_problems(text: &str) -> Vec<String> {
    let (_, mut problems) = config_scopes(text);
    let (_, areas) = cortex_area::read_config(text);
    let (_, words) = cortex_area::read_vocabulary(text);
    let rest = areas.into_iter().chain(words);
    problems.extend(rest.map(|problem| format!("`.context/config.toml`: {problem}")));
    problems
}
