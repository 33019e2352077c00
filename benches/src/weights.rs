//! Weights that a person tries beside the shipped ones.

use memorax_core::retrieve::{FileWeights, Weighted};
use memorax_core::{Error, ErrorKind, Result};

/// Reads weights such as `code=2,path=0`; what is not named stays as shipped.
pub(crate) fn weighted(changes: &str) -> Result<Weighted> {
    let mut weighted = Weighted::default();
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let parsed = change.split_once('=').and_then(|(name, value)| {
            Some((
                weight(&mut weighted.files, name.trim())?,
                value.trim().parse::<f32>().ok()?,
            ))
        });
        let Some((slot, value)) = parsed else {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("`{change}` is not a weight of a source of files, such as `code=2`"),
            ));
        };
        *slot = value;
    }
    Ok(weighted)
}

fn weight<'a>(weights: &'a mut FileWeights, name: &str) -> Option<&'a mut f32> {
    Some(match name {
        "code" => &mut weights.code,
        "path" => &mut weights.path,
        "symbol" => &mut weights.symbol,
        "definition" => &mut weights.definition,
        "history" => &mut weights.history,
        "decayed" => &mut weights.decayed,
        "cochange" => &mut weights.cochange,
        "mention" => &mut weights.mention,
        "recency" => &mut weights.recency,
        "tests" => &mut weights.tests,
        "documents" => &mut weights.documents,
        "foreign" => &mut weights.foreign,
        _ => return None,
    })
}
