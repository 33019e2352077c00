//! Weights that a person tries beside the shipped ones.

use memorax_core::retrieve::{FileFeature, FileWeights, Weighted};
use memorax_core::{Error, ErrorKind, Result};

/// Takes all that history says away.
pub(crate) const WITHOUT_HISTORY: &str =
    "history=0,decayed=0,messages=0,cochange=0,recency=0,popularity=0";
/// Takes all that the text and the names of files say away.
pub(crate) const WITHOUT_CODE: &str = "code=0,whole=0,path=0,symbol=0,symbols=0,definition=0,title-code=0,title-path=0,\
     title-definition=0,mention=0,module=0,trace=0,tested=0,meaning=0";
/// Takes what vectors say away.
pub(crate) const WITHOUT_VECTORS: &str = "meaning=0";
/// Takes what paths and names of files say away.
pub(crate) const WITHOUT_PATHS: &str = "path=0,title-path=0,mention=0,module=0,trace=0";

/// A part that can be taken away, to see what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    History,
    Code,
    Vectors,
    Paths,
}

/// Returns the shipped weights without some parts.
pub(crate) fn without(parts: &[Part]) -> Result<Weighted> {
    let changes: Vec<&str> = parts
        .iter()
        .map(|part| match part {
            Part::History => WITHOUT_HISTORY,
            Part::Code => WITHOUT_CODE,
            Part::Vectors => WITHOUT_VECTORS,
            Part::Paths => WITHOUT_PATHS,
        })
        .collect();
    weighted(&changes.join(","))
}

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

    #[test]
    fn a_part_that_is_taken_away_counts_nothing() {
        let rest = super::without(&[super::Part::History, super::Part::Vectors]).expect("weights");
        for weights in [&rest.change, &rest.search, &rest.report] {
            for gone in [F::History, F::Decayed, F::Messages, F::Recency, F::Meaning] {
                assert!(weights.get(gone).abs() < 1e-6, "{gone}");
            }
            assert!(weights.get(F::Code) > 0.0);
        }
    }
}
