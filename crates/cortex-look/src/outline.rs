//! The outline of a type or of members: what one must know of it without reading its code.
//!
//! Owns: what belongs into it. Must not know: how it is rendered, what is cut.

use crate::{
    QueryError,
    declared::{declared, declared_member, declared_type},
    documentation::inherit::Reader,
    source::parts_of,
    subject::{find_symbol, outside},
    symbol::resolved::SymbolPart,
    viewpoint::Viewpoint,
};
use cortex_derived::dependencies::{
    Dependencies,
    kept::{MAX_DIRECT, N_TOP},
};
use cortex_wire::{
    DocsShown, Documentation, MemberOutline, OutlineAnswer, OutlineDependency, OutlineHashes,
    OutlinePlace, OutlineType, TypeOutline,
};

use std::collections::BTreeMap;

use cortex_bind::{PartRef, TypeNode, main_part};
use cortex_index::{MemberDetails, Snapshot, TypeEdges};
use cortex_model::{Accessibility, EdgeKind, EdgeKinds, TypeKey, member_short_id, simple_name};
use rayon::prelude::*;

/// What an outline shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineOptions {
    /// Which members.
    pub members: MembersShown,
    /// How deep types inside of the type are shown; 0 for their names alone.
    pub depth: u32,
    /// Whose documentation is read.
    pub docs: DocsShown,
    /// Whether the code of all declarations is wanted.
    pub source: SourceShown,
    /// How many types are named that it depends on, and that use it.
    pub n_related: usize,
}

/// Which members an outline shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MembersShown {
    /// Those that others can use: of an internal type its internal ones too.
    Public,
    /// All.
    All,
}

/// Whether an outline has the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceShown {
    /// Not.
    Without,
    /// All declarations, one after the other.
    With,
}

/// Tells what a type or a member is.
///
/// # Errors
/// Those of [`find_symbol`].
pub fn outline(
    view: &Viewpoint<'_>,
    text: &str,
    options: &OutlineOptions,
) -> Result<OutlineAnswer, QueryError> {
    let (symbol, subject) = find_symbol(view, text)?;
    let snapshot = view.snapshot();
    let mut blobs = view.blobs();
    let mut reader = Reader::new(snapshot, &mut *blobs);
    let mut maker = Maker {
        view,
        snapshot,
        options,
        reader: &mut reader,
    };
    let is_of_members = symbol.part != SymbolPart::Whole;
    let ty = maker.of_type(symbol.key, &symbol.node, Some(&symbol.part), options.depth)?;
    if ty.files.is_empty() && ty.members.is_empty() && !view.filter.is_everything() {
        return Err(outside(view, &subject));
    }
    let source = match options.source {
        SourceShown::With => parts_of(view, &symbol, 0, &mut reader)?,
        SourceShown::Without => Vec::new(),
    };
    Ok(OutlineAnswer {
        subject,
        ty,
        is_of_members,
        docs: options.docs,
        source,
    })
}

struct Maker<'a, 's, 'r> {
    view: &'a Viewpoint<'a>,
    snapshot: &'s Snapshot,
    options: &'a OutlineOptions,
    reader: &'a mut Reader<'s, 'r>,
}

impl Maker<'_, '_, '_> {
    /// `asked`: what of it is asked for, if it is that itself.
    fn of_type(
        &mut self,
        key: TypeKey,
        node: &TypeNode,
        asked: Option<&SymbolPart>,
        depth: u32,
    ) -> Result<TypeOutline, QueryError> {
        self.view.limits.check("outline the type")?;
        let snapshot = self.snapshot;
        let is_of_members = !matches!(asked, None | Some(SymbolPart::Whole));
        let edges = snapshot.edges(key)?;
        let is_base = |kinds: EdgeKinds| {
            kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
        };
        let files = self.places(node)?;
        // Of what is declared elsewhere the name is told, as that of its members.
        let (signature, declaration) = match files.is_empty() {
            false => (node.signature(), declared_type(node)),
            true => {
                let (kind, name) = (node.kind.name(), simple_name(&node.fqn));
                (format!("{kind} {}", node.fqn), format!("{kind} {name}"))
            }
        };
        let mut implements = Vec::new();
        for &base in node.bases.iter().filter(|_| !files.is_empty()) {
            implements.extend(self.named(base)?);
        }
        // The type arguments of bases are not bases.
        let bases = declaration.split_once(" : ").map_or("", |(_, bases)| bases);
        let is_named = |id: &str| {
            let name = id.rsplit(['.', '+', ':']).next().unwrap_or(id);
            let name = name.split('`').next().unwrap_or(name);
            top_level(bases).any(|base| base.rsplit('.').next() == Some(name))
        };
        let outside = edges
            .external
            .iter()
            .filter(|edge| is_base(edge.kinds) && is_named(&edge.id));
        for edge in outside {
            implements.push(OutlineType {
                frameworks: Vec::new(),
                name: edge.id.strip_prefix("T:").unwrap_or(&edge.id).to_owned(),
                id: None,
            });
        }
        let only_nested = EdgeKinds::EMPTY.with(EdgeKind::Nested);
        let mut out_edges: Vec<(TypeKey, EdgeKinds, u32)> = (edges.source.iter())
            .filter(|edge| edge.target != key && edge.kinds != only_nested)
            .map(|edge| (edge.target, edge.kinds, edge.count))
            .collect();
        retain_passing(self.view, &mut out_edges, |edge| edge.0)?;
        let n_depends_on = out_edges.len();
        let neighbors = Neighbors {
            view: self.view,
            snapshot,
            options: self.options,
        };
        let mut around = Ok(Around::default());
        let inside = rayon::in_place_scope(|scope| {
            if !is_of_members {
                // Pages of many types are read for it.
                scope.spawn(|_| around = neighbors.of_type(key, out_edges));
            }
            let nested = match is_of_members {
                true => Default::default(),
                false => self.nested(&edges, depth)?,
            };
            let members = self.members(key, node, asked)?;
            let docs = match (self.options.docs, is_of_members || files.is_empty()) {
                (DocsShown::None, _) | (_, true) => Documentation::default(),
                _ => self.reader.of(key, None)?,
            };
            Ok::<_, QueryError>((nested, members, docs))
        });
        let ((outlines, names), (members, n_hidden), docs) = inside?;
        let around = around?;
        Ok(TypeOutline {
            name: node.fqn.clone(),
            id: snapshot.display_id(key)?,
            doc_id: format!("T:{}", node.fqn.replace('+', ".")),
            kind: node.kind,
            accessibility: node.effective,
            signature,
            declaration,
            assembly: node.assembly.clone(),
            project: node.project.clone(),
            degraded: node.degraded,
            files,
            hashes: OutlineHashes {
                structure: node.structure().short(),
                implementation: node.hashes.implementation.to_string(),
                documentation: node.hashes.documentation().to_string(),
            },
            docs,
            implements,
            n_depends_on,
            depends_on: around.depends_on,
            n_outside: match self.view.filter.has_outside() {
                true => edges.external.len(),
                false => 0,
            },
            n_used_by: around.n_used_by,
            used_by: around.used_by,
            members,
            n_hidden,
            nested: outlines,
            nested_names: names,
        })
    }

    /// The outlines of nested types, and the names of those that are too deep for one; by name.
    fn nested(
        &mut self,
        edges: &TypeEdges,
        depth: u32,
    ) -> Result<(Vec<TypeOutline>, Vec<OutlineType>), QueryError> {
        let snapshot = self.snapshot;
        let nested = edges.source.iter();
        let nested = nested.filter(|edge| edge.kinds.contains(EdgeKind::Nested));
        let mut inner: Vec<(String, TypeKey, TypeNode)> = Vec::new();
        for key in nested.map(|edge| edge.target) {
            let node = snapshot.type_node(key)?;
            if let Some(node) = node.filter(|node| self.view.filter.has_type(node)) {
                inner.push((node.fqn.clone(), key, node));
            }
        }
        inner.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        let (mut outlines, mut names) = (Vec::new(), Vec::new());
        for (name, key, node) in inner {
            let is_shown = self.options.members == MembersShown::All
                || shows(node.accessibility, node.effective);
            if depth > 0 && is_shown {
                outlines.push(self.of_type(key, &node, None, depth - 1)?);
            } else if is_shown {
                let id = Some(snapshot.display_id(key)?);
                names.push(OutlineType {
                    frameworks: Vec::new(),
                    name,
                    id,
                });
            }
        }
        Ok((outlines, names))
    }

    fn places(&mut self, node: &TypeNode) -> Result<Vec<OutlinePlace>, QueryError> {
        let mut out = Vec::new();
        let passes = |part: &&PartRef| {
            let filter = self.view.filter;
            filter.has_line(&part.path, node.project_of(part), part.line)
        };
        for part in node.parts.iter().filter(passes) {
            let text = self.reader.text(&part.path)?;
            let within = text.get(part.range.as_usize()).unwrap_or_default();
            let before = &text[..text.len().min(part.range.start as usize)];
            let first = 1 + before.matches('\n').count() as u32;
            out.push(OutlinePlace {
                frameworks: Vec::new(),
                file: part.path.clone(),
                line: part.line,
                end_line: first + within.trim_end().matches('\n').count() as u32,
            });
        }
        let main = main_part(&node.fqn, &node.parts);
        out.sort_by_key(|at| {
            main.is_none_or(|main| (&main.path, main.line) != (&at.file, at.line))
        });
        Ok(out)
    }

    fn named(&self, key: TypeKey) -> Result<Option<OutlineType>, QueryError> {
        let Some(header) = self.snapshot.type_header(key)? else {
            return Ok(None);
        };
        Ok(Some(OutlineType {
            frameworks: Vec::new(),
            name: header.fqn,
            id: Some(self.snapshot.display_id(key)?),
        }))
    }

    fn members(
        &mut self,
        key: TypeKey,
        node: &TypeNode,
        asked: Option<&SymbolPart>,
    ) -> Result<(Vec<MemberOutline>, usize), QueryError> {
        let wanted: Vec<usize> = match asked {
            Some(SymbolPart::Group(all)) => all.clone(),
            Some(SymbolPart::Member(at)) => vec![*at],
            _ => {
                let all = node.members.iter().enumerate();
                let shown = all.filter(|(_, member)| {
                    // What implements a member of an interface by its name is used through that.
                    let is_explicit = member.name.contains('.');
                    self.options.members == MembersShown::All
                        || shows(member.accessibility, node.effective) && !is_explicit
                });
                shown.map(|(at, _)| at).collect()
            }
        };
        let n_hidden = match asked {
            Some(SymbolPart::Group(_) | SymbolPart::Member(_)) => 0,
            _ => {
                let others = (0..node.members.len()).filter(|at| wanted.binary_search(at).is_err());
                self.n_passing(node, others)?
            }
        };
        let doc_ids = self.reader.doc_ids(key)?;
        let mut out = Vec::new();
        for at in wanted {
            let member = &node.members[at];
            let Some(part) = node.parts.get(member.part as usize) else {
                continue;
            };
            let facts = self.reader.facts(&part.path, node.project_of(part))?;
            let text = self.reader.text(&part.path)?;
            let detail = facts
                .as_deref()
                .and_then(|facts| cortex_bind::member_detail(facts, member));
            let line = detail.map_or(part.line, |it| it.line);
            if !self
                .view
                .filter
                .has_line(&part.path, node.project_of(part), line)
            {
                continue;
            }
            let declaration = facts
                .as_deref()
                .and_then(|facts| declared(&text, facts, member));
            let docs = match self.options.docs {
                DocsShown::None => Documentation::default(),
                _ => self.reader.of(key, Some(at))?,
            };
            let doc_id = doc_ids.get(at).cloned().flatten();
            out.push((
                (member.kind.group(), member.part, member.decl, at),
                MemberOutline {
                    frameworks: Vec::new(),
                    kind: member.kind,
                    name: member.name.clone(),
                    id: member_short_id(&node.full_member_signature(member)),
                    doc_id,
                    accessibility: member.accessibility,
                    signature: node.member_signature(member),
                    declaration: declaration.unwrap_or_else(|| declared_member(member)),
                    file: part.path.clone(),
                    line,
                    docs,
                },
            ));
        }
        out.sort_by_key(|(order, _)| *order);
        Ok((
            out.into_iter().map(|(_, member)| member).collect(),
            n_hidden,
        ))
    }
}

/// Who uses a type and what it uses, read while its own declaration is.
struct Neighbors<'a> {
    view: &'a Viewpoint<'a>,
    snapshot: &'a Snapshot,
    options: &'a OutlineOptions,
}

/// The types around a type: as many as are wanted, and how many depend on it.
#[derive(Default)]
struct Around {
    depends_on: Vec<OutlineDependency>,
    used_by: Vec<OutlineDependency>,
    n_used_by: usize,
}

impl Neighbors<'_> {
    fn of_type(
        &self,
        key: TypeKey,
        depends_on: Vec<(TypeKey, EdgeKinds, u32)>,
    ) -> Result<Around, QueryError> {
        let (used_by, n_used_by) = self.dependents(key)?;
        Ok(Around {
            depends_on: self.most_used(depends_on)?,
            used_by,
            n_used_by,
        })
    }

    /// The types that depend on one, and how many there are.
    fn dependents(&self, key: TypeKey) -> Result<(Vec<OutlineDependency>, usize), QueryError> {
        let mut users = self.snapshot.dependents(key)?;
        let only_nested = EdgeKinds::EMPTY.with(EdgeKind::Nested);
        users.retain(|&(user, kinds)| user != key && kinds != only_nested);
        retain_passing(self.view, &mut users, |user| user.0)?;
        let n_users = users.len();
        let kinds: BTreeMap<TypeKey, EdgeKinds> = users.iter().copied().collect();
        let kinds_of = |user: TypeKey| kinds.get(&user).copied().unwrap_or_default();
        let counted: Vec<(TypeKey, EdgeKinds, u32)> = if n_users > MAX_DIRECT
            && self.options.n_related <= N_TOP
            && self.view.filter.is_everything()
        {
            let n = self.options.n_related;
            let top = Dependencies::top(self.view.timed(), key, n)?.into_iter();
            top.map(|(user, count)| (user, kinds_of(user), count))
                .collect()
        } else {
            let mut counted = Vec::with_capacity(n_users);
            for (user, kinds) in users {
                self.view.limits.check("count the uses of the type")?;
                let edges = self.snapshot.edges(user)?.source;
                let edge = edges.iter().find(|edge| edge.target == key);
                counted.push((user, kinds, edge.map_or(0, |edge| edge.count)));
            }
            counted
        };
        Ok((self.most_used(counted)?, n_users))
    }

    /// Those with most places first, then by name; as many as are wanted.
    fn most_used(
        &self,
        mut edges: Vec<(TypeKey, EdgeKinds, u32)>,
    ) -> Result<Vec<OutlineDependency>, QueryError> {
        edges.sort_by_key(|&(key, _, count)| (std::cmp::Reverse(count), key));
        // Names decide between equals: of those that have as many places as the last one all are read.
        let n = self.options.n_related;
        let last = edges.get(n.saturating_sub(1)).map(|edge| edge.2);
        edges.retain(|edge| n > 0 && last.is_none_or(|last| edge.2 >= last));
        let snapshot = self.snapshot;
        let read = edges.into_par_iter().map(|(key, kinds, count)| {
            let header = snapshot.type_header(key)?;
            Ok(header.map(|header| (std::cmp::Reverse(count), header.fqn, key, kinds)))
        });
        let read: Vec<Option<_>> = read.collect::<Result<_, QueryError>>()?;
        let mut out: Vec<_> = read.into_iter().flatten().collect();
        out.sort_unstable();
        out.truncate(n);
        let named = out.into_iter().map(|(count, name, key, kinds)| {
            Ok(OutlineDependency {
                frameworks: Vec::new(),
                name,
                id: self.snapshot.display_id(key)?,
                kinds: kinds.iter().collect(),
                count: count.0,
            })
        });
        named.collect()
    }
}

/// Leaves what is of types that pass.
fn retain_passing<T>(
    view: &Viewpoint<'_>,
    all: &mut Vec<T>,
    key_of: impl Fn(&T) -> TypeKey,
) -> Result<(), QueryError> {
    let filter = view.filter;
    if filter.is_everything() {
        return Ok(());
    }
    let mut passing = Vec::with_capacity(all.len());
    for item in all.drain(..) {
        let header = view.snapshot().type_header(key_of(&item))?;
        if header.is_some_and(|header| filter.part_of(&header).is_some()) {
            passing.push(item);
        }
    }
    *all = passing;
    Ok(())
}

impl Maker<'_, '_, '_> {
    /// How many of some members pass.
    fn n_passing(
        &mut self,
        node: &TypeNode,
        members: impl Iterator<Item = usize>,
    ) -> Result<usize, QueryError> {
        let filter = self.view.filter;
        if filter.is_everything() {
            return Ok(members.count());
        }
        let passing = filter.members(&mut MemberDetails::new(self.snapshot), node)?;
        Ok(members.filter(|at| passing[*at]).count())
    }
}

/// The names in a list of bases, without type arguments.
fn top_level(bases: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    let parts = bases.split(move |c: char| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|it| it.trim().split(['<', ' ']).next().unwrap_or_default())
}

/// Whether a member, or a type inside of a type, belongs to what others may use.
fn shows(own: Accessibility, effective: Accessibility) -> bool {
    own.is_visible() || !effective.is_visible() && own >= Accessibility::Internal
}
