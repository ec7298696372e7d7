//! From a manifest to a pack.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cortex_context::text::span;
use cortex_derived::source::Source;
use cortex_index::Progress;
use cortex_model::TypeKey;
use cortex_wire::{PackPart, PackedType};

use super::{
    filter::parse,
    manifest::{Manifest, tokenizer},
    universe::PackUniverse,
};
use crate::{
    FreshError,
    outline::{sheet::SheetReader, text::outline_text},
};

/// So many types that did not fit are named.
const N_NAMED: usize = 20;

/// After so many types that do not fit, no more are tried.
const MAX_MISFITS: usize = 100;

/// A pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pack {
    /// The bytes of its file.
    pub text: String,
    /// How many tokens it has.
    pub tokens: usize,
    /// Its types, dependencies first.
    pub types: Vec<PackedType>,
    /// The types that did not fit, the most important first.
    pub left_out: Vec<PackedType>,
}

/// A type that may belong to a pack.
struct Candidate {
    key: TypeKey,
    name: String,
    part: PackPart,
    n_uses: usize,
}

impl Candidate {
    fn packed(&self, tokens: usize) -> PackedType {
        PackedType {
            path: self.name.clone(),
            type_id: self.key.short_id(8),
            part: self.part,
            tokens: tokens as u64,
        }
    }
}

/// Builds a pack.
///
/// # Errors
/// [`FreshError::Filter`], [`FreshError::EmptyPack`], and those of reading the side.
pub fn build(
    source: Source<'_>,
    name: &str,
    manifest: &Manifest,
    progress: &dyn Progress,
) -> Result<Pack, FreshError> {
    let steps = parse(&manifest.filter).map_err(|error| FreshError::Filter {
        filter: manifest.filter.clone(),
        source: error,
    })?;
    let universe = PackUniverse::new(source, progress)?;
    let matched = universe.select(&manifest.filter, &steps)?;
    if matched.is_empty() {
        return Err(FreshError::EmptyPack {
            filter: manifest.filter.clone(),
        });
    }
    let candidates = candidates(source, &universe, &matched, manifest.dependencies)?;
    let tokenizer = tokenizer(&manifest.tokenizer).unwrap_or(&cortex_context::O200kBase);

    // The most important ones first; one that does not fit gives way to smaller ones.
    let mut reader = SheetReader::new(source.snapshot(), source.blobs());
    let mut sections: Vec<(usize, String, usize)> = Vec::new();
    let (mut sum, mut n_misfits) = (0, 0);
    for (at, candidate) in candidates.iter().enumerate() {
        let Some(node) = source.snapshot().type_node(candidate.key)? else {
            continue;
        };
        let Some(sheet) = reader.read(candidate.key, &node)? else {
            continue;
        };
        let section = section(&outline_text(&sheet));
        let tokens = tokenizer.count(&section);
        if sum + tokens > manifest.budget {
            n_misfits += 1;
            if n_misfits >= MAX_MISFITS {
                break;
            }
            continue;
        }
        sum += tokens;
        sections.push((at, section, tokens));
    }
    // Frame and list of what is left out count as well; sums of tokens are not tokens of sums.
    loop {
        let kept: BTreeSet<usize> = sections.iter().map(|(at, ..)| *at).collect();
        let left_out: Vec<&Candidate> = (candidates.iter().enumerate())
            .filter(|(at, _)| !kept.contains(at))
            .map(|(_, candidate)| candidate)
            .collect();
        let order = order(source, &candidates, &kept)?;
        let text = whole(name, manifest, &candidates, (&order, &sections), &left_out);
        let tokens = tokenizer.count(&text);
        if tokens <= manifest.budget || sections.is_empty() {
            if tokens > manifest.budget {
                return Err(FreshError::SmallBudget {
                    budget: manifest.budget,
                    needed: tokens,
                });
            }
            let tokens_of: BTreeMap<usize, usize> = sections
                .iter()
                .map(|(at, _, tokens)| (*at, *tokens))
                .collect();
            return Ok(Pack {
                text,
                tokens,
                types: (order.iter())
                    .map(|at| candidates[*at].packed(tokens_of[at]))
                    .collect(),
                left_out: left_out.iter().map(|it| it.packed(0)).collect(),
            });
        }
        sections.pop();
    }
}

/// Everything that may belong to a pack, the most important first.
fn candidates(
    source: Source<'_>,
    universe: &PackUniverse<'_>,
    matched: &[TypeKey],
    with_dependencies: bool,
) -> Result<Vec<Candidate>, FreshError> {
    let mut parts: BTreeMap<TypeKey, PackPart> = BTreeMap::new();
    if with_dependencies {
        for key in matched {
            for edge in source.snapshot().edges(*key)?.source {
                let header = universe.header(edge.target);
                if header.is_some_and(|header| header.effective.is_visible()) {
                    parts.insert(edge.target, PackPart::Dependency);
                }
            }
        }
    }
    parts.extend(matched.iter().map(|key| (*key, PackPart::Matched)));
    let mut out = Vec::with_capacity(parts.len());
    for (key, part) in parts {
        let Some(header) = universe.header(key) else {
            continue;
        };
        out.push(Candidate {
            key,
            name: header.fqn.clone(),
            part,
            n_uses: source.snapshot().dependents(key)?.len(),
        });
    }
    out.sort_by(|a, b| {
        let rank = |it: &Candidate| (it.part == PackPart::Dependency, Reverse(it.n_uses));
        (rank(a), &a.name, a.key).cmp(&(rank(b), &b.name, b.key))
    });
    Ok(out)
}

/// What fits in an order in which each type comes after those that it depends on. In a circle, the type with the
/// fewest open dependencies comes first.
fn order(
    source: Source<'_>,
    candidates: &[Candidate],
    kept: &BTreeSet<usize>,
) -> Result<Vec<usize>, FreshError> {
    let by_key: BTreeMap<TypeKey, usize> =
        kept.iter().map(|at| (candidates[*at].key, *at)).collect();
    let mut open: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for at in kept {
        let edges = source.snapshot().edges(candidates[*at].key)?.source;
        let targets = edges.iter().filter_map(|edge| by_key.get(&edge.target));
        open.insert(
            *at,
            targets.copied().filter(|target| target != at).collect(),
        );
    }
    let mut out = Vec::with_capacity(kept.len());
    while !open.is_empty() {
        let next = open.iter().min_by_key(|(at, targets)| {
            let candidate = &candidates[**at];
            (targets.len(), &candidate.name, candidate.key)
        });
        let Some(next) = next.map(|(at, _)| *at) else {
            break;
        };
        open.remove(&next);
        for targets in open.values_mut() {
            targets.remove(&next);
        }
        out.push(next);
    }
    Ok(out)
}

/// An outline as a section of a pack: its headings one level down.
pub(crate) fn section(outline: &str) -> String {
    let mut out = String::with_capacity(outline.len() + 16);
    let mut is_fence = false;
    for line in outline.lines() {
        if line.starts_with("<!-- git-cortex outline ") {
            continue;
        }
        is_fence ^= line.starts_with("```");
        if line.starts_with('#') && !is_fence {
            out.push('#');
        }
        // The line of the header leaves two empty ones.
        if line.is_empty() && out.ends_with("\n\n") {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn whole(
    name: &str,
    manifest: &Manifest,
    candidates: &[Candidate],
    (order, sections): (&[usize], &[(usize, String, usize)]),
    left_out: &[&Candidate],
) -> String {
    let mut out = format!("# Pack {}\n\n{}\n", span(name), manifest.line());
    let of_key: BTreeMap<usize, &String> =
        sections.iter().map(|(at, text, _)| (*at, text)).collect();
    for at in order {
        out.push('\n');
        out.push_str(of_key[at]);
    }
    debug_assert!(order.iter().all(|at| *at < candidates.len()));
    if !left_out.is_empty() {
        let named = left_out.iter().take(N_NAMED);
        let mut names: Vec<String> = named.map(|it| span(&it.name)).collect();
        if left_out.len() > N_NAMED {
            names.push(format!("{} more", left_out.len() - N_NAMED));
        }
        out.push_str(&format!(
            "\nLeft out for the budget: {}\n",
            names.join(", ")
        ));
    }
    out
}
