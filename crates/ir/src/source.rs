//! What the parts of a lowered program are in the program the user wrote.
//!
//! A front end that lowers types away (C does, Boogie does not) says here which variables of the [`Program`]
//! are places of the source language, of which type and in which scope, and where the loops and
//! functions stand. With it a formula over variables can be written as an expression of the source
//! language, and a value as a value of its type. Variables that are not listed are bookkeeping of the
//! front end: whoever prints must leave them out, and say so.
//!
//! [`Program`]: crate::Program

use crate::program::{ProcId, VarId};
use base::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The state of a block of the heap that was not freed.
pub const HEAP_BLOCK: i64 = 2;

/// The type of a scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceType {
    Bool,
    /// `name` is how the source language writes it.
    Int {
        bits: u32,
        signed: bool,
        name: String,
    },
    Pointer,
    /// Its number of bits; values are bit patterns of a `double` (see the C front end).
    Float(u32),
}

impl SourceType {
    /// The values of an integer type.
    pub fn int_range(&self) -> Option<(i128, i128)> {
        match self {
            SourceType::Bool => Some((0, 1)),
            SourceType::Int { bits, signed: true, .. } if *bits <= 127 => {
                Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1))
            }
            SourceType::Int { bits, signed: false, .. } if *bits <= 126 => Some((0, (1i128 << bits) - 1)),
            SourceType::Int { .. } | SourceType::Pointer | SourceType::Float(_) => None,
        }
    }
    /// Is it one byte wide, so that a value may be a character?
    pub fn is_char(&self) -> bool {
        matches!(self, SourceType::Int { bits: 8, .. })
    }
}

/// A name and the part of the text where it means one particular object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredName {
    pub name: String,
    /// From the end of its declarator to the end of its block; [`Span::NONE`]: everywhere.
    pub scope: Span,
}

impl DeclaredName {
    fn is_visible_at(&self, at: Span) -> bool {
        self.scope.is_none() || self.scope.file == at.file && self.scope.start <= at.start && at.start <= self.scope.end
    }
}

/// A variable of the program that is a place of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// Which of [`SourceTable::names`] it starts with.
    pub name: usize,
    /// The place as text around its indices: `s.f` is `["s.f"]`, `a[i].f` is `["a", ".f"]`.
    pub pieces: Vec<String>,
    /// The number of elements of the array of each index; `None` if that is not a constant. The variable holds the
    /// elements of all of them one after the other.
    pub lengths: Vec<Option<u64>>,
    pub ty: SourceType,
}

impl SourcePlace {
    pub fn is_scalar(&self) -> bool {
        self.lengths.is_empty()
    }
    /// The place of an element, given the texts of its indices.
    pub fn text_at(&self, indices: &[String]) -> String {
        let mut text = self.pieces.first().cloned().unwrap_or_default();
        for (index, piece) in indices.iter().zip(self.pieces.iter().skip(1)) {
            text.push('[');
            text.push_str(index);
            text.push(']');
            text.push_str(piece);
        }
        text
    }
    /// The indices of the element that is stored at a position of the variable.
    pub fn indices_of(&self, position: u64) -> Option<Vec<u64>> {
        let mut indices = Vec::new();
        let mut rest = position;
        for (i, length) in self.lengths.iter().enumerate().rev() {
            if i == 0 {
                if length.is_some_and(|n| rest >= n) {
                    return None;
                }
                indices.push(rest);
            } else {
                let length = (*length)?.max(1);
                indices.push(rest % length);
                rest /= length;
            }
        }
        indices.reverse();
        Some(indices)
    }
}

/// A place of the source whose value is an element of an array variable: an object in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceCell {
    pub place: SourcePlace,
    pub array: VarId,
    /// The variable that holds the object's address, if each activation has an own one.
    pub base: Option<VarId>,
    /// Where it is from there, or from zero.
    pub offset: i128,
}

/// What a pointer points to: where its scalars are in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceTarget {
    /// The distance of neighbours in an array of these.
    pub size: i128,
    pub scalars: Vec<TargetScalar>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetScalar {
    /// What follows the object's name: nothing, or `.f`.
    pub path: String,
    pub ty: SourceType,
    /// The memory, and the index in it from the value of the pointer.
    pub array: VarId,
    pub offset: i128,
    /// Of a pointer: which of [`SourceTable::targets`] it points to.
    pub target: Option<usize>,
}

impl TargetScalar {
    /// The scalar of the object at this offset (in objects) from the one that the pointer with this text points to.
    pub fn text_behind(&self, pointer: &str, index: i128) -> String {
        let pointer = if pointer.starts_with('*') { format!("({pointer})") } else { pointer.to_string() };
        match (index, self.path.strip_prefix('.')) {
            (0, Some(field)) => format!("{pointer}->{field}"),
            (0, None) if self.path.is_empty() => format!("*{pointer}"),
            _ => format!("{pointer}[{index}]{}", self.path),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    While,
    For,
    DoWhile,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLoop {
    pub kind: LoopKind,
    /// The whole statement; starts at its keyword.
    pub span: Span,
    /// `None`: `for (;;)`.
    pub condition: Option<Span>,
    /// The first statement of its body.
    pub first: Span,
    /// Where names mean what they mean in its condition.
    pub scope_at: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFunction {
    pub name: String,
    pub span: Span,
    /// `None`: void, or no scalar.
    pub result: Option<SourceType>,
    pub params: Vec<(String, Option<SourceType>)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceTable {
    pub names: Vec<DeclaredName>,
    pub places: BTreeMap<VarId, SourcePlace>,
    pub cells: Vec<SourceCell>,
    pub targets: Vec<SourceTarget>,
    /// The places that are pointers, by their variable, and which target they have.
    pub pointers: BTreeMap<VarId, usize>,
    /// The values that scalar parameters have when their function is entered: index and type.
    pub arguments: BTreeMap<VarId, (usize, SourceType)>,
    pub results: BTreeMap<VarId, SourceType>,
    pub loops: Vec<SourceLoop>,
    /// Every statement, outer ones before the ones inside.
    pub statements: Vec<Span>,
    /// Those of the statements that declare something; they start at the declarator.
    pub declarations: BTreeSet<Span>,
    pub functions: BTreeMap<ProcId, SourceFunction>,
    /// Functions without a body whose results are inputs of the program, with the type of the result.
    pub inputs: BTreeMap<String, SourceType>,
    /// Those of them that the program does not declare, though they do not return `int`: compilers take them for
    /// functions that do.
    pub undeclared: BTreeSet<String>,
    /// All functions that are declared, without a body, and that no library has.
    pub absent: BTreeSet<String>,
    /// Does the machine have 128-bit integers?
    pub has_int128: bool,
    /// The width of `long`.
    pub long_bits: u32,
}

impl SourceTable {
    /// Is there anything to say? (Not for languages whose programs are lowered as they are.)
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The same for a graph whose variables are copies of the ones here: pairs of a copy and its original.
    pub fn for_copies(&self, copies: &[(VarId, VarId)]) -> SourceTable {
        let mut copies_of: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
        for &(copy, original) in copies {
            copies_of.entry(original).or_default().push(copy);
        }
        let copies_of = |original: VarId| copies_of.get(&original).into_iter().flatten().copied();
        fn renamed<T: Clone, I: Iterator<Item = VarId>>(
            table: &BTreeMap<VarId, T>,
            copies_of: impl Fn(VarId) -> I,
        ) -> BTreeMap<VarId, T> {
            table.iter().flat_map(|(&var, x)| copies_of(var).map(move |copy| (copy, x.clone()))).collect()
        }
        let mut cells = Vec::new();
        for cell in &self.cells {
            for array in copies_of(cell.array) {
                match cell.base {
                    None => cells.push(SourceCell { array, ..cell.clone() }),
                    Some(base) => {
                        let bases = copies_of(base);
                        cells.extend(bases.map(|base| SourceCell { array, base: Some(base), ..cell.clone() }));
                    }
                }
            }
        }
        let mut targets = self.targets.clone();
        for scalar in targets.iter_mut().flat_map(|t| &mut t.scalars) {
            if let Some(array) = copies_of(scalar.array).next() {
                scalar.array = array;
            }
        }
        SourceTable {
            places: renamed(&self.places, copies_of),
            pointers: renamed(&self.pointers, copies_of),
            arguments: renamed(&self.arguments, copies_of),
            results: renamed(&self.results, copies_of),
            cells,
            targets,
            ..self.clone()
        }
    }

    /// Does the place's name mean this place here, or is it out of scope or shadowed?
    pub fn is_visible(&self, place: &SourcePlace, at: Span) -> bool {
        let Some(own) = self.names.get(place.name) else { return false };
        if !own.is_visible_at(at) {
            return false;
        }
        // Of the declarations of one name that reach here, the innermost starts last.
        let start = |n: &DeclaredName| if n.scope.is_none() { None } else { Some(n.scope.start) };
        let others = self.names.iter().filter(|n| n.name == own.name && n.is_visible_at(at));
        others.map(start).max() == Some(start(own))
    }

    /// The loop that a loop head stands for. A head is where the next thing is to evaluate the condition or, where that
    /// comes last or is missing, to start the body; its span is that of this thing or of a part of it.
    pub fn loop_at(&self, span: Span) -> Option<&SourceLoop> {
        let inside = |outer: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
        let starts = |outer: Span| outer.file == span.file && outer.start == span.start;
        let fits = |l: &&SourceLoop| {
            starts(l.span)
                || match (l.kind, l.condition) {
                    (LoopKind::While | LoopKind::For, Some(condition)) => inside(condition),
                    (LoopKind::While | LoopKind::For, None) | (LoopKind::DoWhile, _) => inside(l.first),
                }
        };
        self.loops.iter().filter(fits).min_by_key(|l| l.span.end - l.span.start)
    }

    /// The innermost statement that a span lies in.
    pub fn statement_around(&self, span: Span) -> Option<Span> {
        let inside = |s: &&Span| s.file == span.file && s.start <= span.start && span.end <= s.end;
        self.statements.iter().filter(inside).min_by_key(|s| s.end - s.start).copied()
    }

    /// What a name means at a place: the declaration with the innermost scope.
    pub fn name_at(&self, name: &str, at: Span) -> Option<usize> {
        let visible = self.names.iter().enumerate().filter(|(_, n)| n.name == name && n.is_visible_at(at));
        visible.max_by_key(|(_, n)| if n.scope.is_none() { 0 } else { n.scope.start }).map(|(i, _)| i)
    }

    /// The function whose body a span lies in.
    pub fn function_around(&self, span: Span) -> Option<&SourceFunction> {
        self.functions
            .values()
            .filter(|f| f.span.file == span.file && f.span.start <= span.start)
            .max_by_key(|f| f.span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::FileId;

    fn span(start: usize, end: usize) -> Span {
        Span::new(FileId(0), start, end)
    }

    #[test]
    fn the_innermost_declaration_wins() {
        let place =
            |name: usize| SourcePlace { name, pieces: vec!["x".into()], lengths: Vec::new(), ty: SourceType::Bool };
        let name = |scope: Span| DeclaredName { name: "x".into(), scope };
        let table = SourceTable {
            names: vec![name(Span::NONE), name(span(10, 100)), name(span(30, 50))],
            ..SourceTable::default()
        };
        let visible = |at: usize| (0..3).filter(|&i| table.is_visible(&place(i), span(at, at))).collect::<Vec<_>>();
        assert_eq!(visible(5), [0]);
        assert_eq!(visible(20), [1]);
        assert_eq!(visible(40), [2]);
        assert_eq!(visible(60), [1]);
        assert_eq!(visible(200), [0]);
    }

    #[test]
    fn what_a_pointer_points_to_has_a_name() {
        let scalar = |path: &str| TargetScalar {
            path: path.to_string(),
            ty: SourceType::Bool,
            array: VarId(0),
            offset: 0,
            target: None,
        };
        assert_eq!(scalar("").text_behind("p", 0), "*p");
        assert_eq!(scalar("").text_behind("p", 3), "p[3]");
        assert_eq!(scalar(".f.g").text_behind("p->next", 0), "p->next->f.g");
        assert_eq!(scalar(".f").text_behind("*p", 0), "(*p)->f");
        assert_eq!(scalar(".f").text_behind("p", 2), "p[2].f");
    }

    #[test]
    fn elements_of_nested_arrays() {
        let place = SourcePlace {
            name: 0,
            pieces: vec!["m".into(), "".into(), ".f".into()],
            lengths: vec![Some(2), Some(3)],
            ty: SourceType::Bool,
        };
        assert_eq!(place.indices_of(4), Some(vec![1, 1]));
        assert_eq!(place.indices_of(6), None);
        assert_eq!(place.text_at(&["1".into(), "i".into()]), "m[1][i].f");
    }
}
