//! What is wrong with the configuration that a repository commits, as far as questions read it.
//!
//! Must not know: where the file is, what else is in it.

use cortex_index::{Index, IndexedSide, Progress};
use cortex_scope::{
    AtomKind, CallerContext, Counted, Extent, ScopeAtom, ScopeRequest, ScopeToken, extent,
};

use crate::{
    QueryError, Scopes, scope::named::of_config as config_scopes, search::area_files::area_files,
};

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

/// The scopes and areas of a configuration that select nothing of a side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConfiguredEmpty {
    /// How many scopes and areas were looked at.
    pub n_entries: usize,
    /// Scopes that are malformed or refer to something that does not exist, with what is wrong.
    pub broken_scopes: Vec<(String, String)>,
    /// Scopes without a file, by name.
    pub empty_scopes: Vec<String>,
    /// Areas without a file, by name.
    pub empty_areas: Vec<String>,
}

/// Looks for files of each scope and area of a configuration. Whether a scope has files of packages depends on what is
/// restored, so a scope that could have some is not empty.
///
/// # Errors
/// Those of reading the side.
pub fn configured_empty(
    index: &Index,
    side: &IndexedSide,
    text: &str,
    progress: &dyn Progress,
) -> Result<ConfiguredEmpty, QueryError> {
    let (scopes, _) = config_scopes(text);
    let (areas, _) = cortex_area::read_config(text);
    let mut out = ConfiguredEmpty {
        n_entries: scopes.len() + areas.len(),
        ..ConfiguredEmpty::default()
    };
    let requests = scopes.into_iter().map(|scope| {
        let mut atom = ScopeAtom::new("scope", AtomKind::Pattern);
        atom.pattern_text = Some(scope.pattern);
        let request = ScopeRequest::new(vec![atom], vec![ScopeToken::push("scope")]);
        (scope.name, request)
    });
    let requests: Vec<(String, ScopeRequest)> = requests.collect();
    let counted = |request| extent(request, Counted::Repository);
    // What knows enough for the one that needs most knows enough for all.
    let most = (requests.iter()).max_by_key(|(_, request)| counted(request));
    let universe = match most {
        Some((_, most)) => {
            let most = (most, Counted::Repository);
            let context = CallerContext::default();
            Some(Scopes::open_for(most, index, side, context, progress)?)
        }
        None => None,
    };
    for (name, request) in &requests {
        let Some(universe) = &universe else {
            break;
        };
        match universe.resolve(request)? {
            Err(diagnostics) => {
                let messages = diagnostics.into_iter().map(|it| it.message);
                let messages: Vec<String> = messages.collect();
                out.broken_scopes.push((name.clone(), messages.join("; ")));
            }
            Ok(resolved) if resolved.scope.n_files() == 0 => {
                if extent(request, Counted::All) != Extent::Assemblies {
                    out.empty_scopes.push(name.clone());
                }
            }
            Ok(_) => {}
        }
    }
    for area in areas {
        let (found, _) = area_files(index, side, &area.name)?;
        if found.is_ok_and(|files| !files.is_empty()) {
            continue;
        }
        out.empty_areas.push(area.name);
    }
    Ok(out)
}
