/// Where a report is in the list: newest publication first, then by id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// In milliseconds since 1970.
    pub published_at: i64,
    pub id: String,
}
