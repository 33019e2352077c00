//! Progress of long work: one line on the error stream, on a terminal only.

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use memorax_core::repo::Progress;

use crate::render::number;

/// Drawing more often costs time and shows nothing more.
const DRAWS_A_SECOND: u8 = 10;
/// How often the line moves while a step tells nothing.
const TICK: Duration = Duration::from_millis(120);
/// Columns of a full bar.
const BAR: u64 = 24;

/// A line that shows the current step and is gone when the work is done.
pub(crate) struct ProgressLine {
    bar: Option<ProgressBar>,
    moving: OnceLock<()>,
}

impl ProgressLine {
    /// Starts a line; where it is not `shown`, nothing is ever drawn.
    pub(crate) fn new(shown: bool) -> Self {
        let bar = shown.then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(DRAWS_A_SECOND);
            let style =
                ProgressStyle::with_template("{spinner} {msg}").expect("the template is valid");
            ProgressBar::with_draw_target(None, target).with_style(style)
        });
        Self {
            bar,
            moving: OnceLock::new(),
        }
    }

    /// Shows a step.
    pub(crate) fn show(&self, step: Progress) {
        let Some(bar) = &self.bar else { return };
        bar.set_message(words(step));
        // Not earlier: a line without words would show.
        self.moving.get_or_init(|| bar.enable_steady_tick(TICK));
    }

    /// Removes the line.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Says what is being done, and how far it is as far as that is known.
fn words(step: Progress) -> String {
    let Progress {
        stage, done, total, ..
    } = step;
    match total {
        Some(total) if total > 0 => {
            let full = done.min(total) * BAR / total;
            let bar: String = (0..BAR)
                .map(|column| if column < full { '━' } else { '─' })
                .collect();
            format!("{stage:<20} {bar} {} of {}", number(done), number(total))
        }
        _ if done > 0 => format!("{stage:<20} {}", number(done)),
        _ => stage.to_owned(),
    }
}

impl fmt::Debug for ProgressLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ProgressLine")
            .field("shown", &self.bar.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_tells_what_is_known() {
        let line = |done, total| words(Progress::new("reading files", done, total));
        assert_eq!(line(0, None), "reading files");
        assert_eq!(line(1200, None), "reading files        1,200");
        assert_eq!(line(0, Some(0)), "reading files");
        assert_eq!(
            line(1, Some(2)),
            "reading files        ━━━━━━━━━━━━──────────── 1 of 2"
        );
        assert!(
            line(9, Some(3)).ends_with("━ 9 of 3"),
            "more than was said is no panic"
        );
    }
}
