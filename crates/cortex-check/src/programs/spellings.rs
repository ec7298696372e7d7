//! Symbols that can be written in several ways, some on one line.

use super::PROJECT;

/// The text of a file.
pub const PROGRAM: &str = "namespace N;
public class Uses { public void First() { } public void Second<T>(T one) { } ~Uses() { }
    public static Uses operator +(Uses a, Uses b) => a;
    public static implicit operator int(Uses uses) => 1;
    public static implicit operator long(Uses uses) => 1;
    public string this[int at] => \"\";
    public int[] Arrays(int[,] one, int[][] other, ref int last) => null;
}
public class Plain { }
public record Made(int Value);
public struct Bare { public event System.Action Raised; }
public delegate int Del(string text);
public abstract class Base { public abstract void Act(); }
public class Derived<T> : Base { public override void Act() { } public class Inner<U> { public T Of(U one) => default; } }
public enum Kind { One, Two }
";

/// The files.
pub const FILES: &[(&str, &str)] = &[("App/App.csproj", PROJECT), ("App/A.cs", PROGRAM)];
