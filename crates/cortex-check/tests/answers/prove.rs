//! What of a change is proven to keep what the code means, and what is left to read.

use cortex_check::{Repository, expect};
use proptest::prelude::*;

/// A small program: overloads, an extension method, an enum, fields that depend on each other, a struct, a partial type.
const PROGRAM: &str = "\
//- /Shapes.cs
using System;
namespace Shapes;
public interface IShape { double Area(int scale); }
public class Square : IShape
{
    private readonly double side;
    public Square(double side) { this.side = side; }
    public double Area(int scale) => side * side * scale;
    public double Area(long scale) => side * scale;
    public string Name => nameof(Square);
}
public enum Color { Red, Green, Blue }
public static class Settings
{
    public static int First = 1;
    public static int Second = First + 1;
    public static int Third() => Second;
}
public struct Pair { public int Left; public int Right; }
public partial class Parts { public int One() => 1; }
public partial class Parts { public int Two() => One() + One(); }
//- /Use.cs
namespace Shapes.Use;
public static class Totals
{
    public static double Total(this IShape shape) => shape.Area(1) + new Square(2).Area(2L);
    public static double Twice(IShape shape) => shape.Total() + Totals.Total(shape);
    public static Color Middle() => Color.Green;
}
";

#[track_caller]
fn edited(edits: &[(&str, &str)]) -> Repository {
    let mut after = PROGRAM.to_owned();
    for (old, new) in edits {
        assert!(after.contains(old), "{old}");
        after = after.replace(old, new);
    }
    Repository::history(&[PROGRAM, &after])
}

#[test]
fn a_rename_everywhere_is_proven_and_one_that_forgets_a_place_is_not() {
    edited(&[("Total(", "Sum(")]).check_prove(expect![[r#"
        proven Totals.Sum(this IShape) Renamed from Totals.Total(this IShape)
        proven Totals.Twice(IShape) Names
    "#]]);
    edited(&[("Square", "Quad")]).check_prove(expect![[r#"
        proven Quad Renamed from Square
        proven Quad.Quad(double) Names from Square.Square(double)
        proven Quad.Name Names from Square.Name
        proven Totals.Total(this IShape) Names
    "#]]);
    // A parameter, and only there.
    edited(&[(
        "Square(double side) { this.side = side; }",
        "Square(double edge) { this.side = edge; }",
    )])
    .check_prove(expect![[r#"
        proven Square.Square(double) Names
    "#]]);
    edited(&[("shape.Total() +", "shape.Sum() +")]).check_prove(expect![[r#"
        read Totals.Twice(IShape) Changed
    "#]]);
}

#[test]
fn layout_comments_usings_and_documentation_are_proven() {
    edited(&[
        ("using System;\n", "using System.Text;\nusing System;\n"),
        (
            "=> side * side * scale;",
            "=>\n        side // squared\n        * side * scale;",
        ),
        (
            "    public string Name",
            "    /// <summary>A name.</summary>\n    public string Name",
        ),
    ])
    .check_prove(expect![[r#"
        proven Square.Area(int) Layout
    "#]]);
}

#[test]
fn another_meaning_of_the_same_text_is_read() {
    // A member of the interface is better than the extension method, in a file that did not change.
    edited(&[(
        "{ double Area(int scale); }",
        "{ double Area(int scale); double Total() => 0; }",
    )])
    .check_prove(expect![[r#"
        read IShape.Total() Added
        elsewhere
          Use.cs:5 what the name means: Shapes.Use.Totals.Total(this IShape) -> Shapes.IShape.Total()
    "#]]);
    // In that file, the literal fits no longer exactly.
    edited(&[("public double Area(long scale) => side * scale;\n", "")]).check_prove(expect![[
        r#"
        read Square.Area(long) Removed
        elsewhere
          Use.cs:4 what the name means: Shapes.Square.Area(long) -> Shapes.Square.Area(int)
          Use.cs:4 what the expression is converted to: long = 2 -> int = 2
    "#
    ]]);
    // A using that brings another type of a name.
    let before = "
//- /A.cs
namespace N { public class T { public int V; } }
namespace M { public class T { public int V; } }
//- /B.cs
using N;
class User { int M(T t) => t.V; }
";
    Repository::edited(before, "using N;", "using M;").check_prove(expect![[r#"
        read User.M(T) MeansOtherwise
          B.cs:2 what the name means: N.T -> M.T
          B.cs:2 what the name means: N.T.V -> M.T.V
    "#]]);
}

#[test]
fn order_matters_where_it_does_something() {
    edited(&[("Red, Green, Blue", "Green, Red, Blue")]).check_prove(expect![[r#"
        read Color.Green Order
        read Color.Red Order
        elsewhere
          Use.cs:6 the type of the expression: Color = 1 -> Color = 0
    "#]]);
    edited(&[("Red, Green, Blue", "Red, Blue, Green, White")]).check_prove(expect![[r#"
        read Color.Blue Order
        read Color.Green Order
        read Color.White Added
        elsewhere
          Use.cs:6 the type of the expression: Color = 1 -> Color = 2
    "#]]);
    edited(&[(
        "    public static int First = 1;\n    public static int Second = First + 1;\n",
        "    public static int Second = First + 1;\n    public static int First = 1;\n",
    )])
    .check_prove(expect![[r#"
        read Settings.First Order
    "#]]);
    edited(&[(
        "public int Left; public int Right;",
        "public int Right; public int Left;",
    )])
    .check_prove(expect![[r#"
        read Pair.Left Order
    "#]]);
    edited(&[(
        "    public double Area(long scale) => side * scale;\n    public string Name => nameof(Square);\n",
        "    public string Name => nameof(Square);\n    public double Area(long scale) => side * scale;\n",
    )])
    .check_prove(expect![[r#"
        proven Square.Area(long) Reordered
    "#]]);
}

#[test]
fn what_moves_to_another_file_or_part_is_proven() {
    edited(&[
        ("public partial class Parts { public int One() => 1; }\n", ""),
        (
            "public partial class Parts { public int Two() => One() + One(); }\n",
            "public partial class Parts { public int Two() => One() + One(); public int One() => 1; }\n",
        ),
    ])
    .check_prove(expect![[r#""#]]);
    edited(&[("namespace Shapes.Use;", "namespace Shapes.Sums;")]).check_prove(expect![[r#"
        proven Shapes.Sums.Totals Moved from Shapes.Use.Totals
    "#]]);
    // Names through a namespace that is called otherwise mean the same, and through another one they do not.
    let before = "
//- /A.cs
namespace N.One { public class T { } }
namespace N.Two { public class T { } }
//- /B.cs
class User { N.One.T First; N.Two.T Second; }
";
    Repository::history(&[before, &before.replace("One", "Uno")]).check_prove(expect![[r#"
        proven N.Uno.T Moved from N.One.T
        proven User.First Names
    "#]]);
    Repository::edited(before, "N.One.T First", "N.Two.T First").check_prove(expect![[r#"
        read User.First MeansOtherwise
          B.cs:1 what the name means: N.One.T -> N.Two.T
    "#]]);
    let after = PROGRAM.replace("public enum Color { Red, Green, Blue }\n", "")
        + "//- /Color.cs\nnamespace Shapes;\npublic enum Color { Red, Green, Blue }\n";
    Repository::history(&[PROGRAM, &after]).check_prove(expect![[r#"
        not compared App.csproj
        proven Color Moved out of Shapes.cs
    "#]]);
}

#[test]
fn code_that_changes_is_read_and_the_rest_is_proven() {
    edited(&[
        ("side * side * scale", "side * scale * side * 1"),
        ("Total(", "Sum("),
    ])
    .check_prove(expect![[r#"
        read Square.Area(int) Changed
        proven Totals.Sum(this IShape) Renamed from Totals.Total(this IShape)
        proven Totals.Twice(IShape) Names
    "#]]);
    edited(&[("new Square(2)", "new Square(3)")]).check_prove(expect![[r#"
        read Totals.Total(this IShape) Changed
    "#]]);
    edited(&[("public class Square", "public sealed class Square")]).check_prove(expect![[r#"
        read Square Changed
    "#]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// White space between tokens never has to be read, and one digit always has.
    #[test]
    fn white_space_is_proven_and_a_digit_is_read(
        gaps in prop::collection::vec(0_usize..400, 1..6),
        digit in 0_usize..8,
    ) {
        let mut after = PROGRAM.to_owned();
        for gap in gaps {
            // Between two lines, or after a brace: no token is torn.
            let places: Vec<usize> = after.match_indices("; ").map(|(at, _)| at + 1).collect();
            after.insert_str(places[gap % places.len()], "\n\t/* x */ ");
        }
        let answer = Repository::history(&[PROGRAM, &after]).prove();
        prop_assert!(answer.is_proven, "{answer:#?}");

        let digits: Vec<usize> = (after.match_indices(|c: char| c.is_ascii_digit()))
            .map(|(at, _)| at)
            .collect();
        let at = digits[digit % digits.len()];
        let mut other = after.clone();
        other.replace_range(at..=at, "7");
        let answer = Repository::history(&[&after, &other]).prove();
        prop_assert_eq!(answer.to_read.len(), 1);
    }
}
