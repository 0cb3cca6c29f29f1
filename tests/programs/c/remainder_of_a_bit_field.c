// expect: true
// property: no-overflow
struct s { int f:20; };
int main(void){ struct s x; x.f = -524288; return x.f % -1; }
