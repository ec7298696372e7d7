//! What takes the place of matches: the new code with what its metavariables stand for, parentheses where they are needed,
//! and matches inside of matches.

use cortex_model::ByteRange;
use cortex_syntax::{BodyId, BodyKind};
use rustc_hash::FxHashMap;

use super::{
    matching::{Binding, Match},
    template::{Hole, Shape, Template},
};
use crate::{
    body_tree::{BodyTree, is_statement},
    layout::{Layout, indent_at, lines_of},
    moved::{Fragment, MovingEdit, joined},
    precedence::{Precedence, fits},
};

/// Writes what takes the place of the matches of one file.
pub(super) struct Writer<'a> {
    pub(super) tree: &'a BodyTree<'a>,
    /// By position, those around others first.
    pub(super) matches: &'a [Match],
    pub(super) replacement: &'a Template,
    replacement_tree: BodyTree<'a>,
    /// The matches that are one node.
    by_node: FxHashMap<BodyId, usize>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        tree: &'a BodyTree<'a>,
        matches: &'a [Match],
        replacement: &'a Template,
    ) -> Self {
        let single = matches.iter().enumerate();
        let single = single.filter_map(|(at, it)| match it.nodes[..] {
            [node] => Some((node, at)),
            _ => None,
        });
        Self {
            by_node: single.collect(),
            replacement_tree: replacement.tree(),
            tree,
            matches,
            replacement,
        }
    }

    /// The edit of a match that is inside of no other one.
    pub(super) fn edit(&self, found: &Match) -> MovingEdit {
        let is_removed =
            matches!(self.replacement.shape(), Shape::Statements(all) if all.is_empty());
        if is_removed {
            return MovingEdit::removal(lines_of(self.tree.text, found.range));
        }
        MovingEdit {
            range: found.range,
            fragments: joined(self.placed(found)),
            is_same_expression: false,
        }
    }

    /// What takes the place of a match, with parentheses where its place needs them.
    fn placed(&self, found: &Match) -> Vec<Fragment> {
        let (fragments, precedence) = self.written(found);
        let is_expression = matches!(self.replacement.shape(), Shape::Expression(_));
        match is_expression
            && !fits(
                self.tree,
                found.nodes[0],
                precedence,
                &self.text(&fragments),
            ) {
            true => in_parentheses(fragments),
            false => fragments,
        }
    }

    fn text(&self, fragments: &[Fragment]) -> String {
        let parts = fragments.iter().map(|it| match it {
            Fragment::New(text) => text.as_str(),
            Fragment::Moved(range) => &self.tree.text[range.as_usize()],
        });
        parts.collect()
    }

    /// The new code for a match.
    fn written(&self, found: &Match) -> (Vec<Fragment>, Precedence) {
        let source = &self.replacement.source;
        let indent = indent_at(self.tree.text, found.range.start as usize);
        let line = format!(
            "{}{indent}",
            Layout::of(self.tree.text, self.tree.facts).line_end
        );
        let new = |text: &str| Fragment::New(text.replace("\r\n", "\n").replace('\n', &line));
        let mut fragments = Vec::new();
        let (mut at, mut only) = (0, None);
        for hole in &self.replacement.holes {
            let range = hole.range.as_usize();
            let mut before = &source[at..range.start];
            at = range.end;
            let Some(binding) = found.bindings.get(&hole.name) else {
                continue;
            };
            let behind = source[at..].trim_start();
            if let (true, Some(behind)) = (hole.is_statement, behind.strip_prefix(';')) {
                // Statements have their own.
                at = source.len() - behind.len();
            }
            if binding.nodes.is_empty() && hole.is_many {
                // A comma more than there are elements.
                let rest = &source[at..];
                match rest.trim_start().strip_prefix(',') {
                    Some(behind) => at = source.len() - behind.trim_start().len(),
                    None if before.trim_end().ends_with(',') => {
                        before = before.trim_end().trim_end_matches(',');
                    }
                    None => {}
                }
                fragments.push(new(before));
                continue;
            }
            fragments.push(new(before));
            let (bound, precedence) = self.bound(hole, binding);
            // A name is declared once; the others are uses of it.
            let is_use = binding.nodes.is_empty() && fragments.contains(&bound[0]);
            match is_use {
                true => fragments.push(Fragment::New(self.text(&bound))),
                false => fragments.extend(bound),
            }
            only = precedence;
        }
        fragments.push(new(&source[at..]));
        let precedence = match self.replacement.shape() {
            Shape::Expression(root) => {
                let own = Precedence::of(&self.replacement_tree, *root);
                let offset = self.replacement_tree.node(*root).offset;
                let is_hole = self.replacement_tree.kind(*root) == BodyKind::Name
                    && self.replacement.hole_at(offset).is_some();
                only.filter(|_| is_hole).unwrap_or(own)
            }
            Shape::Statements(_) => Precedence::Lowest,
        };
        (fragments, precedence)
    }

    /// What a metavariable stands for, where the new code has it; and how tightly it holds together, where it is one
    /// expression.
    fn bound(&self, hole: &Hole, binding: &Binding) -> (Vec<Fragment>, Option<Precedence>) {
        let [node] = binding.nodes[..] else {
            return (self.moved(binding.range), None);
        };
        // The place of a match is another one now.
        let (fragments, precedence) = match self.by_node.get(&node) {
            Some(&inner) => self.written(&self.matches[inner]),
            None => (self.moved(binding.range), Precedence::of(self.tree, node)),
        };
        let is_expression = !is_statement(self.tree.kind(node))
            && !matches!(self.tree.kind(node), BodyKind::Argument | BodyKind::Spread);
        let place = (self.replacement_tree.name_at(hole.at)).filter(|_| is_expression);
        let Some(place) = place else {
            return (fragments, None);
        };
        match fits(
            &self.replacement_tree,
            place,
            precedence,
            &self.text(&fragments),
        ) {
            true => (fragments, Some(precedence)),
            false => (in_parentheses(fragments), Some(Precedence::Primary)),
        }
    }

    /// Code that stays, but for the matches in it.
    fn moved(&self, range: ByteRange) -> Vec<Fragment> {
        let mut out = Vec::new();
        let mut at = range.start;
        let first = (self.matches).partition_point(|it| it.range.start < range.start);
        for inner in &self.matches[first..] {
            if inner.range.start >= range.end {
                break;
            }
            if inner.range.start < at || inner.range.end > range.end {
                continue;
            }
            out.push(Fragment::Moved(ByteRange {
                start: at,
                end: inner.range.start,
            }));
            out.extend(self.placed(inner));
            at = inner.range.end;
        }
        out.push(Fragment::Moved(ByteRange {
            start: at,
            end: range.end,
        }));
        out
    }
}

fn in_parentheses(fragments: Vec<Fragment>) -> Vec<Fragment> {
    let open = std::iter::once(Fragment::New("(".to_owned()));
    let close = std::iter::once(Fragment::New(")".to_owned()));
    open.chain(fragments).chain(close).collect()
}
