//! What the language forbids, as far as binding knows, in code that compiles: there is none.

use std::collections::BTreeMap;

use cortex_git::Side;
use cortex_index::Index;
use cortex_model::{LineTable, RepoPath};
use cortex_semantics::{AsTheyAre, Question};
use cortex_syntax::text::decode;

use super::Failure;
use crate::repository::Silent;

/// What binding decided of a repository.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Misfits {
    /// How many decisions it made.
    pub n_decisions: usize,
    /// What it takes for forbidden where (`src/Orders.cs:12:9`), with the line, by the words of the question.
    pub found: BTreeMap<&'static str, Vec<(String, String)>>,
}

/// Binds every file of the work tree, in each project.
pub(super) fn misfits(index: &Index) -> Result<Misfits, Failure> {
    let (side, _) = index.side(Side::WorkTree, &Silent)?;
    let symbols = index.symbols(&side, None)?;
    let mut out = Misfits::default();
    let mut blobs = index.blobs(&side);
    for file in side.snapshot.files()? {
        let projects = symbols.projects_of(&file.path)?.into_iter();
        let units: Vec<(RepoPath, usize)> = projects
            .map(|project| (file.path.clone(), project))
            .collect();
        let bytes = blobs.read_blob(file.blob)?;
        let source = decode(&bytes);
        let lines = LineTable::new(source.as_bytes());
        for print in symbols.fingerprints(&units, &AsTheyAre, 2)? {
            out.n_decisions += print.decisions.len();
            for decision in &print.decisions {
                if !matches!(decision.question, Question::Misfit(_) | Question::Gap) {
                    continue;
                }
                let position = lines.position(decision.own_offset);
                let line = position.line;
                let text = source.as_str().lines().nth(line as usize - 1);
                let place = format!("{}:{line}:{}", file.path, position.column);
                let of_question = out.found.entry(decision.question.words()).or_default();
                of_question.push((place, text.unwrap_or_default().trim().to_owned()));
            }
        }
    }
    Ok(out)
}
