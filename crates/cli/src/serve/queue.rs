//! The queue of requests: a bounded number of concurrent runs, a bounded queue, and a bound for each address.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) n_running: usize,
    pub(crate) n_waiting: usize,
    /// How many of one address may run or wait.
    pub(crate) n_per_address: usize,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    n_running: usize,
    waiting: VecDeque<u64>,
    per_address: BTreeMap<IpAddr, usize>,
}

#[derive(Debug)]
pub(crate) struct Queue {
    sizes: Sizes,
    state: Mutex<State>,
    changed: Condvar,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Full {
    Queue,
    Address,
}

/// A place in the queue, given back when dropped.
#[derive(Debug)]
pub(crate) struct Place {
    queue: Arc<Queue>,
    number: u64,
    address: IpAddr,
    runs: bool,
}

impl Queue {
    pub(crate) fn new(sizes: Sizes) -> Arc<Queue> {
        Arc::new(Queue { sizes, state: Mutex::default(), changed: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A place at the end of the queue.
    pub(crate) fn enter(self: &Arc<Queue>, address: IpAddr) -> Result<Place, Full> {
        let mut state = self.state();
        let n_own = state.per_address.get(&address).copied().unwrap_or(0);
        if n_own >= self.sizes.n_per_address {
            return Err(Full::Address);
        }
        let n_free = self.sizes.n_running.saturating_sub(state.n_running);
        if state.waiting.len() >= self.sizes.n_waiting + n_free {
            return Err(Full::Queue);
        }
        let number = state.next;
        state.next += 1;
        state.waiting.push_back(number);
        state.per_address.insert(address, n_own + 1);
        Ok(Place { queue: self.clone(), number, address, runs: false })
    }
}

impl Place {
    /// Waits a little for the turn; the number of those that come before is the error.
    pub(crate) fn wait(&mut self, patience: Duration) -> Result<(), usize> {
        let queue = self.queue.clone();
        let mut state = queue.state();
        for attempt in 0..2 {
            let ahead = state.waiting.iter().position(|&n| n == self.number).unwrap_or(0);
            if ahead == 0 && state.n_running < queue.sizes.n_running {
                state.waiting.pop_front();
                state.n_running += 1;
                self.runs = true;
                queue.changed.notify_all();
                return Ok(());
            }
            if attempt == 1 {
                return Err(ahead);
            }
            let waited = queue.changed.wait_timeout(state, patience);
            state = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        }
        Err(0)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        if self.runs {
            state.n_running -= 1;
        } else {
            state.waiting.retain(|&n| n != self.number);
        }
        let n_own = state.per_address.get(&self.address).copied().unwrap_or(0);
        match n_own {
            0 | 1 => state.per_address.remove(&self.address),
            n => state.per_address.insert(self.address, n - 1),
        };
        self.queue.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn places_are_given_in_order_and_given_back() {
        let queue = Queue::new(Sizes { n_running: 1, n_waiting: 2, n_per_address: 2 });
        let at = |n: u8| IpAddr::V4(Ipv4Addr::new(10, 0, 0, n));
        let soon = Duration::from_millis(1);
        let mut a = queue.enter(at(1)).expect("free");
        assert_eq!(a.wait(soon), Ok(()));
        let mut b = queue.enter(at(1)).expect("free");
        assert_eq!(queue.enter(at(1)).map(drop), Err(Full::Address));
        let mut c = queue.enter(at(2)).expect("free");
        assert_eq!(queue.enter(at(3)).map(drop), Err(Full::Queue));
        assert_eq!((b.wait(soon), c.wait(soon)), (Err(0), Err(1)));
        drop(a);
        assert_eq!((c.wait(soon), b.wait(soon)), (Err(1), Ok(())));
        drop(b);
        assert_eq!(c.wait(soon), Ok(()));
        drop(c);
        assert!(queue.state().per_address.is_empty());
        assert_eq!(queue.state().n_running, 0);
    }
}
