// expect: false
// The type parameter may be int, and the field may be `size`.
type Field a;
var heap: <a>[Field a]a;
const unique size: Field int;
procedure write<a>(f: Field a, x: a) modifies heap; {
  heap[f] := x;
  assert heap[size] == old(heap[size]);
}
