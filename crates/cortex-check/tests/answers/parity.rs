//! A client that has no more than the JSON of an answer can render it as one that has the answer itself.

use cortex_check::{Format, Service, Value, json, render};
use cortex_service::{NoWatcher, OPERATIONS, RequestContext, ServiceError, Workspace};
use cortex_wire::{Envelope, OpsListRequest};
use serde::{Serialize, de::DeserializeOwned};

/// Operations whose renderings depend on the run, not on the answer alone, and those that need a review.
const WITHOUT_RENDERING: [&str; 7] = [
    "edit-organize-usings",
    "edit-patch",
    "export",
    "gc",
    "index",
    "ops-apply",
    "ops-undo",
];

type Operation<R, A> = fn(&Workspace, &RequestContext<'_>, &R) -> Result<Envelope<A>, ServiceError>;

/// Sends an answer through JSON: what arrives is equal to what was sent, so its renderings are, and each exists.
#[track_caller]
fn check<R, A>(service: &Service, name: &str, ask: Operation<R, A>, request: Value)
where
    R: DeserializeOwned,
    A: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let typed: R = serde_json::from_value(request).expect("the request has its type");
    let context = RequestContext::new(service.path(), &NoWatcher);
    let sent = ask(service.workspace(), &context, &typed).expect("the request is answered");
    let json = serde_json::to_string(&sent).expect("answers are plain data");
    let received: Envelope<A> = serde_json::from_str(&json).expect("an envelope reads back");
    assert!(received == sent, "{name} differs: {sent:#?}\n{received:#?}");
    let again = serde_json::to_string(&received).expect("answers are plain data");
    assert_eq!(again, json, "{name}");
    let envelope = serde_json::to_value(&received).expect("answers are plain data");
    for budget in [60, 8000] {
        let forms = [Format::Text, Format::Markdown].map(|form| render(&envelope, form, budget));
        let is_some = forms.iter().flatten().any(|text| !text.is_empty());
        assert!(is_some, "{name} has no rendering");
    }
}

#[test]
fn every_answer_survives_its_json_and_is_rendered_from_it() {
    let service = crate::demo();
    let mut names = Vec::new();
    macro_rules! check {
        ($($name:literal $function:ident $request:tt;)*) => {$(
            names.push($name);
            check(&service, $name, cortex_service::$function, json!($request));
        )*};
    }
    check! {
        "diff-context" diff_context {"revisions": ["HEAD~3..HEAD"]};
        "diff-context" diff_context {"revisions": ["HEAD~9..HEAD"], "hunks": "counted"};
        "api" api {"revisions": ["HEAD~5..HEAD"]};
        "history" history {"symbol": "FiringQueue", "range": "HEAD"};
        "history" history {"symbol": "IFiringPricer.Price", "range": "HEAD", "cosmetic": "shown"};
        "tests" tests {"subjects": ["HEAD~3..HEAD"]};
        "tests" tests {"subjects": ["FiringQueue"], "at": "HEAD"};
        "outline" outline {"symbol": "FiringQueue", "docs": "full", "members": "all", "source": true};
        "outline" outline {"symbol": "."};
        "map" map {"limit": 5, "docs": true};
        "source" source {"symbol": "FiringQueue", "at": "HEAD"};
        "resolve" resolve {"symbol": "FiringQueu"};
        "search-symbols" search_symbols {"query": "FQ", "docIds": true};
        "search-text" search_text {"query": "queue", "ignoreCase": true, "limit": 3, "context": 1};
        "search-files" search_files {"query": "Queue"};
        "search-safe" search_safe {"query": "firing queue"};
        "usages" usages {"symbol": "FiringQueue", "filter": {"scope": "'Project Files'"}};
        "callers" callers {"symbol": "FiringQueue", "depth": 2};
        "callees" callees {"symbol": "FiringQueue"};
        "implementations" implementations {"symbol": "IFiringPricer"};
        "overrides" overrides {"symbol": "IFiringPricer.Price"};
        "hierarchy" hierarchy {"symbol": "FiringQueue"};
        "deps" deps {"symbol": "FiringQueue"};
        "cycles" cycles {"by": "namespace"};
        "unused" unused {"all": true};
        "areas" areas {};
        "scope-list" scope_list {};
        "scope-validate" scope_validate {"pattern": "file:src//*"};
        "scope-describe" scope_describe {"scope": "'Project Files' & !Tests"};
        "scope-resolve" scope_resolve {"scope": "'Project Files' & !Tests"};
        "scope-files" scope_files {"scope": "'Project Files' & !Tests"};
        "status" status {};
        "config" config {};
        "export-context" export_context {};
        "check" check {};
        "edit-rename" edit_rename {"symbol": "FiringQueue", "to": "Line"};
        "edit-replace-body" edit_replace_body {"symbol": "FiringQueue.Count", "text": "=> 1"};
        "edit-replace-member" edit_replace_member {"symbol": "FiringQueue.Count", "text": "public int Count => 1;"};
        "edit-add-member" edit_add_member {"symbol": "FiringQueue", "text": "int added;", "file": "FiringQueue.cs"};
        "edit-insert-before" edit_insert_before {"symbol": "FiringQueue.Count", "text": "int added;"};
        "edit-insert-after" edit_insert_after {"symbol": "FiringQueue.Count", "text": "int added;"};
        "edit-remove-member" edit_remove_member {"symbols": ["FiringQueue.Count"], "althoughUsed": true};
        "edit-batch" edit_batch {"edits": [{"edit": "rename", "symbol": "FiringQueue", "to": "Line"}, {"edit": "replace-body", "symbol": "Line.Count", "text": "=> 1"}]};
        "edit-change-signature" edit_change_signature {"symbol": "FiringQueue.Accounts", "add": "int places = 2"};
        "edit-move" edit_move {"symbol": "FiringQueue", "namespace": "Pottery.Line"};
        "edit-add-attribute" edit_add_attribute {"symbol": "FiringQueue.Count", "text": "System.Obsolete"};
        "edit-implement-interface" edit_implement_interface {"symbol": "FiringQueue", "interface": "System.IDisposable"};
        "edit-inline-variable" edit_inline_variable {"symbol": "src/Kilnhouse.Worker/FiringWorker.cs:60:13"};
        "edit-extract-method" edit_extract_method {"symbol": "src/Kilnhouse.Worker/FiringWorker.cs:59-59", "to": "WaitAsync"};
        "edit-encapsulate-field" edit_encapsulate_field {"symbol": "FiringQueue._waiting", "to": "WaitingFirings"};
        "edit-extract-base" edit_extract_base {"symbol": "EnergyPricer", "to": "Energy", "members": ["KilowattHours", "KilowattsAtFullPower"]};
        "edit-extract-interface" edit_extract_interface {"symbol": "FiringQueue", "to": "IFiringQueue"};
        "edit-inline-method" edit_inline_method {"symbol": "EnergyPricer.KilowattHours"};
        "edit-rewrite" edit_rewrite {"pattern": "$a.$b($$$c)", "text": "$a.$b($$$c)!", "files": ["src/Kilnhouse.Worker"]};
        "edit-add-using" edit_add_using {"symbol": "FiringQueue", "import": "System.Text.Json", "file": "FiringQueue.cs"};
        "edit-safe-delete" edit_safe_delete {"symbols": ["FiringQueueTests"]};
        "prove" prove {"revisions": ["HEAD~1"]};
        "ops-list" ops_list {};
        "pin" pin {"subjects": ["FiringQueue"]};
        "context-add" context_add {"subjects": ["FiringQueueTests"]};
        "window" window {};
        "dismiss" dismiss {"subjects": ["FiringQueueTests"]};
        "context-clear" context_clear {};
        "unpin" unpin {"subjects": ["FiringQueue"]};
        "pack-build" pack_build {"name": "firing", "filter": "type:FiringQueue"};
        "pack-list" pack_list {};
        "pack-show" pack_show {"name": "firing"};
        "pack-remove" pack_remove {"name": "firing"};
    }
    // An operation is named by its id, which the first one tells.
    let context = RequestContext::new(service.path(), &NoWatcher);
    let list = cortex_service::ops_list(service.workspace(), &context, &OpsListRequest::default());
    let op = list.expect("it is listed").answer.ops[0].op.clone();
    let request = || json!({ "op": op });
    names.extend(["ops-show", "ops-drop"]);
    check(&service, "ops-show", cortex_service::ops_show, request());
    check(&service, "ops-drop", cortex_service::ops_drop, request());
    for operation in OPERATIONS {
        assert!(
            names.contains(&operation.name) || WITHOUT_RENDERING.contains(&operation.name),
            "{} is not tried",
            operation.name
        );
    }
}
