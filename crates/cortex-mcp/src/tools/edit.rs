//! Tools that change code: `edit_plan`, `edit_status`, `edit_apply`. None approves a change: a person does.

use std::collections::BTreeMap;

use cortex_service::{Hints, ServiceError};
use cortex_wire::{
    ApplyRequest, EditAddUsingRequest, EditBatchRequest, EditBodyRequest, EditEncapsulateRequest,
    EditExtractBaseRequest, EditExtractInterfaceRequest, EditExtractMethodRequest,
    EditImplementRequest, EditInlineMethodRequest, EditInlineVariableRequest, EditMoveRequest,
    EditOrganizeUsingsRequest, EditPatchRequest, EditRemoveRequest, EditRenameRequest,
    EditRewriteRequest, EditSafeDeleteRequest, EditSignatureRequest, EditStepRequest,
    EditTextRequest, ErrorCode, FileText, OpRequest, OpsListRequest, WireError,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{LOOK, Question, Tool};

const APPLY: Hints = Hints {
    read_only: false,
    destructive: true,
    idempotent: false,
    open_world: false,
};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new::<Plan>(
            "edit_plan",
            "Plan edits of C# code by symbol and prove what they do to the meaning of all other code. Answers verdict, \
             patch and the id of an operation; writes nothing.",
            LOOK,
            plan,
        ),
        Tool::new::<Status>(
            "edit_status",
            "One planned operation, or all.",
            LOOK,
            status,
        ),
        Tool::new::<Apply>(
            "edit_apply",
            "Write the files of an operation, once a person has approved it.",
            APPLY,
            |arguments: Apply| {
                let request = ApplyRequest {
                    op: arguments.op,
                    ..ApplyRequest::default()
                };
                Ok(Question::new("ops-apply", &request))
            },
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Apply {
    op: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Status {
    /// Its id
    op: Option<String>,
}

fn status(arguments: Status) -> Result<Question, ServiceError> {
    Ok(match arguments.op {
        Some(op) => Question::new("ops-show", &OpRequest { op }),
        None => Question::new("ops-list", &OpsListRequest::default()),
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Plan {
    /// Each sees what the earlier ones leave
    edits: Vec<Step>,
}

/// One edit with the fields of all kinds.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Step {
    edit: Kind,
    /// Of most; `add-using`: or the file
    symbol: Option<String>,
    /// `rename`, `encapsulate-field`: the new name; `move`: the new path, a folder ends in `/`
    to: Option<String>,
    /// `move`: the new namespace; the type that a static member or type goes into; whether a type goes out of one
    namespace: Option<String>,
    into: Option<String>,
    out: Option<bool>,
    /// `implement-interface`: one of them
    interface: Option<String>,
    /// `rewrite`: C# with `$x` for one expression, `$$$x` for arguments; conditions `x: Type`
    pattern: Option<String>,
    #[serde(rename = "where")]
    conditions: Option<Vec<String>>,
    /// New body, declarations, attribute or code
    text: Option<String>,
    /// `patch`: a unified diff
    patch: Option<String>,
    /// `patch`: whole files instead
    texts: Option<Vec<FileText>>,
    /// `change-signature`: a parameter to add, what calls pass for it, names to remove, the new order; new names and
    /// types by name
    add: Option<String>,
    value: Option<String>,
    remove: Option<Vec<String>>,
    order: Option<Vec<String>>,
    rename: Option<BTreeMap<String, String>>,
    retype: Option<BTreeMap<String, String>>,
    /// `add-using`: the namespace
    import: Option<String>,
    /// `extract-interface`, `extract-base`: names
    members: Option<Vec<String>>,
    /// `organize-usings`, `rewrite`: files and folders
    files: Option<Vec<String>>,
    /// `replace-body`: `get`, `set`, …
    accessor: Option<String>,
    /// Which declaration, of several
    file: Option<String>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Rename,
    ReplaceBody,
    ReplaceMember,
    AddMember,
    InsertBefore,
    InsertAfter,
    RemoveMember,
    SafeDelete,
    Patch,
    AddUsing,
    OrganizeUsings,
    ChangeSignature,
    Move,
    AddAttribute,
    ImplementInterface,
    InlineVariable,
    ExtractMethod,
    Rewrite,
    EncapsulateField,
    ExtractInterface,
    ExtractBase,
    InlineMethod,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::ReplaceBody => "replace-body",
            Self::ReplaceMember => "replace-member",
            Self::AddMember => "add-member",
            Self::InsertBefore => "insert-before",
            Self::InsertAfter => "insert-after",
            Self::RemoveMember => "remove-member",
            Self::SafeDelete => "safe-delete",
            Self::Patch => "patch",
            Self::ChangeSignature => "change-signature",
            Self::AddUsing => "add-using",
            Self::OrganizeUsings => "organize-usings",
            Self::Move => "move",
            Self::AddAttribute => "add-attribute",
            Self::ImplementInterface => "implement-interface",
            Self::InlineVariable => "inline-variable",
            Self::ExtractMethod => "extract-method",
            Self::Rewrite => "rewrite",
            Self::EncapsulateField => "encapsulate-field",
            Self::ExtractInterface => "extract-interface",
            Self::ExtractBase => "extract-base",
            Self::InlineMethod => "inline-method",
        }
    }
}

fn plan(arguments: Plan) -> Result<Question, ServiceError> {
    let edits: Result<Vec<EditStepRequest>, ServiceError> =
        arguments.edits.into_iter().map(step).collect();
    let mut edits = edits?;
    if edits.len() != 1 {
        return Ok(Question::new("edit-batch", &EditBatchRequest { edits }));
    }
    let only = edits.remove(0);
    let mut request = serde_json::to_value(&only).expect("requests are plain data with text keys");
    let kind = request.as_object_mut().and_then(|it| it.remove("edit"));
    let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
    Ok(Question {
        operation: format!("edit-{kind}"),
        request,
    })
}

/// A move of a symbol.
fn moved(step: Step, symbol: String) -> EditMoveRequest {
    EditMoveRequest {
        symbol,
        namespace: step.namespace,
        to: step.to,
        into: step.into,
        out: step.out.unwrap_or_default(),
    }
}

/// Other parameters of a symbol.
fn signature(symbol: String, step: Step) -> EditSignatureRequest {
    EditSignatureRequest {
        symbol,
        add: step.add,
        value: step.value,
        at: None,
        remove: step.remove.unwrap_or_default(),
        order: step.order.unwrap_or_default(),
        rename: step.rename.unwrap_or_default(),
        retype: step.retype.unwrap_or_default(),
    }
}

/// What an edit of a kind cannot do without.
fn needed(kind: Kind, value: Option<String>, name: &str) -> Result<String, ServiceError> {
    value.ok_or_else(|| {
        let message = format!("`{}` needs `{name}`", kind.word());
        WireError::new(ErrorCode::InvalidRequest, message).into()
    })
}

/// The request of one edit.
fn step(mut step: Step) -> Result<EditStepRequest, ServiceError> {
    let kind = step.edit;
    let needed = |value, name| needed(kind, value, name);
    Ok(match kind {
        Kind::Rename => EditStepRequest::Rename(EditRenameRequest {
            symbol: needed(step.symbol, "symbol")?,
            to: needed(step.to, "to")?,
            keep_file: false,
            also: Vec::new(),
        }),
        Kind::ReplaceBody => EditStepRequest::ReplaceBody(EditBodyRequest {
            symbol: needed(step.symbol, "symbol")?,
            text: needed(step.text, "text")?,
            accessor: step.accessor,
            file: step.file,
        }),
        Kind::ReplaceMember
        | Kind::AddMember
        | Kind::InsertBefore
        | Kind::InsertAfter
        | Kind::AddAttribute => {
            let request = EditTextRequest {
                symbol: needed(step.symbol, "symbol")?,
                text: needed(step.text, "text")?,
                file: step.file,
            };
            with_text(kind, request)
        }
        Kind::RemoveMember => EditStepRequest::RemoveMember(EditRemoveRequest {
            symbols: vec![needed(step.symbol, "symbol")?],
            although_used: false,
        }),
        Kind::SafeDelete => {
            let symbols = vec![needed(step.symbol, "symbol")?];
            EditStepRequest::SafeDelete(EditSafeDeleteRequest { symbols })
        }
        Kind::ImplementInterface => EditStepRequest::ImplementInterface(EditImplementRequest {
            symbol: needed(step.symbol, "symbol")?,
            interface: step.interface,
            file: step.file,
        }),
        Kind::ExtractMethod => EditStepRequest::ExtractMethod(EditExtractMethodRequest {
            symbol: needed(step.symbol, "symbol")?,
            to: needed(step.to, "to")?,
        }),
        Kind::InlineMethod => {
            let symbol = needed(step.symbol, "symbol")?;
            EditStepRequest::InlineMethod(EditInlineMethodRequest { symbol })
        }
        Kind::ExtractInterface => EditStepRequest::ExtractInterface(EditExtractInterfaceRequest {
            symbol: needed(step.symbol, "symbol")?,
            to: needed(step.to, "to")?,
            members: step.members.unwrap_or_default(),
            file: step.file,
        }),
        Kind::ExtractBase => EditStepRequest::ExtractBase(EditExtractBaseRequest {
            symbol: needed(step.symbol, "symbol")?,
            to: needed(step.to, "to")?,
            members: step.members.unwrap_or_default(),
            file: step.file,
        }),
        Kind::EncapsulateField => EditStepRequest::EncapsulateField(EditEncapsulateRequest {
            symbol: needed(step.symbol, "symbol")?,
            to: step.to,
        }),
        Kind::Rewrite => EditStepRequest::Rewrite(EditRewriteRequest {
            pattern: needed(step.pattern, "pattern")?,
            text: needed(step.text, "text")?,
            conditions: step.conditions.unwrap_or_default(),
            files: step.files.unwrap_or_default(),
            scope: None,
        }),
        Kind::InlineVariable => EditStepRequest::InlineVariable(EditInlineVariableRequest {
            symbol: needed(step.symbol, "symbol")?,
        }),
        Kind::Move => {
            let symbol = needed(step.symbol.take(), "symbol")?;
            EditStepRequest::Move(moved(step, symbol))
        }
        Kind::ChangeSignature => {
            let symbol = needed(step.symbol.take(), "symbol")?;
            EditStepRequest::ChangeSignature(signature(symbol, step))
        }
        Kind::AddUsing => EditStepRequest::AddUsing(EditAddUsingRequest {
            symbol: needed(step.symbol, "symbol")?,
            import: needed(step.import, "import")?,
            file: step.file,
        }),
        Kind::OrganizeUsings => EditStepRequest::OrganizeUsings(EditOrganizeUsingsRequest {
            files: step.files.unwrap_or_default(),
            ..EditOrganizeUsingsRequest::default()
        }),
        Kind::Patch => EditStepRequest::Patch(patch(step)?),
    })
}

/// A change from outside: a diff, or new texts of files.
fn patch(step: Step) -> Result<EditPatchRequest, ServiceError> {
    let texts = step.texts.unwrap_or_default();
    let patch = match texts.is_empty() {
        false => step.patch.unwrap_or_default(),
        true => needed(step.edit, step.patch, "patch")?,
    };
    Ok(EditPatchRequest { patch, texts })
}

/// An edit that brings declarations.
fn with_text(kind: Kind, request: EditTextRequest) -> EditStepRequest {
    match kind {
        Kind::ReplaceMember => EditStepRequest::ReplaceMember(request),
        Kind::InsertBefore => EditStepRequest::InsertBefore(request),
        Kind::InsertAfter => EditStepRequest::InsertAfter(request),
        Kind::AddAttribute => EditStepRequest::AddAttribute(request),
        _ => EditStepRequest::AddMember(request),
    }
}
