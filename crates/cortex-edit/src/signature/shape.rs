//! What a change of a signature comes to: which parameters there will be, in which order.
//!
//! Must not know: where members are declared and used.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::ByteRange;
use cortex_semantics::{MemberFlags, MemberId};
use cortex_syntax::{ParseOptions, extract};

use super::{AddedParameter, Here, arguments::Parameter, list::Code};
use crate::{
    EditError,
    identifier::{bare, written},
};

/// What a change comes to, for each member of the family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// In the new order: the position of an old parameter, or none for the new one.
    pub(super) order: Vec<Option<usize>>,
    pub(super) added: Option<Added>,
    /// Parameters that get other names, by their old positions.
    pub(super) renamed: BTreeMap<usize, Renamed>,
    /// Parameters that get other types, by their old positions: the types as declarations write them.
    pub(super) retyped: BTreeMap<usize, String>,
    /// How many parameters there were.
    pub(super) n_old: usize,
}

/// Another name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Renamed {
    /// The name that the parameter has.
    pub(super) old: String,
    /// The one that it gets, as code writes it.
    pub(super) token: String,
}

/// A new parameter that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Added {
    pub(super) text: String,
    pub(super) name: String,
    /// Its type, as documentation writes it.
    pub(super) ty: String,
    pub(super) value: Option<String>,
    pub(super) is_optional: bool,
}

impl Shape {
    pub(super) fn is_removed(&self, at: usize) -> bool {
        !self.order.contains(&Some(at))
    }

    /// Where an old parameter will be.
    pub(super) fn place_of(&self, old: usize) -> Option<usize> {
        self.order.iter().position(|it| *it == Some(old))
    }

    /// Whether calls pass something else, or are converted to something else.
    pub(super) fn moves_arguments(&self) -> bool {
        !self.retyped.is_empty() || !self.keeps_order()
    }

    fn keeps_order(&self) -> bool {
        self.order.iter().copied().eq((0..self.n_old).map(Some))
    }
}

impl Here<'_, '_, '_> {
    /// Reads what is asked for, of a member.
    pub(super) fn shape(&self, member: MemberId) -> Result<Shape, EditError> {
        let request = self.request;
        let declared = self.compilation.member(member);
        let old = self.parameters(member);
        let position = |name: &String| {
            old.iter()
                .position(|it| it.name == name.trim_start_matches('@'))
                .ok_or_else(|| {
                    let names: Vec<String> =
                        old.iter().map(|it| format!("`{}`", it.name)).collect();
                    let help = match names.is_empty() {
                        true => "it has no parameters".to_owned(),
                        false => format!("its parameters are {}", names.join(", ")),
                    };
                    request.refused(format!("it has no parameter `{name}`"), vec![help])
                })
        };
        let mut removed = BTreeSet::new();
        for name in request.remove {
            removed.insert(position(name)?);
        }
        let mut renamed = BTreeMap::new();
        for (name, new) in request.rename {
            let at = position(name)?;
            renamed.extend(self.renamed(new, &old[at].name)?.map(|it| (at, it)));
        }
        let mut retyped = BTreeMap::new();
        for (name, ty) in request.retype {
            retyped.insert(position(name)?, self.type_text(name, ty)?);
        }
        let mut order: Vec<Option<usize>> = (0..old.len())
            .filter(|at| !removed.contains(at))
            .map(Some)
            .collect();
        let added = match &request.add {
            Some(add) => Some(self.added(add)?),
            None => None,
        };
        if let (Some(add), Some(new)) = (&request.add, &added) {
            let is_open = |at: &Option<usize>| {
                at.is_some_and(|at| {
                    let param = &declared.signature.params[at];
                    param.is_params || !new.is_optional && param.is_optional
                })
            };
            let last = order.iter().position(is_open).unwrap_or(order.len());
            let at = add.at.unwrap_or(last);
            if at > order.len() {
                let reason = format!(
                    "there is no position {at}: there are {} parameters",
                    order.len() + 1
                );
                return Err(request.refused(reason, Vec::new()));
            }
            order.insert(at, None);
        }
        if !request.order.is_empty() {
            let mut sorted = Vec::new();
            for name in request.order {
                let is_new = added.as_ref().is_some_and(|new| new.name == *name);
                let by_new_name = || named_anew(&renamed, name);
                sorted.push(match position(name) {
                    _ if is_new => None,
                    Ok(at) => Some(at),
                    Err(error) => Some(by_new_name().ok_or(error)?),
                });
            }
            let (mut a, mut b) = (sorted.clone(), order.clone());
            a.sort_unstable();
            b.sort_unstable();
            if a != b {
                let help = "name every parameter that there will be, each once".to_owned();
                return Err(request.refused("the order is not one of its parameters", vec![help]));
            }
            order = sorted;
        }
        let shape = Shape {
            order,
            added,
            renamed,
            retyped,
            n_old: old.len(),
        };
        if shape.keeps_order() && shape.renamed.is_empty() && shape.retyped.is_empty() {
            return Err(EditError::NoChange {
                doing: request.title(),
            });
        }
        let is_extension = declared.is(MemberFlags::EXTENSION);
        if is_extension && shape.order.first() != Some(&Some(0)) {
            return Err(request.refused(
                "the first parameter of an extension method stays where it is",
                Vec::new(),
            ));
        }
        self.check_order(member, &shape.order, shape.added.as_ref())?;
        self.check_removed(&old, &shape)?;
        Ok(shape)
    }

    /// Reads the new name of a parameter; `None` where it is the old one.
    fn renamed(&self, new: &str, old: &str) -> Result<Option<Renamed>, EditError> {
        let token = written(new).map_err(|reason| self.request.refused(reason, Vec::new()))?;
        let old = old.to_owned();
        Ok((bare(&token) != old).then_some(Renamed { old, token }))
    }

    /// Refuses changes of parameters that go.
    fn check_removed(&self, old: &[Parameter], shape: &Shape) -> Result<(), EditError> {
        let mut changed = shape.renamed.keys().chain(shape.retyped.keys());
        match changed.find(|&&at| shape.is_removed(at)) {
            None => Ok(()),
            Some(&at) => {
                let reason = format!("`{}` is removed, and cannot change too", old[at].name);
                Err(self.request.refused(reason, Vec::new()))
            }
        }
    }

    /// Refuses two parameters of one name in a member of the family.
    pub(super) fn check_family(&self, member: MemberId, shape: &Shape) -> Result<(), EditError> {
        let renamed: BTreeMap<usize, &Renamed> =
            self.renamed_of(member, shape).into_iter().collect();
        let params = &self.compilation.member(member).signature.params;
        let mut names = BTreeSet::new();
        for place in &shape.order {
            let name = match (place, &shape.added) {
                (Some(at), _) => match renamed.get(at) {
                    Some(renamed) => bare(&renamed.token),
                    None => self.compilation.text(params[*at].name).to_owned(),
                },
                (None, Some(added)) => added.name.clone(),
                (None, None) => continue,
            };
            if names.contains(&name) {
                let member = self.compilation.display_member(member);
                let reason = format!("two parameters of `{member}` would be called `{name}`");
                return Err(self.request.refused(reason, Vec::new()));
            }
            names.insert(name);
        }
        Ok(())
    }

    /// Refuses an order that the language does not allow.
    fn check_order(
        &self,
        member: MemberId,
        order: &[Option<usize>],
        added: Option<&Added>,
    ) -> Result<(), EditError> {
        let params = &self.compilation.member(member).signature.params;
        let mut has_optional = false;
        for (at, old) in order.iter().enumerate() {
            let (is_params, is_optional) = match (old, added) {
                (Some(old), _) => (params[*old].is_params, params[*old].is_optional),
                (None, Some(added)) => (false, added.is_optional),
                (None, None) => (false, false),
            };
            if is_params && at + 1 < order.len() {
                return Err(self
                    .request
                    .refused("a `params` parameter is the last one", Vec::new()));
            }
            if has_optional && !is_optional && !is_params {
                let reason = "a parameter without a default value would follow one that has one";
                return Err(self.request.refused(reason, Vec::new()));
            }
            has_optional |= is_optional;
        }
        Ok(())
    }

    fn added(&self, add: &AddedParameter<'_>) -> Result<Added, EditError> {
        let wrong = || {
            let help = "write it as a method declares it: `int timeout = 5`".to_owned();
            self.request
                .refused("the new parameter does not parse", vec![help])
        };
        let text = add.parameter.trim();
        if text.contains(['\n', ';']) || text.contains("//") {
            return Err(wrong());
        }
        let before = "class C { void M(";
        let facts = extract(
            format!("{before}{text}) {{ }} }}").as_bytes(),
            &ParseOptions::default(),
        );
        let [_, method] = facts.decls.as_slice() else {
            return Err(wrong());
        };
        let Some([param]) = method.params.as_deref().filter(|_| facts.errors.is_empty()) else {
            return Err(wrong());
        };
        let name = facts.name(param.name).to_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.iter().any(|word| matches!(*word, "this" | "params")) {
            return Err(self
                .request
                .refused("a new parameter is neither `this` nor `params`", Vec::new()));
        }
        let text_of_type = without_attributes(text);
        let declared = text_of_type.split('=').next().unwrap_or_default().trim();
        let ty = declared
            .strip_suffix(words_of_name(declared))
            .unwrap_or(declared)
            .trim();
        let value = add.value.map(|value| value.trim().to_owned());
        if let Some(value) = &value {
            let call = format!("class C {{ object M() => F({value}); }}");
            let facts = extract(call.as_bytes(), &ParseOptions::default());
            if !facts.errors.is_empty() || value.contains([';', '\n']) || facts.decls.len() != 2 {
                return Err(self
                    .request
                    .refused("the value does not parse as an expression", Vec::new()));
            }
        }
        Ok(Added {
            text: text.to_owned(),
            name,
            ty: ty.replace('<', "{").replace('>', "}"),
            value,
            is_optional: param.default.is_some(),
        })
    }
}

/// The declaration of a parameter without the attributes in front of it.
pub(super) fn without_attributes(declared: &str) -> &str {
    let mut rest = declared.trim();
    while rest.starts_with('[') {
        let Some(close) = Code::of(rest).closing(0) else {
            break;
        };
        rest = rest[close + 1..].trim_start();
    }
    rest.trim()
}

/// The name at the end of a parameter without its default value.
pub(super) fn words_of_name(text: &str) -> &str {
    let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == '@';
    &text[text.trim_end_matches(is_part).len()..]
}

/// The parameter that gets a name.
fn named_anew(renamed: &BTreeMap<usize, Renamed>, name: &str) -> Option<usize> {
    let mut renamed = renamed.iter();
    let found = renamed.find(|(_, it)| bare(&it.token) == bare(name));
    found.map(|(at, _)| *at)
}

/// Where the type of a parameter is; `None` where nothing stands between modifiers and name.
pub(super) fn range_of_type(text: &str, item: ByteRange) -> Option<ByteRange> {
    const MODIFIERS: [&str; 7] = ["this", "params", "scoped", "readonly", "ref", "out", "in"];
    let whole = &text[item.as_usize()];
    let declared = without_attributes(whole);
    let mut start = item.start as usize + (whole.len() - whole.trim_start().len());
    start += whole.trim_start().find(declared)?;
    let declared = before_default(declared);
    let ty = declared.strip_suffix(words_of_name(declared))?.trim_end();
    let mut from = 0;
    while let Some(word) = ty[from..].split_whitespace().next()
        && MODIFIERS.contains(&word)
    {
        from += word.len();
        from += ty[from..].len() - ty[from..].trim_start().len();
    }
    let is_plain = !ty.contains("/*") && !ty.contains("//");
    (from < ty.len() && is_plain).then_some(ByteRange {
        start: (start + from) as u32,
        end: (start + ty.len()) as u32,
    })
}

/// The declaration of a parameter without its default value.
fn before_default(declared: &str) -> &str {
    declared.split('=').next().unwrap_or(declared).trim_end()
}
