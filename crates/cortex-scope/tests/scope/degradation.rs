//! Atoms that mean nothing, against a model that says what is left of a program without them.

use std::collections::{BTreeMap, BTreeSet};

use cortex_scope::*;
use proptest::{collection::vec, option, prelude::*, sample::select};

use crate::{cases, check_shares, universe::Written};

const N_FILES: usize = 4;
const N_ATOMS: usize = 4;

/// What an atom is: the files that it has, unless it means nothing, and what it says of that.
#[derive(Clone, Debug)]
struct Atom {
    is_local: bool,
    /// One bit for each file; `None` where it means nothing.
    files: Option<u8>,
    own: Option<FailureMode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Push(usize),
    Not,
    And,
    Or,
}

#[derive(Clone, Debug)]
struct Program {
    atoms: Vec<Atom>,
    words: Vec<Word>,
    is_strict: bool,
    default: FailureMode,
}

fn mode() -> impl Strategy<Value = FailureMode> {
    select(vec![
        FailureMode::Fail,
        FailureMode::EmptyScope,
        FailureMode::Skip,
        FailureMode::Skip,
    ])
}

/// Programs that mean something where all of their atoms do.
fn program() -> impl Strategy<Value = Program> {
    let atom = (
        any::<bool>(),
        option::weighted(0.6, any::<u8>()),
        option::of(mode()),
    );
    let atom = atom.prop_map(|(is_local, files, own)| Atom {
        is_local,
        files,
        own,
    });
    let choices = vec((0..N_ATOMS, 0..6_u8), 1..10);
    let how = (prop::bool::weighted(0.15), mode());
    (vec(atom, N_ATOMS), choices, how).prop_map(|(atoms, choices, (is_strict, default))| {
        // A stack of shapes: whether each is global.
        let mut stack: Vec<bool> = Vec::new();
        let mut words = Vec::new();
        let join = |stack: &mut Vec<bool>, word| {
            let (right, left) = (stack.pop(), stack.pop());
            stack.push(left == Some(true) && right == Some(true));
            word
        };
        for (atom, choice) in choices {
            match choice {
                0 if stack.last() == Some(&true) => words.push(Word::Not),
                1 | 2 if stack.len() > 1 => {
                    let word = if choice == 1 { Word::And } else { Word::Or };
                    words.push(join(&mut stack, word));
                }
                _ => {
                    stack.push(!atoms[atom].is_local);
                    words.push(Word::Push(atom));
                }
            }
        }
        while stack.len() > 1 {
            let word = if stack.len().is_multiple_of(2) {
                Word::Or
            } else {
                Word::And
            };
            words.push(join(&mut stack, word));
        }
        Program {
            atoms,
            words,
            is_strict,
            default,
        }
    })
}

impl Program {
    fn mode_of(&self, atom: usize) -> FailureMode {
        match self.is_strict {
            true => FailureMode::Fail,
            false => self.atoms[atom].own.unwrap_or(self.default),
        }
    }

    fn id(&self, atom: usize) -> String {
        match self.atoms[atom].is_local {
            true => format!("type:{atom}"),
            false => format!("git:changed:{atom}"),
        }
    }

    fn universe(&self) -> Written {
        let mut universe = Written::of(&["repo:/0", "repo:/1", "repo:/2", "repo:/3"]);
        for (at, atom) in self.atoms.iter().enumerate() {
            let Some(bits) = atom.files else { continue };
            let files = (0..N_FILES)
                .filter(|file| bits >> file & 1 == 1)
                .map(FileId::new);
            let byte = Ranges::new([cortex_model::ByteRange { start: 0, end: 1 }]);
            let provided = match atom.is_local {
                true => Provided::Ranges(files.map(|file| (file, byte.clone())).collect()),
                false => Provided::Files(files.collect()),
            };
            universe.provided.insert(self.id(at), provided);
        }
        universe
    }

    fn request(&self) -> ScopeRequest {
        let pushed: BTreeSet<usize> = self.pushed().map(|(_, atom)| atom).collect();
        let atoms = pushed.into_iter().map(|at| {
            let mut atom = ScopeAtom::new(at.to_string(), AtomKind::ProviderScope);
            atom.provider_scope_id = Some(self.id(at));
            atom.on_resolve_failure = self.atoms[at].own;
            atom
        });
        let tokens = self.words.iter().map(|word| match word {
            Word::Push(atom) => ScopeToken::push(atom.to_string()),
            Word::Not => ScopeToken::operator(TokenOp::Not),
            Word::And => ScopeToken::operator(TokenOp::And),
            Word::Or => ScopeToken::operator(TokenOp::Or),
        });
        let mut request = ScopeRequest::new(atoms.collect(), tokens.collect());
        request.strict = self.is_strict;
        request.non_strict_default_failure_mode = self.default;
        request
    }

    /// Every push, by token.
    fn pushed(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let words = self.words.iter().enumerate();
        words.filter_map(|(token, word)| match word {
            Word::Push(atom) => Some((token, *atom)),
            _ => None,
        })
    }

    /// The atoms that fail, each with the token that pushes it first.
    fn failing(&self) -> BTreeMap<usize, usize> {
        let mut out = BTreeMap::new();
        for (token, atom) in self.pushed() {
            if self.atoms[atom].files.is_none() {
                out.entry(atom).or_insert(token);
            }
        }
        out
    }

    /// What is left of it: a set of bytes, or of files with their one byte. `None` for nothing.
    fn left(&self) -> Option<BTreeSet<(usize, bool)>> {
        let mut stack: Vec<Option<BTreeSet<(usize, bool)>>> = Vec::new();
        let whole = |file: usize| [(file, false), (file, true)];
        for word in &self.words {
            let next = match word {
                Word::Push(at) => {
                    let atom = &self.atoms[*at];
                    let is_there =
                        atom.files.is_some() || self.mode_of(*at) == FailureMode::EmptyScope;
                    let bits = atom.files.unwrap_or(0);
                    let files = (0..N_FILES).filter(|file| bits >> file & 1 == 1);
                    is_there.then(|| match atom.is_local {
                        true => files.map(|file| (file, true)).collect(),
                        false => files.flat_map(whole).collect(),
                    })
                }
                Word::Not => stack.pop().flatten().map(|set| {
                    let all: BTreeSet<(usize, bool)> = (0..N_FILES).flat_map(whole).collect();
                    &all - &set
                }),
                Word::And | Word::Or => {
                    let (right, left) = (stack.pop().flatten(), stack.pop().flatten());
                    match (left, right) {
                        (Some(left), Some(right)) => Some(match word {
                            Word::And => &left & &right,
                            _ => &left | &right,
                        }),
                        (one, None) | (None, one) => one,
                    }
                }
            };
            stack.push(next);
        }
        stack.pop().flatten()
    }
}

fn elements(scope: &Scope) -> BTreeSet<(usize, bool)> {
    let mut out = BTreeSet::new();
    for (file, coverage) in scope.files() {
        out.insert((file.index(), true));
        if coverage == Coverage::Whole {
            out.insert((file.index(), false));
        }
    }
    out
}

#[test]
fn programs_that_lose_something_are_tried() {
    check_shares(
        &program(),
        |program| {
            let failing = program.failing();
            let modes: BTreeSet<&str> = failing
                .keys()
                .map(|atom| match program.mode_of(*atom) {
                    FailureMode::Fail => "fails",
                    FailureMode::EmptyScope => "empty",
                    FailureMode::Skip => "skipped",
                })
                .collect();
            let mut kinds: Vec<&'static str> = modes.iter().copied().collect();
            if failing.is_empty() {
                kinds.push("whole");
            }
            if !modes.contains("fails") && !failing.is_empty() {
                kinds.push(match program.left() {
                    None => "nothing left",
                    Some(_) => "degraded",
                });
            }
            let has = |word| program.words.contains(&word);
            if modes.contains("skipped") && has(Word::Not) {
                kinds.push("skipped beside a negation");
            }
            kinds
        },
        &[
            ("whole", 5),
            ("fails", 20),
            ("empty", 10),
            ("skipped", 20),
            ("degraded", 15),
            ("nothing left", 2),
            ("skipped beside a negation", 4),
        ],
    );
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_is_left_of_a_program_is_told_atom_by_atom(program in program()) {
        let failing = program.failing();
        let mut expected: Vec<(usize, DiagnosticCode, Severity)> = failing
            .iter()
            .map(|(atom, token)| {
                let severity = match program.mode_of(*atom) {
                    FailureMode::Fail => Severity::Error,
                    _ => Severity::Warning,
                };
                (*token, DiagnosticCode::UnresolvedAtom, severity)
            })
            .collect();
        expected.sort_by_key(|it| it.0);
        let fails = expected.iter().any(|it| it.2 == Severity::Error);
        let left = program.left();
        if !fails && left.is_none() {
            let last = program.words.len() - 1;
            expected.push((last, DiagnosticCode::NothingLeft, Severity::Error));
        }
        let told = |diagnostics: &[Diagnostic]| -> Vec<(usize, DiagnosticCode, Severity)> {
            let each = diagnostics.iter();
            each.map(|it| (it.token_index.unwrap(), it.code, it.severity)).collect()
        };
        let universe = program.universe();
        match resolve(&program.request(), &universe) {
            Ok(resolved) => {
                prop_assert_eq!(told(&resolved.descriptor.diagnostics), expected);
                prop_assert_eq!(Some(elements(&resolved.scope)), left);
                prop_assert_eq!(resolved.descriptor.scope_shape, resolved.scope.shape());
            }
            Err(diagnostics) => {
                prop_assert!(fails || left.is_none());
                prop_assert_eq!(told(&diagnostics), expected);
            }
        }
    }
}
