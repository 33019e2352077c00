//! Weights that a person tries beside the shipped ones.

use memorax_core::retrieve::{FileFeature, FileWeights, Weighted};
use memorax_core::{Error, ErrorKind, Result};

/// Reads weights such as `code=2,path=0`; what is not named stays as shipped. A weight holds for every form of a query,
/// or for one of them where it says so: `search.history=0`.
pub(crate) fn weighted(changes: &str) -> Result<Weighted> {
    let mut weighted = Weighted::default();
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let parsed = change.split_once('=').and_then(|(name, value)| {
            let value = value.trim().parse::<f32>().ok()?;
            let (form, name) = name.trim().split_once('.').unwrap_or(("", name.trim()));
            let forms: Vec<&mut FileWeights> = match form {
                "" => vec![
                    &mut weighted.change,
                    &mut weighted.search,
                    &mut weighted.report,
                ],
                "change" => vec![&mut weighted.change],
                "search" => vec![&mut weighted.search],
                "report" => vec![&mut weighted.report],
                _ => return None,
            };
            forms
                .into_iter()
                .try_for_each(|weights| set(weights, name, value))
        });
        if parsed.is_none() {
            let kinds: Vec<&str> = FileFeature::ALL.iter().map(|kind| kind.as_str()).collect();
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("`{change}` is not a weight of evidence about files, such as `code=2`"),
            )
            .with_hint(format!(
                "known: {}, tests, documents, foreign, hollow; with `change.`, `search.` or `report.` before \
                 it for one form of queries",
                kinds.join(", ")
            )));
        }
    }
    Ok(weighted)
}

fn set(weights: &mut FileWeights, name: &str, value: f32) -> Option<()> {
    match name {
        "tests" => weights.tests = value,
        "documents" => weights.documents = value,
        "foreign" => weights.foreign = value,
        "hollow" => weights.hollow = value,
        name => weights.set(name.parse().ok()?, value),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::weighted;
    use memorax_core::retrieve::{FileFeature as F, Weighted};

    #[test]
    fn weights_hold_for_all_forms_or_for_one() {
        let weighted = weighted("code=2,search.history=0.25,report.tests=1").expect("weights");
        assert!((weighted.change.get(F::Code) - 2.0).abs() < 1e-6);
        assert!((weighted.search.get(F::History) - 0.25).abs() < 1e-6);
        let shipped = Weighted::default();
        assert!((weighted.change.get(F::History) - shipped.change.get(F::History)).abs() < 1e-6);
        assert!((weighted.report.tests - 1.0).abs() < 1e-6);
        assert!(super::weighted("search.odd=1").is_err());
    }
}
