//! Extension blocks (C# 14): types nested in the static class, which compilers name.
//!
//! `<G>$…` groups the members of blocks whose receivers look alike; inside of it `<M>$…` stands for one block,
//! with its type parameters and, as the parameter of `<Extension>$`, its receiver. The members of the group
//! name their block in an attribute. What runs are static methods of the class itself.

use super::{
    PeFile,
    attributes::Known,
    members::rows_of_type,
    signature::{Extras, SignatureReader},
    tables::{Table, Token},
};
use crate::model::{ExternalExtension, ExternalMember, ExternalParam};

const GROUP: &str = "<G>$";
const MARKER: &str = "<M>$";
const RECEIVER: &str = "<Extension>$";

impl PeFile {
    /// The extension blocks of a static class, in metadata order.
    pub(crate) fn extension_blocks(&self, row: u32) -> Vec<ExternalExtension> {
        let mut blocks = Vec::new();
        for group in self.nested_blocks(row, GROUP) {
            let members = self.marked_members(group);
            for marker in self.nested_blocks(group, MARKER) {
                let Some(receiver) = self.receiver(marker) else {
                    continue;
                };
                let name = self.metadata.text(Table::TypeDef, marker, 1);
                let declared = members.iter().filter(|(block, _)| *block == name);
                blocks.push(ExternalExtension {
                    type_params: self.type_params(Token::new(Table::TypeDef, marker), marker),
                    receiver,
                    members: declared.map(|(_, member)| member.clone()).collect(),
                });
            }
        }
        blocks
    }

    /// The names of the members of all extension blocks with the rows of their classes.
    pub(crate) fn names_in_blocks(&self) -> Vec<(&str, u32)> {
        let mut found = Vec::new();
        for &(class, group) in &self.maps().blocks {
            if !self
                .metadata
                .text(Table::TypeDef, group, 1)
                .starts_with(GROUP)
                || !self.keeps(self.accessibility(class))
            {
                continue;
            }
            for row in self.methods_without_accessors(group) {
                found.push((self.metadata.text(Table::MethodDef, row, 3), class));
            }
            for row in self.properties(group) {
                found.push((self.metadata.text(Table::Property, row, 1), class));
            }
        }
        found
    }

    fn nested_blocks<'a>(&'a self, row: u32, prefix: &'a str) -> impl Iterator<Item = u32> + 'a {
        rows_of_type(&self.maps().blocks, row).filter(move |&nested| {
            self.metadata
                .text(Table::TypeDef, nested, 1)
                .starts_with(prefix)
        })
    }

    /// The members of a group with the names of their blocks.
    fn marked_members(&self, group: u32) -> Vec<(&str, ExternalMember)> {
        let owner = self.owner(group);
        let mut found = Vec::new();
        for row in self.methods_without_accessors(group) {
            if let Some(block) = self.block_name(Token::new(Table::MethodDef, row)) {
                found.extend(self.method(row, &owner).map(|member| (block, member)));
            }
        }
        for row in self.properties(group) {
            if let Some(block) = self.block_name(Token::new(Table::Property, row)) {
                let mut members = Vec::new();
                self.property(row, &owner, &mut members);
                found.extend(members.into_iter().map(|member| (block, member)));
            }
        }
        found
    }

    fn block_name(&self, member: Token) -> Option<&str> {
        let marker = self
            .attributes(member)
            .find(|(attribute, _)| *attribute == Known::ExtensionMarker);
        marker.and_then(|(_, blob)| blob.text())
    }

    fn receiver(&self, marker: u32) -> Option<ExternalParam> {
        let mut methods = self
            .metadata
            .list(Table::TypeDef, marker, 5, Table::MethodDef);
        let row = methods.find(|&row| self.metadata.text(Table::MethodDef, row, 3) == RECEIVER)?;
        let method = self.method_row(row);
        let mut reader = SignatureReader::new(self, self.metadata.blob(Table::MethodDef, row, 4));
        let (_, count) = reader.header()?;
        reader.passed(Extras::default())?;
        self.params(&mut reader, count, &method)?.into_iter().next()
    }
}
