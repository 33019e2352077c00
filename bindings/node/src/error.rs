//! Errors: a promise can be rejected with a text only, so the text is a record that `index.js` takes apart.

use std::any::Any;
use std::error::Error as _;

use memorax_core::Error;
use serde_json::json;

/// Turns an error of the core into one that `index.js` makes a `MemoraxError` of.
pub(crate) fn lifted(error: &Error) -> napi::Error {
    let causes = causes(error);
    record(
        error.kind().as_str(),
        &error.to_string(),
        error.hint(),
        &causes,
    )
}

/// Turns a panic into an error, so that a defect of ours does not end the user's process.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> napi::Error {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a defect in memorax-code");
    record("panic", message, None, &[])
}

fn record(code: &str, message: &str, hint: Option<&str>, causes: &[String]) -> napi::Error {
    let record = json!({ "code": code, "message": message, "hint": hint, "causes": causes });
    napi::Error::from_reason(record.to_string())
}

fn causes(error: &Error) -> Vec<String> {
    let mut texts = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        texts.push(cause.to_string());
        next = cause.source();
    }
    texts
}
