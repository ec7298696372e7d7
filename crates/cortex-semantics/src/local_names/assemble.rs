//! Puts together what binding recorded and what the tree alone tells.

use cortex_model::{ByteRange, DeclKind};
use cortex_syntax::{
    DeclId, DeclaredName, FileFacts, Identifier, Identifiers, LinkKind, Part, RefContext,
};
use rustc_hash::FxHashMap;

use super::{
    LocalBindings, LocalDeclaration, LocalKind, LocalName, LocalRole, LocalSymbol, LocalUse,
    Recording,
};
use crate::{
    compilation::Compilation,
    name::known,
    symbol::{Member, MemberFlags, MemberId, MemberOrigin, TypeParamId, TypeParamOwner, UnitId},
    world::UnitKey,
};

impl Compilation<'_> {
    /// The declarations and uses in a file of what snapshots do not store. `facts`: the file's, bodies included;
    /// `identifiers`: those of the same text under the same `#if` symbols.
    ///
    /// Binds the whole file; nothing of it is kept. O(names), but for what is loaded on the way.
    pub fn local_bindings(
        &self,
        key: &UnitKey,
        facts: &FileFacts,
        identifiers: &Identifiers,
    ) -> LocalBindings {
        let bound = self.bind_recording(key, facts, (Recording::On, &Part::Whole));
        let mut assembly = Assembly {
            c: self,
            facts,
            unit: self.unit_id(key),
            identifiers,
            out: LocalBindings::default(),
        };
        let names = bound.decls.iter().flat_map(|(_, found)| &found.locals);
        let mut names: Vec<LocalName> = names
            .map(|name| LocalName {
                symbol: assembly.canonical(name.symbol),
                ..*name
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        assembly.declare_parts();
        for name in &names {
            assembly.add(name);
        }
        assembly.link();
        let mut out = assembly.out;
        out.declarations
            .sort_by_key(|declaration| (declaration.range, declaration.symbol));
        out.declarations.dedup();
        out.uses.sort_unstable();
        out.uses.dedup();
        out
    }
}

struct Assembly<'c, 'f, 'w> {
    c: &'c Compilation<'w>,
    facts: &'f FileFacts,
    unit: UnitId,
    identifiers: &'f Identifiers,
    out: LocalBindings,
}

impl Assembly<'_, '_, '_> {
    /// Declares the parts of declarations, which binding does not meet.
    fn declare_parts(&mut self) {
        let identifiers = self.identifiers;
        for name in &identifiers.parameters {
            if let Some(symbol) = self.parameter(name) {
                self.declare(name.range, symbol, LocalKind::Parameter);
            }
        }
        for name in &identifiers.type_parameters {
            if let Some(param) = self.type_parameter(name) {
                let symbol = LocalSymbol::TypeParameter(param);
                self.declare(name.range, symbol, LocalKind::TypeParameter);
            }
        }
        for name in &identifiers.aliases {
            let symbol = LocalSymbol::Alias(self.unit, u32::from(name.position));
            self.declare(name.range, symbol, LocalKind::Alias);
        }
        for &range in &identifiers.labels {
            let symbol = LocalSymbol::Declared(range.start);
            self.declare(range, symbol, LocalKind::Label);
        }
        for name in &identifiers.namespaces {
            if let Some(full) = self.namespace(name) {
                let symbol = LocalSymbol::Namespace(self.c.name(&full));
                self.declare(name.range, symbol, LocalKind::Namespace);
            }
        }
    }

    fn declare(&mut self, range: ByteRange, symbol: LocalSymbol, kind: LocalKind) {
        let Some(token) = self.token(range.start) else {
            return;
        };
        let everywhere = matches!(kind, LocalKind::Alias | LocalKind::Namespace);
        self.out.declarations.push(LocalDeclaration {
            symbol,
            kind,
            name: token.name.clone(),
            range,
            scope: if everywhere {
                ByteRange {
                    start: 0,
                    end: u32::MAX,
                }
            } else {
                token.scope
            },
        });
    }

    fn add(&mut self, name: &LocalName) {
        let range = match self.token(name.offset) {
            Some(token) => token.range,
            None => match self.documented(name.offset) {
                Some(range) => range,
                None => return,
            },
        };
        match name.role {
            LocalRole::Declaration(kind) => self.declare(range, name.symbol, kind),
            role => self.out.uses.push(LocalUse {
                range,
                symbol: name.symbol,
                role,
            }),
        }
    }

    /// Adds the uses whose declaration the tree alone tells.
    fn link(&mut self) {
        let declarations = self.out.declarations.iter();
        let by_offset: FxHashMap<u32, LocalSymbol> = declarations
            .map(|declaration| (declaration.range.start, declaration.symbol))
            .collect();
        for link in &self.identifiers.links {
            if let Some(&symbol) = by_offset.get(&link.declared) {
                self.out.uses.push(LocalUse {
                    range: link.range,
                    symbol,
                    role: match link.kind {
                        LinkKind::Goto => LocalRole::Use,
                        LinkKind::Constraint => LocalRole::Constraint,
                        LinkKind::Documentation => LocalRole::Documentation,
                    },
                });
            }
        }
    }

    fn token(&self, offset: u32) -> Option<&Identifier> {
        let tokens = &self.identifiers.tokens;
        let index = tokens.binary_search_by_key(&offset, |token| token.range.start);
        index.ok().map(|index| &tokens[index])
    }

    /// The name in a `cref` at an offset.
    fn documented(&self, offset: u32) -> Option<ByteRange> {
        let refs = &self.facts.refs;
        let first = refs.partition_point(|it| it.context != RefContext::Doc);
        let index = refs[first..].binary_search_by_key(&offset, |it| it.offset);
        let name = self.facts.name(refs[first + index.ok()?].name);
        Some(ByteRange {
            start: offset,
            end: offset + name.len() as u32,
        })
    }

    /// The member whose parameters a declaration lists.
    fn member_with_parameters(&self, decl: DeclId) -> Option<&Member> {
        let c = self.c;
        let kind = self.facts.decls[decl as usize].kind;
        let id = if kind == DeclKind::Delegate {
            let ty = c.type_of_decl(self.unit, decl)?;
            *c.members(ty).named(known::INVOKE).first()?
        } else if kind.type_kind().is_some() {
            c.primary_constructor(c.type_of_decl(self.unit, decl)?)?
        } else {
            c.member_of_decl(self.unit, decl)?
        };
        Some(c.member(id))
    }

    /// The first member of an extension block.
    fn first_of_block(&self, block: DeclId) -> Option<&Member> {
        let inside = self.facts.decls.iter().zip(0..).skip(block as usize + 1);
        let mut members = inside.filter(|(decl, _)| decl.parent == Some(block));
        let (_, first) = members.next()?;
        Some(self.c.member(self.c.member_of_decl(self.unit, first)?))
    }

    fn parameter(&self, name: &DeclaredName) -> Option<LocalSymbol> {
        if self.facts.decls[name.decl as usize].kind == DeclKind::Extension {
            return Some(LocalSymbol::Receiver(self.first_of_block(name.decl)?.id));
        }
        let member = self.member_with_parameters(name.decl)?;
        Some(LocalSymbol::Parameter(member.id, name.position))
    }

    fn type_parameter(&self, name: &DeclaredName) -> Option<TypeParamId> {
        let position = usize::from(name.position);
        if self.facts.decls[name.decl as usize].kind == DeclKind::Extension {
            let member = self.first_of_block(name.decl)?;
            return member.signature.type_params.get(position).copied();
        }
        if let Some(ty) = self.c.type_of_decl(self.unit, name.decl) {
            let def = self.c.def(ty);
            let outer = def.type_params.len() - usize::from(def.arity);
            return def.type_params.get(outer + position).copied();
        }
        let signature = &self.member_with_parameters(name.decl)?.signature;
        let outer = usize::from(signature.block_arity);
        signature.type_params.get(outer + position).copied()
    }

    /// The full name of a namespace as far as a segment of its declaration.
    fn namespace(&self, name: &DeclaredName) -> Option<String> {
        let decl = &self.facts.decls[name.decl as usize];
        let segments = self.facts.name(decl.name).split('.');
        let mut full: Vec<&str> = segments.take(usize::from(name.position) + 1).collect();
        let mut next = decl.parent;
        while let Some(parent) = next {
            let parent = self.facts.decls.get(parent as usize)?;
            full.insert(0, self.facts.name(parent.name));
            next = parent.parent;
        }
        Some(full.join("."))
    }

    /// The one symbol for what each member of an extension block has for itself, and for what the compiler makes of a
    /// parameter of a record.
    fn canonical(&self, symbol: LocalSymbol) -> LocalSymbol {
        let canonical = match symbol {
            LocalSymbol::Receiver(member) => self
                .block_of(self.c.member(member))
                .map(|first| LocalSymbol::Receiver(first.id)),
            LocalSymbol::Parameter(member, at) => (self.constructor_of(self.c.member(member)))
                .map(|constructor| LocalSymbol::Parameter(constructor, at)),
            LocalSymbol::TypeParameter(param) => {
                let param = self.c.type_param(param);
                match param.owner {
                    TypeParamOwner::Method(member) => {
                        let member = self.c.member(member);
                        let is_block = param.index < member.signature.block_arity;
                        let first = is_block.then(|| self.block_of(member)).flatten();
                        let params = first.map(|first| &first.signature.type_params);
                        let param = params.and_then(|all| all.get(usize::from(param.index)));
                        param.map(|&param| LocalSymbol::TypeParameter(param))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        canonical.unwrap_or(symbol)
    }

    /// The primary constructor whose parameters are those of a `Deconstruct` which the compiler makes of them.
    fn constructor_of(&self, member: &Member) -> Option<MemberId> {
        let is_made = member.is(MemberFlags::SYNTHESIZED) && member.name == known::DECONSTRUCT;
        is_made.then(|| self.c.primary_constructor(member.owner))?
    }

    /// The first member of the extension block around a member of this file.
    fn block_of(&self, member: &Member) -> Option<&Member> {
        match member.origin {
            MemberOrigin::Source(unit, decl) if unit == self.unit => {
                self.first_of_block(self.facts.decls[decl as usize].parent?)
            }
            _ => None,
        }
    }
}
