use std::collections::HashMap;

use roaring::RoaringBitmap;
use sqlx::SqliteConnection;

use crate::store::{
    error::Result,
    reports::{
        calendar::{self, Dates},
        postings::{self, Range},
    },
};

/// What narrows a list.
pub(in crate::store::reports) enum Condition {
    /// In one of the ranges at least.
    Within(Vec<Range>),
    Dated(Dates),
    /// Dated at any other time. Not the first condition.
    NotDated(Dates),
}

impl Condition {
    /// The slots of each of `segments` that are within or dated so, for those where there are any.
    pub(super) async fn find(
        &self,
        tx: &mut SqliteConnection,
        segments: &[i64],
    ) -> Result<HashMap<i64, RoaringBitmap>> {
        match self {
            Self::Within(ranges) => postings::union(tx, segments, ranges).await,
            Self::Dated(Dates { whole, days }) | Self::NotDated(Dates { whole, days }) => {
                let mut found = postings::union(tx, segments, whole).await?;
                for days in days {
                    calendar::find(tx, segments, days, &mut found).await?;
                }
                Ok(found)
            }
        }
    }

    /// What of `matching` this leaves, given what [`Self::find`] found.
    pub(super) fn narrow(
        &self,
        mut matching: HashMap<i64, RoaringBitmap>,
        mut found: HashMap<i64, RoaringBitmap>,
    ) -> HashMap<i64, RoaringBitmap> {
        for (segment, slots) in &mut matching {
            let found = found.remove(segment).unwrap_or_default();
            match self {
                Self::NotDated(_) => *slots -= found,
                Self::Within(_) | Self::Dated(_) => *slots &= found,
            }
        }
        matching
    }
}
