//! Which members of an application do not run in a test host: those of implementations whose registrations a factory
//! takes out.
//!
//! Owns: which registrations an application has of an implementation, and whether all of them are gone. Must not know: how
//! a factory says so, which tests use it.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, Snapshot};
use cortex_look::{
    QueryError,
    registration::{call_around, called, is_registering},
};
use cortex_model::{BlobId, EdgeKind, Modifier, RepoPath, TypeKey, TypeKind, simple_name};
use cortex_syntax::text::decode;

use crate::{
    diff_context::blobs::BlobSource,
    impact::{actions::Running, dispatch::Hierarchy, next::Member, promises},
    reaching::overrides::{Named, Overrides, Removal},
};

/// Where members of more types run a change, taking a few out says little.
const MAX_OWNERS: usize = 400;

/// Of a type with more implementations it is not asked which of them are taken out.
const MAX_BELOW: usize = 16;

/// What the framework registers by a call whose name says so.
const HOSTED: (&str, &str) = ("AddHostedService", "IHostedService");

/// A registration of an implementation.
#[derive(Clone)]
struct Registered {
    project: RepoPath,
    /// As what; `None` where it is as itself.
    service: Option<Named>,
    /// Whether who takes all objects of the service is given it, with all others.
    is_one_of_many: bool,
}

/// How a type comes to objects.
#[derive(Default)]
struct Made {
    registered: Vec<Registered>,
    /// The projects that make objects of it themselves.
    by: BTreeSet<RepoPath>,
}

/// What an application runs, with what is known of its types so far.
pub(super) struct Hosted<'a> {
    snapshot: &'a Snapshot,
    ids: DocIds<'a>,
    hierarchy: Hierarchy,
    source: BlobSource<'a>,
    running: &'a Running,
    /// The members by the types that declare them.
    members: BTreeMap<TypeKey, Vec<Member>>,
    /// Those that what is outside of the repository may call.
    roots: Option<BTreeSet<Member>>,
    made: BTreeMap<TypeKey, Made>,
    below: BTreeMap<TypeKey, Option<Vec<TypeKey>>>,
    /// The services of which code may take all objects, as far as they were asked for.
    taken: BTreeMap<TypeKey, bool>,
    /// The files that mention `IEnumerable`.
    enumerating: Option<BTreeSet<RepoPath>>,
}

impl<'a> Hosted<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        running: &'a Running,
        source: BlobSource<'a>,
    ) -> Self {
        let mut members: BTreeMap<TypeKey, Vec<Member>> = BTreeMap::new();
        for member in running.all() {
            members.entry(member.0).or_default().push(member);
        }
        Self {
            snapshot,
            ids: DocIds::new(snapshot),
            hierarchy: Hierarchy::default(),
            source,
            members,
            running,
            roots: None,
            made: BTreeMap::new(),
            below: BTreeMap::new(),
            taken: BTreeMap::new(),
            enumerating: None,
        }
    }

    /// Whether so many types run the change that taking a few out says little.
    pub(super) fn is_wide(&self) -> bool {
        self.members.len() > MAX_OWNERS
    }

    /// Why an application does not run what changed in a host with some overrides: the implementation that is gone, and
    /// what takes it out. `None` where it does run.
    pub(super) fn removed<'o>(
        &mut self,
        application: &RepoPath,
        overrides: &'o Overrides,
    ) -> Result<Option<(TypeKey, &'o Removal)>, QueryError> {
        if overrides.removals.is_empty() {
            return Ok(None);
        }
        let Some(record) = self.snapshot.project(application)? else {
            return Ok(None);
        };
        let mut visible: BTreeSet<RepoPath> = record.project.all_references.into_iter().collect();
        visible.insert(application.clone());
        let owners: Vec<TypeKey> = self.members.keys().copied().collect();
        let (mut stopped, mut first) = (BTreeSet::new(), None);
        for key in owners {
            if let Some(found) = self.type_removed(key, &visible, overrides)? {
                stopped.extend(self.of_objects(key)?);
                first = first.or(Some(found));
            }
        }
        let Some(first) = first else {
            return Ok(None);
        };
        let roots = match self.roots.take() {
            Some(known) => known,
            None => self.called_from_outside()?,
        };
        let runs = self.running.runs_in(application, stopped, &roots);
        self.roots = Some(roots);
        Ok((!runs).then_some(first))
    }

    /// Whether no object of a type or one derived from it is left: with one of these, and what takes it out.
    fn type_removed<'o>(
        &mut self,
        key: TypeKey,
        visible: &BTreeSet<RepoPath>,
        overrides: &'o Overrides,
    ) -> Result<Option<(TypeKey, &'o Removal)>, QueryError> {
        let Some(all) = self.concrete(key)? else {
            return Ok(None);
        };
        let mut first = None;
        for ty in all {
            let header = self.snapshot.type_header(ty)?;
            if !header.is_some_and(|it| visible.contains(&it.project)) {
                continue;
            }
            match self.implementation_removed(ty, visible, overrides)? {
                Some(removal) => first = first.or(Some((ty, removal))),
                None => return Ok(None),
            }
        }
        Ok(first)
    }

    fn implementation_removed<'o>(
        &mut self,
        ty: TypeKey,
        visible: &BTreeSet<RepoPath>,
        overrides: &'o Overrides,
    ) -> Result<Option<&'o Removal>, QueryError> {
        if overrides.added.contains(&Named::Known(ty)) {
            return Ok(None);
        }
        let mut about = Vec::new();
        for removal in &overrides.removals {
            let is_about = match (&removal.implementation, &removal.service) {
                (Some(Named::Known(it)), _) => *it == ty,
                (None, Some(Named::Known(service))) => {
                    *service == ty || self.hierarchy.is_below(&mut self.ids, ty, *service)?
                }
                (None, Some(Named::Outside(_))) => self.has_outer_base(ty)?,
                _ => false,
            };
            about.extend(is_about.then_some(removal));
        }
        if about.is_empty() {
            return Ok(None);
        }
        if !self.made.contains_key(&ty) {
            let made = self.read_made(ty)?;
            self.made.insert(ty, made);
        }
        let made = &self.made[&ty];
        let registered = made.registered.iter();
        let registered = registered.filter(|it| visible.contains(&it.project));
        let registered: Vec<Registered> = registered.cloned().collect();
        let is_made = made.by.iter().any(|project| visible.contains(project));
        if is_made || registered.is_empty() {
            return Ok(None);
        }
        let mut first = None;
        for of in registered {
            let takes_all = match &of.service {
                Some(Named::Known(service)) if about.iter().all(|it| it.leaves_others) => {
                    self.takes_all(*service)?
                }
                _ => false,
            };
            let is_one_of_many = of.is_one_of_many || takes_all;
            match (about.iter()).find(|removal| takes_out(removal, &of, is_one_of_many, ty)) {
                Some(removal) => first = first.or(Some(*removal)),
                None => return Ok(None),
            }
        }
        Ok(first)
    }

    /// Whether a type or one that it derives from has a base from outside of the repository, which may be any service.
    fn has_outer_base(&self, ty: TypeKey) -> Result<bool, QueryError> {
        let mut seen = BTreeSet::from([ty]);
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            let Some(node) = self.snapshot.type_node(ty)? else {
                continue;
            };
            if node.base_list.len() > node.bases.len() {
                return Ok(true);
            }
            work.extend(node.bases.into_iter().filter(|base| seen.insert(*base)));
        }
        Ok(false)
    }

    /// The types with objects among a type and those derived from it; `None` where they are many.
    fn concrete(&mut self, key: TypeKey) -> Result<Option<Vec<TypeKey>>, QueryError> {
        if let Some(known) = self.below.get(&key) {
            return Ok(known.clone());
        }
        let mut all = BTreeSet::from([key]);
        let mut work = vec![key];
        let mut out = Vec::new();
        while let Some(ty) = work.pop() {
            if all.len() > MAX_BELOW {
                self.below.insert(key, None);
                return Ok(None);
            }
            if let Some(node) = self.snapshot.type_node(ty)? {
                let has_objects = matches!(node.kind, TypeKind::Class | TypeKind::Record);
                let is_abstract = node.modifiers.contains(Modifier::Abstract);
                if has_objects && !is_abstract && !node.modifiers.contains(Modifier::Static) {
                    out.push(ty);
                }
            }
            for (below, kinds) in self.snapshot.dependents(ty)? {
                let derives =
                    kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements);
                if derives && all.insert(below) {
                    work.push(below);
                }
            }
        }
        out.sort_unstable();
        self.below.insert(key, Some(out.clone()));
        Ok(Some(out))
    }

    /// The registrations of a type, and who makes objects of it otherwise. Reads the files that mention its name.
    fn read_made(&mut self, ty: TypeKey) -> Result<Made, QueryError> {
        let mut out = Made::default();
        let Some(header) = self.snapshot.type_header(ty)? else {
            return Ok(out);
        };
        let mut reader = self.source.open();
        for file in self.snapshot.files_mentioning(simple_name(&header.fqn))? {
            let mut text: Option<Vec<u8>> = None;
            for project in &file.projects {
                let bindings = self.snapshot.bindings(&file.path, project)?;
                let named = (bindings.decls.iter()).flat_map(|decl| {
                    let names = decl.refs.iter();
                    names.map(move |name| (decl, name))
                });
                for (decl, name) in named {
                    let means = &bindings.targets[name.target as usize];
                    let is_it = matches!(means, BoundTarget::Type(key) if *key == ty);
                    let kinds = [EdgeKind::Local, EdgeKind::TypeOf, EdgeKind::Creates];
                    if !is_it || !kinds.contains(&name.kind) {
                        continue;
                    }
                    let text = match &mut text {
                        Some(text) => text,
                        none => {
                            let read = reader.read_blob(file.blob)?;
                            none.insert(decode(&read).as_bytes().to_vec())
                        }
                    };
                    let offset = name.offset as usize;
                    let is_made = name.kind == EdgeKind::Creates;
                    let call = call_around(text, offset);
                    // A list that objects are added to is no container.
                    let call = call.filter(|&start| {
                        !is_made || called(text, start).is_some_and(is_registering)
                    });
                    match call {
                        Some(start) => out.registered.push(Registered {
                            project: project.clone(),
                            service: service(&bindings, decl, text, (start, offset), ty),
                            is_one_of_many: is_one_of_many(text, start),
                        }),
                        None if is_made => {
                            out.by.insert(project.clone());
                        }
                        None => {}
                    }
                }
            }
        }
        Ok(out)
    }

    /// Whether code may take all objects of a service: `IEnumerable<IService>`. Reads the files that mention both.
    fn takes_all(&mut self, service: TypeKey) -> Result<bool, QueryError> {
        if let Some(&known) = self.taken.get(&service) {
            return Ok(known);
        }
        let Some(header) = self.snapshot.type_header(service)? else {
            return Ok(false);
        };
        let enumerating = match self.enumerating.take() {
            Some(known) => known,
            None => {
                let files = self.snapshot.files_mentioning("IEnumerable")?.into_iter();
                files.map(|it| it.path).collect()
            }
        };
        let name = simple_name(&header.fqn);
        let naming = self.snapshot.files_mentioning(name)?.into_iter();
        let both = naming.filter(|it| enumerating.contains(&it.path));
        let both: Vec<BlobId> = both.map(|it| it.blob).collect();
        self.enumerating = Some(enumerating);
        let mut reader = self.source.open();
        let taken = format!("IEnumerable<{name}>");
        let mut takes = both.len() > MAX_TAKING;
        for blob in both.iter().take(MAX_TAKING) {
            let text = reader.read_blob(*blob)?;
            takes |= memchr::memmem::find(&text, taken.as_bytes()).is_some();
        }
        self.taken.insert(service, takes);
        Ok(takes)
    }

    /// The members of a type among those that run, but for static ones.
    fn of_objects(&mut self, key: TypeKey) -> Result<Vec<Member>, QueryError> {
        let (Some(node), Some(known)) = (self.snapshot.type_node(key)?, self.ids.ty(key)?) else {
            return Ok(Vec::new());
        };
        let written = written_members(&node, &known);
        let is_static = |tag| {
            let symbol = known.index(tag);
            let at = written.iter().position(|at| at.is_some() && *at == symbol);
            at.is_some_and(|at| node.members[at].modifiers.contains(Modifier::Static))
        };
        let own = self.members.get(&key).into_iter().flatten();
        Ok(own.filter(|(_, tag)| !is_static(*tag)).copied().collect())
    }

    /// The members that override or implement ones from outside.
    fn called_from_outside(&mut self) -> Result<BTreeSet<Member>, QueryError> {
        let mut out = BTreeSet::new();
        for &(key, tag) in self.members.values().flatten() {
            if let Some(id) = self.ids.of(key, Some(tag))?
                && promises::outside(&mut self.ids, key, &id)?.is_some()
            {
                out.insert((key, tag));
            }
        }
        Ok(out)
    }
}

/// Whether a removal takes out a registration of a type.
fn takes_out(removal: &Removal, of: &Registered, is_one_of_many: bool, ty: TypeKey) -> bool {
    let is_service = match (&removal.service, &of.service) {
        (None, _) => true,
        (Some(service), Some(of)) => service == of,
        (Some(service), None) => *service == Named::Known(ty),
    };
    is_service && !(removal.leaves_others && is_one_of_many)
}

/// Of more files it is taken for granted that one takes all objects of a service.
const MAX_TAKING: usize = 8;

/// As what a call registers a type: the other one that it names first.
fn service(
    bindings: &cortex_index::FileBindings,
    decl: &cortex_index::DeclBindings,
    text: &[u8],
    (start, offset): (usize, usize),
    ty: TypeKey,
) -> Option<Named> {
    let inside = decl.refs.iter();
    let mut inside = inside.filter(|it| (start..offset).contains(&(it.offset as usize)));
    let known = inside.find_map(|name| match bindings.targets[name.target as usize] {
        BoundTarget::Type(key) if matches!(name.kind, EdgeKind::Local | EdgeKind::TypeOf) => {
            Some(key)
        }
        _ => None,
    });
    if let Some(known) = known.filter(|known| *known != ty) {
        return Some(Named::Known(known));
    }
    if called(text, start) == Some(HOSTED.0) {
        return Some(Named::Outside(HOSTED.1.to_owned()));
    }
    // One from outside stands before the type, in type arguments or in `typeof`.
    let before = std::str::from_utf8(text.get(start + 1..offset)?).ok()?;
    let before = before.trim_start();
    let before = before.strip_prefix("typeof(").unwrap_or(before);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let end = before.find(|c: char| !is_part(c))?;
    let (name, behind) = before.split_at(end);
    let is_whole = matches!(behind.trim_start().chars().next(), Some(',' | '>' | ')'));
    let simple = name.rsplit('.').next()?;
    (is_whole && !simple.is_empty()).then(|| Named::Outside(simple.to_owned()))
}

/// Whether a call registers one of several objects: what is hosted runs beside all others.
fn is_one_of_many(text: &[u8], start: usize) -> bool {
    let name = called(text, start).unwrap_or_default();
    name == HOSTED.0 || name == "TryAddEnumerable"
}
