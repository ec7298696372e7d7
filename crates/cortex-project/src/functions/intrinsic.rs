//! `[MSBuild]::…`: MSBuild's own functions.

use crate::{
    escape::{escape, unescape},
    framework::Framework,
    paths::{Location, absolute, join, resolve},
    version::{Version, parse_number, print_number},
};

use super::{Site, Value, io};

pub(super) fn call(site: Site<'_>, member: &str, arguments: &[String]) -> Option<Value> {
    let text = |text: String| Some(Value::Text(text));
    match (member, arguments) {
        ("getpathoffileabove", [file, rest @ ..]) => {
            text(above(site, rest.first(), file).unwrap_or_default())
        }
        ("getdirectorynameoffileabove", [start, file, ..]) => {
            let found = above(site, Some(start), file);
            text(found.map_or(String::new(), |path| {
                path.rfind('/').map_or("", |end| &path[..end]).to_owned()
            }))
        }
        ("normalizepath", parts @ [_, ..]) => text(io::full_path(site, &joined(parts))),
        ("normalizedirectory", parts @ [_, ..]) => {
            text(with_slash(io::full_path(site, &joined(parts))))
        }
        ("ensuretrailingslash", [path]) => text(if path.is_empty() {
            String::new()
        } else {
            with_slash(path.clone())
        }),
        ("makerelative", [base, path]) => {
            let base = absolute(&resolve(site.project_folder, base));
            let target = absolute(&resolve(site.project_folder, path));
            text(relative(&base, &target))
        }
        ("valueordefault", [value, default]) => text(if value.is_empty() {
            default.clone()
        } else {
            value.clone()
        }),
        ("escape", [value]) => text(escape(value)),
        ("unescape", [value]) => text(unescape(value).into_owned()),
        ("isosplatform", [platform]) => Some(Value::truth(platform.eq_ignore_ascii_case("linux"))),
        ("isosunixlike" | "isrunningfromvisualstudio", []) => {
            Some(Value::truth(member == "isosunixlike"))
        }
        ("arefeaturesenabled", _) => Some(Value::truth(true)),
        ("doestaskhostexist", _) => Some(Value::truth(false)),
        ("getcurrenttoolsdirectory" | "gettoolsdirectory32" | "gettoolsdirectory64", _)
        | ("getmsbuildsdkspath" | "getvsinstallroot" | "getprogramfiles32", _)
        | ("getregistryvalue" | "getregistryvaluefromview", _) => Some(Value::empty()),
        (_, [left, right]) if member.starts_with("version") => versions(member, left, right),
        (_, [target]) | (_, [target, _]) if member.starts_with("gettarget") => {
            target_part(member, target, arguments.get(1))
        }
        ("istargetframeworkcompatible", [target, candidate]) => Some(Value::truth(
            Framework::parse(target).accepts(&Framework::parse(candidate)),
        )),
        ("filtertargetframeworks", [original, filter]) => {
            let kept: Vec<Framework> = filter.split(';').map(Framework::parse).collect();
            let kept: Vec<&str> = original
                .split(';')
                .filter(|name| {
                    let framework = Framework::parse(name);
                    kept.iter().any(|kept| {
                        kept.family == framework.family && kept.version.same(&framework.version)
                    })
                })
                .collect();
            text(kept.join(";"))
        }
        (_, [left, right]) => arithmetic(member, left, right),
        _ => None,
    }
}

/// The absolute path of a file in a folder or the nearest one above it. A folder that is not given is
/// that of the file which holds the expression.
fn above(site: Site<'_>, start: Option<&String>, file: &str) -> Option<String> {
    let start = match start {
        Some(start) => resolve(site.project_folder, start),
        None => Location::Inside(site.file_folder.to_owned()),
    };
    let Location::Inside(folder) = start else {
        return None;
    };
    let file = file.replace('\\', "/");
    if file.is_empty() {
        return None;
    }
    // Above a folder the name counts exactly; in it, the case may differ.
    let found = site
        .table
        .nearest_above(&folder, &file)
        .or_else(|| site.table.find(&join(&folder, &file)))?;
    Some(absolute(&Location::Inside(
        site.table.as_str(found).to_owned(),
    )))
}

fn joined(parts: &[String]) -> String {
    let slashed: Vec<String> = parts.iter().map(|part| part.replace('\\', "/")).collect();
    io::combine(&slashed)
}

fn with_slash(mut path: String) -> String {
    if !path.ends_with(['/', '\\']) {
        path.push('/');
    }
    path
}

fn relative(base: &str, target: &str) -> String {
    let base: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    let target: Vec<&str> = target.split('/').filter(|part| !part.is_empty()).collect();
    let shared = base.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let mut parts = vec![".."; base.len() - shared];
    parts.extend(&target[shared..]);
    parts.join("/")
}

fn versions(member: &str, left: &str, right: &str) -> Option<Value> {
    let (left, right) = (Version::parse(left)?, Version::parse(right)?);
    let order = left.parts.cmp(&right.parts);
    Some(Value::truth(match member {
        "versionequals" => order.is_eq(),
        "versionnotequals" => order.is_ne(),
        "versiongreaterthan" => order.is_gt(),
        "versiongreaterthanorequals" => order.is_ge(),
        "versionlessthan" => order.is_lt(),
        "versionlessthanorequals" => order.is_le(),
        _ => return None,
    }))
}

fn target_part(member: &str, target: &str, parts: Option<&String>) -> Option<Value> {
    let framework = Framework::parse(target);
    let least = match parts {
        Some(parts) => parts.trim().parse().ok()?,
        None => 2,
    };
    let print = |version: Version| {
        let mut n = 4;
        while n > least && version.parts[n - 1] == 0 {
            n -= 1;
        }
        version.to_parts(n)
    };
    Some(Value::Text(match member {
        "gettargetframeworkidentifier" => framework.family.identifier().to_owned(),
        "gettargetframeworkversion" => print(framework.version),
        "gettargetplatformidentifier" => framework
            .platform
            .map_or(String::new(), |platform| platform.name),
        "gettargetplatformversion" => {
            match framework.platform.and_then(|platform| platform.version) {
                Some(version) => print(version),
                None => "0.0".to_owned(),
            }
        }
        _ => return None,
    }))
}

fn arithmetic(member: &str, left: &str, right: &str) -> Option<Value> {
    let (left, right) = (parse_number(left.trim())?, parse_number(right.trim())?);
    let result = match member {
        "add" => left + right,
        "subtract" => left - right,
        "multiply" => left * right,
        "divide" if right != 0.0 => {
            let exact = left / right;
            // Two whole numbers divide as whole numbers.
            if left.fract() == 0.0 && right.fract() == 0.0 {
                exact.trunc()
            } else {
                exact
            }
        }
        "modulo" if right != 0.0 => left % right,
        "bitwiseor" => (left as i64 | right as i64) as f64,
        "bitwiseand" => (left as i64 & right as i64) as f64,
        "bitwisexor" => (left as i64 ^ right as i64) as f64,
        _ => return None,
    };
    Some(Value::Text(print_number(result)))
}
