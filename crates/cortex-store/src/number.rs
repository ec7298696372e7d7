//! Numbers of any size in few bytes: LEB128.

/// Appends a number as LEB128.
pub(crate) fn put_number(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Takes a number as LEB128; `None` unless it is whole and in its shortest form.
pub(crate) fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, left) = rest.split_first()?;
        *rest = left;
        if shift == 63 && byte > 1 {
            return None;
        }
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return if byte == 0 && shift > 0 {
                None
            } else {
                Some(number)
            };
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_have_one_form() {
        for number in [0, 1, 127, 128, 300, 1 << 32, u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            let mut rest = bytes.as_slice();
            assert_eq!(take_number(&mut rest), Some(number));
            assert!(rest.is_empty());
            let mut cut = &bytes[..bytes.len() - 1];
            assert_eq!(take_number(&mut cut), None);
        }
        for refused in [&[0x80, 0][..], &[0xff; 10], &[0xff; 30]] {
            assert_eq!(take_number(&mut &*refused), None);
        }
    }
}
