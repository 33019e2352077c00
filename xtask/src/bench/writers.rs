//! Processes that keep a store busy.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::thread::{self, JoinHandle};

use super::bed::Place;
use crate::command::Failure;

/// Processes that write without a pause until they are stopped.
pub(super) struct Writers(Vec<(Child, JoinHandle<usize>)>);

impl Writers {
    /// Starts writers, and waits until each has written something.
    pub(super) fn start(place: &Place, count: usize) -> Result<Self, Failure> {
        let mut writers = Self(Vec::new());
        for writer in 0..count {
            let mut command = place.harness(["write", &format!("busy{writer}")]);
            let mut child = command
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| format!("cannot run {command:?}: {error}"))?;
            let output = child.stdout.take().expect("the output was asked for above");
            let mut reader = BufReader::new(output);
            let first = reader.read_line(&mut String::new());
            let counter = thread::spawn(move || 1 + reader.lines().map_while(Result::ok).count());
            writers.0.push((child, counter));
            if !first.is_ok_and(|read| read > 0) {
                return Err(format!("{command:?} wrote nothing"));
            }
        }
        Ok(writers)
    }

    /// Ends the writers; returns how much they wrote. One that ended before is a failure.
    pub(super) fn stop(mut self) -> Result<usize, Failure> {
        let mut sum = 0;
        for (mut child, counter) in std::mem::take(&mut self.0) {
            let ended = child.try_wait().is_ok_and(|status| status.is_some());
            let _ = child.kill();
            let _ = child.wait();
            sum += counter.join().map_err(|_| "a reader panicked")?;
            if ended {
                return Err("a writer ended before it was stopped".to_owned());
            }
        }
        Ok(sum)
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        for (child, _) in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
