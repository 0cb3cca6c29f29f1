// expect: true
// property: ltl
//@ ltl invariant first: <>AP(x == 2);
//@ ltl invariant second: <>[]AP(x == 2);
int x;
int main(void) { x = 1; x = 2; return 0; }
