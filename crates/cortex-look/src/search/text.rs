//! The lines of files that match a query.
//!
//! Must not know: how a text is searched, how files are read.

use crate::bounded::Bounded;
use crate::{
    QueryError,
    filter::{Filter, FilterOptions},
    mentions::ProjectFolders,
    scope::Scopes,
    search::{around::Place, candidates::masks, texts::SideTexts},
};
use cortex_derived::{
    contents::{Contents, MAX_CONTENT},
    files::Candidate,
    limits::Limits,
    words::WordIndex,
};
use cortex_wire::{ContextText, TextAnswer, TextHit, TextHits};

use cortex_wire::TextContext;

use std::num::NonZeroUsize;

use cortex_index::{Index, IndexedSide, Progress};
use cortex_model::{CancelToken, RepoPath, Stop};
use cortex_scope::{CallerContext, Counted, ScopeRequest};
use cortex_search::{
    ContextLine, Hit, LineText, Need, Outcome, Pattern, Query, SearchOptions, search,
};
use cortex_syntax::text::LexicalKind;

/// What is looked for, and where.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TextQuestion {
    /// What is looked for.
    pub query: Query,
    /// Where; everywhere where there is none.
    pub scope: Option<ScopeRequest>,
    /// The scope as it was written.
    pub scope_text: String,
    /// What an editor would tell of open files and the like.
    pub caller: CallerContext,
    /// Only files of these projects and paths, of tests or of other code.
    pub part: FilterOptions,
    /// Masks of files.
    pub masks: Vec<String>,
    /// How many lines around a hit are told.
    pub n_context: usize,
    /// In which parts of the code.
    pub within: Within,
}

/// Parts of the code. Known of C# alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Within {
    /// All of it.
    #[default]
    Any,
    /// Neither comments nor strings.
    Code,
    /// Comments, documentation among them.
    Comments,
    /// String and character literals.
    Strings,
}

/// Searches the files of a side.
///
/// # Errors
/// [`QueryError::Pattern`], [`QueryError::FileMask`], [`QueryError::Scope`], those of reading.
pub fn search_text(
    index: &Index,
    side: &IndexedSide,
    question: &TextQuestion,
    limits: Limits,
    cancel: &CancelToken,
    progress: &dyn Progress,
) -> Result<Bounded<TextAnswer>, QueryError> {
    let pattern = Pattern::compile(&question.query)?;
    let masks = masks(&question.masks)?;
    let all = cortex_derived::files::all(index, side)?;
    let contents = Contents::of(index, side, &all)?;
    let mut files: Vec<Candidate> = all
        .iter()
        .filter(|file| masks.take(file.path.as_str()))
        .cloned()
        .collect();
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
    if question.part != FilterOptions::default() {
        let filter = Filter::new(index, side, &question.part, progress)?;
        let folders = ProjectFolders::read(&side.snapshot, &filter)?;
        let mut passing = Vec::new();
        for file in files {
            let passes = match side.snapshot.file(&file.path)? {
                Some(source) => filter.has_file(&source),
                None => folders.pass(&file.path) && filter.has_path(&file.path),
            };
            passing.extend(passes.then_some(file));
        }
        files = passing;
    }
    if question.within != Within::Any {
        let n = files.len();
        files.retain(Candidate::is_csharp);
        if files.len() < n {
            let left_out = match n - files.len() {
                1 => "1 file skipped".to_owned(),
                n => format!("{n} files skipped"),
            };
            diagnostics.push(format!(
                "{left_out}: only C# files distinguish code, comments and strings"
            ));
        }
    }
    let asked = Asked {
        query: &question.query,
        pattern: &pattern,
        n_context: question.n_context,
        within: question.within,
        limits,
        cancel,
    };
    let mut found = search_candidates(&contents, &all, files, &asked)?;
    found.answer.diagnostics.splice(0..0, diagnostics);
    Ok(found)
}

/// A question whose files are known.
pub(crate) struct Asked<'q> {
    pub(crate) query: &'q Query,
    pub(crate) pattern: &'q Pattern,
    pub(crate) n_context: usize,
    pub(crate) within: Within,
    pub(crate) limits: Limits,
    pub(crate) cancel: &'q CancelToken,
}

/// Searches some files of a side, `all` of whose files are given, too.
pub(crate) fn search_candidates(
    contents: &Contents<'_>,
    all: &[Candidate],
    mut files: Vec<Candidate>,
    asked: &Asked<'_>,
) -> Result<Bounded<TextAnswer>, QueryError> {
    let n_files = files.len();
    let mut n_binary = 0;
    let need = Need::of(asked.query);
    if need != Need::Nothing {
        let words = WordIndex::as_kept(contents, all)?;
        // Both or none: what is read of the two parts may be lost in between.
        if let (Some(having), Some(binary)) = (words.with(&need), words.binary()) {
            // What is not known may have it.
            files.retain(|file| {
                let Some(number) = words.known_number(file.blob) else {
                    return true;
                };
                n_binary += usize::from(binary.binary_search(&number).is_ok());
                having.binary_search(&number).is_ok()
            });
        }
    }
    let texts = SideTexts {
        contents,
        files: &files,
        within: asked.within,
    };
    let stop = || match () {
        () if asked.cancel.is_canceled() => Some(Stop::Canceled),
        () if asked.limits.is_over() => Some(Stop::TimedOut),
        () => None,
    };
    let options = SearchOptions {
        n_context: asked.n_context,
        max_hits: asked.limits.n_items,
        n_threads: NonZeroUsize::new(contents.index.parallel).unwrap_or(NonZeroUsize::MIN),
        stop: &stop,
    };
    let outcome = search(&texts, asked.pattern, &options)?;
    let n_read = outcome.n_searched;
    let mut diagnostics = Vec::new();
    n_binary += outcome.binary.len();
    if n_binary > 0 {
        diagnostics.push(match n_binary {
            1 => "1 binary file skipped".to_owned(),
            n => format!("{n} binary files skipped"),
        });
    }
    if !outcome.missing.is_empty() {
        let missing = match outcome.missing.len() {
            1 => "1 file not searched: its contents are".to_owned(),
            n => format!("{n} files not searched: their contents are"),
        };
        diagnostics.push(format!("{missing} missing or damaged"));
    }
    if let Some(&first) = outcome.too_large.first() {
        diagnostics.push(format!(
            "{} not searched: larger than {} MiB",
            files_were(outcome.too_large.len(), &files[first].path),
            MAX_CONTENT >> 20
        ));
    }
    let Outcome {
        found,
        n_hits,
        probably_has_more,
        timed_out,
        canceled,
        ..
    } = outcome;
    let told = found.into_iter().map(|found| TextHits {
        file: files[found.nth].path.clone(),
        hits: (found.hits.into_iter().zip(found.notes))
            .map(|(hit, place)| told(hit, place))
            .collect(),
        around: found.context.into_iter().map(line_around).collect(),
    });
    let files: Vec<TextHits> = told.collect();
    if !contents.side.has_graph() && files.iter().any(|it| it.file.extension() == "cs") {
        diagnostics.push(
            "containing declarations are not shown because this commit is not indexed".to_owned(),
        );
    }
    let limits = cortex_wire::Limits {
        cut: probably_has_more && !timed_out && !canceled,
        timed_out,
        canceled,
    };
    let answer = TextAnswer {
        query: asked.query.text.clone(),
        files,
        n_hits,
        n_files,
        n_read,
        diagnostics,
    };
    Ok(Bounded { answer, limits })
}

fn told(hit: Hit, place: Place) -> TextHit {
    let LineText {
        text,
        first_column,
        is_cut_behind: is_cut,
        ..
    } = hit.text;
    TextHit {
        line: hit.line,
        column: hit.column,
        length: hit.length,
        text,
        text_column: (first_column > 1).then_some(first_column),
        is_cut,
        namespace: place.namespace,
        symbol: place.symbol,
        context: place.kind.map(|kind| match kind {
            LexicalKind::Code => TextContext::Code,
            LexicalKind::Comment => TextContext::Comment,
            LexicalKind::String => TextContext::String,
        }),
    }
}

fn line_around(line: ContextLine) -> ContextText {
    ContextText {
        line: line.line,
        text: line.text.text,
        is_cut: line.text.is_cut_behind,
    }
}

/// Files by their number, a single one by its path.
fn files_were(n: usize, first: &RepoPath) -> String {
    match n {
        1 => format!("`{first}` was"),
        n => format!("{n} files (`{first}` among them) were"),
    }
}
