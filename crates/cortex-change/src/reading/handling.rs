//! Handlers that a framework gives what changed code names: the requirement that an action asks for decides there.
//!
//! Must not know: which bases are those of handlers, how they are told.

use std::collections::BTreeMap;

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_index::MemberTag;
use cortex_look::QueryError;
use cortex_model::{DeclKind, EdgeKind, Modifier, TypeKey};

use crate::{
    diff_context::compared::Compared,
    impact::{
        handlers::{depends_on, handed},
        next::Member,
    },
};

/// So many types are looked at.
const MAX_ASKED: usize = 200;

/// What more handlers are given is an event of the whole program.
const MAX_HANDLERS: usize = 3;

/// How names of methods begin that are given something.
const METHODS: [&str; 2] = ["Handle", "Consume"];

/// The handlers of what is handed to them, found once for each type.
pub(super) struct Handling<'c> {
    compared: &'c Compared,
    ids: DocIds<'c>,
    of: BTreeMap<TypeKey, Vec<Member>>,
}

impl<'c> Handling<'c> {
    pub(super) fn new(compared: &'c Compared) -> Self {
        Self {
            compared,
            ids: DocIds::new(&compared.new),
            of: BTreeMap::new(),
        }
    }

    /// The methods of handlers of the product that are given a type, or what a static field or property of it holds:
    /// `Operations.Read`. None where many handle it.
    pub(super) fn of_named(
        &mut self,
        (ty, member): (TypeKey, Option<MemberTag>),
    ) -> Result<Vec<Member>, QueryError> {
        let handed = match member {
            None => Some(ty),
            Some(tag) => self.kept(ty, tag)?,
        };
        let Some(key) = handed else {
            return Ok(Vec::new());
        };
        if let Some(known) = self.of.get(&key) {
            return Ok(known.clone());
        }
        if self.of.len() >= MAX_ASKED {
            return Ok(Vec::new());
        }
        let found = self.find(key)?;
        self.of.insert(key, found.clone());
        Ok(found)
    }

    /// The type of what a static field or property of a type holds.
    fn kept(&mut self, ty: TypeKey, tag: MemberTag) -> Result<Option<TypeKey>, QueryError> {
        let (Some(node), Some(own)) = (self.compared.new.type_node(ty)?, self.ids.ty(ty)?) else {
            return Ok(None);
        };
        let written = written_members(&node, &own).into_iter();
        let mut members = node.members.iter().zip(written);
        let wanted = own.index(tag);
        let found = members.find(|(_, at)| at.is_some() && *at == wanted);
        let held = found.map(|(member, _)| member).filter(|member| {
            let is_value = matches!(member.kind, DeclKind::Field | DeclKind::Property);
            is_value && member.modifiers.contains(Modifier::Static)
        });
        match held.and_then(|member| member.ty.as_ref()) {
            Some(held) => depends_on(&self.ids, ty, &held.full()),
            None => Ok(None),
        }
    }

    fn find(&mut self, key: TypeKey) -> Result<Vec<Member>, QueryError> {
        let snapshot = &self.compared.new;
        let Some(header) = snapshot.type_header(key)? else {
            return Ok(Vec::new());
        };
        let mut out = Vec::new();
        let mut n_handlers = 0;
        for (user, kinds) in snapshot.dependents(key)? {
            if !(kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)) {
                continue;
            }
            let node = snapshot.type_node(user)?;
            let node = node.filter(|node| !self.compared.is_of_tests(&node.project));
            let Some(node) = node else { continue };
            let mut given = node.base_list.iter().filter_map(handed);
            let own = self.ids.ty(user)?;
            let Some(own) = own.filter(|_| given.any(|name| name == header.fqn)) else {
                continue;
            };
            n_handlers += 1;
            let written = written_members(&node, &own).into_iter();
            let methods = node.members.iter().zip(written).filter(|(member, _)| {
                let is_named = METHODS.iter().any(|start| member.name.starts_with(start));
                let is_run = member.accessibility.is_visible();
                member.kind == DeclKind::Method && is_named && is_run
            });
            let tags = methods.filter_map(|(_, at)| Some((user, own.symbols.tag(at?))));
            out.extend(tags);
        }
        Ok(if n_handlers > MAX_HANDLERS {
            Vec::new()
        } else {
            out
        })
    }
}
