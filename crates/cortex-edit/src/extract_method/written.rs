//! The new method and the call, as the file would have them.

use std::collections::BTreeSet;

use cortex_model::{ByteRange, Modifier, TypeKind};
use cortex_semantics::{LocalSymbol, MemberFlags, Ty};
use cortex_syntax::{BodyId, BodyKind};

use super::{
    Code, Extracted, Extraction, Generic,
    flow::{Crossing, Flow},
    is_embedded,
    jumps::Ending,
};
use crate::{
    EditError,
    layout::{Layout, indent_at},
    moved::{Fragment, MovingEdit, laid_anew},
    precedence::{Precedence, fits},
    type_text::TypeText,
};

/// The new method but for its body.
struct Head {
    is_static: bool,
    is_async: bool,
    /// What it returns, without the task around it; none for `void`.
    result: Option<String>,
    type_params: String,
    constraints: String,
    flow: Flow,
}

impl Extraction<'_, '_> {
    /// The edits.
    pub(super) fn extracted(self) -> Result<Extracted, EditError> {
        self.check_name()?;
        let ending = self.ending()?;
        if let Code::Expression(id) = self.code {
            self.check_expression(id)?;
        }
        let mut types = TypeText::new(self.bound.compilation, self.owner);
        let mut flow = self.flow(&mut types)?;
        let result = match (&self.code, ending) {
            (Code::Expression(id), _) => {
                let written = self.write_type(self.type_of_result(*id), &mut types)?;
                (written != "void").then_some(written)
            }
            (_, Ending::Returns) => {
                if let Some(left) = flow.results.iter().find(|it| it.is_inside) {
                    let reason = format!("`{}` is declared here and used elsewhere", left.name);
                    let help = "extract code that does not return";
                    return Err(self.refused_at(self.range.start, &reason, help));
                }
                flow.results.clear();
                let ty = self.returned();
                let written = self.write_type(Some(ty), &mut types)?;
                (written != "void").then_some(written)
            }
            (_, Ending::FallsThrough) => match flow.results.as_slice() {
                [] => None,
                [one] => Some(one.ty.clone()),
                all => {
                    let parts = all.iter().map(|it| format!("{} {}", it.ty, it.name));
                    Some(format!("({})", parts.collect::<Vec<_>>().join(", ")))
                }
            },
        };
        let (type_params, constraints) = self.generics(&types.type_params)?;
        let is_async = self.awaits();
        if is_async {
            types.namespaces.insert("System.Threading.Tasks".to_owned());
        }
        let is_static = self.decl.modifiers.contains(Modifier::Static)
            || self
                .bound
                .compilation
                .member(self.member)
                .is(MemberFlags::STATIC)
            || !self.uses_instance();
        let head = Head {
            is_static,
            is_async,
            result,
            type_params,
            constraints,
            flow,
        };
        let returned = match &self.code {
            Code::Statements(_) => None,
            Code::Expression(id) => {
                let ty = self.type_of_result(*id);
                ty.map(|ty| self.bound.compilation.display_type(ty))
            }
        };
        let edits = vec![self.call(&head, ending), self.method(&head)];
        Ok(Extracted {
            edits,
            namespaces: types.namespaces,
            uses: head.flow.uses,
            involved: self.range,
            returned,
            generic: (!head.type_params.is_empty()).then(|| Generic {
                head: format!("{}{}(", self.name, head.type_params),
                of_name: self.decl.name_range.start,
                n_parameters: self.decl.type_params.len() as u16,
            }),
        })
    }

    /// The type that the method of an expression returns: that of the expression, or that which its place gives to what
    /// has none, or to what would not convert once it is the result of a call.
    fn type_of_result(&self, id: BodyId) -> Option<Ty> {
        let (tree, c) = (self.tree(), self.bound.compilation);
        let known = self.bound.expressions.type_of(id);
        let converted = known.and_then(|it| it.converted);
        let mut inner = id;
        while tree.kind(inner) == BodyKind::Parenthesized {
            inner = *tree.children(inner).first()?;
        }
        let is_constant = known.is_some_and(|it| it.is_constant);
        let is_narrowed = || {
            converted.is_some_and(|ty| {
                let def = c.def_of(ty).map(|def| c.def(def).kind);
                def == Some(TypeKind::Enum) || is_narrow(&c.display_type(ty))
            })
        };
        let takes_target = match tree.kind(inner) {
            BodyKind::InterpolatedString | BodyKind::Conditional | BodyKind::SwitchExpression => {
                true
            }
            _ => is_constant && is_narrowed(),
        };
        match converted {
            Some(ty) if takes_target => Some(ty),
            _ => self.bound.type_of(id).or(converted),
        }
    }

    fn write_type(
        &self,
        ty: Option<Ty>,
        types: &mut TypeText<'_, '_>,
    ) -> Result<String, EditError> {
        let written = match ty {
            Some(ty) => types.write(ty),
            None => Err("its type is not known"),
        };
        written.map_err(|reason| {
            self.refused_at(
                self.range.start,
                &format!("the result cannot be returned: {reason}"),
                "",
            )
        })
    }

    /// What `return` gives in the member, without the task around it.
    fn returned(&self) -> Ty {
        let c = self.bound.compilation;
        let member = c.member(self.member);
        let ty = member.signature.ty;
        let void = c.special(cortex_semantics::Special::Void);
        let is_setter = self.tree().ancestors(self.first()).any(|it| {
            if self.tree().kind(it) != BodyKind::Accessor {
                return false;
            }
            let at = self.tree().node(it).value as usize;
            let accessor = self.decl.accessors.get(at).map(|it| it.kind);
            accessor != Some(cortex_syntax::AccessorKind::Get)
        });
        match member.is(MemberFlags::ASYNC) {
            _ if is_setter => void,
            true => c.args_of(ty).first().copied().unwrap_or(void),
            false => ty,
        }
    }

    /// The type parameters of the member with their constraints, where the code names one.
    fn generics(&self, named: &BTreeSet<LocalSymbol>) -> Result<(String, String), EditError> {
        let (tree, locals) = (self.tree(), &self.bound.locals);
        let used = locals
            .uses
            .iter()
            .filter(|it| self.range.contains(it.range.start))
            .map(|it| it.symbol);
        let used: BTreeSet<LocalSymbol> = used.chain(named.iter().copied()).collect();
        let own = self.decl.range;
        let declared = locals.declarations.iter().filter(|it| {
            matches!(it.symbol, LocalSymbol::TypeParameter(_))
                && used.contains(&it.symbol)
                && it.range.overlaps(own)
        });
        let starts: Vec<u32> = declared.map(|it| it.range.start).collect();
        let Some(&first) = starts.first() else {
            return Ok((String::new(), String::new()));
        };
        let body = self.decl.body_range.start;
        if starts.iter().any(|&it| it >= body) {
            return Err(self.refused_at(first, "a local function has the type parameter", ""));
        }
        let text = tree.text;
        let head = ByteRange {
            start: self.decl.name_range.end,
            end: body,
        };
        let tokens = tree.tokens_in(head);
        let word = |range: &ByteRange| &text[range.as_usize()];
        let close = {
            let mut depth = 0;
            tokens.iter().find(|it| {
                match word(it) {
                    "<" => depth += 1,
                    ">" => depth -= 1,
                    _ => {}
                }
                depth == 0
            })
        };
        let (Some(open), Some(close)) = (tokens.first(), close) else {
            return Err(self.refused_at(first, "the type parameters cannot be read", ""));
        };
        let params = text[open.start as usize..close.end as usize].to_owned();
        let place = tokens.iter().find(|it| word(it) == "where");
        let end = tokens
            .iter()
            .rfind(|it| !matches!(word(it), "=>" | "{"))
            .map_or(body, |it| it.end);
        let constraints = place.map_or(String::new(), |it| {
            let words = text[it.start as usize..end as usize].split_whitespace();
            format!(" {}", words.collect::<Vec<_>>().join(" "))
        });
        Ok((params, constraints))
    }

    /// The call in the place of the code.
    fn call(&self, head: &Head, ending: Ending) -> MovingEdit {
        let text = self.tree().text;
        let layout = Layout::of(text, self.tree().facts);
        let arguments: Vec<&str> = head.flow.inputs.iter().map(|it| it.name.as_str()).collect();
        let awaited = if head.is_async { "await " } else { "" };
        let call = format!(
            "{awaited}{}{}({})",
            self.name,
            head.type_params,
            arguments.join(", ")
        );
        let indent = indent_at(text, self.range.start as usize);
        let line = format!("{}{indent}", layout.line_end);
        let is_statement = matches!(self.code, Code::Statements(_));
        let written = match (ending, head.flow.results.as_slice()) {
            _ if !is_statement => {
                let needs = head.is_async && !self.fits_await();
                if needs { format!("({call})") } else { call }
            }
            (Ending::Returns, _) if head.result.is_some() => format!("return {call};"),
            (Ending::Returns, _) if self.ends_member() => format!("{call};"),
            (Ending::Returns, _) if is_embedded(self.tree(), self.first()) => {
                format!("{{ {call}; return; }}")
            }
            (Ending::Returns, _) => format!("{call};{line}return;"),
            (_, []) => format!("{call};"),
            (_, [one]) => format!("{}{} = {call};", declaration(one), one.name),
            (_, all) => {
                let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
                let names = names.join(", ");
                if all.iter().all(|it| it.is_inside && it.is_var) {
                    format!("var ({names}) = {call};")
                } else {
                    let inside = all.iter().filter(|it| it.is_inside);
                    let declared: String = inside
                        .map(|it| format!("{} {};{line}", it.ty, it.name))
                        .collect();
                    format!("{declared}({names}) = {call};")
                }
            }
        };
        MovingEdit {
            range: self.range,
            fragments: vec![Fragment::New(written)],
            is_same_expression: !is_statement,
        }
    }

    /// Whether `await` needs no parentheses in the place of the expression.
    fn fits_await(&self) -> bool {
        fits(self.tree(), self.first(), Precedence::Unary, "await")
    }

    /// Whether nothing of the member comes behind the code.
    fn ends_member(&self) -> bool {
        let tree = self.tree();
        let Code::Statements(all) = &self.code else {
            return false;
        };
        let block = tree.parent(self.first());
        let around = block.and_then(|it| tree.parent(it)).map(|it| tree.kind(it));
        let last = block.and_then(|it| tree.children(it).last().copied());
        matches!(around, Some(BodyKind::Body | BodyKind::Accessor)) && last == all.last().copied()
    }

    /// The method, behind the member.
    fn method(&self, head: &Head) -> MovingEdit {
        let text = self.tree().text;
        let layout = Layout::of(text, self.tree().facts);
        let indent = indent_at(text, self.decl.range.start as usize).to_owned();
        let inner = layout.deeper(&indent);
        let end = layout.line_end;
        let result = match (&head.result, head.is_async) {
            (None, false) => "void".to_owned(),
            (None, true) => "Task".to_owned(),
            (Some(ty), false) => ty.clone(),
            (Some(ty), true) => format!("Task<{ty}>"),
        };
        let parameters = head
            .flow
            .inputs
            .iter()
            .map(|it| format!("{} {}", it.ty, it.name));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let is_readonly = self.decl.modifiers.contains(Modifier::Readonly);
        let modifiers = [
            ("static ", head.is_static),
            ("readonly ", !head.is_static && is_readonly),
            ("unsafe ", self.decl.modifiers.contains(Modifier::Unsafe)),
            ("async ", head.is_async),
        ];
        let modifiers: String = modifiers.iter().filter(|it| it.1).map(|it| it.0).collect();
        let brace = match layout.brace_on_own_line {
            true => format!("{end}{indent}{{"),
            false => " {".to_owned(),
        };
        let mut start = format!(
            "{end}{end}{indent}private {modifiers}{result} {}{}({parameters}){}{brace}{end}{inner}",
            self.name, head.type_params, head.constraints
        );
        for fresh in &head.flow.fresh {
            start.push_str(&format!("{} {};{end}{inner}", fresh.ty, fresh.name));
        }
        let mut fragments = Vec::new();
        let is_expression = matches!(self.code, Code::Expression(_));
        if is_expression && head.result.is_some() {
            start.push_str("return ");
        }
        fragments.push(Fragment::New(start));
        self.add_code(&inner, &mut fragments);
        let results: Vec<&str> = head
            .flow
            .results
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        let mut rest = match (&self.code, results.as_slice()) {
            (Code::Expression(_), _) => ";".to_owned(),
            (_, []) => String::new(),
            (_, [one]) => format!("{end}{inner}return {one};"),
            (_, all) => format!("{end}{inner}return ({});", all.join(", ")),
        };
        rest.push_str(&format!("{end}{indent}}}"));
        fragments.push(Fragment::New(rest));
        let at = self.decl.range.end;
        MovingEdit {
            range: ByteRange { start: at, end: at },
            fragments,
            is_same_expression: false,
        }
    }

    /// The code with its lines at another indentation; those that begin inside of a string stay as they are.
    fn add_code(&self, indent: &str, fragments: &mut Vec<Fragment>) {
        let text = self.tree().text;
        let old = indent_at(text, self.range.start as usize);
        fragments.extend(laid_anew(text, self.range, [old, indent]));
    }
}

/// Whether constants of `int` convert to a type that other values of `int` do not convert to.
fn is_narrow(shown: &str) -> bool {
    matches!(
        shown,
        "sbyte" | "byte" | "short" | "ushort" | "uint" | "ulong"
    )
}

/// What stands before the name of a result in the call.
fn declaration(result: &Crossing) -> String {
    match (result.is_inside, result.is_var) {
        (false, _) => String::new(),
        (true, true) => "var ".to_owned(),
        (true, false) => format!("{} ", result.ty),
    }
}
