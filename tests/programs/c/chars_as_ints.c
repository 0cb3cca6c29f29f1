// expect: false(valid-deref)
// property: valid-memsafety
int main(void) {
    char a[10]; int *p = (int *)a; int i; for (i = 0; i < 10; i++) p[i] = 0;
    return 0;
}
