//! One JSON object a line: `breaking` and `strict` as the two modes of the SDK's check report them, `own` by rules
//! beyond it, `compared`, `gone`, `came` and `undecided`.

use cortex_wire::{ApiAnswer, ApiLine, ApiLineKind, What};

use super::modes;

fn line(k: ApiLineKind, asm: &str) -> ApiLine<'_> {
    ApiLine {
        k,
        asm: asm.into(),
        path: None,
        id: None,
        what: None,
        symbol: None,
        severity: None,
        reason: None,
        differences: None,
        allowed: None,
    }
}

fn write(line: &ApiLine<'_>, out: &mut String) {
    let text = serde_json::to_string(line).expect("plain data has a JSON form");
    out.push_str(&text);
    out.push('\n');
}

/// Every difference, additions as well, by assembly.
pub fn api_jsonl(answer: &ApiAnswer) -> String {
    let mut out = String::new();
    for assembly in &answer.assemblies {
        let asm = assembly.assembly.as_str();
        for it in &assembly.differences {
            let (in_default, in_strict) = modes(it.mode);
            let kinds = [
                in_default.then_some(ApiLineKind::Breaking),
                in_strict.then_some(ApiLineKind::Strict),
                (!in_default && !in_strict).then_some(ApiLineKind::Own),
            ];
            for k in kinds.into_iter().flatten() {
                write(
                    &ApiLine {
                        id: Some(it.rule.as_str().into()),
                        what: Some(it.what),
                        symbol: Some(it.symbol.as_str().into()),
                        severity: Some(it.severity),
                        reason: Some(it.reason.as_str().into()),
                        allowed: it.allowed.then_some(true),
                        ..line(k, asm)
                    },
                    &mut out,
                );
            }
        }
        for it in &assembly.undecided {
            write(
                &ApiLine {
                    symbol: Some(it.symbol.as_str().into()),
                    reason: Some(it.reason.as_str().into()),
                    ..line(ApiLineKind::Undecided, asm)
                },
                &mut out,
            );
        }
        write(
            &ApiLine {
                path: Some(assembly.project.as_str().into()),
                differences: Some(assembly.differences.len()),
                ..line(ApiLineKind::Compared, asm)
            },
            &mut out,
        );
    }
    let lone = [
        (ApiLineKind::Gone, What::Removed, &answer.gone),
        (ApiLineKind::Came, What::Added, &answer.came),
    ];
    for (k, what, lone) in lone {
        for lone in lone {
            write(
                &ApiLine {
                    path: Some(lone.project.as_str().into()),
                    id: (k == ApiLineKind::Gone).then_some("CP0004".into()),
                    what: Some(what),
                    ..line(k, &lone.assembly)
                },
                &mut out,
            );
        }
    }
    out
}
