use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use base::clock::Clock;

use super::{Network, WINDOW};

/// Maximum number of networks that are remembered: about 32 MB.
const MAX_NETWORKS: usize = 500_000;
/// Time after which a network may try again if there is no room for it.
const FULL_PAUSE: Duration = Duration::from_secs(1);

/// Budget of each network on this node: a burst, plus a rate per minute. Within any minute, a network spends at most
/// the sum of both, plus the one cost that overdraws the budget. Clones share their counts.
///
/// Unlike [`Limits`](super::Limits), a cost can have any weight, and nodes don't share the budget: it is about the
/// computing time of this node.
#[derive(Clone)]
pub struct Budget(Arc<BudgetInner>);

struct BudgetInner {
    clock: Clock,
    size: Size,
    spent: Mutex<HashMap<Network, Spent>>,
}

/// Size of a [`Budget`], in the caller's own units.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub at_once: f64,
    pub a_minute: f64,
}

#[derive(Clone, Copy, Default)]
struct Spent {
    units: f64,
    /// Time on the clock.
    at: Duration,
}

impl Size {
    fn earned(self, time: Duration) -> f64 {
        self.a_minute * time.as_secs_f64() / WINDOW.as_secs_f64()
    }

    /// Units still spent at `now`.
    fn left(self, spent: Spent, now: Duration) -> f64 {
        (spent.units - self.earned(now.saturating_sub(spent.at))).max(0.0)
    }
}

impl Budget {
    pub fn new(clock: Clock, size: Size) -> Self {
        Self(Arc::new(BudgetInner { clock, size, spent: Mutex::default() }))
    }

    /// Spends `cost`. The last part of it may overdraw the budget.
    ///
    /// # Errors
    /// Time until the network may spend again, if its budget is used up.
    pub fn spend(&self, network: Network, cost: f64) -> Result<(), Duration> {
        let BudgetInner { clock, size, spent } = &*self.0;
        let mut all = spent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = clock.elapsed();
        if all.len() >= MAX_NETWORKS && !all.contains_key(&network) {
            all.retain(|_, spent| size.left(*spent, at) > 0.0);
            if all.len() >= MAX_NETWORKS {
                return Err(FULL_PAUSE);
            }
        }
        let spent = all.entry(network).or_default();
        let units = size.left(*spent, at);
        if let Some(wait) = self.wait(units) {
            return Err(wait);
        }
        *spent = Spent { units: units + cost, at };
        Ok(())
    }

    /// Adds the rest of a cost that was unknown when its first part was spent.
    pub fn owe(&self, network: Network, cost: f64) {
        let BudgetInner { clock, size, spent } = &*self.0;
        let mut all = spent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = clock.elapsed();
        if let Some(spent) = all.get_mut(&network) {
            *spent = Spent { units: size.left(*spent, at) + cost, at };
        }
    }

    /// Checks whether a network may spend, without spending.
    ///
    /// # Errors
    /// As for [`spend`](Self::spend).
    pub fn peek(&self, network: Network) -> Result<(), Duration> {
        let BudgetInner { clock, size, spent } = &*self.0;
        let all = spent.lock().unwrap_or_else(PoisonError::into_inner);
        let units = all.get(&network).map_or(0.0, |spent| size.left(*spent, clock.elapsed()));
        self.wait(units).map_or(Ok(()), Err)
    }

    /// Time to wait with so many units spent; `None` if there is no need to wait.
    fn wait(&self, units: f64) -> Option<Duration> {
        let size = self.0.size;
        let over = units - size.at_once;
        // A thousandth of a unit is a rounding error.
        (over > -0.001).then(|| WINDOW.mul_f64((over + 1.0).max(1.0) / size.a_minute))
    }

    /// Drops the networks with nothing spent. Call it about once a minute.
    pub fn sweep(&self) {
        let BudgetInner { clock, size, spent } = &*self.0;
        let now = clock.elapsed();
        let mut all = spent.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, spent| size.left(*spent, now) > 0.0);
        all.shrink_to_fit();
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the networks: there may be many.
        f.debug_struct("Budget").field("size", &self.0.size).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn budget(at_once: f64, a_minute: f64) -> (Budget, Clock) {
        let clock = Clock::stepped(DateTime::UNIX_EPOCH);
        (Budget::new(clock.clone(), Size { at_once, a_minute }), clock)
    }

    fn network(number: u8) -> Network {
        Network::of([192, 0, number, 1].into())
    }

    #[test]
    fn a_network_spends_its_budget_and_then_as_fast_as_it_earns() {
        let (budget, clock) = budget(3.0, 60.0);
        for _ in 0..3 {
            budget.spend(network(1), 1.0).unwrap();
        }
        assert_eq!(budget.spend(network(1), 1.0), Err(SECOND));
        assert_eq!(budget.peek(network(1)), Err(SECOND));
        assert_eq!(budget.spend(network(2), 1.0), Ok(()), "others are not affected");
        clock.advance(SECOND);
        assert_eq!(budget.peek(network(1)), Ok(()));
        assert_eq!(budget.clone().spend(network(1), 1.0), Ok(()));
        assert_eq!(budget.spend(network(1), 1.0), Err(SECOND));
    }

    #[test]
    fn what_is_dear_overdraws_once_and_is_waited_for() {
        let (budget, clock) = budget(10.0, 60.0);
        budget.spend(network(1), 1.0).unwrap();
        budget.spend(network(1), 1.0).unwrap();
        budget.owe(network(1), 99.0);
        assert_eq!(budget.spend(network(1), 1.0), Err(92 * SECOND));
        clock.advance(91 * SECOND);
        assert_eq!(budget.peek(network(1)), Err(SECOND));
        clock.advance(SECOND);
        assert_eq!(budget.spend(network(1), 1.0), Ok(()));
    }

    #[test]
    fn who_has_nothing_spent_is_forgotten() {
        let (budget, clock) = budget(10.0, 60.0);
        budget.spend(network(1), 5.0).unwrap();
        budget.spend(network(2), 50.0).unwrap();
        clock.advance(6 * SECOND);
        budget.sweep();
        assert_eq!(budget.0.spent.lock().unwrap().len(), 1);
    }
}
