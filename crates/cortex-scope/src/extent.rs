//! How much a universe must know about files so that a program can be resolved.

use crate::{
    data::{ScopeRequest, TokenOp},
    pattern::{LeafKind, PatternSet},
    provider::{Family, Provider},
    standard::StandardScope,
    target::Target,
    universe::PACKAGES,
};

/// How much a universe knows about files. A program selects the same repository files in every universe that knows as
/// much as the program needs, or more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Extent {
    /// Paths, and what git knows about the files.
    Paths,
    /// The projects that compile the files, and what the files declare.
    Projects,
    /// External assemblies that projects reference.
    Assemblies,
}

/// Which files of a scope the caller is interested in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// All files.
    All,
    /// Repository files.
    Repository,
}

/// The extent that a program needs, so that the counted files are the same as if everything were known.
pub fn extent(request: &ScopeRequest, counted: Counted) -> Extent {
    let targets = request.atoms.iter().filter_map(|atom| {
        let target = Target::from_atom(atom).ok()?;
        Some((atom.atom_id.as_str(), target))
    });
    let targets: Vec<(&str, Target)> = targets.collect();
    let needed = targets
        .iter()
        .map(|(_, target)| target_extent(target))
        .max();
    let needed = needed.unwrap_or(Extent::Paths);
    match counted == Counted::All && may_contain_assemblies(request, &targets) {
        true => Extent::Assemblies,
        false => needed,
    }
}

/// Whether the result of a program may contain assemblies.
fn may_contain_assemblies(request: &ScopeRequest, targets: &[(&str, Target)]) -> bool {
    let mut stack: Vec<bool> = Vec::new();
    for token in &request.tokens {
        let mut pop = || stack.pop().unwrap_or(true);
        let found = match token.op {
            TokenOp::PushAtom => {
                let id = token.atom_id.as_deref().unwrap_or_default();
                let target = targets.iter().find(|(atom, _)| *atom == id);
                target.is_none_or(|(_, target)| has_assemblies(target))
            }
            TokenOp::Not => {
                pop();
                true
            }
            TokenOp::And => {
                let right = pop();
                pop() & right
            }
            TokenOp::Or => {
                let right = pop();
                pop() | right
            }
        };
        stack.push(found);
    }
    stack.pop().unwrap_or(true)
}

/// Whether a scope may contain assemblies.
fn has_assemblies(target: &Target) -> bool {
    match target {
        Target::Standard(scope) => matches!(
            scope,
            StandardScope::AllPlaces | StandardScope::ProjectAndLibraries
        ),
        Target::Module { flavor, .. } => flavor.has_libraries(),
        // The pattern behind the name is not known yet.
        Target::Named { .. } => true,
        Target::Pattern(text) => {
            PatternSet::parse(text).is_ok_and(|it| pattern_has_assemblies(&it))
        }
        Target::Directory(url) => is_package_url(url),
        Target::Files(urls) => urls.iter().any(|url| is_package_url(url)),
        Target::Provider(_) | Target::ProviderReference(_) => false,
    }
}

fn pattern_has_assemblies(pattern: &PatternSet) -> bool {
    match pattern {
        PatternSet::Or(parts) => parts.iter().any(pattern_has_assemblies),
        PatternSet::And(parts) => parts.iter().all(pattern_has_assemblies),
        PatternSet::Not(_) | PatternSet::Named(_) => true,
        PatternSet::Leaf(leaf) => matches!(leaf.kind(), LeafKind::Ext | LeafKind::Library),
    }
}

fn is_package_url(url: &str) -> bool {
    url.starts_with(PACKAGES)
}

/// The extent that one scope needs to select the same repository files.
fn target_extent(target: &Target) -> Extent {
    match target {
        Target::Standard(scope) => match scope {
            StandardScope::ProductionFiles
            | StandardScope::TestFiles
            | StandardScope::Selection => Extent::Projects,
            StandardScope::AllPlaces
            | StandardScope::ProjectAndLibraries
            | StandardScope::ProjectFiles
            | StandardScope::OpenFiles
            | StandardScope::CurrentFile
            | StandardScope::Scratches
            | StandardScope::RecentlyViewed
            | StandardScope::RecentlyChanged => Extent::Paths,
        },
        Target::Pattern(text) => match PatternSet::parse(text) {
            Ok(pattern) => pattern_extent(&pattern),
            Err(_) => Extent::Paths,
        },
        Target::Directory(url) if is_package_url(url) => Extent::Assemblies,
        Target::Files(urls) if urls.iter().any(|url| is_package_url(url)) => Extent::Assemblies,
        Target::Directory(_) | Target::Files(_) => Extent::Paths,
        Target::Provider(provider) => provider_extent(provider),
        Target::Module { .. } | Target::Named { .. } | Target::ProviderReference(_) => {
            Extent::Projects
        }
    }
}

fn pattern_extent(pattern: &PatternSet) -> Extent {
    match pattern {
        PatternSet::Or(parts) | PatternSet::And(parts) => parts
            .iter()
            .map(pattern_extent)
            .max()
            .unwrap_or(Extent::Paths),
        PatternSet::Not(part) => pattern_extent(part),
        PatternSet::Named(_) => Extent::Projects,
        PatternSet::Leaf(leaf) => match leaf.kind() {
            LeafKind::ProjectPath => Extent::Paths,
            _ => Extent::Projects,
        },
    }
}

fn provider_extent(provider: &Provider) -> Extent {
    match provider.family() {
        Family::Impact | Family::Type | Family::Members | Family::Pack => Extent::Projects,
        Family::GitChanged
        | Family::GitStaged
        | Family::GitWorktree
        | Family::GitUntracked
        | Family::GitAuthor
        | Family::GitChurn
        | Family::CodeOwners
        | Family::Area
        | Family::Submodule => Extent::Paths,
    }
}
