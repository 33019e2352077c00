//! Progress of long work: one line on the error stream, on a terminal only.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use memorax_core::repo::Progress;

/// A line that shows the current step and is gone when the work is done.
pub(crate) struct ProgressLine {
    bar: Option<ProgressBar>,
    stage: Mutex<&'static str>,
}

impl ProgressLine {
    /// Starts a line; where it is not `shown`, nothing is ever drawn.
    pub(crate) fn new(shown: bool) -> Self {
        let bar = shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Self {
            bar,
            stage: Mutex::new(""),
        }
    }

    /// Shows a step.
    pub(crate) fn show(&self, step: Progress) {
        let Some(bar) = &self.bar else { return };
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if *stage != step.stage {
            *stage = step.stage;
            bar.set_style(style(step.total.is_some()));
            bar.set_message(step.stage);
        }
        match step.total {
            Some(total) => bar.set_length(total),
            None => bar.unset_length(),
        }
        bar.set_position(step.done);
    }

    /// Removes the line.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(total: bool) -> ProgressStyle {
    let template = if total {
        "{spinner} {msg:<24} {bar:30} {human_pos}/{human_len}"
    } else {
        "{spinner} {msg:<24} {human_pos}"
    };
    ProgressStyle::with_template(template)
        .expect("the templates above are valid")
        .progress_chars("━╸─")
}

impl fmt::Debug for ProgressLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ProgressLine")
            .field("shown", &self.bar.is_some())
            .finish_non_exhaustive()
    }
}
