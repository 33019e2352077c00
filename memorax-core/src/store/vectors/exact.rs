//! One vector, in two bytes a number, and the code of one byte a number that is made of it.

use crate::store::vectors::rows::damaged;
use crate::{Error, ErrorKind, Result};

/// Version of the row.
const VERSION: u8 = 1;
/// Bytes before the numbers: version, hash of the text, place in the order, greatest number.
const HEAD: usize = 1 + HASH + 8 + 4;
/// Bytes of the hash of a text.
pub(super) const HASH: usize = 8;
/// Greatest number of two bytes, and below of one.
const MOST: f32 = 32767.0;
const MOST_OF_CODE: f32 = 127.0;

/// The beginning of the SHA-256 of a text that was embedded.
pub(crate) type TextHash = [u8; HASH];

/// A vector of length 1; all zeros where the embedder knows nothing of the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exact {
    greatest: f32,
    values: Vec<i16>,
}

impl Exact {
    /// Takes a vector of an embedder.
    ///
    /// # Errors
    /// `InvalidInput` where it has another length than the embedder says, or a number that is none.
    pub(super) fn new(vector: &[f32], dimensions: usize) -> Result<Self> {
        if vector.len() != dimensions || vector.iter().any(|value| !value.is_finite()) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "the embedder gave {} numbers in place of {dimensions} finite ones",
                    vector.len()
                ),
            ));
        }
        let vector = normalised(vector);
        let greatest = vector
            .iter()
            .fold(0.0_f32, |most, value| most.max(value.abs()));
        let values = vector.iter().map(|value| {
            if greatest > 0.0 {
                (value / greatest * MOST).round() as i16
            } else {
                0
            }
        });
        Ok(Self {
            values: values.collect(),
            greatest,
        })
    }

    /// Returns the greatest number of the vector: the scale of the code, too.
    pub(super) fn greatest(&self) -> f32 {
        self.greatest
    }

    /// Returns the vector in one byte a number.
    pub(super) fn code(&self) -> Vec<u8> {
        let short = |value: &i16| {
            let code = (f32::from(*value) / MOST * MOST_OF_CODE).round() as i8;
            code.cast_unsigned()
        };
        self.values.iter().map(short).collect()
    }

    /// Returns the vector as numbers again.
    #[cfg(feature = "hnsw")]
    pub(super) fn values(&self) -> Vec<f32> {
        let scale = self.greatest / MOST;
        self.values
            .iter()
            .map(|value| f32::from(*value) * scale)
            .collect()
    }

    /// Returns the cosine with a question's vector of length 1.
    pub(super) fn cosine(&self, question: &[f32]) -> f32 {
        let product: f32 = self
            .values
            .iter()
            .zip(question)
            .map(|(value, other)| f32::from(*value) * other)
            .sum();
        product * self.greatest / MOST
    }

    /// Writes the row of [`Table::Vector`](crate::store::Table::Vector): version, hash of the text, place in the order in
    /// which vectors were put, greatest number, and the numbers as shares of it.
    pub(super) fn encode(&self, text: TextHash, place: u64) -> Vec<u8> {
        let mut row = Vec::with_capacity(HEAD + self.values.len() * 2);
        row.push(VERSION);
        row.extend_from_slice(&text);
        row.extend_from_slice(&place.to_be_bytes());
        row.extend_from_slice(&self.greatest.to_be_bytes());
        for value in &self.values {
            row.extend_from_slice(&value.to_be_bytes());
        }
        row
    }

    /// Reads what [`encode`](Self::encode) wrote.
    pub(super) fn decode(key: &[u8], row: &[u8]) -> Result<Self> {
        label_of(key, row)?;
        let (scale, values) = row
            .get(HEAD - 4..)
            .and_then(<[u8]>::split_first_chunk::<4>)
            .ok_or_else(|| damaged(key))?;
        let (values, []) = values.as_chunks::<2>() else {
            return Err(damaged(key));
        };
        Ok(Self {
            greatest: f32::from_be_bytes(*scale),
            values: values
                .iter()
                .map(|value| i16::from_be_bytes(*value))
                .collect(),
        })
    }
}

/// What a row says beside the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// The text that was embedded.
    pub(super) text: TextHash,
    /// Place in the order in which the embedder's vectors were put.
    pub(super) place: u64,
}

/// Reads the label of a vector's row.
pub(super) fn label_of(key: &[u8], row: &[u8]) -> Result<Label> {
    let label = || {
        let (text, rest) = row.strip_prefix(&[VERSION])?.split_first_chunk()?;
        let (place, _) = rest.split_first_chunk()?;
        Some(Label {
            text: *text,
            place: u64::from_be_bytes(*place),
        })
    };
    label().ok_or_else(|| damaged(key))
}

/// Returns a vector with the length 1; zeros stay zeros.
pub(super) fn normalised(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let factor = if length > 0.0 && length.is_finite() {
        length.recip()
    } else {
        0.0
    };
    vector.iter().map(|value| value * factor).collect()
}

#[cfg(test)]
mod tests {
    use super::{Exact, label_of, normalised};

    #[test]
    fn two_bytes_a_number_change_a_cosine_by_less_than_a_ten_thousandth() {
        let vector: Vec<f32> = (0_u8..96).map(|at| (f32::from(at) * 0.7).sin()).collect();
        let question: Vec<f32> = (0_u8..96).map(|at| (f32::from(at) * 0.71).cos()).collect();
        let (one, other) = (normalised(&vector), normalised(&question));
        let exact: f32 = one.iter().zip(&other).map(|(x, y)| x * y).sum();
        let kept = Exact::new(&vector, 96).expect("the numbers are finite");
        assert!((kept.cosine(&other) - exact).abs() < 1e-4);
        let row = kept.encode([7; 8], 9);
        let read = Exact::decode(b"key", &row).expect("it was just written");
        let label = label_of(b"key", &row).expect("it was just written");
        assert_eq!((read, label.text, label.place), (kept, [7; 8], 9));
        Exact::decode(b"key", &row[..20]).expect_err("the row is cut in a number");
        Exact::new(&[f32::NAN], 1).expect_err("not a number");
        Exact::new(&[1.0], 2).expect_err("too short");
    }
}
