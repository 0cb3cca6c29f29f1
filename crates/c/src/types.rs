//! C types and their layout on x86 as gcc lays them out.
//!
//! Types are hash-consed: equal types have equal [`TypeId`]s, except records, which have an identity.
//! Qualifiers sit beside the id in [`Ty`]. An enumeration is its underlying integer type: nothing
//! after parsing needs more.
//!
//! A vector (`__attribute__((vector_size(n)))`) is a record with a member for each element, a complex number
//! one with two members: [`Record::shape`] tells them from records of the program, and only the type checker asks.
//!
//! Layout (System V ABI): a member starts at the next multiple of its alignment; a bit-field starts at the
//! current bit unless it would span more units of its type's alignment than the type itself, and then at the next such
//! unit; `packed` lowers alignments to one, `#pragma pack(n)` to n.

use std::sync::Arc;

use base::IdVec;
use rustc_hash::FxHashMap;

use crate::DataModel;
pub(crate) use crate::ast::Quals;
use crate::hir::VarId;

base::define_id!(
    TypeId, "ty";
    RecordId, "rec"
);

/// A type with its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty {
    pub id: TypeId,
    pub quals: Quals,
}

impl Ty {
    pub fn plain(id: TypeId) -> Ty {
        Ty { id, quals: Quals::default() }
    }
    pub fn with(self, quals: Quals) -> Ty {
        Ty { id: self.id, quals: self.quals.union(quals) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// What gcc computes with when a bit-field of `long long` is wider than `int`: exactly its width, 33 to 63 bits.
    Bits {
        signed: bool,
        width: u8,
    },
}

impl IntKind {
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        match self {
            Char | SChar | Short | Int | Long | LongLong | Int128 => true,
            Bool | UChar | UShort | UInt | ULong | ULongLong | UInt128 => false,
            Bits { signed, .. } => signed,
        }
    }
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong | Bits { .. } => 5,
            Int128 | UInt128 => 6,
        }
    }
    pub fn unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Bool => Bool,
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
            Bits { width, .. } => Bits { signed: false, width },
        }
    }
    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
            Bits { .. } => "the type of a wide bit-field",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    /// `_Float16`
    Half,
    Float,
    Double,
    LongDouble,
    /// `_Float128`
    Quad,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Known(u64),
    Incomplete,
    /// A variable-length array: a hidden variable holds the number of elements.
    Vla(VarId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    pub ret: Ty,
    pub params: Vec<Ty>,
    pub variadic: bool,
    /// False for `()`: nothing is known of the parameters.
    pub prototyped: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer(Ty),
    Array(Ty, ArrayLen),
    Function(Arc<FnType>),
    Record(RecordId),
    /// `__builtin_va_list`
    VaList,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Option<Arc<str>>,
    pub ty: Ty,
    /// Width of a bit-field.
    pub width: Option<u32>,
    /// Position in bits from the start of the record.
    pub bit_offset: u64,
    /// Alignment asked for by an attribute.
    pub align: Option<u64>,
    pub packed: bool,
    /// The alignment that the layout gives it.
    pub placed: u64,
}

impl Field {
    pub fn offset(&self) -> u64 {
        self.bit_offset / 8
    }
    /// What C writes behind a record to mean the member: nothing for one without a name, an index for the element of a
    /// vector.
    pub fn selector(&self) -> String {
        match &self.name {
            None => String::new(),
            Some(name) if name.starts_with('[') => name.to_string(),
            Some(name) => format!(".{name}"),
        }
    }
}

/// What a record stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A struct or union that the program declares.
    Members,
    Vector {
        element: TypeId,
        length: u64,
    },
    /// The real and the imaginary part, of this type.
    Complex(TypeId),
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub shape: Shape,
    pub is_union: bool,
    /// `None` while incomplete.
    pub fields: Option<Arc<[Field]>>,
    pub size: u64,
    pub align: u64,
}

/// What attributes and pragmas say about a record's layout.
#[derive(Clone, Copy, Default, Debug)]
pub struct LayoutRules {
    pub packed: bool,
    pub pack: Option<u32>,
    pub align: Option<u64>,
}

/// All types of a translation unit.
pub struct Types {
    pub model: DataModel,
    types: IdVec<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: IdVec<RecordId, Record>,
    /// The records that are vectors and complex numbers.
    shapes: FxHashMap<Shape, TypeId>,
}

impl TypeId {
    pub const VOID: TypeId = TypeId(0);
    pub const BOOL: TypeId = TypeId(1);
    pub const CHAR: TypeId = TypeId(2);
    pub const INT: TypeId = TypeId(3);
    pub const UINT: TypeId = TypeId(4);
    pub const LONG: TypeId = TypeId(5);
    pub const ULONG: TypeId = TypeId(6);
    pub const LLONG: TypeId = TypeId(7);
    pub const ULLONG: TypeId = TypeId(8);
    pub const FLOAT: TypeId = TypeId(9);
    pub const DOUBLE: TypeId = TypeId(10);
    pub const LDOUBLE: TypeId = TypeId(11);
    pub const UCHAR: TypeId = TypeId(12);
    pub const USHORT: TypeId = TypeId(13);
    pub const VA_LIST: TypeId = TypeId(14);
    pub const SHORT: TypeId = TypeId(15);
    pub const SCHAR: TypeId = TypeId(16);
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        let mut types = Types {
            model,
            types: IdVec::new(),
            ids: FxHashMap::default(),
            records: IdVec::new(),
            shapes: FxHashMap::default(),
        };
        for ty in [
            Type::Void,
            Type::Int(IntKind::Bool),
            Type::Int(IntKind::Char),
            Type::Int(IntKind::Int),
            Type::Int(IntKind::UInt),
            Type::Int(IntKind::Long),
            Type::Int(IntKind::ULong),
            Type::Int(IntKind::LongLong),
            Type::Int(IntKind::ULongLong),
            Type::Float(FloatKind::Float),
            Type::Float(FloatKind::Double),
            Type::Float(FloatKind::LongDouble),
            Type::Int(IntKind::UChar),
            Type::Int(IntKind::UShort),
            Type::VaList,
            Type::Int(IntKind::Short),
            Type::Int(IntKind::SChar),
        ] {
            types.intern(ty);
        }
        types
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }
    /// All types; each is made of earlier ones.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter()
    }
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
    pub fn kind(&self, ty: Ty) -> &Type {
        &self.types[ty.id]
    }
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }
    pub fn pointer_to(&mut self, ty: Ty) -> TypeId {
        self.intern(Type::Pointer(ty))
    }
    pub fn size_t(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => TypeId::UINT,
            DataModel::Lp64 => TypeId::ULONG,
        }
    }
    pub fn ptrdiff_t(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => TypeId::INT,
            DataModel::Lp64 => TypeId::LONG,
        }
    }
    pub fn wchar_t(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => TypeId::LONG,
            DataModel::Lp64 => TypeId::INT,
        }
    }
    pub fn pointer_size(&self) -> u64 {
        match self.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_))
    }
    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float(_))
    }
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Float(_))
    }
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }
    pub fn is_record(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(_))
    }
    pub fn is_function(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Function(_))
    }
    pub fn is_array(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Array(..))
    }
    pub fn pointee(&self, id: TypeId) -> Option<Ty> {
        match self.get(id) {
            Type::Pointer(ty) => Some(*ty),
            _ => None,
        }
    }
    pub fn element(&self, id: TypeId) -> Option<Ty> {
        match self.get(id) {
            Type::Array(ty, _) => Some(*ty),
            _ => None,
        }
    }
    pub fn record(&self, id: TypeId) -> Option<RecordId> {
        match self.get(id) {
            Type::Record(r) => Some(*r),
            _ => None,
        }
    }
    /// The fields of a complete record type.
    pub fn fields(&self, id: TypeId) -> Option<Arc<[Field]>> {
        self.record(id).and_then(|r| self.records[r].fields.clone())
    }
    pub fn function(&self, id: TypeId) -> Option<Arc<FnType>> {
        match self.get(id) {
            Type::Function(f) => Some(f.clone()),
            _ => None,
        }
    }

    fn shape(&self, id: TypeId) -> Option<Shape> {
        self.record(id).map(|r| self.records[r].shape)
    }
    /// The element type and the number of elements of a vector.
    pub fn vector(&self, id: TypeId) -> Option<(TypeId, u64)> {
        match self.shape(id)? {
            Shape::Vector { element, length } => Some((element, length)),
            Shape::Members | Shape::Complex(_) => None,
        }
    }
    /// The type of the parts of a complex number.
    pub fn complex(&self, id: TypeId) -> Option<TypeId> {
        match self.shape(id)? {
            Shape::Complex(part) => Some(part),
            Shape::Members | Shape::Vector { .. } => None,
        }
    }
    /// A struct or union, but no vector and no complex number.
    pub fn has_members(&self, id: TypeId) -> bool {
        self.shape(id) == Some(Shape::Members)
    }
    /// The record that stands for a vector or a complex number; equal shapes are one type.
    pub fn shaped(&mut self, shape: Shape) -> Option<TypeId> {
        if let Some(&id) = self.shapes.get(&shape) {
            return Some(id);
        }
        let (name, part, names, align) = match shape {
            Shape::Members => return None,
            Shape::Vector { element, length } => {
                let bytes = self.size_of(element)?.checked_mul(length)?;
                let names: Vec<String> = (0..length).map(|i| format!("[{i}]")).collect();
                (format!("__vector({length}) {}", self.show(element)), element, names, Some(bytes))
            }
            Shape::Complex(part) => {
                (format!("_Complex {}", self.show(part)), part, vec!["__real__".into(), "__imag__".into()], None)
            }
        };
        let field = |name: String| Field {
            name: Some(name.into()),
            ty: Ty::plain(part),
            width: None,
            bit_offset: 0,
            align: None,
            packed: false,
            placed: 1,
        };
        let fields = names.into_iter().map(field).collect();
        let record = self.records.push(Record { name, shape, is_union: false, fields: None, size: 0, align: 1 });
        self.complete_record(record, fields, LayoutRules { align, ..LayoutRules::default() })?;
        let id = self.intern(Type::Record(record));
        self.shapes.insert(shape, id);
        Some(id)
    }

    pub fn int_size(&self, kind: IntKind) -> u64 {
        use IntKind::*;
        match kind {
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => self.pointer_size(),
            LongLong | ULongLong | Bits { .. } => 8,
            Int128 | UInt128 => 16,
        }
    }
    pub fn int_bits(&self, kind: IntKind) -> u32 {
        match kind {
            IntKind::Bool => 1,
            IntKind::Bits { width, .. } => width as u32,
            _ => self.int_size(kind) as u32 * 8,
        }
    }
    /// A type whose range an `i128` does not hold with room to spare.
    pub fn is_wide(&self, kind: IntKind) -> bool {
        self.int_bits(kind) == 128
    }
    /// The least and the greatest value; for types of 128 bits the greatest `i128` stands for "not known".
    pub fn int_range(&self, kind: IntKind) -> (i128, i128) {
        let bits = self.int_bits(kind);
        match (kind.is_signed(), bits) {
            (true, 128) => (i128::MIN, i128::MAX),
            (true, _) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            (false, 128) => (0, i128::MAX),
            (false, _) => (0, (1i128 << bits) - 1),
        }
    }
    /// A value modulo the range of a type; `_Bool` asks for "not zero".
    pub fn wrap(&self, value: i128, kind: IntKind) -> i128 {
        if kind == IntKind::Bool {
            return (value != 0) as i128;
        }
        let bits = self.int_bits(kind);
        if bits == 128 {
            return value;
        }
        let low = value & ((1i128 << bits) - 1);
        if kind.is_signed() && low >> (bits - 1) != 0 { low - (1i128 << bits) } else { low }
    }

    /// Bytes, if the type is complete and of constant size. `void` and functions count one, as in gcc.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(kind) => self.int_size(*kind),
            Type::Float(kind) => self.float_size(*kind),
            Type::Pointer(_) => self.pointer_size(),
            Type::Array(elem, ArrayLen::Known(n)) => self.size_of(elem.id)?.checked_mul(*n)?,
            Type::Array(..) => return None,
            Type::Record(r) => {
                let record = &self.records[*r];
                record.fields.as_ref()?;
                record.size
            }
            Type::VaList => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
        })
    }
    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.model) {
            (FloatKind::Half, _) => 2,
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Quad, _) => 16,
        }
    }
    /// Alignment as a struct member and for `_Alignof`.
    pub fn align_of(&self, id: TypeId) -> u64 {
        let cap = self.pointer_size();
        match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(IntKind::Int128 | IntKind::UInt128) => 16,
            Type::Int(kind) => self.int_size(*kind).min(cap),
            Type::Float(FloatKind::LongDouble) => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 16,
            },
            Type::Float(FloatKind::Quad) => 16,
            Type::Float(kind) => self.float_size(*kind).min(cap),
            Type::Pointer(_) | Type::VaList => cap,
            Type::Array(elem, _) => self.align_of(elem.id),
            Type::Record(r) => self.records[*r].align.max(1),
        }
    }

    /// The alignment of a member: atomic objects whose size a processor can handle at once are aligned to it.
    fn member_align(&self, ty: Ty) -> u64 {
        let mut element = ty;
        while let Type::Array(inner, _) = self.get(element.id) {
            element = *inner;
        }
        let size = self.size_of(element.id).filter(|size| matches!(size, 1 | 2 | 4 | 8 | 16));
        let atomic = size.filter(|_| element.quals.is_atomic).unwrap_or(1);
        self.align_of(ty.id).max(atomic)
    }

    /// Is a member or an element of the first type, however deep, of the second?
    pub fn has_part(&self, whole: TypeId, part: TypeId) -> bool {
        let is_in = |ty: TypeId| ty == part || self.has_part(ty, part);
        match self.get(whole) {
            Type::Array(element, _) => is_in(element.id),
            Type::Record(record) => {
                self.records[*record].fields.iter().flat_map(|fields| fields.iter()).any(|field| is_in(field.ty.id))
            }
            _ => false,
        }
    }

    /// Gives a record its members and computes the layout. `None` if a member has no size.
    pub fn complete_record(&mut self, id: RecordId, mut fields: Vec<Field>, rules: LayoutRules) -> Option<()> {
        let is_union = self.records[id].is_union;
        let mut bit: u64 = 0;
        let mut size_bits: u64 = 0;
        let mut align: u64 = 1;
        let n = fields.len();
        for (i, field) in fields.iter_mut().enumerate() {
            let is_flexible =
                i + 1 == n && matches!(self.get(field.ty.id), Type::Array(_, ArrayLen::Incomplete | ArrayLen::Vla(_)));
            let size = match self.size_of(field.ty.id) {
                Some(size) => size,
                None if is_flexible || is_union => 0,
                None => return None,
            };
            let natural = self.member_align(field.ty);
            let packed = rules.packed || field.packed;
            let mut field_align = if packed { 1 } else { natural };
            if let Some(asked) = field.align {
                field_align = field_align.max(asked);
            }
            if let Some(pack) = rules.pack {
                field_align = field_align.min(pack.max(1) as u64);
            }
            field.placed = field_align;
            if is_union {
                bit = 0;
            }
            match field.width {
                Some(0) => {
                    bit = round_up(bit, natural.checked_mul(8)?.max(8));
                    field.bit_offset = bit;
                }
                Some(width) => {
                    // It may span as many units of its alignment as its type does; on 32 bits `long long` spans two.
                    let unit = natural.checked_mul(8)?.max(8);
                    // An attribute counts by itself: it may ask for less than the type does.
                    if let Some(asked) = field.align {
                        let asked = rules.pack.map_or(asked, |pack| asked.min(pack.max(1) as u64));
                        bit = round_up(bit, asked.checked_mul(8)?);
                    }
                    let spanned = (bit % unit + width as u64).div_ceil(unit);
                    let crosses = spanned > size.checked_mul(8)?.max(8) / unit;
                    if crosses && !packed && rules.pack.is_none() {
                        bit = round_up(bit, unit);
                    }
                    field.bit_offset = bit;
                    bit += width as u64;
                    if field.name.is_some() {
                        // Under `#pragma pack` gcc forgets that a bit-field is packed.
                        let forced = rules.pack.map_or(1, |pack| natural.min(pack.max(1) as u64));
                        align = align.max(field_align).max(forced);
                    }
                }
                None => {
                    bit = round_up(bit, field_align.checked_mul(8)?);
                    field.bit_offset = bit;
                    bit = bit.checked_add(size.checked_mul(8)?)?;
                    align = align.max(field_align);
                }
            }
            size_bits = size_bits.max(bit);
        }
        if let Some(asked) = rules.align {
            align = align.max(asked);
        }
        let record = &mut self.records[id];
        record.size = round_up(size_bits.div_ceil(8), align);
        record.align = align;
        record.fields = Some(fields.into());
        Some(())
    }

    /// Compatible in the sense that matters here: equal up to qualifiers and missing information.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => x.quals == y.quals && self.compatible(x.id, y.id),
            (Type::Array(x, m), Type::Array(y, n)) => {
                x.quals == y.quals
                    && self.compatible(x.id, y.id)
                    && match (m, n) {
                        (ArrayLen::Known(m), ArrayLen::Known(n)) => m == n,
                        _ => true,
                    }
            }
            (Type::Function(f), Type::Function(g)) => {
                self.compatible(f.ret.id, g.ret.id)
                    && (!f.prototyped
                        || !g.prototyped
                        || f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && f.params.iter().zip(&g.params).all(|(x, y)| self.compatible(x.id, y.id)))
            }
            _ => false,
        }
    }

    /// The type as C would write it, more or less.
    pub fn show(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Int(kind) => kind.name().into(),
            Type::Float(FloatKind::Half) => "_Float16".into(),
            Type::Float(FloatKind::Quad) => "_Float128".into(),
            Type::Float(FloatKind::Float) => "float".into(),
            Type::Float(FloatKind::Double) => "double".into(),
            Type::Float(FloatKind::LongDouble) => "long double".into(),
            Type::Pointer(ty) => format!("{} *", self.show(ty.id)),
            Type::Array(ty, ArrayLen::Known(n)) => format!("{}[{n}]", self.show(ty.id)),
            Type::Array(ty, _) => format!("{}[]", self.show(ty.id)),
            Type::Function(f) => {
                let params: Vec<String> = f.params.iter().map(|p| self.show(p.id)).collect();
                format!("{}({})", self.show(f.ret.id), params.join(", "))
            }
            Type::Record(r) => self.records[*r].name.clone(),
            Type::VaList => "va_list".into(),
        }
    }
}

fn round_up(value: u64, multiple: u64) -> u64 {
    value.div_ceil(multiple.max(1)).saturating_mul(multiple.max(1))
}
