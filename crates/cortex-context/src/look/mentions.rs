//! Names in files that are not C#.

use cortex_wire::{FileLanguage, Mentions, UnsearchedFiles};

use crate::{
    More, RenderOptions,
    markdown::plan::{counted, grouped},
    text::{line, prose, span},
};

/// `12 mentions outside of C# (8 SQL, 4 Razor)`, with how to list them where they are not listed; none where there
/// are none.
pub(super) fn mentions_note(mentions: &Mentions, options: &RenderOptions<'_>) -> Option<String> {
    if mentions.total == 0 {
        return None;
    }
    let languages: Vec<String> = (mentions.languages.iter())
        .map(|(language, n)| format!("{} {}", grouped(*n), language_name(*language)))
        .collect();
    let more = match mentions.items.is_empty() {
        true => format!("; list them with {}", options.more(More::Mentions)),
        false => String::new(),
    };
    Some(format!(
        "{} outside of C# in {} ({}){more}",
        counted(mentions.total, "mention", "mentions"),
        counted(mentions.n_files, "file", "files"),
        languages.join(", "),
    ))
}

/// `not searched: 193 .hbs, 74 .md files`; none where every file was searched.
pub(super) fn not_searched_note(files: &[UnsearchedFiles]) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    let formats: Vec<String> = (files.iter())
        .map(|it| match it.extension.as_str() {
            "" => format!("{} without an extension", grouped(it.n_files)),
            extension => format!("{} .{}", grouped(it.n_files), line(extension)),
        })
        .collect();
    Some(format!("files not searched: {}", formats.join(", ")))
}

/// The mentions for people, below their files.
pub(super) fn mentions_text(mentions: &Mentions, options: &RenderOptions<'_>) -> String {
    let mut out = String::new();
    let mut file = None;
    for item in &mentions.items {
        if file != Some(&item.file) {
            out.push_str(&format!(
                "\n{} ({})\n",
                line(item.file.as_str()),
                language_name(item.language)
            ));
            file = Some(&item.file);
        }
        out.push_str(&format!(
            "  {}:{} mention (possible): {}\n",
            item.line,
            item.column,
            line(&item.text)
        ));
    }
    if !mentions.items.is_empty() && mentions.items.len() < mentions.total {
        out.push_str(&format!(
            "\n… and {} more mentions ({})\n",
            grouped(mentions.total - mentions.items.len()),
            options.more_items(mentions.total)
        ));
    }
    out
}

/// The mentions as lines of a Markdown list, below their files.
pub(super) fn mention_groups(mentions: &Mentions) -> Vec<(String, Vec<String>)> {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    for item in &mentions.items {
        let file = format!(
            "{} ({})",
            span(item.file.as_str()),
            prose(language_name(item.language))
        );
        if out.last().is_none_or(|(last, _)| *last != file) {
            out.push((file, Vec::new()));
        }
        if let Some((_, lines)) = out.last_mut() {
            lines.push(format!(
                "{}:{} mention (possible) {}",
                item.line,
                item.column,
                span(&item.text)
            ));
        }
    }
    out
}

/// A language as people write its name.
fn language_name(language: FileLanguage) -> &'static str {
    match language {
        FileLanguage::Sql => "SQL",
        FileLanguage::Razor => "Razor",
        FileLanguage::Xaml => "XAML",
        FileLanguage::WebForms => "Web Forms",
        FileLanguage::Json => "JSON",
        FileLanguage::Yaml => "YAML",
        FileLanguage::Project => "project files",
        FileLanguage::Xml => "XML",
        FileLanguage::VisualBasic => "Visual Basic",
        FileLanguage::FSharp => "F#",
        FileLanguage::Template => "templates",
        FileLanguage::PowerShell => "PowerShell",
    }
}
