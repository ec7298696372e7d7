//! An operation whose files changed since it was planned, planned anew on the files as they are.
//!
//! Must not know: what the operation does.

use cortex_git::merge_texts;
use cortex_index::Progress;
use cortex_look::viewpoint::Viewpoint;
use cortex_syntax::text::decode;
use cortex_wire::FileText;

use crate::{
    EditError,
    edit::{Edit, planned, record},
    foreign::Foreign,
    op::{Op, Ops},
    plan::find_file,
};

/// Merges what an operation changes with what changed in its files since, line by line as git does, and plans and proves
/// that as an operation of its own. Nothing is written. `views`: of the work tree, one for each target framework.
///
/// # Errors
/// [`EditError::Refused`] where both changed the same lines, with the files; those of planning and of the files.
pub fn rebase(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    op: &Op,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let view = &views[0];
    let doing = || format!("merge `{}` into the files as they are", op.id());
    let mut reader = view.index.blobs(view.side);
    let (mut texts, mut conflicts) = (Vec::new(), Vec::new());
    for file in &op.files {
        let Some(old) = &file.old else {
            let Some(new) = &file.new else { continue };
            let bytes = ops.blob(op, new.blob)?;
            texts.push(FileText {
                file: new.path.to_string(),
                text: Some(decode(&bytes).as_str().to_owned()),
            });
            continue;
        };
        let Some(found) = find_file(view.index, view.side, &old.path)? else {
            conflicts.push(format!("`{}` is gone", old.path));
            continue;
        };
        let now = reader.read_blob(found.blob)?;
        let before = ops.blob(op, old.blob)?;
        let Some(new) = &file.new else {
            match now == before {
                true => texts.push(FileText {
                    file: old.path.to_string(),
                    text: None,
                }),
                false => conflicts.push(format!("`{}` goes, and was changed", old.path)),
            }
            continue;
        };
        let Some(merged) = merge_texts(&before, &now, &ops.blob(op, new.blob)?) else {
            conflicts.push(format!("both change the same lines of `{}`", old.path));
            continue;
        };
        if new.path != old.path {
            texts.push(FileText {
                file: old.path.to_string(),
                text: None,
            });
        }
        texts.push(FileText {
            file: new.path.to_string(),
            text: Some(decode(&merged).as_str().to_owned()),
        });
    }
    if !conflicts.is_empty() {
        return Err(EditError::Refused {
            doing: doing(),
            reason: conflicts.join("; "),
            help: vec!["plan the edit again".to_owned()],
        });
    }
    let (mut draft, proof) = planned(views, &Edit::Patch(Foreign::Texts(&texts)), progress)?;
    draft.title = format!("{} (merged)", op.answer.title.trim_end_matches(" (merged)"));
    record(views, ops, (draft, proof), progress)
}
