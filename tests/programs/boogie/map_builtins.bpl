// expect: true
// Operators on all elements of maps, as Boogie names them.
function {:builtin "MapConst"} all(int): [int]int;
function {:builtin "MapConst"} table(bool): [int, int]bool;
function {:builtin "MapAnd"} and([int]bool, [int]bool): [int]bool;
function {:builtin "MapNot"} not([int]bool): [int]bool;
function {:builtin "MapAdd"} add([int]int, [int]int): [int]int;
function {:builtin "MapLe"} le([int]int, [int]int): [int]bool;
function {:builtin "MapIte"} ite([int]bool, [int]int, [int]int): [int]int;

procedure p(a: [int]bool, b: [int]bool, m: [int]int)
{
  assert all(7)[3] == 7;
  assert all(7)[3 := 7] == all(7);
  assert table(true)[1, 2];
  assert and(a, b)[3] == (a[3] && b[3]);
  assert not(a)[4] == !a[4];
  assert add(m, all(1))[5] == m[5] + 1;
  assert le(m, add(m, all(1)))[6];
  assert ite(a, all(1), all(2))[7] == (if a[7] then 1 else 2);
}
