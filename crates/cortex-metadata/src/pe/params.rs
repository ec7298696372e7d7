//! Rows of `Param` and `Constant` as parameters and values.

use super::{
    PeFile,
    attributes::Known,
    signature::{Extras, SignatureReader},
    tables::{Table, Token},
};
use crate::model::{ConstantValue, ExternalParam, RefKind};

/// Longer string constants are cut.
const MAX_CONSTANT_BYTES: usize = 1 << 16;

/// The attributes and parameter rows of one method that its signature leaves open.
pub(super) struct MethodRow {
    pub(super) row: u32,
    pub(super) flags: u32,
    /// The rows of `Param` by sequence number; 0 is the return value, a missing one is row 0.
    pub(super) params: Vec<u32>,
}

impl PeFile {
    pub(super) fn method_row(&self, row: u32) -> MethodRow {
        let metadata = &self.metadata;
        let mut params = Vec::new();
        for param in metadata.list(Table::MethodDef, row, 5, Table::Param) {
            let sequence = metadata.cell(Table::Param, param, 1) as usize;
            if params.len() <= sequence {
                params.resize(sequence + 1, 0);
            }
            params[sequence] = param;
        }
        MethodRow {
            row,
            flags: metadata.cell(Table::MethodDef, row, 2),
            params,
        }
    }

    pub(super) fn return_extras(&self, param: u32) -> (Extras<'_>, bool) {
        let mut extras = Extras::default();
        let mut is_read_only = false;
        for (attribute, blob) in self.attributes(Token::new(Table::Param, param)) {
            match attribute {
                Known::IsReadOnly => is_read_only = true,
                _ => blob.add_to(attribute, &mut extras),
            }
        }
        (extras, is_read_only)
    }

    pub(super) fn params<'a>(
        &'a self,
        reader: &mut SignatureReader<'a>,
        count: u32,
        method: &MethodRow,
    ) -> Option<Vec<ExternalParam>> {
        let mut params = Vec::new();
        for index in 0..count as usize {
            let row = method.params.get(index + 1).copied().unwrap_or(0);
            params.push(self.param(reader, row)?);
        }
        Some(params)
    }

    fn param<'a>(&'a self, reader: &mut SignatureReader<'a>, row: u32) -> Option<ExternalParam> {
        let metadata = &self.metadata;
        let token = Token::new(Table::Param, row);
        let flags = metadata.cell(Table::Param, row, 0);
        let mut extras = Extras::default();
        let (mut is_read_only, mut requires_location, mut is_params) = (false, false, false);
        let mut handler_arguments = Vec::new();
        let (mut is_caller_member, mut caller_argument) = (false, None);
        for (attribute, blob) in self.attributes(token) {
            match attribute {
                Known::IsReadOnly => is_read_only = true,
                Known::RequiresLocation => requires_location = true,
                Known::ParamArray | Known::ParamCollection => is_params = true,
                Known::InterpolatedStringHandlerArgument => {
                    handler_arguments = blob.text_or_texts();
                }
                Known::CallerMemberName => is_caller_member = true,
                Known::CallerArgumentExpression => {
                    caller_argument = blob.text_or_texts().into_iter().next();
                }
                _ => blob.add_to(attribute, &mut extras),
            }
        }
        let passed = reader.passed(extras)?;
        let ref_kind = match (passed.is_by_ref, flags & 3) {
            (false, _) => RefKind::None,
            (true, 2) => RefKind::Out,
            (true, _) if requires_location => RefKind::RefReadonly,
            (true, _) if is_read_only || passed.modifiers.is_in => RefKind::In,
            (true, _) => RefKind::Ref,
        };
        let has_default = flags & 0x1000 != 0;
        Some(ExternalParam {
            name: metadata.text(Table::Param, row, 2).into(),
            ty: passed.ty,
            ref_kind,
            is_params,
            is_optional: flags & 0x10 != 0,
            default: has_default.then(|| self.constant(token)).flatten(),
            handler_arguments,
            is_caller_member,
            caller_argument,
        })
    }

    pub(super) fn constant(&self, owner: Token) -> Option<ConstantValue> {
        let metadata = &self.metadata;
        let row = metadata.rows_of(Table::Constant, 1, owner).next()?;
        let blob = metadata.blob(Table::Constant, row, 2);
        let number = || {
            let mut bytes = [0; 8];
            bytes.get_mut(..blob.len())?.copy_from_slice(blob);
            Some(u64::from_le_bytes(bytes))
        };
        let integer = |value: i64| Some(ConstantValue::Integer(value));
        match metadata.cell(Table::Constant, row, 0) & 0xff {
            0x02 | 0x03 | 0x05 | 0x07 | 0x09 | 0x0a | 0x0b => integer(number()?.cast_signed()),
            0x04 => integer(i64::from((number()? as u8).cast_signed())),
            0x06 => integer(i64::from((number()? as u16).cast_signed())),
            0x08 => integer(i64::from((number()? as u32).cast_signed())),
            0x0c => {
                let value = f64::from(f32::from_bits(number()? as u32));
                Some(ConstantValue::Real(value.to_bits()))
            }
            0x0d => Some(ConstantValue::Real(number()?)),
            0x0e => {
                let units = blob
                    .get(..MAX_CONSTANT_BYTES)
                    .unwrap_or(blob)
                    .chunks_exact(2)
                    .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
                let text: String = char::decode_utf16(units)
                    .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect();
                Some(ConstantValue::Text(text.into()))
            }
            0x12 => Some(ConstantValue::Null),
            _ => None,
        }
    }
}
