//! Texts with brackets, split at separators.

/// The parts of a text between separators that stand in no bracket; at least one.
pub fn split(text: &str, separators: &[char]) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && separators.contains(&c) {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.iter_mut()
        .for_each(|part| *part = part.trim().to_owned());
    out
}
