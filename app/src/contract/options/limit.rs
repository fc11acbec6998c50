/// `limit=`: maximum number of reports in the feed. Values other than an integer from 1 to
/// [`Limit::MAX`] are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit(u32);

impl Limit {
    pub const MAX: u32 = 100;
    pub const DEFAULT: Self = Self(20);

    pub(super) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().filter(|rows| (1..=Self::MAX).contains(rows)).map(Self)
    }

    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::DEFAULT
    }
}
