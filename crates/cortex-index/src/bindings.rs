//! What the names of one file mean, as a snapshot keeps it.
//!
//! Owns: the form of the values of the map `uses`. Must not know: how names were bound.

use cortex_model::{EdgeKind, EdgeKinds, Hash, TypeKey, put_varint, take_varint};
use cortex_semantics::{Certainty, How, Unbound, Why};
use cortex_syntax::DeclId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A member within its type: 24 bits of the hash of its documentation id's part after the type; of another hash
/// where a member before it has these, see [`crate::TypeSymbols::tag`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemberTag(pub u32);

impl MemberTag {
    /// What a member's documentation id without the type (`M.Add(System.Int32)`) gives, where no other member has
    /// the same: [`crate::TypeSymbols::tag`] knows.
    pub fn of_id(id: &str) -> Self {
        let hash = Hash::of(id.as_bytes());
        let bytes = hash.as_bytes();
        Self::from_bytes([bytes[1], bytes[2], bytes[3]])
    }

    // Above the low byte, so that tags have the order that 32 bits give them: answers list targets in it.
    const fn from_bytes([a, b, c]: [u8; 3]) -> Self {
        Self(u32::from_le_bytes([0, a, b, c]))
    }

    fn to_bytes(self) -> [u8; 3] {
        let [_, a, b, c] = self.0.to_le_bytes();
        [a, b, c]
    }

    /// Eight of its bits: what the map of referrers keeps of it.
    pub(crate) fn low(self) -> u8 {
        (self.0 >> 8) as u8
    }
}

/// What a name means.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoundTarget {
    /// A type of this repository.
    Type(TypeKey),
    /// A member of a type of this repository.
    Member(TypeKey, MemberTag),
    /// A type from outside, or that of a member from outside: its documentation id and assembly.
    External(Box<str>, Box<str>),
}

impl BoundTarget {
    /// The type of this repository that it is, or that declares it.
    pub fn key(&self) -> Option<TypeKey> {
        match self {
            Self::Type(key) | Self::Member(key, _) => Some(*key),
            Self::External(..) => None,
        }
    }
}

/// The names of one file inside one project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileBindings {
    /// Each once, sorted.
    pub targets: Vec<BoundTarget>,
    /// Ways in which extension members may be used here without being named.
    pub(crate) hidden: HiddenUses,
    /// Whether a call here passes the text of one of its arguments to what it calls (`[CallerArgumentExpression]`).
    pub passes_argument_texts: bool,
    /// Names that mean members or types although the references of the file leave them out, sorted.
    pub(crate) unmentioned: Vec<Box<str>>,
    /// By declaration, the file itself first.
    pub decls: Vec<DeclBindings>,
    /// How many names mean something from outside.
    pub outside: u32,
}

/// A way to use an extension member without naming it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum HiddenUse {
    /// `GetEnumerator`, `GetAsyncEnumerator`.
    Foreach,
    /// `GetAwaiter`, and the members of asynchronous enumerators.
    Await,
    /// `Deconstruct`.
    Deconstruct,
    /// `Add`.
    Add,
    /// The operators of queries.
    Query,
    /// `GetPinnableReference`.
    Fixed,
    /// Operators.
    Operator,
}

impl HiddenUse {
    const ALL: [Self; 7] = [
        Self::Foreach,
        Self::Await,
        Self::Deconstruct,
        Self::Add,
        Self::Query,
        Self::Fixed,
        Self::Operator,
    ];

    /// The one that uses extension members of a name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "GetEnumerator" | "GetAsyncEnumerator" => Self::Foreach,
            "GetAwaiter" => Self::Await,
            "Deconstruct" => Self::Deconstruct,
            "Add" => Self::Add,
            "GetPinnableReference" => Self::Fixed,
            "Select" | "SelectMany" | "Where" | "Join" | "GroupJoin" | "GroupBy" | "OrderBy"
            | "OrderByDescending" | "ThenBy" | "ThenByDescending" | "Cast" => Self::Query,
            _ if name.starts_with("op_") => Self::Operator,
            _ => return None,
        })
    }

    /// What stands for it where a type would among those that a file has to do with: no type's key.
    pub(crate) fn key(self) -> TypeKey {
        let mut key = [0; 14];
        key[0] = self as u8;
        TypeKey::from_bytes(key)
    }
}

/// Members of these names are used without being named (`foreach`, collection initializers, queries,
/// `await`, patterns, ranges, string handlers).
const PATTERN: &[&str] = &[
    "GetEnumerator",
    "GetAsyncEnumerator",
    "MoveNext",
    "MoveNextAsync",
    "Current",
    "GetAwaiter",
    "GetResult",
    "IsCompleted",
    "Dispose",
    "DisposeAsync",
    "Deconstruct",
    "Add",
    "Count",
    "Length",
    "Slice",
    "Invoke",
    "Select",
    "SelectMany",
    "Where",
    "Join",
    "GroupJoin",
    "GroupBy",
    "OrderBy",
    "OrderByDescending",
    "ThenBy",
    "ThenByDescending",
    "Cast",
    "AppendLiteral",
    "AppendFormatted",
    "GetPinnableReference",
];

/// Whether code uses members of a name without writing it.
pub fn is_used_unnamed(name: &str) -> bool {
    PATTERN.contains(&name) || name.starts_with("op_")
}

/// What stands for a name where a type would among those that a file has to do with: no type's key.
pub(crate) fn name_key(name: &str) -> TypeKey {
    let hash = Hash::of(name.as_bytes());
    let mut key = [0; 14];
    key[0] = u8::MAX;
    key[4..].copy_from_slice(&hash.as_bytes()[..10]);
    TypeKey::from_bytes(key)
}

/// A set of [`HiddenUse`]: one bit each, the highest one is none of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct HiddenUses(u8);

impl HiddenUses {
    pub(crate) fn insert(&mut self, hidden: HiddenUse) {
        self.0 |= 1 << hidden as u8;
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = HiddenUse> {
        let all = HiddenUse::ALL.into_iter();
        all.filter(move |&it| self.0 & 1 << it as u8 != 0)
    }
}

/// The names of one declaration, those of declarations inside it left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclBindings {
    /// The declaration; `None` for the file.
    pub decl: Option<DeclId>,
    /// What it declares: an index into [`FileBindings::targets`].
    pub symbol: Option<u32>,
    /// Names that mean something of this repository, by offset.
    pub refs: Vec<BoundRef>,
    /// Members of this repository that are used without being named, by offset.
    pub uses: Vec<BoundUse>,
    /// Names that could not be bound, by offset.
    pub unbound: Vec<Unbound>,
    /// Types from outside, by target.
    pub externals: Vec<(u32, EdgeKinds)>,
    /// What overridable members are called on, by offset; only where it says more than the member does.
    pub receivers: Vec<BoundReceiver>,
}

/// What a member is accessed on that others may override.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BoundReceiver {
    /// The first byte of the name.
    pub offset: u32,
    /// The type, then the types of this repository among its type arguments: indexes into
    /// [`FileBindings::targets`]. Empty for `base`.
    pub types: Vec<u32>,
}

/// What a member is accessed on, as far as that says more than the member does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Receiver {
    /// Any object that has the member.
    #[default]
    Any,
    /// `base`: exactly the member that is named runs.
    Base,
    /// An object of a type: that type, then those of this repository among its type arguments.
    Of(Vec<TypeKey>),
}

impl Receiver {
    /// From types, of which there are none for `base`.
    fn of_types(types: Vec<TypeKey>) -> Self {
        if types.is_empty() {
            Self::Base
        } else {
            Self::Of(types)
        }
    }
}

/// A name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BoundRef {
    /// Its first byte.
    pub offset: u32,
    /// What it means: an index into [`FileBindings::targets`].
    pub target: u32,
    /// How it is used.
    pub kind: EdgeKind,
    /// How sure.
    pub certainty: Certainty,
}

/// A use without a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BoundUse {
    /// The first byte of the token that stands for it.
    pub offset: u32,
    /// The member: an index into [`FileBindings::targets`].
    pub target: u32,
    /// How.
    pub how: How,
}

/// A place that means something that is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedPlace {
    /// Its first byte.
    pub offset: u32,
    /// The number that was given for what it means.
    pub number: u32,
    /// How.
    pub how: PlaceHow,
    /// The type or member around it, and which of its type's members that is.
    pub inside: Option<(TypeKey, Option<MemberTag>)>,
    /// What it is called on.
    pub receiver: Receiver,
}

/// How a place uses what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceHow {
    /// It names it.
    Name(EdgeKind, Certainty),
    /// It uses it without a name.
    Unnamed(How),
}

/// A number for a symbol that is looked for.
pub(crate) type NumberOf<'n> = dyn Fn(TypeKey, Option<MemberTag>) -> Option<u32> + 'n;

impl FileBindings {
    /// Calls `each` with every place that means something for which there is a number, declaration by declaration.
    /// Reads the rest over; `None` for bytes that [`FileBindings::encode`] did not write.
    pub(crate) fn scan(
        bytes: &[u8],
        number_of: &NumberOf<'_>,
        each: &mut dyn FnMut(WantedPlace),
    ) -> Option<()> {
        let mut input = bytes;
        let n_targets = count(&mut input)?;
        let mut targets: Vec<Option<(TypeKey, Option<MemberTag>)>> = Vec::with_capacity(n_targets);
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(n_targets);
        let (mut before, mut is_any) = (None, false);
        for _ in 0..n_targets {
            let target = match byte(&mut input)? {
                0 => {
                    let key = type_key(&mut input)?;
                    before = Some(key);
                    Some((key, None))
                }
                tag @ (1 | 2) => {
                    if tag == 2 {
                        before = Some(type_key(&mut input)?);
                    }
                    let (tag, rest) = input.split_first_chunk::<3>()?;
                    input = rest;
                    Some((before?, Some(MemberTag::from_bytes(*tag))))
                }
                3 => {
                    skip_text(&mut input)?;
                    skip_text(&mut input)?;
                    None
                }
                _ => return None,
            };
            let number = target.and_then(|(key, tag)| number_of(key, tag));
            is_any |= number.is_some();
            targets.push(target);
            numbers.push(number);
        }
        if !is_any {
            return Some(());
        }
        take_varint(&mut input)?;
        byte(&mut input)?;
        for _ in 0..count(&mut input)? {
            skip_text(&mut input)?;
        }
        let (mut offsets, mut meant) = (Vec::new(), Vec::new());
        for _ in 0..count(&mut input)? {
            take_varint(&mut input)?;
            let symbol = take_varint(&mut input)?.checked_sub(1);
            let inside = symbol.and_then(|it| targets.get(it as usize).copied().flatten());
            let (n_refs, n_uses) = (count(&mut input)?, count(&mut input)?);
            let (n_unbound, n_externals) = (count(&mut input)?, count(&mut input)?);
            let receivers = receiver_keys(&mut input, &targets)?;
            for (n, is_named) in [(n_refs, true), (n_uses, false)] {
                offsets.clear();
                meant.clear();
                let mut offset = 0_u32;
                for _ in 0..n {
                    offset = offset.checked_add(take_varint(&mut input)?)?;
                    offsets.push(offset);
                }
                for _ in 0..n {
                    meant.push(take_varint(&mut input)?);
                }
                let (how, rest) = input.split_at_checked(n)?;
                input = rest;
                for ((&offset, &target), &packed) in offsets.iter().zip(&meant).zip(how) {
                    let Some(number) = *numbers.get(target as usize)? else {
                        continue;
                    };
                    let how = match (is_named, packed & 0x80) {
                        (true, 0) => PlaceHow::Name(
                            *EdgeKind::ALL.get(usize::from(packed))?,
                            Certainty::Exact,
                        ),
                        (true, _) => PlaceHow::Name(
                            *EdgeKind::ALL.get(usize::from(packed & 0x7f))?,
                            Certainty::OverloadSet,
                        ),
                        (false, _) => PlaceHow::Unnamed(*How::ALL.get(usize::from(packed))?),
                    };
                    each(WantedPlace {
                        offset,
                        number,
                        how,
                        inside,
                        receiver: match is_named {
                            true => receivers.get(&offset).cloned().unwrap_or_default(),
                            false => Receiver::Any,
                        },
                    });
                }
            }
            for _ in 0..n_unbound {
                take_varint(&mut input)?;
            }
            input = input.get(n_unbound..)?;
            for _ in 0..n_externals {
                take_varint(&mut input)?;
                take_varint(&mut input)?;
            }
        }
        input.is_empty().then_some(())
    }

    /// Columns of LEB128 numbers: targets, then declaration by declaration.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.targets.len() * 12 + self.decls.len() * 16);
        put_varint(&mut out, self.targets.len() as u32);
        let mut before: Option<TypeKey> = None;
        for target in &self.targets {
            match target {
                BoundTarget::Type(key) => {
                    out.push(0);
                    out.extend_from_slice(key.as_bytes());
                    before = Some(*key);
                }
                BoundTarget::Member(key, tag) => {
                    // Most members stand right behind another one of their type.
                    if before == Some(*key) {
                        out.push(1);
                    } else {
                        out.push(2);
                        out.extend_from_slice(key.as_bytes());
                        before = Some(*key);
                    }
                    out.extend_from_slice(&tag.to_bytes());
                }
                BoundTarget::External(id, assembly) => {
                    out.push(3);
                    put_text(&mut out, id);
                    put_text(&mut out, assembly);
                }
            }
        }
        put_varint(&mut out, self.outside);
        out.push(self.hidden.0 | u8::from(self.passes_argument_texts) << 7);
        put_varint(&mut out, self.unmentioned.len() as u32);
        self.unmentioned
            .iter()
            .for_each(|name| put_text(&mut out, name));
        put_varint(&mut out, self.decls.len() as u32);
        let mut decl_before = 0;
        for decl in &self.decls {
            let number = decl.decl.map_or(0, |decl| decl + 1);
            put_varint(&mut out, number - decl_before);
            decl_before = number;
            put_varint(&mut out, decl.symbol.map_or(0, |symbol| symbol + 1));
            let counts = [
                decl.refs.len(),
                decl.uses.len(),
                decl.unbound.len(),
                decl.externals.len(),
            ];
            counts
                .iter()
                .for_each(|&count| put_varint(&mut out, count as u32));
            put_varint(&mut out, decl.receivers.len() as u32);
            put_offsets(&mut out, decl.receivers.iter().map(|it| it.offset));
            for receiver in &decl.receivers {
                put_varint(&mut out, receiver.types.len() as u32);
                let types = receiver.types.iter();
                types.for_each(|&it| put_varint(&mut out, it));
            }
            put_offsets(&mut out, decl.refs.iter().map(|it| it.offset));
            decl.refs
                .iter()
                .for_each(|it| put_varint(&mut out, it.target));
            out.extend(
                decl.refs.iter().map(|it| {
                    it.kind as u8 | u8::from(it.certainty == Certainty::OverloadSet) << 7
                }),
            );
            put_offsets(&mut out, decl.uses.iter().map(|it| it.offset));
            decl.uses
                .iter()
                .for_each(|it| put_varint(&mut out, it.target));
            out.extend(decl.uses.iter().map(|it| it.how as u8));
            put_offsets(&mut out, decl.unbound.iter().map(|it| it.offset));
            out.extend(decl.unbound.iter().map(|it| it.why as u8));
            for (target, kinds) in &decl.externals {
                put_varint(&mut out, *target);
                put_varint(&mut out, kinds.bits());
            }
        }
        out
    }

    /// Reads what [`FileBindings::encode`] wrote; `None` for anything else.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = bytes;
        let n_targets = count(&mut input)?;
        let mut targets = Vec::with_capacity(n_targets);
        let mut before = None;
        for _ in 0..n_targets {
            let tag = byte(&mut input)?;
            targets.push(match tag {
                0 => {
                    let key = type_key(&mut input)?;
                    before = Some(key);
                    BoundTarget::Type(key)
                }
                1 | 2 => {
                    if tag == 2 {
                        before = Some(type_key(&mut input)?);
                    }
                    let (tag, rest) = input.split_first_chunk::<3>()?;
                    input = rest;
                    BoundTarget::Member(before?, MemberTag::from_bytes(*tag))
                }
                3 => BoundTarget::External(text(&mut input)?, text(&mut input)?),
                _ => return None,
            });
        }
        let outside = take_varint(&mut input)?;
        let flags = byte(&mut input)?;
        let n_unmentioned = count(&mut input)?;
        let unmentioned: Vec<Box<str>> = (0..n_unmentioned)
            .map(|_| text(&mut input))
            .collect::<Option<_>>()?;
        let n_decls = count(&mut input)?;
        let mut decls = Vec::with_capacity(n_decls);
        let mut number = 0u32;
        for _ in 0..n_decls {
            number = number.checked_add(take_varint(&mut input)?)?;
            decls.push(DeclBindings::decode(
                &mut input,
                number.checked_sub(1),
                n_targets,
            )?);
        }
        input.is_empty().then_some(Self {
            targets,
            hidden: HiddenUses(flags & 0x7f),
            passes_argument_texts: flags & 0x80 != 0,
            unmentioned,
            decls,
            outside,
        })
    }
}

impl DeclBindings {
    /// What the member that is named at an offset is called on; `targets` are those of the file.
    #[must_use]
    pub fn receiver_at(&self, targets: &[BoundTarget], offset: u32) -> Receiver {
        let found = self.receivers.binary_search_by_key(&offset, |it| it.offset);
        let Ok(at) = found else {
            return Receiver::Any;
        };
        let types = self.receivers[at].types.iter();
        Receiver::of_types(types.filter_map(|&it| targets[it as usize].key()).collect())
    }

    fn decode(input: &mut &[u8], decl: Option<DeclId>, n_targets: usize) -> Option<Self> {
        let symbol = take_varint(input)?.checked_sub(1);
        let symbol = match symbol {
            Some(symbol) if symbol as usize >= n_targets => return None,
            symbol => symbol,
        };
        let (n_refs, n_uses) = (count(input)?, count(input)?);
        let (n_unbound, n_externals) = (count(input)?, count(input)?);
        let receivers = self::receivers(input, n_targets)?;
        let target =
            |input: &mut &[u8]| take_varint(input).filter(|&target| (target as usize) < n_targets);
        let offsets = offsets(input, n_refs)?;
        let targets: Vec<u32> = (0..n_refs).map(|_| target(input)).collect::<Option<_>>()?;
        let mut refs = Vec::with_capacity(n_refs);
        for (offset, target) in offsets.into_iter().zip(targets) {
            let packed = byte(input)?;
            refs.push(BoundRef {
                offset,
                target,
                kind: *EdgeKind::ALL.get(usize::from(packed & 0x7f))?,
                certainty: if packed & 0x80 == 0 {
                    Certainty::Exact
                } else {
                    Certainty::OverloadSet
                },
            });
        }
        let offsets = self::offsets(input, n_uses)?;
        let targets: Vec<u32> = (0..n_uses).map(|_| target(input)).collect::<Option<_>>()?;
        let mut uses = Vec::with_capacity(n_uses);
        for (offset, target) in offsets.into_iter().zip(targets) {
            let how = *How::ALL.get(usize::from(byte(input)?))?;
            uses.push(BoundUse {
                offset,
                target,
                how,
            });
        }
        let mut unbound = Vec::with_capacity(n_unbound);
        for offset in self::offsets(input, n_unbound)? {
            let why = *Why::ALL.get(usize::from(byte(input)?))?;
            unbound.push(Unbound { offset, why });
        }
        let mut externals = Vec::with_capacity(n_externals);
        for _ in 0..n_externals {
            let target = target(input)?;
            let bits = take_varint(input)?;
            let kinds = EdgeKind::ALL.iter().copied();
            externals.push((
                target,
                kinds.filter(|&kind| bits & 1 << kind as u8 != 0).collect(),
            ));
        }
        Some(Self {
            decl,
            symbol,
            refs,
            uses,
            unbound,
            externals,
            receivers,
        })
    }
}

/// What members are called on, by offset.
fn receiver_keys(
    input: &mut &[u8],
    targets: &[Option<(TypeKey, Option<MemberTag>)>],
) -> Option<FxHashMap<u32, Receiver>> {
    let found = receivers(input, targets.len())?.into_iter();
    let types = |it: &BoundReceiver| {
        let types = it.types.iter();
        types
            .filter_map(|&it| Some(targets[it as usize]?.0))
            .collect()
    };
    Some(
        found
            .map(|it| (it.offset, Receiver::of_types(types(&it))))
            .collect(),
    )
}

fn receivers(input: &mut &[u8], n_targets: usize) -> Option<Vec<BoundReceiver>> {
    let n = count(input)?;
    let offsets = offsets(input, n)?;
    let mut out = Vec::with_capacity(n);
    for offset in offsets {
        let n_types = count(input)?;
        let types = (0..n_types).map(|_| take_varint(input));
        let types: Vec<u32> = types.collect::<Option<_>>()?;
        if types.iter().any(|&it| it as usize >= n_targets) {
            return None;
        }
        out.push(BoundReceiver { offset, types });
    }
    Some(out)
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

fn put_offsets(out: &mut Vec<u8>, offsets: impl Iterator<Item = u32>) {
    let mut before = 0;
    for offset in offsets {
        put_varint(out, offset - before);
        before = offset;
    }
}

fn offsets(input: &mut &[u8], count: usize) -> Option<Vec<u32>> {
    let mut before = 0u32;
    (0..count)
        .map(|_| {
            before = before.checked_add(take_varint(input)?)?;
            Some(before)
        })
        .collect()
}

/// A count of things that take a byte each at least.
fn count(input: &mut &[u8]) -> Option<usize> {
    let count = take_varint(input)? as usize;
    (count <= input.len()).then_some(count)
}

fn byte(input: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = input.split_first()?;
    *input = rest;
    Some(byte)
}

fn type_key(input: &mut &[u8]) -> Option<TypeKey> {
    let (key, rest) = input.split_first_chunk::<14>()?;
    *input = rest;
    Some(TypeKey::from_bytes(*key))
}

fn skip_text(input: &mut &[u8]) -> Option<()> {
    let length = take_varint(input)? as usize;
    *input = input.get(length..)?;
    Some(())
}

fn text(input: &mut &[u8]) -> Option<Box<str>> {
    let length = take_varint(input)? as usize;
    let (text, rest) = input.split_at_checked(length)?;
    *input = rest;
    std::str::from_utf8(text).ok().map(Box::from)
}

#[cfg(test)]
mod tests {
    use cortex_model::Hash;

    use super::MemberTag;

    #[test]
    fn tags_have_the_order_of_the_32_bits_that_they_are_cut_from() {
        let order = |id: &String| {
            let hash = Hash::of(id.as_bytes());
            hash.as_bytes()
                .first_chunk()
                .map(|bits| u32::from_le_bytes(*bits))
        };
        let mut ids: Vec<String> = (0..1_000).map(|at| format!("M.N{at}")).collect();
        ids.sort_by_key(order);
        assert!(ids.is_sorted_by_key(|id| MemberTag::of_id(id)));
    }
}
