//! Names in bodies.

use super::check::check_names;

#[test]
fn locals_of_every_statement() {
    check_names(
        "using System#1;
class C { void M(object o#2, int[] a#3) {
    int b#4 = 1, c#5 = b#4;
    const int d#6 = 2;
    for (int i#7 = d#6; i#7 < c#5; i#7++) { }
    foreach (var e#8 in a#3) { b#4 = e#8; }
    using (var f#9 = (IDisposable)o#2) { f#9.Dispose(); }
    using var g#10 = (IDisposable)o#2;
    try { g#10.Dispose(); } catch (Exception h#11) when (h#11 != null) { throw h#11; }
    var (k#12, l#13) = (1, 2);
    (k#12, var m#14) = (l#13, 3);
    int.TryParse(\"1\", out var n#15);
    b#4 = m#14 + n#15;
    unsafe { fixed (int* p#16 = a#3) { *p#16 = 1; } }
} }",
    );
}

#[test]
fn variables_of_patterns() {
    check_names(
        "class A { public int Size; public A Next; public void Deconstruct(out int x#1, out int y#2) { x#1 = y#2 = 0; } }
class C {
    int M(object o#3) => o#3 switch {
        A { Size: var s#4, Next: { } n#5 } a#6 when s#4 > 1 => a#6.Size + n#5.Size,
        (int x#7, var y#8) => x#7 + y#8,
        int[] and [var first#9, .., var last#10] => first#9 + last#10,
        _ => 0,
    };
    bool N(object o#11) { if (o#11 is not A b#12) return false; return b#12.Size > 1; }
    void S(object o#13) { switch (o#13) { case A a#14: a#14.Size = 1; break; case int[] a#15: a#15[0] = 1; break; } }
}",
    );
}

#[test]
fn variables_of_a_constructor_initializer_are_in_scope_in_the_body() {
    check_names(
        "class B { public B(out int n#1) { n#1 = 1; } public B(bool b#2) { } }
        class C : B { int k;
        C() : base(out var n#3) { k = n#3; Func<int> f#4 = () => n#3; }
        C(object o#5) : base(o#5 is int x#6 && x#6 > 1) => k = x#6;
        }",
    );
}

#[test]
fn names_that_are_written_in_another_way_are_the_same() {
    check_names(
        "class C { int M(int @class#1) { var n\\u0061me#2 = @class#1; return @name#2 + cl\\u0061ss#1; } }",
    );
}

#[test]
fn a_lambda_that_is_tried_often_records_its_last_binding() {
    check_names(
        "using System#1;
class C {
    void M(Func<int, int> f#2) { } void M(Func<string, string> f#3) { } void M(Action<int> f#4) { }
    void N(int outer#5) {
        M(x#6 => { var y#7 = x#6; return y#7.Length + outer#5; });
        M((string x#8) => { string F#9(string z#10) => x#8 + z#10; return F#9(x#8); });
        Func<int, Func<int, int>> g#11 = a#12 => b#13 => a#12 + b#13 + outer#5;
        M(delegate (int d#14) { outer#5 = d#14; });
    }
}",
    );
}

#[test]
fn local_functions_have_parameters_and_type_parameters() {
    check_names(
        "class C { int M() {
    return F#1<int>(v#2: 1);
    static T#3 F#1<T#3>(T#3 v#2) where T#3 : struct => G#4(v#2);
    static U#5 G#4<U#5>(U#5 u#6) => u#6;
} }",
    );
}

#[test]
fn variables_of_queries() {
    check_names(
        "using System#1.Linq#2;
class C { object M(int[] a#3, int[] b#4) =>
    from x#5 in a#3
    let y#6 = x#5 + 1
    from z#7 in b#4
    join w#8 in b#4 on x#5 equals w#8 into g#9
    where x#5 > y#6
    orderby z#7
    select g#9.Count() + z#7 into r#10
    group r#10 by r#10; }",
    );
}

#[test]
fn labels_belong_to_their_blocks() {
    check_names(
        "class C { void M(int n#1) {
    again#2: n#1++;
    if (n#1 < 5) goto again#2;
    { inner#3: if (n#1 < 6) goto inner#3; }
    { inner#4: goto inner#4; }
    void F#5() { again#6: goto again#6; }
    switch (n#1) { case 1: goto case 2; case 2: goto out1#7; out1#7: break; }
} }",
    );
}

#[test]
fn named_arguments_bind_to_parameters() {
    check_names(
        "using System#1;
class A : Attribute { public A(int size#2) { } }
delegate int D(int d#3);
class C {
    C(int c#4) : this(text#5: \"\", c#6: c#4) { }
    C(int c#6, string text#5) { }
    int this[int i#7] => i#7;
    [A(size#2: 1)] static int M(int x#8, D f#9) => M(f#9: f#9, x#8: f#9(d#3: 1)) + new C(c#4: 1)[i#7: 1];
    static int N(int a#10) => 0; static int N(string a#11) => N(a#11: \"\") + N(a#10: 1);
}",
    );
}
