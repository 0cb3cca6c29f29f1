//! Why a property is violated, with the numbers of the execution that shows it.
//!
//! The driver works a [`Cause`] out of the replayed execution. Its sentence is the message of the violation in every
//! format; the places it speaks of (declarations, allocations, `free`) are notes beside it. What happens in an
//! execution has happened: no sentence says "may".

use crate::result::{Range, Remark};
use serde::{Deserialize, Serialize};

/// A name or expression with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub place: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// Where the memory of an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    Heap,
    /// A variable.
    Variable,
    /// A constant or a string literal.
    Constant,
    /// Made by somebody else.
    Outside,
}

/// An object in memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Object {
    pub storage: Storage,
    /// Of a variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// In bytes.
    pub size: i64,
    /// The allocation, or the declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Place>,
    /// Where it was freed, or its lifetime ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Place>,
}

impl Object {
    /// `a block of 8 bytes`, `` `x` (4 bytes) ``.
    fn shown(&self) -> String {
        let bytes = bytes(self.size);
        match (self.storage, &self.name) {
            (Storage::Heap, _) => format!("a block of {bytes}"),
            (_, Some(name)) => format!("`{name}` ({bytes})"),
            (Storage::Constant, None) => format!("a constant of {bytes}"),
            (Storage::Variable | Storage::Outside, None) => format!("an object of {bytes}"),
        }
    }
    fn short(&self) -> String {
        match (self.storage, &self.name) {
            (Storage::Heap, _) => "the block".to_string(),
            (_, Some(name)) => format!("`{name}`"),
            _ => "the object".to_string(),
        }
    }
    fn notes(&self) -> Vec<Remark> {
        let short = self.short();
        let (made, ended) = match self.storage {
            Storage::Heap => (format!("{short} was allocated here"), format!("{short} was freed here")),
            Storage::Variable | Storage::Constant | Storage::Outside => {
                (format!("{short} was declared here"), format!("the lifetime of {short} ended here"))
            }
        };
        let note =
            |place: &Place, message: String| Remark { place: place.place.clone(), message, range: place.range.clone() };
        let made = self.made.as_ref().map(|p| note(p, made));
        made.into_iter().chain(self.ended.as_ref().map(|p| note(p, ended))).collect()
    }
}

/// One of the two accesses of a data race.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Access {
    pub expression: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// What the thread has locked then.
    pub locks: Vec<String>,
    #[serde(flatten)]
    pub at: Place,
    /// The functions that the thread is in, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Frame>,
}

/// A function that has been called and has not returned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Frame {
    pub function: String,
    /// Where it was called; nowhere: the thread began with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Place>,
}

impl Access {
    fn shown(&self) -> String {
        let thread = self.thread.as_ref().map_or(String::new(), |t| format!(" by {t}"));
        let locks = if self.locks.is_empty() { "no lock".to_string() } else { self.locks.join(", ") };
        format!("`{}`{thread} (holds {locks})", self.expression)
    }

    /// A remark for each call that leads to the access, the innermost first.
    fn calls(&self) -> impl Iterator<Item = Remark> + '_ {
        let thread = self.thread.as_deref().unwrap_or("the program");
        self.stack.iter().filter_map(move |frame| {
            let call = frame.call.as_ref()?;
            let message = format!("{thread} calls {} here", frame.function);
            Some(Remark { place: call.place.clone(), message, range: call.range.clone() })
        })
    }
}

/// A thread that waits for ever.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wait {
    /// Without a name it is the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The call that waits.
    pub expression: String,
    /// The lock that it waits for, and which thread has it since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Place>,
    #[serde(flatten)]
    pub at: Place,
}

impl Wait {
    fn shown(&self) -> String {
        let thread = self.thread.as_deref().unwrap_or("the program");
        let Some((lock, since)) = self.lock.as_ref().zip(self.since.as_ref()) else {
            return format!("{thread} waits in `{}`", self.expression);
        };
        let holder = match &self.held_by {
            Some(holder) if self.thread.as_ref() != Some(holder) => holder,
            _ => "itself",
        };
        format!("{thread} waits for `{lock}`, held by {holder} since {}", since.place)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// An assertion is false.
    Assertion {
        condition: String,
        values: Vec<NamedValue>,
    },
    /// An error function is called, after a condition came out that way.
    ErrorCall {
        function: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
        holds: bool,
        values: Vec<NamedValue>,
    },
    /// The exact result of an operation is no value of its type.
    Overflow {
        expression: String,
        operator: String,
        operands: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<String>,
        type_name: String,
        min: String,
        max: String,
    },
    ShiftAmount {
        expression: String,
        amount: String,
        width: u32,
    },
    NullPointer {
        expression: String,
        offset: i64,
        size: i64,
    },
    /// An access to an object that is gone.
    Dangling {
        expression: String,
        object: Object,
        offset: i64,
        size: i64,
    },
    OutOfBounds {
        expression: String,
        object: Object,
        offset: i64,
        size: i64,
    },
    /// There is no object at the address, and never was.
    WildPointer {
        expression: String,
        size: i64,
    },
    Index {
        expression: String,
        /// It may be larger than any length.
        index: String,
        length: i64,
    },
    ConstantWrite {
        expression: String,
        object: Object,
    },
    /// What is freed has been freed.
    DoubleFree {
        expression: String,
        object: Object,
    },
    /// What is freed is no start of a block of the heap.
    InvalidFree {
        expression: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        object: Option<Object>,
        offset: i64,
    },
    /// Objects that are copied overlap.
    Overlap {
        expression: String,
        distance: i64,
        size: i64,
    },
    /// Blocks that nobody frees: which they are or, if that is not known, where blocks were allocated.
    Leak {
        count: usize,
        blocks: Vec<Object>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        allocated: Vec<Place>,
        is_lost: bool,
    },
    Race {
        accesses: [Access; 2],
    },
    /// Threads that wait for ever, each for the next one if they wait in a circle.
    Deadlock {
        waits: Vec<Wait>,
    },
    EndlessLoop {
        #[serde(flatten)]
        at: Place,
        always: String,
    },
    EndlessRecursion {
        function: String,
        always: String,
    },
    /// Anything else: the message of the check.
    Other {
        message: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<NamedValue>,
    },
}

fn bytes(n: i64) -> String {
    if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") }
}

/// What is known about every iteration.
fn comes_back(always: &str) -> String {
    match always {
        "" => "no iteration leaves it".to_string(),
        _ => format!("it comes back to {always}"),
    }
}

fn with_values(values: &[NamedValue]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = values.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
    format!(" ({})", shown.join(", "))
}

impl Cause {
    /// The sentence.
    pub fn message(&self) -> String {
        match self {
            Cause::Assertion { condition, values } => {
                format!("the assertion `{condition}` fails{}", with_values(values))
            }
            Cause::ErrorCall { function, condition: None, .. } => format!("{function} is called"),
            Cause::ErrorCall { function, condition: Some(condition), holds, values } => {
                format!("{function} is called: `{condition}` is {holds}{}", with_values(values))
            }
            Cause::Overflow { expression, operator, operands, result, type_name, min, max } => {
                let sum = match operands.as_slice() {
                    [single] => format!("{operator}({single})"),
                    several => several.join(&format!(" {operator} ")),
                };
                match result {
                    Some(result) => {
                        format!("`{expression}` overflows {type_name}: {sum} is {result}, outside {min}..{max}")
                    }
                    None if operator == "<<" => format!("`{expression}` shifts a negative number: {sum}"),
                    // The remainder is undefined where the quotient is.
                    None => {
                        let quotient = operands.join(" / ");
                        format!("`{expression}` overflows {type_name}: {quotient} is outside {min}..{max}")
                    }
                }
            }
            Cause::ShiftAmount { expression, amount, width } => {
                format!("`{expression}` shifts by {amount}, outside 0..{}", i64::from(*width) - 1)
            }
            Cause::NullPointer { expression, offset: 0, .. } => format!("`{expression}` dereferences a null pointer"),
            Cause::NullPointer { expression, offset, size } => {
                format!("`{expression}` accesses {} at offset {offset} from a null pointer", bytes(*size))
            }
            Cause::Dangling { expression, object, offset, size } => {
                let gone = match object.storage {
                    Storage::Heap => "which was freed",
                    Storage::Variable | Storage::Constant | Storage::Outside => "whose lifetime has ended",
                };
                let (bytes, object) = (bytes(*size), object.shown());
                format!("`{expression}` accesses {bytes} at offset {offset} of {object}, {gone}")
            }
            Cause::OutOfBounds { expression, object, offset, size } => {
                let (accessed, shown, short) = (bytes(*size), object.shown(), object.short());
                let how = if *offset < 0 {
                    format!("{} before {short}", bytes(offset.saturating_neg()))
                } else {
                    let beyond = offset.saturating_add(*size).saturating_sub(object.size);
                    format!("up to {} past its end", bytes(beyond))
                };
                format!("`{expression}` accesses {accessed} at offset {offset} of {shown}: {how}")
            }
            Cause::WildPointer { expression, size } => {
                format!("`{expression}` accesses {} at an address where no object is", bytes(*size))
            }
            Cause::Index { expression, index, length } => match length {
                0 => format!("`{expression}`: index {index} of an array without elements"),
                _ => format!("`{expression}`: index {index} is outside 0..{}", length - 1),
            },
            Cause::ConstantWrite { expression, object } => {
                let what = if object.name.is_some() { ", a constant" } else { "" };
                format!("`{expression}` writes to {}{what}", object.shown())
            }
            Cause::DoubleFree { expression, object } => {
                format!("`{expression}` frees {}, which was freed before", object.shown())
            }
            Cause::InvalidFree { expression, object: None, .. } => {
                format!("`{expression}` frees an address where no block is")
            }
            Cause::InvalidFree { expression, object: Some(object), offset } => match object.storage {
                Storage::Heap => {
                    format!("`{expression}` frees an address {} into {}", bytes(*offset), object.shown())
                }
                _ => format!("`{expression}` frees {}, which is not on the heap", object.shown()),
            },
            Cause::Overlap { expression, distance, size } => {
                format!("`{expression}` copies {} between objects {} apart", bytes(*size), bytes(distance.abs()))
            }
            Cause::Leak { count, blocks, is_lost, .. } => {
                let total: i64 = blocks.iter().map(|b| b.size).fold(0, i64::saturating_add);
                let fate = if *is_lost { "lost" } else { "not freed" };
                match (count, blocks.len()) {
                    (1, 1) => format!("a block of {} is {fate} at the end", bytes(total)),
                    (n, known) if *n == known => {
                        format!("{n} blocks of together {} are {fate} at the end", bytes(total))
                    }
                    (1, _) => format!("a block is {fate} at the end"),
                    (n, _) => format!("{n} blocks are {fate} at the end"),
                }
            }
            Cause::Race { accesses: [one, other] } => {
                format!("data race: {}, and at {} {}", one.shown(), other.at.place, other.shown())
            }
            Cause::Deadlock { waits } => {
                let waits: Vec<String> = waits.iter().map(Wait::shown).collect();
                format!("deadlock: {}", waits.join("; "))
            }
            Cause::EndlessLoop { always, .. } => format!("the loop does not end: {}", comes_back(always)),
            Cause::EndlessRecursion { function, always } => {
                format!("the recursion of {function} does not end: {}", comes_back(always))
            }
            Cause::Other { message, values } => format!("{message}{}", with_values(values)),
        }
    }

    /// Other places that the sentence speaks of.
    pub fn notes(&self) -> Vec<Remark> {
        match self {
            Cause::Dangling { object, .. }
            | Cause::OutOfBounds { object, .. }
            | Cause::ConstantWrite { object, .. }
            | Cause::DoubleFree { object, .. }
            | Cause::InvalidFree { object: Some(object), .. } => object.notes(),
            Cause::Leak { count, blocks, allocated, .. } => {
                let words = match (*count == allocated.len(), count) {
                    (true, _) => "allocated here".to_string(),
                    (false, n) => format!("a block was allocated here; {n} of these are not freed"),
                };
                let note =
                    |p: &Place| Remark { place: p.place.clone(), message: words.clone(), range: p.range.clone() };
                blocks.iter().flat_map(Object::notes).chain(allocated.iter().map(note)).collect()
            }
            Cause::Race { accesses: [one, other] } => {
                let place = other.at.place.clone();
                let access = Remark { place, message: "the other access".to_string(), range: other.at.range.clone() };
                one.calls().chain([access]).chain(other.calls()).collect()
            }
            Cause::Deadlock { waits } => {
                let note = |place: &Place, message: String| Remark {
                    place: place.place.clone(),
                    message,
                    range: place.range.clone(),
                };
                let mut notes = Vec::new();
                for wait in waits {
                    let thread = wait.thread.as_deref().unwrap_or("the program");
                    notes.push(note(&wait.at, format!("{thread} waits here")));
                    if let (Some(lock), Some(since)) = (&wait.lock, &wait.since) {
                        let holder = wait.held_by.as_deref().unwrap_or("the program");
                        notes.push(note(since, format!("{holder} takes `{lock}` here")));
                    }
                }
                notes
            }
            Cause::Assertion { .. }
            | Cause::ErrorCall { .. }
            | Cause::Overflow { .. }
            | Cause::ShiftAmount { .. }
            | Cause::NullPointer { .. }
            | Cause::WildPointer { .. }
            | Cause::Index { .. }
            | Cause::InvalidFree { object: None, .. }
            | Cause::Overlap { .. }
            | Cause::EndlessLoop { .. }
            | Cause::EndlessRecursion { .. }
            | Cause::Other { .. } => Vec::new(),
        }
    }
}
