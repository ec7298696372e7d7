//! What could be said: sections of items with their ranks, before anything is cut.

use std::borrow::Cow;

use super::code::CodeText;

/// Everything that could be said.
pub(crate) struct Plan<'a> {
    /// First lines, the fullest first; the first one that fits is taken.
    pub(crate) titles: Vec<String>,
    /// Sections in the order of the text.
    pub(crate) sections: Vec<Section<'a>>,
    /// The limit on items that the answer needs in order to have all; `None` where it has all.
    pub(crate) all_items: Option<usize>,
    /// Which section makes room for another one, if any.
    pub(crate) yields: Option<Yield>,
}

/// A section that holds only so much of the budget while another one lacks something.
#[derive(Clone, Copy)]
pub(crate) struct Yield {
    /// The section that is limited.
    pub(crate) section: usize,
    /// What it may hold, in percent of the budget.
    pub(crate) percent: usize,
    /// The section that it makes room for.
    pub(crate) to: usize,
}

/// Lines that stand together under a heading.
#[derive(Default)]
pub(crate) struct Section<'a> {
    /// Its heading; none for the lines beneath the title.
    pub(crate) heading: &'static str,
    /// A line beneath the heading that explains the items; may be empty.
    pub(crate) note: String,
    /// How its lines are set off.
    pub(crate) frame: Frame,
    /// Items in the order of the text; children directly behind their parent.
    pub(crate) items: Vec<Item<'a>>,
    /// Items in the order in which they are taken.
    pub(crate) stages: Vec<Stage>,
    /// The section of which everything of the first stage must be taken, in its form, before anything of this one is.
    pub(crate) behind: Option<usize>,
    /// The item that is taken before any space is dealt out: what a reader needs whatever else is cut.
    pub(crate) first: Option<u32>,
    /// What the section is about and how much of it there is, in the words of the last section.
    pub(crate) totals: Vec<Total>,
    /// Says something short about the items that were not taken.
    pub(crate) tail: Option<Box<dyn Tail + 'a>>,
}

/// How the lines of a section are set off.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Frame {
    /// Not at all: each line is Markdown.
    Bare,
    /// In a fence.
    #[default]
    Fence,
    /// In a fence that holds a diff.
    Diff,
}

impl Frame {
    /// What follows the opening fence.
    pub(crate) fn language(self) -> &'static str {
        if self == Self::Diff { "diff" } else { "" }
    }
}

/// Items of about the same worth.
#[derive(Clone, Default)]
pub(crate) struct Stage {
    /// Indices of items, the most valuable first.
    pub(crate) items: Vec<u32>,
    /// How much of the section's space may be used once this stage is done.
    pub(crate) percent: u8,
    /// The stage of the section, by index, of which everything must be taken, in its form, before anything of this one
    /// is. A line that is too long does not count.
    pub(crate) behind: Option<usize>,
    /// How fully its items are shown before those of the next stage.
    pub(crate) form: Form,
}

impl Stage {
    /// A stage that may use all of the section's space.
    pub(crate) fn all(items: Vec<u32>) -> Self {
        Self {
            items,
            percent: 100,
            ..Self::default()
        }
    }
}

/// What is taken or left as a whole.
pub(crate) struct Item<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) role: Role,
    /// Which of the section's totals it counts towards, and how much.
    pub(crate) counts: Option<(u8, usize)>,
}

/// How an item stands to others.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// It needs no other.
    Single,
    /// Its children need it.
    Parent {
        /// Whether it is worth showing without any of them.
        alone: Alone,
        /// How much its children count; 0 where nothing need be said of those that are missing.
        below: usize,
    },
    /// It needs the parent of this index, and all children before it.
    Child(u32),
    /// It needs the parent of this index only.
    FreeChild(u32),
}

impl Role {
    /// Whether it stands beneath a parent.
    pub(crate) fn is_child(self) -> bool {
        matches!(self, Self::Child(_) | Self::FreeChild(_))
    }
}

/// Whether a parent is worth showing without children.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alone {
    /// It is.
    Shown,
    /// It is, and says itself how much there is below it.
    Counted,
    /// It comes with its first child.
    Hidden,
}

/// How much of an item's text is shown; what is left out is said.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Form {
    /// The few lines of what changed in it that say most.
    Brief,
    /// More of these.
    Cut,
    /// Still more of these.
    Long,
    /// What changed in it, with a little around that.
    Changed,
    /// All of it.
    #[default]
    Whole,
}

impl Form {
    /// All forms, the shortest first.
    pub(crate) const ALL: [Self; 5] = [
        Self::Brief,
        Self::Cut,
        Self::Long,
        Self::Changed,
        Self::Whole,
    ];
}

/// An item's text, without a line break at its end.
pub(crate) enum Text<'a> {
    /// A few words.
    Line(String),
    /// A member, written when it is considered.
    Code(CodeText<'a>),
}

impl Text<'_> {
    /// The whole text.
    pub(crate) fn whole(&self) -> Cow<'_, str> {
        match self {
            Self::Line(text) => Cow::Borrowed(text),
            Self::Code(code) => Cow::Owned(code.whole()),
        }
    }

    /// The text in a form; `None` where a shorter form would leave nothing out.
    pub(crate) fn in_form(&self, form: Form) -> Option<Cow<'_, str>> {
        match (self, form) {
            (_, Form::Whole) => Some(self.whole()),
            (Self::Line(_), _) => None,
            (Self::Code(code), Form::Changed) => code.changed().map(Cow::Owned),
            (Self::Code(code), Form::Long) => code.long().map(Cow::Owned),
            (Self::Code(code), Form::Cut) => code.cut().map(Cow::Owned),
            (Self::Code(code), Form::Brief) => code.brief().map(Cow::Owned),
        }
    }

    /// About how many bytes the whole text has.
    pub(crate) fn n_bytes(&self) -> usize {
        match self {
            Self::Line(text) => text.len() + 1,
            Self::Code(code) => code.n_bytes(),
        }
    }
}

/// How much there is of something.
pub(crate) struct Total {
    /// One of it.
    pub(crate) one: &'static str,
    /// Many of it.
    pub(crate) many: &'static str,
    /// How many.
    pub(crate) n: usize,
}

/// Says something short about items that were not taken.
pub(crate) trait Tail {
    /// Lines, the most important first, any number of which may be taken; the first makes sense alone.
    fn lines(&self, is_taken: &dyn Fn(usize) -> bool) -> Vec<String>;
}

/// So many of what is not shown are named, in lines of so many.
const MAX_UNTOLD: usize = 16;
const UNTOLD_PER_LINE: usize = 8;

/// Names of what is not shown, in lines. `what`: they are, in words.
pub(crate) fn untold(names: &[&str], what: &str) -> Vec<String> {
    let told = names[..names.len().min(MAX_UNTOLD)].chunks(UNTOLD_PER_LINE);
    let lines = told.enumerate().map(|(at, names)| {
        let start = match at {
            0 => format!("… {what}:"),
            _ => "…".to_owned(),
        };
        format!("{start} {}", names.join(", "))
    });
    lines.collect()
}

/// `1 type`, `2 types`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A number with commas between thousands.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
