//! The simple types (C# specification, §8.3.5) and `object`, `string`, `void`: told apart by one look-up.
//!
//! Owns: ranges and implicit numeric conversions (§10.2.3). Must not know: expressions.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::{compilation::Compilation, special::Special, ty::Ty};

/// A type that has a keyword.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Builtin {
    SByte,
    Byte,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    IntPtr,
    UIntPtr,
    Char,
    Single,
    Double,
    Decimal,
    Boolean,
    String,
    Object,
    Void,
}

use Builtin::*;

impl Builtin {
    const ALL: [(Self, Special); 18] = [
        (SByte, Special::SByte),
        (Byte, Special::Byte),
        (Int16, Special::Int16),
        (UInt16, Special::UInt16),
        (Int32, Special::Int32),
        (UInt32, Special::UInt32),
        (Int64, Special::Int64),
        (UInt64, Special::UInt64),
        (IntPtr, Special::IntPtr),
        (UIntPtr, Special::UIntPtr),
        (Char, Special::Char),
        (Single, Special::Single),
        (Double, Special::Double),
        (Decimal, Special::Decimal),
        (Boolean, Special::Boolean),
        (String, Special::String),
        (Object, Special::Object),
        (Void, Special::Void),
    ];

    /// The type of the same name.
    pub(crate) fn special(self) -> Special {
        Self::ALL[self as usize].1
    }

    /// Whether arithmetic takes it: `char` included.
    pub(crate) fn is_numeric(self) -> bool {
        self <= Decimal
    }

    /// Whether its values are whole numbers: `char` included.
    pub(crate) fn is_integral(self) -> bool {
        self <= Char
    }

    /// `sbyte`, `short`, `int`, `long`, `nint`.
    pub(crate) fn is_signed_integral(self) -> bool {
        matches!(self, SByte | Int16 | Int32 | Int64 | IntPtr)
    }

    /// `byte`, `ushort`, `uint`, `ulong`, `nuint`.
    pub(crate) fn is_unsigned_integral(self) -> bool {
        matches!(self, Byte | UInt16 | UInt32 | UInt64 | UIntPtr)
    }

    /// The least and greatest value of a constant of an integral type; of native integers, those that
    /// every machine has.
    pub(crate) fn range(self) -> Option<(i128, i128)> {
        Some(match self {
            SByte => (i8::MIN.into(), i8::MAX.into()),
            Byte => (0, u8::MAX.into()),
            Int16 => (i16::MIN.into(), i16::MAX.into()),
            UInt16 | Char => (0, u16::MAX.into()),
            Int32 | IntPtr => (i32::MIN.into(), i32::MAX.into()),
            UInt32 | UIntPtr => (0, u32::MAX.into()),
            Int64 => (i64::MIN.into(), i64::MAX.into()),
            UInt64 => (0, u64::MAX.into()),
            _ => return None,
        })
    }

    /// §10.2.3: an implicit numeric conversion; none to itself.
    pub(crate) fn widens_to(self, to: Self) -> bool {
        let float = matches!(to, Single | Double | Decimal);
        match self {
            SByte => float || matches!(to, Int16 | Int32 | Int64 | IntPtr),
            Byte => {
                float
                    || matches!(
                        to,
                        Int16 | UInt16 | Int32 | UInt32 | Int64 | UInt64 | IntPtr | UIntPtr
                    )
            }
            Int16 => float || matches!(to, Int32 | Int64 | IntPtr),
            UInt16 => float || matches!(to, Int32 | UInt32 | Int64 | UInt64 | IntPtr | UIntPtr),
            Int32 => float || matches!(to, Int64 | IntPtr),
            UInt32 => float || matches!(to, Int64 | UInt64 | UIntPtr),
            Int64 | UInt64 => float,
            IntPtr => float || to == Int64,
            UIntPtr => float || to == UInt64,
            Char => {
                float
                    || matches!(
                        to,
                        UInt16 | Int32 | UInt32 | Int64 | UInt64 | IntPtr | UIntPtr
                    )
            }
            Single => to == Double,
            _ => false,
        }
    }
}

/// The builtin types of a compilation; filled once.
#[derive(Default)]
pub(crate) struct Builtins {
    tables: OnceCell<FxHashMap<Ty, Builtin>>,
}

impl Compilation<'_> {
    /// Which builtin type a type is.
    pub(crate) fn builtin(&self, ty: Ty) -> Option<Builtin> {
        let tables = self.caches.builtins.tables.get_or_init(|| {
            let all = Builtin::ALL.iter();
            all.map(|&(builtin, special)| (self.special(special), builtin))
                .filter(|(ty, _)| !ty.is_error())
                .collect()
        });
        tables.get(&ty).copied()
    }

    /// A builtin type.
    pub(crate) fn builtin_type(&self, builtin: Builtin) -> Ty {
        self.special(builtin.special())
    }

    /// The builtin type that a type is, or that it is the nullable form of.
    pub(crate) fn builtin_of_operand(&self, ty: Ty) -> Option<Builtin> {
        self.builtin(ty)
            .or_else(|| self.builtin(self.nullable_underlying(ty)?))
    }

    /// A nullable value type without its `?`; other types as they are.
    pub(crate) fn strip_nullable(&self, ty: Ty) -> Ty {
        self.nullable_underlying(ty).unwrap_or(ty)
    }

    /// The elements of a tuple type, written as such or as `ValueTuple<…>`.
    pub(crate) fn tuple_elements(&self, ty: Ty) -> Option<&[Ty]> {
        match self.kind(ty) {
            crate::ty::TyKind::Tuple { elements, .. } => Some(elements),
            crate::ty::TyKind::Named { def, args } if (2..8).contains(&args.len()) => {
                const STRUCTS: [Special; 6] = [
                    Special::ValueTuple2,
                    Special::ValueTuple3,
                    Special::ValueTuple4,
                    Special::ValueTuple5,
                    Special::ValueTuple6,
                    Special::ValueTuple7,
                ];
                let same = self.well_known(STRUCTS[args.len() - 2]) == Some(*def);
                same.then_some(args)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_widen_without_loss_of_magnitude_only() {
        assert!(Int32.widens_to(Int64) && Int32.widens_to(IntPtr) && UInt32.widens_to(Int64));
        assert!(!Int32.widens_to(UInt64) && !Int64.widens_to(IntPtr) && !UInt32.widens_to(IntPtr));
        assert!(IntPtr.widens_to(Int64) && !IntPtr.widens_to(Int32) && UIntPtr.widens_to(UInt64));
        assert!(Char.widens_to(UInt16) && !UInt16.widens_to(Char) && !Byte.widens_to(Char));
        assert!(
            Single.widens_to(Double) && !Double.widens_to(Decimal) && !Decimal.widens_to(Double)
        );
        for (builtin, _) in Builtin::ALL {
            assert!(!builtin.widens_to(builtin));
        }
    }

    #[test]
    fn every_builtin_stands_at_its_own_number() {
        for (index, (builtin, _)) in Builtin::ALL.iter().enumerate() {
            assert_eq!(*builtin as usize, index);
        }
    }
}
