// expect: unknown
// x is read before or after f writes it by its pointer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int g; int f(int *p){ *p=1; return 0; }
int main(){ int x=0; if (x + f(&x) == 1) reach_error(); return 0; }
