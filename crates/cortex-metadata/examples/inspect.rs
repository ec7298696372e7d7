//! Prints what assemblies declare, one documentation comment id a line, and how long it took.
//!
//! Usage: `inspect FILE|FOLDER…`. Times go to standard error.

#![expect(clippy::print_stderr, reason = "an example is a program")]

use std::{io::Write, path::PathBuf, time::Instant};

use cortex_metadata::{
    Assembly, ExternalMember, ExternalType, MemberKind, RefKind, SigType, TypeRow,
};

fn main() {
    let mut paths = Vec::new();
    for argument in std::env::args().skip(1) {
        let path = PathBuf::from(argument);
        match std::fs::read_dir(&path) {
            Ok(entries) => paths.extend(
                entries
                    .filter_map(|entry| Some(entry.ok()?.path()))
                    .filter(|path| path.extension().is_some_and(|ext| ext == "dll")),
            ),
            Err(_) => paths.push(path),
        }
    }
    paths.sort();
    let start = Instant::now();
    let mut assemblies = Vec::new();
    for path in &paths {
        match Assembly::open(path) {
            Ok(assembly) => assemblies.push(assembly),
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
    eprintln!(
        "open {} assemblies: {:?}",
        assemblies.len(),
        start.elapsed()
    );
    let start = Instant::now();
    let found = assemblies
        .iter()
        .filter_map(|assembly| assembly.find("System.Collections.Generic", "List", 1))
        .count();
    eprintln!(
        "index all names, find {found} List<T>: {:?}",
        start.elapsed()
    );
    let start = Instant::now();
    let rounds = 1000;
    let mut hits = 0;
    for _ in 0..rounds {
        for assembly in &assemblies {
            hits += usize::from(assembly.find("System.Linq", "Enumerable", 0).is_some());
        }
    }
    let lookups = rounds * assemblies.len().max(1);
    let each = start.elapsed() / u32::try_from(lookups).unwrap_or(u32::MAX);
    eprintln!("lookup: {each:?} ({hits} hits)");
    let start = Instant::now();
    let (mut types, mut members) = (0, 0);
    for assembly in &assemblies {
        for row in all_types(assembly) {
            types += 1;
            std::hint::black_box(assembly.type_def(row));
            members += std::hint::black_box(assembly.members(row)).len();
        }
    }
    eprintln!(
        "decode {types} types, {members} members: {:?}",
        start.elapsed()
    );
    let start = Instant::now();
    let classes: usize = assemblies
        .iter()
        .map(|assembly| assembly.extension_methods("Where").len())
        .sum();
    eprintln!(
        "index extension methods, {classes} classes with Where: {:?}",
        start.elapsed()
    );
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for assembly in &assemblies {
        for row in all_types(assembly) {
            let ty = assembly.type_def(row);
            let id = type_id(assembly, row, &ty);
            if writeln!(out, "T:{id}").is_err() {
                return;
            }
            for member in assembly.members(row) {
                if writeln!(out, "{}", member_id(&id, &member)).is_err() {
                    return;
                }
            }
        }
    }
}

fn all_types(assembly: &Assembly) -> Vec<TypeRow> {
    let mut all = assembly.types();
    let mut next = 0;
    while let Some(&row) = all.get(next) {
        all.extend(assembly.nested(row));
        next += 1;
    }
    all
}

fn type_id(assembly: &Assembly, row: TypeRow, ty: &ExternalType) -> String {
    let suffix = match ty.arity {
        0 => String::new(),
        arity => format!("`{arity}"),
    };
    let around = match ty.outer {
        Some(outer) if outer != row => type_id(assembly, outer, &assembly.type_def(outer)),
        _ => ty.namespace.to_string(),
    };
    match around.is_empty() {
        true => format!("{}{suffix}", ty.name),
        false => format!("{around}.{}{suffix}", ty.name),
    }
}

fn member_id(of: &str, member: &ExternalMember) -> String {
    let letter = match member.kind {
        MemberKind::Field | MemberKind::Constant | MemberKind::EnumMember => 'F',
        MemberKind::Property | MemberKind::Indexer => 'P',
        MemberKind::Event => 'E',
        _ => 'M',
    };
    let name = member
        .name
        .replace('.', "#")
        .replace('<', "{")
        .replace('>', "}")
        .replace(',', "@");
    let mut id = format!("{letter}:{of}.{name}");
    if !member.type_params.is_empty() {
        id += &format!("``{}", member.type_params.len());
    }
    if !member.params.is_empty() {
        let params: Vec<String> = member
            .params
            .iter()
            .map(|param| match param.ref_kind {
                RefKind::None => signature(&param.ty),
                _ => signature(&param.ty) + "@",
            })
            .collect();
        id += &format!("({})", params.join(","));
    }
    if member.kind == MemberKind::Conversion {
        id += &format!("~{}", signature(&member.ty));
    }
    id
}

fn signature(ty: &SigType) -> String {
    match ty {
        SigType::Primitive(primitive) => format!("System.{}", primitive.name()),
        SigType::TypeParam(number) => format!("`{number}"),
        SigType::MethodParam(number) => format!("``{number}"),
        SigType::Array(element, 1) => format!("{}[]", signature(element)),
        SigType::Array(element, rank) => {
            let dimensions = vec!["0:"; usize::from(*rank)].join(",");
            format!("{}[{dimensions}]", signature(element))
        }
        SigType::Pointer(element) => format!("{}*", signature(element)),
        SigType::ByRef(element) => format!("{}@", signature(element)),
        SigType::Dynamic => "System.Object".to_owned(),
        SigType::FunctionPointer(types) => {
            let types: Vec<_> = types.iter().map(signature).collect();
            format!("=FUNC:{}", types.join(","))
        }
        SigType::Tuple(types, _) => tuple(types),
        SigType::Unknown => "?".to_owned(),
        SigType::Named(named) => {
            let mut id = named.namespace.to_string();
            let mut args = named.args.iter();
            for (name, arity) in named.path.iter() {
                if !id.is_empty() {
                    id.push('.');
                }
                id += name;
                let own: Vec<_> = args
                    .by_ref()
                    .take(usize::from(*arity))
                    .map(signature)
                    .collect();
                if !own.is_empty() {
                    id += &format!("{{{}}}", own.join(","));
                }
            }
            id
        }
    }
}

fn tuple(types: &[SigType]) -> String {
    let mut parts: Vec<_> = types.iter().take(7).map(signature).collect();
    if types.len() > 7 {
        parts.push(match types.len() {
            8 => format!("System.ValueTuple{{{}}}", signature(&types[7])),
            _ => tuple(&types[7..]),
        });
    }
    format!("System.ValueTuple{{{}}}", parts.join(","))
}
