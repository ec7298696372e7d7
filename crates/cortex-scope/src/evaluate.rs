//! The stack machine that evaluates a program against a universe.

use std::collections::BTreeMap;

use crate::{
    check::{Checked, Step, check},
    data::{FailureMode, ScopeDescriptor, ScopeRequest},
    diagnostic::{Diagnostic, DiagnosticCode, Severity},
    infix,
    resolve::{Failure, Resolver},
    scope::Scope,
    target::Target,
    universe::Universe,
};

/// A resolved program with its result.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The program with its diagnostics.
    pub descriptor: ScopeDescriptor,
    /// The shape of the result.
    pub scope: Scope,
}

/// Describes a program without resolving its atoms, or reports its errors.
pub fn describe(request: &ScopeRequest) -> Result<ScopeDescriptor, Vec<Diagnostic>> {
    Ok(descriptor(request, check(request)?))
}

/// Resolves a program, or reports all errors and warnings, by token.
pub fn resolve(
    request: &ScopeRequest,
    universe: &dyn Universe,
) -> Result<Resolved, Vec<Diagnostic>> {
    let mut checked = check(request)?;
    let mut machine = Machine {
        request,
        resolver: Resolver::new(universe, request.allow_ui_interactive_scopes),
        resolved: BTreeMap::new(),
        diagnostics: std::mem::take(&mut checked.warnings),
    };
    let scope = machine.run(&checked);
    let mut diagnostics = std::mem::take(&mut machine.diagnostics);
    diagnostics.sort_by_key(|it| it.token_index.unwrap_or(usize::MAX));
    if diagnostics.iter().any(|it| it.severity == Severity::Error) {
        return Err(diagnostics);
    }
    let Some(scope) = scope else {
        diagnostics.push(Diagnostic {
            severity: Severity::Error,
            code: DiagnosticCode::NothingLeft,
            token_index: Some(request.tokens.len() - 1),
            atom_id: None,
            message: "every atom was skipped, so the program is empty".to_owned(),
        });
        return Err(diagnostics);
    };
    let holders: BTreeMap<String, String> = checked
        .atoms
        .iter()
        .filter_map(|(id, (_, target))| match target {
            Target::Named { name, holder: None } => {
                let holder = machine.resolver.holder(name)?.to_owned();
                let found = Target::Named {
                    name: name.clone(),
                    holder: Some(holder),
                };
                Some(((*id).to_owned(), found.reference()?))
            }
            _ => None,
        })
        .collect();
    let mut descriptor = descriptor(request, checked);
    for atom in &mut descriptor.atoms {
        if let Some(reference) = holders.get(&atom.atom_id) {
            atom.scope_ref_id = Some(reference.clone());
        }
    }
    descriptor.scope_shape = scope.shape();
    descriptor.diagnostics = diagnostics;
    Ok(Resolved { descriptor, scope })
}

fn descriptor(request: &ScopeRequest, checked: Checked<'_>) -> ScopeDescriptor {
    let atoms = request
        .atoms
        .iter()
        .map(|atom| {
            let mut atom = atom.clone();
            if let Some((_, target)) = checked.atoms.get(atom.atom_id.as_str()) {
                atom.scope_ref_id = target.reference();
            }
            atom
        })
        .collect();
    ScopeDescriptor {
        version: ScopeDescriptor::VERSION,
        atoms,
        tokens: request.tokens.clone(),
        display_name: infix::print_checked(&checked),
        scope_shape: checked.shape,
        diagnostics: checked.warnings,
    }
}

/// The result of an atom: `None` where it is skipped or fails.
type Operand = Option<Scope>;

struct Machine<'r, 'u> {
    request: &'r ScopeRequest,
    resolver: Resolver<'u>,
    /// Results by atom.
    resolved: BTreeMap<&'r str, Operand>,
    diagnostics: Vec<Diagnostic>,
}

impl<'r> Machine<'r, '_> {
    /// Evaluates the steps. Every atom is resolved even where one failed, so that the caller sees all errors.
    fn run(&mut self, checked: &Checked<'r>) -> Operand {
        let mut stack: Vec<Operand> = Vec::new();
        for (token, step) in checked.steps.iter().enumerate() {
            let result = match step {
                Step::Push(id) => self.atom(checked, id, token),
                Step::Not => stack.pop().flatten().and_then(Scope::complement),
                Step::And | Step::Or => {
                    let right = stack.pop().flatten();
                    let left = stack.pop().flatten();
                    match (left, right) {
                        (Some(left), Some(right)) => Some(match step {
                            Step::And => left.and(&right),
                            _ => left.or(&right),
                        }),
                        // An operand that is skipped takes its operator with it.
                        (left, right) => left.or(right),
                    }
                }
            };
            stack.push(result);
        }
        stack.pop().flatten()
    }

    fn atom(&mut self, checked: &Checked<'r>, id: &'r str, token: usize) -> Operand {
        if let Some(known) = self.resolved.get(id) {
            return known.clone();
        }
        let (atom, target) = &checked.atoms[id];
        let result = self.resolver.scope(target);
        for (code, message) in self.resolver.take_warnings() {
            self.diagnostics.push(Diagnostic {
                severity: Severity::Warning,
                code,
                token_index: Some(token),
                atom_id: Some(id.to_owned()),
                message: format!("atom `{id}`: {message}"),
            });
        }
        let operand = match result {
            Ok(scope) => Some(scope),
            Err(failure) => {
                let mode = match self.request.strict {
                    true => FailureMode::Fail,
                    false => atom
                        .on_resolve_failure
                        .unwrap_or(self.request.non_strict_default_failure_mode),
                };
                self.report(id, token, &failure, mode);
                (mode == FailureMode::EmptyScope).then(|| self.resolver.empty(target.shape()))
            }
        };
        self.resolved.insert(id, operand.clone());
        operand
    }

    fn report(&mut self, id: &'r str, token: usize, failure: &Failure, mode: FailureMode) {
        let (severity, consequence) = match mode {
            FailureMode::Fail => (Severity::Error, ""),
            FailureMode::EmptyScope => (Severity::Warning, "; using an empty scope"),
            FailureMode::Skip => (Severity::Warning, "; skipping it"),
        };
        self.diagnostics.push(Diagnostic {
            severity,
            code: failure.code,
            token_index: Some(token),
            atom_id: Some(id.to_owned()),
            message: format!("atom `{id}`: {}{consequence}", failure.message),
        });
    }
}
