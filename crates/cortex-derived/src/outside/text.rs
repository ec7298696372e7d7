//! Files outside of C#, as far as they may name symbols: what they are written in, and which names stand there.

use cortex_model::RepoPath;
use cortex_wire::FileLanguage;
use rustc_hash::FxHashMap;

/// Longer names are not kept.
const MAX_NAME: usize = 128;

/// Extensions of files that no text search can read: pictures, fonts, archives, programs.
const BINARY: [&str; 36] = [
    "png", "jpg", "jpeg", "gif", "ico", "icns", "bmp", "webp", "svg", "tif", "tiff", "psd", "woff",
    "woff2", "ttf", "otf", "eot", "pdf", "zip", "gz", "7z", "nupkg", "snupkg", "snk", "pfx", "cer",
    "dll", "exe", "so", "dylib", "wav", "mp3", "mp4", "bin", "dat", "xnb",
];

/// Whether files of an extension, in lower case, are no text.
pub fn is_binary(extension: &str) -> bool {
    BINARY.contains(&extension)
}

/// What a file is written in, where files of that language may name symbols of C#.
pub fn language(path: &RepoPath) -> Option<FileLanguage> {
    let extension = path.extension().to_ascii_lowercase();
    Some(match extension.as_str() {
        "sql" | "psql" | "pgsql" | "tsql" => FileLanguage::Sql,
        "cshtml" | "razor" | "vbhtml" => FileLanguage::Razor,
        "xaml" | "axaml" | "paml" => FileLanguage::Xaml,
        "aspx" | "ascx" | "master" | "asmx" | "ashx" | "asax" | "svc" => FileLanguage::WebForms,
        "json" | "jsonc" | "json5" => FileLanguage::Json,
        "yml" | "yaml" => FileLanguage::Yaml,
        "props" | "targets" | "sln" | "slnx" | "slnf" | "proj" | "projitems" => {
            FileLanguage::Project
        }
        "xml" | "config" | "resx" | "nuspec" | "manifest" | "settings" | "edmx" | "dbml"
        | "xsd" | "appxmanifest" | "vsixmanifest" | "ruleset" => FileLanguage::Xml,
        "vb" => FileLanguage::VisualBasic,
        "fs" | "fsx" | "fsi" => FileLanguage::FSharp,
        "tt" | "t4" | "ttinclude" | "csx" | "hbs" | "liquid" | "scriban" => FileLanguage::Template,
        "ps1" | "psm1" | "psd1" => FileLanguage::PowerShell,
        other if other.ends_with("proj") => FileLanguage::Project,
        _ => return None,
    })
}

/// Whether the count of a word is kept: it may begin a name, and is not too long for one.
pub(crate) fn is_kept(word: &str) -> bool {
    word.len() <= MAX_NAME && word.starts_with(|c: char| !c.is_ascii_digit())
}

/// How often each word that is kept stands in a text.
pub(crate) fn count(text: &[u8], language: FileLanguage) -> Vec<(String, u32)> {
    let mut out: FxHashMap<&str, u32> = FxHashMap::default();
    for (_, word) in names(text, language).filter(|(_, word)| is_kept(word)) {
        *out.entry(word).or_default() += 1;
    }
    let mut out: Vec<(String, u32)> = (out.into_iter())
        .map(|(word, n)| (word.to_owned(), n))
        .collect();
    out.sort_unstable();
    out
}

/// The words of a text that may name a symbol, with their offsets.
pub fn names(text: &[u8], language: FileLanguage) -> impl Iterator<Item = (usize, &str)> {
    words(text).filter(move |(start, word)| {
        // Project files list sources, which are called like their types.
        let rest = &text[start + word.len()..];
        !(language == FileLanguage::Project && rest.starts_with(b".") && is_file_name(rest))
    })
}

/// Whether a name goes on as that of a source file.
fn is_file_name(rest: &[u8]) -> bool {
    const ENDS: [&[u8]; 9] = [
        b".cs\"",
        b".cs<",
        b".cs;",
        b".xaml",
        b".axaml",
        b".csproj",
        b".Designer.",
        b".designer.",
        b".resx",
    ];
    ENDS.iter().any(|end| rest.starts_with(end))
}

/// The words of a text with their offsets.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |b: u8| b == b'_' || b.is_ascii_alphanumeric() || b >= 0x80;
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].iter().position(|b| is_part(*b))?;
            let length = text[start..].iter().position(|b| !is_part(*b));
            let end = length.map_or(text.len(), |length| start + length);
            at = end;
            if let Ok(word) = std::str::from_utf8(&text[start..end]) {
                let name = word.trim_start_matches('\u{feff}');
                return Some((end - name.len(), name));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{count, words};
    use cortex_wire::FileLanguage;

    #[test]
    fn words_are_identifiers_with_their_offsets() {
        let text = "\u{feff}CREATE [dbo].[Cipher_Id] @Größe=1";
        let found: Vec<(usize, &str)> = words(text.as_bytes()).collect();
        assert_eq!(
            found,
            [
                (3, "CREATE"),
                (11, "dbo"),
                (17, "Cipher_Id"),
                (29, "Größe"),
                (37, "1")
            ]
        );
    }

    #[test]
    fn words_are_counted_without_numbers_and_names_of_sources() {
        let text = b"<A Include=\"Idle.cs\" /><B>Idle 12 A</B>";
        let found = count(text, FileLanguage::Project);
        let found: Vec<(&str, u32)> = found.iter().map(|(word, n)| (word.as_str(), *n)).collect();
        assert_eq!(
            found,
            [("A", 2), ("B", 2), ("Idle", 1), ("Include", 1), ("cs", 1)]
        );
    }
}
