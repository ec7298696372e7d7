//! Checks a program before anything is resolved.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    data::{ScopeAtom, ScopeRequest, ScopeShape, TokenOp},
    diagnostic::{Diagnostic, DiagnosticCode, Severity},
    target::Target,
};

/// A program in which every token has its operands.
pub(crate) struct Checked<'r> {
    /// The used atoms, by id.
    pub(crate) atoms: BTreeMap<&'r str, (&'r ScopeAtom, Target)>,
    /// The steps in order, which leave one scope on the stack.
    pub(crate) steps: Vec<Step<'r>>,
    /// The shape of the result, if no atom is skipped.
    pub(crate) shape: ScopeShape,
    pub(crate) warnings: Vec<Diagnostic>,
}

#[derive(Clone, Copy)]
pub(crate) enum Step<'r> {
    Push(&'r str),
    And,
    Or,
    Not,
}

/// An entry of the stack: its shape (`None` after an atom that has an error already) and the token that pushed it.
#[derive(Clone, Copy)]
struct Operand {
    shape: Option<ScopeShape>,
    token: usize,
}

/// Checks a program, or reports its errors by token, then by atom.
pub(crate) fn check(request: &ScopeRequest) -> Result<Checked<'_>, Vec<Diagnostic>> {
    let mut checker = Checker::default();
    checker.atoms(request);
    checker.tokens(request);
    let mut diagnostics = checker.diagnostics;
    diagnostics.sort_by_key(|it| it.token_index.unwrap_or(usize::MAX));
    let is_wrong = diagnostics.iter().any(|it| it.severity == Severity::Error);
    let shape = checker.stack.first().and_then(|operand| operand.shape);
    match shape {
        Some(shape) if !is_wrong => Ok(Checked {
            atoms: checker.atoms,
            steps: checker.steps,
            shape,
            warnings: diagnostics,
        }),
        _ => Err(diagnostics),
    }
}

#[derive(Default)]
struct Checker<'r> {
    atoms: BTreeMap<&'r str, (&'r ScopeAtom, Target)>,
    /// Atoms with errors.
    invalid: BTreeSet<&'r str>,
    steps: Vec<Step<'r>>,
    stack: Vec<Operand>,
    diagnostics: Vec<Diagnostic>,
}

impl<'r> Checker<'r> {
    fn error(&mut self, code: DiagnosticCode, token: Option<usize>, message: String) {
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            code,
            token_index: token,
            atom_id: None,
            message,
        });
    }

    fn atoms(&mut self, request: &'r ScopeRequest) {
        let pushed: BTreeMap<&str, usize> = request
            .tokens
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(index, token)| Some((token.atom_id.as_deref()?, index)))
            .collect();
        let mut seen = BTreeSet::new();
        for atom in &request.atoms {
            let id = atom.atom_id.as_str();
            let token = pushed.get(id).copied();
            let mut report = |severity, code, message| {
                self.diagnostics.push(Diagnostic {
                    severity,
                    code,
                    token_index: token,
                    atom_id: Some(id.to_owned()),
                    message,
                });
            };
            if !seen.insert(id) {
                let message = format!("duplicate atom id `{id}`");
                report(Severity::Error, DiagnosticCode::DuplicateAtom, message);
                continue;
            }
            if token.is_none() {
                let message = format!("no token uses atom `{id}`");
                report(Severity::Warning, DiagnosticCode::UnusedAtom, message);
                continue;
            }
            match Target::from_atom(atom) {
                Ok(target) => {
                    self.atoms.insert(id, (atom, target));
                }
                Err(message) => {
                    let message = format!("atom `{id}`: {message}");
                    report(Severity::Error, DiagnosticCode::InvalidAtom, message);
                    self.invalid.insert(id);
                }
            }
        }
    }

    fn tokens(&mut self, request: &'r ScopeRequest) {
        if request.tokens.is_empty() {
            let message = "the program has no tokens".to_owned();
            self.error(DiagnosticCode::EmptyProgram, None, message);
            return;
        }
        for (index, token) in request.tokens.iter().enumerate() {
            let atom_id = token.atom_id.as_deref();
            if let (TokenOp::And | TokenOp::Or | TokenOp::Not, Some(id)) = (token.op, atom_id) {
                let message = format!("{} takes no atom, but has `{id}`", token.op.as_str());
                self.error(DiagnosticCode::UnexpectedAtomId, Some(index), message);
            }
            let is_done = match token.op {
                TokenOp::PushAtom => self.push(index, atom_id),
                TokenOp::And => self.binary(index, token.op, Step::And),
                TokenOp::Or => self.binary(index, token.op, Step::Or),
                TokenOp::Not => self.not(index),
            };
            // After an underflow, every further error would be a consequence of it.
            if !is_done {
                return;
            }
        }
        if let [_, .., extra] = self.stack.as_slice() {
            let (token, left) = (extra.token, self.stack.len());
            let ends: Vec<String> = self.stack.iter().map(|it| it.token.to_string()).collect();
            let message = format!(
                "the program leaves {left} scopes on the stack (of tokens {}) instead of one",
                ends.join(", ")
            );
            self.error(DiagnosticCode::LeftoverStack, Some(token), message);
        }
    }

    fn push(&mut self, index: usize, atom_id: Option<&'r str>) -> bool {
        let shape = match atom_id {
            None => {
                let message = "PUSH_ATOM has no atom".to_owned();
                self.error(DiagnosticCode::MissingAtomId, Some(index), message);
                None
            }
            Some(id) => match self.atoms.get(id) {
                Some((_, target)) => {
                    let shape = target.shape();
                    self.steps.push(Step::Push(id));
                    Some(shape)
                }
                None => {
                    if !self.invalid.contains(id) {
                        let message = format!("unknown atom `{id}`");
                        self.error(DiagnosticCode::UnknownAtom, Some(index), message);
                    }
                    None
                }
            },
        };
        self.stack.push(Operand {
            shape,
            token: index,
        });
        true
    }

    fn binary(&mut self, index: usize, op: TokenOp, step: Step<'r>) -> bool {
        let [.., left, right] = self.stack.as_slice() else {
            return self.underflow(index, op, "2 scopes");
        };
        let shape = left.shape.zip(right.shape).map(|(left, right)| match step {
            Step::Or => left.or(right),
            _ => left.and(right),
        });
        self.stack.truncate(self.stack.len() - 2);
        self.steps.push(step);
        self.stack.push(Operand {
            shape,
            token: index,
        });
        true
    }

    fn not(&mut self, index: usize) -> bool {
        let Some(operand) = self.stack.pop() else {
            return self.underflow(index, TokenOp::Not, "1 scope");
        };
        if let Some(shape @ (ScopeShape::Local | ScopeShape::Mixed)) = operand.shape {
            let message = format!(
                "NOT takes a global scope, but token {} is {}",
                operand.token,
                shape.as_str().to_lowercase()
            );
            self.error(DiagnosticCode::WrongShape, Some(index), message);
        }
        self.steps.push(Step::Not);
        self.stack.push(Operand {
            shape: operand.shape.map(|_| ScopeShape::Global),
            token: index,
        });
        true
    }

    fn underflow(&mut self, index: usize, op: TokenOp, needs: &str) -> bool {
        let message = format!(
            "{} needs {needs}, but the stack has {}",
            op.as_str(),
            self.stack.len()
        );
        self.error(DiagnosticCode::StackUnderflow, Some(index), message);
        false
    }
}
