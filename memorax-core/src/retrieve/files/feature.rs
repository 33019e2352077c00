//! The kinds of evidence that speak for a file.

use crate::Source;
use crate::types::named;

named! {
    /// A kind of evidence that a text is about a file. Each is divided by its greatest value before it is weighed.
    pub enum FileFeature ("kind of evidence about files") {
        /// Words of the text, in the file's three best chunks (BM25).
        Code = "code",
        /// Words of the text, in the whole file (BM25).
        Whole = "whole",
        /// Words of the path (BM25).
        Path = "path",
        /// Words of the name of one of its definitions.
        Definition = "definition",
        /// It defines a name of the text: 1 for a type, 1/2 for another.
        Symbol = "symbol",
        /// It defines several names of the text, rare ones counting more.
        Symbols = "symbols",
        /// [`Code`](Self::Code), of the first line and of what stands in back quotes.
        TitleCode = "title-code",
        /// [`Path`](Self::Path), of the first line and of what stands in back quotes.
        TitlePath = "title-path",
        /// [`Definition`](Self::Definition), of the first line and of what stands in back quotes.
        TitleDefinition = "title-definition",
        /// The text names its path, its name or its stem.
        Mention = "mention",
        /// The text names its module with dots or colons.
        Module = "module",
        /// It stands in a stack trace.
        Trace = "trace",
        /// Commits with such messages changed it.
        History = "history",
        /// [`History`](Self::History), older commits counting less.
        Decayed = "decayed",
        /// Words of the messages of all commits that changed it (BM25 over files).
        Messages = "messages",
        /// Its nearest chunk means the like (vectors); from -1/2 to 1, 0 being the mean of the files that other evidence
        /// speaks for.
        Meaning = "meaning",
        /// It often changes together with the best files.
        CoChange = "cochange",
        /// The best files import it, or it imports them, directly or through others (PageRank from the best files).
        Linked = "linked",
        /// Many files import it.
        Central = "central",
        /// A test of its name fits.
        Tested = "tested",
        /// It changed lately.
        Recency = "recency",
        /// It changed often.
        Popularity = "popularity",
        /// It lies where the work is.
        Scope = "scope",
        /// It is a test.
        Test = "test",
        /// It is a document or an example.
        Document = "document",
    }
}

impl FileFeature {
    /// Number of the kinds.
    pub(super) const COUNT: usize = Self::ALL.len();

    /// Whether the evidence alone is a reason to name a file.
    pub(super) fn is_reason(self) -> bool {
        !matches!(
            self,
            Self::Recency
                | Self::Popularity
                | Self::Central
                | Self::Test
                | Self::Document
                | Self::Meaning
        )
    }

    /// The source under which people see it.
    pub(super) fn source(self) -> Source {
        match self {
            Self::Code
            | Self::Whole
            | Self::TitleCode
            | Self::Definition
            | Self::TitleDefinition => Source::Code,
            Self::Path | Self::TitlePath | Self::Test | Self::Document => Source::Path,
            Self::Symbol | Self::Symbols | Self::Mention | Self::Module | Self::Trace => {
                Source::Entity
            }
            Self::History | Self::Decayed | Self::Messages => Source::History,
            Self::CoChange | Self::Tested | Self::Linked | Self::Central => Source::CoChange,
            Self::Recency | Self::Popularity => Source::Recency,
            Self::Scope => Source::Scope,
            Self::Meaning => Source::Meaning,
        }
    }
}
