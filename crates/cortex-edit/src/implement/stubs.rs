//! Which members of interfaces a type lacks, and members that throw in their place.

use std::collections::BTreeSet;

use cortex_model::{Accessibility, DeclKind, TypeKind};
use cortex_semantics::{
    Compilation, Member, MemberFlags, MemberId, Param, RefKind, Substitution, Ty, TyKind,
    TypeFlags, TypeId, TypeParamId,
};

use crate::{identifier::written as identifier, layout::Layout};

/// A member that is written.
pub(super) struct Stub {
    /// Its name.
    pub(super) name: String,
    /// The namespaces of what it names.
    pub(super) namespaces: BTreeSet<String>,
    /// Modifiers, type, name and parameters.
    head: String,
    /// What follows the head.
    body: Body,
}

enum Body {
    /// A method.
    Block,
    /// Accessors, by their words.
    Accessors(Vec<&'static str>),
}

/// The members that a type lacks of its interfaces: all of them, or those of one name and what that one inherits.
///
/// # Errors
/// Why they cannot be written.
pub(super) fn missing(
    c: &Compilation<'_>,
    ty: TypeId,
    wanted: Option<&str>,
) -> Result<Vec<Stub>, String> {
    let own = c.instance_type(ty);
    let all = c.all_interfaces(own);
    let is_wanted = |interface: Ty| {
        let name = c.def_of(interface).map(|it| c.text(c.def(it).name));
        wanted.is_none_or(|wanted| name == Some(wanted))
    };
    let mut interfaces: Vec<Ty> = Vec::new();
    for &interface in all.iter().filter(|&&it| is_wanted(it)) {
        for it in std::iter::once(interface).chain(c.all_interfaces(interface).iter().copied()) {
            if !interfaces.contains(&it) {
                interfaces.push(it);
            }
        }
    }
    if let (Some(wanted), true) = (wanted, interfaces.is_empty()) {
        return Err(format!("`{wanted}` is no interface that its file sees"));
    }
    let mut stubs: Vec<Stub> = Vec::new();
    let mut shapes = BTreeSet::new();
    for interface in interfaces {
        let Some(def) = c.def_of(interface) else {
            continue;
        };
        for &of in &c.members(def).all {
            if !is_missing(c, own, interface, of) {
                continue;
            }
            let writer = Writer {
                c,
                interface,
                namespaces: BTreeSet::from(["System".to_owned()]),
            };
            // Another member may have its name and parameters and another type.
            let shape = writer.shape(c.member(of));
            let is_taken = c.members(ty).named(c.member(of).name).iter().any(|&it| {
                let declared = c.member(it);
                !declared.is(MemberFlags::EXPLICIT) && shape_of(c, declared) == shape
            });
            let is_first = shapes.insert(shape);
            let is_explicit = is_taken
                || !is_first
                || writer.hides_types(c.member(of), ty)
                || writer.has_unwritable_constraint(c.member(of));
            stubs.push(writer.stub(c.member(of), is_explicit)?);
        }
    }
    Ok(stubs)
}

fn is_missing(c: &Compilation<'_>, own: Ty, interface: Ty, of: MemberId) -> bool {
    let member = c.member(of);
    let has_place = matches!(
        member.kind,
        DeclKind::Method
            | DeclKind::Property
            | DeclKind::Indexer
            | DeclKind::Event
            | DeclKind::Operator
    );
    has_place
        && member.is(MemberFlags::ABSTRACT)
        && !member.is(MemberFlags::EXPLICIT)
        && member.accessibility != Accessibility::Private
        && c.implementation_of(own, interface, of).is_none()
}

/// What two members of a type must not have in common.
type Shape = (String, usize, Vec<String>);

fn shape_of(c: &Compilation<'_>, member: &Member) -> Shape {
    let params = member.signature.params.iter();
    (
        c.text(member.name).to_owned(),
        member.arity(),
        params.map(|it| c.display_type(it.ty)).collect(),
    )
}

struct Writer<'c, 'w> {
    c: &'c Compilation<'w>,
    /// The interface as the type has it.
    interface: Ty,
    namespaces: BTreeSet<String>,
}

impl Writer<'_, '_> {
    fn substituted(&self, ty: Ty) -> Ty {
        let by = Substitution {
            types: self.c.args_of(self.interface),
            method: None,
        };
        self.c.substitute(ty, by)
    }

    fn shape(&self, member: &Member) -> Shape {
        let params = member.signature.params.iter();
        (
            self.c.text(member.name).to_owned(),
            member.arity(),
            params
                .map(|it| self.c.display_type(self.substituted(it.ty)))
                .collect(),
        )
    }

    /// Whether a public member of a type would name types that code which sees the type does not see.
    fn hides_types(&self, member: &Member, implementing: TypeId) -> bool {
        let signature = &member.signature;
        let params = signature.params.iter().map(|param| param.ty);
        let mut types = std::iter::once(signature.ty).chain(params);
        types.any(|ty| {
            let seen = (implementing, Accessibility::Public);
            !self.c.is_seen_with(seen, self.substituted(ty))
        })
    }

    /// Whether a constraint of a member becomes one that no code can write (C# specification, 15.2.5): a sealed class, a
    /// struct, or one type twice. An explicit implementation takes the constraints of the interface.
    fn has_unwritable_constraint(&self, member: &Member) -> bool {
        let c = self.c;
        member.signature.type_params.iter().any(|&param| {
            let types = c.constraints(param).types.clone();
            let types: Vec<Ty> = types.iter().map(|&ty| self.substituted(ty)).collect();
            let is_twice = (1..types.len()).any(|at| types[..at].contains(&types[at]));
            is_twice
                || types.iter().any(|&ty| match c.kind(ty) {
                    TyKind::Param(_) => false,
                    TyKind::Named { def, .. } => {
                        let is_class = match c.def(*def).kind {
                            TypeKind::Interface => return false,
                            TypeKind::Class | TypeKind::Record => true,
                            _ => false,
                        };
                        let flags = c.header(*def).flags;
                        let shown = c.display_type(ty);
                        !is_class
                            || flags.has(TypeFlags::SEALED)
                            || matches!(&*shown, "object" | "string")
                    }
                    _ => true,
                })
        })
    }

    /// A type as code writes it.
    fn ty(&mut self, ty: Ty) -> Result<String, String> {
        let ty = self.substituted(ty);
        self.add_namespaces(ty)?;
        Ok(self.c.display_type(ty))
    }

    fn add_namespaces(&mut self, ty: Ty) -> Result<(), String> {
        match self.c.kind(ty) {
            TyKind::Error => return Err("the type of a member is not known".to_owned()),
            TyKind::FunctionPointer(_) => {
                return Err("a member has a function pointer".to_owned());
            }
            TyKind::Named { def, args } => {
                let is_keyword = self
                    .c
                    .display_type(ty)
                    .starts_with(|it: char| it.is_lowercase());
                if !is_keyword && self.c.nullable_underlying(ty).is_none() {
                    let namespace = self.c.text(self.c.def(*def).namespace);
                    self.namespaces.insert(namespace.to_owned());
                }
                for &arg in args {
                    self.add_namespaces(arg)?;
                }
            }
            TyKind::Array(element, _) | TyKind::Pointer(element) => {
                self.add_namespaces(*element)?;
            }
            TyKind::Tuple { elements, .. } => {
                for &element in elements {
                    self.add_namespaces(element)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn stub(mut self, member: &Member, is_explicit: bool) -> Result<Stub, String> {
        let name = self.c.text(member.name).to_owned();
        if member.kind == DeclKind::Operator {
            return Err(format!(
                "the operator `{name}` is missing as well, and is not written"
            ));
        }
        let signature = &member.signature;
        let mut head = String::new();
        if !is_explicit {
            head.push_str("public ");
        }
        if member.is_static() {
            head.push_str("static ");
        }
        if member.kind == DeclKind::Event {
            head.push_str("event ");
        }
        let params = signature.params.iter().map(|param| param.ty);
        if std::iter::once(signature.ty)
            .chain(params)
            .any(|ty| has_pointer(self.c, ty))
        {
            head.push_str("unsafe ");
        }
        head.push_str(match signature.ref_kind {
            RefKind::None => "",
            RefKind::Ref => "ref ",
            _ => "ref readonly ",
        });
        head.push_str(&self.ty(signature.ty)?);
        head.push(' ');
        if is_explicit {
            self.add_namespaces(self.interface)?;
            head.push_str(&self.c.display_type(self.interface));
            head.push('.');
        }
        match member.kind {
            DeclKind::Indexer => head.push_str("this"),
            _ => head.push_str(&identifier(&name).unwrap_or_else(|_| name.clone())),
        }
        self.add_type_params(&mut head, &signature.type_params);
        if matches!(member.kind, DeclKind::Method | DeclKind::Indexer) {
            let params: Vec<String> = (signature.params.iter())
                .map(|param| self.param(param, is_explicit))
                .collect::<Result<_, _>>()?;
            let (open, close) = match member.kind {
                DeclKind::Indexer => ('[', ']'),
                _ => ('(', ')'),
            };
            head.push(open);
            head.push_str(&params.join(", "));
            head.push(close);
        }
        if !is_explicit {
            self.add_constraints(&mut head, &signature.type_params)?;
        }
        let body = match member.kind {
            DeclKind::Method => Body::Block,
            DeclKind::Event => Body::Accessors(vec!["add", "remove"]),
            _ => {
                let mut words = Vec::new();
                if member.is(MemberFlags::GETTER) {
                    words.push("get");
                }
                if member.is(MemberFlags::SETTER) {
                    words.push(match member.is(MemberFlags::READONLY) {
                        true => "init",
                        false => "set",
                    });
                }
                Body::Accessors(words)
            }
        };
        Ok(Stub {
            name,
            namespaces: self.namespaces,
            head,
            body,
        })
    }

    /// A parameter; calls of an explicit implementation leave no argument out.
    fn param(&mut self, param: &Param, is_explicit: bool) -> Result<String, String> {
        let modifier = match param.ref_kind {
            _ if param.is_params => "params ",
            RefKind::None => "",
            RefKind::Ref => "ref ",
            RefKind::Out => "out ",
            RefKind::In => "in ",
            _ => "ref readonly ",
        };
        let name = self.c.text(param.name);
        let name = identifier(name).unwrap_or_else(|_| name.to_owned());
        let default = match param.is_optional && !is_explicit {
            true => " = default",
            false => "",
        };
        Ok(format!("{modifier}{} {name}{default}", self.ty(param.ty)?))
    }

    fn add_type_params(&self, head: &mut String, params: &[TypeParamId]) {
        if params.is_empty() {
            return;
        }
        let names: Vec<&str> = params
            .iter()
            .map(|&it| self.c.text(self.c.type_param_name(it)))
            .collect();
        head.push_str(&format!("<{}>", names.join(", ")));
    }

    fn add_constraints(&mut self, head: &mut String, params: &[TypeParamId]) -> Result<(), String> {
        for &param in params {
            let constraints = self.c.constraints(param).clone();
            let mut all: Vec<String> = Vec::new();
            match (constraints.is_unmanaged, constraints.is_value) {
                (true, _) => all.push("unmanaged".to_owned()),
                (false, true) => all.push("struct".to_owned()),
                _ => {}
            }
            if constraints.is_reference {
                all.push("class".to_owned());
            }
            if constraints.is_not_null {
                all.push("notnull".to_owned());
            }
            for &ty in &constraints.types {
                all.push(self.ty(ty)?);
            }
            if constraints.has_new && !constraints.is_value {
                all.push("new()".to_owned());
            }
            if constraints.allows_ref_like {
                all.push("allows ref struct".to_owned());
            }
            if !all.is_empty() {
                let name = self.c.text(self.c.type_param_name(param));
                head.push_str(&format!(" where {name} : {}", all.join(", ")));
            }
        }
        Ok(())
    }
}

/// Whether a type is made of a pointer, which code names in an unsafe context alone.
fn has_pointer(c: &Compilation<'_>, ty: Ty) -> bool {
    match c.kind(ty) {
        TyKind::Pointer(_) => true,
        TyKind::Array(element, _) => has_pointer(c, *element),
        TyKind::Named { args, .. } => args.iter().any(|&it| has_pointer(c, it)),
        _ => false,
    }
}

/// The text of members.
pub(super) fn written(stubs: &[Stub], layout: &Layout) -> String {
    let throws = "throw new NotImplementedException();";
    let texts = stubs.iter().map(|stub| {
        let head = &stub.head;
        match &stub.body {
            Body::Block if layout.brace_on_own_line => {
                format!("{head}\n{{\n    {throws}\n}}")
            }
            Body::Block => format!("{head} {{\n    {throws}\n}}"),
            Body::Accessors(words) => match words.as_slice() {
                ["get"] => format!("{head} => {throws}"),
                words => {
                    let accessors: Vec<String> = (words.iter())
                        .map(|word| format!("{word} => {throws}"))
                        .collect();
                    format!("{head} {{ {} }}", accessors.join(" "))
                }
            },
        }
    });
    texts.collect::<Vec<_>>().join("\n\n")
}
