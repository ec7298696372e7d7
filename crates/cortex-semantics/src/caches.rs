//! What a compilation remembers of questions that are asked again and again, one table per question.
//!
//! Each module that answers such a question adds its table here.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    symbol::{Constraints, TypeHeader},
    ty::Ty,
};

/// The tables.
#[derive(Default)]
pub(crate) struct Caches {
    /// What a type has whose base list loops.
    pub(crate) no_header: TypeHeader,
    /// What a type parameter has whose constraints loop.
    pub(crate) no_constraints: Constraints,
    /// By constructed type: every interface, transitively.
    pub(crate) interfaces: RefCell<FxHashMap<Ty, Rc<[Ty]>>>,
}
