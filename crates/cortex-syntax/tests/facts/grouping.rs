//! Expressions and patterns that the grammar groups otherwise than the language does.

use insta::assert_snapshot;

use crate::bodies::{body, exprs};

#[test]
fn a_null_conditional_link_takes_one_operand() {
    assert_snapshot!(exprs(&[
        "a && b?.C()",
        "a && b?.c.d == e && f",
        "(T)b?.c",
        "!b?.c",
        "-b?.c",
        "await b?.C()",
        "*p?.a",
        "g ? a : b && c?.d",
        "a == b?.c ? d : e",
        "a ?? b?.c",
        "a != b?.c",
        "a..b?.c",
        "..b?.c",
        "y => a + y?.c",
        "from a in b where a && b?.c select a + b?.c",
        "a + b?.c switch { _ => 1 }",
        "a with { B = 1 } == b?.c",
        "a && b?[0] && c?[1]?.d",
        "a is T t && t?.c",
        "(a as S? ?? b).V + (a as S?)?.V ?? z",
        "-(a) - b?.c",
        "(a)[0]?.b",
        "(a) - b + c?.d * 3",
        "a?.b is true && d?.e is not null",
        "a && b?.c!",
        "a ?? b?.c is T && d",
        "a is T && b?.c == 1",
    ]), @r#"
    Binary &&(a ConditionalAccess(b Invocation(MemberBinding(C) Arguments)))
    Binary &&(Binary &&(a Binary ==(ConditionalAccess(b MemberAccess(MemberBinding(c) d)) e)) f)
    Cast(T ConditionalAccess(b MemberBinding(c)))
    Unary !(ConditionalAccess(b MemberBinding(c)))
    Unary -(ConditionalAccess(b MemberBinding(c)))
    Await(ConditionalAccess(b Invocation(MemberBinding(C) Arguments)))
    Unary *p(ConditionalAccess(p MemberBinding(a)))
    Conditional(g a Binary &&(b ConditionalAccess(c MemberBinding(d))))
    Conditional(Binary ==(a ConditionalAccess(b MemberBinding(c))) d e)
    Binary ??(a ConditionalAccess(b MemberBinding(c)))
    Binary !=(a ConditionalAccess(b MemberBinding(c)))
    Range:3(a ConditionalAccess(b MemberBinding(c)))
    Range:2(ConditionalAccess(b MemberBinding(c)))
    Lambda(LambdaParameter y Binary +(a ConditionalAccess(y MemberBinding(c))))
    Query(FromClause(Declarator a b) WhereClause(Binary &&(a ConditionalAccess(b MemberBinding(c)))) SelectClause(Binary +(a ConditionalAccess(b MemberBinding(c)))))
    Binary +(a SwitchExpression(ConditionalAccess(b MemberBinding(c)) Arm(DiscardPattern Int=1)))
    Binary ==(With(a ObjectInitializer(MemberInit(B Int=1))) ConditionalAccess(b MemberBinding(c)))
    Binary &&(Binary &&(a ConditionalAccess(b ElementBinding(Arguments(Argument(Int=0))))) ConditionalAccess(c ConditionalAccess(ElementBinding(Arguments(Argument(Int=1))) MemberBinding(d))))
    Binary &&(Is(a DeclarationPattern(T SingleDesignation t)) ConditionalAccess(t MemberBinding(c)))
    Binary ??(Binary +(MemberAccess(Parenthesized(Binary ??(As(a NullableType(S)) b)) V) ConditionalAccess(Parenthesized(As(a NullableType(S))) MemberBinding(V))) z)
    Binary -(Unary -(Parenthesized(a)) ConditionalAccess(b MemberBinding(c)))
    ConditionalAccess(ElementAccess(Parenthesized(a) Arguments(Argument(Int=0))) MemberBinding(b))
    Binary +(Binary -(Parenthesized(a) b) Binary *(ConditionalAccess(c MemberBinding(d)) Int=3))
    Binary &&(Is(ConditionalAccess(a MemberBinding(b)) ConstantPattern(True)) Is(ConditionalAccess(d MemberBinding(e)) NotPattern(ConstantPattern(Null))))
    Binary &&(a SuppressNull(ConditionalAccess(b MemberBinding(c))))
    Binary ??(a Binary &&(Is(ConditionalAccess(b MemberBinding(c)) ConstantPattern(T)) d))
    Binary &&(Is(a ConstantPattern(T)) Binary ==(ConditionalAccess(b MemberBinding(c)) Int=1))
    "#);
}

#[test]
fn a_pattern_with_a_positional_clause_is_no_call() {
    assert_snapshot!(exprs(&[
        "a is T(var q, _)",
        "a && b is T(var q, _) && c?.d == 1 || e",
        "a is N.T(1, _)",
        "a is T(var q) ? 1 : 2",
        "a is not T(var q, _)",
        "a is >= 1 and T(var z, 2)",
        "a is T<int>(var b)",
        "a is var (b, c) && d?.e",
    ]), @r#"
    Is(a RecursivePattern(T PositionalClause(Subpattern(VarPattern(SingleDesignation q)) Subpattern(DiscardPattern))))
    Binary ||(Binary &&(Binary &&(a Is(b RecursivePattern(T PositionalClause(Subpattern(VarPattern(SingleDesignation q)) Subpattern(DiscardPattern))))) Binary ==(ConditionalAccess(c MemberBinding(d)) Int=1)) e)
    Is(a RecursivePattern(MemberAccess(N T) PositionalClause(Subpattern(ConstantPattern(Int=1)) Subpattern(DiscardPattern))))
    Conditional(Is(a RecursivePattern(T PositionalClause(Subpattern(VarPattern(SingleDesignation q))))) Int=1 Int=2)
    Is(a NotPattern(RecursivePattern(T PositionalClause(Subpattern(VarPattern(SingleDesignation q)) Subpattern(DiscardPattern)))))
    Is(a BinaryPattern(RelationalPattern >=(Int=1) RecursivePattern(T PositionalClause(Subpattern(VarPattern(SingleDesignation z)) Subpattern(ConstantPattern(Int=2))))))
    Is(a RecursivePattern(GenericName T(’int) PositionalClause(Subpattern(VarPattern(SingleDesignation b)))))
    Binary &&(Is(a VarPattern(ParenthesizedDesignation(SingleDesignation b SingleDesignation c))) ConditionalAccess(d MemberBinding(e)))
    "#);
}

#[test]
fn only_out_declares_in_an_argument() {
    assert_snapshot!(exprs(&[
        "F(a < b, c > d)",
        "F(a < b > c)",
        "F(a < b, c, d > e)",
        "F(a.b < c, d.e > f)",
        "F(A < B, B >= A)",
        "new T(n: a < b, c > d)",
        "a[b < c, d > e]",
        "F(out A<B> c)",
        "F(a<b, c>(d))",
        "F(a < b, c > d())",
        "(a < b, c > d)",
        "F(a * b)",
        "F(n: a.b ** c, d & e)",
        "(a * b, c)",
    ]), @r#"
    Invocation(F Arguments(Argument(Binary <(a b)) Argument(Binary >(c d))))
    Invocation(F Arguments(Argument(Binary >(Binary <(a b) c))))
    Invocation(F Arguments(Argument(Binary <(a b)) Argument(c) Argument(Binary >(d e))))
    Invocation(F Arguments(Argument(Binary <(MemberAccess(a b) c)) Argument(Binary >(MemberAccess(d e) f))))
    Invocation(F Arguments(Argument(Binary <(A B)) Argument(Binary >=(B A))))
    ObjectCreation(T Arguments(Argument n(Binary <(a b)) Argument(Binary >(c d))))
    ElementAccess(a Arguments(Argument(Binary <(b c)) Argument(Binary >(d e))))
    Invocation(F Arguments(Argument:2(DeclarationExpression(GenericName A(B) SingleDesignation c))))
    Invocation(F Arguments(Argument(Invocation(GenericName a(b c) Arguments(Argument(d))))))
    Invocation(F Arguments(Argument(Binary <(a b)) Argument(Binary >(c Invocation(d Arguments)))))
    Tuple(Argument(Binary <(a b)) Argument(Binary >(c d)))
    Invocation(F Arguments(Argument(Binary *(a b))))
    Invocation(F Arguments(Argument n(Binary *(MemberAccess(a b) Unary *p(c))) Argument(Binary &(d e))))
    Tuple(Argument(Binary *(a b)) Argument(c))
    "#);
}

#[test]
fn checked_is_told_from_unchecked() {
    assert_snapshot!(body(r#"x = checked(a) + unchecked(b); checked { a(); } unchecked { b(); } unsafe { c(); } unchecked(a++); y = a is unchecked((int)1);"#), @r#"
    ExpressionStatement(Assignment =(x Binary +(Checked(a) Checked:1(b))))
    Wrapped:1(Block(ExpressionStatement(Invocation(a Arguments))))
    Wrapped:2(Block(ExpressionStatement(Invocation(b Arguments))))
    Wrapped(Block(ExpressionStatement(Invocation(c Arguments))))
    ExpressionStatement(Checked:1(Postfix ++(a)))
    ExpressionStatement(Assignment =(y Is(a ConstantPattern(Checked:1(Cast(’int Int=1))))))
    "#);
}

#[test]
fn what_continues_a_pattern_is_part_of_it() {
    assert_snapshot!(exprs(&[
        "a is A<B> or A<C, D>.E || a is F.G.H",
        "a is F.G.H(1, _) && b",
        "a is not F.G<int>",
        "a is G<H<int>>[] or G<int>",
        "a switch { List<F> and [(var p, _), ..] => p, N.L<F> or [1] r => 3 }",
    ]), @r#"
    Binary ||(Is(a BinaryPattern:1(TypePattern(GenericName A(B)) ConstantPattern(MemberAccess(GenericName A(C D) E)))) Is(a ConstantPattern(MemberAccess(MemberAccess(F G) H))))
    Binary &&(Is(a RecursivePattern(MemberAccess(MemberAccess(F G) H) PositionalClause(Subpattern(ConstantPattern(Int=1)) Subpattern(DiscardPattern)))) b)
    Is(a NotPattern(TypePattern(MemberAccess(F GenericName G(’int)))))
    Is(a BinaryPattern:1(TypePattern(ArrayType=1(GenericName G(GenericName H(’int)))) TypePattern(GenericName G(’int))))
    SwitchExpression(a Arm(BinaryPattern(TypePattern(GenericName List(F)) ListPattern(RecursivePattern(PositionalClause(Subpattern(VarPattern(SingleDesignation p)) Subpattern(DiscardPattern))) SlicePattern)) p) Arm(BinaryPattern:1(TypePattern(MemberAccess(N GenericName L(F))) ListPattern(ConstantPattern(Int=1) SingleDesignation r)) Int=3))
    "#);
}

#[test]
fn a_loop_variable_has_a_generic_type() {
    assert_snapshot!(body(r#"foreach (G<H<int>> x in b) F(x); foreach (G<int> x in b) F(x);"#), @r#"
    ForEach(GenericName G(GenericName H(’int)) Declarator x b ExpressionStatement(Invocation(F Arguments(Argument(x)))))
    ForEach(GenericName G(’int) Declarator x b ExpressionStatement(Invocation(F Arguments(Argument(x)))))
    "#);
}
#[test]
fn what_did_not_parse_is_read_where_it_can_be() {
    let text = "class C { void M() { if (a { b(); } c(); } }";
    let facts = cortex_syntax::extract(text.as_bytes(), &Default::default());
    assert!(!facts.errors.is_empty());
    assert_snapshot!(crate::print::print(&facts), @"M: Body(Block(ExpressionStatement(Invocation(b Arguments)) Empty))");
}

#[test]
fn type_arguments_before_a_parenthesis_are_no_comparisons() {
    assert_snapshot!(exprs(&[
        "(T)o.Has<U>(a)",
        "(T)o.Has<I<U>>(a, b).Get<N.V>(b) + 1",
        "!o.Has<U>(a) && b",
        "x + (T)o.Has<U>(a)[0].c * y",
        "(T)new N.Obs<U>(a)",
        "new Obs<U>(a) { f }",
        "new G<A>(x) { P = 1 }.F()",
        "new T<A>(x) { [1] = 2, }",
        "f((x, y) => new J<A, B> { L = 1 })",
        "f(new F<I<T>, U>(Q.First).Method, k)",
        "f(g, new A<B, C, D>(e), new A<B, C>(e))",
        "F(A<B, C>(d))",
        "(new A<B, C>(e), d)",
        "(T)o.Has<U>(a) is V && a < b",
        // Comparisons.
        "f(a < b, c > d)",
        "f(a < b, c)",
        "(T)a < b && c > (d)",
    ]), @"
    Cast(T Invocation(MemberAccess(o GenericName Has(U)) Arguments(Argument(a))))
    Binary +(Cast(T Invocation(MemberAccess(Invocation(MemberAccess(o GenericName Has(GenericName I(U))) Arguments(Argument(a) Argument(b))) GenericName Get(MemberAccess(N V))) Arguments(Argument(b)))) Int=1)
    Binary &&(Unary !(Invocation(MemberAccess(o GenericName Has(U)) Arguments(Argument(a)))) b)
    Binary +(x Binary *(Cast(T MemberAccess(ElementAccess(Invocation(MemberAccess(o GenericName Has(U)) Arguments(Argument(a))) Arguments(Argument(Int=0))) c)) y))
    Cast(T ObjectCreation(MemberAccess(N GenericName Obs(U)) Arguments(Argument(a))))
    ObjectCreation(GenericName Obs(U) Arguments(Argument(a)) CollectionInitializer(f))
    Invocation(MemberAccess(ObjectCreation(GenericName G(A) Arguments(Argument(x)) ObjectInitializer(MemberInit(P Int=1))) F) Arguments)
    ObjectCreation(GenericName T(A) Arguments(Argument(x)) ObjectInitializer(MemberInit(ElementBinding(Arguments(Argument(Int=1))) Int=2)))
    Invocation(f Arguments(Argument(Lambda(LambdaParameter x LambdaParameter y ObjectCreation(GenericName J(A B) ObjectInitializer(MemberInit(L Int=1)))))))
    Invocation(f Arguments(Argument(MemberAccess(ObjectCreation(GenericName F(GenericName I(T) U) Arguments(Argument(MemberAccess(Q First)))) Method)) Argument(k)))
    Invocation(f Arguments(Argument(g) Argument(ObjectCreation(GenericName A(B C D) Arguments(Argument(e)))) Argument(ObjectCreation(GenericName A(B C) Arguments(Argument(e))))))
    Invocation(F Arguments(Argument(Invocation(GenericName A(B C) Arguments(Argument(d))))))
    Tuple(Argument(ObjectCreation(GenericName A(B C) Arguments(Argument(e)))) Argument(d))
    Binary &&(Is(Cast(T Invocation(MemberAccess(o GenericName Has(U)) Arguments(Argument(a)))) ConstantPattern(V)) Binary <(a b))
    Invocation(f Arguments(Argument(Binary <(a b)) Argument(Binary >(c d))))
    Invocation(f Arguments(Argument(Binary <(a b)) Argument(c)))
    Binary &&(Binary <(Cast(T a) b) Binary >(c Parenthesized(d)))
    ");
}

#[test]
fn a_type_that_no_expression_can_be_is_one() {
    let text = "class C { object P => new List<(City Walk, Lake Near)> { a }; }";
    let facts = cortex_syntax::extract(text.as_bytes(), &Default::default());
    assert_snapshot!(crate::print::print(&facts), @"P: Body(ObjectCreation(GenericName List(TupleType(TupleElement Walk(City) TupleElement Near(Lake))) CollectionInitializer(a)))");
}

#[test]
fn an_operator_that_recovery_put_around_a_disordered_expression_ends() {
    let text = "class C { void M() { a<b(>{ var a = b?.c ?? f; } }";
    let facts = cortex_syntax::extract(text.as_bytes(), &Default::default());
    assert!(!facts.errors.is_empty());
    assert!(facts.names.iter().any(|name| &**name == "f"));
}
