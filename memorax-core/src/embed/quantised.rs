//! Vectors of the built-in embedder in one signed byte a number: what the index keeps of each chunk.

/// Bytes of a vector; 0 in a build without the built-in embedder, which then keeps none.
#[cfg(feature = "static")]
pub(crate) const LENGTH: usize = memorax_embed_static::DIMENSIONS;
#[cfg(not(feature = "static"))]
pub(crate) const LENGTH: usize = 0;

/// Says whether an embedder is the built-in one, whose vectors every index has.
pub(crate) fn is_built_in(id: &str) -> bool {
    #[cfg(feature = "static")]
    let built_in = id == memorax_embed_static::ID;
    #[cfg(not(feature = "static"))]
    let built_in = id.is_empty();
    built_in
}

/// Returns the vector of a text; zeros where no word of it is known.
#[cfg(feature = "static")]
pub(crate) fn vector(text: &str) -> [i8; LENGTH] {
    let exact = memorax_embed_static::embed(text);
    let greatest = exact
        .iter()
        .fold(0.0_f32, |most, value| most.max(value.abs()));
    if greatest <= 0.0 {
        return [0; LENGTH];
    }
    exact.map(|value| (value / greatest * 127.0).round() as i8)
}

/// Returns the vector of a text: none.
#[cfg(not(feature = "static"))]
pub(crate) fn vector(_text: &str) -> [i8; LENGTH] {
    []
}

/// Returns the cosine of two vectors as bytes of the index keep them; 0 where one is zero.
pub(crate) fn cosine(query: &[i8], kept: &[u8]) -> f32 {
    let (mut product, mut left, mut right) = (0_i32, 0_i32, 0_i32);
    for (one, other) in query.iter().zip(kept) {
        let (one, other) = (i32::from(*one), i32::from(other.cast_signed()));
        product += one * other;
        left += one * one;
        right += other * other;
    }
    if left == 0 || right == 0 {
        return 0.0;
    }
    product as f32 / ((left as f32).sqrt() * (right as f32).sqrt())
}

#[cfg(all(test, feature = "static"))]
mod tests {
    use super::{LENGTH, cosine, vector};

    #[test]
    fn a_byte_a_number_changes_cosines_little() {
        let texts = [
            "delete a file",
            "fn remove_path(path: &Path) -> Result<()>",
            "parse numbers of a text",
            "",
        ];
        for one in texts {
            for other in texts {
                let exact: f32 = memorax_embed_static::embed(one)
                    .iter()
                    .zip(memorax_embed_static::embed(other))
                    .map(|(left, right)| left * right)
                    .sum();
                let kept: [u8; LENGTH] = vector(other).map(i8::cast_unsigned);
                let near = cosine(&vector(one), &kept);
                assert!(
                    (near - exact).abs() < 0.02,
                    "{one} / {other}: {near} {exact}"
                );
            }
        }
    }
}
