//! The tables of the `#~` stream and the heaps beside it (ECMA-335, §II.22 and §II.24).
//!
//! Owns: where a cell lies. Rows count from 1 as in the standard; a cell that does not exist reads as 0.
//! Must not know: what a row means to C#.

use std::{ops::Range, sync::OnceLock};

use super::bytes::{Cursor, u16_at, u32_at, u64_at};
use crate::error::MetadataError;

/// The tables that are read, with their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Table {
    Module = 0x00,
    TypeRef = 0x01,
    TypeDef = 0x02,
    Field = 0x04,
    MethodDef = 0x06,
    Param = 0x08,
    InterfaceImpl = 0x09,
    MemberRef = 0x0a,
    Constant = 0x0b,
    CustomAttribute = 0x0c,
    EventMap = 0x12,
    Event = 0x14,
    PropertyMap = 0x15,
    Property = 0x17,
    MethodSemantics = 0x18,
    MethodImpl = 0x19,
    TypeSpec = 0x1b,
    Assembly = 0x20,
    AssemblyRef = 0x23,
    ExportedType = 0x27,
    NestedClass = 0x29,
    GenericParam = 0x2a,
    GenericParamConstraint = 0x2c,
}

const TABLE_COUNT: usize = 0x2d;
/// The most columns that a table has.
const MAX_COLUMNS: usize = 9;
/// Longer names than this are refused by the runtime and by compilers.
const MAX_NAME_BYTES: usize = 1024;
/// Row numbers are stored in 24 bits of a token.
const MAX_ROWS: u32 = 0x00ff_ffff;

/// A row of one of several tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Token {
    /// The number of the table.
    pub(crate) table: u8,
    /// From 1; 0 is no row.
    pub(crate) row: u32,
}

impl Token {
    pub(crate) const fn new(table: Table, row: u32) -> Self {
        Self {
            table: table as u8,
            row,
        }
    }

    /// The row, if it is one of this table.
    pub(crate) fn of(self, table: Table) -> Option<u32> {
        (self.table == table as u8 && self.row != 0).then_some(self.row)
    }
}

/// How a column refers to one of several tables (ECMA-335, §II.24.2.6).
pub(crate) struct Coded {
    bits: u32,
    tables: &'static [u8],
}

/// No table: an unused tag.
const NONE: u8 = 0xff;

pub(crate) const TYPE_DEF_OR_REF: Coded = Coded {
    bits: 2,
    tables: &[0x02, 0x01, 0x1b],
};
const HAS_CONSTANT: Coded = Coded {
    bits: 2,
    tables: &[0x04, 0x08, 0x17],
};
const HAS_CUSTOM_ATTRIBUTE: Coded = Coded {
    bits: 5,
    tables: &[
        0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14, 0x11, 0x1a, 0x1b, 0x20,
        0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b,
    ],
};
const HAS_FIELD_MARSHAL: Coded = Coded {
    bits: 1,
    tables: &[0x04, 0x08],
};
const HAS_DECL_SECURITY: Coded = Coded {
    bits: 2,
    tables: &[0x02, 0x06, 0x20],
};
const MEMBER_REF_PARENT: Coded = Coded {
    bits: 3,
    tables: &[0x02, 0x01, 0x1a, 0x06, 0x1b],
};
const HAS_SEMANTICS: Coded = Coded {
    bits: 1,
    tables: &[0x14, 0x17],
};
const METHOD_DEF_OR_REF: Coded = Coded {
    bits: 1,
    tables: &[0x06, 0x0a],
};
const MEMBER_FORWARDED: Coded = Coded {
    bits: 1,
    tables: &[0x04, 0x06],
};
const IMPLEMENTATION: Coded = Coded {
    bits: 2,
    tables: &[0x26, 0x23, 0x27],
};
const CUSTOM_ATTRIBUTE_TYPE: Coded = Coded {
    bits: 3,
    tables: &[NONE, NONE, 0x06, 0x0a, NONE],
};
const RESOLUTION_SCOPE: Coded = Coded {
    bits: 2,
    tables: &[0x00, 0x1a, 0x23, 0x01],
};
const TYPE_OR_METHOD_DEF: Coded = Coded {
    bits: 1,
    tables: &[0x02, 0x06],
};

impl Coded {
    pub(crate) fn decode(&self, value: u32) -> Option<Token> {
        let tag = value & ((1 << self.bits) - 1);
        let table = *self.tables.get(tag as usize)?;
        (table != NONE).then_some(Token {
            table,
            row: value >> self.bits,
        })
    }

    /// The value of a column that refers to a token.
    fn encode(&self, token: Token) -> Option<u32> {
        let tag = self
            .tables
            .iter()
            .position(|&table| table == token.table && table != NONE)?;
        Some(token.row << self.bits | u32::try_from(tag).ok()?)
    }
}

enum Column {
    Two,
    Four,
    Text,
    Guid,
    Blob,
    Row(u8),
    Coded(&'static Coded),
}

use Column::{Blob, Four, Guid, Row, Text, Two};

/// The columns of each table, in the order of their numbers.
const SCHEMA: [&[Column]; TABLE_COUNT] = [
    &[Two, Text, Guid, Guid, Guid],
    &[Column::Coded(&RESOLUTION_SCOPE), Text, Text],
    &[
        Four,
        Text,
        Text,
        Column::Coded(&TYPE_DEF_OR_REF),
        Row(0x04),
        Row(0x06),
    ],
    &[Row(0x04)],
    &[Two, Text, Blob],
    &[Row(0x06)],
    &[Four, Two, Two, Text, Blob, Row(0x08)],
    &[Row(0x08)],
    &[Two, Two, Text],
    &[Row(0x02), Column::Coded(&TYPE_DEF_OR_REF)],
    &[Column::Coded(&MEMBER_REF_PARENT), Text, Blob],
    &[Two, Column::Coded(&HAS_CONSTANT), Blob],
    &[
        Column::Coded(&HAS_CUSTOM_ATTRIBUTE),
        Column::Coded(&CUSTOM_ATTRIBUTE_TYPE),
        Blob,
    ],
    &[Column::Coded(&HAS_FIELD_MARSHAL), Blob],
    &[Two, Column::Coded(&HAS_DECL_SECURITY), Blob],
    &[Two, Four, Row(0x02)],
    &[Four, Row(0x04)],
    &[Blob],
    &[Row(0x02), Row(0x14)],
    &[Row(0x14)],
    &[Two, Text, Column::Coded(&TYPE_DEF_OR_REF)],
    &[Row(0x02), Row(0x17)],
    &[Row(0x17)],
    &[Two, Text, Blob],
    &[Two, Row(0x06), Column::Coded(&HAS_SEMANTICS)],
    &[
        Row(0x02),
        Column::Coded(&METHOD_DEF_OR_REF),
        Column::Coded(&METHOD_DEF_OR_REF),
    ],
    &[Text],
    &[Blob],
    &[Two, Column::Coded(&MEMBER_FORWARDED), Text, Row(0x1a)],
    &[Four, Row(0x04)],
    &[Four, Four],
    &[Four],
    &[Four, Two, Two, Two, Two, Four, Blob, Text, Text],
    &[Four],
    &[Four, Four, Four],
    &[Two, Two, Two, Two, Four, Blob, Text, Text, Blob],
    &[Four, Row(0x23)],
    &[Four, Four, Four, Row(0x23)],
    &[Four, Text, Blob],
    &[Four, Four, Text, Text, Column::Coded(&IMPLEMENTATION)],
    &[Four, Four, Text, Column::Coded(&IMPLEMENTATION)],
    &[Row(0x02), Row(0x02)],
    &[Two, Two, Column::Coded(&TYPE_OR_METHOD_DEF), Text],
    &[Column::Coded(&METHOD_DEF_OR_REF), Blob],
    &[Row(0x2a), Column::Coded(&TYPE_DEF_OR_REF)],
];

/// Where the rows of one table lie.
#[derive(Clone, Copy, Default)]
struct Layout {
    rows: u32,
    /// Where its first row starts in the metadata.
    start: usize,
    row_size: usize,
    /// Where each column starts in a row, and how wide it is (2 or 4).
    columns: [(u8, u8); MAX_COLUMNS],
}

/// The metadata of one module: bytes, and where tables and heaps lie in them.
pub(crate) struct Metadata {
    bytes: Vec<u8>,
    tables: [Layout; TABLE_COUNT],
    strings: Range<usize>,
    blobs: Range<usize>,
    guids: Range<usize>,
    /// Whether every list column ascends, so that no row is in two lists.
    lists_ascend: OnceLock<bool>,
}

/// The columns that start lists in other tables.
const LISTS: [(Table, usize); 5] = [
    (Table::TypeDef, 4),
    (Table::TypeDef, 5),
    (Table::MethodDef, 5),
    (Table::EventMap, 1),
    (Table::PropertyMap, 1),
];

impl Metadata {
    /// Finds streams and tables. O(tables): no row is looked at.
    pub(crate) fn read(bytes: Vec<u8>) -> Result<Self, MetadataError> {
        let mut metadata = Self {
            tables: [Layout::default(); TABLE_COUNT],
            strings: 0..0,
            blobs: 0..0,
            guids: 0..0,
            lists_ascend: OnceLock::new(),
            bytes,
        };
        let tables = metadata
            .find_streams()
            .ok_or(MetadataError::Image("the metadata has no tables"))?;
        metadata
            .lay_out(tables)
            .ok_or(MetadataError::Image("the metadata tables are cut off"))?;
        let pointers = [0x03, 0x05, 0x07, 0x13, 0x16];
        if pointers
            .iter()
            .any(|&table: &usize| metadata.tables[table].rows > 0)
        {
            return Err(MetadataError::Image("the metadata is unoptimized"));
        }
        Ok(metadata)
    }

    fn find_streams(&mut self) -> Option<Range<usize>> {
        let bytes = &self.bytes;
        if !bytes.starts_with(b"BSJB") {
            return None;
        }
        let version_length = u32_at(bytes, 12)? as usize;
        let mut at = version_length.checked_add(16)?;
        let count = u16_at(bytes, at.checked_add(2)?)?;
        at += 4;
        let mut tables = None;
        for _ in 0..count {
            let start = u32_at(bytes, at)? as usize;
            let size = u32_at(bytes, at + 4)? as usize;
            let name = bytes.get(at + 8..)?;
            let name = &name[..name.iter().take(32).position(|&byte| byte == 0)?];
            let end = start.checked_add(size)?.min(bytes.len());
            let range = start.min(end)..end;
            match name {
                b"#~" => tables = Some(range),
                b"#Strings" => self.strings = range,
                b"#Blob" => self.blobs = range,
                b"#GUID" => self.guids = range,
                _ => {}
            }
            at += 8 + (name.len() / 4 + 1) * 4;
        }
        tables
    }

    fn lay_out(&mut self, stream: Range<usize>) -> Option<()> {
        let bytes = self.bytes.get(stream.clone())?;
        let heap_sizes = *bytes.get(6)?;
        let valid = u64_at(bytes, 8)?;
        let mut at = 24;
        for table in 0..64 {
            if valid >> table & 1 == 0 {
                continue;
            }
            let rows = u32_at(bytes, at)?;
            at += 4;
            if rows > MAX_ROWS {
                return None;
            }
            if let Some(layout) = self.tables.get_mut(table) {
                layout.rows = rows;
            }
        }
        // Extra data after the row counts, which no compiler writes but the runtime allows.
        if heap_sizes & 0x40 != 0 {
            at += 4;
        }
        let rows = self.tables.map(|layout| layout.rows);
        let wide = |flag: u8| if heap_sizes & flag != 0 { 4 } else { 2 };
        let mut start = stream.start.checked_add(at)?;
        for (layout, schema) in self.tables.iter_mut().zip(&SCHEMA) {
            let mut offset = 0_u8;
            for (place, column) in layout.columns.iter_mut().zip(*schema) {
                let width = match column {
                    Column::Two => 2,
                    Column::Four => 4,
                    Column::Text => wide(1),
                    Column::Guid => wide(2),
                    Column::Blob => wide(4),
                    Column::Row(table) => row_width(rows[usize::from(*table)], 0),
                    Column::Coded(coded) => {
                        let most = coded
                            .tables
                            .iter()
                            .filter_map(|&table| rows.get(usize::from(table)))
                            .max()?;
                        row_width(*most, coded.bits)
                    }
                };
                *place = (offset, width);
                offset += width;
            }
            layout.row_size = usize::from(offset);
            layout.start = start;
            start = start.checked_add(layout.row_size.checked_mul(layout.rows as usize)?)?;
        }
        (start <= stream.end).then_some(())
    }

    pub(crate) fn rows(&self, table: Table) -> u32 {
        self.tables[table as usize].rows
    }

    /// A cell as a number; 0 where there is none.
    pub(crate) fn cell(&self, table: Table, row: u32, column: usize) -> u32 {
        let layout = &self.tables[table as usize];
        if row == 0 || row > layout.rows {
            return 0;
        }
        let (offset, width) = layout.columns[column];
        let at = layout.start + (row - 1) as usize * layout.row_size + usize::from(offset);
        let value = match width {
            2 => u16_at(&self.bytes, at).map(u32::from),
            _ => u32_at(&self.bytes, at),
        };
        value.unwrap_or(0)
    }

    /// A cell that refers to a row of one of several tables.
    pub(crate) fn token(&self, table: Table, row: u32, column: usize) -> Option<Token> {
        let Some(Column::Coded(coded)) = SCHEMA[table as usize].get(column) else {
            return None;
        };
        coded.decode(self.cell(table, row, column))
    }

    /// A cell as a string; empty where it is not UTF-8 or too long for a name.
    pub(crate) fn text(&self, table: Table, row: u32, column: usize) -> &str {
        let heap = self.bytes.get(self.strings.clone()).unwrap_or_default();
        let from = heap
            .get(self.cell(table, row, column) as usize..)
            .unwrap_or_default();
        let end = from.iter().take(MAX_NAME_BYTES).position(|&byte| byte == 0);
        std::str::from_utf8(&from[..end.unwrap_or(0)]).unwrap_or_default()
    }

    /// A cell as a blob; empty where it is cut off.
    pub(crate) fn blob(&self, table: Table, row: u32, column: usize) -> &[u8] {
        let heap = self.bytes.get(self.blobs.clone()).unwrap_or_default();
        let at = self.cell(table, row, column) as usize;
        let mut cursor = Cursor::new(heap.get(at..).unwrap_or_default());
        let length = cursor.compressed().unwrap_or(0);
        cursor.take(length as usize).unwrap_or_default()
    }

    /// A cell as a GUID's 16 bytes; empty where there is none.
    pub(crate) fn guid(&self, table: Table, row: u32, column: usize) -> &[u8] {
        let index = self.cell(table, row, column) as usize;
        let heap = self.bytes.get(self.guids.clone()).unwrap_or_default();
        match index.checked_sub(1) {
            Some(index) => heap.get(index * 16..index * 16 + 16).unwrap_or_default(),
            None => &[],
        }
    }

    /// The rows whose column, by which the table is sorted, has a value. O(log rows).
    pub(crate) fn equal_rows(&self, table: Table, column: usize, value: u32) -> Range<u32> {
        let first = self.partition(table, |row| self.cell(table, row, column) < value);
        let last = self.partition(table, |row| self.cell(table, row, column) <= value);
        first..last.max(first)
    }

    /// The rows whose column, by which the table is sorted, refers to a token. O(log rows).
    pub(crate) fn rows_of(&self, table: Table, column: usize, token: Token) -> Range<u32> {
        match SCHEMA[table as usize].get(column) {
            Some(Column::Coded(coded)) => match coded.encode(token) {
                Some(value) => self.equal_rows(table, column, value),
                None => 1..1,
            },
            _ => self.equal_rows(table, column, token.row),
        }
    }

    /// The rows of a list column: from a row's value to the next row's (ECMA-335, §II.22.37). All lists
    /// are empty where any column does not ascend: else all of a table could be in the list of every row.
    pub(crate) fn list(&self, table: Table, row: u32, column: usize, of: Table) -> Range<u32> {
        if !self.lists_ascend() {
            return 1..1;
        }
        let end_of_all = self.rows(of) + 1;
        let start = self.cell(table, row, column).clamp(1, end_of_all);
        let end = match row < self.rows(table) {
            true => self.cell(table, row + 1, column).clamp(start, end_of_all),
            false => end_of_all,
        };
        start..end
    }

    /// The row whose list contains a row of another table. O(log rows).
    pub(crate) fn list_owner(&self, table: Table, column: usize, member: u32) -> u32 {
        self.partition(table, |row| self.cell(table, row, column) <= member)
            .saturating_sub(1)
    }

    fn lists_ascend(&self) -> bool {
        *self.lists_ascend.get_or_init(|| {
            LISTS.iter().all(|&(table, column)| {
                let cells = (1..=self.rows(table)).map(|row| self.cell(table, row, column));
                cells.is_sorted()
            })
        })
    }

    /// The first row for which a test fails, or one past the last.
    fn partition(&self, table: Table, holds: impl Fn(u32) -> bool) -> u32 {
        let (mut low, mut high) = (1, self.rows(table) + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            match holds(middle) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }
}

fn row_width(rows: u32, tag_bits: u32) -> u8 {
    if rows < 1 << (16 - tag_bits) { 2 } else { 4 }
}
