//! Whatever a schema allows can be read, and what was read is written so that it reads the same.

use std::fmt::Debug;

use cortex_wire::*;
use proptest::prelude::*;
use schemars::{JsonSchema, schema_for};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// Makes values that a schema allows, from bytes.
struct Source<'a> {
    bytes: &'a [u8],
    definitions: &'a Value,
}

/// No value is nested deeper, as far as its schema lets it end.
const MAX_DEPTH: usize = 24;

impl Source<'_> {
    fn next(&mut self) -> usize {
        let Some((&first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        usize::from(first)
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let name = target.trim_start_matches("#/$defs/");
            let found = &self.definitions[name];
            let Value::Object(mut out) = self.value(found, depth + 1) else {
                return self.value(found, depth + 1);
            };
            out.extend(self.properties(schema, depth));
            return Value::Object(out);
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return words[self.next() % words.len()].clone();
        }
        for word in ["anyOf", "oneOf"] {
            if let Some(all) = schema.get(word).and_then(Value::as_array) {
                let at = if depth > MAX_DEPTH {
                    all.len() - 1
                } else {
                    self.next() % all.len()
                };
                let mut out = self.value(&all[at], depth + 1);
                if let Value::Object(out) = &mut out {
                    out.extend(self.properties(schema, depth));
                }
                return out;
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) if depth > MAX_DEPTH => kinds[kinds.len() - 1].clone(),
            Value::Array(kinds) => kinds[self.next() % kinds.len()].clone(),
            kind => kind.clone(),
        };
        match kind.as_str() {
            Some("object") => Value::Object(self.properties(schema, depth)),
            Some("array") => self.array(schema, depth),
            Some("string") => {
                let texts = [
                    "",
                    "a",
                    "N.Type",
                    "M:N.Type.Do(System.Int32)",
                    "\u{202e}`<b>\n",
                    "src/A.cs",
                ];
                json!(texts[self.next() % texts.len()])
            }
            Some("integer") => json!(self.next()),
            Some("number") => json!(self.next() as f64 / 4.0),
            Some("boolean") => json!(self.next().is_multiple_of(2)),
            Some("null") => Value::Null,
            _ => panic!("a schema of no known form: {schema}"),
        }
    }

    fn array(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
            return items
                .iter()
                .map(|item| self.value(item, depth + 1))
                .collect();
        }
        let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
        let n = match schema["maxItems"].as_u64() {
            Some(_) => least,
            None if depth > MAX_DEPTH || self.bytes.is_empty() => least,
            None => least + self.next() % 3,
        };
        (0..n)
            .map(|_| self.value(&schema["items"], depth + 1))
            .collect()
    }

    fn properties(&mut self, schema: &Value, depth: usize) -> Map<String, Value> {
        let mut out = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            let is_needed = required.iter().any(|it| it == name);
            if is_needed || (depth <= MAX_DEPTH && !self.next().is_multiple_of(3)) {
                out.insert(name.clone(), self.value(schema, depth + 1));
            }
        }
        let others = schema
            .get("additionalProperties")
            .filter(|it| it.is_object());
        let names = schema.get("propertyNames");
        if let Some(others) = others {
            let key = match names {
                Some(names) => self.value(names, depth + 1),
                None => Value::Null,
            };
            if let (Some(key), true) = (key.as_str(), depth <= MAX_DEPTH) {
                out.insert(key.to_owned(), self.value(others, depth + 1));
            }
        }
        out
    }
}

#[track_caller]
fn check_round_trip<T>(bytes: &[u8])
where
    T: Serialize + DeserializeOwned + JsonSchema + PartialEq + Debug,
{
    let schema = Value::from(schema_for!(T));
    let mut source = Source {
        bytes,
        definitions: &schema["$defs"],
    };
    let value = source.value(&schema, 0);
    let read: T = match serde_json::from_value(value.clone()) {
        Ok(read) => read,
        Err(error) => panic!("{} does not read {value:#}: {error}", T::schema_name()),
    };
    let text = serde_json::to_string(&read).expect("answers have a JSON form");
    let again: T = match serde_json::from_str(&text) {
        Ok(again) => again,
        Err(error) => panic!(
            "{} does not read what it wrote, {text}: {error}",
            T::schema_name()
        ),
    };
    assert_eq!(read, again);
    assert_eq!(
        text,
        serde_json::to_string(&again).expect("answers have a JSON form")
    );
    check_case(&schema, &T::schema_name());
}

/// Names of fields are in camel case, everywhere.
#[track_caller]
fn check_case(schema: &Value, of: &str) {
    match schema {
        Value::Object(all) => {
            for (word, inner) in all {
                if word == "properties" {
                    for name in inner
                        .as_object()
                        .into_iter()
                        .flatten()
                        .map(|(name, _)| name)
                    {
                        assert!(!name.contains('_'), "the field {name} of {of}");
                    }
                }
                check_case(inner, of);
            }
        }
        Value::Array(all) => all.iter().for_each(|inner| check_case(inner, of)),
        _ => {}
    }
}

macro_rules! round_trips {
    ($($name:ident: $answer:ty),* $(,)?) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]
            $(
                #[test]
                fn $name(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
                    check_round_trip::<$answer>(&bytes);
                }
            )*
        }
    };
}

round_trips! {
    api: ApiAnswer,
    areas: AreasAnswer,
    calls: CallsAnswer,
    cycles: CyclesAnswer,
    deps: DepsAnswer,
    diff_context: DiffContext,
    history: SymbolHistory,
    map: MapAnswer,
    outline: OutlineAnswer,
    relatives: RelativesAnswer,
    resolve: ResolveAnswer,
    search_files: FilesAnswer,
    search_safe: SafeAnswer,
    search_symbols: SearchAnswer,
    search_text: TextAnswer,
    source: SourceAnswer,
    tests: TestsAnswer,
    unused: UnusedAnswer,
    usages: UsagesAnswer,
}
