//! The body where a call was: with arguments for parameters, the object before members, types and parentheses where they
//! are needed.

use cortex_model::ByteRange;
use cortex_semantics::{Special, Target};
use cortex_syntax::{BodyId, BodyKind, Op};

use super::{Call, Method, Value, evaluated::Used};
use crate::{
    EditError,
    body_tree::BodyTree,
    evaluation::Effect,
    expression_tree::is_in_tree,
    layout::indent_at,
    moved::{Fragment, MovingEdit, joined, laid_anew},
    precedence::{Precedence, fits},
};

impl Method<'_, '_> {
    /// What takes the place of a call.
    pub(super) fn replacement(&self, call: &Call) -> Result<MovingEdit, EditError> {
        let tree = self.tree();
        let is_statement = self.is_statement(call.node);
        let mut fragments = self.body_for(call)?;
        let mut precedence = Precedence::of(tree, self.body);
        let c = self.bound.compilation;
        let returned = c.member(self.member).signature.ty;
        if is_statement {
            if !is_statement_expression(tree, self.body) {
                if self.bound.effect(self.body) == Effect::None {
                    let reason = "the call does nothing: remove it first";
                    return Err(self.refused_at(call.node, reason));
                }
                if is_in_tree(&self.bound, call.node) {
                    let reason = "an expression tree cannot hold an assignment";
                    return Err(self.refused_at(call.node, reason));
                }
                fragments.insert(0, Fragment::New("_ = ".to_owned()));
            }
        } else if returned != c.special(Special::Void) {
            let place = self.bound.expressions.type_of(call.node);
            let is_converted =
                place.and_then(|it| it.converted) == Some(returned) && self.gives_type(call.node);
            if self.bound.type_of(self.body) != Some(returned) && !is_converted {
                let written = self.returned_type();
                precedence = self.convert(&mut fragments, written, precedence, call.node)?;
            }
            self.enclose(&mut fragments, precedence, call.node);
        }
        self.check_hole(call, &fragments)?;
        Ok(MovingEdit {
            range: tree.span(call.node),
            fragments: joined(fragments),
            is_same_expression: false,
        })
    }

    /// Whether a place converts whatever stands there to its own type: what is returned or assigned. Operators, conditions
    /// and arguments choose by the type of the value.
    pub(super) fn gives_type(&self, id: BodyId) -> bool {
        let tree = self.tree();
        let Some(parent) = tree.parent(id) else {
            return false;
        };
        match tree.kind(parent) {
            BodyKind::Parenthesized => self.gives_type(parent),
            BodyKind::Return | BodyKind::Body | BodyKind::Accessor => true,
            BodyKind::Assignment => {
                tree.index_in_parent(id) > 0 && tree.node(parent).flags == Op::Assign as u8
            }
            BodyKind::Declarator => {
                let declaration = tree.parent(parent);
                let ty = declaration.and_then(|it| tree.children(it).first().copied());
                let is_local =
                    declaration.is_some_and(|it| tree.kind(it) == BodyKind::LocalDeclaration);
                !is_local || ty.is_some_and(|it| tree.text_of(it) != "var")
            }
            _ => false,
        }
    }

    /// The body with what a call passes.
    fn body_for(&self, call: &Call) -> Result<Vec<Fragment>, EditError> {
        let tree = self.tree();
        let span = tree.span(self.body);
        let is_outside = !self.is_in_type(tree.span(call.node).start);
        let mut spots: Vec<(ByteRange, Vec<Fragment>)> = Vec::new();
        for id in tree.within(self.body) {
            let own = tree.span(id);
            let before = ByteRange {
                start: own.start,
                end: own.start,
            };
            match self.used(id) {
                Some(Used::Parameter(at)) => {
                    spots.push((own, self.value(&call.values[at], at, id)?));
                }
                Some(Used::Receiver) => {
                    let Some(receiver) = call.receiver else {
                        continue;
                    };
                    let mut object = vec![Fragment::Moved(tree.span(receiver))];
                    if Precedence::of(tree, receiver) < Precedence::Primary {
                        object.insert(0, Fragment::New("(".to_owned()));
                        object.push(Fragment::New(")".to_owned()));
                    }
                    if tree.kind(id) == BodyKind::This {
                        spots.push((own, object));
                    } else {
                        object.push(Fragment::New(".".to_owned()));
                        spots.push((before, object));
                    }
                }
                None if is_outside && self.is_own_static(id) => {
                    let c = self.bound.compilation;
                    let owner = c.instance_type(c.member(self.member).owner);
                    let prefix = format!("{}.", c.display_type(owner));
                    spots.push((before, vec![Fragment::New(prefix)]));
                }
                None => {}
            }
        }
        spots.sort_by_key(|it| it.0);
        let indents = [span.start, tree.span(call.node).start];
        let indents = indents.map(|at| indent_at(tree.text, at as usize));
        let mut out = Vec::new();
        let mut start = span.start;
        for (range, fragments) in spots {
            let end = range.start;
            out.extend(laid_anew(tree.text, ByteRange { start, end }, indents));
            out.extend(fragments);
            start = range.end;
        }
        let end = span.end;
        out.extend(laid_anew(tree.text, ByteRange { start, end }, indents));
        Ok(out)
    }

    /// What stands for a parameter where the body uses it.
    pub(super) fn value(
        &self,
        value: &Value,
        at: usize,
        place: BodyId,
    ) -> Result<Vec<Fragment>, EditError> {
        let tree = self.tree();
        let param = self.bound.compilation.member(self.member).signature.params[at].ty;
        let (mut fragments, mut precedence, own) = match value {
            Value::Given(node) => (
                vec![Fragment::Moved(tree.span(*node))],
                Precedence::of(tree, *node),
                self.bound.type_of(*node),
            ),
            Value::Default(node) => (
                vec![Fragment::New(tree.text_of(*node).to_owned())],
                Precedence::of(tree, *node),
                self.bound.type_of(*node),
            ),
        };
        if own != Some(param) {
            let written = self.parameter_type(at);
            precedence = self.convert(&mut fragments, written, precedence, place)?;
        }
        self.enclose(&mut fragments, precedence, place);
        if let Some(sign) = self.name_given_by(place) {
            let name = format!("{}{sign}", tree.text_of(place));
            fragments.insert(0, Fragment::New(name));
        }
        Ok(fragments)
    }

    /// What stands behind a name that a tuple or an anonymous object takes from a variable, where it is written out.
    pub(super) fn name_given_by(&self, id: BodyId) -> Option<&'static str> {
        let tree = self.tree();
        let parent = tree.parent(id)?;
        match tree.kind(parent) {
            BodyKind::AnonymousMember if tree.node(parent).value == 0 => Some(" = "),
            BodyKind::Argument if tree.node(parent).value == 0 => {
                let list = tree.parent(parent).map(|it| tree.kind(it));
                (list == Some(BodyKind::Tuple)).then_some(": ")
            }
            _ => None,
        }
    }

    /// Writes a cast before an expression.
    pub(super) fn convert(
        &self,
        fragments: &mut Vec<Fragment>,
        written: Option<&str>,
        precedence: Precedence,
        place: BodyId,
    ) -> Result<Precedence, EditError> {
        let written =
            written.ok_or_else(|| self.refused_at(place, "its type cannot be written there"))?;
        let (open, close) = match precedence < Precedence::Primary {
            true => ("(", ")"),
            false => ("", ""),
        };
        fragments.insert(0, Fragment::New(format!("({written}){open}")));
        fragments.push(Fragment::New(close.to_owned()));
        Ok(Precedence::Unary)
    }

    /// The type that the method returns, as it is written.
    pub(super) fn returned_type(&self) -> Option<&str> {
        let start = self.decl.range.start;
        let head = ByteRange {
            start,
            end: self.decl.name_range.start,
        };
        self.type_in(head)
    }

    /// The type of a parameter, as it is written.
    pub(super) fn parameter_type(&self, at: usize) -> Option<&str> {
        let tree = self.tree();
        let end = match self.decl.body_range.start < self.decl.body_range.end {
            true => self.decl.body_range.start,
            false => self.decl.range.end,
        };
        let tokens = tree.tokens_in(ByteRange {
            start: self.decl.name_range.end,
            end,
        });
        let (mut depth, mut start) = (0_usize, tokens.first()?.end);
        let mut number = 0;
        for token in tokens {
            match &tree.text[token.as_usize()] {
                "(" | "[" | "<" | "{" => depth += 1,
                ")" | "]" | ">" | "}" if depth > 1 => depth -= 1,
                "," | ")" if depth == 1 => {
                    if number == at {
                        let end = token.start;
                        return self.type_of_item(ByteRange { start, end });
                    }
                    number += 1;
                    start = token.end;
                }
                _ => {}
            }
        }
        None
    }

    /// The type in `[A] in T name = 1`.
    fn type_of_item(&self, item: ByteRange) -> Option<&str> {
        let tree = self.tree();
        let tokens = tree.tokens_in(item);
        let is_sign = |it: &&ByteRange| &tree.text[it.as_usize()] == "=";
        let value = tokens.iter().find(is_sign).map_or(item.end, |it| it.start);
        let name = tokens.iter().rfind(|it| it.end <= value)?;
        self.type_in(ByteRange {
            start: item.start,
            end: name.start,
        })
    }

    /// What of a range is behind attributes and modifiers.
    fn type_in(&self, range: ByteRange) -> Option<&str> {
        const MODIFIERS: [&str; 12] = [
            "public",
            "private",
            "protected",
            "internal",
            "static",
            "unsafe",
            "new",
            "sealed",
            "readonly",
            "this",
            "scoped",
            "in",
        ];
        let tree = self.tree();
        let mut depth = 0_usize;
        let first = tree.tokens_in(range).iter().find(|it| {
            match &tree.text[it.as_usize()] {
                "[" => depth += 1,
                "]" => depth = depth.saturating_sub(1),
                word if depth == 0 => return !MODIFIERS.contains(&word),
                _ => {}
            }
            false
        })?;
        Some(tree.text[first.start as usize..range.end as usize].trim())
    }

    /// Writes parentheses where the place needs them.
    fn enclose(&self, fragments: &mut Vec<Fragment>, precedence: Precedence, place: BodyId) {
        if !fits(self.tree(), place, precedence, &self.text(fragments)) {
            fragments.insert(0, Fragment::New("(".to_owned()));
            fragments.push(Fragment::New(")".to_owned()));
        }
    }

    /// Whether a place is in the declaration of the method's type.
    pub(super) fn is_in_type(&self, offset: u32) -> bool {
        let parent = self
            .decl
            .parent
            .map(|it| &self.tree().facts.decls[it as usize]);
        parent.is_none_or(|it| it.range.contains(offset))
    }

    /// Whether a name of the body is a static member of the method's type, without anything before it.
    pub(super) fn is_own_static(&self, id: BodyId) -> bool {
        let is_name = matches!(self.tree().kind(id), BodyKind::Name | BodyKind::GenericName);
        let c = self.bound.compilation;
        match self.bound.target(self.tree().node(id).offset) {
            Some(Target::Member(member)) if is_name => {
                c.member(member).is_static()
                    && c.member(member).owner == c.member(self.member).owner
                    && !self.is_behind_dot(id)
            }
            _ => false,
        }
    }

    fn text(&self, fragments: &[Fragment]) -> String {
        let parts = fragments.iter().map(|it| match it {
            Fragment::New(text) => text.as_str(),
            Fragment::Moved(range) => &self.tree().text[range.as_usize()],
        });
        parts.collect()
    }

    /// Refuses what cannot stand in a hole of an interpolated string.
    fn check_hole(&self, call: &Call, fragments: &[Fragment]) -> Result<(), EditError> {
        let tree = self.tree();
        let mut around = tree.ancestors(call.node);
        let is_in_hole = around.any(|it| tree.kind(it) == BodyKind::Interpolation);
        let text = self.text(fragments);
        if is_in_hole && text.contains(['"', '\n', '{', '}', '\\', ':']) {
            let reason =
                "the body cannot stand in an interpolated string in every version of the language";
            return Err(self.refused_at(call.node, reason));
        }
        Ok(())
    }
}

/// Whether an expression may be a statement.
fn is_statement_expression(tree: &BodyTree<'_>, id: BodyId) -> bool {
    match tree.kind(id) {
        BodyKind::Invocation
        | BodyKind::Assignment
        | BodyKind::ObjectCreation
        | BodyKind::ImplicitCreation
        | BodyKind::Postfix
        | BodyKind::Await => true,
        BodyKind::ConditionalAccess => {
            let last = tree.children(id).last().copied();
            last.is_some_and(|it| is_statement_expression(tree, it))
        }
        BodyKind::Unary => matches!(
            Op::ALL.get(usize::from(tree.node(id).flags)),
            Some(Op::Increment | Op::Decrement)
        ),
        _ => false,
    }
}
