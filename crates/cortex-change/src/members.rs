//! Members that differ between the two sides of a type.

mod inlined;
mod parameters;
mod spelling;

use crate::{
    alike::{MAX_COMPARED, Nameless, Words, best_pairs},
    annotations::{BothBound, modifier_note},
    moves::names::MovedNames,
};
use cortex_bind::{AttributeNode, MemberNode, TypeNode};
use cortex_derived::reach::frameworks::{Marks, marks_by_name};
use cortex_look::follow::{
    pairing::{Half, Pairing, Side, are_names_alike, is_same},
    place::Place,
};
use cortex_model::{DeclKind, member_short_id};
use cortex_wire::{CodeLine, CodeLineKind, MemberChange, MemberChangeKind};

use crate::code::Extent;
use parameters::Parameters;

/// Gives the text of a member from where it stands before and after.
pub(crate) type MemberCode<'c> = dyn Fn(Option<Place>, Option<Place>, Extent) -> Vec<CodeLine> + 'c;

/// The older side of a member.
#[derive(Clone, Copy)]
struct Before<'a> {
    half: Half<'a>,
    /// The same under the names that types have now.
    renamed: Half<'a>,
}

/// The changed members of a type: removed, added, then changed; each by path and line. `renamed`: the older side of the type
/// under the names that types have now.
pub(crate) fn member_changes<'a>(
    old: Option<&'a Side<'a>>,
    new: Option<&'a Side<'a>>,
    renamed: Option<&'a TypeNode>,
    code: &MemberCode<'_>,
    bound: &BothBound<'_>,
    names: &MovedNames,
) -> Vec<MemberChange> {
    let change = |kind, old, new| change(code, bound, kind, old, new);
    let sides = Side::halves(old);
    let mut before = sides.clone();
    if let Some(renamed) = renamed {
        for (half, member) in before.iter_mut().zip(&renamed.members) {
            (half.node, half.member) = (renamed, member);
        }
    }
    let both = |at: usize| Before {
        half: sides[at],
        renamed: before[at],
    };
    let after = Side::halves(new);
    let nodes = |halves: &[Half<'a>]| halves.iter().map(|half| half.member).collect::<Vec<_>>();
    let bodies = |halves: &[Half<'a>]| {
        let all = halves.iter();
        all.map(|half| (half.member, half.detail.impl_hash))
            .collect::<Vec<_>>()
    };
    let mut pairing = Pairing::new(&nodes(&before), &nodes(&after));
    pairing.join_renamed(&bodies(&before), &bodies(&after));
    let gone = (pairing.gone.iter()).map(|&at| {
        let told = change(MemberChangeKind::Removed, Some(both(at)), None);
        (at, told)
    });
    let came = (pairing.came.iter()).map(|&at| {
        let told = change(MemberChangeKind::Added, None, Some(after[at]));
        (at, told)
    });
    let (mut gone, mut came): (Vec<_>, Vec<_>) = (gone.collect(), came.collect());
    let is_test = |half: &Half<'_>| {
        let attributes = half.member.attributes.iter();
        let mut marks = attributes.filter_map(|it| marks_by_name(it.simple_name()));
        marks.any(|it| it == Marks::Test)
    };
    let tests = [&before, &after].map(|side| side.iter().map(is_test).collect::<Vec<bool>>());
    pairing
        .pairs
        .extend(rewritten(&mut gone, &mut came, &tests));
    let one_sided = gone.into_iter().chain(came);
    let mut out: Vec<MemberChange> = one_sided.map(|(_, told)| told).collect();
    for (old, new) in pairing.pairs {
        let (before, after) = (both(old), after[new]);
        let Some(as_written) = difference(before.half, after) else {
            continue;
        };
        // One of the names may be that of another type that keeps it: what is the same as written is the same.
        let kind = match renamed {
            Some(_) => difference(before.renamed, after),
            None => Some(as_written),
        };
        let kind = kind.map(|kind| kind.max(as_written));
        let mut told = change(kind.unwrap_or(as_written), Some(before), Some(after));
        let is_same_code = || {
            let sides = [CodeLineKind::Added, CodeLineKind::Removed];
            let [old, new] = sides.map(|other| side_of(&told.code, other));
            !names.is_empty() && !told.code.is_empty() && names.are_same(&old, &new)
        };
        if kind.is_none() || kind == Some(MemberChangeKind::Body) && is_same_code() {
            (told.change, told.follows_moves) = (as_written, true);
        } else if kind == Some(MemberChangeKind::Body) && is_spelled_otherwise(&told) {
            told.notes.push(MemberChange::ONLY_SPELLING.to_owned());
        }
        out.push(told);
    }
    inlined::mark(&mut out);
    out.sort_by(|a, b| {
        (a.change, &a.path, a.line, &a.name).cmp(&(b.change, &b.path, b.line, &b.name))
    });
    out
}

/// Whether nothing that runs differs between both sides of a member's code.
fn is_spelled_otherwise(told: &MemberChange) -> bool {
    let sides = [CodeLineKind::Added, CodeLineKind::Removed];
    let [old, new] = sides.map(|other| side_of(&told.code, other));
    !told.code.is_empty() && spelling::is_spelling_alone(&old, &new)
}

/// The first thing that differs between two sides of a member.
fn difference(before: Half<'_>, after: Half<'_>) -> Option<MemberChangeKind> {
    if !is_same(before.member, after.member) {
        Some(MemberChangeKind::Signature)
    } else if !before.member.has_shape_of(after.member)
        || before.detail.params != after.detail.params
    {
        Some(MemberChangeKind::Shape)
    } else if before.detail.impl_hash != after.detail.impl_hash {
        Some(MemberChangeKind::Body)
    } else if before.detail.doc_hash != after.detail.doc_hash {
        Some(MemberChangeKind::Docs)
    } else {
        None
    }
}

/// Lines of such a member that are the same, in percent: where its name is much the same, and where it is not.
const MIN_SAME_PERCENT: [usize; 2] = [40, 80];

/// Words of a test that are the same, in percent, likewise: its lines are few, and often each differs a little.
const MIN_SAME_WORDS: [usize; 2] = [50, 75];

/// So many parameters are hardly taken by chance.
const MIN_PARAMETERS: usize = 3;

/// Whether two methods take the same, several parameters of the same types in the same order.
fn takes_the_same(before: &MemberChange, after: &MemberChange) -> bool {
    let parameters = |signature: &Option<String>| {
        let list = signature.as_deref()?.split_once('(')?.1;
        let list = list.rsplit_once(')')?.0.replace('?', "");
        (list.matches(',').count() + 1 >= MIN_PARAMETERS).then_some(list)
    };
    let [old, new] = [&before.old_signature, &after.new_signature].map(parameters);
    old.is_some() && old == new
}

/// Takes what is gone and came under another name with mostly the same code, the most alike first. Each with its place
/// among the members of its side. `tests`: which members of each side are tests.
fn rewritten(
    gone: &mut Vec<(usize, MemberChange)>,
    came: &mut Vec<(usize, MemberChange)>,
    tests: &[Vec<bool>; 2],
) -> Vec<(usize, usize)> {
    if gone.len() * came.len() > MAX_COMPARED {
        return Vec::new();
    }
    let with_code = |side: usize, all: &'_ [(usize, MemberChange)]| -> Vec<_> {
        let all = all.iter().enumerate();
        let all = all.filter(|(_, (_, it))| it.has_body && it.kind != DeclKind::Constructor);
        all.map(|(at, (member, it))| {
            let words = tests[side][*member].then(|| Words::of(it));
            (at, Nameless::of(it), words)
        })
        .collect()
    };
    let (olds, news) = (with_code(0, gone), with_code(1, came));
    let mut alike: Vec<(usize, usize, usize)> = Vec::new();
    for (old, old_code, old_words) in &olds {
        for (new, new_code, new_words) in &news {
            let ((old, before), (new, after)) = (&gone[*old], &came[*new]);
            if before.kind != after.kind {
                continue;
            }
            let is_alike =
                are_names_alike(&before.name, &after.name) || takes_the_same(before, after);
            let by_name = usize::from(!is_alike);
            let percent = old_code.percent_alike(new_code);
            let words = match (old_words, new_words) {
                (Some(old), Some(new)) => old.percent_alike(new),
                _ => 0,
            };
            if percent >= MIN_SAME_PERCENT[by_name] || words >= MIN_SAME_WORDS[by_name] {
                alike.push((percent.max(words), *old, *new));
            }
        }
    }
    let pairs = best_pairs(alike);
    gone.retain(|(at, _)| pairs.iter().all(|(old, _)| old != at));
    came.retain(|(at, _)| pairs.iter().all(|(_, new)| new != at));
    pairs
}

/// Attributes that came and went, in one note for each class of them.
fn attribute_notes(gone: &[AttributeNode], came: &[AttributeNode]) -> Vec<String> {
    let mut classes: Vec<String> = Vec::new();
    for attribute in gone.iter().chain(came) {
        let class = attribute.name.to_string();
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    let of_class = |all: &'_ [AttributeNode], class: &str| -> Vec<AttributeNode> {
        let all = all.iter().filter(|it| it.name.to_string() == class);
        all.cloned().collect()
    };
    let several = |n: usize| match n {
        1 => String::new(),
        n => format!(" {n} times"),
    };
    (classes.iter())
        .map(
            |class| match (&*of_class(gone, class), &*of_class(came, class)) {
                ([old], [new]) => {
                    let is_alike = old.to_string() == new.to_string();
                    let text =
                        |it: &AttributeNode| if is_alike { it.full() } else { it.to_string() };
                    format!("`{}` → `{}`", text(old), text(new))
                }
                ([one], []) => format!("`{one}` removed"),
                ([], [one]) => format!("`{one}` added"),
                (old, []) => format!("`[{class}]` removed{}", several(old.len())),
                ([], new) => format!("`[{class}]` added{}", several(new.len())),
                (old, new) => format!(
                    "`[{class}]` with other arguments ({} → {})",
                    old.len(),
                    new.len()
                ),
            },
        )
        .collect()
}

/// What differs between two shapes: attributes that came and went, and the rest where it does.
fn shape_notes(before: &MemberNode, after: &MemberNode) -> Vec<String> {
    let (mut gone, mut came) = (before.attributes.clone(), after.attributes.clone());
    gone.retain(|attribute| {
        let same = came.iter().position(|other| other == attribute);
        same.map(|at| came.remove(at)).is_none()
    });
    let mut out = attribute_notes(&gone, &came);
    let [old, full_old] = before.shape_without_attributes();
    let [new, full_new] = after.shape_without_attributes();
    if old != new {
        out.push(format!("`{old}` → `{new}`"));
    } else if full_old != full_new {
        out.push(format!("`{full_old}` → `{full_new}`"));
    }
    out
}

/// The signatures of both sides; where people would read the same twice, with the namespaces of types from outside.
fn signatures(old: Option<Half<'_>>, new: Option<Half<'_>>) -> [Option<String>; 2] {
    let short = |half: Half<'_>| half.node.member_signature(half.member);
    let full = |half: Half<'_>| half.node.full_member_signature(half.member);
    let (Some(old), Some(new)) = (old, new) else {
        return [old.map(short), new.map(short)];
    };
    let (texts, in_full) = ([short(old), short(new)], [full(old), full(new)]);
    match texts[0] == texts[1] && in_full[0] != in_full[1] {
        true => in_full.map(Some),
        false => texts.map(Some),
    }
}

/// Whether the body of a member differs; positional records and what an interface only declares have none. The default
/// values of parameters count to the same hash: where they differ, the lines behind the parameters decide.
fn has_other_body(before: Half<'_>, after: Half<'_>, lines: &[CodeLine]) -> bool {
    let (old, new) = (before.detail, after.detail);
    if old.impl_hash == new.impl_hash || !(old.has_body || new.has_body) {
        return false;
    }
    defaults(&old.params).eq(defaults(&new.params))
        || has_change_behind(lines, CodeLineKind::Removed, &before.member.name)
        || has_change_behind(lines, CodeLineKind::Added, &after.member.name)
}

/// Whether a line of one side differs behind the line on which the parameters end. `kind`: that of the side's lines.
fn has_change_behind(lines: &[CodeLine], kind: CodeLineKind, name: &str) -> bool {
    let head = format!("{name}(");
    let mut depth: Option<i32> = None;
    for line in lines {
        if line.kind != CodeLineKind::Context && line.kind != kind {
            continue;
        }
        if depth == Some(0) {
            if line.kind == kind {
                return true;
            }
            continue;
        }
        let text = match (depth, line.text.find(&head)) {
            (None, Some(at)) => &line.text[at..],
            (None, None) => continue,
            (Some(_), _) => &line.text,
        };
        let n = |c| text.matches(c).count() as i32;
        depth = Some((depth.unwrap_or(0) + n('(') - n(')')).max(0));
    }
    false
}

/// The default values in a list of parameter names and default values.
fn defaults(params: &str) -> impl Iterator<Item = &str> {
    let all = params.split(',');
    all.filter_map(|param| param.split_once('=').map(|(_, value)| value))
}

fn parameters_of(half: Half<'_>) -> Parameters<'_> {
    Parameters {
        nodes: half.member.params.as_deref().unwrap_or_default(),
        names: &half.detail.params,
    }
}

/// Whether nothing of a member differs but its name.
fn is_same_but_for_name(before: Half<'_>, after: Half<'_>) -> bool {
    let (old, new) = (before.member, after.member);
    // Who can see it says the signature.
    old.has_head_of(new)
        && old.has_tail_of(new)
        && old.has_shape_of(new)
        && before.detail.params == after.detail.params
        && before.detail.impl_hash == after.detail.impl_hash
}

/// The text of one side among lines of both. `other`: the kind of the lines that the other side has alone.
pub(crate) fn side_of(lines: &[CodeLine], other: CodeLineKind) -> String {
    let lines = lines.iter().filter(|line| line.kind != other);
    let lines: Vec<&str> = lines.map(|line| line.text.as_str()).collect();
    lines.join("\n")
}

fn change(
    code: &MemberCode<'_>,
    bound: &BothBound<'_>,
    kind: MemberChangeKind,
    before: Option<Before<'_>>,
    new: Option<Half<'_>>,
) -> MemberChange {
    let old = before.map(|before| before.half);
    let renamed = before.map(|before| before.renamed);
    let half = new.or(old).expect("a changed member has a side");
    let extent = match half.member.primary && half.member.kind == DeclKind::Constructor {
        true => Extent::Header,
        false => Extent::Whole,
    };
    let place = |half: Half<'_>| {
        let part = half.node.parts.get(half.member.part as usize);
        let mut place = half.place();
        // The constructor is the header of its type, which only its text tells from the body.
        if let Some(part) = part.filter(|_| extent == Extent::Header) {
            place.end = part.range.end;
        }
        place
    };
    let lines = code(old.map(place), new.map(place), extent);
    let mut notes = Vec::new();
    if let (Some(before), Some(after)) = (renamed, new) {
        let sides = [CodeLineKind::Added, CodeLineKind::Removed];
        let texts = sides.map(|other| side_of(&lines, other));
        let texts = (!lines.is_empty()).then(|| [texts[0].as_str(), texts[1].as_str()]);
        let is_only_annotated = bound.is_annotation(before, after, texts);
        if is_only_annotated {
            notes.push(MemberChange::ANNOTATION_ONLY.to_owned());
        }
        notes.extend(modifier_note(before, after).map(str::to_owned));
        if before.member.name != after.member.name && after.member.kind != DeclKind::Constructor {
            let rest = match is_same_but_for_name(before, after) {
                true => MemberChange::OTHERWISE_UNCHANGED,
                false => "",
            };
            notes.push(format!(
                "{} `{}`{rest}",
                MemberChange::RENAMED_FROM,
                before.member.name
            ));
        }
        if before.detail.params != after.detail.params {
            notes.push(format!(
                "parameters `{}` → `{}`",
                before.detail.params, after.detail.params
            ));
        }
        if !before.member.has_shape_of(after.member) {
            notes.extend(shape_notes(before.member, after.member));
        }
        if kind < MemberChangeKind::Body
            && !is_only_annotated
            && has_other_body(before, after, &lines)
        {
            notes.push(MemberChange::BODY_TOO.to_owned());
        }
    }
    let signatures = signatures(old, new);
    MemberChange {
        frameworks: Vec::new(),
        change: kind,
        follows_moves: false,
        kind: half.member.kind,
        name: half.member.name.clone(),
        id: member_short_id(&half.node.full_member_signature(half.member)),
        doc_id: None,
        accessibility: half.member.accessibility,
        modifiers: half
            .member
            .modifiers
            .iter()
            .map(|it| it.to_string())
            .collect(),
        parameters: match (before, new) {
            (Some(before), Some(new)) => {
                let old = parameters_of(before.renamed);
                parameters::differences(old, parameters_of(before.half).texts(), parameters_of(new))
            }
            _ => Vec::new(),
        },
        old_signature: signatures[0].clone(),
        new_signature: signatures[1].clone(),
        notes,
        path: half.path(),
        is_proven: false,
        line: half.detail.line,
        has_body: half.detail.has_code,
        // The properties of a positional record have no text but their parameter, which the
        // constructor shows.
        code: if half.member.primary && half.member.kind == DeclKind::Property {
            Vec::new()
        } else {
            lines
        },
    }
}

#[cfg(test)]
mod tests {
    use cortex_bind::{AccessorNode, AttributeNode, MemberNode};
    use cortex_model::{Accessibility, AccessorKind, DeclKind, Modifiers};
    use cortex_syntax::AttributeTarget;

    use super::shape_notes;

    fn property(attributes: &[(&str, &str)], accessors: &[AccessorKind]) -> MemberNode {
        let attributes = attributes.iter().map(|&(name, arguments)| AttributeNode {
            target: AttributeTarget::Declaration,
            name: name.into(),
            arguments: (!arguments.is_empty()).then(|| arguments.to_owned()),
        });
        let accessors = accessors.iter().map(|&kind| AccessorNode {
            kind,
            accessibility: None,
            modifiers: Modifiers::EMPTY,
        });
        MemberNode {
            kind: DeclKind::Property,
            accessibility: Accessibility::Public,
            modifiers: Modifiers::EMPTY,
            ty: Some("int".into()),
            name: "P".to_owned(),
            interface_len: 0,
            params: None,
            type_params: Vec::new(),
            attributes: attributes.collect(),
            accessors: accessors.collect(),
            part: 0,
            decl: 0,
            primary: false,
        }
    }

    #[test]
    fn attributes_that_stay_are_left_out_of_the_notes() {
        let both = [AccessorKind::Get, AccessorKind::Set];
        let data = |first| {
            [
                ("InlineData", first),
                ("InlineData", "\"b\""),
                ("Theory", ""),
            ]
        };
        let (before, after) = (data("\"a]\", 1"), data("\"a]\", 2"));
        assert_eq!(
            shape_notes(&property(&before, &both), &property(&after, &both)),
            [r#"`[InlineData("a]", 1)]` → `[InlineData("a]", 2)]`"#]
        );
        let after = property(&[("A", "")], &[AccessorKind::Get]);
        assert_eq!(
            shape_notes(&property(&[], &both), &after),
            ["`[A]` added", "`get;set;` → `get;`"]
        );
    }

    #[test]
    fn one_class_of_attributes_has_one_note() {
        let data = |from: usize, n: usize| {
            let arguments = (from..from + n).map(|i| ("InlineData", ["1", "2", "3", "4", "5"][i]));
            property(&arguments.collect::<Vec<_>>(), &[])
        };
        let notes = |old: &MemberNode, new: &MemberNode| shape_notes(old, new);
        assert_eq!(
            notes(&data(0, 3), &data(3, 2)),
            ["`[InlineData]` with other arguments (3 → 2)"]
        );
        assert_eq!(
            notes(&data(0, 3), &data(0, 0)),
            ["`[InlineData]` removed 3 times"]
        );
        assert_eq!(
            notes(&data(0, 1), &data(0, 3)),
            ["`[InlineData]` added 2 times"]
        );
    }
}
