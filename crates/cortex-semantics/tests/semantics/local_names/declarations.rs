//! Names of parts of declarations, aliases and namespaces.

use super::check::check_names;

#[test]
fn primary_constructors_and_their_parameters() {
    check_names(
        "class B(int b#1) { protected int Z = b#1; }
class C(int x#2, string y#3) : B(x#2) { int F = x#2; string M() => y#3; }
record R(int N#4) { int Half => N / 2; }
class D { R M() => new R(N#4: 1); }",
    );
}

#[test]
fn type_parameters_in_headers_and_bodies() {
    check_names(
        "interface I<out T#1> where T#1 : class { T#1 Get<U#2>(U#2 u#3) where U#2 : T#1; }
partial class C<K#4> { K#4 F; class N { K#4 G; } }
partial class C<K#4> where K#4 : new() { string M<V#5>() => nameof(K#4) + typeof(V#5) + new K#4(); }
delegate A#6 D<A#6>(A#6 a#7);",
    );
}

#[test]
fn an_extension_block_has_one_receiver() {
    check_names(
        "static class X {
    extension<T#1>(T#1 self#2) where T#1 : class {
        public T#1 First() => self#2;
        public T#1 Second<U#3>(U#3 u#4) => self#2;
    }
}",
    );
}

#[test]
fn documentation_names_parameters() {
    check_names(
        "class C<T#1> {
    /// <summary>Uses <paramref name=\"size#2\"/>, <typeparamref name=\"U#3\"/> and <typeparamref name=\"T#1\"/>.</summary>
    /// <param name=\"size#2\">One.</param>
    /// <typeparam name=\"U#3\">Two.</typeparam>
    void M<U#3>(int size#2) { }
}",
    );
}

#[test]
fn aliases_and_namespaces() {
    check_names(
        "using System#1;
using Text#2 = System#1.Text#3;
using Map#4 = System#1.Collections#5.Generic#6.Dictionary<int, int>;
namespace A#7.B#8 {
    class D { }
}
namespace A#7 {
    class C {
        Map#4 F = new Map#4();
        A#7.B#8.D G = new B#8.D();
        Text#2.StringBuilder H = new Text#2::StringBuilder();
        global::A#7.C I;
        int J = System#1.Math.Abs(1);
        /// <see cref=\"A#7.B#8.D\"/>
        int K;
    }
}",
    );
}

#[test]
fn attributes_may_name_parameters() {
    check_names(
        "class A : System#1.Attribute { public A(string s#2) { } }
class C { [A(nameof(x#3))] void M([A(nameof(x#3))] int x#3) { } }",
    );
}
