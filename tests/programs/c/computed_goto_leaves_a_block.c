// expect: false(valid-deref)
// property: valid-memsafety
struct S { int *q; };
int main(void){ struct S s; void *t[] = { &&a, &&b }; int i = 0; goto *t[i]; a: { int k = 3; s.q = &k; i = 1; goto *t[i]; } b: return *s.q; }
