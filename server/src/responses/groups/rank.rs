//! Order of groups, and positions in it.

use std::cmp::Reverse;

use crate::sealed::{seal, unseal};

/// Parts that reports are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grouping {
    Country,
    Region,
    City,
    Type,
    Day,
}

impl Grouping {
    pub const ALL: [Self; 5] = [Self::Country, Self::Region, Self::City, Self::Type, Self::Day];
    pub const NAMES: [&str; 5] = ["country", "region", "city", "type", "day"];

    /// Returns the grouping with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().zip(Self::ALL).find(|(known, _)| **known == name).map(|(_, by)| by)
    }
}

/// Order of groups: by a number, the largest first, or by name or key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    #[default]
    Total,
    Spirit,
    Water,
    Both,
    Name,
    Key,
}

impl Sort {
    pub const ALL: [Self; 6] =
        [Self::Total, Self::Spirit, Self::Water, Self::Both, Self::Name, Self::Key];
    pub const NAMES: [&str; 6] = ["total", "spirit", "water", "both", "name", "key"];

    /// Returns the order with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().zip(Self::ALL).find(|(known, _)| **known == name).map(|(_, by)| by)
    }

    /// Returns the number that groups with these counts by type are sorted by.
    pub(super) fn number(self, counts: [u64; 3]) -> u64 {
        let [spirit, water, both] = counts;
        match self {
            Self::Total => spirit + water + both,
            Self::Spirit => spirit,
            Self::Water => water,
            Self::Both => both,
            Self::Name | Self::Key => 0,
        }
    }
}

/// Position of a group in a sorted list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupRank {
    /// The number that groups are sorted by; 0 if they are sorted by a text.
    pub(super) number: Reverse<u64>,
    /// The start of the text that groups are sorted by; empty if they are sorted by a number.
    pub(super) text: String,
    /// Distinguishes groups that are otherwise equal.
    pub(super) tie: u64,
}

impl GroupRank {
    /// Encodes the position, for a list of this kind only.
    pub(super) fn encode(&self, by: Grouping, sort: Sort) -> String {
        let Self { number: Reverse(number), text, tie } = self;
        let mut bytes = vec![by as u8, sort as u8];
        bytes.extend_from_slice(&number.to_be_bytes());
        bytes.extend_from_slice(&tie.to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
        seal(bytes)
    }

    /// Decodes a position; `None` if it is not from a list of this kind.
    pub fn decode(page: &str, by: Grouping, sort: Sort) -> Option<Self> {
        let bytes = unseal(page)?;
        let rest = bytes.strip_prefix(&[by as u8, sort as u8])?;
        let (number, rest) = rest.split_first_chunk()?;
        let (tie, text) = rest.split_first_chunk()?;
        Some(Self {
            number: Reverse(u64::from_be_bytes(*number)),
            text: std::str::from_utf8(text).ok()?.to_owned(),
            tie: u64::from_be_bytes(*tie),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written_and_only_by_lists_of_its_kind() {
        for (number, text, tie) in [(0, "são paulo", 7), (u64::MAX, "", u64::MAX)] {
            let rank = GroupRank { number: Reverse(number), text: text.to_owned(), tie };
            let page = rank.encode(Grouping::City, Sort::Name);
            assert_eq!(GroupRank::decode(&page, Grouping::City, Sort::Name), Some(rank));
            assert_eq!(GroupRank::decode(&page, Grouping::City, Sort::Key), None);
            assert_eq!(GroupRank::decode(&page, Grouping::Region, Sort::Name), None);
            assert_eq!(GroupRank::decode(&page[1..], Grouping::City, Sort::Name), None);
        }
        assert_eq!(GroupRank::decode("", Grouping::City, Sort::Name), None);
        assert_eq!(GroupRank::decode(&seal(vec![2, 4, 1]), Grouping::City, Sort::Name), None);
    }
}
