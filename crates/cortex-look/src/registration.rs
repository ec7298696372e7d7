//! What registers types, and what is given a type as an argument: calls around a name, read off the text.
//!
//! Owns: which calls register and which may make what they name. Must not know: what a name means.

use std::ops::Range;

/// Names of the calls that are looked for; what begins like one counts in a file that has one.
pub const CALLS: [&str; 18] = [
    "AddSingleton",
    "AddScoped",
    "AddTransient",
    "AddKeyedSingleton",
    "AddKeyedScoped",
    "AddKeyedTransient",
    "AddHostedService",
    "AddHttpClient",
    "AddDbContext",
    "TryAdd",
    "TryAddSingleton",
    "TryAddScoped",
    "TryAddTransient",
    "TryAddEnumerable",
    "Register",
    "RegisterType",
    "RegisterInstance",
    "Decorate",
];

const PREFIXES: [&str; 5] = ["Add", "TryAdd", "Register", "Replace", "Decorate"];

/// Calls that are given a type and look for others in its assembly, beside those whose name says so.
const OF_ASSEMBLY: [&str; 4] = ["AddAutoMapper", "AddMediatR", "AddProfiles", "Scan"];

/// So far back the call around a name is looked for, in bytes.
const MAX_BACK: usize = 800;

/// Calls that are given a type and make nothing of it.
const NEUTRAL: [&str; 22] = [
    "OfType",
    "Cast",
    "Empty",
    "FromResult",
    "FromException",
    "ToList",
    "ToArray",
    "Select",
    "SelectMany",
    "Where",
    "AsQueryable",
    "Repeat",
    "Concat",
    "GetService",
    "GetServices",
    "GetRequiredService",
    "Any",
    "IsType",
    "IsAssignableFrom",
    "Throws",
    "ThrowsAsync",
    "Resize",
];

/// Types that make, read or fill objects of the type that they are constructed with.
const MAKERS: [&str; 5] = [
    "DbSet",
    "IDbSet",
    "IOptions",
    "IOptionsMonitor",
    "IOptionsSnapshot",
];

/// To what a type is given as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given<'t> {
    /// The simple name of the generic type or method.
    pub name: &'t str,
    /// Whether it is called.
    pub is_call: bool,
}

impl Given<'_> {
    /// Whether the call registers the type for others to find.
    pub fn registers(&self) -> bool {
        self.is_call && is_registering(self.name)
    }

    /// Whether objects of the type may come out of it.
    pub fn may_make(&self) -> bool {
        match self.is_call {
            true => !NEUTRAL.contains(&self.name),
            false => MAKERS.contains(&self.name),
        }
    }
}

/// Whether a call of this name registers: `list.Add` does not.
pub fn is_registering(name: &str) -> bool {
    let is_list = matches!(name, "Add" | "AddRange" | "Replace" | "TryAdd");
    !is_list && PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// To what the type at an offset is a type argument: the nearest call, else the nearest generic type.
pub fn given_to(text: &[u8], offset: usize) -> Option<Given<'_>> {
    let mut found = None;
    let mut depth = 0usize;
    let mut at = offset.min(text.len());
    let end = at.saturating_sub(MAX_BACK);
    while at > end {
        at -= 1;
        match text[at] {
            b'>' | b')' | b']' => depth += 1,
            b'<' | b'(' | b'[' if depth > 0 => depth -= 1,
            b'<' => {
                let (_, name) = callee(text, at, b'<')?;
                let is_new = text[..name.start].trim_ascii_end().ends_with(b"new");
                let given = Given {
                    name: std::str::from_utf8(&text[name.clone()]).ok()?,
                    is_call: !is_new && is_called(text, at),
                };
                if given.is_call {
                    return Some(given);
                }
                found = found.or(Some(given));
                at = name.start;
            }
            // In a tuple.
            b'(' => {}
            c if depth > 0 && !matches!(c, b';' | b'{' | b'}') => {}
            c if c.is_ascii_alphanumeric() || c >= 0x80 => {}
            b'_' | b'.' | b':' | b',' | b'?' | b'@' => {}
            c if c.is_ascii_whitespace() => {
                // Two words beside each other are no list of types.
                let before = text[..at].trim_ascii_end().last();
                let behind = text[at..].trim_ascii_start().first();
                let is_word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
                if depth == 0 && is_word(before) && is_word(behind) {
                    return found;
                }
            }
            _ => return found,
        }
    }
    found
}

/// Whether parentheses follow the type arguments that open there.
fn is_called(text: &[u8], open: usize) -> bool {
    let mut depth = 0usize;
    for (at, &b) in text.iter().enumerate().skip(open).take(MAX_BACK) {
        match b {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b';' | b'{' | b'}' => return false,
            _ => {}
        }
        if depth == 0 {
            return text[at + 1..].trim_ascii_start().first() == Some(&b'(');
        }
    }
    false
}

/// Whether the `typeof` at an offset is an argument of a call that registers.
pub fn is_registered_as_value(text: &[u8], offset: usize) -> bool {
    let Some(start) = call_around(text, offset) else {
        return false;
    };
    called(text, start).is_some_and(is_registering)
}

/// The name of the call whose arguments or type arguments begin there.
pub fn called(text: &[u8], start: usize) -> Option<&str> {
    let (_, name) = callee(text, start, b'(')?;
    std::str::from_utf8(&text[name]).ok()
}

/// Where the arguments or type arguments begin of the registering call around a name.
pub fn call_around(text: &[u8], offset: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = offset.min(text.len());
    let end = at.saturating_sub(MAX_BACK);
    while at > end {
        at -= 1;
        match text[at] {
            b';' if depth == 0 => return None,
            b')' | b']' | b'}' => depth += 1,
            b'>' if at > 0 && text[at - 1] == b'=' => at -= 1,
            b'>' => depth += 1,
            b'{' if depth == 0 => return None,
            b'(' | b'[' | b'{' | b'<' if depth > 0 => depth -= 1,
            open @ (b'(' | b'<') => {
                let Some((start, name)) = callee(text, at, open) else {
                    continue;
                };
                let name_text = &text[name.clone()];
                if (PREFIXES.iter()).any(|prefix| name_text.starts_with(prefix.as_bytes())) {
                    let is_of_type = !std::str::from_utf8(name_text).is_ok_and(is_of_assembly);
                    return is_of_type.then_some(start);
                }
                // What is given to a constructor or to a generic type is not registered itself.
                if open == b'<' {
                    return None;
                }
                if open == b'(' && text[..name.start].trim_ascii_end().ends_with(b"new") {
                    return None;
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a type that a call of this name is given stands for its assembly: `AddValidatorsFromAssemblyContaining<C>()`.
pub fn is_of_assembly(name: &str) -> bool {
    OF_ASSEMBLY.contains(&name) || name.contains("Assembl")
}

/// The name of the call that is given `typeof(T)`, or something of it: `Load` of `Load(typeof(T).Assembly)`. `offset`: where
/// the name of the type stands.
pub fn given_as_value(text: &[u8], offset: usize) -> Option<&str> {
    let mut depth = 0usize;
    let end = offset.min(text.len());
    for at in (end.saturating_sub(MAX_BACK)..end).rev() {
        match text[at] {
            b')' => depth += 1,
            b'(' if depth > 0 => depth -= 1,
            b'(' => match called(text, at) {
                Some("typeof") => {}
                name => return name,
            },
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// Where the type arguments or arguments of a call begin, and its name, by the opening bracket of either.
fn callee(text: &[u8], at: usize, open: u8) -> Option<(usize, Range<usize>)> {
    let mut end = text[..at].trim_ascii_end().len();
    let mut start = at;
    if open == b'(' && text[..end].ends_with(b">") {
        let mut depth = 0usize;
        start = text[..end].iter().rposition(|&b| {
            match b {
                b'>' => depth += 1,
                b'<' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })?;
        end = text[..start].trim_ascii_end().len();
    }
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
    let before = text[..end].iter().rposition(|b| !is_part(b));
    let name = before.map_or(0, |at| at + 1)..end;
    (!name.is_empty()).then_some((start, name))
}

#[cfg(test)]
mod tests {
    use super::{call_around, given_as_value, given_to};

    #[track_caller]
    fn check(text: &str, is_registration: bool) {
        let offset = text.find('C').expect("the type is there");
        assert_eq!(
            call_around(text.as_bytes(), offset).is_some(),
            is_registration,
            "{text}"
        );
    }

    #[test]
    fn a_registration_is_a_call_around_the_type() {
        check("s.AddSingleton<I, C>();", true);
        check("s.TryAddScoped(typeof(I), typeof(C));", true);
        check("s.AddSingleton<I>(p => new C(p));", true);
        check("b.RegisterType<C>().As<I>();", true);
        check("s.AddHostedService<N.C>();", true);
        check("s.AddSingleton<I>(p => new D(new C()));", false);
        check("s.AddOptions(); var x = new C();", false);
        check("s.Get<C>();", false);
        check("s.AddAutoMapper(typeof(C));", false);
        check("s.AddValidatorsFromAssemblyContaining<C>();", false);
        check("s.AddHealthChecks().AddCheck<Health<C>>();", false);
        check("s.AddSingleton<I>(); Use(typeof(C));", false);
    }

    #[test]
    fn what_a_value_of_a_type_is_given_to_is_the_call_around_it() {
        let given = |text: &str| {
            let at = text.find('C').expect("the type is there");
            given_as_value(text.as_bytes(), at).map(str::to_owned)
        };
        let call = |name: &str| Some(name.to_owned());
        assert_eq!(given("b.Apply(typeof(N.C).Assembly);"), call("Apply"));
        assert_eq!(given("b.Map<int>(x(1), typeof(C));"), call("Map"));
        assert_eq!(given("var a = typeof(C);"), None);
        assert_eq!(given("Go(); var a = (typeof(C));"), None);
    }

    #[test]
    fn the_nearest_call_is_what_a_type_is_given_to() {
        let given = |text: &str| {
            let at = text.find('C').expect("the type is there");
            given_to(text.as_bytes(), at).map(|it| (it.name.to_owned(), it.is_call))
        };
        let call = |name: &str| Some((name.to_owned(), true));
        assert_eq!(given("s.AddSingleton<I, C>();"), call("AddSingleton"));
        assert_eq!(given("x = Read<List<C>>(stream);"), call("Read"));
        assert_eq!(given("x = Read<(int, N.C)>(stream);"), call("Read"));
        assert_eq!(given("new List<C>();"), Some(("List".to_owned(), false)));
        assert_eq!(given("List<C> all;"), Some(("List".to_owned(), false)));
        assert_eq!(given("if (a < b) { C c = null; }"), None);
        assert_eq!(given("Do(a, out C c);"), None);
        assert_eq!(given("C c;"), None);
    }
}
