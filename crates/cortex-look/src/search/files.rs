//! Files by their names: parts of a name, its humps, or a glob.
//!
//! Must not know: what is in files.

use crate::bounded::{Bounded, limits};
use crate::{QueryError, scope::Scopes, search::candidates::glob};
use cortex_wire::{FileItem, FilesAnswer};

use cortex_index::{Index, IndexedSide, Progress};
use cortex_model::RepoPath;
use cortex_scope::{CallerContext, Counted, ScopeRequest};
use cortex_wire::FileMatch;

/// What is looked for, and where.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FilesQuestion {
    /// A glob where it has one of `*?[{`; else parts of a name, or with a `/` of a path.
    pub query: String,
    /// Where; everywhere where there is none.
    pub scope: Option<ScopeRequest>,
    /// The scope as it was written.
    pub scope_text: String,
    /// What an editor would tell of open files and the like.
    pub caller: CallerContext,
    /// No more files than that.
    pub max_files: usize,
}

/// Searches the files of a side by name.
///
/// # Errors
/// [`QueryError::FileMask`], [`QueryError::Scope`], those of reading.
pub fn search_files(
    index: &Index,
    side: &IndexedSide,
    question: &FilesQuestion,
    progress: &dyn Progress,
) -> Result<Bounded<FilesAnswer>, QueryError> {
    let mut files = cortex_derived::files::all(index, side)?;
    let mut diagnostics = Vec::new();
    if let Some(request) = &question.scope {
        let scopes = Scopes::open_for(
            (request, Counted::Repository),
            index,
            side,
            question.caller.clone(),
            progress,
        )?;
        let resolved = scopes.resolve(request)?.map_err(QueryError::Scope)?;
        let told = &resolved.descriptor.diagnostics;
        diagnostics.extend(told.iter().map(ToString::to_string));
        crate::search::scoped::limit_to(&mut files, &scopes, &resolved.scope);
    }
    let query = question.query.trim();
    let mut found: Vec<(Fit, RepoPath)> = if query.contains(['*', '?', '[', '{']) {
        let glob = glob(query)?.compile_matcher();
        let paths = files.into_iter().map(|file| file.path);
        let matching = paths.filter(|path| glob.is_match(path.as_str()));
        matching.map(|path| (Fit::Glob, path)).collect()
    } else {
        let wanted = Wanted::of(query);
        let paths = files.into_iter().map(|file| file.path);
        paths
            .filter_map(|path| Some((wanted.fit(path.as_str())?, path)))
            .collect()
    };
    // Of equal fits the shorter name comes first: less of it is something else.
    found.sort_by(|(a, left), (b, right)| {
        let len = |path: &RepoPath| path.file_name().len();
        (a, len(left), left).cmp(&(b, len(right), right))
    });
    let total = found.len();
    found.truncate(question.max_files);
    let items = found.into_iter().map(|(fit, file)| FileItem {
        file,
        matched: fit.word(),
    });
    let items: Vec<FileItem> = items.collect();
    let limits = limits(items.len(), total, false);
    let answer = FilesAnswer {
        query: question.query.clone(),
        items,
        total,
        diagnostics,
    };
    Ok(Bounded { answer, limits })
}

/// How well a name fits, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    Glob,
    Name,
    Stem,
    Start,
    Humps,
    Part,
    Path,
}

impl Fit {
    fn word(self) -> FileMatch {
        match self {
            Self::Glob => FileMatch::Glob,
            Self::Name => FileMatch::Name,
            Self::Stem => FileMatch::Stem,
            Self::Start => FileMatch::Start,
            Self::Humps => FileMatch::Humps,
            Self::Part => FileMatch::Part,
            Self::Path => FileMatch::Path,
        }
    }
}

/// A query, read once.
struct Wanted<'q> {
    query: &'q str,
    lower: String,
    humps: Vec<String>,
}

impl<'q> Wanted<'q> {
    fn of(query: &'q str) -> Self {
        Self {
            query,
            lower: query.to_lowercase(),
            humps: humps(query),
        }
    }

    fn fit(&self, path: &str) -> Option<Fit> {
        if self.lower.is_empty() {
            return None;
        }
        let lower_path = path.to_lowercase();
        if self.query.contains('/') {
            return lower_path.contains(&self.lower).then_some(Fit::Path);
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let lower = name.to_lowercase();
        let stem = lower.split('.').next().unwrap_or(&lower);
        Some(match () {
            () if lower == self.lower => Fit::Name,
            () if stem == self.lower => Fit::Stem,
            () if lower.starts_with(&self.lower) => Fit::Start,
            () if self.has_humps(name) => Fit::Humps,
            () if lower.contains(&self.lower) => Fit::Part,
            () if lower_path.contains(&self.lower) => Fit::Path,
            () => return None,
        })
    }

    /// Whether each hump of the query starts a hump of the name, in order, the first the first.
    fn has_humps(&self, name: &str) -> bool {
        if self.humps.len() < 2 {
            return false;
        }
        let of_name = humps(name);
        let mut left = of_name.iter().enumerate();
        self.humps.iter().enumerate().all(|(nth, wanted)| {
            left.by_ref()
                .find(|(_, hump)| hump.starts_with(wanted.as_str()))
                .is_some_and(|(at, _)| nth > 0 || at == 0)
        })
    }
}

/// The parts of a name, in lower case: from each capital, digit after a letter, or letter after something else on.
fn humps(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_alphanumeric() {
            let starts = c.is_uppercase()
                || !before.is_alphanumeric()
                || c.is_numeric() != before.is_numeric();
            if starts {
                out.push(String::new());
            }
            if let Some(last) = out.last_mut() {
                last.extend(c.to_lowercase());
            }
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Fit, Wanted, humps};

    #[test]
    fn names_are_found_by_name_start_humps_and_parts() {
        for (query, path, expected) in [
            ("order.cs", "src/Order.cs", Some(Fit::Name)),
            ("Order", "src/Order.cs", Some(Fit::Stem)),
            ("ord", "src/Order.cs", Some(Fit::Start)),
            ("OS", "src/OrderService.cs", Some(Fit::Humps)),
            ("OrSe", "src/OrderService.cs", Some(Fit::Humps)),
            ("SO", "src/OrderService.cs", None),
            ("service", "src/OrderService.cs", Some(Fit::Part)),
            ("src", "src/OrderService.cs", Some(Fit::Path)),
            ("src/order", "src/OrderService.cs", Some(Fit::Path)),
            ("zebra", "src/OrderService.cs", None),
            ("", "a", None),
        ] {
            assert_eq!(Wanted::of(query).fit(path), expected, "{query} on {path}");
        }
    }

    #[test]
    fn humps_start_at_capitals_digits_and_after_marks() {
        assert_eq!(
            humps("OrderService2.g.cs"),
            ["order", "service", "2", "g", "cs"]
        );
    }
}
