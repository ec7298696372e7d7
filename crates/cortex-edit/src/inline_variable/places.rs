//! Whether an initial value means the same, and compiles, in the places where the variable is used.

use cortex_model::DeclKind;
use cortex_semantics::{Target, Ty};
use cortex_syntax::{BodyId, BodyKind, Op, body_flags};

use super::Variable;
use crate::{
    EditError,
    context::{Overflow, overflow_dependent},
    expression_tree::{is_in_tree, unfit},
    folding::{Folded, Folding, known},
};

impl Variable<'_, '_> {
    /// Refuses places that make something else of the value.
    pub(super) fn check_places(&self) -> Result<(), EditError> {
        self.check_overflow()?;
        self.check_constant()?;
        self.check_trees()?;
        self.check_function()?;
        self.check_identity()
    }

    /// Refuses arithmetic that is checked where the variable is declared or where it is used, and not in both places.
    fn check_overflow(&self) -> Result<(), EditError> {
        let tree = self.tree();
        let from = Overflow::at(tree, self.value);
        let Some(node) = overflow_dependent(&self.bound, self.value, from) else {
            return Ok(());
        };
        let is_other = |used: &&BodyId| Overflow::at(tree, **used) != from;
        match self.uses.iter().find(is_other) {
            Some(&used) => {
                let reason = format!(
                    "`{}` is checked for overflow in one of both places, and not in the other",
                    tree.text_of(node)
                );
                let help = "write `checked(…)` or `unchecked(…)` around the initial value first";
                Err(self.refused_at(used, &reason, help))
            }
            None => Ok(()),
        }
    }

    /// Refuses a constant that takes the place of a variable where the compiler would compute with it, and fail.
    fn check_constant(&self) -> Result<(), EditError> {
        let is_constant = self.tree().node(self.declaration).flags & body_flags::CONST != 0;
        let value = known(&self.bound, self.value);
        if is_constant || value == Folded::Variable {
            return Ok(());
        }
        let replaced = |id: BodyId| self.uses.contains(&id).then(|| value.clone());
        let folding = Folding {
            bound: &self.bound,
            replaced: &replaced,
            root: None,
            outside: Overflow::Default,
        };
        for &used in &self.uses {
            let checked = folding.check(used);
            checked.map_err(|misfit| {
                let help = "a constant is computed when the code is compiled: keep the variable";
                self.refused_at(misfit.node, misfit.reason, help)
            })?;
        }
        Ok(())
    }

    /// Refuses what an expression tree cannot hold.
    fn check_trees(&self) -> Result<(), EditError> {
        let Some((_, what)) = unfit(&self.bound, self.value) else {
            return Ok(());
        };
        let used = self
            .uses
            .iter()
            .find(|&&used| is_in_tree(&self.bound, used));
        match used {
            Some(&used) => {
                let reason = format!("an expression tree cannot hold {what}");
                let help = "keep the variable: its value is computed before the tree is made";
                Err(self.refused_at(used, &reason, help))
            }
            None => Ok(()),
        }
    }

    /// Refuses a function without a written type where nothing gives it one: what is called, or has a member.
    fn check_function(&self) -> Result<(), EditError> {
        let tree = self.tree();
        let is_var = tree.kind(self.ty) == BodyKind::Name && tree.text_of(self.ty) == "var";
        let is_lambda = matches!(
            tree.kind(self.value),
            BodyKind::Lambda | BodyKind::AnonymousMethod
        );
        if !is_var || !is_lambda && !self.is_method_group() {
            return Ok(());
        }
        for &used in &self.uses {
            let mut at = used;
            let mut parent = tree.parent(used);
            while let Some(it) = parent.filter(|&it| tree.kind(it) == BodyKind::Parenthesized) {
                at = it;
                parent = tree.parent(it);
            }
            let gives_type = parent.is_some_and(|it| match tree.kind(it) {
                BodyKind::Argument
                | BodyKind::Declarator
                | BodyKind::Return
                | BodyKind::Body
                | BodyKind::Accessor
                | BodyKind::Lambda
                | BodyKind::Cast => true,
                BodyKind::Assignment | BodyKind::MemberInit => {
                    tree.index_in_parent(at) > 0 && tree.node(it).flags == Op::Assign as u8
                        || tree.kind(it) == BodyKind::MemberInit && tree.index_in_parent(at) > 0
                }
                // A method is called as its delegate is.
                BodyKind::Invocation => !is_lambda,
                _ => false,
            });
            if !gives_type {
                let reason = "nothing gives the function a type there";
                let help = "write the type of the variable instead of `var` first";
                return Err(self.refused_at(used, reason, help));
            }
        }
        Ok(())
    }

    fn is_method_group(&self) -> bool {
        let tree = self.tree();
        let name = match tree.kind(self.value) {
            BodyKind::MemberAccess => tree.children(self.value).last().copied(),
            BodyKind::Name | BodyKind::GenericName => Some(self.value),
            _ => None,
        };
        let target = name.and_then(|it| self.bound.target(tree.node(it).offset));
        match target {
            Some(Target::Member(member)) => {
                self.bound.compilation.member(member).kind == DeclKind::Method
            }
            _ => false,
        }
    }

    /// Refuses a value that is a new object each time it is evaluated, where several uses may compare it.
    fn check_identity(&self) -> Result<(), EditError> {
        if self.uses.len() < 2 {
            return Ok(());
        }
        // C# specification, 10.2.9: boxing makes an object.
        let help = "keep the variable: each use would get an object of its own";
        if self.boxes() {
            let reason = "the value is boxed, and several places use the object";
            return Err(self.refused_at(self.value, reason, help));
        }
        // A text that is computed is a new object, which only code that sees an object can compare.
        if self.makes_text()
            && let Some(&used) = self.uses.iter().find(|&&used| self.is_used_as_object(used))
        {
            let reason = "the text is made anew each time, and is used as an object there";
            return Err(self.refused_at(used, reason, help));
        }
        Ok(())
    }

    fn boxes(&self) -> bool {
        let types = self.bound.type_of(self.value).zip(self.variable_type());
        let casts = || {
            // `var o = (object)i;`
            let tree = self.tree();
            let mut inner = self.value;
            while tree.kind(inner) == BodyKind::Parenthesized {
                inner = tree.children(inner)[0];
            }
            let operand = match tree.kind(inner) {
                BodyKind::Cast => tree.children(inner).get(1).copied(),
                BodyKind::As => tree.children(inner).first().copied(),
                _ => None,
            };
            operand
                .and_then(|it| self.bound.type_of(it))
                .zip(self.bound.type_of(inner))
        };
        let is_boxed = |(from, to): (Ty, Ty)| self.is_value(from) && self.is_object(to);
        types.is_some_and(is_boxed) || casts().is_some_and(is_boxed)
    }

    fn is_value(&self, ty: Ty) -> bool {
        use cortex_model::TypeKind;
        let c = self.bound.compilation;
        match c.kind(ty) {
            cortex_semantics::TyKind::Tuple { .. } | cortex_semantics::TyKind::Param(_) => true,
            _ => c.def_of(ty).is_some_and(|def| {
                matches!(
                    c.def(def).kind,
                    TypeKind::Struct | TypeKind::RecordStruct | TypeKind::Enum
                )
            }),
        }
    }

    /// Whether a type is one of references to boxes: `object`, `dynamic`, interfaces, `ValueType`, `Enum`.
    fn is_object(&self, ty: Ty) -> bool {
        use cortex_model::TypeKind;
        let c = self.bound.compilation;
        match c.kind(ty) {
            cortex_semantics::TyKind::Dynamic => true,
            _ => c.def_of(ty).is_some_and(|def| {
                matches!(c.def(def).kind, TypeKind::Class | TypeKind::Interface)
            }),
        }
    }

    fn makes_text(&self) -> bool {
        let tree = self.tree();
        let is_text = (self.bound.type_of(self.value))
            .is_some_and(|ty| self.bound.compilation.display_type(ty) == "string");
        let is_constant = known(&self.bound, self.value) != Folded::Variable;
        let makes = |id: BodyId| {
            matches!(
                tree.kind(id),
                BodyKind::Binary | BodyKind::InterpolatedString
            )
        };
        is_text && !is_constant && tree.within(self.value).any(makes)
    }

    fn is_used_as_object(&self, used: BodyId) -> bool {
        let tree = self.tree();
        let mut at = used;
        let mut parent = tree.parent(used);
        while let Some(it) = parent.filter(|&it| tree.kind(it) == BodyKind::Parenthesized) {
            at = it;
            parent = tree.parent(it);
        }
        let converted = self
            .bound
            .expressions
            .type_of(at)
            .and_then(|it| it.converted);
        let is_other = converted
            .is_some_and(|ty| !ty.is_none() && self.bound.compilation.display_type(ty) != "string");
        is_other || parent.is_some_and(|it| matches!(tree.kind(it), BodyKind::Cast | BodyKind::As))
    }
}
