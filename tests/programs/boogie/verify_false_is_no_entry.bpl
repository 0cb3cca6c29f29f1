// expect: true
procedure {:verify false} bad() { assert false; }
procedure good() { assert true; }
