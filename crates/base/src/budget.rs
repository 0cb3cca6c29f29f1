//! The limits of a piece of work: time, memory and cancellation.
//!
//! Algorithms never read the clock themselves. They call [`Budget::check`] in every loop that can
//! run long; it is cheap (an atomic load, and a look at the clock every so often) and says when to
//! stop. A budget is cloned freely: clones share the cancellation flag and the memory reading.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why work has to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Timeout,
    OutOfMemory,
    Cancelled,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Timeout => "timeout",
            Stop::OutOfMemory => "out of memory",
            Stop::Cancelled => "cancelled",
        })
    }
}

#[derive(Debug, Default)]
struct Shared {
    cancelled: AtomicBool,
    /// Bytes in use, written by the allocator of the binary (0 when nobody counts).
    memory_in_use: AtomicU64,
}

/// Time, memory and cancellation, asked by polling.
#[derive(Debug)]
pub struct Budget {
    shared: Arc<Shared>,
    /// Flags of the budgets this one was made from: cancelling a parent stops its children.
    parents: Vec<Arc<Shared>>,
    deadline: Option<Instant>,
    memory_limit: Option<u64>,
    countdown: AtomicU32,
}

/// How many calls of [`Budget::check`] pass between two looks at the clock.
const CLOCK_EVERY: u32 = 64;

impl Clone for Budget {
    fn clone(&self) -> Self {
        Budget {
            shared: self.shared.clone(),
            parents: self.parents.clone(),
            deadline: self.deadline,
            memory_limit: self.memory_limit,
            countdown: AtomicU32::new(0),
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited()
    }
}

impl Budget {
    pub fn unlimited() -> Budget {
        Budget {
            shared: Arc::default(),
            parents: Vec::new(),
            deadline: None,
            memory_limit: None,
            countdown: AtomicU32::new(0),
        }
    }
    pub fn with_timeout(timeout: Duration) -> Budget {
        Budget { deadline: Instant::now().checked_add(timeout), ..Budget::unlimited() }
    }
    pub fn with_memory_limit(mut self, bytes: u64) -> Budget {
        self.memory_limit = Some(bytes);
        self
    }
    /// A budget that ends at the latest when this one does, and `timeout` from now, and that can
    /// be cancelled on its own.
    pub fn child(&self, timeout: Duration) -> Budget {
        let own = Instant::now().checked_add(timeout);
        let deadline = match (self.deadline, own) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let mut parents = self.parents.clone();
        parents.push(self.shared.clone());
        Budget {
            shared: Arc::default(),
            parents,
            deadline,
            memory_limit: self.memory_limit,
            countdown: AtomicU32::new(0),
        }
    }
    /// A child with this share of the time that is left; without a time limit, the same budget.
    pub fn share(&self, share: f64) -> Budget {
        match self.remaining() {
            Some(left) => self.child(left.mul_f64(share)),
            None => self.clone(),
        }
    }
    /// Stops everything that polls this budget, its clones and its children.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
    /// Reports the bytes now in use; whoever counts memory calls this.
    pub fn set_memory_in_use(&self, bytes: u64) {
        self.shared.memory_in_use.store(bytes, Ordering::Relaxed);
    }
    /// The time left, if there is a limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }
    /// Must the work stop? Cheap enough for inner loops.
    #[inline]
    pub fn check(&self) -> Result<(), Stop> {
        if self.shared.cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        let left = self.countdown.load(Ordering::Relaxed);
        if left > 0 {
            self.countdown.store(left - 1, Ordering::Relaxed);
            return Ok(());
        }
        self.check_now()
    }
    /// Like [`check`](Budget::check), but looks at the clock each time.
    pub fn check_now(&self) -> Result<(), Stop> {
        self.countdown.store(CLOCK_EVERY, Ordering::Relaxed);
        for shared in self.parents.iter().chain([&self.shared]) {
            if shared.cancelled.load(Ordering::Relaxed) {
                return Err(Stop::Cancelled);
            }
            if self.memory_limit.is_some_and(|limit| shared.memory_in_use.load(Ordering::Relaxed) > limit) {
                return Err(Stop::OutOfMemory);
            }
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Stop::Timeout);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_a_parent_stops_the_child_but_not_the_reverse() {
        let parent = Budget::unlimited();
        let child = parent.child(Duration::from_secs(3600));
        child.cancel();
        assert_eq!(child.check_now(), Err(Stop::Cancelled));
        assert_eq!(parent.check_now(), Ok(()));
        let other = parent.child(Duration::from_secs(3600));
        parent.clone().cancel();
        assert_eq!(other.check_now(), Err(Stop::Cancelled));
    }

    #[test]
    fn limits_are_noticed() {
        assert_eq!(Budget::with_timeout(Duration::ZERO).check_now(), Err(Stop::Timeout));
        let budget = Budget::unlimited().with_memory_limit(10);
        budget.set_memory_in_use(11);
        assert_eq!(budget.check_now(), Err(Stop::OutOfMemory));
    }
}
