//! What a program must be told of files to be resolved.

use crate::{
    data::{ScopeRequest, TokenOp},
    pattern::{LeafKind, PatternSet},
    provider::{Family, Provider},
    standard::StandardScope,
    target::Target,
    universe::REPOSITORY,
};

/// Whether a program asks of files more than their paths in the repository: projects, packages, declarations. Without
/// these it means the same. The complement of a scope has assemblies, too.
pub fn asks_for_projects(request: &ScopeRequest) -> bool {
    let negates = request.tokens.iter().any(|token| token.op == TokenOp::Not);
    let asks = |target: Result<Target, _>| target.is_ok_and(|target| is_beyond_paths(&target));
    negates || request.atoms.iter().any(|atom| asks(Target::of(atom)))
}

fn is_beyond_paths(target: &Target) -> bool {
    let is_path = |url: &String| url.starts_with(REPOSITORY) || url.starts_with("file:");
    match target {
        Target::Standard(scope) => !matches!(
            scope,
            StandardScope::ProjectFiles | StandardScope::Scratches | StandardScope::RecentlyChanged
        ),
        Target::Directory(url) => !is_path(url),
        Target::Files(urls) => !urls.iter().all(is_path),
        Target::Provider(provider) => provider_is_beyond_paths(provider),
        Target::Pattern(text) => {
            PatternSet::parse(text).is_ok_and(|it| pattern_is_beyond_paths(&it))
        }
        Target::Module { .. } | Target::Named { .. } | Target::ProviderReference(_) => true,
    }
}

fn pattern_is_beyond_paths(pattern: &PatternSet) -> bool {
    match pattern {
        PatternSet::Or(parts) | PatternSet::And(parts) => parts.iter().any(pattern_is_beyond_paths),
        PatternSet::Not(_) | PatternSet::Named(_) => true,
        PatternSet::Leaf(leaf) => leaf.kind() != LeafKind::ProjectPath,
    }
}

fn provider_is_beyond_paths(provider: &Provider) -> bool {
    match provider.family() {
        Family::Impact | Family::Type | Family::Members => true,
        Family::GitChanged
        | Family::GitStaged
        | Family::GitWorktree
        | Family::GitUntracked
        | Family::GitAuthor
        | Family::GitChurn
        | Family::CodeOwners
        | Family::Area
        | Family::Submodule
        | Family::Pack => false,
    }
}
