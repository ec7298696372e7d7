//! A call as overload resolution sees it, and the shape of candidates: which argument goes to which
//! parameter (C# specification, §12.6.2.2), in normal or expanded form.
//!
//! Must not know: types and conversions.

use smallvec::SmallVec;

use crate::{
    compilation::Compilation,
    expr::{Arg, Expr},
    name::Name,
    symbol::{Member, MemberFlags, Param, RefKind, Sym},
    ty::Ty,
};

/// What is asked of overload resolution.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// The receiver of an extension member: it is argument 0 then.
    pub(super) receiver: Option<&'a Expr>,
    /// The arguments as written.
    pub(super) args: &'a [Arg],
    /// Type arguments as written; empty where none are.
    pub(super) type_args: &'a [Ty],
    /// Which of static and instance members may be chosen.
    pub(super) statics: Statics,
    /// Whether optional parameters may be left out and `params` expanded: not in the conversion of a
    /// method group (§10.8).
    pub(super) forms: Forms,
}

/// Which members a receiver allows (§12.8.10.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Statics {
    /// Both: simple names in instance members, Color Color, constructors, indexers.
    Both,
    /// The receiver is a value.
    Instance,
    /// The receiver is a type.
    Static,
    /// A simple name where there is no `this`.
    PreferStatic,
}

/// Which forms of a candidate are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forms {
    /// Normal and expanded, with defaults.
    All,
    /// Every parameter has its argument.
    Exact,
    /// The same, and the return type must convert to this one (§10.8).
    Returning(Ty),
}

/// The form in which a candidate is applicable (§12.6.4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// As declared.
    Normal,
    /// With the `params` parameter taken apart.
    Expanded,
}

impl<'a> Call<'a> {
    /// A call of what has no receiver to be an argument.
    pub(super) fn of(args: &'a [Arg], type_args: &'a [Ty], statics: Statics) -> Self {
        Self {
            receiver: None,
            args,
            type_args,
            statics,
            forms: Forms::All,
        }
    }

    /// How many arguments there are, the receiver of an extension included.
    pub(super) fn len(&self) -> usize {
        self.args.len() + usize::from(self.receiver.is_some())
    }

    /// An argument's value.
    pub(super) fn expr(&self, index: usize) -> &'a Expr {
        match (self.receiver, index) {
            (Some(receiver), 0) => receiver,
            (Some(_), index) => &self.args[index - 1].expr,
            (None, index) => &self.args[index].expr,
        }
    }

    fn arg(&self, index: usize) -> Option<&'a Arg> {
        match self.receiver {
            Some(_) => Some(&self.args[index.checked_sub(1)?]),
            None => Some(&self.args[index]),
        }
    }

    /// How an argument is passed; `None` for a receiver, which goes by whatever its parameter says.
    pub(super) fn ref_kind(&self, index: usize) -> Option<RefKind> {
        self.arg(index).map(|arg| arg.ref_kind)
    }

    fn name(&self, index: usize) -> Option<Name> {
        self.arg(index)?.name.map(|(name, _)| name)
    }

    /// Whether an argument is the receiver.
    pub(super) fn is_receiver(&self, index: usize) -> bool {
        index == 0 && self.receiver.is_some()
    }
}

/// The parameters that arguments go to: of a member of an extension block with its receiver first.
#[derive(Clone, Copy)]
pub(super) struct Params<'c> {
    receiver: Option<&'c Param>,
    rest: &'c [Param],
}

impl<'c> Params<'c> {
    /// Those of a member; `reduced` where a receiver is an argument.
    pub(super) fn of(member: &'c Member, reduced: bool) -> Self {
        // A static member of a block has a receiver parameter only to be found by.
        let has_receiver = reduced || !member.is_static();
        Self {
            receiver: member
                .signature
                .receiver
                .as_ref()
                .filter(|_| has_receiver && member.is(MemberFlags::EXTENSION_BLOCK)),
            rest: &member.signature.params,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rest.len() + usize::from(self.receiver.is_some())
    }

    pub(super) fn get(&self, index: usize) -> &'c Param {
        match (self.receiver, index) {
            (Some(receiver), 0) => receiver,
            (Some(_), index) => &self.rest[index - 1],
            (None, index) => &self.rest[index],
        }
    }

    fn named(&self, name: Name) -> Option<usize> {
        (0..self.len()).find(|&index| self.get(index).name == name)
    }

    /// Whether the last one is `params`.
    pub(super) fn is_expandable(&self) -> bool {
        self.rest.last().is_some_and(|param| param.is_params)
    }
}

/// By argument: the index of its parameter.
pub(super) type Slots = SmallVec<[u16; 8]>;

/// Which parameter each argument goes to, in a form; `None` where one has none or one that is needed is
/// missing (§12.6.2.2).
pub(super) fn slots(call: &Call<'_>, params: Params<'_>, form: Form) -> Option<Slots> {
    let (n_args, n_params) = (call.len(), params.len());
    if form == Form::Normal && n_args > n_params {
        return None;
    }
    if form == Form::Expanded && (!params.is_expandable() || call.forms != Forms::All) {
        return None;
    }
    let last = n_params.wrapping_sub(1);
    let mut slots = Slots::with_capacity(n_args);
    let mut used: SmallVec<[bool; 16]> = SmallVec::from_elem(false, n_params);
    let mut out_of_place = false;
    for index in 0..n_args {
        let slot = match call.name(index) {
            Some(name) => {
                let slot = params.named(name)?;
                out_of_place |= slot != index;
                slot
            }
            // A positional argument after a named one that is out of its place is an error.
            None if out_of_place => return None,
            None if form == Form::Expanded && index > last => last,
            None if index < n_params => index,
            None => return None,
        };
        let is_element = form == Form::Expanded && slot == last && call.name(index).is_none();
        if std::mem::replace(&mut used[slot], true) && !is_element {
            return None;
        }
        slots.push(slot as u16);
    }
    let may_lack = |index: usize| {
        params.get(index).is_optional && call.forms == Forms::All
            || form == Form::Expanded && index == last
    };
    let mut unused = (0..n_params).filter(|&index| !used[index]);
    unused.all(may_lack).then_some(slots)
}

/// Whether an argument may be passed to a parameter as it is (§12.6.4.2): `in` and `ref readonly` take
/// values, and variables with `ref`.
pub(super) fn passes(arg: RefKind, param: RefKind) -> bool {
    match (arg, param) {
        (RefKind::None, RefKind::None | RefKind::In | RefKind::RefReadonly) => true,
        (RefKind::Ref, RefKind::In | RefKind::RefReadonly) => true,
        (RefKind::In, RefKind::RefReadonly) => true,
        (a, b) => a == b,
    }
}

/// How many type arguments a call may write for a member: all, or those that are not its block's.
pub(super) fn takes_type_args(c: &Compilation<'_>, sym: Sym, count: usize) -> bool {
    let signature = &c.member(sym.member).signature;
    let all = signature.type_params.len();
    count == 0 || count == all || count == all - usize::from(signature.block_arity)
}
