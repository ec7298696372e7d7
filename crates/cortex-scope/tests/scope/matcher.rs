//! The pattern language once more, by trying: for bodies and subjects of a few characters.

/// Whether a body matches a whole subject.
pub(crate) fn matches(body: &[char], subject: &[char], separator: char) -> bool {
    // Skips so many characters as the test allows, from none to all, and goes on after each.
    let after_any = |rest: &[char], may_skip: &dyn Fn(char) -> bool| {
        let most = subject.iter().take_while(|c| may_skip(**c)).count();
        (0..=most).any(|skipped| matches(rest, &subject[skipped..], separator))
    };
    match body {
        [] => subject.is_empty(),
        [a, b, rest @ ..] if *a == separator && *b == separator => {
            // One separator, or two with anything between them.
            subject.first() == Some(&separator)
                && (matches(rest, &subject[1..], separator)
                    || (1..subject.len())
                        .filter(|end| subject[*end] == separator)
                        .any(|end| matches(rest, &subject[end + 1..], separator)))
        }
        [a] if *a == separator => subject.is_empty(),
        ['*', '*', rest @ ..] => after_any(rest, &|c| c != separator),
        ['*'] => !subject.contains(&separator),
        ['*', rest @ ..] => after_any(rest, &|_| true),
        ['$', rest @ ..] => subject.is_empty() && matches(rest, subject, separator),
        [literal, rest @ ..] => {
            subject.first() == Some(literal) && matches(rest, &subject[1..], separator)
        }
    }
}
