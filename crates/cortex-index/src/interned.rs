//! Values as bytes in which every text and every key of a type is a number: the tables of the numbers stand beside
//! them, and have each of them once.
//!
//! ```text
//! number := LEB128             of booleans, options (0 or 1), lengths of lists, variants and numbers up to 32 bits
//! text   := number             an index into the texts
//! bytes  := number  [ raw ]    of a key, twice its index; of anything else, twice its length + 1
//! hash   := 8 bytes            any number of 64 bits
//! ```
//! A structure is its fields one after another. The reader must know what was written.

use cortex_model::{TypeKey, put_varint, take_varint};
use rustc_hash::FxHashMap;
use serde::{
    Deserialize, Serialize,
    de::{self, DeserializeSeed, IntoDeserializer, Visitor},
    ser,
};

/// The texts and keys of some values, each with its number.
#[derive(Default)]
pub(crate) struct Interner {
    pub(crate) texts: Vec<Box<str>>,
    pub(crate) keys: Vec<TypeKey>,
    text_numbers: FxHashMap<Box<str>, u32>,
    key_numbers: FxHashMap<TypeKey, u32>,
}

impl Interner {
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.text_numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.text_numbers.insert(text.into(), number);
        number
    }

    pub(crate) fn key(&mut self, key: TypeKey) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.key_numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }

    /// Numbers the texts in their own order.
    pub(crate) fn sort_texts(&mut self) {
        self.texts.sort_unstable();
        let numbered = self.texts.iter().cloned().zip(0..);
        self.text_numbers = numbered.collect();
    }

    /// Appends a value.
    pub(crate) fn write<T: Serialize + ?Sized>(&mut self, out: &mut Vec<u8>, value: &T) {
        let mut writer = Writer {
            interner: self,
            out,
        };
        value
            .serialize(&mut writer)
            .expect("records are made of what this format knows");
    }
}

/// Where a reader finds texts and keys.
pub(crate) trait Interned {
    fn text(&self, number: u32) -> Option<&str>;
    fn key(&self, number: u32) -> Option<&[u8; 14]>;
}

/// Reads a value off the front.
pub(crate) fn read<'a, T: Deserialize<'a>>(
    input: &mut &'a [u8],
    interned: &'a dyn Interned,
) -> Option<T> {
    let mut reader = Reader { input, interned };
    let value = T::deserialize(&mut reader).ok()?;
    *input = reader.input;
    Some(value)
}

/// The bytes are none of this format, or the value is none that it can hold.
#[derive(Debug)]
pub(crate) struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("malformed record")
    }
}

impl std::error::Error for Malformed {}

impl ser::Error for Malformed {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

impl de::Error for Malformed {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

type Result<T> = std::result::Result<T, Malformed>;

struct Writer<'w> {
    interner: &'w mut Interner,
    out: &'w mut Vec<u8>,
}

impl Writer<'_> {
    fn number(&mut self, number: u32) -> Result<()> {
        put_varint(self.out, number);
        Ok(())
    }

    fn length(&mut self, length: Option<usize>) -> Result<()> {
        let length = length.ok_or(Malformed)?;
        self.number(u32::try_from(length).map_err(|_| Malformed)?)
    }
}

impl ser::Serializer for &mut Writer<'_> {
    type Ok = ();
    type Error = Malformed;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = ser::Impossible<(), Malformed>;
    type SerializeMap = ser::Impossible<(), Malformed>;
    type SerializeStruct = Self;
    type SerializeStructVariant = ser::Impossible<(), Malformed>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.number(value.into())
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        self.number(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<()> {
        self.number(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<()> {
        self.number(value)
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        let number = self.interner.text(text);
        self.number(number)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        if let Ok(key) = bytes.try_into() {
            let number = self.interner.key(TypeKey::from_bytes(key));
            return self.number(number << 1);
        }
        self.number((bytes.len() as u32) << 1 | 1)?;
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn serialize_none(self) -> Result<()> {
        self.number(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        self.number(1)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<()> {
        self.number(index)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        self.number(index)?;
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self> {
        self.length(length)?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_i8(self, _: i8) -> Result<()> {
        Err(Malformed)
    }

    fn serialize_i16(self, _: i16) -> Result<()> {
        Err(Malformed)
    }

    fn serialize_i32(self, _: i32) -> Result<()> {
        Err(Malformed)
    }

    fn serialize_i64(self, _: i64) -> Result<()> {
        Err(Malformed)
    }

    fn serialize_f32(self, _: f32) -> Result<()> {
        Err(Malformed)
    }

    fn serialize_f64(self, _: f64) -> Result<()> {
        Err(Malformed)
    }

    fn serialize_char(self, _: char) -> Result<()> {
        Err(Malformed)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(Malformed)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        Err(Malformed)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(Malformed)
    }
}

impl ser::SerializeSeq for &mut Writer<'_> {
    type Ok = ();
    type Error = Malformed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl ser::SerializeTuple for &mut Writer<'_> {
    type Ok = ();
    type Error = Malformed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl ser::SerializeTupleStruct for &mut Writer<'_> {
    type Ok = ();
    type Error = Malformed;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl ser::SerializeStruct for &mut Writer<'_> {
    type Ok = ();
    type Error = Malformed;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

struct Reader<'a> {
    input: &'a [u8],
    interned: &'a dyn Interned,
}

impl<'a> Reader<'a> {
    fn number(&mut self) -> Result<u32> {
        take_varint(&mut self.input).ok_or(Malformed)
    }

    fn raw(&mut self, length: usize) -> Result<&'a [u8]> {
        let (raw, rest) = self.input.split_at_checked(length).ok_or(Malformed)?;
        self.input = rest;
        Ok(raw)
    }
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Malformed;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(Malformed)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number()? {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => Err(Malformed),
        }
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_u8(self.number()?.try_into().map_err(|_| Malformed)?)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_u16(self.number()?.try_into().map_err(|_| Malformed)?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_u32(self.number()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let bytes = self.raw(8)?.try_into().map_err(|_| Malformed)?;
        visitor.visit_u64(u64::from_le_bytes(bytes))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let number = self.number()?;
        visitor.visit_borrowed_str(self.interned.text(number).ok_or(Malformed)?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let number = self.number()?;
        match number & 1 {
            0 => visitor.visit_borrowed_bytes(self.interned.key(number >> 1).ok_or(Malformed)?),
            _ => visitor.visit_borrowed_bytes(self.raw((number >> 1) as usize)?),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number()? {
            0 => visitor.visit_none(),
            1 => visitor.visit_some(self),
            _ => Err(Malformed),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let left = self.number()? as usize;
        // An item takes a byte at least.
        if left > self.input.len() {
            return Err(Malformed);
        }
        visitor.visit_seq(Items { reader: self, left })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, left: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(Items { reader: self, left })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        left: usize,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_seq(Items { reader: self, left })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_seq(Items {
            reader: self,
            left: fields.len(),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 f32 f64 char map identifier ignored_any
    }
}

/// Items one after another, none of which says that it is the last.
struct Items<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
}

impl<'a> de::SeqAccess<'a> for Items<'_, 'a> {
    type Error = Malformed;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'a> de::EnumAccess<'a> for &mut Reader<'a> {
    type Error = Malformed;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Self)> {
        let index: de::value::U32Deserializer<Malformed> = self.number()?.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'a> de::VariantAccess<'a> for &mut Reader<'a> {
    type Error = Malformed;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'a>>(self, _: usize, _: V) -> Result<V::Value> {
        Err(Malformed)
    }

    fn struct_variant<V: Visitor<'a>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        Err(Malformed)
    }
}
