//! All operations: a new one is an entry here, a function in `operations`, its request and its answer in `cortex-wire`.

use super::{Cost, Example, Hints, OperationSpec, answer, erased, schema, schema_of_answer};
use crate::operations;

const LOOK: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
};

/// It writes files of the work tree that the sources determine.
const WRITE: Hints = Hints {
    read_only: false,
    destructive: false,
    idempotent: true,
    open_world: false,
};

/// It removes a file of the work tree.
const REMOVE: Hints = Hints {
    read_only: false,
    destructive: true,
    idempotent: false,
    open_world: false,
};

/// It plans a change and records it beside the index.
const PLAN: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
};

/// It changes files of the work tree as a person approved.
const EDIT: Hints = Hints {
    read_only: false,
    destructive: true,
    idempotent: false,
    open_world: false,
};

const COLLECT: Hints = Hints {
    read_only: false,
    destructive: true,
    idempotent: true,
    open_world: false,
};

/// An entry of the table.
macro_rules! operation {
    ($name:literal, $function:ident, $request:ident, $hints:ident, $cost:ident, $seconds:expr, $summary:literal,
     [$(($title:literal, $example:literal)),* $(,)?]) => {
        OperationSpec {
            name: $name,
            summary: $summary,
            hints: $hints,
            cost: Cost::$cost,
            default_seconds: $seconds,
            examples: &[$(Example { title: $title, request: $example }),*],
            request_schema: schema::<cortex_wire::$request>,
            answer_schema: || schema_of_answer(operations::$function),
            run: |workspace, context, request| {
                erased(request, |request: &cortex_wire::$request| {
                    answer(workspace, context, operations::$function, request)
                })
            },
        }
    };
}

/// All operations, by what they are for.
pub const OPERATIONS: &[OperationSpec] = &[
    operation!(
        "diff-context",
        diff_context,
        DiffContextRequest,
        LOOK,
        Answer,
        None,
        "Explain a change: what it does to types and members, and who depends on them",
        [(
            "Explain the last commit",
            r#"{"revisions": ["HEAD~1..HEAD"]}"#
        )]
    ),
    operation!(
        "api",
        api,
        ApiRequest,
        LOOK,
        Repository,
        None,
        "Compare the public API of two commits, by the rules of the .NET SDK and stricter ones",
        [(
            "Compare with the last release",
            r#"{"revisions": ["v1.0..HEAD"]}"#
        )]
    ),
    operation!(
        "history",
        history,
        HistoryRequest,
        LOOK,
        History,
        None,
        "Show what happened to a type or member over time",
        [(
            "Show the changes of a type's structure",
            r#"{"symbol": "OrderService", "show": "structure"}"#
        )]
    ),
    operation!(
        "tests",
        tests,
        TestsRequest,
        LOOK,
        Repository,
        None,
        "Find the tests that reach a change or a symbol",
        [(
            "Find the tests of a method",
            r#"{"subjects": ["OrderService.Submit"]}"#
        )]
    ),
    operation!(
        "outline",
        outline,
        OutlineRequest,
        LOOK,
        Answer,
        Some(30),
        "Outline a type, member, namespace, project or folder, without its code",
        [("Outline a type", r#"{"symbol": "OrderService"}"#)]
    ),
    operation!(
        "map",
        map,
        MapRequest,
        LOOK,
        Repository,
        Some(30),
        "Show the most important types",
        [(
            "Map the surroundings of a type",
            r#"{"focus": ["OrderService"], "limit": 20}"#
        )]
    ),
    operation!(
        "source",
        source,
        SourceRequest,
        LOOK,
        Answer,
        Some(30),
        "Show the code of a type or member, with its documentation and attributes",
        [("Show a method", r#"{"symbol": "OrderService.Submit"}"#)]
    ),
    operation!(
        "resolve",
        resolve,
        ResolveRequest,
        LOOK,
        Instant,
        Some(30),
        "Resolve a name, id or place to a type or member, and list its declarations",
        [("Resolve a place", r#"{"symbol": "src/Order.cs:40"}"#)]
    ),
    operation!(
        "search-symbols",
        search_symbols,
        SearchSymbolsRequest,
        LOOK,
        Instant,
        Some(30),
        "Find types and members by parts of their names",
        [("Search by humps", r#"{"query": "OSSub"}"#)]
    ),
    operation!(
        "search-text",
        search_text,
        SearchTextRequest,
        LOOK,
        Repository,
        Some(30),
        "Find lines in tracked and untracked files, with the declaration that contains each",
        [(
            "Search comments",
            r#"{"query": "TODO", "within": "comments"}"#
        )]
    ),
    operation!(
        "search-files",
        search_files,
        SearchFilesRequest,
        LOOK,
        Instant,
        Some(30),
        "Find files by parts of their names, camel humps or a glob",
        [("Search by a glob", r#"{"query": "src/**/*.razor"}"#)]
    ),
    operation!(
        "search-safe",
        search_safe,
        SearchSafeRequest,
        LOOK,
        Answer,
        Some(20),
        "Find the few files and lines that answer a question, in any language",
        [("Ask in words", r#"{"query": "JWT authentication handler"}"#)]
    ),
    operation!(
        "usages",
        usages,
        UsagesRequest,
        LOOK,
        Answer,
        Some(30),
        "List every place that uses a type or member",
        [(
            "List the uses of an interface's method",
            r#"{"symbol": "IOrderService.Submit", "withOverrides": true}"#
        )]
    ),
    operation!(
        "callers",
        callers,
        CallsRequest,
        LOOK,
        Answer,
        Some(30),
        "List the members that call a member",
        [(
            "Follow two steps",
            r#"{"symbol": "OrderService.Submit", "depth": 2}"#
        )]
    ),
    operation!(
        "callees",
        callees,
        CallsRequest,
        LOOK,
        Answer,
        Some(30),
        "List the members that a member calls",
        [(
            "List what a method calls",
            r#"{"symbol": "OrderService.Submit"}"#
        )]
    ),
    operation!(
        "implementations",
        implementations,
        RelativesRequest,
        LOOK,
        Answer,
        Some(30),
        "List what implements or derives from a type, or implements a member",
        [(
            "List the implementations of an interface",
            r#"{"symbol": "IOrderService"}"#
        )]
    ),
    operation!(
        "overrides",
        overrides,
        RelativesRequest,
        LOOK,
        Answer,
        Some(30),
        "List what a member overrides, and what overrides it",
        [(
            "List the overrides of a method",
            r#"{"symbol": "Shape.Area"}"#
        )]
    ),
    operation!(
        "hierarchy",
        hierarchy,
        RelativesRequest,
        LOOK,
        Answer,
        Some(30),
        "Show what a type derives from and what derives from it",
        [("Show a hierarchy", r#"{"symbol": "OrderService"}"#)]
    ),
    operation!(
        "deps",
        deps,
        DepsRequest,
        LOOK,
        Answer,
        Some(30),
        "Show what a type depends on, and what depends on it",
        [(
            "Find a path",
            r#"{"symbol": "OrderService", "pathTo": "SqlConnection"}"#
        )]
    ),
    operation!(
        "cycles",
        cycles,
        CyclesRequest,
        LOOK,
        Repository,
        Some(30),
        "Find dependency cycles between types, namespaces or projects",
        [("Find cycles of namespaces", r#"{"by": "namespace"}"#)]
    ),
    operation!(
        "unused",
        unused,
        UnusedRequest,
        LOOK,
        Repository,
        Some(30),
        "Find types and members that nothing refers to",
        [("Find unused types", r#"{"what": "types"}"#)]
    ),
    operation!(
        "areas",
        areas,
        AreasRequest,
        LOOK,
        Repository,
        None,
        "List the parts of the repository by language",
        [("List the areas", "{}")]
    ),
    operation!(
        "scope-list",
        scope_list,
        ScopeListRequest,
        LOOK,
        Repository,
        None,
        "List the scopes that exist",
        [("List the scopes", "{}")]
    ),
    operation!(
        "scope-validate",
        scope_validate,
        ScopeValidateRequest,
        LOOK,
        Instant,
        None,
        "Check a pattern, and print it as the IDE writes it",
        [(
            "Check a pattern",
            r#"{"pattern": "file[App]:src//*&&!file:*.g.cs"}"#
        )]
    ),
    operation!(
        "scope-describe",
        scope_describe,
        ScopeDescribeRequest,
        LOOK,
        Instant,
        None,
        "Check a scope without reading any file",
        [(
            "Check an expression",
            r#"{"scope": "'Project Files' & !Tests"}"#
        )]
    ),
    operation!(
        "scope-resolve",
        scope_resolve,
        ScopeResolveRequest,
        LOOK,
        Repository,
        None,
        "Resolve everything that a scope names",
        [("Resolve a scope", r#"{"scope": "git:changed:main...HEAD"}"#)]
    ),
    operation!(
        "scope-files",
        scope_files,
        ScopeFilesRequest,
        LOOK,
        Repository,
        None,
        "List the files of a scope, with line ranges of files that it covers in part",
        [(
            "List changed files",
            r#"{"scope": "git:worktree & !Tests"}"#
        )]
    ),
    operation!(
        "export-context",
        export_context,
        ExportContextRequest,
        WRITE,
        Repository,
        None,
        "Write outlines of types as files that the repository commits",
        [(
            "See what an export of the production code would write",
            r#"{"selection": {"scope": "Production"}, "dryRun": true}"#
        )]
    ),
    operation!(
        "check",
        check,
        CheckRequest,
        WRITE,
        Repository,
        None,
        "Check whether committed context is what the sources say",
        [(
            "Check what a branch changed",
            r#"{"base": "main", "explain": true}"#
        )]
    ),
    operation!(
        "pack-build",
        pack_build,
        PackBuildRequest,
        WRITE,
        Repository,
        None,
        "Put outlines of several types into one file, within a token budget",
        [(
            "Build a pack of a namespace",
            r#"{"name": "orders", "filter": "namespace:Shop.Orders access:public"}"#
        )]
    ),
    operation!(
        "pack-list",
        pack_list,
        PackListRequest,
        LOOK,
        Repository,
        None,
        "List packs, and whether they are fresh",
        [("List the packs", "{}")]
    ),
    operation!(
        "pack-show",
        pack_show,
        PackShowRequest,
        LOOK,
        Repository,
        None,
        "Show a pack, and how it differs from what its filter selects now",
        [("Show a pack", r#"{"name": "orders"}"#)]
    ),
    operation!(
        "pack-remove",
        pack_remove,
        PackRemoveRequest,
        REMOVE,
        Instant,
        None,
        "Remove the file of a pack",
        [("Remove a pack", r#"{"name": "orders"}"#)]
    ),
    operation!(
        "window",
        window,
        WindowRequest,
        WRITE,
        Answer,
        None,
        "Show the prompt window: outlines of the types that matter now, within a token budget",
        [("Show a small window", r#"{"budget": 2000}"#)]
    ),
    operation!(
        "pin",
        pin,
        PinRequest,
        WRITE,
        Answer,
        None,
        "Pin types into the prompt window of everyone who works on the repository",
        [(
            "Pin a type and the types of a folder",
            r#"{"subjects": ["OrderService", "src/Orders/"]}"#
        )]
    ),
    operation!(
        "unpin",
        unpin,
        PinRequest,
        WRITE,
        Answer,
        None,
        "Unpin types from the prompt window",
        [("Unpin a type", r#"{"subjects": ["OrderService"]}"#)]
    ),
    operation!(
        "dismiss",
        dismiss,
        DismissRequest,
        WRITE,
        Answer,
        None,
        "Leave types out of your prompt window until a request is about them again",
        [("Dismiss a type", r#"{"subjects": ["OrderService"]}"#)]
    ),
    operation!(
        "context-add",
        context_add,
        ContextAddRequest,
        WRITE,
        Answer,
        None,
        "Put types into your prompt window for a while",
        [(
            "Add a type for an hour",
            r#"{"subjects": ["OrderService"], "minutes": 60}"#
        )]
    ),
    operation!(
        "context-clear",
        context_clear,
        ContextClearRequest,
        WRITE,
        Answer,
        None,
        "Remove what was put into your prompt window",
        [("Clear it", "{}")]
    ),
    operation!(
        "prove",
        prove,
        ProveRequest,
        LOOK,
        Answer,
        None,
        "Prove what of a change keeps the meaning of the code, and list what is left to read",
        [
            ("Prove the last commit", r#"{"revisions": ["HEAD~1"]}"#),
            ("Prove what is staged", r#"{"cached": true}"#),
            (
                "What means something else in the merge of two commits",
                r#"{"revisions": ["HEAD", "HEAD~1"], "merge": true}"#
            )
        ]
    ),
    operation!(
        "edit-rename",
        edit_rename,
        EditRenameRequest,
        PLAN,
        Answer,
        None,
        "Plan a rename everywhere, and prove that the code means the same afterwards",
        [
            (
                "Rename a method",
                r#"{"symbol": "OrderService.Cancel", "to": "Withdraw"}"#
            ),
            (
                "Rename a namespace, with those below it",
                r#"{"symbol": "Shop.Orders", "to": "Shop.Sales"}"#
            )
        ]
    ),
    operation!(
        "edit-replace-body",
        edit_replace_body,
        EditBodyRequest,
        PLAN,
        Answer,
        None,
        "Plan another body for a method, constructor, operator, property or accessor, and tell what it does to other code",
        [(
            "Replace a body",
            r#"{"symbol": "OrderService.Total", "text": "return lines.Sum(line => line.Price);"}"#
        )]
    ),
    operation!(
        "edit-replace-member",
        edit_replace_member,
        EditTextRequest,
        PLAN,
        Answer,
        None,
        "Plan another declaration for a type or member, and tell what it does to other code",
        [(
            "Replace a method",
            r#"{"symbol": "OrderService.Total", "text": "public decimal Total(bool withTax) => withTax ? total * 1.2m : total;"}"#
        )]
    ),
    operation!(
        "edit-add-member",
        edit_add_member,
        EditTextRequest,
        PLAN,
        Answer,
        None,
        "Plan new members of a type, and tell what they do to other code",
        [(
            "Add a method",
            r#"{"symbol": "OrderService", "text": "public bool IsEmpty => lines.Count == 0;"}"#
        )]
    ),
    operation!(
        "edit-insert-before",
        edit_insert_before,
        EditTextRequest,
        PLAN,
        Answer,
        None,
        "Plan new declarations before a type or member",
        [(
            "Add a method before another one",
            r#"{"symbol": "OrderService.Cancel", "text": "public void Hold() { }"}"#
        )]
    ),
    operation!(
        "edit-insert-after",
        edit_insert_after,
        EditTextRequest,
        PLAN,
        Answer,
        None,
        "Plan new declarations after a type or member",
        [(
            "Add a method after another one",
            r#"{"symbol": "OrderService.Cancel", "text": "public void Hold() { }"}"#
        )]
    ),
    operation!(
        "edit-remove-member",
        edit_remove_member,
        EditRemoveRequest,
        PLAN,
        Answer,
        None,
        "Plan to remove types and members; refused with the uses where other code uses them, unless asked",
        [("Remove a method", r#"{"symbols": ["OrderService.Cancel"]}"#)]
    ),
    operation!(
        "edit-safe-delete",
        edit_safe_delete,
        EditSafeDeleteRequest,
        PLAN,
        Answer,
        None,
        "Plan to remove types and members that nothing but themselves uses; refused with the uses otherwise",
        [(
            "Remove two types that use each other",
            r#"{"symbols": ["OrderCache", "OrderCacheEntry"]}"#
        )]
    ),
    operation!(
        "edit-patch",
        edit_patch,
        EditPatchRequest,
        PLAN,
        Answer,
        None,
        "Plan what a unified diff, or new texts of files, change, and tell what that does to the meaning of other code",
        [
            (
                "Check a diff before it is applied",
                r#"{"patch": "--- a/src/Order.cs\n+++ b/src/Order.cs\n@@ -1 +1 @@\n-class Order { }\n+sealed class Order { }\n"}"#
            ),
            (
                "Write one file and remove another one",
                r#"{"texts": [{"file": "src/Line.cs", "text": "class Line { }"}, {"file": "src/Old.cs"}]}"#
            )
        ]
    ),
    operation!(
        "edit-change-signature",
        edit_change_signature,
        EditSignatureRequest,
        PLAN,
        Answer,
        None,
        "Plan other parameters for a method or constructor, with overrides, implementations, documentation and every call",
        [
            (
                "Add a parameter, and pass a value for it everywhere",
                r#"{"symbol": "OrderService.Cancel", "add": "bool notify", "value": "true"}"#
            ),
            (
                "Remove a parameter",
                r#"{"symbol": "OrderService.Cancel", "remove": ["reason"]}"#
            ),
            (
                "Reorder parameters",
                r#"{"symbol": "OrderService.Cancel", "order": ["reason", "id"]}"#
            )
        ]
    ),
    operation!(
        "edit-move",
        edit_move,
        EditMoveRequest,
        PLAN,
        Answer,
        None,
        "Plan a type to go to another namespace or file, or a static member to another type, with the directives and qualified names that follow",
        [
            (
                "Move a type to another namespace",
                r#"{"symbol": "OrderService", "namespace": "Shop.Orders"}"#
            ),
            (
                "Move it to another folder as well",
                r#"{"symbol": "OrderService", "namespace": "Shop.Orders", "to": "src/Orders/"}"#
            ),
            (
                "Move a static member to another type",
                r#"{"symbol": "OrderService.Round", "into": "Money"}"#
            )
        ]
    ),
    operation!(
        "edit-add-attribute",
        edit_add_attribute,
        EditTextRequest,
        PLAN,
        Answer,
        None,
        "Plan attributes on a type or member",
        [(
            "Mark a method as obsolete",
            r#"{"symbol": "OrderService.Cancel", "text": "Obsolete(\"use Withdraw\")"}"#
        )]
    ),
    operation!(
        "edit-implement-interface",
        edit_implement_interface,
        EditImplementRequest,
        PLAN,
        Answer,
        None,
        "Plan the members that a type lacks of its interfaces, each of which throws",
        [
            ("Write what is missing", r#"{"symbol": "OrderService"}"#),
            (
                "Give a type another interface",
                r#"{"symbol": "OrderService", "interface": "IDisposable"}"#
            )
        ]
    ),
    operation!(
        "edit-inline-variable",
        edit_inline_variable,
        EditInlineVariableRequest,
        PLAN,
        Answer,
        None,
        "Plan that a local variable goes, with its initializer in the place of its uses",
        [(
            "Inline a local",
            r#"{"symbol": "src/OrderService.cs:31:13"}"#
        )]
    ),
    operation!(
        "edit-extract-method",
        edit_extract_method,
        EditExtractMethodRequest,
        PLAN,
        Answer,
        None,
        "Plan a private method of statements or an expression, with a call in their place",
        [(
            "Make a method of some lines",
            r#"{"symbol": "src/OrderService.cs:31-36", "to": "Validate"}"#
        )]
    ),
    operation!(
        "edit-inline-method",
        edit_inline_method,
        EditInlineMethodRequest,
        PLAN,
        Answer,
        None,
        "Plan that a method goes, with its body in the place of its calls",
        [("Inline a method", r#"{"symbol": "OrderService.IsDue"}"#)]
    ),
    operation!(
        "edit-extract-interface",
        edit_extract_interface,
        EditExtractInterfaceRequest,
        PLAN,
        Answer,
        None,
        "Plan an interface of what a type shows, in a file of its own, which the type implements",
        [
            (
                "Make an interface of all public members",
                r#"{"symbol": "OrderService", "to": "IOrderService"}"#
            ),
            (
                "Only of some",
                r#"{"symbol": "OrderService", "to": "IOrderReader", "members": ["Find", "Count"]}"#
            )
        ]
    ),
    operation!(
        "edit-extract-base",
        edit_extract_base,
        EditExtractBaseRequest,
        PLAN,
        Answer,
        None,
        "Plan a base class of members of a class, in a file of its own, which the class derives from",
        [(
            "Make a base class of two members",
            r#"{"symbol": "OrderService", "to": "OrderServiceBase", "members": ["Find", "Count"]}"#
        )]
    ),
    operation!(
        "edit-encapsulate-field",
        edit_encapsulate_field,
        EditEncapsulateRequest,
        PLAN,
        Answer,
        None,
        "Plan that a field becomes private, with a property for other code",
        [
            ("Make a property of a field", r#"{"symbol": "Order.total"}"#),
            (
                "Name the property",
                r#"{"symbol": "Order._n", "to": "Count"}"#
            )
        ]
    ),
    operation!(
        "edit-rewrite",
        edit_rewrite,
        EditRewriteRequest,
        PLAN,
        Answer,
        None,
        "Plan that all code like a pattern with metavariables becomes other code",
        [
            (
                "Call another method, with the arguments the other way round",
                r#"{"pattern": "Assert.Equal($actual, $expected)", "text": "Assert.Equal($expected, $actual)"}"#
            ),
            (
                "Only where it is called on a certain type",
                r#"{"pattern": "$list.Count() > 0", "text": "$list.Count > 0", "where": ["list: System.Collections.Generic.List"]}"#
            )
        ]
    ),
    operation!(
        "edit-add-using",
        edit_add_using,
        EditAddUsingRequest,
        PLAN,
        Answer,
        None,
        "Plan a using directive more, in the place where the file would have it",
        [
            (
                "Import a namespace",
                r#"{"symbol": "src/OrderService.cs", "import": "System.Linq"}"#
            ),
            (
                "Import the members of a type",
                r#"{"symbol": "OrderService", "import": "static System.Math"}"#
            )
        ]
    ),
    operation!(
        "edit-organize-usings",
        edit_organize_usings,
        EditOrganizeUsingsRequest,
        PLAN,
        Answer,
        None,
        "Plan to put using directives in order and to take out those that nothing needs",
        [
            (
                "Organize the usings of a folder",
                r#"{"files": ["src/Orders"]}"#
            ),
            (
                "Take out what the changed files do not need, and leave the order",
                r#"{"scope": "git:changed", "keepOrder": true}"#
            )
        ]
    ),
    operation!(
        "edit-batch",
        edit_batch,
        EditBatchRequest,
        PLAN,
        Answer,
        None,
        "Plan several edits as one, all or nothing: each sees what the earlier ones leave",
        [(
            "Rename a method, then replace its body",
            r#"{"edits": [{"edit": "rename", "symbol": "OrderService.Cancel", "to": "Withdraw"}, {"edit": "replace-body", "symbol": "OrderService.Withdraw", "text": "=> true"}]}"#
        )]
    ),
    operation!(
        "ops-list",
        ops_list,
        OpsListRequest,
        LOOK,
        Instant,
        None,
        "List planned, applied and undone edits",
        [("List the operations", r#"{}"#)]
    ),
    operation!(
        "ops-show",
        ops_show,
        OpRequest,
        LOOK,
        Instant,
        None,
        "Show an edit: its patch, its proof, and what was decided about it",
        [("Show an operation", r#"{"op": "a1b2c3"}"#)]
    ),
    operation!(
        "ops-drop",
        ops_drop,
        OpRequest,
        COLLECT,
        Instant,
        None,
        "Forget an edit; files stay as they are",
        [("Drop an operation", r#"{"op": "a1b2c3"}"#)]
    ),
    operation!(
        "ops-apply",
        ops_apply,
        ApplyRequest,
        EDIT,
        Answer,
        None,
        "Write the files of an approved edit, all or none",
        [("Apply an operation", r#"{"op": "a1b2c3"}"#)]
    ),
    operation!(
        "ops-undo",
        ops_undo,
        OpRequest,
        EDIT,
        Answer,
        None,
        "Give the files of an applied edit the bytes that they had",
        [("Undo an operation", r#"{"op": "a1b2c3"}"#)]
    ),
    operation!(
        "index",
        index,
        IndexRequest,
        LOOK,
        History,
        None,
        "Index commits before the first request needs them",
        [("Index a release", r#"{"revisions": ["v1.0"]}"#)]
    ),
    operation!(
        "status",
        status,
        StatusRequest,
        LOOK,
        Repository,
        None,
        "Show what is indexed, and what could not be resolved",
        [("Show the status", "{}")]
    ),
    operation!(
        "export",
        export,
        ExportRequest,
        LOOK,
        Repository,
        None,
        "Write the whole graph: projects, types, members, edges, references",
        [(
            "Draw the types of a project",
            r#"{"format": "dot", "projects": ["App"]}"#
        )]
    ),
    operation!(
        "gc",
        gc,
        GcRequest,
        COLLECT,
        Repository,
        None,
        "Remove snapshots that no branch, tag or recent request needs from the index",
        [("Keep a week", r#"{"days": 7}"#)]
    ),
    operation!(
        "config",
        config,
        ConfigRequest,
        LOOK,
        Instant,
        None,
        "List the configuration and where each value comes from",
        [("Show one key", r#"{"key": "maxSize"}"#)]
    ),
];
