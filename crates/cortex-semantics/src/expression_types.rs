//! The types of the expressions of one file, for edits that write types: read on demand.
//!
//! Must not know: what an edit does with them.

use std::collections::BTreeMap;

use cortex_syntax::{BodyId, FileFacts, Part};

use crate::{
    compilation::Compilation, expr::Constant, local_names::Recording, output::BoundUnit, ty::Ty,
    world::UnitKey,
};

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpressionType {
    /// What it is on its own; [`Ty::NONE`] where it has no type of its own.
    pub own: Ty,
    /// What its place converts it to, where that is recorded.
    pub converted: Option<Ty>,
    /// Whether its value is a constant that is known.
    pub is_constant: bool,
    /// The value of a constant of an integral type, `char` or an enum.
    pub integer: Option<i128>,
    /// The value of a constant `bool`.
    pub boolean: Option<bool>,
}

/// What binding finds in a file, with the types of its expressions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoundExpressions {
    /// What names mean, and what is used without being named.
    pub unit: BoundUnit,
    types: rustc_hash::FxHashMap<BodyId, ExpressionType>,
}

impl BoundExpressions {
    /// The type of an expression; of one that is bound several times, as it is bound for good.
    pub fn type_of(&self, node: BodyId) -> Option<ExpressionType> {
        self.types.get(&node).copied()
    }

    /// The expressions that are constant conditions, with their values.
    pub fn conditions(&self) -> BTreeMap<BodyId, bool> {
        let all = self.types.iter();
        all.filter_map(|(&node, it)| Some((node, it.boolean?)))
            .collect()
    }
}

impl Compilation<'_> {
    /// Binds a file and records the types of its expressions. `facts`: the file's, bodies included.
    ///
    /// Nothing of it is stored. O(expressions), except for what is loaded on the way.
    pub fn bind_expressions(&self, key: &UnitKey, facts: &FileFacts) -> BoundExpressions {
        let unit = self.bind_recording(key, facts, (Recording::On, &Part::Whole));
        let mut types = rustc_hash::FxHashMap::default();
        for typed in unit.decls.iter().flat_map(|(_, found)| &found.typed) {
            let entry = types.entry(typed.node).or_insert(ExpressionType {
                own: typed.ty,
                converted: None,
                is_constant: false,
                integer: None,
                boolean: None,
            });
            match typed.is_converted {
                true => entry.converted = Some(typed.ty),
                false => {
                    entry.own = typed.ty;
                    entry.is_constant = typed.constant.is_some();
                    entry.integer = match typed.constant {
                        Some(Constant::Int(value)) => Some(value),
                        _ => None,
                    };
                    entry.boolean = match typed.constant {
                        Some(Constant::Bool(value)) => Some(value),
                        _ => None,
                    };
                }
            }
        }
        BoundExpressions { unit, types }
    }
}
