//! Code like a pattern that becomes other code.

use cortex_edit::{Edit, EditError, Rewrite, op::Op};
use cortex_wire::{EditVerdict, WarningReason};
use proptest::prelude::*;

use crate::world::World;

const AROUND: &str = "\
using System;
using System.Collections.Generic;
using System.Linq;
class Animal { }
class Dog : Animal { public int Age; }
static class Check
{
    public static void Same(object a, object b) { }
    public static void Null(object a) { }
    public static int Log(params object[] all) => 1;
    public static int Write(params object[] all) => 1;
}
class C
{
    int count;
    int Next() => count++;
    object M(int a, int b, string s, object o, List<int> xs, Dog dog, Animal animal, IEnumerable<int> many)
    {
        ";

/// A method around statements.
fn around(statements: &str) -> String {
    format!("{AROUND}{statements}\n        return null;\n    }}\n}}\n")
}

fn world(statements: &str) -> World {
    World::new(&format!("//- /A.cs\n{}", around(statements)))
}

fn planned(world: &World, pattern: &str, text: &str, conditions: &[&str]) -> Result<Op, EditError> {
    let conditions: Vec<String> = conditions.iter().map(|&it| it.to_owned()).collect();
    let request = Rewrite {
        pattern,
        replacement: text,
        conditions: &conditions,
        paths: &[],
    };
    world.one(&Edit::Rewrite(request))
}

#[test]
fn a_rewrite_names_no_file_that_stays_as_it_is() {
    let world = World::new(
        "//- /A.cs\nclass A { object a = typeof(A); }\n//- /B.cs\nclass B { object b = typeof(object); }\n",
    );
    let op = planned(&world, "typeof($T)", "typeof(object)", &[]).expect("it is planned");
    let patch = &op.answer.patch;
    assert!(patch.contains("A.cs") && !patch.contains("B.cs"), "{patch}");
}

/// The statements after a rewrite, which is applied and undone.
fn rewritten(statements: &str, [pattern, text]: [&str; 2], conditions: &[&str]) -> String {
    let world = world(statements);
    let op = planned(&world, pattern, text, conditions);
    let mut op = op.unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
    assert_ne!(
        op.answer.verdict,
        EditVerdict::ChangedMeaning,
        "{pattern}: {:#?} {}",
        op.answer.differences,
        op.answer.patch
    );
    let before = world.files();
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    let rest = after.strip_prefix(AROUND).expect("the rest stays");
    let end = rest.rfind("\n        return null;").expect("the end stays");
    rest[..end].to_owned()
}

fn refusal(statements: &str, [pattern, text]: [&str; 2], conditions: &[&str]) -> String {
    match planned(&world(statements), pattern, text, conditions) {
        Ok(op) => panic!("{pattern} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{pattern}: {error:?}"),
    }
}

/// Statements, the pattern with what takes its place, and the statements afterwards.
type Case = (&'static str, [&'static str; 2], &'static str);

fn check(cases: &[Case]) {
    for &(before, rule, after) in cases {
        assert_eq!(rewritten(before, rule, &[]), after, "{rule:?} in {before}");
    }
}

#[test]
fn arguments_go_where_the_new_code_has_them() {
    check(&[
        (
            "Check.Same(s, null);",
            ["Check.Same($a, null)", "Check.Null($a)"],
            "Check.Null(s);",
        ),
        (
            "Check.Same( s , o ) ;",
            ["Check.Same($a, $b)", "Check.Same($b, $a)"],
            "Check.Same(o, s) ;",
        ),
        (
            "Check.Log(a, b, s);",
            ["Check.Log($x, $$$rest)", "Check.Write($$$rest, $x)"],
            "Check.Write(b, s, a);",
        ),
        (
            "Check.Log(a);",
            ["Check.Log($x, $$$rest)", "Check.Write($$$rest, $x)"],
            "Check.Write(a);",
        ),
        (
            "Check.Log(a);",
            ["Check.Log($x, $$$rest)", "Check.Write($x, $$$rest)"],
            "Check.Write(a);",
        ),
        (
            "Check.Log();",
            ["Check.Log($$$all)", "Check.Write($$$all)"],
            "Check.Write();",
        ),
        // The same one twice, and any.
        (
            "var x = a == a; var y = a == b;",
            ["$x == $x", "true"],
            "var x = true; var y = a == b;",
        ),
        (
            "Check.Log(a, b);",
            ["Check.Log($_, $_)", "Check.Write()"],
            "Check.Write();",
        ),
    ]);
}

#[test]
fn parentheses_are_written_where_they_are_needed() {
    check(&[
        (
            "var x = (a + b).ToString();",
            ["($x).ToString()", "Check.Log($x).ToString()"],
            "var x = Check.Log(a + b).ToString();",
        ),
        (
            "var x = Math.Abs(a + b);",
            ["Math.Abs($x)", "$x * 2"],
            "var x = (a + b) * 2;",
        ),
        (
            "var x = Math.Abs(a) + b;",
            ["Math.Abs($x)", "$x * 2"],
            "var x = a * 2 + b;",
        ),
        (
            "var x = b * Math.Abs(a);",
            ["Math.Abs($x)", "$x + 2"],
            "var x = b * (a + 2);",
        ),
        (
            "var x = Math.Abs(a).ToString();",
            ["Math.Abs($x)", "-$x"],
            "var x = (-a).ToString();",
        ),
        (
            "var x = -Math.Abs(a);",
            ["Math.Abs($x)", "-$x"],
            "var x = -(-a);",
        ),
        (
            "var x = Math.Abs(-a);",
            ["Math.Abs($x)", "-$x"],
            "var x = -(-a);",
        ),
        (
            "if (o == null && a > 1) { }",
            ["$x == null", "$x is null"],
            "if (o is null && a > 1) { }",
        ),
        (
            "var x = !(o == null);",
            ["!($x == null)", "$x is not null"],
            "var x = o is not null;",
        ),
        (
            "var x = s.Length > a ? a : b;",
            ["$c ? $x : $y", "Check.Log($c, $x, $y)"],
            "var x = Check.Log(s.Length > a, a, b);",
        ),
    ]);
}

#[test]
fn names_lambdas_types_and_code_in_code_are_rewritten() {
    check(&[
        (
            "Check.Same(Check.Log(Check.Log(a)), null);",
            ["Check.Log($x)", "Check.Write($x)"],
            "Check.Same(Check.Write(Check.Write(a)), null);",
        ),
        (
            "Check.Log(a + Check.Log(b), Check.Log(s));",
            ["Check.Log($$$x)", "Check.Write($$$x)"],
            "Check.Write(a + Check.Write(b), Check.Write(s));",
        ),
        (
            "var x = a - b - 1;",
            ["$x - $y", "$y + $x"],
            "var x = 1 + (b + a);",
        ),
        (
            "Func<int, int> f = n => n + 1;",
            ["$p => $p + 1", "$p => 1 + $p"],
            "Func<int, int> f = n => 1 + n;",
        ),
        (
            "var x = new List<string>();",
            ["new List<$T>()", "new HashSet<$T>()"],
            "var x = new HashSet<string>();",
        ),
        (
            "var x = new List<int> { 1, 2, };",
            ["new List<$T> { $$$all }", "new[] { $$$all }"],
            "var x = new[] { 1, 2 };",
        ),
        (
            "var x = o as string;",
            ["$x as $T", "($T)$x"],
            "var x = (string)o;",
        ),
        (
            "var x = s?.Length;",
            ["$x?.Length", "$x?.Count()"],
            "var x = s?.Count();",
        ),
    ]);
}

#[test]
fn statements_are_rewritten() {
    check(&[
        (
            "if (a > b) { Next(); Next(); }",
            ["if ($c) { $$$body }", "while ($c) { $$$body }"],
            "while (a > b) { Next(); Next(); }",
        ),
        (
            "Check.Null(o);\n        Check.Log(s);",
            ["Check.Null($x);", ""],
            "Check.Log(s);",
        ),
        (
            "var x = a;\n        Check.Log(x);",
            ["var $v = $x; Check.Log($v);", "Check.Write($x);"],
            "Check.Write(a);",
        ),
        (
            "Check.Log(a);",
            ["Check.Log($x);", "if ($x > 1)\n{\n    Check.Write($x);\n}"],
            "if (a > 1)\n        {\n            Check.Write(a);\n        }",
        ),
        // A string is as it is written.
        (
            "Check.Log(\"costs $x\", 1);",
            ["Check.Log(\"costs $x\", $y)", "Check.Write($y)"],
            "Check.Write(1);",
        ),
        (
            "var x = $\"{Check.Log(a)} and {b + 1}\";",
            ["Check.Log($x)", "Check.Write($x)"],
            "var x = $\"{Check.Write(a)} and {b + 1}\";",
        ),
    ]);
}

#[test]
fn conditions_ask_for_types_and_symbols() {
    let before = "var x = xs.Count() + many.Count();\n        Check.Log(dog, animal, o, s);";
    let count = ["$x.Count()", "$x.Count"];
    let cases: [(&[&str], &str); 4] = [
        (
            &["x: System.Collections.Generic.List"],
            "var x = xs.Count + many.Count();\n        Check.Log(dog, animal, o, s);",
        ),
        (
            &["$x: ICollection<int>"],
            "var x = xs.Count + many.Count();\n        Check.Log(dog, animal, o, s);",
        ),
        (
            &["x: List<int>", "Count: System.Linq.Enumerable.Count"],
            "var x = xs.Count + many.Count();\n        Check.Log(dog, animal, o, s);",
        ),
        (
            &["x: List<int>", "Count: Enumerable.Count"],
            "var x = xs.Count + many.Count();\n        Check.Log(dog, animal, o, s);",
        ),
    ];
    for (conditions, after) in cases {
        assert_eq!(
            rewritten(before, count, conditions),
            after,
            "{conditions:?}"
        );
    }
    let all = rewritten(before, ["$x.Count()", "$x.Sum()"], &["x: IEnumerable"]);
    assert_eq!(
        all,
        "var x = xs.Sum() + many.Sum();\n        Check.Log(dog, animal, o, s);"
    );
    assert_eq!(
        rewritten(
            "Check.Null(dog); Check.Null(animal); Check.Null(o);",
            ["Check.Null($x)", "Check.Log($x)"],
            &["x: Animal"]
        ),
        "Check.Log(dog); Check.Log(animal); Check.Null(o);"
    );
    let none = refusal(before, count, &["Count: Animal.Count"]);
    assert_eq!(none, "2 places are like it, and none as its conditions ask");
    let unknown = refusal(
        "Check.Null(missing);",
        ["Check.Null($x)", "Check.Log($x)"],
        &["x: Dog"],
    );
    assert_eq!(
        unknown,
        "one place is like it, and the types there are not known"
    );
}

#[test]
fn what_cannot_be_read_or_is_nowhere_is_refused() {
    let cases = [
        (
            "Foo($x",
            "Foo($x)",
            "the pattern: `Foo($x` is neither an expression nor statements",
        ),
        (
            "Foo($x)",
            "Foo($y)",
            "the replacement: `$y` is not in the pattern",
        ),
        (
            "Foo($$$x)",
            "Foo($x)",
            "the replacement: `$x` is not in the pattern",
        ),
        (
            "Foo($x);",
            "Bar($x)",
            "the replacement: the pattern is a statement, and this is an expression: a `;` may be missing",
        ),
        (
            "Foo($x)",
            "Bar($x);",
            "the replacement: the pattern is an expression, and this is none",
        ),
        ("$x", "1", "the pattern: all code is like it"),
        ("", "1", "the pattern: all code is like it"),
        ("Foo($x)", "Bar($x)", "no code is like it"),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(
            refusal("Next();", [pattern, text], &[]),
            expected,
            "{pattern}"
        );
    }
}

#[test]
fn what_is_left_or_evaluated_otherwise_is_listed() {
    let cases = [
        (
            "Check.Log(Next());",
            ["Check.Log($x)", "Check.Write()"],
            WarningReason::NotEvaluated,
        ),
        (
            "Check.Log(Next());",
            ["Check.Log($x)", "Check.Write($x, $x)"],
            WarningReason::EvaluatedAgain,
        ),
        (
            "Check.Log(Next(), Next());",
            ["Check.Log($x, $y)", "Check.Write($y, $x)"],
            WarningReason::OtherOrder,
        ),
        (
            "Check.Log(a, /* b */ b); Check.Log(a, s);",
            ["Check.Log($x, $y)", "Check.Write($x, $y)"],
            WarningReason::HasComment,
        ),
        (
            "Check.Log(a);",
            ["Check.Log($x)", "Check.Log(Check.Log($x))"],
            WarningReason::MatchesAgain,
        ),
        (
            "var x = $\"{Check.Log(a)}\"; Check.Log(b);",
            ["Check.Log($x)", "Check.Write($x, \"\")"],
            WarningReason::InString,
        ),
    ];
    for (before, [pattern, text], reason) in cases {
        let op = planned(&world(before), pattern, text, &[]).expect("it is planned");
        let all: Vec<WarningReason> = op.answer.warnings.iter().map(|it| it.reason).collect();
        assert_eq!(all, [reason], "{pattern} in {before}: {}", op.answer.patch);
        assert_eq!(
            op.answer.warnings[0].line,
            AROUND.matches('\n').count() as u32 + 1
        );
    }
    let quiet = planned(
        &world("Check.Log(a, b);"),
        "Check.Log($x, $y)",
        "Check.Write($y, $x)",
        &[],
    );
    assert!(quiet.expect("it is planned").answer.warnings.is_empty());
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b", "1", "count", "Next()"]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("{x} + {y}")),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("({x}) * {y}")),
            inner.clone().prop_map(|x| format!("Check.Log({x})")),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("Check.Log({x}, {y})")),
            inner.prop_map(|x| format!("-({x})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Twice is once, and there and back is the identity.
    #[test]
    fn a_rewrite_leaves_nothing_to_rewrite(code in expression()) {
        let statement = format!("var x = {code};");
        let world = world(&statement);
        let Ok(mut op) = planned(&world, "Check.Log($$$x)", "Check.Write($$$x)", &[]) else {
            prop_assert!(!code.contains("Check.Log"));
            return Ok(());
        };
        prop_assert!(op.answer.warnings.is_empty(), "{:?}", op.answer.warnings);
        let before = world.files();
        world.apply(&mut op).expect("it can be applied");
        let again = planned(&world, "Check.Log($$$x)", "Check.Write($$$x)", &[]);
        prop_assert!(again.is_err());
        let mut back = planned(&world, "Check.Write($$$x)", "Check.Log($$$x)", &[]).expect("it is planned");
        world.apply(&mut back).expect("it can be applied");
        prop_assert_eq!(world.files(), before);
    }
}
