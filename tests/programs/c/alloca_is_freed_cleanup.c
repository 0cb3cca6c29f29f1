// expect: true
// property: valid-memcleanup
int main(void) {
    char *p = __builtin_alloca(4); p[3] = 0; return 0;
}
