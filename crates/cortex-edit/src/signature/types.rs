//! Parameters that get other types: in declarations and in documentation.
//!
//! Must not know: whether code that uses the parameters goes on meaning what it meant ([`crate::retyped`]).

use cortex_model::{ByteRange, RepoPath};
use cortex_semantics::{MemberId, RefKind};
use cortex_syntax::{ParseOptions, extract, text::decode};

use super::{
    Change, Here,
    calls::shown,
    list::Code,
    shape::{Shape, range_of_type},
};
use crate::{
    EditError,
    rename::declared,
    text_edit::{StartIs, TextEdit},
};

impl Here<'_, '_, '_> {
    /// Reads the type that a parameter gets.
    pub(super) fn type_text(&self, name: &str, ty: &str) -> Result<String, EditError> {
        let ty = ty.trim();
        let method = format!("class C {{ void M({ty} p) {{ }} }}");
        let facts = extract(method.as_bytes(), &ParseOptions::default());
        let params = match facts.decls.as_slice() {
            [_, method] if facts.errors.is_empty() => method.params.as_deref(),
            _ => None,
        };
        let is_type = match params {
            Some([param]) => {
                facts.name(param.name) == "p"
                    && param.modifiers == Default::default()
                    && param.default.is_none()
            }
            _ => false,
        };
        let is_line = !ty.is_empty() && !ty.contains(['\n', '\r', ';']);
        if !is_type || !is_line || ty.contains("//") || ty.contains("/*") || ty.starts_with('[') {
            let reason = format!("`{ty}` is not a type that `{name}` can get");
            let help = "write the type alone, as a parameter declares it".to_owned();
            return Err(self.request.refused(reason, vec![help]));
        }
        Ok(ty.to_owned())
    }

    /// Adds the new types in the declarations of the family.
    pub(super) fn add_types(
        &self,
        family: &[MemberId],
        shape: &Shape,
        change: &mut Change,
    ) -> Result<(), EditError> {
        if shape.retyped.is_empty() {
            return Ok(());
        }
        for &member in family {
            let declared_member = self.compilation.member(member);
            for &at in shape.retyped.keys() {
                let param = &declared_member.signature.params[at];
                let name = self.compilation.text(param.name);
                let reason = match param.ref_kind {
                    RefKind::None if !param.is_params => continue,
                    RefKind::None => format!(
                        "`{name}` is a `params` parameter, whose type says how calls pass arguments"
                    ),
                    _ => format!(
                        "`{name}` is passed by reference, and arguments have exactly its type"
                    ),
                };
                return Err(self.request.refused(reason, Vec::new()));
            }
            for part in declared::parts_of(self.symbols, self.compilation, declared_member.owner)? {
                let path = &part.unit.path;
                let decls: Vec<_> = self.decls_of(member, &part).collect();
                let Some(file) = self
                    .view
                    .snapshot()
                    .file(path)?
                    .filter(|_| !decls.is_empty())
                else {
                    continue;
                };
                let bytes = self.view.blobs().read_blob(file.blob)?;
                let source = decode(&bytes);
                let code = Code::of(source.as_str());
                for (_, decl) in decls {
                    let (edits, defaults) =
                        self.type_edits(path, (&code, decl.name_range), shape)?;
                    (change.arguments).extend(defaults.into_iter().map(|it| (path.clone(), it)));
                    (change.inner.entry(path.clone()).or_default()).extend(edits);
                }
            }
        }
        Ok(())
    }

    /// The edits of the types in a parameter list, and where default values of these parameters start.
    fn type_edits(
        &self,
        path: &RepoPath,
        (code, name): (&Code<'_>, ByteRange),
        shape: &Shape,
    ) -> Result<(Vec<TextEdit>, Vec<u32>), EditError> {
        let unreadable = || {
            let place = shown(path, code.text, name.start);
            let reason = format!("{place}: its parameters cannot be read");
            self.request.refused(reason, Vec::new())
        };
        let open = code.open_behind(name.end as usize);
        let list = open.and_then(|open| code.parameters(open));
        let list = list.ok_or_else(unreadable)?;
        let (mut edits, mut defaults) = (Vec::new(), Vec::new());
        for (&at, ty) in &shape.retyped {
            let item = *list.items.get(at).ok_or_else(unreadable)?;
            let range = range_of_type(code.text, item).ok_or_else(unreadable)?;
            let behind = &code.text[range.end as usize..item.end as usize];
            if let Some(equals) = behind.find('=') {
                let value = behind[equals + 1..].trim_start();
                defaults.push(item.end - value.len() as u32);
            }
            if code.text[range.as_usize()] != **ty {
                edits.push(TextEdit {
                    range,
                    text: ty.clone(),
                    start: StartIs::New,
                });
            }
        }
        Ok((edits, defaults))
    }

    /// Where the arguments of a call start that belong to parameters with other types. `items`: the arguments of the
    /// call, without those that set properties.
    pub(super) fn retyped_arguments(
        &self,
        code: &Code<'_>,
        (member, shape): (MemberId, &Shape),
        items: &[ByteRange],
        is_reduced: bool,
    ) -> Vec<u32> {
        if shape.retyped.is_empty() {
            return Vec::new();
        }
        let params = self.parameters(member);
        let starts = items.iter().enumerate().filter_map(|(at, &range)| {
            let argument = super::argument(code, range);
            let position = match &argument.name {
                Some(name) => params.iter().position(|it| it.name == *name)?,
                None => at + usize::from(is_reduced),
            };
            (shape.retyped.contains_key(&position)).then_some(range.start + argument.value_at)
        });
        starts.collect()
    }
}
