// expect: false(valid-deref)
// property: valid-memsafety
int *f(void) { int x = 1; int *p = &x; return p; }
int main(void) {
    return *f();
}
