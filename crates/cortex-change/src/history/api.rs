//! Changes of the public API at one commit, read off stored signatures: nothing is bound again, so that a history
//! of many commits stays quick. `compat` has the exact rules.

use crate::changes::Pair;
use cortex_wire::{ApiChange, MemberChange, MemberChangeKind, Severity, TypeChange};

use cortex_bind::TypeNode;
use cortex_model::{Accessibility, ChangeClass, DeclKind, Modifier, RepoPath, TypeKey, TypeKind};
use rustc_hash::FxHashMap;

/// Every change that a user outside the assembly can see, worst first. Test projects are left out.
/// `pairs`: each of `types` before and after. `is_interface`: whether a type of the old side is one.
pub(crate) fn api_changes(
    pairs: &[Pair<'_>],
    types: &[TypeChange],
    is_interface: &dyn Fn(TypeKey) -> bool,
) -> Vec<ApiChange> {
    let mut out = Vec::new();
    let mut by_name: FxHashMap<(&str, &RepoPath), &Pair<'_>> = FxHashMap::default();
    for pair in pairs {
        if let Some(node) = pair.node() {
            by_name.entry((&node.fqn, &node.project)).or_insert(pair);
        }
    }
    for ty in types.iter().filter(|ty| !ty.is_test) {
        let Some(pair) = by_name.get(&(ty.ty.name.as_str(), &ty.project)) else {
            continue;
        };
        let (before, after) = (pair.old, pair.new);
        let was = before.is_some_and(|node| node.effective.is_visible());
        let is = after.is_some_and(|node| node.effective.is_visible());
        let mut say = |severity, rule: Option<&'static str>, reason: String| {
            out.push(ApiChange {
                moved_to: None,
                follows_moves: false,
                frameworks: Vec::new(),
                severity,
                rule: rule.map(str::to_owned),
                ty: ty.ty.name.clone(),
                member: None,
                symbol: None,
                reason,
            });
        };
        if let Some(old_name) = &ty.renamed_from {
            if is {
                say(
                    Severity::Breaking,
                    Some("CP0001"),
                    format!("renamed from `{old_name}`"),
                );
            }
            continue;
        }
        match (was, is) {
            (false, false) => continue,
            (true, false) if after.is_none() => {
                say(Severity::Breaking, Some("CP0001"), "removed".to_owned())
            }
            (true, false) => say(
                Severity::Breaking,
                Some("CP0001"),
                "no longer visible outside its assembly".to_owned(),
            ),
            (false, true) => say(
                Severity::Compatible,
                None,
                if before.is_none() {
                    "added"
                } else {
                    "now visible outside its assembly"
                }
                .to_owned(),
            ),
            (true, true) => {
                if let (Some(before), Some(after)) = (before, after) {
                    type_rules(before, after, is_interface, &mut say);
                    if !ty.members.is_empty() {
                        let members = [by_signature(before), by_signature(after)];
                        for member in &ty.members {
                            member_rules(ty, after, &members, member, &mut out);
                        }
                    }
                }
            }
        }
    }
    out.sort_by(|a, b| {
        (a.severity, &a.ty, &a.member, &a.reason).cmp(&(b.severity, &b.ty, &b.member, &b.reason))
    });
    out
}

fn type_rules(
    before: &TypeNode,
    after: &TypeNode,
    is_interface: &dyn Fn(TypeKey) -> bool,
    say: &mut dyn FnMut(Severity, Option<&'static str>, String),
) {
    let gained =
        |modifier| after.modifiers.contains(modifier) && !before.modifiers.contains(modifier);
    if before.kind != after.kind {
        say(
            Severity::Breaking,
            None,
            format!("{} → {}", before.kind, after.kind),
        );
    }
    if before.assembly != after.assembly {
        say(
            Severity::Breaking,
            Some("CP0001"),
            format!("moved from the assembly `{}`", before.assembly),
        );
    }
    if before.accessibility != after.accessibility {
        let severity = if after.accessibility < before.accessibility {
            Severity::Breaking
        } else {
            Severity::Compatible
        };
        say(
            severity,
            Some("CP0019"),
            format!(
                "accessibility {} → {}",
                before.accessibility, after.accessibility
            ),
        );
    }
    if gained(Modifier::Sealed) {
        say(Severity::Breaking, Some("CP0009"), "sealed".to_owned());
    }
    if gained(Modifier::Static) || gained(Modifier::Abstract) {
        say(
            Severity::Breaking,
            None,
            "can no longer be created".to_owned(),
        );
    }
    for base in before
        .bases
        .iter()
        .filter(|base| !after.bases.contains(base))
    {
        if is_interface(*base) {
            say(
                Severity::Breaking,
                Some("CP0008"),
                "no longer implements an interface".to_owned(),
            );
        } else {
            say(
                Severity::Breaking,
                Some("CP0007"),
                "no longer derives from its base class".to_owned(),
            );
        }
    }
}

/// How far the members of a type are seen, by their signatures in full and in short, as a change tells the one or the
/// other; the first of several alike counts.
type BySignature = FxHashMap<String, Accessibility>;

fn by_signature(node: &TypeNode) -> BySignature {
    let mut out = BySignature::default();
    for member in &node.members {
        for signature in [
            node.full_member_signature(member),
            node.member_signature(member),
        ] {
            out.entry(signature).or_insert(member.accessibility);
        }
    }
    out
}

fn member_rules(
    ty: &TypeChange,
    after: &TypeNode,
    [old_members, new_members]: &[BySignature; 2],
    member: &MemberChange,
    out: &mut Vec<ApiChange>,
) {
    let is_seen = |members: &BySignature, signature: &Option<String>| {
        let found = signature.as_ref().and_then(|it| members.get(it));
        found.is_some_and(|accessibility| accessibility.is_visible())
    };
    let was = is_seen(old_members, &member.old_signature);
    let is = is_seen(new_members, &member.new_signature);
    let mut say = |severity, rule: Option<&'static str>, reason: String| {
        let signature = member
            .new_signature
            .as_ref()
            .or(member.old_signature.as_ref());
        out.push(ApiChange {
            moved_to: None,
            follows_moves: false,
            frameworks: Vec::new(),
            severity,
            rule: rule.map(str::to_owned),
            ty: ty.ty.name.clone(),
            member: signature.cloned(),
            symbol: None,
            reason,
        });
    };
    let new_is_abstract = member
        .new_signature
        .as_deref()
        .is_some_and(|text| has_word(text, "abstract"));
    match (was, is) {
        (false, false) => {}
        (true, false) => say(
            Severity::Breaking,
            Some("CP0002"),
            "removed or less accessible".to_owned(),
        ),
        (false, true) if after.kind == TypeKind::Interface && needs_implementation(member) => {
            say(
                Severity::Breaking,
                Some("CP0006"),
                "interface member added without a default implementation".to_owned(),
            );
        }
        (false, true) if new_is_abstract && !after.modifiers.contains(Modifier::Sealed) => {
            say(
                Severity::Breaking,
                Some("CP0005"),
                "abstract member added".to_owned(),
            );
        }
        (false, true) => say(Severity::Compatible, None, "added".to_owned()),
        (true, true) => match member.change {
            MemberChangeKind::Signature => {
                let from = member.old_signature.as_deref().unwrap_or_default();
                say(
                    Severity::Breaking,
                    Some("CP0002"),
                    format!("signature changed, was `{from}`"),
                );
            }
            MemberChangeKind::Shape => {
                for note in &member.notes {
                    let names = note.starts_with("parameters");
                    say(
                        Severity::SourceBreaking,
                        names.then_some("CP0017"),
                        note.clone(),
                    );
                }
            }
            MemberChangeKind::Body
                if matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember) =>
            {
                let rule = (member.kind == DeclKind::EnumMember).then_some("CP0011");
                say(
                    Severity::Breaking,
                    rule,
                    "value changed; already compiled callers keep the old one".to_owned(),
                );
            }
            MemberChangeKind::Body => say(Severity::Behavioral, None, "body changed".to_owned()),
            MemberChangeKind::Docs
            | MemberChangeKind::Added
            | MemberChangeKind::Removed
            | MemberChangeKind::Registered => {}
        },
    }
    if ty.class == ChangeClass::Removed {
        out.pop();
    }
}

/// Whether an added interface member has no body to fall back on.
fn needs_implementation(member: &MemberChange) -> bool {
    let signature = member.new_signature.as_deref().unwrap_or_default();
    let has_body = member.code.iter().any(|line| {
        line.text.contains('{') && !line.text.contains("get;") && !line.text.contains("set;")
    }) || member.code.iter().any(|line| line.text.contains("=>"));
    !has_word(signature, "static") && !has_body
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(' ').any(|part| part == word)
}
