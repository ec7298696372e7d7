//! A rename is found to do the same whether only the side before it is read, the files that mention it are compared, or
//! all that may differ.

use cortex_edit::{EditError, Rename, Ways, prove_in_all_ways};
use cortex_wire::DoubtReason;

use crate::world::{Silent, World};

/// A program in which names decide in many ways.
const PROGRAM: &str = "\
//- /src/Core.cs
using System.Runtime.CompilerServices;
namespace Core;

public class Engine
{
    private int speed, slow = 2;
    private static int made;
    public Gear Gear { get; set; } = new Gear();
    public int Speed => speed;
    public Engine() { made++; speed = Engine.Made(); }
    private static int Made() => made;
    private int Twice() => speed * 2;
    private int Twice(int times) => Twice() * times;
    public int Run(int speed) => this.speed + speed + Twice(speed);
    public class Part { public int Size; }
    public class @event { }
}
public class Gear
{
    public static int Count;
    public int Teeth;
    public static Gear Make() => new();
}
public partial class Split { private int left; }
public static class Check
{
    public static void That(object value, [CallerArgumentExpression(\"value\")] string text = null) { }
    public static void Where([CallerMemberName] string member = null) { }
}
public class Checked
{
    public Checked() { Check.Where(); Check.That(new Checked()); Check.That(Gear.Count > 1); }
    public void Plain() { Check.That(1); Gear gear = null; Check.Where(); }
}
public class MarkAttribute : System.Attribute { }
public enum Color { Red, Green }
//- /src/Gears.cs
namespace Core;

public partial class Split
{
    /// <summary>See <see cref=\"Gear\"/> and <see cref=\"left\"/>.</summary>
    public int Sum() => left + Gear.Count;
}
[Mark]
public class Colored
{
    public Color Color { get; set; }
    public Gear Gear = Gear.Make();
    public Color Both() => Color == Color.Red ? Color.Green : Color;
#if NEVER
    public Gear Never;
    private int speed, slow = 2;
#endif
}
//- /src/Use.cs
using static Core.Engine;
using Wheel = Core.Gear;

namespace Other
{
    using Core;

    class Fast : Engine
    {
        private int speed = 3;
        public int Mine() { var part = new Part { Size = speed }; return part.Size; }
        public Wheel Wheels() => new Wheel { Teeth = Wheel.Count };
        public string Name() => nameof(Gear) + nameof(Engine.Speed);
    }
    class Inside
    {
        class Gear { }
        object Own() => new Gear();
        Core.Gear Outer() => new Core.Gear();
        \\u0047ear Escaped() => null;
    }
    record Pair(int First, Engine Second);
    static class More
    {
        private static int Add(this Engine engine, int more) => engine.Speed + more;
        public static int Use(Engine engine) { int local = engine.Add(1); return local + Own(local: local); }
        private static int Own(int local) => local;
    }
}
//- /src/Silent.cs
namespace Third
{
    class Quiet
    {
        int All() { var pair = new Other.Fast(); return pair.Mine() + new Part().Size; }
    }
}
//- /src/Global.cs
global using static Core.Engine;
";

const SYMBOLS: [&str; 22] = [
    "Core.Engine",
    "Checked",
    "Check",
    "Core.Gear",
    "Core.Engine.Part",
    "Split",
    "MarkAttribute",
    "Core.Color",
    "Colored",
    "Fast",
    "Inside",
    "Other.Inside.Gear",
    "Engine.speed",
    "Engine.made",
    "Engine.Made",
    "Split.left",
    "Fast.speed",
    "More.Add",
    "More.Own",
    "src/Core.cs:14:24",
    "src/Use.cs:26:64",
    "src/Use.cs:2:7",
];

const NAMES: [&str; 13] = [
    "Fresh",
    "Gear",
    "speed",
    "Speed",
    "Engine",
    "Part",
    "Color",
    "Own",
    "left",
    "Mark",
    "Core",
    "FreshAttribute",
    "local",
];

/// A type that is used where names mean something that no code writes.
const TRAPS: &str = "\
//- /src/Hue.cs
namespace Hues;

public enum Hue { Red, Green }
//- /src/Declared.cs
global using Ghost = System.Int32;

namespace Hues
{
    public class Basis { protected int Lone; protected class Inner { } }
    public interface IBasis { int Asked => 0; }
    public class Idle { }
}
namespace Hues.Hollow { class Nothing { } }
namespace Elsewhere { public class Distant { } public static class Bag { public static int Inside; } }
//- /src/Uses.cs
using System;
using static Elsewhere.Bag;
using static System.Math;

namespace Hues;

class Derived<TUnused> : Basis { int Get() => (int)Hue.Red; }
interface IDerived : IBasis { int Get() => (int)Hue.Red; }
class Failed : System.Exception { int Get() => (int)Hue.Red; }
class Own
{
    int Get() { int quiet = 0; return (int)Hue.Red; }
    void get_Much() { }
    Hue Much => Hue.Green;
}
";

/// Names that mean something where the type is used; the last ones do not.
const TRAP_NAMES: [(&str, bool); 16] = [
    ("Ghost", true),
    ("Lone", true),
    ("Inner", true),
    ("Asked", true),
    ("Idle", true),
    ("Hollow", true),
    ("Inside", true),
    ("Message", true),
    ("PI", true),
    ("Version", true),
    ("TUnused", true),
    ("quiet", true),
    ("Much", true),
    ("record", true),
    ("Distant", true),
    ("Fresh", false),
];

#[test]
fn a_name_that_means_something_is_not_new() {
    let world = World::new(TRAPS);
    for (to, is_trap) in TRAP_NAMES {
        let request = Rename {
            symbol: "Hues.Hue",
            to,
            keep_file: true,
            also: &[],
        };
        let ways = world.plan(|view| prove_in_all_ways(&[view], &request, &Silent));
        let is_new = ways.expect(to).is_some_and(|ways| ways.fresh.is_some());
        assert_eq!(is_new, !is_trap, "{to}");
    }
}

/// What the ways say of compiled code: whether a rename means other code does not depend on which files are compared.
trait OfCompiledCode {
    fn compiled(self) -> Self;
}

impl OfCompiledCode for Ways {
    fn compiled(mut self) -> Self {
        let proofs = self.fresh.iter_mut();
        for proof in proofs.chain([&mut self.short, &mut self.full]) {
            (proof.doubts).retain(|_, doubt| doubt.reason != DoubtReason::Inactive);
        }
        self
    }
}

#[test]
fn a_short_proof_says_what_the_full_one_says() {
    let world = World::new(PROGRAM);
    let (mut n_fresh, mut n_short, mut n_changed) = (0, 0, 0);
    let mut n_warned = 0;
    for symbol in SYMBOLS {
        for to in NAMES {
            for keep_file in [false, true] {
                if keep_file && to != "Fresh" {
                    continue;
                }
                let request = Rename {
                    symbol,
                    to,
                    keep_file,
                    also: &[],
                };
                let ways = world.plan(|view| prove_in_all_ways(&[view], &request, &Silent));
                let Ways { fresh, short, full } = match ways {
                    Ok(Some(ways)) => ways.compiled(),
                    Ok(None) => continue,
                    Err(EditError::NoChange { .. } | EditError::Refused { .. }) => continue,
                    Err(error) => panic!("{symbol} to {to}: {error}"),
                };
                let of = format!("{symbol} to {to}");
                assert_eq!(short.verdict(), full.verdict(), "{of}");
                assert_eq!(short.doubts, full.doubts, "{of}");
                assert_eq!(short.residue, full.residue, "{of}");
                assert_eq!(short.warnings, full.warnings, "{of}");
                for place in short.differences.keys() {
                    assert!(full.differences.contains_key(place), "{of}: {place:?}");
                }
                if let Some(fresh) = fresh {
                    assert_eq!(fresh.verdict(), full.verdict(), "{of}");
                    assert_eq!(fresh.differences, full.differences, "{of}");
                    assert_eq!(fresh.doubts, full.doubts, "{of}");
                    assert_eq!(fresh.warnings, full.warnings, "{of}");
                    n_fresh += 1;
                    n_warned += usize::from(!fresh.warnings.is_empty());
                }
                n_short += 1;
                n_changed += usize::from(!full.differences.is_empty());
            }
        }
    }
    assert!(n_fresh > 10, "only {n_fresh} names were new");
    assert!(n_warned > 1, "only {n_warned} passed texts were told");
    assert!(
        n_short > 100,
        "only {n_short} renames were proven in the short way"
    );
    assert!(n_changed > 20, "only {n_changed} renames changed meaning");
}
