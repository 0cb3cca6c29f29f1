// expect: unknown
// x is changed by a pointer and read, unsequenced.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(){ int x=0; int *p=&x; if (x + (*p = 1) == 2) reach_error(); return 0; }
