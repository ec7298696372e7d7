//! Programs that mean nothing: each with exactly these diagnostics.

use cortex_scope::*;
use proptest::{collection::vec, prelude::*};

use crate::{cases, universe::Written};

fn universe() -> Written {
    let mut universe = Written::of(&["repo:/a", "repo:/b"])
        .named(SHARED, "Ring", "$Round||file:a")
        .named(SHARED, "Round", "$Ring")
        .named(SHARED, "Broken", "file:a&&")
        .named(SHARED, "Dangling", "file:a||$Nobody");
    let ranges = vec![(FileId::new(0), Ranges::new([]))];
    universe
        .provided
        .insert("type:T".to_owned(), Provided::Ranges(ranges));
    universe
}

/// `a & ! |` for tokens, other words for atoms: `g` and `h` are global, `l` is local, `bad` lacks its text, `gone`
/// is in no catalog; others are not there.
fn request(program: &str) -> ScopeRequest {
    let mut atoms = Vec::new();
    let mut add = |id: &str, kind, set: &dyn Fn(&mut ScopeAtom)| {
        let mut atom = ScopeAtom::new(id, kind);
        set(&mut atom);
        if program.split(' ').any(|word| word == id) {
            atoms.push(atom);
        }
    };
    add("g", AtomKind::Standard, &|atom| {
        atom.standard_scope_id = Some("All Places".to_owned());
    });
    add("h", AtomKind::Pattern, &|atom| {
        atom.pattern_text = Some("file:a".to_owned());
    });
    add("l", AtomKind::ProviderScope, &|atom| {
        atom.provider_scope_id = Some("type:T".to_owned());
    });
    add("bad", AtomKind::Pattern, &|_| {});
    add("gone", AtomKind::Module, &|atom| {
        atom.module_name = Some("Gone".to_owned());
    });
    add("lost", AtomKind::ProviderScope, &|atom| {
        atom.provider_scope_id = Some("type:Lost".to_owned());
    });
    let tokens = program
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| match word {
            "&" => ScopeToken::operator(TokenOp::And),
            "|" => ScopeToken::operator(TokenOp::Or),
            "!" => ScopeToken::operator(TokenOp::Not),
            id => ScopeToken::push(id),
        })
        .collect();
    ScopeRequest::new(atoms, tokens)
}

fn told(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|it| {
            let severity = match it.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            format!("{severity} {:?}: {it}", it.code)
        })
        .collect()
}

#[track_caller]
fn check_errors(request: &ScopeRequest, expected: &[&str]) {
    let diagnostics = resolve(request, &universe()).expect_err("a wrong program");
    assert_eq!(told(&diagnostics), expected);
}

#[track_caller]
fn check_warnings(request: &ScopeRequest, files: &[&str], expected: &[&str]) {
    let universe = universe();
    let resolved = resolve(request, &universe).expect("a program");
    assert_eq!(told(&resolved.descriptor.diagnostics), expected);
    assert_eq!(universe.urls(&resolved.scope), files);
}

#[test]
fn each_fault_of_a_program_names_its_token() {
    for (program, expected) in [
        ("", vec!["error EmptyProgram: the program has no tokens"]),
        (
            "g &",
            vec!["error StackUnderflow: token 1: AND needs 2 scopes, but the stack has 1"],
        ),
        (
            "!",
            vec!["error StackUnderflow: token 0: NOT needs 1 scope, but the stack has 0"],
        ),
        (
            "g h g |",
            vec![
                "error LeftoverStack: token 3: the program leaves 2 scopes on the stack (of tokens 0, 3) instead of one",
            ],
        ),
        (
            "g x |",
            vec!["error UnknownAtom: token 1: unknown atom `x`"],
        ),
        (
            "g l ! |",
            vec!["error WrongShape: token 2: NOT takes a global scope, but token 1 is local"],
        ),
        (
            "g l | !",
            vec!["error WrongShape: token 3: NOT takes a global scope, but token 2 is mixed"],
        ),
        (
            "g bad &",
            vec![
                "error InvalidAtom: token 1: atom `bad`: an atom of kind PATTERN needs `patternText`",
            ],
        ),
        (
            "x | y",
            vec![
                "error UnknownAtom: token 0: unknown atom `x`",
                "error StackUnderflow: token 1: OR needs 2 scopes, but the stack has 1",
            ],
        ),
    ] {
        check_errors(&request(program), &expected);
    }
}

#[test]
fn tokens_and_atoms_have_to_fit() {
    let mut program = request("g h &");
    program.tokens[0].atom_id = None;
    check_errors(
        &program,
        &[
            "error MissingAtomId: token 0: PUSH_ATOM has no atom",
            "warning UnusedAtom: no token uses atom `g`",
        ],
    );
    let mut program = request("g !");
    program.tokens[1].atom_id = Some("g".to_owned());
    check_errors(
        &program,
        &["error UnexpectedAtomId: token 1: NOT takes no atom, but has `g`"],
    );
    let mut program = request("g h &");
    program.atoms.push(program.atoms[0].clone());
    check_errors(
        &program,
        &["error DuplicateAtom: token 0: duplicate atom id `g`"],
    );
    let mut program = request("g h &");
    program.tokens.truncate(1);
    check_warnings(
        &program,
        &["repo:/a", "repo:/b"],
        &["warning UnusedAtom: no token uses atom `h`"],
    );
    let mut program = request("g");
    program.atoms[0].standard_scope_id = Some("Everything".to_owned());
    check_errors(
        &program,
        &[
            "error InvalidAtom: token 0: atom `g`: unknown standard scope `Everything`; available: `All Places`, `Project and Libraries`, `Project Files`, `Project Production Files`, `Project Test Files`, `Scratches and Consoles`, `Recently Viewed Files`, `Recently Changed Files`, `Open Files`, `Current File`, `Selection`",
        ],
    );
    let mut program = request("l");
    program.atoms[0].provider_scope_id = Some("git:churn".to_owned());
    check_errors(
        &program,
        &[
            "error InvalidAtom: token 0: atom `l`: `git:churn` is missing <n>; write `git:churn:<n>`",
        ],
    );
}

const GONE: &str = "atom `gone`: no project is named `Gone`";

#[test]
fn a_strict_program_fails_with_all_that_means_nothing() {
    let mut program = request("gone lost | gone |");
    program.atoms[0].on_resolve_failure = Some(FailureMode::Skip);
    check_errors(
        &program,
        &[
            &format!("error UnresolvedAtom: token 0: {GONE}"),
            "error UnresolvedAtom: token 1: atom `lost`: nothing is `type:Lost`",
        ],
    );
}

#[test]
fn otherwise_an_atom_fails_is_empty_or_drops_out_and_each_is_told() {
    let lax = |program: &str, default, own| {
        let mut program = request(program);
        program.strict = false;
        program.non_strict_default_failure_mode = default;
        for atom in &mut program.atoms {
            if atom.atom_id == "gone" {
                atom.on_resolve_failure = own;
            }
        }
        program
    };
    let (fail, empty, skip) = (
        FailureMode::Fail,
        FailureMode::EmptyScope,
        FailureMode::Skip,
    );
    let is_empty = format!("warning UnresolvedAtom: token 1: {GONE}; using an empty scope");
    let is_out = format!("warning UnresolvedAtom: token 1: {GONE}; skipping it");
    check_warnings(&lax("h gone &", empty, None), &[], &[&is_empty]);
    check_warnings(
        &lax("h gone |", skip, Some(empty)),
        &["repo:/a"],
        &[&is_empty],
    );
    check_warnings(&lax("h gone ! &", empty, None), &["repo:/a"], &[&is_empty]);
    check_warnings(&lax("h gone &", skip, None), &["repo:/a"], &[&is_out]);
    check_warnings(
        &lax("h gone ! &", empty, Some(skip)),
        &["repo:/a"],
        &[&is_out],
    );
    check_errors(
        &lax("h gone |", empty, Some(fail)),
        &[&format!("error UnresolvedAtom: token 1: {GONE}")],
    );
    check_errors(
        &lax("gone ! gone |", skip, None),
        &[
            &format!("warning UnresolvedAtom: token 0: {GONE}; skipping it"),
            "error NothingLeft: token 3: every atom was skipped, so the program is empty",
        ],
    );
}

/// An empty scope keeps its shape: a negated local atom is wrong whether it is there or not.
#[test]
fn what_is_taken_as_empty_keeps_its_shape() {
    let mut program = request("g lost |");
    program.strict = false;
    let resolved = resolve(&program, &universe()).unwrap();
    assert_eq!(resolved.descriptor.scope_shape, ScopeShape::Mixed);
    let mut program = request("lost !");
    program.strict = false;
    check_errors(
        &program,
        &["error WrongShape: token 1: NOT takes a global scope, but token 0 is local"],
    );
}

#[test]
fn named_scopes_that_are_circular_broken_or_missing_are_told() {
    let named = |name: &str| {
        let mut program = request("h");
        program.atoms[0].pattern_text = Some(name.to_owned());
        program
    };
    check_errors(
        &named("file:a||$Ring"),
        &[
            "error CyclicNamedScope: token 0: atom `h`: named scopes refer to each other in a cycle: Ring → Round → Ring",
        ],
    );
    check_errors(
        &named("$Broken"),
        &[
            "error InvalidPattern: token 0: atom `h`: named scope `Broken`: `file:a&&`: Package pattern expected at position 9",
        ],
    );
    check_errors(
        &named("file:a||"),
        &[
            "error InvalidPattern: token 0: atom `h`: `file:a||`: Package pattern expected at position 9",
        ],
    );
    check_warnings(
        &named("$Dangling"),
        &["repo:/a"],
        &[
            "warning MissingNamedScope: token 0: atom `h`: no named scope `Nobody`, so `$Nobody` matches nothing",
        ],
    );
}

#[test]
fn a_long_chain_of_named_scopes_ends_with_an_error() {
    let mut universe = Written::of(&["repo:/a"]);
    for index in 0..5000 {
        universe = universe.named(SHARED, &format!("S{index}"), &format!("$S{}", index + 1));
    }
    let request = infix::compile("S0").unwrap();
    let diagnostics = resolve(&request, &universe).unwrap_err();
    assert_eq!(
        diagnostics[0].message,
        "atom `a1`: more than 64 named scopes refer to each other in a row"
    );
}

/// What a stack of shapes says of a program of `g` (global), `l` (local) and `x` (unknown).
fn expected_errors(words: &[&str]) -> Vec<(DiagnosticCode, usize)> {
    let mut stack: Vec<char> = Vec::new();
    let mut errors = Vec::new();
    for (index, word) in words.iter().enumerate() {
        match *word {
            "g" => stack.push('g'),
            "l" => stack.push('l'),
            "x" => {
                errors.push((DiagnosticCode::UnknownAtom, index));
                stack.push('?');
            }
            "!" => match stack.pop() {
                None => {
                    errors.push((DiagnosticCode::StackUnderflow, index));
                    return errors;
                }
                Some('?') => stack.push('?'),
                Some(shape) => {
                    if shape != 'g' {
                        errors.push((DiagnosticCode::WrongShape, index));
                    }
                    stack.push('g');
                }
            },
            operator => {
                if stack.len() < 2 {
                    errors.push((DiagnosticCode::StackUnderflow, index));
                    return errors;
                }
                let (right, left) = (stack.pop(), stack.pop());
                stack.push(match (left, right) {
                    (Some('?'), _) | (_, Some('?')) => '?',
                    (Some(a), Some(b)) if a == b => a,
                    (Some('l'), _) | (_, Some('l')) if operator == "&" => 'l',
                    _ => 'm',
                });
            }
        }
    }
    if stack.is_empty() {
        errors.push((DiagnosticCode::EmptyProgram, usize::MAX));
    }
    errors
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_tokens_give_the_errors_of_a_stack_of_shapes(
        words in vec(proptest::sample::select(vec!["g", "l", "x", "&", "|", "!"]), 0..10),
    ) {
        let found = match describe(&request(&words.join(" "))) {
            Ok(_) => Vec::new(),
            Err(diagnostics) => diagnostics,
        };
        let is_leftover = |it: &&Diagnostic| it.code == DiagnosticCode::LeftoverStack;
        let codes: Vec<(DiagnosticCode, usize)> = found
            .iter()
            .filter(|it| !is_leftover(it) && it.severity == Severity::Error)
            .map(|it| (it.code, it.token_index.unwrap_or(usize::MAX)))
            .collect();
        let expected = expected_errors(&words);
        prop_assert_eq!(&codes, &expected);
        // What is left over can be counted: a push adds one, an operator of two takes one.
        let ends_early = expected.iter().any(|(code, _)| {
            matches!(code, DiagnosticCode::StackUnderflow | DiagnosticCode::EmptyProgram)
        });
        let pushes = words.iter().filter(|it| ["g", "l", "x"].contains(it)).count();
        let joins = words.iter().filter(|it| ["&", "|"].contains(it)).count();
        let has_leftover = !ends_early && pushes - joins > 1;
        prop_assert_eq!(found.iter().any(|it| is_leftover(&it)), has_leftover);
    }
}
