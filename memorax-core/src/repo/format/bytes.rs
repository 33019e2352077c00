//! Integers and strings in byte buffers: little endian, or seven bits a byte.

/// Appends an integer, seven bits a byte, lowest first.
pub(in crate::repo) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8 & 0x7f) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a string after its length.
pub(in crate::repo) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends 32 bits.
pub(in crate::repo) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends 64 bits.
pub(in crate::repo) fn put_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Reads 32 bits at a position; 0 past the end, which checked pages make impossible.
pub(in crate::repo) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..at + 4)
        .and_then(|part| part.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

/// Reads 64 bits at a position; 0 past the end.
pub(in crate::repo) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..at + 8)
        .and_then(|part| part.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

/// Reads a buffer from its front; `None` means that it ends too early.
#[derive(Clone, Debug)]
pub(in crate::repo) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(in crate::repo) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(in crate::repo) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(in crate::repo) fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(in crate::repo) fn number(&mut self) -> Option<u32> {
        u32::try_from(self.varint()?).ok()
    }

    pub(in crate::repo) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (part, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(part)
    }

    pub(in crate::repo) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        self.take(length)
    }

    pub(in crate::repo) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, put_bytes, put_varint};

    #[test]
    fn numbers_and_texts_survive_and_a_cut_is_noticed() {
        let mut bytes = Vec::new();
        for value in [0, 127, 128, 300, u64::MAX] {
            put_varint(&mut bytes, value);
        }
        put_bytes(&mut bytes, "é".as_bytes());
        let mut reader = Reader::new(&bytes);
        for value in [0, 127, 128, 300, u64::MAX] {
            assert_eq!(reader.varint(), Some(value));
        }
        assert_eq!(reader.text(), Some("é"));
        let mut cut = Reader::new(&bytes[..bytes.len() - 1]);
        for _ in 0..5 {
            cut.varint();
        }
        assert_eq!(cut.text(), None, "a text that ends too early is no text");
    }
}
