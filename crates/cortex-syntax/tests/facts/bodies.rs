//! Body trees of every construct of the language, as code and what is read off it.

use cortex_syntax::{ParseOptions, Sections, decode_facts, encode_facts, extract};
use insta::assert_snapshot;

use crate::{identifiers, print::print};

/// The trees of a file. Each is checked for the laws that hold for any.
#[track_caller]
fn file(text: &str) -> String {
    let facts = extract(text.as_bytes(), &ParseOptions::default());
    let read = decode_facts(&encode_facts(&facts), Sections::Bodies).expect("it was just encoded");
    assert_eq!(read, facts, "{text}");
    let written = identifiers::written(text.as_bytes());
    assert_eq!(written, Some(identifiers::named(&facts)), "{text}");
    print(&facts).trim_end().to_owned()
}

/// The trees of the statements of a method, one a line.
#[track_caller]
pub(crate) fn body(statements: &str) -> String {
    let text = format!("class C {{ void M() {{ {statements} }} }}");
    let facts = extract(text.as_bytes(), &ParseOptions::default());
    file(&text);
    let bodies = &facts.bodies;
    let root = bodies.roots().next().expect("the method has a body");
    let block = root + 2;
    let lines = bodies
        .children(block)
        .map(|id| crate::print::node(&facts, id));
    lines.collect::<Vec<_>>().join("\n")
}

/// The trees of expressions, one a line.
#[track_caller]
pub(crate) fn exprs(expressions: &[&str]) -> String {
    let statements: String = expressions.iter().map(|e| format!("x = {e}; ")).collect();
    let all = body(&statements);
    let lines = all.lines().map(|line| {
        let inner = line.strip_prefix("ExpressionStatement(Assignment =(x ");
        let inner = inner.and_then(|rest| rest.strip_suffix("))"));
        inner.unwrap_or(line).to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn depth_costs_no_stack() {
    const DEPTH: usize = 20_000;
    for (open, part, close) in [
        ("x = a", " + a", ""),
        ("x = a", ".b(c)", ""),
        ("x = a", "?.b", ""),
        ("x = ", "(", "a"),
        ("x = ", "a ? b : ", "c"),
        ("x = ", "a = ", "b"),
        ("x = ", "- ", "a"),
        ("x = ", "(a) - ", "b"),
        ("", "if (a) b(); else ", "c()"),
        ("", "{ ", "c()"),
        ("x = ", "a => ", "b"),
        ("x = b is a", " or a", ""),
        ("x = a", "; x = (T)b.C<D>(e)", ""),
        ("x = new A<B>(c) { d }", ".E(new A<B, C>(d) { e })", ""),
        ("x = a", " < a", ""),
        ("x = ", "(T)o.H<A>(", "b"),
    ] {
        let end = match part {
            part if part.ends_with('(') => ")".repeat(DEPTH),
            _ => String::new(),
        };
        let block = match part {
            "{ " => "}".repeat(DEPTH),
            _ => String::new(),
        };
        let statement = format!("{open}{}{close}{end};{block}", part.repeat(DEPTH));
        let text = format!("class C {{ void M() {{ {statement} }} }}");
        let facts = extract(text.as_bytes(), &ParseOptions::default());
        let encoded = encode_facts(&facts);
        let read = decode_facts(&encoded, Sections::Bodies).expect("it was just encoded");
        assert!(read == facts, "{part}");
        assert!(facts.bodies.nodes.len() > DEPTH, "{part}");
    }
}

#[test]
fn declarations_with_their_parts() {
    assert_snapshot!(file(r#"[assembly: A(1, X = 2, y: 3)]
[A.B<int>("s"), C] class D(int x) : B<int>(x) {
  [field: E(typeof(int))] int P { [F] get; [G] set { } } = 3;
  [return: H] int M<[I] T>([J(1)] int x = 2, params int[] y) where T : struct => x;
  int this[int i = 1] => i;
  event A E1 = x, E2;
  event A E3 { add { } remove => y(); }
  [K] int a = 1, b = 2;
  fixed int c[N];
  D() : base(1) { }
  D(int y) : this() => x = y;
  ~D() { }
  delegate int F(int x = 1);
  int Q { get => field; init { field = value; } }
}
record R([A] int X, int Y = 3) : B(X, y: 2), I;
enum E : byte { [A] X = 1, Y = X << 1, Z }
interface I { void None(); }"#), @r"
    assembly: Attribute(A Arguments(Argument(Int=1) MemberInit(X Int=2) Argument y(Int=3)))
    D: Attribute(MemberAccess(A GenericName B(’int)) Arguments(Argument(String))) Attribute(C) BaseArguments:2(Arguments(Argument(x)))
    P: Attribute(E Arguments(Argument(TypeOf(’int)))) Attribute(F) Attribute(G) Accessor=1(Block) Initializer(Int=3)
    M: Attribute(H) Attribute(I) Attribute(J Arguments(Argument(Int=1))) ParameterDefault=0(Int=2) Body(x)
    this: ParameterDefault=0(Int=1) Body(i)
    E1: Initializer(x)
    E3: Accessor=0(Block) Accessor=1(Invocation(y Arguments))
    a: Attribute(K) Initializer(Int=1)
    b: Initializer(Int=2)
    c: Initializer(OtherExpression(N))
    D: BaseArguments(Arguments(Argument(Int=1))) Body(Block)
    D: BaseArguments:1(Arguments) Body(Assignment =(x y))
    D: Body(Block)
    F: ParameterDefault=0(Int=1)
    Q: Accessor=0(field) Accessor=1(Block(ExpressionStatement(Assignment =(field value))))
    R: Attribute(A) ParameterDefault=1(Int=3) BaseArguments:2(Arguments(Argument(X) Argument y(Int=2)))
    X: Attribute(A) Initializer(Int=1)
    Y: Initializer(Binary <<(X Int=1))
    ");
}

#[test]
fn operators_and_extension_blocks() {
    assert_snapshot!(file("struct S { public void operator +=(int x) { y = x; } public static implicit operator int(S s) => s.x; }
static class X { extension<T>(List<T> s) { int L => s.Length; } extension(int) { static int Z => 1; } }"), @r"
    +=: Body(Block(ExpressionStatement(Assignment =(y x))))
    implicit: Body(MemberAccess(s x))
    L: Body(MemberAccess(s Length))
    Z: Body(Int=1)
    ");
}

#[test]
fn top_level_statements() {
    assert_snapshot!(file("using System;
int x = 1; void L() { x++; } class C { int y = 2; } Console.WriteLine(x); return L();"), @r"
    Program: Body(LocalDeclaration(’int Declarator x(Int=1)) LocalFunction L(’void Block(ExpressionStatement(Postfix ++(x)))) ExpressionStatement(Invocation(MemberAccess(Console WriteLine) Arguments(Argument(x)))) Return(Invocation(L Arguments)))
    y: Initializer(Int=2)
    ");
}

#[test]
fn local_declarations() {
    assert_snapshot!(body("int x, y = 1; var q = 1; A.B<C> w = null; const int a = 1; using var u = f; await using var v = g; ref int r = ref b; ref readonly var s = ref c; scoped Span<int> z; int[][,] m; (int a, string) t; delegate*<int, ref int, void> f; int*[]? p; List<nint> o; a::B b;"), @r"
    LocalDeclaration(’int Declarator x Declarator y(Int=1))
    LocalDeclaration(var Declarator q(Int=1))
    LocalDeclaration(MemberAccess(A GenericName B(C)) Declarator w(Null))
    LocalDeclaration:1(’int Declarator a(Int=1))
    LocalDeclaration:2(var Declarator u(f))
    LocalDeclaration:6(var Declarator v(g))
    LocalDeclaration(RefType:1(’int) Declarator r(RefExpression(b)))
    LocalDeclaration(RefType:4(var) Declarator s(RefExpression(c)))
    LocalDeclaration(GenericName Span(’int) Declarator z)
    LocalDeclaration(ArrayType=1(ArrayType=2(’int)) Declarator m)
    LocalDeclaration(TupleType(TupleElement a(’int) TupleElement(’string)) Declarator t)
    LocalDeclaration(FunctionPointerType(’int RefType:1(’int) ’void) Declarator f)
    LocalDeclaration(NullableType(ArrayType=1(PointerType(’int))) Declarator p)
    LocalDeclaration(GenericName List(nint) Declarator o)
    LocalDeclaration(AliasQualified(a B) Declarator b)
    ");
}

#[test]
fn deconstructions() {
    assert_snapshot!(body("var (a, (b, _)) = e; (var (c, d), int f) = e; (g, h.i) = e; foreach (var (j, k) in e) { } foreach ((int l, var m) in e) { } for (var (n, o) = e; ;) { }"), @r"
    ExpressionStatement(Assignment =(DeclarationExpression(var ParenthesizedDesignation(SingleDesignation a ParenthesizedDesignation(SingleDesignation b DiscardDesignation))) e))
    ExpressionStatement(Assignment =(Tuple(Argument(DeclarationExpression(var ParenthesizedDesignation(SingleDesignation c SingleDesignation d))) Argument(DeclarationExpression(’int SingleDesignation f))) e))
    ExpressionStatement(Assignment =(Tuple(Argument(g) Argument(MemberAccess(h i))) e))
    ForEachDeconstruct(DeclarationExpression(var ParenthesizedDesignation(SingleDesignation j SingleDesignation k)) e Block)
    ForEachDeconstruct(Tuple(Argument(DeclarationExpression(’int SingleDesignation l)) Argument(DeclarationExpression(var SingleDesignation m))) e Block)
    For(ForInit(Assignment =(DeclarationExpression(var ParenthesizedDesignation(SingleDesignation n SingleDesignation o)) e)) ForCondition ForStep Block)
    ");
}

#[test]
fn branches_and_loops() {
    assert_snapshot!(body("if (a) b(); else if (c) d(); else { } while (a) continue; do { } while (b); for (int i = 0, j = 1; i < j; i++, j--) ; for (i = 0, F();;) { } foreach (T x in y) { } await foreach (ref var x in y) { }"), @r"
    If(a ExpressionStatement(Invocation(b Arguments)) If(c ExpressionStatement(Invocation(d Arguments)) Block))
    While(a Empty)
    Do(Block b)
    For(ForInit(LocalDeclaration(’int Declarator i(Int=0) Declarator j(Int=1))) ForCondition(Binary <(i j)) ForStep(Postfix ++(i) Postfix --(j)) Empty)
    For(ForInit(Assignment =(i Int=0) Invocation(F Arguments)) ForCondition ForStep Block)
    ForEach(T Declarator x y Block)
    ForEach:4(RefType:1(var) Declarator x y Block)
    ");
}

#[test]
fn jumps_and_labels() {
    assert_snapshot!(body("a: b(); goto a; goto case 1; goto default; return; return x; throw; throw e; yield return x; yield break; break;"), @r"
    Wrapped(ExpressionStatement(Invocation(b Arguments)))
    Empty
    GotoCase(Int=1)
    Empty
    Return
    Return(x)
    Throw
    Throw(e)
    Yield(x)
    Empty
    Empty
    ");
}

#[test]
fn resources_and_locks() {
    assert_snapshot!(body("using (var x = f) using (g) { } await using (var y = z) { } fixed (int* p = &a[0], q = b) { } lock (x) y(); checked { } unsafe { } unchecked { x(); }"), @r"
    Using(LocalDeclaration(var Declarator x(f)) Using(g Block))
    Using:4(LocalDeclaration(var Declarator y(z)) Block)
    Fixed(LocalDeclaration(PointerType(’int) Declarator p(Unary &p(ElementAccess(a Arguments(Argument(Int=0))))) Declarator q(b)) Block)
    Lock(x ExpressionStatement(Invocation(y Arguments)))
    Wrapped:1(Block)
    Wrapped(Block)
    Wrapped:2(Block(ExpressionStatement(Invocation(x Arguments))))
    ");
}

#[test]
fn tries() {
    assert_snapshot!(body("try { } catch (E e) when (e.x) { } catch (E) { } catch when (y) { } catch { a(); } finally { b(); }"), @"Try(Block Catch(E Declarator e When(MemberAccess(e x)) Block) Catch(E Block) Catch(When(y) Block) Catch(Block(ExpressionStatement(Invocation(a Arguments)))) Finally(Block(ExpressionStatement(Invocation(b Arguments)))))");
}

#[test]
fn switch_statements() {
    assert_snapshot!(body(r#"switch (a) { case 1: case A.B when c: default: break; case int x: return; case A<int>: case A[] or B?: break; case (1, _): case P(1, n: var y): case nameof(z): case (Q): case "a" + "b": F(); break; case _: break; } switch (a, b) { }"#), @r"
    Switch(a Section(CaseLabel(ConstantPattern(Int=1)) CaseLabel(ConstantPattern(MemberAccess(A B)) When(c)) Empty) Section(CaseLabel(DeclarationPattern(’int SingleDesignation x)) Return) Section(CaseLabel(TypePattern(GenericName A(’int))) CaseLabel(BinaryPattern:1(TypePattern(ArrayType=1(A)) TypePattern(NullableType(B)))) Empty) Section(CaseLabel(RecursivePattern(PositionalClause(Subpattern(ConstantPattern(Int=1)) Subpattern(DiscardPattern)))) CaseLabel(RecursivePattern(P PositionalClause(Subpattern(ConstantPattern(Int=1)) Subpattern(n VarPattern(SingleDesignation y))))) CaseLabel(ConstantPattern(Invocation(nameof Arguments(Argument(z))))) CaseLabel(ParenthesizedPattern(ConstantPattern(Q))) CaseLabel(ConstantPattern(Binary +(String String))) ExpressionStatement(Invocation(F Arguments)) Empty) Section(CaseLabel(DiscardPattern) Empty))
    Switch(Tuple(Argument(a) Argument(b)))
    ");
}

#[test]
fn local_functions() {
    assert_snapshot!(body("static async Task<T> L<T, U>([A] T x, ref int y, int z = 1, params int[] w) where T : U, new() where U : class, I<T> { return z; } int M() => 1; [X] extern static void N(); void O<T>() where T : default { }"), @r"
    LocalFunction L:24(Attribute(A) TypeParameter T(U) TypeParameter U(GenericName I(T)) GenericName Task(T) LambdaParameter x(T) LambdaParameter y:1(’int) LambdaParameter z:16(’int Int=1) LambdaParameter w:8(ArrayType=1(’int)) Block(Return(z)))
    LocalFunction M(’int Int=1)
    LocalFunction N:16(Attribute(X) ’void)
    LocalFunction O(TypeParameter T ’void Block)
    ");
}

#[test]
fn primary_expressions() {
    assert_snapshot!(exprs(&[
        "a",
        "@a",
        "this",
        "base.F",
        "a.b.c",
        "a->b",
        "a.F<int, B>(c)",
        "a::B<int>.C",
        "global::A.B",
        "int.Parse(a)",
        "a[b, c]",
        "a++",
        "a!",
        "(a)",
        "nameof(A.B)",
        "typeof(A<,>)",
        "sizeof(int)",
        "default",
        "default(int?)",
        "__makeref(a)",
        "__refvalue(a, int)",
        "checked(a + b)",
        "unchecked((int)a)",
    ]), @r"
    a
    a:1
    This
    MemberAccess(Base F)
    MemberAccess(MemberAccess(a b) c)
    MemberAccess:1(a b)
    Invocation(MemberAccess(a GenericName F(’int B)) Arguments(Argument(c)))
    MemberAccess(AliasQualified(a GenericName B(’int)) C)
    MemberAccess(AliasQualified(global A) B)
    Invocation(MemberAccess(’int Parse) Arguments(Argument(a)))
    ElementAccess(a Arguments(Argument(b) Argument(c)))
    Postfix ++(a)
    SuppressNull(a)
    Parenthesized(a)
    Invocation(nameof Arguments(Argument(MemberAccess(A B))))
    TypeOf(GenericName A(OmittedType OmittedType))
    SizeOf(’int)
    DefaultLiteral
    Default(NullableType(’int))
    OtherExpression(a)
    OtherExpression(a ’int)
    Checked(Binary +(a b))
    Checked:1(Cast(’int a))
    ");
}

#[test]
fn arguments() {
    assert_snapshot!(exprs(&[
        "F(a, n: b, ref c, out d, in e)",
        "F(out var g, out int h, out _, n: out var i)",
        "new T()[0]",
    ]), @r"
    Invocation(F Arguments(Argument(a) Argument n(b) Argument:1(c) Argument:2(d) Argument:3(e)))
    Invocation(F Arguments(Argument:2(DeclarationExpression(var SingleDesignation g)) Argument:2(DeclarationExpression(’int SingleDesignation h)) Argument:2(_) Argument n:2(DeclarationExpression(var SingleDesignation i))))
    ElementAccess(ObjectCreation(T Arguments) Arguments(Argument(Int=0)))
    ");
}

#[test]
fn literals() {
    assert_snapshot!(exprs(&[
        "1",
        "0xFFFFFFFF",
        "1_000L",
        "1ul",
        "2147483648",
        "1.5",
        "1f",
        "1m",
        "'a'",
        r#"'\n'"#,
        r#""s""#,
        r#""""#,
        r#"@"v""#,
        r#""""r""""#,
        r#""u"u8"#,
        "null",
        "true",
        "false",
    ]), @r"
    Int=1
    UInt
    Long
    ULong
    UInt
    Double
    Float
    Decimal
    Char=97
    Char=10
    String
    String=
    String
    String
    Utf8String
    Null
    True
    False
    ");
}

#[test]
fn interpolated_strings() {
    assert_snapshot!(exprs(&[
        r#"$"a{b,3:N2}{{c}}{d:x}{$"{e}"}""#,
        r#"$"""#,
        r#"$@"""{f}""""#,
        r#"$"{{{g}}}""#,
        r#"$"""{h}""""#,
    ]), @r"
    InterpolatedString(Interpolation=1(b Int=3) Interpolation=1(d) Interpolation(InterpolatedString(Interpolation(e))))
    InterpolatedString
    InterpolatedString(Interpolation(f))
    InterpolatedString(Interpolation(g))
    InterpolatedString(Interpolation(h))
    ");
}

#[test]
fn conditional_accesses() {
    assert_snapshot!(exprs(&[
        "a?.b",
        "a?[b]",
        "a?.b.c(d)?[e].f!.g",
        "a?.b!",
        "a.b?.c",
        "(a?.b).c",
        "a?.b ?? c",
        "a?.F<int>(b)",
        "a?.b[c]?.d",
    ]), @r"
    ConditionalAccess(a MemberBinding(b))
    ConditionalAccess(a ElementBinding(Arguments(Argument(b))))
    ConditionalAccess(a ConditionalAccess(Invocation(MemberAccess(MemberBinding(b) c) Arguments(Argument(d))) MemberAccess(SuppressNull(MemberAccess(ElementBinding(Arguments(Argument(e))) f)) g)))
    SuppressNull(ConditionalAccess(a MemberBinding(b)))
    ConditionalAccess(MemberAccess(a b) MemberBinding(c))
    MemberAccess(Parenthesized(ConditionalAccess(a MemberBinding(b))) c)
    Binary ??(ConditionalAccess(a MemberBinding(b)) c)
    ConditionalAccess(a Invocation(MemberBinding(GenericName F(’int)) Arguments(Argument(b))))
    ConditionalAccess(a ConditionalAccess(ElementAccess(MemberBinding(b) Arguments(Argument(c))) MemberBinding(d)))
    ");
}

#[test]
fn null_conditional_assignments() {
    assert_snapshot!(body("a?.b = c; a?[b] = c; a?.b?.c += d; a?.b[c].d = e; a?.b.c = d;"), @r"
    ExpressionStatement(ConditionalAccess(a Assignment =(MemberBinding(b) c)))
    ExpressionStatement(ConditionalAccess(a Assignment =(ElementBinding(Arguments(Argument(b))) c)))
    ExpressionStatement(ConditionalAccess(a ConditionalAccess(MemberBinding(b) Assignment +(MemberBinding(c) d))))
    ExpressionStatement(ConditionalAccess(a Assignment =(MemberAccess(ElementAccess(MemberBinding(b) Arguments(Argument(c))) d) e)))
    ExpressionStatement(ConditionalAccess(a Assignment =(MemberAccess(MemberBinding(b) c) d)))
    ");
}

#[test]
fn operators() {
    assert_snapshot!(exprs(&[
        "a + b * c - d",
        "a ?? b ?? c",
        "a ? b : c",
        "-a",
        "!a",
        "~a",
        "^a",
        "++a",
        "a << 1 >> 2 >>> 3",
        "a && b || c",
        "a == b != c",
        "a < b",
        "a is B",
        "a as B",
        "(B)a",
        "(int)-1",
        "(B)(a)",
        "await a",
        "a..b",
        "..",
        "a..",
        "..^b",
        "ref a",
        "a ?? throw b",
    ]), @r"
    Binary -(Binary +(a Binary *(b c)) d)
    Binary ??(a Binary ??(b c))
    Conditional(a b c)
    Unary -(a)
    Unary !(a)
    Unary ~(a)
    Unary ^1(a)
    Unary ++(a)
    Binary >>>(Binary >>(Binary <<(a Int=1) Int=2) Int=3)
    Binary ||(Binary &&(a b) c)
    Binary !=(Binary ==(a b) c)
    Binary <(a b)
    Is(a ConstantPattern(B))
    As(a B)
    Cast(B a)
    Cast(’int Unary -(Int=1))
    Cast(B Parenthesized(a))
    Await(a)
    Range:3(a b)
    Range
    Range:1(a)
    Range:2(Unary ^1(b))
    RefExpression(a)
    Binary ??(a ThrowExpression(b))
    ");
}

#[test]
fn parentheses_that_are_no_cast() {
    assert_snapshot!(exprs(&[
        "(a) - b",
        "(a) - b * c",
        "-(a) - b",
        "c * (a) - b",
        "(A.B) && (c)",
        "(a) & b == c",
        "(int)(a) - b",
        "(a)[0].b",
        "(a) .. b",
        "(a) ^ b",
        "(a) * b + c",
        "(A<B>)-c",
        "(a)(b)",
        "(a) * b.c",
        "(a) * b.c() + d[0]",
        "d + (a) * b()",
        "(a) * *b.c",
        "(int)(a) * b[0]",
        "(a) * b++ * c.d",
        "F((a) * b.c)",
        "(int)*b.c",
    ]), @r"
    Binary -(Parenthesized(a) b)
    Binary -(Parenthesized(a) Binary *(b c))
    Binary -(Unary -(Parenthesized(a)) b)
    Binary -(Binary *(c Parenthesized(a)) b)
    Binary &&(Parenthesized(MemberAccess(A B)) Parenthesized(c))
    Binary &(Parenthesized(a) Binary ==(b c))
    Binary -(Cast(’int Parenthesized(a)) b)
    MemberAccess(ElementAccess(Parenthesized(a) Arguments(Argument(Int=0))) b)
    Range:3(Parenthesized(a) b)
    Binary ^(Parenthesized(a) b)
    Binary +(Binary *(Parenthesized(a) b) c)
    Cast(GenericName A(B) Unary -(c))
    Cast(a Parenthesized(b))
    Binary *(Parenthesized(a) MemberAccess(b c))
    Binary +(Binary *(Parenthesized(a) Invocation(MemberAccess(b c) Arguments)) ElementAccess(d Arguments(Argument(Int=0))))
    Binary +(d Binary *(Parenthesized(a) Invocation(b Arguments)))
    Binary *(Parenthesized(a) Unary *p(MemberAccess(b c)))
    Binary *(Cast(’int Parenthesized(a)) ElementAccess(b Arguments(Argument(Int=0))))
    Binary *(Binary *(Parenthesized(a) Postfix ++(b)) MemberAccess(c d))
    Invocation(F Arguments(Argument(Binary *(Parenthesized(a) MemberAccess(b c)))))
    Cast(’int Unary *p(MemberAccess(b c)))
    ");
}

#[test]
fn patterns_end_before_weaker_operators() {
    assert_snapshot!(exprs(&[
        "a is not null && b && c",
        "a is not null && b.c(d) || e",
        "!(a is not null && b)",
        "a is > 0 and < 3 && b",
        "a is not 1 + 2 && b",
        "a is not null ? b : c",
        "a is not null ?? b",
        "a is not null == b",
        "a is not B.C && d",
        "a?.b is not null && c",
        "a || b is null or 1 || c",
        "a is not null && b is not null && c is not 3 || d",
    ]), @r"
    Binary &&(Binary &&(Is(a NotPattern(ConstantPattern(Null))) b) c)
    Binary ||(Binary &&(Is(a NotPattern(ConstantPattern(Null))) Invocation(MemberAccess(b c) Arguments(Argument(d)))) e)
    Unary !(Parenthesized(Binary &&(Is(a NotPattern(ConstantPattern(Null))) b)))
    Binary &&(Is(a BinaryPattern(RelationalPattern >(Int=0) RelationalPattern <(Int=3))) b)
    Binary &&(Is(a NotPattern(ConstantPattern(Binary +(Int=1 Int=2)))) b)
    Conditional(Is(a NotPattern(ConstantPattern(Null))) b c)
    Binary ??(Is(a NotPattern(ConstantPattern(Null))) b)
    Binary ==(Is(a NotPattern(ConstantPattern(Null))) b)
    Binary &&(Is(a NotPattern(ConstantPattern(MemberAccess(B C)))) d)
    Binary &&(Is(ConditionalAccess(a MemberBinding(b)) NotPattern(ConstantPattern(Null))) c)
    Binary ||(Binary ||(a Is(b BinaryPattern:1(ConstantPattern(Null) ConstantPattern(Int=1)))) c)
    Binary ||(Binary &&(Binary &&(Is(a NotPattern(ConstantPattern(Null))) Is(b NotPattern(ConstantPattern(Null)))) Is(c NotPattern(ConstantPattern(Int=3)))) d)
    ");
}

#[test]
fn assignments() {
    assert_snapshot!(body("a = b; a += b; a ??= b; a >>>= b; a = b = c; F(0) = e; G() ??= h; F(0) -= e; (b ? ref x : ref y) = 2; a! = b;"), @r"
    ExpressionStatement(Assignment =(a b))
    ExpressionStatement(Assignment +(a b))
    ExpressionStatement(Assignment ??(a b))
    ExpressionStatement(Assignment >>>(a b))
    ExpressionStatement(Assignment =(a Assignment =(b c)))
    ExpressionStatement(Assignment =(Invocation(F Arguments(Argument(Int=0))) e))
    ExpressionStatement(Assignment ??(Invocation(G Arguments) h))
    ExpressionStatement(Assignment -(Invocation(F Arguments(Argument(Int=0))) e))
    ExpressionStatement(Assignment =(Parenthesized(Conditional(b RefExpression(x) RefExpression(y))) Int=2))
    ExpressionStatement(Assignment =(SuppressNull(a) b))
    ");
}

#[test]
fn pointers() {
    assert_snapshot!(body("a = *p; *p = 1; a = &b; *p.q++; a = *(int*)p; a = *F() * *p++; *p++ = 1; *(p + 1) = 2; *F() = 3; *(int*)p = 4; *(int*)p += a ? b : c; *&p[2] = 6; a = **p; (*p).x = 2; a = *p[0];"), @r"
    ExpressionStatement(Assignment =(a Unary *p(p)))
    ExpressionStatement(Assignment =(Unary *p(p) Int=1))
    ExpressionStatement(Assignment =(a Unary &p(b)))
    ExpressionStatement(Unary *p(Postfix ++(MemberAccess(p q))))
    ExpressionStatement(Assignment =(a Unary *p(Cast(PointerType(’int) p))))
    ExpressionStatement(Assignment =(a Binary *(Unary *p(Invocation(F Arguments)) Unary *p(Postfix ++(p)))))
    ExpressionStatement(Assignment =(Unary *p(Postfix ++(p)) Int=1))
    ExpressionStatement(Assignment =(Unary *p(Parenthesized(Binary +(p Int=1))) Int=2))
    ExpressionStatement(Assignment =(Unary *p(Invocation(F Arguments)) Int=3))
    ExpressionStatement(Assignment =(Unary *p(Cast(PointerType(’int) p)) Int=4))
    ExpressionStatement(Assignment +(Unary *p(Cast(PointerType(’int) p)) Conditional(a b c)))
    ExpressionStatement(Assignment =(Unary *p(Unary &p(ElementAccess(p Arguments(Argument(Int=2))))) Int=6))
    ExpressionStatement(Assignment =(a Unary *p(Unary *p(p))))
    ExpressionStatement(Assignment =(MemberAccess(Parenthesized(Unary *p(p)) x) Int=2))
    ExpressionStatement(Assignment =(a Unary *p(ElementAccess(p Arguments(Argument(Int=0))))))
    ");
}

#[test]
fn creations() {
    assert_snapshot!(exprs(&[
        "new T(1) { A = 1, [2] = 3, B = { C = 1 }, D = { 1, 2 }, E = { } }",
        "new List<int> { 1, { 2, 3 } }",
        "new() { A = 1 }",
        "new T { }",
        "new int[2, 3] { { 1 }, { 2 } }",
        "new[] { 1 }",
        "new[,] { { 1 } }",
        "new T[a][]",
        "new A.B?(1)",
        "new { A = 1, b.C, d }",
        "stackalloc int[3]",
        "stackalloc[] { 1 }",
        "stackalloc int[] { 1 }",
        "y with { A = 1, B = z }",
        "[1, ..a, b]",
        "[]",
        "[[1], [..[2]]]",
    ]), @r"
    ObjectCreation(T Arguments(Argument(Int=1)) ObjectInitializer(MemberInit(A Int=1) MemberInit(ElementBinding(Arguments(Argument(Int=2))) Int=3) MemberInit(B ObjectInitializer(MemberInit(C Int=1))) MemberInit(D CollectionInitializer(Int=1 Int=2)) MemberInit(E ObjectInitializer)))
    ObjectCreation(GenericName List(’int) CollectionInitializer(Int=1 ElementInitializer(Int=2 Int=3)))
    ImplicitCreation(Arguments ObjectInitializer(MemberInit(A Int=1)))
    ObjectCreation(T ObjectInitializer)
    ArrayCreation(ArrayType=2(’int) Int=2 Int=3 ArrayInitializer(ArrayInitializer(Int=1) ArrayInitializer(Int=2)))
    ImplicitArray=1(ArrayInitializer(Int=1))
    ImplicitArray=2(ArrayInitializer(ArrayInitializer(Int=1)))
    ArrayCreation(ArrayType=1(ArrayType=1(T)) a)
    ObjectCreation(NullableType(MemberAccess(A B)) Arguments(Argument(Int=1)))
    AnonymousObject(AnonymousMember A(Int=1) AnonymousMember(MemberAccess(b C)) AnonymousMember(d))
    Stackalloc:1(ArrayType=1(’int) Int=3)
    Stackalloc(ArrayInitializer(Int=1))
    Stackalloc:1(ArrayType=1(’int) ArrayInitializer(Int=1))
    With(y ObjectInitializer(MemberInit(A Int=1) MemberInit(B z)))
    CollectionExpression(Int=1 Spread(a) b)
    CollectionExpression
    CollectionExpression(CollectionExpression(Int=1) CollectionExpression(Spread(CollectionExpression(Int=2))))
    ");
}

#[test]
fn array_initializers() {
    assert_snapshot!(body("int[] a = { 1, 2 }; int[,] b = { { 1 }, { c } };"), @r"
    LocalDeclaration(ArrayType=1(’int) Declarator a(ArrayInitializer(Int=1 Int=2)))
    LocalDeclaration(ArrayType=2(’int) Declarator b(ArrayInitializer(ArrayInitializer(Int=1) ArrayInitializer(c))))
    ");
}

#[test]
fn lambdas() {
    assert_snapshot!(exprs(&[
        "a => a",
        "async (a, ref int b, c) => await a",
        "static int (int a = 3, params int[] b) => a",
        "[A] (a) => a",
        "delegate (int a) { }",
        "delegate { }",
        "async delegate { }",
        "async a => { }",
        "(ref a) => a",
        "(t, out r) => t",
        "(scoped ref a) => a",
        "(in int a) => a",
        "(out int y) => { y = 1; }",
        "(ref readonly int a, in b) => 1",
        "() => () => b",
    ]), @r"
    Lambda(LambdaParameter a a)
    Lambda:8(LambdaParameter a LambdaParameter b:1(’int) LambdaParameter c Await(a))
    Lambda=1:16(LambdaParameter a:16(’int Int=3) LambdaParameter b:8(ArrayType=1(’int)) ’int a)
    Lambda(LambdaParameter a a Attribute(A))
    AnonymousMethod=1(LambdaParameter a(’int) Block)
    AnonymousMethod(Block)
    AnonymousMethod:8(Block)
    Lambda:8(LambdaParameter a Block)
    Lambda(LambdaParameter a:1 a)
    Lambda(LambdaParameter t LambdaParameter r:2 t)
    Lambda(LambdaParameter a:1 a)
    Lambda(LambdaParameter a:3(’int) a)
    Lambda(LambdaParameter y:2(’int) Block(ExpressionStatement(Assignment =(y Int=1))))
    Lambda(LambdaParameter a:4(’int) LambdaParameter b:3 Int=1)
    Lambda(Lambda(b))
    ");
}

#[test]
fn queries() {
    assert_snapshot!(exprs(&[
        "from T a in b join c in d on a.x equals c.y into g let q = a where q orderby a.b descending, c ascending select a into z group z by z.k",
        "from a in b join T c in d on a equals c from e in f select e",
    ]), @r"
    Query(FromClause(Declarator a b T) JoinClause:1(Declarator c d MemberAccess(a x) MemberAccess(c y) Declarator g) LetClause(Declarator q a) WhereClause(q) OrderByClause(OrderKey:1(MemberAccess(a b)) OrderKey(c)) SelectClause(a) IntoClause(Declarator z) GroupClause(z MemberAccess(z k)))
    Query(FromClause(Declarator a b) JoinClause:2(Declarator c d a c T) FromClause(Declarator e f) SelectClause(e))
    ");
}

#[test]
fn patterns() {
    assert_snapshot!(exprs(&[
        "a is null",
        "a is not B",
        "a is B c",
        "a is B.C",
        "a is B<int>",
        "a is int",
        "a is int[]",
        "a is { }",
        "a is { } c",
        "a is B { P: 1, Q.R: var r } c",
        "a is (1, _)",
        "a is (int b, var c) d",
        "a is P(1, n: 2)",
        "a is var (b, _)",
        "a is > 1 and < 3 or -1",
        "a is (B or C) and not (D)",
        "a is [1, .., var b] c",
        "a is [.. var b, _]",
        "a is [..]",
        "a is B? ? c : d",
        "a is 1 + 2",
        "a is unchecked((uint)-1)",
    ]), @r"
    Is(a ConstantPattern(Null))
    Is(a NotPattern(ConstantPattern(B)))
    Is(a DeclarationPattern(B SingleDesignation c))
    Is(a ConstantPattern(MemberAccess(B C)))
    Is(a GenericName B(’int))
    Is(a ’int)
    Is(a ArrayType=1(’int))
    Is(a RecursivePattern(PropertyClause))
    Is(a RecursivePattern(PropertyClause SingleDesignation c))
    Is(a RecursivePattern(B PropertyClause(Subpattern(P ConstantPattern(Int=1)) Subpattern(MemberAccess(Q R) VarPattern(SingleDesignation r))) SingleDesignation c))
    Is(a RecursivePattern(PositionalClause(Subpattern(ConstantPattern(Int=1)) Subpattern(DiscardPattern))))
    Is(a RecursivePattern(PositionalClause(Subpattern(DeclarationPattern(’int SingleDesignation b)) Subpattern(VarPattern(SingleDesignation c))) SingleDesignation d))
    Is(a RecursivePattern(P PositionalClause(Subpattern(ConstantPattern(Int=1)) Subpattern(n ConstantPattern(Int=2)))))
    Is(a VarPattern(ParenthesizedDesignation(SingleDesignation b DiscardDesignation)))
    Is(a BinaryPattern:1(BinaryPattern(RelationalPattern >(Int=1) RelationalPattern <(Int=3)) ConstantPattern(Unary -(Int=1))))
    Is(a BinaryPattern(ParenthesizedPattern(BinaryPattern:1(ConstantPattern(B) ConstantPattern(C))) NotPattern(ParenthesizedPattern(ConstantPattern(D)))))
    Is(a ListPattern(ConstantPattern(Int=1) SlicePattern VarPattern(SingleDesignation b) SingleDesignation c))
    Is(a ListPattern(SlicePattern(VarPattern(SingleDesignation b)) DiscardPattern))
    Is(a ListPattern(SlicePattern))
    Conditional(Is(a NullableType(B)) c d)
    Is(a ConstantPattern(Binary +(Int=1 Int=2)))
    Is(a ConstantPattern(Checked:1(Cast(’uint Unary -(Int=1)))))
    ");
}

#[test]
fn switch_expressions() {
    assert_snapshot!(exprs(&[
        "a switch { 1 => 2, int b when b > 1 => 3, (1, A) => 4, B.C or D => 5, { P: 1 } => 6, [_] when y => 7, [1, ..] when z => 8, (B, var c) => c, _ => throw d }",
    ]), @"SwitchExpression(a Arm(ConstantPattern(Int=1) Int=2) Arm(DeclarationPattern(’int SingleDesignation b) When(Binary >(b Int=1)) Int=3) Arm(RecursivePattern(PositionalClause(Subpattern(ConstantPattern(Int=1)) Subpattern(ConstantPattern(A)))) Int=4) Arm(BinaryPattern:1(ConstantPattern(MemberAccess(B C)) ConstantPattern(D)) Int=5) Arm(RecursivePattern(PropertyClause(Subpattern(P ConstantPattern(Int=1)))) Int=6) Arm(ListPattern(DiscardPattern) When(y) Int=7) Arm(ListPattern(ConstantPattern(Int=1) SlicePattern) When(z) Int=8) Arm(RecursivePattern(PositionalClause(Subpattern(ConstantPattern(B)) Subpattern(VarPattern(SingleDesignation c)))) c) Arm(DiscardPattern ThrowExpression(d)))");
}

#[test]
fn contextual_keywords_as_names() {
    assert_snapshot!(exprs(&[
        "async",
        "F(async: async)",
        "var(this.b)",
        "[type, ..field]",
        "from _ in b select _",
        "await",
    ]), @r"
    async
    Invocation(F Arguments(Argument async(async)))
    Invocation(var Arguments(Argument(MemberAccess(This b))))
    CollectionExpression(type Spread(field))
    Query(FromClause(Declarator _ b) SelectClause(_))
    await
    ");
}
