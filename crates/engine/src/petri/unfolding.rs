//! The unfolding of a net up to cut-offs.
//!
//! Reference: Esparza, Römer, Vogler, *An Improvement of McMillan's Unfolding Algorithm*, 2002. Events are added in the
//! order of their local configurations: by size, then by the actions in them, then by the actions in each level of
//! their Foata normal form. An event whose marking was reached before is a cut-off. Which conditions may hold together
//! (the co-relation) is kept as sets of bits. With a total order the prefix has no more events than the net has
//! reachable markings; without conflicts it is as small as the net, where the product of threads is exponential.

use super::modules::Modules;
use crate::framework::Ctx;
use crate::hoare::HoareChecker;
use crate::threads::predicates::SetId;
use ir::Reason;
use ir::interleave::concurrent::{ActionId, Concurrent, PlaceId};
use logic::{FastMap, FastSet};
use std::collections::BTreeMap;

/// The most events.
const MAX_EVENTS: usize = 30_000;

/// What a token says: a thread is at a place, or what a module knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Token {
    Place(PlaceId),
    Module(usize, SetId),
}

#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, i: usize) {
        if self.0.len() <= i / 64 {
            self.0.resize(i / 64 + 1, 0);
        }
        self.0[i / 64] |= 1 << (i % 64);
    }
    fn contains(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }
    fn intersect(&mut self, other: &Bits) {
        self.0.truncate(other.0.len());
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }
    fn unite(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(w, &word)| (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| w * 64 + b))
    }
}

struct Condition {
    token: Token,
    /// The event that made it.
    from: Option<usize>,
    co: Bits,
}

struct Event {
    action: ActionId,
    pre: Vec<usize>,
    post: Vec<usize>,
    /// The level in the Foata normal form.
    level: usize,
    /// The local configuration, with the event itself.
    configuration: Bits,
}

/// The order of local configurations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    size: usize,
    actions: Vec<ActionId>,
    /// The actions of each level, one level after the other.
    foata: Vec<(usize, ActionId)>,
}

struct Extension {
    action: ActionId,
    pre: Vec<usize>,
    /// The states of the modules after it.
    after: Vec<(usize, SetId)>,
    configuration: Bits,
    level: usize,
}

pub(super) enum Unfolded {
    /// No event leads to an error; holds the number of events.
    Empty(usize),
    Trace(Vec<ActionId>),
}

struct Unfolding<'a> {
    program: &'a Concurrent,
    conditions: Vec<Condition>,
    events: Vec<Event>,
    by_place: FastMap<PlaceId, Vec<usize>>,
    by_module: Vec<Vec<usize>>,
    queue: BTreeMap<(Rank, usize), Extension>,
    known: FastSet<(ActionId, Vec<usize>)>,
    n_extensions: usize,
}

/// Unfolds the net of a program, with modules that exclude what is known to be impossible.
pub(super) fn unfold(
    ctx: &mut Ctx<'_>,
    program: &Concurrent,
    modules: &mut Modules,
    hoare: &mut HoareChecker<'_>,
    with_too_many: bool,
) -> Result<Unfolded, Reason> {
    let mut this = Unfolding {
        program,
        conditions: Vec::new(),
        events: Vec::new(),
        by_place: FastMap::default(),
        by_module: vec![Vec::new(); modules.len()],
        queue: BTreeMap::new(),
        known: FastSet::default(),
        n_extensions: 0,
    };
    let mut tokens: Vec<Token> = program.initial.iter().map(|p| Token::Place(*p)).collect();
    tokens.extend((0..modules.len()).map(|m| Token::Module(m, Modules::NOTHING)));
    let first = this.add_conditions(None, &tokens, Bits::default());
    let mut markings: FastSet<Vec<Token>> = FastSet::default();
    tokens.sort_unstable();
    markings.insert(tokens);
    this.extend(ctx, modules, hoare, &first)?;
    while let Some((_, extension)) = this.queue.pop_first() {
        ctx.budget.check()?;
        if this.events.len() > MAX_EVENTS {
            return Err(Reason::Incomplete("the unfolding is too large".to_string()));
        }
        let action = &program.actions[extension.action];
        let error = action.post.iter().find(|p| program.is_error(**p));
        if let Some(&error) = error {
            if with_too_many || !program.is_too_many(error) {
                return Ok(Unfolded::Trace(this.run(&extension)));
            }
            continue;
        }
        let mut tokens: Vec<Token> = action.post.iter().map(|p| Token::Place(*p)).collect();
        tokens.extend(extension.after.iter().map(|&(m, s)| Token::Module(m, s)));
        let marking = this.marking(&extension, &tokens);
        let is_cut_off = !markings.insert(marking);
        let mut co: Option<Bits> = None;
        for &c in &extension.pre {
            match &mut co {
                None => co = Some(this.conditions[c].co.clone()),
                Some(all) => all.intersect(&this.conditions[c].co),
            }
        }
        let id = this.events.len();
        let mut configuration = extension.configuration;
        configuration.insert(id);
        let level = extension.level;
        this.events.push(Event {
            action: extension.action,
            pre: extension.pre,
            post: Vec::new(),
            level,
            configuration,
        });
        if is_cut_off {
            continue;
        }
        let new = this.add_conditions(Some(id), &tokens, co.unwrap_or_default());
        this.events[id].post = new.clone();
        this.extend(ctx, modules, hoare, &new)?;
    }
    Ok(Unfolded::Empty(this.events.len()))
}

impl Unfolding<'_> {
    /// Conditions that hold together, and with those of `co`.
    fn add_conditions(&mut self, from: Option<usize>, tokens: &[Token], co: Bits) -> Vec<usize> {
        let first = self.conditions.len();
        let new: Vec<usize> = (first..first + tokens.len()).collect();
        for (&id, &token) in new.iter().zip(tokens) {
            let mut own = co.clone();
            for &sibling in new.iter().filter(|s| **s != id) {
                own.insert(sibling);
            }
            self.conditions.push(Condition { token, from, co: own });
            match token {
                Token::Place(p) => self.by_place.entry(p).or_default().push(id),
                Token::Module(m, _) => self.by_module[m].push(id),
            }
        }
        for other in co.iter() {
            for &id in &new {
                self.conditions[other].co.insert(id);
            }
        }
        new
    }

    /// Puts all events into the queue that need one of the new conditions.
    fn extend(
        &mut self,
        ctx: &mut Ctx<'_>,
        modules: &mut Modules,
        hoare: &mut HoareChecker<'_>,
        new: &[usize],
    ) -> Result<(), Reason> {
        for &c in new {
            ctx.budget.check()?;
            let actions: Vec<ActionId> = match self.conditions[c].token {
                Token::Place(p) => self.program.actions_from(p).to_vec(),
                Token::Module(m, _) => modules.users(m).to_vec(),
            };
            for action in actions {
                let data = &self.program.actions[action];
                let mut slots: Vec<&[usize]> = Vec::new();
                let is_here = |token: Token| token == self.conditions[c].token;
                for &p in &data.pre {
                    if !is_here(Token::Place(p)) {
                        slots.push(self.by_place.get(&p).map_or(&[], Vec::as_slice));
                    }
                }
                for &m in modules.of(action) {
                    if !matches!(self.conditions[c].token, Token::Module(n, _) if n == m) {
                        slots.push(&self.by_module[m]);
                    }
                }
                // The rarest first.
                slots.sort_by_key(|s| s.len());
                let mut found = Vec::new();
                self.co_sets(&slots, &self.conditions[c].co, &mut vec![c], &mut found);
                for mut pre in found {
                    pre.sort_unstable();
                    if self.known.insert((action, pre.clone())) {
                        self.enqueue(ctx, modules, hoare, action, pre);
                    }
                }
            }
        }
        Ok(())
    }

    /// All ways to choose one condition for each slot such that all may hold together.
    fn co_sets(&self, slots: &[&[usize]], co: &Bits, chosen: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        let Some((slot, rest)) = slots.split_first() else {
            found.push(chosen.clone());
            return;
        };
        for &c in slot.iter().filter(|c| co.contains(**c)) {
            let mut both = co.clone();
            both.intersect(&self.conditions[c].co);
            chosen.push(c);
            self.co_sets(rest, &both, chosen, found);
            chosen.pop();
        }
    }

    fn enqueue(
        &mut self,
        ctx: &mut Ctx<'_>,
        modules: &mut Modules,
        hoare: &mut HoareChecker<'_>,
        action: ActionId,
        pre: Vec<usize>,
    ) {
        let mut states: Vec<(usize, SetId)> = pre
            .iter()
            .filter_map(|c| match self.conditions[*c].token {
                Token::Module(m, s) => Some((m, s)),
                Token::Place(_) => None,
            })
            .collect();
        states.sort_unstable();
        let Some(after) = modules.step(ctx, hoare, self.program, &states, action) else { return };
        let mut configuration = Bits::default();
        let mut level = 0;
        for &c in &pre {
            if let Some(e) = self.conditions[c].from {
                configuration.unite(&self.events[e].configuration);
                level = level.max(self.events[e].level + 1);
            }
        }
        let mut foata: Vec<(usize, ActionId)> =
            configuration.iter().map(|e| (self.events[e].level, self.events[e].action)).collect();
        foata.push((level, action));
        foata.sort_unstable();
        let mut actions: Vec<ActionId> = foata.iter().map(|f| f.1).collect();
        actions.sort_unstable();
        let rank = Rank { size: actions.len(), actions, foata };
        self.n_extensions += 1;
        self.queue.insert((rank, self.n_extensions), Extension { action, pre, after, configuration, level });
    }

    /// The tokens after the local configuration of an event.
    fn marking(&self, extension: &Extension, post: &[Token]) -> Vec<Token> {
        let mut consumed: FastSet<usize> = extension.pre.iter().copied().collect();
        for e in extension.configuration.iter() {
            consumed.extend(self.events[e].pre.iter().copied());
        }
        let made = extension.configuration.iter().flat_map(|e| self.events[e].post.iter().copied());
        let initial = (0..self.conditions.len()).take_while(|c| self.conditions[*c].from.is_none());
        let mut marking: Vec<Token> = initial
            .chain(made)
            .filter(|c| !consumed.contains(c))
            .map(|c| self.conditions[c].token)
            .chain(post.iter().copied())
            .collect();
        marking.sort_unstable();
        marking
    }

    /// The actions of a local configuration in an order in which they can be taken.
    fn run(&self, extension: &Extension) -> Vec<ActionId> {
        let mut events: Vec<usize> = extension.configuration.iter().collect();
        // Causes have smaller levels.
        events.sort_by_key(|e| (self.events[*e].level, *e));
        events.into_iter().map(|e| self.events[e].action).chain([extension.action]).collect()
    }
}
