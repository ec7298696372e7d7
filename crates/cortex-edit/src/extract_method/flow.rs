//! Which variables cross the border of the code: what it needs, and what it leaves behind.
//!
//! Decided on the ways that control takes ([`crate::ways`]). Errs on the side of refusing: a variable that lambdas share, or
//! that a reference stands for, stays.

use std::collections::BTreeSet;

use cortex_model::ByteRange;
use cortex_semantics::{LocalKind, LocalRole, LocalSymbol, MemberFlags, RefKind, Target, Ty};
use cortex_syntax::{BodyId, BodyKind, body_flags};

use super::{Code, Extraction};
use crate::{
    EditError,
    evaluation::write_of,
    type_text::TypeText,
    ways::{Carried, Conditions, Ways, is_deferred},
};

/// A variable that code inside and outside uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Crossing {
    pub(super) name: String,
    /// Its type, as code writes it.
    pub(super) ty: String,
    /// Whether the code declares it.
    pub(super) is_inside: bool,
    /// Whether its declaration says `var`.
    pub(super) is_var: bool,
}

/// All of them.
#[derive(Default)]
pub(super) struct Flow {
    /// What the code needs.
    pub(super) inputs: Vec<Crossing>,
    /// What code behind it uses.
    pub(super) results: Vec<Crossing>,
    /// What the code gives the first value to, and declares itself.
    pub(super) fresh: Vec<Crossing>,
    /// The uses of variables that are other ones afterwards.
    pub(super) uses: BTreeSet<u32>,
}

/// A use of a variable.
#[derive(Clone, Copy)]
struct Used {
    offset: u32,
    node: BodyId,
    is_inside: bool,
}

impl Extraction<'_, '_> {
    /// The variables that cross the border.
    pub(super) fn flow(&self, types: &mut TypeText<'_, '_>) -> Result<Flow, EditError> {
        let tree = self.tree();
        let mut flow = Flow::default();
        let ways = Ways::around(tree, &Conditions::new(), self.code.ends());
        let own: ByteRange = self.decl.range;
        let mut symbols: Vec<LocalSymbol> = (self.bound.locals.uses.iter())
            .filter(|used| self.range.contains(used.range.start))
            .map(|used| used.symbol)
            .collect();
        let declared = self.bound.locals.declarations.iter();
        symbols.extend(
            declared
                .filter(|it| self.range.contains(it.range.start))
                .map(|it| it.symbol),
        );
        // In the order of their declarations.
        let place = |symbol: &LocalSymbol| {
            let first = self.bound.locals.declarations_of(*symbol).next();
            (first.map(|it| it.range.start), *symbol)
        };
        symbols.sort_by_key(place);
        symbols.dedup();
        for symbol in symbols {
            let Some(declaration) = self
                .bound
                .locals
                .declarations_of(symbol)
                .find(|it| it.range.overlaps(own))
            else {
                continue;
            };
            let is_inside = self.range.contains(declaration.range.start);
            let mut uses = Vec::new();
            for used in self.bound.locals.uses_of(symbol) {
                let is_used_inside = self.range.contains(used.range.start);
                if let (LocalRole::Use, Some(node)) = (used.role, tree.name_at(used.range.start)) {
                    uses.push(Used {
                        offset: used.range.start,
                        node,
                        is_inside: is_used_inside,
                    });
                }
            }
            let crosses = uses.iter().any(|it| it.is_inside != is_inside);
            if !crosses {
                continue;
            }
            match declaration.kind {
                LocalKind::Local | LocalKind::Parameter | LocalKind::RangeVariable => {}
                LocalKind::LocalFunction => {
                    let help = "extract the function with the code, or make it a method first";
                    let reason = format!(
                        "the local function `{}` is used inside and outside of the code",
                        declaration.name
                    );
                    return Err(self.refused_at(declaration.range.start, &reason, help));
                }
                LocalKind::Label => {
                    return Err(self.refused_at(
                        declaration.range.start,
                        "a jump leads into or out of the code",
                        "",
                    ));
                }
                _ => continue,
            }
            if let LocalSymbol::Parameter(member, _) = symbol
                && self
                    .bound
                    .compilation
                    .member(member)
                    .is(MemberFlags::PRIMARY)
            {
                continue;
            }
            flow.uses.extend(uses.iter().map(|it| it.offset));
            self.add(
                &mut flow,
                (types, ways.as_ref()),
                (symbol, &declaration.name, declaration.range.start),
                &uses,
            )?;
        }
        self.add_value(&mut flow, types)?;
        Ok(flow)
    }

    /// Adds the `value` of an accessor, which no code declares; `field` cannot be passed.
    fn add_value(&self, flow: &mut Flow, types: &mut TypeText<'_, '_>) -> Result<(), EditError> {
        let tree = self.tree();
        let is_implicit = |id: &BodyId| {
            let offset = tree.node(*id).offset;
            tree.kind(*id) == BodyKind::Name
                && self.range.contains(offset)
                && self.bound.local(offset) == Some(LocalSymbol::Implicit)
        };
        let used: Vec<BodyId> = tree.nodes().filter(is_implicit).collect();
        let Some(&first) = used.first() else {
            return Ok(());
        };
        let at = tree.node(first).offset;
        let refused = |reason: &str| {
            let help = "extract code that does not use it";
            Err(self.refused_at(at, reason, help))
        };
        if used.iter().any(|&it| tree.text_of(it) != "value") {
            let name = tree.text_of(first);
            return refused(&format!("only this member has `{name}`"));
        }
        if used.iter().any(|&it| self.bound.writes(it)) {
            return refused("`value` is written");
        }
        let ty = self.bound.compilation.member(self.member).signature.ty;
        let ty = types.write(ty).or_else(|reason| {
            refused(&format!("`value` cannot be passed: {reason}")).map(|()| String::new())
        })?;
        flow.uses
            .extend(used.iter().map(|&it| tree.node(it).offset));
        flow.inputs.push(Crossing {
            name: "value".to_owned(),
            ty,
            is_inside: false,
            is_var: false,
        });
        Ok(())
    }

    fn add(
        &self,
        flow: &mut Flow,
        (types, ways): (&mut TypeText<'_, '_>, Option<&Ways>),
        (symbol, name, declared): (LocalSymbol, &str, u32),
        uses: &[Used],
    ) -> Result<(), EditError> {
        let refused = |at: u32, reason: String| {
            Err(self.refused_at(at, &reason, "extract more, or less, of the code"))
        };
        if self.is_by_reference(symbol, declared) {
            return refused(
                declared,
                format!("`{name}` is a reference to another variable"),
            );
        }
        let is_inside = self.range.contains(declared);
        if self.is_constant(declared) {
            return refused(
                declared,
                format!("`{name}` is a constant, and a parameter or result is none"),
            );
        }
        let writes = |it: &Used| self.bound.writes(it.node) || self.bound.runs_accessor(it.node);
        let is_written_inside = is_inside || uses.iter().any(|it| it.is_inside && writes(it));
        let is_written = is_inside || self.bound.is_written(symbol) || uses.iter().any(writes);
        if is_written && let Some(alias) = uses.iter().find(|it| self.is_aliased(it.node)) {
            let reason = format!("a reference or pointer stands for `{name}`, which is written");
            return refused(alias.offset, reason);
        }
        if is_written
            && let Some(captured) = uses.iter().find(|it| self.is_captured(it.node, declared))
            && uses.iter().any(writes)
        {
            return refused(
                captured.offset,
                format!("a lambda or local function shares `{name}`, which is written"),
            );
        }
        let carried = match ways {
            Some(ways) => {
                ways.carried(|at| at == declared || uses.iter().any(|it| it.offset == at))
            }
            None if is_written => {
                return refused(
                    declared,
                    format!("when the code runs and writes `{name}` cannot be told"),
                );
            }
            None => Carried::READ,
        };
        // What the code declares and code behind it names has to be declared there, too.
        let is_result = is_inside || is_written_inside && carried.is_used_after;
        if is_result && let Code::Expression(_) = self.code {
            return refused(
                declared,
                format!("the code gives `{name}` a value that is used behind it"),
            );
        }
        if is_written_inside && !is_inside && carried.is_used_midway {
            return refused(
                declared,
                format!("`{name}` is written, and an exception would lose that"),
            );
        }
        let is_input =
            !is_inside && (!is_written_inside || carried.is_needed || is_result && !carried.is_set);
        if is_input && !carried.has_value || is_result && !is_input && !carried.is_set {
            return refused(
                declared,
                format!("whether `{name}` has a value there cannot be told"),
            );
        }
        let (ty, is_var) = self
            .type_of_variable(symbol, declared, uses, types)
            .map_err(|reason| {
                let reason = format!("`{name}` cannot be passed: {reason}");
                self.refused_at(declared, &reason, "")
            })?;
        let token = crate::identifier::written(name).unwrap_or_else(|_| format!("@{name}"));
        let crossing = Crossing {
            name: token,
            ty,
            is_inside,
            is_var,
        };
        match (is_inside, is_input) {
            (true, _) => {}
            (false, true) => flow.inputs.push(crossing.clone()),
            (false, false) => flow.fresh.push(crossing.clone()),
        }
        if is_result {
            flow.results.push(crossing);
        }
        Ok(())
    }

    fn is_constant(&self, declared: u32) -> bool {
        let tree = self.tree();
        let declaration = tree.declared_at(declared).and_then(|it| tree.parent(it));
        declaration.is_some_and(|it| {
            tree.kind(it) == BodyKind::LocalDeclaration
                && tree.node(it).flags & body_flags::CONST != 0
        })
    }

    fn is_by_reference(&self, symbol: LocalSymbol, declared: u32) -> bool {
        match symbol {
            LocalSymbol::Parameter(member, at) => {
                let params = &self.bound.compilation.member(member).signature.params;
                params
                    .get(usize::from(at))
                    .is_none_or(|it| it.ref_kind != RefKind::None)
            }
            LocalSymbol::Declared(_) => self.bound.is_reference(declared),
            _ => true,
        }
    }

    /// Whether a use is in a lambda or local function that does not contain the declaration.
    fn is_captured(&self, node: BodyId, declared: u32) -> bool {
        let tree = self.tree();
        let functions = tree
            .ancestors(node)
            .filter(|&it| is_deferred(tree.kind(it)));
        functions
            .into_iter()
            .any(|it| !tree.span(it).contains(declared))
    }

    /// The type of a variable: as its declaration writes it, or as it is inferred.
    fn type_of_variable(
        &self,
        symbol: LocalSymbol,
        declared: u32,
        uses: &[Used],
        types: &mut TypeText<'_, '_>,
    ) -> Result<(String, bool), String> {
        let tree = self.tree();
        let node = tree.declared_at(declared);
        let written = node.and_then(|node| {
            let parent = tree.parent(node)?;
            let ty = match tree.kind(parent) {
                BodyKind::LocalDeclaration | BodyKind::ForEach => *tree.children(parent).first()?,
                BodyKind::DeclarationExpression | BodyKind::DeclarationPattern => {
                    *tree.children(parent).first()?
                }
                _ => return None,
            };
            let text = tree.text_of(ty);
            (text != "var"
                && !text.is_empty()
                && tree.kind(tree.parent(node)?) != BodyKind::RefType)
                .then(|| text.to_owned())
        });
        let known: Option<Ty> = uses.iter().find_map(|it| self.bound.type_of(it.node));
        let known = known.or_else(|| node.and_then(|node| self.bound.type_of_declared(node)));
        if let LocalSymbol::Parameter(member, at) = symbol
            && let Some(text) = self.parameter_text(member, at)
        {
            if let Some(ty) = known {
                types.write(ty)?;
                self.check_span(ty)?;
                types.check_visible(ty)?;
            }
            return Ok((self.without_null(symbol, known, text), false));
        }
        let Some(ty) = known else {
            return Err("its type is not known".to_owned());
        };
        self.check_span(ty)?;
        types.check_visible(ty)?;
        let inferred = types.write(ty);
        match written {
            Some(text) => Ok((self.without_null(symbol, known, text), false)),
            None => Ok((inferred?, true)),
        }
    }

    /// The type of a variable as its declaration writes it, but without `?` where the code reads a member of a reference
    /// before it does anything else with it: it is not null there, and the new method need not test that again.
    fn without_null(&self, symbol: LocalSymbol, known: Option<Ty>, text: String) -> String {
        let is_value =
            known.is_none_or(|ty| self.bound.compilation.nullable_underlying(ty).is_some());
        match text.strip_suffix('?') {
            Some(type_name) if !is_value && self.is_dereferenced(symbol) => type_name.to_owned(),
            _ => text,
        }
    }

    /// Whether the first thing that the code does with a variable is to read a member of its value, and nothing in the
    /// code writes it.
    fn is_dereferenced(&self, symbol: LocalSymbol) -> bool {
        let (tree, c) = (self.tree(), self.bound.compilation);
        let is_named = |id: &BodyId| {
            tree.kind(*id) == BodyKind::Name
                && self.bound.local(tree.node(*id).offset) == Some(symbol)
        };
        let names: Vec<BodyId> = self.nodes().filter(is_named).collect();
        if names.iter().any(|&name| write_of(tree, name).is_some()) {
            return false;
        }
        let access = names.first().and_then(|&name| {
            let parent = tree.parent(name)?;
            (tree.index_in_parent(name) == 0).then_some(parent)
        });
        let Some(access) = access else {
            return false;
        };
        match tree.kind(access) {
            BodyKind::ElementAccess => true,
            BodyKind::MemberAccess => {
                // An extension may take null.
                let member = tree.children(access).get(1).copied();
                let target = member.and_then(|it| self.bound.target(tree.node(it).offset));
                match target {
                    Some(Target::Member(member)) => !c.member(member).is(MemberFlags::EXTENSION),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn check_span(&self, ty: Ty) -> Result<(), String> {
        match self.is_span(ty) {
            true => Err("its type is a `ref struct`".to_owned()),
            false => Ok(()),
        }
    }

    /// The type of a parameter of the member, as its declaration writes it.
    fn parameter_text(&self, member: cortex_semantics::MemberId, at: u16) -> Option<String> {
        if member != self.member {
            return None;
        }
        let params = self.decl.params.as_deref()?;
        let param = params.get(usize::from(at))?;
        let name = self.tree().facts.name(param.name);
        let declared = self
            .bound
            .locals
            .declarations_of(LocalSymbol::Parameter(member, at))
            .next()?;
        let before = &self.tree().text[..declared.range.start as usize];
        // The type stands between the comma or parenthesis, or a modifier, and the name.
        let start = self.start_of_parameter(declared.range.start)?;
        let text = before.get(start as usize..)?.trim();
        let mut text = text;
        for word in ["this ", "params ", "scoped ", "readonly "] {
            text = text.strip_prefix(word).unwrap_or(text).trim_start();
        }
        (!name.is_empty() && !text.is_empty() && !text.starts_with('[')).then(|| text.to_owned())
    }

    fn start_of_parameter(&self, name: u32) -> Option<u32> {
        let head = ByteRange {
            start: self.decl.name_range.end,
            end: name,
        };
        let tree = self.tree();
        let mut depth = 0;
        let mut tokens: Vec<ByteRange> = tree.tokens_in(head).to_vec();
        tokens.reverse();
        for token in tokens {
            match &tree.text[token.as_usize()] {
                ")" | "]" | ">" | "}" => depth += 1,
                "(" | "[" | "<" | "{" if depth > 0 => depth -= 1,
                "(" | "[" | "," if depth == 0 => return Some(token.end),
                _ => {}
            }
        }
        None
    }
}
