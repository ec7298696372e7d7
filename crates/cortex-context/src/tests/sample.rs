//! Answers as repositories give them.

use cortex_model::{
    Accessibility, ChangeClass, DeclKind, EdgeKind, LineColumn, RepoPath, TypeKind,
};
use cortex_wire::{
    ApiChange, CalledCode, Certainty, ChangedFile, CodeLine, CodeLineKind, CommitEntry,
    DiffContext, FileKind, FileNote, FileStatus, Frameworks, Impact, ImpactedType, LineUse,
    MemberChange, MemberChangeKind, NextUser, Outline, ProjectChange, ProjectDamage, RangeEntry,
    ReachedTests, ReachingTest, Severity, SideEntry, StaleEntry, SymbolImpact, Totals, TypeChange,
    TypeRef, UnfollowedActions, UseSide,
};

const STORE: &str = "src/Core/Storage/BlobStore.cs";

fn ty(name: &str, kind: TypeKind) -> TypeRef {
    let id: String = name
        .bytes()
        .rev()
        .filter(u8::is_ascii_alphabetic)
        .take(8)
        .map(|b| char::from(b.to_ascii_uppercase()))
        .collect();
    TypeRef {
        name: name.to_owned(),
        id: format!("T_{id}"),
        kind,
    }
}

/// Lines with their sign in front.
fn code(text: &str) -> Vec<CodeLine> {
    text.lines()
        .map(|line| {
            let (kind, text) = match line.split_at_checked(1) {
                Some(("+", text)) => (CodeLineKind::Added, text),
                Some(("-", text)) => (CodeLineKind::Removed, text),
                _ => (CodeLineKind::Context, line.get(1..).unwrap_or("")),
            };
            CodeLine {
                kind,
                text: text.to_owned(),
            }
        })
        .collect()
}

fn change(name: &str, class: ChangeClass, file: &str, line: u32) -> TypeChange {
    TypeChange {
        follows_moves: false,
        frameworks: Vec::new(),
        ty: ty(name, TypeKind::Class),
        renamed_from: None,
        moved_from: Vec::new(),
        moved_from_assembly: None,
        class,
        accessibility: Accessibility::Public,
        project: RepoPath::from("src/Core/Core.csproj"),
        is_test: false,
        modifiers: Vec::new(),
        bases: Vec::new(),
        files: vec![RepoPath::from(file)],
        line,
        old_signature: None,
        new_signature: None,
        members: Vec::new(),
        n_dependents: 0,
        propagated: None,
    }
}

fn member(
    change: MemberChangeKind,
    name: &str,
    old: Option<&str>,
    new: Option<&str>,
    line: u32,
    text: &str,
) -> MemberChange {
    MemberChange {
        follows_moves: false,
        is_proven: false,
        frameworks: Vec::new(),
        change,
        kind: DeclKind::Method,
        name: name.to_owned(),
        id: "4F2K9Q".to_owned(),
        doc_id: None,
        accessibility: if new
            .or(old)
            .is_some_and(|signature| signature.starts_with("private"))
        {
            Accessibility::Private
        } else {
            Accessibility::Public
        },
        modifiers: Vec::new(),
        old_signature: old.map(str::to_owned),
        new_signature: new.map(str::to_owned),
        notes: Vec::new(),
        path: RepoPath::from(STORE),
        line,
        parameters: Vec::new(),
        has_body: true,
        code: code(text),
    }
}

fn used(path: &str, line: u32, text: &str, certainty: Certainty) -> LineUse {
    LineUse {
        frameworks: Vec::new(),
        path: RepoPath::from(path),
        at: LineColumn { line, column: 9 },
        project: RepoPath::from("src/Core/Core.csproj"),
        is_test: false,
        inside: None,
        role: cortex_wire::Role::Call,
        certainty,
        via: None,
        text: text.to_owned(),
    }
}

fn symbol(member: &str, change: MemberChangeKind, uses: Vec<LineUse>) -> SymbolImpact {
    SymbolImpact {
        id: format!("M:Acme.Core.Storage.BlobStore.{member}(System.String)"),
        ty: "Acme.Core.Storage.BlobStore".to_owned(),
        member: Some(member.to_owned()),
        change,
        side: UseSide::New,
        implemented_by: Vec::new(),
        siblings: Vec::new(),
        sibling_routines: Vec::new(),
        called_through: None,
        n_uses: uses.len(),
        n_mentions: 0,
        mentions: Vec::new(),
        uses,
        rest: Vec::new(),
    }
}

fn user(name: &str, distance: u32, via: &str, n_uses: usize) -> ImpactedType {
    ImpactedType {
        ty: ty(name, TypeKind::Class),
        distance,
        propagated: None,
        via: via.to_owned(),
        kinds: vec![EdgeKind::Field, EdgeKind::Calls],
        project: RepoPath::from("src/Core/Core.csproj"),
        is_test: false,
        n_uses,
    }
}

fn file(
    path: &str,
    status: FileStatus,
    kind: FileKind,
    added: usize,
    deleted: usize,
) -> ChangedFile {
    ChangedFile {
        path: RepoPath::from(path),
        old_path: None,
        status,
        kind,
        is_generated: false,
        old_mode: 0o100_644,
        new_mode: 0o100_644,
        blobs: (Some("1".repeat(40)), Some("2".repeat(40))),
        similarity: None,
        added,
        deleted,
        hunks: Vec::new(),
        beside: Vec::new(),
        same_section: Vec::new(),
        named_at: Vec::new(),
    }
}

fn store() -> TypeChange {
    let mut out = change(
        "Acme.Core.Storage.BlobStore",
        ChangeClass::Structure,
        STORE,
        14,
    );
    out.old_signature =
        Some("public class Acme.Core.Storage.BlobStore : Acme.Core.Storage.IBlobStore".to_owned());
    out.new_signature = Some(
        "public sealed class Acme.Core.Storage.BlobStore : Acme.Core.Storage.IBlobStore".to_owned(),
    );
    out.n_dependents = 17;
    let long_body: String = (0..60).map(|i| format!("         Step({i});\n")).collect();
    out.members = vec![
        member(
            MemberChangeKind::Removed,
            "ReadAll",
            Some("public byte[] Acme.Core.Storage.BlobStore.ReadAll(string)"),
            None,
            31,
            "-    public byte[] ReadAll(string key)\n-    {\n-        return File.ReadAllBytes(PathOf(key));\n-    }",
        ),
        member(
            MemberChangeKind::Signature,
            "OpenAsync",
            Some(
                "public System.Threading.Tasks.Task<System.IO.Stream> Acme.Core.Storage.BlobStore.OpenAsync(string)",
            ),
            Some(
                "public System.Threading.Tasks.ValueTask<System.IO.Stream> Acme.Core.Storage.BlobStore.OpenAsync(string,System.Threading.CancellationToken)",
            ),
            40,
            "-    public async Task<Stream> OpenAsync(string key)\n+    public async ValueTask<Stream> OpenAsync(string key, CancellationToken token)\n     {\n         await gate.WaitAsync();\n-        return File.OpenRead(PathOf(key));\n+        token.ThrowIfCancellationRequested();\n+        return new FileStream(PathOf(key), Options);\n     }",
        ),
        member(
            MemberChangeKind::Body,
            "Compact",
            Some("public void Acme.Core.Storage.BlobStore.Compact()"),
            Some("public void Acme.Core.Storage.BlobStore.Compact()"),
            70,
            &format!(
                "     public void Compact()\n     {{\n{long_body}-        Flush();\n+        Flush(true);\n     }}"
            ),
        ),
        member(
            MemberChangeKind::Body,
            "PathOf",
            Some("private string Acme.Core.Storage.BlobStore.PathOf(string)"),
            Some("private string Acme.Core.Storage.BlobStore.PathOf(string)"),
            150,
            "-    private string PathOf(string key) => root + key;\n+    private string PathOf(string key) => Path.Combine(root, key);",
        ),
    ];
    out
}

fn types() -> Vec<TypeChange> {
    let mut added = change(
        "Acme.Core.Storage.StoreOptions",
        ChangeClass::Added,
        "src/Core/Storage/StoreOptions.cs",
        5,
    );
    added.ty.kind = TypeKind::Record;
    added.new_signature = Some("public sealed record Acme.Core.Storage.StoreOptions : System.IEquatable<Acme.Core.Storage.StoreOptions>".to_owned());
    added.members = vec![member(
        MemberChangeKind::Added,
        "BufferSize",
        None,
        Some("public int Acme.Core.Storage.StoreOptions.BufferSize"),
        8,
        "+    public int BufferSize { get; init; } = 4096;",
    )];
    added.members[0].path = added.files[0].clone();
    added.members[0].kind = DeclKind::Property;
    added.members[0].has_body = false;
    let mut renamed = change(
        "Acme.Core.Text.Slug`1",
        ChangeClass::Internal,
        "src/Core/Text/Slug.cs",
        9,
    );
    renamed.renamed_from = Some("Acme.Core.Text.Slugifier`1".to_owned());
    renamed.moved_from = vec![RepoPath::from("src/Core/Text/Slugifier.cs")];
    let mut test = change(
        "Acme.Core.Tests.BlobStoreTests",
        ChangeClass::PublicBehavior,
        "tests/Core.Tests/BlobStoreTests.cs",
        11,
    );
    test.is_test = true;
    test.project = RepoPath::from("tests/Core.Tests/Core.Tests.csproj");
    test.members = vec![member(
        MemberChangeKind::Body,
        "Opens_what_was_written",
        Some("public void Acme.Core.Tests.BlobStoreTests.Opens_what_was_written()"),
        Some("public void Acme.Core.Tests.BlobStoreTests.Opens_what_was_written()"),
        20,
        "     [Fact]\n     public async Task Opens_what_was_written()\n     {\n-        using var stream = await store.OpenAsync(\"a\");\n+        using var stream = await store.OpenAsync(\"a\", default);\n     }",
    )];
    test.members[0].path = test.files[0].clone();
    vec![store(), added, renamed, test]
}

fn range() -> RangeEntry {
    RangeEntry {
        spec: "main...HEAD".to_owned(),
        old: SideEntry {
            kind: cortex_wire::SideKind::Commit,
            commit: Some("3f1c9ab27d0e5b64c1a8f9e2d7b305c46a1e8f90".to_owned()),
        },
        new: SideEntry {
            kind: cortex_wire::SideKind::Commit,
            commit: Some("a97e02d4c8b15f36e0d2c7419fab83561d0e4c72".to_owned()),
        },
        commits: vec![
            CommitEntry {
                id: "a97e02d4c8b15f36e0d2c7419fab83561d0e4c72".to_owned(),
                subject: "Cancel opening of blobs".to_owned(),
                body: String::new(),
                author: "Ada".to_owned(),
            },
            CommitEntry {
                id: "51b0e7c2a94f8d36b7e1c05a2f9d8e4736c1b0a5".to_owned(),
                subject: "Seal BlobStore, drop `ReadAll`".to_owned(),
                body: String::new(),
                author: "Ben".to_owned(),
            },
        ],
        n_commits: 2,
        paths: Vec::new(),
        scope: None,
        n_outside: 0,
    }
}

fn impact() -> Impact {
    Impact {
        unset: Vec::new(),
        copies: Vec::new(),
        near_copies: Vec::new(),
        inherited: Vec::new(),
        nearby_documentation: Vec::new(),
        deleted_tests: Vec::new(),
        requesting_tests: Vec::new(),
        starting_tests: Vec::new(),
        workflows: Vec::new(),
        not_searched: Vec::new(),
        lost_names: Vec::new(),
        lagging: Vec::new(),
        no_longer_used: Vec::new(),
        written_data: Vec::new(),
        counterparts: Vec::new(),
        conditions: Vec::new(),
        outside_services: Vec::new(),
        type_tests: Vec::new(),
        columns: Vec::new(),
        deserialized: Vec::new(),
        left_values: Vec::new(),
        files_of_name: Vec::new(),
        views: Vec::new(),
        procedures: Vec::new(),
        handed: Vec::new(),
        run_routines: Vec::new(),
        left_routines: Vec::new(),
        unfollowed_actions: UnfollowedActions::default(),
        n_routes: 0,
        symbols: vec![
            symbol(
                "OpenAsync",
                MemberChangeKind::Signature,
                vec![
                    used(
                        "src/Core/Sync/Uploader.cs",
                        33,
                        "private readonly BlobStore store;",
                        Certainty::Exact,
                    ),
                    used(
                        "src/Core/Sync/Uploader.cs",
                        58,
                        "using var source = await store.OpenAsync(key);",
                        Certainty::Exact,
                    ),
                    used(
                        "src/Core/Sync/Uploader.Retry.cs",
                        12,
                        "var all = previous.ReadAll(key);",
                        Certainty::Possible,
                    ),
                ],
            ),
            symbol(
                "Compact",
                MemberChangeKind::Body,
                vec![used(
                    "src/Core/Sync/Mirror.cs",
                    20,
                    "store.Compact();",
                    Certainty::Exact,
                )],
            ),
        ],
        next: vec![NextUser {
            contract: None,
            id: "M:Acme.Server.Startup.Run".to_owned(),
            through: "M:Acme.Core.Sync.Mirror.Copy".to_owned(),
            n_uses: 2,
        }],
        registrations: Vec::new(),
        direct: vec![
            user(
                "Acme.Core.Sync.Uploader",
                1,
                "Acme.Core.Storage.BlobStore",
                3,
            ),
            user("Acme.Core.Sync.Mirror", 1, "Acme.Core.Storage.BlobStore", 1),
        ],
        further: (0..12)
            .map(|i| {
                user(
                    &format!("Acme.Core.Jobs.Job{i}"),
                    2,
                    "Acme.Core.Sync.Uploader",
                    0,
                )
            })
            .collect(),
        n_beyond: 31,
        tests: Some(reached()),
    }
}

fn reached() -> ReachedTests {
    ReachedTests {
        tests: vec![ReachingTest {
            frameworks: Vec::new(),
            id: "M:Acme.Core.Tests.BlobStoreTests.Writes".to_owned(),
            class: "Acme.Core.Tests.BlobStoreTests".to_owned(),
            project: RepoPath::from("tests/Core.Tests/Core.Tests.csproj"),
            method: "Writes".to_owned(),
            distance: 1,
            certainty: Certainty::Exact,
            is_named_after: false,
            is_by_test_code: false,
            is_changed: false,
            skipped: false,
            path: vec![
                "M:Acme.Core.Tests.BlobStoreTests.Writes".to_owned(),
                "M:Acme.Core.Storage.BlobStore.Write(System.IO.Stream)".to_owned(),
            ],
        }],
        set_up: Vec::new(),
        n_all: 412,
        n_unseen: 0,
        n_in_classes: 1,
        unreached: Vec::new(),
        is_of_types: false,
    }
}

fn called() -> CalledCode {
    CalledCode {
        doc_id: "M:Acme.Core.Storage.Segments.Merge".to_owned(),
        ty: "Acme.Core.Storage.Segments".to_owned(),
        member: "Merge".to_owned(),
        path: RepoPath::from("src/Core/Storage/Segments.cs"),
        line: 21,
        because: "Acme.Core.Storage.BlobStore.Compact".to_owned(),
        reason: cortex_wire::CallReason::Called,
        through: Some("M:Acme.Core.Storage.ISegments.Merge".to_owned()),
        code: vec!["    public void Merge() => _segments.Clear();".to_owned()],
        n_more_lines: 0,
    }
}

/// A change of a class, of its interface's test and of a package.
pub(crate) fn answer() -> DiffContext {
    DiffContext {
        proof: None,
        routes: Vec::new(),
        models: Vec::new(),
        contracts: Vec::new(),
        forms: Vec::new(),
        database: Vec::new(),
        range: range(),
        totals: Totals {
            files: 6,
            added: 48,
            deleted: 21,
        },
        notes: vec![FileNote {
            path: RepoPath::from("src/Core/Legacy.cs"),
            text: "2 places do not parse".to_owned(),
        }],
        damage: vec![ProjectDamage {
            project: RepoPath::from("tests/Tests.csproj"),
            is_changed: false,
            names: 4_321,
            unbound: 12,
            degraded_files: 0,
            skipped_files: 1,
            missing_packages: vec!["xunit 2.9.3".to_owned()],
        }],
        frameworks: vec![Frameworks {
            project: RepoPath::from("src/Core/Core.csproj"),
            active: "net10.0".to_owned(),
            others: vec!["netstandard2.0".to_owned()],
        }],
        types: types(),
        api: vec![
            ApiChange {
                moved_to: None,
                follows_moves: false,
                frameworks: Vec::new(),
                severity: Severity::Breaking,
                rule: Some("CP0002".to_owned()),
                ty: "Acme.Core.Storage.BlobStore".to_owned(),
                member: Some("ReadAll(string)".to_owned()),
                symbol: Some("M:Acme.Core.Storage.BlobStore.ReadAll(System.String)".to_owned()),
                reason: "removed".to_owned(),
            },
            ApiChange {
                moved_to: None,
                follows_moves: false,
                frameworks: Vec::new(),
                severity: Severity::SourceBreaking,
                rule: None,
                ty: "Acme.Core.Storage.BlobStore".to_owned(),
                member: None,
                symbol: None,
                reason: "sealed: types that inherit from it no longer compile".to_owned(),
            },
        ],
        namespaces: Vec::new(),
        impact: impact(),
        reading: vec![Outline {
            ty: ty("Acme.Core.Storage.IBlobStore", TypeKind::Interface),
            signature: "public interface Acme.Core.Storage.IBlobStore".to_owned(),
            because: "Acme.Core.Storage.BlobStore.Compact".to_owned(),
            path: RepoPath::from("src/Core/Storage/IBlobStore.cs"),
            line: 7,
            members: vec!["void Compact()".to_owned()],
            n_members: 3,
        }],
        called: vec![called()],
        projects: vec![ProjectChange {
            path: RepoPath::from("Directory.Packages.props"),
            text: "package Polly 8.4.0 → 8.5.1, used by src/Core".to_owned(),
        }],
        files: vec![
            file(
                "Directory.Packages.props",
                FileStatus::Modified,
                FileKind::Project,
                1,
                1,
            ),
            file(
                "docs/logo.png",
                FileStatus::Modified,
                FileKind::Binary,
                0,
                0,
            ),
            file("README.md", FileStatus::Modified, FileKind::Text, 3, 1),
            file(STORE, FileStatus::Modified, FileKind::Source, 30, 15),
        ],
        stale: vec![StaleEntry {
            path: RepoPath::from(".context/types/T_EROTSBOL.outline.md"),
            reason: "structure of BlobStore changed".to_owned(),
        }],
    }
}

/// A feature branch: the change of [`answer`] and what it drew with it.
pub(crate) fn branch() -> DiffContext {
    let mut out = answer();
    let names = [
        "Uploader",
        "Mirror",
        "Janitor",
        "Catalog",
        "Quota",
        "Snapshotter",
        "Auditor",
        "Importer",
    ];
    for (i, name) in names.into_iter().enumerate() {
        let full = format!("Acme.Core.Sync.{name}");
        let path = format!("src/Core/Sync/{name}.cs");
        let mut changed = change(&full, ChangeClass::PublicBehavior, &path, 12);
        changed.n_dependents = 9 - i;
        if i % 3 == 2 {
            changed.accessibility = Accessibility::Internal;
            changed.class = ChangeClass::Internal;
        }
        changed.members = ["Run", "Stop", "Report"]
            .into_iter()
            .enumerate()
            .map(|(k, method)| {
                let signature = format!("public void {full}.{method}(System.TimeSpan)");
                let steps: String = (0..8 * (k + 1)).map(|n| format!("         log.Step(\"{method} {n}\", after: {n});\n")).collect();
                let text = format!(
                    "     public void {method}(TimeSpan timeout)\n     {{\n-        store.OpenAsync(key).Wait();\n+        store.OpenAsync(key, token).AsTask().Wait(timeout);\n{steps}     }}"
                );
                let mut member = member(MemberChangeKind::Body, method, Some(&signature), Some(&signature), 20 + k as u32 * 30, &text);
                member.path = RepoPath::from(path.as_str());
                member
            })
            .collect();
        out.types.insert(3 + i, changed);
    }
    for i in 0..14 {
        let path = format!("src/Server/Endpoints/Endpoint{i}.cs");
        let uses = (0..4).map(|k| {
            used(
                &path,
                30 + 7 * k,
                "await using var stream = await store.OpenAsync(request.Key);",
                Certainty::Exact,
            )
        });
        out.impact.symbols.push(symbol(
            &format!("Endpoint{i}"),
            MemberChangeKind::Body,
            uses.collect(),
        ));
    }
    out
}

/// A release: `n` changed types in three projects, each with members, users and files.
pub(super) fn release(n: usize) -> DiffContext {
    let mut out = answer();
    let template = store();
    out.types = (0..n)
        .map(|i| {
            let project = ["Core", "Server", "Client"][i % 3];
            let mut change = template.clone();
            change.ty = ty(
                &format!("Acme.{project}.Area{}.Type{i}", i % 11),
                TypeKind::Class,
            );
            change.project = RepoPath::from(format!("src/{project}/{project}.csproj"));
            change.files = vec![RepoPath::from(format!(
                "src/{project}/Area{}/Type{i}.cs",
                i % 11
            ))];
            change.n_dependents = n - i;
            change.class = ChangeClass::ALL[i % 6];
            change
        })
        .collect();
    out.impact.direct = (0..n)
        .map(|i| {
            user(
                &format!("Acme.App.User{i}"),
                1,
                "Acme.Core.Area0.Type0",
                i % 2,
            )
        })
        .collect();
    let uses = out.impact.symbols[0].uses.clone();
    out.impact.symbols = (0..n)
        .map(|i| symbol(&format!("Member{i}"), MemberChangeKind::Body, uses.clone()))
        .collect();
    out.files = (0..n)
        .map(|i| {
            file(
                &format!("docs/page{i}.md"),
                FileStatus::Modified,
                FileKind::Text,
                3,
                1,
            )
        })
        .collect();
    out.range.n_commits = 1_000;
    out
}
