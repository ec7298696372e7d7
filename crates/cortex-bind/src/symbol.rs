//! Which types a file declares, before anything is bound.

use std::rc::Rc;

use cortex_model::{Accessibility, DeclKind, Modifier, RepoPath, TypeKey, TypeKind, simple_name};
use cortex_syntax::{DeclId, FileFacts};
use serde::{Deserialize, Serialize};

/// What name lookup needs to know of a type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TypeSymbol {
    /// Its identity.
    pub key: TypeKey,
    /// Canonical name.
    pub fqn: String,
    /// The type around it.
    pub outer: Option<TypeKey>,
    /// How many bytes of `fqn` are its namespace; 0 for the global one.
    pub namespace_len: u32,
    /// Kind of type.
    pub kind: TypeKind,
    /// Its own generic parameters.
    pub arity: u32,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// The project that compiles it.
    pub project: RepoPath,
    /// The only file that sees it, for a file-local type.
    pub file: Option<RepoPath>,
}

impl TypeSymbol {
    /// The namespace that holds it, or holds its outermost type.
    pub fn namespace(&self) -> &str {
        &self.fqn[..self.namespace_len as usize]
    }

    /// Its simple name, without arity.
    pub fn name(&self) -> &str {
        simple_name(&self.fqn)
    }
}

/// A type declaration of a file with its symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredType {
    /// The declaration.
    pub decl: DeclId,
    /// The declaration of the type around it, as an index into the same list.
    pub outer: Option<usize>,
    /// What lookup sees of it.
    pub symbol: TypeSymbol,
}

/// The type declarations of a file inside one project, in declaration order.
///
/// Top-level statements declare `Program` (C# specification, §7.1.3). Parts of one partial type
/// appear once each, with equal keys.
pub fn declared_types(
    facts: &FileFacts,
    path: &RepoPath,
    project: &RepoPath,
    assembly: &str,
) -> Vec<DeclaredType> {
    let mut out: Vec<DeclaredType> = Vec::new();
    // By declaration: the namespace that it makes, and the type that it makes or stands in.
    let mut namespaces: Vec<Rc<str>> = Vec::with_capacity(facts.decls.len());
    let global: Rc<str> = "".into();
    let mut types: Vec<Option<usize>> = Vec::with_capacity(facts.decls.len());
    for (id, decl) in facts.decls.iter().enumerate() {
        let around = decl.parent.map(|parent| parent as usize);
        let mut namespace =
            around.map_or_else(|| global.clone(), |parent| namespaces[parent].clone());
        let mut inside = around.and_then(|parent| types[parent]);
        let name = facts.name(decl.name);
        let kind = if decl.kind == DeclKind::TopLevel {
            Some(TypeKind::Class)
        } else {
            decl.kind.type_kind()
        };
        if decl.kind == DeclKind::Namespace {
            namespace = if namespace.is_empty() {
                name.into()
            } else {
                format!("{namespace}.{name}").into()
            };
        } else if let Some(kind) = kind {
            let outer = inside;
            let is_file_local = decl.accessibility == Some(Accessibility::File);
            let arity = decl.type_params.len() as u32;
            let mut fqn = match outer {
                Some(outer) => format!("{}+", out[outer].symbol.fqn),
                None if namespace.is_empty() => String::new(),
                None => format!("{namespace}."),
            };
            fqn.push_str(name);
            if arity > 0 {
                fqn.push_str(&format!("`{arity}"));
            }
            let default = match outer {
                None => Accessibility::Internal,
                Some(outer) if out[outer].symbol.kind == TypeKind::Interface => {
                    Accessibility::Public
                }
                Some(_) => Accessibility::Private,
            };
            let file = is_file_local.then_some(path);
            inside = Some(out.len());
            out.push(DeclaredType {
                decl: id as DeclId,
                outer,
                symbol: TypeSymbol {
                    key: type_key(&fqn, kind, arity, assembly, file),
                    namespace_len: namespace.len() as u32,
                    fqn,
                    outer: outer.map(|outer| out[outer].symbol.key),
                    kind,
                    arity,
                    accessibility: decl.accessibility.unwrap_or(default),
                    project: project.clone(),
                    file: file.cloned(),
                },
            });
        }
        namespaces.push(namespace);
        types.push(inside);
    }
    out
}

/// The key of a type by its canonical name, kind, own arity and assembly. File-local types of one name live side by
/// side: the file is part of their identity.
pub fn type_key(
    fqn: &str,
    kind: TypeKind,
    arity: u32,
    assembly: &str,
    file: Option<&RepoPath>,
) -> TypeKey {
    match file {
        Some(file) => TypeKey::new(fqn, kind, arity, &format!("{assembly}|{file}")),
        None => TypeKey::new(fqn, kind, arity, assembly),
    }
}

/// Whether a declaration may have parts in other files.
pub(crate) fn is_partial(decl: &cortex_syntax::Decl) -> bool {
    decl.modifiers.contains(Modifier::Partial) || decl.kind == DeclKind::TopLevel
}
