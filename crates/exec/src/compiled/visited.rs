//! States that were seen before: from such a state nothing new happens.
//!
//! Two states are the same if they are at the same place, with the same calls open and the same values of the variables
//! that are live there. They are kept as text, exactly. Pages of arrays have numbers: one that has not changed is not
//! read again.

use super::cell::{Cell, Page};
use super::{Compiled, State};
use ir::Icfg;
use ir::dataflow::Liveness;
use logic::{FastMap, FastSet, TermPool, Value};
use std::rc::Rc;

/// How much is kept.
const MAX_BYTES: usize = 200_000_000;

pub(crate) struct Visited {
    /// By location; `None`: all variables.
    live: Option<Liveness>,
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
        let live = (!icfg.has_calls()).then(|| Liveness::plain(icfg, pool));
        Visited { live, seen: FastSet::default(), pages: Pages::default(), n_bytes: 0 }
    }

    /// Remembers the state, and says whether it is new; `None` if there is no room.
    pub(crate) fn is_new(&mut self, graph: &Compiled<'_>, state: &State) -> Option<bool> {
        let mut key = Vec::new();
        key.extend(state.loc.0.to_le_bytes());
        for v in graph.icfg.vars.ids() {
            if self.live.as_ref().is_none_or(|live| live.at(state.loc).contains(v)) {
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
