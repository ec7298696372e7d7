//! Local functions (C# specification, §13.6.4): members that only their block sees.

use cortex_model::{Accessibility, DeclKind, EdgeKind};
use cortex_syntax::{BodyId, BodyKind, body_flags, ref_kind};

use super::lambda::written_ref_kind;
use crate::{
    binder::{Binder, Initializes, Local, Returns},
    driver::bodies::bind_attribute,
    expressions::ConstantFor,
    local_names::{LocalKind, LocalRole, LocalSymbol},
    name::{Name, known},
    special::Special,
    symbol::{
        CallerInfo, Constraints, Member, MemberFlags, MemberId, MemberOrigin, Param, RefKind,
        Signature, TypeParamId, TypeParamOwner,
    },
    ty::Ty,
};

/// The parts of a `LocalFunction`.
#[derive(Default)]
struct Parts {
    attributes: Vec<BodyId>,
    type_params: Vec<BodyId>,
    return_type: Option<BodyId>,
    params: Vec<BodyId>,
    body: Option<BodyId>,
}

impl Binder<'_, '_> {
    fn function_parts(&self, node: BodyId) -> Parts {
        let mut parts = Parts::default();
        for child in self.children(node) {
            match self.body_kind(child) {
                BodyKind::Attribute => parts.attributes.push(child),
                BodyKind::TypeParameter => parts.type_params.push(child),
                BodyKind::LambdaParameter => parts.params.push(child),
                _ if parts.return_type.is_none() => parts.return_type = Some(child),
                _ => parts.body = Some(child),
            }
        }
        parts
    }

    /// Brings a local function into scope. Nothing is recorded.
    pub(super) fn declare_function(&mut self, node: BodyId) {
        let function = match self.statements.functions.get(&node) {
            Some(&member) => Some(member),
            None => self.speculate(|binder| binder.new_function(node)).0,
        };
        let name = self.name_of(node);
        let symbol = self.declared_by(node);
        self.declare_local(Local {
            name,
            ty: if function.is_some() {
                Ty::NONE
            } else {
                Ty::ERROR
            },
            function,
            ref_kind: RefKind::None,
            constant: None,
            is_constant: false,
            is_readonly: true,
            symbol,
        });
    }

    /// The declaration of a local function.
    pub(crate) fn function_node(&self, member: MemberId) -> Option<BodyId> {
        let functions = self.bodies.nodes().iter().zip(0..);
        let mut functions = functions.filter(|(node, _)| node.kind == BodyKind::LocalFunction);
        let found = functions.find(|(_, id)| self.statements.functions.get(id) == Some(&member));
        found.map(|(_, id)| id)
    }

    fn new_function(&mut self, node: BodyId) -> Option<MemberId> {
        let owner = match self.scope.container {
            Some(owner) => owner,
            None => self.c.well_known(Special::Object)?,
        };
        let parts = self.function_parts(node);
        let flags = self.node(node).flags;
        let id = self.c.reserve_member();
        let type_params: Vec<(Name, TypeParamId)> = parts
            .type_params
            .iter()
            .enumerate()
            .map(|(index, &param)| {
                let name = self.name_of(param);
                let owner = TypeParamOwner::Method(id);
                (name, self.c.new_type_param(owner, index, name))
            })
            .collect();
        let outer = self.scope.type_params.len();
        self.scope.type_params.extend_from_slice(&type_params);
        for (&node, &(_, param)) in parts.type_params.iter().zip(&type_params) {
            let constraints = self.function_constraints(node);
            // Invariant: the type parameter was made above, so nobody has set its constraints.
            let _ = self.c.type_param(param).constraints.set(constraints);
        }
        let params = parts
            .params
            .iter()
            .map(|&param| self.function_param(param))
            .collect();
        let ty = parts
            .return_type
            .map_or(Ty::ERROR, |ty| self.bind_type_node(ty, EdgeKind::Local));
        let ret_kind = match parts.return_type {
            Some(ty) if self.body_kind(ty) == BodyKind::RefType => {
                written_ref_kind(self.node(ty).flags)
            }
            _ => RefKind::None,
        };
        self.scope.type_params.truncate(outer);
        let member = Member {
            id,
            name: self.name_of(node),
            kind: DeclKind::Method,
            owner,
            accessibility: Accessibility::Public,
            flags: MemberFlags::LOCAL
                .with(MemberFlags::STATIC)
                .with_if(MemberFlags::ASYNC, flags & body_flags::ASYNC != 0),
            origin: match self.decl {
                Some(decl) => MemberOrigin::Source(self.scope.unit, decl),
                None => MemberOrigin::External,
            },
            signature: Signature {
                type_params: type_params.iter().map(|&(_, param)| param).collect(),
                params,
                ref_kind: ret_kind,
                ..Signature::of_type(ty)
            },
        };
        self.c.set_member(member);
        self.statements.functions.insert(node, id);
        Some(id)
    }

    fn function_param(&mut self, node: BodyId) -> Param {
        let flags = self.node(node).flags;
        let param = self.lambda_param(node);
        Param {
            name: param.name,
            ty: param.ty.unwrap_or(Ty::ERROR),
            ref_kind: param.ref_kind,
            is_params: flags & ref_kind::PARAMS != 0,
            is_optional: flags & ref_kind::OPTIONAL != 0,
            caller: CallerInfo::None,
        }
    }

    /// The constraints that a `TypeParameter` lists.
    fn function_constraints(&mut self, node: BodyId) -> Constraints {
        let mut constraints = Constraints::default();
        let mut types = Vec::new();
        for child in self.children(node) {
            if self.body_kind(child) == BodyKind::Name {
                match self.name_of(child) {
                    known::UNMANAGED => {
                        constraints.is_value = true;
                        continue;
                    }
                    known::NOTNULL => continue,
                    _ => {}
                }
            }
            let ty = self.bind_type_node(child, EdgeKind::Constraint);
            if !ty.is_error() {
                types.push(ty);
            }
        }
        constraints.types = types.into();
        constraints
    }

    /// The body of a local function, and the types that its head names.
    pub(super) fn bind_function(&mut self, node: BodyId) {
        let parts = self.function_parts(node);
        let Some(&function) = self.statements.functions.get(&node) else {
            return;
        };
        let outer = self.scope.type_params.len();
        let signature = &self.c.member(function).signature;
        for (&param, &node) in signature.type_params.iter().zip(&parts.type_params) {
            let name = self.c.type_param_name(param);
            self.scope.type_params.push((name, param));
            let role = LocalRole::Declaration(LocalKind::TypeParameter);
            let offset = self.node(node).offset;
            self.record_local(offset, LocalSymbol::TypeParameter(param), role);
        }
        for &attribute in &parts.attributes {
            bind_attribute(self, None, attribute);
        }
        for &param in &parts.type_params {
            self.function_constraints(param);
        }
        if let Some(ty) = parts.return_type {
            self.bind_type_node(ty, EdgeKind::Local);
        }
        let is_async = self.c.member(function).is(MemberFlags::ASYNC);
        let ret = if is_async {
            self.c.awaited_result(signature.ty)
        } else {
            signature.ty
        };
        let initializes = std::mem::replace(&mut self.initializes, Initializes::Nothing);
        self.in_block(|binder| {
            for &param in &parts.params {
                let param_data = binder.function_param(param);
                if let Some(default) = binder.children(param).nth(1) {
                    binder.bind_to(default, param_data.ty);
                    binder.check_constant(default, ConstantFor::Default);
                }
                let local = binder.declare_at(param, param_data.ty);
                binder.pass_local_as(local, param_data.ref_kind);
            }
            binder.returns.push(Returns {
                ty: Some(ret),
                found: Vec::new(),
                returns_nothing: false,
            });
            if let Some(body) = parts.body {
                binder.bind_body(body);
            }
            binder.returns.pop();
        });
        self.initializes = initializes;
        self.scope.type_params.truncate(outer);
    }
}
