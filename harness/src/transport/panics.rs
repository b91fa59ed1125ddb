//! Panics as values, without their noise.
//!
//! The standard hook prints every panic to stderr at once, which tears the report apart. Ours stays
//! silent for panics that are caught here and passes all others on.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// Runs `action`; a panic becomes its message and place. Whatever the action was working on may be half
/// done after that: throw it away.
pub fn quietly<Output>(action: impl FnOnce() -> Output) -> Result<Output, String> {
    HOOK.call_once(install);
    let nested = CATCHING.replace(true);
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(action));
    CATCHING.set(nested);
    outcome.map_err(|_| CAUGHT.take().unwrap_or_else(|| "a panic without a message".to_owned()))
}

fn install() {
    let standard = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |information| {
        if CATCHING.get() {
            CAUGHT.set(Some(describe(information)));
        } else {
            standard(information);
        }
    }));
}

fn describe(information: &PanicHookInfo<'_>) -> String {
    let message = information.payload_as_str().unwrap_or("a panic without a message");
    match information.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message_and_place() {
        let message = quietly(|| panic!("no {}", "luck")).unwrap_err();
        assert!(message.starts_with("no luck ("), "{message}");
        assert!(message.contains("panics.rs:"), "{message}");
    }

    #[test]
    fn without_a_panic_the_value_comes_back() {
        assert_eq!(quietly(|| 7), Ok(7));
    }
}
