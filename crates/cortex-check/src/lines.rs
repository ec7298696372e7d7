//! Answers as lines.

use cortex_wire::{
    ApiAnswer, CallsAnswer, DiffContext, Difference, LineUse, ProveAnswer, ReachingTest,
    RelativeEntry, RelativesAnswer, ResolveAnswer, SearchAnswer, SubjectTests, UnusedAnswer,
    UnusedItem, UsagesAnswer, Verdict,
};

pub(crate) fn usages(answer: &UsagesAnswer) -> Vec<String> {
    let mut out = Vec::new();
    for usage in &answer.items {
        let certainty = format!("{:?}", usage.certainty).to_lowercase();
        let mut line = format!(
            "{}:{}:{} {} {certainty}",
            usage.file,
            usage.line,
            usage.column,
            usage.context.word()
        );
        if let Some(member) = &usage.inside {
            line += &format!(" in {member}");
        }
        if let Some(via) = &usage.via {
            line += &format!(" via {} {}", via.relation.word(), via.doc_id);
        }
        out.push(line);
    }
    for place in &answer.not_known.places {
        out.push(format!(
            "{}:{}:{} unresolved",
            place.file, place.line, place.column
        ));
    }
    out.push(match answer.verdict {
        Verdict::Found => "found".to_owned(),
        Verdict::Elsewhere => format!("{} elsewhere", answer.elsewhere),
        Verdict::None => "none".to_owned(),
        Verdict::NotKnown if answer.not_known.visible_outside => {
            "not known: visible outside".to_owned()
        }
        Verdict::NotKnown => "not known".to_owned(),
    });
    out
}

pub(crate) fn mentions(answer: &UsagesAnswer) -> Vec<String> {
    let mut out: Vec<String> = (answer.mentions.items.iter())
        .map(|it| format!("{}:{}:{} {}", it.file, it.line, it.column, it.language))
        .collect();
    out.push(format!("{:?}", answer.verdict));
    let others = answer.mentions.not_searched.iter();
    out.extend(others.map(|it| format!("not searched: {} {}", it.n_files, it.extension)));
    out
}

pub(crate) fn unused(answer: &UnusedAnswer) -> Vec<String> {
    let items = answer.items.iter();
    let line = |item: &UnusedItem| {
        let reasons = item.reasons.iter();
        let reasons: String = reasons
            .map(|it| format!(" {:?} {}", it.why, it.what))
            .collect();
        let mentions = match item.n_mentions {
            0 => String::new(),
            n => format!(" mentions:{n}"),
        };
        format!("{}{mentions}{reasons}", item.name)
    };
    items.map(line).collect()
}

pub(crate) fn calls(answer: &CallsAnswer) -> Vec<String> {
    let items = answer.items.iter();
    items
        .map(|item| format!("{} {}", item.depth, item.doc_id))
        .collect()
}

pub(crate) fn relatives(answer: &RelativesAnswer) -> Vec<String> {
    let entry = |way: &str, entry: &RelativeEntry| {
        format!(
            "{way} {} {} {}",
            entry.depth,
            entry.relation.word(),
            entry.doc_id
        )
    };
    let up = answer.up.iter().map(|it| entry("up", it));
    let down = answer.down.iter().map(|it| entry("down", it));
    up.chain(down).collect()
}

pub(crate) fn resolved(answer: &ResolveAnswer) -> Vec<String> {
    let resolved = &answer.subject.resolved;
    let mut out = vec![format!("{} {}", resolved.kind.word(), resolved.path)];
    let others = answer.subject.others.iter();
    out.extend(others.map(|other| format!("also {}", other.path)));
    let places = answer.declarations.iter();
    out.extend(places.map(|place| format!("{}:{}", place.file, place.line)));
    out
}

pub(crate) fn symbols(answer: &SearchAnswer) -> Vec<String> {
    let items = answer.items.iter();
    items
        .map(|item| format!("{} {}", item.kind.word(), item.qualified_name))
        .collect()
}

/// Uses of changed symbols, below the symbol.
pub(crate) fn impact(answer: &DiffContext) -> Vec<String> {
    let mut out = Vec::new();
    for symbol in &answer.impact.symbols {
        if !symbol.uses.is_empty() {
            let change = format!("{:?}", symbol.change).to_lowercase();
            out.push(format!("{change} {}", symbol.id));
            out.extend(
                symbol
                    .uses
                    .iter()
                    .map(|used| format!("  {}", line_use(used))),
            );
        }
    }
    for user in &answer.impact.next {
        out.push(format!(
            "next {} {} through {}",
            user.n_uses, user.id, user.through
        ));
    }
    for registration in &answer.impact.registrations {
        let service = registration.service.as_deref().unwrap_or("-");
        out.push(format!("registration {} as {service}", registration.id));
        out.push(format!("  {}", line_use(&registration.at)));
        out.extend((registration.consumers.iter()).map(|used| format!("  {}", line_use(used))));
    }
    out
}

fn line_use(used: &LineUse) -> String {
    let certainty = format!("{:?}", used.certainty).to_lowercase();
    let mut out = format!(
        "{}:{}:{} {} {certainty}",
        used.path,
        used.at.line,
        used.at.column,
        used.role.word()
    );
    if let Some(via) = &used.via {
        let relation = format!("{:?}", via.relation).to_lowercase();
        out += &format!(" {relation} {}", via.to);
    }
    out
}

/// Changed types and members, with their notes, and namespaces that moved.
pub(crate) fn changes(answer: &DiffContext) -> Vec<String> {
    let mut out = Vec::new();
    for moved in &answer.namespaces {
        out.push(format!(
            "{} types from {} to {}",
            moved.n_types, moved.from, moved.to
        ));
    }
    for ty in &answer.types {
        let from = ty.moved_from_assembly.iter();
        let from: String = from
            .map(|it| format!(", moved from assembly {it}"))
            .collect();
        out.push(format!("{}{from}", ty.ty.name));
        for member in &ty.members {
            let change = format!("{:?}", member.change).to_lowercase();
            let notes: String = member
                .notes
                .iter()
                .map(|note| format!("; {note}"))
                .collect();
            out.push(format!("  {change} {}{notes}", member.name));
        }
    }
    out
}

/// The tests of one answer, then those that only its set-up reaches; sorted, as their order is a matter of rank.
pub(crate) fn tests(answer: &SubjectTests) -> Vec<String> {
    let line = |test: &ReachingTest| {
        let class = test.class.rsplit('.').next().unwrap_or_default();
        let possible = if !test.certainty.is_exact() { "? " } else { "" };
        format!("{possible}{class}.{}", test.method)
    };
    let mut tests: Vec<String> = answer.tests.iter().map(line).collect();
    tests.sort();
    let mut set_up: Vec<String> = (answer.set_up.iter())
        .map(|test| format!("set-up {}", line(test)))
        .collect();
    set_up.sort();
    tests.extend(set_up);
    tests
}

pub(crate) fn differences(answer: &ApiAnswer) -> Vec<String> {
    let all = (answer.assemblies.iter()).flat_map(|assembly| &assembly.differences);
    let mut out: Vec<String> = all
        .map(|it| {
            let mode = format!("{:?}", it.mode).to_lowercase();
            format!("{mode} {} {} {}", it.rule, it.what.word(), it.symbol)
        })
        .collect();
    out.sort();
    out
}

/// What must be read with the reason, what means something else elsewhere, and what is proven.
pub(crate) fn proven(answer: &ProveAnswer) -> Vec<String> {
    let differences = |all: &[Difference]| -> Vec<String> {
        let all = all.iter();
        all.map(|it| {
            let [before, after] = [&it.before, &it.after].map(|it| it.as_deref().unwrap_or("-"));
            format!(
                "  {}:{} {}: {before} -> {after}",
                it.file, it.line, it.question
            )
        })
        .collect()
    };
    let mut out = Vec::new();
    for unit in &answer.to_read {
        out.push(format!("read {} {:?}", unit.symbol, unit.reason));
        out.extend(differences(&unit.differences));
    }
    if !answer.elsewhere.is_empty() {
        out.push("elsewhere".to_owned());
        out.extend(differences(&answer.elsewhere));
    }
    out.extend(
        answer
            .not_compared
            .iter()
            .map(|it| format!("not compared {it}")),
    );
    for unit in &answer.proven {
        let from = unit.old_symbol.iter().map(|it| format!(" from {it}"));
        let file = unit.old_file.iter().map(|it| format!(" out of {it}"));
        let notes: String = from.chain(file).collect();
        out.push(format!("proven {} {:?}{notes}", unit.symbol, unit.change));
    }
    out
}
