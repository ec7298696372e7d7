//! Methods that a program starts with: the language finds them by their name and signature (C# specification, §7.1).
//!
//! Must not know: how an edit was planned.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Symbols, unit_key};
use cortex_model::{DeclKind, RepoPath};
use cortex_semantics::{Compilation, MemberId, Special, TyKind};
use cortex_syntax::{Sections, text::decode};
use cortex_wire::Difference;

use crate::{
    EditError,
    plan::Plan,
    proof::{NewSide, OldSide, Proof},
};

/// What such a method is called.
const MAIN: &str = "Main";

/// A method that a project may start with.
struct Start {
    path: RepoPath,
    name_at: u32,
    line: u32,
    shown: String,
}

/// Adds a project that has more or fewer methods to start with in the edited files than it had.
///
/// # Errors
/// Those of the index.
pub(crate) fn add_entry_points(
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
    found: &mut Proof,
) -> Result<(), EditError> {
    let files = || plan.files.values().filter(|file| file.is_csharp());
    // Most files are not read for this.
    let has_main = |bytes: &[u8]| decode(bytes).as_str().contains(MAIN);
    let before = files().filter(|it| it.is_before() && has_main(&it.old_bytes));
    let before = before.map(|it| &it.old.path);
    let after = files().filter(|it| it.is_after() && has_main(&it.new_bytes));
    let after = after.map(|it| &it.new_path);
    let mut before = starts(old.symbols, before)?;
    let mut after = starts(new.symbols, after)?;
    let projects: BTreeSet<RepoPath> = before.keys().chain(after.keys()).cloned().collect();
    for project in projects {
        let [mut gone, mut come] =
            [&mut before, &mut after].map(|side| side.remove(&project).unwrap_or_default());
        let is_less = come.len() < gone.len();
        let start = match gone.len() == come.len() {
            true => continue,
            false if is_less => gone.swap_remove(0),
            false => come.swap_remove(0),
        };
        let shown = |is_it: bool| is_it.then(|| start.shown.clone());
        let key = (start.path.clone(), start.name_at);
        found.differences.entry(key).or_insert(Difference {
            before: shown(is_less),
            after: shown(!is_less),
            file: start.path,
            line: start.line,
            question: "where the program starts".to_owned(),
        });
    }
    Ok(())
}

/// The methods in some files that each project may start with, by the path of the project.
fn starts<'p>(
    symbols: &Symbols,
    paths: impl Iterator<Item = &'p RepoPath>,
) -> Result<BTreeMap<RepoPath, Vec<Start>>, EditError> {
    let mut out: BTreeMap<RepoPath, Vec<Start>> = BTreeMap::new();
    for path in paths {
        for project in symbols.projects_of(path)? {
            let Some(facts) = symbols.facts(path, project, Sections::All)? else {
                continue;
            };
            let key = unit_key(&(path.clone(), project));
            let starting = symbols.read(|c| {
                let unit = c.unit_id(&key);
                let named = (facts.decls.iter().zip(0..)).filter(|(decl, _)| {
                    decl.kind == DeclKind::Method && facts.name(decl.name) == MAIN
                });
                let starting = named.filter_map(|(decl, id)| {
                    let member = c.member_of_decl(unit, id)?;
                    may_start(c, member).then(|| Start {
                        path: path.clone(),
                        name_at: decl.name_range.start,
                        line: decl.line,
                        shown: c.display_member(member),
                    })
                });
                Ok(starting.collect::<Vec<Start>>())
            })?;
            let project = symbols.projects()[project].project.path.clone();
            out.entry(project).or_default().extend(starting);
        }
    }
    Ok(out)
}

/// Whether a program may start with a method called `Main`.
fn may_start(c: &Compilation<'_>, member: MemberId) -> bool {
    let method = c.member(member);
    let result = method.signature.ty;
    let takes_arguments = match &*method.signature.params {
        [] => true,
        [args] => matches!(c.kind(args.ty), &TyKind::Array(element, 1)
            if c.is_special(element, Special::String)),
        _ => false,
    };
    let number = c.special(Special::Int32);
    let gives_code = c.is_void(result)
        || result == number
        || c.is_special(result, Special::Task)
        || result == c.special_of(Special::TaskT, &[number]);
    method.is_static()
        && method.arity() == 0
        && c.def(method.owner).type_params.is_empty()
        && takes_arguments
        && gives_code
}
