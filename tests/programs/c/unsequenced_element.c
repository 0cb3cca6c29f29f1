// expect: unknown
// a[0] is read before or after f writes it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[1]; int f(void){ a[0]=1; return 0; }
int main(){ if (a[0] + f() == 1) reach_error(); return 0; }
