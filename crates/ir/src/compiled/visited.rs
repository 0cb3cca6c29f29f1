//! States that were seen before: from such a state nothing new happens.
//!
//! Two states are the same if they are at the same place, with the same calls open and the same values of the variables
//! that are live there. They are kept as text, exactly. Pages of arrays have numbers: one that has not changed is not read again.

use super::cell::{Cell, Page};
use super::{Compiled, State};
use crate::dataflow::VarIndex;
use crate::icfg::{Icfg, Label, LocId};
use crate::program::{Stmt, VarId};
use base::IdVec;
use logic::{FastMap, FastSet, TermPool, Value};
use std::rc::Rc;

/// How much is kept.
const MAX_BYTES: usize = 200_000_000;

pub(crate) struct Visited {
    /// By location; `None`: all variables.
    live: Option<IdVec<LocId, Vec<u64>>>,
    seen: FastSet<Box<[u8]>>,
    pages: Pages,
    n_bytes: usize,
}

/// The pages of arrays that were seen. They are kept, so that none is changed in place.
#[derive(Default)]
struct Pages {
    known: FastMap<*const Page, (Rc<Page>, u32)>,
    /// By what is written on them.
    numbers: FastMap<Box<[u8]>, u32>,
    /// Of each number the text of its cells, if these are all the same.
    uniform: Vec<Option<Box<[u8]>>>,
}

impl Visited {
    pub(crate) fn new(icfg: &Icfg, pool: &TermPool) -> Visited {
        let live = (!icfg.has_calls()).then(|| live_variables(icfg, pool));
        Visited { live, seen: FastSet::default(), pages: Pages::default(), n_bytes: 0 }
    }

    /// Remembers the state, and says whether it is new; `None` if there is no room.
    pub(crate) fn is_new(&mut self, graph: &Compiled<'_>, state: &State) -> Option<bool> {
        let mut key = Vec::new();
        key.extend(state.loc.0.to_le_bytes());
        for v in graph.icfg.vars.ids() {
            if self.live.as_ref().is_none_or(|live| has(&live[state.loc], v)) {
                self.pages.write(&state.registers[v.0 as usize], &mut key);
            }
        }
        for activation in &state.stack {
            key.extend(activation.site.0.to_le_bytes());
            activation.saved.iter().for_each(|(_, cell)| self.pages.write(cell, &mut key));
        }
        if self.seen.contains(&key[..]) {
            return Some(false);
        }
        self.n_bytes += key.len();
        self.seen.insert(key.into_boxed_slice());
        let n_bytes = self.n_bytes + self.pages.known.len() * size_of::<Page>();
        (n_bytes <= MAX_BYTES).then_some(true)
    }
}

fn has(set: &[u64], v: VarId) -> bool {
    set[v.0 as usize / 64] >> (v.0 % 64) & 1 == 1
}

/// The variables whose values matter, for each location of a graph without calls.
fn live_variables(icfg: &Icfg, pool: &TermPool) -> IdVec<LocId, Vec<u64>> {
    let n_words = icfg.vars.len().div_ceil(64);
    let index = VarIndex::new(icfg);
    let set = |vars: &mut dyn Iterator<Item = VarId>| {
        let mut words = vec![0u64; n_words];
        vars.for_each(|v| words[v.0 as usize / 64] |= 1 << (v.0 % 64));
        words
    };
    let reads: Vec<Vec<u64>> = icfg
        .edges
        .values()
        .map(|edge| set(&mut index.vars_of(pool, &icfg.read_terms(&edge.label)).into_iter()))
        .collect();
    let writes: Vec<Vec<u64>> = icfg
        .edges
        .values()
        .map(|edge| match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => set(&mut pairs.iter().map(|p| p.0)),
            Label::Stmt(Stmt::Havoc(vars, _)) => set(&mut vars.iter().copied()),
            _ => set(&mut std::iter::empty()),
        })
        .collect();
    let mut live: IdVec<LocId, Vec<u64>> = IdVec::from_elem(vec![0u64; n_words], icfg.locs.len());
    let mut waiting: Vec<LocId> = icfg.locs.ids().collect();
    let mut is_waiting: IdVec<LocId, bool> = IdVec::from_elem(true, icfg.locs.len());
    while let Some(loc) = waiting.pop() {
        is_waiting[loc] = false;
        let mut now = vec![0u64; n_words];
        for &e in icfg.out_edges(loc) {
            let (at, after) = (e.0 as usize, &live[icfg.edges[e].dst]);
            for (word, now) in now.iter_mut().enumerate() {
                *now |= reads[at][word] | after[word] & !writes[at][word];
            }
        }
        if now != live[loc] {
            live[loc] = now;
            for &e in icfg.in_edges(loc) {
                let before = icfg.edges[e].src;
                if !std::mem::replace(&mut is_waiting[before], true) {
                    waiting.push(before);
                }
            }
        }
    }
    live
}

impl Pages {
    /// Different values are written differently.
    fn write(&mut self, cell: &Cell, key: &mut Vec<u8>) {
        match cell {
            Cell::Gap => key.push(0),
            Cell::Bool(b) => key.push(1 + u8::from(*b)),
            Cell::Int(n) => match i8::try_from(*n) {
                Ok(small) => key.extend([3, small as u8]),
                Err(_) => {
                    key.push(4);
                    key.extend(n.to_le_bytes());
                }
            },
            Cell::Word(bits) => {
                key.push(5);
                key.extend(bits.to_le_bytes());
            }
            Cell::Other(value) => write_text(6, value, key),
            Cell::Array(table) => {
                key.push(7);
                let before = key.len();
                self.write(&table.default, key);
                let default: Box<[u8]> = key[before..].into();
                for (at, page) in table.pages() {
                    let number = self.number(page);
                    if self.uniform[number as usize].as_ref() != Some(&default) {
                        key.push(8);
                        key.extend(at.to_le_bytes());
                        key.extend(number.to_le_bytes());
                    }
                }
                for (place, element) in &table.others {
                    write_text(9, place, key);
                    self.write(element, key);
                }
                key.push(10);
            }
        }
    }

    fn number(&mut self, page: &Rc<Page>) -> u32 {
        if let Some((_, number)) = self.known.get(&Rc::as_ptr(page)) {
            return *number;
        }
        let mut text = Vec::new();
        let mut ends = Vec::new();
        for cell in page.iter() {
            self.write(cell, &mut text);
            ends.push(text.len());
        }
        let first = &text[..ends[0]];
        let is_uniform = ends.windows(2).all(|w| &text[w[0]..w[1]] == first);
        let number = match self.numbers.get(&text[..]) {
            Some(&number) => number,
            None => {
                let number = self.uniform.len() as u32;
                self.uniform.push(is_uniform.then(|| first.into()));
                self.numbers.insert(text.into_boxed_slice(), number);
                number
            }
        };
        self.known.insert(Rc::as_ptr(page), (page.clone(), number));
        number
    }
}

fn write_text(tag: u8, value: &Value, key: &mut Vec<u8>) {
    let text = value.show();
    key.push(tag);
    key.extend((text.len() as u64).to_le_bytes());
    key.extend(text.as_bytes());
}
