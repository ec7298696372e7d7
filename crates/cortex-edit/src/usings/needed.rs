//! Which namespaces the code of a file needs to be imported.
//!
//! What is found to be needed may be more than is: what is taken out is proven not to be needed afterwards.

use std::collections::BTreeSet;

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, RepoPath};
use cortex_semantics::{
    Compilation, Findings, GlobalUsing, MemberFlags, ProjectId, Target, TypeFlags, TypeId, UnitKey,
};
use cortex_syntax::Sections;
use cortex_wire::LeftAloneReason;

use super::{Import, Run};
use crate::EditError;

/// Which imports a file needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Needed {
    /// All of them, for all that is known: why no more is.
    All(LeftAloneReason),
    /// Those of these namespaces.
    Of {
        /// What names of types and extensions are from.
        namespaces: BTreeSet<String>,
        /// What every project that compiles the file imports everywhere.
        everywhere: BTreeSet<String>,
    },
}

impl Needed {
    /// Whether a directive of a run is needed.
    pub(super) fn has(&self, import: &Import, run: &Run) -> bool {
        let (
            Self::Of {
                namespaces,
                everywhere,
            },
            Import::Namespace(name),
        ) = (self, import)
        else {
            return true;
        };
        if name.contains("::") || name.contains('@') {
            return true;
        }
        let is_around = run.around.contains(name);
        let is_everywhere = everywhere.contains(name);
        // Inside of a namespace, a name may be relative.
        let is_named = match run.scope {
            None => namespaces.contains(name),
            Some(_) => (namespaces.iter()).any(|it| {
                it == name
                    || it
                        .strip_suffix(name.as_str())
                        .is_some_and(|it| it.ends_with('.'))
            }),
        };
        is_named && !is_around && !is_everywhere
    }
}

/// What a file needs, in every project and for every target framework.
pub(super) fn of_file(
    views: &[(&Viewpoint<'_>, &Symbols)],
    path: &RepoPath,
    text: &str,
) -> Result<Needed, EditError> {
    let mut namespaces = BTreeSet::new();
    let mut everywhere: Option<BTreeSet<String>> = None;
    let mut inactive: Option<Vec<ByteRange>> = None;
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        for project in file
            .projects
            .iter()
            .filter_map(|it| symbols.project_index(it))
        {
            let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
                return Ok(Needed::All(LeftAloneReason::NotCompiled));
            };
            if facts.is_degraded() {
                return Ok(Needed::All(LeftAloneReason::Degraded));
            }
            let own: Vec<ByteRange> = facts.inactive.iter().map(|it| it.range).collect();
            inactive = Some(match inactive {
                None => own,
                Some(all) => crate::proof::intersection(&all, &own),
            });
            let key = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            let found = symbols.read(|compilation| {
                let bound = compilation.bind_unit(&key, &facts);
                let mut names = BTreeSet::new();
                let mut is_whole = true;
                for (decl, findings) in &bound.decls {
                    // What the directives themselves name is no use.
                    if decl.is_some()
                        || !findings.uses.is_empty()
                        || !facts.assembly_attributes.is_empty()
                    {
                        add_needed(compilation, findings, text, &mut names);
                    }
                    is_whole &= findings
                        .unbound
                        .iter()
                        .all(|it| is_of_directive(&facts, it.offset));
                }
                Ok((
                    names,
                    is_whole,
                    imported_everywhere(symbols, compilation, project),
                ))
            })?;
            let (names, is_whole, global) = found;
            if !is_whole {
                return Ok(Needed::All(LeftAloneReason::UnboundNames));
            }
            namespaces.extend(names);
            everywhere = Some(match everywhere {
                None => global,
                Some(all) => all.intersection(&global).cloned().collect(),
            });
        }
    }
    let has_unread = inactive.iter().flatten().any(|range| {
        let text = text.get(range.as_usize()).unwrap_or_default();
        text.contains(|it: char| it.is_alphabetic())
    });
    match everywhere {
        // What nobody reads may need anything.
        Some(everywhere) if !has_unread => Ok(Needed::Of {
            namespaces,
            everywhere,
        }),
        Some(_) => Ok(Needed::All(LeftAloneReason::UnreadCode)),
        None => Ok(Needed::All(LeftAloneReason::NotCompiled)),
    }
}

/// Whether a place is in a using directive.
fn is_of_directive(facts: &cortex_syntax::FileFacts, offset: u32) -> bool {
    facts
        .usings
        .iter()
        .any(|using| using.range.contains(offset))
}

/// Adds the namespaces of what is named by its simple name, and of extensions.
fn add_needed(
    compilation: &Compilation<'_>,
    findings: &Findings,
    text: &str,
    out: &mut BTreeSet<String>,
) {
    let mut add = |ty: TypeId| {
        let namespace = compilation.text(compilation.def(ty).namespace);
        out.insert(namespace.to_owned());
    };
    let is_extension = |member: cortex_semantics::MemberId| {
        let member = compilation.member(member);
        let is_it = member.is(MemberFlags::EXTENSION) || member.is(MemberFlags::EXTENSION_BLOCK);
        (is_it
            || compilation
                .header(member.owner)
                .flags
                .has(TypeFlags::EXTENSIONS))
        .then_some(member.owner)
    };
    for found in &findings.refs {
        match found.target {
            Target::Type(ty) => {
                if !is_qualified(text, found.offset) {
                    add(ty);
                }
            }
            Target::Member(member) => {
                if let Some(owner) = is_extension(member) {
                    add(owner);
                } else if !is_qualified(text, found.offset) {
                    // Constructors of attributes, members of imported types.
                    add(compilation.member(member).owner);
                }
            }
        }
    }
    for used in &findings.uses {
        if let Some(owner) = is_extension(used.target) {
            add(owner);
        }
    }
}

/// Whether a name stands behind a dot.
pub(crate) fn is_qualified(text: &str, offset: u32) -> bool {
    let before = text.get(..offset as usize).unwrap_or_default().trim_end();
    before.ends_with('.') && !before.ends_with("..")
        || before.ends_with("::")
        || before.ends_with("->")
}

/// The namespaces that every project which compiles a file imports into each of its files.
pub(super) fn everywhere(
    views: &[(&Viewpoint<'_>, &Symbols)],
    path: &RepoPath,
) -> Result<BTreeSet<String>, EditError> {
    let mut all: Option<BTreeSet<String>> = None;
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        for project in file
            .projects
            .iter()
            .filter_map(|it| symbols.project_index(it))
        {
            let here = symbols
                .read(|compilation| Ok(imported_everywhere(symbols, compilation, project)))?;
            all = Some(match all {
                None => here,
                Some(all) => all.intersection(&here).cloned().collect(),
            });
        }
    }
    Ok(all.unwrap_or_default())
}

/// The namespaces that a project imports into each of its files.
pub(crate) fn imported_everywhere(
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    project: usize,
) -> BTreeSet<String> {
    let view = compilation.project(ProjectId::new(project));
    let mut all = view.usings.clone();
    for unit in &view.global_using_units {
        if let Ok(Some(facts)) = symbols.facts(&unit.path, project, Sections::All) {
            all.extend(GlobalUsing::of_file(&facts));
        }
    }
    let names = all.into_iter().filter_map(|using| match using {
        GlobalUsing::Namespace(name) => Some(name),
        _ => None,
    });
    names.collect()
}
