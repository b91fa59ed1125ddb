//! A share of the scenarios, so that several machines can each run one.
//!
//! Knows numbers only. The shares of one count are disjoint and together complete, whatever is shared.
//! Rules: every n-th in the order of the scenarios, so that each share has something of each chapter.

/// One share of so many: `2/5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// A text that names no share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no share, write `1/3` for the first of three")]
pub struct ShardError(String);

impl Shard {
    /// Which one, from 1.
    pub const fn index(self) -> usize {
        self.index
    }

    /// Of how many.
    pub const fn count(self) -> usize {
        self.count
    }

    /// What of these belongs to this share.
    pub fn of<Item>(self, items: Vec<Item>) -> Vec<Item> {
        items.into_iter().skip(self.index - 1).step_by(self.count).collect()
    }
}

impl std::str::FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let error = || ShardError(text.to_owned());
        let (index, count) = text.split_once('/').ok_or_else(error)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| error());
        let (index, count) = (number(index)?, number(count)?);
        if index == 0 || index > count { Err(error()) } else { Ok(Self { index, count }) }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_are_disjoint_complete_and_even(items in 0_usize..200, count in 1_usize..12) {
            let all: Vec<usize> = (0..items).collect();
            let shares: Vec<Vec<usize>> =
                (1..=count).map(|index| Shard { index, count }.of(all.clone())).collect();
            let mut together: Vec<usize> = shares.concat();
            prop_assert!(shares.iter().all(|share| share.is_sorted()));
            together.sort_unstable();
            prop_assert_eq!(together, all);
            let sizes = || shares.iter().map(Vec::len);
            prop_assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
        }
    }

    #[test]
    fn a_share_is_written_as_a_fraction() {
        assert_eq!("2/5".parse::<Shard>().unwrap().to_string(), "2/5");
        for text in ["0/3", "4/3", "1", "1/", "/2", "a/b", "-1/2", "1/0"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
