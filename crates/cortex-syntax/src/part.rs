//! Which declarations of a file have to do with some names.
//!
//! Must not know: what names mean.

use crate::facts::{Decl, DeclId, FileFacts, UsingKind};
use cortex_model::{ByteRange, DeclKind};

/// What of a file is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// What stands outside of declarations, and these declarations: whether each is one of them, by [`DeclId`]. A
    /// declaration is looked at without those that are nested in it.
    Declarations(Vec<bool>),
}

impl Part {
    /// Whether it has a declaration.
    pub fn has(&self, decl: DeclId) -> bool {
        match self {
            Self::Whole => true,
            Self::Declarations(wanted) => wanted.get(decl as usize).copied().unwrap_or(true),
        }
    }
}

impl FileFacts {
    /// The declarations that write one of some names, in their heads, bodies or documentation, or around one of some
    /// offsets, which ascend. The whole file where names outside of them decide what they see: those of namespaces and
    /// using directives. Needs bodies. O(names of the file).
    ///
    /// A declaration around another one counts as writing what the other one writes; a later variable of a field, as
    /// writing the type that they share.
    pub fn part_mentioning(&self, names: &dyn Fn(&str) -> bool, offsets: &[u32]) -> Part {
        let is_named: Vec<bool> = self.names.iter().map(|name| names(name)).collect();
        let is_it = |id: u32| is_named.get(id as usize).copied().unwrap_or_default();
        let is_namespace = |decl: &Decl| {
            decl.kind == DeclKind::Namespace
                && self.name(decl.name).split('.').any(|it| names(it.trim()))
        };
        let is_alias = |kind: &UsingKind| match kind {
            UsingKind::Alias(name) | UsingKind::ExternAlias(name) => is_it(*name),
            UsingKind::Namespace | UsingKind::Static => false,
        };
        if self.usings.iter().any(|using| is_alias(&using.kind))
            || self.decls.iter().any(is_namespace)
        {
            return Part::Whole;
        }
        let mut places: Vec<u32> = (self.refs.iter())
            .filter(|it| is_it(it.name))
            .map(|it| it.offset)
            .chain(offsets.iter().copied())
            .collect();
        places.sort_unstable();
        let has_place = |range: ByteRange| {
            let at = places.partition_point(|&place| place < range.start);
            places.get(at).is_some_and(|&place| place < range.end)
        };
        if self.usings.iter().any(|using| has_place(using.range)) {
            return Part::Whole;
        }
        let mut wanted: Vec<bool> = (self.decls.iter())
            .map(|decl| {
                let params = decl.params.iter().flatten().map(|it| it.name);
                let own = params.chain(decl.type_params.iter().map(|it| it.name));
                is_it(decl.name)
                    || own.into_iter().any(&is_it)
                    || has_place(decl.range)
                    || has_place(decl.doc_range)
            })
            .collect();
        self.add_bodies(&is_it, &mut wanted);
        for at in 1..self.decls.len() {
            let [first, second] = [&self.decls[at - 1], &self.decls[at]];
            wanted[at] |= wanted[at - 1] && second.kind == first.kind && shares_type(first, second);
        }
        Part::Declarations(wanted)
    }

    /// Adds the declarations whose bodies have one of some names.
    fn add_bodies(&self, is_it: &dyn Fn(u32) -> bool, wanted: &mut [bool]) {
        for root in self.bodies.roots() {
            let node = self.bodies.node(root);
            let Some(slot) = (node.value.checked_sub(1)).and_then(|at| wanted.get_mut(at as usize))
            else {
                continue;
            };
            let inside = &self.bodies.nodes()[root as usize + 1..node.after as usize];
            *slot |= inside.iter().any(|it| it.name().is_some_and(is_it));
        }
    }
}

/// Whether two declarations that follow each other are variables of one field.
fn shares_type(first: &Decl, second: &Decl) -> bool {
    let is_field = matches!(
        second.kind,
        DeclKind::Field | DeclKind::Constant | DeclKind::Event
    );
    is_field && first.parent == second.parent && first.ty == second.ty
}
