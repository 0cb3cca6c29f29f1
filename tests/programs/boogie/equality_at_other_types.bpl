// expect: true
type Ref;
type Field a;
var heap: <a>[Ref, Field a]a;
const unique size: Field int;
const unique flag: Field bool;
procedure write(r: Ref)
  modifies heap;
  ensures (forall<a> o: Ref, f: Field a :: heap[o, f] == old(heap)[o, f] || (o == r && f == size));
{
  heap[r, size] := 3;
}
procedure main(r: Ref, s: Ref) modifies heap; {
  heap[r, flag] := true;
  call write(r);
  assert heap[r, flag];
}
