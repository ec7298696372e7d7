//! The rows of users of users: by the member that they use, and by its type where many are alike.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_wire::NextUser;

use super::{rows::listed, without_parameters};
use crate::text::line;

/// So many members of one type have a row each.
const MAX_SINGLE: usize = 3;

/// How many names share a row.
const NAMES_PER_ROW: usize = 8;

/// The rows with the number of users of each, in the order of the users; the numbers add up to the users.
pub(super) fn rows(users: &[NextUser]) -> Vec<(String, usize)> {
    let mut by_direct: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let (through_contracts, users): (Vec<&NextUser>, Vec<&NextUser>) =
        users.iter().partition(|user| user.contract.is_some());
    for user in users {
        let at = *known.entry(&user.through).or_insert_with(|| {
            by_direct.push((&user.through, Vec::new()));
            by_direct.len() - 1
        });
        by_direct[at].1.push(&user.id);
    }
    let mut by_type: Vec<Vec<usize>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, (through, _)) in by_direct.iter().enumerate() {
        let ty = split(through).0;
        let group = *known.entry(ty).or_insert_with(|| {
            by_type.push(Vec::new());
            by_type.len() - 1
        });
        by_type[group].push(at);
    }
    let mut out = Vec::new();
    for group in by_type {
        if group.len() <= MAX_SINGLE {
            out.extend(group.into_iter().map(|at| single(&by_direct[at])));
            continue;
        }
        let ty = split(by_direct[group[0]].0).0;
        let members: Vec<_> = (group.iter())
            .map(|&at| line(split(by_direct[at].0).1))
            .collect();
        let users: Vec<&str> = (group.iter())
            .flat_map(|&at| by_direct[at].1.iter().copied())
            .collect();
        let text = format!(
            "then {}.{{{}}} ← {}",
            line(ty),
            listed(&members, ", "),
            names(&users)
        );
        out.push((text, users.len()));
    }
    out.extend(contract_rows(&through_contracts));
    out
}

/// The callers of contracts of many types, by what is called and what it may run.
fn contract_rows(users: &[&NextUser]) -> Vec<(String, usize)> {
    let mut groups: Vec<Vec<&NextUser>> = Vec::new();
    for &user in users {
        let same = |of: &&mut Vec<&NextUser>| {
            (&of[0].contract, &of[0].through) == (&user.contract, &user.through)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(user),
            None => groups.push(vec![user]),
        }
    }
    let rows = groups.iter().map(|group| {
        let contract = group[0].contract.as_deref().unwrap_or_default();
        let ids: Vec<&str> = group.iter().map(|user| user.id.as_str()).collect();
        let text = format!(
            "then {}, one of many that {} may run ← {}",
            line(&readable(crate::look::short(&group[0].through))),
            line(&readable(crate::look::short(contract))),
            names(&ids)
        );
        (text, group.len())
    });
    rows.collect()
}

/// The users of one member.
fn single((through, users): &(&str, Vec<&str>)) -> (String, usize) {
    let name = crate::look::short(through);
    // One overload uses another: their parameters tell them apart.
    let (same, others): (Vec<&str>, Vec<&str>) =
        (users.iter()).partition(|id| crate::look::short(id) == name);
    if same.is_empty() {
        return (
            format!("then {} ← {}", line(&readable(name)), names(users)),
            users.len(),
        );
    }
    let mut shown: Vec<String> = same.iter().map(|id| with_parameters(id)).collect();
    if !others.is_empty() {
        shown.push(names(&others));
    }
    let through = with_parameters(through);
    let text = format!("then {} ← {}", line(&through), line(&shown.join(", ")));
    (text, users.len())
}

/// `Type.Member(Parameter, Other<Argument>)`: a documentation id with simple names.
fn with_parameters(id: &str) -> String {
    let mut out = crate::look::short(id).to_owned();
    let parameters = id.split_once('(').map_or("", |(_, rest)| rest);
    let parameters = parameters.rsplit_once(')').map_or("", |(list, _)| list);
    out.push('(');
    let mut word = String::new();
    for c in parameters.chars() {
        match c {
            '.' => word.clear(),
            ',' | '{' | '}' => {
                out.push_str(&std::mem::take(&mut word));
                out.push_str(match c {
                    '{' => "<",
                    '}' => ">",
                    _ => ", ",
                });
            }
            c => word.push(c),
        }
    }
    out + &word + ")"
}

/// The names of users, as many as a row has; those of several types of one name with the last part of the namespace.
fn names(users: &[&str]) -> String {
    let mut types: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for id in users {
        let path = without_parameters(id);
        let ty = path.rfind('.').map_or(path, |dot| &path[..dot]);
        types.entry(crate::look::short(id)).or_default().insert(ty);
    }
    let shown = users.iter().map(|id| {
        let short = crate::look::short(id);
        let path = without_parameters(id).strip_suffix(short);
        let path = path.map(|path| path.trim_end_matches('.'));
        let namespace = path.and_then(|path| path.rsplit(['.', ':']).next());
        match namespace {
            Some(namespace) if types[short].len() > 1 => {
                line(&format!("{namespace}.{}", readable(short))).into_owned()
            }
            _ => line(&readable(short)).into_owned(),
        }
    });
    let mut shown: Vec<String> = shown.collect();
    // Overloads have one name.
    shown.dedup();
    if shown.len() > NAMES_PER_ROW {
        let n_more = shown.len() - NAMES_PER_ROW;
        shown.truncate(NAMES_PER_ROW);
        shown.push(format!("… {n_more} more"));
    }
    shown.join(", ")
}

/// A type and a member as a reader knows them: `Encoder.IEncoder.Get` of the explicit `Encoder.Media#IEncoder#Get`.
fn readable(short: &str) -> Cow<'_, str> {
    let parts = short.split_once('.').map(|(ty, member)| {
        let names: Vec<&str> = member.split('#').collect();
        (ty, names)
    });
    match parts {
        Some((ty, names)) if names.len() > 2 || names.len() == 2 && !names[0].is_empty() => {
            let last = names[names.len() - 2..].join(".");
            format!("{ty}.{last}").into()
        }
        _ => short.into(),
    }
}

/// The simple names of the type and the member of a documentation id.
fn split(id: &str) -> (&str, &str) {
    let short = crate::look::short(id);
    short.rsplit_once('.').unwrap_or(("", short))
}

#[cfg(test)]
mod tests {
    use cortex_wire::NextUser;

    use super::rows;

    fn user(id: &str, through: &str) -> NextUser {
        NextUser {
            contract: None,
            id: id.to_owned(),
            through: through.to_owned(),
            n_uses: 1,
        }
    }

    #[test]
    fn overloads_that_use_each_other_have_parameters() {
        let users = [user(
            "M:A.Lib.Get(System.Collections.Generic.List{A.Item},System.Int32)",
            "M:A.Lib.Get(A.Query)",
        )];
        let text = "then Lib.Get(Query) ← Lib.Get(List<Item>, Int32)";
        assert_eq!(rows(&users), [(text.to_owned(), 1)]);
    }

    #[test]
    fn explicit_implementations_have_the_name_of_their_interface() {
        let users = [user(
            "M:A.Encoder.B#IEncoder#Get",
            "M:A.Encoder.#ctor(System.Int32)",
        )];
        let text = "then Encoder.#ctor ← Encoder.IEncoder.Get";
        assert_eq!(rows(&users), [(text.to_owned(), 1)]);
    }

    #[test]
    fn types_of_one_name_have_a_part_of_their_namespaces() {
        let users = [
            "M:Bit.Events.Startup.Configure",
            "M:Bit.Processor.Startup.Configure",
            "M:Bit.Own.Run",
        ];
        let users = users.map(|id| user(id, "M:Bit.Shared.Add"));
        let text =
            "then Shared.Add ← Events.Startup.Configure, Processor.Startup.Configure, Own.Run";
        assert_eq!(rows(&users), [(text.to_owned(), 3)]);
    }

    #[test]
    fn the_users_of_many_members_of_one_type_are_one_row() {
        let mut users: Vec<NextUser> = (0..70)
            .map(|i| {
                let node = format!("M:A.Node{i}.AcceptVisitor(A.Visitor)");
                user(&node, &format!("M:A.Visitor.Visit{i}(A.Node{i})"))
            })
            .collect();
        users.push(user("M:A.Main.Run", "M:A.Other.Go"));
        let rows = rows(&users);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1], ("then Other.Go ← Main.Run".to_owned(), 1));
        assert!(
            rows[0].0.starts_with(
                "then Visitor.{Visit0, Visit1, Visit2, Visit3, Visit4, Visit5, Visit6, Visit7 … 62 more} ← Node0.AcceptVisitor, "
            ),
            "{}",
            rows[0].0
        );
        let n_users: usize = rows.iter().map(|(_, n)| n).sum();
        assert_eq!(n_users, users.len());
    }
}
