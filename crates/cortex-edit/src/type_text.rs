//! Types as code writes them, with the namespaces that it needs for that.
//!
//! Nullable reference types are written without `?`. Must not know: where the code is written.

use std::collections::BTreeSet;

use cortex_semantics::{Compilation, LocalSymbol, Ty, TyKind, TypeId, TypeOrigin, TypeParamId};

const HIDDEN: &str = "only its own file sees its type";

/// Writes types inside of one type.
pub(crate) struct TypeText<'c, 'w> {
    compilation: &'c Compilation<'w>,
    /// The type around the code, whose nested types need no qualifier.
    around: TypeId,
    /// The namespaces of what is named.
    pub(crate) namespaces: BTreeSet<String>,
    /// The type parameters that are named.
    pub(crate) type_params: BTreeSet<LocalSymbol>,
}

impl<'c, 'w> TypeText<'c, 'w> {
    pub(crate) fn new(compilation: &'c Compilation<'w>, around: TypeId) -> Self {
        Self {
            compilation,
            around,
            namespaces: BTreeSet::new(),
            type_params: BTreeSet::new(),
        }
    }

    /// A type as code writes it.
    ///
    /// # Errors
    /// Says why no code can.
    pub(crate) fn write(&mut self, ty: Ty) -> Result<String, &'static str> {
        let c = self.compilation;
        if let Some(underlying) = c.nullable_underlying(ty) {
            return Ok(format!("{}?", self.write(underlying)?));
        }
        match c.kind(ty) {
            TyKind::Error | TyKind::None | TyKind::Unbound(_) => Err("its type is not known"),
            TyKind::Anonymous(_) => Err("its type is anonymous"),
            TyKind::Pointer(_) | TyKind::FunctionPointer(_) => Err("its type is a pointer"),
            TyKind::Dynamic => Ok("dynamic".to_owned()),
            TyKind::Param(id) => {
                let id: TypeParamId = *id;
                self.type_params.insert(LocalSymbol::TypeParameter(id));
                Ok(c.text(c.type_param_name(id)).to_owned())
            }
            TyKind::Array(..) => {
                let (mut element, mut ranks) = (ty, String::new());
                while let TyKind::Array(inner, rank) = c.kind(element) {
                    ranks.push_str(&format!("[{}]", ",".repeat(usize::from(*rank) - 1)));
                    element = *inner;
                }
                Ok(format!("{}{ranks}", self.write(element)?))
            }
            TyKind::Tuple { elements, names } => {
                let mut parts = Vec::with_capacity(elements.len());
                for (&element, name) in elements.iter().zip(names) {
                    let written = self.write(element)?;
                    parts.push(match name {
                        Some(name) => format!("{written} {}", c.text(*name)),
                        None => written,
                    });
                }
                Ok(format!("({})", parts.join(", ")))
            }
            TyKind::Named { def, args } => self.named(ty, *def, args),
        }
    }

    fn named(&mut self, ty: Ty, def: TypeId, args: &[Ty]) -> Result<String, &'static str> {
        let c = self.compilation;
        let shown = c.display_type(ty);
        if args.is_empty()
            && shown.starts_with(|it: char| it.is_lowercase())
            && crate::evaluation::is_simple(&shown)
            || shown == "object"
            || shown == "void"
        {
            return Ok(shown);
        }
        let declared = c.def(def);
        if self.is_hidden(def) {
            return Err(HIDDEN);
        }
        let own = usize::from(declared.arity).min(args.len());
        let (outer_args, own_args) = args.split_at(args.len() - own);
        let mut written = c.text(declared.name).to_owned();
        if !own_args.is_empty() {
            let parts: Result<Vec<String>, &'static str> =
                own_args.iter().map(|&it| self.write(it)).collect();
            written = format!("{written}<{}>", parts?.join(", "));
        }
        match declared.outer {
            Some(outer) if !self.is_around(outer) => {
                let outer = c.named(outer, outer_args);
                Ok(format!("{}.{written}", self.write(outer)?))
            }
            Some(_) => Ok(written),
            None => {
                self.namespaces
                    .insert(c.text(declared.namespace).to_owned());
                Ok(written)
            }
        }
    }

    /// Refuses a type that members of the type around the code cannot name, however code writes it.
    ///
    /// # Errors
    /// Says why not.
    pub(crate) fn check_visible(&self, ty: Ty) -> Result<(), &'static str> {
        let all = |types: &[Ty]| types.iter().try_for_each(|&it| self.check_visible(it));
        match self.compilation.kind(ty) {
            TyKind::Named { def, .. } if self.is_hidden(*def) => Err(HIDDEN),
            TyKind::Named { args, .. } => all(args),
            TyKind::Array(element, _) | TyKind::Pointer(element) => self.check_visible(*element),
            TyKind::Tuple { elements, .. } => all(elements),
            _ => Ok(()),
        }
    }

    /// Whether a type is file-local and the one around the code is not (C# specification of file-local types).
    fn is_hidden(&self, def: TypeId) -> bool {
        let c = self.compilation;
        is_file_local(c, def) && !is_file_local(c, self.around)
    }

    fn is_around(&self, ty: TypeId) -> bool {
        let c = self.compilation;
        let mut at = Some(self.around);
        while let Some(own) = at {
            if own == ty {
                return true;
            }
            at = c.def(own).outer;
        }
        false
    }
}

/// Whether only its own file sees a type, or a type around it.
fn is_file_local(c: &Compilation<'_>, ty: TypeId) -> bool {
    let mut around = std::iter::successors(Some(ty), |&it| c.def(it).outer);
    around.any(|it| matches!(c.def(it).origin, TypeOrigin::Source { file: Some(_), .. }))
}
