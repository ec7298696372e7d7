//! Where members are used: the arguments of calls in every form, and what is no call.
//!
//! Must not know: what becomes of the arguments.

use cortex_model::{DeclKind, RepoPath};
use cortex_semantics::{BoundUnit, Compilation, Findings, How, MemberFlags, MemberId, Target};
use cortex_syntax::{BodyId, BodyKind, FileFacts};
use rustc_hash::FxHashMap;

use super::list::Code;

/// A place that uses a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Site {
    /// Where.
    pub(super) offset: u32,
    /// The member.
    pub(super) member: MemberId,
    /// In which way.
    pub(super) form: Form,
}

/// How a member is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It is called with arguments in parentheses.
    Call {
        /// The opening parenthesis.
        open: usize,
        /// How many arguments there are.
        n_arguments: usize,
        /// How many items follow them that set properties of an attribute.
        n_settings: usize,
        /// A byte of each item but the first.
        starts: Vec<u32>,
        /// Whether its first parameter is what stands before the dot.
        is_reduced: bool,
    },
    /// It is called without parentheses, which would stand here.
    Bare(usize),
    /// Documentation names it; behind the name may be the types of its parameters.
    Documentation(usize),
    /// Its name alone is used.
    Name,
    /// It is used in a way that cannot follow.
    Other(&'static str),
}

/// The uses of some members in a file.
pub(super) fn sites(
    compilation: &Compilation<'_>,
    (facts, bound): (&FileFacts, &BoundUnit),
    code: &Code<'_>,
    family: &[MemberId],
) -> Vec<Site> {
    let tree = Tree::of(facts);
    let mut out = Vec::new();
    for (_, findings) in &bound.decls {
        for found in &findings.refs {
            let Target::Member(member) = found.target else {
                continue;
            };
            if !family.contains(&member) {
                continue;
            }
            let is_constructor = compilation.member(member).kind == DeclKind::Constructor;
            let form = match is_of_documentation(facts, found.offset) {
                true => documentation(code, found.offset),
                // What is created is found by its creation.
                false if is_constructor => continue,
                false => tree.named(compilation, (findings, member), code, found.offset),
            };
            out.push(Site {
                offset: found.offset,
                member,
                form,
            });
        }
        for used in findings
            .uses
            .iter()
            .filter(|it| family.contains(&it.target))
        {
            let form = match used.how {
                How::New => tree.created(code, used.offset),
                _ => Form::Other("the language calls it without naming it"),
            };
            out.push(Site {
                offset: used.offset,
                member: used.target,
                form,
            });
        }
    }
    out
}

fn is_of_documentation(facts: &FileFacts, offset: u32) -> bool {
    facts
        .decls
        .iter()
        .any(|decl| decl.doc_range.contains(offset))
}

fn documentation(code: &Code<'_>, offset: u32) -> Form {
    let token = cortex_syntax::text::token_at(code.text.as_bytes(), offset);
    Form::Documentation(token.end as usize)
}

/// The body trees of a file with what stands around each node.
struct Tree<'f> {
    facts: &'f FileFacts,
    parents: Vec<Option<BodyId>>,
    names: FxHashMap<u32, BodyId>,
}

impl<'f> Tree<'f> {
    fn of(facts: &'f FileFacts) -> Self {
        let nodes = facts.bodies.nodes();
        let mut parents = vec![None; nodes.len()];
        let mut names = FxHashMap::default();
        for (id, node) in nodes.iter().enumerate() {
            let id = id as BodyId;
            for child in facts.bodies.children(id) {
                parents[child as usize] = Some(id);
            }
            if matches!(node.kind, BodyKind::Name | BodyKind::GenericName) {
                names.insert(node.offset, id);
            }
        }
        Self {
            facts,
            parents,
            names,
        }
    }

    fn kind(&self, id: BodyId) -> BodyKind {
        self.facts.bodies.kind(id)
    }

    fn children(&self, id: BodyId) -> Vec<BodyId> {
        self.facts.bodies.children(id).collect()
    }

    /// How a member is used that is named at an offset.
    fn named(
        &self,
        compilation: &Compilation<'_>,
        (findings, member): (&Findings, MemberId),
        code: &Code<'_>,
        offset: u32,
    ) -> Form {
        const GROUP: Form = Form::Other("it is used there without being called");
        let Some(&name) = self.names.get(&offset) else {
            return GROUP;
        };
        let (mut whole, mut qualifier) = (name, None);
        if let Some(parent) = self.parents[name as usize] {
            let children = self.children(parent);
            let is_last = children.last() == Some(&name);
            match self.kind(parent) {
                BodyKind::MemberAccess if is_last => {
                    whole = parent;
                    qualifier = Some(children.first().copied());
                }
                BodyKind::MemberBinding => {
                    whole = parent;
                    qualifier = Some(None);
                }
                _ => {}
            }
        }
        let Some(call) =
            self.parents[whole as usize].filter(|&it| self.kind(it) == BodyKind::Invocation)
        else {
            return match self.is_in_nameof(whole) {
                true => Form::Name,
                false => GROUP,
            };
        };
        let parts = self.children(call);
        if parts.first() != Some(&whole) {
            return GROUP;
        }
        let end = cortex_syntax::text::token_at(code.text.as_bytes(), offset).end as usize;
        let (Some(open), Some(&list)) = (code.open_behind(end), parts.get(1)) else {
            return GROUP;
        };
        let is_reduced = compilation.member(member).is(MemberFlags::EXTENSION)
            && qualifier.is_some_and(|it| !it.is_some_and(|it| self.is_type(findings, it)));
        self.call(open, list, is_reduced)
    }

    /// Whether an expression names a type.
    fn is_type(&self, findings: &Findings, id: BodyId) -> bool {
        let name = match self.kind(id) {
            BodyKind::MemberAccess | BodyKind::AliasQualified => self.children(id).last().copied(),
            _ => Some(id),
        };
        let offset = name.map(|name| self.facts.bodies.node(name).offset);
        let mut refs = findings.refs.iter();
        refs.any(|it| Some(it.offset) == offset && matches!(it.target, Target::Type(_)))
    }

    fn is_in_nameof(&self, id: BodyId) -> bool {
        let up = |id: BodyId| self.parents[id as usize];
        let call = up(id).and_then(up).and_then(up);
        call.is_some_and(|call| {
            let callee = call + 1;
            let node = self.facts.bodies.node(callee);
            self.kind(call) == BodyKind::Invocation
                && node.kind == BodyKind::Name
                && self.facts.name(node.value) == "nameof"
        })
    }

    /// How a constructor is used at an offset.
    fn created(&self, code: &Code<'_>, offset: u32) -> Form {
        const HIDDEN: Form = Form::Other("a constructor calls it there without naming it");
        let nodes = self.facts.bodies.nodes();
        let all = nodes
            .iter()
            .enumerate()
            .map(|(id, node)| (id as BodyId, node));
        let mut found = all.filter(|(id, node)| match node.kind {
            BodyKind::ObjectCreation | BodyKind::ImplicitCreation | BodyKind::BaseArguments => {
                node.offset == offset
            }
            BodyKind::Attribute => self.first_offset(id + 1) == offset || node.offset == offset,
            _ => false,
        });
        let Some((id, node)) = found.next_back() else {
            return HIDDEN;
        };
        let parts = self.children(id);
        let list = parts
            .iter()
            .copied()
            .find(|&it| self.kind(it) == BodyKind::Arguments);
        let start = offset as usize;
        let token_end = cortex_syntax::text::token_at(code.text.as_bytes(), offset).end as usize;
        let open = match node.kind {
            BodyKind::ImplicitCreation => code.next_code(token_end),
            BodyKind::BaseArguments if node.flags != 2 => code.next_code(token_end),
            BodyKind::ObjectCreation => code.open_behind_type(token_end),
            _ => code.open_behind_type(start),
        };
        match (list, open) {
            (Some(list), Some(open)) => self.call(open, list, false),
            (Some(_), None) => HIDDEN,
            (None, _) => {
                let last = match node.kind {
                    BodyKind::ObjectCreation | BodyKind::Attribute => parts.first(),
                    _ => None,
                };
                match last.and_then(|&ty| self.end_of_type(code, ty)) {
                    Some(end) => Form::Bare(end),
                    None => HIDDEN,
                }
            }
        }
    }

    /// Where a type without type arguments ends.
    fn end_of_type(&self, code: &Code<'_>, id: BodyId) -> Option<usize> {
        let name = match self.kind(id) {
            BodyKind::Name => id,
            BodyKind::MemberAccess | BodyKind::AliasQualified => {
                self.children(id).last().copied()?
            }
            _ => return None,
        };
        let node = self.facts.bodies.node(name);
        let token = cortex_syntax::text::token_at(code.text.as_bytes(), node.offset);
        (node.kind == BodyKind::Name).then_some(token.end as usize)
    }

    fn call(&self, open: usize, list: BodyId, is_reduced: bool) -> Form {
        let items = self.children(list);
        let n_arguments = (items.iter())
            .filter(|&&it| self.kind(it) == BodyKind::Argument)
            .count();
        Form::Call {
            open,
            n_arguments,
            n_settings: items.len() - n_arguments,
            starts: items
                .iter()
                .skip(1)
                .map(|&it| self.first_offset(it))
                .collect(),
            is_reduced,
        }
    }

    /// The first byte that a node or one inside of it tells.
    fn first_offset(&self, id: BodyId) -> u32 {
        let nodes = self.facts.bodies.nodes();
        let after = nodes[id as usize].after.max(id + 1);
        let inside = nodes[id as usize..after as usize].iter();
        inside.map(|node| node.offset).min().unwrap_or_default()
    }
}

/// A place for people.
pub(super) fn shown(path: &RepoPath, text: &str, offset: u32) -> String {
    let before = &text.as_bytes()[..(offset as usize).min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    format!("{path}:{line}")
}
