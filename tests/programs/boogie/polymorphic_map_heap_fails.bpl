// expect: false
type Ref;
type Field a;
var heap: <a>[Ref, Field a]a;
const unique size: Field int;
procedure main(r: Ref, s: Ref) modifies heap; {
  heap[r, size] := 3;
  heap[s, size] := 4;
  assert heap[r, size] == 3;
}
