//! The arguments of an attribute as an assembly holds them (ECMA-335, §II.23.3): one for each parameter of the
//! constructor, default values filled in, those of `params` in an array.
//!
//! Must not know: what attributes are compared for.

use cortex_model::DeclKind;

use super::super::{
    Value,
    constants::{self, Argument},
};
use crate::{
    compilation::Compilation,
    names::Position,
    symbol::{Member, MemberFlags, MemberOrigin, TypeId},
};

/// The arguments for each parameter of the constructor that an attribute of this class calls. As written where
/// the number and names of the arguments do not single out one constructor: then all that fit have the same number
/// of parameters in most cases, and nothing has to be filled in. As written, too, where the class is from outside: the
/// values of its default parameters are not known, and may be those of the place (`[CallerLineNumber]`).
pub(super) fn arguments(
    c: &Compilation<'_>,
    class: TypeId,
    written: Vec<Argument<'_>>,
) -> Vec<Value> {
    let all = c.members(class).all.iter().map(|&id| c.member(id));
    let fitting: Vec<Fit<'_>> = all
        .filter(|member| member.kind == DeclKind::Constructor && !member.is_static())
        .filter(|member| matches!(member.origin, MemberOrigin::Source(..)))
        .filter_map(|member| Fit::new(c, member, &written))
        .collect();
    // A constructor that needs neither default values nor an expanded array is better (C# specification, §12.6.4.3).
    let exact: Vec<&Fit<'_>> = fitting.iter().filter(|fit| fit.is_exact()).collect();
    let chosen = match (&*exact, &*fitting) {
        ([only], _) => only,
        ([], [only]) => only,
        _ => return written.into_iter().map(|it| it.value).collect(),
    };
    chosen.arguments(c, written)
}

/// A constructor that takes the arguments of an attribute.
struct Fit<'c> {
    constructor: &'c Member,
    /// For each argument the index of its parameter; beyond the first of a `params` array they are its elements.
    parameters: Vec<usize>,
    is_expanded: bool,
}

impl<'c> Fit<'c> {
    /// `None` if the constructor cannot take the arguments, by their number and names.
    fn new(c: &Compilation<'_>, constructor: &'c Member, written: &[Argument<'_>]) -> Option<Self> {
        let params = &constructor.signature.params;
        let is_array = |value: &Value| matches!(value, Value::Array(_) | Value::Null);
        let ends_in_params = params.last().is_some_and(|param| param.is_params);
        let is_expanded = ends_in_params
            && !(written.len() == params.len()
                && written.last().is_some_and(|last| is_array(&last.value)));
        let mut parameters = Vec::with_capacity(written.len());
        for (at, argument) in written.iter().enumerate() {
            let index = match argument.name {
                Some(name) => (params.iter())
                    .position(|param| c.text(param.name) == name.trim_start_matches('@'))?,
                None if at < params.len() => at,
                None if is_expanded => params.len() - 1,
                None => return None,
            };
            parameters.push(index);
        }
        let is_given = |at: usize| {
            params[at].is_optional
                || params[at].is_params && is_expanded
                || parameters.contains(&at)
        };
        (0..params.len()).all(is_given).then_some(Self {
            constructor,
            parameters,
            is_expanded,
        })
    }

    fn is_exact(&self) -> bool {
        !self.is_expanded && self.parameters.len() == self.constructor.signature.params.len()
    }

    /// One value for each parameter.
    fn arguments(&self, c: &Compilation<'_>, written: Vec<Argument<'_>>) -> Vec<Value> {
        let params = &self.constructor.signature.params;
        let mut out: Vec<Option<Value>> = vec![None; params.len()];
        let mut elements = Vec::new();
        for (argument, &at) in written.into_iter().zip(&self.parameters) {
            if params[at].is_params && self.is_expanded {
                elements.push(argument.value);
            } else {
                out[at] = Some(argument.value);
            }
        }
        if self.is_expanded {
            out[params.len() - 1] = Some(Value::Array(elements));
        }
        let values = out.into_iter().enumerate();
        values
            .map(|(at, value)| value.unwrap_or_else(|| default(c, self.constructor, at)))
            .collect()
    }
}

/// The default value of a parameter.
fn default(c: &Compilation<'_>, constructor: &Member, at: usize) -> Value {
    let declared = || {
        let MemberOrigin::Source(unit, decl) = constructor.origin else {
            return None;
        };
        let facts = c.unit(unit).facts(c);
        let mut scope = c.scope_of(unit, Some(decl), Position::Body);
        if constructor.is(MemberFlags::PRIMARY) {
            scope.position = Position::Header;
        }
        let param = facts.decls[decl as usize].params.as_deref()?.get(at)?;
        Some(constants::value(c, &scope, facts.name(param.default?)))
    };
    declared().unwrap_or_else(|| Value::Source("default".to_owned()))
}
