// expect: true
type Ref;
type Field a;
type Heap = [Ref]int;
type Table k = [k]Heap;
const null: Ref;
const f: Field int;
procedure main() {
  var h: Heap;
  var t: Table int;
  h[null] := 3;
  t[0] := h;
  assert t[0][null] == 3;
}
