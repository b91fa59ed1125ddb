//! Numbers of things in texts: `1 scenario`, `2 scenarios`.
//!
//! Knows words only; what is counted is the callers' business.
//! Rules: one of a kind is never written as several.

/// How many of these there are; `one` is the word for one of them, which takes an `s` for several.
pub fn counted(count: usize, one: &str) -> String {
    let several = if count == 1 { "" } else { "s" };
    format!("{count} {one}{several}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_none_are_several() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "trace")), ["0 traces", "1 trace", "2 traces"]);
    }
}
