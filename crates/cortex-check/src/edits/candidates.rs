//! Which symbols get another name, and which one.

use std::{collections::BTreeSet, fs, path::Path};

use cortex_git::{ReadBlob, Side};
use cortex_index::{Index, Symbols};
use cortex_model::{DeclKind, LineTable, RepoPath};
use cortex_semantics::{LocalKind, ProjectId, UnitKey};
use cortex_syntax::{Sections, text::decode};
use fastrand::Rng;

use super::{Failure, oracle::Exported};
use crate::repository::Silent;

/// What sort of symbol it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CandidateKind {
    /// A type.
    Type,
    /// A member.
    Member,
    /// A parameter.
    Parameter,
    /// Anything else inside of one file: locals, type parameters, labels, aliases.
    Local,
    /// A method or a constructor, whose parameters change.
    Method,
}

impl CandidateKind {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Member => "member",
            Self::Parameter => "parameter",
            Self::Local => "local",
            Self::Method => "method",
        }
    }
}

/// A symbol to rename.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// What it is.
    pub kind: CandidateKind,
    /// As requests name it: a documentation id, or the place of its name.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// A file that declares it.
    pub file: String,
    /// The names of a method's parameters, in order.
    pub parameters: Vec<String>,
}

/// Types, members, parameters and locals, a quarter each as far as there are so many, in random order.
pub(super) fn sample(
    index: &Index,
    exported: &Exported,
    n: usize,
    random: &mut Rng,
) -> Result<Vec<Candidate>, Failure> {
    let n_each = n.div_ceil(4);
    let mut all = Vec::new();
    for kind in [CandidateKind::Type, CandidateKind::Member] {
        let mut declared: Vec<Candidate> = exported.declared(kind);
        random.shuffle(&mut declared);
        declared.truncate(n_each);
        all.extend(declared);
    }
    let (side, _) = index.side(Side::WorkTree, &Silent)?;
    let symbols = index.symbols(&side, None)?;
    let mut files = side.snapshot.files()?;
    random.shuffle(&mut files);
    let mut found = [Vec::new(), Vec::new()];
    for file in &files {
        if found.iter().all(|found| found.len() >= n_each) {
            break;
        }
        let mut blobs = index.blobs(&side);
        for (kind, candidates) in locals_of(&symbols, &mut *blobs, file, random)? {
            let at = usize::from(kind == CandidateKind::Local);
            found[at].extend(candidates);
        }
    }
    for mut found in found {
        found.truncate(n_each);
        all.extend(found);
    }
    random.shuffle(&mut all);
    all.truncate(n);
    Ok(all)
}

/// Methods and constructors, in random order.
pub(super) fn methods(
    index: &Index,
    n: usize,
    random: &mut Rng,
) -> Result<Vec<Candidate>, Failure> {
    let (side, _) = index.side(Side::WorkTree, &Silent)?;
    let symbols = index.symbols(&side, None)?;
    let mut all = Vec::new();
    let mut blobs = index.blobs(&side);
    for file in side.snapshot.files()? {
        let projects = file.projects.iter();
        let Some(project) = projects.filter_map(|it| symbols.project_index(it)).next() else {
            continue;
        };
        let Some(facts) = symbols.facts(&file.path, project, Sections::Declarations)? else {
            continue;
        };
        let bytes = blobs.read_blob(file.blob)?;
        let source = decode(&bytes);
        let lines = LineTable::new(source.as_bytes());
        let is_method = |kind| matches!(kind, DeclKind::Method | DeclKind::Constructor);
        for declared in facts.decls.iter().filter(|it| is_method(it.kind)) {
            let at = lines.position(declared.name_range.start);
            let params = declared.params.iter().flatten();
            all.push(Candidate {
                kind: CandidateKind::Method,
                symbol: format!("{}:{}:{}", file.path, at.line, at.column),
                name: facts.name(declared.name).to_owned(),
                file: file.path.as_str().to_owned(),
                parameters: params.map(|it| facts.name(it.name).to_owned()).collect(),
            });
        }
    }
    random.shuffle(&mut all);
    all.truncate(n);
    Ok(all)
}

/// So many of a kind are taken of one file.
const MAX_OF_FILE: usize = 3;

type OfKind = (CandidateKind, Vec<Candidate>);

/// Parameters and locals of a file.
fn locals_of(
    symbols: &Symbols,
    blobs: &mut dyn ReadBlob,
    file: &cortex_index::FileSummary,
    random: &mut Rng,
) -> Result<Vec<OfKind>, Failure> {
    let Some(project) = file.projects.first() else {
        return Ok(Vec::new());
    };
    let Some(project) = symbols.project_index(project) else {
        return Ok(Vec::new());
    };
    let Some(facts) = symbols.facts(&file.path, project, Sections::Bodies)? else {
        return Ok(Vec::new());
    };
    let bytes = blobs.read_blob(file.blob)?;
    let source = decode(&bytes);
    let lines = LineTable::new(source.as_bytes());
    let identifiers = symbols.identifiers(&bytes, project);
    let unit = UnitKey {
        path: file.path.clone(),
        project: ProjectId::new(project),
    };
    let bound =
        symbols.read(|compilation| Ok(compilation.local_bindings(&unit, &facts, &identifiers)))?;
    let mut all = Vec::new();
    for kind in [CandidateKind::Parameter, CandidateKind::Local] {
        let of_kind = bound.declarations.iter().filter(|it| match it.kind {
            LocalKind::Namespace => false,
            LocalKind::Parameter => kind == CandidateKind::Parameter,
            _ => kind == CandidateKind::Local,
        });
        let mut candidates: Vec<Candidate> = of_kind
            .map(|declaration| {
                let at = lines.position(declaration.range.start);
                Candidate {
                    kind,
                    symbol: format!("{}:{}:{}", file.path, at.line, at.column),
                    name: declaration.name.to_string(),
                    file: file.path.as_str().to_owned(),
                    parameters: Vec::new(),
                }
            })
            .collect();
        random.shuffle(&mut candidates);
        candidates.truncate(MAX_OF_FILE);
        all.push((kind, candidates));
    }
    Ok(all)
}

/// A name that nothing has. What is an attribute stays one.
pub(super) fn fresh_name(candidate: &Candidate, at: usize) -> String {
    format!("Zq{at}{}", candidate.name)
}

/// A name that something near has.
pub(super) fn hostile_name(
    candidate: &Candidate,
    exported: &Exported,
    work: &Path,
    random: &mut Rng,
) -> String {
    let mut names = match random.bool() {
        true => exported.siblings(candidate),
        false => BTreeSet::new(),
    };
    if names.is_empty() {
        let bytes = fs::read(work.join(RepoPath::from(candidate.file.as_str()).as_str()));
        let source = decode(&bytes.unwrap_or_default()).as_str().to_owned();
        names = words_near(&source, candidate);
    }
    names.remove(&candidate.name);
    let names: Vec<String> = names.into_iter().collect();
    random
        .choice(&names)
        .cloned()
        .unwrap_or_else(|| "Zq".to_owned())
}

/// The words of a file; of what is inside of a member, those of the lines around it.
fn words_near(source: &str, candidate: &Candidate) -> BTreeSet<String> {
    let line = candidate.symbol.rsplit(':').nth(1);
    let line: Option<usize> = line.and_then(|line| line.parse().ok());
    let lines = source.lines().enumerate().filter(|(at, text)| {
        let is_near = line.is_none_or(|line| at.abs_diff(line) < 20);
        is_near && !text.trim_start().starts_with("//")
    });
    let is_name = |word: &&str| word.starts_with(|c: char| c == '_' || c.is_alphabetic());
    lines
        .flat_map(|(_, text)| text.split(|c: char| c != '_' && !c.is_alphanumeric()))
        .filter(is_name)
        .map(str::to_owned)
        .collect()
}
