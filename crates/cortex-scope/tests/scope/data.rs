//! What travels, as it travels.

use cortex_scope::*;
use serde_json::json;

use crate::universe::Written;

#[test]
fn a_request_is_read_and_written_as_published() {
    let value = json!({
        "atoms": [
            { "atomId": "p", "kind": "PATTERN", "patternText": "file:*.cs" },
            { "atomId": "m", "kind": "MODULE", "moduleName": "App", "moduleFlavor": "MODULE_WITH_DEPENDENCIES", "onResolveFailure": "EMPTY_SCOPE" },
            { "atomId": "s", "kind": "PROVIDER_SCOPE", "providerScopeId": "git:staged" },
            { "atomId": "f", "kind": "FILES", "fileUrls": ["repo:/a"] },
        ],
        "tokens": [
            { "op": "PUSH_ATOM", "atomId": "p" }, { "op": "PUSH_ATOM", "atomId": "m" }, { "op": "AND" },
        ],
        "strict": false,
        "allowUiInteractiveScopes": true,
        "nonStrictDefaultFailureMode": "SKIP",
    });
    let request: ScopeRequest = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(request.non_strict_default_failure_mode, FailureMode::Skip);
    assert_eq!(serde_json::to_value(&request).unwrap(), value);
}

#[test]
fn what_a_request_leaves_out_has_its_default_and_what_nothing_has_is_an_error() {
    let request: ScopeRequest =
        serde_json::from_value(json!({ "atoms": [], "tokens": [] })).unwrap();
    assert_eq!(request, ScopeRequest::new(vec![], vec![]));
    assert!(request.strict && !request.allow_ui_interactive_scopes);
    let unknown =
        json!({ "atoms": [{ "atomId": "a", "kind": "PATTERN", "pattern": "a" }], "tokens": [] });
    let error = serde_json::from_value::<ScopeRequest>(unknown).unwrap_err();
    assert!(
        error.to_string().starts_with("unknown field `pattern`"),
        "{error}"
    );
}

#[test]
fn a_descriptor_means_what_its_program_means() {
    let universe = Written::of(&["repo:/a.cs", "repo:/b.txt"]);
    let request = infix::compile("'Project Files' & !pattern(file:*.txt)").unwrap();
    let resolved = resolve(&request, &universe).unwrap();
    assert_eq!(
        serde_json::to_value(&resolved.descriptor).unwrap(),
        json!({
            "version": 1,
            "atoms": [
                { "atomId": "a1", "kind": "STANDARD", "scopeRefId": "standard:Project Files", "standardScopeId": "Project Files" },
                { "atomId": "a2", "kind": "PATTERN", "scopeRefId": "pattern:9736333cdcbd", "patternText": "file:*.txt" },
            ],
            "tokens": [
                { "op": "PUSH_ATOM", "atomId": "a1" }, { "op": "PUSH_ATOM", "atomId": "a2" }, { "op": "NOT" }, { "op": "AND" },
            ],
            "displayName": "'Project Files' & !pattern(file:*.txt)",
            "scopeShape": "GLOBAL",
            "diagnostics": [],
        })
    );
    let again = resolve(&resolved.descriptor.clone().into(), &universe).unwrap();
    assert_eq!(again.descriptor, resolved.descriptor);
    assert_eq!(again.scope, resolved.scope);
}

/// The digits are the first 12 of `sha256sum`.
#[test]
fn stable_names_are_those_of_what_is_meant() {
    let reference = |expression: &str| {
        let request = infix::compile(expression).unwrap();
        request.atoms[0].scope_ref_id.clone().unwrap_or_default()
    };
    for (expression, expected) in [
        ("'All Places'", "standard:All Places"),
        ("module(App)", "module:App:MODULE"),
        (
            "module(App, MODULE_WITH_LIBRARIES)",
            "module:App:MODULE_WITH_LIBRARIES",
        ),
        ("named(config, Mine)", "named:config:Mine"),
        ("named(predefined, Tests)", "named:predefined:Tests"),
        ("Tests", ""),
        ("Mine", ""),
        ("dir(src/)", "directory:repo:/src"),
        ("dir(.)", "directory:repo:/"),
        ("pattern(file:a&&(file:b&&file:c))", "pattern:e328282da243"),
        ("pattern(file:a&&file:b&&file:c)", "pattern:e328282da243"),
        ("files(b, a)", "files:6343f023a836"),
        ("files(repo:/a, b, a)", "files:6343f023a836"),
        ("git:changed:HEAD~1", "provider:git:changed:eee2ceab748c"),
    ] {
        assert_eq!(reference(expression), expected, "{expression}");
    }
}

#[test]
fn an_atom_can_be_its_stable_name_alone() {
    let mut universe =
        Written::of(&["repo:/src/a", "repo:/src/b"]).named(SHARED, "Mine", "file:*a");
    universe.module("App", "src");
    universe.files[1].modules = vec![0];
    let staged = Provided::Files(vec![FileId::new(0)]);
    universe
        .provided
        .insert("codeowners:@me".to_owned(), staged);
    let owner = Target::Provider(Provider::parse("codeowners:@me").unwrap());
    for (kind, reference, expected) in [
        (AtomKind::Standard, "standard:Project Files".to_owned(), 2),
        (AtomKind::Module, "module:App:MODULE".to_owned(), 1),
        (AtomKind::NamedScope, format!("named:{SHARED}:Mine"), 1),
        (AtomKind::Directory, "directory:repo:/src".to_owned(), 2),
        (AtomKind::ProviderScope, owner.reference().unwrap(), 1),
    ] {
        let mut atom = ScopeAtom::new("a", kind);
        atom.scope_ref_id = Some(reference);
        let request = ScopeRequest::new(vec![atom], vec![ScopeToken::push("a")]);
        let resolved = resolve(&request, &universe).unwrap();
        assert_eq!(resolved.scope.n_files(), expected, "{kind:?}");
    }
}

#[test]
fn a_name_alone_is_told_with_its_holder_once_it_is_found() {
    let universe = Written::of(&["repo:/a"]).named(LOCAL, "Tests", "file:a");
    for (name, expected) in [
        ("Tests", "named:NamedScopeManager:Tests"),
        ("Production", "named:predefined:Production"),
    ] {
        let request = infix::compile(name).unwrap();
        let resolved = resolve(&request, &universe).unwrap();
        let reference = resolved.descriptor.atoms[0].scope_ref_id.as_deref();
        assert_eq!(reference, Some(expected));
        let again = resolve(&resolved.descriptor.clone().into(), &universe).unwrap();
        assert_eq!(again.descriptor, resolved.descriptor);
        assert_eq!(again.scope, resolved.scope);
    }
}

/// Everything that a chooser lists for the universe of the next test.
const NAMES: [&str; 43] = [
    "All Places",
    "Project and Libraries",
    "Project Files",
    "Project Production Files",
    "Project Test Files",
    "Scratches and Consoles",
    "Recently Viewed Files",
    "Recently Changed Files",
    "Open Files",
    "Current File",
    "Selection",
    "git:changed:<range>",
    "git:staged",
    "git:worktree",
    "git:untracked",
    "git:author:<name>:<since>",
    "git:churn:<n>",
    "codeowners:<owner>",
    "codeowners:@me",
    "area:<name>",
    "submodule:<path>",
    "impact:<range>",
    "pack:<name>",
    "type:<symbol>",
    "members:<symbol>",
    "Project Files",
    "All",
    "Non-Project Files",
    "Production",
    "Tests",
    "Generated Files",
    "All Changed Files",
    "Problems",
    "Mine",
    "Broken",
    "App",
    "App with dependencies",
    "App with libraries",
    "App with dependencies and libraries",
    "Zoo",
    "Zoo with dependencies",
    "Zoo with libraries",
    "Zoo with dependencies and libraries",
];

#[test]
fn a_catalog_has_the_order_of_the_choosers() {
    let mut universe = Written::of(&["repo:/a"])
        .named(SHARED, "Mine", "file:a")
        .named(SHARED, "Mine", "file:b")
        .named(LOCAL, "Broken", "file:");
    universe.module("App", "");
    universe.module("Zoo", "zoo");
    let owned = Provided::Files(Vec::new());
    universe.provided.insert("codeowners:@me".to_owned(), owned);
    universe.context.current_file = Some("repo:/a".to_owned());
    let catalog = catalog(&universe);
    let names: Vec<&str> = catalog
        .items
        .iter()
        .map(|it| it.display_name.as_str())
        .collect();
    assert_eq!(names, NAMES);
    assert_eq!(
        catalog.diagnostics,
        [
            "`DependencyValidationManager` has several scopes named `Mine`; using the first",
            "named scope `Broken` of `NamedScopeManager`: `file:`: Package pattern expected at position 6",
        ]
    );
    let item = |name: &str| {
        catalog
            .items
            .iter()
            .find(|it| it.display_name == name)
            .unwrap()
    };
    assert_eq!(
        serde_json::to_value(item("Selection")).unwrap(),
        json!({
            "scopeRefId": "standard:Selection",
            "displayName": "Selection",
            "kind": "STANDARD",
            "scopeShape": "LOCAL",
            "serializationId": "Selection",
            "requiresUserInput": true,
            "unstable": true,
        })
    );
    assert!(!item("Current File").requires_user_input && item("Current File").unstable);
    let asked = item("git:changed:<range>");
    assert!(asked.requires_user_input && !asked.unstable);
    assert_eq!(asked.serialization_id, None);
    for (name, is_unstable) in [
        ("git:staged", true),
        ("git:worktree", true),
        ("git:untracked", true),
        ("codeowners:@me", false),
        ("All Places", false),
        ("Scratches and Consoles", true),
        ("Recently Viewed Files", true),
        ("Recently Changed Files", true),
        ("Open Files", true),
        ("All Changed Files", true),
        ("Tests", false),
        ("Mine", false),
        ("App", false),
    ] {
        assert_eq!(item(name).unstable, is_unstable, "{name}");
        assert!(
            !item(name).requires_user_input || name == "Open Files",
            "{name}"
        );
    }
}
