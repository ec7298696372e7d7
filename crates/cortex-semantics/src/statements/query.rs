//! Query expressions (C# specification, §12.20): method calls with lambdas over range variables.
//!
//! Several range variables travel as one anonymous type with a member each (the specification's
//! transparent identifiers, flat). A clause's lambda is an [`ExprKind::Lambda`] whose node is not a lambda:
//! it stands in a table by a node outside of its body, so that inference and conversion treat it like any.

use std::rc::Rc;

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind};
use smallvec::SmallVec;

use super::lambda::BoundLambda;
use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind, Extensions, MethodGroup},
    local_names::{LocalKind, LocalRole, LocalSymbol},
    name::{Name, known},
    names::MemberLookup,
    output::How,
    overload::Recorded,
    symbol::RefKind,
    ty::{Ty, TyKind},
};

/// The lambda that a clause stands for.
#[derive(Clone, Debug)]
pub(crate) struct QueryLambda {
    /// By parameter: the range variables in it. More than one are the members of an anonymous type.
    pub(super) params: SmallVec<[Ranges; 2]>,
    body: Body,
}

/// Range variables, in order.
type Ranges = Rc<[RangeVariable]>;

/// A range variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct RangeVariable {
    name: Name,
    symbol: LocalSymbol,
}

#[derive(Clone, Copy, Debug)]
enum Body {
    /// An expression.
    Expr(BodyId),
    /// A sequence whose elements are cast to a type: expression, type, where the cast is recorded.
    Cast(BodyId, BodyId, u32),
    /// All range variables in one, with the value of one more where it is given; the node stands for the whole.
    Pack(BodyId, Option<BodyId>),
}

impl QueryLambda {
    pub(super) fn body_node(&self) -> BodyId {
        match self.body {
            Body::Expr(node) | Body::Cast(node, ..) | Body::Pack(node, _) => node,
        }
    }
}

/// A query as far as it is translated.
struct Query {
    current: Expr,
    ranges: Ranges,
    /// Whether an operator was called since the last `from` at the start or `into`.
    has_operator: bool,
}

impl Binder<'_, '_> {
    /// §12.20: a query expression; operators recorded as `How::Query`.
    pub(crate) fn bind_query(&mut self, node: BodyId) -> Expr {
        let clauses: Vec<BodyId> = self.children(node).collect();
        let Some((&from, rest)) = clauses.split_first() else {
            return Expr::error(node);
        };
        let mut parts = self.children(from);
        let (Some(variable), Some(source)) = (parts.next(), parts.next()) else {
            return Expr::error(node);
        };
        let offset = self.node(from).offset;
        let mut query = Query {
            current: self.query_source(source, parts.next(), offset),
            ranges: Rc::new([self.range_variable(variable)]),
            has_operator: false,
        };
        let mut index = 0;
        while let Some(&clause) = rest.get(index) {
            index += 1;
            let next = rest.get(index).copied();
            let select = next.filter(|&next| self.body_kind(next) == BodyKind::SelectClause);
            match self.body_kind(clause) {
                BodyKind::FromClause => {
                    self.next_source(&mut query, clause, select);
                    index += usize::from(select.is_some());
                }
                BodyKind::JoinClause => {
                    self.join_clause(&mut query, clause, select);
                    index += usize::from(select.is_some());
                }
                _ => self.clause(&mut query, clause),
            }
        }
        Expr {
            node,
            ..query.current
        }
    }

    fn clause(&mut self, query: &mut Query, clause: BodyId) {
        let data = self.node(clause);
        let mut children = self.children(clause);
        let Some(first) = children.next() else { return };
        let one = |query: &Query| SmallVec::from_iter([query.ranges.clone()]);
        match data.kind {
            BodyKind::LetClause => {
                let Some(value) = children.next() else { return };
                let body = Body::Pack(clause, Some(value));
                let lambda = self.query_lambda(clause, one(query), body);
                self.operator(query, known::SELECT, vec![lambda], data.offset);
                let added = self.range_variable(first);
                query.ranges = with(&query.ranges, added);
            }
            BodyKind::WhereClause => {
                let lambda = self.query_lambda(clause, one(query), Body::Expr(first));
                self.operator(query, known::WHERE, vec![lambda], data.offset);
            }
            BodyKind::OrderByClause => {
                for (position, key) in self.children(clause).enumerate() {
                    let Some(value) = self.first(key) else {
                        continue;
                    };
                    let key_data = self.node(key);
                    let name = match (position, key_data.flags & 1) {
                        (0, 0) => known::ORDER_BY,
                        (0, _) => known::ORDER_BY_DESCENDING,
                        (_, 0) => known::THEN_BY,
                        _ => known::THEN_BY_DESCENDING,
                    };
                    let lambda = self.query_lambda(key, one(query), Body::Expr(value));
                    self.operator(query, name, vec![lambda], key_data.offset);
                }
            }
            BodyKind::SelectClause => {
                // §12.20.3.6: selecting the range variable itself is left out, but for `from x in e select x`.
                if query.has_operator && self.is_range(query, first) {
                    self.record_range(query, first);
                    return;
                }
                let lambda = self.query_lambda(clause, one(query), Body::Expr(first));
                self.operator(query, known::SELECT, vec![lambda], data.offset);
            }
            BodyKind::GroupClause => {
                let Some(key) = children.next() else { return };
                let mut args = vec![self.query_lambda(first, one(query), Body::Expr(key))];
                if self.is_range(query, first) {
                    self.record_range(query, first);
                } else {
                    args.push(self.query_lambda(clause, one(query), Body::Expr(first)));
                }
                self.operator(query, known::GROUP_BY, args, data.offset);
            }
            BodyKind::IntoClause => {
                query.ranges = Rc::new([self.range_variable(first)]);
                query.has_operator = false;
            }
            _ => {}
        }
    }

    /// §12.20.3.5: a second `from`; a `select` right after it is its result.
    fn next_source(&mut self, query: &mut Query, clause: BodyId, select: Option<BodyId>) {
        let offset = self.node(clause).offset;
        let mut children = self.children(clause);
        let (Some(variable), Some(source)) = (children.next(), children.next()) else {
            return;
        };
        let added = self.range_variable(variable);
        let body = match children.next() {
            Some(ty) => Body::Cast(source, ty, offset),
            None => Body::Expr(source),
        };
        let outer = query.ranges.clone();
        let collection = self.query_lambda(variable, SmallVec::from_iter([outer.clone()]), body);
        let result = self.result_lambda(clause, outer, added, select);
        self.operator(query, known::SELECT_MANY, vec![collection, result], offset);
        query.ranges = with(&query.ranges, added);
    }

    fn join_clause(&mut self, query: &mut Query, clause: BodyId, select: Option<BodyId>) {
        let data = self.node(clause);
        let parts: Vec<BodyId> = self.children(clause).collect();
        let [variable, source, outer_key, inner_key, ref rest @ ..] = parts[..] else {
            return;
        };
        let into = rest.first().copied().filter(|_| data.flags & 1 != 0);
        let written = rest.last().copied().filter(|_| data.flags & 2 != 0);
        let inner = self.query_source(source, written, data.offset);
        let inner_name = self.range_variable(variable);
        let outer = query.ranges.clone();
        let one: Ranges = Rc::new([inner_name]);
        let outer_key = self.query_lambda(
            variable,
            SmallVec::from_iter([outer.clone()]),
            Body::Expr(outer_key),
        );
        let inner_key =
            self.query_lambda(source, SmallVec::from_iter([one]), Body::Expr(inner_key));
        let (name, result) = match into {
            Some(into) => (known::GROUP_JOIN, self.range_variable(into)),
            None => (known::JOIN, inner_name),
        };
        let result_lambda = self.result_lambda(clause, outer, result, select);
        let inner = Arg {
            name: None,
            ref_kind: RefKind::None,
            expr: inner,
        };
        let args = vec![inner, outer_key, inner_key, result_lambda];
        self.operator(query, name, args, data.offset);
        query.ranges = with(&query.ranges, result);
    }

    /// The lambda of two parameters that ends `SelectMany`, `Join` and `GroupJoin`.
    fn result_lambda(
        &mut self,
        clause: BodyId,
        outer: Ranges,
        inner: RangeVariable,
        select: Option<BodyId>,
    ) -> Arg {
        let body = match select.and_then(|select| self.first(select)) {
            Some(value) => Body::Expr(value),
            None => Body::Pack(clause, None),
        };
        let params = SmallVec::from_iter([outer, Rc::new([inner]) as Ranges]);
        self.query_lambda(clause, params, body)
    }

    fn query_lambda(&mut self, node: BodyId, params: SmallVec<[Ranges; 2]>, body: Body) -> Arg {
        let lambda = Rc::new(QueryLambda { params, body });
        self.statements.query_lambdas.insert(node, lambda);
        Arg {
            name: None,
            ref_kind: RefKind::None,
            expr: Expr::of(node, Ty::NONE, ExprKind::Lambda),
        }
    }

    /// Calls an operator on the query so far.
    fn operator(&mut self, query: &mut Query, name: Name, args: Vec<Arg>, offset: u32) {
        query.has_operator = true;
        let lambdas: SmallVec<[BodyId; 4]> = args
            .iter()
            .filter(|arg| matches!(arg.expr.kind, ExprKind::Lambda))
            .map(|arg| arg.expr.node)
            .collect();
        let node = query.current.node;
        let recorded = Recorded::Hidden(offset, How::Query);
        if !query.current.is_error()
            && let Some(result) = self.call_by_name(&query.current, name, args, recorded)
        {
            query.current = Expr { node, ..result };
            return;
        }
        for lambda in lambdas {
            self.finish_lambda(lambda, None);
        }
        query.current = Expr::error(node);
    }

    /// The sequence behind `in`; with a type, its elements are cast (§12.20.3.4).
    fn query_source(&mut self, source: BodyId, written: Option<BodyId>, offset: u32) -> Expr {
        let source = self.bind_value(source);
        let Some(written) = written else {
            return source;
        };
        let ty = self.bind_type_node(written, EdgeKind::Local);
        if source.is_error() {
            return source;
        }
        let access = self.access(Some(source.ty));
        let methods = match self
            .c
            .lookup_member(source.ty, known::CAST, Some(1), access)
        {
            MemberLookup::Methods(methods) => methods.into_iter().collect(),
            _ => Box::default(),
        };
        let group = MethodGroup {
            name: known::CAST,
            offset,
            receiver: Some(source.clone()),
            methods,
            type_args: Box::new([ty]),
            extensions: Extensions::Allowed,
        };
        let recorded = Recorded::Hidden(offset, How::Query);
        self.call_group(source.node, &group, Vec::new(), recorded)
    }

    /// How many parameters the lambda of a query clause has; `None` for other lambdas.
    pub(crate) fn query_arity(&self, lambda: BodyId) -> Option<usize> {
        let query = self.statements.query_lambdas.get(&lambda)?;
        Some(query.params.len())
    }

    /// Records the use of a range variable that no operator is called for.
    fn record_range(&mut self, query: &Query, node: BodyId) {
        if let [only] = *query.ranges {
            let offset = self.node(node).offset;
            self.record_local(offset, only.symbol, LocalRole::Use);
        }
    }

    fn is_range(&self, query: &Query, node: BodyId) -> bool {
        let is_name = self.body_kind(node) == BodyKind::Name;
        is_name && matches!(*query.ranges, [only] if only.name == self.name_of(node))
    }

    /// The body of a clause's lambda for parameter types.
    pub(super) fn query_lambda_body(&mut self, lambda: &QueryLambda, params: &[Ty]) -> BoundLambda {
        let base = self.locals.len();
        for (ranges, &ty) in lambda.params.iter().zip(params) {
            self.declare_ranges(ranges, ty);
        }
        let value = match lambda.body {
            Body::Expr(node) => self.bind(node),
            Body::Cast(node, ty, offset) => self.query_source(node, Some(ty), offset),
            Body::Pack(node, added) => {
                let ranges = base..self.locals.len();
                let mut types: Vec<Ty> = self.locals[ranges].iter().map(|local| local.ty).collect();
                if let Some(value) = added {
                    types.push(match self.bind_value(value).ty {
                        Ty::NONE => Ty::ERROR,
                        ty => ty,
                    });
                }
                // No code names its members: variables are found by their positions.
                let members = types.into_iter().enumerate();
                let members = members.map(|(at, ty)| (self.c.name(&format!("<>{at}")), ty));
                let members: Box<[(Name, Ty)]> = members.collect();
                Expr::value(node, self.c.intern(TyKind::Anonymous(members)))
            }
        };
        let value = self.returned(value);
        self.value_lambda(value)
    }

    fn declare_ranges(&mut self, ranges: &[RangeVariable], ty: Ty) {
        if let [only] = *ranges {
            let local = self.declare(only.name, ty, only.symbol);
            self.keep_values_from(local as usize);
            return;
        }
        let members: Vec<Ty> = match self.c.kind(ty) {
            TyKind::Anonymous(members) if members.len() == ranges.len() => {
                members.iter().map(|&(_, ty)| ty).collect()
            }
            _ => vec![Ty::ERROR; ranges.len()],
        };
        for (range, ty) in ranges.iter().zip(members) {
            let local = self.declare(range.name, ty, range.symbol);
            self.keep_values_from(local as usize);
        }
    }

    /// The variable that a clause declares.
    fn range_variable(&mut self, declarator: BodyId) -> RangeVariable {
        let offset = self.node(declarator).offset;
        let symbol = LocalSymbol::Declared(offset);
        let role = LocalRole::Declaration(LocalKind::RangeVariable);
        self.record_local(offset, symbol, role);
        RangeVariable {
            name: self.name_of(declarator),
            symbol,
        }
    }
}

fn with(ranges: &[RangeVariable], added: RangeVariable) -> Ranges {
    ranges.iter().copied().chain([added]).collect()
}
