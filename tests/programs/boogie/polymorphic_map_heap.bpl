// expect: true
type Ref;
type Field a;
var heap: <a>[Ref, Field a]a;
const unique next: Field Ref;
const unique size: Field int;
const unique cap: Field int;
procedure main(r: Ref, s: Ref) modifies heap; {
  heap[r, size] := 3;
  heap[s, next] := r;
  assert heap[r, size] == 3;
  heap[r, cap] := 4;
  assert heap[r, size] == 3;
}
