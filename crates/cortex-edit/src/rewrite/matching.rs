//! Which code is like a pattern, and what its metavariables stand for.
//!
//! Must not know: what names mean, what takes the place of the code.

use std::collections::BTreeMap;

use cortex_model::ByteRange;
use cortex_syntax::{BodyId, BodyKind};

use super::template::{Hole, Shape, Template};
use crate::body_tree::BodyTree;

/// Code that is like a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Match {
    /// An expression, or statements one after another.
    pub(super) nodes: Vec<BodyId>,
    /// From its first token to its last one.
    pub(super) range: ByteRange,
    /// What each metavariable stands for.
    pub(super) bindings: BTreeMap<String, Binding>,
    /// The names of the pattern with where the code has them.
    pub(super) names: Vec<(String, BodyId)>,
}

/// What a metavariable stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Binding {
    /// The code; empty where there is none.
    pub(super) range: ByteRange,
    /// What it is; nothing for a name that is declared.
    pub(super) nodes: Vec<BodyId>,
}

/// A pattern beside the code of a file.
pub(super) struct Matcher<'p, 't> {
    pattern: &'p Template,
    pattern_tree: BodyTree<'p>,
    tree: &'t BodyTree<'t>,
}

/// What is known of a match so far.
#[derive(Clone, Default)]
struct Found {
    bindings: BTreeMap<String, Binding>,
    names: Vec<(String, BodyId)>,
}

impl<'p, 't> Matcher<'p, 't> {
    pub(super) fn new(pattern: &'p Template, tree: &'t BodyTree<'t>) -> Self {
        Self {
            pattern_tree: pattern.tree(),
            pattern,
            tree,
        }
    }

    /// All code that is like the pattern, by position; one may be inside of another. O(nodes × pattern).
    pub(super) fn matches(&self) -> Vec<Match> {
        let nodes = 0..self.tree.facts.bodies.nodes().len() as BodyId;
        let found = nodes.filter_map(|id| match self.pattern.shape() {
            Shape::Expression(root) => {
                let is_like = self.tree.kind(id) == self.pattern_tree.kind(*root);
                is_like.then(|| self.run(&[*root], vec![id]))?
            }
            Shape::Statements(all) => {
                if all.is_empty() || !self.tree.is_in_list(id) {
                    return None;
                }
                let siblings = self.tree.children(self.tree.parent(id)?);
                let at = siblings.iter().position(|&it| it == id)?;
                let run = siblings.get(at..at + all.len())?.to_vec();
                self.run(all, run)
            }
        });
        let mut found: Vec<Match> = found.collect();
        found.sort_by_key(|it| (it.range.start, std::cmp::Reverse(it.range.end)));
        found.dedup_by_key(|it| it.range);
        found
    }

    /// A match of nodes that stand one after another.
    fn run(&self, pattern: &[BodyId], nodes: Vec<BodyId>) -> Option<Match> {
        let mut found = Found::default();
        for (&p, &t) in pattern.iter().zip(&nodes) {
            if !self.node(p, t, &mut found) {
                return None;
            }
        }
        let (first, last) = (nodes.first()?, nodes.last()?);
        let range = ByteRange {
            start: self.tree.span(*first).start,
            end: self.tree.span(*last).end,
        };
        let whole = ByteRange {
            start: self.pattern_tree.span(*pattern.first()?).start,
            end: self.pattern_tree.span(*pattern.last()?).end,
        };
        // Not all that code says is in its tree.
        let is_same = without_last_commas(self.expected(whole, &found))
            == without_last_commas(self.words(range));
        is_same.then_some(Match {
            nodes,
            range,
            bindings: found.bindings,
            names: found.names,
        })
    }

    fn words(&self, range: ByteRange) -> Vec<&str> {
        let tokens = self.tree.tokens_in(range).iter();
        tokens.map(|it| &self.tree.text[it.as_usize()]).collect()
    }

    /// The tokens of the pattern with what its metavariables stand for.
    fn expected<'a>(&'a self, whole: ByteRange, found: &Found) -> Vec<&'a str> {
        let mut out: Vec<&str> = Vec::new();
        let mut tokens = self.pattern_tree.tokens_in(whole).iter().peekable();
        while let Some(token) = tokens.next() {
            let word = &self.pattern_tree.text[token.as_usize()];
            let Some(hole) = self.pattern.hole_at(token.start) else {
                out.push(word);
                continue;
            };
            let Some(binding) = found.bindings.get(&hole.name) else {
                return Vec::new();
            };
            let next = tokens
                .peek()
                .map(|it| &self.pattern_tree.text[it.as_usize()]);
            let has_comma = binding.nodes.is_empty() && hole.is_many && next == Some(",");
            if hole.is_statement {
                // `();`
                tokens.by_ref().take(3).for_each(drop);
            } else if has_comma {
                tokens.next();
            }
            match binding.nodes.is_empty() && hole.is_many {
                true if !has_comma && out.last() == Some(&",") => {
                    out.pop();
                }
                true => {}
                false => out.extend(self.words(binding.range)),
            }
        }
        out
    }

    fn node(&self, p: BodyId, t: BodyId, found: &mut Found) -> bool {
        let (tree, pattern) = (self.tree, &self.pattern_tree);
        let (a, b) = (pattern.node(p), tree.node(t));
        if let Some(hole) = self.hole(p) {
            let binding = Binding {
                range: tree.span(t),
                nodes: vec![t],
            };
            return !hole.is_many && self.bind(hole, binding, found);
        }
        if a.kind != b.kind || a.flags != b.flags {
            return false;
        }
        let names = [a.name(), b.name()];
        match names {
            [Some(ours), Some(theirs)] => {
                let declared = self.pattern.hole_at(a.offset);
                let theirs = tree.facts.name(theirs);
                match declared.filter(|_| a.kind != BodyKind::Argument) {
                    Some(hole) => {
                        let token = tree.tokens_in(ByteRange {
                            start: b.offset,
                            end: b.offset + 1,
                        });
                        let Some(&range) = token.first() else {
                            return false;
                        };
                        let nodes = Vec::new();
                        if !self.bind(hole, Binding { range, nodes }, found) {
                            return false;
                        }
                    }
                    None if pattern.facts.name(ours) != theirs => return false,
                    None => found.names.push((theirs.to_owned(), t)),
                }
            }
            [None, None] => {}
            _ => return false,
        }
        self.children(&pattern.children(p), &tree.children(t), found)
    }

    /// Children side by side; one of the pattern's may stand for any number.
    fn children(&self, ours: &[BodyId], theirs: &[BodyId], found: &mut Found) -> bool {
        let many = ours.iter().position(|&it| self.many(it).is_some());
        let Some(at) = many else {
            let mut pairs = ours.iter().zip(theirs);
            return ours.len() == theirs.len() && pairs.all(|(&p, &t)| self.node(p, t, found));
        };
        let n_behind = ours.len() - at - 1;
        if theirs.len() < at + n_behind {
            return false;
        }
        let (before, rest) = theirs.split_at(at);
        let (between, behind) = rest.split_at(rest.len() - n_behind);
        let Some(hole) = self.many(ours[at]) else {
            return false;
        };
        let range = match (between.first(), between.last()) {
            (Some(&first), Some(&last)) => ByteRange {
                start: self.tree.span(first).start,
                end: self.tree.span(last).end,
            },
            _ => ByteRange { start: 0, end: 0 },
        };
        let binding = Binding {
            range,
            nodes: between.to_vec(),
        };
        self.children(&ours[..at], before, found)
            && self.bind(hole, binding, found)
            && self.children(&ours[at + 1..], behind, found)
    }

    /// The metavariable that a node of the pattern is.
    fn hole(&self, id: BodyId) -> Option<&Hole> {
        let tree = &self.pattern_tree;
        let mut name = id;
        if tree.kind(id) == BodyKind::ExpressionStatement {
            name = *tree.children(*tree.children(id).first()?).first()?;
        }
        let hole = self.pattern.hole_at(tree.node(name).offset)?;
        let is_statement = name != id;
        (tree.kind(name) == BodyKind::Name && hole.is_statement == is_statement).then_some(hole)
    }

    /// The metavariable for any number that a node of the pattern is.
    fn many(&self, id: BodyId) -> Option<&Hole> {
        let tree = &self.pattern_tree;
        let id = match tree.kind(id) {
            BodyKind::Argument => *tree.children(id).first()?,
            _ => id,
        };
        self.hole(id).filter(|hole| hole.is_many)
    }

    /// Notes what a metavariable stands for: the same everywhere.
    fn bind(&self, hole: &Hole, binding: Binding, found: &mut Found) -> bool {
        match found.bindings.get(&hole.name) {
            Some(before) => self.words(before.range) == self.words(binding.range),
            None => {
                found.bindings.insert(hole.name.clone(), binding);
                true
            }
        }
    }
}

/// Without the commas that may stand behind the last element.
fn without_last_commas(words: Vec<&str>) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::with_capacity(words.len());
    for word in words {
        if word == "}" && out.last() == Some(&",") {
            out.pop();
        }
        out.push(word);
    }
    out
}
