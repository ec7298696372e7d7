//! Declarations that a merge has twice: one from each commit, where the language allows one. Binding alone does not tell:
//! nothing may use them.
//!
//! Source: C# specification, 7.3 (declarations), 15.2.7 (partial types).

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Index, IndexError, IndexedSide};
use cortex_look::QueryError;
use cortex_model::{DeclKind, Modifier, RepoPath};
use cortex_semantics::{Compilation, MemberFlags, MemberId, ProjectId, TypeId, UnitId, UnitKey};
use cortex_syntax::{FileFacts, Sections};

/// Where the first of the same declarations is, and what is declared.
type Twice = BTreeMap<String, ((RepoPath, u32), String)>;

/// What is declared more than once in some of these files, or in one of them and another file: by documentation id. Types
/// of which every part is `partial`, and partial members, are declared once.
///
/// # Errors
/// Those of the index.
pub(super) fn declared_twice(
    index: &Index,
    side: &IndexedSide,
    files: &BTreeSet<RepoPath>,
) -> Result<Twice, QueryError> {
    let symbols = index.symbols(side, None)?;
    let found = symbols.read(|compilation| {
        let mut found = Twice::new();
        for path in files {
            for project in symbols.projects_of(path)? {
                let Some(facts) = symbols.facts(path, project, Sections::Declarations)? else {
                    continue;
                };
                let unit = UnitKey {
                    path: path.clone(),
                    project: ProjectId::new(project),
                };
                add(compilation, &unit, &facts, &mut found);
            }
        }
        Ok::<_, IndexError>(found)
    })?;
    Ok(found)
}

fn add(c: &Compilation<'_>, key: &UnitKey, facts: &FileFacts, found: &mut Twice) {
    let unit = c.unit_id(key);
    for (id, decl) in facts.decls.iter().enumerate() {
        let id = id as u32;
        let twice = match decl.kind {
            kind if kind.type_kind().is_some() => type_twice(c, unit, id),
            _ => member_twice(c, unit, id),
        };
        if let Some((id, shown)) = twice {
            let place = (key.path.clone(), decl.name_range.start);
            found.entry(id).or_insert((place, shown));
        }
    }
}

fn type_twice(c: &Compilation<'_>, unit: UnitId, decl: u32) -> Option<(String, String)> {
    let ty: TypeId = c.type_of_decl(unit, decl)?;
    let (mut n_parts, mut n_whole) = (0, 0);
    for unit in c.units_of(ty) {
        let unit = c.unit(c.unit_id(&unit));
        let facts = unit.facts(c);
        for &part in unit.head(c).declarations(ty) {
            let modifiers = facts.decls[part as usize].modifiers;
            n_parts += 1;
            n_whole += usize::from(!modifiers.contains(Modifier::Partial));
        }
    }
    let shown = || c.display_type(c.instance_type(ty));
    (n_parts > 1 && n_whole > 0).then(|| (c.type_doc_id(ty), shown()))
}

fn member_twice(c: &Compilation<'_>, unit: UnitId, decl: u32) -> Option<(String, String)> {
    let member = c.member_of_decl(unit, decl)?;
    let declared = c.member(member);
    let id = c.member_doc_id(member);
    let mut others = c.members(declared.owner).named(declared.name).iter();
    let is_twice = others.any(|&other| {
        let is_same = || c.member_doc_id(other) == id;
        other != member && (is_same() || shares_no_name(c, member) && shares_no_name(c, other))
    });
    is_twice.then(|| (id, c.display_member(member)))
}

/// Whether no other member may be called like this one, as one may be called like a method or an operator.
fn shares_no_name(c: &Compilation<'_>, member: MemberId) -> bool {
    let member = c.member(member);
    let is_alone = matches!(
        member.kind,
        DeclKind::Field
            | DeclKind::Constant
            | DeclKind::Property
            | DeclKind::Event
            | DeclKind::EnumMember
    );
    is_alone && !member.is(MemberFlags::EXPLICIT)
}
