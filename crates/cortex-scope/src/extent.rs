//! What a program must be told of files to be resolved.

use crate::{
    data::{ScopeRequest, TokenOp},
    pattern::{LeafKind, PatternSet},
    provider::{Family, Provider},
    standard::StandardScope,
    target::Target,
    universe::PACKAGES,
};

/// What a universe knows of files. A program gives the same files of the repository in all universes that know as much
/// as it asks for, or more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Extent {
    /// Their paths, and what git knows of them.
    Paths,
    /// The projects that they are of, and what they declare.
    Projects,
    /// The assemblies outside of the repository that projects see.
    Assemblies,
}

/// Which files of a scope count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// All of them.
    All,
    /// Those of the repository.
    Repository,
}

/// What a program asks for, so that the files that count are the same as if all were known.
pub fn extent(request: &ScopeRequest, counted: Counted) -> Extent {
    let targets = request.atoms.iter().filter_map(|atom| {
        let target = Target::of(atom).ok()?;
        Some((atom.atom_id.as_str(), target))
    });
    let targets: Vec<(&str, Target)> = targets.collect();
    let asked = targets.iter().map(|(_, target)| of_target(target)).max();
    let asked = asked.unwrap_or(Extent::Paths);
    match counted == Counted::All && reaches_outside(request, &targets) {
        true => Extent::Assemblies,
        false => asked,
    }
}

/// Whether a program may give assemblies.
fn reaches_outside(request: &ScopeRequest, targets: &[(&str, Target)]) -> bool {
    let mut stack: Vec<bool> = Vec::new();
    for token in &request.tokens {
        let mut pop = || stack.pop().unwrap_or(true);
        let found = match token.op {
            TokenOp::PushAtom => {
                let id = token.atom_id.as_deref().unwrap_or_default();
                let target = targets.iter().find(|(atom, _)| *atom == id);
                target.is_none_or(|(_, target)| has_outside(target))
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

/// Whether a scope may have assemblies.
fn has_outside(target: &Target) -> bool {
    match target {
        Target::Standard(scope) => matches!(
            scope,
            StandardScope::AllPlaces | StandardScope::ProjectAndLibraries
        ),
        Target::Module { flavor, .. } => flavor.has_libraries(),
        // What somebody named is not known yet.
        Target::Named { .. } => true,
        Target::Pattern(text) => PatternSet::parse(text).is_ok_and(|it| pattern_has_outside(&it)),
        Target::Directory(url) => is_outside(url),
        Target::Files(urls) => urls.iter().any(|url| is_outside(url)),
        Target::Provider(_) | Target::ProviderReference(_) => false,
    }
}

fn pattern_has_outside(pattern: &PatternSet) -> bool {
    match pattern {
        PatternSet::Or(parts) => parts.iter().any(pattern_has_outside),
        PatternSet::And(parts) => parts.iter().all(pattern_has_outside),
        PatternSet::Not(_) | PatternSet::Named(_) => true,
        PatternSet::Leaf(leaf) => matches!(leaf.kind(), LeafKind::Ext | LeafKind::Library),
    }
}

fn is_outside(url: &str) -> bool {
    url.starts_with(PACKAGES)
}

/// What one scope asks for, so that it has the same files of the repository.
fn of_target(target: &Target) -> Extent {
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
            Ok(pattern) => of_pattern(&pattern),
            Err(_) => Extent::Paths,
        },
        Target::Directory(url) if is_outside(url) => Extent::Assemblies,
        Target::Files(urls) if urls.iter().any(|url| is_outside(url)) => Extent::Assemblies,
        Target::Directory(_) | Target::Files(_) => Extent::Paths,
        Target::Provider(provider) => of_provider(provider),
        Target::Module { .. } | Target::Named { .. } | Target::ProviderReference(_) => {
            Extent::Projects
        }
    }
}

fn of_pattern(pattern: &PatternSet) -> Extent {
    match pattern {
        PatternSet::Or(parts) | PatternSet::And(parts) => {
            parts.iter().map(of_pattern).max().unwrap_or(Extent::Paths)
        }
        PatternSet::Not(part) => of_pattern(part),
        PatternSet::Named(_) => Extent::Projects,
        PatternSet::Leaf(leaf) => match leaf.kind() {
            LeafKind::ProjectPath => Extent::Paths,
            _ => Extent::Projects,
        },
    }
}

fn of_provider(provider: &Provider) -> Extent {
    match provider.family() {
        Family::Impact | Family::Type | Family::Members => Extent::Projects,
        Family::GitChanged
        | Family::GitStaged
        | Family::GitWorktree
        | Family::GitUntracked
        | Family::GitAuthor
        | Family::GitChurn
        | Family::CodeOwners
        | Family::Area
        | Family::Submodule
        | Family::Pack => Extent::Paths,
    }
}
