// expect: true
type Ref;
type Field a;
var heap: <a>[Ref, Field a]a;
const size: Field int;
procedure touch(r: Ref);
  modifies heap;
  ensures (forall<a> o: Ref, f: Field a :: o != r ==> heap[o, f] == old(heap)[o, f]);
procedure main(r: Ref, s: Ref) modifies heap; {
  assume r != s;
  heap[s, size] := 3;
  call touch(r);
  assert heap[s, size] == 3;
}
