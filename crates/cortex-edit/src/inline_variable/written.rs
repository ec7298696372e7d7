//! How an initial value is written where the variable was: with parentheses, with its type, with the name that it gave.

use cortex_model::ByteRange;
use cortex_syntax::{BodyId, BodyKind, Op};

use super::Variable;
use crate::{
    EditError,
    body_tree::BodyTree,
    moved::{Fragment, MovingEdit},
};

impl Variable<'_, '_> {
    /// What takes the place of a use.
    pub(super) fn replacement(&self, used: BodyId) -> Result<MovingEdit, EditError> {
        let tree = self.tree();
        let parent = tree.parent(used);
        let kind = parent.map(|it| tree.kind(it));
        self.check_hole(used)?;
        let (mut fragments, mut form) = self.typed()?;
        if !fits(tree, used, form, self.has_angle()) {
            fragments.insert(0, Fragment::New("(".to_owned()));
            fragments.push(Fragment::New(")".to_owned()));
            form = Form::Primary;
        }
        let _ = form;
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
    fn typed(&self) -> Result<(Vec<Fragment>, Form), EditError> {
        let tree = self.tree();
        let value = tree.span(self.value);
        let whole = || vec![Fragment::Moved(value)];
        let form = form_of(tree, self.value);
        let declared = tree.text_of(self.ty);
        let kind = tree.kind(self.value);
        if declared == "var" && tree.kind(self.ty) == BodyKind::Name {
            return Ok((whole(), form));
        }
        let text = |text: String| Fragment::New(text);
        match kind {
            BodyKind::ArrayInitializer => {
                return Ok((
                    vec![text(format!("new {declared} ")), Fragment::Moved(value)],
                    Form::Unary,
                ));
            }
            BodyKind::DefaultLiteral => {
                return Ok((vec![text(format!("default({declared})"))], Form::Primary));
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
                return Ok((parts, Form::Primary));
            }
            _ => {}
        }
        let own = self.bound.type_of(self.value);
        let converted = self.variable_type();
        if own.is_some() && own == converted {
            return Ok((whole(), form));
        }
        // Of a nullable reference type, `?` says nothing in a cast but for `null` itself.
        let open = format!("({declared})");
        let mut parts = vec![text(open)];
        match form {
            Form::Primary => parts.push(Fragment::Moved(value)),
            _ => {
                parts[0] = text(format!("({declared})("));
                parts.push(Fragment::Moved(value));
                parts.push(text(")".to_owned()));
            }
        }
        Ok((parts, Form::Unary))
    }

    /// Whether the value has a `<` or `>` that could be taken for type arguments in a list.
    fn has_angle(&self) -> bool {
        self.tree().text_of(self.value).contains(['<', '>'])
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

/// A statement with its lines, and a blank line that would be one too many, where nothing else stands on them.
pub(crate) fn lines_of(text: &str, own: ByteRange) -> ByteRange {
    let (start, end) = (own.start as usize, own.end as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let is_alone =
        text[line_start..start].trim().is_empty() && text[end..line_end].trim().is_empty();
    if !is_alone {
        let white =
            text[end..line_end].len() - text[end..line_end].trim_start_matches([' ', '\t']).len();
        return ByteRange {
            start: own.start,
            end: (end + white) as u32,
        };
    }
    let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
    let before = &text[..line_start];
    let opens = before.trim_end().ends_with('{') || is_blank(before.lines().next_back());
    let behind = &text[line_end..];
    let mut last = line_end;
    if opens && is_blank(behind.lines().next()) {
        last += behind.find('\n').map_or(0, |at| at + 1);
    }
    ByteRange {
        start: line_start as u32,
        end: last as u32,
    }
}

/// How tightly an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Anything may stand behind it.
    Primary,
    /// A prefix operator or a cast.
    Unary,
    /// Operators between operands, and everything else.
    Other,
}

pub(crate) fn form_of(tree: &BodyTree<'_>, id: BodyId) -> Form {
    match tree.kind(id) {
        BodyKind::Name
        | BodyKind::GenericName
        | BodyKind::MemberAccess
        | BodyKind::AliasQualified
        | BodyKind::Invocation
        | BodyKind::ElementAccess
        | BodyKind::ObjectCreation
        | BodyKind::ImplicitCreation
        | BodyKind::AnonymousObject
        | BodyKind::Postfix
        | BodyKind::Checked
        | BodyKind::Parenthesized
        | BodyKind::Tuple
        | BodyKind::TypeOf
        | BodyKind::SizeOf
        | BodyKind::Default
        | BodyKind::DefaultLiteral
        | BodyKind::Literal
        | BodyKind::InterpolatedString
        | BodyKind::This
        | BodyKind::Base
        | BodyKind::PredefinedType => match holds_conditional(tree, id) {
            true => Form::Other,
            false => Form::Primary,
        },
        BodyKind::Unary | BodyKind::Cast | BodyKind::Await => {
            match Op::ALL.get(usize::from(tree.node(id).flags)) {
                Some(Op::FromEnd) if tree.kind(id) == BodyKind::Unary => Form::Other,
                _ => Form::Unary,
            }
        }
        _ => Form::Other,
    }
}

/// Whether a chain begins with `a?.b`, so that what is behind it would belong to it.
fn holds_conditional(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let mut at = id;
    loop {
        match tree.kind(at) {
            BodyKind::ConditionalAccess => return true,
            BodyKind::MemberAccess
            | BodyKind::Invocation
            | BodyKind::ElementAccess
            | BodyKind::SuppressNull => {
                at += 1;
            }
            _ => return false,
        }
    }
}

/// Whether an expression may stand in the place of a name without parentheses.
pub(crate) fn fits(tree: &BodyTree<'_>, used: BodyId, form: Form, has_angle: bool) -> bool {
    let Some(parent) = tree.parent(used) else {
        return false;
    };
    let index = tree.index_in_parent(used);
    match tree.kind(parent) {
        _ if form == Form::Primary => true,
        BodyKind::Argument
        | BodyKind::ElementInitializer
        | BodyKind::ArrayInitializer
        | BodyKind::CollectionInitializer
        | BodyKind::CollectionExpression => form == Form::Unary || !has_angle,
        BodyKind::Body
        | BodyKind::Accessor
        | BodyKind::Declarator
        | BodyKind::Return
        | BodyKind::Throw
        | BodyKind::Yield
        | BodyKind::Parenthesized
        | BodyKind::AnonymousMember
        | BodyKind::Lambda
        | BodyKind::LocalFunction
        | BodyKind::Switch
        | BodyKind::Lock
        | BodyKind::Using
        | BodyKind::ForCondition
        | BodyKind::Checked
        | BodyKind::Arm => true,
        BodyKind::If | BodyKind::While => index == 0,
        BodyKind::Do => index == 1,
        BodyKind::ForEach => index == 2,
        BodyKind::ForEachDeconstruct => index == 1,
        BodyKind::Assignment | BodyKind::MemberInit => index == 1,
        BodyKind::Binary
        | BodyKind::Unary
        | BodyKind::Cast
        | BodyKind::Await
        | BodyKind::Interpolation => form == Form::Unary,
        _ => false,
    }
}
