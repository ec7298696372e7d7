//! Lambdas that no delegate of the type that their place wants can be made of (C# specification, §10.7.1).
//!
//! Must not know: what is in their bodies, but for whether they return a value.

use cortex_syntax::BodyId;

use crate::{binder::Binder, local_names::Recording, output::Misfit, ty::Ty};

impl Binder<'_, '_> {
    /// Records a lambda that stands where no function is wanted, or one with other parameters or results.
    pub(super) fn check_lambda(&mut self, node: BodyId, to: Ty) {
        let is_asked = self.recording == Recording::On;
        if is_asked && !self.c.is_partly_unknown(to) && !self.may_become(node, to) {
            self.record_misfit_at(self.start_of(node), Misfit::Conversion);
        }
    }

    fn may_become(&mut self, node: BodyId, to: Ty) -> bool {
        let Some(signature) = self.c.delegate_signature(to) else {
            return to == Ty::DYNAMIC || self.c.takes_function_type(to);
        };
        let shape = self.lambda_shape(node);
        let n_params = signature.params.len();
        if (shape.params.as_ref()).is_some_and(|params| params.len() != n_params) {
            return false;
        }
        let params: Vec<Ty> = signature.params.iter().map(|param| param.ty).collect();
        let bound = self.bind_lambda(node, &params, Ty::NONE);
        // What `async` lambdas give is in a task.
        bound.has_errors
            || signature.ret.is_error()
            || shape.is_async
            || match self.c.is_void(signature.ret) {
                true => bound.can_be_void,
                false => bound.can_be_value,
            }
    }
}
