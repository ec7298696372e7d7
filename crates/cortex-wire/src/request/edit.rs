//! Requests about edits.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ResidueKind;

/// A request to plan a rename.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditRenameRequest {
    /// The symbol: a type or member as every other question names it; a namespace by its full name, as `N:Name` where a
    /// type has that name too; a parameter, local, type parameter, label, alias or element of a tuple by the place of its
    /// name, as `path/File.cs:LINE:COLUMN`.
    pub symbol: String,
    /// Its new name; of a namespace, the full one.
    pub to: String,
    /// Whether a file called like a type keeps its name.
    #[serde(default)]
    pub keep_file: bool,
    /// Texts that mention the old name and get the new one as well: comments, strings, files that are not C#.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<ResidueKind>,
}

/// A request to replace the body of a member.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditBodyRequest {
    /// The member.
    pub symbol: String,
    /// The new body: a block in braces, `=>` and an expression, an expression, or statements. Indentation and line
    /// ends are made those of the file.
    pub text: String,
    /// The accessor whose body is meant: `get`, `set`, `init`, `add` or `remove`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accessor: Option<String>,
    /// The file of the declaration that is meant, where there are several: its path or the end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A request to write declarations in the place of a symbol, into it or next to it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditTextRequest {
    /// The type or member.
    pub symbol: String,
    /// The declarations. Indentation and line ends are made those of the file.
    pub text: String,
    /// The file of the declaration that is meant, where there are several: its path or the end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A request to remove declarations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditRemoveRequest {
    /// The types and members, at least one. They may use each other.
    pub symbols: Vec<String>,
    /// Whether to remove them although other code uses them.
    #[serde(default)]
    pub although_used: bool,
}

/// A request to remove declarations that nothing uses.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditSafeDeleteRequest {
    /// The types and members, at least one. They may use each other.
    pub symbols: Vec<String>,
}

/// A request to plan several edits as one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditBatchRequest {
    /// The edits in order, at least one: each sees what the earlier ones leave.
    pub edits: Vec<EditStepRequest>,
}

/// A request to plan what a diff, or new texts of files, change.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditPatchRequest {
    /// A unified diff of files of the repository, as `git diff` writes it: files may come, go and get other paths.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub patch: String,
    /// Instead of a diff: whole texts of files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<FileText>,
}

/// The text that a file is to have.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileText {
    /// The file: its path in the repository.
    pub file: String,
    /// Its whole text; absent for a file that goes. A file that is there keeps its encoding and its line ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A request to add a using directive to a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditAddUsingRequest {
    /// The file, by its path or the end of it; or a type or member that it declares.
    pub symbol: String,
    /// What is imported: a namespace, `static` and a type, or a name, `=` and a type.
    pub import: String,
    /// The file of the declaration that is meant, where there are several: its path or the end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A request to give a method or constructor other parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditSignatureRequest {
    /// The method or constructor.
    pub symbol: String,
    /// A parameter that it gets, as a method declares it: `int timeout = 5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<String>,
    /// What calls pass for the new parameter; where there is nothing, they leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The position of the new parameter, from 0; by default the last one that the language allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    /// The names of parameters that go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// The names of all parameters that there will be, in order; nothing where the order stays. A renamed parameter
    /// may be named by its old or its new name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// The new names of parameters, by their names: `{"reason": "why"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rename: BTreeMap<String, String>,
    /// The new types of parameters, by their names: `{"id": "long"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub retype: BTreeMap<String, String>,
}

/// A request to put using directives in order and to take out those that nothing needs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditOrganizeUsingsRequest {
    /// C# files, and folders of them, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// A scope whose files are meant besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether directives that nothing needs stay.
    #[serde(default)]
    pub keep_unneeded: bool,
    /// Whether the order of directives stays.
    #[serde(default)]
    pub keep_order: bool,
}

/// A request to move a type, or a static member.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditMoveRequest {
    /// The type or static member.
    pub symbol: String,
    /// Its new namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The new path of its file; a folder ends in `/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The type that a static member or a type goes into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// Whether a type goes out of the types around it, into their namespace.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
}

/// A request to write what a type lacks of its interfaces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditImplementRequest {
    /// The class, struct or record.
    pub symbol: String,
    /// One of its interfaces, or one that it gets, as code in its file writes it; all that it has by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<String>,
    /// The file of the declaration that is meant, where there are several: its path or the end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A request to put the initializer of a local variable in the place of its uses.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditInlineVariableRequest {
    /// The place of the variable's name, as `path/File.cs:LINE:COLUMN`.
    pub symbol: String,
}

/// A request to make a method of statements or an expression.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditExtractMethodRequest {
    /// The code, as `path/File.cs:START-END`, where both are lines or `LINE:COLUMN`; the last column is the one behind it.
    pub symbol: String,
    /// The name of the method.
    pub to: String,
}

/// A request to put the body of a method in the place of its calls.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditInlineMethodRequest {
    /// The method.
    pub symbol: String,
}

/// A request to make an interface of what a type shows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditExtractInterfaceRequest {
    /// The class, struct or record.
    pub symbol: String,
    /// The name of the interface.
    pub to: String,
    /// The names of its members (`this` for an indexer); by default all public ones of an instance that no interface has
    /// already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// The path of its file, or a folder with `/` at its end; beside the type's by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A request to make a base class of members of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditExtractBaseRequest {
    /// The class.
    pub symbol: String,
    /// The name of the base class.
    pub to: String,
    /// The names of the members that go into it (`this` for an indexer), at least one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// The path of its file, or a folder with `/` at its end; beside the class's by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A request to make a property of a field.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditEncapsulateRequest {
    /// The field.
    pub symbol: String,
    /// The name of the property; by default that of the field, as a property is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A request to make all code that is like a pattern other code.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditRewriteRequest {
    /// An expression or statements of C#: `$x` stands for one expression, statement, type or name, and for the same one
    /// wherever it is; `$$$x` for any number of arguments, elements or statements; `$_` for one of any kind.
    pub pattern: String,
    /// What takes its place, with the same metavariables; nothing where statements go.
    pub text: String,
    /// Conditions: `x: Namespace.Type` where `$x` is of that type or one that derives from it,
    /// `Name: Namespace.Type.Member` where a name of the pattern refers to that symbol.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// C# files, and folders of them, by their paths; all by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// A scope whose files are meant besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// One edit of several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "edit", rename_all = "kebab-case")]
pub enum EditStepRequest {
    /// A rename.
    Rename(EditRenameRequest),
    /// Another body for a member.
    ReplaceBody(EditBodyRequest),
    /// Another declaration for a type or member.
    ReplaceMember(EditTextRequest),
    /// New members of a type.
    AddMember(EditTextRequest),
    /// New declarations before another one.
    InsertBefore(EditTextRequest),
    /// New declarations after another one.
    InsertAfter(EditTextRequest),
    /// Types and members that go.
    RemoveMember(EditRemoveRequest),
    /// Types and members that go where nothing uses them.
    SafeDelete(EditSafeDeleteRequest),
    /// What a diff changes.
    Patch(EditPatchRequest),
    /// Other parameters for a method or constructor.
    ChangeSignature(EditSignatureRequest),
    /// A using directive more.
    AddUsing(EditAddUsingRequest),
    /// Using directives in order.
    OrganizeUsings(EditOrganizeUsingsRequest),
    /// A type in another namespace or file.
    Move(EditMoveRequest),
    /// A declaration with an attribute more.
    AddAttribute(EditTextRequest),
    /// What a type lacks of its interfaces.
    ImplementInterface(EditImplementRequest),
    /// A local variable that goes.
    InlineVariable(EditInlineVariableRequest),
    /// Code that becomes a method.
    ExtractMethod(EditExtractMethodRequest),
    /// Code like a pattern that becomes other code.
    Rewrite(EditRewriteRequest),
    /// A method that goes.
    InlineMethod(EditInlineMethodRequest),
    /// An interface of what a type shows.
    ExtractInterface(EditExtractInterfaceRequest),
    /// A base class of members of a class.
    ExtractBase(EditExtractBaseRequest),
    /// A field that gets a property.
    EncapsulateField(EditEncapsulateRequest),
}

/// A request to list operations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpsListRequest {}

/// A request about one operation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpRequest {
    /// Its id, or the beginning of it.
    pub op: String,
}

/// A request to write the files of an operation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyRequest {
    /// Its id, or the beginning of it.
    pub op: String,
    /// Whether to apply it although it is not proven to keep what the code means.
    #[serde(default)]
    pub allow_unproven: bool,
    /// Whether to apply it although other code means something else afterwards. A rename is never applied then.
    #[serde(default)]
    pub allow_changed_meaning: bool,
    /// Whether to plan it anew where its files changed since: what both change is merged line by line, proven, and
    /// recorded as an operation of its own, which is the answer. Nothing is applied.
    #[serde(default)]
    pub merge: bool,
    /// Whether to stage its files.
    #[serde(default)]
    pub stage: bool,
    /// The message of the commit that is to be made of its files; none is made without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit_message: Option<String>,
}
