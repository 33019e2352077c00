//! Names of branches as they may be written down: people put secrets into names, too.

use std::fmt;
use std::sync::Arc;

use super::Checkout;

/// How a placeholder of a secret begins.
const PLACEHOLDER: &str = "[secret:";

/// Takes secrets out of names.
#[derive(Clone)]
pub(super) struct Hide(Arc<dyn Fn(&str) -> String + Send + Sync>);

impl fmt::Debug for Hide {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Hide").finish_non_exhaustive()
    }
}

impl Checkout {
    /// Takes secrets out of all names of branches that the checkout gives back. Those names are also understood where
    /// a branch is asked for.
    #[must_use]
    pub fn hide_secrets(mut self, hide: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.head.reference = self.head.reference.map(|name| hide(&name));
        self.hide = Some(Hide(Arc::new(hide)));
        self
    }

    /// Returns a name or a message as it may be written down.
    pub(super) fn shown(&self, text: String) -> String {
        match &self.hide {
            Some(hide) => (hide.0)(&text),
            None => text,
        }
    }

    /// Returns the name by which git knows a branch.
    pub(super) fn real(&self, shown: &str) -> String {
        let found = match &self.hide {
            Some(hide) if shown.contains(PLACEHOLDER) => self
                .repository()
                .and_then(|repository| repository.references().ok())
                .and_then(|references| {
                    let mut all = references.all().ok()?.filter_map(Result::ok);
                    all.find_map(|reference| {
                        let name = reference.name().as_bstr().to_string();
                        ((hide.0)(&name) == shown).then_some(name)
                    })
                }),
            _ => None,
        };
        found.unwrap_or_else(|| shown.to_owned())
    }
}
