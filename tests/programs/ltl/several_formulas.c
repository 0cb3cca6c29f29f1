// expect: false(ltl)
// property: ltl
// Each formula is a check of its own; the whole holds if all do.
//@ ltl invariant first: <>AP(x == 2);
//@ ltl invariant second: []AP(x != 1);
int x;
int main(void) { x = 1; x = 2; return 0; }
