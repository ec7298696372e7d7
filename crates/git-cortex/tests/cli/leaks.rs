//! Nothing outside of a scope is told, whatever the scope, the question and the form of the answer.
//!
//! Owns: a model of scopes as sets of bytes, made of what `scope files` says of their atoms alone; what an answer must
//! not have, by places (files, lines, columns, texts) and by words (names that nothing in the scope has).

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use fastrand::Rng;
use serde_json::Value;

use crate::harness::{World, shown, times};

const APP: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>\n</Project>\n";
const TESTS: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup><TargetFramework>net8.0</TargetFramework><IsTestProject>true</IsTestProject></PropertyGroup>\n  <ItemGroup><ProjectReference Include=\"../../src/App/App.csproj\" /></ItemGroup>\n</Project>\n";

/// Two types on one line, and two members on one.
const SHAPES: &str = "namespace Geo;
/// <summary>What has an area, as <see cref=\"Charlie\"/> has.</summary>
public interface IAlpha { int Alpha1(); }
public class Bravo : IAlpha
{
    public virtual int Alpha1() => Bravo2 * Bravo3();

    public int Bravo2 = 3; public int Bravo4 = 4;
    /// <summary>Asks <see cref=\"Delta\"/>.</summary>
    protected int Bravo3() { return Bravo2 + 1; }
    private int Bravo5() => 4;
    private int Bravo6() => 4;
}
public class Charlie : Bravo { public override int Alpha1() => base.Alpha1() + Bravo2; } public class Delta : Charlie { public override int Alpha1() => 1 + base.Alpha1(); }
";
/// One type in two files, with a type inside; what it uses is known in part only.
const ONE: &str = "namespace Geo.Parts;
public partial class Echo
{
    /// <summary>Starts.</summary>
    public int Echo1(Bravo bravo) => bravo.Alpha1() + new Charlie().Alpha1();
    private int Echo2() => 7;
    public class Golf : Delta { public int Golf1() => Mystery.Alpha1(); }
}
";
const TWO: &str = "namespace Geo.Parts;
partial class Echo
{
    public int Echo3() { return Echo1(new Delta()) + Echo4(); }
    private int Echo4() => Mystery.Echo1();
    private int Echo5() => 8; // Alpha1 is no call
    public string Echo6() => \"Alpha1 and Bravo2\";
}
";
/// With a mark at its start and carriage returns.
const LOOP: &str = "\u{feff}namespace Geo.Loops;\r
public class Hotel { public India? Hotel1; public int Hotel2() => Hotel1!.India2(); }\r
public class India { public Juliet? India1; public int India2() => India1!.Juliet2(); }\r
public class Juliet { public Hotel? Juliet1; public int Juliet2() => Juliet1!.Hotel2(); }\r
";
const KILO: &str = "namespace Geo.Wide;
// ä𝄞 before
public class Kilo : Delta
{
    public int Kilo1() => Bravo2 + Alpha1();
}
";
const LIMA: &str = "namespace Geo.Checks;
public class LimaTests
{
    public int Lima1() => new Charlie().Alpha1() + new Geo.Parts.Echo().Echo3();
    public int Lima2(IAlpha alpha) => alpha.Alpha1();
}
";
const NOTES: &str = "Alpha1 is what Bravo2 makes of it.\n\nCharlie, Delta and Echo1 do not care.\n";

const KILO_PATH: &str = "src/App/Kilo.cs";

const FILES: [(&str, &str); 9] = [
    ("notes/notes.txt", NOTES),
    ("src/App/App.csproj", APP),
    ("src/App/Loop.cs", LOOP),
    ("src/App/Parts/Echo.One.cs", ONE),
    ("src/App/Parts/Echo.Two.cs", TWO),
    ("src/App/Shapes.cs", SHAPES),
    (KILO_PATH, KILO),
    ("tests/App.Tests/App.Tests.csproj", TESTS),
    ("tests/App.Tests/LimaTests.cs", LIMA),
];

/// The files, the one of Kilo in UTF-16.
fn world() -> World {
    let world = World::empty();
    for (path, text) in FILES {
        world.write(path, text);
    }
    let units = std::iter::once(0xFEFF).chain(KILO.encode_utf16());
    world.write(
        KILO_PATH,
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
    );
    world.commit("Add files");
    world
}

/// A text as ranges count in it.
fn text_of(path: &str) -> &'static str {
    let file = FILES.iter().find(|(it, _)| *it == path);
    file.unwrap_or_else(|| panic!("no file is {path}")).1
}

/// Every type with its members, outermost first.
const TYPES: [(&str, &[&str]); 11] = [
    ("IAlpha", &["IAlpha.Alpha1"]),
    (
        "Bravo",
        &[
            "Bravo.Alpha1",
            "Bravo.Bravo2",
            "Bravo.Bravo3",
            "Bravo.Bravo5",
        ],
    ),
    ("Charlie", &["Charlie.Alpha1"]),
    ("Delta", &["Delta.Alpha1"]),
    (
        "Echo",
        &["Echo.Echo1", "Echo.Echo3", "Echo.Echo4", "Echo.Echo6"],
    ),
    ("Golf", &["Golf.Golf1"]),
    ("Hotel", &["Hotel.Hotel2"]),
    ("India", &["India.India2"]),
    ("Juliet", &["Juliet.Juliet1"]),
    ("Kilo", &["Kilo.Kilo1"]),
    ("LimaTests", &["LimaTests.Lima1"]),
];

/// Bytes of files; of a whole file it itself, too.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Set {
    whole: BTreeSet<String>,
    bytes: BTreeSet<(String, u32)>,
}

impl Set {
    /// What `scope files` says.
    fn told(world: &World, scope: &str) -> Self {
        let answer = world.json(&["scope", "files", scope]);
        let mut out = Self::default();
        for file in answer["files"].as_array().expect("files") {
            // Assemblies have no place in answers.
            let Some(path) = file["file"].as_str() else {
                continue;
            };
            match file["ranges"].as_array() {
                None => out.add_whole(path),
                Some(ranges) => {
                    let at = |range: &Value, end: &str| range[end].as_u64().expect("a byte") as u32;
                    for range in ranges {
                        let bytes = at(range, "start")..at(range, "end");
                        out.bytes.extend(bytes.map(|byte| (path.to_owned(), byte)));
                    }
                }
            }
        }
        out
    }

    fn add_whole(&mut self, path: &str) {
        self.whole.insert(path.to_owned());
        let bytes = 0..text_of(path).len() as u32;
        self.bytes.extend(bytes.map(|byte| (path.to_owned(), byte)));
    }

    fn is_in(&self, path: &str, byte: usize) -> bool {
        self.bytes.contains(&(path.to_owned(), byte as u32))
    }

    fn has_file(&self, path: &str) -> bool {
        self.whole.contains(path) || self.bytes.iter().any(|(it, _)| it == path)
    }

    /// The stretches of a line, by its number, that are in it.
    fn pieces(&self, path: &str, line: u64) -> Vec<String> {
        let text = text_of(path);
        let mut start = 0;
        for (nth, content) in (1..).zip(text.split_inclusive('\n')) {
            if nth == line {
                let mut pieces = vec![String::new()];
                for (at, c) in content.char_indices() {
                    match self.is_in(path, start + at) {
                        true => pieces.last_mut().expect("one").push(c),
                        false => pieces.push(String::new()),
                    }
                }
                return pieces;
            }
            start += content.len();
        }
        Vec::new()
    }

    /// Whether all of a line but white space is in it, and there is something.
    fn has_line(&self, path: &str, line: u64) -> bool {
        let content = text_of(path).lines().nth(line as usize - 1);
        let inside: Vec<String> = self.pieces(path, line);
        let wanted = content.unwrap_or_default().trim().trim_matches('\u{feff}');
        inside.iter().any(|piece| piece.contains(wanted)) && !wanted.is_empty()
    }

    fn has_column(&self, path: &str, line: u64, column: u64) -> bool {
        let text = text_of(path);
        let mut start = 0;
        for (nth, content) in (1..).zip(text.split_inclusive('\n')) {
            if nth == line {
                let shown = content.trim_start_matches('\u{feff}');
                let mark = content.len() - shown.len();
                let mut units = 1;
                for (at, c) in shown.char_indices() {
                    if units >= column {
                        return self.is_in(path, start + mark + at);
                    }
                    units += c.len_utf16() as u64;
                }
            }
            start += content.len();
        }
        false
    }

    /// The words of all that is in it.
    fn words(&self) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        for (path, text) in FILES {
            let inside: String = text
                .char_indices()
                .map(|(at, c)| if self.is_in(path, at) { c } else { ' ' })
                .collect();
            out.extend(words(&inside));
        }
        out
    }
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
}

/// A scope as it is written, and what it is by the model. `None` for one that cannot be negated.
#[derive(Clone)]
struct Scope {
    text: String,
    set: Set,
    is_global: bool,
}

/// What scopes are made of.
fn atoms(world: &World) -> Vec<Scope> {
    let mut texts: Vec<(String, bool)> = [
        "'All Places'",
        "'Project Files'",
        "Production",
        "Tests",
        "module(App)",
        "dir(src/App/Parts)",
        "dir(notes)",
        "files(src/App/Shapes.cs)",
        "files(src/App/Parts/Echo.Two.cs, src/App/Kilo.cs)",
        "pattern(file:*.cs)",
        "pattern(src:Geo.Parts..*)",
        "pattern(projectPath:src/App/**.cs)",
    ]
    .iter()
    .map(|text| ((*text).to_owned(), true))
    .collect();
    for (ty, members) in TYPES {
        texts.push((format!("type:{ty}"), false));
        texts.push((format!("members:{ty}"), false));
        texts.extend(members.iter().map(|it| (format!("type:{it}"), false)));
    }
    let each = texts.into_iter().map(|(text, is_global)| Scope {
        set: Set::told(world, &text),
        text,
        is_global,
    });
    each.collect()
}

fn combined(random: &mut Rng, atoms: &[Scope], depth: u32) -> Scope {
    if depth == 0 || random.u64(..4) == 0 {
        // Ranges are what matters most.
        let first_local = atoms.iter().position(|it| !it.is_global).expect("ranges");
        let at = match random.u64(..4) {
            0 => random.u64(..first_local as u64) as usize,
            _ => first_local + random.u64(..(atoms.len() - first_local) as u64) as usize,
        };
        return atoms[at].clone();
    }
    let a = combined(random, atoms, depth - 1);
    if a.is_global && random.u64(..3) == 0 {
        let mut set = Set::default();
        for (path, _) in FILES
            .iter()
            .filter(|(path, _)| !a.set.whole.contains(*path))
        {
            set.add_whole(path);
        }
        return Scope {
            text: format!("!({})", a.text),
            set,
            is_global: true,
        };
    }
    let b = combined(random, atoms, depth - 1);
    let is_union = random.u64(..3) > 0;
    let join = |a: &BTreeSet<(String, u32)>, b: &BTreeSet<(String, u32)>| match is_union {
        true => a | b,
        false => a & b,
    };
    Scope {
        text: format!(
            "({}) {} ({})",
            a.text,
            if is_union { "|" } else { "&" },
            b.text
        ),
        set: Set {
            whole: match is_union {
                true => &a.set.whole | &b.set.whole,
                false => &a.set.whole & &b.set.whole,
            },
            bytes: join(&a.set.bytes, &b.set.bytes),
        },
        is_global: a.is_global && b.is_global,
    }
}

/// Every command that takes a scope, about every symbol that it can be about.
fn questions() -> Vec<Vec<String>> {
    let mut out: Vec<Vec<&str>> = vec![
        vec!["cycles"],
        vec!["cycles", "--by", "namespace"],
        vec!["unused"],
        vec!["unused", "--all"],
        vec!["map"],
        vec!["map", "--members", "all", "--docs", "first", "--test"],
        vec!["map", "--focus", "Delta"],
        vec!["outline", "."],
        vec!["outline", "src/App"],
        vec!["search", "symbols", "a"],
        vec!["search", "symbols", "E", "--external"],
        vec!["search", "text", "Alpha1", "--context", "2"],
        vec!["search", "text", "o", "-i", "--context", "1"],
        vec!["search", "text", "Bravo2", "--mode", "identifier"],
        vec!["search", "text", r"\w.*", "--mode", "regex"],
        vec!["search", "text", "a", "--in", "comments"],
        vec!["search", "files", "*"],
        vec!["search", "files", "Echo"],
        vec!["deps", "Golf", "--path-to", "IAlpha"],
        vec!["deps", "Hotel", "--path-to", "Juliet"],
    ];
    for (ty, members) in TYPES {
        for command in ["deps", "cycles"] {
            out.push(vec![command, ty]);
        }
        for symbol in std::iter::once(ty).chain(members.iter().copied()) {
            out.push(vec!["usages", symbol, "--with-overrides"]);
            out.push(vec!["usages", symbol]);
            out.push(vec!["callers", symbol, "--depth", "3"]);
            out.push(vec!["callers", symbol, "--with-overrides"]);
            out.push(vec!["callees", symbol, "--depth", "3"]);
            out.push(vec!["callees", symbol, "--with-overrides"]);
            out.push(vec!["implementations", symbol]);
            out.push(vec!["overrides", symbol]);
            out.push(vec!["hierarchy", symbol]);
            out.push(vec!["resolve", symbol]);
            out.push(vec!["source", symbol, "--context", "3"]);
            out.push(vec![
                "outline",
                symbol,
                "--members",
                "all",
                "--docs",
                "full",
                "--depth",
                "2",
            ]);
            out.push(vec!["outline", symbol, "--source"]);
        }
    }
    out.into_iter()
        .map(|words| words.into_iter().map(str::to_owned).collect())
        .collect()
}

/// Scopes that cut through types, lines, parts and families.
const SHARP: [&str; 8] = [
    "files(src/App/Parts/Echo.One.cs)",
    "files(src/App/Parts/Echo.Two.cs)",
    "type:Delta",
    "type:Charlie | type:Kilo",
    "members:Bravo",
    "type:IAlpha | type:Golf",
    "type:India",
    "Tests | type:Echo.Echo3",
];

/// Questions that look far from symbols of each kind, and those about no symbol.
fn far_questions() -> Vec<Vec<String>> {
    let about = [
        "IAlpha",
        "IAlpha.Alpha1",
        "Bravo",
        "Delta.Alpha1",
        "Kilo",
        "Echo",
        "Echo.Echo1",
        "Hotel",
    ];
    let is_far = |question: &Vec<String>| match question.get(1) {
        Some(symbol)
            if TYPES
                .iter()
                .any(|(ty, all)| ty == symbol || all.contains(&&**symbol)) =>
        {
            about.contains(&&**symbol)
        }
        _ => true,
    };
    questions().into_iter().filter(is_far).collect()
}

/// The forms in which a question is answered.
fn forms(question: &[String]) -> &'static [&'static str] {
    match &*question[0] {
        "deps" | "callers" | "callees" | "implementations" | "overrides" | "hierarchy" => {
            &["json", "text", "md", "mermaid", "dot", "graphml"]
        }
        "cycles" if question.len() < 3 => &["json", "text", "md", "mermaid", "dot", "graphml"],
        _ => &["json", "text", "md"],
    }
}

/// Everything that an answer says at a place where it must not.
fn misplaced(value: &Value, set: &Set, out: &mut Vec<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|it| misplaced(it, set, out)),
        Value::Object(fields) => {
            if let Some(path) = fields.get("file").and_then(Value::as_str) {
                check_place(path, fields, set, out);
            }
            fields.values().for_each(|it| misplaced(it, set, out));
        }
        _ => {}
    }
}

/// Each relative is a step from another one that is told, or from what is asked for.
fn check_steps(answer: &Value, out: &mut Vec<String>) {
    let entries = ["up", "down"].map(|list| answer[list].as_array().cloned().unwrap_or_default());
    let entries = entries.concat();
    let subject = answer["subject"]["symbol"]["path"]
        .as_str()
        .unwrap_or_default();
    let subject = subject.replace('+', ".");
    for entry in &entries {
        let nearer = entry["nearer"].as_str().unwrap_or_default();
        let name = nearer.get(2..).unwrap_or_default();
        // Of a type whose members are asked for, each of these.
        let is_asked = subject.starts_with(name) || name.starts_with(&subject);
        if !is_asked && !entries.iter().any(|it| it["docId"] == *nearer) {
            out.push(format!("a step from {nearer}"));
        }
    }
}

fn check_place(
    path: &str,
    fields: &serde_json::Map<String, Value>,
    set: &Set,
    out: &mut Vec<String>,
) {
    if !set.has_file(path) {
        out.push(format!("file {path}"));
        return;
    }
    let number = |name: &str| fields.get(name).and_then(Value::as_u64);
    let at_line = |line: u64, text: Option<&str>, column: Option<u64>| -> Option<String> {
        // White space is nobody's.
        if text.is_some_and(|text| text.trim().is_empty()) {
            return None;
        }
        let is_in = match (column, text) {
            (Some(column), _) => set.has_column(path, line, column),
            (None, _) => set.has_line(path, line),
        };
        let is_shown = text.is_none_or(|text| {
            let text = text.trim_end_matches('…').trim();
            set.pieces(path, line)
                .iter()
                .any(|piece| piece.contains(text))
        });
        (!is_in || !is_shown).then(|| format!("{path}:{line}:{column:?} {text:?}"))
    };
    let text = fields.get("text").and_then(Value::as_str);
    // Hits and the lines around them have no file of their own.
    for name in ["hits", "around"] {
        for hit in fields
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let column = hit["column"].as_u64();
            out.extend(at_line(
                hit["line"].as_u64().expect("a line"),
                hit["text"].as_str(),
                column,
            ));
        }
    }
    match (number("line"), number("endLine"), text) {
        (Some(first), Some(last), Some(text)) => {
            // Whole lines of code.
            for (line, content) in (first..=last).zip(text.lines()) {
                if !content.trim().is_empty() {
                    out.extend(at_line(line, Some(content.trim()), None));
                }
            }
        }
        (Some(first), Some(last), None) => {
            for line in [first, last] {
                out.extend(at_line(line, None, None));
            }
        }
        (Some(line), None, text) => out.extend(at_line(line, text, number("column"))),
        _ => {}
    }
}

/// Names that nothing in the scope has, nor the question, nor what is around something in the scope.
fn foreign<'w>(
    output: &str,
    allowed: &BTreeSet<String>,
    names: &'w BTreeSet<String>,
) -> Vec<&'w String> {
    let found: BTreeSet<String> = words(output).collect();
    names
        .iter()
        .filter(|name| found.contains(*name) && !allowed.contains(*name))
        .collect()
}

/// What a call is told to go through, a place is known to mean: the name of that is no element of the answer.
fn without_meanings(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(without_meanings),
        Value::Object(fields) => {
            for name in ["via", "diagnostics", "hint"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(without_meanings);
        }
        _ => {}
    }
}

/// So many failures are shown, and so much of each.
const MAX_SHOWN: usize = 20;
const MAX_CHARS: usize = 1_500;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn scopes_are_the_sets_that_their_atoms_make() {
    let world = world();
    let atoms = atoms(&world);
    let mut random = Rng::with_seed(8);
    let mut shapes = [0; 3];
    for _ in 0..times("CORTEX_SCOPES", 80) {
        let scope = combined(&mut random, &atoms, 3);
        assert_eq!(Set::told(&world, &scope.text), scope.set, "{}", scope.text);
        let has_ranges = scope
            .set
            .bytes
            .iter()
            .any(|(path, _)| !scope.set.whole.contains(path));
        shapes[match (has_ranges, scope.set.whole.is_empty()) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        }] += 1;
    }
    // So that ranges and unions of them with files are really there.
    assert!(shapes.iter().all(|n| *n >= 5), "{shapes:?}");
}

/// The places outside of a scope that the forms for people show.
fn misplaced_in_text(text: &str, scope: &Set, found: &mut Vec<String>) {
    for (path, content) in FILES {
        for (line, _) in (1..).zip(content.lines()) {
            let place = format!("{path}:{line}");
            let is_shown = text.match_indices(&place).any(|(at, place)| {
                let rest = &text[at + place.len()..];
                !rest.starts_with(|c: char| c.is_ascii_digit())
            });
            if is_shown && scope.pieces(path, line).concat().trim().is_empty() {
                found.push(place);
            }
        }
        if !scope.has_file(path) && text.contains(path) && !path.ends_with("proj") {
            found.push(path.to_owned());
        }
    }
}

/// A question in a scope, with the form of the answer.
type Task = (Scope, Vec<String>, &'static str);

/// Some questions for each of some scopes, and questions far from the scopes that once leaked.
fn tasks(world: &World) -> Vec<Task> {
    let atoms = atoms(world);
    let questions = questions();
    let mut random = Rng::with_seed(times("CORTEX_SEED", 11));
    let n_scopes = times("CORTEX_SCOPES", 8);
    let mut tasks = Vec::new();
    for _ in 0..n_scopes {
        let depth = random.u64(..3) as u32;
        let scope = combined(&mut random, &atoms, depth);
        // Each scope meets other questions.
        for question in &questions {
            if random.u64(..2 * n_scopes.max(4)) == 0 {
                let forms = forms(question);
                tasks.push((scope.clone(), question.clone(), "json"));
                let form = forms[random.u64(..forms.len() as u64) as usize];
                tasks.push((scope.clone(), question.clone(), form));
            }
        }
    }
    for text in SHARP {
        let scope = Scope {
            set: Set::told(world, text),
            text: text.to_owned(),
            is_global: false,
        };
        let each = far_questions().into_iter();
        tasks.extend(each.map(|question| (scope.clone(), question, "json")));
    }
    tasks
}

#[test]
fn nothing_outside_of_any_scope_is_told() {
    let world = world();
    let names: BTreeSet<String> = FILES
        .iter()
        .filter(|(path, _)| path.ends_with(".cs"))
        .flat_map(|(_, text)| words(text))
        .filter(|word| {
            word.chars().any(|c| c.is_ascii_digit()) || TYPES.iter().any(|(ty, _)| ty == word)
        })
        .filter(|word| word.chars().any(char::is_alphabetic))
        .collect();
    let types: BTreeMap<&str, Set> = TYPES
        .iter()
        .map(|(ty, _)| (*ty, Set::told(&world, &format!("type:{ty}"))))
        .collect();
    let tasks = tasks(&world);
    let n_told = AtomicUsize::new(0);
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let check_some = || {
        while let Some((scope, question, form)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut arguments: Vec<&str> = question.iter().map(String::as_str).collect();
            arguments.extend(["--scope", &scope.text, "--format", form]);
            let output = world.run(&arguments);
            let code = output.status.code();
            let what = || {
                let told: String = shown(&output).chars().take(MAX_CHARS).collect();
                format!("{arguments:?}: {told}")
            };
            if !matches!(code, Some(0 | 1)) {
                locked(&failures).push(what());
                continue;
            }
            let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut found = Vec::new();
            if *form == "json" {
                let mut answer: Value = serde_json::from_str(&text).expect("it is JSON");
                misplaced(&answer, &scope.set, &mut found);
                check_steps(&answer, &mut found);
                without_meanings(&mut answer);
                text = answer.to_string();
            } else {
                misplaced_in_text(&text, &scope.set, &mut found);
            }
            // An answer repeats the scope as it was written, which may exclude what it names.
            let written = Value::from(scope.text.as_str()).to_string();
            text = text.replace(written.trim_matches('"'), "");
            text = text.replace(&scope.text, "");
            if !found.is_empty() {
                locked(&failures).push(format!("{found:?}: {}", what()));
            }
            let mut allowed = scope.set.words();
            allowed.extend(question.iter().flat_map(|it| words(it).collect::<Vec<_>>()));
            // What is asked for is told with its parameters and with what is around it.
            for (symbol, further) in [("Echo.Echo1", "Bravo"), ("Golf", "Echo")] {
                if question.iter().any(|it| it.contains(symbol)) {
                    allowed.insert(further.to_owned());
                }
            }
            // Whose calls are asked for is all members of a type.
            let is_of_calls = ["callers", "callees"].contains(&&*question[0]);
            if let (true, Some(own)) = (
                is_of_calls,
                types.get(question.get(1).map_or("", String::as_str)),
            ) {
                allowed.extend(own.words());
            }
            for (ty, own) in &types {
                if own.bytes.intersection(&scope.set.bytes).next().is_some() {
                    allowed.insert((*ty).to_owned());
                }
            }
            let is_through = *form != "json" && text.contains(" through ");
            let leaked = foreign(&text, &allowed, &names);
            if !(leaked.is_empty() || is_through) {
                locked(&failures).push(format!("{leaked:?}: {}", what()));
            }
            n_told.fetch_add(
                words(&text).filter(|word| names.contains(word)).count(),
                Ordering::Relaxed,
            );
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|threads| {
        for _ in 0..n_threads {
            threads.spawn(check_some);
        }
    });
    let failures = locked(&failures);
    let first: Vec<&String> = failures.iter().take(MAX_SHOWN).collect();
    let shown = first.iter().map(|it| format!("{it}\n")).collect::<String>();
    assert!(
        failures.is_empty(),
        "{} of {}:\n{shown}",
        failures.len(),
        tasks.len()
    );
    let n_told = n_told.into_inner();
    // So that answers are not empty.
    assert!(n_told > tasks.len() * 3, "{n_told} in {}", tasks.len());
}

/// Where a scope has everything, it leaves nothing out.
#[test]
fn a_scope_of_everything_changes_no_answer() {
    let world = world();
    let mut different = String::new();
    for question in questions().iter().step_by(7) {
        let plain: Vec<&str> = question.iter().map(String::as_str).collect();
        let scoped = [&plain[..], &["--scope", "'All Places'"]].concat();
        let (all, same) = (world.run(&plain), world.run(&scoped));
        // But for its name in the heading.
        let same = shown(&same)
            .replace(", in `'All Places'`", "")
            .replace(", in 'All Places'", "");
        if shown(&all) != same {
            let _ = writeln!(different, "{plain:?}:\n{}\n{same}", shown(&all));
        }
    }
    assert_eq!(different, "");
}
