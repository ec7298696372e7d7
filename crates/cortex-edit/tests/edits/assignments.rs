//! Variables that have no value where new code uses them.

use cortex_wire::EditVerdict;

use crate::world::verdict_of_new;

/// What a member that a class gets is told to be.
fn verdict(text: &str) -> EditVerdict {
    let fixture = "//- /A.cs\npublic class Open\n{\n}\n";
    verdict_of_new(fixture, ("Open", text), "may have no value")
}

/// Each is refused by the compiler.
#[test]
fn a_variable_has_a_value_on_all_ways_to_its_use() {
    for text in [
        "int N() { int x; return x; }",
        "int N(bool b) { int x; if (b) x = 1; return x; }",
        "int N(bool b) { int x; while (b) { x = 1; b = false; } return x; }",
        "int N(bool b) { int x; try { x = N(b); } catch { } return x; }",
        "string N(bool b) { string s; if (b && F(out s)) return null; return s; } bool F(out string s) { s = null; return true; }",
        "object N(object o) { if (o is string s || s == null) return s; return null; }",
        "void N() { int x; x++; }",
        "const bool A = true; int N(bool b) { int x; if (A && b) x = 1; return x; }",
        "static readonly bool A = true; int N() { int x; if (A) x = 1; return x; }",
        "const long Max = 10000000000; int N() { int x; if (Max < 6000000000) x = 1; return x; }",
        "const ulong Max = 0xFFFFFFFFFFFFFFFF; int N() { int x; if (Max < 1) x = 1; return x; }",
        "int N() { int x; if (10000000000 - 5000000000 == 0) x = 1; return x; }",
        "void N(out int x) { }",
        "void N(out int x, bool b) { if (b) return; x = 1; }",
        "void N(out int x) { int y = x; x = y; }",
        "int N { get { Open x; return x == null ? 1 : 2; } }",
        "Open(out string s) { }",
    ] {
        assert_eq!(verdict(text), EditVerdict::NotProven, "{text}");
    }
}

/// Each compiles.
#[test]
fn a_variable_that_has_a_value_on_all_ways_is_proven() {
    for text in [
        "int N() { int x; x = 1; return x; }",
        "int N(bool b) { int x; if (b) x = 1; else x = 2; return x; }",
        "int N(bool b) { int x; if (b) x = 1; else throw null; return x; }",
        "int N(bool b) { int x; while (true) { if (b) { x = 1; break; } } return x; }",
        "int N(bool b) { int x; try { x = N(b); } catch { throw; } return x; }",
        "int N(bool b) { int x; try { return 1; } finally { x = 1; } }",
        "int N(bool b) { int x; try { N(b); } finally { x = 1; } return x; }",
        "string N(object o) { if (!(o is string s)) return null; return s; }",
        "string N(object o) { return o is string s && s.Length > 1 ? s : null; }",
        "int N() { F(out int x); return x; } void F(out int x) { x = 1; }",
        "void N(out int x, bool b) { try { if (b) return; } finally { x = 1; } }",
        "void N(out int x) { throw null; }",
        "void N(out int x) { while (true) { } }",
        "int N(bool b) { int x; if (true || b) x = 1; return x; }",
        "int N(bool b) { int x; while (b || true) { x = 1; break; } return x; }",
        "const bool A = true; int N() { int x; if (A) x = 1; return x; }",
        "const bool A = false; int N(bool b) { int x; if (A && b) return x; return 1; }",
        "int N(int n) { int x; switch (n) { case 1: x = 1; break; default: x = 2; break; } return x; }",
        "int N(bool b) { int x; switch (b) { case true: x = 1; break; case false: x = 2; break; } return x; }",
        "int N() { int x; void F() { x = 1; } F(); return x; }",
        "int N() { Part p; p.A = 1; p.B = 2; return p.A; } struct Part { public int A; public int B; }",
        "const ulong Max = 0xFFFFFFFFFFFFFFFF; int N() { int x; if (Max > 1) x = 1; return x; }",
        "string N() { int x; return nameof(x); }",
        "int N(string s) { int x; return s?.Length is int n && F(out x) ? x : 0; } bool F(out int x) { x = 1; return true; }",
        "int N(int n) { int x; goto Set; Use: return x; Set: x = 1; goto Use; }",
    ] {
        assert_eq!(verdict(text), EditVerdict::Proven, "{text}");
    }
}
