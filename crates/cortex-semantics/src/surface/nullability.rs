//! Where a type as written says `?`.

use cortex_syntax::TypeSyntax;

/// One character for each part of a type, in order of writing: `?` for one with a question mark, `-` for others.
/// Two of one type differ where a question mark came or went.
pub(super) fn marks(ty: Option<&TypeSyntax>) -> String {
    let mut out = String::new();
    if let Some(ty) = ty {
        write(&mut out, ty, '-');
    }
    out
}

/// The depth is bounded by that of type syntax.
fn write(out: &mut String, ty: &TypeSyntax, mark: char) {
    if let TypeSyntax::Nullable(inner) = ty {
        return write(out, inner, '?');
    }
    out.push(mark);
    match ty {
        TypeSyntax::Named(segments) => {
            let arguments = segments.iter().flat_map(|segment| &segment.arguments);
            arguments.for_each(|argument| write(out, argument, '-'));
        }
        TypeSyntax::Array(inner, _)
        | TypeSyntax::Pointer(inner)
        | TypeSyntax::Ref(inner)
        | TypeSyntax::RefReadonly(inner) => write(out, inner, '-'),
        TypeSyntax::Tuple(elements) => {
            elements
                .iter()
                .for_each(|(element, _)| write(out, element, '-'));
        }
        TypeSyntax::FunctionPointer(_, parts) => parts.iter().for_each(|it| write(out, it, '-')),
        TypeSyntax::Nullable(_) | TypeSyntax::Predefined(_) | TypeSyntax::Unknown => {}
    }
}
