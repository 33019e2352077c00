//! The table: which pieces of words have a vector, and the vectors.

/// Numbers in a vector.
pub(crate) const DIMENSIONS: usize = 256;

const MAGIC: &[u8; 4] = b"MXS2";
const HEADER: usize = 16;

/// Bytes of a table file: a header, the vocabulary's offsets, its letters, a scale and a row of bytes for each piece.
///
/// Pieces that begin a word come first, then those that go on with one; both are sorted, so that nothing needs to be
/// built before the first look-up.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    /// How many pieces begin a word.
    beginnings: usize,
    rows: usize,
    offsets: &'a [u8],
    letters: &'a [u8],
    scales: &'a [u8],
    values: &'a [u8],
}

/// Where in a word a piece stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Beginning,
    Later,
}

impl<'a> Table<'a> {
    /// Takes a table apart; nothing where the bytes are none.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let (header, rest) = bytes.split_at_checked(HEADER)?;
        let rows = number(header, 2)?;
        let beginnings = number(header, 1)?;
        let (offsets, rest) = rest.split_at_checked((rows + 1) * 4)?;
        let (letters, rest) = rest.split_at_checked(number(offsets, rows)?)?;
        let (scales, values) = rest.split_at_checked(rows * 4)?;
        let whole = header.starts_with(MAGIC)
            && number(header, 3)? == DIMENSIONS
            && beginnings <= rows
            && values.len() == rows * DIMENSIONS;
        whole.then_some(Self {
            beginnings,
            rows,
            offsets,
            letters,
            scales,
            values,
        })
    }

    /// Finds the row of a piece.
    pub(crate) fn row_of(&self, piece: &str, place: Place) -> Option<usize> {
        let (mut low, mut high) = match place {
            Place::Beginning => (0, self.beginnings),
            Place::Later => (self.beginnings, self.rows),
        };
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.piece(middle)?.cmp(piece.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// Adds a row to a sum of rows.
    pub(crate) fn add(&self, row: usize, times: f32, sum: &mut [f32; DIMENSIONS]) {
        let Some(scale) = self
            .scales
            .get(row * 4..)
            .and_then(|rest| rest.first_chunk())
        else {
            return;
        };
        let scale = f32::from_le_bytes(*scale) * times;
        let values = &self.values[row * DIMENSIONS..(row + 1) * DIMENSIONS];
        for (total, value) in sum.iter_mut().zip(values) {
            *total += scale * f32::from(value.cast_signed());
        }
    }

    fn piece(&self, row: usize) -> Option<&'a [u8]> {
        self.letters
            .get(number(self.offsets, row)?..number(self.offsets, row + 1)?)
    }
}

/// Reads the number at a place of a list of little-endian numbers.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at * 4..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortened_table_is_none() {
        let whole = crate::TABLE;
        assert!(Table::new(whole).is_some());
        for length in [0, 3, HEADER, HEADER + 9, whole.len() / 2, whole.len() - 1] {
            assert!(Table::new(&whole[..length]).is_none(), "{length} bytes");
        }
    }
}
