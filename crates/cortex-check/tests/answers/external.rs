//! Types from outside of the repository count as what they refer to, not as how they are written.

use cortex_check::{Repository, expect};

fn changed(before: &str, after: &str) -> Repository {
    let side = |code: &str| format!("//- /A.cs project:Lib\n{code}");
    Repository::history(&[&side(before), &side(after)])
}

#[test]
fn a_using_directive_that_gives_a_name_another_type_changes_the_api() {
    let code =
        |using: &str| format!("using {using};\npublic class C {{ public void M(Timer t) {{ }} }}");
    let repository = changed(&code("System.Threading"), &code("System.Timers"));
    repository.check_api(expect![[r#"
        both CP0002 removed M:C.M(System.Threading.Timer)
        strict CP0002 added M:C.M(System.Timers.Timer)
    "#]]);
    repository.check_diff(expect![[r#"
        C
          signature M
    "#]]);
    let answer = repository.diff_context();
    let member = &answer.types[0].members[0];
    assert_eq!(
        [&member.old_signature, &member.new_signature].map(|it| it.as_deref()),
        [
            Some("public void C.M(System.Threading.Timer)"),
            Some("public void C.M(System.Timers.Timer)"),
        ]
    );
}

#[test]
fn a_base_or_an_attribute_that_means_another_type_is_structural() {
    for code in [
        |using: &str| {
            format!("using {using};\npublic class C {{ public Timer P {{ get; set; }} }}")
        },
        |using: &str| {
            format!("using {using};\npublic class C {{ public System.Action<Timer[]> F; }}")
        },
        |using: &str| format!("using T = {using}.Timer;\npublic class C {{ public T F; }}"),
        |using: &str| {
            format!(
                "using T = System.Collections.Generic.List<{using}.Timer>;\npublic class C {{ public T F; }}"
            )
        },
        |using: &str| format!("using {using};\npublic class C<T> where T : Timer {{ }}"),
        |using: &str| format!("using {using};\npublic delegate void C(Timer t);"),
        |using: &str| {
            format!(
                "namespace N {{ using {using}; public class C : System.IEquatable<Timer> {{ public bool Equals(Timer t) => true; }} }}"
            )
        },
    ] {
        let answer = changed(&code("System.Threading"), &code("System.Timers")).diff_context();
        let classes: Vec<String> = answer.types.iter().map(|ty| ty.class.to_string()).collect();
        assert_eq!(classes, ["structure"], "{}", code("System.Timers"));
    }
}

#[test]
fn another_way_to_write_a_type_is_cosmetic() {
    for (before, after) in [
        ("using System.Timers;", "Timer", "System.Timers.Timer"),
        ("", "int", "System.Int32"),
        ("using System;", "Int32[]", "int[]"),
        ("using System;", "string", "String"),
        ("", "int?", "System.Nullable<int>"),
        ("using System.Collections.Generic;", "List<object>", "global::System.Collections.Generic.List<System.Object>"),
        ("using T = System.Collections.Generic.List<int>;", "T", "System.Collections.Generic.List<int>"),
        ("using System.Collections.Generic;", "Dictionary<int, string>.KeyCollection", "System.Collections.Generic.Dictionary<System.Int32, string>.KeyCollection"),
    ]
    .map(|(usings, before, after)| {
        let code = |ty: &str| {
            format!("{usings}\npublic class C : System.IEquatable<{ty}> {{ public void M({ty} a) {{ }} internal {ty} F; public {ty} P {{ get; set; }} public bool Equals({ty} other) => true; }}")
        };
        (code(before), code(after))
    }) {
        let answer = changed(&before, &after).diff_context();
        let classes: Vec<String> = answer.types.iter().map(|ty| ty.class.to_string()).collect();
        let is_cosmetic = classes.iter().all(|class| class == "cosmetic");
        assert!(is_cosmetic, "{classes:?}: {after}");
    }
}

#[test]
fn a_body_that_changed_has_the_symbol_of_its_member() {
    let code = |body: &str| {
        format!(
            "using System.Threading;\npublic class C {{ public int M(CancellationToken t) => {body}; public int N() => M(default); }}"
        )
    };
    let answer = changed(&code("1"), &code("2")).diff_context();
    let member = &answer.types[0].members[0];
    assert_eq!(
        [
            member.old_signature.as_deref(),
            member.doc_id.as_deref(),
            Some(&*answer.impact.symbols[0].id),
        ],
        [
            Some("public int C.M(CancellationToken)"),
            Some("M:C.M(System.Threading.CancellationToken)"),
            Some("M:C.M(System.Threading.CancellationToken)"),
        ]
    );
}
