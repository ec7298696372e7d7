use crate::dependencies::{
    Dependencies, Dependency, Edges, Project, Type, code,
    uses::{FileUses, Used, Uses},
};

use cortex_index::MemberTag;
use cortex_model::{Accessibility, EdgeKind, EdgeKinds, RepoPath, TypeKey, TypeKind};
use proptest::prelude::*;

fn key(nth: u8) -> TypeKey {
    TypeKey::from_bytes([nth; 14])
}

fn graph(n_types: u8, edges: &[(u8, u8, u32)]) -> Dependencies {
    let mut out = Dependencies {
        projects: vec![Project {
            path: RepoPath::from("A/A.csproj"),
            assembly: "A".to_owned(),
            is_test: false,
        }],
        paths: vec![RepoPath::from("A/A.cs")],
        edges: Edges {
            keys: (0..n_types).map(key).collect(),
            starts: vec![0],
            all: Vec::new(),
        },
        ..Dependencies::default()
    };
    for at in 0..n_types {
        out.types.push(Type {
            key: key(at),
            fqn: format!("N.T{at}"),
            kind: TypeKind::ALL[usize::from(at) % TypeKind::ALL.len()],
            effective: Accessibility::ALL[usize::from(at) % Accessibility::ALL.len()],
            project: 0,
            path: 0,
            line: u32::from(at) * 300,
        });
        let mut own: Vec<Dependency> = (edges.iter())
            .filter(|(from, to, _)| *from == at && *to < n_types && from != to)
            .map(|&(_, to, count)| Dependency {
                target: u32::from(to),
                kinds: EdgeKinds::EMPTY.with(EdgeKind::ALL[count as usize % EdgeKind::ALL.len()]),
                count,
            })
            .collect();
        own.sort_unstable();
        own.dedup_by_key(|it| it.target);
        out.edges.all.extend(own);
        out.edges.starts.push(out.edges.all.len() as u32);
    }
    out
}

proptest! {
    #[test]
    fn what_is_kept_reads_as_it_was(n_types in 0u8..20, edges in prop::collection::vec((0u8..20, 0u8..20, 0u32..900), 0..60), cut in 0usize..4000) {
        let graph = graph(n_types, &edges);
        let (bytes, kept) = (code::of_dependencies(&graph), code::of_edges(&graph.edges));
        prop_assert_eq!(code::to_edges(&kept), Some(graph.edges.clone()));
        prop_assert_eq!(code::to_dependencies(&bytes, graph.edges.clone()), Some(graph.clone()));
        prop_assert_eq!(code::to_edges(&kept[..cut.min(kept.len() - 1)]), None);
        prop_assert_eq!(code::to_dependencies(&bytes[..cut.min(bytes.len() - 1)], graph.edges.clone()), None);
        let used: Vec<Used> = edges.iter().map(|&(from, to, n)| Used {
            key: key(from),
            member: (to % 2 == 0).then_some(MemberTag(n)),
            outside: n,
            inside: u32::from(to),
            docs: 1,
        }).collect();
        let files = vec![FileUses { path: 7, is_test: true, used }];
        prop_assert_eq!(code::to_files(&code::of_files(&files)), Some(files.clone()));
        let uses = Uses::of(&graph, &files);
        prop_assert_eq!(code::to_uses(&code::of_uses(&uses)), Some(uses));
    }

    #[test]
    fn turning_edges_round_loses_none(n_types in 1u8..20, edges in prop::collection::vec((0u8..20, 0u8..20, 0u32..900), 0..60)) {
        let graph = graph(n_types, &edges);
        let reversed = graph.reversed();
        let forward: Vec<(u32, u32)> = (0..graph.n_types()).flat_map(|at| graph.of(at).iter().map(move |it| (at as u32, it.target))).collect();
        let mut backward: Vec<(u32, u32)> = (0..graph.n_types()).flat_map(|at| reversed.of(at).iter().map(move |it| (it.target, at as u32))).collect();
        backward.sort_unstable();
        prop_assert_eq!(forward, backward);
    }
}
