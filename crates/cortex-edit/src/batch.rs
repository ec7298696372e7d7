//! `batch`: several edits as one: each is planned and proven on what the earlier ones leave, and all of them are
//! applied or none.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{IndexedSide, Progress};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::RepoPath;
use cortex_syntax::text::decode;
use cortex_wire::{EditKind, EditVerdict, LeftAloneReason};

use crate::{
    EditError,
    conflicts::Locals,
    difference::edits_between,
    draft::Draft,
    edit::{
        planned_add_using, planned_encapsulate, planned_extract_method, planned_inline_method,
        planned_inline_variable, planned_member_edit, planned_move, planned_organize,
        planned_patch, planned_rename, planned_rewrite, planned_signature, prove_everywhere,
        record, sides_of, with_symbols,
    },
    encapsulate::EncapsulateField,
    extract_interface::{ExtractInterface, plan_extract_interface},
    extract_method::ExtractMethod,
    foreign::Foreign,
    implement::{ImplementInterface, plan_base, plan_stubs},
    inline_method::InlineMethod,
    inline_variable::InlineVariable,
    located::locate,
    member::MemberEdit,
    move_type::MoveType,
    op::{Op, Ops},
    plan::{FilePlan, Plan},
    proof::Proof,
    rename::Rename,
    rewrite::Rewrite,
    signature::ChangeSignature,
    usings::{AddUsing, OrganizeUsings, plan_organize},
};

/// One edit of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditStep<'r> {
    /// A rename.
    Rename(Rename<'r>),
    /// An edit that names a symbol and brings a text.
    Member(MemberEdit<'r>),
    /// What a unified diff or texts of files change.
    Patch(Foreign<'r>),
    /// Other parameters for a method.
    ChangeSignature(ChangeSignature<'r>),
    /// Using directives in order.
    OrganizeUsings(OrganizeUsings<'r>),
    /// One using directive more.
    AddUsing(AddUsing<'r>),
    /// A type goes elsewhere.
    Move(MoveType<'r>),
    /// A type gets what it lacks of its interfaces.
    Implement(ImplementInterface<'r>),
    /// A field gets a property.
    EncapsulateField(EncapsulateField<'r>),
    /// A type gets an interface.
    ExtractInterface(ExtractInterface<'r>),
    /// Code becomes a method.
    ExtractMethod(ExtractMethod<'r>),
    /// Code like a pattern becomes other code.
    Rewrite(Rewrite<'r>),
    /// A method goes.
    InlineMethod(InlineMethod<'r>),
    /// A local variable goes.
    InlineVariable(InlineVariable<'r>),
}

/// Plans edits one after another, proves each, and records them as one. `views`: the same files as each of their
/// target frameworks sees them, the one that answers are about first.
///
/// # Errors
/// Those of each edit, with its number; [`EditError::Refused`] for a rename that would change what code means.
pub fn batch(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    steps: &[EditStep<'_>],
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let mut sides: Vec<Option<IndexedSide>> = views.iter().map(|_| None).collect();
    let mut together = Together::default();
    for (at, step) in steps.iter().enumerate() {
        let views: Vec<Viewpoint<'_>> = (views.iter().zip(&sides))
            .map(|(view, side)| Viewpoint {
                index: view.index,
                side: side.as_ref().unwrap_or(view.side),
                filter: view.filter,
                limits: view.limits,
            })
            .collect();
        let planned = match step {
            EditStep::Rename(rename) => planned_rename(&views, rename, progress),
            EditStep::Member(edit) => planned_member_edit(&views, edit, progress),
            EditStep::Patch(foreign) => planned_patch(&views, *foreign, progress),
            EditStep::OrganizeUsings(request) => planned_organize(&views, request, progress),
            EditStep::ChangeSignature(request) => planned_signature(&views, request, progress),
            EditStep::AddUsing(request) => planned_add_using(&views, request, progress),
            EditStep::Move(request) => planned_move(&views, request, progress),
            EditStep::Implement(request) => planned_implement(&views, request, progress),
            EditStep::EncapsulateField(request) => planned_encapsulate(&views, request, progress),
            EditStep::ExtractInterface(request) => {
                planned_extract_interface(&views, request, progress)
            }
            EditStep::ExtractMethod(request) => planned_extract_method(&views, request, progress),
            EditStep::Rewrite(request) => planned_rewrite(&views, request, progress),
            EditStep::InlineMethod(request) => planned_inline_method(&views, request, progress),
            EditStep::InlineVariable(request) => planned_inline_variable(&views, request, progress),
        };
        let (draft, proof) = planned.map_err(|error| in_step(at, error))?;
        if proof.verdict() == EditVerdict::ChangedMeaning && !draft.kind.may_change_meaning() {
            let first = proof.differences.values().next();
            let place = first.map(|it| format!("the first place is {}:{}", it.file, it.line));
            return Err(EditError::Refused {
                doing: format!("edit {}: {}", at + 1, draft.title),
                reason: "the code would mean something else".to_owned(),
                help: place.into_iter().collect(),
            });
        }
        let files = draft.plan.planned_files();
        let mut next = Vec::with_capacity(views.len());
        for view in &views {
            let (side, _) = view.index.planned(view.side, &files, progress)?;
            next.push(Some(side));
        }
        sides = next;
        together.add(draft, proof);
    }
    let (draft, proof) = together.finish()?;
    record(views, ops, draft, proof)
}

/// A type gets what it lacks of its interfaces, with the proof: first the interface, then the members that are missing.
///
/// # Errors
/// Those of planning, of the index and of the files.
pub(crate) fn planned_implement(
    views: &[Viewpoint<'_>],
    request: &ImplementInterface<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let Some(base) = plan_base(&sides, request)? else {
        let draft = plan_stubs(&sides, request)?;
        let proof = prove_everywhere(&sides, &draft, progress)?;
        return Ok((draft, proof));
    };
    let files = base.plan.planned_files();
    let mut with_base = Vec::with_capacity(views.len());
    for view in views {
        with_base.push(view.index.planned(view.side, &files, progress)?.0);
    }
    let views: Vec<Viewpoint<'_>> = (views.iter().zip(&with_base))
        .map(|(view, side)| Viewpoint {
            index: view.index,
            side,
            filter: view.filter,
            limits: view.limits,
        })
        .collect();
    let planned = sides_of(&views)?;
    let stubs = plan_stubs(&with_symbols(&planned), request);
    let mut together = Together::default();
    let title = base.title.clone();
    together.add(base, Proof::default());
    let mut names = BTreeSet::new();
    match stubs {
        Ok(stubs) => {
            names.extend(stubs.names.iter().cloned());
            together.add(stubs, Proof::default());
        }
        // The interface asks for nothing that is not there.
        Err(EditError::NoChange { .. }) => {}
        Err(error) => return Err(error),
    }
    let subject = locate(sides[0].0, sides[0].1, request.symbol, &|| title.clone())?.subject;
    let (whole, _) = together.finish()?;
    let draft = Draft {
        kind: EditKind::ImplementInterface,
        title,
        subject: Some(subject),
        names,
        ..whole
    };
    let proof = prove_everywhere(&sides, &draft, progress)?;
    Ok((draft, proof))
}

/// An interface of what a type shows, with the proof: first with all directives of the type's file, of which those go that
/// it does not need.
///
/// # Errors
/// Those of planning, of the index and of the files.
pub(crate) fn planned_extract_interface(
    views: &[Viewpoint<'_>],
    request: &ExtractInterface<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let sides = sides_of(views)?;
    let sides = with_symbols(&sides);
    let (draft, path) = plan_extract_interface(sides[0], request)?;
    let files = draft.plan.planned_files();
    let mut with_file = Vec::with_capacity(views.len());
    for view in views {
        with_file.push(view.index.planned(view.side, &files, progress)?.0);
    }
    let views: Vec<Viewpoint<'_>> = (views.iter().zip(&with_file))
        .map(|(view, side)| Viewpoint {
            index: view.index,
            side,
            filter: view.filter,
            limits: view.limits,
        })
        .collect();
    let planned = sides_of(&views)?;
    let planned = with_symbols(&planned);
    let of_type = (draft.plan.files.keys()).find(|it| **it != path).cloned();
    for (_, symbols) in &planned {
        let new = symbols.projects_of(&path)?;
        let projects = match &of_type {
            Some(of_type) => symbols.projects_of(of_type)?,
            None => Vec::new(),
        };
        if let Some(&project) = projects.iter().find(|project| !new.contains(project)) {
            let help = "add the interface by hand, and name it with `implement-interface`";
            let project = &symbols.projects()[project].project.path;
            let reason = format!("`{project}` compiles the type, and would not compile `{path}`");
            return Err(request.refused(reason, help));
        }
    }
    let organize = OrganizeUsings {
        paths: &[path.as_str().to_owned()],
        keeps_unneeded: false,
        keeps_order: true,
    };
    let directives = plan_organize(&planned, &organize, &BTreeSet::new());
    let (title, subject, names) = (
        draft.title.clone(),
        draft.subject.clone(),
        draft.names.clone(),
    );
    let kind = draft.kind;
    let mut together = Together::default();
    together.add(draft, Proof::default());
    match directives {
        Ok(directives) => together.add(directives, Proof::default()),
        // All of them are needed, or nobody can tell.
        Err(EditError::NoChange { .. } | EditError::Refused { .. }) => {}
        Err(error) => return Err(error),
    }
    let (whole, _) = together.finish()?;
    let draft = Draft {
        kind,
        title,
        subject,
        names,
        left_alone: BTreeMap::new(),
        ..whole
    };
    let proof = prove_everywhere(&sides, &draft, progress)?;
    Ok((draft, proof))
}

/// An error of one edit of several.
fn in_step(at: usize, error: EditError) -> EditError {
    let number = at + 1;
    match error {
        EditError::Refused {
            doing,
            reason,
            help,
        } => EditError::Refused {
            doing: format!("edit {number}: {doing}"),
            reason,
            help,
        },
        EditError::NoChange { doing } => EditError::NoChange {
            doing: format!("edit {number}: {doing}"),
        },
        error => error,
    }
}

/// What the edits so far come to.
#[derive(Default)]
struct Together {
    titles: Vec<String>,
    /// By the path that each file has now.
    files: BTreeMap<RepoPath, FilePlan>,
    n_family: usize,
    left_alone: BTreeMap<RepoPath, LeftAloneReason>,
    proof: Proof,
}

impl Together {
    fn add(&mut self, draft: Draft, proof: Proof) {
        self.titles.push(draft.title);
        self.n_family += draft.n_family;
        self.left_alone.extend(draft.left_alone);
        let mut changed = Vec::with_capacity(draft.plan.files.len());
        for (path, file) in draft.plan.files {
            changed.extend(match self.files.remove(&path) {
                Some(before) => before.then(file),
                None => Some(file),
            });
        }
        for file in changed {
            self.files.insert(file.new_path.clone(), file);
        }
        let all = &mut self.proof;
        all.differences.extend(proof.differences);
        all.doubts.extend(proof.doubts);
        all.residue.extend(proof.residue);
        all.warnings.extend(proof.warnings);
        all.n_files += proof.n_files;
        all.n_decisions += proof.n_decisions;
    }

    fn finish(self) -> Result<(Draft, Proof), EditError> {
        let title = match self.titles.len() {
            1 => self.titles[0].clone(),
            n => format!("{n} edits: {}", self.titles.join("; ")),
        };
        let mut files = BTreeMap::new();
        for mut file in self.files.into_values() {
            if file.is_same() {
                continue;
            }
            let texts = [&file.old_bytes, &file.new_bytes].map(|bytes| decode(bytes));
            file.edits = edits_between(texts[0].as_str(), texts[1].as_str());
            if let Some(other) = files.insert(file.old.path.clone(), file) {
                return Err(EditError::Refused {
                    doing: title,
                    reason: format!(
                        "one edit gives `{}` another path, and another one makes a file there",
                        other.old.path
                    ),
                    help: vec!["plan and apply them one after another".to_owned()],
                });
            }
        }
        if files.is_empty() {
            return Err(EditError::NoChange { doing: title });
        }
        let draft = Draft {
            kind: EditKind::Batch,
            title,
            subject: None,
            n_family: self.n_family,
            locals: Locals::Kept,
            names: Default::default(),
            old_name: None,
            left_alone: self.left_alone,
            plan: Plan {
                files,
                ..Plan::default()
            },
        };
        Ok((draft, self.proof))
    }
}
