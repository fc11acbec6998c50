//! Distribution of the capacity for concurrent requests.

/// Maximum number of concurrent requests to endpoints that respond well.
const HEALTHY_SLOTS: usize = 768;
/// Maximum number of concurrent requests to all other endpoints, a quarter of the whole: those that hang, fail, or
/// are new.
const DEGRADED_SLOTS: usize = 256;
/// Maximum number of concurrent requests in all. Requests to endpoints that have begun to hang cannot be cancelled.
/// Until they end, endpoints that respond well still have their room, up to this limit.
const MAX_SLOTS: usize = 2 * (HEALTHY_SLOTS + DEGRADED_SLOTS);

/// Capacity for further requests.
#[derive(Debug)]
pub(super) struct Capacity {
    well: Room,
    doubtful: Room,
}

#[derive(Debug)]
struct Room {
    left: usize,
    /// Number of endpoints that share the room.
    endpoints: usize,
}

/// Current load of an endpoint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub is_doubtful: bool,
    pub in_flight: usize,
    /// Whether there is more to send to it.
    pub is_hungry: bool,
}

impl Capacity {
    pub(super) fn new(loads: impl Iterator<Item = Load>) -> Self {
        let room = |left| Room { left, endpoints: 0 };
        let mut capacity = Self { well: room(HEALTHY_SLOTS), doubtful: room(DEGRADED_SLOTS) };
        let mut free = MAX_SLOTS;
        for Load { is_doubtful, in_flight, is_hungry } in loads {
            let room = capacity.room(is_doubtful);
            room.left = room.left.saturating_sub(in_flight);
            room.endpoints += usize::from(is_hungry);
            free = free.saturating_sub(in_flight);
        }
        for room in [&mut capacity.well, &mut capacity.doubtful] {
            room.left = room.left.min(free);
        }
        capacity
    }

    /// Number of requests that the next hungry endpoint may be sent, at most `wanted`.
    pub(super) fn share(&mut self, is_doubtful: bool, wanted: usize) -> usize {
        let room = self.room(is_doubtful);
        let share = room.left.div_ceil(room.endpoints.max(1)).min(wanted);
        room.endpoints = room.endpoints.saturating_sub(1);
        room.left -= share;
        share
    }

    /// Returns capacity that was not used.
    pub(super) fn give_back(&mut self, is_doubtful: bool, unused: usize) {
        self.room(is_doubtful).left += unused;
    }

    fn room(&mut self, is_doubtful: bool) -> &mut Room {
        if is_doubtful { &mut self.doubtful } else { &mut self.well }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(is_doubtful: bool, in_flight: usize) -> Load {
        Load { is_doubtful, in_flight, is_hungry: true }
    }

    #[test]
    fn doubtful_endpoints_get_a_quarter_however_many_there_are() {
        let mut capacity = Capacity::new((0..1_000).map(|_| load(true, 0)).chain([load(false, 0)]));
        let doubtful: usize = (0..1_000).map(|_| capacity.share(true, 64)).sum();
        assert_eq!((doubtful, capacity.share(false, 64)), (DEGRADED_SLOTS, 64));
    }

    #[test]
    fn room_is_shared_evenly_and_what_some_do_not_want_is_for_the_others() {
        let mut capacity = Capacity::new((0..16).map(|_| load(false, 0)));
        let shares: Vec<usize> = (0..16).map(|number| capacity.share(false, number * 8)).collect();
        assert_eq!(shares.iter().sum::<usize>(), HEALTHY_SLOTS);
        assert!(shares[8..].iter().all(|share| (64..=69).contains(share)), "{shares:?}");
    }

    #[test]
    fn endpoints_that_have_begun_to_hang_leave_the_others_their_room() {
        let hanging = (0..16).map(|_| load(true, 64));
        let mut capacity = Capacity::new(hanging.chain([load(false, 0)]));
        assert_eq!((capacity.share(true, 1), capacity.share(false, 64)), (0, 64));
    }

    #[test]
    fn there_is_an_end_to_all_requests_together() {
        let mut capacity = Capacity::new((0..32).map(|_| load(true, 64)).chain([load(false, 0)]));
        assert_eq!(capacity.share(false, 64), 0);
    }
}
