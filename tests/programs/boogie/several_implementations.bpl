// expect: false
procedure P() returns (x: int);
  ensures x > 0;
implementation P() returns (x: int) { x := 1; }
implementation P() returns (y: int) { y := 0; }
