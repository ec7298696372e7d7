//! A file that goes to another project: which projects see its types there, and what its code sees.
//!
//! Owns: what is refused, and the imports that the old project gave. Must not know: whether code means the same afterwards
//! ([`crate::proof`]).

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::target::Target as Symbol;
use cortex_index::{Progress, Symbols};
use cortex_look::{uses::uses, viewpoint::Viewpoint};
use cortex_model::{Accessibility, LineTable, RepoPath};
use cortex_semantics::{
    Compilation, InternalsVisible, MemberId, MemberOrigin, ProjectId, Target, TypeId, TypeOrigin,
    UnitKey,
};
use cortex_syntax::Sections;

use super::MoveType;
use crate::{
    EditError,
    accessible::accessibility,
    edit::{sides_of, with_symbols},
    located::Declaration,
    plan::{MovedProject, Plan},
    rename::declared,
    together::{sides_after, views_of},
    usings::imported_everywhere,
};

/// So many places are named where something is refused.
const MAX_LISTED: usize = 5;

/// What a move to another project comes to.
pub(super) struct ProjectMove {
    /// What the proof needs to know.
    pub(super) moved: MovedProject,
    /// What the old project imports into each file and the new one does not.
    pub(super) lost: BTreeSet<String>,
}

/// Finds out whether files go to another project; `None` where they stay in theirs.
///
/// # Errors
/// [`EditError::Refused`] with the projects and places that do not see each other; those of the index.
pub(super) fn project_move(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &MoveType<'_>,
    (plan, declarations): (&Plan, &[Declaration]),
    progress: &dyn Progress,
) -> Result<Option<ProjectMove>, EditError> {
    let files: BTreeMap<RepoPath, RepoPath> = (plan.files.iter())
        .filter(|(path, file)| **path != file.new_path)
        .map(|(path, file)| (path.clone(), file.new_path.clone()))
        .collect();
    if files.is_empty() {
        return Ok(None);
    }
    let only = || views.iter().map(|(view, _)| *view);
    let sides = sides_after(only(), plan, progress)?;
    let after = views_of(only(), &sides);
    let planned = sides_of(&after)?;
    let mut found: Option<ProjectMove> = None;
    for ((view, old), (_, new)) in views.iter().zip(with_symbols(&planned)) {
        let Some(projects) = projects(request, (old, new), &files)? else {
            continue;
        };
        if declarations.iter().any(|it| !files.contains_key(&it.path)) {
            let help = "join its parts first";
            return Err(request.refused("a part of it would stay in its project", &[help]));
        }
        let crossing = Crossing {
            request,
            view,
            symbols: old,
            files: &files,
            projects,
        };
        crossing.check()?;
        let [from, to] = projects.map(|it| old.projects()[it].project.path.clone());
        let imported = |project| {
            old.read(|c| Ok(imported_everywhere(old, c, project)))
                .map_err(EditError::from)
        };
        let [before, after] = [imported(projects[0])?, imported(projects[1])?];
        let lost = before.difference(&after).cloned();
        let all = found.get_or_insert_with(|| ProjectMove {
            moved: MovedProject {
                files: files.keys().cloned().collect(),
                from: from.clone(),
                to: to.clone(),
            },
            lost: BTreeSet::new(),
        });
        all.lost.extend(lost);
        if (&all.moved.from, &all.moved.to) != (&from, &to) {
            let reason = "its projects differ by target framework";
            return Err(request.refused(reason, &["move it by hand"]));
        }
    }
    Ok(found)
}

/// The project that compiles some files and the one that would; `None` where they are the same.
fn projects(
    request: &MoveType<'_>,
    (old, new): (&Symbols, &Symbols),
    files: &BTreeMap<RepoPath, RepoPath>,
) -> Result<Option<[usize; 2]>, EditError> {
    let mut found: Option<[usize; 2]> = None;
    for (path, new_path) in files {
        let names = |symbols: &Symbols, path: &RepoPath| -> Result<Vec<RepoPath>, EditError> {
            let projects = symbols.projects_of(path)?.into_iter();
            Ok(projects
                .map(|it| symbols.projects()[it].project.path.clone())
                .collect())
        };
        let (before, after) = (names(old, path)?, names(new, new_path)?);
        if before == after {
            continue;
        }
        let shown = |all: &[RepoPath]| {
            let all: Vec<String> = all.iter().map(|it| format!("`{it}`")).collect();
            match all.is_empty() {
                true => "no project".to_owned(),
                false => all.join(" and "),
            }
        };
        let ([from], [to]) = (before.as_slice(), after.as_slice()) else {
            let reason = format!(
                "{} compiles it, and {} would",
                shown(&before),
                shown(&after)
            );
            let help = "give a path that one project compiles, of a file that one project compiles";
            return Err(request.refused(reason, &[help]));
        };
        let pair = [from, to].map(|it| old.project_index(it));
        let [Some(from), Some(to)] = pair else {
            // Files that no project file lists are projects of their own.
            continue;
        };
        if *found.get_or_insert([from, to]) != [from, to] {
            return Err(request.refused("its parts would go to several projects", &[]));
        }
    }
    Ok(found)
}

/// Files between two projects.
struct Crossing<'p, 'v> {
    request: &'p MoveType<'p>,
    view: &'p Viewpoint<'v>,
    symbols: &'p Symbols,
    files: &'p BTreeMap<RepoPath, RepoPath>,
    /// The project that has the files, and the one that gets them.
    projects: [usize; 2],
}

impl Crossing<'_, '_> {
    fn name(&self, project: ProjectId) -> &RepoPath {
        &self.symbols.projects()[project.index()].project.path
    }

    fn refused(&self, problems: &BTreeMap<String, BTreeSet<String>>) -> Result<(), EditError> {
        let Some((reason, places)) = problems.iter().next() else {
            return Ok(());
        };
        let shown: Vec<&str> = places.iter().take(MAX_LISTED).map(String::as_str).collect();
        let help = format!("add the reference, or change first: {}", shown.join(", "));
        Err(self.request.refused(reason.clone(), &[&help]))
    }

    fn check(&self) -> Result<(), EditError> {
        self.symbols.read(|c| {
            let check = || -> Result<(), EditError> {
                let mut problems = BTreeMap::new();
                let types = self.moved_types(c)?;
                for path in self.files.keys() {
                    self.check_code(c, path, &mut problems)?;
                }
                for &ty in &types {
                    self.check_members(c, ty, &mut problems);
                    self.check_taken(c, ty)?;
                }
                self.refused(&problems)?;
                self.check_users(c, &types, &mut problems)?;
                self.refused(&problems)
            };
            Ok(check())
        })?
    }

    /// The types that the files declare, those inside of others included.
    fn moved_types(&self, c: &Compilation<'_>) -> Result<Vec<TypeId>, EditError> {
        let mut out = Vec::new();
        for path in self.files.keys() {
            let Some(facts) = self.symbols.facts(path, self.projects[0], Sections::All)? else {
                continue;
            };
            let unit = c.unit_id(&self.unit(path));
            let decls = 0..facts.decls.len() as u32;
            out.extend(decls.filter_map(|it| c.type_of_decl(unit, it)));
        }
        out.sort_unstable();
        out.dedup();
        for &ty in &out {
            let mut units = c.units_of(ty).into_iter();
            if let Some(unit) = units.find(|it| !self.files.contains_key(&it.path)) {
                let reason = format!("`{}` declares a part of a type in it", unit.path);
                return Err(self.request.refused(reason, &["join the parts first"]));
            }
        }
        Ok(out)
    }

    fn unit(&self, path: &RepoPath) -> UnitKey {
        UnitKey {
            path: path.clone(),
            project: ProjectId::new(self.projects[0]),
        }
    }

    fn is_moved(&self, c: &Compilation<'_>, ty: TypeId) -> bool {
        c.units_of(ty)
            .iter()
            .any(|it| self.files.contains_key(&it.path))
    }

    /// Adds what the code of a file names and the new project does not see.
    fn check_code(
        &self,
        c: &Compilation<'_>,
        path: &RepoPath,
        problems: &mut BTreeMap<String, BTreeSet<String>>,
    ) -> Result<(), EditError> {
        let Some(facts) = self
            .symbols
            .facts(path, self.projects[0], Sections::Bodies)?
        else {
            return Ok(());
        };
        let bytes = match self.view.snapshot().file(path)? {
            Some(file) => self.view.blobs().read_blob(file.blob)?,
            None => return Ok(()),
        };
        let source = cortex_syntax::text::decode(&bytes);
        let lines = LineTable::new(source.as_bytes());
        let bound = c.bind_unit(&self.unit(path), &facts);
        for (_, findings) in &bound.decls {
            let named = findings.refs.iter().map(|it| (it.offset, it.target));
            let used = (findings.uses.iter()).map(|it| (it.offset, Target::Member(it.target)));
            for (offset, target) in named.chain(used) {
                if let Some(reason) = self.why_unseen(c, target) {
                    let place = format!("{path}:{}", lines.position(offset).line);
                    problems.entry(reason).or_default().insert(place);
                }
            }
        }
        Ok(())
    }

    /// Why the new project does not see a symbol.
    fn why_unseen(&self, c: &Compilation<'_>, target: Target) -> Option<String> {
        let (ty, declared, name) = match target {
            Target::Type(ty) => {
                let name = c.display_type(c.instance_type(ty));
                (ty, Accessibility::Public, name)
            }
            Target::Member(id) => {
                let member = c.member(id);
                (member.owner, member.accessibility, c.display_member(id))
            }
        };
        let to = ProjectId::new(self.projects[1]);
        match &c.def(ty).origin {
            TypeOrigin::External { assembly, .. } => {
                let sees = c.project(to).sees_external(*assembly);
                let reason = || {
                    format!(
                        "`{}` does not reference the assembly of `{name}`",
                        self.name(to)
                    )
                };
                (!sees).then(reason)
            }
            TypeOrigin::Source { project, .. } if *project == to || self.is_moved(c, ty) => None,
            TypeOrigin::Source { project, .. } => {
                let is_internal = matches!(
                    accessibility(c, ty).min(declared),
                    Accessibility::Internal
                        | Accessibility::PrivateProtected
                        | Accessibility::Private
                );
                match c.project(to).sees(*project) {
                    None => Some(format!(
                        "`{}` does not reference `{}`, which has `{name}`",
                        self.name(to),
                        self.name(*project)
                    )),
                    Some(InternalsVisible::No) if is_internal => Some(format!(
                        "`{}` does not see internals of `{}`, such as `{name}`",
                        self.name(to),
                        self.name(*project)
                    )),
                    Some(_) => None,
                }
            }
        }
    }

    /// Adds members that could not override what they override, or be overridden, from another assembly.
    fn check_members(
        &self,
        c: &Compilation<'_>,
        ty: TypeId,
        problems: &mut BTreeMap<String, BTreeSet<String>>,
    ) {
        for &id in &c.members(ty).all {
            let member = c.member(id);
            let is_written = matches!(member.origin, MemberOrigin::Source(..));
            if member.accessibility == Accessibility::ProtectedInternal && is_written {
                let reason =
                    "a member that is `protected internal` is another one in each assembly";
                let members = problems.entry(reason.to_owned()).or_default();
                members.insert(c.display_member(id));
            }
            let overridden = c.overridden_member(id);
            if let Some(reason) = overridden.and_then(|it| self.why_unseen(c, Target::Member(it))) {
                problems
                    .entry(reason)
                    .or_default()
                    .insert(c.display_member(id));
            }
        }
    }

    /// Refuses a type whose name another type has that the new project declares.
    fn check_taken(&self, c: &Compilation<'_>, ty: TypeId) -> Result<(), EditError> {
        let def = c.def(ty);
        if def.outer.is_some() {
            return Ok(());
        }
        let to = ProjectId::new(self.projects[1]);
        let all = c.source_types_named(def.name);
        let is_there = all.iter().any(|&it| {
            let other = c.def(it);
            let is_of_project =
                matches!(&other.origin, TypeOrigin::Source { project, .. } if *project == to);
            is_of_project
                && it != ty
                && (other.namespace, other.arity) == (def.namespace, def.arity)
                && other.outer.is_none()
        });
        match is_there {
            true => {
                let name = c.display_type(c.instance_type(ty));
                let reason = format!("`{}` has a type `{name}` already", self.name(to));
                Err(self
                    .request
                    .refused(reason, &["give one of them another name first"]))
            }
            false => Ok(()),
        }
    }

    /// Adds projects that use the types and would not see them.
    fn check_users(
        &self,
        c: &Compilation<'_>,
        types: &[TypeId],
        problems: &mut BTreeMap<String, BTreeSet<String>>,
    ) -> Result<(), EditError> {
        let mut seen: Vec<(Symbol, bool)> = Vec::new();
        for &ty in types {
            let TypeOrigin::Source { key, .. } = &c.def(ty).origin else {
                continue;
            };
            let is_internal = accessibility(c, ty) < Accessibility::Public;
            seen.push((Symbol::Type(*key), is_internal));
            let members = self.view.snapshot().symbols(*key)?;
            let mut ids = cortex_derived::doc_ids::DocIds::new(self.view.snapshot());
            for tag in (0..members.members.len()).map(|at| members.tag(at)) {
                let id = ids.of(*key, Some(tag))?;
                let member: Option<MemberId> =
                    crate::rename::global::member_of(c, ty, id.as_deref());
                let limited = member.is_some_and(|it| {
                    matches!(
                        c.member(it).accessibility,
                        Accessibility::Internal | Accessibility::PrivateProtected
                    )
                });
                seen.push((Symbol::Member(*key, tag), is_internal || limited));
            }
        }
        let to = ProjectId::new(self.projects[1]);
        for is_internal in [false, true] {
            let symbols: Vec<Symbol> = (seen.iter())
                .filter(|it| it.1 == is_internal)
                .map(|it| it.0)
                .collect();
            for place in uses(self.view, &symbols)? {
                if self.files.contains_key(&place.file) {
                    continue;
                }
                for user in self.symbols.projects_of(&place.file)? {
                    let user = ProjectId::new(user);
                    let reason = match c.project(user).sees(to) {
                        _ if user == to => continue,
                        None => format!(
                            "`{}` uses it, and does not reference `{}`",
                            self.name(user),
                            self.name(to)
                        ),
                        Some(InternalsVisible::No) if is_internal => format!(
                            "`{}` uses what is internal in it, and does not see internals of `{}`",
                            self.name(user),
                            self.name(to)
                        ),
                        Some(_) => continue,
                    };
                    let places = problems.entry(reason).or_default();
                    places.insert(format!("{}:{}", place.file, place.line));
                }
            }
        }
        Ok(())
    }
}

/// The types that move, as a compilation knows them, for imports.
pub(super) fn types_of(c: &Compilation<'_>, symbols: &[Symbol]) -> Result<Vec<TypeId>, EditError> {
    symbols
        .iter()
        .map(|it| declared::type_id(c, it.key()))
        .collect()
}
