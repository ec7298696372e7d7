//! Arguments of `git cortex edit`, `review`, `apply`, `undo` and `ops`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::ReportFormat;

/// Plan a change of the code, and prove what it does to its meaning.
#[derive(Args, Debug)]
#[command(
    after_help = "An edit writes no file: it is planned on the work tree, bound again as if it were made, compared with \
what the code means now, and recorded as an operation. `git cortex review` shows it to a person, `git cortex apply` \
writes it, `git cortex undo` takes it back.\n\nExit status: 0 proven, 1 not proven or another meaning.\n\nExamples:\n  \
git cortex edit rename OrderService.Cancel Withdraw\n  git cortex edit rename src/Orders.cs:12:20 customer\n  \
git cortex edit rename IOrder IPurchase --format patch | git apply\n  \
git cortex edit replace-body OrderService.Total --text 'return 0;'\n  git cortex edit safe-delete OrderCache"
)]
pub(crate) struct Edit {
    #[command(subcommand)]
    pub(crate) what: EditWhat,
    /// Form of the answer
    #[arg(long, value_enum, global = true, default_value_t = EditFormat::Text)]
    pub(crate) format: EditFormat,
    /// Leave the patch out of the answer; `git cortex ops show ID` has it
    #[arg(long, global = true)]
    pub(crate) no_patch: bool,
}

/// Form of a planned edit.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EditFormat {
    /// The verdict, what is to read, and the patch
    Text,
    /// The patch alone, as `git apply` takes it
    Patch,
    /// JSON
    Json,
}

#[derive(Subcommand, Debug)]
pub(crate) enum EditWhat {
    /// Give a symbol another name, everywhere
    Rename(EditRename),
    /// Replace the body of a member
    ReplaceBody(EditBody),
    /// Replace the declaration of a type or member
    ReplaceMember(EditText),
    /// Add members to a type
    AddMember(EditText),
    /// Write declarations before a type or member
    InsertBefore(EditText),
    /// Write declarations after a type or member
    InsertAfter(EditText),
    /// Remove types and members
    RemoveMember(EditRemove),
    /// Remove types and members that nothing but themselves uses
    SafeDelete(EditSafeDelete),
    /// Plan several edits as one, all or nothing
    Batch(EditBatch),
    /// Plan what a unified diff, or new texts of files, change
    Patch(EditPatch),
    /// Give a method or constructor other parameters, and its calls other arguments
    ChangeSignature(EditSignature),
    /// Move a type to another namespace, file or nesting, or a static member to another type
    Move(EditMove),
    /// Write what a type lacks of its interfaces
    ImplementInterface(EditImplement),
    /// Put the initializer of a local variable in the place of its uses
    InlineVariable(EditInlineVariable),
    /// Make a private method of statements or an expression
    ExtractMethod(EditExtractMethod),
    /// Put the body of a method in the place of its calls
    InlineMethod(EditInlineMethod),
    /// Make an interface of what a type shows to other code
    ExtractInterface(EditExtractInterface),
    /// Make a base class of members of a class
    ExtractBase(EditExtractBase),
    /// Make a field private, with a property for other code
    EncapsulateField(EditEncapsulate),
    /// Make all code that is like a pattern other code
    Rewrite(EditRewrite),
    /// Write attributes on a type or member
    AddAttribute(EditAttribute),
    /// Import a namespace or type into a file
    AddUsing(EditAddUsing),
    /// Put using directives in order, without those that nothing needs
    OrganizeUsings(EditOrganizeUsings),
}

/// Give a method or constructor other parameters, and its calls other arguments.
#[derive(Args, Debug)]
#[command(
    after_help = "Overrides, implementations, what they implement, both halves of partial methods and documentation get the \
same parameters. Calls follow in every form: with named arguments, as extensions, with `params`, in initializers of \
constructors, attributes and `new()`. Arguments that do something are evaluated in the order in which they were: they get \
names where they would change places. What is no call (a delegate of the method) is refused with its place, unless parameters \
only get other names. A new type is refused or reported where code does not take it.\n\nExamples:\n  \
git cortex edit change-signature OrderService.Cancel --add 'int timeout = 5'\n  \
git cortex edit change-signature OrderService.Cancel --add 'bool notify' --value true --at 0\n  \
git cortex edit change-signature OrderService.Cancel --remove reason\n  \
git cortex edit change-signature OrderService.Cancel --order reason,id\n  \
git cortex edit change-signature OrderService.Cancel --rename reason=why --retype id=long"
)]
pub(crate) struct EditSignature {
    /// The method or constructor
    pub(crate) symbol: String,
    /// A parameter that it gets, as a method declares it
    #[arg(long, value_name = "PARAMETER")]
    pub(crate) add: Option<String>,
    /// What calls pass for the new parameter [default: nothing]
    #[arg(long, value_name = "EXPRESSION", requires = "add")]
    pub(crate) value: Option<String>,
    /// The position of the new parameter, from 0 [default: the last one that the language allows]
    #[arg(long, value_name = "POSITION", requires = "add")]
    pub(crate) at: Option<u32>,
    /// A parameter that goes
    #[arg(long, value_name = "NAME")]
    pub(crate) remove: Vec<String>,
    /// All parameters that there will be, in order
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) order: Vec<String>,
    /// A parameter that gets another name; repeat for several
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    pub(crate) rename: Vec<(String, String)>,
    /// A parameter that gets another type; repeat for several
    #[arg(long, value_name = "NAME=TYPE", value_parser = pair)]
    pub(crate) retype: Vec<(String, String)>,
}

/// Reads `NAME=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write the parameter, `=`, and what it becomes".to_owned()),
    }
}

/// Move a type to another namespace, file or nesting, or a static member to another type.
#[derive(Args, Debug)]
#[command(
    after_help = "Code that names the type imports the new namespace where it does not see it anyway; qualified names get the \
new qualifier. The type's code imports those namespaces that were around it and that it needs. Directives of the old \
namespace go where nothing is left in it. A file that declares other types as well is refused.\n\nCode that uses a static \
member names the type that it goes into. What that type cannot see is refused with its place. A type can go into another type as \
well, or out of the type around it; code that names it gets the new qualifier.\n\nExamples:\n  \
git cortex edit move OrderService --namespace Shop.Orders\n  \
git cortex edit move OrderService --namespace Shop.Orders --to src/Orders/\n  \
git cortex edit move OrderService.Round --into Money\n  \
git cortex edit move OrderLine --into Order\n  \
git cortex edit move Order.Line --out"
)]
pub(crate) struct EditMove {
    /// The type or static member
    pub(crate) symbol: String,
    /// Its new namespace
    #[arg(long, value_name = "NAME", required_unless_present_any = ["to", "into", "out"])]
    pub(crate) namespace: Option<String>,
    /// The new path of its file; a folder ends in `/`
    #[arg(long, value_name = "PATH")]
    pub(crate) to: Option<String>,
    /// The type that a static member or a type goes into
    #[arg(long, value_name = "TYPE", conflicts_with_all = ["namespace", "to"])]
    pub(crate) into: Option<String>,
    /// Move a type out of the types around it, into their namespace
    #[arg(long, conflicts_with_all = ["namespace", "to", "into"])]
    pub(crate) out: bool,
}

/// Write what a type lacks of its interfaces.
#[derive(Args, Debug)]
#[command(
    after_help = "Each member throws NotImplementedException. Types from other namespaces are imported. A member whose name and \
parameters another one has is written for its interface alone. Without an interface, all of those that the type has are \
meant.\n\nExamples:\n  git cortex edit implement-interface OrderService\n  \
git cortex edit implement-interface OrderService 'IComparable<OrderService>'"
)]
pub(crate) struct EditImplement {
    /// The class, struct or record
    pub(crate) symbol: String,
    /// One of its interfaces, or one that it gets, as its file writes it
    pub(crate) interface: Option<String>,
    /// The file of the declaration that is meant, where there are several
    #[arg(long = "in", value_name = "PATH")]
    pub(crate) in_file: Option<String>,
}

/// Put the initializer of a local variable in the place of its uses.
#[derive(Args, Debug)]
#[command(
    after_help = "The declaration is removed. Parentheses, a type or a member name are written where the code needs them. What \
may have an effect or another result is evaluated once and in the same order, or the edit is refused with the place.\n\n\
Example:\n  git cortex edit inline-variable src/OrderService.cs:31:13"
)]
pub(crate) struct EditInlineVariable {
    /// The place of the variable's name, as PATH:LINE:COLUMN
    #[arg(value_name = "PLACE")]
    pub(crate) symbol: String,
}

/// Make a private method of statements or an expression.
#[derive(Args, Debug)]
#[command(
    after_help = "The method stands behind the member that has the code. Variables that the code needs become parameters, those \
that code behind it uses become the result. Jumps out of the code, and variables that lambdas share, are refused with the \
place.\n\nExamples:\n  git cortex edit extract-method src/OrderService.cs:31-36 Validate\n  \
git cortex edit extract-method src/OrderService.cs:31:16-31:40 Total"
)]
pub(crate) struct EditExtractMethod {
    /// The code, as PATH:START-END, where both are lines or LINE:COLUMN
    #[arg(value_name = "RANGE")]
    pub(crate) symbol: String,
    /// The name of the method
    pub(crate) name: String,
}

/// Put the body of a method in the place of its calls.
#[derive(Args, Debug)]
#[command(
    after_help = "The calls have to be in the method's own file. Arguments take the place of parameters, \
with types and parentheses where they are needed; what may have an effect or another result is evaluated once and in the same \
order, or the edit is refused with the place. Several statements come before the statement of the call. The declaration is \
removed.\n\nExample:\n  \
git cortex edit inline-method OrderService.IsDue"
)]
pub(crate) struct EditInlineMethod {
    /// The method
    pub(crate) symbol: String,
}

/// Make an interface of what a type shows to other code.
#[derive(Args, Debug)]
#[command(
    after_help = "The interface stands in a file of its own, with the namespace and those using directives of the type's file that \
it needs, and joins the type's base list. Members are declared as the type writes them, with their documentation.\n\n\
Examples:\n  git cortex edit extract-interface OrderService IOrderService\n  \
git cortex edit extract-interface OrderService IOrderReader --members Find,Count --to src/Contracts/"
)]
pub(crate) struct EditExtractInterface {
    /// The class, struct or record
    pub(crate) symbol: String,
    /// The name of the interface
    pub(crate) name: String,
    /// Its members [default: all public ones of an instance that no interface has already]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) members: Vec<String>,
    /// The path of its file, or a folder with `/` at its end [default: beside the type's]
    #[arg(long, value_name = "PATH")]
    pub(crate) to: Option<String>,
}

/// Make a base class of members of a class.
#[derive(Args, Debug)]
#[command(
    after_help = "The members move as they are written, with their documentation, into a new class in a file of its own; the class \
derives from it. A private member becomes protected where the class still uses it. A member that uses what stays in the class \
is refused with the places. Without --members, the command lists the members that can move.\n\n\
Examples:\n  git cortex edit extract-base OrderService OrderServiceBase --members Find,Count\n  \
git cortex edit extract-base OrderService Repository --members Find,lines --to src/Data/"
)]
pub(crate) struct EditExtractBase {
    /// The class
    pub(crate) symbol: String,
    /// The name of the base class
    pub(crate) name: String,
    /// The members that move [default: none; lists those that can]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) members: Vec<String>,
    /// The path of its file, or a folder with `/` at its end [default: beside the class's]
    #[arg(long, value_name = "PATH")]
    pub(crate) to: Option<String>,
}

/// Make a field private, with a property for other code.
#[derive(Args, Debug)]
#[command(
    after_help = "The type itself goes on using the field; all other code uses the property, which has the accessibility that the \
field had (`public` for a private one) and its documentation. Where the property is called like the field, the field gets \
another name. Uses that need a variable (`ref`, a part of a struct) are refused with their place.\n\nExamples:\n  \
git cortex edit encapsulate-field Order.Total\n  git cortex edit encapsulate-field Order._n Count"
)]
pub(crate) struct EditEncapsulate {
    /// The field
    pub(crate) symbol: String,
    /// The name of the property [default: the field's, as a property is called]
    pub(crate) name: Option<String>,
}

/// Make all code that is like a pattern other code.
#[derive(Args, Debug)]
#[command(
    after_help = "Pattern and replacement are an expression, or statements. In them `$x` stands for one expression, statement, \
type or name, and for the same one wherever it is; `$$$x` for any number of arguments, elements or statements; `$_` for \
one of any kind. White space and comments do not count, names do: with --where a name has to refer to a symbol, and what \
`$x` stands for has to be of a type or of one that derives from it. Matches inside of matches are rewritten as well. \
Parentheses are written where they are needed. Where a comment or directive stands in a match it is left as it is, and \
listed; so is what would be evaluated more often, no longer, or in another order.\n\nExamples:\n  \
git cortex edit rewrite 'Assert.Equal($a, null)' 'Assert.Null($a)'\n  \
git cortex edit rewrite '$list.Count() > 0' '$list.Count > 0' --where 'list: System.Collections.Generic.List'\n  \
git cortex edit rewrite 'Log($level, $$$rest);' '_log.Write($level, $$$rest);' --where 'Log: Shop.Logging.Log' src/Orders\n  \
git cortex edit rewrite 'Debug.Assert($$$_);' ''"
)]
pub(crate) struct EditRewrite {
    /// The code that is meant
    pub(crate) pattern: String,
    /// What takes its place; nothing where statements go
    pub(crate) replacement: String,
    /// Files, and folders of them [default: all]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// A condition: `x: Namespace.Type`, or `Name: Namespace.Type.Member`
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) conditions: Vec<String>,
    /// A scope whose files are meant besides
    #[arg(long, value_name = "SCOPE")]
    pub(crate) in_scope: Option<String>,
}

/// Write attributes on a type or member.
#[derive(Args, Debug)]
#[command(
    after_help = "The attribute gets a line of its own behind the attributes that are there, unless what it belongs to shares \
its line with something else. Names that mean nothing are listed.\n\nExamples:\n  \
git cortex edit add-attribute OrderService.Cancel 'Obsolete(\"use Withdraw\")'\n  \
git cortex edit add-attribute OrderService.Find '[return: NotNull]'"
)]
pub(crate) struct EditAttribute {
    /// The type or member
    pub(crate) symbol: String,
    /// A name with its arguments, or lists in brackets
    pub(crate) attribute: String,
    /// The file of the declaration that is meant, where there are several
    #[arg(long = "in", value_name = "PATH")]
    pub(crate) in_file: Option<String>,
}

/// Import a namespace or type into a file.
#[derive(Args, Debug)]
#[command(
    after_help = "The directive gets the place that it has in the order of the others. Names that meant nothing and mean \
something afterwards are what it is for; names that mean something else are told.\n\nExamples:\n  \
git cortex edit add-using src/OrderService.cs System.Linq\n  git cortex edit add-using OrderService 'static System.Math'\n  \
git cortex edit add-using OrderService 'Json = Newtonsoft.Json'"
)]
pub(crate) struct EditAddUsing {
    /// The file, by its path or the end of it; or a type or member that it declares
    pub(crate) symbol: String,
    /// A namespace, `static` and a type, or a name, `=` and a type
    pub(crate) import: String,
    /// The file of the declaration that is meant, where there are several
    #[arg(long = "in", value_name = "PATH")]
    pub(crate) in_file: Option<String>,
}

/// Put using directives in order, without those that nothing needs.
#[derive(Args, Debug)]
#[command(
    after_help = "Only directives that import a namespace go: what no name, extension, documentation or other use needs, in \
every project and for every target framework that compiles the file, and what is imported twice or everywhere. Where a file \
has code that no project compiles, or names that mean nothing, all of its directives stay. Comments, #if, #region and blank \
lines between directives keep their places: what is between two of them is sorted. System comes first as .editorconfig \
says (dotnet_sort_system_directives_first), or as the file has it.\n\nExamples:\n  \
git cortex edit organize-usings src/Orders\n  git cortex edit organize-usings --in-scope git:changed --keep-order"
)]
pub(crate) struct EditOrganizeUsings {
    /// Files, and folders of them
    #[arg(required_unless_present = "in_scope", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// A scope whose files are meant besides
    #[arg(long, value_name = "SCOPE")]
    pub(crate) in_scope: Option<String>,
    /// Leave directives that nothing needs
    #[arg(long)]
    pub(crate) keep_unneeded: bool,
    /// Leave the order
    #[arg(long)]
    pub(crate) keep_order: bool,
}

/// Plan what a unified diff, or new texts of files, change.
#[derive(Args, Debug)]
#[command(
    after_help = "Every line has to stand where the diff says. Files may come, go and get other paths; a file that goes and \
one like it that comes are taken for one that gets another path. Files that are not C# are written and undone like the \
others: of projects, and of what they import, it is told that nothing is proven.\n\nInstead of a diff, --texts takes a JSON \
list of files with their whole texts; one without a text goes.\n\nExamples:\n  \
git cortex edit patch fix.diff --format json\n  \
git diff HEAD~1 | git cortex edit patch -\n  \
echo '[{\"file\": \"src/Line.cs\", \"text\": \"class Line { }\"}, {\"file\": \"src/Old.cs\"}]' | git cortex edit patch --texts -"
)]
pub(crate) struct EditPatch {
    /// The file of the diff; `-` for standard input
    #[arg(required_unless_present = "texts")]
    pub(crate) diff: Option<std::path::PathBuf>,
    /// The file of a JSON list of files with their texts; `-` for standard input
    #[arg(long, value_name = "PATH", conflicts_with = "diff")]
    pub(crate) texts: Option<std::path::PathBuf>,
}

/// Plan several edits as one, all or nothing.
#[derive(Args, Debug)]
#[command(
    after_help = "The edits are a JSON list; each has the kind of the edit and what its request has, and sees what the \
earlier ones leave. One patch and one operation come of them.\n\nExample:\n  \
echo '[{\"edit\": \"rename\", \"symbol\": \"Order.Cancel\", \"to\": \"Withdraw\"}, \
{\"edit\": \"add-member\", \"symbol\": \"Order\", \"text\": \"int count;\"}]' | git cortex edit batch -"
)]
pub(crate) struct EditBatch {
    /// The file of the list; `-` for standard input
    pub(crate) edits: std::path::PathBuf,
}

/// The new text: from an argument, a file or standard input.
#[derive(Args, Debug)]
pub(crate) struct NewText {
    /// The new text
    #[arg(long, value_name = "TEXT", conflicts_with = "text_file")]
    pub(crate) text: Option<String>,
    /// The file to read the new text from [default: standard input]
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) text_file: Option<std::path::PathBuf>,
}

/// Replace the body of a member.
#[derive(Args, Debug)]
#[command(
    after_help = "The body is a block in braces, `=>` and an expression, an expression, or statements. It gets the indentation and the line ends of the file; no other byte changes.\n\nExamples:\n  git cortex edit replace-body OrderService.Total --text 'return lines.Sum(line => line.Price);'\n  git cortex edit replace-body Order.Count --accessor get --text '=> lines.Count' --format json"
)]
pub(crate) struct EditBody {
    /// The method, constructor, operator, property or indexer
    pub(crate) symbol: String,
    #[command(flatten)]
    pub(crate) new: NewText,
    /// The accessor whose body is meant: get, set, init, add or remove
    #[arg(long, value_name = "NAME")]
    pub(crate) accessor: Option<String>,
    /// The file of the declaration that is meant, where there are several
    #[arg(long = "in", value_name = "PATH")]
    pub(crate) in_file: Option<String>,
}

/// Write declarations.
#[derive(Args, Debug)]
#[command(
    after_help = "The declarations get the indentation and the line ends of the file, and blank lines between them as \
it has; no other byte changes. Documentation and attributes belong to a declaration: the documentation of one that is replaced stays unless the new text has its own.\n\nExample:\n  \
git cortex edit add-member OrderService --text 'public bool IsEmpty => lines.Count == 0;'"
)]
pub(crate) struct EditText {
    /// The type or member
    pub(crate) symbol: String,
    #[command(flatten)]
    pub(crate) new: NewText,
    /// The file of the declaration that is meant, where there are several
    #[arg(long = "in", value_name = "PATH")]
    pub(crate) in_file: Option<String>,
}

/// Remove types and members.
#[derive(Args, Debug)]
pub(crate) struct EditRemove {
    /// The types and members; they may use each other
    #[arg(required = true)]
    pub(crate) symbols: Vec<String>,
    /// Remove them although other code uses them
    #[arg(long)]
    pub(crate) although_used: bool,
}

/// Remove types and members that nothing but themselves uses.
#[derive(Args, Debug)]
pub(crate) struct EditSafeDelete {
    /// The types and members; they may use each other
    #[arg(required = true)]
    pub(crate) symbols: Vec<String>,
}

/// Give a symbol another name, everywhere.
#[derive(Args, Debug)]
#[command(
    after_help = "A namespace is named by its full name, or as N:Name where a type has the same name, and its new name is a full \
one as well. Folders and files stay where they are.\n\nExamples:\n  git cortex edit rename OrderService.Cancel Withdraw\n  \
git cortex edit rename src/Orders.cs:12:20 count\n  git cortex edit rename Shop.Orders Shop.Sales"
)]
pub(crate) struct EditRename {
    /// A type, member or namespace; a parameter, local, type parameter, label, alias or element of a tuple by its
    /// place (path/File.cs:LINE:COLUMN)
    pub(crate) symbol: String,
    /// Its new name
    pub(crate) to: String,
    /// Leave the name of a type's file as it is
    #[arg(long)]
    pub(crate) keep_file: bool,
    /// Also change texts that mention the old name and are otherwise listed; repeat it or separate kinds by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) also: Vec<AlsoKind>,
}

/// Texts that mention a name without being code.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum AlsoKind {
    /// Comments and documentation of C# files
    Comments,
    /// Strings of C# files
    Strings,
    /// Files that are not C#: Razor, XAML, SQL, configuration, …
    Files,
}

/// Show an operation to a person, who approves or rejects it.
#[derive(Args, Debug)]
#[command(
    after_help = "Where `cortex.requireReview` is `signature`, an operation is applied once one of the signers in \
`gpg.ssh.allowedSignersFile` of your own git configuration has signed it. What is signed is the digest of request, files, \
contents and verdict.\n\nExamples:\n  \
git cortex review A1B2C3D4\n  \
git cortex review A1B2C3D4 --sign ~/.ssh/id_ed25519\n  \
git cortex review A1B2C3D4 --digest | ssh-keygen -Y sign -n git-cortex -f KEY > approval.sig\n  \
git cortex review A1B2C3D4 --signature approval.sig"
)]
pub(crate) struct Review {
    /// The operation
    pub(crate) op: String,
    /// Sign it with this SSH key once you approve it
    #[arg(long, value_name = "KEY", conflicts_with_all = ["reject", "signature", "digest"])]
    pub(crate) sign: Option<PathBuf>,
    /// Approve it by a signature from a file, or - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["reject", "digest"])]
    pub(crate) signature: Option<PathBuf>,
    /// Print what a signature signs
    #[arg(long, conflicts_with = "reject")]
    pub(crate) digest: bool,
    /// Reject it without asking
    #[arg(long)]
    pub(crate) reject: bool,
    /// Why it is rejected
    #[arg(short, long, requires = "reject")]
    pub(crate) message: Option<String>,
}

/// Run your build or tests on a copy of the work tree, without and with an operation.
#[derive(Args, Debug)]
#[command(
    after_help = "The command is `cortex.verify` of your own configuration; a repository cannot set it. It runs in a temporary \
folder with the files of the work tree, first as they are and then as the operation has them, and what it reports is \
compared: errors and warnings that are new, but for the codes of `cortex.verifyAllow`, and a failure where it succeeded. \
The result is recorded with the operation; `git cortex apply` refuses one that did not pass.\n\nThe command runs what is in \
the repository, as a build does.\n\nExit status: 0 passed, 1 not.\n\nExample:\n  \
git config --global cortex.verify 'dotnet build'\n  git cortex verify A1B2C3D4"
)]
pub(crate) struct Verify {
    /// The operation
    pub(crate) op: String,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Write the files of an approved operation, all or none.
#[derive(Args, Debug)]
pub(crate) struct Apply {
    /// The operation
    pub(crate) op: String,
    /// Apply it although it is not proven to keep what the code means
    #[arg(long)]
    pub(crate) allow_unproven: bool,
    /// Apply it although other code means something else afterwards; a rename is never applied then
    #[arg(long)]
    pub(crate) allow_changed_meaning: bool,
    /// Plan it anew where its files changed since: merged line by line, proven, to be reviewed; nothing is applied
    #[arg(long = "3way", conflicts_with_all = ["index", "commit", "allow_unproven", "allow_changed_meaning"])]
    pub(crate) three_way: bool,
    /// Stage its files as well
    #[arg(long)]
    pub(crate) index: bool,
    /// Commit its files, and nothing else; no hook is run, and nothing signs the commit
    #[arg(long, requires = "message")]
    pub(crate) commit: bool,
    /// The message of the commit
    #[arg(short, long, requires = "commit")]
    pub(crate) message: Option<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Give the files of an applied operation the bytes that they had.
#[derive(Args, Debug)]
pub(crate) struct Undo {
    /// The operation
    pub(crate) op: String,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// List, show and drop operations.
#[derive(Args, Debug)]
pub(crate) struct OpsCommand {
    #[command(subcommand)]
    pub(crate) what: OpsWhat,
    /// Form of the answer
    #[arg(long, value_enum, global = true, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum OpsWhat {
    /// List operations, the newest first
    List,
    /// Show an operation
    Show(OpArgument),
    /// Forget an operation; files stay as they are
    Drop(OpArgument),
}

/// An operation.
#[derive(Args, Debug)]
pub(crate) struct OpArgument {
    /// The operation: its id, or the beginning of it
    pub(crate) op: String,
}
