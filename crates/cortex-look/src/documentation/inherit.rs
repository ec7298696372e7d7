//! The documentation of a symbol with what it inherits.
//!
//! Owns: from whom `<inheritdoc>` takes. Must not know: what a comment looks like.

use crate::{
    QueryError,
    documentation::{
        DocTarget,
        crefs::{Crefs, short_name},
        parse::{self, Inherit, Parsed},
    },
    symbol::{
        resolve,
        resolved::{Stages, SymbolPart},
    },
};
use cortex_derived::doc_ids::{DocIds, TypeIds, written_members};
use cortex_wire::{DocNote, DocSection, DocSectionKind, Documentation};

use std::{cell::RefCell, rc::Rc};

use cortex_bind::{PartRef, TypeNode, member_detail};
use cortex_git::ReadBlob;
use cortex_index::{Implementation, ImplementationKind, MemberTag, Snapshot};
use cortex_model::{ByteRange, DeclKind, RepoPath, TypeKey, TypeKind};
use cortex_syntax::{FileFacts, Sections, text::decode};
use rustc_hash::FxHashMap;

/// How many symbols documentation may travel through.
const MAX_STEPS: usize = 64;

/// A type of the snapshot as it is read here.
struct Known {
    node: TypeNode,
    ids: Rc<TypeIds>,
    /// The symbol of each written member.
    written: Vec<Option<usize>>,
    docs: Vec<(usize, ByteRange)>,
}

/// Reads documentation; each file and type once.
pub(crate) struct Reader<'s, 'r> {
    snapshot: &'s Snapshot,
    blobs: &'r mut dyn ReadBlob,
    facts: FxHashMap<(RepoPath, RepoPath), Option<Rc<FileFacts>>>,
    ids: DocIds<'s>,
    texts: FxHashMap<RepoPath, Rc<str>>,
    crefs: FxHashMap<(RepoPath, RepoPath), Rc<Crefs>>,
    implementations: FxHashMap<TypeKey, Rc<[Implementation]>>,
    /// How deep types are nested that a `cref` names.
    depths: RefCell<FxHashMap<TypeKey, usize>>,
    types: FxHashMap<TypeKey, Option<Rc<Known>>>,
}

/// A type, or a member of it by its index.
type Place = (TypeKey, Option<usize>);

impl<'s, 'r> Reader<'s, 'r> {
    pub(crate) fn new(snapshot: &'s Snapshot, blobs: &'r mut dyn ReadBlob) -> Self {
        Self {
            snapshot,
            blobs,
            facts: FxHashMap::default(),
            ids: DocIds::new(snapshot),
            texts: FxHashMap::default(),
            crefs: FxHashMap::default(),
            implementations: FxHashMap::default(),
            depths: RefCell::default(),
            types: FxHashMap::default(),
        }
    }

    /// The text of a file, without its byte order mark.
    pub(crate) fn text(&mut self, path: &RepoPath) -> Result<Rc<str>, QueryError> {
        if let Some(known) = self.texts.get(path) {
            return Ok(known.clone());
        }
        let text: Rc<str> = match self.snapshot.file(path)? {
            Some(file) => {
                let bytes = self.blobs.read_blob(file.blob)?;
                Rc::from(&*String::from_utf8_lossy(decode(&bytes).as_bytes()))
            }
            None => Rc::from(""),
        };
        self.texts.insert(path.clone(), text.clone());
        Ok(text)
    }

    /// The declarations of a file inside a project; `None` where it was skipped.
    pub(crate) fn facts(
        &mut self,
        path: &RepoPath,
        project: &RepoPath,
    ) -> Result<Option<Rc<FileFacts>>, QueryError> {
        let key = (path.clone(), project.clone());
        if let Some(known) = self.facts.get(&key) {
            return Ok(known.clone());
        }
        let facts = match self.snapshot.file(path)? {
            Some(file) => self
                .snapshot
                .facts(&file, project, Sections::Declarations)?,
            None => None,
        };
        let facts = facts.map(Rc::new);
        self.facts.insert(key, facts.clone());
        Ok(facts)
    }

    /// The documentation id of each member of a type.
    pub(crate) fn doc_ids(&mut self, key: TypeKey) -> Result<Vec<Option<String>>, QueryError> {
        let Some(known) = self.known(key)? else {
            return Ok(Vec::new());
        };
        let ids = known
            .written
            .iter()
            .map(|at| at.map(|at| known.ids.member(at)));
        Ok(ids.collect())
    }

    /// The documentation of a type, or of the member at an index; with what it inherits.
    pub(crate) fn of(
        &mut self,
        key: TypeKey,
        member: Option<usize>,
    ) -> Result<Documentation, QueryError> {
        let mut seen = Vec::new();
        let mut out = self.whole((key, member), &mut seen)?;
        out.sections.sort_by_key(|section| section.kind);
        out.notes.sort();
        out.notes.dedup();
        Ok(out)
    }

    fn whole(&mut self, place: Place, seen: &mut Vec<Place>) -> Result<Documentation, QueryError> {
        if seen.len() >= MAX_STEPS || seen.contains(&place) {
            return Ok(Documentation::default());
        }
        seen.push(place);
        let Parsed { mut docs, inherits } = self.own(place)?;
        for inherit in inherits {
            let (found, name) = self.source(place, &inherit)?;
            let Some(from) = found else {
                docs.notes.push(DocNote::NotInherited(name));
                continue;
            };
            let inherited = self.whole(from, seen)?;
            if inherited.sections.is_empty() && inherited.notes.is_empty() {
                docs.notes.push(DocNote::NotInherited(name));
                continue;
            }
            docs.notes.extend(name.map(DocNote::Inherited));
            docs.notes.extend(inherited.notes);
            take(
                &mut docs.sections,
                inherited.sections,
                inherit.section.as_ref(),
            );
        }
        Ok(docs)
    }

    fn crefs(&mut self, path: &RepoPath, project: &RepoPath) -> Result<Rc<Crefs>, QueryError> {
        let key = (path.clone(), project.clone());
        if let Some(known) = self.crefs.get(&key) {
            return Ok(known.clone());
        }
        let crefs = Rc::new(Crefs::new(Rc::new(self.snapshot.bindings(path, project)?)));
        self.crefs.insert(key, crefs.clone());
        Ok(crefs)
    }

    fn known(&mut self, key: TypeKey) -> Result<Option<Rc<Known>>, QueryError> {
        if let Some(known) = self.types.get(&key) {
            return Ok(known.clone());
        }
        let found = match (self.snapshot.type_node(key)?, self.ids.ty(key)?) {
            (Some(node), Some(ids)) => {
                let mut docs = Vec::with_capacity(node.members.len());
                for member in &node.members {
                    let part = node.parts.get(member.part as usize);
                    let facts = match part {
                        Some(part) => self.facts(&part.path, node.project_of(part))?,
                        None => None,
                    };
                    let detail = facts
                        .as_deref()
                        .and_then(|facts| member_detail(facts, member));
                    let range = detail.map(|it| it.doc_range).unwrap_or_default();
                    docs.push((member.part as usize, range));
                }
                Some(Rc::new(Known {
                    written: written_members(&node, &ids),
                    docs,
                    node,
                    ids,
                }))
            }
            _ => None,
        };
        self.types.insert(key, found.clone());
        Ok(found)
    }

    /// What is written at a symbol itself; of the parts of a type, one after the other.
    fn own(&mut self, (key, member): Place) -> Result<Parsed, QueryError> {
        let Some(known) = self.known(key)? else {
            return Ok(Parsed::default());
        };
        let ranges: Vec<(&PartRef, ByteRange)> = match member {
            None => known
                .node
                .parts
                .iter()
                .map(|part| (part, part.doc_range))
                .collect(),
            Some(at) => {
                let at = known.docs.get(at);
                let found =
                    at.and_then(|&(part, range)| Some((known.node.parts.get(part)?, range)));
                found.into_iter().collect()
            }
        };
        let mut out = Parsed::default();
        for (part, range) in ranges {
            if range.end <= range.start {
                continue;
            }
            let text = self.text(&part.path)?;
            let Some(comment) = text.get(range.as_usize()) else {
                continue;
            };
            let crefs = self.crefs(&part.path, known.node.project_of(part))?;
            let failed = RefCell::new(None);
            let (snapshot, depths) = (self.snapshot, &self.depths);
            let depth_of = |key: TypeKey| {
                if let Some(&known) = depths.borrow().get(&key) {
                    return known;
                }
                let depth = match snapshot.type_header(key) {
                    Ok(header) => header.map_or(0, |it| it.fqn.matches('+').count()),
                    Err(error) => {
                        *failed.borrow_mut() = Some(QueryError::from(error));
                        0
                    }
                };
                depths.borrow_mut().insert(key, depth);
                depth
            };
            let find = |written: &str, at: u32| crefs.named(written, range.start + at, &depth_of);
            let parsed = parse::parse(comment, &find);
            if let Some(error) = failed.take() {
                return Err(error);
            }
            take(&mut out.docs.sections, parsed.docs.sections, None);
            out.docs.notes.extend(parsed.docs.notes);
            out.inherits.extend(parsed.inherits);
        }
        Ok(out)
    }

    /// From where an `<inheritdoc>` takes, and what that is called, if it is of this repository or known at all.
    fn source(
        &mut self,
        place: Place,
        inherit: &Inherit,
    ) -> Result<(Option<Place>, Option<String>), QueryError> {
        if let Some(named) = &inherit.cref {
            let found = match named.target {
                Some(target) => self.place_of(target)?,
                None => self.by_doc_id(&named.written, place.0)?,
            };
            return Ok((found, Some(named.name.clone())));
        }
        let Some(known) = self.known(place.0)? else {
            return Ok((None, None));
        };
        match place.1 {
            None => self.of_base(&known, place.0),
            Some(at) => self.of_member(&known, place.0, at),
        }
    }

    /// A class takes from its base, anything else from its first interface.
    fn of_base(
        &mut self,
        known: &Known,
        key: TypeKey,
    ) -> Result<(Option<Place>, Option<String>), QueryError> {
        let mut interface = None;
        for &base in &known.node.bases {
            let Some(header) = self.snapshot.type_header(base)? else {
                continue;
            };
            let found = (Some((base, None)), Some(type_name(&header.fqn)));
            if header.kind != TypeKind::Interface {
                return Ok(found);
            }
            interface.get_or_insert(found);
        }
        if let Some(found) = interface {
            return Ok(found);
        }
        let edges = self.snapshot.edges(key)?;
        let outside = edges.external.iter().find(|edge| {
            let kinds = edge.kinds;
            kinds.contains(cortex_model::EdgeKind::Inherits)
                || kinds.contains(cortex_model::EdgeKind::Implements)
        });
        Ok((None, outside.map(|edge| short_name(&edge.id, None))))
    }

    /// A member takes from what it overrides, else from what it implements; a constructor from the base's
    /// constructor with the same parameters.
    fn of_member(
        &mut self,
        known: &Known,
        key: TypeKey,
        at: usize,
    ) -> Result<(Option<Place>, Option<String>), QueryError> {
        let member = &known.node.members[at];
        if member.kind == DeclKind::Constructor {
            for &base in &known.node.bases {
                let Some(base_type) = self.known(base)? else {
                    continue;
                };
                let fitting = base_type.node.members.iter().position(|other| {
                    other.kind == DeclKind::Constructor && other.has_tail_of(member)
                });
                if fitting.is_some() {
                    return Ok((Some((base, fitting)), Some(type_name(&base_type.node.fqn))));
                }
            }
            return Ok((None, None));
        }
        let Some(id) = known.written[at].map(|at| known.ids.member(at)) else {
            return Ok((None, None));
        };
        let known = match self.implementations.get(&key) {
            Some(known) => known.clone(),
            None => {
                let all: Rc<[Implementation]> = self.snapshot.implementations(key)?.into();
                self.implementations.insert(key, all.clone());
                all
            }
        };
        let mut all: Vec<&Implementation> = known.iter().filter(|it| *it.member == *id).collect();
        all.sort_by_key(|it| (it.how != ImplementationKind::Override, it.of.clone()));
        let mut name = None;
        for found in all {
            name.get_or_insert_with(|| short_name(&found.of, None));
            if let Some(place) = self.by_doc_id(&found.of, key)? {
                return Ok((Some(place), Some(short_name(&found.of, None))));
            }
        }
        Ok((None, name))
    }

    fn place_of(&mut self, target: DocTarget) -> Result<Option<Place>, QueryError> {
        let Some(tag) = target.member else {
            return Ok(Some((target.key, None)));
        };
        let Some(known) = self.known(target.key)? else {
            return Ok(None);
        };
        Ok(written_at(&known, tag).map(|at| (target.key, Some(at))))
    }

    /// What a documentation id means; of twins that which the asking type's project declares.
    fn by_doc_id(&mut self, id: &str, asking: TypeKey) -> Result<Option<Place>, QueryError> {
        if id.as_bytes().get(1) != Some(&b':') {
            return Ok(None);
        }
        let home = self.snapshot.type_header(asking)?.map(|it| it.assembly);
        let twin = home.map(|assembly| format!("{id}@{assembly}"));
        for id in twin.iter().map(String::as_str).chain([id]) {
            match resolve(self.snapshot, id, Stages::Exact, self.blobs) {
                Ok(symbol) => {
                    let member = match symbol.part {
                        SymbolPart::Whole => None,
                        SymbolPart::Group(all) => all.first().copied(),
                        SymbolPart::Member(at) => Some(at),
                    };
                    return Ok(Some((symbol.key, member)));
                }
                Err(QueryError::SymbolNotFound { .. } | QueryError::AmbiguousSymbol { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

fn written_at(known: &Known, tag: MemberTag) -> Option<usize> {
    let symbol = known.ids.index(tag)?;
    known.written.iter().position(|it| *it == Some(symbol))
}

/// The simple name of a type, with those of the types around it: ``Ns.Outer`1+Inner`` is `Outer.Inner`.
fn type_name(fqn: &str) -> String {
    let nested = fqn.find('+').unwrap_or(fqn.len());
    let start = fqn[..nested].rfind('.').map_or(0, |dot| dot + 1);
    let names = fqn[start..]
        .split('+')
        .map(|it| it.split('`').next().unwrap_or(it));
    names.collect::<Vec<_>>().join(".")
}

/// Adds sections that are not there yet: all, or those that are wanted.
fn take(
    own: &mut Vec<DocSection>,
    others: Vec<DocSection>,
    wanted: Option<&(DocSectionKind, String)>,
) {
    for other in others {
        let is_wanted = wanted.is_none_or(|(kind, name)| {
            other.kind == *kind && (name.is_empty() || other.name == *name)
        });
        let has = |it: &DocSection| it.kind == other.kind && it.name == other.name;
        if !is_wanted {
            continue;
        }
        match own.iter().position(has) {
            // What is asked for by its name goes behind what is said already.
            Some(at) if wanted.is_some() => own[at].blocks.extend(other.blocks),
            Some(_) => {}
            None => own.push(other),
        }
    }
}
