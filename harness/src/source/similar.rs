//! "Did you mean": the known name closest to a misspelled one.
//!
//! Knows words only; the caller says which names there are.
//! Rules: a hint must be a likely slip, and the same list gives the same hint.

/// The candidate closest to `name`, if one is close enough to be a slip.
///
/// Ties go to the first candidate, so that the same list always gives the same hint.
pub fn nearest<'candidate>(
    name: &str,
    candidates: impl IntoIterator<Item = &'candidate str>,
) -> Option<&'candidate str> {
    let length = name.chars().count();
    let allowed = (length / 3).clamp(1, 2);
    let folded = name.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(&folded, &candidate.to_lowercase());
        // One edit turns any one-letter name into any other: that is no slip.
        let closest = best.is_none_or(|(known, _)| distance < known);
        if distance <= allowed && distance < length && closest {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A remedy for a misspelled name: the nearest candidate, or the list of them.
pub fn did_you_mean(name: &str, candidates: &[&str]) -> String {
    match nearest(name, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => format!("use one of: {}", candidates.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        assert_eq!(nearest("porject", ["world", "project"]), Some("project"));
        assert_eq!(nearest("Steps", ["steps"]), Some("steps"));
        assert_eq!(nearest("banana", ["world", "project"]), None);
        assert_eq!(nearest("a", ["b"]), None);
    }
}
