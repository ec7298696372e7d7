//! Whether reading a text as XML costs no more than its length: parsers compare each attribute of an element with all
//! others, and copy namespaces from element to element.

/// Elements of real files have a dozen.
const MAX_ATTRIBUTES: usize = 1_000;
/// Real files declare one or two.
const MAX_NAMESPACES: usize = 200;

/// What makes a text too costly to be read as XML; `None` for one that is harmless. O(bytes).
///
/// ```
/// use cortex_model::costly_markup;
/// assert_eq!(costly_markup("<a b='1' c='2'><!-- <d e='' --></a>"), None);
/// let many: String = (0..2_000).map(|i| format!(" a{i}='1'")).collect();
/// assert!(costly_markup(&format!("<a{many}/>")).is_some());
/// ```
pub fn costly_markup(text: &str) -> Option<&'static str> {
    if text.matches("xmlns").count() > MAX_NAMESPACES {
        return Some("more than 200 namespaces are declared");
    }
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let skipped = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];
        if let Some((_, end)) = skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
            let at = rest.find(end)?;
            rest = &rest[at + end.len()..];
            continue;
        }
        let mut n_attributes = 0;
        // To the end of the tag, which may also stand in a quoted value.
        loop {
            // Without an end no further tag has one, and a parser refuses this one.
            let at = rest.find(['>', '"', '\''])?;
            let quote = rest.as_bytes()[at];
            rest = &rest[at + 1..];
            if quote == b'>' {
                break;
            }
            n_attributes += 1;
            if n_attributes > MAX_ATTRIBUTES {
                return Some("an element has more than 1000 attributes");
            }
            let end = rest.find(char::from(quote))?;
            rest = &rest[end + 1..];
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::costly_markup;

    /// It would take minutes if each tag looked for its end behind all others.
    #[test]
    fn tags_without_an_end_cost_their_length() {
        for part in ["<scope ", "<", "<!-- ", "<![CDATA["] {
            assert_eq!(costly_markup(&part.repeat((16 << 20) / part.len())), None);
        }
    }
}
