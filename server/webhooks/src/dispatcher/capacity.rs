//! How the capacity for requests is divided.

/// Requests at the same time to endpoints that respond well.
const WELL: usize = 768;
/// The same to all others, a quarter of the whole: those that hang, fail, or have not shown anything yet.
const DOUBTFUL: usize = 256;
/// All together. Requests to endpoints that have begun to hang cannot be taken back; until they end, those
/// that respond well have their room all the same, up to this.
const MOST: usize = 2 * (WELL + DOUBTFUL);

/// Room for requests that may still be sent.
#[derive(Debug)]
pub(super) struct Capacity {
    well: Room,
    doubtful: Room,
}

#[derive(Debug)]
struct Room {
    left: usize,
    /// Endpoints that it has to be divided among.
    endpoints: usize,
}

/// What an endpoint does at present.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub is_doubtful: bool,
    pub in_flight: usize,
    /// Whether it could be sent more.
    pub is_hungry: bool,
}

impl Capacity {
    pub(super) fn new(loads: impl Iterator<Item = Load>) -> Self {
        let room = |left| Room { left, endpoints: 0 };
        let mut capacity = Self { well: room(WELL), doubtful: room(DOUBTFUL) };
        let mut free = MOST;
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

    /// How many requests the next hungry endpoint may be sent, of those that it wants.
    pub(super) fn share(&mut self, is_doubtful: bool, wanted: usize) -> usize {
        let room = self.room(is_doubtful);
        let share = room.left.div_ceil(room.endpoints.max(1)).min(wanted);
        room.endpoints = room.endpoints.saturating_sub(1);
        room.left -= share;
        share
    }

    /// Gives back what was not used.
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
        assert_eq!((doubtful, capacity.share(false, 64)), (DOUBTFUL, 64));
    }

    #[test]
    fn room_is_shared_evenly_and_what_some_do_not_want_is_for_the_others() {
        let mut capacity = Capacity::new((0..16).map(|_| load(false, 0)));
        let shares: Vec<usize> = (0..16).map(|number| capacity.share(false, number * 8)).collect();
        assert_eq!(shares.iter().sum::<usize>(), WELL);
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
