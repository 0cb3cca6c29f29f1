// expect: true
// Loops in a loop: every element of the table is set.
procedure fill(n: int, m: int) returns (t: [int][int]int)
  requires n >= 0 && m >= 0;
  ensures (forall i, j: int :: 0 <= i && i < n && 0 <= j && j < m ==> t[i][j] == 7);
{
  var x, y: int;
  x := 0;
  while (x < n)
    invariant 0 <= x && x <= n;
    invariant (forall i, j: int :: 0 <= i && i < x && 0 <= j && j < m ==> t[i][j] == 7);
  {
    y := 0;
    while (y < m)
      invariant 0 <= y && y <= m;
      invariant (forall i, j: int :: 0 <= i && i < x && 0 <= j && j < m ==> t[i][j] == 7);
      invariant (forall j: int :: 0 <= j && j < y ==> t[x][j] == 7);
      invariant 0 <= x && x < n;
    {
      t[x][y] := 7;
      y := y + 1;
    }
    x := x + 1;
  }
}
