//! A tiny writer of ECMA-335 images: rows in, bytes out. All indices are two bytes wide.

use std::collections::BTreeMap;

/// A cell of a row.
#[derive(Clone, Copy)]
pub(crate) enum Cell {
    /// Two bytes.
    W(u32),
    /// Four bytes.
    D(u32),
}

/// An image in the making.
pub(crate) struct Image {
    strings: Vec<u8>,
    blobs: Vec<u8>,
    tables: BTreeMap<u8, Vec<Vec<Cell>>>,
}

impl Image {
    /// An image with its module, the `<Module>` type and the assembly row.
    pub(crate) fn new(assembly: &str, version: [u32; 4]) -> Self {
        let mut image = Self {
            strings: vec![0],
            blobs: vec![0],
            tables: BTreeMap::new(),
        };
        let name = image.text("module");
        image.row(
            0x00,
            &[Cell::W(0), name, Cell::W(1), Cell::W(0), Cell::W(0)],
        );
        let name = image.text("<Module>");
        let zero = Cell::W(0);
        image.row(
            0x02,
            &[Cell::D(0), name, zero, zero, Cell::W(1), Cell::W(1)],
        );
        let name = image.text(assembly);
        let [a, b, c, d] = version.map(Cell::W);
        image.row(
            0x20,
            &[Cell::D(0), a, b, c, d, Cell::D(0), zero, name, zero],
        );
        image
    }

    /// A string's place in its heap.
    pub(crate) fn text(&mut self, text: &str) -> Cell {
        let at = self.strings.len();
        self.strings.extend_from_slice(text.as_bytes());
        self.strings.push(0);
        Cell::W(at as u32)
    }

    /// A blob's place in its heap.
    pub(crate) fn blob(&mut self, bytes: &[u8]) -> Cell {
        let at = self.blobs.len();
        self.blobs.push(bytes.len() as u8);
        self.blobs.extend_from_slice(bytes);
        Cell::W(at as u32)
    }

    /// Appends a row; answers its number.
    pub(crate) fn row(&mut self, table: u8, cells: &[Cell]) -> u32 {
        let rows = self.tables.entry(table).or_default();
        rows.push(cells.to_vec());
        rows.len() as u32
    }

    /// The number of the next row of a table.
    pub(crate) fn next(&self, table: u8) -> Cell {
        Cell::W(self.tables.get(&table).map_or(0, Vec::len) as u32 + 1)
    }

    /// A type of another assembly; answers its row.
    pub(crate) fn type_ref(&mut self, assembly_ref: u32, namespace: &str, name: &str) -> u32 {
        let (namespace, name) = (self.text(namespace), self.text(name));
        self.row(0x01, &[Cell::W(assembly_ref << 2 | 2), name, namespace])
    }

    /// An assembly that is referred to; answers its row.
    pub(crate) fn assembly_ref(&mut self, name: &str) -> u32 {
        let name = self.text(name);
        let zero = Cell::W(0);
        let row = [zero, zero, zero, zero, Cell::D(0), zero, name, zero, zero];
        self.row(0x23, &row)
    }

    /// A type; its fields and methods are those that follow.
    pub(crate) fn type_def(
        &mut self,
        flags: u32,
        namespace: &str,
        name: &str,
        extends: u32,
    ) -> u32 {
        let (namespace, name) = (self.text(namespace), self.text(name));
        let (fields, methods) = (self.next(0x04), self.next(0x06));
        let row = [
            Cell::D(flags),
            name,
            namespace,
            Cell::W(extends),
            fields,
            methods,
        ];
        self.row(0x02, &row)
    }

    /// A method; its parameters are those that follow.
    pub(crate) fn method(&mut self, flags: u32, name: &str, signature: &[u8]) -> u32 {
        let (name, signature) = (self.text(name), self.blob(signature));
        let params = self.next(0x08);
        let row = [
            Cell::D(0),
            Cell::W(0),
            Cell::W(flags),
            name,
            signature,
            params,
        ];
        self.row(0x06, &row)
    }

    /// A parameter of the last method.
    pub(crate) fn param(&mut self, flags: u32, sequence: u32, name: &str) -> u32 {
        let name = self.text(name);
        self.row(0x08, &[Cell::W(flags), Cell::W(sequence), name])
    }

    /// A constructor of an attribute; answers its `MemberRef` row.
    pub(crate) fn constructor(&mut self, type_ref: u32, signature: &[u8]) -> u32 {
        let (name, signature) = (self.text(".ctor"), self.blob(signature));
        self.row(0x0a, &[Cell::W(type_ref << 3 | 1), name, signature])
    }

    /// An attribute on a row that is given as `HasCustomAttribute`.
    pub(crate) fn attribute(&mut self, parent: u32, constructor: u32, value: &[u8]) {
        let value = self.blob(value);
        self.row(
            0x0c,
            &[Cell::W(parent), Cell::W(constructor << 3 | 3), value],
        );
    }

    /// The bytes of the file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let key = |cell: &Cell| match *cell {
            Cell::W(value) | Cell::D(value) => value,
        };
        for (table, column) in [(0x0c, 0), (0x2a, 2), (0x18, 2), (0x19, 0)] {
            if let Some(rows) = self.tables.get_mut(&table) {
                rows.sort_by_key(|row| key(&row[column]));
            }
        }
        let mut stream = vec![0; 4];
        stream.extend([2, 0, 0, 1]);
        let valid = self
            .tables
            .keys()
            .fold(0_u64, |bits, table| bits | 1 << table);
        stream.extend(valid.to_le_bytes());
        stream.extend(0_u64.to_le_bytes());
        for rows in self.tables.values() {
            stream.extend((rows.len() as u32).to_le_bytes());
        }
        for cell in self.tables.values().flatten().flatten() {
            match *cell {
                Cell::W(value) => stream.extend((value as u16).to_le_bytes()),
                Cell::D(value) => stream.extend(value.to_le_bytes()),
            }
        }
        let guid = (1..=16).collect();
        let streams: [(&str, Vec<u8>); 4] = [
            ("#~", stream),
            ("#Strings", self.strings),
            ("#Blob", self.blobs),
            ("#GUID", guid),
        ];
        let mut metadata = b"BSJB\x01\0\x01\0\0\0\0\0\x04\0\0\0v4.0".to_vec();
        metadata.extend([0, 0, 4, 0]);
        let heads: usize = streams
            .iter()
            .map(|(name, _)| 8 + (name.len() / 4 + 1) * 4)
            .sum();
        let mut at = metadata.len() + heads;
        for (name, bytes) in &streams {
            metadata.extend((at as u32).to_le_bytes());
            metadata.extend((bytes.len() as u32).to_le_bytes());
            metadata.extend_from_slice(name.as_bytes());
            metadata.resize(metadata.len() + 4 - name.len() % 4, 0);
            at += bytes.len();
        }
        for (_, bytes) in streams {
            metadata.extend(bytes);
        }
        wrap(&metadata)
    }
}

/// Puts headers before metadata: one section at address 0x1000, file offset 0x200.
fn wrap(metadata: &[u8]) -> Vec<u8> {
    let mut file = vec![0; 0x200];
    let mut put = |at: usize, value: u32| {
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    put(0, 0x5a4d);
    put(0x3c, 0x80);
    put(0x80, 0x4550);
    // One section; an optional header of 224 bytes.
    put(0x84, 0x0001_014c);
    put(0x94, 224);
    let optional = 0x98;
    put(optional, 0x10b);
    put(optional + 96 + 14 * 8, 0x1000);
    put(optional + 96 + 14 * 8 + 4, 72);
    let section = optional + 224;
    let size = 72 + metadata.len() as u32;
    put(section + 8, size);
    put(section + 12, 0x1000);
    put(section + 16, size);
    put(section + 20, 0x200);
    let mut cli = vec![0; 72];
    cli[8..12].copy_from_slice(&(0x1000_u32 + 72).to_le_bytes());
    cli[12..16].copy_from_slice(&(metadata.len() as u32).to_le_bytes());
    file.extend(cli);
    file.extend_from_slice(metadata);
    file
}
