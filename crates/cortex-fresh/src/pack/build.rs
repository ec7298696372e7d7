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
    committed::Committed,
    outline::{sheet::SheetReader, text::outline_text},
    semantics::text::{Semantics, of_type},
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

/// A type that fits, with as much of its semantics as fits.
struct Section {
    /// Its candidate.
    at: usize,
    outline: String,
    semantics: Semantics,
    n_parts: usize,
    tokens: usize,
}

impl Section {
    fn text(&self) -> String {
        self.semantics.append_first(&self.outline, self.n_parts)
    }
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
    let committed = Committed::read(source.index, source.side)?;
    let mut sections: Vec<Section> = Vec::new();
    let (mut sum, mut n_misfits) = (0, 0);
    for (at, candidate) in candidates.iter().enumerate() {
        let Some(node) = source.snapshot().type_node(candidate.key)? else {
            continue;
        };
        let Some(sheet) = reader.read(candidate.key, &node)? else {
            continue;
        };
        let outline = section(&outline_text(&sheet));
        let tokens = tokenizer.count(&outline);
        if sum + tokens > manifest.budget {
            n_misfits += 1;
            if n_misfits >= MAX_MISFITS {
                break;
            }
            continue;
        }
        sum += tokens;
        let semantics = of_type(source, &committed, candidate.key, &node)?;
        sections.push(Section {
            at,
            outline,
            semantics,
            n_parts: 0,
            tokens,
        });
    }
    // What room outlines leave is for semantics, those of the most important types first.
    for section in &mut sections {
        while section.n_parts < section.semantics.parts().len() {
            let n_parts = section.n_parts + 1;
            let text = section.semantics.append_first(&section.outline, n_parts);
            let tokens = tokenizer.count(&text);
            if sum - section.tokens + tokens > manifest.budget {
                break;
            }
            sum = sum - section.tokens + tokens;
            (section.n_parts, section.tokens) = (n_parts, tokens);
        }
    }
    // Frame and list of what is left out count as well; sums of tokens are not tokens of sums.
    loop {
        let kept: BTreeSet<usize> = sections.iter().map(|section| section.at).collect();
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
                .map(|section| (section.at, section.tokens))
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
        // Semantics give way first.
        match sections.iter_mut().rfind(|section| section.n_parts > 0) {
            Some(section) => {
                section.n_parts -= 1;
                section.tokens = tokenizer.count(&section.text());
            }
            None => _ = sections.pop(),
        }
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

/// What fits in an order in which each type comes after those that it depends on.
fn order(
    source: Source<'_>,
    candidates: &[Candidate],
    kept: &BTreeSet<usize>,
) -> Result<Vec<usize>, FreshError> {
    let by_key: BTreeMap<TypeKey, usize> =
        kept.iter().map(|at| (candidates[*at].key, *at)).collect();
    let mut open: Dependencies = BTreeMap::new();
    for at in kept {
        let edges = source.snapshot().edges(candidates[*at].key)?.source;
        let targets = edges.iter().filter_map(|edge| by_key.get(&edge.target));
        open.insert(
            *at,
            targets.copied().filter(|target| target != at).collect(),
        );
    }
    Ok(dependencies_first(open, |at| {
        (&candidates[at].name, candidates[at].key)
    }))
}

/// What each depends on.
type Dependencies = BTreeMap<usize, BTreeSet<usize>>;

/// An order in which each comes after what it depends on. In a circle, the one with the fewest open dependencies comes
/// first; what depends on a circle comes after all of it.
fn dependencies_first<K: Ord>(mut open: Dependencies, name: impl Fn(usize) -> K) -> Vec<usize> {
    let below: Dependencies = (open.keys()).map(|at| (*at, reached(&open, *at))).collect();
    // What must come before each: what it reaches and is not reached from.
    let mut before: Dependencies = (below.iter())
        .map(|(at, reached)| {
            let outside = reached.iter().filter(|it| !below[it].contains(at));
            (*at, outside.copied().collect())
        })
        .collect();
    let mut out = Vec::with_capacity(open.len());
    while let Some(next) = (before.iter())
        .filter(|(_, rest)| rest.is_empty())
        .map(|(at, _)| *at)
        .min_by_key(|at| (open[at].len(), name(*at)))
    {
        before.remove(&next);
        open.remove(&next);
        for rest in before.values_mut().chain(open.values_mut()) {
            rest.remove(&next);
        }
        out.push(next);
    }
    out
}

/// Everything that one depends on, directly or through others, and itself.
fn reached(open: &Dependencies, start: usize) -> BTreeSet<usize> {
    let mut out = BTreeSet::from([start]);
    let mut waiting = vec![start];
    while let Some(at) = waiting.pop() {
        let targets = open.get(&at).into_iter().flatten();
        waiting.extend(targets.copied().filter(|target| out.insert(*target)));
    }
    out
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
    (order, sections): (&[usize], &[Section]),
    left_out: &[&Candidate],
) -> String {
    let mut out = format!("# Pack {}\n\n{}\n", span(name), manifest.line());
    let of_key: BTreeMap<usize, &Section> = sections.iter().map(|it| (it.at, it)).collect();
    for at in order {
        out.push('\n');
        out.push_str(&of_key[at].text());
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::{Dependencies, dependencies_first, reached};

    fn graph(edges: &[(usize, usize)], n: usize) -> Dependencies {
        let mut out: Dependencies = (0..n).map(|at| (at, BTreeSet::new())).collect();
        for (from, to) in edges.iter().filter(|(from, to)| from != to) {
            out.entry(*from).or_default().insert(*to);
        }
        out
    }

    #[test]
    fn what_depends_on_a_circle_comes_after_it() {
        // 0 depends on the circle of 1 and 2, and each has one open dependency.
        let order = dependencies_first(graph(&[(0, 1), (1, 2), (2, 1)], 3), |at| at);
        assert_eq!(order, [1, 2, 0]);
    }

    proptest! {
        #[test]
        fn each_comes_after_what_it_depends_on_outside_of_circles(
            edges in proptest::collection::vec((0..12usize, 0..12usize), 0..40),
        ) {
            let graph = graph(&edges, 12);
            let order = dependencies_first(graph.clone(), |at| at);
            let place: BTreeMap<usize, usize> =
                order.iter().enumerate().map(|(place, at)| (*at, place)).collect();
            prop_assert_eq!(place.len(), 12);
            for (from, targets) in &graph {
                for to in targets {
                    let is_circle = reached(&graph, *to).contains(from);
                    prop_assert!(is_circle || place[to] < place[from], "{} {}", from, to);
                }
            }
        }
    }
}
