//! One C# source text to facts: decoding, preprocessing, parsing, declarations, references
