//! The library and the program answer alike.

use std::path::Path;

use cortex_context::{More, O200kBase, RenderOptions};
use cortex_service::{
    CancelToken, NoWatcher, OPERATIONS, RequestContext, Workspace, WorkspaceOptions, operation,
};
use cortex_wire::{Envelope, UsagesAnswer};
use serde_json::{Value, json};

use crate::{
    harness::{World, program},
    mcp::Client,
};

/// An operation, a request, and the arguments that make it.
type Case = (&'static str, fn() -> Value, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "diff-context",
        || json!({"revisions": ["HEAD~3..HEAD"]}),
        &["diff-context", "HEAD~3..HEAD"],
    ),
    (
        "api",
        || json!({"revisions": ["HEAD~5..HEAD"]}),
        &["api", "HEAD~5..HEAD"],
    ),
    (
        "history",
        || json!({"symbol": "FiringQueue", "range": "HEAD"}),
        &["history", "FiringQueue", "HEAD"],
    ),
    (
        "tests",
        || json!({"subjects": ["HEAD~3..HEAD"]}),
        &["tests", "HEAD~3..HEAD"],
    ),
    (
        "outline",
        || json!({"symbol": "FiringQueue", "docs": "full"}),
        &["outline", "FiringQueue", "--docs", "full"],
    ),
    ("outline", || json!({"symbol": "."}), &["outline", "."]),
    (
        "map",
        || json!({"limit": 5, "docs": true}),
        &["map", "--limit", "5", "--docs", "first"],
    ),
    (
        "source",
        || json!({"symbol": "FiringQueue", "at": "HEAD"}),
        &["source", "FiringQueue", "--at", "HEAD"],
    ),
    (
        "resolve",
        || json!({"symbol": "FiringQueue"}),
        &["resolve", "FiringQueue"],
    ),
    (
        "search-symbols",
        || json!({"query": "FQ", "docIds": true, "filter": {"tests": "without"}}),
        &["search", "symbols", "FQ", "--no-test"],
    ),
    (
        "search-text",
        || json!({"query": "queue", "ignoreCase": true, "limit": 3}),
        &["search", "text", "queue", "-i", "--limit", "3"],
    ),
    (
        "search-files",
        || json!({"query": "Queue"}),
        &["search", "files", "Queue"],
    ),
    (
        "search-safe",
        || json!({"query": "firing queue"}),
        &["search", "safe", "firing queue"],
    ),
    (
        "usages",
        || json!({"symbol": "FiringQueue", "filter": {"scope": "'Project Files'"}}),
        &["usages", "FiringQueue", "--scope", "'Project Files'"],
    ),
    (
        "callers",
        || json!({"symbol": "FiringQueue", "depth": 2}),
        &["callers", "FiringQueue", "--depth", "2"],
    ),
    (
        "callees",
        || json!({"symbol": "FiringQueue"}),
        &["callees", "FiringQueue"],
    ),
    (
        "implementations",
        || json!({"symbol": "FiringQueue"}),
        &["implementations", "FiringQueue"],
    ),
    (
        "overrides",
        || json!({"symbol": "FiringQueue"}),
        &["overrides", "FiringQueue"],
    ),
    (
        "hierarchy",
        || json!({"symbol": "FiringQueue"}),
        &["hierarchy", "FiringQueue"],
    ),
    (
        "deps",
        || json!({"symbol": "FiringQueue", "direction": "in"}),
        &["deps", "FiringQueue", "--in"],
    ),
    (
        "cycles",
        || json!({"by": "namespace"}),
        &["cycles", "--by", "namespace"],
    ),
    ("unused", || json!({"all": true}), &["unused", "--all"]),
    ("areas", || json!({"sampleLimit": 200}), &["areas"]),
    ("scope-list", || json!({}), &["scope", "list"]),
    (
        "scope-validate",
        || json!({"pattern": "file:src//*"}),
        &["scope", "validate", "file:src//*"],
    ),
    (
        "scope-describe",
        || json!({"scope": "'Project Files' & !Tests"}),
        &["scope", "describe", "'Project Files' & !Tests"],
    ),
    (
        "scope-resolve",
        || json!({"scope": "'Project Files' & !Tests"}),
        &["scope", "resolve", "'Project Files' & !Tests"],
    ),
    (
        "scope-files",
        || json!({"scope": "'Project Files' & !Tests", "limit": 1000}),
        &["scope", "files", "'Project Files' & !Tests"],
    ),
    (
        "export-context",
        || json!({"selection": {"scope": "Production"}, "dryRun": true}),
        &["export-context", "--scope", "Production", "--dry-run"],
    ),
    (
        "check",
        || json!({"base": "HEAD~1", "explain": true}),
        &["check", "--base", "HEAD~1", "--explain"],
    ),
    (
        "pack-build",
        || json!({"name": "queue", "filter": "type:FiringQueue", "dryRun": true}),
        &[
            "pack",
            "build",
            "queue",
            "--filter",
            "type:FiringQueue",
            "--dry-run",
        ],
    ),
    (
        "edit-rename",
        || json!({"symbol": "FiringQueue", "to": "Line"}),
        &["edit", "rename", "FiringQueue", "Line"],
    ),
    (
        "edit-replace-body",
        || json!({"symbol": "FiringQueue.Count", "text": "=> 1"}),
        &[
            "edit",
            "replace-body",
            "FiringQueue.Count",
            "--text",
            "=> 1",
        ],
    ),
    (
        "edit-replace-member",
        || json!({"symbol": "FiringQueue.Count", "text": "public int Count => 1;"}),
        &[
            "edit",
            "replace-member",
            "FiringQueue.Count",
            "--text",
            "public int Count => 1;",
        ],
    ),
    (
        "edit-add-member",
        || json!({"symbol": "FiringQueue", "text": "int added;", "file": "FiringQueue.cs"}),
        &[
            "edit",
            "add-member",
            "FiringQueue",
            "--text",
            "int added;",
            "--in",
            "FiringQueue.cs",
        ],
    ),
    (
        "edit-insert-before",
        || json!({"symbol": "FiringQueue.Count", "text": "int added;"}),
        &[
            "edit",
            "insert-before",
            "FiringQueue.Count",
            "--text",
            "int added;",
        ],
    ),
    (
        "edit-insert-after",
        || json!({"symbol": "FiringQueue.Count", "text": "int added;"}),
        &[
            "edit",
            "insert-after",
            "FiringQueue.Count",
            "--text",
            "int added;",
        ],
    ),
    (
        "edit-remove-member",
        || json!({"symbols": ["FiringQueue.Count"], "althoughUsed": true}),
        &[
            "edit",
            "remove-member",
            "FiringQueue.Count",
            "--although-used",
        ],
    ),
    (
        "edit-safe-delete",
        || json!({"symbols": ["FiringQueueTests"]}),
        &["edit", "safe-delete", "FiringQueueTests"],
    ),
    (
        "edit-change-signature",
        || {
            json!({"symbol": "FiringQueue.Accounts", "add": "int places = 2",
            "rename": {"pricer": "prices"}})
        },
        &[
            "edit",
            "change-signature",
            "FiringQueue.Accounts",
            "--add",
            "int places = 2",
            "--rename",
            "pricer=prices",
        ],
    ),
    (
        "edit-move",
        || json!({"symbol": "FiringQueue", "namespace": "Pottery.Line"}),
        &["edit", "move", "FiringQueue", "--namespace", "Pottery.Line"],
    ),
    (
        "edit-add-attribute",
        || json!({"symbol": "FiringQueue.Count", "text": "System.Obsolete"}),
        &[
            "edit",
            "add-attribute",
            "FiringQueue.Count",
            "System.Obsolete",
        ],
    ),
    (
        "edit-implement-interface",
        || json!({"symbol": "FiringQueue", "interface": "System.IDisposable"}),
        &[
            "edit",
            "implement-interface",
            "FiringQueue",
            "System.IDisposable",
        ],
    ),
    (
        "edit-inline-variable",
        || json!({"symbol": "src/Kilnhouse.Worker/FiringWorker.cs:60:13"}),
        &[
            "edit",
            "inline-variable",
            "src/Kilnhouse.Worker/FiringWorker.cs:60:13",
        ],
    ),
    (
        "edit-extract-method",
        || json!({"symbol": "src/Kilnhouse.Worker/FiringWorker.cs:59-59", "to": "WaitAsync"}),
        &[
            "edit",
            "extract-method",
            "src/Kilnhouse.Worker/FiringWorker.cs:59-59",
            "WaitAsync",
        ],
    ),
    (
        "edit-encapsulate-field",
        || json!({"symbol": "FiringQueue._waiting", "to": "WaitingFirings"}),
        &[
            "edit",
            "encapsulate-field",
            "FiringQueue._waiting",
            "WaitingFirings",
        ],
    ),
    (
        "edit-extract-interface",
        || json!({"symbol": "FiringQueue", "to": "IFiringQueue"}),
        &["edit", "extract-interface", "FiringQueue", "IFiringQueue"],
    ),
    (
        "edit-extract-base",
        || json!({"symbol": "EnergyPricer", "to": "Energy", "members": ["KilowattHours", "KilowattsAtFullPower"]}),
        &[
            "edit",
            "extract-base",
            "EnergyPricer",
            "Energy",
            "--members",
            "KilowattHours,KilowattsAtFullPower",
        ],
    ),
    (
        "edit-inline-method",
        || json!({"symbol": "EnergyPricer.KilowattHours"}),
        &["edit", "inline-method", "EnergyPricer.KilowattHours"],
    ),
    (
        "edit-rewrite",
        || json!({"pattern": "$a.$b($$$c)", "text": "$a.$b($$$c)!", "files": ["src/Kilnhouse.Worker"]}),
        &[
            "edit",
            "rewrite",
            "$a.$b($$$c)",
            "$a.$b($$$c)!",
            "src/Kilnhouse.Worker",
        ],
    ),
    (
        "edit-add-using",
        || json!({"symbol": "FiringQueue", "import": "System.Text.Json", "file": "FiringQueue.cs"}),
        &[
            "edit",
            "add-using",
            "FiringQueue",
            "System.Text.Json",
            "--in",
            "FiringQueue.cs",
        ],
    ),
    (
        "prove",
        || json!({"revisions": ["HEAD~1"]}),
        &["prove", "HEAD~1"],
    ),
    ("ops-list", || json!({}), &["ops", "list"]),
    ("pack-list", || json!({}), &["pack", "list"]),
    (
        "window",
        || json!({"budget": 3000}),
        &["window", "--budget", "3000"],
    ),
    (
        "context-add",
        || json!({"subjects": ["FiringQueue"], "minutes": 5}),
        &["context", "add", "FiringQueue", "--minutes", "5"],
    ),
    (
        "dismiss",
        || json!({"subjects": ["FiringQueue"]}),
        &["dismiss", "FiringQueue"],
    ),
    ("context-clear", || json!({}), &["context", "clear"]),
    (
        "index",
        || json!({"revisions": ["HEAD"]}),
        &["index", "HEAD"],
    ),
    ("status", || json!({}), &["status"]),
    ("config", || json!({}), &["config"]),
];

/// Operations without `--format json`, and those of packs, pins and edits that have to be there or change files.
const WITHOUT_JSON: [&str; 13] = [
    "edit-patch",
    "edit-organize-usings",
    "edit-batch",
    "export",
    "gc",
    "pack-show",
    "pack-remove",
    "pin",
    "unpin",
    "ops-show",
    "ops-drop",
    "ops-apply",
    "ops-undo",
];

/// The same repository, asked in this process.
fn workspace(world: &World) -> Workspace {
    Workspace::new(
        world.path(),
        WorkspaceOptions {
            variables: std::sync::Arc::new(|_| None),
            config_scope: cortex_git::ConfigScope::RepositoryOnly,
            launcher: cortex_index::Launcher::Processes {
                program: program(),
                arguments: vec!["parse-worker".into()],
            },
            parallel: 2,
            freshness: None,
        },
    )
}

fn context(folder: &Path) -> RequestContext<'_> {
    RequestContext {
        cancel: CancelToken::default(),
        ..RequestContext::new(folder, &NoWatcher)
    }
}

/// What depends on the time of the question alone.
fn without_times(mut value: Value) -> Value {
    fn clean(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| name != "work" && name != "store");
                fields.values_mut().for_each(clean);
            }
            Value::Array(values) => values.iter_mut().for_each(clean),
            _ => {}
        }
    }
    clean(&mut value);
    value
}

#[test]
fn the_program_and_its_tools_answer_alike() {
    let world = World::demo();
    let mut client = Client::new(&world, &["--toolsets", "all"], "2025-11-25");
    for (name, request, arguments) in CASES {
        let output = world.run(&[arguments, ["--format", "json"].as_slice()].concat());
        let printed: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{name}: {}", crate::harness::shown(&output)));
        let mut request = request();
        request["format"] = json!("json");
        // Packs and the window have budgets of their own.
        if !["pack-build", "window"].contains(name) {
            request["budget"] = json!(10_000_000);
        }
        let result = client.call(&name.replace('-', "_"), request);
        let (answered, printed) = (
            without_times(result["structuredContent"].clone()),
            without_times(printed),
        );
        assert!(
            answered == printed,
            "{name} answers {result:#}\nprints {printed:#}"
        );
    }
}

#[test]
fn the_library_and_the_program_answer_alike() {
    let world = World::demo();
    let workspace = workspace(&world);
    let context = context(world.path());
    for (name, request, arguments) in CASES {
        let spec = operation(name).expect("the operation is registered");
        let asked = spec.answer(&workspace, &context, request());
        let asked = asked.unwrap_or_else(|error| panic!("{name}: {error}"));
        let asked: Value = serde_json::from_str(&asked).expect("an envelope is JSON");
        let output = world.run(&[arguments, ["--format", "json"].as_slice()].concat());
        let printed: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{name}: {}", crate::harness::shown(&output)));
        crate::wire::check_form(&printed);
        let (asked, printed) = (without_times(asked), without_times(printed));
        assert!(
            asked == printed,
            "{name} answers {asked:#}\nprints {printed:#}"
        );
    }
    for operation in OPERATIONS {
        let is_tried = CASES.iter().any(|(name, ..)| *name == operation.name);
        assert!(
            is_tried || WITHOUT_JSON.contains(&operation.name),
            "{} is not compared",
            operation.name
        );
    }
}

#[test]
fn the_library_and_the_program_fail_alike() {
    let world = World::demo();
    let workspace = workspace(&world);
    let context = context(world.path());
    let cases: [(&str, Value, &[&str]); 6] = [
        (
            "resolve",
            json!({"symbol": "FirigQueue2"}),
            &["resolve", "FirigQueue2"],
        ),
        ("usages", json!({"symbol": ""}), &["usages", ""]),
        (
            "usages",
            json!({"symbol": "FiringQueue", "filter": {"projects": ["Nope"]}}),
            &["usages", "FiringQueue", "--project", "Nope"],
        ),
        (
            "diff-context",
            json!({"revisions": ["nope"]}),
            &["diff-context", "nope"],
        ),
        (
            "scope-files",
            json!({"scope": "Nope"}),
            &["scope", "files", "Nope"],
        ),
        ("config", json!({"key": "nope"}), &["config", "nope"]),
    ];
    for (name, request, arguments) in cases {
        let spec = operation(name).expect("the operation is registered");
        let error = spec
            .answer(&workspace, &context, request)
            .expect_err("it fails");
        let asked = serde_json::to_value(error.envelope()).expect("errors are plain data");
        let output = world.run(&[arguments, ["--format", "json"].as_slice()].concat());
        let printed: Value = serde_json::from_slice(&output.stdout).expect("errors are JSON");
        crate::wire::check_form(&printed);
        assert_eq!(asked, printed, "{name}");
        let exit = i32::from(error.code().class().exit_code());
        assert_eq!(output.status.code(), Some(exit), "{name}");
    }
}

#[test]
fn a_client_that_reads_an_answer_can_render_what_the_program_prints() {
    let world = World::demo();
    let json = world.answer(&["usages", "FiringQueue", "--format", "json"]);
    let envelope: Envelope<UsagesAnswer> =
        serde_json::from_str(&json).expect("the envelope has its type");
    let phrase = |_: &More<'_>| String::new();
    let options = RenderOptions {
        budget: 8000,
        tokenizer: &O200kBase,
        phrase: &phrase,
    };
    assert_eq!(
        cortex_context::usages_text(&envelope, &options),
        world.answer(&["usages", "FiringQueue"])
    );
    assert_eq!(
        cortex_context::usages_markdown(&envelope, &options),
        world.answer(&["usages", "FiringQueue", "--format", "md"])
    );
}

#[test]
fn wrong_arguments_are_json_where_json_is_asked_for() {
    let world = World::empty();
    for arguments in [
        ["usages", "--format", "json"].as_slice(),
        ["usages", "A", "--nope", "--format=json"].as_slice(),
        ["nope", "--format", "json"].as_slice(),
    ] {
        let output = world.run(arguments);
        let printed: Value = serde_json::from_slice(&output.stdout).expect("errors are JSON");
        crate::wire::check_form(&printed);
        assert_eq!(printed["error"]["code"], "InvalidRequest", "{arguments:?}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn no_repository_has_a_code_of_its_own() {
    let world = World::empty();
    let folder = world.beside("home");
    let output = world.run_in(&folder, &["resolve", "A", "--format", "json"]);
    let printed: Value = serde_json::from_slice(&output.stdout).expect("errors are JSON");
    crate::wire::check_form(&printed);
    assert_eq!(printed["error"]["code"], "NotARepository");
    assert_eq!(output.status.code(), Some(3));
}

/// Operations that read a snapshot from beginning to end, and have no answer without it.
const READING: [&str; 16] = [
    "diff-context",
    "api",
    "history",
    "tests",
    "outline",
    "map",
    "source",
    "resolve",
    "usages",
    "callers",
    "callees",
    "implementations",
    "hierarchy",
    "deps",
    "cycles",
    "unused",
];

#[test]
fn every_operation_ends_when_it_is_canceled() {
    let world = World::demo();
    let workspace = workspace(&world);
    for (name, request, _) in CASES.iter().filter(|(name, ..)| READING.contains(name)) {
        let spec = operation(name).expect("the operation is registered");
        // What has to be indexed is indexed first: the reading itself must end.
        let complete = context(world.path());
        let answer = spec.answer(&workspace, &complete, request());
        assert!(answer.is_ok(), "{name}: {answer:?}");
        let canceled = context(world.path());
        canceled.cancel.cancel();
        let error = spec
            .answer(&workspace, &canceled, request())
            .expect_err("it is canceled");
        assert_eq!(error.code(), cortex_wire::ErrorCode::Canceled, "{name}");
    }
}

#[test]
fn a_question_without_partial_answers_fails_at_its_deadline() {
    let world = World::demo();
    for arguments in [
        ["diff-context", "HEAD~1"].as_slice(),
        &["api", "HEAD~1"],
        &["tests", "HEAD~1"],
        &["history", "FiringQueue", "HEAD"],
    ] {
        let form = ["--timeout", "0", "--format", "json"];
        let output = world.run(&[arguments, form.as_slice()].concat());
        let printed: Value = serde_json::from_slice(&output.stdout).expect("errors are JSON");
        crate::wire::check_form(&printed);
        assert_eq!(printed["error"]["code"], "Timeout", "{arguments:?}");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
    }
}
