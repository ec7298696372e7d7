//! Values that code which becomes a method takes with it and leaves behind, on all ways that control takes.

use cortex_edit::EditError;
use cortex_wire::EditVerdict;

use crate::extracts::extract;

/// A program around statements; the code to extract stands between `[[` and `]]`.
fn program(statements: &str) -> String {
    format!(
        "using System;\nusing System.Collections.Generic;\nusing System.Threading.Tasks;\n\
         struct Ct {{ public int N; public int Up => N++; public int Own {{ get; set; }} public int this[int i] => N++; public void Inc() => N++; }}\n\
         ref struct H(ref int q) {{ public ref int R = ref q; }}\n\
         ref struct I(in int q) {{ public ref readonly int R = ref q; }}\n\
         class M\n{{\n    static int N = 1;\n    static Ct Sct;\n    static void W(object o) {{ }}\n    \
         static void Out(out int x) => x = 3;\n    static void Ref(ref int x) => x = 3;\n    static ref readonly int Same(in int x) => ref x;\n    \
         static ref Ct Get() => ref Sct;\n    static bool Try(out int x) {{ x = 4; return true; }}\n    \
         static void Main(string[] args)\n    {{\n        {statements}\n    }}\n}}\n"
    )
}

/// The call and the method that come of code, if it is proven; otherwise why not.
fn made(statements: &str) -> Result<[String; 2], String> {
    let op = match extract(&program(statements), "Made").1 {
        Ok(op) => op,
        Err(EditError::Refused { reason, .. }) => return Err(reason),
        Err(error) => panic!("{statements}: {error:?}"),
    };
    let added = op
        .answer
        .patch
        .lines()
        .filter_map(|it| it.strip_prefix('+'));
    let added: Vec<&str> = added.map(str::trim).collect();
    if op.answer.verdict != EditVerdict::Proven {
        return Err(format!("{:#?}", op.answer));
    }
    let mut lines = added.iter();
    let head = lines.position(|it| it.starts_with("private "));
    let head = head.unwrap_or(added.len());
    let body: Vec<&str> = added[head..]
        .iter()
        .copied()
        .filter(|it| !it.is_empty())
        .collect();
    Ok([added[1..head].join(" ").trim().to_owned(), body.join(" ")])
}

/// Compares the calls that come of code with what they have to be.
#[track_caller]
fn called(cases: &[(&str, &str)]) {
    let is_right = |found: &str, call: &str| {
        format!(" {found}").contains(&format!(" {call}"))
            && found.contains("= Made") == call.contains("= Made")
    };
    let wrong = cases
        .iter()
        .filter_map(|(statements, call)| match made(statements) {
            Ok([found, _]) if is_right(&found, call) => None,
            found => Some(format!("{statements}: {found:?}")),
        });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_loop_gets_what_its_last_round_left() {
    let cases = [
        (
            "int p = 0; foreach (var i in args) { [[W(p); p = i.Length;]] }",
            "p = Made(p, i);",
        ),
        (
            "int p = 0; for (int i = 0; i < 3; i++) { [[W(p); p = i;]] }",
            "p = Made(p, i);",
        ),
        (
            "int p = 0, i = 0; while (i < 3) { i++; [[W(p); p = i;]] }",
            "p = Made(p, i);",
        ),
        (
            "int p = 0, i = 0; do { i++; [[W(p); p = i;]] } while (i < 3);",
            "p = Made(p, i);",
        ),
        (
            "int p = 0; foreach (var i in args) { [[if (p != 0) W(p); p = i.Length;]] W(i); }",
            "p = Made(p, i);",
        ),
        (
            "bool a = true; foreach (var i in args) { [[if (!a) W(1); a = false;]] W(i); }",
            "a = Made(a);",
        ),
        (
            "int c = 0; foreach (var i in args) { [[c++; W(c);]] }",
            "c = Made(c);",
        ),
        (
            "int c = 0; foreach (var i in args) { if (i != null) { [[c++; W(c);]] } }",
            "c = Made(c);",
        ),
        (
            "int c = 0; foreach (var i in args) { foreach (var j in args) { [[c++; W(c);]] } }",
            "c = Made(c);",
        ),
        (
            "int c = 0; foreach (var i in args) { try { [[c++; W(c);]] } finally { } }",
            "c = Made(c);",
        ),
        (
            "int c = 0; foreach (var i in args) { switch (i) { default: [[c++; W(c);]] break; } }",
            "c = Made(c);",
        ),
        (
            "int c = 0; foreach (var i in args) { int z = 1; [[z += c; c = z; W(z);]] }",
            "c = Made(c, z);",
        ),
        (
            "string l = null; foreach (var i in args) { [[W(l ?? i); l = i;]] }",
            "l = Made(l, i);",
        ),
        (
            "int c = 0; foreach (var i in args) { if (i == null) continue; [[c++; W(c);]] if (c > 3) break; }",
            "c = Made(c);",
        ),
        (
            "int c = 0; again: W(1); [[c++; W(c);]] if (N++ < 3) goto again;",
            "c = Made(c);",
        ),
        (
            "int c = 0; again: W(1); try { [[c++; W(c);]] if (N++ < 3) goto again; } finally { }",
            "c = Made(c);",
        ),
        (
            "int c = 0; switch (N) { case 1: [[c++; W(c);]] goto case 2; case 2: W(1); N++; goto case 1; }",
            "c = Made(c);",
        ),
        (
            "Ct c = default; foreach (var i in args) { [[c.Inc(); W(c.N);]] }",
            "c = Made(c);",
        ),
        (
            "Ct c = default; foreach (var i in args) { [[c.N = c.N + 1; W(c.N);]] }",
            "c = Made(c);",
        ),
        (
            "Ct c = default; foreach (var i in args) { [[W(c.Up);]] }",
            "c = Made(c);",
        ),
        (
            "Ct c = default; foreach (var i in args) { [[W(c.Own);]] }",
            "Made(c);",
        ),
    ];
    called(&cases);
}

#[test]
fn what_each_round_begins_anew_stays_in_the_method() {
    let cases = [
        (
            "foreach (var i in args) { int c = 0; [[c++; W(c);]] }",
            "Made(c);",
        ),
        (
            "int c = 0; foreach (var i in args) { [[c = i.Length; W(c);]] }",
            "Made(i);",
        ),
        (
            "int c = 0; foreach (var i in args) { [[c++; W(c);]] break; }",
            "Made(c);",
        ),
        (
            "int c = 0; foreach (var i in args) { [[c++; W(c);]] c = 3; }",
            "Made(c);",
        ),
        (
            "int c = 0; again: W(1); c = 1; [[c++; W(c);]] if (N++ < 3) goto again;",
            "Made(c);",
        ),
    ];
    called(&cases);
}

#[test]
fn what_another_name_shares_or_a_copy_would_miss_is_refused() {
    let cases = [
        (
            "int v = 1; ref int r = ref v; [[W(v); v++;]] W(r);",
            "stands for `v`",
        ),
        (
            "Ct v = default; ref int r = ref v.N; [[W(v); v.Inc();]] W(r);",
            "stands for `v`",
        ),
        (
            "int v = 1; var s = new Span<int>(ref v); [[W(v); v++;]] W(s[0]);",
            "stands for `v`",
        ),
        (
            "Ct[] cs = [new Ct()]; ([[cs[0] ]]).Inc(); W(cs[0].N);",
            "copy",
        ),
        (
            "Ct[] cs = [new Ct()]; [[(cs[0])]].Inc(); W(cs[0].N);",
            "copy",
        ),
        (
            "int v = 1; H h = new(ref v); [[v++; W(v);]] W(h.R);",
            "stands for `v`",
        ),
        (
            "int v = 1; I h = new(v); [[v++; W(v);]] W(h.R);",
            "stands for `v`",
        ),
        (
            "int v = 1; var h = new I(v); [[v++; W(v);]] W(h.R);",
            "stands for `v`",
        ),
        (
            "int v = 1; ref readonly int r = ref Same(v); [[v++; W(v);]] W(r);",
            "stands for `v`",
        ),
        ("([[Sct]]).Inc(); W(Sct.N);", "copy"),
        ("[[Get()]].Inc(); W(Sct.N);", "copy"),
        ("byte b = 3; b += [[4]]; W(b);", "constant"),
        ("int n = 0; while ([[n++ < 3]]) { W(1); }", "used behind it"),
        (
            "int n = 0; foreach (var i in args) W([[n += 1]]);",
            "used behind it",
        ),
        (
            "int n = 0; for (int i = 0; i < 3; i++, [[n++]]) { W(n); }",
            "used behind it",
        ),
        (
            "int n = 0; foreach (var i in args) { try { [[n++; W(n);]] } catch { } }",
            "exception",
        ),
        (
            "int n = 0; try { [[n = 1; W(n);]] } finally { W(n); }",
            "exception",
        ),
        (
            "int n = 0; try { [[n = 1; W(n); return;]] } finally { W(n); }",
            "exception",
        ),
    ];
    let wrong = cases
        .iter()
        .filter_map(|(statements, reason)| match made(statements) {
            Err(found) if found.contains(reason) => None,
            found => Some(format!("{statements}: {found:?}")),
        });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn values_that_come_on_several_ways_are_known() {
    let cases = [
        (
            "int x; if (N > 0) { x = 1; } else { x = 2; } [[W(x); x = 7;]] W(x);",
            "x = Made(x);",
        ),
        (
            "int x; [[if (N > 0) x = 1; else x = 2;]] W(x);",
            "x = Made();",
        ),
        ("int x; [[Out(out x);]] W(x);", "x = Made();"),
        ("[[Out(out var x);]] W(x);", "var x = Made();"),
        (
            "int x; switch (N) { case 1: x = 1; break; default: x = 2; break; } [[W(x);]]",
            "Made(x);",
        ),
        (
            "int x; while (true) { x = N; if (x > 3) break; } [[W(x); x = 7;]] W(x);",
            "x = Made(x);",
        ),
        (
            "int x; if (Try(out x) && x > 0) { [[W(x); x = 3;]] W(x); }",
            "x = Made(x);",
        ),
        (
            "object o = args; if (o is not string s) return; [[W(s); s = null;]] W(s);",
            "s = Made(s);",
        ),
        (
            "int x; try { x = N; } catch { return; } [[W(x);]]",
            "Made(x);",
        ),
        (
            "int x; try { W(1); } finally { x = N; } [[W(x); x = 2;]] W(x);",
            "x = Made(x);",
        ),
        (
            "int x; var s = N switch { 1 => x = 1, _ => x = 2 }; [[W(x); x = 2;]] W(x + s);",
            "x = Made(x);",
        ),
    ];
    called(&cases);
}

#[test]
fn blocks_with_type_parameters_and_base_keep_their_code() {
    let block = "using System.Collections.Generic;\nstatic class E\n{\n    extension<T>(IEnumerable<T> source)\n    {\n        \
        public T Second(T other)\n        {\n            int k = 0;\n            foreach (var item in source) if ([[k == 1]]) return item;\n            \
        return other;\n        }\n    }\n}\n";
    let base = "class B { public virtual int Kind => 1; }\nclass D : B\n{\n    public override int Kind\n    {\n        get\n        {\n            \
        return [[base]].Kind;\n        }\n    }\n}\n";
    for (text, reason) in [(block, "extension block"), (base, "`base`")] {
        match extract(text, "Made").1 {
            Err(EditError::Refused { reason: found, .. }) => {
                assert!(found.contains(reason), "{found}")
            }
            other => panic!("{other:?}"),
        }
    }
}
