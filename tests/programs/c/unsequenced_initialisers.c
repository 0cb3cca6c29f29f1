// expect: unknown
// The items of an initialiser are evaluated in any order (C11 6.7.9p23).
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int g; int next(void){ return ++g; }
int main(){ int x = next(); struct {int a,b;} s = { next(), next() }; if (s.a==3) reach_error(); return 0; }
