//! How much each kind of evidence counts.

use super::FileFeature;

/// Weights of the kinds of evidence, and factors on whole files.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FileWeights {
    features: [f32; FileFeature::COUNT],
    /// Factor on what words say about tests, unless the query asks for tests or is a change.
    pub tests: f32,
    /// Factor on what words say about documents and examples, unless the query asks for them.
    pub documents: f32,
    /// Factor on everything about generated and vendored files.
    pub foreign: f32,
    /// Factor on what words say about files that are empty by convention, such as `__init__.py`.
    pub hollow: f32,
}

impl FileWeights {
    /// Returns the weight of a kind of evidence.
    pub fn get(&self, feature: FileFeature) -> f32 {
        self.features[feature as usize]
    }

    /// Changes the weight of a kind of evidence.
    pub fn set(&mut self, feature: FileFeature, weight: f32) {
        self.features[feature as usize] = weight;
    }

    fn of(weights: &[(FileFeature, f32)]) -> Self {
        let mut made = Self {
            features: [0.0; FileFeature::COUNT],
            tests: 0.3,
            documents: 0.5,
            foreign: 0.3,
            hollow: 1.0,
        };
        for (feature, weight) in weights {
            made.set(*feature, *weight);
        }
        made
    }

    /// Returns the weights for a change that is asked for in a few words.
    ///
    /// Learned by `memorax-bench learn-files` on the newest 400 changes of each of twelve histories (commons-io, axios,
    /// diesel, fastify, hyper, jekyll, fzf, mockito, poetry, trio, redux-toolkit, tornado), none of which is in a
    /// benchmark of this project. On each of the twelve, weights learned on the other eleven were better than
    /// [`by_hand`](Self::by_hand): mean nDCG@10 .664 against .640. What history never shows, such as a trace in a
    /// prompt, has the weight of a report.
    pub fn change() -> Self {
        use FileFeature as F;
        Self::of(&[
            (F::Code, 0.29),
            (F::Whole, 0.43),
            (F::Path, 0.11),
            (F::Symbol, 0.13),
            (F::TitleCode, 0.40),
            (F::TitlePath, 0.24),
            (F::Mention, 0.28),
            (F::Module, 0.16),
            (F::Trace, 0.30),
            (F::History, 0.25),
            (F::Decayed, 0.33),
            (F::Messages, 0.47),
            (F::CoChange, 0.17),
            (F::Recency, 0.44),
            (F::Popularity, -0.28),
            (F::Scope, 0.30),
            (F::Test, 0.04),
            (F::Document, 0.16),
        ])
    }

    /// Returns weights for a change that were set by hand on published findings, as a measure for learned ones.
    pub fn by_hand() -> Self {
        use FileFeature as F;
        Self::of(&[
            (F::Code, 1.0),
            (F::Path, 0.6),
            (F::Symbol, 0.6),
            (F::Definition, 0.3),
            (F::History, 0.5),
            (F::Decayed, 1.0),
            (F::CoChange, 0.5),
            (F::Mention, 0.6),
            (F::Recency, 0.2),
            (F::Scope, 0.3),
        ])
    }

    /// Returns the weights for a search: what is looked for is described or named. Set by hand on published findings; those
    /// of history and meaning were chosen by `memorax-bench learn-files --form search --queries 60 --only
    /// history,decayed,meaning` on the twelve histories of [`change`](Self::change): on each of them, weights chosen on
    /// the other eleven gave a mean nDCG@10 of .673, where .644 was before (1,267 searches).
    pub fn search() -> Self {
        use FileFeature as F;
        let mut weights = Self::of(&[
            (F::Code, 1.0),
            (F::Path, 0.3),
            (F::Symbol, 0.6),
            (F::Definition, 0.3),
            (F::History, 0.5),
            (F::Decayed, 0.6),
            (F::Mention, 0.6),
            (F::Module, 0.3),
            (F::Meaning, 1.0),
            (F::Scope, 0.3),
        ]);
        weights.hollow = 0.5;
        weights
    }

    /// Returns the weights for a report: a longer text about something that goes wrong. Set by hand on published findings;
    /// those of messages and meaning were chosen among a few values on the issues of this project's benchmarks. Chosen on
    /// long commit messages of other repositories (324 of eight) they were no better on those left out: mean nDCG@10 .606
    /// where these have .617.
    pub fn report() -> Self {
        use FileFeature as F;
        let mut weights = Self::of(&[
            (F::Code, 1.0),
            (F::Whole, 0.5),
            (F::Path, 0.3),
            (F::TitleCode, 0.5),
            (F::TitlePath, 0.4),
            (F::TitleDefinition, 0.3),
            (F::Symbols, 0.6),
            (F::Symbol, 0.3),
            (F::Mention, 0.6),
            (F::Module, 0.6),
            (F::Trace, 0.5),
            (F::Decayed, 0.3),
            (F::Messages, 0.4),
            (F::Meaning, 0.2),
            (F::Tested, 0.2),
            (F::Recency, 0.1),
            (F::Scope, 0.3),
        ]);
        weights.tests = 0.2;
        weights.documents = 0.4;
        weights.hollow = 0.5;
        weights
    }
}
