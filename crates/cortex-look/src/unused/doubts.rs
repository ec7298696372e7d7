//! Why something that nobody names may be in use nevertheless, asked for one symbol.
//!
//! Owns: the question of those who remove it. Must not know: which reasons there are.

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_model::{EdgeKind, RepoPath};
use cortex_wire::{UnusedReason, UnusedWhy};

use crate::{
    QueryError,
    calls::Wheres,
    unused::{
        made::Made,
        reasons::{self, Around, Reflected},
    },
    usages::TestProjects,
    viewpoint::Viewpoint,
};

/// Why a symbol may be in use, and where it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MayBeUsed {
    /// The file of its first declaration.
    pub file: RepoPath,
    /// The line of its name there.
    pub line: u32,
    /// Why, the surest reason first.
    pub reason: UnusedReason,
}

/// The surest of the reasons by which `unused` would not list a symbol as unused: frameworks, serializers, containers and reflection
/// that may reach it. That it is public, or stands in generated code, is none.
///
/// # Errors
/// Those of reading the snapshot and its texts.
pub fn may_be_used(view: &Viewpoint<'_>, target: Target) -> Result<Option<MayBeUsed>, QueryError> {
    may_be_used_otherwise(view, target, &[])
}

/// The same without reasons that do not count. `known`: those.
///
/// # Errors
/// Those of reading the snapshot and its texts.
pub fn may_be_used_otherwise(
    view: &Viewpoint<'_>,
    target: Target,
    known: &[UnusedWhy],
) -> Result<Option<MayBeUsed>, QueryError> {
    let snapshot = view.snapshot();
    let key = target.key();
    let Some(node) = snapshot.type_node(key)? else {
        return Ok(None);
    };
    let reflected = Reflected::read(view)?;
    let made = Made::of(view)?;
    let tests = TestProjects::read(snapshot)?;
    let around = Around {
        is_test: tests.has(&node.project),
        reflected: &reflected,
        is_value: &|| {
            let users = snapshot.dependents(key)?;
            Ok((users.iter()).any(|(_, kinds)| kinds.contains(EdgeKind::TypeOf)))
        },
        made_by: &|| made.by(key),
    };
    let mut out = match target {
        Target::Type(_) => reasons::of_type(snapshot, key, &node, &around)?,
        Target::Member(_, tag) => {
            let symbols = snapshot.symbols(key)?;
            let declared = symbols.declared().collect::<Vec<_>>();
            let at = declared
                .iter()
                .position(|it| it.is_some_and(|it| symbols.tag(it) == tag));
            let member = at.and_then(|at| node.members.get(at));
            let id = DocIds::new(snapshot).of(key, Some(tag))?;
            match (member, id) {
                (Some(member), Some(id)) => {
                    reasons::of_member(&node, member, &id, (snapshot, key, &symbols), &around)?
                }
                _ => Vec::new(),
            }
        }
    };
    out.retain(|it| {
        !known.contains(&it.why)
            && !matches!(
                it.why,
                UnusedWhy::PublicApi
                    | UnusedWhy::Generated
                    | UnusedWhy::Layout
                    | UnusedWhy::Constructor
                    | UnusedWhy::Degraded
            )
    });
    let Some(reason) = out.into_iter().next() else {
        return Ok(None);
    };
    let at = Wheres::default().of(view, &mut DocIds::new(snapshot), target)?;
    Ok(at.map(|at| MayBeUsed {
        file: at.file,
        line: at.line,
        reason,
    }))
}
