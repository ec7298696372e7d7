//! Rules beyond the SDK's: what no longer compiles, and what compiles and behaves otherwise (CX1001–CX2003).

use crate::compat::run::{is, is_included};
use cortex_wire::{ApiDifference, Severity, What};

use std::cmp::Ordering;

use cortex_model::{Accessibility, TypeKind};
use cortex_semantics::{
    AttributeSurface, MemberFlags, MemberKind, MemberSurface, ParamSurface, RefKind, TypeFlags,
    TypeSurface, Value,
};

/// A pair of members.
struct Both<'a> {
    types: [&'a TypeSurface; 2],
    before: &'a MemberSurface,
    after: &'a MemberSurface,
    out: &'a mut Vec<ApiDifference>,
}

pub(crate) fn compare(left: &TypeSurface, right: &TypeSurface, out: &mut Vec<ApiDifference>) {
    of_type(left, right, out);
    let seen = |ty: &TypeSurface, member: &&MemberSurface| is_included(ty, member);
    for before in left.members.iter().filter(|member| seen(left, member)) {
        let mut others = right.members.iter().filter(|member| seen(right, member));
        let Some(after) = others.find(|other| other.key == before.key) else {
            continue;
        };
        // A property's accessors say nothing that it does not say itself.
        if before.kind != MemberKind::Accessor {
            let mut both = Both {
                types: [left, right],
                before,
                after,
                out: &mut *out,
            };
            both.compare();
        }
    }
    for after in right.members.iter().filter(|member| seen(right, member)) {
        if !left.members.iter().any(|before| before.key == after.key) {
            added([left, right], after, out);
        }
    }
}

fn of_type(left: &TypeSurface, right: &TypeSurface, out: &mut Vec<ApiDifference>) {
    let mut say = |rule, severity, reason: String| {
        out.push(crate::compat::answer::difference(
            rule,
            What::Changed,
            left.id.clone(),
            severity,
            reason,
            &right.place,
        ));
    };
    let has = |ty: &TypeSurface, flag| ty.flags.has(flag);
    let kind = |ty: &TypeSurface| {
        let prefix = if has(ty, TypeFlags::REF_LIKE) {
            "ref "
        } else {
            ""
        };
        format!("{prefix}{}", ty.kind)
    };
    if kind(left) != kind(right) {
        let severity = match (left.kind, right.kind) {
            (TypeKind::Class, TypeKind::Record) => Severity::Behavioral,
            // What a record adds to a struct is told by its members.
            (TypeKind::Struct, TypeKind::RecordStruct) => Severity::Compatible,
            _ if kind(left).starts_with("ref ") => Severity::Compatible,
            (TypeKind::Record, TypeKind::Class) | (TypeKind::RecordStruct, TypeKind::Struct) => {
                Severity::SourceBreaking
            }
            _ => Severity::Breaking,
        };
        let mut reason = format!("was a {}, is a {}", kind(left), kind(right));
        if right.kind == TypeKind::Record && left.kind == TypeKind::Class {
            reason.push_str(": `==` compares values, and `ToString` prints members");
        }
        say("CX1008", severity, reason);
    }
    let was_static = has(left, TypeFlags::STATIC);
    if was_static != has(right, TypeFlags::STATIC) {
        let (severity, verb) = if was_static {
            (Severity::Compatible, "removed")
        } else {
            (Severity::Breaking, "added")
        };
        say("CX1005", severity, format!("`static` {verb}"));
    }
    let is_class = matches!(left.kind, TypeKind::Class | TypeKind::Record);
    let becomes_abstract = !has(left, TypeFlags::ABSTRACT) && has(right, TypeFlags::ABSTRACT);
    if is_class && becomes_abstract && right.kind != TypeKind::Interface {
        let reason = "became `abstract`: it can no longer be created".to_owned();
        say("CX1012", Severity::Breaking, reason);
    }
    for (before, after) in left.type_params.iter().zip(&right.type_params) {
        if before.variance != after.variance {
            let reason = format!(
                "`{}` was {:?}, is {:?}",
                before.name, before.variance, after.variance
            );
            say("CX1009", Severity::SourceBreaking, reason.to_lowercase());
        }
    }
    if becomes_error(&left.attributes, &right.attributes) {
        let reason = "code that uses it no longer compiles".to_owned();
        say("CX1010", Severity::SourceBreaking, reason);
    }
}

/// Whether `[Obsolete(…, true)]` is new.
fn becomes_error(before: &[AttributeSurface], after: &[AttributeSurface]) -> bool {
    let is_error = |attributes: &[AttributeSurface]| {
        let obsolete = attributes
            .iter()
            .find(|it| it.id == "T:System.ObsoleteAttribute");
        obsolete.is_some_and(|it| it.arguments.get(1) == Some(&Value::Boolean(true)))
    };
    is_error(after) && !is_error(before)
}

fn added([left, right]: [&TypeSurface; 2], member: &MemberSurface, out: &mut Vec<ApiDifference>) {
    let mut say = |rule, reason: &str| {
        out.push(crate::compat::answer::difference(
            rule,
            What::Added,
            member.id.clone(),
            Severity::SourceBreaking,
            reason.to_owned(),
            &member.place,
        ));
    };
    let is_type_created = left.kind != TypeKind::Interface;
    // With another type it is another member, which had to be set already.
    let was_required = || {
        let mut before = left.members.iter();
        before.any(|it| {
            it.name == member.name && it.kind == member.kind && is(it, MemberFlags::REQUIRED)
        })
    };
    if is(member, MemberFlags::REQUIRED)
        && is_type_created
        && member.kind != MemberKind::Accessor
        && !was_required()
    {
        say("CX1003", "code that creates the type must set it");
    }
    // What it overrides was an overload already; what the compiler makes for itself, nobody calls by name.
    let is_old = is(member, MemberFlags::OVERRIDE) || is(member, MemberFlags::SYNTHESIZED);
    let is_callable =
        matches!(member.kind, MemberKind::Method | MemberKind::Constructor) && !is_old;
    // Those that are still there: calls of others are broken already.
    let is_kept = |other: &&MemberSurface| right.members.iter().any(|it| it.key == other.key);
    let others = left.members.iter().filter(|other| is_included(left, other));
    let (mut kept, gone): (Vec<_>, Vec<_>) = others.partition(is_kept);
    kept.retain(|other| may_stand_for(member, other));
    // What it accepts as an overload did that is gone, another one was beside before.
    kept.retain(|other| !gone.iter().any(|was| accepted_as_much(was, member, other)));
    if is_callable && !kept.is_empty() {
        say(
            "CX1007",
            "calls of another overload may now bind to this one, or be ambiguous",
        );
    }
}

/// Whether a call of one method can be a call of another as far as the number of arguments goes, and their types
/// differ.
fn may_stand_for(new: &MemberSurface, old: &MemberSurface) -> bool {
    if new.name != old.name || new.kind != old.kind || new.params == old.params {
        return false;
    }
    let (a, b) = (n_arguments(new), n_arguments(old));
    // Nothing to choose by: an added overload without parameters is called by nobody who called another.
    a.0 <= b.1 && b.0 <= a.1 && a.1.min(b.1) > 0
}

/// Whether an overload that is gone took the arguments of a new one, with as many as another one takes.
fn accepted_as_much(was: &MemberSurface, new: &MemberSurface, other: &MemberSurface) -> bool {
    let (gone, a, b) = (n_arguments(was), n_arguments(new), n_arguments(other));
    let (least, most) = (a.0.max(b.0), a.1.min(b.1));
    let (before, after) = (types(was), types(new));
    was.name == new.name
        && was.kind == new.kind
        && gone.0 <= least
        && most <= gone.1
        && before
            .get(..most)
            .is_some_and(|before| after.get(..most) == Some(before))
}

/// The types of the parameters, as the documentation id has them.
fn types(member: &MemberSurface) -> Vec<&str> {
    let list = member.id.split_once('(').map_or("", |(_, list)| list);
    let list = list.rsplit_once(')').map_or(list, |(list, _)| list);
    let mut depth = 0;
    let types = list.split(move |c: char| {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    types.filter(|it| !it.is_empty()).collect()
}

/// The fewest and the most arguments of a call.
fn n_arguments(member: &MemberSurface) -> (usize, usize) {
    let is_needed = |param: &&ParamSurface| param.default.is_none() && !param.is_params;
    let least = member.params.iter().filter(is_needed).count();
    let has_rest = member.params.last().is_some_and(|param| param.is_params);
    let most = if has_rest {
        usize::MAX
    } else {
        member.params.len()
    };
    (least, most)
}

impl Both<'_> {
    fn say(&mut self, rule: &'static str, severity: Severity, suffix: &str, reason: String) {
        self.out.push(crate::compat::answer::difference(
            rule,
            What::Changed,
            format!("{}{suffix}", self.before.id),
            severity,
            reason,
            &self.after.place,
        ));
    }

    fn compare(&mut self) {
        let (before, after) = (self.before, self.after);
        let has = |flag| [is(before, flag), is(after, flag)];
        match has(MemberFlags::STATIC) {
            [true, false] => {
                self.say(
                    "CX1005",
                    Severity::Breaking,
                    "",
                    "`static` removed".to_owned(),
                );
            }
            [false, true] => {
                self.say(
                    "CX1005",
                    Severity::Breaking,
                    "",
                    "`static` added".to_owned(),
                );
            }
            _ => {}
        }
        self.nullability("", &before.nullability, &after.nullability);
        if before.returns != after.returns {
            let reason = format!("was {}, is {}", by(before.returns), by(after.returns));
            self.say("CX1011", Severity::Breaking, "", reason);
        }
        if has(MemberFlags::REQUIRED) == [false, true] {
            let reason = "code that creates the type must set it".to_owned();
            self.say("CX1003", Severity::SourceBreaking, "", reason);
        }
        if becomes_error(&before.attributes, &after.attributes) {
            let reason = "code that uses it no longer compiles".to_owned();
            self.say("CX1010", Severity::SourceBreaking, "", reason);
        }
        self.field();
        self.params();
        self.body();
    }

    /// `suffix`: of a parameter, empty for the member itself. What callers give may be narrower and what they get wider
    /// without a warning for them; who overrides or implements the member gets one.
    fn nullability(&mut self, suffix: &str, before: &str, after: &str) {
        // Of what the compiler makes nothing is written.
        if before == after || before.is_empty() || after.is_empty() {
            return;
        }
        let n_marks = |text: &str| text.matches('?').count();
        let order = n_marks(after).cmp(&n_marks(before));
        let reason = match order {
            Ordering::Greater => "`null` is allowed now",
            Ordering::Less => "`null` is no longer allowed",
            Ordering::Equal => "`null` is allowed elsewhere",
        };
        let is_given = !suffix.is_empty();
        let is_got = !is_given && self.after.kind == MemberKind::Method;
        let is_safe_for_callers =
            is_given && order == Ordering::Greater || is_got && order == Ordering::Less;
        let flags = [
            MemberFlags::VIRTUAL,
            MemberFlags::ABSTRACT,
            MemberFlags::OVERRIDE,
        ];
        let is_overridable = self.types[1].kind == TypeKind::Interface
            || flags.into_iter().any(|flag| is(self.after, flag));
        let who = match is_safe_for_callers {
            true if !is_overridable => return,
            true => "nullable-aware code that overrides or implements it gets warnings",
            false => "nullable-aware callers get warnings",
        };
        let reason = format!("{reason}: {who}");
        self.say("CX1001", Severity::SourceBreaking, suffix, reason);
    }

    fn field(&mut self) {
        let (before, after) = (self.before, self.after);
        if before.kind != MemberKind::Field || self.types[0].kind == TypeKind::Enum {
            return;
        }
        let has = |flag| [is(before, flag), is(after, flag)];
        if has(MemberFlags::CONST) == [true, false] {
            let reason = "no longer a constant".to_owned();
            self.say("CX1006", Severity::SourceBreaking, "", reason);
        } else if has(MemberFlags::READONLY) == [false, true] && after.kind == MemberKind::Field {
            let reason = "became `readonly`".to_owned();
            self.say("CX1006", Severity::Breaking, "", reason);
        }
        if let (Some(a), Some(b)) = (&before.value, &after.value)
            && a != b
        {
            let (a, b) = (a.text(), b.text());
            let reason = format!("was {a}, is {b}; users compiled before keep the old value");
            self.say("CX2002", Severity::Behavioral, "", reason);
        }
    }

    fn params(&mut self) {
        let (before, after) = (self.before, self.after);
        for (index, (a, b)) in before.params.iter().zip(&after.params).enumerate() {
            let suffix = format!("${index}");
            if a.ref_kind != b.ref_kind {
                let severity = match (a.ref_kind, b.ref_kind) {
                    (RefKind::Ref, RefKind::RefReadonly | RefKind::In) => Severity::SourceBreaking,
                    (RefKind::In, RefKind::RefReadonly) => Severity::SourceBreaking,
                    _ => Severity::Breaking,
                };
                let reason = format!("was passed {}, is {}", by(a.ref_kind), by(b.ref_kind));
                self.say("CX1004", severity, &suffix, reason);
            }
            if a.is_params != b.is_params {
                let (severity, verb) = if a.is_params {
                    (Severity::SourceBreaking, "removed")
                } else {
                    (Severity::Compatible, "added")
                };
                self.say("CX1004", severity, &suffix, format!("`params` {verb}"));
            }
            self.nullability(&suffix, &a.nullability, &b.nullability);
            match (&a.default, &b.default) {
                (Some(_), None) => {
                    let reason = format!("`{}` must be given now", b.name);
                    self.say("CX1002", Severity::SourceBreaking, &suffix, reason);
                }
                (Some(was), Some(is)) if was != is => {
                    let reason = format!(
                        "was {}, is {}; users compiled before keep the old value",
                        was.text(),
                        is.text()
                    );
                    self.say("CX2001", Severity::Behavioral, &suffix, reason);
                }
                _ => {}
            }
        }
    }

    /// A hint alone: the body of a member that others replace, or reach through a base or an interface.
    fn body(&mut self) {
        let (before, after) = (self.before, self.after);
        let is_virtual = is(after, MemberFlags::VIRTUAL) || is(after, MemberFlags::OVERRIDE);
        let is_code = matches!(
            after.kind,
            MemberKind::Method | MemberKind::Property | MemberKind::Event
        );
        let is_public = after.accessibility != Accessibility::Private;
        let has_bodies = before.body != 0 && after.body != 0;
        if is_virtual && is_code && is_public && has_bodies && before.body != after.body {
            self.say(
                "CX2003",
                Severity::Behavioral,
                "",
                "body changed: who overrides it or calls it through a base may notice".to_owned(),
            );
        }
    }
}

fn by(kind: RefKind) -> &'static str {
    match kind {
        RefKind::None => "by value",
        RefKind::Ref => "by `ref`",
        RefKind::Out => "by `out`",
        RefKind::In => "by `in`",
        RefKind::RefReadonly => "by `ref readonly`",
    }
}
