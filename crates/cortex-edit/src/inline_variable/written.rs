//! How an initial value is written where the variable was: with parentheses, with its type, with the name that it gave.

use cortex_model::ByteRange;
use cortex_syntax::{BodyId, BodyKind};

use super::Variable;
use crate::{
    EditError,
    layout::lines_of,
    moved::{Fragment, MovingEdit},
    precedence::{Precedence, fits},
};

impl Variable<'_, '_> {
    /// What takes the place of a use.
    pub(super) fn replacement(&self, used: BodyId) -> Result<MovingEdit, EditError> {
        let tree = self.tree();
        let parent = tree.parent(used);
        let kind = parent.map(|it| tree.kind(it));
        self.check_hole(used)?;
        let (mut fragments, precedence) = self.typed()?;
        if !fits(tree, used, precedence, tree.text_of(self.value)) {
            fragments.insert(0, Fragment::New("(".to_owned()));
            fragments.push(Fragment::New(")".to_owned()));
        }
        // A `(` before a `(`: one text, so that each of them is known to open the expression.
        if let [Fragment::New(first), Fragment::New(second), ..] = fragments.as_slice() {
            let joined = format!("{first}{second}");
            fragments.splice(0..2, [Fragment::New(joined)]);
        }
        // A tuple and an anonymous object take the names of their members from variables.
        let own = tree.node(used);
        let gives_name = match (kind, parent) {
            (Some(BodyKind::Argument), Some(argument)) => {
                let list = tree.parent(argument).map(|it| tree.kind(it));
                list == Some(BodyKind::Tuple) && tree.node(argument).value == 0
            }
            (Some(BodyKind::AnonymousMember), Some(member)) => tree.node(member).value == 0,
            _ => false,
        };
        if gives_name {
            let name = &tree.text[tree.span(used).as_usize()];
            let before = match kind {
                Some(BodyKind::Argument) => format!("{name}: "),
                _ => format!("{name} = "),
            };
            fragments.insert(0, Fragment::New(before));
        }
        Ok(MovingEdit {
            range: ByteRange {
                start: own.offset,
                end: tree.span(used).end,
            },
            fragments,
            is_same_expression: true,
        })
    }

    /// The value, with its type where the variable had another one than the value alone.
    fn typed(&self) -> Result<(Vec<Fragment>, Precedence), EditError> {
        let tree = self.tree();
        let value = tree.span(self.value);
        let whole = || vec![Fragment::Moved(value)];
        let own_precedence = Precedence::of(tree, self.value);
        let declared = tree.text_of(self.ty);
        let kind = tree.kind(self.value);
        if declared == "var" && tree.kind(self.ty) == BodyKind::Name {
            return Ok((whole(), own_precedence));
        }
        let text = |text: String| Fragment::New(text);
        match kind {
            BodyKind::ArrayInitializer => {
                return Ok((
                    vec![text(format!("new {declared} ")), Fragment::Moved(value)],
                    Precedence::Unary,
                ));
            }
            BodyKind::DefaultLiteral => {
                return Ok((
                    vec![text(format!("default({declared})"))],
                    Precedence::Primary,
                ));
            }
            BodyKind::ImplicitCreation => {
                let keyword = ByteRange {
                    start: value.start,
                    end: value.start + 3,
                };
                let rest = ByteRange {
                    start: keyword.end,
                    end: value.end,
                };
                let parts = vec![
                    Fragment::Moved(keyword),
                    text(format!(" {}", declared.trim_end_matches('?'))),
                    Fragment::Moved(rest),
                ];
                return Ok((parts, Precedence::Primary));
            }
            _ => {}
        }
        let own = self.bound.type_of(self.value);
        let converted = self.variable_type();
        if own.is_some() && own == converted {
            return Ok((whole(), own_precedence));
        }
        // Of a nullable reference type, `?` says nothing in a cast but for `null` itself.
        let open = format!("({declared})");
        let mut parts = vec![text(open)];
        match own_precedence {
            Precedence::Primary => parts.push(Fragment::Moved(value)),
            _ => {
                parts[0] = text(format!("({declared})("));
                parts.push(Fragment::Moved(value));
                parts.push(text(")".to_owned()));
            }
        }
        Ok((parts, Precedence::Unary))
    }

    /// Refuses what cannot stand in a hole of an interpolated string.
    fn check_hole(&self, used: BodyId) -> Result<(), EditError> {
        let tree = self.tree();
        let is_in_hole = (tree.ancestors(used)).any(|it| tree.kind(it) == BodyKind::Interpolation);
        let text = tree.text_of(self.value);
        if is_in_hole && text.contains(['"', '\n', '{', '}', '\\']) {
            let reason = "a string, a brace or a line break cannot stand in an interpolated string in every version of the language";
            return Err(self.refused_at(used, reason, "inline the variable by hand"));
        }
        Ok(())
    }

    /// What goes with the declaration: its lines, where nothing else stands on them.
    pub(super) fn removed(&self) -> ByteRange {
        let tree = self.tree();
        let declarators: Vec<BodyId> = tree.children(self.declaration).split_off(1);
        if declarators.len() > 1 {
            let at = declarators
                .iter()
                .position(|&it| it == self.declarator)
                .unwrap_or_default();
            return match declarators.get(at + 1) {
                Some(&next) => ByteRange {
                    start: tree.span(self.declarator).start,
                    end: tree.span(next).start,
                },
                None => ByteRange {
                    start: tree.span(declarators[at - 1]).end,
                    end: tree.span(self.declarator).end,
                },
            };
        }
        lines_of(tree.text, tree.span(self.declaration))
    }
}
