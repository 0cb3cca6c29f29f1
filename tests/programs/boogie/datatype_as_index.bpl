// expect: true
datatype Key { Number(n: int), Nothing() }
procedure main(m: [Key]int, k: Key, l: Key) {
  var a: [Key]int;
  a := m[k := 1];
  assert a[k] == 1;
  assert k != l ==> a[l] == m[l];
  assert k is Nothing && l is Nothing ==> a[l] == 1;
}
