/// Requests to one endpoint at the same time: the first and the maximum number.
const FIRST_WIDTH: u32 = 2;
const MAX_WIDTH: u32 = 32;

/// The requests to one endpoint.
#[derive(Debug)]
pub(super) struct Lane {
    in_flight: u32,
    width: u32,
}

impl Default for Lane {
    fn default() -> Self {
        Self { in_flight: 0, width: FIRST_WIDTH }
    }
}

impl Lane {
    /// How many more may be sent.
    pub(super) fn free(&self) -> u32 {
        self.width.saturating_sub(self.in_flight)
    }

    pub(super) fn start(&mut self) {
        self.in_flight += 1;
    }

    pub(super) fn finish(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// After a success.
    pub(super) fn widen(&mut self) {
        self.width = MAX_WIDTH.min(self.width + 1);
    }

    /// After a failure.
    pub(super) fn narrow(&mut self) {
        self.width = 1;
    }
}
